"""Scorer objects: what is bound to them, and what they refuse."""

import copy
import inspect
import pickle

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV

from sklearn_ordinal import get_metric, get_scorer, get_scorer_names, make_ordinal_scorer
from tests.scorers.consumers import RAISE, mean_of_folds, tree


@pytest.fixture
def scorer(grades):
    return make_ordinal_scorer("cem_ord", labels=grades)


@pytest.mark.parametrize("name", get_scorer_names())
def test_each_name_is_known_to_scikit_learn_as_the_same_scorer(name, X, y):
    model = tree().fit(X, y)
    assert sklearn.metrics.get_scorer(name)(model, X, y) == get_scorer(name)(model, X, y)


def test_an_option_reaches_the_metric(X, y):
    model = tree(1).fit(X, y)
    scorer = make_ordinal_scorer("within_1_accuracy", n=2)
    assert scorer(model, X, y) == np.mean(np.abs(y - model.predict(X)) <= 2)
    assert get_metric(scorer).options == {"n": 2}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("cem_ord", {"colour": "red"}, "cem_ord_score has no option colour; its options are"),
        ("cem_ord", {"y_true": [0, 1]}, "no option y_true"),
        ("cem_ord", {"sample_weight": [0, 1]}, "no option sample_weight"),
        ("cem_ord", {"labels": ["low", "high", "low"]}, "repeated: low"),
        ("cem_ord", {"labels": [0, 1], "class_counts": [1, 2, 3]}, "class_counts must have shape"),
        ("within_1_accuracy", {"n": -1}, "n must be"),
        ("kendall_tau_b", {"variant": "q"}, "variant must be"),
        ("cem_rod", {}, r"got 'cem_rod'\. Did you mean 'cem_ord'\?"),
        ("accuracy", {}, r"use sklearn\.metrics\.get_scorer\('accuracy'\)"),
    ],
)
def test_what_cannot_be_bound_is_refused_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message) as error:
        make_ordinal_scorer(name, **options)
    assert "\n" not in str(error.value)
    if not options:
        with pytest.raises(ValueError, match=message):
            get_scorer(name)


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda scorer: pickle.loads(pickle.dumps(scorer))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copied_scorer_keeps_the_bound_order(copied, X, y, y_named, scorer, by_hand):
    expected = by_hand(tree().fit(X, y), X, y)
    assert copied(scorer)(tree().fit(X, y_named), X, y_named) == pytest.approx(expected)


def test_a_later_change_of_the_list_does_not_reach_the_scorer(X, y_named, grades, by_hand):
    labels, model = list(grades), tree().fit(X, y_named)
    scorer = make_ordinal_scorer("cem_ord", labels=labels)
    labels.reverse()
    labels.pop()
    assert scorer(model, X, y_named) == pytest.approx(by_hand(model, X, y_named))


def test_a_class_outside_the_bound_order_is_refused(X, y_named, grades):
    scorer = make_ordinal_scorer("cem_ord", labels=grades[:-1])
    with pytest.raises(ValueError, match="not in labels: \\['great'\\]"):
        scorer(tree().fit(X, y_named), X, y_named)


def test_the_signature_hides_labels_from_scikit_learn(scorer):
    assert "labels" not in inspect.signature(scorer._score_func).parameters


def test_sizes_of_classes_may_be_bound_with_and_without_labels(X, y, by_hand):
    model = tree().fit(X, y)
    for labels in (None, [0, 1, 2, 3]):
        # The sizes are those of y, so that they change nothing; others do.
        scorer = make_ordinal_scorer("cem_ord", class_counts=[15, 40, 25, 20], labels=labels)
        assert scorer(model, X, y) == pytest.approx(by_hand(model, X, y))
        other = make_ordinal_scorer("cem_ord", class_counts=[9, 1, 1, 1], labels=labels)
        assert other(model, X, y) != pytest.approx(by_hand(model, X, y))


# --- undefined values ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quadratic_weighted_kappa", "kendall_tau_b"])
def test_a_constant_candidate_scores_chance_and_loses(name, X, y):
    grid = [{"max_depth": [3]}, {"max_depth": [1], "min_samples_leaf": [0.9]}]
    search = GridSearchCV(tree(), grid, scoring=name, **RAISE).fit(X, y)
    assert mean_of_folds(search)[1] == 0.0
    assert search.best_index_ == 0


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("cem_ord", {"adjusted": True}, 0.0),
        ("kendall_tau_b", {}, 0.0),
        ("kendall_tau_b", {"replace_undefined_by": -1.0}, -1.0),
    ],
)
def test_an_undefined_value_is_chance_or_the_replacement_that_is_bound(name, options, expected, X):
    y = np.ones(len(X), dtype=int)
    assert make_ordinal_scorer(name, **options)(tree().fit(X, y), X, y) == expected
