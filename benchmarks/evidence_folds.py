"""What the corrected resampled t test on folds answers, in simulations.

`evidence.py` runs it. Each sample has noisy copies of its class as features. Two learners are equal
by symmetry: the same learner on two halves of the features. A third one has noisier features. The
expected values of the models as fitted are computed on many further samples.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from _simulation import LEVEL, N_CLASSES, SHARES, Labels, Numbers
from _tables import list_table
from _tasks import ignoring_warnings_of_fits, run_tasks
from matplotlib.figure import Figure
from scipy.stats import binom
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal.inference import Interval, corrected_t_interval
from sklearn_ordinal.metrics import closeness_costs

NAME = "Tests on folds"
SEED = 20_261_129
N_FEATURES, NOISE, NOISE_OF_WORSE = 4, 2.0, 2.3
N_SPLITS = 5
METRICS = {
    "cem_ord": "CEM_ORD",
    "quadratic_weighted_kappa": "quadratic kappa",
    "ordinal_mean_absolute_error": "MAE",
    "accuracy": "accuracy",
}
TIMES = ("once", "repeated")
RULES = ("most probable class", "CEM-optimal")
FAST = ("discriminant analysis", "logistic regression", "naive Bayes")
SLOW = ("nearest neighbours", "random forest", "gradient boosting")
N_SAMPLES, N_SAMPLES_WITH_POWER = (200, 500, 2_000), 500
N_FURTHER = 5_000
# Repetitions of the folds, and data sets, of fast and of slow learners.
N_REPEATS = {True: 10, False: 5}
N_DATA_SETS = {True: 160, False: 60}
N_DATA_SETS_OF_OTHER_SIZES = 100
BATCH = 20

# What is kept of a data set: does the test reject equality, does its interval contain the
# difference of the models as fitted, does it reject that a worse learner is equal?
ANSWERS = ("rejects", "holds", "finds")


def learner(family: str) -> Any:
    """Return a learner that is not fitted."""
    if family == "gradient boosting":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=40,
            num_leaves=8,
            random_state=0,
            deterministic=True,
            force_row_wise=True,
            n_jobs=1,
            verbose=-1,
        )
    return {
        "discriminant analysis": LinearDiscriminantAnalysis(),
        "logistic regression": LogisticRegression(tol=1e-8, max_iter=1_000),
        "naive Bayes": GaussianNB(),
        "nearest neighbours": KNeighborsClassifier(15),
        "random forest": RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
    }[family]


# --- experiment ------------------------------------------------------------------------


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return the answers by setting, (n_data_sets, answers, repetitions, rules, metrics)."""
    settings = [
        (family, truth, n_samples)
        for family in (*FAST, *SLOW)
        for truth in SHARES
        for n_samples in (N_SAMPLES if family in FAST else (N_SAMPLES_WITH_POWER,))
    ]
    tasks = []
    for setting, (family, truth, n_samples) in enumerate(settings):
        number = N_DATA_SETS[family in FAST]
        if n_samples != N_SAMPLES_WITH_POWER:
            number = N_DATA_SETS_OF_OTHER_SIZES
        number = math.ceil(part * number)
        tasks += [
            (family, truth, n_samples, setting, begin, min(BATCH, number - begin))
            for begin in range(0, number, BATCH)
        ]
    answers = run_tasks(answers_of_data_sets, tasks, n_jobs=n_jobs, title=NAME)
    results: dict[str, Any] = {}
    for (family, truth, n_samples, *_), answer in zip(tasks, answers, strict=True):
        results.setdefault(f"{family}, {truth}, {n_samples}", []).append(answer)
    return {
        setting: {
            "n_data_sets": sum(map(len, parts)),
            "shares": np.mean(np.concatenate(parts), axis=0),
        }
        for setting, parts in results.items()
    }


def answers_of_data_sets(
    family: str, truth: str, n_samples: int, setting: int, begin: int, number: int
) -> Numbers:
    """Return the answers for some data sets, each with its own random numbers."""
    with threadpool_limits(1), ignoring_warnings_of_fits():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return np.array(
            [
                answers_of_data_set(
                    family, truth, n_samples, np.random.default_rng([SEED, setting, begin + k])
                )
                for k in range(number)
            ]
        )


def answers_of_data_set(
    family: str, truth: str, n_samples: int, rng: np.random.Generator
) -> Numbers:
    """Return the answers, (answers, repetitions, rules, metrics), with one repetition and all."""
    is_fast = family in FAST
    y = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    y_further = rng.choice(N_CLASSES, size=N_FURTHER, p=SHARES[truth])
    cv = RepeatedStratifiedKFold(
        n_splits=N_SPLITS,
        n_repeats=N_REPEATS[is_fast],
        random_state=int(rng.integers(2**31)),
    )
    splits = list(cv.split(y, y))
    noises = [NOISE, NOISE]
    if n_samples == N_SAMPLES_WITH_POWER:
        noises.append(NOISE_OF_WORSE)
    learners = [_scores(learner(family), y, y_further, splits, noise, rng) for noise in noises]
    answers = np.full((len(ANSWERS), 2, len(RULES), len(METRICS)), np.nan)
    (first, first_expected), (second, second_expected), *worse = learners
    for repetitions, n_folds in enumerate((N_SPLITS, len(splits))):
        expected = (first_expected - second_expected)[:n_folds].mean(axis=0)
        for rule in range(len(RULES)):
            for metric in range(len(METRICS)):
                place = (repetitions, rule, metric)
                interval = _interval((first - second)[:n_folds, rule, metric], n_samples)
                answers[(0, *place)] = not interval.low <= 0 <= interval.high
                answers[(1, *place)] = interval.low <= expected[rule, metric] <= interval.high
                for scores, _ in worse:
                    other = _interval((first - scores)[:n_folds, rule, metric], n_samples)
                    answers[(2, *place)] = not other.low <= 0 <= other.high
    return answers


def _interval(differences: Numbers, n_samples: int) -> Interval:
    n_test = n_samples / N_SPLITS
    return corrected_t_interval(differences, n_train=n_samples - n_test, n_test=n_test)


def _scores(
    model: Any,
    y: Labels,
    y_further: Labels,
    splits: list[tuple[Labels, Labels]],
    noise: float,
    rng: np.random.Generator,
) -> tuple[Numbers, Numbers]:
    """Return scores on the folds and on further samples, each (folds, rules, metrics)."""
    X, X_further = (
        values[:, None] + rng.normal(scale=noise, size=(len(values), N_FEATURES))
        for values in (y, y_further)
    )
    counts = np.zeros((2, len(splits), len(RULES), N_CLASSES, N_CLASSES))
    for fold, (train, test) in enumerate(splits):
        model.fit(X[train], y[train])
        sizes = np.bincount(y[train], minlength=N_CLASSES)
        for row, (features, truth) in enumerate(((X[test], y[test]), (X_further, y_further))):
            for rule, predicted in enumerate(_decisions(model, features, sizes)):
                cells = np.bincount(N_CLASSES * truth + predicted, minlength=N_CLASSES**2)
                counts[row, fold, rule] = cells.reshape(N_CLASSES, N_CLASSES)
    confusion = OrdinalConfusion.from_counts(counts)
    on_folds, on_further = np.stack([get_metric(name)(confusion) for name in METRICS], axis=-1)
    return on_folds, on_further


def _decisions(model: Any, X: Numbers, sizes: Labels) -> tuple[Labels, Labels]:
    """Return the most probable classes, and those of least expected cost according to CEM_ORD."""
    proba = model.predict_proba(X)
    costs = closeness_costs(sizes[model.classes_])
    return model.classes_[proba.argmax(axis=1)], model.classes_[(proba @ costs).argmin(axis=1)]


# --- tables and figure -----------------------------------------------------------------


def outputs(results: Mapping[str, Any]) -> dict[str, str | Callable[[], Figure]]:
    """Return the tables, the answer and the figure by the name of their files."""
    return {
        "folds_answer.txt": answer(results),
        "folds_level.txt": _table(
            results,
            "rejects",
            "Share of data sets on which the test finds equal learners different",
        ),
        "folds_fitted.txt": _table(
            results,
            "holds",
            "Share of data sets whose interval contains the difference of the models as fitted",
        ),
        "folds_power.txt": _table(
            results,
            "finds",
            "Share of data sets on which the test finds the noisier learner different",
        ),
        "folds_level.svg": lambda: _figure(results),
    }


def shares(results: Mapping[str, Any], name: str) -> dict[str, Numbers]:
    """Return the shares of an answer by setting, (repetitions, rules, metrics)."""
    return {
        setting: np.array(values["shares"], dtype=np.float64)[ANSWERS.index(name)]
        for setting, values in results.items()
    }


def answer(results: Mapping[str, Any]) -> str:
    """Return the answers to the question, with their numbers."""
    numbers = np.array([values["n_data_sets"] for values in results.values()])
    margin = 2 * np.sqrt(LEVEL * (1 - LEVEL) / numbers)[:, None, None, None]
    rejected, held = (
        np.array(list(shares(results, name).values())) for name in ("rejects", "holds")
    )
    is_failed = rejected > LEVEL + margin
    rows = []
    for column, metric in enumerate(METRICS.values()):
        cells = []
        for rule in range(len(RULES)):
            for repetitions in range(2):
                of_cell = np.index_exp[:, repetitions, rule, column]
                cells.append(
                    f"{_percent(rejected[of_cell].min())} to {_percent(rejected[of_cell].max())}; "
                    f"{is_failed[of_cell].sum()} of {len(numbers)}"
                )
        rows.append([metric, *cells])
    table = list_table(
        "Equal learners: share of data sets on which the test rejects, from the lowest to the "
        "highest setting; number of settings in which it is above 5% by more than two standard "
        "errors",
        ["criterion", *(f"{rule}, {number}" for rule in RULES for number in TIMES)],
        rows,
    )
    # The number of rejections in a setting is binomial, with the level as probability.
    highest = np.floor(numbers * (LEVEL + margin.ravel()))
    n_by_chance = held[0].size * binom.sf(highest, numbers, LEVEL).sum()
    n_failed = (held < 1 - LEVEL - margin).sum()
    return (
        f"{table}\n\nIn total, the share is above 5% by more than two standard errors in "
        f"{is_failed.sum()} of {rejected.size} settings. If the test rejected in exactly 5% of all "
        f"data sets of each setting, about {n_by_chance:.0f} settings would be above by chance."
        f"\n\nModels as fitted, all criteria and decisions: the interval contains their "
        f"difference for {_percent(held.min())} to {_percent(held.max())} of the data sets. This "
        f"share is below 95% by more than two standard errors in {n_failed} of {held.size} "
        f"settings."
    )


def _table(results: Mapping[str, Any], name: str, title: str) -> str:
    rows = []
    for setting, share in shares(results, name).items():
        if np.isnan(share).all():
            continue
        cells = [
            " / ".join(f"{100 * value:.0f}" for value in share[repetitions, rule])
            for rule in range(len(RULES))
            for repetitions in range(2)
        ]
        rows.append([setting, f"{results[setting]['n_data_sets']}", *cells])
    header = [
        "learner, classes, samples",
        "data sets",
        *(f"{rule}, {number}" for rule in RULES for number in TIMES),
    ]
    numbers = f"{N_REPEATS[True]} times for {', '.join(FAST)}, else {N_REPEATS[False]} times"
    return list_table(
        f"{title}, in percent, by {' / '.join(METRICS.values())}: {N_SPLITS} folds once, or "
        f"repeated {numbers}",
        header,
        rows,
    )


def _figure(results: Mapping[str, Any]) -> Figure:
    """Plot how often the test rejects that equal learners are equal, with repeated folds."""
    rejected = shares(results, "rejects")
    settings = list(rejected)[::-1]
    figure, axes = plt.subplots(
        1, len(RULES), figsize=(9, 5.5), sharex=True, sharey=True, layout="constrained"
    )
    markers = (("o", "#c04000"), ("s", "0.25"), ("D", "0.5"), ("x", "0.6"))
    styles = dict(zip(METRICS.values(), markers, strict=True))
    for rule, ax in enumerate(axes):
        ax.axvline(100 * LEVEL, color="0.5", linewidth=0.8)
        for column, (metric, (marker, color)) in enumerate(styles.items()):
            values = [100 * rejected[setting][1, rule, column] for setting in settings]
            ax.plot(values, range(len(settings)), marker, color=color, markersize=5, label=metric)
        ax.set_title(RULES[rule], fontsize="medium")
        ax.set_yticks(range(len(settings)), settings, fontsize="small")
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
    figure.supxlabel("data sets on which repeated folds find equal learners different, in percent")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
