"""Items that a judge grades, only some of which humans grade too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._containers import Column, check_same_order, read_present
from sklearn_ordinal._core._encoding import check_same_length, encode_columns
from sklearn_ordinal._core._integer_run import IntegerArray
from sklearn_ordinal._core._scale import OrdinalScale

# The variances of fewer items, and so the weight of the judge, are hardly known.
_FEWEST_GRADED = 30
# Combinations of three classes that are counted with one counter each.
_MOST_COUNTERS = 2**20


@dataclass(frozen=True, eq=False)
class PartlyGradedItems:
    """Counts of the items that both a human and the judge grade, and of those of the judge only.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    combinations : ndarray of shape (3, n_combinations)
        The grade of the human, the grade of the judge and the prediction that occur together.
    numbers : ndarray of shape (n_combinations,)
        Number of items with each combination.
    judge_only : ndarray of shape (n_classes, n_classes)
        Number of the items that no human grades, by the judge's grade (rows) and the prediction.
    """

    scale: OrdinalScale
    combinations: NDArray[np.int64]
    numbers: NDArray[np.int64]
    judge_only: NDArray[np.int64]

    @property
    def n_graded(self) -> int:
        """Number of items that a human and the judge grade."""
        return int(self.numbers.sum())

    @property
    def n_judge_only(self) -> int:
        """Number of items that only the judge grades."""
        return int(self.judge_only.sum())

    @property
    def human_counts(self) -> NDArray[np.int64]:
        """Number of graded items by the grade of the human (rows) and the prediction."""
        human, _, predicted = self.combinations
        return self._counts(human, predicted)

    @property
    def judge_counts(self) -> NDArray[np.int64]:
        """Number of graded items by the grade of the judge (rows) and the prediction."""
        _, judge, predicted = self.combinations
        return self._counts(judge, predicted)

    def _counts(self, grade: NDArray[np.int64], predicted: NDArray[np.int64]) -> NDArray[np.int64]:
        counts = np.zeros((len(self.scale), len(self.scale)), dtype=np.int64)
        np.add.at(counts, (grade, predicted), self.numbers)
        return counts


def read_partly_graded(y_true: Any, y_pred: Any, judge: Any, labels: Any) -> PartlyGradedItems:
    """Count items whose true class may be missing, and that have a prediction and a judge's grade.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades of humans, missing (NaN, None or NA) where only the judge grades the item.
    y_pred : array-like of shape (n_items,)
        Predicted classes.
    judge : array-like of shape (n_items,)
        Grades of the judge.
    labels : array-like of shape (n_classes,) or None
        All classes from the lowest to the highest, if the data do not tell.
    """
    arguments = {"y_true": y_true, "y_pred": y_pred, "judge": judge}
    check_same_order(arguments)
    read = {name: read_present(values, name) for name, values in arguments.items()}
    check_same_length({name: len(is_present) for name, (_, is_present) in read.items()})
    columns = {name: column for name, (column, _) in read.items()}
    has_human = read["y_true"][1]
    _check_complete(columns, len(has_human))
    n_graded = int(np.count_nonzero(has_human))
    if n_graded < _FEWEST_GRADED:
        raise ValueError(
            f"y_true must have grades of humans for at least {_FEWEST_GRADED} items, and be "
            f"missing (NaN, None or NA) where only the judge grades the item, got {n_graded:,} "
            f"grades for {len(has_human):,} items: have humans grade a random sample of the items."
        )
    if n_graded == len(has_human):
        raise ValueError(
            "y_true must be missing (NaN, None or NA) for the items that only the judge grades, "
            "got a human's grade for each item: use delta_interval, which needs no judge."
        )
    scale, (human, predicted, graded) = encode_columns(list(columns.values()), labels).on_scale()
    n_classes = len(scale)
    if n_classes < 2:
        raise ValueError(
            f"y_true, y_pred and judge must have at least two classes, got only "
            f"{shown(scale.labels.tolist()[0])}: pass all classes as labels=."
        )
    pairs = graded.astype(np.int64) * n_classes + predicted
    pairs_of_graded = pairs[has_human]
    # Selecting the items of the judge only would take longer than counting all items.
    by_pair = np.bincount(pairs, minlength=n_classes**2)
    by_pair -= np.bincount(pairs_of_graded, minlength=n_classes**2)
    numbers, combinations = _count_combinations(human, pairs_of_graded, n_classes)
    judge_only = by_pair.reshape(n_classes, n_classes).astype(np.int64)
    return PartlyGradedItems(scale, combinations, numbers, judge_only)


def _check_complete(columns: dict[str, Column], n_items: int) -> None:
    """Raise unless each item has a prediction and a grade of the judge."""
    for name, noun in (("y_pred", "prediction"), ("judge", "grade of the judge")):
        n_missing = n_items - len(columns[name].values)
        if n_missing:
            raise ValueError(
                f"{name} must have a {noun} for each item, but {n_missing:,} of {n_items:,} are "
                f"missing (NaN, None or NA): leave these items out."
            )


def _count_combinations(
    human: IntegerArray, pairs: NDArray[np.int64], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of items with each combination that occurs, and the combinations.

    `pairs` has the grade of the judge and the prediction as one number.
    """
    codes = human.astype(np.int64) * n_classes**2 + pairs
    if n_classes**3 <= _MOST_COUNTERS:
        by_code = np.bincount(codes)
        distinct = by_code.nonzero()[0]
        numbers = by_code[distinct]
    else:
        distinct, numbers = np.unique(codes, return_counts=True)
    combinations = np.unravel_index(distinct, (n_classes,) * 3)
    return numbers.astype(np.int64), np.array(combinations, dtype=np.int64)
