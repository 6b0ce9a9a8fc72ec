"""Arrays on devices, under the setting of scikit-learn that dispatches to their libraries."""

from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GroupKFold, cross_val_score

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    OrdinalScores,
    cross_val_report,
    get_metric,
)
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS, PROBABILITIES, SCORES
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.metrics import (
    cem_ord_score,
    concordance_score,
    multioutput_score,
    ranked_probability_score,
)

xp = pytest.importorskip("array_api_strict", reason="the oldest SciPy cannot dispatch")

rng = np.random.default_rng(0)
Y_TRUE = rng.permutation(np.arange(60) % 3)
Y_PROBA = rng.dirichlet([1, 1, 1], 60)
Y_PRED = Y_PROBA.argmax(axis=1)
Y_SCORE = Y_PROBA @ [0, 1, 2]
WEIGHT = rng.integers(1, 4, 60) / 4
PREDICTED = {LABELS: Y_PRED, PROBABILITIES: Y_PROBA, SCORES: Y_SCORE}


@pytest.fixture
def dispatch(monkeypatch):
    # scikit-learn reads the variable, SciPy would have read it when it was imported.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    with sklearn.config_context(array_api_dispatch=True):
        yield


def on_second_device(values):
    return xp.asarray(values, device=xp.Device("device1"))


def requiring_gradients(values):
    torch = pytest.importorskip("torch", reason="several gigabytes, not in the extra test-all")
    tensor = torch.from_numpy(np.array(values))
    return tensor.requires_grad_() if tensor.is_floating_point() else tensor


class Cupy:
    """An array that is read as those of CuPy are: by `get` and not by NumPy."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def __dlpack__(self, **_):
        raise BufferError("not exported to the host")

    def get(self):
        return self.values


moved = pytest.mark.parametrize("moved", [on_second_device, requiring_gradients, Cupy])


@pytest.mark.usefixtures("dispatch")
@moved
@pytest.mark.parametrize("name", metrics_of(LABELS, PROBABILITIES, SCORES))
def test_values_of_arrays_on_devices_are_those_of_the_host(name, moved):
    metric = get_metric(name)
    arrays = Y_TRUE, PREDICTED[metric.evidence]
    found = metric.from_predictions(*map(moved, arrays), sample_weight=moved(WEIGHT))
    assert found == metric.from_predictions(*arrays, sample_weight=WEIGHT)
    if not metric.is_sklearns:
        function = partial(metric.function, **metric.options)
        assert function(*map(moved, arrays)) == function(*arrays)


@pytest.mark.usefixtures("dispatch")
def test_values_on_a_device_are_those_of_scikit_learn():
    y_true, y_pred, y_proba = map(on_second_device, (Y_TRUE, Y_PRED, Y_PROBA))
    found = get_metric("accuracy").from_predictions(y_true, y_pred)
    assert found == pytest.approx(float(accuracy_score(y_true, y_pred)))
    found = get_metric("log_loss").from_predictions(y_true, y_proba)
    assert found == pytest.approx(float(log_loss(y_true, y_proba)))


VERBS = {
    "confusion": lambda move: (
        OrdinalConfusion.from_predictions(
            *map(move, (Y_TRUE, Y_PRED)), labels=move([0, 1, 2]), sample_weight=move(WEIGHT)
        ).counts
    ),
    "answered": lambda move: (
        OrdinalConfusion.from_predictions(
            move(Y_TRUE), move(np.where(Y_TRUE == 1, np.nan, Y_PRED)), unanswered="count"
        ).unanswered
    ),
    "column": lambda move: (
        OrdinalConfusion.from_predictions(move(Y_TRUE), move(Y_PRED[:, None])).counts
    ),
    "counts": lambda move: OrdinalConfusion.from_counts(move([[2, 1], [0, 3]])).counts,
    "batches": lambda move: (
        OrdinalConfusion.from_batches([(move(Y_TRUE), move(Y_PRED), move(WEIGHT))]).counts
    ),
    "forecasts": lambda move: (
        OrdinalForecasts.from_probabilities(
            *map(move, (Y_TRUE, Y_PROBA)), classes=move([2, 0, 1])
        ).y_proba
    ),
    "cumulative": lambda move: (
        OrdinalForecasts.from_cumulative(
            *map(move, (Y_TRUE, np.sort(Y_PROBA[:, :2])[:, ::-1].copy()))
        ).y_proba
    ),
    "scores": lambda move: OrdinalScores.from_scores(*map(move, (Y_TRUE, Y_SCORE))).y_score,
    "prevalence": lambda move: (
        OrdinalConfusion.from_counts([[2, 1], [0, 3]]).at_prevalence(move([0.25, 0.75])).counts
    ),
    "interval": lambda move: (
        bootstrap_interval(
            *map(move, (Y_TRUE, Y_PRED)),
            "cem_ord",
            clusters=move(np.arange(60) // 4),
            random_state=0,
        ).low
    ),
    "difference": lambda move: (
        paired_difference(
            *map(move, (Y_TRUE, Y_PROBA, Y_PROBA[::-1].copy())),
            "ranked_probability_score",
            random_state=0,
        ).pvalue
    ),
    "outputs": lambda move: multioutput_score(
        *map(move, (Y_TRUE.reshape(-1, 2), Y_PRED.reshape(-1, 2))), "cem_ord"
    ),
    "report": lambda move: str(
        OrdinalReport.from_predictions(*map(move, (Y_TRUE, Y_PRED)), y_proba=move(Y_PROBA))
    ),
}


@pytest.mark.usefixtures("dispatch")
@moved
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_each_verb_takes_arrays_on_devices(verb, moved):
    np.testing.assert_array_equal(verb(moved), verb(np.asarray))


@pytest.mark.usefixtures("dispatch")
def test_tensors_keep_their_precision():
    torch = pytest.importorskip("torch", reason="several gigabytes, not in the extra test-all")
    y_proba = torch.tensor(Y_PROBA).half().requires_grad_()
    found = OrdinalForecasts.from_probabilities(Y_TRUE, y_proba)
    assert (found.y_proba == Y_PROBA.astype(np.float16)).all()
    y_score = torch.tensor(Y_SCORE).bfloat16()
    found = OrdinalScores.from_scores(Y_TRUE, y_score)
    assert found.y_score.tolist() == y_score.tolist()


@pytest.mark.usefixtures("dispatch")
@pytest.mark.parametrize("scoring", ["cem_ord", "neg_ranked_probability_score", "concordance"])
def test_scorers_score_estimators_that_are_fitted_on_a_device(scoring):
    X = np.random.default_rng(1).normal(size=(60, 3)) + Y_TRUE[:, None]
    expected = cross_val_score(LinearDiscriminantAnalysis(), X, Y_TRUE, scoring=scoring, cv=3)
    X, y_true = map(on_second_device, (X, Y_TRUE))
    found = cross_val_score(LinearDiscriminantAnalysis(), X, y_true, scoring=scoring, cv=3)
    np.testing.assert_allclose(found, expected)


@pytest.mark.usefixtures("dispatch")
def test_reports_on_folds_are_those_of_the_host():
    X = np.random.default_rng(1).normal(size=(60, 3)) + Y_TRUE[:, None]
    arrays, groups = (X, Y_TRUE), np.arange(60) // 2
    report = partial(cross_val_report, LinearDiscriminantAnalysis(), cv=GroupKFold(3))
    expected = report(*arrays, groups=groups)
    # The splitters of scikit-learn take groups on the host only.
    found = report(*map(on_second_device, arrays), groups=groups)
    assert str(found) == str(expected)


def without_data(values):
    return requiring_gradients(values).to("meta")


@pytest.mark.usefixtures("dispatch")
@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("y_true", lambda: cem_ord_score(without_data(Y_TRUE), Y_PRED)),
        ("y_pred", lambda: cem_ord_score(Y_TRUE, without_data(Y_PRED))),
        ("y_proba", lambda: ranked_probability_score(Y_TRUE, without_data(Y_PROBA))),
        ("y_score", lambda: concordance_score(Y_TRUE, without_data(Y_SCORE))),
        ("labels", lambda: cem_ord_score(Y_TRUE, Y_PRED, labels=without_data([0, 1, 2]))),
        (
            "sample_weight",
            lambda: cem_ord_score(Y_TRUE, Y_PRED, sample_weight=without_data(WEIGHT)),
        ),
    ],
)
def test_an_array_without_data_is_an_error_that_names_the_argument(name, score):
    with pytest.raises(
        ValueError, match=f"^{name} .*: Cannot copy out of meta tensor; no data\\.$"
    ):
        score()


@pytest.mark.parametrize("moved", [on_second_device, Cupy])
@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("y_true", lambda move: cem_ord_score(move(Y_TRUE), Y_PRED)),
        ("y_proba", lambda move: ranked_probability_score(Y_TRUE, move(Y_PROBA))),
    ],
)
def test_without_the_setting_arrays_on_a_device_are_refused_as_by_scikit_learn(name, score, moved):
    with pytest.raises((RuntimeError, TypeError)):
        accuracy_score(moved(Y_TRUE), moved(Y_PRED))
    way_out = r"pass a NumPy array, or call sklearn.set_config\(array_api_dispatch=True\)\.$"
    with pytest.raises(ValueError, match=f"^{name} .*: {way_out}"):
        score(moved)
