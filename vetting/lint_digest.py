"""What decides the findings about an item besides its sentences, as one digest. The only place that says whether a lint of before would
find the same again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

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
