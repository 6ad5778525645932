"""The review screens, on Textual. Only the command that opens them imports this package."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
