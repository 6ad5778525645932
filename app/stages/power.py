"""What more items, or more words, would show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import preferred_model
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.measuring import PlanPower
from gapsmith.app.services import QUIET, Services
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import ItemFilter
from gapsmith.scoring.analysis import AnalysisOptions, ContrastPower, analyze_all, power_of_contrasts

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class PowerPlanned:
    """What can be known of each contrast of some paradigms."""

    request: PlanPower
    paradigms: dict[str, tuple[ContrastPower, ...]]
    """By paradigm."""
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[ContrastPower]:
        return (own for found in self.paradigms.values() for own in found)

    def __len__(self) -> int:
        return sum(map(len, self.paradigms.values()))

    def to_frame(self) -> pandas.DataFrame:
        """A row for each contrast and number of items: paradigm, contrast, items, half_width, smallest, smallest_low, smallest_high."""
        import pandas

        rows = [
            {
                "paradigm": name,
                "contrast": own.contrast.name,
                "items": at.n,
                "half_width": at.half_width,
                "smallest": at.smallest,
                "smallest_low": at.band[0],
                "smallest_high": at.band[1],
            }
            for name, found in self.paradigms.items()
            for own in found
            for at in own.sizes
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """The results as JSON takes them; ever more items are None."""
        return [
            {
                **asdict(own),
                "paradigm": name,
                "contrast": own.contrast.name,
                "sizes": [{**asdict(at), "n": None if at.n == float("inf") else at.n} for at in own.sizes],
            }
            for name, found in self.paradigms.items()
            for own in found
        ]


def power(workspace: Workspace, request: PlanPower, services: Services = QUIET) -> PowerPlanned:
    """Raises `GapsmithError` where nothing is scored."""
    bank = workspace.bank
    selection_of(bank, request)
    for name in request.paradigm or bank.paradigms.names():
        look_or_say(bank, ItemFilter(paradigm=name), services, look=request.look)
    options = AnalysisOptions(
        all_items=request.everything,
        dataset=next(iter(request.dataset), None),
        contrasts=request.contrast,
        confidence=request.confidence,
        by_region=False,
        permutations=99,
    )
    found = analyze_all(
        bank,
        request.paradigm,
        model=said_or_none(request.model),
        preferred=preferred_model(workspace.settings),
        options=options,
        unigrams=slor_tables(workspace.root, None),
    )
    notes = (*found.notes, *(f"{name} was left out: {error.message}" for name, error in found.left_out))
    for said in notes:
        services.note(said)
    effect, share = said_or_none(request.effect), request.power
    planned = {own.paradigm.name: power_of_contrasts(own, effect=effect, power=share) for own in found.analyses}
    return PowerPlanned(request, planned, tuple(notes))
