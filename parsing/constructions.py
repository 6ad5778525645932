"""How often a treebank has each of five filler-gap constructions: over dependencies, and over trees in brackets.

The patterns over brackets are those of the appendix of the paper on five filler-gap constructions (SCiL 2022), for whoever has
the Penn Treebank. Those over dependencies (`gapsmith.parsing.patterns`) look for the same in Universal Dependencies. Both are coarse: they
count what looks like the construction; docs/constructions.md says what they let in and miss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gapsmith.parsing.brackets import read_bracket_pattern, read_brackets
from gapsmith.parsing.conllu import read_treebank
from gapsmith.parsing.patterns import Tree, read_pattern

CONSTRUCTIONS = ("clefts", "comp-quant", "embwhq", "topic", "tough")
"""In the order of the published counts."""

DEPENDENCIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    # "It was books that Mary bought": a noun with a copula, *it*, and a clause that is relative.
    "clefts": (
        "focus",
        (
            """focus -subject|expletive-> it[lower=it]; focus -copula-> [lemma=be]; it < focus
               focus[upos=NOUN|PROPN|PRON|ADV]; focus -relative-clause-> clause; focus < clause
               clause -> that[lower=that|who|which]; focus < that""",
        ),
    ),
    # "more books than Alfred read": *more* before a noun, *than* at the head of a clause with a verb and a subject of its own.
    "comp-quant": (
        "noun",
        (
            """noun[upos=NOUN] -> more[lower=more]; more < noun; noun < than
               noun ->> clause; clause[upos=VERB|AUX] -marker-> than[lower=than]; clause -subject-> subject""",
        ),
    ),
    # "knows what Mary bought", "knows what it is": a verb whose clause begins with *what* or *who*, or has it for its head.
    "embwhq": (
        "clause",
        (
            """verb[upos=VERB] -complement-clause-> clause; verb < wh; wh < clause
               clause ->> wh[lower=what|who]; no clause -marker-> [lower=that|if|whether]""",
            "verb[upos=VERB] -complement-clause-> clause[lower=what|who]; verb < clause",
        ),
    ),
    # "These books, Mary bought": an object before the subject before the verb, and no question.
    "topic": (
        "verb",
        (
            """verb[upos=VERB] -object-> object[upos=NOUN|PROPN|PRON]; verb -subject-> subject
               object < subject; subject < verb; no object ->> [xpos=WP|WDT|WRB|WP$]; no object[xpos=WP|WDT]
               no object ->> [lower=how]""",
        ),
    ),
    # "These books are hard to finish": an adjective with an infinitive that lacks its object, and a subject that is not *it*.
    "tough": (
        "adjective",
        (
            """adjective[lemma=easy|hard|difficult|impossible|tough|simple|tricky|fun|nice|pleasant|dangerous|expensive|safe]
               adjective -subject-> subject; no subject[lower=it|there]; subject < adjective
               adjective -open-complement|adverbial-clause|complement-clause-> verb[upos=VERB]; adjective < verb
               verb -marker|auxiliary-> [lower=to]; no verb -object-> [upos=NOUN|PRON|PROPN]""",
        ),
    ),
}
"""Construction to the word that stands for one occurrence, and its patterns over dependencies, one of which has to fit."""

BRACKETS: Mapping[str, tuple[str, str | None]] = {
    "clefts": ("S-CLF", None),
    "comp-quant": ("@NP << more & !<< (@ADJP << more) < (PP|SBAR < ( < than) & < @S)", None),
    "embwhq": ("VP < (SBAR < (/WH*/ << what|who))", None),
    "topic": ("/NP-TPC-?/ !<< ``", "`` $+ (/NP-TPC-?/ !<< ``)"),
    "tough": ("ADJP-PRD < (SBAR < /WHNP-*/)", None),
}
"""Construction to its pattern over brackets, and one whose matches are taken away again."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often files have each construction."""

    counts: Mapping[str, int]
    n_sentences: int
    how: str
    """``dependencies`` or ``brackets``."""


def count_constructions(paths: list[Path]) -> Counts:
    """The constructions of treebanks, all of one kind: CoNLL-U (``.conllu``, also ``.xz``), else trees in brackets.

    Raises `TreebankError` for a file that cannot be read."""
    over_dependencies = all(path.name.endswith((".conllu", ".conllu.xz")) for path in paths)
    return _over_dependencies(paths) if over_dependencies else _over_brackets(paths)


def _over_dependencies(paths: list[Path]) -> Counts:
    patterns = {name: (word, [read_pattern(text) for text in texts]) for name, (word, texts) in DEPENDENCIES.items()}
    counts: Counter[str] = Counter()
    n = 0
    for path in paths:
        for sentence in read_treebank(path):
            n += 1
            tree = Tree(sentence.parse)
            for name, (word, own) in patterns.items():
                counts[name] += len({match[word] for pattern in own for match in pattern.matches(tree)})
    return Counts({name: counts[name] for name in CONSTRUCTIONS}, n, "dependencies")


def _over_brackets(paths: list[Path]) -> Counts:
    patterns = {
        name: (read_bracket_pattern(found), read_bracket_pattern(less) if less is not None else None)
        for name, (found, less) in BRACKETS.items()
    }
    counts: Counter[str] = Counter()
    n = 0
    for path in paths:
        for tree in read_brackets(path):
            n += 1
            for name, (found, less) in patterns.items():
                counts[name] += found.count(tree) - (less.count(tree) if less is not None else 0)
    return Counts({name: counts[name] for name in CONSTRUCTIONS}, n, "brackets")
