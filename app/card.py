"""What the card of a set says that its sentences do not: how the items were made, and who read them and how far these people agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Set
from dataclasses import dataclass

from gapsmith.bank import Bank, ItemFilter, RunRecord, handed_on, may_see_others, naming, request_line
from gapsmith.scoring.report import Table, markdown_cell, markdown_text
from gapsmith.templates import count, listed
from gapsmith.vetting import NOT_BLIND

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


@dataclass(frozen=True, slots=True)
class ReadersTable:
    """Who decided on the items of a scope, how they read, and how far they agree."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    meaning: str
    standing: tuple[str, ...]
    """Where the items stand, and who settled what."""
    agreement: tuple[str, ...]

    @property
    def table(self) -> Table:
        """As a report has it."""
        notes = (self.meaning.replace("`", ""), *self.standing, *(line.strip() for line in self.agreement if line))
        return Table("Who decided on the items", self.columns, self.rows, frozenset(range(1, 8)), notes)


_READING = (
    "who",
    "share",
    "decided",
    "settled by others",
    "opened",
    "not opened",
    "elsewhere",
    "too fast",
    "locked",
    "looks before",
)
_MEANING = (
    "`settled by others`: edited or settled in adjudication, so that nothing is left to decide. `opened`: on screen when they decided;"
    " `not opened`: decided many at once, or by a command; `elsewhere`: in packets or files, where that is not known (these three count"
    " decisions outside of the share, too). `too fast`: of the timed ones, on screen for less time than reading one sentence takes, at ten"
    " words a second. `looks before`: items of which they saw what others decided before they locked. Without shares, all items are"
    " everybody's."
)


def reading_of(bank: Bank, paradigm: str, dataset: str | None) -> ReadersTable | None:
    """Shares, locks, ways of reading and agreement of everybody who has a share or has decided something; None where there is nobody, and
    where the bank's reader may not see what others decided. What is unread or not locked, `gapsmith.bank.unfinished` says."""
    from gapsmith.vetting import lab_page, progress, report_lines

    page = lab_page(bank, paradigm=paradigm, dataset=dataset)
    if page.report is None or page.standing is None:
        return None
    how_far = {own.author: own for own in progress(bank, paradigm=paradigm, dataset=dataset)}
    rows = []
    for one in page.people:
        own = how_far.get(one.name)
        if own is None and not (page.shared_out and one.share):
            # Who leads, adjudicates or remarks and does nothing else is no reader.
            continue
        opened, elsewhere = (own.opened, own.elsewhere) if own is not None else (0, 0)
        unopened = own.decided - opened - elsewhere if own is not None else 0
        counts = (one.share, one.decided, one.settled, opened, unopened, elsewhere)
        fast = f"{one.hasty:,} of {one.timed:,}" if one.timed else "–"
        rows.append((one.name, *(f"{n:,}" for n in counts), fast, "yes" if one.locked else "no", f"{one.looks:,}"))
    if not rows:
        return None
    standing = page.standing
    stand = [
        f"{len(standing.agreed):,} by two or more, all alike",
        *([f"{len(standing.informed):,} alike, {NOT_BLIND}"] if standing.informed else []),
        f"{len(standing.single):,} by one only",
        f"{len(standing.disputed):,} disputed",
        f"{len(standing.adjudicated):,} adjudicated",
        f"{standing.undecided:,} by nobody",
        *([f"{len(standing.contested):,} alike only after a look or a lock"] if standing.contested else []),
    ]
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    told = (f"Items decided on: {listed(stand)}.", page.unfinished.settled_otherwise, _who_settled(bank, ids))
    return ReadersTable(_READING, tuple(rows), _MEANING, tuple(filter(None, told)), tuple(report_lines(bank, page.report)))


def readers(bank: Bank, paradigm: str, dataset: str | None) -> Readers:
    """The same (`reading_of`) as a card has it."""
    if not may_see_others(bank, paradigm, dataset):
        return Readers((), (f"{bank.reader} may not see yet what others decided: there is no table of readers.",))
    found = reading_of(bank, paradigm, dataset)
    if found is None:
        return Readers((), ("No person has decided on any item.",))
    lines = [
        f"| {' | '.join(found.columns)} |",
        f"|---|{'---:|' * 7}---|---:|",
        *(f"| {' | '.join(map(markdown_cell, row))} |" for row in found.rows),
        "",
        found.meaning,
        "",
    ]
    for said in found.standing:
        lines += [markdown_text(said), ""]
    return Readers((*lines, "```text", *found.agreement, "```"))


def _who_settled(bank: Bank, ids: Set[int]) -> str:
    """Who has led the bank, and who has adjudicated how many of its items as they stand."""
    *before, lead = bank.gate.leads or ("nobody",)
    earlier = f", before that {listed(before)}" if before else ""
    adjudicated = Counter(one.author for one in bank.decisions.current() if one.kind == "adjudication" and one.item_id in ids)
    by = [f"{count(n, 'item')} by {name}" for name, n in sorted(adjudicated.items())]
    settled = f"Adjudicated: {listed(by)}." if by else "Nobody adjudicated any item."
    return f"{lead} leads the bank{earlier}: who leads can see everybody's decisions from the beginning. {settled}"
