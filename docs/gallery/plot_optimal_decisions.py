"""
Decide for the criterion
========================

Most classifiers predict the most probable class. This is the best decision for accuracy, but not
for other criteria: if errors in rare classes cost more, a rare class should be predicted even if
it is not quite the most probable class. This does not require fitting the model again. The example
needs statsmodels for the data.
"""

# %%
# Women rate their marriage from "very poor" to "very good". The sizes of the classes are very
# different: 1.6% of the marriages are very poor, and 42% are very good.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from statsmodels.datasets import fair

from sklearn_ordinal.decisions import OptimalDecisionClassifier
from sklearn_ordinal.inference import paired_difference
from sklearn_ordinal.metrics import cem_ord_score, ordinal_mean_absolute_error
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

grades = ["very poor", "poor", "fair", "good", "very good"]
survey = fair.load_pandas().data
X, y = survey.drop(columns="rate_marriage"), survey["rate_marriage"].astype(int)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

boosting = HistGradientBoostingClassifier(
    learning_rate=0.05, max_iter=60, max_leaf_nodes=8, early_stopping=False, random_state=0
).fit(X_train, y_train)

# %%
# `~sklearn_ordinal.decisions.OptimalDecisionClassifier` predicts the class with the least expected
# cost. ``FrozenEstimator`` marks the model as already fitted. The costs of CEM_ORD are defined by
# the class sizes of the training part.
frozen = FrozenEstimator(boosting)
deciders = {
    "most probable class": boosting,
    "optimal by CEM_ORD": OptimalDecisionClassifier(frozen).fit(X_train, y_train),
    "optimal by MAE": OptimalDecisionClassifier(frozen, metric="ordinal_mean_absolute_error").fit(
        X_train, y_train
    ),
}
predictions = {name: decider.predict(X_test) for name, decider in deciders.items()}
for name, y_pred in predictions.items():
    cem = cem_ord_score(y_test, y_pred)
    error = ordinal_mean_absolute_error(y_test, y_pred)
    accuracy = accuracy_score(y_test, y_pred)
    print(f"{name:20} CEM_ORD {cem:.3f}  MAE {error:.3f}  accuracy {accuracy:.3f}")

# %%
# Each decision is best for its own criterion, so optimize the decisions for the criterion that you
# report. The gain in CEM_ORD is more than chance:
most_probable, optimal = list(predictions.values())[:2]
print(paired_difference(y_test, optimal, most_probable, "cem_ord", random_state=0))

# %%
# The most probable class is never "very poor", and nearly all marriages are predicted as good or
# very good. Decisions for CEM_ORD find more samples of the rare classes, and make more errors in
# the frequent class. Orange cells are predictions that are too high, and blue cells are predictions
# that are too low:
figure, axes = plt.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
for ax, (name, y_pred) in zip(axes, list(predictions.items())[:2], strict=True):
    OrdinalConfusionMatrixDisplay.from_predictions(
        y_test, y_pred, target_names=grades, normalize="true", ax=ax, legend=False
    )
    ax.set_title(name)

# %%
# Where the decisions differ
# --------------------------
# The costs of a sample are measured in bits. These are the expected costs of the predictions for
# the test sample whose decision changes most:
probability = boosting.predict_proba(X_test)
changed = np.argmax(np.abs(optimal - most_probable))
costs = deciders["optimal by CEM_ORD"].expected_costs(X_test.iloc[[changed]])[0]
figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained")
axes[0].bar(grades, probability[changed], color="tab:blue")
axes[0].set(ylabel="probability", title=f"most probable: {grades[probability[changed].argmax()]}")
axes[1].bar(grades, costs, color="tab:orange")
axes[1].set(ylabel="expected cost in bits", title=f"least cost: {grades[costs.argmin()]}")
plt.show()
