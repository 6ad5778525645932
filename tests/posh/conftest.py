"""A model for the study."""

from tests.scoring.conftest import tiny_gpt2

__all__ = ["tiny_gpt2"]
