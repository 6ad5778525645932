"""What a generation run is asked to do, and the identity that lets the same command continue it: the only place that decides what
makes two orders the same run. (`gapsmith.prompts.earlier_runs` brings the identities of release 0.1.0 up to it.)

A run is bound to what the provider is sent: the prompt as it reads before any word is used up, the schema of the answer, the
model's parameters; for the word lists, which are sent nothing, to the paradigm's form and words. A comment in a paradigm
file, a contrast or a title that no prompt shows changes none of it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from gapsmith.bank import DEFAULT_DATASET
from gapsmith.prompts.advice import Advice
from gapsmith.prompts.context import prompt_context
from gapsmith.prompts.files import PromptFile
from gapsmith.prompts.rendering import render_prompt
from gapsmith.prompts.request import Mode, ModelParameters
from gapsmith.prompts.schema import slot_schema
from gapsmith.templates import Paradigm, json_sha256


@dataclass(frozen=True, slots=True)
class RequestPace:
    """How fast and how dear a run may be. None of it changes what is asked, so none of it is part of the identity."""

    concurrency: int = 4
    rpm: float | None = None
    """Requests per minute."""
    tpm: float | None = None
    """Tokens per minute, prompt and answer together."""
    max_cost_usd: float | None = None
    """For the whole run, earlier attempts at it included."""


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """A run before it runs."""

    paradigm: Paradigm
    provider: str
    n: int | None
    """How many new items the run is to add; None: all that the provider has."""
    n_per_call: int
    mode: Mode = Mode.SLOTS
    design: str | None = None
    """The conditions that are asked for in sentence mode; in slot mode every condition is realised."""
    parameters: ModelParameters = field(default_factory=ModelParameters)
    base_url: str | None = None
    prompt: PromptFile | None = None
    """None for providers that need no words, such as the lexicon."""
    feedback: bool = False
    """Whether the prompt is told why earlier items were excluded."""
    dataset: str = DEFAULT_DATASET
    """The data set that the items go into."""
    advice: Advice | None = None
    """What the prompts say of good and bad words. Not part of the identity, as the words that have been used are none."""
    api_version: str | None = None
    """The version of the provider's API, where it has several."""
    free: bool = False
    """Whether the server is said to charge nothing. Not part of the identity."""
    repeat: int = 1
    """1, or higher to ask for the same once more."""

    resumed: str | None = None
    """The identity of the run that is to go on, whatever has changed since it began."""

    @property
    def identity(self) -> str:
        """What makes the same order the same run: SHA-256 of what is ordered and what is sent."""
        return self.resumed if self.resumed is not None else json_sha256({**_ordered(self), "sent": _sent(self)})

    @property
    def order_digest(self) -> str:
        """SHA-256 of what is ordered: everything that the user chose but the content of paradigm and prompt."""
        return json_sha256(_ordered(self))

    def record(self) -> dict[str, Any]:
        """The parameters as the bank keeps them with the run."""
        return {
            "order": self.order_digest,
            "n": self.n,
            "n_per_call": self.n_per_call,
            "mode": self.mode.value,
            "design": self.design,
            "base_url": self.base_url,
            "feedback": self.feedback,
            "dataset": self.dataset,
            "repeat": self.repeat,
            **self.parameters.as_record(),
            **({"api_version": self.api_version} if self.api_version else {}),
            **({"free": True} if self.free else {}),
        }


def _ordered(plan: GenerationPlan) -> dict[str, Any]:
    return {
        "paradigm": plan.paradigm.name,
        "provider": plan.provider,
        "base_url": plan.base_url,
        "n": plan.n,
        "mode": plan.mode.value,
        "design": plan.design,
        "parameters": {name: value for name, value in asdict(plan.parameters).items() if value is not None},
        "feedback": plan.feedback,
        "dataset": plan.dataset,
        "repeat": plan.repeat,
    }


def _sent(plan: GenerationPlan) -> dict[str, Any]:
    if plan.prompt is None:
        return {"form": plan.paradigm.form_digest, "words": plan.paradigm.words_digest}
    context = prompt_context(plan.paradigm, n=1, mode=plan.mode, design=plan.design)
    schema = slot_schema(plan.paradigm) if plan.mode is Mode.SLOTS else None
    return {"prompt": render_prompt(plan.prompt, context), "schema": schema}
