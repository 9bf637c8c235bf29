# SPDX-License-Identifier: Apache-2.0
"""The page of trace --html, in a browser: what it shows is what the other commands say."""
import json
import re
import unittest

from browser import Browser
from harness import SOURCE, TILE, Cli
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

STATES = ["idle", "busy", "starved", "blocked"]
CASES = [(["gemm_16x16x16"], 0), (["gemm_8x8x8", "--set", "memory.latency_cycles=20"], 0),
         (["relu_16x16", "--config", "qd8"], 1), (["gemm_8x8x8", "--set", "T=8"], 0)]
LONG = (SOURCE / "bench/long.s").read_text(encoding="utf-8")
PE_ROW = 6  # path, six units before it


def setUpModule():
    Report.browser = Browser()


def tearDownModule():
    Report.browser.close()


def percent(part, whole=1):
    return f"{100 * part / whole:.1f} %"


def ends(begins, end):
    return [*begins[1:], end]


class Report(Cli):
    browser = None

    def page(self, args, code=0, name="report.html", **how):
        """Writes the page, opens it, and returns its data, which the schema describes."""
        self.ok("trace", *args, "--html", name, code=code)
        path = self.dir / name
        self.browser.open(path, **how)
        self.browser.until("return document.querySelectorAll('.mark').length > 0")
        self.assertEqual(self.browser.faults(), [])
        source = re.search(r'<script type="application/json" id="data">(.*?)</script>',
                           path.read_text(encoding="utf-8"), re.S).group(1)
        return self.valid(json.loads(source), "report")

    def text(self, selector):
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector).text

    def cells(self, table):
        return self.browser.script("""
            return [...document.getElementById(arguments[0]).tBodies[0].rows]
              .map((row) => [...row.cells].map((cell) => cell.textContent));""", table)

    def domain(self):
        return self.browser.script("""
            const of = document.getElementById("chart").dataset;
            return [Number(of.lo), Number(of.hi)];""")

    def row(self, k):
        return self.browser.driver.find_elements(By.CSS_SELECTOR, "#chart .row")[k]

    def press(self, *keys):
        ActionChains(self.browser.driver).send_keys(*keys).perform()

    def focus(self, k):
        self.browser.script("arguments[0].focus()", self.row(k))

    def point(self, k, share):
        """The mouse, over row k, so far from cycle 0 to the last one."""
        box = self.browser.script("""
            const b = arguments[0].querySelector(".ground").getBoundingClientRect();
            return [b.left, b.top, b.width, b.height];""", self.row(k))
        x, y = int(box[0] + share * box[2]), int(box[1] + box[3] / 2)
        actions = ActionChains(self.browser.driver)
        actions.w3c_actions.pointer_action.move_to_location(x, y)
        actions.perform()
        return (x - box[0]) / box[2]

    # --- the data --------------------------------------------------------------------------------

    def test_data_are_what_the_other_commands_print(self):
        for args, code in CASES:
            data = self.page(args, code=code)
            run = self.ok_json("run", *args, code=code)
            self.assertEqual(data["run"], run)
            path = self.ok_json("path", *args, code=code)
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
        inside = {k: v for k, v in run["causes"].items() if k not in ("start_up", "finish")}
        cause = max(inside, key=inside.get)
        self.assertEqual(cause, "accumulator")
        owners = [i for i in data["timeline"]["path"]["instructions"] if cause in i["causes"]]
        owner = max(owners, key=lambda i: i["causes"][cause])
        self.assertIn(f"{inside[cause]} cycles ({percent(inside[cause], run['cycles'])}); "
                      f"[{owner['index']}] {owner['text']} owns {owner['causes'][cause]} of them",
                      limit["more"][0])
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
        self.assertEqual((self.dir / "out/report.html").read_bytes(), first)
        self.assertEqual((self.dir / "b.html").read_bytes(), first)
        self.assertFalse((self.dir / "again/report.html").exists())
        self.assertLess(len(first), 400000)

    def test_bad_input(self):
        for path, says in (("/none/x.html", "/none/x.html"), ("/dev/full", "No space left")):
            self.refused("trace", "gemm_4x4x4", "--html", path, says=says)
        self.refused("trace", "gemm_4x4x4", "--html", "x.html", "--limit", 100,
                     says="the accelerator was not started")

    # --- what is shown ---------------------------------------------------------------------------

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

    # --- zoom, hover, focus ----------------------------------------------------------------------

    def test_zoom(self):
        whole = [0, self.page(["gemm_16x16x16"])["run"]["cycles"]]
        driver = self.browser.driver
        self.assertEqual(self.domain(), whole)

        def click(name):
            driver.find_element(By.ID, name).click()

        def check(zoomed):
            lo, hi = self.domain()
            self.assertEqual(self.text("#domain"), f"cycles {lo} to {hi} of {whole[1]}")
            self.assertEqual(hi - lo < whole[1], zoomed)
            ticks = self.browser.script("""
                return [...document.querySelectorAll("#chart .axis text")].map((t) => t.textContent)
                  .filter((t) => t !== "").map(Number);""")
            self.assertTrue(all(lo <= t <= hi for t in ticks), ticks)
            return lo, hi

        for grow, shrink, later, back in (
                (lambda: click("zoom-in"), lambda: click("zoom-out"), lambda: click("pan-right"),
                 lambda: click("reset")),
                (lambda: self.press("+"), lambda: self.press("-"),
                 lambda: self.press(Keys.ARROW_RIGHT), lambda: self.press("0")),
                (lambda: self.press("="), lambda: self.press("-"),
                 lambda: self.press(Keys.ARROW_RIGHT), lambda: self.press(Keys.HOME))):
            self.focus(0)
            grow()
            grow()
            lo, hi = check(True)
            self.assertAlmostEqual(hi - lo, whole[1] / 4, delta=1)
            later()
            self.assertGreater(self.domain()[0], lo)
            shrink()
            self.assertAlmostEqual(self.domain()[1] - self.domain()[0], whole[1] / 2, delta=1)
            for _ in range(12):
                grow()
            lo, hi = check(True)
            self.assertEqual(hi - lo, 8)
            back()
            self.assertEqual(list(check(False)), whole)
            shrink()
            self.assertEqual(self.domain(), whole)

        chart = driver.find_element(By.CSS_SELECTOR, "#chart svg")
        ActionChains(driver).scroll_from_origin(ScrollOrigin.from_element(chart), 0, -500).perform()
        self.browser.until(f"return Number(document.getElementById('chart').dataset.hi) < {whole[1]}")
        lo, hi = check(True)
        self.assertLess(lo, whole[1] / 2)
        self.assertGreater(hi, whole[1] / 2)
        ActionChains(driver).drag_and_drop_by_offset(chart, 100, 0).perform()
        self.browser.until(f"return Number(document.getElementById('chart').dataset.lo) < {lo}")
        click("reset")
        self.assertEqual(list(check(False)), whole)

    def expected(self, data, k, index):
        """What the page says of a segment of a process."""
        p = data["timeline"]["processes"][k]
        begin = p["from"][index]
        end = ends(p["from"], data["run"]["cycles"])[index]
        text = f"{p['name']}, cycles {begin} to {end} ({end - begin}): {STATES[p['state'][index]]}"
        if p["on"][index] >= 0:
            wait = data["waits"][p["on"][index]]
            text += f", waits for {wait['name']} ({wait['text']})"
        if p["issue"][index] >= 0:
            number, *loops = data["timeline"]["issues"][p["issue"][index]]
            text += f"; [{number}] {data['program'][number]}"
            if loops:
                text += "; " + " ".join(f"iv{d}={v}" for d, v in enumerate(loops))
        return text

    def test_hover(self):
        data = self.page(["gemm_16x16x16"])
        cycles = data["run"]["cycles"]
        for k in range(8):
            for share in (0.02, 0.3, 0.55, 0.7, 0.97):
                at = self.point(k + 1, share) * cycles
                begins = data["timeline"]["processes"][k]["from"]
                index = max(i for i, begin in enumerate(begins) if begin <= at)
                self.assertEqual(self.text("#readout"), self.expected(data, k, index))
        path = data["timeline"]["path"]
        at = self.point(0, 0.6) * cycles
        index = max(i for i, begin in enumerate(path["from"]) if begin <= at)
        cause = data["causes"][path["cause"][index]]
        begin, end = path["from"][index], ends(path["from"], cycles)[index]
        self.assertTrue(self.text("#readout").startswith(
            f"critical path, cycles {begin} to {end} ({end - begin}): {cause['name']} "
            f"({cause['text']}), in {path['process'][index]}; [9] mm "), self.text("#readout"))
        stream = data["timeline"]["streams"][1]
        at = self.point(11, 0.4) * cycles
        index = max(i for i, begin in enumerate(stream["at"]) if begin <= at)
        self.assertIn(f"c_spm ({stream['carries']})", self.text("#readout"))
        self.assertIn(f"{stream['tokens'][index]} of 16 tokens", self.text("#readout"))
        at = int(self.point(9, 0.7) * cycles)
        self.assertIn(f"{data['timeline']['macs'][at]} MACs", self.text("#readout"))

    def test_focus(self):
        data = self.page(["gemm_16x16x16"])
        self.focus(3)
        count = len(data["timeline"]["processes"][2]["from"])
        for index in range(count):
            self.assertEqual(self.text("#readout"), self.expected(data, 2, index))
            self.press("n")
        self.assertEqual(self.text("#readout"), self.expected(data, 2, count - 1))
        self.press("p", "p")
        self.assertEqual(self.text("#readout"), self.expected(data, 2, count - 3))
        self.press(Keys.ENTER)
        begin, end = data["timeline"]["processes"][2]["from"][count - 3:count - 1]
        lo, hi = self.domain()
        self.assertTrue(lo <= begin and end <= hi, (lo, begin, end, hi))
        self.assertLess(hi - lo, data["run"]["cycles"] / 4)
        for _ in range(count):  # what is chosen is kept in view
            self.press("p")
        self.assertEqual(self.domain()[0], 0)
        self.press(Keys.ARROW_DOWN)
        self.assertTrue(self.text("#readout").startswith("vru, "))
        self.press(Keys.ARROW_UP, Keys.ARROW_UP)
        self.assertTrue(self.text("#readout").startswith("dma_ld, "))

    def test_tab_reaches_everything_and_is_seen(self):
        self.page(["gemm_16x16x16"])
        wanted = self.browser.script("""
            return [...document.querySelectorAll("a[href], button, [tabindex='0']")]
              .filter((one) => one.getClientRects().length > 0).length""")
        seen = []
        for _ in range(wanted):
            self.press(Keys.TAB)
            seen.append(self.browser.script("""
                const at = document.activeElement, style = getComputedStyle(at);
                const frame = at.querySelector(".frame");
                return [at.id || at.getAttribute("aria-label") || at.className ||
                          at.getAttribute("aria-labelledby"),
                        frame === null ? style.outlineStyle !== "none" && style.outlineWidth !== "0px"
                                       : getComputedStyle(frame).stroke !== "none",
                        (at.getAttribute("aria-label") || at.getAttribute("aria-labelledby") ||
                         at.textContent).trim() !== ""];"""))
        for who, visible, named in seen:
            self.assertTrue(visible and named, who)
        self.assertEqual(sum(" parts" in who for who, _, _ in seen), 22)
        self.assertTrue({"zoom-in", "zoom-out", "pan-left", "pan-right", "reset", "command"} <=
                        {who for who, _, _ in seen})
        roles = self.browser.script("""
            return [document.getElementById("chart").getAttribute("role"),
                    document.getElementById("tools").getAttribute("role"),
                    document.getElementById("readout").getAttribute("aria-live"),
                    document.documentElement.lang,
                    document.querySelectorAll("table").length ===
                      document.querySelectorAll("table caption").length]""")
        self.assertEqual(roles, ["group", "toolbar", "polite", "en", True])

    # --- everywhere ------------------------------------------------------------------------------

    def test_it_loads_nothing(self):
        self.page(["gemm_16x16x16"])
        self.assertEqual(self.browser.script(
            "return performance.getEntriesByType('resource').map((e) => e.name)"), [])
        self.assertEqual(self.browser.script("""
            return [...document.querySelectorAll("[src], link[href]")]
              .map((e) => e.getAttribute("src") || e.getAttribute("href"))"""), ["data:,"])
        source = (self.dir / "report.html").read_text(encoding="utf-8")
        self.assertNotRegex(source, r"@import|\burl\((?!#)")
        self.assertIn("BSD-3-Clause", source)
        self.assertIn("Michael Bostock", source)

    def test_it_can_be_read_in_light_and_dark_wide_and_narrow(self):
        for args, code in ((["gemm_16x16x16"], 0), (["relu_16x16", "--config", "qd8"], 1)):
            for width in (400, 1600):
                grounds = set()
                for theme in ("light", "dark"):
                    self.page(args, code=code, width=width, theme=theme)
                    for contrast, text in self.browser.contrasts():
                        self.assertGreaterEqual(contrast, 4.5, (theme, width, text))
                    self.assertGreater(len(self.browser.contrasts()), 200)
                    self.assertLessEqual(self.browser.script(
                        "return document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.browser.script("return window.innerWidth"), width)
                    grounds.add(self.browser.script(
                        "return getComputedStyle(document.body).backgroundColor"))
                    left = self.browser.script("""
                        return Math.min(...[...document.querySelectorAll("#chart .row > text")]
                          .map((text) => text.getBoundingClientRect().left));""")
                    self.assertGreaterEqual(left, 0)
                self.assertEqual(len(grounds), 2)

    def test_it_follows_the_width_of_the_window(self):
        self.page(["gemm_16x16x16"])
        self.browser.command("Emulation.setDeviceMetricsOverride", width=500, height=900,
                             deviceScaleFactor=1, mobile=False)
        self.browser.until("return Number(document.querySelector('#chart svg').getAttribute('width'))"
                           " < 500")
        self.assertEqual(self.domain()[0], 0)


if __name__ == "__main__":
    unittest.main()
