"""Plots that reports of predictions share."""

from __future__ import annotations

from typing import Any, Literal

from sklearn_ordinal._core import OrdinalForecasts
from sklearn_ordinal.plotting import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
    OrdinalRocCurveDisplay,
    ThresholdCalibrationDisplay,
)


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


class ForecastPlots:
    """Plots of the probabilities of a report."""

    forecasts: OrdinalForecasts | None
    target_names: tuple[str, ...]

    def plot_roc(
        self, *, split: Literal["threshold", "class"] = "threshold", ax: Any = None
    ) -> OrdinalRocCurveDisplay:
        """Draw the ROC curves of the thresholds, or of the classes.

        Parameters
        ----------
        split : {"threshold", "class"}, default="threshold"
            Whether there is a curve for each threshold, by the expected position on the
            scale, or for each class against the rest, by its probability.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.

        Returns
        -------
        OrdinalRocCurveDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or `split` is not known.
        """
        forecasts = self._needed_forecasts("plot_roc")
        # The areas of the thresholds are those in the table.
        evidence = forecasts if split == "class" else forecasts.to_scores()
        display = OrdinalRocCurveDisplay(evidence, split=split, target_names=self.target_names)
        return display.plot(ax)

    def plot_calibration(self, *, ax: Any = None, **options: Any) -> ThresholdCalibrationDisplay:
        """Draw how well the probabilities are calibrated at each threshold.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `ThresholdCalibrationDisplay`, such as `random_state`.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or an option is not valid.
        """
        forecasts = self._needed_forecasts("plot_calibration")
        options = {"target_names": self.target_names, **options}
        return ThresholdCalibrationDisplay(forecasts, **options).plot(ax)

    def _needed_forecasts(self, what: str) -> OrdinalForecasts:
        if self.forecasts is None:
            raise ValueError(
                f"{what} needs probabilities: pass y_proba= to OrdinalReport.from_predictions, or "
                f"use OrdinalReport.from_estimator with an estimator that has predict_proba."
            )
        return self.forecasts
