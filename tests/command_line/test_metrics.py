"""The command ``metrics``: the catalogue, and the description of a metric."""

import json
import re

import pytest
from sklearn.metrics import get_scorer_names as sklearn_names

from sklearn_ordinal import get_metric, get_metric_names
from sklearn_ordinal._command_line.program import main
from tests.reports.test_contract import rows_of_latex, rows_of_markdown, rows_of_page


def run(capsys, *arguments):
    assert main(["metrics", *arguments]) == 0
    return capsys.readouterr().out


def error_of(capsys, *arguments):
    assert main(["metrics", *arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.count("\n") == 1
    return printed.err.removeprefix("sklearn-ordinal: error: ").rstrip()


def test_the_catalogue_has_a_row_with_the_full_name_of_each_metric(capsys):
    text = run(capsys)
    assert max(map(len, text.splitlines())) <= 80
    rows = {line.split()[0]: line for line in text.splitlines() if line}
    assert set(get_metric_names()) <= set(rows)
    assert rows["cem_ord"].split() == ["cem_ord", "higher", "0", "to", "1", *"IMBU"]
    assert rows["quadratic_weighted_kappa"].split()[1:] == ["higher", "-1", "to", "1", "0", "S"]
    assert rows["ordinal_mean_absolute_error"].split()[1:5] == ["lower", "0", "to", "4"]
    assert "log_loss" in text.partition("Criteria of probabilities")[2]
    assert text.endswith("sklearn-ordinal metrics NAME describes one of them.\n")


def test_each_letter_of_the_catalogue_is_explained(capsys):
    tables, _, legend = run(capsys).partition("Properties: ")
    letters = set(re.findall(r" ([A-Zm])(?= |$)", tables, flags=re.M))
    assert letters == set(re.findall(r"(?:^|\s)(\w),\s", legend))


def test_all_formats_have_the_rows_of_the_catalogue(capsys):
    names = set(get_metric_names())
    assert names <= set(rows_of_page(run(capsys, "--format=html")))
    assert names <= set(rows_of_markdown(run(capsys, "--format=markdown")))
    assert names <= set(rows_of_latex(run(capsys, "--format=latex")))
    assert {row.split(",")[0] for row in run(capsys, "--format=csv").splitlines()[1:]} == names


def test_the_json_of_the_catalogue_has_what_get_metric_knows(capsys):
    found = json.loads(run(capsys, "--format=json"))["result"]["metrics"]
    assert set(found) == set(get_metric_names())
    for name, facts in found.items():
        metric = get_metric(name)
        assert facts["evidence"] == metric.evidence.name
        better = {True: "higher", False: "lower", None: "neither"}
        assert facts["better"] == better[metric.greater_is_better]
        assert facts["scorer"] == metric.scorer_name
        assert facts["properties"] == {each: getattr(metric, each) for each in facts["properties"]}
        assert re.search(r"\(\d{4}\)$|^scikit-learn$", facts["source"])
    assert found["cem_ord_adjusted"]["range"] == [None, 1]
    assert found["mutual_information"]["range_depends_on_n_classes"]
    assert found["within_1_accuracy"]["fixed_options"] == {"n": 1}


def test_a_description_says_what_the_metric_is(capsys):
    text = run(capsys, "macro_averaged_mean_absolute_error")
    assert text.startswith("macro_averaged_mean_absolute_error\n====")
    assert "Baccianella" in text.partition("References\n---")[2]
    for row in (
        r"takes +predicted classes",
        r"better +lower",
        r"range +0 to 4 \(5 classes\)",
        r"scorer +neg_macro_averaged_mean_absolute_error",
        r"function +sklearn_ordinal\.metrics\.macro_averaged_mean_absolute_error",
    ):
        assert re.search(f"^{row}$", text, flags=re.M)
    assert "the shares of the true classes do not matter" in " ".join(text.split())
    assert ">>> macro_averaged_mean_absolute_error(" in text
    assert run(capsys, "neg_macro_averaged_mean_absolute_error") == text


@pytest.mark.parametrize("name", get_metric_names())
def test_a_description_has_the_docstring_as_it_is(name, capsys):
    docstring = json.loads(run(capsys, name, "--format=json"))["result"]["docstring"]
    assert docstring in run(capsys, name)


def test_names_of_scikit_learn_are_described_in_short(capsys):
    for name in ("f1_weighted", "neg_mean_absolute_error", "roc_auc_ovr"):
        assert name in sklearn_names()
        text = run(capsys, name)
        assert "function  sklearn.metrics." in text
        assert "range     not known" in text
        assert "Parameters" not in text


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("qwk", "quadratic_weighted_kappa"),
        ("cem_rod", "cem_ord, cem_nom or cem_ord_flat"),
        ("kappa", "fleiss_kappa, linear_weighted_kappa or quadratic_weighted_kappa"),
        ("f1_micr", "f1_micro or f1_macro"),
    ],
)
def test_an_unknown_name_gives_the_near_ones(name, near, capsys):
    assert error_of(capsys, name) == (
        f"there is no metric {name!r}: did you mean {near}? "
        "sklearn-ordinal metrics lists all names."
    )


def test_a_name_that_is_near_to_none_says_where_all_are(capsys):
    expected = "there is no metric 'xyzzy': sklearn-ordinal metrics lists all names."
    assert error_of(capsys, "xyzzy") == expected


def test_a_metric_that_needs_an_option_says_so(capsys):
    assert error_of(capsys, "expected_cost_loss").startswith("expected_cost_loss needs cost_matrix")
