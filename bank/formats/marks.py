"""What stands before or behind a sentence and is no part of it: judgement marks (``*``, ``?``, ``??``), labels such as ``A:``, norms in
brackets.

Judgement marks are taken off, since no sentence begins with one, and are kept: as what is expected of a condition where all its
sentences have the same, else as the attribute `judgement`. The others are taken off where somebody says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.foreign import ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.headings import fold
from gapsmith.bank.formats.likeness import marks_of
from gapsmith.bank.formats.source import ReadOptions, SourceFile

JUDGEMENT = "judgement"
"""The attribute of sentences that says how they were marked."""
IN_BRACKETS = "in_brackets"
"""The attribute of sentences that has what stood in brackets around them."""
TAKEN_OFF = frozenset({JUDGEMENT, IN_BRACKETS})
"""Attributes of what stands around sentences in the file, and in no column."""
_GROUP = r"(?P<held>\[[^][]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>)"
_OPEN, _CLOSED = frozenset("[({<"), frozenset("])}>")
_HELD = re.compile(rf"\s*{_GROUP}\s*")
_BEFORE = re.compile(rf"\s*(?=[\[(<{{][^][(){{}}<>]*\d){_GROUP}\s+(?=\S)")
_BEHIND = re.compile(rf"(?:(?<=[.?!…。？！\"'”’»])\s*|\s+(?=[\[(<{{][^][(){{}}<>]*\d)){_GROUP}\s*\Z")
_COLUMNS = frozenset(
    {
        "grammatical",
        "grammaticality",
        "ungrammatical",
        "acceptable",
        "acceptability",
        "unacceptable",
        "judgement",
        "judgment",
        "expected",
    }
)
"""Headings of what is said of a sentence."""
_VALUES = {
    **dict.fromkeys(("true", "1", "yes", "y", "ok", "good", "grammatical", "acceptable", "✓"), "ok"),
    **dict.fromkeys(("false", "0", "no", "n", "*", "bad", "ungrammatical", "unacceptable"), "*"),
    **dict.fromkeys(("?", "??", "marginal", "questionable"), "?"),
}
_MARK = re.compile(
    r"\s*(?:\(\s*(?P<inner>[*?#%]{1,3}|ok)\s*\)|(?P<bare>[*?#%✓√]{1,3}|(?i:ok)(?=[:\s]):?))\s*(?=[^\W_]|[\"'“‘«¿¡(\[])"
)


def judgement_of(text: str) -> str:
    """The mark before a sentence; empty where there is none."""
    found = _MARK.match(text)
    if found is None:
        return ""
    mark = (found["inner"] or found["bare"]).rstrip(":")
    return "ok" if mark.casefold() == "ok" or mark in "✓√" else mark


def bare(text: str) -> str:
    """The sentence without the mark before it."""
    found = _MARK.match(text)
    return text if found is None else text[found.end() :]


def status_of(mark: str) -> str:
    """What a mark says of acceptability: ``ok``, ``?`` or ``*``."""
    return "*" if "*" in mark else "?" if set(mark) & set("?#%") else "ok"


def around_pattern(texts: Sequence[str]) -> str:
    """What finds what somebody said stands before or behind sentences: a number in it is any number, and dots in brackets anything."""
    each = (re.sub(r"\d+", lambda _: r"\d+", re.escape(text.strip())) for text in texts)
    return "|".join(re.sub(r"\\\.\\\.\\\.|…", lambda _: r"[^][(){}<>]*", one) for one in each)


def parts_of(text: str, options: ReadOptions) -> tuple[str, str, str]:
    """A sentence with what somebody said stands before it and behind it."""
    before = after = ""
    if options.strip_prefixes and (found := re.match(rf"\s*(?:{around_pattern(options.strip_prefixes)})\s*", text)):
        before, text = found[0], text[found.end() :]
    if options.strip_suffixes and (found := re.search(rf"\s*(?:{around_pattern(options.strip_suffixes)})\s*\Z", text)):
        after, text = found[0], text[: found.start()]
    return before, text, after


def bare_of(text: str, options: ReadOptions) -> str:
    """The sentence without what somebody said stands around it."""
    return parts_of(text, options)[1]


def _brackets(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Brackets before or behind sentences with a number in them, or behind the mark that ends them: options that take them off."""
    found = {
        "strip_prefixes": [match for text in texts if text.lstrip()[:1] in _OPEN and (match := _BEFORE.match(text)) is not None],
        "strip_suffixes": [
            match for text in texts if text.rstrip()[-1:] in _CLOSED and (match := _BEHIND.search(text)) is not None
        ],
    }
    return {
        name: tuple(dict.fromkeys(f"{match['held'][0]}...{match['held'][-1]}" for match in own))
        for name, own in found.items()
        if len(own) > 1
    }


def expect_no_labels(source: SourceFile, texts: Sequence[str], *, as_they_are: str = "") -> None:
    """Ask about sentences that nearly all begin with a label, such as ``A:``, or nearly all with the same mark. `as_they_are` is
    the format whose name says that they belong to the sentences."""
    texts = [bare_of(text, source.options) for text in texts if text.strip()]
    kept = f"If it belongs to them, say --format {as_they_are}." if as_they_are else ""
    if brackets := _brackets(texts):
        held = next(match["held"] for text in texts if (match := _BEFORE.match(text) or _BEHIND.search(text)) is not None)
        options = {name: (*getattr(source.options, name), *own) for name, own in brackets.items()}
        source.ask(
            0,
            f"brackets stand before or behind its sentences, such as {held}, as if what they hold were said of the sentence",
            f"Brackets such as {held} stand before or behind the sentences. Are they no part of them?",
            [FileAnswer("yes", f"what the brackets hold becomes the attribute {IN_BRACKETS}", options)],
            hint=kept,
        )
    # What one sentence begins with is no habit of a file.
    found = marks_of(texts) if len(texts) > 1 else ()
    marks = [mark for mark in found if not (set(mark) <= set("*?#%") and not _all_alike(texts, mark))]
    if not marks:
        return
    shown = ", ".join(marks[:4]) + (" …" if len(marks) > 4 else "")
    one_of_each = tuple(dict.fromkeys(re.sub(r"\d+", "1", mark) for mark in marks))
    answers = [
        FileAnswer("yes", "take it off the sentences", {"strip_prefixes": (*source.options.strip_prefixes, *one_of_each)}),
    ]
    source.ask(
        0,
        f"its sentences begin with {shown}, as if that were a label or a star and not part of them",
        f"The sentences begin with {shown}. Is that a label, to be taken off?",
        answers,
        hint=kept,
    )


def unmarked(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with marks and said prefixes beside its sentences instead of in them."""
    options = source.options
    said_around = (*options.strip_prefixes, *options.strip_suffixes)
    texts = [s.text for item in found.items for s in item.sentences]
    marks = [judgement_of(bare_of(text, options)) for text in texts]
    if not any(marks) and not said_around:
        return found
    parts = [parts_of(text, options) for text in texts]
    taken = sum(bool(before or after) for before, _, after in parts)
    for name, place, own in (("prefix", "begins", options.strip_prefixes), ("suffix", "ends", options.strip_suffixes)):
        if own and not any(part[0 if name == "prefix" else 2] for part in parts):
            source.refuse(0, f"no sentence {place} with {' or '.join(map(repr, own))}", hint=f"Leave --strip-{name} out.")
    by_condition: dict[str, set[str]] = {}
    given = iter(marks)
    for item in found.items:
        for sentence in item.sentences:
            by_condition.setdefault(sentence.condition, set()).add(next(given))
    is_even = any(marks) and all(len({status_of(mark) for mark in own}) == 1 for own in by_condition.values())
    given = iter(marks)
    items = tuple(
        replace(
            item,
            sentences=tuple(
                _bare(sentence, options, next(given), keep=any(marks) and not is_even) for sentence in item.sentences
            ),
        )
        for item in found.items
    )
    expected = {name: status_of(next(iter(own))) for name, own in by_condition.items()} if is_even else {}
    said = []
    if said_around:
        said.append(
            Assumption("around sentences", f"{', '.join(said_around)} taken off {taken:,} of {len(texts):,}", "as said", "said")
        )
    if any(marks):
        kinds = ", ".join(dict.fromkeys(filter(None, marks)))
        where = "what is expected of the conditions" if is_even else f"the attribute {JUDGEMENT}"
        said.append(
            Assumption(
                "judgement marks", f"{kinds} before {sum(map(bool, marks)):,} sentences, kept as {where}", "no sentence begins so"
            )
        )
    return replace(
        found,
        items=items,
        expected={**expected, **found.expected} if is_even else found.expected,
        meta={**found.meta, "judged": any(marks) or bool(said_around)},
        assumptions=(*found.assumptions, *said),
    )


def judged_by_column(found: ForeignSet) -> ForeignSet:
    """The set with what a column such as `grammatical` says is expected of each condition, where it says one thing of all its
    sentences."""
    if found.expected or not found.items:
        return found
    headings = found.meta.get("condition")
    names = (
        [name for name in found.items[0].sentences[0].attributes if fold(name) in _COLUMNS] if found.items[0].sentences else []
    )
    for name in names:
        said: dict[str, set[str | None]] = {}
        for item in found.items:
            for sentence in item.sentences:
                value = sentence.attributes.get(name, item.attributes.get(name))
                said.setdefault(sentence.condition, set()).add(_VALUES.get(str(value).strip().casefold()))
        if all(len(own) == 1 and None not in own for own in said.values()):
            turned = fold(name).startswith("un")
            expected = {label: _status_said(next(iter(own)), turned=turned) for label, own in said.items()}
            return _expecting(found, expected, name)
    if isinstance(headings, list) and len(headings) == 1 and fold(headings[0]) in _COLUMNS:
        values = {label: _VALUES.get(label.strip().casefold()) for label in found.conditions}
        if None not in values.values():
            turned = fold(headings[0]).startswith("un")
            return _expecting(found, {label: _status_said(own, turned=turned) for label, own in values.items()}, headings[0])
    return found


def _expecting(found: ForeignSet, expected: dict[str, str], name: str) -> ForeignSet:
    taken = Assumption("expected", f"as the column {name} says of each condition", "it says one thing of all its sentences")
    return replace(found, expected=expected, assumptions=(*found.assumptions, taken))


def _status_said(value: str | None, *, turned: bool) -> str:
    return {"ok": "*", "*": "ok"}.get(value or "", "?") if turned else value or "?"


def _all_alike(texts: Iterable[str], mark: str) -> bool:
    return all(judgement_of(text) == mark for text in texts)


def _bare(sentence: ForeignSentence, options: ReadOptions, mark: str, *, keep: bool) -> ForeignSentence:
    before, rest, after = parts_of(sentence.text, options)
    if mark:
        rest = bare(rest)
    cut = len(sentence.text) - len(rest) - len(after)
    attributes = {JUDGEMENT: mark or "ok", **sentence.attributes} if keep else sentence.attributes
    if held := [match["held"][1:-1].strip() for part in (before, after) if (match := _HELD.fullmatch(part)) is not None]:
        attributes = {**attributes, IN_BRACKETS: "; ".join(held)}
    if not cut and not after:
        return replace(sentence, attributes=attributes)
    regions = sentence.regions
    if regions is not None:
        regions = tuple(_moved(region, cut, len(rest)) for region in regions)
    return replace(sentence, text=rest, mark=sentence.text[:cut], behind=after, regions=regions, attributes=attributes)


def _moved(region: GivenRegion, cut: int, end: int) -> GivenRegion:
    start, stop = (min(max(place - cut, 0), end) for place in (region.start, region.end))
    raw = region.raw if region.start >= cut and region.end - cut <= end else None
    return replace(region, start=start, end=stop, raw=raw)
