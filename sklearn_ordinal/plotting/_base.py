"""What the pictures of a confusion matrix have in common: whence it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from numpy.typing import ArrayLike

from sklearn_ordinal._confusion import OrdinalConfusion, check_one_matrix
from sklearn_ordinal._labels import check_target_names
from sklearn_ordinal.plotting._style import report_with_confusion


class ConfusionDisplay:
    """A picture of the counts of one confusion matrix."""

    plot: Callable[..., Any]

    def __init__(
        self, confusion: OrdinalConfusion, *, target_names: Sequence[str] | None = None
    ) -> None:
        check_one_matrix(confusion)
        self.confusion = confusion
        self.target_names = check_target_names(target_names, confusion.labels)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        display
            The display, drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is not known, a class is not in `labels`, or
            `target_names` does not name each class once.
        """
        confusion = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=labels, sample_weight=sample_weight
        )
        return cls.from_confusion(confusion, target_names=target_names, ax=ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw what a fitted estimator predicts.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        display
            The display, drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is not known, a class is not in `labels`, or
            `target_names` does not name each class once.
        """
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=labels,
            target_names=target_names,
            sample_weight=sample_weight,
            ax=ax,
            **options,
        )

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw counts, say those of all folds together.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        display
            The display, drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the counts are a stack of matrices or hold no samples, or `target_names`
            does not name each class once.
        """
        display: Self = cls(confusion, target_names=target_names).plot(ax, **options)
        return display

    @classmethod
    def from_report(cls, report: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the predictions that a report is on.

        Parameters
        ----------
        report : OrdinalReport or CrossValReport
            Report on predictions; of the folds of a cross-validation, all together.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        display
            The display, drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `report` is of another type.
        """
        report = report_with_confusion(report)
        return cls.from_confusion(
            report.confusion, target_names=report.target_names, ax=ax, **options
        )
