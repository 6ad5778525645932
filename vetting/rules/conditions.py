"""T0, T1: the conditions of an item, one by one and against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from gapsmith.bank import Severity
from gapsmith.templates import Mismatch, listed, slots_in
from gapsmith.vetting.rules.diff import stray_hunks, word_hunks
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import ItemRule
from gapsmith.vetting.rules.shape import first_misfit
from gapsmith.vetting.rules.view import ItemView, shape_of


def _missing(view: ItemView) -> Iterator[Hit]:
    for name in view.expected:
        if name not in view.texts:
            yield Hit(f"the condition {view.label(name)} is missing", condition=name)


def _doubled(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.texts.items():
        if len(texts) > 1:
            how = "with the same text" if len(set(texts)) == 1 else "with different texts"
            yield Hit(f"the condition {view.label(name)} is there {len(texts)} times, {how}", condition=name)


def _unknown(view: ItemView) -> Iterator[Hit]:
    for name in view.texts:
        if name not in view.paradigm.condition_by_name:
            known = ", ".join(view.expected)
            yield Hit(f"{name!r} is no condition of {view.paradigm.name}", condition=name, remedy=f"Use one of: {known}.")
        elif name not in view.expected:
            design = view.paradigm.design_of(view.expected)
            which = f"the design {design.name}" if design is not None else "what the item is meant to have"
            yield Hit(f"the condition {view.label(name)} is not in {which}", condition=name)


def _empty(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.texts.items():
        if any(not text.strip(" \t\n" + view.mark) for text in texts):
            yield Hit(f"the sentence of {view.label(name)} is empty", condition=name)


def _identical(view: ItemView) -> Iterator[Hit]:
    first: dict[str, str] = {}
    for name, text in view.bare.items():
        if text in first:
            yield Hit(f"{view.label(name)} has the same text as {view.label(first[text])}: {text!r}", condition=name)
        first.setdefault(text, name)


def _shape(view: ItemView) -> Iterator[Hit]:
    yield from _given_words(view)
    shapeless = []
    other = other_question(view)
    if other is not None:
        found, wanted, names = other
        said = f"asks with {found!r} in all of {listed([view.label(name) for name in names])}, where {view.paradigm.name} has {wanted!r}"
        yield Hit(said, severity=Severity.INFO)
    for failure in view.reading.failures if view.reading else ():
        if failure.condition not in view.misshapen or (other is not None and failure.condition in other[2]):
            continue
        if failure.expected is None:
            shapeless.append(failure)
        else:
            message = f"{view.label(failure.condition)} {_against_expected(view, failure)}"
            yield Hit(message, condition=failure.condition)
    if shapeless:
        yield _shapeless(view, shapeless)


_ASKING = frozenset({"who", "whom", "what", "which", "whose"})


def other_question(view: ItemView) -> tuple[str, str, list[str]] | None:
    """Which question word stands in every condition that has another one in the paradigm, and nothing else with it: the item is not made of this
    paradigm's words, and no flaw. The word, the paradigm's, and the conditions."""
    failures = [own for own in view.reading.failures if own.expected is not None] if view.reading else []
    swaps: dict[str, tuple[str, str]] = {}
    for failure in failures:
        assert failure.expected is not None
        hunks = word_hunks(failure.found, failure.expected, view.paradigm.final_punctuation)
        pairs = {(" ".join(hunk.left).casefold(), " ".join(hunk.right).casefold()) for hunk in hunks}
        if len(pairs) == 1 and _ASKING.issuperset(next(iter(pairs))):
            swaps[failure.condition] = next(iter(pairs))
    kinds = set(swaps.values())
    if len(kinds) != 1:
        return None
    found, wanted = kinds.pop()
    # Where one condition alone has it, that one is at fault.
    having = [name for name, text in view.bare.items() if found in text.casefold().split() or wanted in text.casefold().split()]
    return (found, wanted, list(swaps)) if len(having) > 1 and set(having) <= set(swaps) else None


def _given_words(view: ItemView) -> Iterator[Hit]:
    """Where a sentence that is given has other words in a region than the paradigm says."""
    for name in view.bare if view.paradigm.given else ():
        for region, wanted in view.paradigm.condition(name).regions.items():
            found = view.region(name, region)
            if found is not None and found.casefold().split() != wanted.casefold().split():
                has = f"{found!r}" if found else "nothing"
                says = f"{wanted!r}" if wanted else "nothing"
                yield Hit(
                    f"{view.label(name)} has {has} in the region {region}, where the paradigm says {says}",
                    condition=name,
                )


def _shapeless(view: ItemView, failures: list[Mismatch]) -> Hit:
    first = failures[0]
    misfit = first_misfit(view.read_with, first.condition, first.found)
    shape = f"the shape “{shape_of(view.paradigm, first.condition)}”"
    if len(failures) == 1:
        because = f"; it {misfit}" if misfit else ""
        message = f"{view.label(first.condition)} does not have {shape}: {first.found!r}{because}"
        return Hit(message, condition=first.condition)
    labels = ", ".join(view.label(failure.condition) for failure in failures)
    because = misfit or f"is no {shape}"
    return Hit(
        f"{len(failures)} sentences do not have the shape of their condition: {labels}; the first of them {because}:"
        f" {first.found!r}, expected {shape}"
    )


def _against_expected(view: ItemView, failure: Mismatch) -> str:
    assert failure.expected is not None
    hunks = word_hunks(failure.found, failure.expected, view.paradigm.final_punctuation)
    parts = []
    for hunk in hunks:
        found, wanted = " ".join(hunk.left), " ".join(hunk.right)
        if found and wanted:
            parts.append(f"has {found!r} where {wanted!r} is expected")
        else:
            parts.append(f"has {found!r} too much" if found else f"lacks {wanted!r}")
    return f"{' and '.join(parts)}; expected {failure.expected!r}"


def _stray(view: ItemView) -> Iterator[Hit]:
    # Where every condition was read, each is what the same words give, and nothing strays.
    if view.reading is None or not view.reading.failures:
        return
    # Which of two conditions that differ is the faulty one, the pair alone does not tell. So all pairs are compared, each pair
    # that differs beyond the design is an edge, and the blame goes where most edges meet (of equals, to one that could not be
    # read): one fault has an edge to every sound condition, each of which has only that one. Its edges are taken out, and so on
    # until none is left, which is a small set of conditions that explains every difference.
    sound = [name for name in view.bare if name not in view.misshapen]
    bad: Counter[str] = Counter()
    edges = []
    for one, other in combinations(sound, 2):
        if stray_hunks(view.read_with, (one, view.bare[one]), (other, view.bare[other]), view.slots):
            edges.append({one, other})
            bad.update((one, other))
    failed = {failure.condition for failure in view.reading.failures}
    while edges:
        worst = max(bad, key=lambda name: (sum(name in e for e in edges), name in failed))
        edges = [edge for edge in edges if worst not in edge]
        yield _stray_hit(view, worst, [name for name in sound if name != worst])
        failed.discard(worst)
    for failure in view.reading.failures:
        if failure.condition in failed and failure.condition not in view.misshapen and failure.expected:
            yield Hit(f"{view.label(failure.condition)} {_against_expected(view, failure)}", condition=failure.condition)


def _stray_hit(view: ItemView, name: str, others: list[str]) -> Hit:
    levels = view.paradigm.condition(name).levels
    strays = {o: stray_hunks(view.read_with, (name, view.bare[name]), (o, view.bare[o]), view.slots) for o in others}
    nearest = min(
        (o for o in others if strays[o]),
        key=lambda o: sum(a != b for a, b in zip(levels, view.paradigm.condition(o).levels, strict=True)),
    )
    words = "; ".join(str(hunk) for hunk in strays[nearest])
    return Hit(f"{view.label(name)} differs from {view.label(nearest)} beyond the design: {words}", condition=name)


def _ambiguous(view: ItemView) -> Iterator[Hit]:
    reading = view.reading
    if reading is None or reading.failures:
        return
    for slot in reading.ambiguous[:1]:
        values = sorted({r[slot] for r in reading.readings})
        listed = " or ".join(repr(value) for value in values[:4])
        yield Hit(f"the sentences can be read in {len(reading.readings)} ways: {slot} is {listed}", slot=slot)


def _other_slots(view: ItemView) -> Iterator[Hit]:
    if view.reading is None or not view.reading.ok or view.item.slots is None:
        return
    for slot in view.paradigm.visible_slots:
        read, stored = view.slots.get(slot.name), view.item.slots.get(slot.name)
        if read is not None and stored is not None and read != stored:
            yield Hit(f"the sentences have {read!r} for {slot.name}, the item's slot says {stored!r}", slot=slot.name)


def _not_read(view: ItemView) -> Iterator[Hit]:
    if view.reading is None and not view.paradigm.given:
        return
    lost = [s.name for s in view.paradigm.visible_slots if s.role and not view.words.get(s.name)]
    there = {name for condition in view.bare for name in _slots_of(view, condition)} if lost else set()
    lost = [name for name in lost if name in there]
    if lost:
        yield Hit(f"{listed(lost)} could not be read from the sentences: the L rules on these words did not run")
    critical = [
        n
        for n in view.bare
        if n in view.expected and (region := view.paradigm.condition(n).critical) is not None and view.region(n, region) is None
    ]
    if critical:
        names = listed([view.label(name) for name in critical])
        yield Hit(f"the critical region of {names} could not be told apart: T021 and T022 did not look at it")


def _slots_of(view: ItemView, condition: str) -> Iterator[str]:
    for text in view.paradigm.condition(condition).regions.values():
        yield from slots_in(text)


def _shared_critical(view: ItemView) -> Iterator[Hit]:
    for contrast in view.paradigm.contrasts:
        if not contrast.shares_critical:
            continue
        words: dict[str, str] = {}
        for term in contrast.terms:
            text = view.region(term.condition, view.paradigm.region_of(term))
            if text is not None:
                words.setdefault(text.casefold(), term.condition)
        if len(words) > 1:
            parts = " and ".join(f"{text!r} in {view.label(name)}" for text, name in words.items())
            yield Hit(
                f"{contrast.name} compares surprisals of different words: {parts}",
                condition=list(words.values())[-1],
            )


def _one_word(view: ItemView) -> Iterator[Hit]:
    if not view.paradigm.one_word_critical:
        return
    for name in view.expected:
        if name not in view.paradigm.condition_by_name:
            continue
        region = view.paradigm.condition(name).critical
        text = view.region(name, region)
        if text is None or len(text.split()) == 1:
            continue
        start, end = view.region_place(name, region) or (None, None)
        what = f"has {len(text.split())} words: {text!r}" if text else "is empty"
        # What people bring is measured as it is, and the sum over several words has a meaning; nothing has none.
        severity = Severity.INFO if text and view.is_imported else None
        yield Hit(f"the critical region of {view.label(name)} {what}", condition=name, start=start, end=end, severity=severity)


RULES = (
    ItemRule("T001", Severity.ERROR, _missing),
    ItemRule("T002", Severity.ERROR, _doubled),
    ItemRule("T003", Severity.ERROR, _unknown),
    ItemRule("T004", Severity.ERROR, _empty),
    ItemRule("T005", Severity.ERROR, _identical),
    ItemRule("T010", Severity.ERROR, _shape),
    ItemRule("T011", Severity.WARNING, _ambiguous),
    ItemRule("T012", Severity.WARNING, _other_slots),
    ItemRule("T013", Severity.INFO, _not_read),
    ItemRule("T020", Severity.ERROR, _stray),
    ItemRule("T021", Severity.ERROR, _shared_critical),
    ItemRule("T022", Severity.ERROR, _one_word),
)
