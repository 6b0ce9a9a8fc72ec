"""Systems: containers, names, scales and values."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts
from sklearn_ordinal.meta_evaluation import OrdinalSystems
from sklearn_ordinal.meta_evaluation._ordinal_systems import as_systems, evaluate_systems
from sklearn_ordinal.metrics import cem_ord_score, kendall_tau_score

RNG = np.random.default_rng(0)
Y_TRUE = RNG.integers(2, 6, 60)
PREDICTIONS = {name: RNG.integers(2, 6, 60) for name in ("one", "two", "three")}
TEST_CASES = np.repeat(["b", "a", "c"], [30, 20, 10])


def systems(**options):
    return OrdinalSystems.from_predictions(Y_TRUE, PREDICTIONS, test_cases=TEST_CASES, **options)


def test_the_counts_are_those_of_each_test_case_and_system():
    found = systems()
    assert found.names == ("one", "two", "three")
    assert found.test_cases == ("b", "a", "c")
    assert found.confusion.labels.tolist() == [2, 3, 4, 5]
    for test_case, name in enumerate(found.test_cases):
        rows = name == TEST_CASES
        for system, predicted in enumerate(PREDICTIONS.values()):
            alone = OrdinalConfusion.from_predictions(
                Y_TRUE[rows], predicted[rows], labels=range(2, 6)
            )
            np.testing.assert_array_equal(found.confusion.counts[test_case, system], alone)


@pytest.mark.parametrize(
    "table",
    [
        PREDICTIONS,
        pd.DataFrame(PREDICTIONS),
        pl.DataFrame(PREDICTIONS),
        pa.table(PREDICTIONS),
        np.stack(list(PREDICTIONS.values()), axis=1),
    ],
    ids=["dict", "pandas", "polars", "pyarrow", "array"],
)
def test_tables_of_all_kinds_are_read(table):
    found = OrdinalSystems.from_predictions(Y_TRUE, table, test_cases=pd.Categorical(TEST_CASES))
    assert found.names == (("0", "1", "2") if isinstance(table, np.ndarray) else tuple(PREDICTIONS))
    assert found.test_cases == ("b", "a", "c")
    np.testing.assert_array_equal(found.confusion.counts, systems().confusion.counts)


def test_strings_need_an_order():
    grades = np.array(["low", "mid", "high"])
    y_true, y_pred = grades[[0, 1, 2, 2]], grades[[0, 2, 2, 1]]
    with pytest.raises(ValueError, match="y_true has string labels"):
        OrdinalSystems.from_predictions(y_true, {"one": y_pred})
    found = OrdinalSystems.from_predictions(y_true, {"one": y_pred}, labels=grades)
    assert found.test_cases == ("0",)
    assert found.confusion.labels.tolist() == grades.tolist()


def test_values_are_those_of_the_public_function():
    values = systems().evaluate("cem_ord")
    assert values.shape == (3, 3)
    rows = TEST_CASES == "a"
    expected = cem_ord_score(Y_TRUE[rows], PREDICTIONS["three"][rows], labels=range(2, 6))
    assert values[1, 2] == pytest.approx(expected)


def test_many_test_cases_are_evaluated_in_parts(monkeypatch):
    expected = systems().evaluate("cem_ord")
    monkeypatch.setattr("sklearn_ordinal.meta_evaluation._ordinal_systems._CELLS_AT_ONCE", 1)
    np.testing.assert_array_equal(systems().evaluate("cem_ord"), expected)


def test_a_subset_keeps_the_order_that_is_asked_for():
    found = systems().subset(["three", "one"])
    assert found.names == ("three", "one")
    np.testing.assert_array_equal(found.confusion.counts, systems().confusion.counts[:, [2, 0]])
    np.testing.assert_array_equal(found.predictions.y_pred, systems().predictions.y_pred[[2, 0]])
    with pytest.raises(
        ValueError, match=r"names must be among the systems \['one', .*, got 'four'"
    ):
        systems().subset(["four"])


def test_undefined_values_are_replaced_and_counted():
    constant = OrdinalSystems.from_predictions([0, 1, 2], {"same": [1, 1, 1], "right": [0, 1, 2]})
    with pytest.warns(match="tau-b is undefined"):
        assert np.isnan(kendall_tau_score([0, 1, 2], [1, 1, 1]))
    found = evaluate_systems(constant, ["kendall_tau_b", "neg_ordinal_mean_absolute_error"])
    assert found.n_undefined == {"kendall_tau_b": 1, "ordinal_mean_absolute_error": 0}
    np.testing.assert_allclose(found.values[0], [[0, 2 / 3], [1, 0]])
    np.testing.assert_allclose(found.scores[0], [[0, -2 / 3], [1, 0]])


def test_a_value_that_cannot_be_replaced_is_an_error():
    def odd_score(y_true, y_pred):
        return np.nan if (y_true == y_pred).all() else 0.5

    with pytest.raises(ValueError, match="odd is undefined for 1 of 2 values and has no worst"):
        evaluate_systems(
            OrdinalSystems.from_predictions([0, 1], {"a": [0, 1], "b": [1, 1]}), odd_score
        )


COUNTS = systems().confusion.counts


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: as_systems(COUNTS[0]),
            r"systems: counts must have shape \(n_test_cases, .* got \(3, 4",
        ),
        (lambda: as_systems(COUNTS[:, :1]), "systems must have at least 2 systems, got 1"),
        (lambda: as_systems([COUNTS.tolist(), [[1]]]), "rows of different lengths"),
        (lambda: as_systems(PREDICTIONS), "got a mapping: pass OrdinalSystems.from_predictions"),
        (lambda: as_systems(COUNTS[:, :, :, :3]), r"shape \(..., n_classes, n_classes\)"),
        (lambda: as_systems(COUNTS - 1), "counts must not be negative"),
        (lambda: as_systems(COUNTS * np.nan), "systems: counts must be finite"),
        (lambda: as_systems(COUNTS[:0]), "at least one test case and one system"),
        (
            lambda: as_systems(COUNTS * np.array([1, 2, 1])[:, None, None]),
            "systems: counts must be of the same samples",
        ),
        (lambda: as_systems(0 * COUNTS), "'0' has none: leave it out"),
        (lambda: OrdinalSystems(COUNTS), "confusion must be an OrdinalConfusion with counts"),
        (lambda: OrdinalSystems.from_counts(COUNTS, names=["a", "a", "b"]), "names must have 3"),
        (lambda: systems(names=["a"]), "names must have 3 names, each once, got 1"),
        (lambda: OrdinalSystems.from_predictions([0], {}), "a column for each system, got none"),
        (lambda: OrdinalSystems.from_predictions([0, 1], [0, 1]), r"n_systems\), got shape \(2,\)"),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], {"a": [0, None]}),
            r"predictions\['a'\] has missing values",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], {"a": [0, 1, 1]}),
            r"y_true and predictions\['a'\] must have the same length",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], {"a": [0, 1]}, test_cases=["a"]),
            "test_cases must have a value for each of the 2 samples",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], {1: [0, 1], "1": [1, 1]}),
            "predictions must have one column for each name, got '1' more than once",
        ),
        (
            lambda: OrdinalSystems.from_predictions(
                [0, 1], pd.DataFrame([[0, 1], [1, 1]], columns=["a", "a"])
            ),
            "got 'a' more than once",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], pl.DataFrame({"a": [0, 1]}).lazy()),
            r"got a LazyFrame: pass predictions.collect\(\)",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], [[0, 1], [1]]),
            "predictions must .*, got rows of different lengths",
        ),
        (
            lambda: OrdinalSystems.from_predictions([0, 1], np.zeros((3, 2), dtype=int)),
            r"got shape \(3, 2\) for 2 samples: transpose it",
        ),
        (lambda: systems().subset([]), "names must have at least one of the systems, got none"),
        (
            lambda: OrdinalSystems(
                OrdinalConfusion.from_counts([[np.eye(2)]], unanswered=[[[1, 0]]])
            ),
            "a prediction for each sample, got 1 unanswered",
        ),
        (
            lambda: as_systems(
                [
                    OrdinalConfusion.from_counts(COUNTS[0], labels=order)
                    for order in (list("abcd"), list("abdc"))
                ]
            ),
            "systems: scale must be the same for both",
        ),
        (lambda: systems().evaluate("log_loss"), "log_loss needs probabilities"),
        (
            lambda: evaluate_systems(systems(), ["cem_ord"], min_metrics=2),
            "metrics must have at least 2 metrics, got 1",
        ),
        (lambda: evaluate_systems(systems(), "concordance"), "concordance needs scores"),
    ],
)
def test_bad_input_is_an_error_that_names_the_argument(make, message):
    with pytest.raises(ValueError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


def test_forecasts_are_no_systems():
    forecasts = OrdinalForecasts.from_probabilities([0, 1], np.eye(2))
    with pytest.raises(ValueError, match="systems: counts must hold numbers"):
        as_systems(forecasts)


def test_infinite_values_have_no_mean():
    def ratio_score(y_true, y_pred):
        return np.inf if np.array_equal(y_true, y_pred) else 1.0

    counts = np.array([[np.eye(2, dtype=int), [[0, 1], [0, 1]]]])
    with pytest.raises(ValueError, match="metrics: ratio is infinite for a system on a test case"):
        evaluate_systems(OrdinalSystems.from_counts(counts), ["accuracy", ratio_score])


@pytest.mark.parametrize("read", [as_systems, OrdinalSystems.from_counts])
def test_confusions_keep_their_labels(read):
    labels = ["a", "b", "c", "d"]
    stack = OrdinalConfusion.from_counts(COUNTS, labels=labels)
    of_test_cases = [OrdinalConfusion.from_counts(counts, labels=labels) for counts in COUNTS]
    for confusions in (stack, of_test_cases):
        found = read(confusions).confusion
        assert found.labels.tolist() == labels
        np.testing.assert_array_equal(found.counts, COUNTS)


def test_values_whose_squares_overflow_are_refused():
    def huge_score(y_true, y_pred):
        return 1e300 * np.mean(np.asarray(y_true) == y_pred)

    with pytest.raises(ValueError, match=r"metrics: huge is \S+e\+299 in size for a system"):
        evaluate_systems(systems(), huge_score)


def test_failures_of_functions_name_them_in_one_line():
    def broken_score(y_true, y_pred):
        raise RuntimeError(f"{len(y_true)} true\n{len(y_pred)} predicted")

    message = r"^metrics: broken raised RuntimeError: \d+ true \d+ predicted$"
    with pytest.raises(ValueError, match=message):
        evaluate_systems(systems(), ["accuracy", broken_score])
