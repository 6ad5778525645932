"""Corpora of strangers: whatever is in a file, it is read, or refused by its name; nothing else comes out."""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.templates.errors import FormatError
from gapsmith.training.corpus import read_documents
from gapsmith.training.corpus.readers import Document

WHOLE = {
    "plain": ("a.txt", b"It rained all day. We stayed in.\n\nNobody came.\n"),
    "sentences": ("a.txt", b"It rained.\n- Did it?\n\nYes.\n"),
    "gutenberg": (
        "a.txt",
        b"Head\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nIt rained.\n\n*** END OF THIS PROJECT GUTENBERG\n",
    ),
    "chat": (
        "a.cha",
        b"@UTF8\n@Begin\n*MOT:\t<you want> [/] the &-um ball@c [: balloon] (.) now ? \x151_2\x15\n%mor:\tx\n\ty\n@End\n",
    ),
    "subtitles": ("a.xml", b'<document><s id="1"><time value="0"/><w id="1.1">Go</w><w id="1.2">.</w></s><s>Bye!</s></document>'),
    "bnc": ("a.xml", b'<bncDoc><stext><u who="A"><s n="1"><w>Come </w><w>in</w><c>.</c></s></u></stext></bncDoc>'),
}
ODD = (
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\x15",
        b"<",
        b">",
        b"[",
        b"]",
        b"(",
        b"*MOT:\t",
        b"*:\t",
        b"@Begin",
        b"\r",
        b"&amp;",
        b"&#0;",
    ),
    *(b"\xe2\x80\xa8", b'<!DOCTYPE a [<!ENTITY b "b">]>', b"<s>", b"</s>", b"<w/>", b"\n\n\n", b"\xef\xbb\xbf", b" " * 300),
    b"*** START OF THIS PROJECT GUTENBERG",
)
PACKED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


def _mutated(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 6)):
        place, end = sorted(chance.randint(0, len(content)) for _ in range(2))
        how = chance.randrange(4)
        if how == 0:
            content = content[:place] + chance.choice(ODD) + content[place:]
        elif how == 1:
            content = content[:place] + content[end:]
        elif how == 2:
            content = content[:end] + content[place:end] * chance.randint(1, 3) + content[end:]
        else:
            content = content[:place] + chance.randbytes(chance.randint(1, 4)) + content[place:]
    return content


@pytest.mark.parametrize("rounds", [60, pytest.param(5_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("form", WHOLE)
def test_a_strange_corpus_is_read_or_refused_by_name(form: str, rounds: int, tmp_path: Path) -> None:
    name, whole = WHOLE[form]
    chance = random.Random(32)
    assert list(read_documents(_written(tmp_path / name, whole), form))
    for _ in range(rounds):
        ending = chance.choice(list(PACKED))
        content = PACKED[ending](_mutated(whole, chance))
        if ending and chance.random() < 0.3:
            content = _mutated(content, chance)
        path = _written(tmp_path / f"{name}{ending}", content)
        documents = _read(path, form)
        for document in documents or ():
            assert all(sentence.strip() for paragraph in document.paragraphs for sentence in paragraph), content


@pytest.mark.parametrize(
    "said",
    ["<", "a [", "(", "<a> [", "\x15", "a ", "+", "&", " ", "[/] ", "a@", "?", "a", "[", ".", "\n\t", "[: ", "a[: b]", "A. "],
)
@pytest.mark.full
def test_a_long_line_takes_no_time_that_grows_with_its_square(said: str, tmp_path: Path) -> None:
    """It takes a second; by its square it would be an hour and more."""
    path = _written(tmp_path / "a.cha", f"@Begin\n*MOT:\t{said * 1_000_000}a\n".encode())
    _read(path, "chat")
    _read(_written(tmp_path / "a.txt", f"{said * 1_000_000}a\n".encode()), "plain")


def _read(path: Path, form: str) -> list[Document] | None:
    """The documents; None where the file is refused, by its name."""
    refused = None
    try:
        return list(read_documents(path, form))
    except FormatError as error:
        refused = error
    assert str(path) in refused.message
    return None


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
