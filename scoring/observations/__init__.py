"""The table of observations: what a scorer says of items, place by place. Every number of an analysis goes through it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
