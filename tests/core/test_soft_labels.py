"""Expected counts of soft labels, and what they refuse."""

import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScores,
    compare_systems,
    get_metric,
    get_metric_names,
)
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.groups import GroupReport, required_samples
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.metrics import cem_ord_score, ranked_probability_score
from sklearn_ordinal.reports import score_ladder

# Section 5 of the facts that were computed by two routes: distributions, classes, probabilities.
SOFT = np.array([[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]])
PRED = [0, 2, 1]
PROBA = [[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]]
RNG = np.random.default_rng(0)
N = 40
MANY = RNG.dirichlet(np.ones(4), N)
MANY_PRED = np.r_[RNG.integers(4, size=N - 4), 0, 1, 2, 3]
WITH_COUNTS = partial(cem_ord_score, class_counts=[3, 3, 4])
GRADES = [[0, 0, 1], [2, 1, None], [2, 2, 2], [None, 1, 0], [0, 2, 2]]
count = OrdinalConfusion.from_soft_labels


def rows_of(soft, *columns):
    """Return the rows of soft labels, written out item by item."""
    rows = [
        (k, share, *(column[i] for column in columns))
        for i, shares in enumerate(soft)
        for k, share in enumerate(shares)
        if share > 0
    ]
    return list(zip(*rows, strict=True))


def value(metric, evidence):
    return get_metric(metric)(evidence)


def test_counts_are_the_sums_of_the_shares():
    confusion = count(SOFT, PRED)
    expected = np.zeros((3, 3))
    for shares, predicted in zip(SOFT, PRED, strict=True):
        expected[:, predicted] += shares
    np.testing.assert_allclose(confusion.counts, expected, rtol=1e-15)
    assert confusion.has_soft_labels
    assert confusion.n_samples is None


def test_values_of_the_worked_example():
    confusion = count(SOFT, PRED)
    assert value("cem_ord", confusion) == pytest.approx(0.693094388, abs=5e-10)
    assert value(WITH_COUNTS, confusion) == pytest.approx(0.693317290, abs=5e-10)
    assert value("ordinal_mean_absolute_error", confusion) == pytest.approx(1 / 2)
    assert value("quadratic_weighted_kappa", confusion) == pytest.approx(26 / 41)


def test_the_least_mean_absolute_error_is_that_of_the_medians():
    errors = [
        min(
            sum(
                Fraction(share).limit_denominator(10) * abs(k - c) for k, share in enumerate(shares)
            )
            for c in range(3)
        )
        for shares in SOFT
    ]
    assert sum(errors) / 3 == Fraction(13, 30)
    medians = (SOFT.cumsum(axis=1) >= 0.5).argmax(axis=1)
    lowest = value("ordinal_mean_absolute_error", count(SOFT, medians, labels=[0, 1, 2]))
    assert lowest == pytest.approx(13 / 30)


def test_the_ranked_probability_score_is_a_distance_and_the_spread_of_the_grades():
    forecasts = OrdinalForecasts.from_probabilities(SOFT, PROBA)
    score = value("ranked_probability_score", forecasts)
    distance = ((SOFT - PROBA).cumsum(axis=1)[:, :-1] ** 2).sum(axis=1).mean()
    above = SOFT.cumsum(axis=1)[:, :-1]
    spread = (above * (1 - above)).sum(axis=1).mean()
    assert distance == pytest.approx(0.043333, abs=5e-7)
    assert spread == pytest.approx(0.27)
    assert score == pytest.approx(distance + spread)
    assert score == pytest.approx(0.313333, abs=5e-7)


def test_means_over_samples_have_their_expected_value_and_others_have_not():
    counts, weights = [], []
    for truth in np.ndindex(3, 3, 3):
        weights.append(np.prod([SOFT[i, k] for i, k in enumerate(truth)]))
        counts.append(np.zeros((3, 3)))
        for k, predicted in zip(truth, PRED, strict=True):
            counts[-1][k, predicted] += 1
    draws = OrdinalConfusion.from_counts(counts)
    confusion = count(SOFT, PRED)
    for metric in ("accuracy", "within_1_accuracy", "ordinal_mean_absolute_error"):
        assert np.average(value(metric, draws), weights=weights) == pytest.approx(
            value(metric, confusion)
        )
    for metric in ("quadratic_weighted_kappa", "cem_ord", WITH_COUNTS):
        expected = np.average(value(metric, draws), weights=weights)
        assert expected != pytest.approx(value(metric, confusion), abs=1e-3)


def test_every_criterion_has_the_value_of_the_rows_with_their_shares_as_weights():
    true, share, pred, proba = rows_of(MANY, MANY_PRED, MANY)
    evidence = {
        "labels": (
            OrdinalConfusion.from_predictions(true, pred, sample_weight=share),
            count(MANY, MANY_PRED),
            OrdinalConfusion.from_predictions(MANY, MANY_PRED),
        ),
        "probabilities": (
            OrdinalForecasts.from_probabilities(true, proba, sample_weight=share),
            OrdinalForecasts.from_probabilities(MANY, MANY),
        ),
        "scores": (
            OrdinalScores.from_scores(true, proba, sample_weight=share),
            OrdinalScores.from_scores(MANY, MANY),
        ),
    }
    n_checked = 0
    for name in get_metric_names():
        metric = METRICS[name]
        kind = metric.evidence.name
        if kind not in evidence:
            with pytest.raises(ValueError, match=r"must be an OrdinalRatings|takes"):
                delta_interval(MANY, MANY_PRED, name)
            continue
        expected, *soft = evidence[kind]
        for part in soft:
            np.testing.assert_allclose(metric(part), metric(expected), rtol=1e-9, err_msg=name)
        n_checked += 1
    assert n_checked > 45


def test_one_hot_labels_are_classes():
    true = RNG.integers(4, size=N)
    one_hot = np.eye(4, dtype=int)[true]
    expected = OrdinalConfusion.from_predictions(true, MANY_PRED)
    assert (count(one_hot, MANY_PRED).counts == expected.counts).all()
    assert (count((one_hot > 0), MANY_PRED).counts == expected.counts).all()
    soft, hard = delta_interval(one_hot, MANY_PRED), delta_interval(true, MANY_PRED)
    assert soft.low == pytest.approx(hard.low)
    assert soft.high == pytest.approx(hard.high)


def test_ratings_are_the_shares_of_their_grades():
    ratings = OrdinalRatings.from_ratings(GRADES)
    shares = [[2 / 3, 1 / 3, 0], [0, 1 / 2, 1 / 2], [0, 0, 1], [1 / 2, 1 / 2, 0], [1 / 3, 0, 2 / 3]]
    np.testing.assert_allclose(ratings.class_shares, shares)
    predicted = [0, 1, 2, 0, 1]
    np.testing.assert_allclose(count(ratings, predicted).counts, count(shares, predicted).counts)
    assert delta_interval(ratings, predicted) == delta_interval(shares, predicted)
    weighted = OrdinalRatings.from_ratings(GRADES, sample_weight=[1, 2, 3, 4, 5])
    np.testing.assert_allclose(
        count(weighted, predicted).counts,
        count(shares, predicted, sample_weight=[1, 2, 3, 4, 5]).counts,
    )


def test_items_of_ratings_are_joined_by_id():
    ids = ["e", "d", "c", "b", "a"]
    ratings = OrdinalRatings.from_ratings(pd.DataFrame(GRADES, index=ids))
    predicted = pd.Series([0, 1, 2, 0, 1], index=ids)
    expected = count(ratings, predicted.to_list())
    assert count(ratings, predicted[::-1]) == expected
    assert count(ratings, predicted.to_dict()) == expected
    weights = pd.Series([1.0, 2, 3, 4, 5], index=ids)
    assert count(ratings, predicted[::-1], sample_weight=weights) == count(
        ratings, predicted, sample_weight=weights.to_list()
    )
    proba = pd.DataFrame(RNG.dirichlet(np.ones(3), 5), index=ids)
    assert OrdinalForecasts.from_probabilities(
        ratings, proba[::-1]
    ) == OrdinalForecasts.from_probabilities(ratings, proba.to_numpy())
    with pytest.raises(ValueError, match="y_pred must have a value for each item, but 1 of 5"):
        count(ratings, predicted.iloc[:4])
    with pytest.warns(UserWarning, match="y_pred has values for 1 item that is not in the rating"):
        count(ratings, pd.concat([predicted, pd.Series({"f": 0})]))


def test_items_without_a_grade_are_left_out_and_counted():
    ratings = OrdinalRatings.from_ratings([*GRADES, [None, None, None]])
    assert np.isnan(ratings.class_shares[5]).all()
    with pytest.warns(UserWarning, match="y_soft has no grade of 1 of 6 items: left out"):
        confusion = count(ratings, [0, 1, 2, 0, 1, 2])
    expected = count(OrdinalRatings.from_ratings(GRADES), [0, 1, 2, 0, 1])
    assert confusion == expected
    with pytest.warns(UserWarning, match="y_true has no grade of 1 of 6 items: left out"):
        kept = OrdinalConfusion.from_predictions(ratings, [0, 1, 2, 0, 1, 2])
    assert kept.n_samples == 5
    with (
        pytest.warns(UserWarning, match="no grade"),
        pytest.raises(ValueError, match="sample_weight must not be zero for all items with a grad"),
    ):
        count(ratings, [0, 1, 2, 0, 1, 2], sample_weight=[0, 0, 0, 0, 0, 1])


def test_the_order_of_the_classes():
    words = np.array(["low", "mid", "high"])
    assert count(SOFT, PRED).labels.tolist() == [0, 1, 2]
    assert count(SOFT, np.array(PRED) + 1).labels.tolist() == [1, 2, 3]
    assert count(SOFT, [1, 1, 2], labels=[1, 2, 3]).labels.tolist() == [1, 2, 3]
    by_words = count(SOFT, words[PRED], labels=words)
    assert by_words.labels.tolist() == words.tolist()
    ordered = pd.Categorical(words[PRED], categories=words, ordered=True)
    assert count(SOFT, ordered) == by_words
    assert count(SOFT, pl.Series(words[PRED], dtype=pl.Enum(words))) == by_words
    assert count(pd.DataFrame(SOFT, columns=words), words[PRED], labels=words) == by_words
    assert OrdinalForecasts.from_probabilities(SOFT, PROBA).labels.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match=r"y_soft has columns named \['low', 'mid', 'high'\], but"):
        count(pd.DataFrame(SOFT, columns=words), words[PRED], labels=words[::-1])


@pytest.mark.parametrize(
    ("soft", "predicted", "options", "message"),
    [
        (SOFT, PRED[:2], {}, "y_soft and y_pred must have the same length, got 3 and 2"),
        (
            SOFT,
            [0, 0, 1],
            {},
            r"has 3 columns, and y_pred has the classes \[0, 1\]: pass labels=",
        ),
        (SOFT, [0, 2, 3], {}, "has 3 columns, and y_pred has the classes .*: pass labels="),
        (
            SOFT,
            PRED,
            {"labels": [0, 1]},
            r"labels must name each of the 3 columns of y_soft, .* got \[0, 1\]",
        ),
        (SOFT, [0, 1, 7], {"labels": [0, 1, 2]}, r"y_pred has classes that are not in labels: \[7"),
        (SOFT, ["a", "b", "c"], {}, "y_pred has string labels .* whose order is not known"),
        (SOFT, [0, None, 1], {}, "y_pred has missing values"),
        (
            SOFT * 2,
            PRED,
            {},
            "y_soft must have rows that add up to 1: row 0 adds up to 2 .*OrdinalR",
        ),
        (SOFT - 0.5, PRED, {}, "y_soft must not be negative: row 0"),
        (np.where(SOFT > 0.7, np.nan, SOFT), PRED, {}, "y_soft must be finite: row 0 has NaN"),
        ([[0, 0, 1], [2, 1, 1], [2, 2, 2]], PRED, {}, "if its columns are the grades of raters"),
        (PRED, PRED, {}, r"y_soft must have shape \(n_samples, n_classes\), .* got shape \(3,\)"),
        (SOFT[:, :1], PRED, {}, r"y_soft must have shape .* got shape \(3, 1\)"),
        ([], [], {}, "y_soft must not be empty"),
        (np.zeros((0, 3)), [], {}, "y_soft must not be empty"),
        (
            OrdinalConfusion.from_predictions(PRED, PRED),
            PRED,
            {},
            "y_soft must be an array, got OrdinalConfusion: pass it to a metric",
        ),
        (None, PRED, {}, "y_soft must"),
        ("abc", PRED, {}, "y_soft must hold numbers, got"),
        ([["a", "b"]] * 3, PRED, {}, "y_soft must hold numbers, got strings"),
        (SOFT, SOFT, {}, "y_pred must be one-dimensional"),
        (SOFT, PRED, {"sample_weight": [1, 2]}, r"sample_weight must have shape \(3,\)"),
        (SOFT, PRED, {"sample_weight": [0, 0, 0]}, "sample_weight must not be all zero"),
        (SOFT, PRED, {"sample_weight": [0, -1, 0]}, "sample_weight must"),
    ],
)
def test_what_is_no_soft_label_is_refused(soft, predicted, options, message):
    with pytest.raises(ValueError, match=message):
        count(soft, predicted, **options)


def test_what_ratings_refuse():
    ratings = OrdinalRatings.from_ratings(GRADES, sample_weight=np.ones(5))
    with pytest.raises(ValueError, match="labels must be left out if y_soft is ratings"):
        count(ratings, [0, 1, 2, 0, 1], labels=[0, 1, 2, 3])
    assert count(ratings, [0, 1, 2, 0, 1], labels=[0, 1, 2]).labels.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="sample_weight must be left out if y_soft is ratings wit"):
        count(ratings, [0, 1, 2, 0, 1], sample_weight=np.ones(5))


def test_rows_may_be_rounded_as_probabilities_may():
    rounded = SOFT + 2e-7
    assert count(rounded, PRED).counts.sum() > 3
    with pytest.raises(ValueError, match="more than 1e-06 from 1"):
        count(SOFT + 4e-6, PRED)
    assert count((SOFT / 3 * 3).astype(np.float32), PRED).counts.sum() == pytest.approx(3)


CONFUSION = count(MANY, MANY_PRED)
INTERVALS = {
    "delta": lambda confusion: delta_interval(confusion),
    "bootstrap": lambda confusion: bootstrap_interval(confusion, n_resamples=9, random_state=0),
    "required_samples": lambda confusion: required_samples(
        confusion, "cem_ord", half_width=0.1, design="unpaired"
    ),
}
LOST = {
    "counts": CONFUSION,
    "sum": CONFUSION + CONFUSION,
    "sum with classes": CONFUSION + OrdinalConfusion.from_predictions(MANY_PRED, MANY_PRED),
    "part of a stack": OrdinalConfusion.stack([CONFUSION, CONFUSION])[0],
    "pooled": OrdinalConfusion.stack([CONFUSION, CONFUSION]).pooled(),
    "prevalence": CONFUSION.at_prevalence([0.1, 0.2, 0.3, 0.4]),
    "factors": CONFUSION.weighted_by_class(np.ones(4)),
    "pickled": pickle.loads(pickle.dumps(CONFUSION)),
}


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("lost", LOST)
def test_intervals_of_expected_counts_are_refused(interval, lost):
    assert LOST[lost].has_soft_labels
    with pytest.raises(ValueError, match="counts of soft labels hold no items: pass y_soft"):
        INTERVALS[interval](LOST[lost])


def test_stacks_of_expected_counts_have_no_intervals():
    stack = OrdinalConfusion.stack([CONFUSION, CONFUSION])
    assert stack.has_soft_labels
    for call in (
        lambda: delta_interval(stack),
        lambda: GroupReport.from_confusion(stack, by=["a", "b"]),
    ):
        with pytest.raises(ValueError, match="counts of soft labels hold no items"):
            call()
    with pytest.raises(ValueError, match="at least two systems that are counted together"):
        compare_systems(stack)
    assert score_ladder(CONFUSION).to_text()


def test_files_do_not_lose_that_labels_are_soft(tmp_path):
    path = tmp_path / "report.json"
    OrdinalReport.from_confusion(CONFUSION).to_json(path)
    confusion = OrdinalReport.from_json(path).confusion
    assert confusion == CONFUSION
    with pytest.raises(ValueError, match="counts of soft labels hold no items"):
        delta_interval(confusion)
    assert confusion != OrdinalConfusion(CONFUSION.scale, CONFUSION.counts, True)


def test_kept_samples_have_intervals_until_they_are_lost(tmp_path):
    kept = OrdinalConfusion.from_predictions(MANY, MANY_PRED)
    assert kept.has_soft_labels
    assert kept.n_samples == N
    assert repr(kept).startswith(
        "OrdinalConfusion of soft labels of 40 samples with a total weight of 40 in 40 clusters"
    )
    assert repr(CONFUSION).startswith(
        "OrdinalConfusion of soft labels with a total weight of 40, rows"
    )
    np.testing.assert_allclose(kept.counts, CONFUSION.counts)
    expected = delta_interval(MANY, MANY_PRED)
    assert delta_interval(kept) == expected
    assert delta_interval(pickle.loads(pickle.dumps(kept))) == expected
    path = tmp_path / "report.json"
    OrdinalReport.from_confusion(kept).to_json(path)
    with pytest.raises(ValueError, match="counts of soft labels hold no items"):
        delta_interval(OrdinalReport.from_json(path).confusion)
    by = np.arange(N) % 3
    stack = OrdinalConfusion.from_predictions(MANY, MANY_PRED, by=by)
    assert stack.n_samples.tolist() == [14, 13, 13]
    assert stack[1].n_samples == 13
    assert delta_interval(stack[1]) == delta_interval(MANY[by == 1], MANY_PRED[by == 1])
    assert delta_interval(stack.pooled()).high == pytest.approx(expected.high)


def test_functions_of_classes_name_the_way_to_soft_labels():
    with pytest.raises(ValueError, match="or soft labels to OrdinalConfusion"):
        cem_ord_score(SOFT, PRED)
    with pytest.raises(ValueError, match="or soft labels to OrdinalConfusion"):
        ranked_probability_score(SOFT, PROBA)


def test_a_difference_needs_the_items():
    systems = OrdinalConfusion.from_systems(MANY, {"a": MANY_PRED, "b": MANY_PRED[::-1]})
    assert systems.n_samples.tolist() == [N, N]
    difference = paired_difference(systems, method="delta")
    assert difference == paired_difference(MANY, MANY_PRED, MANY_PRED[::-1], method="delta")
    with pytest.raises(ValueError, match="counted together"):
        paired_difference(OrdinalConfusion.stack([CONFUSION, CONFUSION]), method="delta")
