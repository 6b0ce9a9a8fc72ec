"""Ceilings: how good a prediction of the grade of a rater can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    LABELS,
    ByMetric,
    MetricsLike,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalScale,
    check_ratings,
    check_share,
    in_repr,
)
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    Views,
    names_in_words,
    plain,
)
from sklearn_ordinal.inference import Interval, SharedItems
from sklearn_ordinal.metrics import quadratic_weighted_kappa_score, weighted_kappa_score
from sklearn_ordinal.plotting import IntervalsDisplay, as_columns
from sklearn_ordinal.reports._criteria import check_are_of_counts, chosen_metrics, selected_metric
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._sections import (
    direction_as_text,
    has_direction,
    interval_name,
    rated_items_in_words,
)

Basis = Literal["best classes", "true scores", "none"]

# The last two are the ends of the ceiling.
_RELIABILITY = ("between_raters", "like_a_rater", "true_scores", "best_possible")
CEILING_TITLES = {
    "between_raters": "one rater against another",
    "left_one_out": "ceiling, left one out",
    "in_sample": "ceiling, in sample",
    "like_a_rater": "a system that errs like the raters",
    "true_scores": "the true scores",
    "best_possible": "the best possible system",
}
CEILING_LEVEL = 0.95
"""Confidence level of the ceilings in reports without this option."""

_NOT_STATED = (
    "it is not a sum of costs given the class sizes, so the best predictions are not known"
)
_UNDEFINED = "it is undefined for these grades"
_NO_RELIABILITY = "the quadratic kappa between the raters is not positive"
_NO_ITEMS = "no item of positive weight has two grades"


@dataclass(frozen=True)
class Ceiling:
    """How good a prediction of the grade of a rater can be, according to one criterion.

    Parameters
    ----------
    basis : {"best classes", "true scores", "none"}
        Where the ceiling comes from: from the best class of each item, for criteria that are sums
        of costs; from the variance of true scores, for the quadratic kappa, which is approximate on
        classes; or there is none.
    values : mapping of str to Interval
        The value of "between_raters", where one rater predicts another. For the best classes, the
        ends of the ceiling are "left_one_out" and "in_sample". For true scores, they are
        "true_scores" and "best_possible", and "like_a_rater" is the value of a system that errs
        like the raters. Empty if the ceiling is not stated.
    reason : str, default=""
        Why the ceiling is not stated or undefined; empty if it is defined.

    Attributes
    ----------
    between_raters : float
        The value of one rater who predicts another, NaN if the ceiling is not stated.
    bracket : tuple of float
        The two ends of the ceiling in ascending order, NaN if there is none.
    interval : tuple of float
        The range from the outer end of the interval of one end of the ceiling to the outer end of
        the interval of the other. It covers the true ceiling of best classes with at least the
        confidence level in large samples.

    See Also
    --------
    RatingCeilings : Holds the ceiling of each criterion.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, rating_ceilings
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [0, 1, 1], [2, 2, 1], [2, 2, 2]] * 20)
    >>> ceiling = rating_ceilings(ratings, "accuracy").ceilings["accuracy"]
    >>> print("{:.3f} to {:.3f}".format(*ceiling.bracket))
    0.417 to 0.750
    """

    basis: Basis
    values: Mapping[str, Interval]
    reason: str = ""

    @property
    def between_raters(self) -> float:
        """The value of one rater who predicts another."""
        return self.values["between_raters"].estimate if self.values else math.nan

    @property
    def bracket(self) -> tuple[float, float]:
        """The two ends of the ceiling in ascending order."""
        if not self.values:
            return math.nan, math.nan
        first, second = (end.estimate for end in self._ends())
        return min(first, second), max(first, second)

    @property
    def interval(self) -> tuple[float, float]:
        """The range from the outer end of one interval to the outer end of the other."""
        ends = self._ends()
        if not ends or any(math.isnan(end.low) for end in ends):
            return math.nan, math.nan
        return min(end.low for end in ends), max(end.high for end in ends)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "basis", "reason" and "values", which has a dict of "value", "low" and "high" for each
            value. Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "basis": self.basis,
                "reason": self.reason,
                "values": {
                    name: {
                        "value": interval.estimate,
                        "low": interval.low,
                        "high": interval.high,
                    }
                    for name, interval in self.values.items()
                },
            }
        )
        return numbers

    def _ends(self) -> list[Interval]:
        return list(self.values.values())[-2:]


@dataclass(frozen=True, eq=False, repr=False)
class RatingCeilings(Views):
    """How good a prediction of the grade of a rater can be, for several criteria.

    Returned by `rating_ceilings`. `str` gives the text, and notebooks show a table and a plot.
    Criteria may have any form that `get_metric` accepts as keys.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    raters : tuple of str
        Names of the raters.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    ceilings : mapping of str to Ceiling
        The ceiling of each criterion.
    n_items_by_grades : ndarray of shape (n_raters + 1,)
        Number of items with 0, 1, ... grades. Those with fewer than two are not used.
    n_without_weight : int
        Number of items of weight zero, which are not used and not among the numbers above.
    total_weight : float or None
        Sum of the weights of the items, None if there are no weights.
    confidence_level : float
        Confidence level of the intervals.
    provenance : Provenance, default=None
        When and with which versions the ceilings were computed. It is ignored when results are
        compared.

    Attributes
    ----------
    n_items : int
        Number of items of positive weight.
    n_shared_items : int
        Number of items with at least two grades, which are used.

    See Also
    --------
    sklearn_ordinal.rating_ceilings : Compute the ceilings.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, rating_ceilings
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [0, 1, 1], [2, 2, 1], [2, 2, 2]] * 20)
    >>> ceilings = rating_ceilings(ratings, ["accuracy", "quadratic_weighted_kappa"])
    >>> print(ceilings.ceilings["quadratic_weighted_kappa"].values["best_possible"])
    0.783 (95% interval 0.742 to 0.818)
    """

    scale: OrdinalScale
    raters: tuple[str, ...]
    metrics: ByMetric
    ceilings: ByMetric
    n_items_by_grades: NDArray[np.int64]
    n_without_weight: int
    total_weight: float | None
    confidence_level: float
    provenance: Provenance | None = None

    @property
    def n_items(self) -> int:
        """Number of items of positive weight."""
        return int(self.n_items_by_grades.sum())

    @property
    def n_shared_items(self) -> int:
        """Number of items with at least two grades, which are used."""
        return int(self.n_items_by_grades[2:].sum())

    def __repr__(self) -> str:
        return f"RatingCeilings({in_repr(self.metrics)})"

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> IntervalsDisplay:
        """Draw the ends of the ceiling and the value between raters, with their intervals.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first one whose
            ceiling is stated.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `IntervalsDisplay.plot`.

        Returns
        -------
        IntervalsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the result does not have the criterion, or its ceiling is not stated.
        """
        metric = selected_metric(
            self.metrics, self._first_stated() if criterion is None else criterion
        )
        ceiling: Ceiling = self.ceilings[metric.name]
        if not ceiling.values:
            raise ValueError(
                f"criterion must have a ceiling, which is not stated for {metric.name}: "
                f"{ceiling.reason}."
            )
        return IntervalsDisplay(
            [CEILING_TITLES[name] for name in ceiling.values],
            {f"value, {interval_name(self.confidence_level)}": as_columns(ceiling.values.values())},
            label=f"{metric.name} ({direction_as_text(metric)} is better)",
            band=ceiling.bracket,
            band_name="ceiling",
        ).plot(ax, **options)

    def _first_stated(self) -> str:
        """Return the first criterion whose ceiling is stated, or else the first criterion."""
        stated = (name for name, ceiling in self.ceilings.items() if ceiling.values)
        first: str = next(stated, next(iter(self.metrics)))
        return first

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            Sentences on the items and the first ceiling, a table of the ceilings, a plot, and
            notes on criteria without a ceiling.
        """
        table, drawn = self._table(), self._first_stated()
        figure = Figure(
            self.plot,
            f"Ceiling of {drawn}",
            f"Values between the raters and at the ends of the ceiling of {drawn}",
            table,
        )
        items = rated_items_in_words(
            self.n_items_by_grades,
            n_without_weight=self.n_without_weight,
            total_weight=self.total_weight,
            labels=self.scale.labels.tolist(),
            use_of_single_grades="not used",
        )
        return Document(
            "Ceilings",
            (
                Note(items),
                table,
                *((figure,) if self.ceilings[drawn].values else ()),
                *(Note(text, is_small=True) for text in self._notes()),
            ),
            footer=footer(self.provenance),
            verdict=(Note(self._verdict()),),
        )

    def _verdict(self) -> str:
        """Say what a prediction can reach according to the first criterion that has a ceiling."""
        defined = {name: ceiling for name, ceiling in self.ceilings.items() if not ceiling.reason}
        if not defined:
            return "No criterion has a ceiling."
        # Ceilings from true scores are approximate, so they come last.
        name, ceiling = min(defined.items(), key=lambda item: item[1].basis == "true scores")
        between, *_, first, second = (value.estimate for value in ceiling.values.values())
        start = f"In {name}, the best predictions of the grade of one rater have"
        if ceiling.basis == "true scores":
            return (
                f"{start} approximately between {first:.3f} (true scores) and {second:.3f} (best "
                f"possible system)."
            )
        return (
            f"{start} between {first:.3f} (left one out) and {second:.3f} (in sample), and one "
            f"rater who predicts another has {between:.3f}."
        )

    def _table(self) -> Table:
        columns = (
            Column("criterion"),
            Column("one rater", "number"),
            Column("ceiling", "interval"),
            Column(interval_name(self.confidence_level), "interval"),
        )
        rows = tuple(
            (name, ceiling.between_raters, ceiling.bracket, ceiling.interval)
            for name, ceiling in self.ceilings.items()
        )
        return Table("Ceilings of predictions of the grade of one rater", columns, rows)

    def _notes(self) -> Iterator[str]:
        """Yield which ceilings are approximate, not stated or undefined, or have no interval."""
        yield from ceiling_notes(self.ceilings)
        no_interval = [
            name
            for name, ceiling in self.ceilings.items()
            if not ceiling.reason and any(np.isnan(value.low) for value in ceiling.values.values())
        ]
        if no_interval:
            yield (
                f"No interval of {names_in_words(no_interval)}: a value does not vary over the "
                f"items, is at the end of its range, or there is only one item."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion what `Ceiling.to_dict` returns; "n_items",
            "n_shared_items", "n_items_by_grades", a list from 0 grades, "n_without_weight", with
            weights "total_weight", and "confidence_level". Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "criteria": {name: ceiling.to_dict() for name, ceiling in self.ceilings.items()},
                "n_items": self.n_items,
                "n_shared_items": self.n_shared_items,
                "n_items_by_grades": self.n_items_by_grades,
                "n_without_weight": self.n_without_weight,
                **({} if self.total_weight is None else {"total_weight": self.total_weight}),
                "confidence_level": self.confidence_level,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion and value, and for each criterion without a ceiling."""
        nothing = Interval(math.nan, math.nan, math.nan, self.confidence_level)
        return [
            {
                "criterion": name,
                "basis": self.ceilings[name].basis,
                "prediction": prediction,
                "value": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "better": direction_as_text(metric),
                "reason": self.ceilings[name].reason,
            }
            for name, metric in self.metrics.items()
            for prediction, interval in (self.ceilings[name].values or {None: nothing}).items()
        ]


def ceiling_record(ceiling: Ceiling | None) -> dict[str, float]:
    """Return the columns of a frame that hold a ceiling, none without one."""
    if ceiling is None:
        return {}
    low, high = ceiling.bracket
    return {"between_raters": ceiling.between_raters, "ceiling_low": low, "ceiling_high": high}


def ceiling_notes(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield which ceilings are approximate, and why some are missing."""
    approximate = [name for name, ceiling in ceilings.items() if ceiling.basis == "true scores"]
    if approximate:
        yield (
            f"For {names_in_words(approximate)}, the ceiling is approximate, and lies between the "
            f"true scores and the best possible system."
        )
    yield from reasons_in_words(ceilings)


def reasons_in_words(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield why the ceilings of criteria are not stated or undefined."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, ceiling in ceilings.items():
        if ceiling.reason:
            state = "undefined" if ceiling.values else "not stated"
            by_reason.setdefault((state, ceiling.reason), []).append(name)
    for (state, reason), names in by_reason.items():
        yield f"The ceiling of {names_in_words(names)} is {state}: {reason}."


def may_have_ceiling(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of counts that says what is better."""
    return metric.evidence is LABELS and metric.scorer is None and has_direction(metric)


def rating_ceilings(
    ratings: OrdinalRatings,
    metrics: MetricsLike | None = None,
    *,
    confidence_level: float = CEILING_LEVEL,
) -> RatingCeilings:
    r"""Compute how good a prediction of the grade of a rater can be.

    Raters disagree, so no model can predict the grade of a rater perfectly. How far it can get
    depends on the criterion:

    - For criteria that are sums of costs given the class sizes, such as CEM_ORD, accuracies and
      mean errors, the best prediction of an item is the class with the lowest expected cost. If it
      is chosen by all grades of the item, it has seen the grade that it predicts, and its value
      *in sample* is too good. If it is chosen by the other grades, with each grade *left one out*
      in turn, it knows less than it could, and its value is too bad. The ceiling lies between the
      two. The two ends are closer if the items have more grades.
    - For the quadratic kappa :math:`r` between the raters, a system that errs like the raters also
      has :math:`r`, the true scores have :math:`2r / (1 + r)`, and the best possible predictions
      have :math:`\sqrt{r}`. These are exact for continuous grades with independent errors of equal
      variance, and approximate on classes.
    - For other criteria, the ceiling is not stated.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades. Only items with at least two grades and a positive weight are used.
    metrics : str, callable, iterable or dict of them, default=None
        Criteria of counts, in any form that `get_metric` accepts, or "all" for all criteria of
        predicted classes in this package. If None, the six defaults of `cross_val_report`.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    RatingCeilings
        The ceilings with intervals, as text, a table and a plot.

    Raises
    ------
    ValueError
        If `ratings` are not OrdinalRatings, a criterion is not known or not a function of counts,
        or `confidence_level` is out of range.

    See Also
    --------
    agreement_report : Ask how far the raters agree.
    compare_judge : Compare a judge with the raters; it shows the ceilings beside the values.
    score_ladder : Show the ceilings beside guesses and constants.

    Notes
    -----
    The truth is the grade of one rater. Each item has its weight in total, divided equally among
    its grades, and the class sizes are the sizes among all grades that are used. So the value
    "between_raters", where one rater predicts another, the value left one out and the value in
    sample have the same class sizes and the same costs. If several classes have the same expected
    cost, the lowest one is predicted. With two grades per item, the grade that is left out is
    predicted as the other one, or as a class with lower expected cost.

    The intervals come from `delta_interval`: the unit is the item, since the grades of an item are
    not independent. The influence of an item is the influence of its grades on the value, if the
    best classes stay the same. In sample, this is the whole influence, since another choice cannot
    be better. Left one out, other choices count only where classes are about to tie. The mean of
    many data sets has a ceiling between the two values, so that the range from the outer end of
    one interval to the outer end of the other covers it with at least the confidence level in
    large samples.

    A ceiling holds for predictions of the grade of a rater like these. The mean or the consensus of
    several raters has smaller errors and a higher ceiling. Do not divide a value by the ceiling:
    the share would depend on the end that is chosen.

    The quadratic kappa :math:`r` between raters is Conger's, which for two raters is Cohen's. It is
    computed from the items with at least two grades, whereas `agreement_report` also counts single
    grades in the class shares of a rater. Write the grades as true scores with the variance
    :math:`T` plus independent errors with the variance :math:`E`, so that :math:`r = T / (T + E)`.
    The kappa of the true scores and a grade is :math:`2T / (2T + E) = 2r / (1 + r)`. The kappa of
    the true scores times :math:`a` and a grade is :math:`2aT / (a^2 T + T + E)`. It is largest,
    :math:`\sqrt{r}`, if both have the same variance. Uto [1]_ derives a ceiling for the true scores
    from classical test theory as well, and shows that the kappa between humans can underestimate
    the ceiling. The formulas here are our own derivation.

    References
    ----------
    .. [1] M. Uto (2026), "Has automated essay scoring reached sufficient accuracy? Deriving
       achievable QWK ceilings from classical test theory", Proceedings of the International
       Conference on Artificial Intelligence in Education (AIED),
       :doi:`10.48550/arXiv.2604.19131`.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, rating_ceilings
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [0, 1, 1], [2, 2, 1], [2, 2, 2]] * 20)
    >>> ceilings = rating_ceilings(ratings, ["accuracy", "quadratic_weighted_kappa"])
    >>> for name, interval in ceilings.ceilings["accuracy"].values.items():
    ...     print(name, interval)
    between_raters 0.500 (95% interval 0.436 to 0.564)
    left_one_out 0.417 (95% interval 0.324 to 0.516)
    in_sample 0.750 (95% interval 0.716 to 0.781)
    """
    check_ratings(ratings)
    criteria = chosen_metrics(metrics, with_direction=True)
    check_are_of_counts(criteria)
    level = check_share("confidence_level", confidence_level)
    weight = ratings.sample_weight
    is_used = np.ones(ratings.n_samples, dtype=np.bool_) if weight is None else weight > 0
    by_grades = np.bincount(ratings.n_grades[is_used], minlength=len(ratings.raters) + 1)
    return RatingCeilings(
        scale=ratings.scale,
        raters=ratings.raters,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        ceilings=ceilings_by_metric(ratings, criteria, level),
        n_items_by_grades=by_grades.astype(np.int64),
        n_without_weight=int(np.count_nonzero(~is_used)),
        total_weight=None if weight is None else float(weight.sum()),
        confidence_level=level,
        provenance=Provenance.of_now(),
    )


def ceilings_by_metric(
    ratings: OrdinalRatings,
    metrics: Iterable[OrdinalMetric],
    level: float,
    *,
    weight: NDArray[np.float64] | None = None,
) -> ByMetric:
    """Return the ceiling of each criterion by name, which all reports show.

    If `weight`, of shape (n_items,), is None, the items have the weights of the ratings.
    """
    items = SharedItems.from_ratings(ratings, weight)
    return ByMetric({metric.name: _ceiling(items, metric, level) for metric in metrics})


def _ceiling(items: SharedItems, metric: OrdinalMetric, level: float) -> Ceiling:
    if not items.n_items:
        return Ceiling("none", {}, _NO_ITEMS)
    if _is_quadratic_kappa(metric):
        return _ceiling_of_kappa(items.kappa_between_raters(level))
    values = items.ceilings(metric, level)
    if values is None:
        return Ceiling("none", {}, _NOT_STATED)
    is_defined = all(math.isfinite(interval.estimate) for interval in values.values())
    return Ceiling("best classes", values, "" if is_defined else _UNDEFINED)


def _is_quadratic_kappa(metric: OrdinalMetric) -> bool:
    """Return whether the ceiling of a metric follows from the reliability of the grades."""
    weights = metric.options.get("weights")
    is_quadratic = isinstance(weights, str) and weights == "quadratic"
    return metric.function is quadratic_weighted_kappa_score or (
        metric.function is weighted_kappa_score and is_quadratic
    )


def _ceiling_of_kappa(kappa: Interval) -> Ceiling:
    """Return the ceiling that follows from the quadratic kappa between raters."""
    r, level = kappa.estimate, kappa.confidence_level
    nothing = Interval(math.nan, math.nan, math.nan, level)
    if not r > 0:
        reason = _NO_RELIABILITY if r <= 0 else _UNDEFINED
        values = dict.fromkeys(_RELIABILITY, nothing) | {"between_raters": kappa}
        return Ceiling("true scores", values, reason)
    error = math.nan if kappa.standard_error is None else kappa.standard_error
    # Where the interval of kappa extends below 0, there is no variance of true scores.
    low, high = max(kappa.low, 0.0), kappa.high

    def transformed(function: Callable[[float], float], derivative: float) -> Interval:
        ends = function(low), function(high)
        return Interval(
            function(r), *ends, level, method="delta", standard_error=error * derivative
        )

    values = {
        "between_raters": kappa,
        "like_a_rater": kappa,
        "true_scores": transformed(lambda k: 2 * k / (1 + k), 2 / (1 + r) ** 2),
        "best_possible": transformed(math.sqrt, 0.5 / math.sqrt(r)),
    }
    return Ceiling("true scores", values)
