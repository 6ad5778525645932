"""Sentences of contexts with something added that leaves their own structure as it is (after Sinha et al. 2023, section 5)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum

from gapsmith.templates import lexicon_for


class Perturbation(StrEnum):
    """What is added to each sentence of a context."""

    NONE = "none"
    ADVERB_BEFORE = "adverb-before"
    """However, c."""
    ADVERB_AFTER = "adverb-after"
    """c, however."""
    PHRASE_BEFORE = "phrase-before"
    """First of all, c."""
    CLAUSE_BEFORE = "clause-before"
    """Whatever NAME makes of it, c."""
    CLAUSE_AFTER = "clause-after"
    """c, whatever NAME makes of it."""
    QUOTE = "quote"
    """Last week NAME said, “c”."""
    ALL = "all"
    """The phrase, the clause and the quotation frame."""


_ADVERBS = ("however", "actually", "obviously", "nevertheless", "apparently", "fortunately")
_PHRASES = ("first of all", "above all else", "on the other hand", "as a matter of fact", "at the end of the day")
_CLAUSES = ("whatever {name} makes of it", "no matter how {name} sees it", "although {name} has never said so")
_FRAMES = ("Last week {name} said,", "A moment ago {name} whispered,", "The other day {name} wrote,")
_SMALL = frozenset(
    {
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "no",
        "some",
        "every",
        "each",
        "all",
        "many",
        "most",
        "few",
        "any",
        "there",
        "here",
        "it",
        "he",
        "she",
        "they",
        "we",
        "you",
        "my",
        "your",
        "his",
        "her",
        "its",
        "our",
        "their",
        "who",
        "what",
        "which",
        "when",
        "where",
        "how",
        "if",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "of",
        "on",
        "to",
        "with",
        "and",
        "but",
        "or",
        "yes",
        "not",
        "nobody",
        "everybody",
        "somebody",
        "nothing",
        "everything",
        "something",
        "one",
        "two",
        "three",
    }
)
"""First words that are written small within a sentence. All others may be names, and stay as they are."""


def perturb(text: str, how: Perturbation, seed: int = 1) -> str:
    """The sentence with something added. The same text and seed give the same; the words of the text all stay."""
    if how is Perturbation.NONE:
        return text
    rng = random.Random(f"{seed}/{how}/{text}")
    body, end = _body_and_end(text)
    if how is Perturbation.ADVERB_BEFORE:
        return f"{_capital(rng.choice(_ADVERBS))}, {_small(body)}{end}"
    if how is Perturbation.ADVERB_AFTER:
        return f"{body}, {rng.choice(_ADVERBS)}{end}"
    if how is Perturbation.PHRASE_BEFORE:
        return f"{_capital(rng.choice(_PHRASES))}, {_small(body)}{end}"
    if how is Perturbation.CLAUSE_BEFORE:
        return f"{_capital(_named(_CLAUSES, rng))}, {_small(body)}{end}"
    if how is Perturbation.CLAUSE_AFTER:
        return f"{body}, {_named(_CLAUSES, rng)}{end}"
    if how is Perturbation.QUOTE:
        return f"{_named(_FRAMES, rng)} “{body}{end}”"
    clause = _named(_CLAUSES, rng)
    return f"{_named(_FRAMES, rng)} “{_capital(rng.choice(_PHRASES))}, {clause}, {_small(body)}{end}”"


def _named(frames: Sequence[str], rng: random.Random) -> str:
    names = [entry.form for entry in lexicon_for("names").entries]
    return rng.choice(frames).format(name=rng.choice(names))


def _body_and_end(text: str) -> tuple[str, str]:
    """A sentence without its final marks, and these; a full stop where it has none."""
    stripped = text.rstrip()
    body = stripped.rstrip(".!?")
    return (body, stripped[len(body) :] or ".") if body else (stripped, "")


def _small(text: str) -> str:
    first, space, rest = text.partition(" ")
    return f"{first.lower()}{space}{rest}" if first.lower() in _SMALL else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
