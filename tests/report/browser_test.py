#!/usr/bin/env python3
"""The page of `sigstab report` in headless Chromium: what a reader sees, at a desk and on a phone, in the light and in
the dark, without scripts and on paper.

usage: browser_test.py SIGSTAB [--keep DIR]    --keep: leaves screenshots and the printed page there

Chromium is spoken to over a pipe (its DevTools protocol), so that Python alone is enough. Scripts of the page itself are
off in every test; what is measured is measured from outside.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = ""
KEEP = None

HOSTILE = {
    "title": "<script>alert(1)</script> & \"quotes\" 'too' ]]>",
    "about": "<img src=x onerror=alert(2)>",
    "source": "</title></style><b>bold</b>",
    "width": 8, "depth": 3, "activation": "relu",
    "cases": [{"name": "</td><svg onload=alert(3)>"}, {"name": "a-very-long-name-" + "x" * 200}],
    "expect": [
        {"id": "holds", "case": "</td><svg onload=alert(3)>", "layer": 3, "column": "forward_rms", "below": 1e9},
        {"id": "misses", "case": "</td><svg onload=alert(3)>", "layer": 3, "column": "forward_rms", "printed": "<7>"},
        {"id": "later", "later": "a <b>run</b>"},
    ],
}

# Every text's contrast against what is behind it, by WCAG 2.1: the least, and whose it is.
CONTRAST = """(() => {
  const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const parts = text => text.match(/[0-9.]+/g).map(Number);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = parts(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] == 1) return colour;
      if (colour[3] != 0) throw Error('half transparent');
    }
    return [255, 255, 255];
  };
  let least = [99, 'nothing'];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.data.trim()) continue;
    const element = walker.currentNode.parentElement;
    const pair = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 200)];
  }
  return least;
})()"""

# Whatever stands out of the window, but for what scrolls in a box of its own.
OVERFLOW = """(() => {
  const wide = [...document.body.querySelectorAll('*')].filter(element =>
    element.getBoundingClientRect().right > innerWidth + 1 && !element.parentElement.closest('.scroll'));
  return [document.documentElement.scrollWidth, innerWidth, wide.slice(0, 3).map(e => e.outerHTML.slice(0, 200))];
})()"""


class Browser:
    """One page of a headless Chromium. Commands and their answers are JSON, each ended by a zero byte."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        arguments = [shutil.which("chromium") or "chromium", "--headless", "--remote-debugging-pipe", "--disable-gpu",
                     "--hide-scrollbars", "--no-first-run", f"--user-data-dir={self.profile}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        # Chromium reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"', "sh", *arguments],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.sent, self.events, self.session = b"", 0, [], None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setScriptExecutionDisabled", value=True)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.read_end, 1 << 16)
            if not chunk:
                raise RuntimeError("chromium ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1200, dark=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.send("Page.navigate", url=pathlib.Path(path).as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def value(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def complaints(self):
        """What the console says, and every request but for the page itself and the pictures in it."""
        self.send("Runtime.evaluate", expression="0")  # whatever comes before the answer is there now
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(params)
            if method == "Page.javascriptDialogOpening":
                found.append(params)
            if method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:")):
                found.append(params["request"]["url"])
        return found


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        (cls.folder / "hostile.json").write_text(json.dumps(HOSTILE))
        cls.report("hostile.html", "hostile.json")
        cls.report("several.html", "relu-depth", "norm-arithmetic", "pre-post-norm", "hostile.json")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    @classmethod
    def report(cls, name, *arguments):
        subprocess.run([BINARY, "report", *arguments, "-o", name], cwd=cls.folder, check=True,
                       stderr=subprocess.DEVNULL)

    def open(self, name, **how):
        self.browser.open(self.folder / name, **how)
        self.assertEqual(self.browser.complaints(), [])

    def keep(self, name):
        if not KEEP:
            return
        size = self.browser.send("Page.getLayoutMetrics")["cssContentSize"]
        picture = self.browser.send("Page.captureScreenshot", captureBeyondViewport=True,
                                    clip={**size, "height": min(size["height"], 6000), "scale": 1})
        (pathlib.Path(KEEP) / name).write_bytes(base64.b64decode(picture["data"]))

    def test_says_what_was_asked_and_what_came_out(self):
        self.open("several.html")
        text = self.browser.value("document.body.innerText")
        for part in ["4 experiments", "fifty ReLU layers", "ReLU discards half of the mean square", "512 wide, 50 deep",
                     "forward_rms", "3.556e-08", "forward vanishes by x0.7101 a layer", "relu-xavier-L50",
                     "Against the expected figures", "Against theory", "sigstab run relu-depth", "OpenBLAS", "1 failed"]:
            self.assertIn(part, text)
        self.assertEqual(self.browser.value("document.querySelectorAll('nav li').length"), 4)
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('nav a')].filter(a => !document.querySelector(a.getAttribute('href'))).length"),
            0)
        self.keep("desk.png")

    def test_has_one_main_heading_and_no_level_left_out(self):
        for name in ["several.html", "hostile.html"]:
            self.open(name)
            levels = self.browser.value("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
            self.assertEqual(levels.count(1), 1)
            self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)

    def test_has_tables_with_headings_of_rows_and_columns(self):
        self.open("several.html")
        self.assertEqual(self.browser.value("document.querySelectorAll('th:not([scope])').length"), 0)
        self.assertGreater(self.browser.value("document.querySelectorAll('th[scope=row]').length"), 20)
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('table')].filter(t => new Set([...t.rows].map(r => r.cells.length)).size > 1)"
            ".length"), 0)

    def test_holds_hostile_text_as_text(self):
        self.open("hostile.html")
        for part in [HOSTILE["title"], HOSTILE["about"], HOSTILE["source"], HOSTILE["cases"][0]["name"], "a <b>run</b>",
                     "<7>"]:
            self.assertIn(part, self.browser.value("document.body.innerText"))
        self.assertEqual(self.browser.value("document.querySelectorAll('script, svg, b, [onerror], [onload]').length"), 0)
        self.assertIn(HOSTILE["title"], self.browser.value("document.title"))
        config = self.browser.value("document.querySelector('details pre').textContent")
        self.assertEqual(json.loads(config), HOSTILE)

    def test_fits_a_phone(self):
        for name in ["several.html", "hostile.html"]:
            for width in [320, 360, 768]:
                self.open(name, width=width)
                self.browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
                page, window, wide = self.browser.value(OVERFLOW)
                self.assertEqual((page, wide), (window, []), f"{name} at {width}")
        self.open("several.html", width=360)
        self.keep("phone.png")

    def test_is_readable_in_the_light_and_in_the_dark(self):
        backgrounds = set()
        for dark in [False, True]:
            for name in ["several.html", "hostile.html"]:
                self.open(name, dark=dark)
                self.browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
                contrast, where = self.browser.value(CONTRAST)
                self.assertGreaterEqual(contrast, 4.5, where)
            backgrounds.add(self.browser.value("getComputedStyle(document.body).backgroundColor"))
            self.keep("dark.png" if dark else "light.png")
        self.assertEqual(len(backgrounds), 2)

    def test_prints_on_light_paper_with_the_config(self):
        self.open("several.html", dark=True)
        self.browser.send("Emulation.setEmulatedMedia", media="print",
                          features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(self.browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertGreater(self.browser.value("document.querySelector('details pre').getBoundingClientRect().height"), 100)
        printed = base64.b64decode(self.browser.send("Page.printToPDF")["data"])
        self.assertTrue(printed.startswith(b"%PDF"))
        if KEEP:
            (pathlib.Path(KEEP) / "print.pdf").write_bytes(printed)

    def test_every_picture_has_words_and_is_drawn(self):
        self.open("several.html")
        pictures = self.browser.value("[...document.images].map(i => [i.alt, i.naturalWidth])")
        self.assertEqual(len(pictures) > 0, shutil.which("gnuplot") is not None)
        for words, width in pictures:
            self.assertTrue(words)
            self.assertGreater(width, 0)


if __name__ == "__main__":
    BINARY = str(pathlib.Path(sys.argv[1]).resolve())
    if "--keep" in sys.argv:
        KEEP = sys.argv[sys.argv.index("--keep") + 1]
        pathlib.Path(KEEP).mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
