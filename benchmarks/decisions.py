"""Gain in CEM_ORD, and loss in accuracy and distance, of CEM-optimal decisions on real data.

Run ``python benchmarks/decisions.py --n-jobs 2`` from the checkout, with the extra benchmarks. It
takes less than twenty minutes on two cores and writes the tables that docs/guide/decisions.rst
shows. The result depends on the seed and not on the number of processes.

On each training part of a repeated stratified cross-validation, each model is fitted once, and its
probabilities are turned into classes in several ways: the most probable class, the median, the
class of least expected cost by CEM_ORD with the counts of the training labels, and cuts on the
expected position, tuned for CEM_ORD by a cross-validation of five folds within the training part.
Fitted again with ``class_weight="balanced"``, the model predicts its most probable class. All
predictions are scored on the same test part, where CEM_ORD uses the counts of the test labels.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from _tables import list_table
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import ttest_1samp
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal.decisions import (
    OptimalDecisionClassifier,
    TunedOrdinalThresholdClassifierCV,
)
from sklearn_ordinal.inference import Interval, corrected_t_interval

SEED = 20_250_307
N_SPLITS, N_REPEATS, N_REPEATS_IF_LARGE = 5, 10, 4
LARGE = 5_000

DECISIONS = {
    "mode": "most probable class",
    "optimal": "CEM-optimal",
    "median": "median",
    "tuned": "tuned cuts",
    "balanced": '``class_weight="balanced"``',
}
BASELINES = {"mode": "the most probable class", "optimal": "CEM-optimal decisions"}
METRICS = {
    "cem_ord": "CEM_ORD",
    "accuracy": "Accuracy",
    "ordinal_mean_absolute_error": "Mean absolute error",
}
MODELS: Mapping[str, tuple[Any, str]] = {
    "logistic regression": (
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=1_000, tol=1e-8)),
        "logisticregression__class_weight",
    ),
    "random forest": (
        RandomForestClassifier(200, min_samples_leaf=5, random_state=0),
        "class_weight",
    ),
    "gradient boosting": (
        HistGradientBoostingClassifier(
            max_iter=100,
            learning_rate=0.05,
            max_leaf_nodes=8,
            early_stopping=False,
            random_state=0,
        ),
        "class_weight",
    ),
}

OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "decisions.txt"

Features = NDArray[np.float64]
Classes = NDArray[np.int64]
Scores = NDArray[np.float64]


def main() -> None:
    arguments = _parse_arguments()
    text = tables(run(arguments.n_jobs, arguments.part))
    print(text)
    if arguments.part == 1:
        OUTPUT.write_text(text + "\n", encoding="utf-8")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--part", type=float, default=1, help="part of the repetitions, to try it; writes nothing"
    )
    return parser.parse_args()


# --- data ------------------------------------------------------------------------------


def load_data() -> dict[str, tuple[Features, Classes]]:
    """Return the features and the classes, from 0 on, of six data sets."""
    from skordinal.datasets import load_era, load_esl, load_lev, load_swd
    from statsmodels.datasets import anes96, fair

    # Another column has the logarithm of popul.
    election = anes96.load_pandas().data.drop(columns="popul")
    survey = fair.load_pandas().data
    data = {
        "LEV": load_lev(return_X_y=True),
        "SWD": load_swd(return_X_y=True),
        "PID": (election.drop(columns="PID"), election["PID"]),
        "ESL": load_esl(return_X_y=True),
        "ERA": load_era(return_X_y=True),
        "marriage": (survey.drop(columns="rate_marriage"), survey["rate_marriage"]),
    }
    return {
        name: (np.asarray(X, dtype=np.float64), np.unique(y, return_inverse=True)[1])
        for name, (X, y) in data.items()
    }


# --- experiment ------------------------------------------------------------------------


def run(n_jobs: int, part: float) -> dict[str, Scores]:
    """Return the scores by data set: (models, folds, decisions, metrics)."""
    data = load_data()
    tasks = [
        (name, model, split)
        for name, (X, y) in data.items()
        for model in MODELS
        for split in _splits(X, y, part)
    ]
    found = Parallel(n_jobs=n_jobs)(
        delayed(scores_of_fold)(*data[name], *split, model) for name, model, split in tasks
    )
    scores = {}
    for name in data:
        of_data = [values for (task, *_), values in zip(tasks, found, strict=True) if task == name]
        scores[name] = np.array(of_data).reshape(len(MODELS), -1, len(DECISIONS), len(METRICS))
    return scores


def _splits(X: Features, y: Classes, part: float) -> list[Any]:
    n_repeats = N_REPEATS if len(y) < LARGE else N_REPEATS_IF_LARGE
    cv = RepeatedStratifiedKFold(
        n_splits=N_SPLITS, n_repeats=math.ceil(part * n_repeats), random_state=SEED
    )
    with _ignoring_small_classes():
        return list(cv.split(X, y))


@contextmanager
def _ignoring_small_classes() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class in y", UserWarning)
        yield


def scores_of_fold(
    X: Features, y: Classes, train: NDArray[np.intp], test: NDArray[np.intp], model: str
) -> Scores:
    """Return the scores of all decisions on the test part, (decisions, metrics)."""
    n_classes = y.max() + 1
    with threadpool_limits(1), _ignoring_small_classes():
        predictions = predictions_of_fold(X[train], y[train], X[test], model, n_classes)
    confusion = OrdinalConfusion.stack(
        OrdinalConfusion.from_predictions(y[test], predictions[name], labels=range(n_classes))
        for name in DECISIONS
    )
    return np.stack([get_metric(name)(confusion) for name in METRICS], axis=-1)


def predictions_of_fold(
    X: Features, y: Classes, X_test: Features, model: str, n_classes: int
) -> dict[str, Classes]:
    """Return the predicted classes of the test part by all decisions."""
    estimator, class_weight = MODELS[model]
    labels = range(n_classes)
    tuned = TunedOrdinalThresholdClassifierCV(estimator, labels=labels).fit(X, y)
    fitted = FrozenEstimator(tuned.estimator_)
    optimal, median = (
        OptimalDecisionClassifier(fitted, labels=labels, metric=metric).fit(X, y)
        for metric in ("cem_ord", "ordinal_mean_absolute_error")
    )
    balanced = clone(estimator).set_params(**{class_weight: "balanced"}).fit(X, y)
    return {
        "mode": fitted.predict(X_test),
        "optimal": optimal.predict(X_test),
        "median": median.predict(X_test),
        "tuned": tuned.predict(X_test),
        "balanced": balanced.predict(X_test),
    }


# --- tables ----------------------------------------------------------------------------


def tables(scores: Mapping[str, Scores]) -> str:
    """Return all tables, in reStructuredText."""
    compared = [
        ("cem_ord", "mode", ["optimal", "median", "tuned", "balanced"]),
        ("cem_ord", "optimal", ["tuned", "balanced"]),
        ("accuracy", "mode", ["optimal", "median", "tuned", "balanced"]),
        ("ordinal_mean_absolute_error", "mode", ["optimal", "median", "tuned", "balanced"]),
    ]
    return "\n\n".join(_table(scores, *arguments) for arguments in compared)


def _table(scores: Mapping[str, Scores], metric: str, baseline: str, others: list[str]) -> str:
    header = ["model", "decisions", *scores, "mean"]
    rows = []
    for model in MODELS:
        of_baseline = [
            _of_folds(of_data, model, baseline, metric).mean() for of_data in scores.values()
        ]
        values = [f"{value:.3f}" for value in [*of_baseline, np.mean(of_baseline)]]
        rows.append([model, DECISIONS[baseline], *values])
        for name in others:
            intervals = [
                _interval(
                    _of_folds(of_data, model, name, metric)
                    - _of_folds(of_data, model, baseline, metric)
                )
                for of_data in scores.values()
            ]
            intervals.append(_interval_over_data_sets(intervals))
            rows.append([model, DECISIONS[name], *map(_cell, intervals)])
    title = (
        f"{METRICS[metric]}: for each model the mean over the folds by {BASELINES[baseline]}, and "
        f"the change by other decisions with its 95% interval, in bold if it excludes 0"
    )
    return list_table(title, header, rows)


def _of_folds(scores: Scores, model: str, decisions: str, metric: str) -> Scores:
    names = (list(MODELS), list(DECISIONS), list(METRICS))
    row, variant, column = (
        known.index(name) for known, name in zip(names, (model, decisions, metric), strict=True)
    )
    return scores[row, :, variant, column]


def _interval(differences: Scores) -> Interval:
    # Only the ratio of the sizes matters.
    return corrected_t_interval(differences, n_train=N_SPLITS - 1, n_test=1)


def _interval_over_data_sets(intervals: Sequence[Interval]) -> Interval:
    """Return the mean change with the interval of Student's t over the data sets."""
    changes = [interval.estimate for interval in intervals]
    low, high = ttest_1samp(changes, 0).confidence_interval()
    return Interval(float(np.mean(changes)), float(low), float(high), 0.95)


def _cell(interval: Interval) -> str:
    estimate = f"{interval.estimate:+.3f}"
    if not interval.low <= 0 <= interval.high:
        estimate = f"**{estimate}**"
    return f"{estimate} ({interval.low:+.3f} to {interval.high:+.3f})"


if __name__ == "__main__":
    main()
