"""What `gapsmith lint --audit` and `--confounds` print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gapsmith.vetting import Audit, AuditCounts, LintReport, Wordhood

_READ_ONE_BY_ONE = 20


def confounds_data(report: LintReport) -> list[dict[str, Any]]:
    """What every set repeats and how its conditions differ, as JSON takes it."""
    from gapsmith.vetting import confound_data

    return [{"dataset": entry.dataset, **confound_data(entry.facts)} for entry in report.sets if entry.facts is not None]


def show_confounds(report: LintReport) -> None:
    """The confound page of every set that was read."""
    from gapsmith.app.cli.console import print_text
    from gapsmith.vetting import confound_text

    pages = []
    for entry in report.sets:
        if entry.facts is None:
            continue
        said = [f"{finding.code} {finding.message}" for finding in entry.findings]
        lines = [f"data set {entry.dataset}", confound_text(entry.facts), "", *said]
        pages.append("\n".join(lines).rstrip())
    print_text("\n\n".join(pages))


def show_audit(result: Audit) -> None:
    """How good the linter is."""
    from gapsmith.app.cli.console import print_text

    print_text(_as_text(result))


def audit_data(result: Audit) -> dict[str, Any]:
    """How good the linter is, as JSON takes it."""
    total = result.total()
    return {
        "clean": total.sound,
        "flawed": total.flawed,
        "flaw_kinds": len(result.flaw_kinds),
        "sources": [
            {"source": source, "words": wordhood.value, **_numbers(result.total(source, wordhood))}
            for source, wordhood in result.tallies
        ],
        "false_alarms": [{"item": item.label, "codes": sorted({f.code for f in found})} for item, found in result.false_alarms],
        "missed": [
            {"item": item.label, "flaw": item.flaw, "word": item.word, "expected": list(item.expected)}
            for item, _ in result.missed
        ],
        "left_out": [
            {"source": source, "words": wordhood.value, **_numbers(tally)}
            for (source, wordhood), tally in result.left_out.items()
        ],
        "left_out_codes": {code: {"planted": c.planted, "found": c.found} for code, c in sorted(result.left_out_codes.items())},
        "codes": {
            code: {
                "planted": c.planted,
                "found": c.found,
                "right": c.right,
                "wrong": c.wrong,
                "precision": c.precision,
            }
            for code, c in sorted(result.codes.items())
        },
    }


def _numbers(tally: AuditCounts) -> dict[str, int | float | None]:
    return {
        "flawed": tally.flawed,
        "named": tally.named,
        "warned": tally.warned,
        "right": tally.right,
        "wrong": tally.wrong,
        "precision": tally.precision,
        "sound": tally.sound,
        "sound_warned": tally.sound_warned,
        "sound_warned_anew": tally.sound_warned_anew,
        "sound_remarked": tally.sound_remarked,
    }


def _as_text(result: Audit) -> str:
    from gapsmith.vetting.rules import page

    lines = [f"{'code':<6}{'found':>12}{'right':>8}{'wrong':>7}{'precision':>11}  title"]
    for code, c in sorted(result.codes.items()):
        found = _of(c.found, c.planted)
        lines.append(f"{code:<6}{found:>12}{c.right:>8}{c.wrong:>7}{_share(c.precision):>11}  {page(code).title}")
    lines += ["", *_by_source(result.tallies)]
    lines += ["named: flaws with a finding of a code that names them; warned: of these, an error or a warning", ""]
    if result.left_out:
        lines.append("with one word taken out of the lists: the flawed one, of sound items each content word in turn")
        lines += _by_source(result.left_out, remarks=True)
        groups: dict[str, list[str]] = {}
        for code, c in sorted(result.left_out_codes.items()):
            groups.setdefault(code[:2], []).append(f"{code} {_of(c.found, c.planted)}")
        lines += [f"  {', '.join(group)}" for group in groups.values()]
        lines += [
            "anew, remarked on: sound items with a warning, with a guess as info, of a code that the lists do not give",
            "",
        ]
    for item, findings in result.missed[:_READ_ONE_BY_ONE]:
        said = ", ".join(sorted({f.code for f in findings})) or "nothing"
        lines.append(f"missed: item {item.label}, {item.flaw} ({item.word}), expected {item.expected[0]}, said {said}")
    for item, findings in result.false_alarms[:_READ_ONE_BY_ONE]:
        lines.append(f"false alarm: item {item.label}, {findings[0].code} {findings[0].message}")
    return "\n".join(lines)


def _by_source(tallies: Mapping[tuple[str, Wordhood], AuditCounts], *, remarks: bool = False) -> list[str]:
    """The table that tells how far the linter can be trusted: by where the items come from and how words are known."""
    from gapsmith.vetting import AuditCounts

    sources = list(dict.fromkeys(source for source, _ in tallies))
    width = max(len("source"), *(len(source) for source in sources))
    heads = f"{'source':<{width}}  {'words':<8}{'named':>10}{'warned':>10}{'precision':>11}{'sound warned of':>17}"
    lines = [heads + (f"{'anew':>11}{'remarked on':>13}" if remarks else "")]
    rows = [(source, wordhood.value, tally) for (source, wordhood), tally in tallies.items()]
    rows.sort(key=lambda row: (sources.index(row[0]), row[1]))
    if len(rows) > 1:
        total = AuditCounts()
        for tally in tallies.values():
            total.add(tally)
        rows.append(("all", "", total))
    for source, words, tally in rows:
        named, warned = _of(tally.named, tally.flawed), _of(tally.warned, tally.flawed)
        line = f"{source:<{width}}  {words:<8}{named:>10}{warned:>10}{_share(tally.precision):>11}"
        line += f"{_of(tally.sound_warned, tally.sound):>17}"
        if remarks:
            line += f"{_of(tally.sound_warned_anew, tally.sound):>11}{_of(tally.sound_remarked, tally.sound):>13}"
        lines.append(line)
    return lines


def _share(precision: float | None) -> str:
    return "–" if precision is None else f"{precision:.2f}"


def _of(found: int, planted: int) -> str:
    return f"{found}/{planted}" if planted else "–"
