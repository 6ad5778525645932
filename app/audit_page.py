"""The audit of a file as one HTML page and a table: what a colleague is shown of a published set."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from gapsmith.bank import Severity, request_line
from gapsmith.bank.formats import BAD, GOOD, CsvWriter, ForeignSet
from gapsmith.stats import Restriction
from gapsmith.templates import count, prose_html
from gapsmith.vetting import ForeignAudit, ForeignFinding
from gapsmith.vetting.rules import page, plain

_COLUMNS = ("line", "item", "condition", "code", "severity", "title", "message", "remedy", "sentence")
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
    one_sided: int = 0
    """Items for which only one of the two readings gives an answer."""
    restrictions: tuple[Restriction, ...] = ()
    """Why items have no truth value."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A prediction of the file that nothing is said of."""

    number: int
    """Which of the file's predictions it is, from 1."""
    text: str
    why: str

    def __str__(self) -> str:
        return f"prediction {self.number}, {self.text}, is left out: {self.why}"


@dataclass(frozen=True, slots=True)
class AuditedFile:
    """Everything on the page."""

    path: Path
    what: str
    """The kind of file, in words."""
    items: ForeignSet
    audit: ForeignAudit
    accuracies: Sequence[ModelAccuracy] = ()
    left_out: Sequence[LeftOut] = ()
    model: str | None = None
    """The model that was asked; None where none was."""

    @property
    def nothing_to_ask(self) -> str:
        """Where a model was named and the file says nothing that it could be right about: what to do; else empty."""
        if self.model is None or self.accuracies:
            return ""
        return (
            f"{self.model} was not asked: nothing in the file says what should be more probable than what (there are no pairs of "
            f"{GOOD} and {BAD}, and no formula that compares conditions and can be read). `gapsmith import` makes a paradigm to "
            "write such formulas into; `gapsmith score` and `gapsmith analyze` then ask them."
        )


def render_audit(audited: AuditedFile) -> str:
    """The page: one file that needs nothing else."""
    from importlib import resources

    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("gapsmith.app", "pages"), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    environment.filters |= {
        "visible": visible,
        "plain": plain,
        "prose": lambda text: Markup(prose_html(visible(text))),
        "count": lambda number: f"{number:,}",
        "counted": count,
        "percent": _percent,
    }
    style = (resources.files("gapsmith.scoring.report") / "templates" / "style.css").read_text(encoding="utf-8")
    audit = audited.audit
    faulty = audit.items_with(Severity.WARNING)
    return environment.get_template("audit.html.j2").render(
        title=audited.path.name,
        style=style,
        audited=audited,
        request=request_line(),
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
    writer.row(_COLUMNS)
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


def is_audit_csv(path: Path) -> bool:
    """Whether a file is a table of findings, or empty, so that another one may be written over it."""
    try:
        with path.open("rb") as stream:
            first = stream.readline()
            return not first or first.rstrip() == ",".join(_COLUMNS).encode()
    except OSError:
        return False


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
