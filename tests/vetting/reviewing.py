"""Banks made for the tests of the review."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from weakref import WeakKeyDictionary

from textual.app import App
from textual.pilot import Pilot

from gapsmith.bank import Bank, Finding, FindingPlace, NewItem, Severity
from gapsmith.templates import load_paradigm, realise, sample
from gapsmith.vetting.tui.frame import REPEAT_S

FINDINGS = (
    Finding("L310", Severity.ERROR, "“stun” may lack its object", "choose another verb", FindingPlace(slot="verb")),
    Finding("T201", Severity.WARNING, "odd spacing", place=FindingPlace("pf_pg1_mg2", 0, 4)),
)


def fill_bank(path: Path, count: int) -> Bank:
    """A new bank with `count` items of the subject parasitic gap; every fifth has findings."""
    path.write_bytes(_filled(count))
    return Bank.open(path)


@cache
def _filled(count: int) -> bytes:
    # Made once and copied: the tables and the words cost more than most tests do with them.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.sqlite"
        _fill(path, count).close()
        assert [one.name for one in Path(folder).iterdir() if one.stat().st_size] == [path.name]
        return path.read_bytes()


def _fill(path: Path, count: int) -> Bank:
    bank = Bank.open(path, create=True)
    paradigm = load_paradigm("subject_pg")
    paradigm_id = bank.paradigms.register(paradigm)
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=paradigm_id,
        provider="lexicon",
        model="made-up",
        identity="review-test",
        parameters={"seed": 1},
        prompt_name="slots",
        prompt_hash="abc123",
        prompt_text="Give words.\nOne line each.",
    )
    call = bank.runs.intend(run.id, 0, {"n": count})
    items = [NewItem(slots, realise(paradigm, slots)) for slots in islice(sample(paradigm, 1), count)]
    ids = bank.runs.reply(call, outcome="ok", reply="a raw reply", items=items, usage={"output": 12}, cost_usd=0.01)
    bank.findings.replace(
        "subject_pg", {item_id: FINDINGS if i % 5 == 0 else () for i, item_id in enumerate(ids)}, ruleset="test"
    )
    return bank


_LAST: WeakKeyDictionary[App[None], str] = WeakKeyDictionary()
"""The key that was pressed last, in each app."""


async def until(condition: Callable[[], bool], app: App[None]) -> None:
    """Wait until something is so."""
    for _ in range(400):
        if condition():
            return
        await app.animator.wait_for_idle()
        await asyncio.sleep(0.02)
    raise AssertionError("it never was: " + " / ".join(line.text for line in app.screen._compositor.render_strips()))


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys like somebody who looks before each: the screen is painted in between, and no key is held down."""
    for key in keys:
        if _LAST.get(pilot.app) == key:
            await asyncio.sleep(REPEAT_S + 0.01)
        _LAST[pilot.app] = key
        await pilot.press(key)
        await pilot.pause()
