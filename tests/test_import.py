"""What importing loads, and names that are loaded on first use."""

import ast
import importlib
import pydoc
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sklearn_ordinal

PACKAGES = sklearn_ordinal._ON_FIRST_USE


def run(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def packages_loaded_by(program):
    names = "{name.split('.')[1] for name in sys.modules if name.startswith('sklearn_ordinal.')}"
    return set(run(f"import sys; {program}; print(*{names})"))


def test_importing_loads_metrics_and_scorers_only():
    loaded = packages_loaded_by("import sklearn_ordinal")
    assert {"metrics", "scorers"} <= loaded
    assert loaded.isdisjoint({*PACKAGES, "_command_line"})


MAIN_JOB = """
import warnings
warnings.simplefilter("ignore")
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
import sklearn_ordinal as so
X, y = make_classification(60, n_informative=4, n_classes=3, random_state=0)
model = LogisticRegression()
cross_val_score(model, X, y, scoring="cem_ord", cv=2)
for report in (
    so.OrdinalReport.from_predictions(y, y),
    so.cross_val_report(model, X, y, cv=2),
    so.compare_estimators({"logistic": model}, X, y, cv=2),
):
    str(report), report._repr_html_()
"""


def test_reports_of_predictions_folds_and_estimators_load_no_room():
    pyproject = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(pyproject)["tool"]["importlinter"]["contracts"]
    layers = contracts[0]["layers"]
    above = " | ".join(layers[: layers.index("reports")]).split(" | ")
    assert {"_command_line", "groups"} < set(above)
    assert packages_loaded_by(f"exec({MAIN_JOB!r})").isdisjoint({*above, "datasets"})


def test_packages_are_attributes_without_further_imports():
    names = [
        f"{package}.{name}"
        for package in PACKAGES
        for name in importlib.import_module(f"sklearn_ordinal.{package}").__all__
    ]
    program = f"import sklearn_ordinal as so; print(*[so.{', so.'.join(names)}], sep='_')"
    run(program)


def test_all_public_names_are_listed_before_they_are_loaded():
    names = run("import sklearn_ordinal; print(*dir(sklearn_ordinal))")
    assert {*sklearn_ordinal.__all__, *PACKAGES, "scorers", "__version__"} <= set(names)
    assert names == sorted(names)


def test_a_star_import_has_all_public_names():
    names = run("from sklearn_ordinal import *; print(*dir())")
    assert {name for name in names if not name.startswith("_")} == {*sklearn_ordinal.__all__}


def test_type_checkers_see_the_names_that_are_loaded_on_first_use():
    tree = ast.parse(Path(sklearn_ordinal.__file__).read_text(encoding="utf-8"))
    (only_types,) = [
        node.body
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    imported = [
        (statement.module.removeprefix("sklearn_ordinal").lstrip("."), alias.name)
        for statement in only_types
        for alias in statement.names
        if alias.asname == alias.name
    ]
    packages = [("", package) for package in PACKAGES]
    assert imported == packages + [
        (package, name) for package in PACKAGES for name in PACKAGES[package]
    ]


@pytest.mark.parametrize("name", ["compare_estimator", "no_such_package", "__wrapped__"])
def test_unknown_names_raise_as_in_any_module(name):
    with pytest.raises(AttributeError, match=f"module 'sklearn_ordinal' has no attribute '{name}'"):
        getattr(sklearn_ordinal, name)
    with pytest.raises(ImportError, match=f"cannot import name '{name}' from 'sklearn_ordinal'"):
        exec(f"from sklearn_ordinal import {name}")


def test_help_describes_functions_and_classes_that_are_loaded_on_first_use():
    text = pydoc.plain(pydoc.render_doc(sklearn_ordinal))
    assert "    compare_estimators(estimators: " in text
    assert "    class GroupReport(" in text


def test_threads_may_load_the_same_names():
    program = (
        "from concurrent.futures import ThreadPoolExecutor; import sklearn_ordinal as so;"
        "names = [*so.__all__, *so._ON_FIRST_USE] * 4;"
        "found = ThreadPoolExecutor(16).map(lambda name: getattr(so, name), names);"
        "print(len([*found]) == len(names))"
    )
    assert run(program) == ["True"]
