"""Slots that systems omit, get wrong, repeat or add, and slot error rates."""

from rainbow.systems.slot_errors.output_slot_errors import utterance_slot_errors
from rainbow.systems.slot_errors.slot_errors import system_slot_errors

__all__ = ["system_slot_errors", "utterance_slot_errors"]
