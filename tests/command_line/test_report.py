"""The command ``report`` gives the report of the same data in Python."""

import json

import numpy as np
import polars as pl
import pytest

from sklearn_ordinal import OrdinalReport
from sklearn_ordinal._command_line import main

LABELS = ["low", "mid", "high"]
SCALE = ("--labels", "low,mid,high")
COLUMNS = ("--true", "grade", "--pred", "predicted")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 3, 60)
    predicted = np.clip(grades + rng.integers(-1, 2, 60), 0, 2)
    return pl.DataFrame(
        {
            "id": [f"d{i}" for i in range(60)],
            "grade": [LABELS[i] for i in grades],
            "predicted": [LABELS[i] for i in predicted],
            "weight": rng.integers(1, 4, 60) / 2,
            "country": rng.choice(["fr", "de", "10"], 60),
        }
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments, code=0):
    assert main([*map(str, arguments)]) == code
    return capsys.readouterr()


def result(capsys, *arguments):
    printed = run(capsys, "report", *arguments, "--format", "json")
    return json.loads(printed.out)["result"]


def error(capsys, *arguments):
    printed = run(capsys, "report", *arguments, code=2)
    assert not printed.out
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("sklearn-ordinal: error: ")
    return printed.err.removeprefix("sklearn-ordinal: error: ").rstrip()


def write(folder, name, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    (folder / name).write_bytes(data)
    return name


def expected(data, **options):
    report = OrdinalReport.from_predictions(
        data["grade"].to_list(), data["predicted"].to_list(), labels=LABELS, **options
    )
    return json.loads(json.dumps(report.to_dict()))


def save(data, name):
    suffix = name.rpartition(".")[2]
    {
        "csv": data.write_csv,
        "tsv": lambda path: data.write_csv(path, separator="\t"),
        "parquet": data.write_parquet,
        "jsonl": data.write_ndjson,
        "ndjson": data.write_ndjson,
    }[suffix](name)
    return name


@pytest.mark.parametrize("name", ["a.csv", "a.TSV", "a.parquet", "a.jsonl", "a.ndjson"])
def test_all_file_formats_give_the_same_report(name, data, folder, capsys):
    save(data, name.lower())
    (folder / name.lower()).rename(folder / name)
    assert result(capsys, name, *COLUMNS, *SCALE) == expected(data)


def test_weights_are_those_of_the_rows(data, capsys):
    for name in ("a.csv", "a.parquet", "a.jsonl"):
        found = result(capsys, save(data, name), *COLUMNS, *SCALE, "--weight", "weight")
        assert found == expected(data, sample_weight=data["weight"].to_numpy())
