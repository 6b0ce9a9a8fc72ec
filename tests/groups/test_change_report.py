"""The change between old and new samples, against brute force on the samples."""

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    get_metric,
    report_change,
)
from sklearn_ordinal.inference import delta_interval
from tests import degrees_of_freedom

K = 4
OLD_SHARES, NEW_SHARES = [0.4, 0.3, 0.2, 0.1], [0.2, 0.3, 0.2, 0.3]
OLD = [[80, 15, 5], [10, 70, 20], [5, 15, 80]]
NEW = [[40, 25, 15], [10, 60, 30], [5, 25, 90]]


def drawn(rng, n_samples, shares, share_of_errors, share_missing=0.0):
    """Return true classes, predicted classes, weights and clusters of samples."""
    y_true = rng.choice(K, n_samples, p=shares)
    moved = rng.integers(-1, 2, n_samples) * (rng.random(n_samples) < share_of_errors)
    y_pred = np.clip(y_true + moved, 0, K - 1).astype(object)
    y_pred[rng.random(n_samples) < share_missing] = None
    return y_true, y_pred, rng.random(n_samples) + 0.5, np.arange(n_samples) // 3


def counted(y_true, y_pred, weight=None, clusters=None):
    return OrdinalConfusion.from_predictions(
        y_true,
        y_pred,
        labels=range(K),
        unanswered="count",
        sample_weight=weight,
        clusters=clusters,
    )


def split(metric, old, new):
    """Return the difference and its parts from rows, weighted to the old shares one by one."""
    (y_old, _, w_old), (y_new, pred_new, w_new) = old, new
    shares = [np.bincount(y, w, K) / w.sum() for y, w in ((y_old, w_old), (y_new, w_new))]
    factor = shares[0] / shares[1]
    before, after = metric(counted(*old)), metric(counted(*new))
    shared = metric(counted(y_new, pred_new, w_new * factor[y_new]))
    return np.array([after - before, shared - before, after - shared])


@pytest.mark.parametrize("share_missing", [0, 0.15])
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("is_clustered", [False, True])
@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa"])
def test_errors_are_those_of_the_derivative_by_the_weight_of_each_sample(
    name, share_missing, is_weighted, is_clustered
):
    rng, step, metric = np.random.default_rng(5), 1e-4, get_metric(name)
    sides = [drawn(rng, 50, OLD_SHARES, 0.4, share_missing)]
    sides += [drawn(rng, 40, NEW_SHARES, 0.6, share_missing)]
    report = report_change(
        *(
            counted(y, pred, w if is_weighted else None, c if is_clustered else None)
            for y, pred, w, c in sides
        ),
        name,
    )
    found = [report.differences[name], report.rates[name], report.class_sizes[name]]
    rows = [[y, pred, w if is_weighted else np.ones(len(y))] for y, pred, w, _ in sides]
    expected = split(metric, *rows)
    assert [part.estimate for part in found] == pytest.approx(expected, abs=1e-12)
    shared = report.one(time="new at old class shares").estimate
    assert shared == pytest.approx(report.one(time="old").estimate + expected[1], abs=1e-12)
    variance, moves, sizes = np.zeros(3), [], []
    for side, (_, pred, _, clusters) in enumerate(sides):
        weight = rows[side][2]
        moved = np.empty((len(weight), 3))
        for k in range(len(weight)):
            values = []
            for sign in (1, -1):
                changed = [list(row) for row in rows]
                changed[side][2] = weight.copy()
                changed[side][2][k] += sign * step
                values.append(split(metric, *changed))
            moved[k] = (values[0] - values[1]) / (2 * step) * weight[k]
        is_counted = np.ones(len(weight), dtype=bool)
        if not metric.counts_unanswered:
            is_counted = np.array([answer is not None for answer in pred])
        unit = clusters if is_clustered else np.arange(len(weight))
        moves.append(np.stack([np.bincount(unit, column) for column in moved.T]))
        sizes.append(np.bincount(unit, weight * is_counted))
        n_units = np.count_nonzero(sizes[-1])
        variance += n_units / (n_units - 1) * (moves[-1] ** 2).sum(axis=1)
    errors = [part.standard_error for part in found]
    assert errors == pytest.approx(np.sqrt(variance), rel=1e-6)
    if min(map(np.min, sizes)) > 0:
        for part, *of_sides in zip(found, *moves, strict=True):
            options = {"in_counts": is_weighted and not is_clustered}
            error, degrees = degrees_of_freedom.of_samples(of_sides, sizes, **options)
            margin = stats.t.ppf(0.975, degrees) * error
            assert part.high - part.estimate == pytest.approx(margin, rel=1e-6)


def test_errors_of_probabilities_are_those_of_the_derivatives_too():
    rng, step, name = np.random.default_rng(8), 1e-4, "ranked_probability_score"
    y_old, y_new = (rng.choice(K, n, p=p) for n, p in ((40, OLD_SHARES), (30, NEW_SHARES)))
    proba = [rng.dirichlet(np.ones(K) + 3 * np.eye(K)[y].sum(0), len(y)) for y in (y_old, y_new)]

    def forecasts(y, y_proba, weight=None):
        return OrdinalForecasts.from_probabilities(
            y, y_proba, labels=range(K), sample_weight=weight
        )

    old, new = (forecasts(*side) for side in zip((y_old, y_new), proba, strict=True))
    report = report_change(old, new, name)
    assert report.class_changes == {}
    assert report.members("class") == ()
    metric = get_metric(name)

    def rates(w_old, w_new):
        shares = [np.bincount(y, w, K) / w.sum() for y, w in ((y_old, w_old), (y_new, w_new))]
        weight = w_new * (shares[0] / shares[1])[y_new]
        shared = metric(forecasts(y_new, proba[1], weight))
        return shared - metric(forecasts(y_old, proba[0], w_old))

    weights = [np.ones(len(y_old)), np.ones(len(y_new))]
    assert report.rates[name].estimate == pytest.approx(rates(*weights), abs=1e-12)
    variance = 0.0
    for side, weight in enumerate(weights):
        moved = []
        for k in range(len(weight)):
            changed = [[w.copy() for w in weights] for _ in range(2)]
            changed[0][side][k] += step
            changed[1][side][k] -= step
            moved.append((rates(*changed[0]) - rates(*changed[1])) / (2 * step))
        variance += len(weight) / (len(weight) - 1) * np.square(moved).sum()
    assert report.rates[name].standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)


def test_errors_are_those_of_resampled_rows():
    rng, metric = np.random.default_rng(3), get_metric("cem_ord")
    sides = [drawn(rng, 300, OLD_SHARES, 0.4)[:2], drawn(rng, 300, NEW_SHARES, 0.6)[:2]]
    report = report_change(*(counted(*side) for side in sides), "cem_ord")
    stacks = [
        rng.multinomial(300, counted(*side).counts.ravel() / 300, 4_000).reshape(-1, K, K)
        for side in sides
    ]
    shares = [counts.sum(axis=2) / 300 for counts in stacks]
    at_old = stacks[1] * (shares[0] / shares[1])[..., None]
    old, new, shared = (
        metric(OrdinalConfusion.from_counts(c, labels=range(K))) for c in (*stacks, at_old)
    )
    for part, values in (("differences", new - old), ("rates", shared - old)):
        assert getattr(report, part)["cem_ord"].standard_error == pytest.approx(
            values.std(), rel=0.05
        )
    assert report.class_sizes["cem_ord"].standard_error == pytest.approx(
        (new - shared).std(), rel=0.05
    )


def test_parts_add_up_and_the_difference_has_the_errors_of_both_values():
    old, new = OrdinalConfusion.from_counts(OLD), OrdinalConfusion.from_counts(NEW)
    report = report_change(old, new, "all")
    assert len(report.metrics) > 20
    for name, difference in report.differences.items():
        parts = report.rates[name].estimate + report.class_sizes[name].estimate
        assert parts == pytest.approx(difference.estimate, abs=1e-15)
        values = [delta_interval(side, metrics=name).standard_error for side in (old, new)]
        assert difference.standard_error == pytest.approx(math.hypot(*values), rel=1e-9)


def test_without_other_class_shares_all_of_the_difference_is_due_to_rates():
    counts = np.array(OLD)
    report = report_change(*map(OrdinalConfusion.from_counts, (counts, counts[:, ::-1])), "cem_ord")
    assert report.rates["cem_ord"].estimate == report.differences["cem_ord"].estimate
    assert report.class_sizes["cem_ord"].estimate == 0


def test_with_the_same_rates_all_of_the_difference_is_due_to_class_sizes():
    counts = np.array(OLD)
    new = OrdinalConfusion.from_counts(counts * [[1], [3], [5]])
    report = report_change(OrdinalConfusion.from_counts(counts), new, "cem_ord")
    assert report.rates["cem_ord"].estimate == pytest.approx(0, abs=1e-15)
    assert report.class_sizes["cem_ord"].estimate != 0


def test_classes_have_the_t_of_welch_with_holms_adjustment():
    report = report_change(*map(OrdinalConfusion.from_counts, (OLD, NEW)))
    pvalues = []
    for k in range(3):
        old, new = (np.repeat(np.abs(np.arange(3) - k), counts[k]) for counts in (OLD, NEW))
        test = stats.ttest_ind(new, old, equal_var=False)
        change = report.class_changes[str(k)]
        values = report.rows["mean_absolute_error", "new", None, str(k), "value"]
        assert values.estimate == pytest.approx(new.mean())
        assert change.estimate == pytest.approx(new.mean() - old.mean())
        assert change.estimate / change.standard_error == pytest.approx(test.statistic)
        error, degrees = degrees_of_freedom.of_means(new, old)
        ends = stats.t.interval(0.95, degrees, new.mean() - old.mean(), error)
        assert [change.low, change.high] == pytest.approx(ends)
        pvalues.append(degrees_of_freedom.two_sided(test.statistic, degrees))
        assert change.pvalue == pytest.approx(pvalues[-1])
    least = min(range(3), key=pvalues.__getitem__)
    assert report.class_changes[str(least)].adjusted_pvalue == pytest.approx(3 * pvalues[least])
    assert report.worse_classes == ("0",)


def test_the_mean_error_has_the_t_of_welch():
    report = report_change(
        *map(OrdinalConfusion.from_counts, (OLD, NEW)), "ordinal_mean_absolute_error"
    )
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3))).ravel()
    old, new = (np.repeat(distance, np.ravel(counts)) for counts in (OLD, NEW))
    test = stats.ttest_ind(new, old, equal_var=False)
    difference = report.differences["ordinal_mean_absolute_error"]
    assert difference.estimate / difference.standard_error == pytest.approx(test.statistic)
    error, degrees = degrees_of_freedom.of_means(new, old)
    pvalue = degrees_of_freedom.two_sided(test.statistic, degrees)
    assert difference.pvalue == pytest.approx(pvalue)
    low, _ = stats.t.interval(0.95, degrees, new.mean() - old.mean(), error)
    assert difference.low == pytest.approx(low)


@pytest.mark.parametrize(
    ("margin", "expected"), [(0, True), (0.01, True), (0.08, None), (0.3, False)]
)
def test_worse_needs_the_whole_interval_beyond_the_margin(margin, expected):
    old, new = map(OrdinalConfusion.from_counts, (OLD, NEW))
    names = ["cem_ord", "ordinal_mean_absolute_error"]
    report = report_change(old, new, names, margin=margin)
    difference = report.differences["cem_ord"]
    assert (difference.high < -margin) == (expected is True)
    assert (difference.low >= -margin) == (expected is False)
    assert report.worse_than()["cem_ord"] is expected
    assert report_change(old, new, names).worse_than(margin)["cem_ord"] is expected
    # Lower errors are better, so the new samples are better the other way round.
    assert report_change(new, old, names).worse_than()[names[1]] is False
    assert report_change(old, new, names).worse_than()[names[1]] is True


def test_one_criterion_has_one_answer_and_several_are_no_condition():
    old, new = map(OrdinalConfusion.from_counts, (OLD, NEW))
    for names in ("cem_ord", ["cem_ord"]):
        report = report_change(old, new, names)
        assert report.worse_than() is True
        assert report.worse_than(0.3) is False
    answers = report_change(old, new, ["cem_ord", "accuracy"]).worse_than(0.3)
    assert any(answers.values()) is False
    with pytest.raises(ValueError, match=r"take one, as in worse_than\(\)\['cem_ord'\], or pass"):
        bool(answers)


def test_without_a_class_of_the_old_samples_there_are_no_parts():
    new = OrdinalConfusion.from_counts([[0, 0, 0], *NEW[1:]])
    report = report_change(OrdinalConfusion.from_counts(OLD), new, "cem_ord")
    assert math.isnan(report.rates["cem_ord"].estimate)
    assert math.isnan(report.class_sizes["cem_ord"].estimate)
    assert math.isnan(report.rates["cem_ord"].standard_error)
    assert not math.isnan(report.differences["cem_ord"].pvalue)
    assert report.missing_classes == ("0",)
    sentence = report.document().verdict[0].text
    assert sentence.endswith("since the new samples lack the class 0.")
    assert "account for" not in sentence
    assert "predictions  " not in str(report)
    # A class that only the new samples have has no share.
    other = report_change(new, OrdinalConfusion.from_counts(NEW), "cem_ord")
    assert other.missing_classes == ()
    assert not math.isnan(other.rates["cem_ord"].low)


def test_reports_files_and_counts_have_the_same_change(tmp_path):
    counts = [OrdinalConfusion.from_counts(part) for part in (OLD, NEW)]
    reports = [OrdinalReport.from_confusion(part) for part in counts]
    paths = [tmp_path / f"{k}.json" for k in range(2)]
    for path, report in zip(paths, reports, strict=True):
        report.to_json(path)
    expected = report_change(*counts)
    assert report_change(*reports) == expected
    assert report_change(*map(str, paths)) == expected
    assert report_change(paths[0], counts[1]) == expected
    assert "from 0 (lowest) to 2 (highest)" in str(expected)


def test_names_of_classes_come_from_reports_that_agree():
    names = ["low", "mid", "high"]
    counts = [OrdinalConfusion.from_counts(part) for part in (OLD, NEW)]
    reports = [OrdinalReport.from_confusion(part, target_names=names) for part in counts]
    assert report_change(*reports).target_names == tuple(names)
    assert report_change(reports[0], counts[1]).target_names == ("0", "1", "2")


def test_criteria_are_those_of_both_reports():
    old, new = (OrdinalConfusion.from_counts(part) for part in (OLD, NEW))
    reports = [
        OrdinalReport.from_confusion(old, metrics=["accuracy", "cem_ord"]),
        OrdinalReport.from_confusion(new, metrics=["cem_ord", "scott_pi"]),
    ]
    assert list(report_change(*reports).metrics) == ["cem_ord"]
    with pytest.raises(ValueError, match="have no criterion in common that has influences"):
        report_change(reports[0], OrdinalReport.from_confusion(new, metrics="scott_pi"))


def test_probabilities_on_one_side_only_are_refused_by_name():
    rng = np.random.default_rng(0)
    y, y_pred, proba = (
        rng.integers(3, size=30),
        rng.integers(3, size=30),
        rng.dirichlet([1] * 3, 30),
    )
    both = OrdinalReport.from_predictions(y, y_pred, y_proba=proba)
    counts = OrdinalConfusion.from_predictions(y, y_pred)
    with pytest.raises(ValueError, match=r"^new must hold probabilities .*for log_loss: pass them"):
        report_change(both, counts, "log_loss")
    with pytest.raises(ValueError, match="metrics must have influences, which cem_ord_decision"):
        report_change(both, both, "cem_ord_decision")
    assert "cem_ord_decision" not in report_change(both, both).metrics
    with warnings.catch_warnings():
        # Some criteria have ties.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        assert "log_loss" not in report_change(both, counts, "all").metrics


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (3, r"^new must be an OrdinalReport, the file of one, .*got 3\.$"),
        ([[1, 2], [3, 4]], r"^new must be an OrdinalReport"),
        (None, r"^new must be an OrdinalReport"),
        (
            OrdinalRatings.from_ratings([[0, 1], [2, 1]]),
            r"^old and new must hold evidence of one kind",
        ),
        (OrdinalConfusion.from_counts([OLD, NEW]), r"^new: confusion must hold one matrix"),
        (OrdinalConfusion.from_counts([[3, 1], [2, 4]]), r"^old and new must be on the same scale"),
        (
            OrdinalConfusion.from_counts(NEW).at_prevalence([0.2, 0.3, 0.5]),
            r"^new must have the observed class sizes, .*leave out prevalence=",
        ),
        (
            OrdinalReport.from_confusion(
                OrdinalConfusion.from_counts(NEW), prevalence=[0.2, 0.3, 0.5]
            ),
            r"^new must have the observed class sizes",
        ),
        (
            OrdinalConfusion.from_counts(np.array(NEW) / 2),
            r"^new: confusion must hold the number and the squared weights",
        ),
        ("nowhere.json", r"nowhere\.json"),
    ],
)
def test_sources_that_cannot_be_compared_are_refused(source, message):
    with pytest.raises((ValueError, OSError), match=message):
        report_change(OrdinalConfusion.from_counts(OLD), source)


def test_clusters_that_were_not_kept_are_refused():
    clustered = counted(np.arange(12) % 4, np.arange(12) % 3, clusters=np.arange(12) // 2)
    report = OrdinalReport.from_confusion(clustered, zero_division=0.0)
    with pytest.raises(ValueError, match=r"^new: .* do not tell their clusters or strata"):
        report_change(clustered, report)


def test_files_of_other_results_are_refused(tmp_path):
    path = tmp_path / "groups.json"
    stack = OrdinalConfusion.from_counts([OLD, NEW])
    GroupReport.from_confusion(stack, by=["a", "b"], n_permutations=0).to_json(path)
    with pytest.raises(ValueError, match="holds GroupReport and not OrdinalReport"):
        report_change(path, path)


@pytest.mark.parametrize("margin", [-0.1, math.inf, math.nan, "a", None, True])
def test_margins_are_finite_and_not_negative(margin):
    old, new = map(OrdinalConfusion.from_counts, (OLD, NEW))
    report = report_change(old, new)
    with pytest.raises(ValueError, match=r"margin must be a (finite )?number"):
        report_change(old, new, margin=margin)
    if margin is not None:
        with pytest.raises(ValueError, match=r"margin must be a (finite )?number"):
            report.worse_than(margin)


def test_criteria_without_a_direction_are_compared_without_a_verdict():
    report = report_change(*map(OrdinalConfusion.from_counts, (OLD, NEW)), "ordinal_bias")
    assert report.worse_than() is None
    assert not math.isnan(report.differences["ordinal_bias"].pvalue)
    text = " ".join(str(report).split())
    assert "shown to differ, where neither higher nor lower values are better: 0.033" in text
    assert report.plot().ax_.get_xlabel()


def test_undefined_values_are_said_in_words():
    one = OrdinalConfusion.from_counts([[3, 0, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.warns(UndefinedMetricWarning):
        report = report_change(OrdinalConfusion.from_counts(OLD), one, "kendall_tau_b")
    assert report.worse_than() is None
    assert "cannot be compared" in " ".join(str(report).split())


def test_a_few_samples_without_an_error_do_not_show_much():
    old = OrdinalConfusion.from_counts(OLD)
    few = OrdinalConfusion.from_counts([[2, 0, 0], [0, 2, 0], [0, 0, 1]])
    many = OrdinalConfusion.from_counts(np.eye(3, dtype=int) * 100)
    with pytest.warns(UndefinedMetricWarning, match="There is no interval"):
        report = report_change(old, few, "cem_ord")
    assert report.worse_than() is None
    assert report.worse_than(0.3) is False
    assert report_change(few, old, "accuracy").worse_classes == ()
    with pytest.warns(UndefinedMetricWarning, match="There is no interval"):
        report = report_change(old, many, "cem_ord")
    assert report.worse_than() is False
    # The new samples are taken to vary as the old ones, which are as many.
    error = delta_interval(old, metrics="cem_ord").standard_error
    assert report.differences["cem_ord"].standard_error == pytest.approx(math.sqrt(2) * error)


def test_an_outage_is_worse():
    y_true = np.arange(60) % 3
    silent = OrdinalConfusion.from_predictions(
        y_true, [None] * 60, labels=range(3), unanswered="count"
    )
    with pytest.warns(UndefinedMetricWarning):
        report = report_change(OrdinalConfusion.from_counts(OLD), silent)
    assert report.worse_than()["cem_ord"] is True
    assert report.worse_than()["accuracy"] is None


def test_a_single_sample_is_refused():
    one = OrdinalConfusion.from_counts([[1, 0, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"^new must have at least two samples of positive weight"):
        report_change(OrdinalConfusion.from_counts(OLD), one)


def test_perfect_predictions_have_no_interval():
    perfect = OrdinalConfusion.from_counts(np.eye(3, dtype=int) * 20)
    with pytest.warns(UndefinedMetricWarning, match="There is no interval"):
        report = report_change(perfect, perfect, "cem_ord")
    assert report.worse_than() is None
    assert "no 95% interval" in " ".join(str(report).split())


def test_a_small_difference_has_as_many_digits_as_its_interval_needs():
    counts = np.array(OLD) * 1_000_000
    new = counts + np.array([[-9_000, 9_000, 0], [0, 0, 0], [0, 0, 0]])
    report = report_change(*map(OrdinalConfusion.from_counts, (counts, new)), "accuracy")
    low, high = report.differences["accuracy"].low, report.differences["accuracy"].high
    digits = 1 - math.floor(math.log10((high - low) / 2))
    assert digits == 6
    assert f"{report.differences['accuracy'].estimate:+.{digits}f}" in str(report)
    assert f"{report.differences['accuracy'].estimate:.{digits}f} (" in str(
        report.differences["accuracy"]
    )


def test_the_plot_has_the_difference_and_its_parts():
    pytest.importorskip("matplotlib")
    report = report_change(*map(OrdinalConfusion.from_counts, (OLD, NEW)))
    display = report.plot("accuracy")
    labels = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    assert labels == ["all causes", "predictions", "class sizes"]
    assert "accuracy" in display.ax_.get_xlabel()
    assert repr(report).startswith("ChangeReport(cem_ord -0.100, accuracy")


def test_the_pvalue_decides_where_it_and_the_interval_disagree():
    rng = np.random.default_rng(26)
    y_true = rng.choice(4, 230, p=[0.6, 0.25, 0.1, 0.05])
    y_pred = np.clip(y_true + rng.choice([-1, 0, 0, 0, 1], 230), 0, 3)
    parts = [
        OrdinalConfusion.from_predictions(y_true[part], y_pred[part], labels=range(4))
        for part in (slice(200), slice(200, None))
    ]
    report = report_change(*parts, "quadratic_weighted_kappa")
    difference = report.differences["quadratic_weighted_kappa"]
    assert difference.high < 0 < 0.05 < difference.pvalue
    assert report.worse_than() is None
    # A margin is compared with the interval.
    assert report.worse_than(-difference.high / 2) is True
    groups = GroupReport.from_confusion(
        OrdinalConfusion.stack(parts), by=["old", "new"], metrics="quadratic_weighted_kappa"
    )
    contrasts = groups.contrasts(reference="old")
    assert contrasts.contrasts["quadratic_weighted_kappa"]["new"].pvalue == pytest.approx(
        difference.pvalue
    )
    note = "Where p and the interval disagree, p counts"
    assert note in str(report)
    assert note in str(contrasts)
    assert note not in str(report_change(*parts, "accuracy"))


CLAIMS = {
    True: "the new samples are worse",
    False: "the new samples are ",
    None: "these samples cannot tell whether the new samples are worse",
}


@pytest.mark.parametrize("seed", range(12))
def test_the_first_sentence_says_what_worse_than_and_the_pvalues_say(seed):
    rng = np.random.default_rng(seed)
    margin = rng.choice([0, 0.02])
    sides = [
        counted(*drawn(rng, 250, shares, share)[:2])
        for shares, share in ((OLD_SHARES, 0.35), (NEW_SHARES, rng.choice([0.2, 0.35, 0.5])))
    ]
    names = ["accuracy", "ordinal_mean_absolute_error"]
    report = report_change(*sides, names, margin=margin)
    first, second, classes = (note.text for note in report.document().verdict)
    for name, sentence in zip(names, (first, second), strict=True):
        answer = report.worse_than()[name]
        assert sentence.startswith(f"By {name}, {CLAIMS[answer]}")
        if answer is False:
            rest = sentence.removeprefix(f"By {name}, {CLAIMS[False]}")
            assert rest.startswith("not worse by more than 0.02" if margin else "better")
    parts = report.rates["accuracy"], report.class_sizes["accuracy"]
    assert [f"{part.estimate:+.3f} (p " in first for part in parts] == [
        part.pvalue <= 0.05 for part in parts
    ]
    named = classes.partition(" in class")[2].partition(":")[0]
    assert [name in named for name in "0123"] == [name in report.worse_classes for name in "0123"]


def test_the_smallest_difference_that_is_shown_with_80_percent_power_is_said():
    counts = np.array(OLD)
    new = counts + np.array([[0, 0, 0], [-1, 1, 0], [0, 0, 0]])
    report = report_change(*map(OrdinalConfusion.from_counts, (counts, new)), "accuracy")
    assert report.worse_than() is None
    shares = [np.trace(side) / side.sum() for side in (counts, new)]
    error = math.sqrt(sum(share * (1 - share) / 299 for share in shares))
    smallest = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error
    text = " ".join(str(report).split())
    assert f"With 80% power, these samples show differences of {smallest:.3f} or more." in text


def test_criteria_that_are_named_are_inferred_and_the_others_are_values():
    sides = [
        counted(*drawn(np.random.default_rng(seed), 500, OLD_SHARES, share)[:2])
        for seed, share in ((1, 0.3), (2, 0.6))
    ]
    report = report_change(*sides)
    assert report.inferred == ("cem_ord",)
    text, details = report.to_text(), report.to_text(details=True)
    assert text.count("\n") <= 30
    assert text.count("interval  ") == 1
    low, high = report.differences["kendall_tau_b"].low, report.differences["kendall_tau_b"].high
    assert f"{low:+.3f} to {high:+.3f}" in details
    assert f"{low:+.3f} to {high:+.3f}" not in text
    names = ["accuracy", "kendall_tau_b"]
    named = report_change(*sides, names)
    assert named.inferred == tuple(names)
    assert f"{low:+.3f} to {high:+.3f}" in named.to_text()


def test_the_classes_of_a_criterion_are_in_the_text_if_they_are_few():
    title = "Mean absolute error of each class"
    few = report_change(*map(OrdinalConfusion.from_counts, (OLD, NEW)), "cem_ord")
    assert title in str(few)
    rng = np.random.default_rng(0)
    counts = [np.diag(np.full(8, 30)) + rng.integers(3, size=(8, 8)) for _ in range(2)]
    many = report_change(*map(OrdinalConfusion.from_counts, counts), "cem_ord")
    assert title not in str(many)
    assert "Pass details=True for the classes." in str(many)
    assert title in many.to_text(details=True)


def test_a_grade_that_no_new_item_has_is_no_missing_class_of_a_sentence():
    old, new = ([[0, 1], [1, 2], [2, 2], [0, 0]] * 5, [[0, 1], [1, 1], [0, 1], [0, 0]] * 5)
    sides = (OrdinalRatings.from_ratings(grades, labels=range(3)) for grades in (old, new))
    text = str(report_change(*sides, "krippendorff_alpha"))
    assert "lack" not in text
    assert "it is not split." in text


def test_rows_are_tidy():
    pytest.importorskip("pandas")
    report = report_change(*map(OrdinalConfusion.from_counts, (OLD, NEW)), "cem_ord", margin=0.01)
    frame = report.to_frame()
    assert not frame.duplicated(["criterion", "time", "against", "class", "what"]).any()
    assert len(frame) == 3 + 3 + 3 * (2 + 1)
    (worse,) = frame["worse"].dropna()
    assert worse is report.worse_than()
    facts = report.to_dict()
    assert facts["margin"] == 0.01
    assert facts["class_counts"]["new"] == {"0": 80, "1": 100, "2": 120}


def test_a_value_that_is_undefined_at_the_old_shares_is_not_split():
    # The third class is new. The two others have one prediction.
    old = OrdinalConfusion.from_counts([[20, 2, 0], [3, 20, 0], [0, 0, 0]])
    new = OrdinalConfusion.from_counts([[25, 0, 0], [20, 0, 0], [0, 0, 25]])
    report = report_change(old, new, "kendall_tau_b")
    assert math.isnan(report.rates["kendall_tau_b"].estimate)
    sentence = report.document().verdict[0].text
    assert sentence.endswith("since the value at the old class shares is undefined.")


def test_a_difference_may_be_shown_without_any_of_its_parts():
    old = OrdinalConfusion.from_counts([[60, 15], [10, 40]])
    new = OrdinalConfusion.from_counts([[40, 18], [20, 45]])
    report = report_change(old, new, "accuracy")
    assert report.worse_than() is True
    assert min(report.rates["accuracy"].pvalue, report.class_sizes["accuracy"].pvalue) > 0.05
    sentence = report.document().verdict[0].text
    assert sentence.endswith("nor other class sizes alone are shown to matter.")
