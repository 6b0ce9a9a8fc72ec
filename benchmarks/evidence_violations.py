"""How often criteria violate monotonicity and imbalance, on random confusion matrices.

`evidence.py` runs it. Every class occurs in the truth of each matrix.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from _paper import METRICS
from _tables import list_table
from _tasks import run_tasks
from numpy.typing import NDArray

from sklearn_ordinal import OrdinalConfusion, get_metric

NAME = "Violations of properties"
SEED = 20_261_130
N_CLASSES, N_DRAWS = (3, 4, 5, 6, 7), 1_000
MAX_SAMPLES, MAX_SIZE = 60, 30
# Smaller differences are rounding errors.
TOLERANCE = 1e-9

Matrices = NDArray[np.int64]
# The criteria of the claims of the source: its one row for weighted kappa is two criteria here.
CRITERIA = [
    *(metric for metric in METRICS.values() if metric != "cem_ord_flat"),
    *(
        name
        for name in (
            "kendall_tau_b",
            "linear_weighted_kappa",
            "quadratic_weighted_kappa",
            "reliability_sensitivity_f",
            "purity",
            "inverse_purity",
            "cosine_similarity",
            "ordinal_classification_index",
            "cem_nom",
            "cem_int",
        )
        if name not in METRICS.values()
    ),
]
QUESTIONS = ("steps", "sizes")


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return for each criterion the shares of violations and ties, and an example."""
    n_draws = max(2, math.ceil(part * N_DRAWS))
    tasks = [(criterion, n_draws, SEED) for criterion in CRITERIA]
    found = run_tasks(violations_of, tasks, n_jobs=n_jobs, title=NAME)
    return {get_metric(criterion).name: one for criterion, one in zip(CRITERIA, found, strict=True)}


def violations_of(criterion: Any, n_draws: int, seed: int) -> dict[str, Any]:
    """Return what one criterion says of random pairs, of which the second should be better."""
    metric = get_metric(criterion)
    sign = 1 if metric.greater_is_better else -1
    results: dict[str, Any] = {}
    for question, draw in zip(QUESTIONS, (random_step, random_sizes), strict=True):
        rng = np.random.default_rng(seed)
        pairs = [draw(rng, k) for k in N_CLASSES for _ in range(n_draws)]
        gains = np.array(
            [sign * (_value(metric, better) - _value(metric, worse)) for worse, better in pairs]
        )
        violated = np.flatnonzero(gains < -TOLERANCE)
        defined = gains[~np.isnan(gains)]
        example = min((pairs[k] for k in violated), key=_size, default=None)
        results[question] = {
            "n": len(defined),
            "undefined": len(gains) - len(defined),
            "violated": len(violated),
            "ties": np.count_nonzero(np.abs(defined) <= TOLERANCE),
            "example": example,
        }
    return results


def random_step(rng: np.random.Generator, n_classes: int) -> tuple[Matrices, Matrices]:
    """Return random counts, and the same with one error one class nearer to the truth."""
    n_samples = rng.integers(n_classes, MAX_SAMPLES + 1)
    shares = rng.dirichlet(np.ones(n_classes))
    y_true = np.append(np.arange(n_classes), rng.choice(n_classes, n_samples - n_classes, p=shares))
    is_correct = rng.random(n_samples) < rng.random()
    y_pred = np.where(is_correct, y_true, rng.integers(n_classes, size=n_samples))
    errors = np.flatnonzero(y_pred != y_true)
    if not len(errors):
        return random_step(rng, n_classes)
    moved, nearer = rng.choice(errors), y_pred.copy()
    nearer[moved] += np.sign(y_true[moved] - y_pred[moved])
    return _count(y_true, y_pred, n_classes), _count(y_true, nearer, n_classes)


def random_sizes(rng: np.random.Generator, n_classes: int) -> tuple[Matrices, Matrices]:
    """Return counts with one error, in the smaller and in the larger neighbour of a class."""
    middle = rng.integers(1, n_classes - 1)
    sizes = rng.integers(1, MAX_SIZE + 1, size=n_classes)
    while sizes[middle - 1] == sizes[middle + 1]:
        sizes = rng.integers(1, MAX_SIZE + 1, size=n_classes)
    smaller, larger = sorted((middle - 1, middle + 1), key=lambda k: sizes[k])
    pair = []
    for wrong in (smaller, larger):
        counts = np.diag(sizes)
        counts[wrong, wrong] -= 1
        counts[wrong, middle] += 1
        pair.append(counts)
    return pair[0], pair[1]


def _count(y_true: Matrices, y_pred: Matrices, n_classes: int) -> Matrices:
    counts = np.bincount(y_true * n_classes + y_pred, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes)


def _value(metric: Any, counts: Matrices) -> float:
    return float(metric(OrdinalConfusion.from_counts(counts)))


def _size(pair: tuple[Matrices, Matrices]) -> tuple[int, int]:
    return len(pair[0]), int(pair[0].sum())


def outputs(results: dict[str, Any]) -> dict[str, Any]:
    """Return a table of shares, and one of examples."""
    return {
        "violations_shares.txt": _table_of_shares(results),
        "violations_examples.txt": _table_of_examples(results),
    }


def _table_of_shares(results: dict[str, Any]) -> str:
    rows = []
    for name, of_criterion in results.items():
        cells = []
        for question in QUESTIONS:
            one = of_criterion[question]
            cells += [_share(one[each], one["n"]) for each in ("violated", "ties")]
            cells.append(str(one["undefined"]))
        rows.append([f"``{name}``", *cells])
    header = ["criterion"]
    for text in ("steps", "class sizes"):
        header += [f"{text} violated", "ties", "not defined"]
    n = max(one["n"] + one["undefined"] for one in next(iter(results.values())).values())
    title = (
        f"Shares of {n:,} random steps towards the truth that make the value worse, and of {n:,} "
        f"random class sizes for which an error in the larger class costs more; ties; and the "
        f"number of pairs with an undefined value, which are left out. Every class occurs in the "
        f"truth"
    )
    return list_table(title, header, rows)


def _share(count: int, n: int) -> str:
    """Return a share in percent, in which no case is lost or added by rounding."""
    if 0 < count < 0.0005 * n:
        return "< 0.1%"
    if 0.9995 * n < count < n:
        return "> 99.9%"
    return f"{count / n:.1%}" if 0 < count < n else f"{count / n:.0%}"


def _table_of_examples(results: dict[str, Any]) -> str:
    rows = []
    for name, of_criterion in results.items():
        for question, text in zip(QUESTIONS, ("monotonic", "imbalance"), strict=True):
            example = of_criterion[question]["example"]
            if example is not None:
                rows.append([f"``{name}``", text, *(f"``{counts}``" for counts in example)])
    title = (
        "The smallest violation found: the criterion prefers the first matrix, and the property "
        "the second. Every class occurs in the truth"
    )
    return list_table(title, ["criterion", "property", "preferred", "better"], rows)
