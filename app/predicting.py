"""How long scoring will take: tokens counted, and the rate of this machine measured on a part of them."""

from __future__ import annotations

import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import Bank
from gapsmith.scoring import Selected, missing_requests
from gapsmith.scoring.lm import Engine, Request, tokenizer_of

_SAMPLE = 20_000
"""Tokens, before sharing, of the part that is measured."""
_BATCH = 1_000
"""So many texts are given to the tokenizer at once."""
_WIDTH = 4
"""Bytes of the id of a token."""


@dataclass(frozen=True, slots=True)
class ScoringEstimate:
    """What is left to be scored, and what it will cost."""

    model: str
    n_texts: int
    """Pairs of a context and a text without a value."""
    n_tokens: int
    """Tokens of all of them, each with its context."""
    n_shared: int
    """Tokens where what begins alike is counted once: what the tree engine computes."""
    per_second: float | None
    """Such tokens per second, measured; None where nothing is left."""
    seconds: float | None
    by_items: int | None = None
    """Of how many items the counts are, multiplied up to all; None where they are of all."""

    def of_all(self, fixed: ScoringEstimate, n_items: int, by_items: int) -> ScoringEstimate:
        """The estimate for `n_items` items, of which this one is for `by_items`, with what is the same for any number, `fixed`, on top."""
        factor = n_items / by_items
        counts = {
            name: round(getattr(self, name) * factor) + getattr(fixed, name) for name in ("n_texts", "n_tokens", "n_shared")
        }
        times = [] if self.seconds is None else [self.seconds * factor]
        times += [] if fixed.seconds is None else [fixed.seconds]
        rate = fixed.per_second if self.per_second is None else self.per_second
        return replace(self, **counts, per_second=rate, seconds=sum(times) if times else None, by_items=by_items)

    @property
    def hours(self) -> float | None:
        """Predicted."""
        return None if self.seconds is None else self.seconds / 3600

    @property
    def in_words(self) -> str:
        """In words."""
        if self.per_second is None or self.seconds is None:
            return f"{self.model}: everything is scored already"
        how_long = f"{self.seconds / 3600:,.1f} hours" if self.seconds >= 3600 else f"{self.seconds:,.0f} s"
        by = "" if self.by_items is None else f", multiplied up from {self.by_items:,} items"
        return (
            f"{self.model}: {self.n_texts:,} to score, {self.n_tokens:,} tokens with their contexts, {self.n_shared:,} where "
            f"what begins alike is computed once; at {self.per_second:,.0f} tokens/s, measured now, that takes about {how_long}{by}"
        )


def predict(bank: Bank, engine: Engine, selected: Selected, model: str, *, boundary: bool = False) -> ScoringEstimate:
    """Count what is left and measure the rate on requests from among it. Keeps no value.

    An engine that shares nothing takes as much longer as the two counts differ, which the rate has in it."""
    known = [own for own in bank.scores.scorers() if own.identity == dict(engine.identity)]
    requests = missing_requests(bank, known[-1].id if known else -1, selected, boundary=boundary)[0]
    if not requests:
        return ScoringEstimate(model, 0, 0, 0, None, None)
    requests.sort(key=lambda request: (request.context, request.text))
    ids = _token_ids(model, requests)
    n_tokens = sum(map(_n_tokens, ids))
    part = _spread(requests, ids)
    # The first text loads the weights, which is not what is measured.
    for _ in engine.score([Request("It rained.")]):
        pass
    started = time.perf_counter()
    for _ in engine.score([requests[at] for at in part]):
        pass
    taken = time.perf_counter() - started
    of_part = _distinct_prefixes([ids[at] for at in part])
    shared = _distinct_prefixes(ids)
    rate = of_part / max(taken, 1e-9)
    return ScoringEstimate(model, len(requests), n_tokens, shared, rate, shared / rate)


def _token_ids(model: str, requests: Sequence[Request]) -> list[bytes]:
    """The ids of the tokens of each request with its context, four bytes each, most significant first, so that bytes sort as ids do.
    A batch at a time: what a tokenizer says of a text is a hundred times what is kept of it here."""
    tokenizer = tokenizer_of(model)
    found = []
    for start in range(0, len(requests), _BATCH):
        joined = [f"{r.context} {r.text}" if r.context else r.text for r in requests[start : start + _BATCH]]
        for encoded in tokenizer.encode_batch(joined, add_special_tokens=False):
            found.append(struct.pack(f">{len(encoded.ids)}I", *encoded.ids))
    return found


def _n_tokens(ids: bytes) -> int:
    return len(ids) // _WIDTH


def _spread(requests: Sequence[Request], ids: Sequence[bytes]) -> list[int]:
    """The numbers of requests of whole contexts, evenly spread, until there are enough tokens."""
    homes: dict[str, list[int]] = {}
    for at, request in enumerate(requests):
        homes.setdefault(request.context, []).append(at)
    groups = list(homes.values())
    total = sum(map(_n_tokens, ids))
    step = max(1, total // _SAMPLE)
    chosen: list[int] = []
    tokens = 0
    for group in groups[::step]:
        for at in group:
            if tokens > _SAMPLE:
                return chosen
            chosen.append(at)
            tokens += _n_tokens(ids[at])
    return chosen


def _distinct_prefixes(ids: Sequence[bytes]) -> int:
    """Nodes of the tree of all beginnings."""
    found = 0
    before = b""
    for own in sorted(ids):
        shortest = min(len(before), len(own))
        alike = next((at for at in range(0, shortest, _WIDTH) if before[at : at + _WIDTH] != own[at : at + _WIDTH]), shortest)
        found += _n_tokens(own) - alike // _WIDTH
        before = own
    return found
