"""What a user with type annotations writes, for `test_types` and for mypy and pyright."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScale,
    OrdinalScores,
    compare_estimators,
    compare_systems,
    cross_val_report,
    get_metric,
    judge_assisted_interval,
    make_ordinal_scorer,
    ordinal_report,
    report_change,
)
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import OptimalDecisionClassifier
from sklearn_ordinal.groups import ChangeReport, GroupContrasts
from sklearn_ordinal.inference import (
    Interval,
    PairedDifference,
    bootstrap_interval,
    delta_interval,
    paired_difference,
)
from sklearn_ordinal.meta_evaluation import PropertyReport, check_properties
from sklearn_ordinal.metrics import (
    cem_ord_score,
    multioutput_score,
    ranked_probability_score,
    threshold_roc_auc_score,
)
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay, OrdinalRocCurveDisplay

labels = ["low", "mid", "high"]
scale = OrdinalScale(labels)
y_true = ["low", "mid", "high", "mid", "low", "high"]
y_pred = ["low", "high", "high", "mid", "mid", "high"]
y_other = np.array(["low", "low", "high", "mid", "mid", "mid"])
y_proba = np.full((6, 3), 1 / 3)
adjusted = get_metric(partial(cem_ord_score, adjusted=True))
counts = OrdinalConfusion.from_predictions(y_true, y_pred, labels=scale)


def compute_metrics() -> None:
    value: float = cem_ord_score(y_true, y_pred, labels=scale, adjusted=True)
    loss: float = ranked_probability_score(y_true, y_proba, labels=labels, sample_weight=[1.0] * 6)
    area: float = threshold_roc_auc_score(y_true, y_proba, labels=labels)
    areas: NDArray[Any] = threshold_roc_auc_score(y_true, y_proba, labels=labels, average=None)
    mean: float = multioutput_score([[0, 1], [1, 0]], [[0, 1], [1, 1]], "cem_ord")
    each = multioutput_score([[0, 1]], [[0, 1]], "accuracy", aggregate="none").shape
    print(value + loss + area + mean, areas.shape + each, adjusted(counts), adjusted.bounds(3))


def read_evidence() -> None:
    other = OrdinalConfusion.from_counts([[2, 1], [0, 3]], labels=["low", "high"])
    y_missing = np.array(["low", None, "high", "mid", None, "high"], dtype=object)
    partly = OrdinalConfusion.from_predictions(y_true, y_missing, labels=labels, unanswered="count")
    forecasts = OrdinalForecasts.from_probabilities(y_true, y_proba, labels=labels)
    scores = OrdinalScores.from_scores(y_true, [0.1, 0.4, 0.9, 0.5, 0.2, 0.8], labels=labels)
    matrix: NDArray[Any] = other.counts + 1
    print(matrix.sum(), partly.class_counts, forecasts.n_samples, scores.n_samples, len(scale))


def report_predictions(folder: Path) -> None:
    text: str = ordinal_report(y_true, y_pred, labels=labels, zero_division=0.0)
    content: dict[str, Any] = ordinal_report(counts, metrics=[adjusted], output_dict=True)
    sexes = {"sex": [0, 1, 0, 1, 0, 1]}
    groups = GroupReport.from_predictions(y_true, y_pred, labels=labels, by=sexes, random_state=0)
    report = OrdinalReport.from_predictions(y_true, y_pred, labels=labels, y_proba=y_proba)
    pages: str = (
        report.to_html() + report.to_markdown(digits=2) + report.to_latex() + report.to_json()
    )
    report.to_html(folder / "report.html", title="Grades")
    report.to_json(folder / "report.json")
    restored: OrdinalReport = OrdinalReport.from_json(folder / "report.json")
    by_group = GroupReport.from_predictions(y_true, y_pred, by=y_other, labels=labels)
    change: ChangeReport = report_change(report, folder / "report.json", "cem_ord", margin=0.01)
    contrasts: GroupContrasts = by_group.contrasts(weights="linear")
    is_worse: bool | None = change.worse_than()
    print(is_worse, change.worse_classes, contrasts.to_text())
    partly = [1.0, 2.0, 3.0, float("nan")] * 30
    assisted = judge_assisted_interval(partly, [1, 2, 2, 3] * 30, [1, 2, 3, 3] * 30, "accuracy")
    tuning: float = assisted.tuning["accuracy"]
    print(assisted.to_text(), tuning)
    shares: float = 0.0 if restored.confusion is None else float(restored.confusion.counts.sum())
    print(text, content, groups, pages, shares, by_group.document().title, len(report.to_frame()))


def infer() -> None:
    one: Interval = bootstrap_interval(y_true, y_pred, adjusted, labels=labels, clusters=y_other)
    several: dict[str, Interval] = bootstrap_interval(counts, metrics=["cem_ord", adjusted])
    named = bootstrap_interval(y_true, y_pred, {"mine": adjusted}, labels=labels, n_resamples=99)
    every: float = bootstrap_interval(counts, metrics="all", random_state=0)["accuracy"].low
    difference: PairedDifference = paired_difference(y_true, y_pred, y_other, labels=labels)
    differences = paired_difference(y_true, y_pred, y_other, ["cem_ord"], labels=labels)
    systems = compare_systems(y_true, {"a": y_pred, "b": y_other}, labels=labels)
    closed: Interval = delta_interval(y_true, y_pred, labels=labels, confidence_level=0.9)
    closed_forms: dict[str, Interval] = delta_interval(y_true, y_pred, "all", labels=labels)
    y_soft = [[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]]
    soft: Interval = delta_interval(y_soft, [0, 2, 1], "accuracy")
    of_ratings: Interval = delta_interval(
        OrdinalRatings.from_ratings([[0, 0, 1], [2, 1, 2], [1, 2, 2]]), [0, 2, 1], "accuracy"
    )
    properties: PropertyReport = check_properties("cem_ord", n_classes=3)
    print(one.high, several.keys(), named["mine"].low, every, difference.pvalue, systems.to_text())
    print(soft.low, of_ratings.high)
    print(closed.standard_error, closed_forms["cem_ord"].low, delta_interval(counts))
    print(differences["cem_ord"].to_text(digits=2), properties.symmetric)


def fit_estimators() -> None:
    X, y = load_lev(return_X_y=True)
    scorer = make_ordinal_scorer("cem_ord", labels=[0, 1, 2, 3, 4], adjusted=True)
    model = OptimalDecisionClassifier(LogisticRegression(max_iter=500), metric="cem_ord").fit(X, y)
    score: float = scorer(model, X, y)
    decisions: NDArray[Any] = model.predict(X)
    folds = cross_val_report(model, X, y, scoring="cem_ord", cv=3)
    estimators = {"model": model, "dummy": OrdinalDummyClassifier()}
    comparison = compare_estimators(estimators, X, y, scoring=scorer, cv=3, random_state=0)
    print(score, decisions[:3], folds.to_text(), comparison.to_text(digits=3), scorer)
    OrdinalConfusionMatrixDisplay.from_estimator(model, X, y).figure_.clear()
    OrdinalRocCurveDisplay.from_predictions(y_true, y_proba, labels=labels).plot()
