"""Coverage of intervals of the agreement of raters, ``python benchmarks/coverage_ratings.py``.

Four raters grade items of five classes, each with errors of their own: one is mild, one is harsh.
Either all grades are known, or each is missing with a probability of a quarter. The true value of a
coefficient is its value in this population. A last table has three raters and few items of very
uneven classes. The script takes about ten minutes and writes the tables that
docs/guide/coverage.rst shows.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
from _simulation import DECAY, N_CLASSES, SHARES, Labels, Numbers, share_of_data_sets
from _tables import list_table
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalMetric, OrdinalRatings, get_metric
from sklearn_ordinal._core.catalogue import IntervalMethod, IntervalScale
from sklearn_ordinal.inference import Interval, bootstrap_interval, delta_interval

COEFFICIENTS = (
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
)
METRICS = {name: get_metric(name) for name in COEFFICIENTS}
N_ITEMS = (20, 50, 200)
SHARES_OF_MISSING = {"complete": 0.0, "a quarter missing": 0.25}
SETTINGS = [(missing, n_items) for missing in SHARES_OF_MISSING for n_items in N_ITEMS]
# How many classes the grades of each rater are too low on average, before they are cut off.
SEVERITIES = (-0.5, 0.0, 0.0, 0.5)
RATERS = ("a", "b", "c", "d")
SCALES: tuple[IntervalScale, ...] = ("logit", "fisher", "linear")
METHODS: tuple[IntervalMethod, ...] = ("bca", "percentile")
N_DATA_SETS, N_DATA_SETS_BOOTSTRAP, N_RESAMPLES = 2_000, 500, 999
# Shares of the grades of three raters, whose errors vary as much as the quality of the items.
UNEVEN_SHARES = ((0.73, 0.17, 0.08, 0.02), (0.60, 0.25, 0.10, 0.05))
N_RATERS_OF_UNEVEN, N_ITEMS_OF_UNEVEN = 3, 20
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage_ratings.txt"
OUTPUT_OF_UNEVEN = OUTPUT.with_name("coverage_uneven_ratings.txt")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    part: float = parser.parse_args().part
    text = "\n\n".join(
        [
            _table(
                "``delta_interval``: on the scale of log-odds / of Fisher's transformation / of "
                "the value",
                "the recorded scale",
                partial(_closed_forms, variants=_by_scale()),
                {name: SCALES.index(metric.interval_scale) for name, metric in METRICS.items()},
                math.ceil(part * N_DATA_SETS),
            ),
            _table(
                f"``bootstrap_interval`` with {N_RESAMPLES} resamples: {' / '.join(METHODS)}",
                "the default",
                _bootstrap,
                {name: METHODS.index(metric.interval_method) for name, metric in METRICS.items()},
                math.ceil(part * N_DATA_SETS_BOOTSTRAP),
            ),
        ]
    )
    uneven = _table_of_uneven(math.ceil(part * N_DATA_SETS))
    print(f"{text}\n\n{uneven}")
    if part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")
        OUTPUT_OF_UNEVEN.write_text(uneven + "\n", encoding="utf-8")


def _by_scale() -> dict[str, OrdinalMetric]:
    """Return each metric on each scale, by a name for both."""
    return {
        f"{name}, {scale}": replace(metric, interval_scale=scale)
        for name, metric in METRICS.items()
        for scale in SCALES
    }


@cache
def population(truth: str, missing: str) -> tuple[Labels, Numbers]:
    """Return all patterns of grades, -1 where there is none, and their probabilities."""
    position, share_of_missing = np.arange(N_CLASSES), SHARES_OF_MISSING[missing]
    errors = position - position[:, None] + np.array(SEVERITIES)[:, None, None]
    grades = np.exp(-DECAY * np.abs(errors))
    grades *= (1 - share_of_missing) / grades.sum(axis=-1, keepdims=True)
    none = np.full((*grades.shape[:2], 1), share_of_missing)
    by_rater = np.concatenate([none, grades], axis=-1)
    patterns = np.array(list(product(range(-1, N_CLASSES), repeat=len(RATERS))))
    of_pattern = [by_rater[rater][:, patterns[:, rater] + 1] for rater in range(len(RATERS))]
    return patterns, SHARES[truth] @ np.prod(of_pattern, axis=0)


@cache
def true_values(truth: str, missing: str) -> Mapping[str, float]:
    """Return the value of each coefficient in the population."""
    patterns, shares = population(truth, missing)
    # With so many items, alpha is close to its limit.
    ratings = OrdinalRatings(
        range(N_CLASSES), patterns, np.arange(len(patterns)), RATERS, weights=1e9 * shares
    )
    return {name: metric(ratings) for name, metric in METRICS.items()}


def draw(truth: str, missing: str, n_items: int, rng: np.random.Generator) -> OrdinalRatings:
    """Return the grades of some items."""
    patterns, shares = population(truth, missing)
    pattern = rng.choice(len(patterns), size=n_items, p=shares)
    grades = np.where(patterns[pattern] < 0, np.nan, patterns[pattern])
    return OrdinalRatings.from_ratings(grades, labels=range(N_CLASSES))


def _closed_forms(
    truth: str,
    missing: str,
    n_items: int,
    rng: np.random.Generator,
    *,
    variants: Mapping[str, OrdinalMetric],
) -> Numbers:
    """Return whether the interval of each coefficient on each scale contains its true value."""
    ratings = draw(truth, missing, n_items, rng)
    return _holds(delta_interval(ratings, metrics=variants), true_values(truth, missing))


def _bootstrap(truth: str, missing: str, n_items: int, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each coefficient by each method contains its true value."""
    ratings, seed = draw(truth, missing, n_items, rng), int(rng.integers(2**31))
    intervals = [
        bootstrap_interval(
            ratings, metrics=METRICS, n_resamples=N_RESAMPLES, method=method, random_state=seed
        )
        for method in METHODS
    ]
    by_variant = {
        f"{name}, {method}": by_name[name]
        for name in COEFFICIENTS
        for method, by_name in zip(METHODS, intervals, strict=True)
    }
    return _holds(by_variant, true_values(truth, missing))


def _holds(intervals: Mapping[str, Interval], values: Mapping[str, float]) -> Numbers:
    """Return whether intervals contain the values, (n_coefficients, n_variants)."""
    held = [
        interval.low <= values[name.partition(",")[0]] <= interval.high
        for name, interval in intervals.items()
    ]
    return np.reshape(held, (len(COEFFICIENTS), -1)).astype(np.float64)


def _table(
    intervals: str,
    in_bold: str,
    simulation: Callable[..., Numbers],
    recorded: Mapping[str, int],
    n_data_sets: int,
) -> str:
    rows = []
    with warnings.catch_warnings():
        # An undefined interval counts as an interval that does not contain the true value.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        by_truth = {
            truth: np.array(
                [
                    share_of_data_sets(
                        partial(simulation, truth, *setting), n_data_sets, (number, key), n_jobs=1
                    )
                    for key, setting in enumerate(SETTINGS)
                ]
            )
            for number, truth in enumerate(SHARES)
        }
    for number, name in enumerate(COEFFICIENTS):
        for truth, shares in by_truth.items():
            cells = [
                " / ".join(
                    f"**{100 * share:.1f}**" if k == recorded[name] else f"{100 * share:.1f}"
                    for k, share in enumerate(of_setting[number])
                )
                for of_setting in shares
            ]
            rows.append([f"{name}, {truth}", *cells])
    error = 100 * math.sqrt(0.95 * 0.05 / n_data_sets)
    return list_table(
        f"Coverage of 95% intervals of the agreement of four raters by {intervals}, in percent, "
        f"{in_bold} in bold, with a standard error of {error:.1f} at 95% ({n_data_sets:,} data "
        f"sets)",
        ["coefficient", *(f"{missing}, {n_items}" for missing, n_items in SETTINGS)],
        rows,
    )


@cache
def uneven_population(shares: tuple[float, ...]) -> tuple[Labels, Numbers]:
    """Return all patterns of grades and their probabilities.

    A grade is the quality of the item plus an error, both standard normal, cut into classes.
    """
    cuts = stats.norm.ppf(np.cumsum(shares)[:-1]) * math.sqrt(2)
    quality = np.linspace(-8, 8, 2001)
    below = stats.norm.cdf(cuts - quality[:, None])
    grades = np.diff(below, prepend=0, append=1, axis=1)
    patterns = np.array(list(product(range(len(shares)), repeat=N_RATERS_OF_UNEVEN)))
    density = stats.norm.pdf(quality)
    by_pattern = density @ grades[:, patterns].prod(axis=2)
    return patterns, by_pattern / by_pattern.sum()


def _uneven(
    shares: tuple[float, ...], values: Mapping[str, float], rng: np.random.Generator
) -> Numbers:
    """Return for each coefficient its error, and whether its interval contains the true value."""
    patterns, probabilities = uneven_population(shares)
    pattern = rng.choice(len(patterns), size=N_ITEMS_OF_UNEVEN, p=probabilities)
    ratings = OrdinalRatings.from_ratings(patterns[pattern], labels=range(len(shares)))
    intervals = delta_interval(ratings, metrics=METRICS)
    # Samples of a single class, which are rare, have no value.
    errors = [
        np.nan_to_num(interval.estimate - values[name]) for name, interval in intervals.items()
    ]
    return np.stack([errors, _holds(intervals, values)[:, 0]])


def _table_of_uneven(n_data_sets: int) -> str:
    cells: dict[str, list[str]] = {name: [] for name in COEFFICIENTS}
    for number, shares in enumerate(UNEVEN_SHARES):
        patterns, probabilities = uneven_population(shares)
        population = OrdinalRatings(
            range(len(shares)),
            patterns,
            np.arange(len(patterns)),
            RATERS[:N_RATERS_OF_UNEVEN],
            weights=1e9 * probabilities,
        )
        values = {name: metric(population) for name, metric in METRICS.items()}
        means = share_of_data_sets(
            partial(_uneven, shares, values), n_data_sets, (2, number), n_jobs=1
        )
        for name, error, share in zip(COEFFICIENTS, *means.tolist(), strict=True):
            cells[name] += [f"{values[name]:.2f}", f"{error:+z.3f}", f"{100 * share:.1f}"]
    error = 100 * math.sqrt(0.95 * 0.05 / n_data_sets)
    names = ["/".join(f"{100 * share:.0f}" for share in shares) for shares in UNEVEN_SHARES]
    return list_table(
        f"Agreement of three raters on {N_ITEMS_OF_UNEVEN} items of very uneven classes: true "
        f"value, bias, and coverage of 95% intervals by ``delta_interval`` in percent, with a "
        f"standard error of {error:.1f} at 95% ({n_data_sets:,} data sets), by the percentages of "
        f"the four classes",
        [
            "coefficient",
            *(f"{name}, {what}" for name in names for what in ("true", "bias", "coverage")),
        ],
        [[name, *of_name] for name, of_name in cells.items()],
    )


if __name__ == "__main__":
    main()
