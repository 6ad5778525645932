"""A data set that is there twice is no further evidence: every consumer of measured items gives the numbers of one of them.

Each consumer gets a bank, and the same bank with the data sets copied under other names, and must give the same but for counts
of what was given. A consumer that is not listed here fails.
"""

from __future__ import annotations

import ast
import dataclasses
import math
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gapsmith as gapsmith_package
import gapsmith.scoring.analysis
from gapsmith.app.cli import COMMANDS
from gapsmith.app.cli.app import app
from gapsmith.app.context_studies import ContextStudy
from gapsmith.app.studies import StudyRun, load_study, numbers_of
from gapsmith.bank import Bank, NewItem, StoredItem, Verdict
from gapsmith.bank.records import ItemFilter
from gapsmith.scoring import FrameWish, accuracy_by_step
from gapsmith.scoring.analysis import (
    AUTO,
    AnalysisOptions,
    analysis_json,
    analyze,
    analyze_all,
    compare,
    comparison_json,
    fit_formula,
    item_frame,
    plain_data,
    result_rows,
    sensitivity,
    sensitivity_json,
    sentence_frame,
)
from gapsmith.scoring.analysis.frequency import ConstructionCount, correlations
from gapsmith.scoring.analysis.licensing_effects import licensed_sentences, licensing
from gapsmith.scoring.analysis.posh.evaluating import evaluate
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.scoring.analysis.tabled import condition_rows
from gapsmith.scoring.context_pool import ContextSource
from gapsmith.scoring.context_study import StudyPlan
from gapsmith.scoring.contexts import Plan, draw_contexts
from gapsmith.scoring.lm import BosPolicy, open_engine
from gapsmith.scoring.report import long_frame
from gapsmith.scoring.score_run import missing_requests, score_selected, select_texts
from gapsmith.templates import load_paradigm
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.norming import Scale, judge_trial, stimuli
from tests.rooms import ROOMS, trees_of
from tests.scoring.analysing import add_items, approve
from tests.scoring.conftest import save_tiny_gpt2

LICENSED, PAIRS = "embwhq", "posh_wanna"
ALL = AnalysisOptions(all_items=True)
GIVEN = frozenset(
    {
        "n_given",
        "n_items",
        "n_undefined",
        "n_straddling",
        "n_unlike",
        "n_ratings",
        "n_holds",
        "n_measured",
        "values",
        "reasons",
        "restrictions",
        "restriction",
        "texts",
        "notes",
        "caveats",
        "differing",
        "lacking",
        "account",
        "items",
        "item_dataset",
        "note",
        "dataset",
    }
)
"""What counts or lists what was given: items, whatever they repeat."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_gpt2(tmp_path_factory.mktemp("model"), n_positions=128)


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory, model: Path) -> tuple[Path, Path]:
    """A workspace, and one with every data set twice; both scored, judged and drawn contexts for."""
    from gapsmith.app.workspace import make_workspace

    once = tmp_path_factory.mktemp("once")
    make_workspace(once)
    for n, level in ((8, "none"), (3, "b"), (3, "w")):
        order = ["generate", LICENSED, "-n", str(n), "--seed", "1", "--choose", f"embedding={level}"]
        done = CliRunner().invoke(app, [*order, "--workspace", str(once)])
        assert done.exit_code == 0, done.output
    with gapsmith_package.open_workspace(once) as study:
        gapsmith_package.generate(study, PAIRS, n=8, seed=1)
        bank = study.bank
        approve(bank, bank.items.ids()[3:])
        bank.decisions.decide(bank.items.ids()[:3], Verdict.EXCLUDE, author="ann", reason="other")
        ann = Session(bank, "ann")
        for number, one in enumerate(stimuli(ann)[:60]):
            judge_trial(ann, one, str(1 + (number * number) % 7), Scale.likert(7), 1.0)
        _draw(bank, "drawn")
        selected = select_texts(bank, ItemFilter(paradigm=LICENSED), everything=True)
        score_selected(bank, open_engine(str(model), device="cpu", bos=BosPolicy.NONE), selected)
        selected = select_texts(bank, ItemFilter(), everything=True, contexts=["drawn"])
        score_selected(bank, open_engine(str(model), device="cpu"), selected)
    twice = tmp_path_factory.mktemp("twice") / "study"
    shutil.copytree(once, twice)
    with Bank.open(twice / "bank.sqlite") as bank:
        _copy(bank)
    for folder in (once, twice):
        with Bank.open(folder / "bank.sqlite") as bank:
            # By the same seed they are the same contexts, behind which all is scored.
            _draw(bank, "near")
            selected = select_texts(bank, ItemFilter(), everything=True, contexts=["near"])
            assert missing_requests(bank, _model_of(bank), selected)[0] == []
    return once, twice


def _draw(bank: Bank, name: str) -> None:
    plan = Plan(kind=ContextSource.MATCHED, lengths=(20,), seed=1)
    draw_contexts(bank, name, plan, ItemFilter(paradigm=LICENSED), lambda text: len(text.split()), everything=True)


def _copy(bank: Bank) -> None:
    """Every data set once more, as somebody has it who took a file of it in."""
    for name in bank.paradigms.names():
        items: list[StoredItem] = list(bank.items.iterate(ItemFilter(paradigm=name)))
        new = [
            NewItem(i.slots, i.sentences, label=i.label, dataset=f"copy-of-{i.dataset}", attributes=i.attributes) for i in items
        ]
        ids = add_items(bank, load_paradigm(name), new, identity="copy")
        aside = [own for own, item in zip(ids, items, strict=True) if item.status.value == "excluded"]
        bank.decisions.decide(aside, Verdict.EXCLUDE, author="ann", reason="other")
        approve(bank, [own for own in ids if own not in aside])


def _plain(data: Any) -> Any:
    """Without what is given, and numbers as they are shown."""
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        data = plain_data(data)
    if isinstance(data, Mapping):
        return {
            str(key): _plain(value)
            for key, value in data.items()
            if key not in GIVEN and not (key == "undefined" and isinstance(value, list))
        }
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, float):
        return None if math.isnan(data) else float(f"{data:.4g}")
    return data


def _model_of(bank: Bank) -> int:
    return bank.scores.scorers()[-1].id


def _analysis(bank: Bank, _: Path) -> Any:
    return [analysis_json(_of(bank, name, by_word=True)) for name in (LICENSED, PAIRS)]


def _of(bank: Bank, paradigm: str, **options: Any) -> Analysis:
    return analyze(bank, paradigm, scorer_id=_model_of(bank), options=AnalysisOptions(**options))


def _compared(bank: Bank, _: Path) -> Any:
    """Two scorers, groups of items, nothing and contexts."""
    every = [compare(bank, LICENSED, by=("revision", "context"), contexts=("near",), options=ALL)]
    every.append(compare(bank, LICENSED, by=("embedding",), options=ALL))
    return [comparison_json(one) for one in every]


def _tables(bank: Bank, _: Path) -> Any:
    found = _of(bank, LICENSED, holm=True)
    dropped = {"dataset"}
    return [
        {name: value for name, value in row.items() if name not in dropped}
        for rows in (result_rows(found), condition_rows(found))
        for row in rows
    ]


def _sensitive(bank: Bank, _: Path) -> Any:
    found = sensitivity(bank, LICENSED, scorer_id=_model_of(bank), options=AnalysisOptions(contrasts=()))
    data = sensitivity_json(found)
    data.pop("analysis", None)
    return data


def _every(bank: Bank, _: Path) -> Any:
    return [analysis_json(one) for one in analyze_all(bank, (), model=None, options=ALL).analyses]


def _long(bank: Bank, _: Path) -> Any:
    """As the docs have it: each measurement once."""
    table = long_frame(bank, ItemFilter(paradigm=LICENSED), FrameWish(scorer=_model_of(bank), critical_only=True)).table
    kept = table.as_pandas().query("critical").drop_duplicates(["condition", "observation"])
    return kept[["item", "condition", "value", "observation"]].to_dict("records")


def _modelled(bank: Bank, _: Path) -> Any:
    wish = FrameWish(scorer=_model_of(bank))
    by_sentence = sentence_frame(bank, ItemFilter(paradigm=LICENSED), wish)
    by_item = item_frame(bank.items.iterate(ItemFilter(paradigm=LICENSED)), [_of(bank, LICENSED, all_items=True)])
    columns = {name: by_sentence.columns[name] for name in ("surprisal", "condition")}
    fit = fit_formula(AUTO, by_sentence)
    return [columns, by_sentence.default, by_item.columns["value"], plain_data(fit.coefficients), fit.n]


def _licensing(bank: Bank, _model: Path) -> Any:
    _, found, _ = licensed_sentences(bank, LICENSED, model=None, all_items=True, unigrams=lambda _: "there is no table")
    result = licensing("tiny", found)
    counted = correlations([result], [ConstructionCount("questions", (LICENSED,), {"corpus": 7})])
    # Here the number of items is what the effect is over.
    return [[(e.n_items, e) for e in result.effects], [(c.n_items, c) for c in result.cells], counted]


def _posh(bank: Bank, _: Path) -> Any:
    found = evaluate(bank)
    return sorted((row.model, part.name, cell.correct, cell.n) for (row, part), cell in found.outcomes.items())


def _context_study(bank: Bank, model: Path) -> Any:
    engine = open_engine(str(model), device="cpu", engine="batches")
    plan = StudyPlan(lengths=(20,), everything=True)
    made = ContextStudy.of(bank, engine, str(model), plan, paradigms=[PAIRS])
    report = made.score(made.selected)
    results = made.results(report.scorer_id)
    return [results.suites, results.points, results.baseline, len(results.outcomes), len(made.items)]


def _training(bank: Bank, model: Path) -> Any:
    with accuracy_by_step(bank.path, [LICENSED], everything=True, device="cpu") as measure:
        return dict(measure(model))


def _reproduced(bank: Bank, _: Path) -> Any:
    file = bank.path.parent / "study.toml"
    file.write_text(STUDY, encoding="utf-8")
    study = load_study(str(file))
    return [plain_data(row) for row in numbers_of(study, [StudyRun(study, bank, bank.scores.scorers()[-1].model)])]


STUDY = f"""
name = "copied"
title = "A set"
paper = "nobody's"
about = "Items."

[[set]]
name = "all"
title = "all"
paradigm = "{LICENSED}"
dataset = "generated"
stimuli = "ours"

[[number]]
what = "n"
set = "all"
contrast = "CONTRAST"
statistic = "n"
published = 1
model = "gpt2"

[[number]]
what = "count"
set = "all"
contrast = "CONTRAST"
statistic = "count"
published = 1
model = "gpt2"
""".replace("CONTRAST", load_paradigm(LICENSED).contrasts[0].name)

Check = Callable[[Bank, Path], Any]
CHECKS: Mapping[str, Check] = {
    "analysis": _analysis,
    "analyses": _every,
    "comparison": _compared,
    "tables": _tables,
    "sensitivity": _sensitive,
    "long frame": _long,
    "mixed models": _modelled,
    "licensing": _licensing,
    "posh": _posh,
    "context study": _context_study,
    "training": _training,
    "reproduce": _reproduced,
}


@pytest.fixture
def opened(banks: tuple[Path, Path], tmp_path: Path) -> Iterator[tuple[Bank, Bank]]:
    paths = [Path(shutil.copytree(folder, tmp_path / str(n))) / "bank.sqlite" for n, folder in enumerate(banks)]
    with Bank.open(paths[0]) as once, Bank.open(paths[1]) as twice:
        yield once, twice


@pytest.mark.parametrize("name", CHECKS)
def test_a_copied_data_set_changes_no_number(name: str, opened: tuple[Bank, Bank], model: Path) -> None:
    once, twice = opened
    assert twice.items.count(ItemFilter()) == 2 * once.items.count(ItemFilter())
    before, after = (_plain(CHECKS[name](bank, model)) for bank in (once, twice))
    assert before, "a consumer that gives nothing checks nothing"
    assert list(_different(before, after)) == []


def _different(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """Where the two come apart, and what stands there."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from _different(before.get(key), after.get(key), f"{place}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, both in enumerate(zip(before, after, strict=True)):
            yield from _different(*both, f"{place}/{number}")
    elif before != after:
        yield f"{place}: {before!r} is {after!r}"


# Every consumer is listed

NO_NUMBERS = "shows, keeps or moves items and texts one by one; what it counts is what is there"
READERS: Mapping[str, str] = {
    "scoring/observations/reading.py": "analysis",
    "scoring/score_run.py": NO_NUMBERS,
    "scoring/token_table.py": NO_NUMBERS,
    "bank/saved_copies.py": NO_NUMBERS,
}
"""The modules that read scores from the bank."""
ANALYSERS: Mapping[str, str] = {
    "app/stages/analysing.py": "analyses",
    "app/cli/analyze.py": "analyses",
    "app/stages/export_numbers.py": "tables",
    "app/demo.py": "analysis",
    "scoring/learning_curve.py": "training",
    "app/studies/running.py": "reproduce",
    "scoring/analysis/comparing.py": "comparison",
    "scoring/analysis/robust.py": "sensitivity",
    "scoring/analysis/run.py": "analysis",
    "scoring/analysis/several.py": "analyses",
}
"""The modules that have items analysed."""
COMMAND_CHECKS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "init",
            "paradigm",
            "prompt",
            "generate",
            "import",
            "dataset",
            "bank",
            "show",
            "rule",
            "studies",
            "review",
            "annotations",
            "assign",
            "packet",
            "decide",
            "score",
            "import-scores",
            "count-constructions",
            "runs",
            "explain-number",
            "doctor",
            "serve-fake",
        ),
        NO_NUMBERS,
    ),
    "lint": "names what data sets repeat (C100, C101), set by set",
    "audit": "names what a file repeats",
    "agreement": "counts decisions of people, and reads no score",
    "context": "context study",
    "analyze": "analyses",
    "licensing": "licensing",
    "report": "analyses",
    "posh": "posh",
    "reproduce": "reproduce",
    "export": "long frame",
    "train": "training",
    "demo": "analysis",
    "next": "counts items of each data set, and reads no score",
}
API_CHECKS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "AnalysisOptions",
            "Bank",
            "GapsmithError",
            "ItemFilter",
            "Paradigm",
            "Request",
            "Workspace",
            "count_constructions",
            "add_contexts",
            "back_up_bank",
            "check_bank",
            "check_paradigm",
            "compare_runs",
            "copy_prompt",
            "diff_paradigm",
            "doctor",
            "explain_rules",
            "lead_bank",
            "list_contexts",
            "list_datasets",
            "list_paradigms",
            "list_prompts",
            "list_runs",
            "list_studies",
            "log_bank",
            "make_workspace",
            "restore_bank",
            "show_contexts",
            "show_items",
            "show_paradigm",
            "show_prompt",
            "show_run",
            "trace_item",
            "update_paradigm",
            "decide",
            "draft_paradigm",
            "draw_contexts",
            "expand",
            "explain_number",
            "export",
            "generate",
            "import_file",
            "import_scores",
            "agreement",
            "annotation_table",
            "assign",
            "load_dataset",
            "make_packet",
            "merge_banks",
            "remove_dataset",
            "rename_dataset",
            "undo_dataset",
            "take_packet",
            "lint",
            "load_paradigm",
            "next_step",
            "open_engine",
            "open_workspace",
            "read_back",
            "realise",
            "sample",
            "score",
            "train_corpus",
            "train_parser",
        ),
        NO_NUMBERS,
    ),
    "analyze": "analysis",
    "audit": "names what a file repeats",
    "runs_watch": NO_NUMBERS,
    "train_lm": "training",
    "frame": "long frame",
    "licensing": "licensing",
    "posh": "posh",
    "report": "analyses",
    "reproduce": "reproduce",
    "study_contexts": "context study",
}
COUNTED_FIELDS = {
    "contrasts",
    "conditions",
    "regions",
    "contrast_regions",
    "differences",
    "comparisons",
    "criteria",
    "words",
    "ratings",
    "omitted",
}
"""What of an analysis is computed from values of items; all of it is in its JSON, which the check compares."""
OTHER_FIELDS = {
    "paradigm",
    "scorer_id",
    "scorer",
    "provenance",
    "requests",
    "apart",
    "options",
    "items",
    "account",
    "caveats",
    "example",
    "names",
    "texts",
    "notes",
    "revision_name",
    "context",
    "context_length",
}
"""What says of what it is, or counts and lists what was given."""


def modules_calling(*names: str) -> set[str]:
    """The modules of ours in which something of these names is called: ``scores.get``, ``analyze``."""
    found = set()
    for module, tree in trees_of(*ROOMS):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and any(f".{ast.unparse(node.func)}".endswith(f".{name}") for name in names):
                found.add(module)
    return found


def test_every_reader_of_scores_is_listed() -> None:
    assert modules_calling("scores.get", "scores.in_contexts") == set(READERS)


def test_every_caller_of_an_analysis_is_listed() -> None:
    called = modules_calling("analyze", "analyze_chosen", "analyze_all", "analyze_bank", "compare", "sensitivity")
    # The bank lies below analyses; what it compares are checksums.
    assert {module for module in called if not module.startswith("bank/")} == set(ANALYSERS)


def test_every_command_function_and_field_is_listed() -> None:
    assert set(COMMAND_CHECKS) == set(COMMANDS)
    assert set(API_CHECKS) == set(dir(gapsmith_package))
    assert {field.name for field in dataclasses.fields(Analysis)} == COUNTED_FIELDS | OTHER_FIELDS
    used = {*READERS.values(), *ANALYSERS.values(), *COMMAND_CHECKS.values(), *API_CHECKS.values()}
    reasons = {one for one in used if " " in one and one not in CHECKS}
    assert used - reasons <= set(CHECKS)


def test_every_function_of_an_analysis_is_listed() -> None:
    functions = {name for name in dir(gapsmith.scoring.analysis) if name.islower() and not name.isupper()}
    checked = {
        "analysis": {"analysis_json", "analyze", "analyze_chosen", "result_rows", "condition_rows"},
        "analyses": {"analyze_all"},
        "comparison": {"compare", "comparison_json"},
        "sensitivity": {"sensitivity", "sensitivity_json"},
        "mixed models": {"sentence_frame", "item_frame", "fit_formula", "r_material"},
        "licensing": {
            "analyze_licensing",
            "licensing",
            "licensed_sentences",
            "is_licensing",
            "correlations",
            "read_construction_counts",
        },
    }
    by_item = {"item_pairs", "item_pair_rows", "item_rows"}
    chooses = {"choose", "chosen_predictions"}
    about = {"about", "label", "plain_data", "describe_scorer", "find_scorer", "step_of"}
    assert set(checked) <= set(CHECKS)
    assert functions == set().union(*checked.values()) | by_item | chooses | about
