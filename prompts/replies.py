"""Reading answers: what a model writes is looked through for items, whatever stands around them.

Prose, Markdown fences, a byte-order mark, half a JSON document or a table with the wrong separator do not lose the
items that are whole; nothing in an answer is executed, rendered or trusted. What cannot be read is counted with a
reason, and the raw answer stays in the bank.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from gapsmith.templates import Paradigm

MAX_REPLY_CHARS = 2_000_000
"""Only so much of an answer is looked at."""

MAX_VALUE_CHARS = 120
"""A slot value longer than this is no word or phrase."""

_MAX_SENTENCE_CHARS = 1_000
_MAX_FALSE_STARTS = 2_000
_OPENING = re.compile(r"[{\[]")
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_DELIMITERS = (",", "\t", ";", "|")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class SentenceSet:
    """The sentences that an answer gives for one item: (condition name, text), as they came."""

    item_id: str
    sentences: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Row:
    item_id: str
    condition: str
    sentence: str
    """Empty where there is none, or none that can be kept."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What was found in an answer. One of the two lists is filled, by mode."""

    slots: tuple[Mapping[str, str], ...] = ()
    sentences: tuple[SentenceSet, ...] = ()
    unreadable: tuple[str, ...] = ()
    """One reason for each thing that looks like an item and is none."""

    @property
    def returned(self) -> int:
        """How many items the model meant to give."""
        return len(self.slots) + len(self.sentences) + len(self.unreadable)


def parse_slots(text: str, paradigm: Paradigm) -> ParsedReply:
    """The slot fillings in an answer, in order. Keys are matched to slots without regard to case, spaces and hyphens;
    runs of whitespace in a value become one space; other keys are ignored."""
    found: list[Mapping[str, str]] = []
    unreadable: list[str] = []
    for candidate in _objects(_clip(text)):
        keyed = {_slot_key(key): value for key, value in candidate.items()}
        if not any(name in keyed for name in paradigm.filled):
            continue
        # What a level of a choice does not show is left out, whatever the answer says for it.
        names = [*(choice.name for choice in paradigm.choices), *paradigm.variant(keyed).filled]
        reason = _fault(keyed, names)
        if reason:
            unreadable.append(reason)
        else:
            found.append({name: " ".join(keyed[name].split()) for name in names})
    return ParsedReply(slots=tuple(found), unreadable=tuple(unreadable))


def parse_sentences(text: str, paradigm: Paradigm, *, design: str, cut: bool = False) -> ParsedReply:
    """The items in an answer of CSV lines ``sentence_type,item_id,condition,full_sentence``.

    A line counts where its third field is a label of the paradigm; a sentence keeps its commas whether or not it is
    quoted. An item is taken as it came, with conditions missing or doubled too, if one of its sentences can be read. With
    `cut`, the answer broke off: its last line does not count, and an item that was being written then is unreadable
    unless it is whole without that line."""
    lines = _clip(text).splitlines()
    rows = [row for line in lines if (row := _row(line, paradigm)) is not None]
    half_a_row = cut and bool(lines) and _row(lines[-1], paradigm) is not None
    unfinished = _unfinished(rows) if cut else frozenset()
    groups: dict[str, list[tuple[str, str]]] = {row.item_id: [] for row in rows}
    for row in rows[:-1] if half_a_row else rows:
        if row.sentence:
            groups[row.item_id].append((row.condition, row.sentence))
    wanted = paradigm.design(design).conditions
    found: list[SentenceSet] = []
    unreadable: list[str] = []
    for item_id, pairs in groups.items():
        missing = [name for name in wanted if name not in {condition for condition, _ in pairs}]
        if missing and item_id in unfinished:
            unreadable.append(f"item {item_id} was cut off before {', '.join(missing)}")
        elif not pairs:
            unreadable.append(f"item {item_id} has no sentence that can be read")
        else:
            ordered = sorted(pairs, key=lambda pair: wanted.index(pair[0]) if pair[0] in wanted else len(wanted))
            found.append(SentenceSet(item_id, tuple(ordered)))
    return ParsedReply(sentences=tuple(found), unreadable=tuple(unreadable))


def _unfinished(rows: Sequence[_Row]) -> frozenset[str]:
    # Items one after the other: only the last one. Where an answer goes condition by condition, all of them.
    ids = [row.item_id for row in rows]
    blocks = [item_id for item_id, _ in groupby(ids)]
    by_condition = len(blocks) > len(set(blocks)) or any(
        one.item_id != other.item_id and one.condition == other.condition for one, other in pairwise(rows)
    )
    return frozenset(ids if by_condition else ids[-1:])


def _clip(text: str) -> str:
    # Some local models think aloud before they answer; what they try out there is not an answer.
    return _THINKING.sub("", text[:MAX_REPLY_CHARS].lstrip("\ufeff"))


def _is_text(value: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in value)


def _slot_key(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip()).casefold()


def _fault(keyed: Mapping[str, Any], names: list[str]) -> str:
    for name in names:
        value = keyed.get(name)
        if value is None:
            return f"no value for {name}"
        if not isinstance(value, str):
            return f"the value of {name} is {type(value).__name__}, not text"
        if not value.strip():
            return f"the value of {name} is blank"
        if len(value) > MAX_VALUE_CHARS:
            return f"the value of {name} has {len(value)} characters"
    return ""


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    # Where the whole document does not parse, every object inside it that does is still taken.
    decoder = json.JSONDecoder()
    position, false_starts = 0, 0
    while false_starts < _MAX_FALSE_STARTS and (match := _OPENING.search(text, position)):
        try:
            value, position = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            position = match.end()
            false_starts += 1
            continue
        yield from _flatten(value)


def _flatten(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if depth > 4:
        return
    if isinstance(value, dict):
        nested = [v for v in value.values() if isinstance(v, dict | list)]
        if nested:
            for inner in nested:
                yield from _flatten(inner, depth + 1)
        if any(not isinstance(v, dict | list) for v in value.values()):
            yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _flatten(inner, depth + 1)


def _row(line: str, paradigm: Paradigm) -> _Row | None:
    stripped = _BULLET.sub("", line).strip()
    if not stripped or len(stripped) > _MAX_SENTENCE_CHARS:
        return None
    for delimiter in _DELIMITERS:
        if stripped.count(delimiter) < 3:
            continue
        body = stripped.strip("|") if delimiter == "|" else stripped
        try:
            cells = [cell.strip() for cell in next(csv.reader([body], delimiter=delimiter, skipinitialspace=True))]
        except csv.Error:
            continue
        if len(cells) < 4:
            continue
        condition = paradigm.resolve_label(cells[2])
        # An unquoted sentence with commas comes back in pieces, so the rest of the line is one sentence again.
        sentence = cells[3] if len(cells) == 4 else body.split(delimiter, 3)[3].strip()
        if condition is not None:
            return _Row(cells[1], condition, sentence if _is_text(sentence) else "")
    return None
