"""JSON of any nesting as rows or lines, so that whoever knows what the columns are can say it: records become rows, and the keys above
sentences become columns ``key_1``, ``key_2``, places in lists ``position``. Lists of sentences become lines, with a blank one between lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gapsmith.bank.formats.composing import compose, plain, unspaced_in
from gapsmith.bank.formats.grammars import sentences_of_grammar
from gapsmith.bank.formats.headings import NOTES, fold, roles_of
from gapsmith.bank.formats.ibex import ibex_rows

ABOUT = frozenset({"meta", "metadata", "info", "about", "config", "settings", "design", "key", "legend"})
"""Keys of what a document says of itself."""
HOLDERS = frozenset(
    {"conditions", "sentences", "conds", "variants", "versions", "stimuli", "cells", "members", "items", "texts", "data", "sents"}
    | {"materials", "sets", "entries", "records", "rows", "groups", "examples"}
)
"""Keys that say that items or sentences stand below, and not which."""
_LEVELS = frozenset(
    {"factors", "factor", "factor_names", "levels", "dimensions", "keys", "structure", "faktoren", "factores", "facteurs"}
)
"""Keys of what the levels of a document are called."""
POSITION = "position"
"""The heading of the place of a sentence in a list."""
Row = dict[str, str]
Keys = tuple[str | int, ...]
_MOSTLY = 0.8
_ENDS = (".", "?", "!", "。", "？", "！")


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A document as text."""

    text: str
    suffix: str
    how: str
    is_open: str = ""
    """What somebody has to say yes to, in words."""


def unfolded(document: Any) -> Unfolded | None:
    """The document as rows or lines; None where it makes neither."""
    if (shown := ibex_rows(document)) is not None:
        return Unfolded(_table(shown[0]), ".tsv", shown[1])
    if (made := sentences_of_grammar(document)) is not None:
        return Unfolded(_table(made[0]), ".tsv", made[1], is_open=made[1])
    if (parts := _named_parts(document)) is not None:
        return parts
    every = "".join(_texts_in(document))
    if (mark := next((sign for sign in "/|^" if sign not in every), None)) is not None:
        left: list[str] = []
        document = _with_regions(document, f" {mark} ", left, frozenset(_keys_of_parts(document)))
        if left:
            found = unfolded(document)
            how = f"left out beside sentences and regions: {', '.join(dict.fromkeys(left))}"
            return None if found is None else replace(found, how=f"{found.how}; {how}")
    whole = document
    document, above = _without_header(_named_pairs(_bare(document)))
    if above:
        found = unfolded(document)
        return None if found is None else replace(found, how=f"{found.how}; {above}")
    if isinstance(document, list) and (lines := _lines(document)):
        return Unfolded(lines, ".txt", "lists of sentences, as lines")
    if isinstance(document, list) and len(document) > 1 and all(isinstance(one, list) for one in document):
        rows = [[_cell(value) for value in one] for one in document]
        if len({len(row) for row in rows}) == 1 and all(cell is not None for row in rows for cell in row):
            return Unfolded(_table([[cell or "" for cell in row] for row in rows]), ".tsv", "lists, as rows")
        return None
    if isinstance(document, dict):
        # What lists the other keys says what they are.
        beside = {
            key: one
            for key, one in document.items()
            if isinstance(one, bool | int | float | str) or (is_texts(one) and set(one) <= set(document))
        }
        listed = {key: one for key, one in document.items() if key not in beside}
        if columns := _columns(listed):
            said = "; ".join(f"{key}: {plain(' '.join(one) if is_texts(one) else str(one))[:60]}" for key, one in beside.items())
            how = f"lists under keys, as columns{f', without what stands beside them ({said})' if said else ''}"
            return Unfolded(_table([list(listed), *columns]), ".tsv", how)
    records = list(_records(document, (), {}))
    texts = _texts([row for _, row in records])
    if len(records) < 2 and len(texts) < 2:
        return None
    if len(records) == 1:
        records = [((*keys, *parts), {**rest, "text": row[name]}) for keys, row in records for name, parts, rest in _named(row)]
    elif len(texts) > 1 and any(keys for keys, _ in records):
        depth = max(len(keys) for keys, _ in records)
        records = [one for keys, row in records for one in _melted((*keys, *[""] * (depth - len(keys))), row, texts)]
    depth = max(len(keys) for keys, _ in records)
    levels = [n for n in range(depth) if len({keys[n : n + 1] for keys, _ in records}) > 1]
    # A place in a list is no key that somebody chose.
    placed = [n for n in levels if all(isinstance(own, int) for keys, _ in records for own in keys[n : n + 1])]
    kinds = [POSITION if n in placed else "key" for n in levels]
    called = _called(kinds, _names_of_levels(whole, len(kinds)))
    names = list(dict.fromkeys(name for _, row in records for name in row))
    body = [
        [*(str(keys[n]) if n < len(keys) else "" for n in levels), *(row.get(name, "") for name in names)]
        for keys, row in records
    ]
    above = f"; {', '.join(called)}: the keys above what stands there, or its place in a list" if called else ""
    return Unfolded(_table([[*called, *names], *body]), ".tsv", f"JSON, as rows{above}")


def _named_parts(document: Any) -> Unfolded | None:
    """Sentences in parts, each under its name at the bottom of a document, as rows with a column per part; None for other documents."""
    found = list(_bottoms(document, ()))
    if len(found) < 4 or len({len(keys) for keys, _ in found}) > 1 or not found[0][0]:
        return None
    names = list(found[0][1])
    if len(names) < 3 or any(list(own) != names for _, own in found):
        return None
    texts = [[own[name].strip() for name in names if own[name].strip()] for _, own in found]
    # Only the last part ends as sentences do, and only the first one begins so.
    are_parts = [len(own) > 1 and own[-1].endswith(_ENDS) and not any(part.endswith(_ENDS) for part in own[:-1]) for own in texts]
    if sum(are_parts) < _MOSTLY * len(texts) or sum(own[0][:1].isupper() for own in texts) < _MOSTLY * len(texts):
        return None
    depth = len(found[0][0])
    levels = [n for n in range(depth) if len({keys[n] for keys, _ in found}) > 1]
    called = _called(["key" for _ in levels], _names_of_levels(document, len(levels)))
    rows = [[*called, *names], *([*(str(keys[n]) for n in levels), *(own[name] for name in names)] for keys, own in found)]
    how = f"JSON, as rows; {', '.join(called)}: the keys above the parts of a sentence, {', '.join(names)}"
    if beside := [key for key, value in document.items() if not isinstance(value, dict)]:
        how += f"; left out beside them: {', '.join(beside)}"
    return Unfolded(_table(rows), ".tsv", how)


def _bottoms(value: Any, keys: Keys) -> Iterator[tuple[Keys, Mapping[str, str]]]:
    """The objects of texts at the bottom of objects, each with the keys that lead there."""
    if not isinstance(value, dict):
        return
    if value and all(isinstance(one, str) for one in value.values()):
        yield keys, value
        return
    for key, inner in value.items():
        yield from _bottoms(inner, (*keys, key))


def _without_header(document: Any) -> tuple[Any, str]:
    """Records without a first one that says something of all of them: it has no key of the others, and no sentence. And in words, what was
    left out."""
    if not isinstance(document, list) or len(document) < 4 or not all(isinstance(one, dict) for one in document):
        return document, ""
    first, *rest = document
    shared = set(rest[0]).intersection(*map(set, rest[1:]))
    if not first or not shared or any(set(first) & set(one) for one in rest):
        return document, ""
    if any((cell := _cell(value)) is not None and is_text(cell) and cell.rstrip().endswith(_ENDS) for value in first.values()):
        return document, ""
    return rest, f"without the first record, which has other keys than all others: {', '.join(list(first)[:5])}"


def _names_of_levels(document: Any, count: int) -> list[str]:
    """What a document calls the levels of its keys, in a list under a key such as ``factors``: all of them, or those below the items. Empty
    where it does not say."""
    keys = set(_keys_in(document))
    for key, value in document.items() if isinstance(document, dict) else ():
        # What stands among the keys is a level, and no name of levels.
        if (
            fold(key) in _LEVELS
            and is_texts(value)
            and not keys & set(value)
            and len(set(value)) == len(value) in (count, count - 1)
            and count > 1
        ):
            return [*["item"] * (count - len(value)), *value]
    return []


def _keys_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys_in(one)


def _called(kinds: list[str], names: Sequence[str] = ()) -> list[str]:
    """Headings of levels: ``key_1``, ``key_2``, ``position``; or the `names` that the document gives its keys."""
    if names and kinds == ["key"] * len(names):
        return list(names)
    return [
        f"{kind}_{kinds[: n + 1].count(kind)}" if kind != POSITION or kinds.count(kind) > 1 else kind
        for n, kind in enumerate(kinds)
    ]


def _bare(document: Any) -> Any:
    """The document without what it says of itself, and without what holds only one thing."""
    while isinstance(document, dict):
        rest = {key: value for key, value in document.items() if fold(key) not in ABOUT} or document
        if (exported := _exported_rows(rest)) is not None:
            return exported
        rows = next((rest[key] for key in rest if fold(key) in ("data", "rows")), None)
        columns = next((rest[key] for key in rest if fold(key) in ("columns", "header", "fields")), None)
        if is_texts(columns) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
            return [columns, *rows]
        nested = [value for value in rest.values() if isinstance(value, list | dict) and value]
        texts = [value for value in rest.values() if isinstance(value, str) and is_text(value)]
        if len(nested) != 1 or texts:
            return rest
        document = nested[0]
    return document


def _exported_rows(document: Mapping[str, Any]) -> list[Any] | None:
    """The records of rows as data sets are served: each under ``row``, beside its number."""
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows:
        return None
    is_served = all(isinstance(one, dict) and isinstance(one.get("row"), dict) for one in rows)
    return [one["row"] for one in rows] if is_served else None


def _columns(document: Mapping[str, Any]) -> list[list[str]]:
    """The rows of lists of one length under keys; empty where they are none."""
    lists = list(document.values())
    if len(lists) > 1 and all(isinstance(one, dict) and one and list(one) == list(lists[0]) for one in lists):
        # By column and then by row, as data frames are written; rows have numbers, columns have none.
        numbers = [str(key).isdecimal() for key in lists[0]]
        told = [any(is_text(str(cell)) for cell in one.values()) for one in lists]
        # Where all are sentences, these are conditions with numbered items as well.
        if all(numbers) and not all(told) and not any(str(name).isdecimal() for name in document):
            lists = [list(one.values()) for one in lists]
    if len(lists) < 2 or not all(isinstance(one, list) and len(one) == len(lists[0]) > 1 for one in lists):
        return []
    cells = [[_cell(value) for value in one] for one in lists]
    if any(
        cell is None
        or (isinstance(value, list) and not (is_texts(value) and is_text(cell) and not any(" " in one for one in value)))
        for own, one in zip(cells, lists, strict=True)
        for cell, value in zip(own, one, strict=True)
    ):
        return []  # what stands in lists may be regions, if it is no single words
    return [[cell or "" for cell in row] for row in zip(*cells, strict=True)]


def _lines(document: list[Any]) -> str:
    """Lists of sentences as lines; empty where they are none."""
    if all(isinstance(one, str) and is_text(one) for one in document):
        return "".join(f"{plain(one)}\n" for one in document)
    blocks = [[_cell(value) for value in one] if isinstance(one, list) else [] for one in document]
    if len(blocks) < 2 or not all(
        len(block) > 1 and all(cell is not None and is_text(cell) for cell in block) for block in blocks
    ):
        return ""
    return "\n".join("".join(f"{plain(cell or '')}\n" for cell in block) for block in blocks)


def _records(value: Any, keys: Keys, said: Row) -> Iterator[tuple[Keys, Row]]:
    """What stands at the bottom of a document, with what is said of it above and the keys that lead there."""
    value = _named_pairs(value)
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            yield from _records(one, (*keys, number) if _is_placed(value) else keys, said)
        return
    if not isinstance(value, dict):
        if (cell := _cell(value)) is not None:
            yield keys, {**said, "text": cell}
        return
    own = {key: cell for key, inner in value.items() if (cell := _listed(key, inner) or _cell(inner)) is not None}
    nested = {key: inner for key, inner in value.items() if key not in own}
    # What stands beside a sentence in an object of its own says something of it.
    flat = {
        key: {name: cell for name, one in inner.items() if (cell := _cell(one)) is not None}
        for key, inner in nested.items()
        if isinstance(inner, dict)
    }
    flat = {key: inner for key, inner in flat.items() if len(inner) == len(nested[key])}
    said_of = [key for key, inner in flat.items() if not any(map(is_text, inner.values()))]
    told = [key for key in flat if key not in said_of and sum(map(is_text, flat[key].values())) == 1]
    if any(map(is_text, own.values())) or (len(said_of) < len(nested) and said_of):
        if not any(map(is_text, own.values())) and len(told) == 1 == len(nested) - len(said_of):
            said_of += told  # the sentence, in an object of its own
        for key in said_of:
            own |= {(f"{key}_{name}" if name in own else name): cell for name, cell in flat[key].items()}
            nested.pop(key)
    if not nested:
        yield keys, {**said, **own}
    for key, inner in nested.items():
        yield from _records(inner, keys if fold(key) in HOLDERS and len(nested) == 1 else (*keys, key), {**said, **own})


def _named_pairs(value: Any) -> Any:
    """A list of names, each with what it is the name of, as an object; any other value as it is."""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, list) and len(one) == 2 for one in value):
        return value
    names = [one[0] for one in value]
    if not all(isinstance(name, str | int) and not is_text(str(name)) for name in names) or len(set(map(str, names))) < len(
        names
    ):
        return value
    whole = all(isinstance(one[1], list | dict) or is_text(str(one[1])) for one in value)
    return {str(name): inner for name, inner in value} if whole else value


def _is_placed(value: list[Any]) -> bool:
    """Whether only its place says which one of a list it is: sentences, or items without a name that have several rows."""
    if all(isinstance(one, str) for one in value):
        return True
    records = [one for one in value if isinstance(one, dict)]
    several = any(isinstance(inner, dict | list) and _cell(inner) is None for one in records for inner in one.values())
    return several and not all("item" in roles_of(list(one)) for one in records)


def _named(row: Row) -> Iterator[tuple[str, tuple[str, ...], Row]]:
    """The sentences of one object with what they are called: two names where all are of two parts, each with each (``1_gap``)."""
    texts = [name for name, cell in row.items() if is_text(cell)]
    rest = {name: cell for name, cell in row.items() if name not in texts}
    parts = [tuple(re.split(r"[_.: /-]", name, maxsplit=1)) for name in texts]
    firsts, others = {own[0] for own in parts}, {own[1:] for own in parts}
    is_crossed = (
        all(len(own) == 2 for own in parts) and min(len(firsts), len(others)) > 1 and len(firsts) * len(others) == len(parts)
    )
    for name, own in zip(texts, parts, strict=True):
        yield name, own if is_crossed else (name,), rest


def _texts(rows: Sequence[Row]) -> list[str]:
    """The names under which most rows that have them have a sentence."""
    names = dict.fromkeys(name for row in rows for name in row)
    cells = {name: [row[name] for row in rows if row.get(name)] for name in names}
    return [
        name
        for name in names
        if cells[name]
        and sum(map(is_text, cells[name])) * 2 > len(cells[name])
        # What is the same everywhere, or called a note, is said of the sentences.
        and fold(name) not in NOTES
        and (len(rows) == 1 or len(set(cells[name])) > 1)
    ]


def _melted(keys: Keys, row: Row, texts: Sequence[str]) -> Iterator[tuple[Keys, Row]]:
    """The sentences of a row as rows of their own, under what they are called there."""
    rest = {name: cell for name, cell in row.items() if name not in texts}
    if len(rest) == len(row):
        yield keys, row
    for name in texts:
        if name in row:
            yield (*keys, name), {**rest, "text": row[name]}


_OPTIONS = frozenset({"options", "choices", "alternatives", "candidates", "continuations", "completions", "targets"})
"""Folded keys of words of which one goes into a sentence."""


def _listed(key: str, value: Any) -> str | None:
    """A few words under such a key, with a slash between; None for anything else."""
    if fold(key) not in _OPTIONS or not is_texts(value) or not 1 < len(value) < 5 or any(len(one.split()) > 3 for one in value):
        return None
    return " / ".join(value)


def _cell(value: Any) -> str | None:
    """What a cell holds: a text, a number, several numbers, a sentence as a list of words or regions, or of lists of words."""
    if value is None or isinstance(value, bool | int | float | str):
        return "" if value is None else str(value)
    if not isinstance(value, list) or not value:
        return None
    if is_texts(value):
        return (
            None
            if len(value) > 1 and sum(is_text(one) and one.rstrip().endswith(_ENDS) for one in value) > 1
            else compose(value)[0]
        )
    if all(is_texts(one) and not any(map(is_text, one)) for one in value):
        if len(value) > 1 and sum(one[-1].rstrip().endswith(_ENDS) for one in value) > 1:
            return None  # a list of sentences
        return compose([word for one in value for word in one])[0]
    return " ".join(map(str, value)) if all(isinstance(one, int | float) for one in value) else None


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(one)


def _keys_of_parts(value: Any) -> Iterator[str]:
    """The keys of lists that are parts of one sentence, in some of which stand several words."""
    for key, one in value.items() if isinstance(value, dict) else ():
        if is_texts(one) and any(" " in part for part in one) and _is_one_sentence([plain(part) for part in one]):
            yield key
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys_of_parts(one)


def _with_regions(value: Any, mark: str, left: list[str], keys: frozenset[str]) -> Any:
    """The document with a mark between the regions of its sentences, where they stand in a list under a key, beside the sentence or
    alone, or of single words where others under the same of these `keys` are not; `left` gets the keys of what else is said of them."""
    if isinstance(value, list):
        return [_with_regions(one, mark, left, keys) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: _with_regions(one, mark, left, keys) for key, one in value.items()}
    texts = {compared([one]): key for key, one in value.items() if isinstance(one, str) and is_text(one)}
    for key, one in value.items():
        contents = [plain(part) for part in contents_of(one)]
        if not any(" " in part for part in contents) and key not in keys:
            if contents and compared(contents) in texts:
                made.pop(key)  # words, which blanks part as well
                left.append(key)
            continue
        if compared(contents) not in texts:
            if is_texts(one) and _is_one_sentence(contents):
                made[key] = mark.join(contents)
            continue
        made[texts[compared(contents)]] = mark.join(contents)
        made.pop(key)
        if isinstance(one[0], dict):
            left += [name for name in one[0] if [plain(str(part[name])) for part in one] != contents]
    return made


def _is_one_sentence(contents: Sequence[str]) -> bool:
    """Whether parts make one sentence: only the last one ends as a sentence does, and the first one begins so. Names within it have capitals,
    too."""
    ends = [part.rstrip().endswith(_ENDS) for part in contents]
    return ends[-1] and not any(ends[:-1]) and not contents[0][:1].islower()


def contents_of(value: Any) -> list[str]:
    """The words of the regions of a sentence: a list of texts, or of objects of the same keys, of which one has the words; empty for
    anything else."""
    if is_texts(value):
        return list(value) if len(value) > 1 else []
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, dict) and one for one in value):
        return []
    if any(list(one) != list(value[0]) for one in value):
        return []
    texts = [key for key in value[0] if all(isinstance(one[key], str) for one in value)]
    return max(([one[key] for one in value] for key in texts), key=lambda own: len("".join(own)), default=[])


def compared(contents: Sequence[str]) -> str:
    """The letters of regions without what stands between them, to be compared with those of a sentence; empty for none."""
    return re.sub(r"\W+", "", "".join(contents))


def is_texts(value: Any) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def is_text(cell: str) -> bool:
    """Whether it may be a sentence: three words, or two that end as one does, or some letters of a script without spaces that do."""
    return len(cell.split()) > 2 or (cell.rstrip().endswith(_ENDS) and (" " in cell or len(unspaced_in(cell)) > 3))


def _table(rows: list[list[str]]) -> str:
    return "".join("\t".join(plain(cell) for cell in row) + "\n" for row in rows)
