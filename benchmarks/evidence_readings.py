"""The place of CEM_ORD among the criteria of its source, in each reading of the experiment.

`evidence.py` runs it. To the readings of `evidence_synthetic.py` it adds displaced systems that
leave the last tenth of the samples at their own class, and improvements that are strict.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from _paper import COLUMNS, METRICS, PRINTED
from _tables import list_table
from _tasks import run_tasks
from evidence_synthetic import NEAR, PRINTED_EXCHANGED, ROWS, SEED, SPREADS, STEPS
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import spearmanr

from sklearn_ordinal import get_metric
from sklearn_ordinal._core.tolerances import TIE
from sklearn_ordinal.meta_evaluation import OrdinalSystems, make_ordinal_systems

NAME = "Readings of the experiment"
N_SEEDS, N_TEST_CASES, N_SAMPLES = 5, 100, 200
# What the displaced system assigns to the last tenth of the samples.
ENDS = ("class of the last sample", "class of the first samples", "own class")
REFERENCES = ("Acc", "Kendall", "MI")
UNANIMITY = ("at least as good", "better")
CEM = ROWS.index("CEM")


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return the mean coverage of each row and column in each reading."""
    n_seeds = max(1, math.ceil(part * N_SEEDS))
    drawings = list(itertools.product(SPREADS, ENDS, STEPS))
    tasks = [
        (spread, end, step, (SEED, seed), N_TEST_CASES)
        for spread, end, step in drawings
        for seed in range(n_seeds)
    ]
    found = np.array(run_tasks(coverage_of_drawing, tasks, n_jobs=n_jobs, title=NAME))
    means = found.reshape(len(drawings), n_seeds, len(UNANIMITY), *PRINTED.shape).mean(axis=1)
    readings = [
        {"spread": spread, "end": end, "step": step, "unanimity": unanimity, "coverage": values}
        for (spread, end, step), both in zip(drawings, means, strict=True)
        for unanimity, values in zip(UNANIMITY, both, strict=True)
    ]
    return {"n_seeds": n_seeds, "readings": readings}


def coverage_of_drawing(
    spread: str, end: str, step: float, seed: tuple[int, int], n_test_cases: int
) -> NDArray[np.float64]:
    """Return the coverage of one drawing of all systems, (kinds of unanimity, rows, columns)."""
    systems = make_ordinal_systems(
        n_test_cases=n_test_cases,
        n_samples=N_SAMPLES,
        error_rates=np.linspace(step, 1, round(1 / step)),
        spread=SPREADS[spread],
        wrap_around=end == ENDS[1],
        random_state=np.random.default_rng(seed),
    )
    if end == ENDS[2]:
        systems = with_own_class_at_the_end(systems)
    # Means over the test cases are compared, and references within each test case.
    scores = {name: _scores(systems, metric) for name, metric in METRICS.items()}
    kinds = np.array([name.split()[0] for name in systems.names])
    coverage = np.empty((len(UNANIMITY), *PRINTED.shape))
    for column, kind in enumerate(COLUMNS.values()):
        kept = np.flatnonzero(kinds != kind)
        first, second = (kept[side] for side in np.triu_indices(len(kept), 1))
        ratios = _improvement_ratios([scores[name] for name in REFERENCES], first, second)
        for row, name in enumerate(ROWS):
            mean = scores[name].mean(axis=0)
            difference = np.round(mean[first] - mean[second], 9)
            for number, ratio in enumerate(ratios):
                coverage[number, row, column] = spearmanr(
                    np.append(difference, -difference), np.append(ratio, -ratio)
                ).statistic
    return coverage


def with_own_class_at_the_end(systems: OrdinalSystems) -> OrdinalSystems:
    """Return the same systems, but displaced ones are right on the last tenth of the samples."""
    known = systems.predictions
    assert known is not None
    n_test_cases = len(systems.test_cases)
    y_true = known.y_true.reshape(n_test_cases, -1)
    n_last = math.ceil(y_true.shape[1] / 10)
    y_pred = known.y_pred.reshape(-1, *y_true.shape).copy()
    displaced = [k for k, name in enumerate(systems.names) if name.startswith("oDisp")]
    y_pred[displaced, :, -n_last:] = y_true[:, -n_last:]
    changed = type(known)(known.y_true, y_pred.reshape(len(y_pred), -1), known.test_case)
    counts = changed.count(systems.confusion.scale, n_test_cases)
    return OrdinalSystems(counts, systems.names, predictions=changed)


def _scores(systems: OrdinalSystems, metric: Any) -> NDArray[np.float64]:
    """Return values of which higher is better, (test cases, systems)."""
    values = np.nan_to_num(systems.evaluate(metric))
    return values if get_metric(metric).greater_is_better else -values


def _improvement_ratios(
    references: list[NDArray[np.float64]], first: NDArray[np.intp], second: NDArray[np.intp]
) -> list[NDArray[np.float64]]:
    differences = np.stack([one[:, first] - one[:, second] for one in references])
    ratios = []
    for least in (-TIE, TIE):
        improves = (differences > least).all(axis=0).mean(axis=0)
        worsens = (differences < -least).all(axis=0).mean(axis=0)
        ratios.append(np.round(improves - worsens, 9))
    return ratios


def outputs(results: dict[str, Any]) -> dict[str, Any]:
    """Return the distances and places in each reading, the distance of each row, and a figure."""
    readings = results["readings"]
    closest = min(readings, key=lambda one: _distance(one, PRINTED_EXCHANGED).mean())
    return {
        "readings_places.txt": _table_of_places(readings, closest, results["n_seeds"]),
        "readings_rows.txt": _table_of_rows(closest),
        "readings_summary.txt": _summary(readings),
        "readings_places.svg": lambda: _figure(readings),
    }


def _distance(reading: dict[str, Any], printed: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.abs(np.asarray(reading["coverage"]) - printed)


def _places(reading: dict[str, Any]) -> NDArray[np.int64]:
    """Return the place of CEM_ORD in each column."""
    coverage = np.asarray(reading["coverage"])
    return 1 + np.sum(coverage > coverage[CEM], axis=0)


def _summary(readings: list[dict[str, Any]]) -> str:
    places = np.array([_places(one) for one in readings])
    by_column = ", ".join(
        f"{label} {np.sum(of_column == 1)}"
        for label, of_column in zip(COLUMNS, places.T, strict=True)
    )
    closest = min(readings, key=lambda one: _distance(one, PRINTED).mean())
    n_first = np.sum((places == 1).all(axis=1))
    is_far = _distance(closest, PRINTED).mean(axis=1) > NEAR
    far = ", ".join(itertools.compress(ROWS, is_far))
    n_near_exchanged = np.sum(_distance(closest, PRINTED_EXCHANGED).mean(axis=1) <= NEAR)
    return (
        f"Of {len(readings)} readings, CEM_ORD has the highest coverage of the {len(ROWS)} "
        f"criteria in every column in {n_first}. By column, it is first in this many readings: "
        f"{by_column}. In the reading that is closest to the figures as printed, the mean distance "
        f"is {_distance(closest, PRINTED).mean():.3f}, or "
        f"{_distance(closest, PRINTED_EXCHANGED).mean():.3f} if the rows MSE and MAE m are "
        f"exchanged. By the rule of the question, a mean distance of at most {NEAR} in this "
        f"reading, {np.sum(~is_far)} of the {len(ROWS)} rows reproduce, all but {far}; with the "
        f"two rows exchanged, {n_near_exchanged} do."
    )


def _table_of_places(readings: list[dict[str, Any]], closest: dict[str, Any], n_seeds: int) -> str:
    rows = []
    for one in readings:
        cells = [one["spread"], one["end"], f"{one['step']:g}", one["unanimity"]]
        cells += [f"{_distance(one, each).mean():.3f}" for each in (PRINTED, PRINTED_EXCHANGED)]
        cells += [str(place) for place in _places(one)]
        rows.append([f"**{cell}**" for cell in cells] if one is closest else cells)
    header = ["spread", "oDisp: end", "rates from", "unanimous", "distance", "exchanged", *COLUMNS]
    title = (
        f"Mean distance from the printed figures, as printed and with the rows MSE and MAE m "
        f"exchanged, and the place of CEM_ORD among {len(ROWS)} criteria in each column; coverage "
        f"is the mean of {n_seeds} seeds. The reading that is closest with the rows exchanged is "
        f"in bold"
    )
    return list_table(title, header, rows)


def _figure(readings: list[dict[str, Any]]) -> Figure:
    """Show the place of CEM_ORD in each reading and column, the closest reading at the top."""
    nearest = sorted(readings, key=lambda one: _distance(one, PRINTED_EXCHANGED).mean())
    places = np.array([_places(one) for one in nearest])
    edges = np.arange(0.5, places.max() + 1)
    colours = plt.get_cmap("cividis_r", len(edges) - 1)
    figure, ax = plt.subplots(figsize=(4.8, 5.2), layout="constrained")
    mesh = ax.pcolormesh(places, cmap=colours, vmin=edges[0], vmax=edges[-1], edgecolors="white")
    ax.set(
        xticks=np.arange(len(COLUMNS)) + 0.5, yticks=[], ylabel="readings, the closest at the top"
    )
    ax.set_xticklabels(COLUMNS, rotation=30, ha="right")
    ax.invert_yaxis()
    figure.colorbar(mesh, label="place of CEM_ORD", ticks=np.arange(1, places.max() + 1))
    return figure


def _table_of_rows(closest: dict[str, Any]) -> str:
    both = [_distance(closest, each).mean(axis=1) for each in (PRINTED, PRINTED_EXCHANGED)]
    rows = [[name, *(f"{one[k]:.3f}" for one in both)] for k, name in enumerate(ROWS)]
    title = "Mean distance of each row over the columns, in the reading in bold"
    return list_table(title, ["row", "as printed", "rows exchanged"], rows)
