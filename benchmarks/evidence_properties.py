"""Properties of each metric, from a search for counterexamples, and the claims of its source.

`evidence.py` runs it.
"""

from __future__ import annotations

import math
from typing import Any

from _paper import CLAIMED, CLAIMS, METRICS
from _tables import list_table
from _tasks import run_tasks

from sklearn_ordinal import OrdinalConfusion, get_metric, get_metric_names
from sklearn_ordinal.meta_evaluation import check_properties

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
# Properties that a counterexample refutes, but that are proved for some systems, in
# docs/guide/evidence/proofs.rst.
PROVED_FOR = {("linear_weighted_kappa", "strictly_monotonic"): "only above chance"}


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return for each metric its properties, those that the source claims, and counterexamples."""
    tasks = [(criterion, part) for criterion in CRITERIA]
    found = run_tasks(properties_of, tasks, n_jobs=n_jobs, title=NAME)
    return {get_metric(criterion).name: one for criterion, one in zip(CRITERIA, found, strict=True)}


def properties_of(criterion: Any, part: float) -> dict[str, Any]:
    """Return the properties of one metric."""
    options: dict[str, Any] = {"random_state": SEED}
    if part < 1:
        options |= {
            "n_classes": 3,
            "max_matrices": math.ceil(part * N_MATRICES),
            "n_random": math.ceil(part * N_RANDOM),
        }
    report = check_properties(criterion, **options)
    claims = CLAIMS.get(report.metric)
    claimed = {each: None if claims is None else each in claims for each in CLAIMED}
    counterexamples = {}
    for each, example in report.counterexamples.items():
        counterexamples[each] = {"text": example.text}
        for side in ("before", "after"):
            evidence = getattr(example, side)
            if isinstance(evidence, OrdinalConfusion):
                counterexamples[each][side] = evidence.counts.tolist()
    return {
        "properties": {each: getattr(report, each) for each in report.n_compared},
        "claimed": claimed,
        "differences": [
            each
            for each, holds in claimed.items()
            if None not in (holds, getattr(report, each)) and holds != getattr(report, each)
        ],
        "searched": report.searched,
        "counterexamples": counterexamples,
    }


def outputs(results: dict[str, Any]) -> dict[str, Any]:
    """Return the properties, the claims of the source, and counterexamples to the claims."""
    return {
        "properties_table.txt": _table_of_properties(results),
        "properties_claims.txt": _table_of_claims(results),
        "properties_counterexamples.txt": _list_of_counterexamples(results),
    }


def _table_of_properties(results: dict[str, Any]) -> str:
    rows = [
        [f"``{name}``", *(_found(one["properties"], each) for each in PROPERTIES)]
        for name, one in results.items()
    ]
    title = (
        "Properties of the criteria, by search for counterexamples in which every class occurs in "
        "the truth. Monotonic: strictly, if every step of a prediction towards the truth makes the "
        "value better; weakly, if none makes it worse. Symmetry has a meaning for predicted "
        "classes only"
    )
    return list_table(title, ["criterion", *PROPERTIES.values()], rows)


def _table_of_claims(results: dict[str, Any]) -> str:
    rows = []
    for name, one in results.items():
        claimed = {each: holds for each, holds in one["claimed"].items() if holds is not None}
        cells = []
        for each, holds in claimed.items():
            found = PROVED_FOR.get((name, each), _found(one["properties"], each))
            cell = f"{found} / {'yes' if holds else 'no'}"
            cells.append(f"**{cell}**" if each in one["differences"] else cell)
        if cells:
            rows.append([f"``{name}``", *cells])
            header = ["criterion", *(PROPERTIES[each] for each in claimed)]
    title = (
        "Properties found here / claimed by the source of CEM_ORD, where monotonic means strictly. "
        "In bold where they differ. Here, every class occurs in the truth, and the one weighted "
        "kappa of the source is three criteria"
    )
    return list_table(title, header, rows)


def _list_of_counterexamples(results: dict[str, Any]) -> str:
    items = []
    for name, one in results.items():
        for each in one["differences"]:
            # A counterexample to weak monotonicity shows even more.
            is_worse = (
                each == "strictly_monotonic" and "ordinal_monotonic" in one["counterexamples"]
            )
            example = one["counterexamples"].get("ordinal_monotonic" if is_worse else each)
            if example is None:
                why = f"no counterexample found. {one['searched']}"
            else:
                text = example["text"]
                why = (
                    f"{text[0].lower()}{text[1:]} From ``{example['before']}`` to "
                    f"``{example['after']}``."
                )
            items.append(f"- ``{name}``, {PROPERTIES[each]}: {why}")
    return "\n".join(items)


def _found(properties: dict[str, bool | None], name: str) -> str:
    if name not in properties:
        return ""
    holds = properties[name]
    if name == "strictly_monotonic" and properties["ordinal_monotonic"]:
        return "strictly" if holds else "weakly"
    return "not known" if holds is None else "yes" if holds else "no"
