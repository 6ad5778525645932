from .table import Frequencies as Frequencies
from .table import load_frequencies as load_frequencies
