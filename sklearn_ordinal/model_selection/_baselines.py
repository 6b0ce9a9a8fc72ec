"""The default baselines, and the expected scores of baselines that guess."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import _safe_split

from sklearn_ordinal._core import (
    arithmetic,
    catalogue,
    checks,
    confusion_counts,
    evidence_kinds,
    sampling,
)
from sklearn_ordinal._core.arithmetic import Counts
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.model_selection import _dummy
from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier
from sklearn_ordinal.model_selection._folds import Evaluation, FoldResults

# The default baselines, and the expected scores of baselines that guess
# ----------------------------------------------------------------------

Values: TypeAlias = NDArray[np.float64]
Sampler: TypeAlias = Callable[[np.random.Generator, int], Values]
"""A function from a generator and a number of draws to the value of each draw."""
Expectation: TypeAlias = Callable[[OrdinalMetric, "GuessedFold", float], float | Sampler]
"""A function from a criterion, a fold and its observed value to the expected value or a sampler."""

# The smallest and the largest number of draws in each fold: if a single call evaluates a stack of
# draws, and if each draw needs a call of a function or a scorer.
_N_DRAWS_OF_STACKS = (1_000, 16_000)
_N_DRAWS_OF_CALLS = (16, 64)
_CELLS_PER_CHUNK = 2**22
# With 1/20, simulation increases the variance of a difference by less than 1/400.
_LARGEST_SHARE_OF_SPREAD = 1 / 20


def default_baselines(
    evaluation: Evaluation, random_state: int | np.random.RandomState | None
) -> dict[str, OrdinalDummyClassifier]:
    """Return the baselines of a comparison by name. Some are chosen for its first criterion.

    Baselines that predict at random are seeded by `random_state`.
    """
    scale, metrics = evaluation.scale, evaluation.metrics
    seeds = checks.as_random_state(random_state).randint(2**31 - 1, size=2)
    baselines = {
        "majority class": OrdinalDummyClassifier("most_frequent"),
        "stratified guesses": OrdinalDummyClassifier("stratified", random_state=int(seeds[0])),
        "uniform guesses": OrdinalDummyClassifier("uniform", random_state=int(seeds[1])),
        "median class": OrdinalDummyClassifier("median", labels=scale),
    }
    if OrdinalConfusion in metrics[0].evidence.accepts:
        # For other criteria, the labels alone do not determine which constant is best.
        baselines["best constant"] = OrdinalDummyClassifier(
            "best_constant", labels=scale, metric=metrics[0], prevalence=evaluation.prevalence
        )
    if any(metric.evidence is evidence_kinds.PROBABILITIES for metric in metrics):
        baselines["class prior"] = OrdinalDummyClassifier("prior")
    return baselines


@dataclass(frozen=True)
class GuessedFold:
    """The test samples of a fold, and a baseline that guesses their classes.

    `shares` has the probability with which each class of the scale is guessed, regardless
    of the features; `take_test` returns the features and labels for criteria that are
    called with the estimator.
    """

    fitted: Any
    shares: NDArray[np.float64]
    scale: OrdinalScale
    y_true: NDArray[np.intp]
    prevalence: NDArray[np.float64] | None
    take_test: Callable[[], tuple[Any, Any]]

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """Number of test samples of each true class."""
        return np.bincount(self.y_true, minlength=len(self.scale))

    @property
    def weigh_the_same(self) -> bool:
        """Whether all samples have the same weight."""
        return self.prevalence is None

    @property
    def has_constant_probabilities(self) -> bool:
        """Whether `predict_proba` returns the shares, not probability 1 for a random class."""
        return bool(self.fitted.strategy == "uniform")

    def counts(self, rng: np.random.Generator, n_draws: int) -> Counts:
        """Draw matrices of counts; rows are multinomial, since guesses ignore the features."""
        n_classes = len(self.scale)
        counts = np.zeros((n_draws, n_classes, n_classes), dtype=np.int64)
        occurring, guessed = np.flatnonzero(self.sizes), np.flatnonzero(self.shares)
        counts[:, occurring[:, None], guessed] = rng.multinomial(
            self.sizes[occurring], self.shares[guessed], size=(n_draws, len(occurring))
        )
        return counts

    def at_prevalence(self, counts: Counts) -> OrdinalConfusion:
        """Return counts as evidence, weighted to the requested shares of the true classes."""
        confusion = OrdinalConfusion(self.scale, counts)
        return confusion if self.prevalence is None else confusion.at_prevalence(self.prevalence)


class Guesses(Protocol):
    """Random guesses of the classes of samples, with the same shares for each sample."""

    @property
    def scale(self) -> OrdinalScale: ...

    @property
    def sizes(self) -> Counts: ...

    @property
    def shares(self) -> NDArray[np.float64]: ...

    @property
    def weigh_the_same(self) -> bool: ...

    def counts(self, rng: np.random.Generator, n_draws: int) -> Counts: ...


def _expected_counts(guesses: Guesses) -> Counts:
    """Return the expected number, or weight, of guesses of each class for each true class."""
    expected: Counts = guesses.sizes[:, None] * guesses.shares
    return expected


@dataclass(frozen=True)
class ExpectedScores:
    """The expected value of a criterion in each fold.

    Each value is the mean of `n_draws` draws, or exact if `n_draws` is 0. `error` is the
    standard error that the draws add to the mean over the folds. If a criterion cannot be
    evaluated for more draws, the values come from a single draw, whose error is not known.
    """

    values: Values
    n_draws: int = 0
    error: float = 0.0


def guessed_folds(fits: FoldResults, name: str, evaluation: Evaluation) -> dict[int, GuessedFold]:
    """Return the folds on which an estimator predicts at random, if it could be fitted."""
    return {
        number: GuessedFold(
            fitted=result.guesser,
            shares=_dummy.guessed_shares(result.guesser, evaluation.scale),
            scale=evaluation.scale,
            y_true=evaluation.y_true[test],
            prevalence=evaluation.prevalence,
            take_test=partial(_safe_split, result.guesser, fits.X, fits.y, test, train),
        )
        for number, ((train, test), result) in enumerate(
            zip(fits.splits, fits.by_name[name], strict=True)
        )
        if result.guesser is not None
    }


def expected_scores(
    metric: OrdinalMetric,
    drawn: Values,
    folds: Mapping[int, GuessedFold],
    models: Iterable[Values],
) -> ExpectedScores:
    """Return the expected value of a criterion in each fold.

    A value that cannot be computed exactly is the mean of random draws. There are enough
    draws for the error of the mean to be small relative to the spread, over the folds, of
    the differences from each of `models`, unless the largest number of draws is reached. The
    draws are seeded by the baseline's own random state.

    Parameters
    ----------
    metric : OrdinalMetric
        The criterion.
    drawn : ndarray of shape (n_folds,)
        Values for the predictions of the fitted baseline, NaN where the fit failed.
    folds : mapping of int to GuessedFold
        The baseline on each fold where it could be fitted.
    models : iterable of ndarray of shape (n_folds,)
        Values of each estimator that is compared with the baseline.
    """
    if not folds:
        return ExpectedScores(drawn)
    expectation = _expectation(metric)
    if expectation is None:
        return ExpectedScores(drawn, n_draws=1, error=np.nan)
    rng = checks.as_generator(clone(next(iter(folds.values())).fitted).random_state)
    values = drawn.copy()
    try:
        with warnings.catch_warnings():
            # The same warnings were shown when the fitted baseline was evaluated.
            warnings.simplefilter("ignore")
            parts = {
                number: expectation(metric, fold, float(drawn[number]))
                for number, fold in folds.items()
            }
            samplers = {
                number: partial(_replaced_draws, metric, part)
                for number, part in parts.items()
                if callable(part)
            }
            for number in folds.keys() - samplers.keys():
                values[number] = _replaced(metric, np.asarray(parts[number]))
            if not samplers:
                return ExpectedScores(values)
            is_called = expectation in (_row_expectation, _estimator_expectation)
            return _simulated_scores(
                values,
                samplers,
                _N_DRAWS_OF_CALLS if is_called else _N_DRAWS_OF_STACKS,
                partial(_is_small, models=list(models)),
                rng,
            )
    except Exception:  # a user's function or scorer may fail for some draws
        return ExpectedScores(drawn, n_draws=1, error=np.nan)


def _expectation(metric: OrdinalMetric) -> Expectation | None:
    """Return the function that computes the expectation of a criterion, None if there is none."""
    if metric.scorer is not None:
        return _estimator_expectation
    return _EXPECTATIONS.get(metric.evidence)


def _replaced(metric: OrdinalMetric, values: Values) -> Values:
    """Return the values of draws, with undefined values replaced as in the scorers."""
    return np.where(np.isnan(values), catalogue.score_if_undefined(metric), values)


def _replaced_draws(
    metric: OrdinalMetric, sampler: Sampler, rng: np.random.Generator, n_draws: int
) -> Values:
    return _replaced(metric, sampler(rng, n_draws))


def _simulated_scores(
    values: Values,
    samplers: Mapping[int, Sampler],
    n_draws_range: tuple[int, int],
    is_precise: Callable[[float, Values], bool],
    rng: np.random.Generator,
) -> ExpectedScores:
    """Return the values of folds, where those with a sampler are means of random draws.

    The number of draws is doubled, from the smallest to the largest, until `is_precise` is true
    for the standard error of the mean over the folds and the values.
    """
    n_more, n_most = n_draws_range
    numbers, draws = list(samplers), np.empty((len(samplers), 0))
    while True:
        more = np.array([sampler(rng, n_more) for sampler in samplers.values()])
        draws = np.concatenate([draws, more], axis=1)
        values[numbers], variances = _mean_of_draws(draws)
        n_folds = np.count_nonzero(~np.isnan(values))
        error = float(np.sqrt(variances.sum()) / max(n_folds, 1))
        n_draws = draws.shape[1]
        if n_draws >= n_most or is_precise(error, values):
            return ExpectedScores(values, n_draws, error)
        n_more = n_draws


def _mean_of_draws(draws: Values) -> tuple[Values, Values]:
    """Return the means of random draws (..., n_draws), and the variances of these means.

    Undefined draws are left out. The mean is NaN if there are no others.
    """
    is_defined = ~np.isnan(draws)
    n_defined = np.maximum(is_defined.sum(axis=-1), 1)
    means = np.where(is_defined.any(axis=-1), np.nansum(draws, axis=-1) / n_defined, np.nan)
    with np.errstate(invalid="ignore"):
        squares = np.nansum((draws - means[..., None]) ** 2, axis=-1)
    return means, squares / np.maximum(n_defined - 1, 1) / n_defined


def _is_small(error: float, values: Values, *, models: list[Values]) -> bool:
    """Return whether the error of values is small relative to the spread over the folds."""
    # If a value is infinite or there is a single fold, there is no spread to compare with.
    return not error > _LARGEST_SHARE_OF_SPREAD * _spread(models, values)


def _spread(models: Iterable[Values], values: Values) -> float:
    """Return the smallest standard error of the mean difference from a model over the folds."""
    with np.errstate(invalid="ignore"):
        differences = [model - values for model in models]
    finite = [difference[np.isfinite(difference)] for difference in differences]
    errors = [part.std(ddof=1) / np.sqrt(len(part)) for part in finite if len(part) > 1]
    return float(min(errors, default=np.nan))


def _label_expectation(metric: OrdinalMetric, fold: GuessedFold, _: float) -> float | Sampler:
    def values(counts: Counts) -> Any:
        return metric(fold.at_prevalence(counts))

    return _counts_expectation(metric, fold, values)


def _counts_expectation(
    metric: OrdinalMetric, guesses: GuessedFold, values: Callable[[Counts], Any]
) -> float | Sampler:
    """Return the expectation of a function of counts, exact if the metric's properties allow it."""

    def sample(rng: np.random.Generator, n_draws: int) -> Values:
        return np.concatenate([values(counts) for counts in _drawn_counts(guesses, rng, n_draws)])

    exact = _exact_expectation(metric, guesses, values)
    return sample if exact is None else exact


def _exact_expectation(
    metric: OrdinalMetric, guesses: Guesses, values: Callable[[Counts], Any]
) -> float | None:
    """Return the expectation of a function of counts, None if it is not known."""
    if metric.expected_on_soft_counts:
        return float(values(_expected_counts(guesses)))
    if metric.centred_at_chance and guesses.weigh_the_same:
        # Guesses do not depend on the samples, so all permutations of the guesses are equally
        # likely.
        assert metric.chance_level is not None
        # Fractions would be read as weights, for which some criteria are undefined.
        possible = np.ceil(_expected_counts(guesses))
        return math.nan if np.isnan(values(possible)) else metric.chance_level
    return None


def _drawn_counts(guesses: Guesses, rng: np.random.Generator, n_draws: int) -> Iterator[Counts]:
    """Yield stacks of counts, with a number of draws in all."""
    for chunk in arithmetic.slices(n_draws, _CELLS_PER_CHUNK // len(guesses.scale) ** 2):
        yield guesses.counts(rng, chunk.stop - chunk.start)


def _row_expectation(metric: OrdinalMetric, fold: GuessedFold, _: float) -> Sampler:
    labels, y_true, weights = fold.scale.labels, fold.y_true, None
    if fold.prevalence is not None:
        weights = confusion_counts.weights_at_prevalence(
            y_true, fold.prevalence, np.ones(len(y_true))
        )

    def sample(rng: np.random.Generator, n_draws: int) -> Values:
        guesses = rng.choice(len(labels), size=(n_draws, len(y_true)), p=fold.shares)
        return np.array(
            [
                metric.from_predictions(labels[y_true], labels[row], sample_weight=weights)
                for row in guesses
            ]
        )

    return sample


def _probability_expectation(
    metric: OrdinalMetric, fold: GuessedFold, drawn: float
) -> float | Sampler:
    if fold.has_constant_probabilities:
        return drawn
    n_classes = len(fold.scale)
    if metric.additive:
        guessed = np.flatnonzero(fold.shares)
        weights = fold.at_prevalence(np.diag(fold.sizes)).counts.sum(axis=1)
        certain = (
            _forecasts(fold, np.arange(n_classes), np.broadcast_to(row, (n_classes, n_classes)))
            for row in np.eye(n_classes)[guessed]
        )
        values = [metric(sampling.reweighted(forecasts, weights)) for forecasts in certain]
        return float(fold.shares[guessed] @ values)
    true, predicted = np.divmod(np.arange(n_classes**2), n_classes)
    return _cells_expectation(metric, fold, _forecasts(fold, true, np.eye(n_classes)[predicted]))


def _score_expectation(metric: OrdinalMetric, fold: GuessedFold, drawn: float) -> float | Sampler:
    if fold.has_constant_probabilities:
        return drawn
    n_classes = len(fold.scale)
    # If a class has probability 1, the score is the position of this class.
    true, predicted = np.divmod(np.arange(n_classes**2), n_classes)
    scores = OrdinalScores(fold.scale, true, predicted.astype(np.float64), np.ones(len(true)))
    return _cells_expectation(metric, fold, scores)


def _forecasts(
    fold: GuessedFold, y_true: NDArray[np.intp], y_proba: NDArray[np.float64]
) -> OrdinalForecasts:
    return OrdinalForecasts(
        fold.scale, y_true, y_proba, np.ones(len(y_true)), fold.prevalence is not None
    )


def _cells_expectation(
    metric: OrdinalMetric, fold: GuessedFold, cells: OrdinalForecasts | OrdinalScores
) -> float | Sampler:
    """Return the expectation for evidence with one sample for each cell of the counts."""

    def values(counts: Counts) -> Any:
        weights = fold.at_prevalence(counts).counts.astype(np.float64)
        return metric(sampling.reweighted(cells, weights.reshape(*counts.shape[:-2], -1)))

    return _counts_expectation(metric, fold, values)


def _estimator_expectation(
    metric: OrdinalMetric, fold: GuessedFold, drawn: float
) -> float | Sampler:
    score = metric.scorer
    assert score is not None
    if metric.evidence is evidence_kinds.PROBABILITIES and fold.has_constant_probabilities:
        return drawn
    fitted = copy.deepcopy(fold.fitted)
    dummy = getattr(fitted, "dummy_", fitted)
    X_test, y_test = fold.take_test()

    def value(seed: int) -> float:
        # Use an integer, so that predict and predict_proba of the same draw agree.
        dummy.random_state = seed
        return score(fitted, X_test, y_test)

    def sample(rng: np.random.Generator, n_draws: int) -> Values:
        return np.array([value(seed) for seed in rng.integers(2**31, size=n_draws).tolist()])

    return sample


_EXPECTATIONS: Mapping[Kind, Expectation] = {
    evidence_kinds.LABELS: _label_expectation,
    evidence_kinds.ROWS: _row_expectation,
    evidence_kinds.PROBABILITIES: _probability_expectation,
    evidence_kinds.SCORES: _score_expectation,
    evidence_kinds.ESTIMATOR: _estimator_expectation,
}


# Random guesses for samples that are only counted, and their expected scores
# ---------------------------------------------------------------------------

_NUMBERS_PER_DRAW = 2**22
# All draws of one mean together. If samples have many different weights, or if there are dozens of
# classes, there are fewer draws. With many samples, the mean of 16 draws is precise enough.
_MOST_NUMBERS, _MOST_CELLS, _FEWEST_DRAWS = 2**22, 2**24, 16
# Half a unit of the third digit after the decimal point, in the unit of the criterion.
_PRECISE = 0.0005


@dataclass(frozen=True)
class WeightedSamples:
    """The number of samples of each class and weight, in the order of the classes."""

    true: NDArray[np.intp]
    weights: NDArray[np.float64]
    numbers: NDArray[np.int64]

    @classmethod
    def of_sizes(cls, sizes: Counts) -> WeightedSamples | None:
        """Return samples of weight 1, or None if the sizes of the classes are not integers."""
        if (sizes % 1).any():
            return None
        (true,) = np.nonzero(sizes)
        return cls(true, np.ones(len(true)), sizes[true].astype(np.int64))

    @classmethod
    def in_confusion(
        cls, confusion: OrdinalConfusion, sizes: Counts, *, with_unanswered: bool
    ) -> WeightedSamples | None:
        """Return the samples that were counted, or None if the counts do not tell them.

        `sizes` are the sizes of the true classes, with unanswered samples if `with_unanswered`.
        """
        if not confusion.is_weighted:
            return cls.of_sizes(sizes)
        samples = confusion_counts.samples_counted_in(confusion)
        if samples is None:
            return None
        true, predicted = np.divmod(samples.cells[0], samples.n_columns)
        is_included = with_unanswered | (predicted < len(confusion.scale))
        pairs = np.stack([true[is_included], samples.weight[is_included]])
        (true, weights), numbers = np.unique(pairs, axis=1, return_counts=True)
        return cls(true.astype(np.intp), weights, numbers)


@dataclass(frozen=True)
class CountedGuesses:
    """Random guesses for counted samples: `shares` has the probability of each class.

    `sizes` has the number, or weight, of the samples of each true class. If `samples` is None,
    guesses cannot be drawn.
    """

    scale: OrdinalScale
    sizes: Counts
    samples: WeightedSamples | None
    shares: NDArray[np.float64]
    is_weighted: bool

    @property
    def weigh_the_same(self) -> bool:
        """Whether all samples have the same weight."""
        return not self.is_weighted

    def evidence(self, counts: Counts) -> OrdinalConfusion:
        """Return counts as evidence."""
        return OrdinalConfusion(self.scale, counts, self.is_weighted)

    def counts(self, rng: np.random.Generator, n_draws: int) -> Counts:
        """Draw matrices of counts; rows are multinomial, since guesses ignore the features."""
        assert self.samples is not None
        n_classes, guessed = len(self.scale), np.flatnonzero(self.shares)
        numbers, weights = self.samples.numbers, self.samples.weights[:, None]
        occurring, starts = np.unique(self.samples.true, return_index=True)
        counts = np.zeros((n_draws, n_classes, n_classes))
        for part in arithmetic.slices(n_draws, _NUMBERS_PER_DRAW // (len(numbers) * len(guessed))):
            size = (part.stop - part.start, len(numbers))
            drawn = weights * rng.multinomial(numbers, self.shares[guessed], size=size)
            counts[part, occurring[:, None], guessed] = np.add.reduceat(drawn, starts, axis=1)
        return counts


def expected_guesses(
    metrics: Sequence[OrdinalMetric], guesses: CountedGuesses, rng: np.random.Generator
) -> list[ExpectedScores]:
    """Return the expected value of each criterion of counts for random guesses.

    The value is exact if the properties of the criterion allow it, otherwise the mean of draws,
    and NaN if guesses cannot be drawn. Draws for which the criterion is undefined are left out.
    """

    def expectation(metric: OrdinalMetric) -> float | None:
        return _exact_expectation(metric, guesses, lambda counts: metric(guesses.evidence(counts)))

    exact = [expectation(metric) for metric in metrics]
    unknown = [metric for metric, value in zip(metrics, exact, strict=True) if value is None]
    simulated = iter(_simulated_guesses(unknown, guesses, rng))
    return [
        next(simulated) if value is None else ExpectedScores(np.array([value])) for value in exact
    ]


def _simulated_guesses(
    metrics: Sequence[OrdinalMetric], guesses: CountedGuesses, rng: np.random.Generator
) -> list[ExpectedScores]:
    """Return the mean value of each criterion over random draws, NaN if guesses cannot be drawn.

    Drawing takes longer than computing most criteria, so all criteria are computed from the same
    draws, until each of them is precise.
    """
    if guesses.samples is None:
        return [ExpectedScores(np.array([np.nan])) for _ in metrics]
    n_numbers, n_cells = len(guesses.samples.numbers), len(guesses.scale) ** 2
    most = max(_FEWEST_DRAWS, min(_MOST_NUMBERS // n_numbers, _MOST_CELLS // n_cells))
    n_more, n_most = np.minimum(_N_DRAWS_OF_STACKS, most).tolist()
    draws = [np.empty(0) for _ in metrics]
    scores: dict[int, ExpectedScores] = {}
    while len(scores) < len(metrics):
        unfinished = [k for k in range(len(metrics)) if k not in scores]
        for counts in _drawn_counts(guesses, rng, n_more):
            evidence = guesses.evidence(counts)
            for k in unfinished:
                draws[k] = np.append(draws[k], metrics[k](evidence))
        for k in unfinished:
            mean, variance = _mean_of_draws(draws[k])
            n_more, error = len(draws[k]), math.sqrt(variance)
            if n_more >= n_most or error <= _PRECISE:
                scores[k] = ExpectedScores(mean[None], n_more, error)
    return [scores[k] for k in range(len(metrics))]
