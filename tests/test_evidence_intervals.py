"""The simulation of intervals, and the pages that show how often intervals hold."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, ttest_ind

from sklearn_ordinal.metrics import (
    all_threshold_loss,
    cem_ord_score,
    immediate_threshold_loss,
    margin_loss,
)

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "guide"


@pytest.fixture
def intervals(load):
    return load("evidence_intervals")


@pytest.fixture
def stored():
    path = ROOT / "benchmarks" / "results" / "intervals.json"
    return json.loads(path.read_text(encoding="utf-8"))["results"]


def test_written_tables_can_be_read(load):
    tables = load("_tables")
    rows = [["a", "b, 80"], ["c", "94.2 / **92.6**"], ["", "none"]]
    text = "\n\n".join([tables.list_table("First", rows[0], rows[1:])] * 2)
    assert tables.read_list_tables(text) == [("First", rows)] * 2


def test_the_part_about_intervals_writes_tables_and_answers(load, monkeypatch, tmp_path):
    evidence, part = load("evidence"), load("evidence_intervals")
    monkeypatch.setattr(part, "SAMPLE_SIZES", (80,))
    monkeypatch.setattr(part, "N_RESAMPLES", 39)
    monkeypatch.setattr(part, "N_SAMPLES_OF_POPULATION", 1_000)
    results = evidence.store(tmp_path / "x.json", part.compute(n_jobs=1, part=0.002))
    assert {kind: list(found) for kind, found in results.items()} == {
        kind: ["even, 80", "skewed, 80"] for kind in part.INTERVALS
    }
    for kind, by_setting in results.items():
        for found in by_setting.values():
            shape = len(part.CRITERIA[kind]), len(part.INTERVALS[kind])
            assert found["n_data_sets"] == 1
            assert np.shape(found["shares"]) == shape
            assert set(np.ravel(found["shares"])) <= {0, 1}
    outputs = part.outputs(results)
    groups = outputs["intervals_groups.txt"]
    assert groups.count("* -") == 1 + len(part.CRITERIA["groups"]) * 7
    answered = [line.split(":")[0] for line in outputs["intervals_answer.txt"].splitlines()]
    assert answered[:2] == [
        "- Predicted classes, ``bootstrap_interval``",
        "- Predicted classes, ``delta_interval``",
    ]
    assert len(answered) == len(set(answered)) == 14
    assert len(outputs["intervals_coverage.svg"]().axes) == 1


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ((0.93, 0.95), "; *yes*."),
        # Two standard errors of 93% are 1.6 points with 1,000 data sets.
        ((0.92, 0.95), "; *cannot tell*."),
        ((0.91, 0.95), "; *no*: 1 below, of ``b``."),
    ],
)
def test_answers_about_intervals_follow_the_rule_of_the_questions(intervals, shares, verdict):
    settings = [
        intervals.Setting("Some", name, "even, 80", share, 1_000)
        for name, share in zip("ba", shares, strict=True)
    ]
    assert intervals.answer(settings).endswith(f"at lowest (``b``, even, 80){verdict}")


def test_settings_of_tables_are_those_in_bold_with_enough_samples(intervals):
    settings = list(intervals.settings_of_tables())
    text = (GUIDE / "coverage.txt").read_text(encoding="utf-8")
    of_cem = re.search(r"\* - cem_ord\n(.*?)   \* -", text, re.DOTALL)[1]
    bold = [float(value) / 100 for value in re.findall(r"\*\*(.*?)\*\*", of_cem)]
    found = [
        one
        for one in settings
        if one.intervals == "Predicted classes, ``bootstrap_interval``"
        and one.criterion == "cem_ord"
    ]
    columns = ["even, 80", "even, 300", "skewed, 80", "skewed, 300", "even, 1000", "skewed, 1000"]
    assert [one.setting for one in found] == columns
    # The first and the fourth column have 30 samples.
    assert [one.share for one in found] == pytest.approx([*bold[1:3], *bold[4:]])
    assert {one.n_data_sets for one in found} == {1_000}
    sizes = {one.setting for one in settings if one.intervals.startswith("Raters")}
    missing = ("complete", "a quarter missing")
    assert sizes == {f"{name}, {n_items}" for name in missing for n_items in (50, 200)}
    paths = {one.n_data_sets for one in settings if one.criterion == "ordinal_classification_index"}
    assert 500 in paths


@pytest.mark.parametrize("penalty", ["logistic", "hinge", "exponential"])
def test_criteria_of_scores_are_the_margin_losses(intervals, penalty):
    from sklearn_ordinal import OrdinalScores

    rng = np.random.default_rng(0)
    y_true, weight = rng.integers(5, size=200), rng.random(200)
    decision = y_true + rng.normal(size=200)
    scores = OrdinalScores.from_scores(y_true, decision, labels=range(5), sample_weight=weight)
    options = {"penalty": penalty, "sample_weight": weight}
    by_thresholds = {"labels": range(5), "thresholds": intervals.THRESHOLDS, **options}
    expected = {
        "all_threshold_loss": all_threshold_loss(y_true, decision, **by_thresholds),
        "immediate_threshold_loss": immediate_threshold_loss(y_true, decision, **by_thresholds),
        "margin_loss": margin_loss((y_true >= 2).astype(int), decision - 1.5, **options),
    }
    for kind, value in expected.items():
        metric = intervals.as_metric(kind, penalty)
        assert metric(scores) == pytest.approx(value)
        # The derivative by the weight of the first sample, by a small change of the weight.
        step = np.where(np.arange(200) == 0, 1e-6, 0)
        more = OrdinalScores.from_scores(
            y_true, decision, labels=range(5), sample_weight=weight + step
        )
        derivative = (metric(more) - metric(scores)) / 1e-6
        assert metric.gradient(scores)[0] == pytest.approx(derivative, rel=1e-3)


def test_true_losses_are_those_of_a_large_sample(intervals):
    rng = np.random.default_rng(0)
    y_true = rng.choice(5, size=100_000, p=intervals.SHARES["skewed"])
    values = intervals.true_values_of_losses("skewed")
    named = {"labels": range(5), "thresholds": intervals.THRESHOLDS}
    for (decision, _), of_system in zip(
        intervals.systems_of_signals(y_true, rng), values, strict=True
    ):
        found = dict(zip(intervals.CRITERIA["losses"], of_system, strict=True))
        for function in (all_threshold_loss, immediate_threshold_loss):
            for penalty in intervals.PENALTIES:
                expected = function(y_true, decision, penalty=penalty, **named)
                assert found[f"{function.__name__}, {penalty}"] == pytest.approx(expected, rel=0.01)
    assert (values[0] == values[1]).all()
    assert (values[1] < values[2]).all()
    assert (values[2] < values[3]).all()


def test_true_values_of_groups_are_those_of_loops_over_cells(intervals, monkeypatch):
    monkeypatch.setattr(intervals, "N_SAMPLES_OF_POPULATION", 1_000)
    values = intervals.true_values_of_groups("skewed")
    classes = range(5)
    cells = []
    for decay, tilt in zip(intervals.DECAYS_OF_GROUPS, intervals.TILTS, strict=True):
        true = [intervals.SHARES["skewed"][k] * np.exp(tilt * k) for k in classes]
        rows = [[np.exp(-decay * abs(k - predicted)) for predicted in classes] for k in classes]
        cells.append([[true[k] / sum(true) * x / sum(rows[k]) for x in rows[k]] for k in classes])
    parts = [np.multiply(share, of) for share, of in zip((0.5, 0.3, 0.2), cells, strict=True)]
    everything = np.sum(parts, axis=0)
    for place, of in enumerate((everything, *cells)):
        diagonal = sum(of[k][k] for k in classes)
        error = sum(abs(k - j) * of[k][j] for k in classes for j in classes)
        bias = sum((j - k) * of[k][j] for k in classes for j in classes)
        assert values["accuracy"][place] == pytest.approx(diagonal)
        assert values["ordinal_mean_absolute_error"][place] == pytest.approx(error)
        assert values["ordinal_bias"][place] == pytest.approx(bias)
    # The class sizes of all samples are the reference of all groups.
    sizes = everything.sum(axis=1)

    def proximity(true, predicted):
        between = sizes[min(true, predicted) : max(true, predicted) + 1].sum()
        return -np.log2(between - sizes[predicted] / 2)

    for place, of in enumerate((everything, *cells)):
        earned = sum(of[k][j] * proximity(k, j) for k in classes for j in classes)
        best = sum(sum(of[k]) * proximity(k, k) for k in classes)
        assert values["cem_ord"][place] == pytest.approx(earned / best, rel=1e-6)
    samples = [np.rint(1e4 * everything[k][j]).astype(int) for k in classes for j in classes]
    y_true, y_pred = (np.repeat(x.ravel(), samples) for x in np.indices((5, 5)))
    assert values["cem_ord"][0] == pytest.approx(cem_ord_score(y_true, y_pred), abs=1e-3)


def test_the_count_for_differences_of_bias_is_that_of_welch(intervals, monkeypatch):
    monkeypatch.setattr(intervals, "N_SAMPLES_OF_POPULATION", 1_000)
    values, n_data_sets = intervals.true_values_of_groups("even"), 15
    held = intervals.held_of_data_sets("groups", "even", 300, values, 0, n_data_sets)
    row = intervals.CRITERIA["groups"].index("ordinal_bias")
    column = intervals.INTERVALS["groups"].index("C from A")
    _, first, _, last = values["ordinal_bias"]
    n_held = 0
    for k in range(n_data_sets):
        setting = [list(intervals.INTERVALS).index("groups"), 0, 300]
        rng = np.random.default_rng([intervals.SEED, *setting, k])
        group, y_true = intervals.draw_groups("even", 300, rng)
        error = intervals.labels_of_groups(group, y_true, rng) - y_true
        test = ttest_ind(error[group == 2], error[group == 0], equal_var=False)
        low, high = test.confidence_interval(0.95)
        n_held += low <= last - first <= high
    assert held[:, row, column].sum() == n_held
    assert n_held > 11


def test_the_page_about_intervals_says_what_the_stored_results_show(intervals, stored):
    page = " ".join((GUIDE / "evidence" / "intervals.rst").read_text(encoding="utf-8").split())
    table = (GUIDE / "evidence" / "intervals_criteria.txt").read_text(encoding="utf-8")
    n_closed_form = n_neither = 0
    named = ("cem_ord", "accuracy", "ordinal_mean_absolute_error", "linear_weighted_kappa")
    named += ("quadratic_weighted_kappa", "ordinal_weighted_kappa", "concordance")
    for row in table.split("* - ")[2:]:
        bootstrap, closed_form, criteria = row.split("\n     - ")
        if closed_form == "*yes*":
            n_closed_form += criteria.count("``") // 2
            named = [name for name in named if f"``{name}``" not in criteria]
        elif bootstrap == closed_form == "*no*":
            n_neither = criteria.count("``") // 2
    assert not named
    assert f"use ``delta_interval`` for the {n_closed_form} criteria" in page
    assert f"For {n_neither} criteria, both methods have *no*" in page
    settings = list(intervals.settings_of_results(stored))
    # Many settings are below 93% by less, and the last table and the figure do not show them.
    assert any(one.share < 0.93 and not one.fails for one in settings)
    assert "all settings that are below 93% by more than two standard errors" in page
    losses = {
        (one.setting, one.intervals)
        for one in settings
        if one.intervals.startswith("Margin") and one.fails
    }
    assert {setting for setting, _ in losses} == {"even, 80"}
    assert all(
        one.criterion.endswith("exponential")
        for one in settings
        if one.intervals.startswith("Margin") and one.fails
    )
    assert len(losses) == 3
    pairs = [one for one in settings if one.intervals.startswith("Pairs")]
    for is_loss in (False, True):
        lowest = min(one.share for one in pairs if (", " in one.criterion) == is_loss)
        assert f"in at least {100 * lowest:.1f}%" in page
    groups = [one for one in settings if one.intervals.startswith("Groups")]
    macro = "macro_averaged_mean_absolute_error"
    below = [one for one in groups if one.fails and not one.setting.endswith(", 80")]
    assert {one.criterion for one in below} == {macro}
    assert all("skewed" in one.setting for one in below)
    rarest = 100 * intervals.class_shares_of_groups("skewed").min()
    assert f"one group has a class with {rarest:.1f}% of its samples" in page
    lowest = min(
        one.share
        for one in groups
        if one.criterion == macro and "skewed" in one.setting and not one.setting.endswith(", 80")
    )
    assert f"in {100 * lowest:.1f}% of the data sets at lowest" in page
    largest = [
        100 * one.share
        for one in groups
        if one.setting.startswith("largest") and one.criterion != macro
    ]
    assert f"in {min(largest):.1f}% to {max(largest):.1f}% of the data sets" in page
    assert f"below 93% in {100 * binom.cdf(0.93 * 500 - 1, 500, 0.95):.0f}% of" in page


def test_the_page_about_coverage_has_the_ranges_of_its_tables(load):
    def table(file, title):
        text = (GUIDE / file).read_text(encoding="utf-8")
        (found,) = (
            rows for name, rows in load("_tables").read_list_tables(text) if name.startswith(title)
        )
        return found

    page = " ".join((GUIDE / "coverage.rst").read_text(encoding="utf-8").split())
    equal = table("coverage.txt", "Share of equal systems")
    rejected = [float(cell) for row in equal[1:] for cell in row[1:]]
    assert f"difference between equal systems in {min(rejected)}% to {max(rejected)}% of" in page

    def of_default(title, row_by_row, *sizes):
        header, *rows = table("coverage_ratings.txt", title)
        return [
            float(re.search(r"\*\*(.*?)\*\*", cell)[1])
            for row in rows
            for name, cell in zip(header[1:], row[1:], strict=True)
            if row_by_row(row[0]) and name.endswith(sizes)
        ]

    closed_form = "Coverage of 95% intervals of the agreement of four raters by ``delta"
    bootstrap = "Coverage of 95% intervals of the agreement of four raters by ``boot"
    biased = ("fleiss_kappa, skewed", "conger_kappa, skewed")
    many = of_default(closed_form, bool, " 50", " 200")
    assert f"in {min(many)}% to {max(many)}% of the data sets, and the bootstrap in" in page
    resampled = of_default(bootstrap, bool, " 50", " 200")
    assert f"the bootstrap in {min(resampled)}% to {max(resampled)}%." in page
    few = of_default(closed_form, lambda name: name not in biased, " 20")
    assert f"For 20 items, the closed form covers {min(few)}% to {max(few)}%," in page
    symmetric = [
        float(cell.split(" / ")[2])
        for row in table("coverage_ratings.txt", closed_form)[1:]
        if row[0].startswith(("gwet_ac2", "brennan_prediger"))
        for cell in (row[1], row[4])
    ]
    assert f"only {min(symmetric):.0f}% to {max(symmetric):.0f}% for 20 items" in page
    of_decisions = next(
        row
        for row in table("coverage.txt", "Coverage of 95% intervals of ``boot")
        if row[0] == "cem_ord_decision"
    )
    bca, percentile = (
        [float(cell.split(" / ")[place].strip("*")) for cell in of_decisions[1:]]
        for place in (0, 1)
    )
    assert (
        f"in {min(percentile):.0f}% to {max(percentile):.0f}% of the data sets, and those of "
        f'"bca" in {min(bca):.0f}% to {max(bca):.0f}%'
    ) in page
    low = of_default(closed_form, lambda name: name in biased, " 20")
    assert f"two cases: it covers {min(low)}% to {max(low)}% for" in page
