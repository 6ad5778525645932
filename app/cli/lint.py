"""`gapsmith lint`: what a careful syntactician would object to, item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.app.cli import generate_options as options
from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import SEED

if TYPE_CHECKING:
    from gapsmith.bank import Bank, ItemFilter
    from gapsmith.vetting import LintReport
    from gapsmith.vetting.rules import Parses, TokenCounter

_JUDGES = "Judges"


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("lint")(lint)


def lint(
    items: Annotated[list[str] | None, typer.Argument(help="Item ids (default: all).", show_default=False)] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", help="Only these rules: codes or prefixes, L,T020 (repeatable).", show_default=False),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="All rules but these (repeatable).", show_default=False)
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help="Exit with 1 from this severity on: error, warning, info, never (default: `fail_on` of the settings,"
            " else error).",
            show_default=False,
        ),
    ] = None,
    level: Annotated[str, typer.Option("--level", help="Show findings from this severity on.")] = "warning",
    full: Annotated[bool, typer.Option("--full", help="Show every finding of every item, also those of one kind.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair spaces, capitals, final punctuation, invisible characters first.")
    ] = False,
    confounds: Annotated[
        bool, typer.Option("--confounds", help="One page on what the set repeats and how its conditions differ.")
    ] = False,
    tokenizer: Annotated[
        str | None,
        typer.Option("--tokenizer", help="Count tokens as this model does: bundled, gpt2, a path.", show_default=False),
    ] = None,
    parser: Annotated[
        list[str] | None,
        typer.Option(
            "--parser",
            help="Also run the rules on parses, with this parser: embedded, spacy:NAME, stanza (repeatable: a second opinion).",
            show_default=False,
        ),
    ] = None,
    audit: Annotated[
        str | None,
        typer.Option("--audit", help="Measure the linter itself on a gold file, or on `shipped`.", show_default=False),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="PROVIDER:MODEL",
            help="Ask a language model as well, blind (repeatable). Advisory; may cost money.",
            show_default=False,
            rich_help_panel=_JUDGES,
        ),
    ] = None,
    judge_by: Annotated[
        str,
        typer.Option("--judge-by", help="choice (of two sentences) or rating (1 to 7).", rich_help_panel=_JUDGES),
    ] = "choice",
    judge_seed: Annotated[
        int,
        typer.Option(
            "--judge-seed", parser=given(SEED), help="Of the order of questions and sentences.", rich_help_panel=_JUDGES
        ),
    ] = 1,
    max_cost: options.MaxCost = None,
    base_url: options.BaseUrl = None,
    send_key_to: options.SendKeyTo = None,
    prices: options.Prices = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read items with all rules, show what they find, and keep it in the bank.

    Examples: `gapsmith lint`, `gapsmith lint -p lan_pg --select L310,L311`, `gapsmith lint --fix --fail-on warning`,
    `gapsmith lint --confounds`, `gapsmith lint --audit shipped`. Each code is explained by `gapsmith rule CODE`.
    """
    if audit is not None:
        from gapsmith.app.cli.lint_pages import show_audit

        show_audit(audit, workspace, as_json=as_json)
        return
    from gapsmith.app.chosen import Asking, lint_fails_from, lint_rules
    from gapsmith.app.cli.choices import parse_severity
    from gapsmith.app.cli.console import ExitCode, note, print_json, progress_bar, warning
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemStatus
    from gapsmith.templates import ConfigError
    from gapsmith.vetting import fix_bank, lint_bank
    from gapsmith.vetting.rules import load_knowledge

    shown = parse_severity(level)
    with open_workspace(workspace) as ws:
        rules = lint_rules(ws.settings, _codes(select), _codes(ignore))
        rules.rules()
        partly = bool(rules.select or rules.ignore)
        parses = _parses(parser, ws.bank)
        if parses is None and rules.select and all(code.startswith("P") for code in rules.select):
            raise ConfigError("the rules of family P read parses", hint="Name a parser: --parser embedded.")
        limit = lint_fails_from(ws.settings, fail_on)
        threshold = None if limit == "never" else parse_severity(limit)
        selection = _selection(ws.bank, items, paradigm, dataset)
        if fix:
            fixed = fix_bank(ws.bank, selection)
            count = sum(changed for _, changed in fixed)
            note(f"sentences repaired: {count:,}, in items: {len(fixed):,}; `gapsmith review` shows the edits")
            if decided := sum(item.status is not ItemStatus.PENDING for item, _ in fixed):
                note(f"{decided:,} of these items had been decided on; as they now stand they wait for a decision")
        with progress_bar("linting", ws.bank.items.count(selection)) as progress:
            report = lint_bank(
                ws.bank,
                selection,
                knowledge=load_knowledge(ws.root),
                rules=rules,
                store=not partly,
                tokens=_token_counter(tokenizer),
                parses=parses,
                advance=lambda n: progress.advance(progress.task_ids[0], n),
            )
        agreement = []
        if judge:
            from gapsmith.app.cli.lint_judges import ask_judges

            asking = Asking(base_url=base_url, max_cost=max_cost, send_key_to=send_key_to, prices=prices)
            agreement = ask_judges(ws, report, selection, judge, rules=rules, by=judge_by, seed=judge_seed, asking=asking)
        found = _as_data(report, ws.bank) if as_json and not confounds else []
    for name in report.without_roles:
        warning(
            f"no slot of {name} has a role, so no L rule can read the words in its slots; "
            "give the slots roles in the paradigm file"
        )
    if confounds:
        from gapsmith.app.cli.lint_pages import show_confounds

        show_confounds(report, as_json=as_json)
        return
    if as_json:
        print_json(found)
    else:
        from gapsmith.app.cli.lint_listing import show_findings

        show_findings(report, shown, full=full)
        if agreement:
            from gapsmith.app.cli.lint_judges import show_agreement

            show_agreement(agreement)
    if partly:
        note("with --select or --ignore findings are only shown; lint without them to keep what is found in the bank")
    if threshold is not None and report.reaches(threshold):
        raise typer.Exit(ExitCode.FAILED)


def _codes(given: list[str] | None) -> tuple[str, ...]:
    return tuple(code.strip().upper() for entry in given or () for code in entry.split(",") if code.strip())


def _parses(names: list[str] | None, bank: Bank) -> Parses | None:
    if not names:
        return None
    from gapsmith.parsing import open_parser, parse_store
    from gapsmith.vetting.rules import Parses

    parsers = [open_parser(name) for name in dict.fromkeys(names)]
    return Parses(parsers, [parse_store(bank, parser) for parser in parsers])


def _token_counter(name: str | None) -> TokenCounter | None:
    if name is None:
        return None
    from gapsmith.scoring.lm import token_counter

    return token_counter(name)


def _selection(bank: Bank, labels: list[str] | None, paradigm: str | None, dataset: str | None) -> ItemFilter:
    from gapsmith.bank import ItemFilter
    from gapsmith.templates import GapsmithError
    from gapsmith.vetting import resolve_labels

    selection = ItemFilter(paradigm=paradigm, dataset=dataset)
    if labels:
        return ItemFilter(paradigm=paradigm, dataset=dataset, ids=tuple(resolve_labels(bank, labels, selection)))
    if not bank.items.count(selection):
        raise GapsmithError(
            "there are no items to lint here",
            hint="Make some with `gapsmith generate` or bring some in with `gapsmith import`.",
        )
    return selection


def _as_data(report: LintReport, bank: Bank) -> list[dict[str, Any]]:
    from gapsmith.bank import NAMING, ItemFilter, naming

    ids = tuple({e.stored.item_id for e in report.findings if e.stored.item_id is not None})
    names = {item.id: naming(item) for item in bank.items.iterate(ItemFilter(ids=ids))} if ids else {}
    nobody = dict.fromkeys(NAMING)
    return [
        {
            "item": stored.label,
            **(names.get(stored.item_id, nobody) if stored.item_id is not None else nobody),
            "paradigm": entry.paradigm,
            "dataset": entry.dataset,
            "condition": stored.finding.place.condition,
            "code": stored.finding.code,
            "severity": stored.finding.severity.value,
            "message": stored.finding.message,
            "remedy": stored.finding.remedy,
            "start": stored.finding.place.start,
            "end": stored.finding.place.end,
            "slot": stored.finding.place.slot,
        }
        for entry in report.findings
        for stored in [entry.stored]
    ]
