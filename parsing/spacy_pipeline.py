"""spaCy pipelines as parsers: installed ones by name, and the base of the embedded one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.parsing.errors import ParserError
from gapsmith.parsing.model import ROOT, Parse, Scheme, Token
from gapsmith.parsing.trees import one_tree
from gapsmith.parsing.words import Word, words_of

_UNUSED = ("ner", "entity_ruler", "senter", "sentencizer", "textcat", "entity_linker")
"""What says nothing of a sentence's tree, or would cut it in two."""
_BATCH = 256
_WORD = 2**64


@dataclass(frozen=True)
class SpacyParser:
    """A loaded pipeline with a dependency parser."""

    name: str
    identity: str
    nlp: Any
    scheme: Scheme

    def parse(self, texts: Iterable[str]) -> Iterator[Parse]:
        """One tree for each text, in order."""
        prepared = ((self._doc(text), text) for text in texts)
        for doc, text in self.nlp.pipe(prepared, as_tuples=True, batch_size=_BATCH):
            yield Parse(text, one_tree(tokens_of(doc)), self.scheme)

    def _doc(self, text: str) -> Any:
        return one_sentence(self.nlp.vocab, words_of(text, self.nlp.tokenizer))


def one_sentence(vocab: Any, words: list[Word]) -> Any:
    """A Doc that the parser may not cut in two, with the characters at which its words start."""
    from spacy.tokens import Doc

    starts = [start for _, start in words]
    ends = [start + len(form) for form, start in words]
    doc = Doc(
        vocab,
        words=[form for form, _ in words],
        spaces=[index + 1 < len(words) and starts[index + 1] > end for index, end in enumerate(ends)],
        sent_starts=[index == 0 for index in range(len(words))],
    )
    doc.user_data["starts"] = starts
    return doc


def tokens_of(doc: Any) -> list[Token]:
    """The words of a Doc that `one_sentence` made and a pipeline has read."""
    # One array for all words: asking each token for its head and strings takes as long as a fifth of the parsing.
    strings, starts = doc.vocab.strings, doc.user_data["starts"]
    rows = doc.to_array(["ORTH", "POS", "HEAD", "DEP", "TAG", "MORPH", "LEMMA"]).tolist()
    tokens = []
    for index, (start, (form, upos, head, relation, xpos, feats, lemma)) in enumerate(zip(starts, rows, strict=True)):
        text, label = strings[form], strings[relation]
        # Heads are relative, in unsigned arithmetic.
        at = (index + head) % _WORD
        tokens.append(
            Token(
                text=text,
                start=start,
                end=start + len(text),
                upos=strings[upos],
                head=ROOT if at == index else at,
                relation="root" if label == "ROOT" else label,
                xpos=strings[xpos],
                feats=strings[feats],
                lemma=strings[lemma],
            )
        )
    return tokens


def open_spacy(name: str) -> SpacyParser:
    """An installed spaCy pipeline, or the folder of one, with a parser of English."""
    import spacy

    if not spacy.util.is_package(name) and not (Path(name) / "config.cfg").is_file():
        installed = ", ".join(spacy.util.get_installed_models()) or "none"
        raise ParserError(
            f"The spaCy pipeline {name!r} is not installed, and it is no folder of one (installed: {installed}).",
            hint=f"`python -m spacy download {name}` fetches one of spaCy's own; `embedded` needs nothing.",
        )
    try:
        nlp = spacy.load(name, exclude=list(_UNUSED))
    except (OSError, ValueError, KeyError) as problem:
        raise ParserError(f"The spaCy pipeline {name!r} cannot be loaded: {problem}") from problem
    if "parser" not in nlp.pipe_names:
        has = ", ".join(nlp.pipe_names) or "nothing"
        raise ParserError(f"The spaCy pipeline {name!r} has no parser (it has {has}).", hint="Take one with a dependency parser.")
    parser: Any = nlp.get_pipe("parser")
    labels = set(parser.labels)
    scheme = Scheme.CLEARNLP if {"dobj", "pobj"} & labels else Scheme.UD
    meta = nlp.meta
    return SpacyParser(f"spacy:{name}", f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}", nlp, scheme)
