"""
Search parameters by an ordinal criterion
=========================================

A search only needs the name of a criterion. Students rated their lecturers in five classes,
from 0 to 4. The search finds the number of neighbours with which a classifier predicts these
ratings best.
"""

# %%
# Importing ``sklearn_ordinal`` makes the names known to scikit-learn. With several names, the
# search computes all criteria, and ``refit`` names the one that selects the model. Names that
# begin with ``neg_`` are errors, negated so that higher is better.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

import sklearn_ordinal
from sklearn_ordinal.datasets import load_lev

X, y = load_lev(return_X_y=True)
search = GridSearchCV(
    KNeighborsClassifier(),
    {"n_neighbors": [1, 3, 5, 10, 15, 20, 30, 40, 60, 80, 120]},
    scoring=["cem_ord", "accuracy", "neg_ordinal_mean_absolute_error"],
    refit="cem_ord",
    cv=StratifiedKFold(n_splits=5, shuffle=True, random_state=0),
).fit(X, y)

results = pd.DataFrame(search.cv_results_)
n_neighbors = results["param_n_neighbors"].astype(int)
for name in search.scorer_:
    best = results[f"mean_test_{name}"].idxmax()
    print(f"best number of neighbours by {name}: {n_neighbors[best]}")

# %%
# The criteria do not agree on the best number, so choose in advance which criterion selects the
# model:
figure, axes = plt.subplots(3, 1, figsize=(6, 7), sharex=True, layout="constrained")
for ax, name in zip(axes, search.scorer_, strict=True):
    mean = results[f"mean_test_{name}"]
    ax.errorbar(n_neighbors, mean, yerr=results[f"std_test_{name}"], fmt="o-", capsize=3)
    ax.plot(
        n_neighbors[mean.idxmax()],
        mean.max(),
        "D",
        markersize=9,
        color="tab:orange",
        zorder=3,
        label="best",
    )
    ax.set(title=name, xscale="log")
axes[0].legend()
axes[-1].set_xlabel("n_neighbors")
figure.supylabel("mean and standard deviation of the folds")
plt.show()
