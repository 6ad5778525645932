"""What annotators said, and how far they agree."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.deciding import AskAgreement, AskAnnotations
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import unfinished
from gapsmith.bank.formats import defuse
from gapsmith.vetting import (
    AgreementReport,
    agreement_report,
    as_data,
    decisions_csv,
    judgements_csv,
    look_at_others,
    progress_lines,
    remarks_csv,
    report_lines,
)

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far people agree."""

    report: AgreementReport
    text: str
    """As the command prints it, with how far everybody is."""
    data: dict[str, Any]
    """As JSON takes it."""

    def to_frame(self) -> pandas.DataFrame:
        """A row for each thing on which agreement was looked at."""
        import pandas

        return pandas.DataFrame(
            [
                {
                    "about": part.about,
                    "raters": ", ".join(part.raters),
                    "n": part.raw.n,
                    "raw": part.raw.estimate,
                    "fleiss": part.fleiss.estimate,
                    "alpha": part.alpha.estimate,
                }
                for part in self.report.parts
            ],
            columns=["about", "raters", "n", "raw", "fleiss", "alpha"],
        )

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(index=False)


@dataclass(frozen=True, slots=True)
class AnnotationTable:
    """Decisions, judgements or remarks."""

    csv: str

    def to_frame(self) -> pandas.DataFrame:
        """A row for each."""
        import pandas

        return pandas.read_csv(io.StringIO(self.csv), dtype=str, keep_default_na=False)

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(index=False)


def agreement(workspace: Workspace, request: AskAgreement, _services: Services = QUIET) -> Agreed:
    """Raises `GapsmithError` where the reader may not see what others decided."""
    bank = as_said(workspace, request.by).bank
    chosen = selection_of(bank, request)
    look_at_others(bank, chosen.paradigm, chosen.dataset, on_record=request.look)
    report = agreement_report(
        bank,
        paradigm=chosen.paradigm,
        dataset=chosen.dataset,
        blind=not request.everything,
        calibrating=request.calibration,
    )
    lines = progress_lines(bank, paradigm=chosen.paradigm, dataset=chosen.dataset)
    lines += ["", *report_lines(bank, report, full=request.full)]
    left = unfinished(bank, paradigm=chosen.paradigm, dataset=chosen.dataset)
    return Agreed(report, "\n".join(lines), {**as_data(bank, report), "unfinished": left.as_data()})


def annotation_table(workspace: Workspace, request: AskAnnotations, _services: Services = QUIET) -> AnnotationTable:
    """Raises `GapsmithError` where the reader may not see what others decided."""
    bank = as_said(workspace, request.by).bank
    chosen = selection_of(bank, request)
    if not request.mine:
        what = f"annotations {request.what}"
        look_at_others(bank, chosen.paradigm, chosen.dataset, on_record=request.look, what=what)
    write = {"decisions": decisions_csv, "judgements": judgements_csv, "remarks": remarks_csv}[request.what]
    text = write(bank, chosen, bank.reader if request.mine else None)
    return AnnotationTable(defuse(text)[0] if request.defuse else text)
