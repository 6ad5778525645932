"""The audit of a published set: one HTML page and a table, no workspace."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.audit_page import AuditedFile, is_audit_csv, render_audit, write_audit_csv
from gapsmith.app.auditing import audit_file, texts_of, with_accuracies
from gapsmith.app.chosen import scoring
from gapsmith.app.exporting import write_whole
from gapsmith.app.requests.base import said, said_or_none
from gapsmith.app.requests.checking import NEVER, AuditSet
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.reading import asking, mapped, read_options, reading_shown, with_mapping
from gapsmith.app.workspace import settings_of
from gapsmith.bank import Severity
from gapsmith.bank.formats import ReadServices
from gapsmith.templates import ConfigError, count

if TYPE_CHECKING:
    import pandas

    from gapsmith.vetting import ForeignFinding


MOST_LISTED = 40
"""Findings that a terminal or a log gets; the table has all."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What the rules say of a set, and where that is written."""

    request: AuditSet
    file: AuditedFile
    page: Path
    """One HTML file that needs nothing else."""
    table: Path
    """Every finding, as CSV."""

    @property
    def n_items(self) -> int:
        """How many were read."""
        return self.file.audit.n_items

    @property
    def reached(self) -> list[ForeignFinding]:
        """The findings as severe as `fail_on` of the request says."""
        limit = self.request.fail_on
        if limit == NEVER:
            return []
        rank = Severity(limit).rank
        return [entry for entry in self.file.audit.findings if entry.finding.severity.rank >= rank]

    def items_with(self, severity: str = "warning") -> list[str]:
        """The items with a fault of that severity or a worse one."""
        return list(self.file.audit.items_with(Severity(severity)))

    def to_frame(self) -> pandas.DataFrame:
        """A row for each finding, as in the table."""
        import pandas

        rows = io.StringIO(newline="")
        write_audit_csv(rows, self.file)
        rows.seek(0)
        return pandas.read_csv(rows, dtype={"item": str})

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, max_rows=60)
        return html

    def as_data(self) -> dict[str, Any]:
        """What the page says, for programs."""
        from dataclasses import asdict

        audited, audit = self.file, self.file.audit
        return {
            "file": str(audited.path),
            "format": audited.items.shape,
            "what": audited.what,
            "notes": list(audited.items.notes),
            "items": audit.n_items,
            "sentences": audit.n_sentences,
            "conditions": list(audited.items.conditions),
            "items_with_errors": len(audit.items_with(Severity.ERROR)),
            "items_with_faults": len(audit.items_with(Severity.WARNING)),
            "rules": {
                code: {"items": len({entry.label for entry in entries}), "findings": len(entries)}
                for code, entries in audit.by_rule().items()
            },
            "not_asked": dict(audit.not_asked),
            "looked_at": audit.looked.as_data(),
            "accuracies": [asdict(row) for row in audited.accuracies],
            "left_out": [asdict(entry) for entry in audited.left_out],
            "nothing_to_ask": audited.nothing_to_ask,
            "page": str(self.page),
            "table": str(self.table),
        }


def audit(request: AuditSet, services: Services = QUIET) -> Audited:
    """Raises `GapsmithError` where the file cannot be read; nothing is written then."""
    with mapped(request):
        return _audit(with_mapping(request), services)


def _audit(request: AuditSet, services: Services) -> Audited:
    file, model = request.file, said_or_none(request.model)
    page = said(request.out, Path(f"{file.name}.audit.html"))
    table = _table_beside(page, file)
    own = ReadServices(asking(services), reading_shown(services, file))
    audited = audit_file(file, format=said_or_none(request.format), options=read_options(request), services=own)
    services.note(f"{file}: {audited.what}")
    for line in audited.items.notes:
        services.note(line)
    if model is not None:
        engine = scoring(settings_of(None), request, model=model).open(opener=(services.hand or {}).get("engine"))
        with services.progress(f"scoring with {model}", len(texts_of(audited.items))) as advance:
            scored = 0

            def advance_by(n: int) -> None:
                nonlocal scored
                scored += n
                advance(scored)

            audited = with_accuracies(audited, engine, advance_by)
        for row in audited.accuracies:
            for restriction in row.restrictions:
                services.note(f"{file}: {row.name}: {restriction}")
    for entry in audited.left_out:
        services.warn(f"{file}: {entry}")
    if audited.nothing_to_ask:
        services.warn(f"{file}: {audited.nothing_to_ask}")
    rows = io.StringIO(newline="")
    write_audit_csv(rows, audited)
    write_whole(page, render_audit(audited).encode())
    write_whole(table, rows.getvalue().encode())
    return Audited(request, audited, page, table)


def in_words(found: Audited) -> list[str]:
    """What came out, in lines."""
    faulty, errors = len(found.items_with("warning")), len(found.items_with("error"))
    reached = found.reached
    listed = [_on_a_line(found.request.file, entry) for entry in reached[:MOST_LISTED]]
    if len(reached) > MOST_LISTED:
        listed.append(f"… and {count(len(reached) - MOST_LISTED, 'finding')} more, in {found.table}")
    have = "has" if faulty == 1 else "have"
    return [
        *listed,
        f"{faulty:,} of {count(found.n_items, 'item')} {have} a fault, {errors:,} of them an error",
        f"Rules on words {found.file.audit.looked.told}.",
        *filter(None, [found.file.audit.in_no_list]),
        f"The page: {found.page}; every finding: {found.table}",
    ]


def _on_a_line(file: Path, entry: ForeignFinding) -> str:
    """A finding as compilers print theirs, so that editors and logs lead to the line."""
    finding = entry.finding
    at = f"{file}:{entry.line}" if entry.line else f"{file}"
    of = f"item {entry.label}" + (f" ({finding.place.condition})" if finding.place.condition else "")
    return f"{at}: {finding.severity.value} {finding.code}, {of}: {finding.message}. {finding.remedy}".rstrip()


def _table_beside(page: Path, file: Path) -> Path:
    """Where the table goes. Raises `ConfigError` where page or table would take the place of another file."""
    if page.is_dir():
        raise ConfigError(f"{page} is a directory", hint=f"Name a file in it, such as --out {page / 'audit.html'}.")
    table = page.with_suffix(".csv")
    # On some disks names that differ in small and capital letters only are the same.
    if page.suffix.casefold() == ".csv" or page.resolve() == table.resolve():
        raise ConfigError(
            f"{page}: would be both the page and the table of all findings, which is called {table.name} beside it",
            hint=f"Name the page otherwise, such as --out {page.with_name(page.stem + '.audit.html')}.",
        )
    for made in (page, table):
        if made.resolve() == file.resolve():
            raise ConfigError(f"{made}: is the file that is read", hint="Name another page with --out.")
    if table.is_file() and not is_audit_csv(table):
        # Nobody named it, so it must not cost anybody a file of theirs.
        raise ConfigError(
            f"{table}: is there already and is no table of findings, which would be written over it",
            hint="Name another page with --out; the table is called after it.",
        )
    return table
