"""Documents: the content of a result as data, and a renderer for each format."""

from sklearn_ordinal._documents._atomic_writing import FilePath as FilePath
from sklearn_ordinal._documents._atomic_writing import write_text as write_text
from sklearn_ordinal._documents._characters import ELLIPSIS as ELLIPSIS
from sklearn_ordinal._documents._characters import cut as cut
from sklearn_ordinal._documents._characters import cut_names as cut_names
from sklearn_ordinal._documents._characters import one_spaced as one_spaced
from sklearn_ordinal._documents._characters import record_name as record_name
from sklearn_ordinal._documents._characters import visible as visible
from sklearn_ordinal._documents._document import MOST_ROWS as MOST_ROWS
from sklearn_ordinal._documents._document import Cell as Cell
from sklearn_ordinal._documents._document import Code as Code
from sklearn_ordinal._documents._document import Column as Column
from sklearn_ordinal._documents._document import DeferredParts as DeferredParts
from sklearn_ordinal._documents._document import Document as Document
from sklearn_ordinal._documents._document import Figure as Figure
from sklearn_ordinal._documents._document import Note as Note
from sklearn_ordinal._documents._document import Part as Part
from sklearn_ordinal._documents._document import Row as Row
from sklearn_ordinal._documents._document import Section as Section
from sklearn_ordinal._documents._document import Table as Table
from sklearn_ordinal._documents._document import lowest_and_highest as lowest_and_highest
from sklearn_ordinal._documents._exact_values import decoded as decoded
from sklearn_ordinal._documents._exact_values import encoded as encoded
from sklearn_ordinal._documents._html import as_fragment as as_fragment
from sklearn_ordinal._documents._html import as_page as as_page
from sklearn_ordinal._documents._json import as_json as as_json
from sklearn_ordinal._documents._json import load as load
from sklearn_ordinal._documents._latex import as_latex as as_latex
from sklearn_ordinal._documents._markdown import as_markdown as as_markdown
from sklearn_ordinal._documents._numbers import as_percent as as_percent
from sklearn_ordinal._documents._numbers import cell_text as cell_text
from sklearn_ordinal._documents._numbers import counted as counted
from sklearn_ordinal._documents._numbers import names_in_words as names_in_words
from sklearn_ordinal._documents._numbers import plural as plural
from sklearn_ordinal._documents._numbers import pvalue_in_words as pvalue_in_words
from sklearn_ordinal._documents._plain_text import as_text as as_text
from sklearn_ordinal._documents._plain_values import plain as plain
from sklearn_ordinal._documents._views import Views as Views
from sklearn_ordinal._documents._views import as_csv as as_csv
from sklearn_ordinal._documents._views import check_digits as check_digits
from sklearn_ordinal._documents._views import current_date as current_date
from sklearn_ordinal._documents._views import current_versions as current_versions
from sklearn_ordinal._documents._views import returned_or_written as returned_or_written
from sklearn_ordinal._documents._views import versions_as_text as versions_as_text

__all__: list[str] = []
