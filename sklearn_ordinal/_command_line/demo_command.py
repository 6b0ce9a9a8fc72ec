"""The command ``demo``, which also runs if no command is given."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._documents import plain_text
from sklearn_ordinal.datasets import _lev
from sklearn_ordinal.reports import _comparison
from sklearn_ordinal.reports._comparison import ComparisonReport
from sklearn_ordinal.reports._ordinal import OrdinalReport

CRITERIA = (
    "cem_ord",
    "accuracy",
    "quadratic_weighted_kappa",
    "macro_averaged_mean_absolute_error",
)
MODEL = "grid search"


_DESCRIPTION = """\
Search on CEM_ORD for the best parameters of a support vector classifier on the
LEV data (ratings of lecturers), and compare it with baselines."""
_EXAMPLE = """\
example:
  sklearn-ordinal demo --html comparison.html"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "demo",
        help="compare a grid search with baselines on data of the package",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument(
        "--full", action="store_true", help="compare by four criteria, and report on each fold"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="also write the comparison to FILE"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    # Imported here, since the other commands do not need the estimators.
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # Check before the fits, which take a while.
    page = options.html
    if page is not None and (page.is_dir() or not page.parent.is_dir()):
        raise ValueError(
            f"argument --html: cannot write to {page}: give a file in an existing folder."
        )
    lev = _lev.load_lev()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()),
        {"svc__C": [0.3, 1, 3], "svc__gamma": [0.1, 0.3], "svc__class_weight": [None, "balanced"]},
        scoring="cem_ord",
        cv=3,
    )
    logistic = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-8))
    comparison = _comparison.compare_estimators(
        {MODEL: search, "logistic regression": logistic},
        lev.data,
        lev.target,
        scoring=CRITERIA if options.full else CRITERIA[0],
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        random_state=0,
        return_estimator=True,
    )
    if options.full:
        _print_in_full(comparison, lev.target)
    else:
        _print_in_short(comparison)
    if options.html is not None:
        comparison.to_html(options.html)
        print(f"\nWritten to {options.html}")


def _print_in_short(comparison: ComparisonReport) -> None:
    print(comparison)
    print("What the grid search predicts for LEV, ratings of lecturers, all folds together:\n")
    confusion = comparison.reports[MODEL].pooled.confusion
    assert confusion is not None
    report = OrdinalReport.from_confusion(confusion, metrics=CRITERIA, zero_division=0.0)
    print(plain_text.as_text(replace(report.document(), hint="")))
    print("More: sklearn-ordinal demo --full (each fold, four criteria) or --html FILE")
    print("(a page with plots); sklearn-ordinal metrics lists and explains the criteria.")


def _print_in_full(comparison: ComparisonReport, grades: NDArray[np.integer[Any]]) -> None:
    labels, sizes = np.unique(grades, return_counts=True)
    _print_paragraph(
        f"LEV: {len(grades)} evaluations of lecturers, overall rating {labels[0]} (lowest) to "
        f"{labels[-1]} (highest). From the lowest grade to the highest there are "
        f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}."
    )
    report = comparison.reports[MODEL]
    _print_paragraph(
        "A support vector classifier, whose parameters are searched on cem_ord in each fold:"
    )
    for number, estimator in enumerate(report.estimators or (), start=1):
        _print_paragraph(f"Fold {number}: {estimator.best_params_}")
    print(report.to_text(details=True))
    _print_paragraph("The same folds, compared with logistic regression and baselines:")
    print(comparison, end="")


def _print_paragraph(text: str) -> None:
    print(f"{textwrap.fill(text, width=80)}\n")
