"""Every rule there is, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from vetting.rules import (
    adverbs,
    ambiguity,
    conditions,
    confounds,
    fillers,
    judged,
    linkers,
    matrix,
    nouns,
    slots,
    structure,
    typography,
    verbs,
    wording,
)
from vetting.rules.model import Rule

__all__ = ["RULES"]

_MODULES = (
    conditions, slots, typography, matrix, verbs, linkers, ambiguity, nouns, fillers, adverbs, structure, wording,
    confounds, judged,
)  # fmt: skip

RULES: Mapping[str, Rule] = {
    rule.code: rule
    for rule in sorted((rule for module in _MODULES for rule in module.RULES), key=lambda rule: rule.code)
}
"""Code to rule, in the order of the codes."""
