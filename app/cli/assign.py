"""`gapsmith assign`: who reads which items, with an overlap, and items whose verdict is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, JsonOption, OurIdsOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT, SEED, SHARE

_NOTHING = "Nothing was assigned."


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("assign")(assign)


def assign(
    annotators: Annotated[list[str], typer.Option("--to", help="Who reads (repeatable).", show_default=False)],
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    overlap: Annotated[
        float, typer.Option("--overlap", parser=given(SHARE), help="The share of items that several people read.")
    ] = 0.2,
    readers: Annotated[
        int, typer.Option("--readers", parser=given(COUNT), help="How many people read an item of the overlap.")
    ] = 2,
    known: Annotated[
        Path | None,
        typer.Option(
            "--known",
            help="Calibration items, which everybody reads: a file as for `decide --csv`.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", parser=given(SEED), help="Of who gets what.")] = 0,
    our_ids: OurIdsOption = False,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who assigns (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Share items out: every item has a reader, some have several, and `gapsmith review` shows everybody their own.

    A later assignment of the same items takes the place of an earlier one. Whoever was assigned nothing sees everything.
    """
    from collections import Counter

    from gapsmith.app.cli.console import note, print_json
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter, Matcher, Verdict
    from gapsmith.bank.formats import read_annotations
    from gapsmith.templates import ConfigError
    from gapsmith.vetting import share_out

    with open_workspace(workspace, reader=by) as ws, ws.bank.transaction():
        selection = ItemFilter(paradigm=paradigm, dataset=dataset)
        ids = ws.bank.items.ids(selection)
        if not ids:
            raise ConfigError("there is nothing to assign here", hint="Check --paradigm and --dataset.")
        verdicts: dict[int, Verdict] = {}
        if known is not None:
            finder = Matcher(ws.bank, known, selection, our_ids=our_ids, unchanged=_NOTHING)
            for row in read_annotations(known, unchanged=_NOTHING).decisions:
                item_id = finder.find(row.reference).id
                if verdicts.setdefault(item_id, row.verdict) is not row.verdict:
                    raise ConfigError(
                        f"{known}, line {row.reference.line}: item {row.reference.label} has another verdict above", hint=_NOTHING
                    )
        others = [item_id for item_id in ids if item_id not in verdicts]
        given = share_out(others, annotators, overlap=overlap, readers=readers, seed=seed)
        doubled = sum(len(names) > 1 for names in given.values())
        given |= {item_id: tuple(annotators) for item_id in verdicts}
        ws.bank.assignments.assign(given, verdicts, by=ws.bank.reader)
    loads = Counter(name for names in given.values() for name in names)
    if as_json:
        print_json({"items": len(given), "overlap": doubled, "known": len(verdicts), "loads": dict(loads)})
        return
    for name in annotators:
        note(f"{name}: {loads[name]:,} items")
    note(f"{len(given):,} items; {doubled:,} of them have several readers, {len(verdicts):,} calibrate")
