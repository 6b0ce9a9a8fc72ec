r"""Render formulas as MathML, which browsers display without scripts or requests.

Sphinx's own renderers need a script from a server or a LaTeX installation.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer as ``mathml``."""
    app.add_html_math_renderer("mathml", (_write_inline, None), (_write_block, None))
    return {"parallel_read_safe": True}


def to_mathml(tex: str, *, as_block: bool) -> str:
    r"""Return a formula as MathML; docutils has ``\Bigl`` and ``\Bigr`` but not ``\Big``."""
    tex = re.sub(r"\\([Bb]igg?)(?=[(\[|])", r"\\\1l", tex)
    tex = re.sub(r"\\([Bb]igg?)(?=[)\]])", r"\\\1r", tex)
    return tex2mathml(tex, as_block=as_block)


def _write_inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(_converted(node, as_block=False))
    raise nodes.SkipNode


def _write_block(translator: Any, node: nodes.Element) -> None:
    formula = _converted(node, as_block=True)
    translator.body.append(f'<div class="formula">{formula}</div>\n')
    raise nodes.SkipNode


def _converted(node: nodes.Element, *, as_block: bool) -> str:
    try:
        return to_mathml(node.astext(), as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return ""
