"""Judge-assisted intervals in simulations, ``python benchmarks/judge_assisted.py``.

A system predicts the classes of items, a judge grades all of them, and humans grade a few, without
errors. The judge is good, with errors of its own that are rarer than those of the system; or
biased, since it repeats the prediction of the system for half of the items and is good otherwise;
or useless, since its grades are random. The true value of a criterion is its value in this
population. The script takes about a minute and writes the tables of
docs/guide/judges.rst.
"""

from __future__ import annotations

import math
from functools import cache, partial
from pathlib import Path

import numpy as np
from _simulation import DECAY, N_CLASSES, Labels, Numbers, share_of_data_sets, shares_of_predictions
from _tables import list_table, write_page
from scipy.special import ndtri

from sklearn_ordinal import get_metric, judge_assisted_interval
from sklearn_ordinal.inference import Interval

CRITERIA = (
    "cem_ord",
    "quadratic_weighted_kappa",
    "macro_averaged_mean_absolute_error",
    "accuracy",
)
JUDGES = ("good", "biased", "useless")
CLASS_SHARES = np.array([0.35, 0.25, 0.2, 0.12, 0.08])
DECAY_OF_JUDGE, SHARE_OF_REPEATED = 2.0, 0.5
N_GRADED, N_JUDGE_ONLY = (50, 100, 200, 500), 5_000
# The first table has the values with this number of graded items.
N_GRADED_OF_VALUES = 200
N_DATA_SETS = 2_000
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "judge_assisted.txt"


def text_of(part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    results = {
        (judge, n_graded): share_of_data_sets(
            partial(_measured, judge, n_graded), n_data_sets, (number, n_graded), n_jobs=1
        )
        for number, judge in enumerate(JUDGES)
        for n_graded in N_GRADED
    }
    return "\n\n".join([_values(results, n_data_sets), _coverage(results, n_data_sets)])


def joint_shares(judge: str) -> Numbers:
    """Return the share of each combination of the true class, the prediction and the grade."""
    of_system, of_judge = shares_of_predictions(DECAY), shares_of_predictions(DECAY_OF_JUDGE)
    grades = np.broadcast_to(of_judge[:, None, :], (N_CLASSES,) * 3)
    if judge == "biased":
        repeated = np.eye(N_CLASSES)
        grades = SHARE_OF_REPEATED * repeated + (1 - SHARE_OF_REPEATED) * grades
    elif judge == "useless":
        grades = np.broadcast_to(CLASS_SHARES, grades.shape)
    shares: Numbers = CLASS_SHARES[:, None, None] * of_system[..., None] * grades
    return shares


@cache
def true_values() -> list[float]:
    """Return the value of each criterion in the population."""
    shares = CLASS_SHARES[:, None] * shares_of_predictions(DECAY)
    return [float(get_metric(name).statistic(shares)) for name in CRITERIA]


def draw(judge: str, n_graded: int, rng: np.random.Generator) -> tuple[Numbers, Labels, Labels]:
    """Return grades of humans, predictions and grades of the judge.

    Humans grade an item of each class, since some criteria need this.
    """
    shares = joint_shares(judge)
    while True:
        cells = rng.choice(shares.size, size=n_graded + N_JUDGE_ONLY, p=shares.ravel())
        human, predicted, graded = np.unravel_index(cells, shares.shape)
        if len(np.unique(human[:n_graded])) == N_CLASSES:
            is_graded = np.arange(len(cells)) < n_graded
            return np.where(is_graded, human, np.nan), predicted, graded


def _measured(judge: str, n_graded: int, rng: np.random.Generator) -> Numbers:
    """Return for each criterion what the tables show of a data set, (n_criteria, 8)."""
    y_true, y_pred, grades = draw(judge, n_graded, rng)
    result = judge_assisted_interval(y_true, y_pred, grades, CRITERIA, labels=range(N_CLASSES))
    rows = []
    for name, value in zip(CRITERIA, true_values(), strict=True):
        both, humans, alone = (
            by_name[name] for by_name in (result.intervals, result.humans_alone, result.judge_alone)
        )
        assert both.standard_error is not None
        is_near = abs(both.estimate - value) <= ndtri(0.975) * both.standard_error
        holds = [interval.low <= value <= interval.high for interval in (both, humans, alone)]
        rows.append(
            [
                *holds,
                is_near,
                alone.estimate - value,
                _width(both),
                _width(humans),
                result.tuning[name],
            ]
        )
    return np.array(rows, dtype=np.float64)


def _width(interval: Interval) -> float:
    return interval.high - interval.low


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _values(results: dict[tuple[str, int], Numbers], n_data_sets: int) -> str:
    rows = []
    for judge in JUDGES:
        for name, row in zip(CRITERIA, results[judge, N_GRADED_OF_VALUES], strict=True):
            both, humans, alone, _, bias, width, width_of_humans, tuning = row.tolist()
            rows.append(
                [
                    f"{judge}, {name}",
                    f"{bias:+.3f}",
                    " / ".join(map(_percent, (both, humans, alone))),
                    f"{width:.3f} / {width_of_humans:.3f}",
                    _percent(1 - width / width_of_humans),
                    f"{tuning:.2f}",
                ]
            )
    return list_table(
        f"Values with {N_GRADED_OF_VALUES} graded items and {N_JUDGE_ONLY:,} items of the judge "
        f"only: humans and judge / humans alone / judge alone ({n_data_sets:,} data sets)",
        [
            "judge and criterion",
            "judge alone is off by",
            "coverage, in percent",
            "width, with and without the judge",
            "narrower by, in percent",
            "lambda",
        ],
        rows,
    )


def _coverage(results: dict[tuple[str, int], Numbers], n_data_sets: int) -> str:
    rows = [
        [
            f"{judge}, {name}",
            *(
                f"**{_percent(row[0])}** / {_percent(row[3])} / {_percent(row[1])}"
                for row in (results[judge, n_graded][number] for n_graded in N_GRADED)
            ),
        ]
        for judge in JUDGES
        for number, name in enumerate(CRITERIA)
    ]
    error = 100 * math.sqrt(0.95 * 0.05 / n_data_sets)
    return list_table(
        f"Coverage of 95% intervals by the number of graded items, in percent: the interval of "
        f"``judge_assisted_interval`` in bold / the value plus or minus 1.96 standard errors / "
        f"humans alone, with a standard error of {error:.1f} at 95% ({n_data_sets:,} data sets)",
        ["judge and criterion", *(f"{n_graded} graded" for n_graded in N_GRADED)],
        rows,
    )


if __name__ == "__main__":
    write_page(__doc__, OUTPUT, text_of)
