"""The decomposition of the ranked probability score against worked examples and definitions."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

from sklearn_ordinal.metrics import ranked_probability_decomposition, ranked_probability_score
from sklearn_ordinal.metrics._miscalibration import _recalibrate
from tests.metrics.probabilities import FEW, FEW_TRUE, FOUR, FOUR_TRUE, hpc_cv, random_probabilities

EACH = pytest.mark.parametrize("method", ["corp", "murphy"])
close = partial(pytest.approx, rel=1e-9, abs=1e-12)


def parts_of(decomposition):
    return (
        decomposition.miscalibration,
        decomposition.discrimination,
        decomposition.uncertainty,
    )


def sums_of(decomposition):
    return tuple(part.sum() for part in parts_of(decomposition))


def by_isotonic_regression(y_true, y_proba, weight):
    """Return the parts by their definitions, with scikit-learn's fit and Brier scores."""
    rows = []
    for threshold in range(y_proba.shape[1] - 1):
        event = y_true <= threshold
        forecast = y_proba[:, : threshold + 1].sum(axis=1).clip(0, 1)
        fit = IsotonicRegression(y_min=0, y_max=1).fit(forecast.round(12), event, weight)
        constant = np.full(len(event), np.average(event, weights=weight))
        score, recalibrated, reference = (
            brier_score_loss(event, proba, sample_weight=weight)
            for proba in (forecast, fit.predict(forecast.round(12)), constant)
        )
        rows.append((score - recalibrated, reference - recalibrated, reference))
    return np.transpose(rows)


def test_corp_parts_of_a_worked_example_at_each_threshold():
    found = ranked_probability_decomposition(FEW_TRUE, FEW)
    assert found.miscalibration == pytest.approx([0.0108333, 0.0441667], abs=5e-8)
    assert found.discrimination == pytest.approx([0.0677083, 0.1510417], abs=5e-8)
    assert found.uncertainty == pytest.approx([0.234375, 0.234375])


@pytest.mark.parametrize(
    ("y_true", "y_proba", "threshold", "forecasts", "expected"),
    [
        (FEW_TRUE, FEW, 0, [0.1, 0.2, 0.6], [0, 0.3333, 0.6667]),
        (FOUR_TRUE, FOUR, 0, [0.1, 0.3, 0.5, 0.7], [0, 0.3333, 0.5, 0.5]),
        (FOUR_TRUE, FOUR, 1, [0.3, 0.7, 0.8, 0.9], [0.3333, 0.6667, 0.6667, 1]),
        # The curves of two thresholds cross: 0.5 is below 1 for the first sample.
        (np.array([0, 2]), np.array([[0.4, 0.1, 0.5], [0.3, 0.6, 0.1]]), 0, [0.3, 0.4], [0, 1]),
        (
            np.array([0, 2]),
            np.array([[0.4, 0.1, 0.5], [0.3, 0.6, 0.1]]),
            1,
            [0.5, 0.9],
            [0.5, 0.5],
        ),
    ],
)
def test_recalibrated_forecasts_of_worked_examples(y_true, y_proba, threshold, forecasts, expected):
    forecast = y_proba[:, : threshold + 1].sum(axis=1).round(12)
    found = _recalibrate(forecast, y_true <= threshold, np.ones(len(y_true)))
    assert found.forecast == pytest.approx(forecasts)
    assert found.recalibrated == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("true", "expected"), [(0, 0.089), (1, 0.089), (2, 0.299)])
def test_scores_of_the_thresholds_can_be_weighted_by_the_steps_of_closeness(true, expected):
    """Half the shares of both neighbours of a threshold make the proper score of CEM flat."""
    found = ranked_probability_decomposition([true], [[0.5, 0.3, 0.2]], labels=range(3))
    of_thresholds = found.miscalibration - found.discrimination + found.uncertainty
    assert of_thresholds @ [(0.3 + 0.3) / 2, (0.3 + 0.4) / 2] == pytest.approx(expected)


def test_murphys_parts_of_a_worked_example():
    found = ranked_probability_decomposition(FEW_TRUE, FEW, method="murphy")
    assert sums_of(found) == pytest.approx((0.055, 0.21875, 0.46875))
    assert found.score == pytest.approx(0.305)


def test_parts_of_another_worked_example():
    corp, murphy = (
        ranked_probability_decomposition(FOUR_TRUE, FOUR, method=method)
        for method in ("corp", "murphy")
    )
    assert sums_of(corp) == pytest.approx((0.036944444, 0.097222222, 0.444444444), abs=5e-10)
    assert sums_of(murphy) == pytest.approx((0.050833333, 0.111111111, 0.444444444), abs=5e-10)
    assert [corp.score, murphy.score] == pytest.approx([0.384166667] * 2, abs=5e-10)


@pytest.mark.parametrize(
    ("y_true", "y_proba", "weight"),
    [
        (*hpc_cv(), np.ones(3467)),
        (FOUR_TRUE, FOUR, np.arange(1, 13) / 3),
        (*random_probabilities(300, 5)[:2], np.linspace(0.1, 2, 300)),
    ],
    ids=["hpc_cv", "worked example", "random"],
)
def test_corp_parts_are_differences_of_brier_scores(y_true, y_proba, weight):
    found = ranked_probability_decomposition(y_true, y_proba, sample_weight=weight)
    expected = by_isotonic_regression(y_true, y_proba, weight)
    np.testing.assert_allclose(np.array(parts_of(found)), expected, rtol=1e-9, atol=1e-10)


probabilities = st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any)
samples = st.lists(st.tuples(st.integers(0, 3), probabilities, st.integers(0, 3)), min_size=1)
samples = samples.filter(lambda rows: any(weight for _, _, weight in rows))


@EACH
@given(samples=samples)
def test_the_parts_are_not_negative_and_add_up_to_the_score(samples, method):
    y_true, counts, weight = map(np.array, zip(*samples, strict=True))
    y_proba = counts / counts.sum(axis=1, keepdims=True)
    options = {"labels": range(4), "sample_weight": weight}
    found = ranked_probability_decomposition(y_true, y_proba, method=method, **options)
    for part in parts_of(found):
        assert part.shape == (3,)
        assert part.min() >= 0
    assert (found.discrimination <= found.uncertainty + 1e-12).all()
    assert found.score == close(ranked_probability_score(y_true, y_proba, **options))


@EACH
def test_integer_weights_equal_repeated_samples(method):
    y_true, y_proba, weight = random_probabilities()
    options = {"labels": range(4), "method": method}
    found = ranked_probability_decomposition(y_true, y_proba, sample_weight=weight, **options)
    repeated = ranked_probability_decomposition(
        np.repeat(y_true, weight), np.repeat(y_proba, weight, axis=0), **options
    )
    np.testing.assert_allclose(parts_of(found), parts_of(repeated), rtol=1e-9, atol=1e-14)


@EACH
def test_the_order_of_the_samples_does_not_matter(method):
    # With many ties: adjacent violators alone would depend on the order.
    order = np.random.default_rng(0).permutation(len(FOUR))
    found = ranked_probability_decomposition(FOUR_TRUE, FOUR, method=method)
    shuffled = ranked_probability_decomposition(FOUR_TRUE[order], FOUR[order], method=method)
    np.testing.assert_allclose(parts_of(found), parts_of(shuffled), rtol=1e-12)


@EACH
def test_forecasts_that_differ_by_rounding_errors_are_the_same_forecast(method):
    noise = np.random.default_rng(0).choice([-2e-15, 0, 2e-15], FOUR.shape)
    found = ranked_probability_decomposition(FOUR_TRUE, FOUR, method=method)
    noisy = ranked_probability_decomposition(FOUR_TRUE, FOUR + noise, method=method)
    np.testing.assert_allclose(parts_of(found), parts_of(noisy), rtol=1e-9)


@EACH
def test_forecasts_of_the_class_shares_have_no_miscalibration_and_no_discrimination(method):
    shares = np.tile([0.375, 0.25, 0.375], (8, 1))
    found = ranked_probability_decomposition(FEW_TRUE, shares, method=method)
    assert sums_of(found) == close((0, 0, 0.46875))


@EACH
def test_certain_forecasts_of_the_true_classes_discriminate_completely(method):
    found = ranked_probability_decomposition(FEW_TRUE, np.eye(3)[FEW_TRUE], method=method)
    assert sums_of(found) == close((0, 0.46875, 0.46875))


def test_murphys_parts_say_nothing_if_all_forecasts_differ():
    y_true, y_proba, _ = random_probabilities()
    found = ranked_probability_decomposition(y_true, y_proba, method="murphy")
    assert found.miscalibration == close(found.scores)
    assert found.discrimination == close(found.uncertainty)
    assert found.miscalibration.sum() == close(ranked_probability_score(y_true, y_proba))


def test_a_single_true_class_has_no_uncertainty():
    found = ranked_probability_decomposition([1, 1], [[0.2, 0.5, 0.3]] * 2, labels=range(3))
    assert sums_of(found) == close((0.13, 0, 0))


def test_a_scale_of_one_class_has_no_threshold():
    found = ranked_probability_decomposition(["a"], [[1.0]], labels=["a"])
    assert found.score == 0
    assert found.miscalibration.shape == (0,)
    assert "sum" in found.to_text()


def test_an_unknown_method_is_an_error():
    with pytest.raises(ValueError, match=r"method must be one of \('corp', 'murphy'\), got 'bins'"):
        ranked_probability_decomposition(FEW_TRUE, FEW, method="bins")


def test_the_table_names_the_classes_above_each_threshold():
    names = np.array(["poor", "fair", "good"])
    found = ranked_probability_decomposition(names[FEW_TRUE], FEW, labels=names)
    lines = [line.split("  ")[0] for line in found.to_text(digits=6).splitlines()]
    assert lines[0].startswith("The score is 0.")
    start = lines.index("threshold")
    assert lines[start + 1 : start + 3] == ["above 'poor'", "above 'fair'"]
    assert lines[-1] == "sum"
    assert found.to_dict() == {
        "method": "corp",
        "labels": ["poor", "fair", "good"],
        "miscalibration": found.miscalibration.tolist(),
        "discrimination": found.discrimination.tolist(),
        "uncertainty": found.uncertainty.tolist(),
        "score": found.scores.tolist(),
    }
