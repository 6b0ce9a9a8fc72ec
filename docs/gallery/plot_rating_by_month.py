"""
Follow a rating model over the months
=====================================

A model rates loans, and every month the analysts rate some of them again. Do the ratings of the
model get worse? Single months differ by chance, so the example compares each month with all
months, tests the trend, and compares the two halves of the year. Large loans count more: they are
weighted by their exposure.
"""

# %%
# The loans are simulated. The model has learned from earlier years how income and debt are related
# to the rating. During the year, debt becomes more important than it was in earlier years.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from sklearn_ordinal import GroupReport

grades = np.array(["C", "B", "BB", "BBB", "A"])
rng = np.random.default_rng(0)


def draw_loans(n_loans, weight_of_debt):
    income, debt = rng.normal(size=(2, n_loans))
    quality = income - weight_of_debt * debt + rng.normal(scale=0.6, size=n_loans)
    rating = np.digitize(quality, [-1.5, -0.5, 0.5, 1.5])
    return np.c_[income, debt], rating


X, rating = draw_loans(3000, 0.5)
model = LogisticRegression(solver="newton-cholesky").fit(X, rating)

months = np.arange("2025-01", "2026-01", dtype="datetime64[M]")
month = np.repeat(months, 250)
X, rating = draw_loans(len(month), np.repeat(np.linspace(0.5, 1.3, len(months)), 250))
exposure = rng.lognormal(sigma=0.8, size=len(month))
predicted = model.predict(X)

# %%
# Groups that are dates are sorted. ``sample_weight=`` weights each loan by its exposure, so that
# the report is about money, not about loans:
report = GroupReport.from_predictions(
    grades[rating],
    grades[predicted],
    by=month,
    labels=grades,
    sample_weight=exposure,
    metrics="cem_ord",
    n_permutations=0,
)
report.plot("cem_ord")

# %%
# Each month is compared with all months. The p-values are adjusted for the number of months with
# Holm's method, so that a single bad month is not overinterpreted:
by_month = report.contrasts()
print(by_month.to_frame().query("criterion == 'cem_ord'")[["group", "estimate", "adjusted_pvalue"]])
by_month.plot("cem_ord")

# %%
# The trend uses the order of the months. It is the slope of a straight line through their values.
# It has as many digits as its interval needs.
print(report.contrasts(weights="linear").contrasts["cem_ord"]["linear"])

# %%
# Any other question about the months is a contrast with weights that add up to 0, such as the mean
# of the second half of the year minus the mean of the first half:
names = report.group_names
weights = {name: (1 if k >= 6 else -1) / 6 for k, name in enumerate(names)}
print(report.contrasts(weights=weights).contrasts["cem_ord"]["weighted"])

# %%
# The bias is the mean signed error of the ratings, in grades:
print(report.contrasts(weights="linear").contrasts["ordinal_bias"]["linear"])
plt.show()
