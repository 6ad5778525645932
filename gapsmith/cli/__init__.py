"""The command line: one module per command, in the order in which --help shows them."""

from gapsmith.cli import decide, doctor, export, generate, import_, init, lint, paradigm, rule, score

COMMANDS = (
    init.register,
    paradigm.register,
    generate.register,
    import_.register,
    lint.register,
    rule.register,
    decide.register,
    score.register,
    export.register,
    doctor.register,
)
