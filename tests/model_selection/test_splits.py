"""Groups are kept on one side of each fold."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
)
from sklearn.neighbors import KNeighborsClassifier

from sklearn_ordinal import compare_estimators, cross_val_report
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV

N_PATIENTS, N_COPIES = 200, 5
RNG = np.random.default_rng(0)
ORDER = RNG.permutation(N_PATIENTS * N_COPIES)
PATIENT = np.repeat(np.arange(N_PATIENTS), N_COPIES)[ORDER]
X = np.repeat(RNG.normal(size=(N_PATIENTS, 3)), N_COPIES, axis=0)[ORDER]
X = X + RNG.normal(scale=1e-3, size=X.shape)
# Grades that are independent of the features.
Y = RNG.integers(0, 4, N_PATIENTS)[PATIENT]
NEAREST = KNeighborsClassifier(1)


def test_grouping_by_patient_prevents_leakage_from_copies():
    options = {"scoring": "cem_ord", "random_state": 0, "verbose": False}
    leaking = compare_estimators({"nearest": NEAREST}, X, Y, **options)
    assert leaking.scores["cem_ord"]["nearest"].mean() > 0.99
    grouped = compare_estimators({"nearest": NEAREST}, X, Y, groups=PATIENT, **options)
    splitter = StratifiedGroupKFold(5)
    expected = compare_estimators(
        {"nearest": NEAREST}, X, Y, groups=PATIENT, cv=splitter, **options
    )
    np.testing.assert_array_equal(
        grouped.scores["cem_ord"]["nearest"], expected.scores["cem_ord"]["nearest"]
    )
    assert grouped.scores["cem_ord"]["nearest"].mean() < 0.65


@pytest.mark.parametrize("cv", [None, 3])
def test_a_number_of_folds_keeps_groups_together(cv):
    report = cross_val_report(NEAREST, X, Y, cv=cv, groups=PATIENT, verbose=False)
    expected = list(StratifiedGroupKFold(cv or 5).split(X, Y, PATIENT))
    assert len(report.fold_predictions) == len(expected)
    for fold, (_, test) in zip(report.fold_predictions, expected, strict=True):
        np.testing.assert_array_equal(fold.test, test)


@pytest.mark.parametrize("cv", [KFold(5), [(np.arange(500), np.arange(500, 1000))]])
def test_a_group_on_both_sides_raises_an_error_that_names_the_fold(cv):
    message = r"but \d+ of the \d+ groups in the test set of fold 1 .* StratifiedGroupKFold"
    with pytest.raises(ValueError, match=message):
        cross_val_report(NEAREST, X, Y, cv=cv, groups=PATIENT, verbose=False)


@pytest.mark.parametrize("cv", [StratifiedGroupKFold(5), GroupKFold(3), LeaveOneGroupOut()])
def test_a_group_splitter_without_groups_raises(cv):
    with pytest.raises(ValueError, match=f"groups must be passed for cv={type(cv).__name__}"):
        compare_estimators({"nearest": NEAREST}, X, Y, cv=cv, verbose=False)


@pytest.mark.parametrize("is_routed", [False, True], ids=["plain", "routed"])
@pytest.mark.parametrize(
    "inner",
    [
        GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=GroupKFold(3)),
        TunedOrdinalThresholdClassifierCV(Ridge(), cv=GroupKFold(3)),
    ],
    ids=["search", "cuts"],
)
def test_groups_reach_the_splits_inside_an_estimator(inner, is_routed):
    expected = list(StratifiedGroupKFold(2).split(X, Y, PATIENT))
    with config_context(enable_metadata_routing=is_routed):
        report = compare_estimators(
            {"nearest": NEAREST, "inner": inner}, X, Y, groups=PATIENT, cv=2, verbose=False
        )
    for fold, (train, test) in zip(report.reports["inner"].fold_predictions, expected, strict=True):
        by_hand = clone(inner).fit(X[train], Y[train], groups=PATIENT[train])
        np.testing.assert_array_equal(fold.y_pred, by_hand.predict(X[test]))


def test_masks_can_be_passed_as_folds():
    is_test = PATIENT < 40
    report = cross_val_report(
        NEAREST, X, Y, cv=[(~is_test, is_test)], groups=PATIENT, verbose=False
    )
    assert report.n_test.tolist() == [200]
