# SPDX-License-Identifier: Apache-2.0
"""A browser without a window, for pages that the program writes."""
import os
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

WAIT = 60  # seconds until a condition that never holds is a failure

# Of each piece of text that is shown, the contrast with what it stands on, and the text. Of text in
# the drawing what it stands on is what is painted below its middle.
CONTRASTS = """
const channels = (color) => (color.match(/[\\d.]+/g) || []).map(Number);
const luminance = (c) => {
  const [r, g, b] = c.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const solid = (color) => {
  const c = channels(color);
  return c.length >= 3 && (c.length < 4 || c[3] === 1) ? c : null;
};
const behind = (node) => {
  for (let at = node; at !== null; at = at.parentElement) {
    const c = solid(getComputedStyle(at).backgroundColor);
    if (c !== null) return c;
  }
  return [255, 255, 255];
};
const under = (text) => {
  const box = text.getBoundingClientRect();
  const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  const rect = [...text.ownerSVGElement.querySelectorAll("rect.mark, rect.ground")].reverse()
    .find((one) => {
      const b = one.getBoundingClientRect();
      return x >= b.left && x < b.right && y >= b.top && y < b.bottom;
    });
  return rect === undefined ? behind(text) : solid(getComputedStyle(rect).fill);
};
const out = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode.parentElement;
  const text = walk.currentNode.data.trim();
  const drawn = node.closest("svg") !== null;
  if (text === "" || node.getClientRects().length === 0 || node.closest("script, noscript")) continue;
  const style = getComputedStyle(node);
  const front = luminance(solid(drawn ? style.fill : style.color));
  const back = luminance(drawn ? under(node) : behind(node));
  out.push([(Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05), text]);
}
return out;
"""


class Browser:
    """Chromium with a profile of its own, which goes with it."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--hide-scrollbars", f"--user-data-dir={self.profile.name}/data"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        environment = dict(os.environ, HOME=self.profile.name, XDG_CONFIG_HOME=self.profile.name)
        service = Service("/usr/bin/chromedriver", env=environment)
        self.driver = webdriver.Chrome(service=service, options=options)
        self.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.faults = [];
            window.addEventListener("error", (e) => window.faults.push(String(e.message)));""")

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def open(self, path, width=1600, height=900, theme="light"):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": theme}])
        self.driver.get(path.as_uri())
        self.until("return document.readyState === 'complete'")

    def until(self, condition):
        """What the script returns, once that is true."""
        return WebDriverWait(self.driver, WAIT, 0.02).until(lambda _: self.script(condition))

    def faults(self):
        """What went wrong in the page: exceptions, and what the console has."""
        return self.script("return window.faults") + \
            [entry["message"] for entry in self.driver.get_log("browser")]

    def contrasts(self):
        return self.script(CONTRASTS)
