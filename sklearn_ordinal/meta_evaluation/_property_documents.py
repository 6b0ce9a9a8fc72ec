"""Documents of the properties of one or several metrics, and of a counterexample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sklearn_ordinal._core import kind_named
from sklearn_ordinal._documents import (
    Code,
    Column,
    Document,
    Note,
    Part,
    Section,
    Table,
    names_in_words,
)
from sklearn_ordinal.meta_evaluation._prediction_space import SPACES
from sklearn_ordinal.meta_evaluation._property_changes import PropertyName
from sklearn_ordinal.meta_evaluation._published_claims import CLAIMED, CLAIMS, NOT_HERE, SOURCE

if TYPE_CHECKING:
    from sklearn_ordinal.meta_evaluation._counterexample import Counterexample
    from sklearn_ordinal.meta_evaluation._properties import PropertyReport, PropertyTable

# A property that held in fewer comparisons than this is named in a note.
_FEW_COMPARISONS = 100
_MEANINGS: Mapping[PropertyName, str] = {
    "ordinal_invariant": "an empty class, anywhere on the scale, changes nothing",
    "ordinal_monotonic": "a prediction closer to the truth is never worse",
    "strictly_monotonic": "a prediction closer to the truth is always better",
    "imbalance_aware": "the same error costs more in a smaller class",
    "prevalence_invariant": "counting the samples of one class twice changes nothing",
    "symmetric": "exchanging truth and prediction changes nothing",
}
# The properties that the criterion CEM_ORD was proposed for.
_OF_CEM: tuple[PropertyName, ...] = (
    "ordinal_invariant",
    "strictly_monotonic",
    "imbalance_aware",
)
_TABLE_COLUMNS: dict[str, PropertyName] = {
    "invariant": "ordinal_invariant",
    "monotonic": "strictly_monotonic",
    "imbalance": "imbalance_aware",
    "prevalence": "prevalence_invariant",
    "symmetric": "symmetric",
}


def counterexample_document(counterexample: Counterexample) -> Document:
    """Return the sentence, both values, and the code that computes them."""
    values = Table(
        f"Values of {counterexample.metric}",
        (Column("matrix"), Column("value", "number", digits=6)),
        (("before", counterexample.value_before), ("after", counterexample.value_after)),
    )
    return Document(
        f"Counterexample: {counterexample.metric} is not {_in_words(counterexample.name)}",
        (values, Code(counterexample.code)),
        verdict=(Note(counterexample.text),),
    )


def report_document(report: PropertyReport) -> Document:
    """Return the properties of one metric, the extent of the search, and the counterexamples."""
    table = Table(
        f"Properties of {report.metric}",
        (
            Column("property"),
            Column("holds"),
            Column("compared", "number", digits=0),
            Column("undefined", "number", digits=0),
            Column("meaning", is_detail=True),
        ),
        tuple(
            (
                _in_words(name),
                _yes_or_no(getattr(report, name)),
                n_compared,
                report.n_undefined[name],
                _MEANINGS[name],
            )
            for name, n_compared in report.n_compared.items()
        ),
    )
    sections = tuple(
        Section(f"Not {_in_words(name)}", (Note(counterexample.text), Code(counterexample.code)))
        for name, counterexample in report.counterexamples.items()
    )
    return Document(
        f"Properties of {report.metric}",
        (table, Note(report.searched), *_hardly_compared(report), *sections),
        verdict=(Note(_verdict(report)),),
    )


def _verdict(report: PropertyReport) -> str:
    """Say which properties have a counterexample, and which have none."""
    missed = [_in_words(name) for name in report.counterexamples]
    held = [_in_words(name) for name in report.n_compared if getattr(report, name)]
    sentences = []
    if held:
        sentences.append(f"No counterexample shows that it is not {_or(held)}.")
    if missed:
        start = "A counterexample shows" if len(missed) == 1 else "Counterexamples show"
        sentences.append(f"{start} that it is not {_or(missed)}.")
    return f"{report.metric}: {' '.join(sentences) or 'nothing could be compared.'}"


def _or(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def search_in_words(report: PropertyReport) -> str:
    """Return a description of the search."""
    matrices = SPACES[kind_named(report.evidence)].matrices
    all_of = {k: n for k, n in enumerate(report.n_samples, start=2) if n}
    exhaustive = ""
    if all_of:
        (fewest, first), *following = all_of.items()
        exhaustive = f"all {matrices} of up to {first} samples of {fewest} classes"
        exhaustive += "".join(f", {n} of {k}" for k, n in following) + "; then "
    random = f"{report.n_random:,} random {'matrices' if all_of else matrices}"
    return (
        f"Searched: {exhaustive}{random} for each number of classes. Every "
        f"class occurs in the truth of all matrices; if one is missing, a property may not hold. "
        f"Imbalance awareness is tested on matrices with a single error. The search for a property "
        f"ends with its first counterexample."
    )


def _hardly_compared(report: PropertyReport) -> Iterator[Note]:
    """Yield a note on properties without a counterexample for which few values were compared."""
    properties = [
        f"{_in_words(name)} ({number})"
        for name, number in report.n_compared.items()
        if number < _FEW_COMPARISONS and name not in report.counterexamples
    ]
    if properties:
        yield Note(f"Few pairs of defined values could be compared: {', '.join(properties)}.")


def table_document(table: PropertyTable) -> Document:
    """Return the properties of several metrics, the claims, and the counterexamples."""
    properties = Table(
        "Properties, by search for counterexamples",
        (Column("criterion"), *map(Column, _TABLE_COLUMNS)),
        tuple(
            (name, *(_cell(report, prop) for prop in _TABLE_COLUMNS.values()))
            for name, report in table.reports.items()
        ),
    )
    counterexamples = tuple(
        Section(name, tuple(Note(example.text) for example in report.counterexamples.values()))
        for name, report in table.reports.items()
        if report.counterexamples
    )
    searched = dict.fromkeys(report.searched for report in table.reports.values())
    return Document(
        "Properties of metrics",
        (
            properties,
            Note(
                "Every class occurs in the truth. Monotonic: strictly, if every step of a "
                "prediction towards the truth makes the value better; weakly, if no step makes it "
                "worse."
            ),
            *_claims_parts(table),
            Section(
                "What was searched",
                (*map(Note, searched), *_not_compared(table)),
                is_detail=True,
            ),
            Section("Counterexamples", counterexamples, is_detail=True),
        ),
        verdict=(Note(_table_verdict(table)),),
    )


def _table_verdict(table: PropertyTable) -> str:
    """Say which metrics have all properties of CEM_ORD, as far as was searched."""
    answers = {
        name: [getattr(report, name_of_property) for name_of_property in _OF_CEM]
        for name, report in table.reports.items()
    }
    ideal = [name for name, answer in answers.items() if all(answer)]
    properties = list(map(_in_words, _OF_CEM))
    if ideal:
        verb = "is" if len(ideal) == 1 else "are"
        return (
            f"As far as was searched, {names_in_words(ideal)} {verb} {names_in_words(properties)}."
        )
    unknown = [name for name, answer in answers.items() if False not in answer]
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        return (
            f"No counterexample shows that {names_in_words(unknown)} {verb} not {_or(properties)}, "
            f"but some of these properties could not be tested."
        )
    return f"As far as was searched, no criterion is {names_in_words(properties)}."


def _not_compared(table: PropertyTable) -> Iterator[Note]:
    """Yield the number of pairs of values of each metric that could not be compared, if any."""
    totals = {name: sum(report.n_undefined.values()) for name, report in table.reports.items()}
    texts = [f"{name} {total:,}" for name, total in totals.items() if total]
    if texts:
        yield Note(f"Pairs of values not compared, since one is undefined: {', '.join(texts)}.")


def _claims_parts(table: PropertyTable) -> tuple[Part, ...]:
    """Return the properties next to the claims of the source, and their differences."""
    rows = tuple(
        (name, *(_cell_with_claim(table, name, prop) for prop in CLAIMED))
        for name in table.reports
        if name in CLAIMS
    )
    if not rows:
        return ()
    headers = [name for name, prop in _TABLE_COLUMNS.items() if prop in CLAIMED]
    claims = Table(
        f"Found here / claimed by {SOURCE}, where monotonic means strictly; * differs",
        (Column("criterion"), *map(Column, headers)),
        rows,
    )
    differing = tuple(_difference(table.reports[name], prop) for name, prop in table.differences)
    if not differing:
        text = "All properties that were compared agree with the source."
        return claims, Note(NOT_HERE), Note(text)
    return claims, Note(NOT_HERE), Section("Where they differ", differing)


def _cell_with_claim(table: PropertyTable, name: str, prop: PropertyName) -> str:
    is_claimed = prop in CLAIMS[name]
    claim = "strictly" if is_claimed and prop == "strictly_monotonic" else _yes_or_no(is_claimed)
    mark = " *" if (name, prop) in table.differences else ""
    return f"{_cell(table.reports[name], prop)} / {claim}{mark}"


def _difference(report: PropertyReport, prop: PropertyName) -> Section:
    """Return why a property differs from the claim of the source."""
    if prop not in report.counterexamples:
        text = "No counterexample was found, and the source does not claim the property."
        return Section(f"{report.metric}: {_in_words(prop)}", (Note(text),))
    example, title = report.counterexamples[prop], f"{report.metric}: not {_in_words(prop)}"
    if prop == "strictly_monotonic" and not report.ordinal_monotonic:
        # This counterexample shows even more, since the value gets worse.
        example, title = report.counterexamples["ordinal_monotonic"], f"{title}, not even weakly"
    return Section(title, (Note(example.text), Code(example.code)))


def _cell(report: PropertyReport, name: PropertyName) -> str:
    holds = getattr(report, name)
    if name != "strictly_monotonic":
        return "-" if name not in report.n_compared else _yes_or_no(holds)
    if holds is None:
        return _yes_or_no(None)
    return "strictly" if holds else "weakly" if report.ordinal_monotonic else "no"


def _yes_or_no(holds: bool | None) -> str:
    return "not known" if holds is None else "yes" if holds else "no"


def _in_words(name: PropertyName) -> str:
    """Return the name of a property as an adjective."""
    return name.replace("_", " ")
