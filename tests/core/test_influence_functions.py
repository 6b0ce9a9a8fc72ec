"""Influence functions: differences, published variances, and the exact change by one sample."""

import contextlib
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_ordinal.metrics as functions
from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric, ordinal_metric
from sklearn_ordinal._core.catalogue import METRICS, metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal._core.influence_functions import Influence

OF_COUNTS = metrics_of(LABELS)
# Some of the random confusion matrices have ties.
pytestmark = pytest.mark.filterwarnings("ignore:The influences of .* no derivative")
COSTS = [[0, 1, 3], [2, 0, 1], [5, 2, 0]]
AGREEMENT = [[1, 0.6, 0.1], [0.6, 1, 0.3], [0.1, 0.3, 1]]
WITH_OPTIONS = {
    "cem_ord of other sizes": partial(functions.cem_ord_score, class_counts=[5, 1, 2]),
    "cem_ord_adjusted of other sizes": partial(
        functions.cem_ord_score, adjusted=True, class_counts=[5, 1, 2]
    ),
    "cem_int of other sizes": partial(functions.cem_int_score, class_counts=[5, 1, 2]),
    "cem_nom of other sizes": partial(functions.cem_nom_score, class_counts=[5, 1, 2]),
    "cem_ord_flat of other sizes": partial(functions.cem_ord_flat_score, class_counts=[5, 1, 2]),
    "within_2_accuracy": partial(functions.within_n_accuracy_score, n=2),
    "arithmetic extreme": partial(functions.extreme_sensitivity_score, average="arithmetic"),
    "expected_cost": partial(functions.expected_cost_loss, cost_matrix=COSTS),
    "radical kappa": partial(functions.weighted_kappa_score, weights="radical"),
    "plain scott_pi": partial(functions.scott_pi_score, weights="identity"),
    "scott_pi of a matrix": partial(functions.scott_pi_score, weights=AGREEMENT),
    "nominal alpha": partial(functions.krippendorff_alpha_score, level="nominal"),
    "interval alpha": partial(functions.krippendorff_alpha_score, level="interval"),
    "gwet_ac1": partial(functions.gwet_ac2_score, weights="identity"),
    "gwet_ac2 of a matrix": partial(functions.gwet_ac2_score, weights=AGREEMENT),
    "normalised": partial(functions.mutual_information_score, normalize=True),
    "somers_d of the truth": partial(functions.somers_d_score, dependent="y_true"),
    "uniform at beta": partial(functions.uniform_ordinal_classification_index, beta=0.5),
    "somers_d of both": partial(functions.somers_d_score, dependent="both"),
}
CRITERIA = {**OF_COUNTS, **{name: get_metric(f) for name, f in WITH_OPTIONS.items()}}
ALL = pytest.mark.parametrize("metric", CRITERIA.values(), ids=CRITERIA)
ANALYTIC = pytest.mark.parametrize(
    "metric",
    [metric for metric in CRITERIA.values() if metric.gradient is not None],
    ids=[name for name, metric in CRITERIA.items() if metric.gradient is not None],
)
# The integral over beta is computed to about 1e-9, and differences magnify its error.
TOLERANCE = {"uniform_ordinal_classification_index": 2e-4}


def confusions(n_matrices, metric, *, smallest=1):
    """Yield random confusion matrices, many with empty cells, true or predicted classes."""
    rng = np.random.default_rng(0)
    options = [metric.options.get(name, "") for name in ("class_counts", "cost_matrix", "weights")]
    fixed = next((len(option) for option in options if not isinstance(option, str)), None)
    for _ in range(n_matrices):
        n_classes = fixed or int(rng.integers(smallest, 9))
        shape = n_classes, n_classes
        counts = rng.integers(1, 30, shape) * (rng.random(shape) < rng.uniform(0.2, 1))
        if n_classes > 2:
            counts[rng.integers(n_classes)] *= rng.integers(0, 2)
            counts[:, rng.integers(n_classes)] *= rng.integers(0, 2)
        counts[0, 0] += not counts.any()
        unanswered = rng.integers(0, 4, n_classes) if rng.random() < 0.3 else None
        yield OrdinalConfusion.from_counts(counts, unanswered=unanswered)


def cells_of(metric, confusion):
    """Return the counts with a last column for the unanswered, if the metric counts them."""
    if confusion.unanswered is None or not metric.counts_unanswered:
        return confusion.counts.astype(float)
    return np.column_stack([confusion.counts, confusion.unanswered]).astype(float)


def influence_of(metric, confusion):
    influence = metric.influence(confusion)
    if influence.unanswered is None:
        return influence.cells
    return np.column_stack([influence.cells, influence.unanswered])


def values_at(metric, cells):
    """Return the values of a stack of counts, of which the last column may be unanswered."""
    n_classes = cells.shape[-2]
    unanswered = cells[..., n_classes] if cells.shape[-1] > n_classes else None
    counts = cells[..., :n_classes]
    with np.errstate(all="ignore"):
        return metric(OrdinalConfusion.from_counts(counts, unanswered=unanswered))


def moved(cells, position, amount):
    changed = cells.copy()
    changed[position] += amount
    return changed


def occurring(cells):
    return list(zip(*np.nonzero(cells), strict=True))


@ANALYTIC
def test_the_analytic_influence_is_the_derivative_along_a_new_share_of_samples(metric):
    n_compared = 0
    for confusion in confusions(60, metric):
        cells, influence = cells_of(metric, confusion), influence_of(metric, confusion)
        positions, n_samples = occurring(cells), cells.sum()
        # A share of the samples moves to the cell, and the total stays the same.
        steps = np.array([min(1e-3 * cells[p], 0.05) for p in positions]) / n_samples
        stack = [
            cells * (1 - k * step)
            + k
            * step
            * n_samples
            * (np.indices(cells.shape)[0] == p[0])
            * (np.indices(cells.shape)[1] == p[1])
            for p, step in zip(positions, steps, strict=True)
            for k in (-2, -1, 1, 2)
        ]
        values = np.reshape(values_at(metric, np.array(stack)), (len(positions), 4))
        slopes = (8 * (values[:, 2] - values[:, 1]) - (values[:, 3] - values[:, 0])) / (12 * steps)
        expected = np.array([influence[p] for p in positions])
        if np.isnan(expected).any():
            assert np.isnan(influence).all()
            continue
        scale = max(1, np.abs(expected).max())
        tolerance = TOLERANCE.get(metric.name, 1e-8)
        np.testing.assert_allclose(slopes, expected, rtol=0, atol=tolerance * scale)
        n_compared += 1
    assert n_compared > 20


@ALL
def test_one_more_sample_changes_the_value_by_the_influence_in_the_limit_of_many_samples(metric):
    n_compared = 0
    for confusion in confusions(12, metric, smallest=2):
        # Criteria of pairs without replacement depend on the number of samples.
        multiples = 2.0 ** np.arange(5, 11)
        cells = cells_of(metric, confusion)
        large = OrdinalConfusion.from_counts(
            confusion.counts * 2**30,
            unanswered=None if confusion.unanswered is None else confusion.unanswered * 2**30,
        )
        influence = influence_of(metric, large)
        if np.isnan(influence).all():
            continue
        n_compared += 1
        n_samples = cells.sum()
        scale = np.nanmax(np.abs(np.where(cells > 0, influence, 0)))
        for position in occurring(cells):
            before = values_at(metric, cells * multiples[:, None, None])
            after = values_at(
                metric, np.array([moved(cells * times, position, 1.0) for times in multiples])
            )
            changes = n_samples * multiples * (after - before)
            # Neville's scheme for the limit of 1 / n to 0.
            for order in range(1, len(changes)):
                changes = (2**order * changes[1:] - changes[:-1]) / (2**order - 1)
            tolerance = TOLERANCE.get(metric.name, 2e-7) * max(1, scale)
            assert changes[0] == pytest.approx(influence[position], rel=0, abs=tolerance)
    assert n_compared >= 4


@ALL
def test_the_mean_influence_is_zero(metric):
    for confusion in confusions(30, metric):
        cells, influence = cells_of(metric, confusion), influence_of(metric, confusion)
        weighted = np.where(cells > 0, cells * influence, 0)
        if not np.isnan(weighted).any():
            assert abs(weighted.sum()) <= 1e-9 * max(1, np.abs(weighted).max())


@ALL
def test_a_stack_has_the_influences_of_its_matrices(metric):
    n_classes = 3
    rng = np.random.default_rng(1)
    counts, unanswered = rng.integers(0, 9, (2, 4, 3, 3)), rng.integers(0, 3, (2, 4, n_classes))
    counts[0, 0, 1] = counts[1, 1, :, 2] = 0
    stack = metric.influence(OrdinalConfusion.from_counts(counts, unanswered=unanswered))
    assert stack.cells.shape == counts.shape
    assert (stack.unanswered is not None) == metric.counts_unanswered
    for at in np.ndindex(2, 4):
        single = OrdinalConfusion.from_counts(counts[at], unanswered=unanswered[at])
        influence = metric.influence(single)
        np.testing.assert_allclose(stack.cells[at], influence.cells, rtol=1e-12, atol=1e-12)
        if metric.counts_unanswered:
            np.testing.assert_allclose(
                stack.unanswered[at], influence.unanswered, rtol=1e-12, atol=1e-12
            )


@ALL
def test_intervals_need_only_the_cells_that_occur(metric):
    """The influences of entries are those of the cells with samples, and 0 elsewhere."""
    for confusion in confusions(20, metric):
        cells, influence = cells_of(metric, confusion), influence_of(metric, confusion)
        with np.errstate(all="ignore"):
            values, by_entry, is_counted = LABELS.entry_influences([metric], confusion)
        np.testing.assert_array_equal(values, [metric(confusion)])
        n_classes = len(cells)
        by_column = by_entry.reshape(n_classes, n_classes + 1)[:, : cells.shape[1]]
        if not np.isnan(influence[cells > 0]).any():
            expected = np.where(cells > 0, influence, 0)
            np.testing.assert_allclose(by_column, expected, rtol=1e-9, atol=1e-9)
        assert is_counted.reshape(n_classes, n_classes + 1)[:, -1].all() == (
            cells.shape[1] > n_classes
        )


def test_hundreds_of_classes_have_an_influence_of_the_cells_that_occur():
    """Five pairs of classes occur, far apart; the gaps between classes do not matter to gamma."""
    few = np.array([[8, 3, 0], [2, 9, 4], [0, 5, 7]])
    position = np.array([3, 90, 191])
    counts = np.zeros((200, 200), dtype=int)
    counts[np.ix_(position, position)] = few
    metric = get_metric("goodman_kruskal_gamma")
    _, by_entry, _ = LABELS.entry_influences([metric], OrdinalConfusion.from_counts(counts))
    expected = metric.influence(OrdinalConfusion.from_counts(few)).cells
    by_cell = by_entry.reshape(200, 201)[np.ix_(position, position)]
    np.testing.assert_allclose(by_cell[few > 0], expected[few > 0], rtol=1e-9)


@ALL
def test_many_weights_of_very_different_size_keep_the_influence_finite(metric):
    rng = np.random.default_rng(0)
    counts = 10 ** rng.uniform(-3, 3, (3, 3))
    if metric.name in ("kendall_tau_a", "krippendorff_alpha"):
        counts += 1
    influence = metric.influence(OrdinalConfusion.from_counts(counts))
    assert np.isfinite(influence.cells).all()


@pytest.mark.parametrize("metric", OF_COUNTS.values(), ids=OF_COUNTS)
def test_metrics_have_an_influence_as_declared(metric):
    """An influence is finite for counts without ties, and moves with the cell."""
    counts = np.array([[13, 5, 2], [4, 17, 8], [1, 3, 11]])
    cells = np.full((3, 3), np.nan)
    with contextlib.suppress(ValueError):
        cells = metric.influence(OrdinalConfusion.from_counts(counts)).cells
    has_influence = bool(np.isfinite(cells).all()) and np.ptp(cells) > 0
    assert has_influence == bool(metric.has_influence)


def test_cem_ord_has_the_influence_derived_from_its_proximities():
    """Loops over classes: P_ji = sum_a w_ji(a) q_a, with half of the predicted class."""
    for confusion in confusions(100, get_metric("cem_ord"), smallest=2):
        shares = confusion.counts / confusion.counts.sum()
        q, n_classes = shares.sum(axis=1), len(shares)
        weight = np.zeros((n_classes,) * 3)
        for j, i in np.ndindex(n_classes, n_classes):
            weight[j, i, min(i, j) : max(i, j) + 1] = 1
            weight[j, i, i] = 0.5
        closeness = weight @ q
        occurs = shares > 0
        true = q > 0
        log = np.log2(closeness, where=closeness > 0, out=np.zeros_like(closeness))
        entropy = -(q[true] * np.log2(q[true] / 2)).sum()
        cem = -(shares * log)[occurs].sum() / entropy
        moved_by = sum(
            shares[cell] * weight[cell] / closeness[cell] for cell in occurring(shares)
        ) / np.log(2)
        influence = (
            get_metric("cem_ord").influence(OrdinalConfusion.from_counts(confusion.counts)).cells
        )
        for j, i in np.ndindex(n_classes, n_classes):
            if not q[j]:
                assert np.isnan(influence[j, i])
                continue
            gradient = (
                -log[j, i] - moved_by[j] + cem * (np.log2(q[j] / 2) + 1 / np.log(2))
            ) / entropy
            expected = gradient + (1 - cem) / (entropy * np.log(2))
            assert influence[j, i] == pytest.approx(expected, rel=0, abs=1e-11)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_the_variance_of_kappa_is_that_of_fleiss_cohen_and_everitt(weights):
    """Fleiss, Cohen and Everitt (1969), implemented by statsmodels."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    metric = get_metric(partial(functions.weighted_kappa_score, weights=weights))
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 5):
        counts = rng.integers(1, 30, (n_classes, n_classes))
        published = inter_rater.cohens_kappa(counts, wt=None if weights == "identity" else weights)
        influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
        variance = (counts * influence**2).sum() / counts.sum() ** 2
        assert metric(OrdinalConfusion.from_counts(counts)) == pytest.approx(published.kappa)
        assert variance == pytest.approx(published.var_kappa, rel=1e-10)


def pairs(counts):
    """Return the numbers of concordant and discordant pairs, by loops in exact arithmetic."""
    concordant = discordant = Fraction(0)
    for i, j, k, m in np.ndindex((*counts.shape, *counts.shape)):
        order = (i - k) * (j - m)
        concordant += counts[i, j] * counts[k, m] * (order > 0)
        discordant += counts[i, j] * counts[k, m] * (order < 0)
    return concordant / 2, discordant / 2


def test_gamma_and_somers_d_have_the_published_variances():
    """Goodman and Kruskal (1963), with pairs counted in exact arithmetic.

    The derivative of gamma = (C - D) / (C + D) by a cell is 2 (D c - C d) / (C + D)^2 for the c and
    d samples that are concordant and discordant with it.
    """
    counts = np.array([[8, 3, 0], [2, 9, 4], [0, 5, 7]])
    exact = np.vectorize(Fraction)(counts)
    n_samples = int(counts.sum())
    concordant, discordant = pairs(exact)
    untied_true = (n_samples**2 - (counts.sum(axis=1) ** 2).sum()) / Fraction(2)
    gamma, somers_d = np.zeros((2, 3, 3))
    for position in np.ndindex(3, 3):
        more = pairs(moved(exact, position, Fraction(1)))
        c, d = more[0] - concordant, more[1] - discordant
        gamma[position] = (
            2 * n_samples * (discordant * c - concordant * d) / (concordant + discordant) ** 2
        )
        t = n_samples - int(counts[position[0]].sum())
        somers_d[position] = n_samples * (
            (c - d) / untied_true - (concordant - discordant) * t / untied_true**2
        )
    confusion = OrdinalConfusion.from_counts(counts)
    for name, expected in {"goodman_kruskal_gamma": gamma, "somers_d": somers_d}.items():
        influence = get_metric(name).influence(confusion).cells
        np.testing.assert_allclose(influence[counts > 0], expected[counts > 0], rtol=0, atol=1e-9)
        # Differences from an empty cell are one-sided.
        np.testing.assert_allclose(influence, expected, rtol=0, atol=1e-6)


def tau_a(counts):
    """Kendall (1938): the difference of the pairs, divided by the number of all pairs."""
    concordant, discordant = pairs(counts)
    n_samples = counts.sum()
    return (concordant - discordant) / (n_samples * (n_samples - 1) / 2)


def ordinal_alpha(counts):
    """Krippendorff (2011), by the coincidences of the values, with the ordinal difference."""
    coincidences = counts + counts.T
    sizes = coincidences.sum(axis=1)
    observed = expected = Fraction(0)
    for c, k in zip(*np.triu_indices(len(counts), 1), strict=True):
        difference = (sizes[c : k + 1].sum() - (sizes[c] + sizes[k]) / 2) ** 2
        observed += coincidences[c, k] * difference
        expected += sizes[c] * sizes[k] * difference
    return 1 - (sizes.sum() - 1) * observed / expected


@pytest.mark.parametrize(
    ("name", "value_of"), [("kendall_tau_a", tau_a), ("krippendorff_alpha", ordinal_alpha)]
)
def test_influences_that_depend_on_the_number_of_samples_match_exact_fractions(name, value_of):
    counts, metric = np.array([[8, 3, 0], [2, 9, 4], [0, 5, 7]]), get_metric(name)
    exact = np.vectorize(Fraction)(counts)

    def centred(by_cell, cells):
        return (by_cell - (by_cell * cells).sum() / cells.sum()).astype(float)

    # The error of a central difference of exact fractions is about the square of the step.
    step, slopes = Fraction(1, 10**9), np.empty((3, 3), dtype=object)
    for position in np.ndindex(3, 3):
        higher, lower = (value_of(moved(exact, position, h)) for h in (step, -step))
        slopes[position] = exact.sum() * (higher - lower) / (2 * step)
    confusion = OrdinalConfusion.from_counts(counts)
    assert metric(confusion) == pytest.approx(float(value_of(exact)), rel=1e-14)
    influence = metric.influence(confusion).cells
    np.testing.assert_allclose(influence, centred(slopes, exact), rtol=0, atol=1e-12)

    # The exact change by one sample, times the number of samples, is a series in 1 / n. The limit
    # is extrapolated from 4 sizes by Lagrange's polynomial at 0.
    limit = np.full((3, 3), Fraction(0))
    sizes = [100, 200, 400, 800]
    for size in sizes:
        others = [other for other in sizes if other != size]
        factor = np.prod([Fraction(size, size - other) for other in others])
        for position in np.ndindex(3, 3):
            change = value_of(moved(size * exact, position, 1)) - value_of(size * exact)
            limit[position] += factor * size * exact.sum() * change
    influence = metric.influence(OrdinalConfusion.from_counts(counts * 10**10)).cells
    np.testing.assert_allclose(influence, centred(limit, exact), rtol=0, atol=1e-9)


def test_the_variance_of_the_accuracy_is_binomial():
    counts = np.array([[30, 5], [10, 55]])
    influence = get_metric("accuracy").influence(OrdinalConfusion.from_counts(counts)).cells
    assert (counts * influence**2).sum() / 100**2 == pytest.approx(0.85 * 0.15 / 100)


def test_mutual_information_has_no_finite_derivative_in_empty_cells():
    """The derivative by a share p is log2(p / e) - 1, for the share e expected by chance."""
    counts = np.array([[20, 10], [0, 10]])
    influence = get_metric("mutual_information").influence(OrdinalConfusion.from_counts(counts))
    shares = counts / counts.sum()
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    value = get_metric("mutual_information")(OrdinalConfusion.from_counts(counts))
    occurs = counts > 0
    pointwise = np.log2(shares[occurs] / expected[occurs]) - value
    np.testing.assert_allclose(influence.cells[occurs], pointwise, rtol=0, atol=1e-9)
    assert np.isnan(influence.cells[1, 0])


@pytest.mark.parametrize(
    ("name", "tied", "apart"),
    [
        ("maximum_mean_absolute_error", [[3, 1], [2, 6]], [[3, 2], [2, 6]]),
        ("minimum_sensitivity", [[3, 1], [2, 6]], [[3, 2], [2, 6]]),
        ("purity", [[2, 1], [2, 5]], [[3, 1], [2, 5]]),
        ("inverse_purity", [[2, 2], [1, 5]], [[3, 2], [1, 5]]),
        ("ordinal_classification_index", [[0, 2, 0], [2, 0, 0], [0, 0, 4]], [[5, 2], [1, 4]]),
    ],
)
def test_there_is_no_derivative_at_a_tie(name, tied, apart):
    metric = get_metric(name)
    with pytest.warns(
        UndefinedMetricWarning, match=f"of {name} are NaN, since the value has no der"
    ):
        influence = metric.influence(OrdinalConfusion.from_counts(tied))
    assert np.isnan(influence.cells).all()
    assert np.isfinite(metric.influence(OrdinalConfusion.from_counts(apart)).cells).all()


@pytest.mark.parametrize("name", OF_COUNTS)
def test_an_undefined_value_has_no_influence(name):
    metric = get_metric(name)
    for counts in (np.zeros((3, 3), int), [[0, 0], [0, 1]], [[4]]):
        confusion = OrdinalConfusion.from_counts(counts)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            influence = metric.influence(confusion).cells
        if np.isnan(metric(confusion)):
            assert np.isnan(influence).all()


@pytest.mark.parametrize(
    "counts",
    [[[0, 0, 2], [0, 1, 0], [3, 0, 0]], [[4, 0], [2, 0]], [[0, 0, 0], [3, 0, 2], [0, 0, 0]]],
)
def test_reliability_and_sensitivity_grow_from_zero_with_the_first_samples_in_order(counts):
    """Reliability, sensitivity or both may be undefined or 0, and F is 0."""
    metric = get_metric("reliability_sensitivity_f")
    influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
    n_samples, steps = np.sum(counts), 1e-5 * np.array([1.0, 2.0])
    for position in np.ndindex(np.shape(counts)):
        stack = np.array([moved(np.array(counts, float), position, step) for step in steps])
        once, twice = values_at(metric, stack)
        slope = n_samples * (4 * once - twice) / (2 * steps[0])
        assert influence[position] == pytest.approx(slope, rel=0, abs=1e-6)
    assert influence.max() > 0


def test_cells_of_a_true_class_without_samples_are_left_out():
    counts = [[4, 1, 0], [0, 0, 0], [0, 2, 5]]
    influence = get_metric("macro_averaged_mean_absolute_error").influence(
        OrdinalConfusion.from_counts(counts)
    )
    assert np.isnan(influence.cells[1]).all()
    assert np.isfinite(influence.cells[[0, 2]]).all()
    # The two classes have mean errors of 1/5 and 2/7.
    assert influence.cells[0, 1] == pytest.approx(12 * (1 - 1 / 5) / 5 / 2)


def test_a_criterion_of_ones_own_has_an_influence_from_differences():
    def share_too_high(counts):
        return np.triu(counts, 1).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    ordinal_metric(greater_is_better=False, name="share_too_high_influence")(share_too_high)
    try:
        metric = get_metric("share_too_high_influence")
        assert metric.has_influence is None
        counts = np.array([[2, 1], [0, 5]])
        influence = metric.influence(OrdinalConfusion.from_counts(counts)).cells
        expected = [[-1 / 8, 7 / 8], [-1 / 8, -1 / 8]]
        np.testing.assert_allclose(influence, expected, rtol=0, atol=1e-7)
    finally:
        del METRICS["share_too_high_influence"]


def test_the_result_is_read_only_and_has_a_class():
    influence = get_metric("cem_ord").influence(OrdinalConfusion.from_counts([[2, 1], [0, 5]]))
    assert isinstance(influence, Influence)
    assert influence.unanswered is None
    with pytest.raises(ValueError, match="read-only"):
        influence.cells[0, 0] = 1


def test_other_evidence_is_refused_in_one_line():
    forecasts = OrdinalForecasts.from_probabilities([0, 1], [[0.6, 0.4], [0.2, 0.8]])
    with pytest.raises(ValueError, match="confusion must be an OrdinalConfusion for cem_ord"):
        get_metric("cem_ord").influence(forecasts)


def test_gradient_must_be_a_function():
    with pytest.raises(ValueError, match="gradient must be a function of evidence, got 3"):
        ordinal_metric(greater_is_better=True, gradient=3)


@pytest.mark.parametrize(
    ("gradient", "message"),
    [
        (lambda _: 0.0, r"of shape \(2, 3, 3\), got shape \(\)"),
        (lambda counts: np.zeros(counts.shape[-2:]), r"of shape \(2, 3, 3\), got shape \(3, 3\)"),
        (lambda counts: counts.missing, "derivatives of my_share, got AttributeError"),
    ],
)
def test_gradient_must_return_a_derivative_for_each_cell_of_a_stack(gradient, message):
    def my_share_score(counts):
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    decorate = ordinal_metric(greater_is_better=True, gradient=gradient)
    with pytest.raises(ValueError, match=f"gradient must return .*{message}") as caught:
        decorate(my_share_score)
    assert "\n" not in str(caught.value)


def test_gradient_must_return_a_derivative_for_each_sample():
    def my_loss(forecasts):
        return forecasts.mean(forecasts.y_true * 1.0)

    decorate = ordinal_metric(
        greater_is_better=False, evidence="probabilities", gradient=lambda _: np.zeros(3)
    )
    with pytest.raises(ValueError, match=r"of shape \(2, 3\), got shape \(3,\)"):
        decorate(my_loss)
