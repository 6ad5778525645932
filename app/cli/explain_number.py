"""`gapsmith explain-number`: why another tool prints another number for the same sentence and model."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table, print_text
from gapsmith.app.stages.other_tools import NumbersExplained
from gapsmith.scoring import Explained
from gapsmith.templates import listed


def show(found: NumbersExplained) -> None:
    """Print the steps, and which of two sentences each tool prefers."""
    for one in found:
        print_table(_table(one, found.request.model))
        if one.unknown:
            print_text(f"The model does not know {listed(one.unknown)}: the numbers are of the token that stands for such words.")
        if one.ours is None:
            print_text(f"gapsmith has no number here: {one.ours_reason}")
        if one.theirs is None:
            print_text(f"{one.tool.name} has no number here: {one.reason}")
    if len(found) == 2:
        print_text(_preferred(found[0], found[1]))


def _table(found: Explained, model: str) -> Table:
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
