"""The options --format and --output: a result as text in a format, in a file or on stdout."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from sklearn_ordinal.documents import Views, as_csv, as_json, write_text

_FORMATS = ("text", "json", "html", "markdown", "latex", "csv")
_FORMAT_OF_SUFFIX = {
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
}


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the commands that print a result."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=_FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}; by default the one of the suffix of "
        "--output (.json, .html, .md, .tex, .csv), else text",
    )
    group.add_argument(
        "--output",
        metavar="FILE",
        help="write to FILE, which is replaced only once the result is complete; - or none is "
        "standard output",
    )


def check_output(options: argparse.Namespace) -> None:
    """Check that the output can be written, before the work that takes a while."""
    if options.output in (None, "-"):
        return
    path = Path(options.output)
    folder = path.resolve().parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ValueError(
            f"argument --output: cannot write to {options.output!r}: give a file in an existing "
            f"folder in which you may write."
        )


def write_result(result: Views, options: argparse.Namespace) -> None:
    """Write a result in the format of the options."""
    write_output(_rendered(result, format_of(options)), options)


def write_output(text: str, options: argparse.Namespace) -> None:
    """Write text to the file of the options, or print it."""
    text = f"{text.rstrip()}\n"
    if options.output not in (None, "-"):
        write_text(options.output, text)
    else:
        sys.stdout.write(text)


def format_of(options: argparse.Namespace) -> str:
    """Return the format that is asked for, or else the one of the suffix of the file."""
    if options.format is not None:
        return str(options.format)
    suffix = "" if options.output is None else Path(options.output).suffix.lower()
    return _FORMAT_OF_SUFFIX.get(suffix, "text")


def _rendered(result: Views, name: str) -> str:
    render: dict[str, Callable[[], str | None]] = {
        "text": result.to_text,
        "json": lambda: as_json(result),
        "html": result.to_html,
        "markdown": result.to_markdown,
        "latex": result.to_latex,
        "csv": lambda: as_csv(result),
    }
    return str(render[name]())
