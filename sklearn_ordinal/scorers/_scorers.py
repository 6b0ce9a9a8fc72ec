"""Scorer objects, built from the catalogue."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from sklearn_ordinal._catalogue import METRICS, OrdinalMetric
from sklearn_ordinal._labels import check_choice, check_labels, check_weights
from sklearn_ordinal.metrics import multioutput_score

Scorer = Callable[..., float]

_BY_SCORER_NAME = {
    metric.scorer_name: metric for metric in METRICS.values() if metric.function is not None
}


@dataclass(frozen=True)
class _ScoreFunction:
    """A metric with its options bound.

    A class and not a partial: its signature must not show `labels`, since
    LogisticRegressionCV passes the sorted classes to each score function that has it.
    """

    metric_name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    multioutput: ArrayLike | None = None

    @property
    def __name__(self) -> str:
        return self.metric_name

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        function = METRICS[self.metric_name].function
        assert function is not None
        score: float
        if self.multioutput is None:
            score = function(y_true, y_pred, sample_weight=sample_weight, **self.options)
        else:
            options = dict(self.options)
            score = multioutput_score(  # type: ignore[assignment]
                partial(function, **options),
                y_true,
                y_pred,
                labels=options.pop("labels", None),
                sample_weight=sample_weight,
                aggregate=self.multioutput,
            )
        return score


def make_ordinal_scorer(
    name: str,
    *,
    labels: ArrayLike | None = None,
    multioutput: ArrayLike | None = None,
    **options: Any,
) -> Scorer:
    """Make a scorer with an order of the classes, or other options, bound to it.

    Parameters
    ----------
    name : str
        Name of the scorer, one of `get_scorer_names`.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken in each fold from an
        ordered dtype or from integers; required for strings.
    multioutput : "mean" or array-like of shape (n_outputs,), default=None
        How to aggregate two-dimensional targets: by the mean over the outputs, or with
        weights of the outputs in the mean. If None, targets are one-dimensional.
    **options : dict
        Options of the metric function, such as ``n=2`` for "within_1_accuracy".

    Returns
    -------
    callable
        Scorer with the signature ``scorer(estimator, X, y)``, of which higher is better:
        losses are negated. It may be pickled and is accepted wherever scikit-learn takes
        ``scoring=``.

    Raises
    ------
    ValueError
        If `name` is not known, the metric has no such option, or `labels` are not
        one-dimensional and distinct.

    See Also
    --------
    get_scorer : A scorer without options.

    Notes
    -----
    A value that is undefined, such as a correlation with constant predictions, is scored
    as 0.0 where that is the level of chance, so that a constant candidate loses a
    search instead of breaking it. Pass ``replace_undefined_by`` for another value.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_ordinal import make_ordinal_scorer
    >>> X, y = [[0], [1], [2], [3]], ["low", "mid", "mid", "high"]
    >>> scorer = make_ordinal_scorer("cem_ord", labels=["low", "mid", "high"])
    >>> scorer(DummyClassifier().fit(X, y), X, y)
    0.6
    """
    metric = _metric_named(name)
    assert metric.function is not None
    known = set(inspect.signature(metric.function).parameters) - {"y_true", "y_pred"}
    unknown = sorted(options.keys() - known | options.keys() & {"sample_weight"})
    if unknown:
        raise ValueError(
            f"{name!r} has no option {', '.join(unknown)}; "
            f"its options are {', '.join(sorted(known - {'sample_weight'}))}."
        )
    bound = {**metric.options, **options}
    if labels is not None:
        bound["labels"] = tuple(check_labels(labels).tolist())
    if any(
        known.chance_level == 0 and known.options.items() <= bound.items()
        for known in METRICS.values()
        if known.function is metric.function
    ):
        bound.setdefault("replace_undefined_by", 0.0)
    if isinstance(multioutput, str):
        check_choice("multioutput", multioutput, Literal["mean"])
    elif multioutput is not None:
        weights = np.atleast_1d(multioutput)
        multioutput = tuple(check_weights("multioutput", weights, weights.size).tolist())
    # Once now: in cross-validation the error of a bad option would become NaN.
    classes = bound.get("labels", range(len(options.get("class_counts", "01"))))
    metric.function(classes, classes, **bound)
    scorer: Scorer = make_scorer(
        _ScoreFunction(metric.name, bound, multioutput), greater_is_better=metric.greater_is_better
    )
    return scorer


def get_scorer(name: str) -> Scorer:
    """Get an ordinal scorer by name.

    Parameters
    ----------
    name : str
        Name of the scorer, one of `get_scorer_names`.

    Returns
    -------
    callable
        Scorer with the signature ``scorer(estimator, X, y)``, of which higher is better:
        losses are negated.

    Raises
    ------
    ValueError
        If `name` is not known.

    See Also
    --------
    make_ordinal_scorer : A scorer with an order of the classes bound to it.
    sklearn.metrics.get_scorer : Scikit-learn's scorers and these, once registered.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_ordinal import get_scorer
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 1, 2]
    >>> get_scorer("neg_ordinal_mean_absolute_error")(DummyClassifier().fit(X, y), X, y)
    -0.5
    """
    return make_ordinal_scorer(name)


def get_scorer_names() -> list[str]:
    """Get the names of all ordinal scorers.

    Returns
    -------
    list of str
        Names, sorted; those of losses and errors begin with ``neg_``.

    See Also
    --------
    get_scorer : The scorer of a name.

    Examples
    --------
    >>> from sklearn_ordinal import get_scorer_names
    >>> get_scorer_names()[:3]
    ['cem_int', 'cem_nom', 'cem_ord']
    """
    return sorted(_BY_SCORER_NAME)


def _metric_named(name: str) -> OrdinalMetric:
    if isinstance(name, str) and name in _BY_SCORER_NAME:
        return _BY_SCORER_NAME[name]
    if isinstance(name, str) and name in METRICS and METRICS[name].function is None:
        raise ValueError(
            f"{name!r} is a scorer of scikit-learn: use sklearn.metrics.get_scorer({name!r})."
        )
    near = difflib.get_close_matches(str(name), _BY_SCORER_NAME, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"name must be one of sklearn_ordinal.get_scorer_names(), got {name!r}.{hint}")
