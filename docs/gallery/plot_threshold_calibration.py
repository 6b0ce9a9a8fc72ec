"""
Are the probabilities calibrated?
=================================

If a model says that a marriage is rated "good" or better with a probability of 80%, this should be
true of 80% of such marriages. On a scale, that is one question for each threshold between two
classes. The example needs statsmodels for the data.
"""

# %%
# Women rate their marriage from "very poor" to "very good". Naive Bayes assumes that the features
# are independent, but age, years of marriage and children are not. It counts their evidence several
# times, and its probabilities are too extreme.
import matplotlib.pyplot as plt
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from statsmodels.datasets import fair

from sklearn_ordinal import OrdinalReport

grades = ["very poor", "poor", "fair", "good", "very good"]
survey = fair.load_pandas().data
X, y = survey.drop(columns="rate_marriage"), survey["rate_marriage"].astype(int)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

models = {
    "naive Bayes": GaussianNB(),
    "calibrated": CalibratedClassifierCV(GaussianNB(), method="sigmoid"),
}
criteria = ["ranked_probability_score", "log_loss", "cem_ord_decision", "concordance"]
reports = {}
for name, model in models.items():
    model.fit(X_train, y_train)
    reports[name] = OrdinalReport.from_predictions(
        y_test,
        model.predict(X_test),
        y_proba=model.predict_proba(X_test),
        target_names=grades,
        metrics=criteria,
        zero_division=0,
    )
    values = ", ".join(f"{key} {value:.3f}" for key, value in reports[name].criteria.items())
    print(f"{name}: {values}")

# %%
# Each panel is a threshold. Calibrated probabilities have a curve within the shaded band, apart
# from chance. The curves of naive Bayes are far above the band at the lower thresholds: most
# marriages that it expects to be "poor" or worse with high probability are better than that.
reports["naive Bayes"].plot_calibration(random_state=0)

# %%
# After calibration, the curves are closer to the diagonal. The bars at the bottom show that the
# forecasts vary much less: the features say little about the lowest grades.
reports["calibrated"].plot_calibration(random_state=0)
plt.show()
