# SPDX-License-Identifier: Apache-2.0
"""The page of trace --html, as it is used: by wheel, mouse and keys, in light and dark, at any width."""
import unittest

from report_case import STATES, ReportCase, ends
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Use(ReportCase):
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


class Everywhere(ReportCase):
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
