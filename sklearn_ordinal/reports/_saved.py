"""Results that can be saved as JSON and are equal if their saved content is equal."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from functools import partial
from typing import IO, Any, ClassVar, Self, TypeVar, overload

from sklearn_ordinal._core import (
    KINDS,
    METRICS,
    ByMetric,
    OrdinalMetric,
    OrdinalScale,
    check_bool,
    check_dict,
    check_instance,
    check_integer,
    check_tuple,
    check_value,
    get_metric,
    known_metrics,
    metric_for,
    origin_of,
    renamed,
    shown,
)
from sklearn_ordinal._documents import FilePath, Views, as_json, encoded, load, returned_or_written
from sklearn_ordinal.inference import Contrast, GroupDifference, Interval, PairedDifference
from sklearn_ordinal.model_selection import FitFailure, FoldPredictions

_FACTS = (
    "function",
    "options",
    "greater_is_better",
    "chance_level",
    "evidence",
    "type",
    "an_error_costs",
    "n_classes",
    "bounds",
)

Saved = TypeVar("Saved", bound=type)

_SAVED_TYPES: list[type] = [
    OrdinalScale,
    Interval,
    PairedDifference,
    GroupDifference,
    Contrast,
    FoldPredictions,
    FitFailure,
]


def saved(cls: Saved) -> Saved:
    """Register a dataclass as a result that can be saved, or as part of such a result."""
    _SAVED_TYPES.append(cls)
    return cls


def _known_types() -> tuple[type, ...]:
    """Return the classes that a file may contain: parts of results, and all evidence."""
    return tuple(dict.fromkeys([*_SAVED_TYPES, *(cls for kind in KINDS for cls in kind.accepts)]))


class SavedViews(Views):
    """Views of a result, and methods to write and read its JSON file."""

    _by_metric: ClassVar[tuple[str, ...]] = ()
    """Fields that map names of metrics to values."""

    _not_saved: ClassVar[tuple[str, ...]] = ()

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        raise NotImplementedError

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: FilePath) -> None: ...
    def to_json(self, path: FilePath | None = None) -> str | None:
        """Return the result as JSON that `from_json` reads back, or write it.

        It has the return value of `to_dict` under "result", the fields of the result without loss
        under "fields", and the versions of its schema and of the package. The command
        ``sklearn-ordinal`` prints the same JSON.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.

        Returns
        -------
        str or None
            The JSON, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If the labels are neither numbers nor strings.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        return returned_or_written(as_json(self), path)

    @classmethod
    def from_json(cls, path: FilePath | IO[str]) -> Self:
        """Read a result that `to_json` or the command ``sklearn-ordinal`` has written.

        Parameters
        ----------
        path : str, path-like or file object
            The file, or a file that is open for reading, such as ``sys.stdin``.

        Returns
        -------
        result
            The result. Criteria that are not defined in this session, such as your own criteria,
            keep their values but cannot be evaluated again.

        Raises
        ------
        ValueError
            If the file does not contain such a result, is damaged, or was written by a newer
            version.
        OSError
            If the file cannot be read.
        """
        return load(path, cls, _known_types())

    def _saved_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = encoded(self, _known_types())["fields"]
        return fields

    def _to_json_fields(self) -> dict[str, Any]:
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        fields = {name: getattr(self, name) for name in names if name not in self._not_saved}
        for name in self._by_metric:
            fields[name] = dict(fields[name])
        if "metrics" not in fields:
            return fields
        n_classes = self.n_classes
        metrics = {name: _facts(metric, n_classes) for name, metric in fields["metrics"].items()}
        return {**fields, "metrics": metrics}

    @classmethod
    def _from_json_fields(cls, fields: dict[str, Any]) -> Self:
        if "metrics" not in {field.name for field in dataclasses.fields(cls)}:  # type: ignore[arg-type]
            return cls(**fields)
        check_dict("metrics", fields.get("metrics"), dict)
        for name in cls._by_metric:
            check_dict(name, fields.get(name), object)
        metrics = {name: _restored_metric(name, m) for name, m in fields["metrics"].items()}
        by_metric = {name: ByMetric(fields[name]) for name in cls._by_metric}
        return cls(**{**fields, **by_metric, "metrics": ByMetric(metrics)})


@dataclasses.dataclass(frozen=True)
class _UnknownStatistic:
    """The statistic of a saved metric that is not defined here and cannot be evaluated."""

    name: str
    facts: Mapping[str, Any]

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Raise an error, since only the saved values are known."""
        raise ValueError(
            f"{self.name} is not defined here, so only its saved values are available: import "
            f"the module that defines it."
        )

    @property
    def __signature__(self) -> inspect.Signature:
        # Metrics of the same function with other options show whether the function has this
        # parameter.
        counts_unanswered = any(
            metric.counts_unanswered and origin_of(metric.function) == self.facts["function"]
            for metric in METRICS.values()
        )
        names = ["counts", "unanswered"] if counts_unanswered else ["counts"]
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in names])


def is_defined_here(metric: OrdinalMetric) -> bool:
    """Return whether a metric can be evaluated, and not only its saved values are known."""
    return not isinstance(metric.statistic, _UnknownStatistic)


def _facts(metric: OrdinalMetric, n_classes: int) -> dict[str, Any]:
    """Return the facts that identify a metric, and its properties in case it is not found."""
    if isinstance(metric.statistic, _UnknownStatistic):
        return dict(metric.statistic.facts)
    original_name = {"original_name": metric.original_name} if metric.original_name else {}
    return {
        **original_name,
        "function": origin_of(metric.function or metric.statistic),
        "options": dict(metric.options),
        "greater_is_better": metric.greater_is_better,
        "chance_level": metric.chance_level,
        "evidence": metric.evidence.name,
        "type": _type_in_file(metric),
        "an_error_costs": metric.an_error_costs,
        "n_classes": n_classes,
        "bounds": tuple(map(float, metric.bounds(n_classes))),
    }


def _type_in_file(metric: OrdinalMetric) -> str:
    """Return the type of evaluation of a metric, as the file format names it."""
    if metric.scorer is not None:
        return "EstimatorMetric"
    return "RowMetric" if metric.evidence.reads_labels else "OrdinalMetric"


def _restored_metric(name: str, facts: dict[str, Any]) -> OrdinalMetric:
    """Return the metric that was saved, or a placeholder with its properties."""
    _check_facts(f"metrics[{shown(name)}]", facts)
    original_name = facts.get("original_name", name)
    kind = next(kind for kind in KINDS if kind.name == facts["evidence"])
    for candidate in (original_name, *_with_options(facts)):
        try:
            metric = metric_for(get_metric(candidate), [kind])
        except ValueError:
            continue
        if metric.name != original_name:
            continue
        metric = renamed(metric, name)
        if encoded(_facts(metric, facts["n_classes"])) == encoded(facts):
            return metric
    return OrdinalMetric(
        name,
        _UnknownStatistic(name, facts),
        greater_is_better=facts["greater_is_better"],
        chance_level=facts["chance_level"],
        evidence=kind,
        an_error_costs=facts["an_error_costs"],
        value_range=facts["bounds"],
    )


def _check_facts(name: str, facts: Mapping[str, Any]) -> None:
    """Raise unless facts have the form that `_facts` returns."""
    # Only criteria that the user has named have an original name.
    original_name = ("original_name",) if "original_name" in facts else ()
    check_dict(name, facts, object, keys=(*original_name, *_FACTS))
    for key in (*original_name, "function", "type", "an_error_costs"):
        check_instance(f"{name}[{shown(key)}]", facts[key], str)
    check_dict(f"{name}['options']", facts["options"], object)
    check_bool(f"{name}['greater_is_better']", facts["greater_is_better"], or_none=True)
    if facts["chance_level"] is not None:
        check_value(f"{name}['chance_level']", facts["chance_level"])
    names = [kind.name for kind in KINDS]
    if facts["evidence"] not in names:
        raise ValueError(
            f"{name}['evidence'] must be one of {sorted(set(names))}, got "
            f"{shown(facts['evidence'])}."
        )
    check_integer(f"{name}['n_classes']", facts["n_classes"], at_least=1)
    check_tuple(f"{name}['bounds']", facts["bounds"], float)
    if len(facts["bounds"]) != 2:
        raise ValueError(f"{name}['bounds'] must be two numbers, got {shown(facts['bounds'])}.")


def _with_options(facts: Mapping[str, Any]) -> list[Any]:
    functions = {origin_of(metric.function): metric.function for metric in known_metrics()}
    function = functions.get(facts["function"])
    return [] if function is None else [partial(function, **facts["options"])]
