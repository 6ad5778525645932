"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
