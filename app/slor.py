"""What SLOR takes away, for commands and Python alike: a corpus that was named, the workspace's counts, English words else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapsmith.scoring import UnigramTables


def slor_tables(
    root: Path | None,
    corpus: Path | None,
    tell: Callable[[str], None] = lambda _: None,
    doubt: Callable[[str], None] | None = None,
) -> UnigramTables:
    """The tables by scorer; counts of corpora are kept in the workspace at `root`. A bank by itself has no place for them."""
    from gapsmith.scoring import UnigramTables

    return UnigramTables(_english, corpus=corpus, cache=None if root is None else root / "unigrams", tell=tell, doubt=doubt)


def _english() -> Mapping[str, int]:
    from gapsmith.vetting.frequency import load_frequencies

    return load_frequencies().counts
