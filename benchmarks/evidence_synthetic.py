"""The synthetic experiment with which CEM_ORD was introduced, repeated.

The coverage of the criteria is computed on 50 synthetic systems, and without each of the five kinds
of systems, for several readings of details that the source leaves open. `evidence.py` runs it.
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
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import spearmanr

from sklearn_ordinal import get_metric, get_metric_names
from sklearn_ordinal.meta_evaluation import make_ordinal_systems, metric_coverage

NAME = "Synthetic systems"
SEED = 20_200_705
N_SEEDS, N_TEST_CASES = 20, 100

SPREADS = {"standard deviation": (1.0, 3.0), "variance": (1.0, math.sqrt(3.0))}
STEPS = (0.05, 0.1, 0.2)
# Criteria without a direction, such as the bias, rank nothing.
CATALOGUE = [
    name
    for name in get_metric_names()
    if get_metric(name).evidence.name == "labels" and get_metric(name).greater_is_better is not None
]
Reading = tuple[str, bool, float]
READINGS: list[Reading] = list(itertools.product(SPREADS, (False, True), STEPS))
# Other metrics that the name of a row could stand for.
ALTERNATIVES = {
    "Kendall": ["kendall_tau_b", "kendall_tau_c", "goodman_kruskal_gamma"],
    "F": ["reliability_sensitivity_f"],
    "Kappa": ["linear_weighted_kappa", "quadratic_weighted_kappa"],
    "MAE m": ["ordinal_mean_squared_error"],
    "MSE": ["macro_averaged_mean_absolute_error"],
    "Spearman": ["goodman_kruskal_gamma"],
}
# Two printed rows, each of which is closer to the metric of the other row.
EXCHANGED = ("MAE m", "MSE")
# Mean distance from the printed figures at which a row counts as reproduced.
NEAR = 0.025

ROWS = list(METRICS)
PRINTED_EXCHANGED = PRINTED.copy()
PRINTED_EXCHANGED[[ROWS.index(name) for name in EXCHANGED]] = PRINTED[
    [ROWS.index(name) for name in reversed(EXCHANGED)]
]

# By metric: the columns of the table, or (seeds, columns).
Coverage = dict[str, NDArray[np.float64]]


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return the mean coverage in each reading, and the coverage of each seed in the closest."""
    n_seeds = max(2, math.ceil(part * N_SEEDS))
    tasks = [
        (SPREADS[spread], wraps, step, (SEED, seed), N_TEST_CASES)
        for spread, wraps, step in READINGS
        for seed in range(n_seeds)
    ]
    found = run_tasks(coverage_of_systems, tasks, n_jobs=n_jobs, title=NAME)
    drawings = [found[start : start + n_seeds] for start in range(0, len(found), n_seeds)]
    coverages = [
        {name: np.array([drawing[name] for drawing in of_reading]) for name in found[0]}
        for of_reading in drawings
    ]
    means = [
        {name: values.mean(axis=0) for name, values in coverage.items()} for coverage in coverages
    ]
    closest = int(np.argmin([_distances(mean, PRINTED).mean() for mean in means]))
    return {
        "n_seeds": n_seeds,
        "readings": [
            {"spread": spread, "wraps": wraps, "step": step, "coverage": mean}
            for (spread, wraps, step), mean in zip(READINGS, means, strict=True)
        ],
        "closest": closest,
        "coverage": coverages[closest],
    }


def coverage_of_systems(
    spread: tuple[float, float],
    wraps: bool,
    step: float,
    seed: tuple[int, int],
    n_test_cases: int,
) -> dict[str, list[float]]:
    """Return the coverage by each metric in each column for one drawing of all systems."""
    systems = make_ordinal_systems(
        n_test_cases=n_test_cases,
        error_rates=np.linspace(step, 1, round(1 / step)),
        spread=spread,
        wrap_around=wraps,
        random_state=np.random.default_rng(seed),
    )
    columns = []
    for kind in COLUMNS.values():
        kept = systems.subset(name for name in systems.names if name.split()[0] != kind)
        columns.append(metric_coverage(kept, metrics=[METRICS["Kappa"], *CATALOGUE]).coverage)
    return {name: [column[name].estimate for column in columns] for name in columns[0]}


def _name(metric: Any) -> str:
    return get_metric(metric).name


# --- tables and figures ----------------------------------------------------------------


def outputs(results: dict[str, Any]) -> dict[str, Any]:
    """Return the tables and the figure."""
    reading = results["readings"][results["closest"]]
    mean, coverage = _as_arrays(reading["coverage"]), _as_arrays(results["coverage"])
    return {
        "synthetic_summary.txt": _summary(mean),
        "synthetic_readings.txt": _table_of_readings(results),
        "synthetic_coverage.txt": _table_of_coverage(coverage, reading),
        "synthetic_names.txt": _table_of_names(mean),
        "synthetic_catalogue.txt": _table_of_catalogue(mean),
        "synthetic_best.txt": _table_of_best(coverage),
        "synthetic_coverage.svg": lambda: _figure(coverage),
    }


def _as_arrays(coverage: dict[str, Any]) -> Coverage:
    return {name: np.array(values, dtype=np.float64) for name, values in coverage.items()}


def _of_rows(coverage: Coverage) -> NDArray[np.float64]:
    """Return the coverage by the metric of each row, (rows, columns) or (seeds, rows, columns)."""
    return np.stack([coverage[_name(metric)] for metric in METRICS.values()], axis=-2)


def _distances(mean: Coverage, printed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of the mean over the seeds from each printed figure, (rows, columns)."""
    return np.abs(_of_rows(mean) - printed)


def _summary(mean: Coverage) -> str:
    """Say which rows are reproduced with the closest reading."""
    distances = dict(zip(ROWS, _distances(mean, PRINTED_EXCHANGED).mean(axis=1), strict=True))
    near, far = (
        ", ".join(
            f"{name} {distance:.3f}"
            for name, distance in sorted(distances.items(), key=lambda item: item[1])
            if (distance <= NEAR) == is_near
        )
        for is_near in (True, False)
    )
    exchanged = "; ".join(
        f"{name} is {_distance_from_row(mean, name, _name(METRICS[name])):.3f} from its "
        f"own metric and {_distance_from_row(mean, name, _name(METRICS[other])):.3f} from that "
        f"of {other}"
        for name, other in (EXCHANGED, reversed(EXCHANGED))
    )
    return "\n".join(
        [
            f"- Each of the printed rows {' and '.join(EXCHANGED)} is closer to the metric of the "
            f"other: {exchanged}. The rest of this list exchanges them.",
            f"- Rows that reproduce, with a mean distance of at most {NEAR} from the printed "
            f"figures: {near}.",
            f"- Rows that do not: {far}.",
            "- Not repeated: the columns on submissions to shared tasks, since the submissions are "
            "not public.",
        ]
    )


def _distance_from_row(mean: Coverage, row: str, metric: str) -> float:
    """Return the mean distance of a metric from a printed row."""
    printed = PRINTED[ROWS.index(row)]
    return float(np.abs(mean[metric] - printed).mean())


def _table_of_readings(results: dict[str, Any]) -> str:
    header = [
        "spread",
        "oDisp wraps around",
        "error rates",
        "as printed: distance",
        "rank correlation",
        "rows exchanged: distance",
        "rank correlation",
        "without oDisp: distance",
    ]
    rows = []
    for number, reading in enumerate(results["readings"]):
        mean, step = _as_arrays(reading["coverage"]), reading["step"]
        wraps = "yes" if reading["wraps"] else "no"
        cells = [reading["spread"], wraps, f"{step:g}, {2 * step:g}, ..., 1"]
        for printed in (PRINTED, PRINTED_EXCHANGED):
            cells.append(f"{_distances(mean, printed).mean():.3f}")
            cells.append(f"{spearmanr(_of_rows(mean).ravel(), printed.ravel()).statistic:.2f}")
        without = list(COLUMNS).index("without oDisp")
        cells.append(f"{_distances(mean, PRINTED_EXCHANGED)[:, without].mean():.3f}")
        is_closest = number == results["closest"]
        rows.append([f"**{cell}**" for cell in cells] if is_closest else cells)
    title = (
        f"Readings of the experiment: mean absolute distance of the coverage, averaged over "
        f"{results['n_seeds']} seeds, from the {PRINTED.size} printed figures, and Spearman's "
        f"correlation with them; the same with the printed rows {' and '.join(EXCHANGED)} "
        f"exchanged, and then the distance in the column without oDisp alone. The closest reading "
        f"is in bold"
    )
    return list_table(title, header, rows)


def _table_of_coverage(coverage: Coverage, reading: dict[str, Any]) -> str:
    ours, step = _of_rows(coverage), reading["step"]
    rows = []
    for row, (name, metric) in enumerate(METRICS.items()):
        cells = [
            f"{ours[:, row, column].mean():.3f} ± {ours[:, row, column].std(ddof=1):.3f} "
            f"({PRINTED[row, column]:.2f})"
            for column in range(len(COLUMNS))
        ]
        rows.append([name, f"``{_name(metric)}``", *cells])
    wraps = "wraps" if reading["wraps"] else "does not wrap"
    title = (
        f"Coverage of all systems, and without one kind: mean and standard deviation over "
        f"{len(ours)} seeds, and in brackets the printed figure. The spread is a "
        f"{reading['spread']}, oDisp {wraps} around, the error rates are {step:g}, {2 * step:g}, "
        f"..., 1"
    )
    return list_table(title, ["row", "metric", *COLUMNS], rows)


def _table_of_names(mean: Coverage) -> str:
    rows = []
    for name, others in ALTERNATIVES.items():
        printed = PRINTED[ROWS.index(name)]
        rows.append([name, "as printed", *(f"{value:.2f}" for value in printed), ""])
        for metric in [_name(METRICS[name]), *others]:
            cells = [f"{value:.3f}" for value in mean[metric]]
            distance = _distance_from_row(mean, name, metric)
            rows.append(["", f"``{metric}``", *cells, f"{distance:.3f}"])
    title = "What the name of a row could stand for: coverage, and mean distance from the row"
    return list_table(title, ["row", "metric", *COLUMNS, "distance"], rows)


def _table_of_catalogue(mean: Coverage) -> str:
    row_of = {_name(metric): row for row, metric in METRICS.items()}
    highest = np.max(list(mean.values()), axis=0)
    rows = []
    for name in sorted(mean, key=lambda name: -mean[name][0]):
        cells = [
            f"**{value:.3f}**" if value == best else f"{value:.3f}"
            for value, best in zip(mean[name], highest, strict=True)
        ]
        rows.append([f"``{name}``", row_of.get(name, ""), *cells])
    title = (
        "Coverage of all metrics of predicted classes, with the row of the source if it has one. "
        "The highest of each column is in bold"
    )
    return list_table(title, ["metric", "row", *COLUMNS], rows)


def _table_of_best(coverage: Coverage) -> str:
    names = np.array([_name(metric) for metric in METRICS.values()])
    ours, printed_names = _of_rows(coverage), np.array(ROWS)
    difference = coverage["cem_ord"] - coverage["macro_averaged_mean_absolute_error"]
    rows = []
    for column, label in enumerate(COLUMNS):
        mean = ours[..., column].mean(axis=0)
        ours_best, printed_best = (
            np.argsort(-values, kind="stable")[:3] for values in (mean, PRINTED[:, column])
        )
        of_column = difference[:, column]
        rows.append(
            [
                label,
                ", ".join(f"{printed_names[k]} {PRINTED[k, column]:.2f}" for k in printed_best),
                ", ".join(f"``{names[k]}`` {mean[k]:.3f}" for k in ours_best),
                f"{of_column.mean():+.3f} ± {of_column.std(ddof=1):.3f}",
                f"{(of_column > 0).mean():.0%}",
            ]
        )
    header = [
        "systems",
        "best three in print",
        "best three here",
        "``cem_ord`` minus macro MAE",
        "seeds where ``cem_ord`` is higher",
    ]
    title = (
        f"The criteria of highest coverage, of those in print, and the difference between CEM_ORD "
        f"and the macro-averaged mean absolute error: mean and standard deviation over {len(ours)} "
        f"seeds"
    )
    return list_table(title, header, rows)


def _figure(coverage: Coverage) -> Figure:
    """Plot the coverage of each criterion here and in print, by column of the table."""
    ours = _of_rows(coverage)
    mean, deviation = ours.mean(axis=0), ours.std(axis=0, ddof=1)
    order = np.argsort(mean[:, 0])
    position = np.arange(len(order))
    figure, axes = plt.subplots(
        2, 3, figsize=(9, 8), sharex=True, sharey=True, layout="constrained"
    )
    for column, (label, ax) in enumerate(zip(COLUMNS, axes.flat, strict=True)):
        ax.hlines(
            position,
            *np.sort([mean[order, column], PRINTED[order, column]], axis=0),
            color="0.75",
            zorder=1,
        )
        ax.errorbar(
            mean[order, column],
            position,
            xerr=2 * deviation[order, column],
            fmt="o",
            markersize=5,
            color="#0072b2",
            label="here, ± 2 standard deviations over seeds",
        )
        ax.plot(
            PRINTED[order, column],
            position,
            "D",
            markersize=5,
            markerfacecolor="white",
            markeredgecolor="#c04000",
            label="in print",
        )
        ax.set_title(label)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
    axes[0, 0].set_yticks(position, np.array(ROWS)[order])
    figure.supxlabel("coverage")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure
