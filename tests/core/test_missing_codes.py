"""Warnings of codes for missing values among integers that are read as classes."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalScores,
    agreement_report,
    compare_estimators,
    compare_systems,
    cross_val_report,
    make_ordinal_scorer,
    ordinal_report,
)
from sklearn_ordinal._command_line.program import main
from sklearn_ordinal.inference import bootstrap_interval, delta_interval
from sklearn_ordinal.metrics import cem_ord_score, multioutput_score

CODE = "may be a code for missing values, but is read as a class"


def grades(n_samples=400):
    rng = np.random.default_rng(0)
    y_true = rng.integers(1, 6, n_samples)
    return y_true, np.clip(y_true + rng.integers(-1, 2, n_samples), 1, 5)


@pytest.fixture
def coded():
    y_true, y_pred = grades()
    y_true[:20] = 99
    return y_true, y_pred


def found(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(w.message) for w in caught if "for missing values" in str(w.message)]


@pytest.mark.parametrize("code", [9, -1, 99, -9, -99, -100, 98, 999])
def test_a_code_among_true_or_predicted_classes_leads_to_a_warning(code):
    y_true, y_pred = grades()
    for y in (y_true, y_pred):
        former, y[:20] = y[:20].copy(), code
        with pytest.warns(UserWarning, match=rf"^{code} {CODE}.* 1 to 5\. .*labels="):
            cem_ord_score(y_true, y_pred)
        y[:20] = former


def test_a_single_99_is_enough_and_several_codes_are_named_together():
    y_true, y_pred = grades()
    y_true[0] = 99
    assert found(lambda: cem_ord_score(y_true, y_pred))[0].startswith("99 may be a code")
    y_true[1:5] = 98
    both = "98 and 99 may be codes for missing values, but are read as classes"
    assert found(lambda: cem_ord_score(y_true, y_pred))[0].startswith(both)
    y_true[2:5] = 99
    assert found(lambda: cem_ord_score(y_true, y_pred))[0].startswith(both)


@pytest.mark.parametrize(
    ("classes", "code", "others"),
    [([*range(1, 10)] * 20, 99, "1 to 9"), ([1, 2, 3, 4, 5] * 20 + [9], -99, "1 to 9")],
)
def test_codes_that_are_classes_are_among_the_other_classes(classes, code, others):
    assert (
        f"the other classes are {others}. "
        in found(lambda: cem_ord_score([*classes, code], [*classes, code]))[0]
    )


def test_codes_are_apart_from_codes_that_are_classes():
    rest = [1, 2, 3, 4, 5] * 20
    assert found(lambda: cem_ord_score([*rest, -9, -9], [*rest, -9, -9]))
    # A single 88 is read as a class, so -9 is no longer apart.
    assert not found(lambda: cem_ord_score([*rest, -9, -9, 88], [*rest, -9, -9, 88]))


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([1, 2, 3, 4, 5, 6, 7, 8, 9] * 20, id="no gap"),
        pytest.param([0, 1, 2, 3, 4] * 20 + [-1] * 5, id="-1 beside 0"),
        pytest.param([0, 1, 2, 3] * 20, id="0 beside 1"),
        pytest.param([1, 2, 3] * 20 + [9] * 20, id="a class as large as the others"),
        pytest.param([1, 2, 3, 4, 5] * 20 + [9], id="a single 9"),
        pytest.param([-1, 1] * 20, id="two classes"),
        pytest.param([1, 2, 9] * 2, id="three classes of an ordinal scale"),
        pytest.param([*range(0, 101, 10), 99], id="99 on a slider"),
        pytest.param([1, 2, 3, 4, 5, 88], id="a single 88"),
        pytest.param([5] * 20 + [99], id="a single other class"),
    ],
)
def test_classes_that_may_well_belong_to_the_scale_do_not_lead_to_a_warning(values):
    cem_ord_score(values, values)


def test_labels_and_ordered_dtypes_and_weights_of_zero_say_what_is_meant(coded):
    y_true, y_pred = coded
    cem_ord_score(y_true, y_pred, labels=[1, 2, 3, 4, 5, 99])
    categories = pd.CategoricalDtype([1, 2, 3, 4, 5, 99], ordered=True)
    cem_ord_score(pd.Series(y_true, dtype=categories), y_pred)
    cem_ord_score(y_true, y_pred, sample_weight=y_true != 99)
    OrdinalConfusion.from_batches([(y_true, y_pred, (y_true != 99) * 1.0)])


@pytest.mark.parametrize("code", [-9, 9, -1])
def test_every_reader_warns_once(code):
    y_true, y_pred = grades()
    y_true[:20] = code
    table = pd.DataFrame({"y_true": y_true, "y_pred": y_pred})
    long = pd.DataFrame(
        {
            "item": np.tile(np.arange(len(y_true)), 2),
            "rater": np.repeat(["a", "b"], len(y_true)),
            "grade": np.r_[y_true, y_pred],
        }
    )
    ratings = np.c_[y_true, y_pred]
    rng = np.random.default_rng(0)
    calls = [
        lambda: OrdinalConfusion.from_predictions(y_true, y_pred, clusters=np.arange(400) // 2),
        lambda: OrdinalConfusion.from_table(table),
        lambda: OrdinalConfusion.from_table(table.assign(w=2.0), sample_weight="w"),
        lambda: OrdinalConfusion.from_batches([(y_true[:200], y_pred[:200]), (y_true, y_pred)]),
        lambda: OrdinalRatings.from_ratings(ratings),
        lambda: OrdinalRatings.from_table(long),
        lambda: OrdinalScores.from_scores(y_true, y_pred),
        lambda: delta_interval(y_true, y_pred, "cem_ord"),
        lambda: bootstrap_interval(y_true, y_pred, "cem_ord", n_resamples=99, random_state=0),
        lambda: str(ordinal_report(y_true, y_pred, zero_division=0)),
        lambda: str(agreement_report(OrdinalRatings.from_ratings(ratings))),
        lambda: str(compare_systems(y_true, {"a": y_pred, "b": y_true}, n_resamples=99)),
        lambda: str(GroupReport.from_predictions(y_true, y_pred, by=rng.integers(2, size=400))),
        lambda: multioutput_score(np.c_[y_true, y_pred], np.c_[y_pred, y_pred], "cem_ord"),
    ]
    for call in calls:
        assert len(found(call)) == 1


def test_unanswered_samples_do_not_hide_a_code(coded):
    y_true, y_pred = coded
    y_pred = np.where(np.arange(400) < 50, np.nan, y_pred)
    table = pd.DataFrame({"y_true": y_true, "y_pred": y_pred})
    assert len(found(lambda: cem_ord_score(y_true, y_pred, unanswered="count"))) == 1
    assert len(found(lambda: OrdinalConfusion.from_table(table, unanswered="count"))) == 1
    batches = [(y_true, y_pred)]
    assert len(found(lambda: OrdinalConfusion.from_batches(batches, unanswered="count"))) == 1


def test_a_wrong_number_of_columns_is_explained_by_the_code(coded):
    y_true, _ = coded
    with (
        pytest.warns(UserWarning, match=CODE),
        pytest.raises(ValueError, match="a column for each of the 99 classes"),
    ):
        OrdinalForecasts.from_probabilities(y_true, np.full((400, 5), 0.2))


def test_scorers_do_not_warn_and_reports_warn_once_for_all_folds(coded):
    y_true, _ = coded
    X = np.random.default_rng(0).normal(size=(400, 2))
    tree = DecisionTreeClassifier(max_depth=1)
    search = GridSearchCV(tree, {"max_depth": [1, 2]}, scoring="cem_ord")
    scorers = ["cem_ord", "neg_ranked_probability_score", "concordance"]
    for scoring in scorers:
        cross_val_score(tree, X, y_true, scoring=scoring)
    get_scorer("cem_ord")._score_func(y_true, y_true)
    search.fit(X, y_true)
    both = np.c_[y_true, y_true]
    make_ordinal_scorer("cem_ord", multioutput="mean")(tree.fit(X, both), X, both)
    assert len(found(lambda: str(cross_val_report(search, X, y_true, scoring=scorers)))) == 1
    assert len(found(lambda: str(compare_estimators({"tree": tree}, X, y_true)))) == 1


def test_the_rest_of_a_fold_of_few_classes_does_not_look_like_a_code():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat([1, 2, 3, 4, 5, 6, 7, 8, 9], 7)[:60]
    tree = DecisionTreeClassifier(max_depth=2)
    assert not found(lambda: str(cross_val_report(tree, X, y, cv=5)))


@pytest.mark.parametrize("dtype", [np.uint64, np.int8, float])
def test_integers_of_every_type_are_read(coded, dtype):
    y_true, y_pred = coded
    assert len(found(lambda: cem_ord_score(y_true.astype(dtype), y_pred.astype(dtype)))) == 1


def test_the_command_names_the_code(tmp_path, coded, capsys):
    path = tmp_path / "results.csv"
    pd.DataFrame({"gold": coded[0], "pred": coded[1]}).to_csv(path, index=False)
    assert main(["report", str(path), "--true", "gold", "--pred", "pred"]) == 0
    error = capsys.readouterr().err
    assert f"warning: 99 {CODE} since no labels are given" in error
    assert "name all classes, with labels= in Python or --labels on the command line." in error


@pytest.mark.parametrize(
    ("lowest", "n_classes"), [(1, 7), (1, 9), (0, 11), (1, 11), (1, 101), (0, 101), (-2, 5)]
)
def test_at_most_one_percent_of_honest_samples_lead_to_a_warning(load, lowest, n_classes):
    simulation = load("missing_codes")
    rng = np.random.default_rng(0)
    for n_samples in (10, 30, 100):
        for _, shares in simulation.class_shares(n_classes):
            # 3 of 150 is less than four standard errors above 1%.
            assert simulation.share_with_warning(lowest, n_samples, shares, rng, 150) <= 0.03


def test_the_simulation_finds_codes(load):
    simulation = load("missing_codes")
    assert simulation.share_found(99, n_draws=5) == 1
    assert simulation.largest_share(1, 5, 20, 20)[0] == 0
    assert simulation.largest_share(1, 9, 20, 20)[0] <= 0.1


def test_a_warning_does_not_change_the_value(coded):
    y_true, y_pred = coded
    with pytest.warns(UserWarning, match=CODE):
        value = sklearn_ordinal.get_metric("accuracy").from_predictions(y_true, y_pred)
    assert value == accuracy_score(y_true, y_pred)
