"""Binary measures of splits, against scikit-learn, imbalanced-learn and worked examples."""

from math import log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal.metrics import split_measures

weighted = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)),
    min_size=4,
    max_size=30,
)
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
SPLITS = {"class": lambda y, k: y == k, "threshold": lambda y, k: y > k}


def labels_of(tp, fp, fn, tn):
    return [1] * tp + [0] * fp + [1] * fn + [0] * tn, [1] * (tp + fp) + [0] * (fn + tn)


# A. Tharwat (2020): 70 true and 20 false positives, 30 false and 80 true negatives. Computed
# from the definitions there, given the published sensitivity .7, specificity .8, precision 70/90.
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
def test_tharwats_binary_example(name, expected):
    y_true, y_pred = labels_of(tp=70, fp=20, fn=30, tn=80)
    values = split_measures(y_true, y_pred)
    assert list(values) == list(THARWAT)
    assert values[name][1] == pytest.approx(expected)
    # Two classes have one threshold, with the upper class above it.
    above = split_measures(y_true, y_pred, split="threshold", measures=[name])
    assert above[name] == pytest.approx([expected])


def test_tharwats_three_class_example():
    # Published with the predicted classes in rows.
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
    """All measures of boolean arrays, computed with scikit-learn and imbalanced-learn."""
    imblearn = pytest.importorskip("imblearn.metrics", reason="a second opinion")
    data, options = (true, pred), {"sample_weight": weight}
    tpr, ppv = sk.recall_score(*data, **options), sk.precision_score(*data, **options)
    npv = sk.precision_score(*data, pos_label=False, **options)
    # Pitfall: with weights, imbalanced-learn differs from its value for repeated rows.
    repeated = np.repeat(true, weight), np.repeat(pred, weight)
    tnr = imblearn.specificity_score(*repeated)
    positive, negative = sk.class_likelihood_ratios(*data, **options)
    balanced = sk.balanced_accuracy_score(*data, **options)
    accuracy = sk.accuracy_score(*data, **options)
    mean = imblearn.geometric_mean_score(*repeated, average="binary")
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
@settings(max_examples=8)
@given(rows=weighted, k=st.integers(0, 2))
def test_each_measure_equals_that_of_the_binary_labels(split, rows, k):
    y_true, y_pred, weight = np.array([*rows, *((t, p, 1) for t in (k, 3) for p in (k, 3))]).T
    values = split_measures(y_true, y_pred, labels=range(4), sample_weight=weight, split=split)
    expected = by_scikit_learn(SPLITS[split](y_true, k), SPLITS[split](y_pred, k), weight)
    assert {name: value[k] for name, value in values.items()} == pytest.approx(expected)


@quietly
@pytest.mark.parametrize("split", SPLITS)
@given(rows=weighted, k=st.integers(0, 2), unit=st.sampled_from([0.1, 0.3, 1 / 3, 0.7]))
def test_fractional_weights_leave_no_rounding_error_in_empty_cells(split, rows, k, unit):
    y_true, y_pred, weight = np.array(rows).T
    weight = weight * unit
    true, pred = SPLITS[split](y_true, k), SPLITS[split](y_pred, k)
    cells = {
        (t, p): float(weight[(true == t) & (pred == p)].sum())
        for t in (False, True)
        for p in (False, True)
    }

    def share(part, other):
        return part / (part + other) if part + other else np.nan

    expected = {
        "sensitivity": share(cells[True, True], cells[True, False]),
        "specificity": share(cells[False, False], cells[False, True]),
        "false_positive_rate": share(cells[False, True], cells[False, False]),
        "false_negative_rate": share(cells[True, False], cells[True, True]),
        "precision": share(cells[True, True], cells[False, True]),
        "negative_predictive_value": share(cells[False, False], cells[True, False]),
    }
    expected["geometric_mean"] = sqrt(expected["sensitivity"] * expected["specificity"])
    values = split_measures(
        y_true, y_pred, labels=range(4), sample_weight=weight, split=split, measures=list(expected)
    )
    assert {name: value[k] for name, value in values.items()} == pytest.approx(
        expected, abs=1e-12, nan_ok=True
    )


def test_rounding_error_in_an_empty_cell_does_not_end_up_in_a_ratio():
    # Class 1 against the rest: true positive .1, false positive .7, two false negatives of .1,
    # no true negatives. A rounding error there must not become a ratio of 1e16.
    y_true, y_pred, weight = [1, 1, 1, 0], [1, 2, 2, 1], [0.1, 0.1, 0.1, 0.7]
    measures = ["specificity", "negative_likelihood_ratio", "discriminant_power"]
    with pytest.warns(UndefinedMetricWarning, match="negative_likelihood_ratio, discriminant_po"):
        values = split_measures(y_true, y_pred, sample_weight=weight, measures=measures)
    at_class_1 = [values[name][1] for name in measures]
    assert at_class_1 == pytest.approx([0, np.nan, np.nan], nan_ok=True)


def test_undefined_measures_are_nan_with_one_warning_that_names_them():
    # In scikit-learn, the Matthews correlation is 0 here and balanced accuracy is the recall.
    y_true, y_pred = [0, 0, 1], [0, 0, 0]
    with pytest.warns(UndefinedMetricWarning) as record:
        values = split_measures(y_true, y_pred, split="threshold")
    assert len(record) == 1
    assert record[0].filename == __file__
    undefined = {name for name, value in values.items() if np.isnan(value).any()}
    # There are no false positives to divide the ratios by, and no positive predictions.
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


def test_the_adjusted_geometric_mean_is_zero_if_sensitivity_is_zero():
    y_true, y_pred = labels_of(tp=0, fp=2, fn=3, tn=5)
    value = split_measures(y_true, y_pred, split="threshold", measures=["adjusted_geometric_mean"])
    assert value["adjusted_geometric_mean"] == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": 5}, "measures must be a sequence of names, got 5"),
        ({"measures": ["recall"]}, r"measures must be among .*got 'recall'"),
        ({"split": "pairs"}, r"split must be one of .*got 'pairs'"),
        ({"average": "mean"}, r"average must be one of .*got 'mean'"),
        ({"average": "samples"}, r"y_true must have shape \(n_samples, n_outputs\)"),
    ],
)
def test_wrong_options_are_errors_that_name_them(options, message):
    with pytest.raises(ValueError, match=message):
        split_measures([0, 1], [0, 1], **options)


def test_samples_without_a_prediction_are_left_out_with_a_warning():
    options = {"measures": ["sensitivity", "precision"]}
    with pytest.warns(UserWarning, match="split_measures leaves out 2 without a prediction"):
        measures = split_measures([0, 1, 0, 1], [0, 1, None, None], unanswered="count", **options)
    np.testing.assert_equal(measures, split_measures([0, 1], [0, 1], **options))
    with pytest.raises(ValueError, match="unanswered must be left out if average='samples'"):
        split_measures(np.eye(2), np.eye(2), average="samples", unanswered="count")
