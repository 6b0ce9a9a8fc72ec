"""Options of public functions refuse what they are not, before anything is computed."""

import importlib
import inspect
import math
from dataclasses import is_dataclass

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import OrdinalConfusion, metrics
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import Interval, compare_ranks, corrected_t_test
from sklearn_ordinal.plotting import (
    ComparisonDisplay,
    ErrorDistributionDisplay,
    FoldScoresDisplay,
    OrdinalConfusionMatrixDisplay,
)

PACKAGES = ["", *(f".{name}" for name in ("metrics", "scorers", "inference", "reports"))]
PACKAGES += [f".{name}" for name in ("plotting", "model_selection", "datasets")]
TRUE, PRED = [0, 1, 2, 2], [0, 2, 2, 1]
CONFUSION = OrdinalConfusion.from_predictions(TRUE, PRED)
INTERVAL = Interval(0.1, 0.0, 0.2, 0.95, 0)
TREE = DecisionTreeClassifier()
X, Y = np.zeros((6, 1)), [0, 1, 2, 0, 1, 2]


def comparison_display(**options):
    return ComparisonDisplay(
        {"a": INTERVAL}, adjusted_pvalues={"a": 0.5}, criterion="c", reference="r", **options
    )


CALLS = {
    ("OrdinalConfusion", "is_weighted"): lambda v: OrdinalConfusion([0, 1], np.eye(2), v),
    ("ordinal_report", "output_dict"): lambda v: sklearn_ordinal.ordinal_report(
        TRUE, PRED, output_dict=v
    ),
    **{
        (name, option): lambda v, call=call, option=option: call(X, Y, **{option: v})
        for name, call in {
            "compare_estimators": lambda *a, **k: sklearn_ordinal.compare_estimators(
                {"tree": TREE}, *a, cv=2, **k
            ),
            "cross_val_report": lambda *a, **k: sklearn_ordinal.cross_val_report(
                TREE, *a, cv=2, **k
            ),
        }.items()
        for option in ("return_estimator",)
    },
    ("cem_ord_score", "adjusted"): lambda v: metrics.cem_ord_score(TRUE, PRED, adjusted=v),
    ("mutual_information_score", "normalize"): lambda v: metrics.mutual_information_score(
        TRUE, PRED, normalize=v
    ),
    ("proximity_matrix", "log"): lambda v: metrics.proximity_matrix([1, 2], log=v),
    ("compare_ranks", "greater_is_better"): lambda v: compare_ranks(np.eye(4), greater_is_better=v),
    ("corrected_t_test", "greater_is_better"): lambda v: corrected_t_test(
        [0.1, 0.2], [0.2, 0.4], n_train=2, n_test=1, greater_is_better=v
    ),
    ("ComparisonDisplay", "greater_is_better"): lambda v: comparison_display(greater_is_better=v),
    ("ComparisonDisplay", "legend"): lambda v: comparison_display().plot(legend=v),
    ("ErrorDistributionDisplay", "legend"): lambda v: ErrorDistributionDisplay(CONFUSION).plot(
        legend=v
    ),
    ("FoldScoresDisplay", "legend"): lambda v: FoldScoresDisplay(
        {"a": [0.1, 0.2]}, {"a": INTERVAL}
    ).plot(legend=v),
    **{
        ("OrdinalConfusionMatrixDisplay", option): lambda v, option=option: (
            OrdinalConfusionMatrixDisplay(CONFUSION).plot(**{option: v})
        )
        for option in ("proximity", "include_values", "legend")
    },
    ("load_lev", "return_X_y"): lambda v: load_lev(return_X_y=v),
    ("load_lev", "as_frame"): lambda v: load_lev(as_frame=v),
    **{
        ("views", "details"): lambda v: [
            getattr(INTERVAL, to)(details=v) for to in ("to_text", "to_markdown", "to_latex")
        ]
    },
}


def boolean_options():
    """Yield the boolean options of public functions and of methods of public classes."""
    for package in PACKAGES:
        module = importlib.import_module(f"sklearn_ordinal{package}")
        for public in module.__all__:
            item = getattr(module, public)
            if inspect.isfunction(item):
                functions = {public: item}
            elif inspect.isclass(item):
                functions = dict(inspect.getmembers(item, inspect.isfunction))
                functions = {k: f for k, f in functions.items() if not k.startswith("_")}
                if not is_dataclass(item):
                    functions["__init__"] = item.__init__
            else:
                continue
            for function in functions.values():
                if not (function.__module__ or "").startswith("sklearn_ordinal."):
                    continue
                for name, parameter in inspect.signature(function).parameters.items():
                    if isinstance(parameter.default, bool):
                        yield ("views" if name == "details" else public), name


def test_each_boolean_option_is_called_here():
    assert set(boolean_options()) <= CALLS.keys()


@pytest.mark.parametrize(("public", "name"), CALLS, ids=map("-".join, CALLS))
def test_a_boolean_option_refuses_what_is_no_boolean(public, name):
    for value in ("no", None, 2):
        with pytest.raises(ValueError, match=f"{name} must be True or False, got {value!r}"):
            CALLS[public, name](value)


REPLACING = [
    name
    for name in metrics.__all__
    if "replace_undefined_by" in inspect.signature(getattr(metrics, name)).parameters
]


@pytest.mark.parametrize("name", REPLACING)
def test_a_replacement_is_a_number_also_where_the_value_is_defined(name):
    score = getattr(metrics, name)
    for value in ("x", None, True, [0.0], 1j):
        with pytest.raises(ValueError, match="replace_undefined_by must be a number, got"):
            score(TRUE, PRED, replace_undefined_by=value)
    for value in (0, 0.0, np.float32(0), math.nan):
        assert not math.isnan(np.min(score(TRUE, PRED, replace_undefined_by=value)))
