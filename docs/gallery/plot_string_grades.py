"""
Grades that are strings
=======================

"good" comes before "poor" in the alphabet, but not on a scale. The order of strings is never
guessed: it is in an ordered type, or you pass it. Here, women rate their marriage from "very poor"
to "very good" in a survey of 1974. The example needs statsmodels for the data.
"""

# %%
# The order is in the type
# ------------------------
# The codes 1 to 5 of the survey become an ordered Categorical. Cross-validation, searches, reports
# and comparisons then use this order.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.datasets import fair

from sklearn_ordinal import make_ordinal_scorer
from sklearn_ordinal.metrics import cem_ord_score
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

grades = ["very poor", "poor", "fair", "good", "very good"]
survey = fair.load_pandas().data
X = survey.drop(columns="rate_marriage")
y = pd.Series(
    pd.Categorical.from_codes(survey["rate_marriage"].astype(int) - 1, grades, ordered=True)
)

model = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
print(cross_val_score(model, X, y, scoring="cem_ord").round(3))

# %%
# The order is in ``labels``
# --------------------------
# Plain strings have no order, and the error says what to do:
strings = y.astype(str).to_numpy()
try:
    cem_ord_score(strings, strings)
except ValueError as error:
    print(error)

# %%
# Pass the order to a metric, and bind it to a scorer:
print(cem_ord_score(strings, strings, labels=grades))
scorer = make_ordinal_scorer("cem_ord", labels=grades)
print(cross_val_score(model, X, strings, scoring=scorer).round(3))

# %%
# A mistake that is not noticed
# -----------------------------
# Codes in alphabetical order are integers, so no metric can detect that their order is wrong. The
# codes make "fair" the lowest class and put "very good" next to "very poor":
alphabetical = pd.factorize(strings, sort=True)[0]
y_pred = cross_val_predict(model, X, strings)
right = cem_ord_score(strings, y_pred, labels=grades)
wrong = cem_ord_score(alphabetical, cross_val_predict(model, X, alphabetical))
print(f"in the order of the grades: {right:.3f}, in the order of the alphabet: {wrong:.3f}")

# %%
# The wrong value is as plausible as the right one. Encode strings as integers yourself, in their
# order, for estimators that only take integers.
#
# With ``labels``, the confusion matrix has the grades from the lowest to the highest:
OrdinalConfusionMatrixDisplay.from_predictions(strings, y_pred, labels=grades)
plt.show()
