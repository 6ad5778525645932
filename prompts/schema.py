"""The JSON schema of an answer in slot mode, made from the paradigm's visible slots.

It keeps to what the structured-output modes of Gemini, OpenAI and the local servers all take: an object at the top,
every property required, none besides, enumerations for closed classes. How many items are wanted is said in the
prompt: length limits on arrays make some servers refuse the schema.
"""

from __future__ import annotations

from typing import Any

from prompts.advice import Advice
from prompts.context import offered
from templates.model import Paradigm, Slot

__all__ = ["ITEMS", "slot_schema"]

ITEMS = "items"
"""The property of the answer that holds the list."""


def slot_schema(paradigm: Paradigm, advice: Advice | None = None) -> dict[str, Any]:
    """The schema: ``{"items": [{slot: string, …}, …]}``, slots in the paradigm's order. A closed slot takes what the prompt
    offers for it."""
    names = [slot.name for slot in paradigm.visible_slots]
    return {
        "type": "object",
        "properties": {
            ITEMS: {
                "type": "array",
                "description": "the item sets, one object each",
                "items": {
                    "type": "object",
                    "properties": {
                        slot.name: _slot_property(slot, advice or Advice()) for slot in paradigm.visible_slots
                    },
                    "required": names,
                    "additionalProperties": False,
                },
            }
        },
        "required": [ITEMS],
        "additionalProperties": False,
    }


def _slot_property(slot: Slot, advice: Advice) -> dict[str, Any]:
    described: dict[str, Any] = {"type": "string", "description": slot.description}
    if slot.closed:
        described["enum"] = list(offered(slot, advice))
    return described
