"""`gapsmith audit`: from a file to its page, with a model's accuracies where one is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bank import Severity
from bank.formats.catalogue import read_foreign
from bank.formats.foreign import BAD, GOOD, ForeignItem, ForeignSet
from bank.formats.source import ReadOptions
from gapsmith.audit_page import AuditedFile, ModelAccuracy
from scoring.lm import Engine, Request
from scoring.measured import CriterionOutcome, ItemValues, measured_text
from templates.formula import Formula, parse_formula
from templates.measures import MEASURES, Measure, MeasuredText
from templates.model import DEFAULT_MEASURE
from vetting.foreign_lint import audit_set


def audit_file(
    path: Path,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    progress: Callable[[int], None] | None = None,
) -> AuditedFile:
    """Read a file and ask the rules. Raises `FormatError` where it cannot be read."""
    items = read_foreign(path, format=format, options=options, progress=progress)
    return AuditedFile(path, items.what, items, audit_set(items))


def criteria_of(items: ForeignSet) -> list[tuple[Formula, Measure]]:
    """What should hold of every item, and by which measure: a suite's formulas in its metric; of pairs, that the good
    member is the more probable one, as a whole (BLiMP) and by perplexity (POSH-BENCH).

    Raises `FormulaError` where a formula cannot be read."""
    found = [(parse_formula(text), MEASURES.find(items.metric or DEFAULT_MEASURE)) for text in items.predictions]
    if {GOOD, BAD} <= set(items.conditions):
        preferred = parse_formula(f"{GOOD}@sentence < {BAD}@sentence")
        found += [(preferred, MEASURES["sum"]), (preferred, MEASURES["perplexity"])]
    return [(formula, by) for formula, by in found if formula.is_criterion]


def texts_of(items: ForeignSet) -> list[str]:
    """The distinct sentences, in order."""
    return list(dict.fromkeys(s.text for item in items.items for s in item.sentences if s.text.strip()))


def with_accuracies(
    audited: AuditedFile, engine: Engine, progress: Callable[[int], None] = lambda _: None
) -> AuditedFile:
    """The page with how often each criterion holds under a model, over all items and over those without faults."""
    items = audited.items
    texts: dict[str, MeasuredText] = {}
    for chunk in engine.score([Request(text) for text in texts_of(items)]):
        texts |= {tokens.text: measured_text(tokens) for tokens in chunk}
        progress(len(chunk))
    faulty = set(audited.audit.items_with(Severity.WARNING))
    numbers = {region.number: region.name for region in items.regions if region.number is not None}
    rows = []
    for formula, by in criteria_of(items):
        outcomes = [(item, _outcome(item, formula, by, texts, numbers)) for item in items.items]
        rows.append(_accuracy(engine.model, formula, by, outcomes, faulty))
    return AuditedFile(audited.path, audited.what, items, audited.audit, rows)


def _outcome(
    item: ForeignItem, formula: Formula, by: Measure, texts: dict[str, MeasuredText], numbers: dict[str, str]
) -> CriterionOutcome:
    first = {s.condition: s for s in reversed(item.sentences) if s.text in texts}
    values = ItemValues(
        {name: texts[s.text] for name, s in first.items()},
        {name: s.spans for name, s in first.items()},
        by,
        numbers=numbers,
    )
    return values.outcome(formula)


def _accuracy(
    model: str,
    formula: Formula,
    by: Measure,
    outcomes: list[tuple[ForeignItem, CriterionOutcome]],
    faulty: set[str],
) -> ModelAccuracy:
    defined = [(item, outcome) for item, outcome in outcomes if outcome.holds is not None]
    clean = [(item, outcome) for item, outcome in defined if item.label not in faulty]
    return ModelAccuracy(
        model=model,
        name=formula.text,
        measure=by.name,
        holds=_holding(defined),
        n=len(defined),
        holds_clean=_holding(clean),
        n_clean=len(clean),
        undefined=len(outcomes) - len(defined),
        differs=sum(outcome.differs for _, outcome in outcomes),
    )


def _holding(outcomes: list[tuple[ForeignItem, CriterionOutcome]]) -> int:
    return sum(outcome.holds is True for _, outcome in outcomes)
