"""`gapsmith decide`: approve, exclude or flag items without opening the review screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption

if TYPE_CHECKING:
    from bank import Bank, ItemFilter
    from vetting.decide import Decided

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("decide")(decide)


def decide(
    verdict: Annotated[str | None, typer.Argument(help="approve, exclude or flag.", show_default=False)] = None,
    items: Annotated[list[str] | None, typer.Argument(help="Item ids.", show_default=False)] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    code: Annotated[
        list[str] | None,
        typer.Option("--code", help="Items with a finding of this code or family (repeatable).", show_default=False),
    ] = None,
    severity: Annotated[
        str | None,
        typer.Option(
            "--severity",
            help="Items with a finding at or above error, warning or info. With --policy clean: what keeps an item"
            " from being approved (warning unless said otherwise).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[
        str | None, typer.Option("--status", help="Items that are pending, approved, …", show_default=False)
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="Items that contain this.", show_default=False)] = None,
    reason: Annotated[
        str | None, typer.Option("--reason", "-r", help="Why; an exclusion needs one.", show_default=False)
    ] = None,
    comment: Annotated[str | None, typer.Option("--comment", help="Anything to add.", show_default=False)] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Who decides (default: `annotator` of the settings).", show_default=False)
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", help="clean: approve pending items without findings.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", help="A file with the columns item,decision[,reason,comment,author].", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many items it would be.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on items by id, by filter, from a CSV file, or by policy.

    Examples: `gapsmith decide approve 1 2 3`, `gapsmith decide exclude --code L310 --reason ambiguous`,
    `gapsmith decide --policy clean`, `gapsmith decide --csv decisions.csv`.
    """
    from bank import ItemFilter
    from bank.formats import read_decision_csv
    from gapsmith.cli.choices import parse_severity, parse_status
    from gapsmith.cli.console import note, print_json
    from gapsmith.workspace import open_workspace
    from templates.errors import ConfigError
    from vetting.decide import Decided, decide_by_file, decide_by_policy

    if sum((verdict is not None, policy is not None, csv is not None)) != 1:
        raise ConfigError(
            "say what to decide, in one way",
            hint="A verdict (approve, exclude, flag), or --policy clean, or --csv FILE.",
        )
    with open_workspace(workspace) as ws:
        selection = ItemFilter(paradigm=paradigm, dataset=dataset)
        if policy is not None:
            if policy != "clean":
                raise ConfigError(f"there is no policy {policy!r}", hint="There is one: clean.")
            threshold = parse_severity(severity or "warning")
            done = decide_by_policy(ws.bank, selection, severity=threshold, dry_run=dry_run)
        elif csv is not None:
            rows = read_decision_csv(csv)
            author = _author(by, ws.settings.annotator)
            if dry_run:
                done = Decided(left=len(rows))
            else:
                done = decide_by_file(ws.bank, csv, rows, selection, author=author)
        else:
            assert verdict is not None
            narrowed = ItemFilter(
                paradigm=paradigm,
                dataset=dataset,
                codes=tuple(code or ()),
                severity=parse_severity(severity) if severity else None,
                statuses=(parse_status(status),) if status else (),
                text=text,
            )
            author = _author(by, ws.settings.annotator)
            done = _decide_selected(
                ws.bank, verdict, items or [], narrowed, author=author, reason=reason, comment=comment, dry_run=dry_run
            )
        if as_json:
            print_json(
                {"approved": done.approved, "excluded": done.excluded, "flagged": done.flagged, "left": done.left}
            )
        would = "would be " if dry_run else ""
        note(
            f"{would}approved {done.approved:,}, excluded {done.excluded:,}, flagged {done.flagged:,};"
            f" left as they are {done.left:,}"
        )


def _author(by: str | None, annotator: str | None) -> str:
    import getpass

    if by or annotator:
        return str(by or annotator)
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unnamed"


def _decide_selected(
    bank: Bank,
    verdict: str,
    labels: list[str],
    selection: ItemFilter,
    *,
    author: str,
    reason: str | None,
    comment: str | None,
    dry_run: bool,
) -> Decided:
    from bank import ItemFilter
    from gapsmith.cli.choices import parse_verdict
    from templates.errors import ConfigError
    from vetting.decide import Decided, decide_selected, resolve_labels

    chosen = parse_verdict(verdict)
    filtered = selection != ItemFilter(paradigm=selection.paradigm, dataset=selection.dataset)
    if not labels and not filtered:
        raise ConfigError("which items?", hint="Name item ids, or narrow with --code, --severity, --status or --text.")
    ids = resolve_labels(bank, labels, selection) if labels else bank.items.ids(selection)
    if not ids:
        raise ConfigError("no item fits these filters", hint="Nothing was decided.")
    if dry_run:
        return Decided(left=len(ids))
    return decide_selected(bank, ids, chosen, author=author, reason=reason, comment=comment)
