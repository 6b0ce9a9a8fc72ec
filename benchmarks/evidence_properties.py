"""Properties of each metric, from a search for counterexamples, and the claims of its source.

`evidence.py` runs it.
"""

from __future__ import annotations

import math
from typing import Any

from _paper import METRICS
from _tables import list_table
from _tasks import run_tasks

from sklearn_ordinal import get_metric, get_metric_names
from sklearn_ordinal.meta_evaluation import PropertyReport, PropertyTable, check_properties

NAME = "Properties"
SEED = 0
# The number of matrices to search if only a part of the evidence is computed.
N_MATRICES, N_RANDOM = 5_000, 1_000

# Kappa without weights is in the source but not in the catalogue.
CRITERIA = [
    *(name for name in get_metric_names() if get_metric(name).evidence.methods),
    METRICS["Kappa"],
]
PROPERTIES = {
    "ordinal_invariant": "invariant",
    "strictly_monotonic": "monotonic",
    "imbalance_aware": "imbalance",
    "prevalence_invariant": "prevalence invariant",
    "symmetric": "symmetric",
}


def compute(n_jobs: int, part: float) -> PropertyTable:
    """Return the properties of all metrics."""
    tasks = [(criterion, part) for criterion in CRITERIA]
    reports = run_tasks(properties_of, tasks, n_jobs=n_jobs, title=NAME)
    return PropertyTable({report.metric: report for report in reports})


def properties_of(criterion: Any, part: float) -> PropertyReport:
    """Return the properties of one metric."""
    if part == 1:
        return check_properties(criterion, random_state=SEED)
    return check_properties(
        criterion,
        n_classes=3,
        max_matrices=math.ceil(part * N_MATRICES),
        n_random=math.ceil(part * N_RANDOM),
        random_state=SEED,
    )


def outputs(table: PropertyTable) -> dict[str, Any]:
    """Return the properties, the claims of the source, and counterexamples to the claims."""
    return {
        "properties_table.txt": _table_of_properties(table),
        "properties_claims.txt": _table_of_claims(table),
        "properties_counterexamples.txt": _list_of_counterexamples(table),
    }


def _table_of_properties(table: PropertyTable) -> str:
    rows = [
        [f"``{name}``", *(_found(report, each) for each in PROPERTIES)]
        for name, report in table.reports.items()
    ]
    title = (
        "Properties of the criteria, by search for counterexamples. Monotonic: strictly, if every "
        "step of a prediction towards the truth makes the value better; weakly, if none makes it "
        "worse. Symmetry has a meaning for predicted classes only"
    )
    return list_table(title, ["criterion", *PROPERTIES.values()], rows)


def _table_of_claims(table: PropertyTable) -> str:
    rows = []
    for name, numbers in table.to_dict()["criteria"].items():
        claimed = {each: holds for each, holds in numbers["claimed"].items() if holds is not None}
        cells = []
        for each, holds in claimed.items():
            cell = f"{_found(table.reports[name], each)} / {'yes' if holds else 'no'}"
            cells.append(f"**{cell}**" if (name, each) in table.differences else cell)
        if cells:
            rows.append([f"``{name}``", *cells])
            header = ["criterion", *(PROPERTIES[each] for each in claimed)]
    title = (
        "Properties found here / claimed by the source of CEM_ORD, where monotonic means strictly. "
        "In bold where they differ"
    )
    return list_table(title, header, rows)


def _list_of_counterexamples(table: PropertyTable) -> str:
    items = []
    for name, each in table.differences:
        report = table.reports[name]
        is_worse = each == "strictly_monotonic" and not report.ordinal_monotonic
        found = report.counterexamples.get("ordinal_monotonic" if is_worse else each)
        if found is None:
            why = f"no counterexample found. {report.searched}"
        else:
            before, after = (f"``{one.counts.tolist()}``" for one in (found.before, found.after))
            why = f"{found.text[0].lower()}{found.text[1:]} From {before} to {after}."
        items.append(f"- ``{name}``, {PROPERTIES[each]}: {why}")
    return "\n".join(items)


def _found(report: PropertyReport, name: str) -> str:
    holds = getattr(report, name)
    if holds is None:
        return "not known" if name in report.n_compared else ""
    if name == "strictly_monotonic" and (holds or report.ordinal_monotonic):
        return "strictly" if holds else "weakly"
    return "yes" if holds else "no"
