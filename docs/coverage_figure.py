"""Draw how often intervals cover the true value, from a table of docs/guide/coverage.rst."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

TABLE = Path(__file__).parent / "guide" / "coverage.txt"
SIZES = [30, 80, 300, 1000]
NAMED = {
    "cem_ord": "o-",
    "quadratic_weighted_kappa": "s-",
    "macro_averaged_mean_absolute_error": "^-",
    "minimum_sensitivity": "D-",
}


def read() -> dict[str, dict[str, float]]:
    """Return the coverage of the default method of each metric, in percent, by setting."""
    _, first, *_ = TABLE.read_text(encoding="utf-8").split(".. list-table::")
    settings, *rows = (
        re.findall(r"(?<=- ).+", row) for row in re.split(r"^   \* ", first, flags=re.M)[1:]
    )
    return {
        name: {
            setting: float(re.findall(r"\*\*([\d.]+)\*\*", cell)[0])
            for setting, cell in zip(settings[1:], cells, strict=True)
        }
        for name, *cells in rows
    }


def write(directory: Path) -> None:
    """Write a panel for each distribution of the classes, with a line for each metric."""
    coverage = read()
    figure = Figure(figsize=(5.2, 6), layout="constrained")
    axes = figure.subplots(2, 1, sharex=True)
    for ax, distribution in zip(axes, ("even", "skewed"), strict=True):
        lines = {
            name: [of_metric[f"{distribution}, {size}"] for size in SIZES]
            for name, of_metric in coverage.items()
        }
        for name, line in lines.items():
            if name not in NAMED:
                ax.plot(SIZES, line, color="silver", linewidth=0.8)
        for name, style in NAMED.items():
            ax.plot(SIZES, lines[name], style, label=name)
        ax.axhline(95, color="black", linestyle=":")
        ax.set(title=f"{distribution} classes", ylabel="coverage in percent", ylim=(35, 100))
    axes[1].set(xscale="log", xlabel="samples", xticks=SIZES, xticklabels=SIZES)
    axes[1].minorticks_off()
    axes[1].legend(loc="lower right", fontsize="small")
    directory.mkdir(exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "coverage"}):
        figure.savefig(directory / "coverage.svg", metadata={"Date": None})
