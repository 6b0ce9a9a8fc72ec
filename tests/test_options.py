"""Options of the wrong type are rejected before anything is computed."""

import importlib
import inspect
import math
from dataclasses import is_dataclass
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalReport,
    OrdinalScale,
    metrics,
    ordinal_metric,
)
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import (
    Interval,
    bayesian_correlated_t_test,
    bootstrap_interval,
    compare_ranks,
    corrected_t_test,
)
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from sklearn_ordinal.plotting import (
    ComparisonDisplay,
    CriticalDifferenceDisplay,
    ErrorDistributionDisplay,
    FoldScoresDisplay,
    IntervalsDisplay,
    OrdinalConfusionMatrixDisplay,
)
from sklearn_ordinal.prediction_sets._prediction_set_report import PredictionSetsDisplay

PACKAGES = ["", *(f".{name}" for name in ("metrics", "scorers", "inference", "reports"))]
PACKAGES += [f".{name}" for name in ("plotting", "model_selection", "datasets", "groups")]
PACKAGES += [f".{name}" for name in ("systems", "raters", "prediction_sets")]
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
    **{
        (error.__name__, "per_item"): lambda v, error=error: error(np.eye(2), np.eye(2), per_item=v)
        for error in (metrics.manhattan_error, metrics.wasserstein_error)
    },
    ("ordinal_report", "output_dict"): lambda v: sklearn_ordinal.ordinal_report(
        TRUE, PRED, output_dict=v
    ),
    ("ordinal_report", "diagnostics"): lambda v: sklearn_ordinal.ordinal_report(
        TRUE, PRED, diagnostics=v
    ),
    ("ordinal_report", "intervals"): lambda v: sklearn_ordinal.ordinal_report(
        TRUE, PRED, intervals=v
    ),
    ("OrdinalReport", "intervals"): lambda v: OrdinalReport.from_predictions(
        TRUE, PRED, intervals=v
    ),
    ("OrdinalReport", "diagnostics"): lambda v: OrdinalReport.from_predictions(
        TRUE, PRED, diagnostics=v
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
    ("ranked_probability_score", "normalize"): lambda v: metrics.ranked_probability_score(
        TRUE, np.eye(3)[PRED], normalize=v
    ),
    ("proximity_matrix", "log"): lambda v: metrics.proximity_matrix([1, 2], log=v),
    ("compare_ranks", "greater_is_better"): lambda v: compare_ranks(np.eye(4), greater_is_better=v),
    ("corrected_t_test", "greater_is_better"): lambda v: corrected_t_test(
        [0.1, 0.2], [0.2, 0.4], n_train=2, n_test=1, greater_is_better=v
    ),
    ("ComparisonDisplay", "greater_is_better"): lambda v: comparison_display(greater_is_better=v),
    ("ComparisonDisplay", "legend"): lambda v: comparison_display().plot(legend=v),
    ("PredictionSetsDisplay", "legend"): lambda v: PredictionSetsDisplay(
        [INTERVAL], [1.0], target_names=["a"]
    ).plot(legend=v),
    ("ErrorDistributionDisplay", "legend"): lambda v: ErrorDistributionDisplay(CONFUSION).plot(
        legend=v
    ),
    ("IntervalsDisplay", "legend"): lambda v: IntervalsDisplay(
        ["a"], {"b": [[0.5], [0.4], [0.6]]}, label="c"
    ).plot(legend=v),
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


def lambda_of_counts(counts):
    return counts.sum(axis=(-2, -1))


ODD = {
    "names of systems": (
        lambda: CriticalDifferenceDisplay([1, 2], n_data_sets=3),
        "average_ranks must be a dict with names as keys, got a list",
    ),
    "names of folds": (
        lambda: FoldScoresDisplay([1, 2], {"a": INTERVAL}),
        "scores must be a dict with names as keys, got a list",
    ),
    "names of differences": (
        lambda: ComparisonDisplay(
            {"a": INTERVAL}, adjusted_pvalues=[0.1], criterion="c", reference="r"
        ),
        "adjusted_pvalues must be a dict with names as keys, got a list",
    ),
    "swapped arguments of a display": (
        lambda: OrdinalConfusionMatrixDisplay.from_estimator(TRUE, PRED, TREE),
        r"estimator must be a fitted classifier, got a list: the arguments are \(estimator, X, y\)",
    ),
    "swapped arguments of a report": (
        lambda: OrdinalReport.from_estimator(TRUE, PRED, TREE),
        r"estimator must be a fitted classifier, got a list: the arguments are \(estimator, X, y\)",
    ),
    "lowest class": (lambda: OrdinalScale.from_run("a", 2), "lowest must be an integer, got 'a'"),
    "number of classes": (
        lambda: OrdinalScale.from_run(0, 0),
        "n_classes must be a positive integer, got 0",
    ),
    "complex probabilities": (
        lambda: OrdinalScale.from_labels([0, 1]).align([[1j, 1]], [0, 1]),
        "y_proba must hold numbers, got complex numbers",
    ),
    "no confusions": (
        lambda: OrdinalConfusion.stack(5),
        "confusions must be a sequence of OrdinalConfusion",
    ),
    "metrics without an order": (
        lambda: bootstrap_interval(TRUE, PRED, {"cem_ord": 1}.keys()),
        "metrics must be a metric or a list of them, in order, got a dict_keys",
    ),
    "statistic": (
        lambda: ordinal_metric("cem_ord", greater_is_better=True),
        "statistic must be a function of counts, got 'cem_ord'",
    ),
    "decorated": (
        lambda: ordinal_metric(greater_is_better=True)(5),
        "ordinal_metric must decorate a function, got 5",
    ),
    **{
        f"properties {properties!r}": (
            lambda properties=properties: ordinal_metric(
                greater_is_better=True, properties=properties
            )(lambda_of_counts),
            "properties must be a collection of .* got",
        )
        for properties in (5, "invariant", {"inwariant"})
    },
    "groups of folds": (
        lambda: sklearn_ordinal.cross_val_report(TREE, X, Y, cv=2, groups=np.nan),
        "groups must be one-dimensional, got a float",
    ),
    "params": (
        lambda: sklearn_ordinal.cross_val_report(TREE, X, Y, cv=2, params=[]),
        "params must be a dict with names as keys, got a list",
    ),
    "class of a splitter": (
        lambda: sklearn_ordinal.cross_val_report(TREE, X, Y, cv=KFold),
        "cv must be a number of folds, a splitter or splits, got <class",
    ),
    "unanswered": (
        lambda: metrics.cem_ord_score(TRUE, PRED, unanswered=pd.NA),
        r"unanswered must be one of \('raise', 'count'\), got <NA>",
    ),
    "scale of proximities": (
        lambda: metrics.proximity_matrix([1, 2], scale=np.array([])),
        "scale must be one of .* got array",
    ),
    "names of weights": (
        lambda: metrics.weighted_kappa_score(TRUE, PRED, weights=slice(3)),
        "weights must be one of .* or a matrix, got slice",
    ),
    "measures": (
        lambda: metrics.split_measures(TRUE, PRED, measures=np.array("f1")),
        "measures must be a sequence of names, got array",
    ),
    "a single array of confusions": (
        lambda: OrdinalConfusion.stack(np.array(1)),
        "confusions must be a sequence of OrdinalConfusion",
    ),
    "labels of a scale": (
        lambda: OrdinalScale({"low", "high"}),
        "labels must be a sequence, such as a list, got a set",
    ),
    "many classes": (
        lambda: OrdinalScale.from_run(0, 2**63),
        "n_classes must be at most 10,000, got 9223372036854775808",
    ),
    "class beyond 64 bits": (
        lambda: OrdinalScale.from_run(2**64 - 1, 2),
        "lowest must be such that all classes fit into 64 bits, got 18446744073709551615",
    ),
    "class on several lines": (
        lambda: OrdinalScale.from_run(0, 2).position(np.zeros((2, 2))),
        r"label must be on the scale \[0, 1\], got array",
    ),
    "repeated label on several lines": (
        lambda: OrdinalScale.from_labels(["a\nb", "a\nb"]),
        r"labels must name each class once, but these classes are repeated: a\\nb",
    ),
    "sizes of classes of a scorer": (
        lambda: sklearn_ordinal.make_ordinal_scorer("cem_ord", class_counts=[[1], [2, 3]]),
        "class_counts must hold numbers, got rows of different lengths",
    ),
    "name of a scorer": (
        lambda: sklearn_ordinal.make_ordinal_scorer(pd.Series(["cem_ord", "accuracy"])),
        "name must be one of .* got 0 cem_ord",
    ),
    "random state": (
        lambda: bootstrap_interval(TRUE, PRED, "cem_ord", random_state=np.eye(2)),
        "random_state must be None, an integer",
    ),
    "digits of a view": (
        lambda: INTERVAL.to_text(digits=np.eye(2)),
        "digits must be a non-negative integer, got array",
    ),
    **{
        f"{name} of {value!r:.20}": (
            lambda call=call, value=value: call(value),
            f"{name} must ",
        )
        for name, call in {
            "n": lambda v: metrics.within_n_accuracy_score(TRUE, PRED, n=v),
            "beta": lambda v: metrics.ordinal_classification_index(TRUE, PRED, beta=v),
            "gamma": lambda v: metrics.ordinal_classification_index(TRUE, PRED, gamma=v),
            "replace_undefined_by": lambda v: metrics.kendall_tau_score(
                TRUE, PRED, replace_undefined_by=v
            ),
            "n_train": lambda v: corrected_t_test([0.1, 0.2], [0.2, 0.4], n_train=v, n_test=1),
            "rope": lambda v: bayesian_correlated_t_test(
                [0.1, 0.2], [0.2, 0.4], n_train=2, n_test=1, rope=v
            ),
            "n_resamples": lambda v: bootstrap_interval(TRUE, PRED, "cem_ord", n_resamples=v),
            "zero_division": lambda v: sklearn_ordinal.ordinal_report(TRUE, PRED, zero_division=v),
            "sample_weight": lambda v: metrics.cem_ord_score(TRUE, PRED, sample_weight=[v] * 4),
        }.items()
        # NumPy calls a timedelta64 an integer; the others cannot become floats.
        for value in (np.timedelta64(1, "s"), 10**400, Decimal("sNaN"))
    },
    **{
        f"{argument} as {value!r:.20}": (
            lambda options=options: CriticalDifferenceDisplay(
                **{"average_ranks": {"a": 1, "b": 2}, "n_data_sets": 3} | options
            ),
            f"{argument} must be ",
        )
        for argument, value, options in [
            *(
                ("average_ranks", rank, {"average_ranks": {"a": rank, "b": 2}})
                for rank in ("1", math.nan, 0.5, 3)
            ),
            *(("groups", groups, {"groups": groups}) for groups in (None, "ab", [1])),
            *(
                ("critical_difference", size, {"critical_difference": size})
                for size in ("1", math.nan, -1, 0, math.inf)
            ),
        ]
    },
    "scores of folds in words": (
        lambda: FoldScoresDisplay({"a": ["high"]}, {"a": INTERVAL}),
        "scores must hold numbers, got strings",
    ),
    "a single score of folds": (
        lambda: FoldScoresDisplay({"a": 0.5}, {"a": INTERVAL}),
        r"scores must be one-dimensional for each name, got shape \(\)",
    ),
    "intervals of folds": (
        lambda: FoldScoresDisplay({"a": [0.5]}, {"a": 0.5}),
        "intervals must be intervals with the attributes .* got 0.5 for 'a'",
    ),
    "differences": (
        lambda: ComparisonDisplay(
            {"a": None}, adjusted_pvalues={"a": 0.1}, criterion="c", reference="r"
        ),
        "differences must be intervals with the attributes .* got None for 'a'",
    ),
    "p-values": (
        lambda: ComparisonDisplay(
            {"a": INTERVAL}, adjusted_pvalues={"a": None}, criterion="c", reference="r"
        ),
        "adjusted_pvalues must be a number, got None",
    ),
    "baselines": (
        lambda: FoldScoresDisplay({"a": [1]}, {"a": INTERVAL}, baselines=np.array("a")),
        "baselines must be a list of names, got array",
    ),
    "constant": (
        lambda: OrdinalDummyClassifier("constant", constant=[0, 1]).fit(X, Y),
        r"constant must be one of the classes in y, \[0, 1, 2\], got \[0, 1\]",
    ),
}


@pytest.mark.parametrize(("call", "message"), ODD.values(), ids=ODD)
def test_an_argument_of_the_wrong_type_is_an_error_that_names_it(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


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


def test_every_boolean_option_is_tested():
    assert set(boolean_options()) <= CALLS.keys()


@pytest.mark.parametrize(("public", "name"), CALLS, ids=map("-".join, CALLS))
def test_boolean_options_reject_other_values(public, name):
    may_be_none = (public, name) == ("ComparisonDisplay", "greater_is_better")
    choices = "True, False or None" if may_be_none else "True or False"
    for value in ("no", 2) if may_be_none else ("no", None, 2):
        with pytest.raises(ValueError, match=f"{name} must be {choices}, got {value!r}"):
            CALLS[public, name](value)


REPLACING = [
    name
    for name in metrics.__all__
    if "replace_undefined_by" in inspect.signature(getattr(metrics, name)).parameters
]


@pytest.mark.parametrize("name", REPLACING)
def test_replace_undefined_by_is_checked_even_if_the_value_is_defined(name):
    score = getattr(metrics, name)
    takes_proba = "y_proba" in inspect.signature(score).parameters
    predicted = np.eye(3)[PRED] if takes_proba else PRED
    for value in ("x", None, True, [0.0], 1j):
        with pytest.raises(ValueError, match="replace_undefined_by must be a number, got"):
            score(TRUE, predicted, replace_undefined_by=value)
    for value in (0, 0.0, np.float32(0), math.nan):
        assert not math.isnan(np.min(score(TRUE, predicted, replace_undefined_by=value)))


# Public functions that return no result.
OTHERS = {"get_metric", "get_metric_names", "make_ordinal_scorer", "ordinal_metric"}
VERBS = [
    name
    for name in sklearn_ordinal.__all__
    if inspect.isfunction(getattr(sklearn_ordinal, name)) and name not in OTHERS
]


@pytest.mark.parametrize("name", VERBS)
def test_an_unknown_keyword_of_a_verb_is_answered_with_its_parameters(name):
    verb = getattr(sklearn_ordinal, name)
    parameters = ", ".join(inspect.signature(verb).parameters)
    with pytest.raises(TypeError) as error:
        verb(qqq=1)
    assert str(error.value) == (
        f"{name}() got an unexpected keyword argument 'qqq': its parameters are {parameters}."
    )


def test_an_unknown_keyword_that_is_near_a_parameter_is_answered_with_it():
    with pytest.raises(
        TypeError, match=r"^compare_estimators\(\) .* 'scorin': did you mean 'scori"
    ):
        sklearn_ordinal.compare_estimators({}, X, Y, scorin="cem_ord")
