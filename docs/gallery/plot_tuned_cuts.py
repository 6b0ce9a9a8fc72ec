"""
Turn a regressor into an ordinal classifier
===========================================

A regressor predicts 2.4, but a class is needed. Rounding puts the cuts at 0.5, 1.5 and so on,
whatever the criterion and the model. Tuned cuts are the best cuts for the criterion. The
example needs skordinal for the data.
"""

# %%
# Social workers rated the risk of children in four classes, from 0 to 3. Regressors predict close
# to the mean if the features say little, so rounding never predicts the lowest class.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from skordinal.datasets import load_swd

from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.inference import paired_difference
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay, ThresholdTuningDisplay

X, y = load_swd(return_X_y=True)
regressor = Ridge()
tuned = TunedOrdinalThresholdClassifierCV(regressor, scoring="cem_ord", store_cv_results=True)

# %%
# The cuts are tuned by cross-validation within the training samples, so the tuning is repeated in
# each fold of an outer cross-validation, which makes the comparison fair:
cv = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
rounded = np.rint(cross_val_predict(regressor, X, y, cv=cv)).clip(0, 3).astype(int)
with_cuts = cross_val_predict(tuned, X, y, cv=cv)
print("tuned cuts minus rounding:")
for criterion in ["cem_ord", "macro_averaged_mean_absolute_error", "accuracy"]:
    difference = paired_difference(y, with_cuts, rounded, criterion, random_state=0)
    print(f"  {criterion}: {difference}")

# %%
# The confusion matrices show which predictions change:
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, (name, y_pred) in zip(
    axes, {"rounded": rounded, "tuned cuts": with_cuts}.items(), strict=True
):
    OrdinalConfusionMatrixDisplay.from_predictions(y, y_pred, ax=ax, legend=ax is axes[1])
    ax.set_title(name)

# %%
# These are the cuts of the classifier fitted on all samples. Rounding corresponds to cuts at 0.5,
# 1.5 and 2.5. A cut matters little where its curve is flat:
tuned.fit(X, y)
print(tuned.best_thresholds_.round(2))
ThresholdTuningDisplay.from_estimator(tuned)
plt.show()
