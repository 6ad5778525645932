"""What can be asked of the guide: what a workspace needs now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gapsmith.app.requests.parts import Selection


@dataclass(frozen=True, kw_only=True)
class NextStep(Selection):
    """Say what this workspace needs now, with the command to type.

    The first line is what to do; what follows can be done as well, or comes after it. Nothing is changed.
    """

    stage: ClassVar[str] = "next"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith next", "gapsmith next -p subject_pg")
