"""Documents as Markdown, read back with markdown-it if it is installed."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal._documents.document_parts import Code, Document, Note, Section
from sklearn_ordinal._documents.markdown import as_markdown
from tests.documents.examples import HOSTILE, WHOLE, table_of

PRINTABLE = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"])
    | st.sampled_from(" \\`|*_<&#-+1.)"),
    min_size=1,
    max_size=30,
).map(str.strip)
AWKWARD = [
    HOSTILE,
    "a|b",
    "a\\|b",
    "\\",
    "**bold**",
    "snake_case_",
    "`code`",
    "&amp;",
    "[x](y)",
    "~~x~~",
]


@pytest.fixture(scope="module")
def rendered():
    markdown_it = pytest.importorskip("markdown_it")
    parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return parser.render


def texts(page_text, tag):
    found = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page_text, flags=re.DOTALL)
    assert not any(re.search("<[a-z]", text) for text in found)
    return [html.unescape(text) for text in found]


def test_tables_are_github_flavoured():
    text = as_markdown(WHOLE)
    assert "| class | recall | bias | 95% interval | p | support |" in text
    assert "| :--- | ---: | ---: | ---: | ---: | ---: |" in text
    assert r"| so\_so | 0.333 | 0.000 | - | 0.200 | 3 |" in text
    assert "| macro avg | 0.500 |  |  |  | 55 |\n" in text
    assert "## Failed fits\n" in text
    assert "fold by fold" not in text
    assert "### Each fold\n\nfold by fold\n" in as_markdown(WHOLE, details=True)


def test_names_in_tables_are_not_interpreted(rendered):
    found = rendered(as_markdown(table_of(AWKWARD, title=HOSTILE)))
    assert texts(found, "td")[::2] == AWKWARD
    assert texts(found, "strong") == [HOSTILE]


@given(st.lists(PRINTABLE, min_size=1, max_size=4))
def test_any_name_is_shown_verbatim(rendered, names):
    cells = texts(rendered(as_markdown(table_of(names))), "td")
    assert cells[::2] == names


@given(PRINTABLE.filter(bool))
def test_any_note_or_heading_is_shown_verbatim(rendered, text):
    found = rendered(as_markdown(Document("title", (Section(text, (Note(text),)),))))
    assert texts(found, "h2") == [text]
    assert texts(found, "p") == [text]


def test_line_breaks_in_cells_do_not_end_the_row(rendered):
    assert texts(rendered(as_markdown(table_of(["a\nb", "c\r\nd"]))), "td")[::2] == [
        r"a\nb",
        r"c\r\nd",
    ]


def test_code_may_contain_fences(rendered):
    code = "before\n```\n<b>\n````\nafter"
    found = rendered(as_markdown(Document("title", (Code(code),))))
    assert texts(found, "code") == [f"{code}\n"]
