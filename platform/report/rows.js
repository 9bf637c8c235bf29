// SPDX-License-Identifier: Apache-2.0
// The rows of the chart. A row has a name, a height, parts - part(k) = {from, to, text} for k from 0
// to count - 1, which follow one another from cycle 0 to the end - and pieces(lo, hi, width): what is
// drawn of cycles [lo, hi) on so many pixels: {from, to, kind, low, high, ...}, low and high of 0..1.

const windowFrom = d3.range(windowCount).map((k) => k * timeline.window);

// So many edges of bins that a bin is at least two pixels wide, on edges of windows if these are all
// that is known.
function binEdges(lo, hi, width) {
  const step = timeline.detailed ? 1 : timeline.window;
  const bin = Math.max(step, Math.ceil((2 * (hi - lo)) / width / step) * step);
  const edges = d3.range(Math.floor(lo / bin) * bin, hi, bin);
  return edges.concat([Math.min(cycles, edges[edges.length - 1] + bin)]);
}

// The sum up to a cycle of a value that stands for each part and is spread evenly over it.
function summed(from, values) {
  const before = [0];
  values.forEach((value, k) => before.push(before[k] + value));
  return (at) => {
    const k = lastUpTo(from, Math.min(at, cycles - 1));
    const to = k + 1 < from.length ? from[k + 1] : cycles;
    return before[k] + (values[k] * (Math.min(at, to) - from[k])) / (to - from[k]);
  };
}

// kinds: [{kind, colour, until}] with until(cycle): cycles of that kind before it.
function stackedPieces(kinds, lo, hi, width) {
  const edges = binEdges(lo, hi, width);
  const out = [];
  for (let k = 0; k + 1 < edges.length; ++k) {
    let low = 0;
    for (const one of kinds) {
      const share = (one.until(edges[k + 1]) - one.until(edges[k])) / (edges[k + 1] - edges[k]);
      if (share > 0.001) {
        out.push({...one, from: edges[k], to: edges[k + 1], low, high: low + share});
      }
      low += share;
    }
  }
  return out;
}

function countWithin(from, lo, hi) {
  return lastUpTo(from, hi) - Math.max(0, lastUpTo(from, lo)) + 1;
}

// A row of parts of one kind each, drawn one by one where there is room, else as shares.
function partsRow(row, from, kindOf, kinds) {
  row.from = from;
  row.count = from.length;
  row.pieces = (lo, hi, width) => {
    if (!timeline.detailed || countWithin(from, lo, hi) > width / 3) {
      return stackedPieces(kinds, lo, hi, width);
    }
    const out = [];
    for (let k = Math.max(0, lastUpTo(from, lo)); k < from.length && from[k] < hi; ++k) {
      const kind = kindOf(k);
      if (kind !== null) out.push({...kind, ...row.part(k), low: 0, high: 1, whole: true});
    }
    return out;
  };
  return row;
}

const endOf = (from, k) => (k + 1 < from.length ? from[k + 1] : cycles);

function processRow(p) {
  const row = {name: p.name, height: 20, kind: "process"};
  const colours = states.map((state) => ({kind: state}));
  const known = timeline.detailed
    ? states.map((_, s) => summed(p.from, p.state.map((is, k) =>
        (is === s ? endOf(p.from, k) - p.from[k] : 0))))
    : states.map((state, s) => (s === 0 ? null : summed(windowFrom, p[state])));
  const kinds = [1, 2, 3].map((s) => ({kind: states[s], until: known[s]}));
  row.part = timeline.detailed
    ? (k) => {
        const [from, to] = [p.from[k], endOf(p.from, k)];
        const wait = p.on[k] < 0 ? null : data.waits[p.on[k]];
        const issue = issueText(p.issue[k]);
        return {from, to, text: `${p.name}, ${span(from, to)}: ${states[p.state[k]]}` +
          (wait === null ? "" : `, waits for ${wait.name} (${wait.text})`) +
          (issue === "" ? "" : `; ${issue}`)};
      }
    : (k) => {
        const [from, to] = [windowFrom[k], windowEnd(k)];
        const idle = to - from - p.busy[k] - p.starved[k] - p.blocked[k];
        return {from, to, text: `${p.name}, ${span(from, to)}: ` +
          [["busy", p.busy[k]], ["starved", p.starved[k]], ["blocked", p.blocked[k]], ["idle", idle]]
            .map(([state, n]) => `${state} ${percent(n, to - from)}`).join(", ")};
      };
  row.share = (s, lo, hi) => known[s](hi) - known[s](lo);
  return partsRow(row, timeline.detailed ? p.from : windowFrom,
    (k) => (p.state[k] === 0 ? null : colours[p.state[k]]), kinds);
}

function pathRow() {
  const path = timeline.path;
  const row = {name: "path", height: 24, kind: "path"};
  const styles = data.causes.map((cause, c) => ({kind: "cause", cause: c, colour: causeColours[c]}));
  if (path.from !== undefined && path.from.length === 0) return null; // a fault ended the run
  const inWindows = path.windows !== undefined;
  const from = inWindows ? windowFrom : path.from;
  const kinds = data.causes.map((cause, c) => ({
    ...styles[c],
    until: summed(from, inWindows ? path.windows[cause.id]
      : path.cause.map((is, k) => (is === c ? endOf(from, k) - from[k] : 0))),
  }));
  row.part = inWindows
    ? (k) => {
        const [a, b] = [windowFrom[k], windowEnd(k)];
        const of = data.causes.map((cause) => [cause.name, path.windows[cause.id][k]])
          .filter(([, n]) => n !== 0);
        return {from: a, to: b, text: `critical path, ${span(a, b)}: ` +
          of.map(([name, n]) => `${name} ${percent(n, b - a)}`).join(", ")};
      }
    : (k) => {
        const cause = data.causes[path.cause[k]];
        const issue = issueText(path.issue[k]);
        return {from: from[k], to: endOf(from, k),
          text: `critical path, ${span(from[k], endOf(from, k))}: ${cause.name} (${cause.text}), ` +
            `in ${path.process[k]}` + (issue === "" ? "" : `; ${issue}`)};
      };
  const drawn = partsRow(row, from, (k) => styles[path.cause[k]], kinds);
  if (inWindows) drawn.pieces = (lo, hi, width) => stackedPieces(kinds, lo, hi, width);
  return drawn;
}

function arrayRow() {
  const until = summed(windowFrom, timeline.macs);
  const kinds = [{kind: "array", until: (at) => until(at) / peCount}];
  return {
    name: "array", height: 34, kind: "array", from: windowFrom, count: windowCount, until,
    part: (k) => {
      const [from, to] = [windowFrom[k], windowEnd(k)];
      return {from, to, text: `array, ${span(from, to)}: ${timeline.macs[k]} MACs, ` +
        `${percent(timeline.macs[k], peCount * (to - from))} of its ${peCount} PEs`};
    },
    pieces: (lo, hi, width) => stackedPieces(kinds, lo, hi, width),
  };
}

function streamRow(s) {
  const from = timeline.detailed ? s.at : windowFrom;
  const sums = timeline.detailed ? s.tokens.map((n, k) => n * (endOf(from, k) - from[k])) : s.sums;
  const until = summed(from, sums);
  const kinds = [{kind: "tokens", until: (at) => until(at) / s.depth}];
  return {
    name: s.name, height: 16, kind: "stream", from, count: from.length,
    mean: (lo, hi) => (until(hi) - until(lo)) / (hi - lo),
    part: (k) => {
      const [a, b] = [from[k], endOf(from, k)];
      return {from: a, to: b, text: `${s.name} (${s.carries}), ${span(a, b)}: ` +
        (timeline.detailed ? `${s.tokens[k]} of ${s.depth} tokens`
          : `${(sums[k] / (b - a)).toFixed(1)} of ${s.depth} tokens in the mean, at most ${s.mosts[k]}`)};
    },
    pieces: (lo, hi, width) => stackedPieces(kinds, lo, hi, width),
  };
}

const unitRows = timeline.processes.map(processRow);
const streamRows = timeline.streams.map(streamRow);
const rows = [pathRow(), ...unitRows, arrayRow(), ...streamRows].filter((row) => row !== null);
