"""The LEV data set, compared with its source."""

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal.datasets import load_lev


def test_values_equal_skordinals():
    skordinal = pytest.importorskip("skordinal.datasets", reason="the source of the values")
    source = skordinal.load_lev()
    X, y = load_lev(return_X_y=True)
    np.testing.assert_array_equal(X, source.data)
    np.testing.assert_array_equal(y, source.target)


def test_is_a_bunch_that_names_its_source():
    lev = load_lev()
    assert lev.data.shape == (1000, 4)
    assert len(lev.feature_names) == 4
    assert np.bincount(lev.target).tolist() == [93, 280, 403, 197, 27]
    assert lev.target_names == [str(grade) for grade in np.unique(lev.target)]
    assert "Ben-David (1992)" in lev.DESCR


def test_can_be_returned_as_a_frame():
    X, y = load_lev(return_X_y=True, as_frame=True)
    assert isinstance(X, pd.DataFrame)
    assert X.columns.tolist() == load_lev().feature_names
    assert y.name == "rating"
    np.testing.assert_array_equal(y, load_lev().target)
