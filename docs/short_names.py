"""Link public names that are written without their module, such as ``OrdinalConfusion``."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def setup(app: Sphinx) -> dict[str, Any]:
    """Resolve references that Sphinx cannot."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True}


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: nodes.Element, contents: nodes.TextElement
) -> nodes.reference | None:
    name = node["reftarget"].removeprefix("sklearn_ordinal.")
    domain = env.domains.python_domain
    # Most bare names are parameters, which must not become links to attributes.
    found = [
        full_name
        for full_name, entry in domain.objects.items()
        if full_name.endswith(f".{name}")
        and not entry.aliased
        and (entry.objtype in ("class", "function") or "." in name)
    ]
    if len(found) != 1:
        return None
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", found[0], node, contents)
