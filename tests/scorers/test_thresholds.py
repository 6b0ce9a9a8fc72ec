"""What the guide says of scorers whose caller passes predicted classes."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV

from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.metrics import concordance_score

X, GRADES = load_lev(return_X_y=True)
Y = (GRADES > 2).astype(int)


def test_scikit_learns_tuned_threshold_ranks_predicted_classes():
    tuned = TunedThresholdClassifierCV(
        LogisticRegression(), scoring="concordance", cv="prefit", refit=False
    )
    tuned.set_params(estimator=LogisticRegression().fit(X, Y)).fit(X, Y)
    of_classes = concordance_score(Y, tuned.predict(X))
    assert tuned.best_score_ == pytest.approx(of_classes)
    assert of_classes < concordance_score(Y, tuned.estimator_.predict_proba(X)[:, 1]) - 0.05


def test_tuned_cuts_refuse_criteria_of_rankings():
    classifier = TunedOrdinalThresholdClassifierCV(LogisticRegression(), scoring="concordance")
    with pytest.raises(ValueError, match="scoring must be a criterion of predicted classes"):
        classifier.fit(np.asarray(X), Y)
