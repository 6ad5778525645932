"""What can go wrong with parsers and treebanks."""

from __future__ import annotations

from gapsmith.templates import ConfigError, FormatError


class ParserError(ConfigError):
    """A parser that is not there, or whose files are not all there; nothing was parsed."""


class TreebankError(FormatError):
    """A treebank file that is no CoNLL-U; names the file and the line."""
