"""Builds the gold set: ``python -m tools.build_gold`` writes `vetting/gold/gold.csv`.

Deterministic: the words stand in ``clean.csv``, ``embedded_clean.csv``, ``flaws.csv`` and ``heldout.csv``, written by
hand (the last with words drawn before anybody looked at the lists); this script deals out names, realises the sentences
and plants each flaw in one otherwise sound item. Rows above the line in each file are dealt names and sentences by their place, as
the set was first drawn; those below it by their own words, so that a new row adds an item and changes no other.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gapsmith.templates import FormatError, GapsmithError, Paradigm, load_paradigm, realise

HERE = Path(__file__).parent.parent / "vetting" / "gold"
GOLD = HERE / "gold.csv"
COLUMNS = (
    "sentence_type",
    "item_id",
    "design",
    "condition",
    "full_sentence",
    "expected",
    "flaw",
    "word",
    "also",
    "source",
)
_NAMES = (
    "Mary Anna Sarah Ben Chris Dana Leo Tom Paul Nina Lisa David Emma Carlos Priya Kevin Laura Ahmed Yuki Peter Julia"
    " Daniel Sofia Michael Elena Omar"
)
_NPS = (
    "effort to talk to|attempt to dance with|failure to play with|refusal to work with|plan to talk to|desire to dance with"
    "|decision to play with|promise to look after"
)
Row = Mapping[str, str]
Cells = dict[str, str]


@dataclass(frozen=True)
class _Made:
    """An item on its way into the file."""

    paradigm: str
    design: str
    cells: Sequence[tuple[str, str]]
    expected: str = ""
    flaw: str = ""
    word: str = ""
    also: str = ""
    source: str = "gold, with the lists"


def build() -> str:
    """The text of the gold set: sound items first, then one item per flaw or held-out word."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    clean, scenes, flaws, words = (_rows(name) for name in ("clean.csv", "embedded_clean.csv", "flaws.csv", "heldout.csv"))
    pools = clean.first, scenes.first
    flawed = [*_flawed((*flaws.first, *words.first), *pools)]
    held_out = [_held_out(item) for item in flawed[len(flaws.first) :]]
    first = (*_clean(*pools), *flawed[: len(flaws.first)], *held_out)
    new: dict[str, _Made] = {}
    ways: tuple[tuple[Sequence[Row], Callable[[Row], _Made]], ...] = (
        (clean.new, lambda row: _sound(row, _number(row), _number(row))),
        (scenes.new, lambda row: _realised("embedded_wh", row, _number(row))),
        (flaws.new, lambda row: _planted(row, *pools, _number(row))),
        (words.new, lambda row: _held_out(_planted(row, *pools, _number(row)))),
    )
    for rows, made in ways:
        for row in rows:
            if _name(row) in new:
                raise FormatError(f"two files have the row {_told(row)}", hint="Leave it out of one of them.")
            new[_name(row)] = made(row)
    for label, item in (*enumerate(first, 1), *new.items()):
        for condition, text in item.cells:
            said = (item.expected, item.flaw, item.word, item.also, item.source)
            writer.writerow((item.paradigm, label, item.design, condition, text, *said))
    return out.getvalue()


def main() -> None:
    """Write the file."""
    try:
        text = build()
    except GapsmithError as error:
        raise SystemExit(f"error: {error}") from None
    GOLD.write_text(text, encoding="utf-8")


class _Rows(NamedTuple):
    first: Sequence[Row]
    new: Sequence[Row]


_LINE = re.compile(r"# The (\d+) rows above ")


def _rows(name: str) -> _Rows:
    """The rows of a file, above and below its line. Raises `FormatError` where there are not as many above it as it says, or a new row is
    there twice."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    marks = ((place, int(found[1])) for place, line in enumerate(lines) if (found := _LINE.match(line)))
    if (mark := next(marks, None)) is None:
        raise FormatError(
            f"{name}: no line says “# The N rows above …”", hint="It stands between the first rows and the new ones."
        )
    at, said = mark
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    above = sum(not line.startswith("#") for line in lines[:at]) - 1
    if above != said:
        raise FormatError(f"{name}: {above} rows stand above the line that says {said}", hint="New rows go below it.")
    twice = [row for row in rows[said:] if rows.count(row) > 1]
    if twice:
        raise FormatError(f"{name}: the row {_told(twice[0])} is there twice", hint="Leave one of them out.")
    return _Rows(rows[:said], rows[said:])


def _told(row: Row) -> str:
    return ",".join(value or "" for value in row.values())


def _number(row: Row) -> int:
    """What a new row is dealt by: a number that follows from its words alone."""
    return int(hashlib.sha256("\t".join(value or "" for value in row.values()).encode()).hexdigest()[:12], 16)


def _name(row: Row) -> str:
    return f"{_number(row):012x}"


def _names_of(number: int) -> tuple[str, str]:
    names = _NAMES.split()
    return names[number % len(names)], names[(number + 1) % len(names)]


def _held_out(item: _Made) -> _Made:
    return replace(item, source="gold, held out")


def _sound(row: Row, number: int, names: int) -> _Made:
    first, second = _names_of(names)
    return _realised("subject_pg", {**row, "name1": first, "name2": second}, number)


def _clean(clean: Sequence[Row], scenes: Sequence[Row]) -> Iterator[_Made]:
    for number, row in enumerate(clean):
        yield _sound(row, number, 2 * number)
    for number, row in enumerate(scenes):
        yield _realised("embedded_wh", row, number)
    for number, np in enumerate(_NPS.split("|")):
        yield _realised("lan_pg", _lan_slots(np, number), number)


def _flawed(flaws: Sequence[Row], clean: Sequence[Row], scenes: Sequence[Row]) -> Iterator[_Made]:
    named = 0
    for number, flaw in enumerate(flaws):
        yield _planted(flaw, clean, scenes, number, 2 * named)
        named += flaw["paradigm"] not in ("lan_pg", "embedded_wh")


def _planted(flaw: Row, clean: Sequence[Row], scenes: Sequence[Row], number: int, names: int | None = None) -> _Made:
    """A flaw in the sound item that its number deals it, with the names that `names` does, by default the same."""
    if flaw["paradigm"] == "lan_pg":
        base: Row = _lan_slots("effort to talk to", number)
    elif flaw["paradigm"] == "embedded_wh":
        base = scenes[number % len(scenes)]
    else:
        first, second = _names_of(number if names is None else names)
        base = {**clean[number * 7 % len(clean)], "name1": first, "name2": second}
    return (_planted_in_cells if flaw["slot"] == "cells" else _planted_in_slot)(flaw, base, number)


def _planted_in_slot(flaw: Row, base: Row, number: int) -> _Made:
    word = flaw["word"].replace("NAME1", base.get("name1", "")).replace("NAME2", base.get("name2", ""))
    slots = {**base, flaw["slot"]: word}
    if flaw["slot"] == "noun":
        slots["noun"], _, slots["preposition"] = word.rpartition(" ")
        word = slots["noun"]
    if flaw["kind"] == "number":
        # A plural clashes with a linker that shows its number, and not with a modal.
        slots["linker"] = "is likely to"
    if flaw["kind"] == "past linker":
        slots["adverb"] = "tomorrow"
    made = _realised(flaw["paradigm"], slots, number)
    return _Made(made.paradigm, made.design, made.cells, flaw["expected"], flaw["kind"], word, flaw.get("also") or "")


def _planted_in_cells(flaw: Row, base: Row, number: int) -> _Made:
    made = _realised(flaw["paradigm"], base, number)
    if (kind := (flaw["kind"], flaw["word"])) not in _PLANT:
        raise FormatError(
            f"flaws.csv: nothing plants {', '.join(kind)}", hint="It takes an entry in _PLANT of tools/build_gold.py."
        )
    planted = _PLANT[kind](dict(made.cells), base)
    return _Made(made.paradigm, made.design, list(planted), flaw["expected"], flaw["kind"], also=flaw.get("also") or "")


def _realised(name: str, slots: Row, number: int) -> _Made:
    paradigm = load_paradigm(name)
    design = _design(paradigm, number)
    wanted = paradigm.design(design).conditions
    texts = {sentence.condition: sentence.text for sentence in realise(paradigm, slots)}
    return _Made(name, design, [(condition, texts[condition]) for condition in wanted])


def _design(paradigm: Paradigm, number: int) -> str:
    return paradigm.designs[number % len(paradigm.designs)].name


def _lan_slots(np: str, number: int) -> dict[str, str]:
    pick = [("Bob", "Mary"), ("John", "Jennifer")][number % 2]
    return {
        "name1": pick[0],
        "np": np,
        "name2": pick[1],
        "linker": "is likely to",
        "verb": "annoy",
        "object": "Kim",
        "adverb": "soon",
    }


Plant = Callable[[Cells, Row], Iterator[tuple[str, str]]]


def _in_first(change: Callable[[str], str]) -> Plant:
    """Plant in the first cell only."""

    def plant(cells: Cells, _base: Row) -> Iterator[tuple[str, str]]:
        for position, (name, text) in enumerate(cells.items()):
            yield name, change(text) if position == 0 else text

    return plant


def _in_all(change: Callable[[str], str]) -> Plant:
    """Plant in every cell."""

    def plant(cells: Cells, _base: Row) -> Iterator[tuple[str, str]]:
        for name, text in cells.items():
            yield name, change(text)

    return plant


def _other_word(slot: str, replacement: str) -> Plant:
    """Another word of a slot in the last cell, which shows all of them."""

    def plant(cells: Cells, base: Row) -> Iterator[tuple[str, str]]:
        last = list(cells)[-1]
        for name, text in cells.items():
            yield name, text.replace(base[slot], replacement, 1) if name == last else text

    return plant


def _rest(cells: Cells, keep: slice) -> Iterator[tuple[str, str]]:
    yield from islice(cells.items(), keep.start or 0, keep.stop)


def _gap_filled(cells: Cells, base: Row) -> Iterator[tuple[str, str]]:
    for position, (name, text) in enumerate(cells.items()):
        about = f"{base['noun']} {base['preposition']}"
        yield name, text.replace(about, f"{about} {base['name1']}", 1) if position == 0 else text


def _gap_open(cells: Cells, base: Row) -> Iterator[tuple[str, str]]:
    last = list(cells)[-1]
    for name, text in cells.items():
        yield name, text.replace(f" {base['name1']}", "", 1) if name == last else text


def _relabelled(cells: Cells, _base: Row) -> Iterator[tuple[str, str]]:
    for position, (name, text) in enumerate(cells.items()):
        yield "PFPX" if position == 0 else name, text


def _doubled(cells: Cells, _base: Row) -> Iterator[tuple[str, str]]:
    yield from cells.items()
    yield next(iter(cells.items()))


def _doubled_otherwise(cells: Cells, base: Row) -> Iterator[tuple[str, str]]:
    yield from cells.items()
    name, text = next(iter(cells.items()))
    yield name, text.replace(base["adverb"], "someday")


def _wrong_filler(filler: str) -> Plant:
    return _in_first(lambda text: text.replace(" who ", f" {filler} ", 1))


def _before_last_word(mark: str) -> Callable[[str], str]:
    return lambda text: f"{text.rpartition(' ')[0]} {mark} {text.rpartition(' ')[2]}"


def _last_word(before: str, after: str) -> Callable[[str], str]:
    return lambda text: f"{text.rpartition(' ')[0]} {before}{text.rpartition(' ')[2].rstrip('.')}{after}."


_PLANT: Mapping[tuple[str, str], Plant] = {
    ("missing cell", "first"): lambda cells, _: _rest(cells, slice(1, None)),
    ("missing cell", "last"): lambda cells, _: _rest(cells, slice(0, len(cells) - 1)),
    ("doubled cell", "same"): _doubled,
    ("doubled cell", "other"): _doubled_otherwise,
    ("unknown cell", "label"): _relabelled,
    ("empty sentence", "empty"): _in_first(lambda _: ""),
    ("identical cells", "filler"): _wrong_filler("that"),
    ("wrong filler", "whether"): _wrong_filler("whether"),
    ("wrong filler", "whom"): _wrong_filler("whom"),
    ("name in an open gap", "gap filled"): _gap_filled,
    ("name missing", "gap open"): _gap_open,
    ("word changed", "verb"): _other_word("verb", "bewilder"),
    ("word changed", "noun"): _other_word("noun", "pamphlet"),
    ("word changed", "matrix"): _other_word("matrix", "We heard"),
    ("word changed", "determiner"): _in_first(lambda text: text.replace(" the ", " a ", 1)),
    ("critical word changed", "adverb"): _in_first(lambda text: text.replace("soon", "someday").replace("eventually", "someday")),
    ("critical word changed", "name"): _other_word("name2", "Beatriz"),
    ("no capital", "one"): _in_first(lambda text: text[0].lower() + text[1:]),
    ("no capital", "all"): _in_all(lambda text: text[0].lower() + text[1:]),
    ("irregular spaces", "double"): _in_first(lambda text: text.replace(" ", "  ", 1)),
    ("irregular spaces", "no-break"): _in_first(lambda text: text.replace(" ", "\u00a0", 1)),
    ("irregular spaces", "before period"): _in_all(lambda text: text.replace(".", " .")),
    ("final punctuation", "missing"): _in_first(lambda text: text.rstrip(".")),
    ("final punctuation", "question"): _in_all(lambda text: text.replace(".", "?")),
    ("final punctuation", "doubled"): _in_first(lambda text: text + "."),
    ("invisible character", "zero-width"): _in_first(lambda text: text[:9] + "\u200b" + text[9:]),
    ("invisible character", "soft hyphen"): _in_first(lambda text: text[:12] + "\u00ad" + text[12:]),
    ("invisible character", "bidi"): _in_first(lambda text: "\u202d" + text),
    ("markup", "bold"): _in_all(_last_word("**", "**")),
    ("markup", "html"): _in_first(_last_word("<i>", "</i>")),
    ("markup", "code"): _in_all(lambda text: f"`{text}`"),
    ("quotation marks", "straight"): _in_all(lambda text: f'"{text}"'),
    ("quotation marks", "curly"): _in_first(lambda text: f"“{text}”"),
    ("visible gap", "underscore"): _in_first(_before_last_word("___")),
    ("visible gap", "bracket"): _in_first(_before_last_word("[gap]")),
    ("visible gap", "trace"): _in_first(_before_last_word("t_i")),
    ("visible gap", "empty set"): _in_first(_before_last_word("∅")),
    ("judgment mark", "star"): _in_first(lambda text: f"*{text}"),
    ("judgment mark", "question marks"): _in_first(lambda text: f"?? {text}"),
    ("number or label", "number"): _in_all(lambda text: f"(12) {text}"),
    ("number or label", "letter"): _in_first(lambda text: f"a. {text}"),
    ("number or label", "condition"): _in_first(lambda text: f"PFPG: {text}"),
    ("unusual character", "cyrillic"): _in_first(lambda text: text.replace("o", "о", 1)),
    ("punctuation inside", "comma"): _in_all(lambda text: text.replace(" who", ", who").replace(" that", ", that")),
    ("punctuation inside", "parenthesis"): _in_first(_last_word("(", ")")),
}


if __name__ == "__main__":
    main()
