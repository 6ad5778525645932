"""Requests cut into parts that can be scored apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from gapsmith.scoring.lm.engine import Request


def slabs(requests: Sequence[Request], size: int) -> Iterator[list[Request]]:
    """The requests in alphabetical order, which brings shared beginnings together, cut where `size` characters are full.

    A slab may be longer than `size` by what its last request is long.
    """
    ordered = sorted(requests, key=lambda request: (f"{request.context} " if request.context else "") + request.text)
    lengths = itertools.accumulate(len(request.context) + len(request.text) for request in ordered)
    for _, slab in itertools.groupby(zip(ordered, lengths, strict=True), key=lambda pair: pair[1] // size):
        yield [request for request, _ in slab]
