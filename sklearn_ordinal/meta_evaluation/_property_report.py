"""The properties of one metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sklearn_ordinal.documents import (
    Code,
    Column,
    Document,
    Note,
    Section,
    Table,
    Views,
    plain,
)
from sklearn_ordinal.meta_evaluation._counterexample import Counterexample, in_words
from sklearn_ordinal.meta_evaluation._property_changes import PropertyName

# A property that holds for fewer comparisons than this is named in a note.
_FEW = 100
_MEANINGS: Mapping[PropertyName, str] = {
    "ordinal_invariant": "an empty class, anywhere on the scale, changes nothing",
    "ordinal_monotonic": "a prediction closer to the truth is never worse",
    "strictly_monotonic": "a prediction closer to the truth is always better",
    "imbalance_aware": "the same error costs more in a smaller class",
    "prevalence_invariant": "counting the samples of one class twice changes nothing",
    "symmetric": "exchanging truth and prediction changes nothing",
}
_MATRICES: Mapping[str, str] = {
    "labels": "matrices",
    "probabilities": "matrices of true classes and probabilities in quarters",
    "scores": "matrices of true classes and scores at the classes and halfway between them",
}


@dataclass(frozen=True, eq=False)
class PropertyReport(Views):
    """Which properties a metric has, and counterexamples to the others.

    `check_properties` returns one. A property is True if the search found no counterexample,
    False if it found one, and None if it has no meaning for the metric, or if the metric was
    undefined wherever it was to be compared.

    Parameters
    ----------
    metric : str
        Name of the metric.
    evidence : {"labels", "probabilities", "scores"}
        What the metric is a function of.
    ordinal_invariant : bool or None
        Whether an empty class that is inserted anywhere on the scale changes nothing.
    ordinal_monotonic : bool or None
        Whether a prediction that moves closer to the truth never makes the value worse.
    strictly_monotonic : bool or None
        Whether it always makes the value better, if every class occurs in the truth.
    imbalance_aware : bool or None
        Whether the only error costs more in a smaller class.
    prevalence_invariant : bool or None
        Whether counting the samples of one true class twice changes nothing.
    symmetric : bool or None
        Whether exchanging truth and prediction changes nothing; None for probabilities and
        scores.
    counterexamples : dict of str to Counterexample
        The smallest counterexample that was found, for each property that is False.
    n_compared, n_undefined : dict of str to int
        For each property, how many pairs of values were compared, and how many could not be
        because a value was undefined.
    n_samples : tuple of int
        For 2, 3, ... classes, the number of samples up to which all matrices were searched.
    n_random : int
        Number of random matrices of each number of classes.

    Attributes
    ----------
    searched : str
        A sentence that says what was searched.

    See Also
    --------
    check_properties : Search for counterexamples.
    PropertyTable : The properties of several metrics.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("accuracy")
    >>> report.ordinal_monotonic, report.strictly_monotonic
    (True, False)
    >>> print(report.counterexamples["prevalence_invariant"].text)
    Each sample of class 0 is counted twice: 0.5 -> 0.667.
    """

    metric: str
    evidence: str
    ordinal_invariant: bool | None
    ordinal_monotonic: bool | None
    strictly_monotonic: bool | None
    imbalance_aware: bool | None
    prevalence_invariant: bool | None
    symmetric: bool | None
    counterexamples: dict[PropertyName, Counterexample]
    n_compared: dict[PropertyName, int]
    n_undefined: dict[PropertyName, int]
    n_samples: tuple[int, ...]
    n_random: int

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The properties, what was searched, and the counterexamples.
        """
        table = Table(
            f"Properties of {self.metric}",
            (
                Column("property"),
                Column("holds"),
                Column("compared", "number", digits=0),
                Column("undefined", "number", digits=0),
                Column("meaning", is_detail=True),
            ),
            tuple(
                (
                    in_words(name),
                    yes_or_no(getattr(self, name)),
                    self.n_compared[name],
                    self.n_undefined[name],
                    _MEANINGS[name],
                )
                for name in self.n_compared
            ),
        )
        sections = tuple(
            Section(f"Not {in_words(name)}", (Note(found.text), Code(found.code)))
            for name, found in self.counterexamples.items()
        )
        return Document(
            f"Properties of {self.metric}",
            (table, Note(self.searched), *self._untested(), *sections),
        )

    @property
    def searched(self) -> str:
        """A sentence that says what was searched."""
        first, *others = self.n_samples
        exhaustive = "".join(f", {n} of {k}" for k, n in enumerate(others, start=3))
        return (
            f"Searched: all {_MATRICES[self.evidence]} of up to {first} samples of 2 classes"
            f"{exhaustive}; then {self.n_random:,} random ones of each number of classes. "
            f"Imbalance is searched in those with a single error. The search for a property ends "
            f"with its first counterexample."
        )

    def _untested(self) -> tuple[Note, ...]:
        few = [
            f"{in_words(name)} ({number})"
            for name, number in self.n_compared.items()
            if number < _FEW and name not in self.counterexamples
        ]
        if not few:
            return ()
        return (Note(f"Few pairs of defined values could be compared: {', '.join(few)}."),)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "criterion": self.metric,
                "property": name,
                "holds": getattr(self, name),
                "n_compared": number,
                "n_undefined": self.n_undefined[name],
                "counterexample": getattr(self.counterexamples.get(name), "text", None),
            }
            for name, number in self.n_compared.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the properties and the counterexamples as a dict.

        Returns
        -------
        dict
            For each property a bool, or None; "criterion" and "evidence" strings;
            "counterexamples" a dict of dicts; "n_compared" and "n_undefined" dicts of
            integers; "n_samples" a list of integers, and "n_random".
        """
        examples = {name: found.to_dict() for name, found in self.counterexamples.items()}
        numbers: dict[str, Any] = plain(
            {
                "criterion": self.metric,
                "evidence": self.evidence,
                **{name: getattr(self, name) for name in _MEANINGS},
                "n_compared": self.n_compared,
                "n_undefined": self.n_undefined,
                "n_samples": self.n_samples,
                "n_random": self.n_random,
            }
        )
        return {**numbers, "counterexamples": examples}


def yes_or_no(holds: bool | None) -> str:
    """Return whether a property holds, as text."""
    return "not known" if holds is None else "yes" if holds else "no"
