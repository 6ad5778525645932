"""The JSON schema of an answer in slot mode, made from the paradigm's visible slots.

It keeps to what the structured-output modes of Gemini, OpenAI and the local servers all take: an object at the top,
every property required, none besides, enumerations for closed classes. How many items are wanted is said in the
prompt: length limits on arrays make some servers refuse the schema.
"""

from __future__ import annotations

from typing import Any

from gapsmith.prompts.advice import Advice
from gapsmith.prompts.context import offered
from gapsmith.templates import Choice, Paradigm, Slot

ITEMS = "items"
"""The property of the answer that holds the list."""


def slot_schema(paradigm: Paradigm, advice: Advice | None = None) -> dict[str, Any]:
    """The schema: ``{"items": [{slot: string, …}, …]}``, slots in the paradigm's order. A closed slot takes what the prompt
    offers for it."""
    properties = {
        **{choice.name: _choice_property(choice) for choice in paradigm.choices},
        **{slot.name: _slot_property(slot, advice or Advice()) for slot in paradigm.visible_slots},
    }
    return {
        "type": "object",
        "properties": {
            ITEMS: {
                "type": "array",
                "description": "the item sets, one object each",
                "items": {
                    "type": "object",
                    "properties": properties,
                    "required": list(properties),
                    "additionalProperties": False,
                },
            }
        },
        "required": [ITEMS],
        "additionalProperties": False,
    }


def _choice_property(choice: Choice) -> dict[str, Any]:
    said = "which kind of item this is; slots that this kind does not show are left empty"
    return {"type": "string", "description": said, "enum": list(choice.levels)}


def _slot_property(slot: Slot, advice: Advice) -> dict[str, Any]:
    described: dict[str, Any] = {"type": "string", "description": slot.description}
    if slot.closed:
        described["enum"] = list(offered(slot, advice))
    return described
