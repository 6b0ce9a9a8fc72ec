"""Searches: what they have chosen, and searches whose candidates have no score."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import RidgeClassifierCV
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from sklearn_ordinal import compare_estimators, cross_val_report
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import OptimalDecisionClassifier

X, Y = (part[::2] for part in load_lev(return_X_y=True))
GRID = {"var_smoothing": [1.0, 1e-9]}
MESSAGE = (
    "GridSearchCV has NaN as the score of every candidate, so there was nothing to choose from: "
    "see the warnings of its fit, or pass error_score='raise' to it."
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:Scoring failed"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


def broken(estimator, X, y, sample_weight=None):  # noqa: ARG001
    raise ValueError("no score")


def accuracy(estimator, X, y):
    return accuracy_score(y, estimator.predict(X))


def search(scoring=broken, **options):
    return GridSearchCV(GaussianNB(), GRID, scoring=scoring, cv=2, **options)


def report_on(estimator):
    return cross_val_report(estimator, X, Y, cv=2, scoring="cem_ord", verbose=False)


def compare_with_a_blind_search():
    with pytest.warns(FitFailedWarning, match="2 of 4 fits failed") as record:
        report = compare_estimators(
            {"blind": search(), "bayes": GaussianNB()}, X, Y, baselines=None, cv=2, verbose=False
        )
    assert MESSAGE in str(record[-1].message)
    return report


def test_a_search_without_scores_is_a_failed_fit():
    report = compare_with_a_blind_search()
    assert [(failure.name, failure.fold) for failure in report.failures] == [
        ("blind", 0),
        ("blind", 1),
    ]
    assert {failure.error for failure in report.failures} == {f"ValueError: {MESSAGE}"}
    assert "blind" not in report.reports
    assert not any("blind beats" in verdict for verdict in report.verdicts.values())


@pytest.mark.parametrize(
    "view", ["str", "to_text", "to_html", "to_markdown", "to_latex", "to_json"]
)
def test_every_view_shows_the_search_without_scores(view, tmp_path):
    report = compare_with_a_blind_search()
    if view == "str":
        text = str(report)
    elif view == "to_json":
        report.to_json(tmp_path / "report.json")
        text = json.dumps(json.loads((tmp_path / "report.json").read_text(encoding="utf-8")))
    else:
        text = getattr(report, view)()
    words = " ".join(text.replace("\\_", "_").replace("&#x27;", "'").split())
    assert "GridSearchCV has NaN as the score of every candidate" in words


def test_if_nothing_else_was_fitted_the_search_without_scores_is_the_error():
    with pytest.raises(ValueError, match="All 2 fits failed, the first: ValueError: GridSearchCV"):
        report_on(search())


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (search({"a": accuracy, "b": broken}, refit="b"), "GridSearchCV"),
        (search({"a": broken, "b": broken}, refit=lambda _: 0), "GridSearchCV"),
        (
            RandomizedSearchCV(GaussianNB(), GRID, n_iter=2, scoring=broken, cv=2, random_state=0),
            "RandomizedSearchCV",
        ),
        (RidgeClassifierCV([0.1, 1.0], scoring=broken, cv=2), "RidgeClassifierCV"),
        (make_pipeline(search()), "GridSearchCV"),
        (BaggingClassifier(search(), 2, random_state=0), "GridSearchCV"),
        (VotingClassifier([("search", search())]), "GridSearchCV"),
        (StackingClassifier([("bayes", GaussianNB())], search(), cv=2), "GridSearchCV"),
        (CalibratedClassifierCV(search(), cv=2), "GridSearchCV"),
        (OptimalDecisionClassifier(search()), "GridSearchCV"),
        (GridSearchCV(search(), {"cv": [2]}, scoring=accuracy, cv=2), "GridSearchCV"),
    ],
)
def test_searches_without_scores_are_seen_in(model, name):
    with pytest.raises(ValueError, match=f"fits failed, the first: ValueError: {name} has NaN"):
        report_on(model)


def test_a_search_with_a_score_for_some_candidates_chooses():
    def of_the_second(estimator, X, y):
        return accuracy(estimator, X, y) if estimator.var_smoothing < 1 else broken(estimator, X, y)

    report = report_on(search(of_the_second))
    assert report.failures == ()


def test_a_search_is_judged_by_the_criterion_that_it_refits_by():
    report = report_on(search({"a": accuracy, "b": broken}, refit="a"))
    assert report.failures == ()


def test_estimators_with_other_attributes_of_these_names_are_no_searches():
    class Boosted(GaussianNB):
        def fit(self, X, y):
            self.best_score_ = {"valid": {"loss": np.nan}}
            self.cv_results_ = None
            self.itself_ = self
            return super().fit(X, y)

    assert report_on(Boosted()).failures == ()


def test_a_large_vocabulary_is_no_search():
    texts = [f"word{i} word{i % 5}" for i in range(60)]
    model = make_pipeline(CountVectorizer(), RidgeClassifierCV())
    y = np.arange(60) % 5
    report = cross_val_report(model, texts, y, cv=2, scoring="cem_ord", verbose=False)
    assert report.failures == ()


def test_a_report_says_what_a_search_has_chosen():
    chooser = search(accuracy)
    report = cross_val_report(
        chooser,
        X,
        Y,
        cv=StratifiedKFold(3),
        scoring="cem_ord",
        verbose=False,
    )
    expected = [
        str(clone(chooser).fit(X[train], Y[train]).best_params_["var_smoothing"])
        for train, _ in StratifiedKFold(3).split(X, Y)
    ]
    assert [params["var_smoothing"] for params in report.chosen_params] == expected
    assert report.to_dict()["chosen_params"] == list(report.chosen_params)
    assert "Chosen by the search\nfolds    var_smoothing\n1, 2, 3" in str(report)


def test_the_choices_of_several_searches_are_numbered():
    voting = VotingClassifier([("a", search(accuracy)), ("b", search(accuracy))])
    (fold, _) = report_on(voting).chosen_params
    assert list(fold) == ["1. var_smoothing", "2. var_smoothing"]


def test_a_comparison_says_what_a_search_has_chosen_among_the_details():
    report = compare_estimators(
        {"search": search(accuracy), "bayes": GaussianNB()}, X, Y, cv=2, verbose=False
    )
    assert len(report.reports["search"].chosen_params) == 2
    assert report.reports["bayes"].chosen_params == ()
    assert report.to_text(details=True).count("Chosen by the search") == 1
