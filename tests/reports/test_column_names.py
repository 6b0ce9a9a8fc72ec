"""Reports name the columns of groups and clusters, and say how many there are."""

import io
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    compare_systems,
    cross_val_report,
)
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from tests.pages import Page

RNG = np.random.default_rng(0)
Y_TRUE = np.arange(120) % 3
Y_PRED = np.where(RNG.random(120) < 0.7, Y_TRUE, RNG.integers(0, 3, 120))
Y_PROBA = np.eye(3)[Y_PRED] * 0.7 + 0.1
SITE, SEX = np.repeat(["A", "B"], 60), np.array(["f", "m", "m"] * 40)
PATIENT = np.arange(120) // 4
OPTIONS = {"metrics": "cem_ord", "random_state": 0}


def first_sentence(report):
    """Return the sentence with the number of samples, after checking that the page has it too."""
    (sentence,) = re.findall(r"\n\n(1?\d+ samples.*?\.)\n", str(report), flags=re.DOTALL)
    sentence = sentence.replace("\n", " ")
    assert sentence in report.to_html()
    return sentence


SITE_FRAME = {"site": SITE, "sex": SEX}


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (SITE, "2 groups, "),
        (pd.Series(SITE), "2 groups, "),
        (pd.Series(SITE, name=7), "2 groups, "),
        (pd.Series(SITE, name="site"), "2 groups by site, "),
        (pl.Series("site", SITE), "2 groups by site, "),
        (pd.DataFrame({"site": SITE}), "2 groups by site, "),
        ({"site": SITE}, "2 groups by site, "),
        (SITE_FRAME, "4 groups by site and sex, "),
        (pd.DataFrame(SITE_FRAME), "4 groups by site and sex, "),
        (pl.DataFrame(SITE_FRAME), "4 groups by site and sex, "),
        (pa.table(SITE_FRAME), "4 groups by site and sex, "),
        ([pl.Series("site", SITE), pl.Series("sex", SEX)], "4 groups by site and sex, "),
        ([pl.Series("site", SITE), SEX], "4 groups, "),
        ({"s" * 50: SITE}, f"2 groups by {'s' * 39}…, "),
    ],
)
def test_the_columns_of_groups_are_named_if_they_have_names(by, expected):
    report = GroupReport.from_predictions(Y_TRUE, Y_PRED, by=by, **OPTIONS)
    assert first_sentence(report).startswith(f"120 samples in {expected}3 classes from 0")


def test_counts_get_the_name_of_their_column_from_a_dict():
    confusion = OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, by=SITE)
    report = GroupReport.from_confusion(confusion, by={"site": confusion.groups}, **OPTIONS)
    assert report.by == ("site",)
    assert report.group_names == ("A", "B")
    assert GroupReport.from_confusion(confusion, **OPTIONS).by == ()


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        (PATIENT, "30 clusters, "),
        (pd.Series(PATIENT, name="patient"), "30 clusters by patient, "),
        (pl.DataFrame({"patient": PATIENT}), "30 clusters by patient, "),
        (pl.Series("row", np.arange(120)), "120 clusters by row, "),
        (None, ""),
    ],
)
@pytest.mark.parametrize("columns", [["y_pred"], ["y_proba"], ["y_pred", "y_proba"]])
def test_a_report_of_groups_says_how_many_clusters_there_are(clusters, expected, columns):
    predictions = {"y_pred": Y_PRED, "y_proba": Y_PROBA}
    metrics = {"y_pred": "accuracy", "y_proba": "log_loss"}
    report = GroupReport.from_predictions(
        Y_TRUE,
        **{name: predictions[name] for name in columns},
        by=SITE,
        clusters=clusters,
        metrics=[metrics[name] for name in columns],
        n_permutations=0,
    )
    assert first_sentence(report).startswith(f"120 samples in 2 groups, {expected}3 classes")


@pytest.mark.parametrize("clusters", [PATIENT, pd.Series(PATIENT, name="patient")])
def test_a_report_of_samples_says_how_many_clusters_there_are(clusters):
    by = " by patient" if isinstance(clusters, pd.Series) else ""
    for evidence in (
        OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, clusters=clusters),
        OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, clusters=clusters),
    ):
        report = OrdinalReport.from_predictions(evidence)
        assert first_sentence(report).startswith(f"120 samples in 30 clusters{by}, 3 classes")
        read = OrdinalReport.from_json(io.StringIO(report.to_json()))
        assert read == report
        assert read.cluster_name == report.cluster_name


def test_evidence_of_groups_keeps_the_name_of_its_clusters():
    options = {"by": SITE, "clusters": pd.Series(PATIENT, name="patient")}
    forecasts = OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, **options)
    for evidence, metric in (
        (OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, **options), "cem_ord"),
        (forecasts, "concordance"),
        (forecasts.to_scores(), "concordance"),
    ):
        report = GroupReport.from_predictions(
            pickle.loads(pickle.dumps(evidence)), metrics=metric, n_permutations=0
        )
        assert (report.n_clusters, report.cluster_name) == (30, "patient")


def test_samples_of_weight_zero_are_in_no_cluster():
    weight, clusters = np.where(PATIENT < 20, 1.0, 0.0), pd.Series(PATIENT, name="patient")
    options = {"sample_weight": weight, "clusters": clusters}
    for evidence in (
        OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, **options),
        OrdinalForecasts.from_probabilities(Y_TRUE, Y_PROBA, **options),
    ):
        assert OrdinalReport.from_predictions(evidence).n_clusters == 20


def test_rows_of_soft_labels_are_no_clusters():
    y_soft = np.eye(3)[Y_TRUE] * 0.8 + 0.2 / 3
    options = {"by": SITE, "n_permutations": 0}
    for predictions in (
        {"y_pred": Y_PRED, "metrics": "accuracy"},
        {"y_proba": Y_PROBA, "metrics": "log_loss"},
    ):
        report = GroupReport.from_predictions(y_soft, **predictions, **options)
        assert report.n_clusters is None
        clustered = GroupReport.from_predictions(
            y_soft, **predictions, clusters=pl.Series("patient", PATIENT), **options
        )
        assert (clustered.n_clusters, clustered.cluster_name) == (30, "patient")


def test_folds_count_the_clusters_of_the_samples():
    dummy = OrdinalDummyClassifier(strategy="stratified", random_state=0)
    X = np.zeros((120, 1))
    folds = cross_val_report(dummy, X, Y_TRUE, scoring="accuracy", cv=3)
    by = pd.Series(SITE, name="site")
    report = GroupReport.from_cross_val(folds, by=by, n_permutations=0)
    assert (report.by, report.n_clusters) == (("site",), None)
    clusters = pl.Series("patient", PATIENT)
    clustered = GroupReport.from_cross_val(folds, by=by, clusters=clusters, n_permutations=0)
    assert (clustered.n_clusters, clustered.cluster_name) == (30, "patient")


@pytest.mark.parametrize("has_clusters", [True, False])
def test_the_ladder_of_a_page_has_the_intervals_of_the_report(has_clusters):
    confusion = OrdinalConfusion.from_predictions(
        Y_TRUE, Y_PRED, clusters=PATIENT if has_clusters else None
    )
    without = Page(OrdinalReport.from_confusion(confusion).to_html()).texts["p"]
    assert ("Pass intervals=True to a report of clusters" in without) == has_clusters
    assert ("There is no interval" in without) == has_clusters
    report = OrdinalReport.from_confusion(confusion, intervals=True)
    page = Page(report.to_html())
    assert "There is no interval" not in page.texts["p"]
    rows = page.rows("From the worst value to the best")
    assert {name: row["95% interval"] for name, row in rows.items()} == {
        name: row["95% interval"] for name, row in page.rows("Criteria").items()
    }
    assert rows.keys() == report.intervals.keys()


@pytest.mark.parametrize("is_of_labels", [True, False])
def test_systems_name_the_columns_too(is_of_labels):
    predictions = {"a": Y_PRED, "b": Y_TRUE} if is_of_labels else {"a": Y_PROBA, "b": Y_PROBA**2}
    if not is_of_labels:
        predictions["b"] = predictions["b"] / predictions["b"].sum(axis=1, keepdims=True)
    options = {"metrics": "accuracy" if is_of_labels else "ranked_probability_score"}
    options |= {"n_resamples": 99, "random_state": 0}
    unnamed = compare_systems(Y_TRUE, predictions, by=SITE, clusters=PATIENT, **options)
    assert "2 systems on 120 samples in 30 clusters, 2 groups." in str(unnamed)
    by, clusters = {"site": SITE}, pd.Series(PATIENT, name="patient")
    report = compare_systems(Y_TRUE, predictions, by=by, clusters=clusters, **options)
    assert "2 systems on 120 samples in 30 clusters by patient, 2 groups by site." in str(report)
    details = report.to_text(details=True)
    assert "\n\n60 samples in 15 clusters by patient.\n" in details
    assert report == unnamed
    assert "2 systems on 120 samples." in str(compare_systems(Y_TRUE, predictions, **options))
