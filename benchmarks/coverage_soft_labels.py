"""Coverage of intervals of soft labels, ``python benchmarks/coverage_soft_labels.py``.

Three graders grade items of five classes with random errors, and a system predicts each item. The
soft label of an item is the share of the graders for each class. The true value of a criterion is
its value for the proportions of the grade and the prediction in this population. The script takes
about five minutes and writes the table that docs/guide/coverage.rst shows.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from _simulation import DECAY, N_CLASSES, SHARES, Labels, Numbers, share_of_data_sets
from _tables import list_table

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal.inference import Interval, bootstrap_interval, delta_interval

NAMES_OF_LABELS = (
    "cem_ord",
    "accuracy",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
)
NAMES_OF_FORECASTS = ("ranked_probability_score", "concordance")
NAMES = (*NAMES_OF_LABELS, *NAMES_OF_FORECASTS)
N_GRADERS = 3
SETTINGS = [(truth, n_items) for truth in SHARES for n_items in (50, 200)]
# Graders disagree more than the system errs.
DECAY_OF_GRADERS = 1.1
N_DATA_SETS, N_RESAMPLES = 1_000, 999
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage_soft_labels.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    arguments = parser.parse_args()
    text = _table(math.ceil(arguments.part * N_DATA_SETS), arguments.n_jobs)
    print(text)
    if arguments.part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")


@cache
def _given_class(decay: float) -> Numbers:
    """Return the probability of each grade (columns) of an item of each class (rows)."""
    position = np.arange(N_CLASSES)
    weights = np.exp(-decay * np.abs(position - position[:, None]))
    shares: Numbers = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _probabilities(predicted: Labels) -> Numbers:
    """Return the probabilities of a system that predicts these classes."""
    probabilities: Numbers = _given_class(DECAY)[predicted]
    return probabilities


@cache
def true_values(truth: str) -> Mapping[str, float]:
    """Return the value of each criterion in the population."""
    grade, prediction = _given_class(DECAY_OF_GRADERS), _given_class(DECAY)
    cells = (SHARES[truth][:, None, None] * grade[:, :, None] * prediction[:, None, :]).sum(axis=0)
    confusion = OrdinalConfusion.from_counts(cells)
    true, predicted = np.indices(cells.shape).reshape(2, -1)
    forecasts = OrdinalForecasts.from_probabilities(
        true, _probabilities(predicted), sample_weight=cells.ravel()
    )
    return {
        name: float(get_metric(name)(confusion if name in NAMES_OF_LABELS else forecasts))
        for name in NAMES
    }


def draw(truth: str, n_items: int, rng: np.random.Generator) -> tuple[Labels, Labels]:
    """Return the grades (n_items, n_graders) and the predictions of some items."""
    classes = rng.choice(N_CLASSES, size=n_items, p=SHARES[truth])
    cumulative = _given_class(DECAY_OF_GRADERS)[classes].cumsum(axis=1)[:, None]
    grades = (rng.random((n_items, N_GRADERS, 1)) > cumulative).sum(axis=-1)
    of_system = _given_class(DECAY)[classes].cumsum(axis=1)
    return grades, (rng.random((n_items, 1)) > of_system).sum(axis=-1)


def holds_true_values(truth: str, n_items: int, rng: np.random.Generator) -> Numbers:
    """Return whether intervals contain the true values: (n_criteria, n_methods).

    The last method takes each grade as a sample that was drawn alone.
    """
    grades, y_pred = draw(truth, n_items, rng)
    seed = int(rng.integers(2**31))
    y_soft = np.eye(N_CLASSES)[grades].mean(axis=1)
    item = np.repeat(np.arange(n_items), N_GRADERS)
    options: Any = {"labels": range(N_CLASSES)}
    holds = []
    for names, predicted in (
        (NAMES_OF_LABELS, y_pred),
        (NAMES_OF_FORECASTS, _probabilities(y_pred)),
    ):
        by_method: list[Mapping[str, Interval]] = [
            delta_interval(y_soft, predicted, names, **options),
            bootstrap_interval(
                y_soft, predicted, names, n_resamples=N_RESAMPLES, random_state=seed, **options
            ),
            delta_interval(grades.ravel(), predicted[item], names, **options),
        ]
        values = true_values(truth)
        for name in names:
            intervals = [by_name[name] for by_name in by_method]
            holds.append([interval.low <= values[name] <= interval.high for interval in intervals])
    return np.array(holds, dtype=np.float64)


def _table(n_data_sets: int, n_jobs: int) -> str:
    shares = np.array(
        [
            share_of_data_sets(partial(holds_true_values, *setting), n_data_sets, (number,), n_jobs)
            for number, setting in enumerate(SETTINGS)
        ]
    )
    error = 100 * math.sqrt(0.95 * 0.05 / n_data_sets)
    return list_table(
        f"Coverage of 95% intervals of soft labels from {N_GRADERS} graders: ``delta_interval`` / "
        f"``bootstrap_interval`` with {N_RESAMPLES} resamples / ``delta_interval`` if each grade "
        f"were a sample of its own, in percent, with a standard error of {error:.1f} at 95% "
        f"({n_data_sets:,} data sets)",
        ["criterion", *(f"{truth}, {n_items} items" for truth, n_items in SETTINGS)],
        [
            [name, *(" / ".join(f"{100 * share:.1f}" for share in cell) for cell in shares[:, k])]
            for k, name in enumerate(NAMES)
        ],
    )


if __name__ == "__main__":
    main()
