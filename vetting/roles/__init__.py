"""Roles: what the words of an item are in its construction, whether slots declare it or its sentences show it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
