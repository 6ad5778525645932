"""Workspaces for the tests of invariants: one with all that consumers of scores read, and the same things otherwise arranged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

import gapsmith as gapsmith_package
from gapsmith.app.cli.app import app
from gapsmith.app.context_studies import ContextStudy
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, NewItem, StoredItem, Tokens, Verdict
from gapsmith.bank.records import ItemFilter
from gapsmith.scoring.context_pool import ContextSource
from gapsmith.scoring.context_study import StudyPlan
from gapsmith.scoring.contexts import ContextPlan, draw_contexts
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.templates import BosPolicy, Sentence, load_paradigm
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.norming import Scale, judge_trial, stimuli
from tests.scoring.analysing import add_items, approve

LICENSED, PAIRS = "embwhq", "posh_wanna"
STUDY_PLAN = StudyPlan(lengths=(20,), everything=True)


def study_of(bank: Bank, model: Path) -> ContextStudy:
    """The study of contexts that these workspaces hold."""
    engine = open_engine(str(model), device="cpu", engine="batches")
    return ContextStudy.of(bank, engine, str(model), STUDY_PLAN, paradigms=[PAIRS])


def fill_workspace(folder: Path, model: Path) -> None:
    """A workspace with two paradigms of two data sets each: scored under two policies, judged, with contexts, and with a study
    of contexts."""
    make_workspace(folder)
    for n, level, seed, dataset in (
        (8, "none", 1, "generated"),
        (3, "b", 1, "generated"),
        (3, "w", 1, "other"),
        (4, "none", 2, "other"),
    ):
        order = ["generate", LICENSED, "-n", str(n), "--seed", str(seed), "--choose", f"embedding={level}", "-d", dataset]
        done = CliRunner().invoke(app, [*order, "--workspace", str(folder)])
        assert done.exit_code == 0, done.output
    with gapsmith_package.open_workspace(folder) as study:
        gapsmith_package.generate(study, PAIRS, n=8, seed=1)
        gapsmith_package.generate(study, PAIRS, n=4, seed=2, dataset="other")
        bank = study.bank
        approve(bank, bank.items.ids()[3:])
        bank.decisions.decide(bank.items.ids()[:3], Verdict.EXCLUDE, author="ann", reason="other")
        ann = Session(bank, "ann")
        for number, one in enumerate(stimuli(ann)[:80]):
            judge_trial(ann, one, str(1 + (number * number) % 7), Scale.likert(7), 1.0)
        draw(bank, "drawn")
        # One of each data set is left out, so that it is not the newest that an analysis takes where nobody names a scorer.
        given = [bank.items.ids(ItemFilter(paradigm=LICENSED, dataset=name)) for name in ("generated", "other")]
        most = tuple(item_id for own in given for item_id in own[:-1])
        selected = select_texts(bank, ItemFilter(ids=most), everything=True)
        score_selected(bank, open_engine(str(model), device="cpu", bos=BosPolicy.NONE), selected)
        selected = select_texts(bank, ItemFilter(), everything=True, contexts=["drawn"])
        score_selected(bank, open_engine(str(model), device="cpu"), selected)
        made = study_of(bank, model)
        made.score(made.selected)


def draw(bank: Bank, name: str) -> None:
    """Contexts for the licensed items; by the same seed they are the same."""
    plan = ContextPlan(kind=ContextSource.MATCHED, lengths=(20,), seed=1)
    draw_contexts(bank, name, plan, ItemFilter(paradigm=LICENSED), lambda text: len(text.split()), everything=True)


@dataclass(frozen=True)
class Told:
    """An item on its way into another bank, and what was said of it in the first one."""

    item: StoredItem
    label: str
    dataset: str
    sentences: tuple[Sentence, ...]
    scored: dict[str, str]
    """By text, the text of the first bank whose tokens it has."""
    is_judged: bool = True
    """Whether people read it."""

    @classmethod
    def of(cls, item: StoredItem) -> Told:
        """An item as it is."""
        return cls(item, item.label, item.dataset, item.sentences, {s.text: s.text for s in item.sentences})


def arranged(base: Path, folder: Path, arrange: Callable[[list[Told]], list[Told]], *, scorers: int = 1) -> None:
    """A workspace with the items, decisions, judgements, contexts and scores of another one, in the order in which `arrange` gives
    the items; `scorers` -1 registers them the other way round. Studies' contexts are left for the study to draw."""
    make_workspace(folder)
    with Bank.open(base / "bank.sqlite") as old, Bank.open(folder / "bank.sqlite", create=True) as new:
        told = arrange([Told.of(item) for item in old.items.iterate()])
        ids: dict[int, list[int]] = {}
        placed: dict[int, Told] = {}
        # What is added at once is of one paradigm and data set.
        for number, ((name, _), own) in enumerate(groupby(told, key=lambda one: (one.item.paradigm, one.dataset))):
            some = list(own)
            items = [replace(_new(one.item, one.dataset), label=one.label, sentences=one.sentences) for one in some]
            made = add_items(new, load_paradigm(name), items, identity=str(number))
            for one, item_id in zip(some, made, strict=True):
                ids.setdefault(one.item.id, []).append(item_id)
                placed[item_id] = one
        _decide_alike(new, ((item_id, one.item) for item_id, one in placed.items()))
        _judge_alike(old, new, {old_id: [own for own in made if placed[own].is_judged] for old_id, made in ids.items()})
        _contexts_alike(old, new, ids)
        for scorer in old.scores.scorers()[::scorers]:
            own_id = new.scores.register(scorer.model, scorer.revision, scorer.identity)
            block = new.scores.block(own_id, old.scores.provenance(scorer.id)[0][0])
            for context in [0, *_contexts(old)]:
                behind = new.contexts.register(old.contexts.sentences(context) if context else ())
                texts = {new_text: text for one in placed.values() for new_text, text in one.scored.items()}
                known = old.scores.get(scorer.id, list(texts.values()), context=context)
                tokens = [_tokens_of(own, known[text]) for own, text in texts.items() if text in known]
                new.scores.add(own_id, tokens, block=block, context=behind)


def _contexts(bank: Bank) -> list[int]:
    return sorted({context for own in bank.contexts.sets() for context in bank.contexts.assigned(own.id).values()} - {0})


def _new(item: StoredItem, dataset: str) -> NewItem:
    return NewItem(item.slots, item.sentences, item.label, dataset, item.expects, item.attributes)


def _decide_alike(bank: Bank, both: Iterable[tuple[int, StoredItem]]) -> None:
    known = list(both)
    aside = [own for own, item in known if item.status.value == "excluded"]
    bank.decisions.decide(aside, Verdict.EXCLUDE, author="ann", reason="other")
    approve(bank, [own for own, _ in known if own not in aside])


def _judge_alike(old: Bank, new: Bank, ids: dict[int, list[int]]) -> None:
    for one in old.review.norms():
        for item_id in ids.get(one.item_id, []):
            new.decisions.judge(
                item_id,
                one.condition,
                one.rating,
                author=one.author,
                points=one.points,
                seconds=1.0,
                alone=True,
                version=new.items.get(item_id).revision_id,
            )


def _contexts_alike(old: Bank, new: Bank, ids: dict[int, list[int]]) -> None:
    for own in old.contexts.sets():
        if ":" in own.name:
            continue
        lengths = old.contexts.lengths(own.id)
        given = {c: new.contexts.register(old.contexts.sentences(c) if c else ()) for c in lengths}
        found = {(i, step): given[c] for (item, step), c in old.contexts.assigned(own.id).items() for i in ids.get(item, [])}
        new.contexts.assign(new.contexts.define(own.name, own.sampler), found, lengths={given[c]: n for c, n in lengths.items()})


def _tokens_of(text: str, tokens: Tokens) -> Tokens:
    """Another text's tokens as far as the two agree, and a made one for the rest."""
    if text == tokens.text:
        return tokens
    alike = next((n for n, (a, b) in enumerate(zip(text, tokens.text, strict=False)) if a != b), min(len(text), len(tokens.text)))
    n = sum(int(end) <= alike for _, end in tokens.spans)
    start = int(tokens.spans[n - 1, 1]) if n else 0
    spans = np.concatenate([tokens.spans[:n], [[start, len(text)]]]).astype(np.int32)
    assert tokens.ids is not None
    return replace(
        tokens,
        text=text,
        spans=spans,
        ids=(*tokens.ids[:n], 1),
        values=np.append(tokens.values[:n], np.float32(len(text) / 7)).astype(np.float32),
        asked=None if tokens.asked is None else np.append(tokens.asked[:n], True),
        boundary=None,
    )


def shuffled(told: Sequence[Told], seed: int = 1) -> list[Told]:
    """Paradigms and data sets the other way round, the items of each shuffled, the sentences of each backwards."""
    groups: dict[tuple[str, str], list[Told]] = {}
    for one in told:
        groups.setdefault((one.item.paradigm, one.dataset), []).append(replace(one, sentences=one.sentences[::-1]))
    rng = random.Random(seed)
    found: list[Told] = []
    for own in reversed(groups.values()):
        rng.shuffle(own)
        found += own
    return found


def halved(told: Sequence[Told]) -> list[Told]:
    """Each of the data sets in two."""
    whole = list(told)
    moved = [replace(one, dataset=f"{one.dataset}{HALF}") for one in whole[1::2]]
    return [*whole[::2], *moved]


def copied(told: Sequence[Told]) -> list[Told]:
    """Every data set once more, as somebody has it who took a file of it in."""
    return [*told, *(replace(one, dataset=f"{COPY}{one.dataset}", is_judged=False) for one in told)]


COPY = "copy-of-"
HALF = "-half"
"""What `halved` adds to the name of a data set for its second half."""


def with_twins(told: Sequence[Told]) -> list[Told]:
    """Each licensed item twice: the sentences of the second one go on after all that is measured of the first."""
    found = []
    for one in told:
        found.append(one)
        if one.item.paradigm == LICENSED:
            ends = [replace(own, text=f"{own.text.removesuffix('.')} again and again.") for own in one.sentences]
            assert all(own.text.endswith(".") for own in one.sentences)
            scored = {new.text: old.text for new, old in zip(ends, one.sentences, strict=True)}
            found.append(replace(one, label=f"{one.label} twin", sentences=tuple(ends), scored=scored, is_judged=False))
    return found
