"""Names on one line, wrapped, or shortened to a number of characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import TextWrapper

from sklearn_ordinal._documents import (
    ELLIPSIS,
    cut_names,
    display_width,
    one_spaced,
    record_name,
    visible,
)

# The largest number of characters in a line of a name, and the smallest number to which names are
# shortened.
LONGEST_LINE, SHORTEST_NAME = 24, 9


class _Wrapper(TextWrapper):
    """Break lines at spaces and also after underscores, hyphens and slashes."""

    wordsep_re = re.compile(r"([ \n]+|(?<=[_/-])(?=[^ \n_/-]))")


def one_line(name: object) -> str:
    """Return a name on one line, with control characters as `repr` shows them."""
    return one_spaced(visible(str(name)))


def wrapped(text: str, n_characters: int, *, breaks_words: bool = False) -> str:
    """Break each line of a text into lines of at most a number of characters.

    Longer words are broken only if `breaks_words` is True.
    """
    wrapper = _Wrapper(width=max(1, n_characters), break_long_words=breaks_words)
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))


def longest_line(texts: Sequence[str]) -> int:
    """Return the number of characters in the longest line of any text."""
    return max((display_width(line) for text in texts for line in text.split("\n")), default=0)


def most_lines(texts: Sequence[str]) -> int:
    """Return the largest number of lines of any text."""
    return max((text.count("\n") + 1 for text in texts if text), default=0)


def fitted_names(
    names: Sequence[str],
    n_characters: int,
    n_lines: int = 1,
    *,
    start: str = "",
    ends: Sequence[str] = (),
    shortest: int = SHORTEST_NAME,
    breaks_words: bool = False,
) -> list[str]:
    """Wrap names into at most `n_lines` lines of `n_characters`, shortened as little as possible.

    Names that are too long are all shortened to the same number of characters, in the middle if
    that keeps most of them distinct. If names would become equal or shorter than `shortest`,
    lines become longer instead. The text `start` precedes each name, and the texts in `ends`
    follow the names; these texts are not shortened. Words are broken only if `breaks_words` is
    True.
    """
    ends = ends or [""] * len(names)
    lines = _fitted(
        names,
        n_characters,
        n_lines,
        start=start,
        ends=ends,
        shortest=shortest,
        breaks_words=breaks_words,
    )
    for short, name, end in zip(lines, names, ends, strict=True):
        record_name(short, f"{start}{name}{end}")
    return lines


def _fitted(
    names: Sequence[str],
    n_characters: int,
    n_lines: int,
    *,
    start: str,
    ends: Sequence[str],
    shortest: int,
    breaks_words: bool,
) -> list[str]:
    longest = min(longest_line(names), max(n_characters * n_lines, LONGEST_LINE))
    n_distinct = 0
    for length in range(longest, min(longest, shortest) - 1, -1):
        short = _shortened(names, length) if length else names
        if len(set(short)) < n_distinct:
            break
        n_distinct = len(set(short))
        texts = [f"{start}{name}{end}" for name, end in zip(short, ends, strict=True)]
        lines = [wrapped(text, n_characters, breaks_words=breaks_words) for text in texts]
        if most_lines(lines) <= n_lines and longest_line(lines) <= n_characters:
            return lines
    while most_lines(lines) > n_lines:
        n_characters += 1
        lines = [wrapped(text, n_characters) for text in texts]
    return lines


def _shortened(names: Sequence[str], length: int) -> list[str]:
    """Shorten names to a number of characters, and start with a whole word after the ellipsis."""
    short = cut_names(list(names), length, middle_first=True)
    at_words = [_end_at_word(*pair) for pair in zip(short, names, strict=True)]
    return at_words if len(set(at_words)) == len(set(short)) else short


def _end_at_word(short: str, name: str) -> str:
    """Let the text after the ellipsis of a short name start with a whole word, if there is one."""
    start, ellipsis, end = short.partition(ELLIPSIS)
    words = end if name.removesuffix(end).endswith(" ") else end.partition(" ")[2]
    # A line can also break at the space.
    return f"{start}{ellipsis} {words}" if start and words and short != name else short
