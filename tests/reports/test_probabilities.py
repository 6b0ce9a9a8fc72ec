"""The sections of the report on probabilities and thresholds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from sklearn_ordinal import OrdinalReport, metrics, ordinal_report
from sklearn_ordinal._core.catalogue import METRICS, metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS, RATINGS
from sklearn_ordinal.datasets import load_lev
from tests.pages import Page, numbers

# Eight forecasts of three classes with known values.
Y_PROBA = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])[[0, 1, 2, 1, 0, 2, 1, 0]]
Y_TRUE, Y_PRED = [0, 1, 2, 2, 1, 2, 0, 0], Y_PROBA.argmax(axis=1)
NAMES = ["low", "mid", "high"]
OF_PROBABILITIES = [
    "ranked_probability_score",
    "ranked_probability_skill",
    "log_loss",
    "cem_ord_decision",
    "concordance",
    "unimodality",
]


def report(**options):
    options = {"y_proba": Y_PROBA, "zero_division": 0.0, **options}
    return OrdinalReport.from_predictions(Y_TRUE, Y_PRED, **options)


def lev():
    X, y = load_lev(return_X_y=True)
    return X, y, LogisticRegression(max_iter=1_000).fit(X, y)


def test_probabilities_add_six_criteria():
    found = report()
    assert list(found.criteria) == [*report(y_proba=None).criteria, *OF_PROBABILITIES]
    assert found.criteria["ranked_probability_score"] == pytest.approx(0.305)
    assert found.criteria["ranked_probability_skill"] == pytest.approx(0.349333, abs=1e-6)
    assert found.criteria["log_loss"] == pytest.approx(log_loss(Y_TRUE, Y_PROBA))
    assert found.criteria["concordance"] == pytest.approx(0.833333, abs=1e-6)
    assert found.criteria["unimodality"] == 1
    decision = metrics.cem_ord_decision_score(Y_TRUE, Y_PROBA)
    assert found.criteria["cem_ord_decision"] == decision


def test_each_threshold_has_the_published_parts_of_the_ranked_probability_score():
    found = report().per_threshold
    assert found["prevalence"].tolist() == [5 / 8, 3 / 8]
    assert found["roc_auc"] == pytest.approx([0.8, 0.933333], abs=1e-6)
    assert found["miscalibration"] == pytest.approx([0.0108333, 0.0441667], abs=1e-6)
    assert found["discrimination"] == pytest.approx([0.0677083, 0.1510417], abs=1e-6)
    assert found["uncertainty"] == pytest.approx([0.234375, 0.234375])
    rates = metrics.equal_error_rate(Y_TRUE, Y_PROBA)
    np.testing.assert_array_equal(found["equal_error_rate"], rates)


def test_the_text_has_a_table_of_criteria_and_one_of_thresholds():
    text = str(report(target_names=NAMES))
    _, of_probabilities = text.split("\n\nCriteria of probabilities\n")
    lines = of_probabilities.splitlines()
    assert lines[0].split() == ["criterion", "value", "range", "better"]
    assert lines[1].split() == ["ranked_probability_score", "0.31", "0", "to", "2", "lower"]
    assert [line.split()[0] for line in lines[1:7]] == OF_PROBABILITIES
    assert lines[8] == "Thresholds, from the lowest to the highest"
    assert lines[9].split() == [
        "threshold",
        "prevalence",
        "AUC",
        "EER",
        "miscalibration",
        "discrimination",
        "uncertainty",
    ]
    assert lines[10].startswith("above 'low'        0.62  0.80  ")
    assert lines[11].endswith("           0.044           0.151        0.234")
    assert lines[12:] == [
        "",
        'Pass intervals=True to see intervals, and metrics="all" to see every criterion.',
    ]


def test_the_report_of_five_classes_stays_short():
    X, y, model = lev()
    options = {"zero_division": 0.0}
    without = ordinal_report(y, model.predict(X), **options)
    found = ordinal_report(y, model.predict(X), y_proba=model.predict_proba(X), **options)
    assert len(without.splitlines()) == 26
    assert len(found.splitlines()) == 42


def test_uncertainty_is_left_out_of_text_that_would_be_too_wide():
    names = [f"{name} of the three" for name in NAMES]
    text = str(report(target_names=names))
    assert "left out (uncertainty): see OrdinalReport.to_markdown()." in text
    assert text.count("uncertainty") == 1
    assert "above 'low of the three'" in text
    for whole in (report(target_names=names).to_html(), report(target_names=names).to_markdown()):
        assert "uncertainty" in whole


def test_the_dict_and_the_frame_have_a_row_for_each_threshold():
    found = report(target_names=NAMES)
    of_thresholds = found.to_dict()["thresholds"]
    assert list(of_thresholds) == ["above 'low'", "above 'mid'"]
    assert of_thresholds["above 'mid'"] == {
        name: values[1] for name, values in found.per_threshold.items()
    }
    frame = found.to_frame()
    auc = frame[(frame["criterion"] == "roc_auc") & frame["threshold"].notna()]
    assert dict(zip(auc["threshold"], auc["value"], strict=True)) == {
        name: row["roc_auc"] for name, row in of_thresholds.items()
    }
    score = frame.set_index("criterion").loc["ranked_probability_score"]
    assert (score["better"], score["lowest"], score["highest"]) == ("lower", 0, 2)
    assert "threshold" not in report(y_proba=None).to_frame()
    assert "thresholds" not in report(y_proba=None).to_dict()


def test_criteria_of_labels_and_of_probabilities_may_be_mixed():
    chosen = ["neg_ranked_probability_score", "cem_ord", metrics.concordance_score, "roc_auc_ovr"]
    found = report(metrics=chosen)
    assert list(found.criteria) == [
        "ranked_probability_score",
        "cem_ord",
        "concordance",
        "roc_auc_ovr",
    ]
    expected = roc_auc_score(Y_TRUE, Y_PROBA, multi_class="ovr")
    assert found.criteria["roc_auc_ovr"] == pytest.approx(expected)
    assert found.criteria["cem_ord"] == metrics.cem_ord_score(Y_TRUE, Y_PRED)
    tables = str(found).split("\n\n")
    assert [text.split("\n")[0] for text in tables[4:6]] == [
        "Criteria",
        "Criteria of probabilities",
    ]
    assert "\nCriteria\n" not in str(report(metrics="unimodality"))


def test_all_are_those_that_can_be_computed():
    assert list(report(metrics="all").criteria) == [
        name for name, metric in METRICS.items() if metric.evidence is not RATINGS
    ]
    assert list(report(metrics="all", y_proba=None).criteria) == list(metrics_of(LABELS))
    for text in (str(report(metrics="all")), str(report(metrics="all", y_proba=None))):
        assert "Pass metrics" not in text


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("ranked_probability_score", "probabilities"),
        ("neg_log_loss", "probabilities"),
        ("roc_auc_ovr", "probabilities"),
        ("concordance", "probabilities or scores"),
    ],
)
def test_the_error_without_probabilities_says_how_to_pass_them(name, what):
    message = rf"needs {what}, but only labels are given: pass y_proba= .* or use OrdinalReport.fr"
    with pytest.raises(ValueError, match=message):
        report(metrics=["cem_ord", name], y_proba=None)
    with pytest.raises(ValueError, match=message):
        OrdinalReport.from_confusion(report().confusion, metrics=name)


def test_an_estimator_with_probabilities_needs_no_option():
    X, y, model = lev()
    names = np.array(["e", "d", "b", "c", "a"])
    strings = LogisticRegression(max_iter=1_000).fit(X, names[y])
    expected = OrdinalReport.from_predictions(
        y, model.predict(X), y_proba=model.predict_proba(X), zero_division=0.0
    )
    found = OrdinalReport.from_estimator(model, X, y, zero_division=0.0)
    assert str(found) == str(expected)
    # The columns of `strings` are in alphabetical order.
    options = {"labels": names, "zero_division": 0.0, "target_names": list("01234")}
    renamed = OrdinalReport.from_estimator(strings, X, names[y], **options)
    np.testing.assert_allclose(list(renamed.criteria.values()), list(found.criteria.values()), 1e-4)
    for measure, values in renamed.per_threshold.items():
        np.testing.assert_allclose(values, found.per_threshold[measure], atol=1e-4)


def test_the_scale_has_the_classes_that_the_estimator_knows():
    X, y, model = lev()
    found = OrdinalReport.from_estimator(model, X[y < 4], y[y < 4], zero_division=0.0)
    assert found.target_names == tuple("01234")
    assert found.per_threshold["prevalence"][3] == 0
    assert np.isnan(found.per_threshold["roc_auc"][3])
    assert "above '3'        0.00     -     -" in str(found)
    with pytest.raises(ValueError, match=r"classes that are not in labels: \[4\]"):
        OrdinalReport.from_estimator(model, X[y < 4], y[y < 4], labels=range(4))


def test_an_estimator_without_probabilities_has_the_report_of_its_labels():
    X, y, _ = lev()
    model = make_pipeline(StandardScaler(), LinearSVC(dual=False)).fit(X, y)
    found = OrdinalReport.from_estimator(model, X, y, zero_division=0.0)
    assert str(found) == ordinal_report(y, model.predict(X), zero_division=0.0)
    assert found.forecasts is None
    for metric in ("ranked_probability_score", "neg_log_loss"):
        with pytest.raises(AttributeError, match="has no attribute 'predict_proba'"):
            OrdinalReport.from_estimator(model, X, y, metrics=["cem_ord", metric])


def test_criteria_of_rankings_take_the_scores_of_an_estimator_without_probabilities():
    X, y, _ = lev()
    y = (y > 1).astype(int)
    model = SVC().fit(X, y)
    found = OrdinalReport.from_estimator(model, X, y, metrics=["concordance", "accuracy"])
    expected = roc_auc_score(y, model.decision_function(X))
    assert found.criteria["concordance"] == pytest.approx(expected)
    assert found.criteria["accuracy"] == model.score(X, y)
    assert "\nCriteria of scores\n" in str(found)


def test_weights_count_as_repetitions():
    weight = [1, 2, 3, 1, 1, 2, 0, 1]
    weighted = report(sample_weight=weight)
    repeated = OrdinalReport.from_predictions(
        *(np.repeat(y, weight, axis=0) for y in (Y_TRUE, Y_PRED)),
        y_proba=np.repeat(Y_PROBA, weight, axis=0),
        zero_division=0.0,
    )
    for measure, values in repeated.per_threshold.items():
        np.testing.assert_allclose(weighted.per_threshold[measure], values, atol=1e-12)
    assert weighted.criteria == pytest.approx(repeated.criteria)
    found = OrdinalReport.from_estimator(
        DummyClassifier(strategy="prior").fit(Y_PROBA, Y_TRUE),
        Y_PROBA,
        Y_TRUE,
        sample_weight=weight,
        zero_division=0.0,
    )
    assert found.forecasts.weights.tolist() == weight


def test_samples_without_a_prediction_count_by_their_probabilities():
    y_pred = [None, *Y_PRED[1:]]
    options = {"unanswered": "count", "zero_division": 0.0, "y_proba": Y_PROBA}
    found = OrdinalReport.from_predictions(Y_TRUE, y_pred, **options)
    assert found.criteria["ranked_probability_score"] == pytest.approx(0.305)
    text = " ".join(str(found).split())
    assert "criteria of probabilities and scores use all 8." in text
    assert "ranked_probability_score 0.31 all 8 0 to 2 lower" in text
    assert "unimodality" not in found.to_dict()["of_answered"]


def test_columns_named_in_another_order_are_refused():
    frame = pd.DataFrame(Y_PROBA, columns=["high", "low", "mid"])
    y_true, y_pred = np.array(NAMES)[Y_TRUE], np.array(NAMES)[Y_PRED]
    with pytest.raises(ValueError, match="has columns named"):
        ordinal_report(y_true, y_pred, y_proba=frame, labels=NAMES)
    frame.columns = NAMES
    ordinal_report(y_true, y_pred, y_proba=frame, labels=NAMES, zero_division=0.0)


def test_the_probabilities_are_saved(tmp_path):
    # Rows of float32 add up to 1 less exactly than is demanded of float64.
    rounded = (Y_PROBA + 1e-6).astype(np.float32)
    for y_proba in (Y_PROBA, rounded):
        saved = report(y_proba=y_proba, target_names=NAMES, sample_weight=np.arange(1, 9) / 3)
        saved.to_json(tmp_path / "report.json")
        found = OrdinalReport.from_json(tmp_path / "report.json")
        assert found == saved
        assert found.to_dict() == saved.to_dict()
        assert found.to_html() == saved.to_html()
        np.testing.assert_array_equal(found.forecasts.y_proba, saved.forecasts.y_proba)
        for name, value in found.criteria.items():
            is_of_labels = found.metrics[name].evidence.name == "labels"
            assert (
                found.metrics[name](found.confusion if is_of_labels else found.forecasts) == value
            )
    assert found != report(target_names=NAMES)


def test_the_plots_are_those_of_the_probabilities():
    found = report(target_names=NAMES)
    roc = found.plot_roc()
    np.testing.assert_allclose(roc.roc_auc, found.per_threshold["roc_auc"])
    assert roc.target_names == tuple(NAMES)
    assert len(found.plot_roc(split="class").lines_) == 3
    calibration = found.plot_calibration(random_state=0, n_resamples=10)
    assert calibration.forecasts is found.forecasts
    np.testing.assert_allclose(calibration.forecast[1], [0.1, 0.3, 0.6])
    for plot in (report(y_proba=None).plot_roc, report(y_proba=None).plot_calibration):
        with pytest.raises(ValueError, match=r"needs probabilities: pass y_proba= to Ord.*from_pr"):
            plot()


def test_the_page_has_the_plots_of_the_thresholds():
    page = report(target_names=NAMES).to_html()
    assert "ROC curves of the thresholds" in page
    assert "Areas: above &#x27;low&#x27; 0.800; above &#x27;mid&#x27; 0.933" in page
    assert "Miscalibration: above &#x27;low&#x27; 0.011; above &#x27;mid&#x27; 0.044" in page
    without = report(y_proba=None).to_html()
    assert page.count("<figure") == without.count("<figure") + 2
    assert "ROC curves" not in without


def test_a_class_without_samples_does_not_prevent_the_page():
    y_proba = np.c_[Y_PROBA, np.zeros(8)]
    found = report(y_proba=y_proba, labels=range(4))
    assert "above &#x27;2&#x27; -" in found.to_html()
    for plot in (found.plot_roc, found.plot_calibration):
        plot().figure_.draw_without_rendering()


def test_the_page_has_the_unrounded_numbers_of_each_threshold():
    names = ["<b>low</b>", "a \"mid\" & 'mid' $x$", "high"]
    found = report(target_names=names)
    thresholds = Page(found.to_html()).rows("Thresholds")
    assert list(thresholds) == [f"above '{name}'" for name in names[:2]]
    columns = ["prevalence", "AUC", "EER", "miscalibration", "discrimination", "uncertainty"]
    for row, expected in zip(
        thresholds.values(), found.to_dict()["thresholds"].values(), strict=True
    ):
        assert [numbers(row)[column] for column in columns] == list(expected.values())


def test_several_outputs_are_refused():
    X, y = np.zeros((6, 1)), [[0, 1], [1, 2], [2, 0]] * 2
    model = DummyClassifier().fit(X, y)
    with pytest.raises(ValueError, match=r"y_true must be one-dimensional, got shape \(6, 2\)"):
        OrdinalReport.from_estimator(model, X, y)


def test_a_report_of_one_true_class_warns_of_undefined_criteria():
    with pytest.warns(UndefinedMetricWarning, match="ranked_probability_skill; conc") as record:
        OrdinalReport.from_predictions([1, 1], [1, 0], y_proba=[[0.2, 0.8], [0.6, 0.4]])
    assert [warning.filename for warning in record] == [__file__]
