"""The parser that ships: keeping it small on disk, and opening it.

It is the folder of a spaCy pipeline whose weights are float16 (cast to float32 when it is opened: spaCy computes in float32) and
whose string table holds labels instead of the treebank's words. `manifest.json` names every file with its hash, so that a missing
or damaged one is told before spaCy stumbles over it.
"""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

from gapsmith.parsing.errors import ParserError
from gapsmith.parsing.model import Scheme
from gapsmith.parsing.spacy_pipeline import SpacyParser
from gapsmith.templates import DocumentError, bytes_of, file_sha256, read_json

_MANIFEST = "manifest.json"


def save_small(nlp: Any, folder: Path) -> int:
    """Write a pipeline that `gapsmith train parser` trained into an empty or new folder; the bytes it takes.

    The pipeline's weights are float16 from here on, so load the folder to go on with it.
    """
    from spacy.strings import StringStore

    folder.mkdir(parents=True, exist_ok=True)
    _cast(nlp, "float16")
    nlp.meta["spacy_version"] = ">=3.8,<4"
    nlp.to_disk(folder, exclude=["vocab"])
    (folder / "vocab").mkdir()
    # Labels and features are strings that the components look up; words are only ever hashed.
    StringStore(sorted(_labels(nlp))).to_disk(folder / "vocab" / "strings.json")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != _MANIFEST)
    manifest = {path.relative_to(folder).as_posix(): file_sha256(path) for path in files}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return sum(path.stat().st_size for path in (*files, folder / _MANIFEST))


def open_embedded(folder: Path | None = None) -> SpacyParser:
    """The parser that ships, or the one that `gapsmith train parser` wrote into `folder`.

    Raises ParserError naming the file that is missing or is not what was written.
    """
    import spacy

    from gapsmith.parsing.distinct_rows import DistinctRowOps

    shipped = folder is None
    folder = Path(str(resources.files("gapsmith.parsing"))) / "bundled" if folder is None else folder
    hint = "Install gapsmith again." if shipped else "Train it again with `gapsmith train parser`."
    if not (folder / _MANIFEST).is_file():
        raise ParserError(f"{folder} holds no parser ({_MANIFEST} is missing).", hint=hint)
    listing = bytes_of(folder / _MANIFEST)
    try:
        listed = {str(name): str(digest) for name, digest in read_json(listing).items()}
    except (DocumentError, AttributeError) as error:
        raise ParserError(f"{folder / _MANIFEST} does not list the parser's files ({error}).", hint=hint) from None
    for name, digest in listed.items():
        if not (folder / name).is_file():
            raise ParserError(f"The parser in {folder} lacks its file {name}.", hint=hint)
        if file_sha256(folder / name) != digest:
            raise ParserError(f"{folder / name} is not the file that was written with the parser.", hint=hint)
    nlp: Any = spacy.load(folder)
    _cast(nlp, "float32")
    ops = DistinctRowOps()
    for _, component in nlp.pipeline:
        for node in component.model.walk():
            node.ops = ops
    name = "embedded" if shipped else f"embedded:{folder}"
    return SpacyParser(name, f"embedded:{hashlib.sha256(listing).hexdigest()[:16]}", nlp, Scheme.UD)


def _cast(nlp: Any, dtype: str) -> None:
    for _, component in nlp.pipeline:
        for node in component.model.walk():
            for name in node.param_names:
                if node.has_param(name):
                    node.set_param(name, node.get_param(name).astype(dtype))


def _labels(nlp: Any) -> set[str]:
    found = {"ROOT", "dep"}
    for _, component in nlp.pipeline:
        for label in getattr(component, "labels", ()):
            found.add(label)
            found.update(part for piece in label.split("|") for part in (piece, *piece.split("=")) if part)
    return found
