"""Every consumer of ``scoring=`` in scikit-learn, as a function of data and scoring.

Those in `PARALLEL` and `NESTED` also take ``n_jobs``. Interpreters other than that of the tests
import this file, so it needs neither pytest nor the package.
"""

import inspect
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeClassifierCV
from sklearn.metrics import check_scoring, get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    LearningCurveDisplay,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    ValidationCurveDisplay,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

RAISE = {"error_score": "raise"}
GRID = {"max_depth": [1, 3]}
HALVING = {"cv": 2, "min_resources": 40, "random_state": 0, **RAISE}
SIZES = {"train_sizes": [0.4, 0.7], "shuffle": True, "random_state": 0, "cv": 3, **RAISE}
DEPTHS = {"param_name": "max_depth", "param_range": [1, 3], "cv": 3, **RAISE}


def tree(max_depth=3):
    return DecisionTreeClassifier(max_depth=max_depth, random_state=0)


def logistic_regression_cv(**parameters):
    """Return LogisticRegressionCV with the parameters that avoid a warning in each version."""
    if "use_legacy_attributes" in inspect.signature(LogisticRegressionCV).parameters:
        parameters |= {"use_legacy_attributes": False, "l1_ratios": (0.0,)}
    return LogisticRegressionCV(max_iter=1000, **parameters)


def scores_of(model):
    """Return the scores of a LogisticRegressionCV, a dict by class in older versions."""
    scores = model.scores_
    return np.ravel(next(iter(scores.values())) if isinstance(scores, dict) else scores)


def fold_mean(model):
    return model.cv_results_["mean_test_score"]


def of_two_classes(X, y):
    y = np.asarray(y)
    chosen = np.isin(y, np.unique(y)[:2])
    return X[chosen], y[chosen]


def nested(make, of):
    """Return a consumer inside a cross-validation, which resolves the string in the worker."""

    def run(X, y, scoring, n_jobs=None):
        options = {"cv": 2, "n_jobs": n_jobs, "return_estimator": True, **RAISE}
        if make is tuned_threshold:
            X, y = of_two_classes(X, y)
        results = cross_validate(make(scoring), X, y, scoring="accuracy", **options)
        return [of(estimator) for estimator in results["estimator"]]

    return run


def best_score(model):
    return float(model.best_score_)


def tuned_threshold(scoring, **options):
    return TunedThresholdClassifierCV(
        LogisticRegression(), cv=2, scoring=scoring, thresholds=[0.2, 0.4, 0.6], **options
    )


def selector(scoring, **options):
    return SequentialFeatureSelector(
        tree(), n_features_to_select=1, cv=2, scoring=scoring, **options
    )


PARALLEL = {
    "cross_validate": lambda X, y, **how: cross_validate(tree(), X, y, cv=3, **RAISE, **how)[
        "test_score"
    ],
    "cross_val_score": lambda X, y, **how: cross_val_score(tree(), X, y, cv=3, **RAISE, **how),
    "learning_curve": lambda X, y, **how: learning_curve(tree(), X, y, **SIZES, **how)[2],
    "validation_curve": lambda X, y, **how: validation_curve(tree(), X, y, **DEPTHS, **how)[1],
    "permutation_test_score": lambda X, y, **how: permutation_test_score(
        tree(), X, y, cv=3, n_permutations=2, random_state=0, **how
    )[1],
    "permutation_importance": lambda X, y, **how: permutation_importance(
        tree().fit(X, y), X, y, n_repeats=2, random_state=0, **how
    ).importances,
    "GridSearchCV": lambda X, y, **how: fold_mean(
        GridSearchCV(tree(), GRID, cv=3, **RAISE, **how).fit(X, y)
    ),
    "RandomizedSearchCV": lambda X, y, **how: fold_mean(
        RandomizedSearchCV(tree(), GRID, n_iter=2, cv=3, random_state=0, **RAISE, **how).fit(X, y)
    ),
    "HalvingGridSearchCV": lambda X, y, **how: fold_mean(
        HalvingGridSearchCV(tree(), GRID, **HALVING, **how).fit(X, y)
    ),
    "HalvingRandomSearchCV": lambda X, y, **how: fold_mean(
        HalvingRandomSearchCV(tree(), GRID, n_candidates=2, **HALVING, **how).fit(X, y)
    ),
    "SequentialFeatureSelector": lambda X, y, **how: selector(**how).fit(X, y).get_support(),
    "RFECV": lambda X, y, **how: fold_mean(RFECV(tree(), cv=3, **how).fit(X, y)),
    "LogisticRegressionCV": lambda X, y, **how: scores_of(
        logistic_regression_cv(Cs=[0.01, 1.0], cv=3, **how).fit(X, y)
    ),
    "TunedThresholdClassifierCV": lambda X, y, **how: tuned_threshold(
        store_cv_results=True, **how
    ).fit(*of_two_classes(X, y)).cv_results_["scores"],
}  # fmt: skip
NESTED = {
    "GridSearchCV nested": nested(
        lambda scoring: GridSearchCV(tree(), GRID, cv=2, scoring=scoring, **RAISE), best_score
    ),
    "HalvingGridSearchCV nested": nested(
        lambda scoring: HalvingGridSearchCV(
            tree(), GRID, cv=2, random_state=0, scoring=scoring, **RAISE
        ),
        best_score,
    ),
    "TunedThresholdClassifierCV nested": nested(tuned_threshold, best_score),
    "SequentialFeatureSelector in a Pipeline nested": nested(
        lambda scoring: make_pipeline(selector(scoring), tree()),
        lambda pipeline: pipeline[0].get_support().tolist(),
    ),
}
SERIAL = {
    "get_scorer": lambda X, y, scoring: get_scorer(scoring)(tree().fit(X, y), X, y),
    "check_scoring": lambda X, y, scoring: check_scoring(tree(), scoring=scoring)(
        tree().fit(X, y), X, y
    ),
    "score of a GridSearchCV": lambda X, y, scoring: (
        GridSearchCV(tree(), GRID, scoring=scoring, **RAISE).fit(X, y).score(X, y)
    ),
    "HistGradientBoostingClassifier": lambda X, y, scoring: HistGradientBoostingClassifier(
        early_stopping=True, validation_fraction=None, scoring=scoring, max_iter=2, max_depth=2
    ).fit(X, y).train_score_,
    "RidgeClassifierCV with folds": lambda X, y, scoring: RidgeClassifierCV(
        scoring=scoring, cv=3
    ).fit(X, y).best_score_,
    "RidgeClassifierCV without folds": lambda X, y, scoring: RidgeClassifierCV(
        scoring=scoring
    ).fit(X, y).best_score_,
}  # fmt: skip
# Each display, by the consumer whose values it shows.
DISPLAYS = {
    "learning_curve": lambda X, y, scoring: (
        LearningCurveDisplay.from_estimator(tree(), X, y, scoring=scoring, **SIZES).test_scores
    ),
    "validation_curve": lambda X, y, scoring: (
        ValidationCurveDisplay.from_estimator(tree(), X, y, scoring=scoring, **DEPTHS).test_scores
    ),
}
CONSUMERS = {**PARALLEL, **NESTED, **SERIAL}


def knows_the_package():
    """Return whether this process has imported the package; called in workers."""
    return "sklearn_ordinal" in sys.modules


def run_all(X, y, scoring):
    """Return the values of each consumer as lists."""
    return {
        name: np.asarray(run(X, y, scoring=scoring)).tolist() for name, run in CONSUMERS.items()
    }
