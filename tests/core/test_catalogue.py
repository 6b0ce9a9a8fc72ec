"""Resolving metrics from names, functions and scorers, and their metadata."""

import copy
import dataclasses
import inspect
import pickle
import re
from functools import partial

import numpy as np
import pytest
import sklearn
from joblib.externals.loky import cloudpickle_wrapper as cloudpickle
from sklearn import metrics as sklearn_metrics
from sklearn.dummy import DummyClassifier
from sklearn.metrics import cohen_kappa_score, f1_score, make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.utils.fixes import parse_version

import sklearn_ordinal
from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    compare_estimators,
    cross_val_report,
    get_metric,
    get_metric_names,
    make_ordinal_scorer,
    metrics,
    ordinal_metric,
    ordinal_report,
)
from sklearn_ordinal._core.arithmetic import result_of, takes_shared
from sklearn_ordinal._core.catalogue import METRICS, metrics_of
from sklearn_ordinal._core.evidence_kinds import ESTIMATOR, LABELS, PROBABILITIES, ROWS
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal.inference import Interval, bootstrap_interval, paired_difference
from sklearn_ordinal.model_selection import OrdinalDummyClassifier

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 4, 60)
PRED = np.clip(TRUE + RNG.integers(-1, 2, 60), 0, 3)
OTHER = np.clip(TRUE + RNG.integers(-2, 3, 60), 0, 3)
WEIGHT = RNG.uniform(0.5, 2, 60)
NAMES = np.array(["poor", "fair", "good", "great"])
X = np.zeros((60, 1))
OF_LABELS = metrics_of(LABELS)
# Only evidence that an estimator predicts is made from two columns.
ALL = pytest.mark.parametrize(
    "metric", [m for m in METRICS.values() if m.evidence.methods], ids=str
)
PROPERTIES = (
    "ordinal_invariant",
    "ordinal_monotonic",
    "strictly_monotonic",
    "imbalance_aware",
    "prevalence_invariant",
    "symmetric",
)
LONGEST_LINE = 160


def title(criterion):
    """Return the id of a test."""
    if isinstance(criterion, partial):
        return f"{criterion.func.__name__} {criterion.keywords}"
    return getattr(criterion, "__name__", None if callable(criterion) else str(criterion))


def confusion_of(y_true=TRUE, y_pred=PRED, **options):
    return OrdinalConfusion.from_predictions(y_true, y_pred, **options)


def predicted_for(metric, y_pred):
    """Return what a metric takes: probabilities of 0 and 1, or labels, which are scores too."""
    return np.eye(4)[y_pred] if metric.evidence.name == "probabilities" else y_pred


def evidence_for(metric, y_pred=PRED, **options):
    return metric.evidence.read(TRUE, predicted_for(metric, y_pred), **options)


def stack_of(*predictions, **options):
    return OrdinalConfusion.stack(
        [confusion_of(y_pred=y_pred, labels=range(4), **options) for y_pred in predictions]
    )


def metadata_of(metric):
    return (
        metric.name,
        metric.scorer_name,
        metric.greater_is_better,
        metric.bounds(n_classes=5),
        metric.chance_level,
        metric.evidence,
        *(getattr(metric, name) for name in PROPERTIES),
    )


def takes(function, option):
    return option in inspect.signature(function).parameters


def assert_one_line(error, longest=LONGEST_LINE):
    assert "\n" not in str(error.value)
    assert len(str(error.value)) <= longest


# --- different ways to specify the same metric -----------------------------------------


@ALL
def test_every_way_to_specify_a_metric_gives_the_same_metric(metric):
    bound = partial(metric.function, **metric.options)
    ways = [metric, metric.name, bound]
    if metric.scorer_name:
        ways += [metric.scorer_name, sklearn_metrics.get_scorer(metric.scorer_name)]
    if not metric.options:
        ways.append(metric.function)
    for way in ways:
        found = get_metric(way)
        assert found == metric, way
        assert hash(found) == hash(metric)
        assert metadata_of(found) == metadata_of(metric)
        assert found(evidence_for(found)) == metric(evidence_for(metric))


@ALL
def test_values_equal_those_of_the_public_function(metric):
    if metric.name == "brier_score" and parse_version(sklearn.__version__) < parse_version("1.7"):
        pytest.skip("before 1.7, scikit-learn has the Brier score of two classes only")
    function = partial(metric.function, **metric.options)
    pred, other = (predicted_for(metric, y_pred) for y_pred in (PRED, OTHER))
    evidence = evidence_for(metric)
    assert metric(evidence) == pytest.approx(function(TRUE, pred), abs=1e-12)
    assert metric.from_predictions(TRUE, pred) == metric(evidence)
    weighted = function(TRUE, pred, sample_weight=WEIGHT)
    assert metric(evidence_for(metric, sample_weight=WEIGHT)) == pytest.approx(weighted, abs=1e-12)
    values = metric(type(evidence).stack([evidence, evidence_for(metric, OTHER, labels=range(4))]))
    np.testing.assert_allclose(values, [function(TRUE, pred), function(TRUE, other)], atol=1e-12)
    assert type(metric(evidence)) is float


def test_values_equal_scikit_learns():
    quadratic = partial(cohen_kappa_score, weights="quadratic")
    for name, function in {
        "accuracy": sklearn_metrics.accuracy_score,
        "balanced_accuracy": sklearn_metrics.balanced_accuracy_score,
        "f1_macro": partial(f1_score, average="macro"),
        "quadratic_weighted_kappa": quadratic,
        "linear_weighted_kappa": partial(cohen_kappa_score, weights="linear"),
        "ordinal_mean_absolute_error": sklearn_metrics.mean_absolute_error,
        "ordinal_mean_squared_error": sklearn_metrics.mean_squared_error,
    }.items():
        for options in ({}, {"sample_weight": WEIGHT}):
            found = get_metric(name)(confusion_of(**options))
            assert found == pytest.approx(function(TRUE, PRED, **options)), name


def test_a_function_without_options_is_the_metric_with_its_defaults():
    assert get_metric(metrics.kendall_tau_score).name == "kendall_tau_b"
    assert get_metric(metrics.within_n_accuracy_score).name == "within_1_accuracy"
    assert get_metric(partial(metrics.within_n_accuracy_score, n=1)).name == "within_1_accuracy"
    assert get_metric(partial(metrics.cem_ord_score, adjusted=True)) == METRICS["cem_ord_adjusted"]
    assert get_metric(make_ordinal_scorer("cem_ord", adjusted=True)) == METRICS["cem_ord_adjusted"]


def test_metric_names_are_sorted_and_can_be_looked_up():
    assert get_metric_names() == sorted(METRICS)
    assert [get_metric(name).name for name in get_metric_names()] == get_metric_names()


@pytest.mark.parametrize(
    "name", ["f1_weighted", "neg_log_loss", "roc_auc_ovr", "neg_mean_squared_error"]
)
def test_a_scikit_learn_scorer_is_the_same_by_name_and_as_an_object(name):
    scorer = sklearn_metrics.get_scorer(get_metric(name).scorer_name)
    assert metadata_of(get_metric(scorer)) == metadata_of(get_metric(name))
    assert get_metric(scorer) == get_metric(name) == get_metric(name)


FORMS = {
    "name": "neg_ordinal_mean_absolute_error".removeprefix("neg_"),
    "scorer name": "neg_ordinal_mean_absolute_error",
    "function": metrics.ordinal_mean_absolute_error,
    "partial": partial(metrics.ordinal_mean_absolute_error, labels=None),
    "scorer": sklearn_ordinal.make_ordinal_scorer("neg_ordinal_mean_absolute_error"),
    "scikit-learn function": sklearn_metrics.mean_absolute_error,
    "metric": METRICS["ordinal_mean_absolute_error"],
}
QUIET = {"cv": 2, "verbose": False}
TAKING_A_METRIC = {
    "bootstrap_interval": lambda metric: (
        bootstrap_interval(TRUE, PRED, metric, n_resamples=50, random_state=0).low
    ),
    "paired_difference": lambda metric: (
        paired_difference(TRUE, PRED, OTHER, metric, n_resamples=50, random_state=0).pvalue
    ),
    "multioutput_score": lambda metric: metrics.multioutput_score(
        np.c_[TRUE, TRUE], np.c_[PRED, OTHER], metric
    ),
    "OrdinalDummyClassifier": lambda metric: (
        OrdinalDummyClassifier("best_constant", metric=metric).fit(X, TRUE).predict(X[:1])[0]
    ),
    "cross_val_report": lambda metric: cross_val_report(
        DummyClassifier(), X, TRUE, scoring=metric, **QUIET
    ).scores[metric][0],
    "compare_estimators": lambda metric: compare_estimators(
        {"constant": DummyClassifier(), "other": DummyClassifier(strategy="uniform")},
        X,
        TRUE,
        scoring=metric,
        baselines=None,
        **QUIET,
    ).scores[metric]["constant"][0],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("argument", TAKING_A_METRIC)
def test_every_function_accepts_every_form_of_metric(argument, form):
    call = TAKING_A_METRIC[argument]
    assert call(FORMS[form]) == pytest.approx(call("ordinal_mean_absolute_error"))


@pytest.mark.parametrize("argument", TAKING_A_METRIC)
def test_every_function_suggests_the_closest_name(argument):
    with pytest.raises(ValueError, match="did you mean 'cem_ord'") as error:
        TAKING_A_METRIC[argument]("cem_rod")
    assert_one_line(error)


# --- metadata that depends on options --------------------------------------------------

CHOICES = {
    metrics.within_n_accuracy_score: {"n": [0, 2]},
    metrics.cem_ord_score: {"adjusted": [False, True]},
    metrics.extreme_sensitivity_score: {"average": ["arithmetic"]},
    metrics.weighted_kappa_score: {
        "weights": ["identity", "linear", "quadratic", "radical", "ratio", "circular", "bipolar"]
    },
    metrics.scott_pi_score: {
        "weights": ["identity", "linear", "ordinal", "radical", "ratio", "circular", "bipolar"]
    },
    metrics.gwet_ac2_score: {
        "weights": ["identity", "linear", "ordinal", "radical", "ratio", "circular", "bipolar"]
    },
    metrics.krippendorff_alpha_score: {"level": ["nominal", "interval"]},
    metrics.kendall_tau_score: {"variant": ["a", "b", "c"]},
    metrics.somers_d_score: {"dependent": ["y_true", "both"]},
    metrics.mutual_information_score: {"normalize": [False, True]},
    metrics.ordinal_classification_index: {"beta": [0, 0.5, 2], "gamma": [0.5, 2]},
    metrics.uniform_ordinal_classification_index: {"beta": [0, 0.5, 2]},
}
VARIANTS = [
    partial(function, **{option: value})
    for function, options in CHOICES.items()
    for option, values in options.items()
    for value in values
]
EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=title)


def many_counts(n_matrices=20_000, n_classes=4):
    """Return full and sparse matrices, with at least one sample each."""
    rng = np.random.default_rng(0)
    shape = n_matrices, n_classes, n_classes
    counts = rng.integers(0, 6, shape) * (rng.random(shape) < rng.random((n_matrices, 1, 1)))
    counts[:, 0, 0] += 1
    ends = np.zeros((3, n_classes, n_classes), dtype=int)
    ends[0, 0, -1] = ends[1, -1, 0] = ends[2, 0, -1] = ends[2, -1, 0] = 10
    return np.concatenate([counts, ends])


COUNTS = many_counts()


def values_of(metric, counts):
    return metric(OrdinalConfusion.from_counts(counts))


@EVERY_VARIANT
def test_options_reach_the_value(variant):
    function = partial(variant.func, **variant.keywords)
    assert get_metric(variant)(confusion_of()) == pytest.approx(function(TRUE, PRED), abs=1e-12)
    if takes(function, "replace_undefined_by"):
        replaced = partial(function, replace_undefined_by=0.25)
        assert get_metric(replaced)(OrdinalConfusion.from_counts(np.zeros((3, 3)))) == 0.25


@EVERY_VARIANT
def test_values_are_within_the_bounds_with_the_options(variant):
    lowest, highest = get_metric(variant).bounds(n_classes=4)
    values = values_of(get_metric(variant), COUNTS)
    assert lowest - 1e-9 <= np.nanmin(values)
    assert np.nanmax(values) <= highest + 1e-9


@EVERY_VARIANT
def test_the_chance_level_holds_with_the_options(variant):
    metric = get_metric(variant)
    sizes = np.ones(4) if "gwet" in metric.name else np.array([4.0, 1.0, 2.0, 3.0])
    found = values_of(metric, 1e9 * np.outer(sizes, sizes))
    if metric.chance_level is not None:
        assert found == pytest.approx(metric.chance_level, abs=1e-8)
    # No other option affects whether a metric estimates chance.
    adjusted = "adjusted" in metric.name or metric.options.get("adjusted", False)
    by_default = get_metric(variant.func).chance_level
    assert metric.chance_level == (0.0 if adjusted else by_default)


@EVERY_VARIANT
def test_claimed_properties_hold_with_the_options(variant):
    metric = get_metric(variant)
    values = values_of(metric, COUNTS)
    if metric.symmetric:
        np.testing.assert_allclose(values_of(metric, COUNTS.swapaxes(1, 2)), values, atol=1e-9)
    if metric.ordinal_invariant:
        apart = np.insert(np.insert(COUNTS, 2, 0, axis=-2), 2, 0, axis=-1)
        np.testing.assert_allclose(values_of(metric, apart), values, atol=1e-9)
    if metric.ordinal_monotonic:
        for true, pred, nearer in [(0, 3, 2), (1, 3, 2), (2, 0, 1), (1, 0, 1), (3, 1, 2)]:
            before, after = COUNTS.copy(), COUNTS.copy()
            before[:, true, pred] += 1
            after[:, true, nearer] += 1
            gain = values_of(metric, after) - values_of(metric, before)
            gain = gain if metric.greater_is_better else -gain
            assert np.nanmin(gain) >= -1e-9, (true, pred)
            all_occur = COUNTS.any(axis=-1).all(axis=-1)
            assert not metric.strictly_monotonic or np.nanmin(gain[all_occur]) > 0, (true, pred)
    if metric.prevalence_invariant:
        scaled = COUNTS * [[1], [3], [1], [1]]
        np.testing.assert_allclose(values_of(metric, scaled), values, atol=1e-9)


@pytest.mark.parametrize(
    "variant",
    [
        partial(metrics.within_n_accuracy_score, n=0),
        partial(metrics.weighted_kappa_score, weights="identity"),
        partial(metrics.scott_pi_score, weights="identity"),
        partial(metrics.krippendorff_alpha_score, level="nominal"),
        partial(metrics.krippendorff_alpha_score, level="ordinal"),
        partial(metrics.mutual_information_score, normalize=True),
    ],
    ids=title,
)
def test_options_without_distances_are_ordinal_invariant(variant):
    assert get_metric(variant).ordinal_invariant


def test_options_with_distances_are_not_ordinal_invariant():
    assert not get_metric(partial(metrics.within_n_accuracy_score, n=1)).ordinal_invariant
    interval = partial(metrics.krippendorff_alpha_score, level="interval")
    assert not get_metric(interval).ordinal_invariant
    # Errors cost by the same distances as in Scott's pi.
    assert get_metric(interval).imbalance_aware == get_metric("scott_pi").imbalance_aware


def test_normalised_information_is_at_most_one():
    metric = get_metric(partial(metrics.mutual_information_score, normalize=True))
    assert [metric.bounds(k) for k in (2, 5, 9)] == [(0.0, 1.0)] * 3
    assert get_metric("mutual_information").bounds(8) == (0.0, 3.0)
    rng = np.random.default_rng(0)
    diagonals = np.eye(4, dtype=int) * rng.integers(1, 1000, (20_000, 1, 4))
    assert values_of(metric, diagonals).max() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("n_classes", ["word", 0, 2.5])
def test_bounds_need_a_number_of_classes(n_classes):
    with pytest.raises(ValueError, match="n_classes must be a positive integer, got"):
        get_metric("cem_ord").bounds(n_classes)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
@ALL
def test_bounds_are_two_floats_in_order(metric, n_classes):
    lowest, highest = metric.bounds(n_classes)
    assert type(lowest) is type(highest) is float
    assert lowest <= highest


@ALL
def test_replace_undefined_by_works_in_a_partial(metric):
    if not takes(metric.function, "replace_undefined_by"):
        return
    bound = partial(metric.function, **metric.options, replace_undefined_by=0.25)
    evidence = evidence_for(metric)
    if metric.evidence.name in ("labels", "estimator"):
        empty = OrdinalConfusion(evidence.scale, np.zeros((4, 4), dtype=int))
    else:
        empty = evidence.reweighted(np.zeros(60))
    values = get_metric(bound)(type(evidence).stack([empty, evidence]))
    assert values.tolist() == [0.25, metric(evidence)]
    assert metadata_of(get_metric(bound))[2:] == metadata_of(metric)[2:]


@pytest.mark.parametrize("adjusted", [False, True])
def test_class_counts_in_a_partial_reach_the_function(adjusted):
    function = partial(metrics.cem_ord_score, class_counts=[4, 1, 2, 9], adjusted=adjusted)
    expected = [function(TRUE, y_pred) for y_pred in (PRED, OTHER)]
    metric = get_metric(function)
    assert metric(confusion_of()) == pytest.approx(expected[0])
    np.testing.assert_allclose(metric(stack_of(PRED, OTHER)), expected)
    assert expected[0] != pytest.approx(get_metric("cem_ord")(confusion_of()))
    as_array = partial(function, class_counts=np.array([4, 1, 2, 9]))
    assert get_metric(as_array) == metric


def test_labels_in_a_partial_keep_the_metadata():
    metric = get_metric(partial(metrics.cem_ord_score, labels=NAMES))
    kept = dataclasses.replace(metric, evidence=METRICS["cem_ord"].evidence)
    assert metadata_of(kept)[1:] == metadata_of(METRICS["cem_ord"])[1:]
    named = confusion_of(NAMES[TRUE], NAMES[PRED], labels=NAMES)
    assert metric(named) == pytest.approx(metrics.cem_ord_score(TRUE, PRED))
    scorer = make_ordinal_scorer("cem_ord", labels=NAMES)
    assert metadata_of(get_metric(scorer)) == metadata_of(metric)
    assert get_metric(scorer)(named) == pytest.approx(metric(named))


# --- invalid metrics -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", sorted({n for m in METRICS.values() for n in (m.name, m.scorer_name) if n})
)
def test_a_misspelt_name_raises_a_one_line_error_with_a_suggestion(name):
    misspelt = name + name[-1]
    with pytest.raises(ValueError, match=f"did you mean '{name}'") as error:
        get_metric(misspelt)
    assert_one_line(error)


@pytest.mark.parametrize(
    ("misspelt", "name"),
    [("sensitivty(at=1)", "sensitivity"), ("cem_rod(adjusted=True)", "cem_ord")],
)
def test_a_misspelt_name_with_options_has_a_suggestion(misspelt, name):
    with pytest.raises(ValueError, match=f"did you mean '{name}'"):
        get_metric(misspelt)


@pytest.mark.parametrize(
    "thing", ["", "x" * 500, "no such metric", None, 3, ["cem_ord"] * 99, {"a": 1}, object(), X]
)
def test_other_objects_raise_a_one_line_error(thing):
    with pytest.raises(ValueError, match="metric must be") as error:
        get_metric(thing)
    assert_one_line(error)


def test_neg_before_the_name_of_a_score_raises_with_a_suggestion():
    for misspelt in ("neg_cem_ord", "neg_cem_rod", "cem_ord_score"):
        with pytest.raises(ValueError, match="did you mean 'cem_ord'") as error:
            get_metric(misspelt)
        assert_one_line(error)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (metrics.cem_ord_score, {"adjused": True}, "has no option adjused: its options are"),
        (metrics.cem_ord_score, {"sample_weight": [1]}, "has no option sample_weight"),
        (metrics.cem_ord_score, {"y_true": [1]}, "has no option y_true"),
        (metrics.cem_ord_score, {"adjusted": "yes"}, "adjusted must be"),
        (metrics.cem_ord_score, {"replace_undefined_by": "x"}, "replace_undefined_by must be"),
        (metrics.cem_ord_score, {"replace_undefined_by": None}, "replace_undefined_by must be"),
        (metrics.cem_ord_score, {"labels": [0, 1, 1]}, "labels must name each class once"),
        (metrics.cem_ord_score, {"class_counts": [-1, 2]}, "class_counts must not be negative"),
        (metrics.cem_ord_score, {"class_counts": [0, 0]}, "class_counts must not be zero"),
        (metrics.cem_ord_score, {"class_counts": "abc"}, "class_counts must hold numbers"),
        (metrics.cem_ord_score, {"class_counts": 3}, "class_counts must have shape"),
        (metrics.cem_ord_score, {"class_counts": [[1, 2]]}, "class_counts must have shape"),
        (metrics.within_n_accuracy_score, {"n": -1}, "n must be a non-negative integer"),
        (metrics.kendall_tau_score, {"variant": "q"}, "variant must be one of"),
        (metrics.scott_pi_score, {"weights": "cubic"}, "weights must be one of"),
        (metrics.mutual_information_score, {"normalize": "x"}, "normalize must be"),
        (metrics.ordinal_classification_index, {"beta": -1}, "beta must be"),
        (sklearn_metrics.accuracy_score, {"normalise": True}, "accuracy_score has no option"),
        (cohen_kappa_score, {"weight": "linear"}, "cohen_kappa_score has no option weight"),
    ],
)
def test_a_bad_option_in_a_partial_raises_a_one_line_error(function, options, message):
    with pytest.raises(ValueError, match=message) as error:
        get_metric(partial(function, **options))
    assert_one_line(error)


@pytest.mark.parametrize(
    "metric", [m for m in METRICS.values() if m.function and not m.is_sklearns], ids=str
)
def test_every_option_of_a_metric_is_checked_where_it_is_bound(metric):
    parameters = inspect.signature(metric.function).parameters.values()
    options = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    options -= {"labels", "sample_weight", "unanswered", "replace_undefined_by"}
    checked = inspect.signature(metric.check).parameters if metric.check else ()
    # Some options tell the metrics of one function apart.
    assert options == set(checked) - metric.options.keys() | (options & metric.options.keys())


def test_a_bound_matrix_is_checked_for_as_many_classes_as_it_has_rows():
    lopsided = [[1, 0.5, 0], [0.4, 1, 0.5], [0, 0.5, 1]]
    with pytest.raises(ValueError, match="weights must be symmetric"):
        get_metric(partial(metrics.scott_pi_score, weights=lopsided))
    with pytest.raises(ValueError, match="cost_matrix must not be negative"):
        get_metric(partial(metrics.expected_cost_loss, cost_matrix=-np.ones((5, 5))))
    with pytest.raises(ValueError, match="reference must have rows that add up to 1"):
        get_metric(partial(metrics.ranked_probability_skill_score, reference=[0.5, 0.6]))


@pytest.mark.parametrize("sizes", [[1, 2], [1, 0, 2, 1]])
def test_class_counts_that_do_not_fit_raise_the_same_error_as_the_function(sizes):
    function = partial(metrics.cem_ord_score, class_counts=sizes)
    with pytest.raises(ValueError, match="class_counts must") as expected:
        function(TRUE, PRED)
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        get_metric(function)(confusion_of())


def test_a_list_of_metrics_keeps_its_order_and_has_no_duplicates():
    def values(scoring):
        return bootstrap_interval(TRUE, PRED, scoring, n_resamples=9)

    assert list(values(["cem_ord", metrics.somers_d_score])) == ["cem_ord", "somers_d"]
    for bad in ([], ["cem_ord", metrics.cem_ord_score], {"cem_ord"}, {"": "cem_ord"}):
        with pytest.raises(ValueError, match="metrics") as error:
            values(bad)
        assert_one_line(error)
    with pytest.raises(ValueError, match=r"each once.*cem_ord") as error:
        values([*METRICS, "cem_ord"])
    assert_one_line(error)


def test_the_first_repeated_name_is_the_one_in_the_error():
    def odd_error(y_true, y_pred):
        return float(np.mean(np.asarray(y_true) != y_pred))

    def other_error(y_true, y_pred):
        return float(np.mean(np.abs(np.subtract(y_true, y_pred))))

    other_error.__name__ = odd_error.__name__
    with pytest.raises(ValueError, match="each once, got 'cem_ord' more than once"):
        bootstrap_interval(TRUE, PRED, ["cem_ord", odd_error, "cem_ord", other_error])
    with pytest.raises(ValueError, match="different metrics named 'odd_error'"):
        bootstrap_interval(TRUE, PRED, [odd_error, "cem_ord", other_error, "cem_ord"])


def test_values_by_metric_can_be_looked_up_by_any_form():
    by_name = ByMetric({name: name for name in METRICS})
    for form in FORMS.values():
        if form is not FORMS["scikit-learn function"]:
            assert by_name[form] == "ordinal_mean_absolute_error"
    assert pickle.loads(pickle.dumps(by_name))[metrics.cem_ord_score] == "cem_ord"
    for missing in ("cem_rod", sklearn_metrics.mean_absolute_error, None):
        assert missing not in by_name
        with pytest.raises(KeyError) as error:
            by_name[missing]
        assert_one_line(error)
        with pytest.raises(ValueError, match="criterion must be") as error:
            by_name.name_of(missing, "criterion")
        assert_one_line(error)


def test_several_values_print_a_line_each():
    values = ByMetric({"cem_ord": Interval(0.5, 0.4, 0.6, 0.95), "accuracy": {"tree": 0.25}})
    assert str(values) == "cem_ord: 0.500 (95% interval 0.400 to 0.600)\naccuracy, tree: 0.25"


def test_a_metric_must_be_called_with_an_ordinal_confusion():
    with pytest.raises(ValueError, match="must be an OrdinalConfusion for cem_ord, got ndarray"):
        get_metric("cem_ord")(np.eye(3))


# --- functions and scorers of other packages -------------------------------------------


def span_error(y_true, y_pred):
    """Not a metric of the package; takes numbers, but no weights."""
    return float(np.quantile(np.abs(np.asarray(y_true) - np.asarray(y_pred)), 0.9))


def distance_error(y_true, y_pred):
    return np.mean(np.abs(y_true - y_pred))


def neg_span_error(y_true, y_pred):
    return -span_error(y_true, y_pred)


def share_of_great_score(y_true, y_pred, *, sample_weight=None):
    """Return the accuracy for one of the user's own labels; takes weights."""
    return np.average((y_true == "great") == (y_pred == "great"), weights=sample_weight)


def nodes_score(estimator, X, y):  # noqa: ARG001
    return 1.0


def wandering(y_true, y_pred):
    return span_error(y_true, y_pred)


def surprise_loss(y_true, y_proba):  # noqa: ARG001
    return 1.0


def weighted_score(y_true, y_pred, *, beta):  # noqa: ARG001
    return float(beta)


MICRO = partial(f1_score, average="micro")
THIRD_PARTY = [
    # The argument, the function to compare it with, its name and greater_is_better.
    (MICRO, MICRO, "f1(average='micro')", True),
    ("f1_weighted", partial(f1_score, average="weighted"), "f1_weighted", True),
    (cohen_kappa_score, cohen_kappa_score, "cohen_kappa", True),
    ("matthews_corrcoef", sklearn_metrics.matthews_corrcoef, "matthews_corrcoef", True),
    ("max_error", sklearn_metrics.max_error, "max_error", False),
    ("neg_max_error", sklearn_metrics.max_error, "max_error", False),
    (sklearn_metrics.zero_one_loss, sklearn_metrics.zero_one_loss, "zero_one_loss", False),
    (span_error, span_error, "span_error", False),
    (neg_span_error, span_error, "span_error", False),
    (make_scorer(wandering, greater_is_better=False), wandering, "wandering", False),
    (make_scorer(span_error), span_error, "span_error", True),
    (partial(weighted_score, beta=2), lambda *_: 2.0, "weighted(beta=2)", True),
]


@pytest.mark.parametrize(
    ("criterion", "function", "name", "greater_is_better"), THIRD_PARTY, ids=title
)
def test_a_third_party_metric_is_evaluated_on_rows(criterion, function, name, greater_is_better):
    metric = get_metric(criterion)
    assert (metric.name, metric.greater_is_better) == (name, greater_is_better)
    assert metric.scorer_name == (name if greater_is_better else f"neg_{name}")
    assert metric.evidence is ROWS
    assert [getattr(metric, each) for each in PROPERTIES] == [None] * 6
    assert (metric.bounds(3), metric.chance_level) == ((-np.inf, np.inf), None)
    assert metric(confusion_of()) == pytest.approx(function(TRUE, PRED))
    values = metric(stack_of(PRED, OTHER))
    np.testing.assert_allclose(values, [function(TRUE, PRED), function(TRUE, OTHER)])
    assert np.isnan(metric(OrdinalConfusion.from_counts(np.zeros((4, 4), dtype=int))))


def test_a_third_party_metric_gets_the_original_labels():
    named = confusion_of(NAMES[TRUE], NAMES[PRED], labels=NAMES)
    expected = share_of_great_score(NAMES[TRUE], NAMES[PRED])
    assert get_metric(share_of_great_score)(named) == pytest.approx(expected)
    assert get_metric(share_of_great_score).from_predictions(
        NAMES[TRUE], NAMES[PRED], labels=NAMES
    ) == pytest.approx(expected)


@pytest.mark.parametrize("attribute", ["_sign", "_score_func"])
def test_a_function_with_one_attribute_of_scorers_is_no_scorer(attribute):
    def odd_error(y_true, y_pred):
        return np.mean(y_true != y_pred)

    setattr(odd_error, attribute, -1)
    assert get_metric(odd_error)(confusion_of()) == pytest.approx(np.mean(TRUE != PRED))


def test_weighted_counts_need_a_metric_that_takes_weights():
    named = confusion_of(NAMES[TRUE], NAMES[PRED], labels=NAMES, sample_weight=WEIGHT)
    expected = share_of_great_score(NAMES[TRUE], NAMES[PRED], sample_weight=WEIGHT)
    assert get_metric(share_of_great_score)(named) == pytest.approx(expected)
    expected = [MICRO(TRUE, y_pred, sample_weight=WEIGHT) for y_pred in (PRED, OTHER)]
    found = get_metric(MICRO)(stack_of(PRED, OTHER, sample_weight=WEIGHT))
    np.testing.assert_allclose(found, expected)
    with pytest.raises(ValueError, match="span_error takes no sample_weight") as error:
        get_metric(span_error)(confusion_of(sample_weight=WEIGHT))
    assert_one_line(error)


def test_counts_of_too_many_samples_are_no_rows():
    counts = np.full((2, 2), 10**9)
    message = "counts add up to 4,000,000,000, more than 100,000,000: pass counts as floats"
    with pytest.raises(ValueError, match=message) as error:
        get_metric(span_error)(OrdinalConfusion.from_counts(counts))
    assert_one_line(error)
    weighted = OrdinalConfusion.from_counts(counts.astype(float), labels=NAMES[:2])
    assert get_metric(share_of_great_score)(weighted) >= 0


def test_the_interval_of_a_third_party_metric_equals_that_of_resampled_rows():
    found = bootstrap_interval(
        TRUE, PRED, span_error, n_resamples=2_000, method="percentile", random_state=0
    )
    assert found.estimate == span_error(TRUE, PRED)
    rng = np.random.default_rng(1)
    rows = rng.integers(len(TRUE), size=(2_000, len(TRUE)))
    resampled = [span_error(TRUE[row], PRED[row]) for row in rows]
    assert (found.low, found.high) == pytest.approx(np.quantile(resampled, [0.025, 0.975]), abs=0.1)
    # If counts suffice, resampling rows or counts gives the same interval.
    options = {"n_resamples": 200, "random_state": 0}
    kappas = [partial(cohen_kappa_score, weights="quadratic"), "quadratic_weighted_kappa"]
    ours, theirs = bootstrap_interval(TRUE, PRED, kappas, **options).values()
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_the_difference_in_a_third_party_metric_equals_that_of_resampled_rows():
    criterion = distance_error
    found = paired_difference(
        TRUE, PRED, OTHER, criterion, n_resamples=400, method="percentile", random_state=0
    )
    observed = criterion(TRUE, PRED) - criterion(TRUE, OTHER)
    assert found.estimate == pytest.approx(observed)
    rng = np.random.default_rng(1)
    rows = rng.integers(len(TRUE), size=(400, len(TRUE)))
    resampled = [criterion(TRUE[r], PRED[r]) - criterion(TRUE[r], OTHER[r]) for r in rows]
    assert (found.low, found.high) == pytest.approx(
        np.quantile(resampled, [0.025, 0.975]), abs=0.03
    )
    coins = rng.random((400, len(TRUE))) < 0.5
    swapped = [
        criterion(TRUE, np.where(coin, OTHER, PRED)) - criterion(TRUE, np.where(coin, PRED, OTHER))
        for coin in coins
    ]
    n_as_large = np.sum(np.abs(swapped) >= abs(observed) - 1e-12)
    assert found.pvalue == pytest.approx((1 + n_as_large) / 401, abs=0.03)


@pytest.mark.parametrize(
    ("criterion", "evidence", "reason"),
    [
        ("roc_auc_ovr", PROBABILITIES, "probabilities|must be an OrdinalForecasts for roc_auc_ovr"),
        (
            sklearn_metrics.get_scorer("roc_auc_ovr"),
            PROBABILITIES,
            "probabilities|must be an OrdinalForecasts for roc_auc_ovr",
        ),
        (
            nodes_score,
            ESTIMATOR,
            "nodes needs the fitted estimator",
        ),
    ],
)
def test_metrics_that_need_more_than_labels_reject_labels_alone(criterion, evidence, reason):
    assert get_metric(criterion).evidence is evidence
    for call in (
        lambda: bootstrap_interval(TRUE, PRED, criterion),
        lambda: paired_difference(TRUE, PRED, OTHER, ["cem_ord", criterion]),
        lambda: get_metric(criterion)(confusion_of()),
        lambda: get_metric(criterion).from_predictions(TRUE, PRED),
    ):
        with pytest.raises(ValueError, match=reason) as error:
            call()
        assert_one_line(error)


def test_a_scorer_of_probabilities_equals_scikit_learns():
    model = DummyClassifier(strategy="prior").fit(X, TRUE)
    proba = model.predict_proba(X)
    expected = sklearn_metrics.roc_auc_score(TRUE, proba, multi_class="ovr")
    assert get_metric("roc_auc_ovr").scorer(model, X, TRUE) == pytest.approx(expected)


def test_a_scorer_of_probabilities_takes_forecasts():
    order, proba = np.argsort(NAMES), RNG.dirichlet(np.ones(4), 60)
    expected = sklearn_metrics.roc_auc_score(
        NAMES[TRUE], proba[:, order], multi_class="ovr", average="macro"
    )
    options = {"labels": NAMES}
    named = OrdinalForecasts.from_probabilities(NAMES[TRUE], proba, **options)
    assert get_metric("roc_auc_ovr")(named) == pytest.approx(expected)
    weighted = OrdinalForecasts.from_probabilities(
        TRUE > 1, proba[:, :2] / proba[:, :2].sum(axis=1, keepdims=True), sample_weight=WEIGHT
    )
    expected = sklearn_metrics.roc_auc_score(TRUE > 1, weighted.y_proba[:, 1], sample_weight=WEIGHT)
    assert get_metric("roc_auc")(weighted) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("function", "way_out"),
    [
        (sklearn_metrics.average_precision_score, "'average_precision'"),
        (sklearn_metrics.roc_auc_score, "'roc_auc'"),
        (partial(sklearn_metrics.roc_auc_score, multi_class="ovr"), "'roc_auc'"),
        # Without greater_is_better, the scorer would take the highest loss as the best.
        (surprise_loss, "greater_is_better=False, response_method='predict_proba'"),
        (sklearn_metrics.hinge_loss, "greater_is_better=False, response_method='decision_funct"),
    ],
)
def test_a_function_of_probabilities_is_rejected_with_a_way_out(function, way_out):
    with pytest.raises(ValueError, match=r"takes .*, not labels: pass") as error:
        get_metric(function)
    assert way_out in str(error.value)
    assert_one_line(error)


def test_an_unknown_direction_must_be_specified():
    for function in (wandering, lambda y_true, y_pred: 0.0):  # noqa: ARG005
        with pytest.raises(ValueError, match=r"make_scorer\(.*, greater_is_better=\.\.\.\)"):
            get_metric(function)


@pytest.mark.parametrize("function", [len, print, np.mean, int, lambda: 0, lambda *rows: 0])  # noqa: ARG005
def test_other_callables_raise_a_one_line_error(function):
    with pytest.raises(ValueError, match="metric must") as error:
        get_metric(function)
    assert_one_line(error)


def test_a_metric_called_with_arrays_names_the_method_that_takes_them():
    message = r"^cem_ord takes evidence, got 2 arguments: pass arrays to its method from_predict"
    with pytest.raises(TypeError, match=message):
        get_metric("cem_ord")(TRUE, PRED)
    with pytest.raises(ValueError, match="confusion must be an OrdinalConfusion for cem_ord, got"):
        get_metric("cem_ord")(TRUE)


@pytest.mark.parametrize(
    "function",
    [weighted_score, sklearn_metrics.fbeta_score, metrics.multioutput_score],
    ids=lambda function: function.__name__,
)
def test_a_metric_with_a_required_option_is_not_taken_for_a_scorer(function):
    """Scorers have three positional parameters, but not (y_true, y_pred, metric)."""
    with pytest.raises(ValueError, match=r"beta|metric must") as error:
        get_metric(function)
    assert_one_line(error, longest=200)


# --- user-defined metrics --------------------------------------------------------------


def make_share(name=None, n=1, **options):
    @ordinal_metric(greater_is_better=False, bounds=(0.0, 1.0), name=name, **options)
    def share_too_high_error(counts, n=n):
        return np.triu(counts, n).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    return share_too_high_error


def test_a_decorated_statistic_is_found_by_name_and_by_function():
    function = make_share()
    assert function(np.array([[1, 3], [0, 0]])) == 0.75
    found = get_metric("share_too_high_error")
    assert found == get_metric("neg_share_too_high_error") == get_metric(function)
    assert found(confusion_of()) == pytest.approx(np.mean(PRED > TRUE))
    np.testing.assert_allclose(
        found(stack_of(PRED, OTHER)), [np.mean(p > TRUE) for p in (PRED, OTHER)]
    )
    assert found.bounds(4) == (0.0, 1.0)
    assert not found.greater_is_better
    assert found.ordinal_invariant is None
    assert "share_too_high_error" in get_metric_names()


def test_a_decorated_statistic_works_in_scorers_reports_and_intervals():
    make_share()
    expected = np.mean(PRED > TRUE)
    model = DummyClassifier(strategy="constant", constant=2)
    scores = cross_val_score(model, X, TRUE, scoring="neg_share_too_high_error", cv=2)
    assert scores.mean() == pytest.approx(-np.mean(TRUE < 2))
    assert "neg_share_too_high_error" in sklearn_metrics.get_scorer_names()
    assert "share_too_high_error" in ordinal_report(TRUE, PRED, metrics="all")
    criteria = ordinal_report(TRUE, PRED, metrics="all", output_dict=True)["criteria"]
    assert criteria["share_too_high_error"] == pytest.approx(expected)
    interval = bootstrap_interval(
        TRUE, PRED, "share_too_high_error", n_resamples=50, random_state=0
    )
    assert interval.estimate == pytest.approx(expected)
    report = cross_val_report(model, X, TRUE, scoring="share_too_high_error", **QUIET)
    np.testing.assert_allclose(report.scores["share_too_high_error"], -scores)


def test_a_decorated_statistic_may_set_its_default_interval_method():
    make_share(interval_method="percentile")
    compute = partial(bootstrap_interval, TRUE, PRED, n_resamples=50, random_state=0)
    by_name = compute("share_too_high_error")
    assert by_name == compute("share_too_high_error", method="percentile")
    assert by_name != compute("share_too_high_error", method="bca")


def test_options_of_a_decorated_statistic_are_passed_and_checked():
    function = make_share()
    expected = np.mean(OTHER - TRUE >= 2)
    bound = get_metric(partial(function, n=2))
    assert bound(confusion_of(y_pred=OTHER)) == pytest.approx(expected)
    assert bound.name == "share_too_high_error(n=2)"
    with pytest.raises(ValueError, match="has no option k: its options are n"):
        get_metric(partial(function, k=2))
    scorer = make_ordinal_scorer("neg_share_too_high_error", n=2)
    model = DummyClassifier(strategy="constant", constant=2).fit(X, TRUE)
    assert scorer(model, X, TRUE) == pytest.approx(-np.mean(TRUE == 0))


def test_a_partial_with_the_default_options_is_the_decorated_metric():
    function = make_share("far_too_high", n=2)
    assert get_metric("far_too_high")(confusion_of(y_pred=OTHER)) == np.mean(OTHER - TRUE >= 2)
    assert get_metric(partial(function, n=2)) == get_metric("far_too_high")


@pytest.mark.parametrize(
    "name",
    ["cem_ord", "accuracy", "ordinal_mean_absolute_error", "neg_ordinal_mean_absolute_error", "r2"],
)
def test_an_existing_name_is_rejected(name):
    """The name of a metric, of its scorer, or of a scikit-learn scorer."""
    with pytest.raises(
        ValueError, match=f"name must not be the name of a.* got '{name}': choose another"
    ):
        ordinal_metric(greater_is_better=True, name=name)(lambda counts: counts[..., 0, 0])
    assert name == "r2" or get_metric(name).function is not None


def test_rerunning_a_notebook_cell_replaces_its_metric_everywhere():
    model = DummyClassifier(strategy="constant", constant=2).fit(X, TRUE)
    make_share()
    corrected = make_share(n=2)
    expected = np.mean(TRUE == 0)
    assert get_metric(corrected) == get_metric("share_too_high_error")
    assert get_metric("share_too_high_error")(
        confusion_of(y_pred=np.full(60, 2), labels=range(4))
    ) == pytest.approx(expected)
    scorer = sklearn_metrics.get_scorer("neg_share_too_high_error")
    assert scorer(model, X, TRUE) == pytest.approx(-expected)


def test_a_metric_refuses_an_unknown_method_of_intervals():
    with pytest.raises(ValueError, match=r"interval_method must be one of .*got 'wald'"):
        OrdinalMetric("share", lambda counts: counts[..., 0, 0], interval_method="wald")


def test_a_check_refuses_the_values_of_bound_options():
    def check_n(n):
        if n < 0:
            raise ValueError(f"n must not be negative, got {n}.")

    @ordinal_metric(greater_is_better=True, check=check_n)
    def share_n_higher(counts, n=1):
        return np.triu(counts, n).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    farther = get_metric(partial(share_n_higher, n=2))
    assert farther(confusion_of()) == np.mean(PRED - TRUE >= 2)
    with pytest.raises(ValueError, match="n must not be negative, got -1"):
        get_metric(partial(share_n_higher, n=-1))


def test_a_check_of_no_option_is_refused():
    def check_power(power):
        raise AssertionError(power)

    with pytest.raises(ValueError, match="check must have a parameter that is an option of share"):

        @ordinal_metric(greater_is_better=True, check=check_power)
        def share(counts, n=1):
            return counts[..., 0, n] / counts.sum(axis=(-2, -1))


def test_a_metric_may_have_both_a_statistic_and_a_function_of_labels():
    def closeness(counts, *, power=1):
        apart = np.abs(np.subtract.outer(*[np.arange(counts.shape[-1])] * 2)) ** power
        return -(counts * apart).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    @ordinal_metric(
        closeness,
        greater_is_better=True,
        bounds=lambda n_classes, power=1: (-(float(n_classes - 1) ** power), 0.0),
        properties=lambda power=1: {"invariant"} if power == 0 else {"symmetric"},
    )
    def nearness_score(y_true, y_pred, *, labels=None, sample_weight=None, power=1):
        confusion = confusion_of(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        return float(closeness(confusion.counts, power=power))

    squared = get_metric(partial(nearness_score, power=2))
    assert squared.name == "nearness(power=2)"
    assert squared(confusion_of()) == pytest.approx(-np.mean((TRUE - PRED) ** 2))
    assert (get_metric("nearness").bounds(4), squared.bounds(4)) == ((-3.0, 0.0), (-9.0, 0.0))
    assert get_metric(partial(nearness_score, power=0)).ordinal_invariant
    assert squared.symmetric
    assert not squared.ordinal_invariant


# --- pickling, equality ----------------------------------------------------------------

TO_PICKLE = [
    *(metric for metric in METRICS.values() if metric.evidence.methods),
    partial(metrics.mutual_information_score, normalize=True),
    partial(metrics.cem_ord_score, class_counts=[1, 2, 3, 4]),
    partial(metrics.cem_ord_score, labels=[0, 1, 2, 3]),
    MICRO,
    "f1_weighted",
    span_error,
]


@pytest.mark.parametrize("criterion", TO_PICKLE, ids=title)
def test_metrics_pickle(criterion):
    metric = get_metric(criterion)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        loaded = pickle.loads(pickle.dumps(metric, protocol))
        assert metadata_of(loaded) == metadata_of(metric)
        assert loaded == metric
        assert loaded(evidence_for(loaded)) == metric(evidence_for(metric))
    loaded = pickle.loads(cloudpickle.dumps(metric))
    assert loaded(evidence_for(loaded)) == metric(evidence_for(metric))


def test_estimator_metrics_pickle():
    loaded = pickle.loads(pickle.dumps(get_metric("roc_auc_ovr")))
    assert metadata_of(loaded) == metadata_of(get_metric("roc_auc_ovr"))
    model = DummyClassifier(strategy="prior").fit(X, TRUE)
    expected = get_metric("roc_auc_ovr").scorer(model, X, TRUE)
    assert loaded.scorer(model, X, TRUE) == expected


def test_a_metric_without_a_module_is_pickled_by_value():
    """As joblib does with functions defined in a notebook."""
    function = make_share()
    loaded = pickle.loads(cloudpickle.dumps(get_metric(function)))
    assert loaded(confusion_of()) == pytest.approx(np.mean(PRED > TRUE))


@pytest.mark.parametrize(
    "make",
    [
        lambda: partial(metrics.mutual_information_score, normalize=True),
        lambda: partial(metrics.cem_ord_score, class_counts=[1, 2]),
        lambda: partial(f1_score, average="micro"),
        lambda: "neg_log_loss",
        lambda: "f1_weighted",
        lambda: span_error,
    ],
    ids=["ours", "an array", "third-party", "probabilities", "a scorer of rows", "a function"],
)
def test_the_same_function_with_the_same_options_is_an_equal_metric(make):
    one, other = get_metric(make()), get_metric(make())
    assert one == other
    assert len({one, other}) == 1


def test_different_options_or_functions_make_different_metrics():
    criteria = [
        *METRICS,
        *VARIANTS,
        MICRO,
        "f1_weighted",
        "roc_auc_ovr",
        span_error,
        make_scorer(span_error),
        partial(metrics.cem_ord_score, class_counts=[1, 2]),
        partial(metrics.cem_ord_score, class_counts=[2, 1]),
    ]
    found = {get_metric(criterion) for criterion in criteria}
    repeated = [v for v in VARIANTS if get_metric(v).name in METRICS]
    assert len(found) == len(criteria) - len(repeated)


def test_a_metric_is_frozen_and_shows_its_name():
    metric = get_metric("cem_ord")
    with pytest.raises(AttributeError):
        metric.name = "other"
    assert repr(metric) == "OrdinalMetric('cem_ord')"


def test_booleans_reach_a_third_party_metric_as_booleans():
    def share_of_no_score(_, y_pred):
        return np.mean(~y_pred)

    y_true, y_pred = np.array([True, False, True, True]), np.array([True, False, False, True])
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred)
    assert get_metric(share_of_no_score)(confusion) == 0.5
    options = {"n_resamples": 50, "method": "percentile", "random_state": 0}
    interval = bootstrap_interval(y_true, y_pred, share_of_no_score, **options)
    assert interval.estimate == 0.5
    assert 0 <= interval.low <= interval.high <= 1


def test_neg_before_a_score_keeps_the_direction_of_the_score():
    def neg_span_score(_, y_pred):
        return -float(np.ptp(y_pred))

    metric = get_metric(neg_span_score)
    assert metric.greater_is_better
    assert metric.from_predictions([0, 1, 2], [0, 2, 2]) == -2


@pytest.mark.parametrize("value", [None, [1, 2], "much"])
def test_a_metric_that_does_not_return_a_number_is_named_in_the_error(value):
    def odd_score(_, __):
        return value

    with pytest.raises(ValueError, match="odd_score must return a number, got"):
        get_metric(odd_score).from_predictions([0, 1], [0, 1])


def test_functions_with_other_parameters_are_rejected():
    def scaled_score(beta, y_true, y_pred):
        return beta * np.mean(y_true == y_pred)

    for function in (scaled_score, sklearn_metrics.silhouette_score):
        with pytest.raises(ValueError, match=r"function of \(y_true, y_pred\) or \(estimator"):
            get_metric(function)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bound": (0, 1)}, "has no option bound"),
        ({"bounds": (1, 0)}, "bounds must be the lowest and the highest value"),
        ({"bounds": 1}, "bounds must be the lowest and the highest value"),
        ({"chance_level": "x"}, "chance_level must be a finite number, or None .* got 'x'"),
        ({"chance_level": np.nan}, "chance_level must be a finite number, or None .* got nan"),
        ({"properties": {"invarient"}}, "properties must be a collection of"),
        ({"greater_is_better": "no"}, "greater_is_better must be True, False or None"),
        ({"name": 3}, "name must be a string that names the metric, got 3"),
        ({"interval_method": "BCa"}, "interval_method must be one of"),
        ({"share_of": 3}, "share_of must be a function of the number of classes, got 3"),
    ],
)
def test_decorator_arguments_are_checked_at_decoration(options, message):
    def trace_of_counts(counts):
        return counts.trace(axis1=-2, axis2=-1)

    with pytest.raises(ValueError, match=message):
        ordinal_metric(**{"greater_is_better": True, **options})(trace_of_counts)
    assert "trace_of_counts" not in METRICS


@pytest.mark.parametrize(
    "statistic", [lambda counts: float(counts.sum()), lambda counts: counts["x"]]
)
def test_a_statistic_that_does_not_take_a_stack_is_rejected_at_decoration(statistic):
    with pytest.raises(ValueError, match=r"must return values of shape \(2,\) for counts"):
        ordinal_metric(greater_is_better=True, name="odd")(statistic)


def test_a_metric_may_be_redefined_in_the_other_direction():
    def define(greater_is_better):
        @ordinal_metric(greater_is_better=greater_is_better)
        def turned(counts):
            return counts.trace(axis1=-2, axis2=-1)

    define(True)
    assert "turned" in sklearn_metrics.get_scorer_names()
    define(False)
    assert not get_metric("turned").greater_is_better
    names = sklearn_metrics.get_scorer_names()
    assert "neg_turned" in names
    assert "turned" not in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", np.sum), "name must be a string that names the metric, got ''"),
        ((None, np.sum), "name must be a string that names the metric, got None"),
        (("x", None), "statistic must be a function of evidence, got None"),
    ],
)
def test_a_metric_has_a_name_and_a_statistic(arguments, message):
    with pytest.raises(ValueError, match=message):
        OrdinalMetric(*arguments)


def test_fixed_options_are_checked_as_options_of_users_are():
    def check(n):
        if n < 0:
            raise ValueError("n must not be negative.")

    with pytest.raises(ValueError, match="n must not be negative"):

        @ordinal_metric(greater_is_better=True, name="fixed", check=check, n=-1)
        def fixed(counts, n=1):
            return counts.sum(axis=(-2, -1)) * n


@pytest.mark.parametrize(
    ("score", "evidence"),
    [
        (metrics.cem_ord_score, OrdinalConfusion.from_predictions([0, 1, 2], [0, 1, 1])),
        (
            metrics.ranked_probability_score,
            OrdinalForecasts.from_probabilities([0, 1, 2], np.eye(3)),
        ),
    ],
)
def test_evidence_in_place_of_true_classes_names_the_way_out(score, evidence):
    predicted = evidence.y_proba if isinstance(evidence, OrdinalForecasts) else [0, 1, 1]
    with pytest.raises(ValueError, match=r"y_true must be an array, got Ordinal\w+: pass it to a"):
        score(evidence, predicted)


def test_metrics_share_results_of_the_same_counts_only():
    computed = []

    def largest(counts):
        computed.append(counts)
        return counts.max(axis=(-2, -1))

    @takes_shared
    def share_of_largest(counts, *, power=1, shared=None):
        return (result_of(largest, counts, shared) / counts.sum(axis=(-2, -1))) ** power

    once, twice = (
        OrdinalMetric(f"share_{power}", partial(share_of_largest, power=power)) for power in (1, 2)
    )
    confusion = OrdinalConfusion.from_counts([[3, 1], [2, 4]])
    assert (once(confusion), twice(confusion)) == (0.4, 0.4**2)
    assert len(computed) == 1
    for other in (confusion + confusion, OrdinalConfusion.stack([confusion]), copy.copy(confusion)):
        assert np.all(once(other) == 0.4)
    assert len(computed) == 4
    assert share_of_largest(confusion.counts) == 0.4
