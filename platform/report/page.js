// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

function head() {
  const config = run.config.accelerator;
  const t = config.T;
  document.title = `${run.name}: ${run.verdict}`;
  element("name").textContent = run.name;
  element("verdict").textContent = run.verdict;
  element("verdict").classList.toggle("good", run.verdict === "EXACT");
  element("machine").textContent = ["T", "MAXDIM", "QD", "DMA_WORDS"]
    .map((key) => `${key}=${config[key]}`).join(" ") + `; ${data.source}` +
    (run.extrapolated ? " (cycles are extrapolated: nothing was measured at this configuration)" : "");
  element("cycles").textContent = run.cycles;
  element("cycles-note").textContent = run.completed ? "of the accelerator, start to done"
    : "of the accelerator, start to where it stopped";
  element("array").textContent =
    percent(run.completed ? run.array_utilization : run.units.pe.utilization, 1);
  element("array-note").textContent =
    `MACs done / (T*T*cycles) = ${run.units.pe.done} / (${t}*${t}*${run.cycles})`;
  element("limit-unit").textContent = data.limit.unit ?? run.verdict;
  element("limit-note").textContent = data.limit.unit === null ? "it did not complete"
    : `${data.limit.cycles} cycles of the critical path, ${percent(data.limit.cycles, cycles)}`;
  element("limit").textContent = data.limit.sentence;
  for (const text of data.limit.more) {
    element("more").appendChild(document.createElement("li")).textContent = text;
  }
}

function hang() {
  if (run.deadlock === undefined) return;
  element("hang").hidden = false;
  for (const clause of run.deadlock.words) {
    element("circle").appendChild(document.createElement("li")).textContent = clause;
  }
  element("blocked").textContent = data.blocked.join("\n");
}

function legends() {
  const put = (list, text, style) => {
    const item = element(list).appendChild(document.createElement("li"));
    const sample = item.appendChild(document.createElement("i"));
    sample.setAttribute("aria-hidden", "true");
    style(sample);
    item.append(text);
  };
  for (const [state, text] of [["busy", "busy: it moves"],
    ["starved", "starved: waits for a token"],
    ["blocked", "blocked: waits for room or a response"], ["idle", "idle: before its start, after its end"]]) {
    put("legend", text, (sample) => sample.classList.add(state));
  }
  data.causes.forEach((cause, c) => {
    if (timeline.path.causes[cause.id] === 0) return;
    put("causes-legend", cause.name, (sample) => {
      sample.style.background = causeColours[c];
      sample.textContent = causeCodes[c];
    });
  });
}

function notes() {
  const kept = "Of the array the chart has wld[0][0] and pe[0][0], where words and rows enter: every " +
    "other instance takes the same instructions in the same order; how long it is busy or waits " +
    "differs (sums in the tables below). The strip 'array' is the share of all PEs that " +
    "multiply. Tokens of a stream are drawn against its depth.";
  const windows = timeline.detailed ? ""
    : ` The run has more than ${timeline.items} parts, so that the chart shows shares of windows of ` +
      `${timeline.window} cycles, not each part.`;
  element("note").textContent = kept + windows;
  element("readout").textContent = "Point at the chart, or Tab into it: here stands what happens there.";
  element("command").textContent = data.command;
}

head();
hang();
legends();
notes();
for (const table of [unitTable, workTable, pathTables, waitTable, streamTable, courseTable,
  configTable]) {
  table();
}
resize();
new ResizeObserver(() => {
  if (element("chart").clientWidth !== Number(svg.attr("width"))) resize();
}).observe(element("chart"));
