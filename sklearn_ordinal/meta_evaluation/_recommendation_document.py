"""The document of recommended criteria: why they meet the needs, and what errors cost."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import LABELS, Counts, amount_as_text, kind_named
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    counted,
)

if TYPE_CHECKING:
    from sklearn_ordinal.meta_evaluation._recommendation import MetricRecommendation

# If there are more kinds of errors, the table of their costs is a detail.
_MOST_ERRORS = 20
# Classes with longer names are numbered in tables of errors, since plain text would cut the rows.
_LONGEST_NAME = 10
# If a class has fewer samples, a note says what an error in it costs.
_FEW_SAMPLES = 10


def recommendation_document(result: MetricRecommendation) -> Document:
    """Return the best criteria with reasons, the costs of errors, and all other criteria."""
    best, title = result._missing(result._fewest_missed), "Criteria that meet the most needs"
    if result.recommended and len(result.needs) > 1:
        best += result._missing(1)
        title = "Criteria that meet every need, and those that miss one"
    remaining = [name for name in result.metrics if name not in best]
    parts: list[Part] = [Note(_summary(result)), *map(Note, result.notes)]
    parts += _reasoned(result, title, best)
    parts.append(_costs(result))
    if remaining:
        reasoned = _reasoned(result, "Criteria that miss more needs", remaining)
        parts.append(Section("Other criteria", tuple(reasoned), is_detail=True))
    return Document(
        "Recommended criteria",
        tuple(parts),
        digits=2,
        hint=_hint(result),
        verdict=(Note(_verdict(result)),),
    )


def _hint(result: MetricRecommendation) -> str:
    if set(result.evidence) != {LABELS.name}:
        return ""
    return (
        "The need 'probabilities' adds criteria of probabilities; pass criteria of scores, and "
        "your own, as metrics=."
    )


def _summary(result: MetricRecommendation) -> str:
    sizes = ", ".join(
        f"{label} ({amount_as_text(size)})"
        for label, size in zip(result.labels, result.class_counts.tolist(), strict=True)
    )
    return f"Needs: {', '.join(result.needs)}. Sizes of the classes: {sizes}."


def _verdict(result: MetricRecommendation) -> str:
    """Say which criteria meet all needs."""
    needs = "every need" if len(result.needs) > 1 else "the need"
    if not result.recommended:
        return f"No criterion meets {needs}."
    verb = "This criterion meets" if len(result.recommended) == 1 else "These criteria meet"
    return f"{verb} {needs}: {', '.join(result.recommended)}."


def _reasoned(result: MetricRecommendation, title: str, names: Sequence[str]) -> list[Part]:
    return [_needs_table(result, title, names), *map(Note, _reasons(result, names))]


def _needs_table(result: MetricRecommendation, title: str, names: Sequence[str]) -> Table:
    """Return a table of the needs that each criterion meets, and of its worst error."""
    is_mixed = len(set(result.evidence)) > 1
    rows: list[Row] = []
    for name in names:
        position = result.metrics.index(name)
        error, loss = _worst_error(result, position)
        met = ("yes" if is_met else "no" for is_met in result.meets[position])
        judged = (kind_named(result.evidence[position]).noun,) if is_mixed else ()
        rows.append((name, *met, *judged, loss, error))
    columns = (
        Column("criterion"),
        *map(Column, result.needs),
        *((Column("judges", is_detail=True),) if is_mixed else ()),
        Column("loss by the worst error", "number", digits=4, is_detail=True),
        Column("the worst error", is_detail=True),
    )
    return Table(title, columns, tuple(rows))


def _reasons(result: MetricRecommendation, names: Sequence[str]) -> Iterator[str]:
    """Yield reasons for needs that are met or missed; criteria with equal reasons share a sentence.

    If some criterion meets every need, the other criteria only have reasons for missed needs.
    """
    groups: dict[tuple[tuple[bool, str, str], ...], list[str]] = {}
    for name in names:
        position = result.metrics.index(name)
        meets = result.meets[position].tolist()
        has_all_reasons = not result.recommended or all(meets)
        findings = tuple(
            (is_met, need, reason)
            for is_met, need, reason in zip(
                meets, result.needs, result.reasons[position], strict=True
            )
            if has_all_reasons or not is_met
        )
        groups.setdefault(findings, []).append(name)
    for findings, group in groups.items():
        meet, miss = ("meets", "misses") if len(group) == 1 else ("meet", "miss")
        verdicts = (
            f"{meet if is_met else miss} '{need}' ({reason})" for is_met, need, reason in findings
        )
        yield f"{', '.join(group)}: {'; '.join(verdicts)}."


def _costs(result: MetricRecommendation) -> Section:
    """Return the plot and the table of the costs of errors for the criteria that are shown."""
    criteria, names = result.shown, result.labels
    parts: list[Part] = []
    if max(map(len, names)) > _LONGEST_NAME:
        names = tuple(str(number) for number in range(1, len(names) + 1))
        key = ", ".join(f"{a} = {b}" for a, b in zip(names, result.labels, strict=True))
        parts.append(Note(f"Classes: {key}."))
    errors = [_error(true, predicted) for true, predicted in permutations(names, 2)]
    positions = [result.metrics.index(name) for name in criteria]
    is_error = ~np.eye(len(names), dtype=bool)
    costs = result.costs[positions][:, is_error].T.tolist()
    rows = tuple((error, *row) for error, row in zip(errors, costs, strict=True))
    parts.append(
        Table(
            "Cost of one error (true class as predicted class) if all else is correct, as a share "
            "of the worst error by the same criterion",
            (Column("error"), *(Column(name, "number") for name in criteria)),
            rows,
        )
    )
    if len(rows) > _MOST_ERRORS:
        parts = [Section("Table", tuple(parts), is_detail=True)]
    worst = [_worst_error(result, position) for position in positions]
    description = "; ".join(
        f"{name} {error} ({loss:.3g})" if error else f"{name} undefined"
        for name, (error, loss) in zip(criteria, worst, strict=True)
    )
    figure = Figure(
        result.plot,
        "Cost of one error as a share of the worst error by the same criterion",
        f"The worst error by each criterion, and the loss in value: {description}",
    )
    return Section("Cost of each error", (figure, *parts))


def _worst_error(result: MetricRecommendation, position: int) -> tuple[str, float]:
    """Return the most expensive error according to a criterion, and its loss."""
    losses = np.where(np.eye(len(result.labels), dtype=bool), np.nan, result.losses[position])
    if np.isnan(losses).all():
        return "", np.nan
    true, predicted = np.unravel_index(np.nanargmax(losses), losses.shape)
    return _error(result.labels[true], result.labels[predicted]), float(losses[true, predicted])


def _error(true: str, predicted: str) -> str:
    return f"{true} as {predicted}"


def recommendation_notes(
    result: MetricRecommendation, numbers: Counts, imbalance_aware: Collection[str]
) -> tuple[str, ...]:
    """Return notes on the needs, the classes and the losses.

    `numbers` contains the number of samples of each class, even if samples have weights.
    """
    return (
        *_notes_on_needs(result),
        *_notes_on_classes(result, numbers, imbalance_aware),
        *_notes_on_losses(result),
    )


def _notes_on_needs(result: MetricRecommendation) -> Iterator[str]:
    """If no criterion meets all needs, yield the needs, and pairs of needs, that cannot be met."""
    if result.recommended or len(result.needs) == 1:
        return
    is_met: NDArray[np.bool_] = np.any(result.meets, axis=0)
    for need, is_possible in zip(result.needs, is_met.tolist(), strict=True):
        if not is_possible:
            yield f"None of these criteria meets '{need}'."
    incompatible = [
        (result.needs[a], result.needs[b])
        for a, b in combinations(np.flatnonzero(is_met).tolist(), 2)
        if not (result.meets[:, a] & result.meets[:, b]).any()
    ]
    for pair in incompatible:
        why = ""
        if set(pair) == {"order only", "distances"}:
            why = (
                ": they contradict each other, since recoding the classes in order must change "
                "nothing for the first, and must change the value for the second"
            )
        yield f"None of these criteria meets both '{pair[0]}' and '{pair[1]}'{why}."
    if is_met.all() and not incompatible:
        yield "Any two of the needs can be met together, but not all."


def _notes_on_classes(
    result: MetricRecommendation, numbers: Counts, imbalance_aware: Collection[str]
) -> Iterator[str]:
    """Yield notes on the effect of the class sizes on the properties."""
    names = np.array(result.labels)
    empty = names[numbers == 0].tolist()
    if empty:
        yield (
            f"Without samples: {', '.join(empty)}. The cost of errors in such a class is "
            f"undefined, and the properties only apply if every class occurs."
        )
    sizes = result.class_counts[numbers > 0]
    if "small classes" in result.needs and np.allclose(sizes, sizes[0]):
        yield ("All classes that occur have the same size, so 'small classes' makes no difference.")
    if len(names) == 2 and {"order only", "distances", "neighbours"} & set(result.needs):
        yield (
            "With two classes, every error is by one class: order and distances make no "
            "difference between errors."
        )
    smallest = int(np.where(numbers > 0, numbers, np.inf).argmin())
    costs = [
        f"{np.nanmax(losses):.3g} by {name}"
        for name, losses in zip(result.metrics, result.losses[:, smallest], strict=True)
        if name in result.shown and name in imbalance_aware and not np.isnan(losses).all()
    ]
    if numbers[smallest] < _FEW_SAMPLES and costs:
        number = counted(int(numbers[smallest]), "sample")
        yield (
            f"'{names[smallest]}' has only {number}, and imbalance-aware criteria give each of "
            f"them much weight: a single error costs up to {', '.join(costs)}."
        )


def _notes_on_losses(result: MetricRecommendation) -> Iterator[str]:
    """Yield notes on criteria that are undefined, better, or infinitely worse after an error."""
    is_error = ~np.eye(len(result.labels), dtype=bool)
    is_error &= (result.class_counts > 0)[:, None]
    losses = result.losses[:, is_error]
    facts = (
        ("Undefined after an error", np.isnan(losses)),
        ("Better after an error", losses < 0),
        ("Infinitely worse after an error", np.isinf(losses)),
    )
    for text, is_affected in facts:
        names = [
            f"{name} ({number} of {losses.shape[1]} kinds of error)"
            for name, number in zip(result.metrics, is_affected.sum(axis=1), strict=True)
            if number
        ]
        if names:
            yield f"{text}: {', '.join(names)}."
