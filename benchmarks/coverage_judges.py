"""Errors of the comparisons of judges with humans, ``python benchmarks/coverage_judges.py``.

First, three humans and a judge who errs as they do grade items of five classes, and the script
counts how often the interval of the difference between judge and humans contains 0. Then two humans
and a judge grade items such that the difference of the alternative-annotator test is epsilon in
truth, and the script counts how often the judge can replace the first human. It takes about four
minutes and writes two tables that docs/guide/coverage.rst shows.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
from _simulation import LEVEL, N_CLASSES, Numbers, share_of_data_sets
from _tables import list_table, write_page
from power_judges import draw

from sklearn_ordinal import OrdinalRatings, compare_judge
from sklearn_ordinal.raters import alternative_annotator_test

CRITERIA = ("cem_ord", "quadratic_weighted_kappa", "ordinal_mean_absolute_error", "accuracy")
MISSING = {"complete": 0.0, "a quarter missing": 0.25}
N_ITEMS = (20, 50, 200)
EPSILONS = (0.1, 0.2)
# How often judge and human are equally close; the rest is divided so that the mean is epsilon.
TIES = {"often": 0.3, "mostly": 0.7, "unless the human is closer": None}
N_ITEMS_OF_TESTS = (30, 50, 100, 400)
N_DATA_SETS, N_DATA_SETS_OF_TESTS = 2_000, 4_000
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage_judges.txt"


def text_of(part: float) -> str:
    tables = (
        _coverage_table(math.ceil(part * N_DATA_SETS)),
        _test_table(math.ceil(part * N_DATA_SETS_OF_TESTS)),
    )
    return "\n\n".join(tables)


def _coverage_table(n_data_sets: int) -> str:
    settings = [(name, n_items) for name in MISSING for n_items in N_ITEMS]
    shares = [
        share_of_data_sets(
            partial(_contains_0, MISSING[name], n_items), n_data_sets, (0, number), n_jobs=1
        )
        for number, (name, n_items) in enumerate(settings)
    ]
    error = 100 * math.sqrt(LEVEL * (1 - LEVEL) / n_data_sets)
    return list_table(
        f"How often the 95% interval of the difference contains 0, in percent, if the judge errs "
        f"as the humans do, with a standard error of {error:.1f} at 95% ({n_data_sets:,} data "
        f"sets)",
        ["criterion", *(f"{name}, {n_items}" for name, n_items in settings)],
        [
            [name, *(f"{100 * by_name[k]:.1f}" for by_name in shares)]
            for k, name in enumerate((*CRITERIA, "severity"))
        ],
    )


def _contains_0(missing: float, n_items: int, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each criterion, and of the severity, contains 0."""
    humans, judge = draw(0.0, n_items, rng)
    grades = np.where(rng.random(humans.shape) < missing, np.nan, humans)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(N_CLASSES))
    report = compare_judge(ratings, judge, metrics=CRITERIA, alpha=LEVEL)
    footings = [by_judge["judge"]["all humans"].difference for by_judge in report.footing.values()]
    return np.array([float(footing.low <= 0 <= footing.high) for footing in footings])


def _test_table(n_data_sets: int) -> str:
    rows = []
    for number, (epsilon, ties) in enumerate((e, name) for e in EPSILONS for name in TIES):
        share = 1 - epsilon if TIES[ties] is None else TIES[ties]
        replaced = [
            share_of_data_sets(
                partial(_is_replaced, epsilon, share, n), n_data_sets, (1, number, key), n_jobs=1
            ).item()
            for key, n in enumerate(N_ITEMS_OF_TESTS)
        ]
        rows.append([f"{epsilon:g}", ties, *(f"{100 * value:.1f}" for value in replaced)])
    error = 100 * math.sqrt(LEVEL * (1 - LEVEL) / n_data_sets)
    return list_table(
        f"How often a judge can replace one human at the level 5%, in percent, if the difference "
        f"is epsilon in truth, with a standard error of {error:.1f} at 5% ({n_data_sets:,} data "
        f"sets)",
        ["epsilon", "equally close", *(f"{n:,} items" for n in N_ITEMS_OF_TESTS)],
        rows,
    )


def _is_replaced(epsilon: float, ties: float, n_items: int, rng: np.random.Generator) -> Numbers:
    """Return whether the test of the first human alone rejects."""
    p_human = (1 - ties + epsilon) / 2
    u = rng.random(n_items)
    is_human, is_judge = u < p_human, u >= p_human + ties
    # The other human always gives the grade 0, and so does whoever is closer.
    grades = np.c_[is_judge, np.zeros(n_items)].astype(np.int64)
    ratings = OrdinalRatings.from_ratings(grades, labels=[0, 1])
    judge = is_human.astype(np.int64)
    test = alternative_annotator_test(ratings, judge, closeness="accuracy", epsilon=epsilon)
    return np.array([float(test.pvalues[0] <= LEVEL)])


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
