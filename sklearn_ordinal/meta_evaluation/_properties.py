"""Properties of metrics, decided by a search for counterexamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, overload

from sklearn_ordinal._core import (
    LABELS,
    PROBABILITIES,
    SCORES,
    MetricLike,
    MetricsLike,
    OrdinalMetric,
    OrdinalScale,
    RandomState,
    SeveralMetrics,
    as_generator,
    check_count,
    get_metric,
    get_metrics,
    is_several,
    shown,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.meta_evaluation._counterexample import Counterexample, make_counterexample
from sklearn_ordinal.meta_evaluation._counterexample_search import Search
from sklearn_ordinal.meta_evaluation._prediction_space import prediction_space
from sklearn_ordinal.meta_evaluation._property_changes import CHANGES, PropertyName
from sklearn_ordinal.meta_evaluation._property_documents import (
    report_document,
    search_in_words,
    table_document,
)
from sklearn_ordinal.meta_evaluation._published_claims import CLAIMED, CLAIMS

# At least the number of matrices of labels with one sample of each of five, or of four, classes.
_MATRICES, _MATRICES_ONE_BY_ONE = 5_000, 256
_RANDOM_ONE_BY_ONE = 10


@dataclass(frozen=True, eq=False)
class PropertyReport(Views):
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
    PropertyTable : The properties of several metrics.

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

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The properties, a description of the search, and the counterexamples.
        """
        return report_document(self)

    @property
    def searched(self) -> str:
        """A description of the search."""
        return search_in_words(self)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "criterion": self.metric,
                "property": name,
                "holds": getattr(self, name),
                "n_compared": number,
                "n_undefined": self.n_undefined[name],
                "counterexample": getattr(self.counterexamples.get(name), "text", None),
            }
            for name, number in self.n_compared.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the properties and the counterexamples as a dict.

        Returns
        -------
        dict
            Each property is a bool, or None. "criterion" and "evidence" are strings,
            "counterexamples" is a dict of dicts, "n_compared" and "n_undefined" are dicts of
            integers, "n_samples" is a list of integers, and "n_random" an integer.
        """
        counterexamples = {
            name: example.to_dict() for name, example in self.counterexamples.items()
        }
        numbers: dict[str, Any] = plain(
            {
                "criterion": self.metric,
                "evidence": self.evidence,
                **{name: getattr(self, name) for name in CHANGES},
                "n_compared": self.n_compared,
                "n_undefined": self.n_undefined,
                "n_samples": self.n_samples,
                "n_random": self.n_random,
            }
        )
        return {**numbers, "counterexamples": counterexamples}


@dataclass(frozen=True, eq=False)
class PropertyTable(Views):
    """The properties of several metrics, compared with the claims of the source of CEM_ORD.

    `check_properties` returns a table for several metrics.

    Parameters
    ----------
    reports : dict of str to PropertyReport
        The report on each metric, by its name.

    Attributes
    ----------
    differences : list of tuple of str
        Names of a metric and of a property that differs from the claim of the source.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> table = check_properties(["cem_ord", "within_1_accuracy"])
    >>> table.differences
    [('within_1_accuracy', 'ordinal_invariant')]
    """

    reports: dict[str, PropertyReport]

    @property
    def differences(self) -> list[tuple[str, PropertyName]]:
        """Names of a metric and of a property that differs from the claim of the source."""
        return [
            (name, prop)
            for name, report in self.reports.items()
            if name in CLAIMS
            for prop in CLAIMED
            if getattr(report, prop) is not None and getattr(report, prop) != (prop in CLAIMS[name])
        ]

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The properties, the claims of the source, and the counterexamples.
        """
        return table_document(self)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {**record, "claimed": _is_claimed(record["criterion"], record["property"])}
            for report in self.reports.values()
            for record in report._records()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the properties of each metric as a dict.

        Returns
        -------
        dict
            "criteria" has a dict for each metric: the result of `PropertyReport.to_dict` with
            the additional key "claimed". This is a dict of bools that say whether the source
            claims a property for the metric; None if the source does not name the metric.
        """
        criteria = {
            name: {
                **report.to_dict(),
                "claimed": {prop: _is_claimed(name, prop) for prop in CLAIMED},
            }
            for name, report in self.reports.items()
        }
        return {"criteria": criteria}


def _is_claimed(metric: str, name: PropertyName) -> bool | None:
    return name in CLAIMS[metric] if metric in CLAIMS and name in CLAIMED else None


class _SearchOptions(TypedDict, total=False):
    """The options of `check_properties`, for its overloads."""

    n_classes: int
    max_matrices: int | None
    n_random: int | None
    random_state: RandomState


# "all" precedes other strings, and strings precede iterables of strings.
@overload
def check_properties(  # type: ignore[overload-overlap]
    metric: Literal["all"], **options: Unpack[_SearchOptions]
) -> PropertyTable: ...
@overload
def check_properties(  # type: ignore[overload-overlap]
    metric: MetricLike, **options: Unpack[_SearchOptions]
) -> PropertyReport: ...
@overload
def check_properties(
    metric: SeveralMetrics, **options: Unpack[_SearchOptions]
) -> PropertyTable: ...
def check_properties(
    metric: MetricsLike,
    *,
    n_classes: int = 5,
    max_matrices: int | None = None,
    n_random: int | None = None,
    random_state: RandomState = 0,
) -> PropertyReport | PropertyTable:
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
    metric : str, callable, iterable or dict of them
        Anything that `get_metric` accepts, except metrics of a fitted estimator; or "all" for
        all metrics of this package.
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
    PropertyReport or PropertyTable
        The properties of the metric, with the smallest counterexample found for each property that
        does not hold: the one with the fewest classes, then the fewest samples. For several
        metrics, a table with the claims of the source.

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
    Values of ordinal_mean_absolute_error
    matrix     value
    before  0.500000
    after   1.000000
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
    <BLANKLINE>
    """
    OrdinalScale.from_run(0, n_classes)  # raises if there cannot be so many classes
    if n_classes < 2:
        raise ValueError(f"n_classes must be at least 2, got {shown(n_classes)}.")
    if max_matrices is not None:
        check_count("max_matrices", max_matrices, at_least=0)
    if n_random is not None:
        check_count("n_random", n_random, at_least=0, size=n_classes**2)
    options = n_classes, max_matrices, n_random
    if not is_several(metric) and not (isinstance(metric, str) and metric == "all"):
        return _checked(get_metric(metric), *options, random_state)
    metrics = get_metrics(metric, kinds=(LABELS, PROBABILITIES, SCORES))
    return PropertyTable(
        {member.name: _checked(member, *options, random_state) for member in metrics}
    )


def _checked(
    metric: OrdinalMetric,
    n_classes: int,
    max_matrices: int | None,
    n_random: int | None,
    random_state: RandomState,
) -> PropertyReport:
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
            name: make_counterexample(metric, name, answer.contradiction)
            for name, answer in answers.items()
            if answer.contradiction is not None
        },
        n_compared={name: answer.n_compared for name, answer in answers.items()},
        n_undefined={name: answer.n_undefined for name, answer in answers.items()},
        n_samples=tuple(search.n_samples.values()),
        n_random=n_random,
    )
