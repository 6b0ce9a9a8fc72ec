"""Estimators of other packages, in searches, comparisons and reports.

Each is skipped where its package is missing: ``pip install ".[test-all]"``.
"""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from sklearn_ordinal import OrdinalReport, compare_estimators, make_ordinal_scorer, ordinal_report


def catboost():
    package = pytest.importorskip("catboost")
    return package.CatBoostClassifier(
        iterations=5,
        depth=2,
        random_seed=0,
        thread_count=1,
        verbose=False,
        allow_writing_files=False,
    ), {"depth": [1, 2]}


def lightgbm():
    package = pytest.importorskip("lightgbm")
    return package.LGBMClassifier(
        n_estimators=3, num_leaves=4, random_state=0, n_jobs=1, verbose=-1
    ), {"num_leaves": [2, 4]}


def xgboost():
    package = pytest.importorskip("xgboost")
    return package.XGBClassifier(n_estimators=3, max_depth=2, random_state=0, n_jobs=1), {
        "max_depth": [1, 2]
    }


def skorch():
    torch = pytest.importorskip("torch", reason="several gigabytes, not in the extra test-all")
    package = pytest.importorskip("skorch")
    torch.manual_seed(0)
    return package.NeuralNetClassifier(
        torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Softmax(dim=-1)),
        criterion=torch.nn.NLLLoss,
        max_epochs=2,
        verbose=0,
        train_split=None,
    ), {"lr": [0.1, 0.5]}


@pytest.fixture(params=[catboost, lightgbm, xgboost, skorch], ids=lambda make: make.__name__)
def estimator_and_grid(request):
    return request.param()


@pytest.fixture(scope="module")
def data():
    y = np.repeat([0, 1, 2, 3], [15, 25, 30, 20])
    noise = np.random.default_rng(0).normal(size=(len(y), 2))
    return (noise + y[:, None]).astype(np.float32), y


def errors_by_hand(estimator, X, y, splits):
    return [
        mean_absolute_error(y[test], clone(estimator).fit(X[train], y[train]).predict(X[test]))
        for train, test in splits
    ]


def test_a_grid_search_maximises_the_criterion(estimator_and_grid, data):
    estimator, grid = estimator_and_grid
    search = GridSearchCV(
        estimator,
        grid,
        scoring=["cem_ord", "neg_ordinal_mean_absolute_error"],
        refit="cem_ord",
        cv=3,
        error_score="raise",
    ).fit(*data)
    values = search.cv_results_["mean_test_cem_ord"]
    assert search.best_score_ == values.max() > 0.5
    # In positions, which the classes are.
    splits = list(StratifiedKFold(3).split(*data))
    for number, parameters in enumerate(search.cv_results_["params"]):
        by_hand = errors_by_hand(clone(estimator).set_params(**parameters), *data, splits)
        error = -search.cv_results_["mean_test_neg_ordinal_mean_absolute_error"][number]
        assert error == pytest.approx(np.mean(by_hand))


def test_a_comparison_has_the_errors_of_each_fold(estimator_and_grid, data):
    estimator, _ = estimator_and_grid
    splits = list(StratifiedKFold(3).split(*data))
    comparison = compare_estimators(
        {"theirs": estimator},
        *data,
        scoring=["cem_ord", "ordinal_mean_absolute_error"],
        cv=splits,
        verbose=False,
        random_state=0,
    )
    errors = comparison.scores["ordinal_mean_absolute_error"]["theirs"]
    assert errors == pytest.approx(errors_by_hand(estimator, *data, splits))
    assert not comparison.failures


def test_a_report_takes_the_predictions_as_they_come(estimator_and_grid, data):
    X, y = data
    fitted = clone(estimator_and_grid[0]).fit(X, y)
    y_pred = fitted.predict(X)
    options = {"y_proba": fitted.predict_proba(X), "zero_division": 0.0}
    report = OrdinalReport.from_predictions(y, y_pred, **options)
    assert report.criteria["accuracy"] == np.mean(np.ravel(y_pred) == y)
    assert report == OrdinalReport.from_estimator(fitted, X, y, zero_division=0.0)
    assert ordinal_report(y, y_pred, **options) == str(report)


def test_predictions_of_catboost_are_columns_also_of_strings(data):
    estimator, grid = catboost()
    X, y = data
    grades = ["poor", "fair", "good", "great"]
    y_named = np.array(grades)[y]
    scorer = make_ordinal_scorer("neg_ordinal_mean_absolute_error", labels=grades)
    search = GridSearchCV(estimator, grid, scoring=scorer, cv=3, error_score="raise")
    y_pred = search.fit(X, y_named).predict(X)
    assert y_pred.shape == (len(y), 1)
    report = OrdinalReport.from_predictions(y_named, y_pred, labels=grades, zero_division=0.0)
    positions = [grades.index(name) for name in np.ravel(y_pred)]
    assert search.score(X, y_named) == -mean_absolute_error(y, positions)
    assert report.criteria["accuracy"] == np.mean(np.equal(y, positions))
