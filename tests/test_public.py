"""The public surface: names, signatures, docstrings."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest
from numpydoc.validate import validate

import sklearn_ordinal

SURFACE = {
    "sklearn_ordinal": [
        "OrdinalConfusion",
        "OrdinalReport",
        "get_scorer",
        "get_scorer_names",
        "make_ordinal_scorer",
        "metrics",
        "ordinal_report",
    ],
    "sklearn_ordinal.datasets": ["load_lev"],
    "sklearn_ordinal.metrics": [
        "cem_int_score",
        "cem_nom_score",
        "cem_ord_flat_score",
        "cem_ord_score",
        "kendall_tau_score",
        "linear_weighted_kappa_score",
        "macro_averaged_mean_absolute_error",
        "ordinal_mean_absolute_error",
        "proximity_matrix",
        "quadratic_weighted_kappa_score",
        "within_n_accuracy_score",
    ],
    "sklearn_ordinal.report": ["OrdinalReport", "ordinal_report"],
    "sklearn_ordinal.scorers": [
        "get_scorer",
        "get_scorer_names",
        "make_ordinal_scorer",
        "register_scorers",
        "unregister_scorers",
    ],
}
SCORERS = [
    "cem_int",
    "cem_nom",
    "cem_ord",
    "cem_ord_adjusted",
    "cem_ord_flat",
    "kendall_tau_a",
    "kendall_tau_b",
    "kendall_tau_c",
    "linear_weighted_kappa",
    "neg_macro_averaged_mean_absolute_error",
    "neg_ordinal_mean_absolute_error",
    "quadratic_weighted_kappa",
    "within_1_accuracy",
]
# No extended summary or example is demanded of methods, nor "See Also" of them.
NOT_FOR_METHODS = {"ES01", "EX01", "SA01"}
# Summaries may wrap; descriptions in "See Also" and of returns may be fragments.
NOT_DEMANDED = {"ES01", "GL01", "SA03", "SS06", "RT02"}


def public_objects():
    for module_name, names in SURFACE.items():
        for name in names:
            item = getattr(importlib.import_module(module_name), name)
            if inspect.ismodule(item):
                continue
            yield f"{module_name}.{name}"
            for method, _ in inspect.getmembers(item) if inspect.isclass(item) else ():
                if not method.startswith("_") and callable(getattr(item, method)):
                    yield f"{module_name}.{name}.{method}"


def test_the_public_names_are_these():
    modules = ["sklearn_ordinal"] + [
        module.name
        for module in pkgutil.iter_modules(sklearn_ordinal.__path__, "sklearn_ordinal.")
        if not module.name.split(".")[1].startswith("_")
    ]
    assert {name: sorted(importlib.import_module(name).__all__) for name in modules} == SURFACE


def test_the_scorer_names_are_these():
    assert sklearn_ordinal.get_scorer_names() == SCORERS


@pytest.mark.parametrize("name", list(public_objects()))
def test_docstrings_are_numpydoc(name):
    is_method = name.rsplit(".", 2)[1][0].isupper()
    exempt = NOT_DEMANDED | (NOT_FOR_METHODS if is_method else set())
    problems = [error for error in validate(name)["errors"] if error[0] not in exempt]
    assert problems == []


def test_importing_and_scoring_need_no_optional_library():
    command = (
        "import sys; sys.modules.update(pandas=None, polars=None, matplotlib=None);"
        "import sklearn_ordinal as so; print(so.metrics.cem_ord_score([0, 1], [0, 1]));"
        "print(so.ordinal_report([0, 1], [0, 1]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("1.0\n")
