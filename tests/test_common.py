"""Contracts that every metric in the catalogue must satisfy.

Their properties are tested in tests/meta_evaluation/test_properties.py.
"""

import inspect
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_ordinal
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS

METRICS = metrics_of(LABELS)

N_CLASSES = 5


SOMETIMES_UNDEFINED = [
    name
    for name, metric in METRICS.items()
    if "replace_undefined_by" in inspect.signature(metric.function).parameters
]
UNDEFINED_FOR = {"kendall_tau_a": ([1], [1]), "extreme_sensitivity": ([1, 1], [0, 2])}
UNDEFINED_WITH_OPTIONS = {"cem_ord": {"adjusted": True}, "mutual_information": {"normalize": True}}
ALL = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
WITHOUT_DIRECTION = ["ordinal_bias", "overestimation_rate", "underestimation_rate"]
OURS = pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS.values() if not metric.is_sklearns],
    ids=[name for name, metric in METRICS.items() if not metric.is_sklearns],
)
OUTSIDE = {"reliability_sensitivity_f": "its function returns three values"}
# Bounds that no counts of five classes reach, and what `extreme_counts` reach, computed by hand.
SMALLEST_VALUE = {
    # Positions are 1 to 5; with the ends swapped, 2 * 1 * 5 / (1 + 25).
    "cosine_similarity": 10 / 26,
    # The most frequent of five classes has at least a fifth of the samples.
    "purity": 1 / 5,
    "inverse_purity": 1 / 5,
    # Pairs are drawn without replacement: -1 is the limit for many samples, here there are 20.
    "krippendorff_alpha": 1 - 2 * 39 / 40,
}
# Only ratings with single grades come close to these bounds, see test_rater_agreement.py.
SMALLEST_OF_RATINGS = {"gwet_ac2"}
LARGEST_VALUE = {
    # At a small beta, any path through samples pays off: with the ends swapped it gains
    # 1 / (2 + 8) and costs 4 / 2 beta, so a triangle of that height, up to beta = 1/20, is missing.
    "uniform_ordinal_classification_index": 1 - 1 / 10 * 1 / 20 / 2,
}
# The other metrics take chance from both margins, so any two margins will do.
CHANCE_FROM = {"scott_pi": "pooled", "krippendorff_alpha": "pooled", "gwet_ac2": "even"}


def keeping(contract):
    """Leave out the metrics that the catalogue exempts, each with its reason."""
    kept = [metric for metric in METRICS.values() if contract not in metric.exceptions]
    return pytest.mark.parametrize("metric", kept, ids=[metric.name for metric in kept])


all_classes = st.lists(st.integers(1, 6), min_size=N_CLASSES, max_size=N_CLASSES)


def many_counts():
    """Return small counts of which the first are all zero and others mostly, drawn with a seed."""
    rng = np.random.default_rng(0)
    shape = 200, N_CLASSES, N_CLASSES
    counts = rng.integers(1, 7, shape) * (rng.random(shape) < rng.random((200, 1, 1)))
    # Some have no samples of some classes, or predictions of a few classes only.
    counts[50:100] *= rng.integers(0, 2, (50, N_CLASSES, 1))
    counts[100:150] *= rng.integers(0, 2, (50, 1, N_CLASSES))
    counts[0] = 0
    return counts


def many_rows():
    """Return 25 times true classes, predictions and weights, of which some are zero."""
    rng = np.random.default_rng(0)
    sizes = [1, 1, 2, 2, 3, *range(1, 21)]
    drawn = [rng.integers(0, (N_CLASSES, N_CLASSES, 4), (size, 3)).T for size in sizes]
    return [(*labels, np.append(weight[:-1], 1)) for *labels, weight in drawn]


STACK, ROWS = many_counts(), many_rows()


def score(metric, y_true, y_pred, **options):
    """Return the value of the public function, or NaN without a warning if undefined."""
    call = partial(metric.function, y_true, y_pred, **metric.options, **options)
    if "replace_undefined_by" not in inspect.signature(metric.function).parameters:
        return call()
    value = call(replace_undefined_by=-99.0)
    return np.nan if value == -99.0 else value


def assert_same(value, expected):
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9)


def test_the_catalogue_contains_these_metrics_in_this_order():
    expected = [
        "cem_ord",
        "cem_ord_adjusted",
        "cem_int",
        "cem_nom",
        "cem_ord_flat",
        "within_1_accuracy",
        "minimum_sensitivity",
        "geometric_mean",
        "extreme_sensitivity",
        "accuracy",
        "balanced_accuracy",
        "f1_macro",
        "ordinal_mean_absolute_error",
        "ordinal_mean_squared_error",
        "macro_averaged_mean_absolute_error",
        "macro_averaged_mean_squared_error",
        "maximum_mean_absolute_error",
        "ordinal_bias",
        "overestimation_rate",
        "underestimation_rate",
        "linear_weighted_kappa",
        "quadratic_weighted_kappa",
        "ordinal_weighted_kappa",
        "scott_pi",
        "krippendorff_alpha",
        "gwet_ac2",
        "kendall_tau_a",
        "kendall_tau_b",
        "kendall_tau_c",
        "goodman_kruskal_gamma",
        "somers_d",
        "spearman_correlation",
        "pearson_correlation",
        "cosine_similarity",
        "reliability_sensitivity_f",
        "mutual_information",
        "purity",
        "inverse_purity",
        "ordinal_classification_index",
        "uniform_ordinal_classification_index",
    ]
    assert [name for name in METRICS if name in expected] == expected


def test_only_the_closeness_family_counts_unanswered_samples():
    counting = [name for name, metric in METRICS.items() if metric.counts_unanswered]
    assert counting == ["cem_ord", "cem_ord_adjusted", "cem_int", "cem_nom", "cem_ord_flat"]


@OURS
def test_is_exported_and_documented(metric):
    name = metric.function.__name__
    if metric.name in OUTSIDE:
        assert sklearn_ordinal.metrics.reliability_sensitivity([0, 1], [0, 1]).f == 1
        return
    assert getattr(sklearn_ordinal.metrics, name) is metric.function
    assert name in sklearn_ordinal.metrics.__all__
    for section in ("Parameters", "Returns", "Raises", "See Also", "References", "Examples"):
        assert f"    {section}\n    ---" in metric.function.__doc__
    assert re.search(r"[01] is best|best value is [01]", metric.function.__doc__)
    assert metric.an_error_costs
    assert metric.prefer


@OURS
def test_has_scikit_learns_signature(metric):
    parameters = list(inspect.signature(metric.function).parameters.values())
    names = [parameter.name for parameter in parameters]
    assert names[:4] == ["y_true", "y_pred", "labels", "sample_weight"]
    assert {parameter.kind for parameter in parameters[2:]} == {inspect.Parameter.KEYWORD_ONLY}
    suffixes = {True: ["_score"], False: ["_error", "_loss", "_index"]}
    named = [
        s for suffix in suffixes.values() for s in suffix if metric.function.__name__.endswith(s)
    ]
    assert bool(named) == (metric.greater_is_better is not None)
    assert set(named) <= set(suffixes.get(metric.greater_is_better, []))


def test_only_the_signed_errors_have_no_direction_and_no_scorer():
    assert [n for n, m in METRICS.items() if m.greater_is_better is None] == WITHOUT_DIRECTION
    assert [n for n, m in METRICS.items() if m.scorer_name is None] == WITHOUT_DIRECTION


@keeping("best if perfect")
def test_perfect_predictions_have_the_best_value(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    best = highest if metric.greater_is_better else lowest
    assert_same(metric.statistic(np.diag([1, 2, 3, 4, 5])), best)


@pytest.mark.parametrize("name", ["kendall_tau_a", "kendall_tau_c", "mutual_information"])
def test_perfect_predictions_of_one_sample_per_class_always_have_the_best_value(name):
    assert "best if perfect" in METRICS[name].exceptions
    assert_same(METRICS[name].statistic(np.eye(N_CLASSES)), METRICS[name].bounds(N_CLASSES)[1])


def stacks_of_counts():
    """Yield integer and fractional counts of many systems, also of systems on the same samples."""
    rng = np.random.default_rng(0)
    counts = rng.multinomial(30, rng.dirichlet(np.ones(16)), size=260).reshape(260, 4, 4)
    rows = [rng.multinomial(size, rng.dirichlet(np.ones(4)), 260) for size in (9, 0, 4, 7)]
    for stack in (counts, np.stack(rows, axis=1)):
        last_in_memory = np.moveaxis(np.moveaxis(stack, 0, -1).copy(), -1, 0)
        yield from (stack, stack[:50] / 3, last_in_memory, stack[:50] * 10**8)


@ALL
def test_the_values_of_a_stack_are_those_of_its_matrices(metric):
    scale = sklearn_ordinal.OrdinalScale(["a", "b", "c", "d"])
    for stack in stacks_of_counts():
        some = slice(None, None, 9)
        expected = [
            metric(sklearn_ordinal.OrdinalConfusion(scale, counts)) for counts in stack[some]
        ]
        ours = metric(sklearn_ordinal.OrdinalConfusion(scale, stack))[some]
        assert ours == pytest.approx(np.array(expected), rel=1e-9, abs=1e-9, nan_ok=True)


@ALL
def test_values_are_within_the_bounds(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    values = metric.statistic(STACK)
    assert (np.isnan(values) | ((lowest <= values) & (values <= highest))).all()


@ALL
def test_perfect_predictions_do_not_exceed_the_bounds_by_rounding(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    sizes = 10 ** np.random.default_rng(0).uniform(-12, 12, (100, N_CLASSES, 1))
    perfect = sizes * np.eye(N_CLASSES)
    values = metric.statistic(np.concatenate([perfect, perfect[:, ::-1]]))
    assert (np.isnan(values) | ((lowest <= values) & (values <= highest))).all()


@ALL
def test_values_are_within_the_bounds_for_very_unequal_weights(metric):
    rng = np.random.default_rng(0)
    shape = 1_000, N_CLASSES, N_CLASSES
    weights = 10 ** rng.uniform(-15, 0, shape) * (rng.random(shape) < rng.random((1_000, 1, 1)))
    weights[:, 0, 0] += 1e-15
    lowest, highest = metric.bounds(N_CLASSES)
    values = metric.statistic(weights)
    assert not np.isinf(values).any()
    assert np.nanmin(values, initial=highest) >= lowest
    assert np.nanmax(values, initial=lowest) <= highest


def extreme_counts():
    """Return counts of predictions that are as good, as bad or as uniform as possible."""
    perfect, even = np.eye(N_CLASSES), np.ones((N_CLASSES, N_CLASSES))
    far_off, constant, exchanged = np.zeros((3, N_CLASSES, N_CLASSES))
    far_off[0, -1] = 10
    constant[:, -1] = 10
    exchanged[0, -1] = exchanged[-1, 0] = 10
    rolled = np.roll(perfect, 1, axis=1)
    return [perfect, perfect[::-1], even, rolled, far_off, far_off.T, constant, exchanged]


@ALL
def test_each_finite_bound_is_attained(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    values = [metric.statistic(counts) for counts in extreme_counts()]
    assert_same(np.nanmax(values), LARGEST_VALUE.get(metric.name, highest))
    if np.isfinite(lowest) and metric.name not in SMALLEST_OF_RATINGS:
        assert_same(np.nanmin(values), SMALLEST_VALUE.get(metric.name, lowest))


def test_a_bound_that_is_not_attained_is_the_limit_for_many_classes_or_samples():
    n_classes = 1_000
    even = np.ones((n_classes, n_classes))
    exchanged = np.zeros((n_classes, n_classes))
    exchanged[0, -1] = exchanged[-1, 0] = 1_000
    for name in SMALLEST_VALUE:
        counts = even if "purity" in name else exchanged
        lowest, _ = METRICS[name].bounds(n_classes)
        assert METRICS[name].statistic(counts) == pytest.approx(lowest, abs=2 / n_classes), name
    for name in LARGEST_VALUE:
        _, highest = METRICS[name].bounds(n_classes)
        assert METRICS[name].statistic(exchanged) == pytest.approx(highest), name


@pytest.mark.parametrize(
    "metric", [metric for metric in METRICS.values() if metric.chance_level is not None]
)
@given(true=all_classes, pred=all_classes)
def test_predictions_independent_of_the_truth_score_the_chance_level(metric, true, pred):
    pooled = CHANCE_FROM.get(metric.name)
    if pooled == "even":
        true = pred = np.ones(N_CLASSES)
    elif pooled == "pooled":
        pred = true
    # Many samples, since some metrics draw pairs without replacement.
    assert_same(metric.statistic(1e9 * np.outer(true, pred)), metric.chance_level)


@ALL
def test_statistic_takes_leading_axes(metric):
    values = metric.statistic(STACK.reshape(2, 100, N_CLASSES, N_CLASSES))
    assert values.shape == (2, 100)
    assert_same(values.ravel(), [metric.statistic(counts) for counts in STACK])
    assert np.isnan(values[0, 0])


@OURS
@pytest.mark.parametrize("labels", [range(N_CLASSES), None], ids=["labels", "no labels"])
def test_integer_weights_equal_repeated_rows(metric, labels):
    for y_true, y_pred, weight in ROWS:
        repeated = np.repeat(y_true, weight), np.repeat(y_pred, weight)
        expected = score(metric, *repeated, labels=labels)
        assert_same(score(metric, y_true, y_pred, sample_weight=weight, labels=labels), expected)


@OURS
def test_a_class_of_zero_weight_counts_as_absent(metric):
    y_true, y_pred, weight = [0, 1, 2, 2, 3], [1, 1, 2, 0, 3], [1, 1, 0, 0, 1]
    expected = score(metric, [0, 1, 3], [1, 1, 3])
    assert_same(score(metric, y_true, y_pred, sample_weight=weight), expected)


@OURS
def test_the_order_of_the_rows_does_not_matter(metric):
    rng = np.random.default_rng(0)
    for y_true, y_pred, _ in ROWS:
        order = rng.permutation(len(y_true))
        assert_same(score(metric, y_true, y_pred), score(metric, y_true[order], y_pred[order]))


@keeping("an empty class at an end")
@pytest.mark.parametrize("end", [(1, 0), (0, 1)], ids=["below", "above"])
def test_an_unused_class_at_an_end_changes_nothing(metric, end):
    padded = np.pad(STACK, ((0, 0), end, end))
    assert_same(metric.statistic(padded), metric.statistic(STACK))


@keeping("reversal")
def test_reversing_the_scale_changes_nothing(metric):
    assert_same(metric.statistic(STACK[:, ::-1, ::-1]), metric.statistic(STACK))


@OURS
def test_forms_of_the_same_labels_agree(metric):
    names = ["e", "b", "d", "a", "c"]
    y_true, y_pred = np.array([0, 1, 2, 3, 4, 4, 0]), np.array([0, 2, 2, 1, 4, 3, 1])
    expected = score(metric, y_true, y_pred)
    strings = np.array(names)[y_true], np.array(names)[y_pred]
    assert_same(score(metric, *strings, labels=names), expected)
    categorical = [pd.Categorical(y, names, ordered=True) for y in strings]
    assert_same(score(metric, *categorical), expected)
    assert_same(score(metric, y_true + 0.0, y_pred.tolist()), expected)
    assert_same(score(metric, y_true - 2, y_pred - 2), expected)


@pytest.mark.parametrize("name", SOMETIMES_UNDEFINED)
def test_undefined_values_are_nan_with_a_warning_or_the_replacement(name):
    metric = METRICS[name]
    options = {**metric.options, **UNDEFINED_WITH_OPTIONS.get(name, {})}
    y_true, y_pred = UNDEFINED_FOR.get(name, ([1, 1], [1, 1]))
    with pytest.warns(UndefinedMetricWarning, match="is undefined: ") as record:
        assert np.isnan(metric.function(y_true, y_pred, **options))
    assert record[0].filename == __file__
    assert metric.function(y_true, y_pred, **options, replace_undefined_by=0.25) == 0.25


@OURS
@pytest.mark.parametrize(
    ("y_true", "y_pred", "options", "message"),
    [
        (["a", "b"], ["a", "b"], {}, "y_true has string labels"),
        ([0, 1], ["a", "b"], {}, "y_pred has string labels"),
        ([0, 1], [0.2, 1.1], {}, "y_pred must contain classes, got continuous"),
        ([0, 1], [0, 1, 1], {}, "y_true and y_pred must have the same length"),
        ([0, None], [0, 1], {}, "y_true has missing values"),
        ([0, 5], [0, 1], {"labels": [0, 1]}, "y_true has classes that are not in labels"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
    ],
)
def test_wrong_input_is_an_error_that_names_the_argument(metric, y_true, y_pred, options, message):
    with pytest.raises(ValueError, match=message):
        metric.function(y_true, y_pred, **metric.options, **options)


@OURS
def test_returns_a_python_float(metric):
    assert type(score(metric, [0, 1, 2], [0, 2, 2])) is float


class _Oracle(ClassifierMixin, BaseEstimator):
    classes_ = np.arange(N_CLASSES)

    def predict(self, X):
        return np.asarray(X)[:, 0]


@pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS.values() if metric.scorer_name and not metric.is_sklearns],
    ids=[name for name, m in METRICS.items() if m.scorer_name and not m.is_sklearns],
)
def test_the_scorer_is_the_function_with_the_sign_of_its_direction(metric):
    y_true, y_pred = np.array([0, 1, 2, 3, 4, 4]), np.array([0, 2, 2, 1, 4, 3])
    scorer = sklearn_ordinal.make_ordinal_scorer(metric.scorer_name)
    value = score(metric, y_true, y_pred)
    sign = 1 if metric.greater_is_better else -1
    assert scorer(_Oracle(), y_pred[:, None], y_true) == pytest.approx(sign * value)
    perfect, poor = (scorer(_Oracle(), y[:, None], y_true) for y in (y_true, y_pred))
    assert perfect > poor


@ALL
def test_the_value_is_linear_in_the_counts_if_and_only_if_errors_have_costs(metric):
    rng = np.random.default_rng(0)
    sizes = rng.integers(3, 30, size=N_CLASSES)
    costs = metric.cost_matrix(sizes)
    stack = sizes[:, None] * rng.dirichlet(np.ones(N_CLASSES), size=(20, N_CLASSES))
    perfect, values = (
        metric(sklearn_ordinal.OrdinalConfusion.from_counts(counts))
        for counts in (np.diag(sizes), stack)
    )
    sign = 1 if metric.greater_is_better else -1
    losses = sign * (perfect - values)
    # What each cell costs if the whole of a true class is predicted as one class.
    moved = np.broadcast_to(np.diag(sizes), (N_CLASSES,) * 4).astype(float)
    for true, predicted in np.ndindex(N_CLASSES, N_CLASSES):
        moved[true, predicted, true] = sizes[true] * np.eye(N_CLASSES)[predicted]
    lost = sign * (perfect - metric(sklearn_ordinal.OrdinalConfusion.from_counts(moved)))
    by_cell = lost / sizes[:, None]
    is_linear = np.allclose(losses, (stack * by_cell).sum(axis=(-2, -1)), rtol=1e-9, atol=1e-12)
    # Errors that cancel have no costs.
    assert is_linear == (costs is not None or metric.name == "ordinal_bias")
    if costs is None:
        return
    if is_linear:
        factor = costs.sum() / by_cell.sum()
        np.testing.assert_allclose(costs, factor * by_cell, rtol=1e-12, atol=1e-13)
        assert (costs.diagonal() == 0).all()
        assert (costs >= 0).all()
