"""Predictions of five classes against distributions over the classes."""

from __future__ import annotations

from functools import partial

import numpy as np
from _cases import CallTime, Case, at_least, grows_at_most
from numpy.typing import NDArray
from scipy.stats import wasserstein_distance

from sklearn_ordinal.inference import Interval, delta_interval
from sklearn_ordinal.metrics import wasserstein_error

N_CLASSES = 5
Shares = NDArray[np.float64]
Labels = NDArray[np.int64]


def shares_and_predictions(n_samples: int) -> tuple[Shares, Labels]:
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.ones(N_CLASSES), n_samples), rng.integers(0, N_CLASSES, n_samples)


def two_distributions(n_samples: int) -> tuple[Shares, Shares]:
    rng = np.random.default_rng(0)
    first, second = rng.dirichlet(np.ones(N_CLASSES), (2, n_samples))
    return first, second


def interval_of_rows(y_soft: Shares, y_pred: Labels) -> list[float]:
    """Write out the rows of soft labels, as one does without a reader of them."""
    n_items = len(y_soft)
    return _numbers(
        delta_interval(
            np.tile(np.arange(N_CLASSES), n_items),
            np.repeat(y_pred, N_CLASSES),
            sample_weight=y_soft.ravel(),
            clusters=np.repeat(np.arange(n_items), N_CLASSES),
        )
    )


def interval_of_classes(y_soft: Shares, y_pred: Labels) -> list[float]:
    """Replace each distribution by its most probable class, in a cluster of its own."""
    y_true, clusters = y_soft.argmax(axis=1), np.arange(len(y_soft))
    return _numbers(delta_interval(y_true, y_pred, clusters=clusters))


def interval_of_soft_labels(y_soft: Shares, y_pred: Labels) -> list[float]:
    return _numbers(delta_interval(y_soft, y_pred))


def _numbers(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def scipy_distance(y_soft: Shares, y_proba: Shares) -> float:
    distance = partial(wasserstein_distance, range(N_CLASSES), range(N_CLASSES))
    return float(np.mean([distance(p, q) for p, q in zip(y_soft, y_proba, strict=True)]))


CASES: list[Case] = [
    CallTime(
        "delta, soft labels / rows",
        peer=interval_of_rows,
        ours=interval_of_soft_labels,
        data=shares_and_predictions,
        demands={1_000_000: at_least(1)},
    ),
    CallTime(
        "delta, soft labels / classes",
        peer=interval_of_classes,
        ours=interval_of_soft_labels,
        data=shares_and_predictions,
        demands={1_000_000: grows_at_most(6)},
        same_result=False,
    ),
    CallTime(
        "Wasserstein / scipy",
        peer=scipy_distance,
        ours=wasserstein_error,
        data=two_distributions,
        demands={10_000: at_least(100)},
    ),
]
