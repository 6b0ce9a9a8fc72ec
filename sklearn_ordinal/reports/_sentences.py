"""Sentences that answer the questions of reports, made from the numbers that their tables show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import tolerances
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column
from sklearn_ordinal.inference import _holm_correction, _intervals, _paired_difference
from sklearn_ordinal.inference._group_values import GroupDifference
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._ceilings import Ceiling

# The largest number of criteria whose verdicts are all at the top of a report.
_FEW_CRITERIA = 6
# As many digits as differences have in sentences.
_DIGITS = 3
_MOST_DIGITS = 10


class Tested(NamedTuple):
    """The difference of an estimator from another one, with its test."""

    against: str
    role: str
    """What the other one is, as in "the best baseline"; "" if the name says it."""
    difference: PairedDifference
    has_infinite_mean: bool = False
    probability_equivalent: float = math.nan

    @property
    def is_won(self) -> bool:
        """Whether the estimator is shown to beat the other one."""
        return _paired_difference.better_system(self.difference) == "first"

    def in_words(self, subject: str, n_folds: int) -> str:
        """Say whether the estimator is shown to beat the other one, without a full stop."""
        n_undefined = self.difference.n_undefined
        remarks = [f"from {n_folds - n_undefined} of {n_folds} folds"] if n_undefined else []
        if self.has_infinite_mean:
            remarks = ["a mean is infinite, so the difference cannot be tested"]
        elif n_undefined == n_folds:
            remarks = ["no fold has a value for both"]
        elif np.isnan(self.difference.estimate):
            remarks = ["the difference could not be tested"]
        elif np.isnan(self.difference.adjusted_pvalue):
            remarks = ["on fewer than three folds, which cannot be tested"]
        return _paired_difference.verdict_in_words(
            self.difference, subject, self.against, role=self.role, remarks=remarks
        )


def estimators_verdict(
    criterion: str,
    scores: Mapping[str, Interval],
    tied: Sequence[str],
    tests: Sequence[Tested],
    *,
    rope: float,
    n_folds: int,
) -> str:
    """Say which estimator is best, and whether it is shown to beat the second and the baselines.

    Scores are of the estimators without the baselines, from the best to the worst, and `tied` are
    the names of the best. If there is a single estimator, it is only compared with the baseline.
    """
    best, n_models = next(iter(scores)), len(scores)
    n_defined = sum(not np.isnan(score.estimate) for score in scores.values())
    if not n_defined:
        return f"By {criterion}, no model has a value on any fold."
    subject, sentences = best, []
    if n_models > 1 and len(tied) > 1:
        mean = formatting.cell_text(scores[best].estimate, Column("", "number"), _DIGITS)
        names = formatting.names_in_words(tied)
        sentences = [f"{names} are tied for the best mean of {n_models} models, {mean}"]
    elif n_models > 1:
        claim = "has the best mean" if n_defined > 1 else "is the only one with a value"
        # Models that lack values on some folds come last, whatever their means.
        n_whole = sum(s.n_undefined == scores[best].n_undefined for s in scores.values())
        if n_whole < n_defined:
            claim = f"has the best mean of {n_whole} with a value on every fold,"
        subject, sentences = "It", [f"{best} {claim} of {n_models} models, {scores[best]}"]
    sentences += [test.in_words(subject, n_folds) for test in tests]
    sentences += [
        f"{best} and {test.against} are equal in practice: with probability "
        f"{test.probability_equivalent:.2f}, they differ by at most {rope:g}"
        for test in tests
        if test.probability_equivalent >= test.difference.confidence_level
    ]
    if not sentences:
        sentences = [
            f"nothing could be tested, since no estimator to compare with {best} was fitted"
        ]
    return f"By {criterion}, {'. '.join(sentences)}."


def pairs_verdict(
    criterion: str,
    differences: Mapping[tuple[str, str], PairedDifference],
    reference: str | None,
) -> str:
    """Say how many pairs are shown to differ, and which ones."""
    winners = {pair: _paired_difference.better_system(row) for pair, row in differences.items()}
    victories = [
        " beats ".join(pair if winner == "first" else pair[::-1])
        for pair, winner in winners.items()
        if winner
    ]
    noun = "estimators" if reference else "pairs"
    n_better = f"{len(victories) or 'none'} of {len(winners)} {noun}"
    verb = f"{'is' if len(victories) < 2 else 'are'} shown to differ"
    from_reference = f" from {reference}" if reference else ""
    pair_list = f": {'; '.join(victories)}" if victories else ""
    n_undefined = sum(math.isnan(row.adjusted_pvalue) for row in differences.values())
    untested = f"; {n_undefined} could not be tested" if n_undefined else ""
    return f"By {criterion}, {n_better} {verb}{from_reference}{pair_list}{untested}."


def systems_verdict(
    metric: OrdinalMetric,
    scores: Mapping[str, Interval],
    ranks: Mapping[str, int],
    pvalues: NDArray[np.float64],
    smallest_differences: NDArray[np.float64],
    confidence_level: float,
) -> str:
    """Say which systems have the best value, and which do not differ significantly from them.

    Ranks, and the rows and columns of p-values and of the smallest differences that the samples
    show with 80% power, are in the order of the systems.
    """
    best = [name for name, rank in ranks.items() if rank == 1]
    if np.isnan(scores[best[0]].estimate):
        return f"By {metric.name}, no system has a value."
    if sum(not np.isnan(score.estimate) for score in scores.values()) == 1:
        return f"By {metric.name}, only {best[0]} has a value, {scores[best[0]]}."
    is_tied = len(best) > 1
    direction = "highest" if metric.greater_is_better else "lowest"
    # The intervals of tied systems may differ.
    value = f"{scores[best[0]].estimate:z.3f}" if is_tied else str(scores[best[0]])
    start = f"By {metric.name}, {formatting.names_in_words(best)} {'have' if is_tied else 'has'}"
    start += f" the {direction} value, {value}"
    lower_ranked = [name for name in sorted(ranks, key=ranks.__getitem__) if name not in best]
    is_finite = np.isfinite(scores[best[0]].estimate)
    tested = [name for name in lower_ranked if is_finite and np.isfinite(scores[name].estimate)]
    if not tested:
        return f"{start}."
    # A system differs from tied systems if it differs from each of them.
    systems = list(ranks)
    pairs = np.ix_([*map(systems.index, best)], [*map(systems.index, tested)])
    largest = pvalues[pairs].max(axis=0)
    is_close = ~_holm_correction.is_rejected(largest, confidence_level)
    if is_close.any():
        close = [name for name, is_one in zip(tested, is_close, strict=True) if is_one]
        verb = f"{'does' if len(close) == 1 else 'do'} not differ significantly"
        from_tied = " from at least one of them" if is_tied else ""
        test = _extreme_pvalue("smallest", largest[is_close])
        # The samples show a difference of this size from each of these systems.
        smallest = smallest_differences[pairs][:, is_close].max()
        power = (
            f" W{_paired_difference.smallest_difference_in_words(smallest)[1:]}."
            if smallest > 0
            else ""
        )
        return f"{start}; {formatting.names_in_words(close)} {verb}{from_tied} {test}.{power}"
    beaten = "all others" if tested == lower_ranked else "all others that have a finite value"
    size = f"{abs(scores[best[0]].estimate - scores[tested[0]].estimate):.3f}"
    by, next_best = f" by {size}", ""
    if len(lower_ranked) > 1:
        by, next_best = "", f": {tested[0]}, the next, by {size}"
    beaten = lower_ranked[0] if len(lower_ranked) == 1 else beaten
    test = _extreme_pvalue("largest", largest)
    return f"{start}, and {'beat' if is_tied else 'beats'} {beaten}{by} {test}{next_best}."


# What p-values of differences between values of groups, or from all samples, assume by chance.
HYPOTHESES = {
    "values": "all groups have the same value, even if their class sizes differ",
    "distributions": "true and predicted classes have the same joint distribution in all groups, "
    "since t-tests of so many groups of this size reject equal values too often",
    "errors": "the errors within true classes are the same in all groups, since values at given "
    "class shares only differ if they are not",
}


def groups_verdict(
    criterion: str,
    difference: GroupDifference,
    differing: Mapping[str, Sequence[str]],
    *,
    is_complete: bool,
    is_of_clusters: bool,
    digits: int,
) -> str:
    """Say whether the values of groups differ, and then whether their errors do.

    The smallest adjusted p-value of the differences from all samples decides the first question,
    and the test of errors decides the second. `differing` are the groups that are shown to differ
    from all samples, on each side.
    """
    if np.isnan(difference.estimate):
        return f"By {criterion}, groups cannot be compared, since fewer than two have a value."
    column, low = Column("", "number"), difference.low
    # An interval that does not contain 0 is not printed as if it did.
    while (
        low > tolerances.TIE
        and digits < _MOST_DIGITS
        and formatting.cell_text(low, column, digits) == formatting.cell_text(0.0, column, digits)
    ):
        digits += 1
    groups = "the groups" if is_complete else "the groups that have one"
    claim = (
        f"the values of {groups} are {'' if difference.is_shown else 'not '}shown to differ "
        f"({formatting.pvalue_in_words(difference.adjusted_pvalue)})"
    )
    if np.isnan(difference.adjusted_pvalue):
        claim = f"the values of {groups} are not shown to differ"
    # Groups of samples that are all alike are equal.
    if np.isnan(difference.adjusted_pvalue) and (difference.estimate > 0 or np.isnan(low)):
        claim = f"it could not be tested whether the values of {groups} differ"
    ends = ""
    if difference.estimate > 0:
        ends = f": {difference.higher_group} is higher than {difference.lower_group}"
    sides = [
        f"{formatting.names_in_words(names)} {'is' if len(names) == 1 else 'are'} {side}"
        for side, names in differing.items()
        if names
    ]
    which = f": {' and '.join(sides)} than all samples" if sides else ""
    sentence = (
        f"By {criterion}, {claim}{which}. The largest difference is "
        f"{formatting.cell_text(difference.estimate, column, digits)} "
        f"({_sections.interval_in_words(difference, digits)}){ends}."
    )
    if np.isnan(difference.errors_pvalue):
        return sentence
    is_shown = _holm_correction.is_rejected(difference.errors_pvalue, difference.confidence_level)
    shown = f"{'' if is_shown else 'not '}shown to differ"
    if is_of_clusters:
        answer = f"The clusters of the groups are {shown} in errors or class sizes"
    else:
        answer = f"Apart from class sizes, the {difference.tested} are {shown}"
    return f"{sentence} {answer} ({formatting.pvalue_in_words(difference.errors_pvalue)})."


def on_each_side(differences: Mapping[str, Contrast]) -> dict[str, list[str]]:
    """Return the names whose differences are shown to be below 0, and above 0."""
    shown = {name: row.estimate for name, row in differences.items() if row.is_shown}
    return {
        "lower": [name for name, estimate in shown.items() if estimate < 0],
        "higher": [name for name, estimate in shown.items() if estimate > 0],
    }


def contrasts_verdict(
    criterion: str,
    contrasts: Mapping[str, Contrast],
    reference: str,
    digits: int,
    *,
    is_loss: bool = False,
) -> str:
    """Say which groups are shown to differ from a reference, and by how much at most."""
    differing = [name for name, contrast in contrasts.items() if contrast.is_shown]
    n_shown = f"{len(differing) or 'none'} of {formatting.counted(len(contrasts), 'group')}"
    verb = "is" if len(differing) < 2 else "are"
    which = f": {formatting.names_in_words(differing)}" if differing else ""
    n_undefined = sum(math.isnan(contrast.pvalue) for contrast in contrasts.values())
    untested = f"; {n_undefined} could not be tested" if n_undefined else ""
    claim = f"By {criterion}, {n_shown} {verb} shown to differ in value from {reference}{which}"
    sizes = {name: abs(contrasts[name].estimate) for name in differing or contrasts}
    largest = max(sizes, key=lambda name: np.nan_to_num(sizes[name], nan=-1.0))
    if np.isnan(sizes[largest]):
        return f"{claim}{untested}."
    size = _sections.signed_in_words(
        contrasts[largest],
        _intervals.digits_of_intervals(contrasts.values(), digits),
        is_loss=is_loss,
    )
    if len(differing) == 1:
        return f"{claim}, by {size}{untested}."
    most = f"{largest} differs most" if differing else f"The largest difference is for {largest}"
    return f"{claim}{untested}. {most}{', by' if differing else ':'} {size}."


def contrast_verdict(criterion: str, contrast: Contrast, *, is_linear: bool) -> str:
    """Say whether a weighted sum of the values of groups is shown to differ from 0."""
    if np.isnan(contrast.pvalue):
        return f"By {criterion}, the contrast could not be tested."
    shown = f"{'' if contrast.is_shown else 'not '}shown to"
    claim = f"the contrast of the values is {shown} differ from 0"
    if is_linear:
        direction = "rise" if contrast.estimate > 0 else "fall"
        direction = direction if contrast.is_shown else "rise or fall"
        claim = f"the values are {shown} {direction} in the order of the groups"
    return f"By {criterion}, {claim}: {contrast}."


def change_verdict(
    metric: OrdinalMetric,
    values: Mapping[str, Interval],
    parts: Mapping[str, Contrast],
    missing: Sequence[str],
    *,
    margin: float,
    digits: int,
) -> str:
    """Say whether new samples are worse than old ones, by how much, how sure that is, and why.

    `parts` has the whole difference first, and `missing` names the classes that only the old
    samples have, so that the difference is not split.
    """
    difference, *of_causes = parts.values()
    claim = f"By {metric.name}, {_change_claim(metric, difference, margin)}"
    if np.isnan(difference.estimate):
        return f"{claim}."
    digits = _intervals.digits_of_intervals(parts.values(), digits)
    old, new = (
        formatting.cell_text(values[time].estimate, Column("", "number"), digits)
        for time in ("old", "new")
    )
    size = _sections.signed_in_words(difference, digits, is_loss=metric.greater_is_better is False)
    sentence = f"{claim}: {old} before and {new} now, a difference of {size}."
    error, is_shown = difference.standard_error or 0, difference.is_shown
    if error > 0 and not (is_shown or margin):
        power = _paired_difference.smallest_difference_in_words(
            _paired_difference.smallest_difference(error, difference.confidence_level)
        )
        sentence += f" W{power[1:]}."
    reason = ""
    if any(np.isnan(part.estimate) for part in of_causes):
        reason = "the value at the old class shares is undefined"
    if of_causes and missing:
        classes = formatting.plural(len(missing), "class")
        reason = f"the new samples lack the {classes} {formatting.names_in_words(missing)}"
    if reason:
        return (
            f"{sentence} The difference is not split into predictions and class sizes, since "
            f"{reason}."
        )
    of_predictions, of_sizes = [_shown_part(row, digits) for row in of_causes] or ["", ""]
    if of_predictions:
        rest = "; other class sizes are not shown to matter"
        rest = f", and other class sizes for {of_sizes}" if of_sizes else rest
        return f"{sentence} The predictions account for {of_predictions}{rest}."
    if of_sizes:
        return (
            f"{sentence} Other class sizes account for {of_sizes}; the predictions for samples of "
            f"the same class are not shown to differ."
        )
    if of_causes and is_shown:
        return (
            f"{sentence} Neither the predictions nor other class sizes alone are shown to matter."
        )
    return sentence


def _shown_part(part: Contrast, digits: int) -> str:
    """Return the size of a part of a difference and its p-value; "" if it is not shown."""
    size = formatting.cell_text(part.estimate, Column("", "number", is_signed=True), digits)
    return f"{size} ({formatting.pvalue_in_words(part.pvalue)})" if part.is_shown else ""


def change_claims(rows: Sequence[tuple[OrdinalMetric, Contrast]], margin: float) -> str:
    """Say by which criteria new samples are worse than old ones, and by which they are not."""
    names: dict[str, list[str]] = {}
    for metric, difference in rows:
        names.setdefault(_change_claim(metric, difference, margin), []).append(metric.name)
    claims = "; by ".join(
        f"{formatting.names_in_words(by)}, {claim}" for claim, by in names.items()
    )
    return f"By {claims}."


def _change_claim(metric: OrdinalMetric, difference: Contrast, margin: float) -> str:
    if np.isnan(difference.estimate):
        return "the samples cannot be compared, since a value is undefined"
    if not _sections.has_direction(metric):
        shown = f"the new samples are {'' if difference.is_shown else 'not '}shown to differ"
        return f"{shown}, where neither higher nor lower values are better"
    is_worse = _paired_difference.is_worse(difference, metric.greater_is_better, margin)
    if is_worse is False and not margin:
        return "the new samples are better"
    return _paired_difference.worse_in_words(is_worse, "the new samples", margin, "are")


def worse_classes_verdict(
    worse: Mapping[str, Contrast],
    old: Mapping[str, Interval],
    new: Mapping[str, Interval],
    digits: int,
) -> str:
    """Say which classes are shown to have larger errors than before, and which one the most."""
    if not worse:
        return "No class is shown to have a larger mean absolute error than before."
    largest = max(worse, key=lambda name: worse[name].estimate)
    before, now = (
        formatting.cell_text(row.estimate, Column("", "number"), digits)
        for row in (old[largest], new[largest])
    )
    most = f"; most in {largest}:" if len(worse) > 1 else ":"
    return (
        f"The mean absolute error is shown to be larger than before in "
        f"{formatting.plural(len(worse), 'class')} {formatting.names_in_words(list(worse))}{most} "
        f"{before} before and {now} now, in positions on the scale."
    )


def value_verdict(
    metric: OrdinalMetric,
    score: Interval,
    constant: float,
    which_constant: str,
    ceiling: Ceiling | None,
    digits: int,
) -> str:
    """Say whether a value is better than the value of the best constant, and reaches the ceiling.

    Both may be undefined. The ends of `score` are NaN if there is no interval.
    """
    if np.isnan(score.estimate):
        return f"{metric.name} is undefined."
    is_equal = np.isclose(score.estimate, constant, rtol=tolerances.TIE, atol=tolerances.TIE)
    column = Column("", "number")
    # Different values are not printed as the same number.
    while (
        not is_equal
        and digits < _MOST_DIGITS
        and formatting.cell_text(constant, column, digits)
        == formatting.cell_text(score.estimate, column, digits)
    ):
        digits += 1
    text, of_constant = (
        formatting.cell_text(value, column, digits) for value in (score.estimate, constant)
    )
    if not np.isnan(score.low):
        text += f" ({_sections.interval_in_words(score, digits)})"
    is_better = (score.estimate > constant) == metric.greater_is_better
    remark = "" if metric.greater_is_better else "; lower is better"
    comparison = (
        f", {'better' if is_better else 'worse'} than {of_constant} for {which_constant}{remark}"
    )
    if np.isnan(constant):
        comparison = f"; {_sections.which_is_better(metric)}"
    elif is_equal:
        comparison = f", the same as for {which_constant}"
    sentence = f"{metric.name} is {text}{comparison}."
    if ceiling is None or ceiling.reason:
        return sentence
    of_ceiling = ceiling_verdict(metric, ceiling, "The value is", score.estimate, digits)
    return f"{sentence} {of_ceiling}"


def ceiling_verdict(
    metric: OrdinalMetric, ceiling: Ceiling, subject: str, value: float, digits: int
) -> str:
    """Say what the ceiling of a criterion is, and how far a value is from it.

    `subject` says what has the value, and ends where its place follows.
    """
    level = next(iter(ceiling.values.values())).confidence_level
    interval = Interval(math.nan, *ceiling.interval, level)
    low, high = ceiling.bracket
    bracket = formatting.cell_text((low, high), Column("", "interval"), digits)
    place, distance = "in this range", max(low - value, value - high)
    if distance > 0:
        side = "better" if (value > high) == metric.greater_is_better else "worse"
        size = formatting.cell_text(distance, Column("", "number"), digits)
        place = f"{side} than this range by {size}"
    return (
        f"The ceiling of {metric.name} is {'approximately ' if ceiling.is_approximate else ''}"
        f"{bracket} ({_sections.interval_in_words(interval, digits)}): since raters disagree, no "
        f"predictions of the grade of one rater can be expected to be better. {subject} {place}."
    )


def extremes_in_words(metric: OrdinalMetric, scores: Mapping[str, Interval]) -> str:
    """Say which systems have the lowest and the highest value, if neither is better."""
    defined = [name for name, score in scores.items() if not np.isnan(score.estimate)]
    if not defined:
        return f"By {metric.name}, no system has a value."
    ascending = sorted(defined, key=lambda name: scores[name].estimate)
    lowest, highest = ascending[0], ascending[-1]
    values = f"values from {scores[lowest]} of {lowest} to {scores[highest]} of {highest}"
    return f"By {metric.name}, systems are not ranked: {values}."


def _extreme_pvalue(which: Literal["smallest", "largest"], pvalues: NDArray[np.float64]) -> str:
    """Return the smallest or largest adjusted p-value, in brackets."""
    defined = pvalues[~np.isnan(pvalues)]
    extreme = {"smallest": np.min, "largest": np.max}[which]
    pvalue = formatting.pvalue_in_words(float(extreme(defined)) if defined.size else np.nan)
    return f"({f'{which} ' if len(pvalues) > 1 else ''}adjusted {pvalue})"


def agreement(winners: Mapping[str, Sequence[str]], compared: str = "estimators") -> str:
    """Say which estimators or systems have rank 1, and whether the criteria agree.

    If several are tied for rank 1, all of them are named.
    """
    first_ranks = {criterion: tuple(names) for criterion, names in winners.items() if names}
    if not first_ranks:
        return "No criterion has a value."
    n_criteria, first = len(first_ranks), next(iter(first_ranks))
    if len(set(first_ranks.values())) == 1:
        criteria = {1: first, 2: "both criteria"}.get(n_criteria, f"all {n_criteria} criteria")
        return f"Ranked first by {criteria}: {_tied_in_words(first_ranks[first])}."
    if n_criteria > _FEW_CRITERIA:
        numbers = Counter(first_ranks.values()).most_common()
        parts = [f"{_tied_in_words(names)} by {n} of {n_criteria}" for names, n in numbers]
    else:
        parts = [f"{_tied_in_words(names)} by {name}" for name, names in first_ranks.items()]
    if set(first_ranks[first]).intersection(*first_ranks.values()):
        return f"Ranked first: {'; '.join(parts)}."
    return f"The criteria rank different {compared} first: {'; '.join(parts)}."


def winners_in_groups(best: str, winners: Sequence[Mapping[str, Sequence[str]]]) -> str:
    """Say in how many groups the best system has rank 1 by the main criterion."""
    n_first = sum(best in next(iter(by_criterion.values())) for by_criterion in winners)
    return f"{best} ranks first in {n_first} of {formatting.counted(len(winners), 'group')}."


def _tied_in_words(names: Sequence[str]) -> str:
    return f"{formatting.names_in_words(names)}{' (tied)' if len(names) > 1 else ''}"
