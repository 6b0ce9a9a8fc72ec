"""
Check every night whether a model got worse
===========================================

Every night, a model predicts new samples, and in the morning their true classes are known. Is the
model worse than last week, and if so, why? The example saves a report for each period, compares
the files, and shows the answer that the command ``sklearn-ordinal check`` would give.
"""

# %%
# The samples are ratings of lecturers. Last week, the model got all four columns. Tonight, one
# column arrives shuffled, and no error message says so.
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sklearn_ordinal import OrdinalReport, report_change
from sklearn_ordinal.datasets import load_lev

X, y = load_lev(return_X_y=True)
X_train, X_new, y_train, y_new = train_test_split(X, y, train_size=200, random_state=0)
model = LogisticRegression(solver="newton-cholesky").fit(X_train, y_train)
X_last, X_tonight, y_last, y_tonight = train_test_split(X_new, y_new, test_size=300, random_state=0)
X_tonight[:, 0] = np.random.default_rng(0).permutation(X_tonight[:, 0])

# %%
# A report is saved with its counts, so that no predictions need to be kept:
folder = Path(tempfile.mkdtemp())
for name, (features, grades) in {
    "last": (X_last, y_last),
    "tonight": (X_tonight, y_tonight),
}.items():
    report = OrdinalReport.from_predictions(grades, model.predict(features), zero_division=0.0)
    report.to_json(folder / f"{name}.json")

# %%
# The comparison reads the files. A loss of 0.01 is tolerated:
change = report_change(folder / "last.json", folder / "tonight.json", "cem_ord", margin=0.01)
print(change)

# %%
# The loss comes from the predictions, which are worse at the class sizes of last week too. The
# class sizes have hardly changed the value.
change.plot()

# %%
# A pipeline needs a single answer, True, False or None for "cannot tell". The command
# ``sklearn-ordinal check tonight.json --against last.json --metric cem_ord --margin 0.01`` gives it
# as an exit code.
print(change.worse_than())
plt.show()
