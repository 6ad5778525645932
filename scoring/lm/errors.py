"""What can go wrong with a language model."""

from __future__ import annotations

from gapsmith.templates import GapsmithError


class ModelError(GapsmithError):
    """A language model that cannot be used for scoring; exit code 1."""


class ModelNotInReachError(ModelError):
    """The model's files are not here and cannot be fetched."""
