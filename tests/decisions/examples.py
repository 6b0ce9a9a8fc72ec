"""A classifier whose probabilities are its features, so that tests can choose them."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Given(ClassifierMixin, BaseEstimator):
    """Return X as the probabilities of the classes, in sorted order."""

    def fit(self, X, y):
        self.n_features_in_ = np.shape(X)[1]
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.asarray(X)
