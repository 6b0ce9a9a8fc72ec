"""`cross_val_report`: an estimator on every fold, and on all folds together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    arithmetic,
    catalogue,
    checks,
    confusion_counts,
    containers,
    evidence_kinds,
    lookup,
    sampling,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Code,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _fold_tests
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.model_selection import _folds
from sklearn_ordinal.model_selection._folds import (
    Evaluation,
    FitFailure,
    FoldPredictions,
    FoldResult,
    FoldResults,
)
from sklearn_ordinal.plotting._comparison_display import FoldScoresDisplay
from sklearn_ordinal.plotting._confusion_display import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
)
from sklearn_ordinal.reports import _ordinal, _sections
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._sections import Provenance

# Evidence and scores of one fold or of all folds together
# --------------------------------------------------------


def _fold_confusion(
    scale: OrdinalScale, y_true: IntegerArray, fold: FoldPredictions
) -> OrdinalConfusion:
    """Count the predictions of a fold."""
    return _confusion(scale, y_true[fold.test], fold.y_pred)


def _confusion(scale: OrdinalScale, y_true: IntegerArray, y_pred: IntegerArray) -> OrdinalConfusion:
    n_classes = len(scale)
    cells = y_true.astype(np.int64) * n_classes + y_pred.astype(np.int64)
    counts = np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)
    return OrdinalConfusion(scale, counts)


def joined_predictions(
    folds: Iterable[FoldPredictions | None],
) -> tuple[NDArray[np.intp], IntegerArray, NDArray[np.intp]]:
    """Return, for each prediction, the sample, the class and the number of tests of the sample."""
    worked = [fold for fold in folds if fold is not None]
    sample = np.concatenate([fold.test for fold in worked])
    y_pred = np.concatenate([fold.y_pred for fold in worked])
    return sample, y_pred, np.bincount(sample)[sample]


def joined_probabilities(folds: Iterable[FoldPredictions | None]) -> NDArray[np.float64] | None:
    """Return the probabilities, or else the scores, of the predictions of all folds.

    Return None unless all folds have kept probabilities or scores.
    """
    worked = [fold for fold in folds if fold is not None]
    y_proba = _joined([fold.y_proba for fold in worked])
    return (
        _joined([fold.y_score for fold in worked]) if y_proba is None else normalized_rows(y_proba)
    )


def _joined(arrays: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    """Return the concatenated arrays of all folds, or None if a fold has none."""
    present = [array for array in arrays if array is not None]
    return np.concatenate(present) if len(present) == len(arrays) else None


def normalized_rows(y_proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities that add up to 1, even if they were rounded to float32."""
    normalized: NDArray[np.float64] = y_proba / y_proba.sum(axis=1, keepdims=True)
    return normalized


def _pooled_confusion(
    scale: OrdinalScale, y_true: IntegerArray, folds: Iterable[FoldPredictions]
) -> OrdinalConfusion:
    """Count the predictions of all folds so that each sample counts once.

    If a sample is tested k times, each of its predictions counts 1 / k.
    """
    sample, y_pred, n_times = joined_predictions(folds)
    if n_times.max(initial=1) == 1:
        return _confusion(scale, y_true[sample], y_pred)
    # Divide sums of integers instead of adding fractions, to keep the class sizes exact.
    counts = sum(
        _confusion(scale, y_true[sample[n_times == k]], y_pred[n_times == k]).counts / k
        for k in np.unique(n_times)
    )
    return OrdinalConfusion(scale, np.asarray(counts))


def _pooled_samples(
    scale: OrdinalScale, y_true: IntegerArray, folds: Iterable[FoldPredictions]
) -> OrdinalForecasts | OrdinalScores | None:
    """Return the probabilities of folds, or their scores if none has probabilities.

    Each sample counts once: if it is tested k times, each of its predictions has the weight 1 / k.
    Return None if no fold has either.
    """
    folds = list(folds)
    proba = [(fold.test, fold.y_proba) for fold in folds if fold.y_proba is not None]
    scores = [(fold.test, fold.y_score) for fold in folds if fold.y_score is not None]
    if not proba and not scores:
        return None
    sample, predicted = map(np.concatenate, zip(*(proba or scores), strict=True))
    arguments = scale, y_true[sample].astype(np.intp), predicted, 1 / np.bincount(sample)[sample]
    if proba:
        return sampling.from_checked(OrdinalForecasts, *arguments)
    return sampling.from_checked(OrdinalScores, *arguments)


def _fold_samples(
    scale: OrdinalScale, y_true: IntegerArray, fold: FoldPredictions
) -> OrdinalForecasts | OrdinalScores | None:
    """Return the probabilities of a fold, or its scores if it has no probabilities.

    Every prediction counts once, as in the counts of the fold. Return None if the fold has neither.
    """
    evidence = _pooled_samples(scale, y_true, [fold])
    return None if evidence is None else evidence.reweighted(np.ones(evidence.n_samples))


def _pooled_value(
    metric: OrdinalMetric,
    scale: OrdinalScale,
    y_true: IntegerArray,
    folds: Iterable[FoldPredictions],
    prevalence: NDArray[np.float64] | None = None,
) -> float:
    """Return the value of a criterion of rows for all folds, where each sample counts once.

    If samples are tested several times, the predictions are weighted if the criterion accepts
    weights. Otherwise, the value is the mean over the repetitions, or NaN if there are no
    repetitions because some samples are tested more often than others.
    """
    sample, y_pred, n_times = joined_predictions(folds)
    true, pred = scale.labels[y_true[sample]], scale.labels[y_pred]
    if prevalence is not None:
        weights = confusion_counts.weights_at_prevalence(y_true[sample], prevalence, 1 / n_times)
        return metric.from_predictions(true, pred, sample_weight=weights)
    if n_times.max(initial=1) == 1:
        return metric.from_predictions(true, pred)
    if metric.takes_weights:
        return metric.from_predictions(true, pred, sample_weight=1 / n_times)
    if len(np.unique(n_times)) > 1:
        return np.nan
    repetition = _n_times_before(sample)
    values = np.array(
        [
            metric.from_predictions(true[is_tested], pred[is_tested])
            for is_tested in repetition == np.unique(repetition)[:, None]
        ]
    )
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan


def _predictions_table(
    scale: OrdinalScale,
    y_true: IntegerArray,
    fold_predictions: Sequence[FoldPredictions | None],
) -> Any:
    """Return a row for each prediction: a data frame or, without pandas, a dict of columns."""
    folds = {i: fold for i, fold in enumerate(fold_predictions) if fold is not None}
    worked = list(folds.values())
    sample = np.concatenate([fold.test for fold in worked])
    columns: dict[str, NDArray[Any]] = {
        "sample": sample,
        "fold": np.repeat(list(folds), [len(fold.test) for fold in worked]),
        "repetition": _n_times_before(sample),
        "y_true": scale.labels[y_true[sample]],
        "y_pred": scale.labels[np.concatenate([fold.y_pred for fold in worked])],
    }
    y_proba = _joined([fold.y_proba for fold in worked])
    if y_proba is not None:
        labels = scale.labels.tolist()
        columns |= {f"proba_{label}": p for label, p in zip(labels, y_proba.T, strict=True)}
    y_score = _joined([fold.y_score for fold in worked])
    if y_score is not None:
        columns["y_score"] = y_score
    try:
        import pandas as pd
    except ImportError:
        return columns
    return pd.DataFrame(columns)


def _n_times_tested(folds: Iterable[FoldPredictions | None], n_samples: int) -> NDArray[np.intp]:
    """Return the number of successful fits that tested each sample."""
    tests = [fold.test for fold in folds if fold is not None]
    return np.bincount(np.concatenate(tests), minlength=n_samples)


def _n_repetitions(
    folds: Sequence[FoldPredictions | None], n_test: NDArray[np.intp], n_samples: int
) -> int:
    """Return the number of repetitions: 1 unless blocks of consecutive folds test all samples."""
    n_folds, n_times = len(folds), int(n_test.sum()) // n_samples
    if n_times < 2 or n_folds % n_times or n_folds == n_times:
        return 1
    n_per_repetition = n_folds // n_times
    for first in range(0, n_folds, n_per_repetition):
        part = slice(first, first + n_per_repetition)
        worked = [fold.test for fold in folds[part] if fold is not None]
        tested = np.concatenate([np.empty(0, dtype=np.intp), *worked])
        if n_test[part].sum() != n_samples or len(np.unique(tested)) < len(tested):
            return 1
    return n_times


def _n_times_before(sample: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the number of earlier occurrences of each value in the array."""
    order = np.argsort(sample, kind="stable")
    ordered = sample[order]
    starts = arithmetic.run_starts(ordered)
    lengths = np.diff(np.r_[starts, len(sample)])
    n_before = np.empty(len(sample), dtype=np.intp)
    n_before[order] = np.arange(len(sample)) - np.repeat(starts, lengths)
    return n_before


def folds_interval(
    values: NDArray[np.float64], metric: OrdinalMetric, n_classes: int, **options: float
) -> Interval:
    """Return the mean over the folds and its interval, which is undefined if a value is infinite.

    The interval is within the range of the metric. It is about the models fitted on this data, not
    about the learning algorithm.
    """
    interval = _fold_tests.corrected_t_interval(_without_infinite(values), **options)
    if not np.isinf(values).any():
        ends = np.clip([interval.low, interval.high], *_proven_bounds(metric, n_classes))
        return replace(interval, low=ends[0], high=ends[1])
    mean = float(np.nanmean(values))
    return replace(interval, estimate=mean, low=np.nan, high=np.nan, standard_error=np.nan)


def folds_difference(
    pair: tuple[NDArray[np.float64], NDArray[np.float64]],
    metric: OrdinalMetric,
    n_classes: int,
    **options: float,
) -> PairedDifference:
    """Return the mean difference of comparable values, within the range of differences."""
    better = bool(metric.greater_is_better)
    difference = _fold_tests.corrected_t_test(*pair, greater_is_better=better, **options)
    low, high = _proven_bounds(metric, n_classes)
    ends = np.clip([difference.low, difference.high], low - high, high - low)
    return replace(difference, low=ends[0], high=ends[1])


def comparable(
    values: NDArray[np.float64], others: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of two estimators, all NaN if their mean difference is not finite."""
    has_both = ~(np.isnan(values) | np.isnan(others))
    if np.isinf(values[has_both]).any() or np.isinf(others[has_both]).any():
        return np.full_like(values, np.nan), np.full_like(others, np.nan)
    return _without_infinite(values), _without_infinite(others)


def _without_infinite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values, with infinite values replaced by NaN."""
    return np.where(np.isinf(values), np.nan, values)


def _proven_bounds(metric: OrdinalMetric, n_classes: int) -> tuple[float, float]:
    """Return the range of the values of a metric of this package.

    A user's metric may have wrong bounds, and this must not discard the result of a long run.
    """
    if not catalogue.origin_of(metric.statistic).startswith("sklearn_ordinal.metrics."):
        return -np.inf, np.inf
    low, high = metric.bounds(n_classes)
    replacement = metric.options.get("replace_undefined_by", np.nan)
    return min(low, np.fmin(replacement, low)), max(high, np.fmax(replacement, high))


# The report of cross-validation, on every fold and on all folds together
# -----------------------------------------------------------------------

# The largest number of characters of an error message in the heading of a collapsed section.
_MOST_OF_AN_ERROR = 120
# As many digits as intervals have in text.
_DIGITS = 3
# Narrow text may leave out further chosen parameters.
_N_CHOSEN = 3


@dataclass(frozen=True, eq=False, repr=False)
class CrossValReport(Views):
    """Reports of every fold and of all folds together.

    Returned by `cross_val_report`. `str` gives the text, and notebooks show tables and a plot.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    y_true : ndarray of shape (n_samples,)
        Position of the true class of each sample on the scale.
    fold_predictions : tuple of FoldPredictions or None
        The predictions of each fold; None where the fit failed.
    metrics : mapping of str to OrdinalMetric
        The chosen criteria by name.
    scores : mapping of str to ndarray of shape (n_folds,)
        The values of each criterion, in its own unit (losses are not negated); NaN where the fit
        failed or the criterion is undefined.
    intervals : mapping of str to Interval
        Mean of each criterion over the folds, with its corrected resampled t interval, cut at the
        range of the criterion; NaN if fewer than three folds have a value. The interval is about
        the models fitted on this data and not about the learning algorithm.
    pooled_scores : mapping of str to float
        Value of each criterion on all folds together, where each sample counts once; NaN
        if it needs the estimator. If samples are tested several times, a criterion of your
        own that takes no sample_weight is averaged over the repetitions, or NaN if some
        samples are tested more often than others.
    n_train : ndarray of shape (n_folds,)
        Number of different samples that each fold was fitted on.
    n_test : ndarray of shape (n_folds,)
        Number of samples that each fold was scored on.
    fit_times : ndarray of shape (n_folds,)
        Duration of each fit in seconds.
    score_times : ndarray of shape (n_folds,)
        Duration of prediction and scoring in seconds.
    estimators : tuple of estimators or None, default=None
        The fitted estimators, if `return_estimator` was set. The estimators are neither
        saved nor compared.
    failures : tuple of FitFailure, default=()
        Fits and evaluations of criteria that failed.
    chosen_params : tuple of dict of str to str, default=()
        The parameters that a search has chosen in each fold, as text; an empty dict where the fit
        failed. Empty if the estimator has no search.
    prevalence : ndarray of shape (n_classes,), default=None
        Class shares used to weight the scores and the fold reports. If None, the observed class
        sizes are used.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    confusions : tuple of OrdinalConfusion or None
        The counts of each fold, all on the same scale; None where the fit failed.
    folds : tuple of OrdinalReport or None
        One report per fold, with the same criteria, and with the probabilities of the fold if they
        were kept; None where the fit failed.
    pooled : OrdinalReport
        The report on all folds together, with the same criteria and probabilities. A sample
        counts once: if it is tested k times, each of its predictions counts 1 / k.
    predictions : pandas.DataFrame or dict of str to ndarray
        A row for each prediction.
    stds : dict of str to float
        Standard deviation of each criterion over the folds.
    n_classes : int
        Number of classes on the scale.

    See Also
    --------
    sklearn_ordinal.cross_val_report : Make the report of an estimator.
    ComparisonReport : Several estimators side by side.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import cross_val_report
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> report = cross_val_report(tree, X, y, scoring=["cem_ord"])
    >>> report.scores["cem_ord"].round(2)
    array([0.72, 0.74, 0.72, 0.71, 0.72])
    >>> print(report.intervals["cem_ord"])
    0.723 (95% interval 0.702 to 0.744)
    """

    scale: OrdinalScale
    y_true: IntegerArray
    fold_predictions: tuple[FoldPredictions | None, ...]
    metrics: ByMetric
    scores: ByMetric
    intervals: ByMetric
    pooled_scores: ByMetric
    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]
    fit_times: NDArray[np.float64]
    score_times: NDArray[np.float64]
    estimators: tuple[Any, ...] | None = None
    failures: tuple[FitFailure, ...] = ()
    chosen_params: tuple[dict[str, str], ...] = ()
    prevalence: NDArray[np.float64] | None = None
    provenance: Provenance | None = None

    @classmethod
    def _from_fits(
        cls,
        fits: FoldResults,
        name: str,
        evaluation: Evaluation,
        *,
        confidence_level: float,
        provenance: Provenance,
    ) -> Self:
        """Make the report of one fitted estimator."""
        results = fits.by_name[name]
        # A bootstrap repeats training samples, and repeated samples add no information.
        n_train = np.array([len(np.unique(train)) for train, _ in fits.splits])
        n_test = np.array([len(test) for _, test in fits.splits])
        scores, pooled_scores = _criteria_values(results, evaluation)
        sizes = {"n_train": n_train.mean(), "n_test": n_test.mean()}
        intervals = {
            metric.name: folds_interval(
                scores[metric.name],
                metric,
                len(evaluation.scale),
                **sizes,
                confidence_level=confidence_level,
            )
            for metric in evaluation.metrics
        }
        return cls(
            scale=evaluation.scale,
            y_true=evaluation.y_true,
            fold_predictions=tuple(result.predictions for result in results),
            metrics=ByMetric({metric.name: metric for metric in evaluation.metrics}),
            scores=scores,
            intervals=ByMetric(intervals),
            pooled_scores=pooled_scores,
            n_train=n_train,
            n_test=n_test,
            fit_times=np.array([result.fit_time for result in results]),
            score_times=np.array([result.score_time for result in results]),
            estimators=tuple(r.estimator for r in results) if fits.has_estimators else None,
            failures=tuple(failure for result in results for failure in result.failures),
            chosen_params=tuple(dict(result.chosen_params) for result in results)
            if any(result.chosen_params for result in results)
            else (),
            prevalence=evaluation.prevalence,
            provenance=replace(provenance, estimators={name: provenance.estimators[name]}),
        )

    @cached_property
    def confusions(self) -> tuple[OrdinalConfusion | None, ...]:
        """The counts of each fold; None where the fit failed."""
        return tuple(
            None if fold is None else _fold_confusion(self.scale, self.y_true, fold)
            for fold in self.fold_predictions
        )

    @cached_property
    def folds(self) -> tuple[OrdinalReport | None, ...]:
        """One report per fold; None where the fit failed."""
        return tuple(
            None if fold is None else self._fold_report(number, fold)
            for number, fold in enumerate(self.fold_predictions)
        )

    @cached_property
    def pooled(self) -> OrdinalReport:
        """The report on all folds together, where each sample counts once."""
        worked = [fold for fold in self.fold_predictions if fold is not None]
        counts = _pooled_confusion(self.scale, self.y_true, worked)
        evidence = _pooled_samples(self.scale, self.y_true, worked)
        return self._report(counts, self.pooled_scores, evidence)

    @property
    def predictions(self) -> Any:
        """A row for each prediction, as a data frame or, without pandas, as a dict of columns.

        "sample" is the position of the sample in the data, "fold" is the position of the fold, and
        "repetition" is the number of earlier predictions of the sample. "y_true" and "y_pred" are
        labels; where probabilities were kept, "proba_<label>" has the probabilities of each class.
        """
        return _predictions_table(self.scale, self.y_true, self.fold_predictions)

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def stds(self) -> ByMetric:
        """Standard deviation of each criterion over the folds."""
        finite = {name: values[np.isfinite(values)] for name, values in self.scores.items()}
        return ByMetric(
            {
                name: float(values.std(ddof=1)) if len(values) > 1 else np.nan
                for name, values in finite.items()
            }
        )

    def __repr__(self) -> str:
        means = (f"{name}={interval.estimate:z.3f}" for name, interval in self.intervals.items())
        return f"CrossValReport({len(self.fold_predictions)} folds, {checks.in_repr(means)})"

    def _fold_report(self, number: int, fold: FoldPredictions) -> OrdinalReport:
        counts = _fold_confusion(self.scale, self.y_true, fold)
        scores = {name: float(values[number]) for name, values in self.scores.items()}
        return self._report(counts, scores, _fold_samples(self.scale, self.y_true, fold))

    def _report(
        self, counts: OrdinalConfusion, scores: Mapping[str, float], evidence: Any
    ) -> OrdinalReport:
        """Make a report on counts, and on probabilities if they were kept."""
        forecasts = evidence_kinds.PROBABILITIES.pick([evidence])
        return OrdinalReport._from_evidence(
            (counts,) if forecasts is None else (counts, forecasts),
            self.metrics.values(),
            scores,
            self.provenance,
            prevalence=self.prevalence,
        )

    def plot_confusion_matrix(
        self, *, ax: Any = None, **options: Any
    ) -> OrdinalConfusionMatrixDisplay:
        """Draw the confusion matrix of all folds together.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `OrdinalConfusionMatrixDisplay.plot`.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return self.pooled.plot_confusion_matrix(ax=ax, **options)

    def plot_errors(self, *, ax: Any = None, **options: Any) -> ErrorDistributionDisplay:
        """Draw the shares of predictions that are too low or too high, over all folds.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ErrorDistributionDisplay.plot`.

        Returns
        -------
        ErrorDistributionDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return self.pooled.plot_errors(ax=ax, **options)

    def plot_folds(
        self, metrics: Any = None, *, ax: Any = None, **options: Any
    ) -> FoldScoresDisplay:
        """Draw the scores of each fold, with their mean and its interval.

        Parameters
        ----------
        metrics : str, callable or iterable of them, default=None
            One or several of the criteria, in any form that `get_metric` accepts. If None, all
            criteria whose best value is 1, since these can share an axis. If there are no such
            criteria, the first criterion.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `FoldScoresDisplay.plot`.

        Returns
        -------
        FoldScoresDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have a criterion.
        """
        if metrics is None:
            names = self._best_at_one() or list(self.scores)[:1]
        else:
            criteria = metrics if lookup.is_several(metrics) else [metrics]
            names = [self.scores.name_of(name, "metrics") for name in criteria]
        if not names:
            raise ValueError(
                f"metrics must be among {list(self.scores)}, got {checks.shown(metrics)}."
            )
        titles = {
            name: name if self.metrics[name].greater_is_better else f"{name} (lower is better)"
            for name in names
        }
        return FoldScoresDisplay(
            {title: self.scores[name] for name, title in titles.items()},
            {title: self.intervals[name] for name, title in titles.items()},
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The criteria over the folds, plots, all folds together, and as details each fold.
        """
        pooled, of_folds = self.pooled, pooled_in_words(self)
        names, confusion = pooled.target_names, pooled.confusion
        assert confusion is not None
        # Criteria with the same best value share a plot.
        best_at_one = self._best_at_one()
        figures = [best_at_one] if best_at_one else []
        figures += [[name] for name in self.metrics if name not in best_at_one]
        in_full = OrdinalReport._from_evidence(
            pooled.evidence, _sections.metrics_for("all", pooled.evidence), {}, None
        )
        means_table, *notes_and_choices, folds_table = folds_tables(self)

        def each_fold() -> tuple[Part, ...]:
            sections = (
                Section(
                    f"Fold {number}",
                    (Note("failed"),) if fold is None else _ordinal.report_tables(fold),
                    is_detail=True,
                )
                for number, fold in enumerate(self.folds, start=1)
            )
            return folds_table, *sections

        times = _folds_table(
            "Seconds", {"fit": self.fit_times, "scoring": self.score_times}, details={}
        )
        return Document(
            "Cross-validation",
            (
                Note(f"{folds_in_words(self)}."),
                *_sections.notes_on_prevalence(self.prevalence, names),
                *failures_parts(self.failures),
                means_table,
                _sections.confusion_figure(confusion, names, of_folds),
                _sections.errors_figure(confusion, names, of_folds),
                *notes_and_choices,
                *(_folds_figure(self, criteria) for criteria in figures),
                Section(
                    "All folds together",
                    (
                        *pooled_notes(self),
                        *_ordinal.classes_parts(in_full),
                        *_ordinal.threshold_figures(pooled),
                    ),
                ),
                Section(
                    "Every criterion, all folds together",
                    partial(_ordinal.criteria_parts, in_full),
                    is_detail=True,
                ),
                Section("Each fold", each_fold, is_detail=True),
                Section("Times", (times,), is_detail=True),
            ),
            footer=_sections.footer(self.provenance),
            verdict=(Note(_mean_in_words(self)),),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion its value in each fold ("folds"), "mean", "std", "low",
            "high", "confidence_level", "n_undefined" and "pooled", the value for all folds
            together; "folds": `OrdinalReport.to_dict` of each fold, None where the fit failed;
            "pooled": the same for all folds together; "n_train", "n_test", "fit_times",
            "score_times": a list with one number per fold; "prevalence"; "failures" and
            "chosen_params": lists of dicts. Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "criteria": {
                    row["criterion"]: {
                        "folds": self.scores[row["criterion"]],
                        **{key: value for key, value in row.items() if key != "criterion"},
                    }
                    for row in self._records()
                },
                "folds": [None if report is None else report.to_dict() for report in self.folds],
                "pooled": self.pooled.to_dict(),
                "n_train": self.n_train,
                "n_test": self.n_test,
                "fit_times": self.fit_times,
                "score_times": self.score_times,
                "prevalence": self.prevalence,
                "failures": [asdict(failure) for failure in self.failures],
                "chosen_params": list(self.chosen_params),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion."""
        stds = self.stds
        return [
            {
                "criterion": name,
                "mean": interval.estimate,
                "std": stds[name],
                "low": interval.low,
                "high": interval.high,
                "confidence_level": interval.confidence_level,
                "n_undefined": interval.n_undefined,
                "pooled": self.pooled_scores[name],
                "better": _sections.direction_as_text(self.metrics[name]),
            }
            for name, interval in self.intervals.items()
        ]

    def _best_at_one(self) -> list[str]:
        return [
            name
            for name, metric in self.metrics.items()
            if metric.greater_is_better and metric.bounds(self.n_classes)[1] == 1
        ]


@checks.lists_parameters
def cross_val_report(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    scoring: MetricsLike | None = None,
    prevalence: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool | None = None,
) -> CrossValReport:
    """Report on an estimator in cross-validation, fold by fold and for all folds pooled.

    The scale is taken once from all of `y`, so that folds in which a class is missing remain
    comparable. With repeated folds, each sample counts once in the pooled report.

    Parameters
    ----------
    estimator : estimator instance
        Classifier, pipeline or search, cloned for each fold.
    X : array-like of shape (n_samples, n_features)
        Features, in any form that the estimator accepts.
    y : array-like of shape (n_samples,)
        True classes.
    cv : int, cross-validation generator or iterable, default=None
        Number of stratified folds, by default 5, a splitter, or a list of (train, test)
        indices.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, for example the patient or the document. If `cv` is None or
        an integer, the folds come from `StratifiedGroupKFold`; with any other `cv`, an error is
        raised if a fold has a group in both its training and its test samples.
        Searches, and estimators whose ``fit`` has the parameter ``groups``, such as
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV`, receive the groups of
        their training samples; with metadata routing, those that request them.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings. Scorers of this package that are named inside the estimator,
        for example as the ``scoring`` of a search, use this order. Classifiers of this package
        whose ``labels`` are not set receive it as ``labels``.
    scoring : str, callable, iterable or dict of them, default=None
        The criteria, in any form that `get_metric` accepts: names such as "cem_ord" and the names
        of scikit-learn's scorers, metric functions, functions with options bound by
        `functools.partial`, and criteria of your own, ``f(y_true, y_pred)`` or
        ``f(estimator, X, y)``; or "all" for all criteria of this package that can be computed for
        the estimator, which include criteria of probabilities if it has ``predict_proba``. If None:
        "cem_ord", "accuracy", "within_1_accuracy", "macro_averaged_mean_absolute_error",
        "quadratic_weighted_kappa" and "kendall_tau_b".
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest, at which all criteria are
        computed, in each fold and for all folds together, see `OrdinalConfusion.at_prevalence`.
        Each fold must have test samples of each class with a positive share. If None, the observed
        class sizes of each fold are used.
    params : dict, default=None
        Parameters for ``estimator.fit``; if metadata routing is enabled, also for the
        splitter and for nested estimators, if they request parameters.
    confidence_level : float, default=0.95
        Level of the intervals.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn. The backend is joblib's: a
        `joblib.parallel_config` around the call runs the fits on dask or ray.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    verbose : bool or None, default=None
        Whether to show a progress bar. If None, it is shown in notebooks and where stderr
        is a terminal, if tqdm is installed; True shows it everywhere and warns if tqdm is
        not installed.

    Returns
    -------
    CrossValReport
        Reports of the folds and of all folds pooled.

    Raises
    ------
    ValueError
        If the order of the classes is not known or differs from the order of a scorer inside
        `estimator`, a class is not in `labels`, a metric is not known, a group is in both the
        training and the test samples of a fold, every fit fails, or if `prevalence` is given and a
        fold lacks a class or a criterion cannot be weighted.

    See Also
    --------
    compare_estimators : Several estimators on the same folds, compared with baselines.
    GroupReport.from_cross_val : The predictions of all folds for groups of samples.
    sklearn.model_selection.cross_validate : Computes only scores, for any scorer.

    Notes
    -----
    If a fit fails, there is a `FitFailedWarning` and an entry in ``failures``. The scores of
    the fold are NaN, and the other folds are kept. A search whose scores are all NaN is a
    failed fit. An estimator that cannot be pickled raises an error if the fits run in other
    processes.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import cross_val_report
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> print(cross_val_report(tree, X, y, cv=3, scoring="cem_ord"))
    The mean of cem_ord over the folds is 0.700 (95% interval 0.675 to 0.725). All
    folds together, cem_ord is 0.700, better than 0.538 for always predicting 2, the
    best constant.
    <BLANKLINE>
    3 folds of 333 to 334 samples by StratifiedKFold, 5 classes.
    ...
    """
    checks.check_share("confidence_level", confidence_level)
    checks.check_classifier("estimator", estimator)
    criteria = _sections.chosen_metrics(
        scoring, _sections.available_kinds([estimator]), argument="scoring", with_direction=True
    )
    y = containers.one_column(y)
    evaluation = _folds.make_evaluation(y, labels, criteria, prevalence)
    fits = _folds.fit_on_folds(
        {"estimator": estimator},
        X,
        y,
        evaluation,
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
    )
    return CrossValReport._from_fits(
        fits,
        "estimator",
        evaluation,
        confidence_level=confidence_level,
        provenance=Provenance.of_now(splitter=fits.splitter, estimators=fits.estimators),
    )


def _criteria_values(
    results: list[FoldResult], evaluation: Evaluation
) -> tuple[ByMetric, ByMetric]:
    """Return the values of each criterion on the folds, and its value on all folds together."""
    scale, y_true, prevalence = evaluation.scale, evaluation.y_true, evaluation.prevalence
    worked: dict[int, FoldPredictions] = {
        result.fold: result.predictions for result in results if result.predictions is not None
    }
    folds = list(worked.values())
    stack = OrdinalConfusion.stack(_fold_confusion(scale, y_true, fold) for fold in folds)
    together = _pooled_confusion(scale, y_true, folds)
    samples = [_fold_samples(scale, y_true, fold) for fold in folds]
    all_samples = _pooled_samples(scale, y_true, folds)
    if prevalence is not None:
        stack, together = stack.at_prevalence(prevalence), together.at_prevalence(prevalence)
        *samples, all_samples = (
            None
            if evidence is None
            else confusion_counts.evidence_at_prevalence(evidence, prevalence)
            for evidence in (*samples, all_samples)
        )
    scores, pooled = ByMetric(), ByMetric()
    for metric in evaluation.metrics:
        scores[metric.name] = np.full(len(results), np.nan)
        pooled[metric.name] = np.nan
        values = [results[fold].values.get(metric.name) for fold in worked]
        if any(value is not None for value in values):
            scores[metric.name][list(worked)] = values
        elif OrdinalConfusion in metric.evidence.accepts:
            scores[metric.name][list(worked)] = metric(stack)
            pooled[metric.name] = checks.check_value(
                f"the value of {metric.name}", metric(together)
            )
        else:
            scores[metric.name][list(worked)] = [_value(metric, fold) for fold in samples]
            pooled[metric.name] = _value(metric, all_samples)
        if metric.evidence.reads_labels:
            # A criterion that fails here also fails on the folds, where it is reported.
            with suppress(Exception):
                pooled[metric.name] = _pooled_value(metric, scale, y_true, folds, prevalence)
    return scores, pooled


def _value(metric: OrdinalMetric, evidence: OrdinalForecasts | OrdinalScores | None) -> float:
    """Return the value for probabilities or scores, NaN if the required evidence is missing."""
    sufficient = metric.evidence.pick([evidence])
    return np.nan if sufficient is None else float(metric(sufficient))


def _mean_in_words(report: CrossValReport) -> str:
    """Return the mean of the first criterion over the folds, and the verdict of all folds."""
    name, mean = next(iter(report.intervals.items()))
    of_folds = "undefined" if np.isnan(mean.estimate) else f"{mean}"
    text = f"The mean of {name} over the folds is {of_folds}."
    metric = report.pooled.metrics.get(name)
    if metric is None or np.isnan(report.pooled.criteria[name]):
        return text
    return f"{text} All folds together, {_ordinal.value_in_words(report.pooled, metric, _DIGITS)}"


def _folds_figure(report: CrossValReport, names: Sequence[str]) -> Figure:
    texts = (f"{name} {report.intervals[name]}" for name in names)
    return Figure(
        partial(report.plot_folds, names),
        "Scores of the folds" if len(names) > 1 else f"Scores of the folds by {names[0]}",
        f"Mean over the folds: {'; '.join(texts)}",
    )


def folds_in_words(report: CrossValReport) -> str:
    """Return the number and size of the folds, and the splitter that made them."""
    by = _sections.folds_by(report.provenance)
    classes = f"{report.n_classes} {formatting.plural(report.n_classes, 'class')}"
    n_folds, n_samples = len(report.fold_predictions), len(report.y_true)
    n_times = _n_repetitions(report.fold_predictions, report.n_test, n_samples)
    if n_times > 1:
        return f"{n_times} x {n_folds // n_times} folds{by}, {n_samples:,} samples, {classes}"
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    samples = f"{size} {formatting.plural(sizes[-1], 'sample')}"
    folds = f"{formatting.counted(n_folds, 'fold')} of {samples}{by}"
    tested = _n_times_tested(report.fold_predictions, n_samples)
    if tested.max() > 1:
        folds += f", {tested.sum():,} predictions of {np.count_nonzero(tested):,} samples"
    return f"{folds}, {classes}"


def pooled_in_words(report: CrossValReport) -> str:
    """Return the part of a caption that describes all folds together."""
    return f", all folds together{', each sample counted once' if _is_repeated(report) else ''}"


def pooled_notes(report: CrossValReport) -> tuple[Note, ...]:
    """Say how samples that are tested several times are counted."""
    text = "Each sample counts once: if it is tested k times, each prediction counts 1/k."
    return (Note(text, is_small=True),) if _is_repeated(report) else ()


def _is_repeated(report: CrossValReport) -> bool:
    return bool(_n_times_tested(report.fold_predictions, len(report.y_true)).max() > 1)


def folds_tables(report: CrossValReport) -> tuple[Part, ...]:
    """Return tables of the means over the folds, of what searches have chosen, and of the folds."""
    sizes = {"training samples": report.n_train, "test samples": report.n_test}
    folds = _folds_table("Folds", report.scores, sizes)
    chosen = (_chosen_table(report.chosen_params),) if report.chosen_params else ()
    notes = _folds_without_value(report.intervals, len(report.n_test))
    return _means_table(report), *notes, *chosen, folds


def _folds_without_value(means: Mapping[str, Interval], n_folds: int) -> tuple[Note, ...]:
    """Return a note on the criteria whose means leave out folds, if there are any."""
    numbers = {name: mean.n_undefined for name, mean in means.items() if mean.n_undefined}
    folds = ", ".join(f"{name} {number} of {n_folds}" for name, number in numbers.items())
    notes = [f"Folds without a value, which the mean leaves out: {folds}."] if numbers else []
    few = [name for name, mean in means.items() if 0 < n_folds - mean.n_undefined < 3]
    if few:
        notes.append(f"No interval from fewer than three folds with a value: {', '.join(few)}.")
    return tuple(map(Note, notes))


def _chosen_table(chosen: Sequence[Mapping[str, str]]) -> Table:
    """Return a row for each choice of a search, with the folds in which it was made."""
    names = list(dict.fromkeys(name for params in chosen for name in params))
    folds: dict[tuple[str, ...], list[str]] = {}
    for fold, params in enumerate(chosen, start=1):
        if params:
            folds.setdefault(tuple(params.get(name, "") for name in names), []).append(str(fold))
    columns = (
        Column("folds"),
        *(Column(name, is_detail=k >= _N_CHOSEN) for k, name in enumerate(names)),
    )
    rows = sorted(folds.items(), key=lambda item: -len(item[1]))
    return Table(
        "Chosen by the search",
        columns,
        tuple((", ".join(numbers), *values) for values, numbers in rows),
    )


def _means_table(report: CrossValReport) -> Table:
    """Return the mean over the folds of each criterion."""
    means = report.intervals
    std = Column("std", "number", full_name="standard deviation over the folds")
    pooled = Column("pooled", "number", full_name="value of all folds together")
    better = {name: _sections.direction_as_text(report.metrics[name]) for name in means}
    return _sections.table(
        "Means over the folds",
        "criterion",
        list(means),
        _sections.estimates("mean", means),
        _sections.block(std, report.stds),
        _sections.ends(means),
        _sections.block(pooled, report.pooled_scores),
        _sections.block(Column("better"), better),
    )


def _folds_table(
    title: str,
    scores: Mapping[str, NDArray[np.float64]],
    details: Mapping[str, NDArray[Any]],
) -> Table:
    """Return the numbers of each fold, with columns that narrow text may leave out."""
    columns = {
        **{Column(name, "number"): values for name, values in scores.items()},
        **{Column(name, "number", is_detail=True): values for name, values in details.items()},
    }
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    numbered = ((f"fold {number}", *row) for number, row in enumerate(rows, start=1))
    return Table(title, (Column("fold"), *columns), tuple(numbered))


def failures_parts(failures: Sequence[FitFailure]) -> tuple[Part, ...]:
    """Return a line for each error, and the traceback of each failure as a detail."""
    if not failures:
        return ()
    lines = tuple(Note(f"Failed: {line}") for line in _folds.failures_as_text(failures))
    return (*lines, Section("Failed fits", tuple(map(_failure_section, failures)), is_detail=True))


def _failure_section(failure: FitFailure) -> Section:
    error = failure.error.partition("\n")[0][:_MOST_OF_AN_ERROR]
    cut = "" if error == failure.error else "…"
    title = f"{failure.name}, fold {failure.fold + 1}: {error}{cut}"
    return Section(title, (Note(str(failure)), Code(failure.traceback)), is_detail=True)
