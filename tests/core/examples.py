"""Labels and counts shared by the tests in this folder."""

from sklearn_ordinal import OrdinalConfusion

NAMES = ["low", "mid", "high"]
TRUE, PRED = [0, 1, 2, 2, 0], [0, 2, 2, 1, 1]
EXPECTED = [[1, 1, 0], [0, 0, 1], [0, 1, 1]]
TRUE_NAMES, PRED_NAMES = [NAMES[i] for i in TRUE], [NAMES[i] for i in PRED]


def count(y_true, y_pred, labels=None):
    return OrdinalConfusion.from_predictions(y_true, y_pred, labels=labels)
