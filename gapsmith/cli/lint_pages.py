"""What `gapsmith lint --audit` and `--confounds` print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vetting.audit import Audit
    from vetting.lint_run import LintReport

__all__ = ["show_audit", "show_confounds"]

_READ_ONE_BY_ONE = 20


def show_confounds(report: LintReport, *, as_json: bool) -> None:
    """The confound page of every set that was read."""
    from gapsmith.cli.console import print_json, print_text
    from vetting.confound_page import confound_data, confound_text

    if as_json:
        print_json([{"dataset": of.dataset, **confound_data(of.facts)} for of in report.sets])
        return
    pages = []
    for of in report.sets:
        said = [f"{finding.code} {finding.message}" for finding in of.findings]
        lines = [f"data set {of.dataset}", confound_text(of.facts), "", *said]
        pages.append("\n".join(lines).rstrip())
    print_text("\n\n".join(pages))


def show_audit(gold: str, workspace: Path | None, *, as_json: bool) -> None:
    """Measure the linter on a gold file, or on the shipped one."""
    from gapsmith.cli.console import print_json, print_text
    from gapsmith.workspace import find_workspace
    from vetting.audit import audit, read_gold, shipped_gold
    from vetting.rules import load_knowledge

    root = find_workspace(workspace)
    path = shipped_gold() if gold == "shipped" else Path(gold)
    result = audit(read_gold(path), load_knowledge(root), root)
    if as_json:
        print_json(_as_data(result))
    else:
        print_text(_as_text(result))


def _as_data(result: Audit) -> dict[str, Any]:
    return {
        "clean": result.n_clean,
        "flawed": result.n_flawed,
        "flaw_kinds": result.n_flaw_kinds,
        "false_alarms": [
            {"item": item.label, "codes": sorted({f.code for f in found})} for item, found in result.false_alarms
        ],
        "missed": [
            {"item": item.label, "flaw": item.flaw, "word": item.word, "expected": list(item.expected)}
            for item, _ in result.missed
        ],
        "hidden": {
            "planted": result.hidden_planted,
            "found": result.hidden_found,
            "questioned": result.hidden_questioned,
        },
        "codes": {
            code: {
                "planted_known": c.planted_known,
                "found_known": c.found_known,
                "planted_unknown": c.planted_unknown,
                "found_unknown": c.found_unknown,
                "right": c.right,
                "wrong": c.wrong,
                "precision": c.precision,
            }
            for code, c in sorted(result.codes.items())
        },
    }


def _as_text(result: Audit) -> str:
    from vetting.rules import page

    lines = [f"{'code':<6}{'known':>12}{'unknown':>12}{'right':>8}{'wrong':>7}{'precision':>11}  title"]
    for code, c in sorted(result.codes.items()):
        known, unknown = _of(c.found_known, c.planted_known), _of(c.found_unknown, c.planted_unknown)
        precision = "–" if c.precision is None else f"{c.precision:.2f}"
        lines.append(f"{code:<6}{known:>12}{unknown:>12}{c.right:>8}{c.wrong:>7}{precision:>11}  {page(code).title}")
    lines += ["", f"{result.n_flawed} flawed items ({result.n_flaw_kinds} kinds), {result.n_clean} sound ones"]
    for prefix, what in (("T", "mechanics"), ("L", "lexical")):
        in_lists, in_none = result.recall(prefix, known=True), result.recall(prefix, known=False)
        lines.append(f"{what}: found {_of(*in_lists)} with known words, {_of(*in_none)} with words in no list")
    lines.append(f"sound items with an error or a warning: {_of(len(result.false_alarms), result.n_clean)}")
    lines.append(
        f"with the flawed word taken out of the lists: found {_of(result.hidden_found, result.hidden_planted)},"
        f" called unknown {result.hidden_questioned}"
    )
    for item, findings in result.missed[:_READ_ONE_BY_ONE]:
        said = ", ".join(sorted({f.code for f in findings})) or "nothing"
        lines.append(f"missed: item {item.label}, {item.flaw} ({item.word}), expected {item.expected[0]}, said {said}")
    for item, findings in result.false_alarms[:_READ_ONE_BY_ONE]:
        lines.append(f"false alarm: item {item.label}, {findings[0].code} {findings[0].message}")
    return "\n".join(lines)


def _of(found: int, planted: int) -> str:
    return f"{found}/{planted}" if planted else "–"
