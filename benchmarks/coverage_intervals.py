"""Coverage of the intervals, and rejection rates of the tests under true hypotheses.

Run ``python benchmarks/coverage_intervals.py`` from the checkout. It takes about forty minutes and
writes the tables that docs/guide/coverage.rst shows. The result depends on the seed and not on the
number of processes, and the numbers of a metric do not depend on the other metrics.

`_simulation.py` describes the populations. The true value of a metric is its value in the
population, so the intervals of a metric that is biased in small samples have a lower coverage.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _simulation import (
    DECAY,
    DECAY_OF_WORSE,
    LEVEL,
    N_CLASSES,
    N_RESAMPLES,
    NAMES_OF_FORECASTS,
    NAMES_OF_LABELS,
    NOISE,
    NOISE_OF_WORSE,
    SHARES,
    Labels,
    Numbers,
    predictions,
    probabilities,
    share_of_data_sets,
    shares_of_predictions,
    signals,
    systems,
    systems_of_forecasts,
    true_values,
    true_values_of_forecasts,
)
from _tables import list_table
from numpy.typing import NDArray
from scipy.stats import ttest_rel
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from sklearn_ordinal import (
    get_metric,
)
from sklearn_ordinal.inference import (
    Interval,
    bootstrap_interval,
    corrected_t_test,
    paired_difference,
)

METRIC_NAMES = [*NAMES_OF_LABELS, *NAMES_OF_FORECASTS]
SAMPLE_SIZES = (30, 80, 300)
SETTINGS = [(truth, n_samples) for truth in SHARES for n_samples in SAMPLE_SIZES]
# Differences and tests keep what they reach with 300 samples.
SETTINGS_OF_COVERAGE = [*SETTINGS, *((truth, 1_000) for truth in SHARES)]
METHODS = ("bca", "percentile", "basic")
N_DATA_SETS = 1_000
N_DATA_SETS_PAIRED, N_RESAMPLES_PAIRED = 500, 399
# 0.05 * (number + 1) is a whole number, so that the test can reach its level exactly.
N_TRIALS = 199
N_DATA_SETS_CV, N_SAMPLES_CV, N_SPLITS, N_REPEATS = 1_000, 200, 5, 2
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage.txt"


def main() -> None:
    arguments = _parse_arguments()
    parts = (
        _coverage,
        _coverage_of_differences,
        _size_of_paired_test,
        _size_of_corrected_test,
    )
    text = "\n\n".join(part(arguments.n_jobs, arguments.part) for part in parts)
    print(text)
    if arguments.part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    return parser.parse_args()


# --- what is simulated -----------------------------------------------------------------


def holds_true_value(truth: str, n_samples: int, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each metric by each method contains its true value."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    (rng_of_forecasts,) = rng.spawn(1)
    return np.concatenate(
        [
            _holds_value_of_labels(truth, y_true, rng),
            holds_value_of_forecasts(truth, y_true, rng_of_forecasts),
        ]
    )


def _holds_value_of_labels(truth: str, y_true: Labels, rng: np.random.Generator) -> Numbers:
    y_pred = predictions(y_true, DECAY, rng)
    resample = partial(
        bootstrap_interval,
        y_true,
        y_pred,
        NAMES_OF_LABELS,
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES,
        random_state=int(rng.integers(2**31)),
    )
    return _held(resample, true_values(SHARES[truth], shares_of_predictions()))


def holds_value_of_forecasts(truth: str, y_true: Labels, rng: np.random.Generator) -> Numbers:
    """Return the same for metrics of probabilities and scores."""
    y_proba = probabilities(signals(y_true, NOISE, rng), NOISE, SHARES[truth], rng)
    resample = partial(
        bootstrap_interval,
        y_true,
        y_proba,
        NAMES_OF_FORECASTS,
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES,
        random_state=int(rng.integers(2**31)),
    )
    return _held(resample, true_values_of_forecasts(truth)[0])


def holds_true_difference(truth: str, n_samples: int, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each difference by each method contains the true one."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    (rng_of_forecasts,) = rng.spawn(1)
    return np.concatenate(
        [
            _holds_difference_of_labels(truth, y_true, rng),
            holds_difference_of_forecasts(truth, y_true, rng_of_forecasts),
        ]
    )


def _holds_difference_of_labels(truth: str, y_true: Labels, rng: np.random.Generator) -> Numbers:
    compare = partial(
        paired_difference,
        y_true,
        *systems(y_true, DECAY_OF_WORSE, rng),
        NAMES_OF_LABELS,
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES_PAIRED,
        random_state=int(rng.integers(2**31)),
    )
    better = shares_of_predictions()
    worse = (better + shares_of_predictions(DECAY_OF_WORSE)) / 2
    return _held(compare, true_values(SHARES[truth], better) - true_values(SHARES[truth], worse))


def holds_difference_of_forecasts(truth: str, y_true: Labels, rng: np.random.Generator) -> Numbers:
    """Return the same for metrics of probabilities and scores."""
    compare = partial(
        paired_difference,
        y_true,
        *systems_of_forecasts(y_true, SHARES[truth], NOISE_OF_WORSE, rng),
        NAMES_OF_FORECASTS,
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES_PAIRED,
        random_state=int(rng.integers(2**31)),
    )
    first, second = true_values_of_forecasts(truth)
    return _held(compare, first - second)


def _held(intervals_by: Callable[..., Mapping[str, Interval]], values: Numbers) -> Numbers:
    """Return whether intervals contain the values; an interval with NaN contains nothing."""
    bca, percentile = (intervals_by(method=method) for method in ("bca", "percentile"))
    held = []
    for name, value in zip(bca, values, strict=True):
        ends = [(each[name].low, each[name].high) for each in (bca, percentile)]
        # Known by definition; another call would draw the same resamples again.
        mirrored = 2 * percentile[name].estimate - np.array(ends[-1][::-1])
        held.append([low <= value <= high for low, high in (*ends, mirrored)])
    return np.array(held, dtype=np.float64)


def finds_a_difference(truth: str, n_samples: int, rng: np.random.Generator) -> Numbers:
    """Return whether the paired test of each metric rejects that two equal systems are equal."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    (rng_of_forecasts,) = rng.spawn(1)
    return np.concatenate(
        [
            _rejects(y_true, systems(y_true, DECAY, rng), NAMES_OF_LABELS, rng),
            finds_a_difference_of_forecasts(truth, y_true, rng_of_forecasts),
        ]
    )


def finds_a_difference_of_forecasts(
    truth: str, y_true: Labels, rng: np.random.Generator
) -> Numbers:
    """Return the same for metrics of probabilities and scores."""
    pair = systems_of_forecasts(y_true, SHARES[truth], NOISE, rng)
    return _rejects(y_true, pair, NAMES_OF_FORECASTS, rng)


def _rejects(
    y_true: Labels, pair: Sequence[NDArray[Any]], names: Sequence[str], rng: np.random.Generator
) -> Numbers:
    found = paired_difference(
        y_true,
        *pair,
        names,
        labels=range(N_CLASSES),
        n_resamples=N_TRIALS,
        random_state=rng,
    )
    return np.array([found[name].pvalue <= LEVEL for name in names], dtype=np.float64)


def finds_a_difference_of_folds(shares: Numbers, rng: np.random.Generator) -> Numbers:
    """Return whether the corrected, and the plain, t test rejects two equal classifiers.

    Both use the same learner, on different features that are equally informative.
    """
    y = rng.choice(N_CLASSES, size=N_SAMPLES_CV, p=shares)
    scores = []
    cv = RepeatedStratifiedKFold(
        n_splits=N_SPLITS, n_repeats=N_REPEATS, random_state=int(rng.integers(2**31))
    )
    for _ in range(2):
        X = y[:, None] + rng.normal(scale=2, size=(N_SAMPLES_CV, 5))
        scores.append(cross_val_score(GaussianNB(), X, y, cv=cv, scoring="cem_ord"))
    n_test = N_SAMPLES_CV / N_SPLITS
    corrected = corrected_t_test(*scores, n_train=N_SAMPLES_CV - n_test, n_test=n_test)
    return np.array([corrected.pvalue <= LEVEL, ttest_rel(*scores).pvalue <= LEVEL], dtype=float)


# --- tables ----------------------------------------------------------------------------


def _coverage(n_jobs: int, part: float) -> str:
    defaults = {name: get_metric(name).interval_method for name in METRIC_NAMES}
    n_data_sets = math.ceil(part * N_DATA_SETS)
    held = _of_settings(holds_true_value, n_data_sets, 0, n_jobs, SETTINGS_OF_COVERAGE)
    return list_table(
        f"Coverage of 95% intervals of ``bootstrap_interval``: {_how(n_data_sets, N_RESAMPLES)}",
        ["metric", *_names(SETTINGS_OF_COVERAGE)],
        [[name, *_cells(held[:, k], defaults[name])] for k, name in enumerate(METRIC_NAMES)],
    )


def _coverage_of_differences(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_PAIRED)
    held = _of_settings(holds_true_difference, n_data_sets, 3, n_jobs)
    return list_table(
        "Coverage of 95% intervals of ``paired_difference``, for two systems of which one is "
        f"better: {_how(n_data_sets, N_RESAMPLES_PAIRED)}",
        ["metric", *_names(SETTINGS)],
        [[name, *_cells(held[:, k], "percentile")] for k, name in enumerate(METRIC_NAMES)],
    )


def _size_of_paired_test(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    rejected = _of_settings(finds_a_difference, n_data_sets, 1, n_jobs)
    return list_table(
        "Share of equal systems that ``paired_difference`` finds different at the level of 5%, in "
        f"percent, with a standard error of {_standard_error(LEVEL, n_data_sets)} "
        f"({n_data_sets:,} data sets, {N_TRIALS} trials)",
        ["metric", *_names(SETTINGS)],
        [[name, *map(_percent, rejected[:, k])] for k, name in enumerate(METRIC_NAMES)],
    )


def _size_of_corrected_test(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_CV)
    rows = []
    for row, (truth, shares) in enumerate(SHARES.items()):
        simulation = partial(finds_a_difference_of_folds, shares)
        rejected = share_of_data_sets(simulation, n_data_sets, (2, row), n_jobs)
        rows.append([truth, *map(_percent, rejected)])
    return list_table(
        f"Share of equal classifiers that tests on {N_REPEATS} x {N_SPLITS} folds of "
        f"{N_SAMPLES_CV} samples find different by cem_ord at the level of 5%, in percent, "
        f"with a standard error of {_standard_error(LEVEL, n_data_sets)} "
        f"({n_data_sets:,} data sets)",
        ["truth", "corrected_t_test", "plain t test"],
        rows,
    )


def _of_settings(
    simulation: Callable[..., Numbers],
    n_data_sets: int,
    key: int,
    n_jobs: int,
    settings: Sequence[tuple[str, int]] = SETTINGS,
) -> Numbers:
    """Return the mean of a simulation over the data sets of each setting."""
    return np.array(
        [
            share_of_data_sets(
                partial(simulation, truth, n_samples), n_data_sets, (key, row), n_jobs
            )
            for row, (truth, n_samples) in enumerate(settings)
        ]
    )


def _names(settings: Sequence[tuple[str, int]]) -> list[str]:
    return [f"{truth}, {n_samples}" for truth, n_samples in settings]


def _how(n_data_sets: int, n_resamples: int) -> str:
    errors = [f"{_standard_error(share, n_data_sets)} at {share:.0%}" for share in (0.95, 0.8)]
    return (
        f"{' / '.join(METHODS)} in percent, the default in bold, with a standard error of "
        f"{' and '.join(errors)} ({n_data_sets:,} data sets, {n_resamples} resamples)"
    )


def _standard_error(share: float, n_data_sets: int) -> str:
    return _percent(math.sqrt(share * (1 - share) / n_data_sets))


def _cells(held: Numbers, default: str) -> list[str]:
    """Return the coverage by each method in each setting, (n_settings, n_methods)."""
    return [
        " / ".join(
            f"**{_percent(share)}**" if method == default else _percent(share)
            for method, share in zip(METHODS, shares, strict=True)
        )
        for shares in held
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


if __name__ == "__main__":
    main()
