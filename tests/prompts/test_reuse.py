"""Answers that the bank has already: taken once each, at no cost, and said so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.bank import Bank
from gapsmith.prompts import Ending, Order, prepare
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import ConfigError
from tests.conftest import CommandOutcome
from tests.prompts.generating import ENVIRONMENT, Notes, generate, stored, texts

HTTP = ["gemini", "openai"]


@pytest.fixture
def order(lan_pg: Paradigm) -> Order:
    return Order(lan_pg, provider="openai", n=12, n_per_call=4, concurrency=1, timeout_s=20.0)


@pytest.mark.parametrize("provider", HTTP)
def test_items_that_were_taken_out_come_back_without_a_request(
    gapsmith: Callable[..., CommandOutcome], lan_pg: Paradigm, provider: str
) -> None:
    with FakeServer(lan_pg) as fake:
        url = fake.url if provider == "gemini" else fake.openai_url
        command: tuple[object, ...] = (
            "generate",
            "lan_pg",
            "-n",
            8,
            "--n-per-call",
            4,
            "--concurrency",
            1,
            "--provider",
            provider,
        )
        command += ("--model", "m", "--base-url", url)
        assert gapsmith(*command).code == 0
        before = gapsmith("export", "csv", "--all").out
        assert gapsmith("dataset", "remove", "generated", "-p", "lan_pg").code == 0
        assert len(fake.requests) == 2
        again = gapsmith(*command, "--new-run", "--reuse")
        assert again.code == 0, again.err
        assert "run 1 asked the very same in its call 0" in again.err.replace("\n", " ")
        assert "2 answers taken from earlier runs" in again.err.replace("\n", " ")
        assert len(fake.requests) == 2
    assert gapsmith("export", "csv", "--all").out == before
    with Bank.open(bank_path()) as bank:
        calls = bank.runs.calls(2)
    assert [(call.cost_usd, call.attempts, call.details["reused"]) for call in calls] == [(0.0, 0, "1"), (0.0, 0, "2")]


def bank_path() -> Path:
    return Path("bank.sqlite")


def test_nothing_is_taken_unasked_nor_twice_nor_for_another_request(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        generate(order, bank, fake)
        assert len(fake.requests) == 3
        # Without the flag everything is asked for anew; with another seed or temperature it is another request.
        generate(replace(order, dataset="b"), bank, fake)
        assert len(fake.requests) == 6
        generate(replace(order, dataset="c", temperature=0.3), bank, fake)
        notes = Notes()
        outcome = generate(replace(order, dataset="d", temperature=0.5, reuse=True), bank, fake, notes)
        assert len(fake.requests) == 12
        assert outcome.tally.reused == 0
        # An answer whose items are there already brings nothing, is taken once, and does not end the run.
        again = replace(order, dataset="e", temperature=0.5, reuse=True)
        outcome = generate(again, bank, fake)
        assert outcome.ending is Ending.COMPLETE
        assert outcome.tally.reused == 1
        assert outcome.tally.duplicates == 4
        assert len(fake.requests) == 15
        took = [call.details["reused"] for call in bank.runs.calls(outcome.run.id) if "reused" in call.details]
        assert len(took) == len(set(took)) == 1
        items = stored(bank)
        assert len(items) == len(set(texts(items))) == 60


def test_there_is_nothing_to_reuse_for_word_lists_and_batches(bank: Bank, order: Order) -> None:
    for changed in (replace(order, batch=True, model="m"), Order(order.paradigm)):
        with pytest.raises(ConfigError, match="--reuse goes with single calls"):
            prepare(replace(changed, reuse=True), bank, workspace=None, environment=ENVIRONMENT)
