"""How the house is built: names that are one thing each, faces that hide no module, and names that are gone and stay gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.rooms import ROOMS, ROOT, tree_of

COMMANDS = Path("app/cli")
"""A module here that registers a command is named as the command, and so may be named as the module that does the work."""

GONE_MODULES = {
    # What was two modules of one name in a room.
    "prompts.scrub": "prompts.scrubbing",
    "prompts.fake.batches": "prompts.fake.fake_batches",
    "prompts.fake.wire": "prompts.fake.fake_wire",
    "scoring.long_table": "scoring.long_frame",
    "scoring.measured": "scoring.observations.table",
    "scoring.regions": "scoring.observations.table",
    "scoring.analysis.compare": "scoring.analysis.set_aside",
    "scoring.analysis.licensing": "scoring.analysis.licensing_effects",
    "scoring.context_study.figures": "scoring.context_study.study_figures",
    "scoring.context_study.results": "scoring.context_study.context_effects",
    "scoring.report.licensing": "scoring.report.licensing_tables",
    "scoring.report.robust": "scoring.report.robustness_tables",
    "scoring.report.words": "scoring.report.sentences",
    "stats.distinct": "stats.distinct_values",
    "stats.formula": "stats.model_formula",
    "templates.realise": "templates.realisation",
    "templates.sample": "templates.sampling",
    "vetting.audit": "vetting.auditing",
    "vetting.agreement_report": "vetting.agreement_pages",
    "vetting.judges.agreement": "vetting.judges.judge_agreement",
    "vetting.rules.agreement": "vetting.rules.number_agreement",
    "bank.naming": "bank.item_names",
    # What the table of observations took the place of.
    "scoring.item_values": "scoring.observations.table",
    "scoring.region_scores": "scoring.observations.table",
    "scoring.analysis.measured": "scoring.observations.reading",
    # What has moved.
    "app.posh": "scoring.analysis.posh",
    "app.number_tables": "scoring.report.number_tables",
    "app.studies.figures": "app.studies.study_figures",
    "scoring.analysis.posh.figures": "scoring.report.posh_figures",
    "scoring.analysis.posh.writing": "scoring.report.posh_pages",
    "prompts.identity": "prompts.plan, prompts.earlier_runs",
}
"""Modules that are no more, below `gapsmith`, with what took their place."""

GONE_NAMES = {
    # Public classes that stood twice or more, by the module that had them.
    "vetting.agreement Coefficient": "AgreementCoefficient",
    "vetting.tui.keymap Command": "KeyCommand",
    "prompts.yields Compared": "PooledYield",
    "app.studies.running Compared": "NumberComparison",
    "scoring.analysis.comparing Comparison": "RunComparison",
    "scoring.analysis.comparing Run": "ComparedRun",
    "training.config Run": "TrainingRun",
    "scoring.context_study.plan Condition": "ContextType",
    "stats.lmm Correlation": "RandomCorrelation",
    "stats.design Design": "ModelMatrices",
    "bank.review Draft": "FieldDraft",
    "bank.formats.draft Draft": "ParadigmDraft",
    "scoring.context_study.context_effects Effect": "stats.results.Result",
    "scoring.analysis.licensing_effects Effect": "LicensingEffect",
    "stats.model_formula FormulaError": "ModelFormulaError",
    "stats.model_formula Formula": "ModelFormula",
    "vetting.review.item_view ItemView": "ReviewedItem",
    "vetting.judges.questions Kind": "QuestionKind",
    "scoring.context_pool Kind": "ContextSource",
    "vetting.rules.parses Layout": "FilledCondition",
    "app.studies.study Number": "PublishedNumber",
    "prompts.progress Outcome": "GenerationOutcome",
    "scoring.context_study.outcomes Outcome": "PairOutcome",
    "training.learning Outcome": "TrainingOutcome",
    "prompts.plan Pace": "RequestPace",
    "vetting.review.pace Pace": "ReviewPace",
    "scoring.report.sentences Pattern": "PatternVerdict",
    "training.packing Place": "CorpusPosition",
    "bank.place Place": "BankPath",
    "bank.formats.predictions Prediction": "SuitePrediction",
    "app.predicting Prediction": "ScoringEstimate",
    "parsing.plan Progress": "ParserProgress",
    "vetting.annotators Progress": "AnnotatorProgress",
    "vetting.judges.questions Question": "JudgeQuestion",
    "vetting.review.guide Question": "ProtocolQuestion",
    "bank.formats.grouping SentenceRow": "GroupedSentence",
    "scoring.lm.rows Row": "TokenRow",
    "bank.records Seen": "ScreenRecord",
    "bank.choosing Way": "ParadigmOrigin",
    "scoring.explaining Way": "SurprisalReading",
    "training.corpus.recipe Source": "CorpusSource",
    "training.checkpoints State": "TrainingState",
    "app.doctor State": "CheckState",
    "vetting.review.session Step": "ReviewStep",
    "scoring.explaining Step": "ExplanationStep",
    "scoring.contexts Step": "ContextStep",
    "app.studies.study Step": "StudyStep",
    "prompts.progress Tally": "RunCounts",
    "vetting.auditing Tally": "AuditCounts",
    # What decided what one observation is, or read values, beside the table of observations.
    "stats.distinct_values observation_keys_of": "the table: Column.observation",
    "stats.distinct_values told_apart": "the table: Column.observation",
    "stats.distinct_values unsettled": "tells_texts_apart",
    "scoring.analysis.results ObservedValue": "PredictedValues.evidence",
    "scoring.analysis.results observed_in": "together",
    "scoring.analysis.results first_of_each_observation": "distinct",
    "scoring.analysis.comparing same_sentences": "PredictedValues.evidence",
    "scoring.analysis.contrasts ContrastValues": "PredictedValues",
    "scoring.analysis.criteria meets": "meeting",
    "scoring.analysis.licensing_effects Observation": "LicensedSentence",
    "scoring.long_frame observation_of": "name_of",
    # What was a kind of result of its own.
    "scoring.context_study.context_effects ContextEffect": "stats.results.Result",
    "scoring.analysis.frequency Correlation": "stats.results.Result",
    "scoring.analysis.posh.evaluating Cell": "stats.results.Result, by share_right and every_seed",
    "scoring.analysis.posh.evaluating _counts": "share_right",
    "scoring.context_study.page effect_value": "scoring.report.effect_tables.effect_value",
    "scoring.context_study.page read_effects": "scoring.report.effect_tables.read_effects",
    "scoring.context_study.page _effect_table": "scoring.report.effect_tables.shown_effects",
    "scoring.report.licensing_pages _write_effects": "scoring.report.effect_tables.write_effects",
    # What took runs and values apart, or paired them, each in its own way.
    "scoring.analysis.comparing alike_runs": "run_pairs",
    "scoring.analysis.comparing run_called": "RunPair.names",
    "scoring.analysis.comparing _between_models": "run_pairs",
    "scoring.analysis.comparing _between_sets": "run_pairs",
    "scoring.analysis.comparing _between_contexts": "run_pairs",
    "scoring.analysis.comparing _once": "Pairing.once",
    "scoring.analysis.comparing _ordered": "in_value_order",
    "scoring.analysis.itemwise _names": "RunPair.names",
    # What was a riddle.
    "scoring.contexts Behind": "StepContexts",
    "scoring.contexts behind": "step_contexts",
    "bank.item_names Said": "ItemReference",
    "vetting.rules.packs pages": "all_pages",
    # What stood where it made a circle.
    "app.chosen author_of": "app.settings.author_of",
    "app.cli.console shown": "app.cli.printable.shown",
    "app.cli.context_draw parse_lengths": "app.cli.numbers.parse_lengths",
    "bank.decisions add_event": "bank.events.add_event",
    "bank.decisions add_events": "bank.events.add_events",
    "bank.review Lock": "bank.locks.Lock",
    "bank.review read_locks": "bank.locks.read_locks",
    "bank.seeing is_locked": "bank.locks.is_locked",
    "bank.copies copy_all": "bank.file_copies.copy_all",
    "bank.rescue bring_back": "bank.saved_copies.bring_back",
    "prompts.plan identity_of": "GenerationPlan.identity",
    "scoring.analysis.criteria CriterionResult": "scoring.analysis.results.CriterionResult",
    "templates.digest lexicon_contents": "templates.lexicon.lexicon_contents",
    "templates.digest read_as": "templates.made_with.read_as",
    "templates.lexicon lexicon_of": "templates.slot_lexicons.lexicon_of",
    "templates.model DEFAULT_MEASURE": "templates.formula.DEFAULT_MEASURE",
    "training.lm TrainedModel": "training.trained.TrainedModel",
    "vetting.review.item_view SentenceRow": "vetting.review.sentence_rows.SentenceRow",
    "vetting.rules.model Hit": "vetting.rules.hits.Hit",
    "vetting.rules.rule_pages pages": "vetting.rules.packs.all_pages",
}
"""``module name``, below `gapsmith`, of public names that are no more, with what took their place."""


def modules() -> Iterator[Path]:
    """All modules that install but the faces, from the root of the checkout."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.name != "__init__.py":
                yield path.relative_to(ROOT)


def dotted(path: Path) -> str:
    """``bank.formats.pairs`` for ``bank/formats/pairs.py``."""
    return ".".join(path.with_suffix("").parts)


def defined(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """What a module itself defines at its top, by name."""
    for node in tree_of(ROOT / path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))


def twice(names: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that stand in several places, with these places."""
    found: dict[str, list[str]] = {}
    for name, place in names:
        found.setdefault(name, []).append(place)
    return {name: places for name, places in found.items() if len(places) > 1}


def faces() -> list[Path]:
    """The stubs in which the names of packages stand."""
    stubs = chain.from_iterable(sorted((ROOT / room).rglob("__init__.pyi")) for room in ROOMS)
    return [stub.relative_to(ROOT) for stub in stubs]


def given(face: Path) -> set[str]:
    """The names that a package gives to others."""
    tree = tree_of(ROOT / face)
    return {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_no_two_public_classes_have_one_name() -> None:
    """``ItemView`` of an editor and ``ItemView`` of a rule: which one is meant is seen at the import only."""
    classes = (
        (name, dotted(path))
        for path in modules()
        for name, node in defined(path)
        if isinstance(node, ast.ClassDef) and not name.startswith("_")
    )
    assert twice(classes) == {}


def _given_by(path: Path) -> set[str]:
    """What a module defines, and what it says that it has."""
    named = next((node for name, node in defined(path) if name == "__all__"), None)
    listed = ast.literal_eval(named.value) if isinstance(named, ast.Assign) else []
    return {*dict(defined(path)), *listed}


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_modules_of_a_room_have_one_name(room: str) -> None:
    own = [path for path in modules() if path.parts[0] == room]
    commands = {path for path in own if path.parent == COMMANDS and {"register", "run", "show", "studies"} & _given_by(path)}
    commands |= {path for path in own if path.parent == COMMANDS / "made"}
    assert bool(commands) == (room == "app")
    assert twice((path.stem, path.as_posix()) for path in own if path not in commands) == {}


@pytest.mark.parametrize("face", faces(), ids=lambda face: face.parent.as_posix())
def test_no_name_in_a_face_is_also_a_module(face: Path) -> None:
    """Python puts an imported module under its name into the package, over whatever has that name in the face."""
    folder = (ROOT / face).parent
    inside = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path.is_dir() and path.name[0] not in "_.")}
    assert given(face)
    assert given(face) & inside == set()


def test_every_package_with_names_for_others_has_a_face() -> None:
    assert {face.parts[0] for face in faces()} >= set(ROOMS) - {"app"}
    assert [face for face in faces() if not (ROOT / face).with_suffix(".py").is_file()] == []


def test_a_type_checker_reads_our_types() -> None:
    """Without ``py.typed`` a type checker takes what is imported from a package for Any; subpackages go with theirs."""
    assert (ROOT / "src" / "gapsmith" / "py.typed").is_file()


def _module_of(name: str) -> list[Path]:
    """Where a module with that name would be: a file, or a package."""
    path = ROOT / Path(*name.split("."))
    return [there for there in (path.with_suffix(".py"), path / "__init__.py") if there.exists()]


@pytest.mark.parametrize("name", GONE_MODULES)
def test_a_module_that_is_gone_stays_gone(name: str) -> None:
    assert _module_of(name) == [], f"its place has been taken by {GONE_MODULES[name]}"


@pytest.mark.parametrize("entry", GONE_NAMES)
def test_a_name_that_is_gone_stays_gone(entry: str) -> None:
    module, name = entry.split()
    assert _module_of(module), "the module has moved or gone: say so here, of the module or of the name in its new place"
    for path in _module_of(module):
        names = {known for known, _ in defined(path.relative_to(ROOT))}
        assert name not in names, f"its place has been taken by {GONE_NAMES[entry]}"


def test_nothing_names_what_is_gone() -> None:
    """Neither code nor pages; the changelog tells what was."""
    files = [path for room in (*ROOMS, "tools", "benchmarks") for path in (ROOT / room).rglob("*.py")]
    files += [path for folder in ("docs", "tests") for path in (ROOT / folder).rglob("*.md")] + [ROOT / "README.md"]
    # A function may be called as the module was that had it: `gapsmith.scoring.long_table`.
    functions = {f"{'.'.join(face.parts[:-1])}.{name}" for face in faces() for name in given(face)}
    gone = sorted(GONE_MODULES.keys() - functions)
    paths = {f"{name.replace('.', '/')}.py" for name in GONE_MODULES}
    found = {}
    for file in files:
        text = file.read_text(encoding="utf-8")
        said = {"".join(parts) for parts in re.findall(r"\bgapsmith\.(\w+)((?:\.\w+)*)", text)}
        named = {name for name in gone if any(f"{one}.".startswith(f"{name}.") for one in said)}
        named |= paths.intersection(re.findall(r"(?<![\w/])[\w/]+\.py\b", text))
        if named:
            found[file.relative_to(ROOT).as_posix()] = named
    assert found == {}


def test_every_word_of_the_glossary_is_there_once() -> None:
    entries = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(entries) > 30
    assert twice(iter(entries)) == {}


@pytest.mark.parametrize("page", ["README.md", "docs/architecture.md"])
def test_the_words_are_found(page: str) -> None:
    assert "glossary.md)" in (ROOT / page).read_text(encoding="utf-8")


def test_what_took_the_place_of_a_module_is_there() -> None:
    """An entry whose new name is wrong helps nobody."""
    for places in GONE_MODULES.values():
        for place in places.split(", "):
            assert _module_of(place), place
