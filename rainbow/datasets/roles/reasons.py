"""Short reasons for a column's role."""

from __future__ import annotations

from rainbow.datasets.lexicon import has_word_class
from rainbow.datasets.roles.column import Column, are_codes, are_links

# The classes of words that name each role.
CLASSES = {
    "output": ("output", "made"),
    "reference": ("reference", "human_text", "people"),
    "input": ("input",),
    "system": ("system", "by"),
    "item": ("item", "input"),
    "id": ("item", "judgement"),
    "rater": ("rater",),
    "rating": ("rating", "fault", "rank", "asked"),
    "score": ("score",),
    "winner": ("winner", "best"),
    "best": ("best", "winner"),
    "worst": ("worst",),
    "rank": ("rank",),
    "criterion": ("criterion",),
    "mark": ("mark", "rating"),
}
BY_VALUES = {
    "output": "texts that look generated",
    "reference": "texts similar to the outputs",
    "input": "texts that look like inputs",
    "system": "few names, which distinguish outputs",
    "item": "repeats with the input",
    "id": "all values differ",
    "rater": "distinguishes rows with the same output",
    "score": "computed numbers",
    "winner": "one of the two sides",
    "best": "one of the outputs",
    "worst": "one of the outputs",
    "rank": "ranks from 1",
    "criterion": "name of what is rated",
    "mark": "a rating in each row",
}


def role_reason(column: Column, role: str) -> str:
    """Return the reason for a column's role."""
    if role == "unused":
        return _unused_reason(column)
    if has_word_class(column.name, *CLASSES[role]):
        return "its name"
    return _describe_ratings(column) if role == "rating" else BY_VALUES[role]


def _describe_ratings(column: Column) -> str:
    if column.scale:
        return "rating scale labels"
    if not column.numbers:
        return "marks"
    whole = "whole numbers" if column.is_whole else "numbers"
    return f"{whole} from {min(column.numbers):g} to {max(column.numbers):g}"


def _unused_reason(column: Column) -> str:
    if column.kind == "empty":
        return "empty"
    if column.distinct == 1 and len(column.texts) > 1:
        return "constant"
    if column.is_count:
        return "row numbers"
    if column.kind == "names" and are_links(column.texts):
        return "links or files"
    if column.kind == "names" and are_codes(column.texts):
        return "dates, times or codes"
    if has_word_class(column.name, "meta"):
        return "its name"
    return {"number": "numbers without a role", "names": "names without a role", "text": "texts without a role"}.get(
        column.kind, "no role"
    )
