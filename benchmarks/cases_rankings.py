"""Criteria of rankings of five classes."""

from __future__ import annotations

from functools import partial

import numpy as np
from _cases import CallMegabytes, CallTime, Case, at_least, at_most, within_megabytes
from cases_decisions import areas, grades_and_scores
from numpy.typing import NDArray

from sklearn_ordinal.metrics import threshold_roc_auc_score, volume_under_surface_score

# The probabilities of a million samples take 40 MB.
FOUR_TIMES_THE_PROBABILITIES = {1_000_000: within_megabytes(160)}


def grades_and_tied_scores(
    n_samples: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    grades, scores = grades_and_scores(n_samples)
    return grades, scores.round(2)


areas_of_thresholds = partial(threshold_roc_auc_score, average=None)

CASES: list[Case] = [
    *(
        CallTime(
            f"4 ROC areas{ties}",
            peer=areas,
            ours=areas_of_thresholds,
            data=data,
            demands={1_000_000: at_least(9)},
        )
        for ties, data in ((", no ties", grades_and_scores), (", ties", grades_and_tied_scores))
    ),
    *(
        CallTime(
            f"volume / 4 ROC areas{ties}",
            peer=areas,
            ours=volume_under_surface_score,
            data=data,
            demands={1_000_000: at_most(1)},
            same_result=False,
        )
        for ties, data in ((", no ties", grades_and_scores), (", ties", grades_and_tied_scores))
    ),
    *(
        CallMegabytes(
            f"memory of {name}",
            ours=function,
            data=grades_and_scores,
            demands=FOUR_TIMES_THE_PROBABILITIES,
        )
        for name, function in (
            ("4 ROC areas", areas_of_thresholds),
            ("volume", volume_under_surface_score),
        )
    ),
]
