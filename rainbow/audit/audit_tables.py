"""The tables of an audit."""

from rainbow.scoring.result_tables import Table

COSTS = Table("metric_costs", "How long does each metric take?", "metric")
WEAKNESSES = Table("metric_weaknesses", "Which faults does each metric see?", "metric kind")

TABLES = (
    COSTS,
    WEAKNESSES,
    Table("audit_search", "How often does a search find nonsense that scores above good texts?", "strategy baseline"),
    Table("audit_found", "What did the search find?", "strategy mr text compared_with"),
    Table("word_changes", "Which words raise a score, and which lower it?", "word"),
)
