"""Constructors shared by the confusion matrix displays."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    ClassReadingOptions,
    OrdinalConfusion,
    amount_as_text,
    check_fitted,
    check_keywords,
    check_one_matrix,
    check_target_names,
    n_unanswered,
    read_confusion,
    taken_options,
    takes_reading,
)


class ConfusionDisplay:
    """Base class for plots of a single confusion matrix."""

    plot: Callable[..., Any]

    def __init__(
        self, confusion: OrdinalConfusion, *, target_names: Sequence[str] | None = None
    ) -> None:
        check_one_matrix(confusion)
        self.confusion = confusion
        self.target_names = check_target_names(target_names, confusion.scale)

    @classmethod
    @takes_reading(ClassReadingOptions)
    def from_predictions(
        cls,
        y_true: ArrayLike | OrdinalConfusion,
        y_pred: ArrayLike | None = None,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Plot true and predicted classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or OrdinalConfusion
            True classes; or counts in place of `y_true`, `y_pred` and the reading options such
            as `labels`.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, or
            `target_names` does not name each class exactly once.
        """
        reading = taken_options(ClassReadingOptions, options)
        cls._check_options("from_predictions", options)
        confusion = read_confusion(y_true, y_pred, reading)
        return cls.from_confusion(confusion, target_names=target_names, ax=ax, **options)

    @classmethod
    @takes_reading(ClassReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Plot the predictions of a fitted estimator.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a fitted pipeline whose last step is a classifier.
        X : array-like of shape (n_samples, n_features)
            Input data.
        y : array-like of shape (n_samples,)
            True classes.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, or
            `target_names` does not name each class exactly once.
        """
        cls._check_options("from_estimator", options)
        check_fitted(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            target_names=target_names,
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
        """Plot an existing confusion matrix, for example the sum over all folds.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `confusion` is a stack of matrices or has no samples, or `target_names`
            does not name each class exactly once.
        """
        cls._check_options("from_confusion", options)
        display: Self = cls(confusion, target_names=target_names).plot(ax, **options)
        return display

    @classmethod
    def _check_options(cls, method: str, options: Mapping[str, Any]) -> None:
        """Raise for a keyword that neither the method nor `plot` has."""
        names = [*inspect.signature(getattr(cls, method)).parameters][:-1]
        names += [*inspect.signature(cls.plot).parameters][2:]
        check_keywords(f"{cls.__name__}.{method}", options, names)


def note_on_unanswered(confusion: OrdinalConfusion) -> list[str]:
    """Return a note about samples that are not in the plot, if there are any."""
    amount = n_unanswered(confusion)
    return [f"Left out: {amount_as_text(amount)} without a prediction"] if amount else []
