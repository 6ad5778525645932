"""Who gets how many pairs right, by perplexity: every model in a bank over every phenomenon that the bank has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

from gapsmith.bank import Bank, ItemFilter, Scorer, StoredItem
from gapsmith.scoring.analysis import AnalysisOptions, step_of
from gapsmith.scoring.analysis.criteria import analyze_criterion
from gapsmith.scoring.analysis.posh.mapping import CATEGORIES, FILES, POSH, SUBCATEGORIES, Part, part_of
from gapsmith.scoring.observations import observe
from gapsmith.stats import chi_square_chance, holm
from gapsmith.templates import Criterion, GapsmithError, Paradigm, Source

_SEED = re.compile(r"[-_./]?seed[-_=]?(\d+)", re.IGNORECASE)
_CHECKPOINT = re.compile(r"(.+?)(?:/checkpoints)?/((?:step|checkpoint|epoch)[-_]?\d+)/?", re.IGNORECASE)
_MEASURE = "perplexity"


@dataclass(frozen=True, slots=True)
class PhenomenonRow:
    """A model, or the same model trained with several seeds; a revision of it where several were scored."""

    model: str
    """Without its seed: ``mini-seed1`` and ``mini-seed2`` are ``mini``."""
    revision: str

    @property
    def step(self) -> int | None:
        """The number in the revision's name, for learning curves."""
        return step_of(self.revision)


@dataclass(frozen=True, slots=True)
class Cell:
    """Right answers to the pairs of one or more phenomena, a count for each seed."""

    correct: tuple[int, ...]
    n: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """One for each seed."""
        return tuple(c / n for c, n in zip(self.correct, self.n, strict=True))

    @property
    def mean(self) -> float:
        """Over seeds."""
        return fmean(self.shares)

    @property
    def sd(self) -> float | None:
        """Over seeds; None for one."""
        return stdev(self.shares) if len(self.n) > 1 else None

    @property
    def p_pooled(self) -> float | None:
        """Two-sided chi-square against a half of the counts of all seeds together, as the paper has it; None without answers."""
        return chi_square_chance(sum(self.correct), sum(self.n)).p

    @property
    def p_each(self) -> float | None:
        """The same for every seed by itself, the largest p of them; 1 where seeds lie on both sides of chance, None where a seed
        has no answer.

        That all seeds differ from chance is claimed only where each does (an intersection-union test)."""
        every = [chi_square_chance(c, n).p for c, n in zip(self.correct, self.n, strict=True)]
        found = [p for p in every if p is not None]
        if not found or len(found) < len(every):
            return None
        return 1.0 if min(self.shares) < 0.5 < max(self.shares) else max(found)


@dataclass(frozen=True)
class Evaluation:
    """The outcomes of all rows, and what was left out."""

    outcomes: Mapping[tuple[PhenomenonRow, Part], Cell]
    notes: tuple[str, ...]

    @cached_property
    def posh(self) -> str:
        """The pairs that the tables are about: ours, or those of files where there are none of ours."""
        return FILES if FILES in self.benchmarks and POSH not in self.benchmarks else POSH

    @cached_property
    def rows(self) -> tuple[PhenomenonRow, ...]:
        """In the order in which they were scored, revisions of a model by their step."""
        rows = list(dict.fromkeys(row for row, _ in self.outcomes))
        first = {model: number for number, model in reversed(list(enumerate(row.model for row in rows)))}
        return tuple(sorted(rows, key=lambda row: (first[row.model], row.step if row.step is not None else 10**12)))

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

    def cell(self, row: PhenomenonRow, parts: Sequence[Part]) -> Cell | None:
        """The phenomena together, seed by seed; None where the row lacks one."""
        cells = [self.outcomes.get((row, part)) for part in parts]
        if not cells or any(cell is None or len(cell.n) != len(cells[0].n) for cell in cells if cells[0] is not None):
            return None
        known = [cell for cell in cells if cell is not None]
        seeds = range(len(known[0].n)) if len(known) == len(cells) else range(0)
        if not seeds:
            return None
        return Cell(tuple(sum(c.correct[s] for c in known) for s in seeds), tuple(sum(c.n[s] for c in known) for s in seeds))

    def category(self, row: PhenomenonRow, category: str, benchmark: str | None = None) -> Cell | None:
        """All phenomena of a category together."""
        return self.cell(row, self.parts(benchmark, category))

    def average(self, row: PhenomenonRow, *, of: str, benchmark: str | None = None) -> tuple[float, float | None] | None:
        """Mean and SD over seeds of the mean of ``categories`` (table 3's Overall) or ``subcategories`` (table 8's Average)."""
        if of == "categories":
            there = [category for category in CATEGORIES if self.parts(benchmark, category)]
            cells = [self.category(row, category, benchmark) for category in there]
        else:
            cells = [self.outcomes.get((row, part)) for part in self.parts(benchmark)]
        known = [cell for cell in cells if cell is not None]
        if not known or len(known) < len(cells) or len({len(cell.n) for cell in known}) > 1:
            return None
        by_seed = [fmean(cell.shares[seed] for cell in known) for seed in range(len(known[0].n))]
        return fmean(by_seed), stdev(by_seed) if len(by_seed) > 1 else None

    @cached_property
    def holm_each(self) -> Mapping[tuple[PhenomenonRow, Part], float]:
        """`Cell.p_each` of every phenomenon that has one, corrected over all of them and all rows."""
        keys = {str(number): key for number, key in enumerate(self.outcomes)}
        adjusted = holm({name: p for name, key in keys.items() if (p := self.outcomes[key].p_each) is not None})
        return {keys[name]: p for name, p in adjusted.items()}


def evaluate(bank: Bank, *, models: Sequence[str] = (), say: Callable[[str], None] = lambda _: None) -> Evaluation:
    """Every model of the bank (or those named) over every phenomenon of table 10 that it has scored whole.

    All items count, whatever was decided of them. Raises `GapsmithError` where no pair belongs to a phenomenon, or no
    model has scored any.
    """
    found: dict[tuple[PhenomenonRow, Part], dict[str, tuple[int, int]]] = defaultdict(dict)
    notes: list[str] = []
    scorers = [scorer for scorer in bank.scores.scorers() if not models or scorer.model in models]
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
            row, seed = _row(bank, scorer)
            if measured < len(texts):
                if measured:
                    notes.append(f"{scorer.model} has scored {measured:,} of {len(texts):,} sentences of {part.name}: left out")
                continue
            if seed in found[row, part]:
                notes.append(f"several scorers are {_said(row, seed)}: the newest is taken")
            correct, n, having = _counts(bank, paradigm, criterion, items, scorer)
            if having < len(items):
                notes.append(
                    f"{len(items) - having:,} of {len(items):,} pairs of {part.name} lack a sentence or a value: left out"
                )
            if n < having:
                notes.append(f"{having - n:,} of {having:,} pairs of {part.name} have the sentences of another one: counted once")
            if n:
                found[row, part][seed] = correct, n
        say(f"{part.benchmark}, {part.name}: {len(items):,} pairs")
    outcomes = {
        key: Cell(tuple(c for c, _ in counts.values()), tuple(n for _, n in counts.values()))
        for key, counts in ((key, dict(sorted(counts.items()))) for key, counts in found.items() if counts)
    }
    if not outcomes:
        raise GapsmithError("No model has scored all pairs of a phenomenon.", hint="Run `gapsmith score --all --model bundled`.")
    return Evaluation(outcomes, tuple(dict.fromkeys(notes)))


def _sets(bank: Bank) -> Iterator[tuple[Paradigm, Criterion, Part, list[StoredItem]]]:
    """The items of each phenomenon, with the criterion that compares perplexities."""
    for name in bank.paradigms.names():
        paradigm = bank.paradigms.current(name).paradigm
        criterion = next((c for c in paradigm.criteria if c.measure == _MEASURE), None)
        if criterion is None:
            continue
        groups: dict[Part, list[StoredItem]] = defaultdict(list)
        for item in bank.items.iterate(ItemFilter(paradigm=name)):
            uid = item.attributes.get("UID")
            made = all(sentence.source is not Source.IMPORTED for sentence in item.sentences)
            part = part_of(name, item.dataset, str(uid) if uid is not None else None, made=made)
            if part is not None:
                groups[part].append(item)
        for part, items in groups.items():
            yield paradigm, criterion, part, items


def _counts(
    bank: Bank, paradigm: Paradigm, criterion: Criterion, items: Sequence[StoredItem], scorer: Scorer
) -> tuple[int, int, int]:
    """How many different pairs are right, how many there are, and how many items have both perplexities."""
    paradigm = bank.datasets.measured_together(paradigm, (item.dataset for item in items))
    table = observe(bank, items, paradigm, scorer)
    result = analyze_criterion(table, criterion, AnalysisOptions(all_items=True))
    truths = {result.evidence[key]: truth for key, truth in result.holds.items()}
    return sum(truths.values()), len(truths), result.n_items


def _row(bank: Bank, scorer: Scorer) -> tuple[PhenomenonRow, str]:
    """The row of a scorer, and its seed: what follows ``seed`` in the model's name. A checkpoint in a folder of its own is a
    revision of the model that it belongs to."""
    seed = _SEED.search(scorer.model)
    model = _SEED.sub("", scorer.model, count=1) if seed else scorer.model
    revision = bank.scores.revision_name(scorer)
    checkpoint = _CHECKPOINT.fullmatch(model)
    if checkpoint is not None:
        model, revision = checkpoint.groups()
    # Weights of several seeds differ; only a named revision says which belong together.
    return PhenomenonRow(model, revision if step_of(revision) is not None or not seed else ""), seed.group(1) if seed else ""


def _said(row: PhenomenonRow, seed: str) -> str:
    return " ".join(part for part in (row.model, row.revision, f"seed {seed}" if seed else "") if part)
