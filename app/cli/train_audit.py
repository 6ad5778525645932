"""`gapsmith train audit`: sentences of a filtered corpus to read, and what a reader found in them."""

from __future__ import annotations

from gapsmith.app.cli.console import note
from gapsmith.app.cli.tables import print_report_table
from gapsmith.app.stages.training import CorpusAudited
from gapsmith.scoring.report import Table
from gapsmith.stats import exact_interval


def as_data(made: CorpusAudited) -> object:
    """A row for each filter, as JSON takes it."""
    return made.rows()


def show(made: CorpusAudited) -> None:
    """The table, and what is to be done with the sheet."""
    if made.sheet is not None:
        for name, n in made.candidates.items():
            back = (
                f"; {made.put_back[name]:,} more were put back on purpose and are not asked about" if made.put_back[name] else ""
            )
            note(f"{name}: {made.drawn[name]:,} of {n:,} sentences{back}")
        note(
            f"Write yes (it is a leak), no, or ? (it cannot be said) into the column leak of {made.sheet}, then:\n"
            f"gapsmith train audit {made.request.corpus} --answers {made.sheet}"
        )
        return
    rows = []
    for own in made.leaks:
        whole = own.read == own.candidates
        between = "all were read" if whole else f"[{100 * own.low:.2f}, {100 * own.high:.2f}]"
        rate = "between" if own.rate is None else f"{100 * own.rate:.2f}"
        if own.rate is None and whole:
            between = f"{100 * own.low:.2f} to {100 * own.high:.2f}, all were read"
        rows.append(
            (own.filter, own.what, f"{own.candidates:,}", f"{own.read:,}", str(own.leaks), str(own.unclear), rate, between)
        )
        if own.published is not None:
            low, high = exact_interval(*own.published)
            leaks, n = own.published
            rows.append(
                ("  printed", "", "", f"{n:,}", str(leaks), "", f"{100 * leaks / n:.2f}", f"[{100 * low:.2f}, {100 * high:.2f}]")
            )
    head = ("filter", "sentences", "there are", "read", "leaks", "unclear", "leaks, %", "95 % interval")
    print_report_table(Table("What filters have left in", head, tuple(rows), frozenset(range(2, 8))))
    note(
        "Intervals are exact (Clopper & Pearson 1934); unclear sentences count as none at the lower end and as leaks at the upper."
    )
