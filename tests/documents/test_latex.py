"""Documents as LaTeX, read back by interpreting the few commands used."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal._documents.document_parts import (
    Code,
    Column,
    Document,
    Figure,
    Note,
    Section,
    Table,
)
from sklearn_ordinal._documents.latex import as_latex
from sklearn_ordinal._documents.plain_text import as_text
from tests.documents.examples import CLASSES, HOSTILE, WHOLE, documents, table_of

# What each command prints, from the LaTeX manual.
COMMANDS = {
    "textbackslash": "\\",
    "textasciicircum": "^",
    "textasciitilde": "~",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "ldots": "…",
    "pm": "±",
    "leq": "≤",
    "geq": "≥",
    "infty": "∞",
    "times": "\N{MULTIPLICATION SIGN}",
    "ensuremath": "",
}
TOKEN = re.compile(r"\\([A-Za-z]+)|\\([{}$&#_%])|\\ensuremath\{-\}|([{}])|([^\\{}$&#_%^~<>|])")
PRINTABLE = st.text(
    st.characters(codec="ascii", exclude_categories=["C"]) | st.sampled_from("é日…±≤≥∞"),
    max_size=30,
).map(str.strip)


def typeset(text):
    """Return the text that LaTeX prints; characters that need escaping match no token."""
    text = text.replace(r"\ensuremath{-}", "\N{MINUS SIGN}")
    shown, position = [], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        assert match, text[position:]
        command, escaped, _, character = match.groups()
        shown.append(COMMANDS[command] if command else escaped or character or "")
        position = match.end()
    # Fonts would turn these into ligatures.
    assert not re.search(r"--|''|``|[?!]`", text)
    return "".join(shown)


def names_of(latex):
    body = latex.split("\\midrule\n")[1].split("\\bottomrule")[0]
    return [typeset(line.rsplit(" & ", 1)[0]) for line in body.removesuffix("\n").split("\n")]


def test_each_table_is_an_environment_with_a_caption_and_rules():
    assert as_latex(Document("title", (CLASSES,))) == (
        "\\begin{table}[htbp]\n"
        "\\centering\n"
        "\\caption{Classes, from the lowest to the highest}\n"
        "\\begin{adjustbox}{max width=\\linewidth, max totalheight=0.8\\textheight}\n"
        "\\begin{tabular}{lrrrrr}\n"
        "\\toprule\n"
        "class & recall & bias & 95\\% interval & p & support \\\\\n"
        "\\midrule\n"
        "bad & 0.510 & +0.209 & 0.418 to 0.600 & \\textless{}0.001 & 12 \\\\\n"
        "so\\_so & 0.333 & 0.000 & -- & 0.200 & 3 \\\\\n"
        "good & -- &  &  &  & 40 \\\\\n"
        "\\midrule\n"
        "macro avg & 0.500 &  &  &  & 55 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{adjustbox}\n"
        "\\end{table}\n"
    )


def test_a_table_that_is_longer_than_a_page_is_divided_into_numbered_tables():
    text = as_latex(table_of(map(str, range(36)), title="many names"))
    assert text.count("name & value \\\\\n\\midrule\n") == 2
    assert "\\caption{many names (1 of 2)}" in text
    assert "34 & 34.000 \\\\\n\\bottomrule\n" in text
    assert "\\caption{many names (2 of 2)}" in text
    assert "\\midrule\n35 & 35.000 \\\\\n\\bottomrule\n" in text
    assert " of " not in as_latex(table_of(map(str, range(35))))


def test_negative_numbers_have_a_minus_sign_and_names_keep_their_hyphens():
    rows = (("k-3", -0.5, -0.25, (-0.5, -0.1), 1.0, 1),)
    text = as_latex(Document("title", (replace(CLASSES, rows=rows, summary=()),)))
    assert "k-3 & $-$0.500 & $-$0.250 & $-$0.500 to $-$0.100 &" in text


@given(st.lists(PRINTABLE, min_size=1, max_size=4))
def test_any_name_is_printed_verbatim(names):
    assert names_of(as_latex(table_of(names))) == names


def test_a_row_that_starts_like_an_argument_does_not_affect_the_row_before():
    text = as_latex(table_of(["[1em]", "*"]))
    assert not re.search(r"(\\\\|\\midrule)\s*[\[*]", text)


@given(documents())
def test_environments_and_braces_are_balanced(document):
    text = as_latex(document, details=True)
    bare = re.sub(r"\\[{}\\]", "", text)
    assert bare.count("{") == bare.count("}")
    begun = re.findall(r"\\begin\{(\w+)\}", text)
    assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+)\}", text))


def test_sections_are_unnumbered_and_details_are_left_out():
    text = as_latex(WHOLE)
    assert "\\section*{Failed fits}\n\nOne.\n" in text
    assert "Each fold" not in text
    assert "\\subsection*{Each fold}\n\nfold by fold\n" in as_latex(WHOLE, details=True)


def test_code_and_notes_cannot_run_commands():
    text = as_latex(Document("title", (Note("\\input{x} % y"), Code("  \\end{flushleft}\n\nb"))))
    assert text == (
        "\\textbackslash{}input\\{x\\} \\% y\n\n"
        "\\begin{flushleft}\\ttfamily\n"
        "~~\\textbackslash{}end\\{flushleft\\}\\\\\n~\\\\\nb\\\\\n"
        "\\end{flushleft}\n"
    )


def test_figures_are_left_out():
    figure = Figure(lambda: None, HOSTILE, "")
    assert as_latex(Document("title", (Section("Figures", (figure,)), Note("x")))) == "x\n"


def numbers_table(names, n_details=0):
    """Return a document with a column of numbers for each name; the last ones are details."""
    first_detail = len(names) - n_details
    columns = [Column(name, "number", is_detail=i >= first_detail) for i, name in enumerate(names)]
    row = ("a", *range(len(names)))
    note = Note("About the last column.", column=names[-1])
    return Document("title", (Table("numbers", (Column("name"), *columns), (row,)), note))


def test_tables_have_the_columns_of_the_text_unless_details_are_wanted():
    names = [f"column number {i}" for i in range(8)]
    document = numbers_table(names, n_details=5)
    left_out = [name for name in names if name not in as_text(document).split("left out")[0]]
    assert left_out == names[4:]
    assert "About the last column." not in as_text(document)
    text = as_latex(document)
    assert rf"name & {' & '.join(names[:4])} \\" in text
    comment = f"% Left out without details=True: {', '.join(names[4:])}"
    assert text.endswith(f"\\end{{table}}\n{comment}\n")
    details = as_latex(document, details=True)
    assert "% Left out" not in details
    assert "About the last column." in details
    assert all(column in details for column in names)


def test_long_headers_and_cells_are_broken_into_lines_at_spaces_and_after_underscores():
    columns = (Column("name"), Column("the_share of all_answers", "number"))
    name = "a_" * 30 + "w" * 60
    text = as_latex(Document("title", (Table("names", columns, ((name, 0.5),)),)))
    assert r"[b]{@{}r@{}}the\_share of \\ all\_answers\end{tabular} \\" in text
    layout, lines = re.search(r"tabular\}(\[t\]\S+\})(.*)\\end\{tabular\} & 0\.500", text).groups()
    assert layout == "[t]{@{}l@{}}"
    assert "".join(map(typeset, lines.split(r" \\ "))) == name


def test_paragraphs_and_headings_may_break_long_names_after_underscores():
    def note(text):
        return as_latex(Document("title", (Note(text),)))

    assert note("Words are hyphenated, cem_ord fits.") == "Words are hyphenated, cem\\_ord fits.\n"
    name = "quadratic\\_\\allowbreak{}weighted\\_\\allowbreak{}kappa"
    assert note("By quadratic_weighted_kappa.") == (
        f"\\begin{{sloppypar}}\nBy {name}.\n\\end{{sloppypar}}\n"
    )
    heading = as_latex(Document("title", (Section("quadratic_weighted_kappa", (Note("x"),)),)))
    assert heading.startswith(f"\\section*{{\\raggedright {name}}}\n")
