"""Texts and paradigm files that look right and are not: none of them may be taken for what it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.templates import ParadigmError, Source, align, load_paradigm, parse_paradigm, read_back, realise, settled_slots

pytestmark = pytest.mark.fast

PG = load_paradigm("subject_pg")
LAN = load_paradigm("lan_pg")
SLOTS = {slot.name: slot.example for slot in PG.visible_slots}


def small(regions: str, slots: str, *, punctuation: str = ".") -> str:
    """A paradigm of two cells around these regions and slots."""
    return f"""
name = "small"
title = "Small"
final_punctuation = "{punctuation}"
[factors.number]
levels = {{ sg = "sg", pl = "pl" }}
[status]
sg = "ok"
pl = "*"
{regions}
[critical]
sg = "verb"
pl = "verb"
{slots}
[designs.both]
conditions = "all"
"""


VERB = '[[regions]]\nname = "verb"\nwhen = { sg = "sings", pl = "sing" }\n'


def test_words_without_a_space_between_them_are_not_aligned() -> None:
    text = "I know whothe story about islikely to amuse soon."
    assert align(PG, "pf_pg1_pg2", text, SLOTS, Source.IMPORTED).regions is None


def test_a_missing_last_word_is_not_a_missing_final_mark() -> None:
    slots = {slot.name: slot.words[0] for slot in LAN.slots}
    whole = realise(LAN, slots)[1].text
    cut = whole.rsplit(" ", 1)[0]
    assert align(LAN, "pf_mg", cut, slots, Source.IMPORTED).regions is None


def test_a_doubled_final_mark_does_not_become_part_of_a_word() -> None:
    texts = {s.condition: s.text + "." for s in realise(PG, SLOTS)}
    assert read_back(PG, texts).slots is None
    assert settled_slots(PG, texts) is None


def test_an_ambiguous_reading_settles_nothing() -> None:
    wh = load_paradigm("embedded_wh")
    texts = {
        "pf_pg": "I know what the old lion devoured at dawn.",
        "mf_pg": "I know that the old lion devoured at dawn.",
    }
    assert len(read_back(wh, texts).readings) > 1
    assert settled_slots(wh, texts) is None


@pytest.mark.parametrize("listed", ["closed", "words"])
def test_a_slot_at_the_start_reads_back_in_its_own_case(listed: str) -> None:
    regions = '[[regions]]\nname = "subject"\ntext = "{det} {bird}"\n' + VERB
    slots = f'[slots.det]\ndescription = "d"\n{listed} = ["the", "a"]\n[slots.bird]\ndescription = "b"\n'
    paradigm = parse_paradigm(small(regions, slots))
    filling = {"det": "the", "bird": "heron"}
    result = read_back(paradigm, {s.condition: s.text for s in realise(paradigm, filling)})
    assert result.ok
    assert result.slots == filling


def test_a_slot_that_moves_to_the_front_is_the_same_slot() -> None:
    regions = (
        '[[regions]]\nname = "topic"\nwhen = { sg = "{thing}", pl = "" }\n'
        '[[regions]]\nname = "subject"\ntext = "we"\n'
        '[[regions]]\nname = "verb"\ntext = "saw"\n'
        '[[regions]]\nname = "object"\nwhen = { sg = "", pl = "{thing}" }\n'
    )
    paradigm = parse_paradigm(small(regions, '[slots.thing]\ndescription = "t"\nmax_words = 2\n'))
    result = read_back(paradigm, {"sg": "A pie we saw.", "pl": "We saw a pie."})
    assert result.ok
    assert result.slots == {"thing": "a pie"}


def test_a_slot_with_something_attached_may_have_several_words() -> None:
    regions = '[[regions]]\nname = "adverbial"\ntext = "at {time},"\n' + VERB
    paradigm = parse_paradigm(small(regions, '[slots.time]\ndescription = "t"\nmax_words = 3\n'))
    filling = {"time": "half past nine"}
    assert read_back(paradigm, {s.condition: s.text for s in realise(paradigm, filling)}).slots == filling


@pytest.mark.parametrize("value", ["story\x00", "sto\u200bry", "story\x1b[31m"])
def test_a_slot_takes_nothing_that_cannot_be_printed(value: str) -> None:
    with pytest.raises(ParadigmError, match="noun"):
        realise(PG, {**SLOTS, "noun": value})


@pytest.mark.parametrize(
    ("regions", "slots", "message"),
    [
        ('[[regions]]\nname = "subject"\ntext = "the {Bird}"\n' + VERB, "", "neither a word nor a slot"),
        ('[[regions]]\nname = "punctuation"\ntext = "the bird"\n' + VERB, "", "'punctuation'"),
        (
            '[[regions]]\nname = "subject"\ntext = "{det} {bird}"\n' + VERB,
            '[slots.det]\ndescription = "d"\noffered_by = "bird.det"\n[slots.bird]\ndescription = "b"\n',
            "comes later",
        ),
    ],
)
def test_traps_in_paradigm_files_are_refused(regions: str, slots: str, message: str) -> None:
    with pytest.raises(ParadigmError) as caught:
        parse_paradigm(small(regions, slots))
    assert message in str(caught.value)


def test_a_label_means_one_cell_in_all_designs() -> None:
    text = small('[[regions]]\nname = "subject"\ntext = "the bird"\n' + VERB, "")
    text += '[designs.one]\nconditions = { A = "sg" }\n[designs.two]\nconditions = { "a " = "pl" }\n'
    with pytest.raises(ParadigmError, match="already means sg"):
        parse_paradigm(text)


def test_a_label_with_a_space_is_understood() -> None:
    text = small('[[regions]]\nname = "subject"\ntext = "the bird"\n' + VERB, "")
    paradigm = parse_paradigm(text + '[designs.one]\nconditions = { "PF PG" = "sg" }\n')
    assert paradigm.resolve_label("PF PG") == paradigm.resolve_label("pfpg") == "sg"


def test_the_check_finds_a_misspelt_column(tmp_path: Path) -> None:
    from gapsmith.app.paradigm_check import check_paradigm

    paradigm = parse_paradigm(PG.text.replace('"noun.kind"', '"noun.kindd"'))
    failed = [result for result in check_paradigm(paradigm) if not result.ok]
    assert any("kindd" in result.detail for result in failed)


def test_a_text_with_too_many_readings_says_so_and_settles_nothing() -> None:
    """Ten slots of up to three words in 20 words: far more readings than can be looked at."""
    names = [f"s{letter}" for letter in "abcdefghij"]
    slots = "".join(f'[slots.{name}]\ndescription = "x"\nmax_words = 3\n' for name in names)
    places = " ".join(f"{{{name}}}" for name in names)
    paradigm = parse_paradigm(
        'name = "wide"\ntitle = "Wide"\n[factors.f]\nlevels = { a = "A", b = "B" }\n[status]\na = "ok"\nb = "ok"\n'
        f'[[regions]]\nname = "r"\ntext = "{places}"\n[critical]\na = "r"\nb = "r"\n{slots}'
        '[designs.both]\nconditions = "all"\n'
    )
    text = " ".join("abcdefghijklmnopqrst") + "."
    found = read_back(paradigm, {"a": text, "b": text})
    assert found.slots is None
    assert {failure.reason for failure in found.failures} == {"can be read in more than 4,096 ways"}
    assert settled_slots(paradigm, {"a": text, "b": text}) is None
