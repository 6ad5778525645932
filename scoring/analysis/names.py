"""What a contrast is called on screen."""

from __future__ import annotations

from templates.model import Contrast

__all__ = ["about", "label"]


def label(contrast: Contrast) -> str:
    """The contrast's name as the literature writes it, where its title begins with one (``Delta(+F): …``)."""
    start = contrast.title.split(": ", 1)[0]
    return start if start != contrast.title and len(start) <= 10 and " " not in start else contrast.name


def about(contrast: Contrast) -> str:
    """What the contrast's title says after its formula or name; its name where it has no title."""
    return contrast.title.split(": ", 1)[-1] or contrast.name
