"""Slots that systems leave out, get wrong, repeat or invent, and their slot error rates."""

from rainbow.systems.slot_errors.per_utterance import utterance_slot_errors
from rainbow.systems.slot_errors.slot_errors import slot_errors

__all__ = ["slot_errors", "utterance_slot_errors"]
