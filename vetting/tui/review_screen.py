"""What the item screen and the queue have in common: undoing, searching, locking, deciding on many items at once."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual.screen import Screen

from gapsmith.bank import ItemStatus, QueueRow, ScreenRecord, Verdict
from gapsmith.templates import GapsmithError, count, listed
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.filters import KEYS, Query, parse_query
from gapsmith.vetting.review.groups import groups_of
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.review.session import ReviewStep, Session
from gapsmith.vetting.tui.bars import KeyBar, StatusLine
from gapsmith.vetting.tui.dialogs import AskScreen, CommentScreen, ConfirmScreen, PickScreen, Reason, ReasonScreen
from gapsmith.vetting.tui.group_screen import GroupScreen
from gapsmith.vetting.tui.keymap import key_label
from gapsmith.vetting.tui.styles import palette

if TYPE_CHECKING:
    from gapsmith.vetting.tui.frame import ReviewFrame

SAID = {Verdict.APPROVE: "approved", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}
_ASKED = {Verdict.APPROVE: "Approve", Verdict.EXCLUDE: "Exclude", Verdict.FLAG: "Flag"}
_NEEDS_ROWS = {"approve_all", "exclude_all", "flag_all", "comment", "next_undecided", "triage", "group"}
_ALL_AT_ONCE = {"approve_all", "exclude_all", "flag_all"}
_SETS = 3
"""So many data sets are named in a question."""
_PREVIEWED = 5
"""So many items are shown before many are decided on at once."""
_TELLING = {"run"}
"""Filters that are not offered where runs are not named."""


def _offered(*, names_sets: bool) -> list[str]:
    return [key for key in KEYS if names_sets or key not in _TELLING]


def _filter_hint(*, names_sets: bool) -> str:
    keys = " ".join(f"{key}:" for key in _offered(names_sets=names_sets))
    return (
        f"Words are looked for as they stand in a sentence, or are an item's name. Filters: {keys}\n"
        "For example  status:undecided severity:warning  ·  code:L3 word:amuse  ·  empty shows everything"
    )


class ReviewScreen(Screen[None]):
    """A screen over the queue."""

    counts_place = True
    """Whether the title says at which item we are."""
    name_of_place = ""
    """What the key map calls this screen: ``item``, ``triage`` or ``queue``."""

    @property
    def frame(self) -> ReviewFrame:
        """The application."""
        return cast("ReviewFrame", self.app)

    @property
    def queue(self) -> Queue:
        """Which items, in which order, and where we are."""
        return self.frame.queue

    @property
    def session(self) -> Session:
        """The annotator's session."""
        return self.frame.session

    @abstractmethod
    def refresh_view(self, *, ours: bool = False) -> None:
        """Show the queue as it is now; with `ours`, a changed text is the annotator's doing and needs no announcement."""

    def displayed(self) -> None:
        """The terminal has got what was drawn."""

    def failed(self) -> None:
        """Something was not recorded."""
        self.refresh_view()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002  # as Textual asks
        """None greys out what cannot be done here and now."""
        if action in _NEEDS_ROWS and not self.queue.rows:
            return None
        if action in {"triage", "group"} and self.session.adjudicating:
            # What is disputed wants everybody's reasons beside the item.
            return None
        if action in {"lock", *_ALL_AT_ONCE} and self.session.adjudicating:
            return None
        if action in {"group", *_ALL_AT_ONCE} and self.queue.current is not None and self.session.locked(self.queue.current):
            # Before a question that a yes would not answer.
            return None
        return True

    def why_not(self, action: str) -> str:
        """Why an action that `check_action` greys out cannot be done."""
        row = self.queue.current
        if row is None:
            return "There is no item here."
        if self.session.adjudicating:
            return "Not in adjudication: every item is opened and decided on by itself."
        if self.session.locked(row):
            return f"You have locked these decisions; {self.key_of('lock')} unlocks them, on record."
        return f"{action.replace('_', ' ')}: there is nothing here to do that with."

    def on_screen_suspend(self) -> None:
        """What was said is not news any more when we come back."""
        self.query_one(StatusLine).hush()

    def state(self) -> list[Text]:
        """In the title: what decisions count as here, where it is not the usual."""
        row = self.queue.current
        words = "ADJUDICATING" if self.session.adjudicating else ""
        if row is not None and not words and self.session.locked(row):
            words = "locked"
        return [Text(words, palette(self.app)["warning"])] if words else []

    def source(self) -> str:
        """What all items of the queue come from; empty where that differs."""
        row = self.queue.current
        return visible(self.session.source(row)) if row is not None and self.queue.sources == 1 else ""

    def sentence_at_hand(self, row: QueueRow) -> Text:
        """The sentence of an item that a question about it leaves in sight."""
        return Text(self.session.sentence_of(row))

    def counts(self) -> list[Text]:
        """In the title: how many items there are and how many of them are decided; of a filtered queue, that these are what fits."""
        queue, style = self.queue, palette(self.app)["key"]
        many = count(len(queue.rows), "item")
        shown = f"{queue.position + 1:,} of {len(queue.rows):,}" if self.counts_place and queue.rows else many
        aside = f", {queue.flagged:,} flagged" if queue.flagged else ""
        if not queue.query.text or (self.session.adjudicating and queue.query.text == queue.begun_with.text):
            return [Text(shown, style), Text(f"{queue.decided:,} decided{aside}", style)]
        fits = "fits" if shown == "1 item" else "that fit" if self.counts_place else "fit"
        return [Text(f"{shown} {fits}", style), Text(f"{queue.decided:,} of these decided{aside}", style)]

    # Saying

    def say(self, message: str) -> None:
        """Say what a key did, in a line that hides nothing else."""
        self.query_one(StatusLine).say(visible(message))

    def say_error(self, error: GapsmithError | sqlite3.Error) -> None:
        """Say what did not work and what to do."""
        self.query_one(StatusLine).say(self.frame.words_of(error), problem=True)

    def key_of(self, command: str) -> str:
        """The key of a command as people read it; its name where it has none."""
        keys = self.frame.keys[command]
        return key_label(keys[0]) if keys else f"“{command.replace('_', ' ')}” in the palette"

    def show_bars(self) -> None:
        """Bring the bars up to date."""
        self.query_one(KeyBar).bring_up_to_date()

    # One

    def was_meant(self, since: float | None, label: str, key: str) -> bool:
        """Whether a verdict key is about an item that was painted (since then, by `clock`) before it was pressed, and is not
        one that is held down; if not, say why and what to do."""
        press = self.frame.press
        if press is not None and press.repeat:
            self.say(f"{key} is held down: let go, and press it again for item {label}.")
            return False
        return self.was_on_screen(since, label, key)

    def was_on_screen(self, since: float | None, label: str, key: str) -> bool:
        """Whether the item was painted before the key was pressed; if not, say so."""
        press = self.frame.press
        if since is not None and (press is None or press.time > since):
            return True
        self.say(f"Item {label} was not on screen yet when {key} was pressed: look, and press it again.")
        return False

    async def ask_reason(self, row: QueueRow) -> Reason | None:
        """Within a flow: why an item is to be excluded; None where the annotator thought better of it."""
        key = self.frame.draft_key(row.id, "reason", row.revision_id)
        about = self.sentence_at_hand(row)
        reason = await self.frame.ask(ReasonScreen(self.session.guide.reasons, key, f"item {visible(row.label)}", about=about))
        if reason is None:
            await self.frame.drafts.done()
            self.refresh_view()
        return reason

    async def decide(
        self, row: QueueRow, revision_id: int, verdict: Verdict, seen: ScreenRecord | None, reason: Reason | None = None
    ) -> None:
        """Decide on one item in the text that was shown, and go to the next undecided one."""

        others = ""

        def decide(session: Session) -> dict[int, QueueRow]:
            nonlocal others
            session.decide(
                {row.id: revision_id},
                verdict,
                reason=reason.reason if reason is not None else None,
                comment=reason.comment if reason is not None else None,
                seen=seen,
            )
            others = session.said_otherwise(row.id)
            return session.rows_by_id([row.id])

        key = self.frame.draft_key(row.id, "reason", row.revision_id)
        words = reason.comment if reason is not None else None
        self.queue.replace(await self.frame.saved(key, words, decide))
        self.frame.pace.count(row.id, seen.seconds if seen is not None else None)
        said = f": {reason.reason}" + (f" “{reason.comment}”" if reason.comment else "") if reason is not None else ""
        before = f" (before: {others})" if others else ""
        done = f"item {row.label} {SAID[verdict]}{said}{before}, undo with {self.key_of('undo')}"
        self.queue.went_through([row.id])
        more = self.queue.next_to_decide()
        self.frame.show_current()
        if more:
            rest = self.frame.pace.break_line
            self.say(f"{done}. {rest}" if rest else done)
        else:
            self.say(f"{done}. {self._all_decided()}")

    # Many at once

    def action_group(self) -> None:
        """Decide at once on what shares a finding or a word with the current item, after a preview."""
        row = self.queue.current
        if row is not None:
            self.frame.flow(self._group(row))

    async def _group(self, row: QueueRow) -> None:
        query = self.queue.query
        groups = await self.frame.patiently(self.frame.writer.run(lambda session: groups_of(session, row.id, query)))
        if not groups:
            self.say(f"No other item here shares a finding or a word with item {row.label}.")
            return
        waiting = [[one for one in group.rows if self.session.undecided(one)] for group in groups]
        if not any(waiting):
            self.say(f"All that share a finding or a word with item {row.label} are decided.")
            return
        lines = [
            f"{len(group.rows):,} items with {group.title}, {len(left):,} undecided"
            for group, left in zip(groups, waiting, strict=True)
        ]
        picked = await self.frame.ask(PickScreen(f"Decide together with item {visible(row.label)} on", lines))
        if picked is None:
            return
        group, rows = groups[picked], waiting[picked]
        if not rows:
            self.say(f"All {len(group.rows):,} items with {group.title} are decided.")
            return
        for one in rows:
            self.session.refuse_if_locked(one)
        verdict = await self.frame.ask(GroupScreen(group, rows))
        if verdict is None:
            return
        reason = None
        if verdict is Verdict.EXCLUDE:
            key = self.frame.draft_key(rows[0].id, "reason", rows[0].revision_id)
            what = f"{len(rows):,} items with {group.title}"
            reason = await self.frame.ask(ReasonScreen(self.session.guide.reasons, key, what))
            if reason is None:
                return
        await self._decide_many(rows, verdict, reason, group.title)

    def action_approve_all(self) -> None:
        """Approve all that is shown, after asking."""
        self.frame.flow(self._decide_all(Verdict.APPROVE))

    def action_flag_all(self) -> None:
        """Flag all that is shown, after asking."""
        self.frame.flow(self._decide_all(Verdict.FLAG))

    def action_exclude_all(self) -> None:
        """Ask for a reason, then exclude all that is shown, after asking."""
        self.frame.flow(self._decide_all(Verdict.EXCLUDE))

    async def _decide_all(self, verdict: Verdict) -> None:
        rows, verb, reason = self.queue.to_decide_together(), _ASKED[verdict], None
        settled = len(self.queue.rows) - len(rows)
        if not rows:
            shown = "The only item shown was" if settled == 1 else f"All {settled:,} items shown were"
            self.say(
                f"{shown} decided on since they were read, and stays so: {self.key_of('undo')} takes that back,"
                f" {self.key_of('search')} reads the queue anew."
            )
            return
        if locked := sum(self.session.locked(row) for row in rows):
            self.say(
                f"You have locked your decisions on {locked:,} of these: {self.key_of('lock')} unlocks them, on record;"
                f" {self.key_of('search')} shows others."
            )
            return
        if verdict is Verdict.EXCLUDE:
            key = self.frame.draft_key(rows[0].id, "reason", rows[0].revision_id)
            what = "the only item shown" if len(rows) == 1 else f"{'the' if settled else 'all'} {len(rows):,} items shown"
            reason = await self.frame.ask(ReasonScreen(self.session.guide.reasons, key, what))
            if reason is None:
                return
        again = sum(not self.session.undecided(row) for row in rows)
        shown = f"the filter “{visible(self.queue.query.text)}” shows" if self.queue.query.text else "there are"
        but = f", but for {settled:,} decided on since they were read, which stay as they are" if settled else ""
        question = f"{verb} {count(len(rows), 'item')}? That is everything {shown}{but}."
        if again:
            question += f" {again:,} of them {'is' if again == 1 else 'are'} decided already and would be decided again."
        question += " It is on record that they were decided unopened. One undo takes it all back.\n"
        for row in rows[:_PREVIEWED]:
            question += f"\n{visible(row.label):>5}  {self.session.sentence_of(row)}"
        if len(rows) > _PREVIEWED:
            question += f"\n       and {len(rows) - _PREVIEWED:,} more"
        if not await self.frame.ask(ConfirmScreen(question, f"{verb} {len(rows):,}")):
            return
        await self._decide_many(rows, verdict, reason)

    async def _decide_many(
        self, rows: Sequence[QueueRow], verdict: Verdict, reason: Reason | None, group: str | None = None
    ) -> None:
        revisions = {row.id: row.revision_id for row in rows}

        def decide(session: Session) -> dict[int, QueueRow]:
            session.decide(
                revisions,
                verdict,
                reason=reason.reason if reason is not None else None,
                comment=reason.comment if reason is not None else None,
                group=group,
            )
            return session.rows_by_id(list(revisions))

        self.say(f"Deciding on {count(len(rows), 'item')} …")
        self.queue.replace(await self.frame.patiently(self.frame.writer.run(decide)))
        for item_id in revisions:
            # How long each was looked at is not known: they were decided together.
            self.frame.pace.count(item_id, None)
        self.queue.went_through(revisions)
        if group is not None and self.queue.current is not None and not self.session.undecided(self.queue.current):
            self.queue.next_undecided()
        self.frame.show_current()
        which = count(len(rows), "item") + (f" with {group}" if group is not None else "")
        self.say(f"{which} {SAID[verdict]} unopened; {self.key_of('undo')} takes it back")

    # Undo and redo

    def action_undo(self) -> None:
        """Take back the newest action."""
        self.frame.flow(self._step("undo"))

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.frame.flow(self._step("redo"))

    async def _step(self, name: str) -> None:
        def step(session: Session) -> tuple[ReviewStep, dict[int, QueueRow]] | str:
            done = (session.undo if name == "undo" else session.redo)(of_studies=False)
            if done is not None:
                return done, session.rows_by_id(done.item_ids)
            answers = session.bank.review.next_action(session.author, name) is not None
            return " The answers you gave in a study stay; they are taken back where they are given." if answers else ""

        found = await self.frame.patiently(self.frame.written(step))
        if isinstance(found, str):
            self.say(f"There is nothing to {name}.{found}")
            return
        done, rows = found
        self.queue.replace(rows)
        for row in rows.values():
            # What is taken back may be a remark, or one verdict of two.
            (self.frame.pace.undo if self.session.undecided(row) else self.frame.pace.redo)(row.id)
        self.queue.went_through(done.item_ids, back=name == "undo")
        elsewhere = len(done.item_ids) == 1 and not self.queue.find(done.item_ids[0])
        self.frame.show_current(ours=True)
        self.say(f"{done.message} (not in this queue)" if elsewhere else done.message)
        self.frame.relint(done.item_ids)

    # The queue

    def action_triage(self) -> None:
        """Go to the cards."""
        self.app.switch_screen("triage")

    def action_search(self) -> None:
        """Ask for a filter line."""
        self.frame.flow(self._search())

    async def _search(self) -> None:
        line = await self.frame.ask(
            AskScreen("Show items with", self.queue.query.text, _filter_hint(names_sets=self.session.names_sets))
        )
        if line is not None:
            await self.narrow(line)

    async def narrow(self, line: str) -> None:
        """Within a flow: read the rows that fit a filter line. Raises `ConfigError` where it cannot be understood."""
        await self.read_rows(parse_query(line, _offered(names_sets=self.session.names_sets)), self.queue.order)

    async def read_rows(self, query: Query, order: str) -> None:
        """Within a flow: read the rows of a query."""
        rows = await self.frame.patiently(self.frame.writer.run(lambda session: session.rows(query, order)))
        if not rows and query.text:
            self.say(f"Nothing fits “{query.text}”; the queue stays as it was.")
            return
        here = self.queue.current
        self.queue.take(rows, query, order)
        now = self.queue.current
        if now is not None and here is not None and now.id != here.id and not self.session.undecided(now):
            self.queue.next_undecided()
        await self.frame.written(lambda session: session.set_habit("order", order))
        self.frame.show_current()
        self.say(count(len(rows), "item") + (f" {'fits' if len(rows) == 1 else 'fit'} “{query.text}”" if query.text else ""))

    def action_next(self) -> None:
        """Go on by one item."""
        moved = self.queue.move(1)
        self.frame.show_current()
        if not moved:
            self.say("This is the last item of the queue.")

    def action_previous(self) -> None:
        """Go back by one item."""
        moved = self.queue.move(-1)
        self.frame.show_current()
        if not moved:
            self.say("This is the first item of the queue.")

    def action_next_undecided(self) -> None:
        """Go to the next item that waits for a decision."""
        more = self.queue.next_undecided()
        self.frame.show_current()
        if not more:
            self.say_all_decided()

    def say_all_decided(self) -> None:
        """Say that nothing waits any more."""
        self.say(self._all_decided())

    def _all_decided(self) -> str:
        many, line = len(self.queue.rows), self.queue.query.text
        if self.session.adjudicating and self.queue.decided < many:
            return self._none_disputed()
        which = f"that {'fit' if many > 1 else 'fits'} “{visible(line)}”" if line else "here"
        what = f"All {many:,} items {which} are" if many > 1 else f"The only item {which} is"
        if self.session.adjudicating:
            more = ""
        elif line:
            # A lock is about all items, and what the filter leaves out may wait.
            more = f" {self.key_of('back')} in the queue shows the others."
        else:
            more = f" {self.key_of('lock')} locks your decisions."
        flagged = sum(self.session.standing(row) is ItemStatus.FLAGGED for row in self.queue.rows)
        back = f" {flagged:,} flagged ({self.key_of('search')} status:flagged)." if flagged else ""
        return f"{what} decided.{back}{more}"

    def _none_disputed(self) -> str:
        """To who adjudicates, where nothing is disputed and not everything decided either."""
        queue, many = self.queue, len(self.queue.rows)
        open_ones = many - queue.decided - queue.flagged
        counted = ((queue.decided, "decided"), (queue.flagged, "flagged"), (open_ones, "undecided"))
        stand = listed([f"{number:,} {word}" for number, word in counted if number])
        here = "The only item here" if many == 1 else f"Of {many:,} items here"
        none = "is not disputed" if many == 1 else "none is disputed"
        back = queue.flagged and "flagged" not in queue.query.statuses
        more = f" ({self.key_of('search')} status:flagged)" if back else ""
        return f"{here} {none}: {stand}{more}."

    # Remarks, locks, help

    def action_comment(self) -> None:
        """Ask for a remark on the current item."""
        row = self.queue.current
        if row is not None:
            self.frame.flow(self._comment(row))

    async def _comment(self, row: QueueRow) -> None:
        key = self.frame.draft_key(row.id, "comment", row.revision_id)
        text = await self.frame.ask(CommentScreen(key, f"item {visible(row.label)}", about=self.sentence_at_hand(row)))
        if text is not None:
            await self.frame.saved(key, text, lambda session: session.comment(row.id, text))
            self.queue.update([row.id])
            self.say(f"Remark on item {row.label} kept; {self.key_of('undo')} takes it back")
        else:
            await self.frame.drafts.done()
        self.refresh_view()

    def how_others_are_told(self) -> str:
        """Where one finds what others say, to whom may see it."""
        return f"{self.key_of('peek')} shows what others say, and scores."

    def action_lock(self) -> None:
        """Lock, or unlock, after asking."""
        row = self.queue.current
        if row is not None:
            self.frame.flow(self._lock())

    def _about(self, places: Mapping[tuple[str, str], int]) -> str:
        """So many items of these data sets, in words: how many of each, and of many data sets the largest."""
        about = count(sum(places.values()), "item")
        if not self.session.names_sets:
            many = count(len(places), "data set")
            return f"{about} of {many} (not named, since that would tell which items calibrate)"
        if len(places) == 1:
            ((paradigm, name),) = places
            return f"{about} of {visible(f'{paradigm}/{name}')}"
        largest = sorted(places.items(), key=lambda one: -one[1])
        named = [f"{visible(f'{paradigm}/{name}')} ({n:,})" for (paradigm, name), n in largest[:_SETS]]
        if rest := largest[_SETS:]:
            named.append(f"{count(len(rest), 'other')} ({sum(n for _, n in rest):,})")
        return f"{about}: {listed(named)}"

    async def _lock(self) -> None:
        open_sets = await self.frame.patiently(self.frame.writer.run(lambda session: session.to_lock()))
        # Where some of their data sets are locked and others are not, it is the others' turn.
        if locked := not open_sets:
            closed = await self.frame.patiently(self.frame.writer.run(lambda session: session.to_lock(locked=True)))
            question = f"Unlock your decisions on {self._about(closed)}?"
            question += " You have seen what others say, so what you change now counts as not blind."
        else:
            question = f"Lock your decisions on {self._about(open_sets)}? You will see what others say there, and your decisions are final."
            question += " Studies (--judge) go on."
            # The lock is about all of them, whatever the filter shows.
            everything = await self.frame.patiently(self.frame.writer.run(lambda session: session.rows()))
            everything = [one for one in everything if (one.paradigm, one.dataset) in open_sets]
            waiting = sum(self.session.undecided(one) for one in everything)
            if waiting:
                question += f"\n\n{waiting:,} of {len(everything):,} items are still undecided. To decide on them later, you would have to"
                question += f" unlock ({self.key_of('lock')}), and that would not count as blind."
        if await self.frame.ask(ConfirmScreen(question, "Unlock" if locked else "Lock")):
            await self.frame.written(lambda session: session.lock(locked=not locked))
            named = self.session.names_sets
            self.session.refresh()
            # With a lock, other things may be known of every row.
            ids = [row.id for row in self.queue.rows]
            self.queue.replace(await self.frame.patiently(self.frame.writer.run(lambda session: session.rows_by_id(ids))))
            if self.session.names_sets != named:
                self.queue.name_anew()
            self.queue.put_in_order()
            self.refresh_view()
            self.say("Unlocked; that is on record." if locked else f"Locked. {self.how_others_are_told()}")
        else:
            self.say("Not unlocked." if locked else "Not locked.")
