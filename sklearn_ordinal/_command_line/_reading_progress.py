"""The number of rows read so far, shown on a terminal if reading takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sklearn_ordinal._tables import DataFile

_SECONDS_BEFORE = 1.0
_SECONDS_BETWEEN = 0.2


@contextmanager
def progress_of(*files: DataFile) -> Iterator[None]:
    """Show on stderr how many rows have been read, if reading takes more than a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    n_rows = 0
    line = ""
    next_time = time.monotonic() + _SECONDS_BEFORE

    def add(n_more: int) -> None:
        nonlocal n_rows, line, next_time
        n_rows += n_more
        if time.monotonic() >= next_time:
            line = f"{n_rows:,} rows read"
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()
            next_time = time.monotonic() + _SECONDS_BETWEEN

    for file in files:
        file.on_rows = add
    try:
        yield
    finally:
        if line:
            sys.stderr.write(f"\r{' ' * len(line)}\r")
            sys.stderr.flush()
