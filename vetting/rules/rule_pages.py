"""The page of a rule: what it says to a linguist. Pages are TOML files, one per family, in ``pages/``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from gapsmith.bank import Severity
from gapsmith.templates import read_toml

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
    """The pages in the TOML files of a folder: a table per code, with title, summary, reason, remedy, and where there are
    any, bad and good examples, literature, computes, and also."""
    found: dict[str, RulePage] = {}
    for file in folder.iterdir():
        if not file.name.endswith(".toml"):
            continue
        for code, table in read_toml(file.read_text(encoding="utf-8")).items():
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
