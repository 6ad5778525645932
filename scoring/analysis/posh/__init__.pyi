from .evaluating import Evaluation as Evaluation
from .evaluating import PhenomenonRow as PhenomenonRow
from .evaluating import evaluate as evaluate
from .mapping import BENCHMARKS as BENCHMARKS
from .mapping import CATEGORIES as CATEGORIES
from .mapping import Part as Part
from .mapping import part_of as part_of
from .published import read_posh_counts as read_posh_counts
