from .table import Frequencies as Frequencies
from .table import load_frequencies as load_frequencies
from .table import load_rare_words as load_rare_words
