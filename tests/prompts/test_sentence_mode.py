"""Sentence mode from the answer to the bank: kept as it came, read back where that works, cut items asked for again."""

from __future__ import annotations

from itertools import islice

import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts import Ending, Mode, Order, run_yield
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import Paradigm, Source, realise, sample
from gapsmith.vetting.lint_run import lint_bank
from gapsmith.vetting.review.origin import origin_text
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.rules import load_knowledge
from tests.prompts.generating import generate, stored


@pytest.mark.parametrize("provider", ["gemini", "openai"])
@pytest.mark.parametrize(("design", "cells"), [("lan2x2", 4), ("full8", 8)])
def test_sentence_mode_keeps_the_text_as_it_came_and_reads_it_back(
    bank: Bank, subject_pg: Paradigm, provider: str, design: str, cells: int
) -> None:
    order = Order(subject_pg, provider=provider, n=6, mode=Mode.SENTENCES, design=design, timeout_s=20.0)
    with FakeServer(subject_pg) as fake:
        outcome = generate(order, bank, fake)
    items = stored(bank)
    assert len(items) == 6
    for item in items:
        assert item.expects == subject_pg.design(design).conditions
        assert len(item.sentences) == cells
        assert {sentence.source for sentence in item.sentences} == {Source.GENERATED}
        assert item.slots is not None
        assert all(sentence.regions is not None for sentence in item.sentences)
    assert run_yield(bank, outcome.run).read_back == 6


def test_sentences_that_do_not_read_back_are_kept_without_slots(bank: Bank, subject_pg: Paradigm) -> None:
    labels = subject_pg.design("lan2x2").labels
    lines = [f"subject_pg,1,{label},Completely different words for {label}." for label in labels]
    with FakeServer(subject_pg) as fake:
        fake.fixed_body = {"choices": [{"message": {"content": "\n".join(lines)}, "finish_reason": "stop"}]}
        order = Order(subject_pg, provider="openai", n=1, mode=Mode.SENTENCES, design="lan2x2", timeout_s=20.0)
        outcome = generate(order, bank, fake)
    (item,) = stored(bank)
    assert item.slots is None
    assert item.sentences[0].text == "Completely different words for PFPG."
    assert run_yield(bank, outcome.run).read_back == 0


def test_an_item_with_a_missing_cell_is_kept_and_becomes_a_finding(bank: Bank, subject_pg: Paradigm) -> None:
    design = subject_pg.design("lan2x2")
    first_item, second_item = islice(sample(subject_pg, 1), 2)
    lines = []
    for number, slots in enumerate((first_item, second_item), 1):
        texts = {s.condition: s.text for s in realise(subject_pg, slots)}
        lines += [f"subject_pg,{number},{label},{texts[name]}" for label, name in design.labels.items()]
    with FakeServer(subject_pg) as fake:
        content = "\n".join(lines[:2] + lines[3:])
        fake.fixed_body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
        order = Order(subject_pg, provider="openai", n=2, mode=Mode.SENTENCES, design="lan2x2", timeout_s=20.0)
        outcome = generate(order, bank, fake)
        assert len(fake.requests) == 1
    assert outcome.ending is Ending.COMPLETE
    lacking, whole = stored(bank)
    assert [len(lacking.sentences), len(whole.sentences)] == [3, 4]
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    missing = {item.id: [f.place.condition for f in bank.findings.for_item(item.id) if f.code == "T001"] for item in stored(bank)}
    assert missing == {lacking.id: [design.conditions[2]], whole.id: []}
    counts = run_yield(bank, outcome.run)
    assert (counts.returned, counts.items, counts.read_back, counts.unreadable) == (2, 2, 1, 0)


def test_the_item_that_an_answer_broke_off_in_is_asked_for_again(bank: Bank, subject_pg: Paradigm) -> None:
    order = Order(subject_pg, provider="openai", n=10, n_per_call=5, mode=Mode.SENTENCES, concurrency=1, timeout_s=20.0)
    script = lambda seen: Behaviour.TRUNCATED if seen.number == 0 else Behaviour.WELL  # noqa: E731 - reads best in place
    with FakeServer(subject_pg, script=script) as fake:
        outcome = generate(order, bank, fake)
    assert outcome.ending is Ending.COMPLETE
    call, *_ = bank.runs.calls(outcome.run.id)
    assert (call.outcome, call.usage["kept"], call.usage["unreadable"]) == ("truncated", 3, 1)
    wanted = len(subject_pg.designs[0].conditions)
    assert [len(item.sentences) for item in stored(bank)] == [wanted] * 10


def test_the_review_says_who_answered_and_how_it_was_asked(bank: Bank, subject_pg: Paradigm) -> None:
    with FakeServer(subject_pg) as fake:
        generate(Order(subject_pg, provider="openai", n=1, mode=Mode.SENTENCES, model="m", timeout_s=20.0), bank, fake)
    (item,) = stored(bank)
    session = Session(bank, "ann")
    lines = "\n".join(line.text for line in origin_text(session, session.view(item.id)))
    assert "model: m · response id: chatcmpl-fake · structure: prompt · system fingerprint: fp_fake" in lines
