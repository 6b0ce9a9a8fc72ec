"""Bootstrap intervals and tests of many systems, compared with simpler computations."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from _cases import CallMegabytes, CallTime, Case, at_least, at_most, grows_at_most, within_megabytes
from cases_counting import integers
from cases_metrics import OF_LABELS
from numpy.typing import NDArray
from scipy.stats import ttest_1samp
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import classification_report

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalRatings,
    compare_systems,
    get_metric,
)
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.metrics import ranked_probability_score
from sklearn_ordinal.raters import alternative_annotator_test

METRIC = "cem_ord"
N_RESAMPLES = 10_000
# All resamples of rows take the same time, so a share of them is enough.
PART_OF_ROWS = 1 / 100
LABELS = range(5)
WITH_INFLUENCE = tuple(name for name in OF_LABELS if get_metric(name).has_influence)
N_SAMPLES_PER_GROUP = 20
# The time of a bootstrap grows at least as fast as the number of groups.
PART_OF_GROUPS = 1 / 10
N_SYSTEMS, N_RESAMPLES_OF_SYSTEMS, N_PAIRS = 100, 2_000, 100
PART_OF_PAIRS, N_FEW_SYSTEMS = 1 / 20, 10
METRICS_OF_SYSTEMS = (
    "cem_ord",
    "accuracy",
    "quadratic_weighted_kappa",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
)


def interval_of_rows(
    y_true: NDArray[np.int64], y_pred: NDArray[Any], score: Callable[..., float]
) -> NDArray[np.float64]:
    """Return a percentile interval from a share of the resamples, row by row."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(round(N_RESAMPLES * PART_OF_ROWS)):
        rows = rng.integers(len(y_true), size=len(y_true))
        values.append(score(y_true[rows], y_pred[rows]))
    return np.quantile(values, [0.025, 0.975])


def confusion(n_samples: int) -> tuple[OrdinalConfusion]:
    """Return counts, without the samples, for which each criterion has a derivative."""
    y_true, y_pred = integers(n_samples)
    is_right = np.random.default_rng(1).random(n_samples) < 0.5
    counts = OrdinalConfusion.from_predictions(y_true, np.where(is_right, y_true, y_pred)).counts
    return (OrdinalConfusion.from_counts(counts),)


def groups(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return true and predicted classes, mostly adjacent, and groups of a few samples each."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(len(LABELS), size=n_samples)
    y_pred = np.clip(y_true + rng.integers(-1, 2, size=n_samples), 0, len(LABELS) - 1)
    return y_true, y_pred, np.arange(n_samples) // N_SAMPLES_PER_GROUP


def part_of_groups(n_samples: int) -> tuple[NDArray[np.int64], ...]:
    """Return a share of the groups."""
    return groups(round(n_samples * PART_OF_GROUPS))


def few_groups(
    n_groups: int, n_samples: int, n_classes: int = len(LABELS)
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return true and predicted classes, mostly adjacent, in a number of groups."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(n_classes, size=n_samples)
    y_pred = np.clip(y_true + rng.integers(-1, 2, size=n_samples), 0, n_classes - 1)
    return y_true, y_pred, np.arange(n_samples) % n_groups


def groups_in_clusters(n_samples: int) -> tuple[NDArray[np.int64], ...]:
    """Return five groups that share clusters of 20 samples."""
    clusters = np.random.default_rng(1).integers(n_samples // 20, size=n_samples)
    return *few_groups(5, n_samples), clusters


def report_groups(
    y_true: NDArray[np.int64],
    y_pred: NDArray[np.int64],
    by: NDArray[np.int64],
    clusters: NDArray[np.int64] | None = None,
    n_permutations: int | None = None,
) -> GroupReport:
    """Report on groups with the default criteria; small groups lack some intervals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return GroupReport.from_predictions(
            y_true, y_pred, by=by, clusters=clusters, n_permutations=n_permutations
        )


def forecasts(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return true classes, and probabilities of five classes."""
    rng = np.random.default_rng(0)
    return rng.integers(len(LABELS), size=n_samples), rng.dirichlet(np.ones(len(LABELS)), n_samples)


bootstrap_of_probabilities = partial(
    bootstrap_interval,
    metrics="ranked_probability_score",
    labels=LABELS,
    n_resamples=N_RESAMPLES,
    random_state=0,
)

Graded = tuple[OrdinalRatings, NDArray[np.int64]]


def graded(n_items: int) -> Graded:
    """Return the grades of five humans, and of a judge who errs as they do."""
    rng = np.random.default_rng(0)
    truth = rng.integers(len(LABELS), size=n_items)
    steps = rng.choice([-1, 0, 0, 0, 1], size=(n_items, 6))
    grades = np.clip(truth[:, None] + steps, 0, len(LABELS) - 1)
    return OrdinalRatings.from_ratings(grades[:, :5], labels=LABELS), grades[:, 5]


def annotators_plainly(ratings: OrdinalRatings, judge: NDArray[np.int64]) -> list[float]:
    """Return the p-value of each human, computed item by item as the procedure is published."""
    grades, of_judge = ratings.patterns[ratings.pattern].tolist(), judge.tolist()
    shares = np.bincount(np.ravel(grades), minlength=len(LABELS)) / np.size(grades)

    def closeness(grade: int, others: list[int]) -> float:
        information = 0.0
        for other in others:
            low, high = min(grade, other), max(grade, other)
            information -= math.log2(shares[low : high + 1].sum() - shares[grade] / 2)
        return information / len(others)

    pvalues = []
    for human in range(len(ratings.raters)):
        differences = []
        for row, by_judge in zip(grades, of_judge, strict=True):
            others = row[:human] + row[human + 1 :]
            gain = closeness(by_judge, others) - closeness(row[human], others)
            differences.append(float(gain <= 1e-12) - float(gain >= -1e-12))
        pvalues.append(ttest_1samp(differences, 0.2, alternative="less").pvalue)
    return pvalues


def annotators_by_patterns(
    ratings: OrdinalRatings, judge: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the p-value of each human."""
    return alternative_annotator_test(ratings, judge).pvalues


Systems = dict[str, NDArray[np.int64]]


def systems(n_samples: int) -> tuple[NDArray[np.int64], Systems]:
    """Return true classes, and predictions of systems with more and more errors."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(len(LABELS), size=n_samples)
    is_hard = rng.random(n_samples)
    predictions = {}
    for number in range(N_SYSTEMS):
        wrong = np.clip(y_true + rng.choice([-1, 1], n_samples), 0, len(LABELS) - 1)
        is_wrong = rng.random(n_samples) < (0.6 + 0.6 * number / N_SYSTEMS) * is_hard
        predictions[f"system {number}"] = np.where(is_wrong, wrong, y_true)
    return y_true, predictions


def compare_some_pairs(y_true: NDArray[np.int64], predictions: Systems) -> None:
    """Compare a share of 100 pairs of systems, one by one."""
    names = list(predictions)
    for i in range(round(N_PAIRS * PART_OF_PAIRS)):
        paired_difference(
            y_true,
            predictions[names[i]],
            predictions[names[-1 - i]],
            METRICS_OF_SYSTEMS,
            n_resamples=N_RESAMPLES_OF_SYSTEMS,
            random_state=0,
        )


def few_systems(n_samples: int) -> tuple[NDArray[np.int64], Systems]:
    """Return true classes and the predictions of the first few systems."""
    y_true, predictions = systems(n_samples)
    return y_true, dict(list(predictions.items())[:N_FEW_SYSTEMS])


def intervals_one_by_one(y_true: NDArray[np.int64], predictions: Systems) -> None:
    """Compute the interval of each system in closed form."""
    for y_pred in predictions.values():
        delta_interval(y_true, y_pred, METRIC)


compare_all_pairs = partial(
    compare_systems,
    metrics=METRICS_OF_SYSTEMS,
    n_resamples=N_RESAMPLES_OF_SYSTEMS,
    random_state=0,
)

CASES: list[Case] = [
    CallTime(
        "bootstrap interval / rows",
        peer=partial(interval_of_rows, score=get_metric(METRIC).from_predictions),
        ours=partial(bootstrap_interval, metrics=METRIC, n_resamples=N_RESAMPLES, random_state=0),
        data=integers,
        demands={100_000: at_least(300)},
        same_result=False,
        part_of_peer=PART_OF_ROWS,
    ),
    CallTime(
        "bootstrap RPS / rows",
        peer=partial(interval_of_rows, score=partial(ranked_probability_score, labels=LABELS)),
        ours=bootstrap_of_probabilities,
        data=forecasts,
        demands={100_000: at_least(20)},
        same_result=False,
        part_of_peer=PART_OF_ROWS,
    ),
    CallMegabytes(
        "memory of bootstrap RPS",
        ours=bootstrap_of_probabilities,
        data=forecasts,
        demands={100_000: within_megabytes(4 * 100_000 * len(LABELS) * 8 / 1e6)},
    ),
    CallTime(
        "all intervals / class. report",
        peer=classification_report,
        ours=partial(
            bootstrap_interval,
            metrics=OF_LABELS,
            n_resamples=N_RESAMPLES,
            random_state=0,
        ),
        data=integers,
        demands={1_000_000: at_most(1)},
        same_result=False,
    ),
    CallTime(
        "closed form / class. report",
        peer=classification_report,
        ours=partial(delta_interval, metrics=WITH_INFLUENCE),
        data=integers,
        demands={1_000_000: at_most(0.1)},
        same_result=False,
    ),
    CallTime(
        "closed form / 9,999 resamples",
        peer=partial(bootstrap_interval, metrics=WITH_INFLUENCE, random_state=0),
        ours=partial(delta_interval, metrics=WITH_INFLUENCE),
        data=confusion,
        demands={1_000_000: at_least(25)},
        same_result=False,
    ),
    CallTime(
        "alternative annotators / item by item",
        peer=annotators_plainly,
        ours=annotators_by_patterns,
        data=graded,
        demands={2_000: at_least(50)},
        # The peer has n - 1 degrees of freedom, this package two fewer or less.
        same_result=False,
    ),
    CallTime(
        "1,000 groups / 100 groups",
        peer=report_groups,
        ours=report_groups,
        data=groups,
        peer_data=part_of_groups,
        demands={20_000: grows_at_most(12)},
        same_result=False,
    ),
    CallTime(
        "100 groups tested / not tested",
        peer=partial(report_groups, n_permutations=0),
        ours=report_groups,
        data=partial(few_groups, 100),
        demands={200_000: grows_at_most(12)},
        same_result=False,
    ),
    CallTime(
        "5 groups in clusters / without",
        peer=report_groups,
        ours=report_groups,
        data=groups_in_clusters,
        peer_data=partial(few_groups, 5),
        demands={20_000: grows_at_most(1.5)},
        same_result=False,
    ),
    CallTime(
        "8 groups: 61 classes / 5 classes",
        peer=report_groups,
        ours=report_groups,
        data=partial(few_groups, 8, n_classes=61),
        peer_data=partial(few_groups, 8),
        demands={4_000: grows_at_most(8)},
        same_result=False,
    ),
    CallTime(
        "4,950 pairs / 100 pairs",
        peer=compare_some_pairs,
        ours=compare_all_pairs,
        data=systems,
        demands={10_000: grows_at_most(20)},
        same_result=False,
        part_of_peer=PART_OF_PAIRS,
    ),
    CallTime(
        "45 pairs / 10 closed forms",
        peer=intervals_one_by_one,
        ours=partial(compare_systems, metrics=METRIC),
        data=few_systems,
        demands={100_000: grows_at_most(30)},
        same_result=False,
        clock=time.process_time,
    ),
    CallMegabytes(
        "memory of 4,950 pairs",
        ours=compare_all_pairs,
        data=systems,
        demands={10_000: within_megabytes(500)},
    ),
]
