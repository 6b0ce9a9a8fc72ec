"""Read files lazily with polars: csv, tsv, parquet and JSON lines, chosen by the suffix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_JSON_LINES = (".jsonl", ".ndjson")
SUFFIXES = (*_SEPARATORS, ".parquet", *_JSON_LINES)


def scan_file(path: str) -> Any:
    """Return a file as a lazy frame of polars, none of whose rows is read yet.

    The columns of csv and tsv files are text.
    """
    pl = polars()
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{path} must be a file of type {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, got "
            f"{suffix or 'no suffix'!r}: convert or rename it."
        )
    if not Path(path).exists():
        raise ValueError(f"{path} does not exist.")
    if suffix == ".parquet":
        return pl.scan_parquet(path)
    if suffix in _JSON_LINES:
        return pl.scan_ndjson(path)
    return pl.scan_csv(path, separator=_SEPARATORS[suffix], infer_schema_length=0)


def polars() -> Any:
    """Return the module, which is imported only where files are read."""
    try:
        import polars
    except ImportError:
        raise ImportError(
            'Reading files needs polars: pip install "sklearn_ordinal[tables]".'
        ) from None
    return polars
