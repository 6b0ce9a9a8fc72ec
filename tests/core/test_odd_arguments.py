"""Odd arguments raise an error of one line that names the argument and what was found."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import compare_estimators, cross_val_report, ordinal_report
from sklearn_ordinal.inference import bootstrap_interval, compare_ranks
from sklearn_ordinal.metrics import (
    all_threshold_loss,
    concordance_score,
    exact_match_score,
    immediate_threshold_loss,
    multioutput_score,
)

Y_TRUE, Y_PRED = [0, 1, 2, 2, 1, 0], [0, 1, 1, 2, 2, 0]
X = np.zeros((12, 1))
Y = np.tile([0, 1, 2], 4)


def folds(cv):
    return cross_val_report(DummyClassifier(), X, Y, cv=cv)


def compared(cv):
    return compare_estimators({"a": DummyClassifier()}, X, Y, cv=cv)


def by(groups):
    return ordinal_report(Y_TRUE, Y_PRED, by=groups)


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
        (named, ["a", None, "c"], "target_names must name each class, got missing names."),
        (
            named,
            pd.Series(["a", "b", "c"], index=[2, 1, 0]),
            r"target_names must be a list of names in the order of the classes \[0, 1, 2\], got a "
            r"Series with the index \[2, 1, 0\].",
        ),
    ],
)
def test_it_is_named_with_what_was_found(call, value, problem):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=problem) as raised:
            call(value)
    assert "\n" not in str(raised.value)


def test_names_in_a_series_are_taken_in_the_order_of_the_classes():
    expected = named(["a", "b", "c"])
    assert named(pd.Series(["a", "b", "c"])) == expected
    assert named(np.array(["a", "b", "c"])) == expected


def test_no_warning_of_numpy_leaks_from_the_largest_decision_values():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for loss in (all_threshold_loss, immediate_threshold_loss):
            assert loss(Y_TRUE, [1e308] * 6, thresholds=[-1e308, 1e308]) > 0


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
