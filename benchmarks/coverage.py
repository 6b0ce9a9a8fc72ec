"""How often the intervals hold the true value, and how often the tests err.

Run ``python benchmarks/coverage.py`` from the checkout, which takes some ten minutes and
writes the tables that docs/guide/inference.rst shows. The result depends on the seed and not on the
number of processes.

Truth and prediction are drawn from known shares of the cells, so the true value of a metric
is that of the matrix of shares. The classes are of equal size ("balanced") or of the sizes in
`SHARES` ("skewed"); a prediction is the less likely, the farther it is from the true class.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import ttest_rel
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from sklearn_ordinal import OrdinalConfusion, get_metric, get_scorer
from sklearn_ordinal.inference import bootstrap_interval, corrected_t_test, paired_difference

SEED = 20_230_614
METRIC_NAMES = (
    "cem_ord",
    "accuracy",
    "quadratic_weighted_kappa",
    "macro_averaged_mean_absolute_error",
    "kendall_tau_b",
)
SAMPLE_SIZES = (50, 200, 1000)
SHARES = {
    "balanced": np.full(5, 0.2),
    "skewed": np.array([0.5, 0.25, 0.15, 0.07, 0.03]),
}
METHODS = ("bca", "percentile")
LEVEL = 0.05
N_DATA_SETS = 2_000
N_RESAMPLES = 999
# 0.05 of one more than these is a whole number, so that the test can reach its level.
N_DATA_SETS_PAIRED, N_TRIALS = 1_000, 199
N_DATA_SETS_CV, N_SAMPLES_CV, N_SPLITS, N_REPEATS = 1_000, 200, 5, 2

OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "coverage.txt"
N_CLASSES = 5

Numbers = NDArray[np.float64]
Simulation = Callable[[np.random.Generator], Numbers]


def main() -> None:
    arguments = _parse_arguments()
    parts = (_coverage, _size_of_paired_test, _size_of_corrected_test)
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


def shares_of_predictions() -> Numbers:
    """Return, for each true class (rows), the share of each prediction."""
    position = np.arange(N_CLASSES)
    likelihood = np.exp(-1.3 * np.abs(position[:, None] - position))
    return likelihood / likelihood.sum(axis=1, keepdims=True)


def draw(
    shares: Numbers, n_samples: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Callable[[], NDArray[np.int64]]]:
    """Return true classes, and a function that predicts them."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=shares)
    below = shares_of_predictions().cumsum(axis=1)[y_true]
    return y_true, lambda: (rng.random((n_samples, 1)) > below[:, :-1]).sum(axis=1)


def holds_true_value(shares: Numbers, n_samples: int, rng: np.random.Generator) -> Numbers:
    """Return whether each method's interval of each metric holds its true value."""
    cells = shares[:, None] * shares_of_predictions()
    y_true, predict = draw(shares, n_samples, rng)
    y_pred = predict()
    found = [
        bootstrap_interval(
            y_true,
            y_pred,
            METRIC_NAMES,
            labels=range(N_CLASSES),
            n_resamples=N_RESAMPLES,
            method=method,
            random_state=rng,
        )
        for method in METHODS
    ]
    true_values = {
        name: get_metric(name)(OrdinalConfusion.from_counts(cells)) for name in METRIC_NAMES
    }
    # An undefined interval holds nothing.
    return np.array(
        [
            [
                intervals[name].low <= true_values[name] <= intervals[name].high
                for intervals in found
            ]
            for name in METRIC_NAMES
        ],
        dtype=np.float64,
    )


def finds_a_difference(shares: Numbers, n_samples: int, rng: np.random.Generator) -> Numbers:
    """Return whether the paired test of each metric rejects that two equal systems are equal."""
    y_true, predict = draw(shares, n_samples, rng)
    # Half of the predictions are the same for both, as those of trained systems often are.
    shared = predict()
    systems = [np.where(rng.random(n_samples) < 0.5, shared, predict()) for _ in range(2)]
    found = paired_difference(
        y_true,
        *systems,
        METRIC_NAMES,
        labels=range(N_CLASSES),
        n_resamples=N_TRIALS,
        method="percentile",
        random_state=rng,
    )
    return np.array([found[name].pvalue <= LEVEL for name in METRIC_NAMES], dtype=np.float64)


def finds_a_difference_of_folds(shares: Numbers, rng: np.random.Generator) -> Numbers:
    """Return whether the corrected, and the plain, t test rejects two equal classifiers.

    Both are the same learner, on features that are as informative but not the same.
    """
    y = rng.choice(N_CLASSES, size=N_SAMPLES_CV, p=shares)
    scores = []
    cv = RepeatedStratifiedKFold(
        n_splits=N_SPLITS, n_repeats=N_REPEATS, random_state=int(rng.integers(2**31))
    )
    for _ in range(2):
        X = y[:, None] + rng.normal(scale=2, size=(N_SAMPLES_CV, 5))
        scores.append(cross_val_score(GaussianNB(), X, y, cv=cv, scoring=get_scorer("cem_ord")))
    n_test = N_SAMPLES_CV / N_SPLITS
    corrected = corrected_t_test(*scores, n_train=N_SAMPLES_CV - n_test, n_test=n_test)
    return np.array([corrected.pvalue <= LEVEL, ttest_rel(*scores).pvalue <= LEVEL], dtype=float)


def share_of_data_sets(
    simulation: Simulation, n_data_sets: int, seed: Sequence[int], n_jobs: int
) -> Numbers:
    """Return the mean of a simulation over data sets, each with random numbers of its own."""
    seeds = np.random.SeedSequence(SEED, spawn_key=tuple(seed)).spawn(n_data_sets)
    results = Parallel(n_jobs=n_jobs)(delayed(_simulate)(simulation, seed) for seed in seeds)
    mean: Numbers = np.mean(results, axis=0)
    return mean


def _simulate(simulation: Simulation, seed: np.random.SeedSequence) -> Numbers:
    with warnings.catch_warnings():
        # What is undefined is counted, as an interval that holds nothing.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        # Folds of a skewed truth may lack a class.
        warnings.filterwarnings("ignore", "The least populated class in y", UserWarning)
        return simulation(np.random.default_rng(seed))


# --- tables ----------------------------------------------------------------------------


def _coverage(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS)
    rows = []
    for row, (truth, n_samples) in enumerate(_settings()):
        simulation = partial(holds_true_value, SHARES[truth], n_samples)
        held = share_of_data_sets(simulation, n_data_sets, (0, row), n_jobs)
        rows.append([truth, str(n_samples), *(" / ".join(map(_percent, cell)) for cell in held)])
    return _table(
        f"Share of 95% intervals that hold the true value, {' / '.join(METHODS)}, in percent "
        f"({n_data_sets:,} data sets, {N_RESAMPLES} resamples)",
        ["truth", "samples", *METRIC_NAMES],
        rows,
    )


def _size_of_paired_test(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_PAIRED)
    rows = []
    for row, (truth, n_samples) in enumerate(_settings()):
        simulation = partial(finds_a_difference, SHARES[truth], n_samples)
        rejected = share_of_data_sets(simulation, n_data_sets, (1, row), n_jobs)
        rows.append([truth, str(n_samples), *map(_percent, rejected)])
    return _table(
        f"Share of equal systems that ``paired_difference`` finds different at the level of 5%, "
        f"in percent ({n_data_sets:,} data sets, {N_TRIALS} trials)",
        ["truth", "samples", *METRIC_NAMES],
        rows,
    )


def _size_of_corrected_test(n_jobs: int, part: float) -> str:
    n_data_sets = math.ceil(part * N_DATA_SETS_CV)
    rows = []
    for row, (truth, shares) in enumerate(SHARES.items()):
        simulation = partial(finds_a_difference_of_folds, shares)
        rejected = share_of_data_sets(simulation, n_data_sets, (2, row), n_jobs)
        rows.append([truth, *map(_percent, rejected)])
    return _table(
        f"Share of equal classifiers that tests on {N_REPEATS} x {N_SPLITS} folds of "
        f"{N_SAMPLES_CV} samples find different by cem_ord at the level of 5%, in percent "
        f"({n_data_sets:,} data sets)",
        ["truth", "corrected_t_test", "plain t test"],
        rows,
    )


def _settings() -> list[tuple[str, int]]:
    return [(truth, n_samples) for truth in SHARES for n_samples in SAMPLE_SIZES]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _table(title: str, header: list[str], rows: list[list[str]]) -> str:
    lines = [f".. list-table:: {title}", "   :header-rows: 1", ""]
    for row in [header, *rows]:
        lines += [f"   {'-' if column else '* -'} {cell}" for column, cell in enumerate(row)]
    return "\n".join(line.replace("   - ", "     - ") for line in lines)


if __name__ == "__main__":
    main()
