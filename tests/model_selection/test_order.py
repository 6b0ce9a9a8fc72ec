"""The order of the classes inside the estimators of reports and comparisons.

Class names whose alphabetical order is wrong are compared with positions, and with a scorer that
knows the names and shares no code with the package.
"""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifierCV
from sklearn.metrics import accuracy_score, make_scorer, mean_absolute_error
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, make_pipeline

from sklearn_ordinal import (
    compare_estimators,
    cross_val_report,
    make_ordinal_scorer,
)
from sklearn_ordinal.decisions import OptimalDecisionClassifier, TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from tests.scorers.consumers import logistic_regression_cv

GRADES = ["poor", "fair", "good", "great"]
RNG = np.random.default_rng(0)
Y = RNG.permutation(np.repeat([0, 1, 2, 3], [15, 40, 25, 20]))
X = RNG.normal(size=(100, 3)) * [0.7, 1.5, 1.0] + np.c_[Y, Y, np.zeros(100)]
NAMED = np.array(GRADES)[Y]
ERROR = "neg_macro_averaged_mean_absolute_error"
# Without ties, which estimators break in the order of the sorted classes.
BAYES = GaussianNB()
GRID = {"var_smoothing": [100.0, 10.0, 1.0, 0.1, 0.001]}


def search(scoring="cem_ord", **options):
    return GridSearchCV(BAYES, GRID, scoring=scoring, **{"cv": 2, **options})


SEARCHES = {
    "a name": search(),
    "a loss": search(ERROR),
    "a list": search(["accuracy", "cem_ord"], refit="cem_ord"),
    "a tuple": search(("cem_ord", ERROR), refit=ERROR),
    "a dict": search({"first": "accuracy", "second": "cem_ord"}, refit="second"),
    "a dict with a scorer": search({"of": make_ordinal_scorer(ERROR), "n": "accuracy"}, refit="of"),
    "a scorer": search(make_ordinal_scorer("cem_ord")),
    "a scorer of probabilities": search("neg_ranked_probability_score"),
    "a scorer of ranks": search("concordance"),
    "a function that refits": search(
        ["cem_ord"], refit=lambda results: results["mean_test_cem_ord"].argmax()
    ),
}
CONSUMERS = {
    "RandomizedSearchCV": RandomizedSearchCV(
        BAYES, GRID, n_iter=4, scoring="cem_ord", cv=2, random_state=0
    ),
    "HalvingGridSearchCV": HalvingGridSearchCV(
        BAYES, GRID, scoring="cem_ord", cv=2, random_state=0, min_resources=40
    ),
    "SequentialFeatureSelector": make_pipeline(
        SequentialFeatureSelector(BAYES, n_features_to_select=1, cv=2, scoring="cem_ord"), BAYES
    ),
    "RFECV": RFECV(LogisticRegression(), cv=2, scoring="cem_ord"),
    "LogisticRegressionCV": logistic_regression_cv(
        Cs=[0.01, 1.0], cv=2, scoring="cem_ord", tol=1e-10
    ),
    "RidgeClassifierCV with folds": RidgeClassifierCV([0.1, 1e3], scoring="cem_ord", cv=2),
    "RidgeClassifierCV without folds": RidgeClassifierCV([0.1, 1e3], scoring="cem_ord"),
    "Pipeline": make_pipeline(search()),
    "FeatureUnion": make_pipeline(
        FeatureUnion([("rfecv", RFECV(LogisticRegression(), cv=2, scoring="cem_ord"))]), BAYES
    ),
    "ColumnTransformer": make_pipeline(
        ColumnTransformer(
            [("rfecv", RFECV(LogisticRegression(), cv=2, scoring="cem_ord"), [0, 2])]
        ),
        BAYES,
    ),
    "BaggingClassifier": BaggingClassifier(search(), 2, random_state=0),
    "VotingClassifier": VotingClassifier([("search", search())], voting="soft"),
    "VotingClassifier in VotingClassifier": VotingClassifier(
        [("vote", VotingClassifier([("search", search())]))]
    ),
    "StackingClassifier": StackingClassifier(
        [("search", search())], final_estimator=search(), cv=2
    ),
    "StackingClassifier with its final estimator": StackingClassifier([("search", search())], cv=2),
    "CalibratedClassifierCV": CalibratedClassifierCV(search(), cv=2),
    "CalibratedClassifierCV of one": CalibratedClassifierCV(search(), cv=2, ensemble=False),
    "OneVsRestClassifier": OneVsRestClassifier(search()),
    "GridSearchCV of GridSearchCV": GridSearchCV(search(), {"cv": [2, 3]}, scoring=ERROR, cv=2),
    "candidates of GridSearchCV": GridSearchCV(
        make_pipeline(BAYES), {"gaussiannb": [BAYES, search()]}, scoring="cem_ord", cv=2
    ),
    "OptimalDecisionClassifier": OptimalDecisionClassifier(search()),
    "TunedOrdinalThresholdClassifierCV": TunedOrdinalThresholdClassifierCV(search(), cv=2),
    "TunedOrdinalThresholdClassifierCV of a regressor": TunedOrdinalThresholdClassifierCV(
        GridSearchCV(Ridge(), {"alpha": [0.1, 1e3]}, scoring="concordance", cv=2), cv=2
    ),
    "TunedOrdinalThresholdClassifierCV in VotingClassifier": VotingClassifier(
        [("tuned", TunedOrdinalThresholdClassifierCV(LinearRegression(), cv=2))]
    ),
    "OrdinalDummyClassifier": OrdinalDummyClassifier("median"),
}


def report_on(estimator, y, **options):
    options = {"cv": 2, "scoring": "cem_ord", "verbose": False, **options}
    return cross_val_report(estimator, X, y, **options)


def check_same(by_name, by_position):
    np.testing.assert_array_equal(
        by_name.pooled.confusion.counts, by_position.pooled.confusion.counts
    )
    assert by_name.failures == by_position.failures == ()


# --- what the order reaches ------------------------------------------------------------


def test_a_comparison_of_strings_equals_that_of_their_positions():
    # Guesses are drawn in the order of the sorted classes.
    options = {"cv": 3, "baselines": {"majority class": OrdinalDummyClassifier()}, "verbose": False}
    by_name, by_position = (
        compare_estimators({"search": search()}, X, y, labels=labels, **options)
        for y, labels in ((NAMED, GRADES), (Y, None))
    )
    assert by_name.verdicts == by_position.verdicts
    assert by_name.failures == ()
    for name, values in by_position.scores["cem_ord"].items():
        np.testing.assert_array_equal(by_name.scores["cem_ord"][name], values)


@pytest.mark.parametrize("scoring", SEARCHES)
def test_the_order_reaches_a_search_by(scoring):
    by_name = report_on(SEARCHES[scoring], NAMED, labels=GRADES, return_estimator=True)
    by_position = report_on(SEARCHES[scoring], Y, return_estimator=True)
    check_same(by_name, by_position)
    for named, of_positions in zip(by_name.estimators, by_position.estimators, strict=True):
        assert named.best_params_ == of_positions.best_params_
        assert named.cv_results_.keys() == of_positions.cv_results_.keys()
        for key in named.cv_results_:
            if key.startswith("mean_test"):
                np.testing.assert_allclose(named.cv_results_[key], of_positions.cv_results_[key])


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_the_order_reaches(consumer):
    by_name = report_on(CONSUMERS[consumer], NAMED, labels=GRADES)
    check_same(by_name, report_on(CONSUMERS[consumer], Y))


# These draw their samples in the order of the sorted classes, or stop within a tolerance.
HIDDEN = {
    "HistGradientBoostingClassifier": lambda scoring: HistGradientBoostingClassifier(
        early_stopping=True,
        validation_fraction=None,
        scoring=scoring,
        max_iter=2,
        max_depth=2,
    ),
    "LogisticRegressionCV": lambda scoring: logistic_regression_cv(
        Cs=[0.01, 1.0], cv=2, scoring=scoring
    ),
    "RFECV": lambda scoring: RFECV(LogisticRegression(), cv=2, scoring=scoring),
    "RidgeClassifierCV": lambda scoring: RidgeClassifierCV([0.1, 1e3], scoring=scoring, cv=2),
}
SCORES = {
    "HistGradientBoostingClassifier": lambda model: model.train_score_,
    "LogisticRegressionCV": lambda model: np.ravel(
        next(iter(model.scores_.values())) if isinstance(model.scores_, dict) else model.scores_
    ),
    "RFECV": lambda model: model.cv_results_["mean_test_score"],
    "RidgeClassifierCV": lambda model: model.best_score_,
}


def mean_absolute_error_of_names(y_true, y_pred, sample_weight=None):
    positions = ([GRADES.index(label) for label in labels] for labels in (y_true, y_pred))
    return mean_absolute_error(*positions, sample_weight=sample_weight)


OF_NAMES = make_scorer(mean_absolute_error_of_names, greater_is_better=False)
OF_CODES = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)


@pytest.mark.parametrize("kind", ["strings", "an ordered dtype"])
@pytest.mark.parametrize("consumer", HIDDEN)
def test_the_scores_of_names_are_those_of_a_scorer_that_knows_them(consumer, kind):
    if consumer == "LogisticRegressionCV" and OF_CODES:
        pytest.skip("scikit-learn before 1.8 passes codes, which the other scorer does not know")
    y, labels = NAMED, GRADES
    if kind == "an ordered dtype":
        y, labels = pd.Series(pd.Categorical(NAMED, categories=GRADES, ordered=True)), None
    options = {"labels": labels, "return_estimator": True}
    named = report_on(HIDDEN[consumer]("neg_ordinal_mean_absolute_error"), y, **options).estimators
    expected = report_on(HIDDEN[consumer](OF_NAMES), y, **options).estimators
    for model, by_other in zip(named, expected, strict=True):
        np.testing.assert_allclose(SCORES[consumer](model), SCORES[consumer](by_other))


def test_a_threshold_of_two_classes_is_tuned_in_the_order():
    y = np.array(["low", "high"])[(Y > 1).astype(int)]
    tuned = TunedThresholdClassifierCV(
        LogisticRegression(), cv=2, scoring="cem_ord", thresholds=[0.2, 0.4, 0.6]
    )
    report = report_on(tuned, y, labels=["low", "high"])
    bound = clone(tuned).set_params(scoring=make_ordinal_scorer("cem_ord", labels=["low", "high"]))
    check_same(report, report_on(bound, y, labels=["low", "high"]))


@pytest.mark.parametrize("parts", [Y >= 0, Y < 2], ids=["four classes", "two classes"])
def test_codes_of_classes_are_in_the_order_of_the_classes(parts):
    # In alphabetical order, "good" is below "poor".
    folds = StratifiedKFold(2)
    models = {
        "vote": VotingClassifier([("search", search(ERROR, cv=folds))]),
        "stack": StackingClassifier([("search", search(ERROR, cv=folds))], BAYES, cv=folds),
        "bag": BaggingClassifier(search(ERROR, cv=folds), 1, bootstrap=False),
        "ridge": RidgeClassifierCV([0.1, 1e3], scoring=ERROR),
        "logistic": logistic_regression_cv(Cs=[0.01, 1.0], cv=folds, scoring=ERROR, tol=1e-10),
    }
    options = {"cv": 2, "verbose": False, "scoring": "accuracy", "return_estimator": True}
    for name, model in models.items():
        if name == "ridge" and not parts.all():
            continue  # With two classes, every candidate scores as perfect.
        scores = []
        for y, labels in ((NAMED, GRADES), (Y, range(4))):
            report = cross_val_report(model, X[parts], y[parts], labels=labels, **options)
            for fitted in report.estimators:
                inner = getattr(fitted, "estimators_", [fitted])[0]
                if name == "logistic":
                    scores.append(SCORES["LogisticRegressionCV"](inner))
                elif name == "ridge":
                    scores.append(inner.best_score_)
                else:
                    scores.append(inner.cv_results_["mean_test_score"])
        np.testing.assert_allclose(scores[:2], scores[2:])


@settings(max_examples=8)
@given(
    names=st.permutations(["a", "b", "c", "d"]),
    scoring=st.sampled_from(["cem_ord", ERROR, "quadratic_weighted_kappa", "concordance"]),
    wrap=st.sampled_from(["Pipeline", "VotingClassifier", "BaggingClassifier"]),
)
def test_whatever_the_names_are_the_search_chooses_as_for_positions(names, scoring, wrap):
    model = {
        "Pipeline": make_pipeline(search(scoring)),
        "VotingClassifier": VotingClassifier([("search", search(scoring))]),
        "BaggingClassifier": BaggingClassifier(search(scoring), 2, random_state=0),
    }[wrap]
    check_same(report_on(model, np.array(names)[Y], labels=names), report_on(model, Y))


def test_a_class_that_the_training_samples_lack_keeps_its_place_among_codes():
    # "good" is only tested, so the classes of the vote are coded 0, 1, 2.
    train, test = np.flatnonzero(Y != 2), np.arange(len(Y))
    seen = []

    def note(estimator, X, y):  # noqa: ARG001
        seen.append(np.unique(y))
        return 0.0

    vote = VotingClassifier([("search", search(note))])
    report_on(vote, NAMED, labels=GRADES, cv=[(train, test)])
    assert {tuple(codes) for codes in seen} == {(0, 1, 2)}
    vote = VotingClassifier([("search", search(ERROR))])
    options = {"cv": [(train, test)], "labels": GRADES, "return_estimator": True}
    (fitted,) = report_on(vote, NAMED, **options).estimators
    bound = search(make_ordinal_scorer(ERROR, labels=GRADES)).fit(X[train], NAMED[train])
    np.testing.assert_allclose(
        fitted.estimators_[0].cv_results_["mean_test_score"], bound.cv_results_["mean_test_score"]
    )


@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("labels", [GRADES, [*GRADES, 5]])
def test_codes_that_depend_on_a_split_fail_unless_the_order_is_the_sorted_one(labels):
    vote = VotingClassifier([("search", search())])
    model = GridSearchCV(vote, {"voting": ["hard", "soft"]}, scoring="cem_ord", cv=2)
    assert report_on(model, Y).failures == ()
    with pytest.raises(ValueError, match="All 2 fits failed, the first: ValueError: GridSearchCV"):
        report_on(model, NAMED, labels=labels)


@pytest.mark.parametrize(
    ("scoring", "message"),
    [("cem_rod", "cem_rod"), (["cem_ord", "cem_ord"], "unique"), ([BAYES], "string")],
)
def test_a_scorer_that_scikit_learn_refuses_is_its_error(scoring, message):
    with pytest.raises(ValueError, match=f"(?s)All 2 fits failed.*{message}"):
        report_on(search(scoring, refit="cem_ord"), NAMED, labels=GRADES)


def test_a_class_that_does_not_occur_is_on_the_scale_of_the_scorer():
    report = report_on(search(), Y, labels=range(6), return_estimator=True)
    for model in report.estimators:
        assert "labels=[0, 1, 2, 3, 4, 5]" in repr(model.scoring)


def test_the_order_of_a_dtype_reaches_the_scorer():
    y = pd.Series(pd.Categorical(NAMED, categories=[*GRADES, "best"], ordered=True))
    model = make_pipeline(RFECV(LogisticRegression(), cv=2, scoring="cem_ord"), BAYES)
    (fitted, _) = report_on(model, y, return_estimator=True).estimators
    assert repr(fitted[0].scoring) == f"make_ordinal_scorer('cem_ord', labels={[*GRADES, 'best']})"


def test_the_order_reaches_other_processes():
    by_position = report_on(search(), Y)
    for n_jobs in (1, 2):
        by_name = report_on(search(n_jobs=2), NAMED, labels=GRADES, n_jobs=n_jobs)
        check_same(by_name, by_position)


def test_the_order_reaches_a_search_with_metadata_routing():
    weights = RNG.integers(1, 4, len(Y))
    with config_context(enable_metadata_routing=True):
        bayes = GaussianNB().set_fit_request(sample_weight=True)
        scorer = make_ordinal_scorer("cem_ord").set_score_request(sample_weight=True)
        model = GridSearchCV(bayes, GRID, scoring=scorer, cv=2)
        options = {"params": {"sample_weight": weights}, "return_estimator": True}
        by_name = report_on(model, NAMED, labels=GRADES, **options)
        by_position = report_on(model, Y, **options)
    check_same(by_name, by_position)
    for named, of_positions in zip(by_name.estimators, by_position.estimators, strict=True):
        scores = (each.cv_results_["mean_test_score"] for each in (named, of_positions))
        np.testing.assert_allclose(*scores)


def test_the_order_reaches_baselines():
    report = compare_estimators(
        {"bayes": BAYES},
        X,
        NAMED,
        labels=GRADES,
        baselines={"search": search(), "median": OrdinalDummyClassifier("median")},
        cv=2,
        verbose=False,
    )
    assert report.failures == ()


def test_a_wrapping_classifier_binds_its_order_to_the_search_inside():
    for make in (
        lambda labels: TunedOrdinalThresholdClassifierCV(search(), cv=2, labels=labels),
        lambda labels: OptimalDecisionClassifier(search(), labels=labels),
    ):
        named = make(GRADES).fit(X, NAMED)
        positions = make(None).fit(X, Y)
        np.testing.assert_array_equal(named.predict(X), np.array(GRADES)[positions.predict(X)])
        assert named.estimator_.best_params_ == positions.estimator_.best_params_
        assert named.estimator.scoring == "cem_ord"


def test_criteria_of_others_stay():
    def of_a_stranger(estimator, X, y):
        return accuracy_score(y, estimator.predict(X))

    scorers = ["accuracy", of_a_stranger, make_scorer(accuracy_score), ["accuracy"], None]
    for scoring in scorers:
        model = search(scoring, refit="accuracy" if isinstance(scoring, list) else True)
        report = report_on(model, NAMED, labels=GRADES, return_estimator=True)
        kept = report.estimators[0].scoring
        assert type(kept) is type(scoring)
        assert repr(kept) == repr(scoring)


# --- what stays as it is ---------------------------------------------------------------


def test_the_estimators_that_are_passed_stay_as_they_are():
    scoring = {"cem_ord": "cem_ord", "accuracy": "accuracy"}
    models = {
        "search": search(scoring, refit="cem_ord"),
        "nested": make_pipeline(search(["cem_ord"], refit="cem_ord")),
        "tuned": TunedOrdinalThresholdClassifierCV(search(), cv=2),
    }
    before = copy.deepcopy(models)
    compare_estimators(models, X, NAMED, labels=GRADES, cv=2, random_state=0, verbose=False)
    assert models["search"].scoring is scoring
    assert scoring == {"cem_ord": "cem_ord", "accuracy": "accuracy"}
    for name, model in models.items():
        assert repr(model) == repr(before[name])
        assert not hasattr(model, "classes_")


def test_a_frozen_estimator_stays_as_it_is():
    frozen = pytest.importorskip("sklearn.frozen", reason="scikit-learn before 1.6")
    fitted = search(make_ordinal_scorer("cem_ord", labels=GRADES)).fit(X, NAMED)
    fitted.scoring = "cem_ord"
    inside = TunedOrdinalThresholdClassifierCV(Ridge())
    models = [
        frozen.FrozenEstimator(fitted),
        make_pipeline(frozen.FrozenEstimator(fitted)),
        frozen.FrozenEstimator(VotingClassifier([("tuned", inside)]).fit(X, Y)),
    ]
    for model, y in zip(models, (NAMED, NAMED, Y), strict=True):
        report_on(model, y, labels=GRADES if y is NAMED else range(4))
    assert fitted.scoring == "cem_ord"
    assert inside.labels is None


def test_fitted_estimators_can_be_kept_pickled_and_cloned():
    report = report_on(search(), NAMED, labels=GRADES, return_estimator=True)
    for model in report.estimators:
        assert 0 < model.score(X, NAMED) < 1
        assert pickle.loads(pickle.dumps(model)).score(X, NAMED) == model.score(X, NAMED)
        assert np.isfinite(clone(model).fit(X, NAMED).cv_results_["mean_test_score"]).all()


def test_a_report_names_the_estimators_as_they_were_passed():
    report = report_on(search(), NAMED, labels=GRADES)
    assert "scoring='cem_ord'" in report.provenance.estimators["estimator"]


# --- orders that are given twice -------------------------------------------------------


def test_a_scorer_with_an_order_keeps_it():
    wider = [*GRADES, "best"]
    model = search(make_ordinal_scorer("cem_ord", labels=wider))
    report = report_on(model, NAMED, labels=GRADES, return_estimator=True)
    assert repr(report.estimators[0].scoring) == repr(model.scoring)
    same = search(make_ordinal_scorer("cem_ord", labels=GRADES))
    check_same(report_on(same, NAMED, labels=GRADES), report_on(search(), Y))


def test_a_scorer_with_the_order_keeps_it_where_classes_are_codes():
    bound = search(make_ordinal_scorer("cem_ord", labels=GRADES))
    vote = VotingClassifier([("search", bound)])
    check_same(report_on(vote, NAMED, labels=GRADES), report_on(CONSUMERS["VotingClassifier"], Y))


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (lambda labels: search(make_ordinal_scorer("cem_ord", labels=labels)), "scorer"),
        (
            lambda labels: make_pipeline(
                search({"a": "accuracy", "b": make_ordinal_scorer(ERROR, labels=labels)}, refit="a")
            ),
            "scorer",
        ),
        (
            lambda labels: TunedOrdinalThresholdClassifierCV(Ridge(), labels=labels),
            "TunedOrdinalThresholdClassifierCV",
        ),
    ],
)
def test_another_order_is_an_error(model, what):
    other = ["great", "good", "fair", "poor"]
    message = (
        rf"^search has labels \['great', 'good', 'fair', 'poor'\] in its {what}, but the order of "
        rf"the classes is \['poor', 'fair', 'good', 'great'\]: pass the same labels= to both, or "
        rf"none to the {what}\.$"
    )
    with pytest.raises(ValueError, match=message):
        compare_estimators({"search": model(other), "bayes": BAYES}, X, NAMED, labels=GRADES)


def test_a_search_of_codes_that_an_estimator_of_others_makes_keeps_its_scorer():
    codes = search(make_ordinal_scorer("cem_ord", labels=[0, 1, 2, 3]))
    check_same(report_on(Encoding(codes), NAMED, labels=GRADES), report_on(search(), Y))


class Encoding(ClassifierMixin, BaseEstimator):
    """Fits a model to the positions of the classes."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model_ = clone(self.model).fit(X, [GRADES.index(label) for label in y])
        self.classes_ = np.array(GRADES)[self.model_.classes_]
        return self

    def predict(self, X):
        return np.array(GRADES)[self.model_.predict(X)]
