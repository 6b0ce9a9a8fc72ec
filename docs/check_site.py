"""Open each page of the built documentation in Chromium: ``python docs/check_site.py OUT``.

At 400 and 1400 pixels, in the light and the dark scheme, no page may be wider than the screen,
nothing in it may have to be scrolled on the wide screen, all text must stand out from its
background, and no page may log an error or request anything from another server. The search must
find the pages of `SEARCHES` first. Requires chromium, chromedriver and selenium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.ui import WebDriverWait

import sklearn_ordinal

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
N_BROWSERS = 2
WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")
# A query, and the page that is its first result.
SEARCHES = {
    "cem_ord": "generated/sklearn_ordinal.metrics.cem_ord_score.html",
    "benchmarks": "reference/benchmarks.html",
    "QWK": "generated/sklearn_ordinal.metrics.quadratic_weighted_kappa_score.html",
    "RPS": "generated/sklearn_ordinal.metrics.ranked_probability_score.html",
    "AMAE": "generated/sklearn_ordinal.metrics.macro_averaged_mean_absolute_error.html",
    "interpretation": "guide/report.html",
    "checklist": "guide/report.html",
    "Likert": "tutorials/survey.html",
    "confidence interval": "guide/inference.html",
    "bootstrap": "guide/inference.html",
    "hyperparameter tuning": "guide/scorers.html",
    "which metric": "guide/which.html",
    "missing class": "guide/order.html",
    "pandas": "guide/order.html",
    "string labels": "guide/order.html",
    "annotators": "guide/agreement.html",
    "inter-rater reliability": "guide/agreement.html",
    "sensitivity": "tutorials/clinic.html",
    "sample size": "guide/sample_sizes.html",
    "power analysis": "guide/sample_sizes.html",
    "significance test": "guide/compare.html",
    "baseline": "guide/compare.html",
    "cost matrix": "guide/decisions.html",
    "threshold tuning": "guide/cuts.html",
    "reliability diagram": "guide/rankings.html",
    "LLM as a judge": "guide/judges.html",
    "conformal prediction": "guide/prediction_sets.html",
    "drift": "guide/change.html",
    "fairness": "tutorials/fairness_audit.html",
    "leaderboard": "tutorials/shared_task.html",
    "class imbalance": "guide/properties.html",
    "PyTorch": "guide/training.html",
    "cross-validation": "guide/compare.html",
    "AUC": "guide/rankings.html",
    "LaTeX": "reference/formats.html",
    "fairlearn": "reference/fairlearn.html",
    "MetricFrame": "reference/fairlearn.html",
    "MLflow": "reference/recipes.html",
    "XGBoost": "reference/recipes.html",
    "yardstick": "reference/coming_from_r.html",
    "caret": "reference/coming_from_r.html",
    "irrCAC": "reference/raters.html",
    "PyCM": "reference/coming_from.html",
}
SEARCH_SECONDS = 20
LOWEST_CONTRAST = 3
# Find elements that are wider than the screen, that the reader has to scroll although the screen is
# wide, or that hardly differ from their background (by the contrast ratio of the WCAG).
FIND = """
const memo = (compute) => {
  const known = new Map();
  return (e) => known.has(e) ? known.get(e) : known.set(e, compute(e)).get(e);
};
const style = memo((e) => getComputedStyle(e));
const scrolls = memo((e) => e !== null
  && (["auto", "scroll"].includes(style(e).overflowX) || scrolls(e.parentElement)));
const label = (e) => `${e.tagName.toLowerCase()}.${e.className}`;
const inside = [...document.querySelectorAll(".bd-main *")];
const outside = inside.filter((e) =>
  e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement));
const scrolled = inside.filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && style(e).overflowX !== "visible");
const numbers = (color) => (color.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const luminance = memo((color) => {
  const [r, g, b] = numbers(color).slice(0, 3).map((part) =>
    part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
});
const background = memo((e) => {
  if (e === null) return "rgb(255, 255, 255)";
  const color = style(e).backgroundColor;
  return (numbers(color)[3] ?? 1) > 0.5 ? color : background(e.parentElement);
});
const contrast = (e) => {
  const both = [style(e).color, background(e)].map(luminance).sort((a, b) => a - b);
  return (both[1] + 0.05) / (both[0] + 0.05);
};
const written = [...document.querySelectorAll(".bd-article *")].filter((e) =>
  [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  && e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}));
const text = document.body.innerText;
return {
  width: document.documentElement.scrollWidth,
  scheme: luminance(background(document.body)) < 0.2 ? "dark" : "light",
  outside: outside.map(label),
  scrolled: scrolled.map(label),
  faint: written.filter((e) => contrast(e) < arguments[1])
    .map((e) => `${label(e)} ${e.textContent.slice(0, 20)} ${contrast(e).toFixed(1)}`),
  types: text.match(/_(SupportsArray|NestedSequence|Buffer)\\b/g) ?? [],
  addresses: text.match(/<[^<>]* at 0x[0-9a-f]+>/g) ?? [],
  unlinked: [...document.querySelectorAll(".bd-article code.xref")]
    .filter((code) => !code.closest("a") && arguments[0].includes(code.textContent))
    .map((code) => code.textContent),
  requests: performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => !name.startsWith("file:") && !name.startsWith("data:")),
};
"""
# Pages learn of a new preference before the next frame is drawn.
NEXT_FRAME = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]));"
FOUND = """
return [...document.querySelectorAll("#search-results li a")].map(
  (link) => link.href.split(/[?#]/)[0]);
"""


def main(site: Path) -> int:
    """Print the defects of the pages of a site, and return the number of defects."""
    pages = [page for page in sorted(site.rglob("*.html")) if "_static" not in page.parts]
    # Pages of source code differ in their code only, so one of them is enough.
    sources = [page for page in pages if "_modules" in page.relative_to(site).parts]
    pages = [page for page in pages if page not in sources[1:]]
    parts = [pages[start::N_BROWSERS] for start in range(N_BROWSERS)]
    with ThreadPoolExecutor(N_BROWSERS) as pool:
        found = [finding for part in pool.map(check_pages, parts) for finding in part]
    with _browser() as driver:
        found += _search(driver, site)
    print(*sorted(found), f"{len(pages)} pages, {len(found)} findings.", sep="\n")
    return len(found) if pages else 1


@contextmanager
def _browser() -> Iterator[webdriver.Chrome]:
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in programs.items() if path is None]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    options = webdriver.ChromeOptions()
    options.binary_location = programs["chromium"]
    # No name resolves, so a request to another server fails and is logged.
    for flag in (*FLAGS.split(), "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        # With the path of the driver, selenium does not try to download a driver.
        with webdriver.Chrome(options, webdriver.ChromeService(programs["chromedriver"])) as driver:
            yield driver


def check_pages(pages: Sequence[Path]) -> list[str]:
    """Return the defects of pages, opened one after the other in a browser."""
    with _browser() as driver:
        return [finding for page in pages for finding in _check(driver, page)]


def _check(driver: webdriver.Chrome, page: Path) -> Iterator[str]:
    for width in WIDTHS:
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        _prefer(driver, SCHEMES[0])
        driver.get(page.resolve().as_uri())
        for scheme in SCHEMES:
            # The page follows the preference without being loaded again.
            _prefer(driver, scheme)
            driver.execute_async_script(NEXT_FRAME)
            for finding, what in _findings(driver, width, scheme).items():
                if what:
                    found = sorted(set(map(str, what)))
                    yield f"{page} at {width} pixels, {scheme}, {finding}: {found}"


def _prefer(driver: webdriver.Chrome, scheme: str) -> None:
    # Without motion, colours change at once.
    preferences = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in preferences.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def _findings(driver: webdriver.Chrome, width: int, scheme: str) -> dict[str, list[Any]]:
    seen = driver.execute_script(FIND, sklearn_ordinal.__all__, LOWEST_CONTRAST)
    return {
        "is wider than the screen": [seen["width"]] if seen["width"] > width else [],
        "is in the other scheme": [seen["scheme"]] if seen["scheme"] != scheme else [],
        "has content outside the screen": seen["outside"],
        "has content to scroll": seen["scrolled"] if width == max(WIDTHS) else [],
        "has faint text": seen["faint"],
        "shows private types": seen["types"],
        "shows addresses of objects": seen["addresses"],
        "has references that are not links": seen["unlinked"],
        "requests": seen["requests"],
        "logs an error": _errors(driver),
    }


def _search(driver: webdriver.Chrome, site: Path) -> Iterator[str]:
    for query, expected in SEARCHES.items():
        address = (site / "search.html").resolve().as_uri()
        driver.get(f"{address}?q={quote(query)}")
        page = (site / expected).resolve().as_uri()
        try:
            WebDriverWait(driver, SEARCH_SECONDS).until(
                lambda driver, page=page: driver.execute_script(FOUND)[:1] == [page]
            )
        except TimeoutException:
            yield f"the search for {query} does not find {expected} first"
        yield from (f"the search for {query} logs {error}" for error in _errors(driver))


def _errors(driver: webdriver.Chrome) -> list[str]:
    entries = driver.get_log("browser")
    return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1])), 1))
