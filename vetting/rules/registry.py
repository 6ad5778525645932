"""Every rule there is, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from gapsmith.vetting.rules import (
    ambiguity,
    conditions,
    confounds,
    designs,
    embedding,
    frame_clauses,
    grammar,
    judged,
    late_words,
    linkers,
    matrix,
    nouns,
    pairs,
    row_rules,
    sentence_texts,
    slots,
    spelling,
    structure,
    typography,
    wording,
)
from gapsmith.vetting.rules.knowledge import shipped_rows
from gapsmith.vetting.rules.model import Rule
from gapsmith.vetting.rules.packs import OWN, AllRules, RulePack
from gapsmith.vetting.rules.rule_pages import hold_pages, read_pages

_MODULES = (
    conditions,
    slots,
    typography,
    matrix,
    linkers,
    ambiguity,
    nouns,
    structure,
    wording,
    spelling,
    frame_clauses,
    late_words,
    embedding,
    pairs,
    confounds,
    judged,
    row_rules,
    sentence_texts,
    grammar,
    designs,
)

_RULES = tuple(rule for module in _MODULES for rule in module.RULES)
OWN_PACK = RulePack(OWN, "1", _RULES, read_pages(resources.files("gapsmith.vetting.rules") / "pages"))
hold_pages(OWN_PACK.pages, {rule.code for rule in _RULES}, {row.code for row in shipped_rows()})

RULES: Mapping[str, Rule] = AllRules()
"""Code to rule, ours and those of installed packs, in the order of the codes."""
