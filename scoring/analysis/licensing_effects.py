"""What a model knows of a filler-gap construction: flips, divisions, interaction, islands and depth, under three metrics.

For paradigms that cross a licensor with a gap and say where the clause after the licensor begins (`clause` in their files). After
study 1 to 4 of the paper on five filler-gap constructions (SCiL 2022), which adds to Wilcox, Levy, Morita & Futrell (2018):

- **local** surprisal, of what follows an open gap or of what fills it: the critical regions, in bits;
- **global** surprisal, of the clause after the licensor up to the final mark, by word;
- **SLOR** of the sentence, for which more is better, so that every expected sign turns.

A *flip*: the licensor raises surprisal where the gap is filled and lowers it where it is open. A *division*: what is grammatical
is less surprising than what is not; not for local surprisal, whose regions differ.

Every effect is a value of each item (all four variants are one item): its mean, or how it differs between kinds of items, such as those
with an island. What is tested of it follows from the words (`gapsmith.stats.word_test`), as in every contrast. The paper's own test
stands beside it: the coefficient of a mixed model with a random intercept by item, over predictors coded -0.5 and +0.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple

from gapsmith.bank import Bank, Scorer, StoredItem
from gapsmith.scoring.analysis.contrasts import beside_words, closed_slots, judge, slot_parts
from gapsmith.scoring.analysis.results import WORDS_UNKNOWN, AnalysisOptions, Conclusion
from gapsmith.scoring.analysis.scorers import find_scorer
from gapsmith.scoring.analysis.selecting import Chosen, choose
from gapsmith.scoring.copies import without_copies
from gapsmith.scoring.observations import (
    NOT_APPROVED,
    Grouping,
    UnigramSource,
    observe,
    restricted,
    words_read,
    words_together,
)
from gapsmith.stats import ModelFormulaError, Result, WordTest, adjust, fit_mixed, one_sample_t, word_test
from gapsmith.templates import (
    CRITICAL_PLACE,
    GAPSMITH,
    MEASURES,
    SENTENCE_PLACE,
    Condition,
    ConfigError,
    Paradigm,
    Place,
    Unigrams,
    count,
    find_convention,
)

LICENSOR, GAP = "licensor", "gap"
DESIGN = Grouping(("attribute:construction", "level:licensor", "level:gap", "attribute:depth", "attribute:island"))
"""By what the sentences of a study are taken apart."""
_CONSTRUCTION, _ITEM = Grouping(DESIGN.keys[:1]), Grouping(("item",))
_VARIANT = Grouping(DESIGN.keys[1:4])


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured of a sentence."""

    name: str
    title: str
    measure: str
    """Its name in `gapsmith.templates.measures`."""
    good: int
    """-1 where less is better, +1 where more is."""


METRICS = (
    Metric("local", "local surprisal (bits)", "sum", -1),
    Metric("global", "global surprisal (bits by word)", "mean_word", -1),
    Metric("slor", "SLOR (bits by token)", "slor", 1),
)

EffectName = Literal[
    "flip_open",
    "flip_filled",
    "division",
    "interaction",
    "island_licensed",
    "island_none",
    "licensor_island_open",
    "licensor_island_filled",
    "depth",
]


class _Asked(NamedTuple):
    """An effect: which observations, what it is of an item, the paper's model, and the sign that knowledge of the grammar gives
    surprisal."""

    title: str
    of: Callable[[LicensedSentence], bool]
    weight: Callable[[LicensedSentence], float]
    """Of the sentence in the item's value; 0 where it is no part of it."""
    n_cells: int
    """The sentences with a weight that an item has."""
    between: Literal["", "island", "depth"]
    """By what kind of items the value is compared; empty where its mean is the effect."""
    formula: str
    coefficient: str
    sign: int
    local: bool
    """Whether local surprisal has it: its regions differ between open and filled gaps."""


class LicensedSentence(NamedTuple):
    """One sentence of an item under one model, with its metrics; None where one is undefined."""

    item: str
    construction: str
    licensor: bool
    gap: bool
    depth: int
    island: bool
    values: Mapping[str, float | None]
    evidence: Mapping[str, int] = {}
    """What each value was computed from, by metric; where it is not said, the item has it for itself."""
    reasons: Mapping[str, str] = {}
    """Why there is no value, by metric, for those that have none."""
    words: Mapping[str, Mapping[str, str]] = {}
    """The words that were read for each value, by metric and slot or region; none where they are not known."""
    closed: Collection[str] = ()
    """The slots whose words are all there are."""
    parts: Mapping[str, Collection[str]] = {}
    """The slots that the texts of a slot are built of."""
    named: bool = True
    """Whether words are named: not where they would tell the reader which items are approved."""

    def place(self, key: str) -> str | bool | int:
        """Where it stands: by its item, or in the design."""
        found: str | bool | int = getattr(self, key.rpartition(":")[2])
        return found

    @property
    def cell(self) -> tuple[str | bool | int, ...]:
        """Where it stands in the design."""
        return tuple(map(self.place, DESIGN.keys))

    @property
    def grammatical(self) -> bool:
        """As far as fillers and gaps go: whether both or neither are there."""
        return self.licensor == self.gap


def _of_licensor(sentence: LicensedSentence) -> float:
    return 1.0 if sentence.licensor else -1.0


def _of_grammar(sentence: LicensedSentence) -> float:
    return 0.5 if sentence.grammatical else -0.5


EFFECTS: Mapping[EffectName, _Asked] = {
    "flip_open": _Asked(
        title="effect of the licensor, open gap",
        of=lambda o: o.depth == 0 and o.gap,
        weight=_of_licensor,
        n_cells=2,
        between="",
        formula="y ~ licensor",
        coefficient="licensor",
        sign=-1,
        local=True,
    ),
    "flip_filled": _Asked(
        title="effect of the licensor, filled gap",
        of=lambda o: o.depth == 0 and not o.gap,
        weight=_of_licensor,
        n_cells=2,
        between="",
        formula="y ~ licensor",
        coefficient="licensor",
        sign=1,
        local=True,
    ),
    "division": _Asked(
        title="effect of grammaticality",
        of=lambda o: o.depth == 0,
        weight=_of_grammar,
        n_cells=4,
        between="",
        formula="y ~ grammatical",
        coefficient="grammatical",
        sign=-1,
        local=False,
    ),
    "interaction": _Asked(
        title="licensor × gap",
        of=lambda o: o.depth == 0,
        weight=lambda o: 2 * _of_grammar(o),
        n_cells=4,
        between="",
        formula="y ~ licensor * gap",
        coefficient="licensor:gap",
        sign=-1,
        local=True,
    ),
    # The other licensor level is the zero of `other`, so that the coefficient of the island is its effect under this one.
    "island_licensed": _Asked(
        title="effect of an island, licensor and gap",
        of=lambda o: o.depth == 1 and o.gap,
        weight=lambda o: float(o.licensor),
        n_cells=1,
        between="island",
        formula="y ~ other * island",
        coefficient="island",
        sign=1,
        local=True,
    ),
    "island_none": _Asked(
        title="effect of an island, neither",
        of=lambda o: o.depth == 1 and not o.gap,
        weight=lambda o: float(not o.licensor),
        n_cells=1,
        between="island",
        formula="y ~ other * island",
        coefficient="island",
        sign=0,
        local=True,
    ),
    "licensor_island_open": _Asked(
        title="licensor × island, open gap",
        of=lambda o: o.depth == 1 and o.gap,
        weight=_of_licensor,
        n_cells=2,
        between="island",
        formula="y ~ licensor * island",
        coefficient="licensor:island",
        sign=1,
        local=True,
    ),
    # The paper expects none, since both sentences stay as they were; Wilcox et al. (2021) expect less of an effect of the licensor.
    "licensor_island_filled": _Asked(
        title="licensor × island, filled gap",
        of=lambda o: o.depth == 1 and not o.gap,
        weight=_of_licensor,
        n_cells=2,
        between="island",
        formula="y ~ licensor * island",
        coefficient="licensor:island",
        sign=0,
        local=True,
    ),
    "depth": _Asked(
        title="grammaticality × depth, no islands",
        of=lambda o: not o.island,
        weight=_of_grammar,
        n_cells=4,
        between="depth",
        formula="y ~ grammatical * depth",
        coefficient="grammatical:depth",
        sign=0,
        local=False,
    ),
}
"""The effects by name, in the order of the paper's figures."""


@dataclass(frozen=True, slots=True)
class LicensingEffect:
    """One effect in one construction under one model and metric."""

    construction: str
    model: str
    metric: str
    effect: EffectName
    expected: int
    """The sign that knowledge of the grammar gives it under this metric; 0 where none is predicted."""
    test: Result
    """What the words allow, and the verdict follows; `n` counts items that were measured on texts of their own, copies being one."""
    published: Result
    """The paper's test: the coefficient of a mixed model with a random intercept by item."""
    words: WordTest
    """What the words allow, with the second line."""

    @property
    def n_items(self) -> int:
        """Items that were measured on texts of their own; copies of an item are one."""
        return self.test.n

    @property
    def estimate(self) -> float | None:
        """Of the item's value: its mean, or its slope between kinds of items."""
        return self.test.estimate

    @property
    def ci(self) -> tuple[float, float] | None:
        """Its 95 % interval."""
        return self.test.ci

    @property
    def p(self) -> float | None:
        """Two-sided."""
        return self.test.p

    @property
    def p_adj(self) -> float | None:
        """Corrected over the effects of a run (`corrected_together`); None where it was not."""
        return self.test.p_adj

    @property
    def reason(self) -> str:
        """Why it is undefined, or has no verdict."""
        return self.test.undefined or (self.words.why if self.words.kind == "described" else "")

    @property
    def mark(self) -> str:
        """`WORDS_UNKNOWN` where the words of its items are not known; else empty."""
        return WORDS_UNKNOWN if self.words.kind == "unknown" and self.estimate is not None else ""

    @property
    def verdict(self) -> Conclusion:
        """What p < .05 and the sign say, p being the corrected one where there is one."""
        return judge(self.test, self.expected, self.p if self.p_adj is None else self.p_adj, AnalysisOptions())


@dataclass(frozen=True, slots=True)
class CellMean:
    """The mean of one variant without embedding."""

    construction: str
    model: str
    metric: str
    licensor: bool
    gap: bool
    result: Result
    """The mean over items, with the interval of its t test."""

    @property
    def n_items(self) -> int:
        """Items that were measured on texts of their own."""
        return self.result.n

    @property
    def mean(self) -> float:
        """In the metric's unit; only variants with a value have one."""
        assert self.result.estimate is not None
        return self.result.estimate

    @property
    def ci(self) -> tuple[float, float] | None:
        """Its 95 % interval; None for a single item."""
        return self.result.ci


@dataclass(frozen=True, slots=True)
class Licensing:
    """Every effect of some constructions under one model."""

    model: str
    effects: tuple[LicensingEffect, ...]
    cells: tuple[CellMean, ...]
    notes: tuple[str, ...] = ()

    def effect(self, construction: str, metric: str, effect: EffectName) -> LicensingEffect | None:
        """One of the effects, None where it is not there."""
        wanted = construction, metric, effect
        return next((e for e in self.effects if (e.construction, e.metric, e.effect) == wanted), None)


def is_licensing(paradigm: Paradigm) -> bool:
    """Whether the paradigm crosses a licensor with a gap, two levels each, and says where its clause begins."""
    crossed = {factor.name: len(factor.levels) for factor in paradigm.factors}
    return crossed == {LICENSOR: 2, GAP: 2} and bool(paradigm.clause)


def licensed_sentences(
    bank: Bank,
    paradigm: str,
    *,
    model: str | None,
    dataset: str | None = None,
    all_items: bool = False,
    convention: str = GAPSMITH,
    unigrams: Callable[[Scorer], Unigrams | str],
) -> tuple[Scorer, list[LicensedSentence], list[str]]:
    """The scorer, every sentence that the paradigm's items could have, with its metrics or the reasons why there are none, and what
    is to be said of the choice.

    Raises `ConfigError` for a paradigm of another design, and what `gapsmith.scoring.analysis.analyze` raises for no items or scores."""
    chosen = choose(bank, paradigm, AnalysisOptions(all_items=all_items, dataset=dataset))
    today = chosen.paradigm
    if not is_licensing(today):
        raise ConfigError(
            f"{paradigm} does not cross a licensor with a gap, or does not say where the clause after the licensor begins.",
            hint=f"It needs [factors.{LICENSOR}], [factors.{GAP}], the level with it first, and `clause = REGION`.",
        )
    _expect_order(today, chosen.picked)
    scorer, notes = find_scorer(bank, chosen.texts, model, everything=all_items, convention=convention)
    chance = unigrams(scorer)
    if isinstance(chance, str):
        notes = [*notes, chance]
    table = observe(bank, chosen.picked, today, scorer, unigrams=chance, convention=find_convention(convention))

    @cache
    def read(condition: str, metric: Metric) -> tuple[Mapping[str, str], ...]:
        return words_read(table.items, today, [(condition, _place(metric, today))]).rows

    found = []
    lacking: Counter[tuple[str, str]] = Counter()
    for position, item in enumerate(chosen.picked):
        own = today.variant(item.slots if item.slots is not None else item.attributes)
        for condition in own.conditions:
            sentence = table.sentence(position, condition.name)
            columns = {
                metric.name: table.column(condition.name, _place(metric, today), MEASURES[metric.measure]) for metric in METRICS
            }
            evidence = {name: int(column.observation[position]) for name, column in columns.items()}
            reasons = {name: why for name, column in columns.items() if (why := table.reasons[column.reason[position]])}
            if sentence is None:
                lacking["sentence", reasons[METRICS[0].name]] += 1
            elif sentence.measured is not None:
                # That there is no table of unigrams is said once, and not of each sentence.
                lacking.update((f"{name} value", why) for name, why in reasons.items() if why != chance)
            values = {name: float(columns[name].value[position]) if seen else None for name, seen in evidence.items()}
            seen_of = {name: seen for name, seen in evidence.items() if seen}
            words = {metric.name: read(condition.name, metric)[position] for metric in METRICS}
            made = _sentence(item, today, condition, values, seen_of)
            made = made._replace(closed=closed_slots(today), parts=slot_parts(today), named=not chosen.by_total_only)
            found.append(made._replace(reasons=reasons, words=words))
    found += _set_aside(chosen, {own.construction for own in found})
    repeated = len(chosen.picked) - len(without_copies(chosen.picked))
    if repeated:
        what = "1 item has the very sentences" if repeated == 1 else f"{repeated:,} items have the very sentences"
        notes = [*notes, f"{paradigm}: {what} of another one, and are no further evidence: each counts once."]
    of_this = f"of {len(chosen.picked):,} items with {count(len(today.conditions), 'condition')} each"
    notes = [*notes, *(f"{paradigm}: {n:,} have no {what} ({why}), {of_this}." for (what, why), n in sorted(lacking.items()))]
    unscored = len(chosen.texts) - bank.scores.measured(scorer.id, chosen.texts)
    if unscored:
        notes = [*notes, f"{paradigm}: {unscored:,} sentences have not been scored by {scorer.model}."]
    return scorer, found, notes


def _set_aside(chosen: Chosen, constructions: Collection[str]) -> Iterator[LicensedSentence]:
    """The sentences of items that are not analysed for what was decided of them, without values, so that each effect knows how many
    there would have been of its constructions."""
    picked = {item.id for item in chosen.picked}
    nothing = {metric.name: None for metric in METRICS}
    why = {metric.name: NOT_APPROVED for metric in METRICS}
    for item in chosen.items:
        if item.id in picked:
            continue
        own = chosen.paradigm.variant(item.slots if item.slots is not None else item.attributes)
        for condition in own.conditions:
            sentence = _sentence(item, chosen.paradigm, condition, nothing, {})
            if sentence.construction in constructions:
                yield sentence._replace(reasons=why)


def licensing(model: str, observations: Sequence[LicensedSentence], notes: Sequence[str] = ()) -> Licensing:
    """Every effect and the means of the variants, construction by construction in the order in which they come."""
    effects, cells = [], []
    for own in _CONSTRUCTION.split(observations, LicensedSentence.place).values():
        construction = own[0].construction
        for metric in METRICS:
            cells += _cells(model, construction, metric, own)
            for name, asked in EFFECTS.items():
                if asked.local or metric.name != "local":
                    effects.append(_effect(model, construction, metric, name, own))
    return Licensing(model, tuple(effects), tuple(cells), tuple(notes))


def corrected_effects(results: Sequence[Licensing]) -> tuple[Licensing, ...]:
    """The same with p corrected by Holm over all effects of all models: nobody said beforehand which of them is asked for."""
    tests = iter(adjust([effect.test for own in results for effect in own.effects]))
    return tuple(replace(own, effects=tuple(replace(effect, test=next(tests)) for effect in own.effects)) for own in results)


def analyze_licensing(
    bank: Bank,
    paradigms: Sequence[str] = (),
    *,
    model: str | None,
    dataset: str | None = None,
    all_items: bool = False,
    convention: str = GAPSMITH,
    unigrams: UnigramSource,
) -> Licensing:
    """Every effect of the paradigms that cross a licensor with a gap (of those named), under one model.

    `unigrams` is what SLOR takes away. Raises `ConfigError` where there is no such paradigm, and what `licensed_sentences` raises."""
    names = paradigms or [name for name in bank.paradigms.names() if is_licensing(bank.paradigms.current(name).paradigm)]
    if not names:
        raise ConfigError(
            "No paradigm here crosses a licensor with a gap.",
            hint="For instance: gapsmith generate embwhq -n 120 --seed 1",
        )
    observations: list[LicensedSentence] = []
    notes: list[str] = []
    scored_by = ""
    for name in names:
        scorer, own, said = licensed_sentences(
            bank, name, model=model, dataset=dataset, all_items=all_items, convention=convention, unigrams=unigrams
        )
        observations += own
        notes += said
        scored_by = scorer.model
    notes.append(f"Scoring convention {convention}: {find_convention(convention).title}.")
    return licensing(scored_by, observations, list(dict.fromkeys((*notes, *unigrams.notes))))


def _expect_order(paradigm: Paradigm, items: Sequence[StoredItem]) -> None:
    """Raise `ConfigError` where the level that stands first is not that with the licensor, or with the gap: every sign would be the
    other one. Sentences with an open gap have fewer words; what is ok has licensor and gap, or neither."""
    levels = {factor.name: factor.levels for factor in paradigm.factors}
    places = {factor.name: place for place, factor in enumerate(paradigm.factors)}
    first = {c.name: {name: c.levels[places[name]] == levels[name][0] for name in (LICENSOR, GAP)} for c in paradigm.conditions}
    words = {True: 0, False: 0}
    for item in items:
        for sentence in item.sentences:
            if sentence.condition in first:
                words[first[sentence.condition][GAP]] += len(sentence.text.split())
    ok = {own[LICENSOR] == own[GAP] for c in paradigm.conditions if c.expected == "ok" and (own := first[c.name])}
    wrong = GAP if words[True] > words[False] > 0 else LICENSOR if ok == {False} else None
    if wrong is not None:
        why = (
            "sentences have fewer words under the second" if wrong == GAP else "what is ok has one of licensor and gap, not both"
        )
        raise ConfigError(
            f"{paradigm.name}: [factors.{wrong}] should have the level with it first, and has {levels[wrong][0]}: {why}",
            hint=f"Exchange the two levels of [factors.{wrong}] in its file; no item changes by that.",
        )


def _place(metric: Metric, paradigm: Paradigm) -> Place:
    if metric.name == "local":
        return CRITICAL_PLACE
    return SENTENCE_PLACE if metric.name == "slor" else Place(paradigm.clause, onwards=True)


def _sentence(
    item: StoredItem,
    paradigm: Paradigm,
    condition: Condition,
    values: Mapping[str, float | None],
    evidence: Mapping[str, int],
) -> LicensedSentence:
    level = dict(zip((factor.name for factor in paradigm.factors), condition.levels, strict=True))
    first = {factor.name: factor.levels[0] for factor in paradigm.factors}
    # A choice that is no row of clauses, such as the position of the gap, makes constructions of their own.
    apart = [
        str(next(iter(choice.levels[str(item.attributes[choice.name])].values()), item.attributes[choice.name]))
        for choice in paradigm.choices
        if "depth" not in next(iter(choice.levels.values())) and item.attributes.get(choice.name) in choice.levels
    ]
    return LicensedSentence(
        # Names of data sets and labels may have any other character.
        item=f"{item.dataset}\0{item.label}",
        construction=", ".join([paradigm.name, *apart]),
        licensor=level[LICENSOR] == first[LICENSOR],
        gap=level[GAP] == first[GAP],
        depth=int(item.attributes.get("depth", 0)),
        island=bool(item.attributes.get("island", False)),
        values=values,
        evidence=evidence,
    )


def _effect(
    model: str, construction: str, metric: Metric, name: EffectName, observations: Sequence[LicensedSentence]
) -> LicensingEffect:
    asked = EFFECTS[name]
    own = [o for o in observations if asked.of(o)]
    used = [(o, value) for o in own if (value := o.values[metric.name]) is not None]
    used = _items_once(used, metric)
    expected = asked.sign * -metric.good

    def named(test: Result, over: dict[str, Any]) -> Result:
        return replace(
            test, design=construction, contrast=f"{name} {metric.name}", model=model, unit=MEASURES[metric.measure].unit, **over
        )

    test, words = _by_words(asked, metric, used)
    having = _over([o for o in own if asked.weight(o)], metric, every=True)
    test = named(test, having)
    these, others = (None if line is None else named(line, having) for line in (words.these, words.others))
    words = replace(words, these=these, others=others)
    published = beside_words(named(_published(asked, name, used), _over(own, metric, every=False)), words)
    return LicensingEffect(construction, model, metric.name, name, expected, test, published, words)


def _by_words(asked: _Asked, metric: Metric, used: Sequence[tuple[LicensedSentence, float]]) -> tuple[Result, WordTest]:
    """The effect as a value of each item that has all it takes: what is tested of it, and what the words say of that."""
    values, rows, kinds = [], [], []
    for own in _ITEM.split(used, lambda entry, key: entry[0].place(key)).values():
        taken = [(o, value) for o, value in own if asked.weight(o)]
        if len({o.cell for o, _ in taken}) < asked.n_cells:
            continue
        values.append(sum(asked.weight(o) * value for o, value in taken))
        rows.append(words_together(o.words.get(metric.name, {}) for o, _ in taken))
        kinds.append(float(taken[0][0].place(asked.between)) if asked.between else 0.0)
    if not values:
        why = f"no item has {'the sentence' if asked.n_cells == 1 else f'all {asked.n_cells} sentences'} that it takes"
        return Result(test="t test", n=0, undefined=why, interpretable=False), WordTest("unknown")
    known = all(rows)
    if not known:
        rows = [{}] * len(values)
    if asked.between and (len(set(kinds)) < 2 or len(values) < 3):
        why = f"{asked.between} does not vary" if len(values) > 2 else f"{count(len(values), 'item')} have a value"
        return Result(test="linear model", n=len(values), undefined=why, interpretable=False), WordTest("unknown")
    one = used[0][0]
    words = word_test(values, rows, closed=one.closed, parts=one.parts, between=kinds if asked.between else None)
    if not one.named:
        words = replace(words.without_words(), fixed=())
    if not known:
        words = replace(words, kind="unknown")
    if words.these is not None and words.kind != "unknown":
        return words.these, words
    if asked.between and words.these is None:
        # Words taken as given: the slope over the items, from which nothing is concluded.
        given = word_test(values, [{}] * len(values), between=kinds)
        over_items = given.these or Result(test="linear model", n=len(values), undefined=words.why, interpretable=False)
        return beside_words(over_items, words), words
    return beside_words(words.these or one_sample_t(values), words), words


def _published(asked: _Asked, name: EffectName, used: Sequence[tuple[LicensedSentence, float]]) -> Result:
    """The coefficient of the paper's mixed model."""
    n_items = len({o.item for o, _ in used})
    # By their places, which are those of what was read; names would put them in an order of their own.
    places = {item: f"{place:09}" for place, item in enumerate(dict.fromkeys(o.item for o, _ in used))}
    columns: dict[str, list[float | str]] = {
        "y": [value for _, value in used],
        "item": [places[o.item] for o, _ in used],
        "licensor": [o.licensor - 0.5 for o, _ in used],
        "gap": [o.gap - 0.5 for o, _ in used],
        "grammatical": [o.grammatical - 0.5 for o, _ in used],
        "island": [float(o.island) for o, _ in used],
        "other": [float(o.licensor is not (name == "island_licensed")) for o, _ in used],
        "depth": [float(o.depth) for o, _ in used],
    }
    wanted = {word for word in asked.formula.replace("*", " ").split() if word in columns and word not in {"y", "item"}}
    flat = [word for word in sorted(wanted) if len(set(columns[word])) < 2]
    if flat or n_items < 3:
        why = f"{flat[0]} does not vary" if flat and used else f"{n_items} items have a value"
        return _undefined(n_items, why)
    try:
        fit = fit_mixed(f"{asked.formula} + (1 | item)", columns)
        found = fit.coefficient(asked.coefficient)
    except (ModelFormulaError, ValueError, KeyError) as error:
        return _undefined(n_items, str(error))
    return Result(
        test="mixed model of items",
        n=n_items,
        estimate=found.estimate,
        ci=found.ci,
        statistic=found.statistic,
        df=found.df,
        p=found.p,
        scope="items, their words taken as given",
        assumes=("items are a sample and independent", "what items and sentences do is about normal"),
        notes=fit.notes,
    )


def _items_once(used: Sequence[tuple[LicensedSentence, float]], metric: Metric) -> list[tuple[LicensedSentence, float]]:
    """Without the items that were measured on the same texts as another one in all that is used of them. They come in the order of
    what was read for them, so that neither names nor the order of a file say what is drawn for intervals."""
    ordered = sorted(used, key=lambda entry: (entry[0].cell, entry[0].item))
    by_item = _ITEM.split(ordered, lambda entry, key: entry[0].place(key)).values()

    def read(entries: list[tuple[LicensedSentence, float]], _: str) -> tuple[tuple[object, str], ...]:
        """What an item is, as far as this is concerned: what was read for it in each variant."""
        return tuple((o.cell, str(o.evidence.get(metric.name, o.item))) for o, _ in entries)

    groups = Grouping(("evidence",)).split(sorted(by_item, key=lambda entries: entries[0][0].item), read)
    return [entry for group in sorted(groups) for entry in groups[group][0]]


def _over(observations: Sequence[LicensedSentence], metric: Metric, *, every: bool) -> dict[str, Any]:
    """How many items have a value of any of these sentences, or of all of them (`every`), and why the others have none: the fields
    `n_given`, `n_undefined` and `restrictions` of a result."""
    lacking: Counter[str] = Counter()
    items = _ITEM.split(observations, LicensedSentence.place).values()
    for own in items:
        without = [o for o in own if o.values[metric.name] is None]
        if without and (every or len(without) == len(own)):
            lacking[without[0].reasons.get(metric.name, "it has no value")] += 1
    n = len(items) - lacking.total()
    undefined = lacking.total() - lacking[NOT_APPROVED]
    return {"n_given": n, "n_undefined": undefined, "restrictions": restricted(len(items), lacking)}


def _undefined(n_items: int, why: str) -> Result:
    return Result(test="mixed model of items", n=n_items, undefined=why, interpretable=False)


def _cells(model: str, construction: str, metric: Metric, observations: Sequence[LicensedSentence]) -> list[CellMean]:
    found = []
    variants = _VARIANT.split(observations, LicensedSentence.place)
    for licensor, gap in product((True, False), repeat=2):
        own = variants.get((licensor, gap, 0), [])
        having = [(o, value) for o in own if (value := o.values[metric.name]) is not None]
        values = [value for _, value in _items_once(having, metric)]
        if values:
            mean = replace(
                one_sample_t(values), test="mean", statistic=None, df=None, p=None, effect=None, **_over(own, metric, every=False)
            )
            found.append(CellMean(construction, model, metric.name, licensor, gap, mean))
    return found
