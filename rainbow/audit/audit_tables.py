"""The tables of an audit."""

from rainbow.scoring.result_tables import Table

TABLES = (
    Table("audit_search", "How often does a search find nonsense that scores above good texts?", "way than"),
    Table("audit_found", "What did the search find?", "way mr found beside"),
    Table("word_changes", "Which words raise a score, and which lower it?", "word"),
)
