"""The page of a rule: what it says to a linguist. Pages are TOML files, one per family, in ``pages/``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from gapsmith.bank import Severity
from gapsmith.templates import DocumentError, FormatError, read_toml

_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class RulePage:
    """Everything that people read about a rule."""

    code: str
    title: str
    summary: str
    """One line: what the rule finds."""
    bad: tuple[str, ...]
    """Examples that the rule catches."""
    good: tuple[str, ...]
    """The same, mended."""
    reason: str
    remedy: str
    """One line: what to do about it."""
    literature: tuple[str, ...]
    severity: Severity = Severity.WARNING
    """Of its findings, where they have no other; the rule's, where a page is of one (`gapsmith.vetting.rules.rule_page`)."""
    computes: str = ""
    """What the rule's code finds out that no row of the table could say; empty of a rule that is rows."""
    also: str = ""
    """Another severity than the rule's own, and where a finding has it: ``warning for …``."""


def plain(text: str) -> str:
    """A page's text for a reader who takes an asterisk for a judgment: words under discussion stand in quotes.

    >>> plain("*Doubt* is ? rather than * here")
    '‘Doubt’ is ? rather than * here'
    """
    return _EMPHASIS.sub("‘\\1’", text)


def read_pages(folder: Traversable) -> Mapping[str, RulePage]:
    """The pages in the TOML files of a folder. Raises `FormatError` for one that lacks something, naming file and code."""
    found: dict[str, RulePage] = {}
    for file in folder.iterdir():
        if not file.name.endswith(".toml"):
            continue
        for code, table in _tables(file).items():
            if wrong := _wrong(table):
                raise FormatError(f"{file}, [{code}]: {wrong}", hint=_HINT)
            found[code] = RulePage(
                code=code,
                title=table["title"],
                summary=table["summary"],
                bad=tuple(table.get("bad", ())),
                good=tuple(table.get("good", ())),
                reason=" ".join(table["reason"].split()),
                remedy=table["remedy"],
                literature=tuple(table.get("literature", ())),
                also=table.get("also", ""),
                computes=table.get("computes", ""),
            )
    return found


_SHORTEST_REASON = 60
"""A reason of fewer characters says no more than the summary."""
_TEXTS, _LISTS, _MORE = ("title", "summary", "reason", "remedy"), ("bad", "good", "literature"), ("also", "computes")
_HINT = (
    "A page is a table [CODE] with title, summary and remedy (a sentence each), bad and good (lists of examples: what the rule catches,"
    f" and the same mended), reason (what the flaw does to an item, in more than {_SHORTEST_REASON} characters) and literature (a list,"
    " which may be empty); also and computes where they hold. The pages beside it are examples."
)


def _tables(file: Traversable) -> Mapping[str, Any]:
    try:
        return read_toml(file.read_text(encoding="utf-8"))
    except DocumentError as error:
        raise FormatError(f"{file}: {error}") from None


def _wrong(table: Any) -> str:
    """What is wrong with a table as a page; empty where nothing is."""
    if not isinstance(table, dict):
        return "it is no table"
    if odd := [name for name in table if name not in (*_TEXTS, *_LISTS, *_MORE)]:
        return f"there is no {odd[0]!r}"
    if odd := [name for name in (*_TEXTS, *_MORE) if not isinstance(table.get(name, ""), str)]:
        return f"{odd[0]} is no text"
    if odd := [name for name in _LISTS if not _is_list_of_texts(table.get(name, []))]:
        return f"{odd[0]} is no list of texts"
    if lacking := [name for name in (*_TEXTS, "bad", "good") if not table.get(name)]:
        return f"{lacking[0]} is lacking"
    if odd := [name for name in ("summary", "remedy") if not table[name].endswith(".")]:
        return f"{odd[0]} is no sentence with a full stop"
    length = len(" ".join(table["reason"].split()))
    return f"reason has {length} characters" if length <= _SHORTEST_REASON else ""


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def hold_pages(pages: Mapping[str, RulePage], codes: Collection[str], rows: Collection[str]) -> None:
    """Refuse pages that are not those of our rules: `codes` are all of these, `rows` those that are rows of the table. Raises `FormatError`."""
    for code in sorted({*codes, *pages}):
        wrong = ""
        if code not in pages:
            wrong = "there is a rule and no page for it: write one in a file of vetting/rules/pages"
        elif code not in codes:
            wrong = "there is a page and no rule: no row of word_rules.csv and no RULES of a module has the code"
        elif code in rows and pages[code].computes:
            wrong = "its page says what its code computes, and it is rows of word_rules.csv"
        elif code not in rows and not pages[code].computes:
            wrong = "its page does not say what its code `computes` that no row of word_rules.csv could say"
        if wrong:
            raise FormatError(f"{code}: {wrong}", hint=_HINT)
