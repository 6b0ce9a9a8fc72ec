"""The examples in the README print what it shows."""

import contextlib
import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import clone

import sklearn_ordinal
from sklearn_ordinal import decisions, get_metric, get_metric_names, inference, metrics

README = Path(__file__).parents[1] / "README.md"


def examples():
    pattern = r"```python\n(.*?)```\n\n```text\n(.*?)```"
    return re.findall(pattern, README.read_text(encoding="utf-8"), flags=re.S)


def test_examples_print_what_the_readme_shows():
    namespace = {}
    assert len(examples()) == 2
    for code, expected in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue().strip() == expected.strip()


def test_the_search_of_the_readme_also_works_alone_and_with_other_forms_of_the_classes():
    namespace = {}
    code = examples()[1][0].partition("print(")[0]
    exec(code, namespace)
    X, y, grades, search = (namespace[name] for name in ("X", "y", "grades", "search"))
    search = clone(search).set_params(error_score="raise")
    of_strings = search.fit(X, y).cv_results_["mean_test_score"]
    assert search.best_index_ == of_strings.argmax()
    by_name = search.set_params(scoring="cem_ord")
    for classes in (
        pd.Series(pd.Categorical(y, categories=grades, ordered=True)),
        np.array([grades.index(grade) for grade in y]),
    ):
        of_classes = by_name.fit(X, classes).cv_results_["mean_test_score"]
        assert of_classes == pytest.approx(of_strings, abs=0.02)
    with pytest.raises(ValueError, match=r"make_ordinal_scorer\(.*error_score=\"raise\""):
        by_name.fit(X, y)


def test_the_readme_shows_the_three_commands():
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"```\n(python -m pip .*?)\n```", text)
    wanted = ("python -m sklearn_ordinal", "python -m pytest", "sphinx-build -W --keep-going docs")
    # .ci/run takes the first two by their number.
    for command, what in zip(commands, wanted, strict=True):
        assert f" && {what}" in command


def test_it_is_short_and_the_first_screen_shows_a_plot_string_grades_and_a_verdict():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120
    first_screen = "\n".join(lines[:45])
    assert "](docs/_static/two_graders.svg)" in first_screen
    assert 'labels=["poor", "fair", "good"]' in first_screen
    assert "By cem_ord, svm beats " in first_screen


def test_the_plot_is_the_one_that_its_script_draws(tmp_path):
    pytest.importorskip("matplotlib")
    script = README.parent / "docs" / "two_graders.py"
    specification = importlib.util.spec_from_file_location("two_graders", script)
    two_graders = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(two_graders)
    two_graders.draw(tmp_path / "drawn.svg")
    drawn, committed = map(texts, (tmp_path / "drawn.svg", two_graders.FIGURE))
    assert drawn == committed
    # The words under the plot have the same numbers.
    first, second = re.findall(r"accuracy 0.75, CEM_ORD (\d\.\d\d)", "\n".join(committed))
    readme = README.read_text(encoding="utf-8").replace("\n", " ")
    assert f"CEM_ORD {first}, the second is off by two or three and has {second}." in readme


def test_the_numbers_of_criteria_and_the_names_in_the_table_are_right():
    text = README.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!you have|---)(.*) \|$", text, flags=re.M)
    assert len(rows) == 10
    labels = [name for name in get_metric_names() if get_metric(name).evidence.name == "labels"]
    assert f"`cem_ord_score` and {len(labels) - 1} other criteria" in rows[0]
    here = " ".join(row.split(" | ")[1] for row in rows)
    modules = (sklearn_ordinal, metrics, inference, decisions)
    for name in set(re.findall(r"`([A-Za-z_]+)`", here)):
        assert any(hasattr(module, name) for module in modules), name


def texts(path):
    """Return the texts of a figure, which matplotlib writes as comments beside their outlines."""
    return re.findall("<!-- (.*) -->", path.read_text(encoding="utf-8"))


def test_the_readme_and_the_site_say_how_to_cite():
    readme = README.read_text(encoding="utf-8")
    assert re.search(
        r'Cite the package as "The sklearn_ordinal developers, .* with its version', readme
    )
    front_page = (README.parent / "docs" / "index.rst").read_text(encoding="utf-8")
    assert "\nCite the package with its version" in front_page
    assert "10.18653/v1/2020.acl-main.363" in readme
    assert "[Amigo2020]_" in front_page
