"""gapsmith: make, vet and score minimal-pair stimuli for filler-gap research on language models.

The public API, imported on first use so that ``import gapsmith`` costs nothing::

    import gapsmith

    paradigm = gapsmith.load_paradigm("subject_pg")
    for slots in gapsmith.sample(paradigm, seed=1): ...
    with gapsmith.open_workspace() as workspace:
        analysis = gapsmith.analyze(workspace.bank, "subject_pg", model="gpt2")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bank import Bank, ItemFilter
    from gapsmith.workspace import open_workspace
    from scoring.analysis import analyze
    from scoring.lm import Request, open_engine
    from scoring.score_run import score_selected, select_texts
    from templates import GapsmithError, Paradigm, expand, load_paradigm, read_back, realise, sample
    from vetting.lint_run import lint_bank

_HOME = {
    "Bank": "bank",
    "GapsmithError": "templates",
    "ItemFilter": "bank",
    "Paradigm": "templates",
    "Request": "scoring.lm",
    "analyze": "scoring.analysis",
    "expand": "templates",
    "lint_bank": "vetting.lint_run",
    "load_paradigm": "templates",
    "open_engine": "scoring.lm",
    "open_workspace": "gapsmith.workspace",
    "read_back": "templates",
    "realise": "templates",
    "sample": "templates",
    "score_selected": "scoring.score_run",
    "select_texts": "scoring.score_run",
}

__all__ = [
    "Bank",
    "GapsmithError",
    "ItemFilter",
    "Paradigm",
    "Request",
    "analyze",
    "expand",
    "lint_bank",
    "load_paradigm",
    "open_engine",
    "open_workspace",
    "read_back",
    "realise",
    "sample",
    "score_selected",
    "select_texts",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gapsmith' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
