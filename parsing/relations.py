"""One vocabulary of relations over the labels of Universal Dependencies and of spaCy's own English pipelines.

A relation is (role, head, dependent), heads being words of content: the predicate and not its copula, the noun and not its
preposition, as in UD. What spaCy's labels (ClearNLP's, after Choi & Palmer 2012) say with other heads is turned round:

    UD                                      ClearNLP
    amuse -obj-> Anna                       amuse -dobj-> Anna
    story -nmod-> Mary, Mary -case-> about  story -prep-> about -pobj-> Mary
    clear -cop-> is, clear -nsubj-> It      is -acomp-> clear, is -nsubj-> It
    amuse -mark-> to                        amuse -aux-> to
    clear -csubj-> knows, clear -expl-> It  is -acomp-> clear, is -ccomp-> knows, is -nsubj-> It
    sold -aux:pass-> was                    sold -auxpass-> was
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from gapsmith.parsing.model import ROOT, Parse, Scheme, Token


class Role(StrEnum):
    """What a dependent is to its head."""

    ROOT = "root"
    SUBJECT = "subject"
    PASSIVE_SUBJECT = "passive-subject"
    CLAUSAL_SUBJECT = "clausal-subject"
    EXPLETIVE = "expletive"
    OBJECT = "object"
    INDIRECT_OBJECT = "indirect-object"
    OBLIQUE = "oblique"
    """A phrase under a preposition, of a verb or an adjective."""
    NOUN_PHRASE_ADVERBIAL = "noun-phrase-adverbial"
    """*(leave) tomorrow, (came) last week*."""
    MODIFIER = "modifier"
    """A phrase under a preposition, of a noun."""
    POSSESSOR = "possessor"
    CASE = "case"
    """From a noun to its preposition or to its *'s*."""
    STRANDED = "stranded"
    """From a verb to a preposition whose noun is not beside it; only where the labels say so."""
    COMPLEMENT_CLAUSE = "complement-clause"
    OPEN_COMPLEMENT = "open-complement"
    """A complement without a subject of its own: *likely to amuse, seems happy*."""
    ADVERBIAL_CLAUSE = "adverbial-clause"
    RELATIVE_CLAUSE = "relative-clause"
    NOUN_CLAUSE = "noun-clause"
    """*the decision to talk, a story told by Mary*."""
    MARKER = "marker"
    """*that, whether, to*, and a preposition before a verb."""
    AUXILIARY = "auxiliary"
    PASSIVE_AUXILIARY = "passive-auxiliary"
    COPULA = "copula"
    PARTICLE = "particle"
    """*cheer up*."""
    ADVERB = "adverb"
    ADJECTIVE = "adjective"
    DETERMINER = "determiner"
    NUMBER = "number"
    COMPOUND = "compound"
    """Words that are one name or noun together; which of them is the head differs between treebanks."""
    APPOSITION = "apposition"
    CONJUNCT = "conjunct"
    COORDINATOR = "coordinator"
    LOOSE = "loose"
    """Interjections, vocatives, parataxis."""
    PUNCTUATION = "punctuation"
    OTHER = "other"


class Relation(NamedTuple):
    """`head` and `dependent` are words of the parse, from 0; the head of the ROOT is -1."""

    role: Role
    head: int
    dependent: int


_UD: Mapping[str, Role] = {
    "root": Role.ROOT,
    "nsubj": Role.SUBJECT,
    "nsubj:outer": Role.SUBJECT,
    "nsubj:pass": Role.PASSIVE_SUBJECT,
    "csubj": Role.CLAUSAL_SUBJECT,
    "expl": Role.EXPLETIVE,
    "obj": Role.OBJECT,
    "iobj": Role.INDIRECT_OBJECT,
    "obl": Role.OBLIQUE,
    "obl:tmod": Role.NOUN_PHRASE_ADVERBIAL,
    "obl:npmod": Role.NOUN_PHRASE_ADVERBIAL,
    "obl:unmarked": Role.NOUN_PHRASE_ADVERBIAL,
    "nmod": Role.MODIFIER,
    "nmod:poss": Role.POSSESSOR,
    "nmod:tmod": Role.NOUN_PHRASE_ADVERBIAL,
    "nmod:npmod": Role.NOUN_PHRASE_ADVERBIAL,
    "nmod:unmarked": Role.NOUN_PHRASE_ADVERBIAL,
    "case": Role.CASE,
    "ccomp": Role.COMPLEMENT_CLAUSE,
    "xcomp": Role.OPEN_COMPLEMENT,
    "advcl": Role.ADVERBIAL_CLAUSE,
    "advcl:relcl": Role.RELATIVE_CLAUSE,
    "acl": Role.NOUN_CLAUSE,
    "acl:relcl": Role.RELATIVE_CLAUSE,
    "mark": Role.MARKER,
    "aux": Role.AUXILIARY,
    "aux:pass": Role.PASSIVE_AUXILIARY,
    "cop": Role.COPULA,
    "compound:prt": Role.PARTICLE,
    "advmod": Role.ADVERB,
    "amod": Role.ADJECTIVE,
    "det": Role.DETERMINER,
    "det:predet": Role.DETERMINER,
    "nmod:desc": Role.COMPOUND,
    "nummod": Role.NUMBER,
    "compound": Role.COMPOUND,
    "flat": Role.COMPOUND,
    "fixed": Role.COMPOUND,
    "appos": Role.APPOSITION,
    "conj": Role.CONJUNCT,
    "cc": Role.COORDINATOR,
    "cc:preconj": Role.COORDINATOR,
    "discourse": Role.LOOSE,
    "vocative": Role.LOOSE,
    "parataxis": Role.LOOSE,
    "punct": Role.PUNCTUATION,
}
_CLEARNLP: Mapping[str, Role] = {
    "root": Role.ROOT,
    "ROOT": Role.ROOT,
    "nsubj": Role.SUBJECT,
    "nsubjpass": Role.PASSIVE_SUBJECT,
    "csubj": Role.CLAUSAL_SUBJECT,
    "csubjpass": Role.CLAUSAL_SUBJECT,
    "expl": Role.EXPLETIVE,
    "dobj": Role.OBJECT,
    "dative": Role.INDIRECT_OBJECT,
    "npadvmod": Role.NOUN_PHRASE_ADVERBIAL,
    "poss": Role.POSSESSOR,
    "case": Role.CASE,
    "prep": Role.STRANDED,
    "agent": Role.STRANDED,
    "ccomp": Role.COMPLEMENT_CLAUSE,
    "xcomp": Role.OPEN_COMPLEMENT,
    "acomp": Role.OPEN_COMPLEMENT,
    "attr": Role.OPEN_COMPLEMENT,
    "oprd": Role.OPEN_COMPLEMENT,
    "advcl": Role.ADVERBIAL_CLAUSE,
    "relcl": Role.RELATIVE_CLAUSE,
    "acl": Role.NOUN_CLAUSE,
    "mark": Role.MARKER,
    "aux": Role.AUXILIARY,
    "auxpass": Role.PASSIVE_AUXILIARY,
    "prt": Role.PARTICLE,
    "advmod": Role.ADVERB,
    "neg": Role.ADVERB,
    "amod": Role.ADJECTIVE,
    "det": Role.DETERMINER,
    "predet": Role.DETERMINER,
    "nummod": Role.NUMBER,
    "quantmod": Role.ADVERB,
    "compound": Role.COMPOUND,
    "nmod": Role.COMPOUND,
    "appos": Role.APPOSITION,
    "conj": Role.CONJUNCT,
    "cc": Role.COORDINATOR,
    "preconj": Role.COORDINATOR,
    "intj": Role.LOOSE,
    "parataxis": Role.LOOSE,
    "punct": Role.PUNCTUATION,
}
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET"})
_BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
_OF_CLAUSE = frozenset(
    [
        *("nsubj", "csubj", "csubjpass", "ccomp", "advcl", "mark", "aux", "neg", "advmod", "npadvmod"),
        *("prep", "punct", "cc", "conj", "preconj", "expl", "parataxis", "intj"),
    ]
)
"""What a copula hands to its predicate in UD."""


def relations(parse: Parse) -> tuple[Relation, ...]:
    """The relations of a parse in the one vocabulary, sorted by dependent."""
    tokens = parse.tokens
    if parse.scheme is Scheme.UD:
        return tuple(Relation(_ud_role(token.relation), token.head, index) for index, token in enumerate(tokens))
    return tuple(sorted(_from_clearnlp(_with_predicates(tokens)), key=lambda relation: (relation.dependent, relation)))


def _ud_role(label: str) -> Role:
    return _UD.get(label) or _UD.get(label.partition(":")[0], Role.OTHER)


def _with_predicates(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ClearNLP's tree with the predicate as the head of its copula."""
    done = list(tokens)
    for verb, token in enumerate(tokens):
        if token.text.lower() not in _BE:
            continue
        children = [index for index in range(len(tokens)) if tokens[index].head == verb]
        there = next((i for i in children if tokens[i].relation == "expl"), None)
        predicate = next((i for i in children if tokens[i].relation in {"acomp", "attr"}), None)
        if predicate is None:
            continue
        if there is not None:
            # "There is a story": UD takes the noun for the subject of a verb of existence.
            done[predicate] = replace(done[predicate], relation="nsubj")
            continue
        done[predicate] = replace(done[predicate], head=done[verb].head, relation=done[verb].relation)
        done[verb] = replace(done[verb], head=predicate, relation="cop")
        it = next((i for i in children if tokens[i].relation == "nsubj" and tokens[i].text.lower() == "it"), None)
        clause = next((i for i in children if tokens[i].relation == "ccomp" and i > predicate), None)
        for child in children:
            if child != predicate and tokens[child].relation in _OF_CLAUSE:
                relation = tokens[child].relation
                if it is not None and clause is not None:
                    relation = {it: "expl", clause: "csubj"}.get(child, relation)
                done[child] = replace(done[child], head=predicate, relation=relation)
    return tuple(done)


def _from_clearnlp(tokens: tuple[Token, ...]) -> Iterator[Relation]:
    # An object under a preposition takes the preposition's place, and the preposition becomes its case.
    objects = {
        token.head: index
        for index, token in reversed(list(enumerate(tokens)))
        if token.relation in {"pobj", "pcomp"} and token.head != ROOT
    }
    for index in reversed(range(len(tokens))):
        # "from under the desk": the outer preposition has the inner one's object.
        outer = tokens[index].head
        inner = index in objects and tokens[index].relation == "prep"
        if inner and outer != ROOT and tokens[outer].relation in _PREPOSITIONS:
            objects.setdefault(outer, objects[index])
    for index, token in enumerate(tokens):
        if token.relation == "cop":
            yield Relation(Role.COPULA, token.head, index)
        elif token.relation in {"pobj", "pcomp"}:
            yield Relation(_under_preposition(tokens, token), _governor(tokens, token.head), index)
        elif index in objects and token.relation in {*_PREPOSITIONS, "prep", "pcomp"}:
            inside = objects[index]
            yield Relation(Role.MARKER if tokens[inside].relation == "pcomp" else Role.CASE, inside, index)
        elif token.relation == "aux" and token.text.lower() == "to":
            yield Relation(Role.MARKER, token.head, index)
        else:
            head = token.head
            if head != ROOT and head in objects and tokens[head].relation in _PREPOSITIONS and token.relation != "prep":
                # What modifies a preposition ("right about it") modifies its noun.
                head = objects[head]
            elif head != ROOT and token.relation in _PREPOSITIONS:
                head = _governor(tokens, index)
            yield Relation(_CLEARNLP.get(token.relation, Role.OTHER), head, index)


def _governor(tokens: tuple[Token, ...], preposition: int) -> int:
    """The word that a preposition's phrase belongs to; a preposition over a preposition ("from under it") is skipped."""
    head = tokens[preposition].head
    while head != ROOT and tokens[head].relation in _PREPOSITIONS and tokens[preposition].relation in {"prep", "pcomp"}:
        preposition, head = head, tokens[head].head
    return head


def _under_preposition(tokens: tuple[Token, ...], token: Token) -> Role:
    governor = _governor(tokens, token.head)
    nominal = governor != ROOT and tokens[governor].upos in _NOMINAL
    if token.relation == "pcomp":
        return Role.NOUN_CLAUSE if nominal else Role.ADVERBIAL_CLAUSE
    return Role.MODIFIER if nominal else Role.OBLIQUE
