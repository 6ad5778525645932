"""What is known of a model by its name: which it is and what its numbers are worth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from gapsmith.bank import Scorer
from gapsmith.templates import read_toml

BUNDLED = "bundled"
"""No directory can be scored under this name."""
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class ModelNote:
    """A model in plain words."""

    name: str
    what: str
    """A whole sentence: which model it is."""
    worth: str
    """What follows for its numbers."""
    toy: bool
    """Whether it is too small for claims about language models."""


@lru_cache(maxsize=1)
def _known() -> dict[str, dict[str, object]]:
    text = (resources.files("gapsmith.scoring.report") / "models.toml").read_text(encoding="utf-8")
    return read_toml(text)


def note_on(scorer: Scorer) -> ModelNote:
    """What the report says of the scorer's model; of a directory, or of a model that is not known by name,
    only what its settings say."""
    name = scorer.model
    # Of a local directory only the name is known, and it may hold anything; the hub gives commits as revisions.
    named = name == BUNDLED or _COMMIT.fullmatch(scorer.revision)
    entry = _known().get(name.removeprefix("openai-community/")) if named else None
    if entry is None:
        return ModelNote(
            name=name,
            what=f"{name} is a model that this report knows only by its name and settings.",
            worth="What its numbers are worth depends on its size and on what it was trained on: see its own model card.",
            toy=False,
        )
    return ModelNote(name, f"{name} is {entry['is']}.", str(entry["worth"]), bool(entry.get("toy", False)))


def model_folder(model: str) -> str:
    """A model as the name of a folder."""
    return model.replace("/", "-").strip("-")
