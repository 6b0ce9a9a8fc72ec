"""Damage files of evidence and of reports in every place: ``python -m tests.reports.damaged``."""

import copy
import json
import sys
import tempfile
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScores,
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
def saved():
    """Return the class, and the content of the file, of evidence and reports by name."""
    rng = np.random.default_rng(0)
    y = np.arange(24) % 3
    y_pred = np.clip(y + rng.integers(-1, 2, 24), 0, 2)
    y_proba = rng.dirichlet([1, 2, 1], 24)
    by, clusters = np.array(["n", "s"])[np.arange(24) % 2], np.arange(24) // 2
    weight = rng.uniform(0.5, 2, 24)
    counted = OrdinalConfusion.from_predictions(
        ["a", "b", "c", "a"], ["a", "c", None, "b"], labels=["a", "b", "c"], unanswered="count"
    )
    grades = np.where(rng.random((24, 3)) < 0.2, np.nan, np.c_[y, y_pred, y[::-1]])
    items = {
        "confusion": OrdinalConfusion.from_predictions(y, y_pred, by=by, sample_weight=weight),
        "forecasts": OrdinalForecasts.from_probabilities(y, y_proba, by=by, clusters=clusters),
        "scores": OrdinalScores.from_scores(y, y_proba[:, 2], sample_weight=weight),
        "ratings": OrdinalRatings.from_ratings(
            grades, labels=[0, 1, 2], raters=["a", "b", "c"], sample_weight=weight
        ),
        "report": OrdinalReport.from_confusion(counted, zero_division=0.0),
        "report of probabilities": OrdinalReport.from_predictions(
            y, y_pred, y_proba=y_proba, prevalence=[0.2, 0.3, 0.5], metrics=["cem_ord", "log_loss"]
        ),
    }
    # The numbers in the result are for other programs and are not read.
    contents = {name: json.loads(item.to_json()) for name, item in items.items()}
    return {
        name: (type(items[name]), {key: v for key, v in content.items() if key != "result"})
        for name, content in contents.items()
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
    """Return "refused" or "used" for a file, and raise if it is neither."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return outcome_of_file(kind, path)


def outcome_of_file(kind, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = kind.from_json(path)
        except ValueError as error:
            message = str(error)
            assert "\n" not in message, message
            assert len(message) < 1000
            return "refused"
        assert repr(found)
        if isinstance(found, OrdinalReport):
            assert found.to_text(details=True)
            assert found.to_html()
            assert found.to_markdown(details=True)
            assert found.to_latex(details=True)
            assert found.to_frame() is not None
        assert kind.from_json(_written(found, path)) == found
    return "used"


def _written(found, path):
    found.to_json(path)
    return path


def main():
    sys.modules["matplotlib"] = None
    counts, failures = Counter(), Counter()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "result.json")
        wanted = sys.argv[1:]
        for name, (kind, content) in saved().items():
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
