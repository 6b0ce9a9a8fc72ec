"""Open each page of the built documentation in Chromium: ``python docs/check_site.py OUT``.

At 400 and 1400 pixels no page may be wider than the screen, nothing in it may have to be scrolled
on the wide screen, and no page may log an error or request anything from another server. Requires
chromium, chromedriver and selenium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from selenium import webdriver

import sklearn_ordinal

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
WIDTHS = (400, 1400)
# What is wider than the screen, and what the reader has to scroll although the screen is wide.
FIND = """
const label = (e) => `${e.tagName.toLowerCase()}.${e.className}`;
const inside = [...document.querySelectorAll(".bd-main *")];
const outside = inside.filter((e) => {
  for (let box = e.parentElement; box !== null; box = box.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return false;
  return e.getBoundingClientRect().right > innerWidth + 1;
});
const scrolled = inside.filter((e) => getComputedStyle(e).overflowX !== "visible"

  && e.scrollWidth > e.clientWidth + 1);
return {
  width: document.documentElement.scrollWidth,
  outside: outside.map(label),
  scrolled: scrolled.map(label),
  types: document.body.innerText.match(/_(SupportsArray|NestedSequence|Buffer)\\b/g) ?? [],
  unlinked: [...document.querySelectorAll(".bd-article code.xref")]
    .filter((code) => !code.closest("a") && arguments[0].includes(code.textContent))
    .map((code) => code.textContent),
  requests: performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => !name.startsWith("file:") && !name.startsWith("data:")),
};
"""


def main(site: Path) -> int:
    """Print what is wrong with the pages of a site, and return how many findings there are."""
    pages = [page for page in sorted(site.rglob("*.html")) if "_static" not in page.parts]
    with tempfile.TemporaryDirectory() as profile:
        driver = _start(profile)
        try:
            found = [finding for page in pages for finding in _check(driver, page)]
        finally:
            driver.quit()
    print(*found, f"{len(pages)} pages, {len(found)} findings.", sep="\n")
    return len(found) if pages else 1


def _start(profile: str) -> webdriver.Chrome:
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in programs.items() if path is None]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    options = webdriver.ChromeOptions()
    options.binary_location = programs["chromium"]
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # With the path of the driver, selenium does not look for one to download.
    return webdriver.Chrome(options, webdriver.ChromeService(programs["chromedriver"]))


def _check(driver: webdriver.Chrome, page: Path) -> Iterator[str]:
    for width in WIDTHS:
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        driver.get(page.resolve().as_uri())
        seen = driver.execute_script(FIND, sklearn_ordinal.__all__)
        findings = {
            "is wider than the screen": [seen["width"]] if seen["width"] > width else [],
            "has content outside the screen": seen["outside"],
            "has content to scroll": seen["scrolled"] if width == max(WIDTHS) else [],
            "shows private types": seen["types"],
            "has references that are not links": seen["unlinked"],
            "requests": seen["requests"],
            "logs an error": [
                entry["message"]
                for entry in driver.get_log("browser")
                if entry["level"] == "SEVERE"
            ],
        }
        for finding, what in findings.items():
            if what:
                yield f"{page} at {width} pixels {finding}: {sorted(set(map(str, what)))}"


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1])), 1))
