"""Documents as LaTeX, read back by interpreting the few commands used."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal._documents import Code, Document, Figure, Note, Section, as_latex
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
        "\\end{table}\n"
    )


def test_a_table_that_is_longer_than_a_page_is_a_longtable_with_the_header_on_each_page():
    assert "longtable" not in as_latex(table_of(map(str, range(35))))
    text = as_latex(table_of(map(str, range(36)), title="many names"))
    header = "\\toprule\nname & value \\\\\n\\midrule\n"
    assert text.startswith(
        "\\begin{longtable}{lr}\n"
        "\\caption{many names} \\\\\n"
        f"{header}\\endfirsthead\n{header}\\endhead\n"
        "0 & 0.000 \\\\\n"
    )
    assert text.endswith("35 & 35.000 \\\\\n\\bottomrule\n\\end{longtable}\n")


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
