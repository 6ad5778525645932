"""From what a judge said to findings of family J."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from gapsmith.bank import Finding, FindingPlace, Severity
from gapsmith.templates import Paradigm, Status
from gapsmith.vetting.judges.ask import JudgeReport
from gapsmith.vetting.judges.questions import HIGHEST, JudgeQuestion, QuestionKind
from gapsmith.vetting.rules.engine import RuleSelection
from gapsmith.vetting.rules.packs import page
from gapsmith.vetting.rules.registry import RULES

_LOW = 3
"""Of seven: a sentence that should be good is not, or a reading makes no sense."""


@dataclass(frozen=True, slots=True)
class _Objection:
    code: str
    message: str
    condition: str | None = None


CODES: Mapping[QuestionKind, str] = {
    QuestionKind.CHOICE: "J100",
    QuestionKind.RATING: "J110",
    QuestionKind.PLAUSIBLE: "J200",
    QuestionKind.COINDEXED: "J210",
}
"""What a question may lead to: where the code is not selected, the question is not asked."""


def judge_findings(report: JudgeReport, paradigm: Paradigm, rules: RuleSelection) -> Mapping[int, list[Finding]]:
    """Item id to what the judge objects to, for the codes that are selected. Advisory: nothing of it is a decision."""
    selected = {rule.code for rule in rules.rules()}
    found: dict[int, list[Finding]] = defaultdict(list)
    for question, answer in report.answers.items():
        objection = _objection(question, answer, paradigm, report.judge)
        if objection is not None and objection.code in selected:
            found[question.item_id].append(
                Finding(
                    code=objection.code,
                    severity=rules.severity(objection.code) or _severity(objection.code),
                    message=objection.message,
                    remedy=page(objection.code).remedy,
                    title=page(objection.code).title,
                    place=FindingPlace(objection.condition),
                )
            )
    return found


def _severity(code: str) -> Severity:
    return RULES[code].severity


def _objection(question: JudgeQuestion, answer: str, paradigm: Paradigm, judge: str) -> _Objection | None:
    if question.kind is QuestionKind.CHOICE:
        if answer == question.expected or question.expected is None:
            return None
        better, worse = paradigm.condition(answer).label, paradigm.condition(question.expected).label
        return _Objection("J100", f"{judge} finds {better} better than {worse}", question.expected)
    score = int(answer)
    said = f"{score} of {HIGHEST}"
    if question.kind is QuestionKind.RATING:
        condition = paradigm.condition(question.conditions[0])
        if condition.status is Status.OK and score <= _LOW:
            return _Objection("J110", f"{judge} rates {condition.label} {said}; it should be good", condition.name)
        if condition.status is Status.STAR and score > HIGHEST - _LOW + 1:
            return _Objection("J110", f"{judge} rates {condition.label} {said}; it should be bad", condition.name)
        return None
    if score > _LOW:
        return None
    code = "J200" if question.kind is QuestionKind.PLAUSIBLE else "J210"
    return _Objection(code, f"{judge} rates “{question.text.partition(': ')[2]}” {said}")
