"""Let names such as ``macro_averaged_mean_absolute_error`` break where their words end."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Change the body and the navigation of each page before it is written."""
    # The theme reads the contents of the page at priority 500, and adds its sidebar there.
    app.connect("html-page-context", _add_to_page, priority=400)
    app.connect("html-page-context", _add_to_sidebar, priority=600)
    return {"parallel_read_safe": True}


def add_breaks(html: str) -> str:
    """Add ``<wbr>`` after underscores and dots inside names, except in code blocks and formulas."""
    kept_or_mark = r"(<(pre|math|script)\b.*?</\2>|<[^>]*>)|(?<=\w)[_.](?=[a-z])"
    return re.sub(
        kept_or_mark, lambda match: match[0] + ("" if match[1] else "<wbr>"), html, flags=re.S
    )


def add_breaks_to_title(html: str) -> str:
    """Add ``<wbr>`` inside the title of a page that is the name of a class."""
    return re.sub(
        r"(?<=<h1>)\w+", lambda title: re.sub(r"(?<=[a-z])(?=[A-Z])", "<wbr>", title[0]), html
    )


def _add_to_page(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    if "body" in context:
        context["body"] = add_breaks_to_title(add_breaks(context["body"]))
    if "toc" in context:
        context["toc"] = add_breaks(context["toc"])


def _add_to_sidebar(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    sidebar = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda *args, **kwargs: add_breaks(
        str(sidebar(*args, **kwargs))
    )
