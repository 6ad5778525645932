"""What can be asked of people's verdicts: deciding, packets, agreement, who reads what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import UNSET, Unset, needed, option
from gapsmith.app.requests.parts import Acting, Looking, OneRun, OurIds, Selection, SkipChanged, Within
from gapsmith.bank import ItemStatus, Severity, Verdict
from gapsmith.templates import COUNT, SEED, SHARE_OR_ITEMS, ConfigError

UNDECIDED = "status:undecided"
"""Which items a packet holds, unless it is said."""


@dataclass(frozen=True, kw_only=True)
class Decide(Selection, Acting, OurIds, SkipChanged, Looking):
    """Decide on items by id, by filter, from a CSV file, or by policy."""

    stage: ClassVar[str] = "decide"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith decide approve 1 2 3",
        "gapsmith decide exclude --code L310 --reason ambiguous",
        "gapsmith decide --policy clean",
        "gapsmith decide --csv decisions.csv",
    )

    verdict: str | Unset = option("approve, exclude or flag.", argument=True, words=tuple(map(str, Verdict)))
    items: tuple[str, ...] = option("Item ids.", argument=True, default=())
    code: tuple[str, ...] = option("Items with a finding of this code or family (repeatable).", default=())
    severity: str | Unset = option(
        "Items with a finding at or above error, warning or info. With --policy clean: what keeps an item from being approved"
        " (warning unless said otherwise).",
        words=tuple(map(str, Severity)),
    )
    status: tuple[str, ...] = option(
        "Items that are pending, approved, … (repeatable).", default=(), words=tuple(map(str, ItemStatus))
    )
    text: str | Unset = option("Items that contain this.")
    reason: str | Unset = option("Why; an exclusion needs one.", "--reason", "-r")
    comment: str | Unset = option("Anything to add.")
    policy: str | Unset = option("clean: approve pending items that have no warning or error.", words=("clean",))
    csv: Path | Unset = option(
        "A file that `annotations` or `export decisions` wrote, or one with the columns item, decision, reason, comment, author,"
        " and item_uid and text_digest or the sentence."
    )
    early: bool = option(
        "Settle items of others' shares, as the lead or an adjudicator does, also while somebody who has a share has not locked.",
        default=False,
    )
    dry_run: bool = option("Only say how many items it would be.", default=False)

    def check(self) -> None:
        if self.early and not isinstance(self.policy, Unset):
            raise ConfigError("--early is about settling items, and a policy settles none", hint="Leave it out.")
        ways = [not isinstance(way, Unset) for way in (self.verdict, self.policy, self.csv)]
        if sum(ways) != 1:
            raise ConfigError(
                "say what to decide, in one way",
                hint="A verdict (approve, exclude, flag), or --policy clean, or --csv FILE.",
            )
        other = "--policy" if isinstance(self.csv, Unset) else "--csv"
        narrowed = {
            "--code": self.code,
            "--status": self.status,
            "--text": self.text,
            "--reason": self.reason,
            "--comment": self.comment,
            "an item's id": self.items,
        }
        if isinstance(self.verdict, Unset) and (given := [flag for flag, value in narrowed.items() if value]):
            raise ConfigError(
                f"{given[0]} does not go with {other}", hint="Narrow with --paradigm and --dataset. Nothing was decided."
            )
        if not isinstance(self.csv, Unset) and not isinstance(self.severity, Unset):
            raise ConfigError(
                "--severity does not go with --csv", hint="Narrow with --paradigm and --dataset. Nothing was decided."
            )
        if isinstance(self.csv, Unset) and (self.our_ids or self.skip_changed):
            raise ConfigError(
                f"{'--our-ids' if self.our_ids else '--skip-changed'} belongs to --csv",
                hint="What is typed here is taken as this bank's own. Nothing was decided.",
            )


@dataclass(frozen=True, kw_only=True)
class PacketMake(Within, OneRun, Acting):
    """Write the items on which somebody has not decided yet, with cells for decision, reason and comment.

    The lead makes it for anybody, others for themselves: how much is left tells how far somebody is. Nothing of what others,
    policies, the linter or models say is in it.
    """

    stage: ClassVar[str] = "packet make"

    file: Path = needed("The spreadsheet to write: NAME.xlsx.", argument=True)
    annotator: str = needed("Who will decide.", "--for")
    show: str = option("Which items, as in the queue of the review (default: status:undecided).", default=UNDECIDED)
    # The other orders of a queue would tell which items the linter has found something in.
    order: str = option("came (default), random or text.", default="came", words=("came", "random", "text"))
    seed: Annotated[int, SEED] = option("Of the random order, which is each annotator's own (default: 0).", default=0)
    judge: Path | Unset = option("The file of an acceptability study: the annotator's sheet, with a cell for each answer.")

    def check(self) -> None:
        narrowed = (self.paradigm, self.dataset, self.run, self.seed) != (UNSET, UNSET, UNSET, 0)
        if not isinstance(self.judge, Unset) and (narrowed or self.show != UNDECIDED or self.order != "came"):
            raise ConfigError(
                "--judge FILE decides what is judged, and in which order",
                hint="Leave out --paradigm, --dataset, --run, --show, --order and --seed.",
            )


@dataclass(frozen=True, kw_only=True)
class PacketTake(SkipChanged, Acting):
    """Take in the decisions of a packet, all or none; what was taken in before is not taken in again.

    They are the decisions of whom the packet was made for: another name in it is refused.
    """

    stage: ClassVar[str] = "packet take"

    file: Path = needed("The spreadsheet that came back.", argument=True)
    annotator: str | Unset = option("Whose it is; needed only for packets that release 0.1 made.", "--for")
    judge: Path | Unset = option("The file of the acceptability study that the packet is of.")
    lock: bool = option(
        "Lock the decisions on the data sets of the packet, and of earlier ones where nothing is left, for whom it was made for, as L does"
        " in the review.",
        default=False,
    )

    def check(self) -> None:
        if self.lock and not isinstance(self.judge, Unset):
            raise ConfigError("--lock is about decisions, and a study has none", hint="Leave out --lock or --judge.")


@dataclass(frozen=True, kw_only=True)
class AskAgreement(Within, Acting, Looking):
    """How far annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

    On decisions, on each reason for exclusion, and on the sentence judgements of each condition. Counts only what was decided
    blind, on the texts that people read. Shown to those who have locked, or who look on record.
    """

    stage: ClassVar[str] = "agreement"

    everything: bool = option("Count labels that were not given blind, too.", "--all", default=False)
    calibration: bool = option(
        "Count calibration items in agreement, too: items whose right verdict was known before.", default=False
    )
    full: bool = option("Print every two people on each reason and sentence, too; JSON always has them.", default=False)


@dataclass(frozen=True, kw_only=True)
class AskAnnotations(Within, Acting, Looking):
    """Decisions, judgements or remarks as CSV, with times: `gapsmith annotations decisions > decisions.csv`.

    Of decisions: whether the item was opened, how long it was on screen, how many of its rows were. Of judgements: the scale, and
    the seconds where the sentence was shown alone. Of remarks (c in the review): the words, and on which text.
    """

    stage: ClassVar[str] = "annotations"

    what: str = needed("decisions, judgements or remarks.", argument=True, words=("decisions", "judgements", "remarks"))
    mine: bool = option("Only your own; needs no lock.", default=False)
    defuse: bool = option("Put ' before cells that a spreadsheet would run as formulas.", default=False)


@dataclass(frozen=True, kw_only=True)
class Assign(Selection, Acting, OurIds):
    """Share items out: every item has a reader, some have several, and `gapsmith review` shows everybody their own.

    Once anything is assigned, whoever has no share sees an empty queue. A later assignment of the same items takes the place of an
    earlier one, after showing what that changes for whom; decisions stay. It keeps the data sets, the overlap and the readers of
    that one unless they are said.
    """

    stage: ClassVar[str] = "assign"

    to: tuple[str, ...] = needed("Who reads (repeatable).")
    overlap: Annotated[float | Unset, SHARE_OR_ITEMS] = option(
        "Items that several people read: a share from 0 to 1, or a number of items from 2 on (default: as these items are assigned"
        " now, else 0.2)."
    )
    readers: Annotated[int | Unset, COUNT] = option(
        "How many people read an item of the overlap (default: as these items are assigned now, else 2)."
    )
    known: Path | Unset = option(
        "Calibration items, which everybody reads: a file with the columns item and decision, as for `decide --csv` (7,approve)."
    )
    adjudicator: tuple[str, ...] = option(
        "Who alone decides where these readers disagree, beside the lead (repeatable; default: as these items are assigned"
        " now, else whoever asks).",
        default=(),
    )
    dry_run: bool = option("Show what changes for whom; assign nothing.", default=False)
    replace: bool = option("Take items away from people who have them now, without asking.", default=False)
    seed: Annotated[int, SEED] = option("Of who gets what (default: 0).", default=0)

    def check(self) -> None:
        if not isinstance(self.overlap, Unset) and self.overlap > 1 and not float(self.overlap).is_integer():
            raise ConfigError(
                f"--overlap {self.overlap:g} is neither a share nor a number of items",
                hint="For example --overlap 0.2 for a fifth of the items, or --overlap 15 for 15 items.",
            )
