"""The ranked probability score (RPS), and its skill relative to a reference forecast."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, evidence_kinds, sampling
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import ordinal_metric
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal.metrics import _gradients


def _ranked_probability_score(forecasts: OrdinalForecasts, *, normalize: bool = False) -> Values:
    n_thresholds = forecasts.n_classes - 1
    score = arithmetic.clip_rounding(
        forecasts.mean(forecasts.shared(_forecast_losses)), 0, n_thresholds
    )
    return score / max(n_thresholds, 1) if normalize else score


def _ranked_probability_gradient(forecasts: OrdinalForecasts, *, normalize: bool = False) -> Values:
    gradient = _gradients.mean_loss_gradient(forecasts, forecasts.shared(_forecast_losses))
    return gradient / max(forecasts.n_classes - 1, 1) if normalize else gradient


def _forecast_losses(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    return _losses(forecasts.y_true, forecasts.y_proba)


def _losses(y_true: NDArray[np.intp], y_proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ranked probability score of each sample."""
    losses = np.empty(len(y_true))
    # Comparisons of small integers are faster.
    thresholds = np.arange(y_proba.shape[1] - 1, dtype=np.int16)[:, None]
    for rows in arithmetic.slices(len(y_true), arithmetic.ROWS_IN_CACHE):
        columns = y_proba[rows].T
        # Fill one contiguous row for each threshold; np.cumsum takes several times as long.
        error = np.empty((len(thresholds), columns.shape[1]))
        error[:1] = columns[:1]
        for threshold in range(1, len(thresholds)):
            np.add(error[threshold - 1], columns[threshold], out=error[threshold])
        error -= y_true[rows].astype(np.int16) <= thresholds
        error *= error
        error.sum(axis=0, out=losses[rows])
    return losses


def _bounds(n_classes: int, normalize: bool = False) -> tuple[float, float]:
    return 0.0, 1.0 if normalize else float(n_classes - 1)


def _skill(forecasts: OrdinalForecasts, *, reference: ArrayLike | None = None) -> Values:
    if reference is None:
        reference_score = _marginal_score(forecasts.class_counts)
    else:
        proba = _check_reference(reference, forecasts)
        reference_score = forecasts.mean(_losses(forecasts.y_true, proba))
    return 1 - arithmetic.divide(_ranked_probability_score(forecasts), reference_score)


def _skill_gradient(forecasts: OrdinalForecasts, *, reference: ArrayLike | None = None) -> Values:
    if reference is None:
        reference_score = _marginal_score(forecasts.class_counts)
        by_reference = _marginal_gradient(forecasts.class_counts)[..., forecasts.y_true]
    else:
        losses = _losses(forecasts.y_true, _check_reference(reference, forecasts))
        reference_score = forecasts.mean(losses)
        by_reference = _gradients.mean_loss_gradient(forecasts, losses)
    ratio = arithmetic.divide(_ranked_probability_score(forecasts), reference_score)[..., None]
    by_score = _ranked_probability_gradient(forecasts)
    return arithmetic.divide(ratio * by_reference - by_score, reference_score[..., None])


def _marginal_gradient(class_counts: NDArray[np.float64]) -> Values:
    """Return the derivatives of `_marginal_score` by the weight of a sample of each class."""
    total = class_counts.sum(axis=-1)[..., None]
    share_up_to = arithmetic.divide(class_counts.cumsum(axis=-1), total)[..., :-1]
    n_classes = class_counts.shape[-1]
    is_up_to = np.arange(n_classes)[:, None] <= np.arange(n_classes - 1)
    moved = (1 - 2 * share_up_to)[..., None, :] * (is_up_to - share_up_to[..., None, :])
    return arithmetic.divide(moved.sum(axis=-1), total)


def _marginal_score(class_counts: NDArray[np.float64]) -> Values:
    """Return the ranked probability score of forecasting the shares of the classes."""
    # Sum from both ends, so that the score is exactly 0 for a single class.
    up_to = class_counts.cumsum(axis=-1)[..., :-1]
    above = class_counts[..., ::-1].cumsum(axis=-1)[..., -2::-1]
    total = class_counts.sum(axis=-1)[..., None]
    score: Values = np.sum(
        arithmetic.divide(up_to, total) * arithmetic.divide(above, total), axis=-1
    )
    return score


def _check_reference(reference: ArrayLike, forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    """Return the reference forecast of each sample."""
    proba, shape = checks.as_class_numbers("reference", reference), forecasts.y_proba.shape
    if proba.shape not in (shape, shape[1:]):
        raise ValueError(
            f"reference must have shape {shape[1:]}, one probability for each class of the scale, "
            f"or {shape}, one row for each sample, got {proba.shape}."
        )
    rows = sampling.checked_probabilities(np.atleast_2d(proba), name="reference")
    return np.broadcast_to(rows, shape)


def _check_normalize(normalize: Any) -> None:
    checks.check_bool("normalize", normalize)


@ordinal_metric(
    _ranked_probability_score,
    name="ranked_probability_score",
    evidence="probabilities",
    greater_is_better=False,
    bounds=_bounds,
    gradient=_ranked_probability_gradient,
    check=_check_normalize,
    properties={"monotonic", "strictly monotonic", "strictly proper", "additive"},
    an_error_costs="its squared error in the probability of each threshold",
    prefer="as the criterion of probabilities on a scale whose steps all count the same",
)
def ranked_probability_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: bool = False,
) -> float:
    r"""Compute the ranked probability score (RPS), a loss.

    It is the squared error of the probability that the class is not above a threshold,
    summed over the thresholds between neighbouring classes, and averaged over the
    samples [1]_:

    .. math:: \mathrm{RPS}(p, y) = \sum_{k=0}^{K-2} (F_k - [y \le k])^2,
        \qquad F_k = \sum_{j \le k} p_j

    Unlike the Brier score, it penalises probability less if it is nearer to the true
    class. The score is strictly proper: its expected value is lowest for the true
    probabilities, and higher for all others [2]_.

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
    normalize : bool, default=False
        Whether to divide by the number of thresholds, so that the score is in [0, 1].
        Publications and packages differ in this normalisation.

    Returns
    -------
    float
        Loss in [0, n_classes - 1], or in [0, 1] if `normalize`. 0 is best.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, or rows of
        `y_proba` are not probabilities of these classes.

    See Also
    --------
    ranked_probability_skill_score : Relative to a reference forecast.
    ranked_probability_decomposition : Miscalibration and discrimination at each threshold.
    cem_ord_decision_score : The closeness of decisions based on these probabilities.

    Notes
    -----
    The score depends on the scale: each step between neighbouring classes counts the same,
    even next to a class without samples. For two classes it is the squared error of the
    probability of the higher class.

    References
    ----------
    .. [1] E. S. Epstein (1969), "A scoring system for probability forecasts of ranked
       categories", Journal of Applied Meteorology 8(6), 985-987.
    .. [2] T. Gneiting, A. E. Raftery (2007), "Strictly proper scoring rules, prediction,
       and estimation", Journal of the American Statistical Association 102(477),
       :doi:`10.1198/016214506000001437`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ranked_probability_score
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    >>> round(ranked_probability_score([0, 2, 1], y_proba), 6)
    0.356667
    """
    _check_normalize(normalize)
    statistic = partial(_ranked_probability_score, normalize=normalize)
    return evidence_kinds.PROBABILITIES.evaluate(statistic, y_true, y_proba, labels, sample_weight)


def _check_bound_reference(reference: Any) -> None:
    if reference is None:
        return
    proba = checks.as_class_numbers("reference", reference)
    if proba.ndim not in (1, 2) or not proba.size:
        raise ValueError(
            f"reference must have shape (n_classes,), one probability for each class of the scale, "
            f"or (n_samples, n_classes), one row for each sample, got {proba.shape}."
        )
    sampling.checked_probabilities(np.atleast_2d(proba), name="reference")


@ordinal_metric(
    _skill,
    evidence="probabilities",
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    gradient=_skill_gradient,
    check=_check_bound_reference,
    chance_level=0.0,
    properties={"monotonic", "strictly monotonic", "additive"},
    an_error_costs="like ranked_probability_score, relative to the reference",
    prefer="to show how much better a forecast is than the class shares or another forecast",
)
def ranked_probability_skill_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute the ranked probability skill score (RPSS).

    It is the relative reduction of the ranked probability score compared with a reference
    forecast:

    .. math:: \mathrm{RPSS} =
        1 - \frac{\mathrm{RPS}}{\mathrm{RPS}_\mathrm{reference}}

    With the class shares of the evaluated samples as the reference, it is not proper in
    small samples, because the reference depends on the true classes [1]_. With a fixed
    reference, it ranks forecasts of the same samples as the ranked probability score does.

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
    reference : array-like of shape (n_classes,) or (n_samples, n_classes), default=None
        Probabilities of the classes in the reference forecast: one set for all samples,
        such as the class shares of the training set, or a row for each sample. For a
        reference that depends on a group, index an array of shape (n_groups, n_classes) by
        the group of each sample. If None, the class shares of `y_true`.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Skill in (-inf, 1]. 1 is best; 0 is the skill of the reference. NaN with an
        `UndefinedMetricWarning` if the reference is always right, such as the class shares
        of a single class.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a class is not in `labels`, or rows of
        `y_proba` or `reference` are not probabilities of these classes.

    See Also
    --------
    ranked_probability_score : The loss itself.

    References
    ----------
    .. [1] A. H. Murphy (1973), "Hedging and skill scores for probability forecasts",
       Journal of Applied Meteorology 12(1), 215-223.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.metrics import ranked_probability_skill_score
    >>> y_true = [0, 2, 1]
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    >>> round(ranked_probability_skill_score(y_true, y_proba), 3)
    0.198
    >>> shares, group = np.array([[0.8, 0.1, 0.1], [0.2, 0.3, 0.5]]), [0, 1, 1]
    >>> reference = shares[group]
    >>> skill = ranked_probability_skill_score(y_true, y_proba, reference=reference)
    >>> round(skill, 3)
    -0.698
    """
    statistic = partial(_skill, reference=reference)
    value = evidence_kinds.PROBABILITIES.evaluate(statistic, y_true, y_proba, labels, sample_weight)
    reason = "the ranked probability score of the reference is 0"
    return checks.or_undefined(
        value, replace_undefined_by, "the ranked probability skill score", reason
    )
