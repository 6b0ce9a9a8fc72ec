"""Draw the packages, and list all modules, for docs/design/layout.rst."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sklearn_ordinal

NAME = "sklearn_ordinal"
PACKAGE = Path(sklearn_ordinal.__file__).parent
PACKAGES = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))

WIDTH, MARGIN, GAP = 400, 4, 8
HEIGHT, ROW_GAP, TITLE = 30, 26, 26
# At most so many packages stand beside each other.
COLUMNS = 3


def write(directory: Path) -> None:
    """Write the drawing as SVG for a page in HTML, and the list in reStructuredText."""
    directory.mkdir(exist_ok=True)
    (directory / "code_layout.html").write_text(svg(), encoding="utf-8")
    (directory / "code_layout.rst").write_text(as_list(), encoding="utf-8")


def rooms() -> list[str]:
    """Return the packages below the command line in the contract of import-linter."""
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    packages: list[str] = layers[layers.index("_command_line") + 1].split(" | ")
    return packages


def kernel() -> list[str]:
    """Return the packages that no room is part of."""
    return [name for name in PACKAGES if name not in ("_command_line", *rooms())]


def as_list() -> str:
    """Return a section for each package, with the first line of each docstring."""
    lines = []
    for name in ["_command_line", *rooms(), *(name for row in _rows() for name in row), ""]:
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
    return (ast.get_docstring(_parsed(path)) or "").partition("\n")[0]


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(name: str) -> set[str]:
    """Return the other packages that the modules of a package import."""
    nodes = (
        node
        for path in (PACKAGE / name).glob("*.py")
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.ImportFrom)
    )
    names = {
        f"{node.module}.{alias.name}.".split(".")[1]
        for node in nodes
        if (node.module or "").partition(".")[0] == NAME
        for alias in node.names
    }
    return names.intersection(PACKAGES) - {name}


def _rows() -> list[list[str]]:
    """Return the kernel from top to bottom, each package above all that it imports."""
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max(map(height, imports(name)), default=-1)
        return heights[name]

    rows: dict[int, list[str]] = {}
    for name in kernel():
        rows.setdefault(height(name), []).append(name)
    return [rows[number] for number in sorted(rows, reverse=True)]


def _arrows() -> Iterator[tuple[str, str]]:
    """Yield the imports in the kernel that do not follow from others."""
    direct = {name: imports(name) for name in kernel()}
    indirect: dict[str, set[str]] = {}
    for name in (name for row in reversed(_rows()) for name in row):
        indirect[name] = set().union(*(direct[below] | indirect[below] for below in direct[name]))
        yield from ((name, below) for below in sorted(direct[name] - indirect[name]))


def svg() -> str:
    """Return the drawing, in which each package leads to its modules."""
    parts: list[str] = []
    middle = WIDTH / 2
    top = _draw_row(parts, ["_command_line"], MARGIN, {})
    parts.append(_arrow(middle, top, middle, top + ROW_GAP))
    names = rooms()
    by_row = [names[start : start + COLUMNS] for start in range(0, len(names), COLUMNS)]
    top = _draw_frame(parts, "rooms", by_row, top + ROW_GAP, GAP, {})
    parts.append(_arrow(middle, top, middle, top + ROW_GAP))
    places: dict[str, tuple[float, float]] = {}
    bottom = _draw_frame(parts, "kernel", _rows(), top + ROW_GAP, ROW_GAP, places)
    for above, below in _arrows():
        (start, upper), (end, lower) = places[above], places[below]
        parts.append(_arrow(start, upper + HEIGHT, end, lower))
    return (
        f'<svg class="code-layout" xmlns="http://www.w3.org/2000/svg" role="group"\n'
        f'  aria-label="The command line imports the rooms, and the rooms import the kernel"\n'
        f'  viewBox="0 0 {WIDTH} {bottom + MARGIN}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _draw_frame(
    parts: list[str],
    title: str,
    rows: list[list[str]],
    top: float,
    gap: float,
    places: dict[str, tuple[float, float]],
) -> float:
    bottom = top + TITLE + len(rows) * (HEIGHT + gap) - gap + GAP
    size = f'width="{WIDTH - 2 * MARGIN}" height="{bottom - top}"'
    parts.append(f'<rect class="frame" x="{MARGIN}" y="{top}" {size} rx="6"/>')
    parts.append(f'<text class="frame" x="{MARGIN + GAP}" y="{top + 18}">{title}</text>')
    for number, row in enumerate(rows):
        _draw_row(parts, row, top + TITLE + number * (HEIGHT + gap), places)
    return bottom


def _draw_row(
    parts: list[str], names: list[str], top: float, places: dict[str, tuple[float, float]]
) -> float:
    width = (WIDTH - 2 * MARGIN - (COLUMNS + 1) * GAP) / COLUMNS
    left = (WIDTH - len(names) * (width + GAP) + GAP) / 2
    for number, name in enumerate(names):
        start = left + number * (width + GAP)
        places[name] = start + width / 2, top
        parts.append(
            f'<a href="#{_label(name)}">'
            f'<rect x="{start:g}" y="{top:g}" width="{width:g}" height="{HEIGHT}" rx="6"/>'
            f'<text x="{start + width / 2:g}" y="{top + 20:g}">{name}</text></a>'
        )
    return top + HEIGHT


def _arrow(start: float, upper: float, end: float, lower: float) -> str:
    middle = (upper + lower) / 2
    return f'<path d="M{start:g} {upper:g} V{middle:g} H{end:g} V{lower:g} m-4 -6 l4 6 l4 -6"/>'
