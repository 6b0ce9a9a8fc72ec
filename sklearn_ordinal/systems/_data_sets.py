"""`compare_on_data_sets`: estimators compared on several data sets, by their ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, scales
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Figure, Note, Part, Section, Table
from sklearn_ordinal.inference import _paired_difference, _ranks
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.inference._ranks import RankComparison
from sklearn_ordinal.model_selection import _folds
from sklearn_ordinal.plotting._ranks_display import CriticalDifferenceDisplay
from sklearn_ordinal.reports import _comparison, _sections
from sklearn_ordinal.reports._comparison import ComparisonReport
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key, Values

_AVERAGE_RANK = "average_rank"

# Estimators compared on several data sets, by their ranks
# --------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DataSetsReport(Values):
    """Estimators on several data sets, with their ranks.

    Returned by `compare_on_data_sets`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The mean over the folds of each estimator on each data set, with the key (criterion,
        estimator, None, data set, "value"); its difference from the first estimator, with the key
        (criterion, estimator, first estimator, data set, "difference"), whose p-values are adjusted
        by Holm's method on each data set; and its average rank, with the key (criterion, estimator,
        None, None, "average_rank"). The mean of an estimator that failed on all folds is NaN.
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    inferred : tuple of str
        The criteria whose tests the default text shows: those that are passed as ``scoring=``, or
        the first of "all".
    n_classes : int
        Largest number of classes of a data set.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.
    comparisons : mapping of str to ComparisonReport
        The comparison of the estimators on each data set, by the name of the data set.
    ranks : mapping of str to RankComparison
        For each criterion, the average ranks over the data sets, with intervals and with Friedman's
        and Nemenyi's tests. On each data set, estimators that failed on a fold share the last rank.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (n_data_sets, n_estimators)
        Mean over the folds of each criterion; NaN where an estimator failed on all folds.

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
    >>> print(report.one(estimator="bayes", what="average_rank"))
    2.000 (no 95% interval)
    """

    axes = ("criterion", "estimator", "against", "data_set", "what")
    _argument = "scoring"
    _title = "Estimators on several data sets"

    comparisons: Mapping[str, ComparisonReport]
    ranks: ByMetric

    @classmethod
    def from_comparisons(
        cls,
        comparisons: Mapping[str, ComparisonReport],
        estimators: Sequence[str],
        *,
        provenance: Provenance | None = None,
    ) -> Self:
        """Make a report from the comparison of the estimators on each data set.

        Parameters
        ----------
        comparisons : dict of str to ComparisonReport
            The results of `compare_estimators` without baselines, by the name of the data set.
        estimators : sequence of str
            Names of the estimators, with the reference of the tests on each data set first. Not all
            may have been fitted on each data set. Tests are at the level 1 - confidence_level of
            the comparisons.
        provenance : Provenance, default=None
            When and with which versions the result was made.

        Returns
        -------
        DataSetsReport
            The report.

        Raises
        ------
        ValueError
            If there are fewer than two data sets or three estimators, or the comparisons are not of
            these estimators, without baselines, by the same criteria and at the same level.
        """
        checks.check_mapping("comparisons", comparisons)
        reports = list(comparisons.values())
        if len(reports) < 2 or not all(isinstance(each, ComparisonReport) for each in reports):
            raise ValueError(
                f"comparisons must map at least two names of data sets to results of "
                f"compare_estimators, got {checks.shown(dict(comparisons))}."
            )
        estimators = scales.check_names("estimators", estimators)
        first = reports[0]
        for data_set, comparison in comparisons.items():
            if not comparison.reports.keys() <= set(estimators):
                raise ValueError(
                    f"comparisons[{checks.shown(data_set)}] must be of the estimators "
                    f"{checks.listed(estimators)} without baselines, got "
                    f"{checks.listed(list(comparison.reports))}."
                )
            facts, of_first = (
                f"the criteria {checks.listed(list(each.metrics))} and the level "
                f"{each.confidence_level:g}"
                for each in (comparison, first)
            )
            if facts != of_first:
                raise ValueError(
                    f"comparisons[{checks.shown(data_set)}] must have {of_first}, as the first, "
                    f"got {facts}."
                )
        alpha = round(1 - first.confidence_level, 12)
        ranks = ByMetric()
        rows: dict[Key, Interval] = {}
        for criterion in first.metrics:
            ranks[criterion] = of_criterion = _ranks.compare_ranks(
                _places(comparisons, estimators, criterion),
                names=estimators,
                greater_is_better=False,
                alpha=alpha,
            )
            for data_set, comparison in comparisons.items():
                rows |= _rows_on(data_set, comparison, estimators, criterion)
            for name, rank, (low, high) in zip(
                estimators,
                of_criterion.average_ranks.tolist(),
                of_criterion.rank_intervals.tolist(),
                strict=True,
            ):
                key = (criterion, name, None, None, _AVERAGE_RANK)
                rows[key] = Interval(rank, low, high, first.confidence_level)
        return cls(
            rows=rows,
            metrics=first.metrics,
            inferred=first.inferred,
            n_classes=max(comparison.n_classes for comparison in comparisons.values()),
            provenance=provenance,
            comparisons=comparisons,
            ranks=ranks,
        )

    @property
    def scores(self) -> ByMetric:
        """Mean over the folds of each criterion, of shape (n_data_sets, n_estimators)."""
        return ByMetric(
            {
                criterion: np.array(
                    [
                        [row.estimate for row in self._means(criterion, data_set).values()]
                        for data_set in self.comparisons
                    ]
                )
                for criterion in self.metrics
            }
        )

    def _means(self, criterion: str, data_set: str) -> dict[str, Interval]:
        return self._along("estimator", criterion=criterion, data_set=data_set)

    def _differences(self, criterion: str, name: str) -> dict[str, PairedDifference]:
        """Return the differences of an estimator from the first, by data set."""
        return self._along(
            "data_set",
            criterion=criterion,
            estimator=name,
            against=self.members("estimator")[0],
            what=DIFFERENCE,
        )

    def _with_overall(self, criterion: str) -> dict[str, Interval]:
        return self._along("estimator", criterion=criterion, what=_AVERAGE_RANK)

    def _display(self, criterion: str) -> CriticalDifferenceDisplay:
        ranks: RankComparison = self.ranks[criterion]
        return ranks._display()

    def _sentences(self) -> Iterator[str]:
        yield self._verdict(self.inferred[0])

    def _verdict(self, criterion: str) -> str:
        return f"By {criterion}, o{self.ranks[criterion].verdict()[1:]}"

    def _notes(self) -> Iterator[str]:
        """Yield how many there are, and which estimators failed on which data sets."""
        yield (f"{len(self.members('estimator'))} estimators on {len(self.comparisons)} data sets.")
        for name, comparison in self.comparisons.items():
            failed = list(dict.fromkeys(failure.name for failure in comparison.failures))
            if failed:
                yield (
                    f"Failed on {name}: {formatting.names_in_words(failed)}; see "
                    f"comparisons[{name!r}].failures."
                )
        if any(np.isnan(scores).any() for scores in self.scores.values()):
            yield "An estimator without a value on some fold has the last rank on its data set."

    def _views(self) -> Iterator[Part]:
        main, *further = self.inferred
        yield self._means_table(main)
        for name in further:
            yield Note(self._verdict(name))
            yield self._means_table(name)
            yield from self._figures_by(name)
        others = [name for name in self.metrics if name not in self.inferred]
        if others:
            yield self._matrix("Average ranks by the other criteria", others)
        for name in self.metrics:
            parts: list[Part] = [self._means_table(name)] if name in others else []
            parts.append(self._ranks_table(name))
            for group in self.ranks[name].groups:
                parts.append(Note(f"No significant difference: {', '.join(group)}"))
            parts += self._tests_tables(name)
            title = f"Tests of the ranks by {name}, and on each data set"
            yield Section(title, tuple(parts), is_detail=True)

    def _figures(self, table: Table | None) -> Iterator[Figure]:
        del table
        yield from self._figures_by(self.inferred[0])

    def _figures_by(self, criterion: str) -> Iterator[Figure]:
        table = self._ranks_table(criterion)
        yield Figure(
            partial(self.plot, criterion),
            f"Average ranks by {criterion}; a bar joins estimators that do not differ "
            "significantly",
            table.title,
            table,
        )

    def _means_table(self, criterion: str) -> Table:
        """Return the mean of each estimator on each data set, with the best in bold."""
        names, ranks = self.members("estimator"), self.ranks[criterion].average_ranks
        by_data_set = {name: self._means(criterion, name) for name in self.comparisons}
        table = _sections.table(
            f"Means over the folds by {self._headline(criterion)}",
            "data set",
            list(by_data_set),
            *(
                _sections.estimates(name, {each: rows[name] for each, rows in by_data_set.items()})
                for name in names
            ),
        )
        places = _places(self.comparisons, names, criterion)
        # Estimators that failed share the last place. A single other one was compared with none.
        has_place = places <= len(names)
        are_compared = has_place & (has_place.sum(axis=1, keepdims=True) > 1)
        is_best = are_compared & (places == places.min(axis=1, keepdims=True))
        bold = {(int(i), int(k) + 1) for i, k in np.argwhere(is_best)}
        if are_compared.any():
            bold |= {(len(places), int(k) + 1) for k in np.flatnonzero(ranks == ranks.min())}
        summary = (("average rank", *ranks.tolist()),)
        return replace(table, summary=summary, bold=frozenset(bold))

    def _ranks_table(self, criterion: str) -> Table:
        ranks = self._with_overall(criterion)
        best_first = sorted(ranks, key=lambda name: ranks[name].estimate)
        return _sections.table(
            f"Average ranks by {criterion} over {len(self.comparisons)} data sets, 1 is best",
            "estimator",
            best_first,
            _sections.intervals(ranks, 2, "rank"),
        )

    def _tests_tables(self, criterion: str) -> Iterator[Table]:
        """Yield the number of differences that are shown, and the p-value of each."""
        first, *others = self.members("estimator")
        pvalues, n_shown = [], {}
        for name in others:
            rows = self._differences(criterion, name)
            shown = [_paired_difference.better_system(row) for row in rows.values()]
            n_better, n_worse = shown.count("first"), shown.count("second")
            n_shown[name] = n_better, n_worse, len(self.comparisons) - n_better - n_worse
            cells = {each: row.adjusted_pvalue for each, row in rows.items()}
            pvalues.append(_sections.block(Column(name, "pvalue"), cells))
        columns = [Column(outcome, "number") for outcome in ("better", "worse", "not shown")]
        yield _sections.table(
            f"Data sets on which the difference from {first} is shown",
            "estimator",
            others,
            _sections.Block(columns, n_shown),
        )
        yield _sections.table(
            f"Adjusted p-values of the differences from {first}",
            "data set",
            list(self.comparisons),
            *pvalues,
        )

    def _facts(self) -> dict[str, Any]:
        return {"ranks": {name: ranks.to_dict() for name, ranks in self.ranks.items()}}

    def _extras(self, key: Key) -> dict[str, Any]:
        criterion, name, against, data_set, _ = key
        if against is not None or data_set is None:
            return {"place": None}
        comparison = self.comparisons[data_set]
        return {"place": _place(comparison, str(name), self.members("estimator"), str(criterion))}


def _places(
    comparisons: Mapping[str, ComparisonReport], names: Sequence[str], criterion: str
) -> NDArray[np.float64]:
    """Return the rank of each estimator on each data set: (n_data_sets, n_estimators)."""
    return np.array(
        [
            [_place(comparison, name, names, criterion) for name in names]
            for comparison in comparisons.values()
        ]
    )


def _place(comparison: ComparisonReport, name: str, names: Sequence[str], criterion: str) -> float:
    """Return the rank of an estimator; those without a value on some fold share the last place."""
    scores = comparison.scores[criterion]
    # A fold on which no estimator has a value is missing for all of them.
    is_defined = ~np.isnan([*scores.values()])
    is_complete = name in scores and (~np.isnan(scores[name]))[is_defined.any(axis=0)].all()
    is_complete = is_complete and is_defined.any()
    return float(comparison.ranks[criterion][name] if is_complete else len(names) + 1)


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
    provenance = Provenance.of_now(estimators=estimators)
    return DataSetsReport.from_comparisons(comparisons, list(estimators), provenance=provenance)


def _rows_on(
    data_set: str, comparison: ComparisonReport, names: Sequence[str], criterion: str
) -> dict[Key, Interval]:
    """Return the means on a data set, and the differences from the first estimator."""
    undefined = Interval(np.nan, np.nan, np.nan, comparison.confidence_level)
    rows: dict[Key, Interval] = {}
    for name in names:
        mean = comparison.rows.get((criterion, name, None, VALUE), undefined)
        rows[criterion, name, None, data_set, VALUE] = mean
    if names[0] in comparison.reports and len(comparison.reports) > 1:
        pairs = comparison.pairwise(criterion, reference=names[0])
        for (_, first, second, what), row in pairs.rows.items():
            rows[criterion, first, second, data_set, what] = row
    return rows
