"""POSH-BENCH (Yang, Bisazza, Schneider & Wilcox 2026): poverty-of-the-stimulus phenomena over every model that scored them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
