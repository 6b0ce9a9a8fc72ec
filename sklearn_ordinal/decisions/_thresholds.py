"""`tune_thresholds`: cuts on given scores where a criterion is best, and what others score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, lookup
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.forecasting import OrdinalScores
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Figure, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.decisions._cuts import ClassesByScore, TunedCuts
from sklearn_ordinal.model_selection import _wrapping
from sklearn_ordinal.plotting._tuning_display import ThresholdTuningDisplay
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._sections import Provenance


@dataclass(frozen=True, eq=False, repr=False)
class TunedThresholds(Views):
    """The cuts on given scores with the best value of a criterion.

    Returned by `tune_thresholds`. `str` gives the text, and notebooks show a table and a plot.
    `predict` cuts other scores.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    metric : OrdinalMetric
        The criterion.
    thresholds : ndarray of shape (n_classes - 1,)
        The cuts in ascending order. Cuts are infinite next to a class without samples at an end of
        the scale.
    value : float
        Value of the criterion with these cuts, for the samples for which they were chosen.
    confusion : OrdinalConfusion
        Counts of the true classes and of the classes that the cuts predict.
    places : tuple of ndarray
        For each cut, places between its neighbours, in ascending order.
    values : tuple of ndarray
        For each cut, the values of the criterion if the cut is at each of its `places` and the
        other cuts stay; NaN where the criterion is undefined.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.

    Attributes
    ----------
    criterion : str
        Name of the criterion.

    See Also
    --------
    sklearn_ordinal.tune_thresholds : Choose the cuts.

    Examples
    --------
    >>> from sklearn_ordinal import tune_thresholds
    >>> tuned = tune_thresholds([0, 0, 1, 2, 2], [0.1, 0.4, 0.9, 1.2, 1.9], metric="accuracy")
    >>> tuned.predict([0.5, 1.0, 1.5])
    array([0, 1, 2])
    """

    scale: OrdinalScale
    metric: OrdinalMetric
    thresholds: NDArray[np.float64]
    value: float
    confusion: OrdinalConfusion
    places: tuple[NDArray[np.float64], ...]
    values: tuple[NDArray[np.float64], ...]
    provenance: Provenance | None = None

    @property
    def criterion(self) -> str:
        """Name of the criterion."""
        return self.metric.name

    def __repr__(self) -> str:
        return f"TunedThresholds({checks.in_repr([self.criterion])}, {self.thresholds.tolist()})"

    def predict(self, y_score: ArrayLike) -> NDArray[Any]:
        """Predict classes by cutting scores.

        Parameters
        ----------
        y_score : array-like of shape (n_samples,)
            Scores on the same scale as those for which the cuts were chosen. A score equal to a
            cut is above it.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted classes.

        Raises
        ------
        ValueError
            If the scores do not have one dimension, or a score is NaN or infinite.
        """
        score = checks.as_numbers("y_score", y_score)
        if score.ndim != 1:
            raise ValueError(f"y_score must have shape (n_samples,), got {score.shape}.")
        is_bad = ~np.isfinite(score)
        if is_bad.any():
            first = int(is_bad.argmax())
            raise ValueError(
                f"y_score must be finite: sample {first} has {score[first]} ({is_bad.sum()} of "
                f"{len(score)} samples)."
            )
        classes: NDArray[Any] = self.scale.labels[
            np.searchsorted(self.thresholds, score, side="right")
        ]
        return classes

    def plot(self, *, ax: Any = None) -> ThresholdTuningDisplay:
        """Draw the criterion along each cut while the other cuts stay.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        ThresholdTuningDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return ThresholdTuningDisplay(
            self.places,
            self.values,
            self.thresholds,
            target_names=[str(label) for label in self.scale.labels.tolist()],
            score_name=self.criterion,
        ).plot(ax)

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            The value as a sentence, a table of the classes between the cuts, and a plot.
        """
        table = self._table()
        missing = [str(k) for k in self.scale.labels[self.confusion.class_counts == 0].tolist()]
        notes = []
        if missing:
            never = (
                f"No sample is of class {formatting.names_in_words(missing)}, so the cuts never "
                "predict it."
            )
            notes = [Note(never, is_small=True)]
        return Document(
            "Tuned thresholds",
            (
                table,
                Figure(
                    self.plot,
                    f"{self.criterion} along each cut",
                    f"{self.criterion} along each cut on the score while the other cuts stay",
                    table,
                ),
                *notes,
            ),
            verdict=(Note(self._value_in_words()),),
            footer=_sections.footer(self.provenance),
        )

    def _value_in_words(self) -> str:
        """Say how good the cuts are for the samples for which they were chosen."""
        samples = formatting.counted(int(self.confusion.n_samples), "sample")
        unit = " (weighted)" if self.confusion.is_weighted else ""
        return (
            f"With these cuts on the score, {self.criterion} is {self.value:z.3f} "
            f"({_sections.direction_as_text(self.metric)} is better) for {samples}{unit}."
        )

    def _table(self) -> Table:
        """Return the classes, the cuts below them, and how often they occur and are predicted."""
        columns = (
            Column("class"),
            Column("score from"),
            Column("true", "number", digits=0),
            Column("predicted", "number", digits=0),
        )
        rows = tuple(
            (
                str(record["class"]),
                f"{record['above']:.4g}" if np.isfinite(record["above"]) else "",
                record["true"],
                record["predicted"],
            )
            for record in self._records()
        )
        return Table("Classes between the cuts", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criterion", "value", "thresholds", and "rows": a list of dicts with the columns of
            `to_frame`. Undefined values and infinite cuts are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "criterion": self.criterion,
                "value": self.value,
                "thresholds": self.thresholds,
                "rows": self._records(),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each class, with the cuts around it and its true and predicted sizes."""
        cuts = [-np.inf, *self.thresholds.tolist(), np.inf]
        return [
            {"class": label, "above": low, "below": high, "true": true, "predicted": predicted}
            for label, low, high, true, predicted in zip(
                self.scale.labels.tolist(),
                cuts[:-1],
                cuts[1:],
                self.confusion.counts.sum(axis=1).tolist(),
                self.confusion.counts.sum(axis=0).tolist(),
                strict=True,
            )
        ]


@checks.lists_parameters
def tune_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: MetricLike = "cem_ord",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_thresholds: int = 200,
) -> TunedThresholds:
    """Choose the cuts on scores that are there, for the best value of a criterion.

    Each sample has one score, such as the prediction of a regressor, and its class depends on the
    cuts between which the score lies. The ``n_classes - 1`` cuts are chosen by the same search as
    in `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV`, which also makes the scores.

    Pass scores of samples that the model was not fitted on, such as the out-of-fold predictions of
    `sklearn.model_selection.cross_val_predict`: a model fits its own training samples too well,
    so their best cuts are not the best cuts for new samples.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes are converted to scores:
        their expected positions.
    metric : str, callable or OrdinalMetric, default="cem_ord"
        Criterion of predicted classes, in any form that `get_metric` accepts. Losses are minimised.
        Criteria that are linear in the counts, such as accuracy, mean absolute error and the
        closeness family, have exactly the best cuts; so have ratios of linear criteria, such as
        weighted kappas, up to rounding.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings. A class without samples is never predicted.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. Samples of weight 0 do not count.
    n_thresholds : int, default=200
        Number of quantiles of the score that are tried for each cut in turn if the criterion is
        not linear, and the largest number of points of each curve in the plot.

    Returns
    -------
    TunedThresholds
        The cuts, the value of the criterion with these cuts, and the counts, as text, tables and
        a plot. `TunedThresholds.predict` cuts other scores.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, fewer than two classes
        have samples, scores are not finite or all equal, the arguments differ in length, the
        criterion needs more than predicted classes or has infinite costs for classes that occur, or
        an option is invalid.

    See Also
    --------
    sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV : Make the scores, and choose the
        cuts, in cross-validation.

    Notes
    -----
    The value is the best of many for the same samples, so it is too good for new samples. To know
    how good the cuts are, use them for samples for which they were not chosen.

    If several sets of cuts have the best value of a linear criterion, the lowest cuts are chosen.
    Each cut is midway between neighbouring scores, and a score equal to a cut is above it.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.model_selection import StratifiedKFold, cross_val_predict
    >>> from sklearn_ordinal import tune_thresholds
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> out_of_fold = cross_val_predict(Ridge(), X, y, cv=StratifiedKFold())
    >>> tuned = tune_thresholds(y, out_of_fold, metric="cem_ord")
    >>> tuned.thresholds.round(2)
    array([0.76, 1.54, 2.21, 2.99])
    >>> y_pred = tuned.predict(Ridge().fit(X, y).predict(X))
    """
    (criterion,) = lookup.get_metrics([metric], argument="metric", with_direction=True)
    _wrapping.check_takes_classes("metric", criterion)
    checks.check_count("n_thresholds", n_thresholds, at_least=1)
    scores = OrdinalScores.from_scores(y_true, y_score, labels=labels, sample_weight=sample_weight)
    weights = scores.weights if scores.is_weighted else None
    by_score = ClassesByScore.from_scores(scores.y_true, scores.y_score, len(scores.scale), weights)
    n_occurring = np.count_nonzero(by_score.sizes)
    if n_occurring < 2:
        raise ValueError(
            f"y_true must have samples of at least two classes, with a positive weight, got "
            f"{n_occurring}: there is nothing to cut."
        )
    if len(by_score.scores) < 2:
        raise ValueError(
            f"y_score must have at least two different values, got {by_score.scores[0]:g} for all "
            f"samples: there is nothing to cut."
        )
    best = TunedCuts.search(by_score, criterion, scores.scale, n_thresholds)
    thresholds = best.thresholds + best.unused
    labels_in_order = scores.scale.labels
    predicted = np.searchsorted(thresholds, scores.y_score, side="right")
    confusion = OrdinalConfusion.from_predictions(
        labels_in_order[scores.y_true],
        labels_in_order[predicted],
        labels=labels_in_order,
        sample_weight=weights,
    )
    places, gains = best.along_cuts(n_thresholds)
    sign = 1.0 if criterion.greater_is_better else -1.0
    return TunedThresholds(
        scale=scores.scale,
        metric=criterion,
        thresholds=thresholds,
        value=float(criterion(confusion)),
        confusion=confusion,
        places=tuple(places),
        # A perfect loss is 0.0, not -0.0.
        values=tuple(sign * gain + 0.0 for gain in gains),
        provenance=Provenance.of_now(),
    )
