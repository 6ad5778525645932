"""The lead's page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.leading import AskLab
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.templates import GapsmithError
from gapsmith.vetting import LabPage, as_data, lab_html, lab_page, lab_text, page_of
from gapsmith.vetting.review import studies_in

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class LabSeen:
    """The page, as far as the reader may see it."""

    page: LabPage
    data: dict[str, Any]
    """As JSON takes it."""

    @property
    def html(self) -> str:
        """The body of the page."""
        return lab_html(self.page)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each person."""
        import pandas

        rows = [{**asdict(one), "roles": ", ".join(one.roles), "left": one.left} for one in self.page.people]
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        return lab_text(self.page)

    def _repr_html_(self) -> str:
        return self.html


def lab(workspace: Workspace, request: AskLab, services: Services = QUIET) -> LabSeen:
    """Who has what, and where it stands. Raises `GapsmithError` for a data set that is not there."""
    bank = as_said(workspace, request.by).bank
    chosen = selection_of(bank, request)
    studies = studies_in(workspace.root)
    page = lab_page(bank, paradigm=chosen.paradigm, dataset=chosen.dataset, studies=studies)
    data = {
        "reader": page.reader,
        "lead": page.lead,
        "whole": page.whole,
        "items": page.items,
        "statuses": dict(page.statuses),
        "with_remarks": page.remarked if page.whole else None,
        "people": [{**asdict(one), "left": one.left} for one in page.people],
        "sheets": [{**asdict(one), "left": one.left, "name": page.studies[one.study]} for one in page.sheets],
        "overlaps": [asdict(one) for one in page.overlaps],
        "agreement": as_data(bank, page.report) if page.report is not None else None,
        "standing": asdict(page.standing) if page.standing is not None else None,
        "unfinished": page.unfinished.as_data(),
        "next": [{"why": why, "command": command} for why, command in page.steps],
    }
    found = LabSeen(page, data)
    if not isinstance(request.out, Unset):
        try:
            request.out.write_text(page_of("gapsmith lab", found.html), encoding="utf-8")
        except OSError as error:
            raise GapsmithError(f"{request.out}: cannot be written ({error.strerror})") from None
        services.note(f"{request.out}: written")
    return found
