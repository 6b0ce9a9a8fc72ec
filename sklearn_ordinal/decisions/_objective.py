"""The smooth decision score of CEM_ORD as an objective of gradient boosting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from sklearn_ordinal._core import (
    as_numbers,
    check_same_length,
    check_weights,
    is_real,
    shown,
)
from sklearn_ordinal.metrics import closeness_costs

Derivatives = tuple[NDArray[np.float64], NDArray[np.float64]]

# Leaf values are gradients divided by Hessians, which vanish where probabilities are near 0 or 1.
_SMALLEST_HESSIAN = 1e-3


def cem_objective(
    class_counts: ArrayLike, *, temperature: float = 0.5
) -> Callable[..., Derivatives]:
    r"""Make an objective for LightGBM and XGBoost: the smooth decision score of CEM_ORD.

    The loss of probabilities :math:`p` is the cost of their decisions in bits. The decision is
    not the single class with the lowest expected cost, but a softmax over the classes. With the
    costs :math:`D` of `closeness_costs`, rows true, expected costs
    :math:`c_i = \sum_j p_j D_{ji}` and :math:`s = \mathrm{softmax}(-c / t)` at the temperature
    :math:`t`, it is

    .. math:: L(p, y) = -t \log \sum_i e^{-c_i / t} + \sum_i s_i (D_{yi} - c_i)

    It is strictly proper for each :math:`t > 0`: the true probabilities have the lowest
    expected loss. As :math:`t` decreases, the loss approaches the cost of the decisions,
    and its gradient vanishes for samples with a clear decision.

    Compare it with training on log loss and deciding with `OptimalDecisionClassifier`, which is
    often as good and always simpler.

    Parameters
    ----------
    class_counts : array-like of shape (n_classes,)
        Number, or weight, of the training samples of each class, from the lowest class to the
        highest, all positive. They are fixed: counts of a mini-batch or of a resample would
        make the loss of a sample depend on the other samples.
    temperature : float, default=0.5
        Temperature in bits.

    Returns
    -------
    callable
        Function ``objective(y_true, raw, sample_weight=None)`` of the positions 0 to
        n_classes - 1 of the true classes and of raw scores (logits) of shape (n_samples,
        n_classes), that returns the gradient and the diagonal Hessian of the loss with respect
        to the raw scores, both of shape (n_samples, n_classes). The Hessian is the expected
        Hessian under the probabilities of the model, and at least 0.001, so it is positive.

    Raises
    ------
    ValueError
        If `class_counts` are not positive and finite or `temperature` is not a positive number.
        The objective also raises it if `y_true` does not contain positions, `raw` is not
        finite, or shapes do not match.

    See Also
    --------
    CemBoostingClassifier : A classifier that trains LightGBM with it.
    OptimalDecisionClassifier : Optimise the decisions of any classifier for CEM_ORD.
    sklearn_ordinal.metrics.closeness_costs : The costs in bits.

    Notes
    -----
    Both packages encode labels as positions among the sorted classes that occur, so the classes
    must be sorted by their order, as integers are, and `class_counts` must not contain a class
    that the training labels lack.

    For two classes, both packages use a single raw score for each sample, which raises an
    error.

    With a custom objective, LightGBM does not start from the average: pass the logarithms of the
    class shares as ``init_score``, one row for each sample, and add them to its raw scores. Its
    `predict_proba` returns raw scores, which need a softmax. `CemBoostingClassifier` does all of
    this. In XGBoost, `predict_proba` returns probabilities; its default ``min_child_weight=1`` is
    compared with a sum of Hessians, and is large for this loss.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.decisions import cem_objective
    >>> objective = cem_objective([3, 3, 4], temperature=0.5)
    >>> gradient, hessian = objective([0], np.log([[0.5, 0.3, 0.2]]))
    >>> gradient.round(4), (hessian > 0).all()
    (array([[-0.5141,  0.32  ,  0.1941]]), np.True_)
    """
    costs = closeness_costs(class_counts)
    if costs.ndim != 2 or not np.isfinite(costs).all():
        raise ValueError(
            f"class_counts must have shape (n_classes,) and be positive, got "
            f"{shown(class_counts)}: leave out the classes that the training labels lack."
        )
    if not is_real(temperature) or not 0 < temperature < np.inf:
        raise ValueError(f"temperature must be a positive number, got {shown(temperature)}.")
    return _CemObjective(costs, float(temperature))


@dataclass(frozen=True, eq=False)
class _CemObjective:
    """The objective, an object rather than a closure, so that models can be cloned and pickled."""

    costs: NDArray[np.float64]
    temperature: float

    # LightGBM passes the weights by position, and XGBoost by the name sample_weight.
    def __call__(
        self, y_true: ArrayLike, raw: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Derivatives:
        raw = as_numbers("raw", raw).astype(np.float64, copy=False)
        of_truth = self.costs[self._positions(y_true, raw)]
        p = softmax(raw, axis=1)
        expected = p @ self.costs
        s = softmax(-expected / self.temperature, axis=1)
        # The product of `shift` and the costs is the curvature of the loss in p times the
        # difference between p and the truth.
        shift = s * _centred(expected - of_truth, s) / self.temperature
        gradient = p * _centred(shift @ self.costs.T, p)
        hessian = p**2 * self._variances(expected, s) / self.temperature
        hessian = np.maximum(hessian, _SMALLEST_HESSIAN)
        if sample_weight is not None:
            weight = check_weights("sample_weight", sample_weight, len(raw))[:, None]
            gradient, hessian = gradient * weight, hessian * weight
        return gradient, hessian

    def _variances(
        self, expected: NDArray[np.float64], s: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return, for each true class, the variance of its excess cost under s."""
        weighted = s * expected
        mean = s @ self.costs.T - weighted.sum(axis=1, keepdims=True)
        of_squares = (
            s @ (self.costs**2).T
            - 2 * weighted @ self.costs.T
            + (weighted * expected).sum(axis=1, keepdims=True)
        )
        variances: NDArray[np.float64] = np.maximum(of_squares - mean**2, 0)
        return variances

    def _positions(self, y_true: ArrayLike, raw: NDArray[np.float64]) -> NDArray[np.intp]:
        n_classes = len(self.costs)
        if raw.ndim != 2 or raw.shape[1] != n_classes:
            raise ValueError(
                f"raw must have shape (n_samples, {n_classes}), a column for each of class_counts, "
                f"got {raw.shape}."
            )
        if not np.isfinite(raw).all():
            raise ValueError("raw must be finite, got NaN or infinite values.")
        labels = as_numbers("y_true", y_true)
        if labels.ndim != 1:
            raise ValueError(f"y_true must be one-dimensional, got shape {labels.shape}.")
        check_same_length({"y_true": len(labels), "raw": len(raw)})
        is_position = (labels >= 0) & (labels < n_classes) & (labels == np.floor(labels))
        if not is_position.all():
            raise ValueError(
                f"y_true must hold positions of classes from 0 to {n_classes - 1}, got "
                f"{shown(labels[~is_position][0].item())}."
            )
        positions: NDArray[np.intp] = labels.astype(np.intp)
        return positions


def _centred(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the weighted mean of each row."""
    centred: NDArray[np.float64] = values - (weights * values).sum(axis=1, keepdims=True)
    return centred
