"""`score_ladder`: what a value means, given the sizes of the classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    checks,
    confusion_counts,
    evidence_kinds,
    grading,
    scales,
    tolerances,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _bootstrap, _intervals
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.model_selection import _baselines, _dummy
from sklearn_ordinal.model_selection._baselines import (
    CountedGuesses,
    ExpectedScores,
    WeightedSamples,
)
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.reports import _ceilings, _sections, _sentences
from sklearn_ordinal.reports._ceilings import Ceiling, SharedItems
from sklearn_ordinal.reports._sections import Provenance

# For each value: its name in plots, and the header of its column.
_REFERENCES = {
    "worst": ("worst value", "worst"),
    "uniform_guesses": ("uniform guesses", "uniform"),
    "stratified_guesses": ("stratified guesses", "stratified"),
    "best_constant": ("best constant", "constant"),
    "best": ("best value", "best"),
}
_SMALLEST_SIZE = 1e-300
_DIGITS = 3
_TO_GET_INTERVALS = (
    "bootstrap_interval computes intervals from the labels of at least two samples, or from what "
    "OrdinalConfusion.from_predictions returns for them."
)


@dataclass(frozen=True, eq=False, repr=False)
class ScoreLadder(Views):
    """The worst value, the values of guesses and of a constant, a model's value, the best value.

    Returned by `score_ladder`. `str` gives the text, and notebooks show a table and a plot. Keys
    may have any form that `get_metric` accepts.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    class_counts : ndarray of shape (n_classes,)
        Number, or weight, of the samples of each true class, including unanswered samples.
    is_weighted : bool
        Whether the class sizes are not numbers of samples.
    n_unanswered : int or float
        Number, or weight, of the samples without a predicted class.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    references : mapping of str to mapping of str to float
        For each criterion: "worst", the worst value of predictions for all samples;
        "uniform_guesses" and "stratified_guesses", the expected values of random guesses;
        "best_constant", the best value of a constant class; and "best", the value of perfect
        predictions. NaN if a value is undefined or not known.
    scores : mapping of str to Interval
        For each criterion, the value of the predictions with its interval: a bootstrap interval,
        or an interval in closed form if the samples cannot be drawn from the counts. Empty if the
        ladder was made from class sizes alone. The ends are NaN if there is no interval.
    ceilings : mapping of str to Ceiling
        For each criterion, how good a prediction of the grade of a rater can be. Empty without
        ratings.
    n_draws : mapping of str to int
        For each criterion, the number of draws of guesses; 0 if no value was simulated.
    simulation_error : mapping of str to float
        For each criterion, the larger standard error of the values of guesses that comes from the
        number of draws; 0 if no value was simulated.
    provenance : Provenance, default=None
        When and with which versions the ladder was made. It is ignored when ladders are compared.

    See Also
    --------
    sklearn_ordinal.score_ladder : Make a ladder.
    sklearn_ordinal.OrdinalReport : The measures of the classes; its HTML page has a ladder.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, score_ladder
    >>> confusion = OrdinalConfusion.from_predictions([0, 1, 2, 2] * 25, [0, 2, 2, 1] * 25)
    >>> ladder = score_ladder(confusion, "cem_ord", random_state=0)
    >>> print(ladder.scores["cem_ord"])
    0.668 (95% interval 0.606 to 0.725)
    >>> round(ladder.references["cem_ord"]["best_constant"], 3)
    0.577
    """

    scale: OrdinalScale
    class_counts: NDArray[np.float64]
    is_weighted: bool
    n_unanswered: float
    metrics: ByMetric
    references: ByMetric
    scores: ByMetric
    ceilings: ByMetric
    n_draws: ByMetric
    simulation_error: ByMetric
    provenance: Provenance | None = None

    def __repr__(self) -> str:
        return f"ScoreLadder({checks.in_repr(self.metrics)})"

    def plot(self, metric: Any = None, *, ax: Any = None, **options: Any) -> IntervalsDisplay:
        """Draw the ladder of one criterion, from the best value to the worst.

        Parameters
        ----------
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
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
            If the ladder does not have the criterion.
        """
        chosen = _sections.selected_metric(self.metrics, metric)
        values = self.references[chosen.name]
        references = {title: values[name] for name, (title, _) in _REFERENCES.items()}
        ceiling: Ceiling | None = self.ceilings.get(chosen.name)
        if ceiling is not None and ceiling.values:
            references[_ceilings.CEILING_TITLES["between_raters"]] = ceiling.between_raters
        rows = {title: (value, np.nan, np.nan) for title, value in references.items()}
        legend, score = "", self.scores.get(chosen.name)
        if score is not None:
            rows["predictions"] = score.estimate, score.low, score.high
            legend = f"predictions, {_sections.interval_name(score.confidence_level)}"
        if ceiling is not None and ceiling.values:
            rows["ceiling"] = np.nan, *ceiling.bracket
        columns = np.array([*rows.values()]).T
        place = np.where(np.isnan(columns[0]), columns[1:].mean(axis=0), columns[0])
        # NaN come last.
        order = np.argsort(-place if chosen.greater_is_better else place, kind="stable")
        columns, names = columns[:, order], [[*rows][row] for row in order]
        return IntervalsDisplay(
            names,
            {legend: columns},
            label=f"{chosen.name} ({_sections.direction_as_text(chosen)} is better)",
            beside=[
                "not known" if np.isnan(value) else _intervals_display.interval_as_text(*numbers)
                for value, numbers in zip(place[order], columns.T, strict=True)
            ],
            is_hollow=[name != "predictions" for name in names],
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the ladder, from which its views are rendered.

        Returns
        -------
        Document
            A table of all criteria, a plot of the first criterion, and notes on missing and
            simulated values.
        """
        summary, first = self._summary(), next(iter(self.metrics.values()))
        return Document(
            _sections.page_title("Score ladder", summary),
            (Note(summary), *score_ladder_parts(self)),
            footer=_sections.footer(self.provenance),
            verdict=(Note(self._verdict()),),
            about=(_sections.about_criterion(first, len(self.scale)),),
        )

    def _verdict(self) -> str:
        """Compare the value of the first criterion, or random guesses, with the best constant."""
        name, metric = next(iter(self.metrics.items()))
        constant = self.references[name]["best_constant"]
        if self.scores:
            return _sentences.value_verdict(
                metric,
                self.scores[name],
                constant,
                "the best constant",
                self.ceilings.get(name),
                _DIGITS,
            )
        guesses = self.references[name]["stratified_guesses"]
        best, expected = (
            formatting.cell_text(value, Column("", "number"), _DIGITS)
            for value in (constant, guesses)
        )
        if np.isnan(guesses):
            return f"{name} has no value for guesses."
        if np.isnan(constant):
            return f"{name}: stratified guesses have {expected}, constants have no value."
        return f"{name}: the best constant has {best}, stratified guesses {expected}."

    def _summary(self) -> str:
        amount = self.class_counts.sum().item()
        names = [str(label) for label in self.scale.labels.tolist()]
        if self.is_weighted and math.isclose(amount, 1, rel_tol=tolerances.TIE):
            classes = formatting.counted(len(names), "class")
            return f"Shares of {classes} from {names[0]} (lowest) to {names[-1]} (highest)."
        unanswered = formatting.amount_as_text(self.n_unanswered)
        which = f" ({unanswered} unanswered)" if self.n_unanswered else ""
        return _sections.samples_in_words(amount, names, is_weighted=self.is_weighted, which=which)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict with the columns of `to_frame`; "classes" and
            "class_counts": lists from the lowest class to the highest; "n_unanswered". Undefined
            values are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "criteria": {record.pop("criterion"): record for record in self._records()},
                "classes": self.scale.labels,
                "class_counts": self.class_counts,
                "n_unanswered": self.n_unanswered,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion."""
        return [
            {
                "criterion": name,
                **self._score_record(name),
                **self.references[name],
                **_ceilings.ceiling_record(self.ceilings.get(name)),
                "better": _sections.direction_as_text(metric),
                "n_draws": self.n_draws[name],
                "simulation_error": self.simulation_error[name],
            }
            for name, metric in self.metrics.items()
        ]

    def _score_record(self, name: str) -> dict[str, float]:
        if not self.scores:
            return {}
        score = self.scores[name]
        return {
            "value": score.estimate,
            "low": score.low,
            "high": score.high,
            "confidence_level": score.confidence_level,
        }


def score_ladder_parts(
    ladder: ScoreLadder, to_get_intervals: str = _TO_GET_INTERVALS
) -> tuple[Part, ...]:
    """Return the table of the ladder, the plot of the first criterion, and notes.

    If criteria have no interval, the sentence `to_get_intervals` says how to get them.
    """
    table, criterion = _table(ladder), next(iter(ladder.metrics))
    shown_columns = tuple(replace(column, is_detail=False) for column in table.columns)
    return (
        table,
        Figure(
            ladder.plot,
            f"Score ladder of {criterion}",
            f"Values on the score ladder of {criterion}",
            replace(table, columns=shown_columns, rows=table.rows[:1]),
        ),
        *(Note(text, is_small=True) for text in _notes(ladder, to_get_intervals)),
    )


def _table(ladder: ScoreLadder) -> Table:
    """Return a row for each criterion."""
    *references, best = (
        _sections.block(
            # For most criteria, the best value is the end of their range.
            Column(title, "number", is_detail=name == "best"),
            {criterion: values[name] for criterion, values in ladder.references.items()},
        )
        for name, (_, title) in _REFERENCES.items()
    )
    scores = ladder.scores
    if scores:
        references.append(_sections.estimates("value", scores))
    if not all(np.isnan(score.low) for score in scores.values()):
        references.append(_sections.ends(scores, is_detail=True))
    if ladder.ceilings:
        brackets = {name: ceiling.bracket for name, ceiling in ladder.ceilings.items()}
        references.append(_sections.block(Column("ceiling", "interval"), brackets))
    criteria = list(ladder.references)
    return _sections.table(
        "From the worst value to the best", "criterion", criteria, *references, best
    )


def _notes(ladder: ScoreLadder, to_get_intervals: str) -> list[str]:
    """Return which values are missing or simulated, and why."""

    def without(reference: str) -> list[str]:
        return [
            name
            for name, values in ladder.references.items()
            if np.isnan(values[reference]) and not np.isnan(values["best"])
        ]

    texts = list(_ceilings.ceiling_notes(ladder.ceilings))
    if no_worst := without("worst"):
        texts.append(
            f"The worst value is only known for criteria that are sums of costs, and not for "
            f"{formatting.names_in_words(no_worst)}."
        )
    simulated = [name for name, n_draws in ladder.n_draws.items() if n_draws]
    if simulated:
        n_draws = max(ladder.n_draws[name] for name in simulated)
        error = max(ladder.simulation_error[name] for name in simulated)
        texts.append(
            f"For {formatting.names_in_words(simulated)}, the values of guesses are means of up to "
            f"{formatting.counted(n_draws, 'random draw')}, with a standard error of at most "
            f"{error:.2g}. All other values of guesses are exact."
        )
    if no_guesses := without("uniform_guesses"):
        texts.append(
            f"For {formatting.names_in_words(no_guesses)}, guesses would have to be drawn, which "
            "needs numbers of samples, or the samples that OrdinalConfusion.from_predictions "
            "counts."
        )
    if no_constant := without("best_constant"):
        texts.append(
            f"Undefined for every constant class: {formatting.names_in_words(no_constant)}."
        )
    if (ladder.class_counts == 0).any():
        texts.append("Guesses and constants take only the classes that occur in the truth.")
    if ladder.n_unanswered:
        texts.append(
            "The worst predictions, guesses and constants answer each sample, so a value may lie "
            "below the worst one. Criteria that leave unanswered samples out are computed from the "
            "class sizes of the answered samples."
        )
    no_intervals = [
        name
        for name, score in ladder.scores.items()
        if np.isnan(score.low) and not np.isnan(score.estimate)
    ]
    if no_intervals:
        texts.append(
            f"There is no interval of {formatting.names_in_words(no_intervals)}. {to_get_intervals}"
        )
    return texts


@checks.lists_parameters
def score_ladder(
    evidence: OrdinalConfusion | None = None,
    metrics: MetricsLike | None = None,
    *,
    class_counts: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    ratings: OrdinalRatings | None = None,
    random_state: RandomState = None,
) -> ScoreLadder:
    r"""Show what values mean: from the worst value to the best, given the sizes of the classes.

    A value such as 0.76 cannot be read without knowing what is easy to reach. Random guesses never
    have a CEM_ORD near 0, and on skewed classes a constant class may have one near 1. The ladder
    has, for each criterion,

    - the worst value of predictions for all samples, given these class sizes,
    - the expected value of uniform guesses, where all classes are equally likely,
    - the expected value of stratified guesses, where classes are as likely as in the truth,
    - the best value of always predicting one class,
    - the value of the predictions, with an interval, if there are predictions,
    - with ratings, the ceiling: how good a prediction of the grade of a rater can be, and
    - the best value, of perfect predictions.

    Parameters
    ----------
    evidence : OrdinalConfusion, default=None
        Counts of true and predicted classes. Pass either `evidence` or `class_counts`; with
        `ratings`, both may be left out, and the class sizes come from the grades.
    metrics : str, callable, iterable or dict of them, default=None
        Criteria of counts, in any form that `get_metric` accepts, or "all" for all criteria of
        predicted classes in this package. If None, the six defaults of `cross_val_report`.
    class_counts : array-like of shape (n_classes,), default=None
        Number, weight or share of the samples of each true class, from the lowest class to the
        highest, for a ladder without predictions. Guesses can only be simulated for numbers of
        samples.
    labels : array-like of shape (n_classes,), default=None
        The classes of `class_counts` from the lowest to the highest, by default 0, 1, ...
    ratings : OrdinalRatings, default=None
        Grades of several raters for items like those of the evidence, on the same scale. The ladder
        then has the ceilings of `rating_ceilings`. They hold if the true classes of the evidence
        are grades of single raters. The ceiling of a consensus is higher.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers for the intervals and the simulated guesses. Pass an
        int for the same ladder each time.

    Returns
    -------
    ScoreLadder
        The values of each criterion, as text, tables and a plot.

    Raises
    ------
    ValueError
        If both or neither of `evidence` and `class_counts` are passed, the counts are a stack of
        matrices or contain no samples, class sizes are negative or all zero, `labels` does not
        name each class once, a criterion is not known or not a function of counts, or `ratings`
        come with `class_counts` or are on another scale than the evidence.

    Warns
    -----
    UndefinedMetricWarning
        If a criterion is undefined for the evidence, or for many of its resamples.

    See Also
    --------
    compare_estimators : Compare models with the same baselines on folds.
    rating_ceilings : Compute the ceilings on their own, with intervals.
    sklearn_ordinal.inference.bootstrap_interval : Compute the interval of a value.

    Notes
    -----
    The worst value is known for criteria whose value, given the class sizes, is a sum of costs over
    the samples, such as the closeness family, accuracies and mean errors: each sample of class
    :math:`j` is predicted as the class where the error costs most. For CEM_ORD this class is an end
    of the scale, and with the shares :math:`q_j` of the classes and the proximities :math:`P` of
    `proximity_matrix`, the worst value is

    .. math:: \frac{-\sum_j q_j \log_2 \max_i P(i \to j)}{-\sum_j q_j \log_2 (q_j / 2)}

    For other criteria, the worst value is not stated.

    The expected value of guesses is exact if the criterion is linear in the counts, or if its mean
    over all permutations of the predictions is known. Otherwise it is the mean of at least 1,000
    random draws, with the number of draws doubled until the standard error is at most 0.0005 or
    there are 16,000 draws. Fewer draws are made if there are dozens of classes, or if the samples
    have many different weights. All criteria are computed from the same draws.

    Guesses and constants take the classes that occur in the truth, as in `compare_estimators`. The
    worst predictions may use every class of the scale. All of them answer each sample. Criteria
    that leave unanswered samples out are computed from the class sizes of the answered samples.

    The intervals are bootstrap intervals, and `delta_interval` computes them if the counts do not
    hold the samples, as with the sums of weights and squared weights of a table. There are no
    intervals if such sums are not known, as in `OrdinalConfusion.from_counts` with sums of weights,
    and for means and a single sample.

    Examples
    --------
    >>> from sklearn_ordinal import score_ladder
    >>> ladder = score_ladder(metrics=["cem_ord", "accuracy"], class_counts=[20, 20, 20, 20, 20])
    >>> print(ladder)
    cem_ord: the best constant has 0.530, stratified guesses 0.468.
    <BLANKLINE>
    100 samples, 5 classes from 0 (lowest) to 4 (highest).
    <BLANKLINE>
    From the worst value to the best
    criterion  worst  uniform  stratified  constant   best
    cem_ord    0.140    0.468       0.468     0.530  1.000
    accuracy   0.000    0.200       0.200     0.200  1.000
    <BLANKLINE>
    """
    if ratings is not None:
        grading.check_ratings(ratings)
        if class_counts is not None:
            raise ValueError(
                "class_counts must be left out with ratings, whose grades have class sizes: pass "
                "ratings= alone, or together with an OrdinalConfusion."
            )
    elif (evidence is None) == (class_counts is None):
        number = "neither" if evidence is None else "both"
        raise ValueError(
            f"evidence or class_counts must be given, and not both, got {number}: pass an "
            f"OrdinalConfusion, or class_counts= or ratings= for a ladder without predictions."
        )
    # The true and the predicted classes could be taken for evidence and metrics.
    if evidence is not None and evidence_kinds.own_kind(evidence) is not evidence_kinds.LABELS:
        raise ValueError(
            f"evidence must be an OrdinalConfusion, got {checks.shown(evidence)}: make one with "
            f"OrdinalConfusion.from_predictions, or pass the grades of raters as ratings=."
        )
    if evidence is not None and ratings is not None and evidence.scale != ratings.scale:
        raise ValueError(
            "ratings must be on the scale of the evidence, "
            f"{checks.listed(evidence.scale.labels)}, got {checks.listed(ratings.labels)}: pass "
            "the same labels= to both."
        )
    criteria = _sections.chosen_metrics(metrics, with_direction=True)
    _sections.check_are_of_counts(criteria)
    rng = checks.as_generator(random_state)
    ceilings = (
        None
        if ratings is None
        else _ceilings.ceilings_by_metric(ratings, criteria, _ceilings.CEILING_LEVEL)
    )
    if class_counts is not None:
        return _ladder(_without_predictions(class_counts, labels), criteria, {}, rng)
    if labels is not None:
        source = "ratings" if evidence is None else "evidence"
        raise ValueError(
            f"labels must be left out if {source} is passed, which has its own classes, got "
            f"{checks.shown(labels)}."
        )
    if evidence is None:
        assert ratings is not None
        sizes = SharedItems.from_ratings(ratings).class_sizes()
        perfect = OrdinalConfusion(ratings.scale, np.diag(sizes), is_weighted=True)
        return _ladder(perfect, criteria, {}, rng, ceilings)
    confusion_counts.check_one_matrix(evidence, may_be_unanswered=True)
    return count_ladder(evidence, criteria, rng, ceilings=ceilings)


def count_ladder(
    confusion: OrdinalConfusion,
    metrics: Iterable[OrdinalMetric],
    rng: np.random.Generator,
    *,
    has_resamples: bool = True,
    ceilings: ByMetric | None = None,
    intervals: Mapping[str, Interval] | None = None,
) -> ScoreLadder:
    """Return the ladder of one matrix of counts.

    Criteria with known `intervals` keep them. If samples cannot be drawn, or without resamples, the
    other intervals are in closed form. Without resamples, criteria whose derivatives are not known
    have none, since computing derivatives from differences would take as long.
    """
    metrics, scores = list(metrics), dict(intervals or {})
    rest = [metric for metric in metrics if metric.name not in scores]
    computed: Any = {}
    if has_resamples and rest and _can_be_resampled(confusion):
        # With several metrics, the result is a dict.
        computed = _bootstrap.bootstrap_interval(confusion, metrics=rest, random_state=rng)
    elif rest:
        nan = np.nan
        scores |= {m.name: Interval(float(m(confusion)), nan, nan, 0.95) for m in rest}
        in_closed_form = [m for m in rest if has_resamples or m.gradient is not None]
        if in_closed_form and _has_standard_errors(confusion):
            computed = _intervals.delta_interval(confusion, metrics=in_closed_form)
    scores |= computed
    scores = {metric.name: scores[metric.name] for metric in metrics}
    return _ladder(confusion, metrics, scores, rng, ceilings)


def _without_predictions(class_counts: ArrayLike, labels: ArrayLike | None) -> OrdinalConfusion:
    """Return class sizes as counts of perfect predictions."""
    sizes = checks.as_class_numbers("class_counts", class_counts)
    if sizes.ndim != 1 or not sizes.size:
        raise ValueError(f"class_counts must have shape (n_classes,), got {sizes.shape}.")
    checks.check_amounts("class_counts", sizes)
    if not sizes.any():
        raise ValueError("class_counts must not be zero for every class.")
    smallest = sizes[sizes > 0].min()
    # Parts of smaller numbers, such as the expected counts of guesses, may be rounded to zero.
    if smallest < _SMALLEST_SIZE:
        raise ValueError(
            f"class_counts must be 0 or at least {_SMALLEST_SIZE}, got {smallest}: pass 0 for "
            f"classes without samples."
        )
    scale = OrdinalScale.from_run(0, len(sizes)) if labels is None else scales.as_scale(labels)
    if len(scale) != len(sizes):
        raise ValueError(
            f"labels must name each of the {len(sizes)} classes in class_counts, got {len(scale)} "
            f"labels."
        )
    is_weighted = bool((sizes % 1).any())
    return OrdinalConfusion(
        scale, np.diag(sizes if is_weighted else sizes.astype(np.int64)), is_weighted
    )


def _can_be_resampled(confusion: OrdinalConfusion) -> bool:
    try:
        evidence_kinds.resampling_units(confusion)
    except ValueError:
        return False
    return True


def _has_standard_errors(confusion: OrdinalConfusion) -> bool:
    """Return whether the counts tell how much the samples, or clusters, vary."""
    if confusion_counts.has_design(confusion):
        # Files do not keep the clusters and strata.
        samples = confusion_counts.samples_counted_in(confusion)
        return samples is not None and (samples.cluster is None or bool(samples.cluster.any()))
    amounts = confusion_counts.cell_amounts(confusion)
    return amounts is not None and amounts[1].sum() > 1


def _ladder(
    confusion: OrdinalConfusion,
    metrics: Iterable[OrdinalMetric],
    scores: Any,
    rng: np.random.Generator,
    ceilings: ByMetric | None = None,
) -> ScoreLadder:
    metrics = list(metrics)
    has_unanswered = confusion.unanswered is not None
    batches: dict[bool, list[OrdinalMetric]] = {}
    for metric in metrics:
        batches.setdefault(has_unanswered and metric.counts_unanswered, []).append(metric)
    by_metric: dict[str, tuple[dict[str, float], list[ExpectedScores]]] = {}
    for with_unanswered, batch in batches.items():
        references = _references(batch, confusion, rng, with_unanswered=with_unanswered)
        by_metric |= {metric.name: row for metric, row in zip(batch, references, strict=True)}
    rows = {metric.name: by_metric[metric.name] for metric in metrics}
    return ScoreLadder(
        scale=confusion.scale,
        class_counts=confusion.class_counts,
        is_weighted=confusion.is_weighted,
        n_unanswered=confusion_counts.n_unanswered(confusion),
        metrics=ByMetric({metric.name: metric for metric in metrics}),
        references=ByMetric({name: values for name, (values, _) in rows.items()}),
        scores=ByMetric(scores),
        ceilings=ByMetric() if ceilings is None else ceilings,
        n_draws=ByMetric(
            {
                name: max((expected.n_draws for expected in guesses), default=0)
                for name, (_, guesses) in rows.items()
            }
        ),
        simulation_error=ByMetric(
            {
                name: max((expected.error for expected in guesses), default=0.0)
                for name, (_, guesses) in rows.items()
            }
        ),
        provenance=Provenance.of_now(),
    )


def _references(
    metrics: Sequence[OrdinalMetric],
    confusion: OrdinalConfusion,
    rng: np.random.Generator,
    *,
    with_unanswered: bool,
) -> list[tuple[dict[str, float], list[ExpectedScores]]]:
    """Return the values to which predictions are compared, and the expected scores of guesses.

    The sizes of the true classes include the unanswered samples if `with_unanswered`.
    """
    sizes = confusion.counts.sum(axis=1)
    if with_unanswered:
        assert confusion.unanswered is not None
        sizes = sizes + confusion.unanswered
    if not sizes.any():
        return [(dict.fromkeys(_REFERENCES, np.nan), []) for _ in metrics]
    scale, is_weighted = confusion.scale, confusion.is_weighted
    samples = WeightedSamples.in_confusion(confusion, sizes, with_unanswered=with_unanswered)
    uniform, stratified = (
        _baselines.expected_guesses(
            metrics, CountedGuesses(scale, sizes, samples, shares, is_weighted), rng
        )
        for shares in ((sizes > 0) / np.count_nonzero(sizes), sizes / sizes.sum())
    )
    references = []
    for metric, *guesses in zip(metrics, uniform, stratified, strict=True):

        def value(predicted: int | NDArray[np.intp], metric: OrdinalMetric = metric) -> float:
            """Return the value if all samples of a true class are predicted as the same class."""
            counts = np.zeros((len(sizes), len(sizes)), dtype=sizes.dtype)
            counts[np.arange(len(sizes)), predicted] = sizes
            return float(metric(OrdinalConfusion(scale, counts, is_weighted)))

        costs = _ceilings.finite_costs(metric, sizes)
        uniform_value, stratified_value = (float(expected.values[0]) for expected in guesses)
        values = {
            # The errors of a class without samples have an infinite cost, but do not occur.
            "worst": np.nan if costs is None else value(costs.argmax(axis=-1)),
            "uniform_guesses": uniform_value,
            "stratified_guesses": stratified_value,
            "best_constant": value(_dummy.best_constant(scale, sizes, metric)),
            "best": value(np.arange(len(sizes))),
        }
        references.append((values, guesses))
    return references
