"""`compare_estimators`: estimators on the same folds, compared with baselines and in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, is_regressor

from sklearn_ordinal._core import catalogue, checks, containers, lookup, tolerances
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Figure, Note, Part, Section, Table
from sklearn_ordinal.inference import _fold_tests, _holm_correction, _intervals
from sklearn_ordinal.inference._fold_tests import PosteriorProbabilities
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.model_selection import _baselines, _folds
from sklearn_ordinal.model_selection._baselines import ExpectedScores
from sklearn_ordinal.model_selection._folds import Evaluation, FitFailure
from sklearn_ordinal.model_selection._wrapping import RoundedRegressor
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports import _cross_val, _ordinal, _sections, _sentences
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._sections import Block, Provenance
from sklearn_ordinal.reports._sentences import Tested
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key, Values

# Splitters that scikit-learn can repeat.
_REPEATABLE = ("KFold", "StratifiedKFold")
_N_REPETITIONS = 5
_WHY_P = "it is adjusted for all tests, and an interval holds for one difference alone"
# Up to five estimators have a table of their pairs.
_MOST_PAIRS = 10


# Pairs of estimators, tested together
# ------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairwiseComparison(Values):
    """Differences of pairs of estimators by one criterion, tested together.

    Returned by `ComparisonReport.pairwise`. `str` gives the text, and notebooks show a table and a
    plot. A difference is the value of the first estimator minus the value of the second, in the
    unit of the criterion. Intervals and tests are about these fitted models on this data.

    Parameters
    ----------
    rows : mapping of tuple to PairedDifference
        The differences, with p-values that are adjusted by Holm's method for the number of pairs. A
        key has the criterion, the first and the second estimator, and "difference".
    metrics : mapping of str to OrdinalMetric
        The criterion by name.
    inferred : tuple of str
        The name of the criterion.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when results are compared.
    n_folds : int
        Number of folds.
    reference : str or None, default=None
        Name of the second estimator of each pair, if all estimators are compared with the same one.

    Attributes
    ----------
    verdict : str
        A sentence that says which pairs are shown to differ.

    See Also
    --------
    ComparisonReport : Compares every estimator with the best baseline.
    sklearn_ordinal.inference.compare_ranks : Systems over several data sets.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0), "svm": SVC()}
    >>> pairwise = compare_estimators(models, X, y, random_state=0).pairwise()
    >>> print(pairwise.one(estimator="svm", against="tree"))
    the first is higher by 0.037 (95% interval 0.000 to 0.073, adjusted p = 0.049)
    """

    axes = ("criterion", "estimator", "against", "what")
    _title = "Pairs of estimators"

    rows: Mapping[Key, PairedDifference]
    n_folds: int
    reference: str | None = None

    @property
    def verdict(self) -> str:
        """A sentence that says which pairs are shown to differ.

        A pair is shown to differ if its adjusted p-value is at most 1 - confidence_level.
        """
        (criterion,) = self.metrics
        if len(self.rows) > 1:
            return _sentences.pairs_verdict(criterion, self._pairs(), self.reference)
        ((first, second), difference), *_ = self._pairs().items()
        sentence = Tested(second, "", difference).in_words(first, self.n_folds)
        return f"By {criterion}, {sentence}."

    def _pairs(self) -> dict[tuple[str, str], PairedDifference]:
        return {(str(first), str(second)): row for (_, first, second, _), row in self.rows.items()}

    def _display(self, criterion: str) -> ComparisonDisplay:
        rows = {
            pair if isinstance(pair, str) else " - ".join(pair): row
            for pair, row in self._rows().items()
        }
        return _differences_display(rows, self.metrics[criterion], self.reference or "the second")

    def _rows(self) -> dict[Any, PairedDifference]:
        """Return the differences by pair, or by the estimator if there is a reference."""
        return {(pair[0] if self.reference else pair): row for pair, row in self._pairs().items()}

    def __repr__(self) -> str:
        pairs = formatting.counted(len(self.rows), "pair")
        return f"PairwiseComparison({checks.in_repr(list(self.metrics))}, {pairs})"

    def _sentences(self) -> Iterator[str]:
        yield self.verdict

    def _notes(self) -> Iterator[str]:
        yield f"{formatting.counted(len(self.rows), 'pair')} on {self.n_folds} folds."

    def _views(self) -> Iterator[Part]:
        (metric,) = self.metrics.values()
        yield _pairs_table(self._rows(), metric, self.reference, self.digits)

    def _facts(self) -> dict[str, Any]:
        return {"reference": self.reference, "n_folds": self.n_folds, "verdict": self.verdict}


def _pairs_table(
    rows: Mapping[Any, PairedDifference],
    metric: OrdinalMetric,
    reference: str | None,
    digits: int,
) -> Table:
    what = f"Differences from {reference}" if reference else "Pairs of models, first minus second"
    return _sections.table(
        f"{what} ({_sections.better_sign(metric)})",
        "estimator" if reference else "pair",
        list(rows),
        _sections.differences(rows, digits),
        *_undefined_folds(rows, is_detail=True),
    )


def _undefined_folds(rows: Mapping[Any, Interval], *, is_detail: bool = False) -> list[Block]:
    """Return the number of folds that each row leaves out, if one leaves out any."""
    column = Column("undefined folds", "number", is_detail=is_detail)
    numbers = {name: row.n_undefined for name, row in rows.items()}
    return [_sections.block(column, numbers)] if any(numbers.values()) else []


def _differences_display(
    rows: Mapping[str, PairedDifference],
    metric: OrdinalMetric,
    reference: str,
    **options: Any,
) -> ComparisonDisplay:
    return ComparisonDisplay(
        rows,
        adjusted_pvalues={name: row.adjusted_pvalue for name, row in rows.items()},
        criterion=metric.name,
        reference=reference,
        greater_is_better=metric.greater_is_better,
        **options,
    )


# The report of a comparison: estimators and baselines on the same folds
# ----------------------------------------------------------------------


class Draws(NamedTuple):
    """How a baseline that guesses at random is scored.

    `n_draws` is the number of random predictions per fold over which its values are averaged: 0 if
    the expected value is exact, and 1 if only one draw could be scored. `simulation_error` is the
    standard error of the mean over the folds that is due to these draws; NaN if it is not known.
    """

    n_draws: int
    simulation_error: float

    def __str__(self) -> str:
        if not self.n_draws:
            return "exactly"
        if self.n_draws == 1:
            return "by one draw per fold, since the criterion fails for other draws"
        error = f"simulation error {self.simulation_error:.2g}"
        return f"from {self.n_draws:,} draws per fold ({error})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ComparisonReport(Values):
    """Estimators and baselines on the same folds, compared by one or several criteria.

    Returned by `compare_estimators`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion, so for losses lower is better. Keys may have any form
    that `get_metric` accepts: ``scores["log_loss"]`` and ``scores["neg_log_loss"]`` are the same.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The mean over the folds of each estimator and baseline, with the key (criterion, estimator,
        None, "value"); the differences of all pairs of estimators, the better one first, and of
        each estimator from the best baseline, with the key (criterion, estimator, against,
        "difference"). Their p-values are adjusted by Holm's method, separately for the pairs and
        for the differences from the baseline. As in the scorers, undefined values count as 0 if 0
        is the level of chance.
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    inferred : tuple of str
        The criteria whose intervals and tests the default text shows: those that are passed as
        ``scoring=``, or the first of "all".
    n_classes : int
        Number of classes on the scale.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when reports are compared.
    reports : mapping of str to CrossValReport
        The report of each estimator, then of each baseline. If a baseline guesses at random, its
        report is about a single draw of its predictions in each fold.
    baselines : tuple of str
        Names of the baselines.
    scores : mapping of str to mapping of str to ndarray of shape (n_folds,)
        The values of each estimator and baseline for each criterion. An undefined value counts as 0
        if chance predictions have the value 0. If a baseline guesses at random, its values are
        expected values over its random predictions.
    draws : mapping of str to mapping of str to Draws
        For each criterion, the number of random predictions per fold of each baseline that guesses,
        and the standard error of its mean that is due to them.
    best_baseline : mapping of str to str or None
        Name of the baseline with the best mean for each criterion. A baseline that guesses is
        chosen only if it leads the other baselines by more than three standard errors of its
        simulation. None if there are no baselines, or none could be fitted.
    rope : mapping of str to float
        Half the width of the region of practical equivalence for each criterion, in its unit.
    failures : tuple of FitFailure, default=()
        Fits and evaluations of criteria that failed. An estimator whose fits all failed does not
        appear in the tables.
    rounded : tuple of str, default=()
        Names of the regressors, whose predictions are rounded to the nearest class.

    Attributes
    ----------
    ranks : dict of str to dict of str to int
        For each criterion, the rank of each estimator and baseline by its mean, where 1 is best.
        Ties share the better rank. Estimators that lack a score on a fold come last, since their
        mean comes from fewer folds.
    winners : dict of str to tuple of str
        Names of the estimators or baselines with the best mean for each criterion; empty if no mean
        is defined.
    verdicts : dict of str to str
        Sentences for each criterion: which estimator has the best mean, and whether it is shown to
        beat the second estimator and the best baseline, by how much, with the interval and the
        adjusted p-value. They are about these fitted models on this data.

    See Also
    --------
    sklearn_ordinal.compare_estimators : Make a comparison.
    CrossValReport : The results of one estimator.
    PairwiseComparison : Estimators compared with each other.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> comparison = compare_estimators({"tree": tree}, X, y, random_state=0)
    >>> comparison.winners
    {'cem_ord': ('tree',)}
    >>> print(comparison.one(estimator="tree"))
    0.723 (95% interval 0.702 to 0.744)
    >>> print(comparison.one(estimator="tree", against="majority class"))
    the first is higher by 0.185 (95% interval 0.164 to 0.205, adjusted p < 0.001)
    >>> print(comparison.verdicts["cem_ord"])
    By cem_ord, tree beats majority class, the best baseline, by 0.185 (95% interval 0.164 to
    0.205, adjusted p < 0.001).
    """

    axes = ("criterion", "estimator", "against", "what")
    _title = "Comparison of estimators"
    _argument = "scoring"

    reports: Mapping[str, CrossValReport]
    baselines: tuple[str, ...]
    scores: ByMetric
    draws: ByMetric
    best_baseline: ByMetric
    rope: ByMetric
    failures: tuple[FitFailure, ...] = ()
    rounded: tuple[str, ...] = ()

    @cached_property
    def ranks(self) -> ByMetric:
        """Rank of each estimator and baseline for each criterion, 1 is best."""
        return ByMetric(
            {name: _ranks(self.scores[name], metric) for name, metric in self.metrics.items()}
        )

    @property
    def winners(self) -> ByMetric:
        """Names of the estimators, or baselines, with the best mean for each criterion."""
        return ByMetric(
            {
                criterion: tuple(
                    name
                    for name, rank in ranks.items()
                    if rank == 1 and not np.isnan(self._mean(criterion, name).estimate)
                )
                for criterion, ranks in self.ranks.items()
            }
        )

    @cached_property
    def verdicts(self) -> ByMetric:
        """Which estimator is best, and whether it is shown to beat the second and the baselines.

        A difference is shown if its adjusted p-value is at most 1 - confidence_level.
        """
        verdicts = ByMetric()
        for criterion, ranks in self.ranks.items():
            models = self._models(criterion)
            verdicts[criterion] = _sentences.estimators_verdict(
                criterion,
                {name: self._mean(criterion, name) for name in models},
                [name for name in models if ranks[name] == ranks[models[0]]],
                self._tests(criterion),
                rope=self.rope[criterion],
                n_folds=len(self._any_report.fold_predictions),
            )
        return verdicts

    @property
    def _any_report(self) -> CrossValReport:
        return next(iter(self.reports.values()))

    @property
    def _sizes(self) -> dict[str, float]:
        """Mean numbers of training and test samples of a fold."""
        report = self._any_report
        return {"n_train": report.n_train.mean(), "n_test": report.n_test.mean()}

    def _mean(self, criterion: str, name: str) -> Interval:
        return self.rows[criterion, name, None, VALUE]

    def _models(self, criterion: str) -> list[str]:
        """Return the names of the estimators that are no baselines, sorted by rank."""
        return [name for name in _in_order(self.ranks[criterion]) if name not in self.baselines]

    def _from_baseline(self, criterion: str) -> dict[str, PairedDifference]:
        """Return the differences of the estimators from the best baseline, best first."""
        against = self.best_baseline[criterion]
        return {
            name: self.one(criterion=criterion, estimator=name, against=against)
            for name in self._models(criterion)
            if against is not None
        }

    def _pairs(self, criterion: str) -> dict[tuple[str, str], PairedDifference]:
        """Return the differences of all pairs of estimators, the better one first."""
        pairs = combinations(self._models(criterion), 2)
        return {
            pair: self.one(criterion=criterion, estimator=pair[0], against=pair[1])
            for pair in pairs
        }

    def _tests(self, criterion: str) -> list[Tested]:
        """Return how the best estimator compares with the second and with the best baseline."""
        best, *others = self._models(criterion)
        ranks, reference = self.ranks[criterion], self.best_baseline[criterion]
        roles = {}
        if others and not np.isnan(self._mean(criterion, others[0]).estimate):
            second, *further = [ranks[name] for name in others]
            place = "tied for second" if second in further else "the second"
            roles[others[0]] = "" if second == ranks[best] else place
        if reference is not None:
            roles[reference] = self._role_of_best_baseline(criterion)
        return [
            Tested(
                name,
                role,
                self.one(criterion=criterion, estimator=best, against=name),
                bool(np.isinf([self._mean(criterion, one).estimate for one in (best, name)]).any()),
                self._probabilities(criterion, best, name).equivalent,
            )
            for name, role in roles.items()
        ]

    def _probabilities(self, criterion: str, first: str, second: str) -> PosteriorProbabilities:
        """Return the probabilities that the first is practically worse, equal and better."""
        scores = self.scores[criterion]
        sign = 1 if self.metrics[criterion].greater_is_better else -1
        values, others = _cross_val.comparable(scores[first], scores[second])
        return _fold_tests.bayesian_correlated_t_test(
            sign * values, sign * others, **self._sizes, rope=self.rope[criterion]
        )

    def __repr__(self) -> str:
        return (
            f"ComparisonReport({len(self.reports)} estimators and baselines, winners "
            f"{checks.shown(self.winners)})"
        )

    def pairwise(self, metric: Any = None, *, reference: str | None = None) -> PairwiseComparison:
        """Test all pairs of estimators, or each against a reference, on the fitted folds.

        No estimator is fitted again: the corrected resampled t-test needs only `scores`.

        Parameters
        ----------
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        reference : str, default=None
            Name of an estimator or baseline with which all others, including baselines, are
            compared. If None, all pairs of estimators are compared, without the baselines.

        Returns
        -------
        PairwiseComparison
            The difference of each pair, with the better estimator first, or the difference of every
            other estimator from `reference`. P-values are adjusted by Holm's method for the number
            of these pairs.

        Raises
        ------
        ValueError
            If the report does not have the criterion or the reference, or there are fewer
            than two estimators to compare.
        """
        criterion = _sections.selected_metric(self.metrics, metric)
        ordered = _in_order(self.ranks[criterion.name])
        if reference is not None and not (isinstance(reference, str) and reference in ordered):
            raise ValueError(f"reference must be among {ordered}, got {checks.shown(reference)}.")
        if reference is None:
            pairs = self._pairs(criterion.name)
        else:
            pairs = _tested(
                [(name, reference) for name in ordered if name != reference],
                self.scores[criterion.name],
                criterion,
                self.n_classes,
                **self._sizes,
                confidence_level=self.confidence_level,
            )
        if not pairs:
            raise ValueError(
                "pairwise needs at least two estimators that could be fitted: pass reference= to "
                "compare one with the baselines."
            )
        return PairwiseComparison(
            rows={(criterion.name, *pair, DIFFERENCE): row for pair, row in pairs.items()},
            metrics=ByMetric({criterion.name: criterion}),
            inferred=(criterion.name,),
            n_classes=self.n_classes,
            digits=self.digits,
            provenance=self.provenance,
            n_folds=len(self._any_report.fold_predictions),
            reference=reference,
        )

    def plot_differences(
        self, metric: Any = None, *, ax: Any = None, **options: Any
    ) -> ComparisonDisplay:
        """Draw the differences from the best baseline by one criterion.

        Parameters
        ----------
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ComparisonDisplay.plot`.

        Returns
        -------
        ComparisonDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion, or no estimators are compared by it.
        """
        criterion = _sections.selected_metric(self.metrics, metric)
        if not self._from_baseline(criterion.name):
            raise ValueError(
                "plot_differences needs a baseline that could be fitted: pairwise().plot() draws "
                "the differences of pairs."
            )
        return _differences_display(
            self._from_baseline(criterion.name),
            criterion,
            self.best_baseline[criterion.name],
            rope=self.rope[criterion.name],
        ).plot(ax, **options)

    def _display(self, criterion: str) -> FoldScoresDisplay:
        titles = self._row_titles(criterion)
        metric = self.metrics[criterion]
        return FoldScoresDisplay(
            {title: self.scores[criterion][name] for name, title in titles.items()},
            {title: self._mean(criterion, name) for name, title in titles.items()},
            baselines=[title for name, title in titles.items() if name in self.baselines],
            score_name=f"{criterion} ({_sections.direction_as_text(metric)} is better)",
        )

    def _sentences(self) -> Iterator[str]:
        yield self.verdicts[self.inferred[0]]
        if len(self.inferred) > 1:
            yield _sentences.agreement({name: self.winners[name] for name in self.inferred})

    def _notes(self) -> Iterator[str]:
        report = self._any_report
        yield f"{_cross_val.folds_in_words(report)}."
        names = [name for name in self.rounded if name in self.reports]
        if names:
            verb = "is a regressor" if len(names) == 1 else "are regressors"
            yield (
                f"{formatting.names_in_words(names)} {verb}: predictions are rounded to the "
                "nearest class. TunedOrdinalThresholdClassifierCV chooses other cuts."
            )
        shares = _sections.notes_on_prevalence(report.prevalence, report.pooled.target_names)
        yield from (note.text for note in shares)
        for criterion in self.inferred:
            yield from self._notes_on_values(criterion)
        tested = (row for row in self.rows.values() if isinstance(row, PairedDifference))
        yield from _intervals.notes_on_pvalues(tested, _WHY_P)
        yield from _about_repetition(self)

    def _notes_on_values(self, criterion: str) -> Iterator[str]:
        """Say which values are simulated, and which are replaced."""
        draws = self.draws[criterion]
        if any(of_name.n_draws for of_name in draws.values()):
            parts = "; ".join(f"{name} {of_name}" for name, of_name in draws.items())
            yield (
                f"Guesses are scored by their expected value of {criterion} over the draws: "
                f"{parts}."
            )
        zeros = [
            name
            for name, scores in self.scores[criterion].items()
            if name not in draws
            and (np.isnan(self.reports[name].scores[criterion]) & ~np.isnan(scores)).any()
        ]
        if zeros:
            names = ", ".join(zeros)
            yield f"Undefined values of {criterion} on some folds, counted as 0: {names}."

    def _hint(self) -> str:
        n_pairs = len(self._pairs(self.inferred[0]))
        more = f"pairwise() tests the {n_pairs} pairs of models." if n_pairs > _MOST_PAIRS else ""
        return " ".join(filter(None, [more, super()._hint()]))

    def _views(self) -> Iterator[Part]:
        main = self.inferred[0]
        for name in self.inferred:
            table = self._estimators_table(name)
            figure, *further = self._figures_by(name, table)
            if name == main:  # whose verdict and first figure are those of the report
                yield from (table, *_cross_val.failures_parts(self.failures))
            else:
                yield from (Note(self.verdicts[name]), table, figure)
            yield from self._pairs_tables(name)
            yield from further
        others = [name for name in self.metrics if name not in self.inferred]
        if others:
            yield self._matrix("Means by the other criteria", others)
        # If the first criterion has no value for any estimator, the first estimator is shown.
        winner = (*self.winners[main], *self.reports)[0]
        pooled, whose = (
            self.reports[winner].pooled,
            _cross_val.pooled_in_words(self.reports[winner]),
        )
        assert pooled.confusion is not None
        yield _sections.confusion_figure(
            pooled.confusion, pooled.target_names, f" by {winner}{whose}"
        )
        for name in self.metrics:
            tables = [self._estimators_table(name)] if name in others else []
            parts = (*tables, *self._practical_parts(name))
            yield Section(f"Means and practical differences by {name}", parts, is_detail=True)
        for name, title in self._row_titles(*self.metrics).items():
            yield self._estimator_section(name, title)

    def _figures(self, table: Table | None) -> Iterator[Figure]:
        yield next(self._figures_by(self.inferred[0], table))

    def _figures_by(self, criterion: str, table: Table | None) -> Iterator[Figure]:
        reference = self.best_baseline[criterion]
        if self._from_baseline(criterion):
            yield Figure(
                partial(self.plot_differences, criterion),
                f"Differences from {reference} by {criterion}, with intervals",
                f"Differences from {reference} by {criterion}",
                table,
            )
        yield Figure(
            partial(self.plot, criterion),
            f"Scores of the folds by {criterion}",
            f"Mean over the folds by {criterion}",
            table,
        )

    def _with_overall(self, criterion: str) -> dict[str, Interval]:
        return {name: self._mean(criterion, name) for name in self._models(criterion)}

    def _estimators_table(self, criterion: str) -> Table:
        """Return the mean of each estimator, and its difference from the best baseline."""
        metric, titles = self.metrics[criterion], self._row_titles(criterion)
        means = {title: self._mean(criterion, name) for name, title in titles.items()}
        against, blocks = "", [_sections.intervals(means, self.digits, "mean")]
        if rows := self._from_baseline(criterion):
            tests = _sections.differences(rows, self.digits)
            baseline = (None, None, "baseline")
            of_baselines = dict.fromkeys(
                (titles[name] for name in titles if name in self.baselines), baseline
            )
            against = (
                f"; differences from {self.best_baseline[criterion]}, "
                f"{self._role_of_best_baseline(criterion)} ({_sections.better_sign(metric)})"
            )
            blocks = [
                _sections.estimates("mean", means),
                Block(tests.columns, {**tests.cells, **of_baselines}),
            ]
        blocks += _undefined_folds(means)
        title = f"Estimators by {self._headline(criterion)}, best first{against}"
        return _sections.table(title, "estimator", list(means), *blocks)

    def _shown_pairs(self, criterion: str) -> dict[tuple[str, str], PairedDifference]:
        """Return the pairs of estimators, or none if there are many."""
        pairs = self._pairs(criterion)
        return pairs if len(pairs) <= _MOST_PAIRS else {}

    def _pairs_tables(self, criterion: str) -> Iterator[Table]:
        pairs = self._shown_pairs(criterion)
        if pairs:
            yield _pairs_table(pairs, self.metrics[criterion], None, self.digits)

    def _practical_parts(self, criterion: str) -> Iterator[Part]:
        """Yield the ranks, the intervals of the means, and what differences mean in practice."""
        titles, ranks = self._row_titles(criterion), self.ranks[criterion]
        means = {title: self._mean(criterion, name) for name, title in titles.items()}
        places = {title: _place(ranks, name) for name, title in titles.items()}
        yield _sections.table(
            f"Means by {criterion}, with intervals",
            "estimator",
            list(means),
            _sections.block(Column("rank", "number"), places),
            _sections.intervals(means, self.digits, "mean"),
        )
        reference, rope = self.best_baseline[criterion], self.rope[criterion]
        differences = {
            (name, str(reference)): row for name, row in self._from_baseline(criterion).items()
        } | self._shown_pairs(criterion)
        if not differences:
            return
        probabilities = {pair: self._probabilities(criterion, *pair) for pair in differences}
        yield _sections.table(
            f"Practical differences by {criterion}",
            "pair",
            list(differences),
            Block(
                [Column(f"P ({word})", "number", 2) for word in ("better", "equal", "worse")],
                {pair: (p.better, p.equivalent, p.worse) for pair, p in probabilities.items()},
            ),
        )
        wide = [
            " - ".join(pair)
            for pair, row in differences.items()
            if row.high - row.low > 2 * rope > 0
        ]
        text = f"P (better): probability that the first is better by more than {rope:g}."
        if wide:
            are_wide = f"The intervals of {formatting.names_in_words(wide)} are"
            are_wide = "All intervals are" if len(wide) == len(differences) else are_wide
            text = f"{text} {are_wide} too wide to show equality within this region."
        yield Note(text)

    def _estimator_section(self, name: str, title: str) -> Section:
        report = self.reports[name]
        draw = (
            "This report is about one draw of the guesses in each fold. The tables of the "
            "comparison have the expected values over all draws."
        )
        is_drawn = any(name in draws for draws in self.draws.values())
        return Section(
            f"{title} ({'baseline' if name in self.baselines else 'model'})",
            (
                *([Note(draw)] if is_drawn else []),
                *_cross_val.folds_tables(report),
                *_cross_val.pooled_notes(report),
                *_ordinal.classes_parts(report.pooled),
            ),
            is_detail=True,
        )

    def _facts(self) -> dict[str, Any]:
        return {
            "baselines": self.baselines,
            "best_baseline": self.best_baseline,
            "winners": self.winners,
            "verdicts": self.verdicts,
            "rope": self.rope,
            "reports": {name: report.to_dict() for name, report in self.reports.items()},
            "failures": [asdict(failure) for failure in self.failures],
        }

    def _extras(self, key: Key) -> dict[str, Any]:
        criterion, name, against = str(key[0]), str(key[1]), key[2]
        if against is None:
            draws = self.draws[criterion].get(name)
            return {
                "rank": self.ranks[criterion][name],
                "is_baseline": name in self.baselines,
                **(draws._asdict() if draws else dict.fromkeys(Draws._fields)),
            }
        probabilities = asdict(self._probabilities(criterion, name, against))
        outcomes = "worse", "equivalent", "better"
        return {f"probability_{outcome}": probabilities[outcome] for outcome in outcomes}

    def _role_of_best_baseline(self, criterion: str) -> str:
        ranks = self.ranks[criterion]
        titles = self._row_titles(criterion)
        of_baselines = [
            ranks[name]
            for name in titles
            if name in self.baselines and not np.isnan(self._mean(criterion, name).estimate)
        ]
        is_tied = of_baselines.count(min(of_baselines, default=0)) > 1
        return "one of the best baselines" if is_tied else "the best baseline"

    def _row_titles(self, *criteria: str) -> dict[str, str]:
        """Return the titles of rows, best first by the first criterion, keyed by their first name.

        Baselines with the same predictions and the same scores on every fold share a row.
        """
        rows: list[list[str]] = []
        for name in _in_order(self.ranks[criteria[0]]):
            for row in rows:
                are_baselines = {name, row[0]} <= {*self.baselines}
                if are_baselines and self._are_the_same(criteria, name, row[0]):
                    row.append(name)
                    break
            else:
                rows.append([name])
        return {row[0]: " = ".join(row) for row in rows}

    def _are_the_same(self, criteria: Iterable[str], first: str, second: str) -> bool:
        # Criteria of probabilities may differ although the predicted classes are the same.
        for scores in map(self.scores.__getitem__, criteria):
            if not np.array_equal(scores[first], scores[second], equal_nan=True):
                return False
        folds = [self.reports[name].fold_predictions for name in (first, second)]
        return all(
            a is b if a is None or b is None else np.array_equal(a.y_pred, b.y_pred)
            for a, b in zip(*folds, strict=True)
        )


def _place(ranks: Mapping[str, int], name: str) -> int | str:
    """Return the rank, or the first and last place of estimators that share it."""
    rank, n_tied = ranks[name], list(ranks.values()).count(ranks[name])
    return rank if n_tied == 1 else f"{rank}-{rank + n_tied - 1}"


def _about_repetition(report: ComparisonReport) -> Iterator[str]:
    """If a question is open, say how wide the intervals from repeated folds would be."""
    tests = [test for criterion in report.inferred for test in report._tests(criterion)]
    are_open = [not t.difference.is_shown for t in tests if t.difference.standard_error != 0]
    if not any(are_open) or report.failures:
        return
    of_any = report._any_report
    splitter = _sections.folds_by(report.provenance).removeprefix(" by ")
    n_folds = len(of_any.fold_predictions)
    # Folds of single samples would be the same in each repetition.
    if splitter not in _REPEATABLE or of_any.n_test.max() == 1:
        return
    repeated = f"Repeated{splitter}(n_splits={n_folds}, n_repeats={_N_REPETITIONS})"
    if np.isnan(next(iter(of_any.intervals.values())).low):
        yield f"With cv={repeated}, there are intervals and tests."
        return
    width = _fold_tests.width_after_repetition(
        _N_REPETITIONS,
        n_folds=n_folds,
        **report._sizes,
        confidence_level=report.confidence_level,
    )
    yield f"With cv={repeated}, intervals are {width:.0%} as wide if folds have the same spread."


# Several estimators on the same folds, compared with baselines
# -------------------------------------------------------------

# A baseline that guesses becomes the reference only if it beats every constant baseline by this
# many standard errors of its simulated score.
_N_ERRORS = 3


@checks.lists_parameters
def compare_estimators(
    estimators: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    baselines: Literal["default"] | Mapping[str, Any] | None = "default",
    scoring: MetricsLike = "cem_ord",
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    prevalence: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    rope: float | Mapping[str, float] = 0.01,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool | None = None,
) -> ComparisonReport:
    """Compare estimators with each other and with baselines, on the same folds.

    For each criterion, the first sentences say which estimator has the best mean, and whether it is
    shown to beat the second estimator and the best baseline. The differences of all pairs of
    estimators, and of each from that baseline, have the interval and the p-value of the corrected
    resampled t-test [1]_, adjusted by Holm's method. The report also has the probability that a
    difference from the baseline matters in practice, from the Bayesian correlated t-test [2]_.
    Values and differences are in the unit of the criterion.

    Parameters
    ----------
    estimators : dict of str to estimator instance
        The estimators by name, cloned for each fold. A regressor is fitted on the positions 0, 1,
        ... of the classes, and its predictions are rounded to the nearest class;
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV` chooses better cuts.
    X : array-like of shape (n_samples, n_features)
        Features, in any form that the estimators accept.
    y : array-like of shape (n_samples,)
        True classes.
    baselines : "default", dict of str to estimator instance, or None, default="default"
        Baselines to beat. By default `OrdinalDummyClassifier` with the majority class, stratified
        and uniform random guesses, the median class, and the constant class with the best value of
        the first criterion, if that is a criterion of labels. If one of the criteria needs
        probabilities, the baselines also include the class shares as probabilities. If None,
        estimators are only compared in pairs. Dummy classifiers that guess are scored by the
        expected value of their predictions, see Notes.
    scoring : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts: names of metrics or scorers, including
        scikit-learn's, metric functions, functions with options bound by `functools.partial`, and
        criteria of your own, ``f(y_true, y_pred)`` or ``f(estimator, X, y)``; or "all" for all
        criteria of this package that can be computed for every estimator, which include criteria of
        probabilities if all estimators have ``predict_proba``. The first is the main criterion.
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
        integers; required for strings. Scorers of this package that are named inside an estimator,
        for example as the ``scoring`` of a search, use this order. Classifiers of this package
        whose ``labels`` are not set receive it as ``labels``.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest. All criteria are computed at
        these shares, in each fold and for all folds together; see
        `OrdinalConfusion.at_prevalence`. Each fold must have test samples of each class with a
        positive share. If None, the observed class sizes of each fold are used.
    params : dict, default=None
        Parameters for ``fit`` of all estimators except the default baselines. If metadata routing
        is enabled, each estimator and the splitter receive only the parameters that they request.
    rope : float or dict of str to float, default=0.01
        Largest difference, in the unit of the criterion, that is practically zero. If the
        units of the criteria differ, pass a dict with a number for each criterion.
    confidence_level : float, default=0.95
        Level of the intervals.
    random_state : int, RandomState instance or None, default=None
        Seed of the default baselines that guess. Estimators that are passed in `baselines` use
        their own seeds.
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
    ComparisonReport
        The verdicts, tables, and a report of each estimator.

    Raises
    ------
    ValueError
        If there is nothing to compare, names clash, a scorer is not known, the order of the classes
        is not known or differs from the order of a scorer inside an estimator, a group is in both
        the training and the test samples of a fold, every fit of `estimators` fails, or if
        `prevalence` is given and a fold lacks a class or a criterion cannot be weighted.

    See Also
    --------
    cross_val_report : One estimator, fold by fold.
    compare_on_data_sets : Compare estimators over several data sets.

    Notes
    -----
    The folds come from one data set, so intervals and tests are about these fitted models on
    this data. They do not say that one learning algorithm is better than another: for
    that, compare the algorithms on several data sets with `compare_on_data_sets`, or refit them on
    independent samples.

    Dummy classifiers with the strategy "stratified" or "uniform" guess. They are not scored on a
    single draw of their random predictions: the value in each fold is the expected value of the
    criterion over all draws. The expected value is exact for criteria that are sums
    over samples for given class sizes, and for criteria that correct for chance using the margins,
    such as kappa. Otherwise, the value is the mean of 1,000 to 16,000 draws per fold. There are
    enough draws if the simulation error, the standard error of the mean over the folds, is at most
    1/20 of the smallest standard error of a difference from this mean; functions and scorers that
    are called once per draw get 16 to 64 draws. Undefined values of draws are replaced as in the
    scorers. The estimators have to beat the best of the other baselines, unless a baseline that
    guesses is better by more than three simulation errors. In ``reports``, the predictions, counts
    and pooled values of guesses come from one draw per fold.

    The best baseline is chosen on the same folds, which slightly favours it. Holm's
    correction is for the number of estimators, or of their pairs, compared by one criterion, not
    for the number of criteria: base the decision on the first criterion, and read the others as
    context. `ComparisonReport.pairwise` returns the tests of all pairs, or of all estimators
    against one of them, without fitting again.

    An estimator that fails on some folds is compared on the other folds and ranks last. A
    search whose scores are all NaN is a failed fit.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), "Inference for the generalization error", Machine
       Learning 52, :doi:`10.1023/A:1024068626366`.
    .. [2] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017), "Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis", Journal of
       Machine Learning Research 18(77).

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    >>> print(compare_estimators(models, X, y, scoring="cem_ord", random_state=0))
    By cem_ord, tree beats majority class, the best baseline, by 0.185 (95% interval 0.164 to
    0.205, adjusted p < 0.001).
    ...
    """
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError(
            f"estimators must be a dict from names to estimators, with at least one, got "
            f"{checks.shown(estimators)}."
        )
    estimators = _with_rounding(estimators)
    rounded = tuple(n for n, e in estimators.items() if isinstance(e, RoundedRegressor))
    kinds = _sections.available_kinds(estimators.values())
    metrics = lookup.get_metrics(scoring, argument="scoring", kinds=kinds, with_direction=True)
    checks.check_share("confidence_level", confidence_level)
    ropes = _ropes(rope, metrics)
    y = containers.one_column(y)
    evaluation = _folds.make_evaluation(y, labels, metrics, prevalence)
    baseline_estimators = _baseline_estimators(baselines, evaluation, random_state)
    _check_estimators(estimators, baseline_estimators)
    fits = _folds.fit_on_folds(
        {**estimators, **baseline_estimators},
        X,
        y,
        evaluation,
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
        without_params=tuple(baseline_estimators) if baselines == "default" else (),
    )
    failures = [
        failure for row in fits.by_name.values() for result in row for failure in result.failures
    ]
    provenance = Provenance.of_now(splitter=fits.splitter, estimators=fits.estimators)
    reports = {
        name: CrossValReport._from_fits(
            fits, name, evaluation, confidence_level=confidence_level, provenance=provenance
        )
        for name, row in fits.by_name.items()
        if any(result.predictions is not None for result in row)
    }
    if reports.keys().isdisjoint(estimators):
        raise ValueError(
            f"No estimator could be fitted. The first error:{_folds.cause_as_text(failures[0])}"
        )
    fitted = [name for name in estimators if name in reports]
    references = [name for name in baseline_estimators if name in reports]
    any_report = next(iter(reports.values()))
    options = {
        "n_train": any_report.n_train.mean(),
        "n_test": any_report.n_test.mean(),
        "confidence_level": confidence_level,
    }
    guessed = {name: _baselines.guessed_folds(fits, name, evaluation) for name in reports}
    scores, draws, best_baseline = ByMetric(), ByMetric(), ByMetric()
    rows: dict[Key, Interval] = {}
    for metric in evaluation.metrics:
        values = {name: _fold_values(report, metric) for name, report in reports.items()}
        models = [values[name] for name in fitted if not guessed[name]]
        expected = {
            name: _baselines.expected_scores(metric, values[name], folds, models)
            for name, folds in guessed.items()
            if folds
        }
        values.update((name, expectation.values) for name, expectation in expected.items())
        reference = _best_reference(references, values, expected, metric)
        scores[metric.name], best_baseline[metric.name] = values, reference
        draws[metric.name] = {name: Draws(e.n_draws, e.error) for name, e in expected.items()}
        rows |= _rows(values, fitted, reference, metric, len(evaluation.scale), **options)
    return ComparisonReport(
        rows=rows,
        metrics=ByMetric({metric.name: metric for metric in evaluation.metrics}),
        inferred=_sections.inferred_criteria(scoring, evaluation.metrics),
        n_classes=len(evaluation.scale),
        provenance=provenance,
        reports=reports,
        baselines=tuple(references),
        scores=scores,
        draws=draws,
        best_baseline=best_baseline,
        rope=ropes,
        failures=tuple(failures),
        rounded=rounded,
    )


def _with_rounding(estimators: Mapping[str, Any]) -> dict[str, Any]:
    """Return the estimators, with the predictions of regressors rounded to the nearest class."""
    # Values that are no estimators, and have no tags, are refused later.
    return {
        name: RoundedRegressor(estimator)
        if isinstance(estimator, BaseEstimator) and is_regressor(estimator)
        else estimator
        for name, estimator in estimators.items()
    }


def _ropes(rope: float | Mapping[Any, float], metrics: Iterable[OrdinalMetric]) -> ByMetric:
    names = [metric.name for metric in metrics]
    if not isinstance(rope, Mapping):
        return ByMetric(dict.fromkeys(names, checks.check_rope(rope)))
    by_name = ByMetric(zip(names, names, strict=True))
    ropes = ByMetric({by_name.name_of(key, "rope"): checks.check_rope(rope[key]) for key in rope})
    if ropes.keys() != set(names) or len(ropes) < len(rope):
        raise ValueError(f"rope must have one number for each of {names}, got {list(rope)}.")
    return ropes


def _baseline_estimators(
    baselines: Literal["default"] | Mapping[str, Any] | None,
    evaluation: Evaluation,
    random_state: int | np.random.RandomState | None,
) -> dict[str, Any]:
    if baselines is None:
        return {}
    if isinstance(baselines, Mapping):
        return dict(baselines)
    if not isinstance(baselines, str) or baselines != "default":
        raise ValueError(
            f"baselines must be 'default', a dict from names to estimators, or None, "
            f"got {type(baselines).__name__} {checks.shown(baselines)}."
        )
    return _baselines.default_baselines(evaluation, random_state)


def _check_estimators(estimators: Mapping[str, Any], baselines: Mapping[str, Any]) -> None:
    checks.check_named("estimators", estimators)
    checks.check_named("baselines", baselines)
    for name, estimator in {**estimators, **baselines}.items():
        checks.check_classifier(repr(name), estimator)
    clashing = sorted(estimators.keys() & baselines.keys())
    if clashing:
        raise ValueError(
            f"estimators must not have names of baselines: {', '.join(clashing)}: rename them."
        )
    if len(estimators) + len(baselines) < 2:
        raise ValueError(
            f"estimators must contain at least two if there are no baselines, got only "
            f"{checks.shown(next(iter(estimators)))}."
        )


def _fold_values(report: CrossValReport, metric: OrdinalMetric) -> NDArray[np.float64]:
    """Return the values of the folds, with undefined values replaced as in the scorers."""
    values: NDArray[np.float64] = report.scores[metric.name]
    # If the fit failed, or its probabilities are missing, there is no value to replace.
    worked = [_folds.has_evidence(fold, metric.evidence) for fold in report.fold_predictions]
    return np.where(
        np.isnan(values) & np.array(worked), catalogue.score_if_undefined(metric), values
    )


def _places(
    values: Mapping[str, NDArray[np.float64]],
    metric: OrdinalMetric,
    handicaps: Mapping[str, float] | None = None,
) -> dict[str, tuple[bool, bool, float]]:
    """Return keys that sort estimators by their mean; estimators with missing folds come last.

    The handicap of an estimator makes its mean worse.
    """
    stacked = np.array(list(values.values()))
    is_missing = np.isnan(stacked)
    is_incomplete = (is_missing & ~is_missing.all(axis=0)).any(axis=1)
    n_defined = (~is_missing).sum(axis=1)
    means = np.nansum(stacked, axis=1) / np.maximum(n_defined, 1)
    badness = -means if metric.greater_is_better else means
    if handicaps:
        badness = badness + [handicaps.get(name, 0.0) for name in values]
    keys = zip(is_incomplete, n_defined == 0, tolerances.dense_ranks(badness), strict=True)
    return dict(zip(values, keys, strict=True))


def _ranks(values: Mapping[str, NDArray[np.float64]], metric: OrdinalMetric) -> dict[str, int]:
    """Return the rank of each estimator by its mean; ties share the better rank."""
    places = _places(values, metric)
    return {
        name: 1 + sum(bool(rival < place) for rival in places.values())
        for name, place in places.items()
    }


def _in_order(ranks: Mapping[str, int]) -> list[str]:
    return sorted(ranks, key=ranks.__getitem__)


def _best_reference(
    names: Iterable[str],
    values: Mapping[str, NDArray[np.float64]],
    expected: Mapping[str, ExpectedScores],
    metric: OrdinalMetric,
) -> str | None:
    """Return the best baseline.

    A baseline that guesses is chosen only if it leads the other baselines by more than three
    standard errors of its simulation.
    """
    # The error of a single draw is not known, so a baseline with a single draw is never chosen.
    errors = {name: np.nan_to_num(scores.error, nan=np.inf) for name, scores in expected.items()}
    handicaps = {name: _N_ERRORS * error for name, error in errors.items()}
    places = _places(values, metric, handicaps)
    return min(names, key=lambda name: (*places[name], name in expected), default=None)


def _rows(
    values: Mapping[str, NDArray[np.float64]],
    models: Sequence[str],
    reference: str | None,
    metric: OrdinalMetric,
    n_classes: int,
    **options: float,
) -> dict[Key, Interval]:
    """Return the means, the differences from the best baseline, and those of pairs of models."""
    ordered = _in_order(_ranks(values, metric))
    rows: dict[Key, Interval] = {
        (metric.name, name, None, VALUE): _cross_val.folds_interval(
            values[name], metric, n_classes, **options
        )
        for name in ordered
    }
    fitted = [name for name in ordered if name in models]
    families = [list(combinations(fitted, 2))]
    if reference is not None:
        families.append([(name, reference) for name in fitted])
    for pairs in families:
        tested = _tested(pairs, values, metric, n_classes, **options)
        rows |= {(metric.name, *pair, DIFFERENCE): row for pair, row in tested.items()}
    return rows


def _tested(
    pairs: Sequence[tuple[str, str]],
    values: Mapping[str, NDArray[np.float64]],
    metric: OrdinalMetric,
    n_classes: int,
    **options: float,
) -> dict[tuple[str, str], PairedDifference]:
    """Return the differences of pairs, with p-values adjusted for all of them by Holm's method."""
    differences = [
        _cross_val.folds_difference(
            _cross_val.comparable(values[first], values[second]), metric, n_classes, **options
        )
        for first, second in pairs
    ]
    adjusted = _holm_correction.holm_correction([row.pvalue for row in differences]).tolist()
    return {
        pair: replace(row, adjusted_pvalue=pvalue)
        for pair, row, pvalue in zip(pairs, differences, adjusted, strict=True)
    }
