"""Scoring the items of a bank: what is chosen, that nothing is scored twice, and that a killed run goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, NewItem
from gapsmith.bank.records import ItemFilter, Verdict
from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import BUNDLED, Engine, Request, open_engine
from gapsmith.scoring.observations import measured_text
from gapsmith.scoring.score_run import NothingToScoreError, score_selected, select_texts
from gapsmith.templates import BosPolicy, Place, Sentence, load_paradigm, realise, sample
from tests.conftest import CommandOutcome
from tests.printed import result, results
from tests.processes import Program, wait_for
from tests.scoring.fake_hub import COMMIT, aim_at, serve_hub
from tests.scoring.measuring import bits, measured_one, numbers_of, one_item

Run = Callable[..., CommandOutcome]


def fill(bank: Bank, texts: Sequence[Sequence[str]]) -> list[int]:
    """Items of `subject_pg` with these sentences, without an alignment."""
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="import",
        paradigm_id=bank.paradigms.register(paradigm),
        provider="test",
        model=None,
        identity=f"test {bank.items.count(ItemFilter())}",
        parameters={},
    )
    names = [condition.name for condition in paradigm.conditions]
    items = [NewItem(None, tuple(Sentence(name, text) for name, text in zip(names, of_item, strict=False))) for of_item in texts]
    call = bank.runs.intend(run.id, 0, {})
    return bank.runs.reply(call, outcome="ok", reply="", items=items)


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank on disk."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


class Watched:
    """An engine that notes which texts it was asked for."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked: list[str] = []
        self.model, self.revision = engine.model, engine.revision
        self.identity, self.provenance = engine.identity, engine.provenance

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Those of the engine inside."""
        return self.engine.pieces(ids)

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """Those of the engine inside."""
        self.asked += [request.text for request in requests]
        yield from self.engine.score(requests)


@pytest.fixture(scope="module")
def bundled() -> Engine:
    """The bundled model, two texts at a time."""
    return open_engine(BUNDLED, engine="batches", batch_size=2, device="cpu")


def test_only_approved_items_are_scored_unless_all_are_asked_for(bank: Bank) -> None:
    ids = fill(bank, [["One."], ["Two."], ["Three."]])
    with pytest.raises(NothingToScoreError, match="none of the 3 items is approved") as caught:
        select_texts(bank, ItemFilter())
    assert "--all" in caught.value.hint
    assert caught.value.exit_code == 1
    bank.decisions.decide(ids[1:2], Verdict.APPROVE, author="A")
    bank.decisions.decide(ids[2:], Verdict.EXCLUDE, author="A", reason="other")
    assert select_texts(bank, ItemFilter()).texts == ("Two.",)
    assert select_texts(bank, ItemFilter(), everything=True).texts == ("One.", "Two.", "Three.")


def test_an_empty_bank_and_an_unknown_paradigm_say_so(bank: Bank) -> None:
    with pytest.raises(NothingToScoreError, match="no items to score yet"):
        select_texts(bank, ItemFilter(), everything=True)
    fill(bank, [["One."]])
    with pytest.raises(NothingToScoreError, match="no items of other") as caught:
        select_texts(bank, ItemFilter(paradigm="other"), everything=True)
    assert "subject_pg" in caught.value.hint


def test_a_text_that_several_sentences_share_is_scored_once_and_never_again(bank: Bank, bundled: Engine) -> None:
    fill(bank, [["One.", "Two."], ["One.", "Three."]])
    engine = Watched(bundled)
    steps: list[tuple[int, int]] = []
    first = score_selected(
        bank, engine, select_texts(bank, ItemFilter(), everything=True), progress=lambda *step: steps.append(step)
    )
    assert (first.n_items, first.n_sentences, first.n_texts, first.n_present, first.n_scored) == (2, 4, 3, 0, 3)
    assert sorted(engine.asked) == ["One.", "Three.", "Two."]
    assert (steps[0], steps[-1]) == ((0, 3), (3, 3))
    fill(bank, [["Two.", "Four."]])
    second = score_selected(bank, engine, select_texts(bank, ItemFilter(), everything=True))
    assert (second.n_texts, second.n_present, second.n_scored) == (4, 3, 1)
    assert engine.asked[3:] == ["Four."]
    kept = bank.scores.get(first.scorer_id, ["One."])["One."]
    alone = measured_one(bundled, "One.")
    assert kept.bits.tolist() == pytest.approx(bits(alone), abs=1e-4)
    assert kept.ids == alone.ids


def test_other_settings_are_another_scorer(bank: Bank, bundled: Engine) -> None:
    fill(bank, [["One.", "Two."]])
    selected = select_texts(bank, ItemFilter(), everything=True)
    with_bos = score_selected(bank, bundled, selected)
    without = score_selected(bank, open_engine(BUNDLED, bos=BosPolicy.NONE), selected)
    assert without.scorer_id != with_bos.scorer_id
    assert without.n_scored == 2
    assert set(without.partial) == {"One.", "Two."}
    assert not with_bos.partial
    assert bank.scores.scorer(without.scorer_id) == without.scorer


def test_texts_without_a_value_are_kept_with_their_reason_and_not_tried_again(bank: Bank, bundled: Engine) -> None:
    long = "word " * 200 + "."
    fill(bank, [["One.", long]])
    selected = select_texts(bank, ItemFilter(), everything=True)
    report = score_selected(bank, bundled, selected)
    assert list(report.undefined) == [long]
    assert "window of 128" in report.undefined[long]
    assert "window of 128" in (bank.scores.get(report.scorer_id, [long])[long].reason or "")
    assert score_selected(bank, bundled, selected).n_scored == 0


def stored(path: Path) -> dict[str, tuple[Any, ...]]:
    """The rows of the score table by text, read from the file by another connection."""
    with sqlite3.connect(path) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        query = "SELECT text.text, score.* FROM score JOIN text ON text.id = score.text_id"
        rows = connection.execute(query).fetchall() if "score" in names else []
    connection.close()
    return {row[0]: tuple(row[1:]) for row in rows}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with 12 items of 8 sentences, all of them different."""
    make_workspace(tmp_path)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        frames = [f"I know who the story {number} is likely to amuse {{}} soon." for number in range(12)]
        fill(bank, [[frame.format(letter) for letter in "abcdefgh"] for frame in frames])
    return tmp_path


@pytest.mark.full
def test_a_killed_run_goes_on_where_it_stopped(workspace: Path) -> None:
    arguments = ("score", "-m", "bundled", "--all", "--engine", "batches", "--batch-size", "1", "-w", str(workspace))
    with Program(*arguments, folder=workspace) as process:
        wait_for(lambda: len(stored(workspace / "bank.sqlite")) >= 10, process)
    assert process.wait() < 0, process.err
    before = stored(workspace / "bank.sqlite")
    assert 10 <= len(before) < 96
    with Program(*arguments, "--json", folder=workspace) as done:
        assert done.wait() == 0, done.err
    assert "Warning" not in done.err
    report = result(done.out)
    assert (report["already_scored"], report["scored_now"]) == (len(before), 96 - len(before))
    after = stored(workspace / "bank.sqlite")
    assert len(after) == 96
    assert {text: after[text] for text in before} == before


def test_the_command_says_what_it_did(workspace: Path, gapsmith: Run) -> None:
    first = gapsmith("score", "-m", "bundled", "--all", "--device", "cpu", "-w", workspace)
    assert first.code == 0, first.err
    assert first.out == ""
    assert "96 of them different: 96 scored now" in first.err
    again = gapsmith("score", "-m", "bundled", "--all", "--device", "cpu", "-w", workspace, "--json")
    assert result(again.out)["scored_now"] == 0
    assert "96 already there" in again.err


def test_the_command_fails_with_a_code_and_a_next_step(workspace: Path, tmp_path: Path, gapsmith: Run) -> None:
    for arguments, code, words in (
        (("-m", "bundled"), 1, "gapsmith score --all"),
        (("-m", str(tmp_path / "nowhere"), "--all"), 1, "--model bundled"),
        (("-m", "gpt2.", "--all"), 1, "neither a directory nor the name"),
        (("-m", "bundled", "--all", "--dtype", "int3"), 2, "float32, bfloat16, float16"),
        (("-m", "bundled", "--all", "--batch-size", "0"), 2, "'--batch-size': 0 is not a whole number from 1"),
        (("-m", "bundled", "--all", "--engine", "vines"), 2, "auto, tree, batches"),
        (("-m", "bundled", "--all", "--revision", "main"), 2, "leave --revision out"),
    ):
        done = gapsmith("score", *arguments, "-w", workspace)
        assert (done.code, words.casefold() in done.err.casefold()) == (code, True), done.err
        assert "Traceback" not in done.err


def test_items_of_a_real_paradigm_have_all_their_regions(bank: Bank, bundled: Engine) -> None:
    paradigm = load_paradigm("embedded_wh")
    for slots in islice(sample(paradigm, seed=1), 2):
        for sentence in realise(paradigm, slots):
            scores = measured_one(bundled, sentence.text)
            assert sentence.regions is not None
            table = one_item({"c": measured_text(scores)}, {"c": sentence.regions})
            found = numbers_of(table, "c", *(Place(span.name) for span in sentence.regions))
            undefined = {name for name, score in found.items() if isinstance(score, str)}
            assert undefined == {span.name for span in sentence.regions if span.start == span.end}


def test_a_directory_that_hides_a_model_of_the_hub_is_named(workspace: Path, tiny_gpt2: Path, gapsmith: Run) -> None:
    (workspace / "gpt2").symlink_to(tiny_gpt2)
    for name, said in (("gpt2", True), ("./gpt2", False)):
        done = gapsmith("score", "-m", name, "--all", "--device", "cpu")
        assert done.code == 0, done.err
        assert ("gpt2 is a directory here" in done.err) is said


def test_an_adapter_beside_full_weights_is_said(workspace: Path, tiny_gpt2: Path, tmp_path: Path, gapsmith: Run) -> None:
    shutil.copytree(tiny_gpt2, tmp_path / "adapted")
    (tmp_path / "adapted" / "adapter_config.json").write_text('{"peft_type": "LORA"}', encoding="utf-8")
    done = gapsmith("score", "-m", tmp_path / "adapted", "--all", "--device", "cpu")
    assert done.code == 0, done.err
    assert "has an adapter beside its weights" in done.err


def test_every_revision_is_scored_and_what_was_fetched_can_go_again(
    workspace: Path, tiny_gpt2: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {path.name: path.read_bytes() for path in tiny_gpt2.iterdir()}
    home = workspace / "hub"
    command = ("score", "-m", "test/tiny", "--all", "-w", workspace, "--json")
    with serve_hub({"test/tiny": files}) as hub:
        aim_at(hub, home, monkeypatch)
        first = gapsmith(*command, "--revision", "step1")
        assert first.code == 0, first.err
        several = ("--revision", "step1", "--revision", "step22", "--revision", "step1", "--remove-downloads")
        both = gapsmith(*command, *several)
        assert both.code == 0, both.err
    one, two = results(both.out)
    assert [report["revision"] for report in (one, two)] == [COMMIT[:-1] + "1", COMMIT[:-2] + "22"]
    assert result(first.out)["scored_now"] == 96
    assert (one["scored_now"], two["scored_now"]) == (0, 96)
    snapshots = home / "hub" / "models--test--tiny" / "snapshots"
    assert [path.name for path in snapshots.iterdir()] == [COMMIT[:-1] + "1"], "only what this run fetched is removed"
    assert "removed test/tiny step22 from the cache" in both.err
