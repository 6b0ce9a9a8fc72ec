"""Contracts that every metric of probabilities or scores in the catalogue must satisfy.

Their properties are tested in tests/meta_evaluation/test_properties.py.
"""

import inspect
import re
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_ordinal
from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    OrdinalScores,
    get_metric,
)
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import PROBABILITIES, SCORES
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.plotting import (
    CoverageCurveDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
    ThresholdCalibrationDisplay,
)

N_CLASSES = 4
NAMES = ["poor", "fair", "good", "best"]
FOUND = metrics_of(PROBABILITIES, SCORES)


def each(metrics):
    return pytest.mark.parametrize("metric", metrics, ids=[metric.name for metric in metrics])


def keeping(contract):
    """Leave out the metrics that the catalogue exempts, each with its reason."""
    return each([metric for metric in FOUND.values() if contract not in metric.exceptions])


def parameters_of(function):
    return list(inspect.signature(function).parameters)


ALL = each(list(FOUND.values()))
OURS = each([metric for metric in FOUND.values() if not metric.is_sklearns])
SOMETIMES_UNDEFINED = each(
    [m for m in FOUND.values() if "replace_undefined_by" in parameters_of(m.function)]
)
# One loss is known by a name that ends in "score".
NAMED_BY_THE_FIELD = {"ranked_probability_score"}


def many_rows():
    """Return 25 times true classes, probabilities and weights.

    Probabilities are shares of counts, so that some are zero and some samples have the same ones.
    Some weights are zero.
    """
    rng = np.random.default_rng(0)
    samples = []
    for size in [1, 1, 2, 2, 3, *np.repeat(range(3, 13), 2)]:
        y_true, highest, weight = rng.integers(0, (N_CLASSES, N_CLASSES, 4), (size, 3)).T
        amounts = rng.integers(0, 4, (size, N_CLASSES))
        amounts[range(size), highest] += 1
        weight[-1] = 1
        samples.append((y_true, amounts / amounts.sum(axis=1, keepdims=True), weight))
    return samples


ROWS = many_rows()


def example(n_samples=60, seed=0, n_classes=N_CLASSES):
    rng = np.random.default_rng(seed)
    y_true = rng.permutation(np.arange(n_samples) % n_classes)
    y_proba = rng.dirichlet(np.ones(n_classes), n_samples) + 0.5 * np.eye(n_classes)[y_true]
    return y_true, y_proba / y_proba.sum(axis=1, keepdims=True)


def score(metric, y_true, y_proba, *, labels=range(N_CLASSES), **options):
    """Return the value of the public function, or NaN without a warning if undefined."""
    call = partial(metric.function, y_true, y_proba, **metric.options, labels=labels, **options)
    if "replace_undefined_by" not in parameters_of(metric.function):
        return call()
    value = call(replace_undefined_by=-99.0)
    return np.nan if value == -99.0 else value


def forecasts(y_true, y_proba, **options):
    options = {"labels": range(np.shape(y_proba)[1]), **options}
    return OrdinalForecasts.from_probabilities(y_true, y_proba, **options)


def assert_same(value, expected):
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9)


def test_the_catalogue_contains_these_metrics_in_this_order():
    expected = [
        ("ranked_probability_score", "probabilities"),
        ("ranked_probability_skill", "probabilities"),
        ("expected_cem_ord", "probabilities"),
        ("cem_ord_decision", "probabilities"),
        ("unimodality", "probabilities"),
        ("log_loss", "probabilities"),
        ("brier_score", "probabilities"),
        ("concordance", "scores"),
        ("mean_pairwise_roc_auc", "scores"),
        ("threshold_roc_auc", "scores"),
        ("volume_under_surface", "scores"),
        ("ranking_error", "scores"),
    ]
    found = [(metric.name, metric.evidence.name) for metric in FOUND.values()]
    assert [metric for metric in found if metric in expected] == expected


@OURS
def test_is_exported_and_documented(metric):
    name, text = metric.function.__name__, metric.function.__doc__
    assert getattr(sklearn_ordinal.metrics, name) is metric.function
    assert name in sklearn_ordinal.metrics.__all__
    for section in ("Parameters", "Returns", "Raises", "See Also", "References", "Examples"):
        assert f"    {section}\n    ---" in text
    assert re.search(r"[01] is best|best value is [01]", text)
    assert metric.an_error_costs
    assert metric.prefer
    if metric.evidence.name == "probabilities":
        assert re.search(r"\b(im)?proper\b", text)


@OURS
def test_has_scikit_learns_signature(metric):
    parameters = list(inspect.signature(metric.function).parameters.values())
    second = {"probabilities": "y_proba", "scores": "y_score"}[metric.evidence.name]
    names = [parameter.name for parameter in parameters]
    assert names[:4] == ["y_true", second, "labels", "sample_weight"]
    assert {parameter.kind for parameter in parameters[2:]} == {inspect.Parameter.KEYWORD_ONLY}
    suffix = "_score" if metric.greater_is_better else ("_error", "_loss", "_index")
    assert metric.function.__name__.endswith(suffix) or metric.name in NAMED_BY_THE_FIELD


@keeping("best if perfect")
def test_certain_and_right_forecasts_have_the_best_value(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    y_true = np.repeat(range(N_CLASSES), [1, 2, 3, 4])
    best = highest if metric.greater_is_better else lowest
    assert_same(metric(forecasts(y_true, np.eye(N_CLASSES)[y_true])), best)


@ALL
def test_values_are_within_the_bounds(metric):
    lowest, highest = metric.bounds(N_CLASSES)
    for y_true, y_proba, weight in ROWS:
        value = metric(forecasts(y_true, y_proba, sample_weight=weight))
        assert np.isnan(value) or lowest <= value <= highest


@ALL
def test_values_are_within_the_bounds_for_very_unequal_weights(metric):
    rng = np.random.default_rng(0)
    y_true, y_proba = example(20)
    weights = 10 ** rng.uniform(-15, 0, (50, 20)) * (rng.random((50, 20)) < rng.random((50, 1)))
    weights[:, 0] += 1e-15
    lowest, highest = metric.bounds(N_CLASSES)
    for proba in (y_proba, np.eye(N_CLASSES)[y_true], np.eye(N_CLASSES)[y_true[::-1]]):
        values = metric(forecasts(y_true, proba).reweighted(weights))
        assert not np.isinf(values).any()
        assert np.nanmin(values, initial=highest) >= lowest
        assert np.nanmax(values, initial=lowest) <= highest


def extreme_forecasts():
    """Return forecasts that are as good, as bad or as odd as possible."""
    certain, exchanged = np.eye(N_CLASSES), np.eye(N_CLASSES)[::-1]
    y_true, ends = np.arange(N_CLASSES), [0, N_CLASSES - 1]
    valley = np.tile([0.5, 0, 0, 0.5], (N_CLASSES, 1))
    return [
        *(forecasts(y_true, y_proba) for y_proba in (certain, exchanged, valley)),
        forecasts([0, 0], certain[[-1, -1]]),
        # The lower bound of closeness is a limit, for one class with nearly all samples.
        forecasts(ends, certain[ends[::-1]], sample_weight=[1e12, 1]),
    ]


@ALL
def test_each_finite_bound_is_attained(metric):
    values = [metric(evidence) for evidence in extreme_forecasts()]
    lowest, highest = metric.bounds(N_CLASSES)
    for bound, found in ((lowest, np.nanmin(values)), (highest, np.nanmax(values))):
        if np.isfinite(bound):
            assert_same(found, bound)


@ALL
def test_leading_axes_equal_one_by_one(metric):
    rng = np.random.default_rng(0)
    for y_true, y_proba, _ in ROWS:
        weights = rng.integers(0, 4, (2, 3, len(y_true))).astype(float)
        weights[0, 0] = 0
        evidence = forecasts(y_true, y_proba)
        values = metric(evidence.reweighted(weights))
        assert values.shape == (2, 3)
        expected = [metric(evidence.reweighted(each)) for each in weights.reshape(6, -1)]
        assert_same(values.ravel(), expected)
        assert np.isnan(values[0, 0])


@ALL
def test_stacked_and_added_evidence_equals_the_evidence_of_the_samples(metric):
    parts = [example(20, seed) for seed in range(2)]
    evidence = [forecasts(*part) for part in parts]
    assert_same(metric(OrdinalForecasts.stack(evidence)), [metric(part) for part in evidence])
    together = forecasts(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    assert_same(metric(sum(evidence)), metric(together))


@OURS
def test_integer_weights_equal_repeated_rows(metric):
    for y_true, y_proba, weight in ROWS:
        expected = score(metric, np.repeat(y_true, weight), np.repeat(y_proba, weight, axis=0))
        assert_same(score(metric, y_true, y_proba, sample_weight=weight), expected)


@OURS
def test_the_unit_of_the_weights_does_not_matter(metric):
    factors = 10 ** np.random.default_rng(0).uniform(-9, 9, len(ROWS))
    for factor, (y_true, y_proba, weight) in zip(factors, ROWS, strict=True):
        expected = score(metric, y_true, y_proba, sample_weight=weight)
        assert_same(score(metric, y_true, y_proba, sample_weight=factor * weight), expected)


@OURS
def test_the_order_of_the_rows_does_not_matter(metric):
    rng = np.random.default_rng(0)
    for y_true, y_proba, weight in ROWS:
        order = rng.permutation(len(y_true))
        assert_same(
            score(metric, y_true[order], y_proba[order], sample_weight=weight[order]),
            score(metric, y_true, y_proba, sample_weight=weight),
        )


@ALL
def test_columns_are_matched_to_the_classes(metric):
    y_true, y_proba = example()
    order = [2, 0, 3, 1]
    mixed = forecasts(y_true, y_proba[:, order], classes=order)
    assert_same(metric(mixed), metric(forecasts(y_true, y_proba)))


@keeping("an empty class at an end")
@pytest.mark.parametrize("end", [(1, 0), (0, 1)], ids=["below", "above"])
def test_an_impossible_class_at_an_end_changes_nothing(metric, end):
    for y_true, y_proba, weight in ROWS:
        padded = np.pad(y_proba, ((0, 0), end))
        expected = metric(forecasts(y_true, y_proba, sample_weight=weight))
        assert_same(metric(forecasts(y_true + end[0], padded, sample_weight=weight)), expected)


@keeping("reversal")
def test_reversing_the_scale_changes_nothing(metric):
    for y_true, y_proba, weight in ROWS:
        turned = forecasts(N_CLASSES - 1 - y_true, y_proba[:, ::-1], sample_weight=weight)
        assert_same(metric(turned), metric(forecasts(y_true, y_proba, sample_weight=weight)))


@each([metric for metric in FOUND.values() if metric.chance_level is not None])
@given(sizes=st.lists(st.integers(1, 6), min_size=N_CLASSES, max_size=N_CLASSES))
def test_forecasting_the_class_shares_scores_the_chance_level(metric, sizes):
    y_true = np.repeat(range(N_CLASSES), sizes)
    shares = np.divide(sizes, np.sum(sizes))
    evidence = forecasts(y_true, np.broadcast_to(shares, (len(y_true), N_CLASSES)))
    assert_same(metric(evidence), metric.chance_level)


def gain_of_honesty(metric, honest, reported):
    """Return how much is gained, on average, by reporting what is believed.

    The true class of each sample is drawn from its row of `honest`. Outcomes for which the
    metric is undefined are left out.
    """
    n_samples, n_classes = honest.shape
    outcomes = np.array(list(np.ndindex(*[n_classes] * n_samples)))
    probability = honest[np.arange(n_samples), outcomes].prod(axis=1)
    gains = np.array(
        [metric(forecasts(y, honest)) - metric(forecasts(y, reported)) for y in outcomes]
    )
    is_defined = ~np.isnan(gains)
    gain = np.average(gains[is_defined], weights=probability[is_defined])
    return gain if metric.greater_is_better else -gain


@each([m for m in FOUND.values() if m.evidence.name == "probabilities"])
def test_reporting_what_is_believed_is_best_if_and_only_if_the_metric_is_proper(metric):
    rng = np.random.default_rng(0)
    gains = []
    for size in (1, 0.1):
        for _ in range(20):
            honest, other = rng.dirichlet(np.ones(3), (2, 2))
            gains.append(gain_of_honesty(metric, honest, (1 - size) * honest + size * other))
    assert bool(metric.strictly_proper) == (min(gains) > 1e-12)


@OURS
def test_forms_of_the_same_input_agree(metric):
    y_true, y_proba = example()
    weight = np.linspace(0.1, 2, len(y_true))
    expected = score(metric, y_true, y_proba, sample_weight=weight)
    names = np.array(NAMES)[y_true]
    categories = pd.Categorical(names, NAMES, ordered=True)
    frame, table = pd.DataFrame(y_proba), pl.DataFrame(y_proba)
    named = pd.DataFrame(y_proba, columns=NAMES)
    check = partial(score, metric, sample_weight=weight)
    assert_same(
        score(metric, y_true.tolist(), y_proba.tolist(), sample_weight=weight.tolist()), expected
    )
    assert_same(check(pd.Series(y_true), frame), expected)
    assert_same(check(pl.Series(y_true), table), expected)
    assert_same(check(pd.Series(y_true), frame, sample_weight=pd.Series(weight)), expected)
    assert_same(check(y_true, np.asfortranarray(y_proba)), expected)
    assert_same(check(y_true + 3, y_proba, labels=range(3, 7)), expected)
    assert_same(check(y_true - 2, y_proba, labels=None), expected)
    assert_same(check(names, y_proba, labels=NAMES), expected)
    assert_same(check(names.tolist(), named, labels=NAMES), expected)
    assert_same(check(categories, named, labels=None), expected)
    enum = pl.Series(names, dtype=pl.Enum(NAMES))
    assert_same(check(enum, pl.DataFrame(y_proba, schema=NAMES), labels=None), expected)
    np.testing.assert_allclose(check(y_true, y_proba.astype(np.float32)), expected, rtol=1e-5)


@each([m for m in FOUND.values() if m.evidence.name == "scores"])
def test_scores_may_be_the_expected_positions_of_probabilities(metric):
    y_true, y_proba = example()
    expected = metric(forecasts(y_true, y_proba))
    positions = y_proba @ np.arange(N_CLASSES)
    assert_same(metric(OrdinalScores.from_scores(y_true, positions)), expected)
    assert_same(score(metric, y_true, positions), expected)
    assert_same(score(metric, y_true, y_proba), expected)
    # Criteria of rankings depend on the order of the scores alone.
    assert_same(score(metric, y_true, np.exp(positions) - 7), expected)


@SOMETIMES_UNDEFINED
def test_undefined_values_are_nan_with_a_warning_or_the_replacement(metric):
    y_true, y_proba = [1, 1], [[0.2, 0.8], [0.3, 0.7]]
    options = {**metric.options, "labels": [0, 1]}
    with pytest.warns(UndefinedMetricWarning, match="is undefined: ") as record:
        assert np.isnan(metric.function(y_true, y_proba, **options))
    assert record[0].filename == __file__
    assert metric.function(y_true, y_proba, **options, replace_undefined_by=0.25) == 0.25


@each([metric for metric in FOUND.values() if metric.is_sklearns])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_metrics_of_scikit_learn_have_its_values(metric, n_classes):
    y_true, y_proba = example(n_classes=n_classes)
    weight = np.linspace(0.1, 2, len(y_true))
    y_proba[0] = np.eye(n_classes)[(y_true[0] + 1) % n_classes]
    if metric.name == "brier_score" and n_classes > 2:
        # Before scikit-learn 1.7, its function takes two classes only.
        errors = y_proba - np.eye(n_classes)[y_true]
        expected = np.average((errors**2).sum(axis=1), weights=weight)
    else:
        second = y_proba if metric.name == "log_loss" else y_proba[:, 1]
        expected = metric.function(y_true, second, sample_weight=weight)
    assert metric(forecasts(y_true, y_proba, sample_weight=weight)) == pytest.approx(expected)


@OURS
def test_returns_a_python_float(metric):
    assert type(score(metric, *example())) is float


@OURS
@pytest.mark.parametrize(
    ("y_true", "options", "message"),
    [
        (["a", "b"], {}, "y_true has string labels"),
        ([0, 1, 1], {}, "must have the same length"),
        ([0, None], {}, "y_true has missing values"),
        ([0, 0.5], {}, "y_true must contain classes, got continuous"),
        ([0, 5], {"labels": [0, 1]}, "y_true has classes that are not in labels"),
        ([0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], {"sample_weight": [1, 1, 1]}, "sample_weight must"),
    ],
)
def test_wrong_true_classes_and_weights_are_errors(metric, y_true, options, message):
    with pytest.raises(ValueError, match=message):
        metric.function(y_true, [[0.8, 0.2], [0.3, 0.7]], **metric.options, **options)


def interval(y_true, y_pred, **options):
    return bootstrap_interval(y_true, y_pred, "ranked_probability_score", **options)


def difference(y_true, y_proba, **options):
    right = pd.get_dummies(pd.Series(y_true, dtype=object)).to_numpy(float)
    return paired_difference(y_true, right, y_proba, "ranked_probability_score", **options)


# Every public function that takes probabilities, of which those of rankings also take scores.
TAKING_PROBABILITIES = {
    **{m.name: partial(m.function, **m.options) for m in FOUND.values() if not m.is_sklearns},
    "decomposition": sklearn_ordinal.metrics.ranked_probability_decomposition,
    "equal_error_rate": sklearn_ordinal.metrics.equal_error_rate,
    "ROC curves": OrdinalRocCurveDisplay.from_predictions,
    "precision-recall curves": OrdinalPrecisionRecallDisplay.from_predictions,
    "DET curves": OrdinalDetCurveDisplay.from_predictions,
    "coverage curves": CoverageCurveDisplay.from_predictions,
    "calibration": ThresholdCalibrationDisplay.from_predictions,
    "interval": interval,
    "difference": difference,
    "metric": get_metric("cem_ord_decision").from_predictions,
    "forecasts": OrdinalForecasts.from_probabilities,
    "scores": OrdinalScores.from_scores,
    "soft counts": OrdinalConfusion.from_probabilities,
    "report": lambda y, p, **options: OrdinalReport.from_predictions(y, y, y_proba=p, **options),
    "text": lambda y, p, **options: sklearn_ordinal.ordinal_report(y, y, y_proba=p, **options),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("function", TAKING_PROBABILITIES.values(), ids=TAKING_PROBABILITIES)
def test_probabilities_of_float32_are_accepted_as_a_list(function):
    y_proba = np.random.default_rng(0).dirichlet([1, 1, 1], 100).astype(np.float32).tolist()
    assert max(abs(sum(row) - 1) for row in y_proba) > 2e-8
    function(np.arange(100) % 3, y_proba)


@OURS
@pytest.mark.parametrize("total", [1 - 9e-7, 1 + 9e-7])
def test_rows_that_add_up_to_almost_1_leave_no_value_out_of_its_range(metric, total):
    y_true = np.arange(40) % N_CLASSES
    lowest, highest = metric.bounds(N_CLASSES)
    for y_proba in (np.eye(N_CLASSES)[y_true], np.eye(N_CLASSES)[::-1][y_true]):
        assert lowest <= score(metric, y_true, y_proba * total) <= highest


BAD_PROBABILITIES = {
    "not adding up to 1": (
        [[0.5, 0.3, 0.2], [0.5, 0.3, 0.1], [0.9, 0.3, 0.1]],
        r"rows that add up to 1: row 1 adds up to 0.9 \(2 such rows of 3\)",
    ),
    "negative": (
        [[0.5, 0.7, -0.2], [0.5, 0.3, 0.2], [0, 0, 1]],
        r"must not be negative: row 0 contains -0.2 \(the only such row of 3\)",
    ),
    "missing": (
        [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [np.nan, 0, 1]],
        r"must be finite: row 2 has NaN or infinite values \(the only such row of 3\)",
    ),
    "too few columns": (
        [[0.5, 0.5]] * 3,
        "a column for each of the 3 classes .* got 2 columns: .* OrdinalForecasts.from_cumulative",
    ),
    "too many columns": ([[0.25] * 4] * 3, "a column for each of the 3 classes .* got 4 columns"),
    "names of other classes": (
        pd.DataFrame([[0.5, 0.3, 0.2]] * 3, columns=["high", "mid", "low"]),
        "has columns named .*high.* classes=",
    ),
    "three axes": (np.full((3, 3, 1), 1 / 3), r"must have shape .* got \(3, 3, 1\)"),
}


@pytest.mark.parametrize("function", TAKING_PROBABILITIES.values(), ids=TAKING_PROBABILITIES)
@pytest.mark.parametrize(("y_proba", "message"), BAD_PROBABILITIES.values(), ids=BAD_PROBABILITIES)
def test_bad_probabilities_are_errors_that_name_the_first_bad_row(function, y_proba, message):
    with pytest.raises(ValueError, match=message) as error:
        function(["low", "mid", "high"], y_proba, labels=["low", "mid", "high"])
    assert str(error.value).startswith(("y_proba ", "y_score ", "y_pred ", "y_pred_b "))


@pytest.mark.parametrize(
    "function",
    [
        function
        for name, function in TAKING_PROBABILITIES.items()
        if "y_score" not in parameters_of(function)
    ],
)
def test_the_error_for_one_column_of_two_classes_says_how_to_stack_both(function):
    with pytest.raises(ValueError, match=r"numpy.column_stack\(\[1 - p, p\]\)"):
        function([0, 1, 1], [0.2, 0.7, 0.6])


class _Oracle(ClassifierMixin, BaseEstimator):
    """A classifier whose features are probabilities of the classes, from the lowest."""

    classes_ = np.sort(NAMES)

    def predict_proba(self, X):
        return np.asarray(X)[:, np.argsort(NAMES)]

    def predict(self, X):
        return np.array(NAMES)[np.argmax(X, axis=1)]


@OURS
def test_the_scorer_is_the_function_with_the_sign_of_its_direction(metric):
    y_true, y_proba = example()
    names = np.array(NAMES)[y_true]
    scorer = sklearn_ordinal.make_ordinal_scorer(metric.scorer_name, labels=NAMES)
    sign = 1 if metric.greater_is_better else -1
    expected = sign * score(metric, y_true, y_proba)
    assert scorer(_Oracle(), y_proba, names) == pytest.approx(expected)
    assert not np.allclose(y_proba, _Oracle().predict_proba(y_proba))
