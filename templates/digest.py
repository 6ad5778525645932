"""The only place that decides what makes two paradigm files the same: digests over what they say, part by part, not over how it
is written.

Three parts: the **form** decides the shape of the sentences, the **words** fill it, the **predictions** say what is expected.
Comments, white space, the order of tables, and keys that say what would hold without them change no digest. Order counts
where it means something: levels, regions, slots, conditions of a design, contrasts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gapsmith.templates.schema import ParadigmFile


def digest_of(content: Any) -> str:
    """32 hexadecimal digits that stand for plain content: mappings by sorted keys, sequences in their order."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def form_of(raw: ParadigmFile) -> dict[str, Any]:
    """What decides the shape of the sentences. Ordered things are lists."""
    return _without_defaults(
        {
            "factors": [[name, list(table.levels)] for name, table in raw.factors.items()],
            "conditions": list(raw.conditions),
            "choices": [[name, list(table.levels.items())] for name, table in raw.choices.items()],
            "regions": [[r.name, _one_space(r.text), _sorted_texts(r.when)] for r in raw.regions],
            "slots": list(raw.slots),
            "latent": [name for name, table in raw.slots.items() if table.latent],
            "punctuation": raw.final_punctuation,
        }
    )


def words_of(raw: ParadigmFile) -> dict[str, Any]:
    """What the file says of the words that fill the form, and how they are drawn."""
    slots = {
        name: _without_defaults(table.model_dump(exclude={"latent", "parts"}, exclude_defaults=True))
        for name, table in raw.slots.items()
    }
    return _without_defaults(
        {
            "slots": slots,
            "constraints": [_without_defaults(c.model_dump()) for c in raw.constraints],
            "items": raw.items,
            "balance": {name: table.balance for name, table in raw.choices.items() if table.balance},
            "one_word_critical": raw.one_word_critical,
        }
    )


def predictions_of(raw: ParadigmFile) -> dict[str, Any]:
    """What is expected of the sentences, and what things are called."""
    return _without_defaults(
        {
            "status": dict(raw.status),
            "critical": dict(raw.critical),
            "clause": raw.clause,
            "designs": [
                [name, d.conditions if isinstance(d.conditions, str) else list(d.conditions.items()), d.description]
                for name, d in raw.designs.items()
            ],
            "contrasts": [_without_defaults(c.model_dump(exclude_defaults=True)) for c in raw.contrasts],
            "criteria": [_without_defaults(c.model_dump(exclude_defaults=True)) for c in raw.criteria],
            "parts": {name: table.parts for name, table in raw.slots.items() if table.parts},
            "labels": {name: list(table.levels.items()) for name, table in raw.factors.items()},
            "condition_labels": dict(raw.conditions),
            "regions": [[r.name, r.title, r.role] for r in raw.regions],
            "title": raw.title,
            "description": _one_space(raw.description),
            "source": raw.source,
        }
    )


def _sorted_texts(when: Mapping[str, str]) -> dict[str, str | None]:
    return {"_".join(sorted(key.split("_"))): _one_space(text) for key, text in when.items()}


def _one_space(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def _without_defaults(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value not in (None, "", False, [], {})}
