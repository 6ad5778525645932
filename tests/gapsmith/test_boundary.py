"""Files of others come in at one place (`gapsmith.templates.boundary`): pipes and devices are refused at every door, and what is larger
than what is read is refused with the limit and the setting that moves it. Nothing that is read raises what is no error of ours."""

from __future__ import annotations

import ast
import csv
import dataclasses
import gzip
import io
import itertools
import json
import lzma
import os
import random
import signal
import time
import typing
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

import gapsmith as program
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.bank.formats import ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.catalogue import Format
from gapsmith.bank.formats.xlsx import write_xlsx
from gapsmith.parsing.conllu import read_treebank
from gapsmith.scoring.lm import find_source
from gapsmith.templates import (
    ConfigError,
    DocumentError,
    FileLimitError,
    FormatError,
    GapsmithError,
    Limits,
    Registry,
    file_sha256,
    packed_lines,
    read_json,
    read_toml,
    text_of,
    within,
)
from gapsmith.training.corpus.readers import FORMATS
from tests.conftest import CommandOutcome
from tests.rooms import ROOMS, trees_of, walked

Run = Callable[..., CommandOutcome]

# ---- one place


READING = frozenset({"open", "read_text", "read_bytes"})
OURS: dict[str, str] = {
    "app/audit_page.py": "the style and the first line of a table of ours, before it is written over",
    "app/stages/published.py": "engines, no files",
    "bank/passing.py": "leases, of which the open one has said that it is a file",
    "app/manifests.py": "the program's own files, for their digest",
    "app/stages/publishing.py": "what it has just written, for the card and the digests",
    "scoring/unigrams.py": "counts that ship",
    "templates/hashing.py": "after the boundary has said what it is",
    "app/r_check.py": "what R wrote at our asking",
    "scoring/report/trail.py": "a style that ships",
    "scoring/report/build.py": "a style that ships",
    "scoring/report/models.py": "a table that ships",
    "scoring/lm/pickled.py": "parts of an archive that the boundary has measured",
    "scoring/lm/golden.py": "values that ship",
    "scoring/lm/kernels.py": "what the system says of the processor, and choices that the program kept",
    "scoring/lm/opening.py": "opens engines, no files",
    "scoring/analysis/posh/published.py": "tables that ship",
    "prompts/engine.py": "batches, no files",
    "prompts/batches.py": "batches, no files",
    "prompts/yields.py": "batches, no files",
    "app/stages/guide.py": "batches, no files",
    "bank/formats/workbook.py": "parts of an archive that the boundary has measured",
    "training/corpus/named.py": "recipes and filters that ship",
    "training/corpus/mixing.py": "what it has just written",
    "training/config.py": "sizes that ship",
    "training/grid.py": "grids that ship",
    "training/checkpoints.py": "files of ours that are written to the disk",
    "vetting/lint_digest.py": "the program's own files",
    "vetting/web/server.py": "a page that ships",
    "vetting/rules/fillers.py": "a table of a package",
    "vetting/rules/rule_pages.py": "pages that ship",
    "vetting/rules/measured.py": "tables that ship",
    "vetting/rules/knowledge.py": "tables that ship",
    "vetting/wordrates/__init__.py": "tables that ship",
    "vetting/frequency/table.py": "tables that ship",
    "stats/bayes.py": "a table that ships",
}
"""Modules that open something else than files of others, and what."""
NO_FILES = frozenset({"Bank", "workspace", "webbrowser", "os", "chosen"})
"""What else has an `open`."""


def _reads(node: ast.Call) -> bool:
    """Whether a call opens a file to read it."""
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    if name not in READING:
        return False
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in NO_FILES:
        return False
    modes = [*node.args[:2], *(word.value for word in node.keywords if word.arg == "mode")]
    written = {mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)}
    return not any(mode[:1] in ("w", "x", "a") or mode == "rb+" for mode in written)


def test_files_of_others_are_opened_at_one_place() -> None:
    """A new `open`, `read_text` or `read_bytes` goes through the boundary, or is said here to be of a file of ours."""
    found: dict[str, list[int]] = {}
    for name, tree in trees_of(*ROOMS):
        if name == "templates/boundary.py":
            continue
        for node in walked(tree):
            if isinstance(node, ast.Call) and _reads(node):
                found.setdefault(name, []).append(node.lineno)
    others = {name: lines for name, lines in found.items() if name not in OURS}
    assert not others
    assert not {name for name in OURS if name not in found}


# ---- pipes and devices


READ: dict[tuple[str, str], str] = {
    ("paradigm draft", "file"): "paradigm draft {}",
    ("paradigm draft", "mapping"): "paradigm draft pairs.csv --mapping {}",
    ("import", "file"): "import {}",
    ("import", "mapping"): "import pairs.csv --mapping {}",
    ("import-scores", "file"): "import-scores {} --model m --unit bits",
    ("decide", "csv"): "decide --csv {}",
    ("generate", "prices"): "generate subject_pg -n 1 --provider openai --model gpt-x --prices {}",
    ("audit", "file"): "audit {}",
    ("audit", "mapping"): "audit pairs.csv --mapping {}",
    ("packet make", "judge"): "packet make out.xlsx --for ann --judge {}",
    ("packet take", "file"): "packet take {}",
    ("assign", "known"): "assign --to ann --by lead --known {}",
    ("judge results", "file"): "judge results {}",
    ("bank merge", "sources"): "bank merge {}",
    ("bank restore", "file"): "bank restore {}",
    ("bank check", "file"): "bank check {}",
    ("bank check", "report"): "bank check --report {}",
    ("analyze", "kinds"): "analyze --by model --kinds {}",
    ("model convert", "checkpoint"): "model convert {} words.txt --out lstm",
    ("model convert", "vocabulary"): "model convert nosuch.pt {} --out lstm",
    ("train lm", "corpora"): "train lm {} --config add-one --out lm",
    ("train grid", "file"): "train grid {} --out grid",
    ("train parser", "treebank"): "train parser {} --out parser",
    ("export", "citation"): "export hub --all --title T --license mit --citation {} -o hub",
    ("count-constructions", "files"): "study count-constructions {}",
    ("context draw", "text"): "context draw c --type unrelated --lengths 5 --model bundled --all --text {}",
    ("context add", "file"): "context add c {} --model bundled",
}
"""Fields of requests that name a file to be read, with a command that reads it."""
LIKE_ANOTHER = {
    **{(stage, "kinds"): "analyze" for stage in ("power", "report")},
    **{
        (stage, "unigram"): "counted by `packed_lines`"
        for stage in ("analyze", "report", "publish", "frame", "export", "licensing")
    },
    **{(stage, "counts"): "counted by `packed_lines`" for stage in ("licensing", "posh")},
    **{(stage, "prices"): "generate" for stage in ("runs watch", "lint")},
    ("packet take", "judge"): "packet make",
    ("publish", "citation"): "export",
    ("train lm", "valid"): "its corpora",
    ("train audit", "corpus"): "a folder",
    ("train audit", "answers"): "a table of a corpus that has to be made first, read at the boundary",
    ("train counts", "corpora"): "folders",
    ("context study", "text"): "context draw",
    ("reproduce", "record"): "a text of ours, read as `judge results` reads a study",
    ("export", "fillers"): "import",
    ("dataset recognise", "folder"): "a folder",
    ("posh", "grid"): "a folder",
    ("import", "save_mapping"): "written",
    ("judge new", "file"): "written",
    ("judge results", "csv"): "written",
    ("packet make", "file"): "written",
    ("init", "directory"): "a folder",
    ("prompt copy", "target"): "written",
    ("bank backup", "to"): "written",
    ("bank log", "file"): "written",
}


def test_every_field_that_names_a_file_is_known() -> None:
    """A new one is given a command above, or a reason."""
    found = set()
    for name, stage in STAGES.items():
        kinds = typing.get_type_hints(stage.request_type())
        for field in dataclasses.fields(stage.request_type()):
            if "Path" in str(kinds[field.name]) and field.name != "out":
                found.add((name, field.name))
    assert found == {*READ, *LIKE_ANOTHER}


@pytest.fixture
def place(tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A workspace with two pairs."""
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lead")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    (tmp_path / "pairs.csv").write_text("sentence_good,sentence_bad\nHe runs.,He run.\nShe runs.,She run.\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("<unk>\n<eos>\n", encoding="utf-8")
    gapsmith("init", ".")
    assert gapsmith("import", "pairs.csv", "--first", "good").code == 0
    return gapsmith


def _refuse_pipes(place: Run, folder: Path, *, with_models: bool) -> None:
    ends = (".csv", ".xlsx", ".toml", ".txt", ".conllu")
    pipes = {end: folder / f"pipe{end}" for end in ends}
    for pipe in pipes.values():
        os.mkfifo(pipe)
    usual = {("judge results", "file"): ".toml", ("packet make", "judge"): ".toml", ("packet take", "file"): ".xlsx"}
    usual |= {("count-constructions", "files"): ".conllu", ("train parser", "treebank"): ".conllu"}
    usual |= {
        ("train grid", "file"): ".toml",
        ("train lm", "corpora"): ".txt",
        ("context draw", "text"): ".txt",
        ("context add", "file"): ".txt",
    }
    for door, line in READ.items():
        if (door[0].split()[0] in ("context", "train")) != with_models:
            continue
        outcome = place(*(part.replace("{}", str(pipes[usual.get(door, ".csv")])) for part in line.split()))
        assert outcome.code in (1, 2), (door, outcome.err)
        assert "Traceback" not in outcome.err, door
        assert "is a pipe and no file" in outcome.err, door


def test_a_pipe_is_refused_at_every_door(place: Run, tmp_path: Path) -> None:
    """Nobody writes into this one, so whoever opened it would wait for ever."""
    _refuse_pipes(place, tmp_path, with_models=False)


def test_a_pipe_in_a_workspace_is_refused_and_not_passed_over(
    place: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As are the user's own settings: what stands there was meant to be used."""
    monkeypatch.setenv("GAPSMITH_CONFIG", str(tmp_path / "config"))
    for name, command in (
        ("config", "show"),
        ("bank.sqlite", "show"),
        ("bank.sqlite", "init ."),
        ("gapsmith.toml", "show"),
        ("paradigms/mine.toml", "paradigm list"),
        ("lexicons/word_rules.csv", "lint"),
        ("lexicons/nouns.csv", "lint"),
        ("prompts/mine.jinja", "prompt list"),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if path.exists():
            path.rename(tmp_path / "aside")
        os.mkfifo(path)
        outcome = place(*command.split())
        path.unlink()
        if (tmp_path / "aside").exists():
            (tmp_path / "aside").rename(path)
        assert outcome.code in (1, 2), name
        assert f"{name}: is a pipe and no file" in outcome.err
    monkeypatch.setenv("GAPSMITH_CONFIG", os.devnull)
    assert place("show").code == 0


@pytest.mark.full
def test_a_pipe_is_refused_where_a_model_is_opened(place: Run, tmp_path: Path) -> None:
    """The same at the doors that open a model."""
    _refuse_pipes(place, tmp_path, with_models=True)


@pytest.mark.parametrize("read", [text_of, file_sha256, lambda path: list(packed_lines(path))])
def test_what_is_no_file_is_called_so(read: Callable[[Path], object], tmp_path: Path) -> None:
    """A device without an end, and a pipe."""
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((Path("/dev/zero"), "a device"), (tmp_path / "pipe", "a pipe")):
        with pytest.raises(FormatError, match=f"is {kind} and no file"):
            read(path)


# ---- limits


def _workbook(path: Path, rows: int) -> None:
    write_xlsx(path, [["sentence_good", "sentence_bad"], *([f"He runs {n}.", f"He run {n}."] for n in range(rows))])


def _too_large(name: str, folder: Path) -> tuple[Limits, Callable[[], object]]:
    """Limits that a file of a few kilobytes is beyond, and what reads it."""
    many = "He runs.\n" * 300_000
    if name == "file_mb":
        path = folder / "many.txt"
        path.write_text(many, encoding="utf-8")
        return Limits(file_mb=1), lambda: read_foreign(SourceFile(path, ReadOptions(first="good")))
    if name == "unpacked workbook":
        path = folder / "bomb.xlsx"
        _workbook(path, 2)
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/media/zeros.bin", bytes(3_000_000))
        return Limits(file_mb=1), lambda: read_foreign(SourceFile(path, ReadOptions(first="good")))
    if name == "corpus_mb":
        path = folder / "many.txt.gz"
        path.write_bytes(gzip.compress(many.encode()))
        return Limits(corpus_mb=1), lambda: list(packed_lines(path))
    if name == "line_mb":
        path = folder / "line.txt.xz"
        path.write_bytes(lzma.compress(b"x" * 5_000_000))
        return Limits(line_mb=1), lambda: list(packed_lines(path))
    if name == "line_mb, treebank":
        path = folder / "line.conllu.xz"
        path.write_bytes(lzma.compress(b"x" * 5_000_000))
        return Limits(line_mb=1), lambda: list(read_treebank(path))
    if name == "rows":
        path = folder / "rows.csv"
        path.write_text(
            "sentence_good,sentence_bad\n" + "".join(f"He runs {n}.,He run {n}.\n" for n in range(9)), encoding="utf-8"
        )
        return Limits(rows=5), lambda: read_foreign(SourceFile(path, ReadOptions()))
    if name == "rows of a workbook":
        path = folder / "rows.xlsx"
        _workbook(path, 9)
        return Limits(rows=5), lambda: read_foreign(SourceFile(path, ReadOptions()))
    if name == "columns":
        path = folder / "wide.csv"
        path.write_text(
            "item,condition,sentence," + ",".join(f"c{n}" for n in range(20)) + "\n1,a,He runs." + "," * 20 + "\n", "utf-8"
        )
        return Limits(columns=9), lambda: read_foreign(SourceFile(path, ReadOptions()))
    if name == "digits":
        path = folder / "digits.csv"
        path.write_text("item,condition,sentence\n1,a,He runs.\n" + "9" * 30 + ",b,He run.\n", "utf-8")
        return Limits(digits=20), lambda: read_foreign(SourceFile(path, ReadOptions()))
    if name == "digits of a workbook":
        path = folder / "digits.xlsx"
        write_xlsx(path, [["item", "condition", "sentence"], ["9" * 30, "a", "He runs."], ["9" * 30, "b", "He run."]])
        return Limits(digits=20), lambda: read_foreign(SourceFile(path, ReadOptions()))
    path = folder / "corpus.xml"
    path.write_text("<a>" + "<p>He runs.</p>" * 200_000 + "</a>", encoding="utf-8")
    return Limits(file_mb=1), lambda: list(FORMATS["bnc"][1](path))


@pytest.mark.parametrize(
    "name",
    [
        *("file_mb", "unpacked workbook", "corpus_mb", "line_mb", "line_mb, treebank", "rows", "rows of a workbook", "columns"),
        *("digits", "digits of a workbook", "file_mb of XML"),
    ],
)
def test_a_refusal_names_the_limit_and_the_setting(name: str, tmp_path: Path) -> None:
    """With the file, and what to do."""
    limited, read = _too_large(name, tmp_path)
    limit = (
        name.split(maxsplit=1)[0].rstrip(",") if "_mb" in name or name.startswith(("rows", "columns", "digits")) else "file_mb"
    )
    with within(limited), pytest.raises(FileLimitError) as caught:
        read()
    assert f"(limit {limit})" in caught.value.message
    assert str(tmp_path) in caught.value.message
    assert f"GAPSMITH_LIMITS={limit}=NUMBER" in caught.value.hint


def test_how_deep_lists_may_stand() -> None:
    """In JSON and TOML, whatever Python itself could read."""
    assert read_json("[" * 200 + "]" * 200)
    for text in ("[" * 201 + "]" * 201, "[" * 500_000, '{"a":' * 300 + "1" + "}" * 300):
        with pytest.raises(DocumentError):
            read_json(text)
    for text in ("a = " + "[" * 300 + "]" * 300, "a = " + "[" * 100_000):
        with pytest.raises(DocumentError):
            read_toml(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"a = {'9' * 1500}", read_toml),
        (f"a = 0x{'f' * 1500}", read_toml),
        (f"a = 1.{'5' * 1500}", read_toml),
        (f'{{"a": [1, -{"9" * 1500}]}}', read_json),
        (f"[0.{'3' * 1500}]", read_json),
    ],
)
def test_how_many_digits_a_number_may_have(text: str, read: Callable[[str], object]) -> None:
    """In JSON and TOML; a text may have more of them."""
    with pytest.raises(DocumentError, match=r"at most 1,000 are read \(limit digits"):
        read(text)
    with within(Limits(digits=2000)):
        assert read(text)
    assert read(f'"a" = "{"9" * 1500}"' if read is read_toml else f'["{"9" * 1500}"]')


@pytest.mark.parametrize("key", [".".join(["a"] * 100_000), "[" + " . ".join(['"a"'] * 100_000) + "]\nb"])
def test_a_key_of_many_parts_is_refused_before_it_is_read(key: str) -> None:
    """What that takes grows with the square of the parts."""
    with pytest.raises(DocumentError, match="limit depth"):
        read_toml(f"{key} = 1\n")
    assert read_toml('a = "' + "Ha." * 500 + "\"\nb = '''" + "ha." * 500 + "'''\nc.d = 1\n")


@pytest.mark.parametrize(("ending", "sign"), [(".csv", "_"), (".html", "<a "), (".txt", "# "), (".md", "# **a ")])
def test_one_line_of_a_sign_does_not_take_the_square_of_its_length(ending: str, sign: str, tmp_path: Path) -> None:
    """It is refused for what it is, long before its time is over."""
    path = tmp_path / f"line{ending}"
    path.write_text(sign * 100_000, encoding="utf-8")
    with within(Limits(seconds=60)), pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path, ReadOptions(first="good")))
    assert not isinstance(caught.value, FileLimitError)


def test_what_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a reader takes all errors for the file's: the format of a package, here."""

    def recognise(source: SourceFile) -> str | None:
        try:
            time.sleep(600)
        except Exception:  # noqa: BLE001 - as careless code has it
            return None
        return None

    def read(source: SourceFile, told: object) -> typing.NoReturn:
        raise NotImplementedError

    careless = Format("careless", "what waits", recognise, read)
    monkeypatch.setattr("gapsmith.bank.formats.catalogue.FORMATS", Registry("none", "format", Format, {"careless": careless}))
    path = tmp_path / "pairs.csv"
    path.write_text("sentence_good,sentence_bad\nHe runs.,He run.\n", encoding="utf-8")
    with within(Limits(seconds=1)), pytest.raises(FileLimitError, match=r"at most 1 s are given to a file") as caught:
        read_foreign(SourceFile(path))
    assert str(path) in caught.value.message
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_where_there_is_no_timer_the_next_row_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a thread, by a clock that goes a thousand seconds at each look."""
    path = tmp_path / "pairs.csv"
    path.write_text("sentence_good,sentence_bad\nHe runs.,He run.\n", encoding="utf-8")
    ticks = itertools.count(step=1000)
    monkeypatch.setattr("gapsmith.templates.boundary.time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    with ThreadPoolExecutor() as threads, pytest.raises(FileLimitError, match="limit seconds"):
        threads.submit(read_foreign, SourceFile(path)).result()


@pytest.mark.parametrize("read", [lambda path: list(packed_lines(path)), lambda path: list(read_treebank(path))])
def test_the_time_of_lines_is_that_of_reading_them(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes a thousand seconds at each look."""
    path = tmp_path / "text.conllu"
    path.write_text("1\tRain\train\tNOUN\t_\t_\t0\troot\t_\t_\n\n" * 4, encoding="utf-8")
    ticks = itertools.count(step=1000)
    monkeypatch.setattr("gapsmith.templates.boundary.time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    with pytest.raises(FileLimitError, match=r"line 4: .*limit seconds"):
        read(path)


def _weights(folder: Path, header: bytes, *, length: int | None = None) -> Path:
    """The directory of a model with that header before its weights."""
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    said = len(header) if length is None else length
    (folder / "model.safetensors").write_bytes(said.to_bytes(8, "little") + header)
    return folder


@pytest.mark.parametrize(
    ("header", "length", "says"),
    [
        (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", None, "lists inside lists|limit depth"),
        (b'{"a": {"shape": [' + b"9" * 5000 + b"]}}", None, "limit digits"),
        (b"{}", 2**63, "no safetensors file, or not all of one"),
        (b"", 0, "no safetensors file, or not all of one"),
        (b"not JSON", None, "not JSON"),
    ],
)
def test_headers_of_weights_are_read_within_the_limits(header: bytes, length: int | None, says: str, tmp_path: Path) -> None:
    """Before a library of others has them."""
    with pytest.raises(GapsmithError, match=says) as caught:
        find_source(str(_weights(tmp_path / "model", header, length=length)))
    assert "model.safetensors" in caught.value.message


def test_what_describes_a_model_is_no_larger_than_a_file_of_others(tmp_path: Path) -> None:
    """The tokenizer's files, and a header of a megabyte too many."""
    folder = _weights(tmp_path / "model", b" " * 1_200_000 + b"{}")
    with within(Limits(file_mb=1)):
        with pytest.raises(FileLimitError, match="a header of"):
            find_source(str(folder))
        (folder / "tokenizer.json").write_text(" " * 1_200_000, encoding="utf-8")
        with pytest.raises(FileLimitError, match=r"tokenizer\.json"):
            find_source(str(folder))


def test_limits_are_the_users_to_set_and_hold_at_both_doors(place: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the user's file or the environment, not by the workspace's file, which may be a stranger's."""
    table = tmp_path / "more.csv"
    table.write_text("sentence_good,sentence_bad\nIt runs.,It run.\nAnn runs.,Ann run.\n", encoding="utf-8")
    monkeypatch.setenv("GAPSMITH_LIMITS", "rows=1,depth=9")
    refused = place("import", str(table), "--first", "good")
    assert refused.code == 2
    assert "more than 1 rows" in refused.err
    with program.open_workspace(tmp_path) as workspace, pytest.raises(FileLimitError):
        program.import_file(workspace, table, first="good")
    audited = place("audit", str(table), "-o", "audit.html")
    assert "GAPSMITH_LIMITS=rows=NUMBER" in audited.err
    for said, why in (("rows=x", "whole number"), ("digits=5000", "more than 4,300 digits"), ("lines=4", "no limit 'lines'")):
        monkeypatch.setenv("GAPSMITH_LIMITS", said)
        assert why in place("import", str(table), "--first", "good").err
    monkeypatch.delenv("GAPSMITH_LIMITS")
    (tmp_path / "gapsmith.toml").write_text("[limits]\nrows = 5\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="limits is not for a workspace to say"):
        program.open_workspace(tmp_path)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    assert place("import", str(table), "--first", "good").code == 0


# ---- fuzz


def _seeds(folder: Path) -> Iterator[tuple[str, bytes, Callable[[Path], object]]]:
    """(ending, a sound file, what reads it)."""

    def foreign(path: Path) -> object:
        return read_foreign(SourceFile(path, ReadOptions(first="good")))

    rows = [["item", "condition", "sentence"], *([str(n // 2), "ab"[n % 2], f"He runs {n}."] for n in range(6))]
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    records = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    yield ".csv", stream.getvalue().encode(), foreign
    yield ".tsv", stream.getvalue().replace(",", "\t").encode(), foreign
    yield ".json", json.dumps(records).encode(), foreign
    yield ".jsonl", "".join(json.dumps(record) + "\n" for record in records).encode(), foreign
    yield ".txt", b"He runs.\nHe run.\n\nShe runs.\nShe run.\n", foreign
    write_xlsx(folder / "seed.xlsx", rows)
    yield ".xlsx", (folder / "seed.xlsx").read_bytes(), foreign
    treebank = "".join(f"{n}\tword\tword\tNOUN\t_\t_\t{n - 1}\t{'root' if n == 1 else 'obj'}\t_\t_\n" for n in range(1, 5)) + "\n"
    yield ".conllu", treebank.encode(), lambda path: list(read_treebank(path))
    yield ".conllu.xz", lzma.compress(treebank.encode()), lambda path: list(read_treebank(path))
    yield ".txt.gz", gzip.compress(b"He runs.\nShe runs.\n"), lambda path: list(packed_lines(path))
    yield ".xml", b"<a><p>He runs.</p><p>She runs.</p></a>", lambda path: list(FORMATS["bnc"][1](path))
    yield ".cha", b"@Begin\n*CHI:\the runs .\n@End\n", lambda path: list(FORMATS["chat"][1](path))


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The file with some of its bytes changed, cut, doubled or put elsewhere."""
    made = bytearray(content)
    odd = [
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b'"',
        b"\n\n\n",
        b"[" * 400,
        b"9" * 5000,
        b"\xe2\x80\xae",
        b",,,,",
        b"\\u0000",
        b"1e999",
    ]
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(made) + 1)
        kind = rng.randrange(5)
        if kind == 0 and made:
            made[at % len(made)] = rng.randrange(256)
        elif kind == 1:
            del made[at : at + rng.randint(1, 40)]
        elif kind == 2:
            made[at:at] = made[at : at + rng.randint(1, 200)] * rng.randint(1, 4)
        elif kind == 3:
            made[at:at] = rng.choice(odd)
        else:
            piece = made[at : at + 30]
            del made[at : at + 30]
            other = rng.randrange(len(made) + 1)
            made[other:other] = piece
    return bytes(made)


def _fuzz(folder: Path, times: int, seed: int) -> None:
    for ending, content, read in _seeds(folder):
        rng = random.Random(f"{seed}{ending}")
        for number in range(times):
            path = folder / f"fuzz{ending}"
            path.write_bytes(damaged(content, rng))
            try:
                read(path)
            except GapsmithError:
                continue
            except Exception as error:
                kept = folder / f"found-{number}{ending}"
                path.rename(kept)
                raise AssertionError(f"{kept}: {type(error).__name__}: {error}") from error


def test_damaged_files_are_read_or_refused_in_words(tmp_path: Path) -> None:
    """The same few of each kind every time."""
    _fuzz(tmp_path, 8, seed=1)


@pytest.mark.full
def test_many_damaged_files_are_read_or_refused_in_words(tmp_path: Path) -> None:
    """A thousand of each kind."""
    _fuzz(tmp_path, 1000, seed=2)
