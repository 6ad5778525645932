"""Previews, mappings, known benchmarks and paradigms of one's own, at the command line and in Python."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gapsmith as api
from gapsmith.app import known_sets
from gapsmith.app.known_sets import KnownFile, KnownSet
from gapsmith.bank import Bank, ItemFilter
from gapsmith.templates import ConfigError, GapsmithError, load_paradigm
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.printed import result

Run = Callable[..., CommandOutcome]
FILES = Path(__file__).resolve().parents[1] / "fixtures" / "strange"


def test_a_preview_shows_what_was_taken_for_what_and_keeps_nothing(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", "ws")
    before = sorted(path.name for path in (tmp_path / "ws").rglob("*"))
    done = gapsmith("import", FILES / "marks.csv", "--preview", "-w", "ws")
    assert done.code == 0, done.err
    for said in (
        "4 items, 16 sentences",
        "certain  condition: column condition (by its heading); --condition-column says otherwise",
        "that_gap is mf_pg: 4 sentences, expected *; critical region time",
        "[*] We heard that the tailor mended before the feast.",
    ):
        assert said in done.out, done.out
    assert "Nothing was imported" in done.err
    assert sorted(path.name for path in (tmp_path / "ws").rglob("*")) == before
    assert done.out.count("\n  item ") == 3
    with api.open_workspace("ws") as workspace:
        came = api.import_file(workspace, FILES / "marks.csv", preview=True)
        assert came.imported.run is None
        assert [taken.what for taken in came.found.assumptions][:2] == ["format", "sentence"]


def test_a_saved_mapping_is_applied_again_and_options_go_before_it(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", "ws")
    asked = gapsmith("import", FILES / "three.csv", "-w", "ws")
    assert asked.code == 2
    flags = [flag for name in ("filler", "gap", "island") for flag in ("--condition-column", name)]
    done = gapsmith("import", FILES / "three.csv", *flags, "--save-mapping", "three.toml", "-w", "ws")
    assert done.code == 0, done.err
    text = (tmp_path / "three.toml").read_text()
    assert 'condition_column = ["filler", "gap", "island"]' in text
    assert 'item_column = ["item"]' in text
    again = gapsmith("import", FILES / "three.csv", "--mapping", "three.toml", "-w", "ws")
    assert (again.code, "already" in again.err) == (0, True), again.err
    other = gapsmith("import", FILES / "three.csv", "--mapping", "three.toml", "-d", "other", "-w", "ws2", "--preview")
    assert "3 conditions" not in other.err
    (tmp_path / "broken.toml").write_text('columns = "x"\n')
    broken = gapsmith("import", FILES / "three.csv", "--mapping", "broken.toml", "-w", "ws")
    assert (broken.code, "a mapping has no 'columns'" in broken.err) == (2, True)
    # A draft calls factors by their columns.
    assert [factor.name for factor in load_paradigm("three", tmp_path / "ws").factors] == ["filler", "gap", "island"]


def test_a_name_that_none_can_have_is_refused_before_a_workspace_is_made(gapsmith: Run, tmp_path: Path) -> None:
    for flags in (("--preview",), ()):
        done = gapsmith("import", FILES / "marks.csv", "-d", "a/b", "-w", "ws", *flags)
        assert (done.code, "cannot be called 'a/b'" in done.err) == (2, True), done.err
    assert not (tmp_path / "ws").exists()


def test_a_file_that_does_not_come_back_to_the_byte_is_said_to(gapsmith: Run, tmp_path: Path) -> None:
    text = (FILES / "marks.csv").read_text()
    head, _, rows = text.partition("\n")
    for name, content in (("same", text), ("apart", f"{head}\n\n{rows}")):
        (tmp_path / f"{name}.csv").write_text(content)
        assert gapsmith("import", f"{name}.csv", "-w", "ws").code == 0
        said = "not byte for byte apart.csv as it came in" if name == "apart" else ""
        out = gapsmith("export", "-d", name, "--all", "-o", "out.csv", "-w", "ws")
        assert ((tmp_path / "out.csv").read_text() == content, said in out.err, "byte" in out.err) == (not said, True, bool(said))
        # Of another shape nobody expects it.
        assert "byte" not in gapsmith("export", "suite", "-d", name, "--all", "-o", "out.json", "-w", "ws").err


def _benchmark(folder: Path, monkeypatch: pytest.MonkeyPatch, *, order_open: bool = False) -> None:
    folder.mkdir(parents=True)
    files = []
    for name in ("one", "two", "three"):
        pairs = [
            {"sentence_good": f"The {n} is {name} here.", "sentence_bad": f"The {n} are {name} here."} for n in ("cat", "dog")
        ]
        text = "".join(json.dumps(pair) + "\n" for pair in pairs)
        (folder / f"{name}.jsonl").write_text(text)
        files.append(
            KnownFile(f"{name}.jsonl", 2, (hashlib.sha256(text.encode()).hexdigest(),), f"{name} agreement", "agreement")
        )
    known = KnownSet("blimp", "BLiMP", "a small stand-in", "here", order_open, tuple(files))
    monkeypatch.setattr(known_sets, "known_sets", lambda: (known,))


def test_a_folder_that_is_a_known_benchmark_comes_in_as_a_whole(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _benchmark(tmp_path / "down" / "data", monkeypatch)
    looked = gapsmith("dataset", "recognise", "down", "--dry-run")
    assert (looked.code, "3 of 3 files, 3 of them byte for byte as published" in looked.err) == (0, True), looked.err
    assert not (tmp_path / "bank.sqlite").exists()
    (tmp_path / "down" / "data" / "two.jsonl").unlink()
    with (tmp_path / "down" / "data" / "three.jsonl").open("a") as stream:
        stream.write(json.dumps({"sentence_good": "A cow is here.", "sentence_bad": "A cow are here."}) + "\n")
    gapsmith("init", ".")
    done = gapsmith("dataset", "recognise", "down", "--json")
    assert done.code == 0, done.err
    found = expect_results(done.out)[0]
    assert found["missing"] == ["two.jsonl"]
    assert found["changed"] == ["three.jsonl"]
    assert list(found["datasets"]) == ["blimp_one"]
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        items = list(bank.items.iterate(ItemFilter(dataset="blimp_one")))
        assert [item.attributes["phenomenon"] for item in items] == ["one agreement"] * 2
        assert {item.attributes["category"] for item in items} == {"agreement"}
    # What the file does not have is not in it when it goes out as it came.
    out = gapsmith("export", "-d", "blimp_one", "--all", "-o", "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "down" / "data" / "one.jsonl").read_bytes(), out.err
    gapsmith("export", "blimp", "-d", "blimp_one", "--all", "-o", "more.jsonl")
    assert '"phenomenon": "one agreement"' in (tmp_path / "more.jsonl").read_text()
    changed = gapsmith("dataset", "recognise", "down", "--changed", "--json")
    assert "holds 3 items, and the published file 2" in result(changed.out)["refused"]["three.jsonl"]
    again = gapsmith("dataset", "recognise", "down")
    assert again.code == 0, again.err


def test_odd_sentences_of_a_file_byte_for_byte_as_published_are_its_own(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file like it that is not as published is refused for them."""
    good, bad = "#REF!", "The cat are here."
    text = "".join(
        json.dumps({"sentence_good": own, "sentence_bad": other}) + "\n"
        for own, other in ((good, bad), ("A dog is here.", "A dog are here."))
    )
    (tmp_path / "down").mkdir()
    (tmp_path / "down" / "odd.jsonl").write_text(text)
    file = KnownFile("odd.jsonl", 2, (hashlib.sha256(text.encode()).hexdigest(),), "oddity", "agreement")
    known = KnownSet("blimp", "BLiMP", "a small stand-in", "here", False, (file,))
    monkeypatch.setattr(known_sets, "known_sets", lambda: (known,))
    gapsmith("init", ".")
    assert result(gapsmith("dataset", "recognise", "down", "--json").out)["datasets"]["blimp_odd"]["items"] == 2
    (tmp_path / "down" / "odd.jsonl").write_text(text.replace("dog", "cow"))
    gapsmith("init", "other")
    changed = result(gapsmith("dataset", "recognise", "down", "--changed", "--json", "-w", "other").out)
    assert "#REF!" in changed["refused"]["odd.jsonl"]


def test_which_file_of_a_folder_is_meant_is_not_guessed(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names may be in any case; what version control keeps is none of the files; two of one name, and what a download left, are not read."""
    _benchmark(tmp_path / "down" / "data", monkeypatch)
    data, copy, kept = (tmp_path / "down" / name for name in ("data", "copy", ".git"))
    (data / "one.jsonl").rename(data / "ONE.JSONL")
    copy.mkdir()
    (copy / "one.jsonl").write_text("{}\n")
    (data / "two.jsonl").write_text((data / "two.jsonl").read_text().replace("cat", "cow"))
    (copy / "two.jsonl").write_text((data / "two.jsonl").read_text().replace("dog", "hen"))
    kept.mkdir()
    (kept / "three.jsonl").write_text((data / "three.jsonl").read_text())
    (data / "three.jsonl").write_text("<!DOCTYPE html>\n<title>Sign in</title>\n")
    gapsmith("init", ".")
    for flags in ((), ("--changed",), ("--dry-run",)):
        done = gapsmith("dataset", "recognise", "down", *flags, "--json")
        assert done.code == 0, done.err
        found = result(done.out)
        assert list(found["datasets"]) == ([] if "--dry-run" in flags else ["blimp_one"])
        assert "each with other bytes (in copy, data)" in found["refused"]["two.jsonl"]
        assert "is a web page" in found["refused"]["three.jsonl"]
        assert "not read: copy/one.jsonl\n" in done.err


def test_a_folder_that_is_still_packed_says_so(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "down").mkdir()
    (tmp_path / "down" / "blimp.zip").write_bytes(b"PK")
    done = gapsmith("dataset", "recognise", "down")
    assert (done.code, "Unpack blimp.zip first." in done.err) == (2, True), done.err


def test_the_order_of_a_file_as_published_is_not_that_of_a_changed_one(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "down").mkdir()
    files = []
    for name in ("one", "two"):
        text = "".join(
            f"Who does {own} {name} wanna wait?\nWhy does {own} {name} wanna wait?\n" for own in ("Tom", "Anna", "Ben", "Joe")
        )
        (tmp_path / "down" / f"{name}.txt").write_text(text)
        files.append(KnownFile(f"{name}.txt", 4, (hashlib.sha256(text.encode()).hexdigest(),), "wanna", "wanna"))
    known = KnownSet("posh-bench", "POSH-BENCH", "a small stand-in", "here", True, tuple(files), "bad", "pair_lines")
    monkeypatch.setattr(known_sets, "known_sets", lambda: (known,))
    two = tmp_path / "down" / "two.txt"
    two.write_text(two.read_text().replace("Joe", "Sam"))
    gapsmith("init", ".")
    done = gapsmith("dataset", "recognise", "down", "--changed")
    assert (done.code, "--first" in done.err) == (2, True), done.err


def test_files_whose_order_a_public_source_tells_come_in_without_a_question(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairs that are alike among themselves, and read as those of a paradigm that ships: known by their digest, nothing is guessed at."""
    text = "".join(f"Who does {name} wanna wait?\nWhy does {name} wanna wait?\n" for name in ("Tom", "Anna", "Ben", "Joe"))
    (tmp_path / "down").mkdir()
    (tmp_path / "down" / "wanna.txt").write_text(text)
    file = KnownFile("wanna.txt", 4, (hashlib.sha256(text.encode()).hexdigest(),), "wanna", "wanna")
    known = KnownSet("posh-bench", "POSH-BENCH", "a small stand-in", "here", True, (file,), "bad", "pair_lines")
    monkeypatch.setattr(known_sets, "known_sets", lambda: (known,))
    gapsmith("init", ".")
    done = gapsmith("dataset", "recognise", "down", "--json")
    assert done.code == 0, done.err
    assert result(done.out)["datasets"] == {"wanna": {"paradigm": "minimal_pairs", "items": 4}}
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        items = list(bank.items.iterate(ItemFilter(dataset="wanna")))
    first = next(one for item in items for one in item.sentences if one.condition == "good")
    assert first.text == "Why does Tom wanna wait?"
    # A file with other bytes may have another order: that is asked.
    (tmp_path / "down" / "wanna.txt").write_text(text.replace("Joe", "Sam"))
    gapsmith("init", "other")
    asked = gapsmith("dataset", "recognise", "down", "--changed", "-w", "other")
    assert asked.code != 0
    assert "--first" in asked.err


def test_a_folder_of_anything_else_is_refused_with_what_was_looked_for(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "adjunct_island.jsonl").write_text("{}\n")
    done = gapsmith("dataset", "recognise", "other")
    assert done.code == 2
    assert "BLiMP: 1 of 67 files" in done.err
    assert "SyntaxGym: 0 of 34 files" in done.err
    with pytest.raises(ConfigError, match="is no folder"):
        known_sets.in_folder(tmp_path / "nowhere")


def test_the_manifests_say_where_they_are_from_and_hold_no_sentence() -> None:
    counts = {one.name: (len(one.files), sum(file.items for file in one.files)) for one in known_sets.known_sets()}
    assert counts == {"blimp": (67, 67_000), "posh-bench": (9, 4_500), "syntaxgym": (34, 842)}
    for known in known_sets.known_sets():
        assert "github" in known.source.casefold()
        assert len({file.name for file in known.files}) == len(known.files)
        assert all(len(digest) == 64 for file in known.files for digest in file.digests)


def _agree(**more: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "factor": ("number: sg, pl",),
        "region": ("subject[number]: the {head} | the {head_pl}", "verb[number]: is | are", "rest: {rest}"),
        "slot": ("head noun: farmer, nurse, child", "rest: tired, late"),
        "status": {"sg": "ok", "pl": "ok"},
        "critical": ("verb",),
        "contrast": ("cost: pl - sg, exploratory",),
    }
    return asked | more


WORTH_LESS = "slots that come only after|contrasts without a verdict"
"""What is warned of in the design of `_agree`."""


def test_a_paradigm_of_ones_own_is_written_checked_and_gives_items(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", "ws")
    with api.open_workspace("ws") as workspace:
        # From Python, too.
        with pytest.warns(UserWarning, match=WORTH_LESS) as told:
            written = api.new_paradigm(workspace, "agree", **_agree())
        assert [str(own.message).partition(":")[0] for own in told] == [
            "slots that come only after what is measured",
            "contrasts without a verdict, since different words are compared",
        ]
        assert all(check.ok for check in written.checks)
        paradigm = load_paradigm("agree", tmp_path / "ws")
        assert [c.name for c in paradigm.conditions] == ["sg", "pl"]
        for change, says in (
            ({"status": {"sg": "ok"}}, "says of pl"),
            ({"region": ("verb[number]: is",)}, "1 texts, and 2 are needed"),
            ({"slot": ("head noun: farmer",)}, "'rest'"),
            ({"contrast": ("cost: pl - sg",)}, "what is expected"),
            ({"factor": ()}, "which factors"),
        ):
            with pytest.raises(GapsmithError, match=says):
                api.new_paradigm(workspace, "other", **_agree(**change))
            assert not (tmp_path / "ws" / "paradigms" / "other.toml").exists()
    assert gapsmith("generate", "agree", "-n", "6", "--seed", "1", "-w", "ws").code == 0
    assert gapsmith("lint", "-w", "ws", "--fail-on", "error").code == 0
    there = gapsmith("paradigm", "new", "agree", "-w", "ws", "--factor", "a: x, y")
    assert (there.code, "is there already" in there.err) == (2, True)


def test_lists_of_the_workspace_serve_paradigms_and_the_linter(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", "ws")
    ws = tmp_path / "ws"
    with api.open_workspace("ws") as workspace, pytest.warns(UserWarning, match=WORTH_LESS):
        path = api.new_paradigm(workspace, "agree", **_agree()).path
    text = path.read_text().replace('words = ["tired", "late"]', 'lexicon = "moods"')
    path.write_text(text)
    done = gapsmith("generate", "agree", "-n", "3", "-w", "ws")
    assert (done.code, "there is no lexicon 'moods'" in done.err, "agree.toml, line" in done.err) == (2, True, True)
    with Bank.open(ws / "bank.sqlite") as bank:
        assert bank.runs.all() == []
    (ws / "lexicons").mkdir(exist_ok=True)
    (ws / "lexicons" / "moods.csv").write_text("form\ntired\nlate\nhappy\n")
    assert gapsmith("generate", "agree", "-n", "3", "-w", "ws").code == 0
    assert gapsmith("lint", "-w", "ws").code in (0, 1)
    (ws / "lexicons" / "verb.csv").write_text("form\nrun\n")
    stray = gapsmith("lint", "-w", "ws")
    assert (stray.code, "no paradigm of the workspace draws from it" in stray.err) == (2, True)


def test_surprisals_come_in_by_the_title_or_number_of_a_region(gapsmith: Run, tmp_path: Path) -> None:
    suite: dict[str, Any] = {
        "meta": {"name": "small", "metric": "sum"},
        "region_meta": {"1": "The Start", "2": "Verb Region"},
        "predictions": [{"type": "formula"}],
        "items": [
            {
                "item_number": n,
                "conditions": [
                    {
                        "condition_name": c,
                        "regions": [{"region_number": 1, "content": f"The {who}"}, {"region_number": 2, "content": v}],
                    }
                    for c, v in (("sg", "sleeps."), ("pl", "sleep."))
                ],
            }
            for n, who in ((1, "cat"), (2, "dog"))
        ],
    }
    (tmp_path / "small.json").write_text(json.dumps(suite))
    came = gapsmith("import", "small.json", "-w", "ws")
    assert came.code == 0, came.err
    assert "prediction_1 is left out: it has no formula in the file" in came.err
    rows = "".join(f"{n},{c},Verb Region,{n}.5\n" for n in (1, 2) for c in ("sg", "pl"))
    (tmp_path / "title.csv").write_text("item,condition,region,surprisal_bits\n" + rows)
    done = gapsmith("import-scores", "title.csv", "-m", "theirs", "--our-ids", "-w", "ws")
    assert (done.code, "values for 4 distinct sentences" in done.err) == (0, True), done.err
    for item in suite["items"]:
        for condition in item["conditions"]:
            for region in condition["regions"]:
                region["metric_value"] = {"sum": 2.5}
    (tmp_path / "results.json").write_text(json.dumps(suite))
    refused = gapsmith("import", "results.json", "-w", "ws")
    assert (refused.code, "gapsmith import-scores results.json --model NAME" in refused.err) == (2, True), refused.err
    done = gapsmith("import-scores", "results.json", "-m", "grnn", "--unit", "bits", "--our-ids", "-w", "ws")
    assert (done.code, "values for 4 distinct sentences" in done.err) == (0, True), done.err
