"""Diagnostic measures against scikit-learn, statsmodels and published formulas."""

import io
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import class_likelihood_ratios, precision_score, recall_score

from sklearn_ordinal import (
    OrdinalConfusion,
    compare_systems,
    get_metric,
    make_ordinal_scorer,
    ordinal_report,
)
from sklearn_ordinal.groups import GroupReport
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.metrics import split_measure
from sklearn_ordinal.reports import OrdinalReport
from tests import degrees_of_freedom

RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=200)
PRED = np.clip(TRUE + RNG.choice([-1, 0, 1], size=200, p=[0.2, 0.6, 0.2]), 0, 3)
WEIGHT = RNG.integers(1, 4, size=200).astype(float)
PATIENT = RNG.integers(40, size=200)
PLACES = [("threshold", 0), ("threshold", 2), ("class", 0), ("class", 2)]
SHARES = {
    "sensitivity": (True, None),
    "specificity": (False, None),
    "positive_predictive_value": (None, True),
    "negative_predictive_value": (None, False),
}
CONFUSION = OrdinalConfusion.from_predictions(TRUE, PRED)


def binary(split, at, *columns):
    return [(y > at if split == "threshold" else y == at) for y in columns]


def name_of(measure, split, at):
    return f"{measure}(at={at})" if split == "threshold" else f"{measure}(at={at}, split='class')"


def counted(measure, true, pred):
    """Return which samples a share counts, and which of these are right."""
    of_truth, of_prediction = SHARES[measure]
    is_counted = true == of_truth if of_prediction is None else pred == of_prediction
    return is_counted, true == pred


@pytest.mark.parametrize(("split", "at"), PLACES)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])
def test_the_values_equal_scikit_learns(split, at, weight):
    true, pred = binary(split, at, TRUE, PRED)
    ratios = class_likelihood_ratios(true, pred, sample_weight=weight)
    options = {"sample_weight": weight}
    expected = {
        "sensitivity": recall_score(true, pred, **options),
        "specificity": recall_score(~true, ~pred, **options),
        "precision": precision_score(true, pred, **options),
        "negative_predictive_value": precision_score(~true, ~pred, **options),
        "positive_likelihood_ratio": ratios[0],
        "negative_likelihood_ratio": ratios[1],
    }
    for measure, value in expected.items():
        ours = split_measure(TRUE, PRED, measure=measure, at=at, split=split, **options)
        assert ours == pytest.approx(value, rel=1e-12), measure


@pytest.mark.parametrize(("split", "at"), PLACES)
@pytest.mark.parametrize("measure", SHARES)
def test_the_interval_of_a_share_counts_only_its_samples(measure, split, at):
    true, pred = binary(split, at, TRUE, PRED)
    is_counted, is_right = counted(measure, true, pred)
    n, share = is_counted.sum(), is_right[is_counted].mean()
    interval = delta_interval(TRUE, PRED, name_of(measure, split, at))
    error = np.sqrt(share * (1 - share) / (n - 1))
    assert interval.standard_error == pytest.approx(error, rel=1e-12)
    # The interval of the logit, whose standard error is that of the share over p (1 - p).
    _, degrees = degrees_of_freedom.of_means(is_right[is_counted])
    scale = 1 / (share * (1 - share))
    ends = stats.t.interval(0.95, degrees, np.log(share / (1 - share)), error * scale)
    np.testing.assert_allclose([interval.low, interval.high], 1 / (1 + np.exp(-np.array(ends))))


@pytest.mark.parametrize(("split", "at"), PLACES)
def test_the_interval_of_a_likelihood_ratio_is_simels(split, at):
    true, pred = binary(split, at, TRUE, PRED)
    tp, fp, fn, tn = ((true & pred), (~true & pred), (true & ~pred), (~true & ~pred))
    cells = {
        "positive_likelihood_ratio": (tp.sum(), fp.sum()),
        "negative_likelihood_ratio": (fn.sum(), tn.sum()),
    }
    for measure, (of_positives, of_negatives) in cells.items():
        interval = delta_interval(TRUE, PRED, name_of(measure, split, at))
        # Simel et al. (1991) take the normal distribution and n instead of n - 1.
        error = np.sqrt(
            1 / of_positives - 1 / true.sum() + 1 / of_negatives - 1 / (~true).sum()
        ) * np.sqrt(200 / 199)
        of_cell = pred if measure == "positive_likelihood_ratio" else ~pred
        moves = np.where(
            true,
            (of_cell - of_cell[true].mean()) / of_positives,
            (of_cell[~true].mean() - of_cell) / of_negatives,
        )
        _, degrees = degrees_of_freedom.of_samples([moves])
        ends = stats.t.interval(0.95, degrees, np.log(interval.estimate), error)
        np.testing.assert_allclose([interval.low, interval.high], np.exp(ends), rtol=1e-9)


def test_a_share_without_errors_has_wilsons_interval_of_its_samples():
    stats_models = pytest.importorskip("statsmodels.stats.proportion")
    y_pred = np.where(TRUE == 3, 3, np.minimum(PRED, 2))
    interval = delta_interval(TRUE, y_pred, "sensitivity(at=2)")
    n = (TRUE == 3).sum()
    expected = stats_models.proportion_confint(n, n, method="wilson")
    assert interval.method == "wilson"
    np.testing.assert_allclose([interval.low, interval.high], expected, rtol=1e-6)


def test_a_zero_cell_leaves_a_likelihood_ratio_without_an_interval():
    y_pred = np.where(TRUE == 3, 3, np.minimum(PRED, 2))
    for name, reason in {
        "negative_likelihood_ratio(at=2)": "the value is at the end of its range|error is 0",
        "positive_likelihood_ratio(at=2)": "the value is undefined",
    }.items():
        with pytest.warns(UndefinedMetricWarning, match=reason):
            assert np.isnan(delta_interval(TRUE, y_pred, name).low)


def test_weights_and_clusters_enter_the_standard_error():
    true, pred = binary("threshold", 1, TRUE, PRED)
    for weight in (np.ones(200), WEIGHT):
        share = (weight * pred)[true].sum() / weight[true].sum()
        terms = np.where(true, weight * (pred - share), 0)
        by_patient = np.bincount(PATIENT, terms, 40)[np.bincount(PATIENT, true, 40) > 0]
        m = len(by_patient)
        expected = np.sqrt(m / (m - 1) * (by_patient**2).sum()) / weight[true].sum()
        interval = delta_interval(
            TRUE, PRED, "sensitivity(at=1)", sample_weight=weight, clusters=PATIENT
        )
        assert interval.standard_error == pytest.approx(expected, rel=1e-12)
    resampled = bootstrap_interval(
        TRUE, PRED, "sensitivity(at=1)", clusters=PATIENT, random_state=0, n_resamples=999
    )
    plain = delta_interval(TRUE, PRED, "sensitivity(at=1)", clusters=PATIENT)
    np.testing.assert_allclose([plain.low, plain.high], [resampled.low, resampled.high], atol=0.02)


@pytest.mark.parametrize("name", ["positive_likelihood_ratio(at=1)", "sensitivity(at=0)"])
def test_the_gradient_is_the_derivative_by_each_count(name):
    metric, counts = get_metric(name), CONFUSION.counts + 1.0
    gradient = metric.gradient(counts, **metric.options)
    for cell in np.ndindex(4, 4):
        step = np.zeros((4, 4))
        step[cell] = 1e-4
        slope = (metric.statistic(counts + step) - metric.statistic(counts - step)) / 2e-4
        assert gradient[cell] == pytest.approx(slope, abs=1e-7)


def test_differences_groups_and_systems_take_the_names():
    names = ["sensitivity(at=1)", "negative_likelihood_ratio(at=1)"]
    other = np.roll(PRED, 1)
    difference = paired_difference(TRUE, PRED, other, names[0], method="delta")
    true, first, second = binary("threshold", 1, TRUE, PRED, other)
    terms = (first.astype(float) - second)[true]
    assert difference.estimate == pytest.approx(terms.mean())
    # Only the samples in the denominator count.
    assert difference.standard_error == pytest.approx(stats.sem(terms))
    report = compare_systems(
        TRUE, {"a": PRED, "b": other}, metrics=names, n_resamples=19, random_state=0
    )
    assert report.winners == dict.fromkeys(names, ("a",))
    groups = GroupReport.from_confusion(
        OrdinalConfusion.from_predictions(TRUE, PRED, by=PATIENT % 2), metrics=names[:1]
    )
    interval = groups.by_group[names[0]]["0"]
    alone = delta_interval(TRUE[PATIENT % 2 == 0], PRED[PATIENT % 2 == 0], names[0])
    assert interval.estimate == pytest.approx(alone.estimate)
    np.testing.assert_allclose([interval.low, interval.high], [alone.low, alone.high], rtol=0.02)


def test_at_fixed_shares_the_sensitivity_of_a_class_stays_and_its_predictive_value_follows():
    even = CONFUSION.at_prevalence([0.25] * 4)
    sensitivity = "sensitivity(at=1, split='class')"
    assert get_metric(sensitivity)(even) == pytest.approx(get_metric(sensitivity)(CONFUSION))
    shares = CONFUSION.counts / CONFUSION.counts.sum(axis=1, keepdims=True)
    precision = delta_interval(even, metrics="positive_predictive_value(at=1, split='class')")
    assert precision.estimate == pytest.approx(shares[1, 1] / shares[:, 1].sum())
    # The variance is within the classes: sum of p (1 - p) / n times the squared derivative.
    column, total = shares[:, 1], shares[:, 1].sum()
    derivative = (np.eye(4)[1] - column[1] / total) / total
    variance = (derivative**2 * column * (1 - column) / CONFUSION.counts.sum(axis=1)).sum()
    n = CONFUSION.counts[:, 1].sum()
    assert precision.standard_error == pytest.approx(np.sqrt(variance), rel=2 / n)


def test_every_form_of_the_metric_is_the_same():
    bound = partial(split_measure, measure="precision", at=1, split="class")
    metric = get_metric(bound)
    assert metric.name == "positive_predictive_value(at=1, split='class')"
    assert get_metric(metric.name) == metric
    assert get_metric(make_ordinal_scorer(bound)) == metric
    assert get_metric("cem_ord(adjusted=True)") == get_metric("cem_ord_adjusted")
    assert get_metric("within_n_accuracy(n=2)").options == {"n": 2}
    assert not get_metric("negative_likelihood_ratio(at=0)").greater_is_better


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("sensitivity", r"^sensitivity needs at: pass 'sensitivity\(at=\.\.\.\)'\.$"),
        ("sensitivity(at=-1)", "at must be a non-negative integer, got -1"),
        ("sensitivity(at=True)", "at must be a non-negative integer, got True"),
        ("sensitivity(at=1, split='x')", "split must be one of"),
        ("sensitivity(positive=1)", "split_measure has no option positive"),
        ("sensitivity(1)", "metric must be a known name"),
        ("sensitivity(at=", "metric must be a known name"),
        ("sensitivity(at=x)", "metric must be a known name"),
        ("nothing(at=1)", "metric must be a known name"),
        (partial(split_measure, measure="f1", at=0), "measure must be one of"),
        (partial(split_measure, at=0), "split_measure needs measure"),
    ],
)
def test_wrong_metrics_raise_in_one_line(metric, message):
    with pytest.raises(ValueError, match=message) as error:
        get_metric(metric)
    assert "\n" not in str(error.value)


def test_a_position_beyond_the_scale_raises():
    with pytest.raises(ValueError, match="at must be below 3, the number of thresholds, got 3"):
        delta_interval(TRUE, PRED, "sensitivity(at=3)")
    with pytest.raises(ValueError, match="at must be below 4, the number of classes, got 4"):
        split_measure(TRUE, PRED, measure="sensitivity", at=4, split="class")
    with pytest.raises(ValueError, match="measure must be one of"):
        split_measure(TRUE, PRED, measure="f1", at=0)


def test_an_undefined_value_is_nan_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match="sensitivity is undefined"):
        assert np.isnan(split_measure([0, 0], [0, 1], measure="sensitivity", at=0))


# --- the section of a report ---


REPORT = OrdinalReport.from_predictions(
    TRUE,
    PRED,
    metrics="cem_ord",
    target_names=["none", "mild", "moderate", "severe"],
    diagnostics=True,
)


def test_the_section_has_the_intervals_of_all_thresholds_and_classes():
    for split, size in (("threshold", 3), ("class", 4)):
        for measure in (*SHARES, "positive_likelihood_ratio", "negative_likelihood_ratio"):
            intervals = REPORT.diagnostics[split][measure]
            names = [name_of(measure, split, at) for at in range(size)]
            assert intervals == tuple(delta_interval(TRUE, PRED, name) for name in names)


def test_the_section_is_in_every_format():
    text = str(REPORT)
    assert max(map(len, text.splitlines())) <= 80
    interval = REPORT.diagnostics["threshold"]["sensitivity"][2]
    shown = f"{interval.estimate:.2f} ({interval.low:.2f} to {interval.high:.2f})"
    _, _, matrix = text.partition("Classes above each threshold")
    line = next(r for r in matrix.splitlines() if r.startswith("above 'moderate'"))
    assert line.removeprefix("above 'moderate'").lstrip().startswith(f"{shown}  ")
    for rendered in (REPORT.to_html(), REPORT.to_latex(), REPORT.to_markdown()):
        assert "positive and negative predictive values and likelihood ratios" in rendered
        assert shown in rendered.replace("\\(", "(")
    assert OrdinalReport.from_json(io.StringIO(REPORT.to_json())) == REPORT
    cell = REPORT.to_dict()["diagnostics"]["threshold"]["above 'moderate'"]["sensitivity"]
    assert cell == {"value": interval.estimate, "low": interval.low, "high": interval.high}
    frame = REPORT.to_frame()
    rows = frame[(frame["criterion"] == "specificity") & (frame["class"] == "mild")]
    assert rows["low"].item() == REPORT.diagnostics["class"]["specificity"][1].low


def test_the_section_takes_clusters_from_the_confusion():
    clustered = OrdinalConfusion.from_predictions(TRUE, PRED, clusters=PATIENT)
    report = OrdinalReport.from_confusion(clustered, diagnostics=True)
    expected = delta_interval(TRUE, PRED, "sensitivity(at=1)", clusters=PATIENT)
    assert report.diagnostics["threshold"]["sensitivity"][1] == expected


def test_a_measure_whose_samples_are_in_one_cluster_has_no_interval():
    patient, n_alone = np.repeat(np.arange(40), 3), 0
    for seed in (0, 1, 2, 7):
        rng = np.random.default_rng(seed)
        y_true = (rng.random(120) > np.cumsum([0.6, 0.39])[:, None]).sum(axis=0)
        y_pred = np.clip(y_true + rng.integers(-1, 2, size=120), 0, 2)
        counts = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=range(3), clusters=patient
        )
        report = OrdinalReport.from_confusion(
            counts, metrics="cem_ord", diagnostics=True, zero_division=0.0
        )
        sides = {"sensitivity": y_true, "positive predictive value": y_pred}
        for measure, classes in sides.items():
            key = measure.replace(" ", "_")
            for k, interval in enumerate(report.diagnostics["class"][key]):
                n_clusters = len(set(patient[classes == k]))
                assert np.isnan(interval.estimate) == (n_clusters == 0)
                assert np.isnan(interval.low) == (n_clusters < 2)
                n_alone += n_clusters == 1
        assert "A measure whose samples are all in one cluster has no interval." in str(report)
    assert n_alone == 2
    assert "in one cluster" not in str(REPORT)


def test_unanswered_samples_and_empty_cells_are_noted_without_warnings():
    y_pred = np.where(TRUE == 3, 3, np.minimum(PRED, 2)).astype(object)
    y_pred[:5] = None
    text = ordinal_report(
        TRUE, y_pred, labels=range(4), unanswered="count", diagnostics=True, zero_division=0.0
    )
    assert "These measures use only the 195 answered." in text


def test_a_report_without_the_section_is_as_before():
    plain = OrdinalReport.from_predictions(TRUE, PRED, metrics="cem_ord")
    assert plain.diagnostics is None
    assert "diagnostics" not in plain.to_dict()
    assert "Diagnostic" not in str(plain)


def test_where_the_section_is_refused():
    from sklearn_ordinal import OrdinalForecasts

    forecasts = OrdinalForecasts.from_probabilities(TRUE, np.full((200, 4), 0.25))
    with pytest.raises(ValueError, match="diagnostics must be False without predicted classes"):
        OrdinalReport.from_predictions(forecasts, diagnostics=True)
