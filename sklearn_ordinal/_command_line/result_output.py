"""The options ``--format`` and ``--output``: the format of a result, and the file for it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from sklearn_ordinal._command_line import option_values
from sklearn_ordinal._documents import formatting, plain_text, views, writing
from sklearn_ordinal._documents.document_parts import Document, Note
from sklearn_ordinal._documents.views import Views

_FORMATS = ("text", "json", "html", "markdown", "latex", "csv")
# /dev/stdout may be redirected to a file that is open for appending and must not be replaced.
_STANDARD_OUTPUT = (None, "-", "/dev/stdout")
# The options that name columns, and what is in the columns.
_COLUMNS = {
    "true": "true classes",
    "pred": "predicted classes",
    "grade": "grades",
    "item": "items",
    "rater": "raters",
    "by": "groups",
    "clusters": "clusters",
    "strata": "strata",
    "weight": "weights",
    "id": "ids",
}
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
        help=f"{', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}; by default set by the "
        "suffix of --output (.json, .html, .md, .tex, .csv), else text",
    )
    group.add_argument(
        "--output",
        metavar="FILE",
        help="write to FILE; an existing file is replaced only when the result is complete. If "
        "FILE is - or --output is omitted, write to standard output",
    )


def check_output(options: argparse.Namespace, inputs: Iterable[str] = ()) -> None:
    """Check that the output can be written, before work that takes a while.

    The output must not replace one of the files `inputs`.
    """
    check_target("--output", options.output, inputs)


def check_target(option: str, output: str | None, inputs: Iterable[str]) -> None:
    """Check that the file of an option can be written, and is not one of the files `inputs`."""
    if output is None or output in _STANDARD_OUTPUT:
        return
    path = Path(output)
    folder = path.resolve().parent
    if (
        output.endswith(("/", os.sep))
        or path.is_dir()
        or not folder.is_dir()
        or not os.access(folder, os.W_OK)
    ):
        raise ValueError(
            f"argument {option}: cannot write to {output!r}: give a file in an existing folder "
            f"with write permission."
        )
    for file in inputs:
        if option_values.is_same_file(output, file):
            raise ValueError(
                f"argument {option}: {output!r} would replace the input {file}: give another file."
            )


def write_result(result: Views, options: argparse.Namespace, hint: str | None = None) -> None:
    """Write a result in the format of the options.

    `hint` replaces the hint of the document, which is about Python.
    """
    document = result.document()
    if document.hint and hint is not None:
        document = replace(document, hint=hint)
    document = _with_files(document, options)
    render: dict[str, Callable[[], str | None]] = {
        "text": lambda: plain_text.as_text(document, complete_view="--format markdown"),
        "json": result.to_json,
        "html": lambda: views.page_of(document),
        "markdown": result.to_markdown,
        "latex": result.to_latex,
        "csv": lambda: views.as_csv(result),
    }
    format_ = _format_of(options)
    text = f"{str(render[format_]()).rstrip()}\n"
    if options.output not in _STANDARD_OUTPUT:
        writing.replace_file(options.output, text)
    elif format_ == "text":
        _print_text(text)
    else:
        _print_file(text)


def _with_files(document: Document, options: argparse.Namespace) -> Document:
    """Add the files and columns that are evaluated to the title and the notes of a page."""
    given = {name: value for name, value in vars(options).items() if value}
    paths = [given[name] for name in ("file", "gold", "predictions") if name in given]
    files = list(dict.fromkeys([*paths, *given.get("systems", ()), *given.get("judges", ())]))
    if not files:
        return document
    columns = {
        column: what
        for name, what in _COLUMNS.items()
        for column in ([given[name]] if isinstance(given.get(name), str) else given.get(name, ()))
    }
    kind, _, _ = document.title.partition(":")
    title = f"{kind}: {formatting.names_in_words(files)}"
    evaluated = f"Evaluated: {', '.join(files)}"
    if columns:
        title += f" ({', '.join(columns)})"
        named = ", ".join(f"{column} ({what})" for column, what in columns.items())
        evaluated += f", with the columns {named}"
    return replace(document, title=title, about=(*document.about, Note(f"{evaluated}.")))


def _print_text(text: str) -> None:
    """Print text for people, in the encoding of the terminal."""
    # Unlike sys.stdout.write, print accepts that there is no standard output.
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        formatting.ELLIPSIS.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace(formatting.ELLIPSIS, "~")
    print(text, end="")


def _print_file(text: str) -> None:
    """Print the content of a file: what --output writes, whatever the encoding of the terminal."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        print(text, end="")
    else:
        sys.stdout.flush()
        binary.write(text.encode("utf-8"))


def _format_of(options: argparse.Namespace) -> str:
    """Return the format that the user chose, or else the format of the file's suffix."""
    if options.format is not None:
        return str(options.format)
    suffix = "" if options.output is None else Path(options.output).suffix.lower()
    return _FORMAT_OF_SUFFIX.get(suffix, "text")
