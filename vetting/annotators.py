"""Several annotators on one bank: who has locked, who may see what, how far they are, and where they disagree.

Blindness: what others decided is the bank's to leave out (`gapsmith.bank.seeing`). On screens scores are hidden as well, until an
annotator locks a scope (a paradigm's data set, or everything) or looks, which is logged as a peek. After locking, the annotator
sees everything and changes nothing, except by adjudicating or by unlocking, which is on record too. Decisions made after a
peek or a lock are known as not blind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass

from gapsmith.bank import (
    Bank,
    Decision,
    ItemFilter,
    Label,
    Verdict,
    blind_verdicts,
    contested,
    handed_on,
    has_locked,
    is_on_texts_of,
    may_see_others,
    unread,
)
from gapsmith.templates import ConfigError, listed
from gapsmith.vetting.agreement import RatingTable
from gapsmith.vetting.reasons import reasons_of


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How far one annotator is in a scope."""

    author: str
    decided: int
    """Current texts with a decision."""
    opened: int
    """Of these, how many were on screen when they were decided on."""
    elsewhere: int
    """How many were decided in packets or files, where it is not known whether they were opened. The others were decided many at
    once, or from the command line."""
    total: int
    """Items of the scope that are theirs to read."""
    locked: bool
    peeks: int
    """Items looked at before locking."""
    outside: int = 0
    """Of the decided ones, how many are not theirs to read (any more)."""
    settled: int = 0
    """Of the others that are theirs, those on which they have nothing to decide any more (`handed_on`)."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Where the people who decided on a scope's items leave them. Items on which all agree need nobody: they stand as
    those people say."""

    agreed: tuple[int, ...]
    """Items on which all who decided say the same, and at least two of them said so blind."""
    disputed: tuple[int, ...]
    adjudicated: tuple[int, ...]
    single: tuple[int, ...]
    """Items on which only one person decided."""
    undecided: int
    """Items whose text nobody has decided on."""
    edited: tuple[int, ...]
    """Of these, the items that people had decided on before they were edited."""
    unlocked: tuple[str, ...]
    """People who have decided and not locked: their decisions may still change."""
    informed: tuple[int, ...] = ()
    """Items on which at least two people say the same, and fewer than two of them said so blind. They stand as these say."""
    contested: tuple[int, ...] = ()
    """Items that were disputed until somebody who could see the others' decisions decided otherwise; they are none of the above."""


NOT_BLIND = "fewer than two of them said blind"
"""How labels were given on which nobody can say that people agree."""


def progress(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[AnnotatorProgress]:
    """Everybody who has decided something in the scope, by name."""
    shares = bank.assignments.shares()
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    labels = bank.review.verdicts(paradigm=paradigm, dataset=dataset)
    current = {label.event_id for label in labels}
    peeked: dict[str, set[int]] = defaultdict(set)
    for peek in bank.review.peeks():
        if peek.item_id in ids:
            peeked[peek.author].add(peek.item_id)
    opened: Counter[str] = Counter()
    elsewhere: Counter[str] = Counter()
    for decision in bank.decisions.current():
        if decision.event_id in current:
            opened[decision.author] += decision.opened is True
            elsewhere[decision.author] += decision.opened is None

    def share(author: str) -> Set[int]:
        return shares.get(author, frozenset()) if shares else ids

    handed = frozenset().union(*handed_on(bank, ids))
    voted: dict[str, set[int]] = defaultdict(set)
    for label in labels:
        voted[label.author].add(label.item_id)

    return [
        AnnotatorProgress(
            author,
            decided,
            opened[author],
            elsewhere[author],
            len(ids & share(author)),
            has_locked(bank, author, paradigm=paradigm, dataset=dataset),
            len(peeked[author]),
            sum(label.author == author and label.item_id not in share(author) for label in labels),
            len((handed & share(author)) - voted[author]),
        )
        for author, decided in bank.review.annotators(paradigm=paradigm, dataset=dataset).items()
    ]


def adjudication(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> Adjudication:
    """Sort a scope's items by whether the people who decided on them agree. Calibration items are no part of it, unless the data set
    holds no others, or the bank's reader may not know which these are."""
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset, in_results=bank.gate.tells_origins)))
    by_item: dict[int, set[str]] = defaultdict(set)
    people: dict[int, int] = defaultdict(int)
    for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset):
        if label.item_id in ids:
            by_item[label.item_id].add(label.value)
            people[label.item_id] += 1
    settled = ids.intersection(bank.review.adjudicated(paradigm=paradigm, dataset=dataset))
    again = {one.item_id for one in contested(bank, paradigm=paradigm, dataset=dataset)} & ids
    said_blind = Counter(
        label.item_id for label in blind_verdicts(bank, paradigm=paradigm, dataset=dataset).labels if label.current
    )
    open_items = [item_id for item_id in by_item if item_id not in settled | again]
    alike = [i for i in open_items if people[i] > 1 and len(by_item[i]) == 1]
    return Adjudication(
        agreed=tuple(i for i in alike if said_blind[i] > 1),
        disputed=tuple(i for i in open_items if len(by_item[i]) > 1),
        adjudicated=tuple(sorted(settled)),
        single=tuple(i for i in open_items if people[i] == 1),
        undecided=len(ids) - len(by_item.keys() | settled | again),
        edited=tuple(sorted(ids.intersection(bank.review.decided_before()) - settled)),
        unlocked=tuple(p.author for p in progress(bank, paradigm=paradigm, dataset=dataset) if not p.locked),
        informed=tuple(i for i in alike if said_blind[i] < 2),
        contested=tuple(sorted(again)),
    )


def still_to_read(bank: Bank, item_ids: Collection[int]) -> int:
    """How many of these items have a reader who has still to decide on them."""
    left = unread(bank, bank.assignments.shares())
    return len(frozenset[int]().union(*left.values()).intersection(item_ids))


def adjudicated_apart(bank: Bank, ids: Set[int]) -> dict[int, tuple[Decision, ...]]:
    """Of these items, those that several people adjudicated as they stand, and not alike: their decisions, the newest last, which is the
    one that counts. As far as the bank's reader may know."""
    found: dict[int, list[Decision]] = defaultdict(list)
    for one in bank.decisions.all():
        if one.kind == "adjudication" and one.item_id in ids:
            found[one.item_id].append(one)
    several = {item_id: said for item_id, said in found.items() if len({one.verdict for one in said}) > 1}
    apart = {}
    for item_id, said in several.items():
        item = bank.items.get(item_id)
        current = tuple(one for one in said if is_on_texts_of(one, item))
        if len({one.verdict for one in current}) > 1:
            apart[item_id] = current
    return apart


def otherwise(said: Sequence[Decision], author: str) -> str:
    """What others than the author said of an item, in words: ``excluded by dan``."""
    return listed([f"{_SAID[one.verdict]} by {one.author}" for one in said if one.author != author])


_SAID = {Verdict.APPROVE: "approved", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}


def who_adjudicates(names: Sequence[str]) -> str:
    """That these adjudicate, to one who does not."""
    return f"{listed(names)} {'adjudicates' if len(names) == 1 else 'adjudicate'}"


def adjudication_waits(names: Sequence[str]) -> str:
    """Whom it waits for, in a sentence."""
    return f"Adjudicating waits for {listed(names)}, who {'has' if len(names) == 1 else 'have'} not locked (L in the review)."


def too_early(names: Sequence[str]) -> ConfigError:
    """That adjudicating waits for these: the refusal of every door."""
    return ConfigError(
        adjudication_waits(names).rstrip("."),
        hint="Wait for them (`gapsmith lab` says how far they are), or adjudicate now all the same: --early.",
    )


def look_at_others(bank: Bank, paradigm: str | None, dataset: str | None, *, on_record: bool, what: str = "agreement") -> None:
    """Let the reader see what the others decided in a scope, as `what` (in words) tells it. Who has locked it may, and who leads the bank.
    Others look on record: one look per item, as agreement counts them.

    Raises `ConfigError` for a look that is not to be recorded."""
    author = bank.reader
    if may_see_others(bank, paradigm, dataset):
        return
    if not on_record:
        raise ConfigError(
            f"{author} has not locked, and `{what}` tells what the others decided",
            hint="Lock first (`gapsmith review`, then L), or add --look: that is recorded for every item.",
        )
    looked = {peek.item_id for peek in bank.review.peeks() if peek.author == author}
    with bank.transaction():
        for item_id in bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)):
            if item_id not in looked:
                bank.review.peek(item_id, "agreement", author=author)


def on_one_text(labels: Sequence[Label]) -> tuple[list[Label], list[Label]]:
    """Those labels of each item (of each sentence of it, in each study) that were given on one and the same text, and the others. It is
    the text that most people labelled, the current one or else the newest where that is a tie: people agree or not about what they
    read, and what became of the text afterwards changes nothing of that."""
    units: dict[Hashable, dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for label in labels:
        units[label.item_id, label.condition, label.study][label.texts].append(label)
    kept: list[Label] = []
    others: list[Label] = []
    for by_text in units.values():
        best = max(by_text.values(), key=lambda those: (len(those), those[0].current, max(one.event_id for one in those)))
        for those in by_text.values():
            (kept if those is best else others).extend(those)
    return kept, others


def verdict_table(labels: Sequence[Label]) -> RatingTable:
    """Verdicts by item and person."""
    return _table({(label.item_id, label.author): label.value for label in labels})


def reason_table(labels: Sequence[Label], reason: str) -> RatingTable:
    """Whether each person excluded each item for this very reason (``yes`` or ``no``)."""
    return _table({(la.item_id, la.author): "yes" if reason in reasons_of(la.reason) else "no" for la in labels})


def rating_tables(labels: Sequence[Label], studies: Mapping[str, str]) -> dict[str, RatingTable]:
    """Sentence judgements by item and person, for every condition that has some: on every scale, and in every study, by themselves,
    because a point of one scale is no point of another. `studies` says what each study is called, by digest."""
    by_condition: dict[str, dict[tuple[Hashable, str], str]] = defaultdict(dict)
    for label in labels:
        if label.condition is not None:
            name = label.condition
            name += f", 1 to {label.points}" if label.points is not None else ""
            name += f", {studies[label.study]}" if label.study is not None else ""
            by_condition[name][label.item_id, label.author] = label.value
    return {condition: _table(values) for condition, values in by_condition.items()}


def _table(values: Mapping[tuple[Hashable, str], str]) -> RatingTable:
    units: dict[Hashable, dict[str, str]] = defaultdict(dict)
    for (unit, author), value in values.items():
        units[unit][author] = value
    return RatingTable(dict(units))
