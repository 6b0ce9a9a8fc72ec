"""Out-of-fold predictions, checked against cross_val_predict."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import cross_val_report
from sklearn_ordinal.datasets import load_lev

X, Y = (part[::4] for part in load_lev(return_X_y=True))
# In alphabetical order: fair, good, poor, very good, very poor.
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
PROBABILITIES = [f"proba_{grade}" for grade in GRADES]
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def mean_of_largest_score(y_true, y_proba):  # noqa: ARG001
    return np.mean(np.max(y_proba, axis=1))


def predictions(estimator=TREE, y=GRADES[Y], **options):
    options = {"labels": GRADES, "cv": 3, "scoring": "cem_ord", "verbose": False, **options}
    return cross_val_report(estimator, X, y, **options).predictions


def test_predictions_match_cross_val_predict():
    frame = predictions(cv=StratifiedKFold(4, shuffle=True, random_state=3))
    folds = StratifiedKFold(4, shuffle=True, random_state=3)
    expected = cross_val_predict(TREE, X, GRADES[Y], cv=folds)
    assert list(frame) == ["sample", "fold", "repetition", "y_true", "y_pred"]
    assert sorted(frame["sample"]) == list(range(len(Y)))
    assert frame["y_true"].tolist() == GRADES[Y][frame["sample"]].tolist()
    assert frame["y_pred"].tolist() == expected[frame["sample"]].tolist()
    assert set(frame["repetition"]) == {0}
    for fold, (_, test) in enumerate(folds.split(X, GRADES[Y])):
        assert frame["sample"][frame["fold"] == fold].tolist() == test.tolist()


def test_predictions_keep_the_labels_of_y():
    frame = predictions(y=Y + 3, labels=None)
    assert frame["y_true"].dtype.kind == frame["y_pred"].dtype.kind == "i"
    assert frame["y_true"].tolist() == (Y + 3)[frame["sample"]].tolist()


def test_repeated_folds_have_a_row_for_each_repetition():
    repeated = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    frame = predictions(cv=repeated)
    assert len(frame) == 3 * len(Y)
    splits = list(repeated.split(X, Y))
    assert frame["repetition"].tolist() == (frame["fold"] // 4).tolist()
    for repetition in range(3):
        rows = frame.query("repetition == @repetition")
        expected = cross_val_predict(TREE, X, GRADES[Y], cv=splits[4 * repetition :][:4])
        assert sorted(rows["sample"]) == list(range(len(Y)))
        assert rows["y_pred"].tolist() == expected[rows["sample"]].tolist()


def test_repetitions_are_counted_per_sample_in_overlapping_folds():
    folds = [(np.arange(100), np.array(test)) for test in ([7, 3], [3], [5, 3, 7])]
    frame = predictions(cv=folds)
    assert frame["sample"].tolist() == [7, 3, 3, 5, 3, 7]
    assert frame["fold"].tolist() == [0, 0, 1, 2, 2, 2]
    assert frame["repetition"].tolist() == [0, 0, 1, 0, 2, 1]


def test_probabilities_are_in_the_order_of_the_scale_not_the_alphabet():
    model = LogisticRegression(max_iter=1000)
    frame = predictions(model, scoring=["cem_ord", "neg_log_loss"])
    assert list(frame)[5:] == PROBABILITIES
    expected = cross_val_predict(model, X, GRADES[Y], cv=3, method="predict_proba")
    alphabetical = pd.DataFrame(expected, columns=[f"proba_{grade}" for grade in sorted(GRADES)])
    np.testing.assert_allclose(
        frame[PROBABILITIES], alphabetical[PROBABILITIES].to_numpy()[frame["sample"]]
    )
    most_probable = GRADES[frame[PROBABILITIES].to_numpy().argmax(axis=1)]
    assert most_probable.tolist() == frame["y_pred"].tolist()


def test_a_class_missing_from_a_training_fold_has_probability_zero():
    train = np.flatnonzero(Y != 1)
    folds = [(train, np.arange(0, 250, 5)), (np.arange(250), np.arange(1, 250, 5))]
    largest = make_scorer(mean_of_largest_score, response_method="predict_proba")
    frame = predictions(scoring=["cem_ord", largest], cv=folds)
    lacking = frame.query("fold == 0")
    assert (lacking["proba_poor"] == 0).all()
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[train], GRADES[Y[train]])
    expected = fitted.predict_proba(X[lacking["sample"]])
    for position, grade in enumerate(fitted.classes_):
        np.testing.assert_allclose(lacking[f"proba_{grade}"], expected[:, position])
    np.testing.assert_allclose(frame[PROBABILITIES].sum(axis=1), 1)
    assert (frame.query("fold == 1")["proba_poor"] > 0).any()


def test_probabilities_are_kept_only_if_a_criterion_needs_them():
    assert not set(PROBABILITIES) & set(predictions(scoring=["cem_ord", "f1_macro"]))
    assert set(PROBABILITIES) <= set(predictions(scoring=["cem_ord", "log_loss"]))


def test_failed_folds_have_no_rows():
    class Refusing(DecisionTreeClassifier):
        def fit(self, X, y):
            if len(X) == 5:
                raise RuntimeError("too few")
            return super().fit(X, y)

    folds = [(np.arange(100), [3, 4]), (np.arange(5), [5, 6]), (np.arange(99), [7])]
    with pytest.warns(FitFailedWarning):
        frame = predictions(Refusing(), cv=folds)
    assert frame["sample"].tolist() == [3, 4, 7]
    assert frame["fold"].tolist() == [0, 0, 2]


def test_without_pandas_the_columns_are_arrays(monkeypatch):
    report = cross_val_report(TREE, X, Y, scoring="log_loss", verbose=False)
    expected = report.predictions
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = report.predictions
    assert type(found) is dict
    assert list(found) == list(expected)
    for column, values in found.items():
        assert isinstance(values, np.ndarray)
        assert values.tolist() == expected[column].tolist()
