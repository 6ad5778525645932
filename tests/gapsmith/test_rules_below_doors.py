"""What costs money or bears a key is ruled below the doors: the command line, Python and requests read from files are driven against
the stand-in server, and its requests are counted.

A new stage that can be told a limit, an address or where a key goes has to be entered here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import gapsmith as api
from gapsmith.app.requests.base import StageRequest, entries
from gapsmith.app.services import Services
from gapsmith.app.stages.catalogue import STAGES, own_name
from gapsmith.prompts import RunLease
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import GapsmithError, load_paradigm
from tests.conftest import CommandOutcome
from tests.prompts.generating import KEY

Run = Callable[..., CommandOutcome]
Go = Callable[[Run, str, Mapping[str, object]], str]

LIMIT, ADDRESS, OWNERS = "max_cost", "base_url", "send_key_to"
MET = [Behaviour.WELL]
"""How requests are met, by the last of these."""
WATCHED = 1
"""The run whose batch is looked after."""


@dataclass(frozen=True)
class Case:
    """A stage that asks a provider, and how it is made to."""

    stage: str
    given: Mapping[str, object]
    fresh: str | None = None
    """A field that takes another number each time, so that nothing is there already."""

    def told(self, number: int, **more: object) -> dict[str, object]:
        """The fields of the request with that number."""
        return {**self.given, **({self.fresh: number} if self.fresh else {}), **more}

    @property
    def kind(self) -> type[StageRequest]:
        return STAGES[self.stage].request_type()

    def has(self, name: str) -> bool:
        return name in {entry.name for entry in entries(self.kind)}


CASES = {
    "generate": Case("generate", {"paradigm": "lan_pg"}, fresh="n"),
    "generate in a batch": Case("generate", {"paradigm": "lan_pg", "batch": True}, fresh="n"),
    "generate with repair": Case("generate", {"paradigm": "lan_pg", "repair": 1}, fresh="n"),
    "lint with a judge": Case("lint", {"judge": ["openai:m"]}, fresh="judge_seed"),
    "runs watch": Case("runs watch", {"run": WATCHED, "once": True}),
}


def _typed(run: Run, stage: str, given: Mapping[str, object]) -> str:
    words: list[object] = []
    for entry in entries(STAGES[stage].request_type()):
        if entry.name not in given:
            continue
        value = given[entry.name]
        for one in value if isinstance(value, list) else [value]:
            words += [one] if entry.option.argument else [entry.flags[0]] if one is True else [entry.flags[0], one]
    done = run(*stage.split(), *words)
    assert "Traceback" not in done.err
    return done.err


def _called(_run: Run, stage: str, given: Mapping[str, object]) -> str:
    function = getattr(api, STAGES[stage].python or own_name(stage))
    return _heard(lambda workspace, services: function(workspace, **given, services=services))


def _read(_run: Run, stage: str, given: Mapping[str, object]) -> str:
    known = STAGES[stage]
    text = known.request_type().of(given).to_toml()
    request = known.request_type().from_toml(text, "asked.toml")
    return _heard(lambda workspace, services: known.carry_out(workspace, request, services))


def _heard(work: Callable[[api.Workspace, Services], Any]) -> str:
    """What was said, and what was raised."""
    said: list[str] = []
    with api.open_workspace(".") as workspace:
        try:
            work(workspace, Services(note=said.append, warn=said.append))
        except GapsmithError as error:
            said.append(str(error))
    return "\n".join(said)


DOORS: dict[str, Go] = {"command line": _typed, "Python": _called, "file": _read}


def for_cases(where: Callable[[Case], bool] = lambda _: True) -> pytest.MarkDecorator:
    """The test, for these of them."""
    chosen = {name: case for name, case in CASES.items() if where(case)}
    return pytest.mark.parametrize("case", chosen.values(), ids=chosen)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FakeServer, Path]]:
    """A workspace with two items and a batch under way at the server."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patched, FakeServer(load_paradigm("lan_pg"), script=lambda _: MET[-1]) as server:
        patched.setenv("GAPSMITH_CONFIG", str(folder / "none.toml"))
        server.batches.looks = 1_000_000
        asked: dict[str, Any] = {"provider": "openai", "model": "m", "base_url": server.openai_url}
        with api.open_workspace(folder / "ws", create=True) as workspace:
            assert api.generate(workspace, "lan_pg", 50, batch=True, **asked).run.id == WATCHED
            assert workspace.bank.batches.of_run(WATCHED)
            api.generate(workspace, "lan_pg", 2)
        yield server, folder / "ws"


@pytest.fixture
def fake(gapsmith: Run, made: tuple[FakeServer, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """That workspace here; its file names the server, and its prices make every call dear."""
    server, folder = made
    copytree(folder, Path(), dirs_exist_ok=True)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("prices.toml").write_text(
        '[[price]]\nprovider = "openai"\nmodel = "m"\ninput = 100.0\noutput = 100.0\nas_of = 2026-01-01\n'
        f'base_url = "{server.openai_url}"\n',
        encoding="utf-8",
    )
    workspace_says(server)
    keys_in(server)
    yield server
    server.fixed_error = None
    del MET[1:]


def workspace_says(server: FakeServer, *lines: str, address: bool = True) -> None:
    said = ['provider = "openai"', 'provider_model = "m"', "max_output_tokens = 500", *lines]
    said += [f'base_url = "{server.openai_url}"'] if address else []
    Path("gapsmith.toml").write_text("\n".join(said) + "\n", encoding="utf-8")


def user_says(*lines: str) -> None:
    Path(os.environ["GAPSMITH_CONFIG"]).write_text("\n".join(lines) + "\n", encoding="utf-8")


def keys_in(server: FakeServer) -> list[bool]:
    """Of each request since the last time, whether a key was in it."""
    seen = [*server.requests, *server.seen_of_batches]
    server.requests.clear()
    server.seen_of_batches.clear()
    return [KEY in f"{one.headers}{one.path}{one.body}" for one in seen]


def test_every_stage_that_can_cost_or_bears_a_key_is_entered_here() -> None:
    asking = {name for name, stage in STAGES.items() if _is_ruled(stage.request_type())}
    assert asking == {case.stage for case in CASES.values()}


def _is_ruled(kind: type[StageRequest]) -> bool:
    return bool({entry.name for entry in entries(kind)} & {LIMIT, ADDRESS, OWNERS, "tier", "free"})


@for_cases(lambda case: case.has(LIMIT))
def test_a_limit_of_the_workspace_that_is_too_low_lets_nothing_out(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    workspace_says(fake, "max_cost = 0.0001")
    for number, (door, go) in enumerate(DOORS.items(), 3):
        said = go(gapsmith, case.stage, case.told(number))
        assert "--max-cost" in said, (door, said)
        assert keys_in(fake) == [], door
    workspace_says(fake, "max_cost = 50")
    for number, (door, go) in enumerate(DOORS.items(), 3):
        said = go(gapsmith, case.stage, case.told(number))
        assert keys_in(fake), (door, said)


@for_cases()
def test_an_address_that_only_the_workspace_names_gets_no_key(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    for number, (door, go) in enumerate(DOORS.items(), 3):
        said = go(gapsmith, case.stage, case.told(number))
        assert "without the key in OPENAI_API_KEY" in said, (door, said)
        sent = keys_in(fake)
        assert sent, (door, said)
        assert not any(sent), door
    user_says(f'send_key_to = ["{fake.url.removeprefix("http://")}"]')
    for number, (door, go) in enumerate(DOORS.items(), 6):
        said = go(gapsmith, case.stage, case.told(number))
        sent = keys_in(fake)
        assert sent, (door, said)
        assert all(sent), door


@for_cases()
def test_a_file_agrees_to_nothing_in_the_name_of_whoever_has_the_keys(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    """A request may lie in somebody else's repository, like a workspace's file."""
    host = fake.url.removeprefix("http://")
    if case.has(ADDRESS):
        workspace_says(fake, address=False)
        said = _read(gapsmith, case.stage, case.told(3, base_url=fake.openai_url))
        sent = keys_in(fake)
        assert (bool(sent), any(sent)) == (True, False), said
        user_says(f'base_url = "{fake.openai_url}"')
        _read(gapsmith, case.stage, case.told(4, base_url=fake.openai_url))
        sent = keys_in(fake)
        assert (bool(sent), all(sent)) == (True, True)
        user_says("")
        _typed(gapsmith, case.stage, case.told(5, base_url=fake.openai_url))
        _called(gapsmith, case.stage, case.told(6, base_url=fake.openai_url))
        sent = keys_in(fake)
        assert (bool(sent), all(sent)) == (True, True)
    workspace_says(fake, "max_cost = 0.0001")
    Path("free.toml").write_text('[[price]]\nprovider = "openai"\nmodel = "m"\ninput = 0.0\noutput = 0.0\nas_of = 2026-01-01\n')
    if case.has(LIMIT):
        for lifted in ("none", 50.0):
            assert "--max-cost" in _read(gapsmith, case.stage, case.told(7, **{LIMIT: lifted})), "a file lifts no limit"
            assert keys_in(fake) == []
    for name, value in ((OWNERS, host), ("free", True), ("prices", "free.toml")):
        if case.has(name):
            said = _read(gapsmith, case.stage, case.told(7, **{name: value}))
            assert f"{name} is not for a file to say" in said
            assert keys_in(fake) == []


@for_cases(lambda case: case.has("tier") and not case.given.get("batch"))
def test_a_tier_of_the_settings_is_that_of_every_request(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    workspace_says(fake, 'tier = "flex"')
    for number, (door, go) in enumerate(DOORS.items(), 3):
        said = go(gapsmith, case.stage, case.told(number))
        assert {seen.body["service_tier"] for seen in fake.requests} == {"flex"}, (door, said)
        fake.requests.clear()


@for_cases()
def test_what_another_process_is_at_work_on_is_not_asked_for_again(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    for number, (door, go) in enumerate(DOORS.items(), 3):
        with ExitStack() as held:
            for run in range(1, 12):
                held.enter_context(RunLease(Path("bank.sqlite").resolve(), run))
            said = go(gapsmith, case.stage, case.told(number))
        assert "is under way in process" in said, (door, said)
        assert keys_in(fake) == [], door


@for_cases(lambda case: case.has(LIMIT) and not case.given.get("batch"))
def test_a_redirect_is_not_followed(gapsmith: Run, fake: FakeServer, case: Case) -> None:
    MET.append(Behaviour.REDIRECT)
    with FakeServer(load_paradigm("lan_pg")) as elsewhere:
        fake.redirect_to = elsewhere.url
        for number, (door, go) in enumerate(DOORS.items(), 3):
            said = go(gapsmith, case.stage, case.told(number))
            assert "redirect" in said, (door, said)
            assert keys_in(fake), door
        assert not elsewhere.requests


@pytest.mark.parametrize("name", ["generate", "lint with a judge"])
def test_a_failed_run_leaves_a_log_without_keys(gapsmith: Run, fake: FakeServer, name: str) -> None:
    case = CASES[name]
    user_says(f'base_url = "{fake.openai_url}"')
    workspace_says(fake, address=False)
    fake.fixed_error = (401, {"error": {"message": f"Incorrect key {KEY}", "code": "invalid_api_key"}})
    for number, (door, go) in enumerate(DOORS.items(), 3):
        said = go(gapsmith, case.stage, case.told(number))
        (log,) = Path().glob("run-*.log")
        assert all(keys_in(fake)), door
        assert str(log.resolve()) in said.replace("\n", ""), (door, said)
        text = log.read_text(encoding="utf-8")
        assert f"asked: openai m at {fake.openai_url}" in text
        assert "HTTP 401" in text
        assert "--- asked ---" in text
        assert "[key removed]" in text
        assert KEY not in text + said
        assert "authorization" not in text.casefold()
        log.unlink()
