"""A run is bound to what is sent: not to comments, not to what nobody sends, and not to the release that began it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import load_paradigm
from gapsmith.templates.lexicon import _candidates
from tests.prompts.generating import KEY

Run = Callable[..., Any]
FIXTURE = Path(__file__).parent.parent / "fixtures" / "bank_0_1_0"
PORT = 18766
"""The address is part of what is ordered, and the run of the fixture was ordered at this one."""


@pytest.fixture
def own(tmp_path: Path, gapsmith: Run) -> Path:
    """The main paradigm as a file of the workspace's own."""
    path = tmp_path / "paradigms" / "subject_pg.toml"
    path.parent.mkdir()
    path.write_text(load_paradigm("subject_pg").text, encoding="utf-8")
    assert gapsmith("init").code == 0
    return path


def broken_off(after: int) -> Callable[[Any], Behaviour]:
    """A server that answers so many calls, and then refuses for the day."""
    return lambda seen: Behaviour.DAILY_QUOTA if seen.number >= after else Behaviour.WELL


def order(url: str) -> tuple[object, ...]:
    """A small paid order, three items a call."""
    return (
        "generate",
        "subject_pg",
        "--provider",
        "openai",
        "--model",
        "fake",
        "--base-url",
        url,
        "-n",
        12,
        "--n-per-call",
        3,
        "--concurrency",
        1,
    )


@pytest.fixture
def url(own: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, FakeServer]]:
    """A paid run that broke off after two of four calls, and the server it spoke to, which is well again."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    state = {"after": 2}
    with FakeServer(
        load_paradigm("subject_pg"), script=lambda seen: broken_off(state["after"])(seen), latency_s=0, seed=5
    ) as server:
        assert gapsmith(*order(server.openai_url)).code == 3
        state["after"] = 10_000
        server.requests.clear()
        yield server.openai_url, server


def count(folder: Path) -> int:
    with Bank.open(folder / "bank.sqlite") as bank:
        return bank.items.count(ItemFilter(paradigm="subject_pg"))


def test_comments_titles_and_new_contrasts_do_not_stand_in_the_way_of_a_paid_run(
    gapsmith: Run, own: Path, tmp_path: Path, url: tuple[str, FakeServer]
) -> None:
    contrast = '\n[[contrasts]]\nname = "late"\nformula = "pf_pg1_pg2"\nexpected = "exploratory"\ndesign = "full8"\n'
    own.write_text("# a remark\n" + own.read_text(encoding="utf-8") + contrast, encoding="utf-8")
    address, server = url
    assert gapsmith(*order(address)).code == 0
    assert len(server.requests) == 2
    assert count(tmp_path) == 12


def test_another_prompt_stops_and_names_both_ways_on(
    gapsmith: Run, own: Path, tmp_path: Path, url: tuple[str, FakeServer]
) -> None:
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace("a one-word given name", "a given name of one word"), encoding="utf-8")
    address, server = url
    stopped = gapsmith(*order(address))
    assert stopped.code == 2
    assert "--resume 1" in stopped.err
    assert "--new-run" in stopped.err
    assert not server.requests
    other = gapsmith(*order(address), "--temperature", 1, "--resume", 1)
    assert (other.code, "another order" in other.err) == (2, True)
    assert gapsmith(*order(address), "--resume", 1).code == 0
    assert len(server.requests) == 2
    assert count(tmp_path) == 12


def test_a_new_run_beside_an_unfinished_one(gapsmith: Run, own: Path, tmp_path: Path, url: tuple[str, FakeServer]) -> None:
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace("a one-word given name", "a given name of one word"), encoding="utf-8")
    address, _ = url
    assert gapsmith(*order(address), "--new-run").code == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert [run.finished_at is not None for run in bank.runs.all()] == [False, True]


def test_an_interrupted_paid_run_of_release_0_1_0_asks_only_for_what_it_lacks(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its four calls two were answered and one may have been paid: as in release 0.1.0, two more make up the number."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shutil.copy(FIXTURE / "bank.sqlite", tmp_path)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    with FakeServer(load_paradigm("subject_pg"), latency_s=0, seed=7, port=PORT) as server:
        done = gapsmith(*order(server.openai_url), "--dataset", "paid")
        assert done.code == 0, done.err
        assert len(server.requests) == 2
        again = gapsmith(*order(server.openai_url), "--dataset", "paid")
        assert (again.code, len(server.requests)) == (0, 2)
        assert "Already there: run 4" in again.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert len(bank.runs.all()) == 4
        assert bank.items.count(ItemFilter(dataset="paid")) == 12


def test_a_finished_run_of_the_word_lists_is_known_while_the_lists_are_the_same(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lists of 0.1.0 the command that made the items is done; with those of today it is another order."""
    shutil.copy(FIXTURE / "bank.sqlite", tmp_path)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    own = tmp_path / "paradigms" / "subject_pg.toml"
    own.parent.mkdir()
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        own.write_text(bank.paradigms.load(bank.runs.get(1).paradigm_id).text, encoding="utf-8")
    command = ("generate", "subject_pg", "-n", 8, "--seed", 3)
    with monkeypatch.context() as at_that_time:
        at_that_time.setattr("gapsmith.templates.lexicon.shipped_lexicons", lambda: FIXTURE / "lexicons")
        _candidates.cache_clear()
        assert "Already there: run 1" in gapsmith(*command).err
    _candidates.cache_clear()
    own.unlink()
    assert "run 5 has 8 of 8" in gapsmith(*command).err
