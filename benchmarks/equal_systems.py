"""Probability that any of 20 equal systems differ significantly on one test set.

Run ``python benchmarks/equal_systems.py`` from the checkout. It takes ten minutes and writes the
table that docs/guide/systems.rst shows: for each number of samples, the share of experiments in
which `compare_systems` gives any two systems different letters at the 5% level, with its standard
error.

All systems err with the same probabilities, and more often on samples that are hard for all
systems, so their values are correlated. Classes have 40, 30, 20 and 10 percent of the samples.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from _tables import list_table, write_page
from numpy.typing import NDArray

from sklearn_ordinal import compare_systems

METRICS = ("cem_ord", "accuracy", "quadratic_weighted_kappa")
N_SYSTEMS = 20
SAMPLE_SIZES = (100, 300, 1_000, 3_000)
N_EXPERIMENTS = 1_000
SHARES = (0.4, 0.3, 0.2, 0.1)
STEPS, STEP_SHARES = (-2, -1, 1, 2), (0.1, 0.4, 0.4, 0.1)
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "equal_systems.txt"


def predictions(
    n_samples: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
    """Draw true classes and the predictions of equal systems."""
    y_true = rng.choice(len(SHARES), n_samples, p=SHARES)
    is_hard = rng.random(n_samples)
    systems = {}
    for number in range(N_SYSTEMS):
        step = rng.choice(STEPS, n_samples, p=STEP_SHARES)
        wrong = np.clip(y_true + step, 0, len(SHARES) - 1)
        systems[str(number)] = np.where(rng.random(n_samples) < 0.6 * is_hard, wrong, y_true)
    return y_true, systems


def false_letters(n_samples: int, n_experiments: int) -> NDArray[np.float64]:
    """Return, for each metric, the share of experiments in which any two systems differ."""
    rng, n_false = np.random.default_rng(n_samples), np.zeros(len(METRICS))
    for _ in range(n_experiments):
        report = compare_systems(
            *predictions(n_samples, rng),
            metrics=METRICS,
            labels=range(len(SHARES)),
        )
        n_false += [len(set(report.letters[metric].values())) > 1 for metric in METRICS]
    return n_false / n_experiments


def text_of(part: float) -> str:
    n_experiments = math.ceil(part * N_EXPERIMENTS)
    rows = []
    for n_samples in SAMPLE_SIZES:
        shares = false_letters(n_samples, n_experiments)
        errors = np.sqrt(shares * (1 - shares) / n_experiments)
        cells = (
            f"{100 * share:.1f} ± {100 * error:.1f}"
            for share, error in zip(shares, errors, strict=True)
        )
        rows.append([f"{n_samples:,}", *cells])
    return list_table(
        f"How often any two of {N_SYSTEMS} equal systems differ significantly, in percent, with "
        f"its standard error ({n_experiments:,} experiments)",
        ["samples", *METRICS],
        rows,
    )


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
