"""The document of a required number of samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    as_percent,
    counted,
    names_in_words,
)
from sklearn_ordinal.reports._provenance import footer

if TYPE_CHECKING:
    from sklearn_ordinal.reports._required_samples import RequiredSamples

# With fewer samples, the mean influence may be far from normal.
_FEW = 30
_FEWEST_DIGITS = 3


def required_samples_document(result: RequiredSamples) -> Document:
    """Return the required number as sentences, other numbers as a table and a plot, and notes."""
    table = _table(result)
    reached = "half width" if result.half_width else "power"
    return Document(
        "Required samples",
        (
            table,
            Figure(
                result.plot,
                f"{reached.capitalize()} by the number of {result.unit}s",
                f"{reached.capitalize()} of {result.criterion} by the number of {result.unit}s",
                table,
            ),
            *(Note(text, is_small=True) for text in _notes(result)),
        ),
        verdict=(Note(_required_in_words(result)), Note(_range_in_words(result))),
        footer=footer(result.provenance),
        digits=_digits(result),
    )


def _digits(result: RequiredSamples) -> int:
    """Return so many digits that the largest number of samples does not reach 0."""
    aim = result.half_width or result.difference
    assert aim is not None
    # Four times the required number of samples reaches half of the aim.
    return max(_FEWEST_DIGITS, math.ceil(-math.log10(aim / 2)))


def _required_in_words(result: RequiredSamples) -> str:
    """Say how many samples are needed for what."""
    n_required = counted(result.n_required, result.unit)
    if result.half_width:
        return (
            f"{n_required} give a {as_percent(1 - result.alpha)} interval of {result.criterion} "
            f"with a half width of {result.half_width:g}."
        )
    if result.design == "unpaired":
        n_required += f" of each system, {2 * result.n_required:,} in all,"
    return (
        f"{n_required} show a difference of {result.difference:g} in {result.criterion} with a "
        f"power of {as_percent(result.power)}, by a two-sided {result.design} test at the level "
        f"{result.alpha:g}."
    )


def _range_in_words(result: RequiredSamples) -> str:
    """Say how much the number depends on the samples of the pilot."""
    if not result.n_pilot:
        return "The shares of the pilot are taken as known, so this number has no range."
    numbers = names_in_words([f"{number:,}" for number in result.n_pilot])
    pilot = f"the {numbers} {result.unit}s of the pilot"
    deviation = result.standard_deviation
    if math.isnan(deviation.low):
        return (
            f"This number has no range: {result.criterion} is undefined if {pilot} are drawn again."
        )
    low, high = result.n_range
    return (
        f"If {pilot} are drawn again, the number is between {low:,} and {high:,} in "
        f"{as_percent(deviation.confidence_level)} of {result.n_pilot_resamples:,} pilots."
    )


def _table(result: RequiredSamples) -> Table:
    """Return what other numbers of samples reach."""
    name, title = ("half_width", "half width") if result.half_width else ("power", "power")
    records = result._records()
    has_range = not math.isnan(result.n_range[0])
    level = as_percent(result.standard_deviation.confidence_level)
    columns = [Column(f"{result.unit}s"), Column(title, "number")]
    columns += [Column(f"{level} of pilots", "interval")] if has_range else []
    columns += [] if result.half_width else [Column("smallest difference", "number")]
    rows = tuple(
        (
            f"{record['n_samples']:,}",
            record[name],
            *(((record[f"{name}_low"], record[f"{name}_high"]),) if has_range else ()),
            *(() if result.half_width else (record["smallest_difference"],)),
        )
        for record in records
    )
    of_each = " of each system" if result.design == "unpaired" and not result.half_width else ""
    return Table(
        f"{title.capitalize()} with other numbers of {result.unit}s{of_each}", tuple(columns), rows
    )


def _notes(result: RequiredSamples) -> list[str]:
    texts = []
    if not result.half_width:
        texts.append(
            f"smallest difference: the smallest difference that these {result.unit}s show with a "
            f"power of {as_percent(result.power)}."
        )
    if not math.isnan(result.n_range[0]):
        texts.append(
            f"{as_percent(result.standard_deviation.confidence_level)} of pilots: the range if the "
            f"samples of the pilot are drawn again. It does not show whether the pilot is like the "
            f"samples to come."
        )
    if result.standard_deviation.n_undefined:
        texts.append(
            f"The range leaves out {counted(result.standard_deviation.n_undefined, 'pilot')} for "
            f"which {result.criterion} is undefined."
        )
    if result.n_required < _FEW:
        texts.append(
            f"With fewer than {_FEW} {result.unit}s, the closed form is only a rough guide."
        )
    return texts
