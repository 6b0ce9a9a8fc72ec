"""The demonstration: ``python -m sklearn_ordinal``."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.datasets import load_lev

CRITERIA = (
    "cem_ord",
    "accuracy",
    "quadratic_weighted_kappa",
    "macro_averaged_mean_absolute_error",
)
MODEL = "grid search"


def main(arguments: Sequence[str] | None = None) -> None:
    """Search, report and compare on the LEV data."""
    parser = argparse.ArgumentParser(
        prog="python -m sklearn_ordinal",
        description="Search on CEM_ORD, report fold by fold and compare with baselines.",
    )
    parser.add_argument("--html", metavar="FILE", help="also write the comparison to FILE")
    options = parser.parse_args(arguments)
    # Said before the fits, which take a while.
    page = None if options.html is None else Path(options.html)
    if page is not None and (page.is_dir() or not page.parent.is_dir()):
        parser.error(f"argument --html: cannot write to {page}: give a file in an existing folder.")

    lev = load_lev()
    labels, sizes = np.unique(lev.target, return_counts=True)
    _print_paragraph(
        f"LEV: {len(lev.target)} evaluations of lecturers, overall rating {labels[0]} (lowest) to "
        f"{labels[-1]} (highest). From the lowest grade to the highest there are "
        f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}."
    )
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()),
        {"svc__C": [0.3, 1, 3], "svc__gamma": [0.1, 0.3], "svc__class_weight": [None, "balanced"]},
        scoring="cem_ord",
        cv=3,
    )
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    comparison = compare_estimators(
        {MODEL: search, "logistic regression": logistic},
        lev.data,
        lev.target,
        scoring=CRITERIA,
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        random_state=0,
        return_estimator=True,
    )
    report = comparison.reports[MODEL]
    _print_paragraph("What a support vector classifier does, searched on cem_ord in each fold:")
    for number, estimator in enumerate(report.estimators or (), start=1):
        _print_paragraph(f"Fold {number}: {estimator.best_params_}")
    print(report.to_text(details=True))
    _print_paragraph("The same folds, compared with logistic regression and baselines:")
    print(comparison, end="")
    if page is not None:
        comparison.to_html(page)
        print(f"\nWritten to {page}")


def _print_paragraph(text: str) -> None:
    print(f"{textwrap.fill(text, width=80)}\n")


if __name__ == "__main__":
    main()
