"""Editing: slots with all their sentences, or one sentence. What would change is shown while typing."""

from __future__ import annotations

from enum import Enum, auto
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Label, Static, TextArea

from gapsmith.bank import StoredItem
from gapsmith.templates import GapsmithError
from gapsmith.vetting.review.display import editable, sentence_text, typed, visible
from gapsmith.vetting.review.edits import changes, odd_words, slots_behind, with_sentence, with_slots
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import CONTEXT, diff_segs
from gapsmith.vetting.review.sentence_rows import SentenceRow
from gapsmith.vetting.tui.bars import StatusLine
from gapsmith.vetting.tui.dialogs import OneAnswer
from gapsmith.vetting.tui.drafts import DraftArea, DraftInput, DraftKey
from gapsmith.vetting.tui.frame import ReviewFrame
from gapsmith.vetting.tui.styles import line_text, palette

_UNCHANGED = "Nothing changes yet."


class Edited(Enum):
    """How an edit ended."""

    SAVED = auto()
    LATER = auto()
    """Something was typed, and waits as a draft."""
    NOTHING = auto()
    """Nothing was typed, or it was thrown away."""


class EditScreen(OneAnswer[Edited]):
    """An edit that is not saved until ctrl+s; its drafts are on disk all the time. Hands back how it ended."""

    help_title = "Editing"
    help_text = (
        "Type the words; below you see what would change in each sentence: [-words-] go, {+words+} come. ctrl+s saves a"
        " new version of the item beside the old one, which is never overwritten (backspace takes it back). esc leaves"
        " without saving and keeps what you typed for next time; ctrl+d throws it away. Where the linter finds errors in the new text"
        " that the item does not have, they are named first: enter or y saves all the same, esc goes back to editing.\n\n"
        "After a change of slots, sentences that a person or a model wrote differently stay as they are."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "leave", "later", priority=True),
        Binding("ctrl+d", "discard", "discard", priority=True),
        Binding("down,enter", "app.focus_next", "next field", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("f1", "app.help", "help"),
    ]

    def __init__(self, frame: ReviewFrame, view: ReviewedItem, *, slots: dict[str, str] | None, row: SentenceRow | None) -> None:
        super().__init__()
        self.frame, self.view = frame, view
        self._slots, self._row = slots, row
        self._answered = False
        """Whether what stands below the preview is the answer to a save."""

    @classmethod
    def for_slots(cls, frame: ReviewFrame, view: ReviewedItem) -> EditScreen | None:
        """An edit of the item's slots, or None where they are not known."""
        slots = slots_behind(view.item, view.paradigm)
        return cls(frame, view, slots=slots, row=None) if slots is not None else None

    @classmethod
    def for_sentence(cls, frame: ReviewFrame, view: ReviewedItem, row: SentenceRow) -> EditScreen:
        """An edit of one sentence, which may be missing so far."""
        return cls(frame, view, slots=None, row=row)

    def compose(self) -> ComposeResult:
        item = self.view.item
        what = "slots" if self._row is None else f"sentence {self._row.number}, {visible(self._row.label)}"
        yield Label(Text(f" edit item {visible(item.label)}: {what}"), id="title")
        with VerticalScroll(id="fields"):
            if self._row is not None:
                yield DraftArea(self._sentence_key(self._row), id="sentence")
            for name in self._slots or {}:
                slot = self.view.paradigm.slot_by_name[name]
                with Horizontal(classes="field"):
                    yield Label(self._label_of(name, at=False), classes="name")
                    yield DraftInput(self._slot_key(name), placeholder=slot.example, id=f"slot-{name}")
                    yield Label(Text(""), classes="doubt")
        with VerticalScroll(id="preview", can_focus=False):
            yield Static()
        yield StatusLine(id="status")
        yield Label(Text("ctrl+s save · esc later · ctrl+d discard · ↓ next field · f1 help"), classes="hint")

    @staticmethod
    def _label_of(name: str, *, at: bool) -> Text:
        return Text(f"{'▸' if at else ' '} {visible(name)}")

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _mark_field(self) -> None:
        """Show by a shape, not by colour alone, in which field one types."""
        for name in self._slots or {}:
            field = self.query_one(f"#slot-{name}")
            if field.parent is not None:
                field.parent.query_one(".name", Label).update(self._label_of(name, at=field.has_focus))

    def _slot_key(self, name: str) -> DraftKey:
        item = self.view.item
        original = editable((self._slots or {})[name])
        return self.frame.draft_key(item.id, f"slot:{name}", item.revision_id, original)

    def _sentence_key(self, row: SentenceRow) -> DraftKey:
        item = self.view.item
        original = editable(row.sentence.text) if row.sentence is not None else ""
        return self.frame.draft_key(item.id, f"sentence:{row.condition}", item.revision_id, original)

    def on_mount(self) -> None:
        """Start in the field that the worst finding is about."""
        target = next((f.place.slot for f in self.view.findings if f.place.slot in (self._slots or {})), None)
        fields = self._fields()
        focus = next((field for field in fields if target is not None and field.id == f"slot-{target}"), fields[0])
        self.set_focus(focus)
        if isinstance(focus, DraftArea):
            focus.move_cursor(focus.document.end)
        self._preview()
        if any(field.was_restored for field in fields):
            self.say("What you typed earlier and did not save is here again. ctrl+d throws it away.")

    def on_resize(self) -> None:
        """Show as much as there is room for."""
        self.call_after_refresh(self._preview)

    def _fields(self) -> list[DraftInput | DraftArea]:
        return [*self.query(DraftInput), *self.query(DraftArea)]

    def _typed_slots(self) -> dict[str, str]:
        return {name: typed(self.query_one(f"#slot-{name}", DraftInput).value) for name in self._slots or {}}

    def _typed_sentence(self) -> str:
        # A sentence is one line: a line break that was typed is a space.
        return typed(" ".join(self.query_one(DraftArea).text.split("\n")).strip())

    def _edited(self) -> StoredItem:
        item, paradigm = self.view.item, self.view.paradigm
        if self._row is not None:
            return with_sentence(item, paradigm, self._row.condition, self._typed_sentence(), which=self._row.sentence)
        return with_slots(item, paradigm, self._typed_slots())

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self._answered:
            # That was about the text before.
            self._answered = False
            self.query_one(StatusLine).hush()
        self._preview()

    def _preview(self) -> None:
        styles = palette(self.app)
        text = Text()
        try:
            found = changes(self.view.item.sentences, self._edited().sentences, self.view.paradigm)
        except GapsmithError as error:
            text.append(visible(error.message), styles["warning"])
            found = ()
        else:
            total = len(self.view.item.sentences)
            text.append(f"{len(found)} of {total} sentences change:" if found else _UNCHANGED, styles["note"])
        odd = odd_words(self.view.paradigm, self._typed_slots()) if self._slots else {}
        # Beside the field there is no room for a sentence: there a sign stands.
        doubts = Text("".join(f"! {visible(name)} {visible(doubt)}\n" for name, doubt in odd.items()), styles["warning"])
        text = Text.assemble(doubts, text)
        # The sentences in full where all of them are in sight then, else the words around what changes.
        room = self.query_one("#preview").scrollable_content_region
        for context in (None, CONTEXT):
            shown = text.copy()
            for change in found:
                known = self.view.paradigm.condition_by_name.get(change.condition)
                shown.append(f"\n{visible(known.label if known else change.condition)}  ", styles["label"])
                shown.append_text(line_text(diff_segs(change.pieces, context=context), styles))
            shown.no_wrap = False
            if len(shown.wrap(self.app.console, max(room.width, 1))) <= room.height:
                break
        if not found and text.plain.endswith(_UNCHANGED):
            shown = self._with_sentences(text, room.width, room.height)
        self.query_one("#preview Static", Static).update(shown)
        for name in self._slots or {}:
            field = self.query_one(f"#slot-{name}").parent
            if field is not None:
                field.query_one(".doubt", Label).update(Text("!" if name in odd else "", styles["warning"]))

    def _with_sentences(self, text: Text, width: int, height: int) -> Text:
        """The text with all sentences as they stand, where there is room for all; else as it is."""
        styles, view = palette(self.app), self.view
        told = text.copy()
        told.append(" The sentences as they stand:", styles["note"])
        for sentence in view.item.sentences:
            known = view.paradigm.condition_by_name.get(sentence.condition)
            told.append(f"\n{visible(known.label if known else sentence.condition)}  ", styles["label"])
            told.append(sentence_text(sentence, view.paradigm))
        told.no_wrap = False
        return told if len(told.wrap(self.app.console, max(width, 1))) <= height else text

    def say(self, message: str, *, problem: bool = True) -> None:
        """Say something below the preview."""
        self.query_one(StatusLine).say(message, problem=problem)

    def action_save(self) -> None:
        """Save a new version, unless nothing changed; where it brings errors, once that was agreed to."""
        self.frame.flow(self._save())

    async def _save(self) -> None:
        view, row = self.view, self._row
        self._answered = True
        try:
            edited = self._edited()
            if not changes(view.item.sentences, edited.sentences, view.paradigm):
                self.say("Nothing has changed.")
                return
            for field in self._fields():
                field.flush()
            if not await self.frame.agreed_to_edit(view, edited):
                self.say("Not saved: go on editing.")
                return
            if row is not None:
                text = self._typed_sentence()
                await self.frame.written(lambda session: session.save_sentence(view, row, text))
            else:
                slots = self._typed_slots()
                await self.frame.written(lambda session: session.save_slots(view, slots))
        except GapsmithError as error:
            self.say(self.frame.words_of(error))
            return
        for field in self._fields():
            self.frame.drafts.forget(view.item.id, field.draft.field)
        self.finish(Edited.SAVED)

    def action_leave(self) -> None:
        """Leave without saving; drafts stay."""
        for field in self._fields():
            field.flush()
        self.finish(Edited.LATER if any(field.differs for field in self._fields()) else Edited.NOTHING)

    async def action_discard(self) -> None:
        """Throw away what was typed, and leave."""
        names = [field.draft.field for field in self._fields()]
        for field in self._fields():
            field.flush()
            self.frame.drafts.forget(self.view.item.id, field.draft.field)
        item_id = self.view.item.id
        await self.frame.written(lambda session: session.bank.review.discard_drafts(session.author, item_id, names))
        self.finish(Edited.NOTHING)
