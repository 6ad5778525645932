"""What stands before a sentence and is no part of it: judgement marks (``*``, ``?``, ``??``), and labels such as ``A:``.

Judgement marks are taken off, since no sentence begins with one, and are kept: as what is expected of a condition where all its
sentences have the same, else as the attribute `judgement`. Labels are taken off where somebody says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.foreign import ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.headings import fold
from gapsmith.bank.formats.likeness import marks_of
from gapsmith.bank.formats.source import SourceFile

JUDGEMENT = "judgement"
"""The attribute of sentences that says how they were marked."""
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


def prefix_pattern(prefixes: Sequence[str]) -> re.Pattern[str]:
    """What finds the prefixes that somebody named; a number in one stands for any number."""
    each = (re.sub(r"\d+", lambda _: r"\d+", re.escape(prefix.strip())) for prefix in prefixes)
    return re.compile(rf"\s*(?:{'|'.join(each)})\s*")


def without_prefix(text: str, prefixes: Sequence[str]) -> str:
    """The sentence without what somebody said stands before it."""
    found = prefix_pattern(prefixes).match(text) if prefixes else None
    return text if found is None else text[found.end() :]


def expect_no_labels(source: SourceFile, texts: Sequence[str], *, as_they_are: str = "") -> None:
    """Ask about sentences that nearly all begin with a label, such as ``A:``, or nearly all with the same mark. `as_they_are` is
    the format whose name says that they belong to the sentences."""
    texts = [without_prefix(text, source.options.strip_prefixes) for text in texts if text.strip()]
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
    kept = f"If it belongs to them, say --format {as_they_are}." if as_they_are else ""
    source.ask(
        0,
        f"its sentences begin with {shown}, as if that were a label or a star and not part of them",
        f"The sentences begin with {shown}. Is that a label, to be taken off?",
        answers,
        hint=kept,
    )


def unmarked(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with marks and said prefixes beside its sentences instead of in them."""
    prefixes = source.options.strip_prefixes
    texts = [s.text for item in found.items for s in item.sentences]
    marks = [judgement_of(without_prefix(text, prefixes)) for text in texts]
    if not any(marks) and not prefixes:
        return found
    taken = sum(without_prefix(text, prefixes) != text for text in texts)
    if prefixes and not taken:
        source.refuse(0, f"no sentence begins with {' or '.join(map(repr, prefixes))}", hint="Leave --strip-prefix out.")
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
                _bare(sentence, prefixes, next(given), keep=any(marks) and not is_even) for sentence in item.sentences
            ),
        )
        for item in found.items
    )
    expected = {name: status_of(next(iter(own))) for name, own in by_condition.items()} if is_even else {}
    said = []
    if prefixes:
        said.append(
            Assumption("before sentences", f"{', '.join(prefixes)} taken off {taken:,} of {len(texts):,}", "as said", "said")
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
        meta={**found.meta, "judged": any(marks)},
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


def _bare(sentence: ForeignSentence, prefixes: Sequence[str], mark: str, *, keep: bool) -> ForeignSentence:
    rest = without_prefix(sentence.text, prefixes)
    if mark:
        rest = bare(rest)
    cut = len(sentence.text) - len(rest)
    attributes = {JUDGEMENT: mark or "ok", **sentence.attributes} if keep else sentence.attributes
    if not cut:
        return replace(sentence, attributes=attributes)
    regions = sentence.regions
    if regions is not None:
        regions = tuple(_moved(region, cut) for region in regions)
    return replace(sentence, text=rest, mark=sentence.text[:cut], regions=regions, attributes=attributes)


def _moved(region: GivenRegion, cut: int) -> GivenRegion:
    start, end = max(region.start - cut, 0), max(region.end - cut, 0)
    raw = region.raw if region.start >= cut else None
    return replace(region, start=start, end=end, raw=raw)
