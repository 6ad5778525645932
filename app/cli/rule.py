"""`gapsmith rule`: what a rule looks for, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.app.cli.options import JsonOption

if TYPE_CHECKING:
    from gapsmith.vetting.rules import RulePage


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("rule")(rule)


def rule(
    codes: Annotated[
        list[str] | None, typer.Argument(help="Codes (L101) or prefixes (L, T03); none lists all.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain a rule: what it finds, an example, the reason, the remedy, the literature."""
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.vetting.rules import RULES, RuleSelection, all_pages

    selection = RuleSelection(tuple(code.upper() for code in codes or ()))
    chosen = [all_pages()[rule.code] for rule in selection.rules()]
    if as_json:
        print_json([_as_data(entry, RULES[entry.code].severity.value) for entry in chosen])
    elif codes and len(chosen) <= 3:
        print_text("\n\n".join(_as_text(entry, RULES[entry.code].severity.value) for entry in chosen))
    else:
        _list(chosen)


def _list(chosen: list[RulePage]) -> None:
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import print_table
    from gapsmith.vetting.rules import FAMILIES, RULES, plain

    table = Table("code", "severity", "title", "finds")
    family = ""
    for entry in chosen:
        if entry.code[0] != family:
            family = entry.code[0]
            table.add_section()
            table.add_row(f"{family}…", "", "", Text(FAMILIES[family], style="bold"))
        severity = RULES[entry.code].severity.value
        also = f", {entry.also.split()[0]}" if entry.also else ""
        table.add_row(entry.code, severity + also, entry.title, plain(entry.summary))
    print_table(table)


def _as_data(entry: RulePage, severity: str) -> dict[str, Any]:
    return {
        "code": entry.code,
        "severity": severity,
        "also": entry.also,
        "title": entry.title,
        "summary": entry.summary,
        "bad": list(entry.bad),
        "good": list(entry.good),
        "reason": entry.reason,
        "remedy": entry.remedy,
        "literature": list(entry.literature),
    }


def _as_text(entry: RulePage, severity: str) -> str:
    import textwrap

    from gapsmith.vetting.rules import plain

    def block(title: str, lines: list[str]) -> list[str]:
        wrapped = [line for text in lines for line in textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="      ")]
        return ["", f"  {title}", *wrapped] if lines else []

    also = f"; {entry.also}" if entry.also else ""
    lines = [f"{entry.code}  {entry.title} ({severity}{also})", "", *textwrap.wrap(plain(entry.summary), 100)]
    lines += block("flagged", list(entry.bad))
    lines += block("fine", list(entry.good))
    lines += block("why", [plain(entry.reason)])
    lines += block("what to do", [plain(entry.remedy)])
    lines += block("literature", list(entry.literature))
    return "\n".join(lines)
