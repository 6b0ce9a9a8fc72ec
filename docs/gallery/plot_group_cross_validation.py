"""
Cross-validation with several rows per person
=============================================

If some rows of a person are in the training part and other rows are in the test part, a model can
recognise the person instead of learning anything about other people. ``groups=`` keeps the rows of
a person together. The example needs statsmodels for the data.
"""

# %%
# In the Health Insurance Experiment of RAND, adults said at the beginning whether their health is
# poor, fair, good or excellent. The data have a row for each of the three or five years that a
# person took part. We predict the answer from the insurance plan, the number of chronic diseases,
# a physical limitation and the visits to a doctor in the year.
#
# The file does not identify persons, so consecutive rows that only differ in the visits are treated
# as the years of one person. If this merges two persons, nothing leaks.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from statsmodels.datasets import randhie

from sklearn_ordinal import cross_val_report
from sklearn_ordinal.plotting import FoldScoresDisplay

data = randhie.load_pandas().data
answers = data.drop(columns="mdvis")
person = (answers != answers.shift()).any(axis=1).cumsum()
kept = person <= 1_000
data, person = data[kept], person[kept]

ratings = data[["hlthp", "hlthf", "hlthg"]]
codes = np.where(ratings.any(axis=1), ratings.to_numpy().argmax(axis=1), 3)
health = ["poor", "fair", "good", "excellent"]
y = pd.Series(pd.Categorical.from_codes(codes, health, ordered=True))
X = data.drop(columns=ratings.columns)
print(f"{len(X)} rows of {person.nunique()} persons")
print(y.value_counts(sort=False).to_string())

# %%
# The same forest is evaluated twice: with rows that are shuffled, and with whole persons.
forest = RandomForestClassifier(50, random_state=0)
split = {"n_splits": 5, "shuffle": True, "random_state": 0}
reports = {
    "rows are split": cross_val_report(
        forest, X, y, cv=StratifiedKFold(**split), scoring="cem_ord"
    ),
    "persons are split": cross_val_report(
        forest, X, y, cv=StratifiedGroupKFold(**split), groups=person, scoring="cem_ord"
    ),
}

display = FoldScoresDisplay(
    {name: report.scores["cem_ord"] for name, report in reports.items()},
    {name: report.intervals["cem_ord"] for name, report in reports.items()},
    score_name="cem_ord",
).plot()

# %%
# With shuffled rows, the forest finds other years of the same person in the training part and
# repeats their answer. The second row shows its value for persons whom it has not seen. Use this
# value if the model will predict other persons.
#
# ``compare_estimators`` takes ``groups=`` as well. ``bootstrap_interval`` takes ``clusters=``, and
# then resamples persons instead of rows.
for name, report in reports.items():
    print(f"{name:17} {report.intervals['cem_ord']}")
plt.show()
