"""Plot of the calibration of the probabilities at each threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.isotonic import isotonic_regression

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    counting,
    evidence_kinds,
    evidence_reading,
    scales,
)
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.counting import ReadingOptions
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal._documents import formatting
from sklearn_ordinal.plotting import _curve_displays, _style

# The largest number of points of a band.
_MOST_POINTS = 201
# The largest size of an array of draws, unless a single draw is larger.
_AT_ONCE = 200_000
_N_BINS = 20
# The height of the bar of the most frequent forecasts, as a share of the panel.
_HISTOGRAM = 0.22
_LIMITS = (-0.02, 1.02)
_LABELS = ("Forecast P(y > k)", "Observed share of y > k")


class ThresholdCalibrationDisplay:
    """Calibration of the probabilities at each threshold of an ordered scale.

    Create a display with `from_predictions` or `from_estimator`.

    For each threshold, between class k and the next class, a panel shows the probability of the
    classes above the threshold, P(y > k), against the share of samples above it. The curve is
    the isotonic regression of the outcomes on the probability, which needs no bins (CORP) [1]_.
    For calibrated probabilities, the curve differs from the diagonal only by chance: at each
    single probability, it stays in the shaded consistency band with the confidence level. Bars
    at the bottom show the distribution of the forecasts.

    Parameters
    ----------
    forecasts : OrdinalForecasts
        True classes and probabilities.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.
    n_resamples : int, default=500
        Number of times that true classes are drawn to compute the band.
    confidence_level : float, default=0.95
        Coverage of the band at each probability.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for the same band each time.

    Attributes
    ----------
    forecast : list of ndarray of shape (n_distinct,)
        Distinct probabilities P(y > k) of each threshold, in ascending order.
    recalibrated : list of ndarray of shape (n_distinct,)
        Isotonic regression at these probabilities.
    band_forecast : list of ndarray of shape (n_points,)
        Probabilities at which the band is computed, up to 201 of the distinct probabilities.
    band_low, band_high : list of ndarray of shape (n_points,)
        Ends of the band.
    lines_ : list of matplotlib.lines.Line2D
        Isotonic curve of each threshold.
    bands_ : list of matplotlib.collections.PolyCollection
        Consistency band of each threshold.
    bars_ : list of matplotlib.container.BarContainer
        Distribution of the forecasts of each threshold.
    axes_ : list of matplotlib.axes.Axes
        Panel of each threshold.
    ax_ : matplotlib.axes.Axes
        Invisible axes that the panels replace.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `forecasts` is a stack or has a single class, or an option is not valid.

    See Also
    --------
    OrdinalRocCurveDisplay : Plot how well probabilities rank samples, calibrated or not.
    sklearn.calibration.CalibrationDisplay : Plot calibration for two classes, with bins.

    Notes
    -----
    For the band, the samples stay the same, and the true class of each sample is drawn from its
    probabilities. The curves of different thresholds may cross, so probabilities of the classes
    cannot be computed from them.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams
           for probabilistic classifiers", PNAS 118(8), :doi:`10.1073/pnas.2016191118`.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import ThresholdCalibrationDisplay
    >>> display = ThresholdCalibrationDisplay.from_predictions(
    ...     [0, 1, 2, 1], [[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6], [0.6, 0.3, 0.1]],
    ...     random_state=0,
    ... )
    >>> display.forecast[0], display.recalibrated[0]
    (array([0.4, 0.7, 0.9]), array([0.5, 1. , 1. ]))
    """

    def __init__(
        self,
        forecasts: OrdinalForecasts,
        *,
        target_names: Sequence[str] | None = None,
        n_resamples: int = 500,
        confidence_level: float = 0.95,
        random_state: RandomState = None,
    ) -> None:
        _curve_displays.check_one_set("forecasts", forecasts, (OrdinalForecasts,))
        checks.check_count("n_resamples", n_resamples, at_least=1)
        self.forecasts, self.n_resamples = forecasts, n_resamples
        self.confidence_level = checks.check_share("confidence_level", confidence_level)
        self.target_names = scales.check_target_names(target_names, forecasts.scale)
        used = forecasts.weights > 0
        above, weights = _curve_displays.probability_above(forecasts)[used], forecasts.weights[used]
        regressions = [_Regression(column, weights) for column in above.T]
        is_above = forecasts.y_true[used, None] > np.arange(forecasts.n_classes - 1)
        self.forecast = [regression.forecast for regression in regressions]
        self.recalibrated = [
            regression(column[None])[0]
            for regression, column in zip(regressions, is_above.T, strict=True)
        ]
        self.band_forecast = [regression.forecast[regression.points] for regression in regressions]
        self.band_low, self.band_high = self._bands(
            above, regressions, checks.as_generator(random_state)
        )

    def _bands(
        self, above: Floats, regressions: list[_Regression], rng: np.random.Generator
    ) -> tuple[list[Floats], list[Floats]]:
        """Return the ends of the bands of all thresholds, computed from the same draws."""
        drawn: list[list[Floats]] = [[] for _ in regressions]
        at_once = max(1, _AT_ONCE // len(above))
        for done in range(0, self.n_resamples, at_once):
            # A class drawn from the probabilities of a sample is above k with P(y > k).
            draws = rng.random((min(at_once, self.n_resamples - done), len(above)))
            for curves, regression, column in zip(drawn, regressions, above.T, strict=True):
                curves.append(regression(draws < column)[:, regression.points])
        tail = (1 - self.confidence_level) / 2
        bands = [np.quantile(np.concatenate(curves), [tail, 1 - tail], axis=0) for curves in drawn]
        return [low for low, _ in bands], [high for _, high in bands]

    @classmethod
    @counting.takes_reading(ReadingOptions)
    def from_predictions(
        cls,
        y_true: ArrayLike | OrdinalForecasts,
        y_proba: ArrayLike | None = None,
        *,
        target_names: Sequence[str] | None = None,
        n_resamples: int = 500,
        confidence_level: float = 0.95,
        random_state: RandomState = None,
        ax: Any = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Plot true classes and probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or OrdinalForecasts
            True classes; or forecasts in place of `y_true`, `y_proba` and the reading options
            such as `labels`.
        y_proba : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes, in the order of the scale.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        n_resamples : int, default=500
            Number of times that true classes are drawn to compute the band.
        confidence_level : float, default=0.95
            Coverage of the band at each probability.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers. Pass an int for the same band each time.
        ax : matplotlib.axes.Axes, default=None
            Axes of ``plt.subplots`` that the panels replace. Create their figure with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, the
            probabilities are not valid, or an option is not valid.
        """
        forecasts: Any = evidence_reading.read_samples(
            (evidence_kinds.PROBABILITIES,), y_true, y_proba, reading, name="y_proba", copy=True
        )
        return cls(
            forecasts,
            target_names=target_names,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            random_state=random_state,
        ).plot(ax)

    @classmethod
    @counting.takes_reading(ReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        target_names: Sequence[str] | None = None,
        n_resamples: int = 500,
        confidence_level: float = 0.95,
        random_state: RandomState = None,
        ax: Any = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Plot the probabilities of a fitted classifier, matched to its classes.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier with `predict_proba`, or a fitted pipeline that ends with one.
        X : array-like of shape (n_samples, n_features)
            Input data.
        y : array-like of shape (n_samples,)
            True classes.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        n_resamples : int, default=500
            Number of times that true classes are drawn to compute the band.
        confidence_level : float, default=0.95
            Coverage of the band at each probability.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers. Pass an int for the same band each time.
        ax : matplotlib.axes.Axes, default=None
            Axes of ``plt.subplots`` that the panels replace. Create their figure with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the estimator has no `predict_proba`, the order of the classes is unknown, a
            class is not in `labels`, or an option is not valid.
        """
        checks.check_fitted(estimator)
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"estimator must have predict_proba, but {type(estimator).__name__} does not: "
                f"fit it within CalibratedClassifierCV to get probabilities."
            )
        forecasts = evidence_kinds.PROBABILITIES.of_estimator(estimator, X, y, **reading)
        return cls(
            forecasts,
            target_names=target_names,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            random_state=random_state,
        ).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot a panel for each threshold.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes of ``plt.subplots`` that the panels replace. Create their figure with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes of a grid.
        """
        _style.require_matplotlib(self)
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        line: dict[str, Any] = {"color": _style.BLUE, "linewidth": 1.5, "linestyle": "-"}
        band: dict[str, Any] = {"color": _style.BLUE, "alpha": 0.25, "linewidth": 0}
        bars: dict[str, Any] = {"color": _style.GREY, "alpha": 0.6, "linewidth": 0}
        ax, self.axes_ = _style.grid_of_axes(
            ax,
            self.target_names[:-1],
            1.9,
            start="above '",
            end="'",
            handles=[Line2D([], [], **line), Patch(**band), Patch(**bars)],
            key=[
                "isotonic regression",
                f"{formatting.as_percent(self.confidence_level)} consistency band",
                "forecasts",
            ],
            labels=_LABELS,
        )
        for panel in self.axes_:
            panel.set(xlim=_LIMITS, ylim=_LIMITS, xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
            panel.grid(visible=False, which="both")
        above = _curve_displays.probability_above(self.forecasts)
        self.lines_, self.bands_, self.bars_ = [], [], []
        for k, panel in enumerate(self.axes_):
            panel.plot(
                [0, 1], [0, 1], color=_style.line_color(), linewidth=0.8, linestyle=(0, (6, 4))
            )
            self.bands_.append(
                panel.fill_between(
                    self.band_forecast[k], self.band_low[k], self.band_high[k], **band
                )
            )
            self.bars_.append(self._draw_histogram(panel, above[:, k], bars))
            self.lines_.extend(panel.plot(self.forecast[k], self.recalibrated[k], **line))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_histogram(self, panel: Any, above: Floats, style: dict[str, Any]) -> Any:
        weights = self.forecasts.weights
        counts, edges = np.histogram(above, bins=_N_BINS, range=(0, 1), weights=weights)
        heights = _HISTOGRAM * counts / counts.max()
        return panel.bar(edges[:-1], heights, width=np.diff(edges), align="edge", **style)


class _Regression:
    """Isotonic regression on the same forecasts and weights, for many outcomes."""

    def __init__(self, forecast: Floats, weights: Floats) -> None:
        self.order = np.argsort(forecast)
        in_order = forecast[self.order]
        self.first = arithmetic.run_starts(in_order)
        self.forecast = in_order[self.first]
        self.weights = weights[self.order]
        self.size = np.add.reduceat(self.weights, self.first)
        n_points = min(len(self.forecast), _MOST_POINTS)
        self.points = np.linspace(0, len(self.forecast) - 1, n_points).round().astype(np.intp)

    def __call__(self, happened: NDArray[np.bool_]) -> Floats:
        """Return the regressions at the distinct forecasts: (n, n_samples) to (n, n_distinct)."""
        shares = np.take(happened, self.order, axis=1) * self.weights
        if len(self.first) < len(self.order):
            shares = np.add.reduceat(shares, self.first, axis=1)
        shares /= self.size
        # Fit all outcomes in a single regression, each shifted above the previous one.
        offsets = 2.0 * np.arange(len(shares))[:, None]
        fitted: Floats = isotonic_regression(
            (shares + offsets).ravel(), sample_weight=np.tile(self.size, len(shares))
        )
        return fitted.reshape(shares.shape) - offsets
