"""Plot of the power of a test, or the half width of an interval, by the number of samples."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal.plotting._curves import CHANCE, curve_axes, finish_curves
from sklearn_ordinal.plotting._style import line_color, require_matplotlib

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
        require_matplotlib(self)
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch
        from matplotlib.ticker import EngFormatter

        n_required, target = self.required
        bands = () if self.band is None else (_BAND_NAME,)
        ax, texts, (style,) = curve_axes(
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
            texts,
            [self.line_],
            [Line2D([], [], **chance), *(Patch(**band) for _ in bands)],
            labels=(self.unit.capitalize(), self.value_name.capitalize()),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self
