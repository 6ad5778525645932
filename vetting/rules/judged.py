"""J: what judge models say. The rules have codes, severities and pages here; `gapsmith.vetting.judges` asks the models."""

from __future__ import annotations

from gapsmith.bank import Severity
from gapsmith.vetting.rules.model import JudgeRule

RULES = tuple(JudgeRule(code, Severity.WARNING) for code in ("J100", "J110", "J200", "J210"))
