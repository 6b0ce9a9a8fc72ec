"""Damage saved results in every place: ``python -m tests.reports.damaged``."""

import copy
import json
import sys
import tempfile
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalRatings,
    OrdinalReport,
    agreement_report,
    compare_estimators,
    compare_judge,
    compare_on_data_sets,
    compare_systems,
    consensus,
    cross_val_report,
    judge_assisted_interval,
    report_change,
)

# What a place in a file is replaced by, as JSON.
REPLACEMENTS = {
    "null": None,
    "true": True,
    "zero": 0,
    "minus one": -1,
    "half": 0.5,
    "large": 9.99,
    "huge": 10**30,
    "longer than a float": 10**400,
    "nan": {"float": "nan"},
    "infinity": {"float": "inf"},
    "text": "x",
    "empty list": [],
    "empty tuple": {"tuple": []},
    "empty dict": {"dict": {}},
    "object": {},
    "nested": [[[[]]]],
    "wide array": {"array": ["a"], "dtype": "<U400000000", "shape": [1]},
    "array": {"array": [0.5, 2.0], "dtype": "<f8", "shape": [2]},
    "instance": {"type": "OrdinalScale", "fields": {"labels": [1, 2]}},
    "interval": {"tuple": [0.5, 0.4]},
}
DAMAGES = (*REPLACEMENTS, "removed", "doubled", "first removed", "first repeated")


@cache
def saved_results():
    """Return the class, and the content of the file, of small results by name."""
    rng = np.random.default_rng(0)
    y = np.arange(24) % 3
    X = np.c_[y + rng.normal(size=24), rng.normal(size=24)]
    y_pred = np.clip(y + rng.integers(-1, 2, 24), 0, 2)
    y_proba = rng.dirichlet([1, 2, 1], 24)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    options = {"cv": 2, "verbose": False}
    comparison = compare_estimators(
        {"tree": tree}, X, y, scoring=["cem_ord", "neg_log_loss"], random_state=0, **options
    )
    counted = OrdinalConfusion.from_predictions(
        ["a", "b", "c", "a"], ["a", "c", None, "b"], labels=["a", "b", "c"], unanswered="count"
    )
    results = {
        "report": OrdinalReport.from_confusion(counted, zero_division=0.0),
        "probabilities": OrdinalReport.from_predictions(
            y, y_pred, y_proba=y_proba, prevalence=[0.2, 0.3, 0.5], metrics=["cem_ord", "log_loss"]
        ),
        "folds": cross_val_report(
            tree, X, y, scoring=["cem_ord", "ranked_probability_score"], **options
        ),
        "folds at a prevalence": cross_val_report(
            tree,
            X,
            y,
            scoring="neg_ordinal_mean_absolute_error",
            prevalence=[0.2, 0.3, 0.5],
            **options,
        ),
        "comparison": comparison,
        "pairs": comparison.pairwise(reference="tree"),
        "systems": compare_systems(
            y,
            {"one": y_pred, "two": y_pred[::-1], "three": y},
            metrics=["cem_ord", "accuracy"],
            n_resamples=19,
            random_state=0,
        ),
        "systems in groups": compare_systems(
            y,
            {"one": y_pred, "two": y_pred[::-1], "three": y},
            by=np.array(["n", "s", "w"])[np.minimum(np.arange(24) // 8, np.arange(24) % 23)],
            n_resamples=19,
            random_state=0,
        ),
        "change": report_change(
            OrdinalConfusion.from_predictions(y, y_pred),
            OrdinalConfusion.from_predictions(y, y_pred[::-1]),
            "cem_ord",
        ),
        "data sets": compare_on_data_sets(
            {"a": (X[::2], y[::2]), "b": (X[1::2], y[1::2])},
            {"tree": tree, "other": tree, "third": tree},
            cv=2,
            verbose=False,
        ),
        "contrasts": GroupReport.from_predictions(
            y,
            y_pred,
            by=np.array(["n", "s", "w"])[np.arange(24) // 3 % 3],
            metrics=["cem_ord"],
            n_permutations=0,
        ).contrasts(),
        "agreement": agreement_report(
            OrdinalRatings.from_ratings(np.stack([y, y_pred, y[::-1]], axis=1)), metrics="cem_ord"
        ),
        "consensus": consensus(OrdinalRatings.from_ratings([[1, 2], [2, None], [None, None]])),
        "judges": compare_judge(
            OrdinalRatings.from_ratings(np.c_[y, y_pred, y[::-1]]),
            {"one": np.roll(y, 1), "two": y_pred[::-1]},
            metrics=["cem_ord"],
        ),
        "judge-assisted intervals": judge_assisted_interval(
            np.where(np.arange(48) < 32, np.tile(y, 2), np.nan),
            np.tile(y_pred, 2),
            np.tile(np.roll(y, 3), 2),
            "accuracy",
        ),
        "groups": GroupReport.from_predictions(
            y,
            y_pred,
            by=np.array(["n", "s"])[np.arange(24) % 2],
            metrics=["cem_ord"],
            n_permutations=19,
            random_state=0,
        ),
    }
    # The numbers in the result are for other programs and are not read.
    return {
        name: (type(result), {**json.loads(result.to_json()), "result": {}})
        for name, result in results.items()
    }


def places(content):
    """Return the path to each value of JSON, the whole left out."""
    found, to_visit = [], [()]
    while to_visit:
        path = to_visit.pop()
        value = value_at(content, path)
        keys = value if isinstance(value, dict) else range(len(value)) if is_list(value) else ()
        # The items of an array are alike.
        inner = [(*path, key) for key in keys][: 3 if is_list(value) else None]
        found += inner
        to_visit += inner
    return found


def is_list(value):
    return isinstance(value, list)


def value_at(content, path):
    for key in path:
        content = content[key]
    return content


def damaged(content, path, damage):
    """Return a copy of JSON with other content at a place, None if it is as before."""
    changed = copy.deepcopy(content)
    *outer, key = path
    parent = value_at(changed, outer)
    value = parent[key]
    if damage in REPLACEMENTS:
        parent[key] = REPLACEMENTS[damage]
    elif damage == "removed":
        del parent[key]
    elif damage == "doubled":
        if isinstance(parent, list):
            parent.insert(key, value)
        else:
            parent[f"{key}2"] = value
    elif isinstance(value, list | dict) and value:
        first = next(iter(value)) if isinstance(value, dict) else 0
        if damage == "first repeated":
            if isinstance(value, dict):
                return None
            value.append(value[0])
        else:
            del value[first]
    return None if json.dumps(changed) == json.dumps(content) else changed


def outcome(kind, content, path):
    """Return "refused" or "drawn" for a file, and raise if it is neither."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return outcome_of_file(kind, path)


def outcome_of_file(kind, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = kind.from_json(path)
        except ValueError as error:
            message = str(error)
            assert "\n" not in message, message
            assert len(message) < 1000
            return "refused"
        assert repr(result)
        assert result.to_text(details=True)
        assert result.to_html()
        assert result.to_markdown(details=True)
        assert result.to_latex(details=True)
        assert result.to_frame() is not None
        result.to_json(path)
    return "drawn"


def main():
    sys.modules["matplotlib"] = None
    counts, failures = Counter(), Counter()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "result.json")
        wanted = sys.argv[1:]
        for name, (kind, content) in saved_results().items():
            if wanted and name not in wanted:
                continue
            for place in places(content):
                for damage in DAMAGES:
                    changed = damaged(content, place, damage)
                    if changed is None:
                        continue
                    try:
                        counts[name, outcome(kind, changed, path)] += 1
                    except Exception as error:
                        counts[name, "failed"] += 1
                        failures[name, type(error).__name__, str(error)[:80]] += 1
                        if failures[name, type(error).__name__, str(error)[:80]] <= 2:
                            print(name, damage, place, repr(error)[:150], flush=True)
            print({key: n for key, n in counts.items() if key[0] == name}, flush=True)


if __name__ == "__main__":
    main()
