"""What reports say about the evidence of folds, and the text alternatives of their plots."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, LeaveOneOut, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import GroupReport, compare_estimators, compare_systems, cross_val_report
from sklearn_ordinal.datasets import load_lev
from tests.pages import Page
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "svm": SVC()}
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d+")


def compare(models=MODELS, X=X, y=Y, **options):
    return compare_estimators(models, X, y, **{"random_state": 0, "verbose": False, **options})


def text_of(result):
    return " ".join(str(result).split())


def details_of(result):
    return " ".join(result.to_text(details=True).split())


def test_the_text_names_criteria_without_a_value_in_some_folds():
    order = np.argsort(Y, kind="stable")
    model = DummyClassifier(strategy="prior")
    scoring = ["cem_ord", "mean_pairwise_roc_auc"]
    # All samples of the third fold have the same class.
    report = cross_val_report(model, X[order], Y[order], cv=KFold(5), scoring=scoring)
    assert np.isnan(report.scores["mean_pairwise_roc_auc"]).tolist() == [0, 0, 1, 0, 0]
    line = "Folds without a value, which the mean leaves out: mean_pairwise_roc_auc 1 of 5."
    assert line in text_of(report)
    even = cross_val_report(model, X, Y, cv=StratifiedKFold(5), scoring=scoring)
    assert "without a value" not in text_of(even)


def test_the_verdict_of_one_fold_says_that_there_is_no_interval():
    cv = [(np.arange(50, len(Y)), np.arange(50))]
    report = cross_val_report(MODELS["tree"], X, Y, cv=cv, scoring="cem_ord")
    mean = report.intervals["cem_ord"].estimate
    (verdict,) = report.document().verdict
    why = "no 95% interval from fewer than three folds"
    start = f"The mean of cem_ord over the folds is {mean:.3f} ({why}). All folds"
    assert verdict.text.startswith(start)
    assert "nan" not in str(report).split()


def test_intervals_of_folds_stay_within_the_range_of_the_criterion():
    rng = np.random.default_rng(0)
    names = ["cem_ord", "accuracy", "quadratic_weighted_kappa", "kendall_tau_b"]
    n_cut = 0
    for _ in range(3):
        X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
        models = {"a": DummyClassifier(), "b": DecisionTreeClassifier(random_state=0)}
        report = compare_estimators(models, X, y, scoring=names, cv=KFold(10))
        for metric in report.metrics.values():
            low, high = metric.bounds(3)
            rows = table(report, metric.name).values()
            differences = [*report.pairwise(metric.name).rows.values()]
            differences += [row.difference for row in rows if row.difference is not None]
            for interval in [row.score for row in rows]:
                n_cut += interval.low == low or interval.high == high
                assert low <= interval.low <= interval.high <= high
            for interval in differences:
                n_cut += interval.low == low - high or interval.high == high - low
                assert low - high <= interval.low <= interval.high <= high - low
    assert n_cut


def test_two_defined_folds_have_no_interval_and_say_why():
    y = np.repeat([0, 1, 2, 0, 1], 10)
    y[:20] = np.tile([0, 1], 10)
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    X = np.random.default_rng(0).normal(size=(50, 2))
    report = cross_val_report(model, X, y, cv=KFold(5), scoring="mean_pairwise_roc_auc")
    assert np.isfinite(report.scores["mean_pairwise_roc_auc"]).sum() == 2
    assert np.isnan(report.intervals["mean_pairwise_roc_auc"].low)
    text = text_of(report)
    assert "(no 95% interval from fewer than three folds, 3 undefined left out)" in text
    note = "No interval from fewer than three folds with a value: mean_pairwise_roc_auc."
    assert note in text


@pytest.mark.parametrize(
    ("cv", "n_folds", "level"),
    [(None, 5, 0.95), (StratifiedKFold(10), 10, 0.95), (KFold(3), 3, 0.9), (3, 3, 0.99)],
)
def test_the_width_after_repetition_is_that_of_nadeau_and_bengio(cv, n_folds, level):
    def half_width(n):
        quantile = stats.t.ppf((1 + level) / 2, n - 1)
        return quantile * np.sqrt(1 / n + 1 / (n_folds - 1))

    share = half_width(5 * n_folds) / half_width(n_folds)
    y = np.tile([0, 1, 2], 40)
    comparison = compare(X=np.random.default_rng(0).random((120, 2)), y=y, cv=cv,
                         confidence_level=level)  # fmt: skip
    splitter = f"Repeated{'KFold' if isinstance(cv, KFold) else 'StratifiedKFold'}"
    assert (
        f"With cv={splitter}(n_splits={n_folds}, n_repeats=5), intervals are {100 * share:.0f}% as "
        "wide if folds have the same spread."
    ) in text_of(comparison)
    if n_folds == 5:
        assert f"{100 * share:.0f}" == "60"


@pytest.mark.parametrize(
    "cv",
    [RepeatedStratifiedKFold(n_splits=3, n_repeats=2), LeaveOneOut(), KFold(len(Y[:30])),
     list(KFold(3).split(X[:30]))],
    ids=["repeated", "one sample", "folds of one sample", "list"],
)  # fmt: skip
def test_folds_that_cannot_be_repeated_have_no_such_note(cv):
    comparison = compare({"stump": MODELS["tree"]}, X[:30], Y[:30], cv=cv, scoring="accuracy",
                         baselines={"constant": DummyClassifier()})  # fmt: skip
    assert "n_repeats" not in text_of(comparison)


def test_two_folds_have_no_interval_to_compare_with():
    note = "With cv=RepeatedKFold(n_splits=2, n_repeats=5), there are intervals and tests."
    assert note in text_of(compare(cv=KFold(2)))


def test_repetitions_are_only_suggested_if_a_question_is_open():
    open_ = compare({**MODELS, "svm too": SVC(C=1.5)}, baselines={"constant": DummyClassifier()})
    assert "is not shown to beat" in open_.verdicts["cem_ord"]
    assert "n_repeats" in text_of(open_)
    closed = compare({"svm": MODELS["svm"]}, baselines={"constant": DummyClassifier()})
    assert "svm beats" in closed.verdicts["cem_ord"]
    assert "n_repeats" not in text_of(closed)


def test_intervals_wider_than_the_rope_are_named():
    comparison = compare(scoring=["cem_ord", "accuracy"])
    note = "by more than 0.01. All intervals are too wide to show equality within this region."
    assert details_of(comparison).count(note) == 2
    assert note not in text_of(comparison)
    comparison = compare(scoring=["cem_ord", "accuracy"], rope={"cem_ord": 0.01, "accuracy": 1})
    assert details_of(comparison).count(note) == 1
    pairs = [("svm", "majority class"), ("tree", "majority class"), ("svm", "tree")]
    rows = [comparison.one(estimator=first, against=second) for first, second in pairs]
    narrow, middle, wide = sorted(row.high - row.low for row in rows)
    named = [
        " - ".join(pair)
        for pair, row in zip(pairs, rows, strict=True)
        if row.high - row.low > narrow
    ]
    note = (
        f"The intervals of {named[0]} and {named[1]} are too wide to show equality within this "
        "region."
    )
    assert note in details_of(compare(rope=(narrow + middle) / 4))
    for rope in (0, 2):
        assert "show equality" not in details_of(compare(rope=rope))
    assert narrow < middle < wide


def descriptions(page):
    return [attrs["aria-label"] for tag, attrs in page.tags if tag == "svg"]


def rows_of(description):
    """Return the text of each row by its name."""
    rows = description.split(". ", 1)[1].removesuffix(".").split("; ")
    return dict(row.split(": ", 1) for row in rows)


@pytest.mark.parametrize(("seed", "digits"), [(0, 3), (1, 3), (2, 2)])
def test_the_text_alternative_of_a_comparison_has_the_strings_of_its_table(seed, digits):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=60)
    data = np.c_[y + rng.normal(0, 1.5, 60), rng.random(60)]
    comparison = compare({**MODELS, "stump": DecisionTreeClassifier(max_depth=1)}, data, y)
    page = Page(comparison.to_html(digits=digits))
    rows = page.rows("Estimators by")
    for start in ("Differences", "Mean over"):
        (text,) = {one for one in descriptions(page) if one.startswith(start)}
        assert rows_of(text).keys() == rows.keys()
        for name, row in rows_of(text).items():
            cells = {cell for cell, _ in rows[name].values()}
            numbers = set(NUMBER.findall(row))
            assert numbers
            assert numbers <= set(NUMBER.findall(" ".join(cells)))
    # The p-values that are drawn are those of the table.
    display = comparison.plot_differences()
    drawn = dict(zip(display.differences, [text.get_text() for text in display.text_], strict=True))
    assert drawn.keys() == {name for name, row in rows.items() if row["difference"][0]}
    for name, text in drawn.items():
        assert text.replace(" = ", "").endswith(rows[name]["adjusted p"][0][-5:])


def test_the_text_alternatives_of_pairs_and_systems_have_the_strings_of_their_tables():
    models = {**MODELS, "stump": DecisionTreeClassifier(max_depth=1)}
    page = Page(compare(models).pairwise().to_html())
    (text,) = set(descriptions(page))
    (table,) = page.tables
    assert len(table["rows"]) == 3
    for _, row in table["rows"]:
        for column in ("difference", "95% interval", "adjusted p"):
            assert f"{column} {row[column][0]}" in text
    systems = compare_systems(
        Y,
        {"good": Y, "fair": np.where(np.arange(len(Y)) % 9, Y, 2)},
        n_resamples=99,
        random_state=0,
    )
    page = Page(systems.to_html())
    (text,) = set(descriptions(page))
    for name, row in page.rows("Systems by cem_ord").items():
        cells = ", ".join(f"{column} {cell}" for column, (cell, _) in row.items() if cell)
        assert f"{name}: {cells}" in text


def test_ranks_leave_no_place_out():
    comparison = compare({**MODELS, "same svm": SVC()})
    rows = Page(comparison.to_html()).rows("Means by cem_ord")
    places = []
    for row in rows.values():
        first, _, last = row["rank"][0].partition("-")
        places.append((int(first), int(last or first)))
    assert min(places)[0] == 1
    assert max(places)[1] == len(table(comparison, "cem_ord"))
    ordered = sorted(set(places))
    assert all(before[1] + 1 == after[0] for before, after in pairwise(ordered))
    assert rows["svm"]["rank"] == rows["same svm"]["rank"]
    shared = next(name for name in rows if " = " in name)
    first, last = map(int, rows[shared]["rank"][0].split("-"))
    assert last - first + 1 == shared.count(" = ") + 1
    frame = comparison.to_frame()
    assert frame["rank"][frame["against"].isna()].tolist() == sorted(
        row.rank for row in table(comparison, "cem_ord").values()
    )


def test_the_text_alternative_of_groups_has_the_strings_of_its_table():
    by = np.where(np.arange(len(Y)) % 2, "A", "B")
    pred = np.where(np.arange(len(Y)) % 9, Y, 2)
    report = GroupReport.from_predictions(
        Y, pred, by=by, metrics="cem_ord", n_permutations=99, random_state=0
    )
    page = Page(report.to_html())
    (text,) = set(descriptions(page))
    table = page.rows("cem_ord")
    assert set(table) == {"A", "B", "overall"}
    for name, row in table.items():
        assert f"{name}: " in text
        for column in ("samples", "value", "95% interval"):
            assert f"{column} {row[column][0]}" in text
