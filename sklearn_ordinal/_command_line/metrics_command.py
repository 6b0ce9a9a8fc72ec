"""The command ``metrics``: the catalogue, or one metric and its docstring."""

from __future__ import annotations

import argparse
import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn_ordinal._command_line import option_values, result_output
from sklearn_ordinal._core import catalogue, evidence_kinds
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._documents import json_files
from sklearn_ordinal._documents.document_parts import Code, Column, Document, Note, Section, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.metrics import _association
from sklearn_ordinal.reports import _sections

# The catalogue of metrics, and one metric with its docstring, as results with views
# ----------------------------------------------------------------------------------

# Ranges that depend on the number of classes are shown for this number of classes.
_N_CLASSES = 5
# For each property, its letter in the catalogue and a sentence that describes it.
_PROPERTIES = {
    "ordinal_invariant": ("I", "order-preserving recoding of the classes changes nothing"),
    "strictly_monotonic": ("M", "a prediction closer to the truth is always better"),
    "ordinal_monotonic": ("m", "a prediction closer to the truth is never worse"),
    "imbalance_aware": ("B", "the same error costs more in a smaller class"),
    "prevalence_invariant": ("P", "the shares of the true classes do not matter"),
    "symmetric": ("S", "exchanging truth and prediction changes nothing"),
    "strictly_proper": ("R", "only the true probabilities have the best expected value"),
    "counts_unanswered": ("U", "samples without a prediction can count as errors"),
}


@dataclass(frozen=True, eq=False)
class MetricCatalogue(Views):
    """All metrics of the package.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The metrics by name.
    """

    metrics: Mapping[str, OrdinalMetric]

    def document(self) -> Document:
        """Return a table for each kind of predictions, when to prefer each metric, and its costs.

        Returns
        -------
        Document
            The tables.
        """
        letters = "; ".join(f"{letter}, {text}" for letter, text in _PROPERTIES.values())
        purposes = tuple(
            Note(f"{name}: prefer it {metric.prefer}.") for name, metric in self.metrics.items()
        )
        costs = Table(
            "What an error costs",
            (Column("metric"), Column("an error costs"), Column("source")),
            tuple(
                (name, metric.an_error_costs, source_of(metric))
                for name, metric in self.metrics.items()
            ),
        )
        return Document(
            "Metrics of sklearn_ordinal",
            (
                *(
                    _table(kind.title, catalogue.metrics_of(kind))
                    for kind in evidence_kinds.KINDS
                    if catalogue.metrics_of(kind)
                ),
                Note(
                    f"Ranges are for {_N_CLASSES} classes, and properties for data in which every "
                    f"class occurs. Properties: {letters}."
                ),
                Section("When to prefer each metric", purposes),
                Section("What errors cost", (costs,), is_detail=True),
            ),
            hint="sklearn-ordinal metrics NAME describes one of them.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about each metric.

        Returns
        -------
        dict
            "n_classes", the number of classes for which the ranges are given, and "metrics", a
            dict of facts for each.
        """
        return {
            "n_classes": _N_CLASSES,
            "metrics": {name: _facts(metric) for name, metric in self.metrics.items()},
        }

    def _records(self) -> list[dict[str, Any]]:
        return [_record(name, metric) for name, metric in self.metrics.items()]


@dataclass(frozen=True, eq=False)
class MetricDescription(Views):
    """One metric and the docstring of its function.

    Parameters
    ----------
    metric : OrdinalMetric
        The metric.
    """

    metric: OrdinalMetric

    def document(self) -> Document:
        """Return the docstring of the metric, and the facts about it.

        Returns
        -------
        Document
            The docstring, notes, and a table of facts.
        """
        metric, docstring = self.metric, _docstring(self.metric)
        parts = (
            Code(docstring) if docstring else None,
            _note("An error costs", metric.an_error_costs),
            _note("Prefer it", metric.prefer),
            _note("It has these properties", "; ".join(_PROPERTIES[n][1] for n in _held(metric))),
            Table("Facts", (Column("fact"), Column("value")), tuple(_fact_rows(metric))),
        )
        present = tuple(part for part in parts if part is not None)
        return Document(metric.name, (Section(metric.name, present),))

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about the metric.

        Returns
        -------
        dict
            "name", "n_classes", the facts in the catalogue, and "docstring", the docstring of the
            function; for functions of scikit-learn, only the first paragraph.
        """
        facts: dict[str, Any] = json_files.plain(
            {
                "name": self.metric.name,
                "n_classes": _N_CLASSES,
                **_facts(self.metric),
                "docstring": _docstring(self.metric),
            }
        )
        return facts

    def _records(self) -> list[dict[str, Any]]:
        return [_record(self.metric.name, self.metric)]


def documented_function(metric: OrdinalMetric) -> Callable[..., Any] | None:
    """Return the public function that documents a metric, None if there is none."""
    function = getattr(metric.function, "_score_func", metric.function)
    function = function.func if isinstance(function, partial) else function
    if function is not None and function.__name__.startswith("_"):
        # The metric is one of several values that a public function returns.
        return _association.reliability_sensitivity
    return function


def source_of(metric: OrdinalMetric) -> str:
    """Return authors and year of the first reference of a metric."""
    function = documented_function(metric)
    if function is None or metric.is_sklearns:
        return "scikit-learn"
    reference = re.search(r"\.\. \[1\] (.*?\(\d{4}\))", function.__doc__ or "", flags=re.S)
    if reference is None:
        return ""
    # Keep only surnames, since a leading initial would begin a numbered list in the documentation.
    names, year = re.sub(r"\b[A-Z]\. ", "", " ".join(reference[1].split())).rsplit(" ", 1)
    first, *coauthors = names.split(", ")
    return (
        f"{first}{' et al.' if len(coauthors) > 1 else ''.join(f', {n}' for n in coauthors)} {year}"
    )


def _docstring(metric: OrdinalMetric) -> str:
    function = documented_function(metric)
    docstring = "" if function is None else inspect.getdoc(function) or ""
    # The rest of the docstring is in the documentation of scikit-learn.
    return docstring.partition("\n\n")[0] if metric.is_sklearns else docstring


def _facts(metric: OrdinalMetric) -> dict[str, Any]:
    function = documented_function(metric)
    facts: dict[str, Any] = json_files.plain(
        {
            "evidence": metric.evidence.name,
            "better": _sections.direction_as_text(metric),
            "range": metric.bounds(_N_CLASSES),
            "range_depends_on_n_classes": metric.bounds(_N_CLASSES)
            != metric.bounds(_N_CLASSES + 1),
            "chance_level": metric.chance_level,
            "properties": {name: getattr(metric, name) for name in _PROPERTIES},
            "interval_method": metric.interval_method,
            "an_error_costs": metric.an_error_costs,
            "prefer": metric.prefer,
            "scorer": metric.scorer_name,
            "function": None if function is None else _import_name(function),
            "fixed_options": dict(metric.options),
            "source": source_of(metric),
        }
    )
    return facts


def _import_name(function: Callable[..., Any]) -> str:
    """Return the name by which a public function is imported."""
    package = ".".join(part for part in function.__module__.split(".") if not part.startswith("_"))
    return f"{package}.{function.__name__}"


def _record(name: str, metric: OrdinalMetric) -> dict[str, Any]:
    facts = _facts(metric)
    lowest, highest = metric.bounds(_N_CLASSES)
    return {
        "metric": name,
        "evidence": facts["evidence"],
        "better": facts["better"],
        "lowest": lowest,
        "highest": highest,
        "chance_level": facts["chance_level"],
        **facts["properties"],
        "an_error_costs": facts["an_error_costs"],
        "prefer": facts["prefer"],
        "scorer": facts["scorer"],
        "source": facts["source"],
    }


def _table(title: str, metrics: Mapping[str, OrdinalMetric]) -> Table:
    names = ("metric", "better", "range", "chance", "properties")
    return Table(
        title,
        tuple(map(Column, names)),
        tuple(
            (
                name,
                _sections.direction_as_text(metric),
                _range(metric),
                "" if metric.chance_level is None else f"{metric.chance_level:g}",
                _letters(metric),
            )
            for name, metric in metrics.items()
        ),
    )


def _range(metric: OrdinalMetric) -> str:
    lowest, highest = metric.bounds(_N_CLASSES)
    return f"{lowest:g} to {highest:.3g}"


def _letters(metric: OrdinalMetric) -> str:
    return " ".join(_PROPERTIES[name][0] for name in _held(metric))


def _held(metric: OrdinalMetric) -> list[str]:
    """Return the properties of a metric; strict monotonicity implies the weak one."""
    properties = [name for name in _PROPERTIES if getattr(metric, name)]
    if "strictly_monotonic" in properties:
        properties.remove("ordinal_monotonic")
    return properties


def _note(title: str, text: str) -> Note | None:
    return Note(f"{title}: {text}.") if text else None


def _fact_rows(metric: OrdinalMetric) -> Iterator[tuple[str, str]]:
    facts = _facts(metric)
    bounds = _range(metric)
    if metric.bounds(_N_CLASSES) == (-math.inf, math.inf):
        bounds = "not known"
    elif facts["range_depends_on_n_classes"]:
        bounds += f" ({_N_CLASSES} classes)"
    yield "takes", metric.evidence.inputs
    yield "better", facts["better"]
    yield "range", bounds
    if metric.chance_level is not None:
        yield "by chance", f"{metric.chance_level:g}"
    yield "interval", f"{metric.interval_method} bootstrap"
    if metric.scorer_name is not None:
        yield "scorer", metric.scorer_name
    if facts["function"] is not None:
        yield "function", facts["function"]
    if metric.options:
        yield "with", ", ".join(f"{name}={value!r}" for name, value in metric.options.items())


# The command ``metrics``: the catalogue, or one metric and its docstring
# -----------------------------------------------------------------------

_DESCRIPTION = """\
List the metrics with their direction, range and properties, and when to prefer
each; or describe one: its range and properties, its name as a scorer, and the
docstring of its function."""
_EXAMPLE = """\
examples:
  sklearn-ordinal metrics
  sklearn-ordinal metrics quadratic_weighted_kappa"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "metrics",
        help="list the metrics, or describe one",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="the name of a metric or scorer of this package or of scikit-learn; by default all "
        "metrics are listed",
    )
    result_output.add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    result_output.check_output(options)
    name = options.name
    result: Views = (
        MetricCatalogue(catalogue.METRICS)
        if name is None
        else MetricDescription(option_values.find_metric(name))
    )
    result_output.write_result(result, options)
