"""What can be read of an item besides its table: where it comes from, its parse, what others say, itself as text."""

from __future__ import annotations

from functools import partial

from rich.text import Text
from textual import work
from textual.timer import Timer

from gapsmith.bank import QueueRow
from gapsmith.templates import GapsmithError, Sentence, count
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.origin import origin_text
from gapsmith.vetting.review.peeking import others_text
from gapsmith.vetting.review.sentence_rows import SentenceRow
from gapsmith.vetting.tui.dialogs import ConfirmScreen, TextScreen
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_texts import item_text, parse_lines
from gapsmith.vetting.tui.panels import ParsePanel
from gapsmith.vetting.tui.review_screen import ReviewScreen
from gapsmith.vetting.tui.styles import lines_text, palette

_STILL_S = 0.2
"""Who goes from sentence to sentence does not wait for the parse of each."""


class ItemReading(ReviewScreen):
    """The part of the item screen that only shows."""

    view: ReviewedItem | None = None
    """The item as it is painted."""
    _soon: Timer | None = None
    """Until a parse is asked for that nobody has asked for by a key."""
    _parsing = False
    """Whether the parse of the selected sentence stands below it."""

    @property
    def grid(self) -> ItemGrid:
        """The table."""
        return self.query_one(ItemGrid)

    async def action_why(self) -> None:
        """Show where the item comes from."""
        if self.view is not None:
            lines = origin_text(self.session, self.view)
            await self.frame.show(TextScreen("Why is this here?", lines_text(lines, palette(self.app))))

    async def action_parse(self) -> None:
        """Show the parse of the selected sentence."""
        row = self.grid.row()
        if self.view is not None and row is not None and row.sentence is not None:
            await self.frame.show_parse(self.view.item, self.view.paradigm, row.sentence)

    def action_parse_rows(self) -> None:
        """Show or hide the parse of the selected sentence below it."""
        self._parsing = not self._parsing
        self.set_class(self._parsing, "parsing")
        self.grid.show_parse(())
        self._show_parse()
        self.say("Parsing …" if self._parsing else "Parses are hidden.")

    def _show_parse(self) -> None:
        """Have the selected sentence parsed, where its parse is to be seen: at once where somebody has asked, else once nobody goes
        on to another one."""
        view, row = self.view, self.grid.row()
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        if view is None or row is None or row.sentence is None or not (self._parsing or self._panel.display):
            return
        if self._parsing:
            self._read_parse(view, row, row.sentence)
        elif self.frame.parser is None:
            self._panel.show(Text.assemble(("No parser is at hand here.", palette(self.app)["note"])))
        else:
            self._panel.outdate()
            self._soon = self.set_timer(_STILL_S, partial(self._read_parse, view, row, row.sentence))

    @property
    def _panel(self) -> ParsePanel:
        return self.query_one(ParsePanel)

    @work(exclusive=True, group="parse")
    async def _read_parse(self, view: ReviewedItem, row: SentenceRow, sentence: Sentence) -> None:
        try:
            words = await self.frame.parsed(view.item, view.paradigm, sentence)
        except GapsmithError as error:
            if not self.query(ParsePanel):
                return  # the screen was closed meanwhile
            if self._parsing:
                self._parsing = False
                self.set_class(False, "parsing")
                self.say_error(error)
            self._panel.show(Text.assemble((self.frame.words_of(error), palette(self.app)["note"])))
            return
        if not self.query(ItemGrid):
            return  # the screen was closed meanwhile
        if self.view is None or self.view.item.revision_id != view.item.revision_id or self.grid.cursor != row.number:
            return
        if self._panel.display:
            # The sentence itself stands in full elsewhere.
            self._panel.show(lines_text(parse_lines(sentence.text, words)[2:], palette(self.app)), row.number)
        if self._parsing:
            self.grid.show_parse(words)
            odd = sum(bool(word.against) for word in words)
            found = f"✗ marks {count(odd, 'attachment')} that the design does not have" if odd else "nothing against the design"
            self.say(f"Parse of sentence {row.number}: {found}." if words else "No parser is at hand here.")

    def action_peek(self) -> None:
        """Show what others say, and scores; before locking, ask and record it."""
        if self.view is not None:
            self.frame.flow(self._peek(self.view.queue_row))

    async def _peek(self, row: QueueRow) -> None:
        if not self.session.sees(row.id):
            question = (
                "Look at what others decided and at scores before you lock? It is recorded, and agreement can leave out"
                " what you decide on this item afterwards."
            )
            if not await self.frame.ask(ConfirmScreen(question, "Look")):
                return
        view = await self.frame.written(lambda session: session.peek(row.id))
        lines = others_text(view, self.session.author, self.session.scores(view))
        await self.frame.show(TextScreen("What others say, and scores", lines_text(lines, palette(self.app))))

    def action_copy(self) -> None:
        """Copy the item as text."""
        if self.view is not None:
            self.app.copy_to_clipboard(item_text(self.session, self.view))
            self.say(f"Copied, if your terminal allows it; {self.key_of('write')} writes a file instead.")

    def action_write(self) -> None:
        """Write the item to a file."""
        if self.view is not None:
            path = self.frame.write_file(self.view.item, item_text(self.session, self.view))
            self.say(f"Written to {path}")
