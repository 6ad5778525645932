"""spaCy pipelines as parsers: installed ones by name, and the base of the embedded one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parsing.errors import ParserError
from parsing.model import ROOT, Parse, Scheme, Token
from parsing.trees import one_tree
from parsing.words import Word, words_of

__all__ = ["SpacyParser", "open_spacy"]

_UNUSED = ("ner", "entity_ruler", "senter", "sentencizer", "textcat", "entity_linker")
"""What says nothing of a sentence's tree, or would cut it in two."""
_BATCH = 256


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
            yield Parse(text, one_tree(_tokens(doc)), self.scheme)

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


def _tokens(doc: Any) -> list[Token]:
    starts = doc.user_data["starts"]
    return [
        Token(
            text=token.text,
            start=start,
            end=start + len(token),
            upos=token.pos_,
            head=ROOT if token.head.i == token.i else token.head.i,
            relation="root" if token.dep_ == "ROOT" else token.dep_,
            xpos=token.tag_,
            feats=str(token.morph),
            lemma=token.lemma_,
        )
        for token, start in zip(doc, starts, strict=True)
    ]


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
        raise ParserError(
            f"The spaCy pipeline {name!r} has no parser (it has {has}).", hint="Take one with a dependency parser."
        )
    parser: Any = nlp.get_pipe("parser")
    labels = set(parser.labels)
    scheme = Scheme.CLEARNLP if {"dobj", "pobj"} & labels else Scheme.UD
    meta = nlp.meta
    return SpacyParser(f"spacy:{name}", f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}", nlp, scheme)
