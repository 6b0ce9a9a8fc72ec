"""Reports as files: one page of HTML that needs nothing else."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from html import escape
from os import PathLike
from pathlib import Path

from sklearn_ordinal.report._html import resource


def write_document(path: str | PathLike[str], *, title: str, parts: list[str]) -> None:
    """Write a page that opens without network, in light and dark, on screens and paper."""
    script = resource("sort.js")
    # Only this script may run, and nothing may be fetched, whatever a name contains.
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="sklearn_ordinal">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{resource('report.css')}{resource('page.css')}</style>\n</head>\n"
        f'<body>\n<main class="sklearn-ordinal-report">\n<h1>{escape(title)}</h1>\n'
        f"{''.join(parts)}</main>\n<script>{script}</script>\n</body>\n</html>\n"
    )
    Path(path).write_text(page, encoding="utf-8", newline="\n")


def section(title: str, *parts: str) -> str:
    """Return parts under a heading."""
    return f"<section>\n<h2>{escape(title)}</h2>\n{''.join(parts)}</section>\n"


def details(summary: str, *parts: str) -> str:
    """Return parts that are shown on demand."""
    return f"<details><summary>{escape(summary)}</summary>\n{''.join(parts)}</details>\n"


def paragraph(text: str, *, is_note: bool = False) -> str:
    """Return a paragraph, small print if it is a note."""
    kind = ' class="note"' if is_note else ""
    return f"<p{kind}>{escape(text)}</p>\n"


def preformatted(text: str) -> str:
    """Return text with its lines as they are, such as a traceback."""
    return f"<pre>{escape(text)}</pre>\n"
