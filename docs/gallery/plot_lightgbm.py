"""
Early stopping of LightGBM
==========================

LightGBM calls a function with the probabilities after each iteration, so that training stops where
an ordinal criterion is best. The example needs lightgbm 4.7 or later, and statsmodels for the
data.
"""

# %%
# Women rate their marriage. The classes are integers from 0 to 4: LightGBM would put strings in
# alphabetical order, which a metric cannot detect.
import matplotlib.pyplot as plt
from lightgbm import LGBMClassifier, early_stopping
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import train_test_split
from statsmodels.datasets import fair

from sklearn_ordinal.decisions import OptimalDecisionClassifier
from sklearn_ordinal.metrics import cem_ord_score, ranked_probability_score

survey = fair.load_pandas().data
X, y = survey.drop(columns="rate_marriage"), survey["rate_marriage"].astype(int) - 1
X_train, X_rest, y_train, y_rest = train_test_split(
    X, y, train_size=0.5, stratify=y, random_state=0
)
X_valid, X_test, y_valid, y_test = train_test_split(
    X_rest, y_rest, train_size=0.5, stratify=y_rest, random_state=0
)

# %%
# A function returns the name, the value, and whether higher is better. The ranked probability
# score decides when training stops, because it respects the order and uses the whole forecast. It
# comes first. CEM_ORD of the most probable class is only recorded:


def criteria(y_true, y_proba):
    return [
        ("ranked_probability_score", ranked_probability_score(y_true, y_proba), False),
        ("cem_ord", cem_ord_score(y_true, y_proba.argmax(axis=1)), True),
    ]


model = LGBMClassifier(
    n_estimators=300,
    learning_rate=0.05,
    num_leaves=7,
    n_jobs=1,
    random_state=0,
    verbose=-1,
    deterministic=True,
    metric="None",
)
model.fit(
    X_train,
    y_train,
    eval_X=X_valid,
    eval_y=y_valid,
    eval_metric=criteria,
    callbacks=[early_stopping(50, first_metric_only=True, verbose=False)],
)
print(f"best iteration: {model.best_iteration_}")

# %%
# After the best iteration, the probabilities of new samples become worse. CEM_ORD still rises a
# little, because it only depends on which class is the most probable, and not on the probability
# of this class:
values = model.evals_result_["valid_0"]
figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
for ax, (name, of_iterations) in zip(axes, values.items(), strict=True):
    ax.plot(range(1, len(of_iterations) + 1), of_iterations)
    ax.axvline(model.best_iteration_, color="tab:orange", linestyle="--", label="best iteration")
    ax.set(xlabel="iteration", title=name)
axes[0].legend()

# %%
# Train for good probabilities, and optimize the decisions for CEM_ORD afterwards:
optimal = OptimalDecisionClassifier(FrozenEstimator(model)).fit(X_train, y_train)
for name, classifier in {"most probable class": model, "optimal by CEM_ORD": optimal}.items():
    print(f"{name}: CEM_ORD {cem_ord_score(y_test, classifier.predict(X_test)):.3f}")
plt.show()
