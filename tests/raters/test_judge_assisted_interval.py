"""Intervals from the grades of a few items by humans, and of many items by a judge."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar
from scipy.special import ndtri
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalRatings,
    get_metric,
    judge_assisted_interval,
)
from sklearn_ordinal.inference import delta_interval
from tests import degrees_of_freedom

ITEM = np.arange(900)
Y_PRED = ITEM % 5
HUMAN = np.clip(Y_PRED + (ITEM * ITEM % 11 == 3) - (ITEM % 7 == 2) + 2 * (ITEM % 13 == 5), 0, 4)
JUDGE = np.clip(HUMAN + (ITEM % 3 == 1) * (ITEM % 4 == 2) - (ITEM % 17 == 4), 0, 4)
IS_GRADED = ITEM % 6 == ITEM // 6 % 6
Y_TRUE = np.where(IS_GRADED, HUMAN, np.nan)
CRITERIA = ["cem_ord", "quadratic_weighted_kappa", "macro_averaged_mean_absolute_error", "accuracy"]


def assisted(metrics="accuracy", y_true=Y_TRUE, y_pred=Y_PRED, judge=JUDGE, **options):
    return judge_assisted_interval(y_true, y_pred, judge, metrics, **options)


# From ppi_python 0.2.3, with loss = (grades == Y_PRED) * 1.0, or abs(grades - Y_PRED) * 1.0:
#   phi, psi, unseen = loss(HUMAN)[IS_GRADED], loss(JUDGE)[IS_GRADED], loss(JUDGE)[~IS_GRADED]
#   first = ppi_mean_pointestimate(phi, psi, unseen, lam=1)
#   grads = [(values - first)[:, None] for values in (phi, psi, unseen)]
#   _calc_lam_glm(*grads, np.eye(1), coord=None, clip=True)
#   ppi_mean_pointestimate(phi, psi, unseen), ppi_mean_ci(phi, psi, unseen, alpha=0.05)
PPI_PY = {
    "accuracy": (
        0.6660604835993807,
        0.6986860645248197,
        0.6534260363535653,
        0.7439460926960741,
    ),
    "ordinal_mean_absolute_error": (
        0.8346621793301213,
        0.3689136940141623,
        0.3140519871528194,
        0.4237754008755052,
    ),
}


@pytest.mark.parametrize("name", PPI_PY)
def test_means_have_the_value_weight_and_standard_error_of_ppi_py(name):
    result = assisted(name)
    tuning, value, low, high = PPI_PY[name]
    interval = result.intervals[name]
    assert (result.n_graded, result.n_judge_only) == (150, 750)
    assert result.tuning[name] == pytest.approx(tuning, abs=1e-12)
    assert interval.estimate == pytest.approx(value, abs=1e-12)
    loss = get_metric(name).cost_matrix(np.ones((1, 5)))
    loss = 1 - loss if name == "accuracy" else loss
    graded, others = graded_moves(loss, tuning), tuning * loss[JUDGE, Y_PRED][~IS_GRADED]
    errors = [
        math.sqrt(graded.var(ddof=ddof) / 150 + others.var(ddof=ddof) / 750) for ddof in (0, 1)
    ]
    # The variances of ppi_py have the divisors n and N.
    assert interval.estimate - ndtri(0.975) * errors[0] == pytest.approx(low, abs=1e-12)
    assert interval.estimate + ndtri(0.975) * errors[0] == pytest.approx(high, abs=1e-12)
    assert interval.standard_error == pytest.approx(errors[1], abs=1e-12)


def graded_moves(slopes, tuning):
    """Return how far each graded item moves a value, times their number, from derivatives."""
    return (slopes[HUMAN, Y_PRED] - tuning * slopes[JUDGE, Y_PRED])[IS_GRADED]


def kappa(true, predicted, weights):
    return cohen_kappa_score(true, predicted, weights="quadratic", sample_weight=weights)


def derivatives(true, predicted):
    """Return the derivative of kappa by the share of each cell, from differences."""
    cells = np.array([(i, j) for i in range(5) for j in range(5)])
    grades, predictions = np.r_[true, cells[:, 0]], np.r_[predicted, cells[:, 1]]
    weights = np.r_[np.full(len(true), 1 / len(true)), np.zeros(25)]
    slopes = np.zeros(25)
    for cell in range(25):
        for sign in (-1, 1):
            moved = weights.copy()
            moved[len(true) + cell] += sign * 1e-5
            slopes[cell] += sign * kappa(grades, predictions, moved) / 2e-5
    return slopes.reshape(5, 5)


def test_kappa_is_the_same_from_items_and_differences():
    slopes = derivatives(HUMAN[IS_GRADED], Y_PRED[IS_GRADED])
    phi = slopes[HUMAN, Y_PRED][IS_GRADED]
    psi, unseen = (slopes[JUDGE, Y_PRED][part] for part in (IS_GRADED, ~IS_GRADED))
    n, n_unseen = len(psi), len(unseen)
    covariance, pooled = np.cov(phi, psi, ddof=0)[0, 1], np.r_[psi, unseen].var(ddof=1)

    def variance(weight):
        both = pooled * (1 / n + 1 / n_unseen)
        return phi.var() / n - 2 * weight * covariance / n + weight**2 * both

    best = minimize_scalar(variance, bounds=(0, 1), method="bounded").x
    result = assisted("quadratic_weighted_kappa")
    tuning = result.tuning["quadratic_weighted_kappa"]
    assert tuning == pytest.approx(best, abs=1e-5)
    interval = result.intervals["quadratic_weighted_kappa"]
    parts = (phi - tuning * psi) / n, tuning * unseen / n_unseen
    error, degrees = degrees_of_freedom.of_samples(parts)
    assert interval.standard_error == pytest.approx(error, rel=1e-5)
    reach = stats.t.ppf(0.975, degrees) * error / (1 - interval.estimate**2)
    assert math.atanh(interval.high) - math.atanh(interval.estimate) == pytest.approx(reach)
    # Items of negative weight are exact in kappa, which is a ratio of sums.
    grades = np.r_[HUMAN[IS_GRADED], JUDGE[~IS_GRADED], JUDGE[IS_GRADED]]
    predictions = np.r_[Y_PRED[IS_GRADED], Y_PRED[~IS_GRADED], Y_PRED[IS_GRADED]]
    weights = np.repeat([1 / n, tuning / n_unseen, -tuning / n], [n, n_unseen, n])
    assert interval.estimate == pytest.approx(kappa(grades, predictions, weights), abs=1e-12)


@pytest.mark.parametrize("name", CRITERIA)
def test_no_other_weight_of_the_judge_has_a_smaller_variance(name):
    graded = OrdinalConfusion.from_predictions(HUMAN[IS_GRADED], Y_PRED[IS_GRADED])
    slopes = get_metric(name).influence(graded).cells
    phi, psi = slopes[HUMAN, Y_PRED][IS_GRADED], slopes[JUDGE, Y_PRED]
    weights = np.linspace(0, 1, 10_001)
    # The derivatives of the judge have one variance in all items, of which the humans' are a part.
    both = weights**2 * psi.var(ddof=1) * (1 / IS_GRADED.sum() + 1 / (~IS_GRADED).sum())
    shared = 2 * weights * np.cov(phi, psi[IS_GRADED], ddof=0)[0, 1] / IS_GRADED.sum()
    assert assisted(name).tuning[name] == pytest.approx(weights[(both - shared).argmin()], abs=1e-4)


def test_humans_and_the_judge_alone_have_the_intervals_of_delta_interval():
    result = assisted(CRITERIA)
    humans = delta_interval(HUMAN[IS_GRADED], Y_PRED[IS_GRADED], CRITERIA)
    judge = delta_interval(JUDGE, Y_PRED, CRITERIA)
    assert dict(result.humans_alone) == dict(humans)
    assert dict(result.judge_alone) == dict(judge)


def test_a_judge_that_says_nothing_changes_nothing():
    # The judge gives each prediction the same class, so its derivatives do not vary with the truth.
    judge = (Y_PRED + 1) % 5
    result = assisted("accuracy", judge=judge)
    assert result.tuning["accuracy"] == 0
    interval, humans = result.intervals["accuracy"], result.humans_alone["accuracy"]
    assert interval.estimate == pytest.approx(humans.estimate, abs=1e-15)
    assert interval.standard_error == pytest.approx(humans.standard_error, rel=1e-12)
    assert (interval.low, interval.high) == pytest.approx((humans.low, humans.high))


def test_intervals_are_on_the_scale_of_delta_interval():
    result = assisted(["accuracy", "quadratic_weighted_kappa"], confidence_level=0.9)
    accuracy, kappa_interval = (result.intervals[name] for name in result.metrics)
    for interval, transformed, slope in (
        (accuracy, lambda p: np.log(p / (1 - p)), lambda p: 1 / (p * (1 - p))),
        (kappa_interval, np.arctanh, lambda k: 1 / (1 - k**2)),
    ):
        centre = transformed(interval.estimate)
        # As in Welch's test, there are at most 898 degrees of freedom.
        least, most = stats.t.ppf(0.95, [898, 74.5]) * interval.standard_error
        margin = (transformed(interval.high) - centre) / slope(interval.estimate)
        assert least <= margin <= most
        assert transformed(interval.low) == pytest.approx(2 * centre - transformed(interval.high))
        assert interval.method == "prediction-powered"
        assert interval.confidence_level == result.confidence_level == 0.9


def as_objects(missing):
    return [int(grade) if known else missing for grade, known in zip(HUMAN, IS_GRADED, strict=True)]


@pytest.mark.parametrize(
    "y_true",
    [
        as_objects(None),
        np.array(as_objects(None), dtype=object),
        pd.Series(Y_TRUE),
        pd.Series(as_objects(pd.NA), dtype="Int64"),
        pd.Series(pd.Categorical(as_objects(None), categories=range(5), ordered=True)),
        pl.Series(as_objects(None)),
        pa.array(as_objects(None)),
        np.ma.masked_array(HUMAN, mask=~IS_GRADED),
        Y_TRUE[:, None],
    ],
    ids=["list", "objects", "series", "nullable", "ordered", "polars", "arrow", "masked", "column"],
)
def test_missing_grades_may_be_marked_in_any_way(y_true):
    assert assisted(CRITERIA, y_true) == assisted(CRITERIA)


def test_strings_have_the_order_of_the_labels():
    names = np.array(["E", "D", "C", "B", "A"])
    y_true = [
        names[grade] if known else None for grade, known in zip(HUMAN, IS_GRADED, strict=True)
    ]
    result = assisted(CRITERIA, y_true, names[Y_PRED], names[JUDGE], labels=names)
    assert dict(result.intervals) == dict(assisted(CRITERIA).intervals)
    with pytest.raises(ValueError, match="order is not known: pass labels="):
        assisted(CRITERIA, y_true, names[Y_PRED], names[JUDGE])


def test_a_series_must_have_the_index_of_the_others():
    index = pd.Index(ITEM).astype(str)
    y_true, judge = (pd.Series(values, index) for values in (Y_TRUE, JUDGE))
    assert assisted(y_true=y_true, judge=judge) == assisted()
    with pytest.raises(ValueError, match="y_true and judge have the same index in different order"):
        assisted(y_true=y_true, judge=judge[::-1])


def test_many_classes_have_the_same_values():
    spread = 40 * np.arange(5)
    y_true = np.where(IS_GRADED, spread[HUMAN], np.nan)
    result = assisted("accuracy", y_true, spread[Y_PRED], spread[JUDGE])
    assert result.n_classes == 161
    assert result.intervals["accuracy"] == assisted().intervals["accuracy"]


CLUSTER = ITEM // 6


@pytest.mark.parametrize("name", CRITERIA)
def test_clusters_of_single_items_change_nothing(name):
    alone, plain = assisted(name, clusters=ITEM), assisted(name)
    for values in ("intervals", "humans_alone", "judge_alone"):
        one, other = (getattr(result, values)[name] for result in (alone, plain))
        assert one.to_dict() == pytest.approx(other.to_dict())


@pytest.mark.parametrize("is_whole", [True, False])
def test_items_in_clusters_have_the_errors_of_clusters(is_whole):
    """If humans grade whole clusters, these are one sample, and the other clusters another."""
    is_graded = CLUSTER % 5 == 0 if is_whole else IS_GRADED
    y_true = np.where(is_graded, HUMAN, np.nan)
    result = assisted("accuracy", y_true, clusters=CLUSTER)
    right, by_judge = (HUMAN == Y_PRED) * 1.0, (JUDGE == Y_PRED) * 1.0
    n, tuning = np.count_nonzero(is_graded), result.tuning["accuracy"]
    assert 0 < tuning < 1
    move = np.where(is_graded, (right - tuning * by_judge) / n, tuning * by_judge / (900 - n))
    move -= np.where(is_graded, move[is_graded].mean(), move[~is_graded].mean())
    by_cluster = np.bincount(CLUSTER, move)
    number = np.bincount(CLUSTER, is_graded), np.bincount(CLUSTER, ~is_graded)
    weight = number[0] / n + number[1] / (900 - n)
    parts = [number[0] > 0, number[0] == 0] if is_whole else [weight > 0]
    error, _ = degrees_of_freedom.of_samples(
        [by_cluster[part] for part in parts], [weight[part] for part in parts]
    )
    assert result.intervals["accuracy"].standard_error == pytest.approx(error)
    options = {"metrics": "accuracy", "clusters": CLUSTER[is_graded]}
    humans = delta_interval(HUMAN[is_graded], Y_PRED[is_graded], **options)
    assert result.humans_alone["accuracy"].to_dict() == pytest.approx(humans.to_dict())
    judge = delta_interval(JUDGE, Y_PRED, "accuracy", clusters=CLUSTER)
    assert result.judge_alone["accuracy"].to_dict() == pytest.approx(judge.to_dict())


def test_humans_must_grade_items_of_two_clusters():
    with pytest.raises(ValueError, match="have humans grade items of more clusters"):
        assisted(clusters=IS_GRADED)


def test_a_class_that_would_get_a_negative_size_has_the_value_in_one_step():
    # The judge gives class 2 to three of the graded items, one of which has it, and to no other.
    item = np.arange(90)
    judge = item % 2
    y_true = np.where(item < 30, judge, np.nan)
    y_pred = np.where(item % 3 == 0, 1 - judge, judge)
    judge[:3], y_true[0], y_pred[:3] = 2, 2, (2, 0, 1)
    name = "cem_ord"
    result = assisted([name, "accuracy"], y_true, y_pred, judge)
    graded, other = slice(30), slice(30, None)
    slopes = get_metric(name).influence(
        OrdinalConfusion.from_predictions(y_true[graded].astype(int), y_pred[graded])
    )
    moved = slopes.cells[judge, y_pred]
    step = result.tuning[name] * (moved[other].mean() - moved[graded].mean())
    expected = result.humans_alone[name].estimate + step
    assert result.is_one_step[name]
    assert result.intervals[name].estimate == pytest.approx(expected)
    assert "a value out of range: cem_ord." in " ".join(str(result).split())
    # The value of a mean is the same in one step.
    assert not result.is_one_step["accuracy"]
    assert not assisted(name).is_one_step[name]


def test_a_value_above_its_range_is_cut_off_and_has_a_symmetric_interval():
    # The judge doubts a few right predictions of the graded items, and none of the others.
    y_true = np.where(np.arange(400) < 40, np.arange(400) % 2, np.nan)
    y_pred, judge = np.arange(400) % 2, np.arange(400) % 2
    y_pred[0], judge[[0, 1, 2]] = 1, (0, 0, 1)
    result = assisted("accuracy", y_true, y_pred, judge)
    interval = result.intervals["accuracy"]
    least, most = stats.t.ppf(0.975, [398, 19.5]) * interval.standard_error
    assert (interval.estimate, interval.high) == (1, 1)
    assert least <= 1 - interval.low <= most
    assert interval.method == "prediction-powered"


def test_predictions_that_humans_always_find_right_have_the_interval_of_wilson():
    result = assisted("accuracy", np.where(IS_GRADED, Y_PRED, np.nan))
    assert result.tuning["accuracy"] == 0
    interval, humans = result.intervals["accuracy"], result.humans_alone["accuracy"]
    assert interval == humans
    assert interval.method == "wilson"


def test_criteria_without_a_value_for_the_grades_of_humans_are_undefined():
    y_true = np.where(IS_GRADED, 0, np.nan)
    y_pred = np.where(IS_GRADED, 0, Y_PRED)
    metrics = ["quadratic_weighted_kappa", "ordinal_mean_absolute_error"]
    with pytest.warns(UndefinedMetricWarning, match="no 95% interval of quadratic_weighted_kappa"):
        result = assisted(metrics, y_true, y_pred)
    interval = result.intervals["quadratic_weighted_kappa"]
    assert math.isnan(interval.estimate)
    assert math.isnan(result.tuning["quadratic_weighted_kappa"])
    assert "There is no interval of quadratic_weighted_kappa" in " ".join(str(result).split())


def test_all_stands_for_the_criteria_that_have_influences():
    with pytest.warns(UndefinedMetricWarning, match="no 95% interval of"):
        result = assisted("all")
    assert set(CRITERIA) < set(result.metrics)
    assert all(metric.has_influence for metric in result.metrics.values())
    assert all(metric.evidence.name == "labels" for metric in result.metrics.values())


def test_a_class_that_no_human_gives_is_refused_only_where_there_is_no_derivative():
    y_true = np.where(HUMAN == 4, np.nan, Y_TRUE)
    names = ["cem_ord", "macro_averaged_mean_absolute_error"]
    message = (
        r"judge has classes that no human's grade in y_true has, \[4\], where cem_ord and "
        r"macro_averaged_mean_absolute_error have no finite derivative: have humans grade such"
    )
    with pytest.raises(ValueError, match=message):
        assisted([*names, "accuracy"], y_true)
    others = ["accuracy", "ordinal_mean_absolute_error", "quadratic_weighted_kappa"]
    assert np.isfinite([i.low for i in assisted(others, y_true).intervals.values()]).all()


def test_a_cell_of_the_judge_without_a_derivative_makes_the_value_undefined():
    # No human gives class 0 to an item that is predicted as 2, where the derivative is infinite.
    message = "no 95% interval of mutual_information: .* or where the judge puts an item"
    with pytest.warns(UndefinedMetricWarning, match=message):
        result = assisted(["mutual_information", "accuracy"])
    assert math.isnan(result.intervals["mutual_information"].estimate)
    assert not math.isnan(result.humans_alone["mutual_information"].low)
    alone = assisted().intervals["accuracy"]
    assert result.intervals["accuracy"].to_dict() == pytest.approx(alone.to_dict())


WRONG = {
    "few grades": (
        {"y_true": np.where(ITEM < 29, HUMAN, np.nan)},
        "at least 30 items, .* got 29 g",
    ),
    "no grades": ({"y_true": np.full(900, np.nan)}, "at least 30 items, .* got 0 grades"),
    "no other items": ({"y_true": HUMAN}, "y_true must be missing .* use delta_interval"),
    "no judge": ({"judge": np.where(ITEM < 2, np.nan, JUDGE)}, "judge must have .* but 2 of 900"),
    "no prediction": ({"y_pred": [None, *Y_PRED[1:]]}, "y_pred must have a prediction .* 1 of 900"),
    "length": (
        {"judge": JUDGE[1:]},
        "y_pred and judge must have the same length, got 900, 900 and",
    ),
    "one class": (
        {"y_true": Y_TRUE * 0, "y_pred": Y_PRED * 0, "judge": JUDGE * 0},
        "at least two classes, got only 0",
    ),
    "outside labels": ({"labels": [0, 1, 2, 3]}, "not in labels: \\[4\\]"),
    "probabilities": (
        {"metrics": "ranked_probability_score"},
        "needs probabilities: leave it out",
    ),
    "scores": ({"metrics": "concordance"}, "metrics must be criteria of counts, got concordance"),
    "level": ({"confidence_level": 1}, "confidence_level must be a number between 0 and 1"),
    "ratings": (
        {"y_true": OrdinalRatings.from_ratings(np.c_[HUMAN, JUDGE])},
        "y_true must be an array, got OrdinalRatings: make one grade of each item with consensus",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_refused_in_one_line_with_the_way_out(name):
    arguments, message = WRONG[name]
    with pytest.raises(ValueError, match=message) as error:
        assisted(**arguments)
    assert "\n" not in str(error.value)


def test_a_metric_without_influences_is_refused():
    worst = OrdinalMetric("worst", lambda counts: counts.max(axis=(-2, -1)), properties=())
    with pytest.raises(ValueError, match="influences, which worst does not: pass it to bootstrap"):
        assisted(worst)


def test_the_plot_shows_three_intervals_of_a_criterion():
    plt = pytest.importorskip("matplotlib.pyplot")
    display = assisted(CRITERIA).plot("accuracy")
    assert display.names == ["humans and judge", "humans alone", "judge alone"]
    assert display.label == "accuracy (higher is better)"
    plt.close(display.figure_)
