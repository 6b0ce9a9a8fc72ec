"""
Do conformal sets keep their promise?
=====================================

A conformal set contains the true class with a given probability, on average over all samples.
Here, a few lines of NumPy compute split conformal sets from the probabilities of a classifier. The
evaluation asks whether the sets keep their level, for which classes they do not, and how far they
miss.
"""

# %%
# The classifier is fitted on one part of the ratings of lecturers. The sets are calibrated on a
# second part and evaluated on a third part.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from sklearn_ordinal import prediction_set_report
from sklearn_ordinal.datasets import load_lev

X, y = load_lev(return_X_y=True)
X_train, X_rest, y_train, y_rest = train_test_split(X, y, train_size=300, random_state=0)
X_cal, X_test, y_cal, y_test = train_test_split(X_rest, y_rest, train_size=200, random_state=0)
model = RandomForestClassifier(min_samples_leaf=3, random_state=0).fit(X_train, y_train)

# %%
# The score of a class is 1 minus its probability. The threshold is the 0.9 quantile of the scores
# of the calibration samples, with a small correction for their number. A set contains all classes
# with scores up to the threshold.
nominal = 0.9
rank = int(np.ceil((len(y_cal) + 1) * nominal))
scores = 1 - model.predict_proba(X_cal)[np.arange(len(y_cal)), y_cal]
proba = model.predict_proba(X_test)
sets = 1 - proba <= np.sort(scores)[rank - 1]

# %%
# The coverage of all samples agrees with the level, as the sentence on split conformal sets says.
# But the average hides the ends of the scale: the sets of the 8 lecturers with the highest rating
# often miss it. The lowest of several noisy shares tends to be too low, so its interval follows
# from simultaneous intervals for all classes. It still ends below the level.
report = prediction_set_report(y_test, sets, nominal=nominal, n_calibration=len(y_cal))
print(report)

# %%
# The plot shows which classes are covered less often than others. A grey bar that is nearly as long
# as the axis belongs to sets that say little.
report.plot()

# %%
# Sets with one threshold for each class keep the level for every class that has enough calibration
# samples. They are larger. The verdict does not apply to them, so ``n_calibration`` is left out.
# Classes with few calibration samples are in every set.
by_class = np.full(5, np.inf)
for k in range(5):
    own = np.sort(scores[y_cal == k])
    rank = int(np.ceil((len(own) + 1) * nominal))
    if rank <= len(own):
        by_class[k] = own[rank - 1]
adapted = prediction_set_report(y_test, 1 - proba <= by_class, nominal=nominal)
fig, axes = plt.subplots(nrows=2, figsize=(7, 6), layout="constrained")
for result, ax in zip([report, adapted], axes, strict=True):
    result.plot(ax=ax)

# %%
# On an ordered scale, a set without gaps is easier to act on. Filling the gaps can only raise the
# coverage. The sets are intervals then, and the interval score weighs the width of the sets
# against the distance of the misses:
lower, upper = sets.argmax(axis=1), 4 - sets[:, ::-1].argmax(axis=1)
is_empty = ~sets.any(axis=1)
lower[is_empty] = upper[is_empty] = proba.argmax(axis=1)[is_empty]
filled = prediction_set_report(y_test, (lower, upper), nominal=nominal)
for name, result in {"as they are": report, "filled": filled}.items():
    size, contiguous = (result.measures[key][0, 0] for key in ("size", "contiguous"))
    print(f"{name}: {size:.2f} classes, {contiguous:.1%} without a gap, {result.coverage[0][0]}")
print(f"interval score: {filled.measures['interval_score'][0, 0]:.2f}")

# %%
# To compare groups of samples, pass ``by=``. To compare levels, pass an array of shape (n_samples,
# n_classes, n_levels):
levels = [0.8, 0.9, 0.95]
ranks = [int(np.ceil((len(y_cal) + 1) * level)) for level in levels]
stacked = np.stack([1 - proba <= np.sort(scores)[rank - 1] for rank in ranks], axis=2)
print(prediction_set_report(y_test, stacked, nominal=levels, n_calibration=len(y_cal)))
plt.show()
