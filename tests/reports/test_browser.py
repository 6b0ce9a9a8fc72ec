"""Saved HTML reports, opened in Chromium.

Skipped if chromium or chromedriver (the Debian packages chromium and chromium-driver) or
the Python package selenium is missing, unless SKLEARN_ORDINAL_NEEDS_CHROMIUM is set.
"""

import base64
import io
import math
import shutil

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, compare_systems, cross_val_report
from sklearn_ordinal.datasets import load_lev
from tests.optional import need_chromium
from tests.pages import with_drawn_figures

HOSTILE = "<script>document.title = 'run'</script>"
NAMES = [
    HOSTILE,
    "<img src=x onerror=\"document.title = 'run'\">",
    "-->",
    *(f"answer number {position} on a scale of twelve long names" for position in range(3, 12)),
]


def spread_score(y_true, y_pred):
    """Return accuracy; undefined for constant predictions."""
    return math.nan if len(set(y_pred)) == 1 else np.mean(y_true == y_pred)


PAGES = ("single", "cross-validation", "comparison", "systems")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Write a page of each kind of report, with markup in names; return directory and reports."""
    directory = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    y = np.tile(np.arange(12), 30)
    X = np.column_stack([y + rng.normal(0, 2, len(y)), rng.normal(size=len(y))])
    y = np.array(NAMES)[y]
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    options = {"labels": NAMES, "cv": 3, "verbose": False}
    cross_validation = cross_val_report(tree, X, y, **options)
    estimators = {HOSTILE: tree, "a tree of three levels": tree.set_params(max_depth=3)}
    X_lev, y_lev = (part[::5] for part in load_lev(return_X_y=True))
    of_lev = cross_val_report(tree, X_lev, y_lev, cv=3, verbose=False)
    reports = {
        "short": of_lev.pooled,
        "short-cross-validation": of_lev,
        "single": cross_validation.pooled,
        "cross-validation": cross_validation,
        "comparison": compare_estimators(
            estimators,
            X,
            y,
            scoring=["cem_ord", "neg_ordinal_mean_absolute_error", spread_score],
            baselines={
                "first": DummyClassifier(),
                "sixth": DummyClassifier(strategy="constant", constant=NAMES[5]),
            },
            **options,
        ),
        "systems": compare_systems(
            y,
            {
                name: np.where(rng.random(len(y)) < i / 12, y, NAMES[5])
                for i, name in enumerate(NAMES)
            },
            metrics=["cem_ord", "accuracy"],
            labels=NAMES,
            n_resamples=99,
            random_state=0,
        ),
    }
    with with_drawn_figures():
        for name, report in reports.items():
            report.to_html(directory / f"{name}.html", title=name)
    return directory, reports


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    need_chromium()
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Given the path of a driver, selenium does not try to download one.
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def resize(driver, width):
    """Give the window a width, also without loading its page again."""
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    wait_for_layout(driver)


def wait_for_layout(driver):
    """Wait until the page is drawn again, which takes a while on a busy machine."""
    driver.execute_async_script(
        "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done));"
    )


@pytest.fixture
def browse(chromium, pages):
    """A function that opens a page in a window of the given width."""

    def browse(name, width=1400, scheme="light"):
        resize(chromium, width)
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        # Opening the same page again may return before it is loaded.
        chromium.get("about:blank")
        chromium.get((pages[0] / f"{name}.html").as_uri())
        wait_for_layout(chromium)
        return chromium

    return browse


ALL = pytest.mark.parametrize("name", PAGES)
SCREENS = pytest.mark.parametrize("width", [400, 1400])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])

# Row names and unrounded numbers of a column, in the order of the rows of the first body.
COLUMN = """
const [caption, heading] = arguments;
const table = [...document.querySelectorAll("table")]
  .find((table) => table.caption.textContent.startsWith(caption));
const headers = [...table.tHead.rows[0].cells];
const index = headers.findIndex((header) => header.textContent === heading);
return {
  button: headers[index].querySelector("button"),
  order: headers.map((header) => header.getAttribute("aria-sort")).filter(Boolean),
  sorted: headers[index].getAttribute("aria-sort"),
  rows: [...table.tBodies[0].rows].map((row) => [
    row.cells[0].textContent, row.cells[index].textContent, row.cells[index].dataset.value]),
  last: [...table.rows].at(-1).cells[0].textContent,
};
"""

FIRST_HEADING = """
return [...document.querySelectorAll("table")]
  .find((table) => table.caption.textContent.startsWith(arguments[0]))
  .tHead.rows[0].cells[0].textContent;
"""


@ALL
def test_page_opens_without_errors_or_requests(browse, name):
    driver = browse(name)
    assert driver.get_log("browser") == []
    assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0


@ALL
def test_markup_in_names_is_escaped(browse, name):
    driver = browse(name)
    assert driver.title == name
    assert driver.execute_script("return document.images.length") == 0
    assert driver.execute_script("return document.scripts.length") == 1
    assert HOSTILE in driver.execute_script("return document.body.textContent")


def test_injected_scripts_do_not_run(browse):
    driver = browse("single")
    driver.execute_script("""
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
    """)
    assert driver.title == "single"
    (message,) = driver.get_log("browser")
    assert "Content Security Policy" in message["message"]


def test_tables_contain_the_numbers_of_the_dicts(browse, pages):
    numbers = {name: report.to_dict() for name, report in pages[1].items()}
    found = browse("single").execute_script(COLUMN, "Criteria", "value")
    np.testing.assert_equal(
        {name: float(value) for name, _, value in found["rows"]}, numbers["single"]["criteria"]
    )
    found = browse("cross-validation").execute_script(COLUMN, "Means over", "pooled")
    for name, text, value in found["rows"]:
        expected = numbers["cross-validation"]["criteria"][name]["pooled"]
        assert float(value) == expected
        assert text == f"{expected:.3f}"
    for criterion in ("cem_ord", "ordinal_mean_absolute_error"):
        found = browse("comparison").execute_script(COLUMN, f"Estimators by {criterion}", "mean")
        expected = {
            row["estimator"]: row["estimate"]
            for row in numbers["comparison"]["values"]
            if (row["criterion"], row["what"]) == (criterion, "value")
        }
        assert {name: float(value) for name, _, value in found["rows"]} == expected


def test_clicking_a_header_sorts_by_number_and_clicking_again_reverses_the_order(browse):
    driver = browse("single")
    before = driver.execute_script(COLUMN, "Criteria", "value")
    assert before["order"] == []
    found = {}
    for direction in ("ascending", "descending"):
        before["button"].click()
        found[direction] = driver.execute_script(COLUMN, "Criteria", "value")
        assert found[direction]["sorted"] == direction
        assert found[direction]["order"] == [direction]
        # Cells move with their row.
        assert sorted(found[direction]["rows"]) == sorted(before["rows"])
    values = [float(value) for _, _, value in before["rows"]]
    ascending, descending = (
        [float(value) for _, _, value in each["rows"]] for each in found.values()
    )
    assert values != sorted(values)
    assert ascending == sorted(values)
    assert descending == sorted(values, reverse=True)


def test_sorting_by_keyboard_reverses_the_classes_and_keeps_averages_last(browse):
    driver = browse("single")
    before = driver.execute_script(COLUMN, "Classes", "class")
    assert [name for name, _, _ in before["rows"]] == NAMES
    before["button"].send_keys("\ue007")
    before["button"].send_keys(" ")
    after = driver.execute_script(COLUMN, "Classes", "class")
    assert after["sorted"] == "descending"
    assert [name for name, _, _ in after["rows"]] == NAMES[::-1]
    assert after["last"] == "weighted avg"


@pytest.mark.parametrize(
    ("caption", "heading", "missing"),
    [
        ("Estimators by spread", "mean", ["nan", "nan"]),
        ("Estimators by cem_ord", "difference", [None, None]),
    ],
    ids=["undefined", "blank"],
)
def test_undefined_and_blank_values_are_sorted_last_in_both_directions(
    browse, caption, heading, missing
):
    driver = browse("comparison")
    # Start from an order in which the best come last.
    first = driver.execute_script(COLUMN, caption, driver.execute_script(FIRST_HEADING, caption))
    first["button"].click()
    first["button"].click()
    button = driver.execute_script(COLUMN, caption, heading)["button"]
    for sign in (1, -1):
        button.click()
        values = [value for *_, value in driver.execute_script(COLUMN, caption, heading)["rows"]]
        numbers = values[: -len(missing)]
        assert values == [*sorted(numbers, key=lambda value: sign * float(value)), *missing]


@ALL
@SCREENS
def test_wide_tables_scroll_inside_their_box(browse, name, width):
    driver = browse(name, width)
    driver.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    assert driver.execute_script("return innerWidth") == width
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    boxes = driver.execute_script("""
        return [...document.querySelectorAll(".scroll")].map((box) => {
          box.scrollLeft = 1e6;
          const content = box.firstElementChild.getBoundingClientRect();
          const frame = box.getBoundingClientRect();
          return [Math.round(content.right - frame.right), frame.right <= innerWidth,
            box.tabIndex, box.scrollLeft];
        });
    """)
    assert all(end <= 1 and within and tab == 0 for end, within, tab, _ in boxes)
    if width == 400:
        assert any(scrolled for *_, scrolled in boxes)


def test_names_of_folds_stay_on_one_line(browse):
    driver = browse("cross-validation")
    heights = driver.execute_script("""
        for (const details of document.querySelectorAll("details")) details.open = true;
        const table = [...document.querySelectorAll("table")]
          .find((table) => table.caption.textContent === "Folds");
        return [...table.rows].map((row) => {
          const range = document.createRange();
          range.selectNodeContents(row.cells[0].querySelector("button") ?? row.cells[0]);
          return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom))).size;
        });
    """)
    assert heights == [1] * 4


# What Jupyter says about tables.
JUPYTER = """
.jp-RenderedHTMLCommon table { margin-left: auto; margin-right: auto; table-layout: fixed; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { padding: 0.5em 0.5em; max-width: none; }
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td,
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon th,
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr { text-align: right; }
.rendered_html td, .rendered_html th, .rendered_html tr { text-align: right; }
"""


@pytest.mark.parametrize("name", ["short", "single", "comparison"])
def test_text_is_left_aligned_and_numbers_right_aligned_in_notebooks(chromium, pages, name):
    directory, reports = pages
    text = (
        f"<!DOCTYPE html><html><head><style>{JUPYTER}</style></head><body>"
        f'<div class="jp-RenderedHTMLCommon rendered_html">{reports[name]._repr_html_()}</div>'
        "</body></html>"
    )
    (directory / "notebook.html").write_text(text, encoding="utf-8")
    chromium.get((directory / "notebook.html").as_uri())
    aligned = chromium.execute_script("""
        return [...document.querySelectorAll("th, td")].map((cell) => [
          cell.cellIndex === 0 || cell.classList.contains("text"),
          getComputedStyle(cell).textAlign]);
    """)
    assert {tuple(pair) for pair in aligned} == {(True, "left"), (False, "right")}
    assert chromium.execute_script("""
        return [...document.querySelectorAll("table")].every((table) => Math.abs(
          table.getBoundingClientRect().left - table.parentElement.getBoundingClientRect().left)
          < 1);
    """)


@pytest.mark.parametrize("name", ["short", "short-cross-validation"])
def test_the_matrix_and_the_errors_stand_beside_the_first_table_on_wide_screens(browse, name):
    places = """
        const frames = [document.querySelector("table"),
          ...[...document.querySelectorAll("figure")].slice(0, 2)]
          .map((element) => element.getBoundingClientRect());
        return [...document.querySelectorAll("figcaption")].slice(0, 2)
          .map((caption) => caption.textContent).concat(
            frames.map((frame) => [frame.left, frame.right, frame.top, frame.bottom]));
    """
    matrix, errors, *frames = browse(name).execute_script(places)
    assert matrix.startswith("True and predicted classes")
    assert errors.startswith("Errors of each class")
    (_, right, top, bottom), *figures = frames
    assert all(left > right for left, *_ in figures)
    assert abs(figures[0][2] - top) < 40
    assert top < bottom
    *_, (_, _, _, bottom), below, _ = browse(name, 400).execute_script(places)
    assert below[2] > bottom


def shot(driver, box):
    """Return the pixels of the right end of a box, as (height, width, 3)."""
    x, y, width = driver.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        "return [box.left + scrollX, box.top + scrollY, box.width];",
        box,
    )
    clip = {"x": x + width - 8, "y": y + 1, "width": 8, "height": 4, "scale": 1}
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
    return plt.imread(io.BytesIO(base64.b64decode(picture["data"])))[..., :3]


@SCHEMES
def test_a_shadow_says_that_a_table_scrolls_until_its_end(browse, scheme):
    driver = browse("short", 400, scheme)
    box = driver.find_element("css selector", ".scroll")
    page = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    colour = np.array([int(part) for part in page[4:-1].split(",")]) / 255
    for position, is_shaded in ((0, True), (20, True), (1e6, False)):
        driver.execute_script("arguments[0].scrollLeft = arguments[1]", box, position)
        wait_for_layout(driver)
        differences = np.abs(shot(driver, box) - colour).max(axis=(0, 2))
        assert (differences[-1] > 0.1) == is_shaded
        assert is_shaded or differences.max() < 0.02
    driver = browse("short", 1400, scheme)
    assert (
        np.abs(shot(driver, driver.find_element("css selector", ".scroll")) - colour).max() < 0.02
    )


@SCHEMES
def test_the_names_of_rows_stay_and_cover_what_is_scrolled_below_them(browse, scheme):
    driver = browse("short", 400, scheme)
    names = driver.execute_script("""
        const box = document.querySelector(".scroll");
        box.scrollLeft = 60;
        const left = box.getBoundingClientRect().left;
        return [...box.querySelectorAll("tbody th")].map((cell) => {
          const frame = cell.getBoundingClientRect();
          const top = document.elementFromPoint(frame.right - 2, (frame.top + frame.bottom) / 2);
          return [frame.left - left, top === cell, getComputedStyle(cell).backgroundColor];
        });
    """)
    assert len(names) > 4
    for distance, is_on_top, colour in names:
        assert abs(distance) < 1
        assert is_on_top
        # Colours with an alpha are rgba.
        assert colour.startswith("rgb(")


def test_collapsed_details_are_printed(browse):
    from selenium.webdriver.support.ui import WebDriverWait

    driver = browse("comparison")
    hidden = """
        return [...document.querySelectorAll("details table")]
          .filter((table) => !table.checkVisibility({contentVisibilityAuto: true})).length;
    """
    # A busy browser can take a moment.
    wait = WebDriverWait(driver, 20)
    wait.until(lambda driver: driver.execute_script(hidden) > 0)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wait.until(lambda driver: driver.execute_script(hidden) == 0)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@ALL
@SCREENS
def test_text_is_large_enough_to_read(browse, name, width):
    driver = browse(name, width)
    smallest = driver.execute_script("""
        return Math.min(...[...document.querySelectorAll("main, main :not(svg, svg *)")]
          .map((element) => parseFloat(getComputedStyle(element).fontSize)));
    """)
    assert smallest >= 12
    # Text in figures is 10 points, or 13.3 pixels, at full size.
    scales = driver.execute_script("""
        return [...document.querySelectorAll("svg")].filter((svg) => svg.checkVisibility()).map(
          (svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width / (4 / 3));
    """)
    assert min(scales) > 0.74


@ALL
def test_figures_are_fully_visible_unless_the_screen_is_narrow(browse, name):
    driver = browse(name)
    driver.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    for width in (700, 1400):
        resize(driver, width)
        assert driver.execute_script("return innerWidth") == width
        shown = driver.execute_script("""
            return [...document.querySelectorAll("figure")].map((figure) => {
              const svg = figure.querySelector("svg");
              return svg.getBoundingClientRect().right
                <= svg.parentElement.getBoundingClientRect().right + 1;
            });
        """)
        assert len(shown) > 0
        assert all(shown), width


@ALL
@SCHEMES
def test_text_has_enough_contrast(browse, name, scheme):
    driver = browse(name, scheme=scheme)
    driver.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    colours = driver.execute_script("""
        const parse = (text) => {
          const [r, g, b, a = 1] = text.match(/[0-9.]+/g).map(Number);
          return [r, g, b, a];
        };
        const over = (top, bottom) =>
          [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
        const background = (element) => element === null ? [255, 255, 255, 1] :
          over(parse(getComputedStyle(element).backgroundColor), background(element.parentElement));
        const pairs = new Set();
        for (const element of document.querySelectorAll("body :not(svg, svg *, script)")) {
          const texts = [...element.childNodes].filter((node) => node.nodeType === 3);
          if (!texts.some((node) => node.textContent.trim())) continue;
          const behind = background(element);
          const colour = over(parse(getComputedStyle(element).color), behind);
          pairs.add(JSON.stringify([colour.slice(0, 3), behind.slice(0, 3)]));
        }
        for (const box of document.querySelectorAll("figure .scroll"))
          pairs.add(JSON.stringify([[0, 0, 0], background(box).slice(0, 3)]));
        return [...pairs].map(JSON.parse);
    """)
    assert len(colours) > 2
    assert min(_contrast(*pair) for pair in colours) >= 4.5
    page = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (page == "rgb(255, 255, 255)") == (scheme == "light")


def _contrast(one, other):
    """Contrast ratio of two sRGB colours as defined by WCAG 2."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour):
    share = np.array(colour) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]
