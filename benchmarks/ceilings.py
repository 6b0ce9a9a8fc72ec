"""Ceilings of predictions of a rater's grade, ``python benchmarks/ceilings.py``.

Items have a normal true score, and the grade of a rater is the score with an independent normal
error, rounded to five classes. So the best prediction of a grade from the true score is known, by
integration. The script takes about one minute and writes the tables that docs/guide/ceilings.rst
shows: the two ends of the ceiling of CEM_ORD by the number of grades of an item, with the coverage
of their intervals, and the quadratic kappas of the true scores and of the best possible system.
"""

from __future__ import annotations

import argparse
import math
from functools import partial
from pathlib import Path

import numpy as np
from _simulation import Labels, Numbers, share_of_data_sets
from _tables import list_table
from scipy.special import ndtr

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, get_metric, rating_ceilings

ERROR = 0.8
CUTS = np.array([-1.5, -0.5, 0.5, 1.5])
CEM = get_metric("cem_ord")
N_RATERS, N_ITEMS = (2, 3, 5, 10, 20), (50, 200, 1_000)
N_DATA_SETS, N_ITEMS_OF_POPULATION = 1_000, 400_000
ENDS = ("left_one_out", "in_sample")
GUIDE = Path(__file__).parents[1] / "docs" / "guide"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data, to try it; writes nothing"
    )
    part: float = parser.parse_args().part
    n_population = math.ceil(part * N_ITEMS_OF_POPULATION)
    tables = {
        "ceilings.txt": _table_of_ends(math.ceil(part * N_DATA_SETS), n_population),
        "ceilings_kappa.txt": _kappa_table(n_population),
    }
    print("\n\n".join(tables.values()))
    if part == 1:
        for name, table in tables.items():
            (GUIDE / name).write_text(table + "\n", encoding="utf-8")


def _table_of_ends(n_data_sets: int, n_population: int) -> str:
    """Return the ends of the ceiling, and the coverage of their intervals."""
    true = true_ceiling()
    rows = []
    for number, n_raters in enumerate(N_RATERS):
        values = _values(draw(n_raters, n_population, np.random.default_rng(number))[1])
        expected = [values[name].estimate for name in ENDS]
        shares = [
            share_of_data_sets(
                partial(_covers, n_raters, n_items, (*expected, true)),
                n_data_sets,
                (number, key),
                n_jobs=1,
            )
            for key, n_items in enumerate(N_ITEMS)
        ]
        rows.append(
            [
                str(n_raters),
                *(f"{value:.3f}" for value in expected),
                *(" / ".join(f"{100 * share:.0f}" for share in held) for held in shares),
            ]
        )
    title = (
        f"The two ends of the ceiling of CEM_ORD (true value {true:.3f}), and coverage in percent: "
        f"of the interval left one out / of the interval in sample / of the true ceiling by the "
        f"range ({n_data_sets:,} data sets)"
    )
    header = ["grades per item", "left one out", "in sample", *(f"{n:,} items" for n in N_ITEMS)]
    return list_table(title, header, rows)


def draw(n_raters: int, n_items: int, rng: np.random.Generator) -> tuple[Numbers, Labels]:
    """Return the true score of each item, and its grades, of shape (n_items, n_raters)."""
    scores = rng.normal(size=n_items)
    grades = scores[:, None] + ERROR * rng.normal(size=(n_items, n_raters))
    return scores, np.digitize(grades, CUTS)


def true_ceiling() -> float:
    """Return the CEM_ORD of the best prediction of a grade from the true score."""
    scores = np.linspace(-8, 8, 40_001)
    weights = np.exp(-(scores**2) / 2)
    weights /= weights.sum()
    edges = np.concatenate([[-np.inf], CUTS, [np.inf]])
    shares = np.diff(ndtr((edges - scores[:, None]) / ERROR), axis=1)
    costs = CEM.cost_matrix(weights @ shares)
    assert costs is not None
    best = (shares @ costs).argmin(axis=1)
    counts = np.stack([(weights * (best == k)) @ shares for k in range(len(CUTS) + 1)], axis=1)
    return float(CEM(OrdinalConfusion.from_counts(counts)))


def _values(grades: Labels) -> dict[str, float]:
    ratings = OrdinalRatings.from_ratings(grades, labels=range(len(CUTS) + 1))
    values: dict[str, float] = rating_ceilings(ratings, CEM).ceilings[CEM].values
    return values


def _covers(
    n_raters: int, n_items: int, expected: tuple[float, ...], rng: np.random.Generator
) -> Numbers:
    """Return whether the intervals contain the values that they should, as 0 and 1."""
    _, grades = draw(n_raters, n_items, rng)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(len(CUTS) + 1))
    ceiling = rating_ceilings(ratings, CEM).ceilings[CEM]
    ends = [(ceiling.values[name].low, ceiling.values[name].high) for name in ENDS]
    held = [
        low <= value <= high
        for (low, high), value in zip([*ends, ceiling.interval], expected, strict=True)
    ]
    return np.array(held, dtype=np.float64)


def _kappa_table(n_items: int) -> str:
    """Return the quadratic kappas with a rater, simulated and by the formulas."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=n_items)
    first, second = (scores + ERROR * rng.normal(size=n_items) for _ in range(2))
    rows = []
    for name, rounded in (("continuous grades", lambda x: x), ("five classes", _digitized)):
        r = quadratic_kappa(rounded(first), rounded(second))
        # The best possible system has the variance of the grades.
        best = scores * math.sqrt(1 + ERROR**2)
        rows.append(
            [
                name,
                f"{r:.4f}",
                f"{quadratic_kappa(rounded(scores), rounded(first)):.4f} / {2 * r / (1 + r):.4f}",
                f"{quadratic_kappa(rounded(best), rounded(first)):.4f} / {math.sqrt(r):.4f}",
            ]
        )
    title = f"Quadratic kappa with a rater, simulated / by formula ({n_items:,} items)"
    return list_table(title, ["grades", "another rater", "true scores", "best possible"], rows)


def _digitized(values: Numbers) -> Numbers:
    return np.digitize(values, CUTS).astype(np.float64)


def quadratic_kappa(first: Numbers, second: Numbers) -> float:
    """Return the quadratic kappa of numbers, which need not be classes."""
    by_chance = first.var() + second.var() + (first.mean() - second.mean()) ** 2
    return float(1 - ((first - second) ** 2).mean() / by_chance)


if __name__ == "__main__":
    main()
