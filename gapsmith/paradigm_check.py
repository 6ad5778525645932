"""What `gapsmith paradigm check` does, line by line: each check says what it looked at and what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from gapsmith.paradigm_view import example_filling
from templates import Paradigm, count_expansions, expand, lexicon_for, read_back, realise, sample
from templates.errors import GapsmithError

__all__ = ["CheckResult", "check_paradigm"]

_SAMPLED = 50


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: what was looked at, whether it holds, and what was found."""

    what: str
    ok: bool
    detail: str = ""


def check_paradigm(paradigm: Paradigm) -> list[CheckResult]:
    """Check a paradigm that loads: its examples, its words, reading back, critical regions and contrasts."""
    conditions, designs = len(paradigm.conditions), len(paradigm.designs)
    several = "" if designs == 1 else "s"
    loaded = f"{conditions} conditions, {len(paradigm.regions)} regions, {len(paradigm.slots)} slots, {designs} design{several}"
    results = [CheckResult("the file is well formed and every name in it refers to something", True, loaded)]
    checks: list[tuple[str, Callable[[Paradigm], str]]] = [
        ("the slots' examples give a sentence in every condition", _examples),
        ("slots have roles, by which the linter's lexical rules know them", _roles),
        ("the columns that constraints and offers refer to are in the word lists", _columns),
        ("the word lists are there and give items", _words),
        (f"{_SAMPLED} items read back into the slots they were made from", _reading_back),
        ("the critical region has one word in every condition, where the paradigm asks for that", _one_word),
        ("contrasts that claim to share their critical words do", _shared_words),
    ]
    for what, check in checks:
        try:
            results.append(CheckResult(what, True, check(paradigm)))
        except GapsmithError as problem:
            results.append(CheckResult(what, False, problem.message))
    return results


def _items(paradigm: Paradigm) -> list[dict[str, str]]:
    stream = expand(paradigm) if paradigm.exhaustive else sample(paradigm, seed=0)
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
    wanted = [slot.offered_by for slot in paradigm.slots if slot.offered_by]
    for constraint in paradigm.constraints:
        wanted += list(zip(constraint.slots, constraint.columns, strict=False))
    for name, column in wanted:
        lexicon = paradigm.slot_by_name[name].lexicon
        if lexicon is None:
            raise GapsmithError(f"{name}.{column}: slot {name!r} has no lexicon, so it has no columns")
        entries = lexicon_for(lexicon, paradigm.path).entries
        if column not in (entries[0].columns if entries else {}):
            raise GapsmithError(f"{name}.{column}: the lexicon {lexicon} has no column {column!r}")
    return ", ".join(f"{name}.{column}" for name, column in wanted) or "none is referred to"


def _words(paradigm: Paradigm) -> str:
    if paradigm.exhaustive:
        return f"{count_expansions(paradigm):,} items in all"
    found = len(_items(paradigm))
    if found == 0:
        raise GapsmithError("no item satisfies the constraints with these word lists")
    return f"{found} different items sampled"


def _reading_back(paradigm: Paradigm) -> str:
    items = _items(paradigm)
    for filling in items:
        result = read_back(paradigm, {s.condition: s.text for s in realise(paradigm, filling)})
        if result.ambiguous:
            raise GapsmithError(f"{', '.join(result.ambiguous)} can be read in two ways in {filling}")
        if not result.ok or dict(result.slots or {}) != filling:
            raise GapsmithError(f"{filling} was read as {result.slots}")
    return f"{len(items)} items"


def _one_word(paradigm: Paradigm) -> str:
    if not paradigm.one_word_critical:
        return "not asked for"
    for filling in _items(paradigm):
        for sentence in realise(paradigm, filling):
            span = sentence.span(paradigm.condition(sentence.condition).critical)
            if span is None or len(sentence.text[span.start : span.end].split()) != 1:
                raise GapsmithError(f"{sentence.condition}: {sentence.text!r}")
    return ""


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
