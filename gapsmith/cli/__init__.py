"""The command line: one module per command, in the order in which --help shows them."""

from gapsmith.cli import decide, export, generate, import_, init, paradigm

COMMANDS = (
    init.register,
    paradigm.register,
    generate.register,
    import_.register,
    decide.register,
    export.register,
)
