"""What the data model of the second edition promises: spans that stay, coverage that grows, forks, and data sets."""

from __future__ import annotations

import ast
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.bank import Bank, BankError, ItemFilter, ItemStatus, NewItem, Tokens, Verdict
from gapsmith.bank.connection import canonical
from gapsmith.bank.tokens import packed_ids, packed_mask, packed_spans, unpacked_ids, unpacked_mask, unpacked_spans
from gapsmith.templates import Alignment, RegionSpan, Sentence, Source, carried, load_paradigm, realise, sample
from tests.making import made_tokens
from tests.printed import results
from tests.rooms import ROOMS, files_of

PG = load_paradigm("subject_pg")
Run = Callable[..., Any]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def fill(bank: Bank, n: int, dataset: str = "generated") -> list[int]:
    """So many sampled items in a run of their own."""
    run = bank.runs.begin(kind="generate", paradigm_id=bank.paradigms.register(PG), provider="x", identity=dataset, parameters={})
    stream = sample(PG, 1)
    slots = [next(stream) for _ in range(n)]
    items = [NewItem(own, realise(PG, own), dataset=dataset) for own in slots]
    return bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)


# Texts and spans


def test_spans_are_what_was_stored_whatever_the_paradigm_says_later(bank: Bank) -> None:
    (item_id,) = fill(bank, 1)
    before = bank.items.get(item_id).sentences
    own = bank.path.parent / "paradigms" / "subject_pg.toml"
    own.parent.mkdir()
    own.write_text(PG.text.replace('text = "{determiner} {noun}"', 'text = "{noun} {determiner}"'), encoding="utf-8")
    assert bank.items.get(item_id).sentences == before
    assert bank.paradigms.newest("subject_pg").form_digest != PG.form_digest


def test_a_text_is_kept_once(bank: Bank) -> None:
    fill(bank, 3, "one")
    (n,) = bank.db.execute("SELECT count(*) FROM text").fetchone()
    fill(bank, 3, "two")
    assert bank.db.execute("SELECT count(*) FROM text").fetchone()[0] == n


SPANS = (RegionSpan("a", 0, 3), RegionSpan("b", 4, 4), RegionSpan("c", 4, 9), RegionSpan("d", 9, 10))


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("The story.", [("a", 0, 3), ("b", 4, 4), ("c", 4, 9), ("d", 9, 10)]),
        ("The long story.", [("a", 0, 3), ("b", 4, 4), ("c", 4, 14), ("d", 14, 15)]),
        ("A story.", [("a", 0, 1), ("b", 2, 2), ("c", 2, 7), ("d", 7, 8)]),
        ("The story!", [("a", 0, 3), ("b", 4, 4), ("c", 4, 9), ("d", 9, 10)]),
        ("Them tory.", None),
    ],
)
def test_an_edit_within_a_region_carries_given_spans_over(text: str, regions: list[tuple[str, int, int]] | None) -> None:
    given = Sentence("x", "The story.", SPANS, Source.IMPORTED, Alignment.GIVEN)
    found = carried(given, text, Source.EDITED)
    if regions is None:
        assert found.regions is None
        assert "reaches across its regions" in (found.why or "")
    else:
        assert [tuple(span) for span in found.regions or ()] == regions
        assert found.how is Alignment.CARRIED


def test_search_ignores_case_beyond_ascii(bank: Bank) -> None:
    (item_id,) = fill(bank, 1)
    slots = {**(bank.items.get(item_id).slots or {}), "name1": "Élodie"}
    bank.items.revise(item_id, slots=slots, sentences=realise(PG, slots), author="ann")
    for word in ("élodie", "ÉLODIE", "Élodie"):
        assert bank.items.ids(ItemFilter(text=word)) == [item_id]
        assert [row.id for row in bank.review.rows(author="ann", words=[word])] == [item_id]


def test_a_file_says_what_it_is(bank: Bank) -> None:
    (found,) = bank.db.execute("PRAGMA application_id").fetchone()
    assert found == int.from_bytes(b"gaps", "big")
    strict = bank.db.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    loose = {row["name"] for row in strict if not row["strict"] and not row["name"].startswith("sqlite_")}
    assert loose == {"migration"}


# Scores


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_tokens_are_packed_without_loss(data: Any) -> None:
    text = data.draw(st.text(alphabet="ab é😀\t.", max_size=40))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = [(a, b) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    if data.draw(st.booleans()):
        pairs = [(a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in pairs]
    spans = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    assert unpacked_spans(packed_spans(spans, text), text).tolist() == spans.tolist()
    ids = tuple(
        data.draw(
            st.lists(
                st.integers(0, data.draw(st.sampled_from([99, 200_000, 1 << 25]))),
                min_size=len(pairs),
                max_size=len(pairs),
            )
        )
    )
    assert unpacked_ids(packed_ids(ids), len(ids)) == ids
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))), dtype=np.bool_)
    back = unpacked_mask(packed_mask(mask), len(mask))
    assert (back if back is not None else np.ones(len(mask), dtype=np.bool_)).tolist() == mask.tolist()


def nats(text: str, values: list[float | None], first: int = 50_000) -> Tokens:
    """One token a word, the space before it included."""
    ends, starts = [], []
    position = 0
    for word in text.split(" "):
        starts.append(max(0, position - 1))
        position += len(word)
        ends.append(position)
        position += 1
    return Tokens(
        text=text,
        context="",
        spans=np.array(list(zip(starts, ends, strict=True)), dtype=np.int32),
        ids=tuple(first + n for n in range(len(ends))),
        values=np.array([v or 0.0 for v in values], dtype=np.float32),
        asked=None if None not in values else np.array([v is not None for v in values]),
    )


def test_a_full_score_completes_a_partial_one_and_touches_nothing_that_was_there(bank: Bank) -> None:
    scorer = bank.scores.register("m", "r", {"weights": "m"})
    text = "I know who left"
    bank.scores.add(scorer, [nats(text, [None, None, 3.5, None])], complete=False)
    assert bank.scores.missing(scorer, [text]) == [text]
    bank.scores.add(scorer, [nats(text, [1.0, 2.0, 99.0, 4.0])])
    found = bank.scores.get(scorer, [text])[text]
    assert found.values.tolist() == [1.0, 2.0, 3.5, 4.0]
    assert found.asked is None
    assert bank.scores.missing(scorer, [text]) == []
    bank.scores.add(scorer, [nats(text, [9.0, 9.0, 9.0, 9.0])])
    assert bank.scores.get(scorer, [text])[text].values.tolist() == [1.0, 2.0, 3.5, 4.0]
    other = made_tokens(text, [(0, 6, 1.0), (6, 15, 2.0)])
    with pytest.raises(BankError, match="into other tokens"):
        bank.scores.add(scorer, [other])


def test_the_boundary_channel_comes_beside_values_that_are_there(bank: Bank) -> None:
    scorer = bank.scores.register("m", "r", {"weights": "m"})
    plain = nats("I know", [1.0, 2.0])
    bank.scores.add(scorer, [plain])
    with_mass = Tokens(plain.text, "", plain.spans, plain.ids, plain.values, boundary=np.array([0.5, 0.25, 0.125], "f4"))
    bank.scores.add(scorer, [with_mass])
    found = bank.scores.get(scorer, ["I know"])["I know"]
    assert found.values.tolist() == [1.0, 2.0]
    assert found.boundary is not None
    assert found.boundary.tolist() == [0.5, 0.25, 0.125]


@pytest.mark.parametrize("first", [50_000, 150_000])
def test_a_scored_sentence_takes_at_most_eight_bytes_a_token_and_fifty_more(bank: Bank, first: int) -> None:
    """With the vocabularies of GPT-2 and of Llama or Qwen."""
    scorer = bank.scores.register("m", "r", {"weights": "m"})
    texts = [f"I know who the story about {n} is likely to amuse soon" for n in range(2000)]
    bank.texts.ids(texts)
    bank.db.raw.execute("VACUUM")
    before = bank.db.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'score'").fetchone()[0]
    scores = [nats(text, [1.5] * len(text.split()), first) for text in texts]
    bank.scores.add(scorer, scores)
    bank.db.raw.execute("VACUUM")
    after = bank.db.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'score'").fetchone()[0]
    tokens = sum(len(s.values) for s in scores)
    assert after - before <= 8 * tokens + 50 * len(texts)


def test_contexts_are_chains_that_share_their_beginnings(bank: Bank) -> None:
    one = bank.contexts.register(["A.", "B."])
    two = bank.contexts.register(["A.", "B.", "C."])
    assert bank.contexts.register([]) == 0
    assert bank.contexts.register(["A.", "B."]) == one
    assert bank.contexts.text(two) == "A. B. C."
    assert bank.db.execute("SELECT count(*) FROM context").fetchone()[0] == 4
    scorer = bank.scores.register("m", "r", {"weights": "m"})
    bank.scores.add(scorer, [nats("I know", [1.0, 2.0])])
    bank.scores.add(scorer, [nats("I know", [0.5, 0.25])], context=one)
    assert bank.scores.get(scorer, ["I know"])["I know"].values.tolist() == [1.0, 2.0]
    assert bank.scores.get(scorer, ["I know"], context=one)["I know"].values.tolist() == [0.5, 0.25]
    (item,) = fill(bank, 1)
    drawn = bank.contexts.define("matched", {"seed": 1})
    assert bank.contexts.define("matched", {"seed": 1}) == drawn
    with pytest.raises(BankError, match="other settings"):
        bank.contexts.define("matched", {"seed": 2})
    bank.contexts.assign(drawn, {(item, 1): one, (item, 2): two})
    assert bank.contexts.assigned(drawn) == {(item, 1): one, (item, 2): two}


def test_a_parse_is_kept_once_for_each_parser_and_text(bank: Bank) -> None:
    one, two = (bank.parses.register("embedded", {"model": digest}) for digest in ("a", "b"))
    assert bank.parses.register("embedded", {"model": "a"}) == one != two
    bank.parses.add(one, {"I know.": "[1]", "I know who.": "[2]"})
    bank.parses.add(one, {"I know.": "[99]"})
    bank.parses.add(two, {"I know.": "[3]"})
    assert bank.parses.get(one, ["I know.", "other"]) == {"I know.": "[1]"}
    assert bank.parses.get(two, ["I know.", "I know who."]) == {"I know.": "[3]"}
    with pytest.raises(sqlite3.IntegrityError):
        bank.parses.add(one, {"Not JSON.": "[1"})


# Events of two copies


def copy_of(bank: Bank, folder: Path) -> Bank:
    """Another copy of the bank, worked on apart."""
    folder.mkdir()
    other = sqlite3.connect(folder / "bank.sqlite")
    bank.db.raw.backup(other)
    other.close()
    return Bank.open(folder / "bank.sqlite")


def take_over(source: Bank, target: Bank, kinds: tuple[str, ...] = ("edit", "undo", "decision")) -> None:
    """Revisions and events of one copy that the other lacks, by their uids, as a merge would bring them."""
    texts = {row["id"]: row["text"] for row in source.db.execute("SELECT id, text FROM text")}
    known = {row["uid"]: row["id"] for row in target.db.execute("SELECT id, uid FROM revision")}
    names = {row["id"]: row["uid"] for row in source.db.execute("SELECT id, uid FROM revision")}
    with target.transaction():
        for row in source.db.execute("SELECT * FROM revision ORDER BY id").fetchall():
            if row["uid"] in known:
                continue
            cursor = target.db.execute(
                "INSERT INTO revision (uid, item_id, number, parent, texts, alike, slots, paradigm_id, author, note, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["uid"],
                    row["item_id"],
                    row["number"],
                    known[names[row["parent"]]],
                    row["texts"],
                    row["alike"],
                    row["slots"],
                    row["paradigm_id"],
                    row["author"],
                    row["note"],
                    row["at"],
                ),
            )
            known[row["uid"]] = cursor.lastrowid
            for s in source.db.execute("SELECT * FROM sentence WHERE revision_id = ?", (row["id"],)).fetchall():
                text_id = target.texts.ids([texts[s["text_id"]]])[texts[s["text_id"]]]
                target.db.execute(
                    "INSERT INTO sentence (revision_id, position, layout_id, text_id, spans, why) VALUES (?, ?, ?, ?, ?, ?)",
                    (cursor.lastrowid, s["position"], s["layout_id"], text_id, s["spans"], s["why"]),
                )
        there = {row["uid"] for row in target.db.execute("SELECT uid FROM event")}
        for row in source.db.execute("SELECT * FROM event ORDER BY id").fetchall():
            if row["uid"] in there or row["kind"] not in kinds:
                continue
            (new,) = target.db.execute("SELECT coalesce(max(id), 0) + 1 FROM event").fetchone()
            revision = known[names[row["revision_id"]]] if row["revision_id"] is not None else None
            target.db.execute(
                "INSERT INTO event (id, uid, bank, seq, action, kind, item_id, revision_id, author, at, payload)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new,
                    row["uid"],
                    "other copy",
                    row["seq"],
                    new,
                    row["kind"],
                    row["item_id"],
                    revision,
                    row["author"],
                    row["at"],
                    row["payload"],
                ),
            )
    target.decisions.rebuild_projection()


def renamed(bank: Bank, item_id: int, name: str, author: str) -> None:
    slots = {**(bank.items.get(item_id).slots or {}), "name1": name}
    bank.items.revise(item_id, slots=slots, sentences=realise(PG, slots), author=author)


def test_two_edits_of_one_item_are_a_fork_until_somebody_adjudicates(bank: Bank, tmp_path: Path) -> None:
    one, two = fill(bank, 2)
    bank.decisions.decide([one, two], Verdict.APPROVE, author="ann")
    with copy_of(bank, tmp_path / "other") as other:
        renamed(bank, one, "Zoë", "ann")
        renamed(other, one, "José", "bob")
        renamed(other, two, "Ada", "bob")
        take_over(other, bank)
    item = bank.items.get(one)
    assert (item.forked, item.status) == (True, ItemStatus.DISPUTED)
    assert bank.items.get(two).forked is False
    assert (bank.items.get(two).slots or {})["name1"] == "Ada"
    heads = {(r.slots or {})["name1"]: r for r in bank.items.history(one)[1:]}
    assert set(heads) == {"Zoë", "José"}
    shown = (item.slots or {})["name1"]
    bank.decisions.decide([one], Verdict.APPROVE, author="chair", kind="adjudication")
    settled = bank.items.get(one)
    assert (settled.forked, settled.status, (settled.slots or {})["name1"]) == (False, ItemStatus.APPROVED, shown)
    bank.decisions.undo("chair")
    assert bank.items.get(one).forked


def test_an_undo_that_came_from_elsewhere_never_ends_in_an_error(bank: Bank, tmp_path: Path) -> None:
    (item_id,) = fill(bank, 1)
    with copy_of(bank, tmp_path / "other") as other:
        bank.decisions.decide([item_id], Verdict.FLAG, author="ann")
        other.decisions.decide([item_id], Verdict.APPROVE, author="ann")
        other.decisions.undo("ann")
        # The undo comes alone, as from a file that was cut off: what it takes back is not here.
        take_over(other, bank, kinds=("undo",))
        assert bank.items.get(item_id).status is ItemStatus.FLAGGED
        assert bank.decisions.undo("ann") == [item_id]
        take_over(other, bank)
    assert bank.items.get(item_id).status is ItemStatus.PENDING
    assert bank.decisions.undo("ann") is None


def test_a_decision_counts_while_the_texts_are_those_it_was_made_on(bank: Bank) -> None:
    (item_id,) = fill(bank, 1)
    bank.decisions.decide([item_id], Verdict.APPROVE, author="ann")
    item = bank.items.get(item_id)
    shifted = tuple(Sentence(s.condition, s.text, None, s.source, why="other spans") for s in item.sentences)
    bank.items.revise(item_id, slots=item.slots, sentences=shifted, author="bob")
    assert bank.items.get(item_id).status is ItemStatus.APPROVED
    renamed(bank, item_id, "Zoë", "bob")
    assert bank.items.get(item_id).status is ItemStatus.PENDING
    bank.items.revise(item_id, slots=item.slots, sentences=item.sentences, author="bob")
    assert bank.items.get(item_id).status is ItemStatus.APPROVED


def test_threads_write_one_after_another_each_over_its_own_connection(bank: Bank) -> None:
    (item_id,) = fill(bank, 1)
    inside, proceed = threading.Event(), threading.Event()

    def rolled_back() -> None:
        with bank.another() as ours, suppress(RuntimeError), ours.transaction():
            ours.decisions.decide([item_id], Verdict.APPROVE, author="ann")
            inside.set()
            proceed.wait(5)
            raise RuntimeError("rolled back")

    def decides() -> None:
        with bank.another() as ours:
            ours.decisions.decide([item_id], Verdict.FLAG, author="bob")

    first, second = threading.Thread(target=rolled_back), threading.Thread(target=decides)
    first.start()
    assert inside.wait(5)
    second.start()
    proceed.set()
    first.join(10)
    second.join(10)
    assert [d.author for d in bank.decisions.history(item_id)] == ["bob"]


def test_a_bank_that_several_begin_at_once_is_there_for_all_of_them(tmp_path: Path) -> None:
    for number in range(10):
        path, together = tmp_path / f"{number}.sqlite", threading.Barrier(4)

        def begin(path: Path = path, together: threading.Barrier = together) -> int:
            together.wait(10)
            with Bank.open(path, create=True) as ours:
                return ours.items.count()

        with ThreadPoolExecutor(4) as pool:
            assert [one.result(30) for one in [pool.submit(begin) for _ in range(4)]] == [0] * 4


def test_a_connection_is_refused_to_a_thread_that_did_not_make_it(bank: Bank) -> None:
    fill(bank, 1)
    with ThreadPoolExecutor(1) as other:
        for use in (bank.items.count, lambda: bank.db.execute("SELECT 1"), bank.runs.all):
            with pytest.raises(sqlite3.ProgrammingError, match="thread"):
                other.submit(use).result(10)


def test_no_connection_of_ours_may_be_used_by_two_threads() -> None:
    # Checksums are computed in Python while SQLite holds the connection: a second thread that reads a row at that moment holds
    # Python and waits for SQLite, and neither ever goes on.
    for name, file in files_of(*ROOMS):
        # Where it is written at all, it is looked at how.
        tree = ast.parse(text if "check_same_thread" in (text := file.read_text(encoding="utf-8")) else "")
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "check_same_thread"], name


# Data sets


def test_a_data_set_is_renamed_and_removed_and_both_are_taken_back(bank: Bank, gapsmith: Run, tmp_path: Path) -> None:
    fill(bank, 2, "pilot")
    fill(bank, 1, "main")
    (tmp_path / "gapsmith.toml").write_text('annotator = "ann"\n', encoding="utf-8")

    def listed(*more: str) -> list[tuple[str, int]]:
        return [(d["name"], d["items"]) for d in results(gapsmith("dataset", "list", "--json", *more).out)]

    assert listed() == [("pilot", 2), ("main", 1)]
    assert gapsmith("dataset", "rename", "pilot", "first").code == 0
    assert listed() == [("first", 2), ("main", 1)]
    taken = gapsmith("dataset", "rename", "first", "main")
    assert (taken.code, "already" in taken.err) == (2, True)
    assert gapsmith("dataset", "remove", "first").code == 0
    assert listed() == [("main", 1)]
    assert bank.items.count() == 1
    assert listed("--removed") == [("first", 2), ("main", 1)]
    bank.decisions.rebuild_projection()
    assert listed() == [("main", 1)]
    assert gapsmith("dataset", "undo").code == 0
    assert gapsmith("dataset", "undo").code == 0
    assert listed() == [("pilot", 2), ("main", 1)]
    assert bank.items.count() == 3
    bank.decisions.decide(bank.items.ids()[:1], Verdict.APPROVE, author="ann")
    refused = gapsmith("dataset", "undo")
    assert (refused.code, "is a decision" in refused.err) == (1, True)
    assert "Data sets here: pilot, main" in gapsmith("dataset", "remove", "nosuch").err


def test_labels_of_a_removed_data_set_are_free_again(bank: Bank) -> None:
    fill(bank, 2, "pilot")
    bank.datasets.remove(bank.datasets.find("pilot"), author="ann")
    run = bank.runs.begin(kind="generate", paradigm_id=bank.paradigms.register(PG), provider="x", identity="again", parameters={})
    slots = next(sample(PG, 4))
    item = NewItem(slots, realise(PG, slots), label="1", dataset="pilot")
    bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=[item])
    assert [found.label for found in bank.items.iterate()] == ["1"]
    with pytest.raises(BankError, match="already"):
        bank.datasets.rename(bank.datasets.find("pilot"), "pilot", author="ann")


def test_a_file_comes_in_once_more_after_its_data_set_was_taken_out(gapsmith: Run, tmp_path: Path) -> None:
    assert gapsmith("generate", "subject_pg", "-n", 2).code == 0
    (tmp_path / "mine.csv").write_text(gapsmith("export", "csv", "--all").out, encoding="utf-8")
    order = ("import", "mine.csv", "-p", "subject_pg", "--dataset", "mine")
    for _ in range(2):
        assert gapsmith(*order).code == 0
        with Bank.open(tmp_path / "bank.sqlite") as bank:
            assert bank.items.count(ItemFilter(dataset="mine")) == 2
        assert gapsmith(*order).code == 0
        assert gapsmith("dataset", "remove", "mine").code == 0
    assert gapsmith(*order).code == 0
    # Both want the same name now: the first one cannot come back under it, and nothing is lost by trying.
    refused = gapsmith("dataset", "undo")
    assert (refused.code, "dataset rename" in refused.err) == (2, True)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert bank.items.count() == 4


def test_attributes_come_back_and_select(bank: Bank) -> None:
    run = bank.runs.begin(kind="import", paradigm_id=bank.paradigms.register(PG), provider="file", identity="x", parameters={})
    slots = next(sample(PG, 4))
    items = [NewItem(slots, realise(PG, slots), attributes={"depth": n, "field of study": "syntax"}) for n in range(3)]
    bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)
    assert [item.attributes["depth"] for item in bank.items.iterate()] == [0, 1, 2]
    assert bank.items.ids(ItemFilter(attributes={"depth": "2", "field of study": "syntax"})) == [3]
    assert canonical(dict(bank.items.get(1).attributes)) == '{"depth":0,"field of study":"syntax"}'


# Checking


def test_a_whole_bank_has_no_faults_and_checking_changes_nothing(bank: Bank) -> None:
    one, two = fill(bank, 2)
    bank.decisions.decide([one], Verdict.APPROVE, author="ann")
    renamed(bank, two, "Zoë", "bob")
    bank.decisions.undo("bob")
    before = list(bank.db.raw.iterdump())
    assert bank.faults() == []
    assert list(bank.db.raw.iterdump()) == before


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("DROP TRIGGER text_is_never_updated; UPDATE text SET text = 'Other.' WHERE id = 1", "are not what they were"),
        (
            "DROP TRIGGER sentence_is_never_deleted; DELETE FROM sentence WHERE position = 0",
            "do not hold the sentences",
        ),
        ("UPDATE item_state SET status = 'excluded'", "does not follow from the events (item_state)"),
        ("PRAGMA foreign_keys = OFF; DROP TRIGGER item_is_never_deleted; DELETE FROM item", "that are not there"),
    ],
)
def test_damage_is_named_by_doctor(
    bank: Bank, gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, fault: str
) -> None:
    for part in ("_kernels", "_surprisal"):
        # What has nothing to do with a bank, and computes for most of the time.
        monkeypatch.setattr(f"gapsmith.app.doctor.{part}", lambda _: iter(()))
    fill(bank, 1)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    bank.db.raw.executescript(damage)
    found = results(gapsmith("doctor", "--json").out)
    said = [check["detail"] for check in found if check["area"] == "bank"]
    assert any(fault in detail for detail in said), said
    assert all(check["state"] == "problem" for check in found if check["area"] == "bank")
