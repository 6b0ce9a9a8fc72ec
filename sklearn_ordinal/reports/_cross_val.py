"""The report of an estimator in cross-validation: every fold, and all folds together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    ByMetric,
    IntegerArray,
    Kind,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScale,
    check_array,
    check_dict,
    check_instance,
    check_shares_of_sizes,
    check_tuple,
    is_several,
    shown,
)
from sklearn_ordinal.documents import Document, Figure, Note, Part, Section, counted, plain, plural
from sklearn_ordinal.plotting import FoldScoresDisplay
from sklearn_ordinal.reports._checks import (
    check_estimates,
    check_metrics,
    check_prevalence,
    check_provenance,
    check_score,
    check_scores,
)
from sklearn_ordinal.reports._criteria import ALL_KINDS, chosen_metrics
from sklearn_ordinal.reports._failures import FitFailure, failures_parts
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._ordinal_views import report_tables
from sklearn_ordinal.reports._plots import ConfusionPlots
from sklearn_ordinal.reports._predictions import (
    FoldPredictions,
    confusion_of,
    n_repetitions,
    n_times_tested,
    pooled_confusion,
    predictions_of,
    samples_of,
    samples_of_fold,
)
from sklearn_ordinal.reports._prevalence import notes_on_prevalence
from sklearn_ordinal.reports._provenance import Provenance, folds_by, footer
from sklearn_ordinal.reports._saved import SavedViews, saved
from sklearn_ordinal.reports._sections import (
    confusion_figure,
    direction_as_text,
    errors_figure,
    folds_table,
    means_table,
)


@saved
@dataclass(frozen=True, eq=False, repr=False)
class CrossValReport(ConfusionPlots, SavedViews):
    """Reports of every fold and of all folds together.

    `cross_val_report` makes one; `str` gives the text, notebooks show tables.

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
        The values of each criterion, in its own direction; NaN where the fit failed or
        the criterion is undefined.
    intervals : mapping of str to Interval
        Mean over the folds of each criterion, with its corrected resampled t interval, which
        is about the models fitted on this data and not about the learning algorithm.
    pooled_scores : mapping of str to float
        Value of each criterion on all folds together, where each sample counts once; NaN
        if it needs the estimator. A criterion of your own that takes no sample_weight is
        averaged over the repetitions if samples are tested several times, and NaN if some
        are tested more often than others.
    n_train : ndarray of shape (n_folds,)
        Number of different samples that each fold was fitted on.
    n_test : ndarray of shape (n_folds,)
        Number of samples that each fold was scored on.
    fit_times : ndarray of shape (n_folds,)
        Duration of each fit in seconds.
    score_times : ndarray of shape (n_folds,)
        Duration of prediction and scoring in seconds.
    estimators : tuple of estimators or None, default=None
        The fitted estimators, if `return_estimator` was set. They are neither saved nor
        compared.
    failures : tuple of FitFailure, default=()
        Fits and evaluations of criteria that failed.
    prevalence : ndarray of shape (n_classes,), default=None
        Share of each true class at which the scores and the reports of folds are; None if the
        classes have their own sizes.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    confusions : tuple of OrdinalConfusion or None
        The counts of each fold, all over the same scale; None where the fit failed.
    folds : tuple of OrdinalReport or None
        One report per fold, with the criteria of this one, and with its probabilities if
        they were kept; None where the fit failed.
    pooled : OrdinalReport
        The report on all folds together, with the same criteria and probabilities. A sample
        counts once: if it is tested k times, each of its predictions counts 1 / k.
    predictions : pandas.DataFrame or dict of str to ndarray
        A row for each prediction.
    stds : dict of str to float
        Standard deviation over the folds of each criterion.
    n_classes : int
        Number of classes on the scale.

    Raises
    ------
    ValueError
        If fields are of another type or do not fit each other, or a value is outside its
        range.

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
    >>> report = cross_val_report(tree, X, y, metrics=["cem_ord"])
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
    prevalence: NDArray[np.float64] | None = None
    provenance: Provenance | None = field(default=None, compare=False)

    _by_metric: ClassVar[tuple[str, ...]] = ("scores", "intervals", "pooled_scores")
    _not_saved: ClassVar[tuple[str, ...]] = ("estimators",)

    def __post_init__(self) -> None:
        check_instance("scale", self.scale, OrdinalScale)
        check_tuple("fold_predictions", self.fold_predictions, FoldPredictions, or_none=True)
        n_classes, n_folds = len(self.scale), len(self.fold_predictions)
        check_array("y_true", self.y_true, (None,), 0, n_classes - 1, kinds="iu")
        check_prevalence(self.prevalence, n_classes)
        for name in ("n_train", "n_test"):
            check_array(name, getattr(self, name), (n_folds,), 0, kinds="iu")
        for name in ("fit_times", "score_times"):
            check_array(name, getattr(self, name), (n_folds,), 0)
        self._check_folds()
        check_metrics(self.metrics)
        for name in self._by_metric:
            check_dict(name, getattr(self, name), object, keys=self.metrics)
        for name, metric in self.metrics.items():
            scores, pooled = self.scores[name], self.pooled_scores[name]
            check_scores(f"scores[{name!r}]", scores, metric, n_folds, n_classes)
            check_score(f"pooled_scores[{name!r}]", pooled, metric, n_classes)
            check_estimates("intervals", {name: self.intervals[name]}, metric, n_classes)
        check_instance("estimators", self.estimators, tuple, or_none=True)
        check_tuple("failures", self.failures, FitFailure)
        check_provenance(self.provenance)

    def _check_folds(self) -> None:
        if not any(self.fold_predictions):
            raise ValueError("fold_predictions must contain predictions, got none of any fold.")
        for number, fold in enumerate(self.fold_predictions):
            if fold is None:
                continue
            name, size = f"fold_predictions[{number}]", int(self.n_test[number])
            last, n_classes = len(self.y_true) - 1, len(self.scale)
            check_array(f"{name}.test", fold.test, (size,), 0, last, kinds="iu")
            check_array(f"{name}.y_pred", fold.y_pred, (size,), 0, n_classes - 1, kinds="iu")
            if fold.y_proba is not None:
                check_array(f"{name}.y_proba", fold.y_proba, (size, n_classes))
            if self.prevalence is not None:
                sizes = np.bincount(self.y_true[fold.test], minlength=n_classes)
                labels = self.scale.labels
                check_shares_of_sizes("prevalence", self.prevalence, sizes, labels)

    @cached_property
    def confusions(self) -> tuple[OrdinalConfusion | None, ...]:
        """The counts of each fold; None where the fit failed."""
        return tuple(
            None if fold is None else confusion_of(self.scale, self.y_true[fold.test], fold.y_pred)
            for fold in self.fold_predictions
        )

    @cached_property
    def folds(self) -> tuple[OrdinalReport | None, ...]:
        """One report per fold; None where the fit failed."""
        return tuple(
            None if fold is None else self._report_of_fold(number, fold)
            for number, fold in enumerate(self.fold_predictions)
        )

    @cached_property
    def pooled(self) -> OrdinalReport:
        """The report on all folds together, where each sample counts once."""
        worked = [fold for fold in self.fold_predictions if fold is not None]
        counts = pooled_confusion(self.scale, self.y_true, worked)
        evidence = samples_of(self.scale, self.y_true, worked)
        return self._report(counts, self.pooled_scores, evidence)

    @property
    def predictions(self) -> Any:
        """A row for each prediction, as a data frame or, without pandas, as a dict of columns.

        "sample" is the position of the sample in the data, "fold" that of the fold, and
        "repetition" how often the sample was predicted before. "y_true" and "y_pred" are
        labels; where probabilities were kept, "proba_<label>" has those of each class.
        """
        return predictions_of(self.scale, self.y_true, self.fold_predictions)

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def stds(self) -> ByMetric:
        """Standard deviation over the folds of each criterion."""
        finite = {name: values[np.isfinite(values)] for name, values in self.scores.items()}
        return ByMetric(
            {
                name: float(values.std(ddof=1)) if len(values) > 1 else np.nan
                for name, values in finite.items()
            }
        )

    def __repr__(self) -> str:
        means = (f"{name}={interval.estimate:.3f}" for name, interval in self.intervals.items())
        return f"CrossValReport({len(self.fold_predictions)} folds, {', '.join(means)})"

    def _report_of_fold(self, number: int, fold: FoldPredictions) -> OrdinalReport:
        counts = confusion_of(self.scale, self.y_true[fold.test], fold.y_pred)
        scores = {name: float(values[number]) for name, values in self.scores.items()}
        return self._report(counts, scores, samples_of_fold(self.scale, self.y_true, fold))

    def _report(
        self, counts: OrdinalConfusion, scores: Mapping[str, float], evidence: Any
    ) -> OrdinalReport:
        """Report on counts, and on probabilities if they were kept."""
        forecasts = evidence if isinstance(evidence, OrdinalForecasts) else None
        return OrdinalReport._of_evidence(
            counts,
            self.metrics.values(),
            scores,
            self.provenance,
            forecasts=forecasts,
            prevalence=self.prevalence,
        )

    def _plotted(self) -> OrdinalReport:
        return self.pooled

    def plot_folds(
        self, criterion: Any = None, *, ax: Any = None, **options: Any
    ) -> FoldScoresDisplay:
        """Draw the scores of each fold, with their mean and its interval.

        Parameters
        ----------
        criterion : str or sequence of str, default=None
            One or several of the criteria, as `get_metric` takes them. If None, those
            whose best value is 1, which can share an axis, or else the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
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
        if criterion is None:
            names = self._best_at_one() or list(self.scores)[:1]
        else:
            chosen = criterion if is_several(criterion) else [criterion]
            names = [self.scores.name_of(one, "criterion") for one in chosen]
        if not names:
            raise ValueError(
                f"criterion must be among {list(self.scores)}, got {shown(criterion)}."
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
            The criteria over the folds, plots, all folds together, and on demand the
            report of each fold.
        """
        pooled, whose = self.pooled, pooled_in_words(self)
        names = pooled.target_names
        # Criteria with the same best value share a plot.
        shared = self._best_at_one()
        alone = [[name] for name in self.metrics if name not in shared]
        kinds: tuple[Kind, ...] = ("labels",) if pooled.forecasts is None else ALL_KINDS
        in_full = OrdinalReport._of_evidence(
            pooled.confusion, chosen_metrics("all", kinds), {}, None, forecasts=pooled.forecasts
        )
        classes, *others = report_tables(in_full)
        each = (
            Section(
                f"Fold {number}",
                (Note("failed"),) if fold is None else report_tables(fold),
                is_detail=True,
            )
            for number, fold in enumerate(self.folds, start=1)
        )
        times = folds_table(
            "Seconds", {"fit": self.fit_times, "scoring": self.score_times}, details={}
        )
        return Document(
            "Cross-validation",
            (
                Note(f"{folds_in_words(self)}."),
                *notes_on_prevalence(self.prevalence, names),
                *failures_parts(self.failures),
                *folds_tables(self),
                *(self._folds_figure(chosen) for chosen in (shared, *alone) if chosen),
                confusion_figure(pooled.confusion, names, whose),
                errors_figure(pooled.confusion, names, whose),
                Section(
                    "All folds together",
                    (*notes_on_pooled(self), classes, *pooled._figures_of_thresholds()),
                ),
                Section("Every criterion, all folds together", tuple(others), is_detail=True),
                Section("Each fold", tuple(each), is_detail=True),
                Section("Times", (times,), is_detail=True),
            ),
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion its value in each fold ("folds"), "mean",
            "std", "low", "high", "confidence_level", "n_undefined" and the value of all
            folds "pooled"; "folds": `OrdinalReport.to_dict` of each, None where the fit
            failed; "pooled": the same of all folds together; "n_train", "n_test",
            "fit_times", "score_times": a list with one number per fold; "prevalence";
            "failures": a list of dicts. None where undefined.
        """
        numbers: dict[str, Any] = plain(
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
                "better": direction_as_text(self.metrics[name]),
            }
            for name, interval in self.intervals.items()
        ]

    def _best_at_one(self) -> list[str]:
        return [
            name
            for name, metric in self.metrics.items()
            if metric.greater_is_better and metric.bounds(self.n_classes)[1] == 1
        ]

    def _folds_figure(self, names: Sequence[str]) -> Figure:
        texts = (f"{name} {self.intervals[name]}" for name in names)
        return Figure(
            partial(self.plot_folds, names),
            "Scores of the folds" if len(names) > 1 else f"Scores of the folds by {names[0]}",
            f"Mean over the folds: {'; '.join(texts)}",
        )


def folds_in_words(report: CrossValReport) -> str:
    """Return the number and size of the folds, and the splitter that made them."""
    by = folds_by(report.provenance)
    classes = f"{report.n_classes} {plural(report.n_classes, 'class')}"
    n_folds, n_samples = len(report.fold_predictions), len(report.y_true)
    n_times = n_repetitions(report.fold_predictions, report.n_test, n_samples)
    if n_times > 1:
        return f"{n_times} x {n_folds // n_times} folds{by}, {n_samples} samples, {classes}"
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    samples = f"{size} {plural(sizes[-1], 'sample')}"
    folds = f"{counted(n_folds, 'fold')} of {samples}{by}"
    tested = n_times_tested(report.fold_predictions, n_samples)
    if tested.max() > 1:
        folds += f", {tested.sum()} predictions of {np.count_nonzero(tested)} samples"
    return f"{folds}, {classes}"


def pooled_in_words(report: CrossValReport) -> str:
    """Return what captions say of all folds together."""
    return f", all folds together{', each sample counted once' if _is_repeated(report) else ''}"


def notes_on_pooled(report: CrossValReport) -> tuple[Note, ...]:
    """Say how samples count that are tested several times."""
    text = "Each sample counts once: if it is tested k times, each prediction counts 1/k."
    return (Note(text, is_small=True),) if _is_repeated(report) else ()


def _is_repeated(report: CrossValReport) -> bool:
    return bool(n_times_tested(report.fold_predictions, len(report.y_true)).max() > 1)


def folds_tables(report: CrossValReport) -> tuple[Part, ...]:
    """Return a table of the means over the folds and one of the folds."""
    summary = means_table(report._records(), report.metrics, report.n_classes)
    sizes = {"training samples": report.n_train, "test samples": report.n_test}
    return summary, folds_table("Folds", report.scores, sizes)
