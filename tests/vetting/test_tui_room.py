"""Screens that use their space, and keys that always do or say something; signals in a real terminal give it back."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from textual.binding import Binding
from textual.screen import Screen

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, Finding, FindingPlace, NewItem, Severity, StoredItem, Verdict
from gapsmith.templates import ConfigError, Paradigm, Sentence
from gapsmith.vetting.packets import make_packet
from gapsmith.vetting.review import ParseLine, Scope, Session, parse_query
from gapsmith.vetting.review.origin import origin_text
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.dialogs import ReasonScreen, TextScreen
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.keymap import COMMANDS, key_label
from gapsmith.vetting.tui.panels import FindingsPanel, Panel, ParsePanel, SentencesPanel
from gapsmith.vetting.tui.queue_list import QueueList
from gapsmith.vetting.tui.signs import SIGNS
from tests.parts import first_of
from tests.vetting.reviewing import fill_bank, press, until
from tests.vetting.test_tui_item import SMALL, screen_text, text_in, text_of, words_in
from tests.vetting.test_tui_keys import Tmux, settle

pytestmark = pytest.mark.usefixtures("unseen_screens")

WIDE = [(120, 40), (160, 50), (200, 60)]
PANELS = ("#side", "#sentences", "#findings", "#parse", "#notes", "#origin")


def parser(*asked: object) -> list[ParseLine]:
    """A parse of whatever was asked for."""
    sentence = asked[-1]
    words = str(getattr(sentence, "text", "")).split()
    return [ParseLine(word, "X", "obj", "know", place % 3) for place, word in enumerate(words)]


@pytest.mark.parametrize("size", first_of(WIDE, 2))
async def test_from_120_columns_on_everything_stands_side_by_side(session: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        parts = {name: app.screen.query_one(name) for name in ("#grid", *PANELS)}
        assert all(part.display and part.region.area > 0 for part in parts.values())
        regions = [part.region for part in parts.values()]
        assert not any(a.overlaps(b) for place, a in enumerate(regions) for b in regions[:place]), "nothing covers another"
        # The bars and a column or a line between parts are all that is not theirs.
        assert sum(region.area for region in regions) > 0.85 * size[0] * (size[1] - 3)
        # Below the sentences, of which an item may have few, stand history and origin.
        (sentences, notes, origin) = (parts[name].region for name in ("#sentences", "#notes", "#origin"))
        assert notes.y == origin.y >= sentences.bottom
        assert notes.x == sentences.x or size[0] < 160
        assert notes.height >= 4
        whole = words_in(app, "#sentences")
        for row in session.view(1).rows:
            assert f" {row.number} " in f" {whole} ".replace("▸", " ")
        assert "L310" in words_in(app, "#findings")
        assert "Generated in run 1" in words_in(app, "#origin")
        assert len(re.findall(r"· \d+ ", words_in(app, "#side"))) == 10
        await until(lambda: "obj of know" in words_in(app, "#parse"), app)
        await press(pilot, "j")
        assert "item 2" in screen_text(app)[0]
        await pilot.click("#side", offset=(8, app.screen.query_one(QueueList)._top(4)))
        assert "item 5" in screen_text(app)[0]


async def test_right_after_a_resize_the_room_is_used_and_given_back(session: Session) -> None:
    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert not any(app.screen.query_one(name).display for name in ("#side", "#sentences", "#parse", "#origin"))
        for size in ((160, 50), (120, 40), SMALL, (200, 60)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            shown = [name for name in PANELS if app.screen.query_one(name).display]
            assert shown == (["#findings", "#notes"] if size == SMALL else list(PANELS))
            if size != SMALL:
                assert "Generated in run 1" in words_in(app, "#origin")
                assert "L310" in words_in(app, "#findings")
                assert "8 -F -G1 -G2" in words_in(app, "#sentences")
            assert "▸1" in words_in(app, "#grid").replace("▸ 1", "▸1")


@pytest.mark.full
@pytest.mark.parametrize("columns", first_of([80, 160, 60, 120]))
async def test_the_selected_row_stays_in_sight_and_stands_where_it_would_whatever_came_before(
    session: Session, columns: int
) -> None:
    app = ReviewApp(session, parser=parser)
    stood: dict[tuple[str, int], set[tuple[int, ...]]] = {}
    async with app.run_test(size=(columns, 24)) as pilot:
        await settle(pilot)

        async def look(row: str, lines: int) -> None:
            await settle(pilot)
            shown = app.screen_stack[-2] if isinstance(app.screen, ReasonScreen) else app.screen
            grid = shown.query_one(ItemGrid)
            top, room = round(grid.scroll_y), grid.scrollable_content_region.height
            own = [number for number, line in enumerate(grid._lines) if line.row == int(row)]
            assert room > 0
            assert top <= own[0] < top + room, f"row {row} is out of sight in {columns}x{lines}: line {own[0]} of {top}+{room}"
            assert not grid.show_horizontal_scrollbar
            panel = shown.query_one(SentencesPanel)
            name = f"{row} {type(app.screen).__name__}"
            stood.setdefault((name, lines), set()).add((top, room, round(panel.scroll_y) if panel.display else 0))

        for row in ("8", "4"):
            await press(pilot, row)
            for lines in (24, 16, 14, 40, 14, 16, 24, 14):
                await pilot.resize_terminal(columns, lines)
                await look(row, lines)
            await press(pilot, "x")
            for lines in (24, 40, 24):
                await pilot.resize_terminal(columns, lines)
                await look(row, lines)
            await press(pilot, "escape")
            await pilot.resize_terminal(columns, 24)
            await look(row, 24)
            for _ in range(2):
                await press(pilot, "t")
                await look(row, 0)
    places = {where: found for where, found in stood.items() if where[1] and len(found) > 1}
    assert not places, "the same screen, reached over other sizes, stands elsewhere"


@pytest.mark.parametrize("size", first_of([SMALL, (160, 50), (120, 40), (200, 60)], 2))
@pytest.mark.parametrize("place", ["item", "triage"])
async def test_the_reason_chooser_covers_nothing(session: Session, size: tuple[int, int], place: str) -> None:
    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, *(["G"] if place == "triage" else ["7"] if size[0] >= 160 else ["t", "7"]))
        await settle(pilot)
        parts = ["#title", "#keys", *(["#grid", "#findings", "#protocol"] if place == "item" else ["#cards"])]
        parts += ["#sentences", "#side"] if place == "item" and size != SMALL else []
        before = {name: app.screen.query_one(name).region for name in parts}
        if place == "triage":
            await press(pilot, "j")  # the first one has an error, and opens
        await press(pilot, "x")
        await settle(pilot)
        chooser, behind = app.screen, app.screen_stack[-2]
        assert isinstance(chooser, ReasonScreen)
        covered = chooser.query_one(".dialog").region
        for name in parts:
            region = behind.query_one(name).region
            assert region.area > 0, name
            assert not region.overlaps(covered), (name, region, covered)
        sentence = session.view(1 if place == "item" else 2).item.sentences[6 if place == "item" else 0].text
        about = words_in(app, ".dialog").replace("│ ", "").replace(" │", "")
        assert sentence in re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹˒]| __", "", about)
        shown = screen_text(app)[: covered.y]
        if place == "item":
            assert "▸7 -F -G1 +G2" in " ".join(shown), "and so is the row that it stands in"
            assert f"{(session.view(1).item.slots or {})['verb']}¹ " in about, "with what the linter says of its words"
        assert "? help" in " ".join(shown)
        for number, reason in enumerate(session.guide.reasons, 1):
            assert f"{number} {reason}" in words_in(app, ".dialog")
        await press(pilot, "escape")
        await settle(pilot)
        assert {name: app.screen.query_one(name).region for name in parts} == before, "all is where it was"


async def test_beside_the_reasons_there_is_room_for_all_sentences_at_80x24(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "4", "x")
        await settle(pilot)
        assert isinstance(app.screen, ReasonScreen)
        shown = screen_text(app)
        assert app.screen.query_one(".dialog").region.height <= 9
        for number in range(1, 9):
            assert any(re.match(rf"[ ▸┃]{{1,2}}{number} [-+]F", line) for line in shown), number
        # The arrows go through them, and a click takes the one under the pointer.
        await press(pilot, "down", "down", "space")
        assert "●3 ungrammatical" in words_in(app, "#reasons")
        await press(pilot, "up", "enter")
        assert session.row(1).my_reason == "ungrammatical where it should be good"
        await press(pilot, "x")
        at = next(line.index("2 implausible") for line in text_in(app, "#reasons") if "2 implausible" in line)
        await pilot.click("#reasons", offset=(at, 0))
        await settle(pilot)
        assert session.row(2).my_reason == "implausible"


async def test_ctrl_c_and_ctrl_z_say_what_they_do_also_in_a_question(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "ctrl+c")
        assert "ctrl+q leaves" in text_of(app)
        await press(pilot, "ctrl+z")
        assert "No shell behind this" in text_of(app)
        await press(pilot, "x", "ctrl+c")
        assert isinstance(app.screen, ReasonScreen)
        assert "ctrl+q leaves" in text_of(app)
        assert not app._notifications


async def test_the_question_mark_is_help_everywhere(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        for keys in ((), ("g",), ("G",)):
            await press(pilot, *keys, "?")
            assert isinstance(app.screen, TextScreen)
            assert "Help" in text_of(app)
            await press(pilot, "?")
            assert not isinstance(app.screen, TextScreen)
    assert session.bank.decisions.judgements() == []


async def test_what_was_said_of_an_item_goes_when_another_one_comes(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "U")
        assert "nothing to redo" in text_of(app)
        await press(pilot, "j")
        assert "nothing to redo" not in text_of(app)
        await press(pilot, "a")
        assert "item 2 approved" in text_of(app), "what a key did to the item before is news"
        await press(pilot, "g", "U", "j")
        assert "nothing to redo" not in text_of(app)


async def test_the_queue_names_its_keys_and_cuts_no_sentence(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        bar = screen_text(app)[-1]
        for named in ("⏎ open", "/ search", "s sort", "A approve all", "L lock", "? help", "ctrl+q leave"):
            assert named in bar
        text = re.sub(r" +", " ", " ".join(screen_text(app)[1:-2]))
        for row in session.rows()[:8]:
            assert session.sentence_of(row) in text
        assert "…" not in text
        await pilot.click("#keys", offset=(bar.index("? help"), 0))
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)


async def test_the_queue_opens_at_its_top_where_the_item_has_room_there(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "j", "g")
        await settle(pilot)
        assert screen_text(app)[1].split()[1] == "1"


async def test_an_item_of_many_lines_is_one_step_and_one_click(make_bank: Callable[[int], Bank]) -> None:
    session = Session(make_bank(40), "ann")
    app = ReviewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "g", "j", "j")
        assert app.queue.position == 2
        await press(pilot, "end")
        assert app.queue.position == 39
        assert any(re.match(r"^ · +40 ", line) for line in screen_text(app))
        await press(pilot, "pageup")
        assert 20 < app.queue.position < 39
        await press(pilot, "home")
        top = screen_text(app)[1:4]
        assert re.match(r"^ · +1 ", top[0])
        assert re.match(r"^ {17}\S", top[1]), "the rest of the sentence stands below it"
        await pilot.click("#queue", offset=(20, 1))
        assert isinstance(app.screen, ItemScreen), "its second line is still that item"


# The doubtful first


async def test_the_doubtful_come_first_and_say_why(session: Session) -> None:
    app = ReviewApp(session, order="doubt")
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert [row.id for row in app.queue.rows][:3] == [1, 6, 2]
        assert "linter: error" in screen_text(app)[0]
        await press(pilot, "g")
        assert "the doubtful first" in screen_text(app)[0]
        assert "[linter: error]" in screen_text(app)[1]


def test_to_the_blind_doubt_tells_nothing_of_others(bank: Bank) -> None:
    """Two people disagree on item 4: who is blind has the order, and the reasons, of a bank without them."""
    from gapsmith.vetting.review.doubt import doubt_words

    ann = Session(bank, "ann")
    before = [row.id for row in ann.rows(order="doubt")]
    told = [doubt_words(row, sees_others=ann.sees_others(row)) for row in ann.rows(order="doubt")]
    for name, verdict in (("ben", Verdict.APPROVE), ("cy", Verdict.FLAG)):
        Session(bank, name).decide({4: ann.row(4).revision_id}, verdict)
    assert [row.id for row in ann.rows(order="doubt")] == before
    assert [doubt_words(row, sees_others=ann.sees_others(row)) for row in ann.rows(order="doubt")] == told
    ann.lock()
    first = ann.rows(order="doubt")[0]
    assert (first.id, doubt_words(first, sees_others=ann.sees_others(first))) == (4, "people disagree")
    adjudicator = Session(bank, "dee", adjudicating=True)
    assert adjudicator.rows(order="doubt")[0].id == 4


# A real terminal

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """The review in tmux, on a workspace with ten items."""
    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    fill_bank(tmp_path / "ws" / "bank.sqlite", 10).close()
    one = Tmux(tmp_path, tmp_path / "ws", "ann")
    one.wait_for("1 of 10")
    yield one
    one.close()


def _flag(tmux: Tmux, name: str) -> str:
    return tmux._run("display-message", "-p", f"#{{{name}}}").strip()


@needs_tmux
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_asked_to_end_gives_the_terminal_back(tmux: Tmux, asked: signal.Signals, tmp_path: Path) -> None:
    assert (_flag(tmux, "alternate_on"), _flag(tmux, "mouse_any_flag")) == ("1", "1")
    tmux.send("c")
    tmux.wait_for("A remark on item 1")
    tmux.send("half")
    tmux.wait_for("half")
    # The shell of the pane is the parent; the review is what it has started.
    (child,) = Path(f"/proc/{_flag(tmux, 'pane_pid')}/task/{_flag(tmux, 'pane_pid')}/children").read_text().split()
    # The shell that waits goes on once its program has ended; what the flags are then is seen before its pane is closed.
    tmux._run("set-option", "remain-on-exit", "on")
    os.kill(int(child), asked)
    assert tmux.exit_code() == 128 + asked
    end = time.monotonic() + 20
    while _flag(tmux, "alternate_on") != "0" and time.monotonic() < end:
        time.sleep(0.1)
    assert (_flag(tmux, "alternate_on"), _flag(tmux, "mouse_any_flag")) == ("0", "0")
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        assert [draft.text for draft in bank.review.drafts("ann")] == ["half"]


@needs_tmux
def test_ctrl_z_where_no_shell_minds_jobs_says_so_and_goes_on(tmux: Tmux) -> None:
    tmux.send("C-z")
    tmux.wait_for("No shell behind this")
    tmux.send("C-c")
    tmux.wait_for("ctrl+q leaves")
    tmux.send("C-q")
    assert tmux.exit_code() == 0


@needs_tmux
def test_ctrl_z_goes_back_to_a_shell_and_fg_comes_back(tmp_path: Path) -> None:
    import shlex
    import sys

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    fill_bank(tmp_path / "ws" / "bank.sqlite", 10).close()
    one = Tmux(tmp_path, tmp_path / "ws", "ann", program="bash --norc --noprofile -i")
    try:
        one.wait_for("bash-")
        code = "from gapsmith.app.cli.app import main; main()"
        one._run("send-keys", "-l", shlex.join([sys.executable, "-c", code, "review", "-w", str(tmp_path / "ws"), "--by", "ann"]))
        one.send("Enter")
        one.wait_for("1 of 10")
        one.send("C-z")
        one.wait_for("Stopped")
        assert _flag(one, "alternate_on") == "0"
        one._run("send-keys", "-l", "fg")
        one.send("Enter")
        one.wait_for("1 of 10")
        assert _flag(one, "alternate_on") == "1"
        # What is typed while the terminal changes hands is thrown away.
        while "ctrl+q leaves" not in one.screen():
            one.send("C-c")
        one.send("f")
        one.wait_for("1 decided")
        one.send("C-q")
        one.wait_for("decided in this session")
    finally:
        one.close()


async def test_a_parse_is_of_the_sentence_that_is_selected_or_says_that_it_is_not_also_after_a_resize(session: Session) -> None:
    def own(bank: Bank, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> list[ParseLine]:
        return [ParseLine(f"{item.label}:{sentence.condition}", "X", "root", "", 0)]

    app = ReviewApp(session, parser=own)

    def parse_of(row: int) -> str:
        item = app.queue.current
        assert item is not None
        return f"{item.label}:{session.view(item.id).rows[row].condition}"

    def is_shown(text: str) -> bool:
        return text in words_in(app, "#parse")

    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "down")
        for size in ((160, 50), SMALL, (120, 40)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            await press(pilot, "j")
            if size == SMALL:
                continue
            panel, first, second = app.screen.query_one(ParsePanel), parse_of(0), parse_of(1)
            await until(partial(is_shown, first), app)
            assert str(panel.border_title).startswith("Parse of sentence")
            await pilot.press("down")
            assert (panel.border_title == "Parse of the sentence before") is is_shown(first)
            await until(partial(is_shown, second), app)
            assert str(panel.border_title).startswith("Parse of sentence")
        await pilot.resize_terminal(*SMALL)
        await settle(pilot)
        await press(pilot, "j")
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        await until(partial(is_shown, parse_of(0)), app)


@pytest.mark.parametrize("size", first_of([(120, 40), (160, 24), (160, 50), (200, 60)]))
async def test_the_queue_beside_the_item_cuts_no_sentence(make_bank: Callable[[int], Bank], size: tuple[int, int]) -> None:
    session = Session(make_bank(40), "ann")
    app = ReviewApp(session)

    def beside() -> str:
        return " ".join(re.sub("[│▁-█]", " ", words_in(app, "#side")).split())

    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        rows = session.rows()
        assert sum(session.sentence_of(row) in beside() for row in rows) >= size[1] // 6
        for _ in range(4):
            assert session.sentence_of(rows[app.queue.position]) in beside()
            assert "…" not in beside()
            await press(pilot, "j")
        await press(pilot, "f")
        assert f"⚑ {rows[4].label} " in beside()


@pytest.mark.parametrize("size", first_of([SMALL, *WIDE], 2))
async def test_another_item_lays_nothing_out_anew_whatever_is_said_of_it(
    make_bank: Callable[[int], Bank], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = make_bank(12)
    said = [
        Finding("L310", Severity.WARNING, "“stun” may lack its object", "choose another verb", FindingPlace(slot="verb")),
        Finding(
            "L501",
            Severity.INFO,
            "a rare name, " + "which hardly anybody knows " * 6 + "at all",
            place=FindingPlace(slot="name2"),
        ),
        Finding("L402", Severity.WARNING, "two readings", place=FindingPlace(slot="adverb")),
    ]
    ids = bank.items.ids()
    bank.findings.replace("subject_pg", {item_id: said[: n % 4] for n, item_id in enumerate(ids)}, ruleset="varied")
    for item_id in ids[::3]:
        bank.review.comment(item_id, "one remark\nof two lines " * 5, author="ann")
    laid_out: list[object] = []
    of_textual = Screen._refresh_layout
    app = ReviewApp(Session(bank, "ann"), parser=parser)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        parts = ["#grid", "#findings", "#notes", *(["#sentences", "#origin", "#parse"] if size != SMALL else [])]
        regions = {name: app.screen.query_one(name).region for name in parts}

        def counted(screen: Screen[object], *given: Any) -> None:
            laid_out.append(screen)
            of_textual(screen, *given)

        monkeypatch.setattr(Screen, "_refresh_layout", counted)
        for _ in ids[1:]:
            await press(pilot, "j")
            assert {name: app.screen.query_one(name).region for name in parts} == regions
        assert laid_out == []
        # What has no room is scrolled to.
        app.queue.go(3)
        app.show_current()
        panel = app.screen.query_one(FindingsPanel)
        panel.focus()
        await press(pilot, "end")
        await settle(pilot)
        assert "knows at all" in words_in(app, "#findings")
        await press(pilot, "j")
        assert panel.scroll_y == 0, "another item is read from its beginning"


@pytest.mark.parametrize("size", first_of([(160, 50), SMALL]))
async def test_nothing_an_annotator_gets_tells_a_calibration_item_from_another(
    bank: Bank, size: tuple[int, int], tmp_path: Path
) -> None:
    first = bank.items.get(1)
    run = bank.runs.begin(
        kind="import",
        paradigm_id=first.paradigm_id,
        provider="file",
        identity="x",
        parameters={"dataset": "telltale", "file": "telltale.csv"},
    )
    items = [NewItem(first.slots, first.sentences, dataset="telltale")]
    (known,) = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply="words", items=items)
    everything = bank.items.ids()
    assert bank.items.get(known).dataset == "telltale"
    bank.assignments.assign(dict.fromkeys(everything, ("ann", "bo")), {known: Verdict.APPROVE}, by="zoe")
    session = Session(bank, "ann")
    app = ReviewApp(session, folder=tmp_path)
    seen = []
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        app.queue.find(known)
        app.show_current()
        await settle(pilot)
        for keys in (["w"], ["escape", "y"], ["Y"], ["x"], ["escape", "b"], ["escape", "i"], ["escape", "g"], ["G"], ["L"]):
            await press(pilot, *keys)
            await settle(pilot)
            seen.append(text_of(app))
        seen.append(app.clipboard)
    seen += [path.name + path.read_text(encoding="utf-8") for path in (tmp_path / "items").iterdir()]
    make_packet(session, tmp_path / "ann.xlsx", everything)
    book = load_workbook(tmp_path / "ann.xlsx")
    seen += [str(cell) for row in book["review"].iter_rows(values_only=True) for cell in row]
    assert len(seen) > 20
    assert not [
        one for one in seen if re.search(r"telltale|generated|imported|made-up|raw reply|\brun \d|lexicon", one.casefold())
    ]
    # Ids begin anew in every data set, and what came last stands at the end: neither is so here.
    rows = session.rows()
    names = [row.label for row in rows]
    assert names == sorted(names) != [row.label for row in sorted(rows, key=lambda row: row.id)]
    assert all(re.fullmatch("[b-df-hj-np-tv-z]{5}", name) for name in names)
    assert {cell.value for cell in book["review"]["A"][1:]} == set(names)
    shown = {name for name in names for text in seen if name in text}
    assert shown == set(names)
    assert [row.id for row in session.rows(parse_query(f"item:{session.row(known).label}"))] == [known]
    assert session.rows(parse_query("item:1")) == []
    with pytest.raises(ConfigError, match="data sets and runs are not named here"):
        session.rows(parse_query("run:1"))
    for scope in (Scope(dataset="telltale"), Scope(run_id=2)):
        with pytest.raises(ConfigError, match="data sets and runs are not named here"):
            Session(bank, session.author, scope=scope).rows()
    for order in ("random", "findings", "doubt", "status", "text"):
        assert len(session.rows(None, order)) == len(names)
    # Who adjudicates is told, by either name, and the run is shown after a lock.
    seeing = Session(bank, "zoe", adjudicating=True)
    assert seeing.source(seeing.row(known)) == "subject_pg/telltale"
    assert seeing.row(known).label == bank.items.get(known).label
    assert [row.id for row in seeing.rows(parse_query(f"item:{session.row(1).label}"))] == [1]
    assert "run 1" not in str(origin_text(session, session.view(1)))
    # After the lock an item is called as commands call it, and found by either name.
    before = session.row(known).label
    app = ReviewApp(session, folder=tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        app.queue.find(known)
        app.show_current()
        await press(pilot, "L", "y")
        await settle(pilot)
        assert app.queue.current is not None
        assert app.queue.current.id == known
        assert [row.id for row in app.queue.rows] == everything, "in the order in which they came"
        assert screen_text(app)[0].lstrip().startswith(f"item {bank.items.get(known).label} ")
        assert "subject_pg/telltale" in screen_text(app)[0]
    assert "run 1" in str(origin_text(session, session.view(1)))
    for name in (before, bank.items.get(known).label):
        assert known in [row.id for row in session.rows(parse_query(f"item:{name}"))]


async def test_who_adjudicates_sees_what_everybody_says_without_scrolling_at_80x24(bank: Bank) -> None:
    said = {
        "ann": (Verdict.APPROVE, None, "Fine for me, I had to read it twice though.", "Sounds natural in speech."),
        "bo": (
            Verdict.EXCLUDE,
            "implausible; not the intended reading",
            "One does not alarm people with photos; and soon is odd here.",
            "Perhaps with another verb, such as embarrass?",
        ),
    }
    for name, (verdict, reason, comment, remark) in said.items():
        session = Session(bank, name)
        session.decide({1: session.row(1).revision_id}, verdict, reason=reason, comment=comment)
        session.comment(1, remark)
    app = ReviewApp(Session(bank, "zoe", adjudicating=True))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        shown = words_in(app, "#notes")
        for words in said.values():
            assert set(" ".join(filter(None, words[1:])).replace(";", "; ").split()) <= set(shown.split())
        assert "ann: ✓ approved" in shown
        assert "bo: ✗ excluded" in shown
        # All sentences are there beside it, and what the linter says is named, and one key away.
        assert len(app.screen.query_one(ItemGrid).painted) == 8
        assert "L310" in text_of(app)
        await press(pilot, "tab")
        await settle(pilot)
        assert "may lack its object" in words_in(app, "#findings")


_IMPORTANT = {
    "item": "approve exclude flag undo queue peek lock help leave",
    "triage": "approve exclude flag undo group open help leave",
    "queue": "undo open search sort approve_all lock help leave",
    "group": "approve exclude flag",
}
"""What the line at the bottom names at 80×24."""


@pytest.mark.parametrize("size", [SMALL, (120, 120)])
async def test_every_key_of_every_screen_is_in_the_help_and_the_important_ones_in_the_line(
    bank: Bank, size: tuple[int, int]
) -> None:
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for place, way in {"item": [], "queue": ["g"], "triage": ["G"], "group": ["b", "enter"]}.items():
            await press(pilot, *way)
            await settle(pilot)
            here = [command for command in COMMANDS if place in command.places]
            bound = {one.id.partition(".")[2] for one in app.screen.BINDINGS if isinstance(one, Binding) and one.id is not None}
            assert bound == {command.name for command in here}
            shown = text_of(app)
            for command in here:
                key = key_label(app.keys[command.name][0])
                named = f"{key}: {command.name} all" if place == "group" else f"{key} {command.short or command.title}"
                assert named in shown or command.name not in _IMPORTANT[place].split(), (place, command.name)
            if size == SMALL or place == "group":
                continue
            await press(pilot, "f1")
            await settle(pilot)
            said = " ".join(words_in(app, "#text").split())
            assert [one.name for one in here if " ".join(one.help.split()[:4]) not in said] == [], "tall enough for all"
            await press(pilot, "escape")
            await settle(pilot)


_DRAWN = re.compile("[─-▟\u2800-\u28ff]")
"""Frames and bars."""
_TYPOGRAPHY = set("’”‘–")


def test_the_signs_on_the_page_of_the_review_are_those_of_the_screens() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    table = docs.partition("| on screen | means |\n|---|---|\n")[2].partition("\n\n")[0]
    meanings = {meaning: sign for sign, meaning in SIGNS.items()}
    rows = [line.strip("|").split("|") for line in table.splitlines()]
    assert len(rows) > 6
    for shown, meaning in rows:
        assert all(part in shown for part in meanings[meaning.strip()]), shown


async def test_before_the_first_parse_it_says_that_one_is_made(session: Session) -> None:
    go_on = threading.Event()

    def slow(*asked: object) -> list[ParseLine]:
        go_on.wait(20)
        return parser(*asked)

    app = ReviewApp(session, parser=slow)
    async with app.run_test(size=(160, 50)) as pilot:
        try:
            await pilot.pause()
            await until(lambda: "Parsing …" in words_in(app, "#parse"), app)
            assert app.screen.query_one(ParsePanel).border_title == "Parse"
            await press(pilot, "j")
            assert "Parsing …" in words_in(app, "#parse"), "still of no sentence"
            assert app.screen.query_one(ParsePanel).border_title == "Parse"
        finally:
            go_on.set()
        await until(lambda: "obj of know" in words_in(app, "#parse"), app)


@pytest.mark.full
async def test_every_sign_on_the_screens_is_explained_in_the_help(bank: Bank) -> None:
    session = Session(bank, "ann")
    session.decide({3: session.row(3).revision_id}, Verdict.APPROVE)
    session.decide({4: session.row(4).revision_id}, Verdict.EXCLUDE, reason="implausible")
    session.decide({5: session.row(5).revision_id}, Verdict.FLAG)
    session.decide({8: session.row(8).revision_id}, Verdict.APPROVE)
    session.comment(6, "a remark")
    other = Session(bank, "bo")
    view = other.view(3)
    other.save_slots(view, {**(view.item.slots or {}), "verb": "delight"})
    app = ReviewApp(session, parser=parser)
    shown: set[str] = set()
    helped = ""
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        app.queue.find(3)
        app.show_current()
        walk = [
            ["k"],
            ["k", "o", "*"],
            ["P"],
            ["e"],
            ["escape", "2", "E"],
            ["escape", "x", "space"],
            ["escape", "c"],
            ["escape", "w"],
        ]
        for keys in [
            *walk,
            ["escape", "g"],
            ["s", "s", "s"],
            ["/"],
            ["escape", "G"],
            ["a"],
            ["g", "G", "b"],
            ["escape", "L"],
            ["escape"],
        ]:
            await press(pilot, *keys)
            await settle(pilot)
            shown |= set("".join(screen_text(app)))
        await press(pilot, "?")
        for _ in range(6):
            helped += text_of(app)
            await press(pilot, "pagedown")
    adjudication = ReviewApp(Session(bank, "zoe", adjudicating=True))
    async with adjudication.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        shown |= set("".join(screen_text(adjudication)))
    signs = {one for one in shown if not one.isascii() and not one.isalpha() and not _DRAWN.match(one)} - _TYPOGRAPHY
    known = "".join(SIGNS) + "²³⁴⁵⁶⁷⁸⁹"
    assert {"↻", "✓", "✗", "⚑", "▸", "·"} <= signs, "the walk has come by them"
    assert signs <= set(known), signs - set(known)
    for meaning in SIGNS.values():
        assert " ".join(meaning.split()[:6]) in helped


def _disputed(bank: Bank, item_id: int) -> None:
    for name, verdict, said in (("ann", Verdict.APPROVE, "Fine for me."), ("bo", Verdict.EXCLUDE, "Odd with soon.")):
        session = Session(bank, name)
        view = session.view(item_id)
        reason = "implausible" if verdict is Verdict.EXCLUDE else None
        session.decide({item_id: view.item.revision_id}, verdict, reason=reason, comment=f"{name} says so")
        session.comment(item_id, said)
        session.judge(view, view.rows[1], "*" if reason else "?")


@pytest.mark.parametrize("size", first_of([SMALL, (160, 50), (80, 30), (100, 24), (120, 24)], 2))
async def test_who_adjudicates_has_the_selected_sentence_in_full(bank: Bank, size: tuple[int, int]) -> None:
    for item_id in (1, 2):
        _disputed(bank, item_id)
    session = Session(bank, "zoe", adjudicating=True)
    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for item_id in (1, 2):
            app.queue.find(item_id)
            app.show_current()
            await settle(pilot)
            for row in session.view(item_id).rows:
                assert row.sentence is not None
                await press(pilot, str(row.number))
                await settle(pilot)
                shown = re.sub("[‹›\\[\\]¹²³]|__", "", f"{words_in(app, '#grid')} {words_in(app, '#sentences')}")
                assert row.sentence.text in " ".join(shown.split()).replace(" .", "."), (item_id, row.number)
                assert len(app.screen.query_one(ItemGrid).painted) == 8
                assert "ann says so" in words_in(app, "#notes")


@pytest.mark.parametrize("size", [SMALL, (160, 50)])
async def test_who_adjudicates_reads_everything_once(bank: Bank, size: tuple[int, int]) -> None:
    _disputed(bank, 2)
    app = ReviewApp(Session(bank, "zoe", adjudicating=True))
    async with app.run_test(size=size) as pilot:
        app.queue.find(2)
        app.show_current()
        await settle(pilot)
        notes = app.screen.query_one("#notes", Panel)
        assert notes.max_scroll_y == 0, "all of it is in sight"
        shown = words_in(app, "#notes")
        for once in (
            "ann: ✓ approved",
            "bo: ✗ excluded",
            "implausible",
            "ann says so",
            "bo says so",
            "Fine for me.",
            "Odd with soon.",
        ):
            assert shown.count(once) == 1, once
        assert len(re.findall(r"\bapproved\b", shown)) == 1
        assert len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", shown)) == 2
        assert shown.count("many at") == 2, "how they decided is told still"


async def test_where_sentences_stand_in_full_in_the_table_they_are_not_told_again(session: Session) -> None:
    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        text = session.view(1).item.sentences[6].text.split(" about ")[0].replace(" that ", " ‹that› ")
        assert app.screen.query_one(SentencesPanel).region.area > 0
        await press(pilot, "z")
        await settle(pilot)
        assert words_in(app, "#main").count(text) == words_in(app, "#grid").count(text)
        assert app.screen.query_one(SentencesPanel).region.area == 0
        await press(pilot, "z")
        await settle(pilot)
        assert app.screen.query_one(SentencesPanel).region.area > 0


@pytest.mark.parametrize("size", [SMALL, (160, 50)])
async def test_what_an_edit_changes_stands_in_whole_sentences_where_they_fit(session: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "E", "x", "y")
        await settle(pilot)
        words = session.view(1).item.sentences[0].text.split(" ")
        shown = words_in(app, "#preview")
        assert f"{' '.join(words[:-1])} [-{words[-1]}-] {{+{words[-1]}xy+}}" in shown
        assert "…" not in shown
        await press(pilot, "ctrl+d", "e", "x")
        await settle(pilot)
        shown = words_in(app, "#preview")
        # All that change are in sight, in as many words as that leaves room for.
        assert len(re.findall(r"[+-]F [+-]G1 [+-]G2", shown)) == 8
        assert ("…" in shown) == (size == SMALL)
        await press(pilot, "ctrl+s", "y")
        await settle(pilot)
        told = words_in(app, "#notes")
        assert told.count("{+") == 1, "what is the same in all sentences is told once"
        assert ("… " in told) == (size == SMALL)
