"""Sets that cross the same few words, and observations that several items share."""

from __future__ import annotations

import csv
import itertools
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.stats import (
    accuracy,
    describe_crossing,
    distinct,
    one_sample_t,
    sign_flip_test,
    wilcoxon_signed_rank,
)

REFERENCE_FILES = Path(__file__).parent.parent / "reference"
REFERENCE: dict[str, Any] = json.loads((REFERENCE_FILES / "crossing_reference.json").read_text(encoding="utf-8"))["sets"]

# The word lists of the published parasitic-gap grammar, by size.
LAN = {"subject": 28, "linker": 4, "verb": 3, "object": 3, "adverb": 2, "name1": 2, "name2": 2}


def crossed(sizes: dict[str, int]) -> list[dict[str, str]]:
    """One item per combination of words."""
    return [
        {slot: f"{slot}{word}" for slot, word in zip(sizes, words, strict=True)}
        for words in itertools.product(*(range(size) for size in sizes.values()))
    ]


def reference_set(name: str) -> tuple[list[float], list[dict[str, str]]]:
    """The values and the words of one of the sets that R has read."""
    with (REFERENCE_FILES / "crossing_data.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == name]
    slots = ("noun", "linker", "verb", "object", "adverb")
    return [float(row["value"]) for row in rows], [{slot: row[slot] for slot in slots} for row in rows]


def test_an_exhaustive_grammar_is_a_census_of_few_words() -> None:
    found = describe_crossing(crossed(LAN))
    assert (found.n_items, found.n_combinations, found.n_possible) == (8064, 8064, 8064)
    assert found.is_crossed
    assert found.is_exhaustive
    assert found.crossed == found.varying == tuple(LAN)
    assert "every combination of the same few words (28 subject, 4 linker" in found.describe()


def test_a_part_of_a_crossing_is_crossed_but_no_census() -> None:
    rows = crossed(LAN)
    chosen = np.random.default_rng(3).choice(len(rows), 500, replace=False)
    found = describe_crossing([rows[position] for position in chosen])
    assert found.is_crossed
    assert not found.is_exhaustive
    assert "500 of 8,064 combinations" in found.describe()


def test_items_with_words_of_their_own_are_not_crossed() -> None:
    rows = [{"noun": f"n{item}", "verb": f"v{item}", "linker": f"l{item % 4}", "that": "that"} for item in range(40)]
    found = describe_crossing(rows)
    assert not found.is_crossed
    assert not found.is_exhaustive
    # The verb goes noun by noun, and "that" never varies.
    assert found.varying == ("noun", "linker")
    assert [(slot.name, slot.n_words, slot.same_as) for slot in found.slots] == [
        ("noun", 40, None),
        ("verb", 40, "noun"),
        ("linker", 4, None),
        ("that", 1, None),
    ]


def test_words_drawn_from_long_lists_are_not_crossed() -> None:
    rng = np.random.default_rng(8)
    rows = [
        {"noun": f"n{rng.integers(60)}", "verb": f"v{rng.integers(50)}", "adverb": f"a{rng.integers(40)}"} for _ in range(500)
    ]
    assert not describe_crossing(rows).is_crossed


def test_a_slot_that_some_items_lack_has_one_word_more() -> None:
    found = describe_crossing(
        [{"noun": "dog"}, {"noun": "cat"}, {"noun": "dog", "adverb": "soon"}, {"noun": "cat", "adverb": "soon"}]
    )
    assert [(slot.name, slot.n_words) for slot in found.slots] == [("noun", 2), ("adverb", 2)]
    assert found.is_exhaustive
    assert not describe_crossing([]).is_crossed


def test_items_that_repeat_an_observation_count_once_everywhere() -> None:
    values, _ = reference_set("half")
    keys = [position for position in range(len(values)) for _ in range(2)]
    repeated = [value for value in values for _ in range(2)]
    assert one_sample_t(repeated, observations=keys).statistic == one_sample_t(values).statistic
    assert one_sample_t(repeated, observations=keys).n_given == 360
    assert wilcoxon_signed_rank(repeated, observations=keys).p == wilcoxon_signed_rank(values).p
    assert accuracy(repeated, observations=keys).n == 180
    flips = [sign_flip_test(*data, rng=np.random.default_rng(1)) for data in ((values,),)]
    flips.append(sign_flip_test(repeated, rng=np.random.default_rng(1), observations=keys))
    assert flips[0].p == flips[1].p


def test_nine_items_with_three_observations_have_two_degrees_of_freedom() -> None:
    found = one_sample_t([-1.5, -2.0, -1.0] * 3, observations=["a", "b", "c"] * 3)
    assert (found.n, found.n_given, found.df) == (3, 9, 2)
    none = one_sample_t([-1.5] * 4, observations=["a"] * 4)
    assert (none.n, none.statistic) == (1, None)
    assert none.undefined == "4 items with one distinct observation have no spread"


def test_each_observation_counts_once_whatever_the_order_of_the_items() -> None:
    found = distinct([3.0, 1.0, 3.0, 2.0], ["x", "y", "x", "z"])
    assert found.positions == (0, 1, 3)
    assert list(found.values) == [3.0, 1.0, 2.0]
    assert (found.n, found.n_given, found.n_repeated) == (3, 4, 1)
    # What comes a rounding apart is the mean of what came.
    values, keys = [3.0, 1.0, 3.0002, 0.1, 0.1, 0.1], ["x", "y", "x", 7, 7, 7]
    whole = distinct(values, keys)
    assert sorted(whole.values) == [0.1, 1.0, pytest.approx(3.0001)]
    for order in permutations(range(6)):
        again = distinct([values[at] for at in order], [keys[at] for at in order])
        assert again.values.tolist() == whole.values.tolist()


def test_items_that_come_twice_cross_nothing_more() -> None:
    """Six items of words that partly repeat are not crossed; given twice they are as few as before."""
    rows = [{"noun": f"n{i % 3}", "verb": f"v{i % 4}"} for i in range(8)]
    once, twice = describe_crossing(rows), describe_crossing([*rows, *rows])
    assert (twice.crossed, twice.n_combinations) == (once.crossed, once.n_combinations)
    assert not once.is_crossed
