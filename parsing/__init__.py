"""Parsers behind one interface, one vocabulary of relations, treebanks, and patterns over parses."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
