"""Odd arguments raise an error of one line that names the argument and what was found."""

import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    compare_estimators,
    compare_systems,
    cross_val_report,
    get_metric,
    ordinal_metric,
    ordinal_report,
)
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.inference import (
    bayesian_correlated_t_test,
    bootstrap_interval,
    compare_ranks,
    corrected_t_interval,
    corrected_t_test,
)
from sklearn_ordinal.meta_evaluation import (
    check_properties,
    discriminative_power,
    make_ordinal_systems,
    metric_coverage,
    metric_robustness,
)
from sklearn_ordinal.metrics import (
    all_threshold_loss,
    cem_ord_score,
    concordance_score,
    exact_match_score,
    expected_cost_loss,
    immediate_threshold_loss,
    multioutput_score,
    split_measures,
)
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from sklearn_ordinal.plotting import (
    CriticalDifferenceDisplay,
    OrdinalConfusionMatrixDisplay,
    ThresholdCalibrationDisplay,
)

Y_TRUE, Y_PRED = [0, 1, 2, 2, 1, 0], [0, 1, 1, 2, 2, 0]
X = np.zeros((12, 1))
Y = np.tile([0, 1, 2], 4)
SYSTEMS = make_ordinal_systems(n_test_cases=3, n_samples=20, n_classes=3, random_state=0)


def folds(cv):
    return cross_val_report(DummyClassifier(), X, Y, cv=cv)


def compared(cv):
    return compare_estimators({"a": DummyClassifier()}, X, Y, cv=cv)


def tuned(**options):
    return TunedOrdinalThresholdClassifierCV(Ridge(), **options).fit(X, Y)


def fitted(y):
    return TunedOrdinalThresholdClassifierCV(Ridge(), cv=2).fit(X, y)


def baseline(y):
    return OrdinalDummyClassifier().fit(X, y)


def str_score(_, __):
    return "odd"


def registered(**facts):
    return ordinal_metric(greater_is_better=True, **facts)(lambda counts: counts.sum((-2, -1)))


def by(groups):
    return GroupReport.from_predictions(Y_TRUE, Y_PRED, by=groups)


def named(names):
    return ordinal_report(Y_TRUE, Y_PRED, target_names=names)


@pytest.mark.parametrize(
    ("call", "value", "problem"),
    [
        (folds, True, "cv must be at least 2 folds, a splitter or splits, got True."),
        (folds, 1, "cv must be at least 2 folds, a splitter or splits, got 1."),
        (folds, [1, 2, 3], "cv must hold pairs of the training and the test indices of each fold"),
        (compared, [1, 2, 3], "cv must hold pairs of the training and the test indices"),
        (compared, np.True_, "cv must be at least 2 folds, a splitter or splits, got"),
        (
            lambda n_digits: cem_ord_score([10**n_digits], [0]),
            5000,
            "y_true has labels of type int .<int of thousands of digits>., whose order is not",
        ),
        (by, pd.DataFrame(), "by must have at least one column, got an empty DataFrame."),
        (by, pl.LazyFrame({"a": Y_TRUE}), "by must hold its values, got a LazyFrame: pass"),
        (
            lambda score: concordance_score(Y_TRUE, score),
            np.empty((6, 0)),
            r"y_score must have at least one column, got shape \(6, 0\).",
        ),
        (
            lambda seed: bootstrap_interval(Y_TRUE, Y_PRED, metrics="cem_ord", random_state=seed),
            True,
            "random_state must be None, an integer from 0 .* got True.",
        ),
        (named, ["a", None, "c"], "target_names must not have missing values, got None."),
        (
            named,
            pd.Series(["a", "b", "c"], index=[2, 1, 0]),
            r"target_names must be a list of names in the order of the classes \[0, 1, 2\], got a "
            r"Series with the index \[2, 1, 0\].",
        ),
        (
            OrdinalConfusion.from_batches,
            np.ma.masked,
            r"batches must be a sequence of tuples \(y_true, y_pred\), got masked.",
        ),
        (
            OrdinalForecasts.stack,
            np.array(1.5),
            r"evidence must be a sequence of OrdinalForecasts, got array\(1.5\).",
        ),
        (
            lambda y: OrdinalForecasts([0, 1], y, np.eye(2), [1.0, 1.0]),
            [[1], [2, 3]],
            "y_true must be one-dimensional, got rows of different lengths.",
        ),
        (
            lambda names: GroupReport.from_confusion(
                OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, by=Y_TRUE), by=names
            ),
            True,
            "by must be a sequence of names, got True.",
        ),
        (lambda name: registered(name=name), pd.NA, "name must be a string that names the metric"),
        (
            lambda exceptions: registered(exceptions=exceptions),
            pd.NA,
            "exceptions must be a dict with names as keys, got a NAType.",
        ),
        (
            lambda properties: registered(properties=properties),
            np.array(1.5),
            r"properties must be a collection of .*, got array\(1.5\).",
        ),
        (lambda cv: tuned(cv=cv), [1, 2], "cv must hold pairs of the training and the test"),
        (lambda cv: tuned(cv=cv), b"odd", "cv must be a number of folds, .* got b'odd'."),
        (lambda cv: tuned(cv=cv), [([0], [99])], "cv must give positions of the 12 samples"),
        (lambda seed: tuned(random_state=seed), "odd", "random_state must be None, an integer"),
        (
            lambda seed: compare_estimators({"a": DummyClassifier()}, X, Y, random_state=seed),
            "odd",
            "random_state must be None, an integer from 0 .* or a RandomState, got 'odd'.",
        ),
        (
            lambda seed: OrdinalDummyClassifier(random_state=seed).fit(X, Y),
            np.ones(3),
            "random_state must be None, an integer from 0 .* got array",
        ),
        (fitted, [[1], [2, 3]], "y must hold a class for each sample: setting an array element"),
        (fitted, Y + 1j, "y must hold a class for each sample: Complex data not supported"),
        (fitted, Y / 2, "y must hold a class for each sample: Unknown label type: continuous"),
        (fitted, Y[1:], "X and y must have the same length, got 12 and 11."),
        (
            lambda groups: cross_val_report(DummyClassifier(), X, Y, groups=groups, cv=2),
            np.array([*"abcabcabcab", 1], dtype=object),
            "groups must hold values that StratifiedGroupKFold can sort: '<' not supported",
        ),
        (
            lambda values_format: OrdinalConfusionMatrixDisplay.from_predictions(
                Y_TRUE, Y_PRED, values_format=values_format
            ),
            "odd",
            "values_format must be a format specification such as '.1f', got 'odd': Invalid",
        ),
        (
            metric_robustness,
            [SYSTEMS, SYSTEMS],
            "systems of several data sets must be a dict by the names of the data sets, got a li",
        ),
        (
            lambda measures: split_measures(Y_TRUE, Y_PRED, measures=measures),
            [["f1"]],
            r"measures must be among .* got \['f1'\]\.",
        ),
        (
            lambda metric: get_metric(metric).from_predictions(Y_TRUE, Y_PRED),
            str_score,
            "str_score must return a number, got 'odd'.",
        ),
        (
            lambda split: OrdinalReport.from_predictions(
                Y_TRUE, Y_PRED, y_proba=np.eye(3)[Y_PRED]
            ).plot_roc(split=split),
            pd.NA,
            "split must be one of .*, got <NA>.",
        ),
        (
            lambda groups: CriticalDifferenceDisplay(
                {"a": 1, "b": 2}, n_data_sets=5, critical_difference=1, groups=groups
            ),
            np.zeros((2, 2, 2)),
            r"groups has names that are not in average_ranks: \[array",
        ),
        (
            lambda n: check_properties("cem_ord", n_classes=n),
            2**64,
            "n_classes must be at most 10,000, got 18446744073709551616.",
        ),
        (baseline, Y[1:], "X and y must have the same length, got 12 and 11."),
        (
            baseline,
            np.array(["a", 1] * 6, dtype=object),
            "y must hold classes that can be sorted: '<' not supported",
        ),
        (
            lambda y: cross_val_report(DummyClassifier(), X, y, cv=2),
            Y[1:],
            "X and y must have the same length, got 12 and 11.",
        ),
    ],
)
def test_it_is_named_with_what_was_found(call, value, problem):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=problem) as raised:
            call(value)
    assert "\n" not in str(raised.value)


def test_groups_in_one_column_are_read_like_a_list():
    groups = np.arange(12) // 3
    first, second = (
        cross_val_report(DummyClassifier(), X, Y, groups=values, cv=2)
        for values in (groups[:, None], groups)
    )
    np.testing.assert_array_equal(first.scores["cem_ord"], second.scores["cem_ord"])


def test_names_in_a_series_are_taken_in_the_order_of_the_classes():
    expected = named(["a", "b", "c"])
    assert named(pd.Series(["a", "b", "c"])) == expected
    assert named(np.array(["a", "b", "c"])) == expected


def test_no_warning_of_numpy_leaks_from_the_largest_decision_values():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for loss in (all_threshold_loss, immediate_threshold_loss):
            assert loss(Y_TRUE, [1e308] * 6, thresholds=[-1e308, 1e308]) > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cem_ord_score([0, 1, np.ma.masked], [0, 1, 1]), "y_true has missing values"),
        (
            lambda: cem_ord_score(["a", "b"], ["a", np.ma.masked], labels=["a", "b"]),
            "y_pred has missing values",
        ),
        (
            lambda: concordance_score([0, 1], (0.5, np.ma.masked)),
            "y_score must be finite: sample 1",
        ),
        (
            lambda: cem_ord_score([0, 1], [0, 1], sample_weight=[1, np.ma.masked]),
            "sample_weight must be finite, got NaN",
        ),
    ],
)
def test_masked_values_in_lists_are_missing_and_numpy_does_not_warn(call, message):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=message):
            call()


def test_masked_predictions_in_lists_are_unanswered():
    masked = np.ma.array(["a", "b", "b"], mask=[False, True, False])
    confusion = OrdinalConfusion.from_predictions(
        ["a", "b", "b"], list(masked), labels=["a", "b"], unanswered="count"
    )
    assert confusion.unanswered.tolist() == [0, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda n: bootstrap_interval(Y_TRUE, Y_PRED, n_resamples=n),
        lambda n: compare_systems(Y_TRUE, {"a": Y_PRED, "b": Y_TRUE}, n_resamples=n),
        lambda n: GroupReport.from_predictions(Y_TRUE, Y_PRED, by=[0, 1] * 3, n_permutations=n),
        lambda n: ThresholdCalibrationDisplay.from_predictions([0, 1], np.eye(2), n_resamples=n),
        lambda n: make_ordinal_systems(n_test_cases=n),
        lambda n: make_ordinal_systems(n_samples=n),
        lambda n: metric_robustness(SYSTEMS, n_splits=n),
        lambda n: metric_coverage(SYSTEMS, n_resamples=n),
        lambda n: discriminative_power(SYSTEMS, n_resamples=n),
        lambda n: check_properties("cem_ord", n_random=n),
    ],
)
@pytest.mark.parametrize("n", [2**64, 10**9 + 1])
def test_a_number_of_results_that_do_not_fit_into_memory_is_refused(call, n):
    with pytest.raises(ValueError, match=rf"must be at most [0-9,]+ here, .* got {n}\."):
        call(n)


def test_a_base_may_be_an_integer_of_any_size():
    loss = all_threshold_loss(Y_TRUE, Y_PRED, thresholds=[0.5, 1.5], base=2**64)
    bits = all_threshold_loss(Y_TRUE, Y_PRED, thresholds=[0.5, 1.5], base=2)
    assert loss == pytest.approx(bits / 64)


def test_means_of_the_largest_floats_are_finite_and_sums_infinite():
    forecasts = OrdinalForecasts.from_probabilities([0, 1, 2], np.eye(3))
    largest = np.full(3, sys.float_info.max)
    costs = [[0, 1e308], [1, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert forecasts.mean(largest) == sys.float_info.max
        weighted = forecasts.reweighted([[3.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
        np.testing.assert_array_equal(weighted.mean(largest), [sys.float_info.max, np.nan])
        assert forecasts.total(largest) == np.inf
        loss = expected_cost_loss([0, 0, 0, 0, 1], [1, 1, 1, 0, 1], cost_matrix=costs)
    assert loss == pytest.approx(6e307)


def test_a_log_of_a_probability_of_0_does_not_warn():
    tree = TunedOrdinalThresholdClassifierCV(DecisionTreeClassifier(), cv=2)
    features = Y[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        logarithms = tree.fit(features, Y).predict_log_proba(features)
    assert (logarithms == np.where(np.arange(3) == features, 0, -np.inf)).all()


def test_scores_whose_squares_overflow_are_refused_and_any_rope_is_taken():
    sizes = {"n_train": 8, "n_test": 4}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for compute in (
            lambda a: corrected_t_test(a, [0.5] * 3, **sizes),
            lambda a: bayesian_correlated_t_test([0.5] * 3, a, **sizes),
            lambda a: corrected_t_interval(a, **sizes),
        ):
            with pytest.raises(ValueError, match=r"must be at most 1e\+100 in absolute value"):
                compute([1e308, 0.5, 0.4])
        posterior = bayesian_correlated_t_test(
            [0.5, 0.7, 0.6], [0.4, 0.5, 0.6], rope=1e308, **sizes
        )
    assert (posterior.worse, posterior.equivalent, posterior.better) == (0, 1, 0)


def test_a_level_near_1_is_not_rounded_to_certainty():
    interval = bootstrap_interval(
        Y_TRUE, Y_PRED, metrics="cem_ord", confidence_level=0.9999999, random_state=0
    )
    assert "(99.99999% interval " in str(interval)


def test_tables_of_pyarrow_are_read_like_frames():
    table = pa.table({"x": [0.8, 0.7, 0.6, 0.9], "y": [0.7, 0.6, 0.5, 0.8], "z": [1.0, 0, 1, 0]})
    assert compare_ranks(table) == compare_ranks(table.to_pandas())
    outputs = pa.table({"a": [0, 1, 2], "b": [1, 1, 2]})
    others = pa.table({"a": [0, 1, 1], "b": [1, 2, 2]})
    assert exact_match_score(outputs, others) == pytest.approx(1 / 3)
    expected = multioutput_score(outputs.to_pandas(), others.to_pandas(), "cem_ord")
    assert multioutput_score(outputs, others, "cem_ord") == expected
