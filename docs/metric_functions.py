"""Write the page of the metric functions from the names that are exported."""

from __future__ import annotations

from pathlib import Path

from sklearn_ordinal import metrics

HEAD = """\
Metric functions
================

.. currentmodule:: sklearn_ordinal.metrics

.. autosummary::
   :toctree: .

"""


def write(path: Path) -> None:
    """Write a page that lists each public function of `sklearn_ordinal.metrics`."""
    path.parent.mkdir(exist_ok=True)
    names = "".join(f"   {name}\n" for name in metrics.__all__)
    path.write_text(HEAD + names, encoding="utf-8")
