"""Documents as HTML: pages and fragments."""

import hashlib
import math
import re
import sys
import threading
from base64 import b64decode, b64encode
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest
from hypothesis import given

from sklearn_ordinal._documents.document_parts import (
    Code,
    Column,
    Document,
    Figure,
    Note,
    Section,
    Table,
)
from sklearn_ordinal._documents.html_pages import as_fragment, as_page
from sklearn_ordinal.plotting._style import short_names
from tests.documents.examples import CLASSES, HOSTILE, WHOLE, documents, table_of
from tests.pages import Page, numbers

pytestmark = pytest.mark.usefixtures("drawn_figures")


class Drawn:
    def __init__(self, figure):
        self.figure_ = figure


def draw(ax=None):
    axes = plt.subplots()[1] if ax is None else ax
    axes.plot([0, 1], [0, 1], marker="o")
    axes.set_title("line")
    return Drawn(axes.figure)


FIGURE = Figure(draw, "A <line>", 'From 0 to 1, "straight"')
FIGURES = Document(
    "Figures", (FIGURE, FIGURE, Note("between"), FIGURE, Section("Alone", (FIGURE,)))
)
ONE_FIGURE = Document("Figure", (FIGURE,))


def boxes(page):
    return [attrs for _, attrs in page.tags if attrs.get("class") == "scroll"]


def test_the_page_has_a_language_an_encoding_a_title_and_a_viewport():
    text = as_page(replace(WHOLE, title="Grades <of> 2026"))
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert ("html", {"lang": "en"}) in page.tags
    assert ("meta", {"charset": "utf-8"}) in page.tags
    assert page.texts["title"] == page.texts["h1"] == "Grades <of> 2026"
    viewport = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
    assert ("meta", viewport) in page.tags


def test_cells_are_rounded_and_keep_the_full_number():
    rows = Page(as_page(WHOLE)).rows("Classes")
    assert list(rows) == ["bad", "so_so", "good", "macro avg"]
    assert rows["so_so"]["recall"] == ("0.333", 1 / 3)
    assert rows["bad"]["bias"] == ("+0.209", 0.209)
    assert rows["bad"]["95% interval"] == ("0.418 to 0.600", 0.4185)
    assert rows["bad"]["p"] == ("<0.001", 0.0001)
    text, value = rows["good"]["recall"]
    assert text == "-"
    assert math.isnan(value)


def test_blank_cells_have_no_number():
    rows = Page(as_page(WHOLE)).rows("Classes")
    assert numbers(rows["macro avg"]) == {"recall": 0.5, "support": 55.0}
    assert rows["macro avg"]["bias"] == ("", None)


def test_infinities_are_written_as_javascript_reads_them():
    columns = (Column("name"), Column("value", "number"))
    table = Table("t", columns, (("a", math.inf), ("b", -math.inf)))
    text = as_page(Document("title", (table,)))
    assert 'data-value="Infinity">inf<' in text
    assert 'data-value="-Infinity">-inf<' in text


def test_averages_have_their_own_table_body():
    bodies = [attrs["class"] for tag, attrs in Page(as_page(WHOLE)).tags if tag == "tbody"]
    assert bodies == ["rows", "averages"]


def test_the_page_loads_nothing_external():
    text = as_page(FIGURES)
    page = Page(text)
    assert "://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert {tag for tag, _ in page.tags}.isdisjoint({"link", "iframe", "object", "embed", "img"})
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    assert "@import" not in text


def test_only_the_script_of_the_page_may_run():
    page = Page(as_page(WHOLE))
    (policy,) = (
        attrs["content"]
        for _, attrs in page.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    digest = b64encode(hashlib.sha256(page.texts["script"].encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}';" in policy
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)


@given(documents())
def test_any_document_is_well_formed_and_its_names_are_not_markup(document):
    page = Page(as_page(document))
    assert {tag for tag, _ in page.tags} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "script", "section", "details"),
        *("h1", "h2", "h3", "summary", "p", "pre", "div", "table", "caption", "span", "thead"),
        *("tbody", "tr", "th", "td", "wbr"),
    }
    labels = Counter(box["aria-label"] for box in boxes(page))
    assert set(labels.values()) <= {1}
    as_page(document).encode("utf-8")


@given(documents())
def test_any_fragment_is_a_single_element_without_scripts(document):
    page = Page(as_fragment(document))
    assert page.tags[0] == ("div", {"class": "sklearn-ordinal-report"})
    tags = {tag for tag, _ in page.tags}
    assert tags.isdisjoint({"script", "html", "body", "svg", "pre", "details"})


def test_a_lone_surrogate_does_not_prevent_a_page_from_being_written():
    assert r"half \ud800" in as_page(table_of(["half \ud800"])).encode("utf-8").decode()


def test_scrolling_tables_have_unique_labels():
    twice = Section("Fold 1", (CLASSES, CLASSES, Section("Inner", (CLASSES,))))
    page = Page(as_page(Document("title", (CLASSES, CLASSES, twice, twice))))
    assert {(box["role"], box["tabindex"]) for box in boxes(page)} == {("group", "0")}
    labels = [box["aria-label"] for box in boxes(page)]
    assert len(set(labels)) == len(labels) == 8
    assert labels[2] == "Classes, from the lowest to the highest: Fold 1"


def test_sections_have_headings_by_depth_and_details_are_collapsed():
    inner = Section("Inner", (Note("deep", is_small=True),))
    details = Section("Folded", (inner,), is_detail=True)
    page = Page(as_page(Document("title", (Section("Outer", (inner, details)),))))
    headings = [tag for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings == ["h1", "h2", "h3", "h4"]
    assert page.texts["summary"] == "Folded"
    assert ("p", {"class": "note"}) in page.tags


def test_code_keeps_its_lines():
    page = Page(as_page(Document("title", (Code("a\n  <b>"),))))
    assert page.texts["pre"] == "a\n  <b>"


def test_names_may_break_after_underscores():
    assert "so_<wbr>so" in as_page(WHOLE)


def test_the_verdict_comes_first():
    document = replace(WHOLE, verdict=(Note("It is <good>."), Note("It is fast.")))
    page = Page(as_page(document))
    of_page = page.tags[page.tags.index(("h1", {})) + 1 :]
    of_fragment = [item for item in Page(as_fragment(document)).tags if item[0] != "style"][1:]
    for tags in (of_page, of_fragment):
        assert tags[:3] == [*[("p", {"class": "verdict"})] * 2, ("p", {})]
    assert page.texts["p"].startswith("It is <good>.It is fast.55 samples")


def test_fragments_have_only_tables_notes_and_the_first_figure():
    further = replace(FIGURE, caption="Another line")
    figures = Section("Figures", (FIGURE, further))
    folded = Section("Folded", (further,), is_detail=True)
    document = replace(WHOLE, parts=(folded, *WHOLE.parts, figures, further))
    page = Page(as_fragment(document))
    assert [table["caption"] for table in page.tables] == [CLASSES.title]
    assert page.texts["h2"] == "Failed fitsFigures"
    assert page.texts["p"] == "55 samples, 3 classes.One."
    assert {tag for tag, _ in page.tags}.isdisjoint({"svg", "script", "details", "pre", "main"})
    (image,) = [attrs for tag, attrs in page.tags if tag == "img"]
    assert image["alt"] == FIGURE.description
    assert page.texts["figcaption"] == FIGURE.caption
    kind, _, content = image["src"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    svg = ElementTree.fromstring(b64decode(content))
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"


def test_pages_show_parts_and_descriptions_that_are_functions():
    figure = replace(FIGURE, description=lambda: FIGURE.description)
    folded = Section("Folded", lambda: (CLASSES, figure), is_detail=True)
    page = as_page(Document("title", (folded,)))
    assert page == as_page(Document("title", (replace(folded, parts=(CLASSES, FIGURE)),)))


def test_fragments_have_no_figure_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = Page(as_fragment(FIGURES))
    assert {tag for tag, _ in page.tags} == {"div", "style", "p"}
    assert page.texts["p"] == "between"


def test_figures_stand_beside_the_tables_before_them():
    title = re.compile(r'<figcaption>|<caption>|<p>|<h2>|<div class="beside">')
    parts = (Note("a"), CLASSES, Note("b"), CLASSES, FIGURE, FIGURE, Section("c", (FIGURE,)))
    order = title.findall(as_page(Document("title", parts)))
    beside = '<div class="beside">'
    pair = ["<figcaption>"] * 2
    assert order == ["<p>", beside, "<caption>", "<p>", "<caption>", *pair, "<h2>", "<figcaption>"]
    # Figures do not stand beside sections.
    parts = (CLASSES, Section("c", (CLASSES,)), Note("a"), CLASSES, FIGURE)
    order = title.findall(as_page(Document("title", parts)))
    assert order == ["<caption>", "<h2>", "<caption>", "<p>", beside, "<caption>", "<figcaption>"]


def test_figures_are_labelled_and_their_ids_do_not_clash():
    open_figures = plt.get_fignums()
    text = as_page(FIGURES)
    page = Page(text)
    assert plt.get_fignums() == open_figures
    drawn = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert [attrs["role"] for attrs in drawn] == ["img"] * 4
    assert {attrs["aria-label"] for attrs in drawn} == {FIGURE.description}
    assert len({box["aria-label"] for box in boxes(page)}) == 4
    assert "A <line>" in page.texts["figcaption"]
    ids = Counter(attrs["id"] for _, attrs in page.tags if "id" in attrs)
    assert set(ids.values()) == {1}
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    assert used
    assert used <= ids.keys()


def titles(text):
    """Return the titles of the groups of figures."""
    return re.findall(r'<g id="[^"]+"><title>([^<]*)</title>', text)


def test_shortened_names_of_figures_have_their_full_names_as_titles():
    names = ["a name <that> is cut in the middle", "a name that is cut there as well", "short"]

    def draw_names(ax=None):
        axes = plt.subplots(figsize=(3, 2))[1] if ax is None else ax
        axes.set_yticks(range(3), short_names(names, (9, 18)))
        axes.set_title(short_names([names[0]], (12, 12), start="above ", ends=[": 1"])[0])
        return Drawn(axes.figure)

    text = as_page(Document("title", (Figure(draw_names, "Names", ""),)))
    cut = names[0].replace("<", "&lt;").replace(">", "&gt;")
    assert sorted(titles(text)) == sorted([cut, names[1], f"above {cut}: 1"])
    assert (
        Counter(attrs["id"] for _, attrs in Page(text).tags if "id" in attrs).most_common(1)[0][1]
        == 1
    )
    # Names are only recorded while a page is drawn.
    draw_names()
    assert titles(as_page(ONE_FIGURE)) == []


def test_a_shortened_name_that_stands_for_two_names_has_no_title():
    def draw_names(ax=None):
        axes = plt.subplots(figsize=(3, 2))[1] if ax is None else ax
        short = [short_names([f"the same {word} name"], (9, 9))[0] for word in ("long", "wide")]
        assert len(set(short)) == 1
        axes.set_yticks(range(2), short)
        return Drawn(axes.figure)

    assert titles(as_page(Document("title", (Figure(draw_names, "Names", ""),)))) == []


def test_abbreviated_headers_have_their_full_names_as_titles():
    columns = (Column("class"), Column("MAE", "number", full_name='mean "absolute" error'))
    text = as_page(Document("title", (Table("t", columns, (("a", 1.0),)),)))
    headers = [attrs.get("title") for tag, attrs in Page(text).tags if tag == "th"]
    assert headers == [None, 'mean "absolute" error', None]


def test_pages_can_be_written_while_many_figures_are_open():
    for _ in range(plt.rcParams["figure.max_open_warning"]):
        plt.figure()
    assert "<svg" in as_page(ONE_FIGURE)


def test_consecutive_figures_are_grouped():
    tags = Page(as_page(FIGURES)).tags
    groups = [attrs for tag, attrs in tags if attrs.get("class") == "figures"]
    assert len(groups) == 3


def test_only_the_font_of_the_users_matplotlib_style_affects_the_page():
    expected = as_page(ONE_FIGURE)
    with plt.style.context("dark_background"), plt.rc_context({"font.size": 24}):
        assert as_page(ONE_FIGURE) == expected
    with plt.style.context({"font.family": ["DejaVu Serif"]}):
        assert as_page(ONE_FIGURE) != expected


def test_a_figure_that_cannot_be_saved_is_closed_and_the_style_restored():
    def broken():
        drawn = draw()
        drawn.figure_.draw = None
        return drawn

    before = plt.get_fignums(), dict(plt.rcParams)
    with pytest.raises(TypeError):
        as_page(Document("title", (replace(FIGURE, draw=broken),)))
    assert (plt.get_fignums(), dict(plt.rcParams)) == before


def test_threads_draw_one_after_another():
    expected, found = as_page(ONE_FIGURE), []
    threads = [threading.Thread(target=lambda: found.append(as_page(ONE_FIGURE))) for _ in range(3)]
    with plt.rc_context({"font.size": 13, "svg.fonttype": "none"}):
        before = dict(plt.rcParams)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert dict(plt.rcParams) == before
    assert found == [expected] * 3


def test_threads_do_not_change_the_settings_of_matplotlib():
    with plt.style.context({"font.size": 7, "axes.facecolor": "red", "svg.hashsalt": "mine"}):
        before = plt.rcParams.copy()
        start = threading.Barrier(4)

        def work():
            start.wait()
            as_page(ONE_FIGURE)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert plt.rcParams == before


def test_settings_changed_while_drawing_a_figure_are_kept():
    def draw_meanwhile(ax=None):
        plt.rcParams["axes.titlesize"] = 31
        plt.rcParams["font.family"] = "monospace"
        return draw(ax)

    figure = Figure(draw_meanwhile, "A line", "")
    with plt.style.context({"axes.facecolor": "red"}):
        as_page(Document("Figures", (figure,)))
        assert plt.rcParams["axes.titlesize"] == 31
        assert plt.rcParams["font.family"] == ["monospace"]
        assert plt.rcParams["axes.facecolor"] == "red"


def test_each_figure_is_drawn_once():
    before, drawn = plt.get_fignums(), []

    def draw_once():
        drawn.append(draw())
        return drawn[-1]

    page = Page(as_page(Document("Figure", (replace(FIGURE, draw=draw_once),))))
    assert [tag for tag, _ in page.tags].count("svg") == len(drawn) == 1
    assert plt.get_fignums() == before


def test_without_matplotlib_the_page_says_once_how_to_get_figures(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = Page(as_page(FIGURES))
    assert page.texts["p"].count('pip install "sklearn_ordinal[plot]"') == 1
    assert {"svg", "h2"}.isdisjoint({tag for tag, _ in page.tags})


def test_markup_is_escaped_everywhere():
    columns = (Column(HOSTILE), Column(HOSTILE, "number"))
    table = Table(HOSTILE, columns, ((HOSTILE, 1.0),), ((HOSTILE, 2.0),))
    parts = (table, Note(HOSTILE), Code(HOSTILE))
    folded = Section(HOSTILE, parts, is_detail=True)
    text = as_page(Document(HOSTILE, (*parts, Section(HOSTILE, parts), folded)))
    assert HOSTILE not in text
    assert Page(text).texts["h2"] == HOSTILE
