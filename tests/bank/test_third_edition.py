"""A third lot of shapes that people keep items in, and of files in which something is wrong: what is plain comes in at once or by the first
command that is printed, with its own conditions, and what is wrong is never passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, SourceFile, read_foreign
from gapsmith.templates import FormatError
from tests.bank.test_shapes_of_strangers import commands, said

PAIRS = (
    ("The guide praised the hikers at noon.", "The hikers were praised by the guide at noon."),
    ("A nurse thanked the porter after lunch.", "The porter was thanked by a nurse after lunch."),
    ("My cousin painted the old fence.", "The old fence was painted by my cousin."),
    ("The judge warned two lawyers again.", "Two lawyers were warned by the judge again."),
    ("Every pupil solved that riddle quickly.", "That riddle was solved by every pupil quickly."),
)
"""An active sentence and its passive, five items."""
SORTED = sorted(sorted(pair) for pair in PAIRS)
VOICES = ("active", "passive")
KNOT = (
    ("The key to the cabinets is rusty.", "The key to the cabinets are rusty."),
    ("The road to the villages is wet.", "The road to the villages are wet."),
    ("The nurse of the patients is tired.", "The nurse of the patients are tired."),
    ("The coat with the buttons is torn.", "The coat with the buttons are torn."),
    ("The letter from the lawyers is long.", "The letter from the lawyers are long."),
)
"""A good sentence and its bad twin, five items."""


def each(line: str, pairs: tuple[tuple[str, str], ...] = PAIRS) -> str:
    """A line for each item, with its number n and its sentences a and b."""
    return "".join(line.format(n=n, a=a, b=b) for n, (a, b) in enumerate(pairs, 1))


HONEST: dict[str, tuple[str, tuple[str, ...]]] = {
    "labels.txt": (each("Item {n}\nactive: {a}\npassive: {b}\n\n"), VOICES),
    "tabbed.txt": (each("Item {n}\nactive\t{a}\npassive\t{b}\n\n"), VOICES),
    "behind.txt": (each("{a} (active)\n{b} (passive)\n\n"), VOICES),
    "comments.txt": (each("# item = {n}\n# cond = active\n{a}\n\n# item = {n}\n# cond = passive\n{b}\n\n"), VOICES),
    "equals.txt": (each("=== item {n} ===\n[active]\n{a}\n[passive]\n{b}\n"), VOICES),
    "bold.md": (each("{n}. **active:** {a}\n   **passive:** {b}\n"), VOICES),
    "facts.pl": (
        "% item(Number, Condition, Sentence).\n" + each('item({n}, active, "{a}").\nitem({n}, passive, "{b}").\n'),
        VOICES,
    ),
    "items.lisp": (
        "(defparameter *items* '(\n"
        + each('  (:item {n} :cond active :sent "{a}")\n  (:item {n} :cond passive :sent "{b}")\n')
        + "))\n",
        VOICES,
    ),
    "table.org": (
        "* Materials\n| item | type | sentence |\n|------+------+----------|\n"
        + each("| {n} | active | {a} |\n| {n} | passive | {b} |\n"),
        VOICES,
    ),
    "list.rst": (
        "Items\n=====\n\n.. list-table::\n   :header-rows: 1\n\n   * - item\n     - cond\n     - sentence\n"
        + each("   * - {n}\n     - active\n     - {a}\n   * - {n}\n     - passive\n     - {b}\n"),
        VOICES,
    ),
    "seconds.csv": ("sep=;\r\nNr;Bed;Satz\r\n" + each('{n};A;"{a}"\r\n{n};B;"{b}"\r\n'), ("A", "B")),
    "terms.html": (
        "<html><body><dl>" + each("<dt>{n}a</dt><dd>{a}</dd><dt>{n}b</dt><dd>{b}</dd>") + "</dl></body></html>",
        ("a", "b"),
    ),
    "cells.csv": ("item,sentences\n" + each('{n},"a. {a}\nb. {b}"\n'), ("first", "second")),
    "side.csv": ("item,cond_a,sent_a,cond_b,sent_b\n" + each("{n},active,{a},passive,{b}\n"), VOICES),
    "words.yml": (
        "stimuli:\n"
        + each('  - item: {n}\n    versions:\n      - cond: active\n        s: "{a}"\n      - cond: passive\n        s: "{b}"\n'),
        VOICES,
    ),
    "places.json": (json.dumps({"conditions": {"active": [a for a, _ in PAIRS], "passive": [b for _, b in PAIRS]}}), VOICES),
    "asked.txt": (each("# voice {n} active\n{a}\n? Is it so? Y\n\n# voice {n} passive\n{b}\n? Is it so? N\n\n"), VOICES),
    "remark.csv": (
        "item,cond,sentence\n" + each("{n},active,{a}\n{n},passive,{b}\n").replace("noon.", "noon.   <-- check!", 1),
        VOICES,
    ),
    "practice.csv": (
        "id,cond,sentence\nP1,active,The sun is up.\nP2,passive,The sun was seen.\n" + each("{n},active,{a}\n{n},passive,{b}\n"),
        VOICES,
    ),
}
"""Files with all five items, as people keep them, and the conditions that these have."""


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode())
    return path


def taken(path: Path) -> ForeignSet:
    """What a file comes to, at once or by the first command that is printed."""
    try:
        return read_foreign(SourceFile(path))
    except FormatError as error:
        printed = commands(error)
        options, format = said(printed[0])
        return read_foreign(SourceFile(path, options), format=format)


@pytest.mark.parametrize("name", HONEST)
def test_what_is_plain_comes_in_with_its_conditions(tmp_path: Path, name: str) -> None:
    content, conditions = HONEST[name]
    found = taken(put(tmp_path, name, content))
    assert sorted(sorted(s.text for s in item.sentences) for item in found.items) == SORTED
    assert tuple(found.conditions) == conditions
    for item, (one, other) in zip(found.items, PAIRS, strict=True):
        assert {s.condition: s.text for s in item.sentences} == dict(zip(conditions, (one, other), strict=True))
