"""Write signatures with the annotations of the source, such as ``ArrayLike``.

Sphinx would evaluate them, and aliases of NumPy become unions of many lines.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.inspect import stringify_signature


def setup(app: Sphinx) -> dict[str, Any]:
    """Replace the signature of each documented function and class."""
    app.connect("autodoc-process-signature", _write)
    return {"parallel_read_safe": True}


def as_written(what: str, documented: Any) -> str:
    """Return a signature; annotations are strings in modules that postpone their evaluation."""
    signature = inspect.signature(documented)
    if what == "method" and inspect.isfunction(documented):
        _, *parameters = signature.parameters.values()
        signature = signature.replace(parameters=parameters)
    if what == "class":
        signature = _of_class(signature, documented)
    return stringify_signature(signature)


def _of_class(signature: inspect.Signature, documented: Any) -> inspect.Signature:
    """Return a signature without ``-> None``, with ``<factory>`` replaced by the default values."""
    fields = dataclasses.fields(documented) if dataclasses.is_dataclass(documented) else ()
    made = {
        field.name: field.default_factory()
        for field in fields
        if field.default_factory is not dataclasses.MISSING
    }
    parameters = [
        parameter.replace(default=made.get(name, parameter.default))
        for name, parameter in signature.parameters.items()
    ]
    return signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)


def _write(
    _app: Sphinx,
    what: str,
    _name: str,
    documented: Any,
    _options: Any,
    signature: str | None,
    _returns: str | None,
) -> tuple[str, str] | None:
    if signature is None or what not in ("class", "function", "method"):
        return None
    return as_written(what, documented), ""
