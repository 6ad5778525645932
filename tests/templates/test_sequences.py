"""Rows of clauses as choices, numbered slots, the clause after the licensor; the six sets of constructions."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.templates import Paradigm, ParadigmError, load_paradigm, parse_paradigm, read_back, realise, sample
from gapsmith.templates.formula import Place, parse_formula
from gapsmith.templates.measures import locate

pytestmark = pytest.mark.fast

SETS = ("embwhq", "cleft_adj", "cleft_noun", "comp_quant", "topic", "tough")

TEXT = """
name = "rows"
title = "Rows of clauses"
clause = "first"
[factors.licensor]
levels = { wh = "what", th = "that" }
[choices.embedding]
longest = 2
sequence.b = { kinds = "bridge", island = false }
sequence.c = { kinds = "complex", island = true }
[status]
wh = "ok"
wh_island = "*"
th = "*"
[[regions]]
name = "filler"
when = { wh = "what", th = "that" }
[[regions]]
name = "first"
text = ""
when = { b1 = "{name1} said that", c1 = "{name1} {heard1} the {rumor1} that" }
[[regions]]
name = "second"
text = ""
when = { b2 = "{name2} said that", c2 = "{name2} {heard2} the {rumor2} that" }
[[regions]]
name = "clause"
text = "{subject} ate"
[[regions]]
name = "end"
text = "at noon"
[critical]
wh = "end"
th = "end"
[slots.subject]
description = "who eats"
words = ["Ann", "Ben", "Cem"]
[slots.name]
copies = 2
description = "who says so"
words = ["Ann", "Ben", "Cem"]
[slots.heard]
copies = 2
description = "what they do to it"
lexicon = "embeddings"
where = { kind = "complex" }
[slots.rumor]
copies = 2
description = "what they do it to"
offered_by = "heard.noun"
[[constraints]]
distinct = ["subject", "name1", "name2"]
[designs.both]
conditions = "all"
[[contrasts]]
name = "global"
formula = "wh@from(first) - th@from(first)"
expected = "negative"
design = "both"
measure = "mean_word"
where = { depth = 0 }
"""


@pytest.fixture(scope="module")
def rows() -> Paradigm:
    """A paradigm with rows of up to two clauses of two kinds."""
    return parse_paradigm(TEXT)


def test_every_ordered_row_is_a_level_with_its_attributes(rows: Paradigm) -> None:
    (choice,) = rows.choices
    assert list(choice.levels) == ["none", "b", "c", "bb", "bc", "cb", "cc"]
    assert choice.levels["none"] == {"depth": 0, "kinds": "none", "island": False}
    assert choice.levels["cb"] == {"depth": 2, "kinds": "complex + bridge", "island": True}
    statuses = {level: rows.variant({"embedding": level}).condition("wh").expected for level in choice.levels}
    assert [level for level, status in statuses.items() if status == "ok"] == ["none", "b", "bb"]


def test_parts_have_places_and_the_words_of_numbered_slots_differ(rows: Paradigm) -> None:
    slots = {
        "embedding": "bc",
        "subject": "Ann",
        "name1": "Ben",
        "name2": "Cem",
        "heard2": "spread",
        "rumor2": "rumor",
    }
    assert realise(rows, slots)[0].text == "What Ben said that Cem spread the rumor that Ann ate at noon."
    assert [s.name for s in rows.variant({"embedding": "bc"}).visible_slots] == [
        "subject",
        "name1",
        "name2",
        "heard2",
        "rumor2",
    ]
    for found in islice(sample(rows, 1), 70):
        names = [value for name, value in found.items() if name.startswith(("subject", "name", "heard", "rumor"))]
        assert len(set(names)) == len(names), found
        assert read_back(rows, {s.condition: s.text for s in realise(rows, found)}).slots == found


def test_the_clause_after_the_licensor_ends_before_the_final_mark(rows: Paradigm) -> None:
    for level, wanted in (("none", "Ann ate at noon"), ("b", "Ben said that Ann ate at noon")):
        found = realise(rows, {"embedding": level, "subject": "Ann", "name1": "Ben"})[0]
        span = locate(Place(rows.clause, onwards=True), found.text, found.regions)
        assert not isinstance(span, str)
        assert found.text[slice(*span)].strip() == wanted
    (contrast,) = rows.contrasts
    assert [str(term.place) for term in contrast.terms] == ["from(first)"] * 2
    assert rows.region_of(contrast.terms[0]) is None
    assert str(parse_formula("a@from(next(gap))")) == "a@from(next(gap))"
    with pytest.raises(ParadigmError, match="nothing comes after the last region"):
        parse_formula("a@next(from(gap))")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("longest = 2\n", "", "give either `levels`, or a `sequence`"),
        ('clause = "first"', 'clause = "frist"', "there is no region 'frist'"),
        ("[slots.subject]", '[slots.name2]\ndescription = "x"\nwords = ["Y"]\n[slots.subject]', "is called so"),
        ("b1 = ", "b3 = ", "'b3' is no level"),
        ('where = { kind = "complex" }', 'where = { kind = "complx" }', "has the kind 'complx'"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, said: str) -> None:
    with pytest.raises(ParadigmError, match=said):
        list(islice(sample(parse_paradigm(TEXT.replace(old, new, 1)), 1), 7))


@pytest.mark.parametrize("name", SETS)
def test_the_six_sets_are_balanced_and_repeat_no_word(name: str) -> None:
    paradigm = load_paradigm(name)
    items = list(islice(sample(paradigm.evenly, 3), 80))
    assert Counter(item["embedding"] for item in items) == dict.fromkeys(paradigm.choices[0].levels, 2)
    assert len(paradigm.variants) == 40
    assert items == list(islice(sample(paradigm.evenly, 3), 80))
    for item in items:
        # The determiner of a phrase is no noun; what is compared and the verb of a comparative stand twice by design.
        words = [
            word
            for slot, value in item.items()
            if slot not in {"embedding", "matrix", "earlier", "setting"}
            for word in value.split()
        ]
        function = {"a", "no", "in", "on", "last", "this", "the", "before", "after", "was", "to", "about"}
        content = [word for word in words if word not in function]
        assert len(set(content)) == len(content), item
        texts = {s.condition: s for s in realise(paradigm, item)}
        assert len({s.text for s in texts.values()}) == 4
        expected = {c.name: c.expected for c in paradigm.variant(item).conditions}
        assert (expected["pl_pg"] == "ok") is not paradigm.attributes_of(item)["island"]
        assert (expected["pl_mg"], expected["ml_pg"], expected["ml_mg"]) == ("*", "*", "ok")
        clause = locate(Place(paradigm.clause, onwards=True), texts["pl_mg"].text, texts["pl_mg"].regions)
        other = locate(Place(paradigm.clause, onwards=True), texts["ml_mg"].text, texts["ml_mg"].regions)
        assert not isinstance(clause, str)
        assert not isinstance(other, str)
        assert texts["pl_mg"].text[slice(*clause)].strip() == texts["ml_mg"].text[slice(*other)].strip()


def test_twelve_hundred_items_are_thirty_of_each_pattern() -> None:
    items = list(islice(sample(load_paradigm("tough").with_levels("embedding=*"), 1), 1_200))
    assert set(Counter(item["embedding"] for item in items).values()) == {30}
    assert len({tuple(sorted(item.items())) for item in items}) == 1_200


def test_the_page_shows_the_sentences_of_the_files() -> None:
    """A row for each construction: the sentence with licensor and gap."""
    page = (Path(__file__).parents[2] / "docs" / "constructions.md").read_text(encoding="utf-8")
    for name in ("embwhq", "cleft_adj", "comp_quant", "topic", "tough", "adjunct_pg", "atb"):
        paradigm = load_paradigm(name)
        chosen, own = next(iter(paradigm.variants.items()), ((), paradigm))
        words = {choice.name: level for choice, level in zip(paradigm.choices, chosen, strict=True)}
        words |= {slot.name: slot.example for slot in own.visible_slots}
        assert f"| {realise(paradigm, words)[0].text} |" in page, name
