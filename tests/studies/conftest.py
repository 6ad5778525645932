"""A model for the studies, and figures that are not painted."""

from tests.scoring.conftest import tiny_gpt2

__all__ = ["tiny_gpt2"]
