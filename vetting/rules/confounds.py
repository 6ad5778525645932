"""C: what differs between conditions, or repeats between items, besides what is manipulated. All advisory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gapsmith.bank import Severity
from gapsmith.templates import CRITICAL_PLACE, Contrast, chosen_entries, first_of
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import SetRule
from gapsmith.vetting.rules.setfacts import SetFacts

_LISTED = 5
_FEWEST_ITEMS = 10
"""Sets smaller than this have no shares worth a word."""
_FREQUENCY_GAP = 0.5
"""log10 units: a factor of three in frequency."""
_LENGTH_GAP = 2.0
_UNEVEN = 0.2


def _near_duplicates(facts: SetFacts) -> Iterator[Hit]:
    for slot, labels in facts.near_duplicates():
        yield from _at_each(facts, labels, f"items {first_of(labels, _LISTED)} differ in {slot} alone", slot)


def _duplicates(facts: SetFacts) -> Iterator[Hit]:
    for labels in facts.duplicates():
        yield from _at_each(facts, labels, f"items {first_of(labels, _LISTED)} have the same sentences in all conditions")


def _at_each(facts: SetFacts, labels: Sequence[str], said: str, slot: str | None = None) -> Iterator[Hit]:
    """What is said of several items, at each of them."""
    ids = facts.ids_of(labels)
    for place, own in enumerate(ids):
        # One other is enough to say that there are others: of a thousand copies each would name them all.
        yield Hit(said, slot=slot, items=(own, *ids[place == 0 :][:1]), may_stay=not place)


def _odd(facts: SetFacts) -> Iterator[Hit]:
    for odd in facts.edits.odd():
        yield Hit(odd.message, condition=odd.conditions[0], items=facts.ids_of((odd.label,)))


def _nearly_the_same(facts: SetFacts) -> Iterator[Hit]:
    for alike in facts.edits.copies():
        yield Hit(alike.message, items=facts.ids_of((alike.label, alike.others[0])), may_stay=alike.is_first)


def _crossed(facts: SetFacts) -> Iterator[Hit]:
    if facts.paradigm.exhaustive and facts.n_items > 1:
        distinct = ", ".join(f"{len(words)} for {slot}" for slot, words in facts.used.items())
        yield Hit(f"{facts.n_items:,} items are the combinations of few words: {distinct}")


def _overused(facts: SetFacts) -> Iterator[Hit]:
    if facts.paradigm.exhaustive or facts.n_items < _FEWEST_ITEMS:
        return
    for slot in facts.paradigm.visible_slots:
        offered = len(slot.words) or len(slot.closed)
        if slot.lexicon is not None:
            offered = len(chosen_entries(facts.paradigm, slot))
        if slot.closed or offered == 1:
            continue
        limit = max(0.1, 3 / offered) if offered else 0.25
        for word, share in facts.share(slot.name).items():
            count = facts.used[slot.name][word]
            if share > limit and count >= 4:
                having = facts.used[slot.name].total()
                of = "items" if having == facts.n_items else "items that have it"
                yield Hit(f"“{word}” fills {slot.name} in {count} of {having} {of} ({share:.0%})", slot=slot.name)


def _frequency(facts: SetFacts) -> Iterator[Hit]:
    for contrast, one, other in _compared(facts):
        a, b = (facts.conditions[name].mean("critical_frequency") for name in (one, other))
        if a is not None and b is not None and abs(a - b) > _FREQUENCY_GAP:
            yield Hit(
                f"{contrast.name} compares words of unequal frequency: {_label(facts, one)} {10**a:.3g} per million,"
                f" {_label(facts, other)} {10**b:.3g} per million (geometric means)"
            )


def _length(facts: SetFacts) -> Iterator[Hit]:
    for contrast, one, other in _compared(facts):
        a, b = (facts.conditions[name].mean("critical_characters") for name in (one, other))
        if a is not None and b is not None and abs(a - b) > _LENGTH_GAP:
            yield Hit(
                f"{contrast.name} compares words of unequal length: {_label(facts, one)} {a:.1f} characters,"
                f" {_label(facts, other)} {b:.1f}"
            )


def _tokens(facts: SetFacts) -> Iterator[Hit]:
    for name, measured in facts.conditions.items():
        several = sum(count > 1 for count in measured.critical_tokens)
        if several:
            n_critical = len(measured.critical_tokens)
            yield Hit(
                f"{_label(facts, name)}: the critical region has several tokens in {several} of {n_critical} items",
                condition=name,
            )


def _names(facts: SetFacts) -> Iterator[Hit]:
    for slot, genders in facts.genders.items():
        known = genders["f"] + genders["m"]
        if not facts.paradigm.exhaustive and known >= _FEWEST_ITEMS and abs(genders["f"] / known - 0.5) > _UNEVEN:
            yield Hit(f"{slot}: {genders['f']} women's and {genders['m']} men's names", slot=slot)


def _compared(facts: SetFacts) -> Iterator[tuple[Contrast, str, str]]:
    """The pairs of conditions whose critical words a contrast subtracts from each other, where these are not the same."""
    for contrast in facts.paradigm.contrasts:
        if contrast.shares_critical or len(contrast.terms) != 2:
            continue
        one, other = contrast.terms
        if one.place == other.place == CRITICAL_PLACE and {one.condition, other.condition} <= set(facts.conditions):
            yield contrast, one.condition, other.condition


def _label(facts: SetFacts, condition: str) -> str:
    return facts.paradigm.condition(condition).label


RULES = (
    SetRule("C100", Severity.WARNING, _near_duplicates),
    SetRule("C101", Severity.WARNING, _duplicates),
    SetRule("C103", Severity.WARNING, _nearly_the_same),
    SetRule("C104", Severity.WARNING, _odd),
    SetRule("C102", Severity.INFO, _crossed),
    SetRule("C110", Severity.WARNING, _overused),
    SetRule("C120", Severity.INFO, _length),
    SetRule("C130", Severity.INFO, _tokens),
    SetRule("C140", Severity.INFO, _frequency),
    SetRule("C150", Severity.INFO, _names),
)
