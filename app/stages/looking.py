"""What a stage says of others' decisions that it leaves out, and the look at them that is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapsmith.app.services import Services
    from gapsmith.bank import Bank, ItemFilter


def look_or_say(bank: Bank, selection: ItemFilter | None, services: Services, *, look: bool) -> None:
    """With `look`, record that the reader looks at what others said of the selected items; else say that it is left out, where
    there is something."""
    from gapsmith.templates import count

    if not look:
        if line := bank.gate.left_out(selection):
            services.note(line)
    elif looked := bank.gate.look(selection):
        services.note(f"On record: {bank.reader} has looked at what others said of {count(looked, 'item')}.")
