"""A model for the studies."""

from tests.scoring.conftest import tiny_gpt2

__all__ = ["tiny_gpt2"]
