"""Runs over the real SDKs and the stand-in server: complete, resumed, limited, failed, interrupted."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank, ItemFilter, Verdict
from gapsmith.prompts import (
    Ending,
    FailureKind,
    Generation,
    GenerationOutcome,
    Mode,
    Order,
    Prepared,
    ProviderError,
    RunYield,
    find_prompt,
    prepare,
    run_yield,
)
from gapsmith.prompts.engine import MAX_CALLS_WITHOUT_NEW
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.fake.fake_wire import openai_answer
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import ConfigError
from tests.prompts.generating import ENVIRONMENT, KEY, Notes, generate, prepare_http, stored, texts

HTTP = ["gemini", "openai"]
Script = Callable[[SeenRequest], Behaviour]


def first(*behaviours: Behaviour) -> Script:
    """Behave so in the first answers, and well from then on."""
    return lambda seen: behaviours[seen.number] if seen.number < len(behaviours) else Behaviour.WELL


def always(behaviour: Behaviour) -> Script:
    return lambda _: behaviour


@pytest.fixture
def order(lan_pg: Paradigm) -> Order:
    return Order(lan_pg, provider="openai", n=24, n_per_call=6, timeout_s=20.0)


def run(order: Order, bank: Bank, script: Script | None = None, notes: Notes | None = None) -> GenerationOutcome:
    with FakeServer(order.paradigm, script=script or always(Behaviour.WELL)) as fake:
        return generate(order, bank, fake, notes)


def worth(bank: Bank, outcome: GenerationOutcome) -> RunYield:
    return run_yield(bank, outcome.run)


def test_the_lexicon_adds_what_is_asked_for_once(bank: Bank, subject_pg: Paradigm) -> None:
    order = Order(subject_pg, n=12)
    outcome = generate(order, bank)
    assert outcome.ending is Ending.COMPLETE
    assert outcome.run.finished_at is not None
    items = stored(bank)
    assert [item.label for item in items] == [str(k) for k in range(1, 13)]
    assert len(set(texts(items))) == 12
    assert all(len(item.sentences) == 8 and item.slots is not None for item in items)
    again = generate(order, bank)
    assert again.ending is Ending.ALREADY_THERE
    assert bank.items.count() == 12


def test_the_same_seed_gives_the_same_items_and_another_one_others(tmp_path: Path, subject_pg: Paradigm) -> None:
    found = []
    for number, seed in enumerate((1, 1, 2)):
        with Bank.open(tmp_path / f"{number}.sqlite", create=True) as bank:
            generate(Order(subject_pg, n=8, seed=seed), bank)
            found.append(texts(stored(bank)))
    assert found[0] == found[1] != found[2]


def test_a_new_run_adds_items_that_are_not_there_yet(bank: Bank, subject_pg: Paradigm) -> None:
    order = Order(subject_pg, n=6)
    generate(order, bank)
    outcome = generate(replace(order, new_run=True), bank)
    assert outcome.ending is Ending.COMPLETE
    assert outcome.tally.duplicates == 6
    assert len(set(texts(stored(bank)))) == 12
    assert generate(order, bank).ending is Ending.ALREADY_THERE
    assert bank.items.count() == 12


@pytest.mark.full
def test_everything_of_an_exhaustive_paradigm_is_everything(bank: Bank, lan_pg: Paradigm) -> None:
    everything = Order(lan_pg, everything=True)
    assert prepare(everything, bank, workspace=None, environment={}).estimate(bank).calls == 17
    outcome = generate(everything, bank)
    assert outcome.ending is Ending.COMPLETE
    assert bank.items.count() == 8_064
    assert outcome.tally.asked == outcome.tally.returned == 8_064
    assert (worth(bank, outcome).asked, worth(bank, outcome).returned) == (8_064, 8_064)
    assert generate(Order(lan_pg, everything=True), bank).ending is Ending.ALREADY_THERE


def test_a_sampled_paradigm_has_no_end(bank: Bank, subject_pg: Paradigm) -> None:
    with pytest.raises(ConfigError, match="is sampled"):
        generate(Order(subject_pg, everything=True), bank)


@pytest.mark.parametrize("provider", HTTP)
def test_forty_eight_permutation_items_end_in_the_bank_with_their_origin(bank: Bank, subject_pg: Paradigm, provider: str) -> None:
    outcome = run(Order(subject_pg, provider=provider, n=40, timeout_s=20.0), bank)
    assert outcome.ending is Ending.COMPLETE
    items = stored(bank)
    assert len(set(texts(items))) == 40
    assert {len(item.sentences) for item in items} == {8}
    prompt = find_prompt("slots")
    assert (outcome.run.prompt_name, outcome.run.prompt_hash) == (prompt.label, prompt.hash)
    assert outcome.run.prompt_text == prompt.text
    for item in items:
        assert item.call_id is not None
        call = bank.runs.call(item.call_id)
        assert call.run_id == item.run_id == outcome.run.id
        assert item.slots is not None
        assert item.slots["noun"] in (call.reply or "")
        assert "new item sets" in call.request["prompt"]
        assert call.finish_reason in ("STOP", "stop")
        assert call.attempts == 1
        assert call.latency_ms is not None
        assert call.usage["thinking_tokens"] > 0


def test_the_bank_knows_who_answered_also_where_the_answer_was_bad(bank: Bank, order: Order) -> None:
    refuse = lambda seen: Behaviour.NO_JSON_SCHEMA if seen.number < 2 else Behaviour.UNREADABLE  # noqa: E731 - reads best in place
    with FakeServer(order.paradigm, script=refuse) as fake:
        outcome = generate(replace(order, concurrency=1, model="alias"), bank, fake)
    calls = bank.runs.calls(outcome.run.id)
    assert [call.outcome for call in calls[:2]] == ["ok", "unreadable"]
    for call in calls:
        assert call.details["model"] == "alias"
        assert call.details["structure"] == "json_object"
        assert call.details["response_id"] == "chatcmpl-fake"
        assert call.details["system_fingerprint"] == "fp_fake"


def test_the_order_of_the_answers_does_not_matter(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm, latency_s=lambda seen: 0.15 if seen.number % 2 == 0 else 0.0) as fake:
        outcome = generate(replace(order, concurrency=4), bank, fake)
    assert outcome.ending is Ending.COMPLETE
    assert bank.items.count() == 24
    numbers = [call.number for call in bank.runs.calls(outcome.run.id)]
    assert numbers == sorted(set(numbers))


def test_duplicates_are_counted_and_asked_for_again(bank: Bank, order: Order) -> None:
    outcome = run(replace(order, concurrency=1), bank, first(Behaviour.DUPLICATES, Behaviour.DUPLICATES))
    assert outcome.ending is Ending.COMPLETE
    assert outcome.tally.duplicates >= 6
    assert len(set(texts(stored(bank)))) == 24


def test_items_of_earlier_runs_and_the_example_of_the_prompt_are_duplicates(bank: Bank, order: Order) -> None:
    generate(Order(order.paradigm, n=5, seed=1), bank)
    known = [dict(item.slots or {}) for item in stored(bank)]
    example = {slot.name: slot.example for slot in order.paradigm.visible_slots}
    answer = json.dumps({"items": [*known, example]})
    with FakeServer(order.paradigm) as fake:
        fake.fixed_body = {"choices": [{"message": {"content": answer}, "finish_reason": "stop"}]}
        outcome = generate(order, bank, fake)
    assert outcome.ending is Ending.GAVE_UP
    assert outcome.tally.kept == 0
    assert outcome.tally.duplicates == outcome.tally.returned == 6 * outcome.tally.calls


def test_a_model_that_brings_nothing_new_is_not_asked_for_ever(bank: Bank, order: Order) -> None:
    outcome = run(replace(order, concurrency=1), bank, always(Behaviour.DUPLICATES))
    assert outcome.ending is Ending.GAVE_UP
    assert bank.items.count() == 6
    assert outcome.tally.calls == 1 + MAX_CALLS_WITHOUT_NEW
    assert outcome.run.finished_at is None


def test_more_items_than_asked_for_are_not_kept(bank: Bank, order: Order) -> None:
    outcome = run(order, bank, always(Behaviour.SURPLUS))
    assert bank.items.count() == 24
    assert outcome.tally.surplus == 24


def test_the_words_that_are_used_are_told_to_the_model(bank: Bank, subject_pg: Paradigm) -> None:
    generate(Order(subject_pg, n=3), bank)
    noun = (stored(bank)[0].slots or {})["noun"]
    with FakeServer(subject_pg) as fake:
        generate(Order(subject_pg, provider="openai", n=2, timeout_s=20.0), bank, fake)
        prompt = fake.requests[0].prompt
    used = prompt.split("These words have been used in sets before")[1]
    assert noun in used
    assert "preposition:" not in used


def test_the_reasons_of_exclusions_are_told_if_that_is_asked_for(bank: Bank, subject_pg: Paradigm) -> None:
    generate(Order(subject_pg, n=2), bank)
    item = stored(bank)[0]
    bank.decisions.decide([item.id], Verdict.EXCLUDE, author="me", reason="implausible", comment="nobody says so")
    order = Order(subject_pg, provider="openai", n=2, timeout_s=20.0)
    with FakeServer(subject_pg) as fake:
        generate(order, bank, fake)
        generate(replace(order, feedback=True), bank, fake)
        without, told = fake.requests[0].prompt, fake.requests[-1].prompt
    assert "implausible" not in without
    assert f'"{item.sentences[0].text}" Reason: implausible. Comment: nobody says so' in told


@pytest.mark.usefixtures("short_waits")
@pytest.mark.parametrize("provider", HTTP)
@pytest.mark.parametrize(
    "behaviour",
    [Behaviour.MINUTE_LIMIT, Behaviour.SERVER_ERROR, Behaviour.OVERLOADED, Behaviour.BREAK],
)
def test_what_passes_is_tried_again_within_the_same_call(bank: Bank, order: Order, provider: str, behaviour: Behaviour) -> None:
    notes = Notes()
    outcome = run(replace(order, provider=provider, concurrency=1), bank, first(behaviour, behaviour), notes)
    assert outcome.ending is Ending.COMPLETE
    calls = bank.runs.calls(outcome.run.id)
    assert [call.attempts for call in calls] == [3, 1, 1, 1]
    assert sum("trying again" in line for line in notes.lines) == 2
    unanswered = calls[0].usage.get("unanswered_attempts", 0)
    assert unanswered == (2 if behaviour is Behaviour.BREAK else 0)


@pytest.mark.usefixtures("short_waits")
def test_a_failure_that_does_not_pass_ends_the_run_after_its_attempts(bank: Bank, order: Order) -> None:
    outcome = run(replace(order, concurrency=1), bank, always(Behaviour.SERVER_ERROR))
    assert outcome.ending is Ending.FAILED
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.SERVER_ERROR
    (call,) = bank.runs.calls(outcome.run.id)
    assert call.attempts == outcome.failure.rule.attempts
    assert call.outcome == "server_error"
    assert call.reply is None
    assert call.cost_usd == 0.0


@pytest.mark.parametrize("provider", HTTP)
@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (Behaviour.DAILY_QUOTA, FailureKind.DAILY_QUOTA),
        (Behaviour.NO_FUNDS, FailureKind.NO_FUNDS),
        (Behaviour.BAD_KEY, FailureKind.BAD_KEY),
        (Behaviour.FORBIDDEN, FailureKind.FORBIDDEN),
        (Behaviour.UNKNOWN_MODEL, FailureKind.UNKNOWN_MODEL),
        (Behaviour.BAD_REQUEST, FailureKind.BAD_REQUEST),
        (Behaviour.SAFETY, FailureKind.SAFETY),
        (Behaviour.PROMPT_BLOCKED, FailureKind.SAFETY),
    ],
)
def test_what_does_not_pass_ends_the_run_at_once(
    bank: Bank, order: Order, provider: str, behaviour: Behaviour, kind: FailureKind
) -> None:
    order = replace(order, provider=provider, concurrency=1)
    script = lambda seen: behaviour if seen.number == 2 else Behaviour.WELL  # noqa: E731 - reads best in place
    with FakeServer(order.paradigm, script=script) as fake:
        outcome = generate(order, bank, fake)
        assert len(fake.requests) == 3
        assert outcome.ending is Ending.FAILED
        assert outcome.failure is not None
        assert outcome.failure.kind is kind
        assert outcome.run.finished_at is None
        assert bank.items.count() == 12
        again = generate(order, bank, fake)
    assert again.ending is Ending.COMPLETE
    assert again.run.id == outcome.run.id
    assert bank.items.count() == 24


@pytest.mark.parametrize("provider", HTTP)
@pytest.mark.parametrize(
    ("behaviour", "kind", "kept"),
    [
        (Behaviour.TRUNCATED, FailureKind.TRUNCATED, 4),
        (Behaviour.EMPTY, FailureKind.EMPTY, 0),
        (Behaviour.UNREADABLE, FailureKind.UNREADABLE, 0),
        (Behaviour.WRONG_SCHEMA, FailureKind.UNREADABLE, 0),
        (Behaviour.RECITATION, FailureKind.RECITATION, 0),
    ],
)
def test_a_bad_answer_is_kept_as_such_and_the_rest_is_asked_for_again(
    bank: Bank, order: Order, provider: str, behaviour: Behaviour, kind: FailureKind, kept: int
) -> None:
    outcome = run(replace(order, provider=provider, concurrency=1), bank, first(behaviour))
    assert outcome.ending is Ending.COMPLETE
    assert bank.items.count() == 24
    call, second, *_ = bank.runs.calls(outcome.run.id)
    assert call.outcome == kind.value
    assert call.usage["kept"] == kept
    assert call.usage["thinking_tokens"] > 0, "what it cost is counted all the same"
    assert call.error
    smaller = kind in (FailureKind.TRUNCATED, FailureKind.EMPTY)
    assert second.request["n"] == (3 if smaller else 6)
    assert worth(bank, outcome).failed_calls == 1


def test_prose_half_documents_and_hostile_text_do_not_lose_the_good_items(bank: Bank, order: Order) -> None:
    script = first(Behaviour.PROSE, Behaviour.HALF, Behaviour.HOSTILE)
    outcome = run(replace(order, concurrency=1), bank, script)
    assert outcome.ending is Ending.COMPLETE
    assert bank.items.count() == 24
    assert outcome.tally.unreadable == 2


def test_half_a_surrogate_pair_in_an_answer_is_stored_as_its_escape(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        fake.fixed_body = {"choices": [{"message": {"content": "no items \ud800 here"}, "finish_reason": "stop"}]}
        outcome = generate(order, bank, fake)
    assert bank.runs.calls(outcome.run.id)[0].reply == "no items \\ud800 here"


def test_the_cost_counts_thinking_and_is_unknown_without_a_price(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 1.0\noutput = 10.0\nas_of = 2026-01-01\n')
    outcome = run(replace(order, price_files=(prices,)), bank)
    calls = bank.runs.calls(outcome.run.id)
    for call in calls:
        counts = call.usage
        output = counts["output_tokens"] + counts["thinking_tokens"]
        assert call.cost_usd == pytest.approx((counts["input_tokens"] + 10 * output) / 1e6)
    assert worth(bank, outcome).cost_usd == pytest.approx(outcome.tally.cost_usd)
    unpriced = run(replace(order, new_run=True), bank)
    assert unpriced.tally.calls_of_unknown_cost == unpriced.tally.calls
    assert worth(bank, unpriced).cost_usd is None


def test_the_cost_limit_holds_back_the_call_that_might_break_it(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    capped = replace(order, price_files=(prices,), max_output_tokens=500, max_cost_usd=1.1, concurrency=4)
    with FakeServer(order.paradigm) as fake:
        outcome = generate(capped, bank, fake)
        assert outcome.ending is Ending.BUDGET
        assert 0 < outcome.tally.cost_usd <= 1.1
        assert outcome.run.finished_at is None
        assert generate(capped, bank, fake).ending is Ending.BUDGET
        raised = generate(replace(capped, max_cost_usd=100.0), bank, fake)
    assert raised.ending is Ending.COMPLETE
    assert raised.run.id == outcome.run.id
    assert bank.items.count() == 24


def test_calls_that_are_out_at_once_are_held_to_the_cost_limit_together(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    worst = 0.5
    capped = replace(order, n=60, price_files=(prices,), max_output_tokens=500, max_cost_usd=2.5 * worst, concurrency=8)

    def as_long_as_allowed(seen: SeenRequest) -> RawAnswer:
        text = fake.writer.write("exactly 6 items", Behaviour.WELL)
        answer = openai_answer(text, "x", "m", Behaviour.WELL)
        return RawAnswer(json.dumps(answer | {"usage": {"prompt_tokens": 1, "completion_tokens": 500}}).encode())

    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = as_long_as_allowed
        outcome = generate(capped, bank, fake)
    assert outcome.ending is Ending.BUDGET
    assert [call.cost_usd for call in bank.runs.calls(outcome.run.id)] == pytest.approx([worst, worst])


def test_the_cost_limit_holds_over_goes_that_break_off_again_and_again(
    bank: Bank, order: Order, tmp_path: Path, short_waits: None
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    worst = 0.5
    capped = replace(order, n=60, price_files=(prices,), max_output_tokens=500, max_cost_usd=10 * worst, concurrency=2)

    def script(seen: SeenRequest) -> Behaviour:
        return Behaviour.BREAK if seen.number % 2 == 0 else Behaviour.WELL

    with FakeServer(order.paradigm, script=script) as fake:
        for _ in range(12):
            notes = Notes()
            prepared = prepare_http(capped, bank, fake)
            generation = prepared.generation(bank, notes)

            async def one_go(generation: Generation = generation, prepared: Prepared = prepared) -> GenerationOutcome:
                # Every go is stopped as soon as an answer is here, so that the run needs many of them.
                asyncio.get_running_loop().call_later(0.05, generation.stop)
                outcome = await generation.run()
                await prepared.provider.close()
                return outcome

            outcome = asyncio.run(one_go())
            if outcome.ending is Ending.BUDGET:
                break
        broken = sum(seen.number % 2 == 0 for seen in fake.requests)
    assert outcome.ending is Ending.BUDGET
    told = sum(call.cost_usd or 0.0 for call in bank.runs.calls(outcome.run.id))
    assert broken >= 3
    assert told + broken * worst <= 10 * worst + 1e-9


def test_the_cost_limit_counts_what_another_command_spent_just_before(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    capped = replace(order, n=60, price_files=(prices,), max_output_tokens=500, max_cost_usd=1.5, concurrency=1)
    with FakeServer(order.paradigm) as fake:
        # Both were made ready before either had the lease.
        first, second = (prepare_http(capped, bank, fake) for _ in range(2))
        late = second.generation(bank)
        assert carry_out(first, bank).ending is Ending.BUDGET
        asked = len(fake.requests)

        async def go() -> GenerationOutcome:
            outcome = await late.run()
            await second.provider.close()
            return outcome

        assert asyncio.run(go()).ending is Ending.BUDGET
        assert len(fake.requests) == asked


def test_numbers_that_cannot_be_are_brought_down_to_what_can(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 1.0\noutput = 10.0\nas_of = 2026-01-01\n')
    usages: list[object] = [
        {"prompt_tokens": 10**40, "completion_tokens": 10**40},
        {"prompt_tokens": -5, "completion_tokens": -(10**9)},
        {"prompt_tokens": "many", "completion_tokens": [7]},
    ]

    def strange(seen: SeenRequest) -> RawAnswer | None:
        if seen.number >= len(usages):
            return None
        text = fake.writer.write("exactly 6 items", Behaviour.WELL)
        answer = openai_answer(text, "x", "m", Behaviour.WELL) | {"usage": usages[seen.number]}
        return RawAnswer(json.dumps(answer).encode())

    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = strange
        outcome = generate(
            replace(order, price_files=(prices,), max_output_tokens=500, max_cost_usd=5.0, concurrency=1), bank, fake
        )
    assert outcome.ending is Ending.COMPLETE
    first, second, third, fourth = bank.runs.calls(outcome.run.id)
    assert first.cost_usd is not None
    assert 0 < first.cost_usd < 0.1
    assert first.usage["output_tokens"] == 1000
    assert first.details["usage_told"]["input_tokens"] == "1" + "0" * 39
    assert second.cost_usd is None
    assert third.cost_usd is None
    assert fourth.cost_usd is not None


@pytest.mark.parametrize("provider", HTTP)
def test_the_cause_that_is_told_is_the_one_that_stopped_the_run(bank: Bank, order: Order, provider: str) -> None:
    def script(seen: SeenRequest) -> Behaviour:
        return Behaviour.BAD_KEY if seen.number == 0 else Behaviour.TRUNCATED

    with FakeServer(order.paradigm, script=script, latency_s=lambda seen: 0.1 * min(seen.number, 1)) as fake:
        outcome = generate(replace(order, provider=provider), bank, fake)
    assert outcome.ending is Ending.FAILED
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.BAD_KEY


def test_a_cost_limit_that_cannot_be_kept_is_refused(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        with pytest.raises(ConfigError, match="price of fake-model is not known"):
            generate(replace(order, max_cost_usd=1.0), bank, fake)
        assert not fake.requests


def test_a_dry_run_asks_nobody_and_shows_what_would_be_asked(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        prepared = prepare_http(order, bank, fake)
        estimate = prepared.estimate(bank)
        assert not fake.requests
    assert estimate.calls == 4
    assert estimate.input_tokens > 4 * 300
    assert estimate.output_tokens > 0
    assert estimate.cost_usd is None
    assert "exactly 6 new item sets" in estimate.prompt
    assert bank.runs.all() == []


def test_stopping_waits_for_the_answers_that_are_on_their_way(bank: Bank, order: Order) -> None:
    awaited: list[int] = []
    # A call more than what is answered or waited for then.
    longer = replace(order, n=30)
    before = signal.getsignal(signal.SIGINT)

    def press(tally: object) -> None:
        if not awaited:
            signal.raise_signal(signal.SIGINT)

    def latency(seen: SeenRequest) -> float:
        # The first answer comes when three are waited for, however slowly they were sent.
        while len(fake.requests) < 3:
            time.sleep(0.01)
        return 0.6 if seen.number else 0.0

    with FakeServer(order.paradigm, latency_s=latency) as fake:
        prepared = prepare_http(replace(longer, concurrency=3), bank, fake)
        outcome = carry_out(prepared, bank, Notes(press), on_interrupt=awaited.append)
        assert outcome.ending is Ending.INTERRUPTED
        assert awaited == [3]
        assert bank.items.count() == 6 * len(fake.requests)
        assert outcome.unanswered == ()
        assert signal.getsignal(signal.SIGINT) is before
        assert generate(longer, bank, fake).ending is Ending.COMPLETE
        assert bank.items.count() == 30


def test_the_second_interrupt_ends_it_at_once(bank: Bank, order: Order) -> None:
    def press_again(_: int) -> None:
        signal.raise_signal(signal.SIGINT)

    pressed: list[object] = []

    def press(tally: object) -> None:
        if not pressed:
            pressed.append(tally)
            signal.raise_signal(signal.SIGINT)

    hang = lambda seen: Behaviour.WELL if seen.number == 0 else Behaviour.HANG  # noqa: E731 - reads best in place
    with FakeServer(order.paradigm, script=hang) as fake:
        prepared = prepare_http(replace(order, concurrency=2, timeout_s=60.0), bank, fake)
        with pytest.raises(KeyboardInterrupt):
            carry_out(prepared, bank, Notes(press), on_interrupt=press_again)
    (record,) = bank.runs.all()
    assert bank.items.count() == 6
    assert run_yield(bank, record).unanswered


def test_no_key_gets_into_the_bank_whatever_the_server_says(tmp_path: Path, order: Order) -> None:
    path = tmp_path / "keys.sqlite"
    notes = Notes()
    with Bank.open(path, create=True) as bank, FakeServer(order.paradigm) as fake:
        fake.fixed_error = (400, {"error": {"message": f"you sent {KEY}, Bearer {KEY}"}})
        outcome = generate(order, bank, fake, notes)
        assert outcome.failure is not None
        assert KEY not in f"{outcome.failure}{notes.lines}{outcome}"
        fake.fixed_error = None
        fake.fixed_body = {"choices": [{"message": {"content": f"your key is {KEY}"}, "finish_reason": "stop"}]}
        assert generate(order, bank, fake, notes).ending is Ending.GAVE_UP
        assert any("[key removed]" in (call.reply or "") for call in bank.runs.calls(outcome.run.id))
        fake.fixed_body = {
            "model": f"m-{KEY}",
            "id": f"\x1b[31m{KEY}",
            "system_fingerprint": "f" * 5_000,
            "choices": [{"message": {"content": "no items"}, "finish_reason": "stop"}],
        }
        generate(order, bank, fake, notes)
        details = bank.runs.calls(outcome.run.id)[-1].details
        assert details["model"] == "m-[key removed]"
        assert details["response_id"] == "\\x1b[31m[key removed]"
        assert len(details["system_fingerprint"]) < 1_000
    for file in tmp_path.glob("keys.sqlite*"):
        assert KEY.encode() not in file.read_bytes()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"provider": "nobody"}, "no provider"),
        ({"mode": Mode.SENTENCES, "prompt": "slots"}, "does not go with"),
        ({"mode": Mode.SENTENCES, "design": "nothing"}, "no design"),
        ({"design": "lan2x2"}, "--design chooses"),
        ({"thinking": "256"}, "no number of tokens"),
        ({"provider": "gemini", "thinking": "hard"}, "not known to gemini"),
        ({"provider": "gemini", "thinking": "9" * 5_000}, "--thinking: 9+… .* is not a whole number from -1"),
        ({"provider": "gemini", "thinking": "²"}, "--thinking: ² is not a whole number"),
        ({"provider": "lexicon", "model": None, "mode": Mode.SENTENCES}, "gives no sentences"),
        ({"everything": True, "n": None}, "--all means"),
    ],
)
def test_contradictions_are_refused_before_anything_is_done(
    bank: Bank, order: Order, changes: dict[str, object], complaint: str
) -> None:
    changed = replace(order, **{"model": "m", **changes})  # type: ignore[arg-type]  # the table is of many types
    with pytest.raises(ConfigError, match=complaint):
        prepare(changed, bank, workspace=None, environment=ENVIRONMENT)
    assert bank.runs.all() == []


def test_the_identity_follows_what_is_asked_and_not_how_fast(bank: Bank, order: Order) -> None:
    def identity(**changes: object) -> str:
        changed = replace(order, model="m", **changes)  # type: ignore[arg-type]  # fields of many types
        return prepare(changed, bank, workspace=None, environment=ENVIRONMENT).plan.identity

    same = {identity(), identity(concurrency=9), identity(rpm=5), identity(n_per_call=2), identity(timeout_s=1.0)}
    assert len(same) == 1
    others = [identity(n=25), identity(temperature=0.1), identity(seed=4), identity(prompt="sentences")]
    others += [identity(base_url="http://127.0.0.1:1/v1"), identity(feedback=True), identity(dataset="two")]
    assert len({*same, *others}) == 1 + len(others)


def test_items_go_into_the_data_set_that_is_named(bank: Bank, subject_pg: Paradigm) -> None:
    generate(Order(subject_pg, n=3, dataset="pilot"), bank)
    assert bank.items.count(ItemFilter(dataset="pilot")) == 3


def test_every_kind_of_failure_has_a_rule_a_message_and_a_hint() -> None:
    for kind in FailureKind:
        failure = ProviderError(kind)
        assert failure.message
        assert failure.hint
