"""Make the pictures of docs/review.md from the real application: ``python docs/img/make_pictures.py``."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from bank import Bank, ItemFilter, NewItem, Verdict
from templates import load_paradigm, realise, sample
from vetting.lint_run import lint_bank
from vetting.review import Session
from vetting.rules import load_knowledge
from vetting.tui import ReviewApp

HERE = Path(__file__).parent
DUBIOUS = {"matrix": "They believe", "verb": "offend", "name2": "Kim"}
"""Words that the linter has something to say about."""


def make_bank(folder: Path) -> Bank:
    """Forty items, one of them dubious, linted."""
    bank = Bank.open(folder / "bank.sqlite", create=True)
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=bank.paradigms.register(paradigm),
        provider="lexicon",
        identity="pictures",
        parameters={"seed": 1},
    )
    fillings = list(islice(sample(paradigm, 1), 40))
    fillings[2] = {**fillings[2], **DUBIOUS}
    call = bank.runs.intend(run.id, 0, {"n": 40, "seed": 1})
    reply = "\n".join(str(filling) for filling in fillings)
    bank.runs.reply(call, outcome="ok", reply=reply, items=[NewItem(f, realise(paradigm, f)) for f in fillings])
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    return bank


Script = Callable[[Pilot[None], ReviewApp], Awaitable[None]]


async def item(pilot: Pilot[None], app: ReviewApp) -> None:
    """An item with findings, half judged, with a remark."""
    for key in ("a", "f", "o", "*", "o", "?"):
        await pilot.press(key)
        await pilot.pause(0.1)
    app.session.comment(3, "fine once the matrix verb is another one")
    app.queue.update([3])
    app.show_current()


async def reasons(pilot: Pilot[None], _: ReviewApp) -> None:
    """Asking why an item is excluded."""
    await pilot.press("x", "down")


async def edit(pilot: Pilot[None], app: ReviewApp) -> None:
    """Changing a verb."""
    await pilot.press("escape", "e")
    field = app.screen.query_one("#slot-matrix", Input)
    field.value = "They know"
    app.screen.set_focus(field)
    await pilot.pause(0.3)


async def queue(pilot: Pilot[None], app: ReviewApp) -> None:
    """The queue with some decisions."""
    await pilot.press("escape")
    await pilot.pause(0.2)
    for i, (verdict, reason) in enumerate(
        [(Verdict.EXCLUDE, "implausible"), (Verdict.APPROVE, None), (Verdict.APPROVE, None)], start=5
    ):
        app.session.decide({i: app.session.row(i).revision_id}, verdict, reason=reason)
    app.queue.load()
    await pilot.press("g")
    await pilot.pause(0.3)


NARROW, SMALL, LARGE = (60, 20), (80, 24), (160, 50)
SCENES: dict[tuple[int, int], tuple[tuple[str, Script], ...]] = {
    SMALL: (("item", item), ("reasons", reasons), ("edit", edit), ("queue", queue)),
    LARGE: (("item", item),),
    NARROW: (("item", item),),
}


async def main() -> None:
    """Write one SVG per scene and size."""
    for (width, height), scenes in SCENES.items():
        with tempfile.TemporaryDirectory() as folder, make_bank(Path(folder)) as bank:
            app = ReviewApp(Session(bank, "ann"))
            async with app.run_test(size=(width, height)) as pilot:
                for name, script in scenes:
                    await script(pilot, app)
                    await pilot.pause(0.1)
                    # Some viewers drop spaces at the ends of a text unless they are told not to.
                    svg = app.export_screenshot(simplify=False).replace("<text ", '<text xml:space="preserve" ')
                    (HERE / f"review-{name}-{width}x{height}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
