"""Many systems on the same resamples."""

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.evidence_kinds import resampling_units
from sklearn_ordinal._core.evidence_reading import read_systems
from sklearn_ordinal._core.lookup import get_metrics
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.inference._bootstrap import values_of
from sklearn_ordinal.inference._ranks import ranks_of
from sklearn_ordinal.systems._pair_tests import infer_systems
from tests.inference.units import count_units
from tests.systems.test_step_down import errors_in_loops, step_down_in_loops


def made_up(n_systems, n_samples=60, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(n_classes, size=n_samples)
    return y_true, {
        f"system {i}": np.where(
            rng.random(n_samples) < 0.3 + 0.5 * i / n_systems,
            y_true,
            rng.integers(n_classes, size=n_samples),
        )
        for i in range(n_systems)
    }


def resample(metrics, y_true, predictions, **options):
    options, settings = dict(options), {"confidence_level": 0.95, "n_resamples": 99}
    settings |= {name: options.pop(name) for name in settings.keys() & options.keys()}
    chosen = get_metrics(metrics)
    systems = read_systems(chosen, y_true, predictions, options)
    return infer_systems(chosen, systems, rng=np.random.default_rng(0), **settings)


def test_samples_that_differ_in_any_of_many_systems_are_of_different_kinds():
    # With 4 classes, the first of more than 32 systems are lost if the numbers overflow.
    y_true, predictions = made_up(1)
    predictions |= {f"constant {i}": np.zeros(60, dtype=int) for i in range(40)}
    units = count_units(y_true, *predictions.values())
    for pred, confusion in zip(predictions.values(), units.all_together(), strict=True):
        expected = OrdinalConfusion.from_predictions(y_true, pred)
        np.testing.assert_array_equal(confusion.counts[0], expected.counts)


@pytest.mark.parametrize("given", ["nothing", "weights", "clusters"])
def test_the_units_of_each_system_are_those_of_the_system_alone(given):
    y_true, predictions = made_up(5)
    weight = np.arange(60) % 3 if given == "weights" else None
    clusters = np.arange(60) // 4 if given == "clusters" else None
    metrics = get_metrics(["cem_ord", "accuracy"])
    every = count_units(y_true, *predictions.values(), sample_weight=weight, clusters=clusters)
    for pred, (one, _) in zip(predictions.values(), every.each(), strict=True):
        alone = count_units(y_true, pred, sample_weight=weight, clusters=clusters)
        assert one.sizes.sum() == alone.sizes.sum()
        assert len(one.sizes) == len(alone.sizes)
        jackknifes = [
            np.repeat(values_of(metrics, units.without_one())[:, 0], units.sizes, axis=-1)
            for units in (one, alone)
        ]
        np.testing.assert_allclose(*(np.sort(values) for values in jackknifes), rtol=1e-12)


def test_intervals_are_close_to_those_of_each_system_alone():
    y_true, predictions = made_up(4, n_samples=300)
    metrics = ["cem_ord", "quadratic_weighted_kappa"]
    found = resample(metrics, y_true, predictions, n_resamples=2000)
    for i, pred in enumerate(predictions.values()):
        alone = bootstrap_interval(y_true, pred, metrics, n_resamples=2000, random_state=1)
        for name, interval in alone.items():
            one = found.intervals[name][i]
            assert one.estimate == pytest.approx(interval.estimate, rel=1e-12)
            assert one.method == interval.method
            assert one.low == pytest.approx(interval.low, abs=0.02)
            assert one.high == pytest.approx(interval.high, abs=0.02)


def test_the_bias_of_resamples_is_corrected_as_for_each_system_alone():
    # Resamples of few samples have more information than the samples, by far.
    y_true, predictions = made_up(2, n_samples=40)
    found = resample(["mutual_information"], y_true, predictions, n_resamples=2000)
    for interval, pred in zip(
        found.intervals["mutual_information"], predictions.values(), strict=True
    ):
        options = {"n_resamples": 2000, "random_state": 1, "method": interval.method}
        alone = bootstrap_interval(y_true, pred, "mutual_information", **options)
        assert interval.method == "bca"
        assert interval.low == pytest.approx(alone.low, abs=0.04)
        assert interval.high == pytest.approx(alone.high, abs=0.04)


@pytest.mark.parametrize("given", ["samples", "weights", "clusters", "probabilities"])
def test_pvalues_are_those_of_plain_loops_over_the_same_resamples(given):
    metric = get_metric("ranked_probability_score" if given == "probabilities" else "cem_ord")
    y_true, predictions = made_up(4, n_samples=40)
    if given == "probabilities":
        predictions = {name: np.eye(4)[pred] for name, pred in predictions.items()}
    weight = 1 + np.arange(40) % 3 if given == "weights" else None
    # A cluster for each sample, so that the kinds are the samples in their order.
    clusters = np.arange(40) // (2 if given == "clusters" else 1)
    found = resample(
        metric.name, y_true, predictions, clusters=clusters, sample_weight=weight, n_resamples=30
    )
    units = resampling_units(
        read_systems([metric], y_true, predictions, {"sample_weight": weight, "clusters": clusters})
    )
    times = np.concatenate(list(units.drawn(np.random.default_rng(0), 30)), axis=1)
    n_units = len(times)

    def value(pred, of_units):
        rows = np.repeat(np.arange(40), np.asarray(of_units)[clusters])
        given = {"sample_weight": None if weight is None else weight[rows], "labels": range(4)}
        return metric.from_predictions(y_true[rows], pred[rows], **given)

    every = np.ones(n_units, dtype=int)
    estimates = [value(pred, every) for pred in predictions.values()]
    resampled = [[value(pred, column) for column in times.T] for pred in predictions.values()]
    # The influence of a unit is the derivative by the weight of its samples.
    step, weights = 1e-4, np.ones(40) if weight is None else weight

    def slope(pred, unit):
        def at(k):
            moved = weights * (1 + k * step * (clusters == unit))
            return metric.from_predictions(y_true, pred, sample_weight=moved, labels=range(4))

        return n_units * (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)

    influences = [[slope(pred, unit) for unit in range(n_units)] for pred in predictions.values()]
    errors = errors_in_loops(influences, times)
    expected = step_down_in_loops(estimates, resampled, errors)
    np.testing.assert_array_equal(found.tests[metric.name].pvalues, expected)


def test_standard_errors_without_influences_come_from_the_jackknife():
    metric = get_metric("volume_under_surface")
    y_true, predictions = made_up(3, n_samples=40)
    scores = {name: pred + 0.0 for name, pred in predictions.items()}
    result = resample(metric.name, y_true, scores, n_resamples=30)
    units = resampling_units(read_systems([metric], y_true, scores, {}))
    times = np.concatenate(list(units.drawn(np.random.default_rng(0), 30)), axis=1)

    def value(score, of_units):
        rows = np.repeat(np.arange(40), of_units)
        return metric.from_predictions(y_true[rows], score[rows], labels=range(4))

    every = np.ones(40, dtype=int)
    estimates = [value(score, every) for score in scores.values()]
    resampled = [[value(score, column) for column in times.T] for score in scores.values()]
    left_out = [
        [value(score, every - (np.arange(40) == unit)) for unit in range(40)]
        for score in scores.values()
    ]
    errors = errors_in_loops(39 * -np.array(left_out), times)
    expected = step_down_in_loops(estimates, resampled, errors)
    np.testing.assert_array_equal(result.tests[metric.name].pvalues, expected)


def test_drawn_units_are_those_of_the_resamples():
    y_true, predictions = made_up(3)
    for clusters in (None, np.arange(60) // 4):
        units = count_units(y_true, *predictions.values(), clusters=clusters)
        stacks = units.resampled(np.random.default_rng(0), 300)
        counts = np.concatenate([systems[1].counts for systems in stacks])
        times = np.concatenate(list(units.drawn(np.random.default_rng(0), 300)), axis=1)
        expected = (units.tables @ times).reshape(3, 4, 4, 300)[1]
        np.testing.assert_array_equal(counts, np.moveaxis(expected, -1, 0))


def test_standard_errors_hardly_vary_with_many_units(monkeypatch):
    y_true, predictions = made_up(3, n_samples=400)
    pvalues = []
    monkeypatch.setattr("sklearn_ordinal.systems._pair_tests._MOST_INFLUENCES", 0)
    for most_units in (399, 400):
        monkeypatch.setattr(
            "sklearn_ordinal.inference._bootstrap.MOST_UNITS_OF_JACKKNIFE", most_units
        )
        pvalues.append(
            resample("cem_ord", y_true, predictions, n_resamples=999).tests["cem_ord"].pvalues
        )
    assert not np.array_equal(*pvalues, equal_nan=True)
    np.testing.assert_allclose(*pvalues, atol=0.02)


def test_probabilities_are_resampled_for_all_systems_at_once():
    rng = np.random.default_rng(0)
    y_true = rng.integers(3, size=120)
    sharp, flat = (rng.dirichlet(np.ones(3) * a, 120) for a in (3, 3))
    sharp[np.arange(120), y_true] += 1
    predictions = {"sharp": sharp / 2, "copy": sharp / 2, "flat": flat}
    found = resample("ranked_probability_score", y_true, predictions, labels=[0, 1, 2])
    pvalues = found.tests["ranked_probability_score"].pvalues
    assert pvalues[0, 1] == 1
    assert pvalues[0, 2] == pvalues[1, 2] == 0.01
    first, second, _ = found.intervals["ranked_probability_score"]
    assert first == second


def test_systems_may_differ_in_what_they_left_unanswered():
    y_true, predictions = made_up(3)
    answers = {name: pred.astype(object) for name, pred in predictions.items()}
    answers["system 1"][:7] = None
    found = resample(["cem_ord", "accuracy"], y_true, answers, unanswered="count")
    assert [interval.n_left_out for interval in found.intervals["accuracy"]] == [0, 7, 0]
    assert [interval.n_left_out for interval in found.intervals["cem_ord"]] == [0, 0, 0]


def test_a_huge_loss_does_not_tie_two_others():
    losses = np.array([1e12, 0.5, 0.6, 0.6 + 1e-13])
    assert ranks_of(losses, greater_is_better=False).tolist() == [4, 1, 2, 2]
    assert ranks_of(np.array([1e300, -1e-3, 2e-3]), greater_is_better=True).tolist() == [1, 3, 2]


def test_zeros_with_rounding_errors_are_ties():
    values = np.array([0.0, 0.1 + 0.2 - 0.3, 1e-3])
    assert ranks_of(values, greater_is_better=False).tolist() == [1, 1, 3]


def test_ties_share_the_better_rank_and_undefined_values_the_last():
    values = np.array([0.3, np.nan, 0.5, 0.1 + 0.2, np.inf, 0.1, np.nan])
    assert ranks_of(values, greater_is_better=True).tolist() == [3, 6, 2, 3, 1, 5, 6]
    assert ranks_of(values, greater_is_better=False).tolist() == [2, 6, 4, 2, 5, 1, 6]
