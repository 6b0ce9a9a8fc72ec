"""The content of a result as data: sections of tables, figures and notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

MOST_ROWS = 30
"""The largest number of rows of a table with a row for each rater."""

Cell: TypeAlias = str | int | float | tuple[float, float] | tuple[float, float, float] | None
"""An unrounded value. None is shown as a blank cell, and NaN as undefined."""

Kind = Literal["text", "number", "interval", "estimate", "pvalue"]


@dataclass(frozen=True)
class Column:
    """A column of a table: its header and the format of its values.

    Parameters
    ----------
    name : str
        Header of the column.
    kind : {"text", "number", "interval", "estimate", "pvalue"}, default="text"
        Type of the cells: strings, numbers, the two ends of an interval, an estimate with these
        ends, or p-values.
    digits : int, default=None
        Digits after the decimal point. If None, the column uses the document's number of digits.
    is_signed : bool, default=False
        Whether positive numbers have a plus sign.
    is_detail : bool, default=False
        Whether plain text and LaTeX may omit the column if the table is too wide. The end of the
        text, or a comment below the table in LaTeX, then says which columns are omitted.
    full_name : str, default=""
        What an abbreviated name stands for. HTML shows it where the mouse rests on the header.

    See Also
    --------
    Table : Rows of values.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Column
    >>> Column("difference", "number", is_signed=True).kind
    'number'
    """

    name: str
    kind: Kind = "text"
    digits: int | None = None
    is_signed: bool = False
    is_detail: bool = False
    full_name: str = ""


Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Rows of values. The first column has the names of the rows.

    Parameters
    ----------
    title : str
        Caption of the table.
    columns : tuple of Column
        The columns, at least one.
    rows : tuple of tuple of Cell
        The rows, each with one cell per column.
    summary : tuple of tuple of Cell, default=()
        Rows below the other rows, such as averages. They are not sorted with the other rows.
    bold : frozenset of tuple of int, default=frozenset()
        Rows and columns of the cells that are bold in HTML, Markdown and LaTeX, such as the best
        value of each row. The summary continues the numbers of the rows.

    See Also
    --------
    Column : The header and the format of a column.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Column, Table
    >>> table = Table("Sizes", (Column("class"), Column("samples", "number")), (("low", 3),))
    >>> table.rows
    (('low', 3),)
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    summary: tuple[Row, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Figure:
    """A plot.

    Parameters
    ----------
    draw : callable
        Function that draws the figure on new axes, and returns an object
        with the attribute `figure_`.
    caption : str
        Caption of the plot.
    description : str or callable
        Text alternative for readers who cannot see the plot, or a function that returns it, which
        only the views that show the figure call.
    table : Table, default=None
        Table of the numbers that are drawn. Its rows, as printed in the table, are appended to the
        text alternative.

    See Also
    --------
    Document : The content of a result.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Figure
    >>> Figure(lambda ax=None: None, "Errors", "No errors.").caption
    'Errors'
    """

    draw: Callable[..., Any]
    caption: str
    description: str | Callable[[], str]
    table: Table | None = None


@dataclass(frozen=True)
class Note:
    """A paragraph.

    Parameters
    ----------
    text : str
        The text.
    is_small : bool, default=False
        Whether the note is small print.
    column : str, default=""
        Header of the column that the note explains, if it explains a column of a table
        above it. Views that leave out the column also leave out the note.

    See Also
    --------
    Section : Parts under a heading.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Note
    >>> Note("5 folds of 200 samples.").text
    '5 folds of 200 samples.'
    """

    text: str
    is_small: bool = False
    column: str = ""


@dataclass(frozen=True)
class Code:
    """Preformatted lines, such as a traceback.

    Parameters
    ----------
    text : str
        The lines.

    See Also
    --------
    Note : A paragraph.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Code
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
    parts : sequence of Part or callable
        Tables, figures, notes and sections, in reading order; or a function that returns them,
        which only the views that show the section call.
    is_detail : bool, default=False
        Whether the section is a detail. Details are collapsed in HTML, and other formats omit them
        unless ``details=True``.

    See Also
    --------
    Document : The content of a result.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Note, Section
    >>> Section("Fold 1", (Note("failed"),), is_detail=True).title
    'Fold 1'
    """

    title: str
    parts: Sequence[Part] | Callable[[], Sequence[Part]]
    is_detail: bool = False


@dataclass(frozen=True)
class Document:
    """The content of a result, independent of the format.

    Parameters
    ----------
    title : str
        The title.
    parts : tuple of Part
        Tables, figures, notes and sections, in reading order. HTML pages show figures beside the
        tables before them if the screen is wide enough, and notebooks only show the first figure.
    digits : int, default=3
        Digits after the decimal point, unless a column sets its own number of digits.
    footer : tuple of Note, default=()
        Small print at the end of HTML pages, such as versions. Other formats omit it.
    hint : str, default=""
        Advice to the caller, shown at the end of plain text and notebook views. Files omit it,
        since their readers may not be the caller.
    verdict : tuple of Note, default=()
        Sentences that say what was found. All views begin with them.
    about : tuple of Note, default=()
        What readers of an HTML page need to know who did not make the evaluation, such as what the
        first criterion is. Other formats omit it.

    See Also
    --------
    Section : Parts under a heading.

    Examples
    --------
    >>> from sklearn_ordinal._documents.document_parts import Document, Note
    >>> len(Document("Report", (Note("5 classes."),)).parts)
    1
    """

    title: str
    parts: tuple[Part, ...]
    digits: int = 3
    footer: tuple[Note, ...] = ()
    hint: str = ""
    verdict: tuple[Note, ...] = ()
    about: tuple[Note, ...] = ()


T = TypeVar("T")


def computed(content: T | Callable[[], T]) -> T:
    """Return content that may be given by a function, for a view that shows it."""
    return content() if callable(content) else content


def unknown_part(part: object) -> TypeError:
    """Return the error for a part that renderers do not know."""
    return TypeError(
        f"parts must be a Table, Figure, Note, Code or Section, got {type(part).__name__}."
    )
