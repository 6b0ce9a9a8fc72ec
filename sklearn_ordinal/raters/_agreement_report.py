"""`agreement_report`: the agreement of several raters, and the severity of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    checks,
    containers,
    evidence_kinds,
    grading,
    grouping,
    lookup,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import document_parts, formatting
from sklearn_ordinal._documents.document_parts import Column, Figure, Note, Part, Section, Table
from sklearn_ordinal.inference import _bootstrap, _holm_correction, _intervals
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.metrics import _agreement
from sklearn_ordinal.metrics._agreement import Coefficient, Level
from sklearn_ordinal.plotting import _intervals_display, _style
from sklearn_ordinal.plotting._intervals_display import IntervalLike
from sklearn_ordinal.raters import _agreement_by_group, _rater_intervals
from sklearn_ordinal.raters._agreement_by_group import AgreementInGroups
from sklearn_ordinal.raters._rater_intervals import PeerGrades
from sklearn_ordinal.reports import _sections, _sentences
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key, Values

# Plot of raters: severity against agreement with the others
# ----------------------------------------------------------

# Sizes in inches, at a font size of ten points: of new figures, of a character and a line of a
# name, of half a mark, and of the gap between a name and its mark.
_SIZE, _CHARACTER, _LINE, _MARK, _GAP = (6.4, 4.4), 0.08, 0.17, 0.05, 0.06
_MOST_CHARACTERS = 24
# With more raters, intervals and marks are drawn lighter and smaller.
_MANY = 30
_DIRECTION = "below 0: lower grades than the others"


class RatersDisplay:
    """Severity of raters, and their agreement with the others, with intervals.

    Each rater is a point: the horizontal axis shows the severity, the rater's own grade minus the
    mean of the other raters, and the vertical axis shows a criterion of the agreement with the
    other raters. Lines show the intervals. A name that would cover another name or a point is left
    out.

    Parameters
    ----------
    severity : mapping of str to Interval
        Severity of each rater by name. The values have the attributes of
        `sklearn_ordinal.inference.Interval`. An interval whose ends are NaN has no line, and a
        rater without an estimate has no point.
    scores : mapping of str to Interval
        Value of the criterion for each rater, with the same names as `severity`.
    criterion : str
        Name of the metric, shown as the label of the vertical axis.
    greater_is_better : bool, default=True
        Whether higher values of the metric are better.

    Attributes
    ----------
    points_ : matplotlib.lines.Line2D
        Points of all raters.
    intervals_ : list of matplotlib.lines.Line2D
        Intervals of the severity, and intervals of the criterion.
    zero_ : matplotlib.lines.Line2D
        Line where raters give the same grades as the others on average.
    text_ : dict of str to matplotlib.text.Text
        Names that are shown.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.agreement_report : Compute the values.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.raters._agreement_report import RatersDisplay
    >>> severity = {"Ann": Interval(-0.4, -0.6, -0.2, 0.95), "Bob": Interval(0.1, 0.0, 0.2, 0.95)}
    >>> scores = {"Ann": Interval(0.5, 0.4, 0.6, 0.95), "Bob": Interval(0.8, 0.7, 0.9, 0.95)}
    >>> display = RatersDisplay(severity, scores, criterion="quadratic_weighted_kappa").plot()
    >>> sorted(display.text_)
    ['Ann', 'Bob']
    """

    def __init__(
        self,
        severity: Mapping[str, IntervalLike],
        scores: Mapping[str, IntervalLike],
        *,
        criterion: str,
        greater_is_better: bool = True,
    ) -> None:
        self.severity = dict(severity)
        self.scores = {name: scores[name] for name in severity}
        self.criterion = criterion
        self.greater_is_better = greater_is_better

    def plot(self, ax: Any = None) -> Self:
        """Plot the raters.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for labels. If None, a new figure is
            created.

        Returns
        -------
        RatersDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        _style.require_matplotlib(self)
        ax = _style.axes_of(ax, *_SIZE)
        is_crowded = len(self.severity) > _MANY
        x, x_low, x_high = _intervals_display.as_columns(self.severity.values())
        y, y_low, y_high = _intervals_display.as_columns(self.scores.values())
        zero = {
            "color": _style.line_color(),
            "linewidth": 0.8,
            "linestyle": (0, (6, 4)),
            "alpha": 0.7,
        }
        self.zero_ = ax.axvline(0, **zero)
        line = {"color": _style.BLUE, "linewidth": 1, "alpha": 0.25 if is_crowded else 0.6}
        self.intervals_ = [
            ax.plot(_segments(x_low, x_high), _segments(y, y), marker="", linestyle="-", **line)[0],
            ax.plot(_segments(x, x), _segments(y_low, y_high), marker="", linestyle="-", **line)[0],
        ]
        (self.points_,) = ax.plot(
            x,
            y,
            color=_style.BLUE,
            marker="o",
            markersize=4 if is_crowded else 6.5,
            linestyle="none",
        )
        ax.margins(0.12)
        ax.grid(color=_style.GREY, alpha=0.25, linewidth=0.8)
        ax.spines[["top", "right"]].set_visible(False)
        level = formatting.as_percent(next(iter(self.severity.values())).confidence_level)
        better = "higher" if self.greater_is_better else "lower"
        ax.set_xlabel(
            _style.wrapped(f"severity, in classes ({_DIRECTION})\nlines: {level} intervals", 64)
        )
        ax.set_ylabel(
            f"{_style.one_line(self.criterion)}\nwith the others ({better} is better)",
            parse_math=False,
        )
        self.text_ = self._name_points(ax, x, y)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_points(self, ax: Any, x: Floats, y: Floats) -> dict[str, Any]:
        """Write the names beside their points, where they cover no other name or point."""
        names = _style.short_names(list(self.severity), (_MOST_CHARACTERS, _MOST_CHARACTERS))
        # Positions and sizes are shares of the axes, before matplotlib makes room for the labels.
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
        places = np.column_stack([(x - left) / (right - left), (y - bottom) / (top - bottom)])
        inch = ax.figure.dpi * _style.default_font_size() / 10 / np.array(ax.bbox.size)
        marks = np.stack([places - _MARK * inch, places + _MARK * inch], axis=1)
        texts, taken = {}, list[Floats]()
        for k, rater in enumerate(self.severity):
            size = np.array([_CHARACTER * len(names[k]), _LINE]) * inch
            others = np.concatenate([np.delete(marks, k, axis=0), *taken])
            for to_right, upwards in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                corner = places[k] + np.array([to_right, upwards]) * (_GAP * inch + size / 2)
                box = np.stack([corner - size / 2, corner + size / 2])
                is_covered = ((box[0] < others[:, 1]) & (others[:, 0] < box[1])).all(axis=1).any()
                if not is_covered and (box[0] >= 0).all() and (box[1] <= 1).all():
                    taken.append(box[None])
                    texts[rater] = ax.annotate(
                        names[k],
                        (x[k], y[k]),
                        xytext=(6 * to_right, 6 * upwards),
                        textcoords="offset points",
                        ha="left" if to_right > 0 else "right",
                        va="bottom" if upwards > 0 else "top",
                        parse_math=False,
                        in_layout=False,
                    )
                    break
        return texts


def _segments(starts: Floats, ends: Floats) -> Floats:
    """Return lines from starts to ends, separated by NaN."""
    return np.column_stack([starts, ends, np.full(len(starts), np.nan)]).ravel()


# The report on the agreement of several raters
# ---------------------------------------------

# Shares of grades that are exactly the same, and at most one class away, are in every report.
_ALWAYS = ("accuracy", "within_1_accuracy")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AgreementReport(Values):
    """Coefficients of the agreement of several raters, and each rater against the others.

    Returned by `agreement_report`. `str` gives the text, and notebooks show tables and a plot.
    Criteria may have any form that `get_metric` accepts as keys.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values, see `to_frame`. A key has the coefficient or criterion, or "severity"; the rater
        or None; the group of items or None; and "value" or "difference".
    metrics : mapping of str to OrdinalMetric
        The criteria that compare each rater with the others, by name.
    inferred : tuple of str
        The criteria whose intervals the default text shows: those that the caller names.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.
    scale : OrdinalScale
        The classes from the lowest to the highest.
    weights : str or ndarray of shape (n_classes, n_classes)
        Weights of agreement of the coefficients other than "krippendorff_alpha" and "kendall_w".
    level : {"nominal", "ordinal", "interval"}
        Disagreement of two grades in "krippendorff_alpha".
    n_graded : mapping of str to int
        Number of items that each rater grades.
    n_compared : mapping of str to int
        Number of items that each rater grades together with another rater.
    n_items_by_grades : ndarray of shape (n_raters + 1,)
        Number of items with 0, 1, ... grades.
    n_without_weight : int
        Number of items of weight zero, which are not used and not among the numbers above.
    total_weight : float or None
        Sum of the weights of the items, None if there are no weights.
    confusion : OrdinalConfusion
        For each rater, the matrix of the grades of the others (rows) and of the rater (columns);
        each item has its weight in total.
    n_resamples : int
        Number of resamples of the items, 0 if the intervals are in closed form.
    n_clusters : int, default=None
        Number of clusters in which the items were drawn, None without clusters.
    n_strata : int, default=None
        Number of strata from which the items were drawn, None without strata.
    groups : mapping of str to object, default={}
        What `contrasts` needs of each coefficient; empty without groups of items.

    Attributes
    ----------
    coefficients : mapping of str to Interval
        Value and interval of each coefficient of agreement; "kendall_w" is NaN if fewer than two
        items are graded by all raters.
    scores : mapping of str to mapping of str to Interval
        For each criterion, the value of each rater with its interval.
    severity : mapping of str to Contrast
        Severity of each rater: own grade minus the mean of the others, in classes. Negative if
        the rater gives lower grades than the others. Its p-value is of a t-test over the items,
        and its adjusted p-value is adjusted for all raters with Holm's method. Its
        `standard_error` is over the items.
    by_group : mapping of str to mapping of str to Interval
        For each coefficient, its value and interval in each group of items; empty without groups.
    raters : tuple of str
        Names of the raters.
    n_items : int
        Number of items of positive weight.
    confidence_level : float
        Confidence level of the intervals.

    See Also
    --------
    sklearn_ordinal.agreement_report : Make a report.
    sklearn_ordinal.OrdinalRatings : The grades of several raters.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, agreement_report
    >>> grades = [[1, 2, 2], [2, 3, 3], [0, 1, 1], [3, 4, 4], [2, 2, 3], [1, 3, 2], [3, 4, 3]]
    >>> ratings = OrdinalRatings.from_ratings(grades, raters=["Ann", "Bob", "Cy"])
    >>> report = agreement_report(ratings)
    >>> print(report.severity["Ann"])
    -0.929 (95% interval -1.326 to -0.531), p = 0.004, adjusted p = 0.013
    >>> print(report.scores["quadratic_weighted_kappa"]["Ann"])
    0.626 (95% interval 0.151 to 0.866)
    """

    axes = ("criterion", "rater", "group", "what")
    _title = "Agreement of raters"

    scale: OrdinalScale
    weights: Any
    level: str
    n_graded: Mapping[str, int]
    n_compared: Mapping[str, int]
    n_items_by_grades: NDArray[np.int64]
    n_without_weight: int
    total_weight: float | None
    confusion: OrdinalConfusion
    n_resamples: int
    n_clusters: int | None = None
    n_strata: int | None = None
    groups: Mapping[str, AgreementInGroups] = field(default_factory=dict)
    digits: int = 2

    @property
    def raters(self) -> tuple[str, ...]:
        """Names of the raters."""
        return tuple(self.n_graded)

    @cached_property
    def coefficients(self) -> Mapping[str, Interval]:
        """Value and interval of each coefficient of agreement."""
        return {name: self.one(criterion=name) for name in get_args(Coefficient)}

    @cached_property
    def scores(self) -> ByMetric:
        """The value of each rater, by the name of the criterion and the rater."""
        return ByMetric({name: self._along("rater", criterion=name) for name in self.metrics})

    @cached_property
    def severity(self) -> Mapping[str, Contrast]:
        """Severity of each rater."""
        return self._along("rater", criterion=_rater_intervals.SEVERITY.name)

    @cached_property
    def by_group(self) -> Mapping[str, Mapping[str, Interval]]:
        """The value of each coefficient in each group of items."""
        return {name: self._along("group", criterion=name) for name in self.groups}

    @property
    def n_items(self) -> int:
        """Number of items of positive weight."""
        return int(self.n_items_by_grades.sum())

    def contrasts(self, *, reference: str | None = None) -> dict[str, dict[str, Contrast]]:
        """Return how far the agreement in each group differs from all items or from a group.

        Each group is a sample of its own, and degrees of freedom are combined as in Welch's test;
        groups that share clusters are one sample of clusters. The p-value asks whether the mean
        influence on the value of all items differs between the groups, as in
        `GroupReport.contrasts`. P-values are adjusted with Holm's method for all groups; the
        differences of two groups from all items are a single hypothesis.

        Parameters
        ----------
        reference : str, default=None
            Name of the group that all other groups are compared with. If None, each group is
            compared with all items, to which it belongs.

        Returns
        -------
        dict of str to dict of str to Contrast
            For each coefficient, the difference of each group with its interval and p-values.

        Raises
        ------
        ValueError
            If the report has no groups, or `reference` is not one of them.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalRatings, agreement_report
        >>> english, german = [[0, 0], [1, 1], [2, 2], [1, 2]], [[0, 1], [1, 1], [2, 1], [2, 2]]
        >>> ratings = OrdinalRatings.from_ratings(english * 12 + german * 12)
        >>> report = agreement_report(ratings, by=["en"] * 48 + ["de"] * 48)
        >>> print(report.contrasts(reference="en")["krippendorff_alpha"]["de"])
        -0.286 (95% interval -0.535 to -0.037), p = 0.023, adjusted p = 0.023
        """
        if not self.groups:
            raise ValueError("contrasts need groups of items: pass by= to agreement_report.")
        return {
            name: agreement.contrasts(list(self.by_group[name]), reference, self.confidence_level)
            for name, agreement in self.groups.items()
        }

    def plot(self, metric: Any = None, *, ax: Any = None, **options: Any) -> RatersDisplay:
        """Draw the severity of the raters against their agreement with the others.

        Parameters
        ----------
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `RatersDisplay.plot`.

        Returns
        -------
        RatersDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        chosen = _sections.selected_metric(self.metrics, metric)
        return RatersDisplay(
            self.severity,
            self.scores[chosen.name],
            criterion=chosen.name,
            greater_is_better=bool(chosen.greater_is_better),
        ).plot(ax, **options)

    def _sentences(self) -> Iterator[str]:
        yield _agreement_in_words(self)
        for name in list(self.groups)[:1]:
            contrasts = self._along("group", criterion=name, what=DIFFERENCE)
            yield _sentences.contrasts_verdict(name, contrasts, "all items", self.digits)
        of_raters = " ".join([*_severity_in_words(self), *_lowest_in_words(self)])
        yield from filter(None, [of_raters])

    def _figures(self, table: Table | None) -> Iterator[Figure]:
        yield Figure(
            self.plot,
            "Severity and agreement of the raters",
            f"Severity of each rater against {self.inferred[0]} with the others",
            table,
        )

    def _views(self) -> Iterator[Part]:
        yield _rater_table(self)
        for name in self.inferred[1:]:
            yield _criterion_table(self, self.metrics[name])
        yield from _group_parts(self)
        parts: tuple[Part, ...] = (_coefficient_table(self), *_coefficient_notes(self))
        yield Section("Coefficients of agreement", parts, is_detail=True)
        by_rater = tuple(_criterion_table(self, metric) for metric in self.metrics.values())
        yield Section("Each rater against the others", by_rater, is_detail=True)

    def _notes(self) -> Iterator[str]:
        yield rated_items_in_words(self, "not in the observed agreement")
        yield from _alone(self)
        yield from _left_out(self)
        yield " ".join(_further_values(self))

    def _facts(self) -> dict[str, Any]:
        return {
            "n_graded": self.n_graded,
            **facts_of_items(self),
            "weights": self.weights,
            "level": self.level,
            "n_resamples": self.n_resamples,
        }

    def _extras(self, key: Key) -> dict[str, Any]:
        _, rater, group, _ = key
        return {"n_items": self.n_compared[rater] if rater else None if group else self.n_items}


@checks.lists_parameters
def agreement_report(
    ratings: OrdinalRatings,
    *,
    metrics: MetricsLike = "quadratic_weighted_kappa",
    weights: str | ArrayLike = "quadratic",
    level: Level = "ordinal",
    by: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = 0,
    random_state: RandomState = None,
) -> AgreementReport:
    r"""Report how far several raters agree, and how each rater compares with the others.

    The coefficients say how far the raters agree beyond chance. For each rater, the report has the
    severity, which is the rater's own grade minus the mean of the other raters' grades, and
    criteria such as the share of equal grades: the grades of the other raters are the truth, and
    the grade of the rater is the prediction. Each item counts once, divided equally among the
    others who grade it.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades.
    metrics : str, callable, iterable or dict of them, default="quadratic_weighted_kappa"
        Criteria of counts that compare each rater with the others, in any form that `get_metric`
        accepts, or "all" for all criteria of predicted classes in this package. The report adds
        "accuracy", the share of exactly equal grades, and "within_1_accuracy".
    weights : str or array-like of shape (n_classes, n_classes), default="quadratic"
        Weights of agreement of all coefficients except "krippendorff_alpha" and "kendall_w", as in
        `agreement_score`.
    level : {"nominal", "ordinal", "interval"}, default="ordinal"
        Disagreement of two grades in "krippendorff_alpha".
    by : array-like of shape (n_items,) or mapping, default=None
        Group of each item, such as the language, in the order of the items or by id. The report
        then has the coefficients of each group, and how far they differ from all items.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.
    n_resamples : int, default=0
        Number of bootstrap resamples of the items, or of the clusters of `ratings` within its
        strata. If 0, the intervals are in closed form, which takes little time for any number of
        items.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers of the resamples. Pass an int for the same intervals
        each time.

    Returns
    -------
    AgreementReport
        The coefficients and the raters with intervals, as text, tables and a plot.

    Raises
    ------
    ValueError
        If `ratings` are not OrdinalRatings, a criterion is not known or not a function of counts,
        `weights` are neither a known name nor a matrix of weights of agreement, `by` does not name
        2 to 1,000 groups, or a number is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If a value or its interval is undefined, as for a rater whose grades are in one class.

    See Also
    --------
    consensus : Turn the grades into one class for each item.
    sklearn_ordinal.metrics.agreement_score : Compute a single coefficient.
    sklearn_ordinal.inference.delta_interval : Compute the interval of a coefficient.

    Notes
    -----
    Items are drawn, or their clusters within strata, and never raters. The grades of an item are
    not independent, so the standard error of a rater's value comes from the sums of the influences
    of all pairs of grades of an item. For the severity, this is the t interval of the mean over the
    items.

    Intervals of different raters are not a test of whether they differ, since the raters are
    compared with each other on the same items.

    Intervals and tests of groups are in closed form. Coefficients that depend on class sizes use
    those of the group.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, agreement_report
    >>> grades = [[1, 2, 2], [2, 3, 3], [0, 1, 1], [3, 4, 4], [2, 2, 3], [1, 3, 2], [3, 4, 3]]
    >>> ratings = OrdinalRatings.from_ratings(grades, raters=["Ann", "Bob", "Cy"])
    >>> report = agreement_report(ratings)
    >>> print(report.coefficients["krippendorff_alpha"])
    0.648 (95% interval -0.067 to 0.923)
    >>> report.n_compared
    {'Ann': 7, 'Bob': 7, 'Cy': 7}
    """
    grading.check_ratings(ratings)
    named = lookup.get_metrics(metrics, argument="metrics", with_direction=True)
    _rater_intervals.check_criteria(named)
    names = {metric.original_name or metric.name for metric in named}
    criteria = [*named, *(lookup.get_metric(name) for name in _ALWAYS if name not in names)]
    checks.check_choice("level", level, Level)
    n_values = len(ratings.raters) * (1 + len(criteria))
    checks.check_count("n_resamples", n_resamples, at_least=0, size=n_values)
    confidence_level = checks.check_share("confidence_level", confidence_level)
    rng = checks.as_generator(random_state)
    by_name = _coefficient_metrics(weights, level)
    numbers = grading.numbers_of_items(ratings)
    peers = PeerGrades.from_ratings(ratings)
    if numbers["n_items_by_grades"][-1] < 2:
        # Do not warn: it is usual that no item is graded by all of many raters.
        del by_name["kendall_w"]
    coefficients = list(by_name.values())
    intervals: Any
    if n_resamples:
        intervals = _bootstrap.bootstrap_interval(
            ratings,
            metrics=coefficients,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=rng,
        )
        by_rater = _rater_intervals.bootstrap_rater_intervals(
            [_rater_intervals.SEVERITY, *criteria], peers, confidence_level, n_resamples, rng
        )
        in_closed_form = _rater_intervals.delta_rater_intervals(
            [_rater_intervals.SEVERITY], peers, confidence_level
        )["severity"]
        by_rater["severity"] = {
            rater: replace(interval, standard_error=in_closed_form[rater].standard_error)
            for rater, interval in by_rater["severity"].items()
        }
    else:
        intervals = _intervals.delta_interval(
            ratings, metrics=coefficients, confidence_level=confidence_level
        )
        by_rater = _rater_intervals.delta_rater_intervals(
            [_rater_intervals.SEVERITY, *criteria], peers, confidence_level
        )
    undefined = Interval(np.nan, np.nan, np.nan, confidence_level)
    rows: dict[Key, Interval] = {
        (name, None, None, VALUE): intervals[by_name[name].name] if name in by_name else undefined
        for name in get_args(Coefficient)
    }
    in_groups: dict[str, AgreementInGroups] = {}
    if by is not None:
        group, groups = _read_groups(ratings, by)
        in_groups = _agreement_by_group.agreement_in_groups(by_name, ratings, group, len(groups))
        for name, agreement in in_groups.items():
            contrasts = agreement.contrasts(groups, None, confidence_level)
            for each, interval in zip(groups, agreement.intervals(confidence_level), strict=True):
                rows[name, None, each, VALUE] = interval
                rows[name, None, each, DIFFERENCE] = contrasts[each]
    pvalues = _rater_intervals.severity_pvalues(peers)
    adjusted = _holm_correction.holm_correction(pvalues)
    of_raters = by_rater[_rater_intervals.SEVERITY.name]
    for k, (rater, interval) in enumerate(of_raters.items()):
        of_raters[rater] = Contrast(
            **vars(interval), pvalue=pvalues[k].item(), adjusted_pvalue=adjusted[k].item()
        )
    rows |= {
        (name, rater, None, VALUE): interval
        for name, of_criterion in by_rater.items()
        for rater, interval in of_criterion.items()
    }
    n_compared = peers.amounts().numbers.astype(np.int64).tolist()
    n_items = evidence_kinds.RATINGS.entry_amounts(ratings).numbers
    n_graded = (n_items @ (ratings.patterns >= 0)).astype(np.int64).tolist()
    return AgreementReport(
        rows=rows,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        inferred=tuple(metric.name for metric in named),
        n_classes=len(ratings.scale),
        scale=ratings.scale,
        weights=weights if isinstance(weights, str) else np.array(weights, dtype=np.float64),
        level=level,
        n_graded=dict(zip(ratings.raters, n_graded, strict=True)),
        n_compared=dict(zip(ratings.raters, n_compared, strict=True)),
        confusion=peers.confusion(),
        n_resamples=int(n_resamples),
        **numbers,
        groups=in_groups,
        provenance=Provenance.of_now(),
    )


def _read_groups(ratings: OrdinalRatings, by: Any) -> tuple[IntegerArray, tuple[str, ...]]:
    """Return the group of each item, and the names of the groups."""
    by_item = containers.joined_by_item("by", by, ratings.items)
    return grouping.read_groups(by_item, ratings.n_samples)


def _coefficient_metrics(weights: Any, level: Level) -> dict[str, OrdinalMetric]:
    """Return each coefficient by name with its options, which are part of a metric's own name."""
    metrics: dict[str, Any] = {
        "krippendorff_alpha": partial(_agreement.krippendorff_alpha_score, level=level),
        "gwet_ac2": partial(_agreement.gwet_ac2_score, weights=weights),
        **{
            name: partial(_agreement.agreement_score, coefficient=name, weights=weights)
            for name in ("fleiss_kappa", "conger_kappa", "brennan_prediger")
        },
        "kendall_w": "kendall_w",
    }
    return {name: lookup.get_metric(metric) for name, metric in metrics.items()}


def _digits(report: AgreementReport) -> int:
    """Return the digits that the intervals in the text without details need."""
    values = [interval for name in report.inferred for interval in report.scores[name].values()]
    alpha = report.coefficients["krippendorff_alpha"]
    return _intervals.digits_of_intervals(
        [alpha, *report.severity.values(), *values], report.digits
    )


def _agreement_in_words(report: AgreementReport) -> str:
    alpha = report.coefficients["krippendorff_alpha"]
    if np.isnan(alpha.estimate):
        return "krippendorff_alpha is undefined: all grades that it uses are in one class."
    if np.isnan(alpha.low):
        return f"krippendorff_alpha is {alpha.estimate:z.3f}, without an interval."
    start = "The raters agree more than by chance"
    if alpha.low <= 0:
        start = "The raters do not clearly agree more than by chance"
    if alpha.high < 0:
        start = "The raters agree less than by chance"
    value = alpha._with_digits(_digits(report))
    return (
        f"{start}: krippendorff_alpha is {value}, where 0 is agreement by chance and 1 is perfect "
        f"agreement."
    )


def _severity_in_words(report: AgreementReport) -> list[str]:
    """Name the raters whose grades are lower or higher than those of the others."""
    if np.isnan([contrast.adjusted_pvalue for contrast in report.severity.values()]).all():
        return []
    clauses: list[str] = []
    for side, raters in _sentences.on_each_side(report.severity).items():
        names = sorted(raters, key=lambda rater: -abs(report.severity[rater].estimate))
        if names:
            verb = "gives" if len(names) == 1 else "give"
            others = "" if clauses else " than the others"
            clauses.append(f"{formatting.names_in_words(names)} {verb} {side} grades{others}")
    level = f"{1 - report.confidence_level:.3g}"
    if not clauses:
        return [f"No rater gives clearly lower or higher grades than the others (level {level})."]
    return [f"{', and '.join(clauses)} (level {level}, adjusted for all raters)."]


def _lowest_in_words(report: AgreementReport) -> list[str]:
    """Name the rater, or the raters, with the worst value of the first criterion."""
    metric = next(iter(report.metrics.values()))
    raters = _lowest_first(report, metric)
    values = np.array([report.scores[metric.name][rater].estimate for rater in raters])
    is_worst = np.isclose(values, values[0], rtol=0, atol=tolerances.SAME_VALUE)
    # Two raters have the same value by a symmetric criterion.
    if is_worst[~np.isnan(values)].all():
        return []
    worst = "lowest" if metric.greater_is_better else "highest"
    names, score = raters[: int(is_worst.sum())], report.scores[metric.name][raters[0]]
    verb = "has" if len(names) == 1 else "have"
    digits = _digits(report)
    value = formatting.cell_text(values[0], Column("", "number"), digits)
    if len(names) == 1 and score.low <= score.high:
        value = score._with_digits(digits)
    # The raters may differ by chance, so this names a value and not a fact about the rater.
    return [
        f"{formatting.names_in_words(names)} {verb} the {worst} {metric.name} with the others, "
        f"{value}."
    ]


def _coefficient_table(report: AgreementReport) -> Table:
    coefficients = report.coefficients
    by_chance = dict.fromkeys(coefficients, 0.0) | {"kendall_w": 1 / len(report.raters)}
    return _sections.table(
        "Coefficients of agreement",
        "coefficient",
        list(coefficients),
        _sections.intervals(coefficients, report.digits),
        _sections.block(Column("chance", "number"), by_chance),
    )


def _coefficient_notes(report: AgreementReport) -> Iterator[Note]:
    is_named = isinstance(report.weights, str)
    weights = f"{report.weights} weights" if is_named else "a matrix of weights"
    n_complete = report.n_items_by_grades[-1].item()
    complete = f"{formatting.counted(n_complete, 'item')} that all raters grade"
    if n_complete < 2:
        complete += f", which {'is' if n_complete == 1 else 'are'} too few"
    yield Note(
        f"krippendorff_alpha is at the {report.level} level; kendall_w uses the {complete}. The "
        f"other coefficients have {weights}.",
        is_small=True,
    )


def _further_values(report: AgreementReport) -> Iterator[str]:
    """Yield the values of the coefficients and criteria that are not inferred."""
    number, digits = Column("", "number"), _digits(report)
    values = [
        f"{name} {formatting.cell_text(interval.estimate, number, digits)}"
        for name, interval in report.coefficients.items()
        if name != "krippendorff_alpha" and not np.isnan(interval.estimate)
    ]
    if values:
        yield f"Other coefficients of agreement: {formatting.names_in_words(values)}."
    ranges = []
    for name in report.metrics:
        values_of = [interval.estimate for interval in report.scores[name].values()]
        if name not in report.inferred and not np.isnan(values_of).all():
            ends = (np.nanmin(values_of).item(), np.nanmax(values_of).item())
            ranges.append(f"{name} is {formatting.cell_text(ends, Column('', 'interval'), digits)}")
    if ranges:
        yield f"From the lowest rater to the highest, {formatting.names_in_words(ranges)}."


def _group_parts(report: AgreementReport) -> Iterator[Part]:
    """Yield a table of the groups for each coefficient; all but the first are details."""
    contrasts: dict[str, dict[str, Contrast]] = {
        name: report._along("group", criterion=name, what=DIFFERENCE) for name in report.groups
    }
    tables = [
        _sections.table(
            f"{name} in groups of items",
            "group",
            list(of_groups),
            _sections.intervals(report.by_group[name], report.digits),
            _sections.differences(of_groups, report.digits, "group - all items"),
        )
        for name, of_groups in contrasts.items()
    ]
    if not tables:
        return
    yield tables[0]
    if next(iter(report.groups.values())).moves.hypothesis == "distributions":
        yield Note(
            "p: the hypothesis is that the grades have the same distribution in all groups, since "
            "t-tests of so many groups of this size reject equal values too often."
        )
    else:
        first = next(iter(contrasts.values()))
        yield from map(Note, _intervals.notes_on_pvalues(first.values()))
    yield Section("Groups, by further coefficients", tables[1:], is_detail=True)


def _rater_table(report: AgreementReport) -> Table:
    """Return the severity of each rater beside the first criterion."""
    name, *_ = report.inferred
    blocks = [
        _sections.differences(report.severity, report.digits, "severity"),
        _sections.intervals(report.scores[name], report.digits),
    ]
    # The number of items is in the first note if all raters share it.
    if len(set(report.n_compared.values())) > 1:
        blocks.insert(0, _sections.block(Column("items", "number", digits=0), report.n_compared))
    title = f"Severity of each rater, and {name} with the others"
    return _sections.table(title, "rater", _by_severity(report), *blocks)


def _by_severity(report: AgreementReport) -> list[str]:
    """Return the raters by severity, or those farthest from 0 if there are many."""
    values = np.array([interval.estimate for interval in report.severity.values()])
    farthest = np.argsort(-np.abs(values), kind="stable")[: document_parts.MOST_ROWS]
    is_shown = np.isin(np.arange(len(values)), farthest)
    return [report.raters[k] for k in np.argsort(values, kind="stable") if is_shown[k]]


def _criterion_table(report: AgreementReport, metric: OrdinalMetric) -> Table:
    raters = _lowest_first(report, metric)[: document_parts.MOST_ROWS]
    values = _sections.intervals(report.scores[metric.name], report.digits)
    return _sections.table(report._headline(metric.name), "rater", raters, values)


def _lowest_first(report: AgreementReport, metric: OrdinalMetric) -> list[str]:
    """Return the raters from the lowest agreement to the highest; undefined values come last."""
    sign = 1 if metric.greater_is_better else -1
    values = [sign * interval.estimate for interval in report.scores[metric.name].values()]
    return [report.raters[k] for k in np.argsort(values, kind="stable")]


def _left_out(report: AgreementReport) -> Iterator[str]:
    n_raters = len(report.raters)
    if n_raters > document_parts.MOST_ROWS:
        yield (
            f"The tables have {document_parts.MOST_ROWS} of {n_raters} raters: those with the "
            "severity farthest from 0, or with the lowest agreement. to_frame and to_dict return "
            "all."
        )


def _alone(report: AgreementReport) -> Iterator[str]:
    """Say which raters have no severity."""
    alone = [rater for rater in report.raters if not report.n_compared[rater]]
    if alone:
        verb = "grades" if len(alone) == 1 else "grade"
        yield f"{formatting.names_in_words(alone)} {verb} no item that another rater grades."


def facts_of_items(report: Any) -> dict[str, Any]:
    """Return the numbers of items; the weight only if there are weights."""
    names = "n_items", "n_items_by_grades", "n_without_weight", "n_clusters", "n_strata"
    facts = {name: getattr(report, name) for name in names}
    return facts if report.total_weight is None else {**facts, "total_weight": report.total_weight}


def rated_items_in_words(report: Any, use_of_single_grades: str) -> str:
    """Say how many items have several grades, and why others are not used.

    The number of raters is that of grades that an item can have.
    """
    n_items_by_grades = report.n_items_by_grades
    n_without, n_single = n_items_by_grades[:2].tolist()
    drawn = _sections.drawn_in_words(report.n_clusters, "", report.n_strata)
    weight = ""
    if report.total_weight is not None:
        weight = f" with a total weight of {formatting.amount_as_text(report.total_weight)}"
    n_shared = int(n_items_by_grades[2:].sum())
    sentences = [
        f"{formatting.counted(report.n_items, 'item')}{drawn and ' in '}{drawn}{weight}, "
        f"{formatting.counted(len(n_items_by_grades) - 1, 'rater')}, "
        f"{_sections.classes_in_words(report.scale.labels.tolist())}.",
    ]
    if n_shared < report.n_items:
        sentences.append(f"{formatting.counted(n_shared, 'item')} with at least two grades.")
    if n_single:
        sentences.append(
            f"{formatting.counted(n_single, 'item')} with a single grade: {use_of_single_grades}."
        )
    if n_without:
        sentences.append(f"{formatting.counted(n_without, 'item')} without a grade: not used.")
    if report.n_without_weight:
        items = formatting.counted(report.n_without_weight, "item")
        sentences.append(f"{items} of weight 0: not used.")
    return " ".join(sentences)
