"""
Is a program as good a grader as a human?
=========================================

Three teachers and two programs grade the same essays. One program errs like the teachers. The
other program orders the essays better than any teacher, but gives lower grades.
"""

# %%
# The grades are simulated, so we know the truth. An essay that a teacher has not graded has a
# missing value.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sklearn_ordinal import OrdinalRatings, agreement_report, compare_judge

rng = np.random.default_rng(0)
quality = rng.integers(1, 6, size=500)


def with_errors(noise, severity=0.0):
    noisy = quality + severity + rng.normal(0, noise, size=500)
    return np.clip(np.rint(noisy), 1, 5)


teachers = pd.DataFrame({name: with_errors(0.7) for name in ["Ann", "Bob", "Cy"]})
teachers = teachers.mask(rng.random(teachers.shape) < 0.1)
programs = {"fair": with_errors(0.7), "harsh": with_errors(0.3, severity=-0.8)}
ratings = OrdinalRatings.from_ratings(teachers)

# %%
# Each teacher is left out in turn, and both the teacher and the program are compared with the other
# teachers, on the same essays. The report begins with the best program, and says which ones pass:
report = compare_judge(ratings, programs, metrics=["cem_ord", "kendall_tau_b"])
print(report)

# %%
# Kendall's tau depends only on the order, so the harsh program scores higher than the teachers.
# CEM_ORD compares the grades themselves, and the program scores lower than the teachers:
fig, axes = plt.subplots(2, 2, figsize=(12, 6), layout="constrained")
for row, judge in zip(axes, programs, strict=True):
    for ax, criterion in zip(row, report.metrics, strict=True):
        report.plot(criterion, judge=judge, ax=ax)

# %%
# The plot of an agreement report that includes the programs as raters shows why. The harsh program
# is far to the left of the dashed line. The other raters are to the right of the line, because
# they are also compared with the harsh program:
everyone = OrdinalRatings.from_ratings(teachers.assign(**programs))
agreement_report(everyone).plot()

# %%
# The tutorial :doc:`/tutorials/judges` shows more judges that look better than they are, and leads
# from files of grades to a paragraph for a paper.
plt.show()
