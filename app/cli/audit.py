"""`gapsmith audit`: what is wrong with a set of sentences that someone published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.file_options import (
    AttributeOption,
    ConditionColumnOption,
    EncodingOption,
    FirstOption,
    FormatOption,
    RegionOption,
    SheetOption,
)
from gapsmith.app.cli.options import JsonOption

if TYPE_CHECKING:
    from gapsmith.app.audit_page import AuditedFile


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("audit")(audit)


def audit(
    file: Annotated[Path, typer.Argument(help="A suite, pairs, regions, or a table of sentences; CSV, xlsx, JSON, text.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The page to write (default: FILE.audit.html here).", show_default=False),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Also how often a model is right, with and without the faulty items.",
            show_default=False,
        ),
    ] = None,
    format: FormatOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    first: FirstOption = None,
    attribute: AttributeOption = None,
    region: RegionOption = None,
    condition_column: ConditionColumnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read a published set with the rules that need no paradigm; one HTML page and a CSV, no workspace.

    Examples: `gapsmith audit suite.json`, `gapsmith audit blimp.jsonl --model gpt2`, `gapsmith audit pairs.txt --first good`.
    """
    import io

    from gapsmith.app.audit_page import is_audit_csv, render_audit, write_audit_csv
    from gapsmith.app.auditing import audit_file, texts_of, with_accuracies
    from gapsmith.app.cli.console import note, print_json, progress_bar, warning
    from gapsmith.app.cli.file_options import ask_order, progress, read_options
    from gapsmith.app.exporting import write_whole
    from gapsmith.bank import Severity
    from gapsmith.bank.formats import ReadServices
    from gapsmith.templates import ConfigError, count

    options = read_options(
        encoding=encoding,
        sheet=sheet,
        first=first,
        attributes=attribute,
        regions=region,
        condition_columns=condition_column,
    )
    page = out or Path(f"{file.name}.audit.html")
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
    audited = audit_file(file, format=format, options=options, services=ReadServices(ask_order, progress))
    note(f"{file}: {audited.what}")
    for said in audited.items.notes:
        note(said)
    if model is not None:
        from gapsmith.app.chosen import scoring
        from gapsmith.app.workspace import settings_of

        engine = scoring(settings_of(None), model=model).open()
        with progress_bar(f"scoring with {model}", len(texts_of(audited.items))) as bar:
            audited = with_accuracies(audited, engine, lambda n: bar.advance(bar.task_ids[0], n))
    for entry in audited.left_out:
        warning(f"{file}: {entry}")
    if audited.nothing_to_ask:
        warning(f"{file}: {audited.nothing_to_ask}")
    rows = io.StringIO(newline="")
    write_audit_csv(rows, audited)
    write_whole(page, render_audit(audited).encode())
    write_whole(table, rows.getvalue().encode())
    if as_json:
        print_json(_as_data(audited, page, table))
        return
    faulty, errors = (len(audited.audit.items_with(level)) for level in (Severity.WARNING, Severity.ERROR))
    have = "has" if faulty == 1 else "have"
    note(f"{faulty:,} of {count(audited.audit.n_items, 'item')} {have} a fault, {errors:,} of them an error")
    note(f"The page: {page}; every finding: {table}")


def _as_data(audited: AuditedFile, page: Path, table: Path) -> dict[str, object]:
    """What the page says, for programs."""
    from dataclasses import asdict

    from gapsmith.bank import Severity

    audit = audited.audit
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
        "accuracies": [asdict(row) for row in audited.accuracies],
        "left_out": [asdict(entry) for entry in audited.left_out],
        "nothing_to_ask": audited.nothing_to_ask,
        "page": str(page),
        "table": str(table),
    }
