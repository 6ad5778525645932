"""Dictionary forms of English words, from lemminflect (its data comes in its wheel)."""

from __future__ import annotations

from functools import lru_cache

_INFLECTED = frozenset({"VERB", "AUX", "NOUN", "ADJ", "ADV", "PROPN"})
_CLITICS = {"n't": "not", "'s": "be", "'re": "be", "'m": "be", "'ve": "have", "'ll": "will", "'d": "would", "ca": "can"}


@lru_cache(maxsize=200_000)
def lemma_of(form: str, upos: str) -> str:
    """The lemma of a word under its universal tag, in lower case but for names; the word itself where nothing inflects.

    >>> lemma_of("Amused", "VERB"), lemma_of("stories", "NOUN")
    ('amuse', 'story')
    """
    small = form if upos == "PROPN" else form.lower()
    if upos == "AUX" and small in _CLITICS:
        return _CLITICS[small]
    if upos not in _INFLECTED or upos == "PROPN":
        return small
    from lemminflect import getLemma

    found = getLemma(small, upos=upos)
    return str(found[0]) if found else small


@lru_cache(maxsize=50_000)
def kinds_of(form: str) -> frozenset[str]:
    """The universal tags under which a dictionary has the word in this form (of VERB, AUX, NOUN, ADJ, ADV), nothing for others.

    >>> sorted(kinds_of("winter")), sorted(kinds_of("flabbergast"))
    (['NOUN', 'VERB'], ['VERB'])
    """
    from lemminflect import getAllLemmas

    return frozenset(getAllLemmas(form.lower()))
