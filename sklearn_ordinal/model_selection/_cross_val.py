"""Reports of every fold and of all folds together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    MetricLike,
    OrdinalConfusion,
    OrdinalMetric,
    check_share,
    class_sizes,
    get_metrics,
)
from sklearn_ordinal.inference import Interval, corrected_t_interval
from sklearn_ordinal.model_selection._folds import FitFailure, FoldResult, Split, fit_on_folds
from sklearn_ordinal.model_selection._html import cross_val_parts, cross_val_tables
from sklearn_ordinal.model_selection._text import cross_val_as_text
from sklearn_ordinal.report import OrdinalReport
from sklearn_ordinal.report._document import write_document
from sklearn_ordinal.report._frame import data_frame
from sklearn_ordinal.report._html import fragment

DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "within_1_accuracy",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
)


@dataclass(frozen=True, eq=False, repr=False)
class CrossValReport:
    """Reports of every fold and of all folds together.

    `cross_val_report` makes one; `str` gives the text, notebooks show a table.

    Parameters
    ----------
    confusions : tuple of OrdinalConfusion or None
        The counts of each fold, all over the same scale; None where the fit failed.
    metrics : mapping of str to OrdinalMetric
        What the catalogue knows of each chosen criterion.
    scores : mapping of str to ndarray of shape (n_folds,)
        The values of each chosen criterion, in its own direction; NaN where the fit
        failed or the criterion is undefined.
    intervals : mapping of str to Interval
        Mean over the folds of each chosen criterion, with its corrected resampled t
        interval.
    n_train : ndarray of shape (n_folds,)
        Number of samples that each fold was fitted on.
    n_test : ndarray of shape (n_folds,)
        Number of samples that each fold was scored on.
    fit_times : ndarray of shape (n_folds,)
        Seconds of each fit.
    score_times : ndarray of shape (n_folds,)
        Seconds of prediction and counting.
    estimators : tuple of estimators or None, default=None
        The fitted estimators, if they were asked for.
    failures : tuple of FitFailure, default=()
        The folds that failed.

    Attributes
    ----------
    folds : tuple of OrdinalReport or None
        One report per fold with every criterion; None where the fit failed.
    pooled : OrdinalReport
        The report on the counts of all folds together. With repeated folds, a sample
        counts once for each repetition.
    pooled_scores : dict of str to float
        Value of each chosen criterion on the counts of all folds together.
    stds : dict of str to float
        Standard deviation over the folds of each chosen criterion.
    n_classes : int
        Number of classes on the scale.

    See Also
    --------
    cross_val_report : Make the report of an estimator.
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

    confusions: tuple[OrdinalConfusion | None, ...]
    metrics: Mapping[str, OrdinalMetric]
    scores: Mapping[str, NDArray[np.float64]]
    intervals: Mapping[str, Interval]
    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]
    fit_times: NDArray[np.float64]
    score_times: NDArray[np.float64]
    estimators: tuple[Any, ...] | None = None
    failures: tuple[FitFailure, ...] = ()

    @classmethod
    def _from_results(
        cls,
        results: Sequence[FoldResult],
        splits: Sequence[Split],
        metrics: Mapping[str, OrdinalMetric],
        *,
        confidence_level: float,
        return_estimator: bool,
    ) -> Self:
        n_train, n_test = (np.array([len(split[part]) for split in splits]) for part in (0, 1))
        confusions = {r.fold: r.confusion for r in results if r.confusion is not None}
        stack = OrdinalConfusion.stack(confusions.values())
        scores = {name: np.full(len(results), np.nan) for name in metrics}
        for name, metric in metrics.items():
            scores[name][list(confusions)] = metric(stack)
        intervals = {
            name: corrected_t_interval(
                values,
                n_train=n_train.mean(),
                n_test=n_test.mean(),
                confidence_level=confidence_level,
            )
            for name, values in scores.items()
        }
        return cls(
            confusions=tuple(result.confusion for result in results),
            metrics=metrics,
            scores=scores,
            intervals=intervals,
            n_train=n_train,
            n_test=n_test,
            fit_times=np.array([result.fit_time for result in results]),
            score_times=np.array([result.score_time for result in results]),
            estimators=tuple(r.estimator for r in results) if return_estimator else None,
            failures=tuple(r.failure for r in results if r.failure is not None),
        )

    @cached_property
    def folds(self) -> tuple[OrdinalReport | None, ...]:
        """One report per fold; None where the fit failed."""
        return tuple(
            None if counts is None else OrdinalReport.from_confusion(counts, zero_division=0.0)
            for counts in self.confusions
        )

    @cached_property
    def pooled(self) -> OrdinalReport:
        """The report on the counts of all folds together."""
        return OrdinalReport.from_confusion(self._pooled_confusion, zero_division=0.0)

    @cached_property
    def _pooled_confusion(self) -> OrdinalConfusion:
        worked = (counts for counts in self.confusions if counts is not None)
        return OrdinalConfusion.stack(worked).pooled()

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self._pooled_confusion.labels)

    @property
    def pooled_scores(self) -> dict[str, float]:
        """Value of each chosen criterion on the counts of all folds together."""
        confusion = self._pooled_confusion
        return {name: float(metric(confusion)) for name, metric in self.metrics.items()}

    @property
    def stds(self) -> dict[str, float]:
        """Standard deviation over the folds of each chosen criterion."""
        defined = {name: values[~np.isnan(values)] for name, values in self.scores.items()}
        return {
            name: float(values.std(ddof=1)) if len(values) > 1 else np.nan
            for name, values in defined.items()
        }

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        means = (f"{name}={interval.estimate:.3f}" for name, interval in self.intervals.items())
        return f"CrossValReport({len(self.confusions)} folds, {', '.join(means)})"

    def to_text(self, *, whole_reports: bool = False, digits: int = 3) -> str:
        """Return the report as text.

        Parameters
        ----------
        whole_reports : bool, default=False
            Whether to print the whole report of each fold and of all folds together
            first.
        digits : int, default=3
            Number of digits after the point.

        Returns
        -------
        str
            For each criterion a line per fold, mean, standard deviation and interval.
        """
        return cross_val_as_text(self, whole_reports=whole_reports, digits=digits)

    def to_html(self, path: str | PathLike[str], *, title: str = "Cross-validation") -> None:
        """Write the report as one HTML file that needs nothing else.

        The file opens without network, in light and dark and on paper. Its tables sort
        by a click on a header; its pictures need matplotlib where it is written, and
        are left out, which the file says, where that is not installed.

        Parameters
        ----------
        path : str or path-like
            The file to write; one that exists is replaced.
        title : str, default="Cross-validation"
            Heading of the page.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_document(path, title=title, parts=cross_val_parts(self))

    def _repr_html_(self) -> str:
        return fragment(cross_val_tables(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each chosen criterion its value in each fold ("folds"),
            "mean", "std", "low", "high", "confidence_level", "n_undefined" and the value
            of all folds "pooled"; "folds": `OrdinalReport.to_dict` of each, None where
            the fit failed; "pooled": the same of all folds together; "n_train",
            "n_test", "fit_times", "score_times": a list with one number per fold;
            "failures": a list of dicts.
        """
        return {
            "criteria": self._criteria(),
            "folds": [None if report is None else report.to_dict() for report in self.folds],
            "pooled": self.pooled.to_dict(),
            "n_train": self.n_train.tolist(),
            "n_test": self.n_test.tolist(),
            "fit_times": self.fit_times.tolist(),
            "score_times": self.score_times.tolist(),
            "failures": [asdict(failure) for failure in self.failures],
        }

    def _criteria(self) -> dict[str, dict[str, Any]]:
        stds, pooled_scores = self.stds, self.pooled_scores
        return {
            name: {
                "folds": values.tolist(),
                "mean": self.intervals[name].estimate,
                "std": stds[name],
                "low": self.intervals[name].low,
                "high": self.intervals[name].high,
                "confidence_level": self.intervals[name].confidence_level,
                "n_undefined": self.intervals[name].n_undefined,
                "pooled": pooled_scores[name],
            }
            for name, values in self.scores.items()
        }

    def to_frame(self) -> Any:
        """Return the chosen criteria as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            A row for each criterion; a column for each fold, then "mean", "std", "low",
            "high" and "pooled".

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        columns = ("mean", "std", "low", "high", "pooled")
        return data_frame(
            {
                name: {
                    **{f"fold {i}": value for i, value in enumerate(row["folds"], start=1)},
                    **{column: row[column] for column in columns},
                }
                for name, row in self._criteria().items()
            }
        )


def cross_val_report(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    metrics: MetricLike | Iterable[MetricLike] | None = None,
    params: Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool = True,
) -> CrossValReport:
    """Report on an estimator in cross-validation, fold by fold and pooled.

    The scale is taken once from all of `y`, so folds without some class stay comparable.

    Parameters
    ----------
    estimator : estimator instance
        Classifier, pipeline or search, cloned for each fold.
    X : array-like of shape (n_samples, n_features)
        Features, of any kind that the estimator takes.
    y : array-like of shape (n_samples,)
        True classes.
    cv : int, cross-validation generator or iterable, default=None
        Number of stratified folds, by default 5, a splitter, or a list of (train, test)
        indices.
    groups : array-like of shape (n_samples,), default=None
        Groups for the splitter.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    metrics : str, callable, or sequence of them, default=None
        The criteria to summarise: names such as "cem_ord", without ``neg_``, metric
        functions, or functions with options bound by `functools.partial`. By default
        six common ones. The report of each fold has every criterion.
    params : dict, default=None
        Parameters for ``estimator.fit``; if metadata routing is enabled, also for the
        splitter and for nested estimators, as each requests.
    confidence_level : float, default=0.95
        Level of the intervals.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn. The backend is joblib's: a
        `joblib.parallel_config` around the call takes it to dask or ray.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    verbose : bool, default=True
        Whether to show progress, if tqdm is installed and stderr is a terminal.

    Returns
    -------
    CrossValReport
        Reports of the folds and of all folds pooled.

    Raises
    ------
    ValueError
        If the order of the classes is not known, a class is not in `labels`, a metric
        is not known, or every fit fails.

    See Also
    --------
    compare_estimators : Several estimators on the same folds, beside baselines.
    sklearn.model_selection.cross_validate : Scores alone, of any scorer.

    Notes
    -----
    A fit that fails gives a `FitFailedWarning`, an entry in ``failures`` and NaN scores,
    and leaves the other folds as they are. An estimator that cannot be pickled fails as a
    whole if it is sent to other processes.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import cross_val_report
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> print(cross_val_report(tree, X, y, cv=3, metrics="cem_ord"))
    3 folds of 333 to 334 samples, 5 classes
    <BLANKLINE>
    cem_ord (0 to 1, higher is better)
      fold 1      0.702
      fold 2      0.705
      fold 3      0.693
      mean        0.700   std 0.006   95% interval 0.675 to 0.725
      pooled      0.700
    <BLANKLINE>
    """
    check_share("confidence_level", confidence_level)
    chosen = get_metrics(DEFAULT_METRICS if metrics is None else metrics, argument="metrics")
    splits, results = fit_on_folds(
        {"estimator": estimator},
        X,
        y,
        labels=class_sizes(y, labels)[0],
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
    )
    return CrossValReport._from_results(
        results["estimator"],
        splits,
        {metric.name: metric for metric in chosen},
        confidence_level=confidence_level,
        return_estimator=return_estimator,
    )
