"""The program as a process: what it imports, what it prints where, and how it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest
import typer
from rich.table import Table
from rich.text import Text

import gapsmith as api
from gapsmith.app.cli import COMMANDS, GROUPS, MOVED, STUDY, typed
from gapsmith.app.cli.by_name import CommandsByName
from gapsmith.app.cli.console import error, guarded, note, print_table, print_text
from gapsmith.app.stages.catalogue import STAGES
from tests.conftest import CommandOutcome
from tests.gapsmith import walking
from tests.printed import results
from tests.rooms import ROOMS, ROOT, files_of

HEAVY = {
    "torch",
    "transformers",
    "textual",
    "openai",
    "google.genai",
    "pandas",
    "scipy",
    "spacy",
    "stanza",
    "matplotlib",
}
Run = Callable[..., CommandOutcome]


def imported_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running `code`."""
    script = f"{code}\nimport sys; print(chr(10).join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["lint", "--help"], ["paradigm", "--help"], ["study", "--help"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['gapsmith', *{arguments!r}]\n"
        "from gapsmith.app.cli.app import main\ntry:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert not HEAVY & imported_after(code)


def test_the_review_opens_without_what_only_numbers_and_parsers_need() -> None:
    code = "import gapsmith.app.cli.review, gapsmith.vetting.review, gapsmith.vetting.sentence_parse, gapsmith.vetting.tui"
    assert not (HEAVY - {"textual"}) & imported_after(code)


def test_an_analysis_imports_neither_tables_nor_models_nor_searches() -> None:
    code = (
        "import gapsmith.app.cli.analyze, gapsmith.scoring.report.tables\n"
        "from gapsmith.stats import one_sample_t, word_test\n"
        "one_sample_t([1.0, 2.0, 4.0], effect_interval=True)"
    )
    assert not {"pandas", "torch", "matplotlib", "scipy.optimize", "scipy.stats"} & imported_after(code)


def test_help_imports_no_command_and_a_command_no_other() -> None:
    ours = {f"gapsmith.app.cli.{command.module}" for command in COMMANDS.values()}
    code = "import sys; sys.argv = ['gapsmith', *{}]\nfrom gapsmith.app.cli.app import main\ntry: main()\nexcept SystemExit: pass"
    assert not {*ours, "rich"} & imported_after(code.format(["--help"]))
    assert ours & imported_after(code.format(["rule", "L101"])) == {"gapsmith.app.cli.rule"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    command = CommandsByName().get_command(None, name)
    assert command.name == name
    first_paragraph, _, _ = command.help.partition("\n\n")
    assert COMMANDS[name].help == " ".join(first_paragraph.split())


def test_every_command_of_every_module_is_listed() -> None:
    # Stages need no module of their own; tests/gapsmith/test_doors.py walks these.
    listed = [name for name, command in COMMANDS.items() if name in STAGES or not command.module]
    for module in {command.module for name, command in COMMANDS.items() if name not in listed}:
        root = typer.Typer()
        import_module(f"gapsmith.app.cli.{module}").register(root)
        listed += typer.main.get_group(root).commands
    assert sorted(listed) == sorted(COMMANDS)
    assert {name.partition(" ")[0] for name, stage in STAGES.items() if stage.command} <= set(COMMANDS)


def test_every_command_stands_under_one_heading_or_below_study(gapsmith: Run) -> None:
    shown = [name for names in GROUPS.values() for name in names]
    assert sorted(shown) == sorted({typed(name).partition(" ")[0] for name in COMMANDS})
    assert len(shown) == len(set(shown))
    help_text = gapsmith("--help").out
    under = {heading: re.findall(r"^  (\S+)  ", part, re.MULTILINE) for heading, part in re.findall(SECTION, help_text)}
    assert {heading: tuple(names) for heading, names in under.items() if heading != "Options"} == GROUPS
    # Instruments are below, with every study that ships.
    below = gapsmith("study", "--help").out
    for name in ("list", "gaps2025", "posh2026", *(new.partition(" ")[2] for new in MOVED if " " in new)):
        assert f" {name} " in below
    assert set(MOVED.values()) <= set(walking.commands())
    assert {new.partition(" ")[0] for new in MOVED} == {STUDY.module}


SECTION = re.compile(r"^([A-Z][a-z ]+):\n((?:  .*\n?)+)", re.MULTILINE)


@pytest.mark.full
def test_an_old_name_does_the_same_and_says_the_new_one_on_stderr(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n", encoding="utf-8")
    gapsmith("generate", "lan_pg", "-n", 2, "-w", ".")
    asked: dict[str, tuple[str, ...]] = {
        "reproduce": ("list", "--json"),
        "studies": ("--json",),
        "licensing": ("-p", "lan_pg", "--json"),
        "posh": ("--json",),
        "context study": ("-p", "lan_pg", "--all", "--lengths", "20", "--model", "bundled", "--dry-run", "--json"),
        "count-constructions": ("trees.mrg", "--json"),
    }
    assert set(asked) == set(MOVED.values())
    for old, arguments in asked.items():
        before, now = gapsmith(*old.split(), *arguments), gapsmith(*typed(old).split(), *arguments)
        note = f"`gapsmith {old}` is called `gapsmith {typed(old)}` now; the old name goes with the next release.\n"
        assert (before.code, before.err.startswith(note)) == (now.code, True), before.err
        assert "seconds" in now.out or before.out == now.out
        assert "is called" not in now.err
        assert f" {old.rpartition(' ')[2]} " not in gapsmith(*old.split()[:-1], "--help").out


def test_a_study_is_a_command_by_its_name_and_by_its_file(gapsmith: Run) -> None:
    assert "gaps2025" in gapsmith("study", "list").out
    assert "gapsmith study gaps2025" in gapsmith("study", "gaps2025", "--help").out
    missing = gapsmith("study", "nosuch.toml")
    assert (missing.code, "nosuch.toml: cannot be read" in missing.err) == (2, True)
    wrong = gapsmith("study", "licencing")
    assert (wrong.code, "Did you mean 'licensing'?" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("p",), {"paradigm", "plan", "power", "prompt", "packet", "publish"}),
        (("study", "gaps"), {"gaps2025"}),
        (("study", "posh", "--m"), {"--model", "--method"}),
        (("packet", ""), {"make", "take"}),
        (("posh",), set()),
    ],
)
def test_a_shell_completes_names_and_options(words: Sequence[str], offered: set[str]) -> None:
    asked = {"COMP_WORDS": " ".join(("gapsmith", *words)), "COMP_CWORD": str(len(words)), "_GAPSMITH_COMPLETE": "complete_bash"}
    code = "import sys; sys.argv[0] = 'gapsmith'; from gapsmith.app.cli.app import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | asked)
    assert set(done.stdout.split()) == offered


def test_no_page_and_no_help_names_a_command_by_what_it_was_called() -> None:
    old = re.compile(r"gapsmith (" + "|".join(own for own in MOVED.values()) + r")\b")
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))}
    texts |= {path: path.read_text(encoding="utf-8") for _, path in files_of(*ROOMS)}
    texts |= {path: path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.toml")}
    assert {str(path): found for path, text in texts.items() if (found := old.findall(text))} == {}


def test_the_package_runs_as_the_program(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gapsmith", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("gapsmith ")


@pytest.mark.parametrize("room", ["gapsmith.templates", "gapsmith.bank", "gapsmith.vetting.rules", "gapsmith.stats"])
def test_design_store_rules_and_statistics_import_no_model_screen_or_sdk(room: str) -> None:
    heavy = {"torch", "transformers", "textual", "openai", "google.genai", "spacy", "stanza"}
    # Faces are lazy: only all modules of a room say what it needs.
    code = (
        f"import importlib, pkgutil, {room} as room\n"
        "for found in pkgutil.walk_packages(room.__path__, room.__name__ + '.'): importlib.import_module(found.name)"
    )
    assert not heavy & imported_after(code)


def test_every_public_name_is_there() -> None:
    for name in dir(api):
        assert getattr(api, name) is not None
    with pytest.raises(AttributeError):
        getattr(api, "no_such_thing")  # noqa: B009


def test_version_and_help(gapsmith: Run) -> None:
    assert gapsmith("--version").out.startswith("gapsmith ")
    text = gapsmith("--help").out
    for command in ("generate", "lint", "decide", "score", "analyze", "report", "export", "import", "doctor", "demo"):
        assert command in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["no-such-command"], 2),
        (["lint"], 2),
        (["paradigm", "show", "nothing"], 2),
        (["generate", "nothing", "-n", "1"], 2),
        (["paradigm", "check", "/nowhere.toml"], 2),
    ],
)
def test_wrong_use_ends_with_code_two_and_no_traceback(gapsmith: Run, arguments: list[str], code: int) -> None:
    outcome = gapsmith(*arguments)
    assert outcome.code == code
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    assert outcome.err


@pytest.mark.full
def test_paradigm_commands(gapsmith: Run, tmp_path: Path) -> None:
    assert "subject_pg" in gapsmith("paradigm", "list").out
    shown = gapsmith("paradigm", "show", "subject_pg").out
    assert "I know who the story about __ is likely to amuse __ [soon]." in shown
    assert "pf_pg1_pg2 - mf_pg1_pg2" in shown
    checked = gapsmith("paradigm", "check", "lan_pg")
    assert checked.code == 0
    assert "8,064 items" in checked.out


def test_a_paradigm_that_loads_but_does_not_work_fails_the_check(gapsmith: Run, tmp_path: Path) -> None:
    text = api.load_paradigm("lan_pg").text.replace('words = ["soon", "eventually"]', 'words = ["soon", "before long"]')
    text = text.replace('description = "the adverb after gap 2"', 'description = "adverb"\nmax_words = 2')
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    outcome = gapsmith("paradigm", "check", path)
    assert outcome.code == 1
    assert "FAIL  the critical region has one word" in outcome.out


@pytest.mark.parametrize("words", ["paradigm show subject_pg", "train", "context", "train lm --help"])
def test_output_into_a_closed_pipe_is_no_error(words: str) -> None:
    command = f"{sys.executable} -c 'from gapsmith.app.cli.app import main; main()' {words} | head -c 0"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("columns", ["", "wide", "0"])
def test_a_width_that_is_no_number_is_no_width(gapsmith: Run, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = gapsmith("paradigm", "list")
    assert (shown.code, "subject_pg" in shown.out) == (0, True)
    assert max(map(len, shown.out.splitlines())) <= 120


def test_codes_in_a_strangers_file_do_not_reach_the_terminal(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (
        "Item,Condition,Sentence,\x1b[31mred\n"
        "1,\x1b[2Ja,The \x1b[31mcat\x1b]0;pwn\x07 \x9b2Jsleeps.,x\n1,b,The cats sleeps.,\x1b[1m\n"
    )
    (tmp_path / "\x1b[2Jesc.csv").write_text(table, encoding="utf-8")
    # Colours and progress as on a terminal.
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    commands = [
        ("import", "\x1b[2Jesc.csv", "-d", "esc", "--format", "csv"),
        ("show",),
        ("lint", "--level", "info"),
        ("paradigm", "show", "esc"),
        ("audit", "\x1b[2Jesc.csv"),
        ("audit", "\x1b[2Jesc.csv", "--format", "csv"),
        ("paradigm", "draft", "\x1b[2Jesc.csv"),
        ("runs", "list"),
        ("import", "\x1b[2Jnothing.csv"),
    ]
    said = {}
    for command in commands:
        done = gapsmith(*command)
        said[command[0]] = text = done.out + done.err
        for order in ("\x1b[2J", "\x1b[31m", "\x1b]", "\x07", "\x9b"):
            assert order not in text, (command, order)
    assert "\\x1b[31mcat\\x1b]0;pwn\\x07 \\x9b2Jsleeps." in said["show"]
    assert "\\x1b[2Jnothing" in said["import"]
    assert "\x1b[1m" in said["lint"]
    # What is for programs stays as it is, and a draft is the same file wherever it goes.
    assert gapsmith("export", "--all", "-d", "esc").out == table
    assert (
        tomllib.loads(gapsmith("paradigm", "draft", "\x1b[2Jesc.csv", "--format", "csv").out)["conditions"]["x_2ja"] == "\x1b[2Ja"
    )
    assert results(gapsmith("show", "--json").out)[0]["sentences"][0]["text"].startswith("The \x1b[31mcat")


def test_a_table_has_room_for_what_is_written_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    table = Table("one", "two")
    table.add_row("a\x1b[2Jb", Text("c\x9bd", style="bold").append("e\u202ef", style="red"))
    print_table(table)
    out = capsys.readouterr().out
    assert "a\\x1b[2Jb" in out
    assert "\x1b[1mc\\x9bd\x1b[0m\x1b[1;31me\\u202ef\x1b[0m" in out


def test_colons_and_brackets_are_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    said = "He wrote :x: and [b]this[/b] :smile:"
    note(said)
    table = Table(said)
    table.add_row(said)
    print_table(table)
    found = capsys.readouterr()
    assert said in found.err
    assert found.out.count(said) == 2


def test_ctrl_c_says_that_what_was_done_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer()

    @app.command()
    def endless() -> None:
        raise KeyboardInterrupt

    def run() -> None:
        with guarded():
            app([])

    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 130
    assert "run the same command again" in capsys.readouterr().err


def test_lines_on_a_narrow_terminal_end_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "31")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    said = "    ann: of those decided on the decisions stay. Nothing was changed by gapsmith/assign/--to/ann/--to/benjamin."
    for terminal in (True, False):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        print_text(said)
        note(said)
        error(said)
        found = capsys.readouterr()
        for text, times in ((found.out, 1), (found.err, 2)):
            lines = text.splitlines()
            assert (len(lines) > times) is terminal, "a pipe has whole lines"
            words = " ".join(text.split()).replace("error: ", "").split()
            if text is found.out:
                assert words == said.split(), "no word is broken, and none is lost"
            assert not {"dec", "Not", "isions"} & set(words)
    assert found.out == said + "\n"
