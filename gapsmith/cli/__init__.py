"""The command line: one module per command, in the order in which --help shows them."""

from gapsmith.cli import (
    analyze,
    decide,
    demo,
    doctor,
    export,
    generate,
    import_,
    init,
    lint,
    paradigm,
    prompt,
    report,
    rule,
    runs,
    score,
    serve_fake,
)

COMMANDS = (
    init.register,
    paradigm.register,
    prompt.register,
    generate.register,
    import_.register,
    lint.register,
    rule.register,
    decide.register,
    score.register,
    analyze.register,
    report.register,
    export.register,
    runs.register,
    doctor.register,
    demo.register,
    serve_fake.register,
)
