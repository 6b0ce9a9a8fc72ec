"""Link the page of a metric's family in the documentation of the metric.

The docstrings have no such links, because ``help`` and the command ``metrics`` print them.
"""

from __future__ import annotations

from pydoc import locate
from typing import Any

from criteria_table import FAMILIES
from sphinx.application import Sphinx

MORE = "an example by hand, what an error costs, and the names in other packages"


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the link before numpydoc rewrites a docstring (at priority 500)."""
    app.connect("autodoc-process-docstring", _add, priority=400)
    return {"parallel_read_safe": True}


def add_link(name: str, lines: list[str]) -> None:
    """Add the link of a metric function to the lines of its docstring, before its parameters."""
    documented: Any = locate(name)
    family = FAMILIES.get(documented.__module__.rpartition(".")[2])
    if family is not None:
        start = lines.index("Parameters")
        lines[start:start] = [f"See :doc:`/guide/families/{family}` for {MORE}.", ""]


def _add(
    _app: Sphinx, what: str, name: str, _documented: Any, _options: Any, lines: list[str]
) -> None:
    if what == "function" and name.startswith("sklearn_ordinal.metrics."):
        add_link(name, lines)
