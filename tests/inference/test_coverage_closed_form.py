"""The coverage of intervals in closed form: tables of the user guide and their script."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from sklearn_ordinal._core.catalogue import METRICS

CHECKOUT = Path(__file__).parents[2]
GUIDE = CHECKOUT / "docs" / "guide"
BENCHMARKS = CHECKOUT / "benchmarks"
SCALES = ("logit", "linear")
METHODS = ("bca", "percentile", "basic")


def cells_of_tables(file):
    """Return the cells of each metric in the tables of a file."""
    tables = (GUIDE / file).read_text(encoding="utf-8").split(".. list-table:: ")[1:]
    rows_of_tables = [table.split("\n   * - ")[1:] for table in tables]
    return [
        {row[0]: row[1:] for row in (re.split(r"\n +- ", row.strip()) for row in rows)}
        for rows in rows_of_tables
    ]


LABELS, FORECASTS, LABELS_BY_DESIGN, FORECASTS_BY_DESIGN, _ = cells_of_tables(
    "coverage_closed_form.txt"
)
RESAMPLED = cells_of_tables("coverage.txt")[0]
CLOSED = {**LABELS, **FORECASTS}
BY_DESIGN = {**LABELS_BY_DESIGN, **FORECASTS_BY_DESIGN}
# A metric that was added after the last run of the benchmark has no row yet.
NAMES = [name for name in RESAMPLED if name in METRICS]
WITH_INFLUENCE = [name for name in NAMES if METRICS[name].has_influence]


def shares(cell):
    """Return the percentages of a cell, NaN for "none"."""
    texts = cell.replace("none", "nan").split(" / ")
    return np.array([float(text.strip("*")) for text in texts])


def section(title):
    """Return the text of a section of the page on coverage."""
    page = (GUIDE / "coverage.rst").read_text(encoding="utf-8")
    return re.split(r"\n.+\n-{5,}\n", page.partition(f"\n{title}\n-")[2])[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_shows_both_intervals_of_every_metric_in_every_setting(name):
    settings = [f"{truth}, {size}" for truth in ("even", "skewed") for size in (30, 80, 300, 1000)]
    assert sorted(RESAMPLED["metric"]) == sorted(settings)
    assert len(RESAMPLED[name]) == len(settings)
    assert (name in CLOSED) == (name in WITH_INFLUENCE)
    if name in CLOSED:
        assert CLOSED["metric"] == settings
        assert len(CLOSED[name]) == len(settings)


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_shows_both_intervals_of_every_metric_in_every_design(name):
    designs = [
        f"{design}, {truth}"
        for truth in ("even", "skewed")
        for design in ("clustered", "weighted", "stratified")
    ]
    assert LABELS_BY_DESIGN["metric"] == FORECASTS_BY_DESIGN["metric"] == designs
    for cell in BY_DESIGN[name]:
        closed, *resampled = shares(cell)
        assert np.isnan(closed) == (name not in WITH_INFLUENCE)
        assert len(resampled) == 1
        assert not np.isnan(resampled).any()


@pytest.mark.parametrize("name", WITH_INFLUENCE)
def test_the_coverage_on_the_recorded_scale_is_bold(name):
    for cell in CLOSED[name]:
        in_bold = [share.startswith("**") for share in cell.split(" / ")]
        assert in_bold == [scale == METRICS[name].interval_scale for scale in SCALES]


def small_samples(name):
    """Return the mean coverage by closed form and bootstrap for up to 300 samples, in percent."""
    scale = SCALES.index(METRICS[name].interval_scale)
    method = METHODS.index(METRICS[name].interval_method)
    return [
        np.mean(
            [
                shares(cell)[variant]
                for setting, cell in zip(table["metric"], table[name], strict=True)
                if not setting.endswith(" 1000")
            ]
        )
        for table, variant in ((CLOSED, scale), (RESAMPLED, method))
    ]


def test_the_guide_recommends_the_bootstrap_where_it_is_better():
    text = section("Intervals in closed form")
    listed = re.search(r"better by more than one point:\n(.+?)\n\nEven", text, re.DOTALL)[1]
    better = set()
    for name in WITH_INFLUENCE:
        closed, resampled = small_samples(name)
        if resampled > closed + 1 and abs(resampled - 95) < abs(closed - 95):
            better.add(name)
    assert better == set(re.findall(r"``(\w+)``", listed))


@pytest.mark.parametrize("name", WITH_INFLUENCE)
def test_the_guide_names_each_metric_whose_closed_form_has_low_coverage(name):
    scale = SCALES.index(METRICS[name].interval_scale)
    single = [shares(cell)[scale] for cell in CLOSED[name]]
    by_design = [shares(cell)[0] for cell in BY_DESIGN[name]]
    assert min(*single, *by_design) >= 90 or f"``{name}``" in section("Intervals in closed form")


@pytest.fixture(scope="module")
def script():
    """Return the script, for populations that are drawn quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        script = importlib.import_module("coverage_closed_form")
        patch.setattr(sys.modules["_simulation"], "N_SAMPLES_OF_POPULATION", 100_000)
        yield script


@pytest.mark.parametrize("design", ["clustered", "weighted", "stratified"])
def test_the_values_of_large_samples_of_probabilities_are_the_true_values(
    script, monkeypatch, design
):
    # Even the smallest class has thousands of samples.
    for name, number in (("N_CLUSTERS", 4_000), ("CLUSTER_SIZE", 10), ("STRATUM_SIZE", 10_000)):
        monkeypatch.setattr(script, name, number)
    draw = getattr(script, f"_{design}_forecasts")
    y_true, y_proba, options, values = draw("skewed", np.random.default_rng(0))
    values = dict(zip(script.NAMES_OF_FORECASTS, values, strict=True))
    weight = options.get("sample_weight", np.ones(len(y_true)))
    assert np.bincount(y_true, weight) / weight.sum() == pytest.approx(
        script.SHARES["skewed"], abs=0.01
    )
    loss = log_loss(y_true, y_proba, sample_weight=weight)
    assert loss == pytest.approx(values["log_loss"], rel=0.02)
    errors = y_proba.cumsum(axis=1)[:, :-1] - (y_true[:, None] <= np.arange(4))
    ranked = np.average((errors**2).sum(axis=1), weights=weight)
    scores = y_proba @ np.arange(5)
    areas = [roc_auc_score(y_true > cut, scores, sample_weight=weight) for cut in range(4)]
    assert np.mean(areas) == pytest.approx(values["threshold_roc_auc"], abs=0.01)
    assert ranked == pytest.approx(values["ranked_probability_score"], rel=0.02)


def test_a_design_marks_the_metrics_without_an_interval(script, monkeypatch):
    monkeypatch.setattr(script, "N_RESAMPLES", 19)
    names = script.NAMES_OF_FORECASTS
    for draw in (script._weighted_forecasts, script._stratified_forecasts):
        rng = np.random.default_rng(0)
        held = script._held_by_method(draw("even", rng), names, rng)
        assert held.shape == (2, len(names))
        without = [name not in WITH_INFLUENCE for name in names]
        assert np.isnan(held[0]).tolist() == without
        assert np.isin(held[1:], (0, 1)).all()
