"""The values of docs/reference/measures.rst, also against definitions and PyCM."""

import re
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal import metrics

TEXT = (Path(__file__).parents[1] / "docs/reference/measures.rst").read_text(encoding="utf-8")
ROW = re.compile(r"   \* - ((?:(?!\n     -)[^`])+)\n     - ``(.+?)``\n     - (\S+)\n", flags=re.S)
MEASURES = {
    " ".join(name.split()): (" ".join(expression.split()), float(value))
    for name, expression, value in ROW.findall(TEXT)
}


@pytest.fixture(scope="module")
def names():
    """Return what the examples of the page define."""
    names = {}
    for example in re.findall(r"^>>> (.+)$", TEXT, flags=re.M):
        if not example.startswith("print("):
            exec(example, names)
    return names


def test_each_row_of_the_page_is_read():
    n_tables = TEXT.count(".. list-table::")
    assert len(MEASURES) == TEXT.count("\n   * - ") - n_tables > 120


@pytest.mark.parametrize("name", MEASURES)
def test_each_expression_has_the_value_of_its_row(names, name):
    expression, value = MEASURES[name]
    assert eval(expression, names) == pytest.approx(value, abs=5.1e-5)


def test_each_measure_of_splits_is_on_the_page():
    expressions = {expression for expression, _ in MEASURES.values()}
    measures = metrics.split_measures([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0])
    assert [name for name in measures if f'binary["{name}"]' not in expressions] == []


def test_each_metric_function_is_on_the_page():
    not_a_measure = {"RankedProbabilityDecomposition", "closeness_costs", "proximity_matrix"}
    called = set(re.findall(r"metrics\.(\w+)\(", TEXT))
    assert set(metrics.__all__) - called == not_a_measure


def test_areas_of_pairs_of_classes_follow_their_definitions(names):
    # C. Ferri, J. Hernandez-Orallo, R. Modroiu (2009).
    y_class, y_proba = names["y_class"], names["y_proba"]
    probabilistic, scored = [], []
    for j in range(3):
        for k in set(range(3)) - {j}:
            of_j, of_k = (y_proba[y_class == c, j] for c in (j, k))
            probabilistic.append((np.mean(of_j) - np.mean(of_k) + 1) / 2)
            gains = [(p > q) * (p - q) for p in of_j for q in of_k]
            scored.append(sum(gains) / (len(of_j) * len(of_k)))
    assert MEASURES["PAUC, of pairs of classes"][1] == pytest.approx(
        np.mean(probabilistic), abs=1e-4
    )
    assert MEASURES["SAUC, of pairs of classes"][1] == pytest.approx(np.mean(scored), abs=1e-4)


def test_one_error_and_precision_at_3_by_hand(names):
    # The labels with the highest scores are 0, 1, 0 and 1, and the last of them is not a label of
    # its sample. Of the three items with the highest scores, the second is not relevant.
    assert MEASURES["one-error"][1] == 1 / 4
    assert MEASURES["precision at 3"][1] == pytest.approx(2 / 3, abs=1e-4)
    assert names["order"].tolist() == [0, 1, 4, 2, 3]


def test_values_of_several_classes_equal_pycms(names):
    pycm = pytest.importorskip("pycm", reason="a second opinion")
    matrix = pycm.ConfusionMatrix(names["y_true"], names["y_pred"])
    theirs = {
        "accuracy; micro-averaged precision, recall and F1": matrix.Overall_ACC,
        "error rate, zero-one loss": matrix.HammingLoss,
        "average accuracy of the classes": matrix.ACC_Macro,
        "balanced accuracy, macro-averaged recall, non-error rate": matrix.TPR_Macro,
        "macro-averaged specificity": matrix.TNR_Macro,
        "macro-averaged precision": matrix.PPV_Macro,
        "macro-averaged F1": matrix.F1_Macro,
        "macro-averaged Jaccard": matrix.Overall_J[1],
        "class balance accuracy": matrix.CBA,
        "Matthews correlation of several classes [Gorodkin2004]_": matrix.Overall_MCC,
        "Cohen's kappa [Cohen1960]_": matrix.Kappa,
        "Scott's pi": matrix.PI,
        "Gwet's AC1": matrix.AC1,
        "Krippendorff's alpha, nominal": matrix.Alpha,
        "Bennett's S": matrix.S,
        "Bangdiwala's B": matrix.B,
        "Goodman and Kruskal's lambda of the predictions": matrix.LambdaB,
        "Cramér's V": matrix.V,
        "mutual information, in bits": matrix.MutualInformation,
        "relative classifier information, homogeneity": matrix.RCI,
        "adjusted Rand index": matrix.ARI,
    }
    ours = {name: MEASURES[name][1] for name in theirs}
    assert ours == pytest.approx(theirs, abs=5.1e-5)
