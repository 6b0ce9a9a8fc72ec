"""Generated pages of the documentation."""

import importlib.util
import inspect
import pkgutil
import re
from pathlib import Path
from pydoc import locate
from xml.etree import ElementTree

import pytest

import sklearn_ordinal
from sklearn_ordinal._core.catalogue import METRICS

DOCS = Path(__file__).parents[1] / "docs"
# The installed package, since the tests of an archive run without its sources.
PACKAGE = Path(sklearn_ordinal.__file__).parent
BIBLIOGRAPHY = DOCS / "reference" / "bibliography.rst"
SINCE_SCIKIT_LEARN_1_6 = {"sklearn.frozen.FrozenEstimator"}
PUBLIC_MODULES = ["sklearn_ordinal"] + [
    f"sklearn_ordinal.{module.name}"
    for module in pkgutil.iter_modules(sklearn_ordinal.__path__)
    if not module.name.startswith("_")
]


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
    titles = {metric.evidence.title for metric in METRICS.values()}
    assert len(rows) == len(titles) + len(METRICS)
    for name, metric in METRICS.items():
        row = next(row for row in text.split("   * -")[2:] if f"`{name}" in row)
        assert row.count("\n     -") == len(module.HEADER) - 1
        assert f":column-name:`prefer it:` {metric.prefer}" in row
        assert re.search(r"\(\d{4}\)|scikit-learn", row)


def test_each_module_has_a_line_on_the_layout_page_and_each_package_a_place_in_the_drawing(
    tmp_path,
):
    load("code_layout").write(tmp_path)
    text = (tmp_path / "code_layout.rst").read_text(encoding="utf-8")
    listed = {}
    for title, lines in re.findall(r"^``(\w+)``\n~+\n((?:.+\n|\n(?=-))+)", text, flags=re.M):
        package = f"sklearn_ordinal.{title}".removesuffix(".sklearn_ordinal")
        listed[package], *_ = lines.splitlines()
        for name, line in re.findall(r"^- ``(\w+)``: (.*)$", lines, flags=re.M):
            listed[f"{package}.{name}"] = line
    modules = list(pkgutil.walk_packages(sklearn_ordinal.__path__, "sklearn_ordinal."))
    assert listed.keys() == {"sklearn_ordinal", *(module.name for module in modules)}
    assert [name for name, line in listed.items() if not line.endswith(".")] == []
    drawn = ElementTree.parse(tmp_path / "code_layout.html").getroot()
    links = [link for link in drawn.iter() if link.get("href")]
    packages = {module.name.split(".")[1] for module in modules if module.ispkg}
    assert sorted("".join(link.itertext()) for link in links) == sorted(packages)
    assert all(f".. _{link.get('href')[1:]}:" in text for link in links)


def names_in(text):
    """Return the names for which a page with autosummary tables makes pages."""
    module, names = "", []
    for line in text.splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.removeprefix(".. currentmodule:: ")
        elif re.fullmatch(r"   [\w.]+", line):
            names.append(f"{module}.{line.strip()}")
    return names


def test_each_public_name_has_a_page_of_the_reference(tmp_path):
    load("metric_functions").write(tmp_path / "metric_functions.rst")
    pages = [DOCS / "api.rst", tmp_path / "metric_functions.rst"]
    names = [name for page in pages for name in names_in(page.read_text(encoding="utf-8"))]
    documented = [locate(name) for name in names]
    assert None not in documented, names[documented.index(None)]
    assert len(set(map(id, documented))) == len(names), "a name has two pages"
    without = [
        f"{module.__name__}.{name}"
        for module in map(importlib.import_module, PUBLIC_MODULES)
        for name in module.__all__
        if not inspect.ismodule(getattr(module, name))
        and not any(getattr(module, name) is known for known in documented)
    ]
    assert without == []


def test_names_of_other_packages_lead_to_what_they_are():
    found = [
        line.split()
        for path in sorted((DOCS / "inventories").glob("*.inv"))
        for line in path.read_text(encoding="utf-8").splitlines()[3:]
    ]
    assert len(found) > 30
    for name, kind, page in found:
        known = locate(name)
        if known is None and name in SINCE_SCIKIT_LEARN_1_6:
            continue
        assert known is not None, name
        assert (kind in ("class", "exception")) == isinstance(known, type), name
        assert page.endswith(".html")


def test_signatures_show_annotations_as_they_are_written():
    pytest.importorskip("sphinx")
    as_written = load("signatures").as_written
    signature = as_written("function", sklearn_ordinal.metrics.closeness_costs)
    assert signature == "(class_counts: ArrayLike) -> NDArray[np.float64]"
    method = as_written("method", sklearn_ordinal.OrdinalReport.losses)
    assert not method.startswith("(self")
    of_class = as_written("class", sklearn_ordinal.OrdinalReport)
    assert of_class.endswith("provenance: Provenance | None = None)")
    assert "metrics: Mapping[str, OrdinalMetric] = {}," in of_class


@pytest.mark.parametrize("folder", ["guide", "reference", "tutorials"])
def test_each_page_is_in_one_table_of_contents(folder):
    pages = {
        path.relative_to(DOCS / folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in DOCS.glob(f"{folder}/**/*.rst")
    }
    trees = re.findall(
        r"\.\. toctree::\n(?:   :.*\n)*\n((?:   [\w/]+\n)+)", "\n".join(pages.values())
    )
    listed = [name for tree in trees for name in tree.split()]
    assert sorted([*listed, "index"]) == sorted(pages)


def test_each_chapter_of_the_guide_leads_to_the_next():
    text = (DOCS / "guide" / "index.rst").read_text(encoding="utf-8")
    parts = {
        caption: re.findall(r"\w+", names)
        for caption, names in re.findall(
            r"\.\. toctree::\n   :caption: (.+)\n   :maxdepth: 1\n\n((?:   \w+\n)+)", text
        )
    }
    # No path needs the last part.
    assert parts.pop("Theory and evidence")
    chapters = [name for names in parts.values() for name in names]
    assert len(chapters) == 26
    leads = {}
    for name in chapters:
        page = (DOCS / "guide" / f"{name}.rst").read_text(encoding="utf-8")
        last = re.search(r"^(?:Next: |Where to go on\n-+\n\n- ):doc:`([\w/.]+)`", page, flags=re.M)
        leads[name] = last[1]
    following = dict(zip(chapters, [*chapters[1:], "../tutorials/judges"], strict=True))
    assert leads == following
    # A path never leads back.
    table = text.partition("paths through the guide")[2]
    paths = re.findall(r"^   \* - .+\n     - (.+\n(?:       .+\n)*)", table, flags=re.M)
    assert len(paths) == 1 + 5
    for path in paths:
        places = [
            chapters.index(name) for name in re.findall(r":doc:`(\w+)`", path.split("then")[0])
        ]
        assert places == sorted(places), path


def test_the_front_page_has_code_a_report_a_plot_and_four_doors():
    text = (DOCS / "index.rst").read_text(encoding="utf-8")
    first_code = re.search(r"\n((?:>>> .*\n)+)(?=[^>])(.+)\n", text)
    assert len(first_code[1].splitlines()) == 4
    assert first_code[2].startswith("(0.")
    assert "Classes, from the lowest to the highest" in text
    assert re.search(r"\.\. plot::\n   :context:\n   :alt: .{20,}", text)
    doors = re.findall(r"grid-item-card:: .*\n +:link: (.*)\n", text)
    assert len(doors) == 4
    assert all((DOCS / f"{door}.rst").exists() for door in doors)


def test_the_decision_tree_has_seven_questions_and_a_link_for_each_criterion(tmp_path):
    module = load("decision_tree")
    module.write(tmp_path)
    drawn = ElementTree.parse(tmp_path / "decision_tree.html").getroot()
    space = "{http://www.w3.org/2000/svg}"
    words = {"question": [], "criterion": []}
    for group in drawn.iter():
        if group.get("class") in words:
            label = " ".join(text.text for text in group.iter(f"{space}text"))
            words[group.get("class")].append((label, group.get("href")))
    assert len(words["question"]) == 7
    listed = (tmp_path / "decision_tree.rst").read_text(encoding="utf-8")
    assert re.findall(r"#\. \*(.+?)\*", listed) == [label for label, _ in words["question"]]
    links = re.findall(r"`([^`<]+) <([\w.]+)>`", listed)
    assert [label for label, _ in links] == [label for label, _ in words["criterion"]]
    for (_, name), (_, address) in zip(links, words["criterion"], strict=True):
        assert address.endswith(f"/{name}.html") or address.endswith(f".{name}.html")
        assert locate(name) is not None
    assert {"CEM_ORD", "accuracy", "macro F1", "mean absolute error"} < {
        label for label, _ in links
    }
    assert {"ranked probability score", "quadratic weighted kappa"} < {label for label, _ in links}


def test_each_chapter_that_compares_has_a_figure_and_each_figure_says_what_it_shows():
    figure = re.compile(r"\.\. (?:plot|image|figure)::.*\n((?:   +\S.*\n)*)")
    without = set()
    for path in DOCS.glob("guide/**/*.rst"):
        options = figure.findall(path.read_text(encoding="utf-8"))
        shown = [text for text in options if ":nofigs:" not in text]
        assert all(re.search(r":alt: .{20,}", text) for text in shown), path.name
        if not shown:
            without.add(path.stem)
    # These chapters say how something is called, and compare nothing.
    calls = {"start", "order", "scorers", "criteria", "tables", "command_line", "index"}
    # The functions about criteria return numbers.
    assert without <= calls | {"evidence_tables", "questions", "proofs", "meta_evaluation"}


def test_the_figure_of_coverage_has_the_default_method_of_each_metric(tmp_path):
    pytest.importorskip("matplotlib")
    module = load("coverage_figure")
    coverage = module.read()
    table = module.TABLE.read_text(encoding="utf-8").split(".. list-table::")[1]
    assert set(coverage) <= set(METRICS)
    assert len(coverage) == table.count("\n   * - ") - 1
    for name, by_setting in coverage.items():
        cell = re.search(rf"\* - {name}\n     - (.+)\n", table)[1].split(" / ")
        method = ["bca", "percentile", "basic"].index(METRICS[name].interval_method)
        assert cell[method] == f"**{by_setting['even, 30']}**"
    module.write(tmp_path)
    assert module.NAMED.keys() < coverage.keys()
    assert (tmp_path / "coverage.svg").read_text(encoding="utf-8").startswith("<?xml")


FAMILIES = {path.stem: path for path in (DOCS / "guide" / "families").glob("*.rst")}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_page_of_a_family_answers_the_same_questions(family):
    text = FAMILIES[family].read_text(encoding="utf-8")
    assert text.count("\n") <= 150
    titles = re.findall(r"^(.+)\n-+$", text, flags=re.M)
    expected = ["Formula", "A matrix by hand", "What an error costs", "Chance and range"]
    expected += ["When it misleads", "Names elsewhere"]
    others = {"With a pencil": "A matrix by hand", "What errors cost": "What an error costs"}
    assert [others.get(title, title) for title in titles] == expected
    assert re.search(r"\[\w+\d{4}\]_\W+\.\. math::", text)
    assert re.search(r"\.\. plot::\n   :alt: .{20,}", text)


def test_tree_and_tables_lead_to_the_page_of_each_family(tmp_path):
    load("criteria_table").write(tmp_path / "table.rst")
    load("decision_tree").write(tmp_path)
    rows = (tmp_path / "table.rst").read_text(encoding="utf-8")
    assert len(re.findall(r", in :doc:`\w+ <families/\w+>`", rows)) == len(METRICS)
    assert set(re.findall(r"<families/(\w+)>", rows)) == set(FAMILIES)
    tree = (tmp_path / "decision_tree.rst").read_text(encoding="utf-8")
    listed = re.findall(r"<families/(\w+)>", tree)
    assert len(listed) == 8
    drawn = ElementTree.parse(tmp_path / "decision_tree.html").getroot()
    links = [link for link in drawn.iter() if link.get("class") in ("criterion", "family")]
    assert [link.get("href") for link in links[1::2]] == [
        f"families/{family}.html" for family in listed
    ]
    assert set(listed) < set(FAMILIES)
    for criterion, family in zip(links[::2], links[1::2], strict=True):
        name = criterion.get("aria-label")
        assert family.get("aria-label") == f"formula and example of {name}"


def test_the_documentation_of_a_metric_leads_to_the_page_of_its_family(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(DOCS)
    add_link = load("family_links").add_link
    linked = set()
    for name in sklearn_ordinal.metrics.__all__:
        lines = inspect.getdoc(getattr(sklearn_ordinal.metrics, name)).splitlines()
        add_link(f"sklearn_ordinal.metrics.{name}", lines)
        start = lines.index("Parameters")
        if match := re.match(r"See :doc:`/guide/families/(\w+)` for", lines[start - 2]):
            linked.add(name)
            assert match[1] in FAMILIES
    documented = {
        metric.function.__name__
        for metric in METRICS.values()
        if not metric.is_sklearns and metric.function is not None
    }
    assert linked >= documented & set(sklearn_ordinal.metrics.__all__)
    assert {"closeness_costs", "reliability_sensitivity", "weighted_kappa_score"} < linked
    assert "split_measures" not in linked


def test_each_formula_is_rendered():
    pytest.importorskip("sphinx")
    pytest.importorskip("docutils", minversion="0.22")
    to_mathml = load("mathml").to_mathml
    sources = [*PACKAGE.glob("**/*.py"), *DOCS.glob("**/*.rst")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    inline = re.findall(r":math:`(.*?)`", text, flags=re.S)
    blocks = re.findall(r"\.\. math::\s+(.*?)\n\s*\n", text, flags=re.S)
    assert len(inline) + len(blocks) > 30
    for tex in inline:
        assert to_mathml(tex, as_block=False).startswith("<math")
    for tex in blocks:
        assert 'display="block"' in to_mathml(tex, as_block=True)


def test_names_break_after_underscores_but_code_and_drawings_do_not():
    pytest.importorskip("sphinx")
    kept = "<pre>macro_mean</pre><svg><text>macro_mean</text></svg>"
    html = f'<a href="a_b.html">macro_mean</a>{kept} 0.5 x.y'
    expected = f'<a href="a_b.html">macro_<wbr>mean</a>{kept} 0.5 x.<wbr>y'
    assert load("line_breaks").add_breaks(html) == expected


def test_long_names_of_classes_break_between_their_words():
    pytest.importorskip("sphinx")
    html = '<h1 id="CoverageCurveDisplay">CoverageCurveDisplay</h1> OrdinalReport LightGBM'
    expected = html.replace(">CoverageCurveDisplay", ">Coverage<wbr>Curve<wbr>Display")
    assert load("line_breaks").add_breaks(html) == expected


def test_expressions_link_the_functions_they_call():
    pytest.importorskip("sphinx")
    expression = "np.sqrt(sk.f1_score(y)) + metrics.kendall_tau_score(y, z) - sk.name"
    expected = ["sklearn.metrics.f1_score", "sklearn_ordinal.metrics.kendall_tau_score"]
    assert load("linked_expressions").full_names(expression) == expected


@pytest.mark.parametrize(
    ("page", "tests"),
    [
        ("reference/recipes", ["recipes"]),
        ("guide/training", ["objective", "networks"]),
    ],
)
def test_each_recipe_shows_lines_of_a_test(page, tests):
    text = (DOCS / f"{page}.rst").read_text(encoding="utf-8")
    shown = re.findall(r"test_(\w+)\.py\n   :start-after: (\[\w+\])", text)
    assert {name for name, _ in shown} == set(tests)
    for name in tests:
        source = DOCS.parent / "tests" / "ecosystem" / f"test_{name}.py"
        marks = re.findall(r"# (\[\w+\])", source.read_text(encoding="utf-8"))
        assert marks == [mark for test, start in shown if test == name for mark in (start, "[end]")]


def test_each_citation_has_one_entry_in_the_bibliography_which_is_sorted():
    entries = re.findall(r"^\.\. \[(\w+)\]", BIBLIOGRAPHY.read_text(encoding="utf-8"), flags=re.M)
    assert entries == sorted(set(entries), key=str.lower)
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*/*.rst")]
    cited = set(re.findall(r"\[([A-Z]\w+)\]_", "\n".join(pages)))
    assert cited - set(entries) == set()


def test_the_glossary_is_sorted_and_pages_link_its_terms():
    terms = re.findall(
        r"^   (\w.+)$", (BIBLIOGRAPHY.parent / "glossary.rst").read_text("utf-8"), flags=re.M
    )
    assert terms == sorted(terms)
    pages = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*/*.rst"))
    linked = re.findall(r":term:`(?:[^`<]+<)?([^`>]+)>?`", pages)
    assert set(linked) <= set(terms)


def test_each_full_name_on_a_page_exists():
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*/*.rst")]
    names = set(re.findall(r"(?<!`)[`<]~?(sklearn_ordinal(?:\.\w+)+)[`>]", "\n".join(pages)))
    assert len(names) > 50
    assert [name for name in sorted(names) if locate(name) is None] == []


def test_each_source_of_a_docstring_is_in_the_bibliography():
    sources = [*PACKAGE.glob("**/*.py"), *DOCS.glob("**/*.rst")]
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


def test_logistic_regressions_whose_figures_are_printed_converge():
    """With the default tolerance, L-BFGS stops where the rounding of the processor decides."""
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.rst"), *DOCS.glob("gallery/*.py")]
    texts = [path.read_text(encoding="utf-8") for path in [*pages, *PACKAGE.rglob("*.py")]]
    options = [call for text in texts for call in re.findall(r"LogisticRegression\((.*?)\)", text)]
    assert len(options) > 10
    assert set(options) <= {'solver="newton-cholesky"', "tol=1e-8"}
