"""What `gapsmith paradigm check` does, line by line: each check says what it looked at and what it found."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

from gapsmith.app.few_items import few_items
from gapsmith.app.paradigm_view import example_filling
from gapsmith.bank import Severity
from gapsmith.prompts import DEFAULT_N
from gapsmith.scoring.analysis import closed_slots
from gapsmith.scoring.observations import slots_read
from gapsmith.stats import INTERVAL_FROM, WANTED, Pilot, SlotUse, SlotVariance, half_width, pilot_assumed, word_slots
from gapsmith.templates import (
    ENOUGH,
    GapsmithError,
    Paradigm,
    count,
    count_expansions,
    expand,
    expect_lexicons,
    lexicon_of,
    listed,
    read_back,
    realise,
    sample,
    slots_in,
)
from gapsmith.vetting import loose_item
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge

_SAMPLED = 50
_TO_COUNT = 400
"""Items whose words are counted."""
_SHARE = 0.1
"""Of the variance of an item's value: a round number somewhat below what verbs and adverbs carry in subject_pg under GPT-2 (.15, .13)."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: what was looked at, whether it holds, and what was found."""

    what: str
    ok: bool
    detail: str = ""
    warns: bool = False
    """Whether it holds and the detail is something to think about all the same."""


def check_paradigm(paradigm: Paradigm, workspace: Path | None = None, *, n: int | None = None) -> list[CheckResult]:
    """Check a paradigm that loads. One with words: its examples, its words, reading back, critical regions, contrasts, and what
    the linter's template rules say of items made from it. One whose sentences are given: what it says of them. `n` items are meant to
    be made, or as many as are made where nobody says."""
    parts = [
        count(len(paradigm.conditions), "condition"),
        count(len(paradigm.regions), "region"),
        *([] if paradigm.given else [count(len(paradigm.slots), "slot")]),
        count(len(paradigm.designs), "design"),
        count(len(paradigm.contrasts), "contrast"),
        count(len(paradigm.criteria), "criterion", "criteria"),
    ]
    results = [CheckResult("the file is well formed and every name in it refers to something", True, ", ".join(parts))]
    checks: list[tuple[str, Callable[[Paradigm], str]]] = [
        ("the slots' examples give a sentence in every condition", _examples),
        ("slots have roles, by which the linter's lexical rules know them", _roles),
        ("the columns that constraints and offers refer to are in the word lists", _columns),
        ("the word lists are there and give items", _words),
        (f"{_SAMPLED} items read back into the slots they were made from", _reading_back),
        (f"the template rules (T) find nothing in {_SAMPLED} items that are read back", lambda p: _rules(p, workspace)),
        ("the critical region has one word in every condition, where the paradigm asks for that", _one_word),
        ("contrasts that claim to share their critical words do", _shared_words),
        (f"contrasts about some items only that have fewer than {ENOUGH} of them by default", _few),
        ("slots that come only after what is measured", _unread),
        ("contrasts without a verdict, since different words are compared", _unlike),
        (
            f"how far the word lists reach, if a slot's words carry {_SHARE:.0%} of the variance and items are as many as you like",
            lambda p: _reach(p, n),
        ),
    ]
    given: list[tuple[str, Callable[[Paradigm], str]]] = [
        ("the sentences come from files, so there are no words to check", _brought),
        ("what a native speaker is expected to say of each condition", _expectations),
        ("where conditions are measured when a formula names no region", _measured),
        ("something is compared", _compared),
    ]
    for what, check in given if paradigm.given else checks:
        try:
            detail = check(paradigm)
            looks = check in (_few, _unread, _unlike)
            results.append(CheckResult(what, True, detail or "none" if looks else detail, warns=looks and bool(detail)))
        except GapsmithError as problem:
            hint = problem.hint.partition("\n")[0]
            results.append(CheckResult(what, False, f"{problem.message}. {hint}" if hint else problem.message))
    return results


def _brought(paradigm: Paradigm) -> str:
    named = paradigm.name if Path(paradigm.path).stem == paradigm.name else paradigm.path
    return f"`gapsmith import FILE --paradigm {named}` brings them, and `gapsmith lint` asks the rules about them"


def _expectations(paradigm: Paradigm) -> str:
    said = [f"{c.name} {c.expected}" for c in paradigm.conditions if c.status is not None]
    return ", ".join(said) or "not said; add [status] where something is expected"


def _measured(paradigm: Paradigm) -> str:
    said = [f"{c.name} at {c.critical}" for c in paradigm.conditions if c.critical is not None]
    return ", ".join(said) or "nowhere; every formula has to name its region, as in a@object or a@sentence"


def _compared(paradigm: Paradigm) -> str:
    names = [*(c.name for c in paradigm.contrasts), *(c.name for c in paradigm.criteria)]
    return ", ".join(names) or "nothing yet; add [[criteria]] or [[contrasts]] before `gapsmith analyze`"


def _rules(paradigm: Paradigm, workspace: Path | None) -> str:
    linters: dict[int, Linter] = {}
    knowledge = load_knowledge(workspace)
    info: dict[str, None] = {}
    items = _items(paradigm)
    for filling in items:
        variant = paradigm.variant(filling)
        linter = linters.setdefault(id(variant), Linter(variant, knowledge, RuleSelection(select=("T",))))
        # Without its slots the item is read as if somebody had brought it, which asks the rules everything.
        sentences = realise(paradigm, filling)
        for finding in linter.check(loose_item(variant, sentences)):
            if finding.severity.rank >= Severity.WARNING.rank:
                raise GapsmithError(f"{finding.code} in {sentences[0].text!r}: {finding.message}")
            info |= {f"{finding.code}: {finding.message}": None}
    return count(len(items), "item") + "".join(f"; {said}" for said in info)


def _items(paradigm: Paradigm) -> list[dict[str, str]]:
    # Every level as often as every other, so that none goes unchecked.
    stream = expand(paradigm) if paradigm.exhaustive else sample(paradigm.evenly, seed=0)
    return list(islice(stream, _SAMPLED))


def _examples(paradigm: Paradigm) -> str:
    missing = [slot.name for slot in paradigm.visible_slots if not slot.example]
    if missing:
        raise GapsmithError(f"no example for {', '.join(missing)}")
    sentences = realise(paradigm, example_filling(paradigm))
    return sentences[0].text


def _roles(paradigm: Paradigm) -> str:
    without = [slot.name for slot in paradigm.visible_slots if not slot.role]
    return f"none for {', '.join(without)}, so no L rule reads them" if without else "all of them"


def _columns(paradigm: Paradigm) -> str:
    expect_lexicons(paradigm)
    wanted = [slot.offered_by for slot in paradigm.slots if slot.offered_by]
    for constraint in paradigm.constraints:
        wanted += list(zip(constraint.slots, constraint.columns, strict=False))
    for name, column in wanted:
        lexicon = lexicon_of(paradigm, paradigm.slot_by_name[name])
        if lexicon is None:
            raise GapsmithError(f"{name}.{column}: slot {name!r} has no lexicon, so it has no columns")
    return ", ".join(f"{name}.{column}" for name, column in wanted) or "none is referred to"


def _words(paradigm: Paradigm) -> str:
    if paradigm.exhaustive:
        return f"{count(count_expansions(paradigm), 'item')} in all"
    found = len(_items(paradigm))
    if found == 0:
        raise GapsmithError("no item satisfies the constraints with these word lists")
    return f"{count(found, 'different item')} sampled"


def _reading_back(paradigm: Paradigm) -> str:
    items = _items(paradigm)
    for filling in items:
        result = read_back(paradigm, {s.condition: s.text for s in realise(paradigm, filling)})
        if result.ambiguous:
            raise GapsmithError(f"{', '.join(result.ambiguous)} can be read in two ways in {filling}")
        if not result.ok or dict(result.slots or {}) != filling:
            raise GapsmithError(f"{filling} was read as {result.slots}")
    return count(len(items), "item")


def _one_word(paradigm: Paradigm) -> str:
    if not paradigm.one_word_critical:
        return "not asked for"
    for filling in _items(paradigm):
        for sentence in realise(paradigm, filling):
            span = sentence.span(paradigm.condition(sentence.condition).critical)
            if span is None or len(sentence.text[span.start : span.end].split()) != 1:
                raise GapsmithError(f"{sentence.condition}: {sentence.text!r}")
    return ""


def _few(paradigm: Paradigm) -> str:
    """The contrasts that have few of the items that are made where nobody says how many: all, of an exhaustive paradigm."""
    return "; ".join(few_items(paradigm, None if paradigm.exhaustive else DEFAULT_N))


def _unread(paradigm: Paradigm) -> str:
    """The slots that come only after what is measured, in all sentences of all contrasts."""
    if not paradigm.contrasts:
        return ""
    terms = [term for contrast in paradigm.contrasts for term in contrast.terms]
    read = {name for term in terms for name in slots_read(paradigm, term.condition, term.place)}
    there = {name for term in terms for text in paradigm.condition(term.condition).regions.values() for name in slots_in(text)}
    after = [slot.name for slot in paradigm.slots if slot.name in there - read]
    if not after:
        return ""
    come = "comes" if len(after) == 1 else "come"
    return (
        f"{', '.join(after)} {come} only after what is measured, so a model from left to right has not read it: items that "
        "differ in nothing else are one observation, and n counts them once"
    )


def _unlike(paradigm: Paradigm) -> str:
    """The contrasts whose words do not cancel, in how many of the items that were drawn: an analysis gives them no verdict. Whole
    sentences, and places that only a sentence tells, are not looked at."""
    items = [{s.condition: s for s in realise(paradigm, filling)} for filling in _items(paradigm)]
    found = []
    for contrast in paradigm.contrasts:
        if any(paradigm.region_of(term) is None for term in contrast.terms):
            continue
        n, shown = 0, ""
        for sentences in items:
            weights: dict[str, Fraction] = {}
            for term in contrast.terms:
                sentence = sentences[term.condition]
                if span := sentence.span(paradigm.region_of(term)):
                    word = sentence.text[span.start : span.end].casefold()
                    weights[word] = weights.get(word, Fraction(0)) + term.weight
            left = [word for word, weight in weights.items() if weight]
            n += bool(left)
            shown = shown or ", ".join(left)
        if n:
            found.append(f"{contrast.name} (such as {shown}; in {n:,} of {count(len(items), 'item')})")
    if not found:
        return ""
    compare = "compares" if len(found) == 1 else "compare"
    return (
        f"{listed(found)} {compare} different words, so the value also holds how frequent and how long these are, and `gapsmith analyze` "
        "never gives a verdict on that (shares are counted all the same): words cancel where each comes with plus and with minus, as is and "
        "are do in sg_wrong - sg_right + pl_wrong - pl_right, or where a baseline of the same words is taken away"
    )


def _reach(paradigm: Paradigm, n: int | None) -> str:
    """Half the interval of a mean over other words, in standard deviations of the items' values: of each slot by itself, which no number
    of items makes smaller, and of all together, for ever more items and for `n`; of the slots that a contrast has read when it is measured.
    `gapsmith power` computes the same of variances that were measured."""
    fillings = list(expand(paradigm) if paradigm.exhaustive else islice(sample(paradigm.evenly, seed=0), _TO_COUNT))
    closed = closed_slots(paradigm)
    by_slots: dict[tuple[str, ...], list[str]] = {}
    for contrast in paradigm.contrasts:
        read = {name for term in contrast.terms for name in slots_read(paradigm, term.condition, term.place)}
        by_slots.setdefault(tuple(slot.name for slot in paradigm.slots if slot.name in read), []).append(contrast.name)
    found: dict[str, None] = {}
    together: dict[str, list[str]] = {}
    for names, contrasts in by_slots.items():
        rows = [paradigm.in_parts({name: filling.get(name, "") for name in names}) for filling in fillings]
        pilot = pilot_assumed(rows, closed, share=_SHARE, others=True)
        for use in word_slots(rows, closed):
            if not use.closed and use.use != "left out":
                found |= {_alone(use, pilot): None}
        if pilot.slots:
            together.setdefault(_together(rows, closed, pilot, _n_made(paradigm, n)), []).extend(contrasts)
    if not found:
        return ""
    seen = "all" if paradigm.exhaustive else "drawn"
    said = [f"{', '.join(which)}: {said}" if len(together) > 1 else said for said, which in together.items()]
    return "; ".join([f"words counted in {count(len(fillings), 'item')} ({seen}): {'; '.join(found)}", *said])


def _n_made(paradigm: Paradigm, n: int | None) -> int:
    if n is not None:
        return n
    return count_expansions(paradigm) if paradigm.exhaustive else DEFAULT_N


def _alone(use: SlotUse, pilot: Pilot) -> str:
    """What is said of one slot whose words are a sample."""
    if use.n_words < INTERVAL_FROM:
        return f"{use.named} ({count(use.n_words, 'word')}): nothing can be said of other words"
    (own,) = (slot for slot in pilot.slots if slot.name == use.name)
    more = ""
    if use.n_words < WANTED:
        wanted = SlotVariance(use.name, _SHARE, 1 / WANTED)
        more = f", with {WANTED} words {half_width(replace(pilot, slots=(wanted,)), math.inf):.2f}"
    one = replace(pilot, slots=(replace(own, variance=_SHARE),))
    return f"{use.named} ({use.n_words} words): ± {half_width(one, math.inf):.2f} SD{more}"


def _together(rows: Sequence[Mapping[str, str]], closed: Collection[str], pilot: Pilot, n: int) -> str:
    """What is said of all slots whose words are a sample, over other words of all of them and as the test of a contrast has them."""
    too_few = [use for use in word_slots(rows, closed) if not use.closed and use.use == "fixed"]
    two = [use.named for use in too_few if use.n_words < INTERVAL_FROM]
    but = f" (these words of {listed(two)})" if two else ""
    said = f"all of them together{but}: ± {half_width(pilot, math.inf):.2f} SD{_with(pilot, n)}"
    if len(two) == len(too_few):
        return said
    fixed = pilot_assumed(rows, closed, share=_SHARE)
    held = listed([f"{use.named} ({use.n_words})" for use in too_few])
    return f"{said}; for these words of {held}: ± {half_width(fixed, math.inf):.2f} SD{_with(fixed, n)}"


def _with(pilot: Pilot, n: int) -> str:
    """What `n` items give, if they leave anything to test with."""
    return f", with {n:,} items {half_width(pilot, n):.2f}" if n > pilot.n_columns + 1 else f", {n:,} items are too few"


def _shared_words(paradigm: Paradigm) -> str:
    sharing = [c for c in paradigm.contrasts if c.shares_critical]
    for filling in _items(paradigm):
        sentences = {s.condition: s for s in realise(paradigm, filling)}
        for contrast in sharing:
            words = set()
            for term in contrast.terms:
                sentence = sentences[term.condition]
                span = sentence.span(paradigm.region_of(term))
                words.add(sentence.text[span.start : span.end] if span else None)
            if len(words) > 1:
                raise GapsmithError(f"{contrast.name} compares {sorted(map(str, words))}")
    return ", ".join(c.name for c in sharing) or "no contrast claims it"
