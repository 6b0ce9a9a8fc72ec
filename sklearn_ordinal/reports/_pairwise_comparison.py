"""Comparison of pairs of estimators on the same folds, for one criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ByMetric, OrdinalMetric, OrdinalScale, in_repr
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.inference import (
    PairedDifference,
    holm_correction,
)
from sklearn_ordinal.plotting import ComparisonDisplay
from sklearn_ordinal.reports._comparison_document import pairwise_document
from sklearn_ordinal.reports._fold_evidence import comparable, folds_difference
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._sections import direction_as_text
from sklearn_ordinal.reports._verdicts import pair_verdict, pairs_verdict


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseComparison(Views):
    """Differences of pairs of estimators for one criterion, tested together.

    Returned by `ComparisonReport.pairwise`. `str` gives the text, and notebooks show tables and a
    plot. A difference is the value of the first estimator minus the value of the second, in the
    unit of the criterion. Intervals and tests are about these fitted models on this data.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    metrics : mapping of str to OrdinalMetric
        The criterion by its name.
    pairs : tuple of tuple of str
        Names of the first and the second estimator of each pair.
    differences : tuple of PairedDifference
        The difference of each pair, with its interval and unadjusted p-value.
    adjusted_pvalues : ndarray of shape (n_pairs,)
        The p-values after Holm's correction for the number of pairs.
    reference : str or None, default=None
        Name of the second estimator of each pair, if all estimators are compared with the same one.
    row_names : mapping of str to str, default={}
        The names that tables and plots show for baselines that share a row because they predict the
        same on every fold.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when results are compared.
    n_folds : int, default=None
        Number of folds, None if it is not known.

    Attributes
    ----------
    verdict : str
        A sentence that says which pairs are shown to differ.
    n_classes : int
        Number of classes on the scale.

    See Also
    --------
    ComparisonReport : Compares every estimator with the best baseline.
    sklearn_ordinal.inference.compare_ranks : Systems over several data sets.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0), "svm": SVC()}
    >>> pairwise = compare_estimators(models, X, y, random_state=0).pairwise()
    >>> pairwise.pairs
    (('svm', 'tree'),)
    >>> print(pairwise.differences[0])
    the first is higher by 0.037 (95% interval 0.000 to 0.073, p = 0.049)
    """

    scale: OrdinalScale
    metrics: ByMetric
    pairs: tuple[tuple[str, str], ...]
    differences: tuple[PairedDifference, ...]
    adjusted_pvalues: NDArray[np.float64]
    reference: str | None = None
    row_names: Mapping[str, str] = field(default_factory=dict)
    provenance: Provenance | None = None
    n_folds: int | None = None

    @classmethod
    def _from_scores(
        cls,
        pairs: tuple[tuple[str, str], ...],
        scores: Mapping[str, NDArray[np.float64]],
        metric: OrdinalMetric,
        scale: OrdinalScale,
        *,
        n_train: float,
        n_test: float,
        confidence_level: float,
        **fields: Any,
    ) -> Self:
        """Test pairs on the scores of the same folds; `fields` are the result's other fields."""
        differences = tuple(
            folds_difference(
                comparable(scores[first], scores[second]),
                metric,
                len(scale),
                n_train=n_train,
                n_test=n_test,
                confidence_level=confidence_level,
            )
            for first, second in pairs
        )
        return cls(
            metrics=ByMetric({metric.name: metric}),
            pairs=pairs,
            differences=differences,
            adjusted_pvalues=holm_correction([difference.pvalue for difference in differences]),
            scale=scale,
            **fields,
        )

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def criterion(self) -> str:
        """Name of the criterion."""
        (name,) = self.metrics
        return str(name)

    @property
    def verdict(self) -> str:
        """A sentence that says which pairs are shown to differ.

        A pair is shown to differ if its adjusted p-value is at most 1 - confidence_level.
        """
        if len(self.pairs) == 1:
            return pair_verdict(
                self.criterion,
                self.pairs[0],
                self.differences[0],
                float(self.adjusted_pvalues[0]),
                n_folds=self.n_folds,
            )
        return pairs_verdict(
            self.criterion,
            self.pairs,
            self.differences,
            self.adjusted_pvalues,
            reference=self.reference,
            row_names=self.row_names,
        )

    def __repr__(self) -> str:
        return f"PairwiseComparison({in_repr([self.criterion])}, {len(self.pairs)} pairs)"

    def plot_differences(self, *, ax: Any = None, **options: Any) -> ComparisonDisplay:
        """Draw the difference of each pair with its interval.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ComparisonDisplay.plot`.

        Returns
        -------
        ComparisonDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        rows = {self._title(pair): (difference, p) for pair, difference, p in self._rows()}
        return ComparisonDisplay(
            {title: difference for title, (difference, _) in rows.items()},
            adjusted_pvalues={title: pvalue for title, (_, pvalue) in rows.items()},
            criterion=self.criterion,
            reference=self._row_name(self.reference) if self.reference else "the second",
            greater_is_better=self._metric.greater_is_better,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the comparison, from which its views are rendered.

        Returns
        -------
        Document
            The verdict, a table and a plot.
        """
        return pairwise_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criterion"; "better"; "reference"; "verdict"; "pairs": a list of dicts with the
            columns of `to_frame`. Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "criterion": self.criterion,
                "better": direction_as_text(self._metric),
                "reference": self.reference,
                "verdict": self.verdict,
                "pairs": self._records(),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each pair."""
        return [
            {
                "criterion": self.criterion,
                "first": first,
                "second": second,
                "difference": difference.estimate,
                "low": difference.low,
                "high": difference.high,
                "confidence_level": difference.confidence_level,
                "n_undefined": difference.n_undefined,
                "pvalue": difference.pvalue,
                "adjusted_pvalue": pvalue,
                "favours": difference.favours,
                "better": direction_as_text(self._metric),
            }
            for (first, second), difference, pvalue in zip(
                self.pairs, self.differences, self.adjusted_pvalues.tolist(), strict=True
            )
        ]

    @property
    def _metric(self) -> OrdinalMetric:
        metric: OrdinalMetric = self.metrics[self.criterion]
        return metric

    def _rows(self) -> list[tuple[tuple[str, str], PairedDifference, float]]:
        """Return the pairs to show, with the names of their rows."""
        rows = {}
        columns = zip(self.pairs, self.differences, self.adjusted_pvalues.tolist(), strict=True)
        for (first, second), difference, pvalue in columns:
            pair = self._row_name(first), self._row_name(second)
            if pair[0] != pair[1]:
                rows[pair] = (difference, pvalue)
        return [(pair, difference, pvalue) for pair, (difference, pvalue) in rows.items()]

    def _row_name(self, name: str) -> str:
        return self.row_names.get(name, name)

    def _title(self, pair: tuple[str, str]) -> str:
        return pair[0] if self.reference else " - ".join(pair)
