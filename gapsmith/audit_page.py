"""The audit of a file as one HTML page and a table: what a colleague is shown of a published set."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from bank import Severity
from bank.formats import CsvWriter
from bank.formats.foreign import ForeignSet
from vetting.foreign_lint import ForeignAudit, ForeignFinding
from vetting.rules.pages import page

_SHOWN = 200
"""Findings of one rule that the page lists; the table has all of them."""


@dataclass(frozen=True, slots=True)
class ModelAccuracy:
    """How often a formula holds, over all items and over those without an error or a warning."""

    model: str
    name: str
    """What is asked, in words or as a formula."""
    measure: str
    holds: int
    n: int
    holds_clean: int
    n_clean: int
    undefined: int = 0
    """Items in which it has no truth value."""
    differs: int = 0
    """Items for which SyntaxGym's reading of ``*`` gives another answer."""


@dataclass(frozen=True, slots=True)
class AuditedFile:
    """Everything on the page."""

    path: Path
    what: str
    """The kind of file, in words."""
    items: ForeignSet
    audit: ForeignAudit
    accuracies: Sequence[ModelAccuracy] = ()


def render_audit(audited: AuditedFile) -> str:
    """The page: one file that needs nothing else."""
    from importlib import resources

    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("gapsmith", "pages"), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    environment.filters |= {"visible": visible, "count": lambda number: f"{number:,}", "percent": _percent}
    style = (resources.files("scoring.report") / "templates" / "style.css").read_text(encoding="utf-8")
    audit = audited.audit
    faulty = audit.items_with(Severity.WARNING)
    return environment.get_template("audit.html.j2").render(
        title=audited.path.name,
        style=style,
        audited=audited,
        audit=audit,
        errors=len(audit.items_with(Severity.ERROR)),
        faulty=len(faulty),
        rules=[
            {
                "page": page(code),
                "severity": entries[0].finding.severity.value,
                "entries": entries[:_SHOWN],
                "more": len(entries) - _SHOWN,
                "n_items": len({entry.label for entry in entries}),
                "n": len(entries),
            }
            for code, entries in audit.by_rule().items()
        ],
        split=_split,
    )


def write_audit_csv(stream: TextIO, audited: AuditedFile) -> int:
    """One row per finding: line of the file, item, condition, code, severity, title, message, remedy, sentence; how many."""
    writer = CsvWriter(stream)
    writer.row(("line", "item", "condition", "code", "severity", "title", "message", "remedy", "sentence"))
    for entry in audited.audit.findings:
        finding = entry.finding
        writer.row(
            (
                entry.line or None,
                entry.label,
                finding.place.condition,
                finding.code,
                finding.severity.value,
                page(finding.code).title,
                finding.message,
                finding.remedy,
                entry.sentence,
            )
        )
    return len(audited.audit.findings)


def visible(text: str) -> str:
    """The text with characters that cannot be seen written by their number, so that a page shows what a file holds."""
    return "".join(
        f"⟨U+{ord(character):04X}⟩" if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") else character
        for character in text
    )


def _split(entry: ForeignFinding) -> tuple[str, str, str]:
    """The sentence before, in and after the place of a finding."""
    place = entry.finding.place
    if place.start is None or place.end is None:
        return visible(entry.sentence), "", ""
    text = entry.sentence
    return visible(text[: place.start]), visible(text[place.start : place.end]), visible(text[place.end :])


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
