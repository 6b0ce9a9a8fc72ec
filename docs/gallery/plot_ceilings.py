"""
How good can a model of graded essays be?
=========================================

Ten teachers grade the same essays, and a model predicts their grades. Its accuracy is about 0.5. Is
that the fault of the model, or do the teachers disagree so much that no model could do better?
"""

# %%
# The grades are simulated. The model knows the quality of an essay a little better than a single
# teacher does.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, rating_ceilings, score_ladder

rng = np.random.default_rng(0)
quality = rng.normal(3, 1.1, size=500)
grades = np.rint(quality[:, None] + rng.normal(0, 0.6, size=(500, 10))).clip(1, 5)
model = np.rint(quality + rng.normal(0, 0.4, size=500)).clip(1, 5)
ratings = OrdinalRatings.from_ratings(grades)

# %%
# The ceilings say how good a prediction of the grade of one teacher can be. If a criterion is a
# sum of costs, its ceiling has two ends: the best class of each essay is chosen from the grades of
# the other teachers (left one out), or from all grades (in sample). For the quadratic kappa, the
# values follow from the kappa between the teachers, and are approximate.
metrics = ["accuracy", "cem_ord", "quadratic_weighted_kappa"]
ceilings = rating_ceilings(ratings, metrics)
print(ceilings)

# %%
# The ladder shows the ceiling next to the value of the model. The grades of all teachers are the
# truth, and each essay counts once.
confusion = OrdinalConfusion.from_predictions(ratings, model)
ladder = score_ladder(confusion, metrics, ratings=ratings, random_state=0)
ladder.plot("accuracy")

# %%
# Both are true: the model predicts the grades of a teacher better than another teacher does, and
# no model can be much better than 0.6, but this model is below both ends of the ceiling. With two
# or three teachers, we could not have shown this, since the ends would have been too far apart.
# The share of the ceiling that the model reaches is not a useful number: with two teachers, it
# would be 70% of one end, and 116% of the other.
numbers = range(2, 11)
few = [
    rating_ceilings(OrdinalRatings.from_ratings(grades[:, :n]), "accuracy").ceilings["accuracy"]
    for n in numbers
]
fig, ax = plt.subplots(layout="constrained")
for name, label in (("in_sample", "in sample"), ("left_one_out", "left one out")):
    values = [ceiling.values[name] for ceiling in few]
    ax.errorbar(
        numbers,
        [value.estimate for value in values],
        yerr=np.transpose([(v.estimate - v.low, v.high - v.estimate) for v in values]),
        marker="o",
        label=label,
    )
ax.axhline(ladder.scores["accuracy"].estimate, color="grey", linestyle="--", label="model")
ax.set(
    xlabel="teachers who grade each essay", ylabel="accuracy", title="The two ends of the ceiling"
)
ax.legend()
plt.show()
