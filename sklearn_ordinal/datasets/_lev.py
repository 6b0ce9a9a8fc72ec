"""The LEV data set: lecturers evaluated by their students, in five ordered classes."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

_DESCR = """\
Lecturers evaluation (LEV)
--------------------------
1,000 anonymous evaluations of lecturers by their students at the end of a course. The
four features are marks on ordinal scales for aspects of the course; the target is the
overall rating of the lecturer from 0 (lowest) to 4 (highest).

Samples per class: 93, 280, 403, 197, 27. No value is missing.

Source: A. Ben-David (1992), "Automatic generation of symbolic multiattribute ordinal
knowledge-based DSSs: methodology and applications", Decision Sciences 23(6), 1357-1372;
donated by A. Ben-David to the WEKA project (datasets-arie_ben_david) and on OpenML as
data set 1029. The values come from skordinal 0.2.0 (BSD-3-Clause; its notice is among
the licences of this package).
"""


@overload
def load_lev(
    *, return_X_y: Literal[True], as_frame: Literal[False] = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
@overload
def load_lev(*, return_X_y: bool = False, as_frame: bool = False) -> Any: ...
def load_lev(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the LEV data set, evaluations of lecturers in five ordered classes.

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return ``(data, target)`` instead of a `Bunch`.
    as_frame : bool, default=False
        If True, data and target are a pandas DataFrame and Series instead of arrays.

    Returns
    -------
    Bunch or tuple
        A `Bunch` with data of shape (1000, 4), target of shape (1000,) with the classes
        0 to 4, feature_names, target_names and DESCR; or the tuple ``(data, target)``.

    Raises
    ------
    ValueError
        If an option is not True or False.
    ImportError
        If `as_frame` is True and pandas is not installed.

    See Also
    --------
    sklearn.datasets.load_iris : A nominal data set in the same form.

    References
    ----------
    .. [1] A. Ben-David (1992), "Automatic generation of symbolic multiattribute ordinal
       knowledge-based DSSs: methodology and applications", Decision Sciences 23(6),
       :doi:`10.1111/j.1540-5915.1992.tb00449.x`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> X.shape
    (1000, 4)
    >>> np.unique(y, return_counts=True)[1].tolist()
    [93, 280, 403, 197, 27]
    """
    for name, value in (("return_X_y", return_X_y), ("as_frame", as_frame)):
        if value is not True and value is not False:
            raise ValueError(f"{name} must be True or False, got {' '.join(repr(value).split())}.")
    with files(__package__).joinpath("lev.csv").open(encoding="ascii") as file:
        names = file.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",", dtype=np.int64)
    data: Any = table[:, :-1]
    target: Any = table[:, -1]
    if as_frame:
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("as_frame=True needs pandas: pip install pandas.") from error
        data = pd.DataFrame(data, columns=names[:-1])
        target = pd.Series(target, name=names[-1])
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        feature_names=names[:-1],
        target_names=["0", "1", "2", "3", "4"],
        DESCR=_DESCR,
    )
