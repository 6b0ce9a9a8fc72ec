"""
Rank the systems of a shared task
=================================

Teams send their answers, and you publish a ranking. Which differences between the systems are more
than chance? The example needs skordinal and statsmodels.
"""

# %%
# The task is to predict how women rate their marriage, from "very poor" to "very good". The teams
# have one half of a survey with the ratings, and predict the other half.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from skordinal.classifiers import POM, OrdinalDecomposition
from statsmodels.datasets import fair

from sklearn_ordinal import compare_systems
from sklearn_ordinal.decisions import OptimalDecisionClassifier

grades = ["very poor", "poor", "fair", "good", "very good"]
survey = fair.load_pandas().data
X, y = survey.drop(columns="rate_marriage"), survey["rate_marriage"].astype(int) - 1
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

teams = {
    "odds": POM(),
    "logit": LogisticRegression(solver="newton-cholesky"),
    "logit, CEM-optimal": OptimalDecisionClassifier(LogisticRegression(solver="newton-cholesky")),
    "binary": OrdinalDecomposition(),
    "forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
    "neighbours": KNeighborsClassifier(30),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "baseline": DummyClassifier(),
}
systems = {}
for name, model in teams.items():
    fitted = make_pipeline(StandardScaler(), model).fit(X_train, y_train)
    systems[name] = pd.Series(np.take(grades, fitted.predict(X_test)), index=X_test.index)
gold = pd.Series(np.take(grades, y_test), index=y_test.index)

# %%
# All systems are compared on the same women. Systems that share a letter do not differ
# significantly, which is a statement about all pairs together:
report = compare_systems(gold, systems, labels=grades)
print(report)

# %%
# The plot shows the same ranking. Read the letters, not the overlap of the intervals. The same
# women are difficult for all systems, so a difference is more certain than the values. The first
# system does not differ significantly from the forest, and the forest does not differ from naive
# Bayes, and yet the first system differs from naive Bayes.
report.plot()

# %%
# ``report.to_latex("ranking.tex")`` writes the table for the overview paper. If the answers are in
# files, ``sklearn-ordinal compare`` does the same without Python, see
# :doc:`/tutorials/shared_task`.
#
# The teams "logit" and "logit, CEM-optimal" have the same probabilities but make different
# decisions. This is the difference, with the p-value adjusted for all pairs:
print(report.difference("logit, CEM-optimal", "logit"))
plt.show()
