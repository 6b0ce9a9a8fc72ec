"""Coverage of the intervals in closed form, ``python benchmarks/coverage_closed_form.py``.

The populations are those of `coverage.py`. All data sets of predicted classes in a setting are one
stack of counts, so this takes about half an hour. It writes the tables that
docs/guide/coverage.rst shows.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from _tables import list_table
from coverage import (
    DECAY,
    DECAY_OF_WORSE,
    LEVEL,
    N_CLASSES,
    N_RESAMPLES,
    NAMES_OF_FORECASTS,
    NAMES_OF_LABELS,
    NOISE,
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    part: float = parser.parse_args().part
    with warnings.catch_warnings():
        # An undefined interval counts as an interval that does not contain the true value.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        tables = _single_samples(part), _forecasts(part), _designs(part), _differences(part)
        text = "\n\n".join(tables)
    print(text)
    if part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")


def _single_samples(part: float) -> str:
    rows = [[name, *_cells(name, part)] for name in NAMES_OF_LABELS]
    return list_table(
        "Coverage of 95% intervals of ``delta_interval``: on the scale of log-odds / of the value, "
        "in percent, the recorded scale in bold, with a standard error of "
        f"{_standard_error(part)} at 95% ({math.ceil(part * N_DATA_SETS):,} data sets)",
        ["metric", *(f"{truth}, {n_samples}" for truth, n_samples in SETTINGS)],
        rows,
    )


def _cells(name: str, part: float) -> Iterable[str]:
    """Yield the coverage of the intervals of a metric on each scale, in each setting."""
    metric = get_metric(name)
    n_data_sets = N_DATA_SETS_OF_PATHS if name.endswith("classification_index") else N_DATA_SETS
    for key, (truth, n_samples) in enumerate(SETTINGS):
        rng = np.random.default_rng([SEED, key])
        shares = SHARES[truth][:, None] * shares_of_predictions()
        counts = rng.multinomial(n_samples, shares.ravel(), math.ceil(part * n_data_sets))
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


def _designs(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    columns, shares_of_columns = [], []
    for truth, shares in SHARES.items():
        for draw in (_clustered, _weighted, _stratified):
            held = [
                draw(shares, np.random.default_rng([SEED, len(columns), k]))
                for k in range(n_data_sets)
            ]
            columns.append(f"{draw.__name__[1:]}, {truth}")
            shares_of_columns.append(np.mean(held, axis=0))
    cells = [
        [" / ".join(map(_percent, by_method[:, k])) for by_method in shares_of_columns]
        for k in range(len(NAMES_OF_LABELS))
    ]
    return list_table(
        "Coverage of 95% intervals of ``delta_interval`` / of ``bootstrap_interval`` by its "
        f"default method with {N_RESAMPLES} resamples, which has no strata, in percent, with a "
        f"standard error of {_standard_error(part)} at 95% ({n_data_sets:,} data sets). Clustered: "
        f"{N_CLUSTERS} clusters of {CLUSTER_SIZE}, half of them harder to predict. Weighted: "
        f"{N_CLASSES * STRATUM_SIZE} samples of classes drawn with equal probability, weighted to "
        f"their shares. Stratified: the same for {STRATUM_SIZE} samples of each class",
        ["metric", *columns],
        [[name, *row] for name, row in zip(NAMES_OF_LABELS, cells, strict=True)],
    )


def _clustered(shares: Numbers, rng: np.random.Generator) -> list[list[bool]]:
    """Draw clusters that are easy or hard to predict."""
    easy, hard = (shares_of_predictions(decay) for decay in (DECAY, DECAY_OF_WORSE))
    counts = [
        rng.multinomial(CLUSTER_SIZE, (shares[:, None] * (hard if is_hard else easy)).ravel())
        for is_hard in rng.random(N_CLUSTERS) < 0.5
    ]
    cluster, cell = np.nonzero(counts)
    number = np.reshape(counts, (N_CLUSTERS, -1))[cluster, cell]
    y_true, y_pred = np.repeat(np.divmod(cell, N_CLASSES), number, axis=1)
    clusters = np.repeat(cluster, number)
    return _held(
        [
            delta_interval(
                y_true, y_pred, NAMES_OF_LABELS, labels=range(N_CLASSES), clusters=clusters
            ),
            _resampled(y_true, y_pred, rng, clusters=clusters),
        ],
        shares,
        (easy + hard) / 2,
    )


def _weighted(shares: Numbers, rng: np.random.Generator) -> list[list[bool]]:
    """Draw the classes with equal probability, and weight them to their shares."""
    y_true = rng.choice(N_CLASSES, size=N_CLASSES * STRATUM_SIZE)
    y_pred = predictions(y_true, DECAY, rng)
    weight = shares[y_true]
    return _held(
        [
            delta_interval(
                y_true, y_pred, NAMES_OF_LABELS, labels=range(N_CLASSES), sample_weight=weight
            ),
            _resampled(y_true, y_pred, rng, sample_weight=weight),
        ],
        shares,
        shares_of_predictions(),
    )


def _stratified(shares: Numbers, rng: np.random.Generator) -> list[list[bool]]:
    """Draw the same number of samples of each class, which is their stratum."""
    y_true = np.repeat(np.arange(N_CLASSES), STRATUM_SIZE)
    intervals = delta_interval(
        y_true,
        predictions(y_true, DECAY, rng),
        NAMES_OF_LABELS,
        labels=range(N_CLASSES),
        sample_weight=shares[y_true],
        strata=y_true,
    )
    return _held([intervals], shares, shares_of_predictions())


def _resampled(
    y_true: Labels, y_pred: Labels, rng: np.random.Generator, **design: Numbers
) -> dict[str, Interval]:
    intervals: dict[str, Interval] = bootstrap_interval(
        y_true,
        y_pred,
        NAMES_OF_LABELS,
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES,
        random_state=rng,
        **design,
    )
    return intervals


def _held(
    by_method: Iterable[dict[str, Interval]], shares: Numbers, rows: Numbers
) -> list[list[bool]]:
    """Return whether the intervals contain the true values: (n_methods, n_metrics)."""
    values = dict(zip(NAMES_OF_LABELS, true_values(shares, rows), strict=True))
    return [
        [holds(intervals[name], value) for name, value in values.items()] for intervals in by_method
    ]


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
    return f"{100 * share:.1f}"


if __name__ == "__main__":
    main()
