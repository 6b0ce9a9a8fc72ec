"""Give the scorers inside an estimator the order of the classes.

A search resolves ``scoring="cem_ord"`` by itself, but strings in its folds do not have an order.
The code that knows the order binds it to the scorers before the estimator is fitted.

Instead of the classes, some estimators of scikit-learn pass on codes: positions among the
sorted classes. The scorers that see codes are bound to the codes, in the order of the classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn import clone
from sklearn.metrics import get_scorer

from sklearn_ordinal._core import checks, scales
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.scorers._scorers import ScoreFunction

# scikit-learn estimators (and their subclasses), grouped by what they pass to nested estimators.
_PASS_ALL_CLASSES = {"Pipeline", "FeatureUnion", "ColumnTransformer"}
_PASS_CODES = {"VotingClassifier", "StackingClassifier", "BaggingClassifier"}
_PASS_TWO_CLASSES = {"OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"}

_LOGISTIC_REGRESSION_RECODES = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)


@dataclass(frozen=True)
class _Order:
    """The order of the classes as an estimator sees them."""

    owner: str
    """Name of the estimator for error messages."""
    declared: OrdinalScale
    """The order that the caller declared."""
    scale: OrdinalScale
    """The same order, as a scale of the classes or of their codes."""
    occurring: NDArray[np.intp] | None
    """Positions of the classes that occur, None if they depend on a split."""
    codes: OrdinalScale | None = None
    """The order of codes that the estimator may see in place of strings."""

    def of_part(self) -> Self:
        """Return the order for an estimator that is fitted to a part of the samples."""
        return replace(self, occurring=None)

    def of_codes(self, codes_of_two: tuple[int, int] = (0, 1)) -> Self | None:
        """Return the order of the codes, None if the codes are already in this order."""
        labels = self.scale.labels
        if self.occurring is None:
            # The codes are not known. They are not on the scale, so they raise an error instead of
            # being scored in a wrong order.
            return None if _is_sorted(labels) else self
        n_classes = len(self.occurring)
        # A class that does not occur has no code, but keeps its place.
        codes = np.arange(-2, -2 - len(labels), -1)
        ranks = np.argsort(np.argsort(labels[self.occurring]))
        codes[self.occurring] = np.array(codes_of_two)[ranks] if n_classes == 2 else ranks
        return replace(self, scale=OrdinalScale(codes), codes=None)

    def of_classes_or_codes(self) -> Self | None:
        """Return the order for an estimator that is fitted to classes and also to their codes."""
        labels = self.scale.labels
        if labels.dtype.kind in "biuf":
            return None if _is_sorted(labels) else self.of_part()
        order = self.of_codes()
        codes = None if self.occurring is None or order is None else order.scale
        return replace(self, occurring=None, codes=codes)


def bind_order(
    estimator: Any, scale: OrdinalScale, positions: NDArray[np.intp], owner: str = "estimator"
) -> Any:
    """Return a clone of an estimator whose ordinal scorers know the order of the classes.

    Named scorers of this package become scorers with the order, in searches and in everything
    else with a parameter ``scoring``, at any depth. Estimators of this package get the order as
    ``labels``, and pass it on to the estimators that they wrap when they are fitted. A scorer
    or estimator that already has an order keeps it, and another order raises a ValueError.
    Frozen estimators stay as they are.

    Parameters
    ----------
    estimator : estimator instance
        The estimator, which is not modified.
    scale : OrdinalScale
        The classes from the lowest to the highest.
    positions : ndarray of shape (n_samples,)
        Positions on the scale of the classes that the estimator will be fitted to.
    owner : str, default="estimator"
        Name of the estimator for error messages.

    Returns
    -------
    estimator instance
        The clone.
    """
    bound = clone(estimator)
    original_ids = {id(part) for part in _parts(estimator)}
    occurring = np.flatnonzero(np.bincount(positions))
    _bind(bound, _Order(owner, scale, scale, occurring), original_ids)
    return bound


def _bind(estimator: Any, order: _Order, original_ids: Collection[int]) -> None:
    if id(estimator) in original_ids:
        return
    params = estimator.get_params(deep=False)
    if _belongs_to_this_package(estimator) and "labels" in params:
        if params["labels"] is not None:
            _check_order(scales.as_scale(params["labels"]), order, type(estimator).__name__)
        elif order.codes is None:
            estimator.set_params(labels=order.scale)
        return
    if "scoring" in params:
        scoring, scoring_order = params.pop("scoring"), _scoring_order(estimator, params, order)
        bound = scoring if scoring_order is None else _bound_scoring(scoring, scoring_order)
        if bound is not scoring:
            estimator.set_params(scoring=bound)
    inner = _order_inside(estimator, params, order)
    if inner is not None:
        for child in _estimators_in(params.values()):
            _bind(child, inner, original_ids)


def _scoring_order(estimator: Any, params: Mapping[str, Any], order: _Order) -> _Order | None:
    """Return the order of the classes that an estimator passes to its scorer."""
    names = _names_in_sklearn(estimator)
    if "RidgeClassifierCV" in names and params["cv"] is None:
        return order.of_codes()
    if "LogisticRegressionCV" in names and _LOGISTIC_REGRESSION_RECODES:
        is_one_vs_rest = params.get("multi_class") == "ovr" or params["solver"] == "liblinear"
        return None if is_one_vs_rest else order.of_codes(codes_of_two=(-1, 1))
    return order


def _order_inside(estimator: Any, params: Mapping[str, Any], order: _Order) -> _Order | None:
    """Return the order of the classes that an estimator passes to nested estimators."""
    names = _names_in_sklearn(estimator)
    if names & _PASS_TWO_CLASSES:
        return None
    if names & _PASS_CODES:
        codes = order.of_codes()
        return codes if codes is None or "VotingClassifier" in names else codes.of_part()
    if "CalibratedClassifierCV" in names and params["ensemble"] is False:
        return order.of_classes_or_codes()
    return order if names & _PASS_ALL_CLASSES else order.of_part()


def _bound_scoring(scoring: Any, order: _Order) -> Any:
    """Return the argument ``scoring`` bound to the order, unchanged if there is nothing to bind."""
    if isinstance(scoring, str):
        try:
            scorer = get_scorer(scoring)
        except ValueError:
            return scoring
        return scoring if _score_function(scorer) is None else _bound_scorer(scorer, order)
    if isinstance(scoring, (list, tuple, set)):
        if not all(isinstance(name, str) for name in scoring) or len(set(scoring)) < len(scoring):
            return scoring  # scikit-learn raises an error
        scorings = dict(zip(scoring, scoring, strict=True))
    elif isinstance(scoring, Mapping):
        scorings = dict(scoring)
    else:
        return scoring if _score_function(scoring) is None else _bound_scorer(scoring, order)
    bound = {name: _bound_scoring(value, order) for name, value in scorings.items()}
    is_bound = any(bound[name] is not scorings[name] for name in scorings)
    return bound if is_bound else scoring


def _bound_scorer(scorer: Any, order: _Order) -> Any:
    function = scorer._score_func
    if function.scale is not None and function.scale != order.declared:
        _check_order(function.scale, order, "scorer")
        return scorer
    bound = copy(scorer)
    bound._score_func = replace(function, scale=order.scale, codes=order.codes)
    return bound


def _check_order(scale: OrdinalScale, order: _Order, what: str) -> None:
    """Raise if the classes of two scales are in different orders."""
    labels = set(scale.labels.tolist())
    shared = [label for label in order.declared.labels.tolist() if label in labels]
    if shared and (np.diff([scale.position(label) for label in shared]) < 0).any():
        raise ValueError(
            f"{order.owner} has labels {checks.listed(scale.labels)} in its {what}, but the order "
            f"of the classes is {checks.listed(order.declared.labels)}: pass the same labels= to "
            f"both, or none to the {what}."
        )


def _score_function(scorer: Any) -> ScoreFunction | None:
    function = getattr(scorer, "_score_func", None)
    return function if isinstance(function, ScoreFunction) else None


def _estimators_in(values: Iterable[Any]) -> Iterator[Any]:
    """Yield all estimators in `values`, including those inside nested containers."""
    for value in values:
        if hasattr(value, "get_params") and not isinstance(value, type):
            yield value
        elif isinstance(value, Mapping):
            yield from _estimators_in(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            yield from _estimators_in(value)


def _parts(estimator: Any) -> Iterator[Any]:
    """Yield an estimator and all nested estimators."""
    yield estimator
    for part in _estimators_in(estimator.get_params(deep=False).values()):
        yield from _parts(part)


def _belongs_to_this_package(estimator: Any) -> bool:
    package = __name__.partition(".")[0]
    return any(base.__module__.partition(".")[0] == package for base in type(estimator).__mro__)


def _names_in_sklearn(estimator: Any) -> set[str]:
    """Return the names of the classes of scikit-learn that an estimator is derived from."""
    bases = type(estimator).__mro__
    return {base.__name__ for base in bases if base.__module__.startswith("sklearn.")}


def _is_sorted(labels: NDArray[Any]) -> bool:
    values = labels.tolist()
    try:
        return bool(values == sorted(values))
    except TypeError:  # labels of several types
        return False
