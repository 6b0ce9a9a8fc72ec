"""The picture of a comparison."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np

from sklearn_ordinal.inference import PairedDifference
from sklearn_ordinal.plotting._style import (
    GREY,
    draw_interval,
    fit_rows,
    legend_above,
    line_color,
    name_rows,
    new_axes_for_rows,
    require_matplotlib,
    wrapped,
    write_beside,
)


class ComparisonDisplay:
    """Picture of the differences of models from the best baseline.

    Make one with `from_report`.

    Each model has a row, the best at the top: a diamond at its difference, a line from
    end to end of the interval, and the adjusted p-value at the right. Baselines are grey
    and hollow. Differences within the shaded region are practically none.

    Parameters
    ----------
    differences : mapping of str to PairedDifference
        Score of the model less that of the reference, by the name of the model, from
        the top.
    adjusted_pvalues : mapping of str to float
        P-values, adjusted for the number of models, by the same names.
    criterion : str
        What is compared, higher is better.
    reference : str
        Name of the system that the differences are from.
    rope : float, default=0.0
        Largest difference, in the unit of the criterion, that is practically none.
    baselines : collection of str, default=()
        The names that are baselines.

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        The difference of each model.
    lines_ : list of matplotlib.lines.Line2D
        The interval of each model.
    text_ : list of matplotlib.text.Text
        The adjusted p-value of each model; "baseline" for those, which are not tested.
    rope_ : matplotlib.patches.Polygon or matplotlib.patches.Rectangle
        The region of differences that are practically none.
    ax_ : matplotlib.axes.Axes
        Axes of the picture.
    figure_ : matplotlib.figure.Figure
        Figure of the picture.

    Raises
    ------
    ValueError
        If there are no differences, or the names of `differences` and
        `adjusted_pvalues` differ.

    See Also
    --------
    FoldScoresDisplay : The scores behind the differences.
    CriticalDifferenceDisplay : Systems compared over several data sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> from sklearn_ordinal.plotting import ComparisonDisplay
    >>> display = ComparisonDisplay(
    ...     {"forest": PairedDifference(0.12, 0.08, 0.16, 0.95, pvalue=0.0004)},
    ...     adjusted_pvalues={"forest": 0.0012},
    ...     criterion="cem_ord",
    ...     reference="majority",
    ... ).plot()
    >>> display.text_[0].get_text()
    'p = 0.001'
    """

    def __init__(
        self,
        differences: Mapping[str, PairedDifference],
        *,
        adjusted_pvalues: Mapping[str, float],
        criterion: str,
        reference: str,
        rope: float = 0.0,
        baselines: Collection[str] = (),
    ) -> None:
        if not differences or differences.keys() != adjusted_pvalues.keys():
            raise ValueError(
                f"differences and adjusted_pvalues must have the same names, one at least, "
                f"got {list(differences)} and {list(adjusted_pvalues)}."
            )
        self.differences = dict(differences)
        self.adjusted_pvalues = dict(adjusted_pvalues)
        self.criterion = criterion
        self.reference = reference
        self.rope = rope
        self.baselines = tuple(baselines)

    @classmethod
    def from_report(
        cls, report: Any, *, criterion: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the comparison of a report by one criterion.

        Parameters
        ----------
        report : ComparisonReport
            Comparison of models with baselines; without any, the differences are from
            the first model.
        criterion : str, default=None
            One of the criteria of the report. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        ComparisonDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `report` is of another type, does not have the criterion, or compares
            nothing by it.
        """
        criterion = find_criterion(report, criterion)
        best_first = sorted(report.table[criterion].items(), key=lambda row: row[1].rank)
        rows = {name: row for name, row in best_first if row.difference is not None}
        return cls(
            {name: row.difference for name, row in rows.items()},
            adjusted_pvalues={name: row.adjusted_pvalue for name, row in rows.items()},
            criterion=criterion,
            reference=report.best_baseline[criterion],
            rope=report.rope[criterion],
            baselines=report.baselines,
        ).plot(ax, **options)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        legend : bool, default=True
            Whether to explain the marks above the rows.

        Returns
        -------
        ComparisonDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        require_matplotlib(self)
        names = list(self.differences)
        texts = [
            "baseline" if name in self.baselines else _pvalue_text(self.adjusted_pvalues[name])
            for name in names
        ]
        (compared,) = wrapped([f"difference from {self.reference} (positive is better)"], 60)
        xlabel = f"{self.criterion}\n{compared}"
        level = self.differences[names[0]].confidence_level
        key = [f"difference, {100 * level:g}% interval"]
        if self.rope:
            key.append(f"practically equal (±{self.rope:g})")
        if ax is None:
            ax = new_axes_for_rows(
                names, row_height=0.4, beside=texts, below=xlabel, key=key if legend else ()
            )
        name_rows(ax, names)
        self.rope_ = ax.axvspan(-self.rope, self.rope, color=GREY, alpha=0.2, linewidth=0)
        ax.axvline(0, color=line_color(), linewidth=0.8)
        drawn = [
            draw_interval(ax, row, self.differences[name], is_baseline=name in self.baselines)
            for row, name in enumerate(names)
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        self.text_ = write_beside(ax, texts)
        ax.set_xlabel(xlabel, parse_math=False)
        if legend:
            handles = [(self.lines_[0], self.estimates_[0]), self.rope_]
            legend_above(ax, handles[: len(key)], key)
        fit_rows(ax, self.text_)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def find_criterion(comparison: Any, criterion: str | None) -> str:
    """Return a criterion of a comparison, by default the first."""
    if not hasattr(comparison, "scoring"):
        raise ValueError(
            f"report must be a ComparisonReport, got {type(comparison).__name__}: "
            f"make one with compare_estimators."
        )
    if criterion is None:
        return str(comparison.scoring[0])
    if criterion not in comparison.scoring:
        raise ValueError(f"criterion must be one of {list(comparison.scoring)}, got {criterion!r}.")
    return criterion


def _pvalue_text(pvalue: float) -> str:
    if np.isnan(pvalue):
        return "p undefined"
    return "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.3f}"
