"""Register the scorer names in scikit-learn.

There is no public way to add a scorer string, so this module changes private tables of
scikit-learn. No other module changes them; `_estimator_scorer` only extends a private
class. A name must be known in three places:

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
import operator
import sys
import types
from collections.abc import Callable, Set
from itertools import chain
from typing import Any

import sklearn

from sklearn_ordinal._core import (
    METRICS,
    OrdinalMetric,
    check_has_direction,
    origin_of,
    warn_caller,
    when_added,
)
from sklearn_ordinal.scorers._scorer_names import scorer_names
from sklearn_ordinal.scorers._scorers import ScoreFunction, Scorer, make_ordinal_scorer

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

    This is called when `sklearn_ordinal` is imported. Names that scikit-learn already has
    are not changed.

    Warns
    -----
    UserWarning
        If this version of scikit-learn lacks a private name that is required. Pass scorer
        objects instead of strings then.

    See Also
    --------
    make_ordinal_scorer : A scorer object, with a given order of the classes.

    Examples
    --------
    >>> from sklearn.metrics import get_scorer
    >>> from sklearn_ordinal.scorers import register_scorers
    >>> register_scorers()
    >>> get_scorer("cem_ord")
    make_ordinal_scorer('cem_ord')
    """
    attributes = {path: _private(path) for path in (_TABLE, _TASK, _CONSTRAINTS, _SCORER)}
    table, task = attributes[_TABLE], attributes[_TASK]
    attributes[_CONSTRAINTS] = _scorer_lists(attributes[_CONSTRAINTS])
    missing = [".".join(path) for path, item in attributes.items() if not item]
    if missing:
        warn_caller(
            f"scikit-learn {sklearn.__version__} has no {', '.join(missing)} as this package "
            f"expects, so strings such as scoring='cem_ord' may fail: "
            f"pass scoring=sklearn_ordinal.make_ordinal_scorer('cem_ord').",
        )
    if table is not None:
        # Update the table first, since a name that passes the constraints must resolve.
        new = {
            name: make_ordinal_scorer(name)
            for name in scorer_names()
            if name not in table or _is_from_earlier_import(table[name])
        }
        table.update(new)
        _registered.update(new)
        _change_options(add=_registered.keys())
    getstate = None if task is None else vars(task).get("__getstate__")
    if task is not None and getstate is not _state_that_imports_this_package:
        is_foreign = origin_of(getstate) != origin_of(_state_that_imports_this_package)
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
    if not _registered or metric.scorer_name not in scorer_names():
        return
    withdraw({metric.name, f"neg_{metric.name}"})
    register_scorers()


when_added.append(_register_new)


def _is_from_earlier_import(scorer: Any) -> bool:
    """Return whether a scorer was created before the modules of this package were reimported."""
    kind = type(getattr(scorer, "_score_func", None))
    return kind is not ScoreFunction and origin_of(kind) == origin_of(ScoreFunction)


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
        if isinstance(name, str) and name in METRICS:
            check_has_direction(METRICS[name], "scoring")
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
