"""One annotator at one bank: everything the review screens do, without a screen.

Every method that changes something has committed when it returns. Decisions and edits name the revision that was
on screen, so that nobody decides on a text that another window has changed meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bank import Bank, ItemFilter, ItemStatus, Verdict
from bank.review import QueueRow, UndoableAction
from bank.tokens import anchor
from templates import Sentence
from templates.errors import ConfigError
from vetting.annotators import is_locked
from vetting.review.edits import StaleItemError, save_sentence, save_slots
from vetting.review.filters import Query, sort_rows
from vetting.review.guide import GUIDE, Guide
from vetting.review.sheet import Row, Sheet, rows_of

__all__ = ["Desk", "LockedError", "Scope", "Step"]


class LockedError(ConfigError):
    """The annotator has locked these decisions and does not change them any more."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The items on the desk."""

    paradigm: str | None = None
    dataset: str | None = None
    run_id: int | None = None

    @property
    def filter(self) -> ItemFilter:
        """As the bank asks for it."""
        return ItemFilter(paradigm=self.paradigm, dataset=self.dataset, run_id=self.run_id)


@dataclass(frozen=True, slots=True)
class Step:
    """What an undo or redo did."""

    item_ids: tuple[int, ...]
    message: str


_WORDS = {Verdict.APPROVE: "accepted", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}
_STANDING = {
    Verdict.APPROVE: ItemStatus.APPROVED,
    Verdict.EXCLUDE: ItemStatus.EXCLUDED,
    Verdict.FLAG: ItemStatus.FLAGGED,
}


class Desk:
    """An annotator's place of work."""

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
    ) -> None:
        if not author.strip():
            raise ConfigError("the review needs a name", hint="Say who you are: --by NAME.")
        self.bank = bank
        self.author = author
        self.scope = scope or Scope()
        self.adjudicating = adjudicating
        self.guide = guide
        self.seed = seed
        self.relint = relint
        self._locks = bank.review.locks()

    @property
    def kind(self) -> str:
        """The kind of the decisions made here."""
        return "adjudication" if self.adjudicating else "person"

    def refresh(self) -> None:
        """Read again what other windows may have changed: the locks."""
        self._locks = self.bank.review.locks()

    def locked(self, row: QueueRow) -> bool:
        """Whether the annotator has locked the item's data set."""
        return is_locked(self._locks, self.author, row.paradigm, row.dataset)

    def sighted(self, row: QueueRow) -> bool:
        """Whether the annotator may see what others decided, and scores."""
        return self.adjudicating or self.locked(row)

    # The queue

    def rows(self, query: Query | None = None, order: str = "came") -> list[QueueRow]:
        """The items on the desk that fit the query, in that order. Raises `ConfigError` for `by:` while blind."""
        query = query or Query()
        found = self.bank.review.rows(query.narrow(self.scope.filter), author=self.author, words=query.words)
        if query.author not in {None, self.author} and not all(self.sighted(row) for row in found):
            raise ConfigError(
                "what others decided is hidden until you lock", hint="Lock with L, or filter by:yourself."
            )
        if query.statuses:
            found = [row for row in found if self._fits(row, query.statuses)]
        return sort_rows(found, order, author=self.author, seed=self.seed, standing=self.standing)

    def row(self, item_id: int) -> QueueRow:
        """One item's row as it is now."""
        (row,) = self.bank.review.rows(ItemFilter(ids=(item_id,)), author=self.author)
        return row

    def standing(self, row: QueueRow) -> ItemStatus:
        """Where an item stands in the eyes of this annotator: by everybody's decisions for an adjudicator, else by
        the annotator's own, else by a policy's; never by what other annotators say."""
        if self.adjudicating:
            return row.status
        if row.mine is not None:
            return _STANDING[row.mine]
        return _STANDING[row.policy] if row.policy is not None else ItemStatus.PENDING

    def by_policy(self, row: QueueRow) -> bool:
        """Whether nobody but a policy has decided on the item, as far as this annotator may know."""
        return row.policy is not None and row.mine is None and not (self.adjudicating and row.people)

    def undecided(self, row: QueueRow) -> bool:
        """Whether the item still waits for this annotator."""
        if self.adjudicating:
            return row.status is ItemStatus.DISPUTED
        return row.mine is None

    def _fits(self, row: QueueRow, statuses: Sequence[str]) -> bool:
        standing = "pending" if self.undecided(row) and not self.adjudicating else self.standing(row).value
        also = {standing}
        if row.outdated:
            also.add("outdated")
        if row.commented:
            also.add("commented")
        if row.status is ItemStatus.DISPUTED and self.sighted(row):
            also.add("disputed")
        return bool(also & set(statuses))

    # One item

    def sheet(self, item_id: int, *, peeked: bool = False) -> Sheet:
        """Everything about an item that may be seen; with `peeked`, also what is hidden from a blind annotator."""
        item = self.bank.items.get(item_id)
        paradigm = self.bank.paradigms.reading(item.paradigm_id).variant(item.slots)
        place = self.row(item_id)
        open_eyes = peeked or self.sighted(place)
        decisions = self.bank.decisions.of(item_id)
        judgements = self.bank.decisions.judgements(item_id)
        comments = self.bank.review.comments(item_id)
        seen_decisions = tuple(d for d in decisions if open_eyes or d.author == self.author or d.kind == "policy")
        seen_judgements = tuple(j for j in judgements if open_eyes or j.author == self.author)
        seen_comments = tuple(c for c in comments if open_eyes or c.author == self.author)
        shown = len(seen_decisions) + len(seen_judgements) + len(seen_comments)
        edits = tuple(self.bank.review.edits(item_id))
        linted = self.bank.review.linted_revision(item_id)
        ratings = {
            j.condition: j.rating for j in judgements if j.author == self.author and j.revision_id == item.revision_id
        }
        return Sheet(
            item=item,
            paradigm=paradigm,
            place=place,
            rows=rows_of(item, paradigm, ratings),
            findings=tuple(self.bank.findings.of(item_id)),
            lint="never" if linted is None else "current" if linted == item.revision_id else "outdated",
            decisions=seen_decisions,
            judgements=seen_judgements,
            comments=seen_comments,
            revisions=tuple(self.bank.items.history(item_id)) if edits else (),
            edits=edits,
            hidden=len(decisions) + len(judgements) + len(comments) - shown,
        )

    def decide(
        self,
        revisions: Mapping[int, int],
        verdict: Verdict,
        *,
        reason: str | None = None,
        comment: str | None = None,
    ) -> None:
        """Decide on items (id to the revision that was shown) as one action. Raises `StaleItemError` where another
        window has changed a text meanwhile and `LockedError`; then nothing is decided."""
        with self.bank.transaction():
            rows = self.bank.review.rows(ItemFilter(ids=tuple(revisions)), author=self.author)
            for row in rows:
                if row.revision_id != revisions[row.id]:
                    raise StaleItemError(
                        f"the text of item {row.label} was changed meanwhile",
                        hint="Nothing was decided; look at the new text first.",
                    )
                self._refuse_if_locked(row)
            ids = list(revisions)
            self.bank.decisions.decide(ids, verdict, author=self.author, kind=self.kind, reason=reason, comment=comment)

    def judge(self, sheet: Sheet, row: Row, rating: str) -> None:
        """Judge one sentence. Raises `LockedError`, and `ConfigError` for a sentence that is missing or doubled."""
        if row.sentence is None or row.note == "again":
            what = "has no sentence" if row.sentence is None else "is a second text for its condition"
            raise ConfigError(f"row {row.number} {what}", hint="Edit the item, or exclude it.")
        with self.bank.transaction():
            self._refuse_if_stale(sheet)
            self._refuse_if_locked(sheet.place)
            self.bank.decisions.judge(sheet.item.id, row.condition, rating, author=self.author)

    def comment(self, item_id: int, text: str) -> None:
        """Keep a remark and forget its draft."""
        with self.bank.transaction():
            self.bank.review.comment(item_id, text, author=self.author)
            self.bank.review.discard_drafts(self.author, item_id, ["comment"])

    def save_slots(self, sheet: Sheet, slots: Mapping[str, str]) -> None:
        """Keep an edit of slots and forget its drafts. Raises `StaleItemError` and `ParadigmError`."""
        with self.bank.transaction():
            save_slots(self.bank, sheet.item, sheet.paradigm, slots, author=self.author)
            self.bank.review.discard_drafts(self.author, sheet.item.id, [f"slot:{name}" for name in slots])

    def save_sentence(self, sheet: Sheet, row: Row, text: str) -> None:
        """Keep an edit of one sentence and forget its draft. Raises `StaleItemError` and `ConfigError`."""
        which: Sentence | None = row.sentence
        with self.bank.transaction():
            save_sentence(self.bank, sheet.item, sheet.paradigm, row.condition, text, which=which, author=self.author)
            self.bank.review.discard_drafts(self.author, sheet.item.id, [f"sentence:{row.condition}"])

    def _refuse_if_locked(self, row: QueueRow) -> None:
        if not self.adjudicating and is_locked(self.bank.review.locks(), self.author, row.paradigm, row.dataset):
            raise LockedError(
                f"{self.author} has locked the decisions on {row.paradigm}/{row.dataset}",
                hint="Unlock from the command palette (it is recorded), or adjudicate.",
            )

    def _refuse_if_stale(self, sheet: Sheet) -> None:
        if self.bank.review.revision_of(sheet.item.id) != sheet.item.revision_id:
            raise StaleItemError(
                f"the text of item {sheet.item.label} was changed meanwhile",
                hint="Nothing was recorded; look at the new text first.",
            )

    # Undo and redo

    def undo(self) -> Step | None:
        """Take back the annotator's newest action; None where there is none. Raises `LockedError`."""
        return self._step("undo")

    def redo(self) -> Step | None:
        """Do again what the last undo took back; None where there is nothing. Raises `LockedError`."""
        return self._step("redo")

    def next_step_size(self, step: str) -> int:
        """How many items the next ``undo`` or ``redo`` would touch."""
        action = self.bank.review.next_action(self.author, step)
        return len(action.item_ids) if action is not None else 0

    def _step(self, step: str) -> Step | None:
        with self.bank.transaction():
            action = self.bank.review.next_action(self.author, step)
            if action is None:
                return None
            if action.kind in {"decision", "judgement"} and action.by != "adjudication":
                locks = self.bank.review.locks()
                for row in self.bank.review.rows(ItemFilter(ids=action.item_ids), author=self.author):
                    if is_locked(locks, self.author, row.paradigm, row.dataset):
                        raise LockedError(
                            f"the next thing to {step} is a {action.kind} that {self.author} has locked",
                            hint="Unlock from the command palette first; it is recorded.",
                        )
            (self.bank.decisions.undo if step == "undo" else self.bank.decisions.redo)(self.author)
        said = "Taken back" if step == "undo" else "Done again"
        return Step(action.item_ids, f"{said}: {self._describe(action)}")

    def _describe(self, action: UndoableAction) -> str:
        labels = [row.label for row in self.bank.review.rows(ItemFilter(ids=action.item_ids[:1]), author=self.author)]
        of = f"item {labels[0]}" if len(action.item_ids) == 1 and labels else f"{len(action.item_ids):,} items"
        if action.kind == "decision":
            return f"{of} {_WORDS[Verdict(action.detail)]}"
        if action.kind == "judgement":
            return f"judgement {action.detail}, {of}"
        return f"{action.kind} on {of}" + (f" ({action.detail})" if action.detail else "")

    # Blindness

    def lock(self, *, locked: bool = True) -> None:
        """Declare the decisions on the desk's scope to be final, or take that back; both are on record."""
        scope = self.scope
        self.bank.review.lock(self.author, paradigm=scope.paradigm, dataset=scope.dataset, locked=locked)
        self.refresh()

    def peek(self, item_id: int) -> Sheet:
        """Look at everything about an item before locking; that is recorded first."""
        if not self.sighted(self.row(item_id)):
            self.bank.review.peek(item_id, "others and scores", author=self.author)
        return self.sheet(item_id, peeked=True)

    def scores(self, sheet: Sheet) -> dict[str, dict[str, float | None]]:
        """Surprisal of the critical region in bits by scorer and condition, for sentences that were scored. A token
        belongs to the region that holds its first character that is not a space."""
        found: dict[str, dict[str, float | None]] = {}
        for scorer in self.bank.scores.scorers():
            texts = [row.sentence.text for row in sheet.rows if row.sentence is not None]
            scored = self.bank.scores.get(scorer.id, texts)
            for row in sheet.rows:
                condition = sheet.paradigm.condition_by_name.get(row.condition)
                if row.sentence is None or condition is None or row.sentence.text not in scored:
                    continue
                span = row.sentence.span(condition.critical)
                if span is None:
                    continue
                tokens = scored[row.sentence.text]
                placed = zip(tokens.spans.tolist(), tokens.bits.tolist(), strict=True)
                bits = [b for (start, _), b in placed if span.start <= anchor(tokens.text, start) < span.end]
                whole = bool(bits) and not any(math.isnan(value) for value in bits)
                found.setdefault(f"{scorer.model} ({scorer.bos})", {})[row.condition] = sum(bits) if whole else None
        return found

    # Habits

    def habit(self, name: str, default: str) -> str:
        """How the annotator left a setting."""
        return self.bank.review.habit(self.author, name) or default

    def on_own_connection(self, bank: Bank) -> Desk:
        """The same desk over another connection, for a thread of its own."""
        return Desk(
            bank,
            self.author,
            scope=replace(self.scope),
            adjudicating=self.adjudicating,
            guide=self.guide,
            seed=self.seed,
            relint=self.relint,
        )
