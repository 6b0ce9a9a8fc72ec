"""The table of the benchmarks in the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from _tables import list_table

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "benchmarks.txt"
HEADER = ("row", "samples", "peer", "ours", "ratio", "middle half", "required")


def write_page(result: Mapping[str, Any], path: Path = PAGE) -> None:
    """Write the table of a full run, with the machine and the date of the measurement."""
    rows = [_cells(row) for row in result["rows"] if "left_out" not in row]
    table = list_table("Medians of alternating runs", HEADER, rows)
    path.write_text(f"{table}\n\n{_provenance(result['machine'])}\n", encoding="utf-8")


def quantity(value: float, unit: str) -> str:
    """Return seconds or bytes with a unit that suits their size."""
    if unit == "B":
        return f"{value / 1e6:.3g} MB"
    factor, unit = next(
        (factor, unit)
        for factor, unit in [(1, "s"), (1e3, "ms"), (1e6, "us")]
        if value * factor >= 1
    )
    return f"{value * factor:.3g} {unit}"


def _cells(row: Mapping[str, Any]) -> list[str]:
    middle = "{:.3g} to {:.3g}".format(*row["middle_half"]) if row["n_pairs"] > 1 else ""
    return [
        row["name"],
        f"{row['n_samples']:,}" if row["n_samples"] else "",
        quantity(row["peer"], row["unit"]) if row["ratio_unit"] == "x" else "",
        quantity(row["ours"], row["unit"]),
        f"{row['ratio']:.3g} {row['ratio_unit']}",
        middle,
        row["demand"] + ("" if row["is_met"] else " (not met)"),
    ]


def _provenance(machine: Mapping[str, Any]) -> str:
    versions = [f"{name} {number}" for name, number in machine["versions"].items() if number]
    return (
        f"Measured by ``python benchmarks/run.py`` on {machine['started'][:10]} on "
        f"{machine['system']}, with {', '.join(versions)} and Python {machine['python']}."
    )
