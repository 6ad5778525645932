"""How far judges agree with the design, with each other, with the rules and with people."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gapsmith.vetting.agreement import AgreementCoefficient, Proportion, RatingTable, cohen_kappa, pairwise_agreement
from gapsmith.vetting.judges.ask import JudgeReport
from gapsmith.vetting.judges.questions import QuestionKind

DESIGN, RULES, PEOPLE = "the design", "the rules", "people"


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Two raters over what both rated."""

    about: str
    """``pairs of sentences`` or ``items``."""
    first: str
    second: str
    agreement: Proportion
    kappa: AgreementCoefficient


def agreement_rows(
    reports: Sequence[JudgeReport],
    objections: Mapping[str, set[int]],
    *,
    items: set[int],
    by_rules: set[int],
    by_people: Mapping[int, bool],
) -> list[AgreementRow]:
    """Pairs of sentences: which one each judge prefers, and the design. Items: who objects to which.

    `objections` has the items that each judge objects to, `by_rules` those with an error or a warning, and `by_people`
    says for each item that was decided on whether it was excluded."""
    pairs: dict[Hashable, dict[str, str]] = {}
    for report in reports:
        for question, answer in report.answers.items():
            if question.kind is QuestionKind.CHOICE and question.expected is not None:
                unit = pairs.setdefault((question.item_id, frozenset(question.conditions)), {DESIGN: question.expected})
                unit[report.judge] = answer
    labels: dict[Hashable, dict[str, str]] = {item: {RULES: _said(item in by_rules)} for item in items}
    for item, excluded in by_people.items():
        labels.setdefault(item, {})[PEOPLE] = _said(excluded)
    for report in reports:
        for item in {question.item_id for question in report.answers}:
            labels.setdefault(item, {})[report.judge] = _said(item in objections.get(report.judge, set()))
    rows = [*_rows("pairs of sentences", RatingTable(pairs)), *_rows("items", RatingTable(labels))]
    return [row for row in rows if row.agreement.n]


def _rows(about: str, table: RatingTable) -> list[AgreementRow]:
    return [
        AgreementRow(
            about,
            one,
            other,
            pairwise_agreement(table, one, other),
            cohen_kappa(table, one, other),
        )
        for one, other in combinations(table.raters, 2)
    ]


def _said(objects: bool) -> str:
    return "objects" if objects else "accepts"
