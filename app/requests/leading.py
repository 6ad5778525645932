"""What can be asked of the lead's page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import Unset, option
from gapsmith.app.requests.parts import Acting, Within
from gapsmith.templates import PORT, ConfigError

_SHOWN = "it says where the page is shown; a result of Python has it as `html`"


@dataclass(frozen=True, kw_only=True)
class AskLab(Within, Acting):
    """Who has what, how fast they are, how far they overlap and agree, what drifts, what is disputed, and what to do next.

    The lead sees everybody, and so does who has locked; any other sees themselves. Nothing is changed.
    """

    stage: ClassVar[str] = "lab"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith lab", "gapsmith lab --web")

    out: Path | Unset = option("Write the page as HTML here.", "--out", "-o")
    web: bool = option(
        "In a browser: prints a link; the page is made anew whenever it is loaded.", default=False, only_typed=_SHOWN
    )
    port: Annotated[int, PORT] = option(
        "With --web: of this machine; 0 takes a free one (default: 8000).", default=8000, only_typed=_SHOWN
    )
    url: str | Unset = option("With --web: the address by which a proxy reaches it.", only_typed=_SHOWN)

    def check(self) -> None:
        if not self.web and not isinstance(self.url, Unset):
            raise ConfigError("--url belongs to --web", hint="gapsmith lab --web")
