"""`gapsmith train counts`: how large corpora are, beside the printed tables."""

from __future__ import annotations

from gapsmith.app.cli.console import note
from gapsmith.app.cli.tables import print_report_table
from gapsmith.app.stages.training import CorporaCounted
from gapsmith.scoring.report import NO_VALUE, Table


def as_data(made: CorporaCounted) -> object:
    """Both tables, as JSON takes them."""
    return {"sizes": made.sizes(), "tokens": made.tokens()}


def show(made: CorporaCounted) -> None:
    """Tables 4 and 9, printed values beside ours."""
    sizes = made.sizes()
    head: tuple[str, ...] = ("corpus", "recipe", "scale", "sentences", "printed", "words a sentence", "printed")
    rows: tuple[tuple[str, ...], ...] = tuple(
        (
            own["corpus"],
            own["recipe"],
            f"{own['scale']:g}",
            f"{own['sentences']:,}",
            own["printed_sentences"] or NO_VALUE,
            f"{own['words_per_sentence']:.2f}",
            own["printed_words_per_sentence"] or NO_VALUE,
        )
        for own in sizes
    )
    print_report_table(Table("Sentences and words (table 4)", head, rows, frozenset(range(2, 7))))
    tokens = made.tokens()
    if tokens:
        head = ("corpus", "recipe", "vocabulary", "entries", "tokens", "printed")
        rows = tuple(
            (
                own["corpus"],
                own["recipe"],
                f"{own['vocabulary']:,}",
                f"{own['entries']:,}",
                f"{own['tokens']:,}",
                NO_VALUE if own["printed_tokens"] is None else f"{own['printed_tokens']:,}",
            )
            for own in tokens
        )
        print_report_table(Table("Tokens (table 9)", head, rows, frozenset(range(2, 6))))
        note("Tokens without ends of sentences; whether the printed ones have them is not said.")
    if any(own["scale"] != 1 and own["printed_sentences"] for own in sizes):
        note("A corpus that was made with --scale is not the size that is printed.")
