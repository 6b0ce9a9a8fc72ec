"""Text, HTML, Markdown, LaTeX and data frames of every result."""

from __future__ import annotations

import csv
import io
import math
import platform
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from numbers import Integral
from typing import Any, overload

import numpy as np
import sklearn

from sklearn_ordinal import _version
from sklearn_ordinal._documents import (
    formatting,
    html_pages,
    json_files,
    latex,
    markdown,
    plain_text,
    writing,
)
from sklearn_ordinal._documents.document_parts import Document, Note
from sklearn_ordinal._documents.writing import FilePath


class Views:
    """Views of a result that has a document, a dict and rows of a data frame.

    Subclasses implement `document`, `to_dict` and `_records`.
    """

    __slots__ = ()

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            Tables, figures and notes in sections.
        """
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the result.

        Returns
        -------
        dict
            Numbers, strings, lists and dicts, with strings as keys.
        """
        raise NotImplementedError

    def _records(self) -> list[dict[str, Any]]:
        """Return the rows of the data frame in long form."""
        raise NotImplementedError

    def _saved_fields(self) -> dict[str, Any] | None:
        """Return what a result that can be read back is made from, as JSON."""
        return None

    def to_text(self, *, digits: int | None = None, details: bool = False) -> str:
        """Return the result as plain text of at most 80 columns, except for lines of code.

        If a table is too wide, detail columns are left out, and the end of the text names them.
        `to_markdown` and `to_html` show all columns.

        Parameters
        ----------
        digits : int, default=None
            Digits after the decimal point. If None, the default of the result.
        details : bool, default=False
            Whether to include the sections that are details.

        Returns
        -------
        str
            The text, without figures.

        Raises
        ------
        ValueError
            If `digits` is not a non-negative integer, or `details` not a boolean.
        """
        document = self._document_with(digits)
        # Name the class, since readers of the text may not have the result.
        # Sections that are details are in Markdown only on request too.
        view = f"{type(self).__name__}.to_markdown({'details=True' if details is True else ''})"
        return plain_text.as_text(document, details=details, complete_view=view)

    @overload
    def to_html(
        self, path: None = None, *, title: str | None = None, digits: int | None = None
    ) -> str: ...
    @overload
    def to_html(
        self, path: FilePath, *, title: str | None = None, digits: int | None = None
    ) -> None: ...
    def to_html(
        self,
        path: FilePath | None = None,
        *,
        title: str | None = None,
        digits: int | None = None,
    ) -> str | None:
        """Return the result as a page of HTML, or write it.

        The page is self-contained. Its tables can be sorted, it has plots if Matplotlib is
        installed, and it ends with the date and the versions of the software.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.
        title : str, default=None
            The title of the page. If None, the default of the result.
        digits : int, default=None
            Digits after the decimal point. If None, the default of the result.

        Returns
        -------
        str or None
            The page, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If `title` is not a string, or `digits` not a non-negative integer.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        if title is not None and not isinstance(title, str):
            raise ValueError(f"title must be a string, got {formatting.visible(repr(title))}.")
        document = self._document_with(digits)
        if title is not None:
            document = replace(document, title=title)
        return writing.returned_or_written(page_of(document), path)

    @overload
    def to_markdown(
        self, path: None = None, *, digits: int | None = None, details: bool = False
    ) -> str: ...
    @overload
    def to_markdown(
        self, path: FilePath, *, digits: int | None = None, details: bool = False
    ) -> None: ...
    def to_markdown(
        self,
        path: FilePath | None = None,
        *,
        digits: int | None = None,
        details: bool = False,
    ) -> str | None:
        """Return the result as Markdown with GitHub's tables, or write it.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.
        digits : int, default=None
            Digits after the decimal point. If None, the default of the result.
        details : bool, default=False
            Whether to include the sections that are details.

        Returns
        -------
        str or None
            The text without figures, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If `digits` is not a non-negative integer, or `details` not a boolean.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        text = markdown.as_markdown(self._document_with(digits), details=details)
        return writing.returned_or_written(text, path)

    @overload
    def to_latex(
        self, path: None = None, *, digits: int | None = None, details: bool = False
    ) -> str: ...
    @overload
    def to_latex(
        self, path: FilePath, *, digits: int | None = None, details: bool = False
    ) -> None: ...
    def to_latex(
        self,
        path: FilePath | None = None,
        *,
        digits: int | None = None,
        details: bool = False,
    ) -> str | None:
        """Return the result as LaTeX for a paper, or write it.

        Each table is a ``table`` environment, which needs the packages booktabs and adjustbox. It
        has the columns of `to_text`, and is scaled down if it is wider than a line. A table with
        more than 35 rows is divided into several.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.
        digits : int, default=None
            Digits after the decimal point. If None, the default of the result.
        details : bool, default=False
            Whether to include the sections that are details, and the columns that `to_text` leaves
            out of wide tables.

        Returns
        -------
        str or None
            The text without figures, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If `digits` is not a non-negative integer, or `details` not a boolean.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        text = latex.as_latex(self._document_with(digits), details=details)
        return writing.returned_or_written(text, path)

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: FilePath) -> None: ...
    def to_json(self, path: FilePath | None = None) -> str | None:
        """Return the result as JSON, or write it.

        It has the return value of `to_dict` under "result", and the versions of its schema and of
        the package. The command ``sklearn-ordinal`` prints the same JSON.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.

        Returns
        -------
        str or None
            The JSON, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If a report has labels that are neither numbers nor strings.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        fields = self._saved_fields()
        text = json_files.as_json(type(self).__name__, fields=fields, result=self.to_dict())
        return writing.returned_or_written(text, path)

    def to_frame(self) -> Any:
        """Return the numbers of the result as a data frame in long form.

        Returns
        -------
        pandas.DataFrame
            A row for each number or group of numbers.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_frame needs pandas: pip install pandas, or use to_dict."
            ) from error
        return pd.DataFrame(self._records())

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_pages.as_fragment(self.document())

    def _document_with(self, digits: int | None) -> Document:
        document = self.document()
        if digits is None:
            return document
        check_digits(digits)
        return replace(document, digits=int(digits))


def check_digits(digits: Any) -> None:
    """Raise unless an option is a number of digits after the decimal point."""
    # A timedelta64 is an instance of Integral.
    is_integer = isinstance(digits, Integral) and not isinstance(digits, (bool, np.timedelta64))
    if not is_integer or digits < 0:
        found = formatting.cut(formatting.visible(repr(digits)), 50)
        raise ValueError(f"digits must be a non-negative integer, got {found}.")
    if digits > formatting.MOST_DIGITS:
        raise ValueError(
            f"digits must be at most {formatting.MOST_DIGITS:,}, which show each float exactly."
        )


def page_of(document: Document) -> str:
    """Return a document as a page of HTML that ends with a date."""
    if not document.footer:
        # The result has no date, so use the date on which the page is written.
        written = f"Written on {current_date()} with {versions_as_text(current_versions())}."
        document = replace(document, footer=(Note(written, is_small=True),))
    return html_pages.as_page(document)


def as_csv(result: Views) -> str:
    """Return the rows of `to_frame` with a header; undefined values are empty fields."""
    records = result._records()
    text = io.StringIO()
    # The columns of the first record come first, then the columns that only later records have.
    names = list(dict.fromkeys(name for record in records for name in record))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_csv_field(record.get(name)) for name in names] for record in records)
    return text.getvalue()


def _csv_field(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else value


def current_date() -> str:
    """Return the date and time in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def current_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that do the computation."""
    return {
        "sklearn_ordinal": _version.__version__,
        "scikit-learn": sklearn.__version__,
        "NumPy": np.__version__,
        "Python": platform.python_version(),
    }


def versions_as_text(versions: Mapping[str, str]) -> str:
    """Return versions as part of a sentence."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())
