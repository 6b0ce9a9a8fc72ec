"""The report of judges beside human raters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    ByMetric,
    MetricsLike,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalScale,
    check_names,
    check_ratings,
    column_names,
    item_weights,
    join_judges,
    joined_by_item,
    listed,
    read_judge,
    repeated,
    shown,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.inference import (
    SEVERITY,
    AlternativeAnnotatorTest,
    Closeness,
    Interval,
    MissingGrades,
    PairedDifference,
    annotator_test,
    check_test_options,
    holm_correction,
    judge_prmse,
    same_footing,
    z_among_humans,
)
from sklearn_ordinal.plotting import IntervalsDisplay, as_columns
from sklearn_ordinal.reports._criteria import (
    check_are_of_counts,
    chosen_metrics,
    selected_metric,
)
from sklearn_ordinal.reports._group_names import read_groups
from sklearn_ordinal.reports._judge_document import judge_document
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._rating_ceilings import ceilings_by_metric

ALL_HUMANS = "all humans"


@dataclass(frozen=True)
class Footing:
    """The value of a human, and of a judge, beside the same other humans on the same items.

    Parameters
    ----------
    human : Interval
        Value of the human, or the mean over the humans for whom the values are defined.
    judge : Interval
        Value of the judge, or the mean over the humans that are left out.
    difference : PairedDifference
        Value of the judge minus the value of the human.
    n_items : int
        Number of items that the human, the judge and at least one other human grade.

    See Also
    --------
    JudgeReport : Holds the comparison for each judge and human.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20)
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics="accuracy")
    >>> report.footing["accuracy"]["judge"]["rater 1"].n_items
    80
    """

    human: Interval
    judge: Interval
    difference: PairedDifference
    n_items: int


@dataclass(frozen=True, eq=False, repr=False)
class JudgeReport(Views):
    """Judges compared with human raters: the result of `compare_judge`.

    `str` gives the text, and notebooks show tables and a plot.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    raters : tuple of str
        Names of the humans.
    judges : tuple of str
        Names of the judges.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}
        The closeness of the verdict.
    unanswered : {"omit", "count"}
        Whether items without a grade of a judge are left out, or count against the judge.
    n_items : int
        Number of items of positive weight.
    metrics : mapping of str to OrdinalMetric
        The criteria.
    footing : mapping of str to mapping of str to mapping of str to Footing
        For each criterion, judge and human, and for "all humans", the values of human and judge
        against the same other humans.
    severity : mapping of str to mapping of str to Footing
        For each judge and human, the own grade minus the mean of the others' grades, in positions
        on the scale; positive if the grades are higher.
    z : mapping of str to mapping of str to Interval
        For each criterion and judge, the mean value of judge and human minus the mean over the
        pairs of humans, in standard deviations of the pairs; positive if the judge agrees more. NaN
        with fewer than three humans.
    ceilings : mapping of str to mapping of str to Ceiling
        For each criterion and judge, how good a prediction of the grade of a human can be, on the
        items that the judge grades; see `rating_ceilings`.
    prmse : mapping of str to Interval
        For each judge, the share of the variance of the true scores that the grades explain.
    tests : mapping of str to mapping of str to AlternativeAnnotatorTest
        For each judge and closeness, the alternative-annotator test.
    between_judges : mapping of str to mapping of str to mapping of str to PairedDifference
        For each criterion and pair of judges, the value of the first minus the value of the second,
        as means over the humans, on the items that both grade; on all items if missing grades
        count.
    otherwise : mapping of str to PairedDifference
        For each judge, its value minus the value of the humans by the first criterion, as the mean
        over the humans, with the other choice of `unanswered`.
    by_group : mapping of str to JudgeReport
        The report of each group of items; empty without groups.
    groups_left_out : tuple of str
        Groups without an item of positive weight that two humans and a judge grade.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.

    See Also
    --------
    sklearn_ordinal.compare_judge : Make the report.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20)
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics="accuracy")
    >>> print(report.footing["accuracy"]["judge"]["all humans"].judge)
    0.750 (95% interval 0.716 to 0.781)
    """

    scale: OrdinalScale
    raters: tuple[str, ...]
    judges: tuple[str, ...]
    closeness: Closeness
    unanswered: MissingGrades
    n_items: int
    metrics: ByMetric
    footing: ByMetric
    severity: Mapping[str, Mapping[str, Footing]]
    z: ByMetric
    ceilings: ByMetric
    prmse: Mapping[str, Interval]
    tests: Mapping[str, Mapping[str, AlternativeAnnotatorTest]]
    between_judges: ByMetric
    otherwise: Mapping[str, PairedDifference]
    by_group: Mapping[str, JudgeReport]
    groups_left_out: tuple[str, ...] = ()
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    def __repr__(self) -> str:
        return f"JudgeReport({listed(self.judges)} beside {listed(self.raters)})"

    def adjusted_pvalues(self, criterion: Any = None) -> dict[tuple[str, str], float]:
        """Return the p-values of the differences between judges, adjusted with Holm's method.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.

        Returns
        -------
        dict of tuple of str to float
            The adjusted p-value of each pair of judges.
        """
        firsts = self.between_judges[selected_metric(self.metrics, criterion).name]
        pairs = [(first, second) for first in firsts for second in firsts[first]]
        pvalues = [firsts[first][second].pvalue for first, second in pairs]
        adjusted = holm_correction(pvalues) if pvalues else np.zeros(0)
        return dict(zip(pairs, adjusted.tolist(), strict=True))

    def plot(
        self, criterion: Any = None, *, judge: str | None = None, ax: Any = None, **options: Any
    ) -> IntervalsDisplay:
        """Draw the values of a judge and of each human against the same other humans.

        The ceiling of predictions of the grade of a human is shaded.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        judge : str, default=None
            Name of the judge. If None, the first.
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
            If the report does not have the criterion or the judge.
        """
        metric = selected_metric(self.metrics, criterion)
        name = self.judges[0] if judge is None else judge
        if name not in self.judges:
            raise ValueError(f"judge must be one of {listed(self.judges)}, got {shown(name)}.")
        by_human = self.footing[metric.name][name]
        return IntervalsDisplay(
            list(by_human),
            {
                "human": as_columns(footing.human for footing in by_human.values()),
                f"{name} in place of the human": as_columns(
                    footing.judge for footing in by_human.values()
                ),
            },
            label=f"{metric.name} against the other humans",
            band=self.ceilings[metric.name][name].bracket,
            band_name="ceiling",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, and for each judge the criteria on the same footing, the first criterion
            human by human, and the alternative-annotator test; a plot; differences between judges
            and groups. With more than 30 humans, tables have those with the lowest and the highest
            differences.
        """
        return judge_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the report.

        Returns
        -------
        dict
            "judges": for each judge "test" and "other_tests" (the alternative-annotator tests),
            "prmse", "z" and "ceilings" by criterion, "otherwise" (the difference from the humans
            by the first criterion with the other choice of "unanswered"), and "criteria": for each
            criterion, and "severity", and each human the columns of `to_frame`; "between_judges"
            by criterion; "groups": for each group the same; "n_items"; "closeness" and
            "unanswered". Undefined values are None.
        """
        numbers: dict[str, Any] = plain(self._numbers())
        return numbers

    def _numbers(self) -> dict[str, Any]:
        judges: dict[str, Any] = {
            judge: {
                "test": self.tests[judge][self.closeness].to_dict(),
                "other_tests": {
                    closeness: test.to_dict()
                    for closeness, test in self.tests[judge].items()
                    if closeness != self.closeness
                },
                "prmse": self.prmse[judge].to_dict(),
                "z": {name: by_judge[judge].to_dict() for name, by_judge in self.z.items()},
                "ceilings": {
                    name: by_judge[judge].to_dict() for name, by_judge in self.ceilings.items()
                },
                "otherwise": _difference_columns(self.otherwise[judge]),
                "criteria": {},
            }
            for judge in self.judges
        }
        for record in self._own_records():
            criteria = judges[record.pop("judge")]["criteria"]
            criteria.setdefault(record.pop("criterion"), {})[record.pop("human")] = record
        return {
            "n_items": self.n_items,
            "closeness": self.closeness,
            "unanswered": self.unanswered,
            "judges": judges,
            "between_judges": {
                name: [
                    {
                        "first": first,
                        "second": second,
                        **difference.to_dict(),
                        "adjusted_pvalue": self.adjusted_pvalues(name)[first, second],
                    }
                    for first, seconds in firsts.items()
                    for second, difference in seconds.items()
                ]
                for name, firsts in self.between_judges.items()
            },
            "groups": {name: report._numbers() for name, report in self.by_group.items()},
            "groups_left_out": list(self.groups_left_out),
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each judge, criterion and human, of all items and of each group."""
        if not self.by_group:
            return list(self._own_records())
        return [
            {"group": group, **record}
            for group, report in ((None, self), *self.by_group.items())
            for record in report._own_records()
        ]

    def _own_records(self) -> Iterator[dict[str, Any]]:
        for judge in self.judges:
            for name, by_judge in (*self.footing.items(), (SEVERITY.name, self.severity)):
                for human, footing in by_judge[judge].items():
                    yield {
                        "judge": judge,
                        "criterion": name,
                        "human": human,
                        "n_items": footing.n_items,
                        "value_of_human": footing.human.estimate,
                        "value_of_judge": footing.judge.estimate,
                        **_difference_columns(footing.difference),
                    }


def _difference_columns(difference: PairedDifference) -> dict[str, float]:
    return {
        "difference": difference.estimate,
        "low": difference.low,
        "high": difference.high,
        "pvalue": difference.pvalue,
    }


def compare_judge(
    ratings: OrdinalRatings,
    judge: ArrayLike | Mapping[Any, Any],
    *,
    metrics: MetricsLike | None = None,
    closeness: Closeness = "cem_ord",
    epsilon: float = 0.2,
    alpha: float = 0.05,
    unanswered: MissingGrades = "omit",
    by: Any = None,
) -> JudgeReport:
    r"""Compare a judge, such as a program that grades, or several, with human raters.

    Is the judge as good as a human? Its agreement with the consensus of all humans is not
    comparable with the agreement of a human with the others. So each human is left out in turn, and
    both the human and the judge are compared with the remaining humans, on the same items. If the
    judge is exchangeable with the humans, the difference is 0.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades of the humans.
    judge : array-like of shape (n_items,) or mapping
        Grade of the judge for each item, in the order of the items; or, if the items have ids, a
        pandas Series or a mapping from each id to the grade. A Series with the index 0, 1, ... is
        in the order of the items. NaN, None or NA where the judge gives no grade. For several
        judges, a frame with a column for each judge, or a mapping from each name to the grades.
    metrics : str, callable, iterable or dict of them, default=None
        Criteria of counts, in any form that `get_metric` accepts, or "all" for all criteria of
        predicted classes in this package. If None, the six defaults of `cross_val_report`.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}, default="cem_ord"
        The closeness of the verdict, see `alternative_annotator_test`. The report says if another
        closeness leads to another verdict.
    epsilon : float, default=0.2
        How much more often the human may be at least as close as the judge, between 0 and 1; see
        `alternative_annotator_test`.
    alpha : float, default=0.05
        Expected share of false replacements among all replacements. Intervals have the confidence
        level 1 - `alpha`.
    unanswered : {"omit", "count"}, default="omit"
        What to do with items without a grade of a judge: leave them out, or count them against the
        judge. The closeness family counts them with a closeness of 0. By all other criteria, the
        grade is the class that is farthest from the grade of each other human. See
        `alternative_annotator_test` for the test. The severity, the PRMSE and z always leave these
        items out. A judge may look good because it does not grade the items on which it would be
        wrong: the report says how many items these are, and the result with the other choice.
    by : array-like of shape (n_items,) or mapping, default=None
        Group of each item, such as the week or the family of models, in the order of the items, or
        by id.

    Returns
    -------
    JudgeReport
        The comparisons, as text, tables and a plot.

    Raises
    ------
    ValueError
        If the grades of a judge are for other items or not on the scale of the ratings, a judge has
        the name of a human, a criterion is not a function of counts, `by` does not name a group of
        each item, `closeness` or `unanswered` is not known, or a number is out of range.

    See Also
    --------
    sklearn_ordinal.inference.alternative_annotator_test : The test on its own.
    sklearn_ordinal.metrics.prmse_score : The share of the true variance on its own.

    Notes
    -----
    On the same footing, the grades of the other humans are the truth, and each item has its weight
    in total, divided equally among the other humans who grade it. Standard errors take the items
    as independent units. They come from the influence of each item on all humans together, so an
    item counts once however many humans grade it. Differences have intervals from quantiles of the
    t distribution, and other values on the scale that the metric records, with the degrees of
    freedom that `delta_interval` has for ratings. The alternative-annotator test, PRMSE and z have
    the number of items minus 1.

    The z of a criterion places the mean agreement of the judge and each human among the agreements
    of the pairs of humans [1]_. Its interval is one of items, for these humans. It does not cover
    how z varies from one choice of humans to another, and with three humans, which are three pairs,
    the standard deviation is hardly known. In groups of items, criteria that depend on class sizes
    use the class sizes of the group.

    References
    ----------
    .. [1] S. Han, G. Titericz Junior, T. Balough, W. Zhou (2025), "Judge's verdict: a comprehensive
       analysis of LLM judge capability through human agreement", :doi:`10.48550/arXiv.2510.09738`.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings(
    ...     [[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20, raters=["Ann", "Bob", "Cy"]
    ... )
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics=["cem_ord", "accuracy"])
    >>> report.tests["judge"]["cem_ord"].winning_rate
    1.0
    """
    check_ratings(ratings)
    weight = item_weights(ratings)
    check_test_options(closeness, epsilon, alpha, unanswered)
    criteria = chosen_metrics(metrics, with_direction=True)
    check_are_of_counts(criteria)
    if any(metric.name == SEVERITY.name for metric in criteria):
        raise ValueError("metrics must not have the name 'severity', which the report has.")
    if ALL_HUMANS in ratings.raters:
        raise ValueError(f"ratings must not have a rater with the name {ALL_HUMANS!r}: rename it.")
    judges = _read_judges(ratings, judge)
    positions = np.stack(list(judges.values()), axis=1)
    names = tuple(judges)

    def report(part: OrdinalRatings, grades: NDArray[np.intp], **groups: Any) -> JudgeReport:
        return _report(
            part, grades, names, criteria, closeness, epsilon, alpha, unanswered, **groups
        )

    if by is None:
        return report(ratings, positions, by_group={})
    group, group_names = read_groups(joined_by_item("by", by, ratings.items), ratings.n_samples)
    by_group, left_out = {}, []
    for number, name in enumerate(group_names):
        items = group == number
        is_graded = (positions[items] >= 0).any(axis=1)
        if not (is_graded & (ratings.n_grades[items] > 1) & (weight[items] > 0)).any():
            left_out.append(name)
            continue
        part = OrdinalRatings(
            ratings.scale,
            ratings.patterns,
            ratings.pattern[items],
            ratings.raters,
            sample_weight=None if ratings.sample_weight is None else ratings.sample_weight[items],
        )
        by_group[name] = report(part, positions[items], by_group={})
    return report(ratings, positions, by_group=by_group, groups_left_out=tuple(left_out))


def _read_judges(ratings: OrdinalRatings, judge: Any) -> dict[str, NDArray[np.intp]]:
    """Return the grades of each judge by name, as positions on the scale."""
    columns = column_names(judge)
    if columns is not None:
        judge = {name: judge[name] for name in columns}
    if _is_two_dimensional(judge):
        raise ValueError(
            "judge must hold one grade for each item, got several columns: for several judges, "
            "pass a dict with their names as keys, such as {'first': grades, 'second': grades}."
        )
    # A mapping from ids has a grade for each id, and a mapping from names has columns.
    is_several = isinstance(judge, Mapping) and (not judge or any(map(_is_column, judge.values())))
    if not is_several:
        judge = {"judge": judge}
    elif not judge:
        raise ValueError("judge must have at least one judge, got an empty dict.")
    names = check_names("judge", list(judge))
    for name in repeated([*names, *ratings.raters]):
        raise ValueError(
            f"judge must have names that differ from each other and from the raters' names, got "
            f"{shown(name)}: rename it."
        )
    return {
        name: read_judge(ratings, grades, f"judge[{shown(key)}]" if is_several else "judge")
        for name, (key, grades) in zip(names, judge.items(), strict=True)
    }


def _is_two_dimensional(judge: Any) -> bool:
    """Return whether grades are an array or a list of columns, which have no names."""
    if isinstance(judge, np.ndarray):
        return judge.ndim == 2
    return isinstance(judge, (list, tuple)) and any(map(_is_column, judge))


def _is_column(grades: Any) -> bool:
    return hasattr(grades, "__len__") and not isinstance(grades, (str, bytes))


def _report(
    ratings: OrdinalRatings,
    positions: NDArray[np.intp],
    judges: tuple[str, ...],
    metrics: list[OrdinalMetric],
    closeness: Closeness,
    epsilon: float,
    alpha: float,
    unanswered: MissingGrades,
    **groups: Any,
) -> JudgeReport:
    """Return the report of judges whose grades have shape (n_items, n_judges)."""
    judged, n_raters, level = join_judges(ratings, positions), len(ratings.raters), 1 - alpha
    counts_missing = unanswered == "count"
    humans = (*ratings.raters, ALL_HUMANS)
    footing: dict[str, dict[str, dict[str, Footing]]] = {}
    z, ceilings = (ByMetric({metric.name: {} for metric in metrics}) for _ in range(2))
    otherwise = {}
    for number, judge in enumerate(judges):
        compared = partial(same_footing, judged, n_raters, [number])
        # A missing grade is neither too low nor too high.
        for values in (
            *compared(metrics, counts_missing=counts_missing),
            *compared([SEVERITY]),
        ):
            columns = (
                values.intervals(0, level),
                values.intervals(1, level),
                values.differences(1, 0, level),
                values.numbers.tolist(),
            )
            footing.setdefault(values.metric.name, {})[judge] = {
                human: Footing(*row) for human, *row in zip(humans, *columns, strict=True)
            }
        places = z_among_humans(judged, n_raters, number, metrics, level)
        (values,) = compared(metrics[:1], counts_missing=not counts_missing)
        otherwise[judge] = values.differences(1, 0, level)[-1]
        weight = item_weights(ratings) * (counts_missing | (positions[:, number] >= 0))
        of_judge = ceilings_by_metric(ratings, metrics, level, weight=weight)
        for metric, place in zip(metrics, places, strict=True):
            z[metric.name][judge] = place
            ceilings[metric.name][judge] = of_judge[metric.name]
    between = ByMetric({metric.name: {judge: {} for judge in judges[:-1]} for metric in metrics})
    for (first, name), (second, other) in combinations(enumerate(judges), 2):
        for values in same_footing(
            judged, n_raters, [first, second], metrics, counts_missing=counts_missing
        ):
            of_all = values.differences(1, 2, level)[-1]
            between[values.metric.name][name][other] = of_all
    severity = footing.pop(SEVERITY.name)
    return JudgeReport(
        scale=ratings.scale,
        raters=ratings.raters,
        judges=judges,
        closeness=closeness,
        unanswered=unanswered,
        n_items=int(np.count_nonzero(item_weights(ratings))),
        metrics=ByMetric({metric.name: metric for metric in metrics}),
        footing=ByMetric(footing),
        severity=severity,
        z=z,
        ceilings=ceilings,
        prmse={
            judge: judge_prmse(ratings, positions[:, number]).interval(level)
            for number, judge in enumerate(judges)
        },
        tests={
            judge: {
                other: annotator_test(ratings, judged, number, other, epsilon, alpha, unanswered)
                for other in get_args(Closeness)
            }
            for number, judge in enumerate(judges)
        },
        between_judges=between,
        otherwise=otherwise,
        provenance=Provenance.of_now(),
        **groups,
    )
