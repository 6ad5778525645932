"""J: what judge models say. The rules have codes, severities and pages here; `vetting.judges` asks the models."""

from __future__ import annotations

from bank import Severity
from vetting.rules.model import JudgeRule

RULES = tuple(JudgeRule(code, Severity.WARNING) for code in ("J100", "J110", "J200", "J210"))
