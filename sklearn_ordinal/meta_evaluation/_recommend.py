"""Recommend criteria for what a user needs, on the sizes of the user's classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    PROBABILITIES,
    Counts,
    Kind,
    MetricsLike,
    as_numbers,
    check_target_names,
    class_sizes,
    get_metrics,
)
from sklearn_ordinal.documents import counted
from sklearn_ordinal.meta_evaluation._error_losses import error_losses
from sklearn_ordinal.meta_evaluation._needs import Candidate, Finding, Need, check_needs, judge
from sklearn_ordinal.meta_evaluation._recommendation import MetricRecommendation
from sklearn_ordinal.meta_evaluation._system_values import naming_failures

# With fewer samples in a class, the result says what one of them costs.
_FEW = 10


def recommend_metrics(
    y: ArrayLike,
    *,
    needs: str | Sequence[str],
    metrics: MetricsLike = "all",
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
) -> MetricRecommendation:
    """Recommend criteria that meet given needs, and compute what errors cost by them.

    Whether a criterion meets a need follows from its recorded properties, which
    `check_properties` tests, or from what errors cost on the classes of `y`. A cost is what
    the value loses if one sample of a class is predicted as another class and all others are
    right, as a share of the worst such error.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes, of which only the sizes matter.
    needs : str or list of str
        What matters, at least one of:

        - "order only": distances between the classes have no meaning. Met by criteria that
          are ordinal invariant and strictly monotonic.
        - "distances": they have one, as with star ratings that are averaged. Met by criteria
          that are strictly monotonic and not ordinal invariant.
        - "small classes": an error in a small class is worse. Met by imbalance-aware criteria.
        - "chance": the value should say how much better than chance predictions are. Met by
          criteria with a chance level.
        - "across data sets": values are compared between data sets with other class sizes.
          Met by prevalence invariant criteria.
        - "probabilities": probabilities are used as such. Met by criteria of probabilities,
          of which the strictly proper ones come first.
        - "neighbours": a neighbouring class is nearly as good as the correct one. Met if, for
          each true class of `y`, an error by one class costs at most half of an error by more.
    metrics : str, callable, iterable or dict of them, default="all"
        The criteria to consider: anything that `get_metric` accepts, except criteria of a
        fitted estimator; or "all" for those of predicted classes in this package, and those of
        probabilities if "probabilities" is among the needs.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. One sample of a class then has the mean weight of the
        class.

    Returns
    -------
    MetricRecommendation
        The criteria with the reasons, and the costs of errors. Criteria that meet more needs
        come first; otherwise they have the order of the catalogue, or of ``metrics``.

    Raises
    ------
    ValueError
        If a need is unknown or repeated, or there is none; if the order of the classes is
        unknown or there are fewer than two; or if a criterion needs a fitted estimator.

    See Also
    --------
    sklearn_ordinal.get_metric : The recorded properties of a criterion.
    sklearn_ordinal.metrics.closeness_costs : The costs of errors by CEM_ORD in bits.

    Notes
    -----
    Criteria of probabilities judge certain forecasts here, whose probabilities are 0 and 1. The
    logarithmic loss of an impossible class that occurs is infinite; as in scikit-learn, it
    counts 36. Criteria of scores judge the positions of the predicted classes.

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
    wanted = check_needs(needs)
    kinds: tuple[Kind, ...] = (LABELS,)
    if "probabilities" in wanted:
        kinds = (LABELS, PROBABILITIES)
    found = get_metrics(metrics, argument="metrics", kinds=kinds)
    for metric in found:
        if metric.scorer is not None:
            raise ValueError(
                f"metrics must be computed from predictions, {metric.name} needs the fitted "
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
    # Whole numbers stay integers, which criteria of users get as repeated rows.
    one_sample = (sizes / np.maximum(numbers, 1)).astype(sizes.dtype)
    candidates = []
    for metric in found:
        with naming_failures(metric, "metrics"):
            losses = error_losses(metric, scale, sizes, one_sample, is_weighted=is_weighted)
        candidates.append(Candidate(metric, losses))
    findings = [[judge(each, need) for need in wanted] for each in candidates]
    order = sorted(range(len(found)), key=lambda i: _sort_key(candidates[i], wanted, findings[i]))
    recommendation = MetricRecommendation(
        needs=wanted,
        metrics=tuple(found[i].name for i in order),
        labels=check_target_names(None, scale),
        class_counts=sizes,
        evidence=tuple(found[i].evidence.name for i in order),
        meets=np.array([[is_met for is_met, _ in findings[i]] for i in order]),
        reasons=tuple(tuple(reason for _, reason in findings[i]) for i in order),
        losses=np.stack([candidates[i].losses for i in order]),
        notes=(),
    )
    aware = [metric.name for metric in found if metric.imbalance_aware]
    notes = (
        *_notes_on_needs(recommendation),
        *_notes_on_classes(recommendation, numbers, aware),
        *_notes_on_losses(recommendation),
    )
    return replace(recommendation, notes=notes)


def _sort_key(
    candidate: Candidate, needs: Sequence[Need], findings: Sequence[Finding]
) -> tuple[float, ...]:
    """Return the number of needs that a criterion misses, then what the needs prefer."""
    key: list[float] = [sum(not is_met for is_met, _ in findings)]
    if "probabilities" in needs:
        key.append(not candidate.metric.strictly_proper)
    if "neighbours" in needs:
        key.append(candidate.share_of_neighbours)
    return tuple(np.nan_to_num(key, nan=np.inf))


def _notes_on_needs(found: MetricRecommendation) -> Iterator[str]:
    """Yield which needs cannot be met, alone or in pairs, if no criterion meets all."""
    if found.recommended or len(found.needs) == 1:
        return
    is_met: NDArray[np.bool_] = np.any(found.meets, axis=0)
    for need, one_meets in zip(found.needs, is_met, strict=True):
        if not one_meets:
            yield f"None of these criteria meets '{need}'."
    met = [position for position, one_meets in enumerate(is_met) if one_meets]
    apart = [
        (found.needs[a], found.needs[b])
        for a, b in combinations(met, 2)
        if not (found.meets[:, a] & found.meets[:, b]).any()
    ]
    for pair in apart:
        why = ""
        if set(pair) == {"order only", "distances"}:
            why = (
                ": they contradict each other, since the first asks that recoding the classes in "
                "order changes nothing, and the second that it does"
            )
        yield f"None of these criteria meets both '{pair[0]}' and '{pair[1]}'{why}."
    if is_met.all() and not apart:
        yield "Any two of the needs can be met together, but not all."


def _notes_on_classes(
    found: MetricRecommendation, numbers: Counts, aware: Sequence[str]
) -> Iterator[str]:
    """Yield what the sizes of the classes mean for the properties."""
    names = np.array(found.labels)
    empty = names[numbers == 0].tolist()
    if empty:
        yield (
            f"Without samples: {', '.join(empty)}. What errors in such a class cost is undefined."
        )
    sizes = found.class_counts[numbers > 0]
    if "small classes" in found.needs and np.allclose(sizes, sizes[0]):
        yield (
            "All classes that occur have the same size, so 'small classes' makes no difference "
            "for them."
        )
    if len(names) == 2 and {"order only", "distances", "neighbours"} & set(found.needs):
        yield (
            "With two classes, every error is by one class: order and distances make no "
            "difference between errors."
        )
    smallest = int(np.where(numbers > 0, numbers, np.inf).argmin())
    costs = [
        f"{np.nanmax(losses):.3g} by {name}"
        for name, losses in zip(found.metrics, found.losses[:, smallest], strict=True)
        if name in found.shown and name in aware and not np.isnan(losses).all()
    ]
    if numbers[smallest] < _FEW and costs:
        number = counted(int(numbers[smallest]), "sample")
        yield (
            f"'{names[smallest]}' has only {number}, to each of which criteria that are "
            f"imbalance-aware give much weight: a single error costs up to {', '.join(costs)}."
        )


def _notes_on_losses(found: MetricRecommendation) -> Iterator[str]:
    """Yield which criteria are undefined, improve, or lose infinitely much by an error."""
    is_error = ~np.eye(len(found.labels), dtype=bool)
    is_error &= (found.class_counts > 0)[:, None]
    losses = found.losses[:, is_error]
    facts = (
        ("Undefined after an error", np.isnan(losses)),
        ("Better after an error", losses < 0),
        ("Infinitely worse after an error", np.isinf(losses)),
    )
    for text, is_so in facts:
        names = [
            f"{name} ({number} of {losses.shape[1]} kinds of error)"
            for name, number in zip(found.metrics, is_so.sum(axis=1), strict=True)
            if number
        ]
        if names:
            yield f"{text}: {', '.join(names)}."
