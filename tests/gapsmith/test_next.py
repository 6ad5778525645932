"""`gapsmith next`: in each state of a workspace, what it needs now, with a command that brings it on."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.bank import Bank, account_name
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import GapsmithError, count, load_paradigm
from tests.conftest import CommandOutcome
from tests.printed import results

Run = Callable[..., CommandOutcome]


def steps(gapsmith: Run, *arguments: object) -> list[dict[str, str]]:
    """What it says, as data; Python says the same."""
    done = gapsmith("next", "--json", *arguments)
    assert done.code == 0, done.err
    found: list[dict[str, str]] = results(done.out)
    if not arguments:
        with api.open_workspace() as ws:
            own = api.next_step(ws)
        assert [(step.kind, step.why, step.command) for step in own] == [tuple(step.values()) for step in found]
        assert own.command == found[0]["command"]
        assert own.to_frame().to_dict("records") == found
    return found


def kinds(gapsmith: Run, *arguments: object) -> list[str]:
    return [step["kind"] for step in steps(gapsmith, *arguments)]


def follow(gapsmith: Run, kind: str, *more: object) -> CommandOutcome:
    """Type the first command of that kind."""
    (command, *_) = (step["command"] for step in steps(gapsmith) if step["kind"] == kind)
    return gapsmith(*shlex.split(command)[1:], *more)


def test_from_nothing_to_a_report_by_what_is_said_next(gapsmith: Run, tmp_path: Path) -> None:
    refused = gapsmith("next")
    assert (refused.code, "gapsmith init" in refused.err) == (2, True)
    gapsmith("init")
    assert kinds(gapsmith) == ["make", "bring in"]
    assert follow(gapsmith, "make", "--dry-run").code == 0
    gapsmith("generate", "embedded_wh", "-n", 4)
    assert kinds(gapsmith) == ["lint", "decide"]
    assert gapsmith("next").out.startswith("4 items are not linted.\n  gapsmith lint\n")
    follow(gapsmith, "lint")
    assert kinds(gapsmith) == ["decide"]
    assert steps(gapsmith)[0]["command"] == "gapsmith review"
    gapsmith("decide", "approve", *range(1, 5), "--by", "lea")
    assert kinds(gapsmith) == ["score"]
    assert follow(gapsmith, "score", "-m", "bundled").code == 0
    assert kinds(gapsmith) == ["report"]
    # An item more: scored by the model that has scored the others.
    gapsmith("generate", "embedded_wh", "-n", 1, "--seed", 7)
    gapsmith("lint")
    gapsmith("decide", "approve", 5, "--by", "lea")
    assert [step["command"] for step in steps(gapsmith)] == ["gapsmith score -m bundled"]
    assert follow(gapsmith, "score").code == 0
    assert kinds(gapsmith) == ["report"]
    # The settings' model is the one whose scores count.
    (tmp_path / "gapsmith.toml").write_text('model = "gpt2"\n', encoding="utf-8")
    assert [(step["why"], step["command"]) for step in steps(gapsmith)] == [
        ("5 items are approved and not scored.", "gapsmith score")
    ]
    (tmp_path / "gapsmith.toml").write_text('model = "bundled"\n', encoding="utf-8")
    assert kinds(gapsmith) == ["report"]


@pytest.mark.full
def test_a_report_and_a_folder_of_what_is_there_are_not_proposed_again(gapsmith: Run) -> None:
    gapsmith("generate", "lan_pg", "-n", 2, "-w", ".")
    gapsmith("lint")
    gapsmith("decide", "approve", 1, 2, "--by", account_name())
    gapsmith("score", "-m", "bundled")
    assert kinds(gapsmith) == ["report"]
    assert follow(gapsmith, "report").code == 0
    assert kinds(gapsmith) == ["publish"]
    assert follow(gapsmith, "publish", "-o", "my-set").code == 0
    (done,) = steps(gapsmith)
    assert (done["kind"], done["command"]) == ("done", "gapsmith bank check --report my-set")
    assert follow(gapsmith, "done").code == 0
    gapsmith("decide", "exclude", 2, "--by", account_name(), "--reason", "unnatural")
    assert kinds(gapsmith) == ["report"]


def test_a_design_of_ones_own_is_what_is_made_first(gapsmith: Run, tmp_path: Path) -> None:
    text = load_paradigm("lan_pg").text.replace('name = "lan_pg"', 'name = "own"', 1)
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "own.toml").write_text(text, encoding="utf-8")
    assert "Next: gapsmith generate own -n 40 --seed 1" in gapsmith("init").err
    assert [step["command"] for step in steps(gapsmith)] == ["gapsmith generate own -n 40 --seed 1", "gapsmith import FILE"]


def test_each_paradigm_and_data_set_is_where_it_is(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gapsmith("generate", "lan_pg", "-n", 2, "-w", ".")
    gapsmith("lint")
    gapsmith("decide", "exclude", 1, 2, "--by", "lea", "--reason", "unnatural")
    (again,) = steps(gapsmith)
    assert again["command"] == "gapsmith generate lan_pg -n 40"
    assert again["why"].startswith("2 items are decided on, and none is approved.")
    gapsmith("generate", "embedded_wh", "-n", 1, "-d", "second set")
    assert [step["command"] for step in steps(gapsmith)] == ["gapsmith lint -p embedded_wh", "gapsmith review -p embedded_wh"]
    of_set = [step["command"] for step in steps(gapsmith, "-d", "second set", "-p", "embedded_wh")]
    assert of_set == ["gapsmith lint -p embedded_wh -d 'second set'", "gapsmith review -p embedded_wh -d 'second set'"]
    assert gapsmith(*shlex.split(of_set[0])[1:]).code == 0
    wrong = gapsmith("next", "-p", "embedded")
    assert (wrong.code, "lan_pg, embedded_wh" in wrong.err) == (1, True)
    with api.open_workspace() as ws, pytest.raises(GapsmithError, match="there is no data set 'second set' of lan_pg"):
        api.next_step(ws, "lan_pg", dataset="second set")
    # Somewhere else, the command says where.
    (tmp_path / "else where").mkdir()
    monkeypatch.chdir(tmp_path / "else where")
    (tmp_path / "gapsmith.toml").rename(tmp_path / "else where" / "gapsmith.toml")
    (tmp_path / "bank.sqlite").rename(tmp_path / "else where" / "bank.sqlite")
    monkeypatch.chdir(tmp_path)
    assert steps(gapsmith, "-w", "else where")[0]["command"].endswith(f" -w '{tmp_path / 'else where'}'")


def test_two_who_disagree_are_to_be_adjudicated(gapsmith: Run) -> None:
    gapsmith("generate", "lan_pg", "-n", 2, "-w", ".")
    gapsmith("lint")
    with api.open_workspace() as ws:
        lead = ws.bank.reader
    gapsmith("decide", "approve", 1, 2, "--by", lead)
    gapsmith("decide", "exclude", 1, "--by", "ben", "--reason", "unnatural")
    found = {step["kind"]: step for step in steps(gapsmith)}
    assert found["adjudicate"]["command"] == "gapsmith review --adjudicate"
    assert found["adjudicate"]["why"] == "1 item is disputed."
    assert "decide" not in found
    # Ben may not know it: he goes by what he decided himself.
    assert [step["kind"] for step in steps_of("ben")] == ["decide", "score"]


def test_three_annotators_are_told_at_each_step_what_is_not_done(gapsmith: Run) -> None:
    """The states of the task: whoever asks, nothing is proposed that was done, and each step changes what the one who did it is told."""
    told: list[list[dict[str, str]]] = []

    def lead() -> list[str]:
        told.append(steps(gapsmith))
        assert told[-1] not in told[:-1]
        return [step["kind"] for step in told[-1]]

    gapsmith("init")
    assert lead() == ["make", "bring in"]
    gapsmith("generate", "lan_pg", "-n", 3)
    assert lead() == ["lint", "decide"]
    gapsmith("lint")
    assert lead() == ["decide"]
    people = ("ann", "ben", "cy")
    given = [word for name in people for word in ("--to", name)]
    assert gapsmith("assign", *given, "--overlap", "1", "--readers", "3", "--by", account_name()).code == 0
    assert lead() == ["lead"]
    for name in people:
        assert steps_of(name)[0]["kind"] == "decide"
        gapsmith("decide", "approve", 1, 2, "--by", name)
        gapsmith("decide", "exclude" if name == "cy" else "approve", 3, "--by", name, "--reason", "unnatural")
        assert steps_of(name)[0]["kind"] == "lock"
        with Bank.open(Path("bank.sqlite")) as bank:
            bank.review.lock(name, paradigm=None, dataset=None, locked=True)
        assert {"decide", "lock"}.isdisjoint(step["kind"] for step in steps_of(name))
    assert lead() == ["lead", "adjudicate", "score"]
    assert gapsmith("decide", "approve", 3, "--by", account_name()).code == 0
    assert lead() == ["score"]
    assert {step["kind"] for name in people for step in steps_of(name)} == {"score"}
    assert gapsmith("publish", "-o", "my-set").code == 0
    assert kinds(gapsmith) == ["score"], "there are no numbers in it"


def steps_of(reader: str) -> list[dict[str, str]]:
    with api.open_workspace(reader=reader) as ws:
        return [{"kind": step.kind, "why": step.why} for step in api.next_step(ws)]


@pytest.mark.parametrize(
    "more", [("--n-per-call", "3"), ("--temperature", "0.5", "-d", "mine set", "--mode", "sentences", "--n-per-call", "3")]
)
def test_a_run_that_stopped_is_gone_on_with(gapsmith: Run, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key-that-is-none-0123456789")
    answers = {1: Behaviour.BAD_REQUEST}
    with FakeServer(load_paradigm("lan_pg"), script=lambda seen: answers.get(seen.number, Behaviour.WELL)) as fake:
        asked = ("--provider", "openai", "--model", "m", "--base-url", fake.openai_url, "--seed", 5, "--concurrency", 1, *more)
        stopped = gapsmith("generate", "lan_pg", "-n", 6, *asked, "-w", ".")
        assert stopped.code == 3, stopped.err
        first = steps(gapsmith)[0]
        assert first["kind"] == "go on"
        assert "--max-cost" in first["why"]
        done = follow(gapsmith, "go on")
        assert done.code == 0, done.err
    with Bank.open(Path("bank.sqlite")) as bank:
        (run,) = bank.runs.all()
        assert run.finished_at is not None
    assert "go on" not in kinds(gapsmith)


def test_a_batch_is_watched(gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key-that-is-none-0123456789")
    with FakeServer(load_paradigm("lan_pg")) as fake:
        asked = ("--provider", "openai", "--model", "m", "--base-url", fake.openai_url, "--batch")
        assert gapsmith("generate", "lan_pg", "-n", 2, *asked, "-w", ".").code == 0
        assert steps(gapsmith)[0]["command"] == "gapsmith runs watch 1"


def test_a_run_whose_command_is_not_known_is_shown(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key-that-is-none-0123456789")
    own = tmp_path / "own.toml"
    own.write_text(load_paradigm("lan_pg").text.replace('name = "lan_pg"', 'name = "own"', 1), encoding="utf-8")
    with FakeServer(load_paradigm(str(own)), script=lambda _: Behaviour.BAD_REQUEST) as fake:
        asked = ("--provider", "openai", "--model", "m", "--base-url", fake.openai_url)
        assert gapsmith("generate", own, "-n", 2, *asked, "-w", ".").code == 3
    first = steps(gapsmith)[0]
    assert (first["kind"], first["command"]) == ("go on", "gapsmith runs show 1")
    assert "the command that began it goes on with it" in first["why"]


def test_who_leads_several_is_shown_their_page_and_the_others_what_is_theirs(gapsmith: Run) -> None:
    gapsmith("generate", "lan_pg", "-n", 4, "-w", ".")
    gapsmith("lint")
    assert kinds(gapsmith) == ["decide"], "nobody else is here"
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--by", account_name()).code == 0
    (page,) = steps(gapsmith)
    assert (page["kind"], page["command"]) == ("lead", "gapsmith lab")
    assert page["why"].startswith("ann and ben read items here")
    assert gapsmith(*shlex.split(page["command"])[1:]).code == 0
    with api.open_workspace() as ws:
        mine = sorted(ws.bank.assignments.of("ann") or ())
    assert [step["kind"] for step in steps_of("ann")] == ["decide"]
    (waiting,) = steps_of("cy")
    assert waiting["kind"] == "wait"
    assert "cy has no share" in waiting["why"]
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.review.lock("ann", paradigm=None, dataset=None, locked=True)
    (first, *_) = steps_of("ann")
    assert f"{count(len(mine), 'item')} wait" in first["why"]
    assert "and you have locked: L in the review takes that back" in first["why"]
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.review.lock("ann", paradigm=None, dataset=None, locked=False)
    gapsmith("decide", "approve", *mine, "--by", "ann")
    (lock, *_) = steps_of("ann")
    assert lock == {
        "kind": "lock",
        "why": f"Your {len(mine)} items are decided. L in the review locks them, and shows what others say.",
    }
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.review.lock("ann", paradigm=None, dataset=None, locked=True)
    (wait, *_) = steps_of("ann")
    assert wait["kind"] == "wait"
    assert "decided and locked" in wait["why"]
