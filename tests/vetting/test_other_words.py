"""What says no more than that words are none of the paradigm's own is one remark about the set, and never a warning of an item."""

from __future__ import annotations

import pytest

from gapsmith.bank import Bank, ItemFilter, NewItem, Severity
from gapsmith.templates import Source, align, load_paradigm, realise, settled_slots
from gapsmith.vetting import LintReport, lint_bank
from gapsmith.vetting.rules import RULES, load_knowledge
from gapsmith.vetting.rules.role_rules import OTHER_WORDS, UNKNOWN_WORDS

PG = load_paradigm("subject_pg")
OWN = {
    "matrix": "I know",
    "determiner": "the",
    "noun": "story",
    "preposition": "about",
    "name1": "Mary",
    "linker": "is likely to",
    "verb": "amuse",
    "name2": "Anna",
    "adverb": "soon",
}
FOREIGN = (
    *(("preposition", word) for word in ("against", "to", "toward", "for", "regarding", "on", "over", "from")),
    *(("determiner", word) for word in ("a", "this", "that", "every", "some", "no", "their")),
    *(("adverb", words) for words in ("this evening", "at long last", "before the end of the year", "in a few days")),
    *(("name1", words) for words in ("Mary Ann", "my neighbor", "the two old brothers")),
    *(("name2", words) for words in ("Anna Lee", "the new teacher")),
    *(("linker", words) for words in ("is more or less certain to", "seems in the end to")),
    *(("noun", word) for word in ("reminiscence", "glimberish")),
    *(("verb", word) for word in ("glimber", "outmaneuver")),
    *(("matrix", words) for words in ("My sister still remembers", "They have never found out")),
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> LintReport:
    """A set of sentences that was imported, two items with each foreign word."""
    with Bank.open(tmp_path_factory.mktemp("foreign") / "bank.sqlite", create=True) as bank:
        run = bank.runs.begin(
            kind="import", paradigm_id=bank.paradigms.register(PG), provider="file", identity="f", parameters={}
        )
        call = bank.runs.intend(run.id, 0, {})
        items = []
        for slot, words in FOREIGN:
            for verb in ("amuse", "upset"):
                texts = {s.condition: s.text for s in realise(PG, {**OWN, "verb": verb, slot: words})}
                slots = settled_slots(PG, texts, limited=False)
                sentences = tuple(align(PG, name, text, slots or {}, Source.IMPORTED) for name, text in texts.items())
                items.append(NewItem(slots, sentences, dataset="mine"))
        bank.runs.reply(call, outcome="ok", reply="", items=items)
        return lint_bank(bank, ItemFilter(), knowledge=load_knowledge())


def test_none_of_these_is_a_finding_about_an_item(report: LintReport) -> None:
    assert report.n_items == 2 * len(FOREIGN)
    of_items = [entry.stored for entry in report.findings if entry.stored.item_id is not None]
    said = {(one.finding.code, one.finding.severity.value, one.finding.message) for one in of_items}
    assert {one for one in said if one[0] in OTHER_WORDS or one[0] in UNKNOWN_WORDS} == set()


def test_each_is_told_once_of_the_set_as_a_remark(report: LintReport) -> None:
    of_set = [entry.stored.finding for entry in report.findings if entry.stored.item_id is None]
    told = [finding for finding in of_set if finding.code in OTHER_WORDS or finding.code in UNKNOWN_WORDS]
    assert {finding.severity for finding in told} == {Severity.INFO}
    assert {"T101", "T103", "L603"} <= {finding.code for finding in told}
    without_items = [(finding.code, finding.place.slot, finding.message.rpartition(" (")[0]) for finding in told]
    assert len(without_items) == len(set(without_items))


def test_the_rules_named_there_are_rules() -> None:
    assert set(OTHER_WORDS) | UNKNOWN_WORDS <= set(RULES)
