"""How many items a contrast will have: counted without drawing, held against what is drawn, and said before anything is made."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.app.few_items import few_items
from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.prompts import DEFAULT_N, Mode, prompt_context
from gapsmith.templates import (
    ENOUGH,
    Contrast,
    Criterion,
    Paradigm,
    ParadigmError,
    drawn,
    expand,
    load_paradigm,
    meets,
    paradigm_files,
    parse_paradigm,
    sample,
)
from tests.templates.test_choices import TEXT as DEEP
from tests.templates.test_sequences import SETS

pytestmark = pytest.mark.fast

IN_ISLANDS = "where = { island = true }"
BALANCED = DEEP.replace("[choices.embedding.levels]", '[choices.embedding]\nbalance = "depth"\n[choices.embedding.levels]')
PLACES = """
[choices.place.levels]
here = { near = true }
there = { near = false }
yonder = { near = false }
"""
TWO = DEEP.replace("[status]", f"{PLACES}[status]").replace(IN_ISLANDS, "where = { depth = 1, near = true }")
TWO_BALANCED = TWO.replace("[choices.embedding.levels]", '[choices.embedding]\nbalance = "depth"\n[choices.embedding.levels]')


def by_hand(paradigm: Paradigm, items: list[dict[str, str]]) -> dict[str, int]:
    """Contrast with a `where` to how many items have it."""
    attributes = [paradigm.attributes_of(item) for item in items]
    found: list[Contrast | Criterion] = [*paradigm.contrasts, *paradigm.criteria]
    return {one.name: sum(meets(own, one.where) for own in attributes) for one in found if one.where}


def counted(paradigm: Paradigm, n: int | None) -> dict[str, int]:
    """The same without drawing."""
    return {name: one.n for one in drawn(paradigm, n) for name in one.names}


@pytest.mark.parametrize("name", sorted(paradigm_files()))
def test_contrasts_of_shipped_paradigms_have_enough_items_by_default(name: str) -> None:
    paradigm = load_paradigm(name)
    if paradigm.given:
        return
    assert few_items(paradigm, None if paradigm.exhaustive else DEFAULT_N) == []
    assert all(one.n >= one.of / 5 for one in drawn(paradigm, None if paradigm.exhaustive else 200))


@pytest.mark.parametrize("name", SETS)
def test_a_quarter_of_the_constructions_has_no_clause_above_the_gap(name: str) -> None:
    paradigm = load_paradigm(name)
    items = list(islice(sample(paradigm, 1), 40))
    assert counted(paradigm, 40) == by_hand(paradigm, items) == dict.fromkeys(("W1", "W2", "did"), 10)
    assert counted(paradigm, 200) == dict.fromkeys(("W1", "W2", "did"), 50)
    depths = Counter(paradigm.attributes_of(item)["depth"] for item in items)
    assert depths == {0: 10, 1: 10, 2: 10, 3: 10}
    # Without the balance an item of 40 has none, and each way out that is told is one.
    (line,) = few_items(paradigm.evenly, 200)
    assert line.startswith("W1, W2 and did will have 5 of 200 items (depth = 0): ask for 10 of them with -n 361, ")
    assert line.endswith('or make only such items with --choose "embedding=none"')
    assert counted(paradigm.evenly, 361)["W1"] == ENOUGH > counted(paradigm.evenly, 360)["W1"]
    assert counted(paradigm.with_levels("embedding=none"), 40)["W1"] == 40


@pytest.mark.parametrize("text", [DEEP, BALANCED, TWO, TWO_BALANCED], ids=["even", "balanced", "two", "two balanced"])
@given(n=st.integers(1, 12), seed=st.integers(0, 5))
def test_what_is_counted_is_what_is_drawn(text: str, n: int, seed: int) -> None:
    paradigm = parse_paradigm(text)
    items = list(islice(sample(paradigm, seed), n))
    assert len(items) == n
    assert counted(paradigm, n) == by_hand(paradigm, items)


@given(n=st.one_of(st.none(), st.integers(1, 60)))
def test_where_combinations_end_is_counted(n: int | None) -> None:
    paradigm = parse_paradigm(DEEP.replace("title =", 'items = "exhaustive"\ntitle =', 1))
    stream = expand(paradigm) if n is None else sample(paradigm, 1)
    items = list(islice(stream, n))
    (one,) = drawn(paradigm, n)
    assert (dict.fromkeys(one.names, one.n), one.of) == (by_hand(paradigm, items), len(items))
    # Six fillings of the plain level, 24 with a bridge, 12 in an island.
    assert n is None or len(items) == min(n, 42)


def test_values_take_turns_and_so_do_the_levels_that_share_one() -> None:
    paradigm = parse_paradigm(BALANCED)
    assert [slots["embedding"] for slots in islice(sample(paradigm, 3), 8)] == ["d0", "d1", "d0", "cn"] * 2
    # Levels that are named are drawn equally often; the star names them all, in the order and with the words of old.
    every = [slots["embedding"] for slots in islice(sample(paradigm.with_levels("embedding=*"), 3), 6)]
    assert every == ["d0", "d1", "cn"] * 2
    old = list(islice(sample(parse_paradigm(DEEP), 3), 9))
    assert list(islice(sample(paradigm.with_levels("embedding = *"), 3), 9)) == old
    assert list(islice(sample(paradigm.evenly, 3), 9)) == old
    with pytest.raises(ParadigmError, match=r"cn has no 'dept'"):
        parse_paradigm(
            BALANCED.replace('"depth"', '"dept"').replace("depth = 0", "dept = 0").replace("d1 = { depth", "d1 = { dept")
        )


def test_a_balance_is_part_of_how_words_are_drawn_and_of_nothing_else() -> None:
    even, balanced = parse_paradigm(DEEP), parse_paradigm(BALANCED)
    assert even.words_digest != balanced.words_digest
    assert (even.form_digest, even.predictions_digest) == (balanced.form_digest, balanced.predictions_digest)


def test_a_prompt_asks_for_what_is_balanced() -> None:
    def said(text: str) -> str:
        context = prompt_context(parse_paradigm(text), n=2, mode=Mode.SLOTS)
        return str({slot["name"]: slot["description"] for slot in context["slots"]}["embedding"])

    assert "use each level equally often," in said(DEEP)
    assert "use each depth equally often, 0 (d0); 1 (d1, cn)," in said(BALANCED)


def test_what_a_model_makes_is_about_that_many() -> None:
    (line,) = few_items(parse_paradigm(DEEP), 6, by_model=True)
    assert line.startswith("effect_in_islands will have about 2 of 6 items (island = True): ask for 10 of them with -n 30")


def test_items_that_no_choice_gives() -> None:
    paradigm = parse_paradigm(DEEP.replace(IN_ISLANDS, 'where = { list = "A" }'))
    (line,) = few_items(paradigm, 40)
    assert line == (
        "effect_in_islands will have none of 40 items (list = A): no item that is made from words has that."
        " The choices give embedding, depth, island"
    )
    # What somebody leaves out on purpose is not told.
    assert few_items(parse_paradigm(DEEP).with_levels("embedding=d0"), 40, chosen=True) == []


def test_levels_that_only_together_give_such_items_are_no_way_out() -> None:
    text = DEEP.replace("[status]", f"{PLACES}[status]").replace(IN_ISLANDS, "where = { depth = 1, near = true }")
    (one,) = drawn(parse_paradigm(text), 9)
    assert one.levels == ("embedding=d1|cn", "place=here")
    one_of = text.replace("here = { near = true }", "here = { depth = 1, near = true }")
    (one,) = drawn(parse_paradigm(one_of), 9)
    assert one.levels == ("place=here",)


@pytest.mark.full
def test_paradigm_check_says_which_contrasts_have_few(tmp_path: Path) -> None:
    text = load_paradigm("embwhq").text.replace('balance = "depth"\n', "")
    (row,) = [result for result in check_paradigm(parse_paradigm(text)) if result.warns]
    assert row.ok
    assert row.detail.startswith("W1, W2 and did will have 1 of 40 items (depth = 0): ask for 10 of them with -n 361")
    assert not [result for result in check_paradigm(load_paradigm("embwhq")) if result.warns]
