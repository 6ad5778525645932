"""Reviewing without a screen: the session, the queue, the aligned grid, filters, edits and the guide."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
