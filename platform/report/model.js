// SPDX-License-Identifier: Apache-2.0
// The data of the page (docs/report.schema.json) and the words for them.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const run = data.run;
const timeline = data.timeline;
const cycles = run.cycles;
const states = ["idle", "busy", "starved", "blocked"];
const peCount = run.config.accelerator.T ** 2;

const element = (id) => document.getElementById(id);
const percent = (part, whole) => (whole === 0 ? "0.0" : ((100 * part) / whole).toFixed(1)) + " %";
const span = (from, to) => `cycles ${from} to ${to} (${to - from})`;
const windowCount = timeline.macs.length;
const windowEnd = (k) => Math.min((k + 1) * timeline.window, cycles);

// Two letters and a colour that takes dark text, for each cause.
const causeCodes = ["SU", "PF", "BS", "BA", "BB", "OR", "DI", "WL", "AR", "AC", "ST", "RW", "FI"];
const causeColours = ["#dddddd", "#c3b1e1", "#d9c2a0", "#ee8866", "#ffaabb", "#eedd88", "#c9a6e8",
  "#99ddff", "#77aadd", "#44bb99", "#bbcc33", "#f2b8a0", "#a9b4bf"];

// "[7] mm vr=0 ...; iv0=2 iv1=3"
function issueText(issue) {
  if (issue < 0) return "";
  const [index, ...loops] = timeline.issues[issue];
  const values = loops.map((value, k) => `iv${k}=${value}`).join(" ");
  return `[${index}] ${data.program[index]}` + (values === "" ? "" : `; ${values}`);
}

// The last k with list[k] <= value.
const lastUpTo = (list, value) => d3.bisectRight(list, value) - 1;
