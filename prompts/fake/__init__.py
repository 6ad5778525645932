"""A stand-in for the providers on this machine: speaks their APIs, draws its words from the paradigm's lists."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
