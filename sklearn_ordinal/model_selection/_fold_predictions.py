"""Out-of-fold predictions, stored by fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    IntegerArray,
    Kind,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScores,
)
from sklearn_ordinal._documents import Column, Document, Table, Views, plain


@dataclass(frozen=True, eq=False)
class FoldPredictions(Views):
    """The predictions of an estimator for the test samples of a fold.

    Parameters
    ----------
    test : ndarray of shape (n_test,)
        Positions of the test samples in the data.
    y_pred : ndarray of shape (n_test,)
        Positions of the predicted classes on the scale.
    y_proba : ndarray of shape (n_test, n_classes), default=None
        Probabilities of the classes in the order of the scale; None unless a criterion
        needs them.
    y_score : ndarray of shape (n_test,), default=None
        Scores, higher for higher classes; None unless a criterion needs them and the
        estimator has no probabilities.

    See Also
    --------
    sklearn_ordinal.reports.CrossValReport : The predictions of all folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.model_selection import FoldPredictions
    >>> FoldPredictions(test=np.array([3, 5]), y_pred=np.array([0, 2])).y_pred
    array([0, 2])
    """

    test: NDArray[np.intp]
    y_pred: IntegerArray
    y_proba: NDArray[np.float64] | None = None
    y_score: NDArray[np.float64] | None = None

    def document(self) -> Document:
        """Return the content of the predictions, from which the views are rendered.

        Returns
        -------
        Document
            How often each class is predicted.
        """
        classes, sizes = np.unique(self.y_pred, return_counts=True)
        columns = (Column("class (position)", "number"), Column("predictions", "number"))
        rows = tuple(zip(classes.tolist(), sizes.tolist(), strict=True))
        return Document("Predictions", (Table("Predicted classes of a fold", columns, rows),))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes.

        Returns
        -------
        dict
            Lists; None for probabilities and scores that were not kept.
        """
        fields: dict[str, Any] = plain(self)
        return fields

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each test sample."""
        columns: dict[str, NDArray[Any]] = {"sample": self.test, "y_pred": self.y_pred}
        if self.y_proba is not None:
            columns |= {f"proba_{position}": p for position, p in enumerate(self.y_proba.T)}
        if self.y_score is not None:
            columns["y_score"] = self.y_score
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def has_evidence(fold: FoldPredictions | None, kind: Kind) -> bool:
    """Return whether the predictions of a fold suffice for criteria of a kind."""
    if fold is None:
        return False
    available: set[type] = {OrdinalConfusion}
    if fold.y_proba is not None:
        available.add(OrdinalForecasts)
    if fold.y_score is not None:
        available.add(OrdinalScores)
    return not available.isdisjoint(kind.accepts)
