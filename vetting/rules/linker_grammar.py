"""Reading a linker: what stands between the subject island and the embedded verb, word by word.

The grammar is that of the English verb group (Quirk et al. 1985, chapters 3 and 4; Huddleston & Pullum 2002, chapter 3):
every auxiliary and catenative verb decides the form of the next one, so that *is going to have to* is a chain of *be*,
*going to* and *have to*, and the verb after it is in the base form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordrates import load_kinds
from gapsmith.vetting.wordset import word_set

_FINITE = "finite"
_COMPLEMENT = "complement of be"

_BE = {
    _FINITE: word_set("is are was were am"),
    BASE: word_set("be"),
    PARTICIPLE: word_set("been"),
    _COMPLEMENT: word_set("being"),
    GERUND: word_set("being"),
}
_HAVE = {
    _FINITE: word_set("has have had"),
    BASE: word_set("have"),
    PARTICIPLE: word_set("had"),
    GERUND: word_set("having"),
    _COMPLEMENT: word_set("having"),
}
FORMS_OF_BE = word_set("be is are was were been being am isn't aren't wasn't weren't")
_DO = word_set("do does did")
_SINGULAR = word_set("is was has does")
_PLURAL = word_set("are were have do")
_PAST_FORMS = word_set("was were had did")
_MODALS = word_set("will would can could may might must shall should ought need dare")
_PERIPHRASTIC = word_set("going about")
"""With *be* and *to* the future, a closed class like the modals: the grammar has them, and lists may say more."""
_NEGATIVE = word_set("not never hardly scarcely barely seldom rarely")
_DEGREE = word_set("very more most quite so rather less least highly almost nearly pretty fairly extremely")
_ADVERBS = word_set(
    "well soon also just even now then yet always still ever often already again too probably maybe perhaps doubtless but"
)
_CONTRACTED = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "shan't": "shall not",
    "ain't": "is not",
    "gonna": "going to",
    "'s": "is",
    "'re": "are",
    "'ll": "will",
    "'d": "would",
    "'ve": "have",
}
_WITH_GERUND = frozenset({"end up", "wind up"})
_DETERMINERS = word_set("a an the some every no any")
_TENDENCIES = word_set("tendency potential power capacity ability propensity chance means habit")
"""Nouns after *have* that leave the subject to the verb below: *has a tendency to*."""
_OPEN_MODALS = word_set("could would")
_REPORTED = word_set(
    "thought believed said reported rumored alleged assumed presumed considered known found understood estimated seen shown"
    " proven held deemed hypothesized"
)
"""Adjectives and participles after which the infinitive is about the same time, and not about what is to come."""
_OBJECTS = word_set("me us you him her them it the a an my your his our their this that these those everyone everybody people")


_PREPOSITIONS = word_set("on in at under about near beyond above over past for with of")
"""What *is* may have beside it without any object: *is on the verge of*."""


class Time(StrEnum):
    """When the event of the embedded verb is, as far as the linker tells."""

    FUTURE = "the future"
    PRESENT = "the present"
    PAST = "the past"
    PERFECT = "the time up to now"
    OPEN = "no certain time"


@dataclass(frozen=True, slots=True)
class LinkerReading:
    """A linker, analysed word by word."""

    head: str | None
    """The adjective, participle, verb or modal that decides what it is, as the list has it; None where unknown."""
    classes: frozenset[str]
    """Those of all its predicates; ``modal`` only where it has no other."""
    number: str | None
    """``singular``, ``plural``, or None where the form does not tell."""
    time: Time
    simple_past: bool
    """Whether it begins with a verb in the past tense."""
    negated: bool
    excess: str | None
    """*too* or *enough*, which license an object gap of their own."""
    object: str | None
    """Words between a verb of the linker and its *to*: somebody else, who then does what the embedded verb says."""
    malformed: str | None
    """What is missing or too much for a verb to follow."""
    wants: str
    """The form that the verb after it has to be in: base, participle or -ing form."""
    guessed: str = ""
    """Where the head is in no list but was counted: the table of guesses that has it."""


@dataclass
class _Chain:
    """What has been gathered while the words are read."""

    expected: str = _FINITE
    heads: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    number: str | None = None
    time: Time = Time.OPEN
    simple_past: bool = False
    negated: bool = False
    object: str | None = None
    malformed: str | None = None
    unknown: bool = False
    modal: str | None = None
    perfect: bool = False
    after_to: bool = False
    undecided: bool = True
    """Whether the time may still be decided by what follows."""

    def add(self, head: str, classes: frozenset[str]) -> None:
        self.heads.append((head, classes))


def spelt_out(word: str) -> bool:
    """Whether a word is an auxiliary or contraction of the grammar."""
    return word in _CONTRACTED or word.endswith("n't") or any(word in forms for forms in (*_BE.values(), *_HAVE.values(), _DO))


@lru_cache(maxsize=4096)
def _words(linker: str) -> tuple[str, ...]:
    found: list[str] = []
    # "cannot help but" says no more than "cannot but".
    plain = linker.replace("’", "'").casefold().replace("no doubt", "doubtless").replace(" help but", " but")
    for word in plain.split():
        if word in _CONTRACTED:
            found += _CONTRACTED[word].split()
        elif word.endswith("n't"):
            found += [word[:-3], "not"]
        elif word.endswith("'ve"):
            found += [word[:-3], "have"]
        else:
            found.append(word)
    return tuple(found)


def read_linker(linker: str, knowledge: Knowledge) -> LinkerReading:
    """Take a linker such as ``is very likely to`` or ``won't have to`` apart. Where no list has its head, one that was counted is
    taken for it."""
    known = knowledge.readings.get(("linker", linker))
    if not isinstance(known, LinkerReading):
        known = knowledge.readings["linker", linker] = _read_or_guess(linker, knowledge)
    return known


def _read_or_guess(linker: str, knowledge: Knowledge) -> LinkerReading:
    reading = _read(linker, knowledge)
    if reading.head is not None or reading.excess or reading.malformed or reading.object:
        return reading
    for table in ("linkers-a", "linkers-v"):
        # Of a word that is both, the adjective needs a form of be.
        if heads := _counted_heads(_words(linker), table, knowledge):
            guess = _read(linker, knowledge.with_heads("linkers", dict.fromkeys(heads, table[-1])))
            if guess.head in heads:
                return replace(guess, guessed=table)
    return reading


def _counted_heads(words: Sequence[str], table: str, knowledge: Knowledge) -> frozenset[str]:
    """Words of a linker that are in no list, have a guess in that table and can be its head."""
    counted = load_kinds(table)
    heads: set[str] = set()
    for word in words:
        if spelt_out(word) or word in _NEGATIVE | _DEGREE | _ADVERBS | _MODALS or knowledge.entry("linkers", word) is not None:
            continue
        lemmas = [form.lemma for form in knowledge.verb_forms.get(word, ())] if table.endswith("v") else [word]
        heads.update(lemma for lemma in lemmas if lemma in counted)
    return frozenset(heads)


def _read(linker: str, knowledge: Knowledge) -> LinkerReading:
    words = list(_words(linker))
    excess = next((w for w in words if w == "enough" or (w == "too" and words[-1] == "to")), None)
    chain = _Chain()
    chain.negated = any(w in _NEGATIVE or w in {"unlikely", "no"} for w in words)
    rest = [w for w in words if w not in _DEGREE | _NEGATIVE | {"too", "enough"} and not _is_adverb(w, knowledge)]
    while rest and chain.malformed is None and not chain.unknown:
        rest = _step(rest, chain, knowledge)
    if chain.expected == _FINITE and chain.malformed is None:
        chain.unknown = True
    return _reading(chain, excess)


_AUXILIARIES = {_COMPLEMENT: "be", PARTICIPLE: "have", BASE: "do"}
"""What a linker consists of that has no other head, by what it leaves the verb to be."""


def _reading(chain: _Chain, excess: str | None) -> LinkerReading:
    lexical = [(head, classes) for head, classes in chain.heads if classes != {"modal"}]
    deciding = [] if chain.unknown else lexical or chain.heads
    if not deciding and not chain.unknown and chain.malformed is None:
        deciding = [(_AUXILIARIES[chain.expected], frozenset({"modal"}))]
    time = chain.time
    if chain.expected == PARTICIPLE and (chain.after_to or chain.modal):
        time = Time.OPEN if chain.modal in {"will", "shall"} else Time.PAST
    return LinkerReading(
        head=deciding[-1][0] if deciding else None,
        classes=frozenset(name for _, classes in deciding for name in classes),
        number=chain.number,
        time=time,
        simple_past=chain.simple_past,
        negated=chain.negated,
        excess=excess,
        object=chain.object,
        malformed=chain.malformed,
        wants=BASE
        if chain.malformed
        else {PARTICIPLE: PARTICIPLE, GERUND: GERUND, _COMPLEMENT: GERUND}.get(chain.expected, BASE),
    )


def _step(rest: list[str], chain: _Chain, knowledge: Knowledge) -> list[str]:
    """Read one link of the chain; what is left."""
    first = rest[0]
    if chain.expected == _COMPLEMENT:
        return _complement(rest, chain, knowledge)
    if first == "to":
        # "ought" is gone by now; any other "to" here follows a modal or do.
        chain.malformed = "has “to” where the verb should follow at once"
        return []
    if chain.expected in {BASE, PARTICIPLE} and first in {"likely", "unlikely"} and len(rest) == 1:
        return []  # "will likely"
    if chain.expected == _FINITE:
        if first in _MODALS - {"need", "dare"} or "m" in _pos(first, knowledge) or (first == "need" and rest[1:2] != ["to"]):
            return _modal(rest, chain, knowledge)
        if first in _DO:
            _finite(first, chain)
            chain.time = Time.PAST if first == "did" else Time.PRESENT
            chain.undecided = False
            chain.expected = BASE
            return rest[1:]
        if first == "used" and rest[1:2] == ["to"]:
            chain.simple_past = True
            chain.time, chain.undecided = Time.PAST, False
            chain.add("used", frozenset({"modal"}))
            chain.expected = BASE
            return rest[2:]
    if first in _BE.get(chain.expected, ()):
        _finite(first, chain)
        chain.expected = _COMPLEMENT
        return rest[1:]
    if first in _HAVE.get(chain.expected, ()):
        return _have(rest, chain)
    return _lexical(rest, chain, knowledge)


def _finite(word: str, chain: _Chain) -> None:
    if chain.expected == _FINITE:
        chain.number = "singular" if word in _SINGULAR else "plural" if word in _PLURAL else None
        chain.simple_past = word in _PAST_FORMS
    chain.after_to = False


def _modal(rest: list[str], chain: _Chain, knowledge: Knowledge) -> list[str]:
    first = rest[0]
    chain.modal = first
    # The modals are a closed class; the list may say more of one.
    chain.add(first, knowledge.classes("linkers", first) or frozenset({"modal"}))
    chain.time = Time.OPEN if first in _OPEN_MODALS else Time.FUTURE
    chain.undecided = False
    chain.expected = BASE
    if first == "ought":
        if rest[1:2] != ["to"]:
            chain.malformed = "lacks “to” after ought"
        return rest[2:]
    if rest[1:2] == ["to"]:
        chain.malformed = "has “to” after a modal"
    return rest[1:]


def _have(rest: list[str], chain: _Chain) -> list[str]:
    first, tail = rest[0], rest[1:]
    was_finite = chain.expected == _FINITE
    had_to = chain.after_to
    _finite(first, chain)
    if tail[:1] == ["got"] and tail[1:2] == ["to"]:
        tail = tail[1:]
    if tail[:1] == ["to"]:
        chain.add("have", frozenset({"modal"}))
        if was_finite:
            chain.time, chain.undecided = (Time.PAST if first == "had" else Time.FUTURE), False
        chain.expected = BASE
        chain.after_to = True
        return tail[1:]
    end = tail.index("to") if "to" in tail else len(tail)
    if tail[:1] and tail[0] in _DETERMINERS and end < len(tail):
        if tail[end - 1] in _TENDENCIES:
            chain.add("have", frozenset({"raising"}))
            chain.time = Time.PAST if first == "had" else Time.PRESENT
            chain.expected, chain.after_to, chain.undecided = BASE, True, False
            return tail[end + 1 :]
        chain.unknown = True
        return []
    if tail[:1] == ["better"] and first == "had":
        chain.time, chain.undecided, chain.simple_past = Time.FUTURE, False, False
        chain.add("have", frozenset({"modal"}))
        chain.expected = BASE
        return tail[1:]
    if was_finite:
        chain.time = Time.PAST if first == "had" else Time.PERFECT
        chain.perfect = True
    elif had_to or chain.modal:
        chain.time, chain.undecided = (Time.OPEN if chain.modal in {"will", "shall"} else Time.PAST), False
    chain.expected = PARTICIPLE
    chain.after_to = had_to
    return tail


def _complement(rest: list[str], chain: _Chain, knowledge: Knowledge) -> list[str]:
    """What follows a form of *be*: an adjective or participle with its *to*, or *to* alone."""
    end = rest.index("to") if "to" in rest else len(rest)
    phrase = rest[:end]
    if phrase[:1] == ["being"]:
        return rest[1:]
    if not phrase:
        chain.add("be", frozenset({"modal"}))
        _decide(chain, frozenset({"future"}), "be")
        chain.expected, chain.after_to = BASE, True
        return rest[1:]
    found = _complement_head(phrase, knowledge)
    if found is None:
        lost = [i for i, word in enumerate(phrase) if i and word in _OBJECTS and phrase[0] not in _PREPOSITIONS]
        if lost:
            chain.object = " ".join(phrase[lost[0] :])
        chain.unknown = True
        if end == len(rest) and _complement_head(phrase[:1], knowledge):
            chain.unknown = False
            chain.add(phrase[0], knowledge.classes("linkers", phrase[0]))
            chain.malformed = "lacks its final “to”"
        return []
    head, classes = found
    chain.add(head, classes)
    _decide(chain, classes, head)
    if end == len(rest):
        chain.malformed = "lacks its final “to”"
        return []
    chain.expected, chain.after_to = BASE, True
    return rest[end + 1 :]


def _complement_head(phrase: list[str], knowledge: Knowledge) -> tuple[str, frozenset[str]] | None:
    for start in range(len(phrase)):
        tail = " ".join(phrase[start:])
        if "a" in _pos(tail, knowledge):
            return tail, knowledge.classes("linkers", tail)
    if phrase[-1] in _PERIPHRASTIC:
        return phrase[-1], frozenset({"future"})
    # A participle is an entry of its own: who wants is a person, and what is expected is not.
    for lemma, after in _catenatives(phrase, {GERUND}, knowledge):
        if not after:
            return lemma, knowledge.classes("linkers", lemma)
    return None


def _decide(chain: _Chain, classes: frozenset[str], head: str) -> None:
    """The time that a predicate after *be* or *have been* gives, or an adjective after *seem*."""
    if not chain.undecided:
        return
    past = chain.time in {Time.PAST, Time.PERFECT} or chain.simple_past
    if classes & {"aspect"} or head in _REPORTED:
        chain.time = chain.time if chain.perfect else Time.PAST if past else Time.PRESENT
    else:
        # What was going to happen may have happened by now, or may still.
        chain.time = Time.OPEN if past else Time.FUTURE
    chain.undecided = False


def _lexical(rest: list[str], chain: _Chain, knowledge: Knowledge) -> list[str]:
    """A catenative verb such as *seem*, *turn out* or *begin*, with its *to*."""
    kinds = {_FINITE: {PRESENT, PAST, BASE}}.get(chain.expected, {chain.expected})
    for lemma, tail in _catenatives(rest, kinds, knowledge):
        kind = _kind(rest[0], lemma, kinds, knowledge)
        return _catenative(lemma, kind, tail, chain, knowledge)
    if any(_catenatives(rest, {BASE, PRESENT, PAST, PARTICIPLE, GERUND}, knowledge)):
        chain.malformed = f"has “{rest[0]}” in a form that cannot stand there"
        return []
    verb = rest[0] in knowledge.verb_forms
    end = rest.index("to") if "to" in rest else len(rest)
    if verb and 1 < end < len(rest) and (rest[1] in _OBJECTS or rest[1] not in knowledge.verb_forms):
        chain.object = " ".join(rest[1:end])
    chain.unknown = True
    return []


def _catenative(lemma: str, kind: str, tail: list[str], chain: _Chain, knowledge: Knowledge) -> list[str]:
    classes = knowledge.classes("linkers", lemma)
    if chain.expected == _FINITE:
        chain.number = {BASE: "plural", PRESENT: "singular"}.get(kind)
        chain.simple_past = kind == PAST
        chain.time = Time.PAST if kind == PAST else Time.PRESENT
    end = tail.index("to") if "to" in tail else len(tail)
    inner = tail[:end]
    if inner:
        found = _complement_head(inner, knowledge)
        if found is None:
            if inner[0] in _OBJECTS or inner[0] not in knowledge.verb_forms:
                chain.object = " ".join(inner)
                chain.add(lemma, classes)
                chain.expected = BASE
            else:
                chain.unknown = True
            return []
        # "seems likely" is as raising as its adjective: the adjective decides.
        chain.add(*found)
        _decide(chain, found[1], found[0])
    else:
        chain.add(lemma, classes)
        if classes & {"modal", "control", "ambiguous", "purpose"} and chain.time is Time.PRESENT:
            chain.time = Time.FUTURE
    chain.undecided = False
    if end == len(tail):
        if (classes & {"aspect"} or lemma in _WITH_GERUND) and not inner:
            chain.expected = GERUND
        else:
            chain.malformed = "lacks its final “to”"
        return []
    chain.expected, chain.after_to = BASE, True
    return tail[end + 1 :]


def _catenatives(words: list[str], kinds: set[str], knowledge: Knowledge) -> Iterator[tuple[str, list[str]]]:
    """(entry, words after it) of the catenative verbs that the words can begin with, the longest entry first."""
    for form in knowledge.verb_forms.get(words[0], ()):
        if form.kind not in kinds:
            continue
        for length in (3, 2, 1):
            phrase = " ".join([form.lemma, *words[1:length]])
            if len(words) >= length and "v" in _pos(phrase, knowledge):
                yield phrase, words[length:]


def _kind(word: str, lemma: str, kinds: set[str], knowledge: Knowledge) -> str:
    verb = lemma.split()[0]
    found = [f.kind for f in knowledge.verb_forms.get(word, ()) if f.lemma == verb and f.kind in kinds]
    return found[0] if found else BASE


def _pos(form: str, knowledge: Knowledge) -> str:
    entry = knowledge.entry("linkers", form)
    return "".join(entry.values("pos")) if entry is not None else ""


def _is_adverb(word: str, knowledge: Knowledge) -> bool:
    if knowledge.entry("linkers", word) is not None:
        return False
    return word in _ADVERBS or (word.endswith("ly") and word not in {"likely", "unlikely", "lovely"})
