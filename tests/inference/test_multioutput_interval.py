"""Intervals of several outputs, against resampled persons and closed forms of means."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

from sklearn_ordinal.inference import bootstrap_interval, delta_interval, multioutput_interval
from sklearn_ordinal.metrics import multioutput_score
from tests import degrees_of_freedom

RNG = np.random.default_rng(0)
N = 150
TRUE = RNG.integers(5, size=(N, 3))
# A person who is judged too high on an item tends to be judged too high on the others.
TENDENCY = RNG.choice([-1, 0, 0, 1], size=(N, 1))
PRED = np.clip(TRUE + TENDENCY * (RNG.random((N, 3)) < 0.8), 0, 4)
SCHOOL = RNG.integers(25, size=N)
WEIGHT = RNG.integers(1, 4, size=N).astype(float)
SCALE = {"labels": range(5)}


def test_the_mean_of_a_mean_is_that_of_the_means_of_persons():
    found = multioutput_interval(TRUE, PRED, "ordinal_bias", **SCALE)
    by_person = (PRED - TRUE).mean(axis=1)
    _, degrees = degrees_of_freedom.of_means(by_person)
    expected = stats.t.interval(0.95, degrees, by_person.mean(), stats.sem(by_person))
    assert found["mean"].estimate == pytest.approx(by_person.mean())
    np.testing.assert_allclose([found["mean"].low, found["mean"].high], expected, rtol=1e-12)
    # Independent items would have a much smaller error.
    independent = np.sqrt(np.sum([found[k].standard_error ** 2 for k in range(3)])) / 3
    assert found["mean"].standard_error > 1.3 * independent


@pytest.mark.parametrize("options", [{}, {"sample_weight": WEIGHT}, {"clusters": SCHOOL}])
@pytest.mark.parametrize("metric", ["cem_ord", "accuracy", "sensitivity(at=1)"])
def test_each_output_has_the_interval_of_its_columns(metric, options):
    found = multioutput_interval(TRUE, PRED, metric, **SCALE, **options)
    assert list(found) == ["mean", 0, 1, 2]
    for k in range(3):
        alone = delta_interval(TRUE[:, k], PRED[:, k], metric, **SCALE, **options)
        for name in ("estimate", "low", "high", "standard_error"):
            assert getattr(found[k], name) == pytest.approx(getattr(alone, name), rel=1e-9)
    alike = multioutput_interval(TRUE[:, [0, 0]], PRED[:, [0, 0]], metric, **SCALE, **options)
    assert alike["mean"].standard_error == pytest.approx(alike[0].standard_error)
    assert (alike["mean"].low, alike["mean"].high) == pytest.approx((alike[0].low, alike[0].high))


@pytest.mark.parametrize("metric", ["cem_ord", "ordinal_mean_absolute_error"])
@pytest.mark.parametrize("clusters", [None, SCHOOL], ids=["persons", "schools"])
def test_the_standard_error_of_the_mean_is_that_of_resampled_persons(metric, clusters):
    unit = np.arange(N) if clusters is None else clusters
    members = [np.flatnonzero(unit == u) for u in range(unit.max() + 1)]
    rng = np.random.default_rng(1)
    values = []
    for _ in range(250):
        drawn = rng.integers(len(members), size=len(members))
        rows = np.concatenate([members[u] for u in drawn])
        values.append(multioutput_score(TRUE[rows], PRED[rows], metric, **SCALE))
    found = multioutput_interval(TRUE, PRED, metric, clusters=clusters, **SCALE)["mean"]
    assert found.estimate == pytest.approx(multioutput_score(TRUE, PRED, metric, **SCALE))
    assert found.standard_error == pytest.approx(np.std(values), rel=0.15)


def test_weights_of_the_outputs_are_those_of_multioutput_score():
    weights = [1.0, 0.0, 3.0]
    found = multioutput_interval(TRUE, PRED, "accuracy", aggregate=weights, **SCALE)
    expected = multioutput_score(TRUE, PRED, "accuracy", aggregate=weights, **SCALE)
    assert found["mean"].estimate == pytest.approx(expected)
    by_person = ((TRUE == PRED) * weights).sum(axis=1) / 4
    assert found["mean"].standard_error == pytest.approx(stats.sem(by_person))


def test_missing_answers_are_left_out_of_their_item_only():
    pred = PRED.astype(object)
    pred[:10, 0] = None
    found = multioutput_interval(TRUE, pred, "accuracy", unanswered="count", **SCALE)
    assert (found[0].n_left_out, found[1].n_left_out, found["mean"].n_left_out) == (10, 0, 10)
    alone = delta_interval(TRUE[10:, 0], PRED[10:, 0], "accuracy", **SCALE)
    assert (found[0].low, found[0].high) == pytest.approx((alone.low, alone.high))
    shares = (TRUE == PRED) / (N, N, N)
    shares[:, 0] = (TRUE == PRED)[:, 0] / (N - 10)
    moved = shares - [[i.estimate / (N - 10 * (k == 0)) for k, i in list(found.items())[1:]]] * N
    moved[:10, 0] = 0
    expected = np.sqrt(N / (N - 1) * (moved.mean(axis=1) ** 2).sum())
    assert found["mean"].standard_error == pytest.approx(expected)


def test_a_mean_with_an_item_that_one_person_answers_has_no_interval():
    pred = PRED.astype(object)
    pred[1:, 0] = None
    with pytest.warns(UndefinedMetricWarning, match="the mean of accuracy, accuracy of output 0"):
        found = multioutput_interval(TRUE, pred, "accuracy", unanswered="count", **SCALE)
    assert np.isnan([found["mean"].low, found[0].low]).all()
    assert found[1].low > 0


def test_items_may_have_scales_of_their_own():
    true, pred = TRUE.copy(), PRED.copy()
    true[:, 0], pred[:, 0] = np.minimum(true[:, 0], 2), np.minimum(pred[:, 0], 2)
    found = multioutput_interval(true, pred, "ordinal_mean_absolute_error")
    errors = np.abs(true - pred)
    assert found["mean"].estimate == pytest.approx(errors.mean())
    assert found["mean"].standard_error == pytest.approx(stats.sem(errors.mean(axis=1)))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_give_their_columns_names(frame):
    columns = ["calm", "clear", "fair"]
    data = [frame(dict(zip(columns, rows.T, strict=True))) for rows in (TRUE, PRED)]
    found = multioutput_interval(*data, **SCALE)
    assert list(found) == ["mean", *columns]
    assert list(found.values()) == list(multioutput_interval(TRUE, PRED, **SCALE).values())


def test_perfect_answers_have_wilsons_interval_of_persons():
    found = multioutput_interval(TRUE, TRUE, "accuracy", **SCALE)["mean"]
    expected = stats.binomtest(N, N).proportion_ci(method="wilson")
    assert found.method == "wilson"
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_a_mean_without_ends_warns_with_the_reason():
    with pytest.warns(
        UndefinedMetricWarning, match="standard error is 0.*the mean of cem_ord"
    ) as w:
        found = multioutput_interval(TRUE, TRUE, **SCALE)
    assert w[0].filename == __file__
    assert np.isnan(found["mean"].low)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((TRUE[:, 0], PRED[:, 0]), {}, "for a single output, call the metric directly"),
        ((TRUE, PRED[:, :2]), {}, "the same number of outputs"),
        ((TRUE, PRED[:-1]), {}, "must have the same length"),
        ((TRUE, PRED, "log_loss"), {}, "log_loss"),
        ((TRUE, PRED, f1_score), {}, "metric must have influences, which f1 does not"),
        ((TRUE, PRED, "nothing"), {}, "metric must be a known name"),
        ((TRUE, PRED), {"aggregate": [1, 2]}, "aggregate"),
        ((TRUE, PRED), {"confidence_level": 2}, "confidence_level"),
        ((TRUE, PRED), {"clusters": np.zeros(N)}, "clusters"),
        ((TRUE, PRED), {"clusters": SCHOOL[:-1]}, "clusters"),
        ((TRUE[:1], PRED[:1]), {}, "y_true"),
        ((np.full((4, 2), "a"), np.full((4, 2), "a")), {"labels": None}, "string labels"),
        (
            (pd.DataFrame({"mean": [0, 1]}), pd.DataFrame({"mean": [0, 1]})),
            {"labels": None},
            "must not have a column named 'mean'",
        ),
    ],
)
def test_wrong_input_raises_in_one_line(arguments, options, message):
    with pytest.raises(ValueError, match=message) as error:
        multioutput_interval(*arguments, **{**SCALE, **options})
    assert "\n" not in str(error.value)


def test_the_interval_of_one_output_is_near_that_of_resamples():
    found = multioutput_interval(TRUE, PRED, "cem_ord", **SCALE)[0]
    resampled = bootstrap_interval(
        TRUE[:, 0], PRED[:, 0], "cem_ord", random_state=0, n_resamples=499, **SCALE
    )
    assert (found.low, found.high) == pytest.approx((resampled.low, resampled.high), abs=0.02)
