"""Counterexamples to the properties of metrics."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pprint import pformat
from typing import Any

from sklearn_ordinal._core import (
    METRICS,
    Evidence,
    OrdinalConfusion,
    OrdinalMetric,
    constructor_name,
    sample_predictions,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.meta_evaluation._counterexample_search import Contradiction
from sklearn_ordinal.meta_evaluation._property_changes import PropertyName
from sklearn_ordinal.meta_evaluation._property_documents import counterexample_document


@dataclass(frozen=True, eq=False)
class Counterexample(Views):
    """Two matrices for which the values of a metric contradict a property.

    `check_properties` finds counterexamples. Call ``metric(counterexample.before)`` to
    recompute a value.

    Parameters
    ----------
    metric : str
        Name of the metric.
    name : str
        Name of the property, an attribute of `PropertyReport`.
    before, after : OrdinalConfusion, OrdinalForecasts or OrdinalScores
        Evidence on which the metric is evaluated, before and after the change that contradicts
        the property.
    value_before, value_after : float
        The values of the metric before and after the change.
    text : str
        A sentence that describes the change and how the value changes.

    Attributes
    ----------
    code : str
        Python code that computes both values.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal import get_metric
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("accuracy")
    >>> counterexample = report.counterexamples["strictly_monotonic"]
    >>> print(counterexample.code)
    from sklearn_ordinal import OrdinalConfusion, get_metric
    <BLANKLINE>
    metric = get_metric("accuracy")
    before = OrdinalConfusion.from_counts(
        [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    )
    after = OrdinalConfusion.from_counts(
        [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    )
    print(metric(before), metric(after))
    >>> metric = get_metric("accuracy")
    >>> metric(counterexample.before), metric(counterexample.after)
    (0.3333333333333333, 0.3333333333333333)
    """

    metric: str
    name: PropertyName
    before: Evidence
    after: Evidence
    value_before: float
    value_after: float
    text: str

    @property
    def code(self) -> str:
        """Python code that computes both values.

        The metric is looked up by its name if the catalogue has a metric with this name and these
        values. Otherwise the code has a placeholder for the function.
        """
        name, values = type(self.before).__name__, (self.value_before, self.value_after)
        lines = [f"from sklearn_ordinal import {name}, get_metric", ""]
        catalogued = METRICS.get(self.metric)
        if catalogued and (catalogued(self.before), catalogued(self.after)) == values:
            lines.append(f'metric = get_metric("{self.metric}")')
        else:
            lines.append(f"metric = get_metric(...)  # pass the function of {self.metric}")
        return "\n".join(
            [
                *lines,
                f"before = {_as_code(self.before)}",
                f"after = {_as_code(self.after)}",
                "print(metric(before), metric(after))",
            ]
        )

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The sentence, both values, and the code that computes them.
        """
        return counterexample_document(self)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "criterion": self.metric,
                "property": self.name,
                "value_before": self.value_before,
                "value_after": self.value_after,
                "text": self.text,
            }
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the counterexample as a dict.

        Returns
        -------
        dict
            "criterion", "property", "text" and "code" are strings. "value_before" and
            "value_after" are floats, or None if undefined.
        """
        numbers: dict[str, Any] = plain({**self._records()[0], "code": self.code})
        return numbers


def make_counterexample(
    metric: OrdinalMetric, name: PropertyName, contradiction: Contradiction
) -> Counterexample:
    """Convert the result of the search to evidence that a user can evaluate again."""
    before = contradiction.space.samples(contradiction.before)
    after = contradiction.space_after.samples(contradiction.after)
    with warnings.catch_warnings():
        # Evaluate a stack, as in the search.
        warnings.simplefilter("ignore")
        values = float(metric(before)), float(metric(after))
    return Counterexample(
        metric.name, name, before, after, *values, _sentence(metric, name, contradiction, *values)
    )


def _sentence(
    metric: OrdinalMetric,
    name: PropertyName,
    contradiction: Contradiction,
    before: float,
    after: float,
) -> str:
    first, second = _told_apart(before, after)
    change = f"the value is {first} both times" if first == second else f"{first} -> {second}"
    better = "higher" if metric.greater_is_better else "lower"
    reason = {
        "ordinal_monotonic": f", though {better} is better",
        "strictly_monotonic": f", though {better} is better",
        "imbalance_aware": f", although an error there should cost more and {better} is better",
    }
    return f"{contradiction.description}: {change}{reason.get(name, '')}."


def _told_apart(first: float, second: float) -> tuple[str, str]:
    """Format two values with enough digits to show the difference, if there is one."""
    for digits in range(3, 12):
        texts = _number(first, digits), _number(second, digits)
        if texts[0] != texts[1]:
            return texts
    return _number(first, 3), _number(first, 3)


def _number(value: float, digits: int) -> str:
    # Rounding errors are not shown, and neither is the minus sign of a rounded zero.
    return f"{round(value, 12) + 0:.{digits}g}"


def _as_code(evidence: Any) -> str:
    kind = type(evidence).__name__
    if isinstance(evidence, OrdinalConfusion):
        return f"{kind}.from_counts(\n{_argument(evidence.counts)}\n)"
    _, predicted = sample_predictions(evidence)
    arguments = f"{_argument(evidence.y_true)},\n{_argument(predicted)},\n"
    labels = f"    labels=range({evidence.n_classes}),\n"
    return f"{kind}.{constructor_name(evidence)}(\n{arguments}{labels})"


def _argument(array: Any) -> str:
    text = pformat(array.tolist(), width=74, compact=array.ndim == 1)
    return "\n".join(f"    {line}" for line in text.splitlines())
