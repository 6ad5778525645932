"""Loading paradigm files: the shipped ones are what the papers describe, and a broken one says where and what."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.templates import ParadigmError, Status, expand, load_paradigm, paradigm_files, parse_paradigm, read_as, realise

pytestmark = pytest.mark.fast

SHIPPED = sorted(paradigm_files())


def test_the_shipped_paradigms_are_there() -> None:
    assert {"subject_pg", "lan_pg", "lan_atb", "embedded_wh"} <= set(SHIPPED)


def test_subject_pg_has_the_cells_statuses_and_example_of_the_paper() -> None:
    paradigm = load_paradigm("subject_pg")
    slots = {slot.name: slot.example for slot in paradigm.visible_slots}
    sentences = {s.condition: s.text for s in realise(paradigm, slots)}
    expected = {
        "pf_pg1_pg2": ("ok", "I know who the story about is likely to amuse soon."),
        "mf_pg1_pg2": ("*", "I know that the story about is likely to amuse soon."),
        "pf_mg1_pg2": ("ok", "I know who the story about Mary is likely to amuse soon."),
        "mf_mg1_pg2": ("*", "I know that the story about Mary is likely to amuse soon."),
        "pf_pg1_mg2": ("*", "I know who the story about is likely to amuse Anna soon."),
        "mf_pg1_mg2": ("*", "I know that the story about is likely to amuse Anna soon."),
        "pf_mg1_mg2": ("*", "I know who the story about Mary is likely to amuse Anna soon."),
        "mf_mg1_mg2": ("ok", "I know that the story about Mary is likely to amuse Anna soon."),
    }
    assert {c.name: (c.expected, sentences[c.name]) for c in paradigm.conditions} == expected
    assert paradigm.condition("pf_pg1_pg2").label == "+F +G1 +G2"


def test_the_critical_region_is_the_filled_gap_or_the_adverb_after_the_open_one() -> None:
    paradigm = load_paradigm("subject_pg")
    slots = {slot.name: slot.example for slot in paradigm.visible_slots}
    for sentence in realise(paradigm, slots):
        span = sentence.span(paradigm.condition(sentence.condition).critical)
        assert span is not None
        assert sentence.text[span.start : span.end] == ("Anna" if sentence.condition.endswith("mg2") else "soon")


def test_the_four_labels_of_the_two_by_two_design() -> None:
    assert dict(load_paradigm("subject_pg").design("lan2x2").labels) == {
        "PFPG": "pf_pg1_pg2",
        "MFPG": "mf_mg1_pg2",
        "PFMG": "pf_pg1_mg2",
        "MFMG": "mf_mg1_mg2",
    }


@pytest.mark.parametrize(
    ("label", "condition"),
    [
        ("PFPG", "pf_pg1_pg2"),
        ("pf_pg1_pg2", "pf_pg1_pg2"),
        ("+F +G1 -G2", "pf_pg1_mg2"),
        ("mfmg", "mf_mg1_mg2"),
        ("+filler -gap", "pf_pg1_mg2"),
        ("+Fill, −gap", "pf_pg1_mg2"),
        ("-f +g", "mf_mg1_pg2"),
        ("+filler -gap 1 +g2", "pf_mg1_pg2"),
        ("+fem +g", None),
        ("+filler -gab", None),
        ("+passive +gap", None),
        ("+fillers +gap", None),
        ("+F_+G1_-G2", "pf_pg1_mg2"),
        ("+filler_+gap_1_-gap_2", "pf_pg1_mg2"),
        ("+gap", None),
        ("X", None),
    ],
)
def test_labels_in_files_resolve_to_cells(label: str, condition: str | None) -> None:
    assert load_paradigm("subject_pg").resolve_label(label) == condition


def test_a_sign_says_nothing_of_levels_that_are_two_things() -> None:
    levels = '[factors.number]\nlevels = { sg = "+sg", pl = "-pl" }\n[designs.all]\nconditions = "all"\n'
    paradigm = parse_paradigm(f'name = "x"\ntitle = "x"\nitems = "given"\nfinal_punctuation = ""\n{levels}')
    labels = ("+sg", "-pl", "-PL", "+pl", "-sg", "+p", "+number")
    assert [paradigm.resolve_label(label) for label in labels] == ["sg", "pl", "pl", None, None, None, None]


@pytest.mark.parametrize(("name", "items", "texts"), [("lan_pg", 8064, 16128), ("lan_atb", 6624, 17664)])
def test_lans_grammars_expand_to_the_published_numbers(name: str, items: int, texts: int) -> None:
    paradigm = load_paradigm(name)
    fillings = [tuple(f.items()) for f in expand(paradigm)]
    assert len(fillings) == len(set(fillings)) == items
    assert len({s.text for f in fillings for s in realise(paradigm, dict(f))}) == texts


def test_the_texts_of_lans_grammar_come_apart_into_frames_and_verbs() -> None:
    paradigm = load_paradigm("lan_pg")
    rows = [paradigm.in_parts(filling) for filling in expand(paradigm)]
    assert {name: len({row[name] for row in rows}) for name in ("np", "np_frame", "np_verb", "verb")} == {
        "np": 28,
        "np_frame": 6,
        "np_verb": 5,
        "verb": 3,
    }
    apart = {row["np"]: (row["np_frame"], row["np_verb"]) for row in rows}
    assert apart["talking to"] == ("gerund", "talk to")
    assert apart["failure to dance with"] == ("failure to", "dance with")
    # What the file does not list has a word of its own, in the part that is not known.
    assert paradigm.in_parts({"np": "wish to call"}) == {"np": "wish to call", "np_frame": "wish to call", "np_verb": "call"}
    assert paradigm.in_parts({"np": "wish"})["np_verb"] == "wish"


def test_items_that_were_made_before_parts_were_told_have_them() -> None:
    """Parts are of what is said of the words today, so what was made with another form of the file is read with them."""
    today = load_paradigm("lan_pg")
    before = replace(today, form_digest="other", slots=tuple(replace(slot, parts=()) for slot in today.slots))
    assert set(before.in_parts({"np": "decision to call"})) == {"np"}
    assert read_as(before, today).in_parts({"np": "decision to call"})["np_verb"] == "call"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('call = "* call"', 'call = "* phone"', "`slots.np.parts.verb`: 'decision to call' has none of its words"),
        ('meet = "* meet"', 'meet = "(* meet|* call)"', "'decision to call' has several of its words (call, meet)"),
        ('meet = "* meet"', 'meet = "* meet"\nsee = "* see"', "no text of the slot has the word 'see'"),
        ("[slots.np.parts.frame]", "[slots.np.parts.Frame]", "small letters"),
        ("[slots.verb]", "[slots.np_verb]", "'np_verb'"),
    ],
)
def test_parts_that_do_not_take_the_texts_apart_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = paradigm_files()["lan_pg"].read_text(encoding="utf-8")
    assert old in text
    if "np_verb" in new:
        text = text.replace("{verb}", "{np_verb}")
    path = tmp_path / "lan_pg.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParadigmError, match=re.escape(str(path))) as caught:
        load_paradigm(str(path))
    assert message in str(caught.value)


def test_lans_published_example_is_among_them() -> None:
    paradigm = load_paradigm("lan_pg")
    texts = {s.text for f in expand(paradigm) for s in realise(paradigm, f)}
    assert "I know who John's talking to is about to annoy soon" in texts
    assert "I know that John's talking to Mary is about to annoy you soon" in texts


@pytest.mark.parametrize("name", SHIPPED)
def test_every_contrast_of_a_shipped_paradigm_balances(name: str) -> None:
    for contrast in load_paradigm(name).contrasts:
        assert sum(term.weight for term in contrast.terms) == 0


def _subject_pg() -> str:
    return paradigm_files()["subject_pg"].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title =", "titel =", "titel"),
        ('mg2 = "gap2"', 'mg2 = "gapp2"', "no region 'gapp2'"),
        ('text = "{verb}"', 'text = "{vreb}"', "'vreb'"),
        ('pf_pg1_pg2 = "ok"', 'pf_pg1_pg2 = "fine"', "`pf_pg1_pg2` in [status]"),
        ('pf_pg1_pg2 = "ok"\n', "", "says nothing for pf_pg1_pg2"),
        ('distinct = ["name1", "name2"]', 'distinct = ["name1", "name3"]', "'name3'"),
        ('formula = "pf_pg1_pg2 - mf_pg1_pg2"', 'formula = "pf_pg1_pg2 minus"', "contrasts.P1.formula"),
        ('formula = "pf_pg1_pg2 - mf_pg1_pg2"', 'formula = "pf_pg1 - mf_pg1_pg2"', "'pf_pg1'"),
        ('name = "adverb"\ntitle', 'name = "verb"\ntitle', "'verb' is there twice"),
        ('when = { pf = "who", mf = "that" }', 'when = { pf = "who" }', "no text for the condition mf_pg1_pg2"),
        ('when = { pf = "who", mf = "that" }', 'when = { pf = "who", nf = "that" }', "'nf' is no level"),
        ('offered_by = "noun.preposition"', 'offered_by = "nuon.preposition"', "'nuon'"),
        ('pg2 = "adverb"', 'pg2 = "gap2"', "is empty in the condition"),
        ("version = 1", "version = ", "not valid TOML"),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_the_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = _subject_pg()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParadigmError, match=re.escape(str(path))) as caught:
        load_paradigm(str(path))
    assert message in str(caught.value)


def test_an_unknown_name_suggests_the_near_one() -> None:
    with pytest.raises(ParadigmError) as caught:
        load_paradigm("subject_gp")
    assert "subject_pg" in caught.value.hint


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ParadigmError, match="no such file"):
        load_paradigm("/nowhere/at/all.toml")


def test_a_users_own_paradigm_with_its_own_lexicon(tmp_path: Path) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "birds.csv").write_text("form\nheron\nwren\n", encoding="utf-8")
    (tmp_path / "bird.toml").write_text(
        """
name = "bird"
title = "Birds"
items = "exhaustive"
[factors.number]
levels = { sg = "sg", pl = "pl" }
[status]
sg = "ok"
pl = "*"
[[regions]]
name = "subject"
text = "the {bird}"
[[regions]]
name = "verb"
when = { sg = "sings", pl = "sing" }
[critical]
sg = "verb"
pl = "verb"
[slots.bird]
description = "a bird"
lexicon = "birds"
[designs.both]
conditions = "all"
""",
        encoding="utf-8",
    )
    paradigm = load_paradigm(str(tmp_path / "bird.toml"))
    assert [s.text for f in expand(paradigm) for s in realise(paradigm, f)] == [
        "The heron sings.",
        "The heron sing.",
        "The wren sings.",
        "The wren sing.",
    ]


def test_statuses_are_the_three_of_the_field() -> None:
    assert [status.value for status in Status] == ["ok", "?", "*"]


def test_the_digest_identifies_the_text() -> None:
    text = _subject_pg()
    assert parse_paradigm(text).digest == parse_paradigm(text).digest != parse_paradigm(text + "\n").digest


def test_a_paradigm_is_read_once_also_beside_all_that_ship(tmp_path: Path) -> None:
    """An import tries each of them: one more than are remembered, and none would be."""
    (tmp_path / "paradigms").mkdir()
    shipped = Path(load_paradigm("embedded_wh").path).read_text(encoding="utf-8")
    for n in range(4):
        (tmp_path / "paradigms" / f"own_{n}.toml").write_text(shipped.replace('name = "embedded_wh"', f'name = "own_{n}"', 1))
    names = list(paradigm_files(tmp_path))
    first = [load_paradigm(name, tmp_path) for name in names]
    assert all(load_paradigm(name, tmp_path) is one for name, one in zip(names, first, strict=True))
