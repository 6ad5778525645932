"""The sentences that contexts are drawn from: of other items, or of a file."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain

from gapsmith.bank import Bank, ItemFilter, ItemStatus, StoredItem
from gapsmith.scoring.copies import in_name_order
from gapsmith.scoring.perturbing import Perturbation, perturb
from gapsmith.templates import ConfigError, GapsmithError, Paradigm, Status

Suite = tuple[str, ...]
"""Paradigm and data set of items, and the value of the attribute that takes data sets apart, where there is one."""


class ContextSource(StrEnum):
    """Where the sentences of contexts come from."""

    MATCHED = "matched"
    """Other items of the item's own suite."""
    MISMATCHED = "mismatched"
    """Items of other suites."""
    UNRELATED = "unrelated"
    """Sentences of a file."""
    TEXTS = "texts"
    """The texts of a file as they stand, each behind nothing."""


class Member(StrEnum):
    """Which sentences of items are taken."""

    ACCEPTABLE = "acceptable"
    UNACCEPTABLE = "unacceptable"

    @property
    def status(self) -> str:
        """The status of the conditions that are taken."""
        return Status.OK if self is Member.ACCEPTABLE else Status.STAR


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence that a context may have in it."""

    text: str
    item: int | None = None
    """The item that it is of; None for one of a file."""


def suite_of(item: StoredItem, by: str = "") -> Suite:
    """The suite of an item: its paradigm and data set; with `by`, the name of an attribute, also the value it has there."""
    home = (item.paradigm, item.dataset)
    return (*home, str(item.attributes.get(by, ""))) if by else home


def members_of(item: StoredItem, paradigm: Paradigm, member: Member) -> list[str]:
    """The item's different sentences in conditions of that status."""
    own = paradigm.variant(item.slots if item.slots is not None else item.attributes)
    known = own.condition_by_name
    fitting = [s for s in item.sentences if s.condition in known and known[s.condition].expected == member.status]
    design = {name: number for number, name in enumerate(known)}
    return list(dict.fromkeys(s.text for s in sorted(fitting, key=lambda s: design[s.condition])))


def expect_suites(bank: Bank, suites_by: str, *, everything: bool) -> None:
    """Raise `BankError` where the approved items would be taken apart by an attribute for one who may not know which these are."""
    if suites_by and not everything:
        bank.gate.expect_to_tell_items(f"--suites-by {suites_by}")


class PoolItems:
    """The sentences of all items by suite, read once however many pools draw from them."""

    def __init__(self, bank: Bank, *, everything: bool = False, suites_by: str = "") -> None:
        """Raises `BankError` as `expect_suites` does."""
        expect_suites(bank, suites_by, everything=everything)
        self.everything, self.suites_by = everything, suites_by
        self._bank = bank
        self._read: dict[Member, dict[Suite, list[tuple[int | None, list[str]]]]] | None = None

    def of(self, member: Member) -> dict[Suite, list[tuple[int | None, list[str]]]]:
        """Of each suite the items that have such sentences, with these."""
        if self._read is None:
            self._read = {one: {} for one in Member}
            for name in sorted(self._bank.paradigms.names()):
                paradigm = self._bank.paradigms.current(name).paradigm
                # By name, so that what is drawn does not depend on the order in which the items came.
                for item in in_name_order(self._bank.items.iterate(chosen_items(ItemFilter(paradigm=name), self.everything))):
                    for one, found in self._read.items():
                        if texts := members_of(item, paradigm, one):
                            found.setdefault(suite_of(item, self.suites_by), []).append((item.id, texts))
        return dict(sorted(self._read[member].items()))


class Pool:
    """What the contexts of a plan are drawn from. Raises `ConfigError` for a source that has no such sentences."""

    def __init__(
        self,
        items: PoolItems,
        kind: ContextSource,
        *,
        member: Member = Member.ACCEPTABLE,
        texts: Sequence[str] = (),
        sources: Sequence[str] = (),
        perturbation: Perturbation = Perturbation.NONE,
        seed: int = 1,
    ) -> None:
        self._kind, self._by = kind, items.suites_by
        self._perturbation, self._seed = perturbation, seed
        self._items: dict[Suite, list[tuple[int | None, list[str]]]] = {}
        self._by_home: dict[Suite, list[tuple[int | None, list[str]]]] = {}
        self._sources = frozenset(sources)
        if kind is ContextSource.UNRELATED:
            self._by_home[()] = [(None, [text]) for text in dict.fromkeys(texts)]
            return
        self._items = items.of(member)
        known = {name for suite in self._items for name in (suite[-1], "/".join(suite))}
        for source in sources:
            if source not in known:
                raise ConfigError(
                    f"there is no data set {source!r} with {member} sentences"
                    if not items.suites_by
                    else f"no item with {member} sentences has {source!r} as its {items.suites_by}",
                    hint=f"There are: {', '.join(sorted({suite[-1] for suite in self._items})) or 'none'}.",
                )

    def shuffled(self, item: StoredItem, rng: random.Random, *, shared: bool = False) -> Iterator[Unit]:
        """The sentences that the item's context is grown from, in an order of the draw's own, drawn as they are asked for.
        Nothing of the item itself, nor any sentence of its words, unless the context is `shared`. Raises `GapsmithError` where
        there are none."""
        drawn = self._drawn(item, rng, shared)
        first = next(drawn, None)
        if first is None:
            home = suite_of(item, self._by)
            where = "in other suites" if self._kind is ContextSource.MISMATCHED else f"beside {'/'.join(home[1:])}/{item.label}"
            raise GapsmithError(
                f"there is no sentence {where} that a context could be made of",
                hint="Approve more items, say --all, or draw another type.",
            )
        return chain((first,), drawn)

    def _drawn(self, item: StoredItem, rng: random.Random, shared: bool) -> Iterator[Unit]:
        entries = self._entries(suite_of(item, self._by))
        own = _texts_of(item)
        seen: set[str] = set() if shared else set(own)
        # Shuffling by Fisher and Yates, of which only as much is done as is asked for.
        moved: dict[int, int] = {}
        for place in range(len(entries)):
            other = rng.randrange(place, len(entries))
            owner, texts = entries[moved.get(other, other)]
            moved[other] = moved.pop(place, place)
            text = rng.choice(texts)
            if (owner == item.id and not shared) or _alike(text) in seen:
                continue
            seen.add(_alike(text))
            yield Unit(text, owner)

    def _entries(self, home: Suite) -> list[tuple[int | None, list[str]]]:
        """What contexts of a suite can be drawn from: an item and its fitting sentences."""
        if self._kind is ContextSource.UNRELATED:
            home = ()
        if home not in self._by_home:
            matched = self._kind is ContextSource.MATCHED
            self._by_home[home] = [
                entry
                for suite, entries in self._items.items()
                if (suite == home) == matched and (matched or not self._sources or self._is_source(suite))
                for entry in entries
            ]
        return self._by_home[home]

    def _is_source(self, suite: Suite) -> bool:
        return suite[-1] in self._sources or "/".join(suite) in self._sources

    def written(self, unit: Unit) -> str:
        """The sentence as it stands in a context: perturbed where that is asked for, and with a final mark."""
        text = perturb(unit.text, self._perturbation, self._seed)
        return text if text.rstrip("\"'”’)»]").endswith((".", "!", "?", "…", ":", ";")) else f"{text}."


def stands_in(item: StoredItem, units: Iterable[Unit]) -> bool:
    """Whether one of these sentences is of the item, or reads like one of its own."""
    own = _texts_of(item)
    return any(unit.item == item.id or _alike(unit.text) in own for unit in units)


def _texts_of(item: StoredItem) -> set[str]:
    return {_alike(sentence.text) for sentence in item.sentences}


def chosen_items(selection: ItemFilter, everything: bool) -> ItemFilter:
    """The filter, for approved items only unless everything is wanted."""
    return selection if everything else replace(selection, standing=(ItemStatus.APPROVED,), in_results=True)


@lru_cache(maxsize=65536)
def _alike(text: str) -> str:
    return " ".join(text.split()).casefold()
