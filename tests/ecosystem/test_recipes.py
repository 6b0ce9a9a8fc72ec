"""The recipes of docs/reference/recipes.rst, which shows the lines between the marks.

Each is skipped where its package is missing: ``pip install ".[test-all]"``.
"""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import GroupReport, OrdinalReport
from sklearn_ordinal.metrics import cem_ord_score


@pytest.fixture(autouse=True)
def _write_elsewhere_and_send_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")


@pytest.fixture(scope="module")
def data():
    y = np.repeat([0, 1, 2, 3], [15, 25, 30, 20])
    noise = np.random.default_rng(0).normal(size=(len(y), 2))
    return train_test_split(noise + y[:, None], y, stratify=y, random_state=0)


@pytest.fixture
def tree():
    return DecisionTreeClassifier(max_depth=3, random_state=0)


def test_skore(data, tree):
    pytest.importorskip("skore")
    X_train, X_test, y_train, y_test = data
    # [skore]
    from skore import EstimatorReport

    report = EstimatorReport(tree, X_train=X_train, y_train=y_train, X_test=X_test, y_test=y_test)
    report.metrics.add("cem_ord")
    frame = report.metrics.summarize(metric="cem_ord").frame()
    # [end]
    expected = cem_ord_score(y_test, tree.fit(X_train, y_train).predict(X_test))
    assert frame.to_numpy().ravel().tolist() == [pytest.approx(expected)]


def test_mlflow(data, tree, tmp_path):
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    X_train, X_test, y_train, y_test = data
    y_pred = tree.fit(X_train, y_train).predict(X_test)
    # [mlflow]
    report = OrdinalReport.from_predictions(y_test, y_pred)
    with mlflow.start_run() as run:
        mlflow.log_metrics(report.criteria)
        mlflow.log_text(report.to_html(), "report.html")
    # [end]
    logged = mlflow.get_run(run.info.run_id).data.metrics
    assert logged == pytest.approx(report.criteria)
    assert logged["accuracy"] == accuracy_score(y_test, y_pred)
    page = mlflow.artifacts.load_text(f"{run.info.artifact_uri}/report.html")
    assert page == report.to_html()


def test_make_metric_of_mlflow():
    pytest.importorskip("mlflow")
    # [make_metric]
    from mlflow.metrics import MetricValue, make_metric

    def cem_ord(predictions, targets):
        return MetricValue(aggregate_results={"cem_ord": cem_ord_score(targets, predictions)})

    metric = make_metric(eval_fn=cem_ord, greater_is_better=True)
    # [end]
    value = metric(predictions=[0, 2, 2, 1], targets=[0, 1, 2, 2])
    assert value.aggregate_results == {"cem_ord": cem_ord_score([0, 1, 2, 2], [0, 2, 2, 1])}


def test_fairlearn():
    pytest.importorskip("fairlearn")
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.choice(["low", "mid", "high"], (2, 60))
    group = rng.choice(["a", "b"], 60)
    # [fairlearn]
    from functools import partial

    from fairlearn.metrics import MetricFrame

    labels = ["low", "mid", "high"]
    class_counts = [np.count_nonzero(y_true == label) for label in labels]
    cem_ord = partial(cem_ord_score, labels=labels, class_counts=class_counts)
    frame = MetricFrame(
        metrics={"cem_ord": cem_ord}, y_true=y_true, y_pred=y_pred, sensitive_features=group
    )
    # [end]
    report = GroupReport.from_predictions(
        y_true, y_pred, by=group, labels=labels, metrics="cem_ord"
    )
    assert frame.overall["cem_ord"] == pytest.approx(report.overall["cem_ord"].estimate)
    for name, interval in report.by_group["cem_ord"].items():
        assert frame.by_group["cem_ord"][name] == pytest.approx(interval.estimate)
    difference = report.difference()["cem_ord"].estimate
    assert frame.difference()["cem_ord"] == pytest.approx(difference)


def test_fairlearn_strips_the_order_of_a_dtype():
    metrics = pytest.importorskip("fairlearn.metrics")
    pd = pytest.importorskip("pandas")
    grades = pd.Categorical(["low", "mid", "high"], ["low", "mid", "high"], ordered=True)
    y = pd.Series(grades)
    assert cem_ord_score(y, y) == 1
    with pytest.raises(ValueError, match="whose order is not known"):
        metrics.MetricFrame(
            metrics=cem_ord_score, y_true=y, y_pred=y, sensitive_features=["a", "b", "b"]
        )


def test_evaluate(data, tree):
    evaluate = pytest.importorskip("evaluate")
    X_train, X_test, y_train, y_test = data
    y_pred = tree.fit(X_train, y_train).predict(X_test)
    from datasets import Features, Value

    # [evaluate]
    class CemOrd(evaluate.Metric):
        def _info(self):
            features = Features({"predictions": Value("int64"), "references": Value("int64")})
            return evaluate.MetricInfo(description="CEM_ORD", citation="", features=features)

        def _compute(self, predictions, references):
            return {"cem_ord": cem_ord_score(references, predictions)}

    # [end]
    result = CemOrd().compute(predictions=y_pred, references=y_test)
    assert result == {"cem_ord": cem_ord_score(y_test, y_pred)}


def test_flaml(data):
    pytest.importorskip("flaml.automl")
    X_train, X_test, y_train, y_test = data
    # [flaml]
    from flaml import AutoML

    def cem_ord_loss(X_val, y_val, estimator, labels, *_):
        score = cem_ord_score(y_val, estimator.predict(X_val), labels=labels)
        return 1 - score, {"cem_ord": score}

    automl = AutoML()
    automl.fit(X_train, y_train, task="multiclass", metric=cem_ord_loss, max_iter=3)
    # [end]
    _, of_validation = automl.metrics_for_best_config
    assert automl.best_loss == pytest.approx(1 - of_validation["cem_ord"])
    assert set(automl.predict(X_test)) <= set(y_test)


def test_lightgbm(data):
    lightgbm = pytest.importorskip("lightgbm")
    X_train, X_test, y_train, y_test = data
    model = lightgbm.LGBMClassifier(n_estimators=5, num_leaves=4, n_jobs=1, verbose=-1)

    # [lightgbm]
    def cem_ord(y_true, y_proba):
        return "cem_ord", cem_ord_score(y_true, y_proba.argmax(axis=1)), True

    model.fit(X_train, y_train, eval_X=X_test, eval_y=y_test, eval_metric=cem_ord)
    # [end]
    values = model.evals_result_["valid_0"]["cem_ord"]
    assert values[-1] == cem_ord_score(y_test, model.predict(X_test))
    assert values[0] == cem_ord_score(y_test, model.predict(X_test, num_iteration=1))


def test_xgboost(data):
    pytest.importorskip("xgboost")
    X_train, X_test, y_train, y_test = data
    # [xgboost]
    from xgboost import XGBClassifier

    def cem_ord_loss(y_true, y_proba):
        return 1 - cem_ord_score(y_true, y_proba.argmax(axis=1))

    model = XGBClassifier(n_estimators=30, eval_metric=cem_ord_loss, early_stopping_rounds=5)
    model.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
    # [end]
    values = model.evals_result()["validation_0"]["cem_ord_loss"]
    assert len(values) < 30
    assert model.best_iteration == np.argmin(values)
    # XGBoost prints the values with few digits and reads them back.
    expected = 1 - cem_ord_score(y_test, model.predict(X_test))
    assert min(values) == pytest.approx(expected, abs=1e-5)


def test_early_stopping_of_xgboost(data):
    xgboost = pytest.importorskip("xgboost")
    XGBClassifier = xgboost.XGBClassifier
    X_train, X_test, y_train, y_test = data

    # [maximize]
    from xgboost.callback import EarlyStopping

    def cem_ord(y_true, y_proba):
        return cem_ord_score(y_true, y_proba.argmax(axis=1))

    stopping = EarlyStopping(rounds=5, maximize=True)
    model = XGBClassifier(n_estimators=30, eval_metric=cem_ord, callbacks=[stopping])
    model.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
    # [end]
    values = model.evals_result()["validation_0"]["cem_ord"]
    assert len(values) < 30
    assert model.best_iteration == np.argmax(values)
    minimised = XGBClassifier(n_estimators=30, eval_metric=cem_ord, early_stopping_rounds=5)
    minimised.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
    values = minimised.evals_result()["validation_0"]["cem_ord"]
    assert minimised.best_iteration == np.argmin(values) != np.argmax(values)


# Numba would only make it faster.
@pytest.mark.filterwarnings("ignore:Failed to import numba:UserWarning")
def test_catboost(data):
    pytest.importorskip("catboost")
    X_train, X_test, y_train, y_test = data
    from catboost import CatBoostClassifier

    # [catboost]
    class CemOrd:
        is_max_optimal = staticmethod(lambda: True)
        get_final_error = staticmethod(lambda error, _: error)

        def evaluate(self, approxes, target, weight):
            return cem_ord_score(target, np.argmax(approxes, axis=0), sample_weight=weight), 1

    # [end]
    model = CatBoostClassifier(iterations=5, eval_metric=CemOrd(), verbose=False)
    model.fit(X_train, y_train, eval_set=(X_test, y_test))
    # The fitted model ends with its best iteration.
    best = max(model.evals_result_["validation"]["CemOrd"])
    assert best == pytest.approx(cem_ord_score(y_test, model.predict(X_test)))


def test_boosters_recode_the_classes_before_their_own_metrics(data):
    lightgbm = pytest.importorskip("lightgbm")
    X, _, y, _ = data
    names = np.array(["poor", "fair", "good", "great"])[y]
    seen = []

    def metric(y_true, _):
        seen.append(y_true)
        return "metric", 0.0, True

    model = lightgbm.LGBMClassifier(n_estimators=1, n_jobs=1, verbose=-1)
    with pytest.warns(lightgbm.basic.LGBMDeprecationWarning):
        model.fit(X, names, eval_set=[(X, names)], eval_metric=metric)
    in_alphabetical_order = ["fair", "good", "great", "poor"]
    assert [in_alphabetical_order[int(position)] for position in seen[0]] == names.tolist()
