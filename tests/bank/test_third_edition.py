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


def swapped(n: int, pair: tuple[str, str]) -> str:
    one, other = pair if n < 3 else pair[::-1]
    said = "from here on a and b are swapped" if n == 3 else ""
    return f"{n},a,{one},{said}\n{n},b,{other},\n"


def halves(pairs: tuple[tuple[str, str], ...]) -> str:
    return (
        "LIST A\n"
        + "".join(f"{n}. {pair[n % 2]}\n" for n, pair in enumerate(pairs, 1))
        + ("\nLIST B\n" + "".join(f"{n}. {pair[1 - n % 2]}\n" for n, pair in enumerate(pairs, 1)))
    )


LABELLED = each("Item {n}\nactive: {a}\npassive: {b}\n\n")
JUDGED = each("{n},plain,ok,{a}\n{n},twin,*,*{b}\n", KNOT)
TRAPS: dict[str, tuple[str, str, str]] = {
    "slip.txt": (
        LABELLED.replace("passive: Two", "active: Two"),
        "passive is there once less than there are items",
        "line with the same",
    ),
    "long/slip.txt": (
        LABELLED.replace("active:", "long/act:").replace("passive:", "long/pass:").replace("long/pass: Two", "long/act: Two"),
        "item 4 has 'long/act' already",
        "--alternatives",
    ),
    "swapped.csv": (
        "item,cond,sentence,comment\n" + "".join(swapped(n, pair) for n, pair in enumerate(KNOT, 1)),
        "swapped",
        "--condition-column cond",
    ),
    "numbers.csv": (
        "Item,Kind,Sentence\n"
        + each("{n},act,{a}\n{n},pass,{b}\n").replace("5,", "4,")
        + "6,act,The cat saw a dog.\n6,pass,A dog was seen by the cat.\n",
        "the two that are called 4 are two",
        "--leave-out",
    ),
    "judged.csv": (
        "item,kind,judgment,sentence\n" + JUDGED.replace("*,*The road", "*,The road").replace("ok,The coat", "ok,*The coat"),
        "left open where a column says the opposite (item 2, twin, item 4, plain)",
        "--first",
    ),
    "holes.txt": (each("{n}a. {a}\n{n}b. {b}\n").replace(PAIRS[3][1], "XXX"), "'XXX' is no sentence", "--strip"),
    "lists.txt": (halves(KNOT), "are called as the lists of an experiment are", "--first"),
    "letters.txt": (each("{n}a. {a}\n{n}b. {b}\n").replace("3b.", "3."), "line 6", "--strip-prefix"),
    "case.csv": (
        "item,cond,sentence\n" + each("{n},act,{a}\n{n},pass,{b}\n").replace("4,act", "4,Act"),
        "item 4 alone has a condition 'Act'",
        "--condition-column cond",
    ),
    "sim.tsv": (
        "item\tgramatical\tfrase\n" + each("{n}\tsim\t{a}\n{n}\tnão\t{b}\n", KNOT),
        "gramatical",
        "--good gramatical=não",
    ),
    "surprisal.tsv": (
        "item\tcondition\ttok_idx\ttoken\tgpt2_surprisal\n"
        + "".join(
            f"{n}\t{label}\t{place}\t{word}\t{3 + place}.25\n"
            for n, pair in enumerate(KNOT, 1)
            for label, text in zip(("plain", "twin"), pair, strict=True)
            for place, word in enumerate(text.split())
        ),
        "First import the sentences of these items, from here by a command below",
        "--good",
    ),
}
"""Files in which something is wrong or not said, each with what is told of it, and what no command for it says."""


@pytest.mark.parametrize("name", TRAPS)
def test_what_is_wrong_is_told_and_no_command_decides_it(tmp_path: Path, name: str) -> None:
    content, told, never = TRAPS[name]
    path = put(tmp_path, name.replace("/", "_"), content)
    try:
        found = read_foreign(SourceFile(path))
        printed, text = [], " ".join([*found.notes, *(f"{one.what} {one.taken} {one.why}" for one in found.assumptions)])
    except FormatError as error:
        printed, text = commands(error), f"{error} {error.hint}"
    assert told in text
    assert not any(never in command for command in printed)


def test_a_json_file_names_its_regions_once(tmp_path: Path) -> None:
    document = {
        "region_names": ["subject", "verb", "end"],
        "items": [
            {
                "item": n,
                "conditions": {
                    label: [*text.rstrip(".").rsplit(" ", 2)[:1], *text.rstrip(".").rsplit(" ", 2)[1:]]
                    for label, text in zip(VOICES, pair, strict=True)
                },
            }
            for n, pair in enumerate(PAIRS, 1)
        ],
    }
    found = taken(put(tmp_path, "named.json", json.dumps(document)))
    assert {region.name for item in found.items for s in item.sentences for region in s.regions or ()} == {
        "subject",
        "verb",
        "end",
    }


def test_answers_stand_apart_from_their_questions(tmp_path: Path) -> None:
    found = taken(put(tmp_path, "asked.txt", HONEST["asked.txt"][0]))
    assert found.items[0].sentences[0].attributes == {"question": "Is it so?", "question_answer": "Y"}


def test_of_a_mark_against_a_column_nothing_is_kept(tmp_path: Path) -> None:
    found = taken(put(tmp_path, "judged.csv", TRAPS["judged.csv"][0]))
    kept = {(item.label, s.condition): s.attributes.get("judgement") for item in found.items for s in item.sentences}
    assert {key for key, value in kept.items() if value is None} == {("2", "twin"), ("4", "plain")}
    assert sum("(2 sentences in all)" in note for note in found.notes) == 1


def test_encodings_are_shown_by_the_words_that_they_read_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "porte.csv"
    lines = "".join(f"{n};vu;L'élève a vu la forêt {n}.\n{n};bu;L'élève a bu la crème {n}.\n" for n in range(1, 6))
    path.write_bytes(f"Item;Condition;Phrase\n{lines}".encode("cp1252"))
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    shown = [line for line in caught.value.hint.splitlines() if line.startswith("  gapsmith import")]
    assert len(shown) > 1
    words = [set(line.partition(" it has ")[2].partition("; line")[0].split(", ")) for line in shown]
    assert not set.intersection(*words)
