"""CoNLL-U in and out (https://universaldependencies.org/format.html).

Multi-word tokens are resolved into their syntactic words, which keep the characters they cover; empty nodes, which only the
enhanced graph uses, are left out, as is that graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from gapsmith.parsing.errors import TreebankError
from gapsmith.parsing.model import ROOT, Parse, Token
from gapsmith.templates import UNREADABLE, open_packed, raw_lines, shown, whole

_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """One sentence of a treebank with what its comment lines say (`sent_id`, `text`, …)."""

    parse: Parse
    comments: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    """Where it begins in its file, from 1."""


def read_treebank(path: Path) -> Iterator[TreebankSentence]:
    """The sentences of a `.conllu` file, plain or compressed (`.xz`).

    Raises TreebankError with file and line for what is no CoNLL-U: columns, numbers out of order, heads that do not exist, no
    root or several, a tree with a cycle.
    """
    try:
        with open_packed(path) as stream:
            raw = enumerate(raw_lines(path, stream))
            yield from _sentences(path, (line.decode("utf-8" if number else "utf-8-sig") for number, line in raw))
    except FileNotFoundError as problem:
        raise TreebankError(f"There is no file {path}.", hint="Give a .conllu file or a .conllu.xz file.") from problem
    except (UnicodeDecodeError, *UNREADABLE) as problem:
        raise TreebankError(f"{path} cannot be read: {problem}.", hint="A treebank is UTF-8 text in CoNLL-U.") from problem


@dataclass(slots=True)
class _Block:
    """The lines of one sentence while they are read."""

    path: Path
    line: int = 0
    comments: dict[str, str] = field(default_factory=dict)
    words: list[tuple[int, list[str]]] = field(default_factory=list)
    ranges: dict[int, tuple[int, str, bool]] = field(default_factory=dict)
    """First word of a multi-word token (from 1) → its last word, its form, whether a space follows."""

    def fail(self, line: int, what: str) -> TreebankError:
        return TreebankError(f"{self.path}, line {line}: {what}.", hint="Repair the line; nothing was kept.")

    def add(self, number: int, line: str) -> None:
        self.line = self.line or number
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            self.comments[key.strip()] = value.strip()
            return
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise self.fail(number, f"{len(columns)} columns where CoNLL-U has {_COLUMNS}, split by tabs")
        identifier = columns[0]
        if "." in identifier:
            return
        first, dash, last = identifier.partition("-")
        here = whole(first)
        end = whole(last) if dash else here
        if here is None or end is None:
            raise self.fail(number, f"{shown(identifier)!r} is no word number")
        if here != len(self.words) + 1:
            raise self.fail(number, f"word {identifier} where word {len(self.words) + 1} is due")
        if not columns[1] or (not dash and columns[1].isspace()):
            raise self.fail(number, "a word without a form")
        if dash:
            self.ranges[here] = (end, columns[1], _space_follows(columns))
        else:
            self.words.append((number, columns))

    def sentence(self) -> TreebankSentence:
        text, spans = self._text()
        tokens = []
        for (number, columns), (start, end) in zip(self.words, spans, strict=True):
            _, form, lemma, upos, xpos, feats, head, relation = columns[:8]
            above = whole(head)
            if above is None or above > len(self.words):
                raise self.fail(number, f"the head {shown(head)!r} is no word of the sentence")
            tokens.append(
                Token(
                    text=form,
                    start=start,
                    end=end,
                    upos=_value(upos),
                    head=above - 1 if above else ROOT,
                    relation=_value(relation),
                    xpos=_value(xpos),
                    feats=_value(feats),
                    lemma=lemma if lemma != "_" or form == "_" else "",
                )
            )
        roots = [token.text for token in tokens if token.head == ROOT]
        if len(roots) != 1:
            raise self.fail(self.line, f"a sentence with {len(roots)} roots where there is exactly one")
        if (caught := _in_cycle(tokens)) is not None:
            raise self.fail(self.words[caught][0], "the heads go round in a circle")
        return TreebankSentence(Parse(text, tuple(tokens)), self.comments, self.line)

    def _text(self) -> tuple[str, list[tuple[int, int]]]:
        """The sentence, spelt from its words (so that offsets hold whatever `# text` says), and each word's characters."""
        text, spans, index = "", list[tuple[int, int]](), 0
        while index < len(self.words):
            number, columns = self.words[index]
            last, form, space = self.ranges.get(index + 1, (index + 1, columns[1], _space_follows(columns)))
            if not index < last <= len(self.words):
                raise self.fail(number, f"the multi-word token {form!r} ends at word {last}, which is not there")
            parts = [word[1][1] for word in self.words[index:last]]
            if "".join(parts) == form:
                for part in parts:
                    spans.append((len(text), len(text) + len(part)))
                    text += part
            else:
                spans += [(len(text), len(text) + len(form))] * len(parts)
                text += form
            text += " " if space else ""
            index = last
        return text.rstrip(), spans


def _sentences(path: Path, lines: Iterable[str]) -> Iterator[TreebankSentence]:
    block = _Block(path)
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n")
        if line.strip():
            block.add(number, line)
        elif block.words:
            yield block.sentence()
            block = _Block(path)
    if block.words:
        yield block.sentence()


def _space_follows(columns: list[str]) -> bool:
    return "SpaceAfter=No" not in columns[9].split("|")


def _value(column: str) -> str:
    return "" if column == "_" else column


def _in_cycle(tokens: list[Token]) -> int | None:
    """A word from which the root is never reached, if there is one."""
    for index in range(len(tokens)):
        at, steps = index, 0
        while at != ROOT and steps <= len(tokens):
            at, steps = tokens[at].head, steps + 1
        if at != ROOT:
            return index
    return None


def write_conllu(file: TextIO, parse: Parse, comments: Mapping[str, str]) -> None:
    """Write one sentence, comments first (`# item = 12`), then `# text` and the words.

    White space in what is written is made one space each, since a tab or a line end would break the format.
    """
    for key, value in {**comments, "text": parse.text}.items():
        file.write(f"# {' '.join(key.split())} = {' '.join(value.split())}\n")
    tokens = parse.tokens
    for index, token in enumerate(tokens):
        last = index
        while last + 1 < len(tokens) and tokens[last + 1].start < tokens[last].end:
            last += 1
        begins = index == 0 or tokens[index - 1].end <= token.start
        glued = last + 1 < len(tokens) and tokens[last + 1].start == tokens[last].end
        spacing = "SpaceAfter=No" if glued else ""
        if begins and last > index:
            # Words that share their characters are the parts of a multi-word token.
            form = parse.text[token.start : token.end]
            _write_row(file, f"{index + 1}-{last + 1}", form, *[""] * 7, spacing)
        shared = not begins or last > index
        _write_row(
            file,
            str(index + 1),
            token.text,
            token.lemma,
            token.upos,
            token.xpos,
            token.feats,
            str(token.head + 1),
            token.relation,
            "",
            "" if shared else spacing,
        )
    file.write("\n")


def _write_row(file: TextIO, *columns: str) -> None:
    file.write("\t".join(" ".join(column.split()) or "_" for column in columns) + "\n")
