"""Parse a corpus once and count what words occur with: the tables of `vetting/wordrates`.

    python -m tools.count_word_rates CORPUS.txt.xz --state FOLDER [--parts 20] [--passes 5]

The corpus has one paragraph a line. Its paragraphs are dealt into `--parts` parts; each pass parses one part and keeps its counts
in the state folder, so that a stopped count goes on where it was. The tables are written after every pass from all parts counted
so far, and their headers say how many there were.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from gapsmith.parsing.embedded import open_embedded
from gapsmith.parsing.lemmas import lemma_of
from gapsmith.parsing.model import Parse, Token
from gapsmith.vetting.rules.knowledge import load_knowledge
from gapsmith.vetting.wordrates import COLUMNS, MINIMUM

_WH = frozenset(["who", "whom", "whose", "what", "which", "why", "how", "where", "when", "whether"])
_WHO = frozenset(["who", "whom", "whose"])
_PERSONS = frozenset(
    [
        *("me", "you", "him", "her", "us", "whom", "who", "myself", "yourself", "himself", "herself", "ourselves"),
        *("everyone", "everybody", "someone", "somebody", "anyone", "anybody", "nobody"),
    ]
)
_TABLES = ("verbs", "particle_verbs", "nouns", "adjectives")


class Census:
    """Reads trees in UD and counts."""

    def __init__(self) -> None:
        self.words = 0
        self.sentences = 0
        self.tables: dict[str, dict[str, Counter[str]]] = {table: {} for table in _TABLES}
        self._given = frozenset(
            form for form, entry in load_knowledge().lists["names"].items() if "given" in entry.values("class")
        )

    def add(self, parse: Parse) -> None:
        """Count one sentence."""
        tokens = parse.tokens
        children: list[list[int]] = [[] for _ in tokens]
        for index, token in enumerate(tokens):
            if token.head >= 0:
                children[token.head].append(index)
        self.sentences += 1
        for index, token in enumerate(tokens):
            self.words += token.upos not in {"PUNCT", "SYM"}
            if not token.text.isascii() or not token.text.replace("-", "").isalpha():
                continue
            if token.upos == "VERB":
                self._verb(tokens, children, index)
            elif token.upos == "NOUN":
                self._noun(tokens, children, index)
            elif token.upos == "ADJ":
                self._adjective(tokens, children, index)

    def _row(self, table: str, word: str) -> Counter[str]:
        return self.tables[table].setdefault(word, Counter())

    def _verb(self, tokens: tuple[Token, ...], children: list[list[int]], verb: int) -> None:
        token = tokens[verb]
        lemma = lemma_of(token.text, "VERB")
        seen: set[str] = {"n"}
        of = children[verb]
        particles = [tokens[i].text.lower() for i in of if tokens[i].relation == "compound:prt"]
        if particles:
            seen.add("particle")
        passive = any(tokens[i].relation in {"aux:pass", "nsubj:pass", "csubj:pass"} for i in of)
        if passive:
            seen.add("passive")
        clauses = [i for i in of if i > verb and tokens[i].relation == "ccomp"]
        that = any(_marker(tokens, children, i) == "that" for i in clauses)
        wh = next((w for i in clauses if (w := _question_word(tokens, verb, i))), "")
        if that:
            seen.add("that")
        if wh:
            seen.add("wh")
        if wh in _WHO:
            seen.add("who")
        nominal = [i for i in of if tokens[i].relation in {"obj", "iobj"} and i > verb]
        if (that or wh) and nominal and nominal[0] < clauses[0]:
            seen.add("addressee")
        if not passive and _can_show_object(tokens, children, verb):
            seen.add("active")
            found = self._object(tokens, children, verb)
            if found is not None:
                seen.add("object")
                if self._is_person(tokens[found]):
                    seen.add("person")
        self._row("verbs", lemma).update(seen)
        if len(particles) == 1:
            self._row("particle_verbs", f"{lemma} {particles[0]}").update(seen - {"particle"})

    def _object(self, tokens: tuple[Token, ...], children: list[list[int]], verb: int) -> int | None:
        own = [i for i in children[verb] if tokens[i].relation == "obj"]
        if not own and tokens[verb].relation == "conj":
            # "She opened and read the letter": UD hangs a shared object on the first verb.
            own = [i for i in children[tokens[verb].head] if tokens[i].relation == "obj" and i > verb]
        return own[0] if own else None

    def _is_person(self, token: Token) -> bool:
        small = token.text.lower()
        return small in _PERSONS or (token.upos == "PROPN" and small in self._given)

    def _noun(self, tokens: tuple[Token, ...], children: list[list[int]], noun: int) -> None:
        token = tokens[noun]
        seen = {"n"}
        if "Number=Plur" in token.feats:
            seen.add("plural")
        for i in children[noun]:
            if tokens[i].relation == "det" and tokens[i].text.lower() in {"a", "an"}:
                seen.add("a")
            if tokens[i].relation == "nmod" and i > noun:
                preposition = _case(tokens, children, i)
                if preposition in {"of", "about"}:
                    seen.add(preposition)
                if preposition == "of" and self._is_person(tokens[i]):
                    seen.add("of_person")
        self._row("nouns", lemma_of(token.text, "NOUN")).update(seen)

    def _adjective(self, tokens: tuple[Token, ...], children: list[list[int]], adjective: int) -> None:
        token = tokens[adjective]
        of = children[adjective]
        seen = {"n"}
        if any(tokens[i].relation == "cop" for i in of) or (
            token.relation == "xcomp" and token.head < adjective and tokens[token.head].upos == "VERB"
        ):
            seen.add("predicative")
        clauses = [i for i in of if i > adjective and tokens[i].relation in {"ccomp", "xcomp", "csubj", "advcl"}]
        for i in clauses:
            marker = _marker(tokens, children, i)
            if marker in {"to", "that"} and (marker == "to" or tokens[i].relation != "advcl"):
                seen.add(marker)
            elif tokens[i].relation in {"ccomp", "csubj"} and (wh := _question_word(tokens, adjective, i)):
                seen.add("wh")
                if wh in _WHO:
                    seen.add("who")
        if seen & {"that", "wh", "to"} and any(
            tokens[i].text.lower() == "it" and tokens[i].relation in {"expl", "nsubj"} for i in of
        ):
            seen.add("it")
        for i in of:
            if i > adjective and tokens[i].relation in {"obl", "nmod"}:
                preposition = _case(tokens, children, i)
                if preposition:
                    seen.add(preposition if preposition in {"of", "about"} else "preposition")
        self._row("adjectives", lemma_of(token.text, "ADJ")).update(seen)


def _can_show_object(tokens: tuple[Token, ...], children: list[list[int]], verb: int) -> bool:
    """Whether a missing object would mean something: no relative clause, no participle that modifies, no infinitive under an
    adjective (*easy to please*), no coordination whose object may hang on the other verb."""
    token, of = tokens[verb], children[verb]
    if token.relation in {"amod", "acl", "acl:relcl", "compound"}:
        return False
    if token.xpos == "VBN" and not any(tokens[i].relation == "aux" for i in of):
        return False
    if token.head >= 0 and tokens[token.head].upos == "ADJ" and token.relation in {"xcomp", "advcl", "ccomp", "csubj"}:
        return False
    own = any(tokens[i].relation == "obj" for i in of)
    return own or not any(tokens[i].relation == "conj" and tokens[i].upos == "VERB" for i in of)


def _marker(tokens: tuple[Token, ...], children: list[list[int]], clause: int) -> str:
    return next((tokens[i].text.lower() for i in children[clause] if tokens[i].relation == "mark"), "")


def _case(tokens: tuple[Token, ...], children: list[list[int]], nominal: int) -> str:
    return next((tokens[i].text.lower() for i in children[nominal] if tokens[i].relation == "case"), "")


def _question_word(tokens: tuple[Token, ...], governor: int, clause: int) -> str:
    """The question word at the left edge of a clause, if there is one."""
    for i in range(governor + 1, clause + 1):
        small = tokens[i].text.lower()
        if small in _WH:
            head = tokens[i].head
            if i == clause or head == clause or (head >= 0 and tokens[head].head == clause):
                return small
    return ""


def sentences(corpus: Path, part: int, parts: int) -> Iterator[str]:
    """The sentences of every `parts`-th paragraph."""
    import spacy

    splitter = spacy.blank("en")
    splitter.add_pipe("sentencizer")
    with _opened(corpus) as lines:
        number = 0
        for line in lines:
            paragraph = line.strip()
            if not paragraph:
                continue
            if number % parts == part:
                for sentence in splitter(paragraph).sents:
                    if 1 < len(sentence) <= 80:
                        yield sentence.text
            number += 1


def _opened(corpus: Path) -> TextIO:
    if corpus.suffix == ".xz":
        return lzma.open(corpus, "rt", encoding="utf-8")
    return corpus.open(encoding="utf-8")


def count_part(texts: Iterable[str]) -> Census:
    """The counts over sentences."""
    census = Census()
    for parse in open_embedded().parse(texts):
        census.add(parse)
    return census


def write_tables(states: list[Mapping[str, object]], folder: Path, parts: int, source: str) -> None:
    """Write the tables from the states of all parts that were counted."""
    words = sum(int(str(state["words"])) for state in states)
    n_sentences = sum(int(str(state["sentences"])) for state in states)
    for table in _TABLES:
        total: dict[str, Counter[str]] = {}
        for state in states:
            tables = state["tables"]
            assert isinstance(tables, dict)
            for word, counts in tables[table].items():
                total.setdefault(word, Counter()).update(counts)
        columns = COLUMNS[table]
        out = io.StringIO()
        out.write(f"# source\t{source}\n# parts\t{len(states)} of {parts}\n")
        out.write(f"# sentences\t{n_sentences}\n# words\t{words}\n# minimum\t{MINIMUM}\n")
        out.write("\t".join(("word", *columns)) + "\n")
        for word in sorted(total):
            if total[word]["n"] >= MINIMUM:
                out.write("\t".join((word, *(str(total[word][column]) for column in columns))) + "\n")
        packed = lzma.compress(out.getvalue().encode(), preset=9 | lzma.PRESET_EXTREME)
        (folder / f"{table}.tsv.xz").write_bytes(packed)


def main() -> None:
    """Count the parts that are not counted yet, up to `--passes` of them, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--state", type=Path, required=True, help="folder that keeps the counts of each part")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "vetting" / "wordrates")
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument("--passes", type=int, default=20)
    parser.add_argument("--source", default="running English: CC0, public-domain and CC-BY texts")
    asked = parser.parse_args()
    asked.state.mkdir(parents=True, exist_ok=True)
    for part in range(min(asked.parts, asked.passes)):
        kept = asked.state / f"part-{part:03}-of-{asked.parts:03}.json"
        if not kept.exists():
            census = count_part(sentences(asked.corpus, part, asked.parts))
            state = {"words": census.words, "sentences": census.sentences, "tables": census.tables}
            kept.with_suffix(".tmp").write_text(json.dumps(state), encoding="utf-8")
            kept.with_suffix(".tmp").replace(kept)
            print(f"part {part + 1} of {asked.parts}: {census.sentences:,} sentences", flush=True)
        done = sorted(asked.state.glob(f"part-*-of-{asked.parts:03}.json"))
        states = [json.loads(path.read_text(encoding="utf-8")) for path in done]
        write_tables(states, asked.out, asked.parts, asked.source)


if __name__ == "__main__":
    main()
