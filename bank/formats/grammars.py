"""Grammars as JSON: what each condition consists of, as a list of symbols, and the words that each symbol stands for. Every combination of
the choices is an item, with the same choice in all of its conditions, as the tuples of Lan, Chemla & Katzir (2024) are made of theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from gapsmith.bank.formats.composing import compose, plain

_MOST = 20_000
"""So many sentences at most are made of a grammar."""
_DEEP, _RULES = 24, 500
Rules = Mapping[str, Sequence[Sequence[str]]]


def sentences_of_grammar(document: Any) -> tuple[list[list[str]], str] | None:
    """The sentences of a grammar as rows below headings, and in words, what was done; None for other documents, where a symbol stands for
    nothing or for itself, where a choice is not made in all conditions, and where there are more sentences than can be made."""
    named = list(_named(document))
    if not 1 < len(named) <= _RULES:
        return None
    names = {name for name, _ in named}
    rules: dict[str, list[list[str]]] = {}
    for name, value in named:
        if (own := _alternatives(value, names)) is not None and rules.setdefault(name, own) is not own:
            return None
    # What only lists the names of other rules says with which of them sentences begin.
    rules = {
        name: own
        for name, own in rules.items()
        if len(own) < 2 or not all(len(words) == 1 and words[0] in rules for words in own)
    }
    used = {symbol for own in rules.values() for words in own for symbol in words if symbol in rules}
    starts = [name for name in rules if name not in used and any(symbol in rules for words in rules[name] for symbol in words)]
    if len(starts) < 2 or not used or any(len(rules[name]) != 1 for name in starts):
        return None
    below: dict[str, frozenset[str]] = {}
    if not all(_reach(rules, name, below) for name in starts):
        return None
    reached = list(dict.fromkeys(symbol for name in starts for words in rules[name] for symbol in words if symbol in rules))
    reached += sorted(frozenset().union(*(below[name] for name in starts)) - set(reached))
    choices = [symbol for symbol in reached if len(rules[symbol]) > 1]
    words = {word for name in (*starts, *reached) for own in rules[name] for word in own}
    if any(symbol not in below[name] for symbol in choices for name in starts) or any(map(_is_symbol, words - set(rules))):
        return None
    count = 1
    for symbol in choices:
        count *= len(rules[symbol])
    if count < 2 or count * len(starts) > _MOST:
        return None
    rows = [["item", "condition", "sentence", *choices]]
    for number, chosen in enumerate(product(*(range(len(rules[symbol])) for symbol in choices)), 1):
        places = dict(zip(choices, chosen, strict=True))
        said = [" ".join(rules[symbol][place]) for symbol, place in places.items()]
        rows += [[str(number), name, compose(_made(rules, places, rules[name][0]))[0], *said] for name in starts]
    how = (
        f"a grammar: every combination of {', '.join(choices)} is an item, {count:,} in all, with the same choice in its conditions "
        f"{', '.join(starts)}"
    )
    return rows, how


def _is_symbol(word: str) -> bool:
    """Whether a word is written as symbols are: capitals, two or more."""
    return len(word) > 1 and word.isupper()


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    """What stands under keys in a document: a rule wherever it stands."""
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        yield name, inner
        yield from _named(inner)


def _alternatives(value: Any, names: Collection[str]) -> list[list[str]] | None:
    """What a symbol may stand for, each as its words and symbols; None for what is no rule. A list in which symbols stand, by the `names` of the
    rules, is one alternative, and one of texts is as many."""
    if isinstance(value, str):
        return [value.split()] if value.strip() else None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(one, str) for one in value):
        is_one = len(value) > 1 and sum(one in names and _is_symbol(one) for one in value) * 2 > len(value)
        return [list(value)] if is_one else [one.split() for one in value]
    if all(isinstance(one, list) and one and all(isinstance(word, str) for word in one) for one in value):
        return [list(one) for one in value]
    return None


def _reach(rules: Rules, name: str, below: dict[str, frozenset[str]], above: frozenset[str] = frozenset()) -> bool:
    """Fill `below` with the symbols that a rule leads to, each rule once; False where one leads to itself."""
    if name in above or len(above) > _DEEP:
        return False
    if name in below:
        return True
    symbols = {symbol for words in rules[name] for symbol in words if symbol in rules}
    if not all(_reach(rules, symbol, below, above | {name}) for symbol in sorted(symbols)):
        return False
    below[name] = frozenset(symbols).union(*(below[symbol] for symbol in symbols))
    return True


def _made(rules: Rules, chosen: Mapping[str, int], words: Sequence[str]) -> list[str]:
    made: list[str] = []
    for word in words:
        made += _made(rules, chosen, rules[word][chosen.get(word, 0)]) if word in rules else [plain(word)]
    return made
