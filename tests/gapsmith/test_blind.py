"""Nobody who is blind learns what others decided: every command, every format, every Python function, every reading method of the bank.

Two banks differ in nothing but what ann and cy said and did: verdicts, reasons, judgements, answers in a study, remarks, looks, who made an
edit, what was settled, which items a scorer has measured, which words a prompt was told of. Ben, who neither leads them nor has locked, asks
the same of both, and gets the same: texts, files and exit codes, but for times, digests of files with times in them, and what `TOTALS` and
`COPIES` name. The approved items of either bank have values and repeated words alike, so that this holds of what is computed, too."""

from __future__ import annotations

import csv
import inspect
import re
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import gapsmith as api
from gapsmith.app.exporting import formats
from gapsmith.app.requests.deciding import AskAnnotations
from gapsmith.app.stages.catalogue import STAGES, own_name
from gapsmith.bank import TEXT_DIGEST, Bank, BankError, ItemFilter, ItemStatus, Verdict, naming
from gapsmith.prompts.context import exclusions
from gapsmith.scoring.report import NUMBERS
from gapsmith.scoring.score_run import select_texts
from gapsmith.templates import Paradigm, load_paradigm, realise, sample
from gapsmith.vetting.agreement_pages import agreement_lines, agreement_report
from gapsmith.vetting.review import Scope, Session
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands
from tests.making import registered
from tests.printed import results
from tests.scoring.analysing import SCORER, scored

Run = Callable[..., CommandOutcome]

LABELS = [f"Q{n:02}" for n in range(1, 13)]
SAID = ("zyxreason", "qwvcomment", "plkremark")
"""In every reason, comment and remark of ann."""
ONE = "approve " * 5 + "exclude " * 4 + "flag " * 3
OTHER = "exclude " * 6 + "approve " * 5 + "flag "
"""Her verdicts in either bank: as many approved, as all may know who score, and others excluded and flagged."""


PART = replace(SCORER, model="part", identity={**SCORER.identity, "weights": "part"})
"""Has measured what ann approved, and nothing else."""
SHARED = "used: aunt, uncle; not as in"
"""In the prompt of a run; what follows differs."""


def fill(folder: Path, verdicts: Sequence[str]) -> None:
    """A workspace of lea's with twelve items that were scored, and what ann and cy said and did."""
    (folder / "gapsmith.toml").write_text("", encoding="utf-8")
    paradigm = load_paradigm("subject_pg")
    approved = [place for place, verdict in enumerate(verdicts) if verdict == "approve"]
    first = approved[0] == 0
    with Bank.open(folder / "bank.sqlite", reader="ann") as bank:
        part, scorer = registered(bank, PART), registered(bank, SCORER)
        ids = bank.items.ids()
        edited = bank.items.get(ids[-1])
        bank.items.revise(
            edited.id, slots=edited.slots, sentences=edited.sentences, author="ann" if first else "cy", note="as it was"
        )
        for place, item in enumerate(list(bank.items.iterate())):
            for number, sentence in enumerate(item.sentences):
                critical = str(paradigm.condition(sentence.condition).critical)
                # As much of an item as of any other: what is computed tells nothing of which these are.
                values = [scored(sentence, {critical: 2.0 + number + 0.25 * (place % 3)})]
                bank.scores.add(scorer, values)
                if place in approved:
                    bank.scores.add(part, values)
            verdict, word = Verdict(verdicts[place]), f"zyxreason{place}" if verdicts[place] == "exclude" else None
            bank.decisions.decide([item.id], verdict, author="ann", reason=word, comment=f"qwvcomment{place}")
            bank.decisions.judge(item.id, item.sentences[0].condition, "*" if word else "ok", author="ann")
            if verdicts[place] != "approve":
                # On other items in either bank: which ones have remarks is not told either.
                bank.review.comment(item.id, f"plkremark {verdicts[place]}", author="ann")
        # What was taken back, answered in a study and looked at is of other items in either bank, too.
        bank.decisions.decide([ids[1 if first else 7]], Verdict.FLAG, author="ann", comment="qwvcomment of an hour")
        bank.decisions.undo("ann")
        own = bank.items.get(ids[2 if first else 8])
        study: dict[str, Any] = {"study": "0123456789abcdef", "title": "first", "of": 12}
        one, other = own.sentences[:2]
        bank.decisions.judge(own.id, one.condition, "2", author="ann", points=7, seconds=4.0, alone=True, place=1, **study)
        bank.decisions.choose(own.id, one.condition, other.condition, first=first, author="ann", place=2, **study)
        bank.review.peek(own.id, "decisions", author="ann")
        bank.decisions.decide([ids[11]], Verdict.FLAG, author="cy", kind="adjudication", comment=f"qwvcomment {first}")
        run = bank.runs.begin(
            kind="generate",
            paradigm_id=bank.paradigms.register(paradigm),
            provider="openai",
            model="m",
            identity="prompted",
            parameters={"seed": 1},
            prompt_name="own",
            prompt_hash="0123",
            prompt_text="Words that are used: {{ used }}",
        )
        call = bank.runs.intend(run.id, 0, {"n": 2, "prompt": f"{SHARED} zyxreason, {own.slots}"})
        bank.runs.reply(call, outcome="ok", reply="none", items=[])
        bank.runs.finish(run.id)


def words_of(paradigm: Paradigm) -> list[dict[str, str]]:
    """The words of twelve items: the first five and the five from the seventh on, of which ann approves those or these, repeat their words
    alike, and have hardly one in common. So all that is computed over either is the same but for a word that is told."""
    chosen: list[dict[str, str]] = []
    used: set[str] = set()
    for words in islice(sample(paradigm, 3), 2000):
        twin = (
            chosen[len(chosen) - 6] if len(chosen) > 5 else {**words, **({"linker": "will surely"} if len(chosen) == 2 else {})}
        )
        own = {**words, "linker": twin["linker"], "matrix": twin["matrix"]}
        rare = {own[name] for name in ("noun", "name1", "name2", "adverb")}
        if len(chosen) in (1, 7):
            own["verb"] = chosen[-1]["verb"]
        else:
            rare.add(own["verb"])
        if own["preposition"] == "about" and not rare & used:
            used |= rare
            chosen.append(own)
        if len(chosen) == len(LABELS):
            return chosen
    raise AssertionError("there are too few words")


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return two_banks(tmp_path_factory.mktemp("blind"))


def two_banks(root: Path) -> tuple[Path, Path]:
    """Two workspaces that differ in nothing but what ann and cy said and did."""
    paradigm = load_paradigm("subject_pg")
    rows = [
        {"sentence_type": "subject_pg", "item_id": label, "condition": s.condition, "full_sentence": s.text}
        for label, words in zip(LABELS, words_of(paradigm), strict=True)
        for s in realise(paradigm, words)
    ]
    with (root / "items.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    first, second = root / "one", root / "other"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", "lea")
        with api.open_workspace(first, create=True) as ws:
            api.import_file(ws, root / "items.csv", paradigm="subject_pg")
            api.lint(ws)
    shutil.copytree(first, second)
    for folder, verdicts in ((first, ONE), (second, OTHER)):
        fill(folder, verdicts.split())
        with api.open_workspace(folder, reader="lea") as ws:
            api.lint(ws)
    return first, second


READS: dict[str, list[list[str]]] = {
    "dataset list": [["--json"], []],
    "bank lead": [[]],
    "bank check": [["--json"]],
    "show": [[], ["Q01"], ["--json"], ["Q01", "--json"]],
    "lint": [[], ["--json"], ["--fix"]],
    "assign": [["--to", "ben", "--to", "cy", "--json", "--dry-run"], ["--to", "ben", "--to", "cy", "--json"]],
    "judge new": [["s.toml", "--to", "ben"], *(["t.toml", "--to", "ben", "--status", s] for s in ("approved", "excluded"))],
    "judge results": [["study.toml"], ["study.toml", "--mine"], ["study.toml", "--mine", "--json"]],
    "lab": [[], ["--json"], ["-o", "lab.html"]],
    "packet make": [["p.xlsx", "--for", "ben"], ["q.xlsx", "--for", "ben", "--show", "status:excluded"]],
    "annotations": [[what, *mine] for what in ("decisions", "judgements", "remarks") for mine in ([], ["--mine"])],
    "agreement": [[], ["--json"]],
    "decide": [
        *(
            ["exclude", "--status", s, "--reason", "unnatural", "--dry-run", "--json"]
            for s in ("approved", "excluded", "flagged", "pending", "disputed")
        ),
        ["--policy", "clean", "--dry-run", "--json"],
        ["--policy", "clean", "--severity", "error"],
        ["approve", "Q01", "Q07"],
    ],
    "export": [
        ["csv"],
        ["csv", "--all"],
        ["--status", "excluded"],
        ["decisions"],
        ["decisions", "--all", "-o", "d.csv"],
        ["decisions", "--status", "flagged"],
        ["long"],
        ["long", "--all"],
        ["tokens", "--all"],
        ["words", "--all"],
        ["slots", "--all"],
        ["suite", "--all", "-o", "s.json"],
        ["pcibex", "--all", "-o", "l.csv"],
        ["jspsych", "--all", "-o", "j"],
        ["hub", "--all", "-o", "hub"],
        ["lm-eval", "--all", "--pair", "PFPG,MFPG", "-o", "tasks"],
        ["conllu", "--all"],
        *(
            [kind, "--all"]
            for kind in ("blocks", "condition_columns", "item_lines", "json", "numbered", "region_columns", "region_rows")
        ),
        *([kind, "--all"] for kind in ("blimp", "pair_lines", "pair_table", "tuples")),
        ["csv", "--all", "-o", "i.xlsx"],
        ["parquet", "--all", "-o", "f.parquet"],
        ["r", "--all", "-o", "model"],
    ],
    "runs list": [[], ["--json"]],
    "runs compare": [[], ["--json"]],
    "runs show": [["1"], ["1", "--json"], ["1", "--call", "0"], ["2"], ["2", "--json"], ["2", "--call", "0"]],
    "runs item": [["Q01"], ["Q01", "--json"]],
    "generate": [["subject_pg", "-n", "2", "--seed", "9", "--dry-run"]],
    "review": [[], ["--show", "status:excluded"], ["--show", "status:commented"], ["--show", "by:ann"], ["--judge"]],
    "posh": [[]],
    "paradigm update": [["subject_pg", "--dry-run"]],
    "context list": [["--json"]],
    "context show": [["c1"], ["c1", "--json"], ["c1", "--item", "Q01"]],
}
"""These read."""
MAY_REFUSE = {
    "packet make",
    "judge new",
    "judge results",
    "annotations",
    "agreement",
    "decide",
    "export",
    "review",
    "posh",
    "publish",
}
"""Where nothing is left that may be seen, or without a look or a terminal, these say so and write nothing."""
COMPUTES: dict[str, list[list[str]]] = {
    "score": [["--dry-run", "-m", "bundled"]],
    "analyze": [
        [],
        ["--json"],
        ["--sensitivity"],
        ["--formula", "surprisal ~ 1 + (1|item)"],
        ["--by", "model"],
    ],
    "power": [[], ["--json"]],
    "next": [["--json"]],
    "report": [["-o", "rep"], ["-o", "rep2", "--all"]],
    "publish": [["-o", "set"], ["-o", "set2", "--all"]],
    "export": [["tests"], ["conditions"], ["items"], ["items", "--all"], ["differences"]],
    "context draw": [["c1", "--type", "matched", "--lengths", "20", "--model", "bundled"]],
}
"""These select the approved items, which is no look."""
OWN_PARADIGM = (
    *("agree", "--factor", "form: right, wrong", "--region", "subject: the {head}", "--region", "verb[form]: is | are"),
    *("--region", "rest: {rest}", "--slot", "head noun: farmer, nurse", "--slot", "rest: tired, late", "--status", "right=ok"),
    *("--status", "wrong=*", "--critical", "verb", "--contrast", "agreement: wrong - right, positive"),
)
CHANGES: dict[str, list[list[str]]] = {
    "init": [["new"], ["ws"]],
    "paradigm list": [[]],
    "paradigm show": [["subject_pg"]],
    "paradigm check": [["subject_pg"]],
    "paradigm diff": [["subject_pg"]],
    "paradigm new": [[*OWN_PARADIGM]],
    "prompt list": [[]],
    "prompt show": [["slots"], ["slots", "-p", "subject_pg"]],
    "prompt copy": [["slots"]],
    "generate": [
        ["subject_pg", "-n", "2", "--seed", "9"],
        ["subject_pg", "-n", "2", "-d", "items", "--provider", "openai", "--model", "m", "--dry-run", "--feedback"],
    ],
    "import": [["more.csv"], ["more.csv", "-d", "items"], ["items.csv", "-d", "again"], ["more.csv", "--preview"]],
    "dataset load": [["gaps40"]],
    "dataset recognise": [["ws"]],
    "dataset rename": [["items", "others"]],
    "dataset remove": [["items"]],
    "dataset undo": [[]],
    "bank check": [[], ["--report", "rep"]],
    "bank restore": [["copy.sqlite"]],
    "bank merge": [["copy"], ["copy", "--dry-run", "--json"]],
    "packet take": [["p.xlsx"], ["p.xlsx", "--lock"]],
    "context add": [["c2", "lines.txt", "--model", "bundled"]],
    "import-scores": [["scores.csv", "-m", "elsewhere"]],
    "context study": [["-m", "bundled"], ["-m", "bundled", "--dry-run"]],
    "licensing": [[]],
    "plan freeze": [["subject_pg"]],
    "plan list": [[]],
    "runs watch": [["1", "--once"]],
    "doctor": [[]],
    "score": [["-m", "bundled"]],
    "decide": [["--csv", "own.csv"]],
    "publish": [["-o", "set3", "--scorer", "1", "--all"]],
}
"""These bring something in, change something, or show what is no item."""
MAY_REFUSE |= {
    *("dataset recognise", "dataset undo", "context study", "licensing", "runs watch", "bank merge", "packet take", "import"),
    *("paradigm new", "import-scores", "doctor", "plan freeze", "publish"),
}
NO_BANK = {
    "train lm": "its workspace is a folder for models",
    "train grid": "its workspace is a folder for models",
    "demo": "makes a workspace of its own",
    "serve-fake": "speaks as a provider does, and opens nothing",
}
"""Commands that open no bank, beside those whose stage says that it takes no workspace."""
COPIES = {"bank backup", "bank log"}
"""Copies of the bank, in which everything is by their nature: a file that only gapsmith opens, and lines that are sealed.
docs/review.md says so."""


def every_command() -> Iterator[str]:
    yield from commands()


def test_every_command_is_walked_or_opens_no_bank() -> None:
    without = {name for name, stage in STAGES.items() if not stage.source and stage.command} - {"init"}
    listed = {*READS, *COMPUTES, *CHANGES, *NO_BANK, *COPIES, *without}
    assert sorted(every_command()) == sorted(listed)
    assert not without & {*READS, *COMPUTES, *CHANGES, *NO_BANK, *COPIES}
    (what,) = (one for one in fields(AskAnnotations) if one.name == "what")
    assert {words[0] for words in READS["annotations"]} == set(what.metadata["option"].words)


def before(gapsmith: Run, folder: Path, words: Sequence[str]) -> None:
    """Make what a command is about: files of ben's, a packet for him, a copy of the bank in which ann has said more."""

    def made(*given: str) -> None:
        done = gapsmith(*given)
        assert done.code == 0, done.err

    command, ws = " ".join(words[:2]), folder / "ws"
    if command == "context show":
        made("context", "draw", *COMPUTES["context draw"][0])
    elif command == "judge results":
        made("judge", "new", "study.toml", "--to", "ann", "--to", "ben")
    elif command == "packet take":
        made("packet", "make", "p.xlsx", "--for", "ben")
    elif command in ("bank restore", "bank check"):
        made("bank", "backup", "copy.sqlite")
        made("report", "-o", "rep")
        say_more(ws / "bank.sqlite")
    elif command == "bank merge":
        shutil.copytree(ws, folder / "copy")
        say_more(folder / "copy" / "bank.sqlite")
    elif words[:1] in (["import"], ["import-scores"], ["decide"]) or command == "context add":
        write_files(folder, ws)


def write_files(folder: Path, ws: Path) -> None:
    """Files of ben's about the first item: it again under its id and another one, a decision, contexts, surprisals."""
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        item = bank.items.get(1)
    texts = {sentence.condition: sentence.text for sentence in item.sentences}
    rows = [f'items,subject_pg,{{}},{condition},"{text}"' for condition, text in texts.items()]
    head = "dataset,sentence_type,item_id,condition,full_sentence"
    for name, label in (("more.csv", "Q99"), ("items.csv", "Q01")):
        (folder / name).write_text("\n".join([head, *(row.format(label) for row in rows)]), "utf-8")
    (folder / "own.csv").write_text(f'sentence,decision,reason\n"{item.sentences[0].text}",exclude,unnatural\n', "utf-8")
    (folder / "lines.txt").write_text("It rained.\nIt snowed all day.\n", "utf-8")
    tokens = [f'"{text}",{word},1.5' for text in texts.values() for word in text.replace(".", " .").split()]
    (folder / "scores.csv").write_text("\n".join(["sentence,token,surprisal (bits)", *tokens]), "utf-8")


def say_more(path: Path) -> None:
    """Let ann say otherwise of what she approved."""
    with Bank.open(path, reader="ann") as bank:
        own = [decision.item_id for decision in bank.decisions.current() if decision.verdict is Verdict.APPROVE][:2]
        bank.decisions.decide(own, Verdict.EXCLUDE, author="ann", reason="zyxreason", comment="qwvcomment")
        bank.review.comment(own[0], "plkremark", author="ann")


def test_every_format_is_walked() -> None:
    walked = {words[0] for table in (READS, COMPUTES) for words in table["export"]}
    assert {*formats(), *NUMBERS, "conllu"} - walked == set()


def as_ben(gapsmith: Run, ws: Path, words: Sequence[str], folder: Path) -> tuple[CommandOutcome, str]:
    """What ben gets: outcome, and all that was printed and written, without what no two runs share."""
    folder.mkdir()
    copy = Path(shutil.copytree(ws, folder / "ws"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", "ben")
        patch.setenv("GAPSMITH_WORKSPACE", str(copy))
        patch.setenv("OPENAI_API_KEY", "no-key-and-long-enough-for-one")
        patch.chdir(folder)
        before(gapsmith, folder, words)
        done = gapsmith(*words)
    # Banks are no pages: what is in them is asked for by commands.
    files = sorted(path for path in folder.rglob("*") if path.is_file() and ".sqlite" not in path.name)
    written = [f"{path.relative_to(folder)}\n{readable(path)}" for path in files]
    told = "\n".join([done.out, done.err, *written]).replace(str(folder), "")
    told = re.sub(r"[\d,.]+ tokens/s, measured now, that takes about [\d,.]+|scored now in [\d.]+", "", told)
    if tuple(words[:2]) in TOTALS:
        told = re.sub(r"\d+", "", told)
    told = re.sub(r"\d{8}T\d{6}|\d{4}-\d\d-\d\d[T ][\d:.]+(\+[\d:]+)?|\b[0-9a-f]{64}\b|\b[0-9a-f]{16,}(-[0-9a-f]+)+\b", "", told)
    return done, told


def readable(path: Path) -> str:
    """A file as text; a spreadsheet without what differs from one writing to the next."""
    if path.suffix != ".xlsx":
        return path.read_bytes().decode("utf-8", "replace")
    from openpyxl import load_workbook

    return "\n".join(str(row) for row in load_workbook(path).worksheets[0].iter_rows(values_only=True))


def unlike(one: str, other: str) -> list[str]:
    """The lines by which two texts differ."""
    return [
        line for line in unified_diff(one.split("\n"), other.split("\n"), n=0, lineterm="") if line[:2] not in ("--", "++", "@@")
    ]


def leaks(told: str) -> list[str]:
    found = [word for word in SAID if word in told]
    return found + re.findall(r"(?:approve|exclude|flag|decided)[^\n]{0,20} (?:by )?ann\b", told)


TOTALS = {
    ("context", "draw"): "how many contexts there are, and how long, are totals over the approved items, whose words differ"
}
"""Commands whose numbers are not compared, and why."""
WALK = [(name, words) for table in (READS, COMPUTES, CHANGES) for name, each in table.items() for words in each]


@pytest.mark.parametrize(
    ("name", "words"),
    # A second report takes six seconds more.
    [pytest.param(name, words, marks=pytest.mark.full if "rep2" in words else ()) for name, words in WALK],
    ids=[" ".join([name, *words]) for name, words in WALK],
)
def test_a_blind_annotator_learns_nothing_from_a_command(
    gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path, name: str, words: list[str]
) -> None:
    one, told = as_ben(gapsmith, banks[0], [*name.split(), *words], tmp_path / "one")
    assert leaks(told) == []
    assert "Traceback" not in told
    # A scorer that is named by its number, and has measured a part, is no reason to take another.
    assert one.code == 0 or (name in MAY_REFUSE and ("--all" not in words or "--scorer" in words)), one.err
    other, told_of_other = as_ben(gapsmith, banks[1], [*name.split(), *words], tmp_path / "other")
    assert unlike(f"{one.code}\n{told}", f"{other.code}\n{told_of_other}") == []


@pytest.mark.full
def test_the_walk_sees_leaks(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    """By a look, and by one who leads: else the walk could not fail."""
    looked, told = as_ben(gapsmith, banks[0], ["show", "Q07", "--look"], tmp_path / "look")
    assert "exclude by ann, zyxreason6" in looked.out
    assert leaks(told) == ["zyxreason", "qwvcomment", "plkremark", "exclude by ann"]
    lead = gapsmith("export", "decisions", "--all", "-w", banks[0])
    assert "zyxreason" not in lead.out, "the account does not lead"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", "lea")
        lead = gapsmith("export", "decisions", "--all", "-w", banks[0])
        report = gapsmith("report", "-w", banks[0], "-o", tmp_path / "rep")
    assert lead.out.count("zyxreason") == 4
    assert "left out" not in lead.err
    assert report.code == 0
    assert "zyxreason6" in (tmp_path / "rep" / "report.html").read_text(encoding="utf-8")
    assert "plkremark" in "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "rep" / "items").iterdir())


@pytest.mark.full
def test_what_is_left_out_is_said_and_no_file_is_empty(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    said = "What others said of 12 items is left out: ben has not locked and does not lead this bank (lea does)."
    for number, words in enumerate(
        (
            ["show"],
            ["export", "csv", "--all"],
            ["runs", "list"],
            ["analyze"],
            ["report"],
            ["decide", "--policy", "clean"],
        )
    ):
        done, _ = as_ben(gapsmith, banks[0], words, tmp_path / str(number))
        assert said in done.err
    done, _ = as_ben(gapsmith, banks[0], ["export", "csv", "-o", "x.csv"], tmp_path / "empty")
    assert done.code == 1
    assert said in done.err.replace("\n", " ")
    assert not (tmp_path / "empty" / "x.csv").exists()
    done, _ = as_ben(gapsmith, banks[0], ["report", "-o", "rep"], tmp_path / "rep")
    for name in ("report.html", "report.md"):
        text = (tmp_path / "rep" / "rep" / name).read_text(encoding="utf-8")
        assert "What others said of 12 items is left out" in text
        assert "5 approved items of 12 were analysed" in text
        assert "No person has decided" not in text


def test_numbers_are_the_same_for_the_blind_and_the_lead(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    def tests_of(name: str) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GAPSMITH_ANNOTATOR", name)
            (found,) = results(gapsmith("analyze", "--json", "-w", banks[0]).out)
        return found

    blind, lead = tests_of("ben"), tests_of("lea")
    assert [c["ttest"] for c in blind["contrasts"]] == [c["ttest"] for c in lead["contrasts"]]
    assert {v["item"] for v in lead["contrasts"][0]["values"]} == set(LABELS[:5])
    assert (blind["contrasts"][0]["values"], blind["texts"], blind["account"]["set_aside"]) == ([], [], [])
    assert blind["items"]["by_status"] == {}
    assert lead["items"]["by_status"] == {"approved": 5, "excluded": 4, "flagged": 3}


NARROWED = (
    "analyze --where name1=Jonas",
    "analyze --by name1",
    "report --where name1=Jonas",
    "export items",
    "export differences",
)


def test_what_is_narrowed_to_single_items_needs_all_of_them_or_a_look(
    gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same sentence, whether the item was approved or not, and whether there is one."""
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ben")
    copy = Path(shutil.copytree(banks[0], tmp_path / "copy"))
    for words in NARROWED:
        typed = words.split()
        refused = gapsmith(*typed, "-w", copy)
        assert (refused.code, refused.out) == (2, ""), words
        what = " ".join(typed[1:] if typed[0] != "export" else typed)
        assert f"{what} would tell ben which items others approved" in refused.err, words
        assert "--all takes every item" in refused.err
    assert gapsmith("analyze", "-w", copy).code == 0, "totals are no look"
    with api.open_workspace(copy, reader="ben") as study:
        assert api.analyze(study).contrasts[0].values == {}
        with pytest.raises(api.GapsmithError, match="would tell ben"):
            api.analyze(study, by=["name1"])
        assert study.bank.review.peeks() == []
    done = gapsmith("export", "items", "--look", "-w", copy)
    assert done.code == 0, done.err
    assert "left out" not in done.out
    with api.open_workspace(copy, reader="ben") as study:
        assert study.bank.review.peeks() != []


def test_a_report_by_total_shows_no_single_item(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    """Not by its figures, example and lists, and of an item with a finding not whether it is analysed."""
    shown = []
    for place, ws in enumerate(banks):
        done, told = as_ben(gapsmith, ws, ["report", "-o", "rep"], tmp_path / str(place))
        assert done.code == 0, done.err
        assert not re.search(r"left out \d", told)
        page = (tmp_path / str(place) / "rep" / "report.md").read_text(encoding="utf-8")
        example = page.partition("| condition | status | sentence |")[2].partition("### What came out")[0]
        findings = re.findall(r"^\| L314 .*$", page, re.MULTILINE)
        assert findings == ["| L314 | Modal that is also a noun | info | 2 | – |"]
        shown.append((example, re.findall("words of item ([^ .]+)", page)))
        rep = tmp_path / str(place) / "rep"
        assert {path.stem.removeprefix("subject_pg-") for path in (rep / "figures").glob("*.svg")} == {"shares", "words"}
        assert "Q0" not in "".join(path.read_text("utf-8") for path in (rep / "items").glob("*-contrast-*.html"))
    assert shown[0] == shown[1]
    assert shown[0][1] == ["Q01"]
    assert "lawyer" in shown[0][0]


BY_ONE = (
    "analyze --formula surprisal~name1+(1|item)",
    "analyze --formula surprisal~1+(name1|item)",
    "report --formula correct~verb+(1|item)",
    "analyze --formula critical_word~1+(1|item)",
)


def test_what_hangs_on_single_items_and_words_is_not_told(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    for number, typed in enumerate(BY_ONE):
        done, told = as_ben(gapsmith, banks[0], typed.split(), tmp_path / str(number))
        column = re.split(r"[~+(|]+", typed.split()[2])[1 if "~1" not in typed else 0 if "critical" in typed else 2]
        assert (done.code, done.out) == (2, ""), typed
        assert f"--formula with {column} would tell ben which items others approved" in told
    for place, ws in enumerate(banks):
        done, _ = as_ben(gapsmith, ws, ["analyze", "--sensitivity"], tmp_path / f"ws{place}")
        assert "Leaving out outliers, one item or one word: that would tell" in " ".join(done.out.split())
        assert not re.search("without (item|[a-z0-9]+ [^ ]+, which|[0-9]+ beyond)", done.out)


def test_who_has_contexts_of_approved_items_is_not_told(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    as_ben(gapsmith, banks[0], ["context", "draw", *COMPUTES["context draw"][0]], tmp_path / "made")
    for words in (["analyze", "--by", "context"], ["export", "long", "--contexts", "c1"]):
        refused = by(gapsmith, "ben", *words, "--all", "-w", tmp_path / "made" / "ws")
        assert (refused.code, refused.out) == (2, "")
        assert "would tell ben which items others approved: c1 was drawn for these" in refused.err
    # Its outcomes are by item.
    refused = by(gapsmith, "ben", "context", "study", "-m", "bundled", "-w", tmp_path / "made" / "ws")
    assert (refused.code, refused.out) == (2, "")
    assert "context study would tell ben which items others approved" in refused.err
    assert "`gapsmith show --look` shows them" in refused.err


@pytest.mark.full
def test_a_copied_look_is_no_blind_agreement(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    """By whatever door ben looks: what he decides afterwards does not count as blind."""
    doors = (
        ["show", "Q01", "--look"],
        ["export", "decisions", "--all", "--look"],
        ["report", "--look"],
        ["analyze", "--look"],
        ["decide", "flag", "--status", "flagged", "--look", "--dry-run"],
        ["annotations", "decisions", "--look"],
        ["agreement", "--look"],
    )
    for number, words in enumerate(doors):
        ws = Path(shutil.copytree(banks[0], tmp_path / str(number)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GAPSMITH_ANNOTATOR", "ben")
            assert gapsmith(*words, "-w", ws).code == 0
            assert gapsmith("decide", "approve", "Q01", "-w", ws).code == 0
        with Bank.open(ws / "bank.sqlite", reader="lea") as bank:
            (decided,) = [p for p in agreement_report(bank).parts if p.about == "decisions"]
            assert decided.raw.n == 0, words
            assert {peek.author for peek in bank.review.peeks()} == {"ann", "ben"}
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "none")) / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids()[:1], Verdict.APPROVE, author="ben")
        assert agreement_report(bank.read_by("lea")).parts[0].raw.n == 1


def test_ones_own_verdicts_are_always_seen_and_adjudicated_ones_once_one_has_decided(
    banks: tuple[Path, Path], tmp_path: Path
) -> None:
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="ben") as bank:
        own, judged, policy, hers = bank.items.ids()[:4]
        bank.decisions.decide([own], Verdict.EXCLUDE, author="ben", reason="mine")
        bank.decisions.decide([judged], Verdict.FLAG, author="cy", kind="adjudication", comment="vwxsettled")
        assert bank.items.get(judged).status is ItemStatus.PENDING
        assert judged in bank.gate.hidden()
        assert bank.review.adjudicated() == []
        assert "vwxsettled" not in str([everything_read(bank), everything_read(bank.read_by("ben", reviewing=True))])
        bank.decisions.decide([judged], Verdict.APPROVE, author="ben")
        bank.decisions.decide([policy], Verdict.APPROVE, author="policy:clean", kind="policy")
        assert [(bank.items.get(i).status, bank.items.get(i).reason) for i in (own, judged, policy, hers)] == [
            (ItemStatus.EXCLUDED, "mine"),
            (ItemStatus.FLAGGED, None),
            (ItemStatus.APPROVED, None),
            (ItemStatus.PENDING, None),
        ]
        assert bank.items.count_by_status() == {"approved": 1, "excluded": 1, "flagged": 1, "pending": 9}
        assert [d.author for d in bank.decisions.for_item(judged)] == ["cy", "ben"]
        assert bank.read_by("lea").items.get(own).status is ItemStatus.DISPUTED
        bank.review.lock("ben", paradigm="subject_pg", dataset=None)
        assert bank.items.get(own).status is ItemStatus.DISPUTED
        assert bank.items.get(hers).status is ItemStatus.APPROVED
        bank.review.lock("ben", paradigm="subject_pg", dataset=None, locked=False)
        assert bank.items.get(hers).status is ItemStatus.PENDING


def test_edits_under_review_name_no_author(banks: tuple[Path, Path], tmp_path: Path) -> None:
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="ben") as bank:
        item = bank.items.get(bank.items.ids()[0])
        bank.items.revise(item.id, slots=item.slots, sentences=item.sentences, author="ann", note="as it was")
        bank.items.revise(item.id, slots=item.slots, sentences=item.sentences, author="ben", note="mine")
        assert [e.author for e in bank.review.edits(item.id)] == ["somebody", "ben"]
        assert [r.author for r in bank.items.history(item.id)] == [None, "somebody", "ben"]
        assert [e.author for e in bank.read_by("lea").review.edits(item.id)] == ["ann", "ben"]


def test_a_prompt_with_reasons_is_not_shown_to_the_blind(banks: tuple[Path, Path], tmp_path: Path) -> None:
    """Neither the one that is written for them, nor the one that somebody else has sent."""
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="ben") as bank:
        lead = bank.read_by("lea")
        assert [e.reason for e in exclusions(lead, "subject_pg")] == [
            "zyxreason8",
            "zyxreason7",
            "zyxreason6",
            "zyxreason5",
        ]
        assert exclusions(bank, "subject_pg") == []
        run = bank.runs.all()[0]
        told, request = replace(run, parameters={"feedback": True}), {"n": 1, "prompt": "not as in zyxreason5"}
        assert lead.gate.shown_request(told, request) == request
        assert bank.gate.shown_request(run, request) == request
        assert bank.gate.shown_request(told, request) == {
            "n": 1,
            "prompt": "left out: it tells what others said of items",
        }


def test_what_others_decided_on_is_not_mended_by_the_blind(banks: tuple[Path, Path], tmp_path: Path) -> None:
    """Work goes by where items really stand, also in the hands of one who may not see it."""
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="ben") as bank:
        assert bank.items.ids(ItemFilter(standing=(ItemStatus.PENDING,))) == []
        assert len(bank.items.ids(ItemFilter(statuses=(ItemStatus.PENDING,)))) == 12
        assert select_texts(bank, ItemFilter()).n_items == 5


# Python

PYTHON: dict[str, Callable[[api.Workspace, Path], Any]] = {
    "analyze": lambda ws, _: api.analyze(ws, "subject_pg").as_data(),
    "decide": lambda ws, _: [api.decide(ws, policy="clean"), api.decide(ws, "approve", ["Q02"])],
    "export": lambda ws, folder: [
        api.export(ws, folder / "items.csv", everything=True),
        api.export(ws.bank, folder / "two.csv", everything=True),
    ],
    "freeze_plan": lambda ws, _: dict(api.freeze_plan(ws, "subject_pg").plan.plan),
    "list_plans": lambda ws, _: api.list_plans(ws).as_data(),
    "power": lambda ws, _: api.power(ws).as_data(),
    "frame": lambda ws, _: api.frame(ws, everything=True).to_csv(),
    "report": lambda ws, folder: api.report(ws, folder / "report"),
    "publish": lambda ws, folder: told_or_refused(lambda: api.publish(ws, folder / "set")),
    "lint": lambda ws, _: [(found := api.lint(ws)).as_data(), found.report],
    "open_workspace": lambda ws, _: [ws.settings, [ws.paradigm("subject_pg").name]],
    "score": lambda ws, _: (told := api.score(ws, "bundled")) and [one.n_present for one in told],
    "generate": lambda ws, _: api.generate(ws, "subject_pg", n=2, seed=9),
    "runs_watch": lambda ws, _: told_or_refused(lambda: api.runs_watch(ws, 1)),
    "new_paradigm": lambda ws, _: told_or_refused(lambda: api.new_paradigm(ws, "agree")),
    "recognise_datasets": lambda ws, folder: told_or_refused(lambda: api.recognise_datasets(ws, folder)),
    "import_file": lambda ws, folder: api.import_file(ws, folder / "more.csv"),
    "import_scores": lambda ws, folder: api.import_scores(ws, folder / "scores.csv", model="elsewhere"),
    "agreement": lambda ws, _: told_or_refused(lambda: api.agreement(ws)),
    "annotation_table": lambda ws, _: [
        told_or_refused(lambda: api.annotation_table(ws, "decisions")),
        told_or_refused(lambda: api.annotation_table(ws, "remarks")),
        api.annotation_table(ws, "judgements", mine=True),
        api.annotation_table(ws, "remarks", mine=True),
    ],
    "assign": lambda ws, _: api.assign(ws, ["ben", "cy"]),
    "make_packet": lambda ws, folder: replace(api.make_packet(ws, folder / "p.xlsx", "ben"), file=Path("p.xlsx")),
    "take_packet": lambda ws, folder: (made := api.make_packet(ws, folder / "p.xlsx", "ben")) and api.take_packet(ws, made.file),
    "new_judging": lambda ws, folder: replace(api.new_judging(ws, folder / "s.toml", "ben"), file=Path("s.toml")),
    "judging_results": lambda ws, folder: [
        api.new_judging(ws, folder / "s.toml", "ben").study,
        told_or_refused(lambda: api.judging_results(ws, folder / "s.toml")),
        str(api.judging_results(ws, folder / "s.toml", mine=True)),
    ],
    "lab": lambda ws, _: [str(found := api.lab(ws)), found.data, found.html],
    "load_dataset": lambda ws, _: api.load_dataset(ws, "gaps40"),
    "merge_banks": lambda ws, folder: api.merge_banks(ws, [copied(ws, folder)]),
    "remove_dataset": lambda ws, _: [api.remove_dataset(ws, "items"), api.undo_dataset(ws)],
    "rename_dataset": lambda ws, _: api.rename_dataset(ws, "items", "others"),
    "undo_dataset": lambda ws, _: told_or_refused(lambda: api.undo_dataset(ws)),
    "licensing": lambda ws, _: told_or_refused(lambda: api.licensing(ws)),
    "posh": lambda ws, _: told_or_refused(lambda: api.posh(ws)),
    "study_contexts": lambda ws, _: told_or_refused(lambda: api.study_contexts(ws, model="bundled")),
    "list_datasets": lambda ws, _: [api.list_datasets(ws), api.list_datasets(ws).as_data()],
    "check_bank": lambda ws, _: replace(api.check_bank(ws), file=Path("bank.sqlite")),
    "lead_bank": lambda ws, _: api.lead_bank(ws),
    "show_items": lambda ws, _: [str(found := api.show_items(ws)), found.as_data(), found.to_frame().to_csv(), found.items],
    "list_runs": lambda ws, _: [api.list_runs(ws), api.list_runs(ws).as_data()],
    "compare_runs": lambda ws, _: [api.compare_runs(ws), api.compare_runs(ws).as_data()],
    "show_run": lambda ws, _: [api.show_run(ws, 1), *(api.show_run(ws, run, call=0) for run in (1, 2))],
    "trace_item": lambda ws, _: [api.trace_item(ws, "Q01"), api.trace_item(ws, "Q01").as_data()],
    "update_paradigm": lambda ws, _: api.update_paradigm(ws, "subject_pg", dry_run=True),
    "list_contexts": lambda ws, _: api.list_contexts(ws),
    "show_contexts": lambda ws, _: (
        api.draw_contexts(ws, "shown", type="matched", lengths=20, model="bundled") and api.show_contexts(ws, "shown")
    ),
    "add_contexts": lambda ws, folder: api.add_contexts(ws, "c2", folder / "lines.txt", model="bundled"),
    "check_paradigm": lambda ws, _: api.check_paradigm(ws, "subject_pg"),
    "copy_prompt": lambda ws, folder: api.copy_prompt(ws, "slots", folder),
    "diff_paradigm": lambda ws, _: api.diff_paradigm(ws, "subject_pg"),
    "doctor": lambda ws, _: api.doctor(ws),
    "list_paradigms": lambda ws, _: api.list_paradigms(ws),
    "list_prompts": lambda ws, _: api.list_prompts(ws),
    "show_paradigm": lambda ws, _: api.show_paradigm(ws, "subject_pg"),
    "show_prompt": lambda ws, _: api.show_prompt(ws, "slots", paradigm="subject_pg"),
    "next_step": lambda ws, _: api.next_step(ws),
    "draw_contexts": lambda ws, _: api.draw_contexts(ws, "c", type="matched", lengths=20, model="bundled"),
    "Bank": lambda ws, _: everything_read(ws.bank),
    "Workspace": lambda ws, _: everything_read(ws.bank),
}
"""What is asked of every public name that takes a workspace or a bank."""
NOT_ASKED = {
    **dict.fromkeys(("back_up_bank", "log_bank", "restore_bank"), "copies of the bank: tests of their own are below"),
    **dict.fromkeys(("train_lm", "train_grid"), "their workspace is a folder for models"),
    **dict.fromkeys(("AnalysisOptions", "GapsmithError", "ItemFilter", "Request"), "words of which a question is made"),
    **dict.fromkeys(("Paradigm", "load_paradigm", "expand", "realise", "sample"), "designs, which are no items of a bank"),
    "open_engine": "a model",
    "read_back": "is given a file",
}
"""The others, but for those whose stage takes no workspace."""


def copied(ws: api.Workspace, folder: Path) -> Path:
    """A copy of the bank in which ann has said more."""
    copy = Path(shutil.copytree(ws.root, folder / "copy"))
    say_more(copy / "bank.sqlite")
    return copy


def told_or_refused(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except api.GapsmithError as refused:
        return str(refused)


def told_by(value: Any) -> str:
    """All that a value shows: as itself, as data, as a frame and on a page of a notebook."""
    if isinstance(value, list | tuple):
        return "\n".join(map(told_by, value))
    parts = [getattr(value, own.name) for own in fields(value)] if is_dataclass(value) and not isinstance(value, type) else value
    shown = [repr(parts), str(value)]
    for how in ("as_data", "to_frame", "_repr_html_"):
        # What is shown where nothing is found is a sentence.
        shown.append(str(told_or_refused(getattr(value, how))) if hasattr(value, how) else "")
    return "\n".join(shown)


@pytest.mark.parametrize("name", sorted(PYTHON))
def test_a_blind_annotator_learns_nothing_from_python(banks: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    ask = PYTHON[name]
    said = []
    for place, ws in enumerate(banks):
        copy, out = Path(shutil.copytree(ws, tmp_path / f"ws{place}")), tmp_path / f"out{place}"
        out.mkdir()
        write_files(out, copy)
        with warnings.catch_warnings(record=True) as caught, api.open_workspace(copy, reader="ben") as study:
            warnings.simplefilter("always")
            told = told_by(ask(study, out))
        told += "".join(readable(path) for path in sorted(out.rglob("*")) if path.is_file() and ".sqlite" not in path.name)
        assert leaks(told) == []
        if name in ("export", "frame"):
            assert any("What others said of 12 items is left out" in str(w.message) for w in caught)
        said.append(re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(\+[\d:]+)?|\b[0-9a-f]{16,}\b|0x[0-9a-f]+|out\d|ws\d", "", told))
    if name == "draw_contexts":
        said = [re.sub(r"\d+", "", told) for told in said]
    assert unlike(*(told.replace("\\n", "\n").replace(", ", ",\n") for told in said)) == []


def test_a_frame_of_nothing_that_may_be_seen_is_refused(banks: tuple[Path, Path]) -> None:
    with (
        api.open_workspace(banks[0], reader="ben") as study,
        pytest.warns(UserWarning, match="left out"),
        pytest.raises(api.GapsmithError, match="no item of subject_pg is selected") as refused,
    ):
        api.frame(study)
    assert "What others said of 12 items is left out" in refused.value.hint


ALL = ItemFilter()
READING: dict[str, dict[str, Callable[[Any], Any]]] = {
    "items": {
        "get": lambda t: t.get(1),
        "iterate": lambda t: list(t.iterate()),
        "at": lambda t: t.at(1, t.get(1).revision_id),
        "ids": lambda t: [t.ids(), *(t.ids(ItemFilter(statuses=(s,))) for s in ItemStatus), t.ids(ItemFilter(author="ann"))],
        "count": lambda t: [t.count(ItemFilter(statuses=(s,))) for s in ItemStatus],
        "count_by_status": lambda t: t.count_by_status(),
        "datasets": lambda t: t.datasets(),
        "alike_digests": lambda t: len(t.alike_digests(ItemFilter(statuses=(ItemStatus.APPROVED,)))),
        "revision_uids": lambda t: t.revision_uids(1, bytes.fromhex(naming(t.get(1))[TEXT_DIGEST])),
        "versions": lambda t: t.versions(1),
        "history": lambda t: t.history(1),
    },
    "decisions": {
        "for_item": lambda t: t.for_item(1),
        "current": lambda t: list(t.current()),
        "all": lambda t: t.all(),
        "history": lambda t: t.history(1),
        "judgements": lambda t: [t.judgements(1), t.judgements()],
        "choices": lambda t: t.choices(),
        "people": lambda t: t.people([1]),
        "stays": lambda t: t.stays("ben", "study"),
    },
    "assignments": {
        "of": lambda t: t.of("ann"),
        "shares": lambda t: t.shares(),
        "readers": lambda t: t.readers(),
        "not_locked": lambda t: t.not_locked([1]),
        "awaited": lambda t: t.awaited(),
        "adjudicators": lambda t: t.adjudicators(),
        "who_adjudicates_instead": lambda t: t.who_adjudicates_instead("ben"),
        "known_verdicts": lambda t: t.known_verdicts(),
    },
    "review": {
        "rows": lambda t: t.rows(author="ben"),
        "comments": lambda t: [t.comments(1), t.comments()],
        "edits": lambda t: t.edits(1),
        "annotators": lambda t: t.annotators(),
        "people": lambda t: t.people(),
        "verdicts": lambda t: t.verdicts(),
        "adjudicated": lambda t: t.adjudicated(),
        "decided_before": lambda t: t.decided_before(),
        "judged_in_studies": lambda t: t.judged_in_studies(range(1, 50)),
        "ratings": lambda t: t.ratings(),
        "standing_before": lambda t: t.standing_before({(name, 1): 10**9 for name in ("ann", "ben", "lea")}),
        "norms": lambda t: t.norms(),
        "sheets": lambda t: t.sheets(),
        "study_names": lambda t: t.study_names(),
        "places": lambda t: t.places(),
        "revision_of": lambda t: t.revision_of(1),
        "linted_revision": lambda t: t.linted_revision(1),
        "next_action": lambda t: t.next_action("ben", "undo"),
        "last_actions": lambda t: t.last_actions("ben", 5),
        "locks": lambda t: t.locks(),
        "peeks": lambda t: t.peeks(),
        "drafts": lambda t: t.drafts("ben"),
    },
    "plans": {"of": lambda t: [t.of(), t.of("subject_pg")]},
    "findings": {
        "for_item": lambda t: t.for_item(1),
        "of_sets": lambda t: t.of_sets("subject_pg"),
        "titles": lambda t: t.titles(),
        "iterate": lambda t: list(t.iterate(ItemFilter(statuses=(ItemStatus.EXCLUDED,)))),
        "counts": lambda t: t.counts(ItemFilter(statuses=(ItemStatus.APPROVED,))),
        "request": lambda t: t.request(1) is None,
        "look": lambda t: t.look(1),
        "looked_at": lambda t: t.looked_at(1),
        "looks_at": lambda t: t.looks_at([1, 2]),
        "of_items": lambda t: t.of_items([1, 2]),
        "read_items": lambda t: [t.read_items(), *(t.read_items(ItemFilter(statuses=(s,))) for s in ItemStatus)],
        "sets_that_name": lambda t: t.sets_that_name([1, 2]),
        "sets_made_of": lambda t: t.sets_made_of("subject_pg"),
        "looked": lambda t: t.looked(ItemFilter(statuses=(ItemStatus.EXCLUDED,))),
        "rulesets": lambda t: t.rulesets([1, 2]),
        "unlinted": lambda t: t.unlinted(ItemFilter(statuses=(ItemStatus.PENDING,))),
    },
}
NOT_READING = {
    "items": {"add", "revise"},
    "decisions": {"decide", "judge", "choose", "refuse_if_locked", "is_known", "undo", "redo", "rebuild_projection"},
    "assignments": {"assign", "refuse_locked", "outside", "new_to_locked"},
    "review": {"comment", "lock", "peek", "people", "save_draft", "discard_drafts", "habit", "set_habit", "version", "order"},
    "plans": {"freeze"},
    "findings": {"replace", "begin_lint", "as_shown"},
}


def everything_read(bank: Bank) -> list[str]:
    return [repr(read(getattr(bank, table))) for table, calls in READING.items() for read in calls.values()]


def test_nobody_is_told_which_items_others_answered_on_in_a_study(banks: tuple[Path, Path], tmp_path: Path) -> None:
    told = []
    for item_id in (3, 5):
        with Bank.open(Path(shutil.copytree(banks[0], tmp_path / str(item_id))) / "bank.sqlite", reader="ben") as bank:
            study = {"study": "0123456789abcdef", "title": "first", "place": 1, "of": 12}
            condition = bank.items.get(item_id).sentences[1].condition
            bank.decisions.judge(item_id, condition, "2", author="ann", points=7, seconds=4.0, alone=True, **study)  # type: ignore[arg-type]
            told.append(re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+[\d:]+", "", str(everything_read(bank))))
            assert bank.read_by("ann").review.judged_in_studies([item_id]) == [item_id]
            assert bank.read_by("lea").review.judged_in_studies([item_id]) == [item_id]
    assert told[0] == told[1]


def test_every_reading_method_of_the_bank_is_walked(banks: tuple[Path, Path]) -> None:
    with Bank.open(banks[0] / "bank.sqlite", reader="ben") as bank:
        for table, calls in READING.items():
            methods = {name for name, _ in inspect.getmembers(getattr(bank, table), inspect.ismethod) if name[0] != "_"}
            assert methods == {*calls, *NOT_READING[table]}
    without = {stage.python or own_name(name) for name, stage in STAGES.items() if not stage.source}
    assert {*PYTHON, *NOT_ASKED, *without} == set(dir(api))


# The lead


def test_the_lead_is_who_began_and_hands_it_on(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    ws = Path(shutil.copytree(banks[0], tmp_path / "ws"))
    assert gapsmith("bank", "lead", "-w", ws).out == "lea\n"
    refused = gapsmith("bank", "lead", "ben", "--by", "ben", "-w", ws)
    assert refused.code != 0
    assert "lea leads this bank, not ben" in refused.err
    assert 'Ask lea: `gapsmith bank lead "ben"`, run by lea, hands it on.' in refused.err
    assert "--by" not in refused.err
    assert gapsmith("bank", "lead", "ben", "--by", "lea", "-w", ws).code == 0
    assert gapsmith("bank", "lead", "-w", ws).out == "ben\n"
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        assert bank.items.count_by_status()[ItemStatus.EXCLUDED] == 4
        assert Bank.open(ws / "bank.sqlite", reader="lea").items.count_by_status() == {ItemStatus.PENDING: 12}
        with pytest.raises(BankError, match="ben leads"):
            bank.read_by("lea").gate.hand_on("lea")
        assert bank.faults() == []


def test_the_lead_of_an_older_bank_is_its_first_author(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    """Such a bank does not say who began it."""
    ws = Path(shutil.copytree(banks[0], tmp_path / "ws"))
    with Bank.open(ws / "bank.sqlite") as bank, bank.transaction():
        bank.db.execute("DELETE FROM property WHERE name = 'begun by'")
    assert gapsmith("bank", "lead", "-w", ws).out == "ann\n"


def test_to_adjudicate_is_a_look(banks: tuple[Path, Path], tmp_path: Path) -> None:
    from gapsmith.app.cli.review import _look

    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="cy") as bank:
        _look(bank, ItemFilter())
        assert {peek.item_id for peek in bank.review.peeks() if peek.author == "cy"} == set(bank.items.ids())


def by(gapsmith: Run, name: str, *words: Any) -> CommandOutcome:
    """A command as somebody gives it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", name)
        return gapsmith(*words)


def test_a_backup_has_all_of_it_and_hides_it_when_it_is_opened(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    """What is hidden is not taken out: docs/review.md says so."""
    done, _ = as_ben(gapsmith, banks[0], ["bank", "backup", "copy.sqlite"], tmp_path / "made")
    assert done.code == 0
    assert SAID[0].encode() in (tmp_path / "made" / "copy.sqlite").read_bytes()
    (tmp_path / "new").mkdir()
    assert gapsmith("bank", "restore", tmp_path / "made" / "copy.sqlite", "-w", tmp_path / "new").code == 0
    shown = by(gapsmith, "ben", "show", "-w", tmp_path / "new")
    assert leaks(shown.out) == []
    assert "left out: ben" in shown.err


def test_the_log_of_the_blind_has_all_of_it_and_tells_them_nothing(
    gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path
) -> None:
    said = set()
    for place, ws in enumerate(banks):
        folder = tmp_path / str(place)
        done, told = as_ben(gapsmith, ws, ["bank", "log", "log.jsonl"], folder)
        assert done.code == 0
        log = (folder / "log.jsonl").read_text("utf-8")
        assert leaks(told + log) == []
        # Short words may stand in it by chance, since it is letters and digits without sense.
        assert not any(word in log for word in ("exclude", "generated", "decision", '"Q01"', '"ann"'))
        assert "sealed: ben may not see yet" in done.err
        assert "`gapsmith bank merge` opens it for lea" in done.err
        said.add(done.out + done.err)
        with api.open_workspace(Path(shutil.copytree(ws, folder / "python")), reader="ben") as study:
            logged = api.log_bank(study, folder / "two.jsonl")
            assert logged.as_data() == {"file": str(folder / "two.jsonl"), "entries": None, "sealed": True}
            assert leaks(told_by(logged) + (folder / "two.jsonl").read_text("utf-8")) == []
    assert len(said) == 1

    # Whoever may see it all gets it as it is.
    lea = Path(shutil.copytree(banks[0], tmp_path / "lea"))
    for name in ("lea", "ben"):
        with Bank.open(lea / "bank.sqlite", reader=name) as bank:
            if name == "ben":
                bank.review.lock("ben", paradigm=None, dataset=None)
                # And has looked at what was answered in studies, which no lock opens.
                bank.gate.look()
        assert by(gapsmith, name, "bank", "log", tmp_path / f"{name}.jsonl", "-w", lea).code == 0
        assert SAID[0] in (tmp_path / f"{name}.jsonl").read_text("utf-8")


def test_a_sealed_log_goes_to_the_lead_and_not_round_the_gate(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    done, _ = as_ben(gapsmith, banks[0], ["bank", "log", "log.jsonl"], tmp_path / "made")
    log = tmp_path / "made" / "log.jsonl"
    assert done.code == 0
    # A bank of one's own would show it all.
    assert by(gapsmith, "ben", "init", tmp_path / "bens").code == 0
    refused = by(gapsmith, "ben", "bank", "merge", log, "-w", tmp_path / "bens")
    assert refused.code != 0
    assert "is sealed, since ben may not see yet what others said" in refused.err
    assert "Send it to lea, who merges it" in refused.err
    with Bank.open(tmp_path / "bens" / "bank.sqlite") as bank:
        assert bank.items.count() == 0
    # The lead may take it anywhere, and gets everything.
    assert by(gapsmith, "lea", "init", tmp_path / "leas").code == 0
    assert by(gapsmith, "lea", "bank", "merge", log, "-w", tmp_path / "leas").code == 0
    excluded = by(gapsmith, "lea", "export", "decisions", "--all", "-w", tmp_path / "leas")
    assert excluded.out.count(SAID[0]) == 4
    # Into a copy of the bank anybody may merge it: it hides there what it hid here.
    copy = Path(shutil.copytree(banks[0], tmp_path / "copy"))
    with Bank.open(copy / "bank.sqlite", reader="lea") as bank:
        bank.gate.hand_on("kim")
    assert by(gapsmith, "ben", "bank", "merge", log, "-w", copy).code == 0
    assert leaks(by(gapsmith, "ben", "show", "-w", copy).out) == []
    assert by(gapsmith, "kim", "bank", "merge", log, "-w", copy).code == 0


def test_a_sealed_log_that_was_changed_is_refused(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    done, _ = as_ben(gapsmith, banks[0], ["bank", "log", "log.jsonl"], tmp_path / "made")
    assert done.code == 0
    lines = (tmp_path / "made" / "log.jsonl").read_text("utf-8").splitlines()
    for number, (changed, said) in enumerate(
        (
            ([lines[0], lines[1], lines[2].replace('"lines":"', '"lines":"AAAA'), *lines[3:]], "cannot be unsealed"),
            ([*lines[:2], lines[-1]], "were written and 0 are here"),
            (lines[:-1], "breaks off"),
        )
    ):
        path = tmp_path / f"changed{number}.jsonl"
        path.write_text("\n".join(changed) + "\n", "utf-8")
        refused = by(gapsmith, "lea", "bank", "merge", path, "-w", shutil.copytree(banks[0], tmp_path / f"ws{number}"))
        assert refused.code != 0
        assert said in refused.err


def test_a_bank_of_one_person_shows_everything_whatever_the_name(gapsmith: Run, tmp_path: Path) -> None:
    """The account began it, and the settings name its owner only later: nothing is left out and nothing said."""
    assert gapsmith("generate", "subject_pg", "-n", "3", "--seed", "1").code == 0
    (tmp_path / "gapsmith.toml").write_text('annotator = "Jane"\n', encoding="utf-8")
    gapsmith("decide", "exclude", "1", "--reason", "unnatural")
    gapsmith("lint")
    gapsmith("decide", "--policy", "clean", "--severity", "error")
    shown = gapsmith("show")
    assert "exclude by Jane, unnatural" in shown.out
    assert "left out" not in shown.err + gapsmith("export", "csv").err + gapsmith("runs", "list").err


def test_agreement_says_what_the_lead_could_have_seen(banks: tuple[Path, Path], tmp_path: Path) -> None:
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="lea") as bank:
        assert not any("leads this bank" in line for line in agreement_lines(bank))
        bank.decisions.decide(bank.items.ids()[:3], Verdict.APPROVE, author="lea")
        assert any("3 of lea's labels came after another's" in line for line in agreement_lines(bank))


def test_on_screens_the_lead_is_an_annotator_like_others(banks: tuple[Path, Path], tmp_path: Path) -> None:
    with Bank.open(Path(shutil.copytree(banks[0], tmp_path / "ws")) / "bank.sqlite", reader="lea") as bank:
        session = Session(bank, "lea", scope=Scope("subject_pg", None))
        view = session.view(1)
        assert view.blind
        assert (view.decisions, view.comments, view.queue_row.status) == ((), (), ItemStatus.PENDING)
        assert [d.author for d in session.peek(1).decisions] == ["ann"]
        assert [peek.author for peek in bank.review.peeks(1)] == ["lea"]


def test_a_refusal_names_the_command_that_was_typed(
    gapsmith: Run, banks: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "ben")
    monkeypatch.chdir(banks[0])
    assert "`annotations decisions` tells what the others decided" in gapsmith("annotations", "decisions").err
    assert "`agreement` tells what the others decided" in gapsmith("agreement").err


@pytest.mark.parametrize("scorer", ["ben", "ann"])
def test_which_items_were_measured_is_not_told(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path, scorer: str) -> None:
    """What ben measures are all items; of what others measured in part he gets no table by item."""
    told: list[list[str]] = []
    for place, ws in enumerate(banks):
        _, scored = as_ben(gapsmith, ws, ["next"], tmp_path / str(place)), tmp_path / str(place) / "ws"
        measured = by(gapsmith, scorer, "score", "--model", "bundled", "-w", scored)
        assert measured.code == 0, measured.err
        told.append([])
        for words in ("export items --all", "export long --all", "analyze --all --json", "analyze --json"):
            done = by(gapsmith, "ben", *words.split(), "--model", "bundled", "-w", scored)
            told[-1].append(f"{done.code} {re.sub(ID_OR_TIME, '', done.out) if '--all' in words else ''}")
        if scorer == "ben":
            assert f"measures all {len(LABELS)} items" in measured.err or "12 items" in measured.err
    assert told[0] == told[1]
    assert all(one[0] == ("0" if scorer == "ben" else "2") for one in told[0][:3])


ID_OR_TIME = re.compile(r'"(digest|at|uid|item_uid|text_digest|wording)": "[^"]*"')


def test_a_scorer_that_measured_a_part_is_left_out_of_tables_and_the_others_stay(gapsmith: Run, banks: tuple[Path, Path]) -> None:
    told = "part (scorer 1) is left out: it has measured 40 of 96 sentences, and which ones would tell ben which items others approved."
    for kind in ("long", "tokens", "items"):
        done = by(gapsmith, "ben", "export", kind, "--all", "-w", banks[0])
        assert done.code == 0, done.err
        assert told in " ".join(done.err.split())
        assert {row["model"] for row in csv.DictReader(done.out.splitlines())} == {"chosen"}
        lead = by(gapsmith, "lea", "export", kind, "--all", "-w", banks[0])
        assert {row["model"] for row in csv.DictReader(lead.out.splitlines())} == {"chosen", "part"}
        assert by(gapsmith, "ben", "export", kind, "--all", "--model", "part", "-w", banks[0]).code == 2
    with api.open_workspace(banks[0], reader="ben") as study, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert set(api.frame(study, everything=True)["model"]) == {"chosen"}
    assert told in [str(one.message) for one in caught]


def test_suites_by_what_narrows_approved_items_are_refused(gapsmith: Run, banks: tuple[Path, Path], tmp_path: Path) -> None:
    as_ben(gapsmith, banks[0], ["next"], tmp_path / "made")
    common = ["--lengths", 20, "--model", "bundled", "--seed", 1]
    for words in (["context", "draw", "y", "--type", "matched"], ["study", "context", "--dry-run"]):
        refused = by(gapsmith, "ben", *words, *common, "--suites-by", "noun", "-w", tmp_path / "made" / "ws")
        assert (refused.code, refused.out) == (2, ""), refused.err
        assert "would tell ben which items others approved" in refused.err, refused.err
