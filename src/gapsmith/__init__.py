"""gapsmith: make, vet and score minimal-pair stimuli for filler-gap research on language models.

The public API, imported on first use so that ``import gapsmith`` costs nothing. Each stage of the pipeline is a function of an
open workspace (`gapsmith.app.pipeline`)::

    import gapsmith

    with gapsmith.open_workspace("study", create=True) as study:
        gapsmith.generate(study, "embedded_wh", n=40, seed=1)
        gapsmith.lint(study)
        gapsmith.decide(study, policy="clean")
        gapsmith.score(study, "bundled")
        analysis = gapsmith.analyze(study, "embedded_wh")
        table = gapsmith.frame(study, "embedded_wh")
        gapsmith.export(study, "items.csv")
        gapsmith.report(study)

Items of one's own come in with `import_file`. `load_paradigm`, `sample`, `expand`, `realise` and `read_back` make sentences
without a workspace; `open_engine` opens a model by itself; `Bank` is the store.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gapsmith.app.exporting import ExportOptions
    from gapsmith.app.pipeline import analyze, decide, export, frame, generate, import_file, lint, report, score
    from gapsmith.app.workspace import Workspace, open_workspace
    from gapsmith.bank import Bank, ItemFilter
    from gapsmith.bank.formats.source import ReadOptions
    from gapsmith.scoring.analysis import AnalysisOptions
    from gapsmith.scoring.lm import Request, open_engine
    from gapsmith.templates import GapsmithError, Paradigm, expand, load_paradigm, read_back, realise, sample

_HOME = {
    "AnalysisOptions": "gapsmith.scoring.analysis",
    "Bank": "gapsmith.bank",
    "ExportOptions": "gapsmith.app.exporting",
    "GapsmithError": "gapsmith.templates",
    "ItemFilter": "gapsmith.bank",
    "Paradigm": "gapsmith.templates",
    "ReadOptions": "gapsmith.bank.formats.source",
    "Request": "gapsmith.scoring.lm",
    "Workspace": "gapsmith.app.workspace",
    "analyze": "gapsmith.app.pipeline",
    "decide": "gapsmith.app.pipeline",
    "expand": "gapsmith.templates",
    "export": "gapsmith.app.pipeline",
    "frame": "gapsmith.app.pipeline",
    "generate": "gapsmith.app.pipeline",
    "import_file": "gapsmith.app.pipeline",
    "lint": "gapsmith.app.pipeline",
    "load_paradigm": "gapsmith.templates",
    "open_engine": "gapsmith.scoring.lm",
    "open_workspace": "gapsmith.app.workspace",
    "read_back": "gapsmith.templates",
    "realise": "gapsmith.templates",
    "report": "gapsmith.app.pipeline",
    "sample": "gapsmith.templates",
    "score": "gapsmith.app.pipeline",
}

__all__ = [
    "AnalysisOptions",
    "Bank",
    "ExportOptions",
    "GapsmithError",
    "ItemFilter",
    "Paradigm",
    "ReadOptions",
    "Request",
    "Workspace",
    "analyze",
    "decide",
    "expand",
    "export",
    "frame",
    "generate",
    "import_file",
    "lint",
    "load_paradigm",
    "open_engine",
    "open_workspace",
    "read_back",
    "realise",
    "report",
    "sample",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gapsmith' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
