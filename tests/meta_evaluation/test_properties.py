"""Properties of metrics, against definitions in plain loops and against the public functions."""

import contextlib
import io
import itertools
import math
import warnings
from collections import Counter
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import make_scorer, mean_absolute_error

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScores,
    get_metric,
    metrics,
)
from sklearn_ordinal._core.catalogue import METRICS, metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.meta_evaluation import check_properties
from sklearn_ordinal.meta_evaluation._properties import all_matrices, number_of_matrices

PROPERTIES = [
    "ordinal_invariant",
    "ordinal_monotonic",
    "strictly_monotonic",
    "imbalance_aware",
    "prevalence_invariant",
    "symmetric",
]
# The search for counterexamples needs predictions that an estimator could make.
SEARCHED = [metric for metric in METRICS.values() if metric.evidence.methods]
ALL = pytest.mark.parametrize("metric", SEARCHED, ids=str)
OF_LABELS = metrics_of(LABELS)


@cache
def report_of(name):
    return check_properties(name, max_matrices=1_000)


@ALL
def test_the_recorded_properties_are_those_that_the_search_finds(metric):
    report = report_of(metric.name)
    found = {name: getattr(report, name) for name in PROPERTIES}
    assert found == {name: getattr(metric, name) for name in PROPERTIES}
    assert set(report.counterexamples) == {name for name in PROPERTIES if found[name] is False}


def rows_of(evidence):
    """Return true classes, predictions and labels as a user passes them."""
    labels = range(evidence.n_classes if hasattr(evidence, "n_classes") else len(evidence.labels))
    if isinstance(evidence, OrdinalForecasts):
        return evidence.y_true, evidence.y_proba, labels
    if isinstance(evidence, OrdinalScores):
        return evidence.y_true, evidence.y_score, labels
    y_true, y_pred = np.nonzero(evidence.counts)
    number = evidence.counts[y_true, y_pred]
    return np.repeat(y_true, number), np.repeat(y_pred, number), labels


def is_contradicted(name, gain, size):
    """Return whether a gain contradicts a property, by its definition."""
    if name == "ordinal_monotonic":
        return gain < -1e-9 * size
    if name == "strictly_monotonic":
        return gain <= 1e-12 * size
    if name == "imbalance_aware":
        # The error in the smaller class must be worse.
        return gain >= -1e-12 * size
    return abs(gain) > 1e-9 * size


@ALL
def test_counterexamples_contradict_the_property_on_rows_of_the_public_function(metric):
    for name, found in report_of(metric.name).counterexamples.items():
        values = []
        for evidence, expected in (
            (found.before, found.value_before),
            (found.after, found.value_after),
        ):
            y_true, predicted, labels = rows_of(evidence)
            if metric.function.__module__.startswith("sklearn_ordinal."):
                value = metric.function(y_true, predicted, labels=labels, **metric.options)
            else:
                value = metric.from_predictions(y_true, predicted, labels=labels)
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
            values.append(value)
        gain = values[1] - values[0] if metric.greater_is_better else values[0] - values[1]
        assert is_contradicted(name, gain, max(map(abs, values)))


def moved_sets(before, after):
    """Return the rows of two pieces of evidence that are in one of them only."""
    first, second = (
        sorted(zip(y_true.tolist(), predicted.tolist(), strict=True))
        for y_true, predicted, _ in (rows_of(before), rows_of(after))
    )
    for row in list(first):
        if row in second:
            first.remove(row)
            second.remove(row)
    return first, second


@ALL
def test_counterexamples_are_the_changes_that_the_properties_are_about(metric):
    examples = report_of(metric.name).counterexamples
    for name in ("ordinal_monotonic", "strictly_monotonic"):
        if name not in examples:
            continue
        ((true, farther),), ((same, nearer),) = moved_sets(
            examples[name].before, examples[name].after
        )
        assert true == same
        if metric.evidence.name == "probabilities":
            before, after = np.array(farther), np.array(nearer)
            assert np.abs(after - before).sum() == 0.5
            ends = [np.abs(np.arange(len(p)) - true) @ p for p in (before, after)]
            assert ends[1] == ends[0] - 0.25
        else:
            step = 0.5 if metric.evidence.name == "scores" else 1
            assert abs(nearer - true) == abs(farther - true) - step
            assert (nearer - true) * (farther - true) >= 0
    if "imbalance_aware" in examples:
        found = examples["imbalance_aware"]
        (large,), (small,) = (
            [true for true, predicted in rows if not is_right(true, predicted)]
            for rows in (
                zip(*rows_of(found.before)[:2], strict=True),
                zip(*rows_of(found.after)[:2], strict=True),
            )
        )
        sizes = np.bincount(rows_of(found.before)[0])
        assert abs(large - small) == 2
        assert sizes[large] > sizes[small] > 0


def is_right(true, predicted):
    return predicted[true] == 1 if np.ndim(predicted) else predicted == true


@ALL
def test_every_class_occurs_in_the_truth_of_counterexamples(metric):
    for name, found in report_of(metric.name).counterexamples.items():
        pair = [found.before] if name == "ordinal_invariant" else [found.before, found.after]
        for y_true, _, labels in map(rows_of, pair):
            assert set(y_true) == set(labels)


def test_strictly_monotonic_metrics_may_not_be_so_where_classes_are_missing():
    for predicted in (1, 2):
        value = get_metric("cem_ord").from_predictions([0, 3], [0, predicted], labels=range(4))
        assert value == 0.75
    assert report_of("cem_ord").strictly_monotonic
    assert "if one is missing, a property may not hold" in report_of("cem_ord").searched


@pytest.mark.parametrize("shape", [(2, 2), (2, 5), (3, 3), (4, 4)])
def test_all_matrices_in_which_every_class_occurs_are_searched(shape):
    for n_samples in range(shape[0], shape[0] + 3):
        found = all_matrices(*shape, n_samples)
        assert len(found) == number_of_matrices(*shape, n_samples)
        expected = {
            cells
            for cells in itertools.combinations_with_replacement(
                itertools.product(*map(range, shape)), n_samples
            )
            if len({true for true, _ in cells}) == shape[0]
        }
        cells = [np.argwhere(counts).repeat(counts[counts > 0], axis=0) for counts in found]
        assert {tuple(map(tuple, each.tolist())) for each in cells} == expected


@pytest.mark.parametrize("name", ["accuracy", "cem_ord_decision", "concordance"])
def test_the_code_of_a_counterexample_prints_its_values(name):
    found = report_of(name).counterexamples["strictly_monotonic"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found.code, {})
    values = [float(value) for value in printed.getvalue().split()]
    assert values == pytest.approx([found.value_before, found.value_after])


# --- The definitions, in plain loops over rows ---


def accuracy(rows):
    return sum(true == pred for true, pred in rows) / len(rows)


def absolute_error(rows):
    return -sum(abs(true - pred) for true, pred in rows) / len(rows)


def macro_error(rows):
    errors = [
        sum(abs(true - pred) for true, pred in rows if true == each)
        / sum(true == each for true, _ in rows)
        for each in {true for true, _ in rows}
    ]
    return -sum(errors) / len(errors)


def quadratic_kappa(rows):
    observed = sum((true - pred) ** 2 for true, pred in rows) * len(rows)
    expected = sum((true - pred) ** 2 for true, _ in rows for _, pred in rows)
    return 1 - observed / expected if expected else math.nan


def closeness(rows):
    sizes = Counter(true for true, _ in rows)

    def proximity(pred, true):
        step = 1 if true >= pred else -1
        between = (
            sum(sizes[k] for k in range(pred + step, true + step, step)) if pred != true else 0
        )
        return -math.log((sizes[pred] / 2 + between) / len(rows))

    best = sum(proximity(true, true) for true, _ in rows)
    return sum(proximity(pred, true) for true, pred in rows) / best


def replaced(rows, i, row):
    return [*rows[:i], row, *rows[i + 1 :]]


def changes(name, rows, n_classes):
    """Yield the rows before and after each change that a property is about.

    Every class occurs in the truth.
    """
    if {true for true, _ in rows} != set(range(n_classes)):
        return
    if name == "ordinal_invariant":
        for position in range(n_classes + 1):
            recoded = [tuple(each + (each >= position) for each in row) for row in rows]
            yield rows, recoded
    if name == "symmetric" and {pred for _, pred in rows} == set(range(n_classes)):
        yield rows, [(pred, true) for true, pred in rows]
    if name == "prevalence_invariant":
        for each in range(n_classes):
            yield rows, rows + [row for row in rows if row[0] == each]
    if name in ("ordinal_monotonic", "strictly_monotonic"):
        for i, (true, pred) in enumerate(rows):
            if true != pred:
                nearer = (true, pred + (1 if true > pred else -1))
                yield rows, replaced(rows, i, nearer)
    if name == "imbalance_aware" and all(true == pred for true, pred in rows):
        for low in range(n_classes - 2):
            middle, high = low + 1, low + 2
            number = [sum(true == each for true, _ in rows) for each in range(n_classes)]
            if number[low] != number[high]:
                larger, smaller = (low, high) if number[low] > number[high] else (high, low)
                yield (
                    replaced(rows, rows.index((larger, larger)), (larger, middle)),
                    replaced(rows, rows.index((smaller, smaller)), (smaller, middle)),
                )


def size_of_smallest_counterexample(value, name, most_samples):
    """Return numbers of classes and samples, or None if there is no counterexample."""
    for n_classes, most in most_samples.items():
        cells = list(itertools.product(range(n_classes), repeat=2))
        for n_samples in range(1, most + 1):
            for rows in itertools.combinations_with_replacement(cells, n_samples):
                for before, after in changes(name, list(rows), n_classes):
                    gain = value(after) - value(before)
                    if is_contradicted(name, gain, 1):
                        return n_classes, n_samples
    return None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accuracy", accuracy),
        ("ordinal_mean_absolute_error", absolute_error),
        ("macro_averaged_mean_absolute_error", macro_error),
        ("quadratic_weighted_kappa", quadratic_kappa),
        ("cem_ord", closeness),
    ],
)
def test_small_searches_agree_with_loops_over_rows(name, value):
    # 189 matrices of 3 classes and up to 4 samples.
    report = check_properties(name, n_classes=3, max_matrices=189, n_random=0)
    assert report.n_samples == (6, 4)
    for each in set(PROPERTIES) - {"imbalance_aware"}:
        smallest = size_of_smallest_counterexample(value, each, {2: 4, 3: 4})
        assert (smallest is None) == getattr(report, each)
        if smallest:
            counts = report.counterexamples[each].before.counts
            assert (len(counts), counts.sum()) == smallest
    for sizes in itertools.product(range(1, 5), repeat=3):
        rows = [(each, each) for each in range(3) for _ in range(sizes[each])]
        costs = [
            value(before) - value(after) for before, after in changes("imbalance_aware", rows, 3)
        ]
        assert not report.imbalance_aware or all(cost > 1e-12 for cost in costs)


matrices = st.lists(st.integers(0, 6), min_size=25, max_size=25)
matrices = matrices.map(lambda counts: np.array(counts).reshape(5, 5)).filter(np.any)


@pytest.mark.parametrize("metric", OF_LABELS.values(), ids=OF_LABELS)
@settings(max_examples=10, deadline=None)
@given(counts=matrices, position=st.integers(0, 5), true=st.integers(0, 4), data=st.data())
def test_properties_that_hold_are_not_refuted_on_larger_matrices(
    metric, counts, position, true, data
):
    value, sign = metric.statistic(counts), 1 if metric.greater_is_better else -1
    if metric.ordinal_invariant:
        wider = np.insert(np.insert(counts, position, 0, axis=0), position, 0, axis=1)
        np.testing.assert_allclose(metric.statistic(wider), value, rtol=1e-9, atol=1e-9)
    if metric.symmetric:
        np.testing.assert_allclose(metric.statistic(counts.T), value, rtol=1e-9, atol=1e-9)
    if metric.prevalence_invariant:
        factor = data.draw(st.sampled_from([0.1, 3, 17.5]))
        scaled = counts * np.where(np.arange(5) == true, factor, 1)[:, None]
        np.testing.assert_allclose(metric.statistic(scaled), value, rtol=1e-9, atol=1e-9)
    if metric.ordinal_monotonic:
        pred = data.draw(st.sampled_from([each for each in range(5) if each != true]))
        counts[true, pred] += 1
        nearer = counts.copy()
        nearer[true, pred] -= 1
        nearer[true, pred + np.sign(true - pred)] += 1
        gain = sign * (metric.statistic(nearer) - metric.statistic(counts))
        assert gain > -1e-9 or np.isnan(gain)
        if metric.strictly_monotonic and counts.any(axis=1).all():
            assert gain > 0
    if metric.imbalance_aware:
        sizes = counts.sum(axis=1) + 1
        sizes[1 if true < 2 else 3] += sizes[(0, 1, 2, 3, 4)[true]]
        for low in range(3):
            if sizes[low] != sizes[low + 2]:
                costs = {}
                for each in (low, low + 2):
                    wrong = np.diag(sizes)
                    wrong[each, each] -= 1
                    wrong[each, low + 1] += 1
                    costs[sizes[each]] = -sign * metric.statistic(wrong)
                assert costs[max(costs)] < costs[min(costs)]


# --- Metrics of other people, and values that are not exact ---


def metric_of(statistic, **options):
    return OrdinalMetric("own", statistic, **options)


def hidden_error_score(y_true, y_pred):
    return np.mean(y_true == y_pred) - 1e-10 * np.mean(np.abs(y_true - y_pred))


def hit_score(y_true, y_pred):
    return sum(y_true == y_pred).item() / sum(y_pred == 0).item()


def lagging_score(y_true, y_pred):
    return np.mean(y_true == y_pred + 1)


def noisy_accuracy_score(y_true, y_pred):
    rng = np.random.default_rng([*y_true, 7, *y_pred])
    return np.mean(y_true == y_pred) * (1 + 1e-15 * rng.random()) + 1e-16 * rng.random()


def test_a_tiny_gain_is_a_gain_and_a_rounding_error_is_none():
    assert check_properties(hidden_error_score, max_matrices=54).strictly_monotonic
    noisy = check_properties(noisy_accuracy_score, max_matrices=54)
    exact = report_of("accuracy")
    assert [getattr(noisy, name) for name in PROPERTIES] == [
        getattr(exact, name) for name in PROPERTIES
    ]
    assert "both times" in noisy.counterexamples["strictly_monotonic"].text


def test_functions_of_rows_are_searched_with_their_labels():
    small = {"n_classes": 3, "max_matrices": 54, "n_random": 5}
    report = check_properties(lagging_score, **small)
    assert report.symmetric is False
    assert report.ordinal_invariant is False
    code = report.counterexamples["symmetric"].code
    assert "\nmetric = get_metric(...)  # pass the function of lagging\nbefore = " in code
    exec(code.replace("...", "lagging_score"), {"lagging_score": lagging_score})
    error = check_properties(make_scorer(mean_absolute_error, greater_is_better=False), **small)
    recorded = get_metric("ordinal_mean_absolute_error")
    assert all(getattr(error, name) == getattr(recorded, name) for name in PROPERTIES)
    assert "lower is better" in error.counterexamples["imbalance_aware"].text


@pytest.mark.parametrize(
    "variant",
    [
        partial(metrics.weighted_kappa_score, weights="identity"),
        partial(metrics.weighted_kappa_score, weights="radical"),
        partial(metrics.scott_pi_score, weights="identity"),
        partial(metrics.scott_pi_score, weights="linear"),
        partial(metrics.krippendorff_alpha_score, level="nominal"),
        partial(metrics.krippendorff_alpha_score, level="interval"),
        partial(metrics.gwet_ac2_score, weights="identity"),
        partial(metrics.within_n_accuracy_score, n=0),
        partial(metrics.within_n_accuracy_score, n=2),
        partial(metrics.somers_d_score, dependent="y_true"),
        partial(metrics.somers_d_score, dependent="both"),
        partial(metrics.mutual_information_score, normalize=True),
        partial(metrics.extreme_sensitivity_score, average="arithmetic"),
    ],
    ids=lambda variant: f"{variant.func.__name__} {variant.keywords}",
)
def test_recorded_properties_depend_on_the_options(variant):
    report, metric = check_properties(variant, max_matrices=500), get_metric(variant)
    for name in PROPERTIES:
        assert getattr(report, name) == getattr(metric, name), name


def test_random_counterexamples_are_reduced_until_each_sample_is_needed():
    def statistic(counts):
        return (counts[..., 0, -1] >= 5) & (counts[..., 1, 1] >= 2) & (counts.shape[-1] > 3)

    report = check_properties(metric_of(statistic), max_matrices=100)
    counts = report.counterexamples["symmetric"].before.counts
    assert (counts[0, 3], counts[1, 1]) == (5, 2)
    for true, pred in np.argwhere(counts):
        fewer = counts.copy()
        fewer[true, pred] -= 1
        is_missing = not (fewer.any(axis=1).all() and fewer.any(axis=0).all())
        assert is_missing or statistic(fewer) == statistic(fewer.T)


def test_a_property_that_could_not_be_tested_is_not_known():
    report = check_properties(metric_of(lambda counts: np.full(counts.shape[:-2], np.nan)))
    assert [getattr(report, name) for name in PROPERTIES] == [None] * len(PROPERTIES)
    assert report.counterexamples == {}
    assert set(report.n_compared.values()) == {0}
    assert "\n- ordinal invariant: no counterexample in 0 comparisons\n" in str(report)

    def three_samples(counts):
        return np.where(counts.sum(axis=(-2, -1)) == 3, 1.0, np.nan)

    report = check_properties(metric_of(three_samples), n_random=0)
    assert report.ordinal_invariant
    # 12 matrices of two classes, and 27 of three.
    assert report.n_compared["ordinal_invariant"] == 12 * 3 + 27 * 4
    assert report.prevalence_invariant is None


def test_an_exhaustive_search_that_was_too_large_is_not_mentioned():
    none = check_properties("cem_ord", n_classes=3, max_matrices=1, n_random=5)
    assert none.n_samples == (0, 0)
    assert "Searched: 5 random matrices for each number of classes." in none.searched
    some = check_properties("cem_ord", n_classes=3, max_matrices=4, n_random=5)
    assert some.n_samples == (2, 0)
    start = "Searched: all matrices of up to 2 samples of 2 classes; then 5 random matrices"
    assert some.searched.startswith(start)


def test_infinite_values_are_compared():
    def statistic(counts):
        return np.where(counts[..., 0, 0] > 0, np.inf, 0.0)

    report = check_properties(metric_of(statistic))
    assert report.ordinal_invariant is False
    assert report.prevalence_invariant


def test_equal_infinite_values_are_no_gain():
    def statistic(counts):
        is_wrong = ~np.eye(counts.shape[-1], dtype=bool)
        return np.where((counts * is_wrong).any(axis=(-2, -1)), np.inf, 0.0)

    report = check_properties(metric_of(statistic, greater_is_better=False))
    assert report.strictly_monotonic is report.imbalance_aware is False
    assert report.ordinal_monotonic
    assert set(report.n_undefined.values()) == {0}


def test_the_code_for_a_function_does_not_look_up_a_metric_of_the_same_name():
    def accuracy_score(y_true, y_pred):
        return np.mean(np.abs(np.subtract(y_true, y_pred)) <= 2)

    code = check_properties(accuracy_score).counterexamples["ordinal_invariant"].code
    assert "get_metric(...)  # pass the function of accuracy\n" in code


def test_the_result_does_not_depend_on_the_run():
    options = {"max_matrices": 100, "n_random": 50, "random_state": 3}
    first, second = (check_properties("cem_int", **options) for _ in range(2))
    assert str(first) == str(second)
    assert [example.code for example in first.counterexamples.values()] == [
        example.code for example in second.counterexamples.values()
    ]


def test_eight_metrics_of_labels_are_prevalence_invariant():
    """As in an independent search over the catalogue."""
    assert sum(metric.prevalence_invariant for metric in OF_LABELS.values()) == 8


def test_warnings_of_functions_are_not_shown():
    def verbose_accuracy_score(y_true, y_pred):
        warnings.warn("few samples", RuntimeWarning, stacklevel=2)
        return np.mean(np.equal(y_true, y_pred))

    report = check_properties(verbose_accuracy_score, max_matrices=54, n_random=0)
    assert report.counterexamples["prevalence_invariant"].value_before < 1


def verbose_score(y_true, y_pred):
    raise RuntimeError(f"{len(y_true)} true\n{len(y_pred)} predicted")


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("accuracy", {"n_classes": 1}, "n_classes must be at least 2, got 1"),
        ("accuracy", {"n_classes": 2.5}, "n_classes must be a positive integer, got 2.5"),
        ("accuracy", {"max_matrices": -1}, "max_matrices must be a non-negative integer, got -1"),
        ("accuracy", {"n_random": "5"}, "n_random must be a non-negative integer, got '5'"),
        ("accuracy", {"random_state": "x"}, "random_state must be"),
        ("acuracy", {}, "did you mean 'accuracy'"),
        ("roc_auc_ovr", {}, "roc_auc_ovr needs the fitted estimator"),
        (["accuracy", "cem_ord"], {}, "metric must be a name or a callable, got"),
        (
            partial(metrics.cem_ord_score, class_counts=[3, 4, 5]),
            {},
            "any number of classes and samples, .* raised ValueError for 2 classes: class_counts",
        ),
        (
            hit_score,
            {},
            "hit raised ZeroDivisionError for 2 classes: division by zero",
        ),
        (verbose_score, {}, "verbose raised RuntimeError for 2 classes: 2 true 2 predicted$"),
    ],
)
def test_wrong_input_is_an_error_that_names_the_argument(metric, options, message):
    with pytest.raises(ValueError, match=message):
        check_properties(metric, **options)


def test_the_text_has_a_sentence_for_each_property():
    report = report_of("accuracy")
    text = str(report)
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    assert words.startswith("Properties of accuracy - ordinal invariant: no counterexample in ")
    assert words.endswith(report.searched)
    for name in PROPERTIES:
        start = f"- {name.replace('_', ' ')}: no counterexample in {report.n_compared[name]:,} comp"
        if name in report.counterexamples:
            example = report.counterexamples[name]
            start = f"- not {name.replace('_', ' ')}: {example.text}"
            assert str(example).endswith(f"\n\n{example.code}")
            assert " ".join(str(example).split()).startswith(example.text)
        assert start in words


def test_evidence_of_counterexamples_is_of_the_kind_of_the_metric():
    kinds = {"labels": OrdinalConfusion, "probabilities": OrdinalForecasts, "scores": OrdinalScores}
    for name in ("accuracy", "log_loss", "concordance"):
        for found in report_of(name).counterexamples.values():
            assert type(found.before) is type(found.after) is kinds[METRICS[name].evidence.name]
            assert not found.before.is_weighted
