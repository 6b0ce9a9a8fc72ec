"""Rates at which the test and intervals of `GroupReport` find differences of equal groups.

Run ``python benchmarks/equal_groups.py`` from the checkout. It takes a few minutes and writes the
table that docs/guide/group_tests.rst shows: for each kind of groups, the share of data sets for
which p is at most 0.05, and the share for which the interval of the largest difference starts at 0,
each as a range over the criteria.

The predictions have the same errors within each true class in all groups. The groups have equal
class sizes, so that they do not differ at all, or different class sizes.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
from _tables import list_table, write_page
from numpy.typing import NDArray
from scipy.special import ndtr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import GroupReport

METRICS = (
    "cem_ord",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
    "cem_ord_adjusted",
)
N_DATA_SETS = 400
# Probabilities of the predicted classes, for each true class.
RATES = np.array([[0.7, 0.2, 0.1], [0.15, 0.7, 0.15], [0.05, 0.25, 0.7]])
EQUAL = np.full((1, 3), 1 / 3)
DIFFERENT = np.array([[0.6, 0.3, 0.1], [1 / 3, 1 / 3, 1 / 3], [0.1, 0.3, 0.6]])
CASES = {
    "3 groups of 100": ((100, 100, 100), EQUAL, None),
    "3 groups of 100, class sizes differ": ((100, 100, 100), DIFFERENT, None),
    "groups of 100, 100, 15": ((100, 100, 15), EQUAL, None),
    "groups of 100, 100, 5": ((100, 100, 5), EQUAL, None),
    "groups of 100, 100, 5, class sizes differ": ((100, 100, 5), DIFFERENT, None),
    "5 groups of 30": ((30,) * 5, EQUAL, None),
    "20 groups of 30": ((30,) * 20, EQUAL, None),
    "20 groups of 30, class sizes differ": ((30,) * 20, DIFFERENT, None),
    "clusters of 5 within 3 groups of 100": ((100, 100, 100), EQUAL, "within"),
    "100 clusters with a sample in each group": ((100, 100, 100), EQUAL, "across"),
}
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "equal_groups.txt"


def make_report(
    sizes: tuple[int, ...],
    shares: NDArray[np.float64],
    clusters: str | None,
    rng: np.random.Generator,
) -> GroupReport:
    """Draw a data set and compare its groups."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    of_group = shares[group % len(shares)]
    y_true = (rng.random((len(group), 1)) > of_group.cumsum(axis=1)).sum(axis=1).clip(max=2)
    chance, cluster = rng.random(len(group)), None
    if clusters is not None:
        position = np.arange(len(group))
        cluster = position // 5 if clusters == "within" else position % 100
        if clusters == "across":
            y_true = y_true[cluster]
        effect = rng.normal(scale=0.8, size=cluster.max() + 1)[cluster]
        chance = ndtr(effect + rng.normal(scale=0.6, size=len(group)))
    y_pred = (chance[:, None] > RATES[y_true].cumsum(axis=1)).sum(axis=1).clip(max=2)
    return GroupReport.from_predictions(
        y_true,
        y_pred,
        by=group,
        labels=[0, 1, 2],
        clusters=cluster,
        metrics=METRICS,
    )


def text_of(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    rows = []
    for name, case in CASES.items():
        rng = np.random.default_rng(0)
        shares = np.zeros((3, len(METRICS)))
        with warnings.catch_warnings():
            # A group of five samples may have a single class.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            for _ in range(n_data_sets):
                differences = make_report(*case, rng).difference()
                shares[0] += [differences[metric].errors_pvalue <= 0.05 for metric in METRICS]
                shares[1] += [differences[metric].adjusted_pvalue <= 0.05 for metric in METRICS]
                shares[2] += [differences[metric].low == 0 for metric in METRICS]
        cells = (
            f"{100 * share.min():.1f} to {100 * share.max():.1f}" for share in shares / n_data_sets
        )
        rows.append([name, *cells])
    error = 100 * math.sqrt(0.05 * 0.95 / n_data_sets)
    return list_table(
        f"Equal groups: share of data sets in percent, lowest and highest of {len(METRICS)} "
        f"criteria, with a standard error of {error:.1f} at 95% ({n_data_sets:,} data sets)",
        ["groups", "p (errors) at most 0.05", "p (values) at most 0.05", "interval from 0"],
        rows,
    )


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
