"""Tables of the documentation in reStructuredText."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def list_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a list-table with a header row."""
    lines = [f".. list-table:: {title}", "   :header-rows: 1", ""]
    for row in [header, *rows]:
        lines += [f"   {'  -' if column else '* -'} {cell}" for column, cell in enumerate(row)]
    return "\n".join(lines)
