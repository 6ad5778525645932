"""Family T: cells, minimality, slots. Every flaw is planted in an otherwise sound item."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.templates import expand, load_paradigm, realise, sample
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from tests.vetting.linting import SLOTS, codes, lint, stored, texts, with_words

pytestmark = pytest.mark.fast

PG = load_paradigm("subject_pg")
FULL = texts(PG, SLOTS)
Cells = dict[str, str]


def _replace(cell: str, old: str, new: str) -> Callable[[Cells], Cells]:
    return lambda cells: {**cells, cell: cells[cell].replace(old, new)}


def _without(cell: str) -> Callable[[Cells], Cells]:
    return lambda cells: {name: text for name, text in cells.items() if name != cell}


PLANTED: list[tuple[str, Callable[[Cells], Cells]]] = [
    ("T001", _without("mf_pg1_mg2")),
    ("T003", lambda cells: {**cells, "pf_pg9": cells["pf_pg1_pg2"]}),
    ("T004", lambda cells: {**cells, "pf_pg1_pg2": "  "}),
    ("T005", lambda cells: {**cells, "mf_pg1_pg2": cells["pf_pg1_pg2"]}),
    ("T010", _replace("pf_pg1_pg2", "who", "that")),
    ("T010", _replace("mf_mg1_mg2", "that", "who")),
    ("T020", _replace("mf_mg1_mg2", " about Maria", " about")),
    ("T010", _replace("pf_mg1_pg2", "about Maria", "on Maria")),
    ("T020", _replace("mf_mg1_pg2", "soon", "very soon")),
    ("T010", _replace("mf_mg1_mg2", "I know that", "I know whether")),
    ("T020", _replace("mf_pg1_pg2", "enrage", "astound")),
    ("T020", _replace("pf_pg1_pg2", "story", "rumor")),
    ("T020", _replace("mf_mg1_mg2", "I know", "She heard")),
    ("T020", _replace("mf_mg1_mg2", "Maria", "Carla")),
    ("T020", _replace("mf_mg1_mg2", "is likely to", "is going to")),
    ("T020", _replace("pf_mg1_pg2", "soon", "eventually")),
    ("T020", _replace("pf_mg1_mg2", "the story", "a story")),
    ("T020", _replace("pf_pg1_pg2", "I know", "I really know")),
    ("T021", _replace("pf_pg1_pg2", "soon", "eventually")),
    ("T021", _replace("mf_mg1_mg2", "Anna", "Carla")),
    ("T030", _replace("pf_pg1_pg2", "I know", "i know")),
    ("T031", _replace("pf_pg1_pg2", " soon", "  soon")),
    ("T032", _replace("pf_pg1_pg2", ".", "")),
    ("T036", _replace("pf_pg1_pg2", "about", "about __")),
]


@pytest.mark.parametrize(("code", "plant"), PLANTED)
@pytest.mark.parametrize("known", [True, False], ids=["slots", "texts"])
def test_each_planted_flaw_is_found(code: str, plant: Callable[[Cells], Cells], known: bool) -> None:
    """Found whether the item has slots or only sentences, and as an error."""
    item = stored(PG, plant(dict(FULL)).items(), SLOTS if known else None)
    found = lint(item, "T")
    assert code in {finding.code for finding in found}
    assert all(finding.severity == "error" for finding in found if finding.code != "T013")


@pytest.mark.parametrize(("code", "plant"), [p for p in PLANTED if p[0] in {"T010", "T020"}])
def test_a_changed_cell_is_blamed_itself(code: str, plant: Callable[[Cells], Cells]) -> None:
    """One changed cell gives a finding about that cell, not about its innocent neighbors."""
    cells = plant(dict(FULL))
    (changed,) = [name for name in cells if cells[name] != FULL[name]]
    found = [finding for finding in lint(stored(PG, cells.items()), "T") if finding.code == code]
    assert [finding.place.condition for finding in found] == [changed]


def test_a_doubled_cell() -> None:
    """Twice the same label is a finding, and says whether the texts differ."""
    twice = [*FULL.items(), ("pf_pg1_pg2", FULL["mf_mg1_mg2"])]
    (finding,) = lint(stored(PG, twice), "T002")
    assert "2 times, with different texts" in finding.message


def test_the_message_names_the_words() -> None:
    """A reader sees which words differ without looking at the sentences."""
    (finding,) = lint(stored(PG, _replace("mf_pg1_pg2", "enrage", "astound")(dict(FULL)).items()), "T020")
    assert "'astound' against 'enrage'" in finding.message
    assert "-F +G1 +G2" in finding.message


def test_a_wrong_filler_names_what_is_expected() -> None:
    """The filler belongs to the condition, so the cell says what it should have been."""
    (finding,) = lint(stored(PG, _replace("pf_pg1_pg2", "who", "that")(dict(FULL)).items()), "T010")
    assert "has 'that' where 'who' is expected" in finding.message


JOHNS = {
    "pf_pg1_pg2": "I think who John's remarks about are likely to enrage soon.",
    "mf_mg1_pg2": "I think that John's remarks about Maria are likely to enrage soon.",
    "pf_pg1_mg2": "I think who John's remarks about are likely to enrage Anna soon.",
    "mf_mg1_mg2": "I think that John's remarks about Maria are likely to enrage Anna soon.",
}


def test_cells_of_another_shape_are_one_finding_with_the_place() -> None:
    """All cells at once, by the labels of the item's design too, and the word at which the first goes wrong."""
    found = lint(stored(PG, JOHNS.items(), design="lan2x2"))
    (finding,) = [f for f in found if f.code == "T010"]
    own = {name: label for label, name in PG.design("lan2x2").labels.items()}
    for name in JOHNS:
        label = PG.condition(name).label
        assert f"{own[name]} ({label})" in finding.message or own[name] == label
    assert 'has "John\'s" where determiner' in finding.message
    assert "after 'I think who'" in finding.message


def test_the_matrix_frame_of_cells_that_cannot_be_read() -> None:
    """What stands before who and that is the frame, whatever follows; frames that differ are none."""
    (finding,) = lint(stored(PG, JOHNS.items(), design="lan2x2"), "L1")
    assert (finding.code, finding.place.slot) == ("L101", "matrix")
    assert "think" in finding.message
    known = {name: text.replace("think", "know") for name, text in JOHNS.items()}
    assert codes(stored(PG, known.items(), design="lan2x2"), "L") == []
    mixed = {**JOHNS, "mf_mg1_mg2": known["mf_mg1_mg2"]}
    assert codes(stored(PG, mixed.items(), design="lan2x2"), "L") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I know who the story about is likely to enrage soon or at a time that nobody can tell.", "goes on with"),
        ("I know who the story about amuses.", "ends where verb is expected"),
        ("I know whom the story about is likely to enrage soon.", "has no 'who' after its matrix"),
        ("I know who story about is likely to enrage soon.", "has 'story' where determiner"),
        ("I know who the story glorp is likely to enrage soon.", "has no preposition ('about' or 'of'"),
    ],
)
def test_one_cell_alone_says_where_it_goes_wrong(text: str, said: str) -> None:
    """The first place at which the text and the pattern part."""
    (finding,) = lint(stored(PG, [("pf_pg1_pg2", text)]), "T010")
    assert said in finding.message
    assert finding.place.condition == "pf_pg1_pg2"


def test_a_cell_outside_the_design() -> None:
    """Lan's four cells are complete for lan2x2; a fifth is not part of it."""
    four = PG.design("lan2x2").conditions
    item = stored(PG, [(name, FULL[name]) for name in four], design="lan2x2")
    assert codes(item, "T") == []
    assert codes(stored(PG, FULL.items(), design="lan2x2"), "T") == ["T003"]


def test_an_edit_of_all_cells_against_the_slots() -> None:
    """Sentences that agree with each other and not with the slots are a warning about the slots."""
    item = stored(PG, texts(PG, {**SLOTS, "verb": "astound"}).items(), SLOTS)
    (finding,) = lint(item, "T")
    assert (finding.code, finding.severity, finding.place.slot) == ("T012", "warning", "verb")


def test_one_word_critical_region_in_a_design_of_four() -> None:
    """A two-word name where surprisal is measured."""
    slots = {**SLOTS, "name2": "Anna Berg"}
    found = {finding.code for finding in lint(stored(PG, texts(PG, slots).items(), slots), "T")}
    assert {"T022", "T103"} <= found


@pytest.mark.parametrize(
    ("code", "words"),
    [("T100", {"name2": "Maria"}), ("T100", {"name2": "maria"}), ("T101", {"preposition": "on"})],
)
def test_slots(code: str, words: dict[str, str]) -> None:
    """Words that the paradigm forbids, in sentences that follow the slots."""
    assert code in codes(with_words(**words), "T")


def test_an_empty_slot() -> None:
    """A slot without a value is named."""
    item = stored(PG, FULL.items(), {name: value for name, value in SLOTS.items() if name != "adverb"})
    assert "T102" in codes(item, "T")


def test_typography_does_not_look_like_other_words() -> None:
    """A star or a double space is reported as such, and not as a difference between the cells."""
    starred = {name: f"*{text}" if PG.condition(name).status == "*" else text for name, text in FULL.items()}
    assert codes(stored(PG, starred.items()), "T") == ["T037"]


@settings(max_examples=25)
@given(st.sampled_from(["subject_pg", "embedded_wh"]), st.integers(0, 10_000))
def test_realised_items_have_no_mechanical_finding(name: str, seed: int) -> None:
    """What gapsmith realises itself conforms, with its slots and read back without them."""
    paradigm = load_paradigm(name)
    linter = Linter(paradigm, load_knowledge(), RuleSelection(("T",)))
    for slots in islice(sample(paradigm, seed), 2):
        cells = [(sentence.condition, sentence.text) for sentence in realise(paradigm, slots)]
        assert linter.check(stored(paradigm, cells, slots)) == []
        assert [f for f in linter.check(stored(paradigm, cells)) if f.severity == "error"] == []


@pytest.mark.full
def test_the_published_confounds_are_counted_exactly() -> None:
    """L310 and L311 flag 864 and 1,440 of Lan's 8,064 items: what is left are the published 5,760."""
    paradigm = load_paradigm("lan_pg")
    linter = Linter(paradigm, load_knowledge(), RuleSelection(("T", "L310", "L311")))
    found = [
        {f.code for f in linter.check(stored(paradigm, texts(paradigm, slots).items(), slots))} for slots in expand(paradigm)
    ]
    assert len(found) == 8064
    assert sum("L310" in codes for codes in found) == 864
    assert sum("L311" in codes for codes in found) == 1440
    assert sum(not codes for codes in found) == 5760


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("mf_mg1_mg2", "enrage Anna", "bewilder Anna", "'bewilder' against 'enrage'"),
        ("pf_pg1_pg2", "enrage soon", "bewilder soon", "'bewilder' against 'enrage'"),
        ("pf_mg1_pg2", "Maria is likely", "Maria was likely", "'was' against 'is'"),
    ],
)
def test_the_word_that_differs_is_named(name: str, old: str, new: str, said: str) -> None:
    """And not its neighbor, which differs by design."""
    four = PG.design("lan2x2").conditions if name != "pf_mg1_pg2" else tuple(FULL)
    cells = {n: text for n, text in _replace(name, old, new)(dict(FULL)).items() if n in four}
    design = "lan2x2" if name != "pf_mg1_pg2" else None
    (finding,) = lint(stored(PG, cells.items(), design=design), "T020")
    assert finding.place.condition == name
    assert said in finding.message
    assert "Anna" not in finding.message.rpartition(":")[2]


def test_a_misshapen_cell_hides_no_word_rule() -> None:
    """The other cells tell the words: what is wrong with the verb is said although one cell is no sentence of its shape."""
    cells = {name: text.replace("enrage", "win") for name, text in FULL.items()}
    cells["pf_pg1_pg2"] = "Whatever this may be it is no such sentence at all."
    found = codes(stored(PG, cells.items()), "T010", "L201", "T013")
    assert {"T010", "L201"} <= set(found)


def test_a_rule_that_could_not_run_says_so() -> None:
    """Where no cell can be read, what the rules on words did not look at is named."""
    cells = dict.fromkeys(FULL, "Whatever this may be it is no such sentence at all.")
    messages = [finding.message for finding in lint(stored(PG, cells.items()), "T013")]
    assert any("verb" in message and "did not run" in message for message in messages)
    assert codes(stored(PG, FULL.items()), "T013") == []


def test_a_determiner_that_the_paradigm_does_not_list() -> None:
    """It is a choice and no other shape; a question word in its place is an error."""
    plural = {name: text.replace("the story", "those stories").replace("is likely", "are likely") for name, text in FULL.items()}
    found = lint(stored(PG, plural.items()))
    assert [f.code for f in found if f.severity != "info"] == []
    asked = {name: text.replace("the story", "which story") for name, text in FULL.items()}
    assert [f.code for f in lint(stored(PG, asked.items()), "T") if f.severity == "error"] == ["T101"]


def test_a_name_of_two_words_is_seen_as_one_slot() -> None:
    """Not as a word too much beside a linker of four words."""
    cells = {name: text.replace("Anna", "Mary Ann") for name, text in FULL.items()}
    assert codes(stored(PG, cells.items()), "T103", "T020", "L504") == ["L504", "T103"]
