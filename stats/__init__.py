"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
