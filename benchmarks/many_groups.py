"""Time and memory of `GroupReport` for many groups.

Run ``python benchmarks/many_groups.py`` from the checkout. It takes a few minutes. For each number
of groups of 20,000 samples, it prints the processor time of a report with the default criteria and
9,999 permutations, and the peak resident memory of the process, Python and the libraries included.
"""

from __future__ import annotations

import time

import numpy as np
from _memory import peak_resident_memory

from sklearn_ordinal import GroupReport

N_SAMPLES, N_CLASSES = 20_000, 5


def make_report(n_groups: int) -> None:
    """Make the report of a number of groups and print the processor time."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(N_CLASSES, size=N_SAMPLES)
    y_pred = np.clip(y_true + rng.integers(-1, 2, size=N_SAMPLES), 0, N_CLASSES - 1)
    start = time.process_time()
    GroupReport.from_predictions(
        y_true,
        y_pred,
        by=rng.integers(n_groups, size=N_SAMPLES),
        n_permutations=9_999,
        random_state=0,
    )
    print(f"{n_groups} groups: {time.process_time() - start:.0f} s", end="", flush=True)


if __name__ == "__main__":
    for n_groups in (5, 30, 100, 300):
        print(f", {peak_resident_memory(make_report, (n_groups,)) / 1e6:.0f} MB")
