"""ROC, precision-recall, detection error tradeoff and coverage curves."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from scipy.spatial import ConvexHull
from scipy.stats import norm
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import (
    PrecisionRecallDisplay,
    RocCurveDisplay,
    average_precision_score,
    det_curve,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalForecasts, OrdinalScores
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.metrics import equal_error_rate, ranking_error, threshold_roc_auc_score
from sklearn_ordinal.plotting import (
    CoverageCurveDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
)
from tests.plotting.looks import LONG_NAMES, contrast, draw, luminance, overlapping

ROC, PRECISION_RECALL, DET, COVERAGE = (
    OrdinalRocCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalDetCurveDisplay,
    CoverageCurveDisplay,
)
EVERY_CURVE = pytest.mark.parametrize("display", [ROC, PRECISION_RECALL, DET, COVERAGE])
NAMES = ["very bad", "bad", "fair", "good", "very good"]
GRADES = np.array(NAMES, dtype=object)


def sample(n_classes=4, n_samples=120, seed=0):
    """Return true classes, probabilities with ties, and weights."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    y_true[:n_classes] = np.arange(n_classes)
    counts = rng.multinomial(8, np.full(n_classes, 1 / n_classes), n_samples) + 2 * (
        y_true[:, None] == np.arange(n_classes)
    )
    return y_true, counts / counts.sum(axis=1, keepdims=True), rng.integers(0, 4, n_samples)


def binary_problems(y_true, y_proba, split):
    """Return true answers and scores of each curve, written as in the definition."""
    n_classes = y_proba.shape[1]
    if split == "class":
        return [(y_true == k, y_proba[:, k]) for k in range(n_classes)]
    # Rounded, since sums of the same probabilities may differ in the last digit.
    return [
        (y_true > k, np.round(y_proba[:, k + 1 :].sum(axis=1), 12)) for k in range(n_classes - 1)
    ]


def data_of(line):
    return np.array(line.get_data())


def legend_texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


SPLITS = pytest.mark.parametrize("split", ["threshold", "class"])
WEIGHTED = pytest.mark.parametrize("is_weighted", [False, True])


@SPLITS
@WEIGHTED
def test_roc_curves_match_scikit_learn(split, is_weighted):
    y_true, y_proba, weight = sample()
    weight = weight if is_weighted else None
    display = ROC.from_predictions(y_true, y_proba, split=split, sample_weight=weight)
    problems = binary_problems(y_true, y_proba, split)
    assert len(display.lines_) == len(problems)
    for k, (positive, score) in enumerate(problems):
        fpr, tpr, _ = roc_curve(positive, score, sample_weight=weight)
        assert display.fpr[k] == pytest.approx(fpr)
        assert display.tpr[k] == pytest.approx(tpr)
        assert data_of(display.lines_[k]) == pytest.approx(np.array([fpr, tpr]))
        expected = roc_auc_score(positive, score, sample_weight=weight)
        assert display.roc_auc[k] == pytest.approx(expected)


@SPLITS
@WEIGHTED
def test_precision_recall_curves_match_scikit_learn(split, is_weighted):
    y_true, y_proba, weight = sample()
    weight = weight if is_weighted else None
    display = PRECISION_RECALL.from_predictions(y_true, y_proba, split=split, sample_weight=weight)
    for k, (positive, score) in enumerate(binary_problems(y_true, y_proba, split)):
        precision, recall, _ = precision_recall_curve(positive, score, sample_weight=weight)
        assert data_of(display.lines_[k]) == pytest.approx(np.array([recall, precision]))
        assert display.precision[k] == pytest.approx(precision)
        assert display.recall[k] == pytest.approx(recall)
        expected = average_precision_score(positive, score, sample_weight=weight)
        assert display.average_precision[k] == pytest.approx(expected)
        assert display.prevalence[k] == pytest.approx(np.average(positive, weights=weight))
        assert f"{expected:.2f} ({display.prevalence[k]:.2f})" in legend_texts(display)[k]


@SPLITS
@WEIGHTED
def test_det_curves_match_scikit_learn(split, is_weighted):
    y_true, y_proba, weight = sample()
    weight = weight if is_weighted else None
    display = DET.from_predictions(y_true, y_proba, split=split, sample_weight=weight)
    for k, (positive, score) in enumerate(binary_problems(y_true, y_proba, split)):
        fpr, fnr, _ = det_curve(positive, score, sample_weight=weight)
        assert display.fpr[k] == pytest.approx(fpr)
        assert display.fnr[k] == pytest.approx(fnr)
        drawn = norm.cdf(data_of(display.lines_[k]))
        for point in np.array([fpr, fnr]).T:
            assert np.abs(drawn.T - point).max(axis=1).min() < 1e-9
        # The other points are on straight lines between these; both rates are linear in fpr - fnr.
        expected = np.interp(drawn[0] - drawn[1], (fpr - fnr)[::-1], fpr[::-1])
        assert drawn[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("display", [ROC, PRECISION_RECALL])
def test_a_score_is_used_at_every_threshold(display):
    y_true, y_proba, _ = sample()
    score = y_proba @ np.arange(4)
    shown = display.from_predictions(y_true, score)
    for k, line in enumerate(shown.lines_):
        if display is ROC:
            x, y, _ = roc_curve(y_true > k, score)
        else:
            y, x, _ = precision_recall_curve(y_true > k, score)
        assert data_of(line) == pytest.approx(np.array([x, y]))


def test_scores_of_a_class_against_the_rest_raise():
    with pytest.raises(ValueError, match="split='class' needs probabilities of shape"):
        ROC.from_predictions([0, 1, 2], [0.1, 0.4, 0.3], split="class")


# Tharwat's example of a ranking: positives and negatives in the order of the scores.
RANKING = [letter == "p" for letter in "pppnpnnpnn"]


def test_the_hull_pools_what_is_ordered_wrongly():
    display = ROC.from_predictions(RANKING, np.arange(10)[::-1])
    assert display.roc_auc == pytest.approx([0.84])
    # 1 1 1 | .5 .5 | 1/3 1/3 1/3 | 0 0: three of five, one of two, one of three positives.
    assert display.hull_tpr[0] == pytest.approx([0, 0.6, 0.8, 1, 1])
    assert display.hull_fpr[0] == pytest.approx([0, 0, 0.2, 0.6, 1])
    assert display.hull_roc_auc == pytest.approx([0.90])
    assert legend_texts(display) == ["above 'False': 0.84 (0.90)", "convex hull", "chance"]


def test_weights_that_do_not_move_the_curve_leave_the_hull_as_it_is():
    y_true, y_score = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.5, 0.2]
    weight = np.array([1e12, 1e12, 1e12, 1e12, 1e-12, 1e-12])
    evidence = OrdinalScores.from_scores(y_true, y_score, sample_weight=weight)
    display = OrdinalRocCurveDisplay(evidence)
    expected = OrdinalRocCurveDisplay(OrdinalScores.from_scores(y_true[:4], y_score[:4]))
    assert display.hull_roc_auc == pytest.approx(expected.hull_roc_auc)
    assert display.hull_tpr[0] == pytest.approx(expected.hull_tpr[0])


@SPLITS
@WEIGHTED
@pytest.mark.parametrize("seed", range(2))
def test_the_hull_is_the_convex_hull_of_the_points(split, is_weighted, seed):
    y_true, y_proba, weight = sample(n_samples=40, seed=seed)
    display = ROC.from_predictions(
        y_true, y_proba, split=split, sample_weight=weight if is_weighted else None
    )
    for k, area in enumerate(display.hull_roc_auc):
        points = np.array([display.fpr[k], display.tpr[k]]).T
        hull = ConvexHull([*points, (1, 0)])
        assert area == pytest.approx(hull.volume)
        corners = np.array([display.hull_fpr[k], display.hull_tpr[k]]).T
        assert corners[0].tolist() == [0, 0]
        assert corners[-1].tolist() == [1, 1]
        assert data_of(display.hull_lines_[k]) == pytest.approx(corners.T)
        # Slopes decrease from each corner to the next.
        steps = np.diff(corners, axis=0)
        turns = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
        assert (turns < 1e-12).all()


def test_the_equal_error_rate_is_that_of_lines_that_are_straight_in_rates():
    display = DET.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert display.equal_error_rate == pytest.approx([0.5])
    # From (.1, .4) to (.3, .1): on a straight line at .22, on one of normal deviates at .1989.
    y_true = [1] * 6 + [0] + [1] * 3 + [0] * 2 + [1] + [0] * 7
    score = [3] * 7 + [2] * 5 + [1] * 8
    display = DET.from_predictions(y_true, score)
    assert display.equal_error_rate == pytest.approx([0.22])
    assert legend_texts(display) == ["above '0': 0.22"]
    x, y = data_of(display.lines_[0])
    place = norm.ppf(0.22)
    assert data_of(display.points_[0]).ravel() == pytest.approx([place, place])
    assert np.interp(place, x[::-1], y[::-1]) == pytest.approx(place, abs=0.01)


def test_the_equal_error_rates_are_on_their_curves():
    y_true, y_proba, _ = sample(6, 400)
    display = DET.from_predictions(y_true, y_proba)
    for line, point in zip(display.lines_, display.points_, strict=True):
        x, y = data_of(line)
        place = data_of(point).ravel()
        assert place[0] == place[1]
        assert np.interp(0, (x - y)[::-1], x[::-1]) == pytest.approx(place[0], abs=0.01)


def test_coverage_curves_count_samples_and_their_area_is_the_ranking_error():
    # Leaves with 20 positives and 40 negatives, 10 and 5, 20 and 5, from the lowest score.
    y_true = [1] * 20 + [0] * 40 + [1] * 10 + [0] * 5 + [1] * 20 + [0] * 5
    score = [0] * 60 + [1] * 15 + [2] * 25
    display = COVERAGE.from_predictions(y_true, score)
    assert data_of(display.lines_[0]).T.tolist() == [[0, 0], [5, 20], [10, 30], [50, 50]]
    assert data_of(display.diagonals_[0]).T.tolist() == [[0, 0], [50, 50]]
    assert display.ranking_error == pytest.approx([0.29])
    # 250 pairs in the wrong order and half of 950 ties.
    x, y = display.areas_[0].get_xy().T
    area = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
    assert area == pytest.approx(250 + 475)
    assert legend_texts(display)[0] == "above '0': 0.29"
    assert display.ax_.get_xlabel() == "False positives"


@SPLITS
def test_coverage_curves_are_roc_curves_in_numbers_of_samples(split):
    y_true, y_proba, _ = sample()
    display = COVERAGE.from_predictions(y_true, y_proba, split=split)
    roc = ROC.from_predictions(y_true, y_proba, split=split)
    for k, (positive, _) in enumerate(binary_problems(y_true, y_proba, split)):
        assert display.false_positives[k] == pytest.approx(roc.fpr[k] * (~positive).sum())
        assert display.true_positives[k] == pytest.approx(roc.tpr[k] * positive.sum())
    assert display.ranking_error == pytest.approx(1 - roc.roc_auc)
    assert (display.true_positives[0] % 1 == 0).all()


def test_coverage_curves_add_up_weights():
    display = COVERAGE.from_predictions([0, 1, 1], [0.1, 0.4, 0.3], sample_weight=[0.5, 2, 0.25])
    assert display.true_positives[0] == pytest.approx([0, 2, 2.25, 2.25])
    assert display.false_positives[0] == pytest.approx([0, 0, 0, 0.5])
    assert display.ax_.get_ylabel() == "True positives (weight)"


@EVERY_CURVE
@SPLITS
def test_a_curve_without_positive_or_negative_samples_is_undefined(display, split):
    y_true, y_proba, _ = sample(5)
    inner = np.clip(y_true, 1, 3)
    shown = display.from_predictions(inner, y_proba, labels=range(5), split=split)
    missing = {"threshold": [0, 3], "class": [0, 4]}[split]
    n_curves = len(shown.lines_)
    for k, (line, text) in enumerate(zip(shown.lines_, legend_texts(shown), strict=False)):
        assert text.endswith(": undefined") == (k in missing)
        assert (data_of(line).size == 0) == (k in missing)
        handle = shown.legend_.get_lines()[k]
        assert (handle.get_linestyle() == "None") == (k in missing)
    assert n_curves == {"threshold": 4, "class": 5}[split]


@EVERY_CURVE
def test_all_curves_can_be_undefined(display):
    shown = display.from_predictions([1, 1], [0.2, 0.1], labels=[0, 1, 2])
    assert [text.partition(": ")[2] for text in legend_texts(shown)[:2]] == ["undefined"] * 2


@pytest.mark.parametrize(
    ("display", "split"),
    [(ROC, "threshold"), (PRECISION_RECALL, "class"), (DET, "threshold"), (COVERAGE, "class")],
)
def test_weights_are_repetitions_and_zero_leaves_a_sample_out(display, split):
    y_true, y_proba, weight = sample()
    weighted = display.from_predictions(y_true, y_proba, split=split, sample_weight=weight)
    repeated = display.from_predictions(
        np.repeat(y_true, weight), np.repeat(y_proba, weight, axis=0), split=split
    )
    for one, other in zip(weighted.lines_, repeated.lines_, strict=True):
        assert data_of(one) == pytest.approx(data_of(other))
    assert legend_texts(weighted) == legend_texts(repeated)


def numbered(classes):
    return np.array([NAMES.index(label) for label in classes])


@pytest.fixture(scope="module")
def lev():
    X, y = load_lev(return_X_y=True)
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    return X, GRADES[y - y.min()]


# Columns are put in order before any curve is computed.
@pytest.mark.parametrize(
    ("display", "split"),
    [(ROC, "threshold"), (COVERAGE, "class")],
)
def test_the_columns_of_an_estimator_are_those_of_its_classes(display, split, lev):
    X, y = lev
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    assert list(model.classes_) != NAMES
    y_proba = model.predict_proba(X)[:, [list(model.classes_).index(name) for name in NAMES]]
    shown = display.from_estimator(model, X, y, labels=NAMES, split=split)
    expected = display.from_predictions(y, y_proba, labels=NAMES, split=split)
    for one, other in zip(shown.lines_, expected.lines_, strict=True):
        assert data_of(one) == pytest.approx(data_of(other))
    assert legend_texts(shown) == legend_texts(expected)
    # Written with positions in place of strings.
    expected = display.from_predictions(numbered(y), y_proba, split=split)
    assert data_of(shown.lines_[1]) == pytest.approx(data_of(expected.lines_[1]))


@EVERY_CURVE
def test_a_class_that_training_lacked_has_probability_zero(display, lev):
    X, y = lev
    seen = y != "fair"
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X[seen], y[seen])
    columns = dict(zip(model.classes_, model.predict_proba(X).T, strict=True))
    y_proba = np.column_stack([columns.get(name, np.zeros(len(X))) for name in NAMES])
    shown = display.from_estimator(model, X, y, labels=NAMES)
    expected = display.from_predictions(y, y_proba, labels=NAMES)
    for one, other in zip(shown.lines_, expected.lines_, strict=True):
        assert data_of(one) == pytest.approx(data_of(other))


def test_decision_values_of_two_classes_are_in_the_order_of_the_scale(lev):
    X, y = lev
    y = np.where(numbered(y) > 1, "low risk", "high risk")
    model = LinearSVC(random_state=0).fit(X, y)
    # In alphabetical order, "high risk" is the first class.
    display = ROC.from_estimator(model, X, y, labels=["low risk", "high risk"])
    expected = roc_auc_score(y == "high risk", -model.decision_function(X))
    assert display.roc_auc == pytest.approx([expected])
    assert expected > 0.5


class OneDecision(DecisionTreeClassifier):
    """A classifier of several classes with one decision value per sample."""

    predict_proba = property()

    def decision_function(self, X):
        return self.classes_.searchsorted(self.predict(X)).astype(float)


def test_decision_values_in_another_order_than_the_scale_raise(lev):
    X, y = lev
    model = OneDecision(max_depth=3).fit(X, numbered(y))
    assert ROC.from_estimator(model, X, numbered(y)).roc_auc[0] > 0.5
    model.fit(X, y)
    with pytest.raises(ValueError, match="not in the order of the scale: fit it to"):
        ROC.from_estimator(model, X, y, labels=NAMES)


def test_decision_values_for_each_class_are_not_scores(lev):
    X, y = lev
    model = RidgeClassifier().fit(X, y)
    assert model.decision_function(X).ndim == 2
    display = ROC.from_estimator(model, X, y, labels=NAMES)
    expected = ROC.from_predictions(y, numbered(model.predict(X)), labels=NAMES)
    for k in range(4):
        assert data_of(display.lines_[k]) == pytest.approx(data_of(expected.lines_[k]))


def test_predictions_of_a_regressor_are_scores(lev):
    X, y = lev
    model = LinearRegression().fit(X, numbered(y))
    display = ROC.from_estimator(model, X, numbered(y))
    for k in range(4):
        assert display.roc_auc[k] == pytest.approx(roc_auc_score(numbered(y) > k, model.predict(X)))


def cross_validated(model, X, y, **options):
    return cross_validate(model, X, y, cv=3, return_estimator=True, return_indices=True, **options)


@SPLITS
@WEIGHTED
def test_each_fold_has_a_curve_for_each_threshold_or_class(split, is_weighted, lev):
    X, y = lev
    weight = np.arange(len(y)) % 4 if is_weighted else None
    results = cross_validated(make_pipeline(StandardScaler(), LogisticRegression()), X, y)
    options = {"labels": NAMES, "split": split, "sample_weight": weight}
    curves = ROC.from_cv_results(results, X, y, **options)
    recalls = PRECISION_RECALL.from_cv_results(results, X, y, **options)
    areas, precisions, k = [], [], 0
    for model, test in zip(results["estimator"], results["indices"]["test"], strict=True):
        order = [list(model.classes_).index(name) for name in NAMES]
        y_proba = model.predict_proba(X[test])[:, order]
        of_test = {"sample_weight": None if weight is None else weight[test]}
        for positive, score in binary_problems(numbered(y[test]), y_proba, split):
            fpr, tpr, _ = roc_curve(positive, score, **of_test)
            assert data_of(curves.lines_[k]) == pytest.approx(np.array([fpr, tpr]))
            precision, recall, _ = precision_recall_curve(positive, score, **of_test)
            assert data_of(recalls.lines_[k]) == pytest.approx(np.array([recall, precision]))
            areas.append(roc_auc_score(positive, score, **of_test))
            precisions.append(average_precision_score(positive, score, **of_test))
            k += 1
    for display, found, values in (
        (curves, curves.roc_auc, areas),
        (recalls, recalls.average_precision, precisions),
    ):
        values = np.reshape(values, (3, -1))
        np.testing.assert_allclose(found, values)
        texts = [f"{a:.2f} ± {b:.2f}" for a, b in zip(values.mean(0), values.std(0), strict=True)]
        texts += ["chance"] * (display is curves)
        for shown, text in zip(legend_texts(display), texts, strict=True):
            assert shown.endswith(text)
        assert len(display.lines_) == k
    assert curves.hull_lines_ == []


@pytest.mark.skipif(
    not hasattr(PrecisionRecallDisplay, "from_cv_results"), reason="scikit-learn before 1.9"
)
def test_two_classes_have_the_curves_of_scikit_learn(lev):
    X, y = lev
    y = (numbered(y) > 2).astype(int)
    results = cross_validated(make_pipeline(StandardScaler(), LogisticRegression()), X, y)
    expected = RocCurveDisplay.from_cv_results(results, X, y, drop_intermediate=True)
    found = ROC.from_cv_results(results, X, y)
    np.testing.assert_allclose(found.roc_auc[:, 0], expected.roc_auc)
    assert legend_texts(found)[0].split(": ")[1] == legend_texts_of(expected.ax_)[0].replace(
        "+/-", "±"
    ).removeprefix("AUC = ")
    expected = PrecisionRecallDisplay.from_cv_results(results, X, y)
    found = PRECISION_RECALL.from_cv_results(results, X, y)
    np.testing.assert_allclose(found.average_precision[:, 0], expected.average_precision)


def legend_texts_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_curve_that_some_folds_lack_has_the_mean_of_the_others():
    y = np.array([0, 1] * 6 + [2, 2, 0])
    X = np.arange(15)[:, None] % 4
    # The first test set lacks the highest class.
    folds = [(np.arange(15), np.arange(8)), (np.arange(15), np.arange(8, 15))]
    model = DecisionTreeClassifier(max_depth=1)
    results = cross_validate(model, X, y, cv=folds, return_estimator=True, return_indices=True)
    display = ROC.from_cv_results(results, X, y)
    assert np.isnan(display.roc_auc).tolist() == [[False, True], [False, False]]
    assert legend_texts(display)[1] == f"above '1': {display.roc_auc[1, 1]:.2f} ± 0.00"
    low = y < 2
    results = cross_validate(
        model, X[low], y[low], cv=2, return_estimator=True, return_indices=True
    )
    display = ROC.from_cv_results(results, X[low], y[low], labels=[0, 1, 2])
    assert legend_texts(display)[1] == "above '1': undefined"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda X, y: ROC.from_cv_results({"estimator": []}, X, y),
            r"^cv_results must have estima",
        ),
        (
            lambda X, y: ROC.from_cv_results([1], X, y),
            r"^cv_results must have .* got \[1\]: pass ret",
        ),
        (
            lambda X, y: ROC.from_cv_results(cross_validated(RidgeClassifier(), X, y), X[:9], y),
            "^X and y must have the same length",
        ),
        (lambda X, y: ROC([]), r"^evidence must contain at least one fold, got none"),  # noqa: ARG005
        (
            lambda X, y: DET([OrdinalScores.from_scores(y, y)]),  # noqa: ARG005
            "^evidence must be OrdinalForecasts or OrdinalScores, got list",
        ),
        (
            lambda X, y: ROC([OrdinalScores.from_scores(y % k, y) for k in (3, 4)]),  # noqa: ARG005
            "^evidence must have the same classes in each fold",
        ),
    ],
)
def test_folds_of_the_wrong_kind_raise(call, message, lev):
    with pytest.raises(ValueError, match=message):
        call(lev[0], numbered(lev[1]))


@WEIGHTED
def test_the_numbers_in_the_legends_are_those_of_the_metrics(is_weighted):
    y_true, y_proba, weight = sample()
    weight = weight if is_weighted else None
    score = y_proba @ np.arange(4)
    areas = threshold_roc_auc_score(y_true, score, average=None, sample_weight=weight)
    rates = equal_error_rate(y_true, score, sample_weight=weight)
    roc = ROC.from_predictions(y_true, score, sample_weight=weight)
    assert roc.roc_auc == pytest.approx(areas)
    det = DET.from_predictions(y_true, score, sample_weight=weight)
    assert det.equal_error_rate == pytest.approx(rates)
    coverage = COVERAGE.from_predictions(y_true, score, sample_weight=weight)
    assert coverage.ranking_error == pytest.approx(1 - areas)
    for k in range(3):
        expected = ranking_error(y_true > k, score, sample_weight=weight)
        assert coverage.ranking_error[k] == pytest.approx(expected)
        assert f"{areas[k]:.2f} (" in legend_texts(roc)[k]
        assert legend_texts(det)[k].endswith(f": {rates[k]:.2f}")
        assert legend_texts(coverage)[k].endswith(f": {expected:.2f}")


@EVERY_CURVE
def test_the_legend_names_what_is_above_or_against_the_rest(display):
    y_true, y_proba, _ = sample(5)
    shown = display.from_predictions(y_true, y_proba, target_names=NAMES)
    starts = [text.partition(": ")[0] for text in legend_texts(shown)]
    assert starts[:4] == [f"above '{name}'" for name in NAMES[:-1]]
    shown = display.from_predictions(y_true, y_proba, target_names=NAMES, split="class")
    starts = [text.partition(": ")[0] for text in legend_texts(shown)]
    assert starts[:5] == [f"'{name}'" for name in NAMES]
    assert "against the rest" in shown.legend_.get_title().get_text().replace("\n", " ")


@EVERY_CURVE
def test_evidence_is_plotted_without_predictions(display):
    y_true, y_proba, _ = sample()
    forecasts = OrdinalForecasts.from_probabilities(y_true, y_proba)
    shown = display(forecasts, split="class").plot()
    expected = display.from_predictions(y_true, y_proba, split="class")
    assert data_of(shown.lines_[2]) == pytest.approx(data_of(expected.lines_[2]))
    scores = OrdinalScores.from_scores(y_true, y_proba @ np.arange(4))
    assert len(display(scores).plot().lines_) == 3


@EVERY_CURVE
def test_the_plot_is_drawn_on_the_given_axes(display):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    y_true, y_proba, _ = sample()
    shown = display.from_predictions(y_true, y_proba, ax=right)
    assert shown.ax_ is right
    assert shown.figure_ is figure
    assert not left.lines
    assert plt.get_fignums() == [figure.number]


def test_a_new_figure_has_room_for_its_legend():
    y_true, y_proba, _ = sample(12, 200)
    shown = PRECISION_RECALL.from_predictions(
        y_true, y_proba, target_names=LONG_NAMES, split="class"
    )
    assert overlapping(draw(shown)) == []
    legend = shown.legend_.get_window_extent()
    assert shown.figure_.bbox.containsx(legend.x1)
    assert shown.figure_.bbox.containsy(legend.y0)


@pytest.mark.parametrize("style", ["default", "grayscale", "dark_background", "ggplot"])
@pytest.mark.parametrize("n_classes", [3, 12])
def test_curves_are_visible_and_can_be_told_apart_in_greyscale(style, n_classes):
    y_true, y_proba, _ = sample(n_classes, 200)
    with plt.style.context(style):
        display = ROC.from_predictions(y_true, y_proba)
    background = to_rgb(display.ax_.get_facecolor())
    colors = [to_rgb(line.get_color()) for line in display.lines_]
    assert min(contrast(color, background) for color in colors) >= 3
    # From dark to light in the order of the scale, and dashed differently from the neighbours.
    assert (np.diff([luminance(color) for color in colors]) > 0).all()
    dashes = [
        repr(line.get_linestyle()) + repr(line._unscaled_dash_pattern) for line in display.lines_
    ]
    assert all(len(set(dashes[k : k + 4])) == len(dashes[k : k + 4]) for k in range(n_classes - 1))


@EVERY_CURVE
def test_invalid_evidence_raises(display):
    y_true, y_proba, _ = sample()
    forecasts = OrdinalForecasts.from_probabilities(y_true, y_proba)
    with pytest.raises(ValueError, match="must be one set of samples, got weights of shape"):
        display(OrdinalForecasts.stack([forecasts, forecasts]))
    with pytest.raises(ValueError, match=r"be OrdinalForecasts or OrdinalScores, got (list|int)"):
        display([0, 1])
    with pytest.raises(ValueError, match=r"must have at least two classes, .*: pass labels="):
        display.from_predictions([1, 1], [0.2, 0.3])
    with pytest.raises(ValueError, match="split must be one of"):
        display(forecasts, split="classes")
    with pytest.raises(ValueError, match="target_names must name each of the 4 classes"):
        display(forecasts, target_names=["a", "b"])
