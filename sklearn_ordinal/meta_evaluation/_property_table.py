"""The properties of several metrics, compared with the claims of the source of CEM_ORD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sklearn_ordinal.documents import Code, Column, Document, Note, Part, Section, Table, Views
from sklearn_ordinal.meta_evaluation._counterexample import in_words
from sklearn_ordinal.meta_evaluation._property_changes import PropertyName
from sklearn_ordinal.meta_evaluation._property_report import PropertyReport, yes_or_no
from sklearn_ordinal.meta_evaluation._published_claims import CLAIMED, CLAIMS, NOT_HERE, SOURCE

_COLUMNS: dict[str, PropertyName] = {
    "invariant": "ordinal_invariant",
    "monotonic": "strictly_monotonic",
    "imbalance": "imbalance_aware",
    "prevalence": "prevalence_invariant",
    "symmetric": "symmetric",
}


@dataclass(frozen=True, eq=False)
class PropertyTable(Views):
    """Which properties several metrics have, compared with the claims of the source of CEM_ORD.

    `check_properties` returns one for several metrics.

    Parameters
    ----------
    reports : dict of str to PropertyReport
        The properties of each metric, by its name.

    Attributes
    ----------
    differences : list of tuple of str
        Names of the metrics, and of their properties that are not as the source says.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> table = check_properties(["cem_ord", "within_1_accuracy"])
    >>> table.differences
    [('within_1_accuracy', 'ordinal_invariant')]
    """

    reports: dict[str, PropertyReport]

    @property
    def differences(self) -> list[tuple[str, PropertyName]]:
        """Names of the metrics, and of their properties that are not as the source says."""
        return [
            (name, prop)
            for name, report in self.reports.items()
            if name in CLAIMS
            for prop in CLAIMED
            if getattr(report, prop) is not None and getattr(report, prop) != (prop in CLAIMS[name])
        ]

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The properties, those of the source, and the counterexamples.
        """
        table = Table(
            "Properties, by search for counterexamples",
            (Column("criterion"), *map(Column, _COLUMNS)),
            tuple(
                (name, *(_cell(report, prop) for prop in _COLUMNS.values()))
                for name, report in self.reports.items()
            ),
        )
        counterexamples = tuple(
            Section(name, tuple(Note(found.text) for found in report.counterexamples.values()))
            for name, report in self.reports.items()
            if report.counterexamples
        )
        searched = dict.fromkeys(report.searched for report in self.reports.values())
        return Document(
            "Properties of metrics",
            (
                table,
                Note(
                    "Monotonic: strictly, if every step of a prediction towards the truth makes "
                    "the value better; weakly, if none makes it worse."
                ),
                *self._of_source(),
                Section(
                    "What was searched",
                    (*map(Note, searched), *self._undefined()),
                    is_detail=True,
                ),
                Section("Counterexamples", counterexamples, is_detail=True),
            ),
        )

    def _undefined(self) -> Iterator[Note]:
        """Yield how many pairs of values of each metric could not be compared, if any."""
        totals = {name: sum(report.n_undefined.values()) for name, report in self.reports.items()}
        found = [f"{name} {total:,}" for name, total in totals.items() if total]
        if found:
            yield Note(f"Pairs of values not compared, since one is undefined: {', '.join(found)}.")

    def _of_source(self) -> tuple[Part, ...]:
        rows = tuple(
            (name, *(self._found_and_claimed(name, prop) for prop in CLAIMED))
            for name in self.reports
            if name in CLAIMS
        )
        if not rows:
            return ()
        headers = [name for name, prop in _COLUMNS.items() if prop in CLAIMED]
        table = Table(
            f"Found here / claimed by {SOURCE}, where monotonic means strictly; * differs",
            (Column("criterion"), *map(Column, headers)),
            rows,
        )
        differing = tuple(self._difference(name, prop) for name, prop in self.differences)
        if not differing:
            text = "All properties that were compared are as the source says."
            return table, Note(NOT_HERE), Note(text)
        return table, Note(NOT_HERE), Section("Where they differ", differing)

    def _found_and_claimed(self, name: str, prop: PropertyName) -> str:
        claimed = _is_claimed(name, prop)
        claim = "strictly" if claimed and prop == "strictly_monotonic" else yes_or_no(claimed)
        mark = " *" if (name, prop) in self.differences else ""
        return f"{_cell(self.reports[name], prop)} / {claim}{mark}"

    def _difference(self, name: str, prop: PropertyName) -> Section:
        report = self.reports[name]
        if prop not in report.counterexamples:
            text = "No counterexample was found, and the source does not claim the property."
            return Section(f"{name}: {in_words(prop)}", (Note(text),))
        found, title = report.counterexamples[prop], f"{name}: not {in_words(prop)}"
        if prop == "strictly_monotonic" and not report.ordinal_monotonic:
            # This shows more: the value gets worse.
            found, title = report.counterexamples["ordinal_monotonic"], f"{title}, not even weakly"
        return Section(title, (Note(found.text), Code(found.code)))

    def _records(self) -> list[dict[str, Any]]:
        return [
            {**record, "claimed": _is_claimed(record["criterion"], record["property"])}
            for report in self.reports.values()
            for record in report._records()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the properties of each metric as a dict.

        Returns
        -------
        dict
            "criteria", with a dict for each metric: what `PropertyReport.to_dict` returns, and
            "claimed", a dict of the properties that the source names: bools, None if it does
            not name the metric.
        """
        criteria = {
            name: {
                **report.to_dict(),
                "claimed": {prop: _is_claimed(name, prop) for prop in CLAIMED},
            }
            for name, report in self.reports.items()
        }
        return {"criteria": criteria}


def _cell(report: PropertyReport, name: PropertyName) -> str:
    holds = getattr(report, name)
    if name != "strictly_monotonic":
        return "-" if name not in report.n_compared else yes_or_no(holds)
    if holds is None:
        return yes_or_no(None)
    return "strictly" if holds else "weakly" if report.ordinal_monotonic else "no"


def _is_claimed(metric: str, name: PropertyName) -> bool | None:
    return name in CLAIMS[metric] if metric in CLAIMS and name in CLAIMED else None
