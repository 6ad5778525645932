"""What a stranger's file does not say is never made up, at any door: pairs and their order, whose items they are, and that
answers of people are sentences. The doors are found by walking the program; a new one has to be listed here."""

from __future__ import annotations

import ast
import csv
import inspect
import io
import json
import os
import pty
import re
import time
import typing
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gapsmith as api
from gapsmith.bank import Bank, ItemFilter
from gapsmith.bank.formats.xlsx import write_xlsx
from gapsmith.templates.errors import GapsmithError
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands
from tests.making import made_tokens
from tests.parts import first_of
from tests.printed import result, results
from tests.processes import PATIENCE_S, Program, is_readable
from tests.rooms import ROOMS, ROOT, trees_of, walked

Run = Callable[..., CommandOutcome]
SAMPLES = ROOT.parent / "shared" / "data" / "formats"

# ---- files of strangers

FOUR = [
    "The nurse knew what the tailor mended before lunch.",
    "The nurse knew that the tailor mended before lunch.",
    "The nurse knew what the tailor mended the coat before lunch.",
    "The nurse knew that the tailor mended the coat before lunch.",
    "My uncle saw what Olga fixed after the storm.",
    "My uncle saw that Olga fixed after the storm.",
    "My uncle saw what Olga fixed the radio after the storm.",
    "My uncle saw that Olga fixed the radio after the storm.",
]
PAIRS = [
    "The keys to the old cabinet is on the table.",
    "The keys to the old cabinet are on the table.",
    "Nobody thinks that Mary have left early.",
    "Nobody thinks that Mary has left early.",
    "Which song did the twins sings?",
    "Which song did the twins sing?",
    "She was seen steal the bicycle.",
    "She was seen to steal the bicycle.",
]


def lines(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def table(*rows: str) -> str:
    return lines(list(rows))


def columns(texts: list[str], sign: str = "\t") -> str:
    return lines([f"{one}{sign}{other}" for one, other in zip(texts[::2], texts[1::2], strict=True)])


PCIBEX = table(
    "# Results on 03 Feb 2026 09:00:00",
    "# USER AGENT: Browser",
    "# 1. Results reception time.",
    "# 2. MD5 hash of participant's IP address.",
    "177,ab12,PennController,3,0,experiment,NULL,Scale,rating,Choice,6,178,1,gap,NULL",
)
JSPSYCH = [
    {"trial_type": "html-slider-response", "trial_index": 1, "stimulus": "A cat sat.", "rt": 801, "response": 5},
    {"trial_type": "html-slider-response", "trial_index": 2, "stimulus": "A cat sit.", "rt": 640, "response": 2},
]

REFUSED: dict[str, tuple[str, str]] = {
    # Plain lines that are no pairs.
    "four_lines.txt": (
        lines(FOUR),
        "alike in groups of 4, as if an item had 4 sentences",
    ),
    "one_item.txt": (lines(FOUR[:4]), "as if an item had more than two sentences"),
    "six_lines.txt": (
        lines(
            [
                f"{who} knew {c} the {x} hid {y}."
                for who, x in (("Ann", "tailor"), ("Bob", "sailor"))
                for c in ("what", "that")
                for y in ("today", "the coat today", "it today")
            ]
        ),
        "as if an item had 6 sentences",
    ),
    "three_lines.txt": (
        lines(
            [
                f"{who} knew {c} the {x} hid it."
                for who, x in (("Ann", "tailor"), ("My uncle", "sailor"))
                for c in ("what", "that", "whether")
            ]
        ),
        "as if an item had 3 sentences",
    ),
    "blocks.txt": (
        "\n".join(lines(FOUR[:n]) for n in (4, 4, 3)),
        "most items have 4 lines between blank ones, and the one that begins here has 3",
    ),
    "users.txt": (
        table(
            "root:x:0:0:root:/root:/bin/bash",
            "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin",
            "bin:x:2:2:bin:/bin:/usr/sbin/nologin",
            "sync:x:4:65534:sync:/bin:/bin/sync",
        ),
        "plain lines, and no minimal pairs",
    ),
    "names.txt": (table("Anna Smith", "Bob Jones", "Carla Diaz", "Dora Novak"), "plain lines, and no minimal pairs"),
    "words.txt": (table("boy", "boys", "girl", "girls"), "plain lines, and no minimal pairs: 0 of 2 pairs"),
    "prose.txt": (
        table(
            "It rained all day, and nobody came.",
            "In the evening a letter was found under the door.",
            "She read it twice.",
            "Then she put on her coat and left.",
        ),
        "plain lines, and no minimal pairs: 0 of 2 pairs",
    ),
    "primer.txt": (
        table("The cat sat on the mat.", "The dog sat on the mat.", "The cow sat on the mat.", "The pig sat on the mat."),
        "as if an item had more than two sentences",
    ),
    "shuffled.txt": (lines([PAIRS[n] for n in (0, 3, 5, 1, 2, 7, 6, 4)]), "plain lines, and no minimal pairs: 0 of 4"),
    "shifted.txt": (lines(["A heading of the list", *PAIRS[:-1]]), "plain lines, and no minimal pairs: 0 of 4"),
    "doubled.txt": (lines([PAIRS[n] for n in (0, 0, 2, 2)]), "plain lines, and no minimal pairs: 0 of 2"),
    "one_line.txt": ("The keys are on the table.\n", "holds one line, and no table"),
    "numbered.txt": (lines([f"{n}. {text}" for n, text in enumerate(PAIRS, 1)]), "begin with 1., 2., 3., 4. …"),
    "bullets.txt": (lines([f"* {text}" for text in PAIRS]), "begin with *"),
    "notes": (table("Buy milk and eggs", "Call the dentist", "Water the plants", "Book a train"), "no minimal pairs"),
    # Two columns that are no pairs.
    "dictionary.tsv": (
        table("dog\tan animal that barks.", "cat\tan animal that purrs."),
        "two columns, but no minimal pairs",
    ),
    "authors.csv": (table("Anna Smith,Who came first", "Bob Jones,What was lost"), "two columns, but no minimal pairs"),
    "quiz.csv": (
        table("question,correct,incorrect", "Who barked?,the dog,a fish", "Who swam?,my fish,his cat"),
        "two columns, but no minimal pairs",
    ),
    "labelled.tsv": (
        table("correct\tincorrect", f"B:{PAIRS[1]}\tA:{PAIRS[0]}", f"A:{PAIRS[3]}\tB:{PAIRS[2]}"),
        "begin with B:, A:",
    ),
    # Pairs that do not say which is good.
    "pairs.txt": (lines(PAIRS), "nothing in it says which sentence of a pair is the good one"),
    "spaced_pairs.txt": (
        "\n".join(lines(PAIRS[n : n + 2]) for n in (0, 2, 4)),
        "which sentence of a pair is the good one",
    ),
    "unequal_pairs.txt": (
        table(
            "Nobody has ever seen it.",
            "Somebody from the far north has ever seen it.",
            "A boy slept.",
            "A boy of twelve slept the cat.",
            "Which is mine?",
            "Which one of them is mine?",
        ),
        "plain lines, and no minimal pairs: 1 of 3 pairs",
    ),
    "two_columns.tsv": (columns(PAIRS), "which sentence of a pair is the good one"),
    "two_columns.csv": (
        columns([text.replace(",", "") for text in PAIRS], ","),
        "which sentence of a pair is the good one",
    ),
    "unknown_headings.tsv": (f"left one\tright one\n{columns(PAIRS)}", "the first row looks like headings"),
    # What people answered.
    "responses.csv": (table("participant,item,condition,response,rt", "p1,1,a,6,803", "p2,2,b,2,640"), "participant"),
    "long.csv": (table("item,condition,position,response,rt", "1,a,1,6,803", "2,b,2,2,640"), "response"),
    "with_sentences.csv": (
        table("Subject,item,condition,sentence,rating", "1,1,a,A cat sat.,6", "2,1,a,A cat sat.,2"),
        "Subject",
    ),
    "people_only.csv": (
        table("item,condition,sentence,participant", "1,a,A cat sat.,ann", "1,a,A cat sat.,ben"),
        "participant",
    ),
    "self_paced.csv": (
        table("subj,item,condition,region_number,content,RT", "s1,1,a,1,A cat,310", "s1,1,a,2,sat.,280"),
        "subj",
    ),
    "forced_choice.jsonl": (
        json.dumps({"sentence_good": PAIRS[1], "sentence_bad": PAIRS[0], "worker_id": "w7", "choice": "good"}) + "\n",
        "worker_id",
    ),
    "jspsych.json": (json.dumps(JSPSYCH), "trial_type"),
    "jspsych_nested.json": (json.dumps([JSPSYCH, JSPSYCH]), "trial_type"),
    "jspsych.jsonl": (lines([json.dumps(trial) for trial in JSPSYCH]), "trial_type"),
    "jspsych.csv": (
        table("trial_type,trial_index,item,condition,np,response", "slider,1,1,a,A cat,5", "slider,2,1,b,Cats,4"),
        "trial_type",
    ),
    "pcibex.csv": (PCIBEX, "the comments of PCIbex"),
    "pcibex.txt": (PCIBEX, "the comments of PCIbex"),
    "pcibex_headed.csv": (
        table(
            "Results reception time,MD5 hash of participant's IP address,Controller name,item,condition,Value",
            "177,ab12,PennController,1,gap,6",
        ),
        "MD5 hash of participant's IP address",
    ),
    "qualtrics.csv": (
        table(
            "StartDate,EndDate,Status,IPAddress,Progress,Duration (in seconds),Finished,ResponseId,Q1,Q2",
            "2026-01-01,2026-01-01,0,1.2.3.4,100,300,1,R_1,5,2",
        ),
        "ResponseId",
    ),
    "gorilla.csv": (
        table(
            "Event Index,UTC Timestamp,Participant Private ID,Trial Number,Zone Name,Reaction Time,Response",
            "1,177,99,1,slider,801,5",
        ),
        "Participant Private ID",
    ),
    "psychopy.csv": (
        table("item,condition,sentence,key_resp.keys,key_resp.rt,participant", "1,a,A cat sat.,y,0.8,3"),
        "key_resp.rt",
    ),
    "surprisals.csv": (
        table("item,condition,model,number,word,surprisal", "1,a,gpt2,1,A,7.2", "1,a,gpt2,2,cat,9.1"),
        "what a model computed, not sentences: its columns are surprisal and word",
    ),
    "turk.csv": (table("HITId,Input.sentence,Answer.choice", "h1,A cat sat.,yes", "h2,A cat sit.,no"), "Answer.choice"),
    "verdicts.csv": (table("item,annotator,condition,sentence,verdict", "1,ann,a,A cat sat.,approve"), "annotator"),
    "verdicts_alone.csv": (table("item,condition,verdict,by", "1,a,approve,ann"), "whether the column 'verdict'"),
    "prolific.csv": (
        table("Submission id,Participant id,Status,Started at,Completed at,Time taken", "65,p1,OK,1,2,3"),
        "Participant id",
    ),
    "answers_alone.csv": (
        table("item,condition,np,response", "1,a,A cat,yes", "1,b,Cats,no"),
        "whether the column 'response'",
    ),
}
"""Files that no door takes as they are, with what is said, one way or another."""

HEADED = {
    "acceptable.csv": "acceptable\tunacceptable".replace("\t", ","),
    "reversed.tsv": "ungrammatical\tgrammatical",
    "sentences.tsv": "sentence_good\tsentence_bad",
}


# ---- doors

DOORS: dict[str, tuple[str, ...]] = {
    "import": ("file",),
    "audit": ("file",),
    "paradigm draft": ("file",),
    "export": ("fillers",),
}
"""Commands that take a stranger's sentences, and where."""
OTHER_FILES: dict[str, tuple[str, ...]] = {
    "dataset recognise": ("folder",),
    "paradigm new": ("out",),
    "import": ("mapping", "save_mapping"),
    "init": ("directory",),
    "demo": ("directory",),
    "paradigm draft": ("out", "mapping"),
    "prompt copy": ("target",),
    "generate": ("prices",),
    "lint": ("prices",),
    "runs watch": ("prices",),
    "bank check": ("file", "report"),
    "bank backup": ("to",),
    "bank restore": ("file",),
    "bank log": ("file",),
    "bank merge": ("sources",),
    "audit": ("out", "mapping"),
    "assign": ("known",),
    "packet take": ("file", "judge"),
    "decide": ("csv",),
    "context draw": ("text",),
    "context add": ("file",),
    "context study": ("text", "out"),
    "import-scores": ("file",),
    "analyze": ("unigram", "kinds"),
    "power": ("out", "kinds"),
    "licensing": ("unigram", "counts", "out"),
    "count-constructions": ("files",),
    "report": ("out", "unigram", "kinds"),
    "publish": ("out", "unigram", "citation"),
    "posh": ("counts", "grid", "out"),
    "reproduce": ("out", "record"),
    "export": ("out", "unigram", "citation"),
    "judge new": ("file",),
    "judge results": ("csv", "file"),
    "lab": ("out",),
    "packet make": ("file", "judge"),
    "review": ("study",),
    "model convert": ("checkpoint", "vocabulary", "out"),
    "train corpus": ("out",),
    "train audit": ("corpus", "out", "answers"),
    "train counts": ("corpora",),
    "train lm": ("corpora", "out", "valid"),
    "train grid": ("file", "out"),
    "train parser": ("treebank", "out"),
}
"""Files of commands that are no items: what is written, banks, decisions, scores, contexts, text to count or train on."""
STEPS = {
    "read_foreign": {"bank/importing.py", "app/auditing.py", "app/stages/drafting.py", "app/exporting.py"},
    "choose_paradigm": {"bank/importing.py"},
    "new_items": {"bank/importing.py"},
    "keep_items": {"bank/importing.py"},
    "bring_in": {"app/stages/importing_items.py", "app/stages/recognising.py"},
}
"""Modules that take a step of a file's way, or all of them; each is behind one of the doors."""


def test_every_command_that_takes_a_file_is_a_door_or_said_to_be_none() -> None:
    files = {}
    for name, command in commands().items():
        hints = typing.get_type_hints(inspect.unwrap(command.callback))
        taken = {where for where, kind in hints.items() if "Path" in str(kind) and where not in ("workspace", "return")}
        if taken:
            files[name] = taken
    known = {name: {*DOORS.get(name, ()), *OTHER_FILES.get(name, ())} for name in {**DOORS, **OTHER_FILES}}
    assert files == known


def test_every_function_of_the_python_interface_that_takes_a_file_is_a_door_or_said_to_be_none() -> None:
    taken = set()
    for name in dir(api):
        thing = getattr(api, name)
        if inspect.isfunction(thing):
            said = inspect.signature(thing).parameters.items()
            taken |= {(name, where) for where, one in said if "Path" in str(one.annotation)}
    none = {("open_workspace", "start"), ("load_paradigm", "workspace"), ("frame", "unigram"), ("analyze", "unigram")}
    none |= {("report", "out"), ("report", "unigram"), ("export", "out"), ("generate", "prices"), ("power", "out")}
    none |= {(name, "kinds") for name in ("analyze", "report", "power")}
    none |= {("convert_model", where) for where in ("checkpoint", "vocabulary", "out")} | {("check_bank", "report")}
    none |= {("publish", where) for where in ("out", "unigram", "citation")}
    none |= {(name, "unigram") for name in ("export", "licensing")} | {("export", "citation"), ("export", "fillers")}
    none |= {(name, where) for name in ("licensing", "posh") for where in ("counts", "out")} | {
        ("count_constructions", "files"),
        ("posh", "grid"),
    }
    none |= {
        ("reproduce", "out"),
        ("reproduce", "record"),
        ("draw_contexts", "text"),
        ("study_contexts", "text"),
        ("study_contexts", "out"),
    }
    folders = ("list_paradigms", "show_paradigm", "check_paradigm", "list_prompts", "show_prompt", "copy_prompt", "doctor")
    none |= {(name, "source") for name in (*folders, "check_bank", "back_up_bank", "restore_bank")}
    none |= {("make_workspace", "directory"), ("copy_prompt", "target"), ("add_contexts", "file")}
    none |= {
        (f"{name}_bank", where) for name, where in (("check", "file"), ("back_up", "to"), ("restore", "file"), ("log", "file"))
    }
    none |= {("decide", "csv"), ("import_scores", "file")}
    none |= {("decide", "csv"), ("import_scores", "file"), ("import_file", "save_mapping")}
    none |= {("recognise_datasets", "folder"), ("new_paradigm", "out")}
    none |= {(name, "mapping") for name in ("import_file", "draft_paradigm", "audit")}
    none |= {
        ("decide", "csv"),
        ("import_scores", "file"),
        ("assign", "known"),
        ("make_packet", "file"),
        ("take_packet", "file"),
        ("merge_banks", "sources"),
    }
    none |= {(f"train_{kind}", "out") for kind in ("corpus", "lm", "parser")} | {("train_parser", "treebank")}
    none |= {("train_lm", own) for own in ("source", "corpora", "valid")}
    none |= {("train_audit", own) for own in ("corpus", "out", "answers")} | {("train_counts", "corpora")}
    none |= {("train_grid", own) for own in ("source", "file", "out")}
    none |= {(name, "unigram") for name in ("export", "licensing")} | {("export", "citation"), ("export", "fillers")}
    none |= {(name, where) for name in ("licensing", "posh") for where in ("counts", "out")} | {
        ("count_constructions", "files"),
        ("posh", "grid"),
    }
    none |= {("draw_contexts", "text"), ("study_contexts", "text"), ("study_contexts", "out")}
    none |= {("runs_watch", "prices"), ("lint", "prices"), ("audit", "out")}
    none |= {
        ("draft_paradigm", "out"),
        ("lab", "out"),
        ("new_judging", "file"),
        ("make_packet", "judge"),
        ("take_packet", "judge"),
    }
    none |= {("judging_results", where) for where in ("file", "csv")}
    assert taken == none | {("draft_paradigm", "file"), ("import_file", "file"), ("audit", "file")}


def test_every_step_of_a_files_way_is_taken_behind_a_door() -> None:
    found: dict[str, set[str]] = {step: set() for step in STEPS}
    for name, tree in trees_of(*ROOMS, "tools"):
        for node in walked(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in STEPS:
                found[node.func.id].add(name)
    assert found == STEPS


def _python(*, update: bool = False) -> Callable[[Run, str], CommandOutcome]:
    """The door of the Python interface, as a command would be."""

    def call(_: Run, name: str) -> CommandOutcome:
        with api.open_workspace("ws", create=True) as workspace:
            try:
                api.import_file(workspace, name, update=update, dataset="there")
            except GapsmithError as error:
                return CommandOutcome(error.exit_code, "", str(error))
        return CommandOutcome(0, "", "")

    return call


def _command(*arguments: str) -> Callable[[Run, str], CommandOutcome]:
    return lambda gapsmith, name: gapsmith(*(name if word == "FILE" else word for word in arguments))


WAYS: dict[str, Callable[[Run, str], CommandOutcome]] = {
    "import": _command("import", "FILE", "-w", "ws"),
    "import --paradigm": _command("import", "FILE", "-w", "ws", "-p", "subject_pg"),
    "import --update": _command("import", "FILE", "-w", "ws", "-d", "there", "--update"),
    "audit": _command("audit", "FILE", "-o", "made.html"),
    "paradigm draft": _command("paradigm", "draft", "FILE", "-o", "made.toml"),
    "export": _command("export", "pcibex", "-w", "ws", "--all", "--fillers", "FILE", "-o", "made.csv"),
    "import_file": _python(),
    "import_file(update=True)": _python(update=True),
}


def test_all_doors_are_tried() -> None:
    assert {way.partition(" -")[0].partition("(")[0] for way in WAYS} == {*DOORS, "import_file"}


def _workspace(gapsmith: Run) -> None:
    """A workspace with one data set."""
    Path("there.csv").write_text(table("item,condition,sentence", "1,a,A cat sat.", "1,b,A cat sit."))
    assert gapsmith("init", "ws").code == 0
    assert gapsmith("import", "there.csv", "-w", "ws").code == 0
    Path("there.csv").unlink()


def _kept() -> list[tuple[str, str]]:
    with Bank.open(Path("ws") / "bank.sqlite") as bank:
        return [(item.dataset, s.text) for item in bank.items.iterate(ItemFilter()) for s in item.sentences]


@pytest.mark.parametrize("part", first_of(range(4)))
@pytest.mark.parametrize("way", WAYS)
def test_no_door_takes_what_is_no_set_or_does_not_say_what_is_good(gapsmith: Run, tmp_path: Path, way: str, part: int) -> None:
    """A quarter of the files at a door, another one at the next, so that each file is tried at two doors at least."""
    files = [one for number, one in enumerate(REFUSED.items()) if (number + list(WAYS).index(way)) % 4 == part]
    _workspace(gapsmith)
    before = _kept()
    drafts = sorted(path.name for path in Path("ws").rglob("*.toml"))
    for name, (content, says) in files:
        (tmp_path / name).write_text(content, encoding="utf-8")
        done = WAYS[way](gapsmith, name)
        told = " ".join(done.err.split())
        assert done.code == 2, (name, done.out, told)
        assert says in told, (name, told)
        assert re.search(r"Nothing was (imported|written)|No page was written", told), (name, told)
    assert _kept() == before
    assert sorted(path.name for path in Path("ws").rglob("*.toml")) == drafts
    assert [path.name for path in tmp_path.glob("made*")] == []


def test_the_same_tables_are_refused_in_a_spreadsheet(gapsmith: Run, tmp_path: Path) -> None:
    for name, (content, says) in REFUSED.items():
        if not name.endswith((".csv", ".tsv")) or name.startswith("pcibex."):
            continue
        sign = "\t" if name.endswith(".tsv") else ","
        write_xlsx(tmp_path / "book.xlsx", list(csv.reader(io.StringIO(content), delimiter=sign)))
        done = gapsmith("import", "book.xlsx")
        assert (done.code, says in " ".join(done.err.split())) == (2, True), (name, done.err)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample files are not beside the checkout")
@pytest.mark.parametrize("command", ["import", "audit", "paradigm draft"])
def test_the_samples_that_are_no_stimuli_are_refused(gapsmith: Run, command: str) -> None:
    for name, says in (
        ("responses_jspsych.json", "in which trial (trial_type, trial_index)"),
        ("responses_long.csv", "who answered (participant)"),
        ("responses_pcibex.csv", "the comments of PCIbex"),
        ("prolific_export.csv", "who answered (Submission id, Participant id)"),
        ("four_lines_an_item.txt", "--per-item 4"),
        ("prefixed_pairs.tsv", "begin with B:, A:"),
        ("two_lines_bad_good.txt", "--first good or --first bad"),
        ("two_columns.tsv", "--first good or --first bad"),
    ):
        done = gapsmith(*command.split(), SAMPLES / name)
        assert (done.code, says in done.err) == (2, True), (name, done.err)


# ---- what comes in, and as what


def test_headings_tell_which_member_is_good_and_nobody_has_to(gapsmith: Run, tmp_path: Path) -> None:
    for name, heading in HEADED.items():
        sign = "," if name.endswith(".csv") else "\t"
        bad_first = heading.startswith("un")
        texts = PAIRS if bad_first else [text for n in range(0, 8, 2) for text in (PAIRS[n + 1], PAIRS[n])]
        (tmp_path / name).write_text(f"{heading}\n{columns(texts, sign)}")
        done = gapsmith("import", name, "--json")
        assert done.code == 0, done.err
        assert result(done.out)["told"] == []
        with Bank.open(tmp_path / "bank.sqlite") as bank:
            items = list(bank.items.iterate(ItemFilter(dataset=Path(name).stem)))
        assert [[s.text for s in item.sentences if s.condition == "good"] for item in items] == [[one] for one in PAIRS[1::2]]


def test_stimuli_with_numbers_of_people_beside_them_come_in(gapsmith: Run, tmp_path: Path) -> None:
    """One column that answers have too makes no answers of sentences."""
    for name, content in (
        ("normed.csv", table("item,condition,sentence,rating", "1,a,A cat sat.,6.1", "1,b,A cat sit.,2.2")),
        ("times.csv", table("item,condition,region_number,content,rt", "1,a,1,A cat,310", "1,a,2,sat.,290")),
        ("subject.csv", table("item,condition,subject,verb,rating", "1,a,A cat,sat.,6", "1,b,A cat,sit.,2")),
        (
            "scored.csv",
            table("item,condition,sentence,word,surprisal", "1,a,A cat sat.,sat,9", "1,b,A cat sit.,sit,12"),
        ),
        ("lists.csv", table("group,item,condition,sentence,type", "A,1,a,A cat sat.,item", "B,1,b,A cat sit.,item")),
    ):
        (tmp_path / name).write_text(content)
        done = gapsmith("import", name)
        assert done.code == 0, done.err
    (tmp_path / "open.csv").write_text(REFUSED["answers_alone.csv"][0])
    assert gapsmith("import", "open.csv", "--attribute", "response", "-d", "attribute").code == 0
    assert gapsmith("import", "open.csv", "--region", "response", "-d", "region").code == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        texts = {d: next(bank.items.iterate(ItemFilter(dataset=d))).sentences[0].text for d in ("attribute", "region")}
    assert texts == {"attribute": "A cat", "region": "A cat yes"}


def test_what_was_said_of_pairs_stands_in_the_list_the_report_and_python(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(lines(PAIRS))
    told = "the first line of each pair is the bad member, as said with --first bad"
    done = gapsmith("import", "mine.txt", "--first", "bad", "--json")
    assert "4 of 4 pairs differ in a few words only" in done.err
    assert result(done.out)["told"] == [told]
    listed = results(gapsmith("dataset", "list", "--json").out)
    assert [(entry["name"], entry["told"]) for entry in listed] == [("mine", [told])]
    assert told in " ".join(gapsmith("dataset", "list").out.replace("│", " ").split())
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        scorer = bank.scores.register("made", "1", {"weights": "made", "dtype": "float32", "bos": "bos"})
        bank.scores.add(scorer, [made_tokens(text, [(0, len(text), 9.0)]) for text in PAIRS], block=bank.scores.block(scorer, {}))
    assert f"Of data set mine: {told}." in " ".join(gapsmith("analyze", "--all").out.split())
    assert gapsmith("report", "--all").code == 0
    for page in (tmp_path / "report").glob("report.*"):
        assert told in page.read_text(encoding="utf-8"), page
    assert gapsmith("audit", "mine.txt", "--first", "bad").code == 0
    assert told in (tmp_path / "mine.txt.audit.html").read_text(encoding="utf-8")
    # What a second file was told is listed too, and which of them; renamed or not.
    (tmp_path / "more.tsv").write_text(columns([PAIRS[1].replace("keys", "pens"), PAIRS[0].replace("keys", "pens")]))
    assert gapsmith("dataset", "rename", "mine", "ours", "--by", "ann").code == 0
    with api.open_workspace(tmp_path) as workspace:
        with pytest.raises(GapsmithError, match="already has an item '1'"):
            api.import_file(workspace, "more.tsv", dataset="ours", first="good")
        brought = api.import_file(workspace, "more.tsv", dataset="ours", first="good", update=True)
        assert "the first column is the good member, as said with --first good" in brought.notes
    (entry,) = results(gapsmith("dataset", "list", "--json").out)
    assert entry["told"] == [
        f"mine.txt: {told}",
        "more.tsv: the first column is the good member, as said with --first good",
    ]


def test_pairs_may_be_said_to_be_some_and_go_out_with_their_order(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "four.txt").write_text(lines(FOUR))
    # That the good one comes first does not say that there are two.
    assert gapsmith("import", "four.txt", "--first", "good").code == 2
    done = gapsmith("import", "four.txt", "--first", "good", "--format", "pair_lines")
    assert (done.code, "4 of 4 pairs differ in a few words only" in done.err) == (0, True)
    back = gapsmith("export", "pair_lines", "--all", "-o", "back.txt")
    assert "the first line of each pair is the good member; whoever reads the file has to be told: --first good" in back.err
    assert (tmp_path / "back.txt").read_text() == lines(FOUR)


def test_at_a_terminal_somebody_is_asked_and_the_answer_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "mine.txt").write_text(lines(PAIRS))
    for answer, told in (("", None), ("neither\nbad", "as answered when asked")):
        leader, follower = pty.openpty()
        with Program("import", "mine.txt", folder=folder, terminal=os.ttyname(follower)) as program:
            seen = b""
            deadline = time.monotonic() + PATIENCE_S
            while b"good / bad?" not in seen and time.monotonic() < deadline:
                if is_readable(leader, 0.1):
                    seen += os.read(leader, 65536)
            assert f"the first line: {PAIRS[0]}".encode() in seen
            os.write(leader, f"{answer}\n".encode())
            while program.poll() is None and time.monotonic() < deadline:
                if is_readable(leader, 0.1):
                    seen += os.read(leader, 65536)
            assert program.wait() == (0 if told else 2), seen
        os.close(leader)
        os.close(follower)
        assert (folder / "bank.sqlite").exists() is (told is not None)
    with Bank.open(folder / "bank.sqlite") as bank:
        (dataset,) = bank.datasets.all()
        assert bank.datasets.told(dataset) == ("the first line of each pair is the bad member, as answered when asked",)
        assert [s.text for s in next(bank.items.iterate(ItemFilter())).sentences] == [PAIRS[1], PAIRS[0]]


def test_what_earlier_releases_took_for_granted_is_listed_as_such(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(lines(PAIRS))
    assert gapsmith("import", "mine.txt", "--first", "bad").code == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank, bank.transaction():
        # As b630b51 kept it.
        bank.db.execute("UPDATE dataset SET meta = json_remove(meta, '$.file.told')")
        bank.db.execute("UPDATE run SET parameters = json_remove(parameters, '$.told', '$.data_set', '$.first')")
    (entry,) = results(gapsmith("dataset", "list", "--json").out)
    assert entry["told"] == ["the first line of each pair is the bad member, which nobody said"]


# ---- whose items they are

REGIONS = ("prefix", "comp", "subject", "verb", "object", "prep", "place")


def study(gap: str, *, thing: str = "the whistle", rows: int = 3, type: str | None = None) -> str:
    """A region table of a study, with its gap in one of the regions."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["item", "condition", *REGIONS, *(["sentence_type"] if type else [])])
    for item in range(1, rows + 1):
        for comp in ("what", "that"):
            for kind in ("gap", "nogap"):
                words = ["I know", comp, f"sailor {item}", "carved", thing, "beside", "the wall"]
                cells = dict(zip(REGIONS, words, strict=True)) | ({gap: ""} if kind == "gap" else {})
                writer.writerow([item, f"{comp}_{kind}", *cells.values(), *([type] if type else [])])
    return stream.getvalue()


def _homes(folder: Path) -> dict[str, str]:
    with Bank.open(folder / "bank.sqlite") as bank:
        return {dataset.name: dataset.paradigm for dataset in bank.datasets.all()}


def _bring(gapsmith: Run, door: str, name: str, **said: Any) -> CommandOutcome:
    """A file in by the command or by Python, with the same said of it."""
    if door == "command":
        given = [word for key, value in said.items() for word in (f"--{key}", *([] if value is True else [value]))]
        return gapsmith("import", name, *given)
    with api.open_workspace(Path.cwd(), create=True) as workspace, warnings.catch_warnings():
        # Of a draft that has to be completed.
        warnings.simplefilter("ignore", UserWarning)
        try:
            brought = api.import_file(workspace, name, **said)
        except GapsmithError as error:
            return CommandOutcome(error.exit_code, "", str(error))
    return CommandOutcome(0, "", "\n".join(brought.notes))


@pytest.mark.parametrize("door", ["command", "python"])
def test_tables_of_one_study_with_gaps_in_other_places_are_not_pooled(gapsmith: Run, tmp_path: Path, door: str) -> None:
    for name, gap in (("object", "object"), ("subject", "subject"), ("pp", "place")):
        (tmp_path / f"{name}.csv").write_text(study(gap))
    for name in ("object", "subject", "pp"):
        assert _bring(gapsmith, door, f"{name}.csv").code == 0
    assert _homes(tmp_path) == {"object": "object", "subject": "subject", "pp": "pp"}
    # Not even where somebody names it, or updates.
    for said in ({"paradigm": "object", "dataset": "x"}, {"dataset": "object", "update": True}):
        done = _bring(gapsmith, door, "subject.csv", **said)
        assert done.code == 2
        told = " ".join(done.err.split())
        assert "subject is empty in what_gap in 3 of 3 here and in 0 of 3 there" in told
        assert "import the file without --paradigm and --update" in told
    assert _homes(tmp_path) == {"object": "object", "subject": "subject", "pp": "pp"}


@pytest.mark.parametrize("door", ["command", "python"])
def test_a_draft_takes_a_file_that_agrees_where_it_is_named(gapsmith: Run, tmp_path: Path, door: str) -> None:
    (tmp_path / "first.csv").write_text(study("object"))
    (tmp_path / "second.csv").write_text(study("object", thing="the flute", rows=2))
    assert _bring(gapsmith, door, "first.csv").code == 0
    unnamed = _bring(gapsmith, door, "second.csv")
    said = "first has these conditions and regions too, and is taken only where it is named: --paradigm first"
    assert (unnamed.code, said in unnamed.err) == (0, True)
    assert _bring(gapsmith, door, "second.csv", paradigm="first", dataset="beside").code == 0
    assert _homes(tmp_path) == {"first": "first", "second": "second", "beside": "first"}
    # A corrected file goes into the data set that it is of, though another paradigm has its conditions too.
    (tmp_path / "first.csv").write_text(study("object", thing="a whistle"))
    refused = _bring(gapsmith, door, "first.csv")
    assert refused.code == 2
    assert "data set 'first' is there already, of first, which has the conditions and regions" in refused.err
    assert "--update" in refused.err
    assert _bring(gapsmith, door, "first.csv", update=True).code == 0
    assert _homes(tmp_path) == {"first": "first", "second": "second", "beside": "first"}


def test_a_column_that_names_a_draft_does_not_make_gaps_agree(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text(study("object", type="gaps"))
    (tmp_path / "other.csv").write_text(study("subject", type="gaps"))
    (tmp_path / "like.csv").write_text(study("object", thing="a flute", type="gaps"))
    assert gapsmith("import", "gaps.csv").code == 0
    done = gapsmith("import", "other.csv")
    assert "its gaps lie elsewhere than those of the items of gaps" in done.err
    done = gapsmith("import", "like.csv")
    assert "taken for items of gaps: as all rows say in the column sentence_type" in done.err
    assert _homes(tmp_path) == {"gaps": "gaps", "other": "other", "like": "gaps"}


def test_tables_whose_conditions_are_called_good_and_bad_are_no_pairs_of_all_files(gapsmith: Run, tmp_path: Path) -> None:
    for name, gap in (("object", "object"), ("subject", "subject")):
        content = study(gap).replace("what_gap", "good").replace("that_gap", "bad")
        rows = [row for row in content.splitlines() if "nogap" not in row]
        (tmp_path / f"{name}.csv").write_text(lines(rows))
        assert gapsmith("import", f"{name}.csv").code == 0
    assert _homes(tmp_path) == {"object": "object", "subject": "subject"}


def test_a_paradigm_of_ones_own_without_words_takes_what_it_is_named_for(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(study("object"))
    (tmp_path / "paradigms").mkdir()
    assert gapsmith("paradigm", "draft", "mine.csv", "--name", "own", "-o", "paradigms/own.toml").code == 0
    assert "--paradigm own" in gapsmith("import", "mine.csv").err
    assert gapsmith("import", "mine.csv", "-p", "own", "-d", "named").code == 0
    assert _homes(tmp_path) == {"mine": "mine", "named": "own"}
    # A file of some of its conditions comes in where it is named, and what it lacks is said.
    rows = [row for row in study("object", thing="a flute").splitlines() if "that_" not in row]
    (tmp_path / "half.csv").write_text(lines(rows))
    assert "the file has no sentence in that_gap, that_nogap of own" in gapsmith("import", "half.csv", "-p", "own").err


def test_a_shipped_paradigm_takes_a_file_that_reads_as_its_sentences_and_says_so(gapsmith: Run, tmp_path: Path) -> None:
    assert gapsmith("generate", "embedded_wh", "-n", "3", "--seed", "1").code == 0
    assert gapsmith("export", "region_columns", "--all", "-o", "back.csv").code == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "back.csv").read_text())))
    kind = rows[0].index("sentence_type") if "sentence_type" in rows[0] else None
    bare = [[cell for n, cell in enumerate(row) if n != kind] for row in rows]
    (tmp_path / "bare.csv").write_text(lines([",".join(row) for row in bare]))
    done = gapsmith("import", "bare.csv")
    assert re.search(r"taken for items of embedded_wh \(.*\): 3 of 3 items read as sentences of it", done.err), done.err
