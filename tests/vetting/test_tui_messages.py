"""At 80×24, whatever the screens say can be read to its end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rich.cells import cell_len

from gapsmith.bank import Bank, Verdict
from gapsmith.vetting.review import Session
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.bars import StatusLine
from gapsmith.vetting.tui.dialogs import AskScreen, ConfirmScreen, Dialog
from gapsmith.vetting.tui.edit_screen import EditScreen
from tests.rooms import trees_of, walked
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import SMALL, screen_text, text_of, words_in
from tests.vetting.test_tui_keys import settle

SAYING = {"say", "_say", "tell"}
SAID_AT = ("vetting", "bank", "templates")
"""Where what the screens say comes from: themselves, and what is refused below them."""


def words_of(said: ast.expr) -> str:
    """A message with something in each of its gaps, the longer one of two; empty where the code does not have it."""
    if isinstance(said, ast.Constant):
        return said.value if isinstance(said.value, str) else ""
    if isinstance(said, ast.JoinedStr):
        return "".join(words_of(part) for part in said.values)
    if isinstance(said, ast.FormattedValue):
        return words_of(said.value) or "subject_pg"
    if isinstance(said, ast.IfExp):
        return max(words_of(said.body), words_of(said.orelse), key=len)
    if isinstance(said, ast.BinOp) and isinstance(said.op, ast.Add):
        return words_of(said.left) + words_of(said.right)
    return ""


def messages() -> Iterator[str]:
    """All that is said in the line above the keys, and every refusal with what to do about it, as the screens show it."""
    for _, tree in trees_of(*SAID_AT):
        for node in walked(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else node.func.id
                if isinstance(node.func, ast.Name)
                else ""
            )
            if name in SAYING:
                yield words_of(node.args[0])
            elif name.endswith("Error"):
                hint = next((words_of(one.value) for one in node.keywords if one.arg == "hint"), "")
                yield words_of(node.args[0]) + (f" → {hint}" if hint else "")


async def test_every_message_stands_in_full_above_the_keys(session: Session) -> None:
    longest = sorted({one for one in messages() if cell_len(one) > SMALL[0] and "\n" not in one}, key=len)
    assert len(longest) > 150, "the walk finds them"
    assert sum(cell_len(one) > 2 * SMALL[0] for one in longest) > 40, "two lines do not do"
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        line = app.screen.query_one(StatusLine)
        for one in longest[::-2]:
            line.say(one, problem=True)
            await pilot.pause()
            # A word longer than a line, such as a path, is broken in it.
            assert "".join(one.split()) in "".join(words_in(app, "#status").split()), one
            assert "ctrl+q leave" in screen_text(app)[-1]


async def test_what_is_said_on_a_question_fits_its_frame(session: Session) -> None:
    told = {
        words_of(node.args[0])
        for _, tree in trees_of("vetting/tui")
        for node in walked(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tell"
    }
    told |= {
        words_of(node.args[0])
        for name, tree in trees_of("vetting/tui")
        for node in walked(tree)
        if name.endswith("dialogs.py") and isinstance(node, ast.Call) and ast.unparse(node.func) == "self.say"
    }
    assert len(told) > 4
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        for keys in (["x"], ["escape", "c"], ["escape", "slash"]):
            await press(pilot, *keys)
            await settle(pilot)
            assert isinstance(app.screen, Dialog)
            for one in told:
                app.screen.say(one)
                await pilot.pause()
                assert one in text_of(app), one


async def test_a_question_is_read_to_its_end_and_its_answers_stay_in_sight(session: Session) -> None:
    app = ReviewApp(session)
    question = " ".join(f"word{number}" for number in range(600))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        app.flow(_asked(app, question))
        await settle(pilot)
        assert "word0 " in text_of(app)
        assert "word599" not in text_of(app)
        assert "↑ ↓: scroll" in text_of(app)
        for _ in range(10):
            await press(pilot, "pagedown")
        assert "word599" in text_of(app)
        assert "Yes (y)" in text_of(app)
        await press(pilot, "n")
        assert not isinstance(app.screen, ConfirmScreen)


async def _asked(app: ReviewApp, question: str) -> None:
    await app.ask(ConfirmScreen(question))


async def test_a_filter_that_is_refused_says_why_to_its_end(bank: Bank) -> None:
    everything = bank.items.ids()
    bank.assignments.assign(dict.fromkeys(everything, ("ann", "bo")), {everything[0]: Verdict.APPROVE}, by="zoe")
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await press(pilot, "slash")
        assert isinstance(app.screen, AskScreen)
        await press(pilot, *"run", "colon", "2", "enter")
        await settle(pilot)
        said = words_in(app, "#status")
    assert "data sets and runs are not named here → Leave out -d and --run, and dataset: and run: in the filter;" in said
    assert said.rstrip().endswith("narrow the queue by words, findings or item:NAME.")


async def test_what_is_odd_about_a_word_is_said_in_full_while_one_types(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        await settle(pilot)
        assert isinstance(app.screen, EditScreen)
        slots = session.view(1).paradigm.visible_slots
        for slot in slots:
            app.screen.query_one(f"#slot-{slot.name}").value = "one two three four five six seven eight"  # type: ignore[attr-defined]
        await settle(pilot)
        said = words_in(app, "#preview")
        assert all(f"! {slot.name} is usually " in said for slot in slots[:3])
        assert "…" not in said
        for slot in slots:
            app.screen.query_one(f"#slot-{slot.name}").value = ""  # type: ignore[attr-defined]
        await settle(pilot)
        assert f"! {slots[0].name} needs words" in words_in(app, "#preview")
