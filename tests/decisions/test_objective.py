"""The objective of gradient boosting, checked by worked values and by finite differences."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import logsumexp, softmax
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

from sklearn_ordinal.decisions import OptimalDecisionClassifier, cem_objective
from sklearn_ordinal.metrics import closeness_costs
from tests.decisions.examples import Given


def score(raw, y, costs, temperature):
    """Return the definition: G(p) + sum_i s_i (A[i, y] - (Ap)_i), with A = -costs.T."""
    a, p = -costs.T, softmax(raw)
    s = softmax(a @ p / temperature)
    return temperature * logsumexp(a @ p / temperature) + s @ (a[:, y] - a @ p)


@pytest.mark.parametrize(
    ("y", "value", "gradient"),
    [
        (0, -0.354060458, [-0.514137658, 0.320032268, 0.194105390]),
        (1, -0.555444367, [0.533387114, -0.410576584, -0.122810530]),
        (2, -1.181770717, [0.485263474, -0.184215795, -0.301047679]),
    ],
)
def test_worked_values(y, value, gradient):
    counts, raw = [3, 3, 4], np.log([0.5, 0.3, 0.2])
    assert score(raw, y, closeness_costs(counts), 0.5) == pytest.approx(value, abs=1e-8)
    found, _ = cem_objective(counts, temperature=0.5)([y], [raw])
    np.testing.assert_allclose(found, [gradient], atol=1e-8)


def test_the_loss_of_a_certain_and_right_forecast_is_not_zero_but_its_gradient_is():
    counts, raw = [3, 3, 4], 1e3 * np.eye(3)
    values = [score(raw[y], y, closeness_costs(counts), 0.5) for y in range(3)]
    assert values == pytest.approx([0.024392, 0.035230, 0.033535], abs=5e-7)
    gradient, _ = cem_objective(counts, temperature=0.5)(range(3), raw)
    assert gradient == pytest.approx(np.zeros((3, 3)))


cases = st.tuples(
    st.lists(st.integers(1, 50), min_size=2, max_size=5),
    st.floats(0.2, 3),
    st.integers(0, 1000),
)


@settings(deadline=None)
@given(cases)
def test_the_gradient_is_that_of_finite_differences(case):
    counts, temperature, seed = case
    costs = closeness_costs(counts)
    raw = np.random.default_rng(seed).normal(size=len(counts))
    for y in range(len(counts)):
        gradient, _ = cem_objective(counts, temperature=temperature)([y], [raw])
        expected = approx_fprime(raw, lambda z, y=y: -score(z, y, costs, temperature), 1e-6)
        np.testing.assert_allclose(gradient[0], expected, atol=1e-4)


@settings(deadline=None)
@given(cases)
def test_the_hessian_is_that_of_the_expected_loss_if_the_probabilities_are_true(case):
    counts, temperature, seed = case
    objective = cem_objective(counts, temperature=temperature)
    K = len(counts)
    raw = np.random.default_rng(seed).normal(size=K)
    p = softmax(raw)

    def expected_gradient(z):
        return p @ objective(range(K), np.tile(z, (K, 1)))[0]

    # True probabilities have the lowest expected loss.
    np.testing.assert_allclose(expected_gradient(raw), 0, atol=1e-12)
    curvature = np.diag(approx_fprime(raw, expected_gradient, 1e-6))
    _, hessian = objective(range(K), np.tile(raw, (K, 1)))
    np.testing.assert_allclose(hessian, np.tile(np.maximum(curvature, 1e-3), (K, 1)), atol=1e-4)


def test_the_hessian_is_positive_where_probabilities_vanish():
    objective = cem_objective([1, 100, 10_000], temperature=0.01)
    raw = 100 * np.random.default_rng(0).normal(size=(50, 3))
    gradient, hessian = objective(np.arange(50) % 3, raw)
    assert np.isfinite(gradient).all()
    assert (hessian > 0).all()


def test_at_low_temperature_the_loss_is_the_cost_of_the_optimal_decision():
    counts = [50, 30, 15, 5]
    costs = closeness_costs(counts)
    decide = OptimalDecisionClassifier(Given(), class_counts=counts).fit(np.eye(4), range(4))
    for p in np.random.default_rng(0).dirichlet(np.ones(4), size=20):
        (decision,) = decide.predict([p])
        for y in range(4):
            loss = -score(np.log(p), y, costs, 1e-4)
            assert loss == pytest.approx(costs[y, decision], abs=1e-2)


def test_weights_multiply_both_derivatives():
    objective, weight = cem_objective([3, 3, 4]), np.array([0.5, 2.0])
    y, raw = [0, 2], np.log([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
    for weighted, plain in zip(objective(y, raw, weight), objective(y, raw), strict=True):
        np.testing.assert_allclose(weighted, plain * weight[:, None])


def test_it_is_cloned_and_pickled():
    # Any estimator with a parameter will do.
    model = RandomForestClassifier(criterion=cem_objective([3, 3, 4], temperature=2))
    y, raw = [0], [[0.1, 0.2, 0.3]]
    for copy in (clone(model).criterion, pickle.loads(pickle.dumps(model.criterion))):
        np.testing.assert_array_equal(copy(y, raw), model.criterion(y, raw))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3, 0, 4], 1.0), r"class_counts must have shape .* positive, got \[3, 0, 4\]: leave out"),
        (([[3, 1]], 1.0), r"class_counts must have shape \(n_classes,\)"),
        (([3, -1, 4], 1.0), "class_counts must not be negative"),
        (([3, 1, 4], 0.0), "temperature must be a positive number, got 0.0"),
    ],
)
def test_invalid_arguments_raise(arguments, message):
    counts, temperature = arguments
    with pytest.raises(ValueError, match=message):
        cem_objective(counts, temperature=temperature)


@pytest.mark.parametrize(
    ("y", "raw", "message"),
    [
        ([0], [[0.1, 0.2]], r"raw must have shape \(n_samples, 3\), .* got \(1, 2\)"),
        ([0], [0.1], r"raw must have shape \(n_samples, 3\)"),
        ([3], [[0.1, 0.2, 0.3]], "y_true must hold positions of classes from 0 to 2"),
        ([-1], [[0.1, 0.2, 0.3]], "y_true must hold positions of classes from 0 to 2"),
        ([0.5], [[0.1, 0.2, 0.3]], "y_true must hold positions of .* from 0 to 2, got 0.5"),
        ([np.nan], [[0.1, 0.2, 0.3]], "y_true must hold positions of .* from 0 to 2, got nan"),
        (["a"], [[0.1, 0.2, 0.3]], "y_true must hold numbers, got strings"),
        ([[0]], [[0.1, 0.2, 0.3]], r"y_true must be one-dimensional, got shape \(1, 1\)"),
        ([0], [[0.1, 0.2, 0.3]] * 2, "y_true and raw must have the same length, got 1 and 2"),
        ([0], [[0.1, np.nan, 0.3]], "raw must be finite"),
        ([0], "abc", "raw must hold numbers, got strings"),
    ],
)
def test_labels_and_raw_scores_that_do_not_fit_raise(y, raw, message):
    with pytest.raises(ValueError, match=message):
        cem_objective([3, 3, 4])(y, raw)
