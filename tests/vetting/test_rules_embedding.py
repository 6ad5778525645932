"""L9: the clauses between a licensor and its gap, on gold items, on the sets that ship, and on words of strangers."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import islice

import pytest

from gapsmith.bank import Finding, Severity
from gapsmith.templates import Paradigm, load_paradigm, realise, sample
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from tests.vetting.linting import stored

pytestmark = pytest.mark.fast


def _gold() -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Paradigm, the code that is expected, the flaw, and choice and words, of every gold item."""
    text = (resources.files("gapsmith.vetting.gold") / "constructions.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        words = dict(part.strip().split("=", 1) for part in row["words"].split(";"))
        yield row["paradigm"], row["expected"], row["flaw"], words


_LINTERS: dict[tuple[str, str], Linter] = {}


def _lint(paradigm: Paradigm, words: Mapping[str, str], *, with_slots: bool = True) -> list[Finding]:
    own = paradigm.variant(words)
    key = paradigm.name, words.get("embedding", "")
    linter = _LINTERS.setdefault(key, Linter(own, load_knowledge(), RuleSelection()))
    sentences = [(sentence.condition, sentence.text) for sentence in realise(paradigm, words)]
    return linter.check(stored(own, sentences, words if with_slots else None))


@pytest.mark.parametrize("with_slots", [True, False])
def test_every_flaw_is_named_and_nothing_sound_is(with_slots: bool) -> None:
    seen = set()
    for name, expected, flaw, words in _gold():
        findings = _lint(load_paradigm(name), words, with_slots=with_slots)
        serious = {f.code for f in findings if f.severity.rank >= Severity.WARNING.rank}
        assert serious >= {expected} if expected else not serious, (name, flaw, words, findings)
        assert {code for code in serious if code.startswith("L9")} <= {expected}, (name, flaw, serious)
        seen.add(expected)
    assert seen >= {"", *(f"L9{n:02}" for n in range(1, 13))}


def test_the_lists_that_ship_are_sound() -> None:
    for name in ("embwhq", "cleft_adj", "cleft_noun", "comp_quant", "topic", "tough", "adjunct_pg", "atb"):
        paradigm = load_paradigm(name)
        for words in islice(sample(paradigm, 5), 40):
            found = [f for f in _lint(paradigm, words) if f.code.startswith("L9") or f.severity.rank >= Severity.WARNING.rank]
            assert not found, (name, words, found)


def test_words_in_no_list_are_for_a_person_to_judge() -> None:
    (_, _, _, words), *_ = _gold()
    for slot, word, code in (("bridge1", "opined", "L901"), ("rumor2", "scuttlebutt", "L903")):
        findings = [f for f in _lint(load_paradigm("embwhq"), {**words, slot: word}) if f.code.startswith("L9")]
        assert [(f.code, f.severity) for f in findings] == [(code, Severity.INFO)]
        assert word in findings[0].message
