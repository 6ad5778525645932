"""Acceptability studies: the file, the sheets, judging in the terminal, in packets and in a browser, and what came of it."""

from __future__ import annotations

import csv
import io
import re
import statistics
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

import gapsmith as api
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, BankError, LockedError, StoredItem, Verdict
from gapsmith.bank.log import entries
from gapsmith.bank.merging import merge
from gapsmith.templates import load_paradigm
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.agreement_pages import agreement_report
from gapsmith.vetting.review import (
    AcceptabilityStudy,
    Session,
    answers_of,
    judge_trial,
    load_study,
    practice_trials,
    sheet,
    study_text,
    waiting_trials,
)
from gapsmith.vetting.review.acceptability import ANCHORS, SheetTrial, StudyItem, _spread
from gapsmith.vetting.review.answer_quality import straight_runs, too_fast, z_scores
from gapsmith.vetting.review.edits import with_slots
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.norming import Scale
from gapsmith.vetting.tui import NormingApp, ReviewApp
from gapsmith.vetting.tui.dialogs import ConfirmScreen
from gapsmith.vetting.web import JudgingDesk, Link, PageServer, listen
from tests.conftest import CommandOutcome
from tests.interface import expect_results, expect_table
from tests.printed import result, results
from tests.vetting.reviewing import fill_bank, press, until
from tests.vetting.test_tui_item import SMALL, text_of
from tests.vetting.test_tui_keys import settle

Run = Callable[..., CommandOutcome]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with 41 items in eight conditions."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    fill_bank(tmp_path / "bank.sqlite", 41).close()
    return tmp_path


def made(gapsmith: Run, *more: str, to: str = "ann ben cy") -> AcceptabilityStudy:
    """A study of the workspace."""
    people = [word for name in to.split() for word in ("--to", name)]
    done = gapsmith("judge", "new", "study.toml", *people, *more)
    assert done.code == 0, done.err
    return load_study(Path("study.toml"))


# Sheets


def test_a_sheet_has_every_item_once_by_latin_square(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, to=" ".join(f"p{number}" for number in range(8)))
    with Bank.open(place / "bank.sqlite") as bank:
        sheets = [sheet(study, bank, name) for name in study.annotators]
        seen: Counter[tuple[int, str]] = Counter()
        for one in sheets:
            assert sorted(trial.item_id for trial in one) == list(range(1, 42)), "41 sentences, not 328"
            assert [trial.place for trial in one] == list(range(1, 42))
            by_condition = Counter(trial.condition for trial in one)
            assert set(by_condition) == set(study.conditions)
            assert max(by_condition.values()) - min(by_condition.values()) <= 1
            seen.update((trial.item_id, trial.condition) for trial in one)
        assert set(seen.values()) == {1}, "over the lists of the square every item is seen in every condition, once"
        assert len(seen) == 41 * 8
        assert sheets[0] == sheet(study, bank, "p0"), "it depends on the file alone"
        assert [one.item_id for one in sheets[0]] != [one.item_id for one in sheets[1]], "an order of one's own"


@settings(max_examples=60, deadline=None)
@given(
    items=st.integers(2, 30),
    rounds=st.integers(2, 8),
    fillers=st.integers(0, 40),
    apart=st.integers(2, 12),
    seed=st.integers(0, 99),
)
def test_siblings_stand_as_far_apart_as_was_asked_or_it_is_refused(
    items: int, rounds: int, fillers: int, apart: int, seed: int
) -> None:
    import random

    def trial(item_id: int, condition: str, *, filler: bool = False) -> SheetTrial:
        return SheetTrial(-1, item_id, 1, str(item_id), condition, "text", filler)

    extra = [trial(1000 + number, "f", filler=True) for number in range(fillers)]
    blocks = [[trial(item, str(turn)) for item in range(items)] + extra[turn::rounds] for turn in range(rounds)]
    if min(map(len, blocks)) < apart:
        with pytest.raises(ConfigError, match=f"cannot stand {apart} apart"):
            _spread(blocks, apart, random.Random(seed))
        return
    ordered = _spread(blocks, apart, random.Random(seed))
    assert Counter((one.item_id, one.condition) for one in ordered) == Counter(
        (one.item_id, one.condition) for block in blocks for one in block
    )
    last: dict[int, int] = {}
    for number, one in enumerate(ordered):
        assert number - last.get(one.item_id, -apart) >= apart
        last[one.item_id] = number


def test_all_conditions_with_siblings_apart_and_fillers_between(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, "--shown", "all", "--apart", "12", "--condition", "pf_pg1_pg2", "--condition", "mf_pg1_pg2")
    with Bank.open(place / "bank.sqlite") as bank:
        ordered = sheet(study, bank, "ben")
        assert len(ordered) == 82
        places: dict[int, list[int]] = {}
        for one in ordered:
            places.setdefault(one.item_id, []).append(one.place)
        assert all(second - first >= 12 for first, second in places.values())
    refused = gapsmith("judge", "new", "other.toml", "--to", "ann", "--shown", "all", "--apart", "60")
    assert refused.code == 2
    assert "cannot stand 60 apart" in refused.err
    assert not (place / "other.toml").exists()


def test_fillers_come_from_a_data_set_in_one_condition_each(place: Path, gapsmith: Run) -> None:
    assert gapsmith("generate", "subject_pg", "-n", "6", "--seed", "9", "-d", "extra").code == 0
    study = made(gapsmith, "--fillers", "extra")
    assert len(study.fillers) == 6
    with Bank.open(place / "bank.sqlite") as bank:
        ordered = sheet(study, bank, "ann")
        assert len(ordered) == 47
        fillers = [one for one in ordered if one.filler]
        assert len({one.item_id for one in fillers}) == 6
        assert [one.place for one in fillers] != list(range(42, 48)), "between the items, not after them"


# The file


def test_the_file_comes_back_without_loss_and_says_what_is_wrong_with_it(place: Path, gapsmith: Run) -> None:
    study = made(
        gapsmith, "--question", 'How "good" is\tthis?', "--points", "3", "--anchor", "bad", "--anchor", "so so", "--anchor", "ü"
    )
    path = place / "study.toml"
    assert load_study(path) == study
    odd = replace(study, practice=("a\x7f \\ b", "“c”"), straight_run=3, fastest_words_per_second=7.5)
    path.write_text(study_text(odd), encoding="utf-8")
    assert load_study(path) == odd
    assert odd.digest == study.digest, "what is marked afterwards does not decide what is shown"
    assert replace(study, points=2, anchors=ANCHORS[2]).digest != study.digest
    text = path.read_text(encoding="utf-8")
    for old, new, said in (
        ('task = "scale"', 'task = "scall"', "there is no task 'scall'"),
        ('"so so", ', "", "wants a name for each point, and has 2"),
        ("straight_run", "straight_runs", "unknown key 'straight_runs'"),
        ("apart = 10", 'apart = "10"', "apart is not what it should be"),
        ("version = 1", "version = 2", "has version 2"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        refused = gapsmith("review", "--judge", "study.toml", "--by", "ann")
        assert refused.code == 2
        assert said in " ".join(refused.err.split())


def test_what_cannot_be_a_study_is_refused_before_anything_is_written(place: Path, gapsmith: Run) -> None:
    for words, said in (
        (["--task", "choice"], "a choice is between two conditions, not 8"),
        (["--points", "8"], "wants a name for each point, and has 0"),
        (["--points", "12"], "cannot be typed with one digit"),
        (["--condition", "nope"], "has no sentence in the condition 'nope'"),
        (["--status", "approved"], "a study has items"),
        (["--fillers", "nowhere"], "nowhere"),
    ):
        done = gapsmith("judge", "new", "s.toml", "--to", "ann", *words)
        assert done.code == 2, words
        assert said in " ".join(done.err.split()), words
    assert not (place / "s.toml").exists()
    made(gapsmith)
    again = gapsmith("judge", "new", "study.toml", "--to", "ann")
    assert again.code == 2
    assert "is there already" in again.err


def test_an_item_that_was_edited_since_is_refused_by_name(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith)
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "zoe")
        view = session.view(7)
        session.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        with pytest.raises(ConfigError, match="edited since the study was made: item 7"):
            sheet(study, bank, "ann")
        gone = replace(study, items=(*study.items, StudyItem("99", "ab" * 16, "cd" * 32)))
        with pytest.raises(ConfigError, match="not in this bank: item 99"):
            sheet(gone, bank, "ann")
    assert "item 7" in gapsmith("review", "--judge", "study.toml", "--by", "ann").err


def test_who_is_not_in_the_study_has_no_sheet(place: Path, gapsmith: Run) -> None:
    made(gapsmith)
    for words in (
        ["review", "--judge", "study.toml", "--by", "zoe"],
        ["packet", "make", "z.xlsx", "--for", "zoe", "--judge", "study.toml"],
    ):
        refused = gapsmith(*words)
        assert refused.code == 2
        assert "zoe has no sheet" in refused.err
        assert "Are you" not in refused.err
    assert "Are you ann? Then say so: ann." in " ".join(gapsmith("review", "--judge", "study.toml", "--by", "Ann").err.split())
    assert "Did you mean study.toml?" in " ".join(gapsmith("judge", "results", "stduy.toml").err.split())
    for words in (["--order", "random"], ["-p", "subject_pg"], ["--scale", "5"]):
        assert "decides what is judged" in gapsmith("review", "--judge", "study.toml", *words).err
    assert "a study is judged" in gapsmith("review", "study.toml").err


# The terminal


async def test_every_point_has_its_name_on_screen_practice_is_not_kept_and_a_break_comes(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, "--pause-every", "3")
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "ann")
        waiting = waiting_trials(study, bank, "ann")
        app = NormingApp(session, waiting, Scale.of(study), study=study, practice=practice_trials(study))
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            text = text_of(app)
            assert study.question in text
            assert "practice: not kept" in text
            for number, name in enumerate(study.anchors, 1):
                assert f"{number} {name}" in text
            await press(pilot, "7", "1", "4")
            assert bank.decisions.judgements() == []
            assert "From here on, answers count" in text_of(app)
            assert "0 of 41 done, 41 left" in text_of(app)
            assert waiting[0].text in text_of(app)
            await press(pilot, "space")
            assert "answered in its place" in text_of(app)
            assert waiting[0].text in text_of(app)
            assert "␣" not in text_of(app), "a key that does nothing is not offered"
            await press(pilot, "?")
            assert "none can be put off" in text_of(app)
            await press(pilot, "escape")
            await press(pilot, "2", "6", "3")
            assert "A break" in text_of(app)
            assert "␣ go on" in text_of(app)
            await press(pilot, "5")
            assert len(bank.decisions.judgements()) == 3
            await press(pilot, "space", "4")
            kept = bank.decisions.judgements()
            assert [(one.rating, one.place, one.study, one.points) for one in kept] == [
                (rating, number, study.digest, 7) for number, rating in enumerate("2634", 1)
            ]
            assert [(one.item_id, one.condition) for one in kept] == [(t.item_id, t.condition) for t in waiting[:4]]
            assert all(one.seconds is not None for one in kept)
            await press(pilot, "backspace")
            assert "Taken back" in text_of(app)
            assert len(bank.decisions.judgements()) == 3
        assert waiting_trials(study, bank, "ann") == waiting[3:]
        assert len(waiting_trials(study, bank, "ben")) == 41


async def test_a_forced_choice_shows_two_and_keeps_which_and_where_it_stood(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, "--task", "choice", "--condition", "pf_pg1_pg2", "--condition", "mf_pg1_pg2")
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "ann")
        waiting = waiting_trials(study, bank, "ann")
        assert len(waiting) == 41
        assert {one.condition for one in waiting} == {"pf_pg1_pg2", "mf_pg1_pg2"}, "either stands first"
        app = NormingApp(session, waiting, Scale.of(study), study=study)
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            text = text_of(app)
            assert f"1 {waiting[0].text}" in text
            assert f"2 {waiting[0].other_text}" in text
            await press(pilot, "2", "1", "2", "backspace")
        first, second = bank.decisions.choices()
        assert (first.chosen, first.other, first.first) == (waiting[0].other_condition, waiting[0].condition, False)
        assert (second.chosen, second.first, second.place, second.study) == (waiting[1].condition, True, 2, study.digest)
        assert bank.decisions.judgements() == [], "a choice is no rating"
        assert bank.faults() == []
        assert [one.answer for one in answers_of(study, bank, "ann")] == [first.chosen, second.chosen]


def test_choices_travel_with_a_copy_of_the_bank_and_the_blind_see_their_own(place: Path, gapsmith: Run, tmp_path: Path) -> None:
    study = made(gapsmith, "--task", "choice", "--condition", "pf_pg1_pg2", "--condition", "mf_pg1_pg2")
    assert gapsmith("bank", "backup", "other.sqlite").code == 0
    with Bank.open(place / "other.sqlite") as other:
        for name in ("ann", "ben"):
            session = Session(other, name)
            for one in sheet(study, other, name)[:4]:
                judge_trial(session, one, "1", Scale.of(study), 2.0, study)
        log = list(entries(other))
    with Bank.open(place / "bank.sqlite") as bank:
        merge(bank, log, "other")
        assert len(bank.read_by("zoe", everything=True).decisions.choices()) == 8
        assert {one.author for one in bank.read_by("ann", reviewing=True).decisions.choices()} == {"ann"}
        assert bank.faults() == []


# Packets


def test_a_sheet_goes_out_and_comes_back_as_answers(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith)
    done = gapsmith("packet", "make", "ann.xlsx", "--for", "ann", "--judge", "study.toml")
    assert done.code == 0, done.err
    book = load_workbook(place / "ann.xlsx")
    rows = list(book[book.sheetnames[0]].iter_rows())
    assert len(rows) == 42
    with Bank.open(place / "bank.sqlite") as bank:
        assert [row[1].value for row in rows[1:]] == [one.text for one in sheet(study, bank, "ann")]
        # Nothing tells the condition, or which sentences are of one item.
        cells = " ".join(str(cell.value) for row in rows for cell in row)
        assert not any(name in cells for name in study.conditions)
        assert not any(item.uid.hex() in cells for item in bank.items.iterate())
    legend = [row[4].value for row in rows[1:9]]
    assert legend == [study.question, *(f"{number} = {name}" for number, name in enumerate(study.anchors, 1))]
    rows[1][3].value, rows[2][3].value, rows[3][3].value = "3", "completely natural", None
    book.save(place / "ann.xlsx")
    assert "--judge STUDY.toml" in gapsmith("packet", "take", "ann.xlsx").err
    taken = gapsmith("packet", "take", "ann.xlsx", "--judge", "study.toml", "--json")
    assert result(taken.out) == {"author": "ann", "taken": 2, "known": 0, "empty": 39, "otherwise": 0}
    again = gapsmith("packet", "take", "ann.xlsx", "--judge", "study.toml", "--json")
    assert result(again.out) == {"author": "ann", "taken": 0, "known": 2, "empty": 39, "otherwise": 0}
    # Whoever takes it in, it is said how far ann is; and what is filled in otherwise than before is not passed over.
    rows[1][3].value = "4"
    book.save(place / "ann.xlsx")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", "zoe")
        changed = gapsmith("packet", "take", "ann.xlsx", "--judge", "study.toml")
    # A packet for somebody is made by who leads the bank, here ann.
    more = gapsmith("packet", "make", "more.xlsx", "--for", "ann", "--judge", "study.toml")
    assert "0 answers; 2 answered before" in changed.err
    assert "ann had answered 1 sentence otherwise before: the earlier answers stay" in " ".join(changed.err.split())
    assert all("2 of 41" in told.err for told in (changed, more)), (changed.err, more.err)
    assert len(list(load_workbook(place / "more.xlsx").worksheets[0].iter_rows())) == 40
    with Bank.open(place / "bank.sqlite") as bank:
        assert [(one.rating, one.place, one.study) for one in bank.decisions.judgements()] == [
            ("3", 1, study.digest),
            ("7", 2, study.digest),
        ]


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [(3, "9", "'9' is no answer"), (5, "ben", "was not made for 'ben'"), (1, "Another one.", "not the one that was sent")],
)
def test_a_packet_that_was_changed_is_refused_whole(place: Path, gapsmith: Run, column: int, value: str, said: str) -> None:
    made(gapsmith)
    gapsmith("packet", "make", "ann.xlsx", "--for", "ann", "--judge", "study.toml")
    book = load_workbook(place / "ann.xlsx")
    rows = list(book[book.sheetnames[0]].iter_rows())
    rows[1][3].value = rows[2][3].value = "3"
    for row in rows[2:] if column != 5 else rows[1:]:
        if column == 5 or row is rows[2]:
            row[column].value = value
    book.save(place / "ann.xlsx")
    refused = gapsmith("packet", "take", "ann.xlsx", "--judge", "study.toml")
    assert refused.code != 0
    assert said in " ".join(refused.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.decisions.judgements() == []


# The browser


class Forms(HTMLParser):
    """The forms of a page: action, hidden fields, buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self.buttons: list[str] = []
        self.scripts = 0
        self._now: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.scripts += tag == "script" or any(name.startswith("on") for name in said)
        if tag == "form":
            self._now = self.forms.setdefault(said["action"], {})
        elif tag == "input":
            self._now[said["name"]] = said["value"]
        elif tag == "button" and "value" in said:
            self.buttons.append(said["value"])


class Time:
    """A clock that goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def serving(desk: Any, *names: str) -> AsyncIterator[PageServer]:
    """A server of pages on a free port."""
    with listen(0) as listening:
        server = PageServer([Link(name) for name in names], desk, port=listening.getsockname()[1])
        runner = web.AppRunner(await server.make_app())
        await runner.setup()
        await web.SockSite(runner, listening).start()
        try:
            yield server
        finally:
            await runner.cleanup()


async def test_judging_in_a_browser_is_plain_pages_with_a_button_for_every_point(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, "--pause-every", "2", "--practice", "One to practise on.")
    clock = Time()
    desk = JudgingDesk(place / "bank.sqlite", Scale.of(study), study=study, clock=clock)
    jar = aiohttp.CookieJar(unsafe=True)
    async with serving(desk, "ann", "ben") as server, aiohttp.ClientSession(cookie_jar=jar) as http:
        base = server.public_url

        async def send(action: str, said: dict[str, str]) -> str:
            async with http.post(f"{base}/{action}", data=said, headers={"Origin": base}) as answer:
                assert answer.status == 200
                return await answer.text()

        async with http.get(server.url(server.links[0])) as answer:
            page = await answer.text()
            assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["Referrer-Policy"] == "same-origin", "else browsers tell no origin of forms"
            assert "token" not in str(answer.url)
        forms = Forms(page)
        assert (forms.buttons, forms.scripts) == (list("1234567"), 0)
        assert "One to practise on." in page
        assert re.search(r"practice: not kept, 1 of 1 · 0 of \d+ done, \d+ left<", page), page
        assert "<title>Judging sentences: ann</title>" in page, "the name of a study may say what it is about"
        assert 'name="viewport"' in page
        assert all(name in page for name in study.anchors)
        with Bank.open(place / "bank.sqlite") as bank:
            waiting = sheet(study, bank, "ann")
            page = await send("answer", {**forms.forms["/answer"], "value": "4"})
            assert bank.decisions.judgements() == [], "practice"
            assert waiting[0].text in page
            assert "That was practice. From here on, answers count." in page
            assert not any(word in page for word in ("L310", "+F", "expected", waiting[0].condition.upper()))
            said = Forms(page).forms["/answer"]
            clock.now += 2.5
            page = await send("answer", {**said, "value": "6"})
            (kept,) = bank.decisions.judgements()
            assert (kept.author, kept.rating, kept.seconds, kept.place) == ("ann", "6", 2.5, 1)
            # A second tap on the page of before is about a sentence that is answered.
            page = await send("answer", {**said, "value": "1"})
            assert "What was answered first stays as it was. This is the next sentence." in page
            page = await send("answer", {**Forms(page).forms["/answer"], "value": "11"})
            assert "not on the scale. The scale has 1, 2" in page
            assert len(bank.decisions.judgements()) == 1
            page = await send("answer", {**Forms(page).forms["/answer"], "value": "2"})
            assert "A break" in page
            assert "That was practice" not in page
            page = await send("answer", {**said, "value": "1"})
            assert "it was not kept" in page
            assert "This is the next sentence" not in page, "no sentence is there"
            page = await send("go", {})
            assert waiting[2].text in page
            page = await send("undo", {})
            assert waiting[1].text in page
            assert len(bank.decisions.judgements()) == 1


async def test_pages_have_the_gates_of_the_review(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith)
    desk = JudgingDesk(place / "bank.sqlite", Scale.of(study), study=study)
    async with serving(desk, "ann") as server, aiohttp.ClientSession() as http:
        base, cookie = (
            server.public_url,
            {"Cookie": f"gapsmith_review_{server.public_url.rsplit(':', 1)[1]}={server.links[0].token}"},
        )
        form = {"value": "1", "shown": "x"}
        for method, path, headers, status in (
            ("GET", "/", {}, 401),
            ("GET", "/?token=wrong", {}, 401),
            ("GET", "/", {**cookie, "Host": "evil.example"}, 403),
            ("GET", "/", {**cookie, "Origin": "https://evil.example"}, 403),
            ("POST", "/answer", {"Origin": base}, 401),
            ("POST", "/answer", cookie, 403),
            ("POST", "/answer", {**cookie, "Origin": "null"}, 403),
            ("POST", "/answer", {**cookie, "Origin": "https://evil.example"}, 403),
            ("POST", "/answer", {**cookie, "Origin": base, "Sec-Fetch-Site": "cross-site"}, 403),
            ("GET", "/", cookie, 200),
        ):
            async with http.request(method, f"{base}{path}", headers=headers, data=form if method == "POST" else None) as answer:
                assert answer.status == status, (method, path, headers)
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.decisions.judgements() == []


async def test_judging_without_a_study_in_a_browser_and_who_has_no_share(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign({1: ("ann",)}, by="zoe")
    desk = JudgingDesk(place / "bank.sqlite", Scale.likert(5))
    assert Forms(desk.page("ann")).buttons == list("12345")
    assert "8 to go" in desk.page("ann")
    assert "ben has no share" in desk.page("ben")


async def test_everybody_is_told_the_same_count_of_a_sheet_everywhere(place: Path, gapsmith: Run) -> None:
    """Fillers count like the others, practice does not; on the screen, the page, the lead's page, in packets and results."""
    assert gapsmith("generate", "lan_pg", "-n", "6", "--seed", "3", "-d", "fillers").code == 0
    study = made(gapsmith, "-p", "subject_pg", "--fillers", "fillers", to="ann ben")
    with Bank.open(place / "bank.sqlite") as bank:
        session, trials = Session(bank, "ann"), sheet(study, bank, "ann")
        assert sum(one.filler for one in trials) == 6
        waiting, practice = waiting_trials(study, bank, "ann"), practice_trials(study)
        app = NormingApp(session, waiting, Scale.of(study), study=study, practice=practice)
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            assert "practice: not kept 1 of 3" in text_of(app)
            assert "0 of 47 done, 47 left" in text_of(app)
            await press(pilot, "1", "2", "3")
            for number in range(12):
                assert f"{number} of 47 done, {47 - number} left" in text_of(app), "no number tells a filler from another"
                await press(pilot, "34"[number % 2])
            told = "12 of 47 done, 35 left"
            assert told in text_of(app)
        again = NormingApp(session, waiting_trials(study, bank, "ann"), Scale.of(study), study=study)
        async with again.run_test(size=SMALL) as pilot:
            await settle(pilot)
            assert told in text_of(again), "also after leaving and coming back"
    assert told in JudgingDesk(place / "bank.sqlite", Scale.of(study), study=study).page("ann")
    assert f"ann: {told}" in gapsmith("packet", "make", "a.xlsx", "--for", "ann", "--judge", "study.toml").err
    assert f"ann: {told}" in gapsmith("packet", "take", "a.xlsx", "--judge", "study.toml").err
    assert f"ann: {told}" in gapsmith("judge", "results", "study.toml", "--by", "ann", "--mine").out
    assert f"study, ann: {told}" in gapsmith("lab").out, "what the file is called"
    gapsmith("lab", "--out", "lab.html")
    assert f"study, ann: {told}" in (place / "lab.html").read_text(encoding="utf-8")
    assert told not in gapsmith("lab", "--by", "ben").out


def test_who_has_not_begun_a_study_is_told_to_the_lead_and_to_themselves(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = made(gapsmith, "--n", "3", "--seed", "1", to="ann ben")
    with Bank.open(place / "bank.sqlite") as bank:
        judge_trial(Session(bank, "ann"), sheet(study, bank, "ann")[0], "6", Scale.of(study), 3.0, study)
        bank.gate.hand_on("lea")
    told = gapsmith("lab", "--by", "lea").out
    assert "    study, ann: 1 of 3 done, 2 left" in told
    assert "    study, ben: 0 of 3 done, 3 left" in told
    assert "study study" not in told
    assert "ben has not begun, 3 left in study. gapsmith review --judge study.toml --by ben" in " ".join(told.split())
    assert {(one["author"], one["left"]) for one in results(gapsmith("lab", "--by", "lea", "--json").out)[0]["sheets"]} == {
        ("ann", 2),
        ("ben", 3),
    }
    own = gapsmith("lab", "--by", "ben").out
    assert f"study {study.digest[:8]}, ben: 0 of 3 done, 3 left" in own
    assert not re.search(r"\bann\b", own)
    assert "study.toml" not in own, "its name may say what it is about"
    for name, left in (("ann", 2), ("ben", 3), ("cy", 0)):
        monkeypatch.setenv("GAPSMITH_ANNOTATOR", name)
        steps = [one for one in results(gapsmith("next", "--json").out) if one["kind"] == "judge"]
        assert [one["command"] for one in steps] == ["gapsmith review --judge study.toml"] * bool(left)
        assert not left or f"{left} sentences of your sheet wait" in steps[0]["why"]
    # Two that nobody has begun and that have one name are told apart by their files.
    text = (place / "study.toml").read_text(encoding="utf-8")
    for name, seed in (("march.toml", 2), ("april.toml", 3)):
        (place / name).write_text(
            text.replace("seed = 1", f"seed = {seed}").replace('name = "study"', 'name = "new"'), encoding="utf-8"
        )
    told = gapsmith("lab", "--by", "lea").out
    assert "    study new (march.toml), ben: 0 of 3 done, 3 left" in told
    assert "    study new (april.toml), ben: 0 of 3 done, 3 left" in told
    # A file that is no study is none here.
    (place / "other.toml").write_text("name = 3\n", encoding="utf-8")
    assert gapsmith("lab").code == 0


@pytest.mark.parametrize("task", ["scale", "choice"])
def test_the_source_of_a_page_names_no_condition_and_no_item(place: Path, gapsmith: Run, task: str) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        conditions = [sentence.condition for sentence in bank.items.get(1).sentences]
    more = ["--task", task, *(["--condition", conditions[0], "--condition", conditions[1]] if task == "choice" else [])]
    study = made(gapsmith, *more)
    for desk in (
        JudgingDesk(place / "bank.sqlite", Scale.of(study), study=study),
        JudgingDesk(place / "bank.sqlite", Scale.likert(5)),
    ):
        pages = set()
        for _ in range(8):
            page = desk.page("ann")
            assert page not in pages, "each page has another sentence"
            pages.add(page)
            assert not [name for name in (*conditions, "generated", "subject_pg", 'name="item"') if name in page]
            (shown,) = re.findall(r'name="shown" value="([0-9a-f]+)"', page)
            desk.take("ann", "answer", {"shown": shown, "value": "1"})


async def test_a_lock_of_decisions_ends_no_study_and_opens_no_answers_in_it(place: Path, gapsmith: Run) -> None:
    """Terminal, browser and packets take answers of who has locked; others' answers are shown once one's own sheet is answered."""
    study = made(gapsmith, to="ann ben")
    scale = Scale.of(study)
    with Bank.open(place / "bank.sqlite") as bank:
        for name in ("ann", "ben"):
            bank.review.lock(name, paradigm=None, dataset=None, locked=True)
        for one in sheet(study, bank, "ben"):
            judge_trial(Session(bank, "ben"), one, "6", scale, 3.0, study)
        trials = sheet(study, bank, "ann")

    def shown(*words: object) -> list[dict[str, Any]]:
        done = gapsmith("annotations", "judgements", "--by", "ann", *words)
        return [row for row in csv.DictReader(io.StringIO(done.out)) if row["author"] != "ann"]

    assert shown() == [], "the lock opens nobody's answers in a study"
    refused = gapsmith("judge", "results", "study.toml", "--by", "ann")
    assert refused.code == 2
    assert "ann has not answered all of a sheet of this study (41 left)" in " ".join(refused.err.split())
    desk = JudgingDesk(place / "bank.sqlite", scale, study=study)
    async with serving(desk, "ann") as server:
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http,
            http.get(server.url(server.links[0])) as answer,
        ):
            page = await answer.text()
        assert "/answer" in Forms(page).forms
    # A packet takes most of it, the terminal the last one.
    assert gapsmith("packet", "make", "a.xlsx", "--for", "ann", "--judge", "study.toml").code == 0
    book = load_workbook(place / "a.xlsx")
    for row in list(book["judging"].iter_rows(min_row=2))[:-1]:
        row[3].value = "3"
    book.save(place / "a.xlsx")
    taken = gapsmith("packet", "take", "a.xlsx", "--judge", "study.toml")
    assert taken.code == 0, taken.err
    assert shown() == []
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "ann")
        app = NormingApp(session, [trials[-1]], scale, study=study)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "5")
            assert "Your sheet is finished" in text_of(app)
            assert bank.read_by("ann").gate.has_finished(study.digest)
        found = agreement_report(bank.read_by("ann"))
        (part,) = [part for part in found.parts if part.about == f"sentences: {trials[0].condition}, 1 to 7, study"]
        assert part.raters == ("ann", "ben"), "what was answered after a lock is blind"
    assert len(shown()) == 41
    told = gapsmith("judge", "results", "study.toml", "--by", "ann")
    assert "ben: 41 of 41" in told.out, told.err
    # Outside of a study the lock holds.
    assert "ann has locked the decisions on" in " ".join(gapsmith("review", "--judge", "--by", "ann").err.split())
    with Bank.open(place / "bank.sqlite") as bank, pytest.raises(LockedError):
        bank.decisions.judge(1, trials[0].condition, "ok", author="ann")


def test_a_new_study_says_that_excluded_items_are_in_it_and_how_all_begin(place: Path, gapsmith: Run) -> None:
    gapsmith("decide", "exclude", 3, 4, "--reason", "unnatural")
    told = " ".join(gapsmith("judge", "new", "study.toml", "--to", "ann", "--to", "ben").err.split())
    assert "2 of the items are excluded; --status approved leaves such out" in told
    assert "in a browser, for all: gapsmith review --judge study.toml --web" in told
    gapsmith("decide", "approve", 5)
    assert "excluded" not in gapsmith("judge", "new", "good.toml", "--to", "ann", "--status", "approved").err


def test_a_new_study_takes_what_is_approved_and_no_calibration_items_unasked(place: Path, gapsmith: Run) -> None:
    (place / "known.csv").write_text("item,decision\n7,approve\n", encoding="utf-8")
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--known", "known.csv", "--our-ids").code == 0
    assert len(made(gapsmith).items) == 40
    gapsmith("decide", "approve", 5, 6, 7, "--early")
    gapsmith("decide", "exclude", 8, "--reason", "unnatural", "--early")
    done = gapsmith("judge", "new", "some.toml", "--to", "ann")
    assert _ids("some.toml") == ["5", "6"]
    assert "1 calibration item left out" in " ".join(done.err.split())
    assert "2 approved items; 38 that are not approved left out" in " ".join(done.err.split())
    gapsmith("judge", "new", "more.toml", "--to", "ann", "--status", "approved", "--status", "excluded")
    assert _ids("more.toml") == ["5", "6", "8"]


def _ids(file: str) -> list[str]:
    """The ids of a study's items in the bank: where some items calibrate, its file calls them by another name."""
    items = load_study(Path(file)).items
    with Bank.open(Path("bank.sqlite")) as bank:
        by_uid = {item.uid.hex(): item.label for item in bank.items.iterate()}
    assert not {one.item for one in items} & set(by_uid.values())
    return [by_uid[one.uid] for one in items]


# What came of it


@given(st.lists(st.integers(1, 7), min_size=0, max_size=30))
def test_z_scores_are_those_of_numpy(ratings: list[int]) -> None:
    found = z_scores([float(rating) for rating in ratings])
    if len(set(ratings)) < 2:
        assert found == [None] * len(ratings)
        return
    values = np.asarray(ratings, dtype=float)
    assert np.allclose(np.asarray(found, dtype=float), (values - values.mean()) / values.std(ddof=1))


def test_runs_and_times_are_marked() -> None:
    assert straight_runs(list("1122223"), 4) == [False, False, True, True, True, True, False]
    assert straight_runs([], 2) == []
    assert too_fast(12, 1.1, 10.0)
    assert not too_fast(12, 1.3, 10.0)
    assert not too_fast(12, None, 10.0), "what is not known is not marked"


def test_results_mark_score_and_keep_to_whom_they_may_be_shown(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, to="ann ben")
    rng = np.random.default_rng(4)
    with Bank.open(place / "bank.sqlite") as bank:
        for name in study.annotators:
            session = Session(bank, name)
            for number, one in enumerate(sheet(study, bank, name)):
                # Ben answers at once and always the same in the second half.
                lazy = name == "ben" and number >= 20
                value = "4" if lazy else str(rng.integers(1, 8))
                judge_trial(session, one, value, Scale.of(study), 0.3 if lazy else 5.0, study)
    refused = gapsmith("judge", "results", "study.toml", "--by", "cy")
    assert refused.code == 2
    assert "cy has not answered all of a sheet of this study, and" in " ".join(refused.err.split())
    told = gapsmith("judge", "results", "study.toml", "--by", "ann", "--mine").out
    assert "mf_pg1_pg2 (-F +G1 +G2, expected *): mean" in told
    mine = results(gapsmith("judge", "results", "study.toml", "--by", "ann", "--mine", "--json").out)
    assert {row["annotator"] for row in mine} == {"ann"}
    shown = gapsmith("judge", "results", "study.toml", "--by", "zoe", "--look", "--csv", "out.csv")
    assert shown.code == 0, shown.err
    assert "ann: 41 of 41 done, 0 left, median 5.0 s\n" in shown.out
    assert re.search(r"ben: 41 of 41 done, 0 left, .*21 too fast, 2[1-9] in runs of 10 or more equal answers", shown.out)
    expect_table("judge results", (place / "out.csv").read_text(encoding="utf-8"))
    with (place / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 82
    for name in study.annotators:
        own = [row for row in rows if row["annotator"] == name]
        points = [float(row["answer"]) for row in own]
        mean, spread = statistics.fmean(points), statistics.stdev(points)
        assert [float(row["z"]) for row in own] == pytest.approx([(point - mean) / spread for point in points])
    assert Counter(row["too_fast"] for row in rows) == {"no": 61, "yes": 21}


@pytest.mark.parametrize("task", ["scale", "choice"])
def test_ones_own_results_name_no_condition_before_the_sheet_is_finished(place: Path, gapsmith: Run, task: str) -> None:
    assert gapsmith("generate", "subject_pg", "-n", "2", "--seed", "3", "-d", "fillers").code == 0
    pair = ("--condition", "pf_pg1_pg2", "--condition", "mf_pg1_pg2") if task == "choice" else ()
    study = made(gapsmith, "--task", task, "-d", "generated", "--fillers", "fillers", *pair, to="ann")
    with Bank.open(place / "bank.sqlite") as bank:
        trials = sheet(study, bank, "ann")
        for one in trials[:-1]:
            judge_trial(Session(bank, "ann"), one, "2", Scale.of(study), 4.0, study)
    words = ("judge", "results", "study.toml", "--mine", "--by", "ann")
    told = gapsmith(*words, "--csv", "m.csv").out
    told += (place / "m.csv").read_text(encoding="utf-8") + gapsmith(*words, "--json").out
    with api.open_workspace(place) as ws:
        told += repr(api.judging_results(ws, "study.toml", mine=True, by="ann").answers)
    listed = ("annotations", "judgements", "--mine", "--by", "ann")
    told += gapsmith(*listed).out
    # A choice is of two sentences, and no judgement of one.
    n_listed = len(trials) if task == "scale" else 1
    assert len(gapsmith(*listed).out.splitlines()) == n_listed
    assert not [name for name in (*study.conditions, "expected *", "+F", '"filler": true', "filler=True") if name in told]
    rows = expect_results(gapsmith(*words, "--json").out)
    assert {(row["item"], row["filler"], row["condition"], row["other"], row["answer"]) for row in rows} == {(None,) * 4 + ("2",)}
    assert [row["place"] for row in rows] == [one.place for one in trials[:-1]]
    with Bank.open(place / "bank.sqlite") as bank:
        judge_trial(Session(bank, "ann"), trials[-1], "2", Scale.of(study), 4.0, study)
    assert "expected *" in gapsmith(*words).out
    assert any(name in gapsmith(*listed).out for name in study.conditions) is (task == "scale")
    assert {row["filler"] for row in results(gapsmith(*words, "--json").out)} == {True, False}


def test_answers_of_before_sheets_had_a_size_keep_their_names(place: Path, gapsmith: Run) -> None:
    """Of them nobody knows whether the sheet is finished; the results, which have the study's file, do."""
    study = made(gapsmith, to="ann")
    with Bank.open(place / "bank.sqlite") as bank:
        [one, *_] = sheet(study, bank, "ann")
        bank.decisions.judge(one.item_id, one.condition, "2", points=7, author="ann", study=study.digest, place=one.place)
    assert one.condition in gapsmith("annotations", "judgements", "--mine", "--by", "ann").out
    words = ("judge", "results", "study.toml", "--mine", "--by", "ann", "--json")
    assert [row["condition"] for row in results(gapsmith(*words).out)] == [None]


async def test_no_answer_is_changed_once_others_answers_are_open(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, to="ann ben")
    scale = Scale.of(study)
    with Bank.open(place / "bank.sqlite") as bank:
        trials = sheet(study, bank, "ann")
        ann = Session(bank, "ann")
        for one in trials[:-1]:
            judge_trial(ann, one, "6", scale, 3.0, study)
        app = NormingApp(ann, [trials[-1]], scale, study=study)
        desk = JudgingDesk(place / "bank.sqlite", scale, study=study)
        async with app.run_test(size=SMALL) as pilot:
            await press(pilot, "5", "backspace", "4")
            assert bank.decisions.judgements()[-1].rating == "4", "nobody else has answered: there is nothing to see"
            judge_trial(Session(bank, "ben"), sheet(study, bank, "ben")[0], "6", scale, 3.0, study)
            await press(pilot, "backspace")
            assert "the sheet of ann is finished" in " ".join(text_of(app).split())
            assert "undo" not in text_of(app).splitlines()[-1], "what is refused is not offered"
        with pytest.raises(BankError, match="what others answered in this study is open to ann"):
            bank.decisions.undo("ann")
        with pytest.raises(BankError, match="what others answered in this study is open to ann"):
            judge_trial(ann, trials[0], "1", scale, 3.0, study)
        assert [one.rating for one in bank.decisions.judgements() if one.author == "ann"] == ["6"] * 40 + ["4"]
        # Ben, whose sheet is open, takes back in the browser, and no more after his last answer.
        shown = re.findall(r'name="shown" value="([0-9a-f]+)"', desk.page("ben"))
        desk.take("ben", "answer", {"shown": shown[0], "value": "3"})
        desk.take("ben", "undo", {})
        for one in sheet(study, bank, "ben")[1:-1]:
            judge_trial(Session(bank, "ben"), one, "3", scale, 3.0, study)
        shown = re.findall(r'name="shown" value="([0-9a-f]+)"', desk.page("ben"))
        desk.take("ben", "answer", {"shown": shown[0], "value": "3"})
        assert "Take the last answer back" not in desk.page("ben")
        with pytest.raises(BankError, match="the sheet of ben is finished"):
            desk.take("ben", "undo", {})


async def test_the_last_of_a_sheet_says_so_before_it_is_answered_and_one_can_go_back(place: Path, gapsmith: Run) -> None:
    """In the terminal and in the browser, also to answers of an earlier sitting."""
    study = made(gapsmith, "--n", "3", "--seed", "1", to="ann ben")
    scale, said = Scale.of(study), "This is the last one. Your answer finishes your sheet"
    desk = JudgingDesk(place / "bank.sqlite", scale, study=study)
    with Bank.open(place / "bank.sqlite") as bank:
        judge_trial(Session(bank, "ben"), sheet(study, bank, "ben")[0], "6", scale, 3.0, study)
        ann, first, before = Session(bank, "ann"), *sheet(study, bank, "ann")[:2]
        judge_trial(ann, first, "6", scale, 3.0, study)
        judge_trial(ann, before, "6", scale, 3.0, study)
        assert said in desk.page("ann")
        # The name of a study may say what it is about: the lead reads it, and whoever has finished.
        assert "    study, ann: 2 of 3 done" in gapsmith("lab").out
        assert f"study {study.digest[:8]}, ann: 2 of 3 done" in gapsmith("lab", "--by", "ann").out
        app = NormingApp(ann, waiting_trials(study, bank, "ann"), scale, study=study)
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            assert said in " ".join(text_of(app).split())
            await press(pilot, "backspace")
            await settle(pilot)
            assert said not in " ".join(text_of(app).split())
            assert " ".join(before.text.split()[:3]) in text_of(app)
            await press(pilot, "2")
            await settle(pilot)
            assert said in " ".join(text_of(app).split())
        assert [one.rating for one in bank.decisions.judgements() if one.author == "ann"] == ["6", "2"]
        desk.take("ann", "undo", {})
        desk.take("ann", "undo", {})
        assert [one.rating for one in bank.decisions.judgements() if one.author == "ann"] == []
        assert said not in desk.page("ann")
        with pytest.raises(ConfigError, match="nothing to take back"):
            desk.take("ann", "undo", {})
        # What is no answer in it stays.
        bank.decisions.decide([1], Verdict.APPROVE, author="ann")
        with pytest.raises(ConfigError, match="nothing to take back"):
            desk.take("ann", "undo", {})
        assert len(list(bank.decisions.current())) == 1


def test_a_number_of_items_is_drawn_evenly_and_by_the_seed(place: Path, gapsmith: Run) -> None:
    assert gapsmith("generate", "subject_pg", "-n", "4", "--seed", "3", "-d", "few").code == 0
    drawn = {}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        done = gapsmith("judge", "new", f"{name}.toml", "--to", "ann", "--n", 12, "--seed", seed)
        assert done.code == 0, done.err
        drawn[name] = [one.uid for one in load_study(Path(f"{name}.toml")).items]
    assert drawn["a"] == drawn["b"] != drawn["c"]
    with Bank.open(place / "bank.sqlite") as bank:
        of = {item.uid.hex(): item.dataset for item in bank.items.iterate()}
    assert Counter(of[uid] for uid in drawn["a"]) == {"few": 4, "generated": 8}, "as many of each, as far as there are some"
    refused = gapsmith("judge", "new", "d.toml", "--to", "ann", "--n", 46)
    assert refused.code == 2
    assert "--n 46: there are 45 items to judge" in " ".join(refused.err.split())


@pytest.mark.parametrize("task", ["scale", "choice"])
def test_results_stay_when_an_item_is_edited_and_name_it(place: Path, gapsmith: Run, task: str) -> None:
    pair = ("--condition", "pf_pg1_pg2", "--condition", "mf_pg1_pg2") if task == "choice" else ()
    study = made(gapsmith, "--task", task, *pair, to="ann")
    words = ("judge", "results", "study.toml", "--by", "zoe", "--look")
    with Bank.open(place / "bank.sqlite") as bank:
        for one in sheet(study, bank, "ann"):
            judge_trial(Session(bank, "ann"), one, "2", Scale.of(study), 4.0, study)
        before = gapsmith(*words, "--csv", "before.csv").out
        session = Session(bank, "zoe")
        view = session.view(7)
        assert bank.review.judged_in_studies([7, 99]) == [7]
        assert Session(bank, "kim").bank.review.judged_in_studies([7, 99]) == [], "kim may not see what others answered"
        assert Session(bank, "ann").bank.review.judged_in_studies([7, 99]) == [7]
        session.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        assert bank.review.judged_in_studies([7]) == [], "the new text was judged by nobody"
    done = gapsmith(*words, "--csv", "after.csv")
    assert done.code == 0, done.err
    told = "    1 item edited since the study was made: 7. The answers are about the texts that were judged.\n"
    assert told in done.out
    assert done.out.replace(told, "") == before
    assert (place / "after.csv").read_bytes() == (place / "before.csv").read_bytes()
    mine = gapsmith("judge", "results", "study.toml", "--by", "ann", "--mine")
    assert told in mine.out, mine.err
    assert "results" in gapsmith("review", "--judge", "study.toml", "--by", "ann").err, (
        "and where judging is refused, they are named"
    )


async def test_an_edit_of_what_a_study_has_answers_to_is_asked_about(place: Path, gapsmith: Run) -> None:
    study = made(gapsmith, to="ann")
    with Bank.open(place / "bank.sqlite") as bank:
        for one in sheet(study, bank, "ann")[:1]:
            judge_trial(Session(bank, "ann"), one, "2", Scale.of(study), 4.0, study)
        judged, other = one.item_id, one.item_id % 41 + 1
        for name, cases in (("ann", {judged: True, other: False}), ("zoe", {judged: False})):
            # Who may not see that somebody answered is not told by a question.
            await _edit_asks(Session(bank, name), cases)


async def _edit_asks(session: Session, cases: dict[int, bool]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for item_id, asked in cases.items():
            view = session.view(item_id)
            edited = with_slots(view.item, view.paradigm, {**(view.item.slots or {}), "verb": "startle"})
            answers: list[bool] = []

            async def ask(view: ReviewedItem = view, edited: StoredItem = edited, answers: list[bool] = answers) -> None:
                answers.append(await app.agreed_to_edit(view, edited))

            app.flow(ask())
            await until(lambda answers=answers: answers or isinstance(app.screen, ConfirmScreen), app)  # type: ignore[misc]
            await settle(pilot)
            assert ("has answers in an acceptability study" in " ".join(text_of(app).split())) is asked
            if asked:
                await press(pilot, "escape")
            await settle(pilot)
            assert answers == [not asked]


def test_commands_that_edit_what_was_judged_say_so(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "zoe")
        view = session.view(7)
        session.save_sentence(view, view.rows[0], f"{view.rows[0].sentence.text if view.rows[0].sentence else ''} .")
    study = made(gapsmith, to="ann")
    with Bank.open(place / "bank.sqlite") as bank:
        for one in sheet(study, bank, "ann"):
            judge_trial(Session(bank, "ann"), one, "2", Scale.of(study), 4.0, study)
    told = " ".join(gapsmith("lint", "--fix").err.split())
    assert "Item 7 has answers in an acceptability study" in told


@pytest.mark.parametrize("door", ["import", "paradigm"])
def test_what_brings_other_texts_says_which_items_have_answers_in_a_study(place: Path, gapsmith: Run, door: str) -> None:
    """To who may see that somebody answered; to others the same goes in without a word of it."""
    study = made(gapsmith, to="ann")
    with Bank.open(place / "bank.sqlite") as bank:
        item_id = sheet(study, bank, "ann")[0].item_id
        for one in sheet(study, bank, "ann")[:1]:
            judge_trial(Session(bank, "ann"), one, "2", Scale.of(study), 4.0, study)
        label, words = bank.items.get(item_id).label, bank.items.get(item_id).sentences[0].text
    if door == "import":
        assert gapsmith("export", "csv", "--all", "--ids", "-o", "back.csv").code == 0
        text = (place / "back.csv").read_text(encoding="utf-8")
        (place / "back.csv").write_text(text.replace(words, words.replace(".", " indeed.")), encoding="utf-8")
        command: tuple[str, ...] = ("import", "back.csv", "-p", "subject_pg", "-d", "generated", "--update")
    else:
        own = load_paradigm("subject_pg").text.replace('pf = "who"', 'pf = "whom"')
        (place / "paradigms").mkdir(exist_ok=True)
        (place / "paradigms" / "subject_pg.toml").write_text(own, encoding="utf-8")
        command = ("paradigm", "update", "subject_pg")
    kept = (place / "bank.sqlite").read_bytes()
    for name, told in (("kim", False), (None, True)):
        (place / "bank.sqlite").write_bytes(kept)
        with pytest.MonkeyPatch.context() as patch:
            if name is not None:
                patch.setenv("GAPSMITH_ANNOTATOR", name)
            done = gapsmith(*command)
        assert done.code == 0, done.err
        said = f"Item {label} has answers in an acceptability study"
        assert (said in " ".join(done.err.split())) is told, done.err
        assert ("study" in done.err) is told
        with Bank.open(place / "bank.sqlite") as bank:
            assert bank.items.get(item_id).revision_number == 2
