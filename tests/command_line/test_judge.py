"""The command ``judge``: judges in files, beside human raters."""

from functools import partial

import numpy as np
import pytest

pl = pytest.importorskip("polars", reason="reads files")

from sklearn_ordinal import OrdinalRatings, compare_judge  # noqa: E402
from sklearn_ordinal._command_line.program import main  # noqa: E402
from tests.command_line import calls  # noqa: E402

LABELS = ["low", "mid", "high"]
RNG = np.random.default_rng(0)
CODES = np.clip(RNG.integers(0, 3, (40, 1)) + RNG.integers(-1, 2, (40, 5)), 0, 2)
ITEMS = [f"e{i}" for i in range(40)]
ROWS = {
    "item": np.repeat(ITEMS, 3).tolist(),
    "rater": ["Ann", "Bob", "Cy"] * 40,
    "grade": [LABELS[code] if k % 7 else None for k, code in enumerate(CODES[:, :3].ravel())],
    "w": np.repeat(np.arange(40) % 2 + 1, 3).tolist(),
    "week": np.repeat(["w1", "w2"] * 20, 3).tolist(),
}
SMALL = [LABELS[code] if k % 9 else None for k, code in enumerate(CODES[:, 3])]
LARGE = [LABELS[code] for code in CODES[:, 4]]
NAMED = ["--labels=low,mid,high"]


def write(name, rows):
    pl.DataFrame(rows).write_csv(name)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("grades.csv", ROWS)
    write("small.csv", {"item": ITEMS, "grade": SMALL})
    write("large.csv", {"item": ITEMS[::-1], "grade": LARGE[::-1]})
    return tmp_path


run, error_of = (partial(call, "judge") for call in (calls.run, calls.error_of))


def expected(sample_weight=None, by=None, **options):
    ratings = OrdinalRatings.from_table(
        pl.DataFrame(ROWS), labels=LABELS, sample_weight=sample_weight
    )
    judges = {
        name: dict(zip(ITEMS, grades, strict=True))
        for name, grades in (("small", SMALL), ("large", LARGE))
    }
    by = None if by is None else dict(zip(ROWS["item"], ROWS[by], strict=True))
    return compare_judge(ratings, judges, by=by, **options).to_dict()


def test_files_are_compared_as_compare_judge_compares_tables(capsys):
    result, warnings = run(capsys, "grades.csv", "small.csv", "large.csv", *NAMED)
    assert result == expected(metrics=["cem_ord", "quadratic_weighted_kappa"])
    assert not warnings


def test_options_reach_compare_judge(capsys):
    options = ["--weight=w", "--by=week", "--metrics=accuracy,cem_ord", "--closeness=accuracy"]
    options += ["--epsilon=0", "--alpha=0.1"]
    result, _ = run(capsys, "grades.csv", "small.csv", "large.csv", *NAMED, *options)
    assert result == expected(
        sample_weight="w",
        by="week",
        metrics=["accuracy", "cem_ord"],
        closeness="accuracy",
        epsilon=0,
        alpha=0.1,
    )


def test_columns_may_have_other_names_and_integers_need_no_labels(capsys):
    codes = {
        "essay": ROWS["item"],
        "teacher": ROWS["rater"],
        "mark": [f"0{code}.0" for code in CODES[:, :3].ravel()],
    }
    write("codes.csv", codes)
    write("own.csv", {"essay": ITEMS, "mark": CODES[:, 4]})
    columns = ["--item=essay", "--rater=teacher", "--grade=mark"]
    result, _ = run(capsys, "codes.csv", "own.csv", *columns, "--metrics=accuracy")
    report = compare_judge(
        OrdinalRatings.from_ratings(CODES[:, :3]), CODES[:, 4], metrics="accuracy"
    )
    footing = report.footing["accuracy"]["judge"]["all humans"]
    (own,) = (
        row["estimate"]
        for row in result["values"]
        if (row["criterion"], row["against"], row["what"]) == ("accuracy", None, "value")
    )
    assert own == pytest.approx(footing.judge.estimate)


def test_items_without_ratings_are_left_out_with_a_warning(capsys):
    write("more.csv", {"item": [*ITEMS, "x1", "x2"], "grade": [*LARGE, "low", "mid"]})
    _, warnings = run(capsys, "grades.csv", "more.csv", *NAMED)
    assert "more.csv has 2 items that grades.csv does not have, such as 'x1': left out" in warnings
    assert warnings.count("left out") == 1


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"item": ITEMS[:1] * 40}, [], "bad.csv has several grades for item 'e0': leave one grade"),
        ({"item": ["", *ITEMS[1:]]}, [], "of bad.csv has 1 of 40 rows without an item: fill"),
        (
            {"item": [f"x{k}" for k in range(40)]},
            [],
            "40 of 40 items have none, such as 'e0': its items are such as 'x0'; use the same ids",
        ),
        ({"item": [*ITEMS[:38], "x", "y"]}, [], "2 of 40 items have none, such as 'e38': add rows"),
        ({"item": ["x", *ITEMS[1:]]}, [], "1 of 40 items has none, such as 'e0': add rows"),
        ({"grade": [None] * 40}, [], "column 'grade' of bad.csv has no grade: name"),
        ({"grade": ["NA", *LARGE[1:]]}, [], "'grade' of bad.csv has 'NA' in 1 of 40 rows: leave"),
        (
            {"grade": ["REFUSED", "top", *LARGE[2:]]},
            [],
            "column 'grade' of bad.csv has 2 of 40 grades that are not among low, mid, high: "
            "'REFUSED', 'top': use --unknown count if these are no grades, such as refusals, or "
            "give all classes with --labels.",
        ),
        (
            {"grade": ["no"] * 40},
            ["--unknown=count"],
            "column 'grade' of bad.csv has no grade that is among low, mid, high: name the column",
        ),
        (
            {},
            ["--unanswered=omit", "--unknown=count"],
            "--unanswered omit leaves out items without a grade, which --unknown count counts",
        ),
        ({}, ["--grade=mark"], "grades.csv has no column 'mark'"),
        ({}, ["--by=rater"], "must have the same group in all rows of an item, but differs for"),
        ({}, ["--by=month"], "grades.csv has no column 'month'"),
        ({}, ["--epsilon=2"], "argument --epsilon: expected a number from 0 to 1, got '2'"),
        ({}, ["--epsilon=x"], "argument --epsilon: expected a number from 0 to 1, got 'x'"),
        ({}, ["--closeness=kappa"], "argument --closeness: invalid choice: 'kappa'"),
        ({}, ["--metrics=log_loss"], "log_loss is a metric of probabilities"),
    ],
)
def test_odd_files_and_options_are_one_line(change, options, message, capsys):
    write("bad.csv", {"item": ITEMS, "grade": LARGE} | change)
    line = error_of(capsys, "grades.csv", "bad.csv", *NAMED, *options)
    assert message in line.replace("sklearn-ordinal: warning: ", "")


@pytest.mark.parametrize("options", [[], ["--unknown=count"]])
def test_a_refusal_of_a_human_can_only_be_left_out(options, capsys):
    write("refused.csv", ROWS | {"grade": ["REFUSED", *ROWS["grade"][1:]]})
    assert error_of(capsys, "refused.csv", "small.csv", *NAMED, *options) == (
        "column 'grade' of refused.csv has 1 of 103 rows with classes that are not among low, mid, "
        "high: 'REFUSED'; --labels must name all classes, or leave these rows out of the file if "
        "the value means that there is no class."
    )


def test_refusals_count_as_missing_grades_only_if_this_is_declared(capsys):
    refusals = ["REFUSED", "NA", *LARGE[2:]]
    write("free.csv", {"item": ITEMS, "grade": refusals})
    missing = {"free": dict(zip(ITEMS, [None, None, *LARGE[2:]], strict=True))}
    ratings = OrdinalRatings.from_table(pl.DataFrame(ROWS), labels=LABELS)
    metrics = ["cem_ord", "quadratic_weighted_kappa"]
    counted = compare_judge(ratings, missing, metrics=metrics, unanswered="count").to_dict()
    result, _ = run(capsys, "grades.csv", "free.csv", *NAMED, "--unknown=count")
    assert result == counted
    write("free.csv", {"item": ITEMS, "grade": ["", "", *LARGE[2:]]})
    result, _ = run(capsys, "grades.csv", "free.csv", *NAMED, "--unanswered=count")
    assert result == counted
    for options in ([], ["--unanswered=omit"]):
        result, _ = run(capsys, "grades.csv", "free.csv", *NAMED, *options)
        assert result == compare_judge(ratings, missing, metrics=metrics).to_dict()


def test_judges_need_different_names(folder, capsys):
    (folder / "more").mkdir()
    write("more/small.csv", {"item": ITEMS, "grade": LARGE})
    assert error_of(capsys, "grades.csv", "small.csv", "more/small.csv", *NAMED) == (
        "small.csv and more/small.csv would both be named 'small': rename one of them."
    )
    write("Ann.csv", {"item": ITEMS, "grade": LARGE})
    assert "got 'Ann': rename it." in error_of(capsys, "grades.csv", "Ann.csv", *NAMED)


def test_a_page_is_written(folder, capsys):
    files = ["grades.csv", "small.csv"]
    assert main(["judge", *files, *NAMED, "--output=out.html"]) == 0
    assert not capsys.readouterr().out
    assert "small in place of a human" in (folder / "out.html").read_text(encoding="utf-8")
