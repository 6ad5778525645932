"""What decides the findings about an item besides its sentences, and those about a data set, as digests. The only place that says whether a
lint of before would find the same again, and whether one has read a data set as it stands."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from gapsmith.templates import VERSION, Paradigm
from gapsmith.vetting.rules.parses import Parses

_MADE_BY = ("vetting.rules", "vetting.roles", "vetting.frequency", "vetting.wordrates", "parsing", "parsing.bundled", "templates")
"""Packages whose code and data make findings; word lists are in the digest of what the rules know."""
_KINDS = (".py", ".csv", ".md", ".xz", ".json", ".npz", ".safetensors")


def made_of(paradigm: Paradigm, measured: Paradigm, *, ruleset: str, parses: Parses | None, of_whole_set: bool) -> bytes:
    """16 bytes over all that decides the findings about items of a data set besides the items: the paradigm as it reads them, and as
    the set is measured, rules and word lists (`ruleset`), the parsers that were asked, this program. `of_whole_set`: findings that are
    told once for a set are not stored with its items."""
    parsers = () if parses is None else tuple(parser.identity for parser in parses.parsers)
    return digest_over((program_digest(), ruleset, repr(paradigm), repr(measured), repr(parsers), repr(of_whole_set)))


class OfItem(NamedTuple):
    """An item of a data set, as a digest of the set takes it."""

    item_id: int
    revision_id: int
    made_of: bytes = b""


def set_made_of(ruleset: str, items: Collection[OfItem], *, tokens: bool = False) -> bytes:
    """16 bytes over all that decides the findings about a data set: the first half over what those of its items are made of, the second
    over what was read (`set_as_read`). With `tokens` findings hang on a tokenizer too, and the first half is that of no other lint."""
    parts = [item.made_of + _numbers(item) for item in items]
    return digest_over([*parts, b"tokens"] if tokens else parts)[:_HALF] + set_as_read(ruleset, items)


def set_as_read(ruleset: str, items: Iterable[OfItem]) -> bytes:
    """The half that says which revisions were read, and by which rules: where it is that of the items as they stand, a lint has held
    these against each other, whatever program and parsers it was made with."""
    return digest_over((ruleset, *map(_numbers, items)))[:_HALF]


def read_half(kept: bytes) -> bytes:
    """The half of a kept digest that `set_as_read` gives."""
    return kept[_HALF:]


_HALF = 8


def _numbers(item: OfItem) -> bytes:
    return item.item_id.to_bytes(8, "little") + item.revision_id.to_bytes(8, "little")


def digest_over(parts: Iterable[str | bytes]) -> bytes:
    """16 bytes over the parts in their order; where one ends counts."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.digest()


@lru_cache(maxsize=1)
def program_digest() -> bytes:
    """16 bytes over the version and the files that make findings: between two releases the code may change."""
    parts: list[str | bytes] = [VERSION]
    for package in _MADE_BY:
        for file in sorted(resources.files(f"gapsmith.{package}").iterdir(), key=_name):
            if file.is_file() and file.name.endswith(_KINDS):
                parts += [f"{package}/{file.name}", file.read_bytes()]
    return digest_over(parts)


def _name(file: Traversable) -> str:
    return file.name
