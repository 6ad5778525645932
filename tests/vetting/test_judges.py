"""Judge models against the stand-in server: what they are asked, what is kept, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gapsmith.app.cli.app import app
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.prompts.fake import FakeServer
from gapsmith.prompts.fake.answers import FakeWriter
from gapsmith.prompts.fake.behaviour import Behaviour
from gapsmith.templates import ConfigError, load_paradigm, realise
from gapsmith.vetting.judges import (
    JudgeEnding,
    JudgeOrder,
    JudgeReport,
    QuestionKind,
    ask_judge,
    judge_findings,
    parse_judge,
    questions_of,
)
from gapsmith.vetting.rules import RuleSelection, page
from tests.printed import results
from tests.vetting.linting import SLOTS

PG = load_paradigm("subject_pg")
KEY = "sk-test-test-test-test-test-test-test"
_QUESTION = re.compile(r"^(\d+)\. (.*)\n(?:   (?:A: )?(.*)\n)?(?:   B: (.*)\n)?", re.MULTILINE)

Opinion = Callable[[str, str, str], str]
"""(question, first sentence, second sentence) to the answer."""


def _sensible(question: str, first: str, second: str) -> str:
    """Likes what the design likes: a gap for a filler, and no gap without one."""
    if second:
        return "A" if _is_good(first) else "B"
    if first:
        return "7" if _is_good(first) else "1"
    return "6"


def _is_good(sentence: str) -> bool:
    filler, _, rest = sentence.partition(" story about ")
    gap2 = " enrage soon" in rest
    return gap2 if " who " in filler else (not gap2 and not rest.startswith("is "))


class _Judge(FakeWriter):
    """Answers questions instead of writing items."""

    def __init__(self, opinion: Opinion) -> None:
        super().__init__(PG)
        self.opinion = opinion

    def write(self, prompt: str, behaviour: Behaviour) -> str:
        """Every question of the prompt, with words around the JSON."""
        if behaviour is not Behaviour.WELL:
            return super().write("exactly 1", behaviour)
        said = [
            {"question": int(number), "answer": self.opinion(question, first or "", second or "")}
            for number, question, first, second in _QUESTION.findall(prompt)
        ]
        return f"Here you are:\n```json\n{json.dumps({'answers': said})}\n```"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """Three sound items."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        paradigm_id = opened.paradigms.register(PG)
        run = opened.runs.begin(
            kind="import",
            paradigm_id=paradigm_id,
            provider="file",
            model=None,
            identity="x",
            parameters={},
            prompt_name=None,
            prompt_hash=None,
            prompt_text=None,
        )
        slots = [{**SLOTS, "name1": name} for name in ("Maria", "Nina", "Elena")]
        opened.items.add(paradigm_id, [NewItem(s, realise(PG, s)) for s in slots], run_id=run.id)
        yield opened


def _ask(bank: Bank, fake: FakeServer, by: QuestionKind = QuestionKind.CHOICE, seed: int = 1, **order: object) -> JudgeReport:
    questions = questions_of(bank.items.iterate(ItemFilter()), PG, sentences=by, seed=seed)
    # The types that meet here are known to go together.
    asked = JudgeOrder(base_url=fake.openai_url, seed=seed, **order)  # type: ignore[arg-type]
    spec = parse_judge("openai:fake-model")
    return asyncio.run(ask_judge(spec, questions, PG, bank, asked, environment={"OPENAI_API_KEY": KEY}))


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    """A judge that likes what the design likes."""
    server = FakeServer(PG)
    server.writer = _Judge(_sensible)
    with server:
        yield server


def test_a_judge_is_blind(bank: Bank, fake: FakeServer) -> None:
    """No label, status, code or condition goes out; the better sentence is first about as often as second."""
    _ask(bank, fake)
    prompts = "\n".join(request.prompt for request in fake.requests)
    assert not re.search(r"[+-][FG]|pf_|mf_|PFPG|\*|expected|L\d{3}|gap", prompts)
    questions = questions_of(bank.items.iterate(ItemFilter()), PG)
    first = [q.conditions[0] == q.expected for q in questions if q.kind is QuestionKind.CHOICE]
    assert len(first) == 21
    assert 4 < sum(first) < 17
    again = questions_of(bank.items.iterate(ItemFilter()), PG)
    other = questions_of(bank.items.iterate(ItemFilter()), PG, seed=2)
    assert [q.key for q in again] == [q.key for q in questions]
    assert [q.key for q in other] != [q.key for q in questions]


def test_nothing_is_asked_twice(bank: Bank, fake: FakeServer) -> None:
    """The raw replies are in the bank; the same command asks nothing more; a new item only what is new."""
    first = _ask(bank, fake)
    assert first.ending is JudgeEnding.COMPLETE
    assert not first.unanswered
    assert first.calls == len(fake.requests) == 3
    kept = [call.reply for call in bank.runs.calls(first.run_id)]
    assert all(reply is not None and reply.startswith("Here you are:") for reply in kept)
    second = _ask(bank, fake)
    assert (second.run_id, second.calls, len(fake.requests)) == (first.run_id, 0, 3)
    assert second.answers == first.answers


def test_a_judge_of_the_same_mind_objects_to_nothing(bank: Bank, fake: FakeServer) -> None:
    """Nor does one that rates as the design does."""
    for by in (QuestionKind.CHOICE, QuestionKind.RATING):
        assert judge_findings(_ask(bank, fake, by), PG, RuleSelection()) == {}


def test_objections_become_findings(bank: Bank, fake: FakeServer) -> None:
    """A judge of the opposite mind who finds co-indexed readings odd: one finding for each, with its page."""
    assert isinstance(fake.writer, _Judge)
    fake.writer.opinion = lambda question, first, second: (
        ("B" if _sensible(question, first, second) == "A" else "A") if second else "2"
    )
    found = judge_findings(_ask(bank, fake), PG, RuleSelection())
    codes = [finding.code for finding in found[1]]
    assert (codes.count("J100"), codes.count("J200"), codes.count("J210")) == (7, 1, 1)
    message = next(finding.message for finding in found[1] if finding.code == "J210")
    assert "could the story about Maria enrage Maria?" in message
    assert page("J210").remedy
    quiet = judge_findings(_ask(bank, fake), PG, RuleSelection().with_settings({"J": "off"}))
    assert quiet == {}


@pytest.mark.parametrize("behaviour", [Behaviour.UNREADABLE, Behaviour.WRONG_SCHEMA, Behaviour.EMPTY])
def test_answers_that_answer_nothing(bank: Bank, fake: FakeServer, behaviour: Behaviour) -> None:
    """They are kept as they came, asked once more, and told; nothing is made up."""
    fake._script = lambda _: behaviour
    report = _ask(bank, fake)
    assert report.answers == {}
    assert len(report.unanswered) == 27
    assert report.calls == 6
    assert {call.outcome for call in bank.runs.calls(report.run_id)} <= {"unreadable", "empty"}
    fake._script = lambda _: Behaviour.WELL
    assert not _ask(bank, fake).unanswered


def test_a_bad_key_ends_it(bank: Bank, fake: FakeServer) -> None:
    """At once, with the provider's hint, and the key stands nowhere."""
    fake._script = lambda _: Behaviour.BAD_KEY
    report = _ask(bank, fake, concurrency=1)
    assert (report.ending, report.calls) == (JudgeEnding.FAILED, 1)
    assert report.failure is not None
    assert "OPENAI_API_KEY" in report.failure.hint
    assert KEY not in Path(bank.path).read_bytes().decode("latin-1")


def test_a_cap_on_the_cost(bank: Bank, fake: FakeServer, tmp_path: Path) -> None:
    """No call that might go beyond it; the next command with more goes on. Without a price there is no cap."""
    with pytest.raises(ConfigError, match="price"):
        _ask(bank, fake, max_cost_usd=1.0)
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 1.0\noutput = 1000.0\nas_of = 2026-01-01\n',
        encoding="utf-8",
    )
    capped = _ask(bank, fake, max_cost_usd=4.2, price_files=(prices,), concurrency=1)
    assert capped.ending is JudgeEnding.BUDGET
    assert 0 < len(capped.answers) < 27
    assert capped.cost_usd is not None
    assert capped.cost_usd <= 4.2
    more = _ask(bank, fake, price_files=(prices,))
    assert more.run_id == capped.run_id
    assert not more.unanswered


def test_a_call_without_an_answer_is_not_made_again(bank: Bank, fake: FakeServer) -> None:
    """It may have been paid: a kill between intent and reply leaves its questions open, and says so."""
    report = _ask(bank, fake)
    keys = [q.key for q in questions_of(bank.items.iterate(ItemFilter()), PG, seed=1)][:10]
    other = _run_of(bank, fake, seed=9)
    bank.runs.intend(other, 99, {"keys": keys, "n": 10, "offset": 0, "characters": 100, "prompt": "…"})
    again = _ask(bank, fake, seed=9)
    assert again.maybe_paid == 1
    assert report.maybe_paid == 0


def _run_of(bank: Bank, fake: FakeServer, seed: int) -> int:
    fake._script = lambda _: Behaviour.EMPTY
    run_id = _ask(bank, fake, seed=seed).run_id
    fake._script = lambda _: Behaviour.WELL
    return run_id


def _program(workspace: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--workspace", str(workspace)], env={"OPENAI_API_KEY": KEY})


def test_the_command(tmp_path: Path, fake: FakeServer) -> None:
    """Findings beside the others, never kept, never failing the lint; and a table of agreement."""
    assert isinstance(fake.writer, _Judge)
    fake.writer.opinion = lambda question, first, second: "3" if not first else _sensible(question, first, second)
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    rows = [f"subject_pg,1,{s.condition},{s.text}" for s in realise(PG, SLOTS)]
    (tmp_path / "items.csv").write_text("\n".join(["sentence_type,item_id,condition,full_sentence", *rows, ""]), encoding="utf-8")
    assert _program(root, "import", str(tmp_path / "items.csv"), "--paradigm", "subject_pg").exit_code == 0
    flags = ("--judge", "openai:fake-model", "--base-url", fake.openai_url)
    result = _program(root, "lint", *flags, "--fail-on", "warning")
    assert result.exit_code == 0, result.output
    assert "J210" in result.stdout
    assert re.search(r"pairs of sentences +openai:fake-model and the design +7/7 +1\.00", result.stdout)
    assert re.search(r"items +openai:fake-model and the rules +0/1 +0\.00", result.stdout)
    again = _program(root, "lint", "--json")
    assert not [entry for entry in results(again.stdout) if entry["code"].startswith("J")]


def test_what_is_ignored_is_not_asked(tmp_path: Path, fake: FakeServer) -> None:
    """A call that can lead to no finding is not paid for."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    assert _program(root, "generate", "subject_pg", "-n", "2").exit_code == 0
    flags = ("--judge", "openai:fake-model", "--base-url", fake.openai_url)
    refused = _program(root, "lint", *flags, "--ignore", "J")
    assert isinstance(refused.exception, ConfigError)
    assert not fake.requests
    assert _program(root, "lint", *flags, "--ignore", "J1,J210").exit_code == 0
    assert fake.requests
    asked = [entry for request in fake.requests for entry in _QUESTION.findall(request.prompt)]
    assert len(asked) == 2
    assert not any(first for _, _, first, _ in asked)


@pytest.mark.parametrize("text", ["openai", "openai:", "lexicon:x", "nobody:model"])
def test_what_is_no_judge(text: str) -> None:
    """Said with what there is."""
    with pytest.raises(ConfigError, match="--judge"):
        parse_judge(text)
