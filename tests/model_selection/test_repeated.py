"""Samples that are tested several times are counted once."""

import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalConfusion, compare_estimators, cross_val_report, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import corrected_t_interval
from tests.pages import Page

X, Y = (part[::4] for part in load_lev(return_X_y=True))
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
REPETITIONS = [StratifiedKFold(5, shuffle=True, random_state=seed) for seed in range(4)]
FOLDS = [split for cv in REPETITIONS for split in cv.split(X, Y)]
MATRICES = [confusion_matrix(Y, cross_val_predict(TREE, X, Y, cv=cv)) for cv in REPETITIONS]


def report_on(estimator=TREE, cv=FOLDS, **options):
    return cross_val_report(estimator, X, Y, cv=cv, verbose=False, **options)


VIEWS = {
    "text": lambda result: result.to_text(details=True),
    "page": lambda result: result.to_html(),
    "markdown": lambda result: result.to_markdown(details=True),
    "latex": lambda result: result.to_latex(details=True),
    "notebook": lambda result: result._repr_html_(),
}


@pytest.fixture(scope="module")
def report():
    return report_on(cv=FOLDS, scoring="all")


def test_pooled_counts_are_the_mean_over_the_repetitions(report):
    np.testing.assert_allclose(report.pooled.confusion.counts, np.mean(MATRICES, axis=0))
    mean = OrdinalConfusion.from_counts(np.mean(MATRICES, axis=0))
    for name, metric in metrics_of(LABELS).items():
        if metric.greater_is_better is None:
            continue
        assert report.pooled_scores[name] == pytest.approx(metric(mean), nan_ok=True)
        assert report.pooled.criteria[name] == report.pooled_scores[name] or np.isnan(metric(mean))


def test_support_is_the_number_of_samples_per_class(report):
    assert report.pooled.per_class["support"].tolist() == np.bincount(Y).tolist()
    page = Page(report.to_html())
    sizes = [row["support"][0] for row in page.rows("Classes").values()]
    assert sizes == [*np.bincount(Y).astype(str), *3 * ["250"]]
    thirds = report_on(cv=[split for cv in REPETITIONS[:3] for split in cv.split(X, Y)])
    assert thirds.pooled.per_class["support"].tolist() == np.bincount(Y).tolist()


def test_every_pair_of_samples_counts_once_in_kendall_tau_a(report):
    # By definition: over all pairs of samples, with predictions from any two repetitions.
    predictions = np.array([cross_val_predict(TREE, X, Y, cv=cv) for cv in REPETITIONS])
    true = np.sign(Y[:, None] - Y)
    pred = np.mean([np.sign(a[:, None] - b) for a in predictions for b in predictions], axis=0)
    expected = (true * pred).sum() / (len(Y) * (len(Y) - 1))
    assert report.pooled_scores["kendall_tau_a"] == pytest.approx(expected)


@pytest.fixture(scope="module")
def comparison():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    options = {"cv": cv, "verbose": False, "random_state": 0}
    return compare_estimators({"tree": TREE, "svm": SVC()}, X, Y, **options)


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_no_view_counts_predictions_as_samples(view, comparison, report):
    sentences = {
        report: "4 x 5 folds by a list of splits, 250 samples, 5 classes.",
        comparison: "4 x 5 folds by RepeatedStratifiedKFold, 250 samples, 5 classes.",
        report.pooled: "250 samples, 5 classes",
    }
    for result, sentence in sentences.items():
        text = " ".join(view(result).replace("\\", "").split())
        assert sentence in text
        assert not re.search(r"\b1,?000\b", re.sub(r"<svg.*?</svg>", "", text))


def test_plots_count_samples_once(report):
    display = report.plot_confusion_matrix()
    shown = [[float(text.get_text()) for text in row] for row in display.text_]
    np.testing.assert_allclose(shown, np.mean(MATRICES, axis=0), rtol=1e-3)
    captions = [part.caption for part in report.document().parts if hasattr(part, "caption")]
    assert "True and predicted classes, all folds together, each sample counted once" in captions


def test_interval_accounts_for_all_folds_and_their_shared_samples(report):
    interval = report.intervals["cem_ord"]
    scores = report.scores["cem_ord"]
    assert interval == corrected_t_interval(scores, n_train=200, n_test=50)
    # Repetitions cannot reduce the part of the variance that comes from shared samples.
    width = interval.high - interval.low
    assert width > 2 * 1.96 * np.sqrt(50 / 200 * scores.var(ddof=1))


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (
            ShuffleSplit(6, test_size=50, random_state=0),
            "6 folds of 50 samples by ShuffleSplit, 300",
        ),
        ([FOLDS[0], FOLDS[5], FOLDS[6]], "3 folds of 50 samples by a list of splits, 150"),
    ],
)
def test_samples_count_once_even_if_tested_unequally_often(cv, words):
    report = report_on(cv=cv)
    tests = np.concatenate([fold.test for fold in report.fold_predictions])
    n_times = np.bincount(tests, minlength=len(Y))
    assert len(np.unique(n_times)) > 2
    expected = np.zeros((5, 5))
    for fold in report.fold_predictions:
        for sample, predicted in zip(fold.test, fold.y_pred, strict=True):
            expected[Y[sample], predicted] += 1 / n_times[sample]
    np.testing.assert_allclose(report.pooled.confusion.counts, expected)
    sizes = np.bincount(Y[n_times > 0], minlength=5)
    assert report.pooled.per_class["support"].tolist() == sizes.tolist()
    n_samples = (n_times > 0).sum()
    text = " ".join(str(report).split())
    assert f" {words} predictions of {n_samples} samples, 5 classes." in text
    assert "Each sample counts once" in text
    assert f"{n_samples} samples" in str(report.pooled)


def test_counts_are_integers_if_samples_are_tested_at_most_once():
    report = report_on(cv=FOLDS[:3])
    assert report.pooled.confusion.counts.dtype.kind == "i"
    assert "\n3 folds of 50 samples by a list of splits, 5 classes.\n" in str(report)
    assert "counts once" not in str(report)
    assert "150 samples" in str(report.pooled)


def test_user_criteria_are_weighted_if_they_accept_weights():
    def kappa_score(y_true, y_pred, sample_weight=None):
        return cohen_kappa_score(y_true, y_pred, weights="quadratic", sample_weight=sample_weight)

    for cv in (FOLDS, ShuffleSplit(6, random_state=0)):
        report = report_on(cv=cv, scoring=[kappa_score, "quadratic_weighted_kappa"])
        assert report.pooled_scores["kappa"] == pytest.approx(
            report.pooled_scores["quadratic_weighted_kappa"]
        )
        assert get_metric(kappa_score)(report.pooled.confusion) == pytest.approx(
            report.pooled_scores["kappa"]
        )


def test_user_criteria_without_weights_are_averaged_over_the_repetitions():
    def n_wrong_error(y_true, y_pred):
        return np.sum(y_true != y_pred)

    report = report_on(scoring=n_wrong_error)
    expected = np.mean([matrix.sum() - np.trace(matrix) for matrix in MATRICES])
    assert report.pooled_scores["n_wrong_error"] == pytest.approx(expected)
    uneven = report_on(scoring=n_wrong_error, cv=ShuffleSplit(6, random_state=0))
    assert np.isnan(uneven.pooled_scores["n_wrong_error"])
    once = report_on(scoring=n_wrong_error, cv=5)
    assert once.pooled_scores["n_wrong_error"] == sum(once.scores["n_wrong_error"])


def test_repetitions_where_a_criterion_is_undefined_are_left_out_of_its_average():
    def odd_score(y_true, y_pred):
        return np.nan if y_true[0] == y_pred[0] == 0 else 1.0

    y = np.array([0, 1, 0, 1])
    splits = [(np.arange(4), test) for test in ([0, 1], [2, 3], [1, 0], [3, 2])]
    report = cross_val_report(
        DecisionTreeClassifier(), y[:, None], y, cv=splits, scoring=odd_score, verbose=False
    )
    assert "\n2 x 2 folds by a list of splits, 4 samples" in str(report)
    assert report.pooled_scores["odd"] == 1


class Refusing(DummyClassifier):
    """Fails if sample 7 is not in the training data."""

    def fit(self, X, y, sample_weight=None):
        if not (X == 7).any():
            raise RuntimeError("no seven")
        return super().fit(X, y, sample_weight)


def test_samples_are_counted_once_even_if_folds_failed():
    y = np.tile([0, 1, 2], 20)
    numbered = np.arange(60)[:, None]
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    with pytest.warns(FitFailedWarning, match="2 of 6 fits failed"):
        report = cross_val_report(Refusing(), numbered, y, cv=cv, verbose=False)
    tested = np.unique(np.concatenate([f.test for f in report.fold_predictions if f is not None]))
    assert report.pooled.per_class["support"].tolist() == np.bincount(y[tested]).tolist()
    assert "\n2 x 3 folds by RepeatedStratifiedKFold, 60 samples" in str(report)


def test_saved_reports_keep_the_counts(tmp_path):
    report = report_on()
    report.pooled.to_json(tmp_path / "pooled.json")
    assert type(report.pooled).from_json(tmp_path / "pooled.json") == report.pooled


def test_fractional_counts_are_shown_with_few_digits(report):
    lines = repr(report.pooled.confusion).splitlines()
    assert lines[0] == "OrdinalConfusion of 250 samples, rows true, columns predicted"
    assert all(re.fullmatch(r"\d( +\d+(\.\d{1,2})?)+", line) for line in lines[2:])


def test_comparisons_use_the_corrected_variance(comparison):
    assert comparison.one(criterion="cem_ord", estimator="tree") == corrected_t_interval(
        comparison.scores["cem_ord"]["tree"], n_train=200, n_test=50
    )


def test_training_samples_drawn_twice_count_once():
    rng = np.random.default_rng(0)
    draws = [rng.integers(0, 250, 250) for _ in range(5)]
    report = report_on(cv=[(draw, np.setdiff1d(np.arange(250), draw)) for draw in draws])
    n_train = [len(set(draw.tolist())) for draw in draws]
    assert report.n_train.tolist() == n_train
    assert report.intervals["cem_ord"] == corrected_t_interval(
        report.scores["cem_ord"], n_train=np.mean(n_train), n_test=250 - np.mean(n_train)
    )
    assert re.search(
        r" 5 folds of 8\d to 9\d samples by a list of splits, 4\d\d predictions of 2\d\d samples",
        " ".join(str(report).split()),
    )


def test_negative_indices_count_from_the_end_and_invalid_ones_raise():
    splits = [(np.arange(100), np.arange(-50, 0)), (np.arange(100), np.arange(100, 150))]
    report = report_on(cv=splits)
    assert report.fold_predictions[0].test.tolist() == list(range(200, 250))
    for bad in (np.array([250]), np.ones(3, dtype=bool), np.array([0.5])):
        with pytest.raises(ValueError, match="cv must give positions of the 250 samples"):
            report_on(cv=[(np.arange(100), bad)])
