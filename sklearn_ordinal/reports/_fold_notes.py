"""Notes on what the folds of one data set show, and what they do not."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sklearn_ordinal.documents import Note
from sklearn_ordinal.inference import width_after_repetition
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._model_comparison import ModelComparison
from sklearn_ordinal.reports._provenance import folds_by

# Splitters that scikit-learn repeats.
_REPEATED = {"KFold": "RepeatedKFold", "StratifiedKFold": "RepeatedStratifiedKFold"}
_N_REPETITIONS = 5


def note_on_fitted_models() -> Note:
    """Say what intervals and tests on the folds of one data set are about."""
    return Note(
        "The intervals and tests are about these fitted models on this data. To compare learning "
        "algorithms, use several data sets (compare_ranks) or refits on independent samples."
    )


def notes_on_repetition(report: CrossValReport, confidence_level: float) -> tuple[Note, ...]:
    """Say how wide intervals would be from repeated folds, if the folds can be repeated."""
    splitter = folds_by(report.provenance).removeprefix(" by ")
    n_folds = len(report.fold_predictions)
    # Folds of single samples would be the same in each repetition.
    if splitter not in _REPEATED or report.n_test.max() == 1:
        return ()
    width = width_after_repetition(
        _N_REPETITIONS,
        n_folds=n_folds,
        n_train=report.n_train.mean(),
        n_test=report.n_test.mean(),
        confidence_level=confidence_level,
    )
    return (
        Note(
            f"Intervals from {n_folds} folds have {n_folds - 1} degrees of freedom. With "
            f"{_N_REPETITIONS} x {n_folds} folds that vary as much ({_REPEATED[splitter]}), they "
            f"would be about {width:.0%} as wide, and still about models fitted on this data.",
            is_small=True,
        ),
    )


def notes_on_rope(
    table: Mapping[str, Mapping[str, ModelComparison]],
    rope: Mapping[str, float],
    baselines: Collection[str],
) -> tuple[Note, ...]:
    """Say which intervals of differences are too wide to be within the region of equivalence."""
    texts = []
    for criterion, rows in table.items():
        tested = {
            name: row.difference.high - row.difference.low
            for name, row in rows.items()
            if row.difference is not None and name not in baselines
        }
        wide = [name for name, width in tested.items() if width > 2 * rope[criterion]]
        if wide and rope[criterion]:
            names = "all" if len(wide) == len(tested) > 1 else ", ".join(wide)
            texts.append(f"{names} by {criterion} ({-rope[criterion]:g} to {rope[criterion]:g})")
    if not texts:
        return ()
    return (
        Note(
            f"Intervals of differences that are wider than the region of practical equivalence, so "
            f"that they cannot show equivalence: {'; '.join(texts)}.",
            is_small=True,
        ),
    )
