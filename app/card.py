"""What the card of a set says that its sentences do not: how the items were made, and who read them and how far these people agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from gapsmith.bank import Bank, ItemFilter, RunRecord, request_line
from gapsmith.templates import count, listed

_TOLD = ("n", "seed", "mode", "design", "band", "temperature", "top_p")
"""What is told of how a run was asked for, where it was said."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Who decided on the items of a set."""

    lines: tuple[str, ...]
    """In Markdown."""
    lacks: tuple[str, ...]
    """What is still to be read or locked."""


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


def readers(bank: Bank, paradigm: str, dataset: str | None) -> Readers:
    """Shares, locks and agreement of everybody who has a share or has decided something; of these nothing where the bank's reader may not
    see what others decided."""
    from gapsmith.bank import may_see_others
    from gapsmith.vetting import adjudication, agreement_report, progress, report_lines

    if not may_see_others(bank, paradigm, dataset):
        return Readers((), (f"{bank.reader} may not see yet what others decided: there is no table of readers.",))
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    decided = {own.author: own for own in progress(bank, paradigm=paradigm, dataset=dataset)}
    shares = {name: len(share & ids) for name, share in bank.assignments.shares().items() if share & ids}
    if not decided and not shares:
        return Readers((), ("No person has decided on any item.",))
    rows, lacks = [], []
    for name in sorted({*decided, *shares}):
        own = decided.get(name)
        n, total = (own.decided - own.outside, own.total) if own is not None else (0, shares[name])
        left = total - n - (own.settled if own is not None else 0)
        locked = own is not None and own.locked
        looks = own.peeks if own is not None else 0
        rows.append(f"| {name} | {total:,} | {n:,} | {'yes' if locked else 'no'} | {looks:,} |")
        if shares and not locked:
            waits = f" {count(left, 'item')} of it {'waits' if left == 1 else 'wait'} for them." if left > 0 else ""
            lacks.append(f"{name} has decided on {n:,} of a share of {total:,} and has not locked it.{waits}")
    standing = adjudication(bank, paradigm=paradigm, dataset=dataset)
    stand = [
        f"{len(standing.agreed):,} by two people or more, all alike",
        f"{len(standing.single):,} by one person only",
        f"{len(standing.disputed):,} disputed",
        f"{len(standing.adjudicated):,} adjudicated",
        f"{standing.undecided:,} by nobody",
    ]
    lines = ["| who | share | decided | locked | looks before |", "|---|---:|---:|---|---:|", *rows, ""]
    lines += [
        "`looks before`: items of which they saw what others decided before they locked. Without shares, all items are everybody's.",
        "",
    ]
    lines += [f"Items decided on: {listed(stand)}.", "", "```text"]
    lines += [*report_lines(bank, agreement_report(bank, paradigm=paradigm, dataset=dataset)), "```"]
    return Readers(tuple(lines), tuple(lacks))
