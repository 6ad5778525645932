"""Repair: items with errors go back to the model with what the linter says, and then to people."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.app.advising import Adviser
from gapsmith.app.generation import carry_out_repair
from gapsmith.bank import Bank, ItemStatus, Severity, Verdict
from gapsmith.prompts import Ending, Fault, Order, Repaired, find_prompt, run_yield
from gapsmith.prompts.advice import Advice
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.fake.fake_wire import gemini_answer, openai_answer
from gapsmith.prompts.repair import repair_prompt, to_mend
from gapsmith.templates import Paradigm, load_paradigm
from gapsmith.templates.errors import GapsmithError
from gapsmith.vetting.rules import RuleSelection
from gapsmith.vetting.rules.knowledge import shipped_rows
from gapsmith.vetting.rules.word_rows import RuleRow
from tests.conftest import CommandOutcome
from tests.printed import result
from tests.prompts.generating import SmallDisk, as_json, generate, prepare_http, stored
from tests.vetting.foreign_frames import question, texts_in_slots
from tests.vetting.planted import planted
from tools.fuzz_replies import odd_answer

HTTP = ["gemini", "openai"]


@pytest.fixture(scope="module")
def advice() -> Advice:
    return Adviser(load_paradigm("subject_pg")).advice()


@pytest.fixture
def order(subject_pg: Paradigm, advice: Advice) -> Order:
    return Order(subject_pg, provider="openai", n=4, n_per_call=4, timeout_s=20.0, advice=advice)


def words(paradigm: Paradigm, verb: str, name2: str) -> dict[str, str]:
    return {**{slot.name: slot.example for slot in paradigm.visible_slots}, "verb": verb, "name2": name2}


class Model:
    """Answers the first call with two sound items and two that the linter finds an error in, and later ones as told."""

    def __init__(self, paradigm: Paradigm, *answers: Sequence[Mapping[str, str]]) -> None:
        sound = [words(paradigm, "enrage", "Anna"), words(paradigm, "humiliate", "Ben")]
        faulty = [words(paradigm, "sleep", "Leo"), words(paradigm, "win", "Tom")]
        self.answers: list[Sequence[Mapping[str, str]]] = [[sound[0], faulty[0], faulty[1], sound[1]], *answers]

    def __call__(self, seen: SeenRequest) -> RawAnswer:
        items = self.answers[min(seen.number, len(self.answers) - 1)]
        form = openai_answer if "messages" in seen.body else gemini_answer
        return RawAnswer(json.dumps(form(as_json(list(items)), seen.prompt, "m", Behaviour.WELL)).encode())


def repair(order: Order, bank: Bank, fake: FakeServer, *, rounds: int = 1) -> Repaired:
    prepared = prepare_http(order, bank, fake)
    run = bank.runs.find(prepared.plan.identity)
    assert run is not None
    return carry_out_repair(prepared, bank, run, Adviser(order.paradigm).check, rounds=rounds)


def verbs(bank: Bank) -> list[str]:
    return [(item.slots or {})["verb"] for item in stored(bank)]


@pytest.mark.parametrize("provider", HTTP)
def test_items_with_errors_go_back_with_code_words_and_remedy_and_keep_both_versions(
    bank: Bank, order: Order, provider: str
) -> None:
    order = replace(order, provider=provider)
    mended = [words(order.paradigm, "alienate", "Leo"), words(order.paradigm, "discredit", "Tom")]
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = Model(order.paradigm, mended)
        outcome = generate(order, bank, fake)
        assert outcome.ending is Ending.COMPLETE
        assert verbs(bank) == ["enrage", "sleep", "win", "humiliate"]
        done = repair(order, bank, fake)
        assert (done.faulty, done.sent_back, done.mended, done.left, done.calls) == (2, 2, 2, 0, 1)
        prompt = fake.requests[-1].prompt
        for told in ("L203", "L201", 'verb "sleep"', 'verb "win"', "Use a transitive verb", "exactly 2 item sets"):
            assert told in prompt
        assert 'verb "enrage"' not in prompt.split("have faults")[1], "what is sound does not go back"
        assert verbs(bank) == ["enrage", "alienate", "discredit", "humiliate"]
        again = repair(order, bank, fake)
        assert (again.faulty, again.calls) == (0, 0)
        assert len(fake.requests) == 2
    items = stored(bank)
    assert {item.status for item in items} == {ItemStatus.PENDING}, "nothing is approved by itself"
    first, second = bank.items.history(items[1].id)
    assert (first.slots or {})["verb"] == "sleep"
    assert (second.author, second.note) == (f"{provider} fake-model", f"repair of L203: run {outcome.run.id}, call 1")
    assert [bank.runs.call(revision.call_id or 0).number for revision in (first, second)] == [0, 1]
    worth = run_yield(bank, outcome.run)
    assert (worth.asked, worth.items, worth.sent_back, worth.mended) == (4, 4, 2, 2)
    assert (worth.sound_before, worth.sound_after) == (2, 4)


def test_what_could_not_be_mended_in_its_tries_waits_for_a_person(bank: Bank, order: Order) -> None:
    still_bad = [words(order.paradigm, "eat", "Leo"), words(order.paradigm, "sing", "Tom")]
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = Model(order.paradigm, still_bad)
        generate(order, bank, fake)
        done = repair(order, bank, fake, rounds=2)
        assert (done.faulty, done.mended, done.left, done.calls) == (2, 0, 2, 2)
        assert repair(order, bank, fake, rounds=2).calls == 0
        assert repair(order, bank, fake, rounds=9).calls == 0
    assert verbs(bank) == ["enrage", "sleep", "win", "humiliate"]


@pytest.mark.parametrize(
    "answer",
    [[], [{}], "one", "three", "known", "prose"],
    ids=lambda a: a if isinstance(a, str) else f"{len(a)} items",
)
def test_an_answer_that_does_not_fit_changes_nothing(bank: Bank, order: Order, answer: object) -> None:
    paradigm = order.paradigm
    good = [words(paradigm, verb, name) for verb, name in (("alienate", "Leo"), ("discredit", "Tom"), ("devastate", "Ana"))]
    known = [words(paradigm, "enrage", "Anna"), words(paradigm, "humiliate", "Ben")]
    answers = {"one": good[:1], "three": good, "known": known, "prose": []}
    given = answers[answer] if isinstance(answer, str) else answer
    with FakeServer(paradigm) as fake:
        fake.raw_answer = Model(paradigm, given)  # type: ignore[arg-type]  # also what is no item
        generate(order, bank, fake)
        done = repair(order, bank, fake)
    assert done.mended == 0
    assert done.left == 2
    assert verbs(bank) == ["enrage", "sleep", "win", "humiliate"]
    assert bank.items.count() == 4


HOSTILE = (
    "{{7*7}}",
    "${HOME}",
    "../../x",
    "a\x00b",
    "\u202eevil",
    "\ud800",
    "x" * 100_000,
    "=cmd|'/c calc'!A1",
    "<script>x</script>",
    "\n# L203: none",
)


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 300), marks=pytest.mark.full)])
def test_a_hostile_answer_to_a_repair_changes_no_item_but_the_faulty_ones(bank: Bank, order: Order, seeds: range) -> None:
    """Odd bodies and odd words: what comes of one is a version of a faulty item or a failed call, and the bank is whole."""
    order = replace(order, max_output_tokens=200)
    model = Model(order.paradigm)
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = model
        generate(order, bank, fake)
        sound = [own.id for own in stored(bank)][::3]
        before = {own: bank.items.get(own).sentences for own in sound}
        for seed in seeds:
            chance = random.Random(seed)
            told = [words(order.paradigm, chance.choice(HOSTILE), chance.choice(HOSTILE)) for _ in range(chance.randint(1, 3))]

            def answer(seen: SeenRequest, chance: random.Random = chance, told: list[dict[str, str]] = told) -> RawAnswer:
                reply = openai_answer(as_json(told), seen.prompt, "m", Behaviour.WELL)
                good = json.dumps(reply).encode()
                return (
                    RawAnswer(good) if chance.random() < 0.5 else replace(odd_answer(chance, good), headers={"Retry-After": "0"})
                )

            fake.raw_answer = answer
            with suppress(GapsmithError):
                repair(order, bank, fake, rounds=seed + 1)
    assert bank.faults() == []
    assert bank.items.count() == 4
    assert {own: bank.items.get(own).sentences for own in sound} == before
    assert {own.status for own in stored(bank)} == {ItemStatus.PENDING}


def test_what_a_person_has_decided_or_edited_is_left_alone(bank: Bank, order: Order) -> None:
    mended = [words(order.paradigm, "alienate", "Leo")]
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = Model(order.paradigm, mended)
        generate(order, bank, fake)
        bank.decisions.decide([bank.items.ids()[1]], Verdict.APPROVE, author="ann")
        item = stored(bank)[2]
        bank.items.revise(item.id, slots=item.slots, sentences=item.sentences, author="ann")
        done = repair(order, bank, fake)
        assert (done.faulty, done.calls, done.left) == (2, 0, 2)
        assert len(fake.requests) == 1


def test_a_repair_keeps_to_the_cost_limit_of_the_run(bank: Bank, order: Order, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    capped = replace(order, price_files=(prices,), max_output_tokens=600, max_cost_usd=0.8)
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = Model(order.paradigm, [])
        assert generate(capped, bank, fake).ending is Ending.COMPLETE
        done = repair(capped, bank, fake)
        assert "--max-cost" in done.stopped
        assert len(fake.requests) == 1
        assert repair(replace(capped, max_cost_usd=9.0), bank, fake).calls == 1
    (first, second) = bank.runs.calls(1)
    assert first.cost_usd
    assert second.cost_usd


def test_a_repair_that_the_provider_refuses_says_why(bank: Bank, order: Order) -> None:
    model = Model(order.paradigm)
    with FakeServer(order.paradigm, script=lambda _: Behaviour.BAD_KEY) as fake:
        fake.raw_answer = lambda seen: model(seen) if seen.number == 0 else None
        generate(order, bank, fake)
        done = repair(order, bank, fake, rounds=2)
        assert "does not accept the key" in done.stopped
        assert len(fake.requests) == 2
    assert verbs(bank) == ["enrage", "sleep", "win", "humiliate"]


def test_an_answer_to_a_repair_that_the_disk_does_not_take_is_not_lost(
    bank: Bank, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SmallDisk(bank, monkeypatch)
    with FakeServer(order.paradigm) as fake:
        model = Model(order.paradigm, [words(order.paradigm, "alienate", "Leo")] * 2)

        def answer(seen: SeenRequest) -> RawAnswer:
            if seen.number == 1:
                disk.fill()
            raw = model(seen)
            return raw if seen.number == 0 else replace(raw, body=raw.body + b" " * 200 + random.Random(1).randbytes(2_000_000))

        fake.raw_answer = answer
        generate(order, bank, fake)
        with pytest.raises(GapsmithError, match="answer that came waits in"):
            repair(order, bank, fake)
        with Bank.open(bank.path) as roomy:
            assert generate(order, roomy, fake).ending is Ending.ALREADY_THERE
            assert len(fake.requests) == 2
            assert [call.outcome for call in roomy.runs.calls(1)] == ["ok", "garbled"]
            assert roomy.items.count() == 4


@pytest.mark.parametrize("row", shipped_rows(), ids=lambda row: f"{row.code}-{'|'.join(row.roles)}-{row.severity.value}")
def test_the_flaw_of_every_row_goes_back_by_its_severity(row: RuleRow) -> None:
    """In a paradigm of somebody's own with slots that no rule knows by name: an error sends the item back with its code, a warning goes
    along with an error, a remark stays; and a row that the settings make an error of goes back."""
    prompt, error = find_prompt("repair"), Fault("X", "something else", "mend it", Severity.ERROR)
    for items in planted(row).values():
        for paradigm, given in (item.in_slots() for item in items):
            if own := Adviser(paradigm, rules=RuleSelection((row.code,))).check(given):
                break
        told, worst = f"{row.code}: {own[0].message}", own[0].severity
        assert [fault.code for fault in to_mend(own)][:1] == ([row.code] if worst is Severity.ERROR else [])
        assert (told in repair_prompt(prompt, paradigm, [(given, to_mend([error, *own]))])) is (worst is not Severity.INFO)
        ranked = RuleSelection((row.code,)).with_settings({row.code: "error"})
        sent = repair_prompt(prompt, paradigm, [(given, to_mend(Adviser(paradigm, rules=ranked).check(given)))])
        assert told in sent
        assert all(f'"{word}"' in sent for word in given.values())


def test_an_item_of_somebodys_own_paradigm_goes_back(bank: Bank) -> None:
    """Over the wire, with slots that declare no role: what is wrong is read off the sentences."""
    paradigm, given = texts_in_slots(question(verb="slept"))
    _, mended = texts_in_slots(question(verb="humiliated"))
    order = Order(paradigm, provider="openai", n=1, n_per_call=1, timeout_s=20.0)
    with FakeServer(paradigm) as fake:
        answers = [[given], [mended]]
        fake.raw_answer = lambda seen: RawAnswer(
            json.dumps(openai_answer(as_json(answers[seen.number]), seen.prompt, "m", Behaviour.WELL)).encode()
        )
        assert generate(order, bank, fake).ending is Ending.COMPLETE
        done = repair(order, bank, fake)
        assert "L203: “slept” takes no object" in fake.requests[-1].prompt
    assert (done.faulty, done.mended) == (1, 1)


def test_generate_repairs_when_asked_and_says_what_came_of_it(
    gapsmith: Callable[..., CommandOutcome], subject_pg: Paradigm
) -> None:
    mended = [words(subject_pg, "alienate", "Leo"), words(subject_pg, "sing", "Tom")]
    with FakeServer(subject_pg) as fake:
        fake.raw_answer = Model(subject_pg, mended)
        command = ["generate", "subject_pg", "-n", 4, "--provider", "openai", "--model", "m"]
        command += ["--base-url", fake.openai_url, "--repair", 1]
        done = gapsmith(*command)
        assert done.code == 0, done.err
        assert "Repair: 2 items had an error; 1 have none now (1 call). 1 wait for a person." in done.err
        assert "Rules on words looked at 4 items: matrix frames in 4" in " ".join(done.err.split())
        data = result(gapsmith(*command, "--json").out)
        assert data["ending"] == "already there"
        assert (data["repair"]["faulty"], data["repair"]["calls"]) == (1, 0)
        shown = gapsmith("runs", "show", 1).out
        assert "repair: 2 sent back to the model with their errors, 1 came back without" in shown
        assert "without an error: 2 of 4 before repair, 3 of 4 after" in shown
        assert gapsmith("lint").code in (0, 1)
        assert "without an error: 2 of 4 before repair, 3 of 4 after" in gapsmith("runs", "show", 1).out, "also linted"
        assert len(fake.requests) == 2
    refused = gapsmith("generate", "subject_pg", "-n", 4, "--repair", 1)
    assert refused.code == 2
    assert "--repair" in refused.err
