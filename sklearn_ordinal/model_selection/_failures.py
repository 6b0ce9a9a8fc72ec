"""Fits and evaluations that failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sklearn_ordinal._documents import Code, Column, Document, Note, Table, Views


@dataclass(frozen=True)
class FitFailure(Views):
    """An estimator that could not be fitted or scored on a fold.

    Parameters
    ----------
    name : str
        Name of the estimator.
    fold : int
        Position of the fold in `~sklearn_ordinal.reports.CrossValReport.folds`.
    estimator : str
        The estimator with its non-default parameters, on one line.
    params : dict of str to str
        All parameters of the estimator as text, including the parameters of nested
        estimators.
    error : str
        Type and message of the error, preceded by the name of the criterion if a
        criterion could not be evaluated.
    traceback : str
        The traceback.

    See Also
    --------
    sklearn_ordinal.reports.CrossValReport : The results of the other folds.

    Examples
    --------
    >>> from sklearn_ordinal.model_selection import FitFailure
    >>> error = "ValueError: C must be positive"
    >>> print(FitFailure("svc", 2, "SVC(C=-1)", {"C": "-1"}, error, traceback=""))
    svc, fold 3, SVC(C=-1): ValueError: C must be positive
    """

    name: str
    fold: int
    estimator: str
    params: Mapping[str, str]
    error: str
    traceback: str

    def __str__(self) -> str:
        return f"{self.name}, fold {self.fold + 1}, {self.estimator}: {self.error}"

    def document(self) -> Document:
        """Return the content of the failure, from which its views are rendered.

        Returns
        -------
        Document
            The error, a table of the parameters, and the traceback.
        """
        columns = (Column("parameter"), Column("value"))
        table = Table("Parameters", columns, tuple(self.params.items()))
        return Document("Failed fit", (table, Code(self.traceback)), verdict=(Note(str(self)),))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes of the failure.

        Returns
        -------
        dict
            Strings and numbers.
        """
        return asdict(self)

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(self)]


def failures_as_text(failures: Iterable[FitFailure]) -> list[str]:
    """Return a line for each error, with the folds in which it occurred."""
    folds: dict[tuple[str, str, str], list[int]] = {}
    for failure in failures:
        # Errors of nested fits are followed by tracebacks.
        error = failure.error.strip().partition("\n")[0]
        folds.setdefault((failure.name, failure.estimator, error), []).append(failure.fold + 1)
    return [
        f"{name}, fold {', '.join(map(str, numbers))}, {estimator}: {error}"
        for (name, estimator, error), numbers in folds.items()
    ]
