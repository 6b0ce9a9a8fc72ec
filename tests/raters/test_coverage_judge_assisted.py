"""The simulated coverage and width of judge-assisted intervals in the user guide."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide"
JUDGES = ("good", "biased", "useless")


def rows_of_tables():
    """Return the numbers in the cells of both tables, by the judge and the criterion."""
    tables = (GUIDE / "judge_assisted.txt").read_text(encoding="utf-8").split(".. list-table")[1:]
    rows = [
        [re.split(r"\n +- ", row.strip()) for row in text.split("\n   * - ")[2:]] for text in tables
    ]
    return [
        {
            tuple(name.split(", ")): [
                [float(number) for number in re.findall(r"[-+]?\d+\.\d+", cell)] for cell in cells
            ]
            for name, *cells in table
        }
        for table in rows
    ]


COVERAGE = rows_of_tables()[1]


def test_intervals_cover_better_on_their_scale_than_symmetric_normal_intervals():
    cells = np.minimum([cell for row in COVERAGE.values() for cell in row], 95)
    transformed, symmetric, _ = cells.mean(axis=0)
    assert transformed > symmetric + 0.5


@pytest.mark.parametrize("judge", JUDGES)
def test_the_population_of_the_simulation_has_the_right_margins(judge, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    benchmark = importlib.import_module("judge_assisted")
    shares = benchmark.joint_shares(judge)
    np.testing.assert_allclose(shares.sum(axis=(1, 2)), benchmark.CLASS_SHARES)
    agreement = np.einsum("ijj->", shares)
    independent = np.einsum("ij,ik->ijk", shares.sum(axis=2), shares.sum(axis=1))
    independent /= benchmark.CLASS_SHARES[:, None, None]
    by_chance = np.einsum("ijj->", independent)
    # Only the biased judge agrees with the system more often than both agree with the truth.
    assert (agreement > by_chance + 0.05) == (judge == "biased")
