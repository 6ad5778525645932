"""`gapsmith audit`: from a file to its page, with a model's accuracies where one is named."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from gapsmith.app.audit_page import AuditedFile, LeftOut, ModelAccuracy
from gapsmith.bank import Severity
from gapsmith.bank.formats import (
    BAD,
    GOOD,
    ForeignSet,
    ReadOptions,
    ReadServices,
    SourceFile,
    SuitePrediction,
    read_foreign,
    read_predictions,
)
from gapsmith.scoring.lm import Engine, Request
from gapsmith.scoring.observations import (
    ItemKey,
    Observations,
    ObservedItem,
    ObservedSentence,
    Outcomes,
    Producer,
    measured_text,
    outcomes,
)
from gapsmith.templates import DEFAULT_MEASURE, MEASURES, FormatError, Formula, Measure, MeasuredText, parse_formula
from gapsmith.vetting import audit_set

NOTHING_WRITTEN = "No page was written."
_DIFFERENCE = (
    "it is a difference, a number for each item, of which a model is neither right nor wrong; `gapsmith import` and "
    "`gapsmith analyze` test it"
)


def audit_file(
    path: Path,
    *,
    format: str | None = None,
    options: ReadOptions,
    services: ReadServices,
) -> AuditedFile:
    """Read a file and ask the rules. Raises `FormatError` where it cannot be read, or holds no sentence that could be."""
    items = read_foreign(
        SourceFile(path, replace(options, as_it_is=True), NOTHING_WRITTEN, "gapsmith audit"), format=format, services=services
    )
    if not items.conditions:
        raise FormatError(
            f"{path}: holds slots and no sentences, so there is nothing to audit",
            hint=f"`gapsmith import {shlex.quote(str(path))}` makes the sentences, and `gapsmith lint` "
            f"reads them. {NOTHING_WRITTEN}",
        )
    left_out = [_left_out(entry, entry.why) for entry in read_predictions(items) if entry.formula is None]
    return AuditedFile(path, items.what, items, audit_set(items), left_out=left_out)


def criteria_of(items: ForeignSet) -> list[tuple[Formula, Measure]]:
    """What should hold of every item, and by which measure: a suite's formulas in its metric, those left out that cannot be
    asked or compare nothing; of pairs, that the good member is the more probable one, as a whole (BLiMP) and by perplexity
    (POSH-BENCH)."""
    by = MEASURES.find(items.metric or DEFAULT_MEASURE)
    formulas = [entry.formula for entry in read_predictions(items) if entry.formula is not None]
    found = [(formula, by) for formula in formulas if formula.is_criterion]
    if {GOOD, BAD} <= set(items.conditions):
        preferred = parse_formula(f"{GOOD}@sentence < {BAD}@sentence")
        found += [(preferred, MEASURES["sum"]), (preferred, MEASURES["perplexity"])]
    return found


def texts_of(items: ForeignSet) -> list[str]:
    """The distinct sentences, in order."""
    return list(dict.fromkeys(s.text for item in items.items for s in item.sentences if s.text.strip()))


def with_accuracies(audited: AuditedFile, engine: Engine, progress: Callable[[int], None] = lambda _: None) -> AuditedFile:
    """The page with how often each criterion holds under a model, over all items and over those without faults; with the
    formulas of which a model is neither right nor wrong among what is left out. Where nothing is to be asked, the model
    reads nothing."""
    items = audited.items
    criteria = criteria_of(items)
    texts: dict[str, MeasuredText] = {}
    for chunk in engine.score([Request(text) for text in texts_of(items)]) if criteria else ():
        texts |= {tokens.text: measured_text(tokens) for tokens in chunk}
        progress(len(chunk))
    numbers = {region.number: region.name for region in items.regions if region.number is not None}
    table = Observations(_rows(items, texts), Producer(engine.model, engine.revision), numbers=numbers)
    clean = set(range(len(items.items))) - {
        n for n, item in enumerate(items.items) if item.label in set(audited.audit.items_with(Severity.WARNING))
    }
    rows = [_accuracy(engine.model, formula, by, outcomes(table, formula, by), clean) for formula, by in criteria]
    differences = [
        _left_out(entry, _DIFFERENCE)
        for entry in read_predictions(items)
        if entry.formula is not None and not entry.formula.is_criterion
    ]
    left_out = sorted((*audited.left_out, *differences), key=lambda entry: entry.number)
    return replace(audited, model=engine.model, accuracies=rows, left_out=left_out)


def _left_out(entry: SuitePrediction, why: str) -> LeftOut:
    return LeftOut(entry.number, entry.text, why)


def _rows(items: ForeignSet, texts: Mapping[str, MeasuredText]) -> list[ObservedItem]:
    """The items of a file as the table takes them; of two sentences in one condition the first that was scored counts, and an empty
    one is none."""
    known: dict[tuple[str, object], ObservedSentence] = {}
    found = []
    for number, item in enumerate(items.items):
        own: dict[str, ObservedSentence | str] = {}
        for sentence in reversed(item.sentences):
            before = own.get(sentence.condition)
            is_scored = isinstance(before, ObservedSentence) and before.measured is not None
            if not sentence.text.strip() or (sentence.text not in texts and is_scored):
                continue
            spans = None if sentence.spans is None else tuple(sentence.spans)
            key = sentence.text, spans
            if key not in known:
                known[key] = ObservedSentence(sentence.text, sentence.spans, texts.get(sentence.text))
            own[sentence.condition] = known[key]
        found.append(ObservedItem(ItemKey(items.what, f"{number} {item.label}"), own))
    return found


def _accuracy(model: str, formula: Formula, by: Measure, found: Outcomes, clean: Collection[int]) -> ModelAccuracy:
    """Each observation counts once; one that any clean item has is clean."""
    values = found.values
    evidence, value, having = values.evidence.tolist(), values.value.tolist(), values.having.tolist()
    every = {evidence[n]: bool(value[n]) for n in having}
    of_clean = {evidence[n]: bool(value[n]) for n in having if n in clean}
    return ModelAccuracy(
        model=model,
        name=formula.text,
        measure=by.name,
        holds=sum(every.values()),
        n=len(every),
        holds_clean=sum(of_clean.values()),
        n_clean=len(of_clean),
        undefined=len(values.given) - len(values.having),
        differs=len(found.differing),
        one_sided=len(found.one_sided),
        restrictions=values.restrictions,
    )
