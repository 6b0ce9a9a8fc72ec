"""Tables of the documentation in reStructuredText."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

ListTable: TypeAlias = tuple[str, list[list[str]]]
"""The title and the rows, the header first."""


def list_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a list-table with a header row."""
    lines = [f".. list-table:: {title}", "   :header-rows: 1", ""]
    for row in [header, *rows]:
        lines += [f"   {'  -' if column else '* -'} {cell}" for column, cell in enumerate(row)]
    return "\n".join(lines)


def read_list_tables(text: str) -> list[ListTable]:
    """Return the tables that `list_table` has written."""
    tables: list[ListTable] = []
    for table in text.split(".. list-table:: ")[1:]:
        title, _, lines = table.partition("\n")
        rows: list[list[str]] = []
        for start, cell in re.findall(r"^   ([* ]) - ?(.*)$", lines, re.MULTILINE):
            if start == "*":
                rows.append([])
            rows[-1].append(cell)
        tables.append((title, rows))
    return tables


def write_page(description: str | None, page: Path, text_of: Callable[[float], str]) -> None:
    """Run the script of a simulation: write its tables, or print those of a part of the data."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument(
        "--part", type=float, default=1, help="part of the data sets, to try it; writes nothing"
    )
    part = parser.parse_args().part
    text = text_of(part)
    print(text)
    if part == 1:
        page.write_text(text + "\n", encoding="utf-8")
