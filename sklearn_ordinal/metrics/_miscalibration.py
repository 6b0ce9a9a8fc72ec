"""The ranked probability score, divided into miscalibration, discrimination and uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.isotonic import isotonic_regression

from sklearn_ordinal._core import arithmetic, checks, evidence_kinds, scales, tolerances
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views

Method = Literal["corp", "murphy"]


@dataclass(frozen=True, eq=False)
class RankedProbabilityDecomposition(Views):
    """The ranked probability score as miscalibration - discrimination + uncertainty.

    Returned by `ranked_probability_decomposition`. Its arrays have one entry for each
    threshold between two neighbouring classes, from the lowest to the highest. In text and
    pages, a threshold is named by the classes above it.

    Parameters
    ----------
    labels : ndarray of shape (n_classes,)
        The classes from the lowest to the highest.
    miscalibration : ndarray of shape (n_classes - 1,)
        Loss due to forecasts that differ from the frequency of the event. 0 is best.
    discrimination : ndarray of shape (n_classes - 1,)
        Gain of the recalibrated forecasts over a constant forecast. Higher is better, at most
        `uncertainty`.
    uncertainty : ndarray of shape (n_classes - 1,)
        Score of the best constant forecast, which depends on the true classes alone.
    method : {"corp", "murphy"}
        How the forecasts are recalibrated.

    See Also
    --------
    ranked_probability_decomposition : From probabilities.
    ranked_probability_score : The score alone.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ranked_probability_decomposition
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3]]
    >>> print(ranked_probability_decomposition([0, 1, 2, 2], y_proba))
    The score is 0.250, with miscalibration 0.125, discrimination 0.312 and
    uncertainty 0.438.
    <BLANKLINE>
    Score = miscalibration - discrimination + uncertainty
    threshold  miscalibration  discrimination  uncertainty  score
    above '0'           0.063           0.188        0.188  0.063
    above '1'           0.062           0.125        0.250  0.188
    <BLANKLINE>
    sum                 0.125           0.312        0.438  0.250
    """

    labels: NDArray[Any]
    miscalibration: NDArray[np.float64]
    discrimination: NDArray[np.float64]
    uncertainty: NDArray[np.float64]
    method: Method

    @property
    def scores(self) -> NDArray[np.float64]:
        """Mean squared error of the forecasts of each threshold, of shape (n_classes - 1,)."""
        return self.miscalibration - self.discrimination + self.uncertainty

    @property
    def score(self) -> float:
        """The ranked probability score, the sum over the thresholds."""
        return float(self.scores.sum())

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            A table with a row for each threshold and their sum.
        """
        rows = [tuple(record.values()) for record in self._records()]
        total = tuple(part.sum().item() for part in self._parts.values())
        table = Table(
            "Score = miscalibration - discrimination + uncertainty",
            (Column("threshold"), *(Column(name, "number") for name in self._parts)),
            tuple(rows),
            (("sum", *total),),
        )
        *parts, score = total
        names = list(self._parts)[:-1]
        in_words = formatting.names_in_words(
            [f"{name} {part:z.3f}" for name, part in zip(names, parts, strict=True)]
        )
        return Document(
            "Decomposition of the ranked probability score",
            (table,),
            verdict=(Note(f"The score is {score:z.3f}, with {in_words}."),),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            Lists with one entry for each threshold, keyed by the name of the attribute, and
            the score.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "method": self.method,
                "labels": self.labels,
                **self._parts,
            }
        )
        return numbers

    @property
    def _parts(self) -> dict[str, NDArray[np.float64]]:
        return {
            "miscalibration": self.miscalibration,
            "discrimination": self.discrimination,
            "uncertainty": self.uncertainty,
            "score": self.scores,
        }

    def _records(self) -> list[dict[str, Any]]:
        names = scales.threshold_names(self.labels.tolist())
        columns = [names, *(part.tolist() for part in self._parts.values())]
        keys = ("threshold", *self._parts)
        return [dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)]


class _Parts(NamedTuple):
    miscalibration: NDArray[np.float64]
    discrimination: NDArray[np.float64]
    uncertainty: NDArray[np.float64]


def ranked_probability_decomposition(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    method: Method = "corp",
) -> RankedProbabilityDecomposition:
    r"""Decompose the ranked probability score by threshold.

    For each threshold, the event is that the class is not above it, and the score is the mean
    squared error of the forecasts of this event. It is split into

    .. math:: \mathrm{RPS} = \mathrm{MCB} - \mathrm{DSC} + \mathrm{UNC}

    Let :math:`S` be the score of the forecasts, :math:`S_C` the score of the recalibrated
    forecasts, and :math:`S_R` the score of always forecasting the share of the event. Then
    miscalibration is :math:`S - S_C`, discrimination :math:`S_R - S_C` and uncertainty
    :math:`S_R`. None of them is negative.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_proba : array-like of shape (n_samples, n_classes)
        Predicted probabilities of the classes, from the lowest to the highest.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    method : {"corp", "murphy"}, default="corp"
        How forecasts are recalibrated. "corp": separately at each threshold, by isotonic
        regression of the event on the forecast [1]_; it needs no bins. "murphy": by the class
        shares among the samples whose forecasts of all classes are equal [2]_. "murphy" is
        meant for few distinct forecasts: if no two samples have the same forecast,
        miscalibration is the whole score and discrimination equals uncertainty. Forecasts
        are rounded to 12 digits.

    Returns
    -------
    RankedProbabilityDecomposition
        The parts, as arrays of shape (n_classes - 1,).

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, or rows of
        `y_proba` are not probabilities of these classes.

    See Also
    --------
    ranked_probability_score : The score alone.

    Notes
    -----
    Recalibrated forecasts of different thresholds may contradict each other: the
    probability of being at most in the second class may fall below the probability of being
    in the first class. Use them to diagnose forecasts, not to make forecasts. They are
    fitted to the same samples that they are scored on, so miscalibration and discrimination
    are too high for few samples.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams
       for probabilistic classifiers", PNAS 118(8), :doi:`10.1073/pnas.2016191118`.
    .. [2] A. H. Murphy (1973), "A new vector partition of the probability score", Journal
       of Applied Meteorology 12(4), 595-600.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ranked_probability_decomposition
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3]]
    >>> parts = ranked_probability_decomposition([0, 1, 2, 2], y_proba)
    >>> parts.miscalibration.round(3)
    array([0.063, 0.062])
    """
    checks.check_choice("method", method, Method)
    forecasts = evidence_kinds.PROBABILITIES.read(
        y_true, y_proba, labels=labels, sample_weight=sample_weight
    )
    decompose = decomposition_per_threshold if method == "corp" else _decompose_by_vectors
    return RankedProbabilityDecomposition(
        forecasts.scale.labels, *decompose(forecasts), method=method
    )


def decomposition_per_threshold(forecasts: OrdinalForecasts) -> _Parts:
    """Recalibrate each threshold by itself, as CORP does."""
    y_true, y_proba, weight = forecasts.y_true, forecasts.y_proba, forecasts.weights
    if forecasts.is_weighted and not weight.all():
        counted = weight > 0
        y_true, y_proba, weight = y_true[counted], y_proba[counted], weight[counted]
    parts = _Parts(*np.empty((3, forecasts.n_classes - 1)))
    cumulated = np.zeros(len(y_true))
    for threshold in range(forecasts.n_classes - 1):
        cumulated += y_proba[:, threshold]
        forecast, event = cumulated.round(tolerances.DIGITS_OF_PROBABILITIES), y_true <= threshold
        fit = _recalibrate(forecast, event, weight)
        total = fit.weight.sum()
        share = fit.weight @ fit.share / total
        # The mean of the events with the same recalibrated probability is that probability.
        recalibrated_score = fit.weight @ (fit.recalibrated * (1 - fit.recalibrated)) / total
        score = weight @ (forecast - event) ** 2 / total
        parts.miscalibration[threshold] = score - recalibrated_score
        parts.discrimination[threshold] = fit.weight @ (fit.recalibrated - share) ** 2 / total
        parts.uncertainty[threshold] = share * (1 - share)
    # Rounding errors may make the miscalibration of calibrated forecasts negative.
    return parts._replace(miscalibration=np.maximum(parts.miscalibration, 0))


class _Recalibrated(NamedTuple):
    """Distinct forecasts of an event, in increasing order, and their isotonic recalibration.

    All arrays have shape (n_forecasts,). The weighted means of `share` and `recalibrated` are
    equal in each run of equal recalibrated probabilities.
    """

    forecast: NDArray[np.float64]
    recalibrated: NDArray[np.float64]
    share: NDArray[np.float64]
    """The frequency of the event."""
    weight: NDArray[np.float64]


def _recalibrate(
    forecast: NDArray[np.float64], event: NDArray[np.bool_], weight: NDArray[np.float64]
) -> _Recalibrated:
    """Fit a non-decreasing function of the forecast to the frequency of the event.

    `weight` is positive. Equal forecasts are pooled first, so the result is a function of the
    forecast; the pool-adjacent-violators algorithm alone would use the order of the rows.
    """
    order = np.argsort(forecast)
    forecast = forecast[order]
    first = arithmetic.run_starts(forecast)
    weight = weight[order]
    weights = np.add.reduceat(weight, first)
    share = np.add.reduceat(weight * event[order], first) / weights
    recalibrated = isotonic_regression(share, sample_weight=weights)
    return _Recalibrated(forecast[first], recalibrated, share, weights)


def _decompose_by_vectors(forecasts: OrdinalForecasts) -> _Parts:
    """Recalibrate each distinct forecast to the shares of its classes, as Murphy does."""
    n_classes = forecasts.n_classes
    # Adding zero turns -0.0 into 0.0.
    distinct, group = np.unique(
        forecasts.y_proba.round(tolerances.DIGITS_OF_PROBABILITIES) + 0.0,
        axis=0,
        return_inverse=True,
    )
    cells = group.reshape(-1) * n_classes + forecasts.y_true
    counts = np.bincount(cells, forecasts.weights, minlength=distinct.size)
    counts = counts.reshape(distinct.shape)
    counts, distinct = counts[counts.any(axis=1)], distinct[counts.any(axis=1)]
    weight = counts.sum(axis=1)
    total = weight.sum()
    shares = (counts.cumsum(axis=1) / weight[:, None])[:, :-1]
    overall = (counts.sum(axis=0).cumsum() / total)[:-1]
    return _Parts(
        miscalibration=weight @ (distinct.cumsum(axis=1)[:, :-1] - shares) ** 2 / total,
        discrimination=weight @ (shares - overall) ** 2 / total,
        uncertainty=overall * (1 - overall),
    )
