"""A linter for stimuli: rules with stable codes, severities, remedies and a page each."""

from vetting.rules.engine import Linter, RuleSelection, ruleset_of
from vetting.rules.knowledge import Knowledge, load_knowledge
from vetting.rules.model import FAMILIES, Hit, ItemRule, ParseRule, Rule, SetRule, Word, WordRule, Words
from vetting.rules.packs import RulePack
from vetting.rules.pages import RulePage, page, pages, plain
from vetting.rules.parses import Parses
from vetting.rules.registry import RULES
from vetting.rules.text_repair import TextFlaw, bare_text, repaired_text, text_flaws
from vetting.rules.view import ItemView

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
