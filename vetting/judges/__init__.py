"""Judge models: language models that are asked, blind, which sentence is better and whether a reading makes sense.

What they say is advisory. It is kept word by word in the bank as a run of its own; it becomes findings of family J, a table of
agreement with the rules and with people, and never a decision."""

from gapsmith.vetting.judges.ask import JudgeEnding, JudgeOrder, JudgeReport, JudgeSpec, ask_judge, parse_judge
from gapsmith.vetting.judges.findings import CODES, judge_findings
from gapsmith.vetting.judges.judge_agreement import AgreementRow, agreement_rows
from gapsmith.vetting.judges.questions import QuestionKind, questions_of

__all__ = [
    "CODES",
    "AgreementRow",
    "JudgeEnding",
    "JudgeOrder",
    "JudgeReport",
    "JudgeSpec",
    "QuestionKind",
    "agreement_rows",
    "ask_judge",
    "judge_findings",
    "parse_judge",
    "questions_of",
]
