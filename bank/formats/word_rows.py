"""What the columns of a table with a row per word may be, for a question: which column has the words, which count them, and which say of
what item and condition a word is. Only what makes sentences of all rows is proposed; nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.columns import LOOKED_AT, Roles, body_of, roles
from gapsmith.bank.formats.composing import compose, plain
from gapsmith.bank.formats.likeness import likely_sizes, likeness_of, shared_within
from gapsmith.bank.formats.source import SourceFile, TableRow

SHAPE = "region_rows"
_WORD, _WORDS = re.compile(r"\S+(?: \S+)?"), re.compile(r"\S+(?: \S+){0,7}")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\Z")
_NUMBER = re.compile(r"\d{1,4}(?:\.0)?")
_MOSTLY = 0.8
_KEYS = 8
_SHOWN = 3
Key = tuple[str, ...]


def propose_words(source: SourceFile) -> None:
    """Ask what the columns are, where rows that stand together make sentences; gives nothing back where they do not."""
    answers = word_ways(source)
    header = [cell.strip() for cell in source.first_row]
    if not answers and not source.options.blank_rows and any(row.is_begin for row in body_of(source)[1:]):
        # Nothing but blank rows says where a sentence ends.
        parted = replace(source, options=replace(source.options, blank_rows=True), known={})
        answers = [replace(answer, options={"blank_rows": True, **answer.options}) for answer in word_ways(parted)]
    if not answers:
        return
    if len(answers) > 1:
        answers = [FileAnswer(str(n), answer.means, answer.options) for n, answer in enumerate(answers, 1)]
    listed = "\n".join(f"  {answer.word}: {answer.means}" for answer in answers)
    source.ask(
        1,
        f"seems to have a row per word, and its headings do not say which column is what: {', '.join(header[:8])}",
        f"There seems to be a row per word. Is this what its columns are?\n{listed}",
        answers,
    )


def word_ways(source: SourceFile) -> list[FileAnswer]:
    """What the columns may be where rows that stand together make sentences, likely ones first."""
    found, body = roles(source), _filled_down(roles(source), body_of(source))
    if len(found.header) < 3 or len(body) < 6 or not all(found.header):
        return []
    return [answer for _, answer in sorted(_ways(found, body), key=lambda way: -way[0])][:_SHOWN]


def _filled_down(found: Roles, body: Sequence[TableRow]) -> Sequence[TableRow]:
    """The rows with item and condition in each, where the first row of a sentence says them for all of its words."""
    columns = (*found.item, *found.condition) if found.item else _begun(body)
    if (
        not body
        or not columns
        or not all(body[0].cells[c].strip() for c in columns)
        or all(all(_at(row, columns)) for row in body)
    ):
        return body
    held = dict.fromkeys(columns, "")
    filled = []
    for row in body:
        cells = list(row.cells)
        for c in columns:
            held[c] = cells[c] = cells[c].strip() or held[c]
        filled.append(replace(row, cells=tuple(cells)))
    return filled


def _begun(body: Sequence[TableRow]) -> tuple[int, ...]:
    """The columns that the same rows fill, the first of them and not all: what says something of the rows below, too."""
    filled: dict[tuple[bool, ...], list[int]] = {}
    for column in range(min((len(row.cells) for row in body), default=0)):
        filled.setdefault(tuple(bool(row.cells[column].strip()) for row in body), []).append(column)
    own = [columns for rows, columns in filled.items() if rows[0] and not all(rows)]
    return tuple(own[0]) if len(own) == 1 else ()


def _at(row: TableRow, columns: Sequence[int]) -> list[str]:
    return [row.cells[c].strip() for c in columns]


def _ways(found: Roles, body: Sequence[TableRow]) -> Iterator[tuple[float, FileAnswer]]:
    """What the columns may be, each with how much the sentences of an item share."""
    header = found.header
    columns = range(len(header))
    cells = {c: [plain(row.cells[c]) for row in body] for c in columns}
    # Regions of several words are told from sentences by a column that counts them.
    is_counted = (
        any(_counts(cells, (*found.item, *found.condition), c) for c in columns)
        if found.item and found.condition
        else any(_counts_anew(cells[c]) for c in columns if c not in found.item)
    )
    words = [
        c
        for c in columns
        if c not in (*found.item, *found.condition)
        and all((_WORDS if is_counted else _WORD).fullmatch(cell) for cell in cells[c])
        and sum(_LETTERS.search(cell) is not None for cell in cells[c]) * 2 > len(body)
    ]
    named = "content" in found.other and bool({"region_number", "region_name"} & set(found.other))
    if named:
        words = [found.other["content"]]
    # Where what ends sentences stands in another column, a row is one, in parts.
    ending = {c for c in columns if sum(_ENDED.search(cell) is not None for cell in cells[c]) > _MOSTLY * len(body)}
    for word in words:
        if ending - {word} and not any(_ENDED.search(cell) for cell in cells[word]):
            continue
        others = [c for c in columns if c != word and all(cells[c]) and len(set(cells[c])) < len(body)][:_KEYS]
        items = [found.item] if found.item else [(c,) for c in others]
        conditions = [found.condition] if found.condition else [own for size in (1, 2, 3) for own in combinations(others, size)]
        for item, condition in product(items, conditions):
            if set(item) & set(condition):
                continue
            for place in (*(c for c in others if c not in (*item, *condition) and not named), None):
                sentences = _sentences(cells, word, (*item, *condition), place, len(body))
                if sentences and (share := _crossed(sentences, len(item))) is not None:
                    said: dict[str, object] = {
                        "item_columns": _named(header, item),
                        "condition_columns": _named(header, condition),
                    }
                    means = f"item by {header[item[0]]}, condition by {_listed(header, condition)}"
                    if named and place is None:
                        # The headings say what is region and what its words.
                        own = {name: columns for name, columns in said.items() if name != "item_columns" or not found.item}
                        yield share, FileAnswer("yes", f"a row per region, its words in {header[word]}; {means}", own)
                    else:
                        yield share, _answer(header, word, place, said, means)
                    break
        for item in items:
            if found.condition and not _is_round(cells, item, found.condition):
                continue
            for place in (*(c for c in others if c not in item), None):
                sentences = _sentences(cells, word, item, place, len(body))
                texts = list((sentences or {}).values())
                if len(item) == 1 and found.condition and texts:
                    count = len({tuple(cells[c][row] for c in found.condition) for row in range(len(body))})
                    said = {
                        "item_columns": _named(header, item),
                        "per_item": count,
                        "condition_columns": _named(header, found.condition),
                    }
                    by = _listed(header, found.condition)
                    means = f"a sentence by {header[item[0]]}, and every {count} sentences an item, with conditions by {by}"
                    yield -1.0, _answer(header, word, place, said, means)
                    break
                if len(item) == 1 and (sizes := [2] if _are_pairs(texts) else likely_sizes(texts, times=1.0)):
                    said = {"item_columns": _named(header, item), "per_item": sizes[0]}
                    means = f"a sentence by {header[item[0]]}, and every {sizes[0]} sentences an item, in the same order of conditions"
                    yield -1.0, _answer(header, word, place, said, means)
                    break


def _counts(cells: Mapping[int, Sequence[str]], keys: Sequence[int], place: int) -> bool:
    """Whether a column counts the rows of every sentence, several in each, from 1 or 0."""
    if place in keys or not all(map(_NUMBER.fullmatch, cells[place])):
        return False
    found: dict[Key, list[int]] = {}
    for row, number in enumerate(cells[place]):
        found.setdefault(tuple(cells[key][row] for key in keys), []).append(int(float(number)))
    return all(own == list(range(own[0], own[0] + len(own))) and own[0] < 2 and len(own) > 1 for own in found.values())


def _counts_anew(cells: Sequence[str]) -> bool:
    """Whether a column counts from 1 or 0 on and begins anew, several times, after several rows each."""
    if not all(map(_NUMBER.fullmatch, cells)):
        return False
    numbers = [int(float(cell)) for cell in cells]
    begun = [n for n, number in enumerate(numbers) if number == numbers[0]]
    runs = [numbers[here:after] for here, after in pairwise([*begun, len(numbers)])]
    return (
        numbers[0] < 2
        and len(runs) > 2
        and all(len(own) > 1 and own == list(range(own[0], own[0] + len(own))) for own in runs[:-1])
    )


def _is_round(cells: Mapping[int, Sequence[str]], item: Sequence[int], condition: Sequence[int]) -> bool:
    """Whether every value of a column has one condition, and the conditions come round: each once, and then each once again."""
    own: dict[Key, set[Key]] = {}
    for row in range(len(cells[item[0]])):
        own.setdefault(tuple(cells[c][row] for c in item), set()).add(tuple(cells[c][row] for c in condition))
    if any(len(labels) > 1 for labels in own.values()):
        return False
    told = [next(iter(labels)) for labels in own.values()]
    count = len(set(told))
    return 1 < count < len(told) and all(
        len(set(told[n : n + count])) == len(told[n : n + count]) for n in range(0, len(told), count)
    )


def _are_pairs(texts: Sequence[str]) -> bool:
    """Whether every two sentences are a minimal pair."""
    if len(texts) % 2 or len(texts) < 4:
        return False
    found = likeness_of(list(zip(texts[::2], texts[1::2], strict=True)))
    return found.is_minimal and found.is_apart


def _answer(header: Sequence[str], word: int, place: int | None, said: Mapping[str, object], means: str) -> FileAnswer:
    order = {"format": SHAPE} if place is None else {"regions": (header[place],)}
    counted = "in the order of the rows" if place is None else f"counted by {header[place]}"
    return FileAnswer(
        "yes", f"the words are in {header[word]}, {counted}; {means}", {**said, "sentence_columns": (header[word],), **order}
    )


def _named(header: Sequence[str], columns: Sequence[int]) -> tuple[str, ...]:
    return tuple(header[column] for column in columns)


def _listed(header: Sequence[str], columns: Sequence[int]) -> str:
    return " and ".join(_named(header, columns))


def _sentences(
    cells: dict[int, list[str]], word: int, keys: Sequence[int], place: int | None, rows: int
) -> dict[Key, str] | None:
    """The sentence of each key; None where these are none: words in no order, or that make no whole sentence."""
    found: dict[Key, list[int]] = {}
    for row in range(rows):
        found.setdefault(tuple(cells[key][row] for key in keys), []).append(row)
    if rows == LOOKED_AT - 1 and len(found) > 2:
        found.pop(tuple(cells[key][-1] for key in keys))  # its other words may stand below those that are looked at
    made: dict[Key, str] = {}
    for key, own in found.items():
        if place is None:
            if any(after != before + 1 for before, after in pairwise(own)):
                return None
        else:
            numbers = [cells[place][row] for row in own]
            if not all(map(_NUMBER.fullmatch, numbers)):
                return None
            counted = sorted((int(float(number)), row) for number, row in zip(numbers, own, strict=True))
            if [number for number, _ in counted] != list(range(counted[0][0], counted[0][0] + len(own))) or counted[0][0] > 1:
                return None
            own = [row for _, row in counted]
        made[key] = compose([cells[word][row] for row in own])[0]
        # Behind the end of a sentence stands at most a mark, no further word and no other sentence.
        last = -1 if len(own) == 2 and _LETTERS.search(cells[word][own[-1]]) else -2
        if len(own) < 2 or made[key][:1].islower() or any(_ENDED.search(cells[word][row]) for row in own[:last]):
            return None
    ended = [_ENDED.search(text) is not None for text in made.values()]
    # Where no sentence has an end, only what counts its words says where it stops.
    return made if all(ended) or not (any(ended) or place is None) else None


def _crossed(sentences: dict[Key, str], parts: int) -> float | None:
    """How much the sentences of an item share; None where there are no items with conditions."""
    by_item: dict[Key, dict[Key, str]] = {}
    for key, text in sentences.items():
        by_item.setdefault(key[:parts], {})[key[parts:]] = text
    every = {condition for own in by_item.values() for condition in own}
    if len(by_item) < 2 or len(every) < 2 or not all(len(own) > 1 for own in by_item.values()):
        return None
    return shared_within([list(own.values()) for own in by_item.values()])
