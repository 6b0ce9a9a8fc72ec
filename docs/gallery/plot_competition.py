"""
Blend two regressors for a competition
======================================

A competition scores classes with the quadratic weighted kappa, but regressors predict numbers. How
do you turn their blended predictions into classes, and which value can you expect for new samples?
"""

# %%
# Students rated their lecturers in five classes, from 0 to 4. A third of the ratings are the
# hidden samples, whose classes only the organisers know.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split

from sklearn_ordinal import tune_thresholds
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import delta_interval, paired_difference

X, y = load_lev(return_X_y=True)
X, X_hidden, y, y_hidden = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=1)
models = [Ridge(), HistGradientBoostingRegressor(max_iter=50, max_depth=3, random_state=0)]

# %%
# The blend is the mean of the out-of-fold predictions: each sample is predicted by models that were
# fitted without it. The cuts between the classes are the best ones for the criterion:
metric = "quadratic_weighted_kappa"
cv = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
out_of_fold = np.mean([cross_val_predict(model, X, y, cv=cv) for model in models], axis=0)
tuned = tune_thresholds(y, out_of_fold, metric=metric)
print(tuned)
tuned.plot()

# %%
# Models that are fitted on all samples predict the hidden samples, and the cuts stay the same:
blend = np.mean([model.fit(X, y).predict(X_hidden) for model in models], axis=0)
y_pred = tuned.predict(blend)

# %%
# The value above is the best of many for the same samples, so it is too good for new samples. For
# an honest value, leave out a fold, choose the cuts on the other folds, and apply them to this
# fold. An interval shows how far the value on other samples may differ:
honest = np.empty_like(y)
for others, fold in cv.split(X, y):
    cuts = tune_thresholds(y[others], out_of_fold[others], metric=metric, labels=range(5))
    honest[fold] = cuts.predict(out_of_fold[fold])
print(f"same samples:   {tuned.value:.3f}")
print(f"honest:         {delta_interval(y, honest, metric)}")
print(f"hidden samples: {delta_interval(y_hidden, y_pred, metric)}")

# %%
# Rounding needs no tuning. Are tuned cuts better for samples that they were not chosen for?
rounded = np.rint(out_of_fold).clip(0, 4).astype(int)
print("honest cuts minus rounding:", paired_difference(y, honest, rounded, metric, random_state=0))
plt.show()
