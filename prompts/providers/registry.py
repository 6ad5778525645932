"""Providers by name: the built-in ones, and those that installed packages offer under `gapsmith.providers`.

An entry point names a `Provider` subclass that is built from `ProviderOptions`:

    [project.entry-points."gapsmith.providers"]
    mine = "my_package.provider:MyProvider"

Listing the names imports nothing; a provider's SDK is imported when the provider is built.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points

from prompts.providers.base import Provider, ProviderOptions
from templates.errors import ConfigError

__all__ = ["ENTRY_POINT_GROUP", "build_provider", "provider_class", "provider_names"]

ENTRY_POINT_GROUP = "gapsmith.providers"

_BUILT_IN: Mapping[str, str] = {
    "lexicon": "prompts.providers.lexicon:LexiconProvider",
    "gemini": "prompts.providers.gemini:GeminiProvider",
    "openai": "prompts.providers.openai_api:OpenAIProvider",
}

_EXTRA_MODULE = {"google": "google-genai", "openai": "openai"}


def provider_names() -> tuple[str, ...]:
    """Every provider that can be named; a built-in name wins over an installed one."""
    installed = sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return tuple(dict.fromkeys([*_BUILT_IN, *installed]))


def provider_class(name: str) -> type[Provider]:
    """The class behind a name. Raises `ConfigError` where there is none, or its package cannot be imported."""
    try:
        if name in _BUILT_IN:
            module, attribute = _BUILT_IN[name].split(":")
            found = getattr(import_module(module), attribute)
        else:
            points = entry_points(group=ENTRY_POINT_GROUP, name=name)
            if not points:
                raise _unknown(name)
            found = next(iter(points)).load()
    except ImportError as error:
        package = _EXTRA_MODULE.get((error.name or "").split(".")[0], error.name or "the package")
        raise ConfigError(
            f"provider {name!r} needs {package}, which cannot be imported ({error})",
            hint=f"Install it in gapsmith's environment: pip install {package}",
        ) from None
    if not (isinstance(found, type) and issubclass(found, Provider)):
        raise ConfigError(
            f"provider {name!r} is {found!r}, which is not a subclass of prompts.Provider",
            hint="Tell the author of the package that offers it.",
        )
    return found


def build_provider(name: str, options: ProviderOptions) -> Provider:
    """The provider, ready to be called. Raises `ConfigError` where a key or a model is missing."""
    return provider_class(name)(options)


def _unknown(name: str) -> ConfigError:
    known = provider_names()
    close = difflib.get_close_matches(name, known, n=1)
    guess = f"Did you mean {close[0]}? " if close else ""
    return ConfigError(f"there is no provider {name!r}", hint=f"{guess}There are: {', '.join(known)}")
