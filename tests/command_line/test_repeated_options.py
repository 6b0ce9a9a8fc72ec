"""Options that are given twice: columns of groups are combined, and all others are an error."""

import json
import re

import numpy as np
import pytest

pl = pytest.importorskip("polars", reason="reads files")

from sklearn_ordinal import GroupReport, compare_judge, compare_systems  # noqa: E402
from sklearn_ordinal._command_line.program import main  # noqa: E402
from sklearn_ordinal._core.grading import OrdinalRatings  # noqa: E402

RNG = np.random.default_rng(0)
N = 120
TRUE = RNG.integers(1, 4, N)
ROWS = {
    "id": [f"d{k:03}" for k in range(N)],
    "gold": TRUE,
    "pred": np.clip(TRUE + RNG.integers(-1, 2, N), 1, 3),
    "Region": RNG.choice(["north", "south", "east"], N),
    "Sex": RNG.choice(["F", "M"], N),
    "Wave, year": RNG.choice([9, 10], N),
    "weight": RNG.integers(1, 4, N),
    "patient": [f"p{k // 3:02}" for k in range(N)],
}
COLUMNS = ("--true=gold", "--pred=pred")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(ROWS).write_csv("a.csv")
    return tmp_path


def result(capsys, *arguments):
    assert main([*arguments, "--format=json"]) == 0
    return json.loads(capsys.readouterr().out)["result"]


def error(capsys, *arguments):
    assert main([*arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.count("\n") == 1
    return printed.err.removeprefix("sklearn-ordinal: error: ")


@pytest.mark.parametrize("by", [["--by=Region", "--by", "Sex"], ["--by=Region,Sex"]])
@pytest.mark.parametrize("options", [{}, {"sample_weight": "weight"}, {"clusters": "patient"}])
def test_several_columns_of_groups_are_combined_as_in_python(by, options, capsys):
    arguments = [f"--{name.removeprefix('sample_')}={column}" for name, column in options.items()]
    found = result(capsys, "report", "a.csv", *COLUMNS, *by, *arguments)
    report = GroupReport.from_predictions(
        ROWS["gold"],
        ROWS["pred"],
        by={name: ROWS[name] for name in ("Region", "Sex")},
        random_state=0,
        **{name: ROWS[column] for name, column in options.items()},
    )
    assert list(report.to_dict()["groups"])[:2] == ["east, F", "east, M"]
    expected = json.loads(json.dumps(report.to_dict()))
    for row, other in zip(found["values"], expected["values"], strict=True):
        assert [row[axis] for axis in GroupReport.axes] == [other[a] for a in GroupReport.axes]
        assert row["estimate"] == pytest.approx(other["estimate"])


def test_texts_and_pages_name_the_columns_of_groups_and_clusters_and_their_number(folder, capsys):
    report = ["report", "a.csv", *COLUMNS, "--clusters=patient"]
    frame = pl.DataFrame(ROWS)
    frame.drop("pred").write_csv("gold.csv")
    for name in ("first", "second"):
        frame.select("id", "pred").write_csv(f"{name}.csv")
    compare = ["compare", "gold.csv", "first.csv", "second.csv", "--true=gold", "--pred=pred"]
    for command, expected in (
        (report, "120 samples in 40 clusters by patient"),
        ([*report, "--by=Region,Sex"], "120 samples in 6 groups by Region and Sex, 40 clusters by"),
        (["report", "a.csv", *COLUMNS, "--by=Sex"], "120 samples in 2 groups by Sex, 3 classes"),
        (
            [*compare, "--clusters=patient", "--by=Sex", "--n-resamples=99"],
            "2 systems on 120 samples in 40 clusters by patient, 2 groups by Sex.",
        ),
    ):
        assert main(command) == 0
        assert expected in " ".join(capsys.readouterr().out.split())
        assert main([*command, "--output=a.html"]) == 0
        assert expected in " ".join((folder / "a.html").read_text(encoding="utf-8").split())


def test_a_column_with_a_comma_in_its_name_is_in_double_quotes(capsys):
    found = result(capsys, "report", "a.csv", *COLUMNS, '--by="Wave, year",Sex')
    assert list(found["groups"]) == ["9, F", "9, M", "10, F", "10, M"]
    assert error(capsys, "report", "a.csv", *COLUMNS, "--by=Wave, year").startswith(
        "a.csv has no column 'Wave'; it has 'id', 'gold'"
    )


@pytest.mark.parametrize("command", ["report", "compare", "judge"])
@pytest.mark.parametrize("by", [["--by=Sex,Sex"], ["--by=Sex", "--by=Sex"]])
def test_a_column_of_groups_that_is_named_twice_is_an_error(command, by, capsys):
    files = {"report": ["a.csv", *COLUMNS], "compare": ["a.csv"] * 3}.get(command, ["a.csv"] * 2)
    assert error(capsys, command, *files, *by) == (
        "argument --by: expected each name once, got 'Sex,Sex'; see sklearn-ordinal "
        f"{command} --help.\n"
    )


def test_systems_are_compared_in_combinations_of_groups(capsys):
    frame = pl.DataFrame(ROWS)
    frame.select("id", "pred").write_csv("first.csv")
    frame.select("id", pred=pl.col("gold").reverse()).write_csv("second.csv")
    frame.select("id", "gold", "Region", "Sex", "patient").write_csv("gold.csv")
    files = ("gold.csv", "first.csv", "second.csv", "--true=gold", "--n-resamples=99")
    found = result(capsys, "compare", *files, "--by=Region,Sex", "--clusters=patient")
    report = compare_systems(
        ROWS["gold"],
        {"first": ROWS["pred"], "second": ROWS["gold"][::-1]},
        by={name: ROWS[name] for name in ("Region", "Sex")},
        clusters=ROWS["patient"],
        n_resamples=99,
        random_state=0,
    )
    assert found == json.loads(json.dumps(report.to_dict()))
    assert "east, F" in found["groups"]


@pytest.mark.parametrize("columns", [["week"], ["week", "topic"]])
def test_judges_are_compared_in_combinations_of_groups(columns, capsys):
    items = [f"i{k:02}" for k in range(60)]
    groups = {"week": RNG.choice(["1", "2"], 60), "topic": RNG.choice(["a", "b"], 60)}
    grades = np.clip(RNG.integers(1, 4, (60, 1)) + RNG.integers(-1, 2, (60, 4)), 1, 3)
    rows = {"item": np.repeat(items, 3), "rater": ["x", "y", "z"] * 60}
    rows |= {"grade": grades[:, :3].ravel()}
    rows |= {name: np.repeat(values, 3) for name, values in groups.items()}
    pl.DataFrame(rows).sort("rater").write_csv("grades.csv")
    pl.DataFrame({"item": items, "grade": grades[:, 3]}).write_csv("judge.csv")
    by = [f"--by={column}" for column in columns]
    found = result(capsys, "judge", "grades.csv", "judge.csv", *by)
    names = [
        ", ".join(values) for values in zip(*(groups[column] for column in columns), strict=True)
    ]
    ratings = OrdinalRatings.from_table(pl.DataFrame(rows))
    report = compare_judge(
        ratings,
        {"judge": dict(zip(items, grades[:, 3].tolist(), strict=True))},
        metrics=["cem_ord", "quadratic_weighted_kappa"],
        by=dict(zip(items, names, strict=True)),
    )
    assert found["groups"] == json.loads(json.dumps(report.to_dict()["groups"]))


@pytest.mark.parametrize("command", ["report", "check", "compare", "agreement", "judge", "metrics"])
def test_all_other_options_are_given_once(command, capsys):
    assert main([command, "--help"]) == 0
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out.split("options:")[1]))
    options -= {"--help", "--by", "--metrics"} if command != "check" else {"--help"}
    values = {
        "--unanswered": "count",
        "--unknown": "count",
        "--quotes": "none",
        "--level": "ordinal",
    }
    values |= {"--closeness": "cem_ord", "--repeats": "runs", "--weights": "linear"}
    values |= {"--format": "json", "--labels": "1,2,3", "--overall": "pooled"}
    flags = {"--intervals", "--diagnostics", "--strict"}
    files = {"metrics": [], "agreement": ["a.csv"], "check": ["a.json", "--against=b.json"]}
    needed = {"report": ["--true=gold", "--pred=pred"], "check": ["--metric=cem_ord"]}
    assert len(options) > 1
    for option in sorted(options):
        value = [] if option in flags else [values.get(option, "0.5" if option in NUMBERS else "1")]
        others = [o for o in needed.get(command, []) if not o.startswith(f"{option}=")]
        arguments = [
            *files.get(command, ["a.csv", "a.csv"]),
            *others,
            option,
            *value,
            option,
            *value,
        ]
        assert error(capsys, command, *arguments) == (
            f"argument {option}: is given more than once: give it once; see sklearn-ordinal "
            f"{command} --help.\n"
        )


NUMBERS = {"--alpha", "--confidence-level", "--epsilon", "--margin"}
