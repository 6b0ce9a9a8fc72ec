"""Scorers: created from the catalogue of metrics, and registered by name in scikit-learn.

`make_scorer` does not suffice: its scorers hide the order of the classes, pass one column of
probabilities for two classes, drop ``classes_``, and refuse estimators that are not marked as
classifiers. So this module extends a private class of scikit-learn. Without that class, the
scorers are plain callables, which work alone but share no predictions.

There is no public way to add a scorer string, so this module also changes private tables of
scikit-learn. No other module uses private parts of it. A name must be known in three places:

- `_SCORERS`, which `get_scorer` and modules that are imported later use;
- the parameter constraints of modules that were imported earlier, which contain copies
  of the names;
- worker processes, which resolve the strings of nested searches without having imported
  this package. Therefore each task of scikit-learn gets an item that imports this
  package when the task is unpickled.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import operator
import sys
import types
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import sklearn.model_selection  # Its searches list the scorers that they know.
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import catalogue, checks, lookup, scales
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.metrics import _multioutput

# The names of the scorers, such as "cem_ord" and "neg_ordinal_mean_absolute_error"
# ---------------------------------------------------------------------------------


def _scorer_names() -> list[str]:
    """Return the scorer names of the metrics that are computed from predictions of estimators."""
    return [
        metric.scorer_name
        for metric in catalogue.METRICS.values()
        if metric.scorer_name is not None and not metric.is_sklearns
    ]


def _metric_named(name: str | Callable[..., Any]) -> OrdinalMetric:
    """Return the metric of a scorer name or a function; errors for other names suggest a name."""
    if callable(name) and not isinstance(name, type):
        try:
            metric = lookup.get_metric(name)
        except ValueError as error:
            raise ValueError(f"name: {error}") from None
        catalogue.check_has_direction(metric, "name")
        if not lookup.is_wrapped(metric):
            return metric
        raise ValueError(
            f"name must be a metric of this package, got {metric.name}: use "
            f"sklearn.metrics.make_scorer for other functions."
        )
    names = _scorer_names()
    if isinstance(name, str) and name in names:
        return lookup.get_metric(name)
    plain = name.removeprefix("neg_") if isinstance(name, str) else ""
    if plain in catalogue.METRICS and catalogue.METRICS[plain].is_sklearns:
        scorer = catalogue.METRICS[plain].scorer_name
        raise ValueError(
            f"name must be a scorer of this package, got {name!r}, a metric of scikit-learn: use "
            f"sklearn.metrics.get_scorer({scorer!r})."
        )
    if plain in catalogue.METRICS:
        catalogue.check_has_direction(catalogue.METRICS[plain], "name")
    near = checks.nearest_name(str(name), names)
    hint = f": did you mean {near!r}?" if near else "."
    raise ValueError(
        f"name must be one of the scorers of this package, such as 'cem_ord' or "
        f"'neg_ordinal_mean_absolute_error', got {checks.shown(name)}{hint}"
    )


# Scorers that call the estimator
# -------------------------------

try:
    from sklearn.metrics._scorer import _BaseScorer as BaseScorer
except ImportError:

    class BaseScorer:  # type: ignore[no-redef]
        """The base class of scorers for versions of scikit-learn without its private class."""

        def __init__(
            self, score_func: Any, sign: int, kwargs: dict[str, Any], response_method: Any
        ) -> None:
            self._score_func = score_func
            self._sign = sign
            self._kwargs = kwargs
            self._response_method = response_method

        def __call__(self, estimator: Any, X: Any, y_true: Any, **params: Any) -> float:
            score: float = self._score(None, estimator, X, y_true, **params)  # type: ignore[attr-defined]
            return score


class OrdinalScorer(BaseScorer):  # type: ignore[misc]
    """A scorer of the responses of an estimator.

    Parameters
    ----------
    score_function : ScoreFunction
        The metric and the order of the classes.
    """

    def __init__(self, score_function: Any) -> None:
        metric = score_function.metric
        sign, methods = 1 if metric.greater_is_better else -1, metric.evidence.methods
        super().__init__(score_function, sign, {}, methods if len(methods) > 1 else methods[0])

    def __repr__(self) -> str:
        return repr(self._score_func)

    def _score(
        self,
        method_caller: Callable[..., Any] | None,
        estimator: Any,
        X: Any,
        y_true: Any,
        *,
        sample_weight: Any = None,
    ) -> float:
        respond = partial(_response, method_caller, estimator, X)
        value = self._score_func.of_estimator(
            estimator, X, y_true, respond=respond, sample_weight=sample_weight
        )
        # Adding zero turns the -0.0 of a perfect loss into 0.0.
        return float(self._sign * value) + 0.0


def _response(method_caller: Callable[..., Any] | None, estimator: Any, X: Any, method: str) -> Any:
    """Return the response of a method, computed once for scorers evaluated together."""
    if not hasattr(estimator, method):
        # Raise the same error in every version of scikit-learn, also for regressors.
        name = type(estimator).__name__
        raise AttributeError(f"{name} has none of the following attributes: {method}.")
    # `method_caller` is a partial whose first argument is the dict of shared responses. If nothing
    # is shared, `method_caller` is None or this argument is None.
    cache, *_ = getattr(method_caller, "args", None) or [None]
    if method_caller is None or type(cache) is not dict:
        return getattr(estimator, method)(X)
    if method == "predict" or (is_classifier(estimator) and len(estimator.classes_) > 2):
        return method_caller(estimator, method, X)
    # For two classes, scikit-learn returns one column, or values for the class that it chooses.
    key = f"{method} of all classes"
    if key not in cache:
        cache[key] = getattr(estimator, method)(X)
    return cache[key]


# Scorer objects, created from the catalogue of metrics
# -----------------------------------------------------

Scorer: TypeAlias = Callable[..., float]

# A search turns errors into NaN, and shows this in its warning.
_FOR_SEARCHES = 'In a search, pass error_score="raise", so that it stops at such an error.'


@dataclass(frozen=True, repr=False)
class ScoreFunction:
    """A metric with an order of the classes and a replacement for undefined values.

    This is a class rather than a partial because its signature must not have `labels`:
    LogisticRegressionCV passes the sorted classes to score functions that have it.

    `codes` are integers that an estimator passes in place of the strings of `scale`, each at the
    position of its class.
    """

    metric: OrdinalMetric
    scale: OrdinalScale | None = None
    multioutput: ArrayLike | None = None
    codes: OrdinalScale | None = None

    @property
    def __name__(self) -> str:
        return self.metric.name

    def __repr__(self) -> str:
        return self._call(None if self.scale is None else checks.listed(self.scale.labels))

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        try:
            with scales.without_code_warnings():
                return self._value(y_true, y_pred, sample_weight)
        except ValueError as error:
            # Raise here, since cross-validation repeats the traceback for each fold.
            if message := self.message_for_unknown_order(y_true):
                raise ValueError(message) from None
            error.add_note(_FOR_SEARCHES)
            raise

    def scale_for(self, y_true: ArrayLike) -> OrdinalScale | None:
        """Return the scale of the classes as they are passed, which may be codes."""
        if self.codes is not None and np.asarray(y_true).dtype.kind in "iu":
            return self.codes
        return self.scale

    def message_for_unknown_order(self, y_true: ArrayLike) -> str | None:
        """Return the message if the order of the classes is not known, else None."""
        if self.scale is not None:
            return None
        columns = [y_true]
        if self.multioutput is not None:
            columns = [true for true, _ in _multioutput.output_pairs(y_true, y_true)]
        findings = [scales.unknown_order_finding(column, "y_true") for column in columns]
        finding = next(filter(None, findings), None)
        return finding and (
            f"{finding}: pass scoring={self._call('[...]')}, with all classes from the lowest to "
            f'the highest; pass error_score="raise" too, so that a search stops at such an error.'
        )

    def _call(self, labels: str | None) -> str:
        """Return the call of `make_ordinal_scorer` with these labels."""
        metric, options = self.metric, self.metric.options
        if metric.name not in catalogue.METRICS:
            name = lookup.title_of(metric.function or lookup.statistic_of(metric))
        else:
            name, defaults = repr(metric.scorer_name), catalogue.METRICS[metric.name].options
            options = {k: value for k, value in options.items() if k not in defaults}
        arguments = [name, lookup.options_as_text(options)] if options else [name]
        if labels is not None:
            arguments.append(f"labels={labels}")
        if self.multioutput is not None:
            arguments.append(f"multioutput={self.multioutput!r}")
        return f"make_ordinal_scorer({', '.join(arguments)})"

    def _value(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
    ) -> float:
        labels = self.scale_for(y_true)
        if OrdinalForecasts in self.metric.evidence.accepts and np.ndim(y_pred) != 1:
            # Without the estimator, the columns are assumed to be in sorted order, like its
            # classes.
            scale, _ = scales.encode_one(y_true, labels, name="y_true")
            classes = sorted(scale.labels.tolist())
            forecasts = OrdinalForecasts.from_probabilities(
                y_true, y_pred, labels=scale, classes=classes, sample_weight=sample_weight
            )
            return self._value_of(forecasts)
        if self.multioutput is None:
            value = self.metric.evidence.score(
                self.metric, y_true, y_pred, labels=labels, sample_weight=sample_weight
            )
            return self._defined(value)
        values = _multioutput.output_values(self.metric, y_true, y_pred, labels, sample_weight)
        return float(
            _multioutput.aggregated(np.array([*map(self._defined, values)]), self.multioutput)
        )

    def of_estimator(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        respond: Callable[[str], Any],
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the value for the responses of a fitted estimator."""
        if self.metric.evidence.methods == ("predict",):
            return self(y_true, respond("predict"), sample_weight=sample_weight)
        try:
            with scales.without_code_warnings():
                evidence = self.metric.evidence.of_estimator(
                    estimator,
                    X,
                    y_true,
                    labels=self.scale_for(y_true),
                    sample_weight=sample_weight,
                    respond=respond,
                )
        except ValueError as error:
            if message := self.message_for_unknown_order(y_true):
                raise ValueError(message) from None
            error.add_note(_FOR_SEARCHES)
            raise
        return self._value_of(evidence)

    def _value_of(self, evidence: Evidence) -> float:
        return self._defined(float(self.metric(evidence)))

    def _defined(self, value: float) -> float:
        """Return the value, or what replaces it with a warning if it is undefined."""
        if not math.isnan(value):
            return value
        name, replacement = self.metric.name, catalogue.score_if_undefined(self.metric)
        if math.isnan(replacement) or "replace_undefined_by" in self.metric.options:
            reason = "see the documentation of the metric for when that is"
            return checks.or_undefined(value, math.nan, name, reason)
        # A constant text, which Python shows once unless its record is reset in between.
        checks.warn_caller(
            f"{name} is undefined for some samples, such as those of a fold with a single class, "
            f"and scored as {replacement:g} there.",
            UndefinedMetricWarning,
            way_out="Pass replace_undefined_by= to make_ordinal_scorer to score it differently.",
        )
        return replacement


def make_ordinal_scorer(
    name: str | Callable[..., Any],
    *,
    labels: Any = None,
    multioutput: ArrayLike | None = None,
    **options: Any,
) -> Scorer:
    """Make a scorer with a given order of the classes, or with other options.

    Parameters
    ----------
    name : str or callable
        Name of the scorer, such as "cem_ord" or "neg_ordinal_mean_absolute_error", or the
        function of a metric. A function that needs an option is passed as a `functools.partial`.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken in each fold from an
        ordered dtype or from integers; required for strings.
    multioutput : "mean" or array-like of shape (n_outputs,), default=None
        How to aggregate the outputs of two-dimensional targets: by their mean, or by a
        mean with these weights. If None, targets are one-dimensional.
    **options : dict
        Options of the metric function, such as ``n=2`` for "within_1_accuracy".

    Returns
    -------
    callable
        Scorer with the signature ``scorer(estimator, X, y)``. Losses are negated, so
        higher is better. It can be pickled and is accepted wherever scikit-learn takes
        ``scoring=``. If the metric needs probabilities, their columns are matched to the
        ``classes_`` of the estimator.

    Raises
    ------
    ValueError
        If `name` is unknown, the metric has no such option, an option is invalid,
        `labels` are not one-dimensional and distinct, or `multioutput` is invalid or given
        for a metric of probabilities or scores.

    See Also
    --------
    sklearn.metrics.get_scorer : A scorer by its name, without options.
    get_metric_names : The names of the metrics; names of losses get the prefix ``neg_``.

    Notes
    -----
    An undefined value, such as a correlation with constant predictions, is scored as 0.0
    if this is the chance level of the metric, else as its worst value, if it has one, with
    an `UndefinedMetricWarning`. Therefore a constant candidate loses a search instead of
    breaking it. Perfect predictions of a fold with a single class are scored in the same way.
    Pass ``replace_undefined_by`` to score undefined values differently and without a warning.

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
    if options:
        function = metric.function or lookup.statistic_of(metric)
        metric = lookup.get_metric(partial(function, **{**metric.options, **options}))
    if isinstance(multioutput, str):
        checks.check_choice("multioutput", multioutput, Literal["mean"])
    elif multioutput is not None:
        weights = np.atleast_1d(checks.as_numbers("multioutput", multioutput))
        multioutput = tuple(checks.check_weights("multioutput", weights, weights.size).tolist())
    if not metric.evidence.methods:
        raise ValueError(
            f"name must be a metric of what an estimator predicts, but {metric.name} needs "
            f"{metric.evidence.noun}."
        )
    if multioutput is not None and OrdinalConfusion not in metric.evidence.accepts:
        raise ValueError(
            f"multioutput must be None for {metric.scorer_name}, which needs "
            f"{metric.evidence.noun}, not labels."
        )
    scale = None if labels is None else scales.as_scale(labels)
    score_function = ScoreFunction(metric, scale, multioutput)
    if scale is not None:
        # Evaluate once, since cross-validation would turn the error of a bad option into NaN.
        metric(metric.evidence.example(scale))
    scorer = OrdinalScorer(score_function)
    # The learning and validation curves of scikit-learn label their axes with this name.
    scorer.__name__ = metric.scorer_name
    return cast(Scorer, scorer)


# Register the scorer names in scikit-learn
# -----------------------------------------

_TABLE = "sklearn.metrics._scorer", "_SCORERS"
_SCORER = "sklearn.metrics._scorer", "_BaseScorer"
_CONSTRAINTS = "sklearn.metrics", "check_scoring._skl_parameter_constraints"
_TASK = "sklearn.utils.parallel", "_FuncWrapper"

# A set of options that contains these names is a list of scorers.
_MARKS = {"accuracy", "r2", "neg_log_loss"}

_registered: dict[str, Scorer] = {}
# The `__getstate__` that another package has set on the tasks, if any.
_former_getstate: list[Callable[[Any], dict[str, Any]]] = []


def register_scorers() -> None:
    """Register ``scoring="cem_ord"`` and the other scorer names in scikit-learn.

    Names that scikit-learn already has are not changed. Warn if this version of scikit-learn lacks
    a private name that is required.
    """
    attributes = {path: _private(path) for path in (_TABLE, _TASK, _CONSTRAINTS, _SCORER)}
    table, task = attributes[_TABLE], attributes[_TASK]
    attributes[_CONSTRAINTS] = _scorer_lists(attributes[_CONSTRAINTS])
    missing = [".".join(path) for path, item in attributes.items() if not item]
    if missing:
        checks.warn_caller(
            f"scikit-learn {sklearn.__version__} has no {', '.join(missing)} as this package "
            f"expects, so strings such as scoring='cem_ord' may fail: "
            f"pass scoring=sklearn_ordinal.make_ordinal_scorer('cem_ord').",
        )
    if table is not None:
        # Update the table first, since a name that passes the constraints must resolve.
        new = {
            name: make_ordinal_scorer(name)
            for name in _scorer_names()
            if name not in table or _is_from_earlier_import(table[name])
        }
        table.update(new)
        _registered.update(new)
        _change_options(add=_registered.keys())
    getstate = None if task is None else vars(task).get("__getstate__")
    if task is not None and getstate is not _state_that_imports_this_package:
        is_foreign = catalogue.origin_of(getstate) != catalogue.origin_of(
            _state_that_imports_this_package
        )
        _former_getstate[:] = [getstate] if getstate is not None and is_foreign else []
        task.__getstate__ = _state_that_imports_this_package


def withdraw(names: Set[str]) -> None:
    """Remove names that this package has added to scikit-learn."""
    table, names = _private(_TABLE), names & _registered.keys()
    for name in names:
        if table.get(name) is _registered.pop(name):
            del table[name]
    _change_options(remove=names)


def _register_new(metric: OrdinalMetric) -> None:
    """Register a metric that is added or redefined after the scorers were registered."""
    if not _registered or metric.scorer_name not in _scorer_names():
        return
    withdraw({metric.name, f"neg_{metric.name}"})
    register_scorers()


catalogue.when_added.append(_register_new)


def _is_from_earlier_import(scorer: Any) -> bool:
    """Return whether a scorer was created before the modules of this package were reimported."""
    kind = type(getattr(scorer, "_score_func", None))
    return kind is not ScoreFunction and catalogue.origin_of(kind) == catalogue.origin_of(
        ScoreFunction
    )


def _private(path: tuple[str, str]) -> Any:
    """Return an attribute of a module of scikit-learn, None if it does not exist."""
    module, name = path
    try:
        return operator.attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError):
        return None


def _change_options(add: Set[str] = frozenset(), remove: Set[str] = frozenset()) -> None:
    for module_name, module in list(sys.modules.items()):
        if not (module_name.startswith("sklearn.") and isinstance(module, types.ModuleType)):
            continue
        for item in list(vars(module).values()):
            if isinstance(item, type):
                constraints = vars(item).get("_parameter_constraints")
            elif isinstance(item, types.FunctionType):
                constraints = vars(item).get("_skl_parameter_constraints")
            else:
                continue
            for names in _scorer_lists(constraints):
                # Make a new set, since changing this one would break threads that iterate over it.
                names.options = _ScorerNames((names.options | add) - remove)


class _ScorerNames(set[str]):
    """The names of scorers; asked for a metric without a direction, they raise the reason.

    Otherwise, scikit-learn would only list the hundred names that it knows.
    """

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and name in catalogue.METRICS:
            catalogue.check_has_direction(catalogue.METRICS[name], "scoring")
        return super().__contains__(name)

    def __reduce__(self) -> tuple[Any, ...]:
        # The pickle has no reference to this package.
        return set, (list(self),)


def _scorer_lists(constraints: Any) -> list[Any]:
    """Return the constraints of parameters that are lists of scikit-learn's scorers."""
    if not isinstance(constraints, dict):
        return []
    alternatives = chain.from_iterable(c for c in constraints.values() if isinstance(c, list))
    return [c for c in alternatives if _as_set(getattr(c, "options", None)) >= _MARKS]


def _as_set(options: Any) -> Set[Any]:
    return options if isinstance(options, Set) else frozenset()


class _ImportThisPackage:
    """An object that imports this package when it is unpickled, if it is installed."""

    def __reduce__(self) -> tuple[Any, ...]:
        # The pickle has no reference to this package, so that workers without it can load the task.
        installed = filter(importlib.util.find_spec, ["sklearn_ordinal"])
        return any, (map(importlib.import_module, installed),)


def _state_that_imports_this_package(self: Any) -> dict[str, Any]:
    state = _former_getstate[0](self) if _former_getstate else vars(self)
    return {**state, "_imported_with_task": _ImportThisPackage()}
