"""Inductive biases of a learner: in the data before the data, in the loss, and in attention. A class each behind one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

from gapsmith.templates import ConfigError
from gapsmith.training.config import BiasTables, Constant, Dyck, Gpt2Shape, Linear, LstmShape, Planting, Recency, TrainingConfig


class Bias:
    """What a bias does, at each place where one can act. This one does nothing anywhere: a plain network, trained on text."""

    name = "none"

    def check(self, config: TrainingConfig) -> None:
        """Raise `ConfigError` where the rest of the configuration does not go with it."""

    def in_network(self, shape: Gpt2Shape) -> dict[str, Any]:  # noqa: ARG002 - for those that have something
        """What the configuration of the network says of it; a network of which nothing is said is a plain GPT-2."""
        return {}

    def slopes(self, epoch: int, epochs: int, heads: int) -> list[float] | None:  # noqa: ARG002 - for those that have slopes
        """What is taken off a score per token of distance in this epoch, from 0: one for all heads or one for each."""
        return None

    @property
    def test_slope(self) -> Literal["trained", 0]:
        """With which slope the finished model is scored."""
        return "trained"

    @property
    def says(self) -> str:
        """What it is, in a few words, for the card."""
        return ""


class ShuffledDyck(Bias):
    """Training on brackets before that on text, all weights carried over, with an optimiser of its own."""

    name = "dyck"

    def __init__(self, settings: Dyck) -> None:
        self.settings = settings

    def check(self, config: TrainingConfig) -> None:
        """Neural networks only: n-grams carry nothing over."""
        _wants(config, (Gpt2Shape, LstmShape), self.name)
        if self.settings.warmup > self.settings.steps:
            raise ConfigError(f"bias.dyck: {self.settings.warmup} steps of warm-up do not fit into {self.settings.steps}")

    @property
    def says(self) -> str:
        """See `Bias.says`."""
        own = self.settings
        return f"{own.steps:,} steps on shuffled {own.types}-Dyck before the text"


class TreePlanting(Bias):
    """Some heads' attention trained towards dependency trees. Nothing acts when the model is scored."""

    name = "planting"

    def __init__(self, settings: Planting) -> None:
        self.settings = settings

    def check(self, config: TrainingConfig) -> None:
        """Rows of sentences, and layers and heads that are there."""
        shape = _wants(config, (Gpt2Shape,), self.name)
        if config.rows.unit != "sentences":
            raise ConfigError(
                "bias.planting: a tree is one of a sentence, and rows.unit is 'stream'", hint='Say --set rows.unit="sentences".'
            )
        for key, numbers, n in (("layers", self.layers(shape), shape.layers), ("heads", self.settings.heads, shape.heads)):
            if not numbers or len(set(numbers)) < len(numbers) or not all(0 <= number < n for number in numbers):
                given = list(getattr(self.settings, key))
                raise ConfigError(
                    f"bias.planting.{key} = {given} are not different {key} of a network with {n}",
                    hint=f"They are counted from 0 to {n - 1}.",
                )

    def layers(self, shape: Gpt2Shape) -> list[int]:
        """The planted layers, from 0."""
        return [layer + shape.layers if layer < 0 else layer for layer in self.settings.layers]

    def in_network(self, shape: Gpt2Shape) -> dict[str, Any]:
        """See `Bias.in_network`."""
        return {"planted_layers": self.layers(shape), "planted_heads": list(self.settings.heads)}

    @property
    def says(self) -> str:
        """See `Bias.says`."""
        own = self.settings
        return f"trees of {own.parser} planted with weight {own.weight:g}"


class Slope(Bias, ABC):
    """Scores of attention that fall with distance."""

    settings: Recency | Linear | Constant

    def check(self, config: TrainingConfig) -> None:
        """A GPT-2; for a slope that changes, epochs."""
        _wants(config, (Gpt2Shape,), self.name)

    @abstractmethod
    def slopes(self, epoch: int, epochs: int, heads: int) -> list[float]:
        """See `Bias.slopes`."""

    def in_network(self, shape: Gpt2Shape) -> dict[str, Any]:
        """See `Bias.in_network`."""
        return {"recency_slopes": self.slopes(0, 1, shape.heads)}

    @property
    def test_slope(self) -> Literal["trained", 0]:
        """See `Bias.test_slope`."""
        return self.settings.test_slope

    def _check_epochs(self, config: TrainingConfig) -> None:
        if config.run.epochs is None:
            raise ConfigError(f"bias.{self.name}: its slope falls from epoch to epoch", hint="Say --set run.epochs=10.")


class DynamicRecency(Slope):
    """A slope that is multiplied by the same number from epoch to epoch: m_t = start * rate ** t."""

    name = "recency"

    def __init__(self, settings: Recency) -> None:
        self.settings: Recency = settings

    def check(self, config: TrainingConfig) -> None:
        """See `Slope.check`."""
        super().check(config)
        self._check_epochs(config)

    def slopes(self, epoch: int, epochs: int, heads: int) -> list[float]:  # noqa: ARG002 - the same however many come
        """See `Bias.slopes`."""
        return [self.settings.start * self.settings.rate**epoch]

    @property
    def says(self) -> str:
        """See `Bias.says`."""
        return f"recency with slope {self.settings.start:g} * {self.settings.rate:g} ** epoch"


class LinearRecency(Slope):
    """A slope that falls by the same number from epoch to epoch."""

    name = "linear"

    def __init__(self, settings: Linear) -> None:
        self.settings: Linear = settings

    def check(self, config: TrainingConfig) -> None:
        """See `Slope.check`."""
        super().check(config)
        self._check_epochs(config)

    def slopes(self, epoch: int, epochs: int, heads: int) -> list[float]:  # noqa: ARG002 - one for all
        """See `Bias.slopes`."""
        share = epoch / (epochs - 1) if epochs > 1 else 0.0
        return [self.settings.start + (self.settings.end - self.settings.start) * share]

    @property
    def says(self) -> str:
        """See `Bias.says`."""
        return f"recency with a slope that falls evenly from {self.settings.start:g} to {self.settings.end:g}"


class ConstantRecency(Slope):
    """Slopes that stay, by default one for each head."""

    name = "constant"

    def __init__(self, settings: Constant) -> None:
        self.settings: Constant = settings

    def check(self, config: TrainingConfig) -> None:
        """As many slopes as there are heads, or one."""
        super().check(config)
        shape = _wants(config, (Gpt2Shape,), self.name)
        own = self.settings.slopes
        if own is not None and len(own) not in (1, shape.heads):
            raise ConfigError(
                f"bias.constant.slopes: {len(own)} do not fit {shape.heads} heads", hint="Give one, or one for each."
            )

    def slopes(self, epoch: int, epochs: int, heads: int) -> list[float]:  # noqa: ARG002 - the same in all
        """See `Bias.slopes`."""
        own = self.settings.slopes
        return [0.9 ** (head + 1) for head in range(heads)] if own is None else list(own)

    @property
    def says(self) -> str:
        """See `Bias.says`."""
        own = self.settings.slopes
        return f"recency with {'a slope for each head' if own is None else f'slopes {own}'} that stay"


class Biases:
    """The biases of one learner: at most one at each place."""

    def __init__(self, before: ShuffledDyck | None, loss: TreePlanting | None, attention: Slope | None) -> None:
        self.before, self.loss, self.attention = before, loss, attention

    @property
    def members(self) -> Sequence[Bias]:
        """Those that there are; `Bias`, which does nothing, where there is none."""
        return [bias for bias in (self.before, self.loss, self.attention) if bias is not None] or [Bias()]

    @property
    def name(self) -> str:
        """``none``, ``dyck``, ``dyck + recency`` …"""
        return " + ".join(bias.name for bias in self.members)

    def check(self, config: TrainingConfig) -> None:
        """Raise `ConfigError` where the rest of the configuration does not go with one of them."""
        for bias in self.members:
            bias.check(config)

    def in_network(self, shape: Gpt2Shape) -> dict[str, Any]:
        """What the configuration of the network says of them."""
        return {key: value for bias in self.members for key, value in bias.in_network(shape).items()}

    def at_epoch(self, network: Any, epoch: int, epochs: int | None) -> None:
        """Bring the network into the state that it is trained in during this epoch, from 0; `epochs` is None where they are not counted,
        and only a slope that stays goes with that."""
        if self.attention is not None:
            # After the last epoch a network is as it was in it.
            now = epoch if epochs is None else min(epoch, epochs - 1)
            network.set_slopes(self.attention.slopes(now, 1 if epochs is None else epochs, network.config.n_head))


def biases_of(tables: BiasTables) -> Biases:
    """The biases that a configuration asks for. Raises `ConfigError` where two of them are for the same place."""
    attention: list[Slope] = []
    if tables.recency is not None:
        attention.append(DynamicRecency(tables.recency))
    if tables.linear is not None:
        attention.append(LinearRecency(tables.linear))
    if tables.constant is not None:
        attention.append(ConstantRecency(tables.constant))
    if len(attention) > 1:
        raise ConfigError(
            f"bias.{attention[0].name} and bias.{attention[1].name} are both slopes of attention, of which there is one at a time",
            hint="Leave one of the tables out.",
        )
    return Biases(
        None if tables.dyck is None else ShuffledDyck(tables.dyck),
        None if tables.planting is None else TreePlanting(tables.planting),
        attention[0] if attention else None,
    )


def _wants(config: TrainingConfig, shapes: tuple[type, ...], name: str) -> Any:
    if config.network is None:
        raise ConfigError(
            f"bias.{name}: with --init the network is there already, and a bias belongs to a new one",
            hint="Leave [bias] out: a model that was trained with a bias keeps what acts in it.",
        )
    if not isinstance(config.network, shapes):
        raise ConfigError(
            f"bias.{name} is none for {config.network.architecture}",
            hint='Say architecture = "gpt2" in [network], or leave [bias] out.',
        )
    return config.network
