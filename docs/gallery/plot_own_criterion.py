"""
A criterion of your own in 15 lines
===================================

No criterion from the literature is based on what an error costs you. Social workers rated the risk
of children in four classes. Rating a risk too low is worse than rating it too high. The example
needs skordinal for the data.
"""

# %%
# A criterion is a function of the confusion matrix, with true classes in rows and predicted classes
# in columns. The matrices are in the last two axes, so that folds and resamples are evaluated in
# one call:
import numpy as np

from sklearn_ordinal import ordinal_metric


@ordinal_metric(greater_is_better=False, bounds=(0.0, np.inf))
def missed_risk_error(counts):
    """Mean number of classes too high, or three times the number of classes too low."""
    position = np.arange(counts.shape[-1])
    step = position - position[:, np.newaxis]
    cost = np.where(step < 0, -3 * step, step)
    return (cost * counts).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))


# %%
# It is now a metric like any other, with checks of the labels, sample weights and intervals:
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skordinal.datasets import load_swd

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.decisions import OptimalDecisionClassifier
from sklearn_ordinal.inference import bootstrap_interval

X, y = load_swd(return_X_y=True)
logistic = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
y_pred = cross_val_predict(logistic, X, y)
print(bootstrap_interval(y, y_pred, "missed_risk_error", random_state=0))

# %%
# It has a scorer, for searches and cross-validation:
print(cross_val_score(logistic, X, y, scoring="neg_missed_risk_error").round(2))

# %%
# `~sklearn_ordinal.meta_evaluation.check_properties` searches for counterexamples to the properties
# of any criterion, including your own. This criterion is monotonic but not invariant, since it
# assumes that the classes are equally far apart.
#
# Comparisons accept the name of the criterion. Decisions take the costs of errors into account: a
# class above the most probable class is predicted whenever this costs less on average.
costs = np.array([[0, 1, 2, 3], [3, 0, 1, 2], [6, 3, 0, 1], [9, 6, 3, 0]])
models = {
    "most probable class": logistic,
    "least expected cost": OptimalDecisionClassifier(logistic, cost_matrix=costs),
}
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
comparison = compare_estimators(
    models, X, y, scoring=["missed_risk_error", "cem_ord"], cv=cv, random_state=0
)
for criterion in comparison.scores:
    print(comparison.pairwise(criterion).verdict)
comparison.plot("missed_risk_error")
plt.show()
