from .config import load_config as load_config
from .lm import train_lm as train_lm
from .text import find_corpus as find_corpus
from .trained import TrainedModel as TrainedModel
