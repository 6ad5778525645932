"""How many sentences the bundled parser takes a second, on the sentences of sampled items."""

from __future__ import annotations

import statistics
import time
from itertools import islice

from gapsmith.parsing.embedded import open_embedded
from gapsmith.templates import load_paradigm, realise, sample


def main() -> None:
    """Print sentences per second of processor time, on one core: of four passes over the same sentences the median."""
    paradigm = load_paradigm("subject_pg")
    texts = sorted({sentence.text for slots in islice(sample(paradigm, seed=1), 300) for sentence in realise(paradigm, slots)})
    parser = open_embedded()
    list(parser.parse(texts[:50]))
    passes = []
    for _ in range(4):
        start = time.process_time()
        list(parser.parse(texts))
        passes.append(time.process_time() - start)
    seconds = statistics.median(passes)
    print(f"  {len(texts):,} sentences: {seconds:.2f} s, {len(texts) / seconds:,.0f} sentences a second")
