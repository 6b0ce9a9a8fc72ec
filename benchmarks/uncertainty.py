"""Coverage of intervals in closed form, and size of the tests of contrasts, in hard cases.

Run ``python benchmarks/uncertainty.py --n-jobs 2`` from the checkout. It takes about half an hour
on two cores and writes the tables that docs/guide/uncertainty.rst shows: samples in clusters of
very different sizes, with weights of very different sizes, or with rare classes; and groups with
the same errors, of different sizes, with rare classes or in clusters.

The predictions are less likely the farther they are from the true class. In clusters, such as
patients, an effect of the patient is a part of all errors.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _simulation import SEED, Labels, Numbers, share_of_data_sets
from _tables import list_table
from joblib import Parallel, delayed
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import GroupReport, OrdinalConfusion, OrdinalRatings, get_metric
from sklearn_ordinal.inference import _unit_moves, delta_interval

N_CLASSES, DECAY = 4, 1.3
SHARES = {
    "mild": np.array([0.4, 0.3, 0.2, 0.1]),
    "skewed": np.array([0.6, 0.25, 0.1, 0.05]),
    "reversed": np.array([0.1, 0.2, 0.3, 0.4]),
}
METRICS = (
    "cem_ord",
    "quadratic_weighted_kappa",
    "accuracy",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
)
COEFFICIENTS = ("conger_kappa", "krippendorff_alpha", "gwet_ac2")
N_DATA_SETS, N_SAMPLES_OF_POPULATION = 1_500, 400_000
# The patient's part of the errors, and that of the sample.
SPREAD_OF_PATIENTS, SPREAD_OF_SAMPLES = 0.8, 0.6
# Ratings: errors of raters, on the scale of classes.
N_RATERS, SPREAD_OF_RATERS = 3, 0.8
OUTPUT = Path(__file__).parents[1] / "docs" / "guide"


class DataSet(NamedTuple):
    """Samples with their groups, clusters and weights, None without them."""

    y_true: Labels
    y_pred: Labels
    group: Labels
    clusters: Labels | None = None
    weight: Numbers | None = None


def predictions(y_true: Labels, chance: Numbers, decay: Numbers | float = DECAY) -> Labels:
    """Return the predicted class of each sample, given a uniform random number."""
    position = np.arange(N_CLASSES)
    distance = np.abs(position - y_true[:, None])
    likelihood = np.exp(-np.broadcast_to(decay, y_true.shape)[:, None] * distance)
    below = (likelihood / likelihood.sum(axis=1, keepdims=True)).cumsum(axis=1)
    return np.minimum((chance[:, None] > below).sum(axis=1), N_CLASSES - 1)


def in_clusters(cluster: Labels, rng: np.random.Generator) -> Numbers:
    """Return random numbers that are uniform, and alike for samples of the same cluster."""
    effect = rng.normal(scale=SPREAD_OF_PATIENTS, size=cluster.max() + 1)[cluster]
    spread = math.hypot(SPREAD_OF_PATIENTS, SPREAD_OF_SAMPLES)
    noise = rng.normal(scale=SPREAD_OF_SAMPLES, size=len(cluster))
    return np.asarray(stats.norm.cdf((effect + noise) / spread))


def uneven_sizes(n_clusters: int, rng: np.random.Generator) -> Labels:
    """Return numbers of samples from 1 to 60, a few of them large."""
    return np.minimum(1 + 3 * rng.pareto(1.5, n_clusters), 60).astype(np.int64)


# Coverage of the interval of all samples
# ---------------------------------------


def rows(n_samples: int, shares: str, rng: np.random.Generator) -> DataSet:
    """Return single samples."""
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[shares])
    y_pred = predictions(y_true, rng.random(n_samples))
    return DataSet(y_true, y_pred, np.zeros(n_samples, dtype=np.int64))


def weighted(n_samples: int, kind: str, rng: np.random.Generator) -> DataSet:
    """Return single samples with weights: log-normal ones, or four that are nearly all."""
    data = rows(n_samples, "mild", rng)
    weight = rng.lognormal(sigma=1.5, size=n_samples)
    if kind == "four":
        weight = np.where(np.arange(n_samples) < 4, 0.995 / 4, 0.005 / (n_samples - 4))
    return data._replace(weight=weight)


def clustered(n_clusters: int, size: int | None, rng: np.random.Generator) -> DataSet:
    """Return clusters of a size, or of very different sizes."""
    sizes = np.full(n_clusters, size) if size else uneven_sizes(n_clusters, rng)
    cluster = np.repeat(np.arange(n_clusters), sizes)
    y_true = rng.choice(N_CLASSES, size=len(cluster), p=SHARES["mild"])
    y_pred = predictions(y_true, in_clusters(cluster, rng))
    return DataSet(y_true, y_pred, np.zeros(len(cluster), dtype=np.int64), cluster)


COVERAGE_CASES: dict[str, Callable[[np.random.Generator], DataSet]] = {
    "20 clusters of 1 to 60": partial(clustered, 20, None),
    "60 clusters of 1 to 60": partial(clustered, 60, None),
    "200 clusters of 1 to 60": partial(clustered, 200, None),
    "30 clusters of 10": partial(clustered, 30, 10),
    "200 samples, log-normal weights": partial(weighted, 200, "log-normal"),
    "200 samples, four with 99.5% of the weight": partial(weighted, 200, "four"),
    "100 samples": partial(rows, 100, "mild"),
    "30 samples, skewed": partial(rows, 30, "skewed"),
    "100 samples, skewed": partial(rows, 100, "skewed"),
}


def true_values(shares: str) -> Numbers:
    """Return the value of each criterion in the population."""
    likelihood = np.exp(-DECAY * np.abs(np.subtract.outer(range(N_CLASSES), range(N_CLASSES))))
    rates = likelihood / likelihood.sum(axis=1, keepdims=True)
    population = OrdinalConfusion.from_counts(1e9 * SHARES[shares][:, None] * rates)
    return np.array([get_metric(name)(population) for name in METRICS])


def covers(case: str, true: Numbers, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each criterion contains the true value."""
    data = COVERAGE_CASES[case](rng)
    intervals = delta_interval(
        data.y_true,
        data.y_pred,
        METRICS,
        labels=range(N_CLASSES),
        clusters=data.clusters,
        sample_weight=data.weight,
    )
    ends = np.array([(intervals[name].low, intervals[name].high) for name in METRICS])
    return (ends[:, 0] <= true) & (true <= ends[:, 1])


# Coverage of coefficients of agreement
# -------------------------------------

RATING_CASES = {"20 items, skewed": 20, "50 items, skewed": 50, "200 items, skewed": 200}


def ratings(n_items: int, rng: np.random.Generator) -> OrdinalRatings:
    """Return items of skewed classes that several raters grade with errors."""
    true = rng.choice(N_CLASSES, size=n_items, p=SHARES["skewed"])
    errors = rng.normal(scale=SPREAD_OF_RATERS, size=(n_items, N_RATERS))
    grades = np.clip(np.rint(true[:, None] + errors), 0, N_CLASSES - 1).astype(np.int64)
    return OrdinalRatings.from_ratings(grades, labels=range(N_CLASSES))


def true_coefficients() -> Numbers:
    """Return the value of each coefficient for many items."""
    many = ratings(N_SAMPLES_OF_POPULATION, np.random.default_rng(SEED))
    return np.array([get_metric(name)(many) for name in COEFFICIENTS])


def covers_coefficients(n_items: int, true: Numbers, rng: np.random.Generator) -> Numbers:
    """Return whether the interval of each coefficient contains the true value."""
    intervals = delta_interval(ratings(n_items, rng), metrics=COEFFICIENTS)
    ends = np.array([(intervals[name].low, intervals[name].high) for name in COEFFICIENTS])
    return (ends[:, 0] <= true) & (true <= ends[:, 1])


# Size of the tests of contrasts
# ------------------------------


def groups(sizes: tuple[int, ...], shares: str, rng: np.random.Generator) -> DataSet:
    """Return groups of single samples with the same errors."""
    data = rows(sum(sizes), shares, rng)
    return data._replace(group=np.repeat(np.arange(len(sizes)), sizes))


def visits(n_patients: int, shares: str, rng: np.random.Generator) -> DataSet:
    """Return patients who are seen twice: the visits are the groups, the patients clusters."""
    patient = np.tile(np.arange(n_patients), 2)
    y_true = rng.choice(N_CLASSES, size=n_patients, p=SHARES[shares])[patient]
    y_pred = predictions(y_true, in_clusters(patient, rng))
    return DataSet(y_true, y_pred, np.repeat([0, 1], n_patients), patient)


def hospitals(n_groups: int, n_clusters: int, shares: str, rng: np.random.Generator) -> DataSet:
    """Return groups of clusters of very different sizes."""
    sizes = uneven_sizes(n_groups * n_clusters, rng)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    y_true = rng.choice(N_CLASSES, size=len(cluster), p=SHARES[shares])
    y_pred = predictions(y_true, in_clusters(cluster, rng))
    return DataSet(y_true, y_pred, cluster // n_clusters, cluster)


def decay_of_equal_closeness() -> float:
    """Return the decay for which the second of two groups has the same CEM_ORD as the first.

    The groups are of the same size, and have the classes in reversed shares.
    """
    low, high = 0.5, 3.0
    for _ in range(50):
        middle = (low + high) / 2
        counts = []
        for name, decay in (("mild", DECAY), ("reversed", middle)):
            distance = np.abs(np.subtract.outer(range(N_CLASSES), range(N_CLASSES)))
            likelihood = np.exp(-decay * distance)
            rates = likelihood / likelihood.sum(axis=1, keepdims=True)
            counts.append(np.rint(1e7 * SHARES[name][:, None] * rates).astype(np.int64))
        stack = OrdinalConfusion.stack([OrdinalConfusion.from_counts(part) for part in counts])
        report = GroupReport.from_confusion(
            stack, by=["0", "1"], metrics="cem_ord", n_permutations=0
        )
        first, second = (report.by_group["cem_ord"][name].estimate for name in ("0", "1"))
        low, high = (middle, high) if second < first else (low, middle)
    return middle


def equal_closeness(size: int, decay: float, rng: np.random.Generator) -> DataSet:
    """Return two groups with the same CEM_ORD, but other class sizes and other errors."""
    group = np.repeat([0, 1], size)
    shares = (SHARES["mild"], SHARES["reversed"])
    y_true = np.concatenate([rng.choice(N_CLASSES, size=size, p=of_group) for of_group in shares])
    of_samples = np.where(group == 0, DECAY, decay)
    return DataSet(y_true, predictions(y_true, rng.random(2 * size), of_samples), group)


CONTRAST_CASES: dict[str, Callable[[np.random.Generator], DataSet]] = {
    "4 x 50": partial(groups, (50, 50, 50, 50), "mild"),
    "4 x 50, skewed": partial(groups, (50, 50, 50, 50), "skewed"),
    "950 and 50, skewed": partial(groups, (950, 50), "skewed"),
    "180 and 20, skewed": partial(groups, (180, 20), "skewed"),
    "90 patients at two visits, skewed": partial(visits, 90, "skewed"),
    "20 patients at two visits": partial(visits, 20, "mild"),
    "2 x 30 clusters of 1 to 60": partial(hospitals, 2, 30, "mild"),
    "4 x 30 clusters of 1 to 60, skewed": partial(hospitals, 4, 30, "skewed"),
}
EQUAL_CLOSENESS = "200 and 200, same CEM_ORD, other classes"


def rejects(draw: Callable[[np.random.Generator], DataSet], rng: np.random.Generator) -> Numbers:
    """Return whether the smallest adjusted p is at most 0.05: (n_metrics, 2)."""
    data = draw(rng)
    report = GroupReport.from_predictions(
        data.y_true,
        data.y_pred,
        by=data.group,
        labels=range(N_CLASSES),
        clusters=data.clusters,
        metrics=METRICS,
        n_permutations=0,
    )
    results = report.contrasts(), report.contrasts(reference="0")
    pvalues = [
        [np.nan_to_num([row.adjusted_pvalue for row in result.contrasts[name].values()], nan=1)]
        for name in METRICS
        for result in results
    ]
    return np.array([np.min(of_one) <= 0.05 for of_one in pvalues]).reshape(len(METRICS), 2)


# Numbers of groups, and of samples in each.
MANY_GROUPS = (
    (4, 20),
    (4, 50),
    (6, 50),
    (6, 500),
    (10, 50),
    (10, 500),
    (30, 30),
    (30, 100),
    (30, 1_500),
)
_OF_METRICS = METRICS[:3] + METRICS[-1:]


def rejects_many(n_groups: int, size: int, shares: str, rng: np.random.Generator) -> Numbers:
    """Return whether t-tests and permutations find equal groups different: (n_metrics, 2)."""
    likelihood = np.exp(-DECAY * np.abs(np.subtract.outer(range(N_CLASSES), range(N_CLASSES))))
    rates = SHARES[shares][:, None] * likelihood / likelihood.sum(axis=1, keepdims=True)
    counts = rng.multinomial(np.full(n_groups, size), rates.ravel())
    report = GroupReport.from_confusion(
        OrdinalConfusion.from_counts(counts.reshape(n_groups, N_CLASSES, N_CLASSES)),
        by=range(n_groups),
        metrics=_OF_METRICS,
        n_permutations=0,
    )
    found = np.zeros((len(_OF_METRICS), 2))
    fewest = _unit_moves._MANY_GROUPS
    try:
        for k, _unit_moves._MANY_GROUPS in enumerate((n_groups + 1, 0)):
            contrasts = report.contrasts().contrasts
            for of_metric, name in zip(found, _OF_METRICS, strict=True):
                adjusted = [row.adjusted_pvalue for row in contrasts[name].values()]
                of_metric[k] = np.nanmin([*adjusted, 1]) <= 0.05
    finally:
        _unit_moves._MANY_GROUPS = fewest
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _error(share: float, n_data_sets: int) -> str:
    return _percent(math.sqrt(share * (1 - share) / n_data_sets))


def _coverage_table(n_data_sets: int, n_jobs: int) -> str:
    cells = {
        case: share_of_data_sets(
            partial(covers, case, true_values("skewed" if "skewed" in case else "mild")),
            n_data_sets,
            [0, number],
            n_jobs,
        )
        for number, case in enumerate(COVERAGE_CASES)
    }
    return list_table(
        f"Coverage of 95% intervals of ``delta_interval``, in percent ({n_data_sets:,} data sets, "
        f"with a standard error of {_error(0.95, n_data_sets)} at 95%)",
        ["data", *METRICS],
        [[case, *map(_percent, shares.tolist())] for case, shares in cells.items()],
    )


def _ratings_table(n_data_sets: int, n_jobs: int) -> str:
    true = true_coefficients()
    cells = {
        case: share_of_data_sets(
            partial(covers_coefficients, n_items, true), n_data_sets, [1, n_items], n_jobs
        )
        for case, n_items in RATING_CASES.items()
    }
    return list_table(
        f"Coverage of 95% intervals of coefficients of {N_RATERS} raters, in percent "
        f"({n_data_sets:,} data sets)",
        ["data", *COEFFICIENTS],
        [[case, *map(_percent, shares.tolist())] for case, shares in cells.items()],
    )


def _contrasts_table(n_data_sets: int, n_jobs: int) -> str:
    table = []
    equal = {EQUAL_CLOSENESS: partial(equal_closeness, 200, decay_of_equal_closeness())}
    for number, (case, draw) in enumerate({**CONTRAST_CASES, **equal}.items()):
        shares = share_of_data_sets(partial(rejects, draw), n_data_sets, [2, number], n_jobs)
        row = [" / ".join(map(_percent, of_metric)) for of_metric in shares.tolist()]
        # Only CEM_ORD is the same in both groups.
        table.append([case, row[0], *["-"] * 4] if case == EQUAL_CLOSENESS else [case, *row])
    return list_table(
        "Share of data sets with an adjusted p of at most 0.05 for groups that do not differ: from "
        f"all samples / from the first group, in percent ({n_data_sets:,} data sets, with a "
        f"standard error of {_error(0.05, n_data_sets)} at 5%)",
        ["groups", *METRICS],
        table,
    )


def share_of_rejections(n_groups: int, size: int, shares: str, n_data_sets: int) -> Numbers:
    """Return the share of data sets in which equal groups are found different."""
    rng = np.random.default_rng([SEED, n_groups, size, shares == "skewed", False])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = [rejects_many(n_groups, size, shares, rng) for _ in range(n_data_sets)]
    return np.mean(found, axis=0)


def _many_groups_table(n_data_sets: int, n_jobs: int) -> str:
    # Reports of many groups take longer.
    n_data_sets = math.ceil(n_data_sets / 3)
    cases = [(*case, shares) for case in MANY_GROUPS for shares in ("mild", "skewed")]
    found = Parallel(n_jobs)(delayed(share_of_rejections)(*case, n_data_sets) for case in cases)
    table = [
        [
            f"{n_groups} x {size:,}{', skewed' if shares == 'skewed' else ''}",
            *(" / ".join(map(_percent, row)) for row in of_case.tolist()),
        ]
        for (n_groups, size, shares), of_case in zip(cases, found, strict=True)
    ]
    return list_table(
        "Share of data sets with an adjusted p of at most 0.05 for equal groups, from all samples: "
        f"t-tests / permutations, in percent ({n_data_sets:,} data sets, with a standard error of "
        f"{_error(0.05, n_data_sets)} at 5%)",
        ["groups", *_OF_METRICS],
        table,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    parser.add_argument("--n-jobs", type=int, default=1)
    options = parser.parse_args()
    n_data_sets = math.ceil(options.part * N_DATA_SETS)
    for table in (_coverage_table, _ratings_table, _contrasts_table, _many_groups_table):
        text = table(n_data_sets, options.n_jobs)
        print(text, flush=True)
        if options.part == 1:
            name = table.__name__.strip("_").removesuffix("_table")
            path = OUTPUT / f"uncertainty_{name}.txt"
            path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
