"""What the docstring of a metric says, as plain text."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sklearn_ordinal import metrics
from sklearn_ordinal._core import OrdinalMetric

# Parameters that all metrics have are not options of one.
_PREDICTIONS = {"y_true", "y_pred", "y_proba", "y_score", "labels", "sample_weight", "unanswered"}
_MATH, _INDENT, _WIDTH = ".. math::", "  ", 80


class Option(NamedTuple):
    """A parameter of the function of a metric."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class Docstring:
    """A numpydoc docstring without the markup of reStructuredText.

    Paragraphs of several lines are formulas, in LaTeX; the others are one line each.
    """

    summary: str
    description: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    value: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    example: str = ""


def documented_function(metric: OrdinalMetric) -> Callable[..., Any] | None:
    """Return the public function that documents a metric, None if there is none."""
    function = getattr(metric.function, "_score_func", metric.function)
    function = function.func if isinstance(function, partial) else function
    if function is not None and function.__name__.startswith("_"):
        # One of the values of a function that returns several.
        return metrics.reliability_sensitivity
    return function


def title_of_function(function: Callable[..., Any]) -> str:
    """Return the name by which a public function is imported."""
    package = ".".join(part for part in function.__module__.split(".") if not part.startswith("_"))
    return f"{package}.{function.__name__}"


def source_of(metric: OrdinalMetric) -> str:
    """Return authors and year of the first reference of a metric."""
    function = documented_function(metric)
    if function is None or metric.is_sklearns:
        return "scikit-learn"
    reference = re.search(r"\.\. \[1\] (.*?\(\d{4}\))", function.__doc__ or "", flags=re.S)
    if reference is None:
        return ""
    # Surnames alone: a leading initial would begin a numbered list in the documentation.
    names, year = re.sub(r"\b[A-Z]\. ", "", " ".join(reference[1].split())).rsplit(" ", 1)
    first, *others = names.split(", ")
    return f"{first}{' et al.' if len(others) > 1 else ''.join(f', {n}' for n in others)} {year}"


def read_docstring(metric: OrdinalMetric) -> Docstring:
    """Return the documentation of a metric, for functions of scikit-learn only the summary."""
    function = documented_function(metric)
    text = inspect.getdoc(function) if function is not None else None
    if not text:
        return Docstring("")
    head, *parts = re.split(r"^(\S.*)\n-+\n", text, flags=re.M)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    summary, *description = _paragraphs(head)
    if metric.is_sklearns:
        return Docstring(summary)
    returned = sections.get("Returns", "")
    references = re.split(r"^\.\. ", sections.get("References", ""), flags=re.M)[1:]
    return Docstring(
        summary=summary,
        description=tuple(description),
        options=tuple(_options(sections.get("Parameters", ""))),
        # The first line is the type.
        value=tuple(_paragraphs(textwrap.dedent(returned.partition("\n")[2]))),
        notes=tuple(_paragraphs(sections.get("Notes", ""))),
        references=tuple(map(_plain, references)),
        example=_wrapped_code(sections.get("Examples", "").strip("\n")),
    )


def _options(text: str) -> Iterator[Option]:
    _, *parts = re.split(r"^(\w+) : (.*)\n", text, flags=re.M)
    for name, kind, description in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if name not in _PREDICTIONS:
            yield Option(name, kind, _plain(description))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if paragraph.startswith(_MATH):
            yield _formula(paragraph.removeprefix(_MATH))
        elif paragraph.strip():
            yield _plain(paragraph)


def _formula(text: str) -> str:
    """Return the lines of a formula, indented so that they differ from a paragraph."""
    first, _, others = text.strip("\n").partition("\n")
    lines = filter(None, [first.strip(), *textwrap.dedent(others).splitlines()])
    return _wrapped_code(textwrap.indent("\n".join(lines), _INDENT))


def is_formula(paragraph: str) -> bool:
    """Return whether a paragraph is a formula."""
    return paragraph.startswith(_INDENT)


def _wrapped_code(text: str) -> str:
    """Return lines of code, wrapped at spaces instead of being cut off in text."""
    wrapper = textwrap.TextWrapper(_WIDTH, subsequent_indent=2 * _INDENT, break_long_words=False)
    return "\n".join(wrapper.fill(line) for line in text.splitlines())


def _plain(text: str) -> str:
    """Return a paragraph on one line without markup."""
    text = " ".join(text.split())
    text = re.sub(r":doi:`([^`]*)`", r"https://doi.org/\1", text)
    text = re.sub(r"(?::[\w:]+:)?``?~?([^`]*)``?", r"\1", text)
    return re.sub(r"(\[\d+\])_", r"\1", text)
