"""
Compare models with repeated cross-validation
=============================================

Does one model score higher than another, or was it lucky with the folds? Social workers rated the
risk of 1,000 children in four classes. Five models are compared on folds that are drawn four times.
The example needs skordinal for the data and for an ordinal model.
"""

# %%
# All models are fitted on the same 20 folds, and so are the baselines, which predict without
# looking at the features. The first sentences say which model is best, and whether it is shown to
# beat the second model and the best baseline.
import matplotlib.pyplot as plt
from scipy.stats import ttest_rel
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from skordinal.classifiers import OrdinalDecomposition
from skordinal.datasets import load_swd

from sklearn_ordinal import compare_estimators

X, y = load_swd(return_X_y=True)
models = {
    "logistic regression": make_pipeline(
        StandardScaler(), LogisticRegression(solver="newton-cholesky")
    ),
    "binary decomposition": make_pipeline(StandardScaler(), OrdinalDecomposition()),
    "random forest": RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
    "naive Bayes": GaussianNB(),
    "deep tree": DecisionTreeClassifier(random_state=0),
}
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
comparison = compare_estimators(models, X, y, scoring="cem_ord", cv=cv, random_state=0)
print(comparison)

# %%
# Each dot is the score of a fold, and the diamond is the mean:
comparison.plot()

# %%
# But repetitions are not new samples. Any two training parts share most of their samples, so a
# t-test that treats the 20 scores as independent finds differences that may not exist. The
# corrected test takes the shared samples into account. ``pairwise`` tests each pair of models, and
# adjusts the p-values for the number of pairs. It is about these fitted models: with repeated
# folds and skewed classes, it may find learners different that are equally good on average
# (:doc:`/guide/evidence/folds`).
pair = ("naive Bayes", "deep tree")
uncorrected = ttest_rel(*(comparison.scores["cem_ord"][name] for name in pair))
print(f"p-value as if the 20 scores were independent: {uncorrected.pvalue:.3f}")
pairwise = comparison.pairwise("cem_ord")
print("corrected:", pairwise.one(estimator=pair[0], against=pair[1]))
print(pairwise.verdict)

# %%
# The interval of each difference contains 0:
pairwise.plot()
plt.show()
