"""Coverage of the intervals in closed form, ``python benchmarks/coverage_closed_form.py``.

The populations are those of `coverage.py`. All data sets of a setting are one stack of counts, so
this takes about fifteen minutes. It writes the tables that docs/guide/coverage.rst shows.
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
    NAMES_OF_LABELS,
    SEED,
    SHARES,
    Numbers,
    shares_of_predictions,
    systems,
    true_values,
)
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalMetric, get_metric
from sklearn_ordinal.inference import Interval, delta_interval, paired_difference

SAMPLE_SIZES = (30, 80, 300, 1_000)
SETTINGS = [(truth, n_samples) for truth in SHARES for n_samples in SAMPLE_SIZES]
SCALES = ("logit", "linear")
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
        text = "\n\n".join([_single_samples(part), _designs(part), _differences(part)])
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


def _coverage(metric: OrdinalMetric, stack: OrdinalConfusion, true: float) -> str:
    intervals = delta_interval(stack, metrics=metric).values()
    return _percent(np.mean([holds(interval, true) for interval in intervals]))


def holds(interval: Interval, value: float) -> bool:
    """Return whether an interval contains a value; an undefined interval does not."""
    return interval.low <= value <= interval.high


def _designs(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    rows = []
    for truth, shares in SHARES.items():
        for draw in (_clustered, _weighted, _stratified):
            held = [
                draw(shares, np.random.default_rng([SEED, len(rows), k]))
                for k in range(n_data_sets)
            ]
            rows.append([f"{draw.__name__[1:]}, {truth}", *map(_percent, np.mean(held, axis=0))])
    return list_table(
        "Coverage of 95% intervals of ``delta_interval``, in percent, with a standard error of "
        f"{_standard_error(part)} at 95% ({n_data_sets:,} data sets). Clustered: {N_CLUSTERS} "
        f"clusters of {CLUSTER_SIZE}, half of them harder to predict. Weighted: "
        f"{N_CLASSES * STRATUM_SIZE} samples of classes drawn with equal probability, weighted to "
        f"their shares. Stratified: the same for {STRATUM_SIZE} samples of each class",
        ["design", *NAMES_OF_DESIGNS],
        rows,
    )


def _clustered(shares: Numbers, rng: np.random.Generator) -> list[bool]:
    """Draw clusters that are easy or hard to predict, and count each of them."""
    tables = [shares[:, None] * shares_of_predictions(decay) for decay in (DECAY, DECAY_OF_WORSE)]
    is_hard = rng.random(N_CLUSTERS) < 0.5
    counts = [rng.multinomial(CLUSTER_SIZE, tables[int(hard)].ravel()) for hard in is_hard]
    stack = OrdinalConfusion(
        range(N_CLASSES),
        np.reshape(counts, (-1, N_CLASSES, N_CLASSES)),
        groups=tuple(range(N_CLUSTERS)),
    )
    intervals = delta_interval(stack, metrics=NAMES_OF_DESIGNS, clusters=stack.groups)
    return _held(intervals, (tables[0] + tables[1]) / 2)


def _weighted(shares: Numbers, rng: np.random.Generator) -> list[bool]:
    """Draw the classes with equal probability, and weight them to their shares."""
    y_true = rng.choice(N_CLASSES, size=N_CLASSES * STRATUM_SIZE)
    return _weighted_to(shares, y_true, rng)


def _stratified(shares: Numbers, rng: np.random.Generator) -> list[bool]:
    """Draw the same number of samples of each class, which is their stratum."""
    y_true = np.repeat(np.arange(N_CLASSES), STRATUM_SIZE)
    return _weighted_to(shares, y_true, rng, strata=y_true)


def _weighted_to(
    shares: Numbers, y_true: Numbers, rng: np.random.Generator, **design: Numbers
) -> list[bool]:
    below = shares_of_predictions().cumsum(axis=1)[y_true]
    y_pred = (rng.random((len(y_true), 1)) > below[:, :-1]).sum(axis=1)
    intervals = delta_interval(
        y_true,
        y_pred,
        NAMES_OF_DESIGNS,
        labels=range(N_CLASSES),
        sample_weight=shares[y_true],
        **design,
    )
    return _held(intervals, shares[:, None] * shares_of_predictions())


def _held(intervals: dict[str, Interval], shares: Numbers) -> list[bool]:
    population = OrdinalConfusion.from_counts(1e9 * shares)
    return [holds(intervals[name], get_metric(name)(population)) for name in NAMES_OF_DESIGNS]


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
