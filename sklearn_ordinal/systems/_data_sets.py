"""`compare_on_data_sets`: estimators compared on several data sets, by their ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _ranks
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._ranks import RankComparison
from sklearn_ordinal.model_selection import _folds
from sklearn_ordinal.plotting._ranks_display import CriticalDifferenceDisplay
from sklearn_ordinal.reports import _comparison, _sections, _sentences
from sklearn_ordinal.reports._comparison import ComparisonReport, ModelComparison
from sklearn_ordinal.reports._sections import Provenance

# Estimators compared on several data sets, by their ranks
# --------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class DataSetsReport(Views):
    """Estimators on several data sets, with their ranks.

    Returned by `compare_on_data_sets`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    estimators : tuple of str
        Names of the estimators. The first is the reference of the tests on each data set.
    comparisons : mapping of str to ComparisonReport
        The comparison of the estimators on each data set, by the name of the data set.
    alpha : float, default=0.05
        Significance level of the tests.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (n_data_sets, n_estimators)
        Mean over the folds of each criterion; NaN where an estimator failed on all folds.
    ranks : dict of str to RankComparison
        For each criterion, the average ranks over the data sets, with intervals and with Friedman's
        and Nemenyi's tests. On each data set, estimators that failed on a fold share the last rank.

    See Also
    --------
    sklearn_ordinal.reports.ComparisonReport : Estimators on one data set.
    sklearn_ordinal.inference.compare_ranks : The ranks of scores that are there.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_on_data_sets
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> report = compare_on_data_sets(
    ...     {
    ...         "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    ...         "bayes": GaussianNB(),
    ...         "majority": DummyClassifier(),
    ...     },
    ...     {"first half": (X[::2], y[::2]), "second half": (X[1::2], y[1::2])},
    ...     cv=3,
    ... )
    >>> report.scores["cem_ord"].shape
    (2, 3)
    """

    metrics: ByMetric
    estimators: tuple[str, ...]
    comparisons: Mapping[str, ComparisonReport]
    alpha: float = 0.05
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Largest number of classes of a data set."""
        return max(comparison.n_classes for comparison in self.comparisons.values())

    @cached_property
    def scores(self) -> ByMetric:
        """Mean over the folds of each criterion, of shape (n_data_sets, n_estimators)."""
        return ByMetric(
            {
                name: np.array(
                    [
                        [np.nan if row is None else row.score.estimate for row in rows]
                        for rows in self._rows(name).values()
                    ]
                )
                for name in self.metrics
            }
        )

    @cached_property
    def ranks(self) -> ByMetric:
        """For each criterion, the average ranks over the data sets, and tests."""
        return ByMetric(
            {
                name: _ranks.compare_ranks(
                    self._places(name),
                    names=self.estimators,
                    greater_is_better=False,
                    alpha=self.alpha,
                )
                for name in self.metrics
            }
        )

    def __repr__(self) -> str:
        return (
            f"DataSetsReport({len(self.comparisons)} data sets, {checks.in_repr(self.estimators)})"
        )

    def _rows(self, criterion: str) -> dict[str, list[ModelComparison | None]]:
        """Return the row of each estimator on each data set; None if all its fits failed."""
        return {
            name: [comparison.table[criterion].get(model) for model in self.estimators]
            for name, comparison in self.comparisons.items()
        }

    def _places(self, criterion: str) -> NDArray[np.float64]:
        """Return the rank of each estimator on each data set.

        Estimators without a value on some fold share the last place.
        """
        places = []
        for name, rows in self._rows(criterion).items():
            folds = self.comparisons[name].scores[criterion]
            is_complete = [
                row is not None and not np.isnan(folds[model]).any()
                for model, row in zip(self.estimators, rows, strict=True)
            ]
            places.append(
                [
                    float(row.rank) if row is not None and complete else len(rows) + 1.0
                    for row, complete in zip(rows, is_complete, strict=True)
                ]
            )
        return np.array(places)

    def _n_shown(self, criterion: str) -> list[tuple[int, int]]:
        """Return on how many data sets each estimator is shown better and worse than the first."""
        metric = self.metrics[criterion]
        assert isinstance(metric, OrdinalMetric)
        sign = 1 if metric.greater_is_better else -1
        counts = []
        for k in range(1, len(self.estimators)):
            rows = [row[k] for row in self._rows(criterion).values()]
            shown = [
                sign * row.difference.estimate
                for row in rows
                if row is not None
                and row.difference is not None
                and row.adjusted_pvalue <= self.alpha
            ]
            counts.append((sum(d > 0 for d in shown), sum(d < 0 for d in shown)))
        return counts

    def plot(self, criterion: Any = None, *, ax: Any = None) -> CriticalDifferenceDisplay:
        """Draw the critical-difference diagram of one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        ranks = self.ranks[_sections.selected_metric(self.metrics, criterion).name]
        assert isinstance(ranks, RankComparison)
        return ranks.plot(ax)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            For each criterion, a sentence, and the means with the best of each data set in bold;
            as details, the average ranks with intervals and the tests on each data set.
        """
        at_the_top, at_tables = _sentences.placed_verdicts(
            {name: f"By {name}, o{self.ranks[name].verdict()[1:]}" for name in self.metrics}
        )
        return Document(
            "Estimators on several data sets",
            (
                *(Note(text) for text in _failures(self)),
                *(
                    Section(
                        _sections.headline(metric, self.n_classes),
                        (*at_tables[name], *_criterion_parts(self, name)),
                    )
                    for name, metric in self.metrics.items()
                ),
                *(Note(text, is_small=True) for text in _notes(self)),
            ),
            verdict=at_the_top,
            footer=_sections.footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict with "ranks", the numbers of the
            `RankComparison`, and "data_sets": for each data set and estimator a list of the rows of
            `to_frame`; and "alpha". Undefined values are None.
        """
        criteria: dict[str, Any] = {
            criterion: {
                "ranks": ranks.to_dict(),
                "data_sets": {name: {e: [] for e in self.estimators} for name in self.comparisons},
            }
            for criterion, ranks in self.ranks.items()
        }
        for record in self._records():
            of_sets = criteria[record["criterion"]]["data_sets"]
            of_sets[record["data_set"]][record["estimator"]].append(record)
        numbers: dict[str, Any] = json_files.plain({"criteria": criteria, "alpha": self.alpha})
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return rows of the mean of each estimator on each data set, and of its difference."""
        undefined = Interval(np.nan, np.nan, np.nan, 1 - self.alpha)
        records = []
        for criterion in self.metrics:
            places = self._places(criterion)
            for i, (data_set, rows) in enumerate(self._rows(criterion).items()):
                for k, (name, row) in enumerate(zip(self.estimators, rows, strict=True)):
                    axes = {"criterion": criterion, "data_set": data_set, "estimator": name}
                    score = undefined if row is None else row.score
                    numbers: list[tuple[str | None, dict[str, float | None]]] = [
                        (None, _sections.tidy_numbers(score, np.nan))
                    ]
                    if row is not None and row.difference is not None:
                        tested = _sections.tidy_numbers(row.difference, row.adjusted_pvalue)
                        numbers.append((self.estimators[0], tested))
                    records += [
                        {**axes, "against": against, **values, "place": places[i, k]}
                        for against, values in numbers
                    ]
        return records


def _failures(report: DataSetsReport) -> list[str]:
    """Say which estimators failed on which data sets."""
    texts = []
    for name, comparison in report.comparisons.items():
        failed = list(dict.fromkeys(failure.name for failure in comparison.failures))
        if failed:
            texts.append(
                f"Failed on {name}: {formatting.names_in_words(failed)}; see "
                f"comparisons[{name!r}].failures."
            )
    return texts


def _criterion_parts(report: DataSetsReport, criterion: str) -> tuple[Part, ...]:
    ranks = report.ranks[criterion]
    best_first = np.argsort(ranks.average_ranks, kind="stable").tolist()
    average_ranks = Table(
        f"Average ranks by {criterion} over {ranks.n_data_sets} data sets, 1 is best",
        (
            Column("estimator"),
            Column("rank", "number", digits=2),
            Column(_sections.interval_name(1 - report.alpha), "interval", digits=2),
        ),
        tuple(
            (report.estimators[k], float(ranks.average_ranks[k]), (low, high))
            for k in best_first
            for low, high in (ranks.rank_intervals[k].tolist(),)
        ),
    )
    return (
        _means_table(report, criterion),
        Figure(
            partial(report.plot, criterion),
            f"Average ranks by {criterion}; a bar joins estimators that do not differ "
            f"significantly",
            average_ranks.title,
            average_ranks,
        ),
        Section(
            "Tests of the ranks, and on each data set",
            (
                average_ranks,
                *(Note(f"No significant difference: {', '.join(group)}") for group in ranks.groups),
                _shown_table(report, criterion),
                _pvalues_table(report, criterion),
            ),
            is_detail=True,
        ),
    )


def _means_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the mean of each estimator on each data set, with the best in bold."""
    scores, places = report.scores[criterion], report._places(criterion)
    rows = tuple(
        (name, *values) for name, values in zip(report.comparisons, scores.tolist(), strict=True)
    )
    ranks = report.ranks[criterion].average_ranks
    # Estimators that failed share the last place. A single other one was compared with none.
    has_place = places <= len(report.estimators)
    are_compared = has_place & (has_place.sum(axis=1, keepdims=True) > 1)
    is_best = are_compared & (places == places.min(axis=1, keepdims=True))
    bold = {(int(i), int(k) + 1) for i, k in np.argwhere(is_best)}
    if are_compared.any():
        bold |= {(len(rows), int(k) + 1) for k in np.flatnonzero(ranks == ranks.min())}
    columns = (Column("data set"), *(Column(name, "number") for name in report.estimators))
    return Table(
        "Means over the folds",
        columns,
        rows,
        (("average rank", *ranks.tolist()),),
        frozenset(bold),
    )


def _shown_table(report: DataSetsReport, criterion: str) -> Table:
    """Return on how many data sets each estimator is shown to be better or worse."""
    n_data_sets = len(report.comparisons)
    rows = tuple(
        (name, n_better, n_worse, n_data_sets - n_better - n_worse)
        for name, (n_better, n_worse) in zip(
            report.estimators[1:], report._n_shown(criterion), strict=True
        )
    )
    return Table(
        f"Data sets on which the difference from {report.estimators[0]} is shown",
        (
            Column("estimator"),
            Column("better", "number"),
            Column("worse", "number"),
            Column("not shown", "number"),
        ),
        rows,
    )


def _pvalues_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the adjusted p-value of each difference from the first estimator."""
    return Table(
        f"Adjusted p-values of the differences from {report.estimators[0]}",
        (Column("data set"), *(Column(name, "pvalue") for name in report.estimators[1:])),
        tuple(
            (name, *(np.nan if row is None else row.adjusted_pvalue for row in rows[1:]))
            for name, rows in report._rows(criterion).items()
        ),
    )


def _notes(report: DataSetsReport) -> list[str]:
    if not any(np.isnan(scores).any() for scores in report.scores.values()):
        return []
    return ["An estimator without a value on some fold has the last rank on its data set."]


# Compare estimators on several data sets
# ---------------------------------------


@checks.lists_parameters
def compare_on_data_sets(
    estimators: Mapping[str, Any],
    data_sets: Mapping[str, tuple[Any, ArrayLike]],
    *,
    scoring: MetricsLike = "cem_ord",
    cv: Any = None,
    labels: Mapping[str, ArrayLike] | None = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    verbose: bool | None = None,
) -> DataSetsReport:
    """Compare estimators on several data sets, by their ranks.

    Folds of one data set say little about whether one learning algorithm is better than another on
    other data. Here, the data sets are the sample: on each of them, the estimators are compared in
    cross-validation and ranked by their means, and Friedman's and Nemenyi's tests compare the ranks
    [1]_. Within each data set, corrected resampled t-tests compare the estimators with the first.

    Parameters
    ----------
    estimators : dict of str to estimator instance
        At least three estimators by name, cloned for each fold. The first is the reference of the
        tests within each data set. Regressors are rounded, as in `compare_estimators`. Friedman's
        and Nemenyi's tests are not for two: compare their means with `scipy.stats.wilcoxon`.
    data_sets : dict of str to tuple (X, y)
        Features and true classes of at least two data sets, by name.
    scoring : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts. The first is the main criterion.
    cv : int or cross-validation generator, default=None
        Number of stratified folds, by default 5, or a splitter.
    labels : dict of str to array-like, default=None
        For data sets whose classes are strings, all classes from the lowest to the highest, by the
        name of the data set. Others have an ordered dtype or integers.
    alpha : float, default=0.05
        Significance level of the tests.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn.
    verbose : bool or None, default=None
        Whether to show a progress bar over the data sets. If None, it is shown in notebooks and
        where stderr is a terminal, if tqdm is installed.

    Returns
    -------
    DataSetsReport
        The means with the best of each data set in bold, average ranks with tests and diagram, and
        the comparison on each data set.

    Raises
    ------
    ValueError
        If there are fewer than two data sets or three estimators, the order of the classes of a
        data set is not known, every fit on a data set fails, or an option is invalid. The message
        names the data set.

    Warns
    -----
    FitFailedWarning
        If an estimator fails on a fold. It has the last rank on this data set.

    See Also
    --------
    compare_estimators : Compare estimators, with baselines, on one data set.
    sklearn_ordinal.inference.compare_ranks : Compare scores that are there.

    References
    ----------
    .. [1] J. Demsar (2006), "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_on_data_sets
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> data_sets = {f"part {k + 1}": (X[k::4], y[k::4]) for k in range(4)}
    >>> models = {
    ...     "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    ...     "bayes": GaussianNB(),
    ...     "majority": DummyClassifier(),
    ... }
    >>> report = compare_on_data_sets(models, data_sets, cv=3)
    >>> report.ranks["cem_ord"].average_ranks
    array([1.75, 1.25, 3.  ])
    """
    checks.check_share("alpha", alpha)
    if not isinstance(estimators, Mapping) or len(estimators) < 3:
        raise ValueError(
            f"estimators must be a dict from names to at least three estimators, got "
            f"{checks.shown(estimators)}: add a baseline, such as OrdinalDummyClassifier(), or for "
            "two, pass their means on each data set, from compare_estimators, to "
            "scipy.stats.wilcoxon."
        )
    checks.check_named("estimators", estimators)
    for name, estimator in estimators.items():
        checks.check_classifier(f"estimators[{checks.shown(name)}]", estimator)
    if not isinstance(data_sets, Mapping) or len(data_sets) < 2:
        raise ValueError(
            f"data_sets must be a dict from names to (X, y), with at least two, got "
            f"{checks.shown(data_sets)}: compare on one with compare_estimators."
        )
    checks.check_named("data_sets", data_sets)
    for name, data in data_sets.items():
        if not isinstance(data, tuple) or len(data) != 2:
            raise ValueError(
                f"data_sets[{checks.shown(name)}] must be a tuple (X, y), got {checks.shown(data)}."
            )
    if labels is not None:
        checks.check_mapping("labels", labels)
        unknown = [name for name in labels if name not in data_sets]
        if unknown:
            raise ValueError(
                f"labels must be for data sets among {list(data_sets)}, got {unknown}."
            )
    orders = {} if labels is None else labels
    confidence_level = 1 - alpha
    bar = _folds.progress_bar(verbose)
    comparisons: dict[str, ComparisonReport] = {}
    for name in bar(data_sets, len(data_sets)):
        X, y = data_sets[name]
        try:
            comparisons[name] = _comparison.compare_estimators(
                estimators,
                X,
                y,
                baselines=None,
                scoring=scoring,
                cv=cv,
                labels=orders.get(name),
                confidence_level=confidence_level,
                n_jobs=n_jobs,
                verbose=False,
            )
        except ValueError as error:
            raise ValueError(f"data_sets[{checks.shown(name)}]: {error}") from error
    first = next(iter(comparisons.values()))
    return DataSetsReport(
        metrics=first.metrics,
        estimators=tuple(estimators),
        comparisons=comparisons,
        alpha=float(alpha),
        provenance=Provenance.of_now(estimators=estimators),
    )
