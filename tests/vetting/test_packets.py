"""Review packets travel as a spreadsheet, and come back as decisions of the annotator they were made for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter, NewItem, Verdict
from gapsmith.scoring.analysis.account import account_for
from gapsmith.vetting.agreement_pages import progress_lines
from gapsmith.vetting.lab import lab_page
from gapsmith.vetting.packets import make_packet, take_packet
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.notes import notes_of
from tests.conftest import CommandOutcome
from tests.printed import results
from tests.vetting.reviewing import fill_bank

Run = Callable[..., CommandOutcome]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with six items, of which two have findings."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "bank.sqlite", 6) as bank:
        bank.decisions.decide([2], Verdict.EXCLUDE, author="zoe", reason="sounds off to zoe")
    return tmp_path


@pytest.fixture
def packet(place: Path, gapsmith: Run) -> Path:
    """Ann's packet."""
    done = gapsmith("packet", "make", "ann.xlsx", "--for", "ann")
    assert done.code == 0, done.err
    told = " ".join(done.err.split())
    assert "When it is back: gapsmith packet take ann.xlsx; --lock with it makes what ann decided final" in told, (
        "nobody else says how"
    )
    return place / "ann.xlsx"


def _fill(path: Path, cells: dict[tuple[str, str], str], *, row_of_item: int = 0) -> None:
    """Write into the cells of (item, column)."""
    book = load_workbook(path)
    sheet = book.active
    assert sheet is not None
    columns = {cell.value: place for place, cell in enumerate(sheet[1], 1)}
    for (label, column), text in cells.items():
        rows = [row[0].row for row in sheet.iter_rows(min_row=2) if row[0].value == label]
        sheet.cell(rows[row_of_item], columns[column]).value = text
    book.save(path)


def _standing(place: Path) -> dict[int, tuple[str, Verdict, str | None]]:
    with Bank.open(place / "bank.sqlite") as bank:
        return {d.item_id: (d.author, d.verdict, d.reason) for d in bank.decisions.current() if d.author != "zoe"}


def test_a_packet_comes_back_as_decisions(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(
        packet,
        {
            ("1", "decision"): "Approve",
            ("2", "decision"): "exclude",
            ("2", "reason"): "unnatural",
            ("4", "decision"): "flag",
        },
    )
    done = gapsmith("packet", "take", packet)
    assert done.code == 0, done.err
    assert "ann: approved 1, excluded 1, flagged 1; 0 taken in before, 3 without a decision in this file" in done.err
    assert _standing(place) == {
        1: ("ann", Verdict.APPROVE, None),
        2: ("ann", Verdict.EXCLUDE, "unnatural"),
        4: ("ann", Verdict.FLAG, None),
    }
    listed = gapsmith("annotations", "decisions", "--mine", "--by", "ann").out.splitlines()
    assert len(listed) == 4
    assert all(",ann,20" in line for line in listed[1:])


def test_a_packet_is_blind(packet: Path) -> None:
    sheet = load_workbook(packet).active
    assert sheet is not None
    said = " ".join(str(cell.value) for row in sheet.iter_rows() for cell in row)
    assert "sounds off" not in said
    assert "zoe" not in said
    assert "L310" not in said
    assert "2" in {row[0].value for row in sheet.iter_rows(min_row=2)}


def test_twice_is_nothing_even_after_an_undo(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    gapsmith("packet", "take", packet)
    again = gapsmith("packet", "take", packet)
    assert "approved 0, excluded 0, flagged 0; 1 taken in before" in again.err
    with Bank.open(place / "bank.sqlite") as bank:
        assert len(bank.decisions.history(1)) == 1
        bank.decisions.undo("ann")
    gapsmith("packet", "take", packet)
    assert _standing(place) == {}


def test_a_corrected_packet_counts(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    gapsmith("packet", "take", packet)
    _fill(packet, {("1", "decision"): "flag"})
    gapsmith("packet", "take", packet)
    assert _standing(place) == {1: ("ann", Verdict.FLAG, None)}


def test_a_decision_on_a_changed_text_is_refused_by_name(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve", ("3", "decision"): "approve"})
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "ben")
        view = session.view(3)
        session.save_sentence(view, view.rows[0], "Something else stands here now.")
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    assert "the texts of item 3 were changed" in done.err
    assert _standing(place) == {}
    rest = gapsmith("packet", "take", packet, "--skip-changed")
    assert rest.code == 0
    assert "left out, because their texts were changed: 3" in rest.err
    assert set(_standing(place)) == {1}


def test_sentences_changed_in_the_file_are_refused(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve", ("1", "sentence"): "I wrote something better."})
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    assert "the sentences of item 1 are not those that were sent" in done.err
    assert _standing(place) == {}


def test_a_sorted_table_is_the_same_packet(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"}, row_of_item=3)
    book = load_workbook(packet)
    sheet = book.active
    assert sheet is not None
    head, *rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    sheet.delete_rows(1, sheet.max_row)
    for row in [head, *sorted(rows, key=lambda row: str(row[3]), reverse=True)]:
        sheet.append(row)
    book.save(packet)
    assert gapsmith("packet", "take", packet).code == 0
    assert _standing(place) == {1: ("ann", Verdict.APPROVE, None)}


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({("1", "decision"): "fine"}, "'fine' is no decision"),
        ({("1", "decision"): "exclude"}, "an exclusion needs a reason"),
        ({("1", "comment"): "hm"}, "has a remark and no decision"),
        ({("1", "key"): "x"}, "the key in the last column is damaged"),
        ({("1", "annotator"): "ben"}, "two entries under 'annotator'"),
        ({("1", "sentence"): "", ("1", "decision"): "flag"}, "are not those that were sent"),
    ],
)
def test_what_is_filled_in_wrongly_is_named_and_nothing_taken(
    place: Path, packet: Path, gapsmith: Run, cells: dict[tuple[str, str], str], said: str
) -> None:
    _fill(packet, {("5", "decision"): "approve", **cells})
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    assert said in done.err
    assert "Nothing was taken in." in done.err
    assert _standing(place) == {}


def test_what_is_locked_stays(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    with Bank.open(place / "bank.sqlite") as bank:
        Session(bank, "ann").lock()
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    assert "ann has locked" in done.err


def test_another_bank_does_not_take_it(packet: Path, tmp_path: Path, session: Session) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    with pytest.raises(Exception, match="not in this bank: item 1"):
        take_packet(session.bank, packet)


def test_a_file_that_is_there_is_not_written_over(packet: Path, session: Session) -> None:
    before = packet.read_bytes()
    with pytest.raises(Exception, match="is there already"):
        make_packet(session, packet, [1])
    assert packet.read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["x.xlsx", "--for", "ann", "--order", "findings"], "there is no 'findings'"),
        (["x.csv", "--for", "ann"], "Call it x.xlsx"),
        (["x.xlsx", "--for", " "], "needs a name"),
        (["x.xlsx", "--for", "ann", "--show", "status:excluded"], "no item fits"),
    ],
)
def test_wrong_wishes_are_named(place: Path, gapsmith: Run, flags: list[str], said: str) -> None:
    done = gapsmith("packet", "make", *flags)
    assert done.code == 2
    assert said in done.err
    assert not (place / "x.xlsx").exists()


def _rewrite(path: Path, column: str, change: Callable[[str], str]) -> None:
    """Every cell of a column, as somebody with a spreadsheet fills it down."""
    book = load_workbook(path)
    sheet = book.active
    assert sheet is not None
    (place,) = (place for place, cell in enumerate(sheet[1], 1) if cell.value == column)
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, place).value = change(str(sheet.cell(row, place).value))
    book.save(path)


def test_a_packet_is_whom_it_was_made_for_and_nobody_elses(place: Path, packet: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.decisions.decide([1], Verdict.FLAG, author="ben")
        bank.review.comment(1, "I am here", author="ann")
    before = _standing(place)
    _fill(packet, {("1", "decision"): "approve"})
    _rewrite(packet, "annotator", lambda _: "ben")
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    assert "item 1: the packet was not made for 'ben' but for 'ann'" in done.err
    assert "Nothing was taken in." in done.err
    assert _standing(place) == before
    assert gapsmith("packet", "take", packet, "--for", "ben").code == 2
    _rewrite(packet, "annotator", lambda _: "ann")
    assert gapsmith("packet", "take", packet, "--for", "ben").code == 2
    assert gapsmith("packet", "take", packet).code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        assert {(d.author, d.verdict) for d in bank.decisions.for_item(1)} == {
            ("ben", Verdict.FLAG),
            ("ann", Verdict.APPROVE),
        }


def test_a_packet_of_release_0_1_needs_the_name_said(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    # Its keys had no signature: packet, item, texts, place.
    _rewrite(packet, "key", lambda key: "-".join(part for n, part in enumerate(key.split("-")) if n != 3))
    refused = gapsmith("packet", "take", packet)
    assert (refused.code, "was made by release 0.1" in refused.err, "--for NAME" in refused.err) == (2, True, True)
    assert gapsmith("packet", "take", packet, "--for", "ben").code == 2
    assert gapsmith("packet", "take", packet, "--for", "ann").code == 0
    assert _standing(place) == {1: ("ann", Verdict.APPROVE, None)}


def test_a_packet_can_be_taken_into_a_copy_of_the_bank(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    gapsmith("init", "copy")
    (place / "copy" / "bank.sqlite").unlink()
    with fill_bank(place / "copy" / "bank.sqlite", 1):
        pass
    merged = gapsmith("bank", "merge", place / "bank.sqlite", "-w", "copy")
    assert merged.code == 0, merged.err
    taken = gapsmith("packet", "take", packet, "-w", "copy")
    # The first item of both is the same, brought in on either side: it is known there by another uid.
    assert (taken.code, "not in this bank: item 1" in taken.err) == (2, True)
    _fill(packet, {("1", "decision"): "", ("3", "decision"): "flag"})
    done = gapsmith("packet", "take", packet, "-w", "copy")
    assert (done.code, "ann: approved 0, excluded 0, flagged 1" in done.err) == (0, True), done.err


def test_decisions_of_packets_are_a_kind_of_their_own_everywhere(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve", ("2", "decision"): "flag"})
    assert gapsmith("packet", "take", packet, "--by", "zoe").code == 0
    gapsmith("decide", "approve", "1", "--by", "zoe")
    with Bank.open(place / "bank.sqlite") as bank:
        kinds = {(d.author, d.kind, d.opened) for d in bank.decisions.current()}
        assert kinds == {("ann", "packet", None), ("zoe", "person", False)}
        session = Session(bank, "ann")
        said = " ".join("".join(seg.text for seg in note.segs) for note in notes_of(session.view(1), "ann"))
        assert "in a packet: whether it was opened is not known" in said
        assert "many at once" not in said
        lines = "\n".join(progress_lines(bank))
        assert "2 of 6, 2 in packets or files" in lines
        assert "2 of 6, 2 of them unopened" in lines, "zoe's were made from the command line"
    listed = list(csv.DictReader(io.StringIO(gapsmith("annotations", "decisions", "--mine", "--by", "ann").out)))
    assert {(row["kind"], row["opened"]) for row in listed} == {("packet", "unknown")}
    assert "approve by ann (packet)" in gapsmith("show", "1").out
    shown = results(gapsmith("show", "1", "--json").out)
    assert {d["kind"] for d in shown[0]["decisions"] if d["by"] == "ann"} == {"packet"}


def test_the_report_does_not_say_that_items_of_packets_were_not_opened(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve", ("2", "decision"): "exclude", ("2", "reason"): "unnatural"})
    gapsmith("packet", "take", packet)
    with Bank.open(place / "bank.sqlite") as bank:
        items = list(bank.items.iterate(ItemFilter()))
        account = account_for(bank, ItemFilter(), items, frozenset(item.id for item in items))
    assert (account.n_by_person, account.n_elsewhere, account.n_unopened) == (0, 2, 0)
    assert account.n_by_people == 2
    assert account.n_elsewhere_and_here == 1, "zoe decided on the second one, and not on a screen"
    assert any("ann (packet)" in row.decided_by for row in account.set_aside)


def test_an_unknown_reason_is_named_and_a_known_one_spelt_as_it_is(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "exclude", ("1", "reason"): "weird"})
    refused = gapsmith("packet", "take", packet)
    assert refused.code == 2
    assert "item 1: 'weird' is no reason for an exclusion here" in " ".join(refused.err.split())
    assert _standing(place) == {}
    _fill(packet, {("1", "reason"): "Unnatural; AMBIGUOUS"})
    assert gapsmith("packet", "take", packet).code == 0
    assert _standing(place)[1] == ("ann", Verdict.EXCLUDE, "unnatural; ambiguous")


def test_who_answers_by_packet_can_be_locked(place: Path, packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "decision"): "approve"})
    assert gapsmith("packet", "take", packet).code == 0
    early = gapsmith("packet", "take", packet, "--lock")
    assert early.code == 2
    assert "ann has not decided on items 2" in " ".join(early.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.review.locks() == []
        rest = [item.label for item in bank.items.iterate(ItemFilter()) if item.label != "1"]
    _fill(packet, {(label, "decision"): "approve" for label in rest})
    done = gapsmith("packet", "take", packet, "--lock")
    assert "ann has locked subject_pg/generated" in " ".join(done.err.split())
    assert gapsmith("packet", "take", packet, "--lock").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        assert [(one.author, one.locked) for one in bank.review.locks()] == [("ann", True)]


def test_what_is_undecided_is_named_beside_other_faults_of_a_packet_that_is_to_be_locked(
    place: Path, packet: Path, gapsmith: Run
) -> None:
    _fill(packet, {("1", "decision"): "exclude", ("1", "reason"): "weird"})
    refused = " ".join(gapsmith("packet", "take", packet, "--lock").err.split())
    assert "item 1: 'weird' is no reason" in refused
    assert "ann has not decided on items 2" in refused
    assert _standing(place) == {}


def test_the_last_packet_locks_what_the_ones_before_it_were_about(place: Path, packet: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        item = bank.items.get(1)
        bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences, dataset="second")], run_id=item.run_id)
        first = [one.label for one in bank.items.iterate(ItemFilter(dataset="generated"))]
    _fill(packet, {(label, "decision"): "approve" for label in first})
    assert gapsmith("packet", "take", packet).code == 0
    done = gapsmith("packet", "make", "rest.xlsx", "--for", "ann")
    assert "1 item, 8 sentences for ann" in " ".join(done.err.split())
    # The first packet is not the last one as long as something is left in its data set.
    with Bank.open(place / "bank.sqlite") as bank:
        bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences)], run_id=item.run_id)
        step = ("ann has 2 items left, and answers by packet.", "gapsmith packet make FILE.xlsx --for ann")
        assert step in lab_page(bank).steps
        assert lab_page(bank.read_by("ann")).steps == (step,)
    _fill(place / "rest.xlsx", {(item.label, "decision"): "flag"})
    said = gapsmith("packet", "take", "rest.xlsx", "--lock").err
    assert "ann has locked subject_pg/second" in " ".join(said.split())
    assert "generated" not in said
    with Bank.open(place / "bank.sqlite") as bank:
        (left,) = (row for row in Session(bank, "ann").rows() if row.mine is None)
        Session(bank, "ann").decide({left.id: left.revision_id}, Verdict.APPROVE)
    said = " ".join(gapsmith("packet", "take", "rest.xlsx", "--lock").err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        assert {(one.dataset, one.locked) for one in bank.review.locks()} == {("second", True), ("generated", True)}, said


def test_a_packet_is_a_form_that_one_can_read(packet: Path) -> None:
    sheet = load_workbook(packet).active
    assert sheet is not None
    assert sheet.freeze_panes == "A2"
    assert sheet["A1"].font.bold
    assert sheet.column_dimensions["D"].width == 70
    offered = {str(one.sqref)[0]: one.formula1 for one in sheet.data_validations.dataValidation}
    assert offered["E"] == '"approve,exclude,flag"'
    assert "unnatural" in offered["F"]


def test_a_packet_says_how_to_fill_it_in_and_one_without_that_is_taken_too(place: Path, packet: Path, gapsmith: Run) -> None:
    book = load_workbook(packet)
    sheet = book.worksheets[0]
    head = [cell.value for cell in sheet[1]]
    assert head[-1] == "key"
    told = " ".join(str(row[head.index("how to fill this in")] or "") for row in sheet.iter_rows(min_row=2, values_only=True))
    for word in (*(verdict.value for verdict in Verdict), "implausible", "ok, ? or *", "Empty: not decided"):
        assert word in told
    sheet.delete_cols(head.index("how to fill this in") + 1)
    book.save(packet)
    _fill(packet, {("1", "decision"): "approve"})
    assert gapsmith("packet", "take", packet).code == 0
    assert _standing(place) == {1: ("ann", Verdict.APPROVE, None)}


def test_items_that_are_not_theirs_any_more_are_told(place: Path, packet: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign({1: ("ann",), 3: ("ben",)}, by=bank.reader)
    _fill(packet, {("1", "decision"): "approve", ("3", "decision"): "approve", ("4", "decision"): "flag"})
    done = gapsmith("packet", "take", packet)
    assert done.code == 0, done.err
    assert "2 items of these are not in ann's share (any more), and taken in all the same: 3, 4" in " ".join(done.err.split())
    assert sorted(_standing(place)) == [1, 3, 4]


def test_all_that_is_filled_in_wrongly_is_named_at_once(place: Path, packet: Path, gapsmith: Run) -> None:
    wrong = {
        ("1", "decision"): "fine",
        ("2", "decision"): "exclude",
        ("3", "comment"): "hm",
        ("4", "decision"): "exclude",
        ("4", "reason"): "weird",
        ("5", "decision"): "approve",
        ("5", "sentence"): "I wrote something better.",
    }
    _fill(packet, wrong)
    done = gapsmith("packet", "take", packet)
    assert done.code == 2
    said = " ".join(done.err.split())
    assert "5 faults" in said
    for part in (
        "item 1: 'fine' is no decision",
        "item 2: an exclusion needs a reason",
        "item 3 has a remark and no decision",
        "item 4: 'weird' is no reason",
        "the sentences of item 5 are not those that were sent",
        "line 2:",
    ):
        assert part in said, part
    assert _standing(place) == {}


def test_reasons_are_named_beside_a_name_that_somebody_has_changed(packet: Path, gapsmith: Run) -> None:
    _fill(packet, {("1", "annotator"): "Ann", ("2", "decision"): "exclude", ("2", "reason"): "weird"})
    said = " ".join(gapsmith("packet", "take", packet).err.split())
    assert "2 faults" in said
    assert "item 2: 'weird' is no reason" in said
    assert "item 1 has two entries under 'annotator'" in said


def test_a_packet_shows_conditions_and_gaps_as_the_screens_do(place: Path, packet: Path, gapsmith: Run) -> None:
    sheet = load_workbook(packet).active
    assert sheet is not None
    head, *rows = list(sheet.iter_rows(values_only=True))
    conditions = [row[head.index("condition")] for row in rows]
    assert conditions[0] == "+F +G1 +G2"
    assert not any("pf_" in str(one) for one in conditions)
    assert " __ " in str(rows[0][head.index("sentence")])
    with Bank.open(place / "bank.sqlite") as bank:
        names = [sentence.condition for sentence in next(bank.items.iterate()).sentences]
        texts = [sentence.text for item in bank.items.iterate() for sentence in item.sentences]
    # One of an earlier release has the names of the file and plain sentences.
    _rewrite(packet, "condition", lambda label: names[conditions.index(label)])
    plain = iter(texts)
    _rewrite(packet, "sentence", lambda _: next(plain))
    _fill(packet, {("1", "decision"): "approve"})
    assert gapsmith("packet", "take", packet).code == 0
    assert set(_standing(place)) == {1}


def test_how_much_is_left_of_somebody_is_for_the_lead_and_oneself(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.gate.hand_on("lea")
    refused = gapsmith("packet", "make", "ben.xlsx", "--for", "ben", "--by", "ann")
    assert refused.code != 0
    assert "a packet for ben would tell ann how far ben is" in " ".join(refused.err.split())
    assert not (place / "ben.xlsx").exists()
    for name, by in (("ben", "ben"), ("ann", "lea")):
        assert gapsmith("packet", "make", f"{name}.xlsx", "--for", name, "--by", by).code == 0


def test_a_packet_of_nothing_left_says_that_all_is_decided(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        n = len(bank.items.ids())
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ben")
    done = gapsmith("packet", "make", "ben.xlsx", "--for", "ben")
    assert done.code != 0
    assert f"ben has decided on all {n} items of theirs" in " ".join(done.err.split())


def test_a_packet_is_made_by_who_leads_or_whom_it_is_for(place: Path, gapsmith: Run) -> None:
    done = gapsmith("packet", "make", "ben.xlsx", "--for", "ben", "--by", "cleo")
    assert done.code != 0
    assert not (place / "ben.xlsx").exists()
    assert gapsmith("packet", "make", "ben.xlsx", "--for", "ben", "--by", "ben").code == 0
