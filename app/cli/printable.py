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


def at_words(line: str, width: int) -> list[str]:
    """The line as lines of at most that width that end between words; what follows stands further in than it begins. A command stays
    whole, since it is there to be copied, and so does a word that is longer, such as a path."""
    indent = len(line) - len(line.lstrip()) + 2
    if len(line) <= width or indent >= width or line.lstrip().startswith(("gapsmith ", "$ ")):
        return [line]
    # Imported only now: a pipe needs no such lines.
    import textwrap

    return textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )


def said_already(_found: object) -> None:
    """What commands print of a result of which the stage has said everything, on stderr: nothing more."""
