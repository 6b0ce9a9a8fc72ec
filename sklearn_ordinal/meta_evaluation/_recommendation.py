"""The criteria that meet needs, with reasons, and what errors cost by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ByMetric, MetricLike, amount_as_text, is_several
from sklearn_ordinal.documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    Views,
    plain,
)
from sklearn_ordinal.meta_evaluation._error_losses import shares_of_worst
from sklearn_ordinal.plotting import ErrorCostDisplay

_JUDGED = {
    "labels": "predicted classes",
    "probabilities": "probabilities",
    "scores": "scores",
}
# Criteria whose costs are shown unless others are asked for.
_MOST_SHOWN = 6
# Kinds of error that are shown without details.
_MOST_ERRORS = 20
# Classes with longer names are numbered in tables of errors, whose rows text may have to cut.
_LONGEST_NAME = 10


@dataclass(frozen=True, eq=False)
class MetricRecommendation(Views):
    """Criteria that meet given needs, and what each error costs by them.

    `recommend_metrics` returns one. Criteria that meet more of the needs come first.

    Parameters
    ----------
    needs : tuple of str
        The needs.
    metrics : tuple of str
        Names of the criteria, those that meet more needs first.
    labels : tuple of str
        Names of the classes, from the lowest to the highest.
    class_counts : ndarray of shape (n_classes,)
        Number, or weight, of the samples of each class.
    evidence : tuple of str
        What each criterion judges: "labels", "probabilities" or "scores".
    meets : ndarray of shape (n_metrics, n_needs)
        Whether each criterion meets each need.
    reasons : tuple of tuple of str
        The fact that decides whether a criterion meets a need, for each criterion and need.
    losses : ndarray of shape (n_metrics, n_classes, n_classes)
        What the value of each criterion loses if one sample of a true class (rows) is
        predicted as another class (columns) and all others are right, in the unit of the
        criterion. NaN where it is undefined or the class has no samples.
    notes : tuple of str
        What to know about the classes.

    Attributes
    ----------
    recommended : tuple of str
        Names of the criteria that meet every need.
    shown : tuple of str
        Names of the criteria whose costs are shown: up to six of those that miss the fewest needs.
    missed : dict of tuple of str
        The needs that each criterion misses.
    costs : ndarray of shape (n_metrics, n_classes, n_classes)
        The losses as shares of the largest by the same criterion; 0 if no error costs anything.

    See Also
    --------
    recommend_metrics : From the classes of the samples.
    sklearn_ordinal.plotting.ErrorCostDisplay : The plot of the costs.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import recommend_metrics
    >>> found = recommend_metrics([0, 0, 0, 0, 1, 1, 2], needs=["order only", "small classes"])
    >>> found.recommended
    ('cem_ord',)
    >>> found.missed["accuracy"]
    ('order only', 'small classes')
    >>> found.costs[0].round(2)
    array([[0.  , 0.4 , 0.51],
           [0.6 , 0.  , 0.4 ],
           [1.  , 0.6 , 0.  ]])
    """

    needs: tuple[str, ...]
    metrics: tuple[str, ...]
    labels: tuple[str, ...]
    class_counts: NDArray[Any]
    evidence: tuple[str, ...]
    meets: NDArray[np.bool_]
    reasons: tuple[tuple[str, ...], ...]
    losses: NDArray[np.float64]
    notes: tuple[str, ...]

    @property
    def recommended(self) -> tuple[str, ...]:
        """Names of the criteria that meet every need."""
        return self._missing(0)

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the criteria whose costs are shown: those that miss the fewest needs."""
        return self._missing(self._least)[:_MOST_SHOWN]

    @property
    def missed(self) -> dict[str, tuple[str, ...]]:
        """The needs that each criterion misses."""
        return {
            name: tuple(need for need, is_met in zip(self.needs, row, strict=True) if not is_met)
            for name, row in zip(self.metrics, self.meets, strict=True)
        }

    @property
    def costs(self) -> NDArray[np.float64]:
        """The losses as shares of the largest by the same criterion."""
        return shares_of_worst(self.losses)

    def plot(
        self, ax: Any = None, *, metrics: MetricLike | Iterable[MetricLike] | None = None
    ) -> ErrorCostDisplay:
        """Draw the costs of errors by several criteria side by side.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        metrics : str, callable or iterable of them, default=None
            The criteria, out of those of the recommendation. If None, those that meet every
            need, or else the most needs, up to six.

        Returns
        -------
        ErrorCostDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If ``metrics`` is empty, or has criteria twice or that are not in the recommendation.
        """
        names: Sequence[str] = self.shown
        if metrics is not None:
            known = ByMetric(dict.fromkeys(self.metrics))
            several: Any = metrics if is_several(metrics) else [metrics]
            names = [known.name_of(metric, "metrics") for metric in several]
            repeated = [name for name in names if names.count(name) > 1]
            if not names or repeated:
                found = f"{repeated[0]!r} more than once" if repeated else "none"
                raise ValueError(
                    f"metrics must name at least one criterion, and each once, got {found}."
                )
        costs = dict(zip(self.metrics, self.costs, strict=True))
        return ErrorCostDisplay(
            {name: costs[name] for name in names}, target_names=self.labels
        ).plot(ax)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The criteria with reasons, the costs of errors as a table and as plots, and all
            other criteria as a detail.
        """
        first, title = self._missing(self._least), "Criteria that meet the most needs"
        if self._least == 0 and len(self.needs) > 1:
            first += self._missing(1)
            title = "Criteria that meet every need, and those that miss one"
        others = [name for name in self.metrics if name not in first]
        parts: list[Part] = [Note(self._summary()), *map(Note, self.notes)]
        parts += self._reasoned(title, first)
        parts.append(self._costs())
        if others:
            reasoned = self._reasoned("Criteria that miss more needs", others)
            parts.append(Section("Other criteria", tuple(reasoned), is_detail=True))
        return Document("Recommended criteria", tuple(parts), digits=2, hint=self._hint())

    def _missing(self, n_missed: int) -> tuple[str, ...]:
        """Return the names of the criteria that miss a number of needs."""
        return tuple(name for name, missed in self.missed.items() if len(missed) == n_missed)

    @property
    def _least(self) -> int:
        """The least number of needs that a criterion misses."""
        return int((~self.meets[0]).sum())

    def _hint(self) -> str:
        if set(self.evidence) != {"labels"}:
            return ""
        return (
            "The need 'probabilities' adds criteria of probabilities; metrics= takes those of "
            "scores, and your own."
        )

    def _summary(self) -> str:
        sizes = ", ".join(
            f"{label} ({amount_as_text(size)})"
            for label, size in zip(self.labels, self.class_counts.tolist(), strict=True)
        )
        found = ", ".join(self.recommended)
        which = "every need" if len(self.needs) > 1 else "the need"
        verdict = f"These meet {which}: {found}." if found else f"No criterion meets {which}."
        return f"Needs: {', '.join(self.needs)}. Sizes of the classes: {sizes}. {verdict}"

    def _reasoned(self, title: str, names: Sequence[str]) -> list[Part]:
        return [self._table(title, names), *map(Note, self._reasons(names))]

    def _table(self, title: str, names: Sequence[str]) -> Table:
        is_mixed = len(set(self.evidence)) > 1
        rows: list[Row] = []
        for name in names:
            position = self.metrics.index(name)
            error, loss = self._worst(position)
            met = ("yes" if is_met else "no" for is_met in self.meets[position])
            judged = (_JUDGED[self.evidence[position]],) if is_mixed else ()
            rows.append((name, *met, *judged, loss, error))
        columns = (
            Column("criterion"),
            *map(Column, self.needs),
            *((Column("judges", is_detail=True),) if is_mixed else ()),
            Column("loss by the worst error", "number", digits=4, is_detail=True),
            Column("the worst error", is_detail=True),
        )
        return Table(title, columns, tuple(rows))

    def _reasons(self, names: Sequence[str]) -> Iterator[str]:
        """Yield why criteria meet or miss the needs, once for all with the same reasons.

        If a criterion meets every need, what others meet is not repeated.
        """
        groups: dict[tuple[tuple[bool, str, str], ...], list[str]] = {}
        for name in names:
            position = self.metrics.index(name)
            meets = self.meets[position].tolist()
            is_all_said = self._least > 0 or all(meets)
            findings = tuple(
                finding
                for finding in zip(meets, self.needs, self.reasons[position], strict=True)
                if is_all_said or not finding[0]
            )
            groups.setdefault(findings, []).append(name)
        for findings, group in groups.items():
            meet, miss = ("meets", "misses") if len(group) == 1 else ("meet", "miss")
            said = (
                f"{meet if is_met else miss} '{need}' ({reason})"
                for is_met, need, reason in findings
            )
            yield f"{', '.join(group)}: {'; '.join(said)}."

    def _worst(self, position: int) -> tuple[str, float]:
        """Return the error that costs most by a criterion, and its loss."""
        losses = np.where(np.eye(len(self.labels), dtype=bool), np.nan, self.losses[position])
        if np.isnan(losses).all():
            return "", np.nan
        true, predicted = np.unravel_index(np.nanargmax(losses), losses.shape)
        return _error(self.labels[true], self.labels[predicted]), float(losses[true, predicted])

    def _costs(self) -> Section:
        shown, names = self.shown, self.labels
        parts: list[Part] = []
        if max(map(len, names)) > _LONGEST_NAME:
            names = tuple(str(position) for position in range(1, len(names) + 1))
            key = ", ".join(f"{a} = {b}" for a, b in zip(names, self.labels, strict=True))
            parts.append(Note(f"Classes: {key}."))
        errors = [_error(true, predicted) for true, predicted in permutations(names, 2)]
        costs = self._costs_of_errors(shown).tolist()
        rows = [(error, *row) for error, row in zip(errors, costs, strict=True)]
        table = Table(
            "Cost of one error (true class as predicted class) while all else is right, as a share "
            "of the worst by the same criterion",
            (Column("error"), *(Column(name, "number") for name in shown)),
            tuple(rows),
        )
        worst = [(name, *self._worst(self.metrics.index(name))) for name in shown]
        description = "; ".join(
            f"{name} {error} ({loss:.3g})" if error else f"{name} undefined"
            for name, error, loss in worst
        )
        figure = Figure(
            self.plot,
            "Cost of one error as a share of the worst by the same criterion",
            f"The worst error of each criterion, and what its value loses: {description}",
        )
        parts.append(table)
        if len(rows) > _MOST_ERRORS:
            parts = [Section("Table", tuple(parts), is_detail=True)]
        return Section("Cost of each error", (figure, *parts))

    def _costs_of_errors(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return the costs of each error (rows) by each criterion."""
        positions = [self.metrics.index(name) for name in names]
        is_error = ~np.eye(len(self.labels), dtype=bool)
        found: NDArray[np.float64] = self.costs[positions][:, is_error].T
        return found

    def _records(self) -> list[dict[str, Any]]:
        numbers = self.to_dict()["criteria"]
        return [
            {
                "criterion": name,
                "class": true,
                "predicted": predicted,
                "loss": numbers[name]["losses"][true][predicted],
                "cost": numbers[name]["costs"][true][predicted],
            }
            for name in self.metrics
            for true, predicted in permutations(self.labels, 2)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "needs" and "recommended" lists of names; "class_counts" a dict of numbers; "notes"
            a list of sentences; "criteria" a dict by name of dicts with "evidence", "meets" and
            "reasons" by need, and "losses" and "costs" by true and predicted class; None where
            undefined.
        """
        criteria = {}
        for i, (name, costs) in enumerate(zip(self.metrics, self.costs, strict=True)):
            criteria[name] = {
                "evidence": self.evidence[i],
                "meets": dict(zip(self.needs, self.meets[i].tolist(), strict=True)),
                "reasons": dict(zip(self.needs, self.reasons[i], strict=True)),
                "losses": self._by_class(self.losses[i]),
                "costs": self._by_class(costs),
            }
        numbers: dict[str, Any] = plain(
            {
                "needs": list(self.needs),
                "class_counts": dict(zip(self.labels, self.class_counts.tolist(), strict=True)),
                "recommended": list(self.recommended),
                "notes": list(self.notes),
                "criteria": criteria,
            }
        )
        return numbers

    def _by_class(self, matrix: NDArray[np.float64]) -> dict[str, dict[str, float]]:
        return {
            label: dict(zip(self.labels, row, strict=True))
            for label, row in zip(self.labels, matrix.tolist(), strict=True)
        }


def _error(true: str, predicted: str) -> str:
    return f"{true} as {predicted}"
