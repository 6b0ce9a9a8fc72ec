"""Binary measures of splits, against scikit-learn, imbalanced-learn and worked examples."""

from math import log, pi, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal.metrics import split_measures

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
weighted = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.5, 1.0, 3.0])),
    min_size=4,
    max_size=30,
)
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
SPLITS = {"class": lambda y, k: y == k, "threshold": lambda y, k: y > k}


def labels_of(tp, fp, fn, tn):
    return [1] * tp + [0] * fp + [1] * fn + [0] * tn, [1] * (tp + fp) + [0] * (fn + tn)


# A. Tharwat (2020): 70 true and 20 false positives, 30 false and 80 true negatives. Worked out
# from the definitions there, on the printed sensitivity .7, specificity .8, precision 70/90.
THARWAT = {
    "accuracy": 0.75,
    "error_rate": 0.25,
    "sensitivity": 0.7,
    "specificity": 0.8,
    "false_positive_rate": 0.2,
    "false_negative_rate": 0.3,
    "precision": 7 / 9,
    "negative_predictive_value": 8 / 11,
    "false_discovery_rate": 2 / 9,
    "false_omission_rate": 3 / 11,
    "positive_likelihood_ratio": 3.5,
    "negative_likelihood_ratio": 0.375,
    "diagnostic_odds_ratio": 28 / 3,
    "youden_j": 0.5,
    "matthews_correlation": 5000 / sqrt(90 * 100 * 100 * 110),
    "discriminant_power": sqrt(3) / pi * (log(7 / 2) + log(8 / 3)),
    "f1": 14 / 19,
    "adjusted_f": sqrt(350 / 490 * 100 / 135),
    "markedness": 7 / 9 + 8 / 11 - 1,
    "balanced_accuracy": 0.75,
    "balanced_error_rate": 0.25,
    "geometric_mean": sqrt(0.56),
    "adjusted_geometric_mean": (sqrt(0.56) + 0.8 * 100) / 101,
    "optimization_precision": 0.75 - 0.1 / 1.5,
    "jaccard": 7 / 12,
}


@pytest.mark.parametrize(("name", "expected"), THARWAT.items())
def test_the_binary_example_of_tharwat(name, expected):
    y_true, y_pred = labels_of(tp=70, fp=20, fn=30, tn=80)
    values = split_measures(y_true, y_pred)
    assert list(values) == list(THARWAT)
    assert values[name][1] == pytest.approx(expected)
    # Of two classes there is one threshold, and above it is the upper class.
    above = split_measures(y_true, y_pred, split="threshold", measures=[name])
    assert above[name] == pytest.approx([expected])


def test_the_example_of_three_classes_of_tharwat():
    # Printed with the predicted classes in rows.
    predicted_by_true = np.array([[80, 15, 0], [15, 70, 10], [5, 15, 90]])
    pred, true = (
        np.repeat(side, predicted_by_true.ravel()) for side in np.indices((3, 3)).reshape(2, 9)
    )
    values = split_measures(true, pred, measures=["sensitivity", "specificity"])
    assert values["sensitivity"] == pytest.approx([0.8, 0.7, 0.9])
    assert values["specificity"] == pytest.approx([0.925, 0.875, 0.9])
    # Above A: 185 of 200 (15 + 0 predicted A) and 80 of 100; above B: 90 of 100 and 180 of 200.
    values = split_measures(true, pred, split="threshold", measures=["sensitivity", "specificity"])
    assert values["sensitivity"] == pytest.approx([0.925, 0.9])
    assert values["specificity"] == pytest.approx([0.8, 0.9])


def by_scikit_learn(true, pred, weight):
    """All measures of boolean arrays, from what scikit-learn and imbalanced-learn publish."""
    imblearn = pytest.importorskip("imblearn.metrics", reason="a second opinion")
    data, options = (true, pred), {"sample_weight": weight}
    tpr, ppv = sk.recall_score(*data, **options), sk.precision_score(*data, **options)
    npv = sk.precision_score(*data, pos_label=False, **options)
    tnr = imblearn.specificity_score(*data, **options)
    positive, negative = sk.class_likelihood_ratios(*data, **options)
    balanced = sk.balanced_accuracy_score(*data, **options)
    accuracy = sk.accuracy_score(*data, **options)
    mean = imblearn.geometric_mean_score(*data, average="binary", **options)
    n_negative = weight[~true].sum()
    f2 = sk.fbeta_score(*data, beta=2, **options)
    inverse_f = sk.fbeta_score(*data, beta=0.5, pos_label=False, **options)
    return {
        "accuracy": accuracy,
        "error_rate": sk.zero_one_loss(*data, **options),
        "sensitivity": tpr,
        "specificity": tnr,
        "false_positive_rate": sk.roc_curve(*data, drop_intermediate=False, **options)[0][1],
        "false_negative_rate": 1 - tpr,
        "precision": ppv,
        "negative_predictive_value": npv,
        "false_discovery_rate": 1 - ppv,
        "false_omission_rate": 1 - npv,
        "positive_likelihood_ratio": positive,
        "negative_likelihood_ratio": negative,
        "diagnostic_odds_ratio": positive / negative,
        "youden_j": 2 * balanced - 1,
        "matthews_correlation": sk.matthews_corrcoef(*data, **options),
        "discriminant_power": sqrt(3) / pi * log(positive / negative),
        "f1": sk.f1_score(*data, **options),
        "adjusted_f": sqrt(f2 * inverse_f),
        "markedness": ppv + npv - 1,
        "balanced_accuracy": balanced,
        "balanced_error_rate": 1 - balanced,
        "geometric_mean": mean,
        "adjusted_geometric_mean": (mean + tnr * n_negative) / (1 + n_negative),
        "optimization_precision": accuracy - abs(tpr - tnr) / (tpr + tnr),
        "jaccard": sk.jaccard_score(*data, **options),
    }


@quietly  # The other splits may be undefined.
@pytest.mark.parametrize("split", SPLITS)
@settings(max_examples=40, deadline=None)
@given(rows=weighted, k=st.integers(0, 2))
def test_each_measure_is_that_of_the_binary_labels(split, rows, k):
    y_true, y_pred, weight = np.array([*rows, *((t, p, 1) for t in (k, 3) for p in (k, 3))]).T
    values = split_measures(y_true, y_pred, labels=range(4), sample_weight=weight, split=split)
    expected = by_scikit_learn(SPLITS[split](y_true, k), SPLITS[split](y_pred, k), weight)
    assert {name: value[k] for name, value in values.items()} == pytest.approx(expected)


AVERAGED = {
    "sensitivity": sk.recall_score,
    "precision": sk.precision_score,
    "f1": sk.f1_score,
}


@quietly
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@given(pairs)
def test_averages_over_classes_equal_scikit_learns(average, rows):
    y_true, y_pred = np.array(rows).T
    # Where no true class is ever predicted, scikit-learn gives the classes no weight at all
    # and then all the same weight; ours is undefined.
    assume(set(y_true) & set(y_pred))
    values = split_measures(y_true, y_pred, labels=range(4), measures=AVERAGED, average=average)
    for name, peer in AVERAGED.items():
        options = {"labels": range(4), "average": average, "zero_division": np.nan}
        assert values[name] == pytest.approx(peer(y_true, y_pred, **options)), name


@quietly
@given(pairs)
def test_averages_over_thresholds_are_those_of_explicit_binary_labels(rows):
    y_true, y_pred = np.array(rows).T
    true, pred = (np.greater.outer(y, range(3)) for y in (y_true, y_pred))
    options = {"labels": range(4), "split": "threshold", "measures": AVERAGED}
    micro = split_measures(y_true, y_pred, **options, average="micro")
    macro = split_measures(y_true, y_pred, **options, average="macro")
    for name, peer in AVERAGED.items():
        one = peer(true.ravel(), pred.ravel(), zero_division=np.nan)
        assert micro[name] == pytest.approx(one, nan_ok=True)
        each = [peer(true[:, k], pred[:, k], zero_division=np.nan) for k in range(3)]
        mean = np.nanmean(each) if not np.isnan(each).all() else np.nan
        assert macro[name] == pytest.approx(mean, nan_ok=True)


@quietly
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.booleans(), min_size=2 * n, max_size=2 * n), min_size=1, max_size=12
        )
    )
)
def test_averages_over_samples_equal_scikit_learns(rows):
    true, pred = np.split(np.array(rows, dtype=int), 2, axis=1)
    # scikit-learn takes a single column for one output of two classes.
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
    true, pred = [["no", "yes", "yes"], ["no", "no", "yes"]], [["yes", "yes", "no"], ["no"] * 3]
    options = {"measures": ["precision", "sensitivity", "jaccard"], "average": "samples"}
    values = split_measures(true, pred, labels=["no", "yes"], **options)
    # The second sample has no prediction, so no precision.
    assert values == pytest.approx({"precision": 1 / 2, "sensitivity": 1 / 4, "jaccard": 1 / 6})


def test_what_is_undefined_is_nan_with_one_warning_that_names_it():
    # scikit-learn's Matthews correlation is 0 here, its balanced accuracy the recall alone.
    y_true, y_pred = [0, 0, 1], [0, 0, 0]
    with pytest.warns(UndefinedMetricWarning) as record:
        values = split_measures(y_true, y_pred, split="threshold")
    assert len(record) == 1
    assert record[0].filename == __file__
    undefined = {name for name, value in values.items() if np.isnan(value).any()}
    # No false positive, so nothing to divide the ratios by, and no positive prediction.
    assert undefined == {
        "precision",
        "false_discovery_rate",
        "positive_likelihood_ratio",
        "diagnostic_odds_ratio",
        "matthews_correlation",
        "discriminant_power",
        "markedness",
    }
    assert str(record[0].message) == "Undefined for some splits of these data: precision, " + (
        "false_discovery_rate, positive_likelihood_ratio, diagnostic_odds_ratio, "
        "matthews_correlation, discriminant_power, markedness."
    )


def test_no_sensitivity_makes_the_adjusted_geometric_mean_zero():
    y_true, y_pred = labels_of(tp=0, fp=2, fn=3, tn=5)
    value = split_measures(y_true, y_pred, split="threshold", measures=["adjusted_geometric_mean"])
    assert value["adjusted_geometric_mean"] == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["recall"]}, r"measures must be among .*got 'recall'"),
        ({"split": "pairs"}, r"split must be one of .*got 'pairs'"),
        ({"average": "mean"}, r"average must be one of .*got 'mean'"),
        ({"average": "samples"}, r"y_true must have shape \(n_samples, n_outputs\)"),
    ],
)
def test_wrong_options_are_errors_that_name_them(options, message):
    with pytest.raises(ValueError, match=message):
        split_measures([0, 1], [0, 1], **options)


def test_outputs_of_three_classes_are_not_averaged_over_samples():
    with pytest.raises(ValueError, match="average='samples' needs outputs of two classes"):
        split_measures([[0, 1], [2, 1]], [[0, 1], [1, 1]], average="samples")
