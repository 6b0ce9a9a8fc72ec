"""Generated pages of the documentation."""

import importlib.util
import re
from pathlib import Path

import pytest

from sklearn_ordinal._core import METRICS

DOCS = Path(__file__).parents[1] / "docs"
BIBLIOGRAPHY = DOCS / "reference" / "bibliography.rst"


def load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_criteria_has_a_full_row_for_each_metric(tmp_path):
    module = load("criteria_table")
    module.write(tmp_path / "table.rst")
    text = (tmp_path / "table.rst").read_text(encoding="utf-8")
    rows = [re.findall(r"- (.*)", row) for row in text.split("   * -")[1:]]
    assert len(rows) == len(module.TITLES) + len(METRICS)
    for name, metric in METRICS.items():
        row = next(row for row in text.split("   * -")[2:] if f"`{name}" in row)
        assert row.count("\n     -") == len(module.HEADER) - 1
        assert f":column-name:`prefer it:` {metric.prefer}" in row
        assert re.search(r"\(\d{4}\)|scikit-learn", row)


@pytest.mark.parametrize("folder", ["guide", "reference", "tutorials"])
def test_each_page_is_in_one_table_of_contents(folder):
    pages = list(DOCS.glob(f"{folder}/*.rst"))
    texts = [page.read_text(encoding="utf-8") for page in pages]
    trees = re.findall(r"\.\. toctree::\n(?:   :.*\n)*\n((?:   \w+\n)+)", "\n".join(texts))
    listed = [name for tree in trees for name in tree.split()]
    assert sorted([*listed, "index"]) == sorted(page.stem for page in pages)


def test_the_front_page_has_code_with_its_output_and_a_plot():
    text = (DOCS / "index.rst").read_text(encoding="utf-8")
    plot = re.search(r"\.\. plot::\n   :alt: .*(?:\n      .*)*\n((?:\n|   .*\n)+)", text)[1]
    assert re.search(r"^   [^>\s]", plot, flags=re.M), "no output"
    assert "plot_" in plot


def test_each_formula_is_rendered():
    pytest.importorskip("sphinx")
    pytest.importorskip("docutils", minversion="0.22")
    to_mathml = load("mathml").to_mathml
    sources = [*DOCS.parent.glob("sklearn_ordinal/**/*.py"), *DOCS.glob("**/*.rst")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    inline = re.findall(r":math:`(.*?)`", text, flags=re.S)
    blocks = re.findall(r"\.\. math::\s+(.*?)\n\s*\n", text, flags=re.S)
    assert len(inline) + len(blocks) > 30
    for tex in inline:
        assert to_mathml(tex, as_block=False).startswith("<math")
    for tex in blocks:
        assert 'display="block"' in to_mathml(tex, as_block=True)


def test_names_break_after_underscores_but_code_does_not():
    pytest.importorskip("sphinx")
    html = '<a href="a_b.html">macro_mean</a><pre>macro_mean</pre> 0.5 x.y'
    expected = '<a href="a_b.html">macro_<wbr>mean</a><pre>macro_mean</pre> 0.5 x.<wbr>y'
    assert load("line_breaks").add_breaks(html) == expected


@pytest.mark.parametrize(("page", "tests"), [("recipes", "recipes"), ("decisions", "objective")])
def test_each_recipe_shows_lines_of_a_test(page, tests):
    page = (DOCS / "guide" / f"{page}.rst").read_text(encoding="utf-8")
    tests = DOCS.parent / "tests" / "ecosystem" / f"test_{tests}.py"
    shown = re.findall(r":start-after: (\[\w+\])", page)
    marks = re.findall(r"# (\[\w+\])", tests.read_text(encoding="utf-8"))
    assert marks == [mark for name in shown for mark in (name, "[end]")]


def test_each_citation_has_one_entry_in_the_bibliography_which_is_sorted():
    entries = re.findall(r"^\.\. \[(\w+)\]", BIBLIOGRAPHY.read_text(encoding="utf-8"), flags=re.M)
    assert entries == sorted(set(entries), key=str.lower)
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*/*.rst")]
    cited = set(re.findall(r"\[([A-Z]\w+)\]_", "\n".join(pages)))
    assert cited - set(entries) == set()


def test_each_source_of_a_docstring_is_in_the_bibliography():
    sources = [*DOCS.parent.glob("sklearn_ordinal/**/*.py"), *DOCS.glob("**/*.rst")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    reference = r"\.\. \[\d+\] [^\"]*?\(\d{4}\)[^\"]*?\"(\w.*?)\""
    titles = re.findall(reference, text, flags=re.S)
    bibliography = BIBLIOGRAPHY.read_text(encoding="utf-8")
    dois = {doi for doi in re.findall(r":doi:`(.+?)`", text) if doi.startswith("10.")}
    assert len(dois) > 50
    assert [doi for doi in dois if f":doi:`{doi}`" not in bibliography] == []
    known = " ".join(bibliography.lower().split())
    titles = {" ".join(title.lower().split()).rstrip(",") for title in titles}
    assert len(titles) > 50
    assert [title for title in titles if f'"{title}"' not in known] == []
