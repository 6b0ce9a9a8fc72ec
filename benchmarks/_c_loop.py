"""Count pairs of classes in a C loop, compiled on the first call."""

from __future__ import annotations

import ctypes
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

_SOURCE = """
#include <stdint.h>

int count_pairs(const int64_t *y_true, const int64_t *y_pred, int64_t n_samples,
                int64_t n_classes, int64_t *counts)
{
    for (int64_t i = 0; i < n_samples; i++) {
        int64_t row = y_true[i], column = y_pred[i];
        if (row < 0 || row >= n_classes || column < 0 || column >= n_classes)
            return 1;
        counts[row * n_classes + column]++;
    }
    return 0;
}
"""


def count_in_c(
    y_true: NDArray[np.int64], y_pred: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """Count contiguous arrays of classes 0, ..., `n_classes` - 1, checking each value."""
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    if _count_pairs()(y_true, y_pred, len(y_true), n_classes, counts):
        raise ValueError(f"y_true and y_pred must be at least 0 and less than {n_classes}.")
    return counts


def unless_compiler() -> str | None:
    """Return why a row is left out if there is no C compiler, else None."""
    return None if _compiler() else "no C compiler found"


@cache
def _count_pairs() -> Callable[..., int]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        source, library = Path(directory, "count_pairs.c"), Path(directory, "count_pairs.so")
        source.write_text(_SOURCE, encoding="utf-8")
        options = ["-O3", "-shared", "-fPIC", "-o", str(library), str(source)]
        subprocess.run([*_compiler(), *options], check=True)
        function = ctypes.CDLL(str(library)).count_pairs
    column = np.ctypeslib.ndpointer(np.int64, ndim=1, flags="C_CONTIGUOUS")
    table = np.ctypeslib.ndpointer(np.int64, ndim=2, flags="C_CONTIGUOUS")
    function.argtypes = [column, column, ctypes.c_int64, ctypes.c_int64, table]
    function.restype = ctypes.c_int
    return function


def _compiler() -> list[str]:
    """Return the command of the C compiler, or an empty list if there is none."""
    of_python = shlex.split(sysconfig.get_config_var("CC") or "")
    commands = [["cc"], ["gcc"], ["clang"], of_python]
    return next((command for command in commands if command and shutil.which(command[0])), [])
