"""Link names that are written without their module, such as ``OrdinalConfusion``."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.intersphinx import InventoryAdapter

# Annotations are shown as they are written.
IMPORTED_AS = {"np.": "numpy."}


def setup(app: Sphinx) -> dict[str, Any]:
    """Resolve references that Sphinx cannot, before intersphinx tries to (at priority 500)."""
    app.connect("missing-reference", _resolve, priority=400)
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
    if len(found) == 1:
        return domain.resolve_xref(
            env, node["refdoc"], app.builder, "obj", found[0], node, contents
        )
    if node.get("refdomain") == "py":
        _complete(env, node)
    return None


def _complete(env: BuildEnvironment, node: nodes.Element) -> None:
    """Write the name of another package in full, for intersphinx."""
    name = node["reftarget"]
    for short, module in IMPORTED_AS.items():
        if name.startswith(short):
            name = module + name.removeprefix(short)
    known = [full for names in InventoryAdapter(env).main_inventory.values() for full in names]
    found = [full for full in known if full == name or full.endswith(f".{name}")]
    if len(found) == 1:
        # Types in signatures refer to classes, but an alias such as ArrayLike is data.
        node["reftarget"], node["reftype"] = found[0], "obj"
