"""What the pages of the documentation show: their commands, files and snippets, in order, and the running of them.

What a page may show, and what becomes of it:

- A line ``$ gapsmith …`` of a `console` block, or ``gapsmith …`` of any other block that is not named below: run, and has to
  end with code 0. Lines under a command in a `console` block are lines that it has to print.
- The same after ``# needs …`` on a line of its own in the block, or before such a remark at its end: what cannot be had in a
  test (a network, a key, a card, a second terminal, minutes). The program's own parser reads it, and it is not carried out.
- A block whose first line is ``# NAME.toml`` (a path with a suffix and nothing else), or whose fence says ``csv items.csv``:
  a file, written as it stands.
- A `python` block: run. A `text` block right after it, with only "prints" between, is what it has to print.
- A `toml` block without a name: has to be TOML.
- ``make TARGET``: the target has to be there. ``export NAME=value``: holds for the rest of the page.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CommandOutcome

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]

_NOT_COMMANDS = {"text", "toml", "python", "r", "csv", "json", "jinja", "html", "tex", "latex", "javascript", "yaml"}
_SHELL = ("console", "bash", "sh")
_FILE = re.compile(r"# ([\w./-]+\.\w+)")
_NEEDS = re.compile(r"#\s*needs\b")


@dataclass(frozen=True)
class Block:
    """A block of code: the page's line on which its first line is, its language, the file that it is said to be, and its
    text; `between` is the prose since the block before."""

    line: int
    language: str
    file: str | None
    text: str
    between: str


def blocks_of(page: str) -> list[Block]:
    """The blocks of a page in Markdown, fenced or indented by four spaces."""
    blocks: list[Block] = []
    prose: list[str] = []
    lines = page.splitlines()
    at = 0
    while at < len(lines):
        fence = re.fullmatch(r"( *)(```+)([\w-]*) ?(\S*)\s*", lines[at])
        end = at + 1
        if fence is not None:
            margin, ticks, language, file = fence.groups()
            while lines[end].strip() != ticks:
                end += 1
            body = [line.removeprefix(margin) for line in lines[at + 1 : end]]
            at, end = at + 1, end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            language = file = ""
            body = [line[4:] for line in lines[at:end]]
        else:
            prose.append(lines[at])
            at = end
            continue
        text = "".join(f"{line}\n" for line in body)
        named = _FILE.fullmatch(body[0]) if body else None
        blocks.append(Block(at + 1, language, file or (named[1] if named else None), text, "\n".join(prose)))
        prose.clear()
        at = end
    return blocks


def inline_commands(page: str) -> Iterator[str]:
    """The ``gapsmith …`` of the running text."""
    blocks = "".join(block.text for block in blocks_of(page))
    for command in re.findall(r"`(gapsmith [^`]+)`", page):
        if command not in blocks:
            yield " ".join(command.split())


def run_page(
    page: str, gapsmith: Callable[..., CommandOutcome], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[int, str]]:
    """Do all that a page shows in an empty folder that is the current one; lines and commands that were only parsed."""
    left: list[tuple[int, str]] = []
    printed = ""
    for block in blocks_of(page):
        where = f"line {block.line}"
        if block.file is not None:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = _run_python(block.text, where)
        elif block.language == "text" and re.search(r"prints:?\s*$", block.between):
            assert printed == block.text, f"{where}: what is printed is\n{printed}"
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language not in _NOT_COMMANDS:
            left += _run_commands(block, gapsmith, folder, monkeypatch)
    return left


def _run_python(text: str, where: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, where, "exec"), {"__name__": "__main__"})
    return out.getvalue()


def _run_commands(
    block: Block, gapsmith: Callable[..., CommandOutcome], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[int, str]]:
    left: list[tuple[int, str]] = []
    needs, outcome = False, None
    for line, text in _joined(block):
        where = f"line {line}: {text}"
        if _NEEDS.match(text):
            needs = True
            continue
        if text.startswith("#") or not text:
            continue
        command = text.removeprefix("$ ") if block.language == "console" else text
        if block.language == "console" and command == text:
            shown = outcome.out + outcome.err if outcome is not None else ""
            assert needs or text in shown, f"{where}\nis not printed, but:\n{shown}"
            continue
        if block.language not in _SHELL and command.split()[0] not in ("gapsmith", "make"):
            continue
        program, *arguments = shlex.split(command, comments=True)
        if program == "make":
            targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            assert {argument for argument in arguments if "=" not in argument} <= set(targets), where
        elif program == "export":
            for name, _, value in (argument.partition("=") for argument in arguments):
                monkeypatch.setenv(name, value)
        elif needs or _NEEDS.search(text):
            if program == "gapsmith":
                try_to_parse(arguments, where)
            left.append((line, command))
        else:
            assert program == "gapsmith", f"{where}: who runs this?"
            outcome = _carry_out(arguments, gapsmith, folder, where)
    return left


def _joined(block: Block) -> Iterator[tuple[int, str]]:
    """The lines of a block without their endings, those that a backslash continues in one."""
    whole = ""
    for number, line in enumerate(block.text.splitlines(), block.line):
        whole += line.lstrip() if whole else line.rstrip()
        if whole.endswith("\\"):
            whole = whole[:-1]
            continue
        yield number, whole
        whole = ""


def _carry_out(arguments: list[str], gapsmith: Callable[..., CommandOutcome], folder: Path, where: str) -> CommandOutcome:
    file = None
    if ">" in arguments:
        arguments, (file,) = arguments[: arguments.index(">")], arguments[arguments.index(">") + 1 :]
    outcome = gapsmith(*arguments)
    assert outcome.code == 0, f"{where}\nends with code {outcome.code}:\n{outcome.out}{outcome.err}"
    if file is not None:
        (folder / file).write_text(outcome.out, encoding="utf-8")
    return outcome


def try_to_parse(arguments: list[str], where: str) -> None:
    """Have the program's own parser read a command, and carry nothing out."""
    import typer

    from gapsmith.app.cli.app import app

    command: Any = typer.main.get_command(app)
    context: Any = None
    name = "gapsmith"
    try:
        while True:
            context = command.make_context(name, list(arguments), parent=context)
            if not hasattr(command, "resolve_command"):
                return
            name, command, arguments = command.resolve_command(context, [*context._protected_args, *context.args])
    except Exception as problem:
        raise AssertionError(f"{where}\nis not understood: {problem}") from problem
