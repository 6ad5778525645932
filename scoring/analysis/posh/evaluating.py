"""Who gets how many pairs right, by perplexity: every model in a bank over every phenomenon that the bank has."""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean, stdev
from typing import Any, Literal, TypeVar

from gapsmith.bank import Bank, ItemFilter, Scorer, StoredItem
from gapsmith.scoring.analysis import AnalysisOptions, ModelName, models_told, names_assumed, read_model_name, step_of
from gapsmith.scoring.analysis.contrasts import WORDS_REPEAT, beside_words
from gapsmith.scoring.analysis.criteria import analyze_criterion
from gapsmith.scoring.analysis.posh.mapping import CATEGORIES, FILES, POSH, SUBCATEGORIES, Part, part_of
from gapsmith.scoring.analysis.selecting import measured_by
from gapsmith.scoring.observations import Grouping, added_up, begins_as, observe
from gapsmith.stats import Result, WordTest, chi_square_chance, fisher_combined, holm
from gapsmith.templates import (
    CONVENTIONS,
    GAPSMITH,
    Convention,
    Criterion,
    GapsmithError,
    Paradigm,
    Source,
    find_convention,
)

_MEASURE = "perplexity"
Words = Literal["described", "unknown", "items"]
"""Whether words repeat over pairs, are not known, or each pair has its own: `gapsmith.stats.WordTest.kind`."""
_AS_TEST: Mapping[Words, WordTest] = {
    "described": WordTest("described", why=WORDS_REPEAT),
    "unknown": WordTest("unknown"),
    "items": WordTest("items"),
}
FAMILY = "all phenomena of all models, unplanned"
"""What tests are corrected over."""
FAMILY_OF_CATEGORIES = "all categories of all models, unplanned"
_Key = TypeVar("_Key", bound=Hashable)
Seeds = Literal["pooled", "fisher", "largest"]
"""How the p of a model with several seeds is made: the counts of all seeds together; Fisher's combination of the p of each, as the authors'
script has it; the largest of them. Seeds answer the same pairs, which the first two take for other ones."""


@dataclass(frozen=True, slots=True)
class PhenomenonRow:
    """A model, or the same model trained with several seeds; a revision of it where several were scored."""

    model: str
    """Without its seed: ``mini-seed1`` and ``mini-seed2`` are ``mini``."""
    revision: str
    training: tuple[tuple[str, str], ...] = ()
    """What it was trained on and how large it is, as its name or a file says it."""

    @property
    def millions(self) -> int | None:
        """Millions of words of its training, for learning curves; None where nobody says."""
        found = re.fullmatch(r"(\d+)M", dict(self.training).get("words", ""))
        return int(found[1]) if found else None

    @property
    def trained_alike(self) -> tuple[str, ...]:
        """What it shares with models that saw more or fewer words of the same: architecture, corpus and filtering; empty where nobody says
        how many words it saw."""
        said = dict(self.training)
        return tuple(said.get(key, "") for key in ("architecture", "corpus", "filtered")) if self.millions else ()

    @property
    def step(self) -> int | None:
        """The number in the revision's name, for learning curves."""
        return step_of(self.revision)


def share_right(correct: Sequence[int], n: Sequence[int], words: Words = "unknown", **about: Any) -> Result:
    """Right answers to the pairs of one or more phenomena, a count for each seed; the estimate is the mean of the seeds' shares.

    The test is a two-sided chi-square against a half of the counts of all seeds together, as the paper has it; it takes pairs as
    independent, so where their words repeat no verdict rests on it. Details: ``correct`` and ``n``, a number for each seed; ``sd``,
    of the shares over seeds, None for one; ``words``. `about` has other fields of the result.
    """
    counts = {"correct": tuple(correct), "n": tuple(n), "words": words}
    test = chi_square_chance(sum(correct), sum(n))
    if not all(n):
        nothing = f"{sum(not own for own in n)} of {len(n)} seeds have no answers"
        test = replace(test, statistic=None, p=None, undefined=nothing, interpretable=False)
    shares = [c / own for c, own in zip(correct, n, strict=True) if own]
    details = {**counts, "sd": stdev(shares) if len(shares) == len(n) > 1 else None}
    mean = fmean(shares) if len(shares) == len(n) else None
    assumed = ("answers are independent, those of several seeds to one pair, too" if len(n) > 1 else "answers are independent",)
    made = replace(test, **{"estimate": mean, "unit": "share", "assumes": assumed, "details": details, **about})
    return beside_words(made, _AS_TEST[words])


def every_seed(found: Result) -> Result:
    """The same for every seed by itself: the largest p of them; 1 where seeds lie on both sides of chance. Undefined where a seed has
    no answer. That all seeds differ from chance is claimed only where each does (an intersection-union test)."""
    every = [chi_square_chance(c, n).p for c, n in zip(found.details["correct"], found.details["n"], strict=True)]
    known = [p for p in every if p is not None]
    p = None
    if known and len(known) == len(every):
        p = 1.0 if min(shares_right(found)) < 0.5 < max(shares_right(found)) else max(known)
    test = "chi-square against chance, every seed"
    return replace(found, test=test, statistic=None, df=None, p=p, assumes=("answers of one seed are independent",))


def fishers(found: Result) -> Result:
    """The same by Fisher's combination of each seed's p, which is 1 where it is below .05 and seeds lie on both sides of chance."""
    correct, n = found.details["correct"], found.details["n"]
    mixed = all(n) and min(shares_right(found)) < 0.5 < max(shares_right(found))
    own = fisher_combined([chi_square_chance(c, of) for c, of in zip(correct, n, strict=True)], mixed=mixed)
    assumed = ("answers are independent, those of several seeds to one pair, too",)
    return replace(
        found,
        test="chi-square against chance, Fisher's combination of seeds",
        statistic=own.statistic,
        df=own.df,
        p=own.p,
        notes=(*found.notes, *own.notes),
        assumes=assumed,
    )


def shares_right(found: Result) -> tuple[float, ...]:
    """The share of each seed."""
    return tuple(c / n for c, n in zip(found.details["correct"], found.details["n"], strict=True))


def _of_phenomena(parts: Sequence[Result], **about: Any) -> Result:
    """The counts of several phenomena as those of one, seed by seed."""
    correct, n = ([sum(own) for own in zip(*(part.details[name] for part in parts), strict=True)] for name in ("correct", "n"))
    return share_right(correct, n, **_given(parts), **about)


def _of_seeds(seeds: Sequence[Result], **about: Any) -> Result:
    """The counts of single seeds together."""
    correct, n = ([count for seed in seeds for count in seed.details[name]] for name in ("correct", "n"))
    return share_right(correct, n, **_given(seeds), **about)


def _n_having(own: Result) -> int:
    """Pairs that have a value."""
    return own.n if own.n_given is None else own.n_given


def _given(parts: Sequence[Result]) -> dict[str, Any]:
    """How many pairs were given in all, what leaves some out, and what is known of their words."""
    given, undefined = sum(map(_n_having, parts)), sum(own.n_undefined for own in parts)
    kinds = {own.details["words"] for own in parts}
    words = next(kind for kind in _AS_TEST if kind in kinds)
    return {
        "words": words,
        "n_given": given,
        "n_undefined": undefined,
        "restrictions": added_up((own.restrictions for own in parts), given),
    }


@dataclass(frozen=True)
class Evaluation:
    """The outcomes of all rows, and what was left out."""

    outcomes: Mapping[tuple[PhenomenonRow, Part], Result]
    """By `share_right`: seeds pooled."""
    notes: tuple[str, ...]
    seeds: Seeds = "pooled"
    """By which test the tables are starred."""
    convention: str = GAPSMITH
    """How numbers were made of tokens, and which of equal sentences is right: a name in `gapsmith.templates.CONVENTIONS`."""
    assumed: tuple[str, ...] = ()
    """What was read from the names of models."""
    others: Mapping[str, Evaluation] = field(default_factory=dict)
    """The same by each other convention that anything was scored for, by its name."""

    @cached_property
    def posh(self) -> str:
        """The pairs that come first: those of files that are known by their names, such as the published ones, unless ours are of more of
        table 8's phenomena."""
        return FILES if FILES in self.benchmarks and len(self.parts(FILES)) >= len(self.parts(POSH)) else POSH

    @property
    def behind(self) -> str | None:
        """The other pairs of table 8's phenomena, ours or those of files; None where there are none."""
        other = POSH if self.posh == FILES else FILES
        return other if other in self.benchmarks else None

    @cached_property
    def rows(self) -> tuple[PhenomenonRow, ...]:
        """In the order in which they were scored, models of one training by how many words they have seen, revisions of a model by their
        step."""
        rows = list(dict.fromkeys(row for row, _ in self.outcomes))
        first: dict[object, int] = {}
        for number, row in enumerate(rows):
            first.setdefault(row.trained_alike or row.model, number)
        last = 10**12

        def place(row: PhenomenonRow) -> tuple[int, bool, int, str, int]:
            step = last if row.step is None else row.step
            # Sizes that nobody has told come before those that are known.
            is_known = row.millions is not None
            return (
                first[row.trained_alike or row.model],
                is_known,
                row.millions if row.millions is not None else last,
                row.model,
                step,
            )

        return tuple(sorted(rows, key=place))

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """Those that any row has."""
        return tuple(dict.fromkeys(part.benchmark for _, part in sorted(self.outcomes, key=lambda k: k[1].benchmark != POSH)))

    def parts(self, benchmark: str | None = None, category: str | None = None) -> tuple[Part, ...]:
        """The phenomena that any row has, those of POSH in the order of table 8."""
        found = dict.fromkeys(part for _, part in self.outcomes if part.benchmark == (benchmark or self.posh))
        order = list(SUBCATEGORIES)
        wanted = [part for part in found if category in (None, part.category)]
        return tuple(sorted(wanted, key=lambda p: (order.index(p.name) if p.name in order else len(order), p.name)))

    def share(self, row: PhenomenonRow, parts: Sequence[Part]) -> Result | None:
        """The phenomena together, seed by seed; None where the row lacks one."""
        known = [found for part in parts if (found := self.outcomes.get((row, part))) is not None]
        if not known or len(known) < len(parts) or len({len(own.details["n"]) for own in known}) > 1:
            return None
        return _of_phenomena(
            known, model=known[0].model, group=known[0].group, dataset=known[0].dataset, design=parts[0].category
        )

    def category(self, row: PhenomenonRow, category: str, benchmark: str | None = None) -> Result | None:
        """All phenomena of a category together."""
        return self.share(row, self.parts(benchmark, category))

    def missing(self, category: str | None = None, benchmark: str | None = None) -> tuple[str, ...]:
        """The phenomena of table 8, or of one of its categories, that no row has: means over the others are of something else."""
        there = {part.name for part in self.parts(benchmark, category)}
        return tuple(name for name, (own, _, _) in SUBCATEGORIES.items() if category in (None, own) and name not in there)

    def average(self, row: PhenomenonRow, *, of: str, benchmark: str | None = None) -> tuple[float, float | None] | None:
        """Mean and SD over seeds of the mean of those ``categories`` (table 3's Overall) or ``subcategories`` (table 8's Average) that
        are there; `missing` says which are not."""
        if of == "categories":
            there = [category for category in CATEGORIES if self.parts(benchmark, category)]
            shares = [self.category(row, category, benchmark) for category in there]
        else:
            shares = [self.outcomes.get((row, part)) for part in self.parts(benchmark)]
        known = [own for own in shares if own is not None]
        if not known or len(known) < len(shares) or len({len(own.details["n"]) for own in known}) > 1:
            return None
        by_seed = [fmean(own) for own in zip(*map(shares_right, known), strict=True)]
        return fmean(by_seed), stdev(by_seed) if len(by_seed) > 1 else None

    def starred(self, found: Result) -> Result:
        """The test of a phenomenon or category that the tables star; its corrected p says how many stars. The only rule for stars."""
        return self._starred[_named(found)]

    @cached_property
    def _starred(self) -> Mapping[tuple[str, ...], Result]:
        """Phenomena corrected over all rows as in `tests`, and categories over those of all rows."""
        phenomena = {_named(own): own for own in self.tests[self.seeds].values()}
        whole = [self.category(row, category, of) for row in self.rows for of in self.benchmarks for category in CATEGORIES]
        tests = {_named(own): _BY[self.seeds](own) for own in whole if own is not None}
        return _adjusted(tests, FAMILY_OF_CATEGORIES) | phenomena

    @cached_property
    def tests(self) -> Mapping[Seeds, Mapping[tuple[PhenomenonRow, Part], Result]]:
        """Every phenomenon by each way of testing seeds, p corrected by Holm over all phenomena and all rows that have one."""
        return {rule: self._corrected(test) for rule, test in _BY.items()}

    def _corrected(self, test: Callable[[Result], Result]) -> Mapping[tuple[PhenomenonRow, Part], Result]:
        return _adjusted({key: test(found) for key, found in self.outcomes.items()}, FAMILY)

    @property
    def by_seed(self) -> Mapping[tuple[PhenomenonRow, Part], Result]:
        """Every phenomenon by `every_seed`."""
        return self.tests["largest"]

    @property
    def results(self) -> tuple[Result, ...]:
        """Every test: of each row and phenomenon over the counts of all seeds, by Fisher's combination, then seed by seed."""
        return tuple(self.tests[rule][key] for key in self.outcomes for rule in _BY)


def _named(own: Result) -> tuple[str, ...]:
    """What a result is of; a category has no name of a phenomenon."""
    return own.model, own.group, own.dataset, own.design, own.contrast


def _adjusted(tests: Mapping[_Key, Result], family: str) -> dict[_Key, Result]:
    """The tests with p corrected by Holm over those that have one; those from which nothing is concluded, whose stars stand in brackets, are no
    members of the others' family and are corrected among themselves."""
    numbered = dict(enumerate(tests.items()))
    found: dict[str, float] = {}
    for concluded in (True, False):
        some = {str(n): own.p for n, (_, own) in numbered.items() if own.p is not None and own.interpretable is concluded}
        found |= holm(some)
    return {key: replace(own, p_adj=found.get(str(number)), family=family) for number, (key, own) in numbered.items()}


_BY: Mapping[Seeds, Callable[[Result], Result]] = {"pooled": lambda found: found, "fisher": fishers, "largest": every_seed}


def evaluate(
    bank: Bank,
    *,
    models: Sequence[str] = (),
    seeds: Seeds = "pooled",
    convention: str = GAPSMITH,
    say: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Every model of the bank (or those named) over every phenomenon of table 10 that it has scored whole, by a scoring convention and, beside
    it, by all others that there are scores for; `seeds` says which test the tables star.

    All items count, whatever was decided of them. Raises `GapsmithError` where no pair belongs to a phenomenon, or no model has scored any as
    the convention has it.
    """
    own = _evaluated(bank, models, seeds, find_convention(convention), say)
    others = {}
    for other in CONVENTIONS.values():
        if other.name != convention and any(begins_as(bank, scorer, other) for scorer in bank.scores.scorers()):
            with contextlib.suppress(GapsmithError):
                others[other.name] = _evaluated(bank, models, seeds, other, lambda _: None)
    return replace(own, others=others)


def _evaluated(bank: Bank, models: Sequence[str], seeds: Seeds, convention: Convention, say: Callable[[str], None]) -> Evaluation:
    found: dict[tuple[PhenomenonRow, Part], dict[str, Result]] = defaultdict(dict)
    notes: list[str] = []
    asked = [scorer for scorer in bank.scores.scorers() if not models or scorer.model in models]
    scorers = [scorer for scorer in asked if begins_as(bank, scorer, convention)]
    without = dict.fromkeys(own.model for own in asked if own.model not in {scorer.model for scorer in scorers})
    notes += [f"{model} has scored nothing as the convention {convention.name} has it: left out" for model in without]
    told = models_told(bank.path.resolve().parent)
    named = {scorer.model: read_model_name(scorer.model, told) for scorer in scorers}
    sets = list(_sets(bank))
    if not sets:
        raise GapsmithError(
            "No items here belong to POSH-BENCH, BLiMP, Zorro or SCaMP.",
            hint="Make some (`gapsmith generate posh_wanna -n 500`), or import files under their own names.",
        )
    for paradigm, criterion, part, items in sets:
        texts = list(dict.fromkeys(sentence.text for item in items for sentence in item.sentences))
        for scorer in scorers:
            measured = bank.scores.measured(scorer.id, texts)
            row, seed = _row(bank, scorer, named[scorer.model])
            if measured < len(texts):
                if measured:
                    notes.append(f"{scorer.model} has scored {measured:,} of {len(texts):,} sentences of {part.name}: left out")
                continue
            if seed in found[row, part]:
                notes.append(f"several scorers are {_said(row, seed)}: the newest is taken")
            own = _right(bank, paradigm, criterion, items, scorer, convention.name)
            having = _n_having(own)
            if having < len(items):
                notes.append(
                    f"{len(items) - having:,} of {len(items):,} pairs of {part.name} lack a sentence or a value: left out"
                )
            if own.n < having:
                notes.append(
                    f"{having - own.n:,} of {having:,} pairs of {part.name} have the sentences of another one: counted once"
                )
            if own.n:
                found[row, part][seed] = own
        say(f"{part.benchmark}, {part.name}: {len(items):,} pairs")
    outcomes = {
        (row, part): _of_seeds(
            [own for _, own in sorted(seeds.items())],
            model=row.model,
            group=f"revision = {row.revision}" if row.revision else "",
            dataset=part.benchmark,
            design=part.category,
            contrast=part.name,
        )
        for (row, part), seeds in found.items()
        if seeds
    }
    if not outcomes:
        flag = "" if convention.name == GAPSMITH else f" --convention {convention.name}"
        raise GapsmithError(
            f"No model has scored all pairs of a phenomenon{f' as {convention.name} makes numbers' if flag else ''}.",
            hint=f"Run `gapsmith score --all --model {next(iter(without), 'bundled')}{flag}`.",
        )
    assumed = names_assumed(named[model] for model in dict.fromkeys(own.model for own in scorers))
    return Evaluation(outcomes, tuple(dict.fromkeys(notes)), seeds, convention.name, assumed=tuple(assumed))


def posh_paradigms(bank: Bank) -> Iterator[str]:
    """The paradigms of the bank that have a criterion which compares perplexities, by name."""
    for name in bank.paradigms.names():
        if any(criterion.measure == _MEASURE for criterion in bank.paradigms.current(name).paradigm.criteria):
            yield name


def _sets(bank: Bank) -> Iterator[tuple[Paradigm, Criterion, Part, list[StoredItem]]]:
    """The items of each phenomenon, with the criterion that compares perplexities; what calibrates is no part of results."""
    for name in posh_paradigms(bank):
        paradigm = bank.paradigms.current(name).paradigm
        criterion = next(c for c in paradigm.criteria if c.measure == _MEASURE)
        groups = Grouping(("attribute:phenomenon",)).split(
            bank.items.iterate(ItemFilter(paradigm=name, in_results=True)), _phenomenon
        )
        for (part,), items in groups.items():
            if part is not None:
                yield paradigm, criterion, part, items


def _phenomenon(item: StoredItem, _: str) -> Part | None:
    uid = item.attributes.get("UID")
    made = all(sentence.source is not Source.IMPORTED for sentence in item.sentences)
    return part_of(item.paradigm, item.dataset, str(uid) if uid is not None else None, made=made)


def _right(
    bank: Bank, paradigm: Paradigm, criterion: Criterion, items: Sequence[StoredItem], scorer: Scorer, convention: str
) -> Result:
    """How many different pairs are right, of those items that have both numbers."""
    paradigm = bank.datasets.measured_together(paradigm, (item.dataset for item in items))
    options = AnalysisOptions(all_items=True, convention=convention)
    table = observe(bank, items, paradigm, scorer, convention=find_convention(convention))
    _, (counted,) = measured_by(options, (), (criterion,))
    result = analyze_criterion(paradigm, table, counted, options)
    truths = {result.evidence[key]: truth for key, truth in result.holds.items()}
    about = {name: getattr(result.share, name) for name in ("n_given", "n_undefined", "restrictions")}
    return share_right(
        [sum(truths.values())],
        [len(truths)],
        "described" if result.words.repeats else "unknown" if result.words.kind == "unknown" else "items",
        **about,
    )


def _row(bank: Bank, scorer: Scorer, named: ModelName) -> tuple[PhenomenonRow, str]:
    """The row of a scorer, and its seed. A checkpoint with its step in its name is a revision of the model that it belongs to."""
    revision = named.step or bank.scores.revision_name(scorer)
    # Weights of several seeds differ; only a named revision says which belong together.
    known = revision if step_of(revision) is not None or not named.seed else ""
    return PhenomenonRow(named.model, known, tuple(named.training.items())), named.seed


def _said(row: PhenomenonRow, seed: str) -> str:
    return " ".join(part for part in (row.model, row.revision, f"seed {seed}" if seed else "") if part)
