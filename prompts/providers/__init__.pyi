from .base import DEFAULT_TIMEOUT_S as DEFAULT_TIMEOUT_S
from .base import Provider as Provider
from .base import ProviderOptions as ProviderOptions
from .registry import PROVIDERS as PROVIDERS
from .registry import build_provider as build_provider
from .registry import provider_class as provider_class
from .registry import provider_names as provider_names
