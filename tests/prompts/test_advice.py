"""What prompts offer comes from the rules: nothing that the linter warns of."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gapsmith.app.advising import Adviser
from gapsmith.bank import Bank, Finding, FindingPlace, Severity, Verdict
from gapsmith.prompts import Ending, Mode, Order, find_prompt, prompt_context, render_prompt
from gapsmith.prompts.context import UsedWords
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import Paradigm, load_paradigm
from tests.prompts.generating import generate


@pytest.fixture(scope="module")
def adviser() -> Adviser:
    return Adviser(load_paradigm("subject_pg"))


def example(paradigm: Paradigm) -> dict[str, str]:
    return {slot.name: slot.example for slot in paradigm.visible_slots}


@pytest.mark.parametrize("name", ["subject_pg", "lan_pg", "lan_atb", "embedded_wh"])
def test_no_word_that_is_offered_is_one_that_the_linter_complains_of(name: str) -> None:
    paradigm = load_paradigm(name)
    adviser = Adviser(paradigm)
    advice = adviser.advice()
    base = example(paradigm)
    for slot in paradigm.visible_slots:
        if slot.offered_by or any(other.offered_by and other.offered_by[0] == slot.name for other in paradigm.slots):
            # What these can be depends on each other; the advice takes them together.
            continue
        for word in advice.good.get(slot.name, ()):
            faults = [fault for fault in adviser.check({**base, slot.name: word}) if fault.serious and fault.code != "T100"]
            assert not faults, (slot.name, word, faults)


def test_slots_that_share_a_list_are_not_warned_of_each_other_s_words() -> None:
    """Of across-the-board movement: the things of the two conjuncts differ, and come from one column; and its verbs are read."""
    advice = Adviser(load_paradigm("atb")).advice()
    assert len(advice.good["other2"]) > 3
    assert "other1" not in advice.avoid
    assert "other2" not in advice.avoid
    bad = [mistake.bad for mistake in advice.mistakes]
    assert any("broke" in sentence for sentence in bad)
    assert any("actress" in sentence for sentence in bad)


def test_determiners_that_the_linter_warns_of_are_not_offered_and_the_reason_is_given(adviser: Adviser) -> None:
    advice = adviser.advice()
    assert "the" in advice.good["determiner"]
    avoided = {word for entry in advice.avoid["determiner"] for word in entry.words}
    assert {"that", "an"} <= avoided
    assert not avoided & set(advice.good["determiner"])
    paradigm = load_paradigm("subject_pg")
    context = prompt_context(paradigm, n=10, mode=Mode.SLOTS, advice=advice)
    text = render_prompt(find_prompt("slots.v2"), context)
    (offered,) = [line for line in text.splitlines() if line.startswith("- determiner:")]
    assert "the" in offered
    for word in avoided:
        assert f" {word}," not in offered
    assert "Mistakes that are often made" in text
    assert "one and the same person" in text
    assert 'It says: "[determiner] [noun] [preposition] X [linker] [verb] X [adverb]", with the same X' in text
    assert text.count("- noun and verb must go together") == 1
    assert "replace every set that fails" in text
    assert "spread them over everyday topics" in text
    assert "in more than 3 of the sets" in text


def test_open_slots_offer_words_that_no_rule_has_a_word_to_say_of(adviser: Adviser) -> None:
    """Not even that a verb tolerates a missing object, or that a determiner makes the island specific."""
    advice = adviser.advice()
    assert set(advice.good["determiner"]) == {"the", "a", "every", "some"}
    assert set(advice.good["preposition"]) == {"about", "of"}
    for slot in ("matrix", "verb", "adverb", "name2"):
        assert len(advice.good[slot]) >= 5
        for word in advice.good[slot]:
            assert adviser.check({**advice.example, slot: word}) == [] or slot == "adverb", word


@pytest.mark.parametrize("name", ["subject_pg", "embedded_wh"])
def test_the_example_of_the_prompt_is_one_without_any_comment(name: str) -> None:
    adviser = Adviser(load_paradigm(name))
    assert adviser.check(adviser.advice().example) == []


def test_a_slot_that_only_a_model_can_fill_needs_no_list(tmp_path: Path) -> None:
    text = Path(load_paradigm("lan_pg").path).read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('words = ["bother", "annoy", "disturb"]\n', ""), encoding="utf-8")
    advice = Adviser(load_paradigm(str(tmp_path / "mine.toml"))).advice()
    assert "verb" not in advice.good
    assert advice.good["adverb"] == ("soon", "eventually")


def test_the_example_that_was_shown_is_no_new_item_and_a_published_prompt_keeps_its_own(
    bank: Bank, adviser: Adviser, subject_pg: Paradigm
) -> None:
    advice = adviser.advice()
    assert advice.example["verb"] != "amuse", "on which a rule has a comment"
    with FakeServer(subject_pg) as fake:
        answer = json.dumps({"items": [dict(advice.example)]})
        fake.fixed_body = {"choices": [{"message": {"content": answer}, "finish_reason": "stop"}]}
        order = Order(subject_pg, provider="openai", n=1, timeout_s=20.0, concurrency=1, advice=advice)
        outcome = generate(order, bank, fake)
    assert (outcome.tally.kept, outcome.ending) == (0, Ending.GAVE_UP)
    assert outcome.tally.duplicates == outcome.tally.returned
    context = prompt_context(subject_pg, n=10, mode=Mode.SENTENCES, design="lan2x2", advice=advice)
    published = render_prompt(find_prompt("quality2025"), context)
    assert "I know who the story about is likely to amuse soon." in published
    assert advice.example["name1"] not in published


@cache
def _shown(name: str) -> str:
    paradigm = load_paradigm(name)
    context = prompt_context(paradigm, n=10, mode=Mode.SLOTS, advice=Adviser(paradigm).advice())
    return render_prompt(find_prompt("slots.v2"), context)


def test_mistakes_are_told_in_sentences_of_the_paradigm_bad_beside_good() -> None:
    text = _shown("subject_pg").split("Mistakes that are often made")[1]
    for start in ("I believe who the", "I wonder that the", "She told who the"):
        assert f'Not "{start}' in text
    assert " portrait about " in text
    for tempting in (" is ready to ", " is easy to ", " eat ", " break "):
        (line,) = [line for line in text.splitlines() if tempting in line.rpartition('. "')[2]]
        assert "is grammatical, and is meant not to be" in line
        assert " that the " in line.rpartition('. "')[2], "without a filler"
    assert "Believe, think, hope" in text, "the reason that the rule's page gives"


@pytest.mark.parametrize(
    ("name", "told", "not_told"),
    [
        ("embedded_wh", ("I believe what", "the lion ate at", "the teacher"), ("story", "given name", "Mary")),
        (
            "lan_pg",
            ("decision to eat", "Not: intent to talk to", "annoy yesterday"),
            ("story about Mary is", "Use a given name"),
        ),
        ("lan_atb", ("Not: wanted Mary to call", "kiss yesterday"), ("story about Mary is", "Use a given name")),
    ],
)
def test_a_prompt_tells_the_constraints_of_its_own_paradigm(name: str, told: tuple[str, ...], not_told: tuple[str, ...]) -> None:
    text = _shown(name)
    assert all(part in text for part in told), text
    assert not any(part in text for part in not_told)
    if name.startswith("lan"):
        assert "with the same X in each place" in text
    else:
        for slot in ("subject", "verb", "object", "time"):
            assert len(Adviser(load_paradigm(name)).advice().good[slot]) > 10


def test_the_answer_s_form_offers_no_more_than_the_prompt(bank: Bank, adviser: Adviser, subject_pg: Paradigm) -> None:
    with FakeServer(subject_pg) as fake:
        order = Order(subject_pg, provider="openai", n=2, timeout_s=20.0, advice=adviser.advice())
        assert generate(order, bank, fake).ending is Ending.COMPLETE
        schema = fake.requests[0].body["response_format"]["json_schema"]["schema"]
    offered = schema["properties"]["items"]["items"]["properties"]["determiner"]["enum"]
    assert offered == list(adviser.advice().good["determiner"])


def test_nobody_is_steered_away_from_the_few_words_where_surprisal_is_measured(subject_pg: Paradigm) -> None:
    used = UsedWords(subject_pg)
    for word in ("amuse", "upset", "upset", "delight"):
        used.add({**example(subject_pg), "verb": word})
    told = used.most_used()
    assert "adverb" not in told
    assert "determiner" not in told
    assert told["verb"] == ["upset", "delight", "amuse"], "the most used first, and of those the latest"


def test_words_of_items_with_errors_are_free_until_somebody_approves_them(bank: Bank, subject_pg: Paradigm) -> None:
    order = Order(subject_pg, provider="openai", n=1, timeout_s=20.0, concurrency=1)
    with FakeServer(subject_pg) as fake:
        generate(order, bank, fake)
        (item,) = bank.items.ids()
        error = Finding("L201", Severity.ERROR, "can do without an object", "Take another.", FindingPlace(slot="verb"))
        bank.findings.replace("subject_pg", {item: [error]}, ruleset="these")
        generate(replace(order, n=2), bank, fake)
        assert "have been used" not in fake.requests[1].prompt
        bank.decisions.decide([item], Verdict.APPROVE, author="me")
        generate(replace(order, n=3), bank, fake)
        assert "have been used" in fake.requests[-1].prompt


def test_words_of_items_that_were_thrown_out_or_are_elsewhere_are_free(bank: Bank, lan_pg: Paradigm) -> None:
    order = Order(lan_pg, provider="openai", n=1, timeout_s=20.0, concurrency=1)
    with FakeServer(lan_pg) as fake:
        generate(order, bank, fake)
        generate(replace(order, dataset="other"), bank, fake)
        assert "have been used" not in fake.requests[1].prompt, "another data set"
        generate(replace(order, n=2), bank, fake)
        assert "have been used" in fake.requests[2].prompt
        bank.decisions.decide(bank.items.ids(), Verdict.EXCLUDE, author="me", reason="unnatural")
        generate(replace(order, n=3), bank, fake)
        assert "have been used" not in fake.requests[-1].prompt


def test_a_run_that_was_begun_with_an_older_prompt_goes_on_with_it(bank: Bank, lan_pg: Paradigm) -> None:
    old = Order(lan_pg, provider="openai", n=2, prompt="slots.v1", timeout_s=20.0)
    with FakeServer(lan_pg) as fake:
        begun = generate(old, bank, fake)
        again = generate(replace(old, prompt=None), bank, fake)
        assert (again.ending, again.run.id) == (Ending.ALREADY_THERE, begun.run.id)
        assert len(fake.requests) == 1
        fresh = generate(replace(old, prompt=None, new_run=True), bank, fake)
    assert fresh.run.prompt_name == "slots.v2"
