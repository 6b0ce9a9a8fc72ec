"""Verbs take evidence in place of arrays, and the two ways have the same result."""

import pickle

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScores,
    compare_systems,
    get_metric,
)
from sklearn_ordinal.inference import bootstrap_interval, paired_difference

N = 60
RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=N)
FIRST, SECOND = (np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(4, size=N)) for _ in range(2))
GAPS = [None if i % 7 == 0 else int(pred) for i, pred in enumerate(FIRST)]
PROBA, OTHER_PROBA = (RNG.dirichlet(np.ones(4), size=N) for _ in range(2))
OPTIONS = {"n_resamples": 50, "random_state": 0}
READING = {
    "plain": {},
    "labels": {"labels": range(6)},
    "weights": {"sample_weight": np.arange(N) % 5},
    "clusters": {"clusters": np.arange(N) // 4},
    "weights and clusters": {"sample_weight": np.arange(N) % 5, "clusters": np.arange(N) // 4},
}
EVERY_READING = pytest.mark.parametrize("reading", READING.values(), ids=READING)
COUNT = OrdinalConfusion.from_predictions


@EVERY_READING
@pytest.mark.parametrize("unanswered", ["raise", "count"])
def test_intervals_of_counts_are_those_of_the_arrays(reading, unanswered):
    reading = {**reading, "unanswered": unanswered}
    pred = FIRST if unanswered == "raise" else GAPS
    expected = bootstrap_interval(TRUE, pred, ["cem_ord", "accuracy"], **reading, **OPTIONS)
    confusion = COUNT(TRUE, pred, **reading)
    for evidence in (confusion, pickle.loads(pickle.dumps(confusion))):
        assert bootstrap_interval(evidence, metrics=["cem_ord", "accuracy"], **OPTIONS) == expected


@EVERY_READING
def test_intervals_of_forecasts_and_scores_are_those_of_the_arrays(reading):
    by_array = bootstrap_interval(TRUE, PROBA, "concordance", **_four(reading), **OPTIONS)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, **_four(reading))
    for evidence in (forecasts, forecasts.to_scores(), pickle.loads(pickle.dumps(forecasts))):
        assert bootstrap_interval(evidence, metrics="concordance", **OPTIONS) == by_array
    with_scores = bootstrap_interval(TRUE, PROBA[:, 0], "concordance", **reading, **OPTIONS)
    scores = OrdinalScores.from_scores(TRUE, PROBA[:, 0], **reading)
    assert bootstrap_interval(scores, metrics="concordance", **OPTIONS) == with_scores


def _four(reading):
    return {**reading, "labels": range(4)}


@EVERY_READING
@pytest.mark.parametrize("unanswered", ["raise", "count"])
def test_systems_that_are_counted_together_are_compared_as_arrays_are(reading, unanswered):
    reading = {**reading, "unanswered": unanswered}
    first = FIRST if unanswered == "raise" else GAPS
    systems = OrdinalConfusion.from_systems(TRUE, {"a": first, "b": SECOND}, **reading)
    expected = paired_difference(TRUE, first, SECOND, "cem_ord", **reading, **OPTIONS)
    assert paired_difference(systems, metrics="cem_ord", **OPTIONS) == expected
    report = compare_systems(TRUE, {"a": first, "b": SECOND}, **reading, **OPTIONS)
    assert compare_systems(systems, **OPTIONS) == report


@EVERY_READING
def test_each_matrix_of_systems_is_that_of_the_system(reading):
    reading = {**reading, "unanswered": "count", "labels": range(4)}
    systems = OrdinalConfusion.from_systems(TRUE, {"a": GAPS, "b": SECOND}, **reading)
    assert systems.groups == ("a", "b")
    for k, pred in enumerate((GAPS, SECOND)):
        alone = COUNT(TRUE, pred, **reading)
        np.testing.assert_array_equal(systems.counts[k], alone.counts)
        np.testing.assert_array_equal(systems.unanswered[k], alone.unanswered)
        assert systems.n_samples[k] == alone.n_samples


@EVERY_READING
def test_forecasts_of_systems_are_compared_as_arrays_are(reading):
    reading = _four(reading)
    first, second = (
        OrdinalForecasts.from_probabilities(TRUE, proba, **reading)
        for proba in (PROBA, OTHER_PROBA)
    )
    name = "ranked_probability_score"
    expected = paired_difference(TRUE, PROBA, OTHER_PROBA, name, **reading, **OPTIONS)
    assert paired_difference([first, second], metrics=name, **OPTIONS) == expected
    by_array = compare_systems(
        TRUE, {"a": PROBA, "b": OTHER_PROBA}, metrics=name, **reading, **OPTIONS
    )
    assert compare_systems({"a": first, "b": second}, metrics=name, **OPTIONS) == by_array


def test_the_weights_of_reweighted_forecasts_count():
    weight = np.arange(N) % 4 / 2
    first, second = (
        OrdinalForecasts.from_probabilities(TRUE, proba).reweighted(weight)
        for proba in (PROBA, OTHER_PROBA)
    )
    options = {"metrics": "concordance", **OPTIONS}
    assert bootstrap_interval(first, **options) == bootstrap_interval(
        TRUE, PROBA, sample_weight=weight, **options
    )
    assert paired_difference([first, second], **options) == paired_difference(
        TRUE, PROBA, OTHER_PROBA, sample_weight=weight, **options
    )


def test_the_weights_of_reweighted_forecasts_are_reported():
    weight = np.arange(N) % 4 / 2
    first, second = (
        OrdinalForecasts.from_probabilities(TRUE, proba).reweighted(weight)
        for proba in (PROBA, OTHER_PROBA)
    )
    report = compare_systems({"a": first, "b": second}, metrics="concordance", **OPTIONS)
    assert report.total_weight == weight.sum()
    assert report.n_samples == np.count_nonzero(weight)


PLAIN = COUNT(TRUE, FIRST)
FORECASTS = OrdinalForecasts.from_probabilities(TRUE, PROBA)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval(PLAIN, FIRST), "y_pred must be left out if evidence"),
        (
            lambda: bootstrap_interval(PLAIN, clusters=np.arange(N) // 4),
            "clusters must be left out if evidence is passed, which is read already: pass it to",
        ),
        (lambda: bootstrap_interval(PLAIN, labels=[0, 1]), "labels must be left out"),
        (lambda: bootstrap_interval(PLAIN, unanswered="count"), "unanswered must be left out"),
        (lambda: bootstrap_interval(TRUE), "y_pred must be given, unless y_true is evidence"),
        (
            lambda: bootstrap_interval(PLAIN.at_prevalence([0.25] * 4)),
            "must not be weighted to given shares to be resampled, .*: use delta_interval",
        ),
        (
            lambda: bootstrap_interval(OrdinalConfusion.from_counts(np.eye(3))),
            "sums of weights or means do not tell which samples to draw",
        ),
        (
            lambda: bootstrap_interval(OrdinalConfusion.stack([PLAIN, PLAIN])),
            "confusion must hold one matrix",
        ),
        (
            lambda: bootstrap_interval(
                OrdinalConfusion.from_systems(TRUE, {"a": FIRST, "b": TRUE})
            ),
            r"of several systems: take one, as in confusion\['a'\].$",
        ),
        (
            lambda: bootstrap_interval(FORECASTS),
            "metrics has cem_ord, which takes predicted classes, but the evidence is OrdinalForec",
        ),
        (
            lambda: compare_systems(
                {"a": FORECASTS, "b": FORECASTS}, metrics=["concordance", "cem_ord"]
            ),
            "metrics has cem_ord, which takes predicted classes, but the evidence is OrdinalForec",
        ),
        (
            lambda: bootstrap_interval(PLAIN, metrics="ranked_probability_score"),
            "metrics has ranked_probability_score, which takes probabilities, but the evidence",
        ),
        (lambda: bootstrap_interval(PLAIN, "accuracy"), "got 'accuracy': pass it as metrics="),
        (lambda: compare_systems(TRUE), "predictions must be given, unless y_true is evidence"),
        (
            lambda: paired_difference(OrdinalConfusion.from_systems(TRUE, {"a": FIRST})),
            "at least two systems that are counted together",
        ),
        (
            lambda: OrdinalConfusion.from_systems(TRUE, {1: FIRST, 2: SECOND}),
            "predictions must have strings as names, got 1",
        ),
        (
            lambda: compare_systems({1: FORECASTS, 2: FORECASTS}, metrics="log_loss"),
            "evidence must have strings as names, got 1",
        ),
        (
            lambda: compare_systems([FORECASTS, FORECASTS], metrics="log_loss"),
            "evidence must be a dict with names as keys, got a list",
        ),
        (
            lambda: OrdinalConfusion.from_systems(TRUE, pd.DataFrame({"a": FIRST, "b": SECOND})),
            r"got a DataFrame: pass {name: predictions\[name\] for name in predictions.columns}",
        ),
        (
            lambda: paired_difference([PLAIN, PLAIN]),
            "counted together, .*: pass what OrdinalConfusion.from_systems returns",
        ),
        (
            lambda: paired_difference(OrdinalConfusion.stack([PLAIN, PLAIN])),
            "counted together, .*: pass what OrdinalConfusion.from_systems returns",
        ),
        (lambda: compare_systems({"a": PLAIN, "b": PLAIN}), "counted together, since"),
        (
            lambda: paired_difference([FORECASTS], metrics="concordance"),
            "evidence must hold at least two systems",
        ),
        (lambda: paired_difference(TRUE, FIRST), "y_pred_b must be given, unless"),
        (
            lambda: paired_difference(
                [FORECASTS, OrdinalForecasts.from_probabilities(TRUE[::-1], PROBA)],
                metrics="log_loss",
            ),
            "must be on the same samples, in the same order, got different true classes",
        ),
        (
            lambda: paired_difference(
                OrdinalConfusion.from_systems(TRUE, dict.fromkeys("abc", FIRST))
            ),
            "evidence must hold two systems on the same samples, got 3",
        ),
    ],
)
def test_evidence_that_does_not_suffice_is_refused_with_the_reason(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_clusters_are_not_forgotten_by_sums_and_stacks():
    clustered = COUNT(TRUE, FIRST, clusters=np.arange(N) // 4)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, clusters=np.arange(N) // 4)
    combine = [
        lambda: clustered + clustered,
        lambda: OrdinalConfusion.stack([clustered, clustered]),
        lambda: forecasts + forecasts,
        lambda: OrdinalForecasts.stack([forecasts, forecasts]),
    ]
    for call in combine:
        with pytest.raises(ValueError, match="must not have clusters or strata to be added"):
            call()


@EVERY_READING
def test_groups_are_pooled_and_taken_apart_with_their_samples(reading):
    reading, by = _four(reading), np.array(["a", "b"])[np.arange(N) % 2]
    groups = COUNT(TRUE, FIRST, by=by, **reading)
    options = {"metrics": ["cem_ord", "accuracy"], **OPTIONS}
    expected = bootstrap_interval(TRUE, FIRST, **reading, **options)
    assert groups.pooled() == COUNT(TRUE, FIRST, **reading)
    assert bootstrap_interval(groups.pooled(), **options) == expected
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=by, **reading)
    systems = OrdinalConfusion.from_systems(TRUE, {"first": FIRST, "second": SECOND}, **reading)
    assert bootstrap_interval(systems["first"], **options) == expected
    for name in groups.groups:
        part = by == name
        of_part = {k: v if k == "labels" else v[part] for k, v in reading.items()}
        alone = bootstrap_interval(TRUE[part], FIRST[part], **of_part, **options)
        assert bootstrap_interval(groups[name], **options) == alone
        assert groups[name] == COUNT(TRUE[part], FIRST[part], **of_part)
        expected_forecasts = OrdinalForecasts.from_probabilities(TRUE[part], PROBA[part], **of_part)
        assert forecasts[name] == expected_forecasts


def test_systems_are_not_pooled_and_unknown_groups_are_named():
    systems = OrdinalConfusion.from_systems(TRUE, {"a": FIRST, "b": SECOND})
    with pytest.raises(ValueError, match=r"different samples to be pooled, got several systems"):
        systems.pooled()
    with pytest.raises(KeyError, match=r"group must be one of \['a', 'b'\], got 'c'"):
        systems["c"]
    with pytest.raises(TypeError, match="not iterable"):
        list(systems)
    for unstacked in (PLAIN, FORECASTS):
        with pytest.raises(KeyError, match="group must be left out, since this is not a stack"):
            unstacked["a"]


def test_stacks_without_names_are_indexed_by_position():
    by = np.arange(N) % 3
    for read, predicted in (
        (COUNT, FIRST),
        (OrdinalForecasts.from_probabilities, PROBA),
        (OrdinalScores.from_scores, PROBA[:, 0]),
    ):
        parts = [read(TRUE[by == k], predicted[by == k]) for k in range(3)]
        stack = type(parts[0]).stack(parts)
        metric = get_metric("accuracy" if read == COUNT else "concordance")
        if read != OrdinalForecasts.from_probabilities:
            assert [metric(stack[k]) for k in (0, 1, -1)] == [metric(part) for part in parts]
        for position in ("a", 3, -4, True, 1.0, None):
            with pytest.raises(IndexError, match="a position from 0 to 2, since the groups of"):
                stack[position]


def test_stacks_of_systems_are_not_pooled_and_are_no_groups():
    systems = OrdinalConfusion.from_systems(TRUE, {"a": FIRST, "b": SECOND})
    stack = OrdinalConfusion.stack([systems["a"], systems["b"]])
    assert stack.has_systems
    with pytest.raises(ValueError, match=r"which would count .*: take one, as in confusion\[0\]"):
        stack.pooled()
    pairs = [stack, OrdinalConfusion.stack([systems["b"], systems["a"]])]
    assert OrdinalConfusion.stack(pairs).has_systems
    apart = [COUNT(TRUE, FIRST, sample_weight=np.ones(N)), COUNT(TRUE, SECOND)]
    assert not OrdinalConfusion.stack(apart).has_systems


@pytest.mark.parametrize("clusters", [np.arange(N - 1), [None] * N, np.ones((N, 2))])
def test_clusters_are_checked_where_they_are_read(clusters):
    for read, predicted in (
        (COUNT, FIRST),
        (OrdinalForecasts.from_probabilities, PROBA),
        (OrdinalForecasts.from_cumulative, PROBA[:, ::-1].cumsum(axis=1)[:, -2::-1]),
        (OrdinalScores.from_scores, PROBA[:, 0]),
    ):
        with pytest.raises(ValueError, match="clusters"):
            read(TRUE, predicted, clusters=clusters)
