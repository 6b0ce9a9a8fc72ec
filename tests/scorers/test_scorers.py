"""Scorer objects: bound options and rejected arguments."""

import copy
import inspect
import pickle
import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
import sklearn
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import (
    GridSearchCV,
    LearningCurveDisplay,
    LeaveOneOut,
    ValidationCurveDisplay,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier

import sklearn_ordinal
from sklearn_ordinal import get_metric, make_ordinal_scorer
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal._core.evidence_kinds import LABELS
from tests.scorers.consumers import RAISE, fold_mean, tree

NAMES = sorted(
    metric.scorer_name
    for metric in METRICS.values()
    if metric.scorer_name and not metric.is_sklearns
)


@pytest.fixture
def scorer(grades):
    return make_ordinal_scorer("cem_ord", labels=grades)


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_known_to_scikit_learn_as_the_same_scorer(name, X, y):
    model = tree().fit(X, y)
    assert sklearn.metrics.get_scorer(name)(model, X, y) == make_ordinal_scorer(name)(model, X, y)


def test_soft_labels_are_scored_by_their_expected_value(X, y):
    model, shares = tree().fit(X, y), np.random.default_rng(0).dirichlet(np.ones(4), len(y))
    predicted = model.predict(X)
    expected = shares[np.arange(len(y)), predicted].mean()
    scorer = make_ordinal_scorer("within_1_accuracy", n=0, labels=range(4))
    assert scorer(model, X, shares) == pytest.approx(expected)


def test_an_option_reaches_the_metric(X, y):
    model = tree(1).fit(X, y)
    scorer = make_ordinal_scorer("within_1_accuracy", n=2)
    assert scorer(model, X, y) == np.mean(np.abs(y - model.predict(X)) <= 2)
    assert get_metric(scorer).options == {"n": 2}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("cem_ord", {"colour": "red"}, "cem_ord_score has no option colour: its options are"),
        ("cem_ord", {"y_true": [0, 1]}, "no option y_true"),
        ("cem_ord", {"sample_weight": [0, 1]}, "no option sample_weight"),
        ("cem_ord", {"labels": ["low", "high", "low"]}, "are repeated: low"),
        ("cem_ord", {"labels": [0, 1], "class_counts": [1, 2, 3]}, "class_counts must have shape"),
        ("within_1_accuracy", {"n": -1}, "n must be"),
        ("kendall_tau_b", {"variant": "q"}, "variant must be"),
        ("cem_rod", {}, r"got 'cem_rod': did you mean 'cem_ord'\?"),
        ("accuracy", {}, r"use sklearn\.metrics\.get_scorer\('accuracy'\)"),
        ("neg_log_loss", {}, r"use sklearn\.metrics\.get_scorer\('neg_log_loss'\)"),
        ("brier_score", {}, r"use sklearn\.metrics\.get_scorer\('neg_brier_score'\)"),
    ],
)
def test_invalid_options_are_rejected_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message) as error:
        make_ordinal_scorer(name, **options)
    assert "\n" not in str(error.value)
    if not options:
        with pytest.raises(ValueError, match=message):
            make_ordinal_scorer(name)


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda scorer: pickle.loads(pickle.dumps(scorer))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copied_scorer_keeps_the_bound_order(copied, X, y, y_named, scorer, by_hand):
    expected = by_hand(tree().fit(X, y), X, y)
    assert copied(scorer)(tree().fit(X, y_named), X, y_named) == pytest.approx(expected)


def test_changing_the_list_later_does_not_affect_the_scorer(X, y_named, grades, by_hand):
    labels, model = list(grades), tree().fit(X, y_named)
    scorer = make_ordinal_scorer("cem_ord", labels=labels)
    labels.reverse()
    labels.pop()
    assert scorer(model, X, y_named) == pytest.approx(by_hand(model, X, y_named))


def test_a_class_outside_the_bound_order_is_rejected(X, y_named, grades):
    scorer = make_ordinal_scorer("cem_ord", labels=grades[:-1])
    with pytest.raises(ValueError, match="not in labels: \\['great'\\]"):
        scorer(tree().fit(X, y_named), X, y_named)
    with pytest.warns(UserWarning, match='great[^$]*In a search, pass error_score="raise"'):
        assert np.isnan(cross_val_score(tree(), X, y_named, cv=3, scoring=scorer)).all()


def test_the_signature_hides_labels_from_scikit_learn(scorer):
    assert "labels" not in inspect.signature(scorer._score_func).parameters


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"name": "cem_ord"}, "'cem_ord'"),
        (
            {"name": "cem_ord", "labels": ["low", "mid", "high"]},
            "'cem_ord', labels=['low', 'mid', 'high']",
        ),
        (
            {"name": "neg_ranked_probability_score", "labels": [1, 2]},
            "'neg_ranked_probability_score', labels=[1, 2]",
        ),
        ({"name": "cem_ord", "adjusted": True}, "'cem_ord_adjusted'"),
        ({"name": "within_1_accuracy", "n": 2}, "within_n_accuracy_score, n=2"),
        (
            {"name": "cem_ord", "labels": [1, 2], "multioutput": [1, 3]},
            "'cem_ord', labels=[1, 2], multioutput=(1.0, 3.0)",
        ),
        (
            {"name": "kendall_tau_b", "replace_undefined_by": -1.0},
            "kendall_tau_score, variant='b', replace_undefined_by=-1.0",
        ),
    ],
)
def test_the_representation_is_the_call_that_makes_the_scorer(options, shown):
    scorer = make_ordinal_scorer(**options)
    assert repr(scorer) == f"make_ordinal_scorer({shown})"
    names = {"make_ordinal_scorer": make_ordinal_scorer, **vars(sklearn_ordinal.metrics)}
    assert repr(eval(repr(scorer), names)) == repr(scorer)


def test_the_representation_of_a_search_shows_the_order(scorer):
    search = GridSearchCV(tree(), {}, scoring=scorer)
    assert "labels=['poor', 'fair', 'good', 'great']" in " ".join(repr(search).split())


@pytest.mark.parametrize("kind", ["outputs of strings", "unordered categories"])
def test_an_error_without_an_order_names_the_call_with_the_way_out(kind, X, y_named):
    if kind == "outputs of strings":
        scorer, call = make_ordinal_scorer("cem_ord", multioutput="mean"), ", multioutput='mean'"
        y = np.c_[y_named, y_named]
    else:
        scorer, call = make_ordinal_scorer("cem_ord"), ""
        y = pd.Series(y_named, dtype="category")
    message = rf"not known: pass scoring=make_ordinal_scorer\('cem_ord', labels=\[...\]{call}\)"
    with pytest.raises(ValueError, match=message) as info:
        scorer(tree().fit(X, y), X, y)
    assert "\n" not in str(info.value)
    assert info.value.__suppress_context__


def test_other_errors_of_a_scorer_stay(X, y):
    model = tree().fit(X, y)
    with pytest.raises(ValueError, match="same length"):
        make_ordinal_scorer("cem_ord")(model, X, y[:-1])
    with pytest.raises(ValueError, match="continuous"):
        make_ordinal_scorer("cem_ord")(model, X, y + 0.5)


def test_class_counts_may_be_bound_with_and_without_labels(X, y, by_hand):
    model = tree().fit(X, y)
    for labels in (None, [0, 1, 2, 3]):
        # These are the counts of y, so they change nothing; others do.
        for class_counts in ([15, 40, 25, 20], None):
            scorer = make_ordinal_scorer("cem_ord", class_counts=class_counts, labels=labels)
            assert scorer(model, X, y) == pytest.approx(by_hand(model, X, y))
        other = make_ordinal_scorer("cem_ord", class_counts=[9, 1, 1, 1], labels=labels)
        assert other(model, X, y) != pytest.approx(by_hand(model, X, y))


# --- undefined values ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quadratic_weighted_kappa", "kendall_tau_b"])
def test_a_constant_candidate_scores_chance_and_loses(name, X, y):
    grid = [{"max_depth": [3]}, {"max_depth": [1], "min_samples_leaf": [0.9]}]
    warns = pytest.warns(UndefinedMetricWarning, match="^kendall_tau_b is .* scored as 0 there")
    # Kappa of a constant is 0 where several classes are true.
    with nullcontext() if name == "quadratic_weighted_kappa" else warns:
        search = GridSearchCV(tree(), grid, scoring=name, **RAISE).fit(X, y)
    assert fold_mean(search)[1] == 0.0
    assert search.best_index_ == 0


def test_perfect_folds_of_one_class_lead_to_one_warning_for_each_criterion():
    y = np.repeat([0, 1, 2], 4)
    X = (10 * y + np.arange(12) % 4)[:, None]
    names = ["quadratic_weighted_kappa", "linear_weighted_kappa", "accuracy"]
    model = KNeighborsClassifier(1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = cross_validate(model, X, y, cv=LeaveOneOut(), scoring=names)
    assert {w.category for w in caught} == {UndefinedMetricWarning}
    texts = dict.fromkeys(str(w.message) for w in caught)
    assert [text.partition(" is undefined")[0] for text in texts] == names[:2]
    assert scores["test_accuracy"].mean() == 1
    assert scores["test_quadratic_weighted_kappa"].tolist() == [0.0] * 12
    score = make_ordinal_scorer(names[0])._score_func
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for k in range(3):
            score([k, k], [k, k])
    assert len(caught) == 1


def test_an_undefined_output_leads_to_the_same_warning():
    y = np.c_[[0, 1, 2, 2], [1, 1, 1, 1]]
    scorer = make_ordinal_scorer("linear_weighted_kappa", multioutput="mean")
    model = tree().fit(y, y)
    with pytest.warns(UndefinedMetricWarning, match="^linear_weighted_kappa is .* scored as 0"):
        assert scorer(model, y, y) == 0.5


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("cem_ord", {"adjusted": True}, 0.0),
        ("kendall_tau_b", {}, 0.0),
        ("kendall_tau_b", {"replace_undefined_by": -1.0}, -1.0),
    ],
)
def test_an_undefined_value_is_the_chance_level_or_the_bound_replacement(
    name, options, expected, X
):
    y = np.ones(len(X), dtype=int)
    is_chosen = "replace_undefined_by" in options
    warns = nullcontext() if is_chosen else pytest.warns(UndefinedMetricWarning, match=name)
    with warns:
        assert make_ordinal_scorer(name, **options)(tree().fit(X, y), X, y) == expected


class Predicting(ClassifierMixin, BaseEstimator):
    """A fitted classifier with given predictions."""

    classes_ = np.arange(4)

    def __init__(self, predictions):
        self.predictions = predictions

    def predict(self, X):  # noqa: ARG002
        return self.predictions


TRUTHS = {
    "all": [0, 1, 2, 3, 3, 1],
    "no lowest": [1, 2, 3, 3, 1, 2],
    "no highest": [0, 1, 2, 2, 1, 0],
    "no ends": [1, 1, 2, 2, 2, 1],
    "only ends": [0, 3, 0, 3, 0, 3],
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("labels", [None, range(4)], ids=["run", "labels"])
@pytest.mark.parametrize("name", [name for name in NAMES if get_metric(name).evidence is LABELS])
def test_scores_are_finite_if_two_or_more_classes_are_true(name, labels):
    scorer = make_ordinal_scorer(name, labels=labels)
    rng = np.random.default_rng(0)
    for truth in map(np.array, TRUTHS.values()):
        constant = [np.full(6, k) for k in range(4)]
        one_sided = [rng.integers(0, 2, 6), rng.integers(2, 4, 6)]
        for predictions in (*constant, *one_sided, rng.integers(0, 4, 6), truth, 3 - truth):
            assert np.isfinite(scorer(Predicting(predictions), np.zeros((6, 1)), truth))


# --- elsewhere -------------------------------------------------------------------------


def test_the_curves_of_scikit_learn_are_labelled_with_the_score(X, y):
    axes = Figure().subplots()
    for draw, options in (
        (LearningCurveDisplay.from_estimator, {}),
        (
            ValidationCurveDisplay.from_estimator,
            {"param_name": "max_depth", "param_range": [1, 2]},
        ),
    ):
        for name in ("cem_ord", "neg_ordinal_mean_absolute_error"):
            scorer = make_ordinal_scorer(name, labels=range(4))
            assert scorer.__name__ == name
            for scoring in (scorer, copy.copy(scorer), pickle.loads(pickle.dumps(scorer))):
                drawn = draw(tree(), X, y, cv=2, scoring=scoring, ax=axes, **options)
            expected = draw(tree(), X, y, cv=2, scoring=name, ax=axes, **options)
            assert drawn.ax_.get_ylabel() == expected.ax_.get_ylabel()
            assert np.array_equal(drawn.test_scores, expected.test_scores)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("CEM_ORD", "cem_ord"),
        ("neg_cem_ord", "cem_ord"),
        ("qwk", "quadratic_weighted_kappa"),
        ("amae", "neg_macro_averaged_mean_absolute_error"),
        ("neg_mae", "neg_ordinal_mean_absolute_error"),
        ("macro_averaged_mean_absolute_error", "neg_macro_averaged_mean_absolute_error"),
        ("pearson", "pearson_correlation"),
    ],
)
def test_the_intended_name_is_suggested(name, meant):
    with pytest.raises(ValueError, match=f"did you mean '{meant}'"):
        make_ordinal_scorer(name)
    if name not in METRICS:
        with pytest.raises(ValueError, match=f"did you mean '{meant.removeprefix('neg_')}'"):
            get_metric(name)


@pytest.mark.parametrize("weights", [[], {1, 2}, "none", [1, -1], ["1", "2"], [[1, 2]], np.nan])
def test_bad_output_weights_are_rejected_when_the_scorer_is_made(weights):
    with pytest.raises(ValueError, match=r"^multioutput must"):
        make_ordinal_scorer("cem_ord", multioutput=weights)
