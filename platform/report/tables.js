// SPDX-License-Identifier: Apache-2.0
// What the chart shows, and what it does not, in tables.

// head and cells: text, a number, or a node.
function fill(id, caption, head, body) {
  const table = element(id);
  table.createCaption().textContent = caption;
  const line = table.createTHead().insertRow();
  const numeric = head.map((_, c) => body.length > 0 &&
    body.every((cells) => typeof cells[c] === "number" || /^[-+]?[\d.]+( %)?$|^-$/.test(cells[c])));
  const put = (cell, c, content) => {
    if (content instanceof Node) cell.append(content);
    else cell.textContent = content;
    if (numeric[c]) cell.className = "number";
    return cell;
  };
  head.forEach((text, c) => {
    put(line.appendChild(document.createElement("th")), c, text).scope = "col";
  });
  const rest = table.createTBody();
  for (const cells of body) {
    const row = rest.insertRow();
    cells.forEach((content, c) => {
      if (c > 0) put(row.insertCell(), c, content);
      else put(row.appendChild(document.createElement("th")), c, content).scope = "row";
    });
  }
}

function bar(unit) {
  const out = document.createElement("div");
  const all = states.reduce((sum, state) => sum + unit[state], 0);
  const shown = ["busy", "starved", "blocked", "idle"];
  out.className = "bar";
  out.setAttribute("role", "img");
  out.setAttribute("aria-label",
    shown.map((state) => `${state} ${percent(unit[state], all)}`).join(", "));
  for (const state of shown) {
    const part = document.createElement("span");
    part.className = state;
    part.style.width = `${(100 * unit[state]) / all}%`;
    out.append(part);
  }
  return out;
}

const units = Object.entries(run.units);

function unitTable() {
  fill("unit-table", "cycles by state, and work",
    ["unit", "busy, starved, blocked, idle", "utilization", "promised", "done", "busy", "starved",
      "blocked", "idle"],
    units.map(([name, unit]) => [name, bar(unit), percent(unit.utilization, 1), unit.promised,
      unit.done, unit.busy, unit.starved, unit.blocked, unit.idle]));
}

function workTable() {
  const work = data.work;
  if (work === null) {
    element("work-note").textContent = "The program breaks a contract: its work is not counted.";
    return;
  }
  const simulated = work.over_bound === null ? `${work.cycles} to where it stopped`
    : `${work.cycles}, ${work.over_bound.toFixed(2)} times that`;
  element("work-note").textContent =
    `Counted from the program: ${work.bound} cycles at least, the largest count of a unit ` +
    `(${work.at.join(", ")}). Simulated: ${simulated}. Estimate: ${work.estimate.toFixed(0)} cycles` +
    (work.estimate_error_pct === null ? ""
      : `, ${d3.format("+.1f")(work.estimate_error_pct)} % off the simulated`) +
    `. The Kahn process network, which knows no time, takes ${work.rounds} rounds.`;
  fill("work-table", "an instance does at most one item of work a cycle",
    ["unit", "instances", "work counted", "work done", "counted per instance",
      "busy per instance, simulated"],
    work.units.map((unit) => [unit.unit + (unit.at_bound ? " (most)" : ""), unit.instances,
      unit.promised, unit.done, (unit.promised / unit.instances).toFixed(1),
      (unit.busy / unit.instances).toFixed(1)]));
}

function pathTables() {
  const path = timeline.path;
  fill("path-unit-table", "by unit, start-up and finish left out", ["unit", "cycles", "of run"],
    Object.entries(run.critical_path).map(([name, n]) => [name, n, percent(n, cycles)]));
  fill("cause-table", "by cause",
    ["cause", "code", "cycles", "of run", "what it is"],
    data.causes.map((cause, c) => [cause, causeCodes[c], path.causes[cause.id]])
      .filter(([, , n]) => n !== 0)
      .map(([cause, code, n]) => [cause.name, code, n, percent(n, cycles), cause.text]));
  const names = Object.fromEntries(data.causes.map((cause) => [cause.id, cause.name]));
  fill("instruction-table", "by instruction, in the order of the program",
    ["instruction", "cycles", "of run", "causes"],
    path.instructions.map((one) => [`[${one.index}] ${one.text}`, one.cycles,
      percent(one.cycles, cycles),
      Object.entries(one.causes).sort((a, b) => b[1] - a[1])
        .map(([id, n]) => `${names[id]} ${n}`).join(", ")]));
}

function waitTable() {
  const texts = Object.fromEntries(data.waits.map((wait) => [wait.name, wait.text]));
  fill("wait-table", "starved: for a token; blocked: for room or a response",
    ["unit", "state", "waits for", "cycles", "what it carries"],
    units.flatMap(([name, unit]) => ["starved", "blocked"].flatMap((state) =>
      Object.entries(unit.waits[state]).sort((a, b) => b[1] - a[1])
        .map(([on, n]) => [name, state, on, n, texts[on]]))));
}

function streamTable() {
  fill("stream-table", "tokens held",
    ["stream", "depth", "mean", "most", "what it carries"],
    timeline.streams.map((s) => [s.name, s.depth, (s.sum / cycles).toFixed(2), s.most, s.carries]));
}

// The run in at most twelve equal parts.
function courseTable() {
  const parts = Math.max(1, Math.min(12, windowCount));
  const each = Math.ceil(windowCount / parts) * timeline.window;
  const edges = d3.range(0, cycles, each).concat([cycles]);
  const array = rows.find((row) => row.kind === "array");
  fill("course-table", "busy share of each unit (of wld and pe the first instance), array " +
      "utilization, mean tokens in each stream",
    ["cycles", ...unitRows.map((row) => row.name), "array", ...streamRows.map((row) => row.name)],
    edges.slice(1).map((to, k) => {
      const from = edges[k];
      return [`${from} to ${to}`,
        ...unitRows.map((row) => percent(row.share(1, from, to), to - from)),
        percent(array.until(to) - array.until(from), peCount * (to - from)),
        ...streamRows.map((row) => row.mean(from, to).toFixed(1))];
    }));
}

function configTable() {
  const flat = (value, key) => (typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([k, v]) => flat(v, key === "" ? k : `${key}.${k}`))
    : [[key, String(value)]]);
  fill("config-table", "as run", ["key", "value"], flat(run.config, ""));
}
