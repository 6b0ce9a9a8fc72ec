"""Agreement of several raters: worked examples, krippendorff, irrCAC, SciPy, and definitions."""

import itertools
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import friedmanchisquare, t
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, OrdinalReport, get_metric
from sklearn_ordinal._core.evidence_kinds import RATINGS
from sklearn_ordinal.inference import bootstrap_interval, delta_interval
from sklearn_ordinal.metrics import (
    agreement_score,
    gwet_ac2_score,
    krippendorff_alpha_score,
    scott_pi_score,
    weighted_kappa_score,
)
from tests import degrees_of_freedom

# Krippendorff (2011): 12 items, 4 raters, classes 1 to 5.
BY_RATER = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
GRADES = [
    [None if grade == "." else int(grade) for grade in item]
    for item in zip(*(row.split() for row in BY_RATER), strict=True)
]
RATED = OrdinalRatings.from_ratings(GRADES)
COEFFICIENTS = ["gwet_ac2", "fleiss_kappa", "conger_kappa", "brennan_prediger"]
ALL = ["krippendorff_alpha", *COEFFICIENTS, "kendall_w"]
# From irrCAC 0.4.4, which pins an old SciPy: gwet(), fleiss(), conger(), bp() and krippendorff() of
# irrCAC.raw.CAC(grades, weights, digits=12, categories=[1, 2, 3, 4, 5]).
IRRCAC = {
    "identity": (0.775444068127, 0.761169275422, 0.762066893651, 0.772727272727, 0.743421052632),
    "linear": (0.858739136433, 0.817944767097, 0.813137032843, 0.848484848485, 0.800383877159),
    "quadratic": (0.914000723552, 0.864935064935, 0.857168224092, 0.901515151515, 0.849107142857),
    "ordinal": (0.898939769908, 0.850206189397, 0.843082496792, 0.886363636364, 0.833638025594),
    "radical": (0.819811702198, 0.789924094651, 0.787646148303, 0.812627079504, 0.771981312139),
    "ratio": (0.857367557830, 0.821338343945, 0.811009085066, 0.840236692761, 0.797402774712),
    "circular": (0.830195139461, 0.807199770158, 0.804738346481, 0.823546999489, 0.789980267899),
    "bipolar": (0.900373015443, 0.853072550140, 0.844241437881, 0.888149168452, 0.834990520024),
}


@pytest.mark.parametrize(
    ("coefficient", "options", "expected"),
    [
        ("krippendorff_alpha", {"level": "nominal"}, Fraction(113, 152)),
        ("krippendorff_alpha", {}, Fraction(108577, 133160)),
        ("krippendorff_alpha", {"level": "interval"}, Fraction(951, 1120)),
        ("gwet_ac2", {"weights": "identity"}, Fraction(31825, 41041)),
        ("fleiss_kappa", {"weights": "identity"}, Fraction(7343, 9647)),
        ("conger_kappa", {"weights": "identity"}, Fraction(3805, 4993)),
        ("brennan_prediger", {"weights": "identity"}, Fraction(17, 22)),
    ],
)
def test_the_example_of_krippendorff_has_its_exact_values(coefficient, options, expected):
    value = agreement_score(RATED, coefficient, **options)
    assert type(value) is float
    assert value == pytest.approx(float(expected), abs=1e-14)


@pytest.mark.parametrize("weights", IRRCAC)
def test_coefficients_equal_irrcacs_for_all_weights(weights):
    names = [*COEFFICIENTS, "krippendorff_alpha"]
    ours = [agreement_score(RATED, name, weights=weights) for name in names]
    assert ours == pytest.approx(IRRCAC[weights], abs=1e-11)


def test_the_number_of_classes_of_the_scale_decides():
    grades = list(zip([0, 1, 2, 2], [0, 2, 2, 2], strict=True))
    for n_classes, expected in ((3, 0.660), (6, 0.720)):
        ratings = OrdinalRatings.from_ratings(grades, labels=range(n_classes))
        value = agreement_score(ratings, "gwet_ac2", weights="identity")
        assert value == pytest.approx(expected, abs=5e-4)


def weights_of_agreement(name, n_classes):
    """Return weights by the formulas in Gwet (2014, chapter 3), for the grades 1 to n_classes."""
    grades = range(1, n_classes + 1)
    formulas = {
        "identity": lambda a, b: float(a != b),
        "linear": lambda a, b: abs(a - b),
        "quadratic": lambda a, b: (a - b) ** 2,
    }
    costs = np.array([[formulas[name](a, b) for b in grades] for a in grades])
    return 1 - costs / costs.max()


def by_definition(items, n_classes, coefficient, weights):
    """Return a coefficient from loops over items, raters and classes; missing grades are None."""
    w = weights_of_agreement(weights, n_classes)
    rated = [[g for g in item if g is not None] for item in items]
    paired = [grades for grades in rated if len(grades) > 1]
    observed = np.mean(
        [np.mean([w[a, b] for a, b in itertools.permutations(grades, 2)]) for grades in paired]
    )
    shares = np.mean(
        [np.bincount(grades, minlength=n_classes) / len(grades) for grades in rated if grades],
        axis=0,
    )
    if coefficient == "gwet_ac2":
        expected = w.sum() * (shares * (1 - shares)).sum() / (n_classes * (n_classes - 1))
    elif coefficient == "fleiss_kappa":
        expected = shares @ w @ shares
    elif coefficient == "brennan_prediger":
        expected = w.mean()
    else:
        raters = [[g for g in column if g is not None] for column in zip(*items, strict=True)]
        own = [np.bincount(g, minlength=n_classes) / len(g) for g in raters if g]
        expected = np.mean([a @ w @ b for a, b in itertools.permutations(own, 2)])
    return (observed - expected) / (1 - expected) if expected < 1 - 1e-9 else np.nan


@st.composite
def tables(draw):
    n_raters = draw(st.integers(2, 4))
    grade = st.sampled_from([None, 0, 1, 2, 3])
    item = st.lists(grade, min_size=n_raters, max_size=n_raters)
    items = draw(st.lists(item, min_size=2, max_size=12))
    assume(any(sum(g is not None for g in item) > 1 for item in items))
    return items


def read(items):
    """Return ratings of any shape, without a warning of raters in rows."""
    names = [f"rater {k + 1}" for k in range(len(items[0]))]
    return OrdinalRatings.from_ratings(items, labels=range(4), raters=names)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(tables())
def test_coefficients_equal_their_definitions(coefficient, weights, items):
    expected = by_definition(items, 4, coefficient, weights)
    ratings = read(items)
    assume(np.isfinite(expected))
    ours = agreement_score(ratings, coefficient, weights=weights)
    assert ours == pytest.approx(expected, abs=1e-9)


def alpha_by_definition(items, disagreement):
    """Return one minus observed over expected disagreement, by loops over pairs of grades."""
    paired = [[g for g in item if g is not None] for item in items]
    paired = [grades for grades in paired if len(grades) > 1]
    values = [g for grades in paired for g in grades]
    cost = partial(disagreement, np.bincount(values, minlength=4))
    observed = sum(
        sum(cost(a, b) for a, b in itertools.permutations(grades, 2)) / (len(grades) - 1)
        for grades in paired
    )
    expected = sum(cost(a, b) for a, b in itertools.permutations(values, 2)) / (len(values) - 1)
    return 1 - observed / expected if expected else np.nan


LEVELS = {
    "nominal": lambda _, a, b: a != b,
    "ordinal": lambda n, a, b: (n[min(a, b) : max(a, b) + 1].sum() - (n[a] + n[b]) / 2) ** 2,
    "interval": lambda _, a, b: (a - b) ** 2,
}


@pytest.mark.parametrize("level", LEVELS)
@given(tables())
def test_alpha_equals_its_definition(level, items):
    expected = alpha_by_definition(items, LEVELS[level])
    assume(np.isfinite(expected))
    ours = agreement_score(read(items), "krippendorff_alpha", level=level)
    assert ours == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_raters", [2, 5])
def test_alpha_equals_that_of_the_krippendorff_package(level, n_raters):
    krippendorff = pytest.importorskip("krippendorff", reason="a second opinion")
    rng = np.random.default_rng(n_raters)
    grades = np.clip(rng.integers(0, 5, (60, 1)) + rng.integers(-1, 2, (60, n_raters)), 0, 4)
    grades = np.where(rng.random(grades.shape) < 0.3, np.nan, grades)
    expected = krippendorff.alpha(reliability_data=grades.T, level_of_measurement=level)
    ours = agreement_score(OrdinalRatings.from_ratings(grades), "krippendorff_alpha", level=level)
    assert ours == pytest.approx(expected, abs=1e-12)


def test_fleiss_kappa_equals_that_of_statsmodels():
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="a second opinion")
    grades = np.random.default_rng(0).integers(0, 4, (40, 5)) // [1, 1, 1, 2, 2]
    table, _ = inter_rater.aggregate_raters(grades, n_cat=4)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(4))
    ours = agreement_score(ratings, "fleiss_kappa", weights="identity")
    assert ours == pytest.approx(inter_rater.fleiss_kappa(table))
    # Randolph's kappa expects each class equally often, like Brennan and Prediger.
    ours = agreement_score(ratings, "brennan_prediger", weights="identity")
    assert ours == pytest.approx(inter_rater.fleiss_kappa(table, method="randolph"))


@pytest.mark.parametrize("n_raters", [3, 6])
def test_kendalls_w_is_friedmans_statistic_of_the_complete_items(n_raters):
    rng = np.random.default_rng(n_raters)
    grades = rng.integers(0, 4, (25, n_raters)).astype(float) + rng.integers(0, 3, (25, 1))
    # Items are the treatments and raters the blocks.
    expected = friedmanchisquare(*grades).statistic / (n_raters * 24)
    assert agreement_score(OrdinalRatings.from_ratings(grades), "kendall_w") == pytest.approx(
        expected
    )
    incomplete = np.vstack([grades, np.where(np.arange(n_raters) == 0, np.nan, grades[:3])])
    ratings = OrdinalRatings.from_ratings(incomplete)
    message = "kendall_w leaves out 3 of 28 items, which not all raters grade. The other"
    with pytest.warns(UserWarning, match=message):
        assert agreement_score(ratings, "kendall_w") == pytest.approx(expected)


def test_raters_who_rank_alike_are_in_perfect_concordance():
    ratings = OrdinalRatings.from_ratings([[0, 1, 2], [1, 2, 3], [2, 3, 4]])
    assert agreement_score(ratings, "kendall_w") == 1
    opposed = OrdinalRatings.from_ratings([[0, 2], [1, 1], [2, 0]])
    assert agreement_score(opposed, "kendall_w") == 0


PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25)


@pytest.mark.parametrize("weights", [*IRRCAC, np.eye(4) * 0.5 + 0.5])
@settings(max_examples=8)
@given(PAIRS)
def test_two_raters_have_the_values_of_the_functions_for_two_columns(weights, pairs):
    assume(len({grade for pair in pairs for grade in pair}) > 1)
    first, second = zip(*pairs, strict=True)
    ratings = OrdinalRatings.from_ratings(pairs, labels=range(4))
    functions = {
        "gwet_ac2": gwet_ac2_score,
        "fleiss_kappa": scott_pi_score,
        "conger_kappa": weighted_kappa_score,
    }
    for coefficient, function in functions.items():
        expected = function(
            first, second, weights=weights, labels=range(4), replace_undefined_by=-99
        )
        if expected != -99:
            ours = agreement_score(ratings, coefficient, weights=weights)
            assert ours == pytest.approx(expected, abs=1e-9)
    for level in LEVELS:
        expected = krippendorff_alpha_score(first, second, labels=range(4), level=level)
        ours = agreement_score(ratings, "krippendorff_alpha", level=level)
        assert ours == pytest.approx(expected, abs=1e-12)


def test_a_confusion_matrix_holds_the_grades_of_two_raters():
    y_true, y_pred, weight = [0, 1, 2, 2, 0], [0, 2, 2, 1, 1], [1, 2, 0.5, 1, 3]
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred, sample_weight=weight)
    options = {"sample_weight": weight}
    assert agreement_score(confusion, "gwet_ac2", weights="linear") == pytest.approx(
        gwet_ac2_score(y_true, y_pred, weights="linear", **options)
    )
    assert agreement_score(confusion, "krippendorff_alpha") == pytest.approx(
        krippendorff_alpha_score(y_true, y_pred, **options)
    )


def test_a_weight_is_a_number_of_items():
    grades = [[0, 1, 1], [2, 2, None], [0, 0, 2], [1, 1, 1]]
    times = [1, 3, 2, 0]
    weighted = OrdinalRatings.from_ratings(grades, sample_weight=times, labels=range(3))
    repeated = OrdinalRatings.from_ratings(
        [item for item, number in zip(grades, times, strict=True) for _ in range(number)]
    )
    for coefficient in ALL[:-1]:
        assert agreement_score(weighted, coefficient) == pytest.approx(
            agreement_score(repeated, coefficient)
        )
    with pytest.warns(UserWarning, match="kendall_w leaves out"):
        value = agreement_score(weighted, "kendall_w")
    with pytest.warns(UserWarning, match="kendall_w leaves out"):
        assert value == pytest.approx(agreement_score(repeated, "kendall_w"))


@pytest.mark.parametrize("coefficient", ALL)
def test_the_values_of_a_stack_are_those_of_its_parts(coefficient):
    weights = np.random.default_rng(0).integers(0, 4, (2, 3, len(RATED.patterns))).astype(float)
    values = get_metric(coefficient)(RATED.reweighted(weights))
    assert values.shape == (2, 3)
    expected = [get_metric(coefficient)(RATED.reweighted(weight)) for weight in weights[1]]
    np.testing.assert_allclose(values[1], expected)


@pytest.mark.parametrize("coefficient", ALL)
def test_each_coefficient_is_a_metric(coefficient):
    metric = get_metric(coefficient)
    low, high = metric.bounds(5)
    assert low <= metric(RATED) <= high == 1
    assert high == metric(RATINGS.example(RATED.scale))
    interval = bootstrap_interval(RATED, metrics=coefficient, n_resamples=99, random_state=0)
    assert interval.estimate == metric(RATED)
    assert interval.low < interval.high <= 1


def bound(coefficient, **options):
    return get_metric(partial(agreement_score, coefficient=coefficient, **options))


@pytest.mark.parametrize(
    ("coefficient", "options", "expected"),
    [
        ("gwet_ac2", {"weights": "identity"}, 0.124737),
        ("fleiss_kappa", {"weights": "identity"}, 0.134939),
        ("conger_kappa", {"weights": "identity"}, 0.132968),
        # These leave out the item with a single grade.
        ("brennan_prediger", {"weights": "identity"}, 0.127049),
        ("krippendorff_alpha", {"level": "nominal"}, 0.141937),
        ("krippendorff_alpha", {"level": "ordinal"}, 0.143297),
    ],
)
def test_standard_errors_of_the_example_are_those_of_the_jackknife(coefficient, options, expected):
    # Computed from derivatives by the weights of the items, by another program.
    metric = bound(coefficient, **options)
    interval = delta_interval(RATED, metrics=metric)
    assert interval.standard_error == pytest.approx(expected, abs=6e-7)
    assert interval.low < interval.estimate < interval.high
    # An item without a grade changes nothing.
    longer = OrdinalRatings.from_ratings([*GRADES, [None] * 4])
    assert delta_interval(longer, metrics=metric).standard_error == pytest.approx(
        expected, abs=6e-7
    )


@pytest.mark.parametrize("coefficient", ["krippendorff_alpha", "brennan_prediger"])
@pytest.mark.parametrize("weights", ["identity", "linear", None])
def test_single_grades_change_no_interval_of_coefficients_of_pairs(coefficient, weights):
    metric = bound(coefficient, **({} if weights is None else {"weights": weights}))
    pairable = [item for item in GRADES if len(item) - item.count(None) > 1]
    single = [[1, None, None, None], [None, 5, None, None]] * 20
    alone, among = (
        delta_interval(OrdinalRatings.from_ratings(grades, labels=range(1, 6)), metrics=metric)
        for grades in (pairable, [*pairable, *single])
    )
    assert among.to_dict() == pytest.approx(alone.to_dict())
    assert metric.needs_pairable_items


VARIANTS = [
    *((name, {"weights": weights}) for name in ALL[:-1] for weights in ("identity", "linear")),
    *(("krippendorff_alpha", {"level": level}) for level in ("nominal", "ordinal", "interval")),
    ("kendall_w", {}),
]


@pytest.mark.parametrize(("coefficient", "options"), VARIANTS)
def test_derivatives_equal_differences(coefficient, options):
    metric = bound(coefficient, **options)
    weights = RATED.weights + np.random.default_rng(0).random((2, len(RATED.patterns)))
    influences = metric.influence(RATED.reweighted(weights))
    steps = 1e-5 * np.eye(len(RATED.patterns))
    up, down = (
        np.stack([metric(RATED.reweighted(weights + sign * step)) for step in steps], axis=-1)
        for sign in (1, -1)
    )
    derivatives = (up - down) / 2e-5
    least = {"kendall_w": 4, "krippendorff_alpha": 2, "brennan_prediger": 2}.get(coefficient, 1)
    weights = weights * ((RATED.patterns >= 0).sum(axis=1) >= least)
    total = weights.sum(axis=1, keepdims=True)
    expected = total * derivatives - (weights * derivatives).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(influences, np.where(weights > 0, expected, 0), atol=1e-7)


def test_the_interval_of_kendalls_w_is_that_of_the_complete_items():
    complete = [item for item in GRADES if None not in item]
    expected = delta_interval(OrdinalRatings.from_ratings(complete), metrics="kendall_w")
    interval = delta_interval(RATED, metrics=["gwet_ac2", "kendall_w"])["kendall_w"]
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert interval.standard_error == pytest.approx(expected.standard_error)


@pytest.mark.parametrize("weights", [*IRRCAC, None])
def test_brennan_and_prediger_prefer_closer_grades_as_recorded(weights):
    options = {} if weights is None else {"weights": weights}
    metric = bound("brennan_prediger", **options)
    values = np.array(
        [
            [metric(OrdinalRatings.from_ratings([[a, b]], labels=range(6))) for b in range(6)]
            for a in range(6)
        ]
    )
    steps = np.concatenate(
        [np.diff(row[a:]) for a, row in enumerate(values)]
        + [np.diff(row[: a + 1][::-1]) for a, row in enumerate(values)]
    )
    assert metric.ordinal_monotonic == (steps < 1e-12).all()
    assert metric.strictly_monotonic == (steps < -1e-12).all()


@pytest.mark.parametrize("weights", IRRCAC)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_ac2_comes_close_to_its_lowest_value(n_classes, weights):
    """Two grades disagree as much as possible, and single grades are in all classes alike."""
    metric = get_metric(partial(gwet_ac2_score, weights=weights))
    lowest, _ = metric.bounds(n_classes)
    # The ends of a circle meet, so the opposite class is the farthest.
    farthest = n_classes // 2 if weights == "circular" else n_classes - 1
    grades = [[0, farthest], *[[k, None] for k in range(n_classes)] * 4_000]
    ratings = OrdinalRatings.from_ratings(grades, labels=range(n_classes))
    value = agreement_score(ratings, "gwet_ac2", weights=weights)
    assert lowest <= value
    assert value == pytest.approx(lowest, abs=1e-3 * abs(lowest))
    if weights == "quadratic":
        assert lowest == pytest.approx({2: -1, 3: -2, 5: -3}[n_classes])


def test_an_interval_of_ac2_is_within_its_range():
    ratings = OrdinalRatings.from_ratings([[1, 2], [2, 2], [1, 1], [3, 2], [1, 3]])
    interval = delta_interval(ratings, metrics="gwet_ac2")
    # On the scale of the logarithm of the distance to 1, the lower end was -5.1.
    assert -2 < interval.low < interval.estimate < interval.high < 1


@pytest.mark.parametrize("coefficient", ALL)
@pytest.mark.parametrize("weight", [np.ones(14), np.exp(np.linspace(-1, 1.5, 14))])
def test_rare_disagreement_and_weights_widen_the_intervals(coefficient, weight):
    """The moves are numeric derivatives."""
    grades = [[0, 0, 1], [2, 2, 2], [0, 0, 0], [1, 1, 1], [2, 1, 2], [0, 2, 0], [1, 1, 1]] * 2
    ratings = OrdinalRatings.from_ratings(grades, sample_weight=weight)

    def value(weight):
        return agreement_score(
            OrdinalRatings.from_ratings(grades, sample_weight=weight), coefficient
        )

    steps = 1e-5 * np.eye(len(grades))
    slopes = np.array([(value(weight + step) - value(weight - step)) / 2e-5 for step in steps])
    # Alpha also depends on the number of items, which is given.
    slopes -= np.average(slopes, weights=weight)
    expected, degrees = degrees_of_freedom.of_samples([weight * slopes], [weight])
    interval = delta_interval(ratings, metrics=coefficient)
    assert interval.standard_error == pytest.approx(expected, rel=1e-6)
    error, estimate = interval.standard_error, interval.estimate
    lowest, highest = get_metric(coefficient).bounds(3)
    if coefficient in ("fleiss_kappa", "conger_kappa"):
        lowest = -1
    share, width = (estimate - lowest) / (highest - lowest), highest - lowest
    quantile = t(degrees).ppf(0.975)
    margin = quantile * error / (width * share * (1 - share))
    ends = lowest + width * expit(logit(share) + np.array([-margin, margin]))
    assert [interval.low, interval.high] == pytest.approx(ends.tolist(), rel=1e-4)


@pytest.mark.parametrize("coefficient", ["fleiss_kappa", "conger_kappa"])
def test_chance_corrected_kappas_have_intervals_by_fishers_transformation(coefficient):
    interval = delta_interval(RATED, metrics=coefficient)
    below, value, above = np.arctanh([interval.low, interval.estimate, interval.high])
    assert value - below == pytest.approx(above - value, rel=1e-9)


def test_a_kappa_below_minus_1_has_an_interval_too():
    # The single grades make it unlikely that two grades of an item differ by chance.
    grades = [[0, 1], [1, 0], [0, 1], [0, 0], *[[0, None]] * 40]
    interval = delta_interval(OrdinalRatings.from_ratings(grades), metrics="fleiss_kappa")
    assert interval.estimate < -1
    below, value, above = -np.log1p([-interval.low, -interval.estimate, -interval.high])
    assert value - below == pytest.approx(above - value, rel=1e-9)


def test_an_interval_in_closed_form_takes_weights_of_items():
    grades = [[0, 1, 1], [2, 2, None], [0, 0, 2], [1, 1, 1], [2, 1, 2], [0, 1, 0]]
    weighted = OrdinalRatings.from_ratings(grades, sample_weight=[2.0] * 6)
    plain = OrdinalRatings.from_ratings(grades)
    for name in COEFFICIENTS:
        expected = delta_interval(plain, metrics=name)
        assert delta_interval(weighted, metrics=name).low == pytest.approx(expected.low)
    with pytest.raises(
        ValueError, match="other weights of patterns do not tell the number of item"
    ):
        delta_interval(plain.reweighted(np.ones((2, 6))), metrics="gwet_ac2")


@pytest.mark.parametrize("weight", [None, 2.5])
def test_intervals_of_many_items_are_corrected_for_skewness_by_influences(weight):
    rng = np.random.default_rng(0)
    grades = np.clip(rng.integers(0, 3, (900, 1)) + rng.integers(0, 2, (900, 3)), 0, 3)
    weights = None if weight is None else np.full(900, weight)
    ratings = OrdinalRatings.from_ratings(grades, sample_weight=weights)
    options = {"metrics": ALL[1:], "n_resamples": 999, "random_state": 0}
    corrected = bootstrap_interval(ratings, **options)
    for name, interval in bootstrap_interval(ratings, **options, method="percentile").items():
        width = interval.high - interval.low
        assert corrected[name].low == pytest.approx(interval.low, abs=width / 10)
        assert corrected[name].high == pytest.approx(interval.high, abs=width / 10)


def test_options_are_bound_to_the_statistics_of_all_evidence():
    nominal = get_metric(partial(krippendorff_alpha_score, level="nominal"))
    assert nominal(RATED) == pytest.approx(113 / 152)
    assert nominal.evidence is get_metric("krippendorff_alpha").evidence
    linear = get_metric(partial(agreement_score, coefficient="fleiss_kappa", weights="linear"))
    assert linear.name == "fleiss_kappa(weights='linear')"
    assert linear(RATED) == pytest.approx(IRRCAC["linear"][1])
    assert get_metric(partial(agreement_score, coefficient="conger_kappa")).name == "conger_kappa"


def test_coefficients_with_a_function_for_two_columns_are_bound_like_the_others():
    for name in ("krippendorff_alpha", "gwet_ac2"):
        assert get_metric(partial(agreement_score, coefficient=name)) is get_metric(name)
        linear = get_metric(partial(agreement_score, coefficient=name, weights="linear"))
        assert linear.name == f"{name}(weights='linear')"
        assert pickle.loads(pickle.dumps(linear)) == linear
        expected = agreement_score(RATED, name, weights="linear")
        assert delta_interval(RATED, metrics=linear).estimate == expected
    matrix = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    alpha = partial(agreement_score, coefficient="krippendorff_alpha")
    assert get_metric(partial(alpha, weights="linear")).bounds(3) == (-1, 1)
    assert get_metric(partial(alpha, weights=matrix)).bounds(3) == (-np.inf, 1)
    assert get_metric(partial(alpha, level="nominal")).ordinal_invariant
    assert get_metric(partial(alpha, weights="identity")).ordinal_invariant
    assert not get_metric(partial(alpha, weights="linear")).ordinal_invariant
    assert get_metric(partial(alpha, weights=matrix)).ordinal_invariant is None


@pytest.mark.parametrize("weights", ["linear", None])
def test_exchangeable_coefficients_do_not_change_if_two_grades_of_an_item_are_exchanged(weights):
    grades = np.array([[0, 2, 1], [1, 1, 3], [2, 3, 3], [0, 0, 1], [3, 2, 0]])
    permuted = np.random.default_rng(0).permuted(grades, axis=1)
    options = {} if weights is None else {"weights": weights}
    for name in ALL[:-1]:
        values = [
            agreement_score(OrdinalRatings.from_ratings(table), name, **options)
            for table in (grades, permuted)
        ]
        is_unchanged = values[0] == pytest.approx(values[1])
        assert is_unchanged is bool(bound(name, **options).exchangeable)
        functions = {"krippendorff_alpha": krippendorff_alpha_score, "gwet_ac2": gwet_ac2_score}
        if name in functions:
            assert get_metric(functions[name]).exchangeable
    assert get_metric(scott_pi_score).exchangeable
    assert not get_metric(weighted_kappa_score).exchangeable


def test_resamples_of_exchangeable_coefficients_merge_patterns_with_the_same_grades():
    rng = np.random.default_rng(0)
    grades = np.clip(rng.integers(0, 3, (400, 1)) + rng.integers(0, 2, (400, 3)), 0, 3)
    weight = rng.integers(1, 3, 400)
    options = {"n_resamples": 999, "random_state": 0, "method": "percentile"}
    for sample_weight in (None, weight):
        ratings = OrdinalRatings.from_ratings(grades, sample_weight=sample_weight)
        ascending = OrdinalRatings.from_ratings(np.sort(grades), sample_weight=sample_weight)
        for name in ALL[:2]:
            # In ascending order there is nothing to merge.
            expected = bootstrap_interval(ascending, metrics=[name, "conger_kappa"], **options)
            merged = bootstrap_interval(ratings, metrics=name, **options)
            assert merged.low == pytest.approx(expected[name].low)
            assert merged.high == pytest.approx(expected[name].high)


@pytest.mark.parametrize("weights", [None, "identity", "linear", "quadratic", np.eye(3)])
def test_the_bound_of_brennan_and_prediger_is_reached_without_any_agreement(weights):
    metric = get_metric("brennan_prediger")
    if weights is not None:
        metric = get_metric(
            partial(agreement_score, coefficient="brennan_prediger", weights=weights)
        )
    apart = OrdinalRatings.from_ratings([[0, 2], [2, 0]])
    assert metric(apart) == pytest.approx(metric.bounds(3)[0])
    assert metric.bounds(1) == (-np.inf, 1.0)
    all_agree = np.ones((3, 3))
    constant = partial(agreement_score, coefficient="brennan_prediger", weights=all_agree)
    assert get_metric(constant).bounds(3) == (-np.inf, 1.0)


def test_a_report_has_all_coefficients(tmp_path):
    report = OrdinalReport.from_predictions(RATED)
    assert list(report.to_dict()["criteria"]) == ALL
    report.to_json(tmp_path / "report.json")
    copied = OrdinalReport.from_json(tmp_path / "report.json")
    assert copied == report
    assert [metric(copied.evidence[0]) for metric in copied.metrics.values()] == pytest.approx(
        [get_metric(name)(RATED) for name in ALL]
    )


@pytest.mark.parametrize(
    ("coefficient", "options", "message"),
    [
        ("alpha", {}, "coefficient must be one of .*'kendall_w'.*, got 'alpha'"),
        ("krippendorff_alpha", {"level": "ratio"}, "level must be one of .* or None, got 'ratio'"),
        ("gwet_ac2", {"level": "nominal"}, "level must be left out for gwet_ac2, got 'nominal'"),
        ("kendall_w", {"level": "nominal"}, "level must be left out for kendall_w, which is"),
        ("kendall_w", {"weights": "linear"}, "weights must be left out for kendall_w, which is"),
        ("fleiss_kappa", {"weights": "cubic"}, "weights must be one of .* or a matrix, got 'cub"),
        ("fleiss_kappa", {"weights": np.eye(3)}, r"weights must have shape \(5, 5\)"),
        (
            "krippendorff_alpha",
            {"level": "nominal", "weights": "linear"},
            "level and weights must not be passed together",
        ),
    ],
)
def test_options_that_a_coefficient_does_not_take_are_refused(coefficient, options, message):
    with pytest.raises(ValueError, match=message) as error:
        agreement_score(RATED, coefficient, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: agreement_score(GRADES, "gwet_ac2"), "ratings must be OrdinalRatings, got .*from"),
        (
            lambda: agreement_score(OrdinalConfusion.from_predictions([0, 1], [0, 1]), "kendall_w"),
            "ratings must be OrdinalRatings for kendall_w, got an OrdinalConfusion: make them with",
        ),
        (
            lambda: agreement_score(RATED.reweighted(np.ones((2, len(RATED.patterns)))), ALL[0]),
            "got a stack of shape",
        ),
        (
            lambda: get_metric("cem_ord")(RATED),
            "confusion must be an OrdinalConfusion for cem_ord, got OrdinalRatings",
        ),
        (
            lambda: get_metric("fleiss_kappa")(OrdinalConfusion.from_predictions([0, 1], [0, 1])),
            "must be an OrdinalRatings for fleiss_kappa, got OrdinalConfusion: make one with",
        ),
        (lambda: get_metric(agreement_score), "agreement_score needs coefficient: pass functools"),
        (
            lambda: get_metric(partial(agreement_score, coefficient="alpha")),
            r"coefficient must be one of \[.*\] in a partial of agreement_score, got 'alpha': pass",
        ),
        (
            lambda: get_metric(
                partial(agreement_score, coefficient="fleiss_kappa", weights=np.eye(2) * 2)
            ),
            "weights must be weights of agreement, from 0 to 1",
        ),
    ],
)
def test_evidence_and_metrics_that_do_not_fit_are_refused(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("coefficient", ALL)
def test_agreement_in_a_single_class_is_undefined_if_chance_would_give_it(coefficient):
    ratings = OrdinalRatings.from_ratings([[1, 1], [1, 1], [1, 1]], labels=[0, 1, 2])
    if coefficient in ("gwet_ac2", "brennan_prediger"):
        assert agreement_score(ratings, coefficient) == 1
        return
    with pytest.warns(UndefinedMetricWarning, match=f"{coefficient} is undefined: "):
        assert np.isnan(agreement_score(ratings, coefficient))
