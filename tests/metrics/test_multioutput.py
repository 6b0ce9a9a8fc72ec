"""Multi-output metrics against single columns, scikit-learn and folds computed by hand."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import make_ordinal_scorer
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.metrics import (
    cem_ord_score,
    exact_match_score,
    kendall_tau_score,
    linear_weighted_kappa_score,
    multioutput_score,
    ordinal_mean_absolute_error,
    within_n_accuracy_score,
)

METRICS = metrics_of(LABELS)

PUBLISHED_BY_SCIKIT_LEARN = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "f1_macro": partial(sk.f1_score, average="macro"),
}
ALL = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
LEVELS = ["low", "mid", "top"]


def score_one_column(metric, y_true, y_pred, **options):
    """Return the value of the public function for one output."""
    if metric.function.__module__.startswith("sklearn_ordinal."):
        return metric.function(y_true, y_pred, **metric.options, **options)
    options.pop("labels", None)
    return PUBLISHED_BY_SCIKIT_LEARN[metric.name](y_true, y_pred, **options)


@pytest.fixture
def y():
    """Return three outputs of 40 samples on a scale of four classes, and weights."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 4, (40, 3))
    pred = np.clip(true + rng.integers(-1, 2, (40, 3)), 0, 3)
    return true, pred, rng.random(40)


@ALL
@pytest.mark.parametrize("labels", [None, [0, 1, 2, 3]])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_equals_the_metric_of_each_column(metric, labels, is_weighted, y):
    true, pred, weight = y
    options = {"labels": labels, "sample_weight": weight if is_weighted else None}
    expected = [score_one_column(metric, true[:, k], pred[:, k], **options) for k in range(3)]
    each = multioutput_score(true, pred, metric.name, **options, aggregate="none")
    assert each.shape == (3,)
    assert each == pytest.approx(expected)
    mean = multioutput_score(true, pred, metric.name, **options)
    assert type(mean) is float
    assert mean == pytest.approx(sum(expected) / 3)
    by_weight = multioutput_score(true, pred, metric.name, **options, aggregate=[2, 0, 1])
    assert by_weight == pytest.approx((2 * expected[0] + expected[2]) / 3)


@ALL
def test_scales_may_differ_in_length(metric, y):
    true, pred, _ = y
    true[:, 0], pred[:, 0] = true[:, 0] // 2, pred[:, 0] // 2
    expected = [score_one_column(metric, true[:, k], pred[:, k]) for k in range(3)]
    each = multioutput_score(true, pred, metric.name, aggregate="none")
    assert each == pytest.approx(expected)


def test_takes_functions_and_functions_with_options(y):
    true, pred, weight = y
    options = {"sample_weight": weight, "aggregate": "none"}
    functions = [
        linear_weighted_kappa_score,
        kendall_tau_score,
        within_n_accuracy_score,
        partial(kendall_tau_score, variant="a"),
        partial(within_n_accuracy_score, n=2),
        partial(cem_ord_score, adjusted=True),
    ]
    for function in functions:
        expected = [function(true[:, k], pred[:, k], sample_weight=weight) for k in range(3)]
        assert multioutput_score(true, pred, function, **options) == pytest.approx(expected)


def test_the_options_of_a_partial_include_the_labels():
    y_true, y_pred = np.array([["low"], ["top"]]), np.array([["mid"], ["top"]])
    metric = partial(ordinal_mean_absolute_error, labels=LEVELS)
    assert multioutput_score(y_true, y_pred, metric) == 0.5


@pytest.mark.parametrize("metric", ["ordinal_mean_absolute_error", ordinal_mean_absolute_error])
def test_takes_strings_with_their_order(metric):
    # Errors of 0 and 2 in the first output, 1 and 0 in the second.
    y_true, y_pred = [["top", "low"], ["low", "mid"]], [["top", "mid"], ["top", "mid"]]
    options = {"labels": LEVELS, "aggregate": "none"}
    expected = pytest.approx([1, 0.5])
    assert multioutput_score(np.array(y_true), np.array(y_pred), metric, **options) == expected
    assert multioutput_score(np.array(y_true, object), y_pred, metric, **options) == expected
    assert multioutput_score(y_true, y_pred, metric, **options) == expected


@pytest.mark.parametrize("metric", ["ordinal_mean_absolute_error", "cem_ord"])
def test_each_column_of_a_frame_has_its_own_order(metric):
    scales = {"service": ["poor", "fair", "good"], "price": ["high", "ok", "low", "gift"]}
    true = {"service": ["poor", "good", "fair", "fair"], "price": ["ok", "gift", "high", "low"]}
    pred = {"service": ["fair", "good", "poor", "fair"], "price": ["low", "gift", "high", "high"]}
    expected = [
        METRICS[metric].function(true[name], pred[name], labels=scale)
        for name, scale in scales.items()
    ]
    if metric == "ordinal_mean_absolute_error":
        assert expected == [(1 + 0 + 1 + 0) / 4, (1 + 0 + 0 + 2) / 4]
    ordered = {name: pd.CategoricalDtype(scale, ordered=True) for name, scale in scales.items()}
    frames = [pd.DataFrame(y).astype(ordered) for y in (true, pred)]
    assert multioutput_score(*frames, metric, aggregate="none") == pytest.approx(expected)
    enums = {name: pl.Enum(scale) for name, scale in scales.items()}
    frames = [pl.DataFrame(y, schema=enums) for y in (true, pred)]
    assert multioutput_score(*frames, metric, aggregate="none") == pytest.approx(expected)
    # A classifier predicts an array of strings.
    predicted = np.array(list(pred.values())).T
    assert multioutput_score(frames[0], predicted, metric) == pytest.approx(np.mean(expected))


def test_an_undefined_output_makes_the_mean_undefined_unless_replaced():
    y_true, y_pred = [[0, 0], [1, 1], [2, 2]], [[0, 1], [1, 1], [2, 1]]
    with pytest.warns(UndefinedMetricWarning, match="tau_b is undefined for output 1") as record:
        each = multioutput_score(y_true, y_pred, "kendall_tau_b", aggregate="none")
    assert record[0].filename == __file__
    assert each[0] == pytest.approx(1)
    assert np.isnan(each[1])
    with pytest.warns(UndefinedMetricWarning, match="undefined for output 1"):
        assert np.isnan(multioutput_score(y_true, y_pred, "kendall_tau_b"))
    with pytest.warns(UndefinedMetricWarning, match="undefined for output 1"):
        weighted = multioutput_score(y_true, y_pred, "kendall_tau_b", aggregate=[1, 0])
    assert weighted == pytest.approx(1)
    replaced = partial(kendall_tau_score, replace_undefined_by=0)
    assert multioutput_score(y_true, y_pred, replaced) == pytest.approx(0.5)
    with pytest.warns(UndefinedMetricWarning, match="tau_b is undefined for output 1"):
        assert np.isnan(multioutput_score(y_true, y_pred, partial(kendall_tau_score)))


@given(
    st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=12),
)
def test_exact_match_is_scikit_learns_multilabel_accuracy(rows):
    true, pred = np.split(np.array(rows, dtype=int), 2, axis=1)
    weight = 1.0 + np.arange(len(true)) % 3
    for sample_weight in (None, weight):
        expected = sk.accuracy_score(true, pred, sample_weight=sample_weight)
        ours = exact_match_score(true, pred, sample_weight=sample_weight)
        assert ours == pytest.approx(expected)


def test_exact_match_compares_classes_not_codes():
    y_true = pd.DataFrame({"a": [0, 1, 2], "b": pd.Categorical(list("xyx"), list("yx"), True)})
    y_pred = np.array([[0, "x"], [1, "x"], [2, "x"]], dtype=object)
    assert exact_match_score(y_true, y_pred) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "score",
    [
        exact_match_score,
        partial(multioutput_score, metric="cem_ord"),
        partial(multioutput_score, metric=partial(cem_ord_score)),
    ],
    ids=["exact match", "by name", "with options"],
)
@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        ([0, 1], [[0], [1]], r"y_true must have shape \(n_samples, n_outputs\), got \(2,\)"),
        ([[0], [1]], [0, 1], r"y_pred must have shape \(n_samples, n_outputs\), got \(2,\)"),
        (np.zeros((3, 0)), [[0], [1]], r"y_true must have shape .*, got \(3, 0\)"),
        (np.zeros((0, 3)), np.zeros((0, 3)), "y_true must not be empty"),
        ([[0, 1]], [[0]], "y_true and y_pred must have the same number of outputs, got 2 and 1"),
        ([[0, 1]], [[0, 1]] * 2, "y_true and y_pred must have the same length"),
        (np.ma.array([[1, 0], [0, 1]], mask=np.eye(2)), [[1, 1]] * 2, "y_true has missing values"),
    ],
)
def test_wrong_shapes_are_errors_that_name_the_argument(score, y_true, y_pred, message):
    with pytest.raises(ValueError, match=message):
        score(y_true, y_pred)


@ALL
def test_a_metric_of_a_single_output_takes_one_column_at_a_time(metric):
    if metric.function.__module__.startswith("sklearn_ordinal."):
        with pytest.raises(ValueError, match="pass one column at a time"):
            metric.function([[0, 1], [1, 1]], [[0, 1], [1, 1]], **metric.options)


@pytest.mark.parametrize(
    ("metric", "aggregate", "message"),
    [
        ("tau", "mean", "metric must be a known name, got 'tau'"),
        (sk.roc_auc_score, "mean", "roc_auc_score takes probabilities, not labels"),
        ("log_loss", "mean", "must be an OrdinalForecasts for log_loss"),
        ("cem_ord", "sum", "aggregate must be one of .* got 'sum'"),
        ("cem_ord", [1], r"aggregate must have shape \(2,\), got \(1,\)"),
        ("cem_ord", [1, -1], "aggregate must not be negative"),
        ("cem_ord", [0, 0], "aggregate must not be all zero"),
    ],
)
def test_wrong_options_are_errors_that_name_them(metric, aggregate, message):
    with pytest.raises(ValueError, match=message):
        multioutput_score([[0, 1], [1, 1]], [[0, 1], [1, 1]], metric, aggregate=aggregate)


@pytest.mark.parametrize(("multioutput", "weight"), [("mean", [1, 1]), ([3, 1], [3, 1])])
def test_multioutput_scorers_equal_folds_by_hand(multioutput, weight):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, (90, 2))
    X = y + rng.normal(scale=0.7, size=y.shape)
    folds = list(KFold(3).split(X))
    depths = [1, 2, 5]
    scorer = make_ordinal_scorer("neg_ordinal_mean_absolute_error", multioutput=multioutput)

    def model(depth):
        return MultiOutputClassifier(DecisionTreeClassifier(max_depth=depth, random_state=0))

    by_hand = np.zeros((len(depths), len(folds)))
    for (d, depth), (f, (train, test)) in product(enumerate(depths), enumerate(folds)):
        predicted = model(depth).fit(X[train], y[train]).predict(X[test])
        by_hand[d, f] = -np.average(np.abs(predicted - y[test]).mean(axis=0), weights=weight)
    scores = cross_val_score(model(2), X, y, scoring=scorer, cv=folds)
    assert scores == pytest.approx(by_hand[1])
    grid = {"estimator__max_depth": depths}
    search = GridSearchCV(model(1), grid, scoring=scorer, cv=folds).fit(X, y)
    assert search.cv_results_["mean_test_score"] == pytest.approx(by_hand.mean(axis=1))
    assert search.best_index_ == by_hand.mean(axis=1).argmax()


def test_a_multioutput_scorer_takes_the_order_of_strings():
    rng = np.random.default_rng(0)
    positions = rng.integers(0, 3, (60, 2))
    names = np.array(["poor", "fair", "good"])
    X = positions + rng.normal(scale=0.7, size=positions.shape)
    model = MultiOutputClassifier(DecisionTreeClassifier(max_depth=3, random_state=0))
    scorer = make_ordinal_scorer("within_1_accuracy", labels=names, multioutput="mean")
    folds = list(KFold(3).split(X))
    scores = cross_val_score(model, X, names[positions], scoring=scorer, cv=folds)
    for score, (train, test) in zip(scores, folds, strict=True):
        predicted = model.fit(X[train], names[positions[train]]).predict(X[test])
        joined = np.char.add(predicted.astype(str), names[positions[test]])
        is_far = np.isin(joined, ["poorgood", "goodpoor"])
        assert score == pytest.approx(1 - is_far.mean())


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    "score", [partial(multioutput_score, metric="accuracy"), exact_match_score]
)
def test_columns_with_different_names_are_never_paired(score, frame):
    y_true = frame({"food": [0, 1, 2], "place": [2, 1, 0]})
    assert score(y_true, y_true) == 1
    assert score(y_true, y_true.to_numpy()) == 1
    assert score(y_true, pd.DataFrame(y_true.to_numpy())) == 1
    for y_pred in (y_true[["place", "food"]], frame({"food": [0, 1, 2], "price": [2, 1, 0]})):
        with pytest.raises(ValueError, match=r"same columns in the same order, got \['food', "):
            score(y_true, y_pred)


def test_targets_without_outputs_are_an_error():
    for y in ([[], []], pd.DataFrame(index=[0, 1])):
        with pytest.raises(ValueError, match=r"y_true must have shape .*, got no outputs"):
            multioutput_score(y, y, "accuracy")
