"""The number of samples that shows a difference, or that makes an interval narrow enough."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from sklearn_ordinal._core import (
    Evidence,
    MetricLike,
    OrdinalConfusion,
    OrdinalMetric,
    RandomState,
    as_generator,
    check_choice,
    check_count,
    check_share,
    get_metric,
    in_repr,
    is_real,
    shown,
)
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    Views,
    as_percent,
    counted,
    names_in_words,
    plain,
)
from sklearn_ordinal.inference import Interval, StudyDesign, pilot_spread
from sklearn_ordinal.plotting import RequiredSamplesDisplay
from sklearn_ordinal.reports._provenance import Provenance, footer

# The share of the pilots that are drawn again whose numbers of samples are in the range.
_LEVEL_OF_RANGE = 0.95
# The numbers of samples in the table, as multiples of the required one.
_MULTIPLES = (0.25, 0.5, 1, 2, 4)
# A plot ends at this multiple of the required number of samples.
_END_OF_PLOT, _N_POINTS = 2.5, 200
# Larger numbers of samples are not exact in floats, and nobody collects them.
_MOST_SAMPLES = 2**53
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
    1752
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
        return f"RequiredSamples({in_repr([self.criterion])}, n_required={self.n_required})"

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
            footer=footer(self.provenance),
            # Four times the required number of samples reaches half of the aim.
            digits=max(_FEWEST_DIGITS, math.ceil(-math.log10(aim / 2))),
        )

    def _required_in_words(self) -> str:
        """Say how many samples are needed for what."""
        n_required = counted(self.n_required, self.unit)
        if self.half_width:
            return (
                f"{n_required} give a {as_percent(1 - self.alpha)} interval of {self.criterion} "
                f"with a half width of {self.half_width:g}."
            )
        if self.design == "unpaired":
            n_required += f" of each system, {2 * self.n_required:,} in all,"
        return (
            f"{n_required} show a difference of {self.difference:g} in {self.criterion} with a "
            f"power of {as_percent(self.power)}, by a two-sided {self.design} test at the level "
            f"{self.alpha:g}."
        )

    def _range_in_words(self) -> str:
        """Say how much the number depends on the samples of the pilot."""
        if not self.n_pilot:
            return "The shares of the pilot are taken as known, so this number has no range."
        numbers = names_in_words([f"{number:,}" for number in self.n_pilot])
        pilot = f"the {numbers} {self.unit}s of the pilot"
        low, high = self.n_range
        if math.isnan(low):
            return (
                f"This number has no range: {self.criterion} is undefined if {pilot} are drawn "
                f"again."
            )
        return (
            f"If {pilot} are drawn again, the number is between {low:,} and {high:,} in "
            f"{as_percent(_LEVEL_OF_RANGE)} of {self.n_pilot_resamples:,} pilots."
        )

    def _table(self) -> Table:
        """Return what other numbers of samples reach."""
        name = self._reached_name
        title = name.replace("_", " ")
        has_range = not math.isnan(self.n_range[0])
        columns = [Column(f"{self.unit}s"), Column(title, "number")]
        columns += (
            [Column(f"{as_percent(_LEVEL_OF_RANGE)} of pilots", "interval")] if has_range else []
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
                f"The range leaves out {counted(self.standard_deviation.n_undefined, 'pilot')} for "
                f"which {self.criterion} is undefined."
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
        numbers: dict[str, Any] = plain(
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
    443 samples show a difference of 0.02 in cem_ord with a power of 80%, by a
    two-sided paired test at the level 0.05.
    <BLANKLINE>
    If the 300 samples of the pilot are drawn again, the number is between 286 and
    610 in 95% of 999 pilots.
    <BLANKLINE>
    Power with other numbers of samples
    samples  power   95% of pilots  smallest difference
    111      0.289  0.222 to 0.416                0.040
    222      0.510  0.394 to 0.695                0.028
    443      0.800  0.666 to 0.937                0.020
    886      0.977  0.922 to 0.999                0.014
    1,772    1.000  0.998 to 1.000                0.010
    <BLANKLINE>
    """
    _check_aim(difference, half_width, power, alpha, design)
    check_count("n_pilot_resamples", n_pilot_resamples, at_least=1)
    rng = as_generator(random_state)
    criterion = get_metric(metric)
    spread = pilot_spread(
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
        if not n_samples < _MOST_SAMPLES:
            raise ValueError(
                f"{name} must be large enough for a finite number of samples, got {aim:g}."
            )
        # Rounding errors must not add a sample.
        return max(2, math.ceil(n_samples * (1 - 1e-12)))

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
    check_choice("design", design, StudyDesign)
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
        if value is not None and (not is_real(value) or not 0 < value < math.inf):
            raise ValueError(
                f"{name} must be a positive number, in the unit of the metric, got "
                f"{shown(value)}: pass the smallest one that matters to you."
            )
    check_share("alpha", alpha)
    check_share("power", power)
    if half_width is None and power <= alpha:
        raise ValueError(
            f"power must be greater than alpha, {alpha:g}, which is the power of a test without "
            f"samples, got {power:g}."
        )
