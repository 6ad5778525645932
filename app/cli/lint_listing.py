"""What `gapsmith lint` prints for people: items with their findings, alike ones together, and the counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gapsmith.templates import count

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from gapsmith.bank import Severity
    from gapsmith.vetting import LintFinding, LintReport
    from gapsmith.vetting.judges import AgreementRow

_SHOWN_ITEMS = 40
_ALIKE_ITEMS = 10
"""More items than this with the same code and remedy are shown by one example."""
_LISTED = 6
_SHOWN_ABOUT_SET = 3
_STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}

_Kind = tuple[str, str, str, str, str]
_Block = tuple[str, str, int | None]


def show_findings(report: LintReport, level: Severity, *, full: bool) -> None:
    """Print the findings from `level` on, and the counts of all.

    Where more than ten items of a data set share a code and its remedy, one of them stands for the others, which are
    named; with `full`, every finding of every item is printed."""
    from gapsmith.app.cli.console import note, print_text, stdout

    listing = _Listing(report, level, full=full)
    listing.print(stdout())
    print_text(_summary(report))
    if listing.n_left_out:
        note(f"{listing.n_left_out:,} more items have findings; --full shows them")
    elif listing.n_alike:
        note("items with findings of the same kind are named beside one example; --full shows every one")
    if hidden := len(report.findings) - listing.n_findings:
        what = "finding is" if hidden == 1 else "findings are"
        note(f"{hidden:,} {what} below {level.value} and only counted above; --level info shows them")


class _Listing:
    """The findings to be shown, by item."""

    def __init__(self, report: LintReport, level: Severity, *, full: bool) -> None:
        self._full = full
        shown = [entry for entry in report.findings if entry.stored.finding.severity.rank >= level.rank]
        self.n_findings = len(shown)
        self.n_left_out = self.n_alike = 0
        datasets = {(entry.paradigm, entry.dataset) for entry in report.findings}
        self._several = {name for name, _ in datasets if sum(paradigm == name for paradigm, _ in datasets) > 1}
        self._blocks: dict[_Block, list[LintFinding]] = defaultdict(list)
        self._labels: dict[_Kind, list[str]] = defaultdict(list)
        for entry in shown:
            self._blocks[entry.paradigm, entry.dataset, entry.stored.item_id].append(entry)
            labels = self._labels[_kind(entry)]
            if entry.stored.label is not None and labels[-1:] != [entry.stored.label]:
                labels.append(entry.stored.label)
        self._open = {kind for kind, labels in self._labels.items() if len(labels) > _ALIKE_ITEMS} if not full else set()

    def print(self, out: Console) -> None:
        """Print the blocks that tell something new, up to a limit that no first example of a code falls under."""
        from rich.text import Text

        printed = 0
        exemplified: set[str] = set()
        alike = frozenset(self._open)
        for block, findings in self._blocks.items():
            codes = {entry.stored.finding.code for entry in findings}
            single = any(_kind(entry) not in alike for entry in findings)
            if not single and not any(_kind(entry) in self._open for entry in findings):
                self.n_alike += 1
                continue
            room = self._full or printed < _SHOWN_ITEMS or block[2] is None
            if not room and codes <= exemplified:
                self.n_left_out += 1
                continue
            exemplified |= codes
            heading = self._heading(block, findings)
            out.print(Text(f"\n{heading}" if printed else heading, style="bold"))
            printed += 1
            self._print_block(out, findings)

    def _heading(self, block: _Block, findings: list[LintFinding]) -> str:
        paradigm, dataset, item_id = block
        where = f"{paradigm}, {dataset}" if paradigm in self._several else paradigm
        return f"{where}, the set" if item_id is None else f"{where} item {findings[0].stored.label}"

    def _print_block(self, out: Console, findings: list[LintFinding]) -> None:
        from rich.text import Text

        about_set: Counter[_Kind] = Counter()
        of_kind = Counter(map(_kind, findings))
        for entry in findings:
            kind = _kind(entry)
            if entry.stored.item_id is None and not self._full:
                about_set[kind] += 1
                alike = of_kind[kind]
                if alike > _ALIKE_ITEMS and about_set[kind] > _SHOWN_ABOUT_SET:
                    if about_set[kind] == alike:
                        out.print(_under(f"and {alike - _SHOWN_ABOUT_SET:,} more of {kind[2]}"))
                    continue
            finding = entry.stored.finding
            severity = finding.severity.value
            line = Text("  ").append(f"{severity:<8}", style=_STYLES[severity]).append(f"{finding.code}  ")
            out.print(line.append(finding.message))
            out.print(_under(finding.remedy))
            if kind in self._open:
                self._open.remove(kind)
                others = [label for label in self._labels[kind] if label != entry.stored.label]
                named = ", ".join(others[:_LISTED]) + (" …" if len(others) > _LISTED else "")
                out.print(_under(f"and {len(others):,} more items: {named}"))


def _kind(entry: LintFinding) -> _Kind:
    """What makes findings alike: the data set, the code, its severity and what is to be done about it."""
    finding = entry.stored.finding
    return entry.paradigm, entry.dataset, finding.code, finding.severity.value, finding.remedy


def _under(text: str) -> Text:
    from rich.text import Text

    return Text(f"                {text}", style="dim")


def _counted(ids: set[int | None]) -> str:
    if ids == {None}:
        return "the set  "
    return f"{len(ids):,} {'item ' if len(ids) == 1 else 'items'}"


def show_agreement(rows: Sequence[AgreementRow]) -> None:
    """The table: who agrees with whom, about what, how often, and how far beyond chance."""
    from gapsmith.app.cli.console import print_text

    lines = ["", f"{'about':<20}{'':<44}{'agree':>12}{'share':>8}{'kappa':>8}"]
    for row in rows:
        pair = f"{row.first} and {row.second}"
        share = "–" if row.agreement.estimate is None else f"{row.agreement.estimate:.2f}"
        kappa = "–" if row.kappa.estimate is None else f"{row.kappa.estimate:.2f}"
        counted = f"{row.agreement.hits}/{row.agreement.n}"
        lines.append(f"{row.about:<20}{pair:<44}{counted:>12}{share:>8}{kappa:>8}")
    print_text("\n".join(lines))


def _summary(report: LintReport) -> str:
    items: dict[tuple[str, str], set[int | None]] = {}
    titles: dict[str, str] = {}
    for entry in report.findings:
        key = (entry.stored.finding.code, entry.stored.finding.severity.value)
        items.setdefault(key, set()).add(entry.stored.item_id)
        titles[entry.stored.finding.code] = entry.stored.finding.title
    lines = [f"  {code}  {severity:<8}{_counted(ids):>14}  {titles[code]}" for (code, severity), ids in sorted(items.items())]
    total = f"{count(report.n_items, 'item')} read; {report.n_clean:,} without an error or a warning{_about_sets(report)}"
    if report.n_clean_unread:
        total += f"; of these {report.n_clean:,}, {report.n_clean_unread:,} not looked at for words, or not for all of them"
    told = report.looked.told
    # Where no word was looked at, "without an error" must not be read first.
    after = [told, *lines, total] if report.looked.nothing else [*lines, total, told]
    after += [report.in_no_list] if report.in_no_list else []
    return "\n".join([*([""] if lines else []), *after])


def _about_sets(report: LintReport) -> str:
    of_sets = [entry.stored.finding.severity.value for entry in report.findings if entry.stored.item_id is None]
    counts = [(of_sets.count(severity), severity) for severity in ("error", "warning")]
    said = " and ".join(f"{count:,} {severity}{'s' if count > 1 else ''}" for count, severity in counts if count)
    return f"; {said} about the set{'s' if len(report.sets) > 1 else ''}" if said else ""
