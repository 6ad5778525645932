"""L8: what minimal pairs need, on pairs with and without each flaw, on our own paradigms, and on a file of a stranger."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.bank import Severity
from gapsmith.templates import Paradigm, load_paradigm, sample
from gapsmith.templates.loading import parse_paradigm
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from gapsmith.vetting.rules.pairs import RULES
from tests.vetting.linting import stored, texts

pytestmark = pytest.mark.fast

CODES = [rule.code for rule in RULES]
PARADIGMS = [
    "binding_command",
    "binding_locality",
    "island_adjunct",
    "island_complex_np",
    "island_wh",
    "question_object",
    "question_reduced",
    "question_subject",
    "wanna",
]
GIVEN = """
name = "given_pairs"
title = "Pairs from a file"
items = "given"
final_punctuation = ""
[conditions]
good = "good"
bad = "bad"
[status]
good = "ok"
bad = "*"
[designs.all]
conditions = "all"
"""


@pytest.fixture(scope="module")
def given() -> Paradigm:
    """What a file of pairs is drafted as."""
    return parse_paradigm(GIVEN)


def _gold() -> list[dict[str, str]]:
    lines = (resources.files("gapsmith.vetting.gold") / "pairs.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@cache
def _items(name: str) -> list[dict[str, str]]:
    return list(islice(sample(load_paradigm(f"posh_{name}"), 1), 500))


def _found(paradigm: Paradigm, good: str, bad: str) -> dict[str, Severity]:
    linter = Linter(paradigm, load_knowledge(), RuleSelection(("L8",)))
    return {f.code: f.severity for f in linter.check(stored(paradigm, [("good", good), ("bad", bad)]))}


def test_each_flaw_is_named_and_sound_pairs_are_left_alone(given: Paradigm) -> None:
    gold = _gold()
    assert {row["expected"] for row in gold} == {*CODES, ""}
    for row in gold:
        found = _found(given, row["good"], row["bad"])
        if row["expected"]:
            assert row["expected"] in found, row
        else:
            assert not [code for code, severity in found.items() if severity is not Severity.INFO], (row, found)


def test_half_a_pair_or_an_empty_one_is_no_pair(given: Paradigm) -> None:
    """Whatever is missing is for other rules to say."""
    assert _found(given, "Who did Tom thank?", "") == {}
    assert _found(given, "", "") == {}
    assert _found(given, "Wanna", "Who") == {}
    assert _found(given, "Who wanna", "Who wanna") == {}


@pytest.mark.parametrize(
    ("auxiliary", "subject", "disagrees"),
    [
        ("do", "the old nurses", False),
        ("do", "the cold guards", False),
        ("do", "the old guard", True),
        ("does", "the old guards", True),
    ],
)
def test_before_wanna_stands_the_subjects_noun(given: Paradigm, auxiliary: str, subject: str, disagrees: bool) -> None:
    """Also one that could be a verb after an adjective that could be a noun."""
    found = _found(given, f"When {auxiliary} {subject} wanna see the car?", f"Who {auxiliary} {subject} wanna see the car?")
    assert ("L803" in found) is disagrees


@pytest.mark.full
@pytest.mark.parametrize("name", PARADIGMS)
def test_500_pairs_of_each_paradigm_pass(name: str) -> None:
    """Different items, the same for a seed, and no rule has more than a word for the record to say of any of 100."""
    paradigm = load_paradigm(f"posh_{name}")
    items = _items(name)
    assert len({str(sorted(item.items())) for item in items}) == 500
    assert items[:20] == list(islice(sample(paradigm, 1), 20))
    assert set(Counter(item["template"] for item in items).values()) <= {
        500 // len(paradigm.choices[0].levels) + d for d in (0, 1)
    }
    linters = {chosen: Linter(own, load_knowledge()) for chosen, own in paradigm.variants.items()}
    findings = [
        f
        for item in items[:100]
        for f in linters[(item["template"],)].check(stored(paradigm, texts(paradigm, item).items(), item))
    ]
    assert [f for f in findings if f.severity is not Severity.INFO] == []


def test_their_words_are_frequent_in_two_corpora() -> None:
    """Every word of 9 x 500 pairs is among the most frequent of both (wanna is what one phenomenon is about)."""
    listed = (resources.files("gapsmith.vetting.frequency") / "common_words.txt").read_text(encoding="utf-8").splitlines()
    common = {line for line in listed if line and not line.startswith("#")}
    used: set[str] = set()
    for name in PARADIGMS:
        paradigm = load_paradigm(f"posh_{name}")
        for item in _items(name):
            for text in texts(paradigm, item).values():
                used |= {word.removesuffix("'s").casefold() for word in text.rstrip(".?").split()}
    assert sorted(used - common) == ["wanna"]
    assert 3_000 < len(common) < 8_000


@pytest.mark.shared
def test_published_shapes_are_linted(given: Paradigm) -> None:
    """The file of a stranger, two lines a pair; its name says that the bad one comes first."""
    path = Path(__file__).parents[3] / "shared" / "data" / "formats" / "two_lines_bad_good.txt"
    if not path.is_file():
        pytest.skip("needs the samples beside the checkout")
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [_found(given, good, bad) for bad, good in zip(lines[::2], lines[1::2], strict=True)]
    assert ["L801" in each for each in found] == [True, True, False]
    # What stands in other places in the two is held against its own verb in each.
    assert [set(each) - {"L801"} for each in found] == [set(), set(), set()]


def test_treebanks_write_contractions_apart(given: Paradigm) -> None:
    """*do n't* is read as *don't*, so that a negation that moved is one change, and a relative clause keeps its verb."""
    apart = "the boys who do n't like Anna have hurt {} ."
    assert "L802" not in _found(given, apart.format("themselves"), apart.format("herself"))
    moved = "those men who do know her have n't ever slept .", "those men who do n't know her have ever slept ."
    assert not _found(given, *moved).keys() & {"L801", "L812"}
    assert "L801" in _found(given, "the men can n't sleep here .", "the man can sleep there .")
