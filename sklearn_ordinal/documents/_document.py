"""What a reader sees of a result, as data: sections of tables, figures and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Cell: TypeAlias = str | int | float | tuple[float, float] | None
"""A value in full. None is blank: it does not apply. NaN is undefined."""

Kind = Literal["text", "number", "interval", "pvalue"]


@dataclass(frozen=True)
class Column:
    """A column of a table: its header, and how its values are written.

    Parameters
    ----------
    name : str
        Header of the column.
    kind : {"text", "number", "interval", "pvalue"}, default="text"
        What the cells hold: strings, numbers, pairs of ends, or p-values.
    digits : int, default=None
        Digits after the point. If None, those of the document.
    is_signed : bool, default=False
        Whether positive numbers have a plus sign.
    is_detail : bool, default=False
        Whether text leaves the column out where the line is too short for all.

    See Also
    --------
    Table : Rows of values.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Column
    >>> Column("difference", "number", is_signed=True).kind
    'number'
    """

    name: str
    kind: Kind = "text"
    digits: int | None = None
    is_signed: bool = False
    is_detail: bool = False


Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Rows of values; the first column names the rows.

    Parameters
    ----------
    title : str
        What the table holds.
    columns : tuple of Column
        The columns, at least one.
    rows : tuple of tuple of Cell
        The rows, each with one cell per column.
    summary : tuple of tuple of Cell, default=()
        Rows below the others, such as averages, which are not sorted with them.

    See Also
    --------
    Column : How the values of a column are written.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Column, Table
    >>> table = Table("Sizes", (Column("class"), Column("samples", "number")), (("low", 3),))
    >>> table.rows
    (('low', 3),)
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    summary: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A plot.

    Parameters
    ----------
    draw : callable
        Draws it, on new axes or those that are passed as `ax`, and returns an object with the
        attribute `figure_`.
    caption : str
        What it shows.
    description : str
        What can be read from it, for readers who cannot see it.

    See Also
    --------
    Document : All that a reader sees of a result.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Figure
    >>> Figure(lambda ax=None: None, "Errors", "No errors.").caption
    'Errors'
    """

    draw: Callable[..., Any]
    caption: str
    description: str


@dataclass(frozen=True)
class Note:
    """A paragraph.

    Parameters
    ----------
    text : str
        The text.
    is_small : bool, default=False
        Whether it is small print.

    See Also
    --------
    Section : Parts under a heading.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Note
    >>> Note("5 folds of 200 samples.").text
    '5 folds of 200 samples.'
    """

    text: str
    is_small: bool = False


@dataclass(frozen=True)
class Code:
    """Lines that keep their breaks, such as a traceback.

    Parameters
    ----------
    text : str
        The lines.

    See Also
    --------
    Note : A paragraph.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Code
    >>> Code("ValueError: C must be positive").text
    'ValueError: C must be positive'
    """

    text: str


Part: TypeAlias = "Table | Figure | Note | Code | Section"


@dataclass(frozen=True)
class Section:
    """Parts under a heading.

    Parameters
    ----------
    title : str
        The heading.
    parts : tuple of Part
        Tables, figures, notes and sections, in the order of reading.
    is_detail : bool, default=False
        Whether it is shown on demand only: folded in HTML, and left out elsewhere
        unless details are asked for.

    See Also
    --------
    Document : All that a reader sees of a result.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Note, Section
    >>> Section("Fold 1", (Note("failed"),), is_detail=True).title
    'Fold 1'
    """

    title: str
    parts: tuple[Part, ...]
    is_detail: bool = False


@dataclass(frozen=True)
class Document:
    """All that a reader sees of a result, whatever the format.

    Parameters
    ----------
    title : str
        The title.
    parts : tuple of Part
        Tables, figures, notes and sections, in the order of reading.
    digits : int, default=3
        Digits after the point, where a column does not say otherwise.
    footer : tuple of Note, default=()
        Small print at the end of a page of HTML, such as versions; other formats leave
        it out.

    See Also
    --------
    Section : Parts under a heading.

    Examples
    --------
    >>> from sklearn_ordinal.documents import Document, Note
    >>> len(Document("Report", (Note("5 classes."),)).parts)
    1
    """

    title: str
    parts: tuple[Part, ...]
    digits: int = 3
    footer: tuple[Note, ...] = ()
