# SPDX-License-Identifier: Apache-2.0
"""trace: files that other tools read, and that add up to the counters of the run."""
import csv
import json
import os
import re
import subprocess
import unittest

from harness import PROGRAM, SOURCE, TILE, Cli

STATES = ["idle", "busy", "starved", "blocked"]  # as the dump encodes them
SUMMED = ["busy", "starved", "blocked", "idle"]
CASES = [(["gemm_16x16x16"], 0), (["gemm_8x8x8", "--set", "memory.latency_cycles=20"], 0),
         (["relu_16x16", "--config", "qd8"], 1), (["gemm_8x8x8", "--set", "T=8"], 0)]


def read_dump(text):
    """Of each process, the cycles in each state; of each stream, the tokens it held last and most.

    Reads what GTKWave's fst2vcd prints, from what its vcd2fst understood of the file.
    """
    scopes, variables, values, since = [], {}, {}, {}
    cycles, most, now = {}, {}, 0
    lines = iter(text.splitlines())
    for line in lines:
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            variables[words[3]] = (scopes[-1], words[4])
        elif line.startswith("$enddefinitions"):
            break

    def settle(identifier):
        scope, name = variables[identifier]
        if name == "state" and identifier in values:
            of = cycles.setdefault(scope, dict.fromkeys(STATES, 0))
            of[STATES[int(values[identifier], 2)]] += now - since[identifier]

    for line in lines:
        if line.startswith("#"):
            assert int(line[1:]) >= now, line
            now = int(line[1:])
        elif line.startswith("b") or line[:1] in "01x":
            value, identifier = line[1:].split() if line[0] == "b" else (line[0], line[1:])
            settle(identifier)
            values[identifier], since[identifier] = value, now
            scope, name = variables[identifier]
            if scope == "streams":
                most[name] = max(most.get(name, 0), int(value, 2))
    for identifier in variables:
        settle(identifier)
    last = {name: int(values[i], 2) for i, (s, name) in variables.items() if s == "streams"}
    return cycles, most, last, now


class Trace(Cli):
    def trace(self, args, *more, code=0):
        document = self.ok_json("trace", *args, "-o", "out", *more, code=code)
        return self.valid(document, "trace")

    def windows(self, name="out/windows.csv"):
        with (self.dir / name).open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [{k: v if k == "unit" else int(v) for k, v in row.items()} for row in rows]

    def dump(self, name="out/trace.vcd"):
        subprocess.run(["vcd2fst", name, "t.fst"], cwd=self.dir, check=True, capture_output=True)
        shown = subprocess.run(["fst2vcd", "t.fst"], cwd=self.dir, check=True, capture_output=True)
        return read_dump(shown.stdout.decode("utf-8"))

    def test_the_counters_are_those_of_run(self):
        for args, code in CASES:
            run = self.ok_json("run", *args, code=code)
            traced = self.trace(args, code=code)
            self.assertEqual(traced["units"], run["units"], args)
            for key in ("name", "verdict", "reason", "completed", "cycles", "extrapolated",
                        "config"):
                self.assertEqual(traced[key], run[key], args)

    def test_the_windows_sum_to_the_counters(self):
        for args, code in CASES:
            for window in (1, 7, 100, 1000000):
                document = self.trace(args, "--window", window, code=code)
                rows = self.windows()
                units = list(document["units"])
                self.assertEqual([r["unit"] for r in rows], units * (len(rows) // len(units)))
                self.assertEqual(len(rows) // len(units), -(-document["cycles"] // window))
                t = document["config"]["accelerator"]["T"]
                sums = {u: dict.fromkeys([*SUMMED, "macs"], 0) for u in units}
                for k, row in enumerate(rows):
                    first = k // len(units) * window
                    self.assertEqual((row["from"], row["to"]),
                                     (first, min(first + window, document["cycles"])))
                    instances = t * t if row["unit"] in ("wld", "pe") else 1
                    self.assertEqual(sum(row[s] for s in SUMMED),
                                     (row["to"] - row["from"]) * instances)
                    for key in sums[row["unit"]]:
                        self.assertGreaterEqual(row[key], 0)
                        sums[row["unit"]][key] += row[key]
                for name, unit in document["units"].items():
                    macs = unit["done"] if name == "pe" else 0
                    self.assertEqual(sums[name], {s: unit[s] for s in SUMMED} | {"macs": macs})

    def test_another_tool_reads_the_dump_as_the_windows_are(self):
        for args, code in CASES:
            document = self.trace(args, code=code)
            processes, most, last, end = self.dump()
            self.assertEqual(end, document["cycles"])
            units = {}
            for name, cycles in processes.items():
                unit = units.setdefault(re.sub(r"_\d+_\d+$", "", name), dict.fromkeys(SUMMED, 0))
                for state in SUMMED:
                    unit[state] += cycles[state]
            sums = {name: dict.fromkeys(SUMMED, 0) for name in document["units"]}
            for row in self.windows():
                for state in SUMMED:
                    sums[row["unit"]][state] += row[state]
            self.assertEqual(units, sums)
            depth = document["config"]["accelerator"]["QD"]
            self.assertEqual(len(most), 12)
            self.assertLessEqual(max(most.values()), depth)
            if document["completed"]:
                self.assertEqual(set(last.values()), {0})
            else:
                self.assertEqual(last["c_acc"], depth)
            run = self.ok_json("run", *args, code=code)
            for name in ("wld", "pe"):
                for instance in run["array"][name]:
                    scope = instance["name"].replace("[", "_").replace("]", "")
                    self.assertEqual(processes[scope], {s: instance[s] for s in STATES})

    def test_trace_events(self):
        for args, code in CASES:
            document = self.trace(args, code=code)
            run = self.ok_json("run", *args, code=code)
            events = self.valid(json.loads((self.dir / "out/trace.json").read_text()), "perfetto")
            names, open_slices, at, busy, waits = {}, {}, {}, {}, {}
            for event in events["traceEvents"]:
                if event["ph"] == "M" and event["name"] == "thread_name":
                    names[event["tid"]] = event["args"]["name"]
                if event["ph"] not in "BEX":
                    continue
                track = event["tid"]
                self.assertGreaterEqual(event["ts"], at.get(track, 0), event)  # sorted, disjoint
                at[track] = event["ts"]
                if event["ph"] == "B":
                    self.assertIsNone(open_slices.get(track), event)
                    open_slices[track] = {"ts": event["ts"], "waits": 0}
                elif event["ph"] == "E":
                    slice_ = open_slices.pop(track)
                    own = event["ts"] - slice_["ts"] - slice_["waits"]
                    self.assertEqual(event["args"]["busy"], own)
                    busy[track] = busy.get(track, 0) + own
                else:
                    at[track] += event["dur"]
                    if track in open_slices:
                        open_slices[track]["waits"] += event["dur"]
                    key = track, *event["name"].split()
                    waits[key] = waits.get(key, 0) + event["dur"]
            self.assertEqual(open_slices, {})
            self.assertEqual(list(names.values()), ["sequencer", "dma_ld", "spm", "vru",
                                                    "wld[0][0]", "pe[0][0]", "accu", "dma_st"])
            for track, name in names.items():
                unit = document["units"].get(name)
                if unit is None:
                    unit = run["array"][name[:-6]][0]
                self.assertEqual(busy.get(track, 0), unit["busy"], name)
                for state in ("starved", "blocked"):
                    on = {k[2]: v for k, v in waits.items() if k[:2] == (track, state)}
                    self.assertEqual(sum(on.values()), unit[state], name)
                    self.assertEqual(unit.get("waits", {state: on})[state], on)

    def test_slices_are_named_by_the_disassembly(self):
        self.ok("asm", self.write("p.s", TILE), "-o", "p.json")
        self.ok("trace", "--program", "p.json", "--perfetto", "t.json")
        events = json.loads((self.dir / "t.json").read_text())["traceEvents"]
        named = {e["name"] for e in events if e.get("cat") == "instruction"}
        lines = [f"[{k}] {' '.join(line.split())}" for k, line in enumerate(TILE.splitlines())
                 if line.strip()]
        for name in named:
            self.assertRegex(name, r"^\[\d+\] \w+")
        self.assertEqual({n.split()[1] for n in named}, {n.split()[1] for n in lines})

    def test_bytes_do_not_depend_on_the_run(self):
        self.trace(["gemm_16x16x16"])
        first = {f.name: f.read_bytes() for f in (self.dir / "out").iterdir()}
        self.assertEqual(set(first), {"trace.vcd", "trace.json", "windows.csv", "report.html"})
        self.trace(["gemm_16x16x16"], "--seed", 7)
        for name in set(first) - {"report.html"}:  # which names the seed
            self.assertTrue((self.dir / "out" / name).read_bytes() == first[name], name)

    def gantt(self, locale, *args):
        environment = dict(os.environ, LC_ALL=locale)
        return subprocess.run([PROGRAM, "trace", *args], cwd=self.dir, env=environment, check=True,
                              capture_output=True).stdout.decode("utf-8")

    def test_gantt(self):
        plain = self.gantt("C", "gemm_16x16x16")
        blocks = self.gantt("C.UTF-8", "gemm_16x16x16", "--gantt")
        self.assertTrue(plain.isascii())
        self.assertFalse(blocks.isascii())
        marks = str.maketrans("\u2588\u2592\u2591", "#x.")
        self.assertEqual(blocks.translate(marks), plain)
        chart = plain.split("\n\n")[1].splitlines()
        self.assertLessEqual(max(len(line) for line in chart[:8]), 80)
        units = self.ok_json("run", "gemm_16x16x16")["units"]
        self.assertEqual([line.split()[0] for line in chart[:8]], list(units))
        self.assertIn("a column is 16 cycles", chart[8])
        for line, unit in zip(chart, units.values()):
            share = 100 * unit["busy"] / sum(unit[s] for s in SUMMED)
            self.assertAlmostEqual(float(line.split()[-1]), share, delta=0.06)
        self.assertTrue(chart[1].split()[1].startswith("##"))  # dma_ld bursts

    def test_bad_input(self):
        table = [([], ["SPEC"]), (["none"], ["none"]),
                 (["gemm_4x4x4", "--vcd", "/none/x.vcd"], ["/none/x.vcd"]),
                 (["gemm_4x4x4", "--csv", "x.csv", "--window", "0"], ["--window", "1..4294967295"]),
                 (["gemm_4x4x4", "--window", "5"], ["--window", "--csv"]),
                 (["gemm_4x4x4", "--gantt", "--json"], ["--gantt", "--json"]),
                 (["gemm_4x4x4", "-o", "/none/x"], ["/none/x"])]
        for args, says in table:
            self.refused("trace", *args, says=says)
        self.refused("trace", "gemm_4x4x4", "--vcd", "/dev/full",
                     says=["/dev/full", "No space left on device"])

    def test_a_spec_that_cannot_run_has_no_trace(self):
        document = self.trace(["gemm_16x16x16", "--set", "MAXDIM=8", "--set", "T=4"], code=1)
        self.assertEqual(document["units"], {})
        self.assertEqual(document["files"], {"vcd": None, "perfetto": None, "csv": None, "html": None})
        self.assertFalse((self.dir / "out").exists())
        run = self.run_program("trace", "gemm_16x16x16", "--set", "MAXDIM=8", "--vcd", "x.vcd")
        self.assertIn(b"no file is written", run.stdout)
        self.assertFalse((self.dir / "x.vcd").exists())

    def test_a_run_that_ends_before_the_start_has_no_trace(self):
        document = self.trace(["gemm_4x4x4", "--limit", 100], code=1)
        self.assertEqual(document["verdict"], "FAULT")
        self.assertIn("--limit allows more", document["reason"])
        self.assertEqual(document["units"], {})
        self.assertEqual(set(document["files"].values()), {None})
        self.assertEqual(list((self.dir / "out").iterdir()), [])
        run = self.run_program("trace", "gemm_4x4x4", "--limit", 100, "--vcd", "/dev/null")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(b"FAULT - still running", run.stdout)
        self.assertIn(b"no file is written: the accelerator did not come to an end", run.stdout)

    def test_an_illegal_program_has_a_trace_where_it_is_let_run(self):
        (self.dir / "p.s").write_text("mm vr=0 ar=0 acc=0 spad=60 rows=4\n", encoding="utf-8")
        self.ok("asm", "p.s", "-o", "p.json")
        run = self.run_program("trace", "--program", "p.json", "--vcd", "p.vcd")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(b"the accelerator did not run; --unchecked lets it", run.stdout)
        self.assertFalse((self.dir / "p.vcd").exists())

    def test_a_run_that_ends_after_the_accelerator_has_its_trace(self):
        limit = 110000 # the accelerator is done, the core still compares
        document = self.trace(["gemm_4x4x4", "--limit", limit], code=1)
        self.assertEqual(document["verdict"], "FAULT")
        self.assertIn("--limit allows more", document["reason"])
        whole = self.trace(["gemm_4x4x4"])
        self.assertEqual(document["units"], whole["units"])
        self.assertNotIn(None, document["files"].values())


if __name__ == "__main__":
    unittest.main()
