"""`gapsmith decide`: approve, exclude or flag items without opening the review screen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.options import DatasetOption, JsonOption, LookOption, OurIdsOption, ParadigmOption, WorkspaceOption

if TYPE_CHECKING:
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import Bank, ItemFilter, Severity
    from gapsmith.vetting import Decided


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
    reason: Annotated[str | None, typer.Option("--reason", "-r", help="Why; an exclusion needs one.", show_default=False)] = None,
    comment: Annotated[str | None, typer.Option("--comment", help="Anything to add.", show_default=False)] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Who decides (default: `annotator` of the settings).", show_default=False)
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", help="clean: approve pending items that have no warning or error.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="A file that `annotations` or `export decisions` wrote, or one with the columns item, decision, reason, "
            "comment, author, and item_uid and text_digest or the sentence.",
            show_default=False,
        ),
    ] = None,
    our_ids: OurIdsOption = False,
    skip_changed: Annotated[
        bool,
        typer.Option("--skip-changed", help="With --csv: leave out items that have other texts than the file is about."),
    ] = False,
    look: LookOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many items it would be.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on items by id, by filter, from a CSV file, or by policy.

    Examples: `gapsmith decide approve 1 2 3`, `gapsmith decide exclude --code L310 --reason ambiguous`,
    `gapsmith decide --policy clean`, `gapsmith decide --csv decisions.csv`.
    """
    from dataclasses import asdict

    from gapsmith.app.cli.choices import parse_severity, parse_status
    from gapsmith.app.cli.console import note, print_json, warning
    from gapsmith.app.cli.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.templates import ConfigError, count

    if sum((verdict is not None, policy is not None, csv is not None)) != 1:
        raise ConfigError(
            "say what to decide, in one way",
            hint="A verdict (approve, exclude, flag), or --policy clean, or --csv FILE.",
        )
    narrowed = {"--code": code, "--status": status, "--text": text, "--reason": reason, "--comment": comment}
    if verdict is None and (given := [flag for flag, value in narrowed.items() if value]):
        raise ConfigError(
            f"{given[0]} does not go with {'--policy' if policy else '--csv'}",
            hint="Narrow with --paradigm and --dataset. Nothing was decided.",
        )
    if csv is None and (our_ids or skip_changed):
        raise ConfigError(
            f"{'--our-ids' if our_ids else '--skip-changed'} belongs to --csv",
            hint="What is typed here is taken as this bank's own. Nothing was decided.",
        )
    wish = _Wish(
        verdict,
        items or [],
        reason,
        comment,
        policy,
        parse_severity(severity) if severity else None,
        csv,
        our_ids,
        skip_changed,
    )
    selection = ItemFilter(
        paradigm=paradigm,
        dataset=dataset,
        codes=tuple(code or ()),
        severity=wish.severity if verdict is not None else None,
        statuses=(parse_status(status),) if status else (),
        text=text,
    )
    with open_workspace(workspace, reader=by) as ws:
        author = ws.bank.reader
        if status or policy or look:
            look_or_say(ws.bank, selection, look=look)
        try:
            with ws.bank.transaction():
                done = wish.carry_out(ws, selection, author)
                if dry_run:
                    raise _DryRunError
        except _DryRunError:
            note("a dry run: nothing was decided")
    if as_json:
        print_json(asdict(done))
    would = "would be " if dry_run else ""
    note(
        f"{would}approved {done.approved:,}, excluded {done.excluded:,}, flagged {done.flagged:,};"
        f" left as they are {done.left:,}"
        + (f"; {would}judged {count(done.judged, 'sentence')}" if done.judged else "")
        + (f"; {done.known:,} said so before" if done.known else "")
    )
    if done.changed:
        warning(f"left out, because they have other texts here: {', '.join(done.changed)}")


class _DryRunError(Exception):
    """Ends the transaction of a dry run, so that what was tried in earnest is taken back."""


@dataclass(frozen=True)
class _Wish:
    verdict: str | None
    labels: list[str]
    reason: str | None
    comment: str | None
    policy: str | None
    severity: Severity | None
    csv: Path | None
    our_ids: bool
    skip_changed: bool

    def carry_out(self, ws: Workspace, selection: ItemFilter, author: str) -> Decided:
        if self.policy is not None:
            return self._by_policy(ws, selection)
        if self.csv is not None:
            from gapsmith.bank.formats import read_annotations
            from gapsmith.vetting import decide_by_file

            return decide_by_file(
                ws.bank,
                self.csv,
                read_annotations(self.csv),
                selection,
                author=author,
                our_ids=self.our_ids,
                skip_changed=self.skip_changed,
            )
        return self._by_verdict(ws.bank, selection, author)

    def _by_policy(self, ws: Workspace, selection: ItemFilter) -> Decided:
        from gapsmith.app.chosen import rulesets
        from gapsmith.bank import Severity
        from gapsmith.templates import ConfigError
        from gapsmith.vetting import decide_by_policy

        if self.policy != "clean":
            raise ConfigError(f"there is no policy {self.policy!r}", hint="There is one: clean.")
        severity = self.severity or Severity.WARNING
        return decide_by_policy(ws.bank, selection, severity=severity, rulesets=rulesets(ws))

    def _by_verdict(self, bank: Bank, selection: ItemFilter, author: str) -> Decided:
        from gapsmith.app.cli.choices import parse_verdict
        from gapsmith.bank import ItemFilter
        from gapsmith.templates import ConfigError
        from gapsmith.vetting import decide_selected, resolve_labels

        assert self.verdict is not None
        chosen = parse_verdict(self.verdict)
        filtered = selection != ItemFilter(paradigm=selection.paradigm, dataset=selection.dataset)
        if not self.labels and not filtered:
            raise ConfigError("which items?", hint="Name item ids, or narrow with --code, --severity, --status or --text.")
        ids = resolve_labels(bank, self.labels, selection) if self.labels else bank.items.ids(selection)
        if not ids:
            raise ConfigError("no item fits these filters", hint="Nothing was decided.")
        return decide_selected(bank, ids, chosen, author=author, reason=self.reason, comment=self.comment)
