"""The values of docs/reference/measures.rst, also against definitions and other packages."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.integrate
import scipy.stats
import sklearn.metrics
from sklearn.isotonic import IsotonicRegression

from sklearn_ordinal import get_metric, metrics
from tests.reference import (
    adjusted_cem_ord,
    area_under_least,
    cem,
    interval_closeness,
    nominal_closeness,
    oci,
    ordinal_closeness,
    uoci_lines,
)

DOCS = Path(__file__).parents[1] / "docs"
TEXT = (DOCS / "reference" / "measures.rst").read_text(encoding="utf-8")
ROW = re.compile(r"   \* - ((?:(?!\n     -)[^`])+)\n     - ``(.+?)``\n     - (\S+)\n", flags=re.S)
MEASURES = {
    " ".join(name.split()): (" ".join(expression.split()), float(value))
    for name, expression, value in ROW.findall(TEXT)
}


def run_examples():
    """Return what the examples of the page define."""
    names = {}
    for example in re.findall(r"^>>> (.+)$", TEXT, flags=re.M):
        if not example.startswith("print("):
            exec(example, names)
    return names


NAMES = run_examples()


def test_each_row_of_the_page_is_read():
    n_tables = TEXT.count(".. list-table::")
    assert len(MEASURES) == TEXT.count("\n   * - ") - n_tables > 170


@pytest.mark.parametrize("name", MEASURES)
def test_each_expression_has_the_value_of_its_row(name):
    expression, value = MEASURES[name]
    assert eval(expression, NAMES) == pytest.approx(value, abs=5.1e-5)


def test_the_page_says_which_measures_stay_the_same_if_a_class_grows():
    number, values = NAMES["np"].array([70, 20, 30, 80]), []
    example = re.search(r"^>>> (y_two, p_two = .+)$", TEXT, flags=re.M)[1]
    binary = re.search(r"^>>> (binary = .+)$", TEXT, flags=re.M)[1]
    for growth in ([1, 1, 1, 1], [10, 1, 10, 1], [1, 10, 1, 10]):
        names = dict(NAMES)
        sizes = str((number * growth).tolist())
        exec(f"{example.replace('[70, 20, 30, 80]', sizes)}\n{binary}", names)
        values.append(names)
    rows = re.findall(r"     - ``(.+?)``\n     - \S+\n     - (yes|no)\n", TEXT, flags=re.S)
    assert len(rows) > 30
    for expression, answer in rows:
        before, *after = (eval(" ".join(expression.split()), names) for names in values)
        assert (after == pytest.approx([before] * 2)) == (answer == "yes"), expression


def test_each_measure_of_splits_is_on_the_page():
    expressions = {expression for expression, _ in MEASURES.values()}
    measures = metrics.split_measures([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0])
    assert [name for name in measures if f'binary["{name}"]' not in expressions] == []


def test_each_metric_function_is_on_the_page():
    not_a_measure = {"RankedProbabilityDecomposition", "closeness_costs", "proximity_matrix"}
    # The page is about true and predicted classes, not about several raters.
    not_a_measure |= {"agreement_score", "prmse_score"}
    # Of one threshold or class, of which split_measures has all.
    not_a_measure |= {"split_measure"}
    # These compare distributions.
    not_a_measure |= {"manhattan_error", "wasserstein_error"}
    called = set(re.findall(r"metrics\.(\w+)\(", TEXT))
    assert set(metrics.__all__) - called == not_a_measure


def test_each_metric_that_the_source_of_cem_ord_compares_is_on_the_page():
    values = [value for _, value in MEASURES.values()]
    claims = (DOCS / "guide" / "evidence" / "properties_claims.txt").read_text(encoding="utf-8")
    names = re.findall(r"\* - ``(\w+)``", claims)
    assert len(names) == 24
    for name in names:
        value = get_metric(name).from_predictions(NAMES["y_true"], NAMES["y_pred"])
        assert pytest.approx(value, abs=5.1e-5) in values, name
    assert {"Cohen's kappa [Cohen1960]_", "all-threshold loss"} <= set(MEASURES)


def test_each_function_of_scikit_learn_on_the_page_is_known_to_the_site():
    inventory = (DOCS / "inventories" / "sklearn.inv").read_text(encoding="utf-8")
    called = set(re.findall(r"\bsk\.(\w+)\(", TEXT))
    assert [name for name in called if f"\nsklearn.metrics.{name} function" not in inventory] == []


def test_each_row_has_a_second_opinion_below():
    source = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in MEASURES if f'"{name}"' not in source] == []


# --- second opinions ----------------------------------------------------------------------


def check(theirs):
    """Compare values with those of the rows."""
    ours = {name: MEASURES[name][1] for name in theirs}
    assert ours == pytest.approx(theirs, abs=5.1e-5)


def test_values_of_two_classes_equal_pycms():
    pycm = pytest.importorskip("pycm", reason="a second opinion")
    matrix = pycm.ConfusionMatrix(NAMES["y_two"].tolist(), NAMES["p_two"].tolist())
    names = {
        "accuracy": "ACC",
        "error rate": "ERR",
        "sensitivity, recall, true positive rate, hit rate": "TPR",
        "specificity, true negative rate, selectivity": "TNR",
        "false positive rate, fall-out": "FPR",
        "false negative rate, miss rate": "FNR",
        "precision, positive predictive value": "PPV",
        "negative predictive value": "NPV",
        "false discovery rate": "FDR",
        "false omission rate": "FOR",
        "prevalence": "PRE",
        "lift": "LS",
        "F1, Dice": "F1",
        "F with another weight of recall": "F2",
        "adjusted F": "AGF",
        "Jaccard, Tanimoto, critical success index": "J",
        "Fowlkes-Mallows, G measure": "G",
        "balanced accuracy; the AUC of predicted classes": "AUC",
        "Youden's J, informedness, true skill statistic": "BM",
        "markedness": "MK",
        "Matthews correlation, phi": "MCC",
        "geometric mean of the rates": "GM",
        "index of balanced accuracy [Garcia2009]_": "IBA",
        "optimization precision": "OP",
        "positive likelihood ratio": "PLR",
        "negative likelihood ratio": "NLR",
        "diagnostic odds ratio": "DOR",
        "Yule's Q": "Q",
    }
    theirs = {name: matrix.class_stat[attribute][1] for name, attribute in names.items()}
    theirs["Cohen's kappa, Heidke skill score"] = matrix.Kappa
    theirs["balanced error rate, half total error rate"] = 1 - matrix.AUC[1]
    # PyCM has decimal logarithms.
    theirs["discriminant power"] = matrix.DP[1] * np.log(10)
    theirs["net benefit at a probability of 0.2"] = matrix.NB(w=0.2 / 0.8)[1]
    check(theirs)


def test_values_of_two_classes_by_hand():
    tp, fp, fn, tn = 70, 20, 30, 80
    check(
        {
            "P4": 4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
            # A. Tharwat (2020): the number of negatives weighs the specificity.
            "adjusted geometric mean": (np.sqrt(0.7 * 0.8) + 0.8 * 100) / (1 + 100),
        }
    )


def test_values_of_several_classes_equal_pycms():
    pycm = pytest.importorskip("pycm", reason="a second opinion")
    matrix = pycm.ConfusionMatrix(NAMES["y_true"], NAMES["y_pred"])
    sensitivities = list(matrix.TPR.values())
    check(
        {
            "accuracy; micro-averaged precision, recall and F1": matrix.Overall_ACC,
            "error rate, zero-one loss": matrix.HammingLoss,
            "average accuracy of the classes": matrix.ACC_Macro,
            "balanced accuracy, macro-averaged recall, non-error rate": matrix.TPR_Macro,
            "balanced accuracy, corrected for chance": (matrix.TPR_Macro - 1 / 3) / (1 - 1 / 3),
            "geometric mean of the sensitivities": scipy.stats.gmean(sensitivities),
            "minimum sensitivity": min(sensitivities),
            "macro-averaged specificity": matrix.TNR_Macro,
            "micro-averaged specificity": matrix.TNR_Micro,
            "macro-averaged precision": matrix.PPV_Macro,
            "weighted average of precision": matrix.weighted_average("PPV"),
            "macro-averaged F1": matrix.F1_Macro,
            "weighted average of F1": matrix.weighted_average("F1"),
            "F1 of the macro-averaged precision and recall": scipy.stats.hmean(
                [matrix.PPV_Macro, matrix.TPR_Macro]
            ),
            "macro-averaged Jaccard": matrix.Overall_J[1],
            "macro-averaged Matthews correlation": matrix.average("MCC"),
            "macro-averaged geometric mean of the rates": matrix.average("GM"),
            "class balance accuracy": matrix.CBA,
            "Matthews correlation of several classes [Gorodkin2004]_": matrix.Overall_MCC,
            "Cohen's kappa [Cohen1960]_": matrix.Kappa,
            "Scott's pi": matrix.PI,
            "Gwet's AC1": matrix.AC1,
            "Krippendorff's alpha, nominal": matrix.Alpha,
            "Bennett's S": matrix.S,
            "Bangdiwala's B": matrix.B,
            "Goodman and Kruskal's lambda of the predictions": matrix.LambdaB,
            "Goodman and Kruskal's lambda of the truth": matrix.LambdaA,
            "Cramér's V": matrix.V,
            "Pearson's contingency coefficient": matrix.C,
            "mutual information, in bits": matrix.MutualInformation,
            "relative classifier information, homogeneity": matrix.RCI,
            "completeness": matrix.MutualInformation / matrix.ResponseEntropy,
            "confusion entropy": matrix.Overall_CEN,
            "adjusted Rand index": matrix.ARI,
        }
    )


def test_values_of_several_classes_by_hand():
    y_true, y_pred = (np.array(NAMES[name]) for name in ("y_true", "y_pred"))
    rates = [(3 / 3, 7 / 9, 9), (1 / 3, 8 / 9, 9), (3 / 6, 4 / 6, 6)]  # and number of negatives
    pairs = list(itertools.combinations(range(len(y_true)), 2))
    same = [(y_true[i] == y_true[j]) == (y_pred[i] == y_pred[j]) for i, j in pairs]
    shared = sklearn.metrics.mutual_info_score(y_true, y_pred)
    entropies = [scipy.stats.entropy(np.bincount(y)) for y in (y_true, y_pred)]
    check(
        {
            "macro-averaged adjusted geometric mean": np.mean(
                [(np.sqrt(tpr * tnr) + tnr * n) / (1 + n) for tpr, tnr, n in rates]
            ),
            # Two samples of class 2 are predicted as 0, and three are wrong by one class.
            "expected cost of a cost matrix": (2 * 4 + 3) / 12,
            "normalized mutual information": shared / np.mean(entropies),
            "purity": (3 + 1 + 3) / 12,
            "inverse purity": (3 + 2 + 3) / 12,
            "Rand index": np.mean(same),
        }
    )


def test_errors_of_ordered_classes_by_hand():
    y_true, y_pred = (np.array(NAMES[name]) for name in ("y_true", "y_pred"))
    errors = np.abs(y_true - y_pred)
    means = [errors[y_true == k].mean() for k in range(3)]
    f1 = [sklearn.metrics.f1_score(y_true > k, y_pred > k) for k in range(2)]
    check(
        {
            "mean absolute error": sum(errors) / 12,
            "mean squared error": sum(errors**2) / 12,
            "root mean squared error": (sum(errors**2) / 12) ** 0.5,
            "median absolute error": sorted(errors)[5:7] @ np.array([0.5, 0.5]),
            "bias, mean signed error": (sum(y_pred) - sum(y_true)) / 12,
            "predictions that are too high, overestimation, overtriage": sum(
                predicted > true for true, predicted in zip(y_true, y_pred, strict=True)
            )
            / 12,
            "predictions that are too low, underestimation, undertriage": sum(
                predicted < true for true, predicted in zip(y_true, y_pred, strict=True)
            )
            / 12,
            "macro-averaged mean absolute error, average MAE": np.mean(means),
            "macro-averaged mean squared error": np.mean(
                [(errors[y_true == k] ** 2).mean() for k in range(3)]
            ),
            "maximum mean absolute error": max(means),
            "accuracy within 1": sum(errors <= 1) / 12,
            "geometric mean of the sensitivities of the end classes": (3 / 3 * 3 / 6) ** 0.5,
            "F1 of the thresholds": np.mean(f1),
        }
    )


def test_indices_of_paths_by_enumeration():
    # J. S. Cardoso, R. Sousa (2011), and W. Silva, J. R. Pinto, J. S. Cardoso (2018).
    counts = np.asarray(NAMES["counts"]).tolist()
    check(
        {
            "ordinal classification index": oci(counts),
            "uniform ordinal classification index": float(area_under_least(uoci_lines(counts))),
        }
    )


def test_agreement_of_ordered_classes_follows_definitions():
    y_true, y_pred = (np.array(NAMES[name]) for name in ("y_true", "y_pred"))
    kappa = sklearn.metrics.cohen_kappa_score
    disagreement = (
        np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0]]) / 3
    )  # pairs of classes: 1 of 2, 3 of 3
    n_expected = np.outer(np.bincount(y_true), np.bincount(y_pred)) / 12
    observed = disagreement[y_true, y_pred].mean()
    shares = (np.bincount(y_true) + np.bincount(y_pred)) / 24
    agreement = 1 - np.subtract.outer(range(3), range(3)) ** 2 / 4
    chance = np.sum(agreement) * shares @ (1 - shares) / (3 * 2)

    def alpha(distance):
        ratings = np.append(y_true, y_pred)
        by_chance = [distance(*pair) for pair in itertools.permutations(ratings, 2)]
        return 1 - np.mean(list(map(distance, y_true, y_pred))) / np.mean(by_chance)

    def ordinal(j, k):
        between = 24 * shares[min(j, k) : max(j, k) + 1].sum() - 12 * (shares[j] + shares[k])
        return between**2

    check(
        {
            "kappa, linear weights": kappa(y_true, y_pred, weights="linear"),
            "kappa, quadratic weights; Lin's concordance correlation": kappa(
                y_true, y_pred, weights="quadratic"
            ),
            "kappa, ordinal weights": 1 - 12 * observed / np.sum(disagreement * n_expected),
            "Gwet's AC2, quadratic weights": (agreement[y_true, y_pred].mean() - chance)
            / (1 - chance),
            "Krippendorff's alpha, ordinal": alpha(ordinal),
            "Krippendorff's alpha, interval": alpha(lambda j, k: (j - k) ** 2),
        }
    )
    covariance = 2 * np.cov(y_true, y_pred, bias=True)[0, 1]
    spread = np.var(y_true) + np.var(y_pred) + (np.mean(y_true) - np.mean(y_pred)) ** 2
    check({"kappa, quadratic weights; Lin's concordance correlation": covariance / spread})


def test_closeness_follows_its_definition():
    classes = [list(NAMES[name]) for name in ("y_true", "y_pred")]
    check(
        {
            "CEM_ORD": cem(*classes, ordinal_closeness),
            "CEM_ORD, corrected for chance": adjusted_cem_ord(*classes),
            "CEM_INT": cem(*classes, interval_closeness),
            "CEM_NOM": cem(*classes, nominal_closeness),
            "CEM_ORD without logarithms": cem(*classes, ordinal_closeness, log=False),
        }
    )


def test_correlations_of_ordered_classes_equal_scipys():
    y_true, y_pred = (np.array(NAMES[name]) for name in ("y_true", "y_pred"))
    pairs = np.array(list(itertools.permutations(range(12), 2))).T
    by_truth, by_system = (np.sign(y[pairs[0]] - y[pairs[1]]) for y in (y_true, y_pred))
    order = by_truth * by_system
    concordant, discordant = np.sum(order > 0), np.sum(order < 0)
    tau = scipy.stats.kendalltau
    true, predicted = y_true + 1, y_pred + 1  # positions on the scale
    check(
        {
            "Kendall's tau-b": tau(y_true, y_pred).statistic,
            "Kendall's tau-a": (concordant - discordant) / len(order),
            "Stuart's tau-c": tau(y_true, y_pred, variant="c").statistic,
            "Goodman and Kruskal's gamma": (concordant - discordant) / (concordant + discordant),
            "Somers' D": scipy.stats.somersd(y_true, y_pred).statistic,
            "Spearman's correlation": scipy.stats.spearmanr(y_true, y_pred).statistic,
            "Pearson's correlation": np.corrcoef(y_true, y_pred)[0, 1],
            "cosine similarity": true
            @ predicted
            / np.sqrt((true @ true) * (predicted @ predicted)),
        }
    )
    # E. Amigo, J. Gonzalo, F. Verdejo (2013): the pairs that one side orders, on the other side.
    shares = []
    for one, other in [(by_system, by_truth), (by_truth, by_system)]:
        of_samples = [
            np.mean((one == other)[(pairs[0] == i) & (one != 0)])
            for i in range(12)
            if np.any((pairs[0] == i) & (one != 0))
        ]
        shares.append(np.mean(of_samples))
    check({"reliability and sensitivity, F": scipy.stats.hmean(shares)})


def auc(above, below):
    return np.mean([(a > b) + (a == b) / 2 for a in above for b in below])


def test_areas_of_several_classes_follow_their_definitions():
    # C. Ferri, J. Hernandez-Orallo, R. Modroiu (2009), with the number of classes in AU1P.
    y_class, y_proba = NAMES["y_class"], NAMES["y_proba"]
    shares = np.bincount(y_class) / len(y_class)
    of_pairs, probabilistic, scored = {}, [], []
    for j, k in itertools.permutations(range(3), 2):
        of_j, of_k = (y_proba[y_class == c, j] for c in (j, k))
        of_pairs[j, k] = auc(of_j, of_k)
        probabilistic.append((np.mean(of_j) - np.mean(of_k) + 1) / 2)
        scored.append(np.mean([(p > q) * (p - q) for p in of_j for q in of_k]))
    against_rest = [auc(y_proba[y_class == j, j], y_proba[y_class != j, j]) for j in range(3)]
    sizes = [shares[j] + shares[k] for j, k in of_pairs]
    check(
        {
            "AU1U, of pairs of classes [HandTill2001]_": np.mean(list(of_pairs.values())),
            "AU1P, weighted by the sizes of the first classes": sum(
                shares[j] * area / 2 for (j, _), area in of_pairs.items()
            ),
            "of pairs of classes, weighted by the sizes of both": np.average(
                list(of_pairs.values()), weights=sizes
            ),
            "AUNU, of each class against the rest": np.mean(against_rest),
            "AUNP, weighted by the sizes of the classes": shares @ against_rest,
            "PAUC, of pairs of classes": np.mean(probabilistic),
            "SAUC, of pairs of classes": np.mean(scored),
        }
    )


def test_measures_of_probabilities_by_loops():
    y_class, y_proba = NAMES["y_class"], NAMES["y_proba"]
    rows = list(zip(y_class, y_proba.tolist(), strict=True))
    of_truth = [row[true] for true, row in rows]
    errors = [[p - (k == true) for k, p in enumerate(row)] for true, row in rows]
    of_classes = [np.mean([row[k] for true, row in rows if true == k]) for k in range(3)]
    order = IsotonicRegression().fit_transform
    bins = {}
    for true, row in rows:
        bins.setdefault(round(max(row), 1), []).append(max(row) - (row.index(max(row)) == true))
    check(
        {
            "log loss, cross-entropy": -np.mean(np.log(of_truth)),
            "Brier score": np.mean([np.dot(row, row) for row in errors]),
            "mean squared error of the probabilities": np.square(errors).sum() / 18,
            "mean absolute error of the probabilities": np.abs(errors).sum() / 18,
            "spherical score": np.mean([row[true] / np.dot(row, row) ** 0.5 for true, row in rows]),
            "mean probability rate": np.mean(of_truth),
            "macro average mean probability rate": np.mean(of_classes),
            "top-2 accuracy": np.mean([row[true] > min(row) for true, row in rows]),
            "expected calibration error, 10 bins": sum(abs(sum(b)) for b in bins.values()) / 6,
            "calibration loss of a class": np.mean(
                (order(y_proba[:, 2], y_class == 2) - y_proba[:, 2]) ** 2
            ),
        }
    )


def test_measures_of_probabilities_of_ordered_classes_by_loops():
    y_class, y_proba = NAMES["y_class"], NAMES["y_proba"]
    below = np.cumsum(y_proba, axis=1)[:, :2].round(12)
    is_below = y_class[:, None] <= np.arange(2)
    score = np.mean(np.sum((below - is_below) ** 2, axis=1))
    constant = np.mean(np.sum((is_below.mean(axis=0) - is_below) ** 2, axis=1))
    recalibrated = np.transpose(
        [
            IsotonicRegression().fit_transform(*of_k)
            for of_k in zip(below.T, is_below.T, strict=True)
        ]
    )
    best = np.mean(np.sum((recalibrated - is_below) ** 2, axis=1))
    shares = [[ordinal_closeness(y_class.tolist(), i, j) for j in range(3)] for i in range(3)]
    closeness = -np.log2(np.array(shares, dtype=float))
    lost = np.diag(closeness) - closeness
    reached = np.diag(closeness)[y_class].sum()
    decisions = (y_proba @ lost.T).argmin(axis=1)
    check(
        {
            "ranked probability score": score,
            "ranked probability skill score": 1 - score / constant,
            "miscalibration of the thresholds": score - best,
            # Only the fourth row falls and rises again.
            "unimodality": 5 / 6,
            "CEM_ORD of the best decisions": closeness[decisions, y_class].sum() / reached,
            "expected CEM_ORD": np.sum(y_proba * closeness[:, y_class].T) / reached,
        }
    )


def test_measures_of_scores_follow_their_definitions():
    y_class, y_score = NAMES["y_class"], NAMES["y_score"].round(12)
    of_classes = [y_score[y_class == k] for k in range(3)]
    pairs = list(itertools.combinations(range(3), 2))
    n_pairs = [len(of_classes[j]) * len(of_classes[k]) for j, k in pairs]
    areas = [auc(of_classes[k], of_classes[j]) for j, k in pairs]
    concordance = np.average(areas, weights=n_pairs)
    thresholds = [auc(y_score[y_class > k], y_score[y_class <= k]) for k in range(2)]
    triples = np.array(list(itertools.product(*of_classes)))
    in_order = np.prod((np.sign(np.diff(triples)) + 1) / 2, axis=1)  # a tie counts half
    margins = [
        [(t - z) * (1 if true <= k else -1) for k, t in enumerate((0.5, 1.5))]
        for true, z in zip(y_class, y_score, strict=True)
    ]
    losses = np.log1p(np.exp(-np.array(margins)))
    adjacent = [[0], [0], [0, 1], [0, 1], [0, 1], [1]]
    check(
        {
            "concordance, c-index": concordance,
            "mean AUC of the pairs of classes": np.mean(areas),
            "mean AUC of the thresholds": np.mean(thresholds),
            "volume under the ROC surface": np.mean(in_order),
            "ranking error": 1 - concordance,
            # From a cut with error rates of 0 and 1/4 to one with 1/2 and 0: 1/4 - x / 2 = x.
            "equal error rate of the lower threshold": 1 / 6,
            "all-threshold loss": losses.sum(axis=1).mean(),
            "immediate-threshold loss": np.mean(
                [sum(row[cut]) for row, cut in zip(losses, adjacent, strict=True)]
            ),
        }
    )


def test_measures_of_scores_of_two_classes_follow_their_definitions():
    y_high, y_score = NAMES["y_high"], NAMES["y_score"].round(12)
    cuts = sorted(set(y_score), reverse=True)
    recall = np.array([np.mean(y_score[y_high] >= cut) for cut in cuts])
    false = np.array([np.mean(y_score[~y_high] >= cut) for cut in cuts])
    precision = np.array([np.mean(y_high[y_score >= cut]) for cut in cuts])
    area = auc(y_score[y_high], y_score[~y_high])
    margins = np.where(y_high, 1, -1) * NAMES["decision"]
    check(
        {
            "area under the ROC curve": area,
            "Gini coefficient, accuracy ratio": 2 * area - 1,
            "average precision of a threshold": np.diff(recall, prepend=0) @ precision,
            "area under the precision-recall curve": scipy.integrate.trapezoid(
                np.append(1, precision), np.append(0, recall)
            ),
            "Kolmogorov-Smirnov statistic": max(recall - false),
            "hinge loss": np.mean(np.maximum(0, 1 - margins)),
            "logistic loss": np.mean(np.log1p(np.exp(-margins))),
        }
    )


def test_predicted_labels_by_sets():
    true, predicted = (
        [set(np.flatnonzero(row)) for row in NAMES[name]] for name in ("sets", "predicted")
    )
    rows = list(zip(true, predicted, strict=True))
    labels = [
        ({i for i, s in enumerate(true) if k in s}, {i for i, s in enumerate(predicted) if k in s})
        for k in range(4)
    ]

    def f1(t, p):
        return 2 * len(t & p) / (len(t) + len(p))

    n_shared, n_true, n_predicted = (
        sum(map(len, sets)) for sets in ([t & p for t, p in rows], true, predicted)
    )
    check(
        {
            "exact match, subset accuracy": np.mean([t == p for t, p in rows]),
            "Hamming loss": sum(len(t ^ p) for t, p in rows) / 16,
            "example-based accuracy, Jaccard": np.mean([len(t & p) / len(t | p) for t, p in rows]),
            "example-based precision": np.mean([len(t & p) / len(p) for t, p in rows]),
            "example-based recall": np.mean([len(t & p) / len(t) for t, p in rows]),
            "example-based F1": np.mean([f1(t, p) for t, p in rows]),
            "macro-averaged F1 of the labels": np.mean([f1(*sets) for sets in labels]),
            "micro-averaged F1 of the labels": 2 * n_shared / (n_true + n_predicted),
            "weighted average of F1 of the labels": np.average(
                [f1(*sets) for sets in labels], weights=[len(t) for t, _ in labels]
            ),
            "micro-averaged precision of the labels": n_shared / n_predicted,
            "micro-averaged recall of the labels": n_shared / n_true,
            "any other binary measure, per sample": np.mean(
                [(4 - len(t | p)) / (4 - len(t)) for t, p in rows]
            ),
        }
    )


def test_ranked_labels_by_loops():
    sets, scores = NAMES["sets"], NAMES["scores"]
    coverage, wrong, precision = [], [], []
    for labels, score in zip(sets, scores, strict=True):
        ranks = np.array([sum(score >= other) for other in score])
        of_labels = ranks[labels == 1]
        coverage.append(max(of_labels))
        wrong.append(1 - auc(score[labels == 1], score[labels == 0]))
        precision.append(np.mean([sum(of_labels <= rank) / rank for rank in of_labels]))
    by_label = [
        (scores[sets[:, k] == 1, k], scores[sets[:, k] == 0, k]) for k in range(sets.shape[1])
    ]
    of_labels = [
        np.mean([np.mean(sets[scores[:, k] >= cut, k]) for cut in above])
        for k, (above, _) in enumerate(by_label)
    ]
    check(
        {
            # The labels with the highest scores are 0, 1, 0 and 1, and the last is wrong. The
            # second are 2, 2, 2 and 3: all wrong.
            "one-error": 1 / 4,
            "precision at 2 of the labels": 3 / 8,
            "coverage error, first rank 1": np.mean(coverage),
            "coverage, first rank 0": np.mean(coverage) - 1,
            "label ranking loss": np.mean(wrong),
            "label ranking average precision": np.mean(precision),
            "macro-averaged AUC of the labels": np.mean([auc(*both) for both in by_label]),
            "micro-averaged AUC of the labels": auc(scores[sets == 1], scores[sets == 0]),
            "mean average precision of the labels": np.mean(of_labels),
        }
    )


def test_values_of_several_ordinal_targets_by_hand():
    # Each list is an output.
    true, predicted = [[0, 1, 2], [2, 3, 3]], [[0, 1, 1], [2, 3, 3]]
    check(
        {
            "exact match of ordinal targets": 1 / 2,
            "mean CEM_ORD of ordinal targets": np.mean(
                [cem(*outputs, ordinal_closeness) for outputs in zip(true, predicted, strict=True)]
            ),
        }
    )


def test_rankings_of_items_by_hand():
    # The items with the highest scores have the relevances 3, 0, 1, 2 and 0.
    ranked, ideal = [3, 0, 1, 2, 0], [3, 2, 1, 0, 0]

    def gain(grades):
        return sum(grade / np.log2(rank + 2) for rank, grade in enumerate(grades))

    expected, reached = 0, 1
    for rank, grade in enumerate(ranked, start=1):
        stop = (2**grade - 1) / 8
        expected += reached * stop / rank
        reached *= 1 - stop
    check(
        {
            "precision at 3": 2 / 3,
            "recall at 3": 2 / 3,
            "hit rate at 3": 1,
            "R-precision, break-even point": 2 / 3,
            "average precision": (1 / 1 + 2 / 3 + 3 / 4) / 3,
            "reciprocal rank": 1,
            "discounted cumulative gain [JarvelinKekalainen2002]_": gain(ranked),
            "normalized discounted cumulative gain": gain(ranked) / gain(ideal),
            "normalized discounted cumulative gain at 3": gain(ranked[:3]) / gain(ideal[:3]),
            "normalized discounted cumulative gain, exponential gains": gain([7, 0, 1, 3, 0])
            / gain([7, 3, 1, 0, 0]),
            "expected reciprocal rank": expected,
            "rank-biased precision, persistence 0.8": 0.2 * (1 + 0.8**2 + 0.8**3),
        }
    )
