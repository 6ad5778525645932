"""`gapsmith rule`: what a rule looks for, and why."""

from __future__ import annotations

import textwrap

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table, print_text
from gapsmith.app.requests.telling import ExplainRules
from gapsmith.app.stages.what_there_is import Rules
from gapsmith.vetting.rules import FAMILIES, RULES, RulePage, measurements_of, plain

_WHOLE = 3
"""So many rules that were named are explained in full."""


def show(found: Rules) -> None:
    """Print the pages of a few rules that were named, else a table."""
    assert isinstance(found.request, ExplainRules)
    if found.roles:
        _list_roles(found)
    elif found.request.codes and len(found) <= _WHOLE:
        print_text("\n\n".join(_as_text(page) for page in found))
    else:
        _list(found)


def _list_roles(found: Rules) -> None:
    table = Table("role", "words", "from sentences", "from pairs")
    for row in found.roles:
        table.add_row(row.role, row.words, "yes" if row.from_sentences else "", "yes" if row.from_pairs else "")
    print_table(table)
    print_text(
        "Any slot, and any region of given sentences, may declare a role; then none is read. Roles are read from sentences where some"
        " conditions leave out words of others, and from minimal pairs: there in the acceptable sentence, changed in the starred one."
    )


def _list(chosen: Rules) -> None:
    table = Table("code", "severity", "title", "finds")
    family = ""
    # Codes of packages and of the workspace begin alike.
    for entry in sorted(chosen, key=lambda entry: entry.code not in RULES):
        about = FAMILIES[entry.code[0]] if entry.code in RULES else "rules of the workspace"
        if about != family:
            family = about
            table.add_section()
            table.add_row(f"{entry.code[0]}…", "", "", Text(about, style="bold"))
        severity = entry.severity.value
        also = f", {entry.also.split()[0]}" if entry.also else ""
        table.add_row(entry.code, severity + also, entry.title, plain(entry.summary))
    print_table(table)


def _as_text(entry: RulePage) -> str:
    def block(title: str, lines: list[str]) -> list[str]:
        wrapped = [line for text in lines for line in textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="      ")]
        return ["", f"  {title}", *wrapped] if lines else []

    also = f"; {entry.also}" if entry.also else ""
    lines = [f"{entry.code}  {entry.title} ({entry.severity.value}{also})", "", *textwrap.wrap(plain(entry.summary), 100)]
    lines += block("flagged", list(entry.bad))
    lines += block("fine", list(entry.good))
    lines += block("why", [plain(entry.reason)])
    lines += block("what to do", [plain(entry.remedy)])
    lines += block("literature", list(entry.literature))
    lines += block("what its code computes", [plain(entry.computes)] if entry.computes else [])
    lines += block("how often it is right", measurements_of(entry.code))
    return "\n".join(lines)
