"""Influences of samples with probabilities or scores: differences, and DeLong's placements."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import sklearn_ordinal.metrics as functions
from sklearn_ordinal import OrdinalForecasts, OrdinalScores, get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal._core.evidence_kinds import PROBABILITIES, SCORES

RNG = np.random.default_rng(0)
N, K = 60, 4
TRUE = np.concatenate([np.arange(K), RNG.choice(K, size=N - K, p=[0.4, 0.3, 0.2, 0.1])])
PROBA = RNG.dirichlet(np.ones(K), N)
# Some scores are tied, within a class and between classes.
SCORE = np.round(TRUE + RNG.normal(size=N), 1)
WEIGHT = RNG.uniform(0.2, 3, N)
REFERENCE = RNG.dirichlet(np.ones(K), N)
WITH_OPTIONS = {
    "normalized": partial(functions.ranked_probability_score, normalize=True),
    "skill of shares": partial(functions.ranked_probability_skill_score, reference=REFERENCE[0]),
    "skill of rows": partial(functions.ranked_probability_skill_score, reference=REFERENCE),
    "other sizes": partial(functions.expected_cem_ord_score, class_counts=[5, 1, 2, 3]),
    "weighted thresholds": partial(functions.threshold_roc_auc_score, average="weighted"),
}
CRITERIA = {
    name: metric
    for name, metric in METRICS.items()
    if metric.evidence in (PROBABILITIES, SCORES) and metric.has_influence
} | {name: get_metric(function) for name, function in WITH_OPTIONS.items()}
ALL = pytest.mark.parametrize("metric", CRITERIA.values(), ids=CRITERIA)


def evidence_of(metric, weight=WEIGHT, **options):
    if metric.evidence is SCORES:
        return OrdinalScores.from_scores(
            TRUE, SCORE, sample_weight=weight, labels=range(K), **options
        )
    return OrdinalForecasts.from_probabilities(
        TRUE, PROBA, sample_weight=weight, labels=range(K), **options
    )


def slopes(metric, weight):
    """Return the derivatives along a growing share of each sample, from differences."""
    evidence, total, step = evidence_of(metric, weight), weight.sum(), 1e-4
    shares = [
        weight * (1 - k * step) + k * step * total * (np.arange(N) == sample)
        for sample in range(N)
        for k in (-2, -1, 1, 2)
    ]
    values = metric(evidence.reweighted(np.array(shares))).reshape(N, 4)
    return (8 * (values[:, 2] - values[:, 1]) - (values[:, 3] - values[:, 0])) / (12 * step)


@ALL
def test_the_influence_is_the_derivative_along_a_new_share_of_samples(metric):
    influence = metric.influence(evidence_of(metric))
    expected = slopes(metric, WEIGHT)
    scale = max(1, np.abs(expected).max())
    np.testing.assert_allclose(influence, expected, rtol=0, atol=1e-8 * scale)
    assert abs(np.average(influence, weights=WEIGHT)) < 1e-12 * scale
    assert not influence.flags.writeable


def test_the_metrics_with_influences_are_known():
    without = {
        name
        for name, metric in METRICS.items()
        if metric.evidence in (PROBABILITIES, SCORES) and not metric.has_influence
    }
    assert without == {"cem_ord_decision", "volume_under_surface"}


@ALL
def test_a_stack_has_the_influences_of_its_parts(metric):
    by = np.array(["a", "b", "c"])[np.arange(N) % 3]
    if metric.options.get("reference") is not None:
        pytest.skip("a row for each sample")
    stack = metric.influence(evidence_of(metric, by=by))
    assert stack.shape == (3, N)
    for k, name in enumerate("abc"):
        member = by == name
        part = evidence_of(metric).part(np.flatnonzero(member))
        np.testing.assert_allclose(stack[k, member], metric.influence(part), rtol=1e-9, atol=1e-12)


@ALL
def test_samples_of_weight_zero_change_nothing(metric):
    weight = np.where(np.arange(N) % 4, WEIGHT, 0)
    influence = metric.influence(evidence_of(metric, weight))
    if "reference" not in metric.options:
        part = evidence_of(metric).part(np.flatnonzero(weight))
        np.testing.assert_allclose(influence[weight > 0], metric.influence(part), atol=1e-12)


@pytest.mark.parametrize("name", ["mean_pairwise_roc_auc", "threshold_roc_auc"])
def test_a_first_sample_in_a_class_has_no_influence_on_a_mean_over_classes(name):
    metric = get_metric(name)
    weight = np.where(TRUE == 1, 0, 1.0)
    scores = OrdinalScores.from_scores(TRUE, SCORE, labels=range(K)).reweighted(weight)
    influence = metric.influence(scores)
    assert np.isnan(influence[TRUE == 1]).all()
    answered = np.flatnonzero(weight)
    np.testing.assert_allclose(influence[answered], metric.influence(scores.part(answered)))


def test_an_undefined_value_has_no_influence():
    scores = OrdinalScores.from_scores([1, 1, 1], [0.1, 0.2, 0.3], labels=[0, 1, 2])
    for name in ("concordance", "mean_pairwise_roc_auc", "threshold_roc_auc"):
        assert np.isnan(get_metric(name).influence(scores)).all()


def placements(y_true, score):
    """Return the share of the samples of the other class that are in order with each sample."""
    above = (score[:, None] > score) + (score[:, None] == score) / 2
    return np.where(
        y_true == 1, above[:, y_true == 0].mean(axis=1), 1 - above[:, y_true == 1].mean(axis=1)
    )


@pytest.mark.parametrize(
    "name", ["concordance", "mean_pairwise_roc_auc", "threshold_roc_auc", "ranking_error"]
)
def test_the_influence_on_an_area_is_a_placement(name):
    """DeLong, DeLong and Clarke-Pearson (1988): the deviation of the placement from the area.

    A sample of a class with share q moves the area by its placement minus the area, divided by q.
    """
    y_true = (TRUE > 1).astype(int)
    scores = OrdinalScores.from_scores(y_true, SCORE)
    area = roc_auc_score(y_true, SCORE)
    share = np.where(y_true == 1, y_true.mean(), 1 - y_true.mean())
    expected = (placements(y_true, SCORE) - area) / share
    sign = -1 if name == "ranking_error" else 1
    np.testing.assert_allclose(get_metric(name).influence(scores), sign * expected, rtol=1e-10)


def test_probabilities_have_the_influences_of_their_expected_positions():
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA)
    metric = get_metric("concordance")
    np.testing.assert_array_equal(
        metric.influence(forecasts), metric.influence(forecasts.to_scores())
    )


def test_other_metrics_are_refused_in_one_line():
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA)
    with pytest.raises(ValueError, match=r"^cem_ord_decision has no influences, since .*$"):
        get_metric("cem_ord_decision").influence(forecasts)
    with pytest.raises(ValueError, match="volume_under_surface has no influences"):
        get_metric("volume_under_surface").influence(forecasts)
