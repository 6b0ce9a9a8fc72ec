"""Draw the questions that lead to a criterion, and write them as text, for docs/guide/which.rst."""

from __future__ import annotations

import textwrap
from html import escape
from pathlib import Path
from typing import NamedTuple

HERE = "../generated/sklearn_ordinal.metrics."
SCIKIT_LEARN = "https://scikit-learn.org/stable/modules/generated/sklearn.metrics."


class Criterion(NamedTuple):
    """An end of the tree."""

    name: str
    role: str
    address: str
    right: str
    family: str


class Question(NamedTuple):
    """A question, and the criterion or the question that follows each answer."""

    text: str
    yes: Criterion | Question
    no: Criterion | Question


def _ours(name: str, function: str, family: str, right: str) -> Criterion:
    role = f"`{name} <sklearn_ordinal.metrics.{function}>`"
    return Criterion(name, role, f"{HERE}{function}.html", right, family)


def _theirs(name: str, function: str, family: str, right: str) -> Criterion:
    role = f"`{name} <sklearn.metrics.{function}>`"
    return Criterion(name, role, f"{SCIKIT_LEARN}{function}.html", right, family)


TREE = Question(
    "Could the classes be listed in any order?",
    Question(
        "Does every class count the same, however small it is?",
        _theirs(
            "macro F1",
            "f1_score",
            "accuracies",
            "every class has the same weight. It ignores the order, as accuracy does.",
        ),
        _theirs(
            "accuracy",
            "accuracy_score",
            "accuracies",
            "all errors are equally bad. A constant prediction reaches the share of a class.",
        ),
    ),
    Question(
        "Are probabilities used as such, as in forecasts of risk?",
        _ours(
            "ranked probability score",
            "ranked_probability_score",
            "probabilities",
            "probabilities are judged, not classes. The true ones have the best expected value.",
        ),
        Question(
            "Is only the ranking of the samples used?",
            _ours(
                "concordance",
                "concordance_score",
                "rankings",
                "scores only sort the samples, as in triage. It does not notice scores that are "
                "all too high.",
            ),
            Question(
                "Do two raters grade, and neither is the truth?",
                _ours(
                    "quadratic weighted kappa",
                    "quadratic_weighted_kappa_score",
                    "kappas",
                    "agreement beyond chance is asked for, and gross disagreement is much worse "
                    "than small disagreement. If one side is the truth, correcting a prediction "
                    "can lower it.",
                ),
                Question(
                    "Are all steps between neighbouring classes equally large?",
                    _ours(
                        "mean absolute error",
                        "ordinal_mean_absolute_error",
                        "distances",
                        "an error of two classes is twice as bad as an error of one, as with stars "
                        "that are averaged. Errors in small classes hardly change it.",
                    ),
                    Question(
                        "Are values compared between data with other class sizes?",
                        _ours(
                            "macro-averaged mean absolute error",
                            "macro_averaged_mean_absolute_error",
                            "distances",
                            "class sizes must not matter. It takes all steps as equally large.",
                        ),
                        _ours(
                            "CEM_ORD",
                            "cem_ord_score",
                            "closeness",
                            "only the order is known, errors in small classes cost more, and "
                            "systems are compared on the same samples. A gross error may cost less "
                            "than several small ones.",
                        ),
                    ),
                ),
            ),
        ),
    ),
)

WIDTH, INDENT, MARGIN = 400, 62, 4
LINE, PADDING, GAP = 19, 8, 16
# The second link of a criterion, below its box.
SECOND, SECOND_HEIGHT, SECOND_WIDTH = "formula and example", 26, 155
# Characters of the widest box, and fewer for each step to the right.
COLUMNS, COLUMNS_PER_INDENT = 50, 8


def write(directory: Path) -> None:
    """Write the tree as SVG for a page in HTML, and as a list in reStructuredText."""
    directory.mkdir(exist_ok=True)
    (directory / "decision_tree.html").write_text(svg(), encoding="utf-8")
    (directory / "decision_tree.rst").write_text(as_list(TREE), encoding="utf-8")


def as_list(node: Criterion | Question) -> str:
    """Return a numbered list of the questions, each with what follows its answers."""
    items = []
    while isinstance(node, Question):
        items += [f"#. *{node.text}*", "", f"   - Yes: {_outcome(node.yes)}"]
        if isinstance(node.no, Criterion):
            items.append(f"   - No: {_outcome(node.no)}")
        items.append("")
        node = node.no
    return "\n".join(items)


def _outcome(node: Criterion | Question) -> str:
    if isinstance(node, Criterion):
        right = f"{node.role}. It is right if {node.right}"
        return f"{right} More: :doc:`{node.family} <families/{node.family}>`."
    return "the next question is\n\n" + textwrap.indent(as_list(node), " " * 5)


def svg() -> str:
    """Return the tree as SVG, in which each criterion and its family are links."""
    parts: list[str] = []
    height = _draw(parts, TREE, 0, MARGIN)
    return (
        f'<svg class="decision-tree" xmlns="http://www.w3.org/2000/svg" role="group"\n'
        f'  aria-label="Questions that lead to a criterion"\n'
        f'  viewBox="0 0 {WIDTH} {height + MARGIN}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _draw(parts: list[str], node: Criterion | Question, depth: int, top: int) -> int:
    """Draw a node and what follows below it, and return where it ends."""
    left = MARGIN + depth * INDENT
    label = node.text if isinstance(node, Question) else node.name
    lines = textwrap.wrap(label, COLUMNS - COLUMNS_PER_INDENT * depth)
    bottom = top + LINE * len(lines) + 2 * PADDING
    size = f'width="{WIDTH - MARGIN - left}" height="{bottom - top}"'
    box = f'<rect x="{left}" y="{top}" {size} rx="6"/>'
    words = "".join(
        f'<text x="{left + 10}" y="{top + PADDING + LINE * row + 14}">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    if isinstance(node, Criterion):
        parts += [
            f'<a class="criterion" href="{node.address}" aria-label="{node.name}">{box}{words}</a>',
            f'<a class="family" href="families/{node.family}.html" '
            f'aria-label="{SECOND} of {node.name}">'
            f'<rect x="{left}" y="{bottom}" width="{SECOND_WIDTH}" '
            f'height="{SECOND_HEIGHT}" rx="6"/>'
            f'<text x="{left + 10}" y="{bottom + 18}">{SECOND}</text></a>',
        ]
        return bottom + SECOND_HEIGHT
    parts.append(f'<g class="question">{box}{words}</g>')
    end, line = bottom, left + 20
    for answer, follows in (("yes", node.yes), ("no", node.no)):
        # A question after "no" is below its question, everything else is to the right of it.
        is_below = answer == "no" and isinstance(follows, Question)
        start = end + GAP
        middle = start if is_below else start + LINE // 2 + PADDING
        parts.append(
            f'<path d="M{line} {bottom} V{middle}{"" if is_below else f" h{INDENT - 20}"}"/>'
        )
        parts.append(f'<text class="answer" x="{line + 5}" y="{middle - 4}">{answer}</text>')
        end = _draw(parts, follows, depth + (not is_below), start)
    return end
