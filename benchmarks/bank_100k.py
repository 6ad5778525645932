"""How long a bank of 100,000 items takes to list, filter and count, against reading one item."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gapsmith.bank import Bank, Finding, ItemFilter, ItemStatus, NewItem, Severity, Verdict
from gapsmith.templates import load_paradigm, realise, sample

_ITEMS = 100_000


def main() -> None:
    """Build the bank and print seconds per query, and each as a multiple of fetching one item."""
    with tempfile.TemporaryDirectory() as folder, Bank.open(Path(folder) / "bank.sqlite", create=True) as bank:
        ids = _build(bank)
        one = _seconds(lambda: bank.items.get(ids[len(ids) // 2]))
        queries: dict[str, Callable[[], object]] = {
            "count": bank.items.count,
            "count by status": bank.items.count_by_status,
            "list all ids": bank.items.ids,
            "list the first 500 items": lambda: [i for i, _ in zip(bank.items.iterate(), range(500), strict=False)],
            "filter by status": lambda: bank.items.count(ItemFilter(statuses=(ItemStatus.APPROVED,))),
            "filter by code": lambda: bank.items.count(ItemFilter(codes=("L3",))),
            "filter by severity": lambda: bank.items.count(ItemFilter(severity=Severity.WARNING)),
            "search a word": lambda: bank.items.count(ItemFilter(text="portrait")),
            "findings by code": bank.findings.counts,
        }
        print(f"{_ITEMS:,} items of eight sentences; one item: {one * 1000:.2f} ms")
        for name, query in queries.items():
            seconds = _seconds(query)
            print(f"  {name:<26} {seconds:6.3f} s  {seconds / one:8.0f} × one item")


def _build(bank: Bank) -> list[int]:
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="generate", paradigm_id=bank.paradigms.register(paradigm), provider="x", identity="x", parameters={}
    )
    fillings = [filling for filling, _ in zip(sample(paradigm, 1), range(500), strict=False)]
    realised = [NewItem(filling, realise(paradigm, filling)) for filling in fillings]
    ids: list[int] = []
    for number in range(_ITEMS // len(realised)):
        ids += bank.runs.reply(bank.runs.intend(run.id, number, {}), outcome="ok", reply=None, items=realised)
    bank.decisions.decide(ids[::2], Verdict.APPROVE, author="policy:clean", kind="policy")
    finding = {i: [Finding("L301", Severity.WARNING, "x")] if i % 10 == 0 else [] for i in ids}
    bank.findings.replace(paradigm.name, finding, ruleset="x")
    return ids


def _seconds(query: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        query()
        best = min(best, time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
