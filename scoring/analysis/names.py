"""What contrasts and criteria are called on screen."""

from __future__ import annotations

from gapsmith.templates import Contrast, Criterion


def label(contrast: Contrast | Criterion) -> str:
    """The name of a contrast or criterion as the literature writes it, where its title begins with one (``Delta(+F): …``)."""
    start = contrast.title.split(": ", 1)[0]
    return start if start != contrast.title and len(start) <= 10 and " " not in start else contrast.name


def about(contrast: Contrast | Criterion) -> str:
    """What its title says after its formula or name; its name where it has no title."""
    return contrast.title.split(": ", 1)[-1] or contrast.name
