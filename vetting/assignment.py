"""Sharing items out between readers, and how well readers know the items whose right verdict is known (`gapsmith.bank` keeps who
reads what)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise, zip_longest
from types import MappingProxyType

from gapsmith.bank import Bank, ItemFilter, Label, blind_verdicts
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


@dataclass(frozen=True, slots=True)
class ShareMove:
    """Items that a new assignment takes from one person and gives to another one."""

    source: str
    """Empty for items that have a reader more."""
    to: str
    """Empty for items that have a reader less."""
    items: int


_LIKE, _LONG = 0.8, 5
"""Names of so many letters that are so alike may be one, misspelt (`difflib`)."""
_BLOCKS, _IN_BLOCK = 4, 3
"""Calibration decisions are told in at most so many stretches, of at least so many decisions."""
DRIFT_FROM = 2 * _IN_BLOCK
"""So many decisions of one person on calibration items make two stretches."""


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
    meant = f" Are you {other}? Then say so: --by {other}, or GAPSMITH_ANNOTATOR={other}." if other is not None else ""
    return f"{author} has no share: the items here are assigned to others.{meant} The lead shares them out: gapsmith assign --to NAME."


def like_name(name: str, names: Collection[str]) -> str | None:
    """One of the names that may be this one, misspelt: it differs in capitals and spaces only, in two letters that changed places, or,
    where it is long, in a letter or two; None where there is none."""
    plain = {" ".join(one.split()).casefold(): one for one in sorted(names)}
    own = " ".join(name.split()).casefold()
    if own in plain:
        return plain[own]
    swapped = (f"{own[:at]}{own[at + 1]}{own[at]}{own[at + 2 :]}" for at in range(len(own) - 1))
    if (meant := next((one for one in swapped if one in plain), None)) is not None:
        return plain[meant]
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


def share_moves(before: Mapping[int, Collection[str]], given: Mapping[int, Collection[str]]) -> list[ShareMove]:
    """What goes from whom to whom where items of `given` take the place of what was, most items first. An item that has more readers
    than before comes from nobody, one that has fewer goes to nobody."""
    moves: Counter[tuple[str, str]] = Counter()
    for item_id, people in given.items():
        had = before.get(item_id, ())
        lose, gain = sorted(set(had) - set(people)), sorted(set(people) - set(had))
        moves.update(zip_longest(lose, gain, fillvalue=""))
    return [ShareMove(*pair, items) for pair, items in sorted(moves.items(), key=lambda one: (-one[1], one[0]))]


def share_out(
    item_ids: Sequence[int],
    annotators: Sequence[str],
    *,
    overlap: float,
    readers: int,
    seed: int,
    before: Mapping[int, Collection[str]] = MappingProxyType({}),
    decided: Collection[tuple[int, str]] = (),
) -> dict[int, tuple[str, ...]]:
    """Give every item one reader, and a random share `overlap` (0 to 1, rounded to items) of them `readers`, so that every two
    loads differ by one item at most. Who reads items already (`before`) keeps as many of them as the new sizes allow, first those
    on which they have `decided` (item and name); and items that several people read stay such items.

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
    shuffled = random.Random(seed).sample(list(item_ids), len(item_ids))
    known = {item_id: [name for name in annotators if name in before.get(item_id, ())] for item_id in shuffled}
    several = set(sorted(shuffled, key=lambda item_id: -min(len(known[item_id]), readers))[: round(overlap * len(shuffled))])
    sharing = _Sharing({item_id: readers if item_id in several else 1 for item_id in shuffled}, known, annotators, set(decided))
    sharing.take_away()
    sharing.fill()
    return {item_id: tuple(name for name in annotators if name in sharing.given[item_id]) for item_id in shuffled}


class _Sharing:
    """Items with the number of readers that each is to have, and people with the number of items, on the way to agreeing."""

    def __init__(
        self,
        wanted: Mapping[int, int],
        known: Mapping[int, Sequence[str]],
        annotators: Sequence[str],
        decided: Collection[tuple[int, str]],
    ) -> None:
        self._wanted, self._known, self._decided = wanted, known, decided
        self.given = {item_id: set(known[item_id]) for item_id in wanted}
        self._own = {name: {item_id: None for item_id in wanted if name in known[item_id]} for name in annotators}
        """Everybody's items, in the order of chance."""
        each, more = divmod(sum(wanted.values()), len(annotators))
        # The sizes that are one larger are for those who have most.
        first = sorted(annotators, key=lambda name: -len(self._own[name]))
        self._size = {name: each + (place < more) for place, name in enumerate(first)}

    def _over(self, name: str) -> int:
        """By how many items somebody has too many."""
        return len(self._own[name]) - self._size[name]

    def _take(self, item_id: int, name: str) -> None:
        self.given[item_id].remove(name)
        del self._own[name][item_id]

    def _give(self, item_id: int, name: str) -> None:
        self.given[item_id].add(name)
        self._own[name][item_id] = None

    def take_away(self) -> None:
        """Take items from those who have too many, and readers from items that have too many."""
        for item_id, number in self._wanted.items():
            while len(self.given[item_id]) > number:
                # Whom it does least to: who has too many anyway, and has not decided on it.
                self._take(
                    item_id,
                    max(sorted(self.given[item_id]), key=lambda name: ((item_id, name) not in self._decided, self._over(name))),
                )
        for name, own in self._own.items():
            # Items whose other readers stay are filled again more easily.
            kinds: dict[tuple[bool, int], list[int]] = {}
            for item_id in own:
                missing = self._wanted[item_id] - len(self.given[item_id])
                kinds.setdefault(((item_id, name) in self._decided, missing), []).append(item_id)
            left = max(self._over(name), 0)
            for _, kind in sorted(kinds.items()):
                n = min(left, len(kind))
                # From all over them: those that several read stand first, and who is new would read these with everybody, and nobody
                # else two of them.
                for place in range(n):
                    self._take(kind[place * len(kind) // n], name)
                left -= n

    def fill(self) -> None:
        """Give items to those who have too few."""
        for item_id, number in self._wanted.items():
            while len(self.given[item_id]) < number:
                free = [name for name in self._own if self._over(name) < 0 and name not in self.given[item_id]]
                if free:
                    self._give(item_id, min(free, key=self._over))
                else:
                    self._swap(item_id)

    def _swap(self, item_id: int) -> None:
        """Give an item that all who have too few read already to somebody who has enough, for another item that one of those takes
        over. There is such an item: of what somebody reads who has no fewer than another, and not this item, the other lacks one."""
        short = next(name for name in self._own if self._over(name) < 0)
        others = [name for name in self._own if name not in self.given[item_id]]
        possible = (
            (name in self._known[item_id], name not in self._known[other], (other, name) not in self._decided, name, other)
            for name in others
            for other in self._own[name]
            if short not in self.given[other]
        )
        *_, name, other = max(possible, key=lambda one: one[:3])
        self._take(other, name)
        self._give(other, short)
        self._give(item_id, name)


def calibration(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[Calibration]:
    """How everybody who decided on calibration items of a scope did, by name."""
    # scipy takes a second, and who only asks what is assigned to whom has no use for it.
    from gapsmith.stats import wilson_interval

    known = bank.assignments.known_verdicts()
    said: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for label in _said_blind(bank, paradigm, dataset):
        if label.item_id in known:
            said[label.author].append((label.item_id, label.value == known[label.item_id].value))
    found = []
    for author, answers in sorted(said.items()):
        hits = sum(right for _, right in answers)
        low, high = wilson_interval(hits, len(answers))
        found.append(Calibration(author, hits, len(answers), low, high, tuple(item for item, right in answers if not right)))
    return found


def _said_blind(bank: Bank, paradigm: str | None, dataset: str | None) -> list[Label]:
    """What people decided on current texts, and where they decided otherwise after they could know more, what stood before; a first
    decision after that counts like others, since a lock does not tell what is known of an item."""
    labels = bank.review.verdicts(paradigm=paradigm, dataset=dataset, earlier=True)
    found = blind_verdicts(bank, paradigm=paradigm, dataset=dataset).labels
    blind = {(label.author, label.item_id) for label in found}
    return [la for la in (*found, *(la for la in labels if (la.author, la.item_id) not in blind)) if la.current]


def drift(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[DriftBlock]:
    """How everybody does on calibration items over time: their decisions on these in the order in which they were made, in at most
    four stretches of equal length (to one decision) and at least three decisions each, by name."""
    # As above.
    from gapsmith.stats import wilson_interval

    known = bank.assignments.known_verdicts()
    counted = {label.event_id for label in _said_blind(bank, paradigm, dataset) if label.item_id in known}
    said: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for decision in sorted((one for item_id in known for one in bank.decisions.history(item_id)), key=lambda one: one.at):
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
