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
    live: tuple[str, ...] = ()
    """Fields that name a paradigm, and in the place of whose name the function takes a `Paradigm`."""

    def request_type(self) -> type[StageRequest]:
        """The class of its requests."""
        module, _, name = self.request.partition(":")
        found: type[StageRequest] = getattr(import_module(f"{_REQUESTS}.{module}"), name)
        return found

    @property
    def opens(self) -> bool:
        """Whether it works in an open workspace; others take a folder, or nothing."""
        return self.source.startswith("Workspace") and "PathLike" not in self.source

    def carry_out(self, source: Any, request: StageRequest, services: Any) -> Any:
        """What comes out; what is stored meanwhile keeps the request. Raises `GapsmithError`."""
        from gapsmith.app.settings import load_limits
        from gapsmith.bank import carrying_out
        from gapsmith.templates import within

        module, _, name = self.function.partition(":")
        function = getattr(import_module(f"{_STAGES}.{module}"), name)
        with within(load_limits()), carrying_out(request.stamp(services.variables)):
            return function(source, request, services) if self.source else function(request, services)


def own_name(name: str) -> str:
    """What a stage is called where a name of Python is wanted: its modules, and its function where it has no other name."""
    own = name.replace("-", "_").replace(" ", "_")
    # A module called as a builtin is would take that one's place in its package, and `annotations` is what all import first.
    return f"{own}_" if iskeyword(own) or hasattr(builtins, own) or own == "annotations" else own


_FOLDER = "Workspace | str | PathLike[str] | None"
"""An open workspace, or where one is; None: from here upwards."""

STAGES: dict[str, Stage] = {
    "paradigm draft": Stage(
        "bringing:DraftParadigm",
        "drafting:draft_paradigm",
        "app.stages.drafting:Drafted",
        source="",
        python="draft_paradigm",
        first=("file",),
    ),
    "paradigm new": Stage(
        "bringing:NewParadigm",
        "new_paradigms:new_paradigm",
        "app.stages.new_paradigms:ParadigmWritten",
        python="new_paradigm",
        first=("name",),
    ),
    "import": Stage("bringing:Import", "importing_items:import_file", "bank:Brought", python="import_file", first=("file",)),
    "import-scores": Stage(
        "bringing:ImportScores", "foreign_values:import_scores", "scoring:ScoresReport", first=("file", "model")
    ),
    "decide": Stage("deciding:Decide", "deciding_items:decide", "vetting:Decided", first=("verdict", "items")),
    "generate": Stage(
        "making:Generate", "generating:generate", "app.generated:Generated", first=("paradigm", "n"), live=("paradigm",)
    ),
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
    "dataset recognise": Stage(
        "keeping:RecogniseDatasets",
        "recognising:recognise",
        "app.stages.recognising:Recognised",
        python="recognise_datasets",
        first=("folder",),
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
    "model convert": Stage(
        "measuring:ConvertModel",
        "converting:convert_model",
        "app.stages.converting:ModelConverted",
        source="",
        python="convert_model",
        first=("checkpoint", "vocabulary"),
    ),
    "score": Stage("measuring:Score", "scoring:score", "app.stages.scoring:Scored", first=("model",)),
    "analyze": Stage(
        "measuring:Analyze", "analysing:analyze", "app.analyzed:Analyzed", source="Workspace | Bank", first=("paradigm",)
    ),
    "power": Stage("measuring:PlanPower", "power:power", "app.stages.power:PowerPlanned", first=("paradigm",)),
    "plan freeze": Stage(
        "plans:FreezePlan", "planning:freeze_plan", "app.stages.planning:PlanFrozen", python="freeze_plan", first=("paradigm",)
    ),
    "plan list": Stage(
        "plans:ListPlans", "planning:list_plans", "app.stages.planning:PlansListed", python="list_plans", first=("paradigm",)
    ),
    "next": Stage("guiding:NextStep", "guide:next_step", "app.stages.guide:Needed", python="next_step", first=("paradigm",)),
    "train corpus": Stage(
        "learning:TrainCorpus", "training:train_corpus", "app.stages.training:CorpusMade", source="", first=("recipe",)
    ),
    "train audit": Stage(
        "learning:TrainAudit", "training:train_audit", "app.stages.training:CorpusAudited", source="", first=("corpus",)
    ),
    "train counts": Stage(
        "learning:TrainCounts", "training:train_counts", "app.stages.training:CorporaCounted", source="", first=("corpora",)
    ),
    "train lm": Stage(
        "learning:TrainLm",
        "training:train_lm",
        "app.stages.training:ModelMade",
        source=_FOLDER,
        first=("corpora",),
    ),
    "train grid": Stage(
        "learning:TrainGrid",
        "learner_grid:train_grid",
        "app.stages.learner_grid:GridMade",
        source=_FOLDER,
        first=("file",),
    ),
    "train parser": Stage(
        "learning:TrainParser", "training:train_parser", "app.stages.training:ParserMade", source="", first=("treebank",)
    ),
    "publish": Stage("outgoing:Publish", "publishing:publish", "app.stages.publishing:Published", first=("out", "paradigm")),
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
    "init": Stage(
        "telling:MakeWorkspace",
        "what_there_is:init",
        "app.stages.what_there_is:WorkspaceMade",
        source="",
        python="make_workspace",
        first=("directory",),
    ),
    "paradigm list": Stage(
        "designing:ListParadigms",
        "designs:list_paradigms",
        "app.stages.designs:Paradigms",
        source=_FOLDER,
        python="list_paradigms",
    ),
    "paradigm show": Stage(
        "designing:ShowParadigm",
        "designs:show_paradigm",
        "app.stages.designs:ParadigmShown",
        source=_FOLDER,
        python="show_paradigm",
        first=("name",),
    ),
    "paradigm check": Stage(
        "designing:CheckParadigm",
        "designs:check",
        "app.stages.designs:ParadigmChecked",
        source=_FOLDER,
        python="check_paradigm",
        first=("name",),
    ),
    "paradigm diff": Stage(
        "designing:DiffParadigm", "designs:diff", "app.stages.designs:ParadigmDiffers", python="diff_paradigm", first=("name",)
    ),
    "paradigm update": Stage(
        "designing:UpdateParadigm",
        "designs:update",
        "app.stages.designs:ParadigmUpdated",
        python="update_paradigm",
        first=("name",),
    ),
    "prompt list": Stage(
        "designing:ListPrompts",
        "prompt_files:list_prompts",
        "app.stages.prompt_files:Prompts",
        source=_FOLDER,
        python="list_prompts",
    ),
    "prompt show": Stage(
        "designing:ShowPrompt",
        "prompt_files:show_prompt",
        "app.stages.prompt_files:PromptShown",
        source=_FOLDER,
        python="show_prompt",
        first=("name",),
    ),
    "prompt copy": Stage(
        "designing:CopyPrompt",
        "prompt_files:copy_prompt",
        "app.stages.prompt_files:PromptCopied",
        source=_FOLDER,
        python="copy_prompt",
        first=("name", "target"),
    ),
    "dataset list": Stage(
        "keeping:ListDatasets", "data_sets:list_datasets", "app.stages.data_sets:Datasets", python="list_datasets"
    ),
    "bank check": Stage(
        "keeping:CheckBank",
        "bank_keeping:check_bank",
        "app.stages.bank_keeping:BankChecked",
        source=_FOLDER,
        python="check_bank",
        first=("file",),
    ),
    "bank backup": Stage(
        "keeping:BackUpBank",
        "bank_keeping:back_up_bank",
        "app.stages.bank_keeping:BankCopied",
        source=_FOLDER,
        python="back_up_bank",
        first=("to",),
    ),
    "bank restore": Stage(
        "keeping:RestoreBank",
        "bank_keeping:restore_bank",
        "app.stages.bank_keeping:BankRestored",
        source=_FOLDER,
        python="restore_bank",
        first=("file",),
    ),
    "bank lead": Stage(
        "keeping:LeadBank", "bank_keeping:lead_bank", "app.stages.bank_keeping:BankLead", python="lead_bank", first=("name",)
    ),
    "bank log": Stage(
        "keeping:LogBank", "bank_keeping:log_bank", "app.stages.bank_keeping:BankLogged", python="log_bank", first=("file",)
    ),
    "show": Stage(
        "telling:ShowItems",
        "what_there_is:show_items",
        "app.stages.what_there_is:ItemsShown",
        python="show_items",
        first=("items",),
    ),
    "rule": Stage(
        "telling:ExplainRules",
        "what_there_is:rules",
        "app.stages.what_there_is:Rules",
        source="",
        python="explain_rules",
        first=("codes",),
    ),
    "context add": Stage(
        "behind:AddContexts", "context_sets:add", "scoring:Drawn", python="add_contexts", first=("name", "file")
    ),
    "context list": Stage(
        "behind:ListContexts", "context_sets:list_sets", "app.stages.context_sets:ContextSets", python="list_contexts"
    ),
    "context show": Stage(
        "behind:ShowContexts",
        "context_sets:show",
        "app.stages.context_sets:ContextsShown",
        python="show_contexts",
        first=("name",),
    ),
    "runs list": Stage("telling:ListRuns", "runs_told:list_runs", "app.stages.runs_told:Runs", python="list_runs"),
    "runs compare": Stage(
        "telling:CompareRuns", "runs_told:compare", "app.stages.runs_told:RunsCompared", python="compare_runs", first=("runs",)
    ),
    "runs show": Stage(
        "telling:ShowRun", "runs_told:show_run", "app.stages.runs_told:RunShown", python="show_run", first=("run",)
    ),
    "runs item": Stage(
        "telling:TraceItem", "runs_told:trace_item", "app.stages.runs_told:ItemTraced", python="trace_item", first=("label",)
    ),
    "studies": Stage(
        "telling:ListStudies", "what_there_is:studies", "app.stages.what_there_is:StudyList", source="", python="list_studies"
    ),
    "doctor": Stage(
        "telling:Examine", "what_there_is:doctor", "app.stages.what_there_is:Examined", source=_FOLDER, python="doctor"
    ),
    "posh": Stage("instruments:ComparePosh", "posh_bench:posh", "app.stages.posh_bench:PoshCompared", first=("model",)),
}
"""By what they are called at every door: one word, or two where the command is one of a group (``packet make``)."""
MOVED: dict[str, str] = {
    "study": "reproduce",
    "study list": "studies",
    "study licensing": "licensing",
    "study posh": "posh",
    "study context": "context study",
    "study count-constructions": "count-constructions",
}
"""What is typed for a stage or a module of another name. In this release the other name can be typed too, with a note."""


def typed(name: str) -> str:
    """What one types for a stage or a command of that name."""
    return next((new for new, own in MOVED.items() if own == name), name)
