"""What the card of a set says that its sentences do not: how the items were made, and who read them and how far these people agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from gapsmith.bank import Bank, ItemFilter, RunRecord, handed_on, may_see_others, naming, request_line, unfinished
from gapsmith.scoring.report import markdown_text
from gapsmith.templates import count, listed

_TOLD = ("n", "seed", "mode", "design", "band", "temperature", "top_p")
"""What is told of how a run was asked for, where it was said."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Who decided on the items of a set."""

    lines: tuple[str, ...]
    """In Markdown."""
    lacks: tuple[str, ...] = ()
    """Why there is no more to say."""


def how_made(bank: Bank, selection: ItemFilter) -> str:
    """Where the items came from, run by run, with seed and number, how many words they have in each slot, and the request that writes the
    set."""
    runs: Counter[int] = Counter()
    words: defaultdict[str, set[str]] = defaultdict(set)
    for item in bank.items.iterate(selection):
        runs[item.run_id] += 1
        for slot, word in (item.slots or {}).items():
            words[slot].add(word)
    said = [_of_run(bank.runs.get(run_id), n) for run_id, n in sorted(runs.items())]
    if words:
        said.append(f"Different words in these items: {', '.join(f'{slot} {len(own):,}' for slot, own in words.items())}.")
    return " ".join(filter(None, [*said, request_line()]))


def _of_run(run: RunRecord, n: int) -> str:
    own = run.settings
    at = run.started_at[:10]
    if run.kind == "import":
        digest = f" (SHA-256 {own['sha256']})" if own.get("sha256") else ""
        return f"{count(n, 'item')} came in from the file {own.get('file', 'whose name is not known')}{digest} on {at}."
    by = "drawn from the word lists of the paradigm's file" if run.provider == "lexicon" else f"made by {run.provider}"
    told = [f"model {run.model}"] if run.model else []
    told += [f"prompt {run.prompt_name} ({run.prompt_hash})"] if run.prompt_name else []
    told += [f"{name} {own[name]}" for name in _TOLD if own.get(name) is not None]
    return f"{count(n, 'item')} {'was' if n == 1 else 'were'} {by} on {at} ({', '.join(told)})."


def shares(bank: Bank, paradigm: str, dataset: str | None) -> list[dict[str, str]]:
    """A row for each item of a set and each person who was to read it; none where nothing was assigned, or where the bank's reader may not
    see what others decided. Items that calibrate are no part of the set."""
    if not may_see_others(bank, paradigm, dataset):
        return []
    assigned = bank.assignments.readers()
    items = bank.items.iterate(ItemFilter(paradigm=paradigm, dataset=dataset, in_results=True)) if assigned else ()
    decided = {(label.item_id, label.author) for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset)}
    settled = frozenset().union(*handed_on(bank, frozenset(assigned)))

    def state(item_id: int, name: str) -> str:
        return "decided" if (item_id, name) in decided else "settled" if item_id in settled else "unread"

    return [
        {"dataset": item.dataset, "item": item.label, **naming(item), "reader": name, "state": state(item.id, name)}
        for item in items
        for name in assigned.get(item.id, ())
    ]


def readers(bank: Bank, paradigm: str, dataset: str | None) -> Readers:
    """Shares, locks and agreement of everybody who has a share or has decided something; of these nothing where the bank's reader may not
    see what others decided. What is unread or not locked, `gapsmith.bank.unfinished` says."""
    from gapsmith.vetting import adjudication, agreement_report, progress, report_lines

    if not may_see_others(bank, paradigm, dataset):
        return Readers((), (f"{bank.reader} may not see yet what others decided: there is no table of readers.",))
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    decided = {own.author: own for own in progress(bank, paradigm=paradigm, dataset=dataset)}
    own_shares = {name: share & ids for name, share in bank.assignments.shares().items() if share & ids}
    handed = frozenset().union(*handed_on(bank, frozenset(ids)))
    if not decided and not own_shares:
        return Readers((), ("No person has decided on any item.",))
    rows = []
    for name in sorted({*decided, *own_shares}):
        own = decided.get(name)
        n, total, settled = 0, len(own_shares.get(name, ())), len(handed & own_shares.get(name, frozenset()))
        if own is not None:
            n, total, settled = own.decided - own.outside, own.total, own.settled
        locked = "yes" if own is not None and own.locked else "no"
        looks = own.peeks if own is not None else 0
        rows.append(f"| {markdown_text(name)} | {total:,} | {n:,} | {settled:,} | {locked} | {looks:,} |")
    standing = adjudication(bank, paradigm=paradigm, dataset=dataset)
    stand = [
        f"{len(standing.agreed):,} by two or more, all alike",
        f"{len(standing.single):,} by one only",
        f"{len(standing.disputed):,} disputed",
        f"{len(standing.adjudicated):,} adjudicated",
        f"{standing.undecided:,} by nobody",
    ]
    meaning = (
        "`settled by others`: edited or settled in adjudication, so that nothing is left to decide. `looks before`: items of which they saw"
        " what others decided before they locked. Without shares, all items are everybody's."
    )
    lines = [
        "| who | share | decided | settled by others | locked | looks before |",
        "|---|---:|---:|---:|---|---:|",
        *rows,
        "",
        meaning,
        "",
    ]
    early = unfinished(bank, paradigm=paradigm, dataset=dataset).before_time
    lines += [" ".join(filter(None, [f"Items decided on: {listed(stand)}.", markdown_text(early)])), "", "```text"]
    lines += [*report_lines(bank, agreement_report(bank, paradigm=paradigm, dataset=dataset)), "```"]
    return Readers(tuple(lines))
