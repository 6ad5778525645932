"""Packets: items and a form of decisions as a spreadsheet, for annotators who have no bank, out and back."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.deciding import UNDECIDED, PacketMake, PacketTake
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import PERSON, Bank, BankError, Verdict, as_name
from gapsmith.templates import ConfigError, count, first_of
from gapsmith.vetting import AnswersTaken, Taken, is_judging_packet, make_judging_packet, no_share, take_judging_packet
from gapsmith.vetting import make_packet as write_packet
from gapsmith.vetting import take_packet as read_packet
from gapsmith.vetting.review import Scope, Session, load_guide, load_study, parse_query, sheet_count


@dataclass(frozen=True, slots=True)
class PacketMade:
    """A packet that was written."""

    file: Path
    annotator: str
    items: int
    sentences: int


PacketTaken: TypeAlias = Taken | AnswersTaken
"""What came back: decisions, or answers of an acceptability study."""


def make_packet(workspace: Workspace, request: PacketMake, services: Services = QUIET) -> PacketMade:
    """What was written. Raises `GapsmithError` where no item fits, the file is there already, or somebody else than the lead makes it for
    another person."""
    workspace = as_said(workspace, request.by)
    as_name(request.annotator, PERSON, slashes=True)
    _expect_own(workspace.bank, request.annotator)
    if not isinstance(request.judge, Unset):
        study = load_study(request.judge)
        written = make_judging_packet(study, workspace.bank, request.annotator, request.file)
        services.note(f"{request.file}: {count(written, 'sentence')} of the study {study.name} for {request.annotator}")
        services.note(
            f"{request.annotator}: {sheet_count(study, workspace.bank.read_by(request.annotator), request.annotator).words}"
        )
        services.note(f"When it is back: gapsmith packet take {request.file} --judge {request.judge}")
        return PacketMade(request.file, request.annotator, written, written)
    chosen = selection_of(workspace.bank, request)
    scope = Scope(chosen.paradigm, chosen.dataset, said_or_none(request.run))
    session = Session(workspace.bank, request.annotator, scope=scope, guide=load_guide(workspace.root), seed=request.seed)
    rows = session.rows(parse_query(request.show), request.order)
    if not rows:
        everything = len(session.rows())
        if request.show == UNDECIDED and everything:
            raise ConfigError(
                f"{request.annotator} has decided on all {count(everything, 'item')} of theirs, and a packet holds what is left",
                hint="Nothing was written. They lock with L in the review, or with the last packet: gapsmith packet take FILE --lock.",
            )
        raise ConfigError(
            f"no item fits “{request.show}” for {request.annotator}",
            hint=no_share(workspace.bank, request.annotator) or "Check --show, --paradigm and --dataset.",
        )
    sentences = write_packet(session, request.file, [row.id for row in rows])
    services.note(f"{request.file}: {count(len(rows), 'item')}, {count(sentences, 'sentence')} for {request.annotator}")
    services.note(
        f"In each item, fill in `decision` (approve, exclude or flag). When it is back: gapsmith packet take {shlex.quote(str(request.file))};"
        f" --lock with it makes what {request.annotator} decided final, once nothing is left, as L does in the review"
    )
    return PacketMade(request.file, request.annotator, len(rows), sentences)


def _expect_own(bank: Bank, annotator: str) -> None:
    """Raise `BankError` where somebody else than the lead would learn from a packet how far another person is."""
    if bank.gate.lead not in (None, bank.reader) and annotator != bank.reader:
        raise BankError(
            f"a packet for {annotator} would tell {bank.reader} how far {annotator} is",
            hint=f"{bank.gate.lead} leads this bank and makes packets for others; {bank.reader} makes one with --for {shlex.quote(bank.reader)}."
            f" Who is {annotator} says so with --by. Nothing was written.",
        )


def take_packet(workspace: Workspace, request: PacketTake, services: Services = QUIET) -> PacketTaken:
    """What was taken in. Raises `GapsmithError` for what is not filled in as it should be; nothing is taken in then."""
    workspace = as_said(workspace, request.by)
    if not isinstance(request.judge, Unset):
        study = load_study(request.judge)
        answers = take_judging_packet(study, workspace.bank, request.file, said_or_none(request.annotator))
        services.note(
            f"{answers.author}: {count(answers.taken, 'answer')}; {answers.known:,} answered before, {answers.empty:,} not answered"
        )
        if answers.otherwise:
            services.warn(
                f"{answers.author} had answered {count(answers.otherwise, 'sentence')} otherwise before: the earlier answers stay. To change"
                f" one, {answers.author} takes it back (undo in gapsmith review --judge {request.judge})."
            )
        services.note(f"{answers.author}: {sheet_count(study, workspace.bank.read_by(answers.author), answers.author).words}")
        return answers
    if is_judging_packet(request.file):
        raise ConfigError(
            f"{request.file}: is a packet of an acceptability study",
            hint=f"Name the study's file: gapsmith packet take {request.file} --judge STUDY.toml",
        )
    taken = read_packet(
        workspace.bank,
        request.file,
        annotator=said_or_none(request.annotator),
        skip_changed=request.skip_changed,
        lock=request.lock,
        reasons=load_guide(workspace.root).reasons,
    )
    services.note(
        f"{taken.author}: approved {taken.decided.get(Verdict.APPROVE, 0):,}, excluded"
        f" {taken.decided.get(Verdict.EXCLUDE, 0):,}, flagged {taken.decided.get(Verdict.FLAG, 0):,};"
        f" {taken.known:,} taken in before, {taken.empty:,} without a decision in this file"
    )
    if taken.outside:
        services.warn(
            f"{count(len(taken.outside), 'item')} of these {'is' if len(taken.outside) == 1 else 'are'} not in {taken.author}'s share"
            f" (any more), and taken in all the same: {first_of(taken.outside, 5)}"
        )
    if taken.locked:
        services.note(f"{taken.author} has locked {', '.join(taken.locked)}")
    if taken.changed:
        services.warn(f"left out, because their texts were changed: {', '.join(taken.changed)}")
    return taken
