"""Rule packs: rules with the pages that explain them and the word lists that they read, ours and those of installed packages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import cast

from gapsmith.bank import Severity
from gapsmith.templates import ConfigError, Plugin, Registry, bytes_of, remove
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import JudgeRule, Rule
from gapsmith.vetting.rules.rule_pages import RulePage

OWN = "gapsmith"
"""The name of our own pack."""
_CODE = re.compile(r"X[A-Z]{1,4}[0-9]{3}")


@dataclass(frozen=True, slots=True)
class RulePack:
    """Rules that come together. A package offers one by an entry point in the group ``gapsmith.rules``.

    Codes of other packs begin with X and one to four letters of their own: ``XLAT001``."""

    name: str
    version: str
    rules: tuple[Rule, ...]
    pages: Mapping[str, RulePage]
    """Code to page; every rule has one."""
    lists: tuple[Path, ...] = field(default=())
    """The word lists that the rules read: findings are stale when their content changes."""


def _held(pack: RulePack, plugin: Plugin) -> RulePack:
    """A pack of an installed package; its rules give hits and nothing else."""
    codes = [rule.code for rule in pack.rules]
    for rule in pack.rules:
        problem, severity = "", cast(object, rule.severity)
        if not _CODE.fullmatch(rule.code):
            problem = "its codes have to be X, one to four capitals, and three digits"
        elif codes.count(rule.code) > 1:
            problem = "there is another rule with that code"
        elif not isinstance(pack.pages.get(rule.code), RulePage):
            problem = "the rule has no page"
        elif not isinstance(severity, Severity):
            problem = f"its severity is {severity!r}, not one of Severity"
        if problem:
            raise plugin.fault(f": {rule.code}: {problem}")
    for path in pack.lists:
        with plugin.at_work(f": its word list {path} cannot be read"):
            bytes_of(path)
    return replace(pack, rules=tuple(_held_rule(rule, plugin) for rule in pack.rules))


def _held_rule(rule: Rule, plugin: Plugin) -> Rule:
    if isinstance(rule, JudgeRule):
        return rule
    # Each kind of rule looks at something else.
    looks = cast("Callable[..., Iterable[Hit]]", rule.check)
    changed = cast("Callable[..., Rule]", replace)
    return changed(rule, check=plugin.held_each(looks, f"rule {rule.code}", "a Hit", lambda hit: isinstance(hit, Hit)))


PACKS: Registry[RulePack] = Registry(
    "gapsmith.rules", "rule pack", RulePack, {OWN: "gapsmith.vetting.rules.registry:OWN_PACK"}, held=_held
)
"""The packs by name."""


class AllRules(Mapping[str, Rule]):
    """Code to rule, over all packs, in the order of the codes. Packs are imported at the first look.

    A pack that is broken stops the linter with an error that names it: to leave its rules out silently would make its
    findings look mended."""

    @cached_property
    def _found(self) -> Mapping[str, Rule]:
        return dict(sorted((rule.code, rule) for name in PACKS for rule in _checked(name).rules))

    def __getitem__(self, code: str) -> Rule:
        return self._found[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class AllPages(Mapping[str, RulePage]):
    """Code to page, over all packs, in the order of the codes."""

    @cached_property
    def _found(self) -> Mapping[str, RulePage]:
        return dict(sorted((code, page) for name in PACKS for code, page in _checked(name).pages.items()))

    def __getitem__(self, code: str) -> RulePage:
        return self._found[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


@lru_cache(maxsize=1)
def all_pages() -> Mapping[str, RulePage]:
    """The pages of all packs by code, in the order of their codes."""
    return AllPages()


def page(code: str) -> RulePage:
    """The page of a rule. Raises `ConfigError` where there is no such rule."""
    try:
        return all_pages()[code]
    except KeyError:
        raise ConfigError(f"there is no rule {code!r}", hint="`gapsmith rule` lists all rules with their codes.") from None


def check_packs() -> None:
    """Raise `ConfigError` for a pack that is broken, and for two that have a rule of the same code."""
    for name in PACKS:
        _checked(name)


def pack_mark(code: str) -> str:
    """What a set of rules notes of the pack that a rule is from: nothing for ours, whose lists it notes by themselves."""
    return _marks().get(code, "")


@lru_cache(maxsize=1)
def _marks() -> Mapping[str, str]:
    marks: dict[str, str] = {}
    for name in PACKS:
        pack = PACKS[name]
        if name != OWN:
            content = hashlib.sha256(b"\0".join(bytes_of(path) for path in pack.lists)).hexdigest()
            marks |= {rule.code: f"@{pack.name}-{pack.version}-{content[:16]}" for rule in pack.rules}
    return marks


def _checked(name: str) -> RulePack:
    pack = PACKS[name]
    if name == OWN:
        return pack
    for other in PACKS:
        shared = {rule.code for rule in pack.rules} & {rule.code for rule in PACKS[other].rules}
        if other not in (OWN, name) and shared:
            both = sorted((PACKS.plugin(name), PACKS.plugin(other)), key=str)
            packages = dict.fromkeys(plugin.package for plugin in both)
            raise ConfigError(
                f"{both[0]} and {both[1]} both have a rule {min(shared)}",
                hint=f"Keep one of them. To remove the other: {', or '.join(map(remove, packages))}",
            )
    return pack
