"""Let names such as ``macro_averaged_mean_absolute_error`` break after an underscore or a dot."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Change the body of each page before it is written."""
    app.connect("html-page-context", _add_to_page)
    return {"parallel_read_safe": True}


def add_breaks(html: str) -> str:
    """Add ``<wbr>`` inside the names of a page, except in code blocks and formulas."""
    kept_or_mark = r"(<(pre|math|script)\b.*?</\2>|<[^>]*>)|(?<=\w)[_.](?=[a-z])"
    return re.sub(
        kept_or_mark, lambda match: match[0] + ("" if match[1] else "<wbr>"), html, flags=re.S
    )


def _add_to_page(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    if "body" in context:
        context["body"] = add_breaks(context["body"])
