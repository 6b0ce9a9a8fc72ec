"""The demonstration: ``python -m sklearn_ordinal``."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_ordinal import OrdinalConfusion, OrdinalReport
from sklearn_ordinal.datasets import load_lev

CRITERIA = (
    "cem_ord",
    "cem_ord_adjusted",
    "accuracy",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
    "neg_macro_averaged_mean_absolute_error",
)
MODEL = "grid search on cem_ord"


def main() -> None:
    """Search, report and compare on the LEV data."""
    lev = load_lev()
    X, y = lev.data, lev.target
    labels, sizes = np.unique(y, return_counts=True)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    _print_paragraph(
        f"LEV: {len(y)} evaluations of lecturers, overall rating {labels[0]} (lowest) to "
        f"{labels[-1]} (highest), {', '.join(map(str, sizes))} of each."
    )

    model = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()),
        {"svc__C": [0.3, 1, 3], "svc__gamma": [0.1, 0.3], "svc__class_weight": [None, "balanced"]},
        scoring="cem_ord",
        cv=3,
    )
    confusions = []
    for number, (train, test) in enumerate(folds, start=1):
        model.fit(X[train], y[train])
        report = OrdinalReport.from_estimator(
            model, X[test], y[test], labels=labels, zero_division=0.0
        )
        confusions.append(report.confusion)
        print(f"Fold {number} of {len(folds)}: {model.best_params_}\n\n{report}")
    pooled = OrdinalConfusion.stack(confusions).pooled()
    print(f"All folds together\n\n{OrdinalReport.from_confusion(pooled, zero_division=0.0)}")

    estimators = {
        "majority class": DummyClassifier(),
        "stratified guesses": DummyClassifier(strategy="stratified", random_state=0),
        "median class": DummyRegressor(strategy="median"),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        MODEL: model,
    }
    scores = {
        name: cross_validate(estimator, X, y, cv=folds, scoring=list(CRITERIA))
        for name, estimator in estimators.items()
    }
    _print_comparison(scores)


def _print_comparison(scores: dict[str, dict[str, Any]]) -> None:
    means = {
        name: [float(np.mean(values[f"test_{criterion}"])) for criterion in CRITERIA]
        for name, values in scores.items()
    }
    print("Mean score over the folds, higher is better\n")
    for number, criterion in enumerate(CRITERIA, start=1):
        print(f"  ({number}) {criterion}")
    print(f"\n{'':<24}" + "".join(f"{f'({i + 1})':>8}" for i in range(len(CRITERIA))))
    for name, row in means.items():
        print(f"{name:<24}" + "".join(f"{mean:>8.3f}" for mean in row))

    best = max((name for name in means if name != MODEL), key=lambda name: means[name][0])
    differences = scores[MODEL][f"test_{CRITERIA[0]}"] - scores[best][f"test_{CRITERIA[0]}"]
    n_criteria = sum(ours > theirs for ours, theirs in zip(means[MODEL], means[best], strict=True))
    verdict = "above" if differences.mean() > 0 else "not above"
    print()
    _print_paragraph(
        f"By {CRITERIA[0]}, the {MODEL} is {verdict} the best baseline, {best}: "
        f"{means[MODEL][0]:.3f} against {means[best][0]:.3f} on average, higher in "
        f"{int((differences > 0).sum())} of {len(differences)} folds, and higher on average "
        f"by {n_criteria} of the {len(CRITERIA)} criteria."
    )


def _print_paragraph(text: str) -> None:
    print(f"{textwrap.fill(text, width=80)}\n")


if __name__ == "__main__":
    main()
