"""Packets: items and a form of decisions as a spreadsheet, for annotators who have no bank, out and back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.deciding import PacketMake, PacketTake
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Verdict
from gapsmith.templates import ConfigError
from gapsmith.vetting import Taken, no_share
from gapsmith.vetting import make_packet as write_packet
from gapsmith.vetting import take_packet as read_packet
from gapsmith.vetting.review import Scope, Session, parse_query


@dataclass(frozen=True, slots=True)
class PacketMade:
    """A packet that was written."""

    file: Path
    annotator: str
    items: int
    sentences: int


def make_packet(workspace: Workspace, request: PacketMake, services: Services = QUIET) -> PacketMade:
    """What was written. Raises `GapsmithError` where no item fits, or the file is there already."""
    chosen = selection_of(workspace.bank, request)
    scope = Scope(chosen.paradigm, chosen.dataset, said_or_none(request.run))
    session = Session(workspace.bank, request.annotator, scope=scope, seed=request.seed)
    rows = session.rows(parse_query(request.show), request.order)
    if not rows:
        raise ConfigError(
            f"no item fits “{request.show}” for {request.annotator}",
            hint=no_share(workspace.bank, request.annotator) or "Check --show, --paradigm and --dataset.",
        )
    sentences = write_packet(session, request.file, [row.id for row in rows])
    services.note(f"{request.file}: {len(rows):,} items, {sentences:,} sentences for {request.annotator}")
    services.note(
        f"In each item, fill in `decision` (approve, exclude or flag). When it is back: gapsmith packet take {request.file}"
    )
    return PacketMade(request.file, request.annotator, len(rows), sentences)


def take_packet(workspace: Workspace, request: PacketTake, services: Services = QUIET) -> Taken:
    """What was taken in. Raises `GapsmithError` for what is not filled in as it should be; nothing is taken in then."""
    taken = read_packet(
        workspace.bank, request.file, annotator=said_or_none(request.annotator), skip_changed=request.skip_changed
    )
    services.note(
        f"{taken.author}: approved {taken.decided.get(Verdict.APPROVE, 0):,}, excluded"
        f" {taken.decided.get(Verdict.EXCLUDE, 0):,}, flagged {taken.decided.get(Verdict.FLAG, 0):,};"
        f" {taken.known:,} taken in before, {taken.empty:,} not decided"
    )
    if taken.changed:
        services.warn(f"left out, because their texts were changed: {', '.join(taken.changed)}")
    return taken
