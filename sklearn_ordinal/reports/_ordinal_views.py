"""The views of the report of one confusion matrix: its document, dict and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    METRICS,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    amount_as_text,
    metrics_of,
    n_unanswered,
    threshold_names,
)
from sklearn_ordinal.documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    cell_text,
    plain,
    plural,
)
from sklearn_ordinal.metrics import closeness_losses
from sklearn_ordinal.reports._criteria import is_of_labels
from sklearn_ordinal.reports._plots import ConfusionPlots, ForecastPlots
from sklearn_ordinal.reports._prevalence import notes_on_prevalence
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._saved import SavedViews
from sklearn_ordinal.reports._sections import (
    classes_table,
    confusion_figure,
    criteria_table,
    direction_as_text,
    errors_figure,
    n_left_out,
    samples_in_words,
    unanswered_as_text,
    unanswered_parts,
)
from sklearn_ordinal.reports._thresholds import thresholds_table

# Wider tables, and plots with more curves, are hard to read.
_MOST_CLASSES_SHOWN = 12
_NOT_FOR_CLASSES = {
    "accuracy",
    "macro avg",
    "weighted avg",
    "criteria",
    "thresholds",
    "unanswered",
    "answered",
    "of_answered",
    "prevalence",
}


class OrdinalReportViews(ConfusionPlots, ForecastPlots, SavedViews):
    """Views of the numbers of an `OrdinalReport`, which has these attributes."""

    confusion: OrdinalConfusion
    target_names: tuple[str, ...]
    per_class: Mapping[str, NDArray[Any]]
    averages: Mapping[str, Mapping[str, float]]
    criteria: Mapping[str, float]
    metrics: Mapping[str, OrdinalMetric]
    digits: int
    forecasts: OrdinalForecasts | None
    per_threshold: Mapping[str, NDArray[Any]]
    prevalence: NDArray[np.float64] | None
    provenance: Provenance | None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    def __repr__(self) -> str:
        values = (f"{name}={value:.{self.digits}f}" for name, value in self.criteria.items())
        facts = [f"{self.n_classes} {plural(self.n_classes, 'class')}", *islice(values, 1)]
        if n_unanswered(self.confusion):
            shown = islice(self.metrics.values(), 1)
            left_out = any(n_left_out(metric, self.confusion) for metric in shown)
            facts.append(unanswered_as_text(self.confusion) + (" left out" if left_out else ""))
        return f"OrdinalReport({', '.join(facts)})"

    def losses(self) -> NDArray[np.float64]:
        """Return where CEM_ORD is lost: the share that the samples of each cell lose.

        They add up to 1 - CEM_ORD, and each is the number of samples times their cost by
        `closeness_costs`, divided by what perfect predictions earn.

        Returns
        -------
        ndarray of shape (n_classes, n_classes) or (n_classes, n_classes + 1)
            Losses in [0, 1], rows true, columns predicted: 0 on the diagonal. If the
            confusion counts the samples without a prediction, the last column is what
            they lose.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalReport
        >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
        >>> report.losses().round(3)
        array([[0.   , 0.   , 0.   ],
               [0.   , 0.   , 0.126],
               [0.   , 0.126, 0.   ]])
        """
        return closeness_losses(self.confusion.counts, self.confusion.unanswered)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The classes, the criteria, the thresholds if there are probabilities, and plots.
        """
        n_missing = n_unanswered(self.confusion)
        summary = samples_in_words(
            self.confusion.counts.sum().item() + n_missing,
            self.target_names,
            is_weighted=self.confusion.is_weighted,
            n_samples=self.confusion.n_samples,
            which=f" ({amount_as_text(n_missing)} unanswered)" if n_missing else "",
        )
        return Document(
            "Ordinal report",
            (
                Note(summary),
                *notes_on_prevalence(self.prevalence, self.target_names),
                *report_tables(self),
                *self._losses_parts(),
                *self._figures(),
            ),
            digits=self.digits,
            footer=footer(self.provenance),
            hint=self._hint(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers in the layout of `classification_report`.

        Returns
        -------
        dict
            For each class name, "macro avg" and "weighted avg" a dict of the measures, for
            classes with weights also "n_samples";
            "accuracy" a float; "criteria" a dict of floats. If there are probabilities,
            also "thresholds", for each threshold a dict of its measures. If the
            confusion counts the samples without a prediction, also "unanswered", their
            number, "answered", that of the others, and "of_answered", a list of the
            criteria that are values of the answered only, like accuracy and the measures
            of the classes. "prevalence", a list of the shares of the true
            classes, if all values are at these. None where undefined.

        Raises
        ------
        ValueError
            If a class has the name of another key.
        """
        clashing = sorted(_NOT_FOR_CLASSES.intersection(self.target_names))
        if clashing:
            raise ValueError(
                f"target_names must differ from the other keys of the dict, got "
                f"{', '.join(clashing)}: rename the class, or use to_frame."
            )
        numbers: dict[str, Any] = plain(
            {
                **_by_name(self.target_names, {**self.per_class, **self._class_sizes()}),
                "accuracy": self._accuracy,
                **self.averages,
                "criteria": dict(self.criteria),
                **self._thresholds(),
                **self._unanswered(),
                **({} if self.prevalence is None else {"prevalence": self.prevalence}),
            }
        )
        return numbers

    def _class_sizes(self) -> dict[str, NDArray[np.int64]]:
        """Return the number of answered samples of each class if their support is a weight."""
        numbers = self.confusion.sample_counts
        return {} if numbers is None else {"n_samples": numbers[:, :-1].sum(axis=1)}

    @property
    def _accuracy(self) -> float:
        """Share of the predictions that are correct."""
        return float(METRICS["accuracy"](self.confusion))

    def _plotted(self) -> OrdinalReportViews:
        return self

    def _losses_parts(self) -> tuple[Section, ...]:
        losses = self.losses()
        if not losses.any() or self.n_classes > _MOST_CLASSES_SHOWN:
            return ()
        predicted = [*self.target_names, "unanswered"][: losses.shape[1]]
        columns = (
            Column("true"),
            *(Column(name, "number", digits=self.digits + 1) for name in predicted),
        )
        rows = zip(self.target_names, *losses.T.tolist(), strict=True)
        note = Note(
            "Share of CEM_ORD that the samples of each true class (row) lose by being predicted "
            "as each class (column). The shares add up to 1 - cem_ord."
        )
        table = Table("Losses of closeness", columns, tuple(rows))
        return (Section("Where closeness is lost", (note, table), is_detail=True),)

    def _figures(self) -> tuple[Figure, ...]:
        if not self.confusion.counts.any():
            return ()
        return (
            confusion_figure(self.confusion, self.target_names),
            errors_figure(self.confusion, self.target_names),
            *self._figures_of_thresholds(),
        )

    def _figures_of_thresholds(self) -> tuple[Figure, ...]:
        if self.forecasts is None or not 1 < self.n_classes <= _MOST_CLASSES_SHOWN:
            return ()
        areas, miscalibrations = (
            "; ".join(
                f"{name} {cell_text(value, Column(measure, 'number'), self.digits + 1)}"
                for name, value in zip(
                    threshold_names(self.target_names),
                    self.per_threshold[measure].tolist(),
                    strict=True,
                )
            )
            for measure in ("roc_auc", "miscalibration")
        )
        return (
            Figure(self.plot_roc, "ROC curves of the thresholds", f"Areas: {areas}"),
            Figure(
                # With a seed, so that a page is the same each time it is written.
                partial(self.plot_calibration, random_state=0, n_resamples=200),
                "Calibration at the thresholds",
                f"Miscalibration: {miscalibrations}",
            ),
        )

    def _hint(self) -> str:
        computable = metrics_of("labels") if self.forecasts is None else METRICS
        is_complete = computable.keys() <= self.metrics.keys()
        return "" if is_complete else 'Pass metrics="all" to see every criterion.'

    def _thresholds(self) -> dict[str, Any]:
        if not self.per_threshold:
            return {}
        names = threshold_names(self.target_names)
        return {"thresholds": _by_name(names, self.per_threshold)}

    def _unanswered(self) -> dict[str, Any]:
        if self.confusion.unanswered is None:
            return {}
        return {
            "unanswered": n_unanswered(self.confusion),
            "answered": self.confusion.counts.sum().item(),
            "of_answered": [
                name for name, metric in self.metrics.items() if n_left_out(metric, self.confusion)
            ],
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion, then for each measure of a class or threshold."""
        of_classes = [
            {"criterion": measure, "class": name, "value": value}
            for measure, values in self.per_class.items()
            for name, value in zip(self.target_names, values.tolist(), strict=True)
        ]
        of_averages = [
            {"criterion": measure, "class": name, "value": value}
            for name, average in self.averages.items()
            for measure, value in average.items()
        ]
        measures = [*of_classes, *of_averages]
        criteria = [self._record_of_criterion(name) for name in self.criteria]
        n_missing = n_unanswered(self.confusion)
        if n_missing:
            for record in measures:
                record["n_left_out"] = n_missing
            for record in criteria:
                metric = self.metrics[record["criterion"]]
                record["n_left_out"] = n_left_out(metric, self.confusion)
        return [*criteria, *measures, *self._records_of_thresholds()]

    def _record_of_criterion(self, name: str) -> dict[str, Any]:
        lowest, highest = self.metrics[name].bounds(self.n_classes)
        return {
            "criterion": name,
            "class": None,
            "value": self.criteria[name],
            "better": direction_as_text(self.metrics[name]),
            "lowest": lowest,
            "highest": highest,
        }

    def _records_of_thresholds(self) -> list[dict[str, Any]]:
        names = threshold_names(self.target_names)
        return [
            {"criterion": measure, "class": None, "threshold": name, "value": value}
            for measure, values in self.per_threshold.items()
            for name, value in zip(names, values.tolist(), strict=True)
        ]


def _by_name(
    names: Sequence[str], columns: Mapping[str, NDArray[Any]]
) -> dict[str, dict[str, Any]]:
    """Return a dict of the measures for each class or threshold."""
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return {
        name: dict(zip(columns, row, strict=True)) for name, row in zip(names, rows, strict=True)
    }


def report_tables(report: OrdinalReportViews) -> tuple[Part, ...]:
    """Return the tables of the classes, of the criteria and of the thresholds."""
    return (*classes_parts(report), *_criteria_tables(report), *_thresholds_tables(report))


def classes_parts(report: OrdinalReportViews) -> tuple[Part, ...]:
    """Return the table of the classes, and a note if predictions are missing."""
    classes = classes_table(
        report.target_names,
        report.per_class,
        report.averages,
        report._accuracy,
        report.confusion,
    )
    return (classes, *unanswered_parts(report.metrics, report.confusion))


def _criteria_tables(report: OrdinalReportViews) -> tuple[Table, ...]:
    """Return a table of the criteria of labels and one of those of probabilities."""
    of_labels = {name: m for name, m in report.metrics.items() if is_of_labels(m)}
    others = {name: m for name, m in report.metrics.items() if name not in of_labels}
    is_of_scores = all(metric.evidence == "scores" for metric in others.values())
    what = "scores" if report.forecasts is None and is_of_scores else "probabilities"
    return tuple(
        criteria_table(title, metrics, report.criteria, report.confusion)
        for title, metrics in (("Criteria", of_labels), (f"Criteria of {what}", others))
        if metrics
    )


def _thresholds_tables(report: OrdinalReportViews) -> tuple[Table, ...]:
    if not report.per_threshold:
        return ()
    return (thresholds_table(report.target_names, report.per_threshold, report.digits),)
