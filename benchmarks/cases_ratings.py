"""Agreement of several raters, compared with krippendorff."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from _cases import CallTime, Case, at_least, at_most, unless_installed
from numpy.typing import NDArray

from sklearn_ordinal import OrdinalRatings, agreement_report
from sklearn_ordinal.inference import bootstrap_interval, delta_interval

N_RESAMPLES = 9_999
# All calls take the same time, so a few of them are enough.
N_CALLS = 200
N_CLASSES = 5
COEFFICIENTS = (
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
)

Grades = NDArray[np.int64]


def grades(n_items: int, n_raters: int = 5) -> tuple[Grades]:
    """Return the grades of raters who differ by a class or two, (n_items, n_raters)."""
    rng = np.random.default_rng(0)
    errors = rng.integers(-1, 2, (n_items, n_raters))
    return (np.clip(rng.integers(N_CLASSES, size=(n_items, 1)) + errors, 0, N_CLASSES - 1),)


def call_krippendorff(ratings: Grades, n_calls: int = 1) -> None:
    """Compute the ordinal alpha with krippendorff, several times."""
    import krippendorff

    for _ in range(n_calls):
        krippendorff.alpha(reliability_data=ratings.T, level_of_measurement="ordinal")


def resample(ratings: Grades) -> Any:
    """Read the grades, and compute the interval of the ordinal alpha."""
    return bootstrap_interval(
        OrdinalRatings.from_ratings(ratings),
        metrics="krippendorff_alpha",
        n_resamples=N_RESAMPLES,
        random_state=0,
    )


def compute_closed_forms(ratings: Grades) -> Any:
    """Read the grades, and compute the intervals of all coefficients."""
    return delta_interval(OrdinalRatings.from_ratings(ratings), metrics=COEFFICIENTS)


def report(ratings: Grades) -> Any:
    """Read the grades, and report on the coefficients and on each rater."""
    return agreement_report(OrdinalRatings.from_ratings(ratings))


CASES: list[Case] = [
    CallTime(
        "resampled alpha / 9,999 calls",
        peer=partial(call_krippendorff, n_calls=N_CALLS),
        ours=resample,
        data=partial(grades, n_raters=3),
        demands={1_000: at_least(30)},
        same_result=False,
        left_out=unless_installed("krippendorff"),
        part_of_peer=N_CALLS / N_RESAMPLES,
    ),
    CallTime(
        "resampled alpha / one call",
        peer=call_krippendorff,
        ours=resample,
        data=grades,
        demands={100_000: at_most(1.5)},
        same_result=False,
        left_out=unless_installed("krippendorff"),
    ),
    CallTime(
        "six closed forms / one alpha",
        peer=call_krippendorff,
        ours=compute_closed_forms,
        data=grades,
        demands={1_000_000: at_most(3)},
        same_result=False,
        left_out=unless_installed("krippendorff"),
    ),
    CallTime(
        "report of raters / one alpha",
        peer=call_krippendorff,
        ours=report,
        data=grades,
        demands={1_000_000: at_most(3)},
        same_result=False,
        left_out=unless_installed("krippendorff"),
    ),
]
