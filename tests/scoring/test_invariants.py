"""Invariants of every number, tested for every consumer of what was measured (`tests.scoring.consumers`).

Each consumer gets a workspace, and the same things otherwise arranged: every data set twice; items, sentences, data sets and scorers
in another order; data sets in halves; items beside twins that only go on otherwise. A consumer that is not listed fails.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import gapsmith as gapsmith_package
import gapsmith.scoring.analysis
from gapsmith.app.cli import COMMANDS
from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.scoring.context_study.context_effects import changes
from gapsmith.scoring.context_study.outcomes import distinct_outcomes, read_outcomes
from gapsmith.scoring.score_run import missing_requests, select_texts
from tests.rooms import ROOMS, trees_of, walked
from tests.scoring.conftest import save_tiny_gpt2
from tests.scoring.consumers import (
    ANALYSERS,
    ANALYSIS_FUNCTIONS,
    API_CHECKS,
    CHECKS,
    COMMAND_CHECKS,
    COUNTED_FIELDS,
    GIVEN,
    NAMES_HALVES,
    OF_WHOLE_SENTENCES,
    ORDER,
    OTHER_FIELDS,
    READERS,
    differences,
    scorer_of,
    shown,
    unordered,
)
from tests.scoring.workspaces import COPY, HALF, LICENSED, arranged, copied, draw, fill_workspace, halved, shuffled, with_twins


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_gpt2(tmp_path_factory.mktemp("model"), n_positions=128)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Path:
    folder = tmp_path_factory.mktemp("base")
    fill_workspace(folder, model)
    return folder


@pytest.fixture(scope="module")
def numbers(base: Path, model: Path) -> Callable[[str], Any]:
    """What each consumer gives for the workspace as it was made, worked out once."""
    known: dict[str, Any] = {}

    def give(name: str) -> Any:
        if name not in known:
            with Bank.open(base / "bank.sqlite") as bank:
                known[name] = CHECKS[name](bank, model)
        assert known[name], "a consumer that gives nothing checks nothing"
        return known[name]

    return give


def _made(base: Path, folder: Path, arrange: str) -> Path:
    how = {"copies": copied, "order": shuffled, "halves": halved, "twins": with_twins}[arrange]
    arranged(base, folder, how, scorers=-1 if arrange == "order" else 1)
    if arrange in ("copies", "order"):
        with Bank.open(folder / "bank.sqlite") as bank:
            # By the same seed they are the same contexts, behind which all is scored.
            draw(bank, "near")
            selected = select_texts(bank, ItemFilter(paradigm=LICENSED), everything=True, contexts=["near"])
            assert missing_requests(bank, scorer_of(bank), selected)[0] == []
    return folder


@pytest.fixture(scope="module")
def other(base: Path, tmp_path_factory: pytest.TempPathFactory, model: Path) -> Callable[[str, str], Any]:
    """What a consumer gives for the same things otherwise arranged."""
    folders: dict[str, Path] = {}

    def give(arrange: str, name: str) -> Any:
        if arrange not in folders:
            folders[arrange] = _made(base, tmp_path_factory.mktemp(arrange) / "study", arrange)
        with Bank.open(folders[arrange] / "bank.sqlite") as bank:
            return CHECKS[name](bank, model)

    return give


LONG = frozenset({"analyses", "comparison", "item pairs", "sensitivity", "audit", "training", "mixed models", "context study"})
"""Consumers that take long; what they are made of is tested by the others, too."""


def _of(names: Iterable[str]) -> list[Any]:
    """The consumers, those that take long only where all tests run."""
    return [pytest.param(name, marks=pytest.mark.full) if name in LONG else name for name in names]


def _same(before: Any, after: Any) -> None:
    found = list(differences(before, after))
    assert not found, "\n".join(one[:600] for one in found[:12])


@pytest.mark.parametrize("name", _of(CHECKS))
def test_a_copied_data_set_changes_no_number(name: str, numbers: Callable[[str], Any], other: Callable[[str, str], Any]) -> None:
    _same(*(unordered(shown(own, ORDER | GIVEN, COPY)) for own in (numbers(name), other("copies", name))))


@pytest.mark.parametrize("name", _of(CHECKS))
def test_the_order_of_items_sentences_data_sets_and_scorers_changes_no_number(
    name: str, numbers: Callable[[str], Any], other: Callable[[str, str], Any]
) -> None:
    _same(*(unordered(shown(own, ORDER)) for own in (numbers(name), other("order", name))))


@pytest.mark.parametrize("name", _of(name for name in CHECKS if name not in NAMES_HALVES))
def test_a_data_set_in_two_halves_pools_to_itself(
    name: str, numbers: Callable[[str], Any], other: Callable[[str, str], Any]
) -> None:
    ignored = ORDER | GIVEN
    _same(*(unordered(shown(own, ignored, HALF)) for own in (numbers(name), other("halves", name))))


@pytest.mark.parametrize("name", _of(name for name in CHECKS if name not in OF_WHOLE_SENTENCES))
def test_items_that_only_go_on_otherwise_are_no_further_observations(
    name: str, numbers: Callable[[str], Any], other: Callable[[str, str], Any]
) -> None:
    _same(*(unordered(shown(own, ORDER | GIVEN)) for own in (numbers(name), other("twins", name))))


@pytest.mark.parametrize("name", _of(CHECKS))
def test_what_takes_items_for_independent_bears_no_verdict(name: str, numbers: Callable[[str], Any]) -> None:
    """All words of this workspace repeat, so a p from which something may be concluded is that of a model of words; a formula's terms
    are what was asked for."""
    tests = list(_tests_in(shown(numbers(name))))
    taken = {own["test"] for own in tests if own["interpretable"] and "of words" not in own["test"]}
    assert not taken
    # What tests anything is seen to be walked, and says what is not so where it stands.
    assert bool(tests) == (name in TESTING)
    assert all("repeat" in str(own) or "words taken as given" in str(own) for own in tests if not own["interpretable"])


def _tests_in(data: Any) -> Iterable[dict[str, Any]]:
    if isinstance(data, dict):
        if data.get("p") is not None and "test" in data:
            yield data
        for own in data.values():
            yield from _tests_in(own)
    elif isinstance(data, list):
        for own in data:
            yield from _tests_in(own)


TESTING = {"analysis", "analyses", "comparison", "tables", "sensitivity", "licensing", "posh"}
"""Consumers that give tests: a new one of them fails until its tests are seen."""


def test_what_goes_to_r_is_the_same_to_the_last_digit(numbers: Callable[[str], Any], other: Callable[[str, str], Any]) -> None:
    assert numbers("export r") == other("order", "export r")


def test_the_local_effects_of_items_that_only_go_on_otherwise_are_the_same(
    numbers: Callable[[str], Any], other: Callable[[str, str], Any]
) -> None:
    both = []
    for effects, cells, _ in (numbers("licensing"), other("twins", "licensing")):
        both.append([own for _, own in (*effects, *cells) if own.metric == "local"])
        assert len(both[-1]) > 6
    _same(*(unordered(shown(own, ORDER | {"n_given"})) for own in both))


def test_outcomes_of_items_that_only_go_on_otherwise_are_one_behind_one_context(base: Path, tmp_path: Path) -> None:
    arranged(base, tmp_path / "twins", with_twins)
    found = []
    for folder in (base, tmp_path / "twins"):
        with Bank.open(folder / "bank.sqlite") as bank:
            suites = {item.id: item.dataset for item in bank.items.iterate(ItemFilter(paradigm=LICENSED))}
            read = read_outcomes(bank, suites, ["drawn"], scorer_of(bank)).outcomes
            once = distinct_outcomes(read)
            # The margin is one of whole sentences.
            changed = [dataclasses.replace(own, margin=None) for own in changes(read, {"drawn": "matched"})]
            found.append((len(read), len(once), sum(own.correct for own in once), changed))
    assert found[1][0] == 2 * found[0][0]
    assert found[0][1:3] == found[1][1:3]
    _same(*(unordered(shown(own[3])) for own in found))


def modules_calling(*names: str) -> set[str]:
    """The modules of ours in which something of these names is called: ``scores.get``, ``analyze``."""
    last = {name.rpartition(".")[2] for name in names}
    found = set()
    for module, tree in trees_of(*ROOMS):
        for node in walked(tree):
            # What a whole name ends with is asked only of those that end with its last word, which is quick.
            if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", "")) not in last:
                continue
            if any(f".{ast.unparse(node.func)}".endswith(f".{name}") for name in names):
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
    by_item = {"item_pair_rows", "item_rows"}
    chooses = {"choose", "chosen_predictions", "measured_by"}
    about = {
        "about",
        "closed_slots",
        "columns_of_items",
        "label",
        "plain_data",
        "describe_scorer",
        "find_scorer",
        "linter_digest",
        "models_told",
        "n_variances",
        "names_assumed",
        "tests_for_r",
        "result_row",
        "step_of",
        "after_plan",
        "plan_lines",
    }
    assert set(ANALYSIS_FUNCTIONS) <= set(CHECKS)
    assert functions == set().union(*ANALYSIS_FUNCTIONS.values()) | by_item | chooses | about
