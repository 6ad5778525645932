"""Fills the column `per_million` of the word lists that samples are drawn from: ``python -m tools.lexicon_rates``.

The rate is that of the word form as it stands in the sentences, from the table of unigram counts that ships.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from gapsmith.templates import shipped_lexicons
from gapsmith.templates.lexicon import PER_MILLION
from gapsmith.vetting.frequency import Frequencies, load_frequencies

LISTS: Mapping[str, str] = {"experiencer_verbs": "form", "scenes": "verb"}
"""The lists that have rates, and the column whose words they are the rates of."""


def rate_of(word: str, table: Frequencies) -> str:
    """Occurrences in a million words, to one decimal; 0 for a word that is too rare for the table."""
    count = table.counts.get(word.casefold(), 0)
    return f"{count * 1e6 / table.total:.1f}" if count else "0"


def with_rates(text: str, column: str, table: Frequencies) -> str:
    """A word list's text with its rates as the table has them; comments and all else stay."""
    lines = text.splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, PER_MILLION: rate_of(row[column], table)} for row in rows)
    return "".join(head) + out.getvalue()


def main() -> None:
    """Write the lists anew."""
    table = load_frequencies()
    for name, column in LISTS.items():
        path: Path = shipped_lexicons() / f"{name}.csv"
        path.write_text(with_rates(path.read_text(encoding="utf-8"), column, table), encoding="utf-8")


if __name__ == "__main__":
    main()
