"""Draw the figure of the README: two graders with the same accuracy.

``python docs/two_graders.py`` writes it to ``docs/_static/two_graders.svg``.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.metrics import accuracy_score

from sklearn_ordinal.metrics import cem_ord_score
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

FIGURE = Path(__file__).parent / "_static" / "two_graders.svg"
GRADES = ["poor", "fair", "good", "excellent"]
Y_TRUE = ["poor"] * 3 + ["fair"] * 4 + ["good"] * 3 + ["excellent"] * 2
GRADERS = {
    "First grader": ["fair", *Y_TRUE[1:6], "good", *Y_TRUE[7:11], "good"],
    "Second grader": ["excellent", *Y_TRUE[1:6], "excellent", *Y_TRUE[7:11], "poor"],
}


def draw(path: Path) -> None:
    """Write the confusion matrices of both graders, with their accuracy and CEM_ORD."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained", facecolor="white")
    for ax, (name, y_pred) in zip(axes, GRADERS.items(), strict=True):
        OrdinalConfusionMatrixDisplay.from_predictions(Y_TRUE, y_pred, labels=GRADES, ax=ax)
        accuracy = accuracy_score(Y_TRUE, y_pred)
        cem = cem_ord_score(Y_TRUE, y_pred, labels=GRADES)
        title = f"{name}: accuracy {accuracy:.2f}, CEM_ORD {cem:.2f}"
        ax.set_title(title, fontsize="medium")
    with plt.rc_context({"svg.hashsalt": "two graders"}):
        figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)


if __name__ == "__main__":
    draw(FIGURE)
