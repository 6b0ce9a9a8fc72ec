"""Progress bars of tqdm, in terminals and notebooks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from sklearn_ordinal._core import shown, warn_caller

T = TypeVar("T")
Bar: TypeAlias = Callable[[Iterable[T], int], Iterable[T]]


def progress_bar(verbose: bool | None) -> Bar[Any]:
    """Return a function that shows a progress bar for results, or returns the results unchanged."""
    if verbose is not None and not isinstance(verbose, bool):
        raise ValueError(f"verbose must be True, False or None, got {shown(verbose)}.")
    if verbose is False:
        return _no_bar
    try:
        with warnings.catch_warnings():
            # If a notebook has no widgets, tqdm warns and draws a bar of text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if verbose:
            warn_caller(
                "verbose=True shows progress with tqdm, which is not installed: "
                'pip install "sklearn_ordinal[progress]".'
            )
        return _no_bar
    # With None, there is no bar if stderr is not a terminal.
    disable = False if verbose or _is_notebook() else None

    def bar(results: Iterable[Any], n_results: int) -> Iterable[Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrapped: Iterable[Any] = tqdm(results, total=n_results, unit="fit", disable=disable)
        return wrapped

    return bar


def _no_bar(results: Iterable[T], n_results: int) -> Iterable[T]:  # noqa: ARG001
    return results


def _is_notebook() -> bool:
    """Return whether the code runs in a notebook, whose shell has a kernel."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
