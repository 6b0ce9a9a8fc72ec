"""`consensus` of several raters: one grade for each item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import arithmetic, checks, grading
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views

Rule = Literal["median", "mode"]

_NAMES = {"median": "lower median", "mode": "lowest mode"}


@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Views):
    """One grade for each item, from the grades of several raters.

    Returned by `consensus`. `str` gives the text, and notebooks show a table.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    grades : ndarray of shape (n_items,)
        The consensus for each item, in the order of the items; None for items without a grade.
    rule : {"median", "mode"}
        How the consensus was computed.
    n_grades : ndarray of shape (n_items,)
        Number of grades of each item.
    is_tied : ndarray of shape (n_items,)
        Whether another class fits the rule as well as the consensus, which is the lowest.
    items : ndarray of shape (n_items,), default=None
        Id of each item. None if the items are known by their order only.

    Attributes
    ----------
    n_ties : int
        Number of items whose consensus is the lowest of several classes.
    n_even : int
        Number of items with an even number of grades, except 0.
    n_single : int
        Number of items with a single grade, which is the consensus.
    n_without_grade : int
        Number of items without a grade, which have no consensus.

    See Also
    --------
    sklearn_ordinal.consensus : Compute the consensus.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, consensus
    >>> ratings = OrdinalRatings.from_ratings([[1, 1, 2], [3, 1, None], [2, 3, 3]])
    >>> result = consensus(ratings)
    >>> result.grades, result.n_ties
    (array([1, 1, 3]), 1)
    """

    scale: OrdinalScale
    grades: NDArray[Any]
    rule: Rule
    n_grades: NDArray[np.intp]
    is_tied: NDArray[np.bool_]
    items: NDArray[Any] | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def n_ties(self) -> int:
        """Number of items whose consensus is the lowest of several classes."""
        return int(np.count_nonzero(self.is_tied))

    @property
    def n_even(self) -> int:
        """Number of items with an even number of grades, except 0."""
        return int(np.count_nonzero((self.n_grades % 2 == 0) & (self.n_grades > 0)))

    @property
    def n_single(self) -> int:
        """Number of items with a single grade, which is the consensus."""
        return int(np.count_nonzero(self.n_grades == 1))

    @property
    def n_without_grade(self) -> int:
        """Number of items without a grade, which have no consensus."""
        return int(np.count_nonzero(self.n_grades == 0))

    def __repr__(self) -> str:
        n_items = formatting.counted(len(self.grades), "item")
        return f"Consensus({self.rule!r} of {n_items}, {formatting.counted(self.n_ties, 'tie')})"

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            How many items have ties, and the number of items in each class.
        """
        names = [str(label) for label in self.scale.labels.tolist()]
        sizes = self._sizes()
        n_graded = sum(sizes)
        table = Table(
            "Items by their consensus",
            (Column("class"), Column("items", "number", digits=0), Column("share", "number")),
            tuple((name, size, size / n_graded) for name, size in zip(names, sizes, strict=True)),
        )
        first, *others = map(Note, self._sentences())
        return Document("Consensus", (*others, table), verdict=(first,))

    def _sentences(self) -> list[str]:
        """Say how many items depend on taking the lower class, or on a single rater."""
        items = formatting.counted(len(self.grades), "item")
        sentences = [f"The consensus of {items} is the {_NAMES[self.rule]} of the grades."]
        if self.rule == "mode" and self.n_ties:
            sentences.append(
                f"{_items_have(self.n_ties)} several classes with the most grades, and the "
                f"lowest of them is taken."
            )
        if self.rule == "median" and self.n_even:
            is_single = self.n_even == 1
            middle = f"{'Its' if is_single else 'The'} two middle grades"
            if self.n_ties:
                where = "" if is_single else f" in {self.n_ties:,} of them"
                middle += f" differ{where}, and the lower one is taken."
            else:
                middle += " are equal." if is_single else " are equal in all of them."
            sentences.append(f"{_items_have(self.n_even)} an even number of grades. {middle}")
        if self.n_single:
            sentences.append(f"{_items_have(self.n_single)} a single grade, which is taken.")
        if self.n_without_grade:
            sentences.append(f"{_items_have(self.n_without_grade)} no grade, and no consensus.")
        return sentences

    def _sizes(self) -> list[int]:
        """Return the number of items in each class."""
        is_graded = self.n_grades > 0
        labels, counts = np.unique(self.grades[is_graded], return_counts=True)
        sizes = dict(zip(labels.tolist(), counts.tolist(), strict=True))
        return [sizes.get(label, 0) for label in self.scale.labels.tolist()]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "rule", "n_ties", "n_even", "n_single" and "n_without_grade"; and "items": a list of
            dicts with the columns of `to_frame`. Items without a grade have the grade None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "rule": self.rule,
                "n_ties": self.n_ties,
                "n_even": self.n_even,
                "n_single": self.n_single,
                "n_without_grade": self.n_without_grade,
                "items": self._records(),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each item."""
        ids = range(len(self.grades)) if self.items is None else self.items.tolist()
        columns = (ids, *(part.tolist() for part in (self.grades, self.n_grades, self.is_tied)))
        names = ("item", "grade", "n_grades", "is_tied")
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


@checks.lists_parameters
def consensus(ratings: OrdinalRatings, rule: Rule = "median") -> Consensus:
    """Compute one grade for each item from the grades of several raters.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades.
    rule : {"median", "mode"}, default="median"
        "median": the lower of the two middle grades if the number of grades is even. "mode": the
        class with the most grades, and the lowest of several such classes.

    Returns
    -------
    Consensus
        The grade of each item in the order of the items, and the number of items whose grade
        depends on taking the lower of two classes.

    Raises
    ------
    ValueError
        If `ratings` are not OrdinalRatings, or the rule is not known.

    See Also
    --------
    agreement_report : Ask how far the raters agree before trusting the consensus.
    sklearn_ordinal.metrics.agreement_score : Compute a coefficient of agreement.

    Notes
    -----
    Each rater counts once, and the weights of the items do not matter.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, consensus
    >>> ratings = OrdinalRatings.from_ratings([[1, 1, 2], [3, 1, None], [2, 3, 3], [3, 3, 3]])
    >>> print(consensus(ratings))
    The consensus of 4 items is the lower median of the grades.
    <BLANKLINE>
    1 item has an even number of grades. Its two middle grades differ, and the lower
    one is taken.
    <BLANKLINE>
    Items by their consensus
    class  items  share
    1          2  0.500
    2          0  0.000
    3          2  0.500
    >>> consensus(ratings, "mode").grades
    array([1, 1, 3, 3])
    """
    checks.check_choice("rule", rule, Rule)
    grading.check_ratings(ratings)
    counts = grading.grade_counts(ratings.patterns, len(ratings.scale))
    position, is_tied = (_lower_median if rule == "median" else _lowest_mode)(counts)
    pattern, has_grade = ratings.pattern, counts.any(axis=1)
    grades = ratings.labels[position]
    if not has_grade.all():
        grades = grades.astype(object)
        grades[~has_grade] = None
    return Consensus(
        ratings.scale,
        arithmetic.read_only(grades[pattern]),
        rule,
        arithmetic.read_only(ratings.n_grades),
        arithmetic.read_only(is_tied[pattern]),
        ratings.items,
    )


def _items_have(number: int) -> str:
    return f"{formatting.counted(number, 'item')} {'has' if number == 1 else 'have'}"


def _lower_median(counts: Floats) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the lower median of each pattern, and whether the upper median differs."""
    n_up_to, n_grades = np.cumsum(counts, axis=1), counts.sum(axis=1)
    median = (2 * n_up_to >= n_grades[:, None]).argmax(axis=1)
    n_up_to_median = n_up_to[np.arange(len(counts)), median]
    return median, (2 * n_up_to_median == n_grades) & (n_grades > 0)


def _lowest_mode(counts: Floats) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the lowest mode of each pattern, and whether there is another mode."""
    most = counts.max(axis=1, keepdims=True)
    return counts.argmax(axis=1), (most[:, 0] > 0) & ((counts == most).sum(axis=1) > 1)
