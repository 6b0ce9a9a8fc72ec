"""`Values`: named values on axes, the one result behind the reports that compare something.

A row is an `Interval`, or a `Contrast` if it is tested, and its key has a member of each axis. A
report subclasses `Values` and declares the axis that it compares, the sentence that answers its
question, its tables and its notes. The frame, the dict, the plot and the document are written here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any, ClassVar, TypeAlias

from sklearn_ordinal._core import checks, grouping
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._sections import Provenance

Key: TypeAlias = tuple[str | None, ...]
"""A member of each axis; None is the value over all members of the axis."""

VALUE, DIFFERENCE, OVERALL = "value", "difference", grouping.OVERALL
_NUMBERS = (
    *("estimate", "low", "high", "standard_error", "pvalue", "adjusted_pvalue"),
    *("confidence_level", "n_undefined", "n_left_out", "method"),
)
# A table of values has criteria as rows if it has at most this number of other columns.
_MOST_COLUMNS = 10


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Values(Views):
    """Named values on axes, with their intervals and tests.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values. A key has a member of each axis of the class, whose last axis, "what", says
        whether the row is a "value", a "difference" or another statistic. None stands for all
        members of an axis together.
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    inferred : tuple of str
        The criteria whose intervals and tests the default text shows: those that the caller names,
        or the first. It shows the others as values.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables. Intervals have more
        digits if they are narrow.
    provenance : Provenance, default=None
        How the result was made. It is ignored when results are compared.
    """

    axes: ClassVar[tuple[str, ...]]
    """Names of the axes: "criterion", the axis that is compared, others, and "what"."""
    _title: ClassVar[str]
    """Title of the page."""
    _argument: ClassVar[str] = "metrics"
    """The argument that names the criteria."""

    rows: Mapping[Key, Interval]
    metrics: ByMetric
    inferred: tuple[str, ...]
    n_classes: int
    digits: int = 3
    provenance: Provenance | None = None

    # What a report declares
    # ----------------------

    def _sentences(self) -> Iterable[str]:
        """Yield the answer to the question of the report."""
        raise NotImplementedError

    def _views(self) -> Iterable[Part]:
        """Yield the tables, with the main table first, and the sections of details."""
        raise NotImplementedError

    def _notes(self) -> Iterable[str]:
        """Yield what was evaluated, and what readers need to interpret it."""
        raise NotImplementedError

    def _facts(self) -> dict[str, Any]:
        """Return the facts about the evidence that `to_dict` has besides the rows."""
        return {}

    def _extras(self, key: Key) -> dict[str, Any]:
        """Return further columns of a row, such as a rank."""
        del key
        return {}

    def _hint(self) -> str:
        """Return how to see what the default text leaves out."""
        if not set(self.metrics) - set(self.inferred):
            return ""
        return (
            f"Name criteria in {self._argument}= to show their intervals and tests, or pass "
            "details=True."
        )

    # Rows
    # ----

    @property
    def confidence_level(self) -> float:
        """Confidence level of the intervals."""
        return next(iter(self.rows.values())).confidence_level

    def one(self, **members: str | None) -> Any:
        """Return one row.

        Parameters
        ----------
        **members : str or None
            A member of each axis. The default of the criterion is the first one, the default of
            "what" is "value", or "difference" if `against` is passed, and None stands for all
            members of another axis together.

        Returns
        -------
        Interval
            The value with its interval, or a difference with its interval and test.

        Raises
        ------
        ValueError
            If there is no such axis or no such row.
        """
        return self.rows[self._key(members)]

    def members(self, axis: str) -> tuple[str, ...]:
        """Return the members of an axis, in order.

        Parameters
        ----------
        axis : str
            Name of the axis.

        Returns
        -------
        tuple of str
            The members.

        Raises
        ------
        ValueError
            If there is no such axis.
        """
        self._check_axes([axis])
        return self._members[self.axes.index(axis)]

    @cached_property
    def _members(self) -> tuple[tuple[str, ...], ...]:
        columns = map(dict.fromkeys, zip(*self.rows, strict=True))
        return tuple(tuple(m for m in members if m is not None) for members in columns)

    def _check_axes(self, axes: Iterable[str]) -> None:
        for axis in axes:
            if not isinstance(axis, str) or axis not in self.axes:
                raise ValueError(
                    f"axis must be among {checks.listed(self.axes)}, got {checks.shown(axis)}."
                )

    def _key(self, members: Mapping[str, Any]) -> Key:
        self._check_axes(members)
        # Groups may be numbers, whose names are strings.
        what = VALUE if members.get("against") is None else DIFFERENCE
        of_axis = {"what": what, **members, "criterion": self._name_of(members.get("criterion"))}
        names = (of_axis.get(axis) for axis in self.axes)
        key = tuple(None if name is None else str(name) for name in names)
        if key in self.rows:
            return key
        for axis, known, name in zip(self.axes, self._members, key, strict=True):
            if name is not None and name not in known:
                raise ValueError(
                    f"{axis} must be among {checks.listed(known)}, got {checks.shown(name)}."
                )
        similar = [row for row in self.rows if row[-1] == key[-1]]
        raise ValueError(
            f"there is no row with {self._in_words(key)}: pass a member of each axis, as in "
            f"{self._in_words(similar[0])}."
        )

    def _in_words(self, key: Key) -> str:
        named = zip(self.axes, key, strict=True)
        text = ", ".join(f"{axis}={member!r}" for axis, member in named if member is not None)
        return formatting.cut(text, 200)

    def _name_of(self, criterion: Any) -> str:
        names = self._members[0]
        if criterion is None:
            return names[0]
        is_name = isinstance(criterion, str) and criterion in names
        return criterion if is_name else self.metrics.name_of(criterion, "criterion")

    def _along(self, axis: str, **members: Any) -> dict[str, Any]:
        """Return the rows along an axis that exist, by member."""
        found = {}
        for member in self.members(axis):
            pinned = {"what": VALUE, **members, axis: member}
            key = tuple(pinned.get(name) for name in self.axes)
            if key in self.rows:
                found[member] = self.rows[key]
        return found

    def _with_overall(self, criterion: str) -> dict[str, Interval]:
        """Return the values along the compared axis, and the value over all its members."""
        overall = self.rows.get((criterion, *[None] * (len(self.axes) - 2), VALUE))
        values = self._along(self.axes[1], criterion=criterion)
        return values if overall is None else {**values, OVERALL: overall}

    # Views
    # -----

    def document(self) -> Document:
        """Return the content, from which all views are rendered.

        Returns
        -------
        Document
            The answer, the tables, what readers need to interpret them, and a plot.
        """
        first, *further = self._views()
        evaluated, *notes = self._notes()
        table = first if isinstance(first, Table) else None
        details = [part for part in further if isinstance(part, Section) and part.is_detail]
        tables = [part for part in further if part not in details]
        about = [self.metrics[name] for name in self.inferred if name in self.metrics]
        return Document(
            _sections.page_title(self._title, evaluated),
            (Note(evaluated), first, *self._figures(table), *tables, *map(Note, notes), *details),
            digits=self.digits,
            footer=_sections.footer(self.provenance),
            hint=self._hint(),
            about=tuple(_sections.about_criterion(metric, self.n_classes) for metric in about),
            verdict=tuple(map(Note, self._sentences())),
        )

    def _figures(self, table: Table | None) -> Iterable[Figure]:
        """Yield the plots beside the main table."""
        yield Figure(
            self.plot,
            f"{self._members[0][0]} with {_sections.interval_name(self.confidence_level)}",
            self._title if table is None else table.title,
            table,
        )

    def plot(self, metric: Any = None, *, ax: Any = None, **options: Any) -> Any:
        """Draw the values of one criterion with their intervals.

        Parameters
        ----------
        metric : str or callable, default=None
            A criterion, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of the display's `plot`.

        Returns
        -------
        IntervalsDisplay
            The display. Differences are drawn by `ComparisonDisplay`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such criterion.
        """
        name = self._name_of(None) if metric is None else self.metrics.name_of(metric)
        return self._display(name).plot(ax, **options)

    def _display(self, criterion: str) -> Any:
        """Return the plot of the values of a criterion along the compared axis."""
        values = self._with_overall(criterion)
        return IntervalsDisplay(
            list(values),
            {
                _sections.interval_name(self.confidence_level): _intervals_display.as_columns(
                    values.values()
                )
            },
            label=criterion,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            Facts about what was evaluated; and "values", a list with a dict for each number: the
            members of the axes, and the columns of `to_frame`. Undefined values are None.
        """
        criteria = {
            name: {"better": _sections.direction_as_text(metric)}
            for name, metric in self.metrics.items()
        }
        facts = {"confidence_level": self.confidence_level, "criteria": criteria, **self._facts()}
        numbers: dict[str, Any] = json_files.plain({**facts, "values": self._records()})
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each number: members, the numbers, and facts of the row."""
        return [
            {
                **dict(zip(self.axes, key, strict=True)),
                **{name: getattr(row, name, math.nan) for name in _NUMBERS},
                **self._extras(key),
            }
            for key, row in self.rows.items()
        ]

    def __repr__(self) -> str:
        compared, what = self._members[1], self._members[-1]
        number = formatting.counted(len(compared), self.axes[1].removesuffix("s"))
        number = number if compared else formatting.names_in_words(what)
        return f"{type(self).__name__}({number}, {checks.in_repr(self._members[0])})"

    def _headline(self, criterion: str) -> str:
        return _sections.headline(self.metrics[criterion], self.n_classes)

    def _matrix(self, title: str, criteria: Sequence[str], *first: _sections.Block) -> Table:
        """Return the values of criteria for all members of the compared axis, without intervals.

        The first columns are blocks of criteria, if the criteria are the rows.
        """
        axis = self.axes[1]
        rows = {name: self._with_overall(name) for name in criteria}
        members = list(dict.fromkeys(member for values in rows.values() for member in values))
        if len(members) <= _MOST_COLUMNS:
            by_member = {m: {name: rows[name].get(m) for name in criteria} for m in members}
            of_members = starmap(_sections.estimates, by_member.items())
            return _sections.table(title, "criterion", criteria, *first, *of_members)
        return _sections.table(title, axis, members, *starmap(_sections.estimates, rows.items()))
