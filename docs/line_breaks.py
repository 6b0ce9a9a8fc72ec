"""Let names such as ``macro_averaged_mean_absolute_error`` break where their words end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Change the body and the navigation of each page before it is written."""
    # The theme reads the contents of the page at priority 500, and adds its sidebar there.
    app.connect("html-page-context", _add_to_page, priority=400)
    app.connect("html-page-context", _add_to_sidebar, priority=600)
    return {"parallel_read_safe": True}


def add_breaks(html: str) -> str:
    """Add ``<wbr>`` to names, except in code blocks, formulas and drawings.

    Names break after underscores and dots, and long names of classes between their words.
    """
    html = _sub(r"(?<=\w)[_.](?=[a-z])", lambda mark: mark[0] + "<wbr>", html)
    return _sub(
        r"\b[A-Z][A-Za-z]{19,}",
        lambda name: re.sub(r"(?<=[a-z])(?=[A-Z])", "<wbr>", name[0]),
        html,
    )


def _sub(pattern: str, replace: Callable[[re.Match[str]], str], html: str) -> str:
    kept = r"<(?P<kept>pre|math|script|svg)\b.*?</(?P=kept)>|<[^>]*>"
    return re.sub(
        f"{kept}|{pattern}",
        lambda match: match[0] if match[0].startswith("<") else replace(match),
        html,
        flags=re.S,
    )


def _add_to_page(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    for part in {"body", "toc"} & context.keys():
        context[part] = add_breaks(context[part])


def _add_to_sidebar(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    sidebar = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda *args, **kwargs: add_breaks(
        str(sidebar(*args, **kwargs))
    )
