"""The tour that `gapsmith demo` gives: stages, carried out one after the other in a workspace of their own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from gapsmith.app.requests.typed import as_typed
from gapsmith.app.stages.catalogue import STAGES, typed
from gapsmith.app.stages.study_steps import Step
from gapsmith.bank import Bank

MAIN = "subject_pg"
CONTROL = "embwhq"
_PLAIN = {"choose": "embedding=none"}
"""The control's items without clauses between the wh-word and its gap."""
MODEL = "bundled"
DATASET = "demo"
"""The demo keeps to items of its own, whatever else the workspace holds."""
_ITEMS = 40
_SEED = 1


def steps(folder: Path) -> list[Step]:
    """What is done and why; anyone can type the same."""
    here: dict[str, Any] = {"dataset": DATASET}
    words = {"n": _ITEMS, "seed": _SEED, "provider": "lexicon", **here}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("Make a place to keep everything.", "init", {"directory": folder}),
        ("Propose words for the parasitic gap, from gapsmith's own word lists.", "generate", {"paradigm": MAIN, **words}),
        ("The same for a control that even a small model should know.", "generate", {"paradigm": CONTROL, **_PLAIN, **words}),
        ("Ask the linter what is wrong with them.", "lint", {"fail_on": "never", **here}),
        ("Approve what has no error or warning (a person would look at each).", "decide", {"policy": "clean", **here}),
        ("Measure surprisal with the small model that comes along.", "score", {"model": MODEL, **here}),
        ("The control: does the filler matter where it should?", "analyze", {"paradigm": CONTROL, "model": MODEL, **here}),
        ("The parasitic gap: P1 to P4, Delta and DiD.", "analyze", {"paradigm": MAIN, "model": MODEL, **here}),
        ("Write it all up.", "report", {"model": MODEL, "out": folder / "report", **here}),
    ]
    return [_step(why, stage, given, folder) for why, stage, given in asked]


def _step(why: str, stage: str, given: dict[str, Any], folder: Path) -> Step:
    known = STAGES[stage]
    request = known.request_type().of(given)
    line = shlex.join([*typed(stage).split(), *as_typed(request), *(["--workspace", str(folder)] if known.source else [])])
    return Step(why, stage, request, False, line)


def conclusion(bank: Bank) -> str:
    """What came out, in words that follow from the numbers."""
    from gapsmith.scoring.analysis import AnalysisOptions, analyze_all
    from gapsmith.scoring.report import outcome_of, overall

    options = AnalysisOptions(dataset=DATASET)
    found = analyze_all(bank, (CONTROL, MAIN), model=MODEL, options=options)
    return overall([outcome_of(analysis) for analysis in found.analyses], toy=True)
