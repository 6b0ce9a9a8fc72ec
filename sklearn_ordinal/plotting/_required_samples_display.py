"""Plot of the power of a test, or the half width of an interval, by the number of samples."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import check_floats, check_value, shown
from sklearn_ordinal.plotting._colors import line_color, require_matplotlib
from sklearn_ordinal.plotting._curve_axes import CHANCE, axes_with_curves, finish_curves
from sklearn_ordinal.plotting._fitted_names import one_line

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

    Raises
    ------
    ValueError
        If arrays differ in length, `n_samples` is not ascending, a number is not finite, or a name
        is not a string.

    See Also
    --------
    sklearn_ordinal.required_samples : Compute the number of samples.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import RequiredSamplesDisplay
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
        self.n_samples = check_floats("n_samples", n_samples, ndim=1)
        if not len(self.n_samples) or (np.diff(self.n_samples) <= 0).any():
            raise ValueError(
                f"n_samples must be numbers in ascending order, got {shown(n_samples)}."
            )
        self.values = self._checked("values", values)
        self.band = None
        if band is not None:
            if not isinstance(band, tuple) or len(band) != 2:
                raise ValueError(f"band must be a tuple of two arrays, got {shown(band)}.")
            self.band = self._checked("band[0]", band[0]), self._checked("band[1]", band[1])
        if not isinstance(required, tuple) or len(required) != 2:
            raise ValueError(
                f"required must be a tuple of a number of samples and a value, got "
                f"{shown(required)}."
            )
        self.required = (
            check_value("required[0]", required[0], 0),
            check_value("required[1]", required[1]),
        )
        names = {
            "criterion": criterion,
            "value_name": value_name,
            "unit": unit,
        }
        for argument, name in names.items():
            if not isinstance(name, str):
                raise ValueError(f"{argument} must be a string, got {shown(name)}.")
        self.criterion, self.value_name = criterion, value_name
        self.unit = unit

    def _checked(self, name: str, values: ArrayLike) -> Any:
        numbers = check_floats(name, values, ndim=1)
        if len(numbers) != len(self.n_samples) or not np.isfinite(numbers).all():
            raise ValueError(
                f"{name} must have a finite number for each of the {len(self.n_samples)} numbers "
                f"of samples, got {shown(values)}."
            )
        return numbers

    def plot(self, ax: Any = None) -> Self:
        """Plot the curve.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

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
        require_matplotlib(self)
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch
        from matplotlib.ticker import EngFormatter

        n_required, target = self.required
        bands = () if self.band is None else (_BAND_NAME,)
        ax, legend, (style,) = axes_with_curves(
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
        chance = {**CHANCE, "color": line_color()}
        (self.target_,) = ax.plot(self.n_samples[[0, -1]], [target, target], **chance)
        (self.required_,) = ax.plot(n_required, target, color=style["color"], **_MARKER)
        ax.margins(x=0.02)
        ax.set_ylim(0, 1 if self.value_name == "power" else None)
        # Multiples such as 20k keep large numbers apart.
        ax.xaxis.set_major_formatter(EngFormatter(sep=""))
        self.legend_ = finish_curves(
            ax,
            legend,
            [self.line_],
            [Line2D([], [], **chance), *(Patch(**band) for _ in bands)],
            labels=(one_line(self.unit.capitalize()), one_line(self.value_name.capitalize())),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self
