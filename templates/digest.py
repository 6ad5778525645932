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
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gapsmith.templates.errors import GapsmithError
from gapsmith.templates.lexicon import lexicon_for
from gapsmith.templates.model import Condition, Paradigm

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
    """What the file says of the words that fill the form."""
    slots = {
        name: _without_defaults(table.model_dump(exclude={"latent"}, exclude_defaults=True)) for name, table in raw.slots.items()
    }
    return _without_defaults(
        {
            "slots": slots,
            "constraints": [_without_defaults(c.model_dump()) for c in raw.constraints],
            "items": raw.items,
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
            "labels": {name: list(table.levels.items()) for name, table in raw.factors.items()},
            "condition_labels": dict(raw.conditions),
            "regions": [[r.name, r.title, r.role] for r in raw.regions],
            "title": raw.title,
            "description": _one_space(raw.description),
            "source": raw.source,
        }
    )


def lexicon_contents(paradigm: Paradigm) -> list[Any]:
    """The content of every word list that the paradigm names, in the order of the slots; None for one that is not there."""
    contents: list[Any] = []
    for slot in paradigm.slots:
        if slot.lexicon is None:
            continue
        try:
            lexicon = lexicon_for(slot.lexicon, paradigm.path)
        except GapsmithError:
            contents.append(None)
            continue
        contents.append([[entry.form, sorted(entry.columns.items())] for entry in lexicon.entries])
    return contents


def read_as(made_with: Paradigm, today: Paradigm) -> Paradigm:
    """The form of `made_with` under the words and predictions of `today`, matched by the names of conditions and regions.

    Where the forms are the same, that is `today`. Else a condition that `today` does not have, or whose critical region
    `made_with` has no words for, keeps its own expectation; designs, contrasts and criteria are those of `today` whose
    conditions `made_with` has."""
    if made_with.form_digest == today.form_digest and made_with.form_digest:
        return today
    declared = {region.name for region in made_with.regions}
    conditions = tuple(_expected(condition, today, declared) for condition in made_with.conditions)
    variants = {chosen: read_as(variant, today.variants.get(chosen, today)) for chosen, variant in made_with.variants.items()}
    names = {condition.name for condition in conditions}
    roles = {region.name: region for region in today.regions}
    return replace(
        made_with,
        title=today.title,
        clause=today.clause if today.clause in declared else made_with.clause,
        description=today.description,
        source=today.source,
        conditions=conditions,
        variants=variants,
        designs=tuple(d for d in today.designs if names.issuperset(d.conditions)) or made_with.designs,
        regions=tuple(roles.get(region.name, region) for region in made_with.regions),
        contrasts=tuple(c for c in today.contrasts if names.issuperset(term.condition for term in c.terms)),
        criteria=tuple(c for c in today.criteria if names.issuperset(o.condition for o in c.formula.operands)),
        predictions_digest=today.predictions_digest,
    )


def _expected(condition: Condition, today: Paradigm, declared: set[str]) -> Condition:
    new = today.condition_by_name.get(condition.name)
    if new is None:
        return condition
    critical = new.critical
    if critical is not None and (critical not in declared or condition.regions.get(critical) == ""):
        critical = condition.critical
    return replace(condition, status=new.status, label=new.label, critical=critical)


def _sorted_texts(when: Mapping[str, str]) -> dict[str, str | None]:
    return {"_".join(sorted(key.split("_"))): _one_space(text) for key, text in when.items()}


def _one_space(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def _without_defaults(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value not in (None, "", False, [], {})}
