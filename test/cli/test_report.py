# SPDX-License-Identifier: Apache-2.0
"""The page of trace --html, in a browser: what it shows is what the other commands say."""
import unittest

from harness import TILE
from report_case import LONG, STATES, ReportCase, ends, percent
from selenium.webdriver.common.by import By

CASES = [(["gemm_16x16x16"], 0), (["gemm_8x8x8", "--set", "memory.latency_cycles=20"], 0),
         (["relu_16x16", "--config", "qd8"], 1), (["gemm_8x8x8", "--set", "T=8"], 0)]
PE_ROW = 6  # the path and five units are above it


class Data(ReportCase):
    def test_data_are_what_the_other_commands_print(self):
        for args, code in CASES:
            data = self.page(args, code=code)
            run = self.ok_json("run", *args, code=code)
            self.assertEqual(data["run"], run)
            path = self.ok_json("path", *args, code=code)
            for stream in data["timeline"]["streams"]:  # none at or after the end
                self.assertTrue(all(at < max(data["run"]["cycles"], 1) for at in stream["at"]))
            self.assertEqual(data["timeline"]["path"]["causes"], path["causes"])
            self.assertEqual(data["timeline"]["path"]["instructions"], path["instructions"])
            if "memory.latency_cycles=20" not in args:  # work runs on an ideal memory only
                work = self.ok_json("work", *args, code=code)["programs"][0]
                self.assertEqual(data["work"], work)
            else:
                work = self.ok_json("work", args[0])["programs"][0]
                for key in ("bound", "at", "rounds", "estimate"):
                    self.assertEqual(data["work"][key], work[key])
            self.assertEqual(data["command"], "tpuvp trace " + " ".join(args) + " --html report.html")
            self.assertRegex(data["source"], r"^the baseline mapping, \d+ instructions$")

    def test_the_timeline_adds_up_to_the_counters(self):
        program = self.write("p.s", LONG)
        self.ok("asm", program, "-o", "long.json")
        for args, code in [*CASES, (["--program", "long.json"], 0)]:
            data = self.page(args, code=code)
            run, timeline = data["run"], data["timeline"]
            self.assertEqual(timeline["detailed"], "long.json" not in args)
            for p in timeline["processes"]:
                unit = run["array"][p["unit"]][0] if "[" in p["name"] else run["units"][p["unit"]]
                if timeline["detailed"]:
                    sums = [0, 0, 0, 0]
                    for begin, end, state in zip(p["from"], ends(p["from"], run["cycles"]),
                                                 p["state"]):
                        self.assertLess(begin, end)
                        sums[state] += end - begin
                    self.assertEqual(sums, [unit[s] for s in STATES], p["name"])
                else:
                    for state in STATES[1:]:
                        self.assertEqual(sum(p[state]), unit[state], p["name"])
            self.assertEqual(sum(timeline["macs"]), run["units"]["pe"]["done"])
            self.assertEqual(len(timeline["macs"]), -(-run["cycles"] // timeline["window"]))
            self.assertLessEqual(len(timeline["macs"]), 1024)
            path = timeline["path"]
            if timeline["detailed"]:
                sums = dict.fromkeys(path["causes"], 0)
                for begin, end, cause in zip(path["from"], ends(path["from"], run["cycles"]),
                                             path["cause"]):
                    sums[data["causes"][cause]["id"]] += end - begin
            else:
                sums = {cause: sum(of) for cause, of in path["windows"].items()}
            self.assertEqual(sums, path["causes"])
            for s in timeline["streams"]:
                self.assertLessEqual(s["most"], s["depth"])
                if timeline["detailed"]:
                    self.assertEqual(max(s["tokens"]), s["most"])
                    self.assertEqual(s["sum"], sum(
                        n * (end - begin) for begin, end, n in
                        zip(s["at"], ends(s["at"], run["cycles"]), s["tokens"])))
                    if run["completed"]:
                        self.assertEqual(s["tokens"][-1], 0)
                else:
                    self.assertEqual(max(s["mosts"]), s["most"])
                    self.assertEqual(sum(s["sums"]), s["sum"])

    def test_the_limit_is_that_of_the_critical_path(self):
        data = self.page(["gemm_16x16x16"])
        run, limit = data["run"], data["limit"]
        self.assertEqual(limit["unit"], run["critical_unit"])
        self.assertEqual(limit["cycles"], run["critical_path"][limit["unit"]])
        self.assertIn(f"dma_ld limits this run: on the critical path {limit['cycles']} cycles "
                      f"({percent(limit['cycles'], run['cycles'])}) of {run['cycles']}",
                      limit["sentence"])
        others = {u: n for u, n in run["critical_path"].items() if u != limit["unit"]}
        after = max(others, key=others.get)
        self.assertEqual((after, others[after]), ("accu", run["causes"]["accumulator"]))
        owners = [i for i in data["timeline"]["path"]["instructions"] if "accumulator" in i["causes"]]
        owner = max(owners, key=lambda i: i["causes"]["accumulator"])
        self.assertTrue(limit["more"][0].startswith(
            f"Next is accu, {others[after]} cycles ({percent(others[after], run['cycles'])}), all of "
            "them on accumulator ("), limit["more"][0])
        self.assertIn(f"[{owner['index']}] {owner['text']} owns {owner['causes']['accumulator']} of "
                      "them", limit["more"][0])
        busiest = max(run["units"], key=lambda u: run["units"][u]["busy"] / (
            16 if u in ("wld", "pe") else 1))
        self.assertIn(f"The busiest unit is {busiest}, in "
                      f"{percent(run['units'][busiest]['busy'], run['cycles'])}", limit["more"][1])
        self.assertIn("it waits for nothing", limit["more"][1])
        steady = self.page(["gemm_steady_64x64x64"])
        waits = steady["run"]["units"]["vru"]["waits"]
        self.assertEqual(max(waits["blocked"].values()), waits["blocked"]["acol"])
        self.assertIn(f"blocked for {waits['blocked']['acol']} cycles by acol",
                      steady["limit"]["more"][1])

    def test_same_bytes_and_in_a_directory_of_traces(self):
        self.ok("trace", "gemm_16x16x16", "--html", "a.html")
        self.ok("trace", "gemm_16x16x16", "-o", "out")
        self.ok("trace", "gemm_16x16x16", "-o", "again", "--html", "b.html")
        first = (self.dir / "a.html").read_bytes()
        for name in ("out/report.html", "b.html"):  # too long to be shown where they differ
            own = name.rpartition("/")[2].encode()  # in the command that makes it again
            bytes_as_a = (self.dir / name).read_bytes().replace(own, b"a.html")
            self.assertTrue(bytes_as_a == first, name)
        self.assertFalse((self.dir / "again/report.html").exists())
        self.assertLess(len(first), 400000)

    def test_bad_input(self):
        for path, says in (("/none/x.html", "/none/x.html"), ("/dev/full", "No space left")):
            self.refused("trace", "gemm_4x4x4", "--html", path, says=says)
        run = self.run_program("trace", "gemm_4x4x4", "--html", "x.html", "--limit", 100)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertFalse((self.dir / "x.html").exists()) # the accelerator was not started


class Shown(ReportCase):
    def test_what_one_must_see_is_seen_without_scrolling(self):
        data = self.page(["gemm_16x16x16"])
        run = data["run"]
        shown = {"#name": "gemm_16x16x16", "#verdict": "EXACT", "#cycles": str(run["cycles"]),
                 "#array": percent(run["array_utilization"]),
                 "#array-note": f"MACs done / (T*T*cycles) = 4096 / (4*4*{run['cycles']})",
                 "#limit-unit": "dma_ld", "#limit": data["limit"]["sentence"],
                 "#more": "\n".join(data["limit"]["more"])}
        for selector, text in shown.items():
            self.assertEqual(self.text(selector), text)
        for selector in [*shown, "#chart .row:nth-of-type(10)"]:
            bottom = self.browser.script(
                "return document.querySelector(arguments[0]).getBoundingClientRect().bottom", selector)
            self.assertLessEqual(bottom, 900, selector)
        self.assertEqual(self.browser.driver.title, "gemm_16x16x16: EXACT")

    def test_rows_and_one_axis(self):
        data = self.page(["gemm_16x16x16"])
        names = self.browser.script("""
            return [...document.querySelectorAll("#chart .row")].map((row) => row.textContent);""")
        expected = ["path", *(p["name"] for p in data["timeline"]["processes"]), "array",
                    *(s["name"] for s in data["timeline"]["streams"])]
        for name, label in zip(names, expected, strict=True):
            self.assertTrue(name.startswith(label), (name, label))
        for state in STATES[1:]:
            count = len(self.browser.driver.find_elements(By.CSS_SELECTOR, f"#chart .mark.{state}"))
            self.assertEqual(count, sum(p["state"].count(STATES.index(state))
                                        for p in data["timeline"]["processes"]), state)
        fills = self.browser.script("""
            return ["busy", "starved", "blocked"].map((s) =>
              getComputedStyle(document.querySelector("#chart .mark." + s)).fill);""")
        self.assertIn("pattern-starved", fills[1])
        self.assertIn("pattern-blocked", fills[2])
        self.assertNotIn("url", fills[0])
        for pattern in ("starved", "blocked"):  # told apart without colour, and drawn
            self.assertEqual(self.browser.script(
                "return document.getElementById('pattern-' + arguments[0]).tagName", pattern),
                "pattern")
        # Every mark stands where its cycles are, on the scale of all rows.
        dma_ld = data["timeline"]["processes"][1]
        boxes = self.browser.script("""
            const row = arguments[0], ground = row.querySelector(".ground").getBoundingClientRect();
            return [...row.querySelectorAll(".mark")].map((mark) => {
              const box = mark.getBoundingClientRect();
              return [(box.left - ground.left) / ground.width, box.width / ground.width];
            });""", self.row(2))
        drawn = [(begin, end) for begin, end, state in
                 zip(dma_ld["from"], ends(dma_ld["from"], data["run"]["cycles"]), dma_ld["state"])
                 if state != 0]
        for (left, width), (begin, end) in zip(boxes, drawn, strict=True):
            self.assertAlmostEqual(left * data["run"]["cycles"], begin, delta=1)
            self.assertAlmostEqual(width * data["run"]["cycles"], end - begin, delta=1)

    def test_tables_have_the_numbers(self):
        data = self.page(["gemm_16x16x16"])
        run, work, path = data["run"], data["work"], data["timeline"]["path"]
        self.assertEqual(
            [row[:1] + row[2:] for row in self.cells("unit-table")],
            [[name, percent(u["utilization"]), *(str(u[k]) for k in (
                "promised", "done", "busy", "starved", "blocked", "idle"))]
             for name, u in run["units"].items()])
        self.assertEqual(
            self.cells("work-table"),
            [[u["unit"] + " (most)" * u["at_bound"], *(str(u[k]) for k in (
                "instances", "promised", "done")), *(f"{u[k] / u['instances']:.1f}" for k in (
                    "promised", "busy"))] for u in work["units"]])
        note = self.text("#work-note")
        for text in (f"{work['bound']} cycles at least", "vru, accu", f"{work['over_bound']:.2f}",
                     f"{work['estimate']:.0f} cycles", f"takes {work['rounds']} rounds"):
            self.assertIn(text, note)
        self.assertEqual({row[0]: int(row[1]) for row in self.cells("path-unit-table")},
                         data["run"]["critical_path"])
        self.assertEqual({row[0]: int(row[2]) for row in self.cells("cause-table")},
                         {c["name"]: path["causes"][c["id"]] for c in data["causes"]
                          if path["causes"][c["id"]]})
        self.assertEqual([row[:2] for row in self.cells("instruction-table")],
                         [[f"[{i['index']}] {i['text']}", str(i["cycles"])]
                          for i in path["instructions"]])
        self.assertEqual({tuple(row[:4]) for row in self.cells("wait-table")},
                         {(name, state, on, str(n)) for name, u in run["units"].items()
                          for state in ("starved", "blocked") for on, n in u["waits"][state].items()})
        self.assertEqual([row[:4] for row in self.cells("stream-table")],
                         [[s["name"], str(s["depth"]), f"{s['sum'] / run['cycles']:.2f}",
                           str(s["most"])] for s in data["timeline"]["streams"]])
        config = dict(self.cells("config-table"))
        self.assertEqual(config["accelerator.QD"], str(run["config"]["accelerator"]["QD"]))
        self.assertEqual(config["timing"], run["config"]["timing"])
        self.assertEqual(self.text("#command"), data["command"])
        bars = self.browser.script("""
            return [...document.querySelectorAll(".bar")].map((bar) => [bar.getAttribute("aria-label"),
              ...[...bar.children].map((part) => part.style.width)]);""")
        for bar, u in zip(bars, run["units"].values(), strict=True):
            whole = sum(u[s] for s in STATES)
            order = ["busy", "starved", "blocked", "idle"]
            self.assertEqual(bar[0], ", ".join(f"{s} {percent(u[s], whole)}" for s in order))
            for width, state in zip(bar[1:], order, strict=True):
                self.assertAlmostEqual(float(width[:-1]), 100 * u[state] / whole, delta=0.01)
        course = self.cells("course-table")
        self.assertEqual(course[0][0].split()[0], "0")
        self.assertEqual(course[-1][0].split()[-1], str(run["cycles"]))

    def test_a_hang_is_told_as_run_tells_it(self):
        args = ["relu_16x16", "--config", "qd8"]
        data = self.page(args, code=1)
        told = self.ok("run", *args, code=1).split("processes wait; the circle:\n")[1]
        circle, waiting = told.split("  all that wait:\n")
        self.assertEqual(self.text("#verdict"), "DEADLOCK")
        self.assertEqual(self.text("#circle").splitlines(), [c.strip() for c in circle.splitlines()])
        self.assertEqual(self.text("#blocked").splitlines(), [w[2:] for w in waiting.splitlines()])
        self.assertEqual(self.text("#limit"), data["run"]["reason"])
        self.assertEqual(self.text("#array"), percent(data["run"]["units"]["pe"]["utilization"]))
        self.assertTrue(self.browser.driver.find_element(By.ID, "hang").is_displayed())
        self.page(["gemm_4x4x4"])
        self.assertFalse(self.browser.driver.find_element(By.ID, "hang").is_displayed())

    def test_a_program_with_an_odd_name(self):
        name = "a</script><b id=odd>&amp; 'x'.json"
        self.ok("asm", self.write("p.s", TILE), "-o", "p.json")
        (self.dir / name).parent.mkdir()
        (self.dir / "p.json").rename(self.dir / name)
        data = self.page(["--program", name])
        self.assertEqual(data["command"],
                         "tpuvp trace --program 'a</script><b id=odd>&amp; '\\''x'\\''.json' "
                         "--html report.html")
        self.assertRegex(data["source"], r"^program script><b id=odd>&amp; 'x'\.json, \d+ instructions$")
        self.assertIn(data["source"], self.text("#machine"))
        self.assertEqual(self.text("#command"), data["command"])
        self.assertEqual(self.browser.driver.find_elements(By.ID, "odd"), [])
        self.assertIn("mm vr=0 ar=0 acc=0 spad=0 rows=4", data["program"])

    def test_a_program_that_breaks_a_contract(self):
        self.ok("asm", self.write("p.s", TILE + "mvout ar=0 row=0 col=0 rows=4\n" * 2 +
                                  "dma_ld mode=A:vr row=0 col=0 dest=2000 rows=4\n"), "-o", "p.json")
        run = self.run_program("trace", "--program", "p.json", "--unchecked", "--html", "r.html")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.browser.open(self.dir / "r.html")
        self.assertIn("breaks a contract", self.text("#work-note"))
        self.assertEqual(self.browser.faults(), [])

    def test_a_long_run_is_shown_in_windows(self):
        self.ok("asm", self.write("p.s", LONG), "-o", "long.json")
        for args in ([], ["--set", "memory.latency_cycles=1000", "--set", "memory.outstanding=1"]):
            data = self.page(["--program", "long.json", *args])
            timeline = data["timeline"]
            self.assertFalse(timeline["detailed"])
            self.assertIn(f"shares of windows of {timeline['window']} cycles", self.text("#note"))
            self.assertLess((self.dir / "report.html").stat().st_size, 1000000)
            share = self.point(PE_ROW, 0.5)
            k = int(share * data["run"]["cycles"] / timeline["window"])
            begin, length = k * timeline["window"], timeline["window"]
            busy = timeline["processes"][5]["busy"][k]
            self.assertIn(f"pe[0][0], cycles {begin} to {begin + length} ({length}): busy "
                          f"{percent(busy, length)}", self.text("#readout"))
        self.page(["gemm_16x16x16"])
        self.assertNotIn("windows", self.text("#note"))


if __name__ == "__main__":
    unittest.main()
