"""Surprisal from causal language models: find a model, load it, score texts token by token.

Importing this package imports neither torch nor transformers; opening a model does.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
