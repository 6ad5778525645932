"""Reading a matrix frame: which predicate embeds the clause, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.inflection import PARTICIPLE
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordrates import load_kinds
from gapsmith.vetting.wordset import word_set

COMPLEMENTIZERS = word_set("that who whom what whose whether if which how why when where")
_BE = word_set("am is are was were be been being 's 're 'm get gets got gotten")
_COPULAS = _BE | word_set(
    "become becomes became seem seems seemed remain remains remained look looks looked sound sounds sounded stay stays"
    " stayed grow grows grew appear appears appeared feel feels felt"
)
_DETERMINERS = word_set("the a an my your his her its our their this that these those every each some no")
_CONTRACTION = re.compile(r"(?<=\w)'(?=(?:m|re|s|ve|d|ll)\b)")
_PARTICLES = word_set("out up off over down on along away back through")
_LINKING = word_set("be become seem remain look sound stay grow appear feel get")
_AUXILIARIES = word_set("have has had having do does did will would can could may might must shall should 'd 'll 've")
_NEGATION = re.compile(r"^(?:not|never|no|nobody|nothing|none|neither|hardly|scarcely|cannot|\w+n't)$")
_LONGEST = 4
_ADVERBS = word_set("now already well today later immediately just soon then again too also alone right fast")

_BEFORE_ADJECTIVES = word_set(
    "not never hardly scarcely barely seldom rarely always often sometimes still ever once quite so very rather pretty fairly even yet"
)
"""What may stand between a form of *be* and its adjective or participle, beside other adverbs: *was never clear*."""
_TIMES = word_set(
    "morning afternoon evening night day week weekend month year moment minute second hour time summer winter spring fall"
    " autumn monday tuesday wednesday thursday friday saturday sunday decade"
)
_TIME_MODIFIERS = word_set("last next other same very one")


@dataclass(frozen=True, slots=True)
class FrameReading:
    """A matrix frame, analysed from its end."""

    predicate: str | None
    """As the list has it, or None where no known predicate was found."""
    classes: frozenset[str]
    passive: bool
    """Whether the predicate is a passive participle, whose subject is the one who is told."""
    tail: tuple[str, ...]
    """What stands between predicate and clause, adverbs left out."""
    negated: bool
    complementizer: str | None
    """A complementizer or question word that the frame already holds at its end."""
    other_verb: str | None = None
    """Where no predicate was found: the last verb that the frame could end in, known for other things than clauses."""
    before: tuple[str, ...] = ()
    """The words before the predicate: the subject with its auxiliaries, where there are any."""
    verb: str = ""
    """The predicate's first word as it stands."""
    guessed: str = ""
    """Where the predicate is in no list but was counted: the table of guesses that has it."""


def spaced(frame: str) -> list[str]:
    """The words of a frame, contractions taken apart."""
    return _CONTRACTION.sub(" '", frame.replace("’", "'")).split()


def read_frame(frame: str, knowledge: Knowledge) -> FrameReading:
    """The predicate of a frame is the last one in it: ``The report suggested``, ``He told the editor``. Where no list has it, a
    word that was counted is taken for it."""
    known = knowledge.readings.get(("frame", frame))
    if not isinstance(known, FrameReading):
        known = knowledge.readings["frame", frame] = _read_or_guess(frame, knowledge)
    return known


def _read_or_guess(frame: str, knowledge: Knowledge) -> FrameReading:
    reading = _read(frame, knowledge)
    if reading.predicate is not None or reading.other_verb is not None:
        return reading
    for table in ("predicates-a", "predicates-v"):
        # Of a word that is both, the adjective needs a form of be: "They like" has a verb.
        if heads := _counted_heads(frame, table, knowledge):
            guess = _read(frame, knowledge.with_heads("predicates", dict.fromkeys(heads, table[-1])))
            if guess.predicate in heads:
                return replace(guess, guessed=table)
    return reading


def _counted_heads(frame: str, table: str, knowledge: Knowledge) -> frozenset[str]:
    """Words of a frame that are in no list of predicates and have a guess in that table."""
    counted = load_kinds(table)
    heads: set[str] = set()
    for word in (word.casefold() for word in spaced(frame)):
        if word in _BE or word in _AUXILIARIES or _NEGATION.match(word):
            continue
        lemmas = [form.lemma for form in knowledge.verb_forms.get(word, ())] if table.endswith("v") else [word]
        heads.update(lemma for lemma in lemmas if lemma in counted)
    return frozenset(heads)


def _read(frame: str, knowledge: Knowledge) -> FrameReading:
    words = [word.casefold() for word in spaced(frame)]
    complementizer = words.pop() if len(words) > 1 and words[-1] in COMPLEMENTIZERS else None
    negated = any(_NEGATION.match(word) for word in words)
    best: tuple[tuple[int, int], str, bool, int] | None = None
    for start in range(len(words)):
        for length in range(1, min(_LONGEST, len(words) - start) + 1):
            for form, passive in _candidates(_phrase(words[start : start + length]), words[:start], knowledge):
                # A word that opens the frame is its subject, unless it is all of it ("Remember") or an idiom.
                if start == 0 and length < len(words) and " " not in form:
                    continue
                # The last predicate counts, and of those that end in the same word the longest ("could tell").
                if best is None or (start + length, length) > best[0]:
                    best = (start + length, length), form, passive, start
    if best is None:
        return FrameReading(None, frozenset(), False, (), negated, complementizer, _other_verb(words, knowledge))
    (end, _), predicate, passive, start = best
    tail = tuple(w for w in _without_times(words[end:]) if not _is_adverb(w))
    told = predicate.rpartition(" ")[2]
    if tail and told != predicate and knowledge.classes("predicates", told) & {"needs_addressee", "takes_addressee"}:
        # Who can tell has found out, and who can tell us may say it.
        predicate, start = told, end - 1
    if tail and " " not in predicate and (tail[0] in _PARTICLES or predicate in _LINKING):
        # "puzzled out" is another verb than "puzzle", and of "became clear" the adjective decides: neither is in the list.
        return FrameReading(None, frozenset(), False, (), negated, complementizer)
    classes = knowledge.classes("predicates", predicate)
    before = tuple(words[:start])
    return FrameReading(predicate, classes, passive, tail, negated, complementizer, None, before, words[start])


def _phrase(words: list[str]) -> list[str]:
    """The words as an entry may have them: *can't easily tell* as *can tell*."""
    inner = [word for word in words[1:-1] if not _is_adverb(word) and word != "not"]
    first = "can" if words[0] in {"can't", "cannot"} else words[0].removesuffix("n't")
    return [first, *inner, words[-1]] if len(words) > 1 else words


def _without_times(words: list[str]) -> list[str]:
    """The words without phrases such as *this morning*, which no verb takes as its object."""
    kept: list[str] = []
    for word in words:
        if word in _TIMES and kept and kept[-1] in _DETERMINERS | _TIME_MODIFIERS:
            kept.pop()
            if kept and kept[-1] in _DETERMINERS:
                kept.pop()
        else:
            kept.append(word)
    return kept


def _is_adverb(word: str) -> bool:
    if word in _ADVERBS:
        return True
    return word.endswith("ly") and word not in load_dictionary().nouns


def _other_verb(words: list[str], knowledge: Knowledge) -> str | None:
    if len(words) < 2 or words[-2] in _DETERMINERS:
        return None
    lemmas = [form.lemma for form in knowledge.verb_forms.get(words[-1], ())]
    # "saw" may be of a verb that is in no list.
    return lemmas[0] if lemmas and all(knowledge.entry("verbs", lemma) is not None for lemma in lemmas) else None


def _candidates(piece: list[str], before: list[str], knowledge: Knowledge) -> Iterator[tuple[str, bool]]:
    """(entry of the list, whether it is a passive) for a stretch of the frame, adjectives before verbs."""
    predicates = knowledge.lists["predicates"]
    first, rest = piece[0], piece[1:]
    auxiliary = next((w for w in reversed(before) if not _is_adverb(w) and w not in _BEFORE_ADJECTIVES), "").removesuffix("n't")
    exact = " ".join(piece)
    if _is_adjective(exact, knowledge):
        fits = auxiliary in _COPULAS
    else:
        fits = auxiliary not in _DETERMINERS or piece[-1] in _BE
    if exact in predicates and fits:
        yield exact, auxiliary in _BE and _is_participle(first, knowledge)
    if auxiliary in _DETERMINERS:
        return
    for form in knowledge.verb_forms.get(first, ()):
        phrase = " ".join([form.lemma, *rest])
        if phrase in predicates and not _is_adjective(phrase, knowledge):
            yield phrase, auxiliary in _BE and _is_participle(first, knowledge)


def _is_participle(word: str, knowledge: Knowledge) -> bool:
    return any(form.kind == PARTICIPLE for form in knowledge.verb_forms.get(word, ()))


def _is_adjective(phrase: str, knowledge: Knowledge) -> bool:
    """Whether the entry can only follow a form of *be*, *seem* or *become*, as its `pos` column says."""
    entry = knowledge.entry("predicates", phrase)
    return entry is not None and entry.values("pos") == ("a",)
