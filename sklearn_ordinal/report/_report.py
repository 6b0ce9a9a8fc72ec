"""A report per class and per criterion, in the form of scikit-learn's classification report."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import metrics as _metrics  # noqa: F401 - fills the catalogue
from sklearn_ordinal._core import (
    METRICS,
    Counts,
    OrdinalConfusion,
    check_integer,
    check_one_matrix,
    check_target_names,
    divide,
    margins,
    mean_where_defined,
)
from sklearn_ordinal.metrics._accuracy import f1_per_class, sensitivities, within_n_per_class
from sklearn_ordinal.metrics._error import bias_per_class, mean_absolute_error_per_class
from sklearn_ordinal.report._document import write_document
from sklearn_ordinal.report._frame import data_frame
from sklearn_ordinal.report._html import fragment, report_tables
from sklearn_ordinal.report._pictures import report_parts
from sklearn_ordinal.report._text import report_as_text

ZeroDivision: TypeAlias = Literal["warn"] | float

COLUMNS = ("precision", "recall", "f1-score", "mean_absolute_error", "bias", "within_1", "support")
_AVERAGES = ("macro avg", "weighted avg")
_NOT_FOR_CLASSES = {"accuracy", "criteria", "unanswered", *_AVERAGES}


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport:
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
        The value of each metric of the package by its name, NaN where undefined.
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
    digits: int = 2

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
        names = _check_target_names(target_names, confusion)
        replacement = _check_zero_division(zero_division)
        per_class = _measures_per_class(confusion.counts)
        criteria = {name: float(metric(confusion)) for name, metric in METRICS.items()}
        if zero_division == "warn":
            _warn_of_undefined(per_class, criteria, names)
        for column in ("precision", "recall", "f1-score"):
            per_class[column] = np.where(
                np.isnan(per_class[column]), replacement, per_class[column]
            )
        return cls(
            confusion=confusion,
            target_names=names,
            per_class=per_class,
            averages=_averages(per_class, confusion.counts),
            criteria=criteria,
            digits=digits,
        )

    def __str__(self) -> str:
        return report_as_text(self.to_dict(), METRICS, self.target_names, self.digits)

    def __repr__(self) -> str:
        return (
            f"OrdinalReport({len(self.target_names)} classes, "
            f"cem_ord={self.criteria['cem_ord']:.{self.digits}f})"
        )

    def _repr_html_(self) -> str:
        return fragment(report_tables(self))

    def to_html(self, path: str | PathLike[str], *, title: str = "Ordinal report") -> None:
        """Write the report as one HTML file that needs nothing else.

        The file opens without network, in light and dark and on paper. Its tables sort
        by a click on a header; its pictures need matplotlib where it is written, and
        are left out, which the file says, where that is not installed.

        Parameters
        ----------
        path : str or path-like
            The file to write; one that exists is replaced.
        title : str, default="Ordinal report"
            Heading of the page.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_document(path, title=title, parts=report_parts(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers, laid out as `classification_report` does.

        Returns
        -------
        dict
            For each class name, "macro avg" and "weighted avg" a dict of the measures;
            "accuracy" a float; "criteria" a dict of floats; "unanswered" the number of
            samples without a prediction, if the confusion counts them.
        """
        unanswered = self.confusion.unanswered
        columns = {name: values.tolist() for name, values in self.per_class.items()}
        rows = {
            target_name: {column: values[position] for column, values in columns.items()}
            for position, target_name in enumerate(self.target_names)
        }
        return {
            **rows,
            "accuracy": self.criteria["accuracy"],
            **{name: dict(average) for name, average in self.averages.items()},
            "criteria": dict(self.criteria),
            **({} if unanswered is None else {"unanswered": unanswered.sum().item()}),
        }

    def to_frame(self, table: Literal["classes", "criteria"] = "classes") -> Any:
        """Return the numbers as a pandas DataFrame.

        Parameters
        ----------
        table : {"classes", "criteria"}, default="classes"
            "classes": a row for each class and average, a column for each measure.
            "criteria": a row for each criterion with its value, direction and range.

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If `table` is not known.
        """
        if table not in ("classes", "criteria"):
            raise ValueError(f"table must be 'classes' or 'criteria', got {table!r}.")
        numbers = self.to_dict()
        if table == "classes":
            return data_frame({row: numbers[row] for row in (*self.target_names, *_AVERAGES)})
        rows = {}
        for name, value in self.criteria.items():
            lowest, highest = METRICS[name].bounds(len(self.target_names))
            rows[name] = {
                "value": value,
                "greater_is_better": METRICS[name].greater_is_better,
                "lowest": lowest,
                "highest": highest,
            }
        return data_frame(rows)


def ordinal_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
) -> str | dict[str, Any]:
    """Report on ordinal predictions, as `classification_report` does on nominal ones.

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
        Number of digits after the point in the text.
    output_dict : bool, default=False
        Whether to return a dict, else text.
    zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
        Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
        warning; the others also silence the warning about undefined criteria.

    Returns
    -------
    str or dict
        For each class precision, recall, f1, mean absolute error (MAE) and bias in
        positions on the scale, share within 1 class, and support; their averages; and
        each ordinal criterion with its range and direction.

    Raises
    ------
    ValueError
        If the order of the classes is not known, a class is not in `labels`, or
        `target_names` does not name each class once.

    See Also
    --------
    OrdinalReport : The report as an object.

    Examples
    --------
    >>> from sklearn_ordinal import ordinal_report
    >>> print(ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1]))
                  precision  recall  f1-score   MAE   bias  within 1  support
    ...
    """
    report = OrdinalReport.from_predictions(
        y_true,
        y_pred,
        labels=labels,
        target_names=target_names,
        sample_weight=sample_weight,
        digits=digits,
        zero_division=zero_division,
    )
    return report.to_dict() if output_dict else str(report)


def _check_target_names(
    target_names: Sequence[str] | None, confusion: OrdinalConfusion
) -> tuple[str, ...]:
    names = check_target_names(target_names, confusion.scale)
    if not _NOT_FOR_CLASSES.isdisjoint(names):
        raise ValueError(
            f"target_names must differ from each other and from "
            f"{', '.join(sorted(_NOT_FOR_CLASSES))}, got {list(names)}."
        )
    return names


def _check_zero_division(zero_division: ZeroDivision) -> float:
    if isinstance(zero_division, str) and zero_division == "warn":
        return 0.0
    if isinstance(zero_division, Real) and (zero_division in (0, 1) or math.isnan(zero_division)):
        return float(zero_division)
    raise ValueError(f"zero_division must be 'warn', 0.0, 1.0 or np.nan, got {zero_division!r}.")


def _measures_per_class(counts: Counts) -> dict[str, NDArray[Any]]:
    _, pred = margins(counts)
    return {
        "precision": divide(np.diagonal(counts), pred),
        "recall": sensitivities(counts),
        "f1-score": f1_per_class(counts),
        "mean_absolute_error": mean_absolute_error_per_class(counts),
        "bias": bias_per_class(counts),
        "within_1": within_n_per_class(counts, n=1),
        "support": counts.sum(axis=-1),
    }


def _averages(per_class: Mapping[str, NDArray[Any]], counts: Counts) -> dict[str, dict[str, float]]:
    support = per_class["support"]
    occurs = (support + counts.sum(axis=0)) > 0
    measures = [column for column in COLUMNS if column != "support"]
    macro = {name: float(mean_where_defined(per_class[name], occurs)) for name in measures}
    weighted = {name: float(mean_where_defined(per_class[name], support)) for name in measures}
    total = support.sum().item()
    return {
        "macro avg": {**macro, "support": total},
        "weighted avg": {**weighted, "support": total},
    }


def _warn_of_undefined(
    per_class: Mapping[str, NDArray[Any]], criteria: Mapping[str, float], names: Sequence[str]
) -> None:
    undefined = [
        f"{column} of {', '.join(np.array(names)[np.isnan(per_class[column])])} (set to 0.0)"
        for column in ("precision", "recall")
        if np.isnan(per_class[column]).any()
    ]
    undefined += [name for name, value in criteria.items() if math.isnan(value)]
    if undefined:
        warnings.warn(
            f"Undefined for these data: {'; '.join(undefined)}. "
            f"Pass zero_division= to choose the value of precision and recall, and to silence "
            f"this warning.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
