"""Checkpoints: a complete model folder with the optimiser's state, whole or not there at all, whenever the run is killed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.bank import PassingFolder, written_whole
from gapsmith.templates import read_json, text_of
from gapsmith.training.errors import TrainingError
from gapsmith.training.packing import CorpusPosition
from gapsmith.training.tokenizer import save_tokenizer

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

_STATE = "state.json"
_OPTIMISER = "optimizer.safetensors"
_CONFIG = "config.json"
_OF_A_MODEL = (
    "model.safetensors",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
)
"""What a model folder has beside its configuration."""


@dataclass(frozen=True, slots=True)
class TrainingState:
    """Where a run stands. With weights and optimiser this is all that decides what comes next."""

    step: int
    tokens: int
    """Tokens read so far."""
    place: CorpusPosition
    best_step: int | None = None
    """The step with the lowest validation loss."""
    best_loss: float | None = None
    """In nats per token."""


class Checkpoints:
    """The checkpoints of one run: the newest, and the one with the lowest validation loss."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def path(self, step: int) -> Path:
        """The folder of a step; it can be scored like any model."""
        return self.directory / f"step-{step:08d}"

    def steps(self) -> list[int]:
        """The steps there are checkpoints of, in order."""
        found = self.directory.glob("step-????????") if self.directory.is_dir() else ()
        return sorted(int(folder.name.removeprefix("step-")) for folder in found if (folder / _STATE).is_file())

    def newest(self) -> TrainingState | None:
        """The state of the newest checkpoint."""
        steps = self.steps()
        if not steps:
            return None
        file = self.path(steps[-1]) / _STATE
        try:
            content: dict[str, Any] = read_json(text_of(file, "utf-8"))
            return TrainingState(**{**content, "place": CorpusPosition(**content["place"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise TrainingError(
                f"the checkpoint {file.parent} cannot be read ({error})",
                hint="Delete that folder to go on from the one before it, or choose another --out.",
            ) from None

    def save(self, state: TrainingState, network: Any, optimiser: torch.optim.Optimizer, tokenizer: Tokenizer) -> None:
        """Write a checkpoint, then delete those that are neither the newest nor the best."""
        from safetensors.torch import save_file

        with write_whole(self.path(state.step)) as folder:
            save_model(network, tokenizer, folder)
            save_file(_tensors(network, optimiser), folder / _OPTIMISER)
            (folder / _STATE).write_text(json.dumps(asdict(state), indent=1), encoding="utf-8")
        for step in self.steps():
            if step not in (state.step, state.best_step):
                shutil.rmtree(self.path(step), ignore_errors=True)

    def load(self, step: int, network: Any, optimiser: torch.optim.Optimizer) -> None:
        """Give network and optimiser the values they had at `step`."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        folder = self.path(step)
        try:
            load_weights(network, folder)
            kept = load_file(folder / _OPTIMISER)
            for name, parameter in network.named_parameters():
                states = {key: kept[f"{name}/{key}"].to(parameter.device) for key in ("exp_avg", "exp_avg_sq")}
                optimiser.state[parameter] = {"step": kept[f"{name}/step"], **states}
        except (OSError, SafetensorError, KeyError, RuntimeError) as error:
            raise TrainingError(
                f"the checkpoint {folder} cannot be read ({error})",
                hint="Delete that folder to go on from the one before it, or choose another --out.",
            ) from None


def load_weights(network: Any, folder: Path) -> None:
    """Give the network the weights in `folder`, which lack only what is tied to another, and the slopes of its attention there."""
    from safetensors.torch import load_file

    absent, unknown = network.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    tied = set(network.all_tied_weights_keys)
    if unknown or not set(absent) <= tied:
        raise KeyError(f"weights that do not fit: {[*unknown, *(set(absent) - tied)][0]}")
    if hasattr(network, "set_slopes"):
        network.set_slopes(read_json(text_of(folder / _CONFIG, "utf-8")).get("recency_slopes"))


def copy_with_slopes(folder: Path, out: Path, slopes: list[float] | None) -> None:
    """The model in `folder` once more, in the new folder `out`, with other slopes. Its weights are shared where the disk allows that."""
    out.mkdir(parents=True)
    for file in folder.iterdir():
        if file.name == _CONFIG:
            told = read_json(text_of(file, "utf-8")) | {"recency_slopes": slopes}
            (out / _CONFIG).write_text(json.dumps(told, indent=2), encoding="utf-8")
        elif file.name in _OF_A_MODEL:
            try:
                os.link(file, out / file.name)
            except OSError:
                shutil.copyfile(file, out / file.name)


def slopes_of(folder: Path) -> list[float] | None:
    """The slopes that act in the model of a folder; None where none does."""
    slopes: list[float] | None = read_json(text_of(folder / _CONFIG, "utf-8")).get("recency_slopes")
    return slopes if slopes and any(slopes) else None


@contextmanager
def without_slopes(folder: Path) -> Iterator[Path | None]:
    """A copy of the model in `folder` without slopes, for as long as it is looked at; None where it has none."""
    if slopes_of(folder) is None:
        yield None
        return
    with PassingFolder(folder.parent) as beside:
        out = beside / folder.name
        copy_with_slopes(folder, out, None)
        yield out


def _tensors(network: Any, optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    return {
        f"{name}/{key}": value.contiguous()
        for name, parameter in network.named_parameters()
        for key, value in optimiser.state[parameter].items()
    }


def save_model(network: Any, tokenizer: Tokenizer, folder: Path, *, dtype: str | None = None) -> None:
    """Write configuration, weights (in `dtype` where given) and tokenizer the way transformers reads them."""
    import copy

    import torch

    from gapsmith.scoring.lm import quiet
    from gapsmith.training.networks import window_of

    if dtype is not None and dtype != str(network.dtype).removeprefix("torch."):
        network = copy.deepcopy(network).to(getattr(torch, dtype))
    with quiet():
        network.save_pretrained(folder)
    save_tokenizer(tokenizer, folder, window=window_of(network))


@contextmanager
def write_whole(folder: Path) -> Iterator[Path]:
    """A folder to write into that gets the name `folder` only when all of it is on disk.

    Raises `TrainingError` where it cannot be written.
    """
    from safetensors import SafetensorError

    try:
        with written_whole(folder) as building:
            building.mkdir()
            yield building
            for file in building.iterdir():
                with file.open("rb") as stream:
                    os.fsync(stream.fileno())
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, SafetensorError) as error:
        raise TrainingError(
            f"{folder} cannot be written ({getattr(error, 'strerror', None) or error})",
            hint="Make room, then run the same command again: it goes on from the checkpoint before.",
        ) from None
