"""Contexts: how they are drawn, kept, scored, and told apart in tables."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.bank import Bank, BankError, ItemFilter, NewItem, StoredItem
from gapsmith.bank.migrations import WITH_SUMS, migrate
from gapsmith.scoring.analysis import AnalysisOptions, compare, comparison_json
from gapsmith.scoring.context_pool import ContextSource, Member
from gapsmith.scoring.contexts import (
    ContextPlan,
    Counter,
    draw_contexts,
    grow,
    keep_texts,
    read_lines,
    read_running,
    step_contexts,
)
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.long_frame import long_table
from gapsmith.scoring.report.comparison import comparison_text
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.stats.proportions import paired_difference_interval
from gapsmith.templates import load_paradigm, realise, sample
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.printed import result, results
from tests.scoring.analysing import add_items
from tests.scoring.conftest import save_tiny_gpt2

PARADIGM = load_paradigm("embedded_wh")
OTHER = load_paradigm("subject_pg")


def words(text: str) -> int:
    """A counter of tokens that needs no model."""
    return len(text.split())


@pytest.fixture(scope="module")
def wide_gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random GPT-2 that reads a context and a sentence."""
    return save_tiny_gpt2(tmp_path_factory.mktemp("wide"), n_positions=256)


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        for paradigm, dataset, n, seed in ((PARADIGM, "one", 6, 1), (PARADIGM, "two", 3, 2), (OTHER, "other", 4, 3)):
            filled = islice(sample(paradigm, seed), n)
            items = [NewItem(slots, realise(paradigm, slots), dataset=dataset) for slots in filled]
            add_items(opened, paradigm, items, identity=dataset)
        yield opened


ONE = ItemFilter(paradigm="embedded_wh", dataset="one")


def drawn(bank: Bank, name: str = "set", *, count: Counter = words, texts: tuple[str, ...] = (), **plan: Any) -> Any:
    given = {"kind": ContextSource.MATCHED, "lengths": (12, 25), **plan}
    return draw_contexts(bank, name, ContextPlan(**given), ONE, count, everything=True, texts=texts)


def chains(bank: Bank, name: str = "set") -> dict[tuple[int, int], tuple[str, ...]]:
    found = bank.contexts.find(name)
    return {place: bank.contexts.sentences(own) for place, own in bank.contexts.assigned(found.id).items()}


def expected_of(item: StoredItem, status: str) -> set[str]:
    paradigm = {"embedded_wh": PARADIGM, "subject_pg": OTHER}[item.paradigm]
    return {s.text for s in item.sentences if paradigm.condition(s.condition).expected == status}


@pytest.mark.parametrize(("member", "status"), [(Member.ACCEPTABLE, "ok"), (Member.UNACCEPTABLE, "*")])
@pytest.mark.parametrize("seed", range(4))
def test_a_matched_context_is_of_other_items_of_the_data_set(bank: Bank, seed: int, member: Member, status: str) -> None:
    drawn(bank, seed=seed, member=member)
    items = {item.id: item for item in bank.items.iterate(ONE)}
    found = chains(bank)
    assert {item for item, _ in found} == set(items)
    for (item, step), sentences in found.items():
        assert (sentences == ()) == (step == 0)
        owners = [own for text in sentences for own in items.values() if text in expected_of(own, status)]
        assert len(owners) >= len(sentences), "each is a sentence of that status of an item of the data set"
        assert len(set(sentences)) == len(sentences)
        assert not set(sentences) & {s.text for s in items[item].sentences}
        # One of each item: no two sentences have one owner only.
        of_each = [[own.id for own in items.values() if text in expected_of(own, status)] for text in sentences]
        only = [ids[0] for ids in of_each if len(ids) == 1]
        assert len(set(only)) == len(only)
        assert found[item, 1] == found[item, 2][: len(found[item, 1])], "a longer context begins with a shorter one"


def test_a_mismatched_context_is_of_other_data_sets_and_unrelated_ones_of_a_file(bank: Bank) -> None:
    own = {s.text for item in bank.items.iterate(ONE) for s in item.sentences}
    elsewhere = {
        name: {s.text for item in bank.items.iterate(ItemFilter(dataset=name)) for s in item.sentences}
        for name in ("two", "other")
    }
    drawn(bank, "any", kind=ContextSource.MISMATCHED)
    drawn(bank, "only", kind=ContextSource.MISMATCHED, sources=("other",))
    drawn(bank, "tale", kind=ContextSource.UNRELATED, texts=("It rained all day.", "Nobody came.", *sorted(own)[:1]))
    for name, allowed in (
        ("any", elsewhere["two"] | elsewhere["other"]),
        ("only", elsewhere["other"]),
        ("tale", {"It rained all day.", "Nobody came.", *sorted(own)[:1]}),
    ):
        assert {text for chain in chains(bank, name).values() for text in chain} <= allowed
    (target,) = [item for item in bank.items.iterate(ONE) if sorted(own)[0] in {s.text for s in item.sentences}][:1]
    assert sorted(own)[0] not in chains(bank, "tale")[target.id, 2], "not even where the file has the item's sentence"
    with pytest.raises(ConfigError, match="no data set 'nowhere'"):
        drawn(bank, "bad", kind=ContextSource.MISMATCHED, sources=("nowhere",))


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("It rained all day", "It rained all day."),
        ("It rained all day.", "It rained all day."),
        ("Did it rain?", "Did it rain?"),
        ("She said: “It rains.”", "She said: “It rains.”"),
        ("She said: “It rains”", "She said: “It rains”."),
        ("It rained (a little!)", "It rained (a little!)"),
        ("He waited …", "He waited …"),
    ],
)
def test_a_sentence_without_a_final_mark_gets_a_full_stop_and_no_other(bank: Bank, sentence: str, stands: str) -> None:
    drawn(bank, "marks", kind=ContextSource.UNRELATED, texts=(sentence,))
    assert {text for chain in chains(bank, "marks").values() for text in chain} == {stands}


def test_the_same_seed_draws_the_same_and_another_one_draws_others(bank: Bank) -> None:
    drawn(bank, "a", seed=7)
    drawn(bank, "b", seed=7)
    drawn(bank, "c", seed=8)
    assert chains(bank, "a") == chains(bank, "b") != chains(bank, "c")
    with pytest.raises(ConfigError, match="there is a context set 'a' already"):
        drawn(bank, "a", seed=8)
    with pytest.raises(BankError, match="no context set 'd'") as caught:
        bank.contexts.find("d")
    assert caught.value.hint is not None
    assert "a, b, c" in caught.value.hint


@settings(max_examples=60, deadline=None)
@given(
    units=st.lists(st.lists(st.sampled_from(["a", "bb", "ccc"]), min_size=1, max_size=9).map(" ".join), max_size=12),
    lengths=st.sets(st.integers(1, 60), min_size=1, max_size=5).map(sorted),
    room=st.none() | st.integers(0, 40),
)
def test_growing_comes_as_near_as_it_can(units: list[str], lengths: list[int], room: int | None) -> None:
    found = grow(units, lengths, words, room=room)
    before: list[str] = []
    for target, chain in zip(lengths, found, strict=True):
        assert chain == units[: len(chain)]
        assert chain[: len(before)] == before
        n = words(" ".join(chain))
        assert room is None or n <= room
        if len(chain) < len(units):
            more = n + words(units[len(chain)])
            assert abs(more - target) >= abs(n - target) or (room is not None and more > room)
        before = chain


def test_a_suite_too_small_stops_at_its_real_length_and_the_window_bounds_it(bank: Bank) -> None:
    made = drawn(bank, "small", lengths=(10, 500))
    items = list(bank.items.iterate(ONE))
    assert all(len(chain) == len(items) - 1 for (_, step), chain in chains(bank, "small").items() if step == 2)
    assert len(made.realised[500]) == len(items)
    assert max(made.realised[500]) < 100
    assert any("to 500 tokens stop before" in note for note in made.notes)
    kept = bank.contexts.lengths(made.made.id)
    for context, n in kept.items():
        assert n == words(bank.contexts.text(context)), "realised tokens are kept"
    bounded = drawn(bank, "bounded", lengths=(10, 500), window=40)
    room = 40 - 1 - min(max(words(s.text) for s in item.sentences) for item in items)
    assert 0 < max(bounded.realised[500]) <= room, "each item's longest sentence fits behind its contexts, with BOS before them"
    with pytest.raises(GapsmithError, match="not one sentence fits"):
        drawn(bank, "tiny", window=12)
    assert [own.name for own in bank.contexts.sets()] == ["small", "bounded"]


def test_shared_contexts_are_shared_and_leave_out_who_stands_in_them(bank: Bank) -> None:
    made = drawn(bank, shared=3, lengths=(12, 25))
    found = chains(bank)
    items = {item.id: item for item in bank.items.iterate(ONE)}
    for step in range(1, 7):
        behind_it = {chain for (_, own), chain in found.items() if own == step}
        assert len(behind_it) == 1
        (chain,) = behind_it
        for item in items.values():
            if not {s.text for s in item.sentences}.isdisjoint(chain):
                assert (item.id, step) not in found
    assert made.left_out > 0
    assert made.left_out == 3 * len(items) - len({(item, (step - 1) // 2) for item, step in found if step})
    labels = [own.label for own in step_contexts(bank, ["set"])]
    assert labels == ["no context", *(f"set no. {k} to {n}" for k in (1, 2, 3) for n in (12, 25))]


def test_texts_of_a_file(bank: Bank, tmp_path: Path) -> None:
    file = tmp_path / "tale.txt"
    file.write_bytes("\ufeffIt rained.  Nobody came!\n\nHe said “Go.” Then\nshe left".encode())
    assert read_lines(file) == ["It rained. Nobody came!", "He said “Go.” Then", "she left"]
    assert read_running(file) == ["It rained.", "Nobody came!", "He said “Go.”", "Then she left"]
    made = keep_texts(bank, "tale", read_lines(file), ONE, words, everything=True)
    assert made.n_contexts == 3
    assert [own.label for own in step_contexts(bank, ["tale"])] == ["no context", "tale no. 1", "tale no. 2", "tale no. 3"]
    assert sorted(bank.contexts.lengths(made.made.id).values()) == [0, 2, 4, 4]
    file.write_bytes(b"caf\xe9")
    with pytest.raises(ConfigError, match="byte 3 is not UTF-8"):
        read_lines(file)
    file.write_bytes(b" \n")
    with pytest.raises(ConfigError, match="no text"):
        read_running(file)


@pytest.mark.full
def test_values_are_those_of_context_space_and_text(bank: Bank, wide_gpt2: Path) -> None:
    drawn(bank, lengths=(12, 25))
    engine = open_engine(str(wide_gpt2))
    selected = select_texts(bank, ONE, everything=True, contexts=["set"])
    report = score_selected(bank, engine, selected)
    assert report.n_scored == selected.n_wanted > len(selected.texts)
    assert report.n_contexts == len(selected.by_context) - 1
    for context, texts in list(selected.by_context.items())[:6]:
        before = bank.contexts.text(context)
        kept = bank.scores.get(report.scorer_id, texts, context=context)
        for text in texts:
            joined = f"{before} {text}" if before else text
            ((alone,),) = open_engine(str(wide_gpt2), engine="batches", batch_size=1).score([Request(joined)])
            n = len(kept[text].values)
            assert kept[text].bits == pytest.approx(alone.bits[-n:], abs=1e-4)
            assert kept[text].context == before
            assert list(kept[text].ids or ()) == list(alone.ids or ())[-n:]


def test_a_stopped_run_goes_on(bank: Bank, wide_gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Values are kept after each batch, however fast it was.
    monkeypatch.setattr("gapsmith.scoring.score_run.KEPT_S", 0.0)
    drawn(bank, lengths=(12, 25))
    selected = select_texts(bank, ONE, everything=True, contexts=["set"])
    engine = open_engine(str(wide_gpt2), engine="batches", batch_size=4)

    class StopError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise StopError

    with pytest.raises(StopError):
        score_selected(bank, engine, selected, progress=stop)
    seen: list[tuple[int, int]] = []
    report = score_selected(bank, engine, selected, progress=lambda done, total: seen.append((done, total)))
    assert 0 < report.n_present < selected.n_wanted
    assert report.n_present + report.n_scored == selected.n_wanted == seen[-1][0]
    assert score_selected(bank, engine, selected).n_scored == 0


def test_tables_tell_contexts_apart(bank: Bank, wide_gpt2: Path) -> None:
    drawn(bank, lengths=(12, 25))
    engine = open_engine(str(wide_gpt2))
    report = score_selected(bank, engine, select_texts(bank, ONE, everything=True, contexts=["set"]))
    rows = list(long_table(bank, ONE, scorers=[report.scorer_id], critical_only=True, contexts=["set"]).rows)
    bare = list(long_table(bank, ONE, scorers=[report.scorer_id], critical_only=True).rows)
    assert [row for row in rows if not row["context"]] == bare
    assert {row["context_length"] for row in bare} == {0}
    lengths = bank.contexts.lengths(bank.contexts.find("set").id)
    behind_it = [row for row in rows if row["context"] == "set"]
    assert len(behind_it) == 2 * len(bare)
    for row in behind_it:
        assert row["context_type"] == "matched acceptable"
        assert row["context_length"] == lengths[row["context_number"]] > 0
        assert row["context_target"] in (12, 25)
        assert row["value"] is not None
    assert not {row["observation"] for row in bare} & {row["observation"] for row in behind_it}

    found = compare(bank, "embedded_wh", by=["context"], datasets=["one"], options=AnalysisOptions(all_items=True))
    assert [run.context for run in found.runs] == ["no context", "set to 12", "set to 25"]
    name = found.contrasts[0]
    for run, target in zip(found.runs, (None, 12, 25), strict=True):
        (result,) = [own for own in run.analysis.contrasts if own.contrast.name == name]
        by_hand: dict[str, float] = {}
        weights = {term.condition: float(term.weight) for term in result.contrast.terms}
        for row in rows:
            if row["context_target"] == (target or 0) or (target is None and not row["context"]):
                by_hand[row["item"]] = by_hand.get(row["item"], 0.0) + weights.get(row["condition"], 0.0) * row["value"]
        assert {key.label: value for key, value in result.values.items()} == pytest.approx(by_hand)
    deltas = [own for own in found.differences if own.contrast == name and own.context == "set to 25"]
    assert [own.test for own in deltas] == ["paired t test", "McNemar (exact)"]
    first, last = (next(own for own in found.runs[at].analysis.contrasts if own.contrast.name == name) for at in (0, 2))
    share = [sum(v * (own.contrast.expected or 1) > 0 for v in own.values.values()) for own in (first, last)]
    assert deltas[1].estimate == pytest.approx((share[1] - share[0]) / len(first.values))
    assert deltas[1].ci is not None
    assert deltas[1].estimate is not None
    assert deltas[1].ci[0] < deltas[1].estimate < deltas[1].ci[1]
    text = comparison_text(found)
    assert "Accuracy by context" in text
    assert "set to 12" in text
    assert comparison_json(found)["runs"][1]["context"] == "set to 12"
    score_selected(bank, engine, select_texts(bank, ItemFilter(paradigm="subject_pg"), everything=True))
    with pytest.raises(GapsmithError, match="is in a context set"):
        compare(bank, "subject_pg", by=["context"], scorer_id=report.scorer_id, options=AnalysisOptions(all_items=True))


def test_a_set_that_was_not_scored_is_said(bank: Bank, wide_gpt2: Path) -> None:
    drawn(bank, lengths=(12,))
    drawn(bank, "other", lengths=(12,), kind=ContextSource.UNRELATED, texts=("It rained all day.", "Nobody came."))
    engine = open_engine(str(wide_gpt2))
    score_selected(bank, engine, select_texts(bank, ONE, everything=True))
    asked = AnalysisOptions(all_items=True)
    with pytest.raises(GapsmithError, match=r"has been scored by .* behind set to 12") as raised:
        compare(bank, "embedded_wh", contexts=["set"], datasets=["one"], options=asked)
    assert f"gapsmith score --model {wide_gpt2} --all --contexts set" in (raised.value.hint or "")
    score_selected(bank, engine, select_texts(bank, ONE, everything=True, contexts=["other"]))
    found = compare(bank, "embedded_wh", contexts=["set", "other"], datasets=["one"], options=asked)
    assert [run.context for run in found.runs] == ["no context", "other to 12"]
    assert any("has been scored by" in note and "behind set to 12" in note for note in found.notes)


def test_a_newer_scorer_without_the_contexts_does_not_replace_the_one_that_has_them(bank: Bank, wide_gpt2: Path) -> None:
    drawn(bank, lengths=(12,))
    first = score_selected(bank, open_engine(str(wide_gpt2)), select_texts(bank, ONE, everything=True, contexts=["set"]))
    newer = open_engine(str(wide_gpt2), dtype="bfloat16", notice=lambda _: None)
    second = score_selected(bank, newer, select_texts(bank, ONE, everything=True))
    asked = AnalysisOptions(all_items=True)
    found = compare(bank, "embedded_wh", contexts=["set"], datasets=["one"], options=asked)
    assert {run.analysis.scorer_id for run in found.runs} == {first.scorer_id}
    assert [run.context for run in found.runs] == ["no context", "set to 12"]
    (said,) = [note for note in found.notes if "Several scorers" in note]
    assert f"most of them behind these contexts: scorer {first.scorer_id}" in said
    assert f"scorer {second.scorer_id}" in said
    with pytest.raises(GapsmithError, match=r"bfloat16, .* behind set to 12"):
        compare(bank, "embedded_wh", contexts=["set"], datasets=["one"], scorer_id=second.scorer_id, options=asked)
    # Where both have the contexts the newest is taken, as without them.
    score_selected(bank, newer, select_texts(bank, ONE, everything=True, contexts=["set"]))
    found = compare(bank, "embedded_wh", contexts=["set"], datasets=["one"], options=asked)
    assert {run.analysis.scorer_id for run in found.runs} == {second.scorer_id}


def test_items_with_the_same_sentences_count_once_in_what_a_context_changes(gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    pairs = [("Same text.", "Other text.")] * 10
    pairs += [("The dog is here.", "The dog are here."), ("The cats are here.", "The cats is here.")]
    rows = [f"{n},{good},{bad}" for n, (good, bad) in enumerate(pairs, 1)]
    (tmp_path / "p.csv").write_text("\n".join(["id,sentence_good,sentence_bad", *rows]), encoding="utf-8")
    (tmp_path / "c.txt").write_text("(\n", encoding="utf-8")
    assert gapsmith("import", "p.csv").code == 0
    assert gapsmith("context", "add", "c", "c.txt", "--model", "bundled", "--all").code == 0
    assert gapsmith("score", "--model", "bundled", "--all", "--contexts", "c").code == 0
    analysed = gapsmith("analyze", "--all", "--contexts", "c", "--json")
    assert analysed.code == 0, analysed.err
    (data,) = results(analysed.out)
    shares = [own["share"] for run in data["runs"] for own in run["analysis"]["criteria"] if own["name"] == "preferred"]
    assert [(own["n"], own["n_given"]) for own in shares] == [(3, 12), (3, 12)]
    (delta,) = [own for own in data["differences"] if own["contrast"] == "preferred"]
    assert delta["n"] == 3
    assert delta["estimate"] == pytest.approx(shares[1]["estimate"] - shares[0]["estimate"])
    assert delta["estimate"] != 0
    assert delta["p"] == 1
    assert delta["ci"] == pytest.approx(paired_difference_interval(1, 0, 3))


def test_the_interval_of_a_difference_of_shares() -> None:
    # (gained - lost) / (n + 2) and its Wald interval, worked out by hand: b = 10.5, c = 2.5, m = 102.
    low, high = paired_difference_interval(10, 2, 100)
    assert (low + high) / 2 == pytest.approx(-8 / 102)
    assert (high - low) / 2 == pytest.approx(1.959964 * (13 - 64 / 102) ** 0.5 / 102, rel=1e-6)
    assert paired_difference_interval(0, 0, 1)[1] <= 1
    with pytest.raises(ValueError, match="3 and 3 of 5"):
        paired_difference_interval(3, 3, 5)


def test_a_bank_without_lengths_of_contexts_gets_them_and_keeps_its_contexts(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    raw = sqlite3.connect(path, isolation_level=None)
    raw.row_factory = sqlite3.Row
    migrate(raw, path, up_to=WITH_SUMS - 2)
    raw.execute("INSERT INTO context_set (uid, name, sampler) VALUES (zeroblob(16), 'old', '{}')")
    columns = [row[1] for row in raw.execute("PRAGMA table_info(context_of)")]
    raw.close()
    assert "n_tokens" not in columns
    with Bank.open(path) as bank:
        assert bank.contexts.find("old").sampler == {}
        assert bank.contexts.lengths(bank.contexts.find("old").id) == {}


def test_the_commands(gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "tale.txt").write_text("It rained all day. Nobody came. A dog barked.", encoding="utf-8")
    assert gapsmith("generate", "embedded_wh", "-n", "4", "--seed", "1").code == 0
    made = gapsmith("context", "draw", "near", "--type", "matched", "--lengths", "15,30", "--model", "bundled", "--all")
    assert made.code == 0, made.err
    assert "the window of bundled is 128 tokens" in made.err
    assert gapsmith("context", "add", "tale", "tale.txt", "--running", "--model", "bundled", "--all").code == 0
    assert "near" in gapsmith("context", "list").out
    assert "It rained all day. Nobody came. A dog barked." in gapsmith("context", "show", "tale").out
    ((tale,),) = [own["contexts"] for own in result(gapsmith("context", "show", "tale", "-i", "1", "--json").out)["items"]]
    dry = gapsmith("score", "--model", "bundled", "--all", "--contexts", "near", "--contexts", "tale", "--dry-run", "--json")
    assert dry.code == 0, dry.err
    (found,) = results(dry.out)
    assert 0 < found["n_shared"] < found["n_tokens"]
    assert found["seconds"] == pytest.approx(found["n_shared"] / found["per_second"])
    scored = gapsmith("score", "--model", "bundled", "--all", "--contexts", "near", "--contexts", "tale", "--json")
    assert result(scored.out)["scored_now"] == found["n_texts"]
    table = gapsmith("analyze", "--all", "--contexts", "near")
    assert table.code == 0, table.err
    assert "near to 30" in table.out
    assert "tale" not in table.out
    frame = gapsmith("export", "long", "--all", "--contexts", "tale").out
    assert ",tale,texts,," in frame
    of_tale = [row for row in csv.DictReader(io.StringIO(frame)) if row["context"] == "tale"]
    assert {int(row["context_number"]) for row in of_tale} == {tale["number"]}, "the number that `context show` has"
    assert tale["draw"] == 1
    # Each item behind each length, beside itself behind nothing.
    values = {
        (row["context_target"], row["item"], row["condition"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(gapsmith("export", "long", "--all", "--contexts", "near", "--critical").out))
    }
    by_item = list(csv.DictReader(io.StringIO(gapsmith("export", "differences", "--all", "--contexts", "near").out)))
    w1 = [row for row in by_item if row["contrast"] == "W1" and row["first"] == "no context"]
    assert {(row["second"], row["item"]) for row in w1} == {(f"near to {n}", str(i)) for n in (15, 30) for i in range(1, 5)}
    for row in w1:
        target = row["second"].removeprefix("near to ")
        own = {key[2]: value for key, value in values.items() if key[:2] == (target, row["item"])}
        assert float(row["second_value"]) == pytest.approx(own["pf_pg"] - own["mf_pg"])
        assert float(row["difference"]) == pytest.approx(float(row["second_value"]) - float(row["first_value"]))
    none = ("--lengths", "5", "--shared-contexts", "0", "--model", "bundled", "--all")
    for arguments, said in (
        (["context", "draw", "x", "--type", "matched", *none], "0 is not a whole number from 1"),
        (["study", "context", *none], "0 is not a whole number from 1"),
        (["context", "draw", "x", "--type", "odd", "--lengths", "5"], "--type: there is no 'odd'"),
        (["context", "draw", "x", "--type", "matched", "--lengths", "5", "--text", "tale.txt"], "sentences of a file"),
        (
            ["context", "draw", "x", "--type", "matched", "--lengths", "5,x", "--model", "bundled"],
            "--lengths: x is not",
        ),
        (["context", "draw", "x", "--type", "matched", "--lengths", "9,5", "--model", "bundled", "--all"], "ascending"),
        (["context", "show", "nothing"], "no context set 'nothing'"),
        (["score", "--model", "bundled", "--all", "--contexts", "nothing"], "no context set 'nothing'"),
    ):
        outcome = gapsmith(*arguments)
        assert outcome.code != 0
        assert said in outcome.err
        assert "Traceback" not in outcome.err
