"""Closeness of probabilities and of decisions based on them, unimodality, and proper scores.

The logarithmic loss and the Brier score are functions of scikit-learn, computed from forecasts.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import brier_score_loss, log_loss

from sklearn_ordinal._core import arithmetic, catalogue, evidence_kinds, tolerances
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric, ordinal_metric
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal.metrics import _closeness, _cost, _gradients


def _expected_cem_ord(
    forecasts: OrdinalForecasts, *, class_counts: ArrayLike | None = None
) -> Values:
    return _closeness.cem_ord_from_counts(
        forecasts.to_confusion().counts, class_counts=class_counts
    )


def _expected_cem_ord_gradient(
    forecasts: OrdinalForecasts, *, class_counts: ArrayLike | None = None
) -> Values:
    counts = forecasts.to_confusion().counts
    by_cell = _closeness.cem_ord_gradient(counts, class_counts=class_counts)
    gradient = np.empty(forecasts.weights.shape)
    # A sample counts in every class with the probability of that class.
    for true in range(forecasts.n_classes):
        members = np.flatnonzero(forecasts.y_true == true)
        gradient[..., members] = by_cell[..., true, :] @ forecasts.y_proba[members].T
    return gradient


def _decision_score(
    forecasts: OrdinalForecasts, *, class_counts: ArrayLike | None = None
) -> Values:
    """Return the CEM_ORD of the classes with the lowest expected cost."""
    sizes = forecasts.class_counts
    reference = _closeness.check_reference(class_counts, sizes)
    # Costs are in bits, but closeness has natural logarithms here.
    of_perfect = (sizes * _closeness.perfect_closeness(reference, sizes)).sum(axis=-1) / np.log(2)
    return np.maximum(1 - arithmetic.divide(_total_lost(forecasts, reference), of_perfect), 0)


def _total_lost(forecasts: OrdinalForecasts, reference: NDArray[np.float64]) -> Values:
    """Return the total cost of decisions, given reference sizes of the classes.

    The sizes have shape (n_classes,), or (..., n_classes) if each resample has its own. A class
    of size 0 is never predicted. Its probability does not matter either, since no sample
    with a positive weight belongs to it; samples of weight 0 cost 0 instead of infinity.
    """
    stack, n_classes = reference.shape[:-1], reference.shape[-1]
    reference = reference.reshape(-1, n_classes)
    bits = _closeness.costs_in_bits(reference, "ordinal")
    costs = _cost.without_rounding_errors(np.where(reference[..., None] > 0, bits, 0))
    is_candidate = reference > 0
    if not stack:
        return forecasts.total(_bits_lost(forecasts, costs, is_candidate)[0])
    weights = forecasts.weights.reshape(len(reference), -1)
    total = np.zeros(len(reference))
    for resamples in arithmetic.slices(
        len(reference), arithmetic.ROWS_IN_CACHE // forecasts.n_samples
    ):
        bits = _bits_lost(forecasts, costs[resamples], is_candidate[resamples])
        total[resamples] = np.einsum("ij,ij->i", weights[resamples], bits)
    return total.reshape(stack)


def _bits_lost(
    forecasts: OrdinalForecasts, costs: NDArray[np.float64], is_candidate: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the cost of the decision for each sample: (n_costs, n_samples)."""
    decided = _cost.least_cost_decisions(forecasts.y_proba, costs, is_candidate)
    matrix = np.arange(len(costs))[:, None]
    bits: NDArray[np.float64] = costs[matrix, forecasts.y_true, decided]
    return bits


def _unimodality(forecasts: OrdinalForecasts) -> Values:
    return arithmetic.clip_rounding(forecasts.mean(forecasts.shared(_is_unimodal)), 0, 1)


def _unimodality_gradient(forecasts: OrdinalForecasts) -> Values:
    return _gradients.mean_loss_gradient(forecasts, forecasts.shared(_is_unimodal))


def _is_unimodal(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    """Return 1 for each sample whose probabilities have a single peak, else 0."""
    steps = np.diff(forecasts.y_proba, axis=1)
    has_fallen = np.logical_or.accumulate(steps < -tolerances.SAME_PROBABILITY, axis=1)
    rises_again = has_fallen[:, :-1] & (steps[:, 1:] > tolerances.SAME_PROBABILITY)
    return np.asarray(~rises_again.any(axis=1), dtype=np.float64)


@ordinal_metric(
    _expected_cem_ord,
    evidence="probabilities",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_expected_cem_ord_gradient,
    check=_closeness.check_bound_class_counts,
    properties={"invariant", "monotonic", "strictly monotonic", "imbalance", "additive"},
    an_error_costs="like cem_ord, times the probability of the wrong class",
    prefer="if classes are sampled from the probabilities; it rewards overconfidence",
)
def expected_cem_ord_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    class_counts: ArrayLike | None = None,
) -> float:
    r"""Compute the expected CEM_ORD of classes that are sampled from the probabilities.

    This is the `cem_ord_score` [1]_ of soft counts: each sample counts in every class with
    the probability of that class. With the costs :math:`D` in bits of `closeness_costs` and
    the shares :math:`f` of the true classes,

    .. math:: 1 - \frac{\sum_d \sum_i p_{di} D_{y_d i}}{\sum_d (1 - \log_2 f_{y_d})}

    It is not proper: since it is linear in the probabilities, the best forecast is certain
    of one class, regardless of the true probabilities. Do not select or train models with
    it; `cem_ord_decision_score` is the closeness of the best decisions based on the same
    probabilities.

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
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as the
        training set. If None, the distribution in `y_true`.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, rows of
        `y_proba` are not probabilities of these classes, or `class_counts` has no sample of
        a class that occurs in `y_true`.

    See Also
    --------
    cem_ord_decision_score : The closeness of the best decisions.
    cem_ord_score : The closeness of predicted classes.
    OrdinalConfusion.from_probabilities : The soft counts.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import expected_cem_ord_score
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    >>> round(expected_cem_ord_score([0, 2, 1], y_proba), 3)
    0.604
    """
    statistic = partial(_expected_cem_ord, class_counts=class_counts)
    return evidence_kinds.PROBABILITIES.evaluate(statistic, y_true, y_proba, labels, sample_weight)


@ordinal_metric(
    _decision_score,
    evidence="probabilities",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_closeness.check_bound_class_counts,
    properties={"invariant", "imbalance", "additive"},
    an_error_costs="like cem_ord, for the class with the lowest expected cost",
    prefer="to compare probabilities with predicted classes, on the scale of cem_ord",
    exceptions={
        "reversal": "if several classes have the lowest expected cost, the lowest is predicted"
    },
    interval_method="percentile",
)
def cem_ord_decision_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    class_counts: ArrayLike | None = None,
) -> float:
    r"""Compute the CEM_ORD of the best decisions based on these probabilities.

    For each sample, the class with the lowest expected cost is predicted, given the costs
    :math:`D` in bits of `closeness_costs`, and the predictions are scored with `cem_ord_score`
    [1]_:

    .. math:: i^*(p) = \arg\min_i \sum_j p_j D_{ji}, \qquad
        1 - \frac{\sum_d D_{y_d i^*(p_d)}}{\sum_d (1 - \log_2 f_{y_d})}

    where :math:`f` are the shares of the classes in the distribution that defines closeness.

    The class with the lowest expected cost is not always the most probable one, nor the median:
    a small class attracts predictions, since errors in it cost more. If several classes
    have the lowest expected cost, the lowest class is predicted.

    The cost in bits is a proper score of the probabilities, but not a strictly proper one,
    if `class_counts` are fixed in advance: no forecast costs less in expectation than the
    true probabilities, but all forecasts that lead to the same decisions cost the same [2]_.
    The returned score divides by what perfect predictions earn, which depends on the true
    classes, so it is only asymptotically proper. With ``class_counts=None`` the costs depend on
    the true classes as well, and a dishonest forecast can score higher in small samples.

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
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as the
        training set, both for the decisions and for their score. If None, the distribution in
        `y_true`. A class without samples is never predicted.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, rows of
        `y_proba` are not probabilities of these classes, or `class_counts` has no sample of
        a class that occurs in `y_true`.

    See Also
    --------
    expected_cem_ord_score : The closeness of classes sampled from the probabilities.
    ranked_probability_score : A strictly proper score.
    cem_ord_score : The closeness of predicted classes.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.
    .. [2] A. P. Dawid (2007), "The geometry of proper scoring rules", Annals of the
       Institute of Statistical Mathematics 59(1), :doi:`10.1007/s10463-006-0099-8`.

    Examples
    --------
    The highest class is rare enough to be predicted for the first sample:

    >>> from sklearn_ordinal.metrics import cem_ord_decision_score, cem_ord_score
    >>> y_proba = [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]
    >>> cem_ord_decision_score([2, 0], y_proba, class_counts=[60, 30, 10])
    1.0
    >>> cem_ord_score([2, 0], [1, 0], class_counts=[60, 30, 10])
    0.6167...
    """
    statistic = partial(_decision_score, class_counts=class_counts)
    return evidence_kinds.PROBABILITIES.evaluate(statistic, y_true, y_proba, labels, sample_weight)


@ordinal_metric(
    _unimodality,
    evidence="probabilities",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_unimodality_gradient,
    properties={"additive"},
    an_error_costs="1 if the probabilities fall and rise again; the truth does not matter",
    prefer="to describe forecasts, not to rank them",
)
def unimodality_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the share of samples whose probabilities have a single peak.

    Along the scale, the probabilities of a class do not rise again after they have fallen
    [1]_. Flat peaks and uniform probabilities count as a single peak, as do the
    probabilities of two classes. Differences up to 1e-12 are treated as rounding errors.

    It is not a scoring rule, proper or not: it does not depend on the true classes, except
    through the weights of their samples. True conditional probabilities often have several
    peaks, so a higher value is not better in itself.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes, used only for the scale.
    y_proba : array-like of shape (n_samples, n_classes)
        Predicted probabilities of the classes, from the lowest to the highest.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Share in [0, 1]. 1 is best if the forecasts are meant to have a single peak.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, or rows of
        `y_proba` are not probabilities of these classes.

    See Also
    --------
    ranked_probability_score : A strictly proper score.

    References
    ----------
    .. [1] J. F. Pinto da Costa, H. Alonso, J. S. Cardoso (2008), "The unimodal model for
       the classification of ordinal data", Neural Networks 21(1),
       :doi:`10.1016/j.neunet.2007.10.003`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import unimodality_score
    >>> unimodality_score([0, 2], [[0.1, 0.6, 0.3], [0.4, 0.1, 0.5]])
    0.5
    """
    return evidence_kinds.PROBABILITIES.evaluate(
        _unimodality, y_true, y_proba, labels, sample_weight
    )


def _log_loss(forecasts: OrdinalForecasts) -> Values:
    return forecasts.mean(forecasts.shared(_logarithms))


def _log_loss_gradient(forecasts: OrdinalForecasts) -> Values:
    return _gradients.mean_loss_gradient(forecasts, forecasts.shared(_logarithms))


def _logarithms(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    of_true = forecasts.y_proba[np.arange(forecasts.n_samples), forecasts.y_true]
    # As in scikit-learn, a true class with probability 0 costs 36 instead of infinity. In
    # scikit-learn it costs 16 if the array is float32, but then the loss would change once the
    # probabilities are saved as text.
    smallest = np.finfo(np.float64).eps
    return -np.log(np.clip(of_true, smallest, 1 - smallest))


def _brier_score(forecasts: OrdinalForecasts) -> Values:
    score = arithmetic.clip_rounding(forecasts.mean(forecasts.shared(_squared_errors)), 0, 2)
    # As in scikit-learn: with two classes, both have the same error, which counts once.
    return score / 2 if forecasts.n_classes == 2 else score


def _brier_score_gradient(forecasts: OrdinalForecasts) -> Values:
    gradient = _gradients.mean_loss_gradient(forecasts, forecasts.shared(_squared_errors))
    return gradient / 2 if forecasts.n_classes == 2 else gradient


def _squared_errors(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    rows, y_proba = np.arange(forecasts.n_samples), forecasts.y_proba
    squares = np.einsum("ij,ij->i", y_proba, y_proba)
    errors: NDArray[np.float64] = squares + 1 - 2 * y_proba[rows, forecasts.y_true]
    # Rounding errors may make the error of a perfect forecast negative.
    return np.maximum(errors, 0)


def _brier_score_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, 1.0 if n_classes == 2 else 2.0


catalogue.add_to_catalogue(
    OrdinalMetric(
        "log_loss",
        _log_loss,
        log_loss,
        greater_is_better=False,
        value_range=(0.0, math.inf),
        properties={"invariant", "monotonic", "strictly proper", "additive"},
        gradient=_log_loss_gradient,
        evidence=evidence_kinds.PROBABILITIES,
        an_error_costs="the logarithm of the probability of the true class",
        prefer="if a class with probability 0 must not occur; ignores the order",
    )
)
catalogue.add_to_catalogue(
    OrdinalMetric(
        "brier_score",
        _brier_score,
        brier_score_loss,
        greater_is_better=False,
        value_range=_brier_score_bounds,
        properties={"strictly proper", "additive"},
        gradient=_brier_score_gradient,
        evidence=evidence_kinds.PROBABILITIES,
        an_error_costs="the squared error of each probability",
        prefer="if all confusions of classes are equally bad; ignores the order",
    )
)
