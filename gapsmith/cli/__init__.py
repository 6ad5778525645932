"""The command line: one module per command, in the order in which --help shows them."""

from gapsmith.cli import init, paradigm

COMMANDS = (
    init.register,
    paradigm.register,
)
