"""Measure, wrap and shorten texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sklearn_ordinal.documents import cut_names, visible

# The largest width of a name in a new figure, in units of the font size: about 24 letters.
NAME_WIDTH = 13.0
# In points, or the user's font size if that is smaller.
_SMALLEST, _SMALLEST_IN_FULL = 6.0, 7.0
_LINE_HEIGHT = 1.2
_REDUCED_AREA = 0.92
# Numbers of characters: names are not shortened below the first as long as a smaller font size
# helps, nor below the second as long as they differ; those above the third are always shortened.
_COMFORTABLE, SHORTEST, _LONGEST = 14, 9, 200
# Lines may break at spaces, except non-breaking ones, and after these characters.
_WORD = re.compile(r"([ \n]*)([_/-]*[^ \n_/-]+[_/-]*|[_/-]+)")


def default_font_size() -> float:
    """Return the font size in points from the user's rcParams."""
    import matplotlib as mpl

    return float(mpl.rcParams["font.size"])


def font_scale() -> float:
    """Return the user's font size relative to matplotlib's default of ten points."""
    return default_font_size() / 10


def smallest_font_size() -> float:
    """Return the smallest font size in points that can be read."""
    return min(_SMALLEST, default_font_size())


def attempts() -> Iterator[tuple[float, int | None, float]]:
    """Yield font sizes in points, characters that names keep, and shares of the area, best first.

    Names are complete (None) down to a comfortable size. Smaller sizes shorten them too. At the
    smallest size, the axes give up some of their area before names keep only a few characters.
    """
    for smallest, n_kept in ((_SMALLEST_IN_FULL, None), (_SMALLEST, _COMFORTABLE)):
        size = default_font_size()
        while size > smallest:
            yield size, n_kept, 1.0
            size *= 0.95
        yield min(smallest, default_font_size()), n_kept, 1.0
    yield smallest_font_size(), _COMFORTABLE, _REDUCED_AREA
    yield smallest_font_size(), SHORTEST, 1.0


def one_line(name: object) -> str:
    """Return a name in one line, with control characters as `repr` shows them."""
    return " ".join(visible(str(name)).split())


def em(font_size: float, n: float = 1.0) -> float:
    """Return n times the font size in inches."""
    return n * font_size / 72


def height(texts: Iterable[str], font_size: float) -> float:
    """Return the height of the text with the most lines in inches."""
    n_lines = max((text.count("\n") + 1 for text in texts if text), default=0)
    return em(font_size, _LINE_HEIGHT * n_lines)


def n_lines_in(inches: float, font_size: float) -> int:
    """Return the number of lines that fit a height in inches."""
    return int(inches / em(font_size, _LINE_HEIGHT))


def width(texts: Iterable[str], font_size: float) -> float:
    """Return the width of the widest line of texts in inches."""
    lines = [line for text in texts for line in text.split("\n")]
    return em(font_size, max(map(_width, lines), default=0.0))


def wrapped(names: Iterable[str], inches: float, font_size: float) -> list[str]:
    """Break names into lines of a width in inches, except words that are wider."""
    limit = inches / em(font_size)
    return ["\n".join(_lines(name, limit)) for name in names]


def fitted(
    names: Sequence[str],
    inches: float,
    n_lines: int,
    font_size: float,
    *,
    n_kept: int | None,
    start: str = "",
    ends: Sequence[str] = (),
) -> list[str] | None:
    """Break names into at most `n_lines` lines of a width in inches.

    Long names are shortened with an ellipsis, but keep at least `n_kept` characters; if that is
    None, they are not shortened. Return None if the names do not fit or become equal. The text
    `start` precedes each name and those in `ends` follow them; they are not shortened.
    """
    around = [(start, end) for end in ends or [""] * len(names)]
    lines, fits = _wrapped_to(None, names, around, inches, n_lines, font_size)
    if fits or n_kept is None:
        return lines if fits else None
    lines, fits = _wrapped_to(n_kept, names, around, inches, n_lines, font_size)
    if not fits:
        return None
    lines = shortened(names, inches, n_lines, font_size, start=start, ends=ends, n_kept=n_kept)
    # Names must differ by themselves, and not just by what follows them.
    stems = {
        "".join(line.split()).removesuffix("".join(end.split()))
        for line, (_, end) in zip(lines, around, strict=True)
    }
    return lines if len(stems) == len(set(names)) else None


def shortened(
    names: Sequence[str],
    inches: float,
    n_lines: int,
    font_size: float,
    *,
    start: str = "",
    ends: Sequence[str] = (),
    n_kept: int = 1,
) -> list[str]:
    """Break names into lines like `fitted`, shortened as much as necessary.

    At least `n_kept` characters remain, even if they do not fit.
    """
    around = [(start, end) for end in ends or [""] * len(names)]
    shortest, longest = n_kept, max(n_kept, min(max(map(len, names)), _LONGEST))
    # Complete names may fit where shorter ones do not, because of the ellipsis.
    lines, fits = _wrapped_to(longest, names, around, inches, n_lines, font_size)
    if fits:
        return lines
    lines, _ = _wrapped_to(shortest, names, around, inches, n_lines, font_size)
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        found, fits = _wrapped_to(middle, names, around, inches, n_lines, font_size)
        if fits:
            shortest, lines = middle, found
        else:
            longest = middle - 1
    return lines


def _wrapped_to(
    length: int | None,
    names: Sequence[str],
    around: Sequence[tuple[str, str]],
    inches: float,
    n_lines: int,
    font_size: float,
) -> tuple[list[str], bool]:
    """Return the lines of names of at most some length, and whether they fit."""
    short = list(names) if length is None else cut_names(list(names), length)
    texts = (start + name + end for name, (start, end) in zip(short, around, strict=True))
    lines = wrapped(texts, inches, font_size)
    most = max(text.count("\n") + 1 for text in lines)
    return lines, most <= n_lines and width(lines, font_size) <= inches


def _lines(name: str, limit: float) -> Iterator[str]:
    line = ""
    for space, word in _WORD.findall(name):
        longer = f"{line} {word}" if space and line else line + word
        if line and _width(longer) > limit:
            yield line
            longer = word
        line = longer
    yield line


def _width(text: str) -> float:
    """Return the width of a line in units of the font size."""
    import matplotlib as mpl

    families = mpl.rcParams["font.family"]
    fonts = tuple(
        name for family in families for name in mpl.rcParams.get(f"font.{family}", [family])
    )
    # Texts on screens are a little wider, since their glyphs are aligned with pixels.
    return 1.02 * sum(_character_width(character, fonts) for character in text)


@lru_cache(maxsize=4096)
def _character_width(character: str, fonts: tuple[str, ...]) -> float:  # noqa: ARG001
    """Return the width in units of the font size, with the user's fonts as the cache's key."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=100)
    alone, between = (
        text_to_path.get_text_width_height_descent(text, font, False)[0]
        for text in ("xx", f"x{character}x")
    )
    return float(between - alone) / 100
