"""The only place that lists the stages: from a name to the request, the function that carries it out, and what comes out.

Names of modules, so that nothing is imported before it is used. `tools.doors` makes the commands and the functions of
``import gapsmith`` from it.
"""

from __future__ import annotations

import builtins
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gapsmith.app.requests.base import StageRequest

_REQUESTS, _STAGES = "gapsmith.app.requests", "gapsmith.app.stages"


class Stage(NamedTuple):
    """Where a stage is."""

    request: str
    """``module:Class`` within `gapsmith.app.requests`."""
    function: str
    """``module:function`` within `gapsmith.app.stages`; it takes source, request and services."""
    returns: str
    """``module:Type`` within `gapsmith`, or ``pandas:Type``."""
    source: str = "Workspace"
    """What the function of ``import gapsmith`` takes first: ``Workspace``, ``Workspace | Bank``, or nothing."""
    python: str = ""
    """What the function of ``import gapsmith`` is called, where it is not the stage's name."""
    command: bool = True
    """Whether the command line has it; what is nothing there is a function of Python alone."""
    first: tuple[str, ...] = ()
    """Fields that the function takes by their place."""

    def request_type(self) -> type[StageRequest]:
        """The class of its requests."""
        module, _, name = self.request.partition(":")
        found: type[StageRequest] = getattr(import_module(f"{_REQUESTS}.{module}"), name)
        return found

    def carry_out(self, source: Any, request: StageRequest, services: Any) -> Any:
        """What comes out. Raises `GapsmithError`."""
        module, _, name = self.function.partition(":")
        function = getattr(import_module(f"{_STAGES}.{module}"), name)
        return function(source, request, services) if self.source else function(request, services)


def own_name(name: str) -> str:
    """What a stage is called where a name of Python is wanted: its modules, and its function where it has no other name."""
    own = name.replace("-", "_").replace(" ", "_")
    # A module called as a builtin is would take that one's place in its package, and `annotations` is what all import first.
    return f"{own}_" if iskeyword(own) or hasattr(builtins, own) or own == "annotations" else own


STAGES: dict[str, Stage] = {
    "paradigm draft": Stage(
        "bringing:DraftParadigm",
        "drafting:draft_paradigm",
        "app.stages.drafting:Drafted",
        source="",
        python="draft_paradigm",
        first=("file",),
    ),
    "import": Stage("bringing:Import", "importing_items:import_file", "bank:Brought", python="import_file", first=("file",)),
    "import-scores": Stage(
        "bringing:ImportScores", "foreign_values:import_scores", "scoring:ScoresReport", first=("file", "model")
    ),
    "decide": Stage("deciding:Decide", "deciding_items:decide", "vetting:Decided", first=("verdict", "items")),
    "generate": Stage("making:Generate", "generating:generate", "app.generated:Generated", first=("paradigm", "n")),
    "runs watch": Stage("making:WatchRun", "watching:watch", "app.generated:Generated", first=("run",)),
    "lint": Stage("checking:Lint", "linting:lint", "app.linted:Linted", first=("paradigm",)),
    "audit": Stage("checking:AuditSet", "published:audit", "app.stages.published:Audited", source="", first=("file",)),
    "packet make": Stage(
        "deciding:PacketMake",
        "packing:make_packet",
        "app.stages.packing:PacketMade",
        python="make_packet",
        first=("file", "annotator"),
    ),
    "packet take": Stage(
        "deciding:PacketTake", "packing:take_packet", "app.stages.packing:PacketTaken", python="take_packet", first=("file",)
    ),
    "agreement": Stage("deciding:AskAgreement", "agreeing:agreement", "app.stages.agreeing:Agreed"),
    "annotations": Stage(
        "deciding:AskAnnotations",
        "agreeing:annotation_table",
        "app.stages.agreeing:AnnotationTable",
        python="annotation_table",
        first=("what",),
    ),
    "assign": Stage("deciding:Assign", "assigning:assign", "app.stages.assigning:Assigned", first=("to",)),
    "lab": Stage("leading:AskLab", "lab_view:lab", "app.stages.lab_view:LabSeen"),
    "judge new": Stage(
        "norming:NewJudging",
        "acceptability:judge_new",
        "app.stages.acceptability:JudgingMade",
        python="new_judging",
        first=("file", "to"),
    ),
    "judge results": Stage(
        "norming:JudgingResults",
        "acceptability:judge_results",
        "app.stages.acceptability:Judged",
        python="judging_results",
        first=("file",),
    ),
    "dataset load": Stage(
        "keeping:LoadDataset",
        "data_sets:load_dataset",
        "app.stages.data_sets:LoadedDataset",
        python="load_dataset",
        first=("name",),
    ),
    "dataset rename": Stage(
        "keeping:RenameDataset",
        "data_sets:rename_dataset",
        "app.stages.data_sets:DatasetChanged",
        python="rename_dataset",
        first=("name", "new"),
    ),
    "dataset remove": Stage(
        "keeping:RemoveDataset",
        "data_sets:remove_dataset",
        "app.stages.data_sets:DatasetChanged",
        python="remove_dataset",
        first=("name",),
    ),
    "dataset undo": Stage(
        "keeping:UndoDataset", "data_sets:undo_dataset", "app.stages.data_sets:TakenBack", python="undo_dataset"
    ),
    "bank merge": Stage(
        "keeping:MergeBanks",
        "merging_banks:merge_banks",
        "app.stages.merging_banks:MergedBanks",
        python="merge_banks",
        first=("sources",),
    ),
    "score": Stage("measuring:Score", "scoring:score", "app.stages.scoring:Scored", first=("model",)),
    "analyze": Stage(
        "measuring:Analyze", "analysing:analyze", "app.analyzed:Analyzed", source="Workspace | Bank", first=("paradigm",)
    ),
    "next": Stage("guiding:NextStep", "guide:next_step", "app.stages.guide:Needed", python="next_step", first=("paradigm",)),
    "train corpus": Stage(
        "learning:TrainCorpus", "training:train_corpus", "app.stages.training:CorpusMade", source="", first=("recipe",)
    ),
    "train lm": Stage(
        "learning:TrainLm",
        "training:train_lm",
        "app.stages.training:ModelMade",
        source="Workspace | str | PathLike[str] | None",
        first=("corpora",),
    ),
    "train parser": Stage(
        "learning:TrainParser", "training:train_parser", "app.stages.training:ParserMade", source="", first=("treebank",)
    ),
    "report": Stage("measuring:ReportRequest", "reporting:report", "app.report_files:Reported", first=("out", "paradigm")),
    "frame": Stage(
        "outgoing:MakeFrame", "exports:frame", "pandas:DataFrame", source="Workspace | Bank", command=False, first=("paradigm",)
    ),
    "export": Stage(
        "outgoing:Export", "exports:export", "app.exporting:Exported", source="Workspace | Bank", first=("out", "kind")
    ),
    "licensing": Stage(
        "instruments:AnalyzeLicensing", "constructions:licensing", "app.stages.constructions:Licensed", first=("paradigm",)
    ),
    "count-constructions": Stage(
        "instruments:CountConstructions",
        "constructions:count_constructions",
        "app.stages.constructions:ConstructionsCounted",
        source="",
        first=("files",),
    ),
    "context draw": Stage("behind:DrawContexts", "context_sets:draw", "scoring:Drawn", python="draw_contexts", first=("name",)),
    "context study": Stage(
        "behind:StudyContexts", "context_effects:study", "app.stages.context_effects:ContextsStudied", python="study_contexts"
    ),
    "explain-number": Stage(
        "instruments:ExplainNumber",
        "other_tools:explain_number",
        "app.stages.other_tools:NumbersExplained",
        source="",
        first=("sentence", "like"),
    ),
    "reproduce": Stage(
        "instruments:Reproduce", "reproducing:reproduce", "app.stages.reproducing:Reproduced", source="", first=("study",)
    ),
    "posh": Stage("instruments:ComparePosh", "posh_bench:posh", "app.stages.posh_bench:PoshCompared", first=("model",)),
}
"""By what they are called at every door: one word, or two where the command is one of a group (``packet make``)."""
MOVED: dict[str, str] = {
    "study": "reproduce",
    "study licensing": "licensing",
    "study posh": "posh",
    "study context": "context study",
    "study count-constructions": "count-constructions",
}
"""What is typed for a stage or a module of another name. In this release the other name can be typed too, with a note."""


def typed(name: str) -> str:
    """What one types for a stage or a command of that name."""
    return next((new for new, own in MOVED.items() if own == name), name)
