"""The tour that `gapsmith demo` gives: real commands, run one after the other in a workspace of their own."""

from __future__ import annotations

from pathlib import Path

from gapsmith.bank import Bank

MAIN = "subject_pg"
CONTROL = "embwhq"
_PLAIN = ("--choose", "embedding=none")
"""The control's items without clauses between the wh-word and its gap."""
MODEL = "bundled"
DATASET = "demo"
"""The demo keeps to items of its own, whatever else the workspace holds."""
_ITEMS = 40
_SEED = 1


def steps(folder: Path) -> list[tuple[str, tuple[str, ...]]]:
    """What is done and why, each with the command's arguments; anyone can type the same."""
    where = ("--dataset", DATASET, "--workspace", str(folder))
    items = ("-n", str(_ITEMS), "--seed", str(_SEED), "--provider", "lexicon")
    return [
        ("Make a place to keep everything.", ("init", str(folder))),
        ("Propose words for the parasitic gap, from gapsmith's own word lists.", ("generate", MAIN, *items, *where)),
        ("The same for a control that even a small model should know.", ("generate", CONTROL, *_PLAIN, *items, *where)),
        ("Ask the linter what is wrong with them.", ("lint", *where, "--fail-on", "never")),
        (
            "Approve what has no error or warning (a person would look at each).",
            ("decide", "--policy", "clean", *where),
        ),
        ("Measure surprisal with the small model that comes along.", ("score", "--model", MODEL, *where)),
        ("The control: does the filler matter where it should?", ("analyze", "-p", CONTROL, "--model", MODEL, *where)),
        ("The parasitic gap: P1 to P4, Delta and DiD.", ("analyze", "-p", MAIN, "--model", MODEL, *where)),
        ("Write it all up.", ("report", "--model", MODEL, "--out", str(folder / "report"), *where)),
    ]


def conclusion(bank: Bank) -> str:
    """What came out, in words that follow from the numbers."""
    from gapsmith.scoring.analysis import AnalysisOptions, analyze
    from gapsmith.scoring.report import outcome_of, overall

    options = AnalysisOptions(dataset=DATASET)
    analyses = [analyze(bank, name, model=MODEL, options=options) for name in (CONTROL, MAIN)]
    return overall([outcome_of(analysis) for analysis in analyses], toy=True)
