"""Training: language models from text, and the corpora they read.

    train_lm          a GPT-2, an LSTM or an n-gram model, from a configuration and a corpus to a model folder

Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from gapsmith.training.config import load_config
from gapsmith.training.lm import train_lm
from gapsmith.training.text import find_corpus

__all__ = [
    "find_corpus",
    "load_config",
    "train_lm",
]
