"""Intervals from the grades of a few items by humans, and of many items by a judge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    MetricsLike,
    OrdinalScale,
    check_share,
    get_metrics,
    in_repr,
    read_partly_graded,
    warn_caller,
)
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    Views,
    as_percent,
    names_in_words,
    plain,
)
from sklearn_ordinal.inference import Interval, assisted_values
from sklearn_ordinal.plotting import IntervalsDisplay, as_columns
from sklearn_ordinal.reports._criteria import check_are_of_counts, selected_metric
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._sections import classes_in_words, direction_as_text, interval_name

WHY_UNDEFINED = (
    "for the grades of the humans, the value is undefined, has no derivative there or where the "
    "judge puts an item, or has a standard error of 0"
)

# Which grades a value uses, in tables, and in plots.
_GRADES = {
    "both": ("intervals", "humans and judge"),
    "humans": ("humans_alone", "humans alone"),
    "judge": ("judge_alone", "judge alone"),
}


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAssistedInterval(Views):
    """Values that humans and a judge give together, beside what each of them gives alone.

    Returned by `judge_assisted_interval`. `str` gives the text, and notebooks show a table and a
    plot. Keys may have any form that `get_metric` accepts.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    confidence_level : float
        Confidence level of the intervals.
    n_graded : int
        Number of items that a human and the judge grade.
    n_judge_only : int
        Number of items that only the judge grades.
    intervals : mapping of str to Interval
        For each criterion, the value from the grades of the humans and the judge.
    humans_alone : mapping of str to Interval
        For each criterion, the value on the items that humans grade, without the judge.
    judge_alone : mapping of str to Interval
        For each criterion, the value if the grades of the judge were the truth of all items. Its
        interval does not contain the errors of the judge.
    tuning : mapping of str to float
        For each criterion, the weight of the grades of the judge, between 0 and 1: lambda in the
        source. NaN if the value is undefined.
    is_one_step : mapping of str to bool
        For each criterion, whether the value is computed in one step from the derivatives, because
        the criterion has no meaning at the corrected counts.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.

    See Also
    --------
    sklearn_ordinal.judge_assisted_interval : Compute the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import judge_assisted_interval
    >>> y_pred, judge = np.array([0, 1, 1, 2, 2] * 60), np.array([0, 0, 1, 2, 2] * 60)
    >>> y_true = np.where(np.arange(300) < 100, [0, 0, 1, 2, 1] * 60, np.nan)
    >>> result = judge_assisted_interval(y_true, y_pred, judge, "accuracy")
    >>> round(result.tuning["accuracy"], 3)
    0.498
    """

    scale: OrdinalScale
    metrics: ByMetric
    confidence_level: float
    n_graded: int
    n_judge_only: int
    intervals: ByMetric
    humans_alone: ByMetric
    judge_alone: ByMetric
    tuning: ByMetric
    is_one_step: ByMetric
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    def __repr__(self) -> str:
        return f"JudgeAssistedInterval({in_repr(self.metrics)})"

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> IntervalsDisplay:
        """Draw the value that humans and the judge give together, and what each gives alone.

        Parameters
        ----------
        criterion : str, default=None
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
            If the result does not have the criterion.
        """
        metric = selected_metric(self.metrics, criterion)
        by_grades = {
            title: getattr(self, intervals)[metric.name] for intervals, title in _GRADES.values()
        }
        return IntervalsDisplay(
            list(by_grades),
            {f"value, {interval_name(self.confidence_level)}": as_columns(by_grades.values())},
            label=f"{metric.name} ({direction_as_text(metric)} is better)",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the result, from which its views are rendered.

        Returns
        -------
        Document
            The items, what the intervals assume, a table of the criteria, a plot of the first
            criterion, and notes.
        """
        table = _table(self)
        criterion = next(iter(self.metrics))
        return Document(
            "Judge-assisted intervals",
            (
                Note(_items_in_words(self)),
                Note(
                    f"These intervals are valid only if the {self.n_graded:,} items that humans "
                    f"grade are a random sample of all items."
                ),
                table,
                Figure(
                    self.plot,
                    f"Values of {criterion} from humans and the judge",
                    f"Values of {criterion} with their intervals",
                    Table(table.title, table.columns, table.rows[:3]),
                ),
                *(Note(text, is_small=True) for text in _notes(self)),
            ),
            footer=footer(self.provenance),
            verdict=(Note(_verdict(self)),),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict with "both", "humans" and "judge", each with the
            columns of `to_frame`, and "is_one_step"; "classes", a list from the lowest class to the
            highest; "n_graded", "n_judge_only" and "confidence_level". Undefined values are None.
        """
        criteria: dict[str, Any] = {
            name: {"is_one_step": self.is_one_step[name]} for name in self.metrics
        }
        for record in self._records():
            criteria[record.pop("criterion")][record.pop("grades")] = record
        numbers: dict[str, Any] = plain(
            {
                "criteria": criteria,
                "classes": self.scale.labels,
                "n_graded": self.n_graded,
                "n_judge_only": self.n_judge_only,
                "confidence_level": self.confidence_level,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion and the grades that a value uses."""
        rows = []
        for name in self.metrics:
            for grades, (intervals, _) in _GRADES.items():
                interval: Interval = getattr(self, intervals)[name]
                rows.append(
                    {
                        "criterion": name,
                        "grades": grades,
                        "estimate": interval.estimate,
                        "low": interval.low,
                        "high": interval.high,
                        "standard_error": interval.standard_error,
                        "lambda": self.tuning[name] if grades == "both" else math.nan,
                    }
                )
        return rows


def judge_assisted_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    judge: ArrayLike,
    metrics: MetricsLike,
    *,
    labels: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> JudgeAssistedInterval:
    r"""Compute intervals from few grades of humans and many grades of a judge.

    A judge is a program that grades, such as a language model with a rubric. It grades many items,
    but the values that it gives alone are biased by its errors, which no number of items removes.
    Humans grade a random sample of the items, which shows these errors. The result corrects
    them. Its interval is narrower than the interval of the humans alone if the judge agrees with
    the humans on which predictions are right, and about as wide if it does not [1]_, [2]_.

    **The intervals are valid only if the items that humans grade are a random sample of all
    items.** If humans grade the difficult items, or the first ones, the result is biased.

    The counts of the true classes and predictions are corrected, as shares of the items:

    .. math:: C(\lambda) = C_h + \lambda (C_u - C_j)

    where :math:`C_h` has the grades of the humans as the truth of the :math:`n` items that they
    grade, :math:`C_j` has the grades of the judge as the truth of the same items, and :math:`C_u`
    has the grades of the judge as the truth of the other :math:`N` items. The value is the
    criterion of :math:`C(\lambda)`. Let :math:`\phi` be the influence of the cell of a graded item
    on the criterion of :math:`C_h`, :math:`\psi` the influence of the cell in which the judge puts
    it, and :math:`\psi_u` the same for the other items. The weight of the judge,

    .. math:: \lambda = \frac{\operatorname{cov}(\phi, \psi)}
        {(1 + n / N) \operatorname{var}(\psi, \psi_u)}

    cut off at 0 and 1, approximately minimizes the squared standard error

    .. math:: s^2 = \frac{\operatorname{var}(\phi - \lambda \psi)}{n} +
        \frac{\lambda^2 \operatorname{var}(\psi_u)}{N}

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades of humans; missing (NaN, None or NA) where only the judge grades the item. At least
        30 must be known, and at least one missing.
    y_pred : array-like of shape (n_items,)
        Predicted classes of the system that is evaluated.
    judge : array-like of shape (n_items,)
        Grades of the judge, for each item.
    metrics : str, callable, iterable or dict of them
        Criteria of predicted classes, in any form that `get_metric` accepts, that have influences:
        see `OrdinalMetric.has_influence`. "all" for all such criteria of the package.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    JudgeAssistedInterval
        For each criterion the value with its interval and :math:`\lambda`, what the humans alone
        give, and what the judge alone would have said; as text, tables and a plot. Values and ends
        are NaN, with an `UndefinedMetricWarning`, if the criterion is undefined for the grades of
        the humans, or has no derivative there or in a cell in which the judge puts an item.

    Raises
    ------
    ValueError
        If humans grade fewer than 30 items or all items; an item has no grade of the judge or no
        prediction; there is a single class, the order of the classes is not known, or a class is
        not in `labels`; a criterion takes other predictions or has no influences; or the judge
        gives a class that no human gives, and a criterion has no finite derivative there, such as
        CEM_ORD and the macro-averaged errors.

    Warns
    -----
    UndefinedMetricWarning
        If the interval of a criterion is undefined.

    See Also
    --------
    compare_judge : Ask whether the judge is as good as a human.
    sklearn_ordinal.inference.delta_interval : Compute the intervals of the humans alone.

    Notes
    -----
    The standard error is computed as in PPI++ [1]_, with the divisors of the package ppi_py: for
    the accuracy and the mean absolute error, which are means, the value, :math:`\lambda` and the
    standard error are the same. The interval is on the scale of `delta_interval`, mostly the
    log-odds within the range of the criterion, with quantiles of the t distribution with
    :math:`n - 1` degrees of freedom. In simulations, it covers better on average than a symmetric
    normal interval, see :doc:`the user guide </guide/judges>`.

    Corrected counts may be negative, and most criteria have a value nevertheless. If there is none,
    if it is out of range, or if a class has no positive size, the value is computed in one step:
    the value of the humans alone, plus the derivatives times the correction. Values are cut off at
    the ends of the range, where the interval is symmetric before it is cut off.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic (2023), "PPI++: efficient prediction-powered
       inference", https://arxiv.org/abs/2311.01453.
    .. [2] A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic (2023),
       "Prediction-powered inference", Science 382(6671), :doi:`10.1126/science.adi6000`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import judge_assisted_interval
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.integers(1, 6, size=5000)
    >>> grades = np.clip(quality + rng.choice([-1, 0, 0, 0, 1], size=(3, 5000)), 1, 5)
    >>> y_pred, judge, human = grades
    >>> y_true = np.where(np.arange(5000) < 200, human, np.nan)
    >>> print(judge_assisted_interval(y_true, y_pred, judge, ["cem_ord", "accuracy"]))
    cem_ord is 0.766 (95% interval 0.731 to 0.798) from the grades of humans and of
    the judge, and 0.769 (95% interval 0.732 to 0.803) from the grades of humans
    alone.
    <BLANKLINE>
    5,000 items with a grade of the judge, 200 of them also with a grade of a human,
    5 classes from 1 (lowest) to 5 (highest).
    <BLANKLINE>
    These intervals are valid only if the 200 items that humans grade are a random
    sample of all items.
    <BLANKLINE>
    Values by the grades that they use
    criterion  grades  value    95% interval  width  lambda
    cem_ord    both    0.766  0.731 to 0.798  0.067    0.29
    cem_ord    humans  0.769  0.732 to 0.803  0.071
    cem_ord    judge   0.776  0.769 to 0.783  0.014
    accuracy   both    0.529  0.462 to 0.596  0.134    0.24
    accuracy   humans  0.535  0.465 to 0.604  0.139
    accuracy   judge   0.552  0.538 to 0.565  0.028
    <BLANKLINE>
    """
    criteria = get_metrics(metrics, argument="metrics")
    check_are_of_counts(criteria)
    if isinstance(metrics, str) and metrics == "all":
        criteria = [metric for metric in criteria if metric.has_influence is not False]
    level = check_share("confidence_level", confidence_level)
    items = read_partly_graded(y_true, y_pred, judge, labels)
    values = assisted_values(criteria, items, level)
    undefined = [name for name, value in values.items() if math.isnan(value.assisted.low)]
    if undefined:
        warn_caller(
            f"There is no {as_percent(level)} interval of {names_in_words(undefined)}: "
            f"{WHY_UNDEFINED}.",
            UndefinedMetricWarning,
        )
    return JudgeAssistedInterval(
        scale=items.scale,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        confidence_level=level,
        n_graded=items.n_graded,
        n_judge_only=items.n_judge_only,
        intervals=ByMetric({name: value.assisted for name, value in values.items()}),
        humans_alone=ByMetric({name: value.humans for name, value in values.items()}),
        judge_alone=ByMetric({name: value.judge for name, value in values.items()}),
        tuning=ByMetric({name: value.tuning for name, value in values.items()}),
        is_one_step=ByMetric({name: value.is_one_step for name, value in values.items()}),
        provenance=Provenance.of_now(),
    )


def _verdict(result: JudgeAssistedInterval) -> str:
    """Return the value of the first criterion with the judge and without."""
    criterion = next(iter(result.metrics))
    both, humans = result.intervals[criterion], result.humans_alone[criterion]
    with_judge, without = (
        "undefined" if math.isnan(value.estimate) else f"{value}" for value in (both, humans)
    )
    return (
        f"{criterion} is {with_judge} from the grades of humans and of the judge, and {without} "
        f"from the grades of humans alone."
    )


def _items_in_words(result: JudgeAssistedInterval) -> str:
    n_items = result.n_graded + result.n_judge_only
    return (
        f"{n_items:,} items with a grade of the judge, {result.n_graded:,} of them also with a "
        f"grade of a human, {classes_in_words(result.scale.labels.tolist())}."
    )


def _table(result: JudgeAssistedInterval) -> Table:
    columns = (
        Column("criterion"),
        Column("grades"),
        Column("value", "number"),
        Column(interval_name(result.confidence_level), "interval"),
        Column("width", "number", is_detail=True),
        Column("lambda", "number", digits=2),
    )
    rows = tuple(
        (
            record["criterion"],
            record["grades"],
            record["estimate"],
            (record["low"], record["high"]),
            record["high"] - record["low"],
            record["lambda"] if record["grades"] == "both" else None,
        )
        for record in result._records()
    )
    return Table("Values by the grades that they use", columns, rows)


def _notes(result: JudgeAssistedInterval) -> list[str]:
    texts: list[str] = []
    one_step = [name for name, is_one_step in result.is_one_step.items() if is_one_step]
    if one_step:
        texts.append(
            f"Computed in one step from the derivatives, since the corrected counts have a class "
            f"without a positive size, no value, or a value out of range: "
            f"{names_in_words(one_step)}."
        )
    undefined = [name for name, value in result.intervals.items() if math.isnan(value.low)]
    if undefined:
        texts.append(f"There is no interval of {names_in_words(undefined)}: {WHY_UNDEFINED}.")
    return texts
