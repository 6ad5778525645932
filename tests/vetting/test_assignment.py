"""Who reads what, with an overlap, and items whose verdict is known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.app.requests.deciding import Assign
from gapsmith.app.services import Services
from gapsmith.app.stages.assigning import assign
from gapsmith.app.workspace import make_workspace, open_workspace
from gapsmith.bank import Bank, BankError, ItemFilter, ItemStatus, LockedError, Verdict, is_locked
from gapsmith.bank.seeing import account_name
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.agreement_pages import agreement_report
from gapsmith.vetting.annotators import adjudication, progress
from gapsmith.vetting.assignment import share_moves, share_out
from gapsmith.vetting.lab import lab_page, lab_text
from gapsmith.vetting.review import Scope, Session
from gapsmith.vetting.review.norming import stimuli
from tests.bank.test_merging import fill
from tests.conftest import CommandOutcome
from tests.printed import result, results
from tests.vetting.reviewing import fill_bank

Run = Callable[..., CommandOutcome]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with twelve items."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    fill_bank(tmp_path / "bank.sqlite", 12).close()
    return tmp_path


@given(
    count=st.integers(0, 60),
    people=st.integers(2, 6),
    readers=st.integers(2, 6),
    overlap=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_everything_has_a_reader_and_loads_are_even(count: int, people: int, readers: int, overlap: float, seed: int) -> None:
    names = [f"p{number}" for number in range(people)]
    readers = min(readers, people)
    shared = share_out(range(count), names, overlap=overlap, readers=readers, seed=seed)
    assert set(shared) == set(range(count))
    sizes = Counter(len(set(who)) for who in shared.values())
    several = round(overlap * count)
    assert sizes == Counter({n: c for n, c in ((readers, several), (1, count - several)) if c})
    loads = Counter(name for who in shared.values() for name in who)
    assert max(loads[name] for name in names) - min(loads[name] for name in names) <= 1
    assert shared == share_out(range(count), names, overlap=overlap, readers=readers, seed=seed)


@given(
    count=st.integers(0, 60),
    people=st.integers(1, 6),
    others=st.integers(1, 6),
    readers=st.integers(2, 4),
    overlap=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    seed=st.integers(0, 99),
    data=st.data(),
)
def test_who_has_items_keeps_as_many_as_the_new_sizes_allow(
    count: int, people: int, others: int, readers: int, overlap: float, seed: int, data: st.DataObject
) -> None:
    names = [f"p{number}" for number in range(max(people, others))]
    overlap = overlap if min(people, others) >= readers else 0.0
    first = share_out(range(count), names[:people], overlap=overlap, readers=readers, seed=seed)
    pairs = sorted((item, name) for item, who in first.items() for name in who)
    decided = set(data.draw(st.lists(st.sampled_from(pairs), max_size=8))) if pairs else set()

    def again(order: int = seed + 1) -> dict[int, tuple[str, ...]]:
        return share_out(
            range(count), names[:others], overlap=overlap, readers=readers, seed=order, before=first, decided=decided
        )

    shared = again()
    assert shared == again(), "the same for the same seed"
    assert Counter(map(len, shared.values())) == Counter(map(len, first.values()))
    assert all(len(set(who)) == len(who) for who in shared.values())
    now, had = (Counter(name for who in one.values() for name in who) for one in (shared, first))
    loads = [now[name] for name in names[:others]]
    assert max(loads) - min(loads) <= 1
    for name in names[:others]:
        kept = {item for item, who in shared.items() if name in who and name in first[item]}
        if others >= people or not overlap:
            assert len(kept) == min(now[name], had[name]), "nobody's items are shuffled"
        else:
            # Of an item whose other reader is gone, the one who is left may be the only one with too few: then two change places.
            gone = sum(bool(set(who) - set(names[:others])) for who in first.values())
            assert len(kept) >= min(now[name], had[name]) - gone
        own = {item for item, one in decided if one == name}
        assert len(own - kept) <= max(len(own) - now[name], 0), "what was decided on goes last"
    if people == others:
        assert shared == first, "nothing to change, nothing changed"
    moves = share_moves(first, shared)
    lost = Counter({name: had[name] - sum(name in shared[i] for i in first if name in first[i]) for name in names})
    assert sum(one.items for one in moves if one.source) == sum(lost.values())
    for name in names:
        assert sum(one.items for one in moves if one.source == name) == lost[name]


@given(
    count=st.integers(1, 40),
    before=st.data(),
    people=st.integers(1, 5),
    readers=st.integers(2, 5),
    overlap=st.floats(0, 1),
    seed=st.integers(0, 9),
)
def test_whatever_was_before_sizes_are_even_and_readers_differ(
    count: int, before: st.DataObject, people: int, readers: int, overlap: float, seed: int
) -> None:
    names = [f"p{number}" for number in range(people)]
    readers = min(readers, people)
    overlap = overlap if people > 1 else 0.0
    had = before.draw(st.dictionaries(st.integers(0, count), st.sets(st.sampled_from([*names, "gone"])), max_size=count))
    shared = share_out(range(count), names, overlap=overlap, readers=readers, seed=seed, before=had)
    several = round(overlap * count)
    assert sorted(len(set(who)) for who in shared.values()) == [1] * (count - several) + [readers] * several
    loads = Counter(name for who in shared.values() for name in who)
    assert max(loads[name] for name in names) - min(loads[name] for name in names) <= 1


def test_adding_a_person_says_what_moves_from_whom_to_whom(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0")
    with Bank.open(place / "bank.sqlite") as bank:
        before = bank.assignments.shares()
    told = gapsmith("assign", "--to", "ann", "--to", "ben", "--to", "cy", "--overlap", "0", "--dry-run").err
    assert "2 items from ann to cy" in told
    assert "2 items from ben to cy" in told
    assert "from ann to ben" not in told
    assert "from ben to ann" not in told
    shown = result(gapsmith("assign", "--to", "ann", "--to", "ben", "--to", "cy", "--overlap", "0", "--dry-run", "--json").out)
    assert shown["moves"] == [{"source": name, "to": "cy", "items": 2} for name in ("ann", "ben")]
    asked = gapsmith("assign", "--to", "ann", "--to", "ben", "--to", "cy", "--overlap", "0")
    assert asked.code == 2
    assert "2 items from ann to cy" in asked.err, "what would move is shown before it is refused"
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--to", "cy", "--overlap", "0", "--replace").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        shares = bank.assignments.shares()
    assert shares["ann"] < before["ann"]
    assert shares["ben"] < before["ben"]


@pytest.mark.parametrize(
    ("names", "overlap", "readers"),
    [
        ([], 0.0, 2),
        (["a", "a"], 0.0, 2),
        (["a", " "], 0.0, 2),
        (["a", "b"], 1.1, 2),
        (["a", "b"], 0.1, 3),
        (["a"], 0.1, 1),
    ],
)
def test_what_cannot_be_shared_out_is_refused(names: list[str], overlap: float, readers: int) -> None:
    with pytest.raises(ConfigError):
        share_out([1, 2], names, overlap=overlap, readers=readers, seed=0)


def test_the_review_shows_ones_own_items_only(place: Path, gapsmith: Run) -> None:
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0.5", "--json")
    assert done.code == 0, done.err
    said = result(done.out)
    assert {name: said[name] for name in ("items", "overlap", "known", "loads")} == {
        "items": 12,
        "overlap": 6,
        "known": 0,
        "loads": {"ann": 9, "ben": 9},
    }
    with Bank.open(place / "bank.sqlite") as bank:
        ann, ben = (Session(bank, name) for name in ("ann", "ben"))
        of_ann, of_ben = ({row.id for row in session.rows()} for session in (ann, ben))
        assert len(of_ann) == len(of_ben) == 9
        assert len(of_ann & of_ben) == 6
        assert of_ann | of_ben == set(range(1, 13))
        assert {one.item_id for one in stimuli(ann)} == of_ann
        assert Session(bank, "zoe").rows() == []
        assert stimuli(Session(bank, "zoe")) == []
        assert len(Session(bank, "ann", adjudicating=True).rows()) == 12
        ann.decide({item_id: bank.review.revision_of(item_id) for item_id in of_ann}, Verdict.APPROVE)
        (how_far,) = progress(bank)
        assert (how_far.decided, how_far.total) == (9, 9)


def test_a_later_assignment_takes_the_place_of_an_earlier_one(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign({1: ("ann",), 2: ("ann",)}, by="zoe")
        ann = Session(bank, "ann")
        ann.decide({1: ann.row(1).revision_id}, Verdict.FLAG)
        bank.assignments.assign({1: ("ben",)}, by="zoe")
        assert ann.row(1).mine is Verdict.FLAG, "no decision is changed"
        assert bank.assignments.of("ann") == frozenset({2})
        assert bank.assignments.of("ben") == frozenset({1})
        assert bank.assignments.of("zoe") == frozenset()


def test_without_any_assignment_everybody_reads_everything(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.assignments.of("zoe") is None
        assert len(Session(bank, "zoe").rows()) == 12


def test_who_has_no_share_is_told_so_and_gets_nothing_anywhere(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0")
    for words in (["review"], ["review", "--judge"]):
        done = gapsmith(*words, "--by", "zoe")
        assert done.code == 0
        assert "zoe has no share" in done.err
        assert "gapsmith assign --to NAME" in done.err
    refused = gapsmith("packet", "make", "zoe.xlsx", "--for", "zoe")
    assert refused.code == 2
    assert "zoe has no share" in refused.err
    for words in (["review", "--web"], ["review", "--judge", "--web"]):
        # A page that can only say that it has ended would be told to nobody but who has started it.
        refused = gapsmith(*words, "--port", "0", "--for", "zoe", "--for", "ann")
        assert refused.code == 2
        told = " ".join(refused.err.split())
        assert "zoe has no share" in told
        assert "The others can begin: --for ann." in told
    assert not (place / "zoe.xlsx").exists()


def test_one_person_under_two_names_is_noticed(place: Path, gapsmith: Run) -> None:
    for names in (("ann", "Ann"), ("ben", "ben "), ("Ann  Lee", "ann lee")):
        refused = gapsmith("assign", "--to", names[0], "--to", names[1])
        assert refused.code == 2
        assert "look like one person" in " ".join(refused.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        assert not bank.assignments.readers()
    assert gapsmith("assign", "--to", "annika", "--to", "ben").code == 0
    told = gapsmith("review", "--by", "Anika").err
    assert "Anika has no share" in " ".join(told.split())
    assert "Are you annika? Then say so: --by annika, or GAPSMITH_ANNOTATOR=annika." in " ".join(told.split())
    assert "Are you" not in gapsmith("review", "--by", "zoe").err
    assert "Are you ben? Then say so: --by ben" in " ".join(gapsmith("review", "--by", "bne").err.split())
    told = " ".join(gapsmith("assign", "--to", "Ben", "--to", "annika", "--dry-run").err.split())
    assert "Ben is new here, and there is ben: if that is the same person, assign to ben." in told


def test_a_dry_run_shows_who_would_read_how_much_also_the_first_time(place: Path, gapsmith: Run) -> None:
    told = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0.5", "--dry-run").err
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0.5").err
    assert "ann: 9 items" in done
    assert told.replace("This would be so; nothing was assigned (--dry-run).\n", "Assigned.\n") == done


def test_what_an_assignment_changes_is_shown_before_it_happens_at_every_door(place: Path, gapsmith: Run) -> None:
    """At the first assignment, and at a later one that takes something away."""
    with open_workspace(place) as ws:
        for names in (("ann", "ben"), ("ann", "ben", "cy")):
            before = ws.bank.assignments.shares()
            said: list[str] = []

            def note(line: str, before: dict[str, frozenset[int]] = before, said: list[str] = said) -> None:
                said.append(line)
                if line != "Assigned.":
                    assert ws.bank.assignments.shares() == before, "nothing has happened yet"

            request = Assign(to=names, overlap=0.0, replace=True)
            shown = assign(ws, replace(request, dry_run=True))
            assert ws.bank.assignments.shares() == before
            done = assign(ws, request, Services(note=note))
            assert said == [*str(shown).splitlines(), "Assigned."], "as the Python function shows it"
            assert replace(shown, done=True) == done
            # Once: as what everybody has, or as what changes for them.
            assert len([line for line in said if line.startswith(f"{names[0]}: ")]) == 1
            assert [line for line in said if line.startswith(("ann: 6 items", "ann: 6 → 4 of these items"))]
    assert "    2 items from ann to cy" in said
    refused = gapsmith("assign", "--to", "ben", "--to", "cy", "--overlap", "0")
    assert refused.code == 2
    assert refused.err.index("from ann to") < refused.err.index("--replace")


def test_who_is_new_reads_some_of_the_overlap_and_no_two_lose_theirs() -> None:
    """Whoever is added must not become the only one with whom anybody else can be compared."""
    ids, first = range(64), ["ann", "ben", "cy"]
    before = share_out(ids, first, overlap=0.2, readers=2, seed=0)
    given = share_out(ids, [*first, "dee"], overlap=0.2, readers=2, seed=0, before=before)
    pairs = Counter(frozenset(names) for names in given.values() if len(names) == 2)
    assert sum(pairs.values()) == 13
    assert all(pairs[frozenset(two)] for two in combinations(first, 2)), pairs
    assert 3 <= sum(n for pair, n in pairs.items() if "dee" in pair) <= 9, pairs


def test_a_flag_is_named_where_nothing_is_disputed(place: Path, gapsmith: Run) -> None:
    gapsmith("decide", "flag", "1", "--by", "ann")
    told = " ".join(gapsmith("review", "--adjudicate", "--early", "--by", "cy").err.split())
    assert "1 item is flagged: gapsmith review --adjudicate --show status:flagged" in told
    assert "nothing to adjudicate" not in told


def test_an_export_of_what_was_shared_out_says_what_nobody_has_settled(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0", "--by", account_name())
    with Bank.open(place / "bank.sqlite") as bank:
        first, second, *_ = sorted(bank.assignments.of("ann") or ())
        labels = [bank.items.get(one).label for one in (first, second)]
    gapsmith("decide", "approve", labels[0], "--by", "ann")
    gapsmith("decide", "flag", labels[1], "--by", "ann")
    told = " ".join(gapsmith("export", "csv", "-o", "out.csv").err.split())
    assert "Left out, since nobody has settled them: 10 pending and 1 flagged; `gapsmith lab` says whose they are." in told
    assert "nobody has settled" not in gapsmith("export", "csv", "--all", "-o", "all.csv").err


def test_nothing_to_adjudicate_is_said_with_what_is_undecided(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--adjudicator", "cy")
    assert "Nothing is disputed so far; nobody has decided on 12 items yet" in " ".join(
        gapsmith("review", "--adjudicate", "--early", "--by", "cy").err.split()
    )


def test_a_new_assignment_says_what_it_changes_and_takes_nothing_away_unasked(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0")
    with Bank.open(place / "bank.sqlite") as bank:
        before = bank.assignments.shares()
        ann = Session(bank, "ann")
        ann.decide({row.id: row.revision_id for row in ann.rows()[:2]}, Verdict.APPROVE)
    shown = gapsmith("assign", "--to", "cy", "--to", "dee", "--overlap", "0", "--dry-run", "--json")
    assert shown.code == 0
    told = {one["name"]: one for one in result(shown.out)["changes"]}
    assert result(shown.out)["done"] is False
    assert (told["ann"]["before"], told["ann"]["taken"], told["ann"]["decided"], told["ann"]["empty"]) == (6, 6, 2, True)
    assert (told["cy"]["after"], told["cy"]["given"], told["cy"]["empty"]) == (6, 6, False)
    refused = gapsmith("assign", "--to", "cy", "--to", "dee", "--overlap", "0")
    assert refused.code == 2
    assert "ann: 6 → 0 of these items (0 new, 6 taken away, 2 of those decided on: the decisions stay)" in " ".join(
        refused.err.split()
    )
    assert "--replace" in refused.err
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.assignments.shares() == before
    assert gapsmith("assign", "--to", "cy", "--to", "dee", "--overlap", "0", "--replace").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        shares = bank.assignments.shares()
        assert set(shares) == {"cy", "dee"}
        assert not shares["cy"] & shares["dee"]
        assert Session(bank, "ann").rows() == []
        (how_far,) = progress(bank)
        assert (how_far.decided, how_far.total, how_far.outside) == (2, 0, 2)


def test_what_is_assigned_is_taken_away_by_the_lead_alone(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
    gapsmith("assign", "--to", "ann", "--to", "ben", "--by", "lea")
    refused = gapsmith("assign", "--to", "ben", "--overlap", "0", "--replace", "--by", "ben")
    assert refused.code == 2
    assert "lea leads this bank" in refused.err
    assert gapsmith("assign", "--to", "ben", "--overlap", "0", "--replace", "--by", "lea").code == 0


def test_who_adjudicates_can_be_named(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--adjudicator", "cy")
    with Bank.open(place / "bank.sqlite") as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
        for name, verdict in (("ann", Verdict.APPROVE), ("ben", Verdict.FLAG)):
            session = Session(bank, name)
            session.decide({row.id: row.revision_id for row in session.rows()[:3]}, verdict)
        with pytest.raises(ConfigError, match="dee does not adjudicate here: cy does"):
            Session(bank, "dee", adjudicating=True)
        for name in ("cy", "lea"):
            disputed = [row for row in Session(bank, name, adjudicating=True).rows() if row.status is ItemStatus.DISPUTED]
            assert len(disputed) == 3
    refused = gapsmith("review", "--adjudicate", "--by", "dee")
    assert refused.code == 2
    assert "dee does not adjudicate here" in refused.err


def test_calibration_items_do_not_count_in_kappa_unless_asked_and_drift_is_told_over_time(place: Path, gapsmith: Run) -> None:
    known = dict.fromkeys(range(1, 9), Verdict.APPROVE)
    with Bank.open(place / "bank.sqlite", reader="zoe") as bank:
        bank.assignments.assign(dict.fromkeys(range(1, 13), ("ann", "ben")), known, by="zoe")
        for name in ("ann", "ben"):
            session = Session(bank, name)
            for item_id in range(1, 13):
                # On what is known both agree, ann drifting away in the second half; on the rest they never do.
                wrong = item_id > 8 and name == "ben"
                late = name == "ann" and 4 < item_id <= 8
                verdict = Verdict.FLAG if wrong or late else Verdict.APPROVE
                session.decide({item_id: bank.review.revision_of(item_id)}, verdict)
        seeing = bank.read_by("zoe", everything=True)
        report = agreement_report(seeing)
        assert (report.parts[0].raw.hits, report.parts[0].raw.n, report.calibrating) == (0, 4, 16)
        assert (agreement_report(seeing, calibrating=True).parts[0].raw.n, report.calibration[0].decided) == (12, 8)
        blocks = [(one.author, one.number, one.hits, one.decided) for one in report.drift]
        assert blocks == [("ann", 1, 4, 4), ("ann", 2, 0, 4), ("ben", 1, 4, 4), ("ben", 2, 4, 4)]
        course = lab_text(lab_page(seeing)).split("Drift\n")[1].split("\n\n")[0]
        assert re.search(r"ann: .* 4 of 4 .* 0 of 4 ", course)
    shown = gapsmith("agreement", "--by", "dee", "--look")
    assert "decisions: 0 of 4" in shown.out
    assert "16 labels of calibration items are left out" in shown.out
    assert "4 of 4" in shown.out.split("Over time")[1]
    assert "decisions: 8 of 12" not in shown.out
    assert "of 12 =" in gapsmith("agreement", "--by", "dee", "--look", "--calibration").out


def test_the_lab_says_how_many_calibration_decisions_a_course_takes(place: Path) -> None:
    known = dict.fromkeys(range(1, 5), Verdict.APPROVE)
    with Bank.open(place / "bank.sqlite", reader="zoe") as bank:
        bank.assignments.assign(dict.fromkeys(range(1, 13), ("ann", "ben")), known, by="zoe")
        for item_id in range(1, 5):
            Session(bank, "ann").decide({item_id: bank.review.revision_of(item_id)}, Verdict.APPROVE)
        told = lab_text(lab_page(bank.read_by("zoe", everything=True))).split("Drift\n")[1]
        assert told.strip().startswith(
            "Over time: nothing to compare yet; it takes 6 calibration decisions of one person, and there are 4"
        )


def test_a_packet_holds_ones_own_items_only(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0")
    done = gapsmith("packet", "make", "ann.xlsx", "--for", "ann")
    assert "6 items, 48 sentences" in done.err


def test_agreement_with_what_is_known_is_reported_and_nobody_is_told_before(place: Path, gapsmith: Run) -> None:
    (place / "known.csv").write_text("item,decision,reason\n3,approve,\n7,exclude,a dangling gap\n", encoding="utf-8")
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0", "--known", "known.csv", "--our-ids")
    assert "12 items; 0 of the 10 that do not calibrate have several readers, 2 calibrate" in done.err
    with Bank.open(place / "bank.sqlite") as bank:
        for name in ("ann", "ben"):
            session = Session(bank, name)
            assert {3, 7} <= {row.id for row in session.rows()}
            assert "known" not in repr(session.view(7))
            assert "dangling" not in repr(session.view(7))
        revisions = {item_id: bank.review.revision_of(item_id) for item_id in (3, 7)}
        Session(bank, "ann").decide(revisions, Verdict.APPROVE)
        Session(bank, "ben").decide({3: revisions[3]}, Verdict.APPROVE)
    shown = gapsmith("agreement", "--by", "zoe", "--look")
    assert "ann: 1 of 2 = 0.50" in shown.out
    assert "; not generated/7" in shown.out
    assert "ben: 1 of 1 = 1.00" in shown.out
    data = result(gapsmith("agreement", "--by", "zoe", "--look", "--json").out)
    assert [(one["author"], one["hits"], one["decided"]) for one in data["calibration"]] == [
        ("ann", 1, 2),
        ("ben", 1, 1),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,decision\n99,approve\n", "known.csv, line 2: there is no item '99'"),
        ("item,decision\n1,approve\n1,flag\n", "known.csv, line 3: item 1 has another verdict above"),
    ],
)
def test_a_wrong_file_of_known_verdicts_is_named(place: Path, gapsmith: Run, text: str, said: str) -> None:
    (place / "known.csv").write_text(text, encoding="utf-8")
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--known", "known.csv", "--our-ids")
    assert done.code == 2
    assert said in done.err
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.assignments.of("ann") is None


def test_assignments_travel_with_a_copy_of_the_bank(place: Path, tmp_path: Path, gapsmith: Run) -> None:
    assert gapsmith("bank", "backup", "other.sqlite").code == 0
    with Bank.open(tmp_path / "other.sqlite") as other:
        other.assignments.assign({1: ("ann",), 2: ("ben",)}, {1: Verdict.FLAG}, by="zoe")
    done = gapsmith("bank", "merge", "other.sqlite")
    assert done.code == 0, done.err
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.assignments.of("ann") == frozenset({1})


def test_calibration_items_of_a_data_set_of_their_own_as_the_docs_have_it(place: Path, gapsmith: Run) -> None:
    assert gapsmith("generate", "subject_pg", "-n", 2, "--seed", 9, "-d", "calibration").code == 0
    text = "item,decision,reason\n1,approve,\n"
    (place / "known.csv").write_text(text, encoding="utf-8")
    asked = ("assign", "--to", "ann", "--to", "ben", "--overlap", "0")
    refused = gapsmith(*asked, "--known", "known.csv", "--our-ids")
    assert refused.code == 2
    assert "columns `dataset` and `paradigm` of the file" in " ".join(refused.err.split())
    page = Path(__file__).parents[2] / "docs" / "review.md"
    known = page.read_text(encoding="utf-8").split("```csv known.csv\n")[1].split("```")[0]
    (place / "known.csv").write_text(known, encoding="utf-8")
    done = gapsmith(*asked, "--known", "known.csv", "--our-ids")
    assert "14 items; 0 of the 12 that do not calibrate have several readers, 2 calibrate" in " ".join(done.err.split())
    # They calibrate until the lead says otherwise.
    forgetting = ("assign", "--to", "ann", "--to", "ben", "--overlap", "1")
    for words in (forgetting, (*forgetting, "--dry-run")):
        told = gapsmith(*words)
        assert told.code == (0 if "--dry-run" in words else 2)
        assert "2 calibration items would calibrate no more" in " ".join(told.err.split())
    # What they are called on screens names them here.
    with Bank.open(place / "bank.sqlite") as bank:
        (first, _) = [row for row in Session(bank, "ann").rows() if row.dataset == "calibration"]
        found = bank.items.get(first.id)
    (shown,) = results(gapsmith("show", first.label, "--json").out)
    assert (shown["item_uid"], shown["item"]) == (found.uid.hex(), found.label)
    assert gapsmith("decide", "flag", first.label, "--by", "ann").code == 0
    assert "there is no item 'bcdfa'" in gapsmith("decide", "flag", "bcdfa", "--by", "ann").err
    with Bank.open(place / "bank.sqlite", reader="ann") as bank:
        assert [one.item_id for one in bank.decisions.current()] == [found.id]
    with Bank.open(place / "bank.sqlite") as bank:
        assert len(bank.assignments.known_verdicts()) == 2
    assert gapsmith(*forgetting, "--replace").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.assignments.known_verdicts() == {}


def test_a_lock_is_about_the_data_sets_that_one_has_items_in(place: Path, gapsmith: Run) -> None:
    """Who locks after calibrating is blind in the main study, and nothing is given to who sees it already."""
    with Bank.open(place / "bank.sqlite") as bank:
        first, second = bank.items.ids()[:2]
        bank.assignments.assign({first: ("ann", "ben"), second: ("ben",)}, by=account_name())
        ann, ben = Session(bank, "ann"), Session(bank, "ben")
        ann.decide({first: ann.row(first).revision_id}, Verdict.APPROVE)
        assert ann.to_lock() == {("subject_pg", "generated"): 1}
        ann.lock()
        assert ann.to_lock() == {}
        assert [(one.paradigm, one.dataset) for one in bank.review.locks()] == [("subject_pg", "generated")]
        assert not is_locked(bank.review.locks(), "ann", "subject_pg", "main")
        ben.decide({second: ben.row(second).revision_id}, Verdict.FLAG)
        with pytest.raises(LockedError, match=r"ann has locked subject_pg/generated \(1 item\)"):
            bank.assignments.assign({second: ("ann",)}, by=account_name())
        assert bank.assignments.readers()[second] == ("ben",)
        # What she has decided on she may be given, and others may be given anything.
        bank.assignments.assign({first: ("ann",), second: ("ben", "cy")}, by=account_name())
    for words in ([], ["--dry-run"]):
        refused = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--replace", *words)
        assert refused.code == 2
        said = " ".join(refused.err.split())
        assert "ann has locked subject_pg/generated (11 items)" in said
        assert "gapsmith review --by ann -p subject_pg -d generated" in said
        assert "Nothing was assigned." in said
    with Bank.open(place / "bank.sqlite") as bank:
        Session(bank, "ann", scope=Scope("subject_pg", "generated")).lock(locked=False)
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--replace")
    assert done.code == 0, done.err


def test_who_does_not_lead_neither_shares_out_anew_nor_decides_by_policy(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.read_by(account_name()).gate.hand_on("lea")
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--by", "lea").code == 0
    for words in (
        ("assign", "--to", "ann", "--to", "ben", "--adjudicator", "ann", "--by", "ann"),
        ("assign", "--to", "ann", "--replace", "--dry-run", "--by", "dan"),
        ("decide", "--policy", "clean", "--by", "ann"),
    ):
        done = gapsmith(*words)
        assert done.code != 0
        assert "lea leads this bank" in done.err
        assert "calibrate" not in done.err


def test_nobody_decides_on_items_of_others_but_the_lead_who_settles_them(place: Path, gapsmith: Run) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign({1: ("ann",), 2: ("ben",)}, by=account_name(), adjudicators=("cy",))
    (place / "d.csv").write_text("item,decision,author\n1,approve,zoe\n", encoding="utf-8")
    for words in (
        ["approve", "1", "--by", "zoe"],
        ["approve", "2", "--by", "ann"],
        ["flag", "3", "--by", "cy"],
        ["--csv", "d.csv", "--our-ids"],
    ):
        refused = gapsmith("decide", *words)
        assert refused.code != 0
        said = " ".join(refused.err.split())
        assert "items are shared out here, to others" in said
        assert "gapsmith assign --to NAME" in said
    with Bank.open(place / "bank.sqlite") as bank:
        session = Session(bank, "zoe")
        with pytest.raises(BankError, match="item 1 is not zoe's"):
            session.decide({1: session.row(1).revision_id}, Verdict.APPROVE)
        assert bank.decisions.all() == []
    assert gapsmith("decide", "approve", "1", "--by", "ann").code == 0
    for who, item in (("cy", "2"), (account_name(), "3")):
        done = gapsmith("decide", "flag", item, "--by", who, "--early")
        assert done.code == 0, done.err
        assert "settled 1 item of others' shares" in " ".join(done.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        kinds = {one.item_id: (one.author, one.kind) for one in bank.decisions.all()}
        assert kinds == {1: ("ann", "person"), 2: ("cy", "adjudication"), 3: (account_name(), "adjudication")}
        assert [one.author for one in progress(bank)] == ["ann"]
        assert adjudication(bank).single == (1,)


def test_a_filter_is_about_ones_own_share_and_names_are_those_of_the_screens(place: Path, gapsmith: Run) -> None:
    (place / "known.csv").write_text("item,decision\n3,approve\n", encoding="utf-8")
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "0", "--known", "known.csv", "--our-ids")
    assert done.code == 0, done.err
    with Bank.open(place / "bank.sqlite", reader="ann") as bank:
        mine = bank.assignments.of("ann") or frozenset()
        other = min(set(bank.items.ids()) - mine)
        label, name = str(other), bank.gate.called(bank.items.get(other))
    done = gapsmith("decide", "approve", "--status", "pending", "--by", "ann")
    assert done.code == 0, done.err
    assert f"{12 - len(mine)} items of others' shares left out" in " ".join(done.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        assert {one.item_id for one in bank.decisions.all()} == mine
    assert name != label
    refused = " ".join(gapsmith("decide", "approve", name, "--by", "ann").err.split())
    assert f"item {name} is not ann's" in refused


def test_a_reason_is_of_the_list_at_every_door(place: Path, gapsmith: Run) -> None:
    (place / "d.csv").write_text("item,decision,reason\n1,exclude,odd verb\n", encoding="utf-8")
    (place / "other.csv").write_text("item,decision,reason\n1,exclude,other\n", encoding="utf-8")
    for words, said in (
        (("exclude", "1", "-r", "odd verb"), "'odd verb' is no reason for an exclusion here"),
        (("exclude", "1", "-r", "other"), "the reason 'other' says nothing by itself"),
        (("--csv", "d.csv", "--our-ids"), "item 1: 'odd verb' is no reason for an exclusion here"),
        (("--csv", "other.csv", "--our-ids"), "item 1: the reason 'other' says nothing by itself"),
    ):
        refused = gapsmith("decide", *words)
        assert refused.code != 0, words
        assert said in " ".join(refused.err.split())
    assert gapsmith("decide", "exclude", "1", "-r", "Unnatural; other", "--comment", "odd verb").code == 0
    (place / "review.toml").write_text('reasons = ["odd verb"]\n', encoding="utf-8")
    assert gapsmith("decide", "exclude", "2", "-r", "odd verb").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        assert [one.reason for one in bank.decisions.all()] == ["unnatural; other", "odd verb"]


# Naming people again


def test_a_share_for_somebody_new_alone_says_to_name_everybody(place: Path, gapsmith: Run) -> None:
    gapsmith("assign", "--to", "ann", "--to", "ben", "--to", "cem")
    refused = gapsmith("assign", "--to", "dora", "--dry-run")
    assert refused.code == 2
    told = " ".join(refused.err.split())
    assert "name everybody who is to have a share (--to ann --to ben --to cem --to dora)" in told
    assert "--overlap 0" not in told, "that would take every item from the others"


def test_naming_everybody_again_keeps_data_sets_overlap_and_readers(place: Path, gapsmith: Run) -> None:
    everybody = [word for name in ("ann", "ben", "cy") for word in ("--to", name)]
    gapsmith("generate", "subject_pg", "-n", 2, "--seed", 9, "-d", "fillers")
    gapsmith("assign", *everybody, "-d", "generated", "--overlap", "0.5", "--readers", "3")
    again = gapsmith("assign", *everybody)
    assert again.code == 0, again.err
    assert "12 items; 6 of them have several readers" in again.err
    told = " ".join(again.err.split())
    assert "Shared out, as before: generated (subject_pg); to share out fillers (subject_pg) too, say -d for each." in told
    assert "Overlap as before: 6 of 12 items, 3 readers each" in told
    half = gapsmith("assign", *everybody, "--overlap", "0.25", "--replace")
    assert "As before, items of the overlap have 3 readers" in " ".join(half.err.split())
    with Bank.open(place / "bank.sqlite") as bank:
        readers = bank.assignments.readers()
    assert sorted(map(len, readers.values())) == [1] * 9 + [3] * 3
    more = gapsmith("assign", *everybody, "-d", "fillers")
    assert "as before" not in more.err, "these items were never assigned"
    gapsmith("assign", *everybody, "-d", "fillers", "--overlap", "1", "--replace")
    both = gapsmith("assign", *everybody)
    assert both.code == 2
    assert "some have 2 readers and others 3" in both.err


def test_the_overlap_is_counted_over_the_same_items_in_every_line(place: Path, gapsmith: Run) -> None:
    two = ("assign", "--to", "ann", "--to", "ben")
    (place / "known.csv").write_text("item,decision,reason\n3,approve,\n7,exclude,a dangling gap\n", encoding="utf-8")
    first = gapsmith(*two, "--overlap", "0.4", "--known", "known.csv", "--our-ids")
    assert "12 items; 4 of the 10 that do not calibrate have several readers, 2 calibrate" in first.err
    with Bank.open(place / "bank.sqlite") as bank:
        (overlap,) = [one for one in lab_page(bank).overlaps if {one.first, one.second} == {"ann", "ben"}]
        assert overlap.assigned == 4
    kept = " ".join(gapsmith(*two, "--to", "cy", "--known", "known.csv", "--our-ids", "--dry-run").err.split())
    assert "Overlap as before: 4 of 10 items, 2 readers each" in kept
    assert "4 of the 10 that do not calibrate have several readers" in kept
    more = " ".join(gapsmith(*two, "--to", "cy", "--dry-run").err.split())
    assert "Overlap as before: 4 of 10 items, which makes 5 of 12 now, 2 readers each" in more
    assert "12 items; 5 of them have several readers, 0 calibrate" in more


def test_no_is_an_answer(place: Path) -> None:
    with open_workspace(place) as ws:
        assign(ws, Assign(to=("ann", "ben"), overlap=0.0))
        before, said = ws.bank.assignments.shares(), list[str]()
        found = assign(ws, Assign(to=("cy",), overlap=0.0), Services(note=said.append, ask=lambda *_: "no"))
        assert ws.bank.assignments.shares() == before
    assert said[-1] == "Nothing was changed."
    assert not found.done


def test_an_overlap_above_one_counts_items(place: Path, gapsmith: Run) -> None:
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "5")
    assert "12 items; 5 of them have several readers" in done.err
    assert "--overlap 5: taken as a number of items" in " ".join(done.err.split())
    for overlap, said in (("13", "there are 12 items to share out"), ("1.5", "neither a share nor a number of items")):
        refused = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", overlap)
        assert refused.code == 2
        assert said in " ".join(refused.err.split())


def test_what_is_shared_out_is_told_truly(place: Path, gapsmith: Run) -> None:
    three = ("assign", "--to", "ann", "--to", "ben", "--to", "cy", "--overlap", "1")
    assert "12 items; all have 3 readers, 0 calibrate" in gapsmith(*three, "--readers", "3").err
    assert "12 items go from cy to nobody" in gapsmith("assign", "--to", "ann", "--to", "ben", "--readers", "2", "--dry-run").err


def test_labels_of_a_data_set_that_was_not_chosen_say_what_to_add(place: Path, gapsmith: Run) -> None:
    gapsmith("generate", "subject_pg", "-n", 2, "--seed", 9, "-d", "calibration")
    (place / "known.csv").write_text("item,dataset,decision\n1,calibration,approve\n", encoding="utf-8")
    people = ("assign", "--to", "ann", "--to", "ben", "-d", "generated", "--known", "known.csv", "--our-ids")
    refused = gapsmith(*people)
    assert refused.code == 2
    assert "Add -d calibration" in " ".join(refused.err.split())
    assert gapsmith(*people, "-d", "calibration").code == 0


def test_a_merge_says_whose_lock_its_assignments_meet(place: Path, tmp_path: Path, gapsmith: Run) -> None:
    """Each copy refuses it by itself; together they bring it about."""
    copy = tmp_path / "copy.sqlite"
    with Bank.open(place / "bank.sqlite") as bank:
        bank.assignments.assign(dict.fromkeys(range(1, 5), ("ann",)), by="zoe")
        bank.db.execute("VACUUM INTO ?", (str(copy),))
    with Bank.open(copy) as bank:
        bank.assignments.assign(dict.fromkeys(range(3, 8), ("ann", "ben")), by="zoe")
    with Bank.open(place / "bank.sqlite") as bank:
        bank.decisions.decide([1, 2, 3, 4], Verdict.APPROVE, author="ann")
        bank.review.lock("ann", paradigm="subject_pg", dataset="generated")
    done = gapsmith("bank", "merge", copy)
    assert done.code == 0
    said = " ".join(done.err.split())
    assert "ann has locked subject_pg/generated (3 items)" in said
    assert "gapsmith review --by ann -p subject_pg -d generated" in said
    assert "ben has locked" not in said
    assert results(gapsmith("bank", "merge", copy, "--json").out)[0]["not_blind"] == [], "nothing new"


def test_roles_want_a_name_that_somebody_has_said(tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who began a workspace without one leads it as the account is called, and gives or takes no role under that."""
    monkeypatch.chdir(tmp_path)
    made = " ".join(gapsmith("init").err.split())
    assert f"{account_name()}, as this account is called, leads it" in made
    assert f"gapsmith bank lead NAME --by {account_name()}" in made
    gapsmith("generate", "subject_pg", "-n", 4, "--seed", 1)
    to = ("assign", "--to", "ann", "--to", "ben")
    for words in (to, ("review", "--adjudicate")):
        refused = gapsmith(*words)
        assert refused.code == 2
        assert f"{account_name()} is only what this account is called" in " ".join(refused.err.split())
        assert "gapsmith bank lead NAME" in refused.err.replace("\n", " ")
    assert gapsmith(*to, "--dry-run").code == 0
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    assert gapsmith("bank", "lead", "lea", "--by", account_name()).code == 0
    assert gapsmith("bank", "lead").out == "lea\n"
    assert gapsmith(*to).code == 0
    monkeypatch.delenv("GAPSMITH_ANNOTATOR")
    assert gapsmith(*to, "--overlap", "0", "--by", "lea", "--replace").code == 0
    # Who says the name before is the lead from the start, and one who says the account's name has said one.
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lea")
    assert "leads it" not in gapsmith("init", "other").err
    assert gapsmith("bank", "lead", "-w", "other").out == "lea\n"


def test_calibration_items_are_no_part_of_the_results_unless_asked(place: Path, gapsmith: Run) -> None:
    """Neither of those of their own data set nor of those that lie in the study's: nobody scores, analyses, exports or adjudicates them."""
    assert gapsmith("generate", "subject_pg", "-n", 2, "--seed", 9, "-d", "extra").code == 0
    (place / "known.csv").write_text(
        "item,dataset,decision\n1,extra,approve\n2,extra,approve\n3,generated,approve\n", encoding="utf-8"
    )
    done = gapsmith("assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--known", "known.csv", "--our-ids")
    said = " ".join(done.err.split())
    assert "counts neither in overlap and kappas nor in results" in said
    assert "1 calibration item of 12 items in generated (subject_pg): its results are over the other 11." in said
    assert "in extra (" not in said
    with Bank.open(place / "bank.sqlite") as bank:
        known = bank.assignments.known_verdicts()
        for item_id in bank.items.ids():
            bank.decisions.decide([item_id], Verdict.APPROVE, author="ann")
            of_ben = Verdict.FLAG if item_id in known and item_id != 3 else Verdict.APPROVE
            bank.decisions.decide([item_id], of_ben, author="ben")
        bank.review.lock("ann", paradigm=None, dataset=None)
        bank.review.lock("ben", paradigm=None, dataset=None)
        assert bank.items.get(13).status is ItemStatus.DISPUTED
        assert len(adjudication(bank).agreed) == 11
        assert [*adjudication(bank).disputed, *adjudication(bank, dataset="generated").disputed] == []
        assert adjudication(bank, dataset="extra").disputed == (13, 14)
        seeing = Session(bank, "zoe", adjudicating=True)
        assert len(seeing.rows()) == 11
        assert len(Session(bank, "zoe", adjudicating=True, scope=Scope("subject_pg", "extra")).rows()) == 2
        page = lab_page(bank)
        assert (page.calibrating, dict(page.statuses)["disputed"], dict(page.statuses)["approved"]) == (3, 0, 11)
        assert (page.overlaps[0].assigned, page.overlaps[0].decided) == (11, 11)
        assert "3 calibration items besides" in lab_text(page)
    steps = " ".join(step["why"] for step in results(gapsmith("next", "--json").out))
    assert "11 items are approved and not scored." in steps
    assert "disputed" not in steps
    assert " 1 item " not in steps
    assert gapsmith("score", "-m", "bundled").code == 0
    (analysis,) = results(gapsmith("analyze", "--json").out)
    assert analysis["items"]["n_selected"] == 11
    assert "11 of 14 items: no calibration items" in " ".join(gapsmith("analyze").out.split())
    assert "11 of 12 items: no calibration items" in " ".join(gapsmith("analyze", "-d", "generated").out.split())
    rows = gapsmith("export", "csv")
    assert len(rows.out.splitlines()) == 1 + 11 * 8
    assert "3 calibration items left out" in " ".join(rows.err.split())
    assert len(gapsmith("export", "csv", "--all").out.splitlines()) == 1 + 14 * 8
    # The data set by its name asks for them.
    assert "2 items are disputed" in " ".join(step["why"] for step in results(gapsmith("next", "--json", "-d", "extra").out))


def test_what_a_list_leaves_out_tells_no_annotator_what_calibrates(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items that a policy approved are hidden from nobody, and those that are missing among them would be known."""
    (place / "known.csv").write_text("item,decision\n3,approve\n7,approve\n", encoding="utf-8")
    assert gapsmith("assign", "--to", "ann", "--to", "ben", "--known", "known.csv", "--our-ids").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="policy:clean", kind="policy")
    assert gapsmith("score", "-m", "bundled").code == 0

    def analysed() -> set[str]:
        (analysis,) = results(gapsmith("analyze", "--json").out)
        return {value["item"] for value in analysis["contrasts"][0]["values"]}

    def exported() -> set[str]:
        return {row.split(",")[1] for row in gapsmith("export", "csv").out.splitlines()[1:]}

    every = {str(number) for number in range(1, 13)}
    assert (analysed(), exported()) == (every - {"3", "7"}, every - {"3", "7"}), "the lead knows"
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ann")
    rows = exported()
    with Bank.open(place / "bank.sqlite", reader="ann") as bank:
        screens = bank.read_by("ann", reviewing=True)
        assert rows == {row.label for row in screens.review.rows(author="ann")}, "all of them, by other names"
    assert len(rows) == len(every)
    for command in (("score", "-m", "bundled"), ("analyze",)):
        refused = gapsmith(*command)
        assert refused.code != 0, command
        assert "would tell ann which items calibrate" in " ".join(refused.err.split()), command
    with Bank.open(place / "bank.sqlite") as bank:
        bank.decisions.decide([3, 7], Verdict.APPROVE, author="ann")
        bank.review.lock("ann", paradigm="subject_pg", dataset="generated")
    assert (analysed(), exported()) == (every - {"3", "7"}, every - {"3", "7"}), "who has locked may know"


def test_no_count_of_what_to_do_tells_whether_an_item_calibrates(
    place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An approval that did not raise the number of items to score would be one of a calibration item."""
    (place / "known.csv").write_text("item,decision\n3,approve\n", encoding="utf-8")
    done = gapsmith(
        "assign", "--to", "ann", "--to", "ben", "--overlap", "1", "--known", "known.csv", "--our-ids", "--adjudicator", "ann"
    )
    assert done.code == 0, done.err
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ann")

    def after(verdict: Verdict, item_id: int) -> tuple[list[dict[str, object]], str]:
        with Bank.open(place / "bank.sqlite") as bank:
            bank.decisions.decide([item_id], verdict, author="ann", reason="odd" if verdict is Verdict.EXCLUDE else None)
        said = results(gapsmith("next", "--json").out), gapsmith("lab").out
        with Bank.open(place / "bank.sqlite") as bank:
            bank.decisions.undo("ann")
        return said

    for verdict in Verdict:
        assert after(verdict, 3) == after(verdict, 5), verdict
    with Bank.open(place / "bank.sqlite", reader="ann") as bank, pytest.raises(BankError, match="which items calibrate"):
        bank.items.count(ItemFilter(in_results=True))


def test_an_adjudication_keeps_who_had_not_locked_just_then(tmp_path: Path) -> None:
    """On one connection as well, on which that is not looked up again for each decision."""
    with fill_bank(tmp_path / "bank.sqlite", 5) as bank:
        lead = bank.reader
        ids = bank.items.ids()
        bank.assignments.assign(dict.fromkeys(ids, ("ann", "ben")), by=lead)

        def settle(item_id: int) -> tuple[str, ...]:
            bank.decisions.decide([item_id], Verdict.APPROVE, author=lead)
            (one,) = bank.decisions.for_item(item_id)
            return one.unlocked

        assert settle(ids[0]) == ("ann", "ben")
        bank.review.lock("ann", paradigm=None, dataset=None, locked=True)
        assert settle(ids[1]) == ("ben",)
        bank.review.lock("ben", paradigm=None, dataset=None, locked=True)
        assert settle(ids[2]) == ()
        bank.review.lock("ben", paradigm=None, dataset=None, locked=False)
        assert settle(ids[3]) == ("ben",)
        bank.assignments.assign({ids[4]: ("cy",)}, by=lead)
        assert settle(ids[4]) == ("ben", "cy")
        # One call over two data sets names for each item who had not locked there.
        more = fill(bank, 2, "more")
        last = fill(bank, 1, "last", seed=9)
        bank.assignments.assign(dict.fromkeys(more, ("dan",)), by=lead)
        bank.decisions.decide([ids[0], *more, *last], Verdict.APPROVE, author=lead, kind="adjudication")
        kept = [bank.decisions.for_item(item_id)[-1].unlocked for item_id in (ids[0], *more, *last)]
        assert kept == [("ben", "cy"), ("dan",), ("dan",), ()]
