"""Size and power of the tests of `GroupReport.contrasts` for two groups.

Run ``python benchmarks/contrasts.py`` from the checkout. It takes about ten minutes on two cores
and writes the table that docs/guide/group_tests.rst shows: the share of data sets in which p is at
most 0.05, if both groups have the same errors and if the second group has more of them, for the
difference of the second group from the first group and from all samples.

The peer is Welch's test, or the paired t-test if the groups are two visits of the same patients, of
the number that each sample adds: whether it is right, its absolute error, or its closeness less
CEM_ORD times its largest closeness. Criteria that are not a mean or a ratio have no such peer.
"""

from __future__ import annotations

import argparse
import math
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from _simulation import Labels, Numbers, share_of_data_sets
from _tables import list_table
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import GroupReport

METRICS = (
    "accuracy",
    "ordinal_mean_absolute_error",
    "cem_ord",
    "quadratic_weighted_kappa",
    "macro_averaged_mean_absolute_error",
)
N_PEERS = 3
SHARES = np.array([0.6, 0.25, 0.1, 0.05])
DECAY = 1.3
# The sizes of the groups, and the decay of the second group if it has more errors.
CASES = {
    "950 and 50 samples": ((950, 50), 0.75),
    "180 and 20 samples": ((180, 20), 0.5),
    "90 patients at two visits": ((90, 90), 0.95),
}
PAIRED = "90 patients at two visits"
N_DATA_SETS = 3_000
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "contrasts.txt"


def predictions(y_true: Labels, chance: Numbers, decay: Numbers) -> Labels:
    """Return the predicted class of each sample, given a uniform random number and its decay."""
    position = np.arange(len(SHARES))
    likelihood = np.exp(-decay[:, None] * np.abs(position - y_true[:, None]))
    below = (likelihood / likelihood.sum(axis=1, keepdims=True)).cumsum(axis=1)
    return (chance[:, None] > below[:, :-1]).sum(axis=1)


def closeness_residuals(y_true: Labels, y_pred: Labels) -> Numbers:
    """Return the closeness of each sample, less CEM_ORD times its largest closeness."""
    sizes = np.bincount(y_true, minlength=len(SHARES))
    below = np.r_[0, sizes.cumsum()]
    # The samples between two classes, half of the predicted class, and the class of the truth.
    between = np.maximum(below[y_true] - below[y_pred + 1], below[y_pred] - below[y_true + 1])
    is_right = y_true == y_pred
    n_samples = sizes[y_pred] / 2 + np.where(is_right, 0, between + sizes[y_true])
    closeness = -np.log2(n_samples / len(y_true))
    largest = -np.log2(sizes[y_true] / 2 / len(y_true))
    return closeness - closeness.sum() / largest.sum() * largest


def rejections(name: str, decay_of_second: float, rng: np.random.Generator) -> Numbers:
    """Return whether p is at most 0.05 in a data set: (n_metrics, 3), False without a peer."""
    sizes, _ = CASES[name]
    group = np.repeat([0, 1], sizes)
    clusters, chance = None, rng.random(len(group))
    y_true = rng.choice(len(SHARES), size=len(group), p=SHARES)
    if name == PAIRED:
        clusters = np.tile(np.arange(sizes[0]), 2)
        y_true = y_true[clusters]
        effect = rng.normal(scale=0.8, size=sizes[0])[clusters]
        chance = stats.norm.cdf(effect + rng.normal(scale=0.6, size=len(group)))
    y_pred = predictions(y_true, chance, np.where(group == 0, DECAY, decay_of_second))
    with warnings.catch_warnings():
        # A small group may have no errors.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        report = GroupReport.from_predictions(
            y_true,
            y_pred,
            by=group,
            labels=range(len(SHARES)),
            clusters=clusters,
            metrics=METRICS,
            n_permutations=0,
        )
    added = (y_true == y_pred, np.abs(y_true - y_pred), closeness_residuals(y_true, y_pred))
    test = stats.ttest_rel if name == PAIRED else partial(stats.ttest_ind, equal_var=False)
    peers = [test(part[group == 1], part[group == 0]).pvalue for part in np.array(added, float)]
    found = [
        [result.contrasts[metric]["1"].pvalue for metric in METRICS]
        for result in (report.contrasts(reference="0"), report.contrasts())
    ]
    return np.array([*found, [*peers, math.nan, math.nan]]).T <= 0.05


def _table(n_data_sets: int, n_jobs: int) -> str:
    rows = []
    for number, (name, (_, decay)) in enumerate(CASES.items()):
        size, power = (
            share_of_data_sets(
                partial(rejections, name, decay_of_second), n_data_sets, [number, is_other], n_jobs
            )
            for is_other, decay_of_second in enumerate((DECAY, decay))
        )
        for k, (metric, shares) in enumerate(zip(METRICS, np.c_[size, power], strict=True)):
            cells = [f"{100 * share:.1f}" for share in shares]
            if k >= N_PEERS:
                cells[2::3] = ["-", "-"]
            rows.append([f"{name}, {metric}", *cells])
    error = 100 * math.sqrt(0.05 * 0.95 / n_data_sets)
    return list_table(
        f"Share of data sets with p at most 0.05, in percent: equal groups, then a second group "
        f"with more errors ({n_data_sets:,} data sets, with a standard error of {error:.1f} at 5%)",
        [
            "groups, criterion",
            "equal: from the first group",
            "from all samples",
            "peer",
            "more errors: from the first group",
            "from all samples",
            "peer",
        ],
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    parser.add_argument("--n-jobs", type=int, default=1)
    options = parser.parse_args()
    text = _table(math.ceil(options.part * N_DATA_SETS), options.n_jobs)
    print(text)
    if options.part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
