"""Compare the time and memory of sklearn_ordinal and of its peers, mostly scikit-learn.

Run ``python benchmarks/run.py`` from the checkout. Both sides are measured in turn, so the
ratios depend less on the load of the machine than the times do. The table and
benchmarks/results/ hold medians; the ratio is the median over the pairs. A full run also writes
the table of docs/reference/benchmarks.rst.

To add a row, add an entry to a module ``cases_<family>.py`` that `CASES` includes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import _timing
import cases_calls
import cases_counting
import cases_decisions
import cases_files
import cases_inference
import cases_meta_evaluation
import cases_metrics
import cases_model_selection
import cases_prediction_sets
import cases_probability
import cases_rankings
import cases_ratings
import cases_soft_labels
import cases_tables
from _cases import Case, Demand
from _machine import describe_machine, versions_of
from _page import quantity, write_page

CASES: list[Case] = [
    *cases_counting.CASES,
    *cases_calls.CASES,
    *cases_metrics.CASES,
    *cases_inference.CASES,
    *cases_meta_evaluation.CASES,
    *cases_model_selection.CASES,
    *cases_decisions.CASES,
    *cases_probability.CASES,
    *cases_rankings.CASES,
    *cases_prediction_sets.CASES,
    *cases_ratings.CASES,
    *cases_soft_labels.CASES,
    *cases_tables.CASES,
    *cases_files.CASES,
]

QUICK_SAMPLES = 100_000
QUICK_SECONDS = 1.0
LINE = "{:<30} {:>10} {:>9} {:>9} {:>9} {:>15}  {:<16} {}"


def main() -> None:
    arguments = _parse_arguments()
    if arguments.quick:
        _timing.SECONDS_PER_ROW = QUICK_SECONDS
    machine = _machine()
    print("Medians of alternating runs. Ratio: peer / ours for >=, ours / peer for <=.")
    if arguments.quick:
        print(f"Quick: rows of over {QUICK_SAMPLES:,} samples are reduced to that and not judged.")
    print()
    print(LINE.format("", "samples", "peer", "ours", "ratio", "middle half", "demand", "met"))
    rows = []
    for case in _selected(arguments.only):
        for row in _measured(case, quick=arguments.quick):
            print(_line(row), flush=True)
            rows.append(row)
    judged = [row["is_met"] for row in rows if row["is_met"] is not None]
    print(f"\n{sum(judged)} of {len(judged)} demands met.")
    path = arguments.json or _default_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    result = {"machine": machine, "is_quick": arguments.quick, "rows": rows}
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if not arguments.quick and arguments.only is None:
        write_page(result)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="rows whose name contains NAME; may be repeated",
    )
    parser.add_argument("--quick", action="store_true", help="smaller sizes and fewer runs")
    parser.add_argument(
        "--json", type=Path, metavar="PATH", help="file to write (default: in benchmarks/results/)"
    )
    arguments = parser.parse_args()
    if not _selected(arguments.only):
        parser.error(f"--only: no row has that name; the rows are {[case.name for case in CASES]}")
    return arguments


def _selected(only: list[str] | None) -> list[Case]:
    return [case for case in CASES if only is None or any(name in case.name for name in only)]


def _measured(case: Case, *, quick: bool) -> Iterator[dict[str, Any]]:
    sizes = {min(size, QUICK_SAMPLES) if quick else size: size for size in case.demands}
    for size, full_size in sizes.items():
        row = {"name": case.name, "n_samples": size, "demand": str(case.demands[full_size])}
        if case.left_out is None:
            row |= _judged(case, case.demands[full_size], size, is_full=size == full_size)
        else:
            row |= {"is_met": None, "left_out": case.left_out}
        yield row


def _judged(case: Case, demand: Demand, size: int, *, is_full: bool) -> dict[str, Any]:
    measured = case.measure(size)
    ratios = [demand.ratio(*pair) for pair in zip(measured.peer, measured.ours, strict=True)]
    ratio = statistics.median(ratios)
    quartiles = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratio] * 3
    peer, ours = measured.medians
    return {
        "peer": peer,
        "ours": ours,
        "unit": measured.unit,
        "ratio": ratio,
        "ratio_unit": demand.unit,
        "middle_half": [quartiles[0], quartiles[2]],
        "is_met": demand.is_met(ratio) if is_full else None,
        "n_pairs": len(ratios),
        "peer_runs": measured.peer,
        "our_runs": measured.ours,
    }


def _line(row: dict[str, Any]) -> str:
    size = f"{row['n_samples']:,}" if row["n_samples"] else ""
    if "left_out" in row:
        return f"{row['name']:<30} {size:>10} left out: {row['left_out']}"
    return LINE.format(
        row["name"],
        size,
        quantity(row["peer"], row["unit"]) if row["ratio_unit"] == "x" else "",
        quantity(row["ours"], row["unit"]),
        f"{row['ratio']:.3g} {row['ratio_unit']}",
        "{:.3g} - {:.3g}".format(*row["middle_half"]) if row["n_pairs"] > 1 else "",
        row["demand"],
        {True: "yes", False: "NO", None: "-"}[row["is_met"]],
    )


def _machine() -> dict[str, Any]:
    packages = ["sklearn_ordinal", "sklearn", "numpy", "scipy", "pandas", "polars", "duckdb"]
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "system": describe_machine(),
        "load_average": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "versions": versions_of(packages),
    }


def _default_path() -> Path:
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    return Path(__file__).parent / "results" / name


if __name__ == "__main__":
    main()
