"""What a study of contexts is: the five types of Sinha et al. (2023), and what else is drawn for it."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gapsmith.bank import Bank, ItemFilter, StoredItem, naming
from gapsmith.scoring.context_pool import ContextSource, Member, PoolItems, Suite, members_of, suite_of
from gapsmith.scoring.contexts import ContextPlan, Counter, Drawn, draw_contexts
from gapsmith.scoring.copies import in_name_order, without_copies
from gapsmith.scoring.perturbing import Perturbation
from gapsmith.templates import GAPSMITH, ConfigError, GapsmithError


@dataclass(frozen=True, slots=True)
class ContextType:
    """A type of context."""

    kind: ContextSource
    member: Member | None

    @property
    def name(self) -> str:
        """As it is called in tables: ``matched acceptable``, ``unrelated``."""
        return self.kind.value if self.member is None else f"{self.kind.value} {self.member.value}"


CONDITIONS = (
    *(ContextType(kind, member) for kind in (ContextSource.MATCHED, ContextSource.MISMATCHED) for member in Member),
    ContextType(ContextSource.UNRELATED, None),
)
"""The five types, related ones first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """How contexts of a study are drawn, and for which items."""

    name: str = "study"
    """Its context sets are called so, and what they are."""
    lengths: tuple[int, ...]
    """Tokens, ascending; no context is always measured too."""
    seed: int = 1
    shared: int | None = None
    """So many contexts for all items of a suite, instead of one for each."""
    suites_by: str = ""
    """An attribute that takes data sets apart into suites."""
    predictions: tuple[str, ...] = ()
    """Contrasts and criteria that count; empty for all."""
    everything: bool = False
    """All items, whatever was decided."""
    perturbed: int = 0
    """So many items of each suite behind perturbed contexts; 0 for none."""
    crossed: int = 0
    """So many items of each suite behind contexts of each other suite alone; 0 for none."""
    convention: str = GAPSMITH
    """How numbers are made of tokens: a name in `gapsmith.templates.CONVENTIONS`."""
    sample: int | None = None
    """So many items of each suite are measured, drawn by the seed, behind contexts of all of its items; None for all."""


@dataclass(frozen=True, slots=True)
class DrawnStudy:
    """The context sets of a study."""

    items: Mapping[int, str]
    """Item id to the label of its suite."""
    named: Mapping[int, Mapping[str, str]]
    """Item id to its paradigm, its data set and its own label, as other tables have them."""
    conditions: Mapping[str, Drawn]
    """By the name of the condition."""
    perturbed: Mapping[tuple[str, Perturbation], Drawn] = field(default_factory=dict)
    """By condition and perturbation."""
    crossed: Mapping[str, Drawn] = field(default_factory=dict)
    """By the label of the suite that contexts are of."""
    problems: tuple[str, ...] = ()
    """What could not be drawn, and why."""
    n_all: int = 0
    """Items there were before a sample of them was drawn, copies once."""

    @property
    def names(self) -> list[str]:
        """The context sets, in the order in which they were drawn."""
        drawn = (*self.conditions.values(), *self.perturbed.values(), *self.crossed.values())
        return [own.made.name for own in drawn]

    @property
    def without_context(self) -> list[str]:
        """A sentence for every type and length at which items have no context."""
        every = {
            **self.conditions,
            **{f"{name}, {how.value}": own for (name, how), own in self.perturbed.items()},
            **{f"of {suite}": own for suite, own in self.crossed.items()},
        }
        found = []
        for name, own in every.items():
            what = "items" if own.made.sampler["shared"] is None else "pairs of an item and a shared context"
            for target, tokens in own.realised.items():
                if empty := sum(not n for n in tokens):
                    found.append(
                        f"{name} to {target} tokens: no sentence was short enough for {empty:,} of {len(tokens):,} {what}, "
                        "left out there."
                    )
        return found

    @property
    def suites(self) -> tuple[str, ...]:
        """The labels of the suites, in the items' order."""
        return tuple(dict.fromkeys(self.items.values()))


def log_lengths(longest: int, n: int = 4, *, least: int = 1) -> tuple[int, ...]:
    """Ascending lengths up to `longest`, each twice the one before; where the first would be below `least`, as many in equal steps of their
    logarithm from there."""
    if max(1, longest >> (n - 1)) >= least or n < 2:
        return tuple(sorted({max(1, longest >> step) for step in range(n)}))
    first = min(least, longest)
    return tuple(sorted({round(first * (longest / first) ** (step / (n - 1))) for step in range(n)}))


def least_length(tokens: Sequence[int]) -> int:
    """The shortest length that nine in ten sentences of so many tokens are near enough to begin a context of: at half of a sentence, nothing
    is as near as the sentence. Of no sentences, 1."""
    return sorted(tokens)[math.ceil(0.9 * len(tokens)) - 1] // 2 + 1 if tokens else 1


def suite_labels(suites: Sequence[Suite]) -> dict[Suite, str]:
    """What tables call suites: the data set or attribute alone where no two share it, else all that tells them apart."""
    last = [suite[-1] for suite in suites]
    return {suite: suite[-1] if last.count(suite[-1]) == 1 else "/".join(suite) for suite in suites}


def draw_study(
    bank: Bank,
    plan: StudyPlan,
    items: Sequence[StoredItem],
    count: Counter,
    *,
    window: int | None,
    tokenizer: str,
    texts: Sequence[str] = (),
    about: Mapping[str, object] | None = None,
) -> DrawnStudy:
    """Draw every context set of the study; those that an earlier run of the same study drew are taken as they stand.

    Items of the same sentences are drawn for once. `texts` are the sentences of unrelated contexts, and `about` says where they
    are from. A type without sentences (no
    condition with ``*``, one suite only) is left out and named. Raises `GapsmithError` where none can be drawn.
    """
    if not items:
        raise GapsmithError("There are no items to draw contexts for.", hint="Approve items, or take all with --all.")
    given, items = len(items), in_name_order(without_copies(items))
    suites = list(dict.fromkeys(suite_of(item, plan.suites_by) for item in items))
    labels = suite_labels(suites)
    of_item = {item.id: labels[suite_of(item, plan.suites_by)] for item in items}
    named = {item.id: {"paradigm": item.paradigm, "dataset": item.dataset, "item": item.label, **naming(item)} for item in items}
    # What the set is of is kept with it, so that items that came later are not silently without contexts.
    said = {"items": len(items), "last": max(item.id for item in items)}
    if plan.sample is not None:
        said["sample"] = plan.sample
    problems: list[str] = []
    if len(items) < given:
        problems.append(
            f"{given - len(items):,} of {given:,} items: they have the very sentences of another one, and behind another context "
            "they would be no further evidence"
        )

    pooled = PoolItems(bank, everything=plan.everything, suites_by=plan.suites_by)

    def drawn(name: str, own: ContextPlan, ids: Sequence[int]) -> Drawn | None:
        unrelated = own.kind is ContextSource.UNRELATED
        try:
            return draw_contexts(
                bank,
                f"{plan.name}: {name}",
                own,
                ItemFilter(ids=tuple(ids)),
                count,
                everything=plan.everything,
                texts=texts if unrelated else (),
                about={**said, **((about or {}) if unrelated else {})},
                again=True,
                pooled=pooled,
            )
        except ConfigError:
            raise
        except GapsmithError as error:
            problems.append(f"{name}: {error.message}")
            return None

    if plan.sample is not None:
        kept = set(_some(of_item, plan.sample, plan.seed))
        problems.append(
            f"{len(of_item) - len(kept):,} of {len(of_item):,} items: a sample of at most {plan.sample} of each suite was asked for"
        )
        of_item = {own: label for own, label in of_item.items() if own in kept}
        named = {own: place for own, place in named.items() if own in kept}
    paradigms = {name: bank.paradigms.current(name).paradigm for name in {item.paradigm for item in items}}
    having = {
        member: {suite_of(item, plan.suites_by) for item in items if members_of(item, paradigms[item.paradigm], member)}
        for member in Member
    }
    conditions: dict[str, Drawn] = {}
    plans: dict[str, ContextPlan] = {}
    for condition in CONDITIONS:
        if condition.kind is ContextSource.UNRELATED and not texts:
            continue
        mismatched = condition.kind is ContextSource.MISMATCHED
        if mismatched and len(suites) < 2:
            problems.append(f"{condition.name}: there is one suite only")
            continue
        if condition.member is not None and not having[condition.member]:
            problems.append(f"{condition.name}: no item has {condition.member} sentences")
            continue
        own = ContextPlan(
            kind=condition.kind,
            member=condition.member or Member.ACCEPTABLE,
            lengths=plan.lengths,
            seed=plan.seed,
            shared=plan.shared,
            window=window,
            tokenizer=tokenizer,
            suites_by=plan.suites_by,
            sources=_names(suites, having[condition.member or Member.ACCEPTABLE]) if mismatched else (),
        )
        made = drawn(condition.name, own, list(of_item))
        if made is not None:
            conditions[condition.name], plans[condition.name] = made, own
    if not conditions:
        raise GapsmithError("No context could be drawn for any type.", hint="; ".join(problems))
    perturbed: dict[tuple[str, Perturbation], Drawn] = {}
    if plan.perturbed:
        some = _some(of_item, plan.perturbed, plan.seed)
        for condition in CONDITIONS[:2]:
            for how in Perturbation if condition.name in plans else ():
                if how is Perturbation.NONE:
                    continue
                own = replace(plans[condition.name], perturbation=how)
                made = drawn(f"{condition.name}, {how.value}", own, some)
                if made is not None:
                    perturbed[condition.name, how] = made
    crossed: dict[str, Drawn] = {}
    base = plans.get(CONDITIONS[2].name)
    if plan.crossed and base is not None:
        some = _some(of_item, plan.crossed, plan.seed)
        for suite in (own for own in suites if own in having[Member.ACCEPTABLE]):
            others = [own for own in some if of_item[own] != labels[suite]]
            own = replace(base, lengths=plan.lengths[-1:], sources=("/".join(suite),))
            made = drawn(f"of {labels[suite]}", own, others)
            if made is not None:
                crossed[labels[suite]] = made
    return DrawnStudy(of_item, named, conditions, perturbed, crossed, tuple(problems), len(items))


def _names(suites: Sequence[Suite], having: Collection[Suite]) -> tuple[str, ...]:
    return tuple("/".join(suite) for suite in suites if suite in having)


def _some(of_item: Mapping[int, str], n: int, seed: int) -> list[int]:
    """So many items of each suite, drawn by the seed."""
    rng = random.Random(f"{seed}/some")
    by_suite: dict[str, list[int]] = {}
    for item, suite in of_item.items():
        by_suite.setdefault(suite, []).append(item)
    return sorted(own for ids in by_suite.values() for own in rng.sample(ids, min(n, len(ids))))
