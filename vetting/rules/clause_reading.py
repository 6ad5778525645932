"""The clauses of a sentence read off its words: which noun phrase is the subject of which verb, and what stands between them.

For minimal pairs, whose acceptable member is a plain sentence of known words. It needs no parser: closed classes, verb forms and noun
forms decide, and a stack holds the clauses that still wait for their verb. What it cannot tell it leaves open (None), so that a rule
has nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordset import word_set

MODALS = word_set("can could will would shall should must may might cannot")
_FULL = word_set("do does did is are was were am has have had be been being")
_NEGATED = word_set(
    "don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't won't wouldn't shan't shouldn't mustn't"
    " mightn't needn't oughtn't ain't"
)
AUXILIARIES = MODALS | (_FULL - word_set("be been being")) | _NEGATED
"""Finite auxiliaries, contracted with *not* or not."""
REFLEXIVES = word_set("myself yourself himself herself itself ourselves yourselves themselves")
SINGULAR = word_set("a an this that every each another one either neither")
"""Determiners of singular nouns."""
PLURAL = word_set("these those many few several both two three four five six seven eight nine ten various numerous")
"""Determiners of plural nouns."""
_OTHER_DETERMINERS = word_set(
    "the my your his her its our their some any no all most certain such enough more fewer less half what which whose"
)
_DETERMINERS = SINGULAR | PLURAL | _OTHER_DETERMINERS
_SUBJECT_PRONOUNS = {"i": "sg", "he": "sg", "she": "sg", "it": "sg", "we": "pl", "they": "pl"}
_PRONOUNS = _SUBJECT_PRONOUNS.keys() | word_set(
    "you him me us them somebody someone anybody anyone everybody everyone nobody something anything everything nothing there"
)
_INDEFINITE = word_set("somebody someone anybody anyone everybody everyone nobody something anything everything nothing")
_RELATIVES = word_set("who that which whom")
_AFTER_NOUNS = AUXILIARIES | _RELATIVES | {"of", "wanna"}
"""Before these the last word is a noun, even one that could be a verb: the old nurses wanna leave."""
_QUESTIONS = word_set("who whom whose what which when where why how")
_OPENERS = word_set("that whether if because who what when where why how although while before after since until unless when")
PREPOSITIONS = word_set(
    "of in at on from with without for by near behind under over among between outside inside about against to into onto through"
    " around across like toward towards after before during despite since upon along beside beneath up down off out away"
)
_ADVERBS = word_set(
    "not never ever often always really also still already just only even then now soon again once rather quite very too yet almost"
    " hardly barely scarcely rarely seldom"
)
FUNCTION_WORDS = frozenset(
    _DETERMINERS | _PRONOUNS | _RELATIVES | _QUESTIONS | _OPENERS | PREPOSITIONS | _ADVERBS | AUXILIARIES | REFLEXIVES
) | word_set("and or but nor so yet as to there here please")
_NO_HEADS = PREPOSITIONS | _ADVERBS | _OPENERS | _DETERMINERS | _PRONOUNS | AUXILIARIES
_OPEN_CLAUSES = _RELATIVES | {"what", "when", "where", "why", "how"}
_NOT_BEFORE_NOUNS = PREPOSITIONS | AUXILIARIES | _OPENERS
_NOT_BEFORE_VERBS = PREPOSITIONS | AUXILIARIES | _RELATIVES
_BEFORE_VERBS = _ADVERBS | _FULL
_TIMES = word_set("last next yesterday today tomorrow tonight")
"""With which an adverbial begins after the nouns of a phrase: bought the bucket last night."""
EITHER_NUMBER = word_set(
    "sheep deer fish moose elk bison salmon trout cod squid shrimp series species offspring aircraft spacecraft hovercraft crossroads"
    " headquarters means swine grouse buffalo"
)
"""Nouns whose plural is like their singular."""
_GENDERS = {"male": "m", "female": "f"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: places of its first word, its head and the word after it."""

    start: int
    head: int
    end: int
    words: tuple[str, ...]
    """As they are written, in the whole phrase; a possessor is a part."""
    number: str | None
    """``sg`` or ``pl``; None where its words do not tell."""
    possessor: str = ""
    """The head of its possessor, as it is written."""
    coordinated: bool = False

    @property
    def noun(self) -> str:
        """The head as it is written."""
        return self.words[self.head - self.start]

    @property
    def shown(self) -> str:
        """The phrase as it is written."""
        return " ".join(self.words)


@dataclass(slots=True)
class Clause:
    """A clause: its subject, the place of its finite verb or auxiliary, and of its main verb."""

    kind: str
    """``main``, ``complement`` or ``relative``."""
    subject: Phrase | None = None
    finite: int | None = None
    verb: int | None = None
    objects: list[Phrase] = field(default_factory=list)
    attractors: list[Phrase] = field(default_factory=list)
    """Noun phrases that stand between the subject's head and its verb."""
    anaphors: list[int] = field(default_factory=list)
    inverted: bool = False
    parent: Clause | None = None
    """The clause that it stands in."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read: the clauses in the order of their beginnings, and every noun phrase."""

    clauses: tuple[Clause, ...]
    phrases: tuple[Phrase, ...]
    whole: bool
    """Whether every clause got its verb."""

    def of_anaphor(self, place: int) -> Clause | None:
        """The clause that an anaphor at that place stands in."""
        return next((clause for clause in self.clauses if place in clause.anaphors), None)

    def of_verb(self, place: int) -> Clause | None:
        """The clause whose finite verb stands at that place."""
        return next((clause for clause in self.clauses if clause.finite == place), None)


def is_verb(word: str, knowledge: Knowledge, *kinds: str) -> bool:
    """Whether a word can be one of these forms of a verb (any, where none is named)."""
    return any(not kinds or form.kind in kinds for form in knowledge.verb_forms.get(word, ()))


def number_of_noun(word: str) -> str | None:
    """``sg`` or ``pl`` by the dictionary; None for a word that is both, or unknown."""
    if word in {"people", "police"}:
        return "pl"
    if word in EITHER_NUMBER:
        return None
    found = load_dictionary().number(word)
    return {"singular": "sg", "plural": "pl"}.get(found or "")


def read_clauses(words: Sequence[str], knowledge: Knowledge) -> Reading:
    """The clauses of a sentence, given as its words without the final mark."""
    return _read(tuple(words), knowledge)


@lru_cache(maxsize=4096)
def _read(words: tuple[str, ...], knowledge: Knowledge) -> Reading:
    return _Reader(words, knowledge).read()


class _Reader:
    def __init__(self, words: tuple[str, ...], knowledge: Knowledge) -> None:
        self.words = words
        self.low = tuple(word.casefold().strip(",;:") for word in words)
        self.knowledge = knowledge
        self.first = next((i for i, word in enumerate(self.low) if word not in _ADVERBS), 0)
        """The place of the first word that is no adverb: only she, even ice."""
        self.nouns = load_dictionary().nouns
        self.plurals = load_dictionary().plurals
        self.clauses: list[Clause] = [Clause("main")]
        self.stack: list[Clause] = [self.clauses[0]]
        self.phrases: list[Phrase] = []
        self.lost = False
        """Whether a finite verb stands where no clause waits for one."""
        self.before = ""
        """What stood last: ``np``, ``verb``, ``p``, ``and``, or nothing."""

    def read(self) -> Reading:
        place = 0
        while place < len(self.words):
            place = max(self._step(place), place + 1)
        whole = not self.lost and all(clause.finite is not None or clause.subject is None for clause in self.clauses)
        return Reading(tuple(self.clauses), tuple(self.phrases), whole)

    def _step(self, i: int) -> int:
        word = self.low[i]
        top = self.stack[-1]
        if word in REFLEXIVES:
            self._governing().anaphors.append(i)
            self.before = "np"
            return i + 1
        if word == "and":
            self.before = "and" if self.before == "np" else ""
            return i + 1
        if word in AUXILIARIES:
            return self._auxiliary(i, top)
        if i == 0 and word in _OPEN_CLAUSES and self._next_is_auxiliary(i):
            return i + 1
        if word in _OPENERS and self._opens_clause(i):
            return self._open(i)
        if word == "to" and i + 1 < len(self.low) and is_verb(self.low[i + 1], self.knowledge, BASE):
            self.before = "verb"
            return i + 2
        if self._starts_phrase(i):
            return self._phrase(i)
        is_verb_like = word == "like" and self.before == "np" and self._waits(top)
        if word in PREPOSITIONS and not is_verb_like:
            self.before = "p"
            return i + 1
        if word in _ADVERBS or (word.endswith("ly") and word not in self.nouns):
            return i + 1
        if is_verb(word, self.knowledge):
            return self._verb(i, i)
        return i + 1

    # ----- verbs

    def _next_is_auxiliary(self, i: int) -> bool:
        return i + 1 < len(self.low) and self.low[i + 1] in AUXILIARIES

    def _auxiliary(self, i: int, top: Clause) -> int:
        if top.subject is None and top.finite is None and top.kind == "main" and (i == 0 or self.low[0] in _QUESTIONS):
            # Before its subject: a question.
            top.finite, top.inverted = i, True
            self.before = ""
            return i + 1
        j = i + 1
        while j < len(self.low) and (
            self.low[j] in _BEFORE_VERBS or (self.low[j].endswith("ly") and self.low[j] not in self.nouns)
        ):
            j += 1
        is_main = (
            j < len(self.low) and is_verb(self.low[j], self.knowledge, BASE, PARTICIPLE, GERUND) and not self._is_noun_only(j)
        )
        verb = j if is_main and self.low[j] not in _DETERMINERS and not self.words[j][:1].isupper() else i
        self._verb(i, verb)
        return verb + 1 if verb != i else j

    def _verb(self, i: int, verb: int) -> int:
        """A finite verb group that starts at `i`, with its main verb at `verb`."""
        top = self.stack[-1]
        is_finite = self.low[i] in AUXILIARIES or is_verb(self.low[i], self.knowledge, BASE, PRESENT, PAST)
        if top.inverted and top.verb is None and top.subject is not None:
            top.verb = i
        elif is_finite and self._waits(top):
            top.finite, top.verb = i, verb
        elif is_finite and (waiting := self._outer_waiting()) is not None:
            while self.stack[-1] is not waiting:
                self.stack.pop()
            if waiting.inverted:
                waiting.verb = verb
            else:
                waiting.finite, waiting.verb = i, verb
        elif is_finite and self.before == "np" and self._embeds(top) and top.objects:
            subject = top.objects.pop()
            self._push(Clause("complement", subject, i, verb))
        elif top.subject is None or self.low[i] in AUXILIARIES or is_verb(self.low[i], self.knowledge, PRESENT):
            self.lost = True
        self.before = "verb"
        return verb + 1

    @staticmethod
    def _waits(clause: Clause) -> bool:
        return clause.subject is not None and (clause.finite is None or (clause.inverted and clause.verb is None))

    def _outer_waiting(self) -> Clause | None:
        return next((clause for clause in reversed(self.stack) if self._waits(clause)), None)

    def _governing(self) -> Clause:
        return next((clause for clause in reversed(self.stack) if clause.finite is not None), self.stack[0])

    def _embeds(self, clause: Clause) -> bool:
        if clause.verb is None:
            return False
        word = self.low[clause.verb]
        lemmas = [form.lemma for form in self.knowledge.verb_forms.get(word, ())]
        return any(self.knowledge.classes("predicates", lemma) & {"responsive", "antirogative", "doubtful"} for lemma in lemmas)

    # ----- clauses

    def _opens_clause(self, i: int) -> bool:
        word = self.low[i]
        if i + 1 >= len(self.low):
            return False
        if self.before == "np":
            return word in _RELATIVES or word in {"whether", "if", "because"}
        if word == "that":
            return self._is_complementizer(i)
        if word in {"before", "after", "since", "when", "while"}:
            return False
        return self.before == "verb"

    def _is_complementizer(self, i: int) -> bool:
        """Whether *that* cannot be the determiner of what follows: before another determiner, a name, a pronoun, a plural."""
        if i + 1 >= len(self.low) or not self.before:
            return False
        if self.words[i + 1][:1].isupper() or self.low[i + 1] in _DETERMINERS | _PRONOUNS:
            return True
        following = (word.removesuffix("'s") for word in self.low[i + 1 : i + 4])
        nouns = [word for word in following if word in self.nouns or word in self.plurals]
        return bool(nouns) and number_of_noun(nouns[0]) == "pl"

    def _open(self, i: int) -> int:
        word = self.low[i]
        is_relative = self.before == "np" and word in _RELATIVES
        top = self.stack[-1]
        if is_relative and not self._waits(top) and self._takes_addressee(top):
            is_relative = False
        if is_relative:
            clause = Clause("relative")
            if self._verb_follows(i + 1):
                clause.subject = self.phrases[-1] if self.phrases else None
        else:
            clause = Clause("complement")
            if word in {"who", "what", "which"} and self._verb_follows(i + 1):
                clause.subject = Phrase(i, i, i + 1, (self.words[i],), None)
        self._push(clause)
        self.before = ""
        return i + 1

    def _takes_addressee(self, clause: Clause) -> bool:
        if clause.verb is None:
            return False
        lemmas = [form.lemma for form in self.knowledge.verb_forms.get(self.low[clause.verb], ())]
        wanted = {"needs_addressee", "takes_addressee"}
        return any(self.knowledge.classes("predicates", lemma) & wanted for lemma in lemmas) and bool(clause.objects)

    def _verb_follows(self, i: int) -> bool:
        while i < len(self.low) and (self.low[i] in _ADVERBS or (self.low[i].endswith("ly") and self.low[i] not in self.nouns)):
            i += 1
        if i >= len(self.low):
            return False
        return self.low[i] in AUXILIARIES or (
            not self._starts_phrase(i) and is_verb(self.low[i], self.knowledge, BASE, PRESENT, PAST)
        )

    def _push(self, clause: Clause) -> None:
        clause.parent = self.stack[-1]
        self.clauses.append(clause)
        self.stack.append(clause)

    # ----- noun phrases

    def _is_noun_only(self, i: int) -> bool:
        word = self.low[i]
        return (word in self.plurals or word in self.nouns) and not is_verb(word, self.knowledge)

    def _is_noun(self, i: int) -> bool:
        word = self.low[i].removesuffix("'s").removesuffix("'").rpartition("-")[2]
        if word in self.nouns or word in self.plurals or self.knowledge.entry("nouns", word) is not None:
            return True
        # What no dictionary has is most likely a noun.
        return word not in load_dictionary().forms and word.isalpha() and not is_verb(word, self.knowledge)

    def _starts_phrase(self, i: int) -> bool:
        word, written = self.low[i], self.words[i]
        if word in REFLEXIVES or word in AUXILIARIES:
            return False
        if word in _DETERMINERS or word in _PRONOUNS:
            return word != "that" or not self._is_complementizer(i)
        if written[:1].isupper() and (i > 0 or self._is_name(i)):
            return True
        if word in PREPOSITIONS or word in _ADVERBS or word in _OPENERS:
            return False
        if word.endswith(("'s", "s'")):
            return True
        if not self._is_noun(i) and word not in _GENDERS and word not in load_dictionary().adjectives:
            return False
        # A bare noun: a plural or mass noun where no verb is due.
        top = self.stack[-1]
        due = self.before != "and" and (
            self._waits(top)
            or (self.before == "np" and (self._outer_waiting() is not None or (bool(top.objects) and self._embeds(top))))
        )
        if due and is_verb(word, self.knowledge, BASE, PRESENT, PAST):
            return False
        return self._is_noun(i) and (not is_verb(word, self.knowledge) or number_of_noun(word) == "pl" or i == self.first)

    def _is_name(self, i: int) -> bool:
        word = self.low[i].removesuffix("'s")
        if word in _NO_HEADS:
            return False
        return self.knowledge.entry("names", word) is not None or not (word in self.nouns or word in self.plurals)

    def _phrase(self, i: int) -> int:
        phrase, end = self._read_phrase(i)
        top = self.stack[-1]
        self.phrases.append(phrase)
        waits = self._waits(top)
        if self.before == "and" and len(self.phrases) > 1 and top.subject is self.phrases[-2] and waits:
            first = self.phrases[-2]
            words = self.words[first.start : end]
            joined = Phrase(first.start, first.head, end, words, "pl", first.possessor, coordinated=True)
            self.phrases[-1] = joined
            top.subject = joined
        elif top.subject is None:
            top.subject = phrase
        elif waits and self.before == "np":
            # Two phrases side by side: a relative clause without its pronoun.
            self._push(Clause("relative", phrase))
        elif waits:
            top.attractors.append(phrase)
        else:
            if (outer := self._outer_waiting()) is not None:
                outer.attractors.append(phrase)
            if self.before == "verb" or (self.before == "np" and self._embeds(top)):
                top.objects.append(phrase)
        # A gerund has its object like a verb: the girls' upsetting Angela.
        self.before = "verb" if phrase.possessor and self._is_gerund(phrase.head) else "np"
        return end

    def _is_gerund(self, i: int) -> bool:
        return is_verb(self.low[i], self.knowledge, GERUND)

    def _read_phrase(self, i: int) -> tuple[Phrase, int]:
        word = self.low[i]
        if word in _PRONOUNS:
            number = _SUBJECT_PRONOUNS.get(word) or ("sg" if word in _INDEFINITE else None)
            return Phrase(i, i, i + 1, (self.words[i],), number), i + 1
        start, determiner = i, ""
        if word in _DETERMINERS:
            determiner = word
            i += 1
            if determiner in {"a", "an"} and self.low[i : i + 2] == ("lot", "of"):
                determiner, i = "a lot of", i + 2
            if determiner in {"all", "most", "some", "both", "half"} and self.low[i : i + 1] == ("of",):
                i += 1
            while i < len(self.low) and self.low[i] in _DETERMINERS:
                determiner = self.low[i] if determiner not in PLURAL else determiner
                i += 1
        # What begins a phrase is in it, whatever may follow.
        end = max(self._noun_end(i), start + 1)
        head = max(start, end - 1)
        if self.low[head].endswith(("'s", "s'")) and end < len(self.low) and end > i:
            # A possessor: the phrase goes on, and what it is of does not count.
            possessor = self.words[head]
            rest, after = self._possessed(end)
            number = "sg" if self._is_gerund(rest) else self._number("", rest)
            whole = Phrase(start, rest, after, self.words[start:after], number, possessor)
            return whole, after
        return Phrase(start, head, end, self.words[start:end], self._number(determiner, head)), end

    def _possessed(self, i: int) -> tuple[int, int]:
        end = self._noun_end(i)
        head = max(i, end - 1)
        if self._is_gerund(i):
            return i, i + 1
        if self.low[head].endswith(("'s", "s'")) and end < len(self.low) and end > i:
            return self._possessed(end)
        return head, max(end, i + 1)

    def _noun_end(self, i: int) -> int:
        """Where the nouns of a phrase end that goes on at `i`: names, or adjectives and nouns up to the head."""
        if i >= len(self.low):
            return i
        if self.words[i][:1].isupper() or (self.low[i] not in _DETERMINERS and i == 0 and self._is_name(i)):
            j = i
            while j < len(self.low) and (j == i or (self.words[j][:1].isupper() and not self.low[j - 1].endswith(("'s", "s'")))):
                j += 1
            # French teachers: a capital before a noun is an adjective.
            if j < len(self.low) and not self.low[j - 1].endswith("'s") and self._goes_on(i, j):
                return self._run_end(j)
            return j
        return self._run_end(i)

    def _goes_on(self, i: int, j: int) -> bool:
        return (
            i > 0
            and (self.low[i - 1] in _DETERMINERS or self.low[i - 1].endswith(("'s", "s'")))
            and self._is_noun(j)
            and (not is_verb(self.low[j], self.knowledge) or self.low[j + 1 : j + 2] in {("who",), ("whose",)})
            and self.low[j] not in _NOT_BEFORE_NOUNS
        )

    def _run_end(self, i: int) -> int:
        j = i
        while j < len(self.low) and self._is_open_class(j):
            if j > i and self.low[j] in _TIMES and self._is_noun(j - 1):
                break
            j += 1
            if self.low[j - 1].endswith(("'s", "s'")) and self._is_noun(j - 1):
                return j
        if j - i <= 1:
            return j
        before = self.low[j] if j < len(self.low) else ""
        # Before *that* and *who* the last word may be the verb: the man reports that.
        of_relative = self.stack[-1].kind == "relative" and self._outer_waiting() is not None
        may_be_verb = self._is_noun(j - 2) and self._agrees(j - 2, j - 1) and (before in _RELATIVES or of_relative)
        if before in _AFTER_NOUNS and self._is_noun(j - 1) and not may_be_verb:
            return j
        verb_due = self.stack[-1].subject is None or self._waits(self.stack[-1]) or self._outer_waiting() is not None
        embeds = self._embeds(self.stack[-1])
        asked = self.stack[-1].inverted and self.stack[-1].verb is None
        if asked and self._is_noun(j - 2) and is_verb(self.low[j - 1], self.knowledge, GERUND, PARTICIPLE):
            return j - 1
        for k in range(j - 1, i, -1):
            is_finite = self._agrees(k - 1, k)
            opens = embeds and not self.stack[-1].inverted and j < len(self.low)
            if is_finite and self._is_noun(k - 1) and (verb_due or opens):
                return k
            if not self._is_noun(k) and self._is_noun(k - 1):
                return k
        is_finite = is_verb(self.low[j - 1], self.knowledge, BASE, PRESENT)
        if verb_due and is_finite and self._is_noun(j - 2) and before not in _NOT_BEFORE_VERBS:
            # A verb is due and there is no other: this is one, although it does not agree.
            return j - 1
        return j

    def _agrees(self, noun: int, verb: int) -> bool:
        """Whether the word at `verb` can be the finite verb of a subject that ends at `noun`."""
        waiting = self._outer_waiting()
        of_subject = waiting.subject.number if waiting is not None and waiting.subject is not None else None
        number = of_subject if waiting is not None else number_of_noun(self.low[noun])
        kinds = {form.kind for form in self.knowledge.verb_forms.get(self.low[verb], ())}
        # After the auxiliary of a question the verb is a base form whatever its subject.
        of_question = any(clause.inverted and clause.verb is None for clause in self.stack)
        return PAST in kinds or (PRESENT in kinds and number != "pl") or (BASE in kinds and (number != "sg" or of_question))

    def _is_open_class(self, i: int) -> bool:
        word = self.low[i]
        return (
            word not in _DETERMINERS
            and word not in _PRONOUNS
            and word not in PREPOSITIONS
            and word not in _OPENERS
            and word not in AUXILIARIES
            and word not in REFLEXIVES
            and word not in _ADVERBS
            and word not in {"and", "or", "wanna"}
            and not self.words[i][:1].isupper()
            and not (word.endswith("ly") and word not in self.nouns and word not in load_dictionary().adjectives)
        )

    def _number(self, determiner: str, head: int) -> str | None:
        word = self.low[head].removesuffix("'s")
        if determiner in SINGULAR:
            return "sg"
        if determiner in PLURAL:
            return "pl"
        if head == 0 and not determiner and self.knowledge.entry("names", word) is None:
            return "pl" if word in self.plurals else None
        if self.words[head][:1].isupper() and (head > 0 or self._is_name(head)):
            return ("pl" if word.endswith("s") else None) if determiner == "the" else "sg"
        return number_of_noun(word)
