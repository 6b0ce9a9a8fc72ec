"""Which criterion would one choose on real data? Three questions to each criterion.

`evidence.py` runs it. Learners are fitted on one half of the samples of a data set and predict the
other half; each is a system. For each criterion there are three questions:

- agreement: does it prefer a system that all references, which are no criteria here, prefer?
- robustness: does it order the systems in the same way on two halves of the test samples?
- power: how many pairs of systems does it separate at the threshold that separates 5% of the pairs
  of null systems, which are the same learner on two bootstrap samples?
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from _data_sets import CONFIRMING, EXPLORATORY, load
from _tables import list_table
from _tasks import run_tasks
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import kendalltau
from sklearn.base import is_regressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from sklearn_ordinal import OrdinalConfusion, get_metric, get_metric_names
from sklearn_ordinal.inference import holm_correction
from sklearn_ordinal.metrics import ranked_probability_score, within_n_accuracy_score

NAME = "Real data"
SEED = 20_261_130
N_REPEATS = 4
MOST_SAMPLES = 5_000
# The learner whose fits on several bootstrap samples are compared in all questions.
NULL_LEARNER, N_NULL = "logistic regression", 6
RATERS = "vaderSentiment raters"
CEM = "cem_ord"
FALSE_SEPARATION, LEVEL = 0.05, 0.05
# Holm's adjustment multiplies small p-values by up to 35: with few resamples, chance decides.
N_RESAMPLES, CHUNK = 2_000_000, 50_000

QUESTIONS = {
    "agreement": "agreement with the references",
    "robustness": "robustness",
    "power": "power",
}
# Resamples of data sets keep the thresholds, so they do not show how far differences in power vary.
NOT_TESTED = "power"
# The reference "within one class" is not ranked, and metrics without a direction rank nothing.
CRITERIA = [
    name
    for name in get_metric_names()
    if get_metric(name).evidence.name == "labels"
    and get_metric(name).greater_is_better is not None
    and name != "within_1_accuracy"
]
SHOWN = (
    CEM,
    "cem_ord_adjusted",
    "accuracy",
    "balanced_accuracy",
    "f1_macro",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
    "ordinal_mean_squared_error",
    "linear_weighted_kappa",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
    "mutual_information",
)

Numbers = NDArray[np.float64]
Classes = NDArray[np.int64]


# --- systems ---------------------------------------------------------------------------


def learners() -> dict[str, Any]:
    """Return the learners, not fitted; each is a family of its own."""
    from lightgbm import LGBMClassifier, LGBMRegressor
    from skordinal.classifiers import POM, OrdinalDecomposition

    boosting: dict[str, Any] = {
        "n_estimators": 50,
        "num_leaves": 8,
        "random_state": 0,
        "deterministic": True,
        "force_row_wise": True,
        "n_jobs": 1,
        "verbose": -1,
    }
    return {
        "logistic regression": LogisticRegression(tol=1e-8, max_iter=1_000),
        "random forest": RandomForestClassifier(50, min_samples_leaf=5, random_state=0),
        "gradient boosting": LGBMClassifier(**boosting),
        "nearest neighbours": KNeighborsClassifier(15),
        "naive Bayes": GaussianNB(),
        "discriminant analysis": LinearDiscriminantAnalysis(),
        "decision tree": DecisionTreeClassifier(max_depth=6, random_state=0),
        "binary decomposition": OrdinalDecomposition(),
        "proportional odds": POM(),
        "ridge classifier": RidgeClassifier(),
        "ridge regression, rounded": Ridge(),
        "boosted regression, rounded": LGBMRegressor(**boosting),
    }


def systems_of_repetition(name: str, repeat: int) -> list[dict[str, Any]]:
    """Return the systems: their learner, predictions and probabilities, if they have any.

    Each learner is fitted on two bootstrap samples of one half of the samples, and `NULL_LEARNER`
    on `N_NULL`. A learner that cannot be fitted is left out.
    """
    data = load(name)
    n_classes = data.y.max() + 1
    rng = np.random.default_rng([SEED, repeat])
    kept = rng.permutation(len(data.y))[:MOST_SAMPLES]
    X, X_test, y, y_test = train_test_split(
        data.X[kept], data.y[kept], test_size=0.5, random_state=SEED + repeat
    )
    scaler = StandardScaler().fit(X)
    X, X_test = scaler.transform(X), scaler.transform(X_test)
    resamples = rng.integers(len(y), size=(N_NULL, len(y)))
    systems = []
    for learner in learners():
        for row in resamples[: N_NULL if learner == NULL_LEARNER else 2]:
            model = learners()[learner]
            try:
                model.fit(X[row], y[row])
                predicted = np.asarray(model.predict(X_test))
            except ValueError:
                # For example, too few samples of a class.
                continue
            if is_regressor(model):
                predicted = np.rint(predicted).clip(0, n_classes - 1)
            system = {"learner": learner, "y_true": y_test, "y_pred": predicted.astype(np.int64)}
            if hasattr(model, "predict_proba"):
                system["proba"] = np.zeros((len(y_test), n_classes))
                system["proba"][:, model.classes_] = model.predict_proba(X_test)
            systems.append(system)
    return systems


def raters() -> list[dict[str, Any]]:
    """Return the human raters of vaderSentiment, each against the lower median of the others."""
    text = files("vaderSentiment").joinpath("vader_lexicon.txt").read_text(encoding="utf-8")
    rows = [line.rsplit("\t", 1)[1] for line in text.splitlines() if line]
    ratings = np.array([[int(grade) + 4 for grade in row.strip("[] ").split(",")] for row in rows])
    others = [np.sort(np.delete(ratings, k, axis=1), axis=1) for k in range(ratings.shape[1])]
    return [
        {"learner": f"rater {k}", "y_true": others[k][:, 4], "y_pred": ratings[:, k]}
        for k in range(ratings.shape[1])
    ]


# --- answers ---------------------------------------------------------------------------


def answers_of_repetition(name: str, repeat: int) -> dict[str, Any]:
    """Return the answers of all criteria, and the statistics of the pairs of systems."""
    with threadpool_limits(1), _ignoring_warnings():
        systems = raters() if name == RATERS else systems_of_repetition(name, repeat)
        rng = np.random.default_rng([SEED, repeat, 1])
        n_classes = 1 + max(max(one["y_true"].max(), one["y_pred"].max()) for one in systems)
        is_second_half = rng.permutation(len(systems[0]["y_true"])) % 2
        counts = np.array(
            [
                np.bincount(
                    (half * n_classes + one["y_true"]) * n_classes + one["y_pred"],
                    minlength=2 * n_classes**2,
                ).reshape(2, n_classes, n_classes)
                for half, one in ((is_second_half, one) for one in systems)
            ]
        )
        values = evaluate(counts.sum(axis=1))
        halves = evaluate(counts)
        first = _first_of_each(systems)
        null = [k for k, one in enumerate(systems) if one["learner"] == NULL_LEARNER]
        is_better = unanimous(systems)
        return {
            "agreement": agreement(values, is_better, first),
            "agreement, null": agreement(values, is_better, null),
            "robustness": robustness(halves, first),
            "robustness, null": robustness(halves, null),
            "z": statistics(systems, counts.sum(axis=1), values, list(combinations(first, 2))),
            "z, null": statistics(systems, counts.sum(axis=1), values, _null_pairs(systems)),
            "learners": [systems[k]["learner"] for k in first],
        }


@contextmanager
def _ignoring_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def _first_of_each(systems: Sequence[Mapping[str, Any]]) -> list[int]:
    names = [one["learner"] for one in systems]
    return [names.index(name) for name in dict.fromkeys(names)]


def _null_pairs(systems: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    names = [one["learner"] for one in systems]
    return [
        (first, second)
        for first, second in combinations(range(len(names)), 2)
        if names[first] == names[second]
    ]


def evaluate(counts: NDArray[Any]) -> Numbers:
    """Return the values of all criteria, (n_criteria, ...), negative if lower is better."""
    confusion = OrdinalConfusion.from_counts(counts)
    return np.stack(
        [
            (1 if get_metric(name).greater_is_better else -1) * get_metric(name)(confusion)
            for name in CRITERIA
        ]
    )


def unanimous(systems: Sequence[Mapping[str, Any]]) -> NDArray[np.bool_]:
    """Return which system, in rows, all references prefer to which, in columns."""
    references = np.full((3, len(systems)), np.nan)
    for k, one in enumerate(systems):
        if "proba" in one:
            y, proba = one["y_true"], one["proba"]
            labels = np.arange(proba.shape[1])
            references[:, k] = (
                within_n_accuracy_score(y, one["y_pred"], labels=labels),
                -np.mean((proba @ labels - y) ** 2),
                -ranked_probability_score(y, proba, labels=labels),
            )
    is_better: NDArray[np.bool_] = (references[:, :, None] > references[:, None]).all(axis=0)
    return is_better


def agreement(values: Numbers, is_better: NDArray[np.bool_], systems: Sequence[int]) -> Numbers:
    """Return the share of unanimous pairs that each criterion orders alike; a tie counts half."""
    better, worse = np.nonzero(is_better[np.ix_(systems, systems)])
    if not len(better):
        return np.full(len(values), np.nan)
    kept = values[:, systems]
    difference = np.nan_to_num(kept[:, better] - kept[:, worse])
    share: Numbers = (np.sign(difference) + 1).mean(axis=1) / 2
    return share


def robustness(halves: Numbers, systems: Sequence[int]) -> Numbers:
    """Return Kendall's tau between the orders of the systems on two halves of the samples."""
    if len(systems) < 2:
        return np.full(len(halves), np.nan)
    return np.array([kendalltau(*of_criterion[systems].T).statistic for of_criterion in halves])


def statistics(
    systems: Sequence[Mapping[str, Any]],
    counts: NDArray[Any],
    values: Numbers,
    pairs: Sequence[tuple[int, int]],
) -> Numbers:
    """Return the differences of pairs in closed-form standard errors, (n_criteria, n_pairs)."""
    confusion = OrdinalConfusion.from_counts(counts)
    rows = np.arange(len(systems))[:, None]
    y_true = np.array([one["y_true"] for one in systems])
    y_pred = np.array([one["y_pred"] for one in systems])
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = []
    for name, of_criterion in zip(CRITERIA, values, strict=True):
        influence = get_metric(name).influence(confusion).cells[rows, y_true, y_pred]
        influence -= influence.mean(axis=1, keepdims=True)
        covariance = influence @ influence.T / y_true.shape[1] ** 2
        variance = np.diag(covariance)
        of_pairs = variance[first] + variance[second] - 2 * covariance[first, second]
        difference = of_criterion[first] - of_criterion[second]
        # Equal predictions differ by nothing.
        z = np.divide(
            difference, np.sqrt(of_pairs.clip(0)), where=of_pairs > 1e-18, out=0 * difference
        )
        found.append(z)
    return np.array(found)


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return the answers by data set, (n_repeats, n_criteria), and the thresholds."""
    names = [*CONFIRMING, *EXPLORATORY]
    if part < 1:
        names = names[: max(2, math.ceil(part * len(names)))]
    tasks = [(name, repeat) for name in names for repeat in range(N_REPEATS)]
    tasks += [(RATERS, repeat) for repeat in range(N_REPEATS)]
    answers = run_tasks(answers_of_repetition, tasks, n_jobs=n_jobs, title=NAME)
    null = np.concatenate(
        [
            one["z, null"]
            for (name, _), one in zip(tasks, answers, strict=True)
            if name in CONFIRMING
        ],
        axis=1,
    )
    thresholds = np.nanquantile(np.abs(null), 1 - FALSE_SEPARATION, axis=1)
    data_sets: dict[str, Any] = {}
    for (name, _), one in zip(tasks, answers, strict=True):
        of_data = data_sets.setdefault(name, {"n_learners": []})
        of_data["n_learners"].append(len(one["learners"]))
        power = np.nanmean(np.abs(one["z"]) > thresholds[:, None], axis=1)
        for key, values in {**one, "power": power}.items():
            if key not in ("z", "z, null", "learners"):
                of_data.setdefault(key, []).append(np.round(values, 4))
    results = {"criteria": CRITERIA, "thresholds": thresholds, "data_sets": data_sets}
    n_chunks = math.ceil(part * N_RESAMPLES / CHUNK)
    differences = {
        question: bootstrap(values_of(results, question), n_chunks) for question in QUESTIONS
    }
    return {**results, "differences": differences}


def mean_of_defined(values: Any, axis: int | tuple[int, ...]) -> Numbers:
    """Return means of the values that are defined, NaN if none is."""
    masked = np.ma.masked_invalid(np.asarray(values, dtype=np.float64))
    mean: Numbers = np.ma.filled(masked.mean(axis=axis), np.nan)
    return mean


# --- over data sets --------------------------------------------------------------------


def values_of(results: Mapping[str, Any], question: str) -> Numbers:
    """Return the values of the confirming data sets, (n_data_sets, n_repeats, n_criteria).

    A data set without any value, such as one without unanimous pairs, is left out.
    """
    found = np.array(
        [of_data[question] for name, of_data in results["data_sets"].items() if name in CONFIRMING],
        dtype=np.float64,
    )
    kept: Numbers = found[~np.isnan(found).all(axis=(1, 2))]
    return kept


def bootstrap(values: Numbers, n_chunks: int) -> dict[str, Numbers]:
    """Return the mean difference of each criterion from CEM_ORD and what resamples say about it.

    Data sets are drawn with replacement, and then their repetitions. Ends and standard errors are
    means over chunks of resamples.
    """
    difference = values - values[..., [CRITERIA.index(CEM)]]
    rng = np.random.default_rng(SEED)
    n_sets, n_repeats, n_criteria = difference.shape
    rows = difference.reshape(-1, n_criteria)
    filled, is_defined = np.nan_to_num(rows), np.isfinite(rows).astype(np.float64)
    found = []
    for _ in range(n_chunks):
        sets = rng.integers(n_sets, size=(CHUNK, n_sets, 1))
        drawn = sets * n_repeats + rng.integers(n_repeats, size=(CHUNK, n_sets, n_repeats))
        drawn += np.arange(CHUNK)[:, None, None] * len(rows)
        times = np.bincount(drawn.ravel(), minlength=CHUNK * len(rows)).reshape(CHUNK, len(rows))
        with np.errstate(invalid="ignore"):
            # Whether a mean is 0 does not depend on rounding.
            means = ((times @ filled) / (times @ is_defined)).round(12)
        is_above = (means > 0).mean(axis=0) + (means == 0).mean(axis=0) / 2
        found.append([is_above, *np.quantile(means, [0.025, 0.975], axis=0), means.std(axis=0)])
    is_above, low, high, error = np.mean(found, axis=0)
    pvalue = 2 * np.minimum(is_above, 1 - is_above) + 1 / (n_chunks * CHUNK)
    return {
        "mean": mean_of_defined(difference, axis=(0, 1)),
        "low": low,
        "high": high,
        "error": error,
        # A criterion that is undefined in all rows of a resample is not compared.
        "pvalue": np.where(np.isnan(low), 1, pvalue.clip(max=1)),
    }


def verdicts(results: Mapping[str, Any], question: str) -> dict[str, Numbers]:
    """Return the differences from CEM_ORD, and which are significant after Holm's adjustment.

    Differences in power are not tested.
    """
    stored = results["differences"][question]
    found = {key: np.array(values, dtype=np.float64) for key, values in stored.items()}
    others = np.array([name != CEM for name in CRITERIA])
    adjusted = np.ones(len(CRITERIA))
    if question != NOT_TESTED:
        adjusted[others] = holm_correction(found["pvalue"][others])
    return {**found, "is_different": adjusted <= LEVEL}


# --- tables and figure -----------------------------------------------------------------


def outputs(results: Mapping[str, Any]) -> dict[str, str | Callable[[], Figure]]:
    """Return the tables, the answer and the figure by the name of their files."""
    return {
        "real_answer.txt": answer(results),
        "real_criteria.txt": _table_of_criteria(results),
        "real_differences.txt": _table_of_differences(results),
        "real_sets.txt": _table_of_sets(results),
        "real_criteria.svg": lambda: _figure(results),
    }


def answer(results: Mapping[str, Any]) -> str:
    """Return the answers to the question, with their numbers."""
    lines = []
    for question, words in QUESTIONS.items():
        found, values = verdicts(results, question), values_of(results, question)
        mean = mean_of_defined(values, axis=(0, 1))
        place = 1 + int((mean > mean[CRITERIA.index(CEM)]).sum())
        below, above = (
            [name for k, name in enumerate(CRITERIA) if found["is_different"][k] and is_so[k]]
            for is_so in (found["mean"] < 0, found["mean"] > 0)
        )
        verdict = (
            "The differences from the other criteria are not tested"
            if question == NOT_TESTED
            else f"It is higher than {_names(below)}, and lower than {_names(above)}; for all "
            f"others, this study cannot tell"
        )
        lines.append(
            f"- {words.capitalize()}, {len(values)} confirming data sets: CEM_ORD has "
            f"{mean[CRITERIA.index(CEM)]:.3f} and place {place} of {len(CRITERIA)}. {verdict}."
        )
    return "\n".join(lines)


def _names(names: Sequence[str]) -> str:
    if not names:
        return "no criterion"
    codes = [f"``{name}``" for name in names]
    return codes[0] if len(codes) == 1 else f"{', '.join(codes[:-1])} and {codes[-1]}"


def _table_of_criteria(results: Mapping[str, Any]) -> str:
    columns, header = [], ["criterion"]
    for question, words in QUESTIONS.items():
        columns.append(mean_of_defined(values_of(results, question), axis=(0, 1)))
        header.append(words)
        if question != "power":
            columns.append(mean_of_defined(values_of(results, f"{question}, null"), axis=(0, 1)))
            header.append("null systems")
    rows = [
        [_code(CRITERIA[k]), *(f"{column[k]:.3f}" for column in columns)]
        for k in np.argsort(-columns[0], kind="stable")
    ]
    title = (
        "Means over the confirming data sets, sorted by agreement. Null systems are fits of one "
        "learner on several bootstrap samples. Power is the share of pairs of learners that are "
        "separated where 5% of the pairs of null systems are"
    )
    return list_table(title, header, rows)


def _table_of_differences(results: Mapping[str, Any]) -> str:
    found = {question: verdicts(results, question) for question in QUESTIONS}
    order = np.argsort(-found["agreement"]["mean"], kind="stable")
    rows = []
    for k in order:
        if CRITERIA[k] != CEM:
            cells = [
                _cell(one["mean"][k], one["low"][k], one["high"][k], one["is_different"][k])
                for one in found.values()
            ]
            rows.append([f"``{CRITERIA[k]}``", *cells])
    title = (
        "Difference of each criterion from CEM_ORD with its 95% interval over data sets and "
        "repetitions, in bold if it is significant after Holm's adjustment over the criteria. "
        "Differences in power are not tested, and their intervals take the thresholds as known"
    )
    return list_table(title, ["criterion", *QUESTIONS.values()], rows)


def _table_of_sets(results: Mapping[str, Any]) -> str:
    rows = []
    for name, of_data in results["data_sets"].items():
        use = "confirming" if name in CONFIRMING else "exploratory"
        cells = []
        for question in QUESTIONS:
            mean = mean_of_defined(of_data[question], axis=0)
            cem = mean[CRITERIA.index(CEM)]
            place = 1 + int((mean > cem).sum())
            cells.append("none" if np.isnan(cem) else f"{cem:.3f} ({place})")
        learners_of_data = f"{min(of_data['n_learners'])}"
        rows.append([name, use, learners_of_data, *cells])
    title = (
        f"CEM_ORD on each data set, and in brackets its place among {len(CRITERIA)} criteria: mean "
        f"over {N_REPEATS} repetitions"
    )
    return list_table(title, ["data set", "use", "systems", *QUESTIONS.values()], rows)


def _figure(results: Mapping[str, Any]) -> Figure:
    """Plot the differences of a dozen criteria from CEM_ORD, with intervals."""
    figure, axes = plt.subplots(1, 3, figsize=(10, 4.5), sharey=True, layout="constrained")
    names = [name for name in SHOWN if name != CEM][::-1]
    for ax, (question, words) in zip(axes, QUESTIONS.items(), strict=True):
        found = verdicts(results, question)
        for row, name in enumerate(names):
            k = CRITERIA.index(name)
            color = "#0072b2" if found["is_different"][k] else "0.55"
            mean, low, high = (found[key][k] for key in ("mean", "low", "high"))
            ax.errorbar(mean, row, xerr=[[mean - low], [high - mean]], fmt="o", color=color)
        ax.axvline(0, color="#c04000", linewidth=1.2)
        ax.set_title(words, fontsize="medium")
        ax.set_yticks(range(len(names)), names)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
    figure.supxlabel(
        "difference from CEM_ORD (line), blue if significant after adjustment; power is not tested"
    )
    return figure


def _code(name: str) -> str:
    return f"**{name}**" if name == CEM else f"``{name}``"


def _cell(mean: float, low: float, high: float, is_different: bool) -> str:
    cell = f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"
    return f"**{cell}**" if is_different else cell
