"""Averages of binary measures over splits and over samples, against scikit-learn."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal.metrics import split_measures

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
# Each has dozens of calls of scikit-learn, which take milliseconds.
few_examples = settings(max_examples=8)
AVERAGED = {
    "sensitivity": sk.recall_score,
    "precision": sk.precision_score,
    "f1": sk.f1_score,
}


@quietly
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@few_examples
@given(pairs)
def test_averages_over_classes_equal_scikit_learns(average, rows):
    y_true, y_pred = np.array(rows).T
    # If no true class is ever predicted, scikit-learn's weights are all zero and it falls back
    # to equal weights; ours is undefined.
    assume(set(y_true) & set(y_pred))
    values = split_measures(
        y_true, y_pred, labels=range(4), measures=list(AVERAGED), average=average
    )
    for name, peer in AVERAGED.items():
        options = {"labels": range(4), "average": average, "zero_division": np.nan}
        assert values[name] == pytest.approx(peer(y_true, y_pred, **options)), name


@quietly
@few_examples
@given(pairs)
def test_averages_over_thresholds_equal_those_of_explicit_binary_labels(rows):
    y_true, y_pred = np.array(rows).T
    true, pred = (np.greater.outer(y, range(3)) for y in (y_true, y_pred))
    options = {"labels": range(4), "split": "threshold", "measures": list(AVERAGED)}
    micro = split_measures(y_true, y_pred, **options, average="micro")
    macro = split_measures(y_true, y_pred, **options, average="macro")
    for name, peer in AVERAGED.items():
        one = peer(true.ravel(), pred.ravel(), zero_division=np.nan)
        assert micro[name] == pytest.approx(one, nan_ok=True)
        each = [peer(true[:, k], pred[:, k], zero_division=np.nan) for k in range(3)]
        mean = np.nanmean(each) if not np.isnan(each).all() else np.nan
        assert macro[name] == pytest.approx(mean, nan_ok=True)


@quietly
@few_examples
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.booleans(), min_size=2 * n, max_size=2 * n), min_size=1, max_size=12
        )
    )
)
def test_averages_over_samples_equal_scikit_learns(rows):
    true, pred = np.split(np.array(rows, dtype=int), 2, axis=1)
    # scikit-learn takes a single column to be one output of two classes.
    assume(true.shape[1] > 1)
    weight = 1.0 + np.arange(len(true)) % 3
    for sample_weight in (None, weight):
        values = split_measures(true, pred, sample_weight=sample_weight, average="samples")
        options = {"average": "samples", "sample_weight": sample_weight}
        for name, peer in AVERAGED.items():
            expected = peer(true, pred, zero_division=np.nan, **options)
            assert values[name] == pytest.approx(expected, nan_ok=True), name
        loss = sk.hamming_loss(true, pred, sample_weight=sample_weight)
        assert values["error_rate"] == pytest.approx(loss)
        assert values["accuracy"] == pytest.approx(1 - loss)


def test_outputs_of_two_named_classes_are_averaged_over_samples():
    true = np.array([["no", "yes", "yes"], ["no", "no", "yes"]])
    pred = np.array([["yes", "yes", "no"], ["no", "no", "no"]])
    options = {"measures": ["precision", "sensitivity", "jaccard"], "average": "samples"}
    with pytest.warns(UndefinedMetricWarning, match="these data: precision"):
        values = split_measures(true, pred, labels=["no", "yes"], **options)
    # The second sample has no prediction, so no precision.
    assert values == pytest.approx({"precision": 1 / 2, "sensitivity": 1 / 4, "jaccard": 1 / 6})


@pytest.mark.parametrize(
    ("y_true", "classes"), [([[0, 1], [2, 1]], "0, 1, 2"), ([[1, 1], [2, 1]], "1, 2")]
)
def test_outputs_of_other_classes_than_0_and_1_are_not_averaged_over_samples(y_true, classes):
    message = rf"needs outputs of the classes 0 and 1, or labels=\[.*got \[{classes}\]"
    with pytest.raises(ValueError, match=message):
        split_measures(y_true, [[1, 1], [1, 1]], average="samples")
