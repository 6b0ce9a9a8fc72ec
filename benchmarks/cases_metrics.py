"""Many metrics of the same counts, rank measures, stacks of matrices and long scales."""

from __future__ import annotations

from functools import partial

import numpy as np
from _cases import (
    CallMegabytes,
    CallSeconds,
    CallTime,
    Case,
    at_least,
    at_most,
    grows_at_most,
    unless_installed,
    within,
    within_megabytes,
)
from cases_counting import NAMES, count, integers
from numpy.typing import ArrayLike, NDArray
from scipy.stats import kendalltau
from sklearn.metrics import confusion_matrix

from sklearn_ordinal import OrdinalConfusion, get_metric, get_metric_names

RANK_MEASURES = (
    "kendall_tau_a",
    "kendall_tau_b",
    "kendall_tau_c",
    "goodman_kruskal_gamma",
    "somers_d",
    "spearman_correlation",
    "reliability_sensitivity_f",
)
OCI = "ordinal_classification_index"
UNIFORM_OCI = "uniform_ordinal_classification_index"
OF_LABELS = tuple(name for name in get_metric_names() if get_metric(name).evidence.name == "labels")
N_SAMPLES_PER_MATRIX = 100


def score(confusion: OrdinalConfusion, names: tuple[str, ...] = OF_LABELS) -> list[ArrayLike]:
    return [get_metric(name)(confusion) for name in names]


def score_counts(counts: NDArray[np.int64]) -> list[ArrayLike]:
    return score(OrdinalConfusion.from_counts(counts))


def count_and_score(
    y_true: NDArray[np.int64], y_pred: NDArray[np.int64], names: tuple[str, ...] = OF_LABELS
) -> list[ArrayLike]:
    return score(count(y_true, y_pred), names)


def skordinal_metrics(y_true: NDArray[np.int64], y_pred: NDArray[np.int64]) -> list[float]:
    """Call every label metric of skordinal, which leaves out its one metric of probabilities."""
    from skordinal import metrics

    return [
        metric(y_true, y_pred)
        for metric in (
            metrics.accuracy_off1_score,
            metrics.accuracy_score,
            metrics.average_mean_absolute_error,
            metrics.geometric_mean,
            metrics.gmsec,
            metrics.kendalls_tau,
            metrics.maximum_mean_absolute_error,
            metrics.mean_absolute_error,
            metrics.mean_extreme_sensitivity,
            metrics.mean_zero_one_error,
            metrics.minimum_sensitivity,
            metrics.spearmans_rho,
            metrics.weighted_kappa,
        )
    ]


def two_confusion_matrices(y_true: NDArray[np.int64], y_pred: NDArray[np.int64]) -> None:
    for _ in range(2):
        confusion_matrix(y_true, y_pred)


def counts_of_groups(n_samples: int) -> tuple[NDArray[np.int64]]:
    """Return one matrix per `N_SAMPLES_PER_MATRIX` samples: (n_groups, K, K)."""
    y_true, y_pred = integers(n_samples)
    n_groups, n_classes = n_samples // N_SAMPLES_PER_MATRIX, len(NAMES)
    group = np.arange(n_samples) // N_SAMPLES_PER_MATRIX
    cells = (group * n_classes + y_true) * n_classes + y_pred
    counts = np.bincount(cells, minlength=n_groups * n_classes**2)
    return (counts.reshape(n_groups, n_classes, n_classes),)


def confusions_of_groups(n_samples: int) -> tuple[OrdinalConfusion]:
    return (OrdinalConfusion.from_counts(*counts_of_groups(n_samples)),)


def oci_of_each(stack: NDArray[np.int64]) -> list[float]:
    return [_oci(counts) for counts in stack.tolist()]


def _oci(counts: list[list[int]], beta: float = 0.75) -> float:
    """Compute the index of one matrix by its definition, in plain Python.

    Cardoso and Sousa (2011): over the paths from the lowest pair of classes to the
    highest, the smallest of 1 - (samples on it) / (N + dispersion) + beta * penalty.
    """
    n_classes = len(counts)
    n_samples = sum(map(sum, counts))
    dispersion = sum(counts[i][j] * abs(i - j) for i in range(n_classes) for j in range(n_classes))
    best = [[0.0] * n_classes for _ in range(n_classes)]
    for i in range(n_classes):
        for j in range(n_classes):
            penalty = counts[i][j] * abs(i - j) / (n_samples * (n_classes - 1))
            cost = beta * penalty - counts[i][j] / (n_samples + dispersion)
            if i and j:
                cost += min(best[i - 1][j], best[i][j - 1], best[i - 1][j - 1])
            elif i:
                cost += best[i - 1][j]
            elif j:
                cost += best[i][j - 1]
            best[i][j] = cost
    return 1 + best[-1][-1]


def score_all_but_uniform_oci(counts: NDArray[np.int64]) -> list[ArrayLike]:
    names = tuple(name for name in OF_LABELS if name != UNIFORM_OCI)
    return score(OrdinalConfusion.from_counts(counts), names)


def uniform_oci(counts: NDArray[np.int64]) -> list[ArrayLike]:
    return score(OrdinalConfusion.from_counts(counts), (UNIFORM_OCI,))


def counts_of_classes(n_samples: int, *, n_classes: int) -> tuple[NDArray[np.int64]]:
    """Return counts of predictions that are off by a twentieth of the scale."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(n_classes, size=n_samples)
    error = rng.normal(scale=n_classes / 20, size=n_samples).round().astype(np.int64)
    y_pred = np.clip(y_true + error, 0, n_classes - 1)
    return (count(y_true, y_pred, labels=range(n_classes)).counts,)


CASES: list[Case] = [
    CallTime(
        "all metrics / skordinal's 13",
        peer=skordinal_metrics,
        ours=count_and_score,
        data=integers,
        demands={1_000_000: at_most(0.1)},
        same_result=False,
        left_out=unless_installed("skordinal"),
    ),
    CallTime(
        "all metrics / two confusions",
        peer=two_confusion_matrices,
        ours=count_and_score,
        data=integers,
        demands={1_000_000: at_most(1)},
        same_result=False,
    ),
    CallTime(
        "7 rank measures / kendalltau",
        peer=kendalltau,
        ours=partial(count_and_score, names=RANK_MEASURES),
        data=integers,
        demands={1_000_000: at_least(15)},
        same_result=False,
    ),
    CallTime(
        "OCI, stack / loop",
        peer=oci_of_each,
        ours=get_metric(OCI),
        data=confusions_of_groups,
        peer_data=counts_of_groups,
        demands={1_000_000: at_least(50)},
    ),
    CallSeconds(
        "all metrics of 300 classes",
        ours=score_counts,
        data=partial(counts_of_classes, n_classes=300),
        demands={1_000_000: within(1)},
    ),
    *(
        CallTime(
            f"UOCI / others, {n_classes:,} classes",
            peer=score_all_but_uniform_oci,
            ours=uniform_oci,
            data=partial(counts_of_classes, n_classes=n_classes),
            demands={1_000_000: grows_at_most(bound)},
            same_result=False,
        )
        for n_classes, bound in ((11, 0.5), (1_000, 20))
    ),
    CallMegabytes(
        "UOCI of 1,000 classes",
        ours=uniform_oci,
        data=partial(counts_of_classes, n_classes=1_000),
        demands={1_000_000: within_megabytes(500)},
    ),
]
