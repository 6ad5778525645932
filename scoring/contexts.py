"""What stands before items when they are measured: contexts drawn from other items or from a text, kept as a named set.

After Sinha et al. (2023): a context is sentences joined by one space, drawn without replacement and grown by appending, so
that a longer context begins with the shorter one; it is the same for all sentences of an item, and never has the item in it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gapsmith.bank import Bank, ContextSet, ItemFilter, StoredItem, as_name
from gapsmith.scoring.context_pool import (
    ContextSource,
    Member,
    Pool,
    PoolItems,
    Suite,
    Unit,
    chosen_items,
    expect_suites,
    stands_in,
    suite_of,
)
from gapsmith.scoring.copies import wording
from gapsmith.scoring.perturbing import Perturbation
from gapsmith.templates import ConfigError, GapsmithError, text_of

BARE = "no context"
"""What tables call the empty context."""
Counter = Callable[[str], int]
"""How many tokens a text has."""


@dataclass(frozen=True, slots=True)
class ContextStep:
    """One of the contexts that items of a set are measured behind."""

    number: int
    target: int | None
    """Tokens that were aimed at; None for a text taken as it stands; 0 for nothing."""
    draw: int = 0
    """Which of the shared contexts it is, from 1; 0 where each item has its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPlan:
    """How contexts are drawn."""

    kind: ContextSource
    member: Member = Member.ACCEPTABLE
    lengths: tuple[int, ...] = ()
    """Tokens to grow to, ascending."""
    seed: int = 1
    shared: int | None = None
    """So many contexts for all items, instead of one for each."""
    window: int | None = None
    """Tokens that the model can read; context, item and BOS must fit."""
    tokenizer: str = ""
    """Whose tokens are counted."""
    sources: tuple[str, ...] = ()
    """Suites that mismatched contexts are of, by data set or by the value of `suites_by`; empty for all others."""
    suites_by: str = ""
    """An attribute of items whose values take a data set apart into suites; empty where a data set is one suite."""
    perturbation: Perturbation = Perturbation.NONE


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was kept."""

    made: ContextSet
    n_items: int
    n_contexts: int
    """Different ones that are not empty."""
    realised: Mapping[int, tuple[int, ...]]
    """Target to the lengths in tokens of its contexts; one per item and step."""
    left_out: int = 0
    """Pairs of an item and a shared context that has the item in it."""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class StepContexts:
    """Which context each item of a set has at one step."""

    name: str
    kind: str
    step: ContextStep
    contexts: Mapping[int, int]
    """Item id to context id; 0 is no context."""
    lengths: Mapping[int, int]
    """Context id to its length in tokens."""

    @property
    def label(self) -> str:
        """What tables call it: the set, the number of a shared context, the tokens that were aimed at."""
        if self.step.number == 0:
            return BARE
        parts = [self.name]
        if self.step.draw:
            parts.append(f"no. {self.step.draw}")
        if self.step.target is not None:
            parts.append(f"to {self.step.target}")
        return " ".join(parts)

    @property
    def mean_length(self) -> float | None:
        """Realised tokens on average over items; None where nobody counted them."""
        known = [self.lengths.get(context, 0 if context == 0 else None) for context in self.contexts.values()]
        numbers = [n for n in known if n is not None]
        return sum(numbers) / len(numbers) if numbers and len(numbers) == len(known) else None


def read_lines(path: Path) -> list[str]:
    """The texts of a file, one a line; empty lines are passed over. Raises `ConfigError`."""
    return _some([" ".join(line.split()) for line in _read(path).splitlines()], path)


def read_running(path: Path) -> list[str]:
    """The sentences of a running text in their order: cut after ``.``, ``!`` or ``?`` (and quotes or brackets that close)
    before white space, and at empty lines. Raises `ConfigError`."""
    paragraphs = (" ".join(own.split()) for own in re.split(r"\n\s*\n", _read(path)))
    return _some([s for own in paragraphs for s in re.split(r"(?<=[.!?])\s|(?<=[.!?][\"'”’)])\s", own)], path)


def _read(path: Path) -> str:
    try:
        return text_of(path, "utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})", hint="Name a file of text.") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8", hint="Save the file as UTF-8.") from None


def _some(texts: Iterable[str], path: Path) -> list[str]:
    found = [text for text in texts if text]
    if not found:
        raise ConfigError(f"{path}: there is no text in it", hint="Name a file with sentences.")
    return found


def grow(units: Iterable[str], lengths: Sequence[int], count: Counter, *, room: int | None = None) -> list[list[str]]:
    """For each length the sentences, in the given order, that come nearest to it; a longer context begins with a shorter one.

    A sentence is appended while that brings the length nearer; where sentences give out, a context stops at its real length.
    No context has more than `room` tokens. `count` is asked for each sentence with its space, and for what was joined. Of
    `units` no more is taken than is needed, and one."""
    found: list[list[str]] = []
    chosen: list[str] = []
    tokens = 0
    source = iter(units)
    text = next(source, None)
    for target in lengths:
        while text is not None:
            more = tokens + count(f" {text}" if chosen else text)
            if abs(target - more) >= abs(target - tokens) or (room is not None and more > room):
                break
            chosen.append(text)
            tokens = more
            text = next(source, None)
        while room is not None and chosen and count(" ".join(chosen)) > room:
            # Joined, the tokens may be more than they were one by one. What does not fit now will not fit later.
            chosen.pop()
            text = None
        tokens = count(" ".join(chosen)) if chosen else 0
        found.append(list(chosen))
    return found


def draw_contexts(
    bank: Bank,
    name: str,
    plan: ContextPlan,
    targets: ItemFilter,
    count: Counter,
    *,
    everything: bool = False,
    texts: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
    again: bool = False,
    pooled: PoolItems | None = None,
) -> Drawn:
    """Draw contexts for the items of `targets` and keep them under a name, in one transaction.

    Targets and the items that contexts are drawn from are the approved ones, or all of them with `everything`. Of every other
    item one sentence with the wanted status is taken, so no context has two sentences of one item; an item with the very
    sentences of an earlier one stands behind that one's contexts. `texts` are those of the file
    for unrelated contexts; `about` is kept with the set. Each item's draw hangs on the seed, its data set and label alone.
    An item that stands in a shared context is not measured behind it. `pooled` are the sentences of all items where several sets are drawn
    from them. With `again`, a set of this name that was drawn in this way
    is taken as it stands. Raises `GapsmithError` where there is nothing to draw.
    """
    _check_plan(plan)
    expect_suites(bank, plan.suites_by, everything=everything)
    sampler = {
        "type": plan.kind.value,
        "seed": plan.seed,
        "lengths": list(plan.lengths),
        "shared": plan.shared,
        "window": plan.window,
        "tokenizer": plan.tokenizer,
        "paradigm": targets.paradigm,
        "dataset": targets.dataset,
        "all": everything,
        **({"member": plan.member.value} if plan.kind is not ContextSource.UNRELATED else {}),
        **({"from": list(plan.sources)} if plan.sources else {}),
        **({"suites": plan.suites_by} if plan.suites_by else {}),
        **({"perturbation": plan.perturbation.value} if plan.perturbation is not Perturbation.NONE else {}),
        **(about or {}),
    }
    if again and (there := _drawn_before(bank, name, sampler)) is not None:
        return there
    _check_name(bank, name)
    items = _items(bank, targets, everything)
    notes: list[str] = []
    pool = Pool(
        pooled or PoolItems(bank, everything=everything, suites_by=plan.suites_by),
        plan.kind,
        member=plan.member,
        texts=texts,
        sources=plan.sources,
        perturbation=plan.perturbation,
        seed=plan.seed,
    )
    longest = {item.id: max((count(f" {s.text}") for s in item.sentences), default=0) for item in items}
    # One place is BOS.
    rooms = {own: None if plan.window is None else max(0, plan.window - 1 - n) for own, n in longest.items()}
    steps = [ContextStep(0, 0)]
    chains: dict[tuple[int, int], tuple[str, ...]] = {(item.id, 0): () for item in items}
    left_out = 0
    if plan.shared is None:
        steps += [ContextStep(number, target) for number, target in enumerate(plan.lengths, 1)]
        firsts: dict[Hashable, StoredItem] = {}
        for item in items:
            first = firsts.setdefault(wording(item), item)
            if first is not item:
                # Behind a context of its own a copy would be read as a further observation.
                chains.update({(item.id, step.number): chains[first.id, step.number] for step in steps[1:]})
                continue
            rng = random.Random(f"{plan.seed}/{item.paradigm}/{item.dataset}/{item.label}")
            units = map(pool.written, pool.shuffled(item, rng))
            for step, chain in zip(steps[1:], grow(units, plan.lengths, count, room=rooms[item.id]), strict=True):
                chains[item.id, step.number] = tuple(chain)
    else:
        room = None if plan.window is None else min(own for own in rooms.values() if own is not None)
        per_suite: dict[Suite, list[StoredItem]] = {}
        for item in items:
            suite = suite_of(item, plan.suites_by) if plan.kind is not ContextSource.UNRELATED else ("", "")
            per_suite.setdefault(suite, []).append(item)
        for k in range(1, plan.shared + 1):
            own = [ContextStep(len(steps) + at, target, k) for at, target in enumerate(plan.lengths)]
            for suite, members in per_suite.items():
                rng = random.Random(f"{plan.seed}/{'/'.join(suite)}/{k}")
                drawn: list[Unit] = []
                noted = _noting(pool.shuffled(members[0], rng, shared=True), drawn)
                grown = grow(map(pool.written, noted), plan.lengths, count, room=room)
                within = drawn[: len(grown[-1])]
                for item in members:
                    if stands_in(item, within):
                        left_out += 1
                        continue
                    for step, chain in zip(own, grown, strict=True):
                        chains[item.id, step.number] = tuple(chain)
            steps += own
    if not any(chains.values()):
        raise GapsmithError(
            "No context could be drawn: not one sentence fits.",
            hint=f"The window is {plan.window} tokens; ask for longer contexts, or draw from shorter sentences.",
        )
    made, lengths, contexts = _keep(bank, name, sampler, steps, chains, count)
    realised: dict[int, tuple[int, ...]] = {}
    for step in steps[1:]:
        if step.target is not None:
            own_lengths = tuple(lengths[contexts[i.id, step.number]] for i in items if (i.id, step.number) in contexts)
            realised[step.target] = realised.get(step.target, ()) + own_lengths
    # Half a sentence is what a context may lack where there are sentences and room enough.
    slack = max(count(f" {text}") for chain in set(chains.values()) for text in chain)
    for target, found in realised.items():
        short = sum(target - n > slack for n in found)
        if short:
            notes.append(
                f"{short:,} of {len(found):,} contexts to {target} tokens stop before: the sentences gave out, or the window is "
                "full. Lengths are the tokens that there are."
            )
    return Drawn(made, len(items), len({c for c in contexts.values() if c}), realised, left_out, tuple(notes))


def keep_texts(
    bank: Bank,
    name: str,
    texts: Sequence[str],
    targets: ItemFilter,
    count: Counter,
    *,
    tokenizer: str = "",
    everything: bool = False,
    about: Mapping[str, Any] | None = None,
) -> Drawn:
    """Keep texts as they stand as contexts of all items of `targets`: every item is measured behind nothing and behind each.

    Raises `GapsmithError`."""
    _check_name(bank, name)
    items = _items(bank, targets, everything)
    different = list(dict.fromkeys(texts))
    steps = [ContextStep(0, 0), *(ContextStep(number, None, number) for number in range(1, len(different) + 1))]
    chains = {(item.id, 0): () for item in items} | {
        (item.id, step.number): (text,)
        for step, text in zip(steps[1:], different, strict=True)
        for item in items
        if not stands_in(item, [Unit(text)])
    }
    sampler = {
        "type": ContextSource.TEXTS.value,
        "tokenizer": tokenizer,
        "paradigm": targets.paradigm,
        "dataset": targets.dataset,
        "all": everything,
        **(about or {}),
    }
    made, _, contexts = _keep(bank, name, sampler, steps, chains, count)
    left_out = len(items) * len(steps) - len(chains)
    found = {c for c in contexts.values() if c}
    return Drawn(made, len(items), len(found), {}, left_out)


def steps_of(found: ContextSet) -> list[ContextStep]:
    """The steps of a set, in order; the first is no context."""
    return [ContextStep(number, *own) for number, own in enumerate(found.sampler["steps"])]


def step_contexts(bank: Bank, names: Sequence[str], *, ids: Iterable[int] | None = None) -> list[StepContexts]:
    """Which context items have at each step of these sets, as far as they are among `ids`; no context only once, first.

    Raises `BankError` for an unknown name."""
    wanted = None if ids is None else frozenset(ids)
    bare: dict[int, int] = {}
    found: list[StepContexts] = []
    for name in dict.fromkeys(names):
        own = bank.contexts.find(name)
        kind = " ".join(filter(None, (own.sampler["type"], own.sampler.get("member"))))
        lengths = bank.contexts.lengths(own.id)
        by_step: dict[int, dict[int, int]] = {}
        for (item, number), context in bank.contexts.assigned(own.id).items():
            if wanted is None or item in wanted:
                by_step.setdefault(number, {})[item] = context
        bare |= by_step.pop(0, {})
        found += [StepContexts(name, kind, s, by_step[s.number], lengths) for s in steps_of(own) if s.number in by_step]
    return [StepContexts("", "", ContextStep(0, 0), bare, {0: 0}), *found] if bare else []


def _noting(units: Iterable[Unit], drawn: list[Unit]) -> Iterator[Unit]:
    for unit in units:
        drawn.append(unit)
        yield unit


def _items(bank: Bank, selection: ItemFilter, everything: bool) -> list[StoredItem]:
    items = list(bank.items.iterate(chosen_items(selection, everything)))
    if not items:
        raise GapsmithError(
            "There is no item to draw contexts for.", hint="Approve items first, or take them undecided with --all."
        )
    return items


def _check_name(bank: Bank, name: str) -> None:
    as_name(name, "a context set")
    if any(own.name == name for own in bank.contexts.sets()):
        raise ConfigError(f"there is a context set {name!r} already, and what was drawn stays", hint="Give another name.")


def _check_plan(plan: ContextPlan) -> None:
    if not plan.lengths or min(plan.lengths) < 1 or sorted(set(plan.lengths)) != list(plan.lengths):
        raise ConfigError("lengths are whole numbers of tokens above 0, ascending", hint="For instance --lengths 20,40,80.")
    if plan.shared is not None and plan.shared < 1:
        raise ConfigError(f"{plan.shared} shared contexts are none", hint="Say --shared-contexts 10, or leave it out.")


def _drawn_before(bank: Bank, name: str, sampler: Mapping[str, Any]) -> Drawn | None:
    """The set of that name, where it was drawn in just this way."""
    found = next((own for own in bank.contexts.sets() if own.name == name), None)
    if found is None or {key: value for key, value in found.sampler.items() if key != "steps"} != sampler:
        return None
    lengths = bank.contexts.lengths(found.id)
    targets = {step.number: step.target for step in steps_of(found)}
    assigned = bank.contexts.assigned(found.id)
    lists: dict[int, list[int]] = {}
    for (_, number), context in assigned.items():
        target = targets[number]
        if number and target is not None:
            lists.setdefault(target, []).append(lengths[context])
    realised = {target: tuple(own) for target, own in lists.items()}
    n_items = len({item for item, _ in assigned})
    return Drawn(found, n_items, len({context for context in assigned.values() if context}), realised)


def _keep(
    bank: Bank,
    name: str,
    sampler: Mapping[str, Any],
    steps: Sequence[ContextStep],
    chains: Mapping[tuple[int, int], tuple[str, ...]],
    count: Counter,
) -> tuple[ContextSet, dict[int, int], dict[tuple[int, int], int]]:
    with bank.transaction():
        ids = {chain: bank.contexts.register(chain) for chain in dict.fromkeys(chains.values())}
        lengths = {own: count(" ".join(chain)) if chain else 0 for chain, own in ids.items()}
        contexts = {place: ids[chain] for place, chain in chains.items()}
        set_id = bank.contexts.define(name, {**sampler, "steps": [[step.target, step.draw] for step in steps]})
        bank.contexts.assign(set_id, contexts, lengths=lengths)
    return bank.contexts.find(name), lengths, contexts
