"""How often words occur: unigram counts of the project's own corpus."""

from gapsmith.vetting.frequency.table import Frequencies, load_frequencies

__all__ = ["Frequencies", "load_frequencies"]
