"""Criteria, provenance, and the tables, notes and figures that several reports share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from sklearn_ordinal._core import catalogue, checks, confusion_counts, evidence_kinds, lookup
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting, json_files, views
from sklearn_ordinal._documents.document_parts import (
    Cell,
    Column,
    Document,
    Figure,
    Note,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _intervals
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.plotting._confusion_display import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
)

# The provenance of a result: folds, estimators, versions and date
# ----------------------------------------------------------------

_LIST_OF_SPLITS = "a list of splits"


@dataclass(frozen=True)
class Provenance(Views):
    """How a result was made.

    HTML pages end with the provenance. The provenance is ignored when results are compared
    with ``==``.

    Parameters
    ----------
    date : str
        Date and time of the evaluation, in UTC.
    versions : mapping of str to str
        Versions of sklearn_ordinal, scikit-learn, NumPy and Python.
    splitter : str, default=""
        The splitter of a cross-validation with its parameters.
    estimators : mapping of str to str, default={}
        For the name of each estimator, the estimator with all its parameters, as text.

    See Also
    --------
    CrossValReport : A result with a provenance.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from sklearn_ordinal.reports import Provenance
    >>> Provenance.of_now(estimators={"svm": SVC(C=3.0)}).estimators
    {'svm': "SVC(C=3.0, ...)"}
    """

    date: str
    versions: Mapping[str, str]
    splitter: str = ""
    estimators: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_now(cls, *, splitter: Any = None, estimators: Mapping[str, Any] | None = None) -> Self:
        """Return the provenance of an evaluation made now.

        Parameters
        ----------
        splitter : object, default=None
            The splitter of a cross-validation.
        estimators : dict of str to estimator instance, default=None
            The estimators by name.

        Returns
        -------
        Provenance
            The provenance.
        """
        return cls(
            date=views.current_date(),
            versions=views.current_versions(),
            splitter="" if splitter is None else _splitter_as_text(splitter),
            estimators={name: _as_text(model) for name, model in (estimators or {}).items()},
        )

    def document(self) -> Document:
        """Return the content of the provenance, from which its views are rendered.

        Returns
        -------
        Document
            The lines at the end of a page.
        """
        return Document("How the result was made", footer(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes.

        Returns
        -------
        dict
            Strings and dicts of strings.
        """
        return asdict(self)

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each fact."""
        facts = {"date": self.date, "splitter": self.splitter, **self.versions, **self.estimators}
        return [{"what": fact, "value": value} for fact, value in facts.items()]


def provenance_from_json(values: Mapping[str, Any] | None) -> Provenance | None:
    """Return the provenance in a file, and raise unless it consists of strings."""
    if values is None:
        return None
    provenance = Provenance(**values)
    items = (*provenance.versions.items(), *provenance.estimators.items())
    texts = (provenance.date, provenance.splitter, *(text for item in items for text in item))
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("provenance must consist of strings")
    return provenance


def folds_by(provenance: Provenance | None) -> str:
    """Return the name of the splitter, for a sentence after the number of folds."""
    if provenance is None or not provenance.splitter:
        return ""
    return f" by {provenance.splitter.partition('(')[0]}"


def footer(provenance: Provenance | None) -> tuple[Note, ...]:
    """Return the lines at the end of a page."""
    if provenance is None:
        return ()
    lines = [f"Folds: {provenance.splitter}."] if provenance.splitter else []
    lines += [f"{name}: {estimator}" for name, estimator in provenance.estimators.items()]
    lines += [f"Made on {provenance.date} with {views.versions_as_text(provenance.versions)}."]
    return tuple(Note(line, is_small=True) for line in lines)


def _splitter_as_text(splitter: Any) -> str:
    # scikit-learn wraps a list of splits.
    if type(splitter).__name__ == "_CVIterableWrapper":
        return _LIST_OF_SPLITS
    return _on_one_line(splitter)


def _as_text(estimator: Any) -> str:
    """Return an estimator as text with all parameters, even those that `repr` omits."""
    with sklearn.config_context(print_changed_only=False):
        if type(estimator).__repr__ is BaseEstimator.__repr__:
            return _on_one_line(estimator, N_CHAR_MAX=math.inf)
        return _on_one_line(estimator)


def _on_one_line(value: Any, **options: float) -> str:
    try:
        text = value.__repr__(**options)
    except Exception:
        # A parameter that cannot be shown must not make the evaluation fail.
        return type(value).__name__
    # A memory address means nothing to readers.
    return type(value).__name__ if text == object.__repr__(value) else " ".join(text.split())


# The criteria of a report, chosen by the user or by default
# ----------------------------------------------------------

ALL_KINDS: tuple[Kind, ...] = (
    evidence_kinds.LABELS,
    evidence_kinds.PROBABILITIES,
    evidence_kinds.SCORES,
)
_DEFAULTS: Mapping[Kind, tuple[str, ...]] = {
    evidence_kinds.LABELS: (
        "cem_ord",
        "accuracy",
        "within_1_accuracy",
        "macro_averaged_mean_absolute_error",
        "quadratic_weighted_kappa",
        "kendall_tau_b",
    ),
    evidence_kinds.PROBABILITIES: (
        "ranked_probability_score",
        "ranked_probability_skill",
        "log_loss",
        "cem_ord_decision",
        "concordance",
        "unimodality",
    ),
}


def chosen_metrics(
    metrics: MetricsLike | None,
    kinds: Iterable[Kind] = (evidence_kinds.LABELS,),
    *,
    default_kinds: Iterable[Kind] = (evidence_kinds.LABELS,),
    argument: str = "metrics",
    with_direction: bool = False,
) -> list[OrdinalMetric]:
    """Return the metrics of a report: "all" means all metrics of `kinds`, None the defaults."""
    if metrics is None:
        metrics = [name for kind in default_kinds for name in _DEFAULTS.get(kind, ())]
    return lookup.get_metrics(
        metrics, argument=argument, kinds=kinds, with_direction=with_direction
    )


def inferred_criteria(
    metrics: MetricsLike | None, chosen: Sequence[OrdinalMetric]
) -> tuple[str, ...]:
    """Return the criteria that the default text infers: those that are named, or the first."""
    is_named = metrics is not None and not (isinstance(metrics, str) and metrics == "all")
    return tuple(metric.name for metric in (chosen if is_named else chosen[:1]))


def metrics_for(
    metrics: MetricsLike | None, evidence: Iterable[Evidence | None]
) -> list[OrdinalMetric]:
    """Return the metrics of a report on evidence: "all" means all that can be computed.

    None means the defaults, or "all" if the evidence has no defaults.
    """
    kinds = kinds_accepting(evidence)
    has_defaults = any(kind in _DEFAULTS for kind in kinds)
    if metrics is None and not has_defaults:
        metrics = "all"
    return chosen_metrics(metrics, kinds, default_kinds=kinds)


def kinds_accepting(evidence: Iterable[Evidence | None]) -> tuple[Kind, ...]:
    """Return the kinds of metrics that can be computed from evidence."""
    parts = list(evidence)
    return tuple(kind for kind in evidence_kinds.KINDS if kind.pick(parts) is not None)


def available_kinds(estimators: Iterable[Any]) -> tuple[Kind, ...]:
    """Return the kinds of evidence that all estimators, fitted or not, can provide."""
    estimators = list(estimators)
    return tuple(
        kind
        for kind in evidence_kinds.KINDS
        if kind.methods
        and all(any(hasattr(e, method) for method in kind.methods) for e in estimators)
    )


def selected_metric(metrics: ByMetric, metric: Any) -> OrdinalMetric:
    """Return one metric of a report, by default the first."""
    selected: OrdinalMetric = metrics[
        next(iter(metrics)) if metric is None else metrics.name_of(metric)
    ]
    return selected


def takes_labels(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of labels, or may be one, such as a user's scorer."""
    return metric.evidence.argument in (evidence_kinds.LABELS.argument, None)


def check_are_of_counts(metrics: Iterable[OrdinalMetric]) -> None:
    """Raise unless all metrics are functions of a confusion matrix."""
    for metric in metrics:
        if metric.evidence is not evidence_kinds.LABELS:
            raise ValueError(
                f"metrics must be criteria of counts, got {metric.name}, which needs "
                f"{_needs(metric)}."
            )


def _needs(metric: OrdinalMetric) -> str:
    if evidence_kinds.LABELS.accepts == metric.evidence.accepts:
        # scikit-learn's metrics of numbers have counterparts for classes in this package.
        counterpart = f"ordinal_{metric.name}"
        if counterpart in lookup.get_metric_names():
            return f"the labels of each sample: pass {counterpart}"
        return "the labels of each sample: define it as a statistic of counts with ordinal_metric"
    return f"{metric.evidence.noun}: leave it out"


def metric_to_json(metric: OrdinalMetric) -> dict[str, Any]:
    """Return what identifies a metric."""
    return {
        "name": metric.name,
        "original_name": metric.original_name,
        "function": catalogue.origin_of(metric.function or metric.statistic),
        # A metric with labels in an order of its own is a function of the labels.
        "reads_labels": metric.evidence.reads_labels,
        "options": json_files.encoded(
            f"metrics[{checks.shown(metric.name)}]", dict(metric.options)
        ),
    }


def metric_from_json(
    saved: Mapping[str, Any], evidence: Sequence[Evidence]
) -> OrdinalMetric | None:
    """Return the metric that was saved, None if it is not known here or needs other evidence."""
    name, function, options = saved["name"], saved["function"], json_files.decoded(saved["options"])
    known = {
        catalogue.origin_of(m.function): m.function
        for m in lookup.known_metrics()
        if m.function is not None
    }
    candidates: list[Any] = [saved["original_name"] or name]
    if function in known:
        candidates.append(partial(known[function], **options))
    for candidate in candidates:
        with suppress(ValueError):
            (metric,) = metrics_for({name: candidate}, evidence)
            is_computable = metric.scorer is None and metric.evidence.pick(evidence) is not None
            if is_computable and metric_to_json(metric) == saved:
                return metric
    return None


# Tables, notes and figures that several reports share
# ----------------------------------------------------

_LONGEST_COLUMN = 40
# With fewer samples of a class, intervals of criteria that weight all classes alike are too short.
_FEW_SAMPLES = 10
# In larger matrices, numbers would be too small to read and slow to draw, so only colours are
# shown.
_MOST_CLASSES_WITH_NUMBERS = 40


def range_as_text(metric: OrdinalMetric, n_classes: int) -> str:
    """Return the range of a metric, or an empty string if it is not known."""
    lowest, highest = metric.bounds(n_classes)
    return "" if math.isinf(lowest) and math.isinf(highest) else f"{lowest:g} to {highest:g}"


def has_direction(metric: OrdinalMetric) -> bool:
    """Return whether higher or lower values of a metric are better, so that it ranks systems."""
    return metric.greater_is_better is not None


def direction_as_text(metric: OrdinalMetric) -> str:
    """Return whether higher or lower values of a metric are better."""
    if metric.greater_is_better is None:
        return "neither"
    return "higher" if metric.greater_is_better else "lower"


def which_is_better(metric: OrdinalMetric) -> str:
    """Return in words whether higher or lower values of a metric are better."""
    better = direction_as_text(metric)
    return f"{'neither higher nor lower' if better == 'neither' else better} is better"


def better_sign(metric: OrdinalMetric) -> str:
    """Return whether positive or negative differences are better, for the titles of tables."""
    if metric.greater_is_better is None:
        return "neither sign is better"
    return f"{'positive' if metric.greater_is_better else 'negative'} is better"


def interval_name(confidence_level: float) -> str:
    """Return the name of a column of intervals."""
    return f"{formatting.as_percent(confidence_level)} interval"


def interval_in_words(interval: Interval, digits: int, *, is_signed: bool = False) -> str:
    """Return the ends of an interval and its level, or say that there is no interval."""
    level = interval_name(interval.confidence_level)
    if np.isnan(interval.low):
        return f"no {level}"
    column = Column("", "interval", is_signed=is_signed)
    return f"{level} {formatting.cell_text((interval.low, interval.high), column, digits)}"


def signed_in_words(difference: Contrast, digits: int, *, is_loss: bool) -> str:
    """Return a difference with its sign, its interval and its p-value, adjusted if it is."""
    size = formatting.cell_text(difference.estimate, Column("", "number", is_signed=True), digits)
    interval = interval_in_words(difference, digits, is_signed=True)
    adjusted = "" if math.isnan(difference.adjusted_pvalue) else "adjusted "
    test = f"{adjusted}{formatting.pvalue_in_words(difference.deciding_pvalue)}"
    remark = "; lower is better" if is_loss else ""
    return f"{size} ({interval}, {test}{remark})"


def headline(metric: OrdinalMetric, n_classes: int) -> str:
    """Return a metric with its range and direction."""
    facts = (range_as_text(metric, n_classes), which_is_better(metric))
    return f"{metric.name} ({', '.join(filter(None, facts))})"


def about_criterion(metric: OrdinalMetric, n_classes: int) -> Note:
    """Say how to read the size of the values of a criterion, and what an error costs."""
    lowest, highest = metric.bounds(n_classes)
    best, worst = (highest, lowest) if metric.greater_is_better else (lowest, highest)
    if metric.greater_is_better is None or np.isinf(best):
        interval = range_as_text(metric, n_classes)
        facts = [f"ranges from {interval}" if interval else "has no known range"]
        facts.append(which_is_better(metric))
    else:
        side = "below" if metric.greater_is_better else "above"
        facts = [f"is at best {best:g}"]
        facts += [f"never {side} {worst:g}"] if np.isfinite(worst) else []
    if metric.chance_level is not None:
        facts.append(f"{metric.chance_level:g} on average by chance")
    costs = f" Cost of an error: {metric.an_error_costs}." if metric.an_error_costs else ""
    return Note(f"{metric.name} {formatting.names_in_words(facts)}.{costs}", is_small=True)


def samples_in_words(
    amount: float,
    target_names: Sequence[str],
    *,
    is_weighted: bool,
    which: str = "",
    n_samples: int | None = None,
) -> str:
    """Return the first sentence of a report, with the number of samples and the classes.

    If there are weights, the amount is their sum, and `n_samples` is the number of samples.
    """
    unit = "total weight" if is_weighted else formatting.plural(amount, "sample")
    size = f"{formatting.amount_as_text(amount)} {unit}"
    if is_weighted and n_samples is not None:
        size = (
            f"{formatting.counted(n_samples, 'sample')} with a {unit} of "
            f"{formatting.amount_as_text(amount)}"
        )
    return f"{size}{which}, {classes_in_words(target_names)}."


def page_title(kind: str, summary: str) -> str:
    """Return a title with the sizes from a sentence such as "600 samples, 5 classes from ..."."""
    first_sentence = summary.partition(". ")[0].removesuffix(".")
    return f"{kind}: {first_sentence.partition(' from ')[0]}"


def classes_in_words(names: Sequence[Any]) -> str:
    """Return the number of classes, and the lowest and the highest class."""
    n_classes = len(names)
    return (
        f"{n_classes} {formatting.plural(n_classes, 'class')} from {names[0]} (lowest) to "
        f"{names[-1]} (highest)"
    )


def parts_in_words(number: int, noun: str, columns: Sequence[str]) -> str:
    """Return the number of groups or clusters, and the columns that define them if known."""
    by = (
        formatting.names_in_words([formatting.cut(name, _LONGEST_COLUMN) for name in columns])
        if any(columns)
        else ""
    )
    return f"{formatting.counted(number, noun)}{by and ' by '}{by}"


def drawn_in_words(n_clusters: int | None, cluster_name: str, n_strata: int | None) -> str:
    """Return the clusters and strata of samples as in "9 clusters by patient of 2 strata"."""
    parts = []
    if n_clusters is not None:
        parts.append(parts_in_words(n_clusters, "cluster", [cluster_name]))
    if n_strata is not None:
        parts.append(f"{n_strata} {'stratum' if n_strata == 1 else 'strata'}")
    return " of ".join(parts)


def notes_on_prevalence(
    prevalence: NDArray[np.float64] | None, target_names: Sequence[str]
) -> tuple[Note, ...]:
    """If there is a prevalence, say that all values are weighted to it."""
    if prevalence is None:
        return ()
    shares = zip(target_names, prevalence.tolist(), strict=True)
    text = ", ".join(f"{name}: {share:.3g}" for name, share in shares)
    return (Note(f"All values are weighted to these shares of the true classes: {text}."),)


def notes_on_rare_classes(
    metrics: Iterable[OrdinalMetric], sizes: NDArray[Any], target_names: Sequence[str]
) -> tuple[Note, ...]:
    """Say if intervals in closed form are too short, given the number of samples of each class.

    The criteria weight all classes alike, and a few samples do not show how much a class varies.
    """
    alike = [m for m in metrics if m.prevalence_invariant or m.options.get("average") == "macro"]
    small = [
        f"{name} ({size})"
        for name, size in zip(target_names, sizes.tolist(), strict=True)
        if 0 < size < _FEW_SAMPLES
    ]
    if not alike or not small:
        return ()
    text = (
        f"Classes with fewer than {_FEW_SAMPLES} samples: {formatting.names_in_words(small)}. "
        f"The intervals of {formatting.names_in_words([metric.name for metric in alike])}, which "
        f"weight all classes alike, may be too short: in simulations, they contain the true value "
        f"in about 80% to 90% of the data sets."
    )
    return (Note(text, is_small=True),)


def n_left_out(metric: OrdinalMetric, confusion: OrdinalConfusion) -> float | None:
    """Return the number of unanswered samples that a metric leaves out, None if unknown."""
    if metric.evidence.argument is None:
        return None
    if OrdinalConfusion not in metric.evidence.accepts or metric.counts_unanswered:
        return 0
    return confusion_counts.n_unanswered(confusion)


def answered_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of samples with a prediction."""
    return f"{formatting.amount_as_text(confusion.counts.sum().item())} answered"


def total_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of samples, with or without a prediction."""
    return formatting.amount_as_text(
        confusion.counts.sum().item() + confusion_counts.n_unanswered(confusion)
    )


def unanswered_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of unanswered samples."""
    unit = "weight " if confusion.is_weighted else ""
    return (
        f"{unit}{formatting.amount_as_text(confusion_counts.n_unanswered(confusion))} of "
        f"{total_as_text(confusion)} unanswered"
    )


def unanswered_parts(
    metrics: Mapping[str, OrdinalMetric], confusion: OrdinalConfusion
) -> tuple[Note, ...]:
    """Return notes on samples without a prediction, if there are any."""
    if not confusion_counts.n_unanswered(confusion):
        return ()
    how_many = unanswered_as_text(confusion)
    if not confusion.counts.any():
        rest = "all other criteria are undefined, since no sample has a prediction"
    else:
        answered = answered_as_text(confusion)
        rest = f"all other criteria, and the measures of the classes, use only the {answered}"
    as_errors = "the cem_* criteria count these samples as errors with a closeness of 0"
    exceptions = ""
    scorers = [name for name, metric in metrics.items() if n_left_out(metric, confusion) is None]
    if scorers:
        exceptions = f", except {', '.join(scorers)}, which scorers compute from all samples"
    if not all(takes_labels(metric) for metric in metrics.values()):
        total = total_as_text(confusion)
        exceptions += f"; criteria of probabilities and scores use all {total}"
    return (Note(f"{how_many}: {as_errors}; {rest}{exceptions}."),)


def confusion_figure(
    confusion: OrdinalConfusion, target_names: Sequence[str], whose: str = ""
) -> Figure:
    """Return the plot of a confusion matrix."""
    n_classes = len(target_names)

    def description() -> str:
        counts, total = confusion.counts, confusion.counts.sum()
        right, near = (np.tril(np.triu(counts, -n), n).sum() / total for n in (0, 1))
        return (
            f"Confusion matrix of {n_classes} {formatting.plural(n_classes, 'class')}: "
            f"{right:.0%} of the predictions are correct, {near:.0%} at most one class away."
        )

    return Figure(
        partial(
            OrdinalConfusionMatrixDisplay.from_confusion,
            confusion,
            target_names=target_names,
            include_values=n_classes <= _MOST_CLASSES_WITH_NUMBERS,
        ),
        f"True and predicted classes{whose}",
        description,
    )


def errors_figure(
    confusion: OrdinalConfusion,
    target_names: Sequence[str],
    whose: str = "",
) -> Figure:
    """Return the plot of the errors of each class."""

    def description() -> str:
        shares = ErrorDistributionDisplay(confusion).shares(max_distance=1).tolist()
        classes = (
            f"{name} has no samples"
            if np.isnan(right)
            else f"{name} {right:.0%} correct, {low:.0%} too low, {high:.0%} too high"
            for name, (low, right, high) in zip(target_names, shares, strict=True)
        )
        return f"Predictions of each true class: {'; '.join(classes)}"

    return Figure(
        partial(ErrorDistributionDisplay.from_confusion, confusion, target_names=target_names),
        f"Errors of each class{whose}",
        description,
    )


# Tables: rows of blocks of columns
# ---------------------------------


class Block(NamedTuple):
    """Columns of a table that belong together, and their cells by the name or pair of the row."""

    columns: Sequence[Column]
    cells: Mapping[Any, tuple[Cell, ...]]


def table(
    title: str,
    header: str,
    names: Iterable[str | tuple[str, str]],
    *blocks: Block,
    summary: Sequence[str] = (),
) -> Table:
    """Return a table with a row for each name or pair; cells that a block lacks are blank."""

    def row(name: str | tuple[str, str]) -> tuple[Cell, ...]:
        cells = (block.cells.get(name, (None,) * len(block.columns)) for block in blocks)
        title = name if isinstance(name, str) else " - ".join(name)
        return (title, *chain.from_iterable(cells))

    columns = chain.from_iterable(block.columns for block in blocks)
    return Table(
        title, (Column(header), *columns), tuple(map(row, names)), tuple(map(row, summary))
    )


def block(column: Column, cells: Mapping[Any, Cell]) -> Block:
    """Return a single column."""
    return Block([column], {name: (cell,) for name, cell in cells.items()})


def estimates(name: str, rows: Mapping[Any, Interval | None], digits: int | None = None) -> Block:
    """Return a column of values without intervals."""
    return block(
        Column(name, "number", digits),
        {row: value.estimate for row, value in rows.items() if value is not None},
    )


def ends(
    rows: Mapping[Any, Interval],
    digits: int | None = None,
    *,
    level: Literal["", "joint"] = "",
    of: str = "",
    is_signed: bool = False,
    is_detail: bool = False,
) -> Block:
    """Return a column of intervals; without rows, no column.

    `level` names intervals that hold jointly, and `of` what they are intervals of, where the column
    beside them does not say it.
    """
    if not rows:
        return Block([], {})
    name = interval_name(next(iter(rows.values())).confidence_level)
    name = f"{level} {name}{of and ' of '}{of}".strip()
    column = Column(name, "interval", digits, is_signed=is_signed, is_detail=is_detail)
    return block(column, {row: (value.low, value.high) for row, value in rows.items()})


def beside(*blocks: Block) -> Block:
    """Return the columns of blocks with the same rows as a single block."""
    return Block(
        [*chain.from_iterable(block.columns for block in blocks)],
        {
            row: (*chain.from_iterable(block.cells[row] for block in blocks),)
            for row in blocks[0].cells
        },
    )


def intervals(
    rows: Mapping[Any, Interval], at_least: int, name: str = "value", *, is_detail: bool = False
) -> Block:
    """Return values with their intervals, with the digits that the median interval needs.

    A narrow interval, as of constant predictions, does not give digits of noise to all others.
    Beside differences, which have their own intervals, narrow views may leave the intervals out:
    `is_detail`.
    """
    by_width = sorted(rows.values(), key=lambda row: np.nan_to_num(row.high - row.low))
    digits = _intervals.digits_of_intervals(by_width[len(by_width) // 2 :], at_least)
    of = name if is_detail else ""
    return beside(estimates(name, rows, digits), ends(rows, digits, of=of, is_detail=is_detail))


def differences(
    rows: Mapping[Any, Contrast],
    at_least: int,
    name: str = "difference",
    *,
    level: Literal["", "joint"] = "",
) -> Block:
    """Return differences with their intervals, and the p-values that decide whether they differ."""
    digits = _intervals.digits_of_intervals(rows.values(), at_least)
    is_adjusted = not all(math.isnan(row.adjusted_pvalue) for row in rows.values())
    return beside(
        block(
            Column(name, "number", digits, is_signed=True),
            {name: row.estimate for name, row in rows.items()},
        ),
        ends(rows, digits, level=level, is_signed=True),
        block(
            Column("adjusted p" if is_adjusted else "p", "pvalue"),
            {name: row.deciding_pvalue for name, row in rows.items()},
        ),
    )
