"""`import gapsmith` in a program and in a notebook: live paradigms, and calls from within a running event loop."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.services import Services
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import ConfigError, load_paradigm
from tests.prompts.generating import KEY


def test_a_paradigm_of_ones_own_stands_in_the_place_of_a_name(tmp_path: Path) -> None:
    mine = replace(load_paradigm("lan_pg"), name="lan_mine")
    with api.open_workspace(tmp_path, create=True) as study:
        made = api.generate(study, mine, 2)
        assert (made.run.paradigm, made.tally.kept) == ("lan_mine", 2)
        assert made.run.request is not None
        assert 'paradigm = "lan_mine"' in made.run.request["toml"]
        with pytest.raises(ConfigError, match="paradigm: 3 is not a text"):
            api.generate(study, 3, 2)  # type: ignore[arg-type]


def test_models_are_asked_from_within_a_running_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook: the loop that runs there waits, and goes on with its own tasks afterwards."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ticks: list[str] = []

    async def ticking() -> None:
        for _ in range(3):
            ticks.append("tick")
            await asyncio.sleep(0)

    async def main(server: FakeServer) -> tuple[int, int]:
        own = asyncio.create_task(ticking())
        await asyncio.sleep(0)
        asked = {"provider": "openai", "model": "m", "base_url": server.openai_url, "free": True}
        with api.open_workspace(tmp_path, create=True) as study:
            made = api.generate(study, "lan_pg", 4, **asked)  # type: ignore[arg-type]
            assert asyncio.current_task() is not None
            # The stand-in answers no judge's question; that it was asked is what counts here.
            heard = Services(warn=lambda _: None)
            linted = api.lint(study, judge="openai:m", base_url=server.openai_url, free=True, services=heard)
            with pytest.raises(ConfigError):
                api.generate(study, "lan_pg", 4, provider="nobody")
        await own
        async with asyncio.timeout(5):
            await asyncio.sleep(0.001)
        return made.tally.kept, len(linted.judged)

    with FakeServer(load_paradigm("lan_pg")) as server:
        assert asyncio.run(main(server)) == (4, 1)
        assert server.requests
    assert ticks == ["tick"] * 3
