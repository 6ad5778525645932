"""Paradigms: what an item set is, how slots become sentences, and how sentences are read back into slots."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
