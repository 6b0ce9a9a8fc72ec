"""Coverage of the parts of a change, ``python benchmarks/coverage_change.py``.

Old and new samples are drawn from two populations of three classes with other class shares and
other errors. The script takes a few minutes and writes the tables that docs/guide/change.rst shows.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
from _tables import list_table, write_page
from numpy.typing import NDArray

from sklearn_ordinal import OrdinalConfusion, get_metric, report_change
from sklearn_ordinal.groups import ChangeReport

METRICS = (
    "cem_ord",
    "accuracy",
    "ordinal_mean_absolute_error",
    "quadratic_weighted_kappa",
)
PARTS = ("differences", "rates", "class_sizes")
SIZES = ((100, 100), (100, 1_000), (300, 300), (1_000, 1_000))
OLD_SHARES, NEW_SHARES = (0.5, 0.3, 0.2), (0.3, 0.3, 0.4)
# Share of each predicted class, for each true class.
OLD_RATES = ((0.8, 0.15, 0.05), (0.15, 0.7, 0.15), (0.05, 0.25, 0.7))
NEW_RATES = ((0.75, 0.2, 0.05), (0.1, 0.7, 0.2), (0.1, 0.3, 0.6))
N_DATA_SETS = 1_000
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage_change.txt"

Cells = NDArray[np.float64]


def text_of(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    old, new = cells(OLD_SHARES, OLD_RATES), cells(NEW_SHARES, NEW_RATES)
    true_values = {name: parts_of(name, old, new) for name in METRICS}
    coverage: dict[str, list[str]] = {name: [] for name in METRICS}
    alarms: list[list[str]] = []
    for key, sizes in enumerate(SIZES):
        rng = np.random.default_rng(key)
        is_inside = np.zeros((len(METRICS), len(PARTS)))
        is_worse, has_worse_class = np.zeros(len(METRICS)), 0
        for _ in range(n_data_sets):
            report = change(old, new, sizes, rng)
            for k, name in enumerate(METRICS):
                for j, part in enumerate(PARTS):
                    contrast = getattr(report, part)[name]
                    is_inside[k, j] += contrast.low <= true_values[name][j] <= contrast.high
            # Both samples are from the same population.
            equal = change(old, old, sizes, rng)
            is_worse += [bool(worse) for worse in equal.worse_than().values()]
            has_worse_class += bool(equal.worse_classes)
        for name, shares in zip(METRICS, is_inside / n_data_sets, strict=True):
            coverage[name].append(" / ".join(f"{100 * share:.1f}" for share in shares))
        alarms.append(
            [
                f"{sizes[0]:,} and {sizes[1]:,}",
                *(f"{100 * share:.1f}" for share in is_worse / n_data_sets),
                f"{100 * has_worse_class / n_data_sets:.1f}",
            ]
        )
    error = 100 * math.sqrt(0.05 * 0.95 / n_data_sets)
    title = "Coverage of difference / rates / class sizes in percent, with a standard error of "
    columns = [f"{old_size:,} and {new_size:,}" for old_size, new_size in SIZES]
    rows = [[name, *shares] for name, shares in coverage.items()]
    title += f"{error:.1f} ({n_data_sets:,} data sets)"
    tables = [
        list_table(title, ["old and new samples", *columns], rows),
        list_table(
            "How often equal populations are called worse, in percent",
            ["old and new samples", *METRICS, "any class"],
            alarms,
        ),
    ]
    return "\n\n".join(tables)


def cells(shares: tuple[float, ...], rates: tuple[tuple[float, ...], ...]) -> Cells:
    """Return the share of all samples in each cell."""
    return np.array(shares)[:, None] * np.array(rates)


def parts_of(name: str, old: Cells, new: Cells) -> list[float]:
    """Return the difference and its parts in the populations."""
    factors = old.sum(axis=1) / new.sum(axis=1)
    at_old_shares = new * factors[:, None]
    metric = get_metric(name)
    before, after, shared = (
        metric(OrdinalConfusion.from_counts(part)) for part in (old, new, at_old_shares)
    )
    return [after - before, shared - before, after - shared]


def change(
    old: Cells, new: Cells, sizes: tuple[int, int], rng: np.random.Generator
) -> ChangeReport:
    """Return the report on samples of two populations."""
    sides = (
        rng.multinomial(size, part.ravel()).reshape(part.shape)
        for part, size in zip((old, new), sizes, strict=True)
    )
    with warnings.catch_warnings():
        # Perfect predictions for a class have no interval.
        warnings.simplefilter("ignore")
        return report_change(*map(OrdinalConfusion.from_counts, sides), METRICS)


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
