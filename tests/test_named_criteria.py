"""Criteria that the caller names with a dict, in every callable that takes several."""

import importlib
import inspect
import pickle
from functools import cache, partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalRatings,
    OrdinalReport,
    agreement_report,
    compare_estimators,
    compare_judge,
    compare_on_data_sets,
    compare_systems,
    cross_val_report,
    get_metric,
    judge_assisted_interval,
    ordinal_report,
    rating_ceilings,
    report_change,
    score_ladder,
)
from sklearn_ordinal.groups import GroupReport
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    discriminative_power,
    metric_coverage,
    metric_robustness,
    rank_agreement,
)
from sklearn_ordinal.metrics import cem_ord_score, expected_cost_loss

COSTS = [[0, 1, 4], [1, 0, 1], [9, 1, 0]]
COST = partial(expected_cost_loss, cost_matrix=COSTS)
NAMED = {"clinical cost": COST, "adjusted": partial(cem_ord_score, adjusted=True)}
RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 3, 60)
PRED, OTHER = ((TRUE + RNG.choice([0, 0, 1, 2], 60)) % 3 for _ in range(2))
GROUPS = np.repeat(["a", "b"], 30)
X = np.column_stack([TRUE + RNG.normal(size=60), RNG.normal(size=60)])
MODEL = LogisticRegression()
CONFUSION = OrdinalConfusion.from_predictions(TRUE, PRED)
STACK = OrdinalConfusion.stack(
    [
        OrdinalConfusion.from_predictions(TRUE[half], PRED[half])
        for half in np.split(np.arange(60), 2)
    ]
)
SYSTEMS = OrdinalSystems.from_predictions(
    TRUE, {"first": PRED, "second": OTHER, "third": 2 - PRED}, test_cases=GROUPS
)


@cache
def fitted():
    return clone(MODEL).fit(X, TRUE)


@cache
def folds():
    return cross_val_report(MODEL, X, TRUE, cv=3)


RATINGS = OrdinalRatings.from_ratings(np.stack([TRUE, PRED, OTHER], axis=1))
QUICK = {"n_resamples": 9, "random_state": 0}
TESTED = {"n_permutations": 9, "random_state": 0}

# The names that the result has, by callable and parameter.
CALLS = {
    ("bootstrap_interval", "metrics"): lambda m: bootstrap_interval(TRUE, PRED, m, **QUICK),
    ("delta_interval", "metrics"): lambda m: delta_interval(TRUE, PRED, m),
    ("judge_assisted_interval", "metrics"): lambda m: (
        judge_assisted_interval(
            np.where(np.arange(len(TRUE)) % 2, TRUE, np.nan), PRED, OTHER, m
        ).metrics
    ),
    ("paired_difference", "metrics"): lambda m: paired_difference(TRUE, PRED, OTHER, m, **QUICK),
    ("rank_agreement", "metrics"): lambda m: rank_agreement(SYSTEMS, metrics=m).metrics,
    ("metric_coverage", "metrics"): lambda m: metric_coverage(SYSTEMS, metrics=m).coverage,
    ("metric_coverage", "reference_metrics"): lambda m: (
        metric_coverage(SYSTEMS, metrics="cem_ord", reference_metrics=m).reference_metrics
    ),
    ("discriminative_power", "metrics"): lambda m: (
        discriminative_power(SYSTEMS, metrics=m, random_state=0).metrics
    ),
    ("metric_robustness", "metrics"): lambda m: (
        metric_robustness(SYSTEMS, metrics=m, n_splits=3, random_state=0).halves
    ),
    ("compare_estimators", "scoring"): lambda m: (
        compare_estimators({"model": MODEL}, X, TRUE, scoring=m, cv=3, random_state=0).metrics
    ),
    ("compare_on_data_sets", "scoring"): lambda m: (
        compare_on_data_sets(
            {"a": MODEL, "b": MODEL, "c": MODEL},
            {"one": (X, TRUE), "two": (X, TRUE)},
            scoring=m,
            cv=3,
        ).metrics
    ),
    ("cross_val_report", "scoring"): lambda m: (
        cross_val_report(MODEL, X, TRUE, scoring=m, cv=3).metrics
    ),
    ("compare_systems", "metrics"): lambda m: (
        compare_systems(TRUE, {"one": PRED, "two": OTHER}, metrics=m, **QUICK).metrics
    ),
    ("agreement_report", "metrics"): lambda m: (
        agreement_report(RATINGS, metrics=m).metrics.keys() - {"accuracy", "within_1_accuracy"}
    ),
    ("compare_judge", "metrics"): lambda m: compare_judge(RATINGS, OTHER, metrics=m).metrics,
    ("rating_ceilings", "metrics"): lambda m: rating_ceilings(RATINGS, m).metrics,
    ("score_ladder", "metrics"): lambda m: score_ladder(CONFUSION, m, random_state=0).metrics,
    ("report_change", "metrics"): lambda m: report_change(CONFUSION, CONFUSION, m).metrics,
    ("ordinal_report", "metrics"): lambda m: ordinal_report(
        TRUE, PRED, metrics=m, output_dict=True
    )["criteria"],
    ("OrdinalReport.from_predictions", "metrics"): lambda m: (
        OrdinalReport.from_predictions(TRUE, PRED, metrics=m).criteria
    ),
    ("OrdinalReport.from_estimator", "metrics"): lambda m: (
        OrdinalReport.from_estimator(fitted(), X, TRUE, metrics=m).criteria
    ),
    ("OrdinalReport.from_confusion", "metrics"): lambda m: (
        OrdinalReport.from_confusion(CONFUSION, metrics=m).criteria
    ),
    ("GroupReport.from_predictions", "metrics"): lambda m: (
        GroupReport.from_predictions(TRUE, PRED, by=GROUPS, metrics=m, **TESTED).inferred
    ),
    ("GroupReport.from_confusion", "metrics"): lambda m: (
        GroupReport.from_confusion(STACK, by=["a", "b"], metrics=m, **TESTED).inferred
    ),
    ("GroupReport.from_estimator", "metrics"): lambda m: (
        GroupReport.from_estimator(fitted(), X, TRUE, by=GROUPS, metrics=m, **TESTED).inferred
    ),
    ("GroupReport.from_cross_val", "metrics"): lambda m: (
        GroupReport.from_cross_val(folds(), by=GROUPS, metrics=m, **TESTED).inferred
    ),
}


def callables():
    """Yield the names and the functions of the public API."""
    packages = "inference", "meta_evaluation", "model_selection", "reports", "groups", "raters"
    packages += "systems", "prediction_sets"
    for package in ("", *(f".{name}" for name in packages)):
        module = importlib.import_module(f"sklearn_ordinal{package}")
        for public in module.__all__:
            item = getattr(module, public)
            if inspect.isfunction(item):
                yield public, item
            elif inspect.isclass(item):
                for name, method in inspect.getmembers(item, callable):
                    if not name.startswith("_") and hasattr(method, "__annotations__"):
                        yield f"{public}.{name}", method


def test_every_parameter_that_takes_several_metrics_is_tested():
    several = {
        (name, parameter)
        for name, function in callables()
        for parameter, annotation in function.__annotations__.items()
        if "MetricsLike" in str(annotation)
    }
    assert several == CALLS.keys()


@pytest.mark.parametrize("call", CALLS.values(), ids=map("-".join, CALLS))
def test_a_dict_names_the_metrics(call):
    # Unlike a cost matrix, these are defined for any number of classes.
    metrics = {
        "near misses": "within_1_accuracy",
        "adjusted": partial(cem_ord_score, adjusted=True),
    }
    assert set(call(metrics)) == set(metrics)


@pytest.mark.parametrize("names", [{}, {1: "cem_ord"}, {"": "cem_ord"}, {" ": "cem_ord"}])
@pytest.mark.parametrize("call", CALLS.values(), ids=map("-".join, CALLS))
def test_names_must_be_strings_that_are_not_blank(call, names):
    with pytest.raises(ValueError, match=r"at least one|non-blank strings as keys"):
        call(names)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"accuracy": COST}, "must not name expected_cost.* 'accuracy', which is another metric"),
        ({"neg_": COST}, "must have non-blank strings as keys, got 'neg_'"),
        (
            {"neg_cost": COST, "cost": "ordinal_mean_absolute_error"},
            "different metrics named 'cost': pass a dict that gives each a name of its own",
        ),
        ({"cost": 5}, "metrics: metric must be a name or a callable, got 5"),
        ({"costs": [COST]}, "metrics: metric must be a name or a callable, got "),
        ({"costs": "all"}, "metrics: metric must be a known name, got 'all'"),
    ],
)
def test_names_that_mislead_are_refused(names, message):
    with pytest.raises(ValueError, match=message):
        OrdinalReport.from_predictions(TRUE, PRED, metrics=names)


def test_a_loss_that_is_named_as_a_scorer_is_shown_without_the_prefix():
    report = OrdinalReport.from_predictions(TRUE, PRED, metrics={"neg_cost": COST})
    assert list(report.criteria) == ["cost"]
    assert report.criteria["cost"] == report.criteria["neg_cost"] == get_metric(COST)(CONFUSION)


def test_a_named_metric_keeps_its_values_and_what_is_known_of_it():
    metric = OrdinalReport.from_predictions(TRUE, PRED, metrics=NAMED).metrics["clinical cost"]
    original = get_metric(COST)
    assert metric.name == "clinical cost"
    assert metric.original_name == original.name
    assert metric(CONFUSION) == original(CONFUSION)
    assert metric.bounds(3) == original.bounds(3)
    assert not metric.greater_is_better
    np.testing.assert_array_equal(metric.cost_matrix([1, 1, 1]), COSTS)


def test_a_metric_may_be_given_the_name_that_it_has():
    report = OrdinalReport.from_predictions(TRUE, PRED, metrics={"cem_ord": "cem_ord"})
    assert report.metrics["cem_ord"] == get_metric("cem_ord")


@pytest.mark.parametrize(
    "scorer", ["f1_macro", make_scorer(f1_score, average="macro")], ids=["name", "object"]
)
def test_scorers_of_scikit_learn_are_named_as_there(scorer):
    report = cross_val_report(MODEL, X, TRUE, scoring={"f1": scorer}, cv=3)
    unnamed = cross_val_report(MODEL, X, TRUE, scoring="f1_macro", cv=3)
    np.testing.assert_array_equal(report.scores["f1"], unnamed.scores["f1_macro"])


@pytest.fixture(scope="module")
def comparison():
    models = {"one": MODEL, "two": LogisticRegression(C=0.01)}
    rope = {"clinical cost": 0.1, "adjusted": 0.02}
    return compare_estimators(models, X, TRUE, scoring=NAMED, rope=rope, cv=3, random_state=0)


def test_names_are_keys_of_verdicts_and_of_the_region_of_equivalence(comparison):
    assert list(comparison.verdicts) == list(NAMED)
    assert "clinical cost" in comparison.verdicts["clinical cost"]
    assert comparison.rope == {"clinical cost": 0.1, "adjusted": 0.02}


def test_every_view_shows_the_name_and_not_the_options(comparison):
    report = GroupReport.from_predictions(TRUE, PRED, by=GROUPS, metrics=NAMED, **TESTED)
    for result in (comparison, report, OrdinalReport.from_confusion(CONFUSION, metrics=NAMED)):
        for view in (result.to_text(details=True), result.to_html(), result.to_markdown()):
            assert "clinical cost" in view
            assert "cost_matrix" not in view
            assert "expected_cost" not in view


@pytest.mark.parametrize(
    "metrics",
    [NAMED, {"mine": "cem_ord"}, {"f1": "f1_macro"}, {"loss": "log_loss"}],
    ids=lambda metrics: next(iter(metrics)),
)
def test_copied_results_keep_names(metrics):
    report = cross_val_report(MODEL, X, TRUE, scoring=metrics, cv=3)
    assert pickle.loads(pickle.dumps(report)) == report
    assert pickle.loads(pickle.dumps(dict(report.metrics))) == dict(report.metrics)
