"""
How many samples do I need?
===========================

Before you collect a test set, decide which difference matters to you. A pilot sample then tells
you how many samples are needed to detect it. The number is computed in closed form, and resamples
of the pilot show how uncertain it is.
"""

# %%
# The pilot consists of 150 lecturers with ratings from 0 to 4. Two models were trained on other
# lecturers.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sklearn_ordinal import OrdinalConfusion, required_samples
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import paired_difference

X, y = load_lev(return_X_y=True)
X_train, X_pilot, y_train, y_pilot = train_test_split(X, y, test_size=150, random_state=0)
models = {
    "linear": LogisticRegression(solver="newton-cholesky"),
    "forest": RandomForestClassifier(min_samples_leaf=5, random_state=0),
}
predictions = {name: model.fit(X_train, y_train).predict(X_pilot) for name, model in models.items()}
pilot = OrdinalConfusion.from_systems(y_pilot, predictions)

# %%
# The models do not differ significantly. The last number is the smallest difference that the pilot
# could have detected. It is much larger. The observed difference says nothing about the number of
# samples, because it is mostly chance.
print(paired_difference(pilot, metrics="cem_ord", random_state=0))

# %%
# A gain of 0.02 would be worth replacing the model. Both models predict the same samples, so the
# design is paired:
paired = required_samples(pilot, "cem_ord", difference=0.02, random_state=0)
print(paired)

# %%
# The curve shows which differences other numbers of samples can detect. The band shows how much
# the curve depends on the 150 lecturers of the pilot. If you can afford even the upper end of the
# range, collect that many samples.
paired.plot()

# %%
# The paired design needs fewer samples, since a sample that is difficult for both models cancels
# out. If each model had its own samples, many more would be needed:
unpaired = required_samples(pilot, "cem_ord", difference=0.02, design="unpaired", random_state=0)
print(f"paired: {paired.n_required:,}, unpaired: {unpaired.n_required:,} for each model")

# %%
# To publish a value instead of a comparison, ask for the half width of its interval. The required
# number differs between criteria, and half the width takes four times as many samples:
fig, axes = plt.subplots(nrows=2, figsize=(6.4, 6.4), layout="constrained")
for criterion, ax in zip(["cem_ord", "quadratic_weighted_kappa"], axes, strict=True):
    width = required_samples(
        pilot["linear"], criterion, half_width=0.02, design="unpaired", random_state=0
    )
    width.plot(ax=ax)

# %%
# Without a pilot, write down the confusion matrix that you expect, as shares of all samples. There
# is no range in this case, since it is not known how good the guess is.
expected = np.array(
    [
        [0.06, 0.03, 0.01, 0.00, 0.00],
        [0.03, 0.16, 0.08, 0.01, 0.00],
        [0.00, 0.09, 0.24, 0.06, 0.00],
        [0.00, 0.02, 0.09, 0.09, 0.00],
        [0.00, 0.00, 0.01, 0.01, 0.01],
    ]
)
guess = OrdinalConfusion.from_counts(expected / expected.sum())
print(required_samples(guess, "cem_ord", half_width=0.02, design="unpaired"))
plt.show()
