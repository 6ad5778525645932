"""One annotator's session at one bank: everything the review screens do, without a screen.

Every method that changes something has committed when it returns. Decisions and edits name the revision that was
on screen, so that nobody decides on a text that another window has changed meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import (
    Bank,
    Finding,
    ItemFilter,
    ItemStatus,
    QueueRow,
    Revision,
    ScreenRecord,
    StoredItem,
    UndoableAction,
    Verdict,
    handed_on,
    is_locked,
    is_on_texts_of,
)
from gapsmith.templates import ConfigError, Paradigm, Sentence, listed
from gapsmith.vetting.annotators import adjudicated_apart, otherwise
from gapsmith.vetting.review.display import NO_SENTENCE, sentence_text
from gapsmith.vetting.review.edits import expected_sentences, save_sentence, save_slots
from gapsmith.vetting.review.filters import ORDERS, Query, sort_rows
from gapsmith.vetting.review.finding_groups import group_findings
from gapsmith.vetting.review.guide import GUIDE, Guide
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import VERDICT_SHAPES
from gapsmith.vetting.review.sentence_rows import SentenceRow, rows_of


@dataclass(frozen=True, slots=True)
class Scope:
    """The items that are reviewed."""

    paradigm: str | None = None
    dataset: str | None = None
    run_id: int | None = None

    @property
    def filter(self) -> ItemFilter:
        """As the bank asks for it."""
        return ItemFilter(paradigm=self.paradigm, dataset=self.dataset, run_id=self.run_id)


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """What an undo or redo did."""

    item_ids: tuple[int, ...]
    message: str


_WORDS = {Verdict.APPROVE: "approved", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}
_STANDING = {
    Verdict.APPROVE: ItemStatus.APPROVED,
    Verdict.EXCLUDE: ItemStatus.EXCLUDED,
    Verdict.FLAG: ItemStatus.FLAGGED,
}


CriticalValues = Callable[[Bank, StoredItem, Paradigm], Mapping[str, Mapping[str, float | None]]]
"""What scorers say of an item: surprisal of the critical region in bits, by scorer and condition; the application brings it."""


class Session:
    """An annotator at work."""

    def __init__(
        self,
        bank: Bank,
        author: str,
        *,
        scope: Scope | None = None,
        adjudicating: bool = False,
        guide: Guide = GUIDE,
        seed: int = 0,
        relint: Callable[[Bank, Sequence[int]], None] | None = None,
        proofread: Callable[[Bank, Sequence[StoredItem]], list[list[Finding]]] | None = None,
        values: CriticalValues | None = None,
    ) -> None:
        if not author.strip():
            raise ConfigError("the review needs a name", hint="Say who you are: --by NAME.")
        self._leads = author == bank.gate.lead
        if adjudicating and (others := bank.assignments.who_adjudicates_instead(author)):
            raise ConfigError(
                f"{author} does not adjudicate here: {listed(others)} {'does' if len(others) == 1 else 'do'}",
                hint="The lead names who does: gapsmith assign --adjudicator NAME.",
            )
        # What others say is the bank's to leave out; see `gapsmith.bank.seeing`.
        self.bank = bank.read_by(author, reviewing=True, everything=adjudicating)
        self.author = author
        self.scope = scope or Scope()
        self.adjudicating = adjudicating
        self.guide = guide
        self.seed = seed
        self.relint = relint
        self.proofread = proofread
        self.values = values
        self._locks = bank.review.locks()
        self._shown: dict[int, str] = {}
        """First sentences as lists show them, by revision, whose texts never change."""
        self._names_sets: bool | None = None
        self._calibrating: frozenset[int] | None = None

    @property
    def kind(self) -> str:
        """The kind of the decisions made here."""
        return "adjudication" if self.adjudicating else "person"

    def refresh(self) -> None:
        """Read again what other windows may have changed: the locks, and which items calibrate."""
        self._locks = self.bank.review.locks()
        self._names_sets = self._calibrating = None

    @property
    def names_sets(self) -> bool:
        """Whether screens name data sets. Where a bank has calibration items they do not, of any item, nor runs: that would give away
        which these are (`gapsmith.bank.seeing.Gate.veiled`)."""
        if self._names_sets is None:
            self._names_sets = not self.bank.gate.veiled
        return self._names_sets

    def locked(self, row: QueueRow) -> bool:
        """Whether the annotator has locked the item's data set."""
        return is_locked(self._locks, self.author, row.paradigm, row.dataset)

    def source(self, item: QueueRow | StoredItem) -> str:
        """Where an item comes from as screens say it: paradigm and, where that may be told, data set."""
        return f"{item.paradigm}/{item.dataset}" if self.names_sets else item.paradigm

    def sees_others(self, row: QueueRow) -> bool:
        """Whether the annotator may see what others decided, and scores."""
        return self.adjudicating or self.locked(row)

    def sees_dispute(self, row: QueueRow) -> bool:
        """Whether the annotator may see that others disagree on an item, and somebody has to decide between them: of what calibrates,
        where that may be told, nobody has to, since the right verdict is known."""
        if self._calibrating is None:
            gate = self.bank.gate
            tells = gate.calibrates and gate.may_tell_calibration
            self._calibrating = frozenset(self.bank.assignments.known_verdicts()) if tells else frozenset()
        return self.sees_others(row) and row.id not in self._calibrating

    def sees(self, item_id: int) -> bool:
        """Whether the annotator may see what others say of this item: where they have locked, or have looked at it."""
        return self.bank.gate.sees(item_id)

    # The queue

    def rows(self, query: Query | None = None, order: str = "came") -> list[QueueRow]:
        """The items of the scope that are the annotator's to read and fit the query, in that order. Words that stand in no sentence may
        be what an item is called.

        Raises `ConfigError` for `by:` while blind."""
        query = query or Query()
        if not self.names_sets and (query.run_id, self.scope.run_id, self.scope.dataset) != (None, None, None):
            raise ConfigError(
                "data sets and runs are not named here",
                hint="Leave out -d and --run, and dataset: and run: in the filter; narrow the queue by words, findings or item:NAME.",
            )
        if query.author not in {None, self.author} and self.bank.gate.hidden(self.scope.filter):
            raise ConfigError("what others decided is hidden until you lock", hint="Lock with L, or filter by:yourself.")
        # What calibrates is not adjudicated: the right verdict is known.
        scope = replace(self.scope.filter, in_results=self.adjudicating)
        found = self.bank.review.rows(query.narrow(scope), author=self.author, words=query.words)
        if self.adjudicating:
            named = {} if self._leads else self.bank.assignments.adjudicators()
            found = [row for row in found if self.author in named.get(row.id, (self.author,))]
        elif (mine := self.bank.assignments.of(self.author)) is not None:
            found = [row for row in found if row.id in mine]
        found = [row for row in self._with_handed_on(found) if self.fits(row, query)]
        if not found and query.phrase is not None and not query.labels:
            name = query.phrase.removeprefix("item ").strip()
            return self.rows(replace(query, phrase=None, labels=(name,)), order)
        return self.in_order(found, order)

    def in_order(self, rows: Sequence[QueueRow], order: str) -> list[QueueRow]:
        """The rows in an order of the queue. Raises `ConfigError` for one that there is not."""
        return sort_rows(
            rows,
            order,
            author=self.author,
            seed=self.seed,
            place=self._place,
            standing=self.standing,
            sees_others=self.sees_dispute,
        )

    def _place(self, row: QueueRow) -> int | str:
        # In the order in which items came, those that calibrate would stand together.
        return row.id if self.names_sets else row.label

    def words_of(self, order: str) -> str:
        """How an order is called on screen."""
        return "mixed" if order == "came" and not self.names_sets else ORDERS[order]

    def sentence_of(self, row: QueueRow) -> str:
        """The first sentence of a row's item as every list shows it: with its open gaps, on one line."""
        shown = self._shown.get(row.revision_id)
        if shown is None:
            first = self.bank.review.first_sentence(row)
            shown = self._shown[row.revision_id] = (
                sentence_text(first, self.bank.paradigms.reading(row.paradigm_id)) if first is not None else NO_SENTENCE
            )
        return shown

    def row(self, item_id: int) -> QueueRow:
        """One item's row as it is now."""
        return self.rows_by_id([item_id])[item_id]

    def rows_by_id(self, item_ids: Sequence[int]) -> dict[int, QueueRow]:
        """The rows of these items as they are now, in one query."""
        found = self.bank.review.rows(ItemFilter(ids=tuple(item_ids)), author=self.author) if item_ids else []
        return {row.id: row for row in self._with_handed_on(found)}

    def _with_handed_on(self, rows: list[QueueRow]) -> list[QueueRow]:
        # To who still decides, an item that was never theirs to decide on anew is one they have decided on before.
        if self.adjudicating:
            return rows
        open_ids = {row.id for row in rows if row.mine is None and (row.outdated or self.locked(row))}
        if not open_ids:
            return rows
        handed = frozenset().union(*handed_on(self.bank, open_ids))
        return [row._replace(handed_on=True) if row.id in handed else row for row in rows]

    def standing(self, row: QueueRow) -> ItemStatus:
        """Where an item stands in the eyes of this annotator: by everybody's decisions for an adjudicator, else by
        the annotator's own, and after locking by a policy's; before that, neither what others nor what a policy says
        may lead the eye."""
        if self.adjudicating:
            return row.status
        if row.mine is not None:
            return _STANDING[row.mine]
        if row.handed_on:
            return row.status
        return _STANDING[row.policy] if row.policy is not None and self.locked(row) else ItemStatus.PENDING

    def by_policy(self, row: QueueRow) -> bool:
        """Whether nobody but a policy has decided on the item, as far as this annotator may know."""
        return row.policy is not None and row.mine is None and self.sees_others(row) and not (self.adjudicating and row.people)

    def undecided(self, row: QueueRow) -> bool:
        """Whether the item still waits for this annotator."""
        if self.adjudicating:
            return row.status is ItemStatus.DISPUTED
        return row.mine is None and not row.handed_on

    def decided(self, row: QueueRow) -> bool:
        """Whether somebody's work on the item is done, as far as this annotator may know. To who adjudicates a flag is none: it says that
        somebody has still to approve or exclude."""
        if self.adjudicating:
            return row.status in {ItemStatus.APPROVED, ItemStatus.EXCLUDED}
        return not self.undecided(row)

    def set_aside(self, row: QueueRow) -> bool:
        """Whether an item stands flagged, which to who adjudicates is not decided."""
        return self.adjudicating and row.status is ItemStatus.FLAGGED

    def fits(self, row: QueueRow, query: Query) -> bool:
        """Whether an item stands as the query wants it, as far as the annotator may know."""
        if not query.statuses:
            return True
        standing = "pending" if self.undecided(row) and not self.adjudicating else self.standing(row).value
        # What waits for who adjudicates is pending, but not for this annotator.
        also = set() if row.handed_on and standing == "pending" else {standing}
        if row.outdated:
            also.add("outdated")
        if row.commented:
            also.add("commented")
        if row.status is ItemStatus.DISPUTED and self.sees_dispute(row):
            also.add("disputed")
        return bool(also & set(query.statuses))

    # One item

    def versions(self, item_id: int) -> list[Revision]:
        """The versions between which an adjudicator picks where copies of the bank edited the item apart; else the one there
        is."""
        ids = self.bank.items.versions(item_id)
        by_id = {revision.id: revision for revision in self.bank.items.history(item_id)}
        return [by_id[revision_id] for revision_id in ids]

    def view(self, item_id: int, *, version: int | None = None) -> ReviewedItem:
        """Everything about an item that may be seen; with `version`, as that one of its versions has it."""
        item = self.bank.items.get(item_id)
        if version is not None and version != item.revision_id:
            item = self.bank.items.at(item_id, version)
        form = self.bank.paradigms.reading(item.paradigm_id)
        paradigm = self.bank.datasets.measured(form, item.dataset).variant(item.slots)
        queue_row = self.row(item_id)
        judgements = self.bank.decisions.judgements(item_id)
        edits = tuple(self.bank.review.edits(item_id))
        linted = self.bank.review.linted_revision(item_id)
        mine = {j.condition: j.rating for j in judgements if j.author == self.author and is_on_texts_of(j, item)}
        rows = rows_of(item, paradigm, mine)
        findings = tuple(self.bank.findings.for_item(item_id))
        return ReviewedItem(
            item=item,
            paradigm=paradigm,
            queue_row=queue_row,
            rows=rows,
            findings=findings,
            groups=group_findings(rows, paradigm, findings),
            lint="never" if linted is None else "current" if linted == item.revision_id else "outdated",
            look=self.bank.findings.look(item_id),
            decisions=tuple(self.bank.decisions.for_item(item_id)),
            judgements=tuple(judgements),
            # What came with a decision is told beside it.
            comments=tuple(one for one in self.bank.review.comments(item_id) if not one.decided),
            revisions=tuple(self.bank.items.history(item_id)) if edits else (),
            edits=edits,
            expected=expected_sentences(item, paradigm),
            blind=not self.sees(item_id),
            versions=tuple(self.bank.items.versions(item_id)) if queue_row.status is ItemStatus.DISPUTED else (),
        )

    def decide(
        self,
        revisions: Mapping[int, int],
        verdict: Verdict,
        *,
        reason: str | None = None,
        comment: str | None = None,
        seen: ScreenRecord | None = None,
        group: str | None = None,
    ) -> None:
        """Decide on items (id to the revision that was shown) as one action, with how the item was seen where it was
        opened, or what the items share.

        Raises `StaleItemError` where another window has changed a text meanwhile and `LockedError`; then
        nothing is decided."""
        with self.bank.transaction():
            self.bank.decisions.decide(
                list(revisions),
                verdict,
                author=self.author,
                kind=self.kind,
                reason=reason,
                comment=comment,
                seen=seen,
                versions=revisions,
                group=group,
            )
            if reason is not None:
                for item_id in revisions:
                    self.bank.review.discard_drafts(self.author, item_id, ["reason"])

    def said_otherwise(self, item_id: int) -> str:
        """To who adjudicates: what others who do said of the item, where that is not the same, in words; else empty."""
        said = adjudicated_apart(self.bank, {item_id}).get(item_id, ()) if self.adjudicating else ()
        return otherwise(said, self.author)

    def judge(self, view: ReviewedItem, row: SentenceRow, judgement: str) -> None:
        """Judge one sentence. Raises `StaleItemError`, `LockedError`, and `ConfigError` for a sentence that is missing or doubled."""
        if row.sentence is None or row.note == "again":
            what = "has no sentence" if row.sentence is None else "is a second text for its condition"
            raise ConfigError(f"row {row.number} {what}", hint="Edit the item, or exclude it.")
        self.bank.decisions.judge(
            view.item.id,
            row.condition,
            judgement,
            author=self.author,
            version=view.item.revision_id,
            adjudicating=self.adjudicating,
        )

    def comment(self, item_id: int, text: str) -> None:
        """Keep a remark and forget its draft."""
        with self.bank.transaction():
            self.bank.review.comment(item_id, text, author=self.author)
            self.bank.review.discard_drafts(self.author, item_id, ["comment"])

    def save_slots(self, view: ReviewedItem, slots: Mapping[str, str]) -> None:
        """Keep an edit of slots and forget its drafts. Raises `StaleItemError` and `ParadigmError`."""
        with self.bank.transaction():
            save_slots(self.bank, view.item, view.paradigm, slots, author=self.author)
            self.bank.review.discard_drafts(self.author, view.item.id, [f"slot:{name}" for name in slots])

    def save_sentence(self, view: ReviewedItem, row: SentenceRow, text: str) -> None:
        """Keep an edit of one sentence and forget its draft. Raises `StaleItemError` and `ConfigError`."""
        which: Sentence | None = row.sentence
        with self.bank.transaction():
            save_sentence(self.bank, view.item, view.paradigm, row.condition, text, which=which, author=self.author)
            self.bank.review.discard_drafts(self.author, view.item.id, [f"sentence:{row.condition}"])

    def new_findings(self, item: StoredItem, edited: StoredItem) -> list[Finding]:
        """What the linter would find in the edited item and does not in the item as it is, the worst first: remarks too, since a word
        in no list may be none. Nothing where the session was opened without `proofread`. To lint loads word lists: call it in a
        thread, on a connection of its own."""
        if self.proofread is None:
            return []
        before, after = self.proofread(self.bank, [item, edited])
        # Where in a sentence a word stands changes with the words before it, and makes no finding a new one.
        known = Counter((one.code, one.message, one.place.condition, one.place.slot) for one in before)
        found = []
        for one in after:
            known[key := (one.code, one.message, one.place.condition, one.place.slot)] -= 1
            if known[key] < 0:
                found.append(one)
        return sorted(found, key=lambda one: -one.severity.rank)

    def refuse_if_locked(self, row: QueueRow) -> None:
        """Raise `LockedError` where the annotator has locked the item's data set."""
        if not self.adjudicating:
            self.bank.decisions.refuse_if_locked(self.author, [row.id])

    # Undo and redo

    def undo(self, *, of_studies: bool = True) -> ReviewStep | None:
        """Take back the annotator's newest action; None where there is none. Without `of_studies`, answers to sentences shown
        alone are passed over. Raises `LockedError`."""
        return self._step("undo", of_studies)

    def redo(self, *, of_studies: bool = True) -> ReviewStep | None:
        """Do again what the last undo took back; None where there is nothing. Raises `LockedError`."""
        return self._step("redo", of_studies)

    def _step(self, step: str, of_studies: bool) -> ReviewStep | None:
        with self.bank.transaction():
            action = self.bank.review.next_action(self.author, step, of_studies=of_studies)
            if action is None:
                return None
            take = self.bank.decisions.undo if step == "undo" else self.bank.decisions.redo
            take(self.author, of_studies=of_studies)
        said = "Taken back" if step == "undo" else "Done again"
        return ReviewStep(action.item_ids, f"{said}: {self._describe(action)}")

    def _describe(self, action: UndoableAction) -> str:
        labels = [row.label for row in self.bank.review.rows(ItemFilter(ids=action.item_ids[:1]), author=self.author)]
        what = f"item {labels[0]}" if len(action.item_ids) == 1 and labels else f"{len(action.item_ids):,} items"
        what += f" with {action.group}" if action.group else ""
        if action.kind == "decision":
            return f"{what} {_WORDS[Verdict(action.detail)]}"
        if action.kind == "judgement":
            return f"judgement {action.detail}, {what}"
        return f"{action.kind} on {what}" + (f" ({action.detail})" if action.detail else "")

    def recent(self, count: int) -> tuple[str, ...]:
        """The annotator's newest actions of the review in a few characters each, the one that its next undo takes back first."""
        return tuple(self._short(action) for action in self.bank.review.last_actions(self.author, count, of_studies=False))

    def _short(self, action: UndoableAction) -> str:
        labels = [row.label for row in self.bank.review.rows(ItemFilter(ids=action.item_ids[:1]), author=self.author)]
        what = labels[0] if len(action.item_ids) == 1 and labels else f"{len(action.item_ids):,} items"
        what += f" with {action.group}" if action.group else ""
        if action.kind == "decision":
            return f"{what} {VERDICT_SHAPES[Verdict(action.detail)]}"
        return f"{what} {action.detail.split(' ')[0] if action.kind == 'judgement' else action.kind}"

    # Blindness

    def lock(self, *, locked: bool = True) -> None:
        """Declare the decisions on the scope to be final, or take that back; both are on record. A lock is about the data sets that
        have items of the annotator's now (`to_lock`): what comes later, into others, is as blind as it was."""
        with self.bank.transaction():
            places = list(self.to_lock()) if locked else [(self.scope.paradigm, self.scope.dataset)]
            for paradigm, dataset in places:
                self.bank.review.lock(self.author, paradigm=paradigm, dataset=dataset, locked=locked)
        self.refresh()

    def to_lock(self, *, locked: bool = False) -> dict[tuple[str, str], int]:
        """The data sets of the scope (paradigm and name) that a lock would be about, with how many items are the annotator's there, to
        read or decided on; with `locked`, those that they have locked."""
        mine = self.bank.assignments.of(self.author)
        counted = Counter(
            (row.paradigm, row.dataset)
            for row in self.bank.review.rows(self.scope.filter, author=self.author)
            if mine is None or row.id in mine or row.mine is not None or row.outdated
        )
        locks = self.bank.review.locks()
        return {place: n for place, n in sorted(counted.items()) if is_locked(locks, self.author, *place) is locked}

    def peek(self, item_id: int) -> ReviewedItem:
        """Look at everything about an item before locking; that is recorded first, and from then on the item is open."""
        if not self.sees(item_id):
            self.bank.review.peek(item_id, "others and scores", author=self.author)
        return self.view(item_id)

    def scores(self, view: ReviewedItem) -> Mapping[str, Mapping[str, float | None]]:
        """Surprisal of the critical region in bits by scorer and condition, for sentences that were scored; empty where the
        session was opened without `values`."""
        return {} if self.values is None else self.values(self.bank, view.item, view.paradigm)

    # Habits

    def habit(self, name: str, default: str) -> str:
        """How the annotator left a setting."""
        return self.bank.review.habit(self.author, name) or default

    def set_habit(self, name: str, value: str) -> None:
        """Remember how the annotator left a setting."""
        self.bank.review.set_habit(self.author, name, value)

    def on_own_connection(self, bank: Bank) -> Session:
        """The same session over another connection, for a thread of its own."""
        return Session(
            bank,
            self.author,
            scope=replace(self.scope),
            adjudicating=self.adjudicating,
            guide=self.guide,
            seed=self.seed,
            relint=self.relint,
            proofread=self.proofread,
            values=self.values,
        )
