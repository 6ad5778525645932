"""Prompt files: Jinja2 templates with a version in their name and a mode in their first line.

A file is called ``NAME.vN.jinja``; a change to a shipped prompt is a new version, and the old one stays. Its first
line is a comment that says what the prompt asks for:

    {# mode: slots — Values for the slots of a paradigm #}

It may also say which paradigm and design it is for, and how many items it asks for unless told otherwise:

    {# mode: sentences; paradigm: subject_pg; design: lan2x2; n: 10 — a title #}

With ``text: fixed`` in that line, what follows the remarks at the top is no template but a text that is sent as it stands, such as the
prompt of a paper, word for word; `n` says how many items it asks for.

Any other text file works too: it is sent as it stands, so it has no variables, its mode is given by whoever names it, and
how many items an answer to it brings is read from its words.

A prompt is named with or without its version (the highest one wins), or given as a path. The workspace's ``prompts/``
comes before the shipped ones, so that a copy with the same name takes its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from gapsmith.prompts.failures import PromptError
from gapsmith.prompts.request import Mode
from gapsmith.templates import FormatError, did_you_mean, text_of, text_sha256, whole

_NAME = re.compile(r"^(?P<name>[a-z0-9_-]+)\.v(?P<version>\d+)\.jinja$")
_HEADER = re.compile(
    r"^\{#-?\s*mode:\s*(?P<mode>[a-z]+)(?P<more>(?:\s*;\s*[a-z]+:\s*[\w.-]+)*)\s*(?:[—:-]+\s*(?P<title>.*?))?\s*-?#\}"
)
_MORE = re.compile(r"([a-z]+):\s*([\w.-]+)")
_REMARKS = re.compile(r"(?:\{#.*?#\}\s*)*", re.DOTALL)
_ASKS_FOR = re.compile(r"\b(\d{1,3})\s+(?:[\w-]+\s+){0,3}(?:item|set|pair|quadruple|example)s?\b", re.IGNORECASE)
_MOST_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class PromptFile:
    """One prompt file, read."""

    name: str
    version: int
    mode: Mode
    title: str
    text: str
    """The whole file."""
    path: Path
    shipped: bool
    plain: bool = False
    """A text that is sent as it stands, without the remarks at its top."""
    paradigm: str | None = None
    """The only paradigm that it is for."""
    design: str | None = None
    """The design that it asks for in sentence mode."""
    n: int | None = None
    """How many items it asks for: always, where it is plain; else unless told otherwise."""

    @property
    def label(self) -> str:
        """Name and version, as runs record it: ``slots.v1``; of a text without a first line of ours, the file's name."""
        return self.name if self.path.suffix != ".jinja" else f"{self.name}.v{self.version}"

    @property
    def as_sent(self) -> str:
        """What a model gets of a plain text."""
        remarks = _REMARKS.match(self.text) if self.path.suffix == ".jinja" else None
        return self.text[remarks.end() if remarks else 0 :].strip() + "\n"

    @property
    def hash(self) -> str:
        """SHA-256 of the file's text."""
        return text_sha256(self.text)


def list_prompts(workspace: Path | None = None) -> list[PromptFile]:
    """Every prompt that can be named, one per label, by name and version."""
    found: dict[str, PromptFile] = {}
    for folder in _folders(workspace):
        for path in sorted(folder.glob("*.jinja")) if folder.is_dir() else ():
            if path.is_dir():
                raise PromptError(f"{path}: is no file", hint="Take it out of that folder.")
            prompt = load_prompt_file(path)
            found.setdefault(prompt.label, prompt)
    return sorted(found.values(), key=lambda p: (p.name, p.version))


def find_prompt(wanted: str, workspace: Path | None = None, *, mode: Mode | None = None) -> PromptFile:
    """The prompt called `wanted` (``slots``, ``slots.v1``), or the file at the path `wanted`, which in the case of a plain text
    asks for `mode`. Raises `PromptError`."""
    if "/" in wanted or "\\" in wanted or wanted.endswith((".jinja", ".txt", ".md")):
        return load_prompt_file(Path(wanted), mode=mode)
    prompts = list_prompts(workspace)
    by_label = {prompt.label: prompt for prompt in prompts}
    if wanted in by_label:
        return by_label[wanted]
    versions = [prompt for prompt in prompts if prompt.name == wanted]
    if versions:
        return max(versions, key=lambda prompt: prompt.version)
    names = [*by_label, *{prompt.name for prompt in prompts}]
    guess = did_you_mean(wanted, names)
    raise PromptError(
        f"there is no prompt {wanted!r}",
        hint=f"{guess}There are: {', '.join(by_label)}. A file of your own is given by its path, such as ./{wanted}.",
    )


def default_prompt(paradigm: str, mode: Mode, workspace: Path | None = None) -> PromptFile:
    """What is sent where no prompt is named: the one with the paradigm's name that is for it and asks for `mode`, else that of
    the mode for all paradigms."""
    own = [p for p in list_prompts(workspace) if p.name == p.paradigm == paradigm and p.mode is mode]
    return max(own, key=lambda p: p.version) if own else find_prompt(mode.value, workspace, mode=mode)


def load_prompt_file(path: Path, *, mode: Mode | None = None) -> PromptFile:
    """The prompt in a file; `mode` is that of a plain text. Raises `PromptError` where it cannot be read, or where nothing
    says its mode."""
    text = _read(path)
    match = _NAME.match(path.name)
    if match is not None:
        return versioned_prompt(path, text, match["name"], int(match["version"]))
    if path.suffix == ".jinja":
        raise PromptError(
            f"{path}: a prompt file is called NAME.vN.jinja, such as slots.v2.jinja",
            hint="Rename it: lower-case letters, digits, _ and - in the name, and a version number. A text without variables may "
            "have any name that does not end in .jinja.",
        )
    if mode is None:
        raise PromptError(
            f"{path}: nothing says what this text asks for",
            hint=f"Give --mode: {' or '.join(Mode)} (whole sentences as CSV).",
        )
    asked = _ASKS_FOR.search(text)
    n = whole(asked[1]) if asked is not None else None
    return PromptFile(path.name, 0, mode, "", text, path, shipped=False, plain=True, n=n or None)


def versioned_prompt(path: Path, text: str, name: str, version: int) -> PromptFile:
    """The prompt that a text with a first line of ours is. Raises `PromptError`."""
    header = _HEADER.match(text)
    modes = ", ".join(Mode)
    if header is None or header["mode"] not in set(Mode):
        said = f" says mode {header['mode']!r}" if header else " does not say what it asks for"
        raise PromptError(
            f"{path}, line 1: the prompt{said}",
            hint=f"Begin the file with {{# mode: slots — a title #}}; the mode is one of: {modes}",
        )
    more = dict(_MORE.findall(header["more"] or ""))
    unknown = sorted(set(more) - {"paradigm", "design", "n", "text"})
    fault = (
        f"{unknown[0]} is not known"
        if unknown
        else f"text is {more['text']!r}, and can only be fixed"
        if more.get("text", "fixed") != "fixed"
        else "a fixed text needs n, how many items it asks for"
        if "text" in more and "n" not in more
        else "n is not a positive number"
        if not whole(more.get("n", "1"))
        else None
    )
    if fault is not None:
        raise PromptError(f"{path}, line 1: {fault}", hint="Beside the mode, the line may say: paradigm, design, n, text: fixed.")
    return PromptFile(
        name,
        version,
        Mode(header["mode"]),
        (header["title"] or "").strip(),
        text,
        path,
        shipped=path.parent == _shipped_folder() or path.resolve().parent == _shipped_folder().resolve(),
        plain="text" in more,
        paradigm=more.get("paradigm"),
        design=more.get("design"),
        n=whole(more["n"]) if "n" in more else None,
    )


def _read(path: Path) -> str:
    try:
        # A link in somebody else's workspace may lead to a device without an end.
        text = text_of(path, "utf-8-sig")
    except FileNotFoundError:
        raise PromptError(f"{path}: there is no such file", hint="See `gapsmith prompt list`.") from None
    except FormatError as error:
        raise PromptError(error.message, hint=error.hint) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    if not text.strip() or "\0" in text or len(text) > _MOST_CHARS:
        fault = "is empty" if not text.strip() else "is no text" if "\0" in text else f"has more than {_MOST_CHARS:,} characters"
        raise PromptError(f"{path}: {fault}", hint=f"A prompt is a text of at most {_MOST_CHARS:,} characters.")
    return text


def copy_prompt(prompt: PromptFile, target: Path) -> Path:
    """Copy a prompt for editing, into a folder or to a file that is not there yet; the path of the copy."""
    destination = target / prompt.path.name if target.is_dir() or not target.suffix else target
    if _NAME.match(destination.name) is None:
        raise PromptError(
            f"{destination}: a prompt file is called NAME.vN.jinja, such as {prompt.name}.v{prompt.version + 1}.jinja"
        )
    if destination.exists():
        raise PromptError(f"{destination} is there already", hint="Give another file name, or remove it first.")
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.write_text(prompt.text, encoding="utf-8")
    return destination


def _folders(workspace: Path | None) -> list[Path]:
    of_workspace = [workspace / "prompts"] if workspace is not None else []
    return [*of_workspace, _shipped_folder()]


@cache
def _shipped_folder() -> Path:
    return Path(str(resources.files("gapsmith.prompts"))) / "library"
