"""Open each page of the built documentation in Chromium: ``python docs/check_site.py OUT``.

At 400 and 1400 pixels, in the light and the dark scheme, no page may be wider than the screen,
nothing in it may have to be scrolled on the wide screen, all text must stand out from its
background, and no page may log an error or request anything from another server. The search must
find what `SEARCHES` lists. Requires chromium, chromedriver and selenium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.ui import WebDriverWait

import sklearn_ordinal

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")
# A query, and the beginning of the address of a page among its results.
SEARCHES = {
    "cem_ord": "generated/sklearn_ordinal.metrics.cem_ord_score.html",
    "QWK": "generated/sklearn_ordinal.metrics.quadratic_weighted_kappa_score.html",
    "benchmarks": "guide/benchmarks.html",
}
SEARCH_SECONDS = 20
LOWEST_CONTRAST = 3
# What is wider than the screen, what the reader has to scroll although the screen is wide, and
# what hardly differs from its background (by the contrast ratio of the WCAG).
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
const numbers = (color) => (color.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const luminance = (color) => {
  const [r, g, b] = numbers(color).slice(0, 3).map((part) =>
    part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = (e) => {
  for (let box = e; box !== null; box = box.parentElement) {
    const color = getComputedStyle(box).backgroundColor;
    if ((numbers(color)[3] ?? 1) > 0.5) return color;
  }
  return "rgb(255, 255, 255)";
};
const contrast = (e) => {
  const both = [getComputedStyle(e).color, background(e)].map(luminance).sort((a, b) => a - b);
  return (both[1] + 0.05) / (both[0] + 0.05);
};
const written = [...document.querySelectorAll(".bd-article *")].filter((e) =>
  e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
  && [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
return {
  width: document.documentElement.scrollWidth,
  scheme: luminance(background(document.body)) < 0.2 ? "dark" : "light",
  outside: outside.map(label),
  scrolled: scrolled.map(label),
  faint: written.filter((e) => contrast(e) < arguments[1])
    .map((e) => `${label(e)} ${e.textContent.slice(0, 20)} ${contrast(e).toFixed(1)}`),
  types: document.body.innerText.match(/_(SupportsArray|NestedSequence|Buffer)\\b/g) ?? [],
  unlinked: [...document.querySelectorAll(".bd-article code.xref")]
    .filter((code) => !code.closest("a") && arguments[0].includes(code.textContent))
    .map((code) => code.textContent),
  requests: performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => !name.startsWith("file:") && !name.startsWith("data:")),
};
"""
FOUND = """
return [...document.querySelectorAll("#search-results li a")].map((link) => link.href);
"""


def main(site: Path) -> int:
    """Print what is wrong with the pages of a site, and return how many findings there are."""
    pages = [page for page in sorted(site.rglob("*.html")) if "_static" not in page.parts]
    # Pages of source code differ in their code only, so one of them is enough.
    sources = [page for page in pages if "_modules" in page.relative_to(site).parts]
    pages = [page for page in pages if page not in sources[1:]]
    with tempfile.TemporaryDirectory() as profile:
        driver = _start(profile)
        try:
            found = [finding for page in pages for finding in _check(driver, page)]
            found += _search(driver, site)
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
    # No name resolves, so a request to another server fails and is logged.
    for flag in (
        *FLAGS.split(),
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # With the path of the driver, selenium does not look for one to download.
    return webdriver.Chrome(options, webdriver.ChromeService(programs["chromedriver"]))


def _check(driver: webdriver.Chrome, page: Path) -> Iterator[str]:
    for width, scheme in product(WIDTHS, SCHEMES):
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        preference = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [preference]})
        driver.get(page.resolve().as_uri())
        seen = driver.execute_script(FIND, sklearn_ordinal.__all__, LOWEST_CONTRAST)
        findings: dict[str, list[Any]] = {
            "is wider than the screen": [seen["width"]] if seen["width"] > width else [],
            "is in the other scheme": [seen["scheme"]] if seen["scheme"] != scheme else [],
            "has content outside the screen": seen["outside"],
            "has content to scroll": seen["scrolled"] if width == max(WIDTHS) else [],
            "has faint text": seen["faint"],
            "shows private types": seen["types"],
            "has references that are not links": seen["unlinked"],
            "requests": seen["requests"],
            "logs an error": _errors(driver),
        }
        for finding, what in findings.items():
            if what:
                found = sorted(set(map(str, what)))
                yield f"{page} at {width} pixels, {scheme}, {finding}: {found}"


def _search(driver: webdriver.Chrome, site: Path) -> Iterator[str]:
    for query, expected in SEARCHES.items():
        address = (site / "search.html").resolve().as_uri()
        driver.get(f"{address}?q={query}")
        page = (site / expected).resolve().as_uri()
        try:
            WebDriverWait(driver, SEARCH_SECONDS).until(
                lambda driver, page=page: any(
                    link.startswith(page) for link in driver.execute_script(FOUND)
                )
            )
        except TimeoutException:
            yield f"the search for {query} does not find {expected}"
        yield from (f"the search for {query} logs {error}" for error in _errors(driver))


def _errors(driver: webdriver.Chrome) -> list[str]:
    entries = driver.get_log("browser")
    return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1])), 1))
