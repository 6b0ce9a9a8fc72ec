"""Shared rows of baselines in tables and plots."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal.reports._cross_val_report import CrossValReport


def row_titles(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    baselines: Collection[str],
) -> dict[str, str]:
    """Return the title of the row in which tables and plots show each estimator.

    Baselines with the same predictions and the same scores on every fold share a row.
    """
    rows: list[list[str]] = []
    for name in reports:
        for row in rows:
            is_baseline = name in baselines and row[0] in baselines
            if is_baseline and _are_the_same(reports, scores, name, row[0]):
                row.append(name)
                break
        else:
            rows.append([name])
    return {name: " = ".join(row) for row in rows for name in row}


def distinct_rows(names: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each row, keyed by the first of the names that share it."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(titles[name], name)
    return {name: title for title, name in first.items()}


def with_folds(
    titles: Mapping[str, str], scores: Mapping[str, NDArray[np.float64]]
) -> dict[str, str]:
    """Return titles, with the number of folds if a mean is over only some of the folds."""
    n_folds = np.count_nonzero(~np.all([np.isnan(values) for values in scores.values()], axis=0))
    n_defined = {name: np.count_nonzero(~np.isnan(scores[name])) for name in titles}
    return {
        name: title
        if n_defined[name] == n_folds
        else f"{title} ({n_defined[name]} of {n_folds} folds)"
        for name, title in titles.items()
    }


def _are_the_same(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    first: str,
    second: str,
) -> bool:
    # Criteria of probabilities may differ although the predicted classes are the same.
    if not np.array_equal(scores[first], scores[second], equal_nan=True):
        return False
    folds = zip(reports[first].fold_predictions, reports[second].fold_predictions, strict=True)
    return all(
        a is b if a is None or b is None else np.array_equal(a.y_pred, b.y_pred) for a, b in folds
    )
