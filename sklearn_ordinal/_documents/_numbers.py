"""Format the cells of tables: the only place where a number is rounded."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence

from sklearn_ordinal._documents._document import Cell, Column, Table

MOST_DIGITS = 1074
"""Floats have at most this many digits after the decimal point."""

# Larger sums of weights are written without decimals, which would make the column too wide.
_LARGE = 10_000
# Above this number, floats do not represent every integer.
_TOO_LARGE = 1e15
_SMALLEST_PVALUE = 0.001
# The largest number of names in a sentence.
_MOST_NAMES = 5


def cell_text(cell: Cell, column: Column, digits: int) -> str:
    """Return a cell as text.

    Parameters
    ----------
    cell : str, int, float, tuple of two floats or None
        The value. None is blank, NaN is a dash.
    column : Column
        The column of the cell.
    digits : int
        Digits after the decimal point, unless the column sets its own number of digits.

    Returns
    -------
    str
        The text, not escaped for any format.
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return str(cell)
    digits = digits if column.digits is None else column.digits
    if isinstance(cell, tuple):
        return _interval_text(cell, digits, is_signed=column.is_signed)
    if column.kind == "pvalue":
        return _pvalue_text(float(cell))
    return _number_text(cell, digits, is_signed=column.is_signed)


def rows_in_words(table: Table, digits: int) -> str:
    """Return the rows of a table as text, without detail columns."""
    texts = []
    for name, *cells in (*table.rows, *table.summary):
        columns = zip(cells, table.columns[1:], strict=True)
        numbers = (
            (column.name, "undefined" if is_undefined(cell) else cell_text(cell, column, digits))
            for cell, column in columns
            if not column.is_detail
        )
        cell_texts = ", ".join(f"{column} {text}" for column, text in numbers if text)
        texts.append(f"{cell_text(name, table.columns[0], digits)}: {cell_texts}")
    return "; ".join(texts)


def pvalue_in_words(pvalue: float) -> str:
    """Return a p-value for sentences and plots, such as "p = 0.012"."""
    if math.isnan(pvalue):
        return "p undefined"
    text = _pvalue_text(pvalue)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def as_percent(share: float) -> str:
    """Return a share, such as a confidence level, as "95%" or "99.5%"."""
    text = f"{100 * share:g}%"
    # Few digits would round a level near 1 to certainty.
    return f"{100 * share:.15g}%" if text == "100%" and share < 1 else text


def counted(number: int, noun: str) -> str:
    """Return a number of things in words, such as "1 fold" and "1,000 folds"."""
    return f"{number:,} {plural(number, noun)}"


def plural(number: float, noun: str) -> str:
    """Return the form of a noun after a number: "sample" after 1, else "samples"."""
    if number == 1:
        return noun
    return f"{noun}{'es' if noun.endswith('s') else 's'}"


def names_in_words(names: Sequence[str]) -> str:
    """Return the first names as a list in a sentence, and the number of further names."""
    first_names, n_more = list(names[:_MOST_NAMES]), len(names) - _MOST_NAMES
    if n_more > 0:
        return f"{', '.join(first_names)} and {counted(n_more, 'other')}"
    return " and ".join(filter(None, [", ".join(first_names[:-1]), first_names[-1]]))


def is_undefined(cell: Cell) -> bool:
    """Return whether a cell is NaN, or an interval with an end that is NaN."""
    ends = cell if isinstance(cell, tuple) else (cell,)
    return any(isinstance(end, numbers.Real) and math.isnan(end) for end in ends)


def _interval_text(ends: tuple[float, float], digits: int, *, is_signed: bool) -> str:
    if is_undefined(ends):
        return "-"
    low, high = (_number_text(end, digits, is_signed=is_signed) for end in ends)
    return f"{low} to {high}"


def _pvalue_text(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"<{_SMALLEST_PVALUE}" if value < _SMALLEST_PVALUE else f"{value:.3f}"


def _number_text(value: float, digits: int, *, is_signed: bool) -> str:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return str(value)
    if isinstance(value, numbers.Integral):
        return f"{int(value):{'+' if is_signed and value > 0 else ''}d}"
    value = float(value)
    if math.isnan(value):
        return "-"
    # Adding zero turns -0.0 into 0.0. Round first: 9999.9996 is as wide as 10,000.
    rounded = round(value, digits) + 0.0
    sign = "+" if is_signed and rounded > 0 else ""
    if abs(rounded) >= _TOO_LARGE:
        return f"{sign}{rounded:.6g}"
    return f"{sign}{rounded:.{0 if abs(rounded) >= _LARGE else digits}f}"
