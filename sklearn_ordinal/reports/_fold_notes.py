"""Notes on what the folds of one data set show, and what they do not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sklearn_ordinal.documents import Note, names_in_words, plural
from sklearn_ordinal.inference import width_after_repetition
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._model_comparison import ModelComparison
from sklearn_ordinal.reports._provenance import folds_by

ABOUT_FITTED_MODELS = "Intervals and tests are about these fitted models on this data."
ABOUT_ALGORITHMS = (
    "To compare learning algorithms, use several data sets (compare_ranks) or refits on "
    "independent samples."
)
# Splitters that scikit-learn can repeat.
_REPEATABLE = ("KFold", "StratifiedKFold")
_N_REPETITIONS = 5


def notes_on_differences(
    report: CrossValReport,
    table: Mapping[str, Mapping[str, ModelComparison]],
    rope: Mapping[str, float],
    baselines: Collection[str],
    *,
    can_be_repeated: bool,
) -> tuple[Note, ...]:
    """Explain the columns of tables of differences, and how much the folds show."""
    level = next(iter(report.intervals.values())).confidence_level
    ropes = [f"{half_width:g}" for half_width in rope.values()]
    region = ropes[0]
    if len(set(ropes)) > 1:
        pairs = zip(ropes, rope, strict=True)
        region = f"the region of practical equivalence ({', '.join(map(' by '.join, pairs))})"
    sentences = (
        f"p (Holm): corrected resampled t-test, adjusted for the number of estimators, not of "
        f"criteria; baselines are not tested. A difference is shown if it is at most "
        f"{1 - level:.3g}. P (better): probability that the estimator is better by more than "
        f"{region}.",
        _about_wide_intervals(table, rope, baselines),
        _about_repetition(report, level) if can_be_repeated else "",
        ABOUT_ALGORITHMS,
    )
    return (
        Note(" ".join(filter(None, sentences)), is_small=True),
        Note(
            f"P (equal): probability that the difference is at most {region}.",
            is_small=True,
            column="P (equal)",
        ),
        Note(
            f"P (worse): probability that the estimator is worse by more than {region}.",
            is_small=True,
            column="P (worse)",
        ),
    )


def _about_wide_intervals(
    table: Mapping[str, Mapping[str, ModelComparison]],
    rope: Mapping[str, float],
    baselines: Collection[str],
) -> str:
    """Say which intervals of differences are wider than the region of practical equivalence."""
    texts, are_all = [], True
    for criterion, rows in table.items():
        widths = {
            name: row.difference.high - row.difference.low
            for name, row in rows.items()
            if row.difference is not None and name not in baselines
        }
        region = 2 * rope[criterion]
        wide = [name for name, width in widths.items() if width > region > 0]
        are_all &= len(wide) == len(widths) > 0
        if wide:
            names = "all" if len(wide) == len(widths) else names_in_words(wide)
            texts.append(f"{names} by {criterion}")
    if not texts:
        return ""
    if are_all:
        return "All intervals are too wide to show equality within that."
    return f"Intervals that are too wide to show equality within that: {'; '.join(texts)}."


def _about_repetition(report: CrossValReport, confidence_level: float) -> str:
    """Say how wide intervals from repeated folds would be; nothing if folds cannot be repeated."""
    splitter = folds_by(report.provenance).removeprefix(" by ")
    n_folds = len(report.fold_predictions)
    # Folds of single samples would be the same in each repetition.
    if splitter not in _REPEATABLE or report.n_test.max() == 1:
        return ""
    width = width_after_repetition(
        _N_REPETITIONS,
        n_folds=n_folds,
        n_train=report.n_train.mean(),
        n_test=report.n_test.mean(),
        confidence_level=confidence_level,
    )
    return (
        f"{n_folds} folds leave {n_folds - 1} {plural(n_folds - 1, 'degree')} of freedom; "
        f"{_N_REPETITIONS} x {n_folds} folds of the same spread would give intervals {width:.0%} "
        f"as wide."
    )


def notes_on_guesses(rows: Mapping[str, ModelComparison]) -> tuple[Note, ...]:
    """Say how baselines that guess are scored, if there are any."""
    guesses = {name: row for name, row in rows.items() if row.n_draws is not None}
    if not guesses:
        return ()
    start = "Guesses are scored by the expectation over their draws"
    if all(row.n_draws == 0 for row in guesses.values()):
        return (Note(f"{start}, which is exact.", is_small=True),)
    parts = [f"{name} {_draws_in_words(row)}" for name, row in guesses.items()]
    return (Note(f"{start}: {'; '.join(parts)}.", is_small=True),)


def _draws_in_words(row: ModelComparison) -> str:
    if not row.n_draws:
        return "exactly"
    if row.n_draws == 1:
        return "by one draw per fold, since the criterion fails for others"
    return f"from {row.n_draws:,} draws per fold (simulation error {row.simulation_error:.2g})"


def notes_on_one_draw(rows: Iterable[ModelComparison]) -> tuple[Note, ...]:
    """Say that the report of a baseline that guesses is about one of its draws."""
    if all(row.n_draws is None for row in rows):
        return ()
    return (
        Note(
            "This report is about one draw of the guesses in each fold. The tables of the "
            "comparison have the expectation over all draws."
        ),
    )
