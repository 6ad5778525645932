"""Sources of text in the plain forms in which they are passed around, read into paragraphs of sentences.

| format | files | what is read |
|---|---|---|
| ``plain`` | .txt | a paragraph per line; an empty line ends a document |
| ``sentences`` | .txt | a sentence or utterance per line; an empty line ends a document |
| ``gutenberg`` | .txt | lines of running text, empty lines between paragraphs; without Project Gutenberg's header and footer |
| ``chat`` | .cha | CHAT transcripts (CHILDES): what adults say, without codes |
| ``subtitles`` | .xml, .txt | OpenSubtitles as OPUS gives it: XML with or without words marked, or a line per subtitle |
| ``bnc`` | .xml, .txt | the British National Corpus in XML, or a paragraph per line |

Every format may be packed with .gz or .xz.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from gapsmith.templates import UNREADABLE, FormatError, Held, open_packed, packed_lines
from gapsmith.training.sentences import split_sentences

Paragraph = list[str]
"""Its sentences."""


@dataclass(frozen=True, slots=True)
class Document:
    """A book, an article, a transcript."""

    number: int
    """Of the document in its file, from 1."""
    paragraphs: list[Paragraph]


def files_of(path: Path, format_name: str) -> list[Path]:
    """`path` itself, or all files of the format below it, in order. Empty where there are none."""
    if path.is_file():
        return [path]
    endings = FORMATS[format_name][0]
    return sorted(file for file in path.rglob("*") if file.is_file() and _ending(file) in endings)


def _ending(file: Path) -> str:
    name = file.name.removesuffix(".gz").removesuffix(".xz")
    return Path(name).suffix.lower()


def read_documents(path: Path, format_name: str) -> Iterator[Document]:
    """The documents of a file; none is empty. Raises `FormatError` naming file and line."""
    for number, paragraphs in enumerate(FORMATS[format_name][1](path), 1):
        kept = [paragraph for paragraph in paragraphs if paragraph]
        if kept:
            yield Document(number, kept)


def _plain(path: Path) -> Iterator[list[Paragraph]]:
    for lines in _blocks(path):
        yield [split_sentences(line) for line in lines]


def _sentences(path: Path) -> Iterator[list[Paragraph]]:
    for lines in _blocks(path):
        yield [[" ".join(line.split()) for line in lines]]


def _blocks(path: Path) -> Iterator[list[str]]:
    """Stretches of lines between empty lines."""
    block: list[str] = []
    for line in packed_lines(path):
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


_START = re.compile(r"\*\*\* ?START OF (THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
_STOP = re.compile(r"(\*\*\* ?END OF (THE|THIS) PROJECT GUTENBERG|End of (the )?Project Gutenberg)", re.IGNORECASE)


def _gutenberg(path: Path) -> Iterator[list[Paragraph]]:
    blocks = list(_blocks(path))
    started = next((n for n, block in enumerate(blocks) if any(_START.search(line) for line in block)), -1)
    stopped = next((n for n, block in enumerate(blocks) if any(_STOP.search(line) for line in block)), len(blocks))
    yield [split_sentences(" ".join(block)) for block in blocks[started + 1 : stopped]]


_TIER = re.compile(r"\*(?P<speaker>[^:\s]+):\t?(?P<said>.*)")
_CHILD = "CHI"


def _chat(path: Path) -> Iterator[list[Paragraph]]:
    """One document per transcript, one sentence per utterance of anyone but the target child."""
    utterances: list[str] = []
    speaker, said = "", [""]

    def finish() -> None:
        if speaker and speaker != _CHILD:
            spoken = _spoken(" ".join(said))
            if spoken:
                utterances.append(spoken)

    lines = list(packed_lines(path))
    if not any(line.startswith("@Begin") for line in lines[:20]):
        raise FormatError(f"{path}: is no CHAT transcript: @Begin is missing", hint="Give .cha files, or another format.")
    for line in lines:
        if line.startswith("\t"):
            said.append(line.strip())
            continue
        finish()
        match = _TIER.fullmatch(line)
        # A dependent tier (%mor:) or a header is nobody's speech; nor are the lines that go on with it.
        speaker, said = (match["speaker"], [match["said"]]) if match else ("", [""])
    finish()
    yield [utterances]


_TIME = re.compile("\x15[^\x15]*\x15")
# No word or mark is longer than this: without an end, each sign of a line without spaces would be looked at from all signs before it.
_UNIT = r"(?:<[^<>]*>|\S{1,100})\s*"
_REPLACED = re.compile(rf"{_UNIT}\[::?\s*([^\]]*)\]")
_RETRACED = re.compile(rf"{_UNIT}\[/+\??\]|{_UNIT}\[/-\]")
_MARK = re.compile(r"\+[<^,\".+/!?]{0,20}(?=\s|$)|\(\.+\)|\([\d.:]+\)")
_CODE = re.compile(rf"\[[^\]]*\]|{_MARK.pattern}")
_NO_WORD = re.compile(r"(?<!\S)(?:[&0#][^\s]*|xxx|yyy|www|[‡„↑↓⌈⌉⌊⌋]+)(?!\S)")
_TERMINATOR = re.compile(r"\s+([.?!,])")


def _spoken(said: str) -> str:
    """The words of a main tier of CHAT, as they would be written; empty where nothing intelligible was said.

    Repaired, repeated and unintelligible stretches, codes, events and time marks go; a replacement stands for what it replaces;
    letters in parentheses are filled in.
    """
    text = _TIME.sub(" ", said)
    ending = "?" if re.search(r"\?\s*$|\+[.!/]*\?", text) else "!" if re.search(r"!\s*$", text) else "."
    text = re.sub(r"(?<=\s)\+\S*\s*$", " ", text)
    # Behind the last "]" no bracket is closed, and none needs to be looked for.
    end = text.rfind("]") + 1
    text = _REPLACED.sub(r"\1", text[:end]) + text[end:]
    end = text.rfind("]") + 1
    text = _RETRACED.sub(" ", text[:end]) + text[end:]
    end = text.rfind("]") + 1
    text = _CODE.sub(" ", text[:end]) + _MARK.sub(" ", text[end:])
    text = text.replace("<", " ").replace(">", " ")
    text = _NO_WORD.sub(" ", text)
    text = re.sub(r"@\S*", "", text)
    text = re.sub(r"[()ːˈˌ^]", "", text)
    text = text.replace("_", " ").replace("+", "")
    text = _TERMINATOR.sub(r"\1", " ".join(text.split())).strip(" ,")
    text = text.rstrip(".?! ")
    return f"{text}{ending}" if re.search(r"\w", text) else ""


def _subtitles(path: Path) -> Iterator[list[Paragraph]]:
    if _ending(path) == ".xml":
        sentences = [_joined(element, "w") for element in _xml(path, {"s"})]
        yield [[_undashed(sentence) for sentence in sentences if sentence]]
    else:
        yield [[_undashed(" ".join(line.split())) for line in packed_lines(path) if line.strip()]]


def _undashed(line: str) -> str:
    """A subtitle without the dash that marks a new speaker."""
    return re.sub(r"^[-–]\s*(?=\S)", "", line)


def _bnc(path: Path) -> Iterator[list[Paragraph]]:
    if _ending(path) != ".xml":
        yield from _plain(path)
        return
    elements = _xml(path, {"p", "u", "head", "item", "l"})
    paragraphs = [[" ".join("".join(s.itertext()).split()) for s in element.iter("s")] for element in elements]
    yield [[sentence for sentence in paragraph if sentence] for paragraph in paragraphs]


def _joined(element: ElementTree.Element, word: str) -> str:
    """The words of a sentence with the spaces of writing, or its text where no words are marked."""
    words = [(w.text or "").strip() for w in element.iter(word)]
    if not words:
        return " ".join("".join(element.itertext()).split())
    text = " ".join(w for w in words if w)
    text = re.sub(r"(?<!\s)\s+([.,!?;:%)\]…]|n't\b|'(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    return re.sub(r"([(\[$])\s+", r"\1", text)


def _xml(path: Path, names: set[str]) -> list[ElementTree.Element]:
    """The outermost elements called one of `names`, in order."""
    found: list[ElementTree.Element] = []
    depth = 0
    try:
        with open_packed(path) as stream:
            events: Any = ElementTree.iterparse(Held(path, stream), events=("start", "end"))
            for event, element in events:
                if element.tag in names:
                    depth += 1 if event == "start" else -1
                    if event == "end" and depth == 0:
                        found.append(element)
    except (ElementTree.ParseError, *UNREADABLE) as error:
        raise FormatError(f"{path}: cannot be read as XML ({error})", hint="Give another file, or another format.") from None
    return found


FORMATS: dict[str, tuple[tuple[str, ...], Callable[[Path], Iterator[list[Paragraph]]]]] = {
    "plain": ((".txt",), _plain),
    "sentences": ((".txt",), _sentences),
    "gutenberg": ((".txt",), _gutenberg),
    "chat": ((".cha",), _chat),
    "subtitles": ((".xml", ".txt"), _subtitles),
    "bnc": ((".xml", ".txt"), _bnc),
}
"""Per format the endings of its files, and its reader: documents as lists of paragraphs."""
