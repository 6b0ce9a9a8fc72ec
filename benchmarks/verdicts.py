"""Verdicts of comparisons in which random baselines are scored by one draw or in expectation.

Run ``python benchmarks/verdicts.py`` from the checkout. It takes about a minute and writes the
table that docs/guide/coverage.rst shows.

For each of 60 subsamples of 100 samples of scikit-learn's diabetes data, in four grades of equal
size, a logistic regression is compared with the default baselines by quadratic kappa. The reports
of baselines that guess are about one draw in each fold, so a comparison has both scores of these
baselines. The table has the subsamples in which the model is shown to beat every constant. The
solver converges far beyond the printed digits, so the digits do not depend on the processor.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _tables import list_table
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.inference import corrected_t_test
from sklearn_ordinal.reports import ComparisonReport

SEED = 20_261_123
N_SUBSAMPLES, N_SAMPLES, N_FOLDS = 60, 100, 5
LEVEL = 0.05
CRITERION = "quadratic_weighted_kappa"
MODEL = "logistic regression"
GUESSES = ("stratified guesses", "uniform guesses")
SIZES = {"n_train": N_SAMPLES * (1 - 1 / N_FOLDS), "n_test": N_SAMPLES / N_FOLDS}
HEADER = (
    "Subsample",
    "Kappa",
    "One draw: best baseline",
    "its kappa",
    "p",
    "verdict",
    "Expectation: best baseline",
    "its kappa",
    "p",
    "verdict",
)
OUTPUT = Path(__file__).parents[1] / "docs" / "guide" / "verdicts.txt"

Numbers = NDArray[np.float64]


def main() -> None:
    X, target = load_diabetes(return_X_y=True)
    y = np.searchsorted(np.quantile(target, [0.25, 0.5, 0.75]), target)
    rng = np.random.default_rng(SEED)
    rows, n_lucky = [], 0
    for number in range(1, N_SUBSAMPLES + 1):
        part = rng.choice(len(y), N_SAMPLES, replace=False)
        comparison = compare_estimators(
            {MODEL: LogisticRegression(tol=1e-10, max_iter=10_000)},
            X[part],
            y[part],
            scoring=CRITERION,
            random_state=number,
            verbose=False,
        )
        scores = _scores_of_one_draw(comparison)
        reference = _best(scores, comparison.baselines)
        n_lucky += reference in GUESSES
        constants = [name for name in comparison.baselines if name not in GUESSES]
        of_constant = _pvalue(scores, _best(scores, constants))
        if scores[MODEL].mean() > 0 and of_constant <= LEVEL:
            rows.append(_row(number, comparison, scores, reference))
    n_shown = [sum(row[column] == "beats" for row in rows) for column in (5, 9)]
    OUTPUT.write_text(
        list_table(
            f"Subsamples in which the model beats the best constant: {len(rows)} of {N_SUBSAMPLES}",
            HEADER,
            rows,
        )
        + f"\n\nScored by one draw, a guess was the best baseline in {n_lucky} of {N_SUBSAMPLES} "
        f"subsamples. Of the {len(rows)} subsamples in the table, the model was shown to beat the "
        f"best baseline in {n_shown[0]} if guesses are scored by one draw, and in {n_shown[1]} if "
        f"they are scored by the expectation.\n",
        encoding="utf-8",
    )
    print(OUTPUT.read_text(encoding="utf-8"))


def _scores_of_one_draw(comparison: ComparisonReport) -> dict[str, Numbers]:
    """Return the scores in each fold; undefined scores are 0, the level of chance."""
    return {
        name: np.nan_to_num(report.scores[CRITERION]) for name, report in comparison.reports.items()
    }


def _best(scores: Mapping[str, Numbers], names: Any) -> str:
    return max(names, key=lambda name: round(scores[name].mean(), 9))


def _pvalue(scores: Mapping[str, Numbers], reference: str) -> float:
    # There is one model, so the adjusted p-value is the same.
    return corrected_t_test(scores[MODEL], scores[reference], **SIZES).pvalue


def _row(
    number: int,
    comparison: ComparisonReport,
    scores: Mapping[str, Numbers],
    reference: str,
) -> tuple[str, ...]:
    model = scores[MODEL].mean()
    after = comparison.best_baseline[CRITERION]
    mean = comparison.one(criterion=CRITERION, estimator=after).estimate
    test = comparison.one(criterion=CRITERION, estimator=MODEL, against=after)
    return (
        str(number),
        f"{model:.2f}",
        *_cells(model, reference, scores[reference].mean(), _pvalue(scores, reference)),
        *_cells(model, after, mean, test.adjusted_pvalue),
    )


def _cells(model: float, reference: str, kappa: float, pvalue: float) -> tuple[str, ...]:
    """Return the best baseline, its kappa, the p-value and the verdict."""
    verdict = "beats" if model > kappa and pvalue <= LEVEL else "not shown"
    p = "<0.001" if pvalue < 0.0005 else f"{pvalue:.3f}"
    return reference, f"{kappa:.2f}", p, verdict


if __name__ == "__main__":
    main()
