"""What users need from a criterion, and the facts that decide whether it meets each need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    PROBABILITIES,
    OrdinalMetric,
    distance,
    iterate,
    nearest_name,
    repeated,
    shown,
)

Need = Literal[
    "order only",
    "distances",
    "small classes",
    "chance",
    "across data sets",
    "probabilities",
    "neighbours",
]

# The largest allowed cost of an error by one class, as a share of the cost of a larger error.
_CLEARLY_LESS = 0.5
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Candidate:
    """A metric and its losses from single errors, of shape (K, K) with true classes in rows."""

    metric: OrdinalMetric
    losses: NDArray[np.float64]

    @property
    def neighbour_share(self) -> float:
        """The largest cost of an error by one class, relative to the lowest cost of a larger error.

        Only errors of the same true class are compared. NaN if there are no errors to compare.
        """
        far, is_known = distance(len(self.losses)), ~np.isnan(self.losses)
        near = np.where((far == 1) & is_known, self.losses, -np.inf).max(axis=1)
        beyond = np.where((far > 1) & is_known, self.losses, np.inf).min(axis=1)
        comparable = np.isfinite(near) & ((far > 1) & is_known).any(axis=1)
        # If the errors of a true class cost nothing, they cannot be compared.
        comparable &= (near > 0) | (beyond > 0)
        if not comparable.any():
            return np.nan
        near, beyond = near[comparable], beyond[comparable]
        shares = np.divide(near, beyond, out=np.full(len(near), np.inf), where=beyond > 0)
        return float(shares.max())


Finding = tuple[bool, str]
"""Whether a need is met, and the reason."""


def judge(candidate: Candidate, need: Need) -> Finding:
    """Return whether a metric meets a need, and the fact that decides it."""
    losses = candidate.losses[~np.eye(len(candidate.losses), dtype=bool)]
    if np.isnan(losses).all():
        return False, "it is undefined for any error on these classes"
    if not np.nan_to_num(losses).any():
        return False, "no error costs anything on these classes"
    return _RULES[need](candidate)


def check_needs(needs: Any) -> tuple[Need, ...]:
    """Return the needs as a tuple, or raise unless each need is known and given once."""
    choices = f"[{', '.join(map(repr, get_args(Need)))}]"
    several = [needs] if isinstance(needs, str) else needs
    items = iterate("needs", several, f"values from {choices}")
    checked = [_check_need(need, choices) for need in items]
    if not checked:
        raise ValueError(f"needs must name at least one of {choices}, got none.")
    if twice := repeated(checked):
        raise ValueError(f"needs must have each of {choices} at most once, got {twice[0]!r} twice.")
    return tuple(checked)


def _check_need(need: Any, choices: str) -> Need:
    names: tuple[Need, ...] = get_args(Need)
    if isinstance(need, str) and need in names:
        return names[names.index(need)]
    hint = nearest_name(need, names) if isinstance(need, str) else ""
    did_you_mean = f": did you mean {hint!r}?" if hint else "."
    raise ValueError(f"needs must be among {choices}, got {shown(need)}{did_you_mean}")


def _order_only(candidate: Candidate) -> Finding:
    return _monotonic(candidate.metric, is_invariant=True)


def _distances(candidate: Candidate) -> Finding:
    return _monotonic(candidate.metric, is_invariant=False)


def _monotonic(metric: OrdinalMetric, *, is_invariant: bool) -> Finding:
    """Return whether a metric is strictly monotonic and is, or is not, ordinal invariant."""
    facts = (
        (metric.ordinal_invariant == is_invariant, _invariance(metric)),
        (metric.strictly_monotonic is True, _monotonicity(metric)),
    )
    is_met = all(holds for holds, _ in facts)
    return is_met, "; and ".join(reason for holds, reason in facts if holds == is_met)


def _small_classes(candidate: Candidate) -> Finding:
    is_aware = candidate.metric.imbalance_aware
    if is_aware:
        return True, "imbalance-aware: the same error costs more in a smaller class"
    if is_aware is None:
        return False, _unknown("imbalance")
    return False, "not imbalance-aware: the same error need not cost more in a smaller class"


def _chance(candidate: Candidate) -> Finding:
    level = candidate.metric.chance_level
    if level is None:
        return False, "the expected value of random agreement is not known"
    return True, f"random agreement has the expected value {level:g}"


def _across_data_sets(candidate: Candidate) -> Finding:
    is_invariant = candidate.metric.prevalence_invariant
    if is_invariant:
        return True, (
            "prevalence invariant: with the same rates of errors within each true class, other "
            "class sizes change nothing"
        )
    if is_invariant is None:
        return False, _unknown("prevalence invariance")
    return False, (
        "not prevalence invariant: with the same rates of errors within each true class, other "
        "class sizes can change the value"
    )


def _probabilities(candidate: Candidate) -> Finding:
    metric = candidate.metric
    if metric.evidence is not PROBABILITIES:
        return False, f"it judges {metric.evidence.noun}"
    if metric.strictly_proper:
        return True, (
            "it judges probabilities and is strictly proper: only the true probabilities have the "
            "best expected value"
        )
    if metric.strictly_proper is None:
        return True, "it judges probabilities, but it is not known whether it is strictly proper"
    return True, (
        "it judges probabilities, but is not strictly proper: probabilities other than the true "
        "ones can have the best expected value"
    )


def _neighbours(candidate: Candidate) -> Finding:
    share = candidate.neighbour_share
    if np.isnan(share):
        return False, "no true class has defined errors by one class as well as larger errors"
    if share <= 0:
        return True, "an error by one class costs nothing here"
    if np.isinf(share):
        return (
            False,
            "an error by one class costs something here although a larger error costs nothing",
        )
    if share > _CLEARLY_LESS * (1 + _ROUNDING):
        return False, (
            f"an error by one class costs more than half of an error by two or more here: up to "
            f"{share:.0%}"
        )
    return True, f"an error by one class costs up to {share:.0%} of an error by two or more here"


_RULES: dict[Need, Callable[[Candidate], Finding]] = {
    "order only": _order_only,
    "distances": _distances,
    "small classes": _small_classes,
    "chance": _chance,
    "across data sets": _across_data_sets,
    "probabilities": _probabilities,
    "neighbours": _neighbours,
}


def _invariance(metric: OrdinalMetric) -> str:
    if metric.ordinal_invariant is None:
        return _unknown("ordinal invariance")
    if metric.ordinal_invariant:
        return "ordinal invariant: recoding the classes in order changes nothing"
    return (
        "not ordinal invariant: recoding the classes in order, which changes their distances, "
        "can change the value"
    )


def _monotonicity(metric: OrdinalMetric) -> str:
    if metric.strictly_monotonic:
        return "strictly monotonic: each step towards the true class improves the value"
    if metric.ordinal_monotonic is None:
        return _unknown("monotonicity")
    if metric.ordinal_monotonic:
        return "not strictly monotonic: a step towards the true class may change nothing"
    return "not monotonic: a step towards the true class can make the value worse"


def _unknown(fact: str) -> str:
    return f"its {fact} is not known: check_properties tests it"
