"""Models in the forms of others, as folders that score."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gapsmith.app.requests.measuring import ConvertModel
from gapsmith.app.services import QUIET, Services
from gapsmith.scoring.lm import ConvertedModel, convert_gulordava


@dataclass(frozen=True, slots=True)
class ModelConverted:
    """A folder that was made of a checkpoint."""

    request: ConvertModel
    model: ConvertedModel

    @property
    def folder(self) -> Path:
        """What `score` takes for a model."""
        return self.model.folder


def convert_model(request: ConvertModel, _services: Services = QUIET) -> ModelConverted:
    """Raises `ModelError` for what is no such checkpoint, wants to use what none needs, or does not go with the vocabulary, and `ConfigError`
    where the folder cannot be made."""
    return ModelConverted(request, convert_gulordava(request.checkpoint, request.vocabulary, request.out))
