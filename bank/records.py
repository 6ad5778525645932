"""What the bank holds, as frozen values. Times are UTC in ISO 8601; ids are the bank's own integers.

An item's `label` is the id it had where it came from (an imported file's ``item_id``, else its running number), as
text, unique within its paradigm and data set. A data set is a named collection of items: an imported file, or what was
generated under one name. The bank's `id` never leaves the workspace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from gapsmith.bank.asked import REQUEST, without_request
from gapsmith.templates import NUMBER_IN_BANK, Sentence, check_fields, listed

DEFAULT_DATASET = "generated"
"""The data set of items that were generated under no other name."""


class Severity(StrEnum):
    """How bad a finding is: an error breaks the item, a warning asks for a look, info is for the record."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error: compare severities by this."""
        return _RANKS[self._value_]


_RANKS = {"info": 0, "warning": 1, "error": 2}


class Verdict(StrEnum):
    """What a decision says of an item."""

    APPROVE = "approve"
    EXCLUDE = "exclude"
    FLAG = "flag"


class ItemStatus(StrEnum):
    """Where an item stands once all its decisions are read: an adjudication wins, else people who agree, else a policy.

    `DISPUTED` means that people disagree and nobody has adjudicated."""

    PENDING = "pending"
    APPROVED = "approved"
    EXCLUDED = "excluded"
    FLAGGED = "flagged"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item on its way into the bank."""

    slots: Mapping[str, str] | None
    sentences: tuple[Sentence, ...]
    """In file or design order. A condition may be missing or doubled: that becomes a finding, not a refusal."""
    label: str | None = None
    """None lets the bank give the next running number of the paradigm and data set."""
    dataset: str = DEFAULT_DATASET
    expects: tuple[str, ...] | None = None
    """The conditions that the item is meant to have; None means every condition of the paradigm."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """What is known of the item as a whole: columns that came with its file, the levels of its choices."""
    raw: Mapping[str, Any] | None = None
    """The strings of its file that the sentences do not hold, so that it can go out as it came in."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item as it stands now: its newest revision."""

    id: int
    uid: bytes
    """16 bytes that name the item in every copy of the bank."""
    label: str
    dataset: str
    paradigm: str
    paradigm_id: int
    """The paradigm whose form the current sentences were made or read with."""
    revision_id: int
    revision_number: int
    """1 for the item as it came; each edit adds one."""
    slots: Mapping[str, str] | None
    sentences: tuple[Sentence, ...]
    status: ItemStatus
    reason: str | None
    """The reason of the exclusion, where it is excluded."""
    expects: tuple[str, ...] | None
    """The conditions that it is meant to have; None: every condition of the paradigm."""
    run_id: int
    call_id: int | None
    created_at: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] | None = None
    forked: bool = False
    """Two copies of the bank edited it apart, and nobody has adjudicated yet."""

    def sentence(self, condition: str) -> Sentence | None:
        """The first sentence in that condition, or None."""
        return next((s for s in self.sentences if s.condition == condition), None)


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """What a finding points at; all None means the item as a whole."""

    condition: str | None = None
    start: int | None = None
    end: int | None = None
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says of an item (or, with family C, of the set)."""

    code: str
    severity: Severity
    message: str
    remedy: str = ""
    place: FindingPlace = field(default_factory=FindingPlace)
    title: str = ""
    """What the rule looks for, in a few words, as its page has it."""
    items: tuple[int, ...] = ()
    """For what was found of a set: the bank ids of the items that it is about, where it is about some. An item's finding was found by
    reading its set where it has them: the item, and one of those that are told beside it."""
    unlisted: str = field(default="", compare=False, metadata={"inside": True})
    """The word of which it says that it is in no list; banks keep it with what was read of an item, not with the finding."""


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A finding with the item it is about; `item_id` and `label` are None for a finding about the whole set."""

    item_id: int | None
    label: str | None
    finding: Finding
    dataset: str = ""


ELSEWHERE = ("packet", "file")
"""Kinds of decisions that people made outside of the review and that came back: nobody here knows what was on screen."""


@dataclass(frozen=True, slots=True)
class ScreenRecord:
    """How an item was on screen before it was decided on."""

    painted_at: str
    """When this text was first painted, ISO 8601 in UTC."""
    seconds: float
    """From that paint to the key that decided."""
    rows: tuple[int, ...]
    """The numbers of the rows that were painted at some time."""
    total: int
    """How many rows the item has."""
    card: bool = False
    """Shown as a compact card, which has no rows of its own."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision event, as it was made."""

    event_id: int
    item_id: int
    revision_id: int
    verdict: Verdict
    author: str
    kind: str
    """``person``, ``policy`` or ``adjudication``; ``packet`` or ``file`` for what a person decided elsewhere and that came back
    in one."""
    reason: str | None
    comment: str | None
    at: str
    seen: ScreenRecord | None
    """None for decisions on many items at once, and for those made outside of the review."""
    text_digest: str
    """Of the texts that it was made on."""
    unlocked: tuple[str, ...] = ()
    """Of an adjudication: who had a share in the data set and had not locked it then."""
    unread: tuple[str, ...] = ()
    """Of such a one: which readers of the item had not decided on it then."""

    @property
    def by_person(self) -> bool:
        """Whether it is a person's own, made here or elsewhere: neither a policy's nor an adjudication."""
        return self.kind in ("person", *ELSEWHERE)

    @property
    def before_time(self) -> str:
        """Of an adjudication before its time, that it was: ``before cy had locked, and before cy had read it``."""
        if not self.unlocked:
            return ""
        read = f", and before {listed(self.unread)} had read it" if self.unread else ""
        return f"before {listed(self.unlocked)} had locked{read}"

    @property
    def opened(self) -> bool | None:
        """Whether the item was on screen when it was decided on; not so for many at once, and from the command line. None where
        that is not known: in packets and files."""
        return True if self.seen is not None else None if self.kind in ELSEWHERE else False

    @property
    def opened_in_words(self) -> str:
        """As tables have it: ``yes``, ``card``, ``no``, or ``unknown``."""
        if self.seen is not None:
            return "card" if self.seen.card else "yes"
        return "unknown" if self.opened is None else "no"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person says of one sentence."""

    event_id: int
    item_id: int
    revision_id: int
    condition: str
    rating: str
    """``ok``, ``?`` or ``*``, or a point of a Likert scale."""
    author: str
    at: str
    points: int | None
    """How many points the scale has; None for the three categories."""
    seconds: float | None
    """From the sentence's first paint to the key; None where it was judged beside others."""
    text_digest: str
    """Of the item's texts that it was made on."""
    study: str | None = None
    """The digest of the acceptability study that it was made in, if any."""
    place: int | None = None
    """Which sentence of the annotator's sheet it was, from 1."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark on an item, or on one of its sentences, made by itself or with a decision."""

    event_id: int
    item_id: int
    revision_id: int
    condition: str | None
    text: str
    author: str
    at: str
    text_digest: str
    """Of the item's texts that it was made on."""
    decided: bool = False
    """Whether it was made with a decision, which has it, too."""


@dataclass(frozen=True, slots=True)
class ForcedChoice:
    """What a person says of two sentences of one item that were shown together."""

    event_id: int
    item_id: int
    revision_id: int
    chosen: str
    """The condition of the sentence that they took for the better one."""
    other: str
    """The condition of the other one."""
    first: bool
    """Whether the chosen one stood first."""
    author: str
    at: str
    seconds: float | None
    study: str
    """The digest of the acceptability study that it was made in."""
    place: int | None
    """Which pair of the annotator's sheet it was, from 1."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One generation or import. `identity` is a hash of everything that decides its outcome, so that the same
    command run again continues it instead of doing it twice."""

    id: int
    """0 in a bank's log, which says runs by their uid."""
    uid: str
    """32 hexadecimal digits that name it in every copy of the bank."""
    kind: str
    """``generate`` or ``import``."""
    paradigm_id: int
    """In a bank's log the number under which it has the paradigm's file."""
    paradigm: str
    provider: str
    model: str | None
    identity: str
    parameters: Mapping[str, Any]
    prompt_name: str | None
    prompt_hash: str | None
    prompt_text: str | None
    """The prompt file's text as it was when the run began."""
    started_at: str
    finished_at: str | None

    @property
    def request(self) -> Mapping[str, Any] | None:
        """By which request it was begun: stage, version, digest, and the request as TOML; None where that is not known."""
        return self.parameters.get(REQUEST)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The parameters without that."""
        return without_request(self.parameters)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a provider within a run. Without a `replied_at` the intent is known and the answer is not: it may
    have been paid for."""

    id: int
    """0 in a bank's log, as `run_id` is."""
    uid: str
    """32 hexadecimal digits that name it in every copy of the bank."""
    run_id: int
    run: str
    """The uid of its run."""
    number: int
    """0-based position of the call within its run."""
    request: Mapping[str, Any]
    intended_at: str
    replied_at: str | None
    reply: str | None
    """The raw reply, untouched."""
    outcome: str | None
    """``ok`` or the kind of failure; None while unanswered."""
    finish_reason: str | None
    usage: Mapping[str, int]
    attempts: int
    latency_ms: int | None
    cost_usd: float | None
    error: str | None
    details: Mapping[str, Any]
    """Who answered, in the provider's words, and how the form of the answer was asked for: ``model``, ``structure``,
    ``response_id``, ``system_fingerprint``. Empty where nothing was told, and for calls of older versions."""


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """Calls of a run that travel to the provider together. Their answers come later, each into its call."""

    id: int
    uid: str
    """32 hexadecimal digits: our name for it, which goes along so that it can be found again."""
    run_id: int
    intended_at: str
    submitting_at: str | None
    """When the request that makes it, and is paid for, was about to go out; None: it never was."""
    name: str | None
    """The provider's name for it, None until the provider has told."""
    ended_at: str | None
    """When everything that came of it was in the bank, or it was given up; None while it is open."""
    status: str | None
    """In the provider's words, at the last look."""
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scorer:
    """A language model as a producer of values: what decides them, and nothing else."""

    id: int
    model: str
    """As the user named it: a hub name, a path, ``bundled``, or a name for imported values. A label, no identity."""
    revision: str
    """Commit of the hub, or a SHA-256 over weights and tokenizer for local files."""
    identity: Mapping[str, Any]
    """Digests of weights and tokenizer, dtype, BOS policy, window. Library versions are none of it."""

    @property
    def dtype(self) -> str:
        """The number format of the network."""
        return str(self.identity.get("dtype", "not recorded"))

    @property
    def bos(self) -> str:
        """``bos``: one beginning-of-sequence token stands before the text; ``none``: nothing."""
        return str(self.identity.get("bos", "not recorded"))

    @property
    def is_table(self) -> bool:
        """Whether its values came in from a file: from people, or from another tool."""
        return self.identity.get("kind") == "table"

    @property
    def unknown_id(self) -> int | None:
        """The number of the token that a model of whole words reads for a word it does not know; None of other models."""
        found = self.identity.get("unknown_id")
        return found if isinstance(found, int) else None

    @property
    def by_region(self) -> bool:
        """Whether it has values of whole regions and none of their tokens, as a table that was made elsewhere can."""
        return self.identity.get("rows") == "regions"


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items a query is about. Every field that is given narrows the selection."""

    paradigm: str | None = None
    dataset: str | None = None
    paradigms: tuple[str, ...] = ()
    """Items of one of these."""
    datasets: tuple[str, ...] = ()
    """Items of one of these."""
    statuses: tuple[ItemStatus, ...] = ()
    """Items that stand so in the eyes of who reads the bank."""
    standing: tuple[ItemStatus, ...] = ()
    """Items that stand so by everybody's decisions, whoever reads: for choosing what is scored, analysed or mended, never for
    showing which items these are (`gapsmith.bank.seeing`)."""
    ids: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    run_id: Annotated[int | None, NUMBER_IN_BANK] = None
    codes: tuple[str, ...] = ()
    """Items with a finding of one of these codes (a prefix such as ``L`` or ``L3`` selects a family)."""
    severity: Severity | None = None
    """Items with a finding at or above this severity."""
    text: str | None = None
    """Items one of whose sentences contains this, ignoring case."""
    author: str | None = None
    """Items on which this person has decided."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Items whose attributes have these values, compared as text."""
    in_results: bool = False
    """Only items that count as data: calibration items (`gapsmith.bank.assignments`) are left out, but for those of a data set that
    is named and holds no others."""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of an item's slots and sentences."""

    id: int
    number: int
    slots: Mapping[str, str] | None
    sentences: tuple[Sentence, ...]
    author: str | None
    """None for the item as it came."""
    note: str | None
    at: str
    call_id: int | None = None
    """The call whose answer it came from; None where a person made it, and for revisions of older releases."""
