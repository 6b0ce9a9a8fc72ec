"""Closeness of probabilities and unimodality, and the contract of criteria of probabilities."""

import pickle
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import softmax

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    cem_ord_decision_score,
    cem_ord_score,
    closeness_costs,
    expected_cem_ord_score,
    extreme_sensitivity_score,
    ranked_probability_score,
    ranked_probability_skill_score,
    somers_d_score,
    unimodality_score,
)
from tests.metrics.probabilities import random_probabilities

P = np.array([0.5, 0.3, 0.2])
OF_PROBABILITIES = {
    name: metric for name, metric in METRICS.items() if metric.evidence.name == "probabilities"
}
OURS = {
    name: metric
    for name, metric in OF_PROBABILITIES.items()
    if metric.function.__module__.startswith("sklearn_ordinal.")
}
EACH = pytest.mark.parametrize("metric", OURS.values(), ids=OURS)
WITH_OPTIONS = pytest.mark.parametrize(
    "metric",
    [
        *OURS.values(),
        get_metric(partial(ranked_probability_score, normalize=True)),
        get_metric(partial(cem_ord_decision_score, class_counts=[5, 1, 2, 3])),
    ],
    ids=lambda metric: metric.name,
)


def decided(proba, counts):
    """Return the class of least expected cost by its definition."""
    costs = closeness_costs(counts)
    present = [k for k, count in enumerate(counts) if count > 0]
    expected = {i: sum(proba[j] * costs[j, i] for j in present) for i in present}
    lowest = min(expected.values())
    return min(i for i in present if expected[i] <= lowest + 1e-12)


# Expected CEM_ORD.


@pytest.mark.parametrize(
    ("true", "cost", "expected"),
    [
        (0, 0.958496250, 0.627182159),
        (1, 1.139874369, 0.556633110),
        (2, 1.481560906, 0.423730308),
    ],
)
def test_expected_cem_ord_of_a_worked_example(true, cost, expected):
    sizes = np.array([0.3, 0.3, 0.4])
    # Only the sample of one class is uncertain.
    y_proba = np.eye(3)
    y_proba[true] = P
    score = expected_cem_ord_score([0, 1, 2], y_proba, sample_weight=sizes)
    perfect = 1 - sizes @ np.log2(sizes)
    assert score == pytest.approx(1 - sizes[true] * cost / perfect, abs=1e-9)
    assert 1 - cost / perfect == pytest.approx(expected, abs=1e-9)


def test_the_gradient_of_expected_cem_ord_is_the_worked_one():
    sizes = np.array([0.3, 0.3, 0.4])

    def score(raw):
        y_proba = np.vstack([np.eye(3)[:2], softmax(raw)])
        return expected_cem_ord_score([0, 1, 2], y_proba, sample_weight=sizes)

    of_cost = np.array([0.302950968, -0.006638786, -0.296312181])
    gradient = approx_fprime(np.log(P), score, 1e-7)
    assert gradient == pytest.approx(-0.4 / (1 - sizes @ np.log2(sizes)) * of_cost, abs=1e-6)


def test_expected_cem_ord_is_cem_ord_of_soft_counts():
    y_true, y_proba, weight = random_probabilities()
    score = expected_cem_ord_score(y_true, y_proba, labels=range(4), sample_weight=weight)
    soft = [(weight * (y_true == k)) @ y_proba for k in range(4)]
    assert score == pytest.approx(get_metric("cem_ord")(OrdinalConfusion.from_counts(soft)))


def test_expected_cem_ord_is_the_mean_over_classes_drawn_from_the_probabilities():
    y_true, y_proba, _ = random_probabilities(n_samples=5, n_classes=3, seed=3)
    mean = sum(
        np.prod(y_proba[range(5), list(y_pred)]) * cem_ord_score(y_true, y_pred, labels=range(3))
        for y_pred in product(range(3), repeat=5)
    )
    assert expected_cem_ord_score(y_true, y_proba, labels=range(3)) == pytest.approx(mean)


def test_expected_cem_ord_rewards_overconfidence():
    y_true = [0, 0, 0, 1, 1]
    honest = [[0.6, 0.4]] * 5
    certain = [[1.0, 0.0]] * 5
    assert expected_cem_ord_score(y_true, certain) > expected_cem_ord_score(y_true, honest)
    assert ranked_probability_score(y_true, certain) > ranked_probability_score(y_true, honest)


# The decision score.


@pytest.mark.parametrize(
    ("counts", "proba", "expected_costs", "decision"),
    [
        ([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [2.142206, 0.960964, 0.943789], 2),
        ([0.7, 0.2, 0.1], [0.55, 0.25, 0.2], [1.354946, 1.055955, 1.122797], 1),
    ],
)
def test_the_decision_is_neither_the_mode_nor_the_median(counts, proba, expected_costs, decision):
    costs = closeness_costs(counts)
    assert proba @ costs == pytest.approx(expected_costs, abs=5e-7)
    for true in range(3):
        score = cem_ord_decision_score([true], [proba], labels=range(3), class_counts=counts)
        of_label = cem_ord_score([true], [decision], labels=range(3), class_counts=counts)
        assert score == pytest.approx(of_label, abs=1e-15)


def test_the_expected_score_has_a_reference_distribution():
    counts, labels = [1, 7, 3, 2], range(4)
    y_proba = [[0.5, 0.25, 0.25, 0], [0, 0.25, 0.5, 0.25]]
    # Each sample is four samples with classes in proportion to its probabilities.
    expected = cem_ord_score(
        [0, 0, 0, 0, 2, 2, 2, 2], [0, 0, 1, 2, 1, 2, 2, 3], labels=labels, class_counts=counts
    )
    score = expected_cem_ord_score([0, 2], y_proba, labels=labels, class_counts=counts)
    assert score == pytest.approx(expected)
    with pytest.raises(ValueError, match="class_counts must be positive for each class in y_true"):
        expected_cem_ord_score([0, 2], y_proba, labels=labels, class_counts=[0, 1, 1, 1])


@pytest.mark.parametrize("class_counts", [None, [1, 7, 3, 2]])
def test_the_decision_score_is_cem_ord_of_the_decisions(class_counts):
    y_true, y_proba, weight = random_probabilities()
    counts = np.bincount(y_true, weight) if class_counts is None else class_counts
    y_pred = [decided(proba, counts) for proba in y_proba]
    options = {"labels": range(4), "sample_weight": weight, "class_counts": class_counts}
    score = cem_ord_decision_score(y_true, y_proba, **options)
    assert score == pytest.approx(cem_ord_score(y_true, y_pred, **options), rel=1e-12)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.9])
def test_with_two_classes_the_decision_weighs_probabilities_by_the_costs(share):
    counts = [1 - share, share]
    for p in np.linspace(0, 1, 26):
        is_higher = p * np.log2(1 + 1 / share) > (1 - p) * np.log2(1 + 1 / (1 - share)) + 1e-12
        for true in (0, 1):
            score = cem_ord_decision_score(
                [true], [[1 - p, p]], labels=range(2), class_counts=counts
            )
            expected = cem_ord_score([true], [int(is_higher)], labels=[0, 1], class_counts=counts)
            assert score == pytest.approx(expected)


def test_of_decisions_with_equal_costs_the_lowest_class_is_taken():
    # Classes 1 and 2 cost the same; only the lower one is right.
    options = {"labels": range(4), "class_counts": [1, 1, 1, 1]}
    assert cem_ord_decision_score([1], [[0.25] * 4], **options) == 1
    assert cem_ord_decision_score([2], [[0.25] * 4], **options) < 1


def test_a_class_without_samples_is_never_decided_for():
    certain_of_empty = [[0, 1, 0, 0]] * 3
    options = {"labels": range(4), "class_counts": [2, 0, 1, 1]}
    score = cem_ord_decision_score([0, 0, 0], certain_of_empty, **options)
    assert score == cem_ord_score([0, 0, 0], [0, 0, 0], **options) == 1
    # Without class counts, those of y_true are meant.
    assert cem_ord_decision_score([0, 0, 0], certain_of_empty, labels=range(4)) == 1


def test_a_true_class_without_samples_in_class_counts_is_an_error():
    with pytest.raises(ValueError, match="class_counts must be positive for each class in y_true"):
        cem_ord_decision_score([0, 1], [P, P], labels=range(3), class_counts=[1, 0, 2])
    weighted = cem_ord_decision_score(
        [0, 1], [P, P], labels=range(3), class_counts=[1, 0, 2], sample_weight=[1, 0]
    )
    assert weighted == cem_ord_decision_score([0], [P], labels=range(3), class_counts=[1, 0, 2])


@pytest.mark.parametrize("class_counts", [[1, 2], [[1, 2, 3]], [1, -1, 3], [0, 0, 0], ["a"] * 3])
def test_class_counts_that_are_not_the_sizes_of_the_classes_are_an_error(class_counts):
    with pytest.raises(ValueError, match="class_counts must"):
        cem_ord_decision_score([0, 1], [P, P], labels=range(3), class_counts=class_counts)


def test_class_counts_of_any_unit_give_the_same_score():
    y_true, y_proba, _ = random_probabilities()
    scores = [
        cem_ord_decision_score(y_true, y_proba, labels=range(4), class_counts=counts)
        for counts in ([8, 1, 2, 5], [8e-50, 1e-50, 2e-50, 5e-50], [8e50, 1e50, 2e50, 5e50])
    ]
    assert scores == pytest.approx([scores[0]] * 3, rel=1e-12)


def expected_decision_score(shares, reported, class_counts=None):
    """Return the expected score of forecasts of two classes, given the shares of the lower."""
    n_samples = len(shares)
    y_proba = np.column_stack([reported, 1 - np.array(reported)])
    return sum(
        np.prod([share if y == 0 else 1 - share for y, share in zip(y_true, shares, strict=True)])
        * cem_ord_decision_score(y_true, y_proba, labels=[0, 1], class_counts=class_counts)
        for y_true in product([0, 1], repeat=n_samples)
    )


def test_the_score_is_not_proper_if_the_class_counts_are_those_of_the_true_classes():
    honest = expected_decision_score([0.6] * 3, [0.6] * 3)
    assert honest == pytest.approx(0.6692, abs=5e-5)
    assert expected_decision_score([0.6] * 3, [0.99] * 3) == pytest.approx(0.7176, abs=5e-5)


def test_the_score_is_not_proper_because_its_divisor_depends_on_the_true_classes():
    score = partial(expected_decision_score, [0.25, 0.35], class_counts=[1, 17])
    assert score([0.25, 0.35]) == pytest.approx(0.460, abs=5e-4)
    assert score([0.05, 0.35]) == pytest.approx(0.592, abs=5e-4)


# Unimodality.


@pytest.mark.parametrize(
    ("proba", "is_unimodal"),
    [
        ([0.1, 0.2, 0.4, 0.3], True),
        ([0.4, 0.1, 0.5], False),
        ([0.3, 0.3, 0.1, 0.3], False),
        ([0.5, 0.5, 0, 0], True),
        ([0.25, 0.25, 0.25, 0.25], True),
        ([0.5, 0.1, 0.1, 0.3], False),
        ([0.25 + 5e-13, 0.25 - 5e-13, 0.25, 0.25], True),
        ([0.9, 0.1], True),
        ([1.0], True),
    ],
)
def test_probabilities_are_unimodal_if_they_do_not_rise_after_they_have_fallen(proba, is_unimodal):
    assert unimodality_score([0], [proba], labels=range(len(proba))) == is_unimodal
    assert unimodality_score([0], [proba[::-1]], labels=range(len(proba))) == is_unimodal


def test_unimodality_is_the_weighted_share_of_samples():
    y_proba = [[0.1, 0.6, 0.3], [0.4, 0.1, 0.5]]
    assert unimodality_score([0, 2], y_proba, sample_weight=[1, 3]) == 0.25


# Contract of all criteria of probabilities.


def forecasts_of(y_true, y_proba, sample_weight=None, **options):
    options = {"labels": range(len(y_proba[0])), **options}
    return OrdinalForecasts.from_probabilities(
        y_true, y_proba, sample_weight=sample_weight, **options
    )


@WITH_OPTIONS
def test_the_function_and_the_metric_return_the_same_float(metric):
    y_true, y_proba, weight = random_probabilities()
    value = metric.function(
        y_true, y_proba, labels=range(4), sample_weight=weight, **metric.options
    )
    assert type(value) is float
    assert metric(forecasts_of(y_true, y_proba, weight)) == pytest.approx(value, rel=1e-12)


@WITH_OPTIONS
def test_leading_axes_of_the_weights_are_evaluated_one_by_one(metric):
    y_true, y_proba, _ = random_probabilities()
    forecasts = forecasts_of(y_true, y_proba)
    rng = np.random.default_rng(2)
    weights = rng.multinomial(60, np.full(60, 1 / 60), size=(2, 3)).astype(float)
    weights[0, 1] *= y_true > 1  # lacks classes
    weights[1, 2] = 0
    values = metric(forecasts.reweighted(weights))
    assert values.shape == (2, 3)
    assert np.isnan(values[1, 2])
    for index in np.ndindex(2, 3):
        if index != (1, 2):
            alone = metric(forecasts_of(y_true, y_proba, weights[index]))
            assert values[index] == pytest.approx(alone, rel=1e-12)
    assert metric(forecasts) == metric(forecasts_of(y_true, y_proba))


@EACH
def test_an_empty_class_inside_the_scale_changes_nothing_if_the_metric_is_invariant(metric):
    y_true, y_proba, weight = random_probabilities()
    padded = forecasts_of(y_true + (y_true > 1), np.insert(y_proba, 2, 0, axis=1), weight)
    value = metric(forecasts_of(y_true, y_proba, weight))
    is_same = metric(padded) == pytest.approx(value, rel=1e-12)
    assert is_same == bool(metric.ordinal_invariant)


def expected_loss(shares, forecast, loss):
    return sum(share * loss(y, forecast) for y, share in enumerate(shares))


def random_shares_and_forecasts():
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 4, 6):
        for _ in range(10):
            shares = rng.dirichlet(np.ones(n_classes))
            near = 0.9 * shares + 0.1 * rng.dirichlet(np.ones(n_classes))
            for forecast in (rng.dirichlet(np.ones(n_classes)), near):
                yield shares, forecast


def test_the_cost_of_decisions_in_bits_is_proper_but_not_strictly():
    ties = 0
    rng = np.random.default_rng(1)
    for shares, forecast in list(random_shares_and_forecasts())[::3]:
        counts = rng.integers(1, 30, len(shares))

        def bits(y, forecast, counts=counts):
            score = cem_ord_decision_score(
                [y], [forecast], labels=range(len(counts)), class_counts=counts
            )
            return (1 - score) * (1 - np.log2(counts[y] / counts.sum()))

        honest = expected_loss(shares, shares, bits)
        other = expected_loss(shares, forecast, bits)
        assert other >= honest - 1e-9
        ties += other <= honest + 1e-12
    assert ties


@pytest.mark.parametrize(
    "metric",
    [
        *(metric for metric in METRICS.values() if metric.evidence.name == "labels"),
        get_metric(partial(cem_ord_score, class_counts=[3, 1, 4])),
        get_metric(partial(extreme_sensitivity_score, average="arithmetic")),
        get_metric(partial(somers_d_score, dependent="y_true")),
        get_metric(partial(somers_d_score, dependent="both")),
    ],
    ids=lambda metric: metric.name,
)
def test_soft_counts_have_the_expected_value_of_drawn_classes_where_the_metric_says_so(metric):
    y_true = np.array([0, 0, 1, 2, 2])
    draws = np.array(list(product(range(3), repeat=len(y_true))))
    counts = np.zeros((len(draws), 3, 3), dtype=int)
    np.add.at(counts, (np.arange(len(draws))[:, None], y_true, draws), 1)
    values = metric(OrdinalConfusion.from_counts(counts))
    differences = []
    for y_proba in [
        *np.random.default_rng(0).dirichlet(np.ones(3), (5, 5)),
        np.full((5, 3), 1 / 3),
    ]:
        expected = np.prod(y_proba[np.arange(5), draws], axis=1) @ values
        soft = metric(OrdinalConfusion.from_probabilities(y_true, y_proba))
        differences.append(abs(soft - expected))
    # NaN where a value of some draw is undefined.
    assert bool(np.max(differences) < 1e-12) == metric.expected_on_soft_counts


@WITH_OPTIONS
def test_the_function_the_partial_and_the_scorer_are_the_same_metric_also_when_pickled(metric):
    forecasts = forecasts_of(*random_probabilities())
    forms = [partial(metric.function, **metric.options), pickle.loads(pickle.dumps(metric))]
    forms += [] if metric.options else [metric.name, metric.scorer_name, metric.function]
    for form in forms:
        assert get_metric(form) == metric
        assert get_metric(form)(forecasts) == metric(forecasts)


@pytest.mark.parametrize("reference", [[0.3, 0.3, 0.4], np.full((5, 3), 1 / 3)])
def test_a_reference_is_an_option_of_the_metric(reference):
    metric = get_metric(partial(ranked_probability_skill_score, reference=reference))
    y_true, y_proba, _ = random_probabilities(5, 3)
    expected = ranked_probability_skill_score(y_true, y_proba, labels=range(3), reference=reference)
    assert metric(forecasts_of(y_true, y_proba)) == pytest.approx(expected)
    with pytest.raises(ValueError, match="reference must have rows that add up to 1"):
        get_metric(partial(ranked_probability_skill_score, reference=np.array(reference) / 2))
