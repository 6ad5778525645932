"""A linter for stimuli: rules with stable codes, severities, remedies and a page each."""

from gapsmith.vetting.rules.engine import Linter, RuleSelection, ruleset_of
from gapsmith.vetting.rules.knowledge import Knowledge, load_knowledge
from gapsmith.vetting.rules.model import FAMILIES, Hit, ItemRule, ParseRule, Rule, SetRule, Word, WordRule, Words
from gapsmith.vetting.rules.packs import RulePack
from gapsmith.vetting.rules.parses import Parses
from gapsmith.vetting.rules.registry import RULES
from gapsmith.vetting.rules.rule_pages import RulePage, page, pages, plain
from gapsmith.vetting.rules.text_repair import TextFlaw, bare_text, repaired_text, text_flaws
from gapsmith.vetting.rules.view import ItemView

__all__ = [
    "FAMILIES",
    "RULES",
    "Hit",
    "ItemRule",
    "ItemView",
    "Knowledge",
    "Linter",
    "ParseRule",
    "Parses",
    "Rule",
    "RulePack",
    "RulePage",
    "RuleSelection",
    "SetRule",
    "TextFlaw",
    "Word",
    "WordRule",
    "Words",
    "bare_text",
    "load_knowledge",
    "page",
    "pages",
    "plain",
    "repaired_text",
    "ruleset_of",
    "text_flaws",
]
