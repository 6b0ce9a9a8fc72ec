"""Write files atomically."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias

FilePath: TypeAlias = str | os.PathLike[str]


def as_path(path: Any) -> str:
    """Return the path of a file; an integer would be taken for an open file."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        text = " ".join(repr(path).split())
        raise ValueError(f"path must be a string or path-like, got {text:.50}.")
    return os.fsdecode(path)


def replace_file(path: FilePath, text: str) -> None:
    """Write text as UTF-8; if that fails, leave an existing file unchanged."""
    data = text.encode("utf-8")
    # Write to the target of a symbolic link, so that the link is kept.
    target = os.path.realpath(as_path(path))
    if os.path.exists(target) and not os.path.isfile(target):
        # A pipe or a terminal cannot be replaced; a directory is an error.
        with _named_in_errors(path), open(target, "wb") as file:
            file.write(data)
        return
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mode = None
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        with _named_in_errors(path), open(temporary, "xb", opener=partial(_open, mode)) as file:
            if mode is not None:
                # The umask removed permissions from the new file. Restore those of the target.
                os.chmod(temporary, mode)
            file.write(data)
        with _named_in_errors(path):
            # Windows refuses to replace a file that another program has open.
            os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
        raise


def returned_or_written(text: str, path: FilePath | None) -> str | None:
    """Return text if there is no path; otherwise write it to the path."""
    if path is None:
        return text
    replace_file(path, text)
    return None


def _open(mode: int | None, path: str, flags: int) -> int:
    """Open a new file that others cannot read before it has the permissions of the target."""
    # The tempfile module would create the file without the default permissions of new files.
    return os.open(path, flags, 0o666 if mode is None else mode)


@contextlib.contextmanager
def _named_in_errors(path: FilePath) -> Iterator[None]:
    """Name the user's file in errors instead of the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
