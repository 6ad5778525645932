"""Every rule there is, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from vetting.rules import ambiguity, cells, slots, typography
from vetting.rules.model import Rule

__all__ = ["RULES"]

RULES: Mapping[str, Rule] = {
    rule.code: rule
    for rule in sorted((*cells.RULES, *slots.RULES, *typography.RULES, *ambiguity.RULES), key=lambda rule: rule.code)
}
"""Code to rule, in the order of the codes."""
