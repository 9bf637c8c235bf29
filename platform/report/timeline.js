// SPDX-License-Identifier: Apache-2.0
// The chart: all rows over one axis of cycles, which wheel, drag, keys and buttons change.

const leastSpan = Math.min(8, cycles);
const axisHeight = 22;
const gap = 3;

const chart = {lo: 0, hi: cycles, width: 0, chosen: null};
const scale = d3.scale.linear();
const zoom = d3.behavior.zoom().scaleExtent([1, Math.max(1, cycles / leastSpan)]);
const svg = d3.select("#chart").append("svg");

function patterns() {
  const defs = svg.append("defs");
  const pattern = (id) => defs.append("pattern")
    .attr({id, width: 5, height: 5, patternUnits: "userSpaceOnUse"});
  const dots = pattern("pattern-starved");
  dots.append("rect").attr({width: 5, height: 5, class: "starved-ground"});
  dots.append("circle").attr({cx: 2.5, cy: 2.5, r: 0.9, class: "starved-mark"});
  const strokes = pattern("pattern-blocked");
  strokes.append("rect").attr({width: 5, height: 5, class: "blocked-ground"});
  strokes.append("path").attr({d: "M-1,1l2,-2M0,5l5,-5M4,6l2,-2", class: "blocked-mark"});
  defs.append("clipPath").attr("id", "inside").append("rect");
}

patterns();
const axisGroup = svg.append("g").attr("class", "axis");
const plot = svg.append("g").attr("class", "plot");
plot.append("rect").attr("class", "hit");
let y = axisHeight;
for (const row of rows) {
  if (row.kind === "array" || row === streamRows[0] || row === unitRows[0]) y += 2 * gap;
  row.y = y;
  y += row.height + gap;
}
const height = y;
const rowGroups = plot.selectAll("g.row").data(rows).enter().append("g")
  .attr({class: "row", tabindex: 0, role: "img"})
  .attr("transform", (row) => `translate(0,${row.y})`);
rowGroups.append("text").attr({x: -6, "text-anchor": "end", "dominant-baseline": "central"})
  .attr("y", (row) => row.height / 2).text((row) => row.name);
rowGroups.append("rect").attr("class", "ground").attr("height", (row) => row.height);
rowGroups.append("g").attr({class: "marks", "clip-path": "url(#inside)"});
rowGroups.append("rect").attr("class", "frame").attr("height", (row) => row.height);
const chosenMark = plot.append("rect").attr("class", "chosen");
const crosshair = plot.append("line").attr({class: "at", y1: axisHeight, y2: height});

function markClass(piece) {
  return `mark ${piece.kind}` + (piece.whole ? " parted" : "");
}

function drawRow(row) {
  const pieces = row.pieces(chart.lo, chart.hi, chart.width);
  const left = (piece) => Math.max(-2, scale(piece.from));
  const wide = (piece) => Math.max(0.5, Math.min(chart.width + 2, scale(piece.to)) - left(piece));
  const marks = d3.select(this).select(".marks");
  const rects = marks.selectAll("rect").data(pieces);
  rects.enter().append("rect");
  rects.exit().remove();
  rects.attr("class", markClass)
    .attr("x", left)
    .attr("width", wide)
    .attr("y", (piece) => row.height * (1 - piece.high))
    .attr("height", (piece) => row.height * (piece.high - piece.low))
    .attr("fill", (piece) => piece.colour ?? null);
  const codes = marks.selectAll("text")
    .data(pieces.filter((piece) => piece.kind === "cause" && piece.whole && wide(piece) >= 18));
  codes.enter().append("text").attr({class: "code", "dominant-baseline": "central"});
  codes.exit().remove();
  codes.attr({x: (piece) => left(piece) + 3, y: row.height / 2})
    .text((piece) => {
      const name = data.causes[piece.cause].name;
      return wide(piece) >= 7 * name.length + 8 ? name : causeCodes[piece.cause];
    });
}

function drawChosen() {
  const at = chart.chosen;
  chosenMark.style("display", at === null ? "none" : null);
  if (at === null) return;
  const part = at.row.part(at.k);
  const from = Math.max(0, scale(part.from));
  chosenMark.attr({x: from, y: at.row.y - 1, height: at.row.height + 2})
    .attr("width", Math.max(2, Math.min(chart.width, scale(part.to)) - from));
  if (part.to <= chart.lo || part.from >= chart.hi) chosenMark.style("display", "none");
}

function draw() {
  scale.domain([chart.lo, chart.hi]).range([0, chart.width]);
  const ticks = Math.max(2, Math.min(chart.width / 90, chart.hi - chart.lo));
  axisGroup.call(d3.svg.axis().scale(scale).orient("top").ticks(ticks).tickSize(-height + axisHeight, 0)
    .tickFormat((at) => (Number.isInteger(at) ? String(at) : "")));
  rowGroups.each(drawRow);
  drawChosen();
  const [lo, hi] = [Math.round(chart.lo), Math.round(chart.hi)];
  element("domain").textContent = `cycles ${lo} to ${hi} of ${cycles}`;
  element("chart").dataset.lo = lo;
  element("chart").dataset.hi = hi;
}

// Shows [lo, hi), or what of that length lies within the run.
function view(lo, hi) {
  const length = Math.min(cycles, Math.max(leastSpan, hi - lo));
  chart.lo = Math.max(0, Math.min(cycles - length, lo));
  chart.hi = chart.lo + length;
  const k = cycles / length;
  zoom.scale(k).translate([(-chart.lo / cycles) * chart.width * k, 0]);
  draw();
}

zoom.on("zoom", () => {
  const length = cycles / zoom.scale();
  const lo = (-zoom.translate()[0] / (chart.width * zoom.scale())) * cycles;
  view(lo, lo + length);
});
plot.call(zoom).on("dblclick.zoom", null);

const reset = () => view(0, cycles);
function zoomBy(factor) {
  const part = chart.chosen === null ? null : chart.chosen.row.part(chart.chosen.k);
  const visible = part !== null && part.to > chart.lo && part.from < chart.hi;
  const centre = visible ? (Math.max(part.from, chart.lo) + Math.min(part.to, chart.hi)) / 2
    : (chart.lo + chart.hi) / 2;
  const length = Math.min(cycles, Math.max(leastSpan, (chart.hi - chart.lo) / factor));
  const lo = centre - ((centre - chart.lo) / (chart.hi - chart.lo)) * length;
  view(lo, lo + length);
}
function panBy(share) {
  const by = share * (chart.hi - chart.lo);
  view(chart.lo + by, chart.hi + by);
}

// Tells of a part, and marks it.
function choose(row, k) {
  chart.chosen = {row, k};
  const part = row.part(k);
  element("readout").textContent = part.text;
  drawChosen();
  return part;
}

function step(row, by) {
  const now = chart.chosen !== null && chart.chosen.row === row ? chart.chosen.k
    : Math.max(0, lastUpTo(row.from, chart.lo)) - by;
  const part = choose(row, Math.max(0, Math.min(row.count - 1, now + by)));
  if (part.from < chart.lo || part.to > chart.hi) {
    const length = chart.hi - chart.lo;
    const middle = Math.min((part.from + part.to) / 2, part.from + length / 2);
    view(middle - length / 2, middle + length / 2);
  }
}

rowGroups
  .attr("aria-label", (row) => `${row.name}: n and p go through its ${row.count} parts`)
  .on("focus", (row) => {
    if (chart.chosen === null || chart.chosen.row !== row) {
      choose(row, Math.max(0, lastUpTo(row.from, chart.lo)));
    }
  });

plot.on("mousemove", () => {
  const [px, py] = d3.mouse(plot.node());
  const row = rows.find((one) => py >= one.y && py < one.y + one.height);
  const at = scale.invert(px);
  crosshair.attr({x1: px, x2: px}).style("display", px < 0 ? "none" : null);
  if (row !== undefined && at >= 0 && at < cycles) choose(row, lastUpTo(row.from, at));
}).on("mouseleave", () => crosshair.style("display", "none"));

const keys = {
  ArrowLeft: () => panBy(-0.125),
  ArrowRight: () => panBy(0.125),
  "+": () => zoomBy(2),
  "=": () => zoomBy(2),
  "-": () => zoomBy(0.5),
  0: reset,
  Home: reset,
};
const rowKeys = {
  n: (row) => step(row, 1),
  p: (row) => step(row, -1),
  ArrowDown: (row, k) => rowGroups[0][Math.min(rows.length - 1, k + 1)].focus(),
  ArrowUp: (row, k) => rowGroups[0][Math.max(0, k - 1)].focus(),
  Enter: (row) => {
    const part = row.part(chart.chosen.k);
    const margin = part.to - part.from;
    view(part.from - margin, part.to + margin);
  },
};
element("chart").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const k = rowGroups[0].indexOf(event.target);
  if (Object.hasOwn(keys, event.key)) keys[event.key]();
  else if (k >= 0 && Object.hasOwn(rowKeys, event.key)) rowKeys[event.key](rows[k], k);
  else return;
  event.preventDefault();
});
for (const [id, act] of [["zoom-in", keys["+"]], ["zoom-out", keys["-"]],
  ["pan-left", keys.ArrowLeft], ["pan-right", keys.ArrowRight], ["reset", reset]]) {
  element(id).addEventListener("click", act);
}

function resize() {
  const whole = element("chart").clientWidth;
  const label = whole < 600 ? 72 : 84;
  chart.width = Math.max(50, whole - label - 6);
  svg.attr({width: whole, height});
  for (const group of [axisGroup, plot]) group.attr("transform", `translate(${label},0)`);
  axisGroup.attr("transform", `translate(${label},${axisHeight})`);
  svg.select("#inside rect").attr({x: 0, y: 0, width: chart.width, height});
  plot.select(".hit").attr({width: chart.width, height});
  rowGroups.selectAll(".ground, .frame").attr("width", chart.width);
  crosshair.style("display", "none");
  view(chart.lo, chart.hi);
}
