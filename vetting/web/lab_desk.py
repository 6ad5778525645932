"""The lead's page in a browser: made anew each time it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gapsmith.bank import Bank
from gapsmith.templates import ConfigError
from gapsmith.vetting.lab import lab_html, lab_page
from gapsmith.vetting.review.acceptability import AcceptabilityStudy


class LabDesk:
    """Shows whoever has a link what they may see of the lab; takes nothing in."""

    title = "gapsmith lab"

    def __init__(
        self,
        bank: Path,
        *,
        paradigm: str | None = None,
        dataset: str | None = None,
        studies: Callable[[], Mapping[str, AcceptabilityStudy]] = dict,
    ) -> None:
        self._bank, self._paradigm, self._dataset, self._studies = bank, paradigm, dataset, studies

    def page(self, author: str) -> str:
        """The page as HTML. Raises `GapsmithError`."""
        bank = Bank.open(self._bank, reader=author)
        try:
            return lab_html(lab_page(bank, paradigm=self._paradigm, dataset=self._dataset, studies=self._studies()))
        finally:
            bank.close()

    def take(self, author: str, action: str, said: Mapping[str, str]) -> None:  # noqa: ARG002  # as a desk is asked
        """Nothing can be done on this page."""
        raise ConfigError("this page only shows", hint="The commands under “Next” do something.")
