"""Where only approved items count, every result says of how many it is: what was decided is its first restriction, in every consumer.

The workspace has items that were excluded (`tests.scoring.workspaces`). A consumer that is not listed fails.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, ItemFilter, ItemStatus, Verdict
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import AnalysisOptions, analyze, analyze_all, compare, item_frame, sensitivity, sentence_frame
from gapsmith.scoring.analysis.licensing_effects import licensed_sentences, licensing
from gapsmith.scoring.analysis.tabled import result_rows
from gapsmith.scoring.context_study.context_effects import effects_of
from gapsmith.scoring.report.items import item_sentences
from gapsmith.stats import Restriction
from tests.scoring.conftest import save_tiny_gpt2
from tests.scoring.consumers import CHECKS, FEW, scorer_of
from tests.scoring.workspaces import LICENSED, PAIRS, fill_workspace, study_of

Restrictions = Sequence[tuple[Restriction, ...]]
APPROVED = AnalysisOptions(permutations=FEW)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_gpt2(tmp_path_factory.mktemp("model"), n_positions=128)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Iterator[Bank]:
    folder = tmp_path_factory.mktemp("decided")
    fill_workspace(folder, model)
    with Bank.open(folder / "bank.sqlite") as opened:
        yield opened


def _in(found: Any) -> Iterator[tuple[Restriction, ...]]:
    """What restricts each result in something, a test within a result being no other one."""
    if hasattr(found, "restrictions"):
        yield found.restrictions
    elif dataclasses.is_dataclass(found):
        for field in dataclasses.fields(found):
            yield from _in(getattr(found, field.name))
    elif isinstance(found, (list, tuple)):
        for one in found:
            yield from _in(one)


def _analysis(bank: Bank, _: Path) -> Restrictions:
    found = analyze(bank, LICENSED, scorer_id=scorer_of(bank), options=APPROVED)
    return [*_in([found.contrasts, found.criteria, found.differences])]


def _every(bank: Bank, _: Path) -> Restrictions:
    analyses = analyze_all(bank, [LICENSED], model=None, options=APPROVED).analyses
    return [*_in([own.contrasts for own in analyses])]


def _compared(bank: Bank, _: Path) -> Restrictions:
    by_model = compare(bank, LICENSED, by=("revision", "context"), contexts=("drawn",), options=APPROVED)
    assert by_model.differences
    by_set = compare(bank, LICENSED, datasets=("generated", "other"), options=APPROVED)
    pooled = [own for own in by_set.differences if "chi" in own.test]
    assert pooled
    return [*_in([by_model.differences, pooled]), *_in([run.analysis.contrasts for run in by_model.runs])]


def _licensing(bank: Bank, _model: Path) -> Restrictions:
    _, sentences, notes = licensed_sentences(bank, LICENSED, model=None, unigrams=lambda _: "there is no table")
    found = licensing("tiny", sentences, notes)
    # Of the excluded items some are of other depths.
    having = {own.depth for own in sentences if "approved" in own.reasons.get("local", "")}
    effects = [own for own in found.effects if own.effect in ("flip_open", "division") and 0 in having]
    return [*_in(effects), *_in(found.cells)]


def _context_study(bank: Bank, model: Path) -> Restrictions:
    made = study_of(bank, model)
    approved = dataclasses.replace(made.plan, name="approved only", everything=False)
    [excluded, *_] = bank.items.ids(ItemFilter(paradigm=PAIRS))
    again = type(made).of(bank, made.engine, made.model, approved, paradigms=[PAIRS])
    assert excluded not in {item.id for item in again.items}
    again.score(again.selected)
    effects = effects_of(again.results(scorer_of(bank)))
    return [one.restrictions for one in effects if one.n_given]


def _tables(bank: Bank, _: Path) -> Restrictions:
    rows = list(result_rows(analyze(bank, LICENSED, scorer_id=scorer_of(bank), options=APPROVED)))
    n_items, n_approved = _counts(bank, LICENSED)
    assert rows
    assert all(f"{n_approved} of {n_items} items: approved" in row["restriction"] for row in rows)
    return []


def _sensitive(bank: Bank, _: Path) -> Restrictions:
    found = sensitivity(bank, LICENSED, scorer_id=scorer_of(bank), options=APPROVED)
    every = [own for own in found.variants if own.what == "all items"]
    assert every
    assert not any(own.kind == "decision" for one in every for own in one.result.restrictions)
    return [*_in([own.result for own in found.variants if own not in every])]


def _modelled(bank: Bank, _: Path) -> Restrictions:
    selection = ItemFilter(paradigm=LICENSED, standing=(ItemStatus.APPROVED,))
    n_items, n_approved = _counts(bank, LICENSED)
    said = f"{n_approved} of {n_items} items: approved."
    by_sentence = sentence_frame(bank, selection, FrameWish(scorer=scorer_of(bank)))
    assert said in by_sentence.notes
    found = analyze(bank, LICENSED, scorer_id=scorer_of(bank), options=APPROVED)
    by_item = item_frame(bank.items.iterate(selection), [found])
    assert any(note.endswith(said) for note in by_item.notes)
    return []


DECIDED: Mapping[str, Callable[[Bank, Path], Restrictions] | str] = {
    "analysis": _analysis,
    "analyses": _every,
    "comparison": _compared,
    "tables": _tables,
    "sensitivity": _sensitive,
    "mixed models": _modelled,
    "licensing": _licensing,
    "power": "goes from an analysis, and plans other items",
    "context study": _context_study,
    "long frame": "has a row for each measurement, and no results",
    "posh": "goes over all pairs, whatever was decided of them, as published tables do",
    "training": "says of counts why they lack items; what was asked for stands in its manifest",
    "reproduce": "a published number is one of an analysis",
    "audit": "a file has no decisions",
    "ratings": "are of what people rated",
    "word means": "columns of an analysis, which says it above them",
    "item pairs": "one row for each item, and no results",
    "review values": "says of each text what it is",
    "export r": "the frame of mixed models",
}


LONG = frozenset({"analyses", "sensitivity", "context study"})
"""Consumers that take long; what they are made of is tested by the others, too."""


def _counts(bank: Bank, paradigm: str) -> tuple[int, int]:
    selection = ItemFilter(paradigm=paradigm)
    approved = bank.items.count(dataclasses.replace(selection, standing=(ItemStatus.APPROVED,)))
    return bank.items.count(selection), approved


def test_every_consumer_is_listed() -> None:
    assert set(DECIDED) == set(CHECKS)
    assert all(callable(own) or " " in own for own in DECIDED.values())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.full) if name in LONG else name for name, own in DECIDED.items() if callable(own)],
)
def test_what_was_decided_is_the_first_restriction(name: str, bank: Bank, model: Path) -> None:
    check = DECIDED[name]
    assert callable(check)
    if name == "context study":
        [first, *_] = bank.items.ids(ItemFilter(paradigm=PAIRS))
        bank.decisions.decide([first], Verdict.EXCLUDE, author="ann", reason="other")
    found = check(bank, model)
    for own in found:
        decided = [one for one in own if one.kind == "decision"]
        assert len(decided) == 1, own
        assert decided == [own[0]]
        assert decided[0].phrase == "approved"
        at = own[0].n_in
        for one in own:
            assert one.n_in == at
            at = one.n_left
    assert found or name in ("tables", "mixed models")


def test_the_first_sentence_of_an_analysis_counts_what_each_restriction_leaves(bank: Bank) -> None:
    n_items, n_approved = _counts(bank, LICENSED)
    assert n_approved < n_items
    narrow = dataclasses.replace(APPROVED, where={"embedding": "none"})
    found = analyze(bank, LICENSED, scorer_id=scorer_of(bank), options=narrow)
    [where] = [own for own in found.items.restrictions if own.kind == "where"]
    assert (where.n_in, where.n_left) == (n_approved, found.items.n_selected)
    said = item_sentences(found)[0]
    assert said.startswith(f"{n_approved} approved items of {n_items} were analysed")
    assert said.endswith(f" {found.items.n_selected} of {n_approved} items: embedding = none.")
    for own in found.contrasts:
        assert own.restrictions[:2] == found.items.restrictions
