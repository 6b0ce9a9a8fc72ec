"""Documents as plain text."""

import unicodedata
from dataclasses import replace

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
from sklearn_ordinal._documents.markdown import as_markdown
from sklearn_ordinal._documents.plain_text import as_text
from tests.documents.examples import CLASSES, DETAILS, WHOLE, documents, table_of


def width(line):
    """Return the number of terminal columns of a line."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in line)
    return len(line) + wide - sum(unicodedata.category(c) in ("Mn", "Me") for c in line)


def test_tables_notes_and_sections_are_laid_out_for_a_terminal():
    assert as_text(WHOLE) == (
        "55 samples, 3 classes.\n"
        "\n"
        "Classes, from the lowest to the highest\n"
        "class      recall    bias    95% interval       p  support\n"
        "bad         0.510  +0.209  0.418 to 0.600  <0.001       12\n"
        "so_so       0.333   0.000               -   0.200        3\n"
        "good            -                                       40\n"
        "\n"
        "macro avg   0.500                                       55\n"
        "\n"
        "Failed fits\n"
        "===========\n"
        "\n"
        "One.\n"
        "\n"
        "Traceback\n"
        "  line 1\n"
    )


@given(documents())
def test_no_line_is_too_long_or_has_control_characters_for_any_names(document):
    text = as_text(document, details=True)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for line in text.split("\n"):
        assert width(line) <= 80
        assert line == line.rstrip()
        assert {unicodedata.category(c) for c in line}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    text.encode("utf-8")


def test_terminal_control_sequences_are_escaped():
    text = as_text(table_of(["\x1b[31mred", "two\nlines", "\u202ekcab", "half \ud800"]))
    for shown in (r"\x1b[31mred", r"two\nlines", r"\u202ekcab", r"half \ud800"):
        assert shown in text


def test_columns_line_up_under_wide_and_combining_characters():
    lines = as_text(table_of(["日本", "e\u0301te\u0301", "abcd"])).splitlines()[1:]
    assert len({width(line) for line in lines}) == 1


def test_details_are_left_out_unless_requested():
    assert "fold by fold" not in as_text(WHOLE)
    assert "Each fold\n---------\n\nfold by fold\n" in as_text(WHOLE, details=True)


def test_text_computes_neither_details_nor_descriptions_of_figures():
    def parts():
        calls.append("details")
        return DETAILS.parts

    calls, figure = [], Figure(lambda: None, "caption", lambda: calls.append("description"))
    document = replace(WHOLE, parts=(*WHOLE.parts[:2], figure, replace(DETAILS, parts=parts)))
    assert "fold by fold" not in as_text(document)
    assert not calls
    assert "fold by fold" in as_text(document, details=True)
    assert calls == ["details"]


def test_a_section_with_only_figures_is_left_out():
    figure = Figure(lambda: None, "caption", "description")
    document = Document("title", (Section("Figures", (figure,)), Note("note"), figure))
    assert as_text(document) == "note\n"


def test_detail_columns_are_left_out_if_there_is_no_room():
    extra = tuple(Column(f"{name} {'x' * 15}", is_detail=True) for name in "abc")
    wide = replace(
        CLASSES,
        columns=(*CLASSES.columns, *extra),
        rows=tuple((*row, "", "", "") for row in CLASSES.rows),
        summary=(),
    )
    text = as_text(Document("title", (wide,)))
    assert "a xxx" in text
    assert text.rstrip().endswith("left out (b xxxxxxxxxxxxxxx, c xxxxxxxxxxxxxxx).")


def test_columns_that_are_left_out_are_named_once_at_the_end():
    columns = [Column("name"), *(Column(f"{name} {'x' * 20}", is_detail=True) for name in "abcde")]
    table = Table("table", tuple(columns), (("first", *"12345"),))
    document = Document("t", (table, Section("again", (table,)), Note("a note")), hint="a hint")
    text = as_text(document, complete_view="to_markdown()")
    assert text.count("left out") == 1
    last = text[text.index("2 columns left out") :]
    assert " ".join(last.split()) == (
        f"2 columns left out (d {'x' * 20}, e {'x' * 20}): see to_markdown(). a hint"
    )
    assert "left out" not in as_text(Document("t", (CLASSES,)), complete_view="to_markdown()")


def test_a_note_on_a_column_is_written_only_with_the_column():
    wide, narrow = "w" * 78, "n"

    def table(width):
        columns = (Column("name"), Column(width), Column("detail", is_detail=True))
        return Table("table", columns, (("first", "1", "2"),))

    notes = (Note("On the detail.", column="detail"), Note("On the width.", column=narrow))
    section = Section("Notes", notes[:1])
    assert "On the detail." in as_text(Document("t", (table(narrow), *notes)))
    without = as_text(Document("t", (table(wide), *notes, section)))
    assert "On the detail." not in without
    assert "Notes" not in without
    assert "On the width." in without
    # It is in one of two tables.
    assert "On the detail." in as_text(Document("t", (table(wide), table(narrow), *notes)))
    assert "On the detail." in as_markdown(Document("t", (table(wide), *notes)))


def test_long_names_are_cut_but_stay_distinct():
    names = [f"{'estimator ' * 9}{number}" for number in range(3)]
    lines = as_text(table_of(names)).splitlines()
    shown = [line.rsplit("  ", 1)[0] for line in lines[2:]]
    assert len(set(shown)) == 3
    assert all("…" in name for name in shown)
    assert [line.split()[-1] for line in lines[2:]] == ["0.000", "1.000", "2.000"]


def test_names_and_other_text_are_cut_to_the_same_width():
    columns = (Column("name"), Column("value", "number"), Column("meaning"))
    table = Table("", columns, (("n" * 60, 0.5, "meaning " * 12),))
    line = as_text(Document("title", (table,))).splitlines()[-1]
    assert line == f"{'n' * 34}…  0.500  meaning meaning meaning meaning me…"
    assert line.endswith("…")
    assert width(line) <= 80


def test_a_table_with_too_many_columns_is_split_and_repeats_the_names():
    columns = (Column("fold"), *(Column(f"criterion {i}", "number") for i in range(9)))
    table = Table("Folds", columns, (("fold 1", *(i / 10 for i in range(9))),), ())
    text = as_text(Document("title", (table,)))
    assert text.count("fold 1") == 2
    for i in range(9):
        assert f"criterion {i}" in text
        assert f"{i / 10:.3f}" in text


def test_notes_wrap_between_words_and_long_words_are_cut():
    words = "every word of a note that is longer than a line is still there " * 4
    lines = as_text(Document("title", (Note(f"{words}{'x' * 100} end"),))).splitlines()
    assert " ".join(lines) == f"{words}{'x' * 79}… end"
    assert max(map(len, lines)) == 80


def test_lines_of_code_stay_as_they_are():
    code = f"def f():\n    return {'1' * 90}\n"
    assert as_text(Document("title", (Code(code),))) == code


def test_an_empty_document_is_an_empty_line():
    assert as_text(Document("title", ())) == "\n"
