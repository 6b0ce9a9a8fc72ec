"""
Two models, and humans who disagree
===================================

Ten humans grade each answer, and often disagree. Which of two models predicts the grades better,
and how far does the disagreement of the humans limit both models? Soft labels keep every grade.
"""

# %%
# The grades are simulated. Answers in the middle of the scale are harder to grade, so the humans
# disagree more about them. One model knows about this uncertainty, and the other is always sure.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, compare_systems, get_metric
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.metrics import wasserstein_error
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

rng = np.random.default_rng(0)
classes = np.arange(5)
quality = rng.uniform(-0.4, 4.4, size=400)
doubt = np.where(np.abs(quality - 2) < 1, 1.1, 0.5)
noise = doubt[:, None] * rng.normal(size=(400, 10))
ratings = OrdinalRatings.from_ratings(np.rint(quality[:, None] + noise).clip(0, 4).astype(int))


def probabilities(center, spread):
    weights = np.exp(-(((classes - center[:, None]) / spread[:, None]) ** 2) / 2)
    return weights / weights.sum(axis=1, keepdims=True)


estimate = quality + 0.3 * rng.normal(size=400)
models = {
    "knows its doubt": probabilities(estimate, doubt),
    "always sure": probabilities(estimate, np.full(400, 0.4)),
}

# %%
# Both models predict the same grades, so criteria of predicted classes cannot tell them apart.
# Each answer counts in every class that a human gave, with the share of the humans who gave this
# class.
y_pred = models["always sure"].argmax(axis=1)
confusion = OrdinalConfusion.from_soft_labels(ratings, y_pred)
OrdinalConfusionMatrixDisplay(confusion).plot(values_format=".1f")

# %%
# The mean absolute error is the expected distance from the grade of a random human. The median of
# the humans' grades is computed from the grades that it predicts, so it has the smallest error
# that any class can have.
median = (ratings.class_shares.cumsum(axis=1) >= 0.5).argmax(axis=1)
for name, predicted in {"models": y_pred, "median": median}.items():
    print(name, delta_interval(ratings, predicted, "ordinal_mean_absolute_error"))

# %%
# Criteria of probabilities tell the models apart. The intervals treat the answers as units, not the
# grades, and the test compares both models on the same answers.
report = compare_systems(
    ratings,
    {name: {"y_proba": proba} for name, proba in models.items()},
    metrics=["ranked_probability_score"],
)
print(report)

# %%
# Why? The distance between predicted and true distributions shows the difference for each answer:
# where the humans disagree, the model that is always sure is far from their distribution.
fig, axes = plt.subplots(ncols=2, figsize=(9, 4), layout="constrained", sharey=True)
for ax, (name, proba) in zip(axes, models.items(), strict=True):
    distances = wasserstein_error(ratings, proba, per_item=True)
    ax.scatter(quality, distances, s=8, alpha=0.5)
    ax.axhline(distances.mean(), color="black", linestyle="--", label="mean")
    ax.set(title=name, xlabel="quality of the answer")
    ax.legend()
axes[0].set_ylabel("Wasserstein distance in classes")

# %%
# The ranked probability score of a model is the distance of the distributions plus the spread of
# the humans' grades, which is the same for both models. Even a perfect model cannot have a lower
# score than this spread.
up_to = ratings.class_shares.cumsum(axis=1)[:, :-1]
spread = (up_to * (1 - up_to)).sum(axis=1).mean()
print(f"spread of the grades {spread:.3f}")
for name, interval in report.scores["ranked_probability_score"].items():
    print(f"{name:16} {interval.estimate:.3f}")
plt.show()
