"""The lead's page: its numbers are those of the functions behind it, each person sees what they may, in terminal and browser."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from rich.style import Style

import gapsmith as api
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter, ItemStatus, NewItem, ScreenRecord, Unfinished, Verdict, awaited, unfinished
from gapsmith.bank.seeing import account_name
from gapsmith.scoring.analysis.account import account_for
from gapsmith.templates import ConfigError
from gapsmith.vetting.agreement_pages import agreement_report, fault_lines, progress_lines, report_lines
from gapsmith.vetting.annotation_csv import decisions_csv
from gapsmith.vetting.annotators import adjudication, progress
from gapsmith.vetting.lab import lab_html, lab_page, lab_text
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.filters import parse_query
from gapsmith.vetting.review.notes import notes_of
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.review.side_by_side import opinions
from gapsmith.vetting.tui.item_texts import standing_text
from gapsmith.vetting.web import LabDesk
from tests.conftest import CommandOutcome
from tests.printed import result, results
from tests.vetting.reviewing import fill_bank
from tests.vetting.test_acceptability import serving

Run = Callable[..., CommandOutcome]


@pytest.fixture
def place(tmp_path: Path, gapsmith: Run) -> Path:
    """A lab of lea's: 20 items, ann and ben read all of them, cy adjudicates; ann is done, ben is not."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "bank.sqlite", 20) as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--adjudicator", "cy", "--by", "lea")
    assert done.code == 0, done.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        for name, many in (("ann", 20), ("ben", 12)):
            session = Session(bank, name)
            for number, row in enumerate(session.rows()[:many]):
                bad = number < 6 if name == "ann" else number in (0, 1, 2, 8)
                seen = ScreenRecord("2026-01-02T03:04:05.000+00:00", 10.0 + number, tuple(range(1, 9)), 8)
                session.decide(
                    {row.id: row.revision_id},
                    Verdict.EXCLUDE if bad else Verdict.APPROVE,
                    reason="odd" if bad else None,
                    seen=seen,
                )
    return tmp_path


def test_the_page_has_who_has_what_and_the_numbers_of_agreement(place: Path) -> None:
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        page = lab_page(bank)
        report, standing = agreement_report(bank), adjudication(bank)
        people = {one.name: one for one in page.people}
        assert {name: one.roles for name, one in people.items()} == {
            "ann": ("annotator",),
            "ben": ("annotator",),
            "cy": ("adjudicator",),
            "lea": ("lead",),
        }
        assert (people["ann"].share, people["ann"].decided, people["ann"].left) == (20, 20, 0)
        assert (people["ben"].share, people["ben"].decided, people["ben"].left) == (20, 12, 8)
        assert people["ann"].median_s == pytest.approx(19.5)
        (overlap,) = page.overlaps
        kappa = report.parts[0].pairs[0][3]
        assert (overlap.assigned, overlap.decided, overlap.kappa) == (20, 12, kappa.estimate)
        assert page.standing == standing
        text = lab_text(page)
        assert f"kappa {kappa.estimate:.2f}" in text
        assert f"{len(standing.disputed)} disputed" in text
        assert "ben has 8 items left. gapsmith review --by ben" in text
        assert "ann has decided on all and can lock" in text
        assert "--adjudicate" not in text, "it is too soon"
        assert (
            f"{len(standing.disputed)} items disputed so far. Adjudicating waits for ann and ben, who have not locked (L in the review)."
            in text
        )
        # Of the 12 that both have read ann excluded 6 and ben 4, 3 the same: (7 x 5 / 4 - 1) - 7 = 0.75 are left.
        assert report.faults[0].captured.left == pytest.approx(0.75)
        assert "7 excluded (ann 6, ben 4, both 3); about 0.8 overlooked by both" in fault_lines(report.faults)[0]
        assert fault_lines(report.faults)[0] in text


def test_remarks_are_counted_for_the_lead_and_nobody_learns_of_others(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        first, second = bank.items.ids()[:2]
        for name, items in (("ann", (first, first, second)), ("ben", (first,)), ("kim", (second,))):
            for item_id in items:
                Session(bank, name).comment(item_id, f"qwremark of {name}")
        page = lab_page(bank.read_by("lea"))
        assert {one.name: one.remarks for one in page.people} == {"ann": 3, "ben": 1, "cy": 0, "kim": 1, "lea": 0}
        assert page.remarked == 2
        for told in (lab_text(page), lab_html(page)):
            assert "ann: annotator; 3 remarks" in told
            assert "2 items with remarks: in adjudication" in told
        (own,) = lab_page(bank.read_by("ben")).people
        assert (own.name, own.remarks) == ("ben", 1)
        assert lab_page(bank.read_by("ben")).remarked == 0
        assert not re.search(r"\bann\b|kim|items with remarks", lab_text(lab_page(bank.read_by("ben"))))
    assert results(gapsmith("lab", "--json", "--by", "lea").out)[0]["with_remarks"] == 2
    assert results(gapsmith("lab", "--json", "--by", "ben").out)[0]["with_remarks"] is None


def test_remarks_go_out_beside_decisions_and_come_in_again(place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    with Bank.open(place / "bank.sqlite") as bank:
        first, second = bank.items.ids()[:2]
        Session(bank, "ann").comment(first, "one, “of” ann\non two lines")
        Session(bank, "ann").comment(first, "another one")
        Session(bank, "kim").comment(second, "no decision of mine")
        item = bank.items.get(second)
        bank.items.revise(second, slots=item.slots, sentences=item.sentences[:-1], author="lea", note="one goes")
    out = gapsmith("export", "decisions", "--all").out
    rows = [(row["author"], row["decision"], row["remarks"]) for row in csv.DictReader(io.StringIO(out)) if row["remarks"]]
    assert rows == [
        ("ann", "exclude", "one, “of” ann\non two lines / another one"),
        ("kim", "", "no decision of mine (on an earlier text)"),
    ]
    (place / "all.csv").write_text(out, encoding="utf-8")
    took = " ".join(gapsmith("decide", "--csv", "all.csv", "--skip-changed", "--dry-run", "--by", "lea").err.split())
    assert "2 lines with remarks, which are not read from there: `gapsmith annotations remarks`" in took
    written = gapsmith("annotations", "remarks", "--by", "lea").out
    found = [(row["author"], row["remark"], row["current"]) for row in csv.DictReader(io.StringIO(written))]
    assert found == [
        ("ann", "one, “of” ann\non two lines", "yes"),
        ("ann", "another one", "yes"),
        ("kim", "no decision of mine", "no"),
    ]
    assert "kim" not in gapsmith("annotations", "remarks", "--mine", "--by", "ann").out
    refused = gapsmith("annotations", "remarks", "--by", "ben")
    assert (refused.code, refused.out) == (2, "")
    # Into a bank that has the items and none of the remarks: once, however often the file is read.
    (place / "remarks.csv").write_text(written, encoding="utf-8")
    with Bank.open(place / "bank.sqlite") as bank, bank.transaction():
        for name in ("ann", "ann", "kim"):
            bank.decisions.undo(name)
    assert gapsmith("annotations", "remarks", "--by", "lea").out.count("\n") == 1
    assert gapsmith("decide", "--csv", "remarks.csv", "--by", "lea").code != 0, "kim's is of another text"
    for said in ("kept 2 remarks", "2 said so before"):
        done = gapsmith("decide", "--csv", "remarks.csv", "--skip-changed", "--by", "lea")
        assert (done.code, said in done.err.replace("\n", " ")) == (0, True), done.err
    again = list(csv.DictReader(io.StringIO(gapsmith("annotations", "remarks", "--by", "lea").out)))
    assert [(row["author"], row["remark"]) for row in again] == [pair[:2] for pair in found[:2]]


def test_what_somebody_said_with_a_decision_is_a_remark_at_every_door(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    with Bank.open(place / "bank.sqlite") as bank:
        item_id = bank.items.ids()[15]
        bank.decisions.decide([item_id], Verdict.FLAG, author="ben", comment="hm?", packet="0a1b")
        cy = Session(bank, "cy", adjudicating=True)
        assert [row.id for row in cy.rows(parse_query("status:commented"))] == [item_id]
        assert [row.id for row in Session(bank, "ben").rows(parse_query("status:commented"))] == [item_id]
        assert not Session(bank, "ann").rows(parse_query("status:commented"))
        assert not bank.read_by("cat").review.comments()
        assert "\n".join(note.text for note in notes_of(cy.view(item_id), "cy")).count("hm?") == 1
        page = lab_page(bank.read_by("lea"))
        assert ({one.name: one.remarks for one in page.people}["ben"], page.remarked) == (1, 1)
    written = gapsmith("annotations", "remarks").out
    (row,) = csv.DictReader(io.StringIO(written))
    assert (row["author"], row["remark"], row["item"]) == ("ben", "hm?", str(item_id))
    (row,) = [row for row in csv.DictReader(io.StringIO(gapsmith("export", "decisions", "--all").out)) if row["remarks"]]
    assert (row["author"], row["comment"], row["remarks"]) == ("ben", "hm?", "hm?")
    assert re.search(r"remark by ben, .*: hm\?", gapsmith("show", str(item_id)).out)
    assert [one["text"] for one in result(gapsmith("show", str(item_id), "--json").out)["remarks"]] == ["hm?"]
    (place / "remarks.csv").write_text(written, encoding="utf-8")
    assert "1 said so before" in " ".join(gapsmith("decide", "--csv", "remarks.csv").err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        # Who decides again without a word has taken the word back.
        bank.decisions.decide([item_id], Verdict.APPROVE, author="ben")
        assert not bank.review.comments(item_id)
        assert not Session(bank, "cy", adjudicating=True).rows(parse_query("status:commented"))


def test_what_nobody_can_have_read_is_told(tmp_path: Path) -> None:
    """A verdict key that is pressed every half second goes through a share like any other."""
    with fill_bank(tmp_path / "bank.sqlite", 6) as bank:
        session = Session(bank, "ann")
        words = {
            item.id: min(len(sentence.text.split()) for sentence in item.sentences) for item in bank.items.iterate(ItemFilter())
        }
        for number, row in enumerate(session.rows()[:4]):
            needed = words[row.id] / 10
            seen = ScreenRecord("2026-01-02T03:04:05.000+00:00", needed - 0.01 if number < 3 else needed + 0.01, (1,), 8)
            session.decide({row.id: row.revision_id}, Verdict.APPROVE, seen=seen)
        session.decide({5: session.row(5).revision_id}, Verdict.APPROVE)
        page = lab_page(bank.read_by("ann"))
    ann = next(one for one in page.people if one.name == "ann")
    assert (ann.hasty, ann.timed) == (3, 4)
    assert "3 of 4 faster than one sentence can be read" in lab_text(page)


def test_where_one_found_only_what_the_other_did_nothing_is_said_of_what_is_left(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 6) as bank:
        for name, bad in (("ann", ()), ("ben", (1,)), ("cy", (1, 2))):
            session = Session(bank, name)
            for row in session.rows():
                verdict = Verdict.EXCLUDE if row.id in bad else Verdict.APPROVE
                session.decide({row.id: row.revision_id}, verdict, reason="odd" if row.id in bad else None)
        lines = fault_lines(agreement_report(bank.read_by(bank.gate.lead or "")).faults)
    assert len(lines) == 3
    assert lines[0].endswith("ann excluded none that ben did not, which says nothing of how many are left")
    assert lines[2].endswith("ben excluded none that cy did not, which says nothing of how many are left")
    assert not any("[" in line for line in lines)


def test_who_is_blind_sees_their_own_line_and_no_number_of_others(place: Path, gapsmith: Run) -> None:
    shown = gapsmith("lab", "--by", "ben")
    assert shown.code == 0
    assert "ben" in shown.out
    assert "ann" not in shown.out.replace("annotator", "").replace("lea leads", "")
    assert "kappa" not in shown.out
    assert "disputed" not in shown.out
    assert "once you have locked" in shown.out
    data = result(gapsmith("lab", "--by", "ben", "--json").out)
    assert (data["whole"], [one["name"] for one in data["people"]], data["agreement"]) == (False, ["ben"], None)
    with Bank.open(place / "bank.sqlite") as bank:
        Session(bank, "ben").lock()
    assert result(gapsmith("lab", "--by", "ben", "--json").out)["whole"] is True


def test_who_does_not_lead_is_told_their_own_steps_alone(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        lead = bank.gate.lead
        assert lead != "ann"
        bank.review.lock("ann", paradigm=None, dataset=None)
        page = lab_page(bank.read_by("ann"))
        assert page.whole
        assert all(command.endswith(" --by ann") for _, command in page.steps), page.steps
        assert len(lab_page(bank.read_by(lead or "")).steps) > len(page.steps)


def test_the_lead_gets_it_as_data_and_as_a_file(place: Path, gapsmith: Run) -> None:
    lock(place, "ann", "ben")
    done = gapsmith("lab", "--by", "lea", "--json", "-o", "lab.html")
    data = result(done.out)
    assert [one["name"] for one in data["people"]] == ["ann", "ben", "cy", "lea"]
    assert {step["command"] for step in data["next"]} >= {"gapsmith review --adjudicate --by cy"}
    page = (place / "lab.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "gapsmith review --adjudicate --by cy" in page
    assert gapsmith("lab", "--url", "https://x.example").code == 2


def lock(place: Path, *names: str) -> None:
    """Some lock."""
    with Bank.open(place / "bank.sqlite") as bank:
        for name in names:
            Session(bank, name).lock()


def test_adjudication_waits_for_all_who_have_a_share_and_says_for_whom(place: Path, gapsmith: Run) -> None:
    """On the lead's page and in `next`, also where the one who is awaited has decided nothing."""
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        bank.gate.hand_on(account_name())

    def offered() -> tuple[str, str]:
        steps = results(gapsmith("next", "--json").out)
        told = " ".join(f"{one['kind']}: {one['why']} {one['command']}" for one in steps)
        return told, gapsmith("lab").out

    for locked, people in (("", "ann and ben, who have"), ("ann", "ben, who has")):
        lock(place, *([locked] if locked else []))
        for told in offered():
            assert "--adjudicate" not in told
            assert f"Adjudicating waits for {people} not locked" in told
    lock(place, "ben")
    for told in offered():
        assert "--adjudicate" in told
        assert "waits for" not in told
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign({1: ("ann", "dee")}, by=account_name())
    for told in offered():
        assert "--adjudicate" not in told
        assert "Adjudicating waits for dee, who has not locked" in told


def test_where_nothing_is_assigned_the_page_says_so(tmp_path: Path, gapsmith: Run) -> None:
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    fill_bank(tmp_path / "bank.sqlite", 3).close()
    assert "Nothing is assigned: everybody reads everything. gapsmith assign --to NAME" in gapsmith("lab").out


async def test_the_page_in_a_browser_is_made_anew_and_shows_only(place: Path) -> None:
    async with (
        serving(LabDesk(place / "bank.sqlite"), "lea", "ben") as server,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http,
    ):
        async with http.get(server.url(server.links[0])) as answer:
            page = await answer.text()
        assert "<td>ben</td>" in page
        assert "kappa" in page
        with Bank.open(place / "bank.sqlite") as bank:
            session = Session(bank, "ben")
            rest = [row for row in session.rows() if row.mine is None]
            session.decide({row.id: row.revision_id for row in rest}, Verdict.APPROVE)
        async with http.get(f"{server.public_url}/") as answer:
            assert "ben has 8 items left" not in await answer.text()
        async with http.post(f"{server.public_url}/anything", headers={"Origin": server.public_url}) as answer:
            assert "this page only shows" in await answer.text()
        http.cookie_jar.clear()
        async with http.get(server.url(server.links[1])) as answer:
            page = await answer.text()
        assert "<td>ann</td>" not in page
        assert "kappa" not in page


def test_flagged_items_are_counted_and_come_before_scoring(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "cy", adjudicating=True)
        session.decide({row.id: row.revision_id for row in session.rows()}, Verdict.APPROVE)
        session.decide({row.id: row.revision_id for row in session.rows()[:3]}, Verdict.FLAG)
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        told = lab_text(lab_page(bank))
        assert "3 items flagged so far. Adjudicating waits for ann and ben" in told
        assert "--adjudicate" not in told
    lock(place, "ann", "ben")
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        page = lab_page(bank)
        assert (dict(page.statuses)["flagged"], dict(page.statuses)["approved"]) == (3, 17)
        assert "3 flagged" in lab_text(page)
        commands = [command for _, command in page.steps]
        flagged = "gapsmith review --adjudicate --show status:flagged --by cy"
        assert commands.index(flagged) < commands.index("gapsmith score")
        assert lab_page(bank.read_by("eve")).statuses == ()
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        bank.gate.hand_on(account_name())
    steps = [one["command"] for one in results(gapsmith("next", "--json").out)]
    assert "gapsmith review --adjudicate --show status:flagged" in steps
    refused = gapsmith("review", "--show", "status:flagged")
    assert "gapsmith review --adjudicate --show status:flagged" in " ".join(refused.err.split())


def test_two_who_adjudicate_apart_are_told_and_so_is_the_lead(place: Path, gapsmith: Run) -> None:
    gapsmith(
        "assign",
        "--to",
        "ann",
        "--to",
        "ben",
        "--overlap",
        "1",
        "--replace",
        "--adjudicator",
        "cy",
        "--adjudicator",
        "dan",
        "--by",
        "lea",
    )
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        (label, *_) = (bank.items.get(item_id).label for item_id in bank.items.ids())
    assert "otherwise" not in gapsmith("decide", "exclude", label, "--reason", "implausible", "--by", "cy", "--early").err
    told = " ".join(gapsmith("decide", "approve", label, "--by", "dan", "--early").err.split())
    assert f"adjudicated otherwise before, and what was said last counts: {label} (excluded by cy)" in told
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        (item_id, *_) = bank.items.ids()
        assert f"adjudicated by several, not alike: item {label}: excluded by cy and approved by dan" in lab_text(lab_page(bank))
        assert "not alike" not in lab_text(lab_page(bank.read_by("ann")))
        cy = Session(bank, "cy", adjudicating=True)
        assert cy.said_otherwise(item_id) == "approved by dan"
        cy.decide({item_id: cy.row(item_id).revision_id}, Verdict.APPROVE)
        assert not cy.said_otherwise(item_id)
        assert "not alike" not in lab_text(lab_page(bank))
    gapsmith("assign", "--to", "ann", "--to", "eve", "--overlap", "1", "--replace", "--by", "lea")
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        assert "ann and ben: 12 decided by both, of whose shares 0 are in common now" in lab_text(lab_page(bank))


def test_where_nobody_else_adjudicates_the_lead_is_named(tmp_path: Path, gapsmith: Run) -> None:
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--by", "lea").code == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        for name, verdict in (("ann", Verdict.APPROVE), ("ben", Verdict.EXCLUDE)):
            session = Session(bank, name)
            reason = "odd" if verdict is Verdict.EXCLUDE else None
            session.decide({row.id: row.revision_id for row in session.rows()}, verdict, reason=reason)
            session.lock()
    with Bank.open(tmp_path / "bank.sqlite", reader="lea") as bank:
        commands = [command for _, command in lab_page(bank).steps]
    assert "gapsmith review --adjudicate --by lea" in commands
    assert gapsmith("review", "--adjudicate", "--by", "ben").code == 2, "and nobody else may"


def test_what_was_edited_after_a_lock_is_told_with_who_did_it(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        Session(bank, "ann").lock()
        other = Session(bank, "ben")
        view = other.view(5)
        other.save_sentence(view, view.rows[0], "Something else stands here now.")
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        text = lab_text(lab_page(bank))
    assert "ann has locked and has 1 item left; since then item 5 was edited by ben: unlock (L), decide, lock again." in text


def test_adjudicating_early_is_refused_with_whom_it_waits_for(place: Path, gapsmith: Run) -> None:
    """In the terminal, before links are given, and wherever an item of others is settled; nothing was looked at, or decided."""
    lock(place, "ann")
    (place / "mine.csv").write_text("item,decision,reason\n2,exclude,unnatural\n", encoding="utf-8")
    doors = [
        ["review", "--adjudicate"],
        ["review", "--adjudicate", "--web"],
        ["decide", "approve", "1"],
        ["decide", "approve", "--text", "the"],
        ["decide", "--csv", "mine.csv", "--our-ids"],
        ["decide", "--csv", "mine.csv", "--our-ids", "--dry-run"],
    ]
    before = events(place)
    for by in ("cy", "lea"):
        for words in doors:
            refused = gapsmith(*words, "--by", by)
            said = " ".join(refused.err.split())
            assert refused.code == 2, words
            assert "Adjudicating waits for ben, who has not locked" in said
            assert "--early" in said
        with api.open_workspace(str(place)) as ws, pytest.raises(ConfigError, match="waits for ben"):
            api.decide(ws, "approve", ["1"], by=by)
    # Where there is no terminal nothing is shown, and so nobody has looked.
    said = gapsmith("review", "--adjudicate", "--by", "cy", "--early").err
    assert "the review needs a terminal" in said
    assert "not locked yet, may still change their minds: ben" in " ".join(said.split())
    assert events(place) == before
    assert "exclude" not in gapsmith("show", "1", "--by", "cy").out
    # Early, where that is said; what one reads oneself waits for nobody.
    done = gapsmith("decide", "approve", "1", "20", "--early", "--by", "cy")
    assert done.code == 0
    assert "it stays on record, in the card and in reports that this was before ben had locked" in " ".join(done.err.split())
    # Who has read an item sees what was adjudicated, and before the lock nothing of how far others were.
    with Bank.open(place / "bank.sqlite", reader="ben") as bank:
        (seen,) = [one for one in bank.decisions.for_item(1) if one.kind == "adjudication"]
        assert seen.before_time == ""
    assert gapsmith("decide", "approve", "20", "--by", "ben").code == 0
    assert gapsmith("decide", "--policy", "clean", "--early", "--by", "lea").code == 2
    lock(place, "ben")
    # The trace stays when all have locked, wherever the lead looks; with who had not read an item then.
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        kept = {one.item_id: (one.unlocked, one.unread) for one in bank.decisions.all() if one.kind == "adjudication"}
        assert kept == {1: (("ben",), ()), 20: (("ben",), ("ben",))}
        left = unfinished(bank)
        said = "2 items were adjudicated before everybody had locked (ben had not): 1, 20. 1 of them before all readers had read them: 20 (ben)."
        assert left.before_time == said
        assert left.told("analysed").endswith(f" {said}")
        assert said in lab_text(lab_page(bank))
    shown = gapsmith("show", "20", "--by", "lea").out
    assert "before ben had locked, and before ben had read it" in " ".join(shown.split())
    with api.open_workspace(str(place), reader="lea") as ws:
        with pytest.warns(UserWarning, match="adjudicated before everybody had locked"):
            content = api.export(ws, kind="decisions").content
        rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
        (row,) = [row for row in rows if (row["item"], row["kind"]) == ("1", "adjudication")]
    assert row["before_time"] == "before ben had locked"
    assert gapsmith("decide", "--csv", "mine.csv", "--our-ids", "--by", "cy").code == 0
    assert "the review needs a terminal" in gapsmith("review", "--adjudicate", "--by", "cy").err
    assert "--early belongs to --adjudicate" in gapsmith("review", "--early").err


def events(place: Path) -> int:
    """How much was recorded."""
    with Bank.open(place / "bank.sqlite") as bank:
        return len(bank.review.order())


def test_whose_shares_are_unread_or_not_locked_is_said_at_every_door(place: Path, gapsmith: Run) -> None:
    """By one computation, the lead everything, and an annotator of nobody but themselves; what goes out goes out."""
    lock(place, "ann")
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        left = unfinished(bank, taken=bank.items.ids(ItemFilter(statuses=(ItemStatus.APPROVED,))))
        ben = next(one for one in lab_page(bank).people if one.name == "ben")
        assert [(one.name, one.unread, one.locked) for one in left.shares] == [("ben", ben.left, False)]
        assert (left.items, left.taken, left.hidden) == (8, 8, "")
        told = analyze_account(bank)
        assert told == left
    said = "Reading is not finished: ben has 8 of 20 items left and has not locked. 8 items lack a reader's verdict, 8 of them among those"
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        bank.gate.hand_on(account_name())
    for words, out in (
        (["lab"], "approved."),
        (["export", "csv", "-o", "items.csv"], "that go out."),
        (["publish", "-o", "set"], "that go out."),
    ):
        done = gapsmith(*words)
        printed = " ".join(f"{done.out} {done.err}".split())
        assert done.code == 0
        assert printed.count(f"{said} {out}") == 1, words
        assert printed.count("Reading is not finished") == 1, words
    assert f"- {said} that go out." in (place / "set" / "README.md").read_text(encoding="utf-8")
    agreed = gapsmith("agreement").out
    assert "they stand as decided, nothing to do" not in agreed
    assert "Reading is not finished: ben has 8 of 20 items left and has not locked." in " ".join(agreed.split())
    # To who is blind, of themselves alone.
    with Bank.open(place / "bank.sqlite", reader="ben") as bank:
        own = unfinished(bank)
        assert ([one.name for one in own.shares], own.taken, own.hidden) == (["ben"], None, "ben")
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "ben")
        rest = [row for row in session.rows() if row.mine is None]
        session.decide({row.id: row.revision_id for row in rest}, Verdict.APPROVE)
        session.lock()
    assert "Reading is not finished" not in gapsmith("agreement").out + gapsmith("export", "csv", "-o", "again.csv").err


def analyze_account(bank: Bank) -> Unfinished:
    """What an analysis of the approved items says of shares."""
    approved = bank.items.ids(ItemFilter(statuses=(ItemStatus.APPROVED,)))
    return account_for(bank, ItemFilter(), [*bank.items.iterate(ItemFilter())], frozenset(approved)).unfinished


def test_what_was_adjudicated_is_not_shown_to_who_has_still_to_decide(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On screens, pages, in exports and packets."""
    with Bank.open(place / "bank.sqlite") as bank:
        ben = Session(bank, "ben")
        open_item = next(row for row in ben.rows() if row.mine is None)
        done_item = next(row for row in ben.rows() if row.mine is not None)
        for row in (open_item, done_item):
            Session(bank, "cy", adjudicating=True).decide({row.id: row.revision_id}, Verdict.FLAG, comment="vwxsettled")
        assert ben.view(open_item.id).decisions == ()
        assert ben.view(open_item.id).item.status is ItemStatus.PENDING
        assert "cy" in [one.author for one in ben.view(done_item.id).decisions]
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ben")
    for words, many in ((["show", open_item.label], 0), (["annotations", "decisions", "--look"], 2), (["lab"], 0)):
        # What he has decided on may be told; a look is on record, and opens all.
        told = gapsmith(*words)
        assert told.code == 0, told.err
        assert told.out.count("vwxsettled") == many, words
    lock(place, "ben")
    with Bank.open(place / "bank.sqlite") as bank:
        assert "cy" in [one.author for one in Session(bank, "ben").view(open_item.id).decisions]


def test_a_data_set_in_which_somebody_has_no_share_needs_no_lock(place: Path, gapsmith: Run) -> None:
    """On the lead's page, in agreement, in `next`: one meaning of “has locked”."""
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        item = next(bank.items.iterate())
        bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences, dataset="fillers")], run_id=item.run_id)
        session = Session(bank, "ann")
        bank.review.lock("ann", paradigm="subject_pg", dataset="generated")
        assert session.to_lock() == {}, "L would be about nothing"
        page = lab_page(bank)
        assert next(one.locked for one in page.people if one.name == "ann")
        assert not any("ann" in why for why, _ in page.steps)
        assert [one.author for one in progress(bank) if one.locked] == ["ann"]
        assert adjudication(bank).unlocked == ("ben",)
        assert awaited(bank) == ("ben",)


def test_the_table_of_people_fits_eighty_columns_and_a_telephone_shows_who_has_locked(place: Path) -> None:
    lock(place, "ann")
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        page = lab_page(bank)
    table = lab_text(page).split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= 80
    assert re.search(r"^ann +yes ", table, re.MULTILINE)
    assert re.search(r"^ben +no ", table, re.MULTILINE)
    shown = lab_html(page)
    assert "<th>who</th><th>locked</th>" in shown, "the first columns are in sight at any width"
    for text in (lab_text(page), shown):
        assert "ann: annotator" in text


def test_next_says_what_the_lab_says_once_all_is_adjudicated(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        ben = Session(bank, "ben")
        for row in ben.rows()[12:]:
            ben.decide({row.id: row.revision_id}, Verdict.APPROVE)
    lock(place, "ann", "ben")
    with Bank.open(place / "bank.sqlite") as bank:
        cy = Session(bank, "cy", adjudicating=True)
        for row in cy.rows():
            if row.status is ItemStatus.DISPUTED:
                cy.decide({row.id: row.revision_id}, Verdict.APPROVE)
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        assert lab_page(bank).steps[-1][1] == "gapsmith score"
        bank.gate.hand_on(account_name())
    # The run that made the items is not complete, which has nothing to do with people.
    found = [step for step in results(gapsmith("next", "--json").out) if step["kind"] != "go on"]
    assert found[0]["command"] == "gapsmith score", found
    assert "gapsmith lab" not in [step["command"] for step in found], "nothing is left to do there"


def test_the_page_in_a_browser_says_what_is_not_installed(
    gapsmith: Callable[..., CommandOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gapsmith("init").code == 0
    monkeypatch.setitem(sys.modules, "gapsmith.vetting.web", None)
    refused = gapsmith("lab", "--web")
    assert (refused.code, "pip install 'gapsmith[web]'" in refused.err) == (2, True)


def _edited_by_the_adjudicator(place: Path) -> int:
    """All have locked, and cy has edited an item on which ann and ben disagree."""
    with Bank.open(place / "bank.sqlite") as bank:
        ben = Session(bank, "ben")
        for row in ben.rows()[12:]:
            ben.decide({row.id: row.revision_id}, Verdict.APPROVE)
    lock(place, "ann", "ben")
    with Bank.open(place / "bank.sqlite") as bank:
        cy = Session(bank, "cy", adjudicating=True)
        item_id = next(row.id for row in cy.rows() if row.status is ItemStatus.DISPUTED)
        view = cy.view(item_id)
        cy.save_sentence(view, view.rows[0], "Something else stands here now.")
        return item_id


def test_an_edit_in_adjudication_sends_nobody_back_who_has_decided(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = _edited_by_the_adjudicator(place)
    asked = f"gapsmith review --adjudicate --show item:{item_id}"
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        page = lab_page(bank)
        assert f"Item {item_id} was edited by who adjudicates, and waits for a verdict there. {asked} --by cy" in lab_text(page)
        assert not [why for why, _ in page.steps if "unlock" in why or "left" in why]
        assert {one.name: one.left for one in page.people if one.name in ("ann", "ben")} == {"ann": 0, "ben": 0}
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    assert asked in [step["command"] for step in results(gapsmith("next", "--json").out)]
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ann")
    assert not [step for step in results(gapsmith("next", "--json").out) if step["kind"] in ("decide", "lock")]
    with Bank.open(place / "bank.sqlite") as bank:
        cy = Session(bank, "cy", adjudicating=True)
        cy.decide({item_id: cy.row(item_id).revision_id}, Verdict.APPROVE)
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        assert not [why for why, _ in lab_page(bank).steps if "edited" in why or "unlock" in why]


def test_show_says_that_a_decision_was_on_an_earlier_text(place: Path, gapsmith: Run) -> None:
    item_id = _edited_by_the_adjudicator(place)
    done = gapsmith("show", str(item_id), "--look")
    assert done.out.count("on an earlier text: it does not count") == 2
    assert "earlier text" not in gapsmith("show", "1" if item_id != 1 else "2", "--look").out


def test_decisions_go_out_whatever_was_decided(place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    rows = list(csv.DictReader(io.StringIO(gapsmith("export", "decisions").out)))
    assert {row["status"] for row in rows} == {"approved", "excluded", "disputed"}
    only = list(csv.DictReader(io.StringIO(gapsmith("export", "decisions", "--status", "excluded").out)))
    assert {row["status"] for row in only} == {"excluded"}


def test_what_was_missed_among_calibration_items_is_named_with_its_data_set(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        item = next(bank.items.iterate())
        (known,) = bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences, dataset="k1")], run_id=item.run_id)
        bank.assignments.assign(dict.fromkeys(bank.items.ids(), ("ann", "ben")), {known: Verdict.APPROVE}, by="lea")
        for name in ("ann", "ben"):
            one = Session(bank, name)
            one.decide({known: one.row(known).revision_id}, Verdict.FLAG)
        everything = bank.read_by("lea", everything=True)
        lines = report_lines(everything, agreement_report(everything))
    assert "; not k1/1" in " ".join(lines)


def test_an_edit_before_an_item_was_given_out_tells_nobody_that_it_calibrates(
    tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who puts a fault into a calibration item edits it, and an item with a history among items without one is known at once."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
        lea = Session(bank, "lea")
        view = lea.view(1)
        lea.save_sentence(view, view.rows[0], "Something that is wrong stands here.")
        bank.assignments.assign(dict.fromkeys(bank.items.ids(), ("ann", "ben")), {1: Verdict.EXCLUDE}, by="lea")
        ann = Session(bank, "ann")
        assert (ann.view(1).edits, ann.view(1).revisions) == ((), ())
        name = ann.row(1).label
        mine = ann.view(2)
        ann.save_sentence(mine, mine.rows[0], "A better one.")
        assert len(ann.view(2).edits) == 1
        ann.lock()
        assert len(Session(bank, "ann").view(1).edits) == 1
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ben")
    assert "revision" not in gapsmith("show", name).out
    assert result(gapsmith("show", name, "--json").out)["revision"] is None


def test_how_fast_somebody_was_does_not_change_with_an_edit(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 6) as bank:
        ann = Session(bank, "ann")
        for row in ann.rows():
            seen = ScreenRecord("2026-01-02T03:04:05.000+00:00", 0.2, (1,), 8)
            ann.decide({row.id: row.revision_id}, Verdict.APPROVE, seen=seen)
        before = lab_page(bank).people[0]
        assert (before.hasty, before.timed) == (6, 6)
        for item_id in (1, 2):
            item = bank.items.get(item_id)
            short = [replace(sentence, text="So.", regions=None) for sentence in item.sentences]
            bank.items.revise(item_id, slots=None, sentences=short, author="lea", note="shorter")
        after = lab_page(bank).people[0]
        assert (after.hasty, after.timed, after.median_s, after.days) == (6, 6, before.median_s, before.days)


def test_where_there_is_no_kappa_the_page_says_why(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        for name in ("ann", "ben"):
            one = Session(bank, name)
            one.decide({row.id: row.revision_id for row in one.rows()}, Verdict.APPROVE)
        text = lab_text(lab_page(bank.read_by("lea", everything=True)))
    assert "4 of 4 decided by both, no kappa (" in text
    assert "no kappa yet" not in text


def test_an_edit_in_adjudication_changes_no_agreement_and_is_told(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = _edited_by_the_adjudicator(place)
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        after, page = agreement_report(bank), lab_text(lab_page(bank))
        told = "1 item has been edited since: agreement is about the text that people read"
        assert told in "\n".join(report_lines(bank, after))
        assert told in page
        assert "1 by nobody (1 of them edited since people decided)" in page
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    rows = [row for row in csv.DictReader(io.StringIO(gapsmith("export", "decisions").out)) if row["item"] == str(item_id)]
    assert sorted((row["author"], row["current"]) for row in rows) == [("ann", "no"), ("ben", "no")]
    assert not [row for row in rows if row["text"].startswith("Something else")], "the text is the one that was decided on"
    with Bank.open(place / "bank.sqlite") as bank:
        Session(bank, "cy", adjudicating=True).undo()
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        before = agreement_report(bank)
        assert (after.edited, before.edited, before.parts[0].raw.n) == (1, 0, 20)
        assert (after.parts, after.faults) == (before.parts, before.faults)


def test_who_decided_again_on_a_new_text_is_not_compared_with_who_read_the_old_one(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        people = [Session(bank, name) for name in ("ann", "ben", "cy")]
        for one in people:
            one.decide({row.id: row.revision_id for row in one.rows()}, Verdict.APPROVE)
        view = people[0].view(1)
        people[0].save_sentence(view, view.rows[0], "Something else stands here now.")
        people[0].decide({1: people[0].row(1).revision_id}, Verdict.EXCLUDE, reason="odd")
        everything = bank.read_by("lea", everything=True)
        report = agreement_report(everything)
        raw = {(first, second): (raw.hits, raw.n) for first, second, raw, _ in report.parts[0].pairs}
        assert raw == {("ann", "ben"): (3, 3), ("ann", "cy"): (3, 3), ("ben", "cy"): (4, 4)}
        assert (report.edited, report.other_texts) == (1, 1)
        assert "1 label given on another text" in "\n".join(report_lines(everything, report))


def test_an_edited_item_that_one_person_read_is_no_matter_of_agreement(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 4) as bank:
        ann, ben = (Session(bank, name) for name in ("ann", "ben"))
        ann.decide({row.id: row.revision_id for row in ann.rows()[:3]}, Verdict.APPROVE)
        ben.decide({row.id: row.revision_id for row in ben.rows()[:2]}, Verdict.APPROVE)
        item = bank.items.get(3)
        bank.items.revise(3, slots=item.slots, sentences=item.sentences[:-1], author="lea", note="one goes")
        everything = bank.read_by("lea", everything=True)
        assert agreement_report(everything).edited == 0
        assert "been edited" not in "\n".join(report_lines(everything, agreement_report(everything)))


def test_conditions_judged_in_the_review_and_in_a_study_are_not_added_up(tmp_path: Path) -> None:
    with fill_bank(tmp_path / "bank.sqlite", 2) as bank:
        first, *others = [sentence.condition for sentence in bank.items.get(1).sentences]
        bank.decisions.judge(1, first, "ok", author="ann")
        for place, condition in enumerate(others, 1):
            bank.decisions.judge(
                1,
                condition,
                "5",
                author="ann",
                points=7,
                seconds=1.0,
                alone=True,
                study="0123456789abcdef",
                title="pilot",
                place=place,
                of=8,
            )
        bank.decisions.decide([1, 2], Verdict.APPROVE, author="ben")
        everything = bank.read_by("lea", everything=True)
        told = "\n".join(report_lines(everything, agreement_report(everything)))
    assert "1 condition of sentences (the review), 7 conditions of sentences (1 to 7, study pilot)" in told


def test_what_was_typed_back_counts_and_every_page_says_so(place: Path, gapsmith: Run) -> None:
    item_id = _edited_by_the_adjudicator(place)
    with Bank.open(place / "bank.sqlite") as bank:
        cy = Session(bank, "cy", adjudicating=True)
        view = cy.view(item_id)
        (text,) = [s.text for s in view.revisions[0].sentences if s.condition == view.rows[0].condition]
        cy.save_sentence(view, view.rows[0], text)
        for session in (cy, Session(bank, "ann")):
            shown = session.view(item_id)
            assert len(opinions(shown)) == 2
            assert "earlier text" not in "\n".join(note.text for note in notes_of(shown, session.author))
            assert not session.row(item_id).outdated
        table = decisions_csv(bank.read_by("lea", everything=True), ItemFilter(ids=(item_id,)))
        assert {row["current"] for row in csv.DictReader(io.StringIO(table))} == {"yes"}
    assert "earlier text" not in gapsmith("show", str(item_id), "--look").out
    with Bank.open(place / "bank.sqlite", reader="lea") as bank:
        assert agreement_report(bank).edited == 0
        assert item_id in adjudication(bank).disputed


def test_who_has_locked_is_not_told_to_decide_on_what_adjudication_edited(place: Path) -> None:
    item_id = _edited_by_the_adjudicator(place)
    for settled in (False, True):
        with Bank.open(place / "bank.sqlite") as bank:
            if settled:
                cy = Session(bank, "cy", adjudicating=True)
                cy.decide({item_id: cy.row(item_id).revision_id}, Verdict.APPROVE)
            ann = Session(bank, "ann")
            row = ann.row(item_id)
            said = standing_text(ann, row, defaultdict(Style)).plain
            assert said.endswith(
                "now approved: nothing for you to decide" if settled else "waiting for a verdict there: nothing for you to decide"
            )
            assert "decide again" not in "\n".join(note.text for note in notes_of(ann.view(item_id), "ann"))
            queue = Queue(ann)
            queue.load()
            assert queue.decided == 20
            assert ann.rows(parse_query("status:undecided")) == []
            assert [one.id for one in ann.rows(parse_query("status:outdated"))] == [item_id]
        with Bank.open(place / "bank.sqlite", reader="lea") as bank:
            person = next(one for one in lab_page(bank).people if one.name == "ann")
            assert (person.share, person.decided, person.settled, person.left) == (20, 19, 1, 0)
            assert "19 of 20, 1 more edited or settled in adjudication" in re.sub(
                " of them unopened", "", "\n".join(progress_lines(bank))
            )


def test_who_does_not_adjudicate_is_told_who_does(place: Path, gapsmith: Run) -> None:
    """Where everybody has locked, ann sees what is disputed, and cy was named to settle it."""
    with Bank.open(place / "bank.sqlite") as bank:
        for name in ("ann", "ben"):
            bank.review.lock(name, paradigm=None, dataset=None)
    for command in (("next",), ("agreement",)):
        own = gapsmith(*command, "--by", "ann") if command != ("next",) else _as("ann", gapsmith, *command)
        told = " ".join((own.out + own.err).split())
        assert "disputed: cy adjudicates" in told, told
        assert "--adjudicate" not in told
        settling = gapsmith(*command, "--by", "cy") if command != ("next",) else _as("cy", gapsmith, *command)
        assert "cy adjudicates" not in settling.out + settling.err


def _as(name: str, gapsmith: Run, *words: str) -> CommandOutcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", name)
        return gapsmith(*words)
