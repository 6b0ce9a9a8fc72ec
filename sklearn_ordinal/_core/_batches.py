"""Count samples in batches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._checks import (
    as_numbers,
    check_amounts,
    iterate,
    listed,
    shown,
)
from sklearn_ordinal._core._counting import Counted, Unanswered
from sklearn_ordinal._core._encoding import (
    Encoded,
    encode_answered,
    encode_complete,
    run_scale,
)
from sklearn_ordinal._core._integer_run import check_run_length
from sklearn_ordinal._core._missing_codes import warn_of_missing_codes
from sklearn_ordinal._core._scale import OrdinalScale, as_scale


def count_batches(
    batches: Iterable[Sequence[ArrayLike]], labels: Any, unanswered: Unanswered
) -> Counted:
    """Count the samples of all batches."""
    tally = _Tally(None if labels is None else as_scale(labels), unanswered)
    for number, batch in enumerate(iterate("batches", batches, "tuples (y_true, y_pred)")):
        tally.add(number, batch)
    return tally.counted()


@dataclass
class _Tally:
    """Sums by true and predicted class; the predicted class of unanswered samples is None."""

    labels: OrdinalScale | None
    unanswered: Unanswered
    # Sums of weights, or numbers of samples.
    sums: dict[tuple[Any, Any], float] = field(default_factory=dict)
    # Numbers of samples of positive weight.
    numbers: dict[tuple[Any, Any], int] = field(default_factory=dict)
    # Sums of squared weights, or numbers of samples.
    squares: dict[tuple[Any, Any], float] = field(default_factory=dict)
    # The first batch that is not empty sets these fields; the other batches must agree with it.
    first: int | None = None
    order: OrdinalScale | None = None
    is_weighted: bool = False
    is_bool: bool = True

    def add(self, number: int, batch: Any) -> None:
        if not isinstance(batch, (tuple, list)) or len(batch) not in {2, 3}:
            raise ValueError(
                f"batches must hold tuples (y_true, y_pred) or (y_true, y_pred, sample_weight), "
                f"got {shown(batch)} as batch {number}."
            )
        if all(_is_empty(part) for part in batch):
            return
        names = [
            f"{name} of batch {number}"
            for name in ("y_true", "y_pred", "sample_weight")[: len(batch)]
        ]
        encoded, is_answered = self._encode(dict(zip(names, batch, strict=True)))
        self._check_agrees(number, encoded, len(batch) == 3)
        true, pred = (column.astype(np.int64) for column in encoded.columns)
        size = encoded.n_positions
        cells = true * (size + 1) + np.where(is_answered, pred, size)
        if self.is_weighted:
            weights = _weights(names[2], batch[2], len(cells))
            sums, numbers = _sums(cells, weights), _sums(cells[weights > 0])
            # The sum of weights that are too large is an error, and so are their squares.
            with np.errstate(over="ignore"):
                squares = _sums(cells, weights**2)
        else:
            sums = numbers = squares = _sums(cells)
        classes = _classes(encoded)
        for cell, amount in sums.items():
            j, i = divmod(cell, size + 1)
            pair = classes[j], None if i == size else classes[i]
            self.sums[pair] = self.sums.get(pair, 0) + amount
            self.numbers[pair] = self.numbers.get(pair, 0) + numbers.get(cell, 0)
            self.squares[pair] = self.squares.get(pair, 0) + squares[cell]

    def _encode(self, columns: dict[str, Any]) -> tuple[Encoded, NDArray[np.bool_]]:
        (true, y_true), (pred, y_pred), *per_sample = columns.items()
        labelled = {true: y_true, pred: y_pred}
        if self.unanswered == "raise":
            encoded = encode_complete(labelled, self.labels, **dict(per_sample))
            return encoded, np.ones(len(encoded.columns[0]), dtype=np.bool_)
        encoded, (is_answered,) = encode_answered(labelled, self.labels, **dict(per_sample))
        return encoded, is_answered

    def _check_agrees(self, number: int, encoded: Encoded, is_weighted: bool) -> None:
        if self.first is None:
            self.first, self.order, self.is_weighted = number, encoded.scale, is_weighted
        if is_weighted != self.is_weighted:
            in_first, in_batch = ("no ", "") if is_weighted else ("", "no ")
            raise ValueError(
                f"batches must all have weights or none, batch {self.first} has {in_first}weights "
                f"and batch {number} has {in_batch}weights."
            )
        if encoded.scale != self.order:
            orders = [
                "integers" if scale is None else listed(scale.labels)
                for scale in (self.order, encoded.scale)
            ]
            raise ValueError(
                f"batches {self.first} and {number} are ordered differently, {' and '.join(orders)}"
                f": give both the same categories or pass labels=."
            )
        self.is_bool &= encoded.is_bool

    def counted(self) -> Counted:
        """Return the counts on the scale, or on the run of the integers of all batches."""
        if not self.sums:
            raise ValueError("batches must hold at least one sample.")
        if self.is_weighted and not any(self.sums.values()):
            raise ValueError("sample_weight must not be all zero in all batches.")
        scale = self._run() if self.order is None else self.order
        dtype = np.float64 if self.is_weighted else np.int64
        counts = np.zeros((len(scale), len(scale)), dtype)
        missing = np.zeros(len(scale), dtype)
        numbers = np.zeros((len(scale), len(scale) + 1), np.int64)
        squares = np.zeros(numbers.shape)
        for (true, pred), amount in self.sums.items():
            if not amount:
                continue
            row, column = scale.position(true), -1 if pred is None else scale.position(pred)
            if self.is_weighted:
                numbers[row, column] = self.numbers[true, pred]
                squares[row, column] = self.squares[true, pred]
            # An infinite sum of finite weights is too large, not an infinite weight.
            amount = min(amount, sys.float_info.max)
            if pred is None:
                missing[row] = amount
            else:
                counts[row, column] = amount
        if self.is_weighted:
            check_amounts("sample_weight of all batches", counts, axis=None)
            check_amounts("sample_weight of all batches", missing)
        return Counted(
            scale,
            counts,
            self.is_weighted,
            missing if self.unanswered == "count" else None,
            sample_counts=numbers if self.is_weighted else None,
            squared_weights=squares if self.is_weighted else None,
        )

    def _run(self) -> OrdinalScale:
        labels = {label for pair in self.sums for label in pair if label is not None}
        check_run_length(["y_true", "y_pred"], min(labels), max(labels), [labels])
        # Classes at the ends are cut off if all their samples have weight zero.
        weighty = [
            label
            for pair, amount in self.sums.items()
            if amount
            for label in pair
            if label is not None
        ]
        lowest, n_classes = min(weighty), max(weighty) - min(weighty) + 1
        sizes = np.zeros((2, n_classes))
        for pair, number in self.numbers.items():
            for column, label in enumerate(pair):
                if number and label is not None:
                    sizes[column, label - lowest] += number
        warn_of_missing_codes(lowest, sizes)
        return run_scale(lowest, n_classes, is_bool=self.is_bool)


def _is_empty(part: Any) -> bool:
    return hasattr(part, "__len__") and len(part) == 0


def _weights(name: str, weights: Any, size: int) -> NDArray[np.float64]:
    # Unlike the weights of all batches together, the weights of one batch may all be zero or very
    # small.
    weight = as_numbers(name, weights).astype(np.float64, copy=False)
    if weight.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {weight.shape}.")
    is_bad = ~((weight >= 0) & (weight < np.inf))
    if is_bad.any():
        raise ValueError(
            f"{name} must be finite and not negative, but {int(is_bad.sum()):,} of {size:,} "
            f"weights are not, such as {weight[is_bad][0]}."
        )
    return weight


def _sums(cells: NDArray[np.int64], weights: NDArray[np.float64] | None = None) -> dict[int, Any]:
    """Return the number of samples, or the sum of the weights, of each cell that occurs."""
    occurring = np.flatnonzero(np.bincount(cells))
    sums = np.bincount(cells, weights)[occurring]
    return dict(zip(occurring.tolist(), sums.tolist(), strict=True))


def _classes(encoded: Encoded) -> Sequence[Any]:
    if encoded.scale is None:
        return range(encoded.lowest, encoded.lowest + encoded.n_positions)
    classes: list[Any] = encoded.scale.labels.tolist()
    return classes
