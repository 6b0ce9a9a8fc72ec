"""Count pairs of positions on a scale."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._checks import check_sample_weight
from sklearn_ordinal._core._chunks import slices
from sklearn_ordinal._core._encoding import Encoded, encode, encode_answered
from sklearn_ordinal._core._scale import IntegerArray, OrdinalScale

Counts: TypeAlias = NDArray[Any]
"""Counts of shape (..., K, K), rows true, columns predicted."""
Values: TypeAlias = NDArray[np.float64]
"""One value per matrix, of shape (...)."""

Unanswered = Literal["raise", "count"]

_ROWS_PER_CHUNK = 65_536


class Counted(NamedTuple):
    """What an `OrdinalConfusion` is made of, in the order of its arguments."""

    scale: OrdinalScale
    counts: Counts
    is_weighted: bool = False
    unanswered: Counts | None = None
    groups: tuple[Any, ...] = ()
    sample_counts: NDArray[np.int64] | None = None


def class_sizes(
    y: ArrayLike, labels: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[OrdinalScale, Counts]:
    """Return the scale of `y` and the number, or weight, of the samples of each class."""
    encoded = encode({"y": y}, labels)
    (positions,) = encoded.columns
    pair = encoded._replace(columns=(positions, positions))
    counts, scale = counts_on_scale(pair, sample_weight)
    return scale, counts.diagonal()


def count_answered(
    y_true: ArrayLike, y_pred: ArrayLike, labels: Any, sample_weight: ArrayLike | None
) -> Counted:
    """Count samples with a prediction, and the others by their true class."""
    encoded, (is_answered,) = encode_answered(
        {"y_true": y_true, "y_pred": y_pred}, labels, sample_weight=sample_weight
    )
    (true, pred), scale = encoded.columns, encoded.scale
    weight = check_sample_weight(sample_weight, len(true))
    counts = _count(true, pred, encoded.n_positions, weight * is_answered)
    missing = np.bincount(true.astype(np.int64), weight * ~is_answered, encoded.n_positions)
    if scale is None:
        run = run_of((counts + counts.T).any(axis=0) | (missing > 0))
        counts, missing = counts[run, run], missing[run]
        scale = encoded.scale_of_run(encoded.lowest + run.start, len(counts))
    if sample_weight is None:
        return Counted(scale, counts.astype(np.int64), unanswered=missing.astype(np.int64))
    numbers = sample_counts(encoded, sample_weight, is_answered)
    return Counted(scale, counts, is_weighted=True, unanswered=missing, sample_counts=numbers)


def sample_counts(
    encoded: Encoded, sample_weight: ArrayLike, is_answered: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Return the number of samples of positive weight in each cell, and of the unanswered."""
    true, pred = encoded.columns
    has_weight = check_sample_weight(sample_weight, len(true)) > 0
    kept = has_weight if is_answered is None else has_weight & is_answered
    pairs = (true, pred) if kept.all() else (true[kept], pred[kept])
    numbers = _count(*pairs, encoded.n_positions, None)
    missing = np.zeros(encoded.n_positions, dtype=np.int64)
    if is_answered is not None:
        missing = np.bincount(
            true[has_weight & ~is_answered].astype(np.int64), minlength=encoded.n_positions
        )
    run = slice(None)
    if encoded.scale is None:
        run = run_of((numbers + numbers.T).any(axis=0) | (missing > 0))
    return np.column_stack([numbers[run, run], missing[run]])


def counts_on_scale(
    encoded: Encoded, sample_weight: ArrayLike | None
) -> tuple[Counts, OrdinalScale]:
    """Return the counts of two columns and their scale."""
    counts, scale, lowest = count(encoded, sample_weight)
    return counts, encoded.scale_of_run(lowest, len(counts)) if scale is None else scale


def count(
    encoded: Encoded, sample_weight: ArrayLike | None
) -> tuple[Counts, OrdinalScale | None, int]:
    """Return the counts, and the declared scale or else the lowest integer of the run."""
    true, pred = encoded.columns
    weight = None
    if sample_weight is not None:
        weight = check_sample_weight(sample_weight, len(true))
    counts = _count(true, pred, encoded.n_positions, weight)
    if encoded.scale is not None:
        return counts, encoded.scale, 0
    run = run_of(np.logical_or.reduce(counts + counts.T))
    return counts[run, run], None, encoded.lowest + run.start


def run_of(occurs: NDArray[np.bool_]) -> slice:
    """Return the run from the first to the last class that occurs with a positive weight."""
    (occurring,) = occurs.nonzero()
    return slice(int(occurring[0]), int(occurring[-1]) + 1)


def _count(
    true: IntegerArray, pred: IntegerArray, size: int, weight: NDArray[np.float64] | None
) -> Counts:
    """Count pairs of positions, in chunks that stay in the cache."""
    rows = max(_ROWS_PER_CHUNK, 4 * size**2)
    counts = np.zeros(size**2, dtype=np.int64 if weight is None else np.float64)
    for chunk in slices(len(true), rows):
        cells = true[chunk].astype(np.int64, copy=False) * size
        cells += pred[chunk].astype(np.int64, copy=False)
        counts += np.bincount(cells, None if weight is None else weight[chunk], size**2)
    return counts.reshape(size, size)
