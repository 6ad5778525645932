"""What goes to a provider and what comes back: one call's worth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from gapsmith.prompts.usage import Usage


class Mode(StrEnum):
    """What a model is asked for: values of the paradigm's slots, or whole sentences."""

    SLOTS = "slots"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class ModelParameters:
    """What decides how a model answers. None leaves a parameter out of the request."""

    model: str | None = None
    temperature: float | None = None
    seed: int | None = None
    """Call number k is asked with seed + k, so that the calls of a run differ."""
    max_output_tokens: int | None = None
    """Thinking included, for the providers that count it so."""
    thinking: str | None = None
    """A number of tokens (Gemini 2.5), or ``minimal``, ``low``, ``medium``, ``high`` (Gemini 3, OpenAI)."""
    top_p: float | None = None
    tier: str | None = None
    """``flex``: half the price, when the provider has time."""
    api: str | None = None
    """``responses``: OpenAI's newer API instead of its chat completions."""
    extra_body: str | None = None
    """A JSON object whose members go into the request beside ours, for servers that know more than OpenAI's API has."""
    band: str | None = None
    """Which words the word lists give, by how frequent they are: one of `gapsmith.templates.BANDS`; None: their default."""
    levels: str | None = None
    """Which levels of the paradigm's choices items are made of (`Paradigm.with_levels`); None: all, in turn."""

    def as_record(self) -> dict[str, Any]:
        """As runs are told apart by, and as the bank keeps it. What came later counts only where it is set, so that runs
        from before stay the same runs."""
        later = ("top_p", "tier", "api", "extra_body", "band", "levels")
        return {name: value for name, value in asdict(self).items() if name not in later or value is not None}


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call: so many items, with this prompt."""

    number: int
    """0-based within the run."""
    offset: int
    """How many items the calls before this one have asked for; where a seeded sampler goes on."""
    n_items: int
    mode: Mode
    parameters: ModelParameters = field(default_factory=ModelParameters)
    prompt: str = ""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer, in slot mode."""

    @property
    def charged_text(self) -> str:
        """All text that goes out with the call, and is paid for: prompt and schema."""
        return self.prompt + (json.dumps(self.schema) if self.schema is not None else "")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that came back whole, untouched."""

    text: str
    finish_reason: str = "stop"
    """In the provider's words; ``exhausted`` where a sampler has nothing more to give."""
    usage: Usage = field(default_factory=Usage)
    details: Mapping[str, str] = field(default_factory=dict)
    """Who answered and how it was asked, as far as the provider tells: ``model`` (the version that answered),
    ``structure`` (``json_schema``, ``json_object`` or ``prompt``), ``response_id``, ``system_fingerprint``."""
    body: bytes | None = None
    """The HTTP body that it came in, where it came over HTTP."""
