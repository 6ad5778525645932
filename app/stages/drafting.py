"""Drafting a paradigm from the sentences that somebody has."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from gapsmith.app.exporting import write_whole
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.bringing import DraftParadigm
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.reading import asking, mapped, read_options, with_mapping
from gapsmith.bank.formats import ReadServices, SourceFile, read_foreign
from gapsmith.bank.formats import draft_paradigm as drafted_from
from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True)
class Drafted:
    """A paradigm file to start from."""

    text: str
    notes: tuple[str, ...]
    """What is to be done in it."""
    out: Path | None
    """Where it was written."""


def draft_paradigm(request: DraftParadigm, services: Services = QUIET) -> Drafted:
    """The draft, written to `out` where that is named. Raises `FormatError` for a file that cannot be understood, `ConfigError`
    where `out` is there already."""
    with mapped(request):
        return _drafted(with_mapping(request), services)


def _drafted(request: DraftParadigm, services: Services) -> Drafted:
    out = said_or_none(request.out)
    if out is not None and not request.force and out.exists():
        raise ConfigError(f"{out}: is there already", hint="Name another file, or write over it with --force.")
    source = SourceFile(request.file, read_options(request), "Nothing was written.", "gapsmith paradigm draft")
    found = read_foreign(source, format=said_or_none(request.format), services=ReadServices(asking(services)))
    made = drafted_from(found, name=said_or_none(request.name), file=request.file.name)
    services.note(f"{request.file}: {found.what}")
    for said in found.notes:
        services.note(said)
    for said in made.notes:
        services.warn(said)
    if out is not None:
        write_whole(out, made.text.encode())
        services.note(f"Wrote {out}; `gapsmith paradigm check {shlex.quote(str(out))}` reads it")
    return Drafted(made.text, tuple(made.notes), out)
