"""The item screen: one item, aligned, with everything that is known about it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Footer

from bank.review import QueueRow
from templates.errors import GapsmithError
from vetting.review.cells import Seg
from vetting.review.display import visible
from vetting.review.notes import Note, verdict_words
from vetting.review.origin import origin_summary, origin_text
from vetting.review.peeking import others_text
from vetting.review.sheet import Sheet
from vetting.tui.base import ReviewScreen
from vetting.tui.dialogs import ConfirmScreen, TextScreen
from vetting.tui.edit_screen import EditScreen
from vetting.tui.keymap import COMMANDS, bindings
from vetting.tui.panels import FindingsPanel, ItemGrid, NotesPanel, OriginPanel, ProtocolPanel, TitleBar
from vetting.tui.styles import lines_text, palette

__all__ = ["ItemScreen"]


class ItemScreen(ReviewScreen):
    """One item."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("item", {c.name: c.keys for c in COMMANDS}),
        *(Binding(str(number), f"select({number})", show=False) for number in range(1, 10)),
    ]

    sheet: Sheet | None = None
    selected = 1
    whole = False

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        yield ItemGrid(id="grid")
        with Container(id="panels"):
            yield FindingsPanel(id="findings")
            yield NotesPanel(id="notes")
            yield ProtocolPanel(id="protocol")
            yield OriginPanel(id="origin")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the first item."""
        self.query_one(ProtocolPanel).show(self.desk.guide)
        self._show_protocol()
        self.set_focus(self.query_one(ItemGrid))
        self.refresh_view()

    def on_resize(self) -> None:
        """Fit again."""
        self._show_protocol()
        self.refresh_view()

    def on_screen_resume(self) -> None:
        """The queue may have moved on."""
        self.refresh_view()

    def refresh_view(self) -> None:
        """Show the current item."""
        row = self.deck.current
        if row is None or not self.is_mounted:
            return
        if self.sheet is None or self.sheet.item.id != row.id:
            self.selected = 1
        try:
            self.sheet = self.desk.sheet(row.id)
        except GapsmithError as error:
            self.say_error(error)
            return
        self.query_one(ItemGrid).show(self.sheet, self.selected, whole=self.whole)
        self.query_one(FindingsPanel).show(self.sheet)
        self.query_one(NotesPanel).show(self.sheet, self.desk.author, self._unsaved(row.id))
        if self.query_one(OriginPanel).display:
            self.query_one(OriginPanel).show(origin_summary(self.desk.bank, self.sheet))
        self._show_title()

    def _unsaved(self, item_id: int) -> list[Note]:
        notes = []
        for draft in self.desk.bank.review.drafts(self.desk.author, item_id):
            key = "c" if draft.field == "comment" else "x" if draft.field == "reason" else "e"
            text = f"Not saved yet ({key} goes on): {draft.field} “{visible(draft.text)}”"
            notes.append(Note((Seg(text, ("warning",)),)))
        return notes

    def _show_title(self) -> None:
        row, sheet = self.deck.current, self.sheet
        if row is None or sheet is None:
            return
        styles = palette(self.app)
        left = Text.assemble(
            (f"item {visible(row.label)}  ", styles["title"]),
            self._standing(row),
            (f"  {visible(row.paradigm)}/{visible(row.dataset)}", styles["note"]),
        )
        deck = self.deck
        right = Text(
            f"{deck.position + 1:,} of {len(deck.rows):,} · {deck.decided:,} decided · {visible(self.desk.author)}"
        )
        if self.desk.adjudicating:
            right.append(" · ADJUDICATING", styles["warning"])
        elif self.desk.locked(row):
            right.append(" · locked", styles["warning"])
        if deck.query.text:
            right = Text.assemble((f"/{visible(deck.query.text)}  ", styles["warning"]), right)
        self.query_one(TitleBar).show(left, right)

    def _standing(self, row: QueueRow) -> Text:
        styles = palette(self.app)
        if row.outdated:
            return Text("↻ edited since you decided", styles["warning"])
        if self.desk.adjudicating:
            standing = row.status.value
            shape = {"pending": "·", "disputed": "≠", "approved": "✓", "excluded": "✗", "flagged": "⚑"}[standing]
            words = {"pending": "undecided", "approved": "accepted"}.get(standing, standing)
            if self.desk.by_policy(row):
                return Text(f"p{shape} {words} by policy", styles["note"])
            return Text(f"{shape} {words}", styles["warning" if standing == "disputed" else "note"])
        if row.mine is None:
            others = f" (others: {row.status.value})" if row.people and self.desk.sighted(row) else ""
            if row.policy is not None and not others:
                return Text(f"p{verdict_words(row.policy, None)} by policy, you: undecided", styles["note"])
            return Text(f"· undecided{others}", styles["note"])
        words = verdict_words(row.mine, row.my_reason)
        return Text(words, styles[words.split()[1].rstrip(":")])

    def shown_revision(self, row: QueueRow) -> int:
        """The revision whose text is on the screen, which a row read later may have left behind."""
        sheet = self.sheet
        return sheet.item.revision_id if sheet is not None and sheet.item.id == row.id else row.revision_id

    def advance(self) -> None:
        """Go to the next undecided item."""
        if not self.deck.next_undecided():
            self.say_all_decided()

    def do_skip(self) -> None:
        """Go on without deciding."""
        self.do_next()

    def do_queue(self) -> None:
        """Go to the queue."""
        self.review.show_queue()

    def do_back(self) -> None:
        """Go to the queue."""
        self.review.show_queue()

    # Sentences

    def action_select(self, number: int) -> None:
        """A digit selects a sentence."""
        self._select(number)

    @on(ItemGrid.RowClicked)
    def _row_clicked(self, event: ItemGrid.RowClicked) -> None:
        self._select(event.number)

    def _select(self, number: int) -> None:
        if self.sheet is not None and any(row.number == number for row in self.sheet.rows):
            self.selected = number
            self.query_one(ItemGrid).show(self.sheet, number, whole=self.whole)

    def do_row_down(self) -> None:
        """Select the next sentence."""
        self._select(self.selected + 1)

    def do_row_up(self) -> None:
        """Select the previous sentence."""
        self._select(self.selected - 1)

    def do_judge_ok(self) -> None:
        """Judge ok."""
        self._judge("ok")

    def do_judge_questionable(self) -> None:
        """Judge questionable."""
        self._judge("?")

    def do_judge_star(self) -> None:
        """Judge bad."""
        self._judge("*")

    def _judge(self, rating: str) -> None:
        row = self.query_one(ItemGrid).row()
        if self.sheet is None or row is None:
            return
        self.desk.judge(self.sheet, row, rating)
        self.selected = min(self.selected + 1, len(self.sheet.rows))
        self.refresh_view()

    def do_whole(self) -> None:
        """Wrap sentences instead of aligning them, or align again."""
        self.whole = not self.whole
        self.refresh_view()

    def do_protocol(self) -> None:
        """Show or hide the protocol."""
        shown = self.query_one(ProtocolPanel).display
        self.desk.bank.review.set_habit(self.desk.author, self._protocol_habit, "off" if shown else "on")
        self._show_protocol()

    @property
    def _protocol_habit(self) -> str:
        return "protocol on a large screen" if self._large else "protocol"

    @property
    def _large(self) -> bool:
        return self.app.size.width >= 120 and self.app.size.height >= 34

    def _show_protocol(self) -> None:
        default = "on" if self._large else "off"
        self.query_one(ProtocolPanel).display = self.desk.habit(self._protocol_habit, default) == "on"
        self.query_one(OriginPanel).display = self._large

    # Looking further

    async def do_why(self) -> None:
        """Show where the item comes from."""
        if self.sheet is not None:
            lines = origin_text(self.desk.bank, self.sheet)
            await self.review.show(TextScreen("Why is this here?", lines_text(lines, palette(self.app))))

    async def do_parse(self) -> None:
        """Show the parse of the selected sentence."""
        row = self.query_one(ItemGrid).row()
        if row is not None and row.sentence is not None:
            await self.review.show_parse(row.sentence.text)

    async def do_peek(self) -> None:
        """Show what others say, and scores; before locking, ask and record it."""
        row = self.deck.current
        if row is None:
            return
        if self.desk.sighted(row):
            await self._show_others(row.id)
        else:
            self.review.flow(self._ask_to_peek(row.id))

    async def _ask_to_peek(self, item_id: int) -> None:
        question = (
            "Look at what others decided and at scores before you lock? It is recorded, and agreement can leave out what"
            " you decide on this item afterwards."
        )
        if await self.review.ask(ConfirmScreen(question, "Look")):
            await self._show_others(item_id)

    async def _show_others(self, item_id: int) -> None:
        sheet = self.desk.peek(item_id)
        lines = others_text(sheet, self.desk.author, self.desk.scores(sheet))
        await self.review.show(TextScreen("What others say, and scores", lines_text(lines, palette(self.app))))

    # Editing and taking away

    def do_edit(self) -> None:
        """Edit the slots, or the selected sentence where there are none."""
        if self.sheet is not None:
            self._edit(EditScreen.for_slots(self.desk, self.sheet) or self._sentence_editor())

    def do_edit_sentence(self) -> None:
        """Edit the selected sentence."""
        self._edit(self._sentence_editor())

    def _sentence_editor(self) -> EditScreen | None:
        row = self.query_one(ItemGrid).row()
        if self.sheet is None or row is None:
            return None
        return EditScreen.for_sentence(self.desk, self.sheet, row)

    def _edit(self, screen: EditScreen | None) -> None:
        if screen is not None and self.sheet is not None:
            self.review.flow(self._ask_edit(screen, self.sheet.item.id))

    async def _ask_edit(self, screen: EditScreen, item_id: int) -> None:
        saved = await self.review.ask(screen)
        self.deck.update([item_id])
        self.refresh_view()
        if saved:
            self.review.relint([item_id])

    def do_copy(self) -> None:
        """Copy the item as text."""
        if self.sheet is not None:
            self.app.copy_to_clipboard(self._as_text(self.sheet))
            self.say("Copied, if your terminal allows it; Y writes a file instead.")

    def do_write(self) -> None:
        """Write the item to a file."""
        if self.sheet is not None:
            path = self.review.write_file(self.sheet.item, self._as_text(self.sheet))
            self.app.notify(f"Written to {path}", markup=False)

    def _as_text(self, sheet: Sheet) -> str:
        lines = [f"item {sheet.item.label}, {sheet.item.paradigm}/{sheet.item.dataset}"]
        for row in sheet.rows:
            text = row.sentence.text if row.sentence is not None else "(missing)"
            expected = row.expected.value if row.expected is not None else ""
            lines.append(f"{visible(row.label)}\t{expected}\t{visible(text)}")
        lines += [f"{f.code}\t{f.severity.value}\t{visible(f.message)}" for f in sheet.findings]
        return "\n".join(lines) + "\n"
