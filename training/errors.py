"""What can go wrong while a model is trained."""

from __future__ import annotations

from gapsmith.templates import GapsmithError


class TrainingError(GapsmithError):
    """Training cannot begin or go on; what was saved stays; exit code 1."""
