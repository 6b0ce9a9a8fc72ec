"""Coverage of the intervals in closed form, ``python benchmarks/coverage_closed_form.py``.

The populations are those of `_simulation.py`. All data sets of predicted classes in a setting are
one stack of counts, so this takes about forty minutes. It writes the tables that
docs/guide/coverage.rst shows.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _simulation import (
    DECAY,
    DECAY_OF_WORSE,
    LEVEL,
    N_CLASSES,
    N_RESAMPLES,
    NAMES_OF_FORECASTS,
    NAMES_OF_LABELS,
    NOISE,
    NOISE_OF_WORSE,
    SEED,
    SHARES,
    Labels,
    Numbers,
    predictions,
    probabilities,
    shares_of_predictions,
    signals,
    systems,
    true_values,
    true_values_of_forecasts,
)
from _tables import list_table, write_page
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, OrdinalMetric, get_metric
from sklearn_ordinal.inference import (
    Interval,
    bootstrap_interval,
    delta_interval,
    paired_difference,
)

SAMPLE_SIZES = (30, 80, 300, 1_000)
SETTINGS = [(truth, n_samples) for truth in SHARES for n_samples in SAMPLE_SIZES]
SCALES = ("logit", "linear")
NAMES_WITH_INFLUENCE = [name for name in NAMES_OF_FORECASTS if get_metric(name).has_influence]
N_DATA_SETS, N_DATA_SETS_PAIRED = 2_000, 1_000
# Resamples of probabilities take several times as long as resamples of counts.
N_DATA_SETS_OF_FORECASTS = 1_000
# Paths through matrices take as long as all other criteria together.
N_DATA_SETS_OF_PATHS = 500
NAMES_OF_DESIGNS = (
    "cem_ord",
    "accuracy",
    "ordinal_mean_absolute_error",
    "quadratic_weighted_kappa",
)
N_CLUSTERS, CLUSTER_SIZE, STRATUM_SIZE = 30, 10, 40
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage_closed_form.txt"


def text_of(part: float) -> str:
    with warnings.catch_warnings():
        # An undefined interval counts as an interval that does not contain the true value.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        tables = (_single_samples, _forecasts, _designs, _designs_of_forecasts, _differences)
        return "\n\n".join(table(part) for table in tables)


def _single_samples(part: float) -> str:
    rows = [[name, *_cells(name, part)] for name in NAMES_OF_LABELS]
    error_of_paths = _percent(math.sqrt(0.95 * 0.05 / math.ceil(part * N_DATA_SETS_OF_PATHS)))
    return list_table(
        "Coverage of 95% intervals of ``delta_interval``: on the scale of log-odds / of the value, "
        "in percent, the recorded scale in bold, with a standard error of "
        f"{_standard_error(part)} at 95% ({math.ceil(part * N_DATA_SETS):,} data sets), or "
        f"{error_of_paths} for criteria of paths ({math.ceil(part * N_DATA_SETS_OF_PATHS):,})",
        ["metric", *(f"{truth}, {n_samples}" for truth, n_samples in SETTINGS)],
        rows,
    )


def n_data_sets_of(name: str) -> int:
    """Return the number of data sets of predicted classes for a metric, in each setting."""
    return N_DATA_SETS_OF_PATHS if name.endswith("classification_index") else N_DATA_SETS


def _cells(name: str, part: float) -> Iterable[str]:
    """Yield the coverage of the intervals of a metric on each scale, in each setting."""
    metric = get_metric(name)
    for key, (truth, n_samples) in enumerate(SETTINGS):
        rng = np.random.default_rng([SEED, key])
        shares = SHARES[truth][:, None] * shares_of_predictions()
        counts = rng.multinomial(n_samples, shares.ravel(), math.ceil(part * n_data_sets_of(name)))
        stack = OrdinalConfusion.from_counts(counts.reshape(-1, N_CLASSES, N_CLASSES))
        true = true_values(SHARES[truth], shares_of_predictions())[NAMES_OF_LABELS.index(name)]
        yield " / ".join(
            f"**{covered}**" if scale == metric.interval_scale else covered
            for scale in SCALES
            for covered in [_coverage(replace(metric, interval_scale=scale), stack, true)]
        )


def _forecasts(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    by_setting = np.array(
        [
            _coverage_of_forecasts(key, truth, n_samples, n_data_sets)
            for key, (truth, n_samples) in enumerate(SETTINGS)
        ]
    )
    rows = []
    for name, by_scale in zip(NAMES_WITH_INFLUENCE, np.moveaxis(by_setting, 2, 0), strict=True):
        scales = [scale == get_metric(name).interval_scale for scale in SCALES]
        cells = [
            " / ".join(
                f"**{_percent(share)}**" if is_recorded else _percent(share)
                for share, is_recorded in zip(shares, scales, strict=True)
            )
            for shares in by_scale
        ]
        rows.append([name, *cells])
    return list_table(
        "The same for metrics of probabilities and scores: on the scale of log-odds / of the "
        "value, in percent, the recorded scale in bold, with a standard error of "
        f"{_standard_error(part)} at 95% ({n_data_sets:,} data sets)",
        ["metric", *(f"{truth}, {n_samples}" for truth, n_samples in SETTINGS)],
        rows,
    )


def _coverage_of_forecasts(key: int, truth: str, n_samples: int, n_data_sets: int) -> Numbers:
    """Return the coverage on each scale for each metric: (n_scales, n_metrics)."""
    rng, shares = np.random.default_rng([SEED, 2, key]), SHARES[truth]
    values = dict(zip(NAMES_OF_FORECASTS, true_values_of_forecasts(truth)[0], strict=True))
    metrics = [
        [replace(get_metric(name), interval_scale=scale) for name in NAMES_WITH_INFLUENCE]
        for scale in SCALES
    ]
    held = np.zeros((len(SCALES), len(NAMES_WITH_INFLUENCE)))
    for _ in range(n_data_sets):
        y_true = rng.choice(N_CLASSES, size=n_samples, p=shares)
        y_proba = probabilities(signals(y_true, NOISE, rng), NOISE, shares, rng)
        forecasts = OrdinalForecasts.from_probabilities(y_true, y_proba, labels=range(N_CLASSES))
        for held_on_scale, on_scale in zip(held, metrics, strict=True):
            intervals = delta_interval(forecasts, metrics=on_scale)
            held_on_scale += [holds(intervals[name], values[name]) for name in NAMES_WITH_INFLUENCE]
    return held / n_data_sets


def _coverage(metric: OrdinalMetric, stack: OrdinalConfusion, true: float) -> str:
    intervals = delta_interval(stack, metrics=metric).values()
    return _percent(np.mean([holds(interval, true) for interval in intervals]))


def holds(interval: Interval, value: float) -> bool:
    """Return whether an interval contains a value; an undefined interval does not."""
    return interval.low <= value <= interval.high


class DataSet(NamedTuple):
    """Samples that were drawn by a design, and what is true in their population."""

    y_true: Labels
    y_pred: Labels | Numbers
    """Classes, or probabilities of the classes."""
    design: Mapping[str, Labels | Numbers]
    """The options of the intervals that describe how the samples were drawn."""
    values: Numbers
    """The true value of each metric of labels, or of each metric of probabilities and scores."""


Draw = Callable[[str, np.random.Generator], DataSet]


def _designs(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    draws = {"clustered": _clustered, "weighted": _weighted, "stratified": _stratified}
    return _table_of_designs(
        "Coverage of 95% intervals of ``delta_interval`` / of ``bootstrap_interval`` by its "
        f"default method with {N_RESAMPLES} resamples, in percent, with a "
        f"standard error of {_standard_error(part)} at 95% ({n_data_sets:,} data sets). Clustered: "
        f"{N_CLUSTERS} clusters of {CLUSTER_SIZE}, half of them harder to predict. Weighted: "
        f"{N_CLASSES * STRATUM_SIZE} samples of classes drawn with equal probability, weighted to "
        f"their shares. Stratified: the same for {STRATUM_SIZE} samples of each class",
        NAMES_OF_LABELS,
        draws,
        [SEED],
        n_data_sets,
    )


def _designs_of_forecasts(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_OF_FORECASTS)
    error = _percent(math.sqrt(0.95 * 0.05 / n_data_sets))
    draws = {
        "clustered": _clustered_forecasts,
        "weighted": _weighted_forecasts,
        "stratified": _stratified_forecasts,
    }
    return _table_of_designs(
        "The same designs for metrics of probabilities and scores: coverage of 95% intervals of "
        "``delta_interval`` / of ``bootstrap_interval`` by its default method with "
        f"{N_RESAMPLES} resamples, in percent, with a standard error of {error} at 95% "
        f"({n_data_sets:,} data sets). Metrics without influences have no closed form",
        NAMES_OF_FORECASTS,
        draws,
        [SEED, 3],
        n_data_sets,
    )


def _table_of_designs(
    title: str,
    names: Sequence[str],
    draws: Mapping[str, Draw],
    seed: Sequence[int],
    n_data_sets: int,
) -> str:
    columns = [(design, truth) for truth in SHARES for design in draws]
    shares_of_columns = [
        np.mean(
            [
                _held_by_method(draws[design](truth, rng), names, rng)
                for k in range(n_data_sets)
                for rng in [np.random.default_rng([*seed, column, k])]
            ],
            axis=0,
        )
        for column, (design, truth) in enumerate(columns)
    ]
    rows = [
        [name, *(" / ".join(map(_percent, by_method[:, k])) for by_method in shares_of_columns)]
        for k, name in enumerate(names)
    ]
    return list_table(title, ["metric", *map(", ".join, columns)], rows)


def _clustered(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw clusters that are easy or hard to predict."""
    easy, hard = (shares_of_predictions(decay) for decay in (DECAY, DECAY_OF_WORSE))
    shares = SHARES[truth][:, None]
    counts = [
        rng.multinomial(CLUSTER_SIZE, (shares * (hard if is_hard else easy)).ravel())
        for is_hard in rng.random(N_CLUSTERS) < 0.5
    ]
    cluster, cell = np.nonzero(counts)
    number = np.reshape(counts, (N_CLUSTERS, -1))[cluster, cell]
    y_true, y_pred = np.repeat(np.divmod(cell, N_CLASSES), number, axis=1)
    clusters = np.repeat(cluster, number)
    return DataSet(
        y_true, y_pred, {"clusters": clusters}, _values_of_labels(truth, DECAY, DECAY_OF_WORSE)
    )


def _weighted(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw the classes with equal probability, and weight them to their shares."""
    y_true = rng.choice(N_CLASSES, size=N_CLASSES * STRATUM_SIZE)
    y_pred = predictions(y_true, DECAY, rng)
    design = {"sample_weight": SHARES[truth][y_true]}
    return DataSet(y_true, y_pred, design, _values_of_labels(truth, DECAY))


def _stratified(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw the same number of samples of each class, which is their stratum."""
    y_true = np.repeat(np.arange(N_CLASSES), STRATUM_SIZE)
    y_pred = predictions(y_true, DECAY, rng)
    design = {"sample_weight": SHARES[truth][y_true], "strata": y_true}
    return DataSet(y_true, y_pred, design, _values_of_labels(truth, DECAY))


@cache
def _values_of_labels(truth: str, *decays: float) -> Numbers:
    """Return the true values in a population of which each decay has the same share."""
    rows = np.mean([shares_of_predictions(decay) for decay in decays], axis=0)
    return true_values(SHARES[truth], rows)


def _clustered_forecasts(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw clusters with signals of little or much noise."""
    shares = SHARES[truth]
    of_cluster = np.where(rng.random(N_CLUSTERS) < 0.5, NOISE_OF_WORSE, NOISE)
    clusters = np.repeat(np.arange(N_CLUSTERS), CLUSTER_SIZE)
    noise = of_cluster[clusters]
    y_true = rng.choice(N_CLASSES, size=len(clusters), p=shares)
    y_proba = probabilities(signals(y_true, noise, rng), noise[:, None], shares, rng)
    # Half of the signals of the second system have much noise, too.
    return DataSet(y_true, y_proba, {"clusters": clusters}, true_values_of_forecasts(truth)[1])


def _weighted_forecasts(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw the classes with equal probability, and weight them to their shares."""
    y_true = rng.choice(N_CLASSES, size=N_CLASSES * STRATUM_SIZE)
    y_proba = probabilities(signals(y_true, NOISE, rng), NOISE, SHARES[truth], rng)
    design = {"sample_weight": SHARES[truth][y_true]}
    return DataSet(y_true, y_proba, design, true_values_of_forecasts(truth)[0])


def _stratified_forecasts(truth: str, rng: np.random.Generator) -> DataSet:
    """Draw the same number of samples of each class, which is their stratum."""
    y_true = np.repeat(np.arange(N_CLASSES), STRATUM_SIZE)
    y_proba = probabilities(signals(y_true, NOISE, rng), NOISE, SHARES[truth], rng)
    design = {"sample_weight": SHARES[truth][y_true], "strata": y_true}
    return DataSet(y_true, y_proba, design, true_values_of_forecasts(truth)[0])


def _held_by_method(data: DataSet, names: Sequence[str], rng: np.random.Generator) -> Numbers:
    """Return whether intervals contain the true values: (n_methods, n_metrics).

    The methods are the closed form and the bootstrap. NaN if a method has no interval of a metric.
    """
    by_method = [
        delta_interval(
            data.y_true,
            data.y_pred,
            [name for name in names if get_metric(name).has_influence],
            labels=range(N_CLASSES),
            **data.design,
        ),
        bootstrap_interval(
            data.y_true,
            data.y_pred,
            names,
            labels=range(N_CLASSES),
            n_resamples=N_RESAMPLES,
            random_state=rng,
            **data.design,
        ),
    ]
    return np.array(
        [
            [
                holds(intervals[name], value) if name in intervals else np.nan
                for name, value in zip(names, data.values, strict=True)
            ]
            for intervals in by_method
        ]
    )


def _differences(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_PAIRED)
    rows = []
    for truth, shares in SHARES.items():
        for n_samples in SAMPLE_SIZES[:-1]:
            results = [
                _compared(shares, n_samples, np.random.default_rng([SEED, 1, len(rows), k]))
                for k in range(n_data_sets)
            ]
            percentages = np.moveaxis(np.mean(results, axis=0), 0, -1)
            cells = [" / ".join(map(_percent, pair)) for pair in percentages]
            rows.append([f"{truth}, {n_samples}", *cells])
    return list_table(
        "Coverage of 95% intervals of ``paired_difference`` with ``method='delta'``, for two "
        "systems of which one is better / share of equal systems that its test finds different at "
        "the level of 5%, in percent, with a standard error of "
        f"{_percent(math.sqrt(0.95 * 0.05 / n_data_sets))} ({n_data_sets:,} data sets)",
        ["setting", *NAMES_OF_DESIGNS],
        rows,
    )


def _compared(shares: Numbers, n_samples: int, rng: np.random.Generator) -> list[list[bool]]:
    """Return whether intervals contain the true difference, and whether equal systems differ."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=shares)
    better = shares_of_predictions()
    worse = (better + shares_of_predictions(DECAY_OF_WORSE)) / 2
    values = [true_values(shares, rows) for rows in (better, worse)]
    true = dict(zip(NAMES_OF_LABELS, values[0] - values[1], strict=True))
    unequal, equal = (
        paired_difference(
            y_true,
            *systems(y_true, decay, rng),
            NAMES_OF_DESIGNS,
            labels=range(N_CLASSES),
            method="delta",
        )
        for decay in (DECAY_OF_WORSE, DECAY)
    )
    return [
        [holds(unequal[name], true[name]) for name in NAMES_OF_DESIGNS],
        [equal[name].pvalue <= LEVEL for name in NAMES_OF_DESIGNS],
    ]


def _standard_error(part: float) -> str:
    return _percent(math.sqrt(0.95 * 0.05 / math.ceil(part * N_DATA_SETS)))


def _percent(share: float) -> str:
    return "none" if math.isnan(share) else f"{100 * share:.1f}"


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
