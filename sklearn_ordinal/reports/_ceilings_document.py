"""The document of ceilings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    names_in_words,
)
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import headline, interval_name, rated_items_in_words

if TYPE_CHECKING:
    from sklearn_ordinal.reports._rating_ceilings import Ceiling, RatingCeilings

CEILING_TITLES = {
    "between_raters": "one rater against another",
    "left_one_out": "ceiling, left one out",
    "in_sample": "ceiling, in sample",
    "like_a_rater": "a system that errs like the raters",
    "true_scores": "the true scores",
    "best_possible": "the best possible system",
}


def ceilings_document(result: RatingCeilings) -> Document:
    """Return sentences, the ceilings of the criteria, a plot, and notes on other criteria."""
    return Document(
        "Ceilings",
        (
            Note(_items(result)),
            *_tables(result),
            *_figures(result),
            *(Note(text, is_small=True) for text in _notes(result)),
            *_details(result),
        ),
        footer=footer(result.provenance),
        verdict=(Note(_verdict(result)),),
    )


def _items(result: RatingCeilings) -> str:
    return rated_items_in_words(
        result.n_items_by_grades,
        n_without_weight=result.n_without_weight,
        total_weight=result.total_weight,
        labels=result.scale.labels.tolist(),
        use_of_single_grades="not used",
    )


def _with_basis(result: RatingCeilings, basis: str) -> dict[str, Ceiling]:
    return {name: c for name, c in result.ceilings.items() if c.basis == basis}


def _verdict(result: RatingCeilings) -> str:
    """Say what a prediction can reach according to the first criterion that has a ceiling.

    Criteria with best classes come before those with true scores, which are approximate.
    """
    for name, ceiling in _with_basis(result, "best classes").items():
        if not ceiling.reason:
            between, left_one_out, in_sample = ceiling.values.values()
            return (
                f"In {name}, the best predictions of the grade of one rater have between "
                f"{left_one_out.estimate:.3f} (left one out) and {in_sample.estimate:.3f} (in "
                f"sample), and one rater who predicts another has {between.estimate:.3f}."
            )
    for name, ceiling in _with_basis(result, "true scores").items():
        if not ceiling.reason:
            low, high = ceiling.bracket
            return (
                f"In {name}, the best predictions of the grade of one rater have approximately "
                f"between {low:.3f} (true scores) and {high:.3f} (best possible system)."
            )
    return "No criterion has a ceiling."


def _tables(result: RatingCeilings) -> Iterator[Table]:
    """Yield a table of the criteria that have best classes, and one for each quadratic kappa."""
    level = interval_name(result.confidence_level)
    by_name = _with_basis(result, "best classes")
    if by_name:
        columns = (
            Column("criterion"),
            Column("one rater", "number"),
            Column("left one out", "number"),
            Column("in sample", "number"),
            Column(level, "interval"),
        )
        rows: tuple[Row, ...] = tuple(
            (name, *(value.estimate for value in ceiling.values.values()), ceiling.interval)
            for name, ceiling in by_name.items()
        )
        yield Table("Ceilings of predictions of the grade of one rater", columns, rows)
    for name in _with_basis(result, "true scores"):
        yield _values_table(f"Approximate ceilings of {name}", result, name)


def _values_table(title: str, result: RatingCeilings, name: str) -> Table:
    """Return the values of one criterion with their intervals."""
    ceiling: Ceiling = result.ceilings[name]
    return Table(
        title,
        (
            Column("prediction"),
            Column("value", "number"),
            Column(interval_name(result.confidence_level), "interval"),
        ),
        tuple(
            (CEILING_TITLES[value], interval.estimate, (interval.low, interval.high))
            for value, interval in ceiling.values.items()
        ),
    )


def _figures(result: RatingCeilings) -> Iterator[Figure]:
    """Yield the plot of the first criterion whose ceiling is stated."""
    stated = (name for name, ceiling in result.ceilings.items() if ceiling.values)
    name = next(stated, None)
    if name is not None:
        title = headline(result.metrics[name], result.n_classes)
        yield Figure(
            result.plot,
            f"Ceiling of {name}",
            f"Values between the raters and at the ends of the ceiling of {name}",
            _values_table(title, result, name),
        )


def _notes(result: RatingCeilings) -> Iterator[str]:
    """Yield how to read the tables, and why ceilings are not stated or undefined."""
    best_classes = _with_basis(result, "best classes")
    if best_classes:
        yield (
            "one rater: the prediction is the grade of another rater of the item. left one out, in "
            "sample: the prediction is the class with the lowest expected cost, according to the "
            "other grades of the item, or to all of them. On average, the first is worse than the "
            "best predictions, and the second is better. Interval: from the outer end of the "
            "interval of the first to the outer end of the interval of the second."
        )
    if _with_basis(result, "true scores"):
        yield (
            "From the quadratic kappa r between the raters: the true scores have 2r / (1 + r), and "
            "the best possible system has the square root of r. Both are exact for continuous "
            "grades with independent errors, and approximate on classes."
        )
    yield from reasons_in_words(result.ceilings)
    no_interval = [
        name
        for name, ceiling in result.ceilings.items()
        if not ceiling.reason and any(np.isnan(value.low) for value in ceiling.values.values())
    ]
    if no_interval:
        yield (
            f"No interval of {names_in_words(no_interval)}: a value does not vary over the items, "
            f"is at the end of its range, or there is only one item."
        )


def ceiling_notes(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield how to read ceilings beside values, and why some are missing."""
    yield (
        "ceiling: the two ends between which the best predictions of the grade of a rater lie, "
        "from the items with at least two grades; see rating_ceilings. Values with a consensus of "
        "several raters as the truth may be higher."
    )
    approximate = [name for name, ceiling in ceilings.items() if ceiling.basis == "true scores"]
    if approximate:
        yield (
            f"For {names_in_words(approximate)}, the ceiling is approximate, and lies between the "
            f"true scores and the best possible system."
        )
    yield from reasons_in_words(ceilings)


def reasons_in_words(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield why the ceilings of criteria are not stated or undefined."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, ceiling in ceilings.items():
        if ceiling.reason:
            state = "undefined" if ceiling.values else "not stated"
            by_reason.setdefault((state, ceiling.reason), []).append(name)
    for (state, reason), names in by_reason.items():
        yield f"The ceiling of {names_in_words(names)} is {state}: {reason}."


def _details(result: RatingCeilings) -> tuple[Part, ...]:
    """Return the interval of each value of the criteria that have best classes."""
    names = list(_with_basis(result, "best classes"))
    if not names:
        return ()
    tables = tuple(
        _values_table(headline(result.metrics[name], result.n_classes), result, name)
        for name in names
    )
    return (Section("Each value", tables, is_detail=True),)
