"""How often samples without codes for missing values lead to a warning about such codes.

Run ``python benchmarks/missing_codes.py`` from the checkout. It takes a minute. For each scale, it
finds the class shares and the number of samples with the most warnings, and prints the share of
further samples like these with a warning, which is to be at most 1%. The last lines show how often
codes in 5% of 400 samples of five classes are found.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core.scales import codes_and_others, may_have_codes

# The lowest class and the number of classes.
SCALES = (
    *((1, n_classes) for n_classes in (5, 7, 9, 10, 11, 21, 101)),
    *((0, n_classes) for n_classes in (5, 7, 10, 11, 21, 101)),
    *((-(n_classes // 2), n_classes) for n_classes in (5, 7, 11)),
)
SAMPLE_SIZES = (10, 12, 15, 20, 30, 50, 100, 200, 400, 1_000)
N_DRAWS, N_FURTHER_DRAWS = 1_000, 20_000


def class_shares(n_classes: int) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield class shares: uniform, skewed to either end, peaked, at both ends, round numbers."""
    k = np.arange(n_classes)
    place = k / (n_classes - 1)
    yield "uniform", np.ones(n_classes)
    for ratio in (0.2, 0.4, 0.6, 0.8):
        yield f"geometric {ratio}", ratio**k
        yield f"geometric {ratio}, reversed", ratio ** k[::-1]
    for mean in (0, 0.2, 0.5, 0.8, 1):
        for width in (0.05, 0.1, 0.3):
            yield f"normal {mean}, {width}", np.exp(-(((place - mean) / width) ** 2) / 2)
    yield "both ends", np.exp(-10 * np.minimum(place, 1 - place))
    for part in (0.01, 0.05, 0.2):
        skewed = 0.4**k / (0.4**k).sum()
        yield f"low, {part} anywhere", (1 - part) * skewed + part / n_classes
        yield f"high, {part} anywhere", (1 - part) * skewed[::-1] + part / n_classes
    heaps = np.where(k % 10 == 0, 5, np.where(k % 5 == 0, 2, 0.2))
    yield "round numbers", heaps
    yield "low round numbers", heaps * np.exp(-place / 0.15)


def share_with_warning(
    lowest: int, n_samples: int, shares: NDArray[np.float64], rng: np.random.Generator, n_draws: int
) -> float:
    """Return the share of samples without codes that lead to a warning."""
    drawn = rng.multinomial(n_samples, shares / shares.sum(axis=-1, keepdims=True), size=n_draws)
    n_found = 0
    for sizes in drawn:
        (occurring,) = sizes.nonzero()
        if may_have_codes(int(lowest + occurring[0]), int(lowest + occurring[-1])):
            n_found += bool(codes_and_others(lowest, sizes[None])[0])
    return n_found / n_draws


def largest_share(
    lowest: int, n_classes: int, n_draws: int, n_further_draws: int
) -> tuple[float, str]:
    """Return the share of samples with a warning where it is largest, and where that is."""
    rng = np.random.default_rng([lowest % 1_000, n_classes])
    designs: dict[str, NDArray[np.float64]] = dict(class_shares(n_classes))
    designs["random"] = rng.dirichlet(np.ones(n_classes), n_draws)
    _, n_samples, name = max(
        (share_with_warning(lowest, n_samples, shares, rng, n_draws), n_samples, name)
        for n_samples in SAMPLE_SIZES
        for name, shares in designs.items()
    )
    if name == "random":
        designs[name] = rng.dirichlet(np.ones(n_classes), n_further_draws)
    # The largest of many estimates is too large, so estimate it again.
    again = share_with_warning(lowest, n_samples, designs[name], rng, n_further_draws)
    return again, f"{name}, n = {n_samples}"


def share_found(code: int, n_samples: int = 400, part: float = 0.05, n_draws: int = 200) -> float:
    """Return how often a code is found in a part of the samples of five classes."""
    rng, lowest, n_found = np.random.default_rng(0), min(code, 1), 0
    for _ in range(n_draws):
        grades = rng.choice([1, 2, 3, 4, 5], n_samples, p=[0.1, 0.2, 0.3, 0.3, 0.1])
        grades[rng.random(n_samples) < part] = code
        n_found += codes_and_others(lowest, np.bincount(grades - lowest)[None])[0] == [code]
    return n_found / n_draws


if __name__ == "__main__":
    for lowest, n_classes in SCALES:
        share, where = largest_share(lowest, n_classes, N_DRAWS, N_FURTHER_DRAWS)
        print(f"{lowest} to {lowest + n_classes - 1}: {share:.2%} ({where})")
    for code in (99, 999, -99, -100, 9, -1):
        print(f"{code} in 5% of 400 samples: found in {share_found(code):.0%}")
