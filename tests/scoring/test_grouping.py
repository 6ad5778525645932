"""Groups that values are taken apart into, and sides that are held against each other."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.scoring.observations import Grouping, PairedSide, Pairing, in_value_order

THINGS = st.lists(st.fixed_dictionaries({"depth": st.integers(0, 2), "noun": st.sampled_from("xyz")}), max_size=12)
BY_BOTH = Grouping(("attribute:depth", "attribute:noun"))


def place(thing: dict[str, Hashable], key: str) -> Hashable:
    return thing[key.partition(":")[2]]


@given(THINGS)
def test_everything_is_in_exactly_one_group(things: list[dict[str, Hashable]]) -> None:
    groups = BY_BOTH.split(things, place)
    assert sorted(map(id, (own for members in groups.values() for own in members))) == sorted(map(id, things))
    for group, members in groups.items():
        assert members
        assert {tuple(place(own, key) for key in BY_BOTH.keys) for own in members} == {group}
        assert BY_BOTH.without("attribute:depth").varying(members, place) == ()
    coarser = BY_BOTH.without("attribute:noun").split(things, place)
    assert {key: len(own) for key, own in coarser.items()} == {
        (depth,): sum(len(own) for group, own in groups.items() if group[0] == depth) for (depth,) in coarser
    }
    assert BY_BOTH.n_possible(groups) == len({own["depth"] for own in things}) * len({own["noun"] for own in things})


def test_a_grouping_is_of_keys_that_there_are() -> None:
    assert BY_BOTH.called((2, "cat")) == "depth = 2, noun = cat"
    assert in_value_order([("10", "b"), ("9", "c"), ("many", "a"), ("9", "a")]) == [
        ("9", "a"),
        ("9", "c"),
        ("10", "b"),
        ("many", "a"),
    ]
    # A grandmother is no number, and whether she comes first says nothing of the others.
    for names in itertools.permutations(("nan", "2", "inf", "1", "-inf")):
        assert in_value_order([(name,) for name in names]) == [("1",), ("2",), ("-inf",), ("inf",), ("nan",)]
    for keys in (("colour",), ("attribute:",), ("model", "model")):
        with pytest.raises(ValueError, match=r"takes nothing apart|stands twice"):
            Grouping(keys)


def _side(own: dict[str, int]) -> PairedSide[str]:
    """The value follows from what was read, as it does of everything that is measured."""
    return PairedSide({key: seen / 7 for key, seen in own.items()}, own)


SIDES = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 3), max_size=6)


@given(SIDES, SIDES)
def test_items_meet_themselves_or_what_was_computed_from_the_same(left: dict[str, int], right: dict[str, int]) -> None:
    on_item, on_evidence = Pairing(_side(left), _side(right), "item"), Pairing(_side(left), _side(right), "evidence")
    assert on_item.partners == {key: key for key in left if key in right}
    assert set(on_evidence.partners) == {key for key in left if left[key] in right.values()}
    assert all(left[key] == right[other] for key, other in on_evidence.partners.items())
    for pairing in (on_item, on_evidence):
        assert {*pairing.partners, *pairing.alone[0]} == set(left)
        assert not {*pairing.partners} & {*pairing.alone[0]}
        assert set(pairing.alone[1]) <= set(right) - set(pairing.partners.values())
        one, two = pairing.once()
        # A pair is one wherever both sides read the same; nobody's value comes in twice.
        assert len(one.keys() & two.keys()) == len({(left[key], right[other]) for key, other in pairing.partners.items()})
        assert set(one.values()) <= {seen / 7 for seen in left.values()}


@given(SIDES, SIDES)
def test_copies_of_items_change_no_pair(left: dict[str, int], right: dict[str, int]) -> None:
    both = [Pairing(_side(left), _side(right), "item").once()]
    copied = [{**own, **{f"{key}'": seen for key, seen in own.items()}} for own in (left, right)]
    both.append(Pairing(_side(copied[0]), _side(copied[1]), "item").once())
    assert both[0] == both[1]


def test_what_is_read_twice_alike_counts_once_with_the_mean_of_what_was_given() -> None:
    left = PairedSide({"a": 1.0, "b": 3.0, "c": 5.0, "d": 6.0}, {"a": 1, "b": 1, "c": 2, "d": 1})
    right = PairedSide({"a": 4.0, "b": 4.0}, {"a": 9, "b": 9})
    one, two = Pairing(left, right, "item").once()
    # "d" was read for a pair already, and "c" stands alone.
    assert one == {(1, 9): fmean((1.0, 3.0)), (0, 2, "alone"): 5.0}
    assert two == {(1, 9): 4.0}
