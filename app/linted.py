"""What a lint came to: a result that reads well in Python, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gapsmith.bank import NAMING, Bank, ItemFilter, Severity, naming

if TYPE_CHECKING:
    import pandas

    from gapsmith.app.requests.checking import Lint
    from gapsmith.vetting import Audit, LintFinding, LintReport
    from gapsmith.vetting.judges import AgreementRow, JudgeReport

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Linted:
    """What the rules say of the items, and what judges say where they were asked."""

    request: Lint
    bank: Bank | None = field(repr=False)
    """Where they are; None where only the linter was measured."""
    report: LintReport
    """Findings, items and sets."""
    judged: tuple[JudgeReport, ...] = ()
    """What each judge said, for each version of a paradigm."""
    agreement: tuple[AgreementRow, ...] = ()
    """How far judges, rules and people agree."""
    reached: bool = False
    """Whether a finding about an item is as severe as `fail_on` says."""
    audit: Audit | None = None
    """How good the linter is on items whose faults are known, where that was asked for; no other item was read then."""
    replaced: tuple[str, ...] = ()
    """Which entries of our word lists those of the workspace take the place of, in a sentence for each list."""

    @property
    def n_items(self) -> int:
        """How many were read."""
        return self.report.n_items

    @property
    def n_clean(self) -> int:
        """Items without an error or a warning."""
        return self.report.n_clean

    @property
    def n_clean_unread(self) -> int:
        """Those of them whose words could not all be read, so that nothing found says less."""
        return self.report.n_clean_unread

    @property
    def looked(self) -> str:
        """What the rules on words could look at, and what not, in one sentence."""
        return self.report.looked.told

    @property
    def findings(self) -> list[LintFinding]:
        """All findings: a paradigm's items in the order of the bank, then its data sets; then those of judges."""
        return self.report.findings

    @property
    def in_no_list(self) -> str:
        """Which words of how many items no word list has, and what follows, in words; empty where there are none."""
        return self.report.in_no_list

    def __iter__(self) -> Iterator[LintFinding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, place: int) -> LintFinding:
        return self.findings[place]

    def counts(self) -> Counter[tuple[str, Severity]]:
        """Findings by code and severity."""
        return self.report.counts()

    def as_data(self) -> list[dict[str, Any]]:
        """The findings as JSON takes them; the workspace has to be open."""
        ids = tuple({found.stored.item_id for found in self if found.stored.item_id is not None})
        read = self.bank.items.iterate(ItemFilter(ids=ids)) if self.bank is not None and ids else ()
        names = {item.id: naming(item) for item in read}
        nobody = dict.fromkeys(NAMING)
        return [
            {
                "item": found.item,
                **(names.get(found.stored.item_id, nobody) if found.stored.item_id is not None else nobody),
                "paradigm": found.paradigm,
                "dataset": found.dataset or None,
                "condition": found.condition,
                "code": found.code,
                "severity": found.severity.value,
                "message": found.message,
                "remedy": found.remedy,
                "start": found.start,
                "end": found.end,
                "slot": found.slot,
            }
            for found in self
        ]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each finding: item, paradigm, dataset, condition, code, severity, message, remedy and where it is."""
        import pandas

        return pandas.DataFrame(self.as_data())

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, max_rows=_SHOWN)
        return html
