"""Items as JSON in the forms that people make: records of item, condition and sentence; items with their conditions inside, as an
object or a list; sentences as text, as lists of regions, or as objects of them. And tuples of a grammar: filler and gap, filler only,
gap only, neither (the form in which the sets of Lan, Chemla & Katzir 2024 circulate), as lists of tokens with ``_`` for gaps.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TextIO

from gapsmith.bank.formats.asking import Assumption
from gapsmith.bank.formats.composing import compose, plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignRegion, ForeignSentence, ForeignSet, GivenRegion, Json
from gapsmith.bank.formats.gaps import is_gap
from gapsmith.bank.formats.grouping import first_seen
from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.likeness import likeness_of
from gapsmith.bank.formats.source import Progress, SourceFile
from gapsmith.bank.formats.unfolding import ABOUT, compared, contents_of, is_text, is_texts
from gapsmith.templates import DocumentError, key_given_twice, read_json

SHAPE, TUPLES = "json", "tuples"
_CONTAINERS = (
    "conditions",
    "sentences",
    "conds",
    "variants",
    "versions",
    "stimuli",
    "cells",
    "members",
    "items",
    "texts",
    "tokens",
)
_NAMES = ("name", "region_name", "region", "label", "title")
_CONTENTS = ("content", "text", "words", "string", "region_content")
_TUPLE = {
    "s_fg": ("filler", "gap"),
    "s_f": ("filler", "nogap"),
    "s_fx": ("filler", "nogap"),
    "s_g": ("nofiller", "gap"),
    "s_xg": ("nofiller", "gap"),
    "s": ("nofiller", "nogap"),
    "s_xx": ("nofiller", "nogap"),
}
"""What the members of a tuple are: filler and gap."""
_TUPLE_FACTORS = {"filler": ("filler", "nofiller"), "gap": ("gap", "nogap")}
_NUMBER = re.compile(r"[A-Za-z]{0,12}[-_. ]?\d{1,5}")
"""A key that numbers items, such as 3 or item_3."""
_STARS = frozenset({"*", "?", "??"})

Path = tuple[str | int, ...]


@dataclass(slots=True)
class _Found:
    """A sentence, and where it stands in the document."""

    condition: str
    text: str
    place: Path
    regions: tuple[GivenRegion, ...] | None = None
    attributes: dict[str, Json] = field(default_factory=dict)
    written: str | None = None
    grammatical: bool | None = None


@dataclass(slots=True)
class _Entry:
    label: str
    place: Path
    sentences: list[_Found]
    attributes: dict[str, Json]
    written: Json = None
    line: int = 0


# ---- what both share


def is_json(source: SourceFile) -> bool:
    """Whether it holds JSON: a document, or a record a line."""
    return _documents(source) is not None


def _documents(source: SourceFile) -> tuple[Any, bool] | None:
    """The document, or the records of JSON lines as a list, and whether it is these; None for a file that is neither."""
    if "json" not in source.known:
        source.known["json"] = _read(source)
    found: tuple[Any, bool] | None = source.known["json"]
    return found


def _read(source: SourceFile) -> tuple[Any, bool] | None:
    if not source.may_be_json:
        return None
    lines = [line for line in source.lines if line.strip()]
    if len(lines) > 1 and all(f"{line.lstrip()[:1]}{line.rstrip()[-1:]}" in ("{}", "[]") for line in lines[:20]):
        try:
            return [read_json(line) for line in lines], True
        except DocumentError:
            pass
    try:
        document = read_json(source.text)
    except DocumentError:
        return None
    _expect_keys_once(source)
    return document, False


def _expect_keys_once(source: SourceFile) -> None:
    """Refuse a document in which a key is twice in one object: programs take the last, and an item or a sentence would be lost."""

    twice = key_given_twice(source.text)
    if twice is not None:
        source.refuse(0, f"the key {twice!r} is there twice in one object", hint="Give each its own.")


def _entries(document: Any) -> list[tuple[Path, str | None, Any]]:
    """The items of a document: place, key where they have one, and what is there."""
    place: Path = ()
    while isinstance(document, dict):
        document = {key: value for key, value in document.items() if fold(key) not in ABOUT} or document
        nested = [(key, value) for key, value in document.items() if isinstance(value, list | dict) and value]
        lists = [(key, value) for key, value in nested if isinstance(value, list) and all(isinstance(one, dict) for one in value)]
        if len(lists) == 1 and not all(isinstance(value, dict) for value in document.values()):
            key, document = lists[0]
            place = (*place, key)
            break
        dicts = [(key, value) for key, value in nested if isinstance(value, dict)]
        if len(dicts) == len(document) and len(document) > 1:
            return [((*place, key), key, value) for key, value in document.items()]
        if len(nested) == 1:
            key, document = nested[0]
            place = (*place, key)
            continue
        return []
    if isinstance(document, list) and document and all(isinstance(one, dict) for one in document):
        return [((*place, n), None, one) for n, one in enumerate(document)]
    return []


def _write(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the document as it came, with the sentences as they read now, without the items that are not there."""
    document = copy.deepcopy(items.meta["document"])
    places: Mapping[str, Mapping[str, Any]] = items.meta["places"]
    by_label = {item.label: item for item in items.items}
    gone: list[Path] = []
    for label, known in places.items():
        item = by_label.get(label)
        if item is None:
            gone += [tuple(place) for place in known["at"]]
            continue
        for sentence, (place, kind) in zip(item.sentences, known["sentences"], strict=False):
            _put(document, place, kind, sentence)
    for place in sorted(gone, key=lambda own: [str(step).zfill(12) for step in own], reverse=True):
        inner = _at(document, place[:-1])
        del inner[place[-1]]
    if items.meta.get("lines"):
        for record in document:
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
    else:
        json.dump(document, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
    return tuple(label for label in by_label if label not in places)


def _at(document: Any, place: Sequence[str | int]) -> Any:
    for step in place:
        document = document[step]
    return document


_SENTENCE_END = re.compile(r"[.?!…。？！][\"'”’»)\]]*\s*\Z")


def _put(document: Any, place: Sequence[str | int], kind: str, sentence: ForeignSentence) -> None:
    """Put a sentence where it came from, where it reads otherwise now."""
    outer, key = _at(document, place[:-1]), place[-1]
    old = outer[key]
    if kind == "text":
        if plain(sentence.written_text) != plain(old):
            outer[key] = sentence.written_text
    elif kind == "words":
        if _composed(old) != sentence.text:
            outer[key] = sentence.text.split()
    elif sentence.regions is not None:
        contents = [region.content(sentence.text) for region in sentence.regions]
        if kind == "list":
            outer[key] = contents
        elif kind == "object":
            outer[key] = dict(zip(old, contents, strict=True)) if len(old) == len(contents) else old
        else:
            name = kind.partition(":")[2] or next(n for n in _CONTENTS if n in old[0])
            outer[key] = (
                [{**one, name: words} for one, words in zip(old, contents, strict=True)] if len(old) == len(contents) else old
            )


def _composed(tokens: Sequence[str]) -> str:
    kept = [token for token in tokens if not is_gap(token)]
    if kept and kept[0].strip() in _STARS:
        kept = kept[1:]
    return compose(kept)[0]


def _set(
    source: SourceFile,
    shape: str,
    entries: Sequence[_Entry],
    document: Any,
    *,
    lines: bool,
    expected: Mapping[str, str],
    **more: Any,
) -> ForeignSet:
    items, places = [], {}
    for entry in entries:
        if entry.label in places:
            source.refuse(entry.line, f"item {entry.label!r} is there twice", hint="Give each its own.")
        kinds = []
        sentences = []
        for found in entry.sentences:
            kinds.append([list(found.place), found.attributes.pop("\0kind")])
            sentences.append(
                ForeignSentence(found.condition, found.text, found.regions, entry.line, found.written, found.attributes)
            )
        places[entry.label] = {"at": entry.attributes.pop("\0at", [list(entry.place)]), "sentences": kinds}
        written = None if entry.written == entry.label else entry.written
        items.append(ForeignItem(entry.label, tuple(sentences), entry.attributes, None, written, entry.line))
    made = ForeignSet(
        shape=shape,
        items=tuple(items),
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        expected=expected,
        meta={"document": document, "places": places, "lines": lines},
        encoding=source.encoding,
        name=source.path.stem,
        **more,
    )
    beside = list(_beside(document, (), {tuple(place) for known in places.values() for place in known["at"]}))
    if not beside:
        return made
    keys = ", ".join(first_seen(str(place[0]) for place, _ in beside))
    some = f"{len(beside):,} sentence{'s' if len(beside) > 1 else ''} under {keys}, such as: {beside[0][1][:60]}"
    taken = Assumption("left out", some, "it stands beside the items", "assumed")
    return replace(made, assumptions=(*made.assumptions, taken))


def _beside(value: Any, place: Path, items: Collection[Path]) -> Iterator[tuple[Path, str]]:
    """The sentences of a document that stand beside its items, each with its place; what is said of the whole is none."""
    if place in items:
        return
    if isinstance(value, str):
        if place and len(value.split()) > 2 and _SENTENCE_END.search(value):
            yield place, value
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        if not (isinstance(key, str) and not place and fold(key) in ABOUT):
            yield from _beside(one, (*place, key), items)


# ---- tuples


def recognise_tuples(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    found = _documents(source)
    if found is None:
        return None
    entries = _entries(found[0])
    if not _are_items(entries) or any("condition" in roles_of(list(entry)) for _, _, entry in entries):
        return None
    own = [_members(entry) for _, _, entry in entries]
    return "tuples of sentences as lists of tokens (JSON)" if own and all(len(members) > 1 for members in own) else None


def _are_items(entries: Sequence[tuple[Path, str | None, Any]]) -> bool:
    """Whether what stands under keys is an item each, beyond doubt: it says so, or the keys are numbers and those in it are none."""
    return all(
        key is None
        or not isinstance(entry, dict)
        or "item" in roles_of(list(entry))
        or any(fold(inner) in _CONTAINERS for inner in entry)
        or (_NUMBER.fullmatch(key) and not all(map(_NUMBER.fullmatch, entry)))
        for _, key, entry in entries
    )


def _members(entry: Any) -> dict[str, Any]:
    """The members of a tuple, by key: lists of tokens, or objects that hold one."""
    if not isinstance(entry, dict):
        return {}
    keys = [key for key in entry if key in _TUPLE]
    held = [key for key in keys or entry if _tokens(entry[key]) is not None or (key in _TUPLE and isinstance(entry[key], str))]
    lists = keys or all(is_texts(entry[key]) and not any(" " in token for token in entry[key]) for key in held)
    return {key: entry[key] for key in held} if lists else {}


def _tokens(value: Any) -> tuple[str | None, list[str]] | None:
    """The tokens of a member, and under which key they stand."""
    if is_texts(value):
        return None, value
    if isinstance(value, dict):
        for key in ("processed_tokens", "tokens", "original_tokens", "words"):
            if is_texts(value.get(key)):
                return key, value[key]
    return None


def read_tuples(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the tuples: a member is a condition, ``_`` is a gap, a star before a member says that it is bad, and the critical token,
    where it is named and there once, makes the regions before, critical and after. Raises `FormatError`."""
    given = _documents(source)
    if given is None:
        _ = source.document
    document, lines = given if given is not None else (source.document, False)
    entries: list[_Entry] = []
    marks: dict[str, set[str]] = {}
    for number, (place, key, entry) in enumerate(_entries(document), 1):
        members = _members(entry)
        if len(members) < 2:
            source.refuse(0, f"entry {number} has no two members that are lists of tokens")
        roles = roles_of(list(entry))
        named = list(entry)[roles["item"]] if "item" in roles else None
        written = entry[named] if named is not None and isinstance(entry[named], str | int) else key
        label = plain(str(written)) if written is not None else str(number)
        sentences = []
        for name, value in members.items():
            found = _member(source, number, name, value, (*place, name))
            sentences.append(found)
            if found.grammatical is not None:
                marks.setdefault(name, set()).add("ok" if found.grammatical else "*")
        attributes = {k: v for k, v in entry.items() if k not in members and k != named}
        entries.append(_Entry(label, place, sentences, attributes, written if named is not None else None, 0))
        if progress is not None and number % 2000 == 0:
            progress(number)
    if not entries:
        source.refuse(0, "there are no tuples in it")
    if any("*" in own for own in marks.values()):
        # Where bad ones have a star, the others are good.
        for one in entries:
            for found in one.sentences:
                if found.grammatical is None:
                    found.grammatical = True
                    marks.setdefault(found.condition, set()).add("ok")
    is_even = bool(marks) and all(len(own) == 1 for own in marks.values())
    for one in entries:
        for found in one.sentences:
            if not is_even and found.grammatical is not None:
                found.attributes["judgement"] = "ok" if found.grammatical else "*"
    with_regions = all(found.regions is not None for one in entries for found in one.sentences)
    if not with_regions:
        for one in entries:
            for found in one.sentences:
                found.regions = None
    names = [name for one in entries for name in (found.condition for found in one.sentences)]
    is_grammar = set(names) <= set(_TUPLE)
    said = [
        Assumption("item", "an entry of the list", "that is the form of tuples"),
        Assumption(
            "condition",
            "the keys of an entry",
            "filler and gap, as tuples call them" if is_grammar else "each is a list of tokens",
        ),
    ]
    if with_regions:
        said.append(Assumption("regions", "before, critical and after", "the file names a critical token, which is there once"))
    return _set(
        source,
        TUPLES,
        entries,
        document,
        lines=lines,
        expected={name: next(iter(own)) for name, own in marks.items()} if is_even and set(marks) == set(names) else {},
        regions=tuple(ForeignRegion(name, str(n)) for n, name in enumerate(("before", "critical_token", "after"), 1))
        if with_regions
        else (),
        factors=_TUPLE_FACTORS if is_grammar and len(set(names)) == 4 else {},
        levels={name: _TUPLE[name] for name in dict.fromkeys(names)} if is_grammar and len(set(names)) == 4 else {},
        notes=("_ stands for a gap, and a star before the tokens for a bad sentence; neither is part of a sentence",),
        assumptions=tuple(said),
    )


def _member(source: SourceFile, number: int, name: str, value: Any, place: Path) -> _Found:
    if isinstance(value, str):
        starred = value.lstrip().startswith("*")
        words = [word for word in value.split() if not is_gap(word)]
        text = " ".join(words).removeprefix("*").strip()
        return _Found(name, text, place, None, {"\0kind": "text"}, grammatical=False if starred else None)
    under, tokens = _tokens(value) or (None, [])
    text = _composed(tokens)
    if not text:
        source.refuse(0, f"entry {number}, {name}: there are no words in it")
    attributes: dict[str, Json] = {"\0kind": "words"}
    grammatical: bool | None = None
    regions = None
    if isinstance(value, dict):
        original: Any = value.get("original_tokens")
        if is_texts(original) and under != "original_tokens" and _composed(original) != text:
            source.refuse(0, f"entry {number}, {name}: its two lists of tokens are not the same words")
        if isinstance(value.get("grammatical"), bool):
            grammatical = value["grammatical"]
        starred = is_texts(original) and original[0].strip() in _STARS
        if grammatical is not None and is_texts(original) and starred == grammatical:
            source.refuse(
                0, f"entry {number}, {name}: says that it is {'good' if grammatical else 'bad'}, and its star the contrary"
            )
        critical = value.get("critical_token")
        if isinstance(critical, str) and critical.strip():
            regions = _around(text, plain(critical))
    elif tokens and tokens[0].strip() in _STARS:
        grammatical = False
    return _Found(name, text, (*place, under) if under else place, regions, attributes, grammatical=grammatical)


def _around(text: str, word: str) -> tuple[GivenRegion, ...] | None:
    """Before, critical and after, where the word is there once."""
    words = text.split(" ")
    parts = word.split(" ")
    places = [n for n in range(len(words)) if words[n : n + len(parts)] == parts]
    if len(places) != 1:
        return None
    start = len(" ".join(words[: places[0]])) + (1 if places[0] else 0)
    end = start + len(word)
    after = min(end + 1, len(text))
    return (
        GivenRegion("before", 0, max(start - 1, 0)),
        GivenRegion("critical_token", start, end),
        GivenRegion("after", after, len(text)),
    )


def write_tuples(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the tuples; a set of another form as lists of words by condition."""
    if items.shape == TUPLES:
        return _write(stream, items)
    left_out = []
    made = []
    for item in items.items:
        conditions = [s.condition for s in item.sentences]
        if len(set(conditions)) < len(conditions) or len(conditions) < 2:
            left_out.append(item.label)
            continue
        made.append({"item": item.label, **{s.condition: s.text.split() for s in item.sentences}})
    json.dump(made, stream, ensure_ascii=False, indent=1)
    stream.write("\n")
    return tuple(left_out)


# ---- any other


def recognise_json_items(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    found = _documents(source)
    if found is None:
        return None
    if not _are_items(_entries(found[0])):
        return None
    parsed = _parsed(source)
    first = parsed[:20]
    if not first or any(own is None for own in first) or not _is_grouped(first):
        return None
    # Where an item has a condition twice, another key tells the two apart, or nothing does: that is asked of rows.
    times = Counter(
        (n if own[0] is None else own[0], s.condition) for n, own in enumerate(parsed) if own is not None for s in own[2]
    )
    return "items as JSON" if max(times.values()) == 1 else None


def _parsed(source: SourceFile) -> list[tuple[str | None, Json, list[_Found], dict[str, Json]] | None]:
    """What each entry of the document says; None for one that is no item."""
    if "json_items" not in source.known:
        document = _documents(source)
        entries = _entries(document[0]) if document is not None else []
        source.known["json_items"] = [_parse(key, entry, place) for place, key, entry in entries]
    found: list[tuple[str | None, Json, list[_Found], dict[str, Json]] | None] = source.known["json_items"]
    return found


def _is_grouped(found: Sequence[tuple[str | None, Json, list[_Found], dict[str, Json]] | None]) -> bool:
    several = [own for own in found if own is not None and len(own[2]) > 1]
    labels = Counter(own[0] for own in found if own is not None)
    return bool(several) or (None not in labels and bool(labels))


def read_json_items(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the items. Raises `FormatError`, naming the entry, for one that is not built like the others."""
    given = _documents(source)
    document, lines = given if given is not None else (source.document, False)
    by_label: dict[str, _Entry] = {}
    for number, ((place, *_), own) in enumerate(zip(_entries(document), _parsed(source), strict=True), 1):
        line = number if lines else 0
        if own is None:
            source.refuse(line, f"entry {number} has no sentence with its condition, as the others have")
        named, written, sentences, attributes = own
        label = named if named is not None else str(number)
        there = by_label.get(label)
        if there is None:
            by_label[label] = _Entry(label, place, sentences, {**attributes, "\0at": [list(place)]}, written, line)
            continue
        if len(sentences) > 1 or (len(there.sentences) == 1 and len(sentences) != 1):
            source.refuse(line, f"item {label!r} is there twice, the second time as entry {number}")
        there.sentences += sentences
        there.attributes["\0at"].append(list(place))
        for name in [name for name in there.attributes if name != "\0at" and attributes.get(name) != there.attributes[name]]:
            there.attributes.pop(name)
        if progress is not None and number % 2000 == 0:
            progress(number)
    entries = list(by_label.values())
    if not entries:
        source.refuse(0, "there are no items in it")
    kinds = {found.attributes["\0kind"] for one in entries for found in one.sentences}
    counts = {len(found.regions) for one in entries for found in one.sentences if found.regions is not None}
    names: dict[str, None] = {}
    if kinds == {"list"} and len(counts) > 1:
        for one in entries:
            for found in one.sentences:
                found.regions = None
                found.attributes["\0kind"] = "words"
    else:
        names = {region.name: None for one in entries for found in one.sentences for region in found.regions or ()}
    if kinds == {"list"} and len(counts) == 1 and (called := _region_names(document, next(iter(counts)))):
        for one in entries:
            for found in one.sentences:
                found.regions = tuple(replace(r, name=name) for r, name in zip(found.regions or (), called, strict=True))
        names = dict.fromkeys(called)
    said = [
        Assumption("item and condition", "by the keys of the entries", "every entry has them"),
        *(
            [
                Assumption(
                    "regions",
                    "of lists and objects in place of sentences",
                    "all have as many" if counts and len(counts) == 1 else "by name",
                )
            ]
            if names
            else []
        ),
    ]
    notes = []
    if kinds == {"list"} and not names:
        notes.append("the lists are read as words and give no regions, since they are not all of one length")
    return _set(
        source,
        SHAPE,
        entries,
        document,
        lines=lines,
        expected={},
        regions=tuple(ForeignRegion(name, str(n)) for n, name in enumerate(names, 1)),
        notes=tuple(notes),
        assumptions=tuple(said),
    )


def _region_names(document: Any, width: int) -> tuple[str, ...]:
    """The names of regions that a document gives once for all of its sentences, under a key that says so, as many as these have; none
    elsewhere."""
    own = document if isinstance(document, dict) else {}
    for key, value in [*own.items(), *(pair for inner in own.values() if isinstance(inner, dict) for pair in inner.items())]:
        if fold(str(key)) not in ("region_names", "regions", "region_labels", "names_of_regions", "segments", "columns"):
            continue
        if is_texts(value) and len(value) == width == len({plain(one) for one in value}) and all(map(plain, value)):
            return tuple(map(plain, value))
    return ()


def _parse(key: str | None, entry: Any, place: Path) -> tuple[str | None, Json, list[_Found], dict[str, Json]] | None:
    """An item, or a sentence of one: label, how it is written, sentences with their places, and what else is said."""
    if not isinstance(entry, dict) or not entry:
        return None
    keys = list(entry)
    roles = roles_of(keys)
    label_key = keys[roles["item"]] if "item" in roles and isinstance(entry[keys[roles["item"]]], str | int) else None
    written: Json = entry[label_key] if label_key is not None else None
    label = plain(str(written)) if written is not None else key
    condition_key = keys[roles["condition"]] if "condition" in roles else None
    if condition_key is not None and isinstance(entry[condition_key], str | int):
        found = _sentence(plain(str(entry[condition_key])), entry, place, ours=(label_key, condition_key))
        return None if found is None else (label, written, [found], {})
    folded = {fold(name): name for name in keys}
    for name in _CONTAINERS:
        inner = entry.get(folded[name]) if name in folded else None
        at = (*place, folded.get(name, ""))
        own: list[_Found | None] = []
        if isinstance(inner, dict) and inner:
            own = [_value(condition, value, (*at, condition)) for condition, value in inner.items()]
        elif isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner):
            for n, one in enumerate(inner):
                inner_keys = list(one)
                inner_roles = roles_of(inner_keys)
                named = inner_keys[inner_roles["condition"]] if "condition" in inner_roles else None
                named = named or next((k for k in ("name", "label") if isinstance(one.get(k), str)), None)
                own.append(None if named is None else _sentence(plain(str(one[named])), one, (*at, n), ours=(named,)))
        if own and all(one is not None for one in own):
            attributes = {k: v for k, v in entry.items() if k not in (folded[name], label_key)}
            return label, written, [one for one in own if one is not None], attributes
    if key is None and label_key is None and not any(isinstance(v, list | dict) for v in entry.values()):
        texts = [(k, v) for k, v in entry.items() if isinstance(v, str) and len(v.split()) > 2]
    else:
        texts = [(k, v) for k, v in entry.items() if k != label_key and _could_be(v)]
    if len(texts) < 2 or {"good", "bad"} <= set(roles):
        return None
    values = [_value(name, value, (*place, name)) for name, value in texts]
    sentences = [one for one in values if one is not None]
    pairs = [(one.text, other.text) for one, other in itertools.pairwise(sentences)]
    if len(sentences) < 2 or not likeness_of(pairs).is_minimal:
        return None
    taken = {name for name, _ in texts}
    return label, written, sentences, {k: v for k, v in entry.items() if k not in taken and k != label_key}


def _could_be(value: Any) -> bool:
    """Whether a value may be a sentence."""
    if isinstance(value, str):
        return len(value.split()) > 2
    if isinstance(value, list):
        return (is_texts(value) and len(value) > 1) or (bool(value) and all(isinstance(one, dict) for one in value))
    return isinstance(value, dict) and bool(value)


def _sentence(condition: str, record: Mapping[str, Any], place: Path, *, ours: Sequence[str | None]) -> _Found | None:
    """The sentence of a record that names its condition."""
    keys = list(record)
    roles = roles_of(keys)
    folded = {fold(name): name for name in keys}
    named = folded.get("regions") or folded.get("words") or folded.get("tokens")
    plainly = keys[roles["sentence"]] if "sentence" in roles else folded.get("content")
    if named is None and plainly is not None and isinstance(record[plainly], str):
        named = next((key for key in keys if compared(contents_of(record[key])) == compared([record[plainly]])), None)
    found = None
    if named is not None and isinstance(record[named], list | dict):
        found = _value(condition, record[named], (*place, named)) or _parts(condition, record[named], (*place, named))
    if found is None:
        named = plainly
        found = None if named is None else _value(condition, record[named], (*place, named))
    if found is None:
        return None
    found.attributes |= {k: v for k, v in record.items() if k != named and k not in ours}
    return found


def _parts(condition: str, value: Any, place: Path) -> _Found | None:
    """The regions in objects of whatever keys: one has their words, and another one, if any, their names."""
    contents = contents_of(value)
    if not contents or not isinstance(value, list) or not isinstance(value[0], dict):
        return None
    held = next(key for key in value[0] if [one[key] for one in value] == contents)
    names = [key for key in value[0] if key != held and len({str(one[key]) for one in value}) == len(value)]
    called = [plain(str(one[names[0]])) if names else f"region_{n}" for n, one in enumerate(value, 1)]
    return _regions(condition, called, contents, place, f"objects:{held}")


def _value(condition: str, value: Any, place: Path) -> _Found | None:
    """A sentence: text, a list of regions or words, an object of regions, or an object that holds one of these."""
    condition = plain(condition)
    if not condition:
        return None
    if isinstance(value, str):
        return _Found(condition, value, place, None, {"\0kind": "text"}) if value.strip() else None
    if is_texts(value):
        if _are_sentences(value):
            return None
        text, spans = compose(value)
        regions = tuple(
            GivenRegion(f"region_{n}", start, end, raw) for n, ((start, end), raw) in enumerate(zip(spans, value, strict=True), 1)
        )
        return _Found(condition, text, place, regions, {"\0kind": "list"})
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        name = next((n for n in _NAMES if all(isinstance(one.get(n), str | int) for one in value)), None)
        content = next((n for n in _CONTENTS if n != name and all(isinstance(one.get(n), str) for one in value)), None)
        if name is None or content is None or len({str(one[name]) for one in value}) < len(value):
            return None
        return _regions(condition, [plain(str(one[name])) for one in value], [one[content] for one in value], place, "objects")
    if isinstance(value, dict) and value:
        inner = _sentence(condition, value, place, ours=())
        if inner is not None:
            return inner
        if all(isinstance(one, str) for one in value.values()) and not _are_sentences(list(value.values())):
            return _regions(condition, [plain(name) for name in value], list(value.values()), place, "object")
    return None


def _are_sentences(contents: Sequence[str]) -> bool:
    """Whether these are several sentences rather than the regions of one: two end as sentences do, or neighbours are alike."""
    texts = [content for content in contents if is_text(content)]
    likeness = likeness_of(list(itertools.pairwise(texts)))
    return sum(text.rstrip().endswith((".", "?", "!")) for text in texts) > 1 or likeness.alike * 2 > likeness.pairs


def _regions(condition: str, names: Sequence[str], contents: Sequence[str], place: Path, kind: str) -> _Found | None:
    text, spans = compose(contents)
    if not text or not all(names):
        return None
    regions = tuple(GivenRegion(name, start, end, raw) for name, (start, end), raw in zip(names, spans, contents, strict=True))
    return _Found(condition, text, place, regions, {"\0kind": kind})


def write_json_items(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the document as it came; a set of another form as a list of items with their conditions."""
    if items.shape == SHAPE:
        return _write(stream, items)
    made = []
    for item in items.items:
        conditions: list[Json] = []
        for sentence in item.sentences:
            regions = {region.name: region.content(sentence.text) for region in sentence.regions or ()}
            conditions.append(
                {"condition": sentence.condition, "sentence": sentence.text, **dict(sentence.attributes)}
                | ({"regions": regions} if regions else {})
            )
        made.append(
            {"item": item.label, **{k: v for k, v in item.attributes.items() if k != "conditions"}, "conditions": conditions}
        )
    json.dump(made, stream, ensure_ascii=False, indent=1)
    stream.write("\n")
    return ()
