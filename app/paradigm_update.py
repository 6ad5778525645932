"""A paradigm's file against the items in a bank: what differs, and bringing the items up to date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gapsmith.bank import Bank, BankError, ItemFilter, StoredItem
from gapsmith.templates import Paradigm, Sentence, Source, realign, realise, settled_slots


@dataclass(frozen=True, slots=True)
class FormDifference:
    """Items that were made with another content of the paradigm's file than it has now."""

    paradigm_id: int
    items: int
    parts: tuple[str, ...]
    """Which of form, words and predictions differ."""
    changes: tuple[str, ...]
    """What differs, a line each; of the words only that they do."""


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did."""

    items: int
    """Items that follow the file's form now and did not before."""
    same_texts: int
    """Of these, items whose sentences stayed as they were: their decisions and scores stand."""
    new_texts: int
    unaligned: int
    """Items of which a sentence has no regions under the new form."""
    judged: tuple[str, ...] = ()
    """Of those with new texts, items that have answers in acceptability studies to their earlier ones."""


def differences(bank: Bank, name: str) -> list[FormDifference]:
    """How the file of a paradigm differs from what its items were made with, one entry for each content. Raises `BankError`
    where it has no items."""
    today = bank.paradigms.newest(name)
    found = []
    for paradigm_id, items in bank.paradigms.versions(name):
        try:
            made_with = bank.paradigms.load(paradigm_id)
        except BankError as error:
            found.append(FormDifference(paradigm_id, items, ("form", "words", "predictions"), (error.message,)))
            continue
        parts = tuple(
            part
            for part in ("form", "words", "predictions")
            if getattr(made_with, f"{part}_digest") != getattr(today, f"{part}_digest")
        )
        if parts:
            found.append(FormDifference(paradigm_id, items, parts, tuple(_changes(made_with, today))))
    return found


def other_forms(bank: Bank, paradigm: Paradigm) -> str:
    """A sentence for whoever makes or analyses items: that some were made with another form; empty where all is one."""
    if paradigm.name not in bank.paradigms.names():
        return ""
    other = sum(
        items
        for paradigm_id, items in bank.paradigms.versions(paradigm.name)
        if bank.paradigms.reading(paradigm_id).form_digest != paradigm.form_digest
    )
    if not other:
        return ""
    those = "1 item here was" if other == 1 else f"{other:,} items here were"
    return (
        f"{those} made with another form of {paradigm.name} than its file has now: `gapsmith paradigm diff {paradigm.name}` "
        f"shows how they differ, `gapsmith paradigm update {paradigm.name}` brings them up to date"
    )


def update_items(bank: Bank, name: str, *, author: str, dry_run: bool = False) -> Updated:
    """Bring every item of the paradigm to the form that its file has now, as one action that one undo takes back.

    Sentences that were made from words are made from them again; others keep their text and are read again. Decisions and
    scores belong to texts, so they stand where the texts stay."""
    today = bank.paradigms.newest(name)
    same = new = unaligned = 0
    judged: list[str] = []
    action: int | None = None
    with bank.transaction():
        paradigm_id = bank.paradigms.register(today)
        for item in list(bank.items.iterate(ItemFilter(paradigm=name))):
            if not _stale(bank, item, today):
                continue
            slots, sentences = _brought_up_to_date(item, today)
            stays = [(s.condition, s.text) for s in sentences] == [(s.condition, s.text) for s in item.sentences]
            same, new = same + stays, new + (not stays)
            judged += [bank.gate.called(item)] if not stays and bank.review.judged_in_studies([item.id]) else []
            unaligned += any(sentence.regions is None for sentence in sentences)
            if not dry_run:
                action = bank.items.revise(
                    item.id,
                    slots=slots,
                    sentences=sentences,
                    author=author,
                    note=f"{name} was brought up to date",
                    paradigm_id=paradigm_id,
                    action=action,
                ).action
    return Updated(same + new, same, new, unaligned, tuple(judged))


def _stale(bank: Bank, item: StoredItem, today: Paradigm) -> bool:
    # A stored form that no longer reads is read as today's, and still is not today's.
    try:
        return bank.paradigms.load(item.paradigm_id).form_digest != today.form_digest
    except BankError:
        return True


def _brought_up_to_date(item: StoredItem, today: Paradigm) -> tuple[Mapping[str, str] | None, tuple[Sentence, ...]]:
    has_all = item.slots is not None and all(slot.name in item.slots for slot in today.visible_slots)
    if item.slots is not None and has_all and all(s.source is Source.REALISED for s in item.sentences):
        expected = item.expects
        made = realise(today, item.slots)
        return item.slots, tuple(s for s in made if expected is None or s.condition in expected)
    texts: dict[str, str] = {}
    for sentence in item.sentences:
        if sentence.condition in today.condition_by_name:
            texts.setdefault(sentence.condition, sentence.text)
    slots = settled_slots(today, texts, limited=False) if texts else None
    return slots, tuple(realign(today, sentence, slots) for sentence in item.sentences)


def _changes(made_with: Paradigm, today: Paradigm) -> Iterator[str]:
    yield from _named("factor", {f.name: f.levels for f in made_with.factors}, {f.name: f.levels for f in today.factors})
    before, after = made_with.condition_by_name, today.condition_by_name
    yield from _named("condition", dict.fromkeys(before), dict.fromkeys(after))
    for name in [name for name in before if name in after]:
        for region in dict.fromkeys([*before[name].regions, *after[name].regions]):
            old, new = before[name].regions.get(region), after[name].regions.get(region)
            if old != new:
                yield f"{name}, region {region}: {_text(old)} -> {_text(new)}"
        for what in ("status", "critical"):
            old, new = str(getattr(before[name], what)), str(getattr(after[name], what))
            if old != new:
                yield f"{name}, {what}: {old} -> {new}"
    if made_with.final_punctuation != today.final_punctuation:
        yield f"final punctuation: {made_with.final_punctuation!r} -> {today.final_punctuation!r}"
    yield from _named("slot", dict.fromkeys(made_with.slot_by_name), dict.fromkeys(today.slot_by_name))
    yield from _named(
        "design", {d.name: dict(d.labels) for d in made_with.designs}, {d.name: dict(d.labels) for d in today.designs}
    )
    yield from _named("contrast", {c.name: c for c in made_with.contrasts}, {c.name: c for c in today.contrasts})
    if made_with.words_digest != today.words_digest:
        yield "words: descriptions, limits, word lists or what is balanced differ"


def _named(what: str, made_with: Mapping[str, object], today: Mapping[str, object]) -> Iterator[str]:
    for name in dict.fromkeys([*made_with, *today]):
        if name not in today:
            yield f"{what} {name}: not in the file any more"
        elif name not in made_with:
            yield f"{what} {name}: new in the file"
        elif made_with[name] != today[name]:
            yield f"{what} {name}: changed"


def _text(text: str | None) -> str:
    return "no such region" if text is None else repr(text) if text else "empty"
