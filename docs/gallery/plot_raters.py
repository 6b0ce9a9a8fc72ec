"""
Which grader differs from the others?
=====================================

Eight teachers grade essays, and about five of them grade each essay. Before you train or test a
model with the grades, ask: do the teachers agree, is one of them too strict, and which grade is
the true class?
"""

# %%
# The grades are simulated, so we know the truth: teacher B is strict, teacher F is generous, and
# teacher H hardly looks at the essays. An essay that a teacher has not graded has a missing value.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sklearn_ordinal import OrdinalRatings, agreement_report, consensus, ordinal_report
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

rng = np.random.default_rng(0)
teachers = list("ABCDEFGH")
quality = rng.integers(1, 6, size=(300, 1))
severity = np.array([0, -0.7, 0, 0.1, -0.1, 0.6, 0, 0])
noise = np.array([0.5, 0.5, 0.6, 0.7, 0.6, 0.5, 0.7, 1.8])
grades = np.rint(quality + severity + noise * rng.normal(size=(300, 8))).clip(1, 5)
grades[rng.random(grades.shape) < 0.4] = np.nan
frame = pd.DataFrame(grades, columns=teachers)
frame.head()

# %%
# The report begins with the main results. Teacher H is not strict, but has the lowest agreement
# with the others.
ratings = OrdinalRatings.from_ratings(frame)
report = agreement_report(ratings)
print(report)

# %%
# The plot shows severity and agreement at once. Strict and generous teachers are far from the
# dashed line, and teachers whose grades vary for no reason are at the bottom. A strict teacher can
# be trained, but the grades of teacher H say little.
report.plot()

# %%
# Each teacher has a confusion matrix against the others, whose grades are the true classes. Teacher
# B gives lower grades across the whole scale:
fig, axes = plt.subplots(ncols=2, figsize=(8, 4), layout="constrained")
for teacher, ax in zip("BH", axes, strict=True):
    OrdinalConfusionMatrixDisplay(report.confusion[teacher]).plot(ax, normalize="true")
    ax.set_title(f"Teacher {teacher}")

# %%
# Without teacher H, the teachers agree more:
others = OrdinalRatings.from_ratings(frame.drop(columns="H"))
for name, interval in agreement_report(others).coefficients.items():
    print(f"{name:18} {interval}, with H {report.coefficients[name].estimate:.3f}")

# %%
# The true class of each essay is the median of its grades. The result says how often the lower of
# two classes was taken, and how many essays only one teacher has graded:
result = consensus(others)
print(result)

# %%
# The consensus is the truth for models, and for teacher H. Essays without a grade from teacher H,
# and essays that only teacher H has graded, are left out:
is_graded = frame["H"].notna().to_numpy() & (result.n_grades > 0)
y_true = result.grades[is_graded].astype(int)
print(ordinal_report(y_true, frame["H"].to_numpy()[is_graded]))
plt.show()
