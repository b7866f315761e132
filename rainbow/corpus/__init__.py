"""The table of outputs, its views, and the validation of rows and references."""

from rainbow.corpus.corpus import Corpus
from rainbow.corpus.corpus_table import COLUMNS, numeric_columns, rater_columns
from rainbow.corpus.rows import RowError
from rainbow.corpus.views import View

__all__ = ["COLUMNS", "Corpus", "RowError", "View", "numeric_columns", "rater_columns"]
