"""Write files atomically."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from typing import TypeAlias

FilePath: TypeAlias = str | os.PathLike[str]


def write_text(path: FilePath, text: str) -> None:
    """Write text as UTF-8; if that fails, leave an existing file unchanged."""
    data = text.encode("utf-8")
    # Symbolic links are kept.
    target = os.path.realpath(os.fsdecode(path))
    if os.path.exists(target) and not os.path.isfile(target):
        # A pipe or a terminal cannot be replaced; a directory is an error.
        with _named_in_errors(path), open(target, "wb") as file:
            file.write(data)
        return
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        # "x" gives the permissions of a new file, which modules for temporary files do not.
        with _named_in_errors(path), open(temporary, "xb") as file:
            file.write(data)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
        raise


@contextlib.contextmanager
def _named_in_errors(path: FilePath) -> Iterator[None]:
    """Name the user's file in errors instead of the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
