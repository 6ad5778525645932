"""Every consumer of what was measured, with a check that gives its numbers: the one list on which the invariants are tested.

A check gives plain values that say all that a consumer computes. What the lists below do not name fails in `test_invariants.py`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gapsmith.app.auditing import audit_file, with_accuracies
from gapsmith.app.critical_values import critical_values
from gapsmith.app.studies import StudyRun, load_study, numbers_of
from gapsmith.bank import Bank
from gapsmith.bank.formats import ReadOptions, ReadServices
from gapsmith.bank.records import ItemFilter
from gapsmith.scoring import FrameWish, accuracy_by_step
from gapsmith.scoring.analysis import (
    AUTO,
    AnalysisOptions,
    analysis_json,
    analyze,
    analyze_all,
    compare,
    compare_formulas,
    comparison_json,
    fit_formula,
    item_frame,
    item_pairs,
    plain_data,
    power_of_contrasts,
    r_material,
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
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.report import long_frame
from gapsmith.scoring.score_run import missing_requests
from gapsmith.templates import load_paradigm
from tests.scoring.workspaces import LICENSED, PAIRS, study_of

FEW = 199
"""Sign flips that are enough to see whether they are the same ones."""
ALL = AnalysisOptions(all_items=True, permutations=FEW)
GIVEN = frozenset(
    {
        "n_given",
        "n_items",
        "n_undefined",
        "n_straddling",
        "n_unlike",
        "n_other_words",
        "n_other_lengths",
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


ORDER = frozenset(
    {
        "id",
        "scorer_id",
        "scorer",
        "context",
        "context_number",
        "text",
        "texts",
        "item_uid",
        "uid",
        "uids",
        "provenance",
        "run_id",
        "runs",
        "created_at",
    }
)
"""What names a row by when it came, or shows whichever sentence of an item stands first."""


def shown(data: Any, ignored: frozenset[str] = frozenset(), dropped: str = "") -> Any:
    """What a check gives as dictionaries, lists and plain values, without what is ignored and what is dropped from names."""
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        data = plain_data(data)
    if isinstance(data, Mapping):
        return {
            str(key): shown(value, ignored, dropped)
            for key, value in data.items()
            if key not in ignored and not ("values" in ignored and key == "undefined" and isinstance(value, list))
        }
    if isinstance(data, (list, tuple)):
        return [shown(value, ignored, dropped) for value in data]
    if isinstance(data, str):
        return data.replace(dropped, "") if dropped else data
    return None if isinstance(data, float) and math.isnan(data) else data


def unordered(data: Any) -> Any:
    """The same with every list of anything but numbers sorted, and the words of every text: what stands first is not compared."""
    if isinstance(data, Mapping):
        return {key: unordered(value) for key, value in data.items()}
    if isinstance(data, list):
        own = [unordered(value) for value in data]
        return own if all(isinstance(value, (int, float)) for value in own) else sorted(own, key=_rounded)
    return " ".join(sorted(re.findall(r"[\w.]*\w", data))) if isinstance(data, str) else data


def _rounded(data: Any) -> str:
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.5g}", json.dumps(data, sort_keys=True))


def differences(before: Any, after: Any, place: str = "", *, rel: float = 1e-9) -> Iterator[str]:
    """Where two come apart, and what stands there."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from differences(before.get(key), after.get(key), f"{place}/{key}", rel=rel)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, both in enumerate(zip(before, after, strict=True)):
            yield from differences(*both, f"{place}/{number}", rel=rel)
    elif isinstance(before, float) and isinstance(after, float):
        if not math.isclose(before, after, rel_tol=rel, abs_tol=rel):
            yield f"{place}: {before!r} is {after!r}"
    elif before != after:
        yield f"{place}: {before!r} is {after!r}"


def scorer_of(bank: Bank) -> int:
    """The scorer that measured everything."""
    return next(own.id for own in bank.scores.scorers() if own.bos == "bos")


def _analysis(bank: Bank, _: Path) -> Any:
    return [analysis_json(_of(bank, name, by_word=True)) for name in (LICENSED, PAIRS)]


def _of(bank: Bank, paradigm: str, **options: Any) -> Analysis:
    return analyze(bank, paradigm, scorer_id=scorer_of(bank), options=AnalysisOptions(permutations=FEW, **options))


def _compared(bank: Bank, _: Path) -> Any:
    """Two scorers, groups of items, nothing and contexts."""
    every = [compare(bank, LICENSED, by=("revision", "context"), contexts=("drawn",), options=ALL)]
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
    found = sensitivity(bank, LICENSED, scorer_id=scorer_of(bank), options=AnalysisOptions(permutations=FEW))
    data = sensitivity_json(found)
    data.pop("analysis", None)
    return data


def _every(bank: Bank, _: Path) -> Any:
    return [analysis_json(one) for one in analyze_all(bank, (), model=None, options=ALL).analyses]


def _power(bank: Bank, _: Path) -> Any:
    """What more items would show, of which items it is, and which were left out."""
    found = analyze_all(bank, (), model=None, options=ALL).analyses
    return [[dataclasses.asdict(own) | {"contrast": own.contrast.name} for own in power_of_contrasts(one)] for one in found]


def _long(bank: Bank, _: Path) -> Any:
    """As the docs have it: each measurement once."""
    table = long_frame(bank, ItemFilter(paradigm=LICENSED), FrameWish(scorer=scorer_of(bank), critical_only=True)).table
    kept = table.as_pandas().query("critical").drop_duplicates(["condition", "observation"])
    return kept[["item", "condition", "value", "observation"]].to_dict("records")


def _modelled(bank: Bank, _: Path) -> Any:
    wish = FrameWish(scorer=scorer_of(bank))
    by_sentence = sentence_frame(bank, ItemFilter(paradigm=LICENSED), wish)
    by_item = item_frame(bank.items.iterate(ItemFilter(paradigm=LICENSED)), [_of(bank, LICENSED, all_items=True)])
    columns = {name: by_sentence.columns[name] for name in ("surprisal", "condition")}
    fit = fit_formula(AUTO, by_sentence)
    small = fit_formula("surprisal ~ licensor + (1 | subject)", by_sentence)
    compared = compare_formulas([fit_formula("surprisal ~ licensor * gap + (1 | subject)", by_sentence), small], by_sentence)
    return [columns, by_sentence.default, by_item.columns["value"], plain_data(fit.coefficients), fit.n, plain_data(compared)]


def _licensing(bank: Bank, _model: Path) -> Any:
    _, found, _ = licensed_sentences(bank, LICENSED, model=None, all_items=True, unigrams=lambda _: "there is no table")
    result = licensing("tiny", found)
    counted = correlations([result], [ConstructionCount("questions", (LICENSED,), {"corpus": 7})])
    # Here the number of items is what the effect is over.
    return [[(e.n_items, e) for e in result.effects], [(c.n_items, c) for c in result.cells], counted]


def _posh(bank: Bank, _: Path) -> Any:
    found = evaluate(bank)
    return [[(own.n, own.details), own] for own in found.results]


def _context_study(bank: Bank, model: Path) -> Any:
    made = study_of(bank, model)
    # By the same seed they are the same contexts, behind which all is scored.
    assert missing_requests(bank, scorer_of(bank), made.selected)[0] == []
    results = made.results(scorer_of(bank))
    return [results.suites, results.points, results.baseline, len(results.outcomes), len(made.items)]


def _training(bank: Bank, model: Path) -> Any:
    with accuracy_by_step(bank.path, [LICENSED], everything=True, device="cpu") as measure:
        return dict(measure(model))


def _reproduced(bank: Bank, _: Path) -> Any:
    file = bank.path.parent / "study.toml"
    file.write_text(STUDY, encoding="utf-8")
    study = load_study(str(file))
    return [plain_data(row) for row in numbers_of(study, [StudyRun(study, bank, bank.scores.scorer(scorer_of(bank)).model)])]


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


def _audited(bank: Bank, model: Path) -> Any:
    """A file of the pairs, as somebody publishes it."""
    file = bank.path.parent / "pairs.jsonl"
    rows = []
    for item in bank.items.iterate(ItemFilter(paradigm=PAIRS)):
        paradigm = load_paradigm(PAIRS)
        texts = {paradigm.condition(own.condition).expected: own.text for own in item.sentences}
        rows.append({"sentence_good": texts["ok"], "sentence_bad": texts["*"], "pairID": f"{item.dataset} {item.label}"})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    audited = audit_file(file, options=ReadOptions(), services=ReadServices())
    return with_accuracies(audited, open_engine(str(model), device="cpu")).accuracies


def _ratings(bank: Bank, _: Path) -> Any:
    return _of(bank, LICENSED, all_items=True, by_region=False).ratings


def _words(bank: Bank, _: Path) -> Any:
    return _of(bank, LICENSED, by_region=False, by_word=True).words


def _item_pairs(bank: Bank, _: Path) -> Any:
    """What each pair of values is, and not how many items have it."""
    found = compare(bank, LICENSED, by=("context", "dataset"), contexts=("drawn",), options=ALL)
    pairs = (pair for pair in item_pairs(found) if not any("copy" in side for side in (pair.first, pair.second, str(pair.about))))
    rows = {(pair.contrast, pair.first, pair.second, str(pair.about), pair.values, pair.as_expected) for pair in pairs}
    return sorted(rows, key=str)


def _reviewed(bank: Bank, _: Path) -> Any:
    """By text, what each scorer says."""
    found: dict[str, Any] = {}
    for item in bank.items.iterate(ItemFilter(paradigm=LICENSED)):
        paradigm = bank.paradigms.reading(item.paradigm_id)
        for scorer, values in critical_values(bank, item, paradigm).items():
            found |= {f"{scorer} {sentence.text}": values.get(sentence.condition) for sentence in item.sentences}
    return found


def _for_r(bank: Bank, _: Path) -> Any:
    frame = sentence_frame(bank, ItemFilter(paradigm=LICENSED, dataset="generated"), FrameWish(scorer=scorer_of(bank)))
    material = r_material("surprisal ~ licensor * gap + (1 | subject)", frame)
    return [material.script, material.data]


Check = Callable[[Bank, Path], Any]
CHECKS: Mapping[str, Check] = {
    "analysis": _analysis,
    "analyses": _every,
    "power": _power,
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
    "audit": _audited,
    "ratings": _ratings,
    "word means": _words,
    "item pairs": _item_pairs,
    "review values": _reviewed,
    "export r": _for_r,
}


PLANTED_IN: Mapping[str, str] = {
    "analysis": "test_every_item_without_a_value_has_a_reason_and_none_is_dropped",
    "analyses": "test_what_restricts_a_result_stands_beside_it_at_every_door",
    "tables": "test_every_item_without_a_value_has_a_reason_and_none_is_dropped",
    "comparison": "test_what_is_compared_says_of_which_items_it_is",
    "item pairs": "test_what_is_compared_says_of_which_items_it_is",
    "long frame": "test_frames_have_a_row_or_a_word_for_every_item_without_a_value",
    "mixed models": "test_frames_have_a_row_or_a_word_for_every_item_without_a_value",
    "review values": "test_values_of_a_review_are_there_for_what_has_one",
    "context study": "test_outcomes_behind_nothing_are_counted_where_there_are_none",
    "licensing": "test_effects_of_licensing_say_of_which_items_they_are",
    "posh": "test_shares_of_posh_say_of_which_pairs_they_are",
    "audit": "test_an_audit_says_of_which_pairs_a_model_says_nothing",
    "training": "test_training_says_how_many_items_have_no_value_and_why",
    "sensitivity": "goes from an analysis to others, each with its own reasons",
    "reproduce": "a published number is one of an analysis",
    "ratings": "what people did not rate has no row; what a model says of the others is the table's",
    "word means": "columns of the table, each with its own n",
    "export r": "the frame of mixed models",
    "power": "goes from an analysis, whose n it shows",
}
"""By consumer, the test in `test_invariants_planted.py` in which items lack something, or why there is none."""
NAMES_HALVES: Mapping[str, str] = {
    "comparison": "compares data sets, which halves are two of",
    "item pairs": "compares data sets, which halves are two of",
    "context study": "a data set is a suite, with contexts of its own",
    "reproduce": "a published set is one data set, by its name",
    "export r": "of one data set, by its name",
}
"""Consumers to which the name of a data set means something."""
OF_WHOLE_SENTENCES: Mapping[str, str] = {
    "audit": "pairs are compared as whole sentences, and the items that go on otherwise are no pairs",
    "posh": "pairs are compared as whole sentences",
    "review values": "says of each text what it is",
    "context study": "of pairs, which are compared as whole sentences",
    "reproduce": "counts items, as published tables do",
    "licensing": "two of its metrics read on; the first is tested by itself",
}
"""Consumers for which what comes after the critical region is read."""
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
    "app/stages/power.py": "power",
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
            "plan",
            "packet",
            "decide",
            "score",
            "import-scores",
            "count-constructions",
            "runs",
            "doctor",
            "serve-fake",
        ),
        NO_NUMBERS,
    ),
    "explain-number": "says of one sentence what tools make of one model's tokens; ours is the table's (test_explaining.py)",
    "lint": "names what data sets repeat (C100, C101), set by set",
    "audit": "audit",
    "agreement": "counts decisions of people, and reads no score",
    "judge": "answers of people, and reads no score",
    "lab": "counts decisions of people, and reads no score",
    "context": "context study",
    "analyze": "analyses",
    "power": "power",
    "licensing": "licensing",
    "publish": "analyses",
    "model": "makes a model of files of others",
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
            "convert_model",
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
            "judging_results",
            "lab",
            "new_judging",
            "new_paradigm",
            "recognise_datasets",
            "draw_contexts",
            "expand",
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
            "freeze_plan",
            "list_plans",
            "load_paradigm",
            "next_step",
            "open_engine",
            "open_workspace",
            "read_back",
            "realise",
            "sample",
            "score",
            "train_audit",
            "train_corpus",
            "train_counts",
            "train_parser",
        ),
        NO_NUMBERS,
    ),
    "analyze": "analysis",
    "audit": "audit",
    "explain_number": "says of one sentence what tools make of one model's tokens; ours is the table's (test_explaining.py)",
    "runs_watch": NO_NUMBERS,
    "train_lm": "training",
    "train_grid": "posh",
    "frame": "long frame",
    "licensing": "licensing",
    "posh": "posh",
    "power": "power",
    "publish": "analyses",
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
    "word_differences",
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
    "plan",
    "revision_name",
    "context",
    "context_length",
}
"""What says of what it is, or counts and lists what was given."""
ANALYSIS_FUNCTIONS: Mapping[str, set[str]] = {
    "analysis": {"analysis_json", "plan_of", "analyze", "analyze_chosen", "result_rows", "condition_rows"},
    "analyses": {"analyze_all", "corrected_together"},
    "power": {"power_of_contrasts", "power_over_models", "observed_words"},
    "comparison": {"compare", "corrected_comparisons", "comparison_json", "read_kinds", "read_model_name"},
    "sensitivity": {"sensitivity", "sensitivity_json"},
    "mixed models": {"sentence_frame", "item_frame", "fit_formula", "compare_formulas", "r_material"},
    "licensing": {
        "analyze_licensing",
        "licensing",
        "licensed_sentences",
        "corrected_effects",
        "is_licensing",
        "correlations",
        "read_construction_counts",
    },
    "item pairs": {"item_pairs"},
}
"""By the consumer that uses it, what the analysis offers."""
