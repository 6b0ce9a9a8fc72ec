"""
Compare groups of samples
=========================

Does a model predict the party of voters equally well, whatever their education? The values of
groups also differ by chance, and because the class sizes differ. The report separates these two
effects from differences in the errors. The example needs statsmodels for the data.
"""

# %%
# Voters of the American National Election Study of 1996 placed themselves between strong Democrat,
# 0, and strong Republican, 6. A logistic regression predicts this position from their political
# views, income and habits, but not from their education, and its decisions are optimal for
# CEM_ORD. Each voter is predicted by a model that was fitted on other voters.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.datasets import anes96

from sklearn_ordinal import GroupReport
from sklearn_ordinal.decisions import OptimalDecisionClassifier

voters = anes96.load_pandas().data
X = voters[["TVnews", "selfLR", "ClinLR", "DoleLR", "income", "logpopul"]]
y = voters["PID"].astype(int)
logistic = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
cv = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
y_pred = cross_val_predict(OptimalDecisionClassifier(logistic), X, y, cv=cv)

education = pd.cut(
    voters["educ"], [0, 3, 4, 7], labels=["high school", "some college", "college degree"]
)
report = GroupReport.from_predictions(y, y_pred, by=education.astype(str), metrics="cem_ord")
print(report)

# %%
# The class sizes of all voters are the reference of all groups, so that the same error costs the
# same in each of them:
report.plot("cem_ord")

# %%
# The bias is the mean signed error: positive if voters are predicted as more Republican than they
# are.
report.plot("ordinal_bias")

# %%
# The interval of the largest difference is about the values. The p-value is about the errors: it
# is small if voters of the same true class are predicted differently in different groups.
for name in ("cem_ord", "ordinal_bias"):
    print(name, report.difference()[name])

# %%
# ``prevalence=`` gives all groups the same class sizes, so that they can only differ in the errors
# within the classes. Here, each class has the share that it has among all voters:
standardised = GroupReport.from_predictions(
    y,
    y_pred,
    by=education.astype(str),
    metrics="cem_ord",
    prevalence=np.bincount(y) / len(y),
)
for name in ("cem_ord", "ordinal_bias"):
    print(name, standardised.difference()[name])
plt.show()
