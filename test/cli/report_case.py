# SPDX-License-Identifier: Apache-2.0
"""What the tests of the page of trace --html share."""
import json
import re

from browser import Browser
from harness import SOURCE, Cli
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

STATES = ["idle", "busy", "starved", "blocked"]
LONG = (SOURCE / "bench/long.s").read_text(encoding="utf-8")


def percent(part, whole=1):
    return f"{100 * part / whole:.1f} %"


def ends(begins, end):
    return [*begins[1:], end]


class ReportCase(Cli):
    """Tests of the page, all in one browser."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

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
