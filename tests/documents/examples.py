"""Small documents, and names that are hard to render."""

import math
from typing import get_args

from hypothesis import strategies as st

from sklearn_ordinal._documents.document_parts import (
    Code,
    Column,
    Document,
    Kind,
    Note,
    Section,
    Table,
)

HOSTILE = "<script>alert(1)</script>"
NAMES = st.text(max_size=120)
NUMBERS = st.floats() | st.integers(-(10**30), 10**30)

CLASSES = Table(
    "Classes, from the lowest to the highest",
    (
        Column("class"),
        Column("recall", "number"),
        Column("bias", "number", is_signed=True),
        Column("95% interval", "interval"),
        Column("p", "pvalue"),
        Column("support", "number"),
    ),
    (
        ("bad", 0.51, 0.209, (0.4185, 0.6), 0.0001, 12),
        ("so_so", 1 / 3, -0.0001, (math.nan, 1.0), 0.2, 3),
        ("good", math.nan, None, None, None, 40),
    ),
    (("macro avg", 0.5, None, None, None, 55),),
)
DETAILS = Section("Each fold", (Note("fold by fold"),), is_detail=True)
WHOLE = Document(
    "Grades",
    (
        Note("55 samples, 3 classes."),
        CLASSES,
        Section("Failed fits", (Note("One."), Code("Traceback\n  line 1\n"), DETAILS)),
    ),
)


def table_of(names, title="names"):
    """Return a document with a table of names, each with a number."""
    columns = (Column("name"), Column("value", "number"))
    rows = tuple((name, float(position)) for position, name in enumerate(names))
    return Document("title", (Table(title, columns, rows),))


@st.composite
def documents(draw):
    """Draw documents with arbitrary names everywhere."""
    kinds = draw(st.lists(st.sampled_from(list(get_args(Kind))), max_size=12))
    columns = [Column(draw(NAMES))]
    columns += [Column(draw(NAMES), kind, is_detail=draw(st.booleans())) for kind in kinds]
    cells = {
        "text": NAMES,
        "number": NUMBERS | st.none(),
        "interval": st.tuples(NUMBERS, NUMBERS) | st.none(),
        "estimate": st.tuples(NUMBERS, NUMBERS, NUMBERS) | st.none(),
        "pvalue": st.floats(0, 1) | st.just(math.nan),
    }
    rows = st.tuples(*(cells[column.kind] for column in columns))
    table = Table(
        draw(NAMES),
        tuple(columns),
        tuple(draw(st.lists(rows, max_size=4))),
        tuple(draw(st.lists(rows, max_size=2))),
    )
    # Lines of code are not cut.
    code = Code(draw(st.text(max_size=8)))
    inner = Section(draw(NAMES), (table, Note(draw(NAMES)), code), draw(st.booleans()))
    outer = Section(draw(NAMES), (Note(draw(NAMES), is_small=True), inner))
    return Document(draw(NAMES), (outer, table), digits=draw(st.integers(0, 100)))
