"""`required_samples`: how many samples show a difference, or make an interval narrow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    confusion_counts,
    evidence_kinds,
    evidence_reading,
    influence_functions,
    lookup,
    resampling,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.resampling import CountLayout, Units
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Figure, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.plotting import _curve_displays, _style
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._sections import Provenance

# The spread of the influences of the samples in a pilot, which decides how many are needed
# -----------------------------------------------------------------------------------------

StudyDesign = Literal["paired", "unpaired"]

_NUMBERS_AT_ONCE = 2**20


class PilotSpread(NamedTuple):
    """The standard deviation of what a sample of a pilot adds to a value, or to a difference."""

    deviation: float
    resampled: Values
    """The same for pilots of the same size that are drawn from the samples of this pilot."""
    n_units: tuple[int, ...]
    """Number of samples, or of clusters, of each part of the pilot; empty if it has shares."""
    scale: OrdinalScale
    is_clustered: bool


class _Rows(NamedTuple):
    """Samples with probabilities or scores that were drawn independently of other parts."""

    moved: Values
    """What each sample, or each cluster, adds to the value or to the difference."""

    @property
    def n_units(self) -> int:
        return len(self.moved)

    def variance(self, metric: OrdinalMetric) -> float:  # noqa: ARG002
        """Return the variance of what a unit adds, times the squared number of units."""
        return float(self.n_units**2 / (self.n_units - 1) * (self.moved**2).sum())

    def resampled(
        self,
        metric: OrdinalMetric,  # noqa: ARG002
        rng: np.random.Generator,
        n_resamples: int,
    ) -> Values:
        """Return the variances in resamples, with the influences in the pilot."""
        n_units = self.n_units
        equal, variances = np.full(n_units, 1 / n_units), np.empty(n_resamples)
        for part in arithmetic.slices(n_resamples, _NUMBERS_AT_ONCE // n_units):
            times = rng.multinomial(n_units, equal, part.stop - part.start)
            squares, sums = times @ self.moved**2, times @ self.moved
            variances[part] = np.maximum(squares - sums**2 / n_units, 0)
        return n_units**2 / (n_units - 1) * variances


class _Counts(NamedTuple):
    """Units in cells of counts that were drawn independently of other parts, by kind."""

    units: Units[CountLayout]
    numbers: Values
    """Number, or share, of the units of each kind."""
    weight_spread: Values
    """Mean squared weight of the samples of each kind, divided by the square of their mean."""
    shares: Values | None = None
    """Shares that the true classes have in each pilot, None if they vary with the samples."""
    is_drawn: bool = True
    """Whether these are numbers, so that a pilot of the same size can be drawn."""

    @property
    def n_units(self) -> int:
        return self.units.n_units if self.is_drawn else 0

    def variance(self, metric: OrdinalMetric) -> float:
        """Return the variance of what a unit adds, times the squared number of units."""
        return float(_variances(metric, self, self.numbers)[0])

    def resampled(
        self, metric: OrdinalMetric, rng: np.random.Generator, n_resamples: int
    ) -> Values:
        """Return the variances in resamples, each with its own influences."""
        return np.concatenate(
            [
                _variances(metric, self, numbers.astype(np.float64))
                for numbers in self.units.drawn(rng, n_resamples)
            ]
        )


def _pilot_spread(
    pilot: Any,
    metric: OrdinalMetric,
    design: StudyDesign,
    rng: np.random.Generator,
    n_resamples: int,
    *,
    is_difference: bool,
) -> PilotSpread:
    """Return the spread of the value of a system, or of the difference of two systems.

    The standard error of the value or difference is the standard deviation divided by the square
    root of the number of samples.
    """
    if metric.has_influence is False:
        raise ValueError(
            f"metric must have an influence of each sample, which {metric.name} does not have: "
            f"choose another one, such as 'cem_ord' or 'ranked_probability_score'."
        )
    # The parts of a pilot were drawn independently of each other.
    parts: Sequence[_Counts | _Rows]
    if metric.evidence is evidence_kinds.LABELS:
        _check_counts(pilot)
        evidence: list[Any] = _matrices(pilot, design, is_difference=is_difference)
        _check_no_strata(is_stratified=any(part.is_stratified for part in evidence))
        parts = [_pilot_counts(part) for part in evidence]
    else:
        evidence = _systems(pilot, metric, design, is_difference=is_difference)
        _check_no_strata(is_stratified=any(part.strata is not None for part in evidence))
        are_paired = is_difference and design == "paired"
        systems = [evidence] if are_paired else [[system] for system in evidence]
        parts = [_pilot_rows(metric, of_part) for of_part in systems]
    # A single part stands for both systems of an unpaired comparison.
    n_systems = 2 if is_difference and design == "unpaired" else 1
    factor = n_systems / len(parts)
    deviation = math.sqrt(factor * sum(part.variance(metric) for part in parts))
    _check_deviation(deviation, metric, evidence, design, is_difference=is_difference)
    resampled, n_units = np.empty(0), tuple(part.n_units for part in parts)
    if all(n_units):
        variances = [part.resampled(metric, rng, n_resamples) for part in parts]
        resampled = np.sqrt(factor * np.sum(variances, axis=0))
    return PilotSpread(
        deviation,
        resampled,
        n_units if all(n_units) else (),
        evidence[0].scale,
        evidence_kinds.kind_of(evidence[0]).has_design(evidence[0]),
    )


def _check_no_strata(*, is_stratified: bool) -> None:
    if is_stratified:
        raise ValueError(
            "pilot must not have strata, since the samples are planned as one random sample: leave "
            "out strata=, and fewer samples may suffice."
        )


def _check_counts(pilot: Any) -> None:
    if evidence_kinds.own_kind(pilot) is not evidence_kinds.LABELS:
        raise ValueError(
            f"pilot must be an OrdinalConfusion, got {checks.shown(pilot)}: make one with "
            f"OrdinalConfusion.from_systems for two systems, or with from_predictions for one."
        )
    confusion_counts.check_has_items(pilot, "pilot")
    _check_classes(pilot)


def _check_classes(evidence: Any) -> None:
    if len(evidence.scale) < 2:
        (label,) = evidence.scale.labels.tolist()
        raise ValueError(
            f"pilot must have at least two classes, got only the class {checks.shown(label)}: pass "
            f"labels= with all classes when you read the samples."
        )


def _systems(
    pilot: Any, metric: OrdinalMetric, design: StudyDesign, *, is_difference: bool
) -> list[Any]:
    """Return the probabilities or scores of one system, or of two."""
    systems: Any = list(pilot.values()) if isinstance(pilot, Mapping) else pilot
    if not isinstance(systems, (list, tuple)):
        systems = [systems]
    if not systems or not all(isinstance(s, metric.evidence.accepts) for s in systems):
        raise ValueError(
            f"pilot must hold {metric.evidence.noun} for {metric.name}, got {checks.shown(pilot)}: "
            "pass evidence such as OrdinalForecasts, or a dict of two for two systems."
        )
    n_needed = {1} if not is_difference else {2} if design == "paired" else {1, 2}
    if len(systems) not in n_needed:
        numbers = " or ".join(map(str, sorted(n_needed)))
        aim = f"design={design!r}" if is_difference else "half_width"
        ways_out = {1: "one alone", 2: "two in a dict by their names"}
        raise ValueError(
            f"pilot must hold the evidence of {numbers} "
            f"{formatting.plural(max(n_needed), 'system')} for {aim}, got {len(systems)}: pass "
            f"{' or '.join(ways_out[n] for n in sorted(n_needed))}."
        )
    for system in systems:
        _check_classes(system)
        evidence_kinds.kind_of(system).check_one(system)
        _check_n_samples(int(np.count_nonzero(system.weights)))
    if is_difference and design == "paired":
        systems = evidence_reading.systems_on_the_same_samples(systems, [metric])
    return list(systems)


def _pilot_rows(metric: OrdinalMetric, systems: Sequence[Any]) -> _Rows:
    """Return what each sample, or cluster, adds to the value, or to the difference of two."""
    kind = metric.evidence
    drawn = kind.drawn(systems)
    n_units = drawn.count_units()
    shares = drawn.weight / drawn.weight.sum()
    moved = np.zeros(len(shares))
    for sign, system, entry in zip((1, -1), systems, drawn.entry, strict=False):
        by_entry = kind.entry_influences([metric], kind.accepted(system, metric.name))
        moved += sign * shares * by_entry.influences[0][entry]
    return _Rows(np.bincount(drawn.unit, moved, n_units).astype(np.float64))


def _matrices(
    pilot: OrdinalConfusion, design: StudyDesign, *, is_difference: bool
) -> list[OrdinalConfusion]:
    """Return the parts of a pilot of counts that were drawn independently of each other."""
    n_matrices = 0 if pilot.counts.ndim == 2 else int(np.prod(pilot.counts.shape[:-2]))
    got = f"a stack of {n_matrices}" if n_matrices else "one confusion matrix"
    names = pilot.groups or range(n_matrices)
    take_one = f"take one, as in pilot[{checks.shown(names[0])}]" if n_matrices else ""
    if not is_difference:
        if n_matrices:
            raise ValueError(
                f"pilot must be one confusion matrix for half_width, which is of the interval of "
                f"one system, got {got}: {take_one}."
            )
        return [pilot]
    if design == "paired":
        if n_matrices != 2 or not pilot.has_systems:
            why = "" if pilot.has_systems else ", which does not show on which samples they differ"
            raise ValueError(
                f"pilot must hold two systems that are counted together for design='paired', got "
                f"{got}{why}: pass what OrdinalConfusion.from_systems returns for two systems, or "
                f"design='unpaired'."
            )
        if confusion_counts.samples_counted_in(pilot) is None:
            raise ValueError(
                "pilot must hold the samples of the two systems for design='paired', which sums, "
                "stacks and files do not: pass what OrdinalConfusion.from_systems returns."
            )
        return [pilot]
    if not n_matrices:
        return [pilot]
    if n_matrices != 2:
        raise ValueError(
            f"pilot must be one confusion matrix or a stack of two for design='unpaired', got "
            f"{got}: {take_one}."
        )
    return [pilot[name] for name in names]


def _pilot_counts(part: OrdinalConfusion) -> _Counts:
    """Return the samples, or clusters, of one part of a pilot."""
    if part.is_clustered or part.counts.ndim > 2:
        samples = confusion_counts.samples_counted_in(part)
        if samples is not None:
            _check_n_samples(len(samples.weight))
        units = resampling.system_units(part)
        numbers = units.sizes[:, None].astype(np.float64)
        return _Counts(units, numbers, np.ones_like(numbers), _fixed_shares(part))
    amounts = confusion_counts.cell_amounts(part)
    if amounts is not None:
        _check_n_samples(int(amounts[1].sum()))
        return _cells(part, *amounts)
    total = part.counts.sum() + confusion_counts.n_unanswered(part)
    if abs(total - 1) > tolerances.PASSED_SHARE:
        raise ValueError(
            f"pilot must hold numbers of samples, or weights with sample_counts and "
            f"squared_weights, or shares that add up to 1, got sums of weights that add up to "
            f"{total:g}: count the samples with OrdinalConfusion.from_predictions, or divide "
            f"expected counts by their sum."
        )
    unanswered = np.zeros(len(part.scale)) if part.unanswered is None else part.unanswered
    shares = np.c_[part.counts, unanswered]
    return _cells(part, shares, shares, shares)._replace(is_drawn=False)


def _check_n_samples(n_samples: int) -> None:
    if n_samples < 2:
        raise ValueError(
            f"pilot must have at least two samples of positive weight, got {n_samples}: collect "
            f"more samples, or pass expected shares that add up to 1."
        )


def _cells(part: OrdinalConfusion, weights: Values, numbers: Values, squares: Values) -> _Counts:
    """Return the samples in the cells of one matrix, the last column for unanswered samples."""
    n_columns = len(part.scale) + (part.unanswered is not None)
    weight, number, square = (
        amounts[..., :n_columns].ravel() for amounts in (weights, numbers, squares)
    )
    cells = np.flatnonzero(number)
    n_cells, weight, number, square = len(number), weight[cells], number[cells], square[cells]
    units = Units(
        number.astype(np.int64),
        resampling.kind_tables(cells[None], weight / number, np.arange(len(cells)), n_cells),
        CountLayout(part.scale, part.is_weighted, part.unanswered is not None),
    )
    return _Counts(
        units,
        number[:, None],
        (square * number / weight**2)[:, None],
        _fixed_shares(part),
    )


def _fixed_shares(part: OrdinalConfusion) -> Values | None:
    """Return the shares of the true classes, None unless they are fixed."""
    if not part.has_fixed_shares:
        return None
    # All systems have the same true classes.
    sizes = part.class_counts.reshape(-1, len(part.scale))[0]
    shares: Values = sizes / sizes.sum()
    return shares


def _variances(metric: OrdinalMetric, part: _Counts, numbers: Values) -> Values:
    """Return the variance of what a unit adds to the value, or to the difference of two systems.

    There is a variance for each column of `numbers`, the number of units of each kind.
    """
    units, n_units = part.units, numbers.sum(axis=0)
    n_classes, n_draws = len(units.layout.scale), numbers.shape[1]
    stacks = units.layout.evidence(units.tables @ numbers)
    n_cells = units.tables.shape[0] // len(stacks)
    moved, is_counted = np.zeros((len(numbers), n_draws)), np.zeros(len(numbers), dtype=np.bool_)
    for position, stack in enumerate(stacks):
        if part.shares is not None:
            factors = confusion_counts.factors_to_shares(stack.class_counts, part.shares)
            stack = stack.weighted_by_class(factors)
        influence = metric.evidence.influence(metric, stack)
        counted, by_cell = stack.counts, influence.cells
        if influence.unanswered is not None:
            assert stack.unanswered is not None
            counted = np.concatenate([counted, stack.unanswered[..., None]], axis=-1)
            by_cell = np.concatenate([by_cell, influence.unanswered[..., None]], axis=-1)
        total = counted.sum(axis=(-2, -1), keepdims=True)
        # Cells without samples may have no influence. Unanswered samples that are not counted
        # do not move the value.
        of_cells = np.zeros((n_draws, n_classes, n_cells // n_classes))
        of_cells[..., : counted.shape[-1]] = np.where(counted > 0, by_cell, 0) / total
        if part.shares is not None:
            weights = stack.counts
            if stack.unanswered is not None:
                weights = np.concatenate([weights, stack.unanswered[..., None]], axis=-1)
            within = influence_functions.within_classes(
                of_cells.reshape(n_draws, -1), weights.reshape(n_draws, -1), n_classes
            )
            of_cells = factors[..., None] * within.reshape(of_cells.shape)
        table = units.tables[position * n_cells : (position + 1) * n_cells]
        columns = np.arange(n_cells) % (n_cells // n_classes)
        is_counted |= table[columns < counted.shape[-1]].sum(axis=0) > 0
        sign = 1 if position == 0 else -1
        moved += sign * (table.T @ of_cells.reshape(n_draws, n_cells).T)
    variances: Values = n_units * (numbers * part.weight_spread * moved**2).sum(axis=0)
    if not part.is_drawn:
        return variances
    # As in standard errors, the variance of the units that the metric counts is unbiased.
    n_counted = is_counted @ numbers
    return variances * arithmetic.divide(n_counted, n_counted - 1)


def _check_deviation(
    deviation: float,
    metric: OrdinalMetric,
    evidence: Sequence[Any],
    design: StudyDesign,
    *,
    is_difference: bool,
) -> None:
    """Raise unless the pilot shows how much the samples vary."""
    if np.isnan(deviation):
        values = [np.asarray(metric(part)) for part in evidence]
        reason = "has no derivative for the pilot, as at a tie of classes"
        if not all(np.isfinite(value).all() for value in values):
            reason = "is undefined for the pilot"
        raise ValueError(
            f"metric must have an influence of each sample, but {metric.name} {reason}: choose "
            f"another criterion, or a larger pilot."
        )
    if deviation > tolerances.ZERO_SPREAD:
        return
    are_paired = is_difference and design == "paired"
    finding = (
        f"got systems whose {metric.name} no sample makes differ"
        if are_paired
        else f"got one in which all samples have the same influence on {metric.name}"
    )
    condition = "samples on which the systems differ" if are_paired else "errors"
    raise ValueError(
        f"pilot must have {condition}, {finding}, which does not show how often they occur: "
        f"collect more samples, or pass expected shares."
    )


# Plot of the power of a test, or the half width of an interval, by the number of samples
# ---------------------------------------------------------------------------------------

_MARKER: dict[str, Any] = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 6,
    "markeredgewidth": 1,
}
_BAND_NAME = "pilot drawn again"


class RequiredSamplesDisplay:
    """Power of a test, or half width of an interval, by the number of samples.

    A diamond shows the required number of samples, and a dashed line the power or half width that
    they reach. The band shows how much the curve depends on the samples of the pilot.

    Parameters
    ----------
    n_samples : array-like of shape (n_points,)
        Numbers of samples, in ascending order.
    values : array-like of shape (n_points,)
        Power, or half width, for each number of samples.
    band : tuple of array-like of shape (n_points,), default=None
        Lower and upper end of the band. If None, there is no band.
    required : tuple of float
        The required number of samples, and the value that is asked for.
    criterion : str
        Name of the metric, shown in the legend.
    value_name : str, default="power"
        Label of the vertical axis.
    unit : str, default="samples"
        Label of the horizontal axis.

    Attributes
    ----------
    line_ : matplotlib.lines.Line2D
        Value for each number of samples.
    band_ : matplotlib.collections.PolyCollection or None
        The band, if there is one.
    target_ : matplotlib.lines.Line2D
        Line of the value that is asked for.
    required_ : matplotlib.lines.Line2D
        Mark of the required number of samples.
    legend_ : matplotlib.legend.Legend
        Legend to the right of the axes.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.required_samples : Compute the number of samples.

    Examples
    --------
    >>> from sklearn_ordinal.groups._sample_sizes import RequiredSamplesDisplay
    >>> display = RequiredSamplesDisplay(
    ...     [100, 200, 400], [0.3, 0.52, 0.81], required=(395, 0.8), criterion="cem_ord"
    ... ).plot()
    >>> display.ax_.get_ylabel()
    'Power'
    """

    def __init__(
        self,
        n_samples: ArrayLike,
        values: ArrayLike,
        band: tuple[ArrayLike, ArrayLike] | None = None,
        *,
        required: tuple[float, float],
        criterion: str,
        value_name: str = "power",
        unit: str = "samples",
    ) -> None:
        self.n_samples, self.values, self.band = np.asarray(n_samples), values, band
        self.required, self.criterion = required, criterion
        self.value_name, self.unit = value_name, unit

    def plot(self, ax: Any = None) -> Self:
        """Plot the curve.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Create their figure with ``layout="constrained"``, which
            makes room for the legend. If None, a new figure is created.

        Returns
        -------
        RequiredSamplesDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        _style.require_matplotlib(self)
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch
        from matplotlib.ticker import EngFormatter

        n_required, target = self.required
        bands = () if self.band is None else (_BAND_NAME,)
        ax, texts, (style,) = _curve_displays.curve_axes(
            ax,
            [self.criterion],
            start="",
            numbers=[f"{n_required:,.0f}"],
            title=f"Required {self.unit}",
            others=(f"{self.value_name} of {target:.3g}", *bands),
        )
        (self.line_,) = ax.plot(self.n_samples, self.values, **style)
        self.band_ = None
        band: dict[str, Any] = {"color": style["color"], "alpha": 0.2, "linewidth": 0}
        if self.band is not None:
            self.band_ = ax.fill_between(self.n_samples, *self.band, **band)
        chance = {**_curve_displays.CHANCE, "color": _style.line_color()}
        (self.target_,) = ax.plot(self.n_samples[[0, -1]], [target, target], **chance)
        (self.required_,) = ax.plot(n_required, target, color=style["color"], **_MARKER)
        ax.margins(x=0.02)
        ax.set_ylim(0, 1 if self.value_name == "power" else None)
        # Multiples such as 20k keep large numbers apart.
        ax.xaxis.set_major_formatter(EngFormatter(sep=""))
        self.legend_ = _curve_displays.finish_curves(
            ax,
            texts,
            [self.line_],
            [Line2D([], [], **chance), *(Patch(**band) for _ in bands)],
            labels=(self.unit.capitalize(), self.value_name.capitalize()),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self


# The number of samples that shows a difference, or that makes an interval narrow enough
# --------------------------------------------------------------------------------------

# The share of the pilots that are drawn again whose numbers of samples are in the range.
_LEVEL_OF_RANGE = 0.95
# The numbers of samples in the table, as multiples of the required one.
_MULTIPLES = (0.25, 0.5, 1, 2, 4)
# A plot ends at this multiple of the required number of samples.
_END_OF_PLOT, _N_POINTS = 2.5, 200
# With fewer samples, the mean influence may be far from normal.
_FEW = 30
_FEWEST_DIGITS = 3


@dataclass(frozen=True, eq=False, repr=False)
class RequiredSamples(Views):
    """The number of samples that shows a difference, or that makes an interval narrow enough.

    Returned by `required_samples`. `str` gives the text, and notebooks show a table and a plot.

    Parameters
    ----------
    metric : OrdinalMetric
        The criterion.
    difference : float or None
        The difference of two systems that the samples are to show, in the unit of the criterion.
        None for a half width.
    half_width : float or None
        The half width of the interval of one system. None for a difference.
    power : float
        Probability that the test is significant if the systems differ by `difference`.
    alpha : float
        Level of the two-sided test; the interval has the confidence level ``1 - alpha``.
    design : {"paired", "unpaired"}
        Whether both systems predict the same samples, or each system has its own.
    n_required : int
        The required number of samples, or of clusters; for an unpaired design, of each system. At
        least 2, since a single sample has no standard error.
    n_range : tuple of float
        The lowest and highest required number in 95% of the pilots that are drawn again. NaN if
        the pilot has expected shares.
    standard_deviation : Interval
        Standard deviation of what one sample adds to the value or to the difference, with its
        range over pilots that are drawn again. The ends are NaN if no pilot can be drawn.
    n_pilot : tuple of int
        Number of samples, or of clusters, of the pilot; one for each system if they have their
        own. Empty if the pilot has expected shares.
    n_pilot_resamples : int
        Number of times that the pilot was drawn again.
    unit : {"sample", "cluster"}, default="sample"
        What the numbers count: samples, or clusters that have as many samples as in the pilot.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.

    Attributes
    ----------
    criterion : str
        Name of the criterion.

    See Also
    --------
    sklearn_ordinal.required_samples : Compute the number of samples.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, required_samples
    >>> pilot = OrdinalConfusion.from_counts([[30, 8, 2], [6, 70, 14], [1, 5, 14]])
    >>> result = required_samples(
    ...     pilot, "accuracy", half_width=0.02, design="unpaired", random_state=0
    ... )
    >>> result.n_required
    1764
    """

    metric: OrdinalMetric
    difference: float | None
    half_width: float | None
    power: float
    alpha: float
    design: StudyDesign
    n_required: int
    n_range: tuple[float, float]
    standard_deviation: Interval
    n_pilot: tuple[int, ...]
    n_pilot_resamples: int
    unit: Literal["sample", "cluster"] = "sample"
    provenance: Provenance | None = None

    @property
    def criterion(self) -> str:
        """Name of the criterion."""
        return self.metric.name

    @property
    def _reached_name(self) -> Literal["power", "half_width"]:
        return "power" if self.half_width is None else "half_width"

    def __repr__(self) -> str:
        return f"RequiredSamples({checks.in_repr([self.criterion])}, n_required={self.n_required})"

    def _reached(self, n_samples: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
        """Return the power, or the half width, with these numbers of samples."""
        error = deviation / np.sqrt(n_samples)
        level = ndtri(1 - self.alpha / 2)
        if self.difference is None:
            return np.asarray(level * error)
        # A pilot that is drawn again may have no errors.
        with np.errstate(divide="ignore"):
            return np.asarray(ndtr(self.difference / error - level))

    def _band(
        self, n_samples: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lowest and highest values over pilots that are drawn again."""
        ends = self.standard_deviation.low, self.standard_deviation.high
        low, high = (self._reached(n_samples, end) for end in ends)
        return (low, high) if self.half_width else (high, low)

    def plot(self, *, ax: Any = None) -> RequiredSamplesDisplay:
        """Draw the power, or the half width, by the number of samples.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        RequiredSamplesDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        n_required = self.n_required
        start = 0.1 * n_required if self.half_width else 0.01 * n_required
        n_samples = np.linspace(start, _END_OF_PLOT * n_required, _N_POINTS)
        units = f"{self.unit}s{' of each system' if self.design == 'unpaired' else ''}"
        return RequiredSamplesDisplay(
            n_samples,
            self._reached(n_samples, self.standard_deviation.estimate),
            None if math.isnan(self.n_range[0]) else self._band(n_samples),
            required=(n_required, self.half_width or self.power),
            criterion=self.criterion,
            value_name="half width" if self.half_width else "power",
            unit=f"{self.unit}s" if self.half_width else units,
        ).plot(ax)

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            The required number and its range as sentences, a table of other numbers of samples,
            a plot, and notes.
        """
        table = self._table()
        title = self._reached_name.replace("_", " ").capitalize()
        aim = self.half_width or self.difference
        assert aim is not None
        return Document(
            "Required samples",
            (
                table,
                Figure(
                    self.plot,
                    f"{title} by the number of {self.unit}s",
                    f"{title} of {self.criterion} by the number of {self.unit}s",
                    table,
                ),
                *(Note(text, is_small=True) for text in self._notes()),
            ),
            verdict=(Note(self._required_in_words()), Note(self._range_in_words())),
            footer=_sections.footer(self.provenance),
            # Four times the required number of samples reaches half of the aim.
            digits=max(_FEWEST_DIGITS, math.ceil(-math.log10(aim / 2))),
        )

    def _required_in_words(self) -> str:
        """Say how many samples are needed for what."""
        n_required = formatting.counted(self.n_required, self.unit)
        if self.half_width:
            return (
                f"{n_required} give a {formatting.as_percent(1 - self.alpha)} interval of "
                f"{self.criterion} with a half width of {self.half_width:g}."
            )
        if self.design == "unpaired":
            n_required += f" of each system, {2 * self.n_required:,} in all,"
        return (
            f"{n_required} show a difference of {self.difference:g} in {self.criterion} with a "
            f"power of {formatting.as_percent(self.power)}, by a two-sided {self.design} test at "
            f"the level {self.alpha:g}."
        )

    def _range_in_words(self) -> str:
        """Say how much the number depends on the samples of the pilot."""
        if not self.n_pilot:
            return "The shares of the pilot are taken as known, so this number has no range."
        numbers = formatting.names_in_words([f"{number:,}" for number in self.n_pilot])
        pilot = f"the {numbers} {self.unit}s of the pilot"
        low, high = self.n_range
        if math.isnan(low):
            return (
                f"This number has no range: {self.criterion} is undefined if {pilot} are drawn "
                f"again."
            )
        return (
            f"If {pilot} are drawn again, the number is between {low:,} and {high:,} in "
            f"{formatting.as_percent(_LEVEL_OF_RANGE)} of {self.n_pilot_resamples:,} pilots."
        )

    def _table(self) -> Table:
        """Return what other numbers of samples reach."""
        name = self._reached_name
        title = name.replace("_", " ")
        has_range = not math.isnan(self.n_range[0])
        columns = [Column(f"{self.unit}s"), Column(title, "number")]
        columns += (
            [Column(f"{formatting.as_percent(_LEVEL_OF_RANGE)} of pilots", "interval")]
            if has_range
            else []
        )
        columns += [] if self.half_width else [Column("smallest difference", "number")]
        rows = tuple(
            (
                f"{record['n_samples']:,}",
                record[name],
                *(((record[f"{name}_low"], record[f"{name}_high"]),) if has_range else ()),
                *(() if self.half_width else (record["smallest_difference"],)),
            )
            for record in self._records()
        )
        of_each = " of each system" if self.design == "unpaired" and not self.half_width else ""
        return Table(
            f"{title.capitalize()} with other numbers of {self.unit}s{of_each}",
            tuple(columns),
            rows,
        )

    def _notes(self) -> list[str]:
        texts = []
        if self.standard_deviation.n_undefined:
            texts.append(
                "The range leaves out "
                f"{formatting.counted(self.standard_deviation.n_undefined, 'pilot')} for which "
                f"{self.criterion} is undefined."
            )
        if self.n_required < _FEW:
            texts.append(
                f"With fewer than {_FEW} {self.unit}s, the closed form is only a rough guide."
            )
        return texts

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criterion", "n_required", "n_low" and "n_high", the ends of the range; "difference",
            "half_width", "power", "alpha", "design", "standard_deviation", "n_pilot", "unit" and
            "n_pilot_resamples"; and "rows": a list of dicts with the columns of `to_frame`.
            Undefined values are None.
        """
        low, high = self.n_range
        numbers: dict[str, Any] = json_files.plain(
            {
                "criterion": self.criterion,
                "n_required": self.n_required,
                "n_low": low,
                "n_high": high,
                "difference": self.difference,
                "half_width": self.half_width,
                "power": self.power,
                "alpha": self.alpha,
                "design": self.design,
                "standard_deviation": self.standard_deviation.estimate,
                "n_pilot": list(self.n_pilot),
                "unit": self.unit,
                "n_pilot_resamples": self.n_pilot_resamples,
                "rows": self._records(),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each of some numbers of samples, with what they reach."""
        # Parts of a small number of samples are all raised to two samples.
        n_samples = np.unique([max(2, math.ceil(k * self.n_required)) for k in _MULTIPLES])
        name = self._reached_name
        low, high = self._band(n_samples)
        columns = {
            "n_samples": n_samples,
            name: self._reached(n_samples, self.standard_deviation.estimate),
            f"{name}_low": low,
            f"{name}_high": high,
        }
        if not self.half_width:
            errors = self.standard_deviation.estimate / np.sqrt(n_samples)
            columns["smallest_difference"] = _n_errors(self.alpha, self.power) * errors
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [
            {"criterion": self.criterion, **dict(zip(columns, row, strict=True))} for row in rows
        ]


@checks.lists_parameters
def required_samples(
    pilot: OrdinalConfusion | Evidence | Mapping[str, Evidence] | Sequence[Evidence],
    metric: MetricLike,
    *,
    difference: float | None = None,
    half_width: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    design: StudyDesign = "paired",
    n_pilot_resamples: int = 999,
    random_state: RandomState = None,
) -> RequiredSamples:
    r"""Compute how many samples show a difference of two systems, or give a narrow interval.

    The samples of a pilot show how much one sample adds to the value of a criterion: its influence
    :math:`\phi`, which `OrdinalMetric.influence` returns. If the mean influence of
    :math:`n` samples is approximately normal, a two-sided test of two systems on the same samples
    shows a difference :math:`\delta` with the given power for

    .. math:: n = (z_{1 - \alpha / 2} + z_{power})^2 \,
        \frac{\operatorname{sd}(\phi_1 - \phi_2)^2}{\delta^2}

    If each system has its own :math:`n` samples, :math:`\operatorname{sd}(\phi_1)^2 +
    \operatorname{sd}(\phi_2)^2` replaces the squared standard deviation of the difference. The
    interval of one system has the half width :math:`h` for :math:`n = (z_{1 - \alpha / 2}
    \operatorname{sd}(\phi) / h)^2`.

    Choose the difference before looking at the results: it is the smallest difference that would
    matter to you, and not the difference that the pilot happens to show.

    Parameters
    ----------
    pilot : OrdinalConfusion, OrdinalForecasts, OrdinalScores, or dict or list of them
        Predictions for some samples, or what you expect:

        - for a paired design, two systems on the same samples, as
          `OrdinalConfusion.from_systems` counts them;
        - for an unpaired design, the same, or a stack of two matrices; or one matrix that stands
          for both systems;
        - for a half width, one matrix.

        Matrices may hold expected shares that add up to 1. Sums of weights must come with
        ``sample_counts`` and ``squared_weights``, as they do unless they were passed as counts.
        For a criterion of probabilities or scores, the evidence of one system, or a dict or list of
        the evidence of two systems, in place of the matrices.
    metric : str or callable
        Criterion in any form that `get_metric` accepts, if it has influences: see
        `OrdinalMetric.has_influence`.
    difference : float, default=None
        The difference that the samples are to show, in the unit of the criterion. Pass either
        `difference` or `half_width`.
    half_width : float, default=None
        Half the length of the interval of one system. Pass ``design="unpaired"`` as well, since
        no systems are paired.
    power : float, default=0.8
        Probability that the test shows the difference. It must be greater than `alpha`.
    alpha : float, default=0.05
        Level of the two-sided test, between 0 and 1; the interval has the confidence level
        ``1 - alpha``.
    design : {"paired", "unpaired"}, default="paired"
        Whether both systems predict the same samples, or each system has its own samples.
    n_pilot_resamples : int, default=999
        Number of times that the samples of the pilot are drawn again, with replacement. Each
        time, the required number is computed again.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for the same range each time.

    Returns
    -------
    RequiredSamples
        The required number of samples with its range over pilots that are drawn again, and the
        power or half width of other numbers of samples, as text, tables and a plot.

    Raises
    ------
    ValueError
        If the metric has no influences, or no derivative for the pilot, the pilot does not fit the
        metric or the design, has a single class or a single sample, or no errors, both or
        neither of `difference` and `half_width` are passed, or a number is out of range.

    See Also
    --------
    sklearn_ordinal.inference.paired_difference : Compare two systems on the same samples.
    sklearn_ordinal.inference.delta_interval : Compute the interval from the same influences.

    Notes
    -----
    For the accuracy, an unpaired design is the test of two proportions, and a paired design is
    McNemar's test, whose number of samples Connor [1]_ computes with the variance under no
    difference in one of the two terms; this number is slightly larger.

    The variance of the :math:`n` samples of a pilot is unbiased: the sum of squares is divided by
    :math:`n - 1`, so that :math:`n` samples have the standard error of `delta_interval`. Expected
    shares are taken as the population, without this correction.

    Each pilot that is drawn again has its own influences. For criteria of probabilities and
    scores, samples keep their influences in the pilot.

    The range contains the number in 95% of the pilots that are drawn again. It shows how much the
    number depends on the samples of the pilot, but not whether the pilot is like the future
    samples. Expected shares are taken as known, so they have no range.

    If the samples of the pilot are in clusters, clusters are drawn again, and the result is the
    required number of clusters of the same sizes. Weights are taken as fixed numbers that belong
    to the samples; after `OrdinalConfusion.at_prevalence`, the classes have fixed shares.
    Unanswered samples count as samples, and as many as in the pilot are expected.

    References
    ----------
    .. [1] R. J. Connor (1987), "Sample size for testing differences in proportions for the
       paired-sample design", Biometrics 43(1), :doi:`10.2307/2531961`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import OrdinalConfusion, required_samples
    >>> y_true = np.arange(300) % 3
    >>> predictions = {
    ...     "first": np.where(np.arange(300) % 10 < 8, y_true, 1),
    ...     "second": np.where(np.arange(300) % 10 < 7, y_true, 1),
    ... }
    >>> pilot = OrdinalConfusion.from_systems(y_true, predictions)
    >>> print(required_samples(pilot, "cem_ord", difference=0.02, random_state=0))
    445 samples show a difference of 0.02 in cem_ord with a power of 80%, by a
    two-sided paired test at the level 0.05.
    <BLANKLINE>
    If the 300 samples of the pilot are drawn again, the number is between 287 and
    612 in 95% of 999 pilots.
    <BLANKLINE>
    Power with other numbers of samples
    samples  power   95% of pilots  smallest difference
    112      0.290  0.223 to 0.418                0.040
    223      0.510  0.394 to 0.696                0.028
    445      0.801  0.666 to 0.937                0.020
    890      0.978  0.922 to 0.999                0.014
    1,780    1.000  0.998 to 1.000                0.010
    <BLANKLINE>
    """
    _check_aim(difference, half_width, power, alpha, design)
    checks.check_count("n_pilot_resamples", n_pilot_resamples, at_least=1)
    rng = checks.as_generator(random_state)
    criterion = lookup.get_metric(metric)
    spread = _pilot_spread(
        pilot, criterion, design, rng, n_pilot_resamples, is_difference=half_width is None
    )
    lowest, highest = criterion.bounds(len(spread.scale))
    name, aim, largest = "difference", difference, highest - lowest
    if half_width is not None:
        name, aim, largest = "half_width", half_width, largest / 2
    assert aim is not None
    if aim > largest:
        raise ValueError(
            f"{name} must be at most {largest:g}, since {criterion.name} is from {lowest:g} to "
            f"{highest:g}, got {aim:g}."
        )
    is_defined = np.isfinite(spread.resampled)
    low = high = math.nan
    if is_defined.any():
        tail = (1 - _LEVEL_OF_RANGE) / 2
        low, high = np.quantile(spread.resampled[is_defined], [tail, 1 - tail]).tolist()
    n_errors = _n_errors(alpha, power if half_width is None else None)

    def number(deviation: float) -> float:
        """Return the number of samples if one sample adds this standard deviation."""
        if math.isnan(deviation):
            return math.nan
        with np.errstate(over="ignore"):
            n_samples = float(np.square(n_errors * np.float64(deviation) / aim))
        if not n_samples < arithmetic.LARGEST_EXACT_FLOAT:
            raise ValueError(
                f"{name} must be large enough for a finite number of samples, got {aim:g}."
            )
        # Rounding errors must not add a sample.
        return max(2, math.ceil(n_samples * (1 - tolerances.ROUNDING_OF_SUMS)))

    return RequiredSamples(
        metric=criterion,
        difference=None if difference is None else float(difference),
        half_width=None if half_width is None else float(half_width),
        power=float(power),
        alpha=float(alpha),
        design=design,
        n_required=int(number(spread.deviation)),
        n_range=(number(low), number(high)),
        standard_deviation=Interval(
            spread.deviation,
            low,
            high,
            _LEVEL_OF_RANGE,
            n_undefined=int(np.count_nonzero(~is_defined)),
            method="percentile",
        ),
        n_pilot=spread.n_units,
        n_pilot_resamples=n_pilot_resamples,
        unit="cluster" if spread.is_clustered else "sample",
        provenance=Provenance.of_now(),
    )


def _n_errors(alpha: float, power: float | None) -> float:
    """Return how many standard errors the difference, or without power the half width, has."""
    return float(ndtri(1 - alpha / 2) + (0 if power is None else ndtri(power)))


def _check_aim(difference: Any, half_width: Any, power: Any, alpha: Any, design: Any) -> None:
    """Raise unless the numbers say what the samples are to show."""
    checks.check_choice("design", design, StudyDesign)
    if (difference is None) == (half_width is None):
        number = "neither" if difference is None else "both"
        raise ValueError(
            f"difference or half_width must be given, and not both, got {number}: pass "
            f"difference= to compare two systems, or half_width= for the interval of one."
        )
    if half_width is not None and design == "paired":
        raise ValueError(
            "design must be 'unpaired' for half_width, which is of the interval of one system, got "
            "'paired': pass design='unpaired', or difference= to compare two systems."
        )
    for name, value in (("difference", difference), ("half_width", half_width)):
        if value is not None and (not checks.is_real(value) or not 0 < value < math.inf):
            raise ValueError(
                f"{name} must be a positive number, in the unit of the metric, got "
                f"{checks.shown(value)}: pass the smallest one that matters to you."
            )
    checks.check_share("alpha", alpha)
    checks.check_share("power", power)
    if half_width is None and power <= alpha:
        raise ValueError(
            f"power must be greater than alpha, {alpha:g}, which is the power of a test without "
            f"samples, got {power:g}."
        )
