"""Running rules over items of a paradigm: selection by code, caching by words, findings in one order. The only place that calls a
rule, but for those on words (`gapsmith.vetting.rules.role_rules`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache

from gapsmith.bank import Finding, FindingPlace, Look, Looked, Severity, StoredItem
from gapsmith.templates import ConfigError, Paradigm, count
from gapsmith.vetting.roles import ItemRoles, RoleReader, SlotRoles, shared_reader, with_region_roles
from gapsmith.vetting.rules.conditions import other_question
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.measured import in_short, is_remark_on_pairs, precision_of
from gapsmith.vetting.rules.model import ItemRule, ParseRule, Rule, SentenceRule, SetRule, TextRule, WordRule
from gapsmith.vetting.rules.packs import pack_mark, page
from gapsmith.vetting.rules.pairs import is_pair, roles_of_pair
from gapsmith.vetting.rules.parses import ParsedItem, Parses, StructureReader
from gapsmith.vetting.rules.registry import RULES
from gapsmith.vetting.rules.role_rules import UNKNOWN_WORDS, RoleRules
from gapsmith.vetting.rules.row_rules import own_page, row_rule
from gapsmith.vetting.rules.rule_pages import RulePage
from gapsmith.vetting.rules.setfacts import SetFacts, TokenCounter
from gapsmith.vetting.rules.structure import claims_of
from gapsmith.vetting.rules.view import ItemView

OFF = "off"
"""What a setting says of a rule that never runs."""
NOT_READ = "T013"
"""The rule that says which others could not run on an item."""


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """Which rules run: those whose code starts with an entry of `select` (all where it is empty), less `ignore` and those
    that the settings turn off."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    """(code or its beginning, ``off`` or a severity), for good; of several that fit a code the longest counts. An entry of
    `select` that is at least as long brings a rule back that is off."""

    def with_settings(self, settings: Mapping[str, str] | None) -> RuleSelection:
        """The same selection under these settings: code or its beginning to ``off`` or a severity."""
        return replace(self, settings=tuple(sorted((settings or {}).items())))

    def rules(self, knowledge: Knowledge | None = None) -> tuple[Rule, ...]:
        """The selected rules, with those of the workspace's table where there is its `knowledge`. Raises `ConfigError` where an entry
        fits no code."""
        known: dict[str, Rule] = {**RULES}
        if knowledge is not None:
            known |= _row_rules(knowledge)
        for entry in (*self.select, *self.ignore, *(code for code, _ in self.settings)):
            if not any(code.startswith(entry) for code in known):
                raise ConfigError(
                    f"no rule has a code that starts with {entry!r}",
                    hint="`gapsmith rule` lists all rules with their codes.",
                )
        return tuple(
            rule
            for code, rule in known.items()
            if (not self.select or code.startswith(self.select))
            and not code.startswith(self.ignore or ("\0",))
            and not self._is_off(code)
        )

    def shows(self, code: str) -> bool:
        """Whether findings of a rule are shown: of one on parses where enough of them were right on blind items, or where the rule was
        asked for (`select`)."""
        if not isinstance(RULES.get(code), ParseRule) or any(code.startswith(entry) for entry in self.select):
            return True
        precision = precision_of(code)
        return precision is not None and precision.is_enough

    @property
    def kept_back(self) -> tuple[str, ...]:
        """The codes of the rules that are not shown because too little of what they said was right, or nobody measured it."""
        return tuple(rule.code for rule in self.rules() if not self.shows(rule.code))

    def weighs_on_pairs(self, code: str) -> bool:
        """Whether findings of a rule about pairs weigh what the rule says: not where a blind reader found too few of them right, unless the
        rule was asked for (`select`)."""
        return not is_remark_on_pairs(code) or any(code.startswith(entry) for entry in self.select)

    def severity(self, code: str) -> Severity | None:
        """The severity that the settings give all findings of a rule, or None where they say nothing."""
        _, said = self._setting(code)
        return Severity(said) if said not in {"", OFF} else None

    def _setting(self, code: str) -> tuple[str, str]:
        return max((entry for entry in self.settings if code.startswith(entry[0])), key=_length, default=("", ""))

    def _is_off(self, code: str) -> bool:
        entry, said = self._setting(code)
        return said == OFF and not any(code.startswith(c) and len(c) >= len(entry) for c in self.select)


@lru_cache(maxsize=8)
def _row_rules(knowledge: Knowledge) -> dict[str, Rule]:
    # Every paradigm that is linted has a linter of its own, and each asks for all rules.
    return {code: row_rule(code, rows) for code, rows in knowledge.rows.items()}


def _length(entry: tuple[str, str]) -> int:
    return len(entry[0])


def ruleset_of(selection: RuleSelection, knowledge: Knowledge) -> str:
    """What decides findings besides the items: the codes that were asked for and the word lists' content."""
    codes = ",".join(f"{rule.code}{pack_mark(rule.code)}{_ranked(selection, rule)}" for rule in selection.rules(knowledge))
    return f"{codes};{knowledge.digest}"


def _ranked(selection: RuleSelection, rule: Rule) -> str:
    severity = selection.severity(rule.code)
    if severity is not None:
        return f"={severity.value}"
    return "" if selection.weighs_on_pairs(rule.code) else "~"


def rule_page(rule: Rule, knowledge: Knowledge) -> RulePage:
    """What people read about a rule, one of the workspace's table too, with the severity of its findings."""
    told = page(rule.code) if rule.code in RULES else own_page(rule.code, knowledge)
    return replace(told, severity=rule.severity)


def finding_of(rule: Rule, hit: Hit, knowledge: Knowledge, selection: RuleSelection, *, of_pairs: bool = False) -> Finding:
    """A hit with what its rule, its page and the settings say of it; `of_pairs` where items are pairs."""
    told = page(rule.code) if rule.code in RULES else own_page(rule.code, knowledge)
    judged = in_short(rule.code, of_pairs=of_pairs)
    precision = (
        precision_of(rule.code)
        or (f"{judged} findings that readers judged" if judged else "")
        or ("not measured" if isinstance(rule, ParseRule) else "")
    )
    said = hit.severity or rule.severity
    if of_pairs and not selection.weighs_on_pairs(rule.code):
        said = Severity.INFO
    return Finding(
        code=rule.code,
        severity=Severity.INFO if hit.may_stay else selection.severity(rule.code) or said,
        message=hit.message,
        remedy=hit.remedy or told.remedy,
        title=f"{told.title} ({precision})" if precision else told.title,
        place=FindingPlace(hit.condition, hit.start, hit.end, hit.slot),
        items=hit.items,
        unlisted=hit.word if rule.code in UNKNOWN_WORDS else "",
    )


def text_rules(selection: RuleSelection) -> tuple[TextRule, ...]:
    """The selected rules on sentences as they stand."""
    return tuple(rule for rule in selection.rules() if isinstance(rule, TextRule))


def word_rules(knowledge: Knowledge, selection: RuleSelection) -> RoleRules:
    """The selected rules on words and on whole sentences, for items of no paradigm."""
    rules = [rule for rule in selection.rules(knowledge) if isinstance(rule, WordRule | SentenceRule)]
    return RoleRules(rules, knowledge, lambda rule, hit: finding_of(rule, hit, knowledge, selection))


@dataclass
class Linter:
    """The selected rules, ready to read the items of one paradigm. Linear in the number of items."""

    paradigm: Paradigm
    knowledge: Knowledge
    selection: RuleSelection = field(default_factory=RuleSelection)
    parses: Parses | None = None
    """The parsers to ask; None where the rules on parses do not run."""
    reader: RoleReader | None = None
    """Who reads roles from sentences where no slot declares any; None for one whose parses are not kept."""

    def __post_init__(self) -> None:
        rules = self.selection.rules(self.knowledge)
        self._parse_rules = [
            rule for rule in rules if isinstance(rule, ParseRule) and self.parses is not None and self.selection.shows(rule.code)
        ]
        self._structure = (
            StructureReader(self.paradigm, self.knowledge, self.parses, claims_of(self.paradigm))
            if self.parses is not None
            else None
        )
        self._item_rules = [rule for rule in rules if isinstance(rule, ItemRule)]
        self._set_rules = [rule for rule in rules if isinstance(rule, SetRule)]
        self.looked = Looked()
        """What the rules on words could look at in the items that were read."""
        self._slot_roles = SlotRoles(self.paradigm)
        self._is_pair = is_pair(self.paradigm)
        self._text_rules = [rule for rule in rules if isinstance(rule, TextRule)]
        self._word_rules = RoleRules(
            [rule for rule in rules if isinstance(rule, WordRule | SentenceRule)], self.knowledge, self._finding
        )

    @property
    def ruleset(self) -> str:
        """What decides the findings besides the items: the codes that run and the word lists' content."""
        return ruleset_of(self.selection, self.knowledge)

    def look_ahead(self, items: Iterable[StoredItem]) -> None:
        """Parse at once what the rules will ask for one by one."""
        if self.reader is not None and not self._is_pair and not self._slot_roles.names and self._word_rules.rules:
            self.reader.look_ahead({s.condition: s.text for s in reversed(item.sentences) if s.text.strip()} for item in items)
        if self.parses is not None and self._structure is not None and self._parse_rules:
            sentences = ((sentence.condition, sentence.text) for item in items for sentence in item.sentences)
            self.parses.look_ahead(self._structure.texts(sentences))

    def check(self, item: StoredItem) -> list[Finding]:
        """The findings about one item, worst first, then by code."""
        return self.check_view(ItemView(item, self.paradigm))

    def check_view(self, view: ItemView) -> list[Finding]:
        """As `check`, for a view that the caller also needs."""
        return self.read(view)[0]

    def read(self, view: ItemView) -> tuple[list[Finding], Look]:
        """The findings, and what the rules on words looked at."""
        found = [self._finding(rule, hit) for rule in self._item_rules for hit in rule.check(view)]
        texts = {name: own[0] for name, own in view.texts.items()}
        found += [self._finding(rule, hit) for rule in self._text_rules for hit in rule.check(texts, self.knowledge)]
        roles = self.roles(view)
        look = self._word_rules.look(roles)
        self.looked.add(look)
        if roles.unread and look.needs and not any(finding.code == NOT_READ for finding in found):
            silent = f"{len(look.needs) - len(look.seeing)} of {count(len(look.needs), 'rule')} on words did not run"
            found += [self._finding(rule, Hit(f"{roles.unread}: {silent}")) for rule in self._item_rules if rule.code == NOT_READ]
        found += self.check_roles(roles)
        if self._structure is not None:
            parsed = ParsedItem(view, self._structure)
            found += [self._finding(rule, hit) for rule in self._parse_rules for hit in rule.check(parsed)]
        return sorted(found, key=lambda f: (-f.severity.rank, f.code)), look

    def roles(self, view: ItemView) -> ItemRoles:
        """The roles of an item: those that slots declare; where none does, or the sentences could not be read as what the slots give,
        those that regions declare and its sentences show."""
        declared = self._slot_roles.read(view.words)
        if (other := other_question(view)) is not None:
            asked, wanted, _ = other
            declared = replace(declared, fillers=(declared.fillers - {wanted}) | {asked})
        could_be_read = view.reading is None or any(role.name != "matrix" for role in declared.roles)
        if self._slot_roles.names and could_be_read:
            return declared
        found = with_region_roles(self._read_roles(view), self.paradigm, view.item)
        known = {role.name for role in declared.roles}
        return replace(found, roles=(*declared.roles, *(role for role in found.roles if role.name not in known)))

    def _read_roles(self, view: ItemView) -> ItemRoles:
        if self._is_pair:
            return roles_of_pair(view, self.knowledge)
        texts = {name: texts[0] for name, texts in view.texts.items() if texts[0].strip()}
        return (self.reader or shared_reader()).read(texts)

    def check_roles(self, roles: ItemRoles) -> list[Finding]:
        """The findings about the words of roles alone: the only ones that depend on the word lists."""
        return self._word_rules.check(roles)

    def knowing(self, knowledge: Knowledge) -> Linter:
        """The same rules on words with other lists; no parser is asked."""
        other = copy(self)
        other.knowledge, other.parses, other._structure = knowledge, None, None
        other._word_rules = RoleRules(self._word_rules.rules, knowledge, other._finding)
        return other

    def _finding(self, rule: Rule, hit: Hit) -> Finding:
        return finding_of(rule, hit, self.knowledge, self.selection, of_pairs=self._is_pair)

    def new_set(self, tokens: TokenCounter | None = None) -> SetFacts | None:
        """Where the facts of a set gather (`SetFacts.add` takes each item's view once); None where no rule asks."""
        return SetFacts(self.paradigm, self.knowledge, tokens) if self._set_rules else None

    def check_set(self, facts: SetFacts) -> list[Finding]:
        """The findings about the items that were added, worst first, then by code; one of a single item has its number as the first of
        its `items`."""
        found = [self._finding(rule, hit) for rule in self._set_rules for hit in rule.check(facts)]
        return sorted(found, key=lambda f: (-f.severity.rank, f.code))
