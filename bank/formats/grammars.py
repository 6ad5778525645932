"""Grammars as JSON: what each condition consists of, as a list of symbols, and the words that each symbol stands for. Every combination of
the choices is an item, with the same choice in all of its conditions, as the tuples of Lan, Chemla & Katzir (2024) are made of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from gapsmith.bank.formats.composing import compose, plain

_MOST = 20_000
"""So many sentences at most are made of a grammar."""
_DEEP = 12
Rules = Mapping[str, Sequence[Sequence[str]]]


def sentences_of_grammar(document: Any) -> tuple[list[list[str]], str] | None:
    """The sentences of a grammar as rows below headings, and in words, what was done; None for other documents, and where there are more than
    can be made."""
    rules: dict[str, list[list[str]]] = {}
    for name, value in _named(document):
        if (own := _alternatives(value)) is None or name in rules:
            continue
        rules[name] = own
    # What only lists the names of other rules says with which of them sentences begin.
    rules = {
        name: own
        for name, own in rules.items()
        if len(own) < 2 or not all(len(words) == 1 and words[0] in rules for words in own)
    }
    used = {symbol for own in rules.values() for words in own for symbol in words if symbol in rules}
    starts = [name for name in rules if name not in used and any(symbol in rules for words in rules[name] for symbol in words)]
    if len(starts) < 2 or not used or any(len(rules[name]) != 1 for name in starts) or not _ends(rules, starts):
        return None
    reached = list(dict.fromkeys(symbol for name in starts for symbol in _below(rules, rules[name][0])))
    choices = [symbol for symbol in reached if len(rules[symbol]) > 1]
    count = 1
    for symbol in choices:
        count *= len(rules[symbol])
    if count < 2 or count * len(starts) > _MOST:
        return None
    rows = [["item", "condition", "sentence", *choices]]
    for number, chosen in enumerate(product(*(range(len(rules[symbol])) for symbol in choices)), 1):
        places = dict(zip(choices, chosen, strict=True))
        said = [" ".join(rules[symbol][place]) for symbol, place in places.items()]
        for name in starts:
            words = _made(rules, places, rules[name][0])
            rows.append([str(number), name, compose(words)[0], *said])
    how = (
        f"a grammar: every combination of {', '.join(choices)} is an item, {count:,} in all, with the same choice in its conditions "
        f"{', '.join(starts)}"
    )
    return rows, how


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    """What stands under keys in a document: a rule wherever it stands."""
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        yield name, inner
        yield from _named(inner)


def _alternatives(value: Any) -> list[list[str]] | None:
    """What a symbol may stand for, each as its words and symbols; None for what is no rule. A list of words with symbols among them is one
    alternative, which only the other rules tell: see `sentences_of_grammar`."""
    if isinstance(value, str):
        return [value.split()] if value.strip() else None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(one, str) for one in value):
        # Symbols are written in capitals, and one behind the other.
        if len(value) > 1 and sum(one.isupper() for one in value) * 2 > len(value):
            return [list(value)]
        return [one.split() for one in value]
    if all(isinstance(one, list) and one and all(isinstance(word, str) for word in one) for one in value):
        return [list(one) for one in value]
    return None


def _below(rules: Rules, words: Sequence[str]) -> Iterator[str]:
    """The symbols among words, and those in what they stand for."""
    for word in words:
        if word in rules:
            yield word
            for own in rules[word]:
                yield from _below(rules, own)


def _ends(rules: Rules, names: Sequence[str], depth: int = 0) -> bool:
    """Whether no symbol stands in what it stands for."""
    if depth > _DEEP:
        return False
    return all(
        _ends(rules, [symbol for words in rules[name] for symbol in words if symbol in rules], depth + 1) for name in names
    )


def _made(rules: Rules, chosen: Mapping[str, int], words: Sequence[str]) -> list[str]:
    made: list[str] = []
    for word in words:
        made += _made(rules, chosen, rules[word][chosen.get(word, 0)]) if word in rules else [plain(word)]
    return made
