"""Write the page of the metric functions from the names that are exported."""

from __future__ import annotations

from pathlib import Path

from sklearn_ordinal import metrics
from sklearn_ordinal._command_line.metrics_command import documented_function
from sklearn_ordinal._core.catalogue import METRICS

HEAD = """\
Metric functions
================

.. currentmodule:: sklearn_ordinal.metrics

:doc:`/guide/which` has the names of the metrics in searches and reports, their ranges and their
properties.
"""
SECTION = """
{title}
{underline}

.. autosummary::
   :toctree: .

"""
TITLES = {
    "labels": "Metrics of predicted classes",
    "probabilities": "Metrics of probabilities",
    "scores": "Metrics of rankings",
    "ratings": "Metrics of the agreement of several raters",
    None: "Parts of metrics, and metrics of several outputs",
}


def write(path: Path) -> None:
    """Write a page that lists each public function of `sklearn_ordinal.metrics`."""
    path.parent.mkdir(exist_ok=True)
    kinds: dict[str, str] = {}
    for metric in METRICS.values():
        function = documented_function(metric)
        if function is not None:
            kinds.setdefault(function.__name__, metric.evidence.name)
    text = HEAD
    for kind, title in TITLES.items():
        names = [name for name in metrics.__all__ if kinds.get(name) == kind]
        text += SECTION.format(title=title, underline="-" * len(title))
        text += "".join(f"   {name}\n" for name in names)
    path.write_text(text, encoding="utf-8")
