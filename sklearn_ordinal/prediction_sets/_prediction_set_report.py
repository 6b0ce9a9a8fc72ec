"""`prediction_set_report`: the coverage, the sizes and the misses of prediction sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, grouping, tolerances
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Cell,
    Column,
    Document,
    Figure,
    Note,
    Row,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.plotting import _curve_displays, _intervals_display, _style
from sklearn_ordinal.plotting._intervals_display import IntervalLike
from sklearn_ordinal.prediction_sets import _counted_sets
from sklearn_ordinal.prediction_sets._counted_sets import PredictionSets, Shares
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._sections import Provenance

# Plot of the coverage and the size of prediction sets by class
# -------------------------------------------------------------


class PredictionSetsDisplay:
    """Coverage and size of prediction sets by class.

    Each true class has a row, with the lowest class at the top. A diamond shows the coverage of
    its sets and a line shows the interval; a dashed line shows the nominal level. A grey bar shows
    the mean size of the sets as a share of all classes, which is small for informative sets. The
    coverage and the size in classes are also written on the right, up to 40 classes.

    Parameters
    ----------
    coverage : sequence of Interval
        Coverage of each class, from the lowest class to the highest. NaN for a class without
        samples.
    size : array-like of shape (n_classes,)
        Mean number of classes in the sets of each class. NaN for a class without samples.
    target_names : sequence of str
        Name of each class.
    nominal : float, default=None
        Nominal level of the sets, between 0 and 1. If None, there is no dashed line.

    Attributes
    ----------
    estimates_, lines_ : list of matplotlib.lines.Line2D
        Coverage of each class, and its interval.
    bars_ : matplotlib.container.BarContainer
        Size of the sets of each class.
    nominal_ : matplotlib.lines.Line2D or None
        Line of the nominal level, if there is one.
    text_ : list of matplotlib.text.Text
        Numbers of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.prediction_set_report : Evaluate prediction sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.prediction_sets._prediction_set_report import PredictionSetsDisplay
    >>> coverage = [Interval(0.95, 0.88, 0.98, 0.95), Interval(0.81, 0.74, 0.87, 0.95)]
    >>> display = PredictionSetsDisplay(
    ...     coverage, [1.2, 1.6], target_names=["low", "high"], nominal=0.9
    ... ).plot()
    >>> display.text_[0].get_text()
    '95.0%, size 1.20'
    """

    def __init__(
        self,
        coverage: Sequence[IntervalLike],
        size: ArrayLike,
        *,
        target_names: Sequence[str],
        nominal: float | None = None,
    ) -> None:
        self.coverage = list(coverage)
        self.size = np.asarray(size, dtype=np.float64)
        self.target_names = list(target_names)
        self.nominal = nominal

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Create their figure with ``layout="constrained"``, which
            makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend below the rows.

        Returns
        -------
        PredictionSetsDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes, or `legend` is not a bool.
        """
        checks.check_bool("legend", legend)
        _style.require_matplotlib(self)
        rows, level = (
            range(len(self.coverage)),
            formatting.as_percent(self.coverage[0].confidence_level),
        )
        ax, self.text_ = _intervals_display.draw_rows(
            ax,
            self.target_names,
            beside=list(map(_numbers, self.coverage, self.size.tolist())),
            xlabel="Coverage, and size as a share of the classes",
            row_height=0.36,
            ylabel="True class",
            is_scale=True,
        )
        shares = np.nan_to_num(self.size) / len(rows)
        self.bars_ = ax.barh(rows, shares, height=0.7, color=_style.GREY, alpha=0.3)
        # Marks of low rows must not overlap.
        size = min(7.0, 350 / len(rows))
        self.lines_, self.estimates_ = _intervals_display.draw_marks(
            ax, rows, _intervals_display.as_columns(self.coverage), size=size
        )
        key: dict[str, Any] = {
            f"coverage, {level} interval": (self.lines_[0], self.estimates_[0]),
            f"size / {len(rows)} classes": self.bars_,
        }
        self.nominal_ = None
        if self.nominal is not None:
            self.nominal_ = ax.axvline(
                self.nominal, **{**_curve_displays.CHANCE, "color": _style.line_color()}
            )
            key[f"nominal {formatting.as_percent(self.nominal)}"] = self.nominal_
        ax.set_xlim(-0.02, 1.02)
        ax.xaxis.set_major_formatter("{x:.0%}")
        if legend:
            _intervals_display.legend_below(ax, [*key.values()], [*key])
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _numbers(interval: IntervalLike, size: float) -> str:
    if math.isnan(interval.estimate):
        return "no samples"
    return f"{interval.estimate:.1%}, size{_style.NO_BREAK}{size:.2f}"


# The report of prediction sets: their coverage, their sizes, and their misses
# ----------------------------------------------------------------------------

_CONFIDENCE_LEVEL = 0.95
# A verdict with a smaller probability is evidence against the nominal level.
_ALPHA = 0.05
# A sentence names as many classes or groups at most.
_MOST_NAMES = 3
_MEASURES = (
    "size",
    "empty",
    "singletons",
    "contiguous",
    "too_low",
    "too_high",
    "in_gap",
    "distance",
    "miss_distance",
    "interval_score",
)


@dataclass(frozen=True, eq=False, repr=False)
class PredictionSetReport(Views):
    """Coverage, size and misses of prediction sets, with intervals of the coverage.

    Returned by `prediction_set_report`. `str` gives the text, and notebooks show a table and a
    plot.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    group_names : tuple of str
        Name of each group; empty if no groups are compared.
    nominal : tuple of float
        Nominal level of the sets, one for each level; empty if it is not known.
    n_calibration : int or None
        Number of samples on which split conformal sets were calibrated. None without a verdict.
    n_samples : ndarray of shape (n_rows,)
        Number of samples of positive weight: of all samples, then of each class, then of each
        group. All fields with rows have this order.
    total_weights : ndarray of shape (n_rows,)
        Sum of the sample weights, or the number of samples if there are no weights.
    is_weighted : bool
        Whether the samples have weights.
    is_clustered : bool
        Whether the samples were drawn in clusters.
    coverage : tuple of tuple of Interval
        For each level and row, the share of the sets that contain the true class. NaN for rows
        without samples.
    worst_class : tuple of Interval
        For each level, the smallest coverage of a class. The interval follows from simultaneous
        intervals for all classes.
    worst_group : tuple of Interval
        For each level, the smallest coverage of a group; empty if no groups are compared.
    measures : mapping of str to ndarray of shape (n_levels, n_rows)
        Means over the samples, see Notes of `prediction_set_report`: "size", "empty",
        "singletons", "contiguous", "too_low", "too_high", "in_gap", "distance", "miss_distance" and
        "interval_score". Undefined values are NaN.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    n_levels : int
        Number of levels.
    class_names : tuple of str
        Name of each class, from the lowest to the highest.
    pvalues : tuple of float
        For each level, the probability that split conformal sets cover at most as many samples;
        empty without a verdict.

    See Also
    --------
    sklearn_ordinal.prediction_set_report : Make a report.

    Examples
    --------
    >>> from sklearn_ordinal import prediction_set_report
    >>> sets = [[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> report = prediction_set_report([0, 2, 1, 1], sets)
    >>> report.coverage[0][0].estimate, report.measures["size"][0, 0].item()
    (0.75, 1.75)
    """

    scale: OrdinalScale
    group_names: tuple[str, ...]
    nominal: tuple[float, ...]
    n_calibration: int | None
    n_samples: NDArray[np.int64]
    total_weights: Floats
    is_weighted: bool
    is_clustered: bool
    coverage: tuple[tuple[Interval, ...], ...]
    worst_class: tuple[Interval, ...]
    worst_group: tuple[Interval, ...]
    measures: Mapping[str, Floats]
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def n_levels(self) -> int:
        """Number of levels."""
        return len(self.coverage)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Name of each class, from the lowest to the highest."""
        return tuple(map(str, self.scale.labels.tolist()))

    @property
    def pvalues(self) -> tuple[float, ...]:
        """For each level, the probability that split conformal sets cover at most as many samples.

        Empty without a verdict.
        """
        if self.n_calibration is None:
            return ()
        # Loading scipy.stats takes long.
        from scipy.stats import betabinom

        n_test, pvalues = int(self.n_samples[0]), []
        for nominal, rows in zip(self.nominal, self.coverage, strict=True):
            n_covered = round(rows[0].estimate * n_test)
            rank = _conformal_rank(self.n_calibration, nominal)
            distribution = betabinom(n_test, rank, self.n_calibration + 1 - rank)
            pvalues.append(float(distribution.cdf(n_covered)))
        return tuple(pvalues)

    def __repr__(self) -> str:
        coverage = ", ".join(f"{rows[0].estimate:.3f}" for rows in self.coverage)
        return f"PredictionSetReport({self.n_samples[0]} samples, coverage {coverage})"

    def plot(self, level: int = 0, *, ax: Any = None, **options: Any) -> PredictionSetsDisplay:
        """Draw the coverage of each class with its interval, and the mean size of its sets.

        Parameters
        ----------
        level : int, default=0
            Position of the level, if there are several.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `PredictionSetsDisplay.plot`.

        Returns
        -------
        PredictionSetsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such level.
        """
        checks.check_integer("level", level, at_least=0)
        if level >= self.n_levels:
            raise ValueError(f"level must be less than {self.n_levels}, got {level}.")
        rows = slice(1, 1 + self.n_classes)
        return PredictionSetsDisplay(
            self.coverage[level][rows],
            self.measures["size"][level, rows],
            target_names=self.class_names,
            nominal=self.nominal[level] if self.nominal else None,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            What the sets promise and keep as sentences, a table of the coverage of each class and
            group, and a plot of the first level.
        """
        summary = _sections.samples_in_words(
            self.total_weights[0].item(),
            self.class_names,
            is_weighted=self.is_weighted,
            n_samples=int(self.n_samples[0]),
        )
        table = self._table()
        figure = Figure(
            self.plot,
            f"Coverage and size by class{self._at_level(0)}",
            "Coverage of the sets of each class with its interval, and their mean size",
            table,
        )
        sentences = (*self._coverage_in_words(), *self._verdicts())
        found = map(Note, self._found_in_words()) if self.n_levels == 1 else ()
        notes = (Note(text, is_small=True) for text in self._notes())
        return Document(
            "Prediction sets",
            (Note(summary), *found, table, figure, *notes),
            footer=_sections.footer(self.provenance),
            verdict=tuple(map(Note, sentences)),
        )

    def _at_level(self, level: int) -> str:
        """Return words that say which level is meant if there are several."""
        if self.n_levels == 1:
            return ""
        return f" at {self.nominal[level]:g}" if self.nominal else f", level {level + 1}"

    def _coverage_in_words(self) -> Iterator[str]:
        """Yield which share of the sets contains the true class, and how large the sets are."""
        for level, (interval, *_) in enumerate(self.coverage):
            which, promised = self._at_level(level).replace(",", " of"), ""
            if self.nominal:
                which, promised = (
                    "",
                    f", at a nominal level of {formatting.as_percent(self.nominal[level])}",
                )
            yield (
                f"{_percent(interval.estimate)} of the sets{which} contain the true class "
                f"({_ends(interval)}){promised}. A set has "
                f"{self.measures['size'][level, 0]:.2f} of {self.n_classes} classes on average."
            )

    def _verdicts(self) -> Iterator[str]:
        """Yield how probable so low a coverage is at each level, for split conformal sets."""
        n_test = int(self.n_samples[0])
        for level, pvalue in enumerate(self.pvalues):
            n_covered = round(self.coverage[level][0].estimate * n_test)
            probability = "below 0.001" if pvalue < 0.001 else f"of {pvalue:.3f}"
            yield (
                f"Split conformal sets at the level {formatting.as_percent(self.nominal[level])}, "
                f"calibrated on {formatting.counted(self.n_calibration or 0, 'sample')}, contain "
                f"at most {n_covered:,} of {n_test:,} true classes with a probability "
                f"{probability}, which is {'evidence' if pvalue < _ALPHA else 'no evidence'} "
                "against this level."
            )

    def _parts(self) -> list[_Part]:
        parts = [_Part("class", "classes", self.class_names, 1, self.worst_class)]
        if self.group_names:
            first = 1 + self.n_classes
            parts.append(_Part("group", "groups", self.group_names, first, self.worst_group))
        return parts

    def _found_in_words(self) -> Iterator[str]:
        """Yield the lowest coverages, the kinds of sets, and the kinds of misses of one level."""
        for part in self._parts():
            (lowest,) = part.worst
            names = [
                name
                for row, name in enumerate(part.names, part.first_row)
                if self.coverage[0][row].estimate == lowest.estimate
            ]
            where = f"{len(names)} {part.plural}"
            if len(names) <= _MOST_NAMES:
                unit = part.name if len(names) == 1 else part.plural
                where = f"{unit} {formatting.names_in_words(names)}"
            text = (
                f"The lowest coverage of a {part.name} is {_percent(lowest.estimate)}, for {where} "
                f"({_ends(lowest)} for the lowest of all {part.plural})"
            )
            if self.nominal and lowest.high < self.nominal[0]:
                level = formatting.as_percent(self.nominal[0])
                text += f", so at least one {part.name} has a coverage below {level}"
            yield f"{text}."
        values = {name: row[0, 0].item() for name, row in self.measures.items()}
        text = (
            f"{_percent(values['empty'])} of the sets are empty, "
            f"{_percent(values['singletons'])} have one class, and "
            f"{_percent(values['contiguous'])} have classes without a gap."
        )
        if not math.isnan(values["interval_score"]):
            text += f" The mean interval score is {values['interval_score']:.2f}."
        yield text
        yield _misses_in_words(values, 1 - self.coverage[0][0].estimate)

    def _table(self) -> Table:
        """Return the coverage and the size of the sets of each class and group at each level."""
        parts, levels = self._parts(), range(self.n_levels)
        level_name = _sections.interval_name(_CONFIDENCE_LEVEL)
        is_detail = self.n_levels > 1
        columns = [Column(" or ".join(part.name for part in parts))]
        columns.append(Column("samples", "number", digits=0))
        columns += [Column("total weight", "number")] if self.is_weighted else []
        columns += [Column(f"coverage{self._at_level(k)}", "number") for k in levels]
        columns += [
            Column(f"{level_name}{self._at_level(k)}", "interval", is_detail=is_detail)
            for k in levels
        ]
        columns += [
            Column(f"classes{self._at_level(k)}", "number", is_detail=is_detail) for k in levels
        ]

        def cells(
            name: str, amounts: list[Cell], intervals: Sequence[Interval], sizes: list[Cell]
        ) -> Row:
            coverages = [interval.estimate for interval in intervals]
            ends = [(interval.low, interval.high) for interval in intervals]
            return name, *amounts, *coverages, *ends, *sizes

        def row(name: str, place: int) -> Row:
            amounts: list[Cell] = [int(self.n_samples[place])]
            amounts += [self.total_weights[place].item()] if self.is_weighted else []
            intervals = [of_level[place] for of_level in self.coverage]
            return cells(name, amounts, intervals, self.measures["size"][:, place].tolist())

        rows = [
            row(name if part.name == "class" else f"group {name}", place)
            for part in parts
            for place, name in enumerate(part.names, part.first_row)
        ]
        blank: list[Cell] = [None] * (1 + self.is_weighted)
        summary = [row(grouping.OVERALL, 0)]
        summary += [
            cells(f"lowest {part.name}", blank, part.worst, [None] * self.n_levels)
            for part in parts
        ]
        title = f"Coverage by {' and '.join(part.name for part in parts)}"
        return Table(title, tuple(columns), tuple(rows), tuple(summary))

    def _notes(self) -> Iterator[str]:
        has_score = not math.isnan(self.measures["interval_score"][0, 0])
        if self.n_levels == 1 and self.nominal and not has_score:
            yield "There is no interval score, since some sets are empty or have gaps."
        if self.is_clustered or self.is_weighted:
            yield "Intervals use the effective number of samples."

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "classes" and "groups": their names; "n_calibration"; "levels": a list with a dict for
            each level, which has "nominal", "pvalue", "worst_class" and "worst_group", and "rows":
            a list of dicts with the columns of `to_frame`. Undefined values are None.
        """
        pvalues = self.pvalues
        numbers: dict[str, Any] = json_files.plain(
            {
                "classes": self.scale.labels,
                "groups": list(self.group_names),
                "n_calibration": self.n_calibration,
                "levels": [
                    {
                        "nominal": self.nominal[level] if self.nominal else None,
                        "pvalue": pvalues[level] if pvalues else None,
                        "worst_class": asdict(self.worst_class[level]),
                        "worst_group": asdict(self.worst_group[level])
                        if self.worst_group
                        else None,
                        "rows": [row for row in self._records() if row["level"] == level],
                    }
                    for level in range(self.n_levels)
                ],
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each level and all samples, each class and each group."""
        parts: list[tuple[str, str | None]] = [("all", None)]
        parts += [("class", name) for name in self.class_names]
        parts += [("group", name) for name in self.group_names]
        return [
            {
                "level": level,
                "nominal": self.nominal[level] if self.nominal else None,
                "part": part,
                "name": name,
                "n_samples": int(self.n_samples[row]),
                "total_weight": float(self.total_weights[row]),
                "coverage": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "confidence_level": interval.confidence_level,
                **{name: float(values[level, row]) for name, values in self.measures.items()},
            }
            for level, intervals in enumerate(self.coverage)
            for row, ((part, name), interval) in enumerate(zip(parts, intervals, strict=True))
        ]


class _Part(NamedTuple):
    """The classes, or the groups."""

    name: str
    plural: str
    names: tuple[str, ...]
    first_row: int
    worst: tuple[Interval, ...]
    """For each level, the smallest coverage."""


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _ends(interval: Interval) -> str:
    level = _sections.interval_name(interval.confidence_level)
    return f"{level} {_percent(interval.low)} to {_percent(interval.high)}"


def _misses_in_words(values: Mapping[str, float], missed: float) -> str:
    """Say how the sets miss, given their measures and the share of sets that miss."""
    parts = {
        "are too low": "too_low",
        "are too high": "too_high",
        "have it in a gap": "in_gap",
        "are empty": "empty",
    }
    found = {text: values[name] for text, name in parts.items() if values[name]}
    if not found:
        return "No set misses the true class."
    kinds = [f"{_percent(share)} {text}" for text, share in found.items()]
    if len(found) == 1:
        kinds = [f"all of them {text}" for text in found]
    text = (
        f"{_percent(missed)} of the sets miss the true class: {formatting.names_in_words(kinds)}."
    )
    if not math.isnan(values["miss_distance"]):
        text += (
            f" The nearest class of a set that misses is {values['miss_distance']:.2f} classes "
            f"away on average."
        )
    return text


@checks.lists_parameters
def prediction_set_report(
    y_true: ArrayLike,
    sets: ArrayLike | tuple[ArrayLike, ArrayLike],
    *,
    labels: ArrayLike | None = None,
    nominal: float | Sequence[float] | None = None,
    n_calibration: int | None = None,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    by: Any = None,
) -> PredictionSetReport:
    r"""Evaluate prediction sets, which should contain the true class and be small.

    Conformal prediction and other methods predict a set of classes for each sample, at a nominal
    level such as 0.9: the share of the sets that are to contain the true class. The report says
    whether they do, for which classes they do not, how large the sets are, and how far they miss.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    sets : array-like or tuple of array-like
        The sets, in one of two forms:

        - an array of shape (n_samples, n_classes), or (n_samples, n_classes, n_levels), of
          booleans or of 0 and 1: whether each class, from the lowest to the highest, is in the set;
        - a tuple ``(lower, upper)`` of two arrays of shape (n_samples,), the lowest and the highest
          class of each set, which contains all classes in between.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    nominal : float or sequence of float, default=None
        Nominal level of the sets, between 0 and 1; with several levels, one for each. If None, the
        coverage is not compared with a nominal level, and there is no interval score.
    n_calibration : int, default=None
        Number of samples on which split conformal sets were calibrated. If None, there is no
        verdict on the coverage.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. Samples of weight zero are left out.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as the patient or the document. Samples of the same cluster
        are not independent, so that the intervals are wider.
    by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict, default=None
        Group of each sample, whose coverage is compared, see `GroupReport`.

    Returns
    -------
    PredictionSetReport
        The coverage of all samples, of each class, of the worst class and of groups with
        intervals, and the sizes and misses, as text, a table and a plot.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, `sets` do not have a column for each class, hold
        other numbers than 0 and 1, or have a lower class above the upper one; if `nominal` does not
        have a level between 0 and 1 for each level of the sets; or if `n_calibration` comes without
        `nominal`, with weights or clusters, or is too small for the level.

    See Also
    --------
    GroupReport : Compare the criteria of predicted classes between groups.
    sklearn_ordinal.metrics.ranked_probability_score : Evaluate the probabilities behind the sets.

    Notes
    -----
    The measures are means over the samples, at each level:

    - ``coverage``: share of the sets that contain the true class;
    - ``size``: number of classes in the set;
    - ``empty``, ``singletons``: shares of sets without a class, and with a single class;
    - ``contiguous``: share of sets that have a class and no gap between their classes;
    - ``too_low``, ``too_high``, ``in_gap``: shares of sets whose classes are all below the true
      class, all above it, or on both sides of it. With the coverage and the share of empty sets,
      they add up to 1;
    - ``distance``: number of classes from the true class to the nearest class of the set, 0 if it
      is covered; ``miss_distance``: the same for misses only. It is undefined for empty sets,
      which are left out;
    - ``interval_score``: :math:`u - l + \frac{2}{\alpha} d`, with the highest class :math:`u` and
      the lowest class :math:`l` of the set, the distance :math:`d`, and the level
      :math:`1 - \alpha` [1]_. Lower is better. It is only defined if `nominal` is given, and no set
      of the level is empty or has a gap.

    The 95% intervals of the coverage use the method of Clopper and Pearson. With weights or
    clusters, the number of samples is replaced by the effective number of Korn and Graubard [2]_.
    The smallest coverage of a class tends to be lower than the true one, because it is a minimum
    of noisy shares. Its interval follows from simultaneous intervals for all classes, and the same
    holds for groups.

    Split conformal sets that are calibrated on :math:`n` samples at the level :math:`1 - \alpha`
    cover a beta-binomial number of new samples, with the parameters :math:`k = \lceil (n + 1)(1 -
    \alpha) \rceil` and :math:`n + 1 - k`, if calibration and test samples are exchangeable and the
    scores have no ties [3]_. Ties only raise the coverage. The verdict is the probability that at
    most as many samples are covered. It applies to the total coverage, not to the coverage of
    classes, and to sets that were calibrated on all samples together, not by class.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), "Strictly proper scoring rules, prediction, and
       estimation", Journal of the American Statistical Association 102(477), equation 43,
       :doi:`10.1198/016214506000001437`.
    .. [2] E. L. Korn, B. I. Graubard (1998), "Confidence intervals for proportions with small
       expected number of positive counts estimated from survey data", Survey Methodology 24(2).
    .. [3] V. Vovk (2012), "Conditional validity of inductive conformal predictors", Proceedings of
       the Asian Conference on Machine Learning, PMLR 25.

    Examples
    --------
    >>> from sklearn_ordinal import prediction_set_report
    >>> y_true = [0, 2, 1, 1, 3]
    >>> sets = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 1, 1]]
    >>> report = prediction_set_report(y_true, sets)
    >>> print(report.coverage[0][0])
    0.600 (95% interval 0.147 to 0.947)
    >>> float(report.measures["too_high"][0, 0]), float(report.measures["in_gap"][0, 0])
    (0.2, 0.2)

    The lowest and the highest class of each set:

    >>> report = prediction_set_report(
    ...     ["b", "c", "b"], (["a", "a", "b"], ["b", "b", "b"]), labels=["a", "b", "c"], nominal=0.8
    ... )
    >>> round(float(report.measures["interval_score"][0, 0]), 3)
    4.0
    """
    read = _counted_sets.read_prediction_sets(y_true, sets, labels, sample_weight, clusters, by)
    n_passed = len(read.true) if read.has_weight is None else len(read.has_weight)
    levels = _levels(nominal, len(read.levels))
    if n_calibration is not None:
        _check_calibration(n_calibration, levels)
        if sample_weight is not None or clusters is not None:
            name = "clusters" if sample_weight is None else "sample_weight"
            raise ValueError(
                f"n_calibration must be left out with {name}, since the verdict is for samples "
                f"that are drawn one by one and count once, got {n_calibration}."
            )
    group: IntegerArray | None = None
    names: tuple[str, ...] = ()
    if by is not None:
        group, names = grouping.read_groups(by, n_passed, y_true)
        if read.has_weight is not None:
            group = group[read.has_weight]
    by_level = [
        _evaluated(read, level, levels[level] if levels else None, group, len(names))
        for level in range(len(read.levels))
    ]
    return PredictionSetReport(
        scale=read.scale,
        group_names=names,
        nominal=levels,
        n_calibration=None if n_calibration is None else int(n_calibration),
        n_samples=by_level[0].n_samples.astype(np.int64),
        total_weights=by_level[0].total_weights,
        is_weighted=sample_weight is not None,
        is_clustered=clusters is not None,
        coverage=tuple(level.coverage for level in by_level),
        worst_class=tuple(level.worst_class for level in by_level),
        worst_group=tuple(level.worst_group for level in by_level if level.worst_group),
        measures={
            name: np.stack([level.measures[name] for level in by_level]) for name in _MEASURES
        },
        provenance=Provenance.of_now(),
    )


class _Level(NamedTuple):
    """What the report says about the sets of one level."""

    n_samples: NDArray[np.int64]
    total_weights: Floats
    coverage: tuple[Interval, ...]
    worst_class: Interval
    worst_group: Interval | None
    measures: dict[str, Floats]


def _evaluated(
    sets: PredictionSets,
    level: int,
    nominal: float | None,
    group: IntegerArray | None,
    n_groups: int,
) -> _Level:
    """Evaluate the sets of a level for all samples, each class and each group."""
    n_classes = len(sets.scale)
    counted = sets.counted(level, group, max(n_groups, 1))
    shapes = counted.shapes

    def row_sums(amounts: NDArray[Any]) -> Floats:
        """Return the sum over all samples, over each class and over each group."""
        by_class = np.bincount(counted.true, amounts, n_classes)
        by_group = np.bincount(counted.group, amounts, n_groups) if n_groups else ()
        sums: Floats = np.r_[amounts.sum(), by_class, by_group]
        return sums

    weights, total_weights = counted.weights, row_sums(counted.weights)

    def means(values: NDArray[Any], where: NDArray[np.bool_] | None = None) -> Floats:
        if where is None:
            return arithmetic.divide(row_sums(weights * values), total_weights)
        return arithmetic.divide(
            row_sums(weights * np.where(where, values, 0)), row_sums(weights * where)
        )

    is_empty, is_covered = shapes.size == 0, shapes.is_covered
    is_contiguous = ~is_empty & (shapes.upper - shapes.lower + 1 == shapes.size)
    is_low = ~is_empty & (shapes.upper < counted.true)
    is_high = ~is_empty & (shapes.lower > counted.true)
    scores = np.full(len(total_weights), np.nan)
    if nominal is not None and is_contiguous.all():
        # Sums of integers are exact, so that rounding does not depend on their order.
        scores = means(shapes.size - 1) + 2 / (1 - nominal) * means(shapes.distance)
    measures = {
        "size": means(shapes.size),
        "empty": means(is_empty),
        "singletons": means(shapes.size == 1),
        "contiguous": means(is_contiguous),
        "too_low": means(is_low),
        "too_high": means(is_high),
        "in_gap": means(~(is_covered | is_empty | is_low | is_high)),
        "distance": means(shapes.distance, ~is_empty),
        "miss_distance": means(shapes.distance, ~is_empty & ~is_covered),
        "interval_score": scores,
    }
    share, n_samples = means(is_covered), row_sums(counted.numbers)
    if sets.cluster is None:
        deviations = row_sums(counted.squares * is_covered) * (1 - share) ** 2
        deviations += row_sums(counted.squares * ~is_covered) * share**2
        units = n_samples, deviations, row_sums(counted.squares)
    else:
        units = _cluster_sums(sets, level, group, n_groups, share)
    n_units, squared_deviations, squared_weights = units
    shares = Shares(
        share,
        n_samples,
        n_units,
        squared_deviations,
        total_weights,
        squared_weights,
        is_clustered=sets.cluster is not None,
    )
    first_group = 1 + n_classes
    return _Level(
        n_samples.astype(np.int64),
        total_weights,
        tuple(_counted_sets.share_intervals(shares, _CONFIDENCE_LEVEL)),
        _counted_sets.smallest_share_interval(
            shares.rows(slice(1, first_group)), _CONFIDENCE_LEVEL
        ),
        _counted_sets.smallest_share_interval(
            shares.rows(slice(first_group, None)), _CONFIDENCE_LEVEL
        )
        if n_groups
        else None,
        measures,
    )


def _cluster_sums(
    sets: PredictionSets,
    level: int,
    group: IntegerArray | None,
    n_groups: int,
    share: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Return the number of clusters in each row, and the sums over their samples, squared.

    The sums are of weights times deviations from the coverage of the row, and of weights.
    """
    assert sets.cluster is not None
    weight = np.ones(len(sets.true)) if sets.weight is None else sets.weight
    is_covered = sets.levels[level].covered(sets.true)
    rows: list[tuple[NDArray[Any], int]] = [(np.zeros_like(sets.true), 1)]
    rows.append((sets.true, len(sets.scale)))
    rows += [] if group is None else [(group, n_groups)]
    sums, first = np.zeros((3, len(share))), 0
    for row, n_rows in rows:
        pairs = sets.cluster * n_rows + row
        distinct, position = np.unique(pairs, return_inverse=True)
        deviations = weight * (is_covered - share[first + row])
        row_of_pair = first + distinct % n_rows
        for amounts, values in zip(
            sums,
            (
                np.ones(len(distinct)),
                np.bincount(position, deviations) ** 2,
                np.bincount(position, weight) ** 2,
            ),
            strict=True,
        ):
            amounts += np.bincount(row_of_pair, values, len(share))
        first += n_rows
    n_clusters, squared_deviations, squared_weights = sums
    return n_clusters, squared_deviations, squared_weights


def _conformal_rank(n_calibration: int, nominal: float) -> int:
    """Return the rank of the calibration score that is the threshold of split conformal sets."""
    return math.ceil((n_calibration + 1) * nominal - tolerances.INTEGER)


def _levels(nominal: Any, n_levels: int) -> tuple[float, ...]:
    """Return the nominal level of each level of the sets, or an empty tuple for None."""
    if nominal is None:
        return ()
    values = (
        (nominal,)
        if checks.is_real(nominal)
        else tuple(checks.iterate("nominal", nominal, "levels, or one level"))
    )
    if len(values) != n_levels:
        raise ValueError(
            f"nominal must have one level for each level of the sets, {n_levels} in all, got "
            f"{len(values)}."
        )
    return tuple(checks.check_share("nominal", value) for value in values)


def _check_calibration(n_calibration: Any, nominal: tuple[float, ...]) -> None:
    """Raise unless split conformal sets may be calibrated on so many samples."""
    checks.check_integer("n_calibration", n_calibration, at_least=1)
    if not nominal:
        raise ValueError(
            f"n_calibration must come with the nominal level of the sets, got {n_calibration}: "
            f"pass nominal=."
        )
    highest = max(nominal)
    if _conformal_rank(n_calibration, highest) > n_calibration:
        at_least = math.ceil(highest / (1 - highest) - tolerances.INTEGER)
        raise ValueError(
            f"n_calibration must be at least {at_least} for sets at the level {highest:g} that are "
            f"not all classes, got {n_calibration}."
        )
