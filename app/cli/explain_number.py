"""`gapsmith explain-number`: why another tool prints another number for the same sentence and model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rich.table import Table

    from gapsmith.scoring import Explained


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("explain-number")(explain_number)


def explain_number(
    sentence: Annotated[str, typer.Argument(help="The sentence, in quotes.")],
    like: Annotated[
        str, typer.Option("--like", help="minicons, lm-eval, lm-eval-norm, syntaxgym or pangoling.", show_default=False)
    ],
    model: Annotated[str, typer.Option("--model", "-m", help="A model of the hub, a directory, or `bundled`.")] = "bundled",
    word: Annotated[
        str | None, typer.Option("--word", help="A word of the sentence, instead of all of it.", show_default=False)
    ] = None,
    boundary: Annotated[bool, typer.Option("--boundary", help="Our number with the word-boundary correction.")] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", help="A second sentence: which of the two does each tool prefer?", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a sentence's number as another tool makes it, and what each difference to ours comes to."""
    from functools import cache

    from gapsmith.app.chosen import scoring
    from gapsmith.app.cli.console import note, print_json, print_table, print_text
    from gapsmith.app.workspace import settings_of
    from gapsmith.scoring import TOOLS, explain
    from gapsmith.scoring.lm import BosPolicy, Engine
    from gapsmith.templates import ConfigError

    if like not in TOOLS:
        raise ConfigError(f"there is nothing known of {like!r}", hint=f"Say one of {', '.join(TOOLS)}.")

    chosen = scoring(settings_of(None), model=model, engine="batches")

    @cache
    def engine_with(bos: bool) -> Engine:
        return chosen.open(bos=BosPolicy.BOS if bos else BosPolicy.NONE, notice=note)

    asked = [text for text in (sentence, against) if text is not None]
    found = [explain(text, TOOLS[like], engine_with, word=word, boundary=boundary) for text in asked]
    if as_json:
        print_json([as_data(one) for one in found])
        return
    for one in found:
        print_table(_table(one, model))
        if one.theirs is None:
            print_text(f"{like} has no number here: {one.reason}")
    if len(found) == 2:
        print_text(_preferred(found[0], found[1]))


def as_data(found: Explained) -> Mapping[str, Any]:
    """The way from one number to the other, for JSON."""
    return {
        "sentence": found.sentence,
        "word": found.word,
        "tool": found.tool.name,
        "version": found.tool.version,
        "ours": found.ours,
        "theirs": found.theirs,
        "reason": found.reason,
        "steps": [
            {"what": s.what, "ours": s.ours, "theirs": s.theirs, "after": s.after, "difference": s.difference}
            for s in found.steps
        ],
        "ties": found.tool.ties,
    }


def _table(found: Explained, model: str) -> Table:
    from rich.table import Table
    from rich.text import Text

    what = found.sentence if found.word is None else f"{found.word!r} in {found.sentence!r}"
    table = Table(title=Text(f"{what}\nunder {model}, here and by {found.tool.name} ({found.tool.version})"))
    for name in ("step", "gapsmith", found.tool.name):
        table.add_column(name)
    table.add_column("number", justify="right")
    table.add_column("change", justify="right")
    table.add_row("our number", "", "", _shown(found.ours), "")
    for step in found.steps:
        changes = "same" if step.same else _shown(step.difference, sign=True)
        table.add_row(step.what, step.ours, "same" if step.same else step.theirs, _shown(step.after), changes)
    table.add_row("its number", "", "", _shown(found.theirs), "")
    table.caption = f"{found.tool.name}: {found.tool.number}. Of two equal numbers it {found.tool.ties}."
    return table


def _shown(number: float | None, *, sign: bool = False) -> str:
    return "none" if number is None else f"{number:{'+' if sign else ''}.4f}"


def _preferred(first: Explained, second: Explained) -> str:
    def choice(numbers: tuple[float | None, float | None], smaller: bool) -> str:
        one, other = numbers
        if one is None or other is None:
            return "cannot choose, since one has no number"
        if one == other:
            return "a tie"
        return "the first" if (one < other) == smaller else "the second"

    ours = choice((first.ours, second.ours), True)
    theirs = choice((first.theirs, second.theirs), first.tool.sentence.surprisal)
    return f"More probable for gapsmith: {ours}; for {first.tool.name}: {theirs}; gapsmith counts a tie as not preferred."
