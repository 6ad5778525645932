"""Nobody who is blind learns from a screen, or from a page in a browser, what others decided: every key at every place, every desk.

The banks are those of `tests.gapsmith.test_blind`: they differ in nothing but what others said and did."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App

import gapsmith.vetting.web as web
from gapsmith.app.critical_values import critical_values
from gapsmith.app.workspace import open_workspace
from gapsmith.bank import Bank, ItemStatus
from gapsmith.templates import GapsmithError
from gapsmith.vetting.review import CATEGORIES, Scope, Session, load_guide, load_study, parse_query, stimuli
from gapsmith.vetting.review.filters import ORDERS
from gapsmith.vetting.tui import COMMANDS, NormingApp, ReviewApp
from gapsmith.vetting.web import JudgingDesk, LabDesk
from tests.conftest import CommandOutcome
from tests.gapsmith.test_blind import SAID, leaks, two_banks, unlike
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import screen_text
from tests.vetting.test_tui_keys import settle

Run = Callable[..., CommandOutcome]

WAYS = {"item": (), "triage": ("G",), "queue": ("g",), "group": ("b",)}
"""How to come from an item to each place."""
NOT_PRESSED = {
    "leave": "ends the program",
    "write": "writes the item, as it is on the screen, to a file",
    "parse": "tells of the sentence alone, and takes long",
    "parse_rows": "tells of the sentence alone, and takes long",
}
TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+(\+[\d:]+)?|\d+(\.\d+)? s\b|\d\d:\d\d|\b[0-9a-f]{16,}\b|⌫ takes back.*")
"""What no two reviews share; and one's own last steps, which are shown when they have been read."""


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return two_banks(tmp_path_factory.mktemp("screens"))


def session_of(bank: Bank, folder: Path) -> Session:
    return Session(bank, "ben", scope=Scope("subject_pg", None), guide=load_guide(folder), values=critical_values)


def seen(app: App[None]) -> str:
    return TIMES.sub("", "\n".join(screen_text(app)))


@pytest.mark.full
@pytest.mark.parametrize("place", WAYS)
@pytest.mark.usefixtures("unseen_screens")
async def test_no_key_shows_the_blind_what_others_said(banks: tuple[Path, Path], tmp_path: Path, place: str) -> None:
    """Each key is pressed, and what it asks is taken back: nobody looks or locks."""
    told: list[list[str]] = []
    for number, ws in enumerate(banks):
        folder = Path(shutil.copytree(ws, tmp_path / str(number)))
        with Bank.open(folder / "bank.sqlite", reader="ben") as bank:
            app = ReviewApp(session_of(bank, folder))
            screens = []
            async with app.run_test(size=(160, 50)) as pilot:
                await press(pilot, *WAYS[place])
                here = type(app.screen)
                for command in (one for one in COMMANDS if place in one.places and one.name not in NOT_PRESSED):
                    if type(app.screen) is not here:
                        await press(pilot, "g", "enter", *WAYS[place])
                    await press(pilot, command.keys[0])
                    await settle(pilot)
                    screens.append(f"{command.name}\n{seen(app)}")
                    while type(app.screen) is not here and len(app.screen_stack) > 2:
                        await press(pilot, "escape")
            assert not bank.review.peeks()
            told.append(screens)
    assert leaks("\n".join(told[0])) == []
    for one, other in zip(*told, strict=True):
        assert [" ".join(line.split()) for line in unlike(one, other)] == [], one.split("\n")[0]


def test_no_order_query_or_view_of_an_item_tells_what_others_said(banks: tuple[Path, Path]) -> None:
    told = []
    for ws in banks:
        with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
            session = session_of(bank, ws)
            lines = ["", *(f"status:{status}" for status in ItemStatus), "commented", "disputed", "by:ben"]
            said = [f"{line} {order} {session.rows(parse_query(line), order)}" for line in lines for order in ORDERS]
            said += [repr(session.view(row.id)) for row in session.rows()]
            told.append(TIMES.sub("", "\n".join(said)))
            with pytest.raises(GapsmithError, match="hidden until you lock"):
                session.rows(parse_query("by:ann"))
    assert leaks(told[0]) == []
    assert unlike(*told) == []


DESKS: dict[str, Callable[[Path, Path], str]] = {
    "LabDesk": lambda bank, _: LabDesk(bank).page("ben"),
    "JudgingDesk": lambda bank, study: "\n".join(
        [
            JudgingDesk(bank, CATEGORIES).page("ben"),
            JudgingDesk(bank, CATEGORIES, study=load_study(study)).page("ben"),
        ]
    ),
}


def test_no_page_in_a_browser_tells_what_others_said(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    assert set(DESKS) == {name for name in dir(web) if name.endswith("Desk")}
    study = tmp_path / "study.toml"
    assert gapsmith("judge", "new", study, "--to", "ben", "-w", banks[0]).code == 0
    for desk in DESKS.values():
        told = [TIMES.sub("", desk(ws / "bank.sqlite", study)) for ws in banks]
        assert leaks(told[0]) == []
        assert unlike(*told) == []


async def test_no_sentence_that_is_judged_alone_tells_what_others_said(banks: tuple[Path, Path], tmp_path: Path) -> None:
    told = []
    for number, ws in enumerate(banks):
        folder = Path(shutil.copytree(ws, tmp_path / str(number)))
        with open_workspace(folder, reader="ben") as own:
            session = session_of(own.bank, folder)
            app = NormingApp(session, stimuli(session), CATEGORIES)
            async with app.run_test(size=(80, 24)) as pilot:
                screens = [seen(app)]
                for key in ("1", "2", "u", "?"):
                    await press(pilot, key)
                    screens.append(seen(app))
            told.append("\n".join(screens))
    assert not any(word in told[0] for word in SAID)
    assert unlike(*told) == []
