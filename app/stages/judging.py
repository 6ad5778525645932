"""Asking judges about items: their answers, their findings of family J, and how far all agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gapsmith.app.chosen import judge_order
from gapsmith.app.loops import run_async
from gapsmith.app.requests.checking import Lint
from gapsmith.app.run_log import write_run_log
from gapsmith.app.services import Services
from gapsmith.app.workspace import Workspace
from gapsmith.bank import ItemFilter, ItemStatus, Severity, StoredFinding, StoredItem
from gapsmith.templates import ConfigError, Paradigm, count
from gapsmith.vetting import ADVISORY, LintFinding, LintReport
from gapsmith.vetting.judges import (
    CODES,
    AgreementRow,
    JudgeEnding,
    JudgeOrder,
    JudgeReport,
    JudgeSpec,
    QuestionKind,
    agreement_rows,
    ask_judge,
    judge_findings,
    parse_judge,
    questions_of,
)
from gapsmith.vetting.rules import RuleSelection


@dataclass(slots=True)
class Judging:
    """The judges of one lint; all that can be refused is refused when it is made."""

    workspace: Workspace
    request: Lint
    rules: RuleSelection
    services: Services
    reports: list[JudgeReport] = field(default_factory=list)
    _asked: set[QuestionKind] = field(init=False)
    _orders: Mapping[JudgeSpec, JudgeOrder] = field(init=False)
    _objections: dict[str, set[int]] = field(default_factory=dict)
    _found: dict[int, list[LintFinding]] = field(default_factory=dict)
    _by_people: dict[int, bool] = field(default_factory=dict)
    _items: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        sentences = QuestionKind(self.request.judge_by)
        codes = {rule.code for rule in self.rules.rules()}
        self._asked = {kind for kind, code in CODES.items() if code in codes}
        if not self._asked & {sentences, QuestionKind.PLAUSIBLE, QuestionKind.COINDEXED}:
            raise ConfigError(
                "the rules of family J are left out, so there is nothing to ask a judge about",
                hint="Leave --judge out, or select them: --select J.",
            )
        specs = [parse_judge(text) for text in self.request.judge]
        self._orders = {
            spec: judge_order(self.workspace, spec.provider, self.request, seed=self.request.judge_seed) for spec in specs
        }

    def ask(self, report: LintReport, selection: ItemFilter) -> tuple[AgreementRow, ...]:
        """Ask every judge about every selected item; the report gets what they object to, and is not kept in the bank."""
        bank = self.workspace.bank
        statuses = {ItemStatus.APPROVED: False, ItemStatus.EXCLUDED: True}
        for name in bank.paradigms.names():
            if selection.paradigms and name not in selection.paradigms:
                continue
            chosen = list(bank.items.iterate(replace(selection, paradigm=name)))
            self._items.update(item.id for item in chosen)
            self._by_people.update({item.id: statuses[item.status] for item in chosen if item.status in statuses})
            for paradigm_id in dict.fromkeys(item.paradigm_id for item in chosen):
                by_id = {item.id: item for item in chosen if item.paradigm_id == paradigm_id}
                self._ask_of(by_id, bank.paradigms.load(paradigm_id), name)
        by_rules = {
            entry.stored.item_id
            for entry in report.findings
            if entry.stored.item_id is not None
            and entry.stored.finding.code[0] not in ADVISORY
            and entry.stored.finding.severity.rank >= Severity.WARNING.rank
        }
        report.findings.extend(entry for entries in self._found.values() for entry in entries)
        rows = agreement_rows(self.reports, self._objections, items=self._items, by_rules=by_rules, by_people=self._by_people)
        return tuple(rows)

    def _ask_of(self, by_id: Mapping[int, StoredItem], paradigm: Paradigm, name: str) -> None:
        sentences, seed = QuestionKind(self.request.judge_by), self.request.judge_seed
        every = questions_of(by_id.values(), paradigm, sentences=sentences, seed=seed)
        questions = [question for question in every if question.kind in self._asked]
        for spec, order in self._orders.items():
            asking = ask_judge(spec, questions, paradigm, self.workspace.bank, order, environment=self.services.variables)
            said = run_async(asking)
            self._say(said)
            self.reports.append(said)
            objected = judge_findings(said, paradigm, self.rules)
            self._objections.setdefault(spec.name, set()).update(objected)
            for item_id, findings in objected.items():
                item = by_id[item_id]
                self._found.setdefault(item_id, []).extend(
                    LintFinding(name, item.dataset, StoredFinding(item_id, item.label, f)) for f in findings
                )

    def _say(self, report: JudgeReport) -> None:
        for line in report.notes:
            if line.startswith("warning: "):
                self.services.warn(line.removeprefix("warning: "))
            else:
                self.services.note(line)
        cost = "cost not known" if report.cost_usd is None else f"${report.cost_usd:.4f} so far"
        self.services.note(
            f"{report.judge}: {count(len(report.answers), 'answer')}, {count(report.calls, 'call')}, {cost}; "
            f"`gapsmith runs show {report.run_id}` has every reply"
        )
        if report.maybe_paid:
            self.services.warn(
                f"{report.maybe_paid:,} earlier calls got no answer and may have been paid; they are not made again"
            )
        if report.ending is not JudgeEnding.COMPLETE or report.unanswered:
            why = report.failure.message if report.failure is not None else report.ending.value
            hint = f" {report.failure.hint}" if report.failure is not None else ""
            log = None
            if report.failure is not None:
                log = write_run_log(self.workspace.bank, report.run_id, why, self.services.variables)
            where = f" What was asked and what came back: {log}" if log is not None else ""
            self.services.warn(f"{report.judge}: {len(report.unanswered):,} questions have no answer: {why}.{hint}{where}")
