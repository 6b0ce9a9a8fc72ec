"""The file that lists every id and every answer of systems with a problem."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sklearn_ordinal._command_line._class_columns import as_text, without_unknown
from sklearn_ordinal._command_line._option_values import Accepted
from sklearn_ordinal._documents import write_text

if TYPE_CHECKING:
    from polars import DataFrame, Series


class ProblemRow(NamedTuple):
    """A problem of an id, of its answer, or of a whole file, which has no id."""

    file: str
    problem: str
    id: str | None = None
    answer: str | None = None


def rows_with_problems(
    path: str,
    answers: DataFrame,
    gold: str,
    gold_ids: Series,
    labels: Sequence[str] | None,
    accepted: Accepted,
) -> list[ProblemRow]:
    """Return the problems of the ids and answers of a system, sorted by the ids.

    Parameters
    ----------
    path : str
        The file of the system.
    answers : polars.DataFrame
        Its rows, with the columns "id" and "y_pred".
    gold : str
        The gold file.
    gold_ids : polars.Series
        The ids of the gold file.
    labels : sequence of str or None
        All classes, None if all integers are classes.
    accepted : Accepted
        Which predictions are not a problem.
    """
    texts = as_text(answers["y_pred"])
    known = without_unknown(texts, labels)
    ids = answers["id"].to_list()
    in_gold = set(gold_ids.to_list())
    seen: set[str] = set()
    rows = []
    for name, text, class_ in zip(ids, texts, known, strict=True):
        if name is None:
            rows.append(ProblemRow(path, "no id", None, text))
        elif name not in in_gold:
            rows.append(ProblemRow(path, f"not in {gold}", name, text))
        elif name in seen:
            rows.append(ProblemRow(path, "id occurs before", name, text))
        elif text is None and not accepted.missing:
            rows.append(ProblemRow(path, "no answer", name))
        elif text is not None and class_ is None and not accepted.unknown:
            rows.append(ProblemRow(path, "not a class", name, text))
        seen.add(name)
    if not accepted.missing:
        rows += [ProblemRow(path, "no row", name) for name in in_gold - seen]
    return sorted(rows, key=lambda row: (row.id or "", row.problem))


def write_problem_rows(path: str, rows: Iterable[ProblemRow]) -> None:
    """Write a csv file with a row for each problem, and only the header if there are none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ProblemRow._fields)
    writer.writerows(rows)
    write_text(path, text.getvalue())
