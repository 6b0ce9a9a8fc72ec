"""The provenance of a result: folds, estimators, versions and date."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import sklearn
from sklearn.base import BaseEstimator

from sklearn_ordinal._documents import (
    Document,
    Note,
    Views,
    current_date,
    current_versions,
    versions_as_text,
)

LIST_OF_SPLITS = "a list of splits"


@dataclass(frozen=True)
class Provenance(Views):
    """How a result was made.

    HTML pages end with the provenance. The provenance is ignored when results are compared
    with ``==``.

    Parameters
    ----------
    date : str
        Date and time of the evaluation, in UTC.
    versions : mapping of str to str
        Versions of sklearn_ordinal, scikit-learn, NumPy and Python.
    splitter : str, default=""
        The splitter of a cross-validation with its parameters.
    estimators : mapping of str to str, default={}
        For the name of each estimator, the estimator with all its parameters, as text.

    See Also
    --------
    CrossValReport : A result with a provenance.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from sklearn_ordinal.reports import Provenance
    >>> Provenance.of_now(estimators={"svm": SVC(C=3.0)}).estimators
    {'svm': "SVC(C=3.0, ...)"}
    """

    date: str
    versions: Mapping[str, str]
    splitter: str = ""
    estimators: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_now(cls, *, splitter: Any = None, estimators: Mapping[str, Any] | None = None) -> Self:
        """Return the provenance of an evaluation made now.

        Parameters
        ----------
        splitter : object, default=None
            The splitter of a cross-validation.
        estimators : dict of str to estimator instance, default=None
            The estimators by name.

        Returns
        -------
        Provenance
            The provenance.
        """
        return cls(
            date=current_date(),
            versions=current_versions(),
            splitter="" if splitter is None else _splitter_as_text(splitter),
            estimators={name: _as_text(model) for name, model in (estimators or {}).items()},
        )

    def document(self) -> Document:
        """Return the content of the provenance, from which its views are rendered.

        Returns
        -------
        Document
            The lines at the end of a page.
        """
        return Document("How the result was made", footer(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes.

        Returns
        -------
        dict
            Strings and dicts of strings.
        """
        return asdict(self)

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each fact."""
        facts = {"date": self.date, "splitter": self.splitter, **self.versions, **self.estimators}
        return [{"what": fact, "value": value} for fact, value in facts.items()]


def provenance_from_json(values: Mapping[str, Any] | None) -> Provenance | None:
    """Return the provenance in a file, and raise unless it consists of strings."""
    if values is None:
        return None
    provenance = Provenance(**values)
    items = (*provenance.versions.items(), *provenance.estimators.items())
    texts = (provenance.date, provenance.splitter, *(text for item in items for text in item))
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("provenance must consist of strings")
    return provenance


def folds_by(provenance: Provenance | None) -> str:
    """Return the name of the splitter, for a sentence after the number of folds."""
    if provenance is None or not provenance.splitter:
        return ""
    return f" by {provenance.splitter.partition('(')[0]}"


def footer(provenance: Provenance | None) -> tuple[Note, ...]:
    """Return the lines at the end of a page."""
    if provenance is None:
        return ()
    lines = [f"Folds: {provenance.splitter}."] if provenance.splitter else []
    lines += [f"{name}: {estimator}" for name, estimator in provenance.estimators.items()]
    lines += [f"Made on {provenance.date} with {versions_as_text(provenance.versions)}."]
    return tuple(Note(line, is_small=True) for line in lines)


def _splitter_as_text(splitter: Any) -> str:
    # scikit-learn wraps a list of splits.
    if type(splitter).__name__ == "_CVIterableWrapper":
        return LIST_OF_SPLITS
    return _on_one_line(splitter)


def _as_text(estimator: Any) -> str:
    """Return an estimator as text with all parameters, even those that `repr` omits."""
    with sklearn.config_context(print_changed_only=False):
        if type(estimator).__repr__ is BaseEstimator.__repr__:
            return _on_one_line(estimator, N_CHAR_MAX=math.inf)
        return _on_one_line(estimator)


def _on_one_line(value: Any, **options: float) -> str:
    try:
        text = value.__repr__(**options)
    except Exception:
        # A parameter that cannot be shown must not make the evaluation fail.
        return type(value).__name__
    # A memory address means nothing to readers.
    return type(value).__name__ if text == object.__repr__(value) else " ".join(text.split())
