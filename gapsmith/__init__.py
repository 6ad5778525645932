"""gapsmith: make, vet and score minimal-pair stimuli for filler-gap research on language models.

The public API, imported on first use so that ``import gapsmith`` costs nothing. Each stage of the pipeline is a function of an
open workspace (`gapsmith.pipeline`)::

    import gapsmith

    with gapsmith.open_workspace("study", create=True) as study:
        gapsmith.generate(study, "embedded_wh", n=40, seed=1)
        gapsmith.lint(study)
        gapsmith.decide(study, policy="clean")
        gapsmith.score(study, "bundled")
        analysis = gapsmith.analyze(study, "embedded_wh")
        table = gapsmith.frame(study, "embedded_wh")

`load_paradigm`, `sample`, `expand`, `realise` and `read_back` make sentences without a workspace; `open_engine` opens a model by
itself; `Bank` is the store.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bank import Bank, ItemFilter
    from gapsmith.pipeline import analyze, decide, frame, generate, lint, score
    from gapsmith.workspace import Workspace, open_workspace
    from scoring.analysis import AnalysisOptions
    from scoring.lm import Request, open_engine
    from templates import GapsmithError, Paradigm, expand, load_paradigm, read_back, realise, sample

_HOME = {
    "AnalysisOptions": "scoring.analysis",
    "Bank": "bank",
    "GapsmithError": "templates",
    "ItemFilter": "bank",
    "Paradigm": "templates",
    "Request": "scoring.lm",
    "Workspace": "gapsmith.workspace",
    "analyze": "gapsmith.pipeline",
    "decide": "gapsmith.pipeline",
    "expand": "templates",
    "frame": "gapsmith.pipeline",
    "generate": "gapsmith.pipeline",
    "lint": "gapsmith.pipeline",
    "load_paradigm": "templates",
    "open_engine": "scoring.lm",
    "open_workspace": "gapsmith.workspace",
    "read_back": "templates",
    "realise": "templates",
    "sample": "templates",
    "score": "gapsmith.pipeline",
}

__all__ = [
    "AnalysisOptions",
    "Bank",
    "GapsmithError",
    "ItemFilter",
    "Paradigm",
    "Request",
    "Workspace",
    "analyze",
    "decide",
    "expand",
    "frame",
    "generate",
    "lint",
    "load_paradigm",
    "open_engine",
    "open_workspace",
    "read_back",
    "realise",
    "sample",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gapsmith' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
