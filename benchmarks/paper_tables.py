"""Tables 2 and 3 of the source of CEM_ORD, computed again beside the printed figures.

Run ``python benchmarks/paper_tables.py --n-jobs 2`` from the checkout. It prints both tables
within a few minutes. The numbers come from `check_properties`, `make_ordinal_systems` and
`metric_coverage`.

Two parts of the tables are left out. The loss of Rennie and Srebro in Table 2 is a function of
decision values and thresholds, and has no value for predicted classes. The columns of Table 3 on
submissions to shared tasks cannot be computed, since the submissions are not public.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from _paper import CLAIMED, CLAIMS, COLUMNS, METRICS, PRINTED
from joblib import Parallel, delayed

from sklearn_ordinal import get_metric
from sklearn_ordinal.meta_evaluation import (
    PropertyReport,
    check_properties,
    make_ordinal_systems,
    metric_coverage,
)

SEED = 20_200_705
# The reading of the description that is closest to the printed figures, see evidence_synthetic.py:
# the spread of the true classes is a standard deviation, and displaced systems do not wrap around.
ERROR_RATES = np.linspace(0.05, 1, 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--n-seeds", type=int, default=3, help="drawings of the systems")
    arguments = parser.parse_args()
    metrics = {get_metric(metric).name: metric for metric in METRICS.values()}
    criteria = [metrics.get(name, name) for name in CLAIMS]
    parallel = Parallel(n_jobs=arguments.n_jobs)
    print("\n".join(table_2(parallel(delayed(check_properties)(metric) for metric in criteria))))
    print()
    coverage = parallel(delayed(coverage_of_seed)(seed) for seed in range(arguments.n_seeds))
    print("\n".join(table_3(np.mean(coverage, axis=0))))


def table_2(reports: list[PropertyReport]) -> Iterator[str]:
    """Yield the properties found here and those in print, a line for each criterion."""
    yield "Table 2: properties found here / in print, * differs"
    yield f"{'':34}" + "".join(f"  {name:18}" for name in CLAIMED)
    for report in reports:
        line = f"{report.metric:34}"
        for name in CLAIMED:
            found, printed = getattr(report, name), name in CLAIMS[report.metric]
            words = " / ".join("yes" if holds else "no" for holds in (found, printed))
            line += f"  {words + (' *' if found != printed else ''):18}"
        yield line.rstrip()


def coverage_of_seed(seed: int, n_test_cases: int = 100) -> np.ndarray:
    """Return the coverage of each criterion in each column, for one drawing of all systems."""
    systems = make_ordinal_systems(
        n_test_cases=n_test_cases,
        error_rates=ERROR_RATES,
        random_state=np.random.default_rng((SEED, seed)),
    )
    columns = []
    for kind in COLUMNS.values():
        kept = systems.subset(name for name in systems.names if name.split()[0] != kind)
        coverage = metric_coverage(kept, metrics=list(METRICS.values())).coverage
        columns.append([interval.estimate for interval in coverage.values()])
    return np.transpose(columns)


def table_3(coverage: np.ndarray) -> Iterator[str]:
    """Yield the coverage here and in print, a line for each criterion."""
    yield "Table 3: coverage here / in print"
    yield f"{'':10}" + "".join(f"  {name:>14}" for name in COLUMNS)
    for name, ours, printed in zip(METRICS, coverage, PRINTED, strict=True):
        cells = zip(ours, printed, strict=True)
        yield f"{name:10}" + "".join(
            f"  {f'{here:.3f} / {there:.2f}':>14}" for here, there in cells
        )
    distance = np.abs(coverage - PRINTED).mean()
    yield f"Mean distance from the {PRINTED.size} printed figures: {distance:.3f}"


if __name__ == "__main__":
    main()
