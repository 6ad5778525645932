"""Linting items, with judges where they are asked for; and measuring the linter itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gapsmith.app.chosen import lint_rules
from gapsmith.app.linted import Linted
from gapsmith.app.requests.base import UNSET, said, said_or_none
from gapsmith.app.requests.checking import NEVER, Lint
from gapsmith.app.requests.filling import filled
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.judging import Judging
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter, ItemStatus, Severity
from gapsmith.templates import ConfigError, GapsmithError
from gapsmith.vetting import LintReport, audit, fix_bank, lint_bank, read_gold, resolve_labels, shipped_gold, without_origins
from gapsmith.vetting.review import edit_of_judged
from gapsmith.vetting.rules import Parses, TokenCounter, load_knowledge, precision_of


def lint(workspace: Workspace, request: Lint, services: Services = QUIET) -> Linted:
    """What the rules find; with `audit`, how good the linter is, and no item of the workspace is read.

    Raises `GapsmithError` where there are no items, and `ConfigError` for what nobody can do."""
    if request.audit is not UNSET:
        return measured(workspace.root, request)
    wanted = filled(request, workspace.settings)
    rules = lint_rules(workspace.settings, _codes(request.select), _codes(request.ignore))
    knowledge = load_knowledge(workspace.root)
    rules.rules(knowledge)
    for said_once in knowledge.replaced:
        services.note(said_once)
    partly = bool(rules.select or rules.ignore)
    if not request.parser and rules.select and all(code.startswith("P") for code in rules.select):
        raise ConfigError("the rules of family P read parses", hint="Name a parser: --parser embedded.")
    if request.confounds:
        workspace.bank.gate.expect_to_tell_origins("what each data set repeats")
    if request.parser and (kept := rules.kept_back):
        told = "; ".join(f"{code}: {precision_of(code) or 'not measured'}" for code in kept)
        services.note(
            f"rules on parses that were right too seldom on blind items, or that nobody measured, are not shown ({told});"
            " `--select P --parser NAME` shows them"
        )
    judging = Judging(workspace, request, rules, services) if request.judge else None
    bank = workspace.bank
    parses = _parses(request.parser, bank)
    selection = _selection(bank, request)
    if request.fix:
        _fix(bank, selection, services)
    read = 0
    with services.progress("linting", bank.items.count(selection)) as advance:

        def advance_by(n: int) -> None:
            nonlocal read
            read += n
            advance(read)

        report = lint_bank(
            bank,
            selection,
            knowledge=knowledge,
            rules=rules,
            store=not partly,
            tokens=_token_counter(said_or_none(request.tokenizer)),
            parses=parses,
            advance=advance_by,
            facts=request.confounds,
        )
    agreement = judging.ask(report, selection) if judging is not None else ()
    if partly and not request.confounds:
        services.note("with --select or --ignore findings are only shown; lint without them to keep what is found in the bank")
    if not bank.gate.tells_origins:
        report = without_origins(bank, report)
        services.note(
            "Items are called as on the screens, and what is found of data sets as wholes is left out before you have locked: some items"
            " calibrate."
        )
    limit = said(wanted.fail_on, Severity.ERROR.value)
    reached = limit != NEVER and report.reaches(Severity(limit))
    return Linted(
        request,
        bank,
        report,
        tuple(judging.reports) if judging is not None else (),
        agreement,
        reached,
        replaced=knowledge.replaced,
    )


def measured(root: Path | None, request: Lint) -> Linted:
    """How good the linter is on a gold file, or on the shipped ones, with the word lists of a workspace where there is one."""
    gold = said(request.audit, "shipped")
    paths = shipped_gold() if gold == "shipped" else (Path(gold),)
    items = [item for path in paths for item in read_gold(path)]
    return Linted(request, None, LintReport(), audit=audit(items, load_knowledge(root), root))


def _codes(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.strip().upper() for entry in given for code in entry.split(",") if code.strip())


def _parses(names: tuple[str, ...], bank: Bank) -> Parses | None:
    if not names:
        return None
    from gapsmith.parsing import open_parser, parse_store

    parsers = [open_parser(name) for name in names]
    return Parses(parsers, [parse_store(bank, parser) for parser in parsers])


def _token_counter(name: str | None) -> TokenCounter | None:
    if name is None:
        return None
    from gapsmith.scoring.lm import token_counter

    return token_counter(name)


def _selection(bank: Bank, request: Lint) -> ItemFilter:
    selection = selection_of(bank, request)
    if request.items:
        ids = tuple(resolve_labels(bank, list(request.items), selection))
        return replace(selection, ids=ids)
    if not bank.items.count(selection):
        raise GapsmithError(
            "there are no items to lint here",
            hint="Make some with `gapsmith generate` or bring some in with `gapsmith import`.",
        )
    return selection


def _fix(bank: Bank, selection: ItemFilter, services: Services) -> None:
    answered = set(bank.review.judged_in_studies(bank.items.ids(selection)))
    fixed = fix_bank(bank, selection)
    changed = sum(n for _, n in fixed)
    services.note(f"sentences repaired: {changed:,}, in items: {len(fixed):,}; `gapsmith review` shows the edits")
    if decided := sum(item.status is not ItemStatus.PENDING for item, _ in fixed):
        services.note(f"{decided:,} of these items had been decided on; as they now stand they wait for a decision")
    if judged := [bank.gate.called(item) for item, _ in fixed if item.id in answered]:
        services.warn(edit_of_judged(judged))
