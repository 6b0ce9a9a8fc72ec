"""The command ``agreement``: the grades of several raters in a file."""

from functools import partial

import numpy as np
import pytest

pl = pytest.importorskip("polars", reason="reads files")

from sklearn_ordinal import OrdinalRatings, agreement_report  # noqa: E402
from sklearn_ordinal._command_line.program import main  # noqa: E402
from tests.command_line import calls  # noqa: E402

LABELS = ["low", "mid", "high"]
RNG = np.random.default_rng(0)
CODES = np.clip(RNG.integers(0, 3, (40, 1)) + RNG.integers(-1, 2, (40, 3)), 0, 2)
ROWS = {
    "item": [f"e{i}" for i in range(40) for _ in range(3)],
    "rater": ["Ann", "Bob", "Cy"] * 40,
    "grade": [LABELS[code] if k % 7 else None for k, code in enumerate(CODES.ravel())],
    "w": [1 + i % 2 for i in range(40) for _ in range(3)],
    "book": [f"b{i // 4}" for i in range(40) for _ in range(3)],
    "kind": ["new" if i < 16 else "old" for i in range(40) for _ in range(3)],
}
NAMED = ["--labels=low,mid,high"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(ROWS).write_csv("grades.csv")
    return tmp_path


run, error_of = (partial(call, "agreement") for call in (calls.run, calls.error_of))


def expected(labels=LABELS, sample_weight=None, clusters=None, strata=None, **options):
    columns = {"sample_weight": sample_weight, "clusters": clusters, "strata": strata}
    ratings = OrdinalRatings.from_table(pl.DataFrame(ROWS), labels=labels, **columns)
    return agreement_report(ratings, **options).to_dict()


def test_a_file_is_reported_as_agreement_report_reports_a_table(capsys):
    result, warnings = run(capsys, "grades.csv", *NAMED)
    assert result == expected()
    assert not warnings


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl", ".parquet"])
def test_every_format_is_read_alike(suffix, capsys):
    frame, path = pl.DataFrame(ROWS), f"grades{suffix}"
    if suffix == ".parquet":
        frame.with_columns(pl.col("grade").cast(pl.Enum(LABELS))).write_parquet(path)
    elif suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path, separator="\t")
    # The type of the parquet column has an order.
    labels = [] if suffix == ".parquet" else NAMED
    assert run(capsys, path, *labels)[0] == expected()


def test_clusters_and_strata_are_columns_of_the_items(capsys):
    result, _ = run(capsys, "grades.csv", *NAMED, "--clusters=book", "--strata=kind")
    assert result == expected(clusters="book", strata="kind")
    assert result["n_clusters"] == 10
    result, _ = run(capsys, "grades.csv", *NAMED, "--by=kind")
    assert result == expected(by=dict(zip(ROWS["item"], ROWS["kind"], strict=True)))
    text = error_of(capsys, "grades.csv", *NAMED, "--clusters=rater")
    assert "column 'rater' of grades.csv must have the same cluster in all rows of an item" in text


def test_options_reach_agreement_report(capsys):
    renamed = {"item": "essay", "rater": "teacher", "grade": "mark"}
    pl.DataFrame(ROWS).rename(renamed).write_csv("marks.csv")
    columns = [f"--{name}={column}" for name, column in renamed.items()]
    options = ["--weight=w", "--metrics=cem_ord,kendall_tau_b", "--weights=linear"]
    options += ["--level=nominal", "--n-resamples=99", "--confidence-level=0.9", "--random-state=3"]
    result, _ = run(capsys, "marks.csv", *NAMED, *columns, *options)
    assert result == expected(
        sample_weight="w",
        metrics=["cem_ord", "kendall_tau_b"],
        weights="linear",
        level="nominal",
        n_resamples=99,
        confidence_level=0.9,
        random_state=3,
    )


def test_integers_need_no_labels(capsys):
    codes = pl.DataFrame(ROWS | {"grade": [f"0{code}.0" for code in CODES.ravel()]})
    codes.write_csv("codes.csv")
    result, _ = run(capsys, "codes.csv")
    report = agreement_report(OrdinalRatings.from_ratings(CODES, raters=["Ann", "Bob", "Cy"]))
    # The items are in another order.
    found = {row["criterion"]: row["estimate"] for row in result["values"] if not row["rater"]}
    for name, interval in report.coefficients.items():
        assert found[name] == pytest.approx(interval.estimate)


def test_repeated_grades_are_an_error_or_runs_of_a_judge(capsys):
    rows = pl.DataFrame(ROWS).with_columns(rater=pl.lit("judge"))
    rows.write_csv("runs.csv")
    assert error_of(capsys, "runs.csv", *NAMED).startswith("column 'rater' of runs.csv has one ra")
    result, _ = run(capsys, "runs.csv", *NAMED, "--repeats=runs")
    assert list(result["n_graded"]) == [f"judge, run {k}" for k in (1, 2, 3)]
    pl.concat([pl.DataFrame(ROWS)] * 2).write_csv("twice.csv")
    assert error_of(capsys, "twice.csv", *NAMED) == (
        "twice.csv has several grades of rater 'Bob' for item 'e0', and 101 more such pairs: use "
        "--repeats runs if these are repeated runs of a judge."
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_columns_that_tell_repeated_grades_apart_are_named(suffix, capsys):
    def write(**columns):
        repeats = [list(rows) * 6 for rows in ROWS.values()]
        frame = pl.DataFrame(dict(zip(ROWS, repeats, strict=True)) | columns)
        getattr(frame, f"write_{suffix}")(f"long.{suffix}")

    def message():
        return error_of(capsys, f"long.{suffix}", *NAMED).partition("such pairs: ")[2].rstrip()

    six = ["style", "facts", "tone", "length", "logic", "other"]
    remark = [f"remark {k}" for k in range(720)]
    write(remark=remark, criterion=[name for name in six for _ in range(120)])
    use_runs = "use --repeats runs if these are repeated runs of a judge."
    assert message() == "'criterion' tells them apart, so write a file for each value."
    write(
        remark=remark,
        run=[k // 120 % 2 for k in range(720)],
        criterion=[six[k // 240] for k in range(720)],
    )
    assert message() == "'criterion' and 'run' tell them apart, so write a file for each value."
    # Neither remarks nor pages divide the grades.
    write(remark=remark, page=["1"] * 720)
    assert message() == use_runs
    if suffix == "parquet":
        write(criterion=[name for name in six for _ in range(120)], tags=[["a"]] * 720)
        assert message().startswith("'criterion' tells them apart")


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"item": ["", *ROWS["item"][1:]]}, NAMED, "of bad.csv has 1 of 120 rows without an item"),
        (
            {"rater": ["", *ROWS["rater"][1:]]},
            NAMED,
            "of bad.csv has 1 of 120 rows without a rater",
        ),
        ({"grade": [None] * 120}, NAMED, "column 'grade' of bad.csv has no grade: name"),
        ({"grade": ["3"] * 120}, [], "has the single class 3: give all classes from the lowest"),
        ({}, [], "'grade' of bad.csv has classes that are not integers"),
        ({}, ["--labels=low,mid"], "classes that are not among low, mid: 'high'; --labels must"),
        (
            {"grade": ["NA", "nan", *ROWS["grade"][2:]]},
            NAMED,
            "column 'grade' of bad.csv has 'NA', 'nan' in 2 of 103 rows: leave the field empty",
        ),
        ({"w": range(120)}, [*NAMED, "--weight=w"], "the same weight in all rows of an item, but"),
        ({}, [*NAMED, "--weight=rater"], "column 'rater' must hold finite, non-negative numbers"),
        ({}, [*NAMED, "--grade=mark"], "bad.csv has no column 'mark'; it has 'item', 'rater'"),
        ({}, [*NAMED, "--metrics=log_loss"], "log_loss is a metric of probabilities"),
        ({}, [*NAMED, "--weights=cubic"], "argument --weights: invalid choice: 'cubic'"),
        ({}, [*NAMED, "--n-resamples=-1"], "--n-resamples: expected an integer from 0, got '-1'"),
        (
            {"item": [f"i{k}" for k in range(120)]},
            NAMED,
            "ratings must have at least one item with two grades, but none of the 120 items has",
        ),
    ],
)
def test_odd_files_and_options_are_one_line(change, options, message, capsys):
    pl.DataFrame(ROWS | change).write_csv("bad.csv")
    assert message in error_of(capsys, "bad.csv", *options)


def test_nan_in_files_with_types_is_no_grade(capsys):
    codes = [float(LABELS.index(grade)) if grade else np.nan for grade in ROWS["grade"]]
    pl.DataFrame(ROWS | {"grade": codes}).write_parquet("codes.parquet")
    result, _ = run(capsys, "codes.parquet")
    assert result["n_items_by_grades"] == expected()["n_items_by_grades"]


def test_a_placeholder_may_be_a_class(capsys):
    grades = ["none" if grade == "low" else grade for grade in ROWS["grade"]]
    pl.DataFrame(ROWS | {"grade": grades}).write_csv("words.csv")
    result, _ = run(capsys, "words.csv", "--labels=none,mid,high")
    assert result["values"] == expected()["values"]


def test_a_page_is_written(folder, capsys):
    assert main(["agreement", "grades.csv", *NAMED, "--output=out.html"]) == 0
    assert not capsys.readouterr().out
    assert "Each rater against the others" in (folder / "out.html").read_text(encoding="utf-8")
