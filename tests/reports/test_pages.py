"""Reports as files of HTML."""

import hashlib
import re
import sys
from base64 import b64encode
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion, OrdinalReport
from tests.pages import Page, numbers

NAMES = ["<script>alert(1)</script>", 'a "quoted" & <b>bold</b> name', "--> ]]> $x_1$", "fine"]
COUNTS = [[5, 2, 0, 0], [1, 9, 3, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
# Hypothesis also draws strings that stand in the source.
RESERVED = {"accuracy", "criteria", "unanswered", "macro avg", "weighted avg"}
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1)


def report(**options):
    confusion = OrdinalConfusion.from_counts(COUNTS)
    return OrdinalReport.from_confusion(
        confusion, **{"target_names": NAMES, "zero_division": 0.0, **options}
    )


def written(path, **options):
    report().to_html(path / "report.html", **options)
    return (path / "report.html").read_text(encoding="utf-8")


def test_the_page_has_a_language_an_encoding_a_title_and_fits_telephones(tmp_path):
    text = written(tmp_path, title="Grades <of> 2026")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert ("html", {"lang": "en"}) in page.tags
    assert ("meta", {"charset": "utf-8"}) in page.tags
    assert page.texts["title"] == page.texts["h1"] == "Grades <of> 2026"
    viewport = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
    assert ("meta", viewport) in page.tags


def test_tables_hold_the_numbers_of_the_dict(tmp_path):
    page, expected = Page(written(tmp_path)), report().to_dict()
    classes, criteria = page.rows("Classes"), page.rows("Criteria")
    assert list(classes) == [*NAMES, "accuracy", "macro avg", "weighted avg"]
    columns = {"mean_absolute_error": "MAE", "within_1": "within 1"}
    for name in (*NAMES, "macro avg", "weighted avg"):
        row = {columns.get(measure, measure): value for measure, value in expected[name].items()}
        np.testing.assert_equal(numbers(classes[name]), row)
    assert numbers(classes["accuracy"]) == {"f1-score": expected["accuracy"], "support": 21}
    found = {name: row["value"][1] for name, row in criteria.items()}
    np.testing.assert_equal(found, expected["criteria"])
    assert criteria["ordinal_mean_absolute_error"]["range"][0] == "0 to 3"
    assert criteria["ordinal_mean_absolute_error"]["an error costs"][0] == "the number of classes"


def test_samples_without_a_prediction_are_mentioned(tmp_path):
    confusion = OrdinalConfusion.from_predictions(
        [0, 1, 1], [0, 1, None], labels=[0, 1], unanswered="count"
    )
    OrdinalReport.from_confusion(confusion, zero_division=0.0).to_html(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 samples without a prediction" in text


def test_nothing_comes_from_outside(tmp_path):
    text = written(tmp_path)
    page = Page(text)
    assert "://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert {tag for tag, _ in page.tags}.isdisjoint({"link", "iframe", "object", "embed", "img"})
    for _, attrs in page.tags:
        for name in ("src", "href", "xlink:href"):
            assert attrs.get(name, "#").startswith(("#", "data:image/png;base64,"))
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    assert "@import" not in text


def test_only_the_script_of_the_page_may_run(tmp_path):
    page = Page(written(tmp_path))
    (policy,) = (
        attrs["content"]
        for _, attrs in page.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    digest = b64encode(hashlib.sha256(page.texts["script"].encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}';" in policy
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(TEXTS.filter(lambda name: name not in RESERVED), min_size=4, max_size=4, unique=True)
)
def test_any_name_is_text_and_stays_what_it_is(names):
    page = Page(report(target_names=names)._repr_html_())
    assert list(page.rows("Classes"))[:4] == names
    assert {tag for tag, _ in page.tags} == {
        *("div", "style", "table", "caption", "span", "thead", "tbody", "tr", "th", "td", "wbr")
    }


def test_the_same_report_gives_the_same_bytes_whatever_the_style_of_the_user(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    report().to_html(tmp_path / "a.html")
    with plt.style.context("dark_background"):
        report().to_html(str(tmp_path / "b.html"))
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_letters_of_pictures_have_the_size_of_the_page_and_the_family_of_the_user(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    report().to_html(tmp_path / "a.html")
    with plt.style.context({"font.size": 24, "font.weight": "bold"}):
        report().to_html(tmp_path / "b.html")
    with plt.style.context({"font.family": ["DejaVu Serif"]}):
        report().to_html(tmp_path / "c.html")
    a, b, c = ((tmp_path / f"{name}.html").read_bytes() for name in "abc")
    assert a == b != c


def test_sums_of_weights_are_not_powers_of_ten(tmp_path):
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1_676_000.5, 2])
    OrdinalReport.from_confusion(confusion).to_html(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1676002 total weight" in text


def test_pictures_are_named_and_their_ids_do_not_clash(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    open_figures = plt.get_fignums()
    text = written(tmp_path)
    page = Page(text)
    assert plt.get_fignums() == open_figures
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert [attrs["role"] for attrs in pictures] == ["img", "img"]
    assert pictures[0]["aria-label"] == (
        "Confusion matrix of 4 classes: 67% of the predictions are right, "
        "100% at most one class away."
    )
    assert 'a "quoted" & <b>bold</b> name 69%' in pictures[1]["aria-label"]
    ids = Counter(attrs["id"] for _, attrs in page.tags if "id" in attrs)
    assert set(ids.values()) == {1}
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    assert used
    assert used <= ids.keys()


def test_a_matrix_of_many_classes_has_no_numbers(tmp_path):
    pytest.importorskip("matplotlib")
    confusion = OrdinalConfusion.from_counts(np.ones((41, 41), int))
    OrdinalReport.from_confusion(confusion).to_html(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 41 < text.count('id="picture1-text_') < 41**2


def test_without_matplotlib_the_page_says_how_to_get_pictures(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = written(tmp_path)
    page = Page(text)
    assert 'pip install "sklearn_ordinal[plot]"' in page.texts["p"]
    assert "svg" not in {tag for tag, _ in page.tags}
    assert len(page.tables) == 2


def test_a_directory_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        report().to_html(tmp_path / "nowhere" / "report.html")
