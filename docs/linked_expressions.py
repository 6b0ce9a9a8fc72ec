"""Link the functions in the expressions of a table, such as ``sk.f1_score(sets, predicted)``."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

IMPORTED_AS = {"metrics": "sklearn_ordinal.metrics", "sk": "sklearn.metrics"}
FUNCTION = re.compile(rf"\b({'|'.join(IMPORTED_AS)})\.(\w+)(?=\()")


def setup(app: Sphinx) -> dict[str, Any]:
    """Link the functions in the tables of the class "measures" of each page that is read."""
    app.connect("doctree-read", _link)
    return {"parallel_read_safe": True}


def full_names(expression: str) -> list[str]:
    """Return the full names of the functions that an expression calls."""
    return [f"{IMPORTED_AS[module]}.{name}" for module, name in FUNCTION.findall(expression)]


def _link(app: Sphinx, doctree: nodes.document) -> None:
    tables = (table for table in doctree.findall(nodes.table) if "measures" in table["classes"])
    for literal in [literal for table in tables for literal in table.findall(nodes.literal)]:
        expression = literal.astext().replace("\n", " ")
        parts: list[nodes.Node] = []
        end = 0
        for match, name in zip(FUNCTION.finditer(expression), full_names(expression), strict=True):
            link = pending_xref(
                refdomain="py", reftype="obj", reftarget=name, refdoc=app.env.docname
            )
            link["refexplicit"] = True
            link += nodes.inline(match[0], match[0])
            parts += [nodes.Text(expression[end : match.start()]), link]
            end = match.end()
        literal[:] = [*parts, nodes.Text(expression[end:])]
