"""Lines of a paradigm file that say what is tested: of two sentences the acceptable one is the more probable one. The only place that writes
them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from gapsmith.templates.formula import quoted
from gapsmith.templates.model import Paradigm

OK, BAD = "ok", "*"
PREFERRED_BY = (("", "sum"), ("_by_perplexity", "perplexity"))
"""What is behind the name of a criterion, and by what it measures whole sentences."""


def preferences(expected: Mapping[str, str], levels: Mapping[str, Sequence[str]] | None = None) -> list[tuple[str, str]]:
    """The pairs of conditions, the acceptable one first, that a preference can be asked of: the only two of their kind, each of several
    unacceptable ones with the only acceptable one, or those that differ in the same one factor and nothing else; none where several could be
    meant. `expected` gives what is expected of each condition, `levels` the level of each factor."""
    good = [name for name, said in expected.items() if said == OK]
    bad = [name for name, said in expected.items() if said == BAD]
    if not good or not bad or len(good) + len(bad) < len(expected):
        return []
    if len(good) == 1:
        return [(good[0], name) for name in bad]
    if not levels:
        return []
    found: dict[int, list[tuple[str, str]]] = {}
    for name in bad:
        for other in good:
            apart = [n for n, (one, two) in enumerate(zip(levels[name], levels[other], strict=True)) if one != two]
            if len(apart) == 1:
                found.setdefault(apart[0], []).append((other, name))
    # One factor says which of two sentences is acceptable: every sentence has its partner in it.
    whole = [own for own in found.values() if {one for pair in own for one in pair} == set(expected)]
    return whole[0] if len(whole) == 1 else []


def criterion(name: str, good: str, bad: str, measure: str = "sum", *, design: str = "all") -> Iterator[str]:
    """The lines of one criterion: the first condition's sentence is more probable than the second one's."""
    yield "[[criteria]]"
    yield f"name = {json.dumps(name)}"
    yield f"formula = {json.dumps(f'{quoted(good)}@sentence < {quoted(bad)}@sentence', ensure_ascii=False)}"
    yield f"measure = {json.dumps(measure)}"
    yield f"design = {json.dumps(design, ensure_ascii=False)}"


def to_add(paradigm: Paradigm) -> str:
    """The lines that would give a paradigm something to test, with its own conditions; what nobody said has words in its place."""
    expected = {condition.name: condition.expected for condition in paradigm.conditions}
    pairs = preferences(expected)
    good, bad = pairs[0] if pairs else ("MORE_PROBABLE", "LESS_PROBABLE")
    lines = "\n".join(criterion("preferred", good, bad, design=paradigm.designs[0].name))
    if pairs:
        return lines
    return f"{lines}\n# {good} and {bad} are two of: {', '.join(expected)}"
