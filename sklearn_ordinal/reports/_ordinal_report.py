"""The report in one call, as scikit-learn's ``classification_report``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from sklearn_ordinal._core import MetricsLike, RandomState, check_bool
from sklearn_ordinal.reports._groups import GroupReport
from sklearn_ordinal.reports._measures import ZeroDivision, check_zero_division
from sklearn_ordinal.reports._ordinal import OrdinalReport


def ordinal_report(
    y_true: ArrayLike,
    y_pred: ArrayLike | None = None,
    *,
    y_proba: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
    metrics: MetricsLike | None = None,
    by: ArrayLike | None = None,
    prevalence: ArrayLike | None = None,
    random_state: RandomState = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
) -> str | dict[str, Any]:
    """Report on ordinal predictions, as `classification_report` does on nominal ones.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted classes. They are only optional for groups that are compared by `y_proba`.
    y_proba : array-like of shape (n_samples, n_classes), default=None
        Predicted probabilities of the classes from the lowest to the highest, for the
        criteria of probabilities and the measures of the thresholds.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    target_names : sequence of str, default=None
        Names to show for the classes, in the order of the scale.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    unanswered : {"raise", "count"}, default="raise"
        What to do with samples without a prediction (NaN, None or NA in `y_pred`): raise
        an error, or count them. Counted, they are errors that earn nothing in the
        closeness family; the other criteria, and the measures of the classes, leave them
        out, and text and dict say so.
    metrics : str, callable, iterable or dict of them, default=None
        The criteria, as `get_metric` takes them, or "all" for every one of the package
        that can be computed. If None, the six of `cross_val_report`, and with `y_proba`
        six of probabilities.
    by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict, default=None
        Group of each sample, such as the country. If not None, the report compares the
        groups; `GroupReport` has more options.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest, at which all measures and
        criteria are computed, see `OrdinalConfusion.at_prevalence`. If None, the classes
        have their own sizes.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers for the intervals and tests of groups. Pass an
        int for the same report each time.
    digits : int, default=2
        Number of digits after the decimal point in the text.
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
        each chosen criterion with its range and direction. With probabilities, also for
        each threshold between neighbouring classes its prevalence, area under the ROC
        curve (AUC), equal error rate (EER), and the miscalibration, discrimination and
        uncertainty that the ranked probability score consists of. With groups, the report
        of `GroupReport`.

    Raises
    ------
    ValueError
        If the order of the classes is not known, a class is not in `labels`, rows of
        `y_proba` are not probabilities of these classes, a criterion is not known or
        needs the estimator or probabilities that are not given, `target_names` does not
        name each class once, `y_pred` is missing, or another option is not valid.

    See Also
    --------
    OrdinalReport : The report as an object.
    GroupReport : The report of groups as an object.

    Examples
    --------
    >>> from sklearn_ordinal import ordinal_report
    >>> print(ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1]))
    5 samples, 3 classes from 0 (lowest) to 2 (highest).
    ...
    """
    check_bool("output_dict", output_dict)
    report: OrdinalReport | GroupReport
    if by is not None:
        check_zero_division(zero_division)
        report = GroupReport.from_predictions(
            y_true,
            y_pred,
            by=by,
            y_proba=y_proba,
            labels=labels,
            target_names=target_names,
            sample_weight=sample_weight,
            unanswered=unanswered,
            metrics=metrics,
            prevalence=prevalence,
            random_state=random_state,
            digits=digits,
        )
        return report.to_dict() if output_dict else str(report)
    if y_pred is None:
        raise ValueError("y_pred must be given, unless groups are compared with by= and y_proba=.")
    report = OrdinalReport.from_predictions(
        y_true,
        y_pred,
        y_proba=y_proba,
        labels=labels,
        target_names=target_names,
        sample_weight=sample_weight,
        unanswered=unanswered,
        metrics=metrics,
        prevalence=prevalence,
        digits=digits,
        zero_division=zero_division,
    )
    return report.to_dict() if output_dict else str(report)
