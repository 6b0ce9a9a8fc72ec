"""Synthetic systems against plain definitions, and their options."""

import math

import numpy as np
import pytest

from sklearn_ordinal.meta_evaluation import make_ordinal_systems

KINDS = ("maj", "rand", "tDisp", "oDisp", "prox")


def make(**options):
    small = {"n_test_cases": 3, "n_samples": 40, "error_rates": [0.0, 0.3, 1.0], "random_state": 0}
    return make_ordinal_systems(**small | options)


def by_definition(
    kind,
    error_rates,
    *,
    n_test_cases=3,
    n_samples=40,
    n_classes=11,
    spread=(1, 3),
    wrap_around=False,
    seed=0,
):
    """One sample after another, with the numbers that the generator draws in turn."""
    rng = np.random.default_rng(seed)
    shape = len(error_rates), n_test_cases, n_samples
    mean = 3 * (n_classes - 1) / 10
    deviations = rng.uniform(*spread, size=(n_test_cases, 1))
    drawn = rng.normal(mean, deviations, size=(n_test_cases, n_samples))
    truth = [sorted(min(max(round(x), 0), n_classes - 1) for x in row) for row in drawn]
    others = {"rand": n_classes, "prox": n_samples}.get(kind)
    other = None if others is None else rng.integers(others, size=shape)
    chance = rng.random(shape)
    predicted = np.empty(shape, dtype=int)
    for system, test_case, rank in np.ndindex(shape):
        items = truth[test_case]
        later = rank + math.ceil(n_samples / 10)
        if later >= n_samples:
            later = later - n_samples if wrap_around else n_samples - 1
        is_wrong = chance[system, test_case, rank] < error_rates[system]
        partner = 0 if other is None else int(other[system, test_case, rank])
        wrong = {
            "maj": round(mean),
            "rand": partner,
            "tDisp": min(items[rank] + 1, n_classes - 1),
            "oDisp": items[later],
            "prox": items[(rank + partner) // 2] if kind == "prox" else None,
        }[kind]
        predicted[system, test_case, rank] = wrong if is_wrong else items[rank]
    return np.array(truth), predicted


@pytest.mark.parametrize("wrap_around", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_predicts_what_its_definition_says(kind, wrap_around):
    rates = [0.0, 0.3, 1.0]
    found = make(
        kinds=[kind], wrap_around=wrap_around, random_state=np.random.default_rng(0)
    ).predictions
    truth, predicted = by_definition(kind, rates, wrap_around=wrap_around)
    np.testing.assert_array_equal(found.y_true.reshape(truth.shape), truth)
    np.testing.assert_array_equal(found.y_pred.reshape(predicted.shape), predicted)
    np.testing.assert_array_equal(found.test_case, np.repeat([0, 1, 2], 40))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_classes", "n_samples"), [(2, 1), (3, 9), (6, 25)])
def test_other_numbers_of_classes_and_samples_scale_the_protocol(kind, n_classes, n_samples):
    found = make(
        kinds=[kind],
        n_classes=n_classes,
        n_samples=n_samples,
        random_state=np.random.default_rng(1),
    ).predictions
    scale = (n_classes - 1) / 10
    truth, predicted = by_definition(
        kind,
        [0.0, 0.3, 1.0],
        n_classes=n_classes,
        n_samples=n_samples,
        spread=(scale, 3 * scale),
        seed=1,
    )
    np.testing.assert_array_equal(found.y_true, truth.ravel())
    np.testing.assert_array_equal(found.y_pred.reshape(predicted.shape), predicted)


def test_the_defaults_are_the_fifty_systems_of_the_source():
    systems = make_ordinal_systems(random_state=0)
    assert systems.confusion.counts.shape == (100, 50, 11, 11)
    assert systems.confusion.labels.tolist() == list(range(11))
    assert systems.names[::10] == ("maj 0.1", "rand 0.1", "tDisp 0.1", "oDisp 0.1", "prox 0.1")
    assert systems.names[9::10] == ("maj 1", "rand 1", "tDisp 1", "oDisp 1", "prox 1")


def test_true_classes_have_the_stated_mean_and_spread():
    systems = make(n_test_cases=4, n_samples=20_000, spread=(2, 2), kinds=["maj"])
    y_true = systems.predictions.y_true
    shares = np.bincount(y_true, minlength=11) / len(y_true)
    # Normal probabilities of the intervals around the classes, with the tails in the outermost.
    edges = [-math.inf, *np.arange(0.5, 10), math.inf]
    below = [0.5 * (1 + math.erf((edge - 3) / 2 / math.sqrt(2))) for edge in edges]
    np.testing.assert_allclose(shares, np.diff(below), atol=0.005)


def test_an_error_rate_is_the_share_of_samples_with_the_assigned_class():
    systems = make(n_test_cases=20, n_samples=1_000, error_rates=[0.2, 0.7], spread=(0, 0))
    # All samples are of the fourth class, so that the tags of all samples that are drawn differ.
    accuracy = systems.subset(["tDisp 0.2", "tDisp 0.7"]).evaluate("accuracy").mean(axis=0)
    np.testing.assert_allclose(accuracy, [0.8, 0.3], atol=0.02)
    for kind in ("maj", "oDisp", "prox"):
        assert (systems.subset([f"{kind} 0.7"]).evaluate("accuracy") == 1).all()


def test_kinds_are_in_the_order_that_is_asked_for():
    systems = make(kinds=["prox", "maj"], error_rates=[1, 0.25])
    assert systems.names == ("prox 1", "prox 0.25", "maj 1", "maj 0.25")
    predicted = systems.predictions.y_pred
    assert (predicted[2] == 3).all()
    assert not (predicted[3] == 3).all()


def test_systems_without_errors_are_perfect():
    assert (make(error_rates=[0]).evaluate("accuracy") == 1).all()


def test_wrapping_around_gives_the_last_samples_the_lowest_classes():
    systems = {
        wraps: make(kinds=["oDisp"], error_rates=[1], wrap_around=wraps).predictions
        for wraps in (False, True)
    }
    truth = systems[True].y_true.reshape(3, 40)
    last = {wraps: found.y_pred.reshape(3, 40)[:, -4:] for wraps, found in systems.items()}
    np.testing.assert_array_equal(last[True], truth[:, :4])
    np.testing.assert_array_equal(last[False], np.repeat(truth[:, -1:], 4, axis=1))


def test_a_seed_repeats_the_systems_and_another_changes_them():
    counts = [make(random_state=seed).confusion.counts for seed in (0, 0, 1)]
    np.testing.assert_array_equal(counts[0], counts[1])
    assert not np.array_equal(counts[0], counts[2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_test_cases": 0}, "n_test_cases must be a positive integer, got 0"),
        ({"n_samples": 2.5}, "n_samples must be a positive integer, got 2.5"),
        ({"n_classes": 1}, "n_classes must be at least 2"),
        ({"n_classes": 10**5}, "n_classes must be at most 10,000"),
        ({"n_classes": "11"}, "n_classes must be a positive integer, got '11'"),
        ({"kinds": "maj"}, "kinds must be a sequence of names, got 'maj'"),
        ({"kinds": ["maj", "major"]}, "kinds must be one of .*, got 'major'"),
        ({"kinds": ["maj", "rand", "maj"]}, "kinds must have each value once, got 'maj' twice"),
        ({"kinds": []}, "kinds must have at least one value, got none"),
        ({"error_rates": 0.3}, "error_rates must be a sequence of numbers.* got 0.3"),
        ({"error_rates": []}, "error_rates must have at least one value, got none"),
        ({"error_rates": [0.1, 1.1]}, r"error_rates must be in \[0, 1\], got 1.1"),
        ({"error_rates": [float("nan")]}, r"error_rates must be in \[0, 1\], got nan"),
        ({"error_rates": ["0.1"]}, "error_rates must hold numbers, got strings"),
        ({"error_rates": [0.1, 0.1]}, "error_rates must have each value once, got '0.1' twice"),
        ({"spread": 2}, r"spread must be the lowest and the highest .*, got 2"),
        ({"spread": (3, 1)}, r"spread must be the lowest and the highest .*, got \(3, 1\)"),
        ({"spread": (-1, 1)}, "spread must be"),
        ({"spread": (1, float("inf"))}, "spread must be"),
        ({"spread": (float("nan"), 1)}, "spread must be"),
        ({"wrap_around": 1}, "wrap_around must be True or False, got 1"),
        ({"random_state": "seed"}, "random_state must be None, an integer"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(options, message):
    with pytest.raises(ValueError, match=message) as caught:
        make(**options)
    assert "\n" not in str(caught.value)
