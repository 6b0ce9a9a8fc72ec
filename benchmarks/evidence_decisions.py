"""Gain in CEM_ORD, and cost in accuracy and distance, of decisions for CEM_ORD on real data.

`evidence.py` runs it. A model is fitted once on the training samples of a split. Its probabilities
become classes in several ways, and all of them are scored on the same test samples. Exponents,
temperatures and cuts are chosen on out-of-fold probabilities of the training samples. Costs depend
on the class counts of the training samples, and CEM_ORD on the counts of the test samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from _data_sets import CONFIRMING, EXPLORATORY, load, table_of_data_sets
from _tables import list_table
from _tasks import ignoring_warnings_of_fits, run_tasks
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.stats import ttest_1samp
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from sklearn_ordinal import OrdinalConfusion, get_metric, tune_thresholds
from sklearn_ordinal.decisions import CemBoostingClassifier
from sklearn_ordinal.inference import holm_correction, paired_difference
from sklearn_ordinal.metrics import closeness_costs

NAME = "Decisions"
SEED = 20_261_128
# Splits of each data set, by the number of training samples.
REPEATS = {500: 5, 2_000: 3, 15_000: 1}
# Data sets with fewer test samples are left out, unless there are as many as training samples.
ENOUGH_TEST_SAMPLES, MOST_TEST_SAMPLES = 5_000, 20_000
N_FOLDS = 5
WORTH_HAVING = 0.005
LEVEL = 0.05

MODELS = ("logistic regression", "random forest", "gradient boosting")
DECISIONS = {
    "mode": "most probable class",
    "optimal": "CEM-optimal",
    "root": "prior correction, a = 0.5",
    "power": "prior correction, a tuned",
    "temperature": "temperature, then CEM-optimal",
    "cuts": "tuned cuts",
    "balanced": '``class_weight="balanced"``',
    "objective": "``cem_objective``",
}
METRICS = {
    "cem_ord": "CEM_ORD",
    "accuracy": "accuracy",
    "ordinal_mean_absolute_error": "mean absolute error",
}
EXPONENTS = np.linspace(0, 1, 11)

Numbers = NDArray[np.float64]
Classes = NDArray[np.int64]


# --- experiment ------------------------------------------------------------------------


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return the scores by number of training samples, model and data set."""
    repeats, names = dict(REPEATS), [*CONFIRMING, *EXPLORATORY]
    if part < 1:
        # The smallest size has the quickest tasks. An interval needs two data sets.
        repeats = {min(REPEATS): math.ceil(part * REPEATS[min(REPEATS)])}
        names = names[: max(2, math.ceil(part * len(names)))]
    tasks = [
        (name, model, n_train, repeat)
        for n_train, n_repeats in repeats.items()
        for name in names
        if _is_large_enough(name, n_train)
        for model in MODELS
        for repeat in range(n_repeats)
    ]
    answers = run_tasks(scores_of_split, tasks, n_jobs=n_jobs, title=NAME)
    results: dict[str, Any] = {}
    for (name, model, n_train, _), answer in zip(tasks, answers, strict=True):
        of_size = results.setdefault(str(n_train), {}).setdefault(model, {})
        of_data = of_size.setdefault(name, {"scores": [], "first": answer["difference"]})
        of_data["scores"].append(answer["scores"])
    for of_size in results.values():
        for of_model in of_size.values():
            for of_data in of_model.values():
                of_data["n_repeats"] = len(of_data["scores"])
                of_data["scores"] = np.mean(of_data["scores"], axis=0)
    return results


def _is_large_enough(name: str, n_train: int) -> bool:
    return len(load(name).y) - n_train >= min(n_train, ENOUGH_TEST_SAMPLES)


def scores_of_split(name: str, model: str, n_train: int, repeat: int) -> dict[str, Any]:
    """Return the scores of all decisions, and the first against the second with its interval.

    The scores have shape (n_decisions, n_metrics), with NaN where a decision does not exist.
    """
    data = load(name)
    n_classes = data.y.max() + 1
    n_test = min(len(data.y) - n_train, MOST_TEST_SAMPLES)
    with threadpool_limits(1), ignoring_warnings_of_fits():
        X, X_test, y, y_test = train_test_split(
            data.X,
            data.y,
            train_size=n_train,
            test_size=n_test,
            stratify=data.y,
            random_state=SEED + repeat,
        )
        predictions = predictions_of(model, X, y, X_test, n_classes)
    labels = range(n_classes)
    scores = np.full((len(DECISIONS), len(METRICS)), np.nan)
    for row, decisions in enumerate(DECISIONS):
        if decisions in predictions:
            confusion = OrdinalConfusion.from_predictions(
                y_test, predictions[decisions], labels=labels
            )
            scores[row] = [get_metric(metric)(confusion) for metric in METRICS]
    difference = paired_difference(
        y_test,
        predictions["optimal"],
        predictions["mode"],
        "cem_ord",
        labels=labels,
        method="delta",
    )
    found = [difference.estimate, difference.low, difference.high, difference.pvalue]
    return {"scores": scores, "difference": found}


def predictions_of(
    model: str, X: Numbers, y: Classes, X_test: Numbers, n_classes: int
) -> dict[str, Classes]:
    """Return the predicted classes of the test samples by all decisions."""
    fitted = estimator_of(model).fit(X, y)
    proba = probabilities_of(fitted, X_test, n_classes)
    out_of_fold = np.zeros((len(y), n_classes))
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED)
    for train, test in folds.split(X, y):
        of_fold = estimator_of(model).fit(X[train], y[train])
        out_of_fold[test] = probabilities_of(of_fold, X[test], n_classes)
    counts = np.bincount(y, minlength=n_classes)
    exponent = tuned_exponent(out_of_fold, y, counts)
    temperature = tuned_temperature(out_of_fold, y)
    positions = np.arange(n_classes)
    cuts = tune_thresholds(y, out_of_fold @ positions, metric="cem_ord", labels=positions)
    balanced = estimator_of(model, class_weight="balanced").fit(X, y)
    predictions = {
        "mode": proba.argmax(axis=1),
        "optimal": least_cost(proba, counts),
        "root": prior_corrected(proba, counts, 0.5),
        "power": prior_corrected(proba, counts, exponent),
        "temperature": least_cost(proba ** (1 / temperature), counts),
        "cuts": cuts.predict(proba @ positions),
        "balanced": probabilities_of(balanced, X_test, n_classes).argmax(axis=1),
    }
    if model == "gradient boosting":
        boosting = CemBoostingClassifier(estimator_of(model), labels=positions).fit(X, y)
        predictions["objective"] = boosting.predict(X_test)
    return predictions


def estimator_of(model: str, class_weight: str | None = None) -> Any:
    """Return an estimator that is not fitted."""
    if model == "logistic regression":
        logistic = LogisticRegression(max_iter=1_000, tol=1e-8, class_weight=class_weight)
        return make_pipeline(StandardScaler(), logistic)
    if model == "random forest":
        return RandomForestClassifier(
            100, min_samples_leaf=5, class_weight=class_weight, random_state=0
        )
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=100,
        learning_rate=0.05,
        num_leaves=8,
        class_weight=class_weight,
        random_state=0,
        deterministic=True,
        force_row_wise=True,
        n_jobs=1,
        verbose=-1,
    )


def probabilities_of(fitted: Any, X: Numbers, n_classes: int) -> Numbers:
    """Return the probability of each class of the scale, 0 for a class without training samples."""
    proba = np.zeros((len(X), n_classes))
    proba[:, fitted.classes_] = fitted.predict_proba(X)
    return proba


def least_cost(proba: Numbers, counts: Classes) -> Classes:
    """Return the classes of least expected cost according to CEM_ORD."""
    (present,) = np.nonzero(counts)
    costs = proba[:, present] @ closeness_costs(counts[present])
    decisions: Classes = present[costs.argmin(axis=1)]
    return decisions


def prior_corrected(proba: Numbers, counts: Classes, exponent: float) -> Classes:
    """Return the most probable classes after division by a power of the class shares."""
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = np.nan_to_num(proba / (counts / counts.sum()) ** exponent, nan=0, posinf=0)
    return corrected.argmax(axis=1)


def tuned_exponent(proba: Numbers, y: Classes, counts: Classes) -> float:
    """Return the exponent with the highest CEM_ORD."""
    confusion = OrdinalConfusion.stack(
        OrdinalConfusion.from_predictions(
            y, prior_corrected(proba, counts, exponent), labels=range(len(counts))
        )
        for exponent in EXPONENTS
    )
    return float(EXPONENTS[np.argmax(get_metric("cem_ord")(confusion))])


def tuned_temperature(proba: Numbers, y: Classes) -> float:
    """Return the temperature with the lowest log loss."""
    logarithms = np.log(proba.clip(1e-9))

    def log_loss(log_temperature: float) -> float:
        scaled = logarithms / np.exp(log_temperature)
        of_truth = scaled[np.arange(len(y)), y]
        return float((np.logaddexp.reduce(scaled, axis=1) - of_truth).mean())

    return float(np.exp(minimize_scalar(log_loss, bounds=(-2, 2), method="bounded").x))


# --- tables and figure -----------------------------------------------------------------


def outputs(results: Mapping[str, Any]) -> dict[str, str | Callable[[], Figure]]:
    """Return the tables, the answer and the figure by the name of their files."""
    return {
        "decisions_answer.txt": answer(results),
        "decisions_means.txt": "\n\n".join(_table_of_means(results, size) for size in results),
        "decisions_sets.txt": "\n\n".join(_table_of_sets(results, size) for size in results),
        "decisions_data.txt": table_of_data_sets(),
        "decisions_gain.svg": lambda: _figure(results),
    }


def changes(
    results: Mapping[str, Any], size: str, model: str, decisions: str, metric: str = "cem_ord"
) -> Numbers:
    """Return the change from the most probable class on each confirming data set."""
    of_model = results[size][model]
    scores = np.array(
        [of_model[name]["scores"] for name in CONFIRMING if name in of_model], dtype=np.float64
    )
    of_metric = scores[:, :, list(METRICS).index(metric)]
    difference: Numbers = of_metric[:, list(DECISIONS).index(decisions)] - of_metric[:, 0]
    return difference


def mean_with_interval(values: Numbers) -> tuple[float, float, float]:
    """Return the mean over data sets with Student's 95% interval."""
    low, high = ttest_1samp(values, 0).confidence_interval()
    return float(values.mean()), float(low), float(high)


def verdict(low: float, high: float) -> str:
    """Return the answer to the question whether there is a gain, by the rule of the questions."""
    if low > 0:
        return "yes, but small" if high < WORTH_HAVING else "yes"
    return "no" if high < WORTH_HAVING else "cannot tell"


def answer(results: Mapping[str, Any]) -> str:
    """Return the answer to each part of the question, with its numbers."""
    lines = []
    for size, of_size in results.items():
        gains = []
        for model in of_size:
            mean, low, high = mean_with_interval(changes(results, size, model, "optimal"))
            gains.append(f"{model} {_cell(mean, low, high)}, *{verdict(low, high)}*")
        n_sets = len(changes(results, size, MODELS[0], "optimal"))
        lines.append(
            f"- With {int(size):,} training samples, on {n_sets} confirming data sets: "
            f"{'; '.join(gains)}."
        )
    costs = [
        [
            changes(results, size, model, "optimal", metric).mean()
            for size, of_size in results.items()
            for model in of_size
        ]
        for metric in list(METRICS)[1:]
    ]
    lines.append(
        f"- The CEM-optimal decisions change the accuracy by {_range(costs[0])} and the mean "
        f"absolute error by {_range(costs[1])} on average, over models and sizes."
    )
    for decisions in list(DECISIONS)[2:]:
        means, shares = [], []
        for size, of_size in results.items():
            for model in of_size:
                mean = changes(results, size, model, decisions).mean()
                if not np.isnan(mean):
                    means.append(mean)
                    shares.append(mean / changes(results, size, model, "optimal").mean())
        name = DECISIONS[decisions]
        lines.append(
            f"- {name[0].upper()}{name[1:]}: {_range(means)} on average, {_percent(min(shares))} "
            f"to {_percent(max(shares))} of the gain of the CEM-optimal decisions."
        )
    lines.append(f"- {_condition_for_an_estimator(results)}")
    return "\n".join(lines)


def _condition_for_an_estimator(results: Mapping[str, Any], size: str = "2000") -> str:
    cells, holds = [], []
    for model in results.get(size, {}):
        gain = changes(results, size, model, "optimal").mean()
        mean, low, high = mean_with_interval(changes(results, size, model, "power"))
        holds.append(low > 0 and mean >= gain / 2)
        cells.append(f"{model} {_cell(mean, low, high)} of {gain:+.3f}")
    outcome = "met" if holds and all(holds) else "not met"
    return (
        f"Prior correction with a tuned exponent, {int(size):,} training samples: "
        f"{'; '.join(cells) or 'not computed'}. The "
        f"condition for an estimator of its own is {outcome}."
    )


def _table_of_means(results: Mapping[str, Any], size: str) -> str:
    rows = []
    of_size = results[size]
    for model in of_size:
        for decisions in list(DECISIONS)[1:]:
            if decisions == "objective" and model != "gradient boosting":
                continue
            cells = [
                _bold_cell(*mean_with_interval(changes(results, size, model, decisions, metric)))
                for metric in METRICS
            ]
            rows.append([model, DECISIONS[decisions], *cells])
    first = next(iter(of_size.values()))
    n_sets = sum(name in CONFIRMING for name in first)
    n_repeats = next(iter(first.values()))["n_repeats"]
    title = (
        f"{int(size):,} training samples, {n_sets} confirming data sets, {_splits(n_repeats)}: "
        f"mean change from the most probable class, with its 95% interval over data sets, in bold "
        f"if it excludes 0"
    )
    return list_table(title, ["model", "decisions", *METRICS.values()], rows)


def _splits(number: int) -> str:
    return "one split of each" if number == 1 else f"{number} splits of each"


def _table_of_sets(results: Mapping[str, Any], size: str) -> str:
    of_size = results[size]
    first = next(iter(of_size.values()))
    significant = {
        model: _after_holm(
            {name: of_data["first"][3] for name, of_data in of_model.items() if name in CONFIRMING}
        )
        for model, of_model in of_size.items()
    }
    rows = []
    for name in first:
        cells = []
        for model, of_model in of_size.items():
            estimate, low, high, _ = of_model[name]["first"]
            cell = _cell(estimate, low, high)
            cells.append(f"**{cell}**" if name in significant[model] else cell)
        use = "confirming" if name in CONFIRMING else "exploratory"
        rows.append([name, use, *cells])
    title = (
        f"{int(size):,} training samples: gain in CEM_ORD of CEM-optimal decisions on the test "
        f"samples of the first split, with its 95% interval in closed form, in bold if the "
        f"difference is significant after Holm's adjustment over the confirming data sets"
    )
    return list_table(title, ["data set", "use", *of_size], rows)


def _after_holm(pvalues: Mapping[str, float]) -> set[str]:
    adjusted = holm_correction(np.array(list(pvalues.values())))
    return {name for name, pvalue in zip(pvalues, adjusted, strict=True) if pvalue <= LEVEL}


def _figure(results: Mapping[str, Any]) -> Figure:
    """Plot the gain on each data set with its interval, by model and number of samples."""
    figure, axes = plt.subplots(
        1, len(results), figsize=(10, 6.5), sharex=True, layout="constrained", squeeze=False
    )
    colors = dict(zip(MODELS, ("#0072b2", "#c04000", "#009e73"), strict=True))
    for ax, (size, of_size) in zip(axes[0], results.items(), strict=True):
        names = list(next(iter(of_size.values())))
        gain = [
            np.mean([of_model[name]["first"][0] for of_model in of_size.values()]) for name in names
        ]
        order = sorted(range(len(names)), key=lambda row: (names[row] in CONFIRMING, gain[row]))
        for shift, (model, of_model) in enumerate(of_size.items()):
            estimate, low, high = np.array([of_model[names[row]]["first"][:3] for row in order]).T
            ax.errorbar(
                estimate,
                np.arange(len(order)) + 0.22 * (1 - shift),
                xerr=[estimate - low, high - estimate],
                fmt="o",
                markersize=3,
                linewidth=1,
                color=colors[model],
                label=model,
            )
        ax.axvline(0, color="0.5", linewidth=0.8)
        ax.set_yticks(np.arange(len(order)), [names[row] for row in order], fontsize="small")
        for label, row in zip(ax.get_yticklabels(), order, strict=True):
            label.set_color("black" if names[row] in CONFIRMING else "0.45")
        ax.set_title(f"{int(size):,} training samples", fontsize="medium")
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
    figure.supxlabel("gain in CEM_ORD of CEM-optimal decisions (exploratory data sets in grey)")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


# --- cells -----------------------------------------------------------------------------


def _cell(estimate: float, low: float, high: float) -> str:
    return f"{estimate:+.3f} ({low:+.3f} to {high:+.3f})"


def _bold_cell(estimate: float, low: float, high: float) -> str:
    cell = _cell(estimate, low, high)
    return cell if low <= 0 <= high else f"**{cell}**"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):+.3f} to {max(values):+.3f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
