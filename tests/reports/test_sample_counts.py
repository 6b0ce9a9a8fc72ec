"""Reports show the number of samples beside their weight."""

import json

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalReport,
    compare_systems,
    cross_val_report,
)
from sklearn_ordinal.plotting import ErrorDistributionDisplay, OrdinalConfusionMatrixDisplay

TRUE, PRED = [0, 1, 2, 2, 1, 0] * 5, [0, 1, 2, 1, 1, 0] * 5
GROUP = ["few"] * 6 + ["many"] * 24
PROBA = np.eye(3)[PRED] * 0.7 + 0.1
OF_LABELS = {"y_pred": PRED, "metrics": "cem_ord"}
OF_PROBABILITIES = {"y_proba": PROBA, "metrics": "ranked_probability_score"}


def groups_of(weight, options=OF_LABELS):
    weights = None if weight is None else [weight] * 30
    return GroupReport.from_predictions(
        TRUE, by=GROUP, sample_weight=weights, n_permutations=9, random_state=0, **options
    )


def test_a_report_says_how_many_samples_have_which_weight():
    report = OrdinalReport.from_predictions(TRUE, PRED, sample_weight=[100.0] * 30)
    text = report.to_text()
    assert "\n30 samples with a total weight of 3,000, 3 classes" in text
    header = next(line for line in text.splitlines() if line.startswith("class "))
    assert header.split()[-2:] == ["n", "weight"]
    row = next(line for line in text.splitlines() if line.startswith("1 "))
    assert row.split()[-2:] == ["10", "1000"]
    assert "support" not in text
    assert [report.to_dict()[name]["n_samples"] for name in "012"] == [10, 10, 10]


def test_a_report_without_weights_has_the_support():
    text = OrdinalReport.from_predictions(TRUE, PRED).to_text()
    assert "\n30 samples, 3 classes" in text
    assert "support" in text


def test_sums_of_weights_are_called_weights_and_have_no_number():
    report = OrdinalReport.from_confusion(OrdinalConfusion.from_counts(np.eye(3) * 0.5))
    assert "\n1.5 total weight, 3 classes" in report.to_text()
    assert "samples" not in report.to_text()


@pytest.mark.parametrize("options", [OF_LABELS, OF_PROBABILITIES], ids=["labels", "probabilities"])
@pytest.mark.parametrize("weight", [100.0, 1 / 30])
def test_groups_have_a_number_and_a_weight_and_small_ones_are_named(weight, options):
    report, unweighted = groups_of(weight, options), groups_of(None, options)
    assert report.n_samples == unweighted.n_samples == {"few": 6, "many": 24}
    assert report.total_weights == pytest.approx({"few": 6 * weight, "many": 24 * weight})
    small = "Groups with fewer than 20 samples, whose intervals are too short: few (6)."
    assert small in report.to_text()
    assert small in unweighted.to_text()
    assert any("total weight" in line for line in report.to_text().splitlines()[1:])
    assert "total weight" not in unweighted.to_text()
    row = next(line for line in report.to_text().splitlines() if line.startswith("few  "))
    assert row.split()[1] == "6"
    assert report.to_dict()["groups"] == {"few": 6, "many": 24}
    assert report.to_dict()["total_weights"] == report.total_weights


def test_saved_reports_keep_the_sums_of_squared_weights(tmp_path):
    path = tmp_path / "report.json"
    weights = np.linspace(0.1, 3, 30)
    report = OrdinalReport.from_predictions(TRUE, PRED, sample_weight=weights)
    report.to_json(path)
    saved = OrdinalReport.from_json(path).confusion
    expected = np.zeros((3, 4))
    np.add.at(expected, (TRUE, PRED), weights**2)
    np.testing.assert_allclose(saved.squared_weights, expected, rtol=1e-12)
    assert saved == report.confusion


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (1e9, "squared_weights must be from"),
        (-1.0, "squared_weights must be from"),
        ({"float": "nan"}, "squared_weights must be from"),
        (None, "an array of dtype <f8 has items of another type"),
    ],
)
def test_saved_squared_weights_that_are_damaged_are_refused(item, message, tmp_path):
    path = tmp_path / "report.json"
    OrdinalReport.from_predictions(TRUE, PRED, sample_weight=[100.0] * 30).to_json(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    (confusion,) = content["fields"]["evidence"]
    confusion["fields"]["squared_weights"]["array"][0] = item
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        OrdinalReport.from_json(path)


def test_repeated_folds_count_each_sample_once():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import RepeatedStratifiedKFold

    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
    X = np.column_stack([TRUE, np.arange(30)])
    found = cross_val_report(LogisticRegression(), X, TRUE, cv=folds)
    # There are no errors, so that most criteria have no interval.
    with pytest.warns(UndefinedMetricWarning, match="no interval in closed form"):
        report = GroupReport.from_cross_val(found, by=GROUP, n_permutations=0)
    assert report.n_samples == {"few": 6, "many": 24}


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(10), 3)], ids=["samples", "groups"])
def test_systems_have_a_number_and_a_weight(groups):
    report = compare_systems(
        *(TRUE, {"a": PRED, "b": TRUE}),
        sample_weight=[0.5] * 29 + [0.0],
        clusters=groups,
        n_resamples=99,
        random_state=0,
    )
    assert report.n_samples == 29
    assert report.total_weight == 14.5
    assert "29 samples with a total weight of 14.5" in report.to_text()


def test_plots_say_how_many_samples_are_weighted():
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, sample_weight=[100.0] * 30)
    errors = ErrorDistributionDisplay.from_confusion(confusion)
    assert errors.ax_.get_xlabel().endswith("\nWeights of 30 samples")
    matrix = OrdinalConfusionMatrixDisplay.from_confusion(confusion)
    texts = [text.get_text() for text in matrix.figure_.findobj(lambda a: hasattr(a, "get_text"))]
    assert any("cells: weight of 30 samples" in text for text in texts)
