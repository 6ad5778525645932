"""Providers: who answers a call."""

from gapsmith.prompts.providers.base import DEFAULT_TIMEOUT_S, Provider, ProviderOptions
from gapsmith.prompts.providers.registry import build_provider, provider_class, provider_names

__all__ = [
    "DEFAULT_TIMEOUT_S",
    "Provider",
    "ProviderOptions",
    "build_provider",
    "provider_class",
    "provider_names",
]
