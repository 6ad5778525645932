"""What differs between items and not between conditions: levels, their attributes, and the slots that they show."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts import Order, prepare
from gapsmith.prompts.context import prompt_context
from gapsmith.prompts.request import Mode
from gapsmith.templates import Paradigm, ParadigmError, parse_paradigm, read_back, realise, sample

pytestmark = pytest.mark.fast

TEXT = """
name = "deep"
title = "A gap under clauses"
[factors.filler]
levels = { wh = "what", th = "that" }
[choices.embedding.levels]
d0 = { depth = 0, island = false }
d1 = { depth = 1, island = false }
cn = { depth = 1, island = true }
[status]
wh = "ok"
wh_cn = "*"
th = "*"
[[regions]]
name = "matrix"
text = "I know"
[[regions]]
name = "filler"
when = { wh = "what", th = "that" }
[[regions]]
name = "embedding"
when = { d0 = "", d1 = "{subject2} {bridge} that", cn = "{subject2} heard the claim that" }
[[regions]]
name = "clause"
text = "the {subject} {verb}"
[[regions]]
name = "end"
text = "at noon"
[critical]
wh = "end"
th = "end"
[slots.subject]
description = "who"
example = "lion"
words = ["lion", "cook", "nurse"]
[slots.verb]
description = "what"
example = "ate"
words = ["ate", "found"]
[slots.subject2]
description = "who says so"
example = "Mary"
words = ["Mary", "Tom"]
[slots.bridge]
description = "a bridge verb"
example = "said"
words = ["said", "thought"]
[[constraints]]
distinct = ["subject", "subject2"]
[designs.both]
conditions = "all"
[[contrasts]]
name = "effect"
formula = "wh - th"
expected = "negative"
design = "both"
[[contrasts]]
name = "effect_in_islands"
formula = "wh - th"
expected = "exploratory"
design = "both"
where = { island = true }
"""


@pytest.fixture
def deep() -> Paradigm:
    """A paradigm with one choice of three levels."""
    return parse_paradigm(TEXT)


def test_a_level_decides_texts_status_and_slots(deep: Paradigm) -> None:
    slots = {"embedding": "cn", "subject": "lion", "verb": "ate", "subject2": "Mary"}
    assert [s.text for s in realise(deep, slots)] == [
        "I know what Mary heard the claim that the lion ate at noon.",
        "I know that Mary heard the claim that the lion ate at noon.",
    ]
    assert [c.expected for c in deep.variant(slots).conditions] == ["*", "*"]
    assert [c.expected for c in deep.variant({"embedding": "d0"}).conditions] == ["ok", "*"]
    assert [s.name for s in deep.variant({"embedding": "d0"}).visible_slots] == ["subject", "verb"]
    assert deep.attributes_of(slots) == {"embedding": "cn", "depth": 1, "island": True}


def test_sampling_is_balanced_over_the_levels_and_reads_back(deep: Paradigm) -> None:
    found = list(islice(sample(deep, 3), 9))
    assert [slots["embedding"] for slots in found] == ["d0", "d1", "cn"] * 3
    assert found == list(islice(sample(deep, 3), 9))
    for slots in found:
        texts = {s.condition: s.text for s in realise(deep, slots)}
        assert read_back(deep, texts).slots == slots


def test_items_know_their_levels_and_contrasts_can_be_about_some(deep: Paradigm, tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        prepared = prepare(Order(deep, n=6, seed=2), bank, workspace=None, environment={})
        carry_out(prepared, bank)
        items = list(bank.items.iterate())
        assert [item.attributes["embedding"] for item in items] == ["d0", "d1", "cn"] * 2
        assert bank.items.ids(ItemFilter(attributes={"depth": "1"})) == [2, 3, 5, 6]
        assert all(s.regions is not None for item in items for s in item.sentences)
    assert dict(deep.contrast("effect_in_islands").where) == {"island": True}


def test_items_of_some_levels_only(deep: Paradigm, tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        for levels, wanted in (("embedding=d0 | cn", ["d0", "cn", "d0"]), ("embedding=d1", ["d1"] * 3)):
            prepared = prepare(Order(deep, n=3, seed=2, levels=levels), bank, workspace=None, environment={})
            carry_out(prepared, bank)
            found = [item.attributes["embedding"] for item in bank.items.iterate()]
            assert found[-3:] == wanted
        # The paradigm that the bank keeps is the whole one, and the runs know what they were about.
        assert [len(bank.paradigms.newest("deep").variants)] == [3]
        assert [run.parameters["levels"] for run in bank.runs.all()] == ["embedding=d0 | cn", "embedding=d1"]
    with pytest.raises(ParadigmError, match="no level 'd9'"):
        deep.with_levels("embedding=d9")
    with pytest.raises(ParadigmError, match="has no choice 'depth'"):
        deep.with_levels("depth=1")


def test_a_prompt_shows_what_each_level_shows(deep: Paradigm) -> None:
    context = prompt_context(deep, n=2, mode=Mode.SLOTS)
    said = {slot["name"]: slot["description"] for slot in context["slots"]}["embedding"]
    assert "d1: I know that [subject2] [bridge] that the [subject] [verb] at noon." in said
    assert "cn: I know that [subject2] heard the claim that" in said
    assert context["example"] == {"embedding": "d0", "subject": "lion", "verb": "ate"}
    names = [slot["name"] for slot in prompt_context(deep.with_levels("embedding=d0"), n=2, mode=Mode.SLOTS)["slots"]]
    assert names == ["embedding", "subject", "verb"]


def test_what_a_choice_may_not_do() -> None:
    with pytest.raises(ParadigmError, match="nothing says which choice"):
        realise(parse_paradigm(TEXT), {"subject": "lion", "verb": "ate"})
    with pytest.raises(ParadigmError, match="'wh' is there twice"):
        parse_paradigm(TEXT.replace("\nd1 = {", "\nwh = {"))
    with pytest.raises(ParadigmError, match="a slot, factor or level is called so"):
        parse_paradigm(TEXT.replace("choices.embedding", "choices.verb"))
    with pytest.raises(ParadigmError, match="no text for the condition wh_d9"):
        parse_paradigm(TEXT.replace("\nd1 = {", "\nd9 = {").replace('d1 = "{subject2} {bridge} that", ', ""))
