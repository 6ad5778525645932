"""Providers by name: the built-in ones, and those that installed packages offer under `gapsmith.providers`.

An entry point names a `Provider` subclass that is built from `ProviderOptions`:

    [project.entry-points."gapsmith.providers"]
    mine = "my_package.provider:MyProvider"

Listing the names imports nothing; a provider's SDK is imported when the provider is built.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager

from gapsmith.prompts.failures import FailureKind, ProviderError
from gapsmith.prompts.providers.base import Provider, ProviderOptions
from gapsmith.prompts.request import CallRequest, ModelParameters, Reply
from gapsmith.prompts.scrubbing import scrub
from gapsmith.templates import GapsmithError, Plugin, Registry, a_kind


def _held(found: type, plugin: Plugin) -> type:
    """A provider of an installed package, under the name by which it is asked for."""
    if not issubclass(found, Provider):
        raise plugin.fault(" is not a subclass of gapsmith.prompts.Provider")
    if inspect.isabstract(found):
        raise plugin.fault(f" is abstract: it does not define {', '.join(sorted(found.__abstractmethods__))}")

    class Held(found):  # type: ignore[misc]  # the class is known only now
        __doc__ = found.__doc__
        name = plugin.name

        def __init__(self, options: ProviderOptions) -> None:
            with plugin.at_work(" cannot be built"):
                super().__init__(options)
            if not isinstance(getattr(self, "paid", None), bool):
                raise plugin.fault(": its `paid` is neither True nor False")

        def check(self, parameters: ModelParameters) -> None:
            with plugin.at_work(": check failed"):
                super().check(parameters)

        async def call(self, request: CallRequest) -> Reply:
            with _failing(plugin, self):
                reply = await super().call(request)
                if not isinstance(reply, Reply):
                    raise plugin.fault(f": call gave {a_kind(reply)}, not a Reply")
                if not isinstance(reply.text, str):
                    raise plugin.fault(f": call gave a Reply whose text is {a_kind(reply.text)}, not a str")
                return reply

    return Held


@contextmanager
def _failing(plugin: Plugin, provider: Provider) -> Iterator[None]:
    """A fault in a call is that call's failure, so that no answer to another one is lost."""
    try:
        with plugin.at_work(": call failed"):
            yield
    except GapsmithError as error:
        failure = error
        if not isinstance(error, ProviderError):
            failure = ProviderError(FailureKind.INTERNAL, scrub(error.message, provider.secrets), provider=provider.name)
        if isinstance(failure, ProviderError) and failure.kind is FailureKind.INTERNAL:
            failure.hint = plugin.fault("").hint
        raise failure from error.__cause__


PROVIDERS: Registry[type] = Registry(
    "gapsmith.providers",
    "provider",
    type,
    {
        "lexicon": "gapsmith.prompts.providers.lexicon:LexiconProvider",
        "gemini": "gapsmith.prompts.providers.gemini:GeminiProvider",
        "openai": "gapsmith.prompts.providers.openai_api:OpenAIProvider",
    },
    held=_held,
)


def provider_names() -> tuple[str, ...]:
    """Every provider that can be named; a built-in name wins over an installed one."""
    return tuple(PROVIDERS)


def provider_class(name: str) -> type[Provider]:
    """The class behind a name. Raises `ConfigError` where there is none, or its package cannot be imported."""
    return PROVIDERS.find(name)


def build_provider(name: str, options: ProviderOptions) -> Provider:
    """The provider, ready to be called. Raises `ConfigError` where a key or a model is missing."""
    return provider_class(name)(options)
