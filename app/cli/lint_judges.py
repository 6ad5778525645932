"""What `gapsmith lint --judge` does: ask, add the findings of family J to the report, and say how far all agree."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gapsmith.templates import count

if TYPE_CHECKING:
    from gapsmith.app.chosen import Asking
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.vetting import LintReport
    from gapsmith.vetting.judges import AgreementRow, JudgeReport
    from gapsmith.vetting.rules import RuleSelection


def ask_judges(
    ws: Workspace,
    report: LintReport,
    selection: ItemFilter,
    judges: Sequence[str],
    *,
    rules: RuleSelection,
    by: str,
    seed: int,
    asking: Asking,
) -> list[AgreementRow]:
    """Ask every judge about every selected item; the report gets what they object to, and is not kept in the bank."""
    from dataclasses import replace

    from gapsmith.app.chosen import judge_order
    from gapsmith.bank import ItemStatus, Severity, StoredFinding
    from gapsmith.templates import ConfigError
    from gapsmith.vetting import ADVISORY, LintFinding
    from gapsmith.vetting.judges import CODES, QuestionKind, agreement_rows, ask_judge, judge_findings, parse_judge, questions_of

    if by not in (QuestionKind.CHOICE, QuestionKind.RATING):
        raise ConfigError(f"--judge-by {by!r} is not known", hint="There are: choice, rating.")
    asked = {kind for kind, code in CODES.items() if any(rule.code == code for rule in rules.rules())}
    if not asked & {QuestionKind(by), QuestionKind.PLAUSIBLE, QuestionKind.COINDEXED}:
        raise ConfigError(
            "the rules of family J are left out, so there is nothing to ask a judge about",
            hint="Leave --judge out, or select them: --select J.",
        )
    specs = [parse_judge(text) for text in dict.fromkeys(judges)]
    orders = {spec: judge_order(ws, spec.provider, asking, seed=seed) for spec in specs}
    reports: list[JudgeReport] = []
    objections: dict[str, set[int]] = {}
    found: dict[int, list[LintFinding]] = {}
    by_people: dict[int, bool] = {}
    items: set[int] = set()
    names = [selection.paradigm] if selection.paradigm is not None else ws.bank.paradigms.names()
    for name in names:
        chosen = list(ws.bank.items.iterate(replace(selection, paradigm=name)))
        items.update(item.id for item in chosen)
        statuses = {ItemStatus.APPROVED: False, ItemStatus.EXCLUDED: True}
        by_people.update({item.id: statuses[item.status] for item in chosen if item.status in statuses})
        for paradigm_id in dict.fromkeys(item.paradigm_id for item in chosen):
            paradigm = ws.bank.paradigms.load(paradigm_id)
            by_id = {item.id: item for item in chosen if item.paradigm_id == paradigm_id}
            every = questions_of(by_id.values(), paradigm, sentences=QuestionKind(by), seed=seed)
            questions = [question for question in every if question.kind in asked]
            for spec in specs:
                said = asyncio.run(ask_judge(spec, questions, paradigm, ws.bank, orders[spec], environment=os.environ))
                _say(said)
                reports.append(said)
                objected = judge_findings(said, paradigm, rules)
                objections.setdefault(spec.name, set()).update(objected)
                for item_id, findings in objected.items():
                    item = by_id[item_id]
                    found.setdefault(item_id, []).extend(
                        LintFinding(name, item.dataset, StoredFinding(item_id, item.label, f)) for f in findings
                    )
    by_rules = {
        entry.stored.item_id
        for entry in report.findings
        if entry.stored.item_id is not None
        and entry.stored.finding.code[0] not in ADVISORY
        and entry.stored.finding.severity.rank >= Severity.WARNING.rank
    }
    report.findings.extend(entry for entries in found.values() for entry in entries)
    return agreement_rows(reports, objections, items=items, by_rules=by_rules, by_people=by_people)


def show_agreement(rows: Sequence[AgreementRow]) -> None:
    """The table: who agrees with whom, about what, how often, and how far beyond chance."""
    from gapsmith.app.cli.console import print_text

    lines = ["", f"{'about':<20}{'':<44}{'agree':>12}{'share':>8}{'kappa':>8}"]
    for row in rows:
        pair = f"{row.first} and {row.second}"
        share = "–" if row.agreement.estimate is None else f"{row.agreement.estimate:.2f}"
        kappa = "–" if row.kappa.estimate is None else f"{row.kappa.estimate:.2f}"
        counted = f"{row.agreement.hits}/{row.agreement.n}"
        lines.append(f"{row.about:<20}{pair:<44}{counted:>12}{share:>8}{kappa:>8}")
    print_text("\n".join(lines))


def _say(report: JudgeReport) -> None:
    from gapsmith.app.cli.console import note, warning
    from gapsmith.vetting.judges import JudgeEnding

    for line in report.notes:
        note(line)
    cost = "cost not known" if report.cost_usd is None else f"${report.cost_usd:.4f} so far"
    note(
        f"{report.judge}: {count(len(report.answers), 'answer')}, {count(report.calls, 'call')}, {cost}; "
        f"`gapsmith runs show {report.run_id}` has every reply"
    )
    if report.maybe_paid:
        warning(f"{report.maybe_paid:,} earlier calls got no answer and may have been paid; they are not made again")
    if report.ending is not JudgeEnding.COMPLETE or report.unanswered:
        why = report.failure.message if report.failure is not None else report.ending.value
        hint = f" {report.failure.hint}" if report.failure is not None else ""
        warning(f"{report.judge}: {len(report.unanswered):,} questions have no answer: {why}.{hint}")
