"""What a reviewer is asked, and why an item may be excluded. A workspace extends both in ``review.toml``:

reasons = ["pronoun instead of a name", "needs a context"]
questions = ["Would you say this yourself?"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.templates import ConfigError, made_of, no_such, text_of
from gapsmith.vetting.reasons import OTHER


@dataclass(frozen=True, slots=True)
class ProtocolQuestion:
    """One thing to ask of every item."""

    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """The protocol and the reasons for exclusion, in the order in which they are shown."""

    reasons: tuple[str, ...]
    questions: tuple[ProtocolQuestion, ...]


GUIDE = Guide(
    reasons=(
        "verb selection",
        "implausible",
        "ungrammatical where it should be good",
        "good where it should be bad",
        "ambiguous",
        "unnatural",
        "duplicate",
        OTHER,
    ),
    questions=(
        ProtocolQuestion(
            "Is the co-indexed reading plausible?",
            "One and the same person has to fit both gaps: the one inside the subject and the object of the verb.",
        ),
        ProtocolQuestion(
            "Are the ok sentences natural?",
            "Say them aloud. Stiff is fine, wrong is not: the matrix verb must take both who and that.",
        ),
        ProtocolQuestion(
            "Are the starred sentences bad for the intended reason only?",
            "The filler or the gap should be the fault, not agreement, tense, or a verb that needs another frame.",
        ),
        ProtocolQuestion(
            "Is there another parse?",
            "A verb that may lack its object, a noun that needs no complement, an adverb that could be a noun.",
        ),
    ),
)
"""What holds where the workspace says nothing."""


_LISTS = ("reasons", "questions")


def load_guide(workspace: Path | None) -> Guide:
    """The guide with the workspace's reasons and questions after the standing ones, whose digits stay what they are.

    Raises `ConfigError` naming the file for anything but two lists of texts."""
    path = workspace / "review.toml" if workspace is not None else None
    if path is None or not path.exists():
        return GUIDE
    try:
        text = text_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return made_of(text, str(path), _added, what="a guide")


def _added(values: Mapping[str, Any]) -> Guide:
    for name, entries in values.items():
        if name not in _LISTS:
            raise no_such(f"unknown key {name!r}", "There are", name, _LISTS, place=(name,))
        if not isinstance(entries, list) or not all(isinstance(e, str) and e.strip() for e in entries):
            raise ConfigError(f"{name} should be a list of texts", hint=f'For example: {name} = ["…"]', place=(name,))
    extra = [reason.strip() for reason in values.get("reasons", ()) if reason.strip() not in GUIDE.reasons]
    questions = tuple(ProtocolQuestion(text.strip()) for text in values.get("questions", ()))
    return replace(GUIDE, reasons=(*GUIDE.reasons, *dict.fromkeys(extra)), questions=GUIDE.questions + questions)
