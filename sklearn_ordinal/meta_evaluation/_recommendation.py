"""Recommend criteria that meet given needs, and compute the costs of errors for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    PROBABILITIES,
    ByMetric,
    Kind,
    MetricLike,
    MetricsLike,
    as_numbers,
    check_target_names,
    class_sizes,
    get_metrics,
    is_several,
    repeated,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.meta_evaluation._error_losses import error_losses, worst_error_shares
from sklearn_ordinal.meta_evaluation._needs import Candidate, Finding, Need, check_needs, judge
from sklearn_ordinal.meta_evaluation._recommendation_document import (
    recommendation_document,
    recommendation_notes,
)
from sklearn_ordinal.plotting import ErrorCostDisplay

# Default number of criteria whose costs are shown.
_MOST_SHOWN = 6


@dataclass(frozen=True, eq=False)
class MetricRecommendation(Views):
    """Criteria that meet given needs, and the cost of each error for each criterion.

    `recommend_metrics` returns an instance of this class. Criteria that meet more of the needs
    come first.

    Parameters
    ----------
    needs : tuple of str
        The needs.
    metrics : tuple of str
        Names of the criteria, starting with those that meet the most needs.
    labels : tuple of str
        Names of the classes, from the lowest to the highest.
    class_counts : ndarray of shape (n_classes,)
        Number, or weight, of the samples of each class.
    evidence : tuple of str
        The predictions that each criterion evaluates: "labels", "probabilities" or "scores".
    meets : ndarray of shape (n_metrics, n_needs)
        Whether each criterion meets each need.
    reasons : tuple of tuple of str
        The fact that decides whether a criterion meets a need, for each criterion and need.
    losses : ndarray of shape (n_metrics, n_classes, n_classes)
        The loss of each criterion, in its unit, if one sample of a true class (rows) is
        predicted as another class (columns) and all other predictions are correct. NaN
        where it is undefined or the class has no samples.
    notes : tuple of str
        Notes on the classes.

    Attributes
    ----------
    recommended : tuple of str
        Names of the criteria that meet every need.
    shown : tuple of str
        Names of the criteria whose costs are shown: up to six of the criteria that miss the fewest
        needs.
    missed : dict of tuple of str
        The needs that each criterion misses.
    costs : ndarray of shape (n_metrics, n_classes, n_classes)
        The losses as shares of the largest loss of the same criterion; 0 if no error costs
        anything.

    See Also
    --------
    recommend_metrics : Recommend criteria for the classes of the samples.
    sklearn_ordinal.plotting.ErrorCostDisplay : Plot the costs.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import recommend_metrics
    >>> found = recommend_metrics([0, 0, 0, 0, 1, 1, 2], needs=["order only", "small classes"])
    >>> found.recommended
    ('cem_ord',)
    >>> found.missed["accuracy"]
    ('order only', 'small classes')
    >>> found.costs[0].round(2)
    array([[0.  , 0.4 , 0.51],
           [0.6 , 0.  , 0.4 ],
           [1.  , 0.6 , 0.  ]])
    """

    needs: tuple[str, ...]
    metrics: tuple[str, ...]
    labels: tuple[str, ...]
    class_counts: NDArray[Any]
    evidence: tuple[str, ...]
    meets: NDArray[np.bool_]
    reasons: tuple[tuple[str, ...], ...]
    losses: NDArray[np.float64]
    notes: tuple[str, ...]

    @property
    def recommended(self) -> tuple[str, ...]:
        """Names of the criteria that meet every need."""
        return self._missing(0)

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the criteria whose costs are shown, which miss the fewest needs."""
        return self._missing(self._fewest_missed)[:_MOST_SHOWN]

    @property
    def missed(self) -> dict[str, tuple[str, ...]]:
        """The needs that each criterion misses."""
        return {
            name: tuple(need for need, is_met in zip(self.needs, row, strict=True) if not is_met)
            for name, row in zip(self.metrics, self.meets, strict=True)
        }

    @property
    def costs(self) -> NDArray[np.float64]:
        """The losses as shares of the largest loss of the same criterion."""
        return worst_error_shares(self.losses)

    def plot(
        self, ax: Any = None, *, metrics: MetricLike | Iterable[MetricLike] | None = None
    ) -> ErrorCostDisplay:
        """Draw the costs of errors for several criteria side by side.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        metrics : str, callable or iterable of them, default=None
            A selection of the criteria of the recommendation. If None, up to six of the criteria
            that meet every need, or that meet the most needs if none meets all.

        Returns
        -------
        ErrorCostDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If ``metrics`` is empty, repeats a criterion, or contains a criterion that is not in
            the recommendation.
        """
        names: Sequence[str] = self.shown
        if metrics is not None:
            by_metric = ByMetric(dict.fromkeys(self.metrics))
            several: Any = metrics if is_several(metrics) else [metrics]
            names = [by_metric.name_of(metric, "metrics") for metric in several]
            twice = repeated(names)
            if not names or twice:
                problem = f"{twice[0]!r} more than once" if twice else "none"
                raise ValueError(
                    f"metrics must name at least one criterion, and each once, got {problem}."
                )
        costs = dict(zip(self.metrics, self.costs, strict=True))
        return ErrorCostDisplay(
            {name: costs[name] for name in names}, target_names=self.labels
        ).plot(ax)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The criteria with reasons, the costs of errors as a table and as plots, and all
            other criteria as a detail.
        """
        return recommendation_document(self)

    def _missing(self, n_missed: int) -> tuple[str, ...]:
        """Return the names of the criteria that miss a number of needs."""
        return tuple(name for name, missed in self.missed.items() if len(missed) == n_missed)

    @property
    def _fewest_missed(self) -> int:
        """The number of needs that the first criterion misses; no other criterion misses fewer."""
        return int((~self.meets[0]).sum())

    def _records(self) -> list[dict[str, Any]]:
        numbers = self.to_dict()["criteria"]
        return [
            {
                "criterion": name,
                "class": true,
                "predicted": predicted,
                "loss": numbers[name]["losses"][true][predicted],
                "cost": numbers[name]["costs"][true][predicted],
            }
            for name in self.metrics
            for true, predicted in permutations(self.labels, 2)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "needs" and "recommended" are lists of names, "class_counts" is a dict of numbers,
            and "notes" a list of sentences. "criteria" maps the name of each criterion to a
            dict with "evidence", "meets" and "reasons" by need, and "losses" and "costs" by
            true and predicted class. Undefined values are None.
        """
        criteria = {}
        for i, (name, costs) in enumerate(zip(self.metrics, self.costs, strict=True)):
            criteria[name] = {
                "evidence": self.evidence[i],
                "meets": dict(zip(self.needs, self.meets[i].tolist(), strict=True)),
                "reasons": dict(zip(self.needs, self.reasons[i], strict=True)),
                "losses": self._by_class(self.losses[i]),
                "costs": self._by_class(costs),
            }
        numbers: dict[str, Any] = plain(
            {
                "needs": list(self.needs),
                "class_counts": dict(zip(self.labels, self.class_counts.tolist(), strict=True)),
                "recommended": list(self.recommended),
                "notes": list(self.notes),
                "criteria": criteria,
            }
        )
        return numbers

    def _by_class(self, matrix: NDArray[np.float64]) -> dict[str, dict[str, float]]:
        return {
            label: dict(zip(self.labels, row, strict=True))
            for label, row in zip(self.labels, matrix.tolist(), strict=True)
        }


def recommend_metrics(
    y: ArrayLike,
    *,
    needs: str | Sequence[str],
    metrics: MetricsLike = "all",
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
) -> MetricRecommendation:
    """Recommend criteria that meet given needs, and compute the costs of errors for each criterion.

    Whether a criterion meets a need is decided by its recorded properties, which
    `check_properties` tests, or by the costs of errors on the classes of `y`. An error causes a
    loss in value if one sample of a class is predicted as another class and all other
    predictions are correct. The cost of the error is this loss as a share of the loss from the
    worst such error.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes. Only the class sizes matter.
    needs : str or list of str
        What matters for your evaluation. Pass one or more of the following:

        - "order only": distances between the classes have no meaning. Met by criteria that
          are ordinal invariant and strictly monotonic.
        - "distances": distances between the classes have a meaning, as for star ratings that are
          averaged. Met by criteria that are strictly monotonic and not ordinal invariant.
        - "small classes": an error in a small class is worse. Met by imbalance-aware criteria.
        - "chance": the value should show how much better the predictions are than chance. Met by
          criteria with a chance level.
        - "across data sets": values are compared between data sets with different class sizes.
          Met by prevalence invariant criteria.
        - "probabilities": the probabilities themselves are used. Met by criteria of probabilities;
          strictly proper criteria come first.
        - "neighbours": a neighbouring class is nearly as good as the correct class. Met if,
          for each true class of `y`, an error by one class costs at most half as much as a
          larger error.
    metrics : str, callable, iterable or dict of them, default="all"
        The criteria to consider: anything that `get_metric` accepts, except criteria of a fitted
        estimator; or "all" for all criteria of predicted classes in this package, and its criteria
        of probabilities if "probabilities" is among the needs.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. Each sample of a class then has the mean weight of the class.

    Returns
    -------
    MetricRecommendation
        The criteria with the reasons, and the costs of errors. Criteria that meet more needs come
        first. Among these, strictly proper criteria come first if "probabilities" is a need, then
        criteria for which an error by one class costs the smallest share of a larger error if
        "neighbours" is. Ties, and shares that agree to 9 decimals, keep the order of the catalogue,
        or of ``metrics``.

    Raises
    ------
    ValueError
        If a need is unknown or repeated, or there are no needs; if the order of the classes is
        unknown or there are fewer than two classes; or if a criterion needs a fitted estimator.

    See Also
    --------
    sklearn_ordinal.get_metric : Return a criterion with its recorded properties.
    sklearn_ordinal.metrics.closeness_costs : Compute costs of errors for CEM_ORD, in bits.

    Notes
    -----
    Criteria of probabilities are evaluated on forecasts whose probabilities are 0 and 1. If a
    class with probability 0 occurs, the logarithmic loss is infinite; as in scikit-learn, it
    counts as 36. Criteria of scores are evaluated on the positions of the predicted classes.

    The loss of a criterion that is a sum of costs follows from its costs
    (`OrdinalMetric.cost_matrix`). Other criteria are evaluated once for each error.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import recommend_metrics
    >>> y = ["low"] * 20 + ["mid"] * 15 + ["high"] * 5
    >>> found = recommend_metrics(
    ...     y, needs=["distances", "small classes"], labels=["low", "mid", "high"]
    ... )
    >>> found.recommended
    ('macro_averaged_mean_absolute_error', 'macro_averaged_mean_squared_error')
    >>> found.reasons[0][1]
    'imbalance-aware: the same error costs more in a smaller class'
    """
    chosen_needs = check_needs(needs)
    kinds: tuple[Kind, ...] = (LABELS,)
    if "probabilities" in chosen_needs:
        kinds = (LABELS, PROBABILITIES)
    criteria = get_metrics(metrics, argument="metrics", kinds=kinds, with_direction=True)
    for metric in criteria:
        if metric.scorer is not None:
            raise ValueError(
                f"metrics must be computed from predictions, but {metric.name} needs the fitted "
                f"estimator: leave it out."
            )
    scale, sizes = class_sizes(y, labels, sample_weight)
    if len(scale) < 2:
        raise ValueError(
            f"y must have at least 2 classes, got {scale.labels.tolist()}: pass all classes "
            f"of the scale in labels."
        )
    numbers = sizes
    if sample_weight is not None:
        _, numbers = class_sizes(y, labels, as_numbers("sample_weight", sample_weight) > 0)
    is_weighted = sample_weight is not None
    # Whole numbers stay integers, since users' criteria get them as repeated rows.
    one_sample = (sizes / np.maximum(numbers, 1)).astype(sizes.dtype)
    judged = []
    losses = error_losses(criteria, scale, sizes, one_sample, is_weighted=is_weighted)
    for candidate in map(Candidate, criteria, losses):
        judged.append((candidate, [judge(candidate, need) for need in chosen_needs]))
    judged.sort(key=lambda entry: _sort_key(entry[0], entry[1], chosen_needs))
    recommendation = MetricRecommendation(
        needs=chosen_needs,
        metrics=tuple(candidate.metric.name for candidate, _ in judged),
        labels=check_target_names(None, scale),
        class_counts=sizes,
        evidence=tuple(candidate.metric.evidence.name for candidate, _ in judged),
        meets=np.array([[is_met for is_met, _ in findings] for _, findings in judged]),
        reasons=tuple(tuple(reason for _, reason in findings) for _, findings in judged),
        losses=np.stack([candidate.losses for candidate, _ in judged]),
        notes=(),
    )
    aware = {metric.name for metric in criteria if metric.imbalance_aware}
    return replace(recommendation, notes=recommendation_notes(recommendation, numbers, aware))


def _sort_key(
    candidate: Candidate, findings: Sequence[Finding], needs: Sequence[Need]
) -> tuple[float, ...]:
    """Return the number of needs that a criterion misses, then the preferences of the needs."""
    key: list[float] = [sum(not is_met for is_met, _ in findings)]
    if "probabilities" in needs:
        key.append(not candidate.metric.strictly_proper)
    if "neighbours" in needs:
        # The order of equal criteria must not depend on rounding errors.
        key.append(round(candidate.neighbour_share, 9))
    return tuple(np.nan_to_num(key, nan=np.inf))
