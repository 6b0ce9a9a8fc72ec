"""Reports on csv and JSON lines files by the command line, and their peak memory."""

from __future__ import annotations

import contextlib
import io
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from _cases import (
    CallResident,
    CallSeconds,
    Case,
    unless_installed,
    unless_resident_memory_is_known,
    within,
    within_megabytes,
)

from sklearn_ordinal._command_line.program import main

N_ROWS = 30_000_000
N_ROWS_OF_A_BLOCK = 300_000
GRADES = ("low", "mid", "high")


@cache
def folder(n_rows: int) -> TemporaryDirectory[str]:
    """Return a folder with a.csv and a.jsonl, which is deleted when the interpreter exits."""
    directory = TemporaryDirectory(prefix="sklearn_ordinal_benchmark_")
    rng = np.random.default_rng(0)
    n = min(n_rows, N_ROWS_OF_A_BLOCK)
    rows = zip(range(n), rng.choice(GRADES, n), rng.choice(GRADES, n), rng.random(n), strict=True)
    text = "x" * 60
    block = [
        (f'{i},{a},{b},"{text}, {x}"\n', f'{{"id": {i}, "grade": "{a}", "predicted": "{b}"}}\n')
        for i, a, b, x in rows
    ]
    for column, (name, header) in enumerate(
        {"a.csv": "id,grade,predicted,text\n", "a.jsonl": ""}.items()
    ):
        content = "".join(row[column] for row in block)
        with open(Path(directory.name) / name, "w", encoding="utf-8") as file:
            file.write(header)
            file.writelines(content for _ in range(n_rows // n))
    return directory


def file(n_rows: int, name: str) -> tuple[str]:
    path = Path(folder(n_rows).name) / name
    print(f"{name}: {path.stat().st_size / 1e9:.1f} GB")
    return (str(path),)


def report(path: str) -> None:
    options = ["--true=grade", "--pred=predicted", f"--labels={','.join(GRADES)}"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["report", path, *options]) == 0


LEFT_OUT = unless_installed("polars")

CASES: list[Case] = [
    *(
        CallResident(
            f"memory, report, {suffix}",
            ours=report,
            data=partial(file, name=f"a.{suffix}"),
            demands={N_ROWS: within_megabytes(1_000)},
            left_out=LEFT_OUT or unless_resident_memory_is_known(),
        )
        for suffix in ("csv", "jsonl")
    ),
    *(
        CallSeconds(
            f"report, {suffix}",
            ours=report,
            data=partial(file, name=f"a.{suffix}"),
            demands={N_ROWS: within(120)},
            left_out=LEFT_OUT,
        )
        for suffix in ("csv", "jsonl")
    ),
]
