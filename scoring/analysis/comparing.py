"""The same contrasts for several models, revisions, data sets or kinds of items, side by side, and what differs between them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from gapsmith.bank import Bank, Scorer, StoredItem
from gapsmith.scoring.analysis.caveats import turned_predictions
from gapsmith.scoring.analysis.contrasts import WORDS_REPEAT, beside_words, closed_slots, slot_parts
from gapsmith.scoring.analysis.families import corrected_runs
from gapsmith.scoring.analysis.model_kinds import Kinds, kinds_of
from gapsmith.scoring.analysis.model_names import Told, models_told, names_assumed, read_model_name
from gapsmith.scoring.analysis.over_models import CrossedValues, crossed, crossed_truths, results_over_models, shares_of
from gapsmith.scoring.analysis.results import (
    Analysis,
    AnalysisOptions,
    ContrastResult,
    CriterionResult,
)
from gapsmith.scoring.analysis.run import analyze_chosen
from gapsmith.scoring.analysis.scorers import find_scorer
from gapsmith.scoring.analysis.selecting import Chosen, choose, value_of
from gapsmith.scoring.contexts import BARE, StepContexts, step_contexts
from gapsmith.scoring.observations import Grouping, ItemKey, PairedSide, Pairing, added_up, in_value_order, restricted
from gapsmith.scoring.withheld import expect_to_tell_contexts
from gapsmith.stats import (
    ItemOutcomes,
    Restriction,
    Result,
    WordTest,
    compare_models,
    compare_sets,
    set_results,
    two_sample_t,
    word_test,
)
from gapsmith.templates import MEASURES, ConfigError, GapsmithError, Paradigm, Unigrams

AXES = ("model", "revision", "dataset", "context")
"""What results can be taken apart by, besides the attributes and the slots of items."""
RUNS = Grouping((*AXES, "group"))
"""By what runs differ."""
_ALONG: Mapping[str, tuple[str, ...]] = {"model": ("model", "revision"), "dataset": ("dataset",), "context": ("context",)}
"""The keys in which two runs differ that are held against each other, by axis."""
_MOST_GROUPS = 60
_WITHOUT = "(none)"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One analysis among those that are compared."""

    model: str
    revision: str
    """The revision's name, where it was scored by one (``step1000``), else the first digits of its digest."""
    dataset: str
    """Empty where all of them are taken together."""
    group: str
    """Attributes and their values, as in ``depth = 2``; empty where the items are not taken apart."""
    analysis: Analysis

    @property
    def context(self) -> str:
        """What stood before the sentences; empty where nobody asked."""
        return self.analysis.context

    def result(self, contrast: str) -> ContrastResult | None:
        """What the run found of a contrast; None where it has none of that name."""
        return next((own for own in self.analysis.contrasts if own.contrast.name == contrast), None)

    def place(self, axis: str) -> str:
        """Where the run stands on an axis: ``model``, ``revision``, ``dataset``, ``context`` or ``group``."""
        return str(getattr(self, axis))


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Runs of one paradigm, and the differences between them."""

    paradigm: Paradigm
    runs: tuple[ComparedRun, ...]
    differences: tuple[Result, ...]
    """Models and contexts by item (paired t test, McNemar; criteria by McNemar) and data sets by their means (Welch's t)
    and their share as expected (chi-square). Seeds of one kind of model are not held against each other."""
    notes: tuple[str, ...]
    over_models: tuple[Result, ...] = ()
    """The mean of each contrast over seeds, or over the models of a table, and how their kinds differ, item by item."""
    shares: tuple[Result, ...] = ()
    """The same of the share of items as expected, and of that of which each criterion is true."""

    @property
    def varying(self) -> tuple[str, ...]:
        """The axes on which the runs differ."""
        found = list(RUNS.varying(self.runs, ComparedRun.place))
        models = {run.model for run in self.runs}
        if "revision" in found and 1 < len(models) == len({(run.model, run.revision) for run in self.runs}):
            # Different models have different weights; that is nothing of its own.
            found.remove("revision")
        return tuple(found)

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that any run has, in the paradigm's order."""
        there = {result.criterion.name for run in self.runs for result in run.analysis.criteria}
        return tuple(criterion.name for criterion in self.paradigm.criteria if criterion.name in there)

    @property
    def contrasts(self) -> tuple[str, ...]:
        """The contrasts that any run has, in the paradigm's order."""
        there = {result.contrast.name for run in self.runs for result in run.analysis.contrasts}
        return tuple(contrast.name for contrast in self.paradigm.contrasts if contrast.name in there)


def step_of(revision: str) -> int | None:
    """The number of a revision's name (``step1000``, ``checkpoint-500``); None for a digest or a name without one."""
    found = re.fullmatch(r"[A-Za-z]+[-_ ]?(\d+)", revision)
    return int(found.group(1)) if found else None


def compare(
    bank: Bank,
    paradigm: str,
    *,
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    by: Sequence[str] = (),
    contexts: Sequence[str] = (),
    scorer_id: int | None = None,
    options: AnalysisOptions | None = None,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
    kinds: Kinds | None = None,
) -> RunComparison:
    """The paradigm's contrasts for each of the models, each of the data sets and each group of items.

    `by` takes results apart: by ``model`` (every one that scored the items, where none is named), ``revision`` (of the models
    named, or of the one that is taken), ``dataset``, ``context`` (nothing, then each length or text of the sets in `contexts`,
    or of all that have these items), or the name of an attribute or slot of the items, each value of which is a
    group. Without models the one that measured most is taken. Runs that cannot be made, because nothing is scored or approved
    there, are left out and named; that no context which was asked for has a run is an error. Differences: with several models,
    each against the first, by item; with several data sets, each against the first, in bits and by share; each context against
    none, by item. Seeds of one kind of model, by their names or by `kinds`, are taken together (`over_models`). All tests are corrected
    together. Raises `ConfigError` for an unknown name, and `GapsmithError` where no run can be made.
    """
    asked = options or AnalysisOptions()
    whole = choose(bank, paradigm, replace(asked, dataset=None), datasets=datasets)
    cells = _contexts(bank, whole, contexts, by, everything=asked.all_items)
    scorers, notes = _scorers(bank, whole, models, by, scorer_id, asked, cells)
    sets: list[str | None] = list(dict.fromkeys(datasets))
    if not sets:
        sets = list(dict.fromkeys(item.dataset for item in whole.picked)) if "dataset" in by else [asked.dataset]
    names = _attributes(whole, by)
    runs: list[ComparedRun] = []
    problems: list[GapsmithError] = []
    unmeasured: list[GapsmithError] = []
    told = models_told(bank.path.resolve().parent)
    # A table of models names them as they were scored.
    named = {scorer.model: read_model_name(scorer.model, told) for scorer in scorers} if kinds is None else {}
    for dataset in sets:
        try:
            chosen = choose(bank, paradigm, replace(asked, dataset=dataset))
        except ConfigError:
            raise
        except GapsmithError as error:
            problems.append(error)
            notes.append(f"{dataset} was left out: {error.message}")
            continue
        for group, part in _groups(chosen, names):
            for scorer, cell in product(scorers, cells):
                own = replace(asked, dataset=dataset)
                try:
                    analysis = analyze_chosen(bank, part, own, scorer_id=scorer.id, unigrams=unigrams, contexts=cell)
                except GapsmithError as error:
                    (unmeasured if cell is not None and cell.step.number else problems).append(error)
                    at = cell.label if cell is not None else ""
                    where = " ".join(filter(None, (scorer.model, dataset or "", group, at)))
                    notes.append(f"{where} was left out: {error.message}")
                    continue
                at_step = named.get(scorer.model)
                placed = (at_step.whole, at_step.step) if at_step and at_step.step else (scorer.model, analysis.revision_name)
                runs.append(ComparedRun(*placed, dataset or "", group, analysis))
    if not runs:
        raise (problems or unmeasured)[0]
    if unmeasured and all(run.context == BARE for run in runs):
        # Contexts were asked for, and none of them is there.
        raise unmeasured[0]
    steps = {run.revision: step for run in runs if (step := step_of(run.revision)) is not None}
    if ("revision" in by or any(own.step for own in named.values())) and all(run.revision in steps for run in runs):
        runs.sort(key=lambda run: (run.model, run.dataset, run.group, steps[run.revision]))
    notes += [said for run in runs for said in turned_predictions(run.analysis)]
    notes += _unequal(runs)
    together = [values for group in _same_but_for_models(runs) for values in _crossed(group, kinds, told, notes)]
    if any(own.step for own in named.values()) or any(values.results for _, values in together):
        notes += names_assumed(named.values())
    over = tuple(_placed(own, at, runs) for at, values in together for own in _over_models(values, asked, kinds is not None))
    shares = tuple(_placed(own, group[0], runs) for group in _same_but_for_models(runs) for own in _shares(group, kinds, asked))
    alike = {frozenset((a, b)) for _, values in together for a in values.results for b in values.results}
    pairs = [pair for pair in run_pairs(runs) if not _is_within(pair, alike)]
    differences = tuple(own for pair in pairs for own in _differences(pair))
    found = RunComparison(whole.paradigm, tuple(runs), differences, tuple(dict.fromkeys(notes)), over, shares)
    return corrected_comparisons([found])[0]


def corrected_comparisons(found: Sequence[RunComparison]) -> tuple[RunComparison, ...]:
    """The comparisons of one run, all their tests corrected together: of every contrast in each of the runs that are compared, of their
    differences in bits and by share, and over models."""
    contrasts = {own.paradigm.name: {one.name: one for one in own.paradigm.contrasts} for own in found}
    analyses, others = corrected_runs(
        [run.analysis for own in found for run in own.runs],
        [
            (test, contrasts[own.paradigm.name].get(test.contrast), any(run.analysis.plan for run in own.runs))
            for own in found
            for test in (*own.differences, *own.over_models, *own.shares)
        ],
    )
    own_analyses, own_tests = iter(analyses), iter(others)
    return tuple(
        replace(
            own,
            runs=tuple(replace(run, analysis=next(own_analyses)) for run in own.runs),
            differences=tuple(next(own_tests) for _ in own.differences),
            over_models=tuple(next(own_tests) for _ in own.over_models),
            shares=tuple(next(own_tests) for _ in own.shares),
        )
        for own in found
    )


def _same_but_for_models(runs: Sequence[ComparedRun]) -> list[list[ComparedRun]]:
    """Runs that differ in their model only; a revision that has a number is another one in each model, too."""

    def place(run: ComparedRun, key: str) -> str:
        own = run.place(key)
        return own if key != "revision" or step_of(own) is not None else ""

    groups = RUNS.without("model").split(runs, place)
    return [group for group in groups.values() if len({run.model for run in group}) == len(group) > 1]


def _crossed(
    runs: Sequence[ComparedRun], kinds: Kinds | None, told: Told, notes: list[str]
) -> Iterator[tuple[ComparedRun, CrossedValues]]:
    """Each contrast over the models that are seeds of one another, or of which a table says what they are."""
    models = [run.model for run in runs]
    of = kinds_of(models, kinds, told)
    if kinds is not None and (unknown := [model for model in models if model not in kinds]):
        notes.append(f"The table of models has no {', '.join(unknown)}: left out of the results over models.")
    if not of:
        return
    for name in dict.fromkeys(own.contrast.name for run in runs for own in run.analysis.contrasts):
        results = {run.model: own for run in runs if (own := run.result(name)) is not None}
        values = crossed(runs[0].analysis.paradigm, results, of)
        if values is not None:
            yield runs[0], values


def _over_models(values: CrossedValues, options: AnalysisOptions, given: bool) -> Iterator[Result]:
    about = _over(values.keys, tuple(values.results.values()))
    unlike = any(own.n_unlike for own in values.results.values())
    for own in results_over_models(values, options, given=given):
        if unlike and "level" not in own.details:
            # Each model read the same words, so what differs between models is none of these.
            own = replace(own, interpretable=False, notes=(*own.notes, "Different words are compared, so there is no verdict."))
        yield replace(own, **about)


def _shares(runs: Sequence[ComparedRun], kinds: Kinds | None, options: AnalysisOptions) -> Iterator[Result]:
    """The share of items as expected of each contrast, and that of which each criterion is true, over the same models."""
    of = kinds_of([run.model for run in runs], kinds)
    if not of:
        return
    contrasts = dict.fromkeys(own.contrast.name for run in runs for own in run.analysis.contrasts)
    criteria = dict.fromkeys(own.criterion.name for run in runs for own in run.analysis.criteria)
    told: list[dict[str, Any]] = [
        *({run.model: own for run in runs if (own := run.result(name)) is not None} for name in contrasts),
        *({run.model: one for run in runs if (one := criterion_of(run, name)) is not None} for name in criteria),
    ]
    for found in told:
        values = crossed_truths(runs[0].analysis.paradigm, found, of, options, given=kinds is not None)
        if values is not None:
            about = _over(values.keys, [found[model] for model in values.models])
            yield from (replace(own, **about) for own in shares_of(values))


def _placed(own: Result, at: ComparedRun, runs: Sequence[ComparedRun]) -> Result:
    """The result with the data set, group, context and revision that it is of."""
    revision = f"revision = {at.revision}" if step_of(at.revision) is not None and len({r.revision for r in runs}) > 1 else ""
    group = ", ".join(filter(None, (at.group, revision)))
    return replace(own, dataset=at.dataset, group=group, context=at.context)


def _is_within(pair: RunPair, alike: set[frozenset[str]]) -> bool:
    """Whether the runs are two models that a result over models takes together."""
    return pair.axis == "model" and frozenset((pair.first.model, pair.other.model)) in alike


def _contexts(
    bank: Bank, whole: Chosen, contexts: Sequence[str], by: Sequence[str], *, everything: bool
) -> list[StepContexts | None]:
    """What items stand behind, no context first; only None where nobody asks. Raises `GapsmithError` where there is none."""
    if not contexts and "context" not in by:
        return [None]
    ids = {item.id for item in whole.picked}
    names = contexts or [own.name for own in bank.contexts.sets()]
    if everything:
        expect_to_tell_contexts(bank, names, "--all")
    found = step_contexts(bank, names, ids=ids)
    if not found:
        raise GapsmithError(
            f"No item of {whole.paradigm.name} that would be analysed is in a context set.",
            hint="Draw contexts with `gapsmith context draw`, then `gapsmith score --contexts NAME`.",
        )
    if len(found) > _MOST_GROUPS:
        raise ConfigError(f"{len(found):,} contexts are too many to compare", hint="Name some sets with --contexts.")
    return [*found]


def _scorers(
    bank: Bank,
    whole: Chosen,
    models: Sequence[str],
    by: Sequence[str],
    scorer_id: int | None,
    options: AnalysisOptions,
    cells: Sequence[StepContexts | None],
) -> tuple[list[Scorer], list[str]]:
    """The scorers to compare, and what is to be said of the choice."""
    texts = whole.texts
    measured = [own for own in bank.scores.scorers() if len(bank.scores.missing(own.id, texts)) < len(texts)]
    named = list(dict.fromkeys(models))
    if not named and "model" in by and scorer_id is None:
        named = list(dict.fromkeys(own.model for own in measured))
    notes: list[str] = []
    found: list[Scorer] = []
    own_texts: dict[int, dict[str, None]] = {}
    for cell, item in product(cells, whole.picked):
        if cell is not None and cell.step.number and item.id in cell.contexts:
            own_texts.setdefault(cell.contexts[item.id], {}).update(dict.fromkeys(s.text for s in item.sentences))
    in_context = {context: list(own) for context, own in own_texts.items()}
    wanted: list[str | None] = [*named] if named else [None]
    for name in wanted:
        taken, said = find_scorer(
            bank,
            texts,
            name,
            scorer_id=scorer_id,
            everything=options.all_items,
            by_context=in_context,
            convention=options.convention,
        )
        alike = [own for own in measured if own.model == taken.model and _like(own) == _like(taken)]
        if "revision" in by:
            found += alike
        else:
            found.append(taken)
            notes += said
    return list({own.id: own for own in found}.values()), notes


def _like(scorer: Scorer) -> dict[str, object]:
    """What revisions of a model that are compared have in common: everything but their weights."""
    return {name: value for name, value in scorer.identity.items() if name != "weights"}


def _attributes(whole: Chosen, by: Sequence[str]) -> list[str]:
    names = [name for name in dict.fromkeys(by) if name not in AXES]
    for name in names:
        if all(value_of(item, name) is None for item in whole.picked):
            known = dict.fromkeys((*AXES, *(own for item in whole.picked for own in (*item.attributes, *(item.slots or {})))))
            raise ConfigError(f"{whole.paradigm.name} has no items with {name!r}", hint=f"Results by: {', '.join(known)}.")
    return names


def _groups(chosen: Chosen, names: Sequence[str]) -> Iterator[tuple[str, Chosen]]:
    """The items taken apart by the values of these attributes, in the order in which the values come or count."""
    if not names:
        yield "", chosen
        return
    grouping = Grouping(tuple(f"attribute:{name}" for name in names))
    odd = re.compile('[,="]') if len(names) > 1 else re.compile('^"')

    def place(item: StoredItem, key: str) -> str:
        """The value, in quotes where it could be read as something else: as none, or as another key."""
        value = value_of(item, key.partition(":")[2])
        if not value:
            return _WITHOUT
        return json.dumps(value, ensure_ascii=False) if value == _WITHOUT or odd.search(value) else value

    groups, every = grouping.split(chosen.picked, place), grouping.split(chosen.items, place)
    if grouping.n_possible(groups) > _MOST_GROUPS:
        counts = ", ".join(f"{len(own)} of {name}" for name, own in zip(names, grouping.values(groups), strict=True))
        raise ConfigError(
            f"{grouping.n_possible(groups):,} groups are too many to compare ({counts})",
            hint="Take apart by an attribute with fewer values; `gapsmith analyze --formula` has a slope for a number.",
        )
    for group in in_value_order(groups):
        yield grouping.called(group), replace(chosen, items=tuple(every[group]), picked=tuple(groups[group]))


def _unequal(runs: Sequence[ComparedRun]) -> list[str]:
    """That models, or contexts, were measured on different items, where they were."""
    found = []
    for axis, those in (("model", "models"), ("context", "contexts")):
        for same in _alike(runs, axis):
            having: dict[str, list[frozenset[ItemKey]]] = {}
            for run in same:
                for result in run.analysis.contrasts:
                    having.setdefault(result.contrast.name, []).append(frozenset(result.values))
                for criterion in run.analysis.criteria:
                    having.setdefault(criterion.criterion.name, []).append(frozenset(criterion.holds))
            for name, keys in having.items():
                if len(set(keys)) > 1:
                    counts = ", ".join(f"{len(own):,}" for own in keys)
                    found.append(
                        f"{name}: the {those} have values for different items (n = {counts}); the differences are over "
                        "those that both have."
                    )
    return found


def _alike(runs: Sequence[ComparedRun], axis: str) -> list[list[ComparedRun]]:
    """Groups of two runs or more that differ along this axis only."""
    groups = RUNS.without(*_ALONG[axis]).split(runs, ComparedRun.place)
    return [group for group in groups.values() if len(group) > 1]


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs that are held against each other."""

    axis: str
    """How they differ: ``model``, ``dataset`` or ``context``."""
    first: ComparedRun
    other: ComparedRun

    @property
    def on(self) -> Literal["item", "evidence"]:
        """Of two data sets an item is the same wherever the same was read for it; of two models or contexts it is itself."""
        return "evidence" if self.axis == "dataset" else "item"

    @property
    def names(self) -> tuple[str, str]:
        """What the runs are called where they differ: of a model its name, with its revision where that is what differs."""
        if self.axis == "model":
            same = self.first.model == self.other.model
            one, two = (f"{run.model} {run.revision}" if same else run.model for run in (self.first, self.other))
            return one, two
        return self.first.place(self.axis), self.other.place(self.axis)

    @property
    def shared(self) -> tuple[str, ...]:
        """The axes on which they stand at one place."""
        return RUNS.without(*_ALONG[self.axis]).keys


def run_pairs(runs: Sequence[ComparedRun]) -> Iterator[RunPair]:
    """Models and revisions against the first one, then data sets against the first one, then contexts against none."""
    for axis in _ALONG:
        for first, *others in _alike(runs, axis):
            if axis != "context" or first.context == BARE:
                yield from (RunPair(axis, first, other) for other in others)


def criterion_of(run: ComparedRun, name: str) -> CriterionResult | None:
    """What a run has of a criterion; None where it has nothing."""
    return next((own for own in run.analysis.criteria if own.criterion.name == name), None)


def _differences(pair: RunPair) -> Iterator[Result]:
    """Data sets by their means and by the share of items as expected, those that share items with that in view; the others over the
    items that both have, each distinct observation once."""
    other = pair.other
    if pair.axis == "dataset":
        yield from _between_means(pair)
        for about, found, ours, theirs in _outcomes(pair):
            for own in set_results(compare_sets(ours, theirs, correction="yates")):
                yield _beside(replace(own, **about, model=other.model, group=other.group), found)
        return
    for own in _compared(pair):
        if pair.axis == "context":
            own = replace(own, model=other.model, context=other.context)
        yield replace(own, dataset=other.dataset, group=other.group)


def _between_means(pair: RunPair) -> Iterator[Result]:
    """The values of every contrast in two data sets, each with items of its own: by the words that repeat, where they do, and by Welch's
    t."""
    for result in pair.first.analysis.contrasts:
        twin = pair.other.result(result.contrast.name)
        if twin is None or not (result.values and twin.values):
            continue
        seen = [[own.evidence[key] for key in own.values] for own in (result, twin)]
        test = two_sample_t(
            result.values.values(),
            twin.values.values(),
            names=pair.names,
            confidence=pair.first.analysis.options.confidence,
            observations=(seen[0], seen[1]),
        )
        about = {
            "contrast": result.contrast.name,
            "design": result.contrast.design,
            "dataset": " | ".join(pair.names),
            "model": pair.other.model,
            "group": pair.other.group,
            "unit": MEASURES.find(pair.first.analysis.options.measure or result.contrast.measure).unit,
            **_over_sets((len(result.values), len(twin.values)), (result, twin)),
        }
        repeats = result.words.repeats or twin.words.repeats
        words = _between_by_words(pair, (result, twin)) if repeats else None
        if words is not None:
            yield replace(words, **about)
        yield _beside(replace(test, **about), (result, twin))


def _between_by_words(pair: RunPair, found: tuple[ContrastResult, ContrastResult]) -> Result | None:
    """How much the values of the second data set are above those of the first, by the words that repeat; None where they are not known,
    leave too little to test with, or the sets have items in common."""
    one, two = found
    if "unknown" in (one.words.kind, two.words.kind) or set(one.evidence.values()) & set(two.evidence.values()):
        return None
    items = [(number, own, key) for number, own in enumerate(found) for key in own.values]
    test = word_test(
        [own.values[key] for _, own, key in items],
        [own.word_rows[key] for _, own, key in items],
        closed=closed_slots(pair.first.analysis.paradigm),
        parts=slot_parts(pair.first.analysis.paradigm),
        observations=[own.evidence[key] for _, own, key in items],
        between=[float(number) for number, _, _ in items],
        confidence=pair.first.analysis.options.confidence,
        others=False,
    )
    return _line(test, found)


def _line(test: WordTest, found: tuple[ContrastResult, ContrastResult]) -> Result | None:
    """Its first line, which names words where both sides do."""
    return (test if all(own.words.named for own in found) else test.without_words()).these


def _compared(pair: RunPair) -> Iterator[Result]:
    """Every contrast and criterion of two runs over the same items: values by paired t; the share as expected, or of which a
    criterion is true, by McNemar with Agresti and Min's interval."""
    first, other = pair.first, pair.other
    for result in first.analysis.contrasts:
        second = other.result(result.contrast.name)
        if second is None:
            continue
        one, two = (PairedSide(own.values, own.evidence) for own in (result, second))
        pairing = Pairing(one, two, pair.on)
        over = _over(pairing.partners, (result, second))
        both = compare_models(*pair.names, pairing.once(), direction=-1 if result.contrast.expected < 0 else 1)
        about = {"contrast": result.contrast.name, "design": result.contrast.design, **over}
        words = _by_words(pair, (result, second), pairing)
        if words is not None:
            yield replace(words, model=both.difference.model, **about)
        for own in (both.difference, both.successes):
            yield _beside(replace(own, **about), (result, second))
    for criterion in first.analysis.criteria:
        twin = criterion_of(other, criterion.criterion.name)
        if twin is None:
            continue
        one, two = (
            PairedSide({key: 1.0 if truth else -1.0 for key, truth in own.holds.items()}, own.evidence)
            for own in (criterion, twin)
        )
        pairing = Pairing(one, two, pair.on)
        over = _over(pairing.partners, (criterion, twin))
        share = compare_models(*pair.names, pairing.once()).successes
        named = replace(share, contrast=criterion.criterion.name, design=criterion.criterion.design, **over)
        yield _beside(named, (criterion, twin))


def _by_words(pair: RunPair, found: tuple[ContrastResult, ContrastResult], pairing: Pairing[ItemKey]) -> Result | None:
    """The differences, item by item, by the words that repeat; None where none do, or too few observations are beside them."""
    one, two = found
    if "unknown" in (one.words.kind, two.words.kind):
        return None
    partners = pairing.partners
    test = word_test(
        [two.values[other] - one.values[key] for key, other in partners.items()],
        [{**two.word_rows[other], **one.word_rows[key]} for key, other in partners.items()],
        closed=closed_slots(pair.first.analysis.paradigm),
        parts=slot_parts(pair.first.analysis.paradigm),
        observations=[(one.evidence[key], two.evidence[other]) for key, other in partners.items()],
        confidence=pair.first.analysis.options.confidence,
        others=False,
    )
    return _line(test, found)


_Found = ContrastResult | CriterionResult


def _over(kept: Collection[ItemKey], found: Sequence[_Found]) -> dict[str, Any]:
    """How many items of all runs a result is over, and why the others have none: the fields `n_given` and `restrictions`."""
    reasons = [own.reasons for own in found]
    every = dict.fromkeys(key for own in found for key in (*_having(own), *own.reasons))
    some = "only one of the two has the item" if len(found) == 2 else "not all of the models have the item"
    kept = set(kept)
    lacking = Counter(next((own[key] for own in reasons if key in own), some) for key in every if key not in kept)
    # Behind a context there may be fewer items than behind none: the run that has all says what was left out before.
    before = next((own for one in found if (own := _before(one)) and own[-1].n_left == len(every)), ())
    return {"n_given": len(kept), "restrictions": (*before, *restricted(len(every), lacking))}


def _over_sets(given: tuple[int, int], found: tuple[_Found, _Found]) -> dict[str, Any]:
    """The same, and `n_undefined`, of two data sets, each with its own items."""
    lacking = Counter(why for own in found for why in own.reasons.values())
    n = sum(given) + lacking.total()
    before = added_up(map(_before, found), n)
    return {"n_given": sum(given), "n_undefined": lacking.total(), "restrictions": (*before, *restricted(n, lacking))}


def _having(found: _Found) -> Iterable[ItemKey]:
    """The items with a value."""
    return found.values if isinstance(found, ContrastResult) else found.holds


def _before(found: _Found) -> tuple[Restriction, ...]:
    """What left out items before anything was computed of them."""
    return tuple(own for own in found.restrictions if not own.is_lack)


def _beside(own: Result, found: tuple[_Found, _Found]) -> Result:
    """A test that takes items for independent, with what the words of either side say of that."""
    words = [one.words for one in found]
    if any(one.repeats for one in words):
        return replace(own, notes=(*own.notes, WORDS_REPEAT), interpretable=False)
    return beside_words(own, next((one for one in words if one.may_repeat), WordTest("items")))


def _outcomes(pair: RunPair) -> Iterator[tuple[dict[str, Any], tuple[_Found, _Found], ItemOutcomes, ItemOutcomes]]:
    """For each contrast with an expected sign and each criterion that both have, with its name and design, which items are as expected; and how
    many those are, and why the others are neither. An item is the same wherever it has the same evidence; two outcomes of one
    reading, a hair apart, are two."""
    first, other = pair.first, pair.other

    def named(run: ComparedRun, truths: Mapping[ItemKey, bool], evidence: Mapping[ItemKey, int]) -> ItemOutcomes:
        return ItemOutcomes(run.dataset, {f"{evidence[key]} {truth}": truth for key, truth in truths.items()})

    for result in first.analysis.contrasts:
        own, twin, sign = result.contrast, other.result(result.contrast.name), result.contrast.expected
        if sign and twin is not None and result.values and twin.values:
            one, two = (
                named(run, {key: value * sign > 0 for key, value in of.values.items()}, of.evidence)
                for run, of in ((first, result), (other, twin))
            )
            both = _over_sets((len(result.values), len(twin.values)), (result, twin))
            yield {"contrast": own.name, "design": own.design, **both}, (result, twin), one, two
    for criterion in first.analysis.criteria:
        same = criterion_of(other, criterion.criterion.name)
        if same is not None and criterion.holds and same.holds:
            one, two = (named(run, of.holds, of.evidence) for run, of in ((first, criterion), (other, same)))
            both = _over_sets((len(criterion.holds), len(same.holds)), (criterion, same))
            what = criterion.criterion
            yield {"contrast": what.name, "design": what.design, **both}, (criterion, same), one, two
