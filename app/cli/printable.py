"""Texts as a terminal may get them."""

from __future__ import annotations


def shown(text: str) -> str:
    """The text as people may see it on a terminal: control and direction characters are written out, since a stranger's
    file could clear the screen with them. All that is printed for people goes through here."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    # Imported only now: hardly a text needs it.
    from gapsmith.prompts import visible

    return visible(text)


def said_already(_found: object) -> None:
    """What commands print of a result of which the stage has said everything, on stderr: nothing more."""
