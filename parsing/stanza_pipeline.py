"""Stanza as a parser: models that are on this machine, never fetched.

Two kinds of folder are understood: the one that `stanza.download("en")` fills (with its `resources.json`), and one with a
`pos.pt` and a `depparse.pt` that were trained with `stanza.models.tagger` and `stanza.models.parser`. Stanza itself says
*KeyError: 'en'* where a file is missing, so every file is looked for before anything is loaded. The words are those that the
other parsers get.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from gapsmith.bank import PassingFolder
from gapsmith.parsing.errors import ParserError
from gapsmith.parsing.model import ROOT, Parse, Token
from gapsmith.parsing.trees import one_tree
from gapsmith.parsing.words import Word, words_of
from gapsmith.templates import file_sha256, read_json, text_of

_PROCESSORS = ("pos", "depparse")
_SENTENCES = 200
"""How many sentences Stanza gets at once."""


@dataclass(frozen=True)
class StanzaParser:
    """A loaded Stanza pipeline that tags and parses words that are given."""

    name: str
    identity: str
    pipeline: Any

    def parse(self, texts: Iterable[str]) -> Iterator[Parse]:
        """One tree for each text, in order."""
        remaining = iter(texts)
        while chunk := list(islice(remaining, _SENTENCES)):
            words = [words_of(text) for text in chunk]
            given = [[form for form, _ in sentence] for sentence in words if sentence]
            read = iter(self.pipeline(given).sentences if given else ())
            for text, sentence in zip(chunk, words, strict=True):
                yield Parse(text, one_tree(_tokens(next(read).words, sentence)) if sentence else ())


def _tokens(found: Any, words: list[Word]) -> list[Token]:
    return [
        Token(
            text=form,
            start=start,
            end=start + len(form),
            upos=word.upos or "",
            head=word.head - 1 if word.head else ROOT,
            relation=word.deprel,
            xpos=word.xpos or "",
            feats=word.feats or "",
        )
        for word, (form, start) in zip(found, words, strict=True)
    ]


def open_stanza(folder: str = "") -> StanzaParser:
    """Stanza with the English models in `folder`; by default in STANZA_RESOURCES_DIR, else in `~/stanza_resources`.

    Raises ParserError naming every file that is missing.
    """
    where = Path(folder or os.environ.get("STANZA_RESOURCES_DIR") or Path.home() / "stanza_resources")
    files, options = _own_models(where) if (where / "pos.pt").is_file() else _downloaded(where)
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise ParserError(f"Stanza's English models are not all in {where}: there is no {', '.join(missing)}.", hint=_HINT)
    import stanza

    with PassingFolder() as scratch:
        # An empty list of resources keeps Stanza from looking for its own beside models that it has never heard of.
        empty = scratch / "resources.json"
        empty.write_text("{}", encoding="utf-8")
        if "pos_model_path" in options:
            options |= {"allow_unknown_language": True, "resources_filepath": str(empty)}
        try:
            pipeline = stanza.Pipeline(
                lang="en",
                dir=str(where),
                download_method=None,
                logging_level="ERROR",
                verbose=False,
                use_gpu=False,
                tokenize_pretokenized=True,
                depparse_pretagged=True,
                **options,
            )
        except Exception as problem:
            # Stanza and torch raise whatever a damaged file leads them to.
            raise ParserError(
                f"Stanza cannot load the models in {where}: {type(problem).__name__}: {problem}", hint=_HINT
            ) from problem
    digest = hashlib.sha256(b"".join(bytes.fromhex(file_sha256(path)) for path in files)).hexdigest()[:16]
    return StanzaParser(f"stanza:{folder}" if folder else "stanza", f"stanza:{digest}", pipeline)


_HINT = (
    "With a network, python -c \"import stanza; stanza.download('en', processors='tokenize,pos,depparse')\" fetches them. "
    "`embedded` needs nothing."
)


def _own_models(where: Path) -> tuple[list[Path], dict[str, Any]]:
    files = [where / f"{processor}.pt" for processor in _PROCESSORS]
    options: dict[str, Any] = {"processors": dict.fromkeys(("tokenize", *_PROCESSORS), "default")}
    options |= {f"{path.stem}_model_path": str(path) for path in files}
    return files, options


def _downloaded(where: Path) -> tuple[list[Path], dict[str, Any]]:
    listing = where / "resources.json"
    if not listing.is_file():
        return [listing], {}
    try:
        english = read_json(text_of(listing, "utf-8"))["en"]
        packages = {name: english["packages"]["default"][name] for name in _PROCESSORS}
        files = []
        for name, package in packages.items():
            files.append(where / "en" / name / f"{package}.pt")
            for of in english[name][package].get("dependencies", ()):
                files.append(where / "en" / of["model"] / f"{of['package']}.pt")
    except (ValueError, KeyError, TypeError) as problem:
        raise ParserError(
            f"{listing} does not say where Stanza's English models are ({type(problem).__name__}: {problem}).",
            hint=_HINT,
        ) from problem
    return list(dict.fromkeys(files)), {"processors": {"tokenize": "default", **packages}}
