"""How alike prefixes and targets are, and whether that says how they are judged (Sinha et al. 2023, appendices B and D)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from gapsmith.bank import Bank
from gapsmith.parsing import Parser, parse_store, parsed
from gapsmith.scoring.context_pool import Member, members_of
from gapsmith.scoring.context_study.context_effects import StudyResults, correlated
from gapsmith.scoring.perturbing import Perturbation, perturb
from gapsmith.stats import Result, correlation
from gapsmith.templates import count

Bag = Counter[Hashable]
_INSTANCES = 10_000
"""The most pairs of a target and a context that are compared by instance, and of sentences by pair of suites in all."""
_PER_CELL = 100


@dataclass(frozen=True, slots=True)
class Overlap:
    """How alike two suites are, on average over pairs of sentences."""

    tokens: float
    labels: float | None


@dataclass(frozen=True, slots=True)
class Similarity:
    """All that was compared."""

    instances: Mapping[tuple[str, str], Result]
    """By measure (``tokens``, ``labels``) and condition: the point-biserial correlation with right and wrong."""
    suites: Mapping[tuple[str, str], Overlap]
    """By suite and suite of the context; the diagonal too."""
    phenomena: Mapping[str, Result]
    """By measure: Spearman's correlation of overlap and change over pairs of different suites."""
    perturbed_f1: Mapping[Perturbation, float]
    """Mean token F1 of sentences before and after."""
    perturbed: Mapping[str, Result]
    """By condition: Spearman's correlation of that F1 and the change, over perturbations."""
    effects: tuple[Result, ...]


def f1(first: Bag, second: Bag) -> float:
    """2 × shared / (all of the first + all of the second), each occurrence counted; 0 for two empty bags."""
    total = first.total() + second.total()
    return 2.0 * (first & second).total() / total if total else 0.0


def similarity_of(
    bank: Bank, results: StudyResults, tokenize: Callable[[str], Sequence[Hashable]], parser: Parser | None
) -> Similarity:
    """Token F1 and, with a parser, F1 of dependency labels: of target and prefix by instance (at the longest acceptable and
    unrelated contexts), of suites, and of sentences before and after perturbation.

    A context's similarity is the mean over its sentences, a target's that over its acceptable sentences. Large studies are
    sampled (10,000 instances, 100 pairs of sentences for each pair of suites) by the study's seed.
    """
    bags = _Bags(bank, tokenize, parser)
    targets = _targets(bank, results)
    rng = random.Random(f"{results.plan.seed}/similarity")
    instances = _instances(bank, results, targets, bags, rng)
    suites = _suites(results, targets, bags, rng)
    phenomena = {
        measure: correlation([value for value, _ in pairs], [delta for _, delta in pairs], kind="spearman")
        for measure, pairs in _paired(results, suites).items()
    }
    sentences = [own[0] for own in targets.values() if own]
    some = rng.sample(sentences, min(500, len(sentences)))
    perturbed_f1 = {
        how: fmean(f1(bags.tokens(text), bags.tokens(perturb(text, how, results.plan.seed))) for text in some)
        for how in Perturbation
        if some
    }
    perturbed = {}
    for condition in dict.fromkeys(name for name, _ in results.perturbed):
        hows = [how for name, how in results.perturbed if name == condition]
        perturbed[condition] = correlation(
            [perturbed_f1[how] for how in hows], [results.perturbed[condition, how] for how in hows], kind="spearman"
        )
    effects = tuple(_effects(instances, phenomena, perturbed))
    return Similarity(instances, suites, phenomena, perturbed_f1, perturbed, effects)


class _Bags:
    """Tokens and dependency labels of texts, worked out once."""

    def __init__(self, bank: Bank, tokenize: Callable[[str], Sequence[Hashable]], parser: Parser | None) -> None:
        self._bank, self._tokenize, self._parser = bank, tokenize, parser
        self._tokens: dict[str, Bag] = {}
        self._labels: dict[str, Bag] = {}

    @property
    def measures(self) -> tuple[str, ...]:
        return ("tokens",) if self._parser is None else ("tokens", "labels")

    def tokens(self, text: str) -> Bag:
        if text not in self._tokens:
            self._tokens[text] = Counter(self._tokenize(text))
        return self._tokens[text]

    def read(self, texts: Sequence[str]) -> None:
        """Parse what has no labels yet, all at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._labels]
        if self._parser is None or not new:
            return
        found = parsed(parse_store(self._bank, self._parser), self._parser, new)
        for text, parse in found.items():
            self._labels[text] = Counter(token.relation for token in parse.tokens if token.upos != "PUNCT")

    def f1(self, measure: str, first: str, second: str) -> float:
        if measure == "tokens":
            return f1(self.tokens(first), self.tokens(second))
        return f1(self._labels[first], self._labels[second])


def _targets(bank: Bank, results: StudyResults) -> dict[int, list[str]]:
    """Item id to its acceptable sentences."""
    found = {}
    paradigms = {name: bank.paradigms.current(name).paradigm for name in bank.paradigms.names()}
    for item in bank.items.iterate():
        if item.id in results.drawn.items:
            found[item.id] = members_of(item, paradigms[item.paradigm], Member.ACCEPTABLE)
    return found


def _instances(
    bank: Bank, results: StudyResults, targets: Mapping[int, list[str]], bags: _Bags, rng: random.Random
) -> dict[tuple[str, str], Result]:
    found = {}
    for condition, drawn in results.drawn.conditions.items():
        if condition.endswith("unacceptable"):
            continue
        of_condition = [
            own
            for own in results.outcomes
            if own.cell[:2] == (drawn.made.name, results.longest) and own.context and targets.get(own.item)
        ]
        some = rng.sample(of_condition, min(_INSTANCES, len(of_condition)))
        prefixes = {own.context: bank.contexts.sentences(own.context) for own in some}
        bags.read([text for own in prefixes.values() for text in own])
        bags.read([text for own in some for text in targets[own.item]])
        for measure in bags.measures:
            values = [
                fmean(bags.f1(measure, before, text) for before in prefixes[own.context] for text in targets[own.item])
                for own in some
            ]
            outcomes = [float(own.correct) for own in some]
            r = correlation(values, outcomes, kind="point-biserial")
            n_suites = len({own.suite for own in some})
            said = (
                f"The instances are of {count(n_suites, 'suite')}: those of one suite, and those behind one context, are not "
                "independent, as p and the interval take them to be."
            )
            found[measure, condition] = replace(r, notes=(*r.notes, said), interpretable=False)
    return found


def _suites(
    results: StudyResults, targets: Mapping[int, list[str]], bags: _Bags, rng: random.Random
) -> dict[tuple[str, str], Overlap]:
    by_suite: dict[str, list[str]] = defaultdict(list)
    for item, suite in results.drawn.items.items():
        by_suite[suite] += targets.get(item, ())
    found = {}
    for target in results.drawn.suites:
        for source in results.drawn.suites:
            if not by_suite[target] or not by_suite[source]:
                continue
            pairs = [(rng.choice(by_suite[target]), rng.choice(by_suite[source])) for _ in range(_PER_CELL)]
            pairs = [(a, b) for a, b in pairs if a != b] or pairs
            bags.read([text for pair in pairs for text in pair])
            values = {measure: fmean(bags.f1(measure, *pair) for pair in pairs) for measure in bags.measures}
            found[target, source] = Overlap(values["tokens"], values.get("labels"))
    return found


def _paired(results: StudyResults, suites: Mapping[tuple[str, str], Overlap]) -> dict[str, list[tuple[float, float]]]:
    """By measure, overlap and change of every pair of different suites that contexts of one were put before the other of."""
    found: dict[str, list[tuple[float, float]]] = {"tokens": [], "labels": []}
    for place, change in results.matrix.items():
        overlap = suites.get(place)
        if overlap is None:
            continue
        found["tokens"].append((overlap.tokens, change.delta))
        if overlap.labels is not None:
            found["labels"].append((overlap.labels, change.delta))
    return found


def _effects(
    instances: Mapping[tuple[str, str], Result], phenomena: Mapping[str, Result], perturbed: Mapping[str, Result]
) -> list[Result]:
    called = {"tokens": "tokens", "labels": "dependency labels"}
    found = []
    for condition, result in perturbed.items():
        name = f"rho perturbed {condition.split()[-1]}"
        found.append(correlated(name, f"token F1 of perturbed prefixes and change, {condition}, rho", result))
    for (measure, condition), result in instances.items():
        what = f"overlap of prefix and target in {called[measure]} and right or wrong, {condition}, by instance, r"
        found.append(correlated(f"r {measure} {condition}", what, result))
    for measure, result in phenomena.items():
        what = f"overlap of suites in {called[measure]} and change, by pairs of suites, rho"
        found.append(correlated(f"rho {measure} suites", what, result))
    return found
