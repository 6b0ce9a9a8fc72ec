"""The ranked probability score and its skill against published values and other packages."""

from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import brier_score_loss

from sklearn_ordinal import OrdinalForecasts, get_metric
from sklearn_ordinal.metrics import ranked_probability_score, ranked_probability_skill_score
from tests.metrics.probabilities import FEW, FEW_TRUE, FOUR, FOUR_TRUE, hpc_cv, random_probabilities

P = [0.2, 0.5, 0.3]


@pytest.mark.parametrize(("true", "loss"), [(0, 0.73), (1, 0.13), (2, 0.53)])
def test_score_of_one_sample_is_the_sum_over_the_thresholds(true, loss):
    score = ranked_probability_score([true], [P], labels=range(3))
    assert score == pytest.approx(loss, abs=1e-15)
    divided = ranked_probability_score([true], [P], labels=range(3), normalize=True)
    assert divided == pytest.approx(loss / 2, abs=1e-15)


def test_scores_of_worked_examples():
    losses = [
        ranked_probability_score([true], [proba], labels=range(3))
        for true, proba in zip(FEW_TRUE, FEW, strict=True)
    ]
    assert losses == pytest.approx([0.17, 0.13, 0.17, 0.53, 0.37, 0.17, 0.73, 0.17], abs=1e-15)
    assert ranked_probability_score(FEW_TRUE, FEW) == pytest.approx(0.305, abs=1e-15)
    assert ranked_probability_score(FOUR_TRUE, FOUR) == pytest.approx(0.384166667, abs=5e-10)


def test_score_equals_the_one_that_yardstick_publishes():
    # ranked_prob_score(hpc_cv, obs, VF:L) of R's yardstick divides by the number of thresholds.
    score = ranked_probability_score(*hpc_cv(), normalize=True)
    assert score == pytest.approx(0.08566779, abs=1e-8)


@pytest.mark.parametrize("n_samples", [1, 4_095, 4_097, 10_000])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_score_equals_those_of_scoringrules_and_skordinal(n_samples, n_classes):
    """Neither divides by the number of thresholds; scoringrules numbers the classes from 1."""
    y_true, y_proba, weight = random_probabilities(n_samples, n_classes)
    weight = weight + 0.5
    scoringrules = pytest.importorskip("scoringrules", reason="a second opinion")
    skordinal = pytest.importorskip("skordinal.metrics", reason="a second opinion")
    labels = range(n_classes)
    score = ranked_probability_score(y_true, y_proba, labels=labels, sample_weight=weight)
    losses = scoringrules.rps_score(y_true + 1, y_proba)
    assert score == pytest.approx(np.average(losses, weights=weight), rel=1e-12)
    theirs = skordinal.ranked_probability_score(y_true, y_proba, sample_weight=weight)
    assert score == pytest.approx(theirs, rel=1e-12)


def test_score_equals_that_of_dlordinal():
    dlordinal = pytest.importorskip("dlordinal.metrics", reason="a second opinion")
    assert ranked_probability_score(FOUR_TRUE, FOUR) == pytest.approx(
        dlordinal.ranked_probability_score(FOUR_TRUE, FOUR)
    )


def test_two_classes_have_the_brier_score_of_the_higher_class():
    y_true, y_proba, weight = random_probabilities(n_classes=2)
    expected = brier_score_loss(y_true, y_proba[:, 1], sample_weight=weight)
    score = ranked_probability_score(y_true, y_proba, sample_weight=weight)
    assert score == pytest.approx(expected, rel=1e-12)
    assert score == ranked_probability_score(y_true, y_proba, sample_weight=weight, normalize=True)


def test_a_single_class_has_no_loss():
    for normalize in (False, True):
        assert ranked_probability_score([5, 5], [[1], [1]], normalize=normalize) == 0


def test_an_empty_class_changes_the_score_inside_the_scale_and_the_divisor_at_its_end():
    inside = ranked_probability_score([3], [[0.2, 0, 0.5, 0.3]], labels=range(4))
    assert inside == pytest.approx(0.57)
    on_top = [[0.2, 0.5, 0.3, 0]]
    assert ranked_probability_score([2], on_top, labels=range(4)) == pytest.approx(0.53)
    divided = ranked_probability_score([2], on_top, labels=range(4), normalize=True)
    assert divided == pytest.approx(0.176667, abs=5e-7)


@pytest.mark.parametrize("weight", [1e-50, 1e50])
def test_extreme_weights_of_all_samples_change_nothing(weight):
    weights = np.full(len(FEW), weight)
    score = ranked_probability_score(FEW_TRUE, FEW, sample_weight=weights)
    assert score == pytest.approx(0.305, rel=1e-12)


@pytest.mark.parametrize("normalize", [False, True])
def test_bounds_are_attained_by_certain_forecasts(normalize):
    metric = get_metric(partial(ranked_probability_score, normalize=normalize))
    y_true, right = [0, 3], np.eye(4)[[0, 3]]
    values = [
        metric(OrdinalForecasts.from_probabilities(y_true, y_proba, labels=range(4)))
        for y_proba in (right, right[::-1])
    ]
    assert tuple(values) == metric.bounds(4)


def test_the_metric_has_the_name_of_the_field_and_its_scorer_is_negated():
    metric = get_metric("neg_ranked_probability_score")
    assert metric.name == "ranked_probability_score"
    assert metric.scorer_name == "neg_ranked_probability_score"
    assert get_metric(ranked_probability_score) is metric


def test_skill_of_a_worked_example():
    assert ranked_probability_skill_score(FEW_TRUE, FEW) == pytest.approx(0.349333, abs=5e-7)
    shares = np.tile([0.375, 0.25, 0.375], (8, 1))
    assert ranked_probability_score(FEW_TRUE, shares) == pytest.approx(0.46875, abs=1e-15)


def test_the_reference_is_the_weighted_shares_one_forecast_or_one_for_each_sample():
    y_true, y_proba, weight = random_probabilities()
    options = {"labels": range(4), "sample_weight": weight}
    skill = partial(ranked_probability_skill_score, y_true, y_proba, **options)
    shares = np.bincount(y_true, weight) / weight.sum()
    assert skill() == pytest.approx(skill(reference=shares), rel=1e-12)
    assert skill() == pytest.approx(skill(reference=np.tile(shares, (60, 1))), rel=1e-12)
    groups = np.arange(60) % 3
    of_groups = np.random.default_rng(1).dirichlet(np.ones(4), 3)
    expected = 1 - ranked_probability_score(y_true, y_proba, **options) / ranked_probability_score(
        y_true, of_groups[groups], **options
    )
    assert skill(reference=of_groups[groups]) == pytest.approx(expected, rel=1e-12)


def test_the_reference_of_a_square_number_of_samples_is_read_by_its_dimensions():
    y_true, y_proba = [0, 2, 2], np.array([P, P[::-1], P])
    one, rows = np.array(P), np.array([P, P[::-1], P])
    skill = partial(ranked_probability_skill_score, y_true, y_proba)
    assert skill(reference=rows) == 0
    assert skill(reference=one) != 0


def test_skill_is_undefined_if_the_reference_is_always_right():
    for options in ({}, {"reference": [0, 1, 0]}, {"reference": [[0, 1, 0]] * 2}):
        skill = partial(ranked_probability_skill_score, [1, 1], [P, P], labels=range(3), **options)
        with pytest.warns(UndefinedMetricWarning, match="score of the reference is 0") as record:
            assert np.isnan(skill())
        assert record[0].filename == __file__
        assert skill(replace_undefined_by=0.0) == 0


@pytest.mark.parametrize("weight", [1e-50, 1e50])
def test_extreme_weights_do_not_change_the_skill(weight):
    weights = np.full(len(FEW), weight)
    score = ranked_probability_skill_score(FEW_TRUE, FEW, sample_weight=weights)
    assert score == pytest.approx(0.349333, abs=5e-7)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ([0.5, 0.5], r"reference must have shape \(3,\)"),
        ([P] * 2, r"reference must have shape \(3,\).* or \(8, 3\)"),
        ([0.5, 0.4, 0.2], "reference"),
        ([1.5, -0.5, 0], "reference"),
        ([np.nan, 0.5, 0.5], "reference"),
        (["a", "b", "c"], "reference must hold numbers"),
    ],
)
def test_a_reference_that_is_no_forecast_is_an_error(reference, message):
    with pytest.raises(ValueError, match=message):
        ranked_probability_skill_score(FEW_TRUE, FEW, reference=reference)


def test_rounding_errors_do_not_take_the_brier_score_above_2():
    certain_and_wrong = OrdinalForecasts.from_probabilities(
        [2], [[1 + 1e-9, 0, 0]], labels=[0, 1, 2]
    )
    assert get_metric("brier_score")(certain_and_wrong) == 2
