"""Training: language models from text, and the corpora they read.

    train_lm          a GPT-2, an LSTM or an n-gram model, from a configuration and a corpus to a model folder

Importing this package imports neither torch nor transformers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
