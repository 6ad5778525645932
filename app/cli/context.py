"""`gapsmith context`: what stands before items when they are scored, drawn once and kept under a name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import AllItemsOption, DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT

app = typer.Typer(help="What stands before items when they are scored: draw contexts, list and show them.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="The name of the context set.")]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).",
        show_default=False,
    ),
]


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="context")


@app.command("add")
def add(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(help="A file with one context a line.")],
    running: Annotated[bool, typer.Option("--running", help="The whole file is one context, a running text.")] = False,
    model: ModelOption = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    all_items: AllItemsOption = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Keep the texts of a file as contexts: every item is scored behind each of them."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.cli.door import Terminal
    from gapsmith.app.stages.context_sets import about_file, counting, drawn_in_words
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import keep_texts, read_lines

    with open_workspace(workspace) as ws:
        called, count, window = counting(ws, model, Terminal(workspace, as_json=False).services)
        texts = read_lines(file)
        if running:
            texts = [" ".join(texts)]
        drawn = keep_texts(
            ws.bank,
            name,
            texts,
            ItemFilter(paradigm=paradigm, dataset=dataset),
            count,
            tokenizer=called,
            everything=all_items,
            about=about_file(file, len(texts)),
        )
    for line in drawn_in_words(drawn, called, window):
        note(line)


@app.command("list")
def list_sets(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The context sets, with how they were drawn."""
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import note, print_json, print_table
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace) as ws:
        sets = ws.bank.contexts.sets()
        sizes = {own.id: len({item for item, _ in ws.bank.contexts.assigned(own.id)}) for own in sets}
    if as_json:
        print_json([{"name": own.name, "items": sizes[own.id], "sampler": dict(own.sampler)} for own in sets])
        return
    if not sets:
        note("There are no context sets yet; `gapsmith context draw` makes one.")
        return
    table = Table("set", "type", "items", "tokens", "seed", "counted by")
    for own in sets:
        said = own.sampler
        kind = " ".join(filter(None, (said["type"], said.get("member"))))
        shared = f", {said['shared']} shared" if said.get("shared") else ""
        lengths = ", ".join(map(str, said.get("lengths", ()))) or "as they stand"
        row = [own.name, f"{kind}{shared}", f"{sizes[own.id]:,}", lengths, str(said.get("seed", "")), said["tokenizer"]]
        table.add_row(*map(Text, row))
    print_table(table)


@app.command("show")
def show(
    name: NameArgument,
    item: Annotated[
        str | None, typer.Option("--item", "-i", help="Only the contexts of the item with this id.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", parser=given(COUNT), help="At most so many items.")] = 3,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a set was drawn, and the contexts of its first items, with their real lengths."""
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import naming
    from gapsmith.scoring import steps_of
    from gapsmith.templates import ConfigError

    with open_workspace(workspace) as ws:
        bank = ws.bank
        found = bank.contexts.find(name)
        lengths = bank.contexts.lengths(found.id)
        steps = steps_of(found)
        assigned = bank.contexts.assigned(found.id)
        shown: list[dict[str, Any]] = []
        for item_id in dict.fromkeys(own for own, _ in assigned):
            stored = bank.items.get(item_id)
            if item is not None and stored.label != item:
                continue
            if item is None and not as_json and len(shown) == limit:
                break
            own = [(step, assigned.get((item_id, step.number))) for step in steps[1:]]
            contexts = [
                {
                    "target": s.target,
                    "draw": s.draw,
                    "number": c,
                    "tokens": lengths.get(c),
                    "sentences": bank.contexts.sentences(c),
                }
                for s, c in own
                if c is not None
            ]
            shown.append({"dataset": stored.dataset, "item": stored.label, **naming(stored), "contexts": contexts})
    if item is not None and not shown:
        raise ConfigError(f"{name} has no context for an item {item!r}", hint="`gapsmith show` lists ids.")
    how = {key: value for key, value in found.sampler.items() if key != "steps" and value is not None}
    if as_json:
        print_json({"name": name, "sampler": how, "items": shown})
        return
    blocks = [f"{name}: " + ", ".join(f"{key} {_plain(value)}" for key, value in how.items())]
    for entry in shown:
        lines = [f"{entry['dataset']}/{entry['item']}"]
        for context in entry["contexts"]:
            aimed = "" if context["target"] is None else f" of {context['target']}"
            which = f"no. {context['draw']}, " if context["draw"] else ""
            lines.append(f"  {which}{context['tokens']}{aimed} tokens: {' '.join(context['sentences']) or '(nothing)'}")
        blocks.append("\n".join(lines))
    print_text("\n\n".join(blocks))


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {entry}" for key, entry in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
