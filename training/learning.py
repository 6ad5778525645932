"""The training loop of neural language models: from any checkpoint on to the same losses and weights."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gapsmith.training.biases import Biases
from gapsmith.training.checkpoints import Checkpoints, TrainingState, without_slopes
from gapsmith.training.config import Optimiser, TrainingConfig
from gapsmith.training.encoding import EncodedCorpus
from gapsmith.training.errors import TrainingError
from gapsmith.training.log import TrainingLog
from gapsmith.training.machine import Machine
from gapsmith.training.packing import Batch, CorpusPosition, RowStream, SentenceStream, Stream, pack, sentence_batch
from gapsmith.training.planting import Planter
from gapsmith.training.schedule import learning_rate

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

Evaluation = Callable[[Path], Mapping[str, float | None]]
"""An evaluation hook: the folder of a checkpoint in, named figures out, for instance accuracy on the sets of a bank."""

Report = Callable[[Mapping[str, Any]], None]
"""Called with every entry of the log, and with a bare ``{"step": n}`` after every step that is not logged."""

_VALIDATION_SEED = 0
"""The held-out rows are the same for every run over the same text and tokenizer."""


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """What a finished run came to."""

    state: TrainingState
    stopped_early: Literal["", "patience", "asked"]
    """Why not all steps were trained: the validation loss had stopped falling, or one wanted to finish."""
    checkpoint: Path
    """The one whose weights the model gets: of the lowest validation loss, or the last one where that is wanted or nothing was held out."""


@dataclass(frozen=True)
class Lesson:
    """What a network is to learn from, and with what bias."""

    stream: Callable[[CorpusPosition], Stream]
    """From where a run is to the batches from there on."""
    held_out: Sequence[Batch] = ()
    biases: Biases | None = None
    """What acts while it is learnt."""
    planter: Planter | None = None
    """The trees of the sentences, for a bias that wants them."""


def text_stream(config: TrainingConfig, train: EncodedCorpus, end: int) -> Callable[[CorpusPosition], Stream]:
    """The rows of a text, from any place on."""
    rows, run = config.rows, config.run

    def stream(place: CorpusPosition) -> Stream:
        if rows.unit == "sentences":
            return SentenceStream(train, length=rows.length, end=end, seed=run.seed, size=run.batch, place=place)
        return RowStream(train, length=rows.length, end=end, end_within=rows.end_within, seed=run.seed, place=place)

    return stream


def held_out_batches(valid: EncodedCorpus, config: TrainingConfig, end: int) -> list[Batch]:
    """The rows that are evaluated."""
    import numpy as np

    rng, rows, size = np.random.default_rng(_VALIDATION_SEED), config.rows, config.run.batch
    if rows.unit == "sentences":
        chosen = rng.permutation(len(valid.opens))[: rows.validation_rows]
        chosen = chosen[np.argsort(np.diff(valid.bare.starts)[chosen], kind="stable")]
        parts = (chosen[start : start + size] for start in range(0, len(chosen), size))
        return [sentence_batch(valid, part, length=rows.length, end=end) for part in parts]
    packed = pack(valid, length=rows.length, end=end, end_within=rows.end_within, rng=rng)[: rows.validation_rows]
    return [Batch(packed[start : start + size]) for start in range(0, len(packed), size)]


def learn(
    config: TrainingConfig,
    network: Any,
    tokenizer: Tokenizer,
    lesson: Lesson,
    *,
    machine: Machine,
    checkpoints: Checkpoints,
    log: TrainingLog,
    evaluations: Sequence[Evaluation] = (),
    report: Report | None = None,
    finish: bool = False,
) -> TrainingOutcome:
    """Train `network` until the last step, or until the validation loss no longer falls, from the newest checkpoint on.

    With `finish` no further step is trained. Raises `TrainingError` where the loss is no longer a number, or a checkpoint
    cannot be read or written.
    """
    run = config.run
    if run.batch % (machine.world * run.accumulate):
        raise TrainingError(
            f"a batch of {run.batch} rows cannot be shared evenly by {machine.world} processes in {run.accumulate} parts",
            hint="Change run.batch or run.accumulate.",
        )
    with _deterministic(machine.device):
        learner = _Learner(config, network, tokenizer, lesson, machine, checkpoints, log, evaluations, report)
        state = learner.state if finish else learner.run(lesson.stream(learner.state.place))
    if state.step == 0:
        raise TrainingError(f"{checkpoints.directory} has no checkpoint yet to finish with", hint="Train first.")
    best = state.step if state.best_step is None or run.choose == "last" else state.best_step
    why: Literal["", "patience", "asked"] = "" if state.step == run.steps else "asked" if finish else "patience"
    return TrainingOutcome(state, why, checkpoints.path(best))


class _Learner:
    """A network, its optimiser, and where they stand."""

    def __init__(
        self,
        config: TrainingConfig,
        network: Any,
        tokenizer: Tokenizer,
        lesson: Lesson,
        machine: Machine,
        checkpoints: Checkpoints,
        log: TrainingLog,
        evaluations: Sequence[Evaluation],
        report: Report | None,
    ) -> None:
        from gapsmith.scoring.lm import keep_attention
        from gapsmith.training.loss import NextTokenLoss
        from gapsmith.training.networks import prepare_for_training

        self._config, self._network, self._tokenizer, self._lesson = config, network, tokenizer, lesson
        self._planting = None if lesson.biases is None or lesson.planter is None else lesson.biases.loss
        self._machine, self._checkpoints, self._log = machine, checkpoints, log
        self._evaluations, self._report = evaluations, report
        network.to(machine.device)
        prepare_for_training(network, machine.device)
        if self._planting is not None:
            keep_attention(network, network.config.planted_layers, network.config.planted_heads)
        self._optimiser = _optimiser(network, config.optimiser)
        self.state = checkpoints.newest() or TrainingState(0, 0, CorpusPosition())
        if self.state.step:
            checkpoints.load(self.state.step, network, self._optimiser)
        if machine.rank == 0:
            log.cut_after(self.state.step or -1)
        # The loss alone, for evaluation, and what may be wrapped for several processes, for training.
        self._loss = NextTokenLoss(network)
        self._module, self._stepper = machine.prepare(self._loss, self._optimiser)

    def run(self, stream: Stream) -> TrainingState:
        """Every step that is left."""
        run = self._config.run
        self._at_epoch(stream.place.epoch)
        self._catch_up()
        batches = stream.batches(run.batch)
        began, first = time.monotonic(), self.state.step
        while self.state.step < run.steps and not self._out_of_patience():
            step = self.state.step + 1
            self._at_epoch(stream.place.epoch)
            batch = next(batches)
            loss, divergence = self._step(step, batch)
            tokens = self.state.tokens + batch.n_tokens
            self.state = replace(self.state, step=step, tokens=tokens, place=stream.place)
            entry: dict[str, Any] = {"step": step}
            if step % run.log_every == 0 or step == run.steps:
                entry |= {"loss": loss, "tokens": tokens, "epochs": stream.epochs}
                entry |= {} if divergence is None else {"divergence": divergence}
                entry |= {"seconds": (time.monotonic() - began) / (step - first)}
            if self._evaluates_at(step) and self._lesson.held_out:
                entry |= self._validation()
                if self.state.best_loss is None or entry["valid_loss"] < self.state.best_loss:
                    self.state = replace(self.state, best_step=step, best_loss=entry["valid_loss"])
            # The log comes first: what it says beyond the newest checkpoint is cut when the run is resumed.
            self._tell(entry)
            if self._evaluates_at(step) or step % run.checkpoint_every == 0:
                if self._machine.rank == 0:
                    self._checkpoints.save(self.state, self._network, self._optimiser, self._tokenizer)
                self._machine.wait()
                self._measure(step)
        return self.state

    def _catch_up(self) -> None:
        """What comes before the first step, or between a checkpoint and the kill that followed it."""
        step = self.state.step
        if step == 0 and self._lesson.held_out:
            self._tell({"step": 0, **self._validation()})
        elif step and not any("measured" in entry for entry in self._log.entries() if entry["step"] == step):
            self._measure(step)

    def _at_epoch(self, epoch: int) -> None:
        if self._lesson.biases is not None:
            self._lesson.biases.at_epoch(self._network, epoch, self._config.run.epochs)

    def _step(self, step: int, batch: Batch) -> tuple[float, float | None]:
        """One step: the mean loss before it in nats per token, and where trees are planted, the mean divergence from them in nats per
        word."""
        import torch

        run, machine = self._config.run, self._machine
        # What is random in a step depends on the step alone, so that a resumed run repeats it.
        torch.manual_seed((run.seed * 1_000_003 + step) * machine.world + machine.rank)
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate(self._config.schedule, step, run.steps)
        self._module.train()
        self._stepper.zero_grad(set_to_none=True)
        ours = batch.some(slice(machine.rank, None, machine.world))
        rows = torch.from_numpy(ours.ids).long().to(machine.device)
        n_targets = ours.n_targets
        trees = (
            None if self._planting is None or self._lesson.planter is None else self._lesson.planter.plant(ours, machine.device)
        )
        n_words = 1 if trees is None else trees.n_words
        weight = 0.0 if self._planting is None else self._planting.settings.weight
        size = -(-len(rows) // run.accumulate)
        total, apart = (torch.zeros((), device=machine.device) for _ in range(2))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            with machine.exchange(self._module, now=start + size >= len(rows)):
                with self._precision():
                    loss, divergence = self._module(
                        rows[part],
                        n_targets,
                        padded=ours.sentences is not None,
                        trees=None if trees is None else trees.some(part),
                        n_words=n_words,
                    )
                machine.backward(loss if trees is None else loss + weight * divergence)
            total += loss.detach()
            apart += divergence.detach()
        torch.nn.utils.clip_grad_norm_(self._module.parameters(), self._config.optimiser.clip)
        mean = machine.mean(total)
        if not math.isfinite(mean):
            raise TrainingError(
                f"the training loss became {mean} in step {step}",
                hint="Lower schedule.learning_rate or lengthen schedule.warmup, and train into another --out.",
            )
        self._stepper.step()
        return mean, None if trees is None else machine.mean(apart)

    def _validation(self) -> dict[str, float]:
        """Loss on the held-out rows, as the network is trained now; where slopes act in it, also with none."""
        found = {"valid_loss": self._validation_loss()}
        slopes = getattr(self._network.config, "recency_slopes", None)
        if slopes and any(slopes):
            self._network.set_slopes(None)
            found["valid_loss_slope_0"] = self._validation_loss()
            self._network.set_slopes(slopes)
        return found

    def _validation_loss(self) -> float:
        """In nats per token. Every process reads all rows, so that all agree to the last bit."""
        import torch

        self._loss.eval()
        total, n = 0.0, 0
        with torch.inference_mode(), self._precision():
            for batch in self._lesson.held_out:
                rows = torch.from_numpy(batch.ids).long().to(self._machine.device)
                mean, _ = self._loss(rows, batch.n_targets, padded=batch.sentences is not None)
                total += float(mean) * batch.n_targets
                n += batch.n_targets
        return total / n

    def _measure(self, step: int) -> None:
        """Run the evaluation hooks on the checkpoint of `step`, where it is a step at which one evaluates; where slopes act in it, also
        without them."""
        if self._machine.rank == 0 and self._evaluations and self._evaluates_at(step):
            folder = self._checkpoints.path(step)
            measured = {name: value for hook in self._evaluations for name, value in hook(folder).items()}
            with without_slopes(folder) as other:
                if other is not None:
                    measured |= {f"{name}, slope 0": value for hook in self._evaluations for name, value in hook(other).items()}
            self._tell({"step": step, "measured": measured})
        self._machine.wait()

    def _evaluates_at(self, step: int) -> bool:
        return step % self._config.run.evaluate_every == 0 or step == self._config.run.steps

    def _out_of_patience(self) -> bool:
        patience, best = self._config.run.patience, self.state.best_step
        return bool(patience) and best is not None and self.state.step - best >= patience

    def _tell(self, entry: Mapping[str, Any]) -> None:
        if self._machine.rank == 0:
            if len(entry) > 1:
                self._log.add(entry)
            if self._report is not None:
                self._report({**entry, "of": self._config.run.steps})

    def _precision(self) -> Any:
        import torch

        kind = self._machine.device.split(":")[0]
        return torch.autocast(kind, dtype=torch.bfloat16, enabled=self._config.run.precision == "bfloat16")


def _optimiser(network: Any, settings: Optimiser) -> torch.optim.Optimizer:
    import torch

    parameters = list(network.parameters())
    groups = [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": settings.weight_decay},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=0.0, betas=(settings.beta1, settings.beta2), eps=settings.epsilon)


@contextmanager
def _deterministic(device: str) -> Iterator[None]:
    """Have torch choose only operations that give the same result every time."""
    import torch

    if device.startswith("cuda"):
        # cuBLAS reads this when it starts, and without it its sums are not reproducible.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
