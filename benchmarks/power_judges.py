"""Power of the alternative-annotator test, ``python benchmarks/power_judges.py``.

Three humans and a judge grade items of five classes. The judge errs as the humans do, or it is
harsh: its errors are around a lower grade. The script takes about three minutes and writes the
table that docs/guide/judges.rst shows.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
from _simulation import DECAY, N_CLASSES, SHARES, Labels, Numbers, share_of_data_sets
from _tables import list_table, write_page

from sklearn_ordinal import OrdinalRatings
from sklearn_ordinal.raters import AlternativeAnnotatorTest, alternative_annotator_test
from sklearn_ordinal.raters._annotator_test import Closeness

N_HUMANS = 3
N_ITEMS = (50, 100, 200, 500, 1_000)
# By how many classes the centre of the judge's errors is too low, before grades are cut off.
SHIFTS = (0.0, 0.25, 0.5, 0.75, 1.0)
CLOSENESSES: tuple[Closeness, ...] = get_args(Closeness)
N_DATA_SETS, N_ITEMS_OF_POPULATION = 1_000, 200_000
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "power_judges.txt"


def text_of(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    rows = []
    for number, shift in enumerate(SHIFTS):
        severity, *differences = _true_values(shift, np.random.default_rng(number))
        shares = [
            share_of_data_sets(
                partial(_passes, shift, n_items), n_data_sets, (number, key), n_jobs=1
            )
            for key, n_items in enumerate(N_ITEMS)
        ]
        rows.append(
            [
                f"{severity:z.2f}",
                " / ".join(f"{value:z.2f}" for value in differences),
                *(" / ".join(f"{100 * share:.0f}" for share in by_name) for by_name in shares),
            ]
        )
    error = 100 * math.sqrt(0.25 / n_data_sets)
    return list_table(
        f"How often a judge passes by closeness ({' / '.join(CLOSENESSES)}), in percent, with a "
        f"standard error of at most {error:.1f} ({n_data_sets:,} data sets)",
        ["severity", "human - judge", *(f"{n_items:,} items" for n_items in N_ITEMS)],
        rows,
    )


def draw(shift: float, n_items: int, rng: np.random.Generator) -> tuple[Labels, Labels]:
    """Return the grades of the humans, (n_items, n_humans), and of the judge."""
    position = np.arange(N_CLASSES)
    errors = position - position[:, None] + np.array([0.0, shift])[:, None, None]
    upper = np.exp(-DECAY * np.abs(errors)).cumsum(axis=-1)
    upper /= upper[..., -1:]
    truth = rng.choice(N_CLASSES, size=n_items, p=SHARES["even"])
    of_raters = upper[[0] * N_HUMANS + [1]][:, truth, :-1]
    grades = (rng.random((N_HUMANS + 1, n_items, 1)) > of_raters).sum(axis=-1)
    return grades[:-1].T, grades[-1]


def _tests(humans: Labels, judge: Labels) -> list[AlternativeAnnotatorTest]:
    """Return the test with each closeness."""
    ratings = OrdinalRatings.from_ratings(humans, labels=range(N_CLASSES))
    return [alternative_annotator_test(ratings, judge, closeness=name) for name in CLOSENESSES]


def _true_values(shift: float, rng: np.random.Generator) -> list[float]:
    """Return the severity of the judge, and human minus judge by closeness."""
    humans, judge = draw(shift, N_ITEMS_OF_POPULATION, rng)
    differences = [
        float(np.mean([value.estimate for value in test.differences.values()]))
        for test in _tests(humans, judge)
    ]
    return [float(judge.mean() - humans.mean()), *differences]


def _passes(shift: float, n_items: int, rng: np.random.Generator) -> Numbers:
    """Return whether the judge passes with each closeness."""
    return np.array([float(test.is_passed) for test in _tests(*draw(shift, n_items, rng))])


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
