"""`gapsmith context`: what stands before items when they are scored, drawn once and kept under a name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.app.cli.numbers import given, parse_lengths
from gapsmith.app.cli.options import AllItemsOption, DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT, SEED

if TYPE_CHECKING:
    from gapsmith.app.workspace import Workspace
    from gapsmith.scoring import Counter, Drawn

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
    from gapsmith.app.cli.context_study import study

    app.command("study")(study)
    root.add_typer(app, name="context")


@app.command("draw")
def draw(
    name: NameArgument,
    kind: Annotated[
        str,
        typer.Option(
            "--type",
            help="matched (other items of the same suite), mismatched (of other suites), unrelated (sentences of running text).",
        ),
    ],
    lengths: Annotated[str, typer.Option("--lengths", help="Tokens to grow to, with commas between them.")],
    member: Annotated[str, typer.Option("--member", help="Which sentences of items: acceptable or unacceptable.")] = "acceptable",
    text: Annotated[
        Path | None,
        typer.Option(
            "--text",
            help="For unrelated: a file of running text (default: a sample that comes along).",
            show_default=False,
        ),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="The file has one sentence a line.")] = False,
    source: Annotated[
        list[str] | None,
        typer.Option("--from", help="For mismatched: only of this suite (repeatable).", show_default=False),
    ] = None,
    suites_by: Annotated[
        str,
        typer.Option(
            "--suites-by",
            help="An attribute that takes data sets apart into suites; else a data set is one.",
            show_default=False,
        ),
    ] = "",
    perturbation: Annotated[
        str,
        typer.Option(
            "--perturb",
            help="What is added to each sentence: none, adverb-before, adverb-after, phrase-before, clause-before, clause-after, "
            "quote, all.",
        ),
    ] = "none",
    shared: Annotated[
        int | None,
        typer.Option(
            "--shared-contexts",
            "--shared",
            parser=given(COUNT),
            help="So many contexts for all items of a suite, not one each.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", parser=given(SEED), help="The same seed draws the same contexts.")] = 1,
    model: ModelOption = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    all_items: AllItemsOption = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Draw a context for every item, grown sentence by sentence to each of the lengths, and keep them under a name."""
    from gapsmith.app.cli.choices import parse_word
    from gapsmith.app.context_studies import sample_of_running_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import ContextSource, Member, Perturbation, Plan, draw_contexts, read_lines, read_running
    from gapsmith.templates import ConfigError

    chosen = parse_word(ContextSource, kind, "type of context")
    if chosen is ContextSource.TEXTS:
        raise ConfigError("texts are not drawn", hint="`gapsmith context add NAME FILE` takes them as they stand.")
    if chosen is ContextSource.UNRELATED:
        text = text or sample_of_running_text()
    elif text is not None:
        raise ConfigError("only unrelated contexts are sentences of a file", hint="Say --type unrelated --text FILE.")
    if source and chosen is not ContextSource.MISMATCHED:
        raise ConfigError("--from is for mismatched contexts", hint="Say --type mismatched, or leave --from out.")
    aims = parse_lengths(lengths)
    with open_workspace(workspace) as ws:
        called, count, window = _counting(ws, model)
        plan = Plan(
            kind=chosen,
            member=parse_word(Member, member, "member"),
            lengths=aims,
            seed=seed,
            shared=shared,
            window=window,
            tokenizer=called,
            sources=tuple(source or ()),
            suites_by=suites_by,
            perturbation=parse_word(Perturbation, perturbation, "perturbation"),
        )
        texts = [] if text is None else read_lines(text) if lines else read_running(text)
        drawn = draw_contexts(
            ws.bank,
            name,
            plan,
            ItemFilter(paradigm=paradigm, dataset=dataset),
            count,
            everything=all_items,
            texts=texts,
            about={} if text is None else _about(text, len(texts)),
        )
    _say(drawn, called, window)


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
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import keep_texts, read_lines

    with open_workspace(workspace) as ws:
        called, count, window = _counting(ws, model)
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
            about=_about(file, len(texts)),
        )
    _say(drawn, called, window)


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


def _counting(ws: Workspace, model: str | None) -> tuple[str, Counter, int | None]:
    """The model's name, its counter of tokens, and its window. Loads no weights."""
    from gapsmith.app.chosen import scoring
    from gapsmith.app.cli.console import note
    from gapsmith.scoring.lm import token_counter

    chosen = scoring(ws.settings, model=model)
    window = chosen.open(notice=note).identity.get("window")
    return chosen.model, token_counter(chosen.model), window


def _about(file: Path, n: int) -> dict[str, object]:
    import hashlib

    digest = hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
    return {"source": {"file": file.name, "blake2b": digest, "texts": n}}


def _say(drawn: Drawn, model: str, window: int | None) -> None:
    from gapsmith.app.cli.console import note

    bound = f"; the window of {model} is {window} tokens" if window is not None else ""
    note(f"{drawn.made.name}: {drawn.n_contexts:,} different contexts for {drawn.n_items:,} items{bound}")
    for target, found in drawn.realised.items():
        mean = sum(found) / len(found) if found else 0.0
        note(f"  to {target} tokens: {mean:.1f} on average, {min(found, default=0)} to {max(found, default=0)}")
    if drawn.left_out:
        note(f"{drawn.left_out:,} times an item stands in a context itself; it is not scored in that one.")
    for message in drawn.notes:
        note(message)
    note(f"Score the items in them with `gapsmith score --contexts {drawn.made.name}`.")
