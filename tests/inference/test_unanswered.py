"""Samples without a prediction in intervals and tests, checked by enumeration over rows."""

import itertools
from collections import Counter

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.inference import Interval, bootstrap_interval, paired_difference
from sklearn_ordinal.inference._bootstrap import accelerations_of, values_of
from sklearn_ordinal.metrics import cem_ord_score
from tests import reference
from tests.inference.units import count_units

METRICS = metrics_of(LABELS)

TRUE = [0, 1, 2, 2, 1, 0, 2, 1, 1]
FIRST = [0, None, 2, 2, None, 1, 2, 1, None]
SECOND = [1, 1, None, 2, 0, None, 2, None, None]


def cem_ord(y_true, y_pred):
    return reference.cem(y_true, y_pred, reference.ordinal_closeness)


def accuracy(y_true, y_pred):
    answered = [(t, p) for t, p in zip(y_true, y_pred, strict=True) if p is not None]
    return sum(t == p for t, p in answered) / len(answered) if answered else np.nan


BY_ROWS = {"cem_ord": cem_ord, "accuracy": accuracy}


def repeated(y, weight):
    """Repeat each row as often as its integer weight says."""
    return [value for value, times in zip(y, weight, strict=True) for _ in range(times)]


def exact_pvalue(by_rows, weight, clusters):
    """Share of all ways to swap predictions of units that give at least the observed difference."""
    distinct = sorted(set(clusters))

    def difference(exchanged):
        pairs = [
            (b, a) if group in exchanged else (a, b)
            for a, b, group in zip(FIRST, SECOND, clusters, strict=True)
        ]
        first, second = (repeated(pred, weight) for pred in zip(*pairs, strict=True))
        true = repeated(TRUE, weight)
        return abs(by_rows(true, first) - by_rows(true, second))

    observed = difference(set())
    differences = np.array(
        [
            difference(set(exchanged))
            for size in range(len(distinct) + 1)
            for exchanged in itertools.combinations(distinct, size)
        ]
    )
    return np.mean(differences[~np.isnan(differences)] > observed - 1e-9)


@pytest.mark.parametrize("name", BY_ROWS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"clusters": [0, 0, 1, 1, 2, 3, 3, 4, 5]},
        {"sample_weight": [1, 1, 2, 1, 3, 1, 1, 2, 1]},
        {"sample_weight": [1, 1, 2, 1, 3, 1, 1, 2, 0], "clusters": list("aabbcdeef")},
    ],
    ids=lambda options: " and ".join(options) or "samples",
)
def test_pvalue_matches_enumerating_all_swaps_of_rows(name, options):
    weight = options.get("sample_weight", [1] * 9)
    exact = exact_pvalue(BY_ROWS[name], weight, options.get("clusters", range(9)))
    n_trials = 20_000
    found = paired_difference(
        TRUE,
        FIRST,
        SECOND,
        name,
        labels=range(3),
        unanswered="count",
        n_resamples=n_trials,
        random_state=0,
        method="percentile",
        **options,
    )
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / n_trials))
    rows = [repeated(y, weight) for y in (TRUE, FIRST, SECOND)]
    expected = BY_ROWS[name](rows[0], rows[1]) - BY_ROWS[name](rows[0], rows[2])
    assert found.estimate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"clusters": list("xxyz")},
        {"sample_weight": [1, 2, 1, 3]},
        {"sample_weight": [1, 2, 0, 3], "clusters": list("xxyz")},
    ],
    ids=lambda options: " and ".join(options) or "samples",
)
def test_resamples_are_as_likely_as_when_drawing_rows(options):
    y_true, y_pred = np.array([0, 1, 1, 0]), np.array([0, 2, 0, 2])
    weight = np.asarray(options.get("sample_weight", np.ones(4)))
    group = np.asarray(options.get("clusters", np.arange(4)))
    cells = 3 * y_true + y_pred
    tables = [
        np.bincount(cells[group == one], weight[group == one], 6)
        for one in np.unique(group[weight > 0])
    ]
    outcomes = Counter(
        tuple(np.sum(drawn, axis=0)) for drawn in itertools.product(tables, repeat=len(tables))
    )
    y_pred = [0, None, 0, None]
    units = count_units(y_true, y_pred, labels=[0, 1], unanswered="count", **options)
    n_resamples = 50_000
    drawn = Counter()
    for (stack,) in units.resampled(np.random.default_rng(0), n_resamples):
        both = np.concatenate([stack.counts, stack.unanswered[..., None]], axis=-1)
        drawn.update(map(tuple, both.reshape(-1, 6)))
    assert drawn.keys() <= outcomes.keys()
    for outcome, number in outcomes.items():
        probability = number / len(tables) ** len(tables)
        spread = np.sqrt(probability * (1 - probability) / n_resamples)
        assert drawn[outcome] / n_resamples == pytest.approx(probability, abs=5 * spread)


def test_acceleration_matches_leaving_out_each_row():
    left_out = np.array(
        [cem_ord(TRUE[:k] + TRUE[k + 1 :], FIRST[:k] + FIRST[k + 1 :]) for k in range(9)]
    )
    deviations = left_out.mean() - left_out
    acceleration = (deviations**3).sum() / (deviations**2).sum() ** 1.5 / 6
    units = count_units(TRUE, FIRST, unanswered="count")
    values = values_of([METRICS["cem_ord"]], units.without_one())
    assert accelerations_of(values, units)[0] == pytest.approx(acceleration)


def test_swapping_keeps_the_totals_of_unanswered_samples():
    units = count_units(TRUE, FIRST, SECOND, unanswered="count")
    for first, second in units.swapped(np.random.default_rng(0), 200):
        total = first.unanswered + second.unanswered
        np.testing.assert_array_equal(total, np.broadcast_to([1, 5, 1], total.shape))
        for system in (first, second):
            samples = system.counts.sum(axis=-1) + system.unanswered
            np.testing.assert_array_equal(samples, np.broadcast_to([2, 4, 3], samples.shape))


@pytest.mark.parametrize("options", [{}, {"sample_weight": [1] * 9}, {"clusters": range(9)}])
def test_the_estimate_equals_the_metric_and_counts_what_it_leaves_out(options):
    found = bootstrap_interval(
        TRUE,
        FIRST,
        ["cem_ord", "accuracy"],
        unanswered="count",
        n_resamples=200,
        random_state=0,
        **options,
    )
    assert found["cem_ord"].estimate == cem_ord_score(TRUE, FIRST, unanswered="count")
    assert found["cem_ord"].n_left_out == 0
    assert "unanswered" not in str(found["cem_ord"])
    assert found["accuracy"].estimate == pytest.approx(5 / 6)
    assert found["accuracy"].n_left_out == 3
    for text in (str(found["accuracy"]), found["accuracy"].to_text(), found["accuracy"].to_html()):
        assert "3 unanswered left out" in text
    assert found["accuracy"].to_dict()["n_left_out"] == 3
    assert found["accuracy"].to_frame()["n_left_out"].tolist() == [3]


def test_a_difference_counts_what_each_system_leaves_out():
    found = paired_difference(
        TRUE, FIRST, SECOND, "accuracy", unanswered="count", n_resamples=200, random_state=0
    )
    assert (found.n_left_out, found.n_left_out_b) == (3, 4)
    assert "3 and 4 unanswered left out" in str(found)
    assert "3 and 4 unanswered left out" in found.to_markdown()
    weight = [1, 0.5, 1, 1, 1, 1, 1, 1, 1]
    found = paired_difference(
        TRUE,
        FIRST,
        TRUE,
        "accuracy",
        unanswered="count",
        sample_weight=weight,
        n_resamples=200,
        random_state=0,
    )
    assert "2.5 and 0 unanswered left out" in str(found)


def test_the_option_changes_nothing_if_no_prediction_is_missing():
    for options in (
        {},
        {"sample_weight": [1, 1, 2, 1, 3, 1, 1, 2, 1]},
        {"clusters": list("aabbcdeef")},
    ):
        found = [
            paired_difference(
                TRUE,
                TRUE,
                TRUE[::-1],
                "cem_ord",
                n_resamples=99,
                random_state=0,
                **options,
                **given,
            )
            for given in ({}, {"unanswered": "count"})
        ]
        assert found[0].to_dict() == found[1].to_dict()


def test_without_predictions_closeness_is_0_and_other_metrics_are_undefined():
    with pytest.warns(UndefinedMetricWarning, match="accuracy for these samples, 9 unanswered"):
        found = bootstrap_interval(
            TRUE,
            [None] * 9,
            ["cem_ord", "cem_int", "cem_nom", "cem_ord_flat", "cem_ord_adjusted", "accuracy"],
            unanswered="count",
            n_resamples=99,
            random_state=0,
        )
    accuracy = found.pop("accuracy")
    assert np.isnan([accuracy.estimate, accuracy.low, accuracy.high]).all()
    for interval in found.values():
        assert (interval.estimate, interval.low, interval.high) == (0, 0, 0)


def test_a_difference_is_undefined_if_one_system_answers_nothing():
    with pytest.warns(UndefinedMetricWarning, match="for these samples, 0 and 9 unanswered left"):
        found = paired_difference(
            TRUE,
            TRUE,
            [None] * 9,
            ["cem_ord", "accuracy"],
            unanswered="count",
            n_resamples=99,
            random_state=0,
        )
    assert np.isnan(found["accuracy"].pvalue)
    assert found["cem_ord"].estimate == 1


def test_missing_predictions_raise_an_error_that_names_the_option():
    with pytest.raises(ValueError, match=r"y_pred_b has missing values .*unanswered='count'"):
        paired_difference(TRUE, TRUE, SECOND, "cem_ord")
    for options in ({}, {"clusters": range(9)}):
        with pytest.raises(ValueError, match="unanswered must be one of"):
            bootstrap_interval(TRUE, TRUE, "cem_ord", unanswered="drop", **options)


def test_n_left_out_is_in_the_dict_and_keyword_only():
    interval = Interval(0.5, 0.4, 0.6, 0.95, n_left_out=3)
    assert interval.to_dict()["n_left_out"] == 3
    with pytest.raises(TypeError):
        Interval(0.5, 0.4, 0.6, 0.95, 0, 3)
