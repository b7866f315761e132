"""Text of a completion, given as a string or as chat messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

Completion = str | Sequence[Mapping[str, Any]]


def completion_text(completion: Completion) -> str:
    """Return the string itself, or the text of the last assistant message."""
    if isinstance(completion, str):
        return completion
    if not _are_mappings(completion):
        raise ValueError(
            f"{completion!r:.60} is not a text: give a string (it may be empty) or a list of chat messages"
        )
    answers = [message for message in completion if message.get("role") == "assistant"]
    return _content_text(answers[-1].get("content")) if answers else ""


def _are_mappings(values: object) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    return isinstance(values, Sequence) and all(isinstance(value, Mapping) for value in values)


def _content_text(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not _are_mappings(content):
        raise ValueError(f"the content {content!r:.80} is neither a string nor a list of parts with a type")
    return "".join(part.get("text") or "" for part in content if part.get("type") == "text")
