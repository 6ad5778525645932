"""Rows of tokens as a trie: every distinct prefix once, in an order in which ancestors come before their descendants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gapsmith.scoring.lm.rows import TokenRow

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Trie:
    """The prefixes of some rows, numbered depth first (a node, then its first child with all below it, then the next).

    What follows from that order: the descendants of a node are the numbers from its own up to its `end`; and those
    ancestors of a stretch of numbers that lie before the stretch are ancestors of its first number. So the network can
    run stretch by stretch, and needs of all it has run before only the path to the first node of the stretch.

    Nodes that only end a row need no pass, unless what may follow them is wanted. Those that need one are *steps*, and
    are numbered for themselves.
    """

    rows: tuple[TokenRow, ...]
    """In the order of their tokens, whatever the order in which they were given."""
    nodes: tuple[Indices, ...]
    """Per row, the nodes of its tokens, up to the last one that is wanted."""
    tokens: Indices
    """(nodes,): token ids."""
    step_nodes: Indices
    """(steps,): the node of each step."""
    depth: Indices
    """(steps,): how many tokens stand before it: its position."""
    parent: Indices
    """(steps,): the step before it in its row; -1 where there is none."""
    end: Indices
    """(steps,): the first step that is no descendant."""
    last_step: Indices
    """(rows,): the step after which everything of the row is known; -1 where there is none."""
    targets: Indices
    """(targets,): the nodes whose surprisal is wanted, ordered by the step that predicts them."""
    predictors: Indices
    """(targets,): that step."""
    mass_steps: Indices
    """The steps after which the mass of word beginnings is wanted, in order."""

    @classmethod
    def from_rows(cls, rows: Sequence[TokenRow]) -> Trie:
        """The trie of `rows`; each must want at least one token that can have a value."""
        # What follows the last wanted token is cut off first: rows that then agree must stand side by side.
        cut = [(row.ids[: row.first + int(np.flatnonzero(row.text.wanted)[-1]) + 1], row) for row in rows]
        cut.sort(key=lambda pair: pair[0])
        tokens: list[int] = []
        parents: list[int] = []
        path: list[int] = []
        previous: tuple[int, ...] = ()
        nodes: list[Indices] = []
        for ids, _ in cut:
            shared = _common(previous, ids)
            del path[shared:]
            for token in ids[shared:]:
                parents.append(path[-1] if path else -1)
                path.append(len(tokens))
                tokens.append(token)
            nodes.append(np.array(path, dtype=np.int64))
            previous = ids
        return _with_steps(tuple(row for _, row in cut), tuple(nodes), np.array(tokens), np.array(parents))

    def path(self, step: int) -> list[int]:
        """The steps before `step` in its row, from the first on."""
        found: list[int] = []
        above = int(self.parent[step])
        while above >= 0:
            found.append(above)
            above = int(self.parent[above])
        return found[::-1]

    def stretches(self, size: int) -> list[tuple[int, int]]:
        """The steps cut into stretches ``[start, end)`` of nearly equal length, none longer than `size`."""
        total = len(self.step_nodes)
        n = -(-total // size)
        cuts = [round(number * total / n) for number in range(n + 1)] if n else [0]
        return list(pairwise(cuts))


def _common(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """How many tokens `a` and `b` share from the beginning on; by bisection, since slices compare fast."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _with_steps(rows: tuple[TokenRow, ...], nodes: tuple[Indices, ...], tokens: Indices, parents: Indices) -> Trie:
    wanted = np.zeros(len(tokens), dtype=np.bool_)
    massed = np.zeros(len(tokens), dtype=np.bool_)
    last = np.full(len(rows), -1)
    for number, (row, own) in enumerate(zip(rows, nodes, strict=True)):
        places = row.first + np.flatnonzero(row.text.wanted)
        predicted = places[places > 0]
        wanted[own[predicted]] = True
        if row.text.boundary:
            massed[own[places]] = True
            massed[own[predicted - 1]] = True
        last[number] = own[-1] if row.text.boundary else parents[own[-1]]
    runs = massed.copy()
    runs[parents[parents >= 0]] = True
    step_nodes = np.flatnonzero(runs)
    step_of = np.cumsum(runs) - 1
    parent_nodes = parents[step_nodes]
    parent = np.where(parent_nodes >= 0, step_of[parent_nodes], -1)
    depth = np.zeros(len(step_nodes), dtype=np.int64)
    end = np.arange(1, len(step_nodes) + 1)
    for step, above in enumerate(parent.tolist()):
        if above >= 0:
            depth[step] = depth[above] + 1
    for step in range(len(step_nodes) - 1, -1, -1):
        above = parent[step]
        if above >= 0 and end[above] < end[step]:
            end[above] = end[step]
    targets = np.flatnonzero(wanted)
    predictors = step_of[parents[targets]]
    order = np.argsort(predictors, kind="stable")
    return Trie(
        rows=rows,
        nodes=nodes,
        tokens=tokens,
        step_nodes=step_nodes,
        depth=depth,
        parent=parent,
        end=end,
        last_step=np.where(last >= 0, step_of[last], -1),
        targets=targets[order],
        predictors=predictors[order],
        mass_steps=step_of[np.flatnonzero(massed)],
    )
