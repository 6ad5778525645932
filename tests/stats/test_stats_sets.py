"""Comparing data sets: overlap and crossed words are seen and said, and never change the test asked for."""

from __future__ import annotations

import itertools
import random

import pytest

from gapsmith.stats import ItemOutcomes, chi_square_counts, compare_sets, describe_crossing

pytestmark = pytest.mark.fast


def outcomes(name: str, keys: range, hits: int) -> ItemOutcomes:
    """A set of items named by numbers, of which the first `hits` succeed."""
    return ItemOutcomes(name, {str(key): position < hits for position, key in enumerate(keys)})


def published() -> tuple[ItemOutcomes, ItemOutcomes]:
    """The original and the filtered set with the published DiD counts: 5,544 of 8,064 and 4,201 of 5,760."""
    success = {str(i): i < 4201 if i < 5760 else i - 5760 < 1343 for i in range(8064)}
    kept = {key: success[key] for key in map(str, range(5760))}
    return ItemOutcomes("original", success), ItemOutcomes("filtered", kept)


def test_nested_sets_get_the_published_test_and_a_caveat() -> None:
    result = compare_sets(*published(), correction="yates")
    assert result.test.statistic == pytest.approx(28.0780, abs=5e-5)
    assert (result.relation, result.n_shared) == ("second inside first", 5760)
    assert any("not independent" in caveat and "5,760" in caveat for caveat in result.caveats)
    assert result.remainder is not None
    assert result.remainder.statistic == pytest.approx(163.59, abs=0.005)
    assert result.difference == pytest.approx(4201 / 5760 - 5544 / 8064)


def test_the_other_way_round_is_the_same_comparison() -> None:
    first, second = published()
    result = compare_sets(second, first, correction="yates")
    assert result.relation == "first inside second"
    assert result.test.statistic == pytest.approx(28.0780, abs=5e-5)
    assert result.remainder is not None
    assert result.remainder.statistic == pytest.approx(163.59, abs=0.005)


def test_separate_sets_have_no_caveat() -> None:
    result = compare_sets(outcomes("a", range(100), 60), outcomes("b", range(100, 200), 40), correction="none")
    assert (result.relation, result.n_shared, result.remainder, result.caveats) == ("disjoint", 0, None, ())
    assert result.test == chi_square_counts(60, 100, 40, 100, correction="none")


def test_partly_shared_sets() -> None:
    first = outcomes("a", range(100), 60)
    second = ItemOutcomes("b", {str(key): key < 60 for key in range(50, 150)})
    result = compare_sets(first, second, correction="yates")
    assert (result.relation, result.n_shared, result.remainder) == ("overlapping", 50, None)
    assert "50 items" in result.caveats[0]


def test_one_set_against_itself() -> None:
    first = outcomes("a", range(10), 6)
    result = compare_sets(first, first, correction="yates")
    assert result.relation == "identical"
    assert "nothing to compare" in result.caveats[0]


def test_small_counts_are_said() -> None:
    result = compare_sets(outcomes("a", range(6), 1), outcomes("b", range(10, 16), 3), correction="yates")
    assert any("below 5" in caveat for caveat in result.caveats)


def test_items_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(ValueError, match="'3'"):
        compare_sets(outcomes("a", range(5), 3), outcomes("b", range(5), 4), correction="yates")
    with pytest.raises(ValueError, match="no items"):
        compare_sets(outcomes("a", range(0), 0), outcomes("b", range(5), 4), correction="yates")


def grid() -> list[dict[str, str]]:
    """A full crossing of 2 x 28 x 3 words beside a constant."""
    return [
        {"name": name, "island": f"np{island}", "object": obj, "verb": "annoy"}
        for name, island, obj in itertools.product(("Bob", "John"), range(28), ("you", "us", "Kim"))
    ]


def test_crossed_words_are_seen() -> None:
    assert tuple(sorted(describe_crossing(list(grid())).crossed)) == ("island", "name", "object")


def test_a_filtered_grid_is_still_crossed() -> None:
    kept = [row for row in grid() if int(row["island"][2:]) >= 8]
    assert tuple(sorted(describe_crossing(list(kept)).crossed)) == ("island", "name", "object")


def test_a_sample_is_not_crossed() -> None:
    draw = random.Random(4)
    rows = [
        {
            "noun": f"n{draw.randrange(30)}",
            "verb": f"v{draw.randrange(30)}",
            "adverb": draw.choice(["soon", "eventually"]),
            "preposition": draw.choice(["about", "of"]),
        }
        for _ in range(40)
    ]
    assert tuple(sorted(describe_crossing(list(rows)).crossed)) == ()
    assert tuple(sorted(describe_crossing([]).crossed)) == ()


def test_repeated_words_become_a_caveat_of_the_comparison() -> None:
    rows = grid()
    words = {str(i): row for i, row in enumerate(rows)}
    first = ItemOutcomes("crossed", {key: int(key) % 2 == 0 for key in words}, words)
    result = compare_sets(first, outcomes("plain", range(1000, 1100), 30), correction="yates")
    assert any("repeat their words (name, island, object)" in caveat for caveat in result.caveats)
