"""The rows that everything flows through, their views, and the one validator of references and rows."""

from rainbow.corpus.corpus import Corpus
from rainbow.corpus.corpus_table import COLUMNS, numbers_in, rater_columns
from rainbow.corpus.rows import RowError
from rainbow.corpus.views import View

__all__ = ["COLUMNS", "Corpus", "RowError", "View", "numbers_in", "rater_columns"]
