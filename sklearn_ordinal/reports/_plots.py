"""Plots that reports of predictions share."""

from __future__ import annotations

from typing import Any

from sklearn_ordinal.plotting import ErrorDistributionDisplay, OrdinalConfusionMatrixDisplay


class ConfusionPlots:
    """Plots of the confusion matrix of a report."""

    def _plotted(self) -> Any:
        """Return the report whose confusion matrix is drawn."""
        raise NotImplementedError

    def plot_confusion_matrix(
        self, *, ax: Any = None, **options: Any
    ) -> OrdinalConfusionMatrixDisplay:
        """Draw the confusion matrix, for a cross-validation that of all folds together.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `OrdinalConfusionMatrixDisplay.plot`.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        report = self._plotted()
        return OrdinalConfusionMatrixDisplay.from_confusion(
            report.confusion, target_names=report.target_names, ax=ax, **options
        )

    def plot_errors(self, *, ax: Any = None, **options: Any) -> ErrorDistributionDisplay:
        """Draw how far the predictions of each class are too low or too high.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `ErrorDistributionDisplay.plot`.

        Returns
        -------
        ErrorDistributionDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        report = self._plotted()
        return ErrorDistributionDisplay.from_confusion(
            report.confusion, target_names=report.target_names, ax=ax, **options
        )
