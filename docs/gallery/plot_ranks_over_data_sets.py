"""
Rank models over several data sets
==================================

Which models rank first on ordinal data in general? Values of different data sets are not
comparable, but the order of the models on each of them is. The example needs skordinal and
statsmodels.
"""

# %%
# The six data sets are evaluations of lecturers, decisions of social workers, two sets of ratings
# of job candidates, the party identification of voters, and ratings of marriages. In each data
# set, half of the samples are used for training and the other half for testing. This is repeated
# five times, with both halves in both roles.
import matplotlib.pyplot as plt
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from skordinal.datasets import load_era, load_esl, load_swd
from statsmodels.datasets import anes96, fair

from sklearn_ordinal import compare_on_data_sets
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import OptimalDecisionClassifier

voters, survey = anes96.load_pandas().data, fair.load_pandas().data
data_sets = {
    "lecturers": load_lev(return_X_y=True),
    "social workers": load_swd(return_X_y=True),
    "employees": load_esl(return_X_y=True),
    "candidates": load_era(return_X_y=True),
    "parties": (voters.drop(columns=["PID", "popul"]), voters["PID"].astype(int)),
    "marriages": (survey.drop(columns="rate_marriage"), survey["rate_marriage"].astype(int)),
}
models = {
    "logistic": LogisticRegression(solver="newton-cholesky"),
    "logistic, CEM-optimal": OptimalDecisionClassifier(
        LogisticRegression(solver="newton-cholesky")
    ),
    "discriminant": LinearDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(15),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "majority": DummyClassifier(),
}
models = {name: make_pipeline(StandardScaler(), model) for name, model in models.items()}
cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
report = compare_on_data_sets(models, data_sets, scoring="cem_ord", cv=cv)

# %%
# Friedman's test asks whether the average ranks differ at all, and Nemenyi's test asks which of
# them differ. The values themselves are not compared, since values of CEM_ORD depend on the class
# sizes of each data set.
#
# For a paper, ``report.to_latex()`` returns the table with the best value of each data set in
# bold.
print(report)

# %%
# If the fits take hours, let joblib save the comparison on each data set, so that an interrupted
# run continues where it stopped:
#
# .. code-block:: python
#
#    cached = joblib.Memory("comparisons").cache(compare_estimators)
#    comparisons = {
#        name: cached(models, *data, baselines=None, cv=cv) for name, data in data_sets.items()
#    }
#    report = DataSetsReport.from_comparisons(comparisons, list(models))
#
# Functions and classes of your own are compared by their names. If you change their code, joblib
# does not notice, and returns the old values: call ``cached.clear()`` first.

# %%
# In the critical difference diagram, the model with the best average rank is on the right, and a
# bar connects models that do not differ significantly. With only six data sets, two models differ
# significantly only if one of them nearly always ranks above the other:
report.plot()
plt.show()
