"""The JSON that the commands print has the schemas in the documentation."""

import io
import json
from pathlib import Path

import pytest

from sklearn_ordinal import OrdinalReport
from sklearn_ordinal._command_line.program import main

jsonschema = pytest.importorskip("jsonschema", reason="validates JSON")
SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
NAMES = ["report", "report_by", "compare", "agreement", "judge", "metrics", "metric"]


def schema_of(name):
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def validate(name, content):
    jsonschema.Draft202012Validator(schema_of(name)).validate(content)


def printed(capsys, *arguments):
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def objects_of(schema):
    """Yield the parts of a schema that describe objects with fixed keys."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects_of(part)


def test_the_documentation_has_these_schemas():
    assert {path.stem for path in SCHEMAS.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_and_require_all_keys(name):
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    # Keys that a result only has with unanswered samples or weights; those of "report" may also be
    # names of classes.
    optional = {
        "report": {
            "unanswered",
            "answered",
            "of_answered",
            "n_samples",
            "diagnostics",
            "intervals",
        },
        "report_by": {"total_weights"},
        "compare": {"groups", "groups_left_out"},
        "agreement": {"total_weight", "groups"},
    }.get(name, set())
    for each in objects_of(schema):
        assert set(each["required"]) >= set(each["properties"]) - optional
        is_closed = each["additionalProperties"] is False
        assert is_closed or each["additionalProperties"] == {"$ref": "#/$defs/measures"}


@pytest.mark.parametrize(
    "arguments", [["metrics"], ["metrics", "cem_ord"], ["metrics", "f1_macro"]]
)
def test_metrics(arguments, capsys):
    validate("metric" if arguments[1:] else "metrics", printed(capsys, *arguments))


def test_every_metric_has_the_schema(capsys):
    names = printed(capsys, "metrics")["result"]["metrics"]
    for name in [*names, "f1_weighted", "roc_auc_ovr", "neg_mean_absolute_error"]:
        validate("metric", printed(capsys, "metrics", name))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Go to a folder with the true classes, and the predictions of two systems."""
    monkeypatch.chdir(tmp_path)
    rows = [("1", "0", "0", "A"), ("2", "1", "2", "A"), ("3", "2", "2", "B"), ("4", "1", "", "B")]
    rows += [("5", "0", "1", "A"), ("6", "2", "2", "B"), ("7", "0", "0", "B"), ("8", "1", "1", "A")]
    names = ("id", "grade", "answer", "country")
    for path, columns in {
        "gold": (0, 1),
        "a": (0, 1),
        "b": (0, 2),
        "all": range(4),
        "by": (0, 1, 3),
    }.items():
        lines = [names, *rows]
        text = "".join(",".join(row[i] for i in columns) + "\n" for row in lines)
        (tmp_path / f"{path}.csv").write_text(text, encoding="utf-8")
    rows = [
        f"{i},{rater},{(i + k) * i % 3},{i % 2}" for i in range(9) for k, rater in enumerate("abc")
    ]
    text = "\n".join(["item,rater,grade,rest", *rows, ""])
    (tmp_path / "grades.csv").write_text(text, encoding="utf-8")
    for name, grades in {"one": "012012012", "two": "000111222"}.items():
        text = "\n".join(["item,grade", *(f"{i},{grade}" for i, grade in enumerate(grades)), ""])
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")


REPORT = ["report", "all.csv", "--true=grade"]
SYSTEMS = ["a.csv", "b.csv", "--n-resamples=9"]
JUDGES = ["judge", "grades.csv", "one.csv", "two.csv"]
COMPARE = ["compare", "gold.csv", *SYSTEMS]
GROUPED = ["compare", "by.csv", *SYSTEMS, "--true=grade", "--by=country"]
CLUSTERED = ["compare", "by.csv", *SYSTEMS, "--true=grade", "--clusters=country"]


@pytest.mark.usefixtures("files")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("report", ["report", "gold.csv", "a.csv", "--true=grade", "--pred=grade", "--id=id"]),
        ("report", [*REPORT, "--pred=answer", "--unanswered=count"]),
        ("report", [*REPORT, "--pred=answer", "--unanswered=count", "--metrics=all"]),
        (
            "report",
            [*REPORT, "--pred=answer", "--unanswered=count", "--diagnostics", "--intervals"],
        ),
        (
            "report_by",
            [
                "report",
                "all.csv",
                "a.csv",
                "--true=grade",
                "--pred=grade",
                "--id=id",
                "--by=country",
            ],
        ),
        ("report_by", [*REPORT, "--pred=answer", "--by=country", "--unanswered=count"]),
        ("compare", [*COMPARE, "--unanswered=count"]),
        ("compare", [*CLUSTERED, "--unanswered=count"]),
        ("compare", [*GROUPED, "--unanswered=count"]),
        ("compare", [*COMPARE, "--unanswered=count", "--metrics=cem_ord,kendall_tau_b"]),
        ("compare", [*COMPARE, "--unanswered=count", "--metrics=cem_ord,ordinal_bias"]),
        ("compare", [*COMPARE, "--unanswered=count", "--metrics=neg_ordinal_mean_absolute_error"]),
        ("agreement", ["agreement", "grades.csv"]),
        ("agreement", ["agreement", "grades.csv", "--weight=item", "--n-resamples=9"]),
        ("agreement", ["agreement", "grades.csv", "--by=rest"]),
        ("judge", JUDGES),
        ("judge", [*JUDGES, "--by=rest"]),
    ],
)
def test_results(name, arguments, capsys):
    content = printed(capsys, *arguments)
    validate(name, content)
    criteria = {
        "agreement": "values",
        "judge": "values",
        "report_by": "values",
        "compare": "values",
    }.get(name, "criteria")
    # The version of the schema, and what has no place in it.
    for wrong in (
        {**content, "schema_version": 2},
        {**content, "another": 1},
        {**content, "result": {**content["result"], criteria: 1}},
        {**content, "result": {k: v for k, v in content["result"].items() if k != criteria}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            validate(name, wrong)


@pytest.mark.usefixtures("files")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [[], ["--weight=id"]])
def test_a_report_that_the_command_prints_is_read_back(options, capsys):
    arguments = [*REPORT, "--pred=answer", "--unanswered=count", *options]
    assert main([*arguments, "--format=json"]) == 0
    text = capsys.readouterr().out
    report = OrdinalReport.from_json(io.StringIO(text))
    assert report.to_json() == text
    assert main([*arguments, "--format=markdown"]) == 0
    assert capsys.readouterr().out == report.to_markdown()
