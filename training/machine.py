"""Where training runs: one processor or GPU, or several processes that accelerate has started."""

from __future__ import annotations

import importlib
import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    import torch
    from torch import nn


class Machine:
    """One device in this process."""

    rank = 0
    world = 1

    def __init__(self, device: str) -> None:
        self.device = device

    def prepare(self, module: nn.Module, optimiser: torch.optim.Optimizer) -> tuple[Any, Any]:
        """The module and optimiser to train with."""
        return module, optimiser

    def backward(self, loss: torch.Tensor) -> None:
        """Compute gradients."""
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not say its types

    def mean(self, value: torch.Tensor) -> float:
        """The mean of a scalar over all processes."""
        return float(value)

    def exchange(self, module: Any, *, now: bool) -> AbstractContextManager[None]:  # noqa: ARG002 - for several processes
        """Around the backward pass of a part of a batch: gradients are exchanged only in the last one, `now`."""
        return nullcontext()

    def wait(self) -> None:
        """Until all processes are here."""


class _Several(Machine):
    """One of the processes of ``accelerate launch``."""

    def __init__(self, device: str) -> None:
        try:
            accelerate: Any = importlib.import_module("accelerate")
        except ImportError:
            raise ConfigError(
                "several processes train together only with accelerate, which is not installed",
                hint="pip install 'gapsmith[accelerate]', or run one process.",
            ) from None
        # The network casts for itself, under torch's autocast, so that one process and several compute the same.
        self._accelerator = accelerate.Accelerator(mixed_precision="no", cpu=device == "cpu")
        super().__init__(str(self._accelerator.device))
        self.rank, self.world = self._accelerator.process_index, self._accelerator.num_processes

    def prepare(self, module: nn.Module, optimiser: torch.optim.Optimizer) -> tuple[Any, Any]:
        module, optimiser = self._accelerator.prepare(module, optimiser)
        return module, optimiser

    def backward(self, loss: torch.Tensor) -> None:
        self._accelerator.backward(loss)

    def mean(self, value: torch.Tensor) -> float:
        return float(self._accelerator.reduce(value.detach().float(), reduction="mean"))

    def exchange(self, module: Any, *, now: bool) -> AbstractContextManager[None]:
        context: AbstractContextManager[None] = nullcontext() if now else self._accelerator.no_sync(module)
        return context

    def wait(self) -> None:
        self._accelerator.wait_for_everyone()


def open_machine(device: str) -> Machine:
    """The device `device` (``auto``, ``cpu``, ``cuda`` …) in this process, or this process's place among several.

    Raises `ConfigError` where there is no such device.
    """
    from gapsmith.scoring.lm import choose_device

    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        return _Several(device)
    return Machine(choose_device(device))
