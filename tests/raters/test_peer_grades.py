"""Raters against the others: published counts, loops over items, and derivatives by weights."""

from fractions import Fraction

import numpy as np
import pytest

from sklearn_ordinal import OrdinalRatings, get_metric
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.raters._rater_intervals import PeerGrades, _spread
from tests import degrees_of_freedom

# Seven items, three raters.
GRADES = [[1, 2, 2], [2, 3, 3], [0, 1, 1], [3, 4, 4], [2, 2, 3], [1, 3, 2], [3, 4, 3]]
RNG = np.random.default_rng(0)
GAPPY = np.where(RNG.random((40, 5)) < 0.4, np.nan, RNG.integers(0, 4, (40, 5)))
WEIGHT = RNG.integers(0, 4, 40) / 2


def weighted_loop(grades, weights, rater, peers, n_classes):
    """Count with a loop over items, rows the grades of the peers."""
    counts = np.zeros((n_classes, n_classes))
    for item, weight in zip(grades, weights, strict=True):
        others = [item[k] for k in peers if item[k] == item[k]]
        if others and item[rater] == item[rater]:
            for other in others:
                counts[int(other), int(item[rater])] += weight / len(others)
    return counts


def severity_cells(n_classes):
    position = np.arange(n_classes)
    return position - position[:, None]


def test_each_rater_against_the_others_has_the_worked_values():
    peers = PeerGrades.from_ratings(OrdinalRatings.from_ratings(GRADES))
    confusion = peers.confusion()
    kappa = get_metric("quadratic_weighted_kappa")(confusion)
    expected = [Fraction(176, 281), Fraction(27, 41), Fraction(158, 221)]
    assert kappa == pytest.approx([float(value) for value in expected], abs=1e-14)
    errors = get_metric("ordinal_mean_absolute_error")(confusion)
    assert errors == pytest.approx([13 / 14, 5 / 7, 9 / 14], abs=1e-14)
    severity = (confusion.counts * severity_cells(5)).sum(axis=(1, 2)) / 7
    assert severity == pytest.approx([-13 / 14, 4 / 7, 5 / 14], abs=1e-14)
    assert confusion.groups == ("rater 1", "rater 2", "rater 3")


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_counts_equal_a_loop_over_items(weight):
    ratings = OrdinalRatings.from_ratings(GAPPY, sample_weight=weight)
    weights = np.ones(40) if weight is None else weight
    counts = PeerGrades.from_ratings(ratings).confusion().counts
    for rater in range(5):
        peers = [k for k in range(5) if k != rater]
        expected = weighted_loop(GAPPY, weights, rater, peers, 4)
        np.testing.assert_allclose(counts[rater], expected, atol=1e-12)
        assert ((counts[rater] == 0) == (expected == 0)).all()


def test_a_judge_and_a_human_are_compared_with_the_same_peers():
    """The last rater is the judge, who is nobody's peer."""
    ratings = OrdinalRatings.from_ratings(GAPPY)
    peers = PeerGrades.from_ratings(
        ratings,
        raters=np.array([0, 1, 2, 3, 4, 4, 4, 4]),
        left_out=np.array([0, 1, 2, 3, 0, 1, 2, 3]),
        is_peer=np.array([True, True, True, True, False]),
        names=tuple("abcdwxyz"),
    )
    counts = peers.confusion().counts
    for human in range(4):
        others = [k for k in range(4) if k != human]
        for position, rater in ((human, human), (human + 4, 4)):
            expected = weighted_loop(GAPPY, np.ones(40), rater, others, 4)
            np.testing.assert_allclose(counts[position], expected, atol=1e-12)
    assert peers.names == tuple("abcdwxyz")


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_spreads_are_those_of_derivatives_by_the_weights_of_items(weight):
    """By central differences of the values of a loop over items."""
    ratings = OrdinalRatings.from_ratings(GAPPY, sample_weight=weight)
    weights = np.ones(40) if weight is None else weight
    peers = PeerGrades.from_ratings(ratings)
    metric = get_metric("quadratic_weighted_kappa")
    spread = _spread(peers, LABELS.entry_influences([metric], peers.confusion()))
    assert spread.standard_error.shape == (1, 5)
    for rater in range(5):
        others = [k for k in range(5) if k != rater]

        def value(weights, rater=rater, others=others):
            return float(metric.statistic(weighted_loop(GAPPY, weights, rater, others, 4)))

        is_compared = [
            weight > 0 and item[rater] == item[rater] and not np.isnan(item[others]).all()
            for item, weight in zip(GAPPY, weights, strict=True)
        ]
        (items,) = np.nonzero(is_compared)
        step = 1e-5 * np.eye(40)
        by_weight = [(value(weights + step[i]) - value(weights - step[i])) / 2e-5 for i in items]
        of_items = weights[items]
        error, degrees = degrees_of_freedom.of_samples([of_items * by_weight], [of_items])
        assert spread.standard_error[0, rater] == pytest.approx(error, rel=1e-6)
        assert spread.degrees_of_freedom[0, rater] == pytest.approx(degrees, rel=1e-6)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_the_resampled_items_add_up_to_the_counts(weight):
    peers = PeerGrades.from_ratings(OrdinalRatings.from_ratings(GAPPY, sample_weight=weight))
    units = peers.units()
    assert units.n_units == (40 if weight is None else np.count_nonzero(weight))
    stacks = [confusion.counts[0] for confusion in units.all_together()]
    np.testing.assert_allclose(stacks, peers.confusion().counts, atol=1e-12)


def test_many_grades_are_counted_in_parts(monkeypatch):
    peers = PeerGrades.from_ratings(OrdinalRatings.from_ratings(GAPPY))
    cells = RNG.random((5, 4, 4))
    at_once = peers.confusion().counts, peers.influences(cells), peers.units().tables.toarray()
    monkeypatch.setattr("sklearn_ordinal.raters._rater_intervals._NUMBERS_PER_PART", 50)
    in_parts = peers.confusion().counts, peers.influences(cells), peers.units().tables.toarray()
    for first, second in zip(at_once, in_parts, strict=True):
        np.testing.assert_allclose(first, second, atol=1e-12)


def test_a_rater_without_peers_has_no_counts():
    ratings = OrdinalRatings.from_ratings([[0, 1, None], [1, 1, None], [None, None, 2]])
    counts = PeerGrades.from_ratings(ratings).confusion().counts
    assert not counts[2].any()
    assert counts[0].sum() == 2
