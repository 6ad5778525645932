"""Sharing items out between readers, and how well readers know the items whose right verdict is known (`gapsmith.bank` keeps who
reads what)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from gapsmith.bank import Bank, ItemFilter
from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often one annotator says of calibration items what is known of them."""

    author: str
    hits: int
    decided: int
    low: float
    """Of Wilson's 95 % interval of the share."""
    high: float
    missed: tuple[int, ...]
    """The items on which they said something else."""


@dataclass(frozen=True, slots=True)
class DriftBlock:
    """One stretch of somebody's calibration decisions, in the order in which they were made."""

    author: str
    number: int
    """1 for the earliest."""
    first_at: str
    last_at: str
    hits: int
    decided: int
    low: float
    """Of Wilson's 95 % interval of the share."""
    high: float


@dataclass(frozen=True, slots=True)
class ShareChange:
    """What a new assignment changes for one person, over the items that it is about."""

    name: str
    before: int
    """Items that were theirs, of those that are assigned now."""
    after: int
    given: int
    """Items that are new to them."""
    taken: int
    """Items that are not theirs any more."""
    decided: int
    """Of the taken ones, how many they have decided on, as far as who assigns may see; these decisions stay."""
    empty: bool
    """They have nothing left to read anywhere, so that their queue is empty."""


_LIKE, _LONG = 0.8, 5
"""Names of so many letters that are so alike may be one, misspelt (`difflib`)."""
_BLOCKS, _IN_BLOCK = 4, 3
"""Calibration decisions are told in at most so many stretches, of at least so many decisions."""


def no_share(bank: Bank, author: str) -> str:
    """Why somebody's queue is empty where items are shared out and none is theirs, in a sentence; else empty."""
    if bank.assignments.of(author) != frozenset():
        return ""
    readers = {name for names in bank.assignments.readers().values() for name in names}
    other = like_name(author, readers)
    if author == bank.gate.lead:
        return (
            f"{author} leads this bank and has no share: the items here are assigned to others. What they dispute or have flagged:"
            " gapsmith review --adjudicate, and gapsmith review --adjudicate --show status:flagged."
        )
    meant = f" Are you {other}? Then say --by {other}." if other is not None else ""
    return f"{author} has no share: the items here are assigned to others.{meant} The lead shares them out: gapsmith assign --to NAME."


def like_name(name: str, names: Collection[str]) -> str | None:
    """One of the names that may be this one, misspelt: it differs in capitals and spaces only, or, where it is long, in a letter or
    two; None where there is none."""
    plain = {" ".join(one.split()).casefold(): one for one in sorted(names)}
    own = " ".join(name.split()).casefold()
    if own in plain:
        return plain[own]
    found = get_close_matches(own, plain, n=1, cutoff=_LIKE) if len(own) >= _LONG else []
    return plain[found[0]] if found else None


def share_changes(bank: Bank, given: Mapping[int, Collection[str]]) -> list[ShareChange]:
    """What an assignment would change for whom, by name: for everybody who has or gets a share of these items, and for those who
    have decided on items and would have no share at all."""
    before, shares = bank.assignments.readers(), bank.assignments.shares()
    first = not before
    decided: dict[str, set[int]] = defaultdict(set)
    for label in bank.review.verdicts():
        decided[label.author].add(label.item_id)
    everything = frozenset(bank.items.ids(ItemFilter())) if first else frozenset()
    names = {name for item_id in given for name in (*before.get(item_id, ()), *given[item_id])} | (
        set(decided) if first else set()
    )
    found = []
    for name in sorted(names):
        had = everything if first and name in decided else shares.get(name, frozenset())
        mine = had & given.keys()
        now = {item_id for item_id, people in given.items() if name in people}
        elsewhere = frozenset() if first else had - given.keys()
        found.append(
            ShareChange(
                name,
                len(mine),
                len(now),
                len(now - mine),
                len(mine - now),
                len((mine - now) & decided[name]),
                not (now or elsewhere),
            )
        )
    return found


def share_out(
    item_ids: Sequence[int], annotators: Sequence[str], *, overlap: float, readers: int, seed: int
) -> dict[int, tuple[str, ...]]:
    """Give every item one reader, and a random share `overlap` (0 to 1, rounded to items) of them `readers`, so that every two
    loads differ by one item at most.

    Raises `ConfigError` for fewer than two names where items overlap, a name given twice, and numbers out of range."""
    if not annotators or len(set(annotators)) < len(annotators) or not all(name.strip() for name in annotators):
        raise ConfigError("annotators need a name each, all different", hint="For example --to ann --to ben.")
    plain = [" ".join(name.split()).casefold() for name in annotators]
    if same := next((i for i, name in enumerate(plain) if name in plain[:i]), 0):
        first = annotators[plain.index(plain[same])]
        raise ConfigError(
            f"{first!r} and {annotators[same]!r} look like one person",
            hint="Give everybody one name, as they will give it with --by.",
        )
    if not 0.0 <= overlap <= 1.0:
        raise ConfigError(f"an overlap of {overlap:g} is no share", hint="For example --overlap 0.2 for a fifth.")
    if overlap > 0 and not 2 <= readers <= len(annotators):
        raise ConfigError(
            f"{readers} readers of {len(annotators)} annotators cannot overlap",
            hint="Take 2 to as many as there are annotators: --readers 2; or --overlap 0.",
        )
    rng = random.Random(seed)
    shuffled = rng.sample(list(item_ids), len(item_ids))
    doubled = set(shuffled[: round(overlap * len(shuffled))])
    given: dict[int, tuple[str, ...]] = {}
    turn = 0
    for item_id in shuffled:
        count = readers if item_id in doubled else 1
        # Going round in turn, no name comes twice on an item and no load is more than one ahead.
        given[item_id] = tuple(annotators[(turn + step) % len(annotators)] for step in range(count))
        turn += count
    return given


def calibration(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[Calibration]:
    """How everybody who decided on calibration items of a scope did, by name."""
    # scipy takes a second, and who only asks what is assigned to whom has no use for it.
    from gapsmith.stats import wilson_interval

    known = bank.assignments.known_verdicts()
    said: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset):
        if label.item_id in known:
            said[label.author].append((label.item_id, label.value == known[label.item_id].value))
    found = []
    for author, answers in sorted(said.items()):
        hits = sum(right for _, right in answers)
        low, high = wilson_interval(hits, len(answers))
        found.append(Calibration(author, hits, len(answers), low, high, tuple(item for item, right in answers if not right)))
    return found


def drift(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[DriftBlock]:
    """How everybody does on calibration items over time: their decisions on these in the order in which they were made, in at most
    four stretches of equal length (to one decision) and at least three decisions each, by name."""
    # As above.
    from gapsmith.stats import wilson_interval

    known = bank.assignments.known_verdicts()
    counted = {label.event_id for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset) if label.item_id in known}
    said: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for decision in bank.decisions.current():
        if decision.event_id in counted:
            said[decision.author].append((decision.at, decision.verdict is known[decision.item_id]))
    found = []
    for author, answers in sorted(said.items()):
        blocks = max(1, min(_BLOCKS, len(answers) // _IN_BLOCK))
        ends = [round(len(answers) * number / blocks) for number in range(blocks + 1)]
        for number, (start, end) in enumerate(pairwise(ends), 1):
            part = answers[start:end]
            hits = sum(right for _, right in part)
            found.append(DriftBlock(author, number, part[0][0], part[-1][0], hits, len(part), *wilson_interval(hits, len(part))))
    return found
