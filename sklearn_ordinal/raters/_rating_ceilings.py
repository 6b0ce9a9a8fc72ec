"""`rating_ceilings`: how good a prediction of the grade of a rater can be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import checks, grading
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Figure, Table
from sklearn_ordinal.inference import _intervals
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.raters import _agreement_report
from sklearn_ordinal.reports import _ceilings, _sections, _sentences
from sklearn_ordinal.reports._ceilings import Ceiling
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import VALUE, Key, Values


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RatingCeilings(Values):
    """How good a prediction of the grade of a rater can be, for several criteria.

    Returned by `rating_ceilings`. `str` gives the text, and notebooks show a table and a plot.
    Criteria may have any form that `get_metric` accepts as keys.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values. A key has the criterion, the prediction and "value"; the prediction is None if
        the ceiling is not stated.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    inferred : tuple of str
        All criteria, since the text shows the intervals of all ceilings.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the ceilings were computed. It is ignored when results are
        compared.
    scale : OrdinalScale
        The classes from the lowest to the highest.
    raters : tuple of str
        Names of the raters.
    ceilings : mapping of str to Ceiling
        The ceiling of each criterion.
    n_items_by_grades : ndarray of shape (n_raters + 1,)
        Number of items with 0, 1, ... grades. Those with fewer than two are not used.
    n_without_weight : int
        Number of items of weight zero, which are not used and not among the numbers above.
    total_weight : float or None
        Sum of the weights of the items, None if there are no weights.
    n_clusters : int, default=None
        Number of clusters in which the items were drawn, None without clusters.
    n_strata : int, default=None
        Number of strata from which the items were drawn, None without strata.

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

    axes = ("criterion", "prediction", "what")
    _title = "Ceilings"

    scale: OrdinalScale
    raters: tuple[str, ...]
    ceilings: ByMetric
    n_items_by_grades: NDArray[np.int64]
    n_without_weight: int
    total_weight: float | None
    n_clusters: int | None = None
    n_strata: int | None = None
    digits: int = 2

    @property
    def n_items(self) -> int:
        """Number of items of positive weight."""
        return int(self.n_items_by_grades.sum())

    @property
    def n_shared_items(self) -> int:
        """Number of items with at least two grades, which are used."""
        return int(self.n_items_by_grades[2:].sum())

    def _name_of(self, criterion: Any) -> str:
        """Return a criterion, by default the first one whose ceiling is stated."""
        stated = (name for name, ceiling in self.ceilings.items() if ceiling.values)
        return super()._name_of(next(stated, None) if criterion is None else criterion)

    def _figures(self, table: Table | None) -> Iterator[Figure]:
        drawn = self._name_of(None)
        if self.ceilings[drawn].values:
            text = f"Values between the raters and at the ends of the ceiling of {drawn}"
            yield Figure(self.plot, f"Ceiling of {drawn}", text, table)

    def _display(self, criterion: str) -> IntervalsDisplay:
        """Return the plot of the value between raters and of the ends of the ceiling."""
        ceiling: Ceiling = self.ceilings[criterion]
        if not ceiling.values:
            raise ValueError(
                f"metric must have a ceiling, which is not stated for {criterion}: "
                f"{ceiling.reason}."
            )
        title = f"value, {_sections.interval_name(self.confidence_level)}"
        return IntervalsDisplay(
            [_ceilings.CEILING_TITLES[name] for name in ceiling.values],
            {title: _intervals_display.as_columns(ceiling.values.values())},
            label=f"{criterion} ({_sections.direction_as_text(self.metrics[criterion])} is better)",
            band=ceiling.bracket,
            band_name="ceiling",
        )

    def _views(self) -> Iterator[Table]:
        ceilings = {name: ceiling for name, ceiling in self.ceilings.items() if ceiling.values}
        level, digits = _sections.interval_name(self.confidence_level), self._digits()
        yield _sections.table(
            "Ceilings of predictions of the grade of one rater",
            "criterion",
            list(ceilings or self.ceilings),
            _sections.block(
                Column("one rater", "number", digits),
                {name: ceiling.between_raters for name, ceiling in ceilings.items()},
            ),
            _sections.block(
                Column("ceiling", "interval", digits),
                {name: ceiling.bracket for name, ceiling in ceilings.items()},
            ),
            _sections.block(
                Column(level, "interval", digits),
                {name: ceiling.interval for name, ceiling in ceilings.items()},
            ),
        )

    def _sentences(self) -> Iterator[str]:
        """Say what a prediction can reach according to the first criterion that has a ceiling."""
        defined = {name: ceiling for name, ceiling in self.ceilings.items() if not ceiling.reason}
        if not defined:
            yield "No criterion has a ceiling."
            return
        # Ceilings from true scores are approximate, so they come last.
        name, ceiling = min(defined.items(), key=lambda item: item[1].is_approximate)
        value, digits = ceiling.between_raters, self._digits()
        size = formatting.cell_text(value, Column("", "number"), digits)
        subject = f"One rater who predicts another has {size},"
        yield _sentences.ceiling_verdict(self.metrics[name], ceiling, subject, value, digits)

    def _hint(self) -> str:
        return (
            "OrdinalReport.from_predictions(ratings, y_pred) compares predictions with the ceiling."
        )

    def _digits(self) -> int:
        """Return the digits that the intervals of the ceilings need."""
        ends = (ceiling.interval for ceiling in self.ceilings.values())
        intervals = (Interval(math.nan, low, high, self.confidence_level) for low, high in ends)
        return _intervals.digits_of_intervals(intervals, self.digits)

    def _notes(self) -> Iterator[str]:
        """Yield the items, and which ceilings are approximate, missing or without an interval."""
        yield _agreement_report.rated_items_in_words(self, "not used")
        yield from _ceilings.ceiling_notes(self.ceilings)
        no_interval = [
            name
            for name, ceiling in self.ceilings.items()
            if not ceiling.reason and any(np.isnan(value.low) for value in ceiling.values.values())
        ]
        if no_interval:
            yield (
                f"No interval of {formatting.names_in_words(no_interval)}: a value does not vary "
                "over the items, is at the end of its range, or there is only one item."
            )

    def _facts(self) -> dict[str, Any]:
        return {"n_shared_items": self.n_shared_items, **_agreement_report.facts_of_items(self)}

    def _extras(self, key: Key) -> dict[str, Any]:
        ceiling = self.ceilings[key[0]]
        return {"basis": ceiling.basis, "reason": ceiling.reason}


@checks.lists_parameters
def rating_ceilings(
    ratings: OrdinalRatings,
    metrics: MetricsLike | None = None,
    *,
    confidence_level: float = _ceilings.CEILING_LEVEL,
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

    The intervals come from `delta_interval`: the unit is the item, or the cluster of items, since
    the grades of an item are not independent. The influence of an item is the influence of its
    grades on the value, if the best classes stay the same. In sample, this is the whole influence,
    since another choice cannot be better. Left one out, other choices count only where classes are
    about to tie. The mean of many data sets has a ceiling between the two values, so that the range
    from the outer end of one interval to the outer end of the other covers it with at least the
    confidence level in large samples.

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
    grading.check_ratings(ratings)
    criteria = _sections.chosen_metrics(metrics, with_direction=True)
    _sections.check_are_of_counts(criteria)
    level = checks.check_share("confidence_level", confidence_level)
    ceilings = _ceilings.ceilings_by_metric(ratings, criteria, level)
    nothing = {None: Interval(math.nan, math.nan, math.nan, level)}
    return RatingCeilings(
        rows={
            (name, prediction, VALUE): interval
            for name, ceiling in ceilings.items()
            for prediction, interval in (ceiling.values or nothing).items()
        },
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        inferred=tuple(ceilings),
        n_classes=len(ratings.scale),
        scale=ratings.scale,
        raters=ratings.raters,
        ceilings=ceilings,
        **grading.numbers_of_items(ratings),
        provenance=Provenance.of_now(),
    )
