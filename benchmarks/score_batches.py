"""Scoring in padded batches against one sentence at a time, with the bundled model."""

from __future__ import annotations

import time
from itertools import islice

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import BUNDLED, BatchEngine, LanguageModel, Request, find_source, in_bits
from gapsmith.templates import expand, load_paradigm, realise, sample

SENTENCES = 640
SIZES = (1, 4, 8, 16, 32, 64, 128)
REPEATS = 2


def main() -> None:
    """Print sentences per second by batch size, each as a multiple of batch size 1, and how far the values move."""
    model = LanguageModel(find_source(BUNDLED), device="cpu")
    subject, lan = load_paradigm("subject_pg"), load_paradigm("lan_pg")
    sets = {
        "subject_pg": [realise(subject, slots) for slots in islice(sample(subject, 1), 160)],
        "lan_pg": [realise(lan, slots) for slots in islice(expand(lan), 0, None, 17)],
    }
    list(BatchEngine(model).score([Request("The weights are loaded with this sentence.")]))
    for name, items in sets.items():
        texts = list(dict.fromkeys(sentence.text for item in items for sentence in item))[:SENTENCES]
        seconds, values = _measure(model, texts, 1)
        one_by_one, reference = seconds, values
        print(f"{name}: {len(texts)} different sentences, one by one {len(texts) / seconds:.0f} a second")
        for size in SIZES[1:]:
            seconds, values = _measure(model, texts, size)
            moved = max(abs(a - b) for a, b in zip(values, reference, strict=True))
            print(f"  batches of {size:>3}: {one_by_one / seconds:4.2f} times as fast, values within {moved:.0e} bits")


def _measure(model: LanguageModel, texts: list[str], size: int) -> tuple[float, list[float]]:
    """The best time of some runs, and all surprisals in the order of `texts`."""
    best, found = float("inf"), dict[str, Tokens]()
    for _ in range(REPEATS):
        start = time.perf_counter()
        engine = BatchEngine(model, batch_size=size)
        found = {tokens.text: tokens for chunk in engine.score([Request(text) for text in texts]) for tokens in chunk}
        best = min(best, time.perf_counter() - start)
    return best, [value for text in texts for value in in_bits(found[text].values).tolist()]
