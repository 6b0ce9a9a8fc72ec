"""Scorer objects: the order of the classes bound to them, and what they refuse."""

import copy
import inspect
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    RidgeClassifierCV,
    RidgeCV,
)
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import get_scorer, get_scorer_names, make_ordinal_scorer

SKLEARN = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
GRID = {"max_depth": [1, 3]}


def tree(max_depth=3):
    return DecisionTreeClassifier(max_depth=max_depth, random_state=0)


@pytest.fixture
def scorer(grades):
    return make_ordinal_scorer("cem_ord", labels=grades)


# --- get_scorer, get_scorer_names, make_ordinal_scorer ---------------------------------


class Says:
    """A fitted classifier with given predictions."""

    def __init__(self, y_pred, n_classes):
        self.classes_ = np.arange(n_classes)
        self.y_pred = np.asarray(y_pred)

    def predict(self, X):  # noqa: ARG002
        return self.y_pred

    def predict_proba(self, X):  # noqa: ARG002
        return np.eye(len(self.classes_))[self.y_pred]

    def __sklearn_tags__(self):
        return DummyClassifier().__sklearn_tags__()

    _estimator_type = "classifier"


@pytest.mark.parametrize("name", get_scorer_names())
def test_higher_is_better_for_each_name(name, X, y):
    scorer = get_scorer(name)
    right, reversed_ = scorer(Says(y, 4), X, y), scorer(Says(3 - y, 4), X, y)
    assert np.isfinite([right, reversed_]).all()
    assert right >= reversed_


@pytest.mark.parametrize("name", get_scorer_names())
def test_each_name_is_known_to_scikit_learn_as_the_same_scorer(name, X, y):
    model = tree().fit(X, y)
    assert sklearn.metrics.get_scorer(name)(model, X, y) == get_scorer(name)(model, X, y)


def test_names_are_sorted_and_losses_begin_with_neg():
    names = get_scorer_names()
    assert names == sorted(set(names))
    losses = [name for name in names if name.endswith(("_error", "_loss", "_index"))]
    assert losses
    assert all(name.startswith("neg_") for name in losses)


def test_a_loss_is_negated(X, y):
    model = tree().fit(X, y)
    scorer = get_scorer("neg_ordinal_mean_absolute_error")
    assert scorer(model, X, y) == pytest.approx(-np.mean(np.abs(y - model.predict(X))))


def test_an_option_reaches_the_metric(X, y):
    model = tree(1).fit(X, y)
    scorer = make_ordinal_scorer("within_1_accuracy", n=2)
    assert scorer(model, X, y) == np.mean(np.abs(y - model.predict(X)) <= 2)


def test_an_unknown_option_is_refused():
    with pytest.raises(ValueError, match="cem_ord_score has no option colour; its options are"):
        make_ordinal_scorer("cem_ord", colour="red")


@pytest.mark.parametrize("argument", ["y_true", "y_pred", "sample_weight"])
def test_data_cannot_be_bound(argument):
    with pytest.raises(ValueError, match=f"no option {argument}"):
        make_ordinal_scorer("cem_ord", **{argument: [0, 1]})


@pytest.mark.parametrize("make", [get_scorer, make_ordinal_scorer])
def test_an_unknown_name_is_refused_with_the_nearest(make):
    with pytest.raises(ValueError, match=r"got 'cem_rod'\. Did you mean 'cem_ord'\?"):
        make("cem_rod")


def test_a_name_of_scikit_learn_is_sent_there():
    with pytest.raises(ValueError, match=r"use sklearn\.metrics\.get_scorer\('accuracy'\)"):
        get_scorer("accuracy")


def test_labels_that_repeat_a_class_are_refused():
    with pytest.raises(ValueError, match="repeated: low"):
        make_ordinal_scorer("cem_ord", labels=["low", "high", "low"])


def test_a_later_change_of_the_list_does_not_reach_the_scorer(X, y, y_named, grades, by_hand):
    labels = list(grades)
    scorer = make_ordinal_scorer("cem_ord", labels=labels)
    labels.reverse()
    labels.pop()
    assert scorer(tree().fit(X, y_named), X, y_named) == pytest.approx(
        by_hand(tree().fit(X, y), X, y)
    )


# --- a bound order ---------------------------------------------------------------------


def test_strings_are_scored_in_the_bound_order(X, y, y_named, scorer, splits, score_folds):
    scores = cross_val_score(tree(), X, y_named, cv=splits, scoring=scorer, error_score="raise")
    assert_allclose(scores, score_folds(tree(), X, y, splits))


@pytest.mark.parametrize(
    "copied",
    [clone, copy.copy, copy.deepcopy, lambda scorer: pickle.loads(pickle.dumps(scorer))],
    ids=["clone", "copy", "deepcopy", "pickle"],
)
def test_a_copied_scorer_keeps_the_bound_order(copied, X, y, y_named, scorer, by_hand):
    if copied is clone:
        search = GridSearchCV(tree(), GRID, scoring=scorer)
        scorer = clone(search).scoring
    else:
        scorer = copied(scorer)
    assert scorer(tree().fit(X, y_named), X, y_named) == pytest.approx(
        by_hand(tree().fit(X, y), X, y)
    )


def test_a_class_outside_the_bound_order_is_refused(X, y_named, grades):
    scorer = make_ordinal_scorer("cem_ord", labels=grades[:-1])
    with pytest.raises(ValueError, match="not in labels: \\['great'\\]"):
        cross_val_score(tree(), X, y_named, scoring=scorer, error_score="raise")


def test_several_scorers_go_into_one_dict(X, y, y_named, scorer, splits, score_folds):
    scoring = {"cem": scorer, "accuracy": "accuracy"}
    results = cross_validate(tree(), X, y_named, cv=splits, scoring=scoring, error_score="raise")
    assert_allclose(results["test_cem"], score_folds(tree(), X, y, splits))


def test_the_signature_hides_labels_from_scikit_learn(scorer):
    assert "labels" not in inspect.signature(scorer._score_func).parameters


def mean_of_folds(model):
    return model.cv_results_["mean_test_score"]


# Each consumer that hands strings to the scorer, as a function of data and scoring.
CONSUMERS_OF_STRINGS = {
    "cross_validate": lambda X, y, scoring: cross_validate(
        tree(), X, y, scoring=scoring, error_score="raise"
    )["test_score"],
    "cross_val_score": lambda X, y, scoring: cross_val_score(
        tree(), X, y, scoring=scoring, error_score="raise"
    ),
    "learning_curve": lambda X, y, scoring: learning_curve(
        tree(), X, y, scoring=scoring, train_sizes=[0.7], error_score="raise", shuffle=True,
        random_state=0,
    )[2],
    "validation_curve": lambda X, y, scoring: validation_curve(
        tree(), X, y, param_name="max_depth", param_range=[1, 3], scoring=scoring,
        error_score="raise",
    )[1],
    "permutation_test_score": lambda X, y, scoring: permutation_test_score(
        tree(), X, y, scoring=scoring, n_permutations=2, random_state=0
    )[1],
    "permutation_importance": lambda X, y, scoring: permutation_importance(
        tree().fit(X, y), X, y, scoring=scoring, n_repeats=2, random_state=0
    ).importances,
    "GridSearchCV": lambda X, y, scoring: mean_of_folds(
        GridSearchCV(tree(), GRID, scoring=scoring, error_score="raise").fit(X, y)
    ),
    "RandomizedSearchCV": lambda X, y, scoring: mean_of_folds(
        RandomizedSearchCV(
            tree(), GRID, n_iter=2, random_state=0, scoring=scoring, error_score="raise"
        ).fit(X, y)
    ),
    "HalvingGridSearchCV": lambda X, y, scoring: mean_of_folds(
        HalvingGridSearchCV(
            tree(), GRID, cv=2, random_state=0, scoring=scoring, error_score="raise"
        ).fit(X, y)
    ),
    "HalvingRandomSearchCV": lambda X, y, scoring: mean_of_folds(
        HalvingRandomSearchCV(
            tree(), GRID, cv=2, n_candidates=2, min_resources=40, random_state=0,
            scoring=scoring, error_score="raise",
        ).fit(X, y)
    ),
    "SequentialFeatureSelector": lambda X, y, scoring: SequentialFeatureSelector(
        tree(), n_features_to_select=1, cv=2, scoring=scoring
    ).fit(X, y).get_support(),
    "RFECV": lambda X, y, scoring: mean_of_folds(RFECV(tree(), scoring=scoring).fit(X, y)),
    "HistGradientBoostingClassifier": lambda X, y, scoring: HistGradientBoostingClassifier(
        early_stopping=True, validation_fraction=None, scoring=scoring, max_iter=2, max_depth=2
    ).fit(X, y).train_score_,
    "RidgeClassifierCV with folds": lambda X, y, scoring: RidgeClassifierCV(
        scoring=scoring, cv=3
    ).fit(X, y).best_score_,
}  # fmt: skip


# These have no `error_score`: scikit-learn warns of the error and goes on with NaN.
WITHOUT_ERROR_SCORE = ["SequentialFeatureSelector", "RidgeClassifierCV with folds"]

NO_ORDER = r"string labels \[.*\], whose order is not known: pass labels"


@pytest.fixture
def by_hand_on_names(grades, exact_cem):
    """Return a scorer of names that shares no code with the package."""

    def score(estimator, X, y, sample_weight=None):
        assert sample_weight is None or (sample_weight == 1).all()
        return exact_cem(
            [grades.index(name) for name in y],
            [grades.index(name) for name in estimator.predict(X)],
        )

    return score


@pytest.mark.parametrize("consumer", CONSUMERS_OF_STRINGS)
def test_strings_are_scored_in_the_bound_order_by(consumer, X, y_named, scorer, by_hand_on_names):
    run = CONSUMERS_OF_STRINGS[consumer]
    assert_allclose(run(X, y_named, scorer), run(X, y_named, by_hand_on_names))


def test_a_tuned_threshold_scores_two_strings_in_the_bound_order(X, y_binary, exact_cem):
    y_named = np.array(["poor", "good"])[y_binary]
    tuned = TunedThresholdClassifierCV(
        LogisticRegression().fit(X, y_named),
        cv="prefit",
        refit=False,
        scoring=make_ordinal_scorer("cem_ord", labels=["poor", "good"]),
        thresholds=5,
    ).fit(X, y_named)
    y_pred = (tuned.predict(X) == "good").astype(int)
    assert tuned.best_score_ == pytest.approx(exact_cem(y_binary, y_pred))


# --- strings without an order ----------------------------------------------------------


@pytest.mark.parametrize("consumer", sorted(set(CONSUMERS_OF_STRINGS) - set(WITHOUT_ERROR_SCORE)))
def test_strings_without_an_order_raise(consumer, X, y_named):
    with pytest.raises(ValueError, match=NO_ORDER):
        CONSUMERS_OF_STRINGS[consumer](X, y_named, "cem_ord")


@pytest.mark.parametrize("consumer", WITHOUT_ERROR_SCORE)
@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_strings_without_an_order_are_told_of_where_errors_become_nan(consumer, X, y_named):
    with pytest.warns(UserWarning, match=NO_ORDER):
        found = CONSUMERS_OF_STRINGS[consumer](X, y_named, "cem_ord")
    assert consumer != "RidgeClassifierCV with folds" or np.isnan(found)


def test_strings_without_an_order_become_nan_and_a_warning_by_default(X, y_named):
    with pytest.warns(UserWarning, match=NO_ORDER):
        scores = cross_val_score(tree(), X, y_named, cv=3, scoring="cem_ord")
    assert np.isnan(scores).all()


def test_a_tuned_threshold_refuses_strings_without_an_order(X, y_binary):
    y_named = np.array(["poor", "good"])[y_binary]
    with pytest.raises(ValueError, match=NO_ORDER):
        TunedThresholdClassifierCV(LogisticRegression(), scoring="cem_ord").fit(X, y_named)


@pytest.mark.parametrize(
    "recode",
    [
        pytest.param(lambda y: y.astype(str), id="digit strings"),
        pytest.param(lambda y: y / 2, id="fractions"),
        pytest.param(lambda y: pd.Series(y).astype("category").astype(str), id="pandas strings"),
        pytest.param(
            lambda y: pd.Series(np.array(["a", "b", "c", "d"])[y]).astype("category"),
            id="unordered categories",
        ),
    ],
)
def test_other_classes_without_an_order_raise(recode, X, y):
    with pytest.raises(ValueError, match="pass labels="):
        get_scorer("cem_ord")(Says(y, 4), X, recode(y))


# --- where scikit-learn itself recodes the classes -------------------------------------


def alphabetical_positions(y_named):
    return np.unique(y_named, return_inverse=True)[1]


def scores_of(model):
    scores = model.scores_
    return np.ravel(next(iter(scores.values())) if isinstance(scores, dict) else scores)


since_1_8 = pytest.mark.skipif(SKLEARN < (1, 8), reason="scikit-learn recodes the classes")
until_1_7 = pytest.mark.skipif(SKLEARN >= (1, 8), reason="scikit-learn keeps the classes")


@since_1_8
def test_logistic_regression_cv_scores_strings_in_the_bound_order(
    X, y, y_named, scorer, splits, score_folds, logistic_regression_cv
):
    model = logistic_regression_cv(Cs=[1.0], cv=splits, scoring=scorer).fit(X, y_named)
    expected = score_folds(LogisticRegression(max_iter=1000), X, y, splits)
    assert_allclose(scores_of(model), expected)


@since_1_8
def test_logistic_regression_cv_refuses_strings_without_an_order(
    X, y_named, logistic_regression_cv
):
    with pytest.raises(ValueError, match=NO_ORDER):
        logistic_regression_cv(Cs=[1.0], cv=3, scoring="cem_ord").fit(X, y_named)


@until_1_7
def test_an_older_logistic_regression_cv_scores_alphabetical_positions(
    X, y_named, splits, score_folds, logistic_regression_cv
):
    model = logistic_regression_cv(Cs=[1.0], cv=splits, scoring="cem_ord").fit(X, y_named)
    expected = score_folds(
        LogisticRegression(max_iter=1000), X, alphabetical_positions(y_named), splits
    )
    assert_allclose(scores_of(model), expected)


@until_1_7
def test_an_older_logistic_regression_cv_refuses_a_bound_order_of_strings(
    X, y_named, scorer, splits, logistic_regression_cv
):
    with pytest.raises(ValueError, match="not in labels"):
        logistic_regression_cv(Cs=[1.0], cv=splits, scoring=scorer).fit(X, y_named)


@until_1_7
def test_an_older_logistic_regression_cv_puts_two_classes_two_positions_apart(
    X, y_binary, splits, logistic_regression_cv
):
    scoring = "neg_ordinal_mean_absolute_error"
    model = logistic_regression_cv(Cs=[1.0], cv=splits, scoring=scoring).fit(X, y_binary)
    wrong = [
        np.mean(
            LogisticRegression(max_iter=1000).fit(X[train], y_binary[train]).predict(X[test])
            != y_binary[test]
        )
        for train, test in splits
    ]
    assert_allclose(scores_of(model), -2 * np.array(wrong))


def test_a_fitted_logistic_regression_cv_refuses_to_score_strings_without_an_order(
    X, y, y_named, grades, logistic_regression_cv
):
    model = logistic_regression_cv(Cs=[1.0], cv=3, scoring="cem_ord").fit(X, y)
    model.classes_ = np.array(grades)
    with pytest.raises(ValueError, match=NO_ORDER):
        model.score(X, y_named)


def test_ridge_classifier_cv_without_folds_scores_alphabetical_positions(X, y_named):
    found = RidgeClassifierCV(scoring="cem_ord").fit(X, y_named)
    expected = RidgeClassifierCV(scoring="cem_ord").fit(X, alphabetical_positions(y_named))
    assert found.best_score_ == expected.best_score_


@pytest.mark.parametrize("scoring", ["accuracy", "cem_ord"])
def test_ridge_classifier_cv_without_folds_shows_scorers_one_class_of_two(scoring, X, y_binary):
    model = RidgeClassifierCV([1e9], scoring=scoring).fit(X, y_binary)
    assert model.best_score_ == 1.0
    assert model.score(X, y_binary) < 1.0


def test_ridge_classifier_cv_without_folds_refuses_a_bound_order_of_strings(X, y_named, scorer):
    with pytest.raises(ValueError, match="not in labels"):
        RidgeClassifierCV(scoring=scorer).fit(X, y_named)


# --- ordered dtypes --------------------------------------------------------------------

# RFECV, early stopping and RidgeClassifierCV make plain strings of these and refuse them.
KEEP_THE_DTYPE = sorted(
    set(CONSUMERS_OF_STRINGS)
    - {"RFECV", "HistGradientBoostingClassifier", "RidgeClassifierCV with folds"}
)


@pytest.fixture(params=["pandas Categorical", "polars Enum"])
def y_ordered(request, y_named, grades):
    if request.param == "polars Enum":
        return pl.Series(y_named.tolist(), dtype=pl.Enum(grades))
    return pd.Series(pd.Categorical(y_named, categories=grades, ordered=True))


@pytest.mark.parametrize("consumer", KEEP_THE_DTYPE)
def test_the_order_of_a_dtype_is_kept_by(consumer, X, y_ordered, by_hand_on_names):
    run = CONSUMERS_OF_STRINGS[consumer]
    assert_allclose(run(X, y_ordered, "cem_ord"), run(X, y_ordered, by_hand_on_names))


@pytest.mark.parametrize("consumer", ["RFECV", "HistGradientBoostingClassifier"])
def test_an_ordered_dtype_that_scikit_learn_drops_raises(consumer, X, y_ordered):
    with pytest.raises(ValueError, match=NO_ORDER):
        CONSUMERS_OF_STRINGS[consumer](X, y_ordered, "cem_ord")


# --- undefined values and continuous predictions ---------------------------------------


@pytest.mark.parametrize("name", ["quadratic_weighted_kappa", "kendall_tau_b"])
def test_a_constant_candidate_scores_chance_and_loses(name, X, y):
    search = GridSearchCV(
        DummyClassifier(),
        {"strategy": ["most_frequent", "constant"], "constant": [3]},
        cv=3,
        scoring=name,
        error_score="raise",
    ).fit(X, y)
    assert (mean_of_folds(search) == 0.0).all()
    wide = GridSearchCV(
        tree(), [{"max_depth": [3]}, {"max_depth": [1], "min_samples_leaf": [0.9]}], scoring=name
    ).fit(X, y)
    assert mean_of_folds(wide)[1] == 0.0
    assert wide.best_index_ == 0


def test_an_undefined_value_takes_the_replacement_that_is_bound(X, y):
    scorer = make_ordinal_scorer("kendall_tau_b", replace_undefined_by=-1.0)
    assert scorer(DummyClassifier().fit(X, y), X, y) == -1.0


def test_continuous_predictions_of_a_regressor_raise(X, y):
    with pytest.raises(ValueError, match="y_pred has continuous predictions"):
        cross_val_score(LinearRegression(), X, y, scoring="cem_ord", error_score="raise")


def test_continuous_predictions_raise_without_folds_too(X, y):
    # Either column may be the first to be refused: some versions centre y as well.
    with pytest.raises(ValueError, match="fractional labels"):
        RidgeCV(scoring="cem_ord").fit(X, y)


def test_continuous_predictions_become_nan_and_a_warning_by_default(X, y):
    with pytest.warns(UserWarning, match="y_pred has continuous predictions"):
        scores = cross_val_score(LinearRegression(), X, y, scoring="cem_ord")
    assert np.isnan(scores).all()


@pytest.mark.parametrize(
    ("name", "options"),
    [("within_1_accuracy", {"n": -1}), ("kendall_tau_b", {"variant": "q"})],
)
def test_a_bad_value_of_an_option_is_refused_when_the_scorer_is_made(name, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
        make_ordinal_scorer(name, **options)


def test_sizes_of_classes_may_be_bound_with_and_without_labels():
    assert callable(make_ordinal_scorer("cem_ord", class_counts=[1, 2, 3]))
    assert callable(make_ordinal_scorer("cem_ord", class_counts=[1, 2], labels=["a", "b"]))


def test_the_adjusted_option_scores_chance_where_it_is_undefined(X):
    scorer = make_ordinal_scorer("cem_ord", adjusted=True)
    y = np.ones(len(X), dtype=int)
    assert scorer(DummyClassifier().fit(X, y), X, y) == 0
