"""Rule packs: rules with the pages that explain them and the word lists that they read, ours and those of installed packages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from templates.errors import ConfigError
from templates.plugins import Registry
from vetting.rules.model import Rule
from vetting.rules.pages import RulePage

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


PACKS: Registry[RulePack] = Registry("gapsmith.rules", "rule pack", RulePack, {OWN: "vetting.rules.registry:OWN_PACK"})
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


def pack_mark(code: str) -> str:
    """What a set of rules notes of the pack that a rule is from: nothing for ours, whose lists it notes by themselves."""
    return _marks().get(code, "")


@lru_cache(maxsize=1)
def _marks() -> Mapping[str, str]:
    marks: dict[str, str] = {}
    for name in PACKS:
        pack = PACKS[name]
        if name != OWN:
            content = hashlib.sha256(b"\0".join(path.read_bytes() for path in pack.lists)).hexdigest()
            marks |= {rule.code: f"@{pack.name}-{pack.version}-{content[:16]}" for rule in pack.rules}
    return marks


def _checked(name: str) -> RulePack:
    pack = PACKS[name]
    if name == OWN:
        return pack
    codes = [rule.code for rule in pack.rules]
    others = {rule.code for other in PACKS if other != name for rule in PACKS[other].rules}
    for code in codes:
        problem = ""
        if not _CODE.fullmatch(code):
            problem = "its codes have to be X, one to four capitals, and three digits"
        elif codes.count(code) > 1 or code in others:
            problem = "there is another rule with that code"
        elif code not in pack.pages:
            problem = "the rule has no page"
        if problem:
            raise ConfigError(
                f"rule pack {name!r} of {PACKS.origin(name)}: {code}: {problem}",
                hint=f"Mend the package, or remove it: pip uninstall {PACKS.origin(name)}",
            )
    return pack
