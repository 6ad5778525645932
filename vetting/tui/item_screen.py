"""The item screen: one item, its minimal difference, and everything that is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Static

from gapsmith.bank import QueueRow, ScreenRecord, Severity, Verdict
from gapsmith.templates import GapsmithError
from gapsmith.vetting.review.display import broken, visible
from gapsmith.vetting.review.doubt import doubt_words
from gapsmith.vetting.review.edits import with_sentence
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import Note, verdict_words
from gapsmith.vetting.review.origin import origin_summary
from gapsmith.vetting.review.region_text import Seg, numbered
from gapsmith.vetting.review.sentence_rows import SentenceRow
from gapsmith.vetting.review.side_by_side import Opinion, opinions
from gapsmith.vetting.tui.bars import KeyBar, StatusLine, TitleBar
from gapsmith.vetting.tui.dialogs import PickScreen, Reason
from gapsmith.vetting.tui.edit_screen import Edited, EditScreen
from gapsmith.vetting.tui.frame import clock
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_reading import ItemReading
from gapsmith.vetting.tui.item_texts import announcement, standing_text
from gapsmith.vetting.tui.keymap import bindings
from gapsmith.vetting.tui.panels import (
    FindingsPanel,
    NotesPanel,
    OriginPanel,
    Panel,
    ParsePanel,
    ProtocolPanel,
    SentencesPanel,
)
from gapsmith.vetting.tui.queue_lines import fixed_part, pieces, remark
from gapsmith.vetting.tui.queue_list import QueueList
from gapsmith.vetting.tui.styles import line_text, palette

_BANNER_CHANGES = 3
_WIDE, _BROAD, _HIGH = 120, 160, 34
"""From so many columns on queue, parse and origin stand beside the item; from so many, the panels in a column of their own, and
there is room for the protocol; from so many lines on, all sentences stand in full."""
_SIDE_LABEL = 5
"""The columns of an item's id where the queue stands beside it."""
_SIDE_FIXED, _SIDE_INDENT, _LEAST = 3 + _SIDE_LABEL + 1 + 4, 3, 12
"""What stands before a sentence there and before its further lines, and the shortest lines into which it is broken."""
_LOW = 24
"""Fewer lines than this have room for one change beside the item."""
_WHY_NOT = {
    "take": "There is nobody's decision to take; this is for adjudication.",
    "other_version": "This is for adjudicating an item that two copies of the bank edited apart.",
    "apply_expected": "The selected sentence is what the slots give.",
}
_CHANGE = ("edit", "edit_sentence", "apply_expected")
"""What gives an item other texts."""
_DECIDE = {"approve": Verdict.APPROVE, "exclude": Verdict.EXCLUDE, "flag": Verdict.FLAG}


@dataclass
class _Look:
    """How a text has been on screen since we came to its item."""

    item_id: int
    revision_id: int
    since: float | None = None
    """When it was first painted, by `clock`; None while it never was."""
    painted_at: str = ""
    rows: set[int] = field(default_factory=set)
    """The rows that were painted."""
    warned: Verdict | None = None
    """The verdict that wanted a second press and has had its first."""


class ItemScreen(ItemReading):
    """One item."""

    name_of_place = "item"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("item"),
        *(Binding(str(number), f"select({number})", show=False) for number in range(1, 10)),
    ]

    newer: ReviewedItem | None = None
    """The same item with a text that somebody else has written meanwhile, until the annotator has taken note of it."""
    whole = False
    _away = False
    """Whether another screen has taken our place."""
    _version: int | None = None
    """Which version of an item that was edited apart an adjudicator is looking at; None: the one that comes first."""
    _look = _Look(0, 0)

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        yield Static(id="banner")
        with Container(id="main"):
            yield QueueList(self._queue_line, self._went, id="side", height=self._queue_height)
            yield ItemGrid(id="grid")
            yield SentencesPanel(id="sentences")
            with Container(id="panels"):
                yield FindingsPanel(id="findings")
                yield ParsePanel(id="parse")
                yield ProtocolPanel(id="protocol")
            # On the largest screens below the sentences, where little stands else.
            with Container(id="told"):
                yield NotesPanel(id="notes")
                yield OriginPanel(id="origin")
        yield StatusLine(id="status")
        yield KeyBar("item", adjudicating=self.session.adjudicating)

    def on_mount(self) -> None:
        """Show the first item."""
        self.set_class(self.session.adjudicating, "adjudicating")
        # It shows where we are; its keys are those of the screen.
        self.query_one(QueueList).can_focus = False
        self._arrange()
        self.set_focus(self.grid)
        self.refresh_view()

    def on_resize(self) -> None:
        """Fit again, with the panels that there is room for now."""
        self._arrange()
        self._show_title()
        # The panels know their size only then.
        self.call_after_refresh(self._show_panels)
        self.call_after_refresh(self._show_parse)

    def _queue_line(self, position: int, width: int) -> list[Sequence[Seg]]:
        row = self.queue.rows[position]
        shape, label, _, found, _ = fixed_part(self.session, self.queue, row, width, label=_SIDE_LABEL)
        first, *more = pieces(remark(self.session, self.queue, row, reasons=False), self._side_lines(row, width))
        return [(shape, label, found, *first), *((Seg(" " * _SIDE_INDENT), *line) for line in more)]

    def _queue_height(self, position: int, width: int) -> int:
        return len(self._side_lines(self.queue.rows[position], width))

    def _side_lines(self, row: QueueRow, width: int) -> tuple[str, ...]:
        said = remark(self.session, self.queue, row, reasons=False) + self.session.sentence_of(row)
        return broken(said, max(width - _SIDE_INDENT, _LEAST), first=max(width - _SIDE_FIXED, _LEAST))

    def _went(self, position: int) -> None:
        """Somebody clicked on an item of the queue."""
        self.queue.go(position)
        self.frame.show_current()

    def on_screen_suspend(self) -> None:
        """Another screen comes in front, or in our place."""
        super().on_screen_suspend()
        self._away = self not in self.app.screen_stack

    def on_screen_resume(self) -> None:
        """After a question, the item is still the one that is being looked at: what somebody else has done to it
        meanwhile is announced. After another screen, where the queue may have moved on, it is looked at anew."""
        look = self._look
        self._look = _Look(0, 0) if self._away else _Look(look.item_id, look.revision_id)
        self.refresh_view()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """None greys out what cannot be done here and now."""
        view = self.view
        if action == "acknowledge":
            return self.newer is not None
        if action == "take":
            return True if self.session.adjudicating and view is not None and opinions(view) else None
        if action == "other_version":
            return True if self.session.adjudicating and view is not None and len(view.versions) > 1 else None
        if action in _CHANGE and self._is_locked():
            return None
        if action == "apply_expected":
            return True if self._expected_elsewise() is not None else None
        if view is None and action in {
            *_DECIDE,
            *_CHANGE,
            "parse",
            "parse_rows",
            "why",
            "peek",
            "copy",
            "write",
        }:
            return None
        if action in _DECIDE and view is not None and self.session.locked(view.queue_row):
            return True if self.session.adjudicating else None
        return super().check_action(action, parameters)

    def why_not(self, action: str) -> str:
        """Why an action that `check_action` greys out cannot be done."""
        if action in _CHANGE and self._is_locked():
            return super().why_not(action)
        return _WHY_NOT.get(action) or super().why_not(action)

    def _is_locked(self) -> bool:
        """Whether the annotator has locked what is shown; who adjudicates has the last word."""
        view = self.view
        return view is not None and not self.session.adjudicating and self.session.locked(view.queue_row)

    # Showing

    def refresh_view(self, *, ours: bool = False) -> None:
        """Show the current item. A text that somebody else has changed is not painted under the reviewer's eyes: it is
        announced with what changed, and comes once that was acknowledged."""
        row = self.queue.current
        if row is None or not self.is_mounted:
            return
        try:
            if self.view is None or self.view.item.id != row.id:
                self._version = None
            fresh = self.session.view(row.id, version=self._version)
        except GapsmithError as error:
            self.say_error(error)
            return
        known = self.view
        same_item = known is not None and known.item.id == fresh.item.id and self._look.item_id == fresh.item.id
        if same_item and known is not None and known.item.revision_id != fresh.item.revision_id and not ours:
            self.newer = fresh
            self._announce(known, fresh)
            return
        self.newer = None
        self.query_one("#banner").display = False
        self.set_class(False, "announcing")
        self.view = fresh
        if self._look.item_id != fresh.item.id or self._look.revision_id != fresh.item.revision_id:
            self._look = _Look(fresh.item.id, fresh.item.revision_id)
        stays = known is not None and known.item.id == fresh.item.id
        if not stays:
            for panel in self.query(Panel):
                panel.scroll_to(y=0, animate=False)
        cursor = self.grid.cursor if stays else 1
        self.grid.show(fresh, cursor, whole=self.whole)
        self._show_panels()
        self._show_title()
        self.show_bars()
        self._show_parse()

    def how_others_are_told(self) -> str:
        """Where one finds what others say: the history has it here as soon as one may see it."""
        if self.view is None or self.view.blind:
            return super().how_others_are_told()
        return f"The history has what others say; {self.key_of('peek')} shows scores, too."

    def _show_panels(self) -> None:
        """Fill the panels that are there."""
        view = self.view
        if view is None or not self.is_mounted:
            return
        self.query_one(ProtocolPanel).show(self.session.guide)
        self.query_one(FindingsPanel).show(view, brief=self._crowded or self._asking)
        notes = self._unsaved(view.item.id)
        self.query_one(NotesPanel).show(view, self.session.author, notes, beside=self.session.adjudicating)
        if not self._wide:
            return
        self.query_one(QueueList).show(self.queue.rows, self.queue.position)
        told = "hidden" if view.blind and not self.session.names_sets else f"run {view.item.run_id}"
        self.query_one(OriginPanel).show(origin_summary(self.session, view), told)
        self._fit_sentences()
        self._show_sentences()

    def _fit_sentences(self) -> None:
        """All sentences in full where there is room, but not beside a table that had to give way to them."""
        self.query_one(SentencesPanel).display = self._wide and self.app.size.height >= _HIGH and self.grid.aligned

    def _show_sentences(self) -> None:
        panel = self.query_one(SentencesPanel)
        if self.view is not None and panel.display:
            panel.show(self.view, self.grid.cursor)

    def _announce(self, known: ReviewedItem, fresh: ReviewedItem) -> None:
        low = self.app.size.height < _LOW
        text = announcement(
            known,
            fresh,
            self.session.author,
            self.key_of("acknowledge"),
            palette(self.app),
            most=1 if low else _BANNER_CHANGES,
            dense=low,
        )
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.display = True
        self.set_class(True, "announcing")
        self.show_bars()

    def action_acknowledge(self) -> None:
        """Take note of somebody else's change, and see the text as it is now."""
        if self.newer is not None:
            self.refresh_view(ours=True)
            self.say("This is the text as it is now.")

    def displayed(self) -> None:
        """The terminal has got what was drawn: from here on, keys are about what is painted."""
        look, grid = self._look, self.grid
        if grid.view is None or not grid.painted or grid.view.item.revision_id != look.revision_id:
            return
        look.rows |= grid.painted
        if look.since is None:
            look.since = clock()
            look.painted_at = datetime.now(UTC).isoformat(timespec="milliseconds")

    def _unsaved(self, item_id: int) -> list[Note]:
        notes = []
        for draft in self.session.bank.review.drafts(self.session.author, item_id):
            command = {"comment": "comment", "reason": "exclude"}.get(draft.field, "edit")
            text = f"Not saved yet ({self.key_of(command)} goes on): {draft.field} “{visible(draft.text)}”"
            notes.append(Note((Seg(text, ("warning",)),)))
        return notes

    def _show_title(self) -> None:
        row, view = self.queue.current, self.view
        if row is None or view is None:
            return
        styles = palette(self.app)
        place, decided = self.counts()
        line = self.queue.query.text
        right = (
            *self.state(),
            place,
            *([Text(f"/{visible(line)}", styles["warning"])] if line else []),
            decided,
            Text(visible(self.session.author), styles["key"]),
        )
        # The reasons stand among the notes in whole; here they would push out how far one is.
        for reasons in (True, False):
            left = Text.assemble(
                (f"item {visible(row.label)} ", styles["title"]),
                standing_text(self.session, row, styles, reasons=reasons),
                (f"  {visible(self.session.source(row))}", styles["note"]),
            )
            if self.queue.order == "doubt" and (why := doubt_words(row, sees_others=self.session.sees_dispute(row))):
                left.append(f"  {why}", styles["warning"])
            elif self.queue.doubtless:
                left.append("  nothing is doubtful", styles["warning"])
            if TitleBar.room(self.app.size.width, left, right) >= 0:
                break
        self.query_one(TitleBar).show(left, *right)

    # Deciding

    async def action_approve(self) -> None:
        """Approve the item that is painted."""
        if self._counts(Verdict.APPROVE) and self.view is not None:
            await self._decide(self.view, Verdict.APPROVE, self._seen())

    async def action_flag(self) -> None:
        """Flag the item that is painted."""
        if self._counts(Verdict.FLAG) and self.view is not None:
            await self._decide(self.view, Verdict.FLAG, self._seen())

    def action_exclude(self) -> None:
        """Ask for a reason, then exclude the item that was painted when the question was put."""
        if self._counts(Verdict.EXCLUDE) and self.view is not None:
            self.frame.flow(self._exclude(self.view, self._seen()))

    def sentence_at_hand(self, row: QueueRow) -> Text:
        """The selected sentence, with the numbers of what the linter says of its words."""
        selected, view = self.grid.row(), self.view
        if selected is None or view is None or selected.sentence is None:
            return super().sentence_at_hand(row)
        said = line_text(numbered(selected, view.paradigm, view.groups, view.rows), palette(self.app))
        said.no_wrap = False
        return said

    async def _exclude(self, view: ReviewedItem, seen: ScreenRecord | None) -> None:
        reason = await self.ask_reason(view.queue_row)
        if reason is not None:
            await self._decide(view, Verdict.EXCLUDE, seen, reason)

    def action_other_version(self) -> None:
        """Show the next version of an item that two copies of the bank edited apart."""
        view = self.view
        if view is None:
            return
        versions = view.versions
        place = versions.index(view.item.revision_id) if view.item.revision_id in versions else 0
        self._version = versions[(place + 1) % len(versions)]
        self.refresh_view(ours=True)
        self.say(f"Version {versions.index(self._version) + 1} of {len(versions)}. A verdict picks the version shown.")

    def action_take(self) -> None:
        """Decide as one of the annotators did."""
        if self.view is not None:
            self.frame.flow(self._take(self.view, opinions(self.view)))

    async def _take(self, view: ReviewedItem, said: tuple[Opinion, ...]) -> None:
        lines = [f"{one.author}: {verdict_words(one.decision.verdict, one.decision.reason)}" for one in said]
        seen = self._seen()
        picked = await self.frame.ask(PickScreen(f"Decide on item {visible(view.item.label)} as", lines))
        if picked is not None:
            decision = said[picked].decision
            reason = Reason(decision.reason, decision.comment) if decision.reason else None
            await self._decide(view, decision.verdict, seen, reason)

    def _counts(self, verdict: Verdict) -> bool:
        """Whether a verdict key is about what its presser can have seen; if not, say why and what to do."""
        view, look = self.view, self._look
        if view is None:
            return False
        label = view.item.label
        key = self.key_of(next(name for name, one in _DECIDE.items() if one is verdict))
        if self.newer is not None:
            self.say(f"Item {label} was changed meanwhile: {self.key_of('acknowledge')} shows the new text first.")
            return False
        if not self.was_meant(look.since, label, key):
            return False
        if look.warned is not verdict and (doubt := self._doubt(view, look, verdict)):
            look.warned = verdict
            self.say(f"{doubt}: press {key} again if you mean it.")
            return False
        return True

    def _doubt(self, view: ReviewedItem, look: _Look, verdict: Verdict) -> str:
        unseen = [row.number for row in view.rows if row.number not in look.rows]
        if unseen:
            shown = f"{unseen[0]} to {unseen[-1]}" if len(unseen) > 1 else f"{unseen[0]}"
            return f"Rows {shown} of item {view.item.label} have not been on screen ({self.key_of('row_down')} scrolls)"
        errors = {group.code for group in view.groups if group.severity is Severity.ERROR}
        if verdict is Verdict.APPROVE and errors:
            return f"Item {view.item.label} has an error ({', '.join(sorted(errors))})"
        return ""

    def _seen(self) -> ScreenRecord | None:
        look, press = self._look, self.frame.press
        if look.since is None or self.view is None:
            return None
        seconds = (press.time if press is not None else clock()) - look.since
        return ScreenRecord(look.painted_at, seconds, tuple(sorted(look.rows)), len(self.view.rows))

    async def _decide(
        self, view: ReviewedItem, verdict: Verdict, seen: ScreenRecord | None, reason: Reason | None = None
    ) -> None:
        await self.decide(view.queue_row, view.item.revision_id, verdict, seen, reason)

    def failed(self) -> None:
        """Something was not recorded: what is pressed before that is painted is not meant as an answer to it."""
        self._look = _Look(0, 0)
        if self.queue.current is not None:
            self.queue.update([self.queue.current.id])
        known = self.view
        self._look = _Look(known.item.id, known.item.revision_id) if known is not None else self._look
        self.refresh_view()

    def action_skip(self) -> None:
        """Go on without deciding."""
        self.action_next()

    def action_queue(self) -> None:
        """Go to the queue."""
        self.app.switch_screen("queue")

    def action_back(self) -> None:
        """Go to the queue."""
        self.action_queue()

    # Sentences

    def action_select(self, number: int) -> None:
        """Select a sentence."""
        if self.view is not None and any(row.number == number for row in self.view.rows):
            self.grid.cursor = number
            self.show_bars()
            self._show_sentences()
            self._show_parse()

    @on(ItemGrid.RowClicked)
    def _row_clicked(self, event: ItemGrid.RowClicked) -> None:
        self.action_select(event.number)

    def action_row_down(self) -> None:
        """Select the next sentence."""
        self.action_select(self.grid.cursor + 1)

    def action_row_up(self) -> None:
        """Select the previous sentence."""
        self.action_select(self.grid.cursor - 1)

    async def action_judge_ok(self) -> None:
        """Judge ok."""
        await self._judge("ok")

    async def action_judge_questionable(self) -> None:
        """Judge questionable."""
        await self._judge("?")

    async def action_judge_star(self) -> None:
        """Judge bad."""
        await self._judge("*")

    async def _judge(self, judgement: str) -> None:
        row, view = self.grid.row(), self.view
        if view is None or row is None or not self.was_on_screen(self._look.since, view.item.label, judgement):
            return
        await self.frame.written(lambda session: session.judge(view, row, judgement))
        self.grid.set_reactive(ItemGrid.cursor, min(row.number + 1, len(view.rows)))
        self.refresh_view()
        self.say(f"sentence {row.number} judged {judgement}, undo with {self.key_of('undo')}")

    def action_whole(self) -> None:
        """Wrap sentences instead of aligning them, or align again."""
        self.whole = not self.whole
        self.refresh_view()

    async def action_protocol(self) -> None:
        """Show or hide the protocol."""
        shown = self.query_one(ProtocolPanel).display
        name = self._protocol_habit
        await self.frame.written(lambda session: session.set_habit(name, "off" if shown else "on"))
        self._show_protocol()
        self._show_panels()

    @property
    def _protocol_habit(self) -> str:
        return "protocol on a large screen" if self._large else "protocol"

    @property
    def _wide(self) -> bool:
        return self.app.size.width >= _WIDE

    @property
    def _crowded(self) -> bool:
        """Whether what others say has hardly any room beside the item."""
        return self.session.adjudicating and not self._wide and self.app.size.height < _HIGH

    @property
    def _asking(self) -> bool:
        """Whether the protocol leaves findings no line of their own."""
        return self.query_one(ProtocolPanel).display and not self._wide and self.app.size.height < _HIGH

    @property
    def _large(self) -> bool:
        return self.app.size.width >= _BROAD and self.app.size.height >= _HIGH

    def _show_protocol(self) -> None:
        default = "on" if self._large else "off"
        self.query_one(ProtocolPanel).display = self.session.habit(self._protocol_habit, default) == "on"

    def _arrange(self) -> None:
        """Show what there is room for."""
        self._show_protocol()
        for panel in (QueueList, ParsePanel, OriginPanel):
            self.query_one(panel).display = self._wide
        every = self._wide and self.app.size.height >= _HIGH
        self._fit_sentences()
        # To decide between people one reads what they say: there the sentence takes the place of the shared words.
        self.grid.above = self._crowded
        self.grid.below = not every and not self._crowded

    # Editing and taking away

    def action_edit(self) -> None:
        """Edit the slots, or the selected sentence where there are none."""
        if self.view is not None:
            self._edit(EditScreen.for_slots(self.frame, self.view) or self._sentence_editor())

    def action_edit_sentence(self) -> None:
        """Edit the selected sentence."""
        self._edit(self._sentence_editor())

    def _sentence_editor(self) -> EditScreen | None:
        row = self.grid.row()
        if self.view is None or row is None:
            return None
        return EditScreen.for_sentence(self.frame, self.view, row)

    def _edit(self, screen: EditScreen | None) -> None:
        if screen is not None and self.view is not None:
            self.frame.flow(self._ask_edit(screen, self.view))

    async def _ask_edit(self, screen: EditScreen, view: ReviewedItem) -> None:
        done = await self.frame.ask(screen)
        await self.frame.drafts.done()
        self.queue.update([view.item.id])
        self.refresh_view(ours=done is Edited.SAVED)
        if done is Edited.SAVED:
            waits = ". It waits for your verdict" if self.session.adjudicating else ""
            self.say(f"item {view.item.label} has a new text, undo with {self.key_of('undo')}{waits}")
            self.frame.relint([view.item.id])
        else:
            kept = "; what you typed is kept for next time" if done is Edited.LATER else ""
            self.say(f"Nothing was changed{kept}.")

    def _expected_elsewise(self) -> tuple[ReviewedItem, SentenceRow, str] | None:
        row, view = self.grid.row(), self.view
        if view is None or row is None or row.sentence is None or self.newer is not None:
            return None
        wanted = view.expected.get(row.condition)
        if wanted is None or wanted.text == row.sentence.text:
            return None
        return view, row, wanted.text

    def action_apply_expected(self) -> None:
        """Write what the slots give in the place of the selected sentence, as an edit."""
        current = self.queue.current
        if current is None or not self.was_on_screen(self._look.since, current.label, self.key_of("apply_expected")):
            return
        found = self._expected_elsewise()
        if found is not None:
            self.frame.flow(self._apply_expected(*found))

    async def _apply_expected(self, view: ReviewedItem, row: SentenceRow, wanted: str) -> None:
        edited = with_sentence(view.item, view.paradigm, row.condition, wanted, which=row.sentence)
        if not await self.frame.agreed_to_edit(view, edited):
            self.say("Nothing was changed.")
            return
        await self.frame.written(lambda session: session.save_sentence(view, row, wanted))
        self.queue.update([view.item.id])
        self.refresh_view(ours=True)
        self.say(f"sentence {row.number} is now what the slots give, undo with {self.key_of('undo')}")
        self.frame.relint([view.item.id])
