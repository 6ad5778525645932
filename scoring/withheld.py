"""The only place that decides which rows of scores a reader of the bank may not have yet: by which items have scores, or contexts, whoever
may not know what others decided would know which items they approved, since these are scored and stand behind contexts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gapsmith.bank import NO_CONTEXT, Bank, BankError, ContextSet, ItemFilter
from gapsmith.scoring.contexts import step_contexts
from gapsmith.templates import count


def expect_to_tell_scored(
    bank: Bank, scorer_ids: Iterable[int], selection: ItemFilter, what: str, *, contexts: Sequence[str] = ()
) -> None:
    """Raise `BankError` where `what` (in words) has rows of selected items, whatever was decided of them, others have decided on some of
    the paradigm's or data set's in a way that the reader may not know, and one of the scorers has measured a part of these only. Behind
    the contexts of these sets likewise."""
    for scorer_id, there in _measured_in_part(bank, scorer_ids, selection, what, contexts).items():
        raise _would_tell(bank, scorer_id, there, what)


def scorers_to_tell(
    bank: Bank, scorer_ids: Sequence[int], selection: ItemFilter, what: str, *, contexts: Sequence[str] = ()
) -> tuple[list[int], list[str]]:
    """Those of the scorers of which such rows may be shown, and what to say of the others. Raises `BankError` where no other is left."""
    withheld = _measured_in_part(bank, scorer_ids, selection, what, contexts)
    told = [own for own in scorer_ids if own not in withheld]
    if withheld and not told:
        raise _would_tell(bank, *next(iter(withheld.items())), what)
    return told, [
        f"{bank.scores.scorer(own).model} (scorer {own}) is left out: it has measured {there}, and which ones would tell {bank.reader}"
        " which items others approved."
        for own, there in withheld.items()
    ]


def _would_tell(bank: Bank, scorer_id: int, there: str, what: str) -> BankError:
    return BankError(
        f"{what} would tell {bank.reader} which items others approved: {bank.scores.scorer(scorer_id).model} has measured {there}",
        hint=f"`gapsmith score` measures every item for {bank.reader}, and for others with --all. --look takes what there is;"
        f" that {bank.reader} looked is on record.",
    )


def _measured_in_part(
    bank: Bank, scorer_ids: Iterable[int], selection: ItemFilter, what: str, contexts: Sequence[str]
) -> dict[int, str]:
    """The scorers that would tell, to how much they have measured."""
    scope = replace(selection, statuses=(), standing=(), author=None, ids=(), in_results=False)
    if not bank.gate.hidden(scope):
        return {}
    expect_to_tell_contexts(bank, contexts, what)
    texts = {item.id: [sentence.text for sentence in item.sentences] for item in bank.items.iterate(scope)}
    wanted: dict[int, set[str]] = {NO_CONTEXT: {text for own in texts.values() for text in own}}
    behind: dict[int, set[str]] = defaultdict(set)
    for cell in step_contexts(bank, contexts, ids=texts):
        for item_id, context in cell.contexts.items():
            if context != NO_CONTEXT:
                behind[context].update(texts[item_id])
    found: dict[int, str] = {}
    for scorer_id in scorer_ids:
        for some in (wanted, behind):
            n_wanted = sum(map(len, some.values()))
            n_there = sum(bank.scores.measured(scorer_id, own, context=context) for context, own in some.items())
            if 0 < n_there < n_wanted:
                found.setdefault(scorer_id, f"{n_there:,} of {count(n_wanted, 'sentence')}")
    return found


def expect_to_tell_contexts(bank: Bank, names: Iterable[str], what: str) -> None:
    """Raise `BankError` where `what` (in words) has numbers of single items behind the contexts of a set that was drawn for approved items,
    and the reader may not know which these are."""
    for name in dict.fromkeys(names):
        if not tells_no_items(bank, bank.contexts.find(name)):
            raise BankError(
                f"{what} would tell {bank.reader} which items others approved: {name} was drawn for these",
                hint="Draw a set for every item (`gapsmith context draw NAME --all`), leave --all out, or look on record (--look).",
            )


def tells_no_items(bank: Bank, drawn: ContextSet) -> bool:
    """Whether the bank's reader may be told which items have contexts in a set. Of one that was drawn for the approved items, and from
    them, not who may not know which these are."""
    ids = {item for item, _ in bank.contexts.assigned(drawn.id)}
    return bool(drawn.sampler.get("all")) or not bank.gate.hidden(ItemFilter(ids=tuple(ids)))
