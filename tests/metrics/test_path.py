"""Path indices against enumeration of all paths, SciPy's integral and published tables."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    ordinal_classification_index,
    uniform_ordinal_classification_index,
)
from tests import reference

OCI = METRICS["ordinal_classification_index"].statistic
UOCI = METRICS["uniform_ordinal_classification_index"].statistic


def square_matrices(largest):
    """Return counts of up to `largest` classes, with rows and columns of zeros."""
    count = st.sampled_from([0, 0, 1, 2, 5, 40])
    sizes = st.integers(1, largest)
    matrices = sizes.flatmap(
        lambda k: st.lists(st.lists(count, min_size=k, max_size=k), min_size=k, max_size=k)
    )
    return matrices.filter(lambda counts: any(map(any, counts)))


def rows_of(counts):
    """Return y_true, y_pred and labels of a confusion matrix."""
    true, pred = np.indices(np.shape(counts))
    repeated = (np.repeat(side.ravel(), np.ravel(counts)) for side in (true, pred))
    return (*repeated, range(len(counts)))


def index_of(index, counts, **options):
    y_true, y_pred, labels = rows_of(counts)
    return index(y_true, y_pred, labels=labels, **options)


# W. Silva, J. R. Pinto, J. S. Cardoso (2018), table 1, to two digits: beta .25, .75 and the area.
# F is D with ten times the samples in one class.
SILVA = {
    "A": ([[4, 0, 0, 0], [0, 5, 0, 0], [0, 0, 6, 0], [0, 0, 0, 1]], 0, 0, 0),
    "B": ([[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 5, 0], [0, 0, 0, 3]], 0.46, 0.67, 0.56),
    "C": ([[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 5, 0], [0, 0, 0, 3]], 0.62, 0.71, 0.65),
    "D": ([[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 3]], 0.56, 0.67, 0.61),
    "E": ([[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], 0.68, 0.80, 0.74),
    "F": ([[0, 40, 0, 0], [6, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 3]], 0.56, 0.67, 0.61),
}
# J. S. Cardoso, R. Sousa (2011), table 1, to two digits: beta .25 and .75.
CARDOSO = {
    "A": ([[4, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], 0, 0),
    "B": ([[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], 0.50, 0.63),
    "C": ([[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], 0.61, 0.78),
    "D": ([[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], 0.65, 0.72),
}


# Both tables are taken from the tests of the R package badger.plots, which cites the two
# papers.
@pytest.mark.parametrize(("counts", "low", "high"), CARDOSO.values(), ids=CARDOSO)
def test_the_index_equals_the_published_values(counts, low, high):
    assert index_of(ordinal_classification_index, counts, beta=0.25) == pytest.approx(
        low, abs=0.005
    )
    assert index_of(ordinal_classification_index, counts) == pytest.approx(high, abs=0.005)


@pytest.mark.parametrize(("counts", "low", "high", "area"), SILVA.values(), ids=SILVA)
def test_the_uniform_index_equals_the_published_values(counts, low, high, area):
    for beta, expected in ((0.25, low), (0.75, high), (None, area)):
        ours = index_of(uniform_ordinal_classification_index, counts, beta=beta)
        assert ours == pytest.approx(expected, abs=0.005)


def test_a_small_example_by_hand():
    # N = 4, D = 2. The best path includes the error on one side: gain 3 / 6, penalty 1 / (4 * 2).
    counts = [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
    assert index_of(ordinal_classification_index, counts) == pytest.approx(1 - 3 / 6 + 0.75 / 8)


@settings(deadline=None)
@given(
    square_matrices(5), st.sampled_from([0.0, 0.25, 0.75, 1.0, 3.0]), st.sampled_from([0.5, 1, 2])
)
def test_the_index_is_that_of_the_cheapest_path(counts, beta, gamma):
    ours = index_of(ordinal_classification_index, counts, beta=beta, gamma=gamma)
    assert ours == pytest.approx(reference.oci(counts, beta, gamma), abs=1e-12)


@settings(deadline=None)
@given(square_matrices(5), st.sampled_from([0.0, 0.25, 0.75, 1.0, 3.0]))
def test_the_uniform_index_is_that_of_the_cheapest_path(counts, beta):
    expected = min(float(start + slope * beta) for start, slope in reference.uoci_lines(counts))
    ours = index_of(uniform_ordinal_classification_index, counts, beta=beta)
    assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("beta", [1e308, 2**64])
def test_a_huge_beta_leaves_the_path_without_errors(beta):
    counts = [[1, 0, 3], [0, 1, 0], [0, 0, 1]]
    expected = min(float(start) for start, slope in reference.uoci_lines(counts) if slope == 0)
    ours = index_of(uniform_ordinal_classification_index, counts, beta=beta)
    assert ours == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(square_matrices(5))
def test_the_area_is_exact(counts):
    expected = float(reference.area_under_least(reference.uoci_lines(counts)))
    assert index_of(uniform_ordinal_classification_index, counts) == pytest.approx(
        expected, abs=1e-10
    )


def influences_by_steps(index, counts, number):
    """Return the influences of the cells of the classes that occur, in exact or long arithmetic.

    Steps are so small that the cheapest path changes only at a tie.
    """
    n_classes, step = len(counts), number(1) / 10**20
    exact = [list(map(number, row)) for row in counts]
    here = index(exact)
    above, below = np.full((2, n_classes, n_classes), np.nan)
    for i, j in np.ndindex(n_classes, n_classes):
        if any(counts[i]):
            for slopes, change in ((above, step), (below, -step)):
                moved = [row.copy() for row in exact]
                moved[i][j] += change if counts[i][j] or change > 0 else 0
                slopes[i, j] = (index(moved) - here) / change
    occurs, n_samples = np.array(counts) > 0, np.sum(counts)
    if not np.allclose(above[occurs], below[occurs], rtol=0, atol=1e-12):
        return np.full_like(above, np.nan)
    above[above > 1e6] = np.nan
    return n_samples * above - (np.array(counts) * above)[occurs].sum()


@pytest.mark.filterwarnings("ignore:The influences of .* no derivative")
@settings(deadline=None)
@given(square_matrices(4), st.sampled_from(["0", "0.75", "3"]), st.sampled_from(["0.5", "1", "2"]))
def test_the_influence_is_that_of_the_cheapest_path(counts, beta, gamma):
    options = {"beta": float(beta), "gamma": float(gamma)}
    metric = get_metric(partial(ordinal_classification_index, **options))
    influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
    with localcontext(prec=60):
        expected = influences_by_steps(
            lambda c: reference.oci(c, Decimal(beta), Decimal(gamma)), counts, Decimal
        )
    # Here, new samples of a class without samples are like samples of all others.
    in_class = np.any(counts, axis=1)
    np.testing.assert_allclose(influence[in_class], expected[in_class], rtol=1e-8, atol=1e-8)


@pytest.mark.filterwarnings("ignore:The influences of .* no derivative")
@settings(deadline=None, max_examples=8)
@given(square_matrices(4), st.sampled_from([None, Fraction(0), Fraction(3, 4)]))
def test_the_influence_on_the_uniform_index_is_that_of_the_cheapest_paths(counts, beta):
    def index(counts):
        if beta is None:
            return reference.area_under_least(reference.uoci_lines(counts))
        return min(start + slope * beta for start, slope in reference.uoci_lines(counts))

    options = {"beta": None if beta is None else float(beta)}
    metric = get_metric(partial(uniform_ordinal_classification_index, **options))
    influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
    if np.isnan(influence).all() and 1 in np.count_nonzero(counts, axis=1):
        # At a tie, the share of a class that is always predicted as the same class cannot move.
        return
    # A first sample in a class changes the number of classes.
    expected = influences_by_steps(index, counts, Fraction)
    np.testing.assert_allclose(influence, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    "name", ["ordinal_classification_index", "uniform_ordinal_classification_index"]
)
def test_the_influence_of_a_hundred_classes_is_the_slope_along_a_change_of_all_counts(name):
    rng = np.random.default_rng(0)
    position = np.arange(100)
    distance = np.abs(position[:, None] - position)
    # Integers next to the diagonal would often be equal, and their paths tied.
    counts = rng.poisson(1000 * np.exp(-distance / 4)) * rng.uniform(0.9, 1.1, distance.shape)
    change = counts * rng.normal(size=counts.shape)
    metric, step = get_metric(name), 1e-4
    influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
    expected = np.where(counts > 0, influence * change, 0).sum() / counts.sum()
    above, below = metric(
        OrdinalConfusion.from_counts(np.array([counts + step * change, counts - step * change]))
    )
    assert (above - below) / (2 * step) == pytest.approx(expected, rel=0, abs=1e-5)
    assert abs(expected) > 1e-4


def test_the_area_equals_scipys_integral():
    rng = np.random.default_rng(0)
    stack = rng.integers(0, 9, (3, 5, 5))
    for counts, ours in zip(stack, UOCI(stack), strict=True):
        area, _ = quad(
            lambda beta, c=counts: uoci_by_recursion(c, beta), 0, 1, epsabs=1e-8, epsrel=1e-8
        )
        assert ours == pytest.approx(area, abs=1e-6)


def uoci_by_recursion(counts, beta):
    """UOCI by its published recursion, cell by cell."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    n_rows = np.count_nonzero(counts.sum(axis=1))
    apart = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))))
    cost = -shares / (n_rows + (shares * apart).sum()) + beta * shares * apart / n_rows
    for (i, j), here in np.ndenumerate(cost.copy()):
        before = [cost[a, b] for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if min(a, b) >= 0]
        cost[i, j] = here + min(before, default=1)
    return cost[-1, -1]


@pytest.mark.parametrize(
    ("lowest", "highest"), [(0, 0), (-1, 0), (0, 1), (-2, 4), (3, 5), (-24, 24)]
)
def test_cells_far_from_all_samples_are_never_needed(lowest, highest):
    # The recursion visits all cells. A cheapest path avoids the costly cells of large errors.
    # With fewer classes, all cells are visited.
    error = np.arange(25) - np.arange(25)[:, None]
    counts = np.random.default_rng(0).poisson(0.5, (20, 25, 25))
    counts = np.where((lowest <= error) & (error <= highest), counts, 0)
    counts = counts[counts.any(axis=(1, 2))]
    for beta in (0, 0.3, 1, 20):
        expected = [uoci_by_recursion(matrix, beta) for matrix in counts]
        assert UOCI(counts, beta=beta) == pytest.approx(expected, abs=1e-12)


def test_the_errors_of_the_area_do_not_accumulate():
    # About a hundred lines, each less than 1e-9 below another one.
    counts = np.random.default_rng(9).pareto(0.5, (40, 40))
    cost = partial(line_at, counts)
    assert UOCI(counts) == pytest.approx(1 + area_between(cost, 0, 1, cost(0), cost(1)), abs=1e-9)


def area_between(cost, left, right, at_left, at_right):
    """Integrate the minimum of many lines; if those at the ends meet on it, there are no others."""
    (start, slope), (end, steeper) = at_left, at_right
    meet = (
        right
        if slope == steeper
        else left + (end - start - steeper * (right - left)) / (slope - steeper)
    )
    at_meet = cost(meet)
    if start + slope * (meet - left) - at_meet[0] < 1e-13:
        return (start + at_meet[0]) / 2 * (meet - left) + (at_meet[0] + end) / 2 * (right - meet)
    return area_between(cost, left, meet, at_left, at_meet) + area_between(
        cost, meet, right, at_meet, at_right
    )


def line_at(counts, beta):
    """Return the cost of the cheapest path and its slope in beta, cell by cell."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    apart = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))))
    gains = (shares / (len(counts) + (shares * apart).sum())).tolist()
    slopes = (shares * apart / len(counts)).tolist()
    best = {}
    for i, j in np.ndindex(counts.shape):
        before = [(i - 1, j), (i, j - 1), (i - 1, j - 1)]
        cost, slope = min((best[cell] for cell in before if cell in best), default=(0.0, 0.0))
        best[i, j] = cost + beta * slopes[i][j] - gains[i][j], slope + slopes[i][j]
    return best[i, j]


def test_the_area_of_a_stack_is_that_of_each_matrix():
    # More matrices than are computed at once.
    stack = np.random.default_rng(0).integers(0, 9, (2, 60, 45, 45))
    stack[0, 1] = 0
    ours = UOCI(stack)
    assert np.isnan(ours[0, 1])
    for index in [(0, 0), (1, 30), (1, 59)]:
        assert ours[index] == pytest.approx(UOCI(stack[index]), abs=1e-12)


@given(square_matrices(4))
def test_only_perfect_predictions_give_zero(counts):
    is_perfect = not (np.array(counts) * (1 - np.eye(len(counts)))).any()
    assert (index_of(ordinal_classification_index, counts) < 1e-12) == is_perfect
    assert (index_of(uniform_ordinal_classification_index, counts) < 1e-12) == is_perfect


def test_a_single_class_gives_zero():
    assert ordinal_classification_index([3, 3], [3, 3], labels=[3], gamma=2) == 0
    assert uniform_ordinal_classification_index([3, 3], [3, 3], labels=[3]) == 0
    assert uniform_ordinal_classification_index([3, 3], [3, 3], labels=[3], beta=1) == 0


def test_matrices_without_samples_are_undefined_in_a_stack():
    stack = np.array([np.zeros((3, 3)), np.eye(3), np.eye(3)[::-1], np.zeros((3, 3))])
    for statistic in (OCI, UOCI):
        values = statistic(stack)
        assert np.isnan(values).tolist() == [True, False, False, True]
        assert values[1] == pytest.approx(0)


def test_ten_billion_samples_do_not_overflow():
    # N = 10, D = 2 and the path through one error: 1 - 9 / 12 + .75 / 10.
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    assert OCI(counts) == pytest.approx(0.325)


@pytest.mark.parametrize("options", [{"beta": -0.1}, {"beta": np.nan}, {"beta": np.inf}])
@pytest.mark.parametrize(
    "index", [ordinal_classification_index, uniform_ordinal_classification_index]
)
def test_beta_must_not_be_negative(index, options):
    with pytest.raises(ValueError, match="beta must be a non-negative number, got"):
        index([0, 1], [0, 1], **options)


@pytest.mark.parametrize("gamma", [0, 0.09, -1, np.nan, np.inf, 10.5, 1000, "a"])
def test_gamma_must_be_in_its_range(gamma):
    with pytest.raises(ValueError, match=r"gamma must be a number from 0.1 to 10, got"):
        ordinal_classification_index([0, 1], [0, 1], gamma=gamma)


def test_the_range_of_gamma_includes_its_ends():
    # N = 2 and D = 1 for any gamma. The path along the first column gains 2 / 3 and costs .75 / 2,
    # so the diagonal, which gains 1 / 3 at no cost, is cheaper.
    for gamma in (0.1, 10):
        assert ordinal_classification_index([0, 1], [0, 0], gamma=gamma) == pytest.approx(2 / 3)
