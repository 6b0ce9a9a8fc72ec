"""The catalogue of metrics, and one metric with its docstring, as results with views."""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn_ordinal import metrics
from sklearn_ordinal._core import DIRECTED_PROPERTIES, KINDS, OrdinalMetric, metrics_of
from sklearn_ordinal._documents import (
    Code,
    Column,
    Document,
    Note,
    Section,
    Table,
    Views,
    plain,
)
from sklearn_ordinal.reports import direction_as_text

# Ranges that depend on the number of classes are shown for this number of classes.
_N_CLASSES = 5
# Plain text is wrapped at this width, because the lines of docstrings are longer.
_WIDTH = 80
# References, parameters and the lines below headings start on a new line.
_ENTRY = re.compile(r"\s*(\.\. \[|[\w*`., ]+ : |-+$)")
# The lines of formulas and examples stay as they are, unless they are too long.
_LITERAL = re.compile(r"\s*(\.\. \w|>>> )")
# A group in braces, which may contain two more levels of braces.
_GROUP = r"{((?:[^{}]|{(?:[^{}]|{[^{}]*})*})*)}"
# What commands of TeX become; all others, such as names of Greek letters, only lose the backslash.
_TEX = (
    (r"\\(?:[Bb]igg?[lr]?|,|;|!)", " "),
    (r",? *\\qquad", ";"),
    (rf"\\mathrm ?{_GROUP}", r"\1"),
    (r"\\mathrm\\?(\w)", r"\1"),
    (r"\\le\b", "<="),
    (r"\\to\b", "->"),
    (r"\\cdot\b", "*"),
    (r"\\arg\\min", "argmin"),
)
# For each property, its letter in the catalogue and a sentence that describes it.
_PROPERTIES = {
    "ordinal_invariant": ("I", "order-preserving recoding of the classes changes nothing"),
    "strictly_monotonic": ("M", "a prediction closer to the truth is always better"),
    "ordinal_monotonic": ("m", "a prediction closer to the truth is never worse"),
    "imbalance_aware": ("B", "the same error costs more in a smaller class"),
    "prevalence_invariant": ("P", "the shares of the true classes do not matter"),
    "symmetric": ("S", "exchanging truth and prediction changes nothing"),
    "strictly_proper": ("R", "only the true probabilities have the best expected value"),
    "counts_unanswered": ("U", "samples without a prediction can count as errors"),
}


@dataclass(frozen=True, eq=False)
class MetricCatalogue(Views):
    """All metrics of the package.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The metrics by name.
    """

    metrics: Mapping[str, OrdinalMetric]

    def document(self) -> Document:
        """Return a table for each kind of predictions, when to prefer each metric, and its costs.

        Returns
        -------
        Document
            The tables.
        """
        letters = "; ".join(f"{letter}, {text}" for letter, text in _PROPERTIES.values())
        purposes = tuple(
            Note(f"{name}: prefer it {metric.prefer}.") for name, metric in self.metrics.items()
        )
        costs = Table(
            "What an error costs",
            (Column("metric"), Column("an error costs"), Column("source")),
            tuple(
                (name, metric.an_error_costs, source_of(metric))
                for name, metric in self.metrics.items()
            ),
        )
        return Document(
            "Metrics of sklearn_ordinal",
            (
                *(_table(kind.title, metrics_of(kind)) for kind in KINDS if metrics_of(kind)),
                Note(
                    f"Ranges are for {_N_CLASSES} classes, and properties for data in which every "
                    f"class occurs. Properties: {letters}."
                ),
                Section("When to prefer each metric", purposes),
                Section("What errors cost", (costs,), is_detail=True),
            ),
            hint="sklearn-ordinal metrics NAME describes one of them.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about each metric.

        Returns
        -------
        dict
            "n_classes", the number of classes for which the ranges are given, and "metrics", a
            dict of facts for each.
        """
        return {
            "n_classes": _N_CLASSES,
            "metrics": {name: _facts(metric) for name, metric in self.metrics.items()},
        }

    def _records(self) -> list[dict[str, Any]]:
        return [_record(name, metric) for name, metric in self.metrics.items()]


@dataclass(frozen=True, eq=False)
class MetricDescription(Views):
    """One metric and the docstring of its function.

    Parameters
    ----------
    metric : OrdinalMetric
        The metric.
    """

    metric: OrdinalMetric

    def document(self) -> Document:
        """Return the docstring, the facts and the properties of the metric.

        Returns
        -------
        Document
            The docstring, notes, and tables of facts and properties.
        """
        metric, docstring = self.metric, _docstring(self.metric)
        parts = (
            Code(_reflowed(_typewritten_docstring(docstring))) if docstring else None,
            _note("An error costs", metric.an_error_costs),
            _note("Prefer it", metric.prefer),
            Table("Facts", (Column("fact"), Column("value")), tuple(_fact_rows(metric))),
            None if metric.properties is None else _property_table(metric),
        )
        present = tuple(part for part in parts if part is not None)
        return Document(metric.name, (Section(metric.name, present),))

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about the metric.

        Returns
        -------
        dict
            "name", "n_classes", the facts in the catalogue, and "docstring", the docstring of the
            function; for functions of scikit-learn, only the first paragraph.
        """
        facts: dict[str, Any] = plain(
            {
                "name": self.metric.name,
                "n_classes": _N_CLASSES,
                **_facts(self.metric),
                "docstring": _docstring(self.metric),
            }
        )
        return facts

    def _records(self) -> list[dict[str, Any]]:
        return [_record(self.metric.name, self.metric)]


def documented_function(metric: OrdinalMetric) -> Callable[..., Any] | None:
    """Return the public function that documents a metric, None if there is none."""
    function = getattr(metric.function, "_score_func", metric.function)
    function = function.func if isinstance(function, partial) else function
    if function is not None and function.__name__.startswith("_"):
        # The metric is one of several values that a public function returns.
        return metrics.reliability_sensitivity
    return function


def source_of(metric: OrdinalMetric) -> str:
    """Return authors and year of the first reference of a metric."""
    function = documented_function(metric)
    if function is None or metric.is_sklearns:
        return "scikit-learn"
    reference = re.search(r"\.\. \[1\] (.*?\(\d{4}\))", function.__doc__ or "", flags=re.S)
    if reference is None:
        return ""
    # Keep only surnames, since a leading initial would begin a numbered list in the documentation.
    names, year = re.sub(r"\b[A-Z]\. ", "", " ".join(reference[1].split())).rsplit(" ", 1)
    first, *coauthors = names.split(", ")
    return (
        f"{first}{' et al.' if len(coauthors) > 1 else ''.join(f', {n}' for n in coauthors)} {year}"
    )


def _docstring(metric: OrdinalMetric) -> str:
    function = documented_function(metric)
    docstring = "" if function is None else inspect.getdoc(function) or ""
    # The rest of the docstring is in the documentation of scikit-learn.
    return docstring.partition("\n\n")[0] if metric.is_sklearns else docstring


def _reflowed(docstring: str) -> str:
    """Return a docstring with its paragraphs wrapped, because text would cut longer lines."""
    blocks = [block.splitlines() for block in docstring.split("\n\n")]
    paragraphs = [map(_wrapped, _paragraphs(lines)) for lines in blocks]
    return "\n\n".join("\n".join(block) for block in paragraphs)


def _typewritten_docstring(docstring: str) -> str:
    """Return a docstring with plain formulas, and with addresses in place of DOIs."""
    blocks = re.sub(
        r"^( *)\.\. math:: ((?:.+\n?)+)",
        lambda match: f"{match[1]}    {_typewritten(match[2])}\n",
        docstring,
        flags=re.M,
    )
    text = re.sub(r":math:[`]([^`]+)`", lambda match: _typewritten(match[1]), blocks)
    return re.sub(r":doi:[`]([^`]+)`", r"https://doi.org/\1", text)


def _typewritten(tex: str) -> str:
    r"""Return a formula in TeX as plain text: ``\frac{a}{b + c}`` becomes ``a / (b + c)``."""
    text = " ".join(tex.split())
    for pattern, replacement in _TEX:
        text = re.sub(pattern, replacement, text)
    while (fraction := re.search(rf"\\frac ?{_GROUP} ?{_GROUP}", text)) is not None:
        above, below = map(_in_brackets, fraction.groups())
        before, after = text[: fraction.start()], text[fraction.end() :]
        is_factor = re.match(r" *[^\s,;)+-]", after) is not None
        ratio = f"({above} / {below})" if is_factor else f"{above} / {below}"
        text = before + ratio + after
    text = re.sub(rf"\\sqrt ?{_GROUP}", r"sqrt(\1)", text)
    # What is left in braces are indices and exponents.
    while (index := re.search(r"([_^]){([^{}]*)}", text)) is not None:
        inside = index[2] if re.fullmatch(r"\w+", index[2]) else f"({index[2]})"
        text = f"{text[: index.start()]}{index[1]}{inside}{text[index.end() :]}"
    return " ".join(text.replace("\\", "").split())


def _in_brackets(term: str) -> str:
    """Return a term in brackets, unless it is a name, a number or the value of a function."""
    is_single = re.fullmatch(r"[\w\\{}]+(?:\([^()]*\))?", term) or " " not in term
    return term if is_single else f"({term})"


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of each paragraph or entry, and each line that must stay on its own."""
    has_descriptions = lines[0] == "See Also"
    keep_lines = False
    paragraphs: list[list[str]] = [[""]]
    for line in lines:
        keep_lines = keep_lines or bool(_LITERAL.match(line))
        previous = paragraphs[-1][-1]
        indent, previous_indent = _indent(line), _indent(previous)
        # References, and the entries of See Also, continue in indented lines.
        is_hanging = previous.startswith(".. [") or (has_descriptions and " : " in previous)
        continues = indent == previous_indent or (is_hanging and indent > previous_indent)
        is_new = keep_lines or _ENTRY.match(line) or not previous.strip("-")
        if continues and not is_new:
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return paragraphs[1:]


def _wrapped(lines: Sequence[str]) -> str:
    text = " ".join(map(str.strip, lines))
    first_indent = following_indent = _indent(lines[0])
    if len(lines) > 1:
        following_indent = _indent(lines[-1])
    elif _ENTRY.match(text) or _LITERAL.match(text):
        following_indent += "    "
    wrapped = textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first_indent,
        subsequent_indent=following_indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(wrapped)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _facts(metric: OrdinalMetric) -> dict[str, Any]:
    function = documented_function(metric)
    facts: dict[str, Any] = plain(
        {
            "evidence": metric.evidence.name,
            "better": direction_as_text(metric),
            "range": metric.bounds(_N_CLASSES),
            "range_depends_on_n_classes": metric.bounds(_N_CLASSES)
            != metric.bounds(_N_CLASSES + 1),
            "chance_level": metric.chance_level,
            "properties": {name: getattr(metric, name) for name in _PROPERTIES},
            "interval_method": metric.interval_method,
            "an_error_costs": metric.an_error_costs,
            "prefer": metric.prefer,
            "scorer": metric.scorer_name,
            "function": None if function is None else _import_name(function),
            "fixed_options": dict(metric.options),
            "source": source_of(metric),
        }
    )
    return facts


def _import_name(function: Callable[..., Any]) -> str:
    """Return the name by which a public function is imported."""
    package = ".".join(part for part in function.__module__.split(".") if not part.startswith("_"))
    return f"{package}.{function.__name__}"


def _record(name: str, metric: OrdinalMetric) -> dict[str, Any]:
    facts = _facts(metric)
    lowest, highest = metric.bounds(_N_CLASSES)
    return {
        "metric": name,
        "evidence": facts["evidence"],
        "better": facts["better"],
        "lowest": lowest,
        "highest": highest,
        "chance_level": facts["chance_level"],
        **facts["properties"],
        "an_error_costs": facts["an_error_costs"],
        "prefer": facts["prefer"],
        "scorer": facts["scorer"],
        "source": facts["source"],
    }


def _table(title: str, metrics: Mapping[str, OrdinalMetric]) -> Table:
    names = ("metric", "better", "range", "chance", "properties")
    return Table(
        title,
        tuple(map(Column, names)),
        tuple(
            (
                name,
                direction_as_text(metric),
                _range(metric),
                "" if metric.chance_level is None else f"{metric.chance_level:g}",
                _letters(metric),
            )
            for name, metric in metrics.items()
        ),
    )


def _range(metric: OrdinalMetric) -> str:
    lowest, highest = metric.bounds(_N_CLASSES)
    return f"{lowest:g} to {highest:.3g}"


def _letters(metric: OrdinalMetric) -> str:
    properties = [name for name in _PROPERTIES if getattr(metric, name)]
    if "strictly_monotonic" in properties:
        properties.remove("ordinal_monotonic")
    return " ".join(_PROPERTIES[name][0] for name in properties)


def _note(title: str, text: str) -> Note | None:
    return Note(f"{title}: {text}.") if text else None


def _fact_rows(metric: OrdinalMetric) -> Iterator[tuple[str, str]]:
    facts = _facts(metric)
    bounds = _range(metric)
    if metric.bounds(_N_CLASSES) == (-math.inf, math.inf):
        bounds = "not known"
    elif facts["range_depends_on_n_classes"]:
        bounds += f" ({_N_CLASSES} classes)"
    yield "takes", metric.evidence.inputs
    yield "better", facts["better"]
    yield "range", bounds
    if metric.chance_level is not None:
        yield "by chance", f"{metric.chance_level:g}"
    yield "interval", f"{metric.interval_method} bootstrap"
    if metric.scorer_name is not None:
        yield "scorer", metric.scorer_name
    if facts["function"] is not None:
        yield "function", facts["function"]
    if metric.options:
        yield "with", ", ".join(f"{name}={value!r}" for name, value in metric.options.items())


def _property_table(metric: OrdinalMetric) -> Table:
    answers = {True: "yes", False: "no", None: "not known"}
    # Some properties are meaningful only for some kinds of predictions.
    kind_properties = frozenset().union(*(kind.own_properties for kind in KINDS))
    meaningless = kind_properties - metric.evidence.own_properties
    undirected = DIRECTED_PROPERTIES if metric.greater_is_better is None else {}
    return Table(
        "Properties",
        (Column("property"), Column("holds")),
        tuple(
            (text, answers[getattr(metric, name)])
            for name, (_, text) in _PROPERTIES.items()
            if name.replace("_", " ") not in meaningless and name not in undirected
        ),
    )
