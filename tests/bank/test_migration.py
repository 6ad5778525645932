"""A bank of release 0.1.0 (tests/fixtures/bank_0_1_0) under this release: the same facts, the same numbers."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from gapsmith.bank import Bank, BankError, ItemFilter, StoredItem
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.stats import one_sample_t
from gapsmith.templates import Sentence, load_paradigm_file

FIRST = "ann"
"""The first author of the old bank, who leads it and so sees everything."""
FIXTURE = Path(__file__).parent.parent / "fixtures" / "bank_0_1_0"
EXPECTED: dict[str, Any] = json.loads((FIXTURE / "expected.json").read_text(encoding="utf-8"))


def copied(folder: Path) -> Path:
    """A workspace with the old bank and the user's own paradigm file; the bank's path."""
    (folder / "paradigms").mkdir(parents=True)
    shutil.copy(FIXTURE / "npi.toml", folder / "paradigms")
    return Path(shutil.copy(FIXTURE / "bank.sqlite", folder))


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """The old bank, opened by this release."""
    with Bank.open(copied(tmp_path / "ws"), reader=FIRST) as opened:
        yield opened


def plain(sentence: Sentence) -> list[Any]:
    regions = None if sentence.regions is None else [list(span) for span in sentence.regions]
    return [sentence.condition, sentence.text, sentence.source.value, regions]


def facts(bank: Bank, item: StoredItem) -> dict[str, Any]:
    """What the fixture holds of an item."""
    return {
        "paradigm": item.paradigm,
        "dataset": item.dataset,
        "label": item.label,
        "status": item.status.value,
        "reason": item.reason,
        "revision": item.revision_number,
        "slots": item.slots,
        "sentences": [plain(s) for s in item.sentences],
        "decisions": [[d.author, d.kind, d.verdict.value, d.reason, d.comment] for d in bank.decisions.for_item(item.id)],
        "history": [[d.author, d.kind, d.verdict.value, d.at] for d in bank.decisions.history(item.id)],
        "judgements": [[j.author, j.condition, j.rating] for j in bank.decisions.judgements(item.id)],
        "comments": [[c.author, c.text] for c in bank.review.comments(item.id) if not c.decided],
        "revisions": [[r.number, r.author, r.note, [s.text for s in r.sentences]] for r in bank.items.history(item.id)],
        "findings": sorted([f.code, f.severity.value, f.message] for f in bank.findings.for_item(item.id)),
    }


def test_items_decisions_edits_and_findings_stand_as_they_stood(bank: Bank) -> None:
    found = list(bank.items.iterate())
    assert [facts(bank, item) for item in found] == EXPECTED["items"]
    assert [item.sentences[2].why is not None for item in found if item.label == "a3"] == [True]
    for author, kind in EXPECTED["next_undo"].items():
        action = bank.review.next_action(author, "undo")
        assert action is not None
        assert action.kind == kind
    calls = [
        [run.provider, call.number, call.outcome, call.replied_at is not None]
        for run in bank.runs.all()
        for call in bank.runs.calls(run.id)
    ]
    assert calls == EXPECTED["calls"]
    before = [facts(bank, item) for item in found]
    bank.decisions.rebuild_projection()
    assert [facts(bank, item) for item in bank.items.iterate()] == before


def test_every_surprisal_comes_back_to_the_last_digit(bank: Bank) -> None:
    (scorer,) = bank.scores.scorers()
    texts = EXPECTED["scores"][scorer.model]
    found = bank.scores.get(scorer.id, texts)
    assert set(found) == set(texts)
    for text, tokens in texts.items():
        own = found[text]
        assert own.unit == "nats"
        assert own.spans.tolist() == [token[:2] for token in tokens]
        assert own.bits.tolist() == [token[2] for token in tokens]
        assert own.ids == tuple(token[3] for token in tokens)
    assert bank.scores.missing(scorer.id, texts) == []
    (how, n_texts) = bank.scores.provenance(scorer.id)[0]
    assert n_texts == len(texts)
    assert how["engine"] == "batches/1"


def test_a_scorer_of_the_old_release_is_known_again_and_nothing_is_scored_twice(bank: Bank) -> None:
    (old,) = bank.scores.scorers()
    identity = {"weights": "sha256:w", "tokenizer": "sha256:t", "dtype": "float32", "bos": "bos"}
    assert bank.scores.register("bundled", old.revision, identity) == old.id
    assert bank.scores.register("bundled", old.revision, {**identity, "bos": "none"}) != old.id
    assert bank.scores.register("bundled", "sha256:other", identity) != old.id


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("paradigm", ["subject_pg", "npi"])
def test_the_same_numbers_to_the_last_digit(bank: Bank, paradigm: str, everything: bool) -> None:
    (old,) = EXPECTED[f"analyze {paradigm}{' --all' if everything else ''}"]
    new = analyze(bank, paradigm, options=AnalysisOptions(all_items=everything))
    assert [r.contrast.name for r in new.contrasts] == [r["contrast"]["name"] for r in old["contrasts"]]
    for result, was in zip(new.contrasts, old["contrasts"], strict=True):
        values = [{"dataset": key.dataset, "item": key.label, "bits": bits} for key, bits in result.values.items()]
        assert values == was["values"]
        assert (result.n_items, result.n_undefined) == (was["n_items"], was["n_undefined"])
        # Release 0.1.0 took every item for an observation of its own.
        own = one_sample_t(list(result.values.values()))
        fields = {"mean": "estimate", "t": "statistic"}
        for name in ("mean", "sd", "t", "df", "p", "ci_low", "ci_high"):
            assert getattr(own, fields.get(name, name)) == pytest.approx(was["ttest"][name], rel=1e-12), name
        if result.n_distinct == result.n_items:
            # Observations come in the order of their ids, so that the last digits, and which signs are drawn, are others.
            assert result.ttest.p == pytest.approx(was["ttest"]["p"], rel=1e-12)
            assert result.wilcoxon.p == was["wilcoxon"]["p"]
            assert result.permutation.p == pytest.approx(was["permutation"]["p"], abs=0.02)
        else:
            assert paradigm == "npi"
            assert result.ttest.n == result.n_distinct < result.n_items
    read = read_in_regions(paradigm, everything=everything)
    for region, before in zip(new.regions, old["regions"], strict=True):
        assert (region.condition, region.region) == (before["condition"], before["region"])
        found = read[region.condition, region.region]
        # Release 0.1.0 took every item for an observation here too; now what was read is one, however many items have it.
        assert (before["n"], before["mean"]) == (len(found), pytest.approx(mean(bits for _, bits in found)))
        assert region.n == len(dict(found))
        assert region.mean == pytest.approx(mean(dict(found).values()))
        if region.n == before["n"]:
            assert region.mean == pytest.approx(before["mean"], rel=1e-12)


def read_in_regions(paradigm: str, *, everything: bool) -> dict[tuple[str, str], list[tuple[str, float]]]:
    """By condition and region, from the fixture alone: for each item what was read up to the region's end, and its bits."""
    (scores,) = EXPECTED["scores"].values()
    found: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for item in EXPECTED["items"]:
        if item["paradigm"] != paradigm or not (everything or item["status"] == "approved"):
            continue
        for condition, text, _, regions in item["sentences"]:
            for region, start, end in regions or ():
                # A token has the space before it.
                begun = [
                    token for token in scores.get(text, ()) if start <= token[1] - len(text[slice(*token[:2])].lstrip()) < end
                ]
                if begun:
                    bits = sum(token[2] for token in begun)
                    found[condition, region].append((text[: max(end, begun[-1][1])], bits))
    return found


def uids(path: Path) -> dict[str, list[bytes]]:
    """Every uid of a bank by table."""
    with sqlite3.connect(path) as raw:
        tables = ("item", "revision", "event", "run", "call", "dataset")
        return {name: [row[0] for row in raw.execute(f"SELECT uid FROM {name} ORDER BY id")] for name in tables}


def test_two_copies_migrated_apart_agree_on_what_is_the_same(tmp_path: Path) -> None:
    paths = [copied(tmp_path / name) for name in ("one", "two")]
    for path in paths:
        Bank.open(path).close()
    one, two = map(uids, paths)
    assert one == two
    assert all(len(set(found)) == len(found) and found for found in one.values())


def test_a_backup_of_the_old_bank_stays(tmp_path: Path) -> None:
    path = copied(tmp_path / "ws")
    Bank.open(path).close()
    (backup,) = path.parent.glob("bank.sqlite.schema3.*.backup")
    with sqlite3.connect(backup) as raw, sqlite3.connect(FIXTURE / "bank.sqlite") as old:
        assert list(raw.iterdump()) == list(old.iterdump())


def test_what_was_recorded_cannot_be_changed(bank: Bank) -> None:
    for table in ("item", "revision", "sentence", "event", "text"):
        with pytest.raises(sqlite3.IntegrityError, match="is only added to"):
            bank.db.raw.execute(f"DELETE FROM {table}")
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        bank.db.raw.execute("UPDATE text SET text = 'other'")
    with pytest.raises(sqlite3.IntegrityError):
        bank.db.raw.execute("UPDATE item_state SET status = 'nonsense'")
    with pytest.raises(sqlite3.IntegrityError):
        bank.db.raw.execute("UPDATE call SET number = 'x'")


def test_a_stored_paradigm_that_no_longer_reads_does_not_stop_the_bank(tmp_path: Path) -> None:
    path = copied(tmp_path / "ws")
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE paradigm SET text = 'colour = \"red\"' WHERE name = 'npi'")
    (path.parent / "paradigms" / "npi.toml").unlink()
    with Bank.open(path) as bank:
        assert bank.items.count(ItemFilter(paradigm="npi")) == 6
        assert analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True)).contrasts
        with pytest.raises(BankError, match="npi: the file that its items were made with is no paradigm file"):
            bank.paradigms.newest("npi")
    shutil.copy(FIXTURE / "npi.toml", path.parent / "paradigms")
    with Bank.open(path) as bank:
        assert bank.paradigms.newest("npi").name == load_paradigm_file(FIXTURE / "npi.toml").name
