"""Evidence per sample: probabilities and scores."""

import dataclasses
import io
import json
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScores,
    get_metric,
    get_metric_names,
    ordinal_metric,
)
from sklearn_ordinal._core.scales import OrdinalScale

NAMES = ["low", "mid", "high"]
Y_TRUE = ["low", "mid", "high", "high"]
Y_PROBA = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3]])


def forecasts(**options):
    return OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, labels=NAMES, **options)


def test_columns_are_those_of_the_scale():
    assert forecasts().y_proba.tolist() == Y_PROBA.tolist()
    assert forecasts().y_true.tolist() == [0, 1, 2, 2]
    assert forecasts().class_counts.tolist() == [1, 1, 2]


def test_columns_are_matched_to_classes_in_any_order():
    shuffled = OrdinalForecasts.from_probabilities(
        Y_TRUE, Y_PROBA[:, [2, 0, 1]], labels=NAMES, classes=["high", "low", "mid"]
    )
    assert shuffled.y_proba.tolist() == Y_PROBA.tolist()


def test_a_class_without_a_column_has_probability_zero():
    found = OrdinalForecasts.from_probabilities(
        [0, 1, 2], [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5]], classes=[0, 1]
    )
    assert found.labels.tolist() == [0, 1, 2]
    assert found.y_proba.tolist() == [[0.7, 0.3, 0], [0.2, 0.8, 0], [0.5, 0.5, 0]]
    found = OrdinalForecasts.from_probabilities([2, 2], [[0.7, 0.3]] * 2, classes=[3, 1])
    assert found.labels.tolist() == [1, 2, 3]
    assert found.y_proba.tolist() == [[0.3, 0, 0.7]] * 2


def test_an_ordered_dtype_gives_the_order():
    y_true = pd.Categorical(Y_TRUE, NAMES, ordered=True)
    assert OrdinalForecasts.from_probabilities(y_true, Y_PROBA).labels.tolist() == NAMES
    by_name = OrdinalForecasts.from_probabilities(y_true, Y_PROBA[:, ::-1], classes=NAMES[::-1])
    assert by_name.y_proba.tolist() == Y_PROBA.tolist()


def test_strings_need_an_order():
    with pytest.raises(ValueError, match=r"y_true has string labels .* whose order is not known"):
        OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA)
    with pytest.raises(ValueError, match="whose order is not known"):
        OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, classes=NAMES)


@pytest.mark.parametrize(
    ("y_proba", "message"),
    [
        ([[0.5, 0.5, 0.1], [1, 0, 0]], r"add up to 1: row 0 adds up to 1.1 \(the only such row of"),
        ([[0.5, 0.5, 0], [0, 0, 0]], "row 1 adds up to 0 .* divide each row by its sum"),
        ([[1.2, -0.2, 0], [1, 0, 0]], "not be negative: row 0 contains -0.2"),
        ([[1, 0, 0], [np.nan, 0.5, 0.5]], "finite: row 1 has NaN"),
        ([[np.inf, 0, 0], [np.nan, 0.5, 0.5]], r"finite: row 0 .* \(2 such rows of 2\)"),
        (
            [[1, 0], [0, 1]],
            r"a column for each of the 3 classes \[0, 1, 2\] in y_true, got 2 columns: pass classes"
            r"= .* or use OrdinalForecasts.from_cumulative if the columns are P\(y > k\)\.",
        ),
        ([0.3, 0.4], r"got \(2,\): .*numpy.column_stack\(\[1 - p, p\]\)"),
        (np.full((2, 3, 3), 1 / 3), r"shape \(n_samples, n_classes\), got \(2, 3, 3\)"),
        ([[1, 0, 0]], "y_true and y_proba must have the same length, got 2 and 1"),
        ([["1", "0", "0"]] * 2, "y_proba must hold numbers, got strings"),
    ],
)
def test_bad_probabilities_are_named(y_proba, message):
    for make in (OrdinalForecasts.from_probabilities, OrdinalConfusion.from_probabilities):
        with pytest.raises(ValueError, match=message):
            make([0, 2], y_proba)


# Each row holds P(y > k), which does not rise.
cumulative_rows = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.floats(0, 1), min_size=n, max_size=n).map(lambda p: sorted(p, reverse=True)),
        min_size=1,
        max_size=5,
    )
)


@given(cumulative_rows)
def test_cumulative_probabilities_become_their_differences(y_above):
    n_classes = len(y_above[0]) + 1
    found = OrdinalForecasts.from_cumulative(
        np.zeros(len(y_above), int), y_above, labels=range(n_classes)
    )
    for row, above in zip(found.y_proba, y_above, strict=True):
        bounds = [1, *above, 0]
        exact = [Fraction(bounds[k]) - Fraction(bounds[k + 1]) for k in range(n_classes)]
        assert row.tolist() == [float(p) for p in exact]


@given(cumulative_rows, st.data())
def test_rounding_errors_of_cumulative_probabilities_leave_no_negative_probability(rows, data):
    noise = st.floats(-4e-7, 4e-7)
    y_above = [[p + data.draw(noise) for p in row] for row in rows]
    found = OrdinalForecasts.from_cumulative(
        np.zeros(len(rows), int), y_above, labels=range(len(rows[0]) + 1)
    )
    assert found.y_proba.min() >= 0
    np.testing.assert_allclose(found.y_proba.sum(axis=1), 1, rtol=0, atol=1e-15)
    expected = -np.diff(rows, axis=1, prepend=1, append=0)
    np.testing.assert_allclose(found.y_proba, expected, rtol=0, atol=2e-6)


def test_cumulative_probabilities_beyond_0_and_1_by_rounding_are_0_and_1():
    found = OrdinalForecasts.from_cumulative([0, 2], [[1 + 4e-7, 0.5], [0.25, -4e-7]])
    assert found.y_proba.tolist() == [[0, 0.5, 0.5], [0.75, 0.25, 0]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("n_classes", [2, 3, 10, 200])
def test_cumulative_probabilities_of_a_softmax_are_its_probabilities(n_classes, dtype):
    y_proba = softmax(n_classes, np.float64)
    y_above = y_proba[:, :0:-1].cumsum(axis=1)[:, ::-1].astype(dtype)
    for values in (y_above, pd.DataFrame(y_above), pl.DataFrame(y_above.tolist(), orient="row")):
        found = OrdinalForecasts.from_cumulative(
            np.zeros(len(y_proba), int), values, labels=range(n_classes)
        )
        np.testing.assert_allclose(found.y_proba, y_proba, rtol=0, atol=10 * np.finfo(dtype).eps)


def test_two_classes_may_have_one_cumulative_probability_per_sample():
    for y_above in ([0.2, 0.9], [[0.2], [0.9]], pd.Series([0.2, 0.9])):
        found = OrdinalForecasts.from_cumulative(["no", "yes"], y_above, labels=["no", "yes"])
        assert found.y_proba.tolist() == [[0.8, 0.2], [1 - 0.9, 0.9]]


def test_cumulative_forecasts_are_evaluated_as_those_of_the_classes():
    y_above = np.cumsum(Y_PROBA[:, :0:-1], axis=1)[:, ::-1]
    options = {"labels": NAMES, "sample_weight": [1, 2, 3, 4]}
    found = OrdinalForecasts.from_cumulative(Y_TRUE, y_above, **options)
    expected = OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, **options)
    assert found.is_weighted
    for name in ("ranked_probability_score", "concordance", "log_loss", "cem_ord_decision"):
        assert get_metric(name)(found) == pytest.approx(get_metric(name)(expected))
    np.testing.assert_allclose(found.to_confusion().counts, expected.to_confusion().counts)
    as_array = OrdinalForecasts.from_probabilities(Y_TRUE, found.y_proba, **options)
    assert (as_array.y_proba == found.y_proba).all()


@pytest.mark.parametrize(
    ("y_above", "message"),
    [
        (
            [[0.9, 0.3], [0.2, 0.6]],
            r"rise from column to column: row 1 rises from 0.2 to 0.6 \(the ",
        ),
        ([[0.9, 0.3], [0.2, 0.6]], r"np.minimum.accumulate\(y_above, axis=1\) if the thresholds"),
        ([[0.1, 0.3], [0.2, 0.6]], r"\(2 such rows of 2\); pass 1 - y_above if .* P\(y <= k\), or"),
        ([[0.9, 0.3], [1.2, -3]], r"between 0 and 1: row 1 contains -3 .*; if these are logits"),
        ([[0.9, 0.3], [1.2, 0.1]], r"row 1 contains 1.2 "),
        ([[0.9, np.nan], [0.2, 0.1]], "y_above must be finite: row 0 has NaN"),
        (
            [[1, 0, 0], [0, 0, 0]],
            r"highest of \[0, 1, 2\], got 3 columns: pass labels= with the 4 c",
        ),
        ([[1, 0, 0], [0, 0, 0]], "themselves to OrdinalForecasts.from_probabilities"),
        ([[1], [1]], r"got 1 columns: pass labels= with the 2 classes .* to the highest\."),
        ([0.3, 0.4], "got 1 columns"),
        (np.zeros((2, 0)), r"shape \(n_samples, n_classes - 1\), got \(2, 0\)"),
        (np.zeros((2, 2, 2)), r"shape \(n_samples, n_classes - 1\), got \(2, 2, 2\)"),
        ([[1, 0]], "y_true and y_above must have the same length, got 2 and 1"),
        ([["1", "0"]] * 2, "y_above must hold numbers, got strings"),
    ],
)
def test_bad_cumulative_probabilities_are_named(y_above, message):
    with pytest.raises(ValueError, match=message):
        OrdinalForecasts.from_cumulative([0, 2], y_above)


def test_the_running_minimum_makes_independent_thresholds_cumulative():
    y_above = np.array([[0.9, 0.3], [0.2, 0.6]])
    accumulated = np.minimum.accumulate(y_above, axis=1)
    found = OrdinalForecasts.from_cumulative([0, 2], accumulated)
    np.testing.assert_allclose(found.y_proba, [[0.1, 0.6, 0.3], [0.8, 0, 0.2]])


def test_cumulative_probabilities_of_statsmodels_are_those_of_its_classes():
    OrderedModel = pytest.importorskip("statsmodels.miscmodels.ordinal_model").OrderedModel
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    y_true = np.digitize(X @ [1, -1] + rng.logistic(size=100), [-1, 0.5])
    fitted = OrderedModel(y_true, X, distr="logit").fit(method="bfgs", disp=False)
    up_to = fitted.model.predict(fitted.params, which="cumprob")
    found = OrdinalForecasts.from_cumulative(y_true, 1 - up_to[:, :2])
    np.testing.assert_allclose(found.y_proba, fitted.predict(), rtol=0, atol=1e-14)


def test_cumulative_probabilities_with_another_index_are_refused():
    y_true = pd.Series([0, 2], index=["a", "b"])
    with pytest.raises(ValueError, match="same index in different orders"):
        OrdinalForecasts.from_cumulative(y_true, pd.DataFrame([[1, 0], [1, 0]], index=["b", "a"]))


def test_the_number_of_columns_must_be_known():
    with pytest.raises(ValueError, match=r"classes \[1, 2\] in y_true, got 4 columns"):
        OrdinalForecasts.from_probabilities([1, 2], np.full((2, 4), 0.25))
    with pytest.raises(ValueError, match=r"the 3 classes .* got 2 columns: pass classes="):
        OrdinalForecasts.from_probabilities(["low"], [[0.5, 0.5]], labels=NAMES)


def softmax(n_classes, dtype, n_samples=500):
    """Return probabilities that are computed in a dtype, as a neural net does."""
    scores = np.random.default_rng(n_classes).normal(size=(n_samples, n_classes)).astype(dtype)
    found = np.exp(scores - scores.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True, dtype=dtype)


def csv_round_trip(float_format):
    def save_and_read(y_proba):
        text = pd.DataFrame(y_proba.astype(float)).to_csv(index=False, float_format=float_format)
        return pd.read_csv(io.StringIO(text)).to_numpy()

    return save_and_read


ROUND_TRIPS = {
    "none": np.asarray,
    "float64": lambda y_proba: y_proba.astype(np.float64),
    "tolist": np.ndarray.tolist,
    "csv": csv_round_trip(None),
    "csv with nine digits": csv_round_trip("%.9g"),
    "csv with eight decimals": csv_round_trip("%.8f"),
    "csv of repr": lambda y_proba: [[float(str(p)) for p in row] for row in y_proba],
    "JSON": lambda y_proba: json.loads(json.dumps(y_proba.tolist())),
    "pandas": lambda y_proba: pd.DataFrame(y_proba.tolist()),
    "pandas, float32": pd.DataFrame,
    "pandas, objects": lambda y_proba: pd.DataFrame(y_proba.tolist(), dtype=object),
    "polars": lambda y_proba: pl.DataFrame(y_proba.tolist(), orient="row"),
    "polars, float32": lambda y_proba: pl.DataFrame(y_proba),
}


@pytest.mark.parametrize("round_trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@pytest.mark.parametrize("n_classes", [2, 3, 5, 10, 30, 100, 200])
def test_probabilities_of_float32_are_accepted_in_any_container(round_trip, n_classes):
    y_proba = softmax(n_classes, np.float32)
    found = OrdinalForecasts.from_probabilities(
        np.zeros(len(y_proba), int), round_trip(y_proba), labels=range(n_classes)
    )
    # No row is divided by its sum; text with fewer digits rounds once more.
    np.testing.assert_allclose(found.y_proba, y_proba, rtol=0, atol=6e-8)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 10, 30, 100, 200])
def test_probabilities_of_float16_are_accepted(n_classes):
    y_proba = softmax(n_classes, np.float16)
    found = OrdinalForecasts.from_probabilities(
        np.zeros(len(y_proba), int), y_proba, labels=range(n_classes)
    )
    assert (found.y_proba == y_proba).all()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            [0.5, 0.500023],
            r"row 1 adds up to 1 \+ 2.3e-05 \(the only .* of 2\), more than 1e-06 from 1",
        ),
        ([0.5, 0.4999989], r"row 1 adds up to 1 - 1.1e-06 "),
        ([0.5, 0.49], r"row 1 adds up to 0.99 "),
        (np.float32([0.5, 0.4996]), r"row 1 adds up to 1 - 0.0004 .*, more than 0.0003 from 1; if"),
    ],
)
def test_the_error_shows_by_how_much_a_row_deviates(row, message):
    y_proba = np.array([[0.5, 0.5], row], dtype=np.asarray(row).dtype)
    with pytest.raises(ValueError, match=message):
        OrdinalForecasts.from_probabilities([0, 1], y_proba)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_log_loss_is_that_of_float64_whatever_the_dtype(dtype):
    y_proba = np.eye(4)[[0, 1, 2, 0]]
    found = OrdinalForecasts.from_probabilities(range(4), y_proba.astype(dtype))
    assert get_metric("log_loss")(found) == pytest.approx(log_loss(range(4), y_proba))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_tolerance_depends_on_the_precision(dtype):
    tolerance = max(1e-6, np.sqrt(np.finfo(dtype).eps))
    inside, outside = np.eye(2, dtype=dtype), np.eye(2, dtype=dtype)
    inside[1, 0], outside[1, 0] = 0.9 * tolerance, 1.1 * tolerance
    assert OrdinalForecasts.from_probabilities([0, 1], inside).y_proba.dtype == np.float64
    OrdinalForecasts.from_probabilities([0, 1], inside, classes=[0, 1])
    with pytest.raises(ValueError, match="row 1 adds up to"):
        OrdinalForecasts.from_probabilities([0, 1], outside)
    with pytest.raises(ValueError, match="row 1 adds up to"):
        OrdinalForecasts.from_probabilities([0, 1], outside, classes=[0, 1])


def test_rounding_below_zero_is_accepted_and_kept():
    y_proba = [[1 + 1e-13, -1e-13], [0, 1]]
    assert OrdinalForecasts.from_probabilities([0, 1], y_proba).y_proba.tolist() == y_proba


def test_rows_with_an_infinite_sum_are_refused():
    huge = [[1e308, 1e308, 0], [1, 0, 0]]
    with pytest.raises(ValueError, match="must have rows that add up to 1: row 0 adds up to inf"):
        OrdinalForecasts.from_probabilities([0, 2], huge)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_column_names_must_not_contradict_the_classes(frame):
    columns = dict(zip(NAMES, Y_PROBA.T, strict=True))
    named = frame(columns)
    found = OrdinalForecasts.from_probabilities(Y_TRUE, named, labels=NAMES)
    assert found.y_proba.tolist() == Y_PROBA.tolist()
    with pytest.raises(ValueError, match=r"y_proba has columns named .*'high', 'low', 'mid'"):
        OrdinalForecasts.from_probabilities(
            Y_TRUE, frame({name: columns[name] for name in sorted(NAMES)}), labels=NAMES
        )
    with pytest.raises(ValueError, match=r"columns named .* but classes are"):
        OrdinalForecasts.from_probabilities(Y_TRUE, named, labels=NAMES, classes=NAMES[::-1])


@pytest.mark.parametrize(
    ("columns", "labels"),
    [
        # As with the classes of an estimator that was fitted on floats.
        ([2.0, 1.0, 0.0], [0, 1, 2]),
        (["2.0", "1.0", "0.0"], [0, 1, 2]),
        ([0, 1, 2], [2, 1, 0]),
    ],
)
def test_column_names_that_are_numbers_must_not_contradict_the_classes(columns, labels):
    named = pd.DataFrame(Y_PROBA, columns=columns)
    with pytest.raises(ValueError, match="y_proba has columns named"):
        OrdinalForecasts.from_probabilities([0, 1, 2, 2], named, labels=labels)
    found = OrdinalForecasts.from_probabilities(
        [0, 1, 2, 2], named[named.columns[::-1]], labels=labels
    )
    np.testing.assert_array_equal(found.y_proba, Y_PROBA[:, ::-1])


def test_the_names_that_pandas_gives_to_columns_say_nothing():
    frame = pd.DataFrame(Y_PROBA)
    found = OrdinalForecasts.from_probabilities([0, 1, 2, 2], frame, labels=[2, 1, 0])
    np.testing.assert_array_equal(found.y_proba, Y_PROBA)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_names_that_are_no_classes_are_ignored(frame):
    for named in (frame(Y_PROBA), frame(dict(zip(["p1", "p2", "p3"], Y_PROBA.T, strict=True)))):
        found = OrdinalForecasts.from_probabilities([1, 2, 3, 3], named, labels=[1, 2, 3])
        np.testing.assert_array_equal(found.y_proba, Y_PROBA)


def test_frames_in_another_order_are_refused():
    y_true = pd.Series([0, 1, 2], index=list("abc"))
    with pytest.raises(ValueError, match="same index in different orders"):
        OrdinalForecasts.from_probabilities(y_true, pd.DataFrame(np.eye(3), index=list("cab")))


def test_soft_counts_add_up_the_probabilities_of_each_true_class():
    weight = [1.0, 2.0, 0.5, 0.0]
    expected = np.zeros((3, 3))
    for true, row, w in zip([0, 1, 2, 2], Y_PROBA, weight, strict=True):
        expected[true] += w * row
    soft = OrdinalConfusion.from_probabilities(Y_TRUE, Y_PROBA, labels=NAMES, sample_weight=weight)
    assert soft.counts == pytest.approx(expected)
    assert soft.is_weighted
    assert forecasts(sample_weight=weight).to_confusion().counts == pytest.approx(expected)
    one_hot = OrdinalConfusion.from_probabilities([0, 1, 1], np.eye(2)[[0, 0, 1]])
    hard = OrdinalConfusion.from_predictions([0, 1, 1], [0, 0, 1])
    assert one_hot.counts.tolist() == hard.counts.tolist()


def test_soft_counts_that_are_integers_are_no_numbers_of_samples():
    proba = np.full((4, 2), 0.5)
    soft = OrdinalConfusion.from_probabilities([0, 0, 1, 1], proba)
    assert soft.counts.tolist() == [[1, 1], [1, 1]]
    assert soft.is_weighted
    assert soft.n_samples is None
    half = OrdinalConfusion.from_probabilities([0], proba[:1], labels=[0, 1])
    assert (half + half).n_samples is None
    one_hot = OrdinalConfusion.from_probabilities([0, 1, 1], np.eye(2)[[0, 0, 1]])
    assert one_hot.n_samples == 3


def test_expected_accuracy_is_the_accuracy_of_soft_counts():
    # The mean probability of the true class, by hand.
    assert get_metric("accuracy")(forecasts().to_confusion()) == pytest.approx(
        (0.6 + 0.5 + 0.6 + 0.3) / 4
    )


def test_leading_axes_of_weights_are_resamples():
    weights = np.array([[[1, 1, 1, 1], [0, 2, 0, 1]], [[0, 0, 0, 0], [3, 1, 0.5, 0]]])
    every = forecasts().reweighted(weights)
    assert every.class_counts.shape == (2, 2, 3)
    assert every.to_confusion().counts.shape == (2, 2, 3, 3)
    values = np.array([1.0, 2.0, 3.0, 4.0])
    expected = [[2.5, 8 / 3], [np.nan, 6.5 / 4.5]]
    assert every.mean(values) == pytest.approx(np.array(expected), nan_ok=True)
    for index in np.ndindex(2, 2):
        one = forecasts().reweighted(weights[index])
        assert one.class_counts == pytest.approx(every.class_counts[index])
        assert one.to_confusion().counts == pytest.approx(every.to_confusion().counts[index])


def calls(evidence):
    CALLS.append(evidence)
    return evidence.n_samples


CALLS = []


def test_what_does_not_depend_on_weights_is_computed_once():
    CALLS.clear()
    first = forecasts()
    assert first.shared(calls) == first.reweighted(np.ones((5, 4))).shared(calls) == 4
    assert len(CALLS) == 1
    assert forecasts().shared(calls) == 4
    assert len(CALLS) == 2


def test_a_stack_keeps_each_and_a_sum_pools_them():
    first = forecasts()
    second = OrdinalForecasts.from_probabilities(
        ["mid"], [[0, 1, 0]], labels=NAMES, sample_weight=[3.0]
    )
    stack = OrdinalForecasts.stack([first, second])
    assert stack.class_counts.tolist() == [[1, 1, 2], [0, 3, 0]]
    assert stack.to_confusion().counts[0] == pytest.approx(first.to_confusion().counts)
    assert stack.to_scores().y_score.tolist() == pytest.approx([0.5, 1.1, 1.5, 1.1, 1.0])
    pooled = sum([first, second])
    assert pooled.class_counts.tolist() == [1, 4, 2]
    assert pooled.is_weighted
    assert repr(stack).startswith("OrdinalForecasts, stack of 2, of 5 samples")


def test_a_sum_of_stacks_is_the_stack_of_sums():
    first, second = forecasts(), forecasts(sample_weight=[1, 0.5, 2, 3])
    weights = np.random.default_rng(0).random((3, 2, 4))
    pooled = first.reweighted(weights[:, 0]) + second.reweighted(weights[:, 1])
    assert pooled.weights.shape == (3, 8)
    for counts, (of_first, of_second) in zip(pooled.to_confusion().counts, weights, strict=True):
        expected = np.zeros((3, 3))
        for label, proba, w, v in zip(Y_TRUE, Y_PROBA, of_first, of_second, strict=True):
            expected[NAMES.index(label)] += (w + v) * proba
        np.testing.assert_allclose(counts, expected)


def test_other_evidence_cannot_be_added():
    other = OrdinalForecasts.from_probabilities([0, 1], np.eye(2))
    with pytest.raises(ValueError, match="scale must be the same for both"):
        forecasts() + other
    with pytest.raises(TypeError, match="cannot be added: make both an Ordinal"):
        forecasts() + forecasts().to_scores()
    with pytest.raises(TypeError, match="cannot be added: make both an Ordinal"):
        1 + forecasts()
    with pytest.raises(ValueError, match="at least one OrdinalForecasts"):
        OrdinalForecasts.stack([])
    with pytest.raises(ValueError, match="same leading axes"):
        OrdinalForecasts.stack([forecasts(), forecasts().reweighted(np.ones((2, 4)))])


def test_expected_positions_that_differ_by_rounding_are_tied():
    y_proba = [[0.1 + 0.2, 0.7], [0.3, 0.7]]
    scores = OrdinalForecasts.from_probabilities([0, 1], y_proba).to_scores()
    assert scores.y_score[0] == scores.y_score[1]
    assert OrdinalScores.from_scores([0, 1], y_proba).y_score.tolist() == scores.y_score.tolist()


def test_scores_are_numbers_one_per_sample():
    scores = OrdinalScores.from_scores(["low", "high"], pd.Series([-1.5, 2]), labels=NAMES)
    assert scores.y_score.tolist() == [-1.5, 2]
    assert OrdinalScores.from_scores([0, 1], [[1.0], [2.0]]).y_score.tolist() == [1, 2]
    for y_score, message in [
        ([1.0, np.nan], r"y_score must be finite: sample 1 has nan \(1 of 2 samples\)"),
        ([1.0, np.inf], "y_score must be finite: sample 1 has inf"),
        ([1.0], "y_true and y_score must have the same length, got 2 and 1"),
        (1.0, r"y_score must have shape \(n_samples,\) or \(n_samples, n_classes\), got \(\)"),
        (np.eye(2)[None], r"y_score must have shape .* got \(1, 2, 2\)"),
        ([[-1.3, 0.2], [0.4, 0.6]], "or one score per sample: y_score must not be negative"),
        (["a", "b"], "y_score must hold numbers, got strings"),
        ([[0.5, 0.6], [0, 1]], "row 0 adds up to 1.1"),
    ]:
        with pytest.raises(ValueError, match=message):
            OrdinalScores.from_scores([0, 1], y_score)


def test_weights_are_checked():
    for make, prediction in (
        (OrdinalForecasts.from_probabilities, np.eye(2)),
        (OrdinalScores.from_scores, [0.1, 0.2]),
    ):
        assert make([0, 1], prediction, sample_weight=[1, 0.5]).weights.tolist() == [1, 0.5]
        with pytest.raises(ValueError, match="sample_weight must not be negative"):
            make([0, 1], prediction, sample_weight=[1, -1])
        with pytest.raises(ValueError, match=r"sample_weight must have shape \(2,\)"):
            make([0, 1], prediction, sample_weight=[1])


def test_the_constructor_checks_what_it_is_given():
    scale = OrdinalScale.from_labels(NAMES)
    good = {"scale": scale, "y_true": np.arange(3), "weights": np.ones(3)}
    for bad, message in [
        ({"y_true": np.arange(1, 4)}, "from 0 to 2, got 1 to 3"),
        (
            {"y_true": np.array(["low"] * 3)},
            r"array of positions on the scale: pass labels to Ordinal\w+\.from_",
        ),
        ({"weights": np.ones(2)}, r"weights must have shape \(..., 3\)"),
        ({"weights": [1, -1, 1]}, "weights must not be negative"),
        ({"is_weighted": 1}, "is_weighted must be True or False"),
    ]:
        with pytest.raises(ValueError, match=message):
            OrdinalForecasts(**{"y_proba": np.eye(3), **good, **bad})
        with pytest.raises(ValueError, match=message):
            OrdinalScores(**{"y_score": np.arange(3.0), **good, **bad})
    with pytest.raises(ValueError, match=r"y_proba must have shape \(3, 3\), got \(3, 2\)"):
        OrdinalForecasts(y_proba=np.ones((3, 2)), **good)
    with pytest.raises(ValueError, match="row 0 adds up to 3"):
        OrdinalForecasts(y_proba=np.ones((3, 3)), **good)
    with pytest.raises(ValueError, match=r"y_score must have shape \(3,\), a score for each"):
        OrdinalScores(y_score=np.ones(2), **good)


def test_weights_given_to_the_constructor_are_numbers_of_samples_unless_it_is_told_otherwise():
    scale = OrdinalScale.from_labels(NAMES)
    parts = {"scale": scale, "y_true": np.arange(3), "weights": np.array([2.0, 1.0, 3.0])}
    for kind, predicted in ((OrdinalForecasts, np.eye(3)), (OrdinalScores, np.arange(3.0))):
        predictions = {("y_proba" if predicted.ndim == 2 else "y_score"): predicted}
        assert not kind(**parts, **predictions).is_weighted
        assert kind(**parts, **predictions, is_weighted=True).is_weighted
    assert not OrdinalForecasts(y_proba=np.eye(3), **parts).to_confusion().is_weighted


@pytest.mark.parametrize("evidence", [forecasts(), forecasts().to_scores()])
def test_evidence_is_read_only_and_survives_pickling(evidence):
    for array in (evidence.y_true, evidence.weights, evidence._predicted):
        assert not array.flags.writeable
    again = pickle.loads(pickle.dumps(evidence))
    assert again._predicted.tolist() == evidence._predicted.tolist()
    assert again.scale == evidence.scale
    assert not again.weights.flags.writeable
    with pytest.raises(TypeError):
        np.ones(4) + evidence


@pytest.mark.parametrize("evidence", [forecasts(), forecasts().to_scores()])
def test_evidence_is_frozen_and_equal_after_pickling(evidence):
    with pytest.raises(dataclasses.FrozenInstanceError):
        evidence.is_weighted = True
    again = pickle.loads(pickle.dumps(evidence))
    assert evidence == again
    assert len({evidence, again}) == 1


def test_float32_probabilities_are_checked_once_with_the_tolerance_of_their_dtype():
    y_proba = np.random.default_rng(0).dirichlet(np.ones(3), 500).astype(np.float32)
    assert np.abs(y_proba.sum(axis=1, dtype=np.float64) - 1).max() > 2e-8
    evidence = OrdinalForecasts.from_probabilities([0, 1] * 250, y_proba, labels=range(3))
    assert (evidence + evidence).n_samples == 1000
    assert OrdinalForecasts.stack([evidence, evidence]).weights.shape == (2, 1000)
    again = pickle.loads(pickle.dumps(evidence))
    assert again.y_proba.tolist() == y_proba.tolist()


def test_a_metric_says_which_evidence_it_needs():
    @ordinal_metric(evidence="probabilities", greater_is_better=True)
    def mean_probability_of_the_truth_score(forecasts):
        return forecasts.mean(forecasts.y_proba[np.arange(forecasts.n_samples), forecasts.y_true])

    @ordinal_metric(evidence="scores", greater_is_better=True)
    def mean_of_scores(scores):
        return scores.mean(scores.y_score)

    truth, mean = get_metric("mean_probability_of_the_truth"), get_metric("mean_of_scores")
    assert truth(forecasts()) == pytest.approx(0.5)
    assert truth(OrdinalForecasts.stack([forecasts()] * 2)).tolist() == pytest.approx([0.5, 0.5])
    assert truth.from_predictions(Y_TRUE, Y_PROBA, labels=NAMES) == pytest.approx(0.5)
    assert mean(forecasts()) == mean(forecasts().to_scores()) == pytest.approx(1.05)
    assert mean.from_predictions([0, 1], [2, 3]) == 2.5
    with pytest.raises(ValueError, match=r"must be an OrdinalForecasts for mean_p.*got OrdinalC"):
        truth(OrdinalConfusion.from_predictions([0, 1], [0, 1]))
    with pytest.raises(ValueError, match="must be an OrdinalScores for mean_of_scores"):
        mean(np.eye(3))
    with pytest.raises(ValueError, match=r"must be an OrdinalConfusion for cem_ord.*to_confusion"):
        get_metric("cem_ord")(forecasts())


def test_new_weights_must_fit_the_samples():
    for weights in (np.ones((2, 3)), np.ones(()), np.ones(5)):
        with pytest.raises(ValueError, match=r"weights must have shape \(\.\.\., 4\)"):
            forecasts().reweighted(weights)


def test_a_statistic_is_tried_when_it_is_defined():
    with pytest.raises(ValueError, match=r"values of shape \(2,\) for forecasts .* got shape \(\)"):

        @ordinal_metric(evidence="probabilities", greater_is_better=True)
        def constant_score(forecasts):
            return 1.0 * forecasts.n_classes

    with pytest.raises(ValueError, match="evidence must be one of"):

        @ordinal_metric(evidence="estimator", greater_is_better=True)
        def other_score(forecasts):
            return forecasts.mean(forecasts.y_true)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"evidence": "proba"}, "evidence must be one of"),
        ({"greater_is_better": "yes"}, "greater_is_better must be True, False or None"),
        ({"bounds": (1, 0)}, "bounds must be the lowest and the highest value"),
    ],
)
def test_a_metric_with_a_public_function_is_not_recorded_with_unknown_facts(options, message):
    def mean_truth(forecasts):
        return forecasts.mean(forecasts.y_true)

    with pytest.raises(ValueError, match=message):

        @ordinal_metric(mean_truth, **{"greater_is_better": True, **options})
        def unrecorded_score(y_true, y_proba, *, labels=None, sample_weight=None):
            pass

    assert "unrecorded" not in get_metric_names()


@given(st.integers(2, 6), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_soft_counts_of_weights_are_those_of_repeated_samples(n_classes, n_samples, seed):
    rng = np.random.default_rng(seed)
    y_true, y_proba = (
        rng.integers(n_classes, size=n_samples),
        rng.dirichlet(np.ones(n_classes), n_samples),
    )
    times = rng.integers(3, size=n_samples)
    times[0] = 1
    labels = range(n_classes)
    weighted = OrdinalForecasts.from_probabilities(
        y_true, y_proba, labels=labels, sample_weight=times
    )
    repeated = OrdinalForecasts.from_probabilities(
        y_true.repeat(times), y_proba.repeat(times, axis=0), labels=labels
    )
    assert weighted.to_confusion().counts == pytest.approx(repeated.to_confusion().counts)
    assert weighted.class_counts == pytest.approx(repeated.class_counts)
