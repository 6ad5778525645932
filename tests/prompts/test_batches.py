"""Calls that travel together: nothing is paid twice, nothing that was answered is lost, wherever it is cut off."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gapsmith.prompts.batches
from gapsmith.app.generation import carry_out, carry_out_watch
from gapsmith.bank import Bank, CallRecord
from gapsmith.bank.connection import Db
from gapsmith.prompts import Ending, GenerationOutcome, Order, prepare, prepare_watch, run_yield
from gapsmith.prompts.bodies import BODY, unpack_body
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.parts import first_of
from tests.processes import Program, wait_for
from tests.prompts.generating import ENVIRONMENT, KEY, Notes, generate, prepare_http, stored, texts
from tests.prompts.test_generation_killed import KilledError, count_items

HTTP = ["gemini", "openai"]
both = pytest.mark.parametrize("provider", HTTP)


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gapsmith.prompts.batches, "LOOKS_FOR_A_LOST_BATCH_S", (0.0, 0.01))


@pytest.fixture
def order(lan_pg: Paradigm, tmp_path: Path) -> Order:
    prices = tmp_path / "prices.toml"
    entry = '[[price]]\nprovider = "{}"\nmodel = "fake-model"\ninput = 100.0\noutput = 1000.0\nas_of = 2026-01-01\n'
    prices.write_text("".join(entry.format(name) for name in HTTP), encoding="utf-8")
    return Order(lan_pg, n=30, n_per_call=5, timeout_s=20.0, price_files=(prices,), batch=True)


def send(order: Order, bank: Bank, fake: FakeServer, notes: Notes | None = None) -> GenerationOutcome:
    """One go of `generate --batch`."""
    return carry_out(prepare_http(order, bank, fake), bank, notes)


def watch(
    order: Order, bank: Bank, run: int = 1, *, give_up: bool = False, once: bool = False, notes: Notes | None = None
) -> GenerationOutcome:
    """One go of `runs watch`."""
    prepared = prepare_watch(bank, bank.runs.get(run), send_key=True, environment=ENVIRONMENT, price_files=order.price_files)
    return carry_out_watch(prepared, bank, notes, every_s=None if once else 0.01, give_up=give_up)


def unanswered(calls: list[CallRecord]) -> list[int]:
    return [call.number for call in calls if call.replied_at is None]


@both
def test_a_batch_is_sent_once_and_comes_back_call_by_call_at_half_the_price(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.looks = 2
        sent = send(order, bank, fake)
        assert sent.ending is Ending.UNDER_WAY
        assert bank.items.count() == 0
        assert sent.unanswered == ()
        assert run_yield(bank, sent.run).awaited == (0, 1, 2, 3, 4, 5)
        notes = Notes()
        back = watch(order, bank, notes=notes)
        assert back.ending is Ending.COMPLETE
        assert any("0 of 6 answered" in line for line in notes.lines)
        assert not fake.requests
        (made,) = fake.batches.made
    items, calls = stored(bank), bank.runs.calls(1)
    assert len(items) == len(set(texts(items))) == 30
    assert {item.call_id for item in items} == {call.id for call in calls}
    batch = bank.batches.of_run(1)[0]
    assert f"{batch.uid}" in made.tag
    for call in calls:
        usage = call.usage
        full = (usage["input_tokens"] * 100 + (usage["output_tokens"] + usage["thinking_tokens"]) * 1000) / 1e6
        assert call.cost_usd == pytest.approx(full / 2)
        # Each call has its own line, whatever the order of the lines.
        assert f"{batch.uid}-{call.number}" in unpack_body(call.details[BODY]).decode()
        assert call.details["structure"] == "json_schema"
    assert bank.runs.get(1).finished_at is not None
    assert send(order, bank, fake).ending is Ending.ALREADY_THERE


def test_a_batch_costs_what_it_cost_when_it_was_made(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        order = replace(order, provider="openai", n=5)
        send(order, bank, fake)
        (prices,) = order.price_files
        prices.write_text(prices.read_text(encoding="utf-8").replace("100", "700"), encoding="utf-8")
        watch(order, bank)
    (call,) = bank.runs.calls(1)
    usage = call.usage
    full = (usage["input_tokens"] * 100 + (usage["output_tokens"] + usage["thinking_tokens"]) * 1000) / 1e6
    assert call.cost_usd == pytest.approx(full / 2)


@both
def test_a_batch_asks_for_the_same_as_single_calls_do(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider, temperature=0.5, seed=7, top_p=0.9, max_output_tokens=500, n=5)
    if provider == "openai":
        order = replace(order, extra_body='{"min_p": 0.05}')
    with FakeServer(order.paradigm) as fake:
        send(order, bank, fake)
        (_, body), *_ = fake.batches.made[0].requests
        generate(replace(order, batch=False, new_run=True, dataset="other"), bank, fake)
        alone = fake.requests[0].body
    if provider == "gemini":
        assert body["generationConfig"] == alone["generationConfig"]
        assert body["contents"] == alone["contents"]
    else:
        assert body == alone
    assert bank.runs.get(1).parameters["seed"] == 7


@both
def test_while_a_batch_is_under_way_its_run_asks_for_nothing_else(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.looks = 10
        run = send(order, bank, fake).run
        with pytest.raises(GapsmithError, match="has a batch under way"):
            generate(replace(order, batch=False), bank, fake)
        again = send(order, bank, fake)
        assert (again.ending, again.run.id) == (Ending.UNDER_WAY, run.id)
        assert watch(order, bank, once=True).ending is Ending.UNDER_WAY
        assert len(fake.batches.made) == 1
        assert not fake.requests


@both
@pytest.mark.parametrize("lost", first_of([Behaviour.BREAK, Behaviour.NOT_JSON, Behaviour.HANG], 2))
def test_a_batch_whose_creation_got_no_answer_is_found_in_the_list(
    bank: Bank, order: Order, provider: str, lost: Behaviour
) -> None:
    order = replace(order, provider=provider, timeout_s=2.0 if lost is Behaviour.HANG else 20.0)
    with FakeServer(order.paradigm) as fake:
        # Others of the same account come first in the list.
        for dataset in ("a", "b"):
            send(replace(order, dataset=dataset, n=5), bank, fake)
        fake.batches.at_creation = lambda _: lost
        notes = Notes()
        sent = send(order, bank, fake, notes)
        send(replace(order, dataset="c", n=5), bank, fake)
        assert sent.ending is Ending.UNDER_WAY
        assert sent.batch is not None
        assert sent.batch.name in {"batch-2", "batches/batch-2"}
        assert any("Looking for the batch" in line for line in notes.lines)
        assert watch(order, bank, sent.run.id).ending is Ending.COMPLETE
        assert sum(len(batch.requests) == 6 for batch in fake.batches.made) == 1


@both
def test_a_batch_that_is_not_found_is_perhaps_paid_and_never_sent_again(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.at_creation = lambda _: Behaviour.BREAK
        fake.batches.listed = False
        for go in (send, send):
            outcome = go(order, bank, fake)
            assert outcome.ending is Ending.PERHAPS_SENT
            assert [call.number for call in outcome.unanswered] == [0, 1, 2, 3, 4, 5]
        assert watch(order, bank).ending is Ending.PERHAPS_SENT
        assert len(fake.batches.made) == 1
        assert run_yield(bank, outcome.run).unanswered == (0, 1, 2, 3, 4, 5)
        with pytest.raises(GapsmithError, match="has a batch under way"):
            generate(replace(order, batch=False), bank, fake)
        # The list lagged behind.
        fake.batches.listed = True
        assert watch(order, bank).ending is Ending.COMPLETE
        assert len(fake.batches.answered) == 6


@both
def test_a_lost_batch_that_is_given_up_stays_perhaps_paid_and_calls_ask_for_the_items(
    bank: Bank, order: Order, provider: str
) -> None:
    order = replace(order, provider=provider, max_cost_usd=150.0, max_output_tokens=1000)
    with FakeServer(order.paradigm) as fake:
        fake.batches.at_creation = lambda _: Behaviour.BREAK
        fake.batches.listed = False
        send(order, bank, fake)
        given_up = watch(order, bank, give_up=True)
        assert given_up.ending is Ending.PARTLY
        assert [call.number for call in given_up.unanswered] == [0, 1, 2, 3, 4, 5]
        # What may have been paid counts against the limit, at its worst.
        assert generate(replace(order, batch=False, max_cost_usd=3.0), bank, fake).ending is Ending.BUDGET
        assert not fake.requests
        assert generate(replace(order, batch=False), bank, fake).ending is Ending.COMPLETE
    calls = bank.runs.calls(1)
    assert unanswered(calls) == [0, 1, 2, 3, 4, 5]
    assert bank.items.count() == 30


@both
@pytest.mark.parametrize("refusal", [Behaviour.BAD_KEY, Behaviour.DAILY_QUOTA, Behaviour.BAD_REQUEST])
def test_a_batch_that_is_refused_costs_nothing_and_stands_in_nobody_s_way(
    bank: Bank, order: Order, provider: str, refusal: Behaviour
) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.at_creation = lambda _: refusal
        refused = send(order, bank, fake)
        assert refused.ending is Ending.FAILED
        assert refused.failure is not None
        assert refused.failure.kind.value == refusal.value
        assert {(call.outcome, call.cost_usd) for call in bank.runs.calls(1)} == {(refusal.value, 0.0)}
        assert refused.unanswered == ()
        assert generate(replace(order, batch=False), bank, fake).ending is Ending.COMPLETE


@both
def test_a_limit_per_minute_is_waited_for(bank: Bank, order: Order, provider: str, short_waits: None) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.at_creation = lambda number: Behaviour.MINUTE_LIMIT if number < 2 else Behaviour.WELL
        assert send(order, bank, fake).ending is Ending.UNDER_WAY
        assert len(fake.batches.made) == 1
        assert sum("/files" in seen.path for seen in fake.seen_of_batches) == (provider == "openai")


@both
def test_completed_is_not_success_and_a_missing_line_is_no_answer(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    behaviours = [
        Behaviour.WELL,
        Behaviour.TRUNCATED,
        Behaviour.BREAK,
        Behaviour.SERVER_ERROR,
        Behaviour.UNREADABLE,
        Behaviour.SAFETY,
    ]
    with FakeServer(order.paradigm) as fake:
        fake.batches.of_line = lambda number: behaviours[number]
        send(order, bank, fake)
        back = watch(order, bank)
        assert back.ending is Ending.PARTLY
        calls = bank.runs.calls(1)
        outcomes = [call.outcome for call in calls]
        assert outcomes == ["ok", "truncated", None, "server_error", "unreadable", "safety"]
        assert [call.number for call in back.unanswered] == [2]
        assert calls[3].cost_usd == 0.0
        assert all((calls[number].cost_usd or 0.0) > 0 for number in (0, 1, 4, 5))
        assert 5 <= bank.items.count() < 10
        # A way back: single calls ask for the rest, and for nothing that was answered.
        fake.batches.of_line = lambda _: Behaviour.WELL
        assert generate(replace(order, batch=False), bank, fake).ending is Ending.COMPLETE
    items = stored(bank)
    assert len(items) == len(set(texts(items))) == 30
    assert unanswered(bank.runs.calls(1)) == [2]


def test_lines_that_come_late_are_taken_in_by_a_later_look(bank: Bank, order: Order) -> None:
    order = replace(order, provider="openai")
    with FakeServer(order.paradigm) as fake:
        send(order, bank, fake)
        assert watch(order, bank, once=True).ending is Ending.COMPLETE
        whole = fake.batches._files["batch-0-output"]
        second = replace(order, dataset="late")
        run = send(second, bank, fake).run
        fake.batches.finishes = 0
        fake.batches.of_line = lambda _: Behaviour.BREAK
        (made,) = fake.batches.made[1:]
        made.status, made.good = "completed", [{}]
        fake.batches._files["batch-1-output"] = b""
        early = watch(second, bank, run.id)
        assert early.ending is Ending.PARTLY
        assert len(early.unanswered) == 6
        mine, other = (bank.batches.of_run(number)[0].uid.encode() for number in (run.id, 1))
        fake.batches._files["batch-1-output"] = whole.replace(other, mine)
        late = watch(second, bank, run.id)
        assert late.unanswered == ()
        # They are the items of the other run, and count as answered all the same.
        assert late.tally.duplicates == 30


@both
def test_what_is_missing_may_go_out_in_a_second_batch(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.of_line = lambda number: Behaviour.UNREADABLE if number == 1 else Behaviour.WELL
        send(order, bank, fake)
        assert watch(order, bank).ending is Ending.PARTLY
        fake.batches.of_line = lambda _: Behaviour.WELL
        assert send(order, bank, fake).ending is Ending.UNDER_WAY
        assert watch(order, bank).ending is Ending.COMPLETE
        assert [len(made.requests) for made in fake.batches.made] == [6, 1]
    assert [call.number for call in bank.runs.calls(1)] == [0, 1, 2, 3, 4, 5, 6]


@both
def test_an_expired_batch_brings_and_charges_what_it_finished(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.ends_as, fake.batches.finishes = "expired", 2
        send(order, bank, fake)
        back = watch(order, bank)
    assert back.ending is Ending.PARTLY
    assert back.batch is not None
    assert back.batch.status == "expired"
    assert bank.items.count() == 10
    calls = bank.runs.calls(1)
    assert [call.outcome for call in calls[:2]] == ["ok", "ok"]
    assert all(call.cost_usd for call in calls[:2])
    if provider == "openai":
        # The file of errors says of each that it was not done.
        assert {(call.outcome, call.cost_usd) for call in calls[2:]} == {("not_done", 0.0)}
    else:
        assert unanswered(calls) == [2, 3, 4, 5]


def test_a_batch_that_failed_before_its_first_request_costs_nothing(bank: Bank, order: Order) -> None:
    order = replace(order, provider="openai")
    with FakeServer(order.paradigm) as fake:
        fake.batches.ends_as = "failed"
        send(order, bank, fake)
        notes = Notes()
        back = watch(order, bank, notes=notes)
    assert back.ending is Ending.PARTLY
    assert {call.cost_usd for call in bank.runs.calls(1)} == {0.0}
    assert any("The file is not valid." in line for line in notes.lines)


@both
def test_giving_up_ends_the_batch_and_keeps_what_it_finished(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.looks, fake.batches.finishes = 1000, 3
        send(order, bank, fake)
        back = watch(order, bank, give_up=True)
        assert back.ending is Ending.PARTLY
        assert fake.batches.made[0].status == "cancelled"
        assert bank.items.count() == 15
        assert generate(replace(order, batch=False), bank, fake).ending is Ending.COMPLETE
        assert len(fake.requests) == 3


@both
def test_answers_without_our_keys_are_kept_and_taken_for_nobody_s(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        fake.batches.keyless = True
        send(order, bank, fake)
        notes = Notes()
        back = watch(order, bank, notes=notes)
    assert back.ending is Ending.PARTLY
    assert any("6 lines of the batch are no answers to what was asked" in line for line in notes.lines)
    assert unanswered(bank.runs.calls(1)) == [0, 1, 2, 3, 4, 5]
    strays = bank.batches.of_run(1)[0].details["strays"]
    assert all(b"usage" in unpack_body(packed) for packed in strays)


@both
def test_a_batch_stays_within_the_cost_that_is_allowed(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider, max_output_tokens=1000, max_cost_usd=2.5)
    with FakeServer(order.paradigm) as fake:
        notes = Notes()
        send(order, bank, fake, notes)
        (made,) = fake.batches.made
        assert 1 <= len(made.requests) < 6
        assert any("a later one asks for the rest" in line for line in notes.lines)
        watch(order, bank)
        (total,) = bank.db.execute("SELECT sum(cost_usd) FROM call").fetchone()
        assert 0 < total <= 2.5
        with FakeServer(order.paradigm) as other:
            none = replace(order, dataset="none", max_cost_usd=0.001)
            assert send(none, bank, other).ending is Ending.BUDGET
            assert not other.batches.made


@both
def test_a_redirect_of_a_batch_or_its_answers_is_not_followed(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake, FakeServer(order.paradigm) as other:
        fake.redirect_to = other.url
        fake.batches.at_creation = lambda _: Behaviour.REDIRECT
        refused = send(order, bank, fake)
        assert refused.failure is not None
        assert refused.failure.kind.value == "redirected"
        fake.batches.at_creation = lambda _: Behaviour.WELL
        send(order, bank, fake)
        if provider == "openai":
            fake.redirect_files = True
            assert watch(order, bank).ending is Ending.FAILED
            assert bank.batches.open(1) is not None
            fake.redirect_files = False
        assert watch(order, bank).ending is Ending.COMPLETE
        assert not other.requests
        assert not other.seen_of_batches


@both
def test_the_key_goes_to_no_address_that_only_a_bank_names(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        send(order, bank, fake)
        assert all(KEY in str(seen.headers) for seen in fake.seen_of_batches)
        fake.seen_of_batches.clear()
        prepared = prepare_watch(bank, bank.runs.get(1), send_key=False, environment=ENVIRONMENT)
        assert "without the key" in prepared.provider.notes[0]
        assert carry_out_watch(prepared, bank, every_s=0.01).ending is Ending.COMPLETE
        assert fake.seen_of_batches
        assert all(KEY not in str(seen.headers) for seen in fake.seen_of_batches)


def test_a_run_of_the_service_itself_is_not_looked_after_elsewhere(bank: Bank, order: Order) -> None:
    plain = replace(order, provider="openai", model="m", batch=False)
    prepared = prepare(plain, bank, workspace=None, environment=ENVIRONMENT)
    prepared.generation(bank)._begin()
    elsewhere = {**ENVIRONMENT, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with pytest.raises(ConfigError, match="went to the service itself"):
        prepare_watch(bank, bank.runs.get(1), send_key=True, environment=elsewhere)


def test_batches_are_refused_where_there_are_none(bank: Bank, order: Order) -> None:
    with pytest.raises(ConfigError, match="takes no batches"):
        prepare(replace(order, provider="lexicon"), bank, workspace=None, environment={})
    with pytest.raises(ConfigError, match="two ways to pay less"):
        prepare(replace(order, provider="openai", model="m", tier="flex"), bank, workspace=None, environment=ENVIRONMENT)


@pytest.mark.full
@both
@pytest.mark.parametrize("moment", ["before", pytest.param("after", marks=pytest.mark.full)])
def test_wherever_it_is_killed_nothing_is_paid_twice_and_nothing_is_lost(
    tmp_path: Path, order: Order, monkeypatch: pytest.MonkeyPatch, provider: str, moment: str
) -> None:
    order = replace(order, provider=provider, n=9, n_per_call=3)
    transactions = 0
    complete = perhaps = 0
    for nth in range(1, 30):
        path = tmp_path / f"{nth}.sqlite"
        with FakeServer(order.paradigm) as fake:
            fake.batches.looks = 1
            with Bank.open(path, create=True) as bank:
                prepared = prepare_http(order, bank, fake)
                identity = prepared.plan.identity
                with monkeypatch.context() as patch:
                    counted = _die(patch, moment, nth)
                    # The kill that is tried; what it leaves is looked at below.
                    with suppress(KilledError):
                        carry_out(prepared, bank)
                        carry_out_watch(prepare_http(order, bank, fake), bank, every_s=0.001)
                    transactions = counted[0]
            with Bank.open(path) as bank:
                outcome = send(order, bank, fake)
                if outcome.ending is Ending.UNDER_WAY:
                    outcome = watch(order, bank, outcome.run.id)
                run = bank.runs.find(identity)
                assert run is not None
                if outcome.ending is Ending.PERHAPS_SENT:
                    # It ended between the word and the deed: nothing was sent, and nothing is sent again.
                    assert not fake.batches.made
                    assert unanswered(bank.runs.calls(run.id)) == [0, 1, 2]
                    perhaps += 1
                else:
                    assert outcome.ending in (Ending.COMPLETE, Ending.ALREADY_THERE)
                    assert len(fake.batches.made) == 1
                    assert len(fake.batches.answered) == len(set(fake.batches.answered)) == 3
                    items = stored(bank)
                    assert len(items) == len(set(texts(items))) == 9
                    assert not unanswered(bank.runs.calls(run.id))
                    complete += 1
                assert not fake.requests
        if transactions < nth:
            break
    else:
        pytest.fail("there is no end to its transactions")
    assert complete >= 8
    assert perhaps == (1 if moment == "after" else 0)


def _die(patch: pytest.MonkeyPatch, moment: str, nth: int) -> list[int]:
    """End everything around the nth transaction: before its commit, or right after it; how many there were."""
    real, count = Db.write, [0]

    @contextmanager
    def write(self: Db) -> Iterator[None]:
        outermost = not self._depth
        count[0] += outermost
        with real(self):
            yield
            if outermost and count[0] >= nth and moment == "before":
                raise KilledError
        if outermost and count[0] >= nth:
            raise KilledError

    patch.setattr(Db, "write", write)
    return count


def test_a_full_disk_while_a_batch_is_taken_in_loses_nothing(bank: Bank, order: Order) -> None:
    order = replace(order, provider="openai", n=200, n_per_call=10)
    with FakeServer(order.paradigm) as fake:
        send(order, bank, fake)

        def fill(_: object) -> None:
            pages = bank.db.execute("PRAGMA page_count").fetchone()[0]
            bank.db.execute(f"PRAGMA max_page_count = {pages}")

        with pytest.raises(GapsmithError, match="The provider keeps the answers") as caught:
            watch(order, bank, notes=Notes(on_progress=fill))
        assert "runs watch 1" in caught.value.hint
        with Bank.open(bank.path) as roomy:
            assert 0 < roomy.items.count() < 200
            assert watch(order, roomy).ending is Ending.COMPLETE
            assert len(fake.batches.answered) == 20
            assert all(call.outcome == "ok" for call in roomy.runs.calls(1))


@both
def test_hostile_answers_of_a_batch_end_in_messages(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider, n=20, n_per_call=5)
    odd: list[Any] = [5, [], {"candidates": [5]}, {"choices": [7], "usage": "many"}]
    with FakeServer(order.paradigm) as fake:
        send(order, bank, fake)
        (made,) = fake.batches.made
        keys = [key for key, _ in made.requests]
        made.status = "completed"
        if provider == "gemini":
            made.good = [{"metadata": {"key": key}, "response": body} for key, body in zip(keys, odd, strict=True)]
            made.good += [{"metadata": {"key": keys[0]}}, {"metadata": 3}, {"metadata": {"key": ["a"]}}]
            watch(order, bank)
        else:
            lines = [
                {"custom_id": key, "response": {"status_code": 200, "body": body}} for key, body in zip(keys, odd, strict=True)
            ]
            text = "\n".join(map(json.dumps, [*lines, {"custom_id": [1]}, 7, {"custom_id": keys[0]}]))
            text += '\nhalf a li\n{"custom_id": ' + "9" * 5_000 + "}\n" + "[" * 100_000
            made.good = [{}]
            fake.batches._files["batch-0-output"] = text.encode()
            watch(order, bank)
    calls = bank.runs.calls(1)
    assert {call.outcome for call in calls} <= {"garbled", "empty", "server_error"}
    assert all(BODY in call.details for call in calls)
    assert bank.batches.of_run(1)[0].ended_at is not None
    assert bank.items.count() == 0


Run = Callable[..., CommandOutcome]


@both
def test_the_commands_send_a_batch_watch_it_and_show_it(
    gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with FakeServer(lan_pg) as fake:
        url = fake.url if provider == "gemini" else fake.openai_url
        host = fake.url.removeprefix("http://")
        command: tuple[object, ...] = (
            "generate",
            "lan_pg",
            "-n",
            12,
            "--n-per-call",
            4,
            "--provider",
            provider,
            "--model",
            "m",
        )
        command += ("--base-url", url)
        sent = gapsmith(*command, "--batch")
        assert sent.code == 0, sent.err
        assert "Next: gapsmith runs watch 1" in sent.err
        refused = gapsmith(*command)
        assert refused.code == 1
        assert "gapsmith runs watch 1" in refused.err
        assert "in a batch that is under way: calls 0-2" in gapsmith("runs", "show", 1).out
        fake.seen_of_batches.clear()
        watched = gapsmith("runs", "watch", 1, "--json", "--send-key-to", host)
        assert watched.code == 0, watched.err
        assert KEY in str(fake.seen_of_batches[0].headers)
        data = expect_results(watched.out)[0]
        assert (data["ending"], data["in_bank"]) == ("complete", 12)
        assert gapsmith("runs", "watch", 1, "--once").code == 0
        assert not fake.requests
    assert gapsmith("runs", "watch", 7).code != 0
    gapsmith("generate", "lan_pg", "-n", 3)
    assert "has no batch" in gapsmith("runs", "watch", 2).err


@pytest.mark.full
def test_a_watch_that_is_killed_or_stopped_leaves_the_batch_as_it_is(tmp_path: Path, lan_pg: Paradigm) -> None:
    def program(*arguments: str) -> Program:
        return Program(*arguments, "--workspace", tmp_path, folder=tmp_path / "said", environment=ENVIRONMENT)

    with FakeServer(lan_pg) as fake:
        fake.batches.looks = 10_000
        command = ["generate", "lan_pg", "-n", "8", "--n-per-call", "4", "--provider", "openai", "--model", "m"]
        command += ["--base-url", fake.openai_url, "--batch"]
        assert program(*command).wait() == 0
        for asked, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 1)):
            looks = fake.batches.made[0].looks
            with program("runs", "watch", "1", "--every", "1") as watching:
                wait_for(partial(_looked_at, fake, looks), watching)
                other = program(*command)
                other.wait()
                assert "run 1 is under way in process" in other.err
                watching.send(asked)
                assert watching.wait() == code
        fake.batches.looks = 0
        done = program("runs", "watch", "1")
        assert done.wait() == 0, done.err
        assert len(fake.batches.made) == 1
    assert count_items(tmp_path) == 8


def _looked_at(fake: FakeServer, before: int) -> bool:
    return fake.batches.made[0].looks > before
