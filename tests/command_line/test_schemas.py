"""The JSON that the commands print has the schemas in the documentation."""

import json
from pathlib import Path

import pytest

from sklearn_ordinal._command_line import main

jsonschema = pytest.importorskip("jsonschema", reason="validates JSON")
SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
NAMES = ["report", "report_by", "compare", "metrics", "metric"]


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
    # Keys that a report only has with unanswered samples; other keys are names of classes.
    optional = {"unanswered", "answered", "of_answered"} if name == "report" else set()
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
