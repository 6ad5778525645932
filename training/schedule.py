"""The learning rate of every step."""

from __future__ import annotations

import math

from gapsmith.training.config import Schedule


def learning_rate(schedule: Schedule, step: int, steps: int) -> float:
    """The rate of step `step`, counted from 1, of `steps`."""
    return schedule.learning_rate * _factor(schedule, step, steps)


def _factor(schedule: Schedule, step: int, steps: int) -> float:
    if step <= schedule.warmup:
        return step / schedule.warmup
    left = (steps - step) / max(1, steps - schedule.warmup)
    if schedule.shape == "linear":
        return left
    if schedule.shape == "cosine":
        return 0.5 * (1.0 - math.cos(math.pi * left))
    if schedule.shape == "trapezoid":
        return min(1.0, (steps - step) / max(1, schedule.decay))
    return 1.0


def same_until(old: tuple[Schedule, int], new: tuple[Schedule, int], step: int) -> bool:
    """Whether two schedules, each with its number of steps, agree in every step up to `step`.

    Then a run that is at `step` under the one has the weights it would have under the other, and may go on under it.
    """
    return all(learning_rate(old[0], n, old[1]) == learning_rate(new[0], n, new[1]) for n in range(1, step + 1))
