"""Training: language models from text, and the corpora they read.

    train_lm          a GPT-2, an LSTM or an n-gram model, from a configuration and a corpus to a model folder

Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from training.config import TrainingConfig, config_names, load_config
from training.errors import TrainingError
from training.learning import Evaluation
from training.lm import TrainedModel, train_lm
from training.text import CorpusFiles, find_corpus

__all__ = [
    "CorpusFiles",
    "Evaluation",
    "TrainedModel",
    "TrainingConfig",
    "TrainingError",
    "config_names",
    "find_corpus",
    "load_config",
    "train_lm",
]
