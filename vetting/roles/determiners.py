"""Whether a noun has its determiner among the words before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gapsmith.parsing import kinds_of, lemma_of
from gapsmith.templates import slots_in
from gapsmith.vetting.wordset import word_set

_NEVER_ALONE = word_set("the a an every no my your his her its our their whose")
"""Determiners that are not the subject of a verb themselves: after *the*, *painted* is no finite verb."""
_DETERMINERS = _NEVER_ALONE | word_set(
    "this that these those each some any another either neither both many much few several all one which what"
)
_POSSESSIVES = ("'s", "’s", "s'", "s’")
_CONTRACTED = word_set("he she it that this who what there here where when why how let")
"""What has another possessive than *'s*, which is a verb after it."""
_BETWEEN = word_set("two three four five six seven eight nine ten eleven twelve dozen hundred thousand other such")
_JOINING = word_set("and or but")
_NEVER_BETWEEN = word_set(
    "about above across after along around as before behind below by down here in inside like near never not off on out outside over past"
    " since than then there through under up"
)
"""What a dictionary has as an adjective or adverb and does not stand between a determiner and its noun."""


def has_determiner(before: Sequence[str], may_hold_one: Callable[[str], bool] = lambda _slot: False) -> bool:
    """Whether the words before a noun end with a determiner and what may stand between the two: *the*, *Anna's old*, *an extremely tired
    and hungry*, *the 12*, *the apple*. Of a slot in braces it is asked whether it may hold a determiner."""
    # From the noun leftwards: another noun at most, then what describes them; a verb may look like either.
    is_first, maybe_verb, joined = True, False, False
    adjectives = 0
    for written in reversed(before):
        if inside := slots_in(written):
            return any(may_hold_one(slot) for slot in inside)
        word = written.strip("“”\"'()").casefold() if not written.endswith(_POSSESSIVES) else written.casefold()
        if word in _DETERMINERS:
            return not joined and (word in _NEVER_ALONE or not maybe_verb)
        if word.endswith(_POSSESSIVES):
            return not joined and word.replace("’", "'").removesuffix("'s") not in _CONTRACTED
        bare = word.removesuffix(",")
        last = bare.rpartition("-")[2]
        kinds = kinds_of(last)
        if bare in _NEVER_BETWEEN or "AUX" in kinds:
            return False
        verb = "VERB" in kinds and "ADJ" not in kinds
        if bare in _JOINING:
            if not adjectives or joined:
                return False
            joined = True
        elif "ADJ" in kinds or bare in _BETWEEN or bare.isdigit() or (verb and _is_participle(last)):
            maybe_verb |= verb and not bare.endswith("ing")
            adjectives, joined = adjectives + 1, False
        elif "ADV" in kinds and adjectives and not joined:
            pass
        elif "NOUN" in kinds and is_first and word == bare and lemma_of(last, "NOUN") == last:
            maybe_verb |= verb
        else:
            return False
        is_first = False
    return False


def _is_participle(word: str) -> bool:
    """Whether a form of a verb alone may describe a noun: *singing*, *painted*; *paints* does not, nor what is the base form too."""
    return lemma_of(word, "VERB") != word and not word.endswith("s")
