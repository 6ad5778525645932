"""The words of roles for statistics over items that came as sentences: what plays which part, where no slot says it. The only place that
reads roles for numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from gapsmith.bank import Bank, ItemFilter, StoredItem
from gapsmith.parsing import parse_store
from gapsmith.scoring.observations import RoleWord, RoleWords
from gapsmith.templates import NO_PART, count
from gapsmith.vetting.roles import ItemRoles, Origin, RoleReader
from gapsmith.vetting.rules import ItemView, Linter, load_knowledge

NEARLY_ALL = 0.95
"""A role joins the words where at least this share of the items has it: what items lack says more of them than of words."""
_SAID = {
    Origin.SLOT: "slots",
    Origin.REGION: "named regions",
    Origin.DIFFERENCE: "what differs between the conditions",
    Origin.WORDS: "the words of the pairs",
    Origin.PARSE: "the bundled parser",
}


def role_words(bank: Bank, paradigms: Sequence[str], root: Path | None) -> RoleWords | None:
    """The words of roles in the items of these paradigms (all, where none is named) that have no slots; None where all items have them."""
    found: dict[int, dict[str, RoleWord]] = {}
    told: list[str] = []
    for name in paradigms or bank.paradigms.names():
        items = [item for item in bank.items.iterate(ItemFilter(paradigm=name, in_results=True)) if not item.slots]
        if items:
            own, said = _of_paradigm(bank, items, root)
            found |= own
            told.append(f"{name}: {said}")
    return RoleWords(found, "; ".join(told)) if told else None


def _of_paradigm(bank: Bank, items: Sequence[StoredItem], root: Path | None) -> tuple[dict[int, dict[str, RoleWord]], str]:
    reader = RoleReader(lambda parser: parse_store(bank, parser))
    knowledge = load_knowledge(root)
    linters = {one: Linter(bank.paradigms.reading(one), knowledge, reader=reader) for one in {item.paradigm_id for item in items}}
    for one, linter in linters.items():
        linter.look_ahead([item for item in items if item.paradigm_id == one])
    read: dict[int, dict[str, RoleWord]] = {}
    origins: defaultdict[str, Counter[Origin]] = defaultdict(Counter)
    for item in items:
        linter = linters[item.paradigm_id]
        read[item.id] = {}
        roles = linter.roles(ItemView(item, linter.paradigm))
        for name, word, origin in _named(roles):
            read[item.id][name] = word
            origins[name][origin] += 1
    enough = {name for name, of in origins.items() if of.total() >= NEARLY_ALL * len(items)}
    joined = [
        f"{name} in {of.total():,} of {count(len(items), 'item')} by {' and '.join(_SAID[origin] for origin, _ in of.most_common())}"
        for name, of in origins.items()
        if name in enough
    ]
    few = [f"{name} in {of.total():,}" for name, of in origins.items() if name not in enough]
    said = ", ".join(joined) or "no role is in nearly all items"
    said += f" (left out, being in too few: {', '.join(few)})" if few else ""
    return {number: {name: word for name, word in own.items() if name in enough} for number, own in read.items()}, said


def _named(roles: ItemRoles) -> list[tuple[str, RoleWord, Origin]]:
    """Each role under a name of its own: a second one of a kind has a number. Words that play no part are no roles here."""
    numbers: Counter[str] = Counter()
    found = []
    for role in roles.roles:
        if role.name in NO_PART:
            continue
        numbers[role.name] += 1
        name = f"role_{role.name}" + (f"_{numbers[role.name]}" if numbers[role.name] > 1 else "")
        # What is only in some conditions is read where it stands, and nowhere else.
        places = roles.places(role) or ({roles.base: role.at} if roles.base is not None else {})
        starts = {condition: at[0] for condition, at in places.items() if at is not None}
        found.append((name, RoleWord(role.form.casefold(), starts), role.origin))
    return found
