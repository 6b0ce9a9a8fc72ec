"""The command ``check`` says by its exit code whether new predictions are worse."""

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalReport, report_change
from sklearn_ordinal._command_line.program import main

OLD = [[80, 15, 5], [10, 70, 20], [5, 15, 80]]
NEW = [[40, 25, 15], [10, 60, 30], [5, 25, 90]]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, counts in (("last", OLD), ("this", NEW), ("same", OLD), ("more", np.array(OLD) * 90)):
        OrdinalReport.from_confusion(OrdinalConfusion.from_counts(counts)).to_json(f"{name}.json")
    return tmp_path


def run(capsys, *arguments):
    code = main(["check", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("new", "options", "code", "claim"),
    [
        ("this", (), 1, "worse"),
        ("this", ("--margin", "0.04"), 1, "worse"),
        ("this", ("--margin=0.06",), 0, "cannot tell"),
        ("this", ("--margin=0.06", "--strict"), 1, "cannot tell"),
        ("this", ("--margin", ".2"), 0, "not worse by more than the margin"),
        ("this", ("--margin", ".2", "--strict"), 0, "not worse by more than the margin"),
        ("same", (), 0, "cannot tell"),
        ("same", ("--strict",), 1, "cannot tell"),
    ],
)
def test_the_exit_code_is_1_if_the_whole_interval_is_worse(new, options, code, claim, capsys):
    arguments = (f"{new}.json", "--against", "last.json", "--metric", "cem_ord", *options)
    found, out, err = run(capsys, *arguments)
    assert (found, err) == (code, "")
    first, *lines = out.splitlines()
    assert first == claim
    assert max(map(len, lines)) <= 80
    text = " ".join(lines)
    assert "Saved counts do not record clusters" in text
    difference = report_change(OrdinalConfusion.from_counts(OLD), f"{new}.json", "cem_ord")
    assert f"{difference.differences['cem_ord'].estimate:+.3f}".replace("+0.000", "0.000") in text


@pytest.mark.parametrize("name", ["ordinal_mean_absolute_error", "neg_ordinal_mean_absolute_error"])
def test_the_sign_is_turned_where_lower_is_better(name, capsys):
    code, out, _ = run(capsys, "this.json", "--against", "last.json", "--metric", name)
    assert (code, out.splitlines()[0]) == (1, "worse")
    assert "lower is better" in " ".join(out.split())
    code, out, _ = run(capsys, "last.json", "--against", "this.json", "--metric", name)
    assert (code, out.splitlines()[0]) == (0, "not worse by more than the margin")


def test_a_part_that_is_always_0_is_not_shown_to_matter(capsys):
    arguments = ("this.json", "--against", "last.json", "--metric")
    _, out, err = run(capsys, *arguments, "macro_averaged_mean_absolute_error")
    text = " ".join(out.split())
    assert "The predictions account for +0.193 (p < 0.001); other class sizes are not" in text
    assert ("nan" in text, err) == (False, "")


def test_classes_that_the_new_samples_lack_are_named_instead_of_the_parts(capsys):
    counts = OrdinalConfusion.from_counts([[90, 10, 0], [20, 70, 10], [0, 0, 0]])
    report = OrdinalReport.from_confusion(counts, metrics="accuracy", zero_division=0.0)
    report.to_json("incomplete.json")
    arguments = ("incomplete.json", "--against", "last.json", "--metric", "accuracy")
    _, out, _ = run(capsys, *arguments)
    text = " ".join(out.split())
    assert "since the new samples lack the class 2." in text
    assert "account for" not in text
    assert "nan" not in text


def test_the_reports_of_the_command_can_be_checked(folder, capsys):
    pytest.importorskip("polars")
    rows = "".join(f"{i % 3},{i * i % 3},{'ab'[i % 2]}\n" for i in range(60))
    (folder / "results.csv").write_text(f"grade,answer,country\n{rows}", encoding="utf-8")
    report = ["report", "results.csv", "--true", "grade", "--pred", "answer", "--metrics"]
    assert main([*report, "accuracy", "--output", "first.json"]) == 0
    assert main([*report, "accuracy", "--output", "groups.json", "--by", "country"]) == 0
    code, out, _ = run(capsys, "first.json", "--against", "first.json", "--metric", "cem_ord")
    assert (code, out.splitlines()[0]) == (0, "cannot tell")
    code, out, err = run(capsys, "groups.json", "--against", "first.json", "--metric", "cem_ord")
    assert (code, out) == (2, "")
    assert "write it with sklearn-ordinal report --format json, without --by" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("this.json", "--metric", "cem_ord"), "required: --against"),
        (("this.json", "--against", "last.json"), "required: --metric"),
        (("no.json", "--against", "last.json", "--metric", "cem_ord"), "no.json: No such file"),
        (
            ("this.json", "--against", "x.json", "--metric", "cem_ord"),
            "x.json is not a report that",
        ),
        (
            ("this.json", "--against", "x.csv", "--metric", "cem_ord"),
            "x.csv was not written by sklearn_ordinal, because it is not JSON: pass a file written "
            "by to_json.)\n",
        ),
        (
            ("this.json", "--against", "two.json", "--metric", "cem_ord"),
            "--against: two.json has the classes [0, 1] and this.json has [0, 1, 2]: write both",
        ),
        (
            ("clusters.json", "--against", "last.json", "--metric", "cem_ord"),
            "clusters.json comes from samples in clusters or strata, which saved counts do not",
        ),
        (("this.json", "--against", "last.json", "--metric", "qwk"), "there is no metric 'qwk'"),
        (
            ("this.json", "--against", "last.json", "--metric", "ordinal_bias"),
            "argument --metric: neither higher nor lower values of ordinal_bias are better",
        ),
        (
            ("this.json", "--against", "last.json", "--metric", "log_loss"),
            "argument --metric: last.json does not have the probabilities that log_loss needs",
        ),
        (
            ("this.json", "--against", "last.json", "--metric", "matthews_corrcoef"),
            "must have influences",
        ),
        (
            ("this.json", "--against", "last.json", "--metric", "cem_ord", "--margin=-1"),
            "argument --margin: expected a number of at least 0, got '-1'",
        ),
        (
            ("this.json", "--against", "last.json", "--metric", "cem_ord", "--margin=x"),
            "argument --margin: expected a number of at least 0, got 'x'",
        ),
    ],
)
def test_errors_are_one_line_and_exit_code_2(arguments, message, folder, capsys):
    (folder / "x.json").write_text("{}", encoding="utf-8")
    (folder / "x.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    OrdinalReport.from_confusion(OrdinalConfusion.from_counts([[3, 1], [2, 4]])).to_json("two.json")
    y = np.arange(12) % 3
    clustered = OrdinalConfusion.from_predictions(y, y[::-1], clusters=np.arange(12) // 2)
    OrdinalReport.from_confusion(clustered).to_json("clusters.json")
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_undefined_values_cannot_tell(capsys):
    one = OrdinalConfusion.from_counts([[3, 0, 0], [0, 0, 0], [0, 0, 0]])
    OrdinalReport.from_confusion(one, zero_division=0.0).to_json("one.json")
    code, out, err = run(capsys, "one.json", "--against", "last.json", "--metric", "kendall_tau_b")
    assert (code, out.splitlines()[0]) == (0, "cannot tell")
    assert "warning" in err


def test_larger_files_show_smaller_losses(capsys):
    counts = np.array(OLD) * 90 + np.array([[-900, 900, 0], [0, 0, 0], [0, 0, 0]])
    OrdinalReport.from_confusion(OrdinalConfusion.from_counts(counts)).to_json("worse.json")
    code, *_ = run(capsys, "worse.json", "--against", "more.json", "--metric", "cem_ord")
    assert code == 1
