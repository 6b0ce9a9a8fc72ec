"""Draw the packages, and list all modules, for docs/design/layout.rst."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Sequence
from pathlib import Path

import sklearn_ordinal

NAME = "sklearn_ordinal"
PACKAGE = Path(sklearn_ordinal.__file__).parent

WIDTH, MARGIN, GAP = 400, 4, 8
HEIGHT, TITLE = 30, 26
# At most so many packages stand beside each other.
COLUMNS = 3


def write(directory: Path) -> None:
    """Write the drawing as SVG for a page in HTML, and the list in reStructuredText."""
    directory.mkdir(exist_ok=True)
    (directory / "code_layout.html").write_text(svg(), encoding="utf-8")
    (directory / "code_layout.rst").write_text(as_list(), encoding="utf-8")


def layers() -> list[list[str]]:
    """Return the packages from top to bottom: the command line, the rooms, rows of the kernel.

    The contract of import-linter has this order, and no package imports one beside or above it.
    """
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    contract = tomllib.loads(text)["tool"]["importlinter"]["contracts"][0]
    rows = [layer.split(" | ") for layer in contract["layers"]]
    return [row for row in rows if (PACKAGE / row[0] / "__init__.py").exists()]


def as_list() -> str:
    """Return a section for each package, with the first line of each docstring."""
    lines = []
    for name in [*(name for row in layers() for name in row), ""]:
        path = PACKAGE / name
        title = f"``{name or NAME}``"
        lines += [f".. _{_label(name)}:\n" if name else "", title, "~" * len(title)]
        lines += [_summary(path / "__init__.py"), ""]
        modules = sorted(set(path.glob("*.py")) - {path / "__init__.py"})
        lines += [f"- ``{module.stem}``: {_summary(module)}" for module in modules]
        lines.append("")
    return "\n".join(lines)


def _label(name: str) -> str:
    return f"package-{name.strip('_').replace('_', '-')}"


def _summary(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def svg() -> str:
    """Return the drawing, in which each package leads to its modules."""
    command_line, rooms, *kernel = layers()
    parts = [_row(command_line, MARGIN)]
    bottom = MARGIN + HEIGHT
    by_row = [rooms[start : start + COLUMNS] for start in range(0, len(rooms), COLUMNS)]
    for title, rows in ("rooms", by_row), ("kernel", kernel):
        top = bottom + GAP
        first = top + TITLE
        bottom = first + len(rows) * (HEIGHT + GAP)
        size = f'width="{WIDTH - 2 * MARGIN}" height="{bottom - top}"'
        parts.append(f'<rect class="frame" x="{MARGIN}" y="{top}" {size} rx="6"/>')
        parts.append(f'<text class="frame" x="{MARGIN + GAP}" y="{top + 18}">{title}</text>')
        parts += [_row(row, first + number * (HEIGHT + GAP)) for number, row in enumerate(rows)]
    return (
        f'<svg class="code-layout" xmlns="http://www.w3.org/2000/svg" role="group"\n'
        f'  aria-label="The command line is above the rooms, and the rooms are above the kernel"\n'
        f'  viewBox="0 0 {WIDTH} {bottom + MARGIN}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _row(names: Sequence[str], top: int) -> str:
    width = (WIDTH - 2 * MARGIN - (COLUMNS + 1) * GAP) / COLUMNS
    left = (WIDTH - len(names) * (width + GAP) + GAP) / 2
    boxes = []
    for number, name in enumerate(names):
        start = left + number * (width + GAP)
        boxes.append(
            f'<a href="#{_label(name)}">'
            f'<rect x="{start:g}" y="{top}" width="{width:g}" height="{HEIGHT}" rx="6"/>'
            f'<text x="{start + width / 2:g}" y="{top + 20}">{name}</text></a>'
        )
    return "\n".join(boxes)
