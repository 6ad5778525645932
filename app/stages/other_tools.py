"""A sentence's number as other tools make it, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import scoring
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.instruments import ExplainNumber
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import settings_of
from gapsmith.scoring import TOOLS, Explained, explain
from gapsmith.scoring.lm import Engine, adds_bos
from gapsmith.templates import CONVENTIONS, BosPolicy, ConfigError

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class NumbersExplained:
    """The way from our number to the other tool's, for the sentence and for the one it is held against."""

    request: ExplainNumber
    sentences: tuple[Explained, ...]

    def __getitem__(self, place: int) -> Explained:
        return self.sentences[place]

    def __iter__(self) -> Iterator[Explained]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each step: sentence, step, gapsmith, the other tool, number, change."""
        import pandas

        rows = [
            {
                "sentence": one.sentence,
                "step": step.what,
                "gapsmith": step.ours,
                one.tool.name: step.theirs,
                "number": step.after,
                "change": step.difference,
            }
            for one in self.sentences
            for step in one.steps
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4f}")
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """The way from one number to the other, as JSON takes it."""
        return [
            {
                "sentence": found.sentence,
                "word": found.word,
                "tool": found.tool.name,
                "version": found.tool.version,
                "ours": found.ours,
                "theirs": found.theirs,
                "reason": found.reason,
                "ours_reason": found.ours_reason,
                "unknown_words": list(found.unknown),
                "steps": [
                    {"what": s.what, "ours": s.ours, "theirs": s.theirs, "after": s.after, "difference": s.difference}
                    for s in found.steps
                ],
                "ties": found.tool.ties,
            }
            for found in self.sentences
        ]


def explain_number(request: ExplainNumber, services: Services = QUIET) -> NumbersExplained:
    """Raises `ConfigError` where the word is not there exactly once, or the tool has no number for a word."""
    if request.like not in TOOLS:
        raise ConfigError(f"there is nothing known of {request.like!r}", hint=f"Say one of {', '.join(TOOLS)}.")
    chosen = scoring(settings_of(None), model=request.model, engine="batches")

    @cache
    def engine_with(bos: bool) -> Engine:
        return chosen.open(bos=BosPolicy.BOS if bos else BosPolicy.NONE, notice=services.note)

    tool = TOOLS[request.like]
    if tool.name in CONVENTIONS and not tool.sentence.bos and adds_bos(engine_with(False)):
        # The other program takes what the tokenizer gives.
        word_too = None if tool.word is None else replace(tool.word, bos=True)
        tool = replace(tool, sentence=replace(tool.sentence, bos=True), word=word_too)
        services.note(f"the tokenizer of {request.model} puts a BOS token before every text unasked, so {tool.name} has it, too")
    asked = [request.sentence, *([] if isinstance(request.against, Unset) else [request.against])]
    word = said_or_none(request.word)
    found = (explain(text, tool, engine_with, word=word, boundary=request.boundary) for text in asked)
    return NumbersExplained(request, tuple(found))
