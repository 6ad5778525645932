"""A model for the studies, and figures that are not painted."""

from tests.scoring.conftest import tiny_gpt2, unpainted

__all__ = ["tiny_gpt2", "unpainted"]
