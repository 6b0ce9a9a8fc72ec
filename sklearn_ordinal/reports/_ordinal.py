"""The report of one confusion matrix, in the form of scikit-learn's classification report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    METRICS,
    ByMetric,
    OrdinalConfusion,
    OrdinalMetric,
    amount_as_text,
    check_integer,
    check_one_matrix,
    check_target_names,
)
from sklearn_ordinal.documents import Document, Note, Part, plain
from sklearn_ordinal.reports._measures import (
    ZeroDivision,
    averages_of,
    check_zero_division,
    measures_per_class,
    warn_of_undefined_measures,
)
from sklearn_ordinal.reports._plots import ConfusionPlots
from sklearn_ordinal.reports._saved import SavedViews, saved
from sklearn_ordinal.reports._sections import (
    classes_table,
    confusion_figure,
    criteria_table,
    direction_as_text,
    errors_figure,
    unanswered_parts,
)

_AVERAGES = ("macro avg", "weighted avg")
_NOT_FOR_CLASSES = {"accuracy", "criteria", "unanswered", *_AVERAGES}


@saved
@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport(ConfusionPlots, SavedViews):
    """Measures of each class, their averages, and every ordinal criterion.

    Make one with `from_predictions`, `from_estimator` or `from_confusion`; `str` gives
    the text, notebooks show a table.

    Parameters
    ----------
    confusion : OrdinalConfusion
        The counts that everything follows from.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    per_class : mapping of str to ndarray of shape (n_classes,)
        Measures of each class: "precision", "recall", "f1-score",
        "mean_absolute_error" (mean distance, in positions on the scale, of the samples
        of the class), "bias" (their mean signed error; positive: predicted too high),
        "within_1" (share of them at most one class away) and "support".
    averages : mapping of str to mapping of str to float
        "macro avg" and "weighted avg" of these measures.
    criteria : mapping of str to float
        The value of each metric by its name, NaN where undefined.
    metrics : mapping of str to OrdinalMetric
        These metrics.
    digits : int, default=2
        Number of digits after the point in text and tables.

    See Also
    --------
    ordinal_report : The same as text or dict in one call.
    sklearn.metrics.classification_report : Precision, recall and f1 without order.

    Notes
    -----
    Each class of the scale has a row, also one that does not occur. Precision, recall
    and f1 average over the classes that are true or predicted, the others over the
    classes that are true, so a class that never occurs changes no average.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalReport
    >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
    >>> report.criteria["cem_ord"]
    0.7486...
    >>> report.per_class["bias"]
    array([ 0. ,  0.5, -0.5])
    """

    confusion: OrdinalConfusion
    target_names: tuple[str, ...]
    per_class: Mapping[str, NDArray[Any]]
    averages: Mapping[str, Mapping[str, float]]
    criteria: Mapping[str, float]
    metrics: Mapping[str, OrdinalMetric] = field(default_factory=dict)
    digits: int = 2

    _by_metric: ClassVar[tuple[str, ...]] = ("criteria",)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        digits : int, default=2
            Number of digits after the point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, or
            `target_names` does not name each class once.
        """
        confusion = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=labels, sample_weight=sample_weight
        )
        return cls.from_confusion(
            confusion, target_names=target_names, digits=digits, zero_division=zero_division
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on what a fitted estimator predicts.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        digits : int, default=2
            Number of digits after the point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, or
            `target_names` does not name each class once.
        """
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=labels,
            target_names=target_names,
            sample_weight=sample_weight,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        target_names: Sequence[str] | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on counts, say those of all folds together.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        digits : int, default=2
            Number of digits after the point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the counts are a stack of matrices or hold no samples, or `target_names`
            does not name each class once.
        """
        check_one_matrix(confusion)
        check_integer("digits", digits, at_least=0)
        names = check_target_names(target_names, confusion.scale)
        replacement = check_zero_division(zero_division)
        per_class = measures_per_class(confusion.counts)
        metrics = ByMetric(METRICS)
        criteria = ByMetric({name: metric(confusion) for name, metric in metrics.items()})
        if zero_division == "warn":
            warn_of_undefined_measures(per_class, criteria, names)
        for column in ("precision", "recall", "f1-score"):
            per_class[column] = np.where(
                np.isnan(per_class[column]), replacement, per_class[column]
            )
        return cls(
            confusion=confusion,
            target_names=names,
            per_class=per_class,
            averages=averages_of(per_class, confusion.counts),
            criteria=criteria,
            metrics=metrics,
            digits=digits,
        )

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    def __repr__(self) -> str:
        return (
            f"OrdinalReport({len(self.target_names)} classes, "
            f"cem_ord={self.criteria['cem_ord']:.{self.digits}f})"
        )

    def _plotted(self) -> OrdinalReport:
        return self

    def document(self) -> Document:
        """Return what a reader sees of the report.

        Returns
        -------
        Document
            The classes, the criteria, and plots of the matrix and of the errors.
        """
        total = amount_as_text(self.confusion.counts.sum().item())
        unit = "total weight" if self.confusion.is_weighted else "samples"
        names = self.target_names
        summary = (
            f"{total} {unit}, {len(names)} classes from {names[0]} (lowest) to {names[-1]} "
            f"(highest)."
        )
        return Document(
            "Ordinal report",
            (
                Note(summary),
                *report_tables(self),
                confusion_figure(self.confusion, names),
                errors_figure(self.confusion, names, self.per_class["recall"]),
            ),
            digits=self.digits,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers, laid out as `classification_report` does.

        Returns
        -------
        dict
            For each class name, "macro avg" and "weighted avg" a dict of the measures;
            "accuracy" a float; "criteria" a dict of floats; "unanswered" the number of
            samples without a prediction, if the confusion counts them. None where
            undefined.

        Raises
        ------
        ValueError
            If a class has the name of another key.
        """
        clashing = sorted(_NOT_FOR_CLASSES.intersection(self.target_names))
        if clashing:
            raise ValueError(
                f"target_names must differ from the other keys of the dict, got "
                f"{', '.join(clashing)}: rename the class, or use to_frame."
            )
        unanswered = self.confusion.unanswered
        columns = {name: values.tolist() for name, values in self.per_class.items()}
        rows = {
            target_name: {column: values[position] for column, values in columns.items()}
            for position, target_name in enumerate(self.target_names)
        }
        numbers: dict[str, Any] = plain(
            {
                **rows,
                "accuracy": self.criteria["accuracy"],
                **self.averages,
                "criteria": dict(self.criteria),
                **({} if unanswered is None else {"unanswered": unanswered.sum().item()}),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each measure of each class and average, then for each criterion."""
        of_classes = [
            {"criterion": measure, "class": name, "value": value}
            for measure, values in self.per_class.items()
            for name, value in zip(self.target_names, values.tolist(), strict=True)
        ]
        of_averages = [
            {"criterion": measure, "class": name, "value": value}
            for name, average in self.averages.items()
            for measure, value in average.items()
        ]
        n_classes = len(self.target_names)
        of_criteria = [
            {
                "criterion": name,
                "class": None,
                "value": value,
                "better": direction_as_text(self.metrics[name]),
                **dict(
                    zip(("lowest", "highest"), self.metrics[name].bounds(n_classes), strict=True)
                ),
            }
            for name, value in self.criteria.items()
        ]
        return [*of_criteria, *of_classes, *of_averages]


def report_tables(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the tables of the classes and of the criteria."""
    classes = classes_table(
        report.target_names, report.per_class, report.averages, report.criteria["accuracy"]
    )
    criteria = criteria_table(report.metrics, report.criteria, len(report.target_names))
    return (classes, *unanswered_parts(report.confusion), criteria)
