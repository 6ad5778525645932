"""The contract of a provider."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from gapsmith.prompts.request import CallRequest, Mode, ModelParameters, Reply
from gapsmith.templates import DEFAULT_BAND, Paradigm

DEFAULT_TIMEOUT_S = 120.0
"""Models that think take a minute or more for ten items."""


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """What a provider is built from. Building one opens no connection."""

    paradigm: Paradigm
    model: str | None = None
    base_url: str | None = None
    send_key: bool = True
    """Whether the owner of the keys named `base_url`, or agreed to its host (`gapsmith.prompts.providers.may_send_key`); else a key
    found in the environment is not sent there."""
    timeout_s: float = DEFAULT_TIMEOUT_S
    seed: int = 1
    exhaustive: bool = False
    """Every item of the paradigm rather than a sample, for providers that can."""
    band: str = DEFAULT_BAND
    """How frequent the words are, for providers that draw them from word lists."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Where keys and addresses are looked up: `os.environ` outside of tests."""


class Provider(ABC):
    """Answers calls. `call` raises `ProviderError` for everything that goes wrong in a call, and nothing else; it never
    retries; an empty, cut or blocked answer is a `ProviderError`, which carries the text and the usage that came."""

    name: ClassVar[str]
    paid: bool
    """Whether a call may cost money, so that one without an answer must not simply be made again."""
    finite: ClassVar[bool] = False
    """Whether it says ``exhausted`` when it has nothing more, so that it can be asked on until then."""
    modes: ClassVar[frozenset[Mode]] = frozenset(Mode)

    api_version: str | None = None
    """The version of its API that it speaks, where there are several."""
    address: str | None = None
    """The base URL where it is not the provider's own, else None."""
    secrets: tuple[str, ...] = ()
    """Values that must not appear in a message, a log or the bank."""
    notes: tuple[str, ...] = ()
    """What the user should know before the first call, e.g. which variable the key came from."""

    @abstractmethod
    def __init__(self, options: ProviderOptions) -> None:
        """Raises `ConfigError` where a key or a model is missing; opens no connection."""

    def check(self, parameters: ModelParameters) -> None:  # noqa: B027 - most providers take everything
        """Raise `ConfigError` for a parameter that no call could be made with; before the first call."""

    @abstractmethod
    async def call(self, request: CallRequest) -> Reply:
        """The answer to one call."""

    async def close(self) -> None:  # noqa: B027 - most providers have nothing to close
        """Give back connections. The provider cannot be called afterwards."""
