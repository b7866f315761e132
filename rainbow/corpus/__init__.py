"""The rows that everything flows through, their views, and the one validator of references and rows."""

from rainbow.corpus.corpus import Corpus, View
from rainbow.corpus.corpus_table import COLUMNS, RowError

__all__ = ["COLUMNS", "Corpus", "RowError", "View"]
