"""Write the tables of the guide "Choosing a criterion" from the catalogue of metrics."""

from __future__ import annotations

from pathlib import Path

from sklearn_ordinal._command_line.metrics_command import documented_function, source_of
from sklearn_ordinal._core.catalogue import OrdinalMetric, metrics_of
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import KINDS

HEADER = [
    "metric",
    "better",
    "range",
    "chance",
    "properties",
    "an error costs",
    "prefer it",
    "source",
]
# Narrow screens show a row as a list, with the name of the column before each value.
ROLE = ".. role:: column-name\n"
HEAD = """\
.. list-table:: {title}
   :header-rows: 1
   :class: criteria
   :widths: 20 7 9 7 11 18 18 10
"""
# The page of the guide for the functions of each module; the other modules are scikit-learn's.
FAMILIES = {
    "_closeness": "closeness",
    "_kappa": "kappas",
    "_agreement": "kappas",
    "_error": "distances",
    "_path": "distances",
    "_accuracy": "accuracies",
    "_association": "correlations",
    "_information": "information",
    "_ranked_probability": "probabilities",
    "_probability": "probabilities",
    "_ranking": "rankings",
}
SCIKIT_LEARNS = {"labels": "accuracies", "probabilities": "probabilities"}


def write(path: Path) -> None:
    """Write a list-table for each kind of evidence, with a row for each metric."""
    path.parent.mkdir(exist_ok=True)
    lines = [ROLE]
    for kind in filter(metrics_of, KINDS):
        lines.append(HEAD.format(title=kind.title))
        for row in [HEADER, *map(_row, metrics_of(kind).values())]:
            lines += [f"   {'  -' if number else '* -'} {cell}" for number, cell in enumerate(row)]
        lines.append("")
    path.write_text("\n".join(lines), encoding="utf-8")


def _row(metric: OrdinalMetric) -> list[str]:
    lowest, highest = metric.bounds(5)
    bounds = f"{lowest:g} to {highest:.3g}"
    if metric.bounds(5) != metric.bounds(6):
        bounds += " (5 classes)"
    held = {
        "invariant": metric.ordinal_invariant,
        "strictly monotonic": metric.strictly_monotonic,
        "monotonic": metric.ordinal_monotonic and not metric.strictly_monotonic,
        "imbalance": metric.imbalance_aware,
        "prevalence": metric.prevalence_invariant,
        "soft": OrdinalConfusion in metric.evidence.accepts and metric.expected_on_soft_counts,
        "strictly proper": metric.strictly_proper,
    }
    cells = [
        {True: "higher", False: "lower", None: "neither"}[metric.greater_is_better],
        bounds,
        "" if metric.chance_level is None else f"{metric.chance_level:g}",
        ", ".join(name for name, holds in held.items() if holds),
        metric.an_error_costs,
        metric.prefer,
        source_of(metric),
    ]
    named = zip(HEADER[1:], cells, strict=True)
    return [_name(metric), *(cell and f":column-name:`{name}:` {cell}" for name, cell in named)]


def _name(metric: OrdinalMetric) -> str:
    function = documented_function(metric)
    if function is None or metric.is_sklearns:
        return f"``{metric.name}``{_family(SCIKIT_LEARNS[metric.evidence.name])}"
    family = FAMILIES[function.__module__.rpartition(".")[2]]
    name = f":func:`{metric.name} <sklearn_ordinal.metrics.{function.__name__}>`"
    return name + _family(family)


def _family(family: str) -> str:
    return f", in :doc:`{family} <families/{family}>`"
