"""The rows of `compare_estimators` by estimator, as the tests read them."""

from types import SimpleNamespace

import numpy as np


def table(report, criterion):
    """Return the mean, the difference from the best baseline, and their facts by estimator."""
    name = report.metrics.name_of(criterion)
    against = report.best_baseline[name]
    by_key = {
        (row["estimator"], row["against"]): row
        for row in report.to_dict()["values"]
        if row["criterion"] == name
    }
    return {
        estimator: SimpleNamespace(
            score=report.one(criterion=name, estimator=estimator),
            difference=report.rows.get((name, estimator, against, "difference")),
            rank=by_key[estimator, None]["rank"],
            n_draws=by_key[estimator, None]["n_draws"],
            **{
                fact: _number(by_key.get((estimator, against), {}).get(fact))
                for fact in (
                    "adjusted_pvalue",
                    "probability_worse",
                    "probability_equivalent",
                    "probability_better",
                )
            },
            simulation_error=_number(by_key[estimator, None]["simulation_error"]),
        )
        for estimator in report.reports
    }


def _number(value):
    return np.nan if value is None else value
