"""`gapsmith review`: vet items in the terminal."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT, NUMBER_IN_BANK, PORT, SEED, ConfigError, count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import Bank, Finding, ItemFilter, StoredItem
    from gapsmith.vetting.review import Session
    from gapsmith.vetting.tui import NormingApp, ReviewApp

_DISPUTED = "status:disputed"
_SCALE_ALONE = ConfigError("--scale belongs to --judge", hint="gapsmith review --judge --scale 7")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("review")(review)


def review(
    study: Annotated[
        Path | None,
        typer.Argument(help="With --judge: the file of an acceptability study (`gapsmith judge new`).", show_default=False),
    ] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    run: Annotated[
        int | None,
        typer.Option("--run", parser=given(NUMBER_IN_BANK), help="Only items of this run.", show_default=False),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who decides (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    show: Annotated[
        str | None,
        typer.Option("--show", help="Narrow the queue, e.g. 'status:undecided severity:warning'.", show_default=False),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option("--order", help="came, random, findings, doubt, status or text (default: as last time)."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", parser=given(SEED), help="Of the random order, which is each annotator's own.")
    ] = 0,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide where annotators disagree; the rest merges by itself.")
    ] = False,
    early: Annotated[
        bool, typer.Option("--early", help="With --adjudicate: also while somebody who has a share has not locked.")
    ] = False,
    judge: Annotated[
        bool,
        typer.Option("--judge", help="Judge one sentence at a time, with nothing beside it: all, or those of a study's FILE."),
    ] = False,
    scale: Annotated[
        int | None,
        typer.Option(
            "--scale",
            parser=given(COUNT),
            help="With --judge: 1 to this many points instead of ok, ? and *.",
            show_default=False,
        ),
    ] = None,
    web: Annotated[
        bool,
        typer.Option(
            "--web", help="In a browser, a link for each annotator: the terminal's screens, or with --judge plain pages."
        ),
    ] = False,
    annotators: Annotated[
        list[str] | None,
        typer.Option("--for", help="With --web: who gets a link (repeatable; default: --by).", show_default=False),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", parser=given(PORT), help="With --web: of this machine; 0 takes a free one.")
    ] = 8000,
    url: Annotated[
        str | None,
        typer.Option("--url", help="With --web: the address by which a proxy reaches it.", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Vet items in the terminal, or in a browser: one key each to approve, exclude or flag; F1 explains everything.

    Nothing needs saving. Annotators do not see each other's decisions, nor scores, until they lock (L).
    """
    if scale is not None and not judge:
        raise _SCALE_ALONE
    if early and not adjudicate:
        raise ConfigError("--early belongs to --adjudicate", hint="gapsmith review --adjudicate --early")
    if study is not None:
        _expect_study(
            study, judge=judge, narrowed=bool(paradigm or dataset or run or show or order or scale or seed or adjudicate)
        )
    if web:
        if judge:
            _serve_judging(study, scale, (paradigm, dataset, run), seed, annotators or [], by, port, url, workspace)
            return
        wanted = {
            "--paradigm": paradigm,
            "--dataset": dataset,
            "--run": run,
            "--show": show,
            "--order": order,
            "--seed": seed,
            "--adjudicate": adjudicate,
            "--early": early,
        }
        _serve(wanted, annotators or [], by, port, url, workspace)
        return
    if annotators or url:
        raise ConfigError("--for and --url belong to --web", hint="gapsmith review --web --for ann --for ben")
    from gapsmith.app.chosen import expect_name, review_parser
    from gapsmith.app.cli.console import note
    from gapsmith.app.critical_values import critical_values
    from gapsmith.app.settings import user_settings_file
    from gapsmith.app.workspace import open_workspace
    from gapsmith.vetting import parser_for_review
    from gapsmith.vetting.review import Scope, Session, load_guide, parse_query
    from gapsmith.vetting.tui import ReviewApp, load_keys

    with open_workspace(workspace, reader=by) as ws:
        if ws.bank.read_only:
            raise ConfigError(
                f"{ws.bank.path}: may not be written to, and what is decided has to be",
                hint="Review a copy of the workspace that is yours; `gapsmith bank merge` brings the decisions back.",
            )
        if adjudicate:
            expect_name(ws, "adjudicating")
        keys = load_keys([user_settings_file().parent / "keys.toml", ws.root / "keys.toml"])
        line = show if show is not None else _DISPUTED if adjudicate else ""
        query = parse_query(line)
        scope = Scope(paradigm, dataset, run)
        if not ws.bank.items.count(scope.filter):
            raise ConfigError(
                "there is nothing to review here",
                hint="Make items with `gapsmith generate` or `gapsmith import`, or check --paradigm and --dataset.",
            )
        session = Session(
            ws.bank,
            ws.bank.reader,
            scope=scope,
            adjudicating=adjudicate,
            guide=load_guide(ws.root),
            seed=seed,
            relint=_relinter(ws),
            proofread=_proofreader(ws),
            values=critical_values,
        )
        if judge:
            _judge(session, scale, study)
            return
        if adjudicate:
            _expect_may_adjudicate(ws.bank, session.author, scope.filter, early=early)
        if not session.rows(query, order or "came"):
            if adjudicate:
                _look(ws.bank, scope.filter)
                _count_adjudication(ws.bank, session.author, scope.filter)
            note(_why_empty(ws.bank, session, line))
            return
        # A look is final: it is recorded once there is something to look at, and somewhere.
        _need_terminal()
        if adjudicate:
            _look(ws.bank, scope.filter)
        parser = parser_for_review(review_parser(ws.settings))
        app = ReviewApp(session, query=query, order=order, keys=keys, parser=parser, folder=ws.root)
        app.run()
        if app.pace.decisions:
            for text in app.pace.lines(len(app.queue.rows) - app.queue.decided):
                note(text)
        _say_moved(app)
        if adjudicate:
            _count_adjudication(ws.bank, session.author, scope.filter)
    _end_as_asked(app)
    if app.return_code:
        # The screen has fallen over and has said how: nobody should take that for the end of a review.
        raise typer.Exit(app.return_code)


def _why_empty(bank: Bank, session: Session, line: str) -> str:
    from gapsmith.vetting import no_share

    if not session.adjudicating and (why := no_share(bank, session.author)):
        return why
    if session.adjudicating and line == _DISPUTED:
        waiting = sum(not row.people and row.status.value == "pending" for row in session.rows())
        more = f" so far; nobody has decided on {count(waiting, 'item')} yet" if waiting else ""
        if flagged := sum(row.status.value == "flagged" for row in session.rows()):
            return (
                f"Nothing is disputed{more}. {count(flagged, 'item')} {'is' if flagged == 1 else 'are'} flagged: "
                "gapsmith review --adjudicate --show status:flagged"
            )
        return f"Nothing is disputed{more}: there is nothing to adjudicate."
    return f"Nothing fits “{line}”: there is nothing to do." if line else "There is nothing to do here."


def _serve(
    wanted: dict[str, str | int | bool | None],
    annotators: list[str],
    by: str | None,
    port: int,
    url: str | None,
    workspace: Path | None,
) -> None:
    """Give each annotator a link to the review with these options."""
    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.vetting import no_share

    if sys.platform == "win32":
        raise ConfigError(
            "the review in a browser does not run on Windows, where its server cannot start and end reviews as it has to",
            hint="Use `gapsmith review` in a terminal, --web in WSL or on another machine, or packets: `gapsmith packet`.",
        )
    try:
        from gapsmith.vetting.web import Link, ReviewServer, listen
    except ImportError:
        raise ConfigError(
            "the review in a browser needs textual-serve, which is not installed",
            hint="Install it with: pip install 'gapsmith[web]'.",
        ) from None
    with open_workspace(workspace, reader=by) as ws:
        root = ws.root
        names = list(dict.fromkeys(annotators or [ws.bank.reader]))
        if wanted["--adjudicate"]:
            # Asked here, where somebody may sit: nobody answers a question that is put before a screen in a browser opens.
            paradigm, dataset = (None if wanted[flag] is None else str(wanted[flag]) for flag in ("--paradigm", "--dataset"))
            _expect_locked(ws.bank, ItemFilter(paradigm=paradigm, dataset=dataset), early=bool(wanted["--early"]))
            wanted = {**wanted, "--early": True}
        elif shares := {name: why for name in names if (why := no_share(ws.bank, name))}:
            _refuse_links(shares, names)
    if not all(name.strip() for name in names):
        raise ConfigError("an annotator needs a name", hint="For example --for ann.")
    options = [f"{flag}={value}" for flag, value in wanted.items() if value is not None and not isinstance(value, bool)]
    options += [flag for flag, value in wanted.items() if value is True]
    program = [sys.executable, "-m", "gapsmith", "review", f"--workspace={root}", *options]
    with listen(port) as listening:
        links = [Link(name, (*program, f"--by={name}")) for name in names]
        server = ReviewServer(links, port=listening.getsockname()[1], public_url=url)
        for link in links:
            print_text(f"{link.author}: {server.url(link)}")
        note("Each link is one annotator's: whoever has it decides under that name. Ctrl-C ends the reviews.")
        sys.stdout.flush()
        server.serve_on(listening)


def _refuse_links(why: dict[str, str], names: list[str], hint: str = "") -> NoReturn:
    """A link that nobody can answer by is worse than none. Raises `ConfigError` with why, by name, and who can begin."""
    others = " ".join(f"--for {shlex.quote(name)}" for name in names if name not in why)
    told = [hint] if hint else []
    raise ConfigError(
        ("; " if hint else " ").join(why.values()),
        hint=" ".join([*told, *([f"The others can begin: {others}."] if others else [])]),
    )


def _serve_judging(
    file: Path | None,
    points: int | None,
    scope: tuple[str | None, str | None, int | None],
    seed: int,
    annotators: list[str],
    by: str | None,
    port: int,
    url: str | None,
    workspace: Path | None,
) -> None:
    """Give each annotator a link to pages on which they judge."""
    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.vetting import no_share
    from gapsmith.vetting.review import (
        CATEGORIES,
        Scale,
        Scope,
        Session,
        expect_unlocked,
        load_study,
        sheet,
        stimuli,
    )

    try:
        from gapsmith.vetting.web import JudgingDesk, Link, PageServer, listen
    except ImportError:
        raise ConfigError(
            "judging in a browser needs textual-serve, which is not installed",
            hint="Install it with: pip install 'gapsmith[web]'.",
        ) from None
    study = load_study(file) if file is not None else None
    with open_workspace(workspace, reader=by) as ws:
        names = list(dict.fromkeys(annotators or (study.annotators if study is not None else [ws.bank.reader])))
        if not all(name.strip() for name in names):
            raise ConfigError("an annotator needs a name", hint="For example --for ann.")
        if study is not None:
            # Who has no sheet, and items that are not there, are told before anybody has a link.
            for name in names:
                sheet(study, ws.bank, name)
        refused: dict[str, ConfigError] = {}
        for name in names:
            session = Session(ws.bank, name, scope=Scope(*scope), seed=seed)
            if study is None and (why := no_share(ws.bank, name)):
                refused[name] = ConfigError(why)
                continue
            try:
                expect_unlocked(session, stimuli(session) if study is None else [])
            except ConfigError as error:
                refused[name] = error
        if refused:
            hint = next(iter(refused.values())).hint
            _refuse_links({name: one.message for name, one in refused.items()}, names, hint)
        bank = ws.bank.path
    scale = Scale.of(study) if study is not None else Scale.likert(points) if points is not None else CATEGORIES
    desk = JudgingDesk(bank, scale, study=study, scope=Scope(*scope), seed=seed)
    with listen(port) as listening:
        server = PageServer([Link(name) for name in names], desk, port=listening.getsockname()[1], public_url=url)
        for link in server.links:
            print_text(f"{link.author}: {server.url(link)}")
        note("Each link is one annotator's: whoever has it judges under that name. Ctrl-C ends it.")
        sys.stdout.flush()
        server.serve_on(listening)


def _in_browser() -> bool:
    """Whether a server has started this process and draws what it writes."""
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def _end_with(parent: int) -> None:
    """End like one who was asked to when the server is gone: nobody sends keys any more."""
    while os.getppid() == parent:
        time.sleep(1.0)
    signal.raise_signal(signal.SIGTERM)


def _need_terminal(instead: str = "From scripts, use `gapsmith decide`.") -> None:
    """Raise `ConfigError` where there is no terminal to draw on, with what does it `instead`."""
    if _in_browser():
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        return
    # The screen is drawn on stderr, so that has to be a terminal as well.
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise ConfigError("the review needs a terminal", hint=f"Do not redirect it. {instead}")
    if os.environ.get("TERM") == "dumb":
        raise ConfigError(
            "the review cannot draw on this terminal (TERM=dumb)",
            hint=f"Use a terminal that moves its cursor. {instead}",
        )


def _judge(session: Session, points: int | None, file: Path | None) -> None:
    from gapsmith.app.cli.console import note
    from gapsmith.vetting import no_share
    from gapsmith.vetting.review import (
        CATEGORIES,
        Scale,
        expect_unlocked,
        load_study,
        practice_trials,
        sheet,
        stimuli,
        waiting_trials,
    )
    from gapsmith.vetting.tui import NormingApp

    study = load_study(file) if file is not None else None
    if study is not None:
        scale, waiting = Scale.of(study), waiting_trials(study, session.bank, session.author)
        begun = len(waiting) < len(sheet(study, session.bank, session.author))
        practice = [] if begun else practice_trials(study)
    else:
        scale, waiting, practice = Scale.likert(points) if points is not None else CATEGORIES, stimuli(session), []
    if not waiting:
        why = no_share(session.bank, session.author) if study is None else ""
        note(why or "All sentences here are judged: there is nothing to do.")
        return
    if study is None:
        expect_unlocked(session, waiting)
    packet = (
        f"gapsmith packet make FILE.xlsx --judge {shlex.quote(str(file))} --for {shlex.quote(session.author)}" if file else ""
    )
    _need_terminal(f"Where there is none: --web{f', or a packet: {packet}' if packet else ' asks in a browser'}.")
    app = NormingApp(session, waiting, scale, study=study, practice=practice)
    app.run()
    for line in app.summary():
        note(line)
    _say_moved(app)
    _end_as_asked(app)
    if app.return_code:
        raise typer.Exit(app.return_code)


def _expect_study(file: Path, *, judge: bool, narrowed: bool) -> None:
    if not judge:
        raise ConfigError(f"{file}: a study is judged", hint=f"gapsmith review --judge {file}")
    if narrowed:
        raise ConfigError(
            f"{file} decides what is judged, in which order and on which scale",
            hint="Leave out --paradigm, --dataset, --run, --show, --order, --seed, --scale and --adjudicate.",
        )


def _end_as_asked(app: ReviewApp | NormingApp) -> None:
    """Where a signal has asked for the end: now that the terminal is given back, end by it, so that whoever sent it sees that."""
    if app.ended_by is not None:
        from gapsmith.vetting.tui import end_by

        end_by(app.ended_by)


def _say_moved(app: ReviewApp | NormingApp) -> None:
    """Say once more, where it stays, that the bank was taken away under the review."""
    from gapsmith.app.cli.console import note

    if app.moved is None:
        return
    for text in app.typed_at_end:
        note(f"typed and not saved: {text}")
    raise app.moved


def _expect_locked(bank: Bank, scope: ItemFilter, *, early: bool) -> None:
    """Ask, naming them, or refuse where people who have a share have not locked."""
    from gapsmith.app.cli.console import ask
    from gapsmith.bank import awaited
    from gapsmith.vetting import adjudication_waits, too_early

    if early or not (waiting := awaited(bank, paradigm=scope.paradigm, dataset=scope.dataset)):
        return
    if ask(f"{adjudication_waits(waiting)} Adjudicate now?", ("yes", "no")) != "yes":
        raise too_early(waiting)


def _expect_may_adjudicate(bank: Bank, author: str, scope: ItemFilter, *, early: bool) -> None:
    from gapsmith.app.cli.console import warning
    from gapsmith.vetting import adjudication

    everything = bank.read_by(author, everything=True)
    state = adjudication(everything, paradigm=scope.paradigm, dataset=scope.dataset)
    if author in state.unlocked:
        raise ConfigError(
            f"{author} has decided on these items and not locked; adjudicating shows what the others say",
            hint="Lock first (`gapsmith review`, then L), or adjudicate under another name with --by.",
        )
    _expect_locked(everything, scope, early=early)
    if state.unlocked:
        warning(f"not locked yet, may still change their minds: {', '.join(state.unlocked)}")


def _look(bank: Bank, scope: ItemFilter) -> None:
    """Adjudicating shows what others say: that is a look like any other."""
    from gapsmith.app.cli.door import Terminal
    from gapsmith.app.stages.looking import look_or_say

    look_or_say(bank, scope, Terminal(None, as_json=False).services, look=True)


def _count_adjudication(bank: Bank, author: str, scope: ItemFilter) -> None:
    """How the items stand now: after an adjudication, with what it has decided."""
    from gapsmith.app.cli.console import note
    from gapsmith.bank import contested, contested_in_words
    from gapsmith.vetting import NOT_BLIND, adjudication

    bank = bank.read_by(author, everything=True)
    state = adjudication(bank, paradigm=scope.paradigm, dataset=scope.dataset)
    # In lines that have room on a terminal, which breaks longer ones within words.
    informed = f" {len(state.informed):,} more alike, {NOT_BLIND}." if state.informed else ""
    note(f"{len(state.agreed):,} items merged: all who decided agree.{informed}")
    note(
        f"{len(state.disputed):,} disputed, {len(state.adjudicated):,} adjudicated,"
        f" {len(state.single):,} decided by one person only."
    )
    if told := contested_in_words(contested(bank, paradigm=scope.paradigm, dataset=scope.dataset)):
        note(told)


def _relinter(ws: Workspace) -> Callable[[Bank, Sequence[int]], None]:
    """Lints items again after an edit; the word lists are loaded by the first call, in the thread that lints."""
    from gapsmith.app.chosen import lint_rules
    from gapsmith.bank import ItemFilter
    from gapsmith.vetting import lint_bank
    from gapsmith.vetting.rules import load_knowledge

    root, settings = ws.root, ws.settings

    def relint(bank: Bank, item_ids: Sequence[int]) -> None:
        knowledge, rules = load_knowledge(root), lint_rules(settings)
        lint_bank(bank, ItemFilter(ids=tuple(item_ids)), knowledge=knowledge, rules=rules)

    return relint


def _proofreader(ws: Workspace) -> Callable[[Bank, Sequence[StoredItem]], list[list[Finding]]]:
    """Says what the linter finds in items as somebody is about to leave them, by the rules that lint them again afterwards."""
    from gapsmith.app.chosen import lint_rules
    from gapsmith.vetting import findings_of
    from gapsmith.vetting.rules import load_knowledge

    root, settings = ws.root, ws.settings

    def proofread(bank: Bank, items: Sequence[StoredItem]) -> list[list[Finding]]:
        return findings_of(bank, items, knowledge=load_knowledge(root), rules=lint_rules(settings))

    return proofread
