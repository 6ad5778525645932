"""The contents of a report as data: what the HTML and the Markdown page both show, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import StoredItem
from gapsmith.scoring.analysis import Analysis, ContrastResult, about, after_plan, label, plan_lines
from gapsmith.scoring.report.criterion_figures import criteria_caption, sentences_caption
from gapsmith.scoring.report.drawing import Drawing, figure_name
from gapsmith.scoring.report.figures import effect_title, effects_drawn, figures_of, shares_drawn
from gapsmith.scoring.report.items import dataset_line, item_sentences, item_tables, value_table
from gapsmith.scoring.report.links import FOLDER, Trail
from gapsmith.scoring.report.numbers import bits, interval
from gapsmith.scoring.report.points import told_points
from gapsmith.scoring.report.region_figures import RegionPair, region_pairs
from gapsmith.scoring.report.sentences import (
    Headline,
    contrast_sentence,
    criterion_sentence,
    did_sentence,
    misleading,
    outcome_of,
    verdict_mark,
)
from gapsmith.scoring.report.settings import settings_tables
from gapsmith.scoring.report.tables import (
    Table,
    absence_table,
    bracket_notes,
    bracketed,
    condition_table,
    contrast_tables,
    criteria_table,
    fixed_word_tables,
    lines_table,
    more_tests,
    parts_table,
    places_apart,
    rating_tables,
    with_links,
)
from gapsmith.scoring.report.word_figures import difference_table, word_caption, word_table
from gapsmith.templates import Paradigm, Region


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of an example sentence: ``plain``, ``filler``, ``gap`` (empty text) or ``critical``."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One condition of the design with the example item's sentence."""

    label: str
    status: str
    pieces: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, its caption and the tables behind it."""

    drawing: Drawing
    caption: str
    data: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Everything that the report says of one paradigm."""

    analysis: Analysis
    outcome: Headline
    datasets: str
    """The data sets that are pooled, with their numbers of items; empty where there is only one."""
    plan: tuple[str, ...]
    """What was planned, and what is not as planned."""
    caveats: tuple[str, ...]
    """What else stands between the numbers and their use."""
    conditions: tuple[ConditionRow, ...]
    compared: str
    """What the legend says after “the critical region”: that it is compared there, or what else is."""
    marked: frozenset[str]
    """The kinds of pieces that are marked in the conditions, which the legend below them explains."""
    verdicts: tuple[tuple[str, str], ...]
    """A mark and a sentence for each contrast."""
    interactions: tuple[str, ...]
    """Where interactions that change two factors at once get their values from."""
    warnings: tuple[str, ...]
    """Those of them that would have led a reader astray, for the summary."""
    tables: tuple[Table, ...]
    more_tests: Table | None
    """None where there are no contrasts."""
    figures: tuple[Figure, ...]
    words: Figure | None
    """Every condition word by word; None where words were not computed."""
    curves: tuple[Figure, ...]
    curves_missing: str
    """Why there are no curves, where there are none."""
    items: tuple[str, ...]
    item_tables: tuple[Table, ...]
    values: Table
    everything: str
    """The page that lists all items; empty where there is none."""
    settings: tuple[Table, ...]

    @property
    def all_figures(self) -> tuple[Figure, ...]:
        """In the order of the page."""
        return (*self.figures, *((self.words,) if self.words is not None else ()), *self.curves)


def section_of(analysis: Analysis, trail: Trail | None = None, readers: Table | None = None) -> Section:
    """The section of one analysis, whose tables lead along the `trail` to their items; `readers` are those who decided on them."""
    links = trail.links(analysis) if trail is not None else {}
    everything = f"{FOLDER}/{Trail.index(analysis.part)}" if trail is not None else ""

    def led(table: Table, otherwise: str = "") -> Table:
        return with_links(table, links, otherwise=otherwise) if trail is not None else table

    outcome = outcome_of(analysis)
    conditions = _conditions(analysis.paradigm.variant(analysis.example.slots), analysis.example)
    drawings = {drawing.name: drawing for drawing in figures_of(analysis)}
    pairs = region_pairs(analysis)
    parts = [
        led(table, links.get(label(result.contrast), ""))
        for result in analysis.of_kind("did")
        if (table := parts_table(result)) is not None
    ]
    curves = tuple(
        Figure(
            drawings[figure_name(analysis.part, "regions", pair.result.contrast.name)],
            _curve_caption(pair),
            (table,),
        )
        for pair, table in ((pair, _curve_data(analysis.paradigm, pair)) for pair in pairs)
    )
    criteria, lines, absence = criteria_table(analysis), lines_table(analysis), absence_table(analysis)
    return Section(
        analysis=analysis,
        outcome=outcome,
        datasets=dataset_line(analysis),
        plan=tuple(plan_lines(analysis)),
        caveats=(*analysis.notes, *after_plan(analysis)),
        conditions=conditions,
        compared=_compared(analysis),
        marked=frozenset(piece.kind for row in conditions for piece in row.pieces if piece.kind != "gap" or not piece.text),
        verdicts=(
            *((verdict_mark(r.verdict), contrast_sentence(r)) for r in analysis.contrasts),
            *(("•", criterion_sentence(analysis.paradigm, result)) for result in analysis.criteria),
        ),
        interactions=tuple(filter(None, (did_sentence(result) for result in analysis.of_kind("did")))),
        warnings=tuple(did_sentence(r) for r in analysis.of_kind("did") if misleading(outcome, r)),
        tables=(
            *((led(condition_table(analysis)),) if analysis.conditions else ()),
            *map(led, rating_tables(analysis)),
            *(_explained(led(table), _PAGE_OF_EFFECTS) for table in contrast_tables(analysis)),
            *((_explained(led(absence), "evidence for absence"),) if absence is not None else ()),
            *((_explained(led(lines), "words that repeat"),) if lines is not None else ()),
            *fixed_word_tables(analysis),
            *parts,
            *((_explained(led(criteria), "shares"),) if criteria is not None else ()),
        ),
        more_tests=_explained(led(more_tests(analysis)), "means") if analysis.contrasts else None,
        figures=_main_figures(analysis, drawings),
        words=_words(analysis, drawings),
        curves=curves,
        curves_missing="" if curves else _why_no_curves(analysis),
        items=item_sentences(analysis),
        item_tables=(
            *(led(table, everything) for table in item_tables(analysis)),
            *((readers,) if readers is not None else ()),
        ),
        values=led(value_table(analysis)),
        everything=everything,
        settings=settings_tables(analysis),
    )


_PAGE_OF_EFFECTS = "means; where words repeat, words that repeat"


def _explained(table: Table, page: str) -> Table:
    """The table with the page of the documentation that has its formulas: a report stands alone, so there is no link."""
    return replace(table, notes=(*table.notes, f"how it is computed: documentation, statistics: {page}"))


def _conditions(paradigm: Paradigm, item: StoredItem) -> tuple[ConditionRow, ...]:
    rows = []
    for condition in paradigm.conditions:
        sentence = item.sentence(condition.name)
        if sentence is None:
            continue
        pieces = [Stretch(sentence.text, "plain")]
        if sentence.regions is not None:
            kinds = {region.name: _kind(region, condition.critical) for region in paradigm.regions}
            pieces, at = [], 0
            for span in sentence.regions:
                if span.start > at:
                    pieces.append(Stretch(sentence.text[at : span.start], "plain"))
                if span.start < span.end or kinds.get(span.name) == "gap":
                    pieces.append(Stretch(sentence.text[span.start : span.end], kinds.get(span.name, "plain")))
                at = max(at, span.end)
            pieces.append(Stretch(sentence.text[at:], "plain"))
        rows.append(ConditionRow(condition.label, condition.expected, tuple(p for p in pieces if p.text or p.kind == "gap")))
    return tuple(rows)


def _compared(analysis: Analysis) -> str:
    """What follows “the critical region” where it is marked: whether surprisal is compared there."""
    found: dict[str, list[str]] = {}
    for result in analysis.contrasts:
        found.setdefault(places_apart(result), []).append(label(result.contrast))
    others = {places: names for places, names in found.items() if places}
    if not others:
        return ", where surprisal is compared" if found else ""
    said = "; ".join(f"{', '.join(names)}: {places}" for places, names in others.items())
    return f", where surprisal is compared but for {said}" if "" in found else f". It is not compared there; what is: {said}"


def _kind(region: Region, critical: str | None) -> str:
    if region.name == critical:
        return "critical"
    return region.role if region.role in ("filler", "gap") else "plain"


def _main_figures(analysis: Analysis, drawings: dict[str, Drawing]) -> tuple[Figure, ...]:
    confidence = f"{100 * analysis.options.confidence:g}%"
    effects, shares = effects_drawn(analysis), shares_drawn(analysis)
    shaded = any(result.contrast.expected for result in effects)
    hatched = any(not result.contrast.expected for result in shares)
    interval = (
        "without intervals, since their words repeat and they are not independent"
        if any(result.words.repeats for result in shares)
        else f"with Wilson's {confidence} interval"
    )
    most = max((result.n_items for result in analysis.contrasts), default=0)
    captions = {
        "summary": (
            f"{effect_title(effects)}: {_mark(effects)} with its {confidence} interval alone, for a slide; marks as in the next figure."
        ),
        "effects": (
            f"{effect_title(effects)}. {told_points(most)} The mark beside is {_mark(effects)} with its {confidence} "
            "interval: filled where it is as expected (or, without an expectation, reliably different from 0), a cross "
            "where it is the opposite, open where there is no evidence, a line where there is no verdict."
            f"{' Shaded: the side that knowledge of the grammar predicts.' if shaded else ''}"
        ),
        "criteria": criteria_caption(analysis),
        **({"sentences": sentences_caption(analysis)} if figure_name(analysis.part, "sentences") in drawings else {}),
        "shares": (
            f"Items whose value has the expected sign, {interval}. "
            f"{'Hatched: exploratory, without an expected sign. ' if hatched else ''}The dotted line is chance."
        ),
    }
    found = []
    for kind, caption in captions.items():
        drawing = drawings.get(figure_name(analysis.part, kind))
        if drawing is not None:
            found.append(Figure(drawing, caption))
    return tuple(found)


def _words(analysis: Analysis, drawings: dict[str, Drawing]) -> Figure | None:
    drawing = drawings.get(figure_name(analysis.part, "words"))
    if drawing is None:
        return None
    differences = difference_table(analysis)
    tables = (word_table(analysis), *((differences,) if differences is not None else ()))
    return Figure(drawing, word_caption(analysis), tables)


def _mark(effects: Sequence[ContrastResult]) -> str:
    """What the mark of a mean stands for: the estimate of the test that the words allow."""
    modelled = [label(result.contrast) for result in effects if result.words.these is not None]
    if not modelled:
        return "their mean"
    if len(modelled) == len(effects):
        return "the estimate of the model of words"
    return f"the estimate of the model of words ({', '.join(modelled)}), of the others the mean over items,"


def _curve_caption(pair: RegionPair) -> str:
    return (
        f"{label(pair.result.contrast)}: {about(pair.result.contrast)}. Above, mean surprisal of each "
        f"region; below, the items' own differences where both sentences have the same words.{_over(pair.result)}"
    )


def _over(result: ContrastResult) -> str:
    """Over which items it is, where these are not all."""
    return "".join(f" {restriction}." for restriction in result.restrictions)


def _curve_data(paradigm: Paradigm, pair: RegionPair) -> Table:
    names = [paradigm.condition(c).label for c in (pair.plus, pair.minus)]
    rows = []
    for region in pair.regions:
        means = [pair.means.get((condition, region.name)) for condition in (pair.plus, pair.minus)]
        difference = pair.differences.get(region.name)
        rows.append(
            (
                region.title,
                *(bits(mean.mean, sign=False) if mean else "–" for mean in means),
                bits(difference.mean) if difference else "–",
                bracketed(interval(difference.ci_low, difference.ci_high) if difference else "–", pair.result.words.may_repeat),
            )
        )
    columns = ("region", *names, "difference", "interval")
    notes = bracket_notes([pair.result])
    if pair.result.words.these is not None:
        notes.append(
            f"difference: mean over the items; what is said of {label(pair.result.contrast)} is the estimate of the model of words, "
            f"{bits(pair.result.estimate)}"
        )
    caption = f"{label(pair.result.contrast)}: mean surprisal by region (bits)"
    return Table(caption, columns, tuple(rows), frozenset({1, 2, 3, 4}), tuple(notes))


def _why_no_curves(analysis: Analysis) -> str:
    if not any(mean.mean is not None for mean in analysis.regions):
        return "No region has a value of its own, so there are no curves by region."
    two = [result for result in analysis.contrasts if sorted(term.weight for term in result.contrast.terms) == [-1, 1]]
    if not two:
        tested = "no contrast is tested here" if not analysis.contrasts else "no contrast here is one of two conditions"
        return f"Curves by region show the two conditions of a contrast over each other, and {tested}."
    if not any(result.values for result in two):
        return "No contrast of two conditions has a value, so there are no curves by region."
    return (
        "These scores hold too few regions for region-by-region curves, as when only the critical region was scored: "
        "where else in the sentence the conditions come apart cannot be seen here."
    )
