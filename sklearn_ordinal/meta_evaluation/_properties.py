"""Properties of metrics, decided by a search for counterexamples."""

from __future__ import annotations

import textwrap
import warnings
from dataclasses import dataclass
from pprint import pformat
from typing import Any

from sklearn_ordinal._core import (
    METRICS,
    Evidence,
    MetricLike,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    RandomState,
    as_generator,
    check_count,
    constructor_name,
    get_metric,
    kind_named,
    sample_predictions,
    shown,
)
from sklearn_ordinal.meta_evaluation._counterexample_search import (
    CHANGES,
    Contradiction,
    PropertyName,
    Search,
)
from sklearn_ordinal.meta_evaluation._prediction_space import SPACES, prediction_space

# At least the number of matrices of labels with one sample of each of five, or of four, classes.
_MATRICES, _MATRICES_ONE_BY_ONE = 5_000, 256
_RANDOM_ONE_BY_ONE = 10


@dataclass(frozen=True, eq=False)
class Counterexample:
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

    def __str__(self) -> str:
        return f"{textwrap.fill(self.text, 80)}\n\n{self.code}"


@dataclass(frozen=True, eq=False)
class PropertyReport:
    """The properties of a metric, and counterexamples to the properties that it does not have.

    `check_properties` returns an instance of this class. A property is True if the search found
    no counterexample, False if it found one, and None if it is not defined for the metric, or
    if the metric was undefined in all comparisons. Only matrices in which every class occurs in
    the truth are searched.

    Parameters
    ----------
    metric : str
        Name of the metric.
    evidence : {"labels", "probabilities", "scores"}
        The kind of predictions that the metric evaluates.
    ordinal_invariant : bool or None
        Whether the value stays the same if an empty class is inserted anywhere on the scale.
    ordinal_monotonic : bool or None
        Whether a prediction that moves closer to the truth never makes the value worse.
    strictly_monotonic : bool or None
        Whether moving a prediction closer to the truth always makes the value better.
    imbalance_aware : bool or None
        Whether a single error costs more in a smaller class.
    prevalence_invariant : bool or None
        Whether the value stays the same if the samples of one true class are counted twice.
    symmetric : bool or None
        Whether the value stays the same if truth and prediction are exchanged; None for
        probabilities and scores.
    counterexamples : dict of str to Counterexample
        The smallest counterexample that was found, for each property that is False.
    n_compared, n_undefined : dict of str to int
        For each property, the number of pairs of values that were compared, and the number that
        could not be compared because a value was undefined.
    n_samples : tuple of int
        For 2, 3, ... classes, the number of samples up to which all matrices were searched. 0 if
        there are too many with one sample of each class.
    n_random : int
        Number of random matrices for each number of classes.

    Attributes
    ----------
    searched : str
        A description of the search.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("accuracy")
    >>> report.ordinal_monotonic, report.strictly_monotonic
    (True, False)
    >>> print(report.counterexamples["prevalence_invariant"].text)
    Each sample of class 0 is counted twice: 0.5 -> 0.667.
    """

    metric: str
    evidence: str
    ordinal_invariant: bool | None
    ordinal_monotonic: bool | None
    strictly_monotonic: bool | None
    imbalance_aware: bool | None
    prevalence_invariant: bool | None
    symmetric: bool | None
    counterexamples: dict[PropertyName, Counterexample]
    n_compared: dict[PropertyName, int]
    n_undefined: dict[PropertyName, int]
    n_samples: tuple[int, ...]
    n_random: int

    @property
    def searched(self) -> str:
        """A description of the search."""
        matrices = SPACES[kind_named(self.evidence)].matrices
        all_of = {k: n for k, n in enumerate(self.n_samples, start=2) if n}
        exhaustive = ""
        if all_of:
            (fewest, first), *following = all_of.items()
            exhaustive = f"all {matrices} of up to {first} samples of {fewest} classes"
            exhaustive += "".join(f", {n} of {k}" for k, n in following) + "; then "
        random = f"{self.n_random:,} random {'matrices' if all_of else matrices}"
        return (
            f"Searched: {exhaustive}{random} for each number of classes. Every "
            f"class occurs in the truth of all matrices; if one is missing, a property may not "
            f"hold. Imbalance awareness is tested on matrices with a single error. The search for "
            f"a property ends with its first counterexample."
        )

    def __str__(self) -> str:
        lines = [f"Properties of {self.metric}"]
        for name, n_compared in self.n_compared.items():
            line = f"{name.replace('_', ' ')}: no counterexample in {n_compared:,} comparisons"
            if name in self.counterexamples:
                line = f"not {name.replace('_', ' ')}: {self.counterexamples[name].text}"
            lines.append(textwrap.fill(f"- {line}", 80, subsequent_indent="  "))
        return "\n".join([*lines, textwrap.fill(self.searched, 80)])


def check_properties(
    metric: MetricLike,
    *,
    n_classes: int = 5,
    max_matrices: int | None = None,
    n_random: int | None = None,
    random_state: RandomState = 0,
) -> PropertyReport:
    r"""Search for counterexamples to the properties of a metric.

    A property is a statement about every matrix of true classes and predictions in which every
    class occurs in the truth. Most metrics have few of these properties, and small matrices suffice
    to show this. The properties are [1]_

    - ordinal invariance: inserting a class without samples anywhere on the scale, including
      its ends, leaves the value unchanged, so the value depends only on the order of the
      classes;
    - ordinal monotonicity: moving the prediction of one sample one class nearer to its true class,
      from the same side, never makes the value worse;
    - strict monotonicity: such a move always makes the value better;
    - imbalance: if all other predictions are right, an error costs more in the smaller class. Among
      three consecutive classes, a sample of the first or of the last class is predicted as the
      middle one, and the error in the class with fewer samples costs more;
    - prevalence invariance: counting all samples of one true class twice leaves the value
      unchanged, so the value depends only on the rates within the classes;
    - symmetry: exchanging truth and prediction leaves the value unchanged. Every class is also
      predicted.

    Parameters
    ----------
    metric : str or callable
        Anything that `get_metric` accepts, except metrics of a fitted estimator.
    n_classes : int, default=5
        Largest number of classes to search; the smallest is 2.
    max_matrices : int, default=None
        For each number of classes, the largest number of matrices in the exhaustive search. The
        search covers all matrices with one sample of each class, then all matrices with one more
        sample, and so on. If None, 5,000, which suffices for up to 5 samples of 5 classes if the
        predictions are labels; or 256 for functions ``f(y_true, y_pred)``, which are evaluated one
        by one.
    n_random : int, default=None
        Number of random matrices for each number of classes, and of random class sizes for matrices
        with one error. If None, 1,000 for labels, 200 for probabilities and scores, or 10 for
        functions ``f(y_true, y_pred)``.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random matrices.

    Returns
    -------
    PropertyReport
        The properties of the metric, with the smallest counterexample found for each property that
        does not hold: the one with the fewest classes, then the fewest samples.

    Raises
    ------
    ValueError
        If there is no such metric, it needs the fitted estimator, it is not defined for any
        number of classes, or an option is invalid.

    See Also
    --------
    get_metric : Return the metric with its recorded properties.

    Notes
    -----
    Values are compared up to a relative rounding error of :math:`10^{-9}`; for the strict
    properties, a change of more than :math:`10^{-12}` counts as a gain. If a value is
    undefined, nothing is compared.

    A property without a counterexample is not proved. A counterexample that has more samples than
    the exhaustive search is reduced until no sample can be removed, but there may be other
    counterexamples with fewer samples.

    Where classes are missing from the truth, a metric may lack a property that it has here. No
    metric that depends only on the order is then strictly monotonic, since it has no distance
    between neighbouring classes that do not occur: if the true classes 0 and 3 are predicted as 0
    and 1, or as 0 and 2, CEM_ORD is 0.75.

    For probabilities, the matrices have a column for each distribution whose probabilities are
    multiples of 1/4, and each move shifts a probability of 1/4 to the next class. For scores,
    the matrices have a column for each class and each point halfway between two classes, and
    each move shifts the score by half a class.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and experimental
       results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("ordinal_mean_absolute_error")
    >>> report.strictly_monotonic, report.ordinal_invariant
    (True, False)
    >>> print(report.counterexamples["ordinal_invariant"])
    An empty class is inserted between classes 0 and 1: 0.5 -> 1.
    <BLANKLINE>
    from sklearn_ordinal import OrdinalConfusion, get_metric
    <BLANKLINE>
    metric = get_metric("ordinal_mean_absolute_error")
    before = OrdinalConfusion.from_counts(
        [[1, 0], [1, 0]]
    )
    after = OrdinalConfusion.from_counts(
        [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    )
    print(metric(before), metric(after))
    """
    OrdinalScale.from_run(0, n_classes)  # raises if there cannot be so many classes
    if n_classes < 2:
        raise ValueError(f"n_classes must be at least 2, got {shown(n_classes)}.")
    if max_matrices is not None:
        check_count("max_matrices", max_matrices, at_least=0)
    if n_random is not None:
        check_count("n_random", n_random, at_least=0, size=n_classes**2)
    metric = get_metric(metric)
    space = prediction_space(metric)
    is_one_by_one = not metric.evidence.takes_stacks
    if max_matrices is None:
        max_matrices = _MATRICES_ONE_BY_ONE if is_one_by_one else _MATRICES
    if n_random is None:
        n_random = _RANDOM_ONE_BY_ONE if is_one_by_one else space.n_random
    search = Search(metric, n_classes, max_matrices, n_random, as_generator(random_state))
    search.run()
    answers = search.answers
    return PropertyReport(
        metric=metric.name,
        evidence=metric.evidence.name,
        **{name: answers[name].holds if name in answers else None for name in CHANGES},
        counterexamples={
            name: _counterexample(metric, name, answer.contradiction)
            for name, answer in answers.items()
            if answer.contradiction is not None
        },
        n_compared={name: answer.n_compared for name, answer in answers.items()},
        n_undefined={name: answer.n_undefined for name, answer in answers.items()},
        n_samples=tuple(search.n_samples.values()),
        n_random=n_random,
    )


def _counterexample(
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
