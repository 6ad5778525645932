"""A sentence of an item with its parse, for rules on the grammar of the whole sentence: the fullest condition, and which of its words all
conditions share. What is wrong with a shared word is no part of the design. The only place that reads a whole sentence for its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from gapsmith.parsing import ROOT, Role, Tree
from gapsmith.templates import load_dictionary
from gapsmith.vetting.roles import Differences, ItemRoles, Site
from gapsmith.vetting.rules.clause_reading import MODALS, PLURAL, PREPOSITIONS, SINGULAR, number_of_noun, read_clauses
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordset import word_set

_PIECE = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*['’]?")
SUBJECTS = frozenset({Role.SUBJECT, Role.PASSIVE_SUBJECT})
_EXPLETIVE = word_set("it")
AUXILIARY_ROLES = frozenset({Role.AUXILIARY, Role.PASSIVE_AUXILIARY, Role.COPULA})
SMALL_ADVERBS = word_set(
    "not n't never ever also just still always often even already only soon later once really actually almost hardly barely scarcely"
    " rarely seldom sometimes now then again perhaps simply quite rather all both"
)
BE = word_set("is are was were am be been being 's 're 'm")
HAVE = word_set("has have had having 've")
DO = word_set("do does did")
PRONOUNS = word_set("i you he she it we they me him her us them who whom which that this these those")
OBJECT_PRONOUNS = word_set("me him her us them it you")
DETERMINERS = word_set(
    "the a an this that these those my your his her its our their every each some any another no both many several few all most"
    " certain such one two three four five six seven eight nine ten half much more enough either neither what which whose"
)
TIME_NOUNS = word_set(
    "morning afternoon evening night day week weekend month year decade century hour minute moment time season summer winter spring autumn"
    " fall monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october"
    " november december christmas easter noon midnight lunch dinner breakfast dawn dusk today tonight tomorrow yesterday term semester"
    " holiday hours days weeks months years mornings evenings nights times"
)


_OPEN_OBJECTS = DETERMINERS | OBJECT_PRONOUNS
_MODAL_FORMS = MODALS | {"'ll", "'d", "wo", "ca"}


class SentenceReading:
    """The fullest condition of an item, word by word."""

    def __init__(self, roles: ItemRoles, tree: Tree, differences: Differences, knowledge: Knowledge) -> None:
        self.roles = roles
        self.tree = tree
        self.differences = differences
        self.knowledge = knowledge
        self.tokens = tree.parse.tokens
        self.text = tree.parse.text
        self.low = tuple(token.text.casefold().replace("’", "'") for token in self.tokens)
        self.base = differences.base

    @cached_property
    def _finite(self) -> dict[int, int]:
        """Predicate to its finite verb, where the words say it and not the parse."""
        return {}

    @cached_property
    def shared(self) -> tuple[bool, ...]:
        """Of each word, whether every condition that could be compared has it there."""
        shared = [True] * len(self.tokens)
        for site in self.differences.fine:
            start, end = site.spans[self.base]
            for word, token in enumerate(self.tokens):
                if start < token.end and token.start < end:
                    shared[word] = False
        return tuple(shared)

    def site_of(self, word: int) -> Site | None:
        """The place at which conditions differ that a word lies in."""
        token = self.tokens[word]
        for site in self.differences.fine:
            a, b = site.spans[self.base]
            if a < token.end and token.start < b:
                return site
        return None

    def words(self, first: int, last: int) -> str:
        """The words from `first` to `last` as they stand."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    # ----- what a word can be

    def kinds(self, word: int) -> frozenset[str]:
        """The forms of verbs that a word can be."""
        return self._forms(word)[0]

    def lemmas(self, word: int) -> tuple[str, ...]:
        """The verbs that a word can be a form of, the one that is meant first."""
        return self._forms(word)[1]

    def _forms(self, word: int) -> tuple[frozenset[str], tuple[str, ...]]:
        key = ("sentence", self.low[word])
        known = self.knowledge.readings.get(key)
        if not isinstance(known, tuple):
            forms = self.knowledge.verb_forms.get(self.low[word], ())
            inflected = sorted(forms, key=lambda form: form.kind == BASE)
            known = frozenset(form.kind for form in forms), tuple(dict.fromkeys(form.lemma for form in inflected))
            self.knowledge.readings[key] = known
        return known

    def is_noun(self, word: int) -> bool:
        """Whether the dictionary has the word as a noun."""
        small = self.low[word]
        return small in load_dictionary().nouns or small in load_dictionary().plurals

    def starts_phrase(self, word: int) -> bool:
        """Whether a noun phrase begins with a word, by closed classes and capitals."""
        return word < len(self.low) and (self.low[word] in _OPEN_OBJECTS or (self.tokens[word].text[:1].isupper() and word > 0))

    def after_adverbs(self, word: int) -> int:
        """The first word from here that is no adverb."""
        nouns = load_dictionary().nouns
        while word < len(self.low) and (
            self.low[word] in SMALL_ADVERBS
            or (self.low[word].endswith("ly") and self.low[word] not in nouns and not self.kinds(word))
        ):
            word += 1
        return word

    # ----- clauses

    def children(self, word: int, *roles: Role) -> list[int]:
        """The words that hang on a word in one of these roles, in the order of the sentence."""
        below = self.tree.below.get(word)
        if not below:
            return []
        return [child for child in below if self.tree.roles[child] in roles] if roles else list(below)

    def finite(self, predicate: int) -> int | None:
        """The finite verb of a predicate's clause: its first auxiliary or copula, else itself where it is a verb."""
        if predicate in self._finite:
            return self._finite[predicate]
        auxiliaries = self.children(predicate, *AUXILIARY_ROLES)
        if auxiliaries:
            return auxiliaries[0]
        return predicate if self.tokens[predicate].upos in {"VERB", "AUX"} else None

    def subjects(self) -> Iterator[tuple[int, int]]:
        """(head of the subject, predicate) of each clause that has a subject before its predicate."""
        yield from self._subjects

    @cached_property
    def _subjects(self) -> tuple[tuple[int, int], ...]:
        parsed = {}
        for word in range(len(self.tokens)):
            above = self.tree.heads.get(word, ROOT)
            role = self.tree.roles.get(word)
            is_subject = role in SUBJECTS or (role is Role.EXPLETIVE and self.low[word] in _EXPLETIVE)
            if is_subject and above != ROOT and word < above:
                parsed[above] = word
        # The subject of a relative clause without its pronoun's verb is often taken for the subject of the verb after the clause: what
        # the words alone say decides there.
        for subject, finite, verb in self.read_off:
            predicate = next((p for p in parsed if self.finite(p) == finite or p == verb), None)
            if predicate is None:
                above = self.tree.heads[finite]
                is_auxiliary = self.tree.roles[finite] in AUXILIARY_ROLES and above > finite
                predicate = above if is_auxiliary else verb
            elif not subject < parsed[predicate] < finite:
                continue
            if not {",", "and", "or", "but"} & set(self.low[subject:finite]):
                parsed[predicate] = subject
                self._finite[predicate] = finite
        return tuple(sorted((subject, predicate) for predicate, subject in parsed.items()))

    @cached_property
    def read_off(self) -> tuple[tuple[int, int, int], ...]:
        """(head of the subject, finite verb, main verb) of the clauses around relative clauses, read off the words."""
        pieces = list(_PIECE.finditer(self.text))
        reading = read_clauses([match.group() for match in pieces], self.knowledge)
        relatives = [clause for clause in reading.clauses if clause.kind == "relative"]
        if not reading.whole or not relatives:
            return ()
        places = {token.start: number for number, token in enumerate(self.tokens)}
        found = []
        for clause in reading.clauses:
            if clause.subject is None or clause.finite is None or clause.kind == "relative" or clause.subject.coordinated:
                continue
            inside = any(clause.subject.head < r.subject.start < clause.finite for r in relatives if r.subject is not None)
            if clause.subject.start and pieces[clause.subject.start - 1].group().casefold() in PREPOSITIONS:
                continue
            words = [clause.subject.head, clause.finite, clause.verb if clause.verb is not None else clause.finite]
            known = [places.get(pieces[word].start()) for word in words]
            if inside and known[0] is not None and known[1] is not None and known[2] is not None:
                found.append((known[0], known[1], known[2]))
        return tuple(found)

    def ancestors(self, word: int) -> Iterator[int]:
        """The words above a word, from the nearest up."""
        for _ in self.tokens:
            word = self.tree.heads[word]
            if word == ROOT:
                return
            yield word

    def tense(self, predicate: int) -> str:
        """``past``, ``perfect``, ``future``, ``modal``, ``present``, or nothing where the clause has no finite verb that tells."""
        first = self.finite(predicate)
        if first is None or "to" in [self.low[child] for child in self.children(predicate, Role.MARKER, Role.AUXILIARY)]:
            return ""
        auxiliaries = [self.low[child] for child in self.children(predicate, *AUXILIARY_ROLES)]
        small = self.low[first]
        if small in _MODAL_FORMS:
            if "have" in auxiliaries:
                return "past"
            return "future" if small in {"will", "shall", "'ll", "wo"} else "modal"
        if small in {"has", "have", "'ve"} and first != predicate:
            return "perfect"
        if small in {"had", "was", "were", "did"}:
            return "past"
        if small in {"is", "are", "am", "does", "do", "'s", "'re"}:
            return "present"
        kinds = self.kinds(first)
        if PAST in kinds and kinds & {BASE, PRESENT}:
            # "found" is of find before it is of found: the parser has seen the clause.
            return {"Past": "past", "Pres": "present"}.get(self.tree.features[first].get("Tense", ""), "either")
        if PAST in kinds and PRESENT not in kinds and BASE not in kinds:
            return "past"
        if kinds & {PRESENT, BASE} and PAST not in kinds:
            return "present"
        return "" if kinds <= {GERUND, PARTICIPLE} else "either"

    # ----- nouns

    def number(self, noun: int) -> str | None:
        """``sg`` or ``pl`` of a noun phrase, by its head and its determiner; None where they do not tell or disagree."""
        token, small = self.tokens[noun], self.low[noun]
        if self.children(noun, Role.CONJUNCT):
            return None
        if small in {"he", "she", "it", "this", "everyone", "everybody", "someone", "somebody", "nobody", "nothing", "something"}:
            return "sg"
        if small in {"they", "we", "these", "those", "i", "you"}:
            return "pl"
        if token.upos == "PROPN":
            plain = small in load_dictionary().plurals or small in load_dictionary().nouns
            return None if plain or small.endswith("s") or self.children(noun, Role.DETERMINER) else "sg"
        if token.upos != "NOUN":
            return None
        marks = {self.low[child] for child in self.children(noun, Role.DETERMINER, Role.NUMBER, Role.ADJECTIVE)}
        own = number_of_noun(small)
        if marks & {"few", "hundred", "dozen", "couple", "lot", "many"}:
            return "pl" if own == "pl" else None
        said = "sg" if marks & (SINGULAR - {"that"}) else "pl" if marks & PLURAL else None
        if said is not None and own is not None and said != own:
            return None
        return said or own
