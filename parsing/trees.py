"""Making sure that what a parser gives is a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gapsmith.parsing.model import ROOT, Token


def one_tree(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens with one root and no cycle.

    A transition parser may leave several words without a head: the first stays the root and the others become its `parataxis`,
    as UD does with loose sentences. A word from which no root is reached (a cycle) hangs on the root too.
    """
    if not tokens:
        return ()
    root = next((index for index, token in enumerate(tokens) if token.head == ROOT), 0)
    done = list(tokens)
    done[root] = replace(done[root], head=ROOT, relation="root")
    reached = {root}
    for index in range(len(done)):
        path = []
        at = index
        while at not in reached and at not in path and done[at].head != ROOT:
            path.append(at)
            at = done[at].head
        if at not in reached:
            done[at] = replace(done[at], head=root, relation="parataxis")
        reached.update((*path, at))
    return tuple(done)
