"""Providers by name: the built-in ones, and those that installed packages offer under `gapsmith.providers`.

An entry point names a `Provider` subclass that is built from `ProviderOptions`:

    [project.entry-points."gapsmith.providers"]
    mine = "my_package.provider:MyProvider"

Listing the names imports nothing; a provider's SDK is imported when the provider is built.
"""

from __future__ import annotations

from prompts.providers.base import Provider, ProviderOptions
from templates.errors import ConfigError
from templates.plugins import Registry

PROVIDERS: Registry[type] = Registry(
    "gapsmith.providers",
    "provider",
    type,
    {
        "lexicon": "prompts.providers.lexicon:LexiconProvider",
        "gemini": "prompts.providers.gemini:GeminiProvider",
        "openai": "prompts.providers.openai_api:OpenAIProvider",
    },
)


def provider_names() -> tuple[str, ...]:
    """Every provider that can be named; a built-in name wins over an installed one."""
    return tuple(PROVIDERS)


def provider_class(name: str) -> type[Provider]:
    """The class behind a name. Raises `ConfigError` where there is none, or its package cannot be imported."""
    found = PROVIDERS.find(name)
    if not issubclass(found, Provider):
        raise ConfigError(
            f"provider {name!r} is {found!r}, which is not a subclass of prompts.Provider",
            hint="Tell the author of the package that offers it.",
        )
    return found


def build_provider(name: str, options: ProviderOptions) -> Provider:
    """The provider, ready to be called. Raises `ConfigError` where a key or a model is missing."""
    return provider_class(name)(options)
