"""`Values`: a new report is a sentence, its tables and its notes."""

import json
from dataclasses import dataclass

import pytest

from sklearn_ordinal import get_metric
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._values import Values
from tests.pages import Page


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SeasonReport(Values):
    """The values of the samples of each season."""

    axes = ("criterion", "season", "what")
    _title = "Seasons"

    def _sentences(self):
        values = self._along("season", criterion=self.inferred[0])
        best = max(values, key=lambda name: values[name].estimate)
        yield f"By {self.inferred[0]}, {best} has the highest value, {values[best]}."

    def _notes(self):
        yield f"{len(self.members('season'))} seasons."

    def _views(self):
        for name in self.inferred:
            rows = self._along("season", criterion=name)
            block = _sections.intervals(rows, self.digits)
            yield _sections.table(self._headline(name), "season", list(rows), block)
        yield self._matrix("Values of all criteria", self.members("criterion"))


def compare_seasons(y_true, y_pred, season, metrics):
    """Return a report on the samples of each season."""
    rows = {}
    for name in sorted(set(season)):
        part = [k for k, of_sample in enumerate(season) if of_sample == name]
        y = [[column[k] for k in part] for column in (y_true, y_pred)]
        for metric, interval in delta_interval(*y, metrics, labels=range(3)).items():
            rows[metric, name, "value"] = interval
    criteria = ByMetric({name: get_metric(name) for name in metrics})
    return SeasonReport(rows=rows, metrics=criteria, inferred=(metrics[0],), n_classes=3)


Y_TRUE = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 6
Y_PRED = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 5 + [0] * 10
SEASON = ["spring", "autumn"] * 30


@pytest.fixture
def report():
    return compare_seasons(Y_TRUE, Y_PRED, SEASON, ["cem_ord", "accuracy"])


def test_a_report_has_all_views(report):
    text = report.to_text()
    assert text.startswith("By cem_ord, spring has the highest value, 0.833")
    assert "2 seasons." in text
    assert [row[0] for row in Page(report.to_html()).tables[0]["rows"]] == ["autumn", "spring"]
    assert "| autumn |" in report.to_markdown()
    assert "autumn & " in report.to_latex()
    assert json.loads(report.to_json())["result"]["values"] == report.to_dict()["values"]
    assert repr(report) == "SeasonReport(2 seasons, cem_ord, accuracy)"


def test_a_frame_has_a_row_for_each_number(report):
    frame = report.to_frame()
    numbers = ["estimate", "low", "high", "standard_error", "pvalue", "adjusted_pvalue"]
    assert list(frame.columns)[:9] == ["criterion", "season", "what", *numbers]
    row = frame.query("criterion == 'accuracy' and season == 'spring'").iloc[0]
    interval = delta_interval(Y_TRUE[::2], Y_PRED[::2], "accuracy")
    assert (row["estimate"], row["low"], row["high"]) == (
        interval.estimate,
        interval.low,
        interval.high,
    )


@pytest.mark.usefixtures("drawn_figures")
def test_a_plot_has_the_values_of_a_criterion(report):
    display = report.plot("accuracy")
    assert display.names == ["autumn", "spring"]
    with pytest.raises(ValueError, match="metric must be among"):
        report.plot("purity")


def test_rows_are_found_by_their_members(report):
    row = report.one(criterion="accuracy", season="spring")
    assert row == report.rows["accuracy", "spring", "value"]
    assert report.one(season="spring") == report.rows["cem_ord", "spring", "value"]
    with pytest.raises(ValueError, match=r"axis must be among .*, got 'month'"):
        report.one(month="May")
    with pytest.raises(
        ValueError, match=r"season must be among .*'autumn', 'spring'.*, got 'winter'"
    ):
        report.one(season="winter")
    with pytest.raises(ValueError, match=r"axis must be among .*, got 'group'"):
        report.members("group")
