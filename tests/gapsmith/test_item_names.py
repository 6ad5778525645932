"""An item is what its uid and the digest of its texts say, in every file that goes out and in every one that comes back.

Whatever lists items carries both, whatever takes items in goes by them. The tables below say so of every format, command and
file that there is: a new one fails until it is put down, with what it does or why it does not."""

from __future__ import annotations

import csv
import io
import json
import shutil
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas
import pytest
from openpyxl import load_workbook

import gapsmith as api
from gapsmith.app.exporting import formats
from gapsmith.bank import Bank, ItemFilter, StoredItem, Verdict
from gapsmith.bank.formats.catalogue import FORMATS
from gapsmith.bank.item_names import NAMING, naming
from gapsmith.scoring.report import NUMBERS
from gapsmith.templates.errors import ConfigError
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands
from tests.printed import result

Run = Callable[..., CommandOutcome]

PAIRS = "".join(
    json.dumps({"sentence_good": f"The {noun} is here.", "sentence_bad": f"The {noun} are here."}) + "\n"
    for noun in ("boy", "girl", "cat")
)

ON_REQUEST = dict.fromkeys(
    ("csv", "region_columns", "region_rows", "suite", "slots", "blimp", "pair_table", "condition_columns", "json"),
    "the shape of other people's files, which go out equal to what came in: with --ids",
)
WITHOUT = {
    "pair_lines": "two lines a pair and no place for anything else; --ids is refused",
    **dict.fromkeys(
        ("blocks", "numbered", "item_lines", "tuples"), "sentences, labels and no place for anything else; --ids is refused"
    ),
    "tests": "a row per test: no items are listed",
    "conditions": "a row per condition: no items are listed",
    "r": "the columns that a formula names, and no others",
}
"""What goes out without names of items even if they are asked for."""


def items_of(folder: Path) -> list[StoredItem]:
    with Bank.open(folder / "bank.sqlite") as bank:
        return list(bank.items.iterate(ItemFilter()))


def item_of(folder: Path, label: str, dataset: str) -> StoredItem:
    (item,) = (item for item in items_of(folder) if (item.label, item.dataset) == (label, dataset))
    return item


def edit(folder: Path, item: StoredItem, text: str) -> None:
    """Another first sentence."""
    with Bank.open(folder / "bank.sqlite") as bank:
        from gapsmith.vetting.review import Session

        session = Session(bank, "zoe")
        view = session.view(item.id)
        session.save_sentence(view, view.rows[0], text)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
    return path


def score_words(gapsmith: Run, folder: Path, model: str, bits: float) -> None:
    """A value for each word, as somebody else's model gave it."""
    rows = [
        {"sentence": text, "token": word, "surprisal_bits": bits + len(word) / 10}
        for text in dict.fromkeys(s.text for item in items_of(folder) for s in item.sentences)
        for word in text.split()
    ]
    done = gapsmith("import-scores", write_rows(folder / f"{model}.csv", rows), "--model", model)
    assert done.code == 0, done.err


@pytest.fixture
def filled(gapsmith: Run, tmp_path: Path) -> Path:
    """A workspace with generated items and pairs, all scored by two models."""
    gapsmith("generate", "embedded_wh", "-n", "4", "--seed", "1")
    (tmp_path / "pairs.jsonl").write_text(PAIRS, encoding="utf-8")
    done = gapsmith("import", "pairs.jsonl")
    assert done.code == 0, done.err
    score_words(gapsmith, tmp_path, "one", 1.0)
    score_words(gapsmith, tmp_path, "two", 2.0)
    return tmp_path


def said_in(path: Path) -> str:
    """Everything that a file, or the files of a folder, say."""
    if path.is_dir():
        return "".join(said_in(own) for own in sorted(path.rglob("*")) if own.is_file())
    if path.suffix == ".parquet":
        return str(pandas.read_parquet(path).to_csv())
    if path.suffix == ".xlsx":
        sheet = load_workbook(path).active
        assert sheet is not None
        return "\n".join(str(cell.value) for row in sheet.iter_rows() for cell in row)
    return path.read_text(encoding="utf-8", errors="replace")


def is_named(text: str, items: Sequence[StoredItem]) -> list[bool]:
    return [value in text for item in items for value in naming(item).values()]


@pytest.mark.full
def test_every_format_carries_the_names_of_its_items_or_says_why_not(gapsmith: Run, filled: Path) -> None:
    every = {*formats(), *NUMBERS, "conllu"}
    items = items_of(filled)
    pairs = items[-1].paradigm
    for kind in sorted(every):
        of_pairs = kind in ("blimp", "pair_table", "pair_lines")
        own = [item for item in items if (item.paradigm == pairs) == of_pairs]
        suffix = {"parquet": ".parquet", "hub": "", "lm-eval": "", "jspsych": "", "r": ""}.get(kind, ".csv")
        base = ("export", kind, "-p", own[0].paradigm, "--all")
        more = ("--model", "one") if kind == "r" else ()
        plain = filled / f"plain-{kind}{suffix}"
        done = gapsmith(*base, *more, "-o", plain)
        assert done.code == 0, (kind, done.err)
        found = is_named(said_in(plain), own)
        if kind in WITHOUT or kind in ON_REQUEST:
            assert not any(found), f"{kind} goes out with names: put it down as one that does"
        else:
            assert all(found), f"{kind} lists items without {NAMING}, and is not put down with a reason"
        if kind in ON_REQUEST:
            asked = filled / f"asked-{kind}{suffix}"
            done = gapsmith(*base, "--ids", "-o", asked)
            assert done.code == 0, (kind, done.err)
            assert all(is_named(said_in(asked), own)), kind
    assert not (WITHOUT.keys() | ON_REQUEST.keys()) - every
    refused = gapsmith("export", "pair_lines", "-p", pairs, "--all", "--ids")
    assert (refused.code, "pair_lines has no place for the uid" in refused.err) == (2, True)
    sheet = filled / "asked.xlsx"
    assert gapsmith("export", "csv", "-p", "embedded_wh", "--all", "--ids", "-o", sheet).code == 0
    assert all(is_named(said_in(sheet), [item for item in items if item.paradigm != pairs]))


def test_all_item_set_formats_are_on_request() -> None:
    """What reproduces a file is not changed unasked; a package's format may have no place for names."""
    assert {name for name, entry in FORMATS.usable() if entry.write or entry.rows} <= ON_REQUEST.keys() | WITHOUT.keys()


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command there is, by its words."""
    return ((name, command.callback) for name, command in commands().items())


LISTS: dict[str, tuple[str, ...]] = {
    "show": ("--json",),
    "lint": ("--json", "--fail-on", "never"),
    "analyze": ("--json", "--all", "-p", "embedded_wh", "--model", "one"),
    "annotations": ("decisions", "--by", "ann"),
    "agreement": ("--json", "--by", "ann"),
    "export": ("decisions", "-p", "embedded_wh", "--all"),
    "runs item": ("1", "--json", "-d", "generated"),
    "packet make": ("ann.xlsx", "--for", "ann", "--show", "status:flagged"),
    "report": ("--all", "-p", "embedded_wh", "--model", "one"),
    "publish": ("--all", "-p", "embedded_wh", "--model", "one"),
    "bank log": ("log.jsonl",),
}
"""Commands that list items, and how they are asked to here."""
LISTS_ELSEWHERE = {
    "context show": "asked in test_contexts_are_listed_with_the_names_of_their_items",
    "context study": "outcomes.csv: tests/scoring/test_context_study.py",
}
LISTS_NONE = {
    "audit": "items of a file that is in no bank",
    "import": "counts; what cannot be read is named by the file's own ids and lines",
    "import-scores": "sentences, which name themselves",
    "decide": "counts, and ids of lines of the file",
    "assign": "counts",
    "packet take": "counts, and ids of the packet's lines",
    "bank merge": "counts, and the ids that items were given by it",
    "bank check": "faults",
    "generate": "counts",
    "score": "counts",
    "review": "a screen",
    "licensing": "effects by model",
    "power": "numbers of items by contrast",
    "plan freeze": "what is to be tested",
    "plan list": "what is to be tested",
    "posh": "shares by model and phenomenon",
    "reproduce": "published numbers beside ours",
    "demo": "prints what it runs",
    "explain-number": "one sentence that was typed",
    "lab": "counts by annotator",
    "judge new": "counts of sentences and sheets",
    "judge results": "sentences, which name themselves",
} | dict.fromkeys(
    (
        "init",
        "next",
        "paradigm list",
        "paradigm show",
        "paradigm check",
        "paradigm diff",
        "paradigm update",
        "paradigm draft",
        "paradigm new",
        "prompt list",
        "prompt show",
        "prompt copy",
        "dataset list",
        "dataset load",
        "dataset recognise",
        "dataset rename",
        "dataset remove",
        "dataset undo",
        "bank backup",
        "bank lead",
        "bank restore",
        "rule",
        "studies",
        "context draw",
        "context add",
        "context list",
        "count-constructions",
        "runs list",
        "runs compare",
        "runs show",
        "runs watch",
        "model convert",
        "train corpus",
        "train audit",
        "train counts",
        "train lm",
        "train grid",
        "train parser",
        "doctor",
        "serve-fake",
    ),
    "not of items",
)


def test_every_command_that_lists_items_names_them(gapsmith: Run, filled: Path) -> None:
    assert LISTS.keys() | LISTS_ELSEWHERE.keys() | LISTS_NONE.keys() == dict(functions()).keys()
    first = item_of(filled, "1", "generated")
    # Ann says something else of it than is known, so that agreement lists it as missed.
    known = write_rows(filled / "known.csv", [{"item": "1", "decision": "approve", **naming(first)}])
    assert gapsmith("assign", "--to", "ann", "--known", known, "--overlap", "0", "--by", "lea").code == 0
    with Bank.open(filled / "bank.sqlite", reader="ann") as bank:
        bank.decisions.decide([first.id], Verdict.FLAG, author="ann")
    gapsmith("lint", "--fail-on", "never")
    with Bank.open(filled / "bank.sqlite") as bank:
        bank.review.lock("ann", paradigm=None, dataset=None)
        found = bank.findings.for_item(first.id)
    assert found, "this item has a finding, so that lint lists it"
    for command, arguments in LISTS.items():
        done = gapsmith(*command.split(), *arguments)
        assert done.code == 0, (command, done.err)
        made = {"packet make": "ann.xlsx", "report": "report", "publish": "published/data.csv", "bank log": "log.jsonl"}.get(
            command
        )
        text = done.out if made is None else said_in(filled / made)
        uid, digest = naming(first).values()
        assert uid in text, command
        # A log has the texts themselves.
        assert digest in text or first.sentences[0].text in text, command


def test_contexts_are_listed_with_the_names_of_their_items(gapsmith: Run, filled: Path) -> None:
    (filled / "before.txt").write_text("It rained all day.\n", encoding="utf-8")
    done = gapsmith("context", "add", "rain", "before.txt", "--all", "--model", "bundled")
    assert done.code == 0, done.err
    assert all(is_named(gapsmith("context", "show", "rain", "--json").out, items_of(filled)))


INTAKES = {
    ("decide", "csv"): "test_decisions_are_about_the_items_of_their_file_after_a_merge",
    ("assign", "known"): "test_a_file_of_known_verdicts_goes_by_the_same_names",
    ("packet take", "file"): "tests/vetting/test_packets.py: by the uid and digest in its keys",
    ("import", "file"): "test_an_update_finds_items_by_their_names_in_every_format",
    ("import-scores", "file"): "test_scores_find_their_items_by_name",
    ("bank merge", "sources"): "a bank or its log, where everything goes by uid",
    ("bank restore", "file"): "a whole bank",
    ("bank check", "report"): "tests/gapsmith/test_manifest.py: by uid",
}
"""Files that say something of items that are here, and where it is tested how they say which."""
NO_INTAKES = {
    ("audit", "file"): "reads a file beside any bank",
    ("paradigm draft", "file"): "reads a file beside any bank",
    ("export", "fillers"): "sentences that are of no bank",
    ("context add", "file"): "texts, which name no item",
    ("context draw", "text"): "running text",
    ("context study", "text"): "running text",
    ("licensing", "counts"): "counts by construction",
    ("posh", "counts"): "counts by construction",
    ("posh", "grid"): "counts by learner and phenomenon",
    ("analyze", "unigram"): "a corpus",
    **{(name, "kinds"): "what models are" for name in ("analyze", "report", "power")},
    ("report", "unigram"): "a corpus",
    ("publish", "unigram"): "a corpus",
    ("publish", "citation"): "BibTeX",
    ("licensing", "unigram"): "a corpus",
    ("export", "unigram"): "a corpus",
    ("export", "citation"): "BibTeX",
    ("count-constructions", "files"): "a treebank",
    ("model convert", "checkpoint"): "a model",
    ("model convert", "vocabulary"): "a model's words",
    ("train lm", "corpora"): "a corpus",
    ("train audit", "corpus"): "a corpus",
    ("train audit", "answers"): "sentences of a corpus",
    ("train counts", "corpora"): "corpora",
    ("train grid", "file"): "what learners there shall be",
    ("train lm", "valid"): "a corpus",
    ("train parser", "treebank"): "a treebank",
    ("generate", "prices"): "prices",
    ("lint", "prices"): "prices",
    ("runs watch", "prices"): "prices",
    ("bank check", "file"): "a whole bank",
    **{(name, "judge"): "a study of acceptability, which names its data sets" for name in ("packet make", "packet take")},
    ("judge results", "file"): "a study of acceptability, which names its data sets",
    ("review", "study"): "a study of acceptability, which names its data sets",
    ("dataset recognise", "folder"): "files as they are published, before they are in a bank",
    **{(name, "mapping"): "what a file's columns are" for name in ("import", "paradigm draft", "audit")},
}
WRITTEN = {"out", "workspace", "directory", "target", "to"}
"""Places that are written to, or a workspace."""
WRITTEN_FILES = {
    ("packet make", "file"),
    ("bank log", "file"),
    ("import", "save_mapping"),
    ("judge new", "file"),
    ("judge results", "csv"),
    ("reproduce", "record"),
}


def test_every_file_that_is_taken_in_is_put_down() -> None:
    read = set()
    for name, function in functions():
        for parameter, kind in typing.get_type_hints(function).items():
            parts = {kind, *typing.get_args(kind), *(p for own in typing.get_args(kind) for p in typing.get_args(own))}
            if Path in parts and parameter not in WRITTEN and (name, parameter) not in WRITTEN_FILES:
                read.add((name, parameter))
    assert read == INTAKES.keys() | NO_INTAKES.keys()
    here = globals()
    assert all(where in here for where in INTAKES.values() if where.startswith("test_"))


@pytest.fixture
def merged(gapsmith: Run, tmp_path: Path) -> tuple[Path, Path, list[StoredItem]]:
    """A bank into which a colleague's was merged, whose items had the same ids; what she decided; and her items."""
    gapsmith("init", "hers")
    gapsmith("generate", "embedded_wh", "-n", "2", "--seed", "7", "-w", "hers")
    theirs = items_of(tmp_path / "hers")
    gapsmith("generate", "embedded_wh", "-n", "2", "--seed", "1")
    done = gapsmith("bank", "merge", "hers/bank.sqlite")
    assert done.code == 0, done.err
    assert [item.label for item in items_of(tmp_path)] == ["1", "2", "1-2", "2-2"]
    gapsmith("decide", "exclude", "1", "2", "-w", "hers", "--by", "bea", "-r", "unnatural")
    out = gapsmith("annotations", "decisions", "--mine", "--by", "bea", "-w", "hers").out
    path = tmp_path / "bea.csv"
    path.write_text(out, encoding="utf-8")
    return tmp_path, path, theirs


def test_decisions_are_about_the_items_of_their_file_after_a_merge(
    gapsmith: Run, merged: tuple[Path, Path, list[StoredItem]]
) -> None:
    place, file, theirs = merged
    bare = write_rows(place / "bare.csv", [{"item": n, "decision": "exclude", "reason": "odd"} for n in (1, 2)])
    refused = gapsmith("decide", "--csv", bare, "--by", "bea")
    assert refused.code == 2
    assert "bare.csv, line 2: item '1' is named by its id alone" in refused.err
    assert "--our-ids" in refused.err
    assert {item.status.value for item in items_of(place)} == {"pending"}
    done = gapsmith("decide", "--csv", file, "--by", "ann")
    assert (done.code, "excluded 2" in done.err) == (0, True), done.err
    excluded = [item for item in items_of(place) if item.status.value == "excluded"]
    assert [item.uid for item in excluded] == [item.uid for item in theirs]
    assert [item.label for item in excluded] == ["1-2", "2-2"]
    again = gapsmith("decide", "--csv", file, "--by", "ann", "--json")
    assert result(again.out) | {"left": 0} == {
        "approved": 0,
        "excluded": 0,
        "flagged": 0,
        "left": 0,
        "known": 2,
        "judged": 0,
        "remarked": 0,
        "settled": 0,
        "overruled": [],
        "unread_remarks": 0,
        "changed": [],
        "looked": "",
        "unlocked": [],
    }


def test_an_item_with_other_texts_is_refused_by_name_and_the_others_come_in_on_request(
    gapsmith: Run, merged: tuple[Path, Path, list[StoredItem]]
) -> None:
    place, file, _ = merged
    hers = item_of(place, "1-2", "generated")
    edit(place, hers, "Something else stands here.")
    refused = gapsmith("decide", "--csv", file)
    assert refused.code == 2
    assert "bea.csv, line 2: item '1', called '1-2' here, has other texts here" in refused.err
    assert "'Something else stands here.' here" in refused.err
    assert f"{hers.sentences[0].text!r} in the file" in refused.err
    assert {item.status.value for item in items_of(place)} == {"pending"}
    rest = gapsmith("decide", "--csv", file, "--skip-changed")
    assert (rest.code, "left out, because they have other texts here: 1" in rest.err) == (0, True)
    assert [item.label for item in items_of(place) if item.status.value == "excluded"] == ["2-2"]


def test_a_sentence_says_which_item_is_meant_as_well(gapsmith: Run, merged: tuple[Path, Path, list[StoredItem]]) -> None:
    place, _, theirs = merged
    text = theirs[1].sentences[0].text
    gapsmith("dataset", "rename", "generated", "both")
    mine = write_rows(place / "mine.csv", [{"item": "2-2", "sentence": text, "decision": "flag"}])
    assert gapsmith("decide", "--csv", mine, "--by", "ann").code == 0
    assert [i.label for i in items_of(place) if i.status.value == "flagged"] == ["2-2"]
    write_rows(mine, [{"item": "2", "sentence": text, "decision": "flag"}])
    refused = gapsmith("decide", "--csv", mine, "--by", "ann")
    assert (refused.code, "item '2' has other texts here" in refused.err, f"{text!r} in the file" in refused.err) == (
        2,
        True,
        True,
    )


def test_all_that_is_written_of_decisions_and_judgements_is_read_again(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "4", "--seed", "1")
    shutil.copy(tmp_path / "bank.sqlite", tmp_path / "empty.sqlite")
    gapsmith("decide", "exclude", "1", "--by", "ann", "-r", "unnatural", "--comment", "hm, well")
    gapsmith("decide", "flag", "2", "--by", "ben")
    items = items_of(tmp_path)
    condition = items[0].sentences[0].condition
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        bank.decisions.decide([items[2].id], Verdict.APPROVE, author="policy:clean", kind="policy")
        bank.decisions.decide([items[1].id], Verdict.APPROVE, author="cat", kind="adjudication")
        bank.decisions.judge(items[0].id, condition, "5", author="ann", points=7, seconds=1.5, alone=True)
        bank.decisions.judge(items[1].id, condition, "?", author="ann")
    before = [(item.status, item.reason) for item in items_of(tmp_path)]
    files = {
        "annotations.csv": ("annotations", "decisions", "--by", "ann", "--look"),
        "standing.csv": ("export", "decisions", "-p", "embedded_wh", "--all"),
        "judgements.csv": ("annotations", "judgements", "--by", "ann", "--look"),
    }
    for name, command in files.items():
        done = gapsmith(*command)
        assert done.code == 0, done.err
        (tmp_path / name).write_text(done.out, encoding="utf-8")
    written = (tmp_path / "judgements.csv").read_text(encoding="utf-8")
    for name in ("annotations.csv", "standing.csv"):
        shutil.copy(tmp_path / "empty.sqlite", tmp_path / "bank.sqlite")
        done = gapsmith("decide", "--csv", name)
        assert done.code == 0, done.err
        assert [(item.status, item.reason) for item in items_of(tmp_path)] == before, name
        kinds = {
            (row["author"], row["kind"], row["opened"])
            for row in rows_of(gapsmith("annotations", "decisions", "--by", "ann", "--look").out)
        }
        assert kinds >= {("ann", "file", "unknown"), ("policy:clean", "policy", "no"), ("cat", "adjudication", "no")}
    done = gapsmith("decide", "--csv", "judgements.csv")
    assert (done.code, "judged 2 sentences" in done.err) == (0, True), done.err
    now = rows_of(gapsmith("annotations", "judgements", "--by", "ann", "--look").out)
    assert [row | {"at": ""} for row in now] == [row | {"at": ""} for row in rows_of(written)]
    (tmp_path / "odd.csv").write_text("item,decision,mood\n1,approve,good\n", encoding="utf-8")
    assert "unknown column 'mood'" in gapsmith("decide", "--csv", "odd.csv").err


def test_a_file_of_known_verdicts_goes_by_the_same_names(gapsmith: Run, merged: tuple[Path, Path, list[StoredItem]]) -> None:
    place, file, theirs = merged
    bare = write_rows(place / "bare.csv", [{"item": "1", "decision": "approve"}])
    refused = gapsmith("assign", "--to", "ann", "--known", bare)
    assert (refused.code, "--our-ids" in refused.err) == (2, True)
    assert gapsmith("assign", "--to", "ann", "--overlap", "0", "--known", file, "--by", "lea").code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        known = {bank.items.get(item_id).uid for item_id in bank.assignments.known_verdicts()}
    assert known == {item.uid for item in theirs}


ROUND_TRIPS = ("csv", "region_columns", "region_rows", "suite", "slots", "blimp", "pair_table", "condition_columns", "json")


@pytest.mark.parametrize("kind", ROUND_TRIPS)
def test_an_update_finds_items_by_their_names_in_every_format(gapsmith: Run, tmp_path: Path, kind: str) -> None:
    assert set(ROUND_TRIPS) == set(ON_REQUEST)
    if kind in ("blimp", "pair_table"):
        (tmp_path / "pairs.jsonl").write_text(PAIRS, encoding="utf-8")
        gapsmith("import", "pairs.jsonl")
    else:
        gapsmith("generate", "embedded_wh", "-n", "3", "--seed", "1")
    first = items_of(tmp_path)[0]
    word = "boy" if kind in ("blimp", "pair_table") else (first.slots or {})["matrix"].split()[0]
    path = tmp_path / {"suite": "back.json", "slots": "back.jsonl", "blimp": "back.jsonl"}.get(kind, "back.csv")
    out = gapsmith("export", kind, "--all", "--ids", "-o", path)
    assert out.code == 0, out.err
    text = path.read_text(encoding="utf-8")
    target = ("-p", first.paradigm, "-d", first.dataset, "--update")
    edited = text.replace(word, "man" if word == "boy" else "Nobody")
    assert edited != text
    path.write_text(edited, encoding="utf-8")
    done = gapsmith("import", path, *target)
    assert done.code == 0, done.err
    now = items_of(tmp_path)
    assert len(now) == 3, "no item is new"
    assert now[0].uid == first.uid
    assert now[0].revision_number == 2
    assert not set(NAMING) & set(now[0].attributes)
    # The file is about the texts from before: whoever wrote it did not know those that are here now.
    path.write_text(text.replace(word, "woman" if word == "boy" else "Somebody"), encoding="utf-8")
    refused = gapsmith("import", path, *target)
    assert refused.code == 2
    assert "has other texts here" in refused.err
    assert [item.revision_number for item in items_of(tmp_path)] == [item.revision_number for item in now]


def test_an_id_that_was_given_here_is_not_enough_for_an_update(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "2", "--seed", "1")
    gapsmith("init", "hers")
    gapsmith("generate", "embedded_wh", "-n", "2", "--seed", "7", "-w", "hers")
    path = tmp_path / "hers.csv"
    gapsmith("export", "csv", "--all", "-w", "hers", "-o", path)
    target = ("import", path, "-p", "embedded_wh", "-d", "generated", "--update")
    refused = gapsmith(*target)
    assert refused.code == 2
    assert "hers.csv, line 2: item '1' is named by its id alone, the ids of generated were given here" in refused.err
    assert "--our-ids" in refused.err
    assert {item.revision_number for item in items_of(tmp_path)} == {1}
    with api.open_workspace(tmp_path) as study, pytest.raises(ConfigError, match="by its id alone"):
        api.import_file(study, path, paradigm="embedded_wh", dataset="generated", update=True)
    assert gapsmith(*target, "--our-ids").code == 0
    assert {item.revision_number for item in items_of(tmp_path)} == {2}


def test_ids_that_two_banks_have_given_in_one_data_set_are_not_enough_for_an_update(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(PAIRS, encoding="utf-8")
    gapsmith("import", "pairs.jsonl")
    gapsmith("init", "hers")
    (tmp_path / "hers" / "pairs.jsonl").write_text(PAIRS.replace("is", "was").replace("are", "were"), encoding="utf-8")
    gapsmith("import", "hers/pairs.jsonl", "-w", "hers")
    assert gapsmith("bank", "merge", "hers/bank.sqlite").code == 0
    (tmp_path / "pairs.jsonl").write_text(PAIRS.replace("here", "there"), encoding="utf-8")
    refused = gapsmith("import", "pairs.jsonl", "--update")
    assert (refused.code, "two banks have met in this data set" in refused.err) == (2, True), refused.err
    assert gapsmith("import", "pairs.jsonl", "--update", "--our-ids").code == 0


def test_scores_find_their_items_by_name(gapsmith: Run, merged: tuple[Path, Path, list[StoredItem]]) -> None:
    place, _, theirs = merged
    rows = [
        {"item": item.label, "condition": s.condition, "region": span.name, "surprisal_bits": 3, **naming(item)}
        for item in theirs
        for s in item.sentences
        for span in s.regions or ()
    ]
    bare = write_rows(place / "bare.csv", [{k: v for k, v in row.items() if k not in NAMING} for row in rows])
    refused = gapsmith("import-scores", bare, "--model", "theirs")
    assert (refused.code, "item '1' is named by its id alone" in refused.err) == (2, True)
    named = write_rows(place / "named.csv", rows)
    done = gapsmith("import-scores", named, "--model", "theirs")
    assert done.code == 0, done.err
    with Bank.open(place / "bank.sqlite") as bank:
        (scorer,) = bank.scores.scorers()
        texts = {s.text for item in items_of(place) for s in item.sentences}
        missing = set(bank.scores.missing(scorer.id, list(texts)))
    assert missing == texts - {s.text for item in theirs for s in item.sentences}
    edit(place, item_of(place, "2-2", "generated"), "Something else stands here.")
    refused = gapsmith("import-scores", named, "--model", "again")
    assert refused.code == 2
    assert "item '2', called '2-2' here, has other texts here" in refused.err


def test_tokens_that_went_out_come_back_to_the_same_items(gapsmith: Run, filled: Path) -> None:
    out = gapsmith("export", "tokens", "-p", "embedded_wh", "--all", "--model", "one").out
    (filled / "tokens.csv").write_text(out, encoding="utf-8")
    done = gapsmith("import-scores", "tokens.csv", "--model", "back", "--unit", "bits")
    assert done.code == 0, done.err
    back = rows_of(gapsmith("export", "tokens", "-p", "embedded_wh", "--all", "--model", "back").out)
    assert [row["surprisal"] for row in back] == [row["surprisal"] for row in rows_of(out)]
