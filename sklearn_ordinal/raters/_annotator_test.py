"""The alternative-annotator test: whether a judge can replace human raters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    containers,
    evidence_kinds,
    grading,
    scales,
    tolerances,
)
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import EntryAmounts
from sklearn_ordinal._documents import document_parts, formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _holm_correction, _intervals
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._unit_moves import Design
from sklearn_ordinal.metrics import _closeness
from sklearn_ordinal.reports import _sections

Closeness = Literal["cem_ord", "accuracy", "neg_root_mean_squared_error"]
MissingGrades = Literal["omit", "count"]

# The published code does not test humans with fewer items, which are too few for its t-test.
FEWEST_ITEMS = 30
_PASSING_RATE = 0.5
# Differences have at least this many digits after the decimal point.
_DIGITS = 2
_NUMBERS = ("estimate", "low", "high", "standard_error")
_NO_GRADE = "no grade of the judge"


@dataclass(frozen=True, eq=False, repr=False)
class AlternativeAnnotatorTest(Views):
    """Whether a judge can replace human raters: the result of `alternative_annotator_test`.

    Parameters
    ----------
    raters : tuple of str
        Names of the human raters.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}
        How the closeness of a grade to the grades of the other humans is measured.
    epsilon : float
        How much more often the human may be at least as close as the judge.
    alpha : float
        Expected share of false replacements among all replacements.
    n_items : ndarray of shape (n_raters,)
        Number of items that the human, the judge and at least one other human grade.
    differences : mapping of str to Interval
        For each human, the share of the items on which the human is at least as close to the others
        as the judge, minus the share on which the judge is at least as close; NaN without items.
    pvalues : ndarray of shape (n_raters,)
        One-sided p-values of the hypothesis that the difference is at least `epsilon`; NaN for
        humans with fewer than 30 items, who are not tested.
    adjusted_pvalues : ndarray of shape (n_raters,)
        The p-values, adjusted for the number of tested humans.
    advantage_probability : Interval
        The mean over the tested humans of the share of the items on which the judge is at least as
        close as the human. NaN if no human is tested.
    left_out : mapping of str to int
        The number of items that the test cannot use, by the reason.
    unanswered : {"omit", "count"}, default="omit"
        Whether items without a grade of the judge are left out, or count against the judge.
    n_unanswered : int, default=0
        Number of items that at least two humans grade, and the judge does not.
    other_winning_rate : float, default=nan
        The winning rate with the other choice of `unanswered`.

    Attributes
    ----------
    can_replace : dict of str to bool
        Whether the judge can replace each human. False for humans who are not tested.
    winning_rate : float
        Share of the tested humans whom the judge can replace. NaN if no human is tested.
    is_passed : bool
        Whether the winning rate is at least 0.5.

    See Also
    --------
    sklearn_ordinal.raters.alternative_annotator_test : Make the test.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings
    >>> from sklearn_ordinal.raters import alternative_annotator_test
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20)
    >>> test = alternative_annotator_test(ratings, [0, 1, 1, 0] * 20)
    >>> test.can_replace
    {'rater 1': False, 'rater 2': True, 'rater 3': True}
    """

    raters: tuple[str, ...]
    closeness: Closeness
    epsilon: float
    alpha: float
    n_items: NDArray[np.int64]
    differences: Mapping[str, Interval]
    pvalues: NDArray[np.float64]
    adjusted_pvalues: NDArray[np.float64]
    advantage_probability: Interval
    left_out: Mapping[str, int]
    unanswered: MissingGrades = "omit"
    n_unanswered: int = 0
    other_winning_rate: float = math.nan

    @property
    def can_replace(self) -> dict[str, bool]:
        """Whether the judge can replace each human."""
        is_replaced = _holm_correction.is_rejected(self.adjusted_pvalues, 1 - self.alpha)
        return dict(zip(self.raters, np.atleast_1d(is_replaced).tolist(), strict=True))

    @property
    def winning_rate(self) -> float:
        """Share of the tested humans whom the judge can replace."""
        n_tested = np.count_nonzero(~np.isnan(self.pvalues))
        return sum(self.can_replace.values()) / int(n_tested) if n_tested else math.nan

    @property
    def is_passed(self) -> bool:
        """Whether the winning rate is at least 0.5."""
        return bool(self.winning_rate >= _PASSING_RATE)

    def __repr__(self) -> str:
        return (
            f"AlternativeAnnotatorTest(winning_rate={self.winning_rate:.3g}, "
            f"closeness={self.closeness!r}, epsilon={self.epsilon:g})"
        )

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            The verdict, a table of the humans, and notes on what is left out.
        """
        return Document(
            "Alternative-annotator test",
            (
                self.table(),
                *map(Note, humans_left_out(len(self.raters))),
                *(Note(text, is_small=True) for text in self.notes()),
            ),
            verdict=(Note(self.verdict()),),
        )

    def verdict(self) -> str:
        """Return the result in words.

        Returns
        -------
        str
            Sentences that name the closeness, the tolerated difference, and the items without a
            grade of the judge.
        """
        sentences = [results_in_words({"The judge": self})]
        if not math.isnan(self.winning_rate):
            sentences.append(tolerance_in_words(self.epsilon))
        advantage = self.advantage_probability
        if not math.isnan(advantage.estimate):
            has_interval = not math.isnan(advantage.low)
            probability = f"{advantage}" if has_interval else f"{advantage.estimate:.3f}"
            sentences.append(f"Its advantage probability is {probability}.")
        if self.n_unanswered:
            consequence = other_result_in_words(self, "the judge")
            sentences.append(missing_in_words({"the judge": self}, [consequence]))
        return " ".join(sentences)

    def table(self) -> Table:
        """Return the table of the humans.

        Returns
        -------
        Table
            Items, difference, adjusted p-value and decision of each human; of more than 30
            humans, those with the lowest and the highest differences.
        """
        digits = _intervals.digits_of_intervals(self.differences.values(), _DIGITS)
        estimates = {human: row.estimate for human, row in self.differences.items()}
        pvalues, adjusted, n_items = (
            dict(zip(self.raters, numbers.tolist(), strict=True))
            for numbers in (self.pvalues, self.adjusted_pvalues, self.n_items)
        )
        can_replace = {
            human: "not tested" if math.isnan(pvalues[human]) else _yes(is_replaced)
            for human, is_replaced in self.can_replace.items()
        }
        return _sections.table(
            "How often the human is at least as close as the judge",
            "human",
            lowest_and_highest(estimates),
            _sections.block(Column("items", "number", digits=0), n_items),
            _sections.block(Column("human - judge", "number", digits, is_signed=True), estimates),
            _sections.ends(self.differences, digits, is_signed=True),
            _sections.block(Column("adjusted p", "pvalue"), adjusted),
            _sections.block(Column("judge can replace"), can_replace),
        )

    def notes(self) -> list[str]:
        """Return what is left out.

        Returns
        -------
        list of str
            Sentences.
        """
        texts: list[str] = []
        untested = [
            rater
            for rater, pvalue in zip(self.raters, self.pvalues.tolist(), strict=True)
            if math.isnan(pvalue)
        ]
        if untested:
            texts.append(
                f"Not tested, since they have fewer than {FEWEST_ITEMS} items: "
                f"{formatting.names_in_words(untested)}."
            )
        texts += [
            f"Left out: {formatting.counted(number, 'item')} with {reason}."
            for reason, number in self.left_out.items()
            # The verdict has the number of items without a grade of the judge.
            if number and reason != _NO_GRADE
        ]
        return texts

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the result.

        Returns
        -------
        dict
            "winning_rate", "is_passed", "advantage_probability", the settings, "left_out", and
            "humans": for each human a dict with the columns of `to_frame`.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "winning_rate": self.winning_rate,
                "is_passed": self.is_passed,
                "advantage_probability": self.advantage_probability.to_dict(),
                "closeness": self.closeness,
                "epsilon": self.epsilon,
                "alpha": self.alpha,
                "humans": {record.pop("human"): record for record in self._records()},
                "left_out": dict(self.left_out),
                "unanswered": self.unanswered,
                "n_unanswered": self.n_unanswered,
                "other_winning_rate": self.other_winning_rate,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each human."""
        can_replace = self.can_replace
        return [
            {
                "human": rater,
                **{name: getattr(self.differences[rater], name) for name in _NUMBERS},
                "pvalue": pvalue,
                "adjusted_pvalue": adjusted,
                "n_items": n_items,
                "can_replace": can_replace[rater],
            }
            for rater, n_items, pvalue, adjusted in zip(
                self.raters,
                self.n_items.tolist(),
                self.pvalues.tolist(),
                self.adjusted_pvalues.tolist(),
                strict=True,
            )
        ]


def alternative_annotator_test(
    ratings: OrdinalRatings,
    judge: ArrayLike | Mapping[Any, Any],
    *,
    closeness: Closeness = "cem_ord",
    epsilon: float = 0.2,
    alpha: float = 0.05,
    unanswered: MissingGrades = "omit",
) -> AlternativeAnnotatorTest:
    r"""Test whether a judge can replace human raters.

    Each human is left out in turn. On each item, the grade of the human and the grade of the judge
    are compared with the grades of the remaining humans [1]_. Let :math:`d` be the share of the
    items on which the human is at least as close to them, minus the share on which the judge is.
    The judge can replace the human if a one-sided t-test rejects :math:`d \ge \varepsilon`, where
    :math:`\varepsilon` is what the judge may be worse by, since it costs less. The p-values are
    adjusted for the number of humans by the method of Benjamini and Yekutieli. The judge passes
    the test if it can replace at least half of the humans.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades of the humans.
    judge : array-like of shape (n_items,) or mapping
        Grade of the judge for each item, in the order of the items; or, if the items have ids, a
        pandas Series or a mapping from each id to the grade. A Series with the index 0, 1, ... is
        in the order of the items. NaN, None or NA where the judge gives no grade.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}, default="cem_ord"
        How close a grade is to the grades of the others. "cem_ord": the mean of their proximities,
        `proximity_matrix`, computed from the sizes of the classes among the grades of the humans
        (see Notes). "accuracy": the share of equal grades. "neg_root_mean_squared_error": minus the
        root of the mean squared number of classes between them.
    epsilon : float, default=0.2
        How much more often the human may be at least as close as the judge, between 0 and 1. The
        source recommends 0.2 for experts, 0.15 for skilled raters and 0.1 for crowd workers.
    alpha : float, default=0.05
        Expected share of false replacements among all replacements. Intervals have the confidence
        level 1 - `alpha`.
    unanswered : {"omit", "count"}, default="omit"
        What to do with items without a grade of the judge: leave them out, or count them against
        the judge, with a closeness of 0; for "neg_root_mean_squared_error", with the class that is
        farthest from the grade of each other human. A judge may pass because it does not grade the
        items on which it would be wrong. The verdict says if it depends on this choice.

    Returns
    -------
    AlternativeAnnotatorTest
        The winning rate, the advantage probability, and the test of each human. The winning rate is
        NaN, with an `UndefinedMetricWarning`, if no human can be tested.

    Raises
    ------
    ValueError
        If the grades of the judge are for other items or not on the scale of the ratings,
        `closeness` or `unanswered` is not known, or a number is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If no human has 30 items that the judge and another human grade; with
        ``unanswered="count"``, 30 items that another human grades.

    See Also
    --------
    sklearn_ordinal.metrics.prmse_score : Ask how well a system predicts the true scores.
    sklearn_ordinal.metrics.agreement_score : Agreement of the raters with each other.

    Notes
    -----
    For "cem_ord", class sizes count the grades of the humans on the items that the test can use: at
    least two humans grade the item, and the judge grades it or its missing grade counts.

    Humans with fewer than 30 items are not tested, as in the published code of [1]_. Its authors
    also suggest Wilcoxon's test for them, but this test is about the median of a symmetric
    distribution, and :math:`d` has three values whose mean is tested.

    If the judge is closer than the human on hardly any item, :math:`d` is 0 on most items and 1 on
    a few, and the t-test of so skewed a sample rejects too often: in a simulation with
    :math:`d = \varepsilon` in truth, in 13% to 19% of the samples of 30 items.

    Standard errors and degrees of freedom are those of `delta_interval`, also for items with
    weights, and in the clusters and strata of `ratings`. Of :math:`n` items without weights, the
    published code has :math:`n - 1` degrees of freedom, and here there are at most :math:`n - 3`.

    Ties of closeness count for both sides. If :math:`d` is the same on all items, the p-value is 0
    if :math:`d < \varepsilon`, and else 1.

    References
    ----------
    .. [1] N. Calderon, R. Reichart, R. Dror (2025), "The alternative annotator test for
       LLM-as-a-judge: how to statistically justify replacing human annotators with LLMs", ACL 2025,
       https://aclanthology.org/2025.acl-long.782.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings
    >>> from sklearn_ordinal.raters import alternative_annotator_test
    >>> ratings = OrdinalRatings.from_ratings(
    ...     [[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20, raters=["Ann", "Bob", "Cy"]
    ... )
    >>> print(alternative_annotator_test(ratings, [0, 1, 1, 1] * 20, closeness="accuracy"))
    The judge passes the alternative-annotator test (closeness accuracy, epsilon
    0.2): it can replace 2 of 3 humans (Bob and Cy). The test tolerates a judge that
    is worse than a human: the human may be closer to the other humans on more items
    than the judge, by up to 20% of the items. Its advantage probability is 0.750
    (95% interval 0.653 to 0.847).
    <BLANKLINE>
    How often the human is at least as close as the judge
    human  items  human - judge      95% interval  adjusted p  judge can replace
    Ann       80         +0.250  +0.153 to +0.347       1.000  no
    Bob       80          0.000  -0.158 to +0.158       0.019  yes
    Cy        80          0.000  -0.158 to +0.158       0.019  yes
    <BLANKLINE>
    """
    grading.check_ratings(ratings)
    # Raise before the judge is read.
    evidence_kinds.item_weights(ratings)
    check_test_options(closeness, epsilon, alpha, unanswered)
    judged = join_judges(ratings, read_judge(ratings, judge)[:, None])
    result = annotator_test(ratings, judged, 0, closeness, epsilon, alpha, unanswered)
    if np.isnan(result.pvalues).all():
        checks.warn_caller(
            f"The winning rate is undefined. {result.verdict()}",
            UndefinedMetricWarning,
        )
    return result


def read_judge(ratings: OrdinalRatings, judge: Any, name: str = "judge") -> NDArray[np.intp]:
    """Return the grade of a judge for each item as a position on the scale, -1 where missing."""
    if isinstance(judge, (str, bytes)) or not hasattr(judge, "__len__"):
        raise ValueError(
            f"{name} must hold a grade for each of the {ratings.n_samples:,} items of ratings, got "
            f"{checks.shown(judge)}: pass a list, an array or a Series."
        )
    if isinstance(judge, Mapping) and np.ndim(next(iter(judge.values()), 0)):
        raise ValueError(
            f"{name} must be a single judge, with a grade for each item, got a dict of arrays: "
            f"pass several judges to compare_judge."
        )
    values = containers.joined_by_item(
        name, judge, ratings.items, ", with None where there is no grade"
    )
    column, is_present = containers.read_present(values, name)
    grading.check_each_item(name, is_present.shape, ratings)
    positions = np.full(ratings.n_samples, -1, dtype=np.intp)
    if not is_present.any():
        raise ValueError(f"{name} must grade at least one item, but all its grades are missing.")
    positions[is_present] = scales.encode_columns([column], ratings.labels).columns[0]
    return positions


def join_judges(ratings: OrdinalRatings, judges: NDArray[np.intp]) -> OrdinalRatings:
    """Return ratings with the grades of judges as further raters, who are named by number.

    `judges`, of shape (n_items, n_judges), has the position of each grade, -1 where it is missing.
    """
    number, first = grading.number_rows(
        ratings.pattern, len(ratings.patterns), judges, len(ratings.scale) + 1
    )
    patterns = np.concatenate([ratings.patterns[ratings.pattern[first]], judges[first]], axis=1)
    names = tuple(map(str, range(patterns.shape[1])))
    return grading.on_patterns(ratings, patterns, number, raters=names)


def check_test_options(closeness: Any, epsilon: Any, alpha: Any, unanswered: Any) -> None:
    """Raise unless the options of the test are valid."""
    checks.check_choice("closeness", closeness, Closeness)
    checks.check_value("epsilon", epsilon, 0, 1, may_be_nan=False)
    checks.check_share("alpha", alpha)
    checks.check_choice("unanswered", unanswered, MissingGrades)


def results_in_words(tests: Mapping[str, AlternativeAnnotatorTest]) -> str:
    """Return which judges pass, and whom a single judge can replace."""
    test = next(iter(tests.values()))
    name = f"the alternative-annotator test (closeness {test.closeness}, epsilon {test.epsilon:g})"
    untested = [judge for judge, each in tests.items() if math.isnan(each.winning_rate)]
    graders = "the judge and another human grade"
    if test.unanswered == "count":
        graders = "another human grades"
    why = f"no human has {FEWEST_ITEMS} items that {graders}"
    if len(untested) == len(tests):
        return f"Not tested by {name}: {why}."
    passed = [judge for judge, each in tests.items() if each.is_passed]
    failed = [judge for judge in tests if judge not in (*passed, *untested)]
    clauses = []
    if passed:
        verb = "passes" if len(passed) == 1 else "pass"
        clauses.append(f"{formatting.names_in_words(passed)} {verb} {name}")
    if failed:
        verb = "does not" if len(failed) == 1 else "do not"
        what = "" if passed else f" pass {name}"
        clauses.append(f"{formatting.names_in_words(failed)} {verb}{what}")
    result = ", and ".join(clauses)
    if len(tests) == 1:
        replaced = [rater for rater, can in test.can_replace.items() if can]
        whom = f" ({formatting.names_in_words(replaced)})" if replaced else ""
        return f"{result}: it can replace {number_replaced(test)} humans{whom}."
    if untested:
        result += f"; {formatting.names_in_words(untested)} cannot be tested, since {why}"
    return f"{result}."


def number_replaced(test: AlternativeAnnotatorTest) -> str:
    """Return how many of the tested humans a judge can replace."""
    n_tested = np.count_nonzero(~np.isnan(test.pvalues))
    return f"{sum(test.can_replace.values())} of {n_tested}" if n_tested else "not tested"


def tolerance_in_words(epsilon: float) -> str:
    """Return by how much a judge that passes may be worse than a human."""
    if not epsilon:
        return (
            "The test tolerates nothing: the judge must be closer to the other humans than the "
            "human on more items than the reverse."
        )
    return (
        f"The test tolerates a judge that is worse than a human: the human may be closer to the "
        f"other humans on more items than the judge, by up to {100 * epsilon:g}% of the items."
    )


def missing_in_words(
    missing: Mapping[str, AlternativeAnnotatorTest], consequences: Sequence[str]
) -> str:
    """Return how many items have no grade, and what follows from the other choice."""
    numbers = [f"{test.n_unanswered:,} of {judge}" for judge, test in missing.items()]
    what, otherwise = "are left out", "counted against the judge"
    if next(iter(missing.values())).unanswered == "count":
        what, otherwise = "count against the judge", "were left out"
    return (
        f"Items without a grade {what}: {formatting.names_in_words(numbers)}. If these items "
        f"{otherwise}, {'; '.join(consequences)}."
    )


def other_result_in_words(test: AlternativeAnnotatorTest, judge: str) -> str:
    """Return the result of the other choice of `unanswered`."""
    if math.isnan(test.other_winning_rate):
        return f"{judge} would not be tested"
    is_passed = test.other_winning_rate >= _PASSING_RATE
    is_same = is_passed == test.is_passed and not math.isnan(test.winning_rate)
    return f"{judge} would {'still ' if is_same else ''}{'pass' if is_passed else 'not pass'}"


def annotator_test(
    ratings: OrdinalRatings,
    judged: OrdinalRatings,
    judge: int,
    closeness: Closeness,
    epsilon: float,
    alpha: float,
    unanswered: MissingGrades,
) -> AlternativeAnnotatorTest:
    """Return the test of one of the judges that are further raters in `judged`."""
    result = other = _test(ratings, judged, judge, closeness, epsilon, alpha, unanswered)
    if result.n_unanswered:
        choice: MissingGrades = "count" if unanswered == "omit" else "omit"
        other = _test(ratings, judged, judge, closeness, epsilon, alpha, choice)
    return replace(result, other_winning_rate=other.winning_rate)


def _test(
    ratings: OrdinalRatings,
    judged: OrdinalRatings,
    judge: int,
    closeness: Closeness,
    epsilon: float,
    alpha: float,
    unanswered: MissingGrades,
) -> AlternativeAnnotatorTest:
    """Return the test without the winning rate of the other choice of `unanswered`."""
    n_raters = len(ratings.raters)
    grades, of_judge = judged.patterns[:, :n_raters], judged.patterns[:, n_raters + judge]
    has_judge = (of_judge >= 0) | (unanswered == "count")
    amounts = evidence_kinds.RATINGS.entry_amounts(judged)
    # Only items that the test can use decide how close two classes are.
    weights = np.where(has_judge & _has_several(grades), amounts.weights, 0)
    wins = _wins(
        grades, of_judge, has_judge, _gains(closeness, len(ratings.scale), grades, weights)
    )
    n_items = (amounts.numbers @ wins.is_compared).astype(np.int64)
    totals = amounts.weights @ wins.is_compared
    differences = wins.of_human.astype(np.float64) - wins.of_judge
    means = arithmetic.divide(amounts.weights @ differences, totals)
    design = _intervals.design_of(judged)
    moves = np.where(wins.is_compared, differences - means, 0).T
    (errors,), (degrees,), _ = design.moves(moves[None], wins.is_compared.T).spread()
    by_t = stdtr(degrees, arithmetic.divide(means - epsilon, errors))
    # Without a spread, the mean is the value of each item.
    pvalues = np.where(errors == 0, means >= epsilon, by_t)
    is_tested = n_items >= FEWEST_ITEMS
    pvalues[~is_tested] = np.nan
    return AlternativeAnnotatorTest(
        raters=ratings.raters,
        closeness=closeness,
        epsilon=float(epsilon),
        alpha=float(alpha),
        n_items=n_items,
        differences={
            rater: _intervals.from_error(Interval, mean, error, of_error, 1 - alpha, (-1, 1))
            for rater, mean, error, of_error in zip(
                ratings.raters, means.tolist(), errors.tolist(), degrees.tolist(), strict=True
            )
        },
        pvalues=pvalues,
        adjusted_pvalues=_adjusted(pvalues),
        advantage_probability=_advantage(design, amounts.weights, wins, is_tested, 1 - alpha),
        left_out=_left_out(grades, amounts, wins, ratings.n_samples),
        unanswered=unanswered,
        n_unanswered=int(amounts.numbers @ ((of_judge < 0) & _has_several(grades))),
    )


class _Wins(NamedTuple):
    """Who is at least as close to the other humans: (n_patterns, n_raters)."""

    is_compared: NDArray[np.bool_]
    """Whether the human, the judge and another human grade the items of the pattern."""
    of_judge: NDArray[np.bool_]
    of_human: NDArray[np.bool_]


def _wins(
    grades: NDArray[np.intp],
    judge: NDArray[np.intp],
    has_judge: NDArray[np.bool_],
    gains: NDArray[np.float64],
) -> _Wins:
    """Compare the grade of the judge with the grade of each human, who is left out in turn.

    A missing grade is at the position -1, which is the last row of `gains`.
    """
    is_grade = grades >= 0
    # How close each class is to all grades of a pattern. The human's own grade is then subtracted.
    to_all = grading.grade_counts(grades, gains.shape[1]) @ gains.T
    rows, judge = np.arange(len(grades))[:, None], judge[:, None]
    by_judge = to_all[rows, judge] - gains[judge, grades]
    by_human = to_all[rows, grades] - gains[grades, grades]
    n_others = is_grade.sum(axis=1, keepdims=True) - is_grade
    is_compared = is_grade & has_judge[:, None] & (n_others > 0)
    tie = tolerances.TIED_CLOSENESS * n_others
    return _Wins(
        is_compared,
        is_compared & (by_judge >= by_human - tie),
        is_compared & (by_human >= by_judge - tie),
    )


def _gains(
    closeness: Closeness,
    n_classes: int,
    grades: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the closeness of each class (rows) to the class of another human (columns).

    The last row is the closeness of a missing grade: 0, or that of the farthest class.
    """
    if closeness == "accuracy":
        return np.eye(n_classes + 1, n_classes)
    if closeness == "neg_root_mean_squared_error":
        # The root does not change who is closer.
        position = np.arange(n_classes, dtype=np.float64)
        errors = (position[:, None] - position) ** 2
        return -np.vstack([errors, errors.max(axis=0)])
    is_grade = grades >= 0
    weight = np.broadcast_to(weights[:, None], is_grade.shape)[is_grade]
    sizes = np.bincount(grades[is_grade], weight, n_classes)
    # Without an item that the test can use, no class is compared.
    gains = _closeness.proximity_matrix(sizes if sizes.any() else np.ones(n_classes))
    # Classes are infinitely close only if no human gives them, so these gains are never used.
    return np.vstack([np.where(np.isfinite(gains), gains, 0), np.zeros(n_classes)])


def _advantage(
    design: Design,
    weights: NDArray[np.float64],
    wins: _Wins,
    is_tested: NDArray[np.bool_],
    level: float,
) -> Interval:
    """Return the mean over the tested humans of how often the judge is at least as close."""
    if not is_tested.any():
        return Interval(np.nan, np.nan, np.nan, level)
    is_compared, of_judge = wins.is_compared[:, is_tested], wins.of_judge[:, is_tested]
    totals = weights @ is_compared
    shares = (weights @ of_judge) / totals
    # An item moves the shares of all humans who grade it.
    moves = (is_compared * (of_judge - shares) / totals).mean(axis=1)
    is_counted = np.asarray(is_compared.any(axis=1))
    (error,), (degrees,), _ = design.moves(moves[None], is_counted, total=1.0).spread()
    return _intervals.from_error(Interval, shares.mean(), error, degrees, level, (0, 1))


def _adjusted(pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p-values adjusted by Benjamini and Yekutieli (2001); NaN stays NaN."""
    # Loading scipy.stats takes long.
    from scipy.stats import false_discovery_control

    is_tested = ~np.isnan(pvalues)
    adjusted = np.full(len(pvalues), np.nan)
    if is_tested.any():
        adjusted[is_tested] = false_discovery_control(pvalues[is_tested], method="by")
    return adjusted


def _left_out(
    grades: NDArray[np.intp], amounts: EntryAmounts, wins: _Wins, n_items: int
) -> dict[str, int]:
    """Return the number of items that no comparison uses, by the first reason that applies."""
    has_several = _has_several(grades)
    numbers, is_used = amounts.numbers, wins.is_compared.any(axis=1)
    return {
        "weight zero": n_items - int(numbers.sum()),
        "fewer than two grades of humans": int(numbers[~has_several].sum()),
        _NO_GRADE: int(numbers[has_several & ~is_used].sum()),
    }


def _has_several(grades: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether at least two humans grade the items of each pattern."""
    return np.asarray((grades >= 0).sum(axis=1) > 1)


def lowest_and_highest(values: Mapping[str, float]) -> list[str]:
    """Return all names in their order, or those with the lowest and the highest of many values.

    Undefined values are left out first.
    """
    names = list(values)
    if len(names) <= document_parts.MOST_ROWS:
        return names
    # NaN comes last, so the highest values end where it begins.
    numbers = list(values.values())
    ascending = np.argsort(numbers, kind="stable")
    n_defined = max(document_parts.MOST_ROWS, int(np.count_nonzero(~np.isnan(numbers))))
    half = document_parts.MOST_ROWS // 2
    return [names[k] for k in (*ascending[:half], *ascending[n_defined - half : n_defined])]


def humans_left_out(n_humans: int) -> list[str]:
    """Return a sentence if tables do not have all humans."""
    if n_humans <= document_parts.MOST_ROWS:
        return []
    return [
        f"Tables of humans have {document_parts.MOST_ROWS} of {n_humans}: those with the lowest "
        "and the highest differences. to_frame and to_dict return all."
    ]


def _yes(is_true: bool) -> str:
    return "yes" if is_true else "no"
